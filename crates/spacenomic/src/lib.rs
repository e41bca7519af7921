//! Spacenomic (seed 003): rational votes, exact money, activity, and an end that stands in the rules.
//!
//! One file a mechanic, with its decisions and displays; questions that others ask of its rows stand in a file below
//! it. Things that rules can name stand in the world (`stats`). `docs/coverage/spacenomic.md` lists clause by clause
//! what there is, and what is still missing.

mod activity;
mod before;
mod build;
mod clock;
mod displays;
mod effects;
mod end;
pub mod figures;
mod game;
mod guard;
mod hosting;
pub mod income;
pub mod law;
#[cfg(test)]
mod laws_tests;
mod location;
mod map;
mod money;
mod moves;
mod owners;
mod phases;
mod players;
mod proposals;
mod removal;
mod society;
pub mod space;
mod stats;
mod voting;

pub use self::game::Spacenomic;

use std::sync::LazyLock;

use serde_json::{Map, Value as Json};

use self::game::{D, Tables, public};
use kernel::{
    Game, Instant, Mechanics, Needs, Path, Refusal, State,
    display::{self, Document},
    game::{Around, Before, Speech},
    rulebook::{LiveKey, Rule},
    time::{minute, read_instant},
};

/// The opening option that names who holds an office: this game has none, and the opener is meant.
const OFFICER: &str = "officer";
/// The opening option that says when the game ends.
const ENDS: &str = "ends";
/// The opening option that says how many vertices Space has a side.
const SIDE: &str = "side";
/// Vertices of Space a side where nothing else is said (S35).
const SIDE_COUNT: i64 = 3;
/// Most vertices a side: the entry that opens the room holds them all.
const SIDE_MAX_COUNT: i64 = 30;

/// What the opener asked for.
struct Options {
    ends: Option<Instant>,
    side: i64,
}

impl Options {
    fn read(options: &Map<String, Json>, opener: &str) -> Result<Self, Refusal> {
        let mut read = Self { ends: None, side: SIDE_COUNT };
        for (key, value) in options.iter().filter(|(_, value)| !value.is_null()) {
            let text = value.as_str().unwrap_or_default();
            match key.as_str() {
                OFFICER if text.eq_ignore_ascii_case(opener) => {}
                OFFICER => {
                    let say = "this game has no officers: whoever opens the room is its first player";
                    return Err(Refusal::new(say));
                }
                ENDS => {
                    let at = read_instant(text);
                    read.ends =
                        Some(at.ok_or_else(|| Refusal::new(format!("“{text}” is no time for the game to end")))?);
                }
                SIDE => match value.as_i64().filter(|side| (0..=SIDE_MAX_COUNT).contains(side)) {
                    Some(side) => read.side = side,
                    None => {
                        let say = format!("Space opens with 0 to {SIDE_MAX_COUNT} vertices a side");
                        return Err(Refusal::new(say));
                    }
                },
                other => {
                    let say = format!("Spacenomic has no option “{other}”; it has {ENDS} and {SIDE}");
                    return Err(Refusal::new(say));
                }
            }
        }
        Ok(read)
    }
}

impl Game for Spacenomic {
    const NAME: &'static str = "spacenomic";
    const SCHEMA: u16 = 2;

    fn keys() -> &'static [LiveKey] {
        figures::FIGURES
    }

    fn mechanics() -> &'static Mechanics<Self> {
        &MECHANICS
    }

    fn open(options: &Map<String, Json>, d: &mut D<'_>) -> Result<Document, Refusal> {
        let options = Options::read(options, &d.doer.name.clone())?;
        stats::define(d);
        for op in law::opening(options.ends)? {
            d.rule(op);
        }
        space::open(d, options.side);
        let opener = society::open(d)?;
        let name = stats::called(d, &opener);
        let end = end::instant(d).map_or_else(String::new, minute);
        if end::open(d) {
            d.tell_all(format!(
                "Spacenomic is open here, and over already: by its rules it ended just before {end}. Nothing in it changes."
            ));
            return Ok(Document::say(
                "The game is over before it began. To play it, open a room with an end that lies ahead: “ends” says when.",
            ));
        }
        d.tell_all(format!(
            "Spacenomic is open here until {end}. {name} is its first player. Whoever wants to be one types “⁅join NAME⁆”, and a player admits em; “⁅help⁆” tells the rest."
        ));
        Ok(Document::say(format!(
            "The rules are in place, and {name} is the first player. “⁅admit NAME⁆” adds those who ask."
        )))
    }

    fn guard(needs: &Needs, d: &D<'_>) -> Result<(), Refusal> {
        needs.rules.iter().try_for_each(|thing| law::in_force(&d.rules, thing))?;
        if needs.player {
            players::player(d)?;
        }
        needs.line.map_or(Ok(()), |line| public(d, line))
    }
}

/// Its mechanics, in the order in which things follow by themselves.
static MECHANICS: LazyLock<Mechanics<Spacenomic>> = LazyLock::new(|| {
    Mechanics::new(vec![
        end::mechanic(),
        activity::mechanic(),
        location::mechanic(),
        space::mechanic(),
        moves::mechanic(),
        voting::mechanic(),
        society::mechanic(),
        proposals::mechanic(),
        removal::mechanic(),
        owners::mechanic(),
        money::mechanic(),
        income::mechanic(),
        map::mechanic(),
        clock::mechanic(),
        effects::mechanic(),
        build::mechanic(),
        displays::mechanic(),
        laws::mechanic(phases::LAWS, displays::LAWS),
    ])
});

impl Before for Spacenomic {
    type Fact = before::Fact;

    fn fold(tables: &mut Tables, fact: &before::Fact, around: &Around<'_>) {
        before::fold(tables, fact, around.at);
    }

    fn told(fact: &before::Fact, state: &State<Self>) -> Option<String> {
        before::told(fact, state)
    }
}

impl Speech for Spacenomic {
    const CHIEF: &'static str = "show people";

    fn rulings() -> &'static str {
        include_str!("../../../docs/rulings/spacenomic.md")
    }

    fn paused() -> &'static str {
        "evaluations and incomes that are due meanwhile do not happen; accusations, removals and expiries are put off"
    }

    fn proposal(state: &State<Self>, words: &str) -> Result<u64, Refusal> {
        proposals::record::by_name(state, words).map(|proposal| proposal.number)
    }

    fn rule_of(state: &State<Self>, path: &Path) -> Option<String> {
        let by = state.world.def_at(path)?.by.clone()?;
        let rule = state.rules.get(&by)?;
        Some(format!("Rule {}, {}", rule.number(), rule.label()))
    }

    fn version(rule: &Rule) -> Option<u32> {
        Some(law::version(rule))
    }

    fn beside(_state: &State<Self>, rule: &Rule) -> Vec<display::Block> {
        vec![display::Block::Para(format!("Version {}.", law::version(rule)))]
    }
}
