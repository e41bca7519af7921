//! Deciding again what is in the journal: from what is kept beside an entry, with its dice and what it had open.

use std::{borrow::Cow, collections::BTreeMap};

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::dice::{Dice, SEED_BYTES, Seed};
use crate::doer::Doer;
use crate::draft::{Draft, Finished, Opened, Recalled, SALT_BYTES, Then};
use crate::engine::{
    dues::{fall_due, try_again},
    moderate::set_right,
    settle::settle,
};
use crate::entry::{Change, Draw, Due, Entry};
use crate::frame::FrameFact;
use crate::game::Game;
use crate::state::State;
use crate::{Id, Instant, Refusal, Seq};

/// An entry of the journal, with what it was decided from.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// The entry, in JSON.
    pub entry: String,
    /// What is kept beside it ([`Basis`]), in JSON; nothing where it is private or forgotten.
    pub act: Option<String>,
    /// What it sealed, opened to decide it again, and with the first entry all that later ones may have opened; without
    /// what is not kept any more.
    pub sealed: BTreeMap<Id, Opened>,
}

impl Recorded {
    /// What is kept beside it, where this program can read it.
    pub(super) fn kept(&self) -> Option<Basis> {
        serde_json::from_str(self.act.as_deref()?).ok()
    }

    /// The secret without which an entry cannot be decided again, by what is kept beside it.
    pub fn needs(act: &str) -> Option<Id> {
        match serde_json::from_str(act) {
            Ok(Basis::Act { sealed: Some((_, secret)), .. }) => Some(secret),
            _ => None,
        }
    }
}

/// What an entry was decided from, kept beside it where it can be forgotten.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(in crate::engine) enum Basis {
    /// What somebody did.
    Act {
        /// Who, as a person and by name, where no seat says so.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<(Id, String)>,
        /// The action in its externally tagged form.
        invocation: Json,
        /// The argument that it sealed and that is not in the action, with the id of the secret. There is no argument
        /// where it sealed what it was not given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        sealed: Option<(Option<String>, Id)>,
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

/// Something that is decided again.
pub(super) enum Again<'a> {
    Act {
        doer: Doer,
        invocation: Json,
        salt: Option<[u8; SALT_BYTES]>,
        public: bool,
        forum: Option<Id>,
        followed: bool,
    },
    Due(&'a Due),
    Correct {
        path: &'a str,
        to: &'a str,
    },
    Work {
        id: &'a Id,
        result: &'a Json,
    },
}

/// What is known where something is decided again.
pub(super) struct Known<'a, G: Game> {
    /// The numbers that it gave, and until when it puts things off.
    pub(super) recalled: Option<Recalled>,
    /// What it was in the journal.
    pub(super) then: Option<&'a Then<'a, G>>,
    /// What is open to it of what was sealed.
    pub(super) opened: BTreeMap<Id, Option<Opened>>,
}

impl<G: Game> Known<'_, G> {
    /// Numbers alone: of what no entry tells.
    pub(super) fn recalled(recalled: Recalled) -> Self {
        Self { recalled: Some(recalled), then: None, opened: BTreeMap::new() }
    }
}

/// Decides something on a state, with all that follows.
pub(super) fn again<G: Game>(
    state: &State<G>,
    what: &Again<'_>,
    (seq, at): (Seq, Instant),
    dice: &mut Dice,
    Known { recalled, then, opened }: Known<'_, G>,
) -> Result<Finished<G>, Refusal> {
    let state = State { seq: seq.saturating_sub(1), ..state.clone() };
    let salt = if let Again::Act { salt: Some(salt), .. } = what { *salt } else { [0; SALT_BYTES] };
    let mut d = Draft::new(state, at, Doer::default(), true, dice, salt).with_opened(opened).deciding_again(then);
    if let Some(recalled) = recalled {
        d.recall(recalled);
    }
    match what {
        Again::Act { doer, invocation, public, forum, followed, .. } => {
            (d.doer, d.public, d.forum, d.followed) = (doer.clone(), *public, forum.clone(), *followed);
            G::mechanics().take(invocation, &mut d)?;
        }
        Again::Due(due) => fall_due(due, &mut d),
        Again::Correct { path, to } => drop(set_right(path, to, &mut d)?),
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
pub(super) fn is_recorded<G: Game>(what: &Again<'_>, finished: &Finished<G>, entry: &Entry) -> bool {
    if let Again::Act { doer, .. } = what
        && finished.state.frame.seat_of(&doer.person).map(|(seat, _)| seat) != entry.cause.actor()
    {
        return false;
    }
    let is_decided = |change: &&Change| !matches!(change, Change::Frame(FrameFact::FirstDraw { .. }));
    let decided = finished.changes.iter().filter(is_decided);
    let knows_seals = matches!(what, Again::Act { salt: Some(_), .. });
    (knows_seals || sealed(finished).next().is_none()) && decided.eq(entry.changes.iter().filter(is_decided))
}

/// What was sealed, by its ids.
pub(super) fn sealed<G: Game>(finished: &Finished<G>) -> impl Iterator<Item = &Id> {
    finished.seals.iter().filter(|seal| seal.bytes.is_some()).map(|seal| &seal.id)
}

/// An action with what it sealed, and the salt of that; nothing where it is not kept any more.
pub(super) fn unsealed<'a>(
    invocation: &'a Json,
    sealed: Option<&(Option<String>, Id)>,
    opened: &BTreeMap<Id, Opened>,
) -> Option<(Cow<'a, Json>, Option<[u8; SALT_BYTES]>)> {
    let Some((arg, id)) = sealed else { return Some((Cow::Borrowed(invocation), None)) };
    let Opened { salt, bytes } = opened.get(id)?;
    let salt: [u8; SALT_BYTES] = salt[..].try_into().ok()?;
    let Some(arg) = arg else { return Some((Cow::Borrowed(invocation), Some(salt))) };
    let text = String::from_utf8(bytes.clone()).ok()?;
    let mut whole = invocation.clone();
    whole.as_object_mut()?.values_mut().next()?.as_object_mut()?.insert(arg.clone(), text.into());
    Some((Cow::Owned(whole), Some(salt)))
}
