//! What people may look at: Robots, Proposals, the log of the GNDT, Dynasties, the weblog itself.
//!
//! Every display reads the state as it is and changes nothing; each is drawn beside the mechanic that it shows.

use super::{
    BlogNomic, Refusal, State, ascension,
    display::{Block, Cell, Document},
    dynasties, effects, gndt, judgment, program, proposals, veto,
};
use kernel::game::Viewer;

/// Proposals that the list of displays names, the latest first: what anybody would look at unasked.
const LISTED_MAX_COUNT: usize = 30;

/// What a channel reads when a room opens in it: who reigns, and a newcomer's first commands.
pub(super) fn welcome(opener: &str, supplied: bool) -> Document {
    let own =
        if supplied { " It is played by a rulebook that a moderator brought along: read “rules”." } else { "" };
    let commands = [
        "“robot apply NAME LINK”: ask the Admin Staff to make you a Robot.",
        "“rules”, “rule 5”: read the rules; every number in them is played as it reads now.",
        "“propose TITLE”: propose a change; a line that begins with “=>” is done by itself when it is enacted.",
        "“proposals”, “vote 3 FOR”: read what is pending and vote: FOR, AGAINST or DEFERENTIAL.",
        "“mcp PRODUCT”: run the Master Control Program; “robots” shows what everybody has.",
        "“help”: everything else.",
    ];
    Document::say(format!("BlogNomic is open here. {opener} is Control Unit and Admin Staff.{own} To begin with:"))
        .with(Block::List(commands.into_iter().map(Cell::new).collect()))
}

/// The displays, for completion and for lists.
pub(super) fn list(state: &State<BlogNomic>) -> Vec<Cell> {
    let fixed =
        ["robots", "proposals", "cfjs", "requests", "gndt", "columns", "dynasties", "weblog", "mcp"].map(str::to_owned);
    let made = state
        .rows::<proposals::Proposal>()
        .keys()
        .rev()
        .take(LISTED_MAX_COUNT)
        .map(|number| format!("proposal/{number}"));
    fixed.into_iter().chain(made).map(|id| Cell::new(id.clone()).completing(id.clone()).showing(id)).collect()
}

/// A display by id.
///
/// # Errors
///
/// A [`Refusal`] where there is none.
pub(super) fn show(state: &State<BlogNomic>, id: &str, viewer: &Viewer) -> Result<Document, Refusal> {
    let parts: Vec<&str> = id.trim_matches('/').split('/').collect();
    // A list goes on before a number.
    let before = parts.get(1).and_then(|number| number.parse().ok());
    Ok(match parts[..] {
        ["robots" | "members" | "roster"] => gndt::show(state),
        ["columns"] => gndt::show_columns(state),
        ["gndt" | "log"] => gndt::show_log(state, None),
        ["gndt" | "log", _] if before.is_some() => gndt::show_log(state, before),
        ["proposals" | "ballot"] => proposals::list(state, None, viewer),
        ["proposals", _] if before.is_some() => proposals::list(state, before, viewer),
        ["proposal", number] => proposals::show(state, number)?,
        ["mcp" | "keywords"] => program::show(state)?,
        ["run", entry] => program::show_run(state, entry)?,
        ["cfjs"] => judgment::list(state, None),
        ["cfjs", _] if before.is_some() => judgment::list(state, before),
        ["cfj", number] => judgment::show(state, number)?,
        ["requests"] => veto::show(state),
        ["dryrun", number] => effects::show(state, number)?,
        ["weblog" | "blog" | "journal"] => ascension::show(state),
        ["dynasties"] => dynasties::show(state),
        _ => return Err(Refusal::new("this room has no display of that name").instead("show robots")),
    })
}
