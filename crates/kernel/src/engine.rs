//! Turns deeds into entries, for any game, and folds entries back.
//!
//! [`Engine`] knows the type of its game; [`Table`] and [`View`] hide it, so that the service holds rooms of all games
//! alike. Deciding leaves the engine as it is: a [`Step`] brings the room as it is after it, to take over once it is committed.
//! Storage, time and randomness are absent; a [`Context`] brings what is needed of them.

mod audit;
mod moderate;
mod public;
mod replay;
#[cfg(test)]
mod tests;
mod undo;

pub use public::Disclosed;
pub use replay::{REPLAY_MAX_ENTRIES, Recorded, Replay, Replayed, Supposed, WouldBe};

use std::{
    any::Any,
    collections::{BTreeMap, VecDeque},
    sync::Arc,
};

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::{
    Id, Instant, Num, Refusal, Seq,
    dice::{Dice, Seed},
    display::{Block, Cell, Document},
    draft::{Draft, Opened, SALT_BYTES, Sealed, fold},
    entry::{Audience, Cause, Change, Due, Entry, Say},
    frame::{ClockMode, Frame, FrameFact},
    game::{Deed, Game, Made, State, Viewer},
    rulebook::{LiveKey, Rule, Rulebook},
    table::WHOLE,
    work::{Bench, Work},
    world::World,
};
use replay::Basis;

/// How often the "whenever" clauses of a game are asked after one deed: more than any real cascade needs, few enough
/// that two rules which undo each other for ever are stopped within a moment.
pub const SETTLE_MAX_ROUNDS: usize = 10_000;

/// The key of the due instant at which a room takes another seed.
const RESEED: &str = "dice/reseed";

/// What the journal calls the announcement of its own hash.
const ATTEST: &str = "journal/hash";

/// The phase of that instant: after everything that a game may have due then.
const RESEED_RANK: u8 = u8::MAX;

/// What a decision needs from outside.
#[derive(Clone, Debug)]
pub struct Context {
    /// The moment at which the deed is recorded, by the world's clock.
    pub now: Instant,
    /// The seed that the room draws from.
    pub seed: Seed,
    /// A fresh one, in case the room takes another.
    pub fresh: Seed,
    /// The salt of whatever this deed seals.
    pub salt: [u8; SALT_BYTES],
    /// What must be open for what is due ([`View::opens`]), by id.
    pub opened: BTreeMap<Id, Opened>,
    /// How the room would be, had something been otherwise ([`View::supposes`], [`Table::suppose`]).
    pub would_be: Vec<Arc<dyn Any + Send + Sync>>,
    /// Numbers fixed in advance, by label: rehearsals only.
    pub fixed: VecDeque<(String, u64)>,
}

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
    /// What it was decided from, to be kept beside it where it can be forgotten ([`Recorded::act`]); nothing where that is
    /// private or sealed.
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

/// A room's state that anybody may read while the room goes on.
pub trait View: Send + Sync {
    /// The word for the game.
    fn game(&self) -> &'static str;
    /// What every room has.
    fn frame(&self) -> &Frame;
    /// What rules can name.
    fn world(&self) -> &World;
    /// The rules.
    fn rules(&self) -> &Rulebook;
    /// The live numbers that the engine plays by.
    fn keys(&self) -> &'static [LiveKey];
    /// The last entry folded in.
    fn seq(&self) -> Seq;
    /// When the last entry took effect.
    fn at(&self) -> Instant;
    /// The next thing that happens by itself.
    fn next_due(&self) -> Option<Due>;
    /// The sealed things that must be open to do what is due.
    fn opens(&self, due: &Due) -> Vec<Id>;
    /// What a deed supposes to have been otherwise: it is worked out from the journal before the deed is decided.
    fn supposes(&self, deed: &Deed) -> Vec<Supposed>;
    /// The sealed things that a display judges by, for whoever may read them.
    fn reads(&self, id: &str, viewer: &Viewer) -> Vec<Id>;
    /// Whether everybody may read something sealed.
    fn is_open(&self, secret: &str) -> bool;
    /// Whether a display is for its viewer's eyes alone.
    fn is_personal(&self, display: &str) -> bool;
    /// The long work that the room waits for.
    fn work(&self) -> Option<Work>;
    /// The sealed things that must be there, with their salted hashes.
    fn seals(&self) -> Vec<(Id, String)>;
    /// The displays, for completion.
    fn displays(&self) -> Vec<Cell>;
    /// A view of the state at the moment of looking.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] where there is no such display, or the viewer may not see it.
    fn display(&self, id: &str, viewer: &Viewer) -> Result<Document, Refusal>;
    /// What an action is about in this state, where that can change.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] where the action cannot be read.
    fn about(&self, invocation: &Json) -> Result<Option<String>, Refusal>;
    /// Whether an action is one that nothing stops, no pause and no ban.
    fn is_free(&self, invocation: &Json) -> bool;
    /// The entry as of which a display is best seen, where that is not the last one.
    fn seen_at(&self, id: &str) -> Option<Seq>;
    /// The number that some words stand for by the rules.
    fn number(&self, words: &str) -> Option<Num>;
    /// Whether one line may say that something is done several times.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] where the rule that allows it is gone.
    fn repeats(&self) -> Result<(), Refusal>;
    /// The number of a proposal that players name.
    ///
    /// # Errors
    ///
    /// Where there is none of that name, or the game has no names for them.
    fn proposal(&self, words: &str) -> Result<u64, Refusal>;
    /// How the game writes a value of an attribute.
    fn expressed(&self, attr: &str, value: &super::Value) -> String;
    /// The rule that a path goes back to.
    fn rule_of(&self, path: &super::Path) -> Option<String>;
    /// What made something that is no value of the world.
    fn made(&self, what: &str) -> Option<Made>;
    /// The title of a display that every room has, where the rules give it another.
    fn heading(&self, display: &str) -> Option<&'static str>;
    /// Who can be named as a player and has no seat: each id with its names.
    fn unseated(&self) -> Vec<(Id, Vec<String>)>;
    /// The rulings on what the rules leave unclear.
    fn rulings(&self) -> &'static str;
    /// What stands before the number of a rule.
    fn numbering(&self) -> &'static str;
    /// The version of a rule, where the rules of the game count by versions.
    fn version(&self, rule: &Rule) -> Option<u32>;
    /// What a rule has beside its text, shown below it.
    fn beside(&self, rule: &Rule) -> Vec<Block>;
    /// Words that the rules take for one thing.
    fn alike(&self) -> &'static [&'static [&'static str]];
    /// An entry of this room's journal as everybody may read it at this point: without what was told to somebody alone,
    /// without private channels, and without what its game keeps back.
    ///
    /// # Errors
    ///
    /// Why it cannot be read.
    fn public(&self, entry: &str) -> Result<Entry, String>;
    /// The same as it is written into a file, with what proves it.
    ///
    /// # Errors
    ///
    /// Why it cannot be read.
    fn disclosed(&self, entry: &str) -> Result<Disclosed, String>;
    /// Whether a change is of the form in which such an entry tells what is kept back. Others need proof.
    fn stands_in(&self, change: &Json) -> bool;
    /// A change of such an entry in words, where the game has words for it; `None` where its fields say enough.
    fn told(&self, change: &Change) -> Option<String>;
    /// Plays a long work, away from the room.
    fn play(&self, work: &Work, bench: &Bench<'_>) -> Option<Json>;
    /// The room's time at a moment of the world's: never before its last entry.
    fn time(&self, now: Instant) -> Instant {
        match self.frame().clock {
            ClockMode::Live => now.max(self.at()),
            ClockMode::Manual(at) | ClockMode::Paused(at) => at.max(self.at()),
        }
    }
}

impl<G: Game> View for State<G> {
    fn game(&self) -> &'static str {
        G::NAME
    }
    fn frame(&self) -> &Frame {
        &self.frame
    }
    fn world(&self) -> &World {
        &self.world
    }
    fn rules(&self) -> &Rulebook {
        &self.rules
    }
    fn keys(&self) -> &'static [LiveKey] {
        G::keys()
    }
    fn seq(&self) -> Seq {
        self.seq
    }
    fn at(&self) -> Instant {
        self.at
    }
    fn next_due(&self) -> Option<Due> {
        if self.frame.closed || matches!(self.frame.clock, ClockMode::Paused(_)) {
            return None;
        }
        let reseed = self.frame.reseed_at().map(|at| Due { at, rank: RESEED_RANK, key: RESEED.into() });
        G::mechanics().next_due(self).into_iter().chain(reseed).min()
    }
    fn opens(&self, due: &Due) -> Vec<Id> {
        if *due.key == *RESEED { Vec::new() } else { G::mechanics().opens(self, due) }
    }
    fn supposes(&self, deed: &Deed) -> Vec<Supposed> {
        match deed {
            Deed::Act { by, invocation, .. } => G::mechanics().supposes(self, Some((by, invocation))),
            Deed::Due(_) => G::mechanics().supposes(self, None),
            _ => Vec::new(),
        }
    }
    fn reads(&self, id: &str, viewer: &Viewer) -> Vec<Id> {
        G::mechanics().reads(self, id, viewer)
    }
    fn is_open(&self, secret: &str) -> bool {
        G::mechanics().is_open(self, secret)
    }
    fn is_personal(&self, display: &str) -> bool {
        G::mechanics().is_personal(display)
    }
    fn work(&self) -> Option<Work> {
        G::mechanics().work(self)
    }
    fn seals(&self) -> Vec<(Id, String)> {
        G::mechanics().seals(self)
    }
    fn displays(&self) -> Vec<Cell> {
        G::mechanics().listed(self)
    }
    fn display(&self, id: &str, viewer: &Viewer) -> Result<Document, Refusal> {
        let viewer = Viewer { now: viewer.now.max(self.at), ..viewer.clone() };
        let mut document = G::mechanics().show(self, id, &viewer)?;
        document.as_of.get_or_insert(self.seq);
        Ok(document)
    }
    fn about(&self, invocation: &Json) -> Result<Option<String>, Refusal> {
        G::mechanics().about(self, invocation)
    }
    fn is_free(&self, invocation: &Json) -> bool {
        G::mechanics().is_unstoppable(self, invocation)
    }
    fn seen_at(&self, id: &str) -> Option<Seq> {
        G::mechanics().seen_at(self, id)
    }
    fn expressed(&self, attr: &str, value: &super::Value) -> String {
        G::expressed(attr, value)
    }
    fn rule_of(&self, path: &super::Path) -> Option<String> {
        G::rule_of(self, path)
    }
    fn made(&self, what: &str) -> Option<Made> {
        G::mechanics().made(self, what)
    }
    fn heading(&self, display: &str) -> Option<&'static str> {
        G::heading(display)
    }
    fn number(&self, words: &str) -> Option<Num> {
        G::number(self, words)
    }

    fn repeats(&self) -> Result<(), Refusal> {
        G::repeats(self)
    }
    fn proposal(&self, words: &str) -> Result<u64, Refusal> {
        G::proposal(self, words)
    }
    fn alike(&self) -> &'static [&'static [&'static str]] {
        G::alike()
    }
    fn numbering(&self) -> &'static str {
        G::numbering()
    }
    fn version(&self, rule: &Rule) -> Option<u32> {
        G::version(rule)
    }
    fn beside(&self, rule: &Rule) -> Vec<Block> {
        G::beside(self, rule)
    }
    fn unseated(&self) -> Vec<(Id, Vec<String>)> {
        G::unseated(self)
    }
    fn rulings(&self) -> &'static str {
        G::rulings()
    }
    fn public(&self, entry: &str) -> Result<Entry, String> {
        public::public(self, read_entry::<G>(entry)?)
    }
    fn disclosed(&self, entry: &str) -> Result<Disclosed, String> {
        let stored = serde_json::from_str(entry).map_err(|why| why.to_string())?;
        public::disclosed(self, stored, read_entry::<G>(entry)?)
    }
    fn stands_in(&self, change: &Json) -> bool {
        public::stands_in::<G>(change)
    }
    fn told(&self, change: &Change) -> Option<String> {
        match change {
            Change::Fact(fact) => G::told(&G::Fact::deserialize(fact).ok()?, self),
            // What is in no table has no words.
            Change::Row(change) if *change.table == *WHOLE => Some(String::new()),
            Change::Row(change) => G::row_told(change, self),
            Change::World(_) | Change::Rule(_) | Change::Frame(_) => None,
        }
    }
    fn play(&self, work: &Work, bench: &Bench<'_>) -> Option<Json> {
        G::mechanics().play(work, bench)
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
    /// Plays the entries after this state again without one of them: how the room would be then.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] where the entry cannot be taken back.
    fn replay(&self, seq: Seq, past: &[Recorded], context: &Context) -> Result<Replay, Refusal>;
    /// Plays the entries after this state again as if something had been otherwise: a [`WouldBe`] of the room's game.
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
    /// Plays the entries after this state again, all of them; what comes out otherwise than it is recorded, a line each.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] where an entry cannot be read.
    fn repeat(&self, past: &[Recorded], context: &Context) -> Result<Vec<String>, Refusal>;
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
    /// The state, to start from next time.
    fn snapshot(&self) -> Vec<u8>;
    /// Starts from a snapshot; `false` where this program cannot use it, and the journal is folded from its start.
    fn restore(&mut self, snapshot: &[u8]) -> bool;
    /// An engine of the same game in its unopened state.
    fn fresh(&self) -> Box<dyn Table>;
}

/// An entry that cannot be folded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("entry {seq} cannot be read: {why}")]
pub struct Unreadable {
    /// Which one was expected.
    pub seq: Seq,
    /// What is wrong with it.
    pub why: String,
}

/// The engine of a room of one game.
#[derive(Clone, Debug)]
pub struct Engine<G: Game> {
    state: Arc<State<G>>,
}

/// What a snapshot holds; one with another schema is not used.
#[derive(Serialize, Deserialize)]
struct Snapshot<S> {
    schema: u16,
    kernel: u16,
    state: S,
}

/// The version of the kernel's part of a snapshot. A snapshot of another version is not used.
const SNAPSHOT_VERSION: u16 = 2;

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
            game: G::default(),
            unread: Default::default(),
            seq: 0,
            at: Instant::UNIX_EPOCH,
        }
    }
}

impl<G: Game> Engine<G> {
    /// The state, with its game's type.
    pub fn state(&self) -> &State<G> {
        &self.state
    }

    /// Turns the changes that a draft made into a step.
    fn step(&self, mut d: Draft<'_, G>, cause: Cause, reply: Document, context: &Context) -> Closing<G> {
        settle(&mut d);
        let (seq, at) = (d.seq, d.at);
        Closing { finished: d.finish(), seq, at, recorded: context.now, cause, reply, kept: None }
    }

    fn act(&self, deed: Deed, dice: &mut Dice, context: &Context) -> Result<(Closing<G>, Option<Seed>), Refusal> {
        let time = self.state.time(context.now);
        let state = (*self.state).clone();
        match deed {
            Deed::Act { by, command, invocation, public, private, forum, followed } => {
                self.open_for_play(G::mechanics().is_unstoppable(&self.state, &invocation))?;
                let mut d = Draft::new(state, time, by.clone(), public, dice, context.salt)
                    .with_would_be(context.would_be.clone());
                (d.forum, d.followed) = (forum.clone(), followed);
                let reply = G::mechanics().take(&invocation, &mut d)?;
                let actor = d.actor_seat();
                let by = actor.is_none().then_some((by.person, by.name));
                let cause = Cause::Action { actor, command, private: Some(private) };
                let kept = (!private).then_some(Basis::Act { by, invocation, public, forum, followed });
                Ok((Closing { kept, ..self.step(d, cause, reply, context) }, None))
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
                } else {
                    G::mechanics().due(&due, &mut d);
                }
                Ok((self.step(d, Cause::Due(due), Document::default(), context), reseeded))
            }
            Deed::Work { id, result } => {
                let mut d = Draft::new(state, time, Default::default(), true, dice, context.salt);
                if G::mechanics().work(&d).is_some_and(|work| work.id == id) {
                    G::mechanics().finish(&id, result.clone(), &mut d);
                }
                let closing = self.step(d, Cause::Job(id), Document::default(), context);
                Ok((Closing { kept: Some(Basis::Work { result }), ..closing }, None))
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
                    kept: None,
                };
                Ok((closing, None))
            }
            Deed::Moderate { by, act } => {
                let mut d = Draft::new(state, time, by, true, dice, context.salt);
                let (cause, reply) = moderate::moderate(act, &mut d, context)?;
                Ok((self.step(d, cause, reply, context), None))
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

/// Does what follows by itself. Moderators are told once where that comes to no end.
fn settle<G: Game>(d: &mut Draft<'_, G>) {
    let ends = d.frame.closed || G::mechanics().settle_all(d);
    if ends != d.frame.unsettled {
        return;
    }
    d.frame_fact(FrameFact::Unsettled { to: !ends });
    if !ends {
        d.say(
            Audience::Moderators,
            Document::say(format!(
                "What follows by itself from entry {} came to no end: it was stopped after {SETTLE_MAX_ROUNDS} steps, and \
                 goes on after the next entry. Two rules may undo each other.",
                d.seq
            )),
        );
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
    kept: Option<Basis>,
}

impl<G: Game> Closing<G> {
    fn into_step(mut self, dice: Dice, reseeded: Option<Seed>) -> Step {
        let drew = dice.drawn() > 0;
        if drew && self.finished.state.frame.dice.drawn_since.is_none() {
            let change = Change::Frame(FrameFact::FirstDraw { at: self.at });
            fold(&mut self.finished.state, &change, self.seq, self.at);
            self.finished.changes.push(change);
        }
        let (draws, fixed) = dice.finish();
        self.finished.state.at = self.at;
        let silent =
            self.finished.changes.is_empty() && self.finished.says.is_empty() && self.finished.seals.is_empty();
        let kept = self.kept.filter(|_| !silent && self.finished.seals.is_empty());
        let entry = Entry {
            seq: self.seq,
            at: self.at,
            recorded: self.recorded,
            cause: self.cause,
            schema: G::SCHEMA,
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
            act: kept.map(|kept| serde_json::to_string(&kept).expect("an action holds nothing that JSON cannot")),
            says: entry.says,
            seals: self.finished.seals,
            reseeded,
            reply: self.reply,
            fixed,
            after: Box::new(Engine { state: Arc::new(self.finished.state) }),
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

    fn replay(&self, seq: Seq, past: &[Recorded], context: &Context) -> Result<Replay, Refusal> {
        replay::replay(&self.state, seq, past, context)
    }

    fn suppose(
        &self,
        of: Supposed,
        past: &[Recorded],
        context: &Context,
    ) -> Result<Replay<dyn Any + Send + Sync>, Refusal> {
        replay::suppose(&self.state, of, past, context)
    }

    fn repeat(&self, past: &[Recorded], context: &Context) -> Result<Vec<String>, Refusal> {
        replay::repeat(&self.state, past, context)
    }

    fn fold(&mut self, entry: &str) -> Result<(), Unreadable> {
        let next = self.state.seq + 1;
        let entry = read_entry::<G>(entry).map_err(|why| Unreadable { seq: next, why })?;
        if entry.seq != next {
            return Err(Unreadable { seq: next, why: format!("the journal goes on with entry {}", entry.seq) });
        }
        let state = Arc::make_mut(&mut self.state);
        for change in &entry.changes {
            fold(state, change, entry.seq, entry.at);
        }
        state.seq = entry.seq;
        state.at = entry.at;
        Ok(())
    }

    fn audit(&mut self, entry: &str) -> Result<Vec<String>, Unreadable> {
        audit::audit(self, entry)
    }

    fn snapshot(&self) -> Vec<u8> {
        let snapshot = Snapshot { schema: G::SCHEMA, kernel: SNAPSHOT_VERSION, state: &*self.state };
        serde_json::to_vec(&snapshot).expect("a state holds nothing that JSON cannot")
    }

    fn restore(&mut self, snapshot: &[u8]) -> bool {
        match serde_json::from_slice::<Snapshot<State<G>>>(snapshot) {
            Ok(snapshot) if snapshot.schema == G::SCHEMA && snapshot.kernel == SNAPSHOT_VERSION => {
                self.state = Arc::new(snapshot.state);
                true
            }
            _ => false,
        }
    }

    fn fresh(&self) -> Box<dyn Table> {
        Box::new(Self::default())
    }
}

/// Reads an entry, its facts brought to this program's version of them.
fn read_entry<G: Game>(text: &str) -> Result<Entry, String> {
    let mut json: Json = serde_json::from_str(text).map_err(|why| why.to_string())?;
    let schema = json.get("schema").and_then(Json::as_u64).and_then(|schema| u16::try_from(schema).ok()).unwrap_or(0);
    if schema > G::SCHEMA {
        return Err(format!("it was written in version {schema} of the game, this program knows {}", G::SCHEMA));
    }
    if schema < G::SCHEMA
        && let Some(changes) = json.get_mut("changes").and_then(Json::as_array_mut)
    {
        for fact in changes.iter_mut().filter_map(|change| change.get_mut("fact")) {
            *fact = G::upcast(schema, fact.take());
        }
    }
    let entry: Entry = serde_json::from_value(json).map_err(|why| why.to_string())?;
    for change in &entry.changes {
        if let Change::Fact(fact) = change {
            G::Fact::deserialize(fact).map_err(|why| why.to_string())?;
        }
    }
    Ok(entry)
}
