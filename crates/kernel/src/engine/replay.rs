//! Plays a journal again without some of its entries: what an undo is made of.
//!
//! Two lines run side by side from the state before the first entry that is left out: the recorded one folds every entry,
//! the amended one does without those that are taken back. A later entry is decided again only where deciding it on the
//! recorded line gives exactly what is recorded; else its changes are folded as they are. What falls due is what the amended
//! line says. The frame (seats, forums, clock, dice) is that of the recorded line; only what a seat is called and stands as
//! belongs to each line. Loading entries is absent, and so is what becomes of the difference.

mod supposed;

pub(super) use supposed::suppose;
pub use supposed::{Supposed, WouldBe};

use std::{
    any::Any,
    collections::{BTreeMap, BTreeSet},
    fmt,
    sync::Arc,
};

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::{ATTEST, Context, RESEED, SETTLE_MAX_ROUNDS, moderate, read_entry, settle};
use crate::dice::{Dice, SEED_BYTES, Seed};
use crate::display::Block;
use crate::draft::{Draft, Finished, Missed, SALT_BYTES, Then, fold};
use crate::entry::{Audience, Cause, Change, Draw, Due, Entry};
use crate::frame::{ClockMode, Frame, FrameFact, Standing};
use crate::game::{Doer, Game, State};
use crate::table;
use crate::time::minute;
use crate::world::Op;
use crate::{Id, Instant, Refusal, Seq};

/// Most entries that are played again for one undo: a busy room has as many in half a year, and they take seconds.
pub const REPLAY_MAX_ENTRIES: usize = 20_000;

/// What a moderator's undo is called in the journal.
pub(super) const UNDO: &str = "undo";

/// An entry of the journal, with what it was decided from.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// The entry, in JSON.
    pub entry: String,
    /// What is kept beside it ([`Basis`]), in JSON; nothing where it is private, sealed, forgotten or older than that.
    pub act: Option<String>,
}

impl Recorded {
    /// What is kept beside it, where this program can read it.
    fn kept(&self) -> Option<Basis> {
        serde_json::from_str(self.act.as_deref()?).ok()
    }
}

/// What an entry was decided from, kept beside it where it can be forgotten.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Basis {
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
    /// What a long work came to.
    Work {
        /// Its result.
        result: Json,
    },
}

/// What came of playing entries again.
pub enum Replay<T: ?Sized = Replayed> {
    /// It has to begin before this entry, which an entry among them took back or brought back.
    From(Seq),
    /// The amended line, to its end.
    Done(Arc<T>),
}

/// How a room would be without an entry.
pub struct Replayed {
    /// The entry that is taken back.
    pub seq: Seq,
    /// The last entry of the journal that was played again.
    pub last: Seq,
    /// What the entry was, in words.
    pub(super) what: String,
    /// Entries that are taken back from now on, or no longer are.
    pub(super) toggled: Vec<(Seq, bool)>,
    /// Whether the room was closed, or opened again, by the entry.
    pub(super) frame: Vec<FrameFact>,
    /// The dice of the undo, after what the amended line drew.
    pub(super) dice: Dice,
    /// What the entry did to the frame, which stays, each with what is typed in the place of an undo.
    pub(super) stays: Vec<String>,
    /// Later entries that no longer happen, each with the reason.
    pub(super) left_out: Vec<String>,
    /// What was not due before and happens.
    pub(super) came: Vec<String>,
    /// The end of the amended line: a `State` of the room's game.
    pub(super) state: Box<dyn Any + Send + Sync>,
}

impl fmt::Debug for Replayed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Replayed").field("seq", &self.seq).field("last", &self.last).finish_non_exhaustive()
    }
}

/// Something that is decided again.
enum Again<'a> {
    Act { doer: Doer, invocation: &'a Json, public: bool, forum: Option<Id>, followed: bool },
    Due(&'a Due),
    Work { id: &'a Id, result: &'a Json },
}

/// Decides something on a state, with all that follows.
fn again<G: Game>(
    state: &State<G>,
    what: &Again<'_>,
    (seq, at): (Seq, Instant),
    dice: &mut Dice,
    then: Option<&Then<'_, G>>,
) -> Result<Finished<G>, Refusal> {
    let state = State { seq: seq.saturating_sub(1), ..state.clone() };
    let mut d = Draft::new(state, at, Doer::default(), true, dice, [0; SALT_BYTES]).deciding_again(then);
    match what {
        Again::Act { doer, invocation, public, forum, followed } => {
            (d.doer, d.public, d.forum, d.followed) = (doer.clone(), *public, forum.clone(), *followed);
            G::mechanics().take(invocation, &mut d)?;
        }
        Again::Due(due) => G::mechanics().due(due, &mut d),
        Again::Work { id, result } => G::mechanics().finish(id, (*result).clone(), &mut d),
    }
    settle(&mut d);
    Ok(d.finish())
}

/// The dice of an entry of the recorded line: what it drew, and nothing else that counts.
fn recorded_dice(seq: Seq, draws: &[Draw]) -> Dice {
    let mut dice = Dice::new(Seed([0; SEED_BYTES]), seq, Default::default());
    dice.recall(draws);
    dice
}

/// The two lines.
struct Lines<'a, G: Game> {
    recorded: State<G>,
    amended: State<G>,
    /// The recorded instants, by what was due, with their entries' draws.
    dues: BTreeMap<&'a Due, (Seq, &'a [Draw])>,
    /// Whether undos among the entries are folded like all others: where nothing is left out.
    folds_undos: bool,
    /// Recorded instants that happened on the amended line before their entry came.
    early: BTreeSet<Seq>,
    /// Instants that are taken back and would come again at once: what no pause keeps from happening.
    again: BTreeSet<Seq>,
    dice: Dice,
    /// What is supposed to have been otherwise: then what is due is taken as recorded.
    supposed: Option<supposed::Line<G>>,
    /// The undo's own entry.
    own: Seq,
    left_out: Vec<String>,
    came: Vec<String>,
}

/// Plays the entries after a state again, without one of them.
pub(super) fn replay<G: Game>(
    before: &State<G>,
    seq: Seq,
    past: &[Recorded],
    context: &Context,
) -> Result<Replay, Refusal> {
    let entries = read::<G>(past)?;
    let first = before.seq + 1;
    let wanted = entries.iter().find(|entry| entry.seq == seq);
    let wanted = wanted.ok_or_else(|| Refusal::new(format!("there is no entry {seq} here")).instead("history"))?;

    let mut taken: BTreeMap<Seq, Seq> = before.frame.taken_back.iter().map(|(of, by)| (*of, *by)).collect();
    for entry in &entries {
        for (of, to) in toggles(entry) {
            let by = entry.seq;
            let _ = if to { taken.insert(of, by) } else { taken.remove(&of) };
        }
    }
    let toggled = can_be_taken_back(wanted, &taken)?;
    let mut without: BTreeSet<Seq> = taken.into_keys().collect();
    for (of, to) in &toggled {
        if *to {
            without.insert(*of)
        } else {
            without.remove(of)
        };
    }
    let earlier = entries.iter().flat_map(toggles).chain(toggled.iter().copied()).map(|(of, _)| of);
    if let Some(from) = earlier.min().filter(|of| *of < first) {
        return Ok(Replay::From(from));
    }

    let (mut lines, mut what) = (Lines::new(before, &entries, &without, context), String::new());
    lines.folds_undos = false;
    for (entry, row) in entries.iter().zip(past) {
        if entry.seq == seq {
            what = named(entry, &lines.recorded);
        }
        lines.step(entry, row.kept().as_ref(), without.contains(&entry.seq));
    }
    if lines.again.contains(&seq) {
        let why = format!(
            "entry {seq} cannot be taken back: {what} would come again at once; what brought it about can be taken back"
        );
        return Err(Refusal::new(why).instead("correct PATH VALUE because REASON"));
    }
    lines.run_due(|state| now_in(state, context.now), None);

    let closes = |change: &Change<G::Fact>| match change {
        Change::Frame(FrameFact::Closed) => Some(FrameFact::Reopened),
        Change::Frame(FrameFact::Reopened) => Some(FrameFact::Closed),
        _ => None,
    };
    let frame = wanted.changes.iter().filter_map(closes).collect();
    let stays = |change: &Change<G::Fact>| match change {
        Change::Frame(FrameFact::FirstDraw { .. }) => None,
        Change::Frame(fact) => instead(fact).map(|(what, instead)| format!("{what} ({instead})")),
        _ => None,
    };
    let stays = wanted.changes.iter().filter_map(stays).collect();
    let Lines { recorded, amended, dice, left_out, came, .. } = lines;
    let (last, state) = (recorded.seq, Box::new(amended));
    Ok(Replay::Done(Arc::new(Replayed { seq, last, what, toggled, frame, dice, stays, left_out, came, state })))
}

/// Plays the entries after a state again, all of them; what comes out otherwise than it is recorded.
pub(super) fn repeat<G: Game>(before: &State<G>, past: &[Recorded], context: &Context) -> Result<Vec<String>, Refusal> {
    let entries = read::<G>(past)?;
    let without = BTreeSet::new();
    let mut lines = Lines::new(before, &entries, &without, context);
    for (entry, row) in entries.iter().zip(past) {
        // What an undo did is folded with all the rest.
        lines.step(entry, row.kept().as_ref(), false);
    }
    let Lines { recorded, amended, mut left_out, came, .. } = lines;
    left_out.extend(came);
    left_out.extend(recorded.rules.leading_to(&amended.rules).iter().map(|op| format!("{op:?}")));
    left_out.extend(recorded.world.leading_to(&amended.world).iter().map(|op| format!("{op:?}")));
    left_out.extend(table::differences(&recorded, &amended).iter().map(|row| format!("{row:?}")));
    Ok(left_out)
}

fn read<G: Game>(past: &[Recorded]) -> Result<Vec<Entry<G::Fact>>, Refusal> {
    let unreadable = |why: String| Refusal::new(format!("an entry cannot be read: {why}"));
    past.iter().map(|row| read_entry::<G>(&row.entry)).collect::<Result<_, _>>().map_err(unreadable)
}

/// Which entries an undo takes back, or brings back.
fn toggles<F>(entry: &Entry<F>) -> impl Iterator<Item = (Seq, bool)> + '_ {
    entry.changes.iter().filter_map(|change| match change {
        Change::Frame(FrameFact::TakenBack { entry, to }) => Some((*entry, *to)),
        _ => None,
    })
}

/// What taking an entry back does to the set of those that are. It never nests: an undo that is undone brings back what it
/// took.
fn can_be_taken_back<F>(entry: &Entry<F>, taken: &BTreeMap<Seq, Seq>) -> Result<Vec<(Seq, bool)>, Refusal> {
    let seq = entry.seq;
    let twice = |by: Seq| Refusal::new(format!("entry {seq} is taken back already, by entry {by}")).instead("history");
    if entry.changes.is_empty() {
        return Err(Refusal::new(format!("entry {seq} changed nothing")).instead("history"));
    }
    let own: Vec<(Seq, bool)> = match &entry.cause {
        Cause::Moderator { act, .. } if act == UNDO => toggles(entry).map(|(of, to)| (of, !to)).collect(),
        _ => Vec::new(),
    };
    if let Some((of, _)) = own.iter().find(|(of, to)| taken.contains_key(of) == *to) {
        return Err(twice(taken.get(of).copied().unwrap_or(seq)));
    }
    if !own.is_empty() {
        return Ok(own);
    }
    if let Some(by) = taken.get(&seq) {
        return Err(twice(*by));
    }
    let frame = |change: &Change<F>| match change {
        Change::Frame(fact) => instead(fact),
        _ => None,
    };
    let opens = |change: &Change<F>| matches!(change, Change::Frame(FrameFact::Opened { .. }));
    let is_frame = entry.changes.iter().all(|change| matches!(change, Change::Frame(_)));
    if let Some((what, instead)) = entry.changes.iter().find_map(frame)
        && (is_frame || entry.changes.iter().any(opens))
    {
        let why = format!("entry {seq} is not taken back, for {what}: that is done again, or otherwise");
        return Err(Refusal::new(why).instead(instead));
    }
    Ok(vec![(seq, true)])
}

/// What a fact of the frame did, and what is typed in the place of an undo; nothing where an undo does it.
fn instead(fact: &FrameFact) -> Option<(&'static str, &'static str)> {
    Some(match fact {
        FrameFact::Closed | FrameFact::Reopened | FrameFact::TakenBack { .. } => return None,
        FrameFact::Named { .. } | FrameFact::Stands { .. } => return None,
        FrameFact::Opened { .. } => ("it opened the room", "room close"),
        FrameFact::Seated { .. } => ("somebody took a seat, which stays theirs", "seat give NAME ACCOUNT"),
        FrameFact::Forgotten { .. } => ("somebody asked to be forgotten", "history"),
        FrameFact::Handed { .. } => ("a seat was given to another account", "seat give NAME ACCOUNT"),
        FrameFact::Designated { .. } => ("a channel was designated", "forum designate DESIGNATION"),
        FrameFact::Mannered { .. } => ("a setting was changed", "room settings"),
        FrameFact::Clock { mode: ClockMode::Paused(_), .. } => ("the room was paused", "resume"),
        FrameFact::Clock { was: ClockMode::Paused(_), .. } => ("the room went on", "pause"),
        FrameFact::Clock { .. } => ("the clock was moved", "tick"),
        FrameFact::FirstDraw { .. } | FrameFact::Reseeded { .. } => ("it is about the dice", "history"),
        FrameFact::Attested { .. } => ("it told the hash of the journal", "history"),
    })
}

/// What an entry was, in words, as the state before it has them.
fn named<G: Game>(entry: &Entry<G::Fact>, before: &State<G>) -> String {
    match &entry.cause {
        Cause::Action { actor, command, .. } => {
            let seated = |actor: &Id| format!(" by {}", before.frame.name_of(actor));
            let new = |change: &Change<G::Fact>| match change {
                Change::Frame(FrameFact::Seated { name, .. }) => Some(format!(" by {name}")),
                _ => None,
            };
            let by = entry.changes.iter().find_map(new).or_else(|| actor.as_ref().map(seated));
            format!("{command}{}", by.unwrap_or_default())
        }
        Cause::Due(due) if *due.key == *RESEED => "the change of the dice's seed".to_owned(),
        Cause::Due(due) => announced(entry).unwrap_or_else(|| G::mechanics().fate(before, due).what),
        Cause::Moderator { act, about: Some(about), .. } => format!("the {act} of entry {about}"),
        Cause::Moderator { act, .. } => {
            let set = |change: &Change<G::Fact>| match change {
                Change::World(Op::Set { at, .. }) => Some(at.to_string()),
                _ => None,
            };
            let of = entry.changes.iter().find_map(set).filter(|_| act == moderate::CORRECT);
            of.map_or_else(|| format!("“{act}” by a moderator"), |of| format!("the correction of {of}"))
        }
        Cause::Job(id) => format!("the result of {id}"),
    }
}

/// What an entry announced to everybody first, as a name for it.
fn announced<F>(entry: &Entry<F>) -> Option<String> {
    let say = entry.says.iter().find(|say| say.to == Audience::Public)?;
    let paras = say.document.blocks.iter().find_map(|block| match block {
        Block::Para(text) => Some(text),
        _ => None,
    });
    let text = Some(&say.document.title).filter(|title| !title.is_empty()).or(paras)?;
    Some(format!("“{}”", text.lines().next()?))
}

/// Who acted in an entry, as the room knew them then; nothing where nobody sat.
fn doer<F>(frame: &Frame, entry: &Entry<F>) -> Option<Doer> {
    let seat = entry.cause.actor()?;
    let held = frame.seats.get(seat);
    let mut doer = Doer {
        person: held.map(|held| held.person.clone()).unwrap_or_default(),
        name: held.map(|held| held.name.clone()).unwrap_or_default(),
    };
    for change in &entry.changes {
        match change {
            Change::Frame(FrameFact::Seated { seat: of, name, person, .. }) if of == seat => {
                doer = Doer { person: person.clone(), name: name.clone() };
            }
            Change::Frame(FrameFact::Named { seat: of, name, .. }) if of == seat => doer.name.clone_from(name),
            _ => {}
        }
    }
    (!doer.person.is_empty()).then_some(doer)
}

/// Until when something is due in a room at a moment of the world's: as in a normal step.
fn now_in<G: Game>(state: &State<G>, now: Instant) -> Option<Instant> {
    match state.frame.clock {
        _ if state.frame.closed => None,
        ClockMode::Live => Some(now.max(state.at)),
        ClockMode::Manual(hands) => Some(hands.max(state.at)),
        ClockMode::Paused(_) => None,
    }
}

/// Whether deciding something gave what is recorded. That an entry was the first to draw from a seed is said by the engine.
fn is_recorded<G: Game>(what: &Again<'_>, finished: &Finished<G>, entry: &Entry<G::Fact>) -> bool {
    if let Again::Act { doer, .. } = what
        && finished.state.frame.seat_of(&doer.person).map(|(seat, _)| seat) != entry.cause.actor()
    {
        return false;
    }
    let first = |change: &&Change<G::Fact>| !matches!(change, Change::Frame(FrameFact::FirstDraw { .. }));
    finished.seals.is_empty() && finished.changes.iter().eq(entry.changes.iter().filter(first))
}

impl<'a, G: Game> Lines<'a, G> {
    fn new(before: &State<G>, entries: &'a [Entry<G::Fact>], without: &BTreeSet<Seq>, context: &Context) -> Self {
        let last = entries.last().map_or(before.seq, |entry| entry.seq);
        let dues =
            entries.iter().filter(|entry| !without.contains(&entry.seq)).filter_map(|entry| match &entry.cause {
                Cause::Due(due) if *due.key != *RESEED => Some((due, (entry.seq, &entry.draws[..]))),
                _ => None,
            });
        Self {
            recorded: before.clone(),
            amended: before.clone(),
            dues: dues.collect(),
            early: BTreeSet::new(),
            again: BTreeSet::new(),
            folds_undos: true,
            dice: Dice::new(context.seed.clone(), last + 1, context.fixed.clone()),
            supposed: None,
            own: last + 1,
            left_out: Vec::new(),
            came: Vec::new(),
        }
    }

    /// Takes both lines past an entry.
    fn step(&mut self, entry: &Entry<G::Fact>, kept: Option<&Basis>, is_out: bool) {
        let due = match &entry.cause {
            Cause::Due(due) if *due.key != *RESEED => Some(due),
            _ => None,
        };
        match &mut self.supposed {
            Some(line) => line.begin(entry.seq, &self.amended),
            None => self.run_due(|state| now_in(state, entry.at), due),
        }
        if !is_out && !self.early.contains(&entry.seq) {
            self.amend(entry, kept, due);
        }
        // An instant that is taken back passes as in a pause: it is not due for ever.
        if let Some(due) = due.filter(|due| is_out && G::mechanics().next_due(&self.amended).as_ref() == Some(due)) {
            self.on_amended(entry.seq, entry.at, |d| {
                G::mechanics().lapse(due, d);
                settle(d);
            });
            if G::mechanics().next_due(&self.amended).as_ref() == Some(due) {
                self.again.insert(entry.seq);
            }
        }
        let paused = matches!(self.recorded.frame.clock, ClockMode::Paused(_));
        for change in &entry.changes {
            fold(&mut self.recorded, change, entry.seq, entry.at);
        }
        (self.recorded.seq, self.recorded.at) = (entry.seq, entry.at);
        self.settle_frame();
        (self.amended.seq, self.amended.at) = (entry.seq, entry.at.max(self.amended.at));
        if paused && !matches!(self.recorded.frame.clock, ClockMode::Paused(_)) {
            self.on_amended(entry.seq, entry.at, |d| drop(moderate::lapse_until(entry.at, d)));
        }
        self.make_so(entry);
    }

    /// Does on the amended line what an entry did, or would have done there.
    fn amend(&mut self, entry: &Entry<G::Fact>, kept: Option<&Basis>, due: Option<&Due>) {
        let what = match (&entry.cause, kept) {
            (Cause::Moderator { act, .. }, _) if act == UNDO && !self.folds_undos => return,
            (Cause::Action { .. }, Some(Basis::Act { by, invocation, public, forum, followed })) => {
                let unseated = || by.clone().map(|(person, name)| Doer { person, name });
                doer(&self.recorded.frame, entry).or_else(unseated).map(|doer| {
                    let (public, forum, followed) = (*public, forum.clone(), *followed);
                    Again::Act { doer, invocation, public, forum, followed }
                })
            }
            (Cause::Due(_), _) => due.map(Again::Due),
            (Cause::Job(id), Some(Basis::Work { result })) if **id != *ATTEST => Some(Again::Work { id, result }),
            _ => None,
        };
        if due.is_some()
            && self.supposed.is_none()
            && G::mechanics().next_due(&self.recorded).as_ref() == due
            && G::mechanics().next_due(&self.amended).as_ref() != due
        {
            return self.leave_out(entry, "it is not due any more");
        }
        if let Cause::Job(id) = &entry.cause
            && **id != *ATTEST
        {
            let awaited = G::mechanics().work(&self.amended).filter(|work| work.id == *id);
            if awaited.is_none() || awaited != G::mechanics().work(&self.recorded) {
                return;
            }
        }
        let at = (entry.seq, entry.at);
        let mut then = Then { before: &self.recorded, changes: &entry.changes, supposing: None };
        let decided = what.and_then(|what| {
            let mut dice = recorded_dice(entry.seq, &entry.draws);
            let finished = again(&self.recorded, &what, at, &mut dice, Some(&then)).ok()?;
            is_recorded(&what, &finished, entry).then_some((what, finished.missed))
        });
        let Some((what, missed)) = decided else {
            for change in &entry.changes {
                fold(&mut self.amended, change, entry.seq, entry.at);
            }
            if entry.changes.iter().any(|change| !matches!(change, Change::Frame(_))) {
                self.on_amended(entry.seq, entry.at, settle);
            }
            return;
        };
        self.dice.recall(&entry.draws);
        then.supposing = self.supposed.as_ref().and_then(supposed::Line::supposing);
        match again(&self.amended, &what, at, &mut self.dice, Some(&then)) {
            Ok(finished) => {
                self.amended = finished.state;
                let other = |one: &&Missed| !missed.iter().any(|missed| missed.what == one.what);
                let lines = finished.missed.iter().filter(other);
                self.left_out.extend(lines.map(|Missed { what, why }| format!("entry {}, {what}: {why}", entry.seq)));
            }
            Err(refusal) => {
                self.supposed.iter().for_each(|line| line.refused(entry.seq));
                self.leave_out(entry, &refusal.say);
            }
        }
    }

    /// Tells that an entry no longer happens.
    fn leave_out(&mut self, entry: &Entry<G::Fact>, why: &str) {
        if entry.changes.iter().any(|change| !matches!(change, Change::Frame(_))) {
            self.left_out.push(format!("entry {}, {}: {why}", entry.seq, named(entry, &self.recorded)));
        }
    }

    /// Does on the amended line what is due there by an instant, or before something that is recorded as due, and is not
    /// due on the recorded line as well: that comes when the record says.
    fn run_due(&mut self, until: impl Fn(&State<G>) -> Option<Instant>, next: Option<&Due>) {
        for _ in 0..SETTLE_MAX_ROUNDS {
            let Some(limit) = until(&self.amended) else { return };
            let Some(due) = G::mechanics().next_due(&self.amended).filter(|due| due.at <= limit) else { return };
            if next.is_some_and(|next| due >= *next) || G::mechanics().next_due(&self.recorded).as_ref() == Some(&due) {
                return;
            }
            let recorded = self.dues.get(&due).copied().filter(|(seq, _)| *seq > self.recorded.seq);
            let (seq, draws) = recorded.unwrap_or((self.own, &[]));
            self.dice.recall(draws);
            let at = due.at.max(self.amended.at);
            let what = G::mechanics().fate(&self.amended, &due).what;
            let Ok(finished) = again(&self.amended, &Again::Due(&due), (seq, at), &mut self.dice, None) else { return };
            if finished.changes.is_empty() {
                return;
            }
            let last = self.amended.seq;
            self.amended = State { seq: last, at, ..finished.state };
            match recorded {
                Some((seq, _)) => drop(self.early.insert(seq)),
                None => self.came.push(format!("{}, {what}", minute(due.at))),
            }
        }
    }

    /// Does something on the amended line.
    fn on_amended(&mut self, seq: Seq, at: Instant, something: impl FnOnce(&mut Draft<'_, G>)) {
        let state = State { seq: seq.saturating_sub(1), ..self.amended.clone() };
        self.dice.recall(&[]);
        let mut d = Draft::new(state, at, Doer::default(), true, &mut self.dice, [0; SALT_BYTES]);
        something(&mut d);
        self.amended = d.finish().state;
    }

    /// Gives the amended line the frame of the recorded one, but for what a seat is called and stands as.
    fn settle_frame(&mut self) {
        let mut frame = self.recorded.frame.clone();
        let seats: Vec<Id> = frame.seats.keys().cloned().collect();
        for id in seats {
            let own = self.amended.frame.seats.get(&id);
            if let Some(seat) = frame.seats.get_mut(&id) {
                seat.standing = own.map_or(Standing::Outsider, |own| own.standing);
                if let Some(own) = own {
                    seat.name.clone_from(&own.name);
                }
            }
        }
        self.amended.frame = frame;
    }
}
