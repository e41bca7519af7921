//! Spacenomic (seed 003): rational votes, exact money, activity, and an end that stands in the rules.
//!
//! One file a mechanic, with its decisions and displays, and with the number of its rule in front (`r16_r17` is of two).
//! Questions that others ask of its rows stand in a file below it. Things that rules can name stand in the world (`stats`). `docs/coverage/spacenomic.md` lists clause by clause
//! what there is, and what is still missing.

mod displays;
mod effects;
pub mod figures;
mod game;
mod hosting;
pub mod law;
#[cfg(test)]
mod laws_tests;
mod phases;
mod r00_guard;
mod r00_players;
mod r00_proposals;
mod r00_voting;
mod r01_symmetry;
mod r02_colours;
mod r03_build;
mod r03_map;
pub mod r03_space;
mod r04_encouragement;
mod r05_location;
mod r06_location_changes;
mod r07_r09_space_changes;
mod r08_adjacency;
mod r12_moves;
mod r13_money;
mod r14_owners;
mod r15_expiry;
mod r16_r17_pay;
mod r18_activity;
mod r20_r21_coordinates;
mod r22_removal;
pub mod r23_income;
mod r24_distances;
mod r25_r26_point;
mod r27_clock;
mod r27_end;
mod roster;
mod stats;

// The files of rules carry their numbers; the code calls them by their names.
use r00_guard as guard;
use r00_players as players;
use r00_proposals as proposals;
use r00_voting as voting;
use r01_symmetry as symmetry;
use r02_colours as colours;
use r03_build as build;
use r03_map as map;
pub use r03_space as space;
use r04_encouragement as encouragement;
use r05_location as location;
use r08_adjacency as adjacency;
use r12_moves as moves;
use r13_money as money;
use r14_owners as owners;
use r15_expiry as expiry;
use r16_r17_pay as pay;
use r18_activity as activity;
use r20_r21_coordinates as coordinates;
use r22_removal as removal;
pub use r23_income as income;
use r25_r26_point as point;
use r27_clock as clock;
use r27_end as end;

pub use self::game::Spacenomic;

use std::sync::LazyLock;

use serde_json::{Map, Value as Json};

use self::game::{D, public};
use kernel::{
    Game, Instant, Mechanics, Needs, Path, Refusal, State,
    display::{self, Document},
    engine::{Engine, Table},
    rulebook::{LiveKey, Rule},
    speech::Speech,
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

/// A room of this game in its unopened state. What is generic over games is compiled here, once.
pub fn table() -> Box<dyn Table> {
    Box::new(Engine::<Spacenomic>::default())
}

impl Game for Spacenomic {
    const NAME: &'static str = "spacenomic";

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
        let opener = players::open(d)?;
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
            roster::player(d)?;
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
        players::mechanic(),
        proposals::mechanic(),
        expiry::mechanic(),
        removal::mechanic(),
        owners::mechanic(),
        money::mechanic(),
        income::mechanic(),
        map::mechanic(),
        clock::mechanic(),
        effects::mechanic(),
        encouragement::mechanic(),
        point::mechanic(),
        build::mechanic(),
        colours::mechanic(),
        laws::mechanic(phases::LAWS, displays::LAWS),
    ])
});

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
