//! Deciding again what is in the journal: from what is kept beside an entry, with its dice and what it had open.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::dice::{Dice, SEED_BYTES, Seed};
use crate::doer::Doer;
use crate::draft::{Draft, Finished, Meant, Opened, Recalled, SALT_BYTES, Then};
use crate::engine::{
    dues::{fall_due, try_again},
    journal::RESEED,
    moderate::set_right,
    settle::settle,
};
use crate::entry::{Cause, Change, Draw, Due, Entry};
use crate::frame::FrameFact;
use crate::game::Game;
use crate::row_change::RowChange;
use crate::state::State;
use crate::{Id, Instant, Refusal, Seq};

/// An entry of the journal, with what it was decided from.
#[derive(Clone)]
pub struct Recorded {
    /// The entry, in JSON.
    pub entry: String,
    /// What is kept beside it, in JSON; nothing where that was forgotten, or there is nothing to keep.
    pub act: Option<String>,
    /// The sealed things that it opened ([`Self::opens`]); nothing for what is not kept any more.
    pub opened: BTreeMap<Id, Option<Opened>>,
}

/// What somebody did in private is a secret: it never reaches a log by way of `{:?}`.
impl fmt::Debug for Recorded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recorded").finish_non_exhaustive()
    }
}

impl Recorded {
    /// What is kept beside it.
    pub(super) fn basis(&self) -> Basis {
        self.act.as_deref().and_then(|act| serde_json::from_str(act).ok()).unwrap_or_default()
    }

    /// The sealed things that an entry opened, by what is kept beside it.
    pub fn opens(act: &str) -> BTreeSet<Id> {
        serde_json::from_str(act).map(|Basis { opened, .. }| opened).unwrap_or_default()
    }
}

/// What an entry was decided from, beside what it says itself. It is kept apart, where it can be forgotten, and nobody
/// reads it: it holds what was said in private, and what was sealed.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(in crate::engine) struct Basis {
    /// What was done; nothing where the entry says that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::engine) what: Option<What>,
    /// What acts meant that left something out or named it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(in crate::engine) meant: Vec<Meant>,
    /// The salt of what it sealed, in hexadecimal; nothing where it sealed nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::engine) salt: Option<String>,
    /// The sealed things that it opened.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub(in crate::engine) opened: BTreeSet<Id>,
}

/// What was done in an entry that does not say so.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(in crate::engine) enum What {
    /// What somebody did.
    Act {
        /// Who, as a person and by name, where no seat says so.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<(Id, String)>,
        /// The action in its externally tagged form.
        invocation: Json,
        /// Whether it was said where everybody can read it.
        public: bool,
        /// The channel in which it was said.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        forum: Option<Id>,
        /// Whether the same message went on with another action.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        followed: bool,
    },
    /// What a moderator corrected.
    Correct {
        /// The path of the value, as it was typed.
        path: String,
        /// What it is from then on.
        to: String,
    },
    /// What a long work came to.
    Work {
        /// Its result.
        result: Json,
    },
}

impl Basis {
    fn salt(&self) -> [u8; SALT_BYTES] {
        // What sealed nothing needs none.
        let salt = self.salt.as_ref().and_then(|salt| hex::decode(salt).ok()?.try_into().ok());
        salt.unwrap_or([0; SALT_BYTES])
    }
}

/// An entry as it is read, with what it was decided from.
pub(super) struct Past {
    pub(super) entry: Entry,
    pub(super) basis: Basis,
    pub(super) opened: BTreeMap<Id, Option<Opened>>,
}

impl Past {
    /// What was due in it, as far as that is the game's.
    pub(super) fn due(&self) -> Option<&Due> {
        match &self.entry.cause {
            Cause::Due(due) if *due.key != *RESEED => Some(due),
            _ => None,
        }
    }

    /// Whether it opened something that was sealed, and took the row away that held it.
    pub(super) fn uses_up(&self, id: &Id) -> bool {
        let held =
            |row: &RowChange| row.to.is_none() && row.was.iter().flatten().any(|(_, is)| is.as_str() == Some(id));
        let is_gone = |change: &Change| matches!(change, Change::Row(row) if held(row));
        self.opened.contains_key(id) && self.entry.changes.iter().any(is_gone)
    }
}

/// Something that is decided again.
pub(super) enum Again<'a> {
    Act { doer: Doer, invocation: &'a Json, public: bool, forum: &'a Option<Id>, followed: bool },
    Due(&'a Due),
    Correct { by: &'a Id, path: &'a str, to: &'a str },
    Work { id: &'a Id, result: &'a Json },
}

/// What is known where something is decided again.
pub(super) struct Known<'a, G: Game> {
    /// The numbers that it gave, and until when it puts things off.
    pub(super) recalled: Option<Recalled>,
    /// What it was in the journal.
    pub(super) then: Option<&'a Then<'a, G>>,
    /// What else it was decided from.
    pub(super) basis: &'a Basis,
    /// What is open to it of what was sealed.
    pub(super) opened: BTreeMap<Id, Option<Opened>>,
}

/// Decides something on a state, with all that follows.
pub(super) fn again<G: Game>(
    state: &State<G>,
    what: &Again<'_>,
    (seq, at): (Seq, Instant),
    dice: &mut Dice,
    Known { recalled, then, basis, opened }: Known<'_, G>,
) -> Result<Finished<G>, Refusal> {
    let state = State { seq: seq.saturating_sub(1), ..state.clone() };
    let d = Draft::new(state, at, Doer::default(), true, dice, basis.salt());
    let mut d = d.with_opened(opened).deciding_again(then, &basis.meant);
    if let Some(recalled) = recalled {
        d.recall(recalled);
    }
    match what {
        Again::Act { doer, invocation, public, forum, followed } => {
            (d.doer, d.public, d.forum, d.followed) = (doer.clone(), *public, (*forum).clone(), *followed);
            G::mechanics().take(invocation, &mut d)?;
        }
        Again::Due(due) => fall_due(due, &mut d),
        Again::Correct { by, path, to } => {
            d.doer.person.clone_from(by);
            set_right(path, to, &mut d)?;
        }
        Again::Work { id, result } => G::mechanics().finish(id, (*result).clone(), &mut d),
    }
    if !matches!(what, Again::Due(_)) {
        settle(&mut d);
    }
    try_again(matches!(what, Again::Correct { .. }), &mut d);
    Ok(d.finish())
}

/// The dice of an entry of the recorded line: what it drew, and nothing else that counts.
pub(super) fn recorded_dice(seq: Seq, draws: &[Draw]) -> Dice {
    let mut dice = Dice::new(Seed([0; SEED_BYTES]), seq, Default::default());
    dice.recall(draws);
    dice
}

/// Whether deciding something gave what is recorded. That an entry was the first to draw from a seed is said by the engine.
pub(super) fn is_recorded<G: Game>(finished: &Finished<G>, entry: &Entry) -> bool {
    let is_decided = |change: &&Change| !matches!(change, Change::Frame(FrameFact::FirstDraw { .. }));
    finished.changes.iter().eq(entry.changes.iter().filter(is_decided))
}
