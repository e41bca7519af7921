//! What people may look at. Every display reads the state as it is and changes nothing; each is drawn beside the mechanic
//! that it shows.

use super::{
    Instant, Refusal, Spacenomic, State, activity,
    display::{Block, Cell, Document},
    effects, end, income,
    law::version,
    map, moves, phases, proposals, society, voting,
};
use kernel::game::Viewer;

/// Proposals that the list of displays names: what anybody would look at unasked.
const LISTED_MAX_COUNT: usize = 30;

/// The displays, for completion and for lists.
pub(super) fn list(state: &State<Spacenomic>) -> Vec<Cell> {
    let fixed =
        ["people", "space", "moves", "ballot", "clock", "proposals", "requests", "colours", "encouraged", "decimals"];
    let made = proposals::numbers(state, LISTED_MAX_COUNT).map(|number| format!("proposal/{number}"));
    let all = fixed.into_iter().map(str::to_owned).chain(made);
    all.map(|id| Cell::new(id.clone()).completing(id.clone()).showing(id)).collect()
}

/// A display by id.
///
/// # Errors
///
/// A [`Refusal`] where there is none.
pub(super) fn show(state: &State<Spacenomic>, id: &str, viewer: &Viewer) -> Result<Document, Refusal> {
    let parts: Vec<&str> = id.trim_matches('/').split('/').collect();
    Ok(match parts[..] {
        ["people" | "money"] => society::show(state),
        ["decimals"] => society::show_decimals(state),
        ["account", ref words @ ..] if !words.is_empty() => society::show_account(state, &words.join(" "))?,
        ["requests"] => society::show_requests(state),
        ["proposals"] => proposals::list(state),
        ["ballot"] => proposals::ballot(state),
        // The words of a name come joined as the parts of an address are.
        ["proposal", ref words @ ..] if !words.is_empty() => proposals::show(state, &words.join(" "))?,
        ["dryrun", ref words @ ..] if !words.is_empty() => effects::show(state, &words.join(" "))?,
        ["vote", number, ref vote @ ..] if !vote.is_empty() => voting::sure(state, number, &vote.join("/"), viewer)?,
        ["moves"] => moves::show(state),
        [moves::YOURS] => moves::show_own(state, viewer)?,
        ["space" | "map"] => map::show(state, viewer),
        ["space" | "map", ref at @ ..] => map::around(state, &at.join(" "), viewer)?,
        ["encouraged"] => effects::show_encouraged(state),
        ["colours" | "colors"] => colours(state),
        ["clock" | "time"] => end::show(state, viewer, ahead(state)),
        _ => return Err(Refusal::new("this room has no display of that name").instead("show people")),
    })
}

/// What happens by itself, in the order in which it happens (X1).
fn ahead(state: &State<Spacenomic>) -> Vec<(String, Instant)> {
    let end = end::next_due(state).map(|due| (due.at, due.rank, "the game ends, just before".to_owned()));
    let activity = activity::dues(state).map(|due| (due.at, due.rank, activity::lapses(state, &due).what));
    let expiries = proposals::dues(state).into_iter();
    let expiries = expiries.map(|due| (due.at, due.rank, proposals::lapses(state, &due).what));
    let evaluations = moves::phi(state).iter().filter_map(|kind| {
        let what = format!("{} moves are evaluated", kind.word());
        Some((moves::next(state, kind)?, phases::EVALUATION, what))
    });
    let income = income::next_due(state).map(|due| (due.at, due.rank, "income".to_owned()));
    let mut all: Vec<_> = end.into_iter().chain(activity).chain(expiries).chain(evaluations).chain(income).collect();
    all.sort_by_key(|(at, rank, _)| (*at, *rank));
    // Of what would come with the end or after it nothing happens (S93).
    if let Some(end) = all.iter().position(|(_, rank, _)| *rank == phases::END) {
        all.truncate(end + 1);
    }
    all.into_iter().map(|(at, _, what)| (what, at)).collect()
}

/// The rules with their versions and colours (S19, S34).
fn colours(state: &State<Spacenomic>) -> Document {
    let row = |rule: &&kernel::rulebook::Rule| {
        let number = rule.number().to_string();
        vec![
            Cell::new(number.clone()).showing(format!("rule/{number}")),
            Cell::new(rule.label()),
            Cell::new(version(rule).to_string()),
            Cell::new(rule.field("colour").unwrap_or("none")),
        ]
    };
    let head = ["", "name", "version", "colour"].map(str::to_owned).to_vec();
    let rows = state.rules.rules().iter().map(row).collect();
    Document::titled("colours", "Rules of Spacenomic, with version and colour").with(Block::Table { head, rows })
}
