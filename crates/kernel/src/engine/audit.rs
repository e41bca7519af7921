//! Whether an entry fits the state that it follows, told before it is folded.
//!
//! Folding asks nothing, so it takes a journal that somebody altered as it is. But most changes say what they replace,
//! and a promise of dice says which seed keeps it: here that is compared. Nothing is refused. What an addition should
//! have been cannot be told from the state, and is not compared.

use super::journal::{Unreadable, read_entry};
use crate::dice::{SEED_BYTES, Seed};
use crate::draft::fold;
use crate::entry::Change;
use crate::frame::{Frame, FrameFact};
use crate::game::Game;
use crate::row_change::RowChange;
use crate::state::State;
use crate::world::{Op, World};

/// What in an entry contradicts the state before it.
pub(super) fn audit<G: Game>(before: &State<G>, text: &str) -> Result<Vec<String>, Unreadable> {
    let seq = before.seq + 1;
    let unreadable = |why| Unreadable { seq, why };
    let entry = read_entry(text).map_err(unreadable)?;
    let mut state = before.clone();
    let mut found = Vec::new();
    if entry.at < state.at {
        found.push(format!("it takes effect at {}, before the entry that precedes it ({})", entry.at, state.at));
    }
    for change in &entry.changes {
        found.extend(contradiction(&state, change));
        fold(&mut state, change, entry.seq, entry.at).map_err(unreadable)?;
    }
    Ok(found)
}

fn contradiction<G: Game>(state: &State<G>, change: &Change) -> Option<String> {
    match change {
        Change::World(op) => of_world(&state.world, op),
        Change::Rule(op) => state.rules.check(op).err().map(|refusal| refusal.say),
        Change::Frame(fact) => of_frame(&state.frame, fact),
        Change::Row(change) => of_row(state, change),
        Change::By(_) => None,
    }
}

fn of_world(world: &World, op: &Op) -> Option<String> {
    match op {
        Op::Set { at, was, .. } if world.value(at) != *was => {
            Some(format!("{at} was {}, and it says that it was {was}", world.value(at)))
        }
        Op::Destroy { obj, .. } if !world.exists(obj) => Some(format!("{obj} does not exist, and it destroys it")),
        _ => None,
    }
}

fn of_row<G: Game>(state: &State<G>, change: &RowChange) -> Option<String> {
    let RowChange { table, key, .. } = change;
    let row = state.tables.named_row(table, key);
    (!change.fits(row.as_ref())).then(|| format!("the row {key} of {table} was not what it says"))
}

fn of_frame(frame: &Frame, fact: &FrameFact) -> Option<String> {
    let seat_is = |seat: &str, what: &str, now: &dyn Fn(&crate::frame::Seat) -> bool| match frame.seats.get(seat) {
        None => Some(format!("there is no seat {seat}, and it changes {what} of it")),
        Some(held) => (!now(held)).then(|| format!("{what} of {seat} was not what it says")),
    };
    match fact {
        FrameFact::Opened { .. } => (frame.dice.epoch != 0).then(|| "it opens a room that is open already".to_owned()),
        FrameFact::Named { seat, was, .. } => seat_is(seat, "the name", &|held| held.name == *was),
        FrameFact::Forgotten { seat, .. } => seat_is(seat, "the name", &|_| true),
        FrameFact::Stands { seat, was, .. } => seat_is(seat, "the standing", &|held| held.standing == *was),
        FrameFact::Handed { seat, was, .. } => seat_is(seat, "the person", &|held| held.person == *was),
        FrameFact::Mannered { forum, was, .. } => match frame.forums.get(forum) {
            Some(held) if held.manner == *was => None,
            _ => Some(format!("the manner of {forum} was not what it says")),
        },
        FrameFact::Clock { was, .. } => (frame.clock != *was).then(|| "the clock was not what it says".to_owned()),
        FrameFact::Reseeded { epoch, revealed, .. } => {
            if *epoch != frame.dice.epoch + 1 {
                return Some(format!("it begins epoch {epoch} of the dice after epoch {}", frame.dice.epoch));
            }
            let bytes = hex::decode(revealed).ok().and_then(|bytes| <[u8; SEED_BYTES]>::try_from(bytes).ok());
            let kept = bytes.is_some_and(|bytes| Seed(bytes).commitment() == frame.dice.commitment);
            (!kept).then(|| format!("the seed that it reveals is not the one promised for epoch {}", frame.dice.epoch))
        }
        FrameFact::Closed
        | FrameFact::Reopened
        | FrameFact::Seated { .. }
        | FrameFact::Designated { .. }
        | FrameFact::TakenBack { .. }
        | FrameFact::FirstDraw { .. }
        | FrameFact::Attested { .. }
        | FrameFact::Counted { .. }
        | FrameFact::Unsettled { .. }
        | FrameFact::Aside { .. }
        | FrameFact::DueAgain => None,
    }
}
