//! Foreign relations (4E23): what other nomics are to B, and what B does there.
//!
//! What leaves the room is done by the Ambassador; here it is recorded. Absent: waiting for support and objections
//! (`intents`).

use imbl::OrdMap;
use serde::{Deserialize, Serialize};

use super::{
    BNomic, D, Id, Refusal, State,
    display::{Block, Cell, Document},
    emit,
    figures::{FOREIGN_OBJECTIONS, FOREIGN_SUPPORT},
    intents::Needs,
    law::{Thing, established},
    ministries::{self, Post},
    public, society,
    stats::called,
};

/// Most characters of what is said of another nomic.
const TEXT_MAX_CHARS: usize = 400;
/// Most nomics that the display lists: more than there are.
const NOMICS_MAX_COUNT: usize = 100;

// ---- state

/// What each other nomic is to B.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Relations {
    with: OrdMap<String, String>,
}

// ---- facts

/// What happens to relations.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fact {
    /// A nomic is this to B.
    Relation {
        /// Which nomic.
        nomic: String,
        /// From now on.
        to: Option<String>,
        /// Before.
        was: Option<String>,
    },
}

// ---- decide

/// The Ambassador says what another nomic is to B, or relays a message (B23.1).
///
/// # Errors
///
/// A [`Refusal`] for others, and for a text that is too long.
pub(super) fn record(nomic: &str, text: &str, d: &mut D<'_>) -> Result<Document, Refusal> {
    established(&d.rules, Thing::Foreign)?;
    let me = society::player(d)?;
    public(d, "ambassador record Agora friendly")?;
    allowed(d, &me)?;
    let (nomic, text) = (line(nomic)?, line(text)?);
    let held = &d.game.relations.with;
    if !held.contains_key(&nomic) && held.len() >= NOMICS_MAX_COUNT {
        return Err(
            Refusal::new(format!("the display lists at most {NOMICS_MAX_COUNT} nomics")).instead("show relations")
        );
    }
    let was = held.get(&nomic).cloned();
    emit(d, Fact::Relation { nomic: nomic.clone(), to: Some(text.clone()), was });
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
    if ministries::holds(d, me, Post::Foreign) {
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

// ---- fold

/// Folds a fact. Total.
pub(super) fn fold(game: &mut BNomic, fact: &Fact) {
    let Fact::Relation { nomic, to, .. } = fact;
    match to {
        Some(to) => game.relations.with.insert(nomic.clone(), to.clone()),
        None => game.relations.with.remove(nomic),
    };
}

/// What came between, as a clause, where a fact is not what holds any more: then it cannot be taken back alone.
pub(super) fn moved_on(fact: &Fact, state: &State<BNomic>) -> Option<String> {
    let Fact::Relation { nomic, to, .. } = fact;
    let moved = state.game.relations.with.get(nomic) != to.as_ref();
    moved.then(|| format!("what {nomic} is to B changed since"))
}

/// The fact that takes another back.
pub(super) fn inverse(fact: &Fact) -> Fact {
    let Fact::Relation { nomic, to, was } = fact.clone();
    Fact::Relation { nomic, to: was, was: to }
}

// ---- display

/// The Ambassador's display (B23.1).
pub(super) fn show(state: &State<BNomic>) -> Document {
    let row = |(nomic, text): (&String, &String)| vec![Cell::new(nomic.clone()), Cell::new(text.clone())];
    let rows: Vec<_> = state.game.relations.with.iter().map(row).collect();
    let document = Document::titled("relations", "Relations of B with other nomics");
    if rows.is_empty() {
        return document.para("None is recorded.");
    }
    document.with(Block::Table { head: vec![String::new(), String::new()], rows })
}
