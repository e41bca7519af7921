//! BlogNomic, the dynasty of robots (seed 001): Robots propose and vote, a Control Unit reigns, a virus eats the rules.
//!
//! One file a rule or mechanic, each a value that lists its acts, due events, displays and consequences. Things that
//! rules can name stand in the world (`stats`). Files named by a noun (`roster`, `stats`) lie below: rows
//! and questions that several mechanics share. Time and dice are handed in.

mod alterations;
mod effects;
pub mod figures;
mod game;
mod hosting;
pub mod law;
#[cfg(test)]
mod laws_tests;
mod phases;
mod r01_corrections;
mod r01_slips;
mod r02_robots;
mod r08_gndt;
mod r08_undoing;
mod r11_language;
mod r11_mcp;
mod r12_holdings;
mod r12_inventory;
mod r17_glossary;
mod roster;
mod stats;
mod supplied;

// The files of rules carry their numbers; the code calls them by their names.
use r01_corrections as corrections;
use r01_slips as slips;
use r02_robots as robots;
use r08_gndt as gndt;
use r08_undoing as undoing;
use r11_language as mcp;
use r11_mcp as program;
use r12_holdings as holdings;
use r12_inventory as inventory;
use r17_glossary as glossary;

use std::sync::LazyLock;

use serde_json::{Map, Value as Json, json};

pub use game::BlogNomic;
use game::{D, public};
use kernel::{
    Game, Mechanics, Needs, Occasion, Path, Refusal, State,
    display::{Block, Cell, Document},
    engine::{Engine, Table},
    entry::{Audience, Change},
    rulebook::LiveKey,
    speech::Speech,
};

/// The opening option that names who holds the game's office: only whoever opens the room can.
const OFFICER: &str = "officer";
/// The opening option that holds the text of a rulebook; without it the room opens with the project's own.
const RULEBOOK: &str = "rulebook";

/// The mechanics, in the order in which they do what follows by itself.
static ALL: LazyLock<Mechanics<BlogNomic>> = LazyLock::new(|| {
    Mechanics::new(vec![
        robots::mechanic(),
        effects::mechanic(),
        gndt::mechanic(),
        undoing::mechanic(),
        program::mechanic(),
        corrections::mechanic(),
        laws::mechanic(phases::LAWS, LAWS_PLACE),
    ])
});

/// What refuses whoever acts and does not hold an office.
type Holds = fn(&D<'_>) -> Result<(), Refusal>;

/// The offices that acts ask for.
const OFFICES: [(&str, Holds); 2] = [(roster::ADMIN_STAFF, roster::admin), (roster::CONTROL_UNIT, roster::reigns)];

/// Refuses whoever does not hold an office.
///
/// # Panics
///
/// Where the game has no such office: a mistake in an act.
fn holds(office: &str, d: &D<'_>) -> Result<(), Refusal> {
    let (_, holds) = OFFICES.iter().find(|(name, _)| *name == office).expect("acts ask for offices that there are");
    holds(d)
}

/// What a channel reads when a room opens in it: who reigns, and a newcomer's first commands.
fn welcome(opener: &str, supplied: bool) -> Document {
    let own = if supplied {
        " It is played by a rulebook that a moderator brought along: read “⁅rules⁆”."
    } else {
        ""
    };
    let commands = [
        "“⁅robot apply NAME LINK⁆”: ask the Admin Staff to make you a Robot.",
        "“⁅rules⁆”, “⁅rule 5⁆”: read the rules; every number in them is played as it reads now.",
        "“⁅propose TITLE⁆”: propose a change; a line that begins with “=>” is done by itself when it is enacted.",
        "“⁅proposals⁆”, “⁅vote 3 FOR⁆”: read what is pending and vote: FOR, AGAINST or DEFERENTIAL.",
        "“⁅mcp PRODUCT⁆”: run the Master Control Program; “⁅robots⁆” shows what everybody has.",
        "“⁅help⁆”: everything else.",
    ];
    Document::say(format!("BlogNomic is open here. {opener} is Control Unit and Admin Staff.{own} To begin with:"))
        .with(Block::List(commands.into_iter().map(Cell::new).collect()))
}

/// Where displays of laws stand in the list of displays.
const LAWS_PLACE: u8 = 200;

/// A room of this game in its unopened state. What is generic over games is compiled here, once.
pub fn table() -> Box<dyn Table> {
    Box::new(Engine::<BlogNomic>::default())
}

impl Game for BlogNomic {
    const NAME: &'static str = "blognomic";

    fn keys() -> &'static [LiveKey] {
        figures::FIGURES
    }

    fn mechanics() -> &'static Mechanics<Self> {
        &ALL
    }

    fn open(options: &Map<String, Json>, d: &mut D<'_>) -> Result<Document, Refusal> {
        let opener = d.doer.name.clone();
        let known = |key: &str, value: &Json| match key {
            OFFICER => value.is_null() || value.as_str().is_some_and(|name| name.eq_ignore_ascii_case(&opener)),
            RULEBOOK => value.is_null() || value.is_string(),
            _ => value.is_null(),
        };
        if let Some((other, _)) = options.iter().find(|(key, value)| !known(key, value)) {
            return Err(Refusal::new(format!(
                "BlogNomic has no option “{other}” of that kind: whoever opens the room is its first Robot and Control Unit"
            )));
        }
        stats::define(d);
        let supplied = match options.get(RULEBOOK).and_then(Json::as_str) {
            Some(text) => Some(supplied::read(text, &supplied::own(d)?)?),
            None => None,
        };
        let ops = match &supplied {
            Some(supplied) => supplied.ops.clone(),
            None => law::opening()?,
        };
        for op in ops {
            d.rules.check(&op)?;
            d.rule(op);
        }
        let opener = robots::found(d)?;
        laws::declare(d);
        Self::mechanics().happened(roster::OPENED, &json!({ "by": opener }), d);
        let name = d.frame.name_of(&opener).to_owned();
        d.say(Audience::Public, welcome(&name, supplied.is_some()));
        let mut reply =
            Document::say(format!("The rules are in place; {name} is the first Robot, Control Unit and Admin Staff."));
        reply.blocks.extend(supplied.iter().flat_map(|supplied| supplied.report(d)));
        Ok(reply)
    }

    fn offices(state: &State<Self>) -> Vec<(String, Vec<kernel::Id>)> {
        laws::offices(state).into_iter().collect()
    }

    fn guard(needs: &Needs, d: &D<'_>) -> Result<(), Refusal> {
        needs.rules.iter().try_for_each(|word| kit::law::established(&d.rules, word))?;
        if needs.player {
            laws::player(d)?;
        }
        needs.office.map_or(Ok(()), |office| holds(office, d))?;
        needs.line.map_or(Ok(()), |line| public(d, line))
    }

    /// Logs what it changes in the table (N58).
    fn within<T>(on: Occasion<'_, Self>, d: &mut D<'_>, does: impl FnOnce(&mut D<'_>) -> T) -> T {
        let (before, by, from) = (State::clone(d), d.actor_seat(), d.emitted());
        let done = does(d);
        laws::voted(d, from).iter().for_each(|robot| roster::voted(d, robot));
        if !before.rules.is_same(&d.rules)
            && let Some(fault) = program::fault(d)
            && program::fault(&before).as_ref() != Some(&fault)
        {
            d.tell_all(format!("Nobody can run it until it reads again: {fault}."));
        }
        // Most changes are of the game's own tables, and the figures of Robots are many.
        let changed = d.changes().iter().skip(from).any(|change| matches!(change, Change::World(_)));
        if changed {
            let more = d.changes().iter().skip(from).any(|change| gndt::is_beyond(d, change));
            let law = gndt::law_of(d.changes().iter().skip(from));
            gndt::log(d, &before, by, &gndt::ground(&on, law), more);
        }
        done
    }
}

impl Speech for BlogNomic {
    const CHIEF: &'static str = "show robots";

    fn rulings() -> &'static str {
        include_str!("../../../docs/rulings/blognomic.md")
    }

    fn personal() -> &'static [&'static str] {
        robots::PERSONAL
    }

    fn rule_of(state: &State<Self>, path: &Path) -> Option<String> {
        let by = state.world.def_at(path)?.by.clone()?;
        Some(state.rules.get(&by)?.label())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_office_that_an_act_asks_for_is_known() {
        let asked: Vec<&str> = ALL
            .acts()
            .filter_map(|name| ALL.act(&Json::from(name)).expect("it is in the list").0.needs.office)
            .collect();
        assert!(OFFICES.iter().all(|(office, _)| asked.contains(office)), "{asked:?}");
        assert!(asked.iter().all(|office| OFFICES.iter().any(|(known, _)| known == office)), "{asked:?}");
    }
}
