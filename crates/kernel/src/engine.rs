//! Turns deeds into entries, for any game, and folds entries back.
//!
//! [`Engine`] knows the type of its game; [`Table`] and [`View`] hide it, so that the service holds rooms of all games
//! alike. Deciding leaves the engine unchanged: a [`Step`] brings the next state of the room, to take over once it is
//! committed. A [`Context`] brings the instant and the chance; nothing is stored here.

mod audit;
mod context;
mod dues;
mod journal;
mod moderate;
mod public;
mod replay;
mod replayed;
mod settle;
#[cfg(test)]
mod tests;
mod undo;
mod view;

pub use context::Context;
pub use journal::Unreadable;
pub use public::{Disclosed, stands_in};
pub use replay::{REPLAY_MAX_ENTRIES, Recorded, Replay};
pub use replayed::Replayed;
pub use view::View;

use std::{any::Any, collections::VecDeque, sync::Arc};

use super::{
    Instant, Refusal, Seq,
    deed::{Deed, Moderation},
    dice::{Dice, Seed},
    display::Document,
    draft::{Draft, Sealed, Supposed, fold},
    entry::{Cause, Change, Entry, Say},
    frame::{ClockMode, Frame, FrameFact},
    game::Game,
    rulebook::Rulebook,
    state::State,
    work::Bench,
    world::World,
};
use dues::{fall_due, try_again};
use journal::{ATTEST, RESEED, read_entry};
use replay::{Basis, What};
use settle::settle;

/// A decided deed, not yet committed.
pub struct Step {
    /// The number of its entry; the journal must end just before it.
    pub seq: Seq,
    /// When it takes effect.
    pub at: Instant,
    /// Why it happened.
    pub cause: Cause,
    /// The entry as it is journalled; nothing when nothing changed and nothing is announced.
    pub entry: Option<String>,
    /// What it was decided from, to be kept beside it where it can be forgotten and nobody reads it
    /// ([`Recorded::act`]).
    pub act: Option<String>,
    /// What is announced.
    pub says: Vec<Say>,
    /// What is sealed.
    pub seals: Vec<Sealed>,
    /// The seed from which later draws derive, where it changed.
    pub reseeded: Option<Seed>,
    /// The answer to whoever acted.
    pub reply: Document,
    /// The numbers fixed in advance that were not used.
    pub fixed: VecDeque<(String, u64)>,
    /// The room after it: it takes over once the step is committed.
    pub after: Box<dyn Table>,
}

impl std::fmt::Debug for Step {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Step")
            .field("seq", &self.seq)
            .field("at", &self.at)
            .field("cause", &self.cause)
            .finish_non_exhaustive()
    }
}

/// A room's engine, whatever its game.
pub trait Table: Send + Sync {
    /// The state as it is now; cheap.
    fn view(&self) -> Arc<dyn View>;
    /// Judges a deed. Nothing changes here: the step brings the room as it is afterwards.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] in words for whoever acted.
    fn decide(&self, deed: Deed, context: &Context) -> Result<Step, Refusal>;
    /// Plays the entries after this state again without one of them: how the room would be then. Long works that come
    /// out otherwise are played on the bench.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] where the entry cannot be taken back.
    fn replay(&self, seq: Seq, past: &[Recorded], context: &Context, bench: &Bench<'_>) -> Result<Replay, Refusal>;
    /// Plays the entries after this state again as if something had been otherwise: a [`WouldBe`](crate::draft::WouldBe) of
    /// the room's game.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] where an entry cannot be read.
    fn suppose(
        &self,
        of: Supposed,
        past: &[Recorded],
        context: &Context,
    ) -> Result<Replay<dyn Any + Send + Sync>, Refusal>;
    /// Plays the entries after this state again, all of them, and the long works whose results they take in; what comes
    /// out otherwise than it is recorded, a line each.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] where an entry cannot be read.
    fn repeat(&self, past: &[Recorded], context: &Context, bench: &Bench<'_>) -> Result<Vec<String>, Refusal>;
    /// Folds an entry from the journal.
    ///
    /// # Errors
    ///
    /// [`Unreadable`] where it is not an entry of this game or not the next one.
    fn fold(&mut self, entry: &str) -> Result<(), Unreadable>;
    /// The same, and says what in the entry contradicts the state before it: nothing where all is well.
    ///
    /// # Errors
    ///
    /// As [`Self::fold`].
    fn audit(&mut self, entry: &str) -> Result<Vec<String>, Unreadable>;
    /// The digest of all that rooms of this game are written as, in hexadecimal: a program reads rooms of its own alone.
    fn shape(&self) -> &'static str;
    /// The state, to start from next time.
    fn snapshot(&self) -> Vec<u8>;
    /// Starts from a snapshot; `false` where it is none of this shape, and the journal is folded from its start.
    fn restore(&mut self, snapshot: &[u8]) -> bool;
    /// An engine of the same game in its unopened state.
    fn fresh(&self) -> Box<dyn Table>;
}

/// The engine of a room of one game.
#[derive(Clone, Debug)]
pub struct Engine<G: Game> {
    state: Arc<State<G>>,
}

impl<G: Game> Default for Engine<G> {
    fn default() -> Self {
        Self { state: Arc::new(State::unopened()) }
    }
}

impl<G: Game> State<G> {
    /// A room before its first entry.
    pub fn unopened() -> Self {
        Self {
            frame: Frame::unopened(),
            world: World::default(),
            rules: Rulebook::default(),
            tables: crate::table::Tables::default(),
            seq: 0,
            at: Instant::UNIX_EPOCH,
            ran: Default::default(),
        }
    }
}

impl<G: Game> Engine<G> {
    /// An engine of a room as it stands.
    pub fn of(state: State<G>) -> Self {
        Self { state: Arc::new(state) }
    }

    /// The state, with its game's type.
    pub fn state(&self) -> &State<G> {
        &self.state
    }

    /// Turns the changes that a draft made into a step.
    fn step(&self, mut d: Draft<'_, G>, cause: Cause, reply: Document, context: &Context) -> Closing<G> {
        // What is due has settled: else nobody would know whether it is done.
        if !matches!(cause, Cause::Due(_)) {
            settle(&mut d);
        }
        try_again(matches!(cause, Cause::Moderator { .. }), &mut d);
        let (seq, at) = (d.seq, d.at);
        Closing { finished: d.finish(), seq, at, recorded: context.now, cause, reply, what: None }
    }

    fn act(&self, deed: Deed, dice: &mut Dice, context: &Context) -> Result<(Closing<G>, Option<Seed>), Refusal> {
        let time = self.state.time(context.now);
        let state = (*self.state).clone();
        match deed {
            Deed::Act { by, command, invocation, public, private, forum, followed } => {
                self.open_for_play(G::mechanics().is_unstoppable(&self.state, &invocation))?;
                let mut d = Draft::new(state, time, by.clone(), public, dice, context.salt)
                    .with_opened(context.opened.clone())
                    .with_would_be(context.would_be.clone());
                (d.forum, d.followed) = (forum.clone(), followed);
                let reply = G::mechanics().take(&invocation, &mut d)?;
                let actor = d.actor_seat();
                let by = actor.is_none().then_some((by.person, by.name));
                let cause = Cause::Action { actor, command, private };
                let closing = self.step(d, cause, reply, context);
                let what = Some(What::Act { by, invocation, public, forum, followed });
                Ok((Closing { what, ..closing }, None))
            }
            Deed::Due(due) => {
                let at = due.at.max(self.state.at);
                let mut d = Draft::new(state, at, Default::default(), true, dice, context.salt)
                    .with_opened(context.opened.clone())
                    .with_would_be(context.would_be.clone());
                let reseeded = (*due.key == *RESEED).then(|| context.fresh.clone());
                if let Some(fresh) = &reseeded {
                    let fact = FrameFact::Reseeded {
                        epoch: d.frame.dice.epoch + 1,
                        commitment: fresh.commitment(),
                        revealed: hex::encode(context.seed.0),
                        until: d.seq,
                    };
                    d.tell_all(format!(
                        "Dice: the draws up to entry {} came from seed {} (check them with verify-dice); the next seed's hash is {}.",
                        d.seq,
                        hex::encode(context.seed.0),
                        fresh.commitment()
                    ));
                    d.frame_fact(fact);
                    settle(&mut d);
                } else {
                    fall_due(&due, &mut d);
                }
                Ok((self.step(d, Cause::Due(due), Document::default(), context), reseeded))
            }
            Deed::Work { id, result } => {
                let mut d = Draft::new(state, time, Default::default(), true, dice, context.salt)
                    .with_opened(context.opened.clone());
                if G::mechanics().work(&d).is_some_and(|work| work.id == id) {
                    G::mechanics().finish(&id, result.clone(), &mut d);
                }
                let closing = self.step(d, Cause::Job(id), Document::default(), context);
                Ok((Closing { what: Some(What::Work { result }), ..closing }, None))
            }
            Deed::Attest { seq, hash } => {
                if self.state.seq != seq {
                    return Err(Refusal::new(format!("entry {seq} is not the last one any more")));
                }
                let mut d = Draft::new(state, time, Default::default(), true, dice, context.salt);
                d.tell_all(format!(
                    "Journal: the hash of entry {seq} is {hash}. It covers every entry up to that one."
                ));
                d.frame_fact(FrameFact::Attested { seq, hash, at: context.now });
                let closing = Closing {
                    seq: d.seq,
                    at: d.at,
                    finished: d.finish(),
                    recorded: context.now,
                    cause: Cause::Job(ATTEST.into()),
                    reply: Document::default(),
                    what: None,
                };
                Ok((closing, None))
            }
            Deed::Moderate { by, act } => {
                let mut d = Draft::new(state, time, by, true, dice, context.salt).with_opened(context.opened.clone());
                let what = match &act {
                    Moderation::Correct { path, to, .. } => Some(What::Correct { path: path.clone(), to: to.clone() }),
                    _ => None,
                };
                let (cause, reply) = moderate::moderate(act, &mut d, context)?;
                Ok((Closing { what, ..self.step(d, cause, reply, context) }, None))
            }
        }
    }

    fn open_for_play(&self, in_pauses: bool) -> Result<(), Refusal> {
        if self.state.frame.closed {
            return Err(
                Refusal::new("this room is closed: its displays stay, nothing happens in it any more").instead("rooms")
            );
        }
        match self.state.frame.clock {
            ClockMode::Paused(since) if !in_pauses => Err(Refusal::new(format!(
                "a moderator paused this room at {}; its displays can still be read",
                super::time::minute(since)
            ))),
            ClockMode::Live | ClockMode::Manual(_) | ClockMode::Paused(_) => Ok(()),
        }
    }
}

/// A draft that was settled, on its way to a step.
struct Closing<G: Game> {
    finished: super::draft::Finished<G>,
    seq: Seq,
    at: Instant,
    recorded: Instant,
    cause: Cause,
    reply: Document,
    what: Option<What>,
}

impl<G: Game> Closing<G> {
    fn into_step(mut self, dice: Dice, reseeded: Option<Seed>) -> Step {
        let drew = dice.drawn() > 0;
        if drew && self.finished.state.frame.dice.drawn_since.is_none() {
            let change = Change::Frame(FrameFact::FirstDraw { at: self.at });
            fold(&mut self.finished.state, &change, self.seq, self.at).expect("a change of the frame always folds");
            self.finished.changes.push(change);
        }
        let (draws, fixed) = dice.finish();
        self.finished.state.at = self.at;
        // What was drawn is on record, whatever became of it: nobody throws until the dice please em.
        let silent = !drew
            && self.finished.changes.is_empty()
            && self.finished.says.is_empty()
            && self.finished.seals.is_empty();
        let seal = self.finished.seals.iter().find(|seal| seal.bytes.is_some());
        let basis = Basis {
            what: self.what,
            meant: self.finished.meant,
            salt: seal.map(|seal| hex::encode(seal.salt)),
            opened: self.finished.read,
        };
        let kept = (!silent && basis != Basis::default()).then_some(basis);
        let entry = Entry {
            seq: self.seq,
            at: self.at,
            recorded: self.recorded,
            cause: self.cause,
            changes: self.finished.changes,
            draws,
            says: self.finished.says,
        };
        let json = (!silent).then(|| serde_json::to_string(&entry).expect("an entry holds nothing that JSON cannot"));
        Step {
            seq: self.seq,
            at: self.at,
            cause: entry.cause,
            entry: json,
            act: kept.map(|basis| serde_json::to_string(&basis).expect("an action holds nothing that JSON cannot")),
            says: entry.says,
            seals: self.finished.seals,
            reseeded,
            reply: self.reply,
            fixed,
            after: Box::new(Engine::of(self.finished.state)),
        }
    }
}

impl<G: Game> Table for Engine<G> {
    fn view(&self) -> Arc<dyn View> {
        self.state.clone()
    }

    fn decide(&self, deed: Deed, context: &Context) -> Result<Step, Refusal> {
        let mut dice = Dice::new(context.seed.clone(), self.state.seq + 1, context.fixed.clone());
        let (closing, reseeded) = self.act(deed, &mut dice, context)?;
        Ok(closing.into_step(dice, reseeded))
    }

    fn replay(&self, seq: Seq, past: &[Recorded], context: &Context, bench: &Bench<'_>) -> Result<Replay, Refusal> {
        replay::replay(&self.state, seq, past, context, bench)
    }

    fn suppose(
        &self,
        of: Supposed,
        past: &[Recorded],
        context: &Context,
    ) -> Result<Replay<dyn Any + Send + Sync>, Refusal> {
        replay::suppose(&self.state, of, past, context)
    }

    fn repeat(&self, past: &[Recorded], context: &Context, bench: &Bench<'_>) -> Result<Vec<String>, Refusal> {
        replay::repeat(&self.state, past, context, bench)
    }

    fn fold(&mut self, entry: &str) -> Result<(), Unreadable> {
        let next = self.state.seq + 1;
        let unreadable = |why| Unreadable { seq: next, why };
        let entry = read_entry(entry).map_err(unreadable)?;
        if entry.seq != next {
            return Err(unreadable(format!("the journal goes on with entry {}", entry.seq)));
        }
        let state = Arc::make_mut(&mut self.state);
        for change in &entry.changes {
            fold(state, change, entry.seq, entry.at).map_err(unreadable)?;
        }
        state.seq = entry.seq;
        state.at = entry.at;
        Ok(())
    }

    fn audit(&mut self, entry: &str) -> Result<Vec<String>, Unreadable> {
        let found = audit::audit(&self.state, entry)?;
        self.fold(entry)?;
        Ok(found)
    }

    fn shape(&self) -> &'static str {
        G::mechanics().shape()
    }

    fn snapshot(&self) -> Vec<u8> {
        serde_json::to_vec(&*self.state).expect("a state holds nothing that JSON cannot")
    }

    fn restore(&mut self, snapshot: &[u8]) -> bool {
        serde_json::from_slice(snapshot).map(|state| self.state = Arc::new(state)).is_ok()
    }

    fn fresh(&self) -> Box<dyn Table> {
        Box::new(Self::default())
    }
}
