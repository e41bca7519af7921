//! Plays a journal again without some of its entries: what an undo is made of.
//!
//! Two lines run side by side from the state before the first entry that is left out. The recorded one folds every
//! entry; the amended one decides each again, without those that are taken back, from what is kept beside it
//! ([`Basis`]). What moderators did, and what is forgotten, is folded as it is recorded there too, and told. The
//! amended line says what falls due; an entry recorded at that instant keeps its number and its dice. The frame (seats,
//! forums, clock, dice, numbers) is that of the recorded line, so that an entry gives the numbers that it gave. Only
//! the name and the standing of a seat, and what is set aside, belong to each line.

mod again;
mod supposed;
mod taking;

pub use again::Recorded;
pub(super) use again::{Basis, What};
pub(super) use supposed::suppose;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use imbl::OrdMap;

use super::{
    Context, Replayed, View,
    journal::{ATTEST, UNDO, read_entry},
    moderate::lapse_until,
    settle::settle,
};
use crate::dice::Dice;
use crate::doer::Doer;
use crate::draft::{Draft, Finished, Opened, Recalled, SALT_BYTES, Then, fold};
use crate::entry::{Audience, Cause, Change, Due, Entry, Say};
use crate::frame::{ClockMode, Designation, Frame, FrameFact, Standing};
use crate::game::Game;
use again::{Again, Known, Past, again, is_recorded, recorded_dice};
use taking::{can_be_taken_back, first_line, instead, is_of_frame, named, taken_back, toggles};

use crate::mechanic::{Event, Fate, Lapse, SETTLE_MAX_ROUNDS};
use crate::state::State;
use crate::time::{days_after, minute};
use crate::told::placed;
use crate::work::Bench;
use crate::world::Op;
use crate::{Id, Instant, Path, Refusal, Seq};

/// Most entries that are played again for one undo: a busy room has as many in half a year, and they take seconds.
pub const REPLAY_MAX_ENTRIES: usize = 20_000;

/// Most long works that are played for one undo; what is beyond is played after it, as after any entry.
const REPLAY_WORKS_MAX_COUNT: usize = 1000;

/// How long something is put off from an undo on that can be averted, in days, where its instant is taken back. Players
/// have time to avert it.
const PUT_OFF_DAYS: i64 = 7;

/// What came of playing entries again.
pub enum Replay<T: ?Sized = Replayed> {
    /// It has to begin before this entry, which an entry among them took back or brought back.
    From(Seq),
    /// The amended line, to its end.
    Done(Arc<T>),
}

/// The two lines.
struct Lines<'a, G: Game> {
    recorded: State<G>,
    amended: State<G>,
    /// The recorded instants, by what was due.
    dues: BTreeMap<&'a Due, &'a Past>,
    /// Whether undos among the entries are folded like all others: where nothing is left out.
    folds_undos: bool,
    /// Recorded instants that happened on the amended line before their entry came.
    early: BTreeSet<Seq>,
    /// The entry that is taken back by this undo; nothing where none is.
    wanted: Seq,
    /// Entries that are taken back, each with the instant until when is put off what was due in it.
    until: BTreeMap<Seq, Instant>,
    /// The last numbers at the end of the recorded line, and those that the amended one gave above them, by what they
    /// count.
    highest: OrdMap<Id, u64>,
    dice: Dice,
    /// What the recorded line opened of what was sealed, and what is sealed at its end: that stays so.
    opened: BTreeMap<Id, Option<Opened>>,
    sealed: BTreeSet<Id>,
    /// What is supposed to have been otherwise: then what is due is taken as recorded.
    supposed: Option<supposed::Line<G>>,
    /// The undo's own entry.
    own: Seq,
    /// What long works are played with, where they are, and how many were.
    bench: Option<&'a Bench<'a>>,
    works: usize,
    told: Told,
}

/// What is told of the two lines, each with the entry as of which it stands.
#[derive(Default)]
struct Told {
    left_out: Vec<(Seq, String)>,
    came: Vec<(Seq, String)>,
    said: Vec<(Seq, String)>,
    as_recorded: Vec<(Seq, String)>,
    otherwise: Vec<(Seq, String)>,
}

/// Plays the entries after a state again, without one of them.
pub(super) fn replay<G: Game>(
    before: &State<G>,
    seq: Seq,
    past: &[Recorded],
    context: &Context,
    bench: &Bench<'_>,
) -> Result<Replay, Refusal> {
    let past = read(past)?;
    let entries = || past.iter().map(|past| &past.entry);
    let first = before.seq + 1;
    let wanted = entries().find(|entry| entry.seq == seq);
    let wanted = wanted.ok_or_else(|| Refusal::new(format!("there is no entry {seq} here")).instead("history"))?;

    let taken = taken_back(before, entries());
    let toggled = can_be_taken_back(wanted, &taken)?;
    let mut without: BTreeSet<Seq> = taken.keys().copied().collect();
    for (of, to) in &toggled {
        if *to {
            without.insert(*of)
        } else {
            without.remove(of)
        };
    }
    let earlier = entries().flat_map(toggles).chain(toggled.iter().copied()).map(|(of, _)| of);
    if let Some(from) = earlier.min().filter(|of| *of < first) {
        return Ok(Replay::From(from));
    }

    let ended = at_end(before, &past)?;
    let (mut lines, mut what) = (Lines::new(before, &past, &ended, &without, context), String::new());
    (lines.folds_undos, lines.wanted, lines.bench) = (false, seq, Some(bench));
    let since = |by: &Seq| entries().find(|entry| entry.seq == *by).map_or(before.at, |entry| entry.at);
    let since = |of: &Seq| taken.get(of).map_or_else(|| ended.time(context.now), since);
    lines.until = without.iter().map(|of| (*of, days_after(since(of), PUT_OFF_DAYS))).collect();
    for past in &past {
        if past.entry.seq == seq {
            what = named(&past.entry, &lines.recorded);
        }
        lines.step(past, without.contains(&past.entry.seq))?;
    }
    lines.run_due(|state| now_in(state, context.now), None);

    let closes = |change: &Change| match change {
        Change::Frame(FrameFact::Closed) => Some(FrameFact::Reopened),
        Change::Frame(FrameFact::Reopened) => Some(FrameFact::Closed),
        _ => None,
    };
    let frame = wanted.changes.iter().filter_map(closes).collect();
    let stays = |change: &Change| match change {
        Change::Frame(FrameFact::FirstDraw { .. }) => None,
        Change::Frame(fact) => instead(fact).map(|(what, instead)| format!("{what} ({instead})")),
        _ => None,
    };
    let stays = wanted.changes.iter().filter_map(stays).collect();
    let Lines { recorded, mut amended, highest, dice, told, .. } = lines;
    amended.frame.counted = highest;
    let (last, state) = (recorded.seq, Box::new(amended));
    let what = recorded.frame.redaction(seq).text(&what);
    let lines = |lines| redacted(&recorded.frame, lines);
    let (left_out, came) = (lines(told.left_out), lines(told.came));
    let (said, as_recorded, otherwise) = (lines(told.said), lines(told.as_recorded), lines(told.otherwise));
    Ok(Replay::Done(Arc::new(Replayed {
        seq,
        last,
        what,
        toggled,
        frame,
        dice,
        stays,
        left_out,
        came,
        said,
        as_recorded,
        otherwise,
        state,
    })))
}

/// A state after some entries.
fn at_end<G: Game>(before: &State<G>, past: &[Past]) -> Result<State<G>, Refusal> {
    let mut state = before.clone();
    past.iter().try_for_each(|past| pass(&mut state, &past.entry))?;
    Ok(state)
}

/// Folds an entry into a state.
fn pass<G: Game>(state: &mut State<G>, entry: &Entry) -> Result<(), Refusal> {
    for change in &entry.changes {
        fold(state, change, entry.seq, entry.at).map_err(unreadable)?;
    }
    (state.seq, state.at) = (entry.seq, entry.at);
    Ok(())
}

fn unreadable(why: String) -> Refusal {
    Refusal::new(format!("an entry cannot be read: {why}"))
}

/// Plays the entries after a state again, all of them; what comes out otherwise than it is recorded.
pub(super) fn repeat<G: Game>(
    before: &State<G>,
    past: &[Recorded],
    context: &Context,
    bench: &Bench<'_>,
) -> Result<Vec<String>, Refusal> {
    let past = read(past)?;
    let without = BTreeSet::new();
    let mut lines = Lines::new(before, &past, &at_end(before, &past)?, &without, context);
    for past in &past {
        lines.told.otherwise.extend(played_otherwise(&lines.recorded, past, bench));
        // What an undo did is folded with all the rest.
        lines.step(past, false)?;
    }
    let Lines { recorded, amended, told, .. } = lines;
    let told = [told.left_out, told.came, told.said, told.otherwise].concat();
    let mut left_out: Vec<String> = told.into_iter().map(|(_, line)| line).collect();
    left_out.extend(recorded.rules.leading_to(&amended.rules).iter().map(|op| format!("{op:?}")));
    left_out.extend(recorded.world.leading_to(&amended.world).iter().map(|op| format!("{op:?}")));
    left_out.extend(recorded.tables.differences(&amended.tables).iter().map(|row| format!("{row:?}")));
    Ok(left_out)
}

/// That a long work comes to another result than its entry took in; nothing where what it needs is not kept any more.
fn played_otherwise<G: Game>(state: &State<G>, past: &Past, bench: &Bench<'_>) -> Option<(Seq, String)> {
    let (Cause::Job(id), Some(What::Work { result })) = (&past.entry.cause, &past.basis.what) else { return None };
    let work = G::mechanics().work(state).filter(|work| work.id == *id)?;
    work.secrets.iter().all(|secret| (bench.open)(secret).is_some()).then_some(())?;
    let is_otherwise = G::mechanics().play(&work, bench).is_some_and(|played| played != *result);
    let line = || format!("entry {}, {}: its work comes to another result", past.entry.seq, named(&past.entry, state));
    is_otherwise.then(|| (past.entry.seq, line()))
}

fn read(past: &[Recorded]) -> Result<Vec<Past>, Refusal> {
    let read = |row: &Recorded| {
        let entry = read_entry(&row.entry).map_err(unreadable)?;
        Ok(Past { entry, basis: row.basis(), opened: row.opened.clone() })
    };
    past.iter().map(read).collect()
}

/// Lines that are told, without the names of those who asked to be forgotten meanwhile.
fn redacted(frame: &Frame, lines: Vec<(Seq, String)>) -> Vec<String> {
    lines.into_iter().map(|(seq, line)| frame.redaction(seq).text(&line)).collect()
}

/// What everybody hears of some announcements, a line each.
fn heard<'s>(frame: &Frame, says: &'s [Say]) -> Vec<&'s str> {
    let by_all = |say: &&Say| match &say.to {
        Audience::Public => true,
        Audience::Forum(id) => {
            frame.forums.get(id).is_some_and(|forum| forum.designation() == Some(Designation::Public))
        }
        Audience::Seat(_) | Audience::Reader { .. } | Audience::Moderators => false,
    };
    says.iter().filter(by_all).filter_map(|say| first_line(&say.document)).collect()
}

/// Who acted in an entry, as the room knew them then; nothing where nobody sat.
fn doer(frame: &Frame, entry: &Entry) -> Option<Doer> {
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

/// Whether there is in a state what a change is made to.
fn is_there<G: Game>(state: &State<G>, change: &Change) -> bool {
    match change {
        Change::World(Op::Set { at, .. } | Op::Add { at, .. }) => state.world.def_at(at).is_some(),
        Change::Row(row) if row.was.is_some() && row.to.is_some() => {
            state.tables.named_row(&row.table, &row.key).is_some()
        }
        Change::World(_) | Change::Rule(_) | Change::Frame(_) | Change::Row(_) | Change::By(_) => true,
    }
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

/// The last numbers that some changes say were given, by what they count.
fn counted(changes: &[Change]) -> OrdMap<Id, u64> {
    let counted = changes.iter().filter_map(|change| match change {
        Change::Frame(FrameFact::Counted { of, last }) => Some((of.clone(), *last)),
        _ => None,
    });
    counted.collect()
}

impl<'a, G: Game> Lines<'a, G> {
    /// Both lines at their beginning. `ended` is the recorded one at its end.
    fn new(before: &State<G>, past: &'a [Past], ended: &State<G>, without: &BTreeSet<Seq>, context: &Context) -> Self {
        let last = ended.seq;
        let happened = past.iter().filter(|past| !without.contains(&past.entry.seq));
        let dues = happened.filter_map(|past| Some((past.due()?, past)));
        let opened = past.iter().flat_map(|past| &past.opened);
        let sealed = G::mechanics().seals(ended).into_iter().map(|(id, _)| id);
        let sealed = sealed.filter(|id| !G::mechanics().is_open(ended, id));
        // What an entry opened and used up everybody has read, and an undo of that entry, which is taken back, seals nothing.
        let used_up = |id: &Id| past.iter().any(|past| !without.contains(&past.entry.seq) && past.uses_up(id));
        let sealed = sealed.filter(|id| !used_up(id));
        Self {
            recorded: before.clone(),
            amended: before.clone(),
            dues: dues.collect(),
            early: BTreeSet::new(),
            wanted: 0,
            until: BTreeMap::new(),
            highest: ended.frame.counted.clone(),
            folds_undos: true,
            dice: Dice::new(context.seed.clone(), last + 1, context.fixed.clone()),
            opened: opened.map(|(id, opened)| (id.clone(), opened.clone())).collect(),
            sealed: sealed.collect(),
            supposed: None,
            own: last + 1,
            bench: None,
            works: 0,
            told: Told::default(),
        }
    }

    /// What must be open on a line for what is due or done there.
    fn opened(&self, line: &State<G>, due: Option<&Due>) -> BTreeMap<Id, Option<Opened>> {
        let ids = match due {
            Some(due) => G::mechanics().opens(line, due),
            None => G::mechanics().opens_always(line),
        };
        ids.into_iter().filter_map(|id| self.opened.get(&id).cloned().map(|opened| (id, opened))).collect()
    }

    /// Takes both lines past an entry.
    fn step(&mut self, past: &'a Past, is_out: bool) -> Result<(), Refusal> {
        let (entry, due) = (&past.entry, past.due());
        match &mut self.supposed {
            Some(line) => line.begin(entry.seq, &self.amended),
            // A clock that is moved by hand passes what is due on its way.
            None => self.run_due(|state| now_in(state, entry.at).map(|hands| hands.max(entry.at)), due),
        }
        if !is_out && !self.early.contains(&entry.seq) {
            self.amend(past, due);
        }
        if let Some(due) = due.filter(|due| is_out && G::mechanics().next_due(&self.amended).as_ref() == Some(due)) {
            self.pass_over(past, due);
        }
        let clock = self.recorded.frame.clock;
        pass(&mut self.recorded, entry)?;
        self.settle_frame();
        // A result that is taken back is played for anew where it stood: what came later was said of what it brought about.
        if let Cause::Job(id) = &entry.cause
            && is_out
            && **id != *ATTEST
        {
            self.play_own(past, id);
        }
        (self.amended.seq, self.amended.at) = (entry.seq, entry.at.max(self.amended.at));
        if matches!(clock, ClockMode::Paused(_)) && !matches!(self.recorded.frame.clock, ClockMode::Paused(_)) {
            self.amended.frame.clock = clock;
            let says = self.on_amended(entry.seq, entry.at, None, |d| drop(lapse_until(entry.at, d)));
            self.hear((entry.seq, entry.at), &[], &says);
            self.settle_frame();
            // What follows from what was due meanwhile comes before the next entry, as it does where a room goes on.
            let says = self.on_amended(entry.seq, entry.at, None, settle);
            self.hear((entry.seq, entry.at), &[], &says);
        }
        self.make_so(entry);
        Ok(())
    }

    /// Lets an instant that is taken back pass as in a pause, so that it is not due for ever. What no pause keeps from
    /// happening happens on the amended line, too, as it is recorded.
    fn pass_over(&mut self, past: &Past, due: &Due) {
        let entry = &past.entry;
        let Lapse { what, fate } = G::mechanics().fate(&self.amended, due);
        let until = self.until.get(&entry.seq).copied();
        let says = self.on_amended(entry.seq, entry.at, until, |d| {
            G::mechanics().lapse(due, d);
            settle(d);
        });
        self.hear((entry.seq, entry.at), &entry.says, &says);
        let comes = G::mechanics().next_due(&self.amended).as_ref() == Some(due);
        if comes {
            let at = (entry.seq, entry.at);
            if let Ok(finished) = self.again(&Again::Due(due), at, Some(past), &entry.changes, Some(due)) {
                self.take(finished);
            }
        }
        if entry.seq == self.wanted && (comes || fate == Fate::Late) {
            let line = format!("{}, {what}: what brought it about is still there", minute(due.at));
            self.told.came.push((entry.seq, line));
        }
    }

    /// What an entry is played again with that made these changes.
    fn recalled(&self, changes: &[Change]) -> Recalled {
        Recalled { gave: counted(changes), highest: self.highest.clone(), until: None }
    }

    /// Goes on with what came of something on the amended line. Its counts stay those of the recorded one.
    fn take(&mut self, finished: Finished<G>) {
        for (of, last) in counted(&finished.changes) {
            if self.highest.get(&of).is_none_or(|highest| *highest < last) {
                self.highest.insert(of, last);
            }
        }
        self.amended = finished.state;
        self.amended.frame.counted.clone_from(&self.recorded.frame.counted);
    }

    /// Notes what everybody would have heard of something on the amended line, and did not.
    fn hear(&mut self, (seq, at): (Seq, Instant), was: &[Say], is: &[Say]) {
        let mut were = heard(&self.recorded.frame, was);
        for line in heard(&self.recorded.frame, is) {
            match were.iter().position(|was| *was == line) {
                Some(index) => drop(were.swap_remove(index)),
                None => self.told.said.push((seq, format!("{}: {line}", minute(at)))),
            }
        }
    }

    /// Does on the amended line what an entry did, or would have done there.
    fn amend(&mut self, past: &Past, due: Option<&Due>) {
        let Past { entry, basis, .. } = past;
        if matches!(&entry.cause, Cause::Moderator { act, .. } if act == UNDO) && !self.folds_undos {
            return;
        }
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
            self.play_own(past, id);
            let awaited = G::mechanics().work(&self.amended).filter(|work| work.id == *id);
            if awaited.is_none() || awaited != G::mechanics().work(&self.recorded) {
                return;
            }
        }
        let what = match (&entry.cause, &basis.what) {
            (Cause::Action { .. }, Some(What::Act { by, invocation, public, forum, followed })) => {
                let unseated = || by.clone().map(|(person, name)| Doer { person, name });
                let doer = doer(&self.recorded.frame, entry).or_else(unseated);
                let (public, followed) = (*public, *followed);
                doer.map(|doer| Again::Act { doer, invocation, public, forum, followed })
            }
            (Cause::Due(_), _) => due.map(Again::Due),
            (Cause::Job(id), Some(What::Work { result })) => Some(Again::Work { id, result }),
            (Cause::Moderator { by, .. }, Some(What::Correct { path, to })) => Some(Again::Correct { by, path, to }),
            _ => None,
        };
        let Some(what) = what else {
            let told = self.fold_recorded(entry);
            return self.told.as_recorded.extend(told);
        };
        let at = (entry.seq, entry.at);
        let then = Then { before: &self.recorded, changes: &entry.changes, supposing: None };
        let known = Known { recalled: None, then: Some(&then), basis, opened: self.opened(&self.recorded, due) };
        let was = again(&self.recorded, &what, at, &mut recorded_dice(entry.seq, &entry.draws), known);
        let Some(was) = was.ok().filter(|was| is_recorded(was, entry)) else {
            let told = self.fold_recorded(entry);
            // What was sealed by somebody who was forgotten since is not kept.
            let is_forgotten = past.opened.values().any(Option::is_none);
            return if is_forgotten { &mut self.told.as_recorded } else { &mut self.told.otherwise }.extend(told);
        };
        let is_private = matches!(entry.cause, Cause::Action { private: true, .. });
        let why = |why: &Refusal| if is_private { "it would be refused".to_owned() } else { why.say.clone() };
        let finished = match self.again(&what, at, Some(past), &entry.changes, due) {
            Ok(finished) => finished,
            Err(refusal) => {
                self.supposed.iter().for_each(|line| line.refused(entry.seq));
                return self.leave_out(entry, &why(&refusal));
            }
        };
        if finished.seals.iter().any(|seal| seal.bytes.is_some() && !was.seals.contains(seal)) {
            return self.leave_out(entry, "it would seal what nobody has kept");
        }
        // What follows its refusal happens in its place.
        if let Some(refusal) = finished.undone.as_ref().filter(|_| was.undone.is_none()) {
            self.leave_out(entry, &why(refusal));
        }
        self.hear(at, &was.says, &finished.says);
        self.miss(entry.seq, &was.missed, &finished.missed);
        self.take(finished);
    }

    /// Decides something on the amended line, with what is recorded for it. The changes are those of its entry, and
    /// none where it happens elsewhere than in that.
    fn again(
        &mut self,
        what: &Again<'_>,
        at: (Seq, Instant),
        past: Option<&Past>,
        changes: &[Change],
        due: Option<&Due>,
    ) -> Result<Finished<G>, Refusal> {
        self.dice.recall(past.map_or(&[], |past| &past.entry.draws));
        let supposing = self.supposed.as_ref().and_then(supposed::Line::supposing);
        let (then, nothing) = (Then { before: &self.recorded, changes, supposing }, Basis::default());
        let mut opened = self.opened(&self.amended, due);
        opened.retain(|id, _| !self.sealed.contains(id));
        let known = Known {
            recalled: Some(self.recalled(changes)),
            then: Some(&then).filter(|_| !changes.is_empty()),
            basis: past.map_or(&nothing, |past| &past.basis),
            opened,
        };
        again(&self.amended, what, at, &mut self.dice, known)
    }

    /// Plays on the amended line what it waits for before a result that is recorded, and the recorded one does not. So
    /// what people did since with what came of it is done there too.
    fn play_own(&mut self, past: &Past, id: &Id) {
        let entry = &past.entry;
        let own = |lines: &Self| {
            G::mechanics()
                .work(&lines.amended)
                .filter(|work| G::mechanics().work(&lines.recorded).as_ref() != Some(work))
        };
        if self.bench.is_some() && own(self).is_some() {
            // What waits for something that was taken back waits no more, as after the undo.
            let before = self.amended.clone();
            let says = self.on_amended(entry.seq, entry.at, None, |d| G::mechanics().tell(&Event::Mended(&before), d));
            self.hear((entry.seq, entry.at), &[], &says);
        }
        while let Some(work) = own(self)
            && let Some(bench) = self.bench.filter(|_| self.works < REPLAY_WORKS_MAX_COUNT)
            && let Some(result) = G::mechanics().play(&work, bench)
        {
            self.works += 1;
            // The same work with another task says otherwise what it said.
            let is_this = work.id == *id;
            let (changes, says): (&[_], &[_]) = if is_this { (&entry.changes, &entry.says) } else { (&[], &[]) };
            let (at, what) = ((entry.seq, entry.at), Again::Work { id: &work.id, result: &result });
            let Ok(finished) = self.again(&what, at, Some(past).filter(|_| is_this), changes, None) else { return };
            self.hear(at, says, &finished.says);
            self.take(finished);
            if is_this {
                return;
            }
        }
    }

    /// Does on the amended line what an entry is recorded to have changed, as far as that is there; a line on it where
    /// it is all of that.
    fn fold_recorded(&mut self, entry: &Entry) -> Option<(Seq, String)> {
        let before = self.amended.clone();
        let is_there = |change: &&Change| is_there(&before, change) || !is_there(&self.recorded, change);
        let (mut there, mut gone): (Vec<&Change>, Vec<&Change>) = entry.changes.iter().partition(is_there);
        // A row of another form cannot take the fields that this one took.
        gone.extend(there.extract_if(.., |change| fold(&mut self.amended, change, entry.seq, entry.at).is_err()));
        if let Some(why) = self.breaks(&before, entry) {
            self.amended = before;
            self.leave_out(entry, &why);
            return None;
        }
        if !gone.is_empty() {
            let why = match there.iter().all(|change| is_of_frame(change)) {
                true => "what it changed is not there",
                false => "it happens in part only, for some of what it changed is not there",
            };
            self.leave_out(entry, why);
        }
        if entry.changes.iter().all(is_of_frame) {
            return None;
        }
        let says = self.on_amended(entry.seq, entry.at, None, settle);
        self.hear((entry.seq, entry.at), &entry.says, &says);
        let line = format!("entry {}, {}", entry.seq, named(entry, &self.recorded));
        gone.is_empty().then_some((entry.seq, line))
    }

    /// Why an entry cannot be taken as recorded: a value would leave its range, and does not on the recorded line.
    fn breaks(&self, before: &State<G>, entry: &Entry) -> Option<String> {
        let mut recorded = self.recorded.clone();
        pass(&mut recorded, entry).ok()?;
        let is_out = |state: &State<G>, at: &Path| {
            state.world.def_at(at).is_some_and(|def| !def.range.holds(&state.world.value(at)))
        };
        let mut touched = entry.changes.iter().filter_map(|change| match change {
            Change::World(Op::Set { at, .. } | Op::Add { at, .. } | Op::Insert { at, .. } | Op::Remove { at, .. }) => {
                Some(at)
            }
            _ => None,
        });
        let at = touched.find(|at| is_out(&self.amended, at) && !is_out(before, at) && !is_out(&recorded, at))?;
        Some(format!("{} would be {}, which it cannot be", placed(&self.amended, at), G::shown(&self.amended, at)))
    }

    /// Tells that an entry no longer happens.
    fn leave_out(&mut self, entry: &Entry, why: &str) {
        if entry.changes.iter().any(|change| !is_of_frame(change)) {
            let line = format!("entry {}, {}: {why}", entry.seq, named(entry, &self.recorded));
            self.told.left_out.push((entry.seq, line));
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
            let recorded = self.dues.get(&due).copied().filter(|past| past.entry.seq > self.recorded.seq);
            let (seq, at) = (recorded.map_or(self.own, |past| past.entry.seq), due.at.max(self.amended.at));
            let what = G::mechanics().fate(&self.amended, &due).what;
            let finished = self.again(&Again::Due(&due), (seq, at), recorded, &[], Some(&due));
            let Ok(finished) = finished else { return };
            let last = self.amended.seq;
            self.early.extend(recorded.map(|past| past.entry.seq));
            if let Some(why) = &finished.undone {
                let line = format!("{}, {what}, is set aside: {}", minute(due.at), why.say);
                self.told.left_out.push((last, line));
            } else if recorded.is_none() {
                self.hear((last, at), &[], &finished.says);
                self.told.came.push((last, format!("{}, {what}", minute(due.at))));
            }
            self.take(finished);
            (self.amended.seq, self.amended.at) = (last, at);
        }
        let line = format!("what falls due after {SETTLE_MAX_ROUNDS} other things at {}", minute(self.amended.at));
        self.told.left_out.push((self.recorded.seq, line));
    }

    /// Does something on the amended line, and gives what it announces; what lapses is put off until an instant, where there
    /// is one.
    fn on_amended<T>(
        &mut self,
        seq: Seq,
        at: Instant,
        until: Option<Instant>,
        something: impl FnOnce(&mut Draft<'_, G>) -> T,
    ) -> Vec<Say> {
        let state = State { seq: seq.saturating_sub(1), ..self.amended.clone() };
        let recalled = Recalled { until, ..self.recalled(&[]) };
        self.dice.recall(&[]);
        let mut d = Draft::new(state, at, Doer::default(), true, &mut self.dice, [0; SALT_BYTES]);
        d.recall(recalled);
        something(&mut d);
        let mut finished = d.finish();
        let says = std::mem::take(&mut finished.says);
        self.take(finished);
        says
    }

    /// Gives the amended line the frame of the recorded one, but for what a seat is called and stands as.
    fn settle_frame(&mut self) {
        let mut frame = self.recorded.frame.clone();
        frame.aside = std::mem::take(&mut self.amended.frame.aside);
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
