//! Foreign relations (4E23): the standing of other nomics with B, and the acts of B there.
//!
//! The Ambassador acts outside the room; here it is recorded. Support and objections are awaited in `intents`.

use serde::{Deserialize, Serialize};

use super::{
    figures::{FOREIGN_OBJECTIONS, FOREIGN_SUPPORT},
    game::{BNomic, D},
    intents::needs::Needs,
    law::{Thing, established},
    ministries::posts::{self, Post},
    stats::called,
};
use kernel::{
    Act, Display, Id, Mechanic, Refusal, State,
    display::{Document, cells},
    table::Row,
};

/// Most characters of what is said of another nomic.
const TEXT_MAX_CHARS: usize = 400;
/// Most nomics that the display lists: more than there are.
const NOMICS_MAX_COUNT: usize = 100;

// ---- the mechanic

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<BNomic> {
    let record = Act::new("record_relation", |Record { nomic, text }, d| record(&nomic, &text, d));
    Mechanic::new("foreign")
        .table::<Relation>()
        .act(record.by(Thing::Foreign.word()).player().public("ambassador record Agora friendly"))
        .display(Display::new("relations", |state, _| Ok(show(state))).listed(10))
}

kit::args! {
    /// The arguments of `record_relation` (B23.1).
    Record { nomic: String, text: String }
}

// ---- state

/// What another nomic is to B, by its name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Relation {
    /// In words of the Ambassador.
    pub(super) text: String,
}

impl Row<BNomic> for Relation {
    type Key = String;
    const TABLE: &'static str = "relations";

    fn told(nomic: &String, _: Option<&Self>, is: Option<&Self>, _: &State<BNomic>) -> String {
        match is {
            Some(relation) => format!("{nomic} to B: {}", relation.text),
            None => format!("nothing is said of {nomic} any more"),
        }
    }
}

// ---- decide

/// The Ambassador says what another nomic is to B, or relays a message (B23.1).
///
/// # Errors
///
/// A [`Refusal`] for others, and for a text that is too long.
fn record(nomic: &str, text: &str, d: &mut D<'_>) -> Result<Document, Refusal> {
    allowed(d, &d.actor()?)?;
    let (nomic, text) = (line(nomic)?, line(text)?);
    let held = &d.rows::<Relation>();
    if !held.contains_key(&nomic) && held.len() >= NOMICS_MAX_COUNT {
        return Err(
            Refusal::new(format!("the display lists at most {NOMICS_MAX_COUNT} nomics")).instead("show relations")
        );
    }
    d.put(&nomic, Relation { text: text.clone() });
    d.tell_all(format!("Relations with {nomic}: {text}"));
    Ok(Document::say("Recorded."))
}

/// A line of text that the display can hold.
///
/// # Errors
///
/// A [`Refusal`] where it is empty or too long.
pub(super) fn line(text: &str) -> Result<String, Refusal> {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.is_empty() || text.chars().count() > TEXT_MAX_CHARS {
        return Err(Refusal::new(format!("that takes 1 to {TEXT_MAX_CHARS} characters")).instead("show relations"));
    }
    Ok(text)
}

/// What an act of B elsewhere needs: support, and nobody who objects (B23.2).
///
/// # Errors
///
/// A [`Refusal`] where the rule that allows it is gone.
pub(super) fn needs(state: &State<BNomic>) -> Result<Needs, Refusal> {
    established(&state.rules, Thing::Foreign)?;
    Ok(Needs {
        without: Some(state.rules.need_count(&FOREIGN_OBJECTIONS)?),
        with: Some(state.rules.need_count(&FOREIGN_SUPPORT)?),
        ..Needs::default()
    })
}

/// Only the Ambassador.
///
/// # Errors
///
/// A [`Refusal`] for everybody else.
pub(super) fn allowed(d: &D<'_>, me: &Id) -> Result<(), Refusal> {
    if posts::holds(d, me, Post::Foreign) {
        return Ok(());
    }
    Err(Refusal::new("only the Ambassador does that").by(Thing::Foreign.rule(&d.rules)).instead("show ministries"))
}

/// B acts elsewhere: the Ambassador carries it there.
///
/// # Errors
///
/// None.
pub(super) fn perform(me: &Id, nomic: &str, text: &str, d: &mut D<'_>) -> Result<Document, Refusal> {
    let name = called(d, me);
    d.tell_all(format!("B acts in {nomic}, by {name} as Ambassador: {text}"));
    Ok(Document::say(format!("It stands in the record; say it in {nomic}.")))
}

// ---- display

/// The Ambassador's display (B23.1).
fn show(state: &State<BNomic>) -> Document {
    let row = |(nomic, held): (&String, &Relation)| cells![nomic.clone(), held.text.clone()];
    let rows = state.rows::<Relation>().iter().map(row);
    let document = Document::titled("relations", "Relations of B with other nomics");
    document.table_or("None is recorded.", ["", ""], rows)
}
