//! Nomic: a game without rules. A room of it plays the rules that it was opened with, each of them words with a law.
//!
//! The machine seats people and keeps the record. Who becomes a player, how rules change and who wins, laws say.

pub mod check;
mod effects;
pub mod found;
mod people;
mod rules;

use std::sync::LazyLock;

use serde_json::{Map, Value as Json};

use kernel::{
    Draft, Game, Id, Mechanics, Needs, Refusal, State,
    display::Document,
    engine::{Engine, Table},
    rulebook::LiveKey,
    speech::{self, Speech},
    world::Op,
};

/// A draft of this game.
type D<'a> = Draft<'a, Nomic>;

/// The opening option that holds the rules.
const RULEBOOK: &str = "rulebook";
/// The opening option that names a ruleset which is shipped.
const RULESET: &str = "ruleset";
/// The opening option that names who holds an office: only rules give offices here.
const OFFICER: &str = "officer";
/// The kind of the game's own object, and its one object.
const GAME: &str = "game";
const THE_GAME: &str = "game/main";

/// Where what laws are due to do stands among what shares an instant.
const LAWS_RANK: u8 = 10;
/// Where the displays of laws stand in the list.
const LAWS_PLACE: u8 = 10;

/// The game. What its rules can name stands in the world.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Nomic;

/// A room of this game in its unopened state. What is generic over games is compiled here, once.
pub fn table() -> Box<dyn Table> {
    Box::new(Engine::<Nomic>::default())
}

impl Game for Nomic {
    const NAME: &'static str = "nomic";

    fn keys() -> &'static [LiveKey] {
        &[]
    }

    fn mechanics() -> &'static Mechanics<Self> {
        static ALL: LazyLock<Mechanics<Nomic>> = LazyLock::new(|| {
            let laws = laws::mechanic(LAWS_RANK, LAWS_PLACE);
            Mechanics::new(vec![people::mechanic(), rules::mechanic(), effects::mechanic(), laws])
        });
        &ALL
    }

    fn open(options: &Map<String, Json>, d: &mut D<'_>) -> Result<Document, Refusal> {
        let (mut rulebook, mut shipped) = (None, None);
        for (key, value) in options.iter().filter(|(_, value)| !value.is_null()) {
            let text = value.as_str().unwrap_or_default();
            match key.as_str() {
                RULEBOOK => rulebook = Some(text),
                RULESET => shipped = Some(laws::shipped::text(text)?),
                OFFICER if text.eq_ignore_ascii_case(&d.doer.name) => {}
                other => {
                    let why = format!("a nomic has no option “{other}”; it has {RULEBOOK} and {RULESET}");
                    return Err(Refusal::new(why));
                }
            }
        }
        let (ruleset, told) = found::brought(rulebook, shipped.as_deref())?;
        let title = if ruleset.title.is_empty() { "A nomic".to_owned() } else { ruleset.title.clone() };
        let summary = if ruleset.summary.is_empty() { String::new() } else { format!(" {}", ruleset.summary) };
        for (code, words) in ruleset.languages.clone() {
            d.put(&code, laws::Spoken(words));
        }
        let ops = ruleset.opening();
        let count = ops.len();
        d.op(Op::Create { obj: THE_GAME.into(), kind: GAME.into() });
        for op in ops {
            d.rule(op);
        }
        rules::keep(d);
        let rules = if count == 1 { "1 rule is".to_owned() } else { format!("{count} rules are") };
        d.tell_all(format!(
            "{title} is open here.{summary} {rules} in force: “⁅rules⁆” shows them, and “⁅join⁆” asks to play."
        ));
        let rules = Document::say(format!("{title}: {rules} in force."));
        Ok(told.into_iter().fold(rules, Document::para))
    }

    fn offices(state: &State<Self>) -> Vec<(String, Vec<Id>)> {
        laws::offices(state).into_iter().collect()
    }

    fn guard(needs: &Needs, d: &D<'_>) -> Result<(), Refusal> {
        if needs.player {
            laws::player(d)?;
        }
        match needs.line {
            Some(line) if !d.public => Err(Refusal::new("say it in a public channel of the room").instead(line)),
            _ => Ok(()),
        }
    }
}

impl Speech for Nomic {
    const CHIEF: &'static str = "show people";

    fn rulings() -> &'static str {
        include_str!("../../../docs/rulings/nomic.md")
    }

    fn paused() -> &'static str {
        "what laws are due to do meanwhile does not happen"
    }

    fn called(state: &State<Self>, obj: &Id) -> String {
        match rules::of(state, obj) {
            Some(rule) => format!("rule {}", rule.number()),
            None => speech::called(state, obj),
        }
    }

    fn rule_of(state: &State<Self>, path: &kernel::Path) -> Option<String> {
        let by = state.world.def_at(path)?.by.clone()?;
        let rule = state.rules.get(&by)?;
        Some(format!("Rule {}, {}", rule.number(), rule.label()))
    }
}

impl laws::Hosts for Nomic {
    const KINDS: &'static [&'static str] = &[];
    const EVENTS: &'static [laws::Event] = &[(people::JOINED, &["by"]), (people::LEFT, &["by", "name"])];

    fn taken_for(state: &State<Self>, obj: &Id) -> Option<Id> {
        people::taken_for(state, obj)
    }

    fn plays(state: &State<Self>, seat: Option<&Id>) -> Result<(), Refusal> {
        people::plays(state, seat)
    }

    fn admit(seat: &Id, d: &mut D<'_>) -> Result<(), Refusal> {
        people::admit(seat, d)
    }

    fn suspend(seat: &Id, d: &mut D<'_>) -> Result<(), Refusal> {
        people::suspend(seat, d)
    }

    fn dismiss(seat: &Id, keeps: bool, d: &mut D<'_>) -> Result<(), Refusal> {
        people::dismiss(seat, keeps, d)
    }
}
