//! Notes on the latest cycles, and how often they are sure to repeat themselves.
//!
//! A *control state* is where both programs are: their instructions and their pointers. When one comes back, the notes
//! between its two visits are one *period*. What either program does next depends on nothing but its control state and
//! on answers. Was the cell under a bracket zero, was a counter at its end, was a flag zero after an addition? As long
//! as every answer in the next period is what it was in the last one, that period is the same instructions over again.
//! So it adds to each cell what the last one added (modulo 256) and to each counter likewise. So if a cell that was
//! tested as `v` has `d` added in a period, the test reads `v + j * d` in the `j`-th repetition. The answer "not zero"
//! holds until the first `j` where that is zero; the answer "zero" holds only for `d = 0`. The smallest such bound over
//! all notes and over the counters is how many repetitions are played at once. Nothing is guessed. A state must come
//! back with the runs that both are within as they were, and with a counter as it was that was started anew meanwhile.
//!
//! What is skipped is noted too, as the set of values that each cell was tested at. So a period may itself contain
//! skipped periods: loops within loops are skipped at every level.

use super::anchor::{ANCHORS, Anchor, mixed};
use super::board::Board;
use super::fighter::{Fighter, Spot};
use super::values::{Values, repeats_not_zero};
use crate::code::{Ins, Op};

/// Most notes that are kept: enough for any period worth finding, and few enough to stay near the processor.
const NOTES_MAX_COUNT: usize = 1 << 15;

/// The same while no notes are taken. A power of two.
const SEEN: usize = 512;

/// Whose counter it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Whose {
    Left,
    Right,
}

/// What a control point found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Skip {
    /// Nothing, or it is skipped already.
    Done,
    /// Nothing will change any more before the limit.
    ToTheCap,
}

#[derive(Clone, Copy)]
enum Note {
    /// A cell was tested and was not zero.
    NotZero { cell: u32, value: u8 },
    /// A cell was tested and was zero.
    Zero { cell: u32 },
    /// Something was added to a cell.
    Add { cell: u32, sum: u8 },
    /// A flag was not zero after each of `last + 1` additions to `value`.
    Span { cell: u32, value: u8, add: u8, last: u8 },
    /// A cell was tested at each value of a set, and was never zero.
    Values { cell: u32, set: u32 },
    /// A counter was started.
    Start { whose: Whose, at: u32 },
    /// A counter stood at `value` at a counted jump, which was taken or not.
    Jump { whose: Whose, taken: bool, at: u32, value: u32 },
}

/// The notes, and the control states among them. One serves many charges.
pub(super) struct Journal {
    notes: Vec<Note>,
    sets: Vec<Values>,
    /// Periods that were repeated, each from its first cycle to its last. What is noted of the repetitions is what
    /// moves; the rest stands in the notes of the period, so that nothing longer may begin within one.
    repeated: Vec<(u64, u64)>,
    /// Notes that were ever taken and are no longer kept.
    forgotten: u64,
    anchors: Box<[Anchor; ANCHORS]>,
    /// The same, found again only where all counters stand as they stood. That is the periods of a loop around a
    /// counted one, which comes back to the others within it.
    counted: Box<[Anchor; ANCHORS]>,
    /// The control state that is kept for periods too long for the others: replaced ever more rarely.
    lasting: Anchor,
    control_points: u64,
    lasting_until: u64,
    /// A number for each control state that was seen while no notes were taken.
    seen: Box<[u64; SEEN]>,
    /// The sum of all counters, each times a weight of its own: a number for what they are at. It is kept while notes
    /// are taken, because real programs have a hundred of them.
    counters: u64,
    /// Notes looked at, to be kept below those taken.
    looked: u64,
    sums: Sums,
    /// Of each cell that a period adds to, the values that it was tested at; empty but while something is skipped.
    tested: Vec<Values>,
    pub(super) memory: Memory,
}

/// Memory of charges that are over: it takes longer to ask for it than many a charge to be played.
#[derive(Default)]
pub(super) struct Memory {
    pub(super) tapes: [Vec<u8>; 2],
    pub(super) counters: [Vec<u32>; 4],
}

impl Default for Journal {
    fn default() -> Journal {
        Journal {
            notes: Vec::new(),
            sets: Vec::new(),
            repeated: Vec::new(),
            forgotten: 1,
            anchors: Box::new([Anchor::default(); ANCHORS]),
            counted: Box::new([Anchor::default(); ANCHORS]),
            lasting: Anchor::default(),
            control_points: 0,
            lasting_until: 0,
            seen: Box::new([0; SEEN]),
            counters: 0,
            looked: 0,
            sums: Sums::default(),
            tested: Vec::new(),
            memory: Memory::default(),
        }
    }
}

/// What a period adds to each cell.
#[derive(Default)]
struct Sums {
    sums: Vec<u8>,
    /// The cells that a period adds to, each once; the others have 0.
    cells: Vec<u32>,
    known: Vec<bool>,
}

/// What is known of a counter in a period.
#[derive(Clone, Copy)]
struct Counted {
    whose: Whose,
    slot: usize,
    /// What the period adds to it; `None` where it is started before it is asked.
    delta: Option<i64>,
}

impl Journal {
    /// Begins a charge on so many cells.
    pub(super) fn begin(&mut self, cells: usize) {
        self.forget();
        (self.looked, self.control_points, self.lasting_until) = (self.forgotten, 0, 16);
        if self.tested.len() < cells {
            self.sums.sums.resize(cells, 0);
            self.sums.known.resize(cells, false);
            self.tested.resize(cells, Values::default());
        }
    }

    /// Makes room when there are too many notes.
    pub(super) fn tidy(&mut self) {
        if self.notes.len() > NOTES_MAX_COUNT {
            self.forget();
        }
    }

    /// Drops all notes, and with them all control states.
    pub(super) fn forget(&mut self) {
        self.forgotten += self.notes.len() as u64 + 1;
        self.notes.clear();
        self.sets.clear();
        self.repeated.clear();
    }

    #[inline(always)]
    pub(super) fn test(&mut self, cell: usize, value: u8) {
        let cell = cell as u32;
        self.notes.push(if value == 0 { Note::Zero { cell } } else { Note::NotZero { cell, value } });
    }

    #[inline(always)]
    pub(super) fn add(&mut self, cell: usize, sum: u8) {
        self.notes.push(Note::Add { cell: cell as u32, sum });
    }

    /// A flag that is added to in each of some cycles, and is not zero after any of them, or else the charge is over.
    pub(super) fn span(&mut self, cell: usize, value: u8, add: u8, cycles: u64) {
        // After 256 additions a cell has been all that it will be.
        let last = cycles.min(256) - 1;
        self.notes.push(Note::Span { cell: cell as u32, value, add, last: last as u8 });
    }

    /// A cell was tested at `value`, and so often in all, each time with `sum` more. Only where `sum` is 0 it was zero.
    pub(super) fn tests(&mut self, cell: usize, value: u8, sum: u8, times: u64) {
        if sum == 0 {
            self.test(cell, value);
        } else {
            self.span(cell, value.wrapping_sub(sum), sum, times);
        }
    }

    /// A counted jump was taken again and again while its counter went from one number to the other.
    pub(super) fn turns(&mut self, whose: Whose, at: usize, (before, after): (u32, u32), ins: &Ins) {
        self.counted(whose, ins.slot(), i64::from(after) - i64::from(before));
        let last = if after > before { after - 1 } else { after + 1 };
        for value in std::iter::once(before).chain((last != before).then_some(last)) {
            self.notes.push(Note::Jump { whose, at: at as u32, value, taken: true });
        }
    }

    /// Notes will be taken from now on.
    pub(super) fn attend(&mut self, left: &Fighter<'_>, right: &Fighter<'_>) {
        self.forget();
        self.counters = 0;
        for fighter in [left, right] {
            for (slot, &counter) in fighter.counters.iter().enumerate() {
                self.counted(fighter.whose, slot, counter.into());
            }
        }
    }

    /// A counter has grown by so much.
    #[inline(always)]
    fn counted(&mut self, whose: Whose, slot: usize, delta: i64) {
        self.counters = self.counters.wrapping_add(mixed(slot as u64, 1 + whose as u64).wrapping_mul(delta as u64));
    }

    /// A counted jump that is reached with its counter at `value`, and leaves it at `then`.
    #[inline(always)]
    pub(super) fn count(&mut self, whose: Whose, at: usize, (value, then): (u32, u32), ins: &Ins) {
        self.counted(whose, ins.slot(), i64::from(then) - i64::from(value));
        let at = at as u32;
        self.notes.push(match ins.op() {
            Op::Again => Note::Jump { whose, at, value, taken: value < ins.n() },
            Op::Down => Note::Jump { whose, at, value, taken: value > 1 },
            _ => Note::Start { whose, at },
        });
    }

    /// A program has just jumped back while no notes are taken. Says whether both have been here lately, as far as a
    /// number for each place tells. No answer is wrong, because it only says when notes are worth taking.
    #[inline(always)]
    pub(super) fn was_here(&mut self, left: &Spot, right: &Spot) -> bool {
        let code = (left.at as u64) << 32 | right.at as u64;
        let pointers = (left.pointer as u64) << 32 | right.pointer as u64;
        // Old places count for nothing once all was forgotten.
        let mixed = mixed(code, pointers ^ self.forgotten << 20);
        std::mem::replace(&mut self.seen[(mixed >> (64 - SEEN.trailing_zeros())) as usize], mixed) == mixed
    }

    /// What may be the same as here: with the same counters, which is the longer period, with any, and the lasting one.
    #[inline(always)]
    fn known(&self, here: &Anchor) -> [&Anchor; 3] {
        let (counted, any) = (&self.counted[here.place(true)], &self.anchors[here.place(false)]);
        [if here.counters != 0 && counted.counters == here.counters { counted } else { any }, any, &self.lasting]
    }

    #[inline(always)]
    fn remember(&mut self, here: &Anchor) {
        if here.counters != 0 {
            self.counted[here.place(true)] = *here;
        }
        self.anchors[here.place(false)] = *here;
        self.control_points += 1;
        if self.control_points >= self.lasting_until {
            self.lasting_until = self.control_points * 2;
            self.lasting = *here;
        }
    }

    /// A program has just jumped back: if both have been here before, skips what is sure to be repeated.
    #[inline]
    pub(super) fn control_point<'a>(
        &mut self,
        board: &mut Board,
        left: &mut Fighter<'a>,
        right: &mut Fighter<'a>,
    ) -> Skip {
        let here = self.here(board, left, right);
        let mut tried = 0;
        for known in self.known(&here).map(|known| *known) {
            if known.noted == tried || !known.is_same(&here) {
                continue;
            }
            tried = known.noted;
            if let Some(skip) = self.repeat(&known, board, left, right) {
                let here = self.here(board, left, right);
                self.remember(&here);
                return skip;
            }
        }
        self.remember(&here);
        Skip::Done
    }

    #[inline(always)]
    fn here(&self, board: &Board, left: &Fighter<'_>, right: &Fighter<'_>) -> Anchor {
        Anchor::new(board, left, right, (self.noted(), self.counters))
    }

    /// How many notes were ever taken.
    #[inline(always)]
    fn noted(&self) -> u64 {
        self.forgotten + self.notes.len() as u64
    }

    /// Skips what is sure to be repeated since a visit, and says so; `None` if nothing is, or too little.
    fn repeat<'a>(
        &mut self,
        since: &Anchor,
        board: &mut Board,
        left: &mut Fighter<'a>,
        right: &mut Fighter<'a>,
    ) -> Option<Skip> {
        let first = since.noted.checked_sub(self.forgotten)? as usize;
        let earlier = self.repeated.partition_point(|&(from, _)| from < since.cycle);
        if earlier > 0 && since.cycle <= self.repeated[earlier - 1].1 {
            return None;
        }
        let notes = (self.notes.len() - first) as u64;
        let period = board.cycle - since.cycle;
        let times = (board.cycle_limit - board.cycle) / period + 1;
        // What looking costs stays in proportion to what playing costs.
        if self.looked > self.noted() {
            return None;
        }
        self.looked += notes;
        // A flag may be changed as long before the end of the period as before its beginning. Then the notes tell all
        // that it stays at for long, also from one repetition to the next.
        let flags_still = board.flags_still();
        let flags = [0, 1].map(|flag| board.flag_cycles == 1 || since.flags_still[flag] != flags_still[flag]);
        let times = self.times(first, times, flags, board, left, right)?;
        // Play goes on with flags that are not zero, unless they were so a period earlier too. What they stay at in the
        // end is noted only by what comes then.
        let would_be = |times: u64| {
            [1, board.cells.len() - 2]
                .map(|flag| board.cells[flag].wrapping_add(self.sums.of(flag as u32).wrapping_mul(times as u8)))
        };
        let now = would_be(0);
        let is_sure = |&times: &u64| now.into_iter().zip(would_be(times)).all(|(now, then)| now == 0 || then != 0);
        let sure = |most: u64| (1..=most).rev().find(is_sure);
        let times = sure(times)?;
        if times > (board.cycle_limit - board.cycle) / period {
            return Some(Skip::ToTheCap);
        }
        self.skip(first, times, flags, board, left, right);
        self.repeated.truncate(self.repeated.partition_point(|&(from, _)| from < since.cycle));
        self.repeated.push((since.cycle, board.cycle));
        for changed in &mut board.flag_changed {
            if *changed > since.cycle {
                *changed += times * period;
            }
        }
        board.cycle += times * period;
        Some(Skip::Done)
    }

    /// How many times, up to `times`, what is noted from `first` on is sure to be repeated; `None` for not at all.
    fn times(
        &mut self,
        first: usize,
        mut times: u64,
        flags: [bool; 2],
        board: &Board,
        left: &Fighter<'_>,
        right: &Fighter<'_>,
    ) -> Option<u64> {
        let period = &self.notes[first..];
        let counts = self.sums.take(period);
        if self.sums.all_are_zero() && !counts {
            return Some(times);
        }
        // What a flag is at the end of each repetition.
        for (flag, asked) in [1, board.cells.len() - 2].into_iter().zip(flags) {
            let (value, sum) = (board.cells[flag], self.sums.of(flag as u32));
            if value != 0 && !asked {
                continue;
            }
            times = times.min(if value == 0 { repeats_if(sum == 0) } else { repeats_not_zero(value, sum) });
        }
        if times == 0 {
            return None;
        }
        let mut counted: Vec<Counted> = Vec::new();
        for note in period {
            times = times.min(match *note {
                Note::Add { .. } => continue,
                Note::NotZero { cell, value } => repeats_not_zero(value, self.sums.of(cell)),
                Note::Zero { cell } => repeats_if(self.sums.of(cell) == 0),
                Note::Span { cell, value, add, last } => match self.sums.of(cell) {
                    0 => u64::MAX,
                    sum => Values::span(value, add, last).repeats(sum),
                },
                Note::Values { cell, set } => match self.sums.of(cell) {
                    0 => u64::MAX,
                    sum => self.sets[set as usize].repeats(sum),
                },
                Note::Start { whose, at } => {
                    let fighter = if whose == Whose::Left { left } else { right };
                    let slot = fighter.code[at as usize].slot();
                    match Counted::find(&counted, whose, slot) {
                        Some(known) => repeats_if(known.delta.unwrap_or(0) == 0),
                        None => {
                            counted.push(Counted { whose, slot, delta: None });
                            u64::MAX
                        }
                    }
                }
                Note::Jump { whose, taken, at, value } => {
                    let fighter = if whose == Whose::Left { left } else { right };
                    let ins = &fighter.code[at as usize];
                    let slot = ins.slot();
                    let known = Counted::find(&counted, whose, slot).unwrap_or_else(|| {
                        let delta = Some(i64::from(fighter.counters[slot]) - i64::from(value));
                        let known = Counted { whose, slot, delta };
                        counted.push(known);
                        known
                    });
                    known.repeats(ins, taken, value)
                }
            });
            if times == 0 {
                return None;
            }
        }
        Some(times)
    }

    /// Does and notes what `times` repetitions come to, apart from the time they take.
    fn skip<'a>(
        &mut self,
        first: usize,
        times: u64,
        flags: [bool; 2],
        board: &mut Board,
        left: &mut Fighter<'a>,
        right: &mut Fighter<'a>,
    ) {
        let end = self.notes.len();
        for note in &self.notes[first..end] {
            let cell = match *note {
                Note::NotZero { cell, .. } | Note::Span { cell, .. } | Note::Values { cell, .. } => cell,
                _ => continue,
            };
            if self.sums.of(cell) == 0 {
                continue;
            }
            let tested = &mut self.tested[cell as usize];
            match *note {
                Note::NotZero { value, .. } => tested.insert(value),
                Note::Span { value, add, last, .. } => tested.unite(&Values::span(value, add, last)),
                Note::Values { set, .. } => tested.unite(&self.sets[set as usize]),
                _ => {}
            }
        }
        // What a flag stays at from one repetition to the next.
        for (flag, asked) in [1, board.cells.len() - 2].into_iter().zip(flags) {
            let (value, cell) = (board.cells[flag], flag as u32);
            if self.sums.of(cell) != 0 && asked {
                self.notes.push(Note::NotZero { cell, value });
                self.tested[flag].insert(value);
            }
        }
        for &cell in &self.sums.cells {
            let sum = self.sums.of(cell);
            if sum == 0 {
                continue;
            }
            let tested = std::mem::take(&mut self.tested[cell as usize]);
            if !tested.is_empty() {
                self.notes.push(Note::Values { cell, set: self.sets.len() as u32 });
                self.sets.push(tested.repeated(sum, times));
            }
            let sum = sum.wrapping_mul(times as u8);
            board.cells[cell as usize] = board.cells[cell as usize].wrapping_add(sum);
            self.notes.push(Note::Add { cell, sum });
        }
        // A counter that the period moves is asked in each repetition. The first one tells where it stood at the
        // beginning, to whatever longer period begins here; the last one how far it goes.
        let mut moved: Vec<Counted> = Vec::new();
        let asked = if times == 1 { &[1][..] } else { &[1, times][..] };
        for &time in asked {
            for place in first..end {
                let (whose, taken, at, value) = match self.notes[place] {
                    Note::Start { whose, at } => (whose, None, at, 0),
                    Note::Jump { whose, taken, at, value } => (whose, Some(taken), at, value),
                    _ => continue,
                };
                let fighter = if whose == Whose::Left { &*left } else { &*right };
                let slot = fighter.code[at as usize].slot();
                let known = Counted::find(&moved, whose, slot).unwrap_or_else(|| {
                    let delta = taken.map(|_| i64::from(fighter.counters[slot]) - i64::from(value));
                    let known = Counted { whose, slot, delta };
                    moved.push(known);
                    known
                });
                if let (Some(taken), Some(delta @ (1.. | ..=-1))) = (taken, known.delta) {
                    let value = (i64::from(value) + delta * time as i64) as u32;
                    self.notes.push(Note::Jump { whose, taken, at, value });
                }
            }
        }
        for Counted { whose, slot, delta } in moved {
            let fighter = if whose == Whose::Left { &mut *left } else { &mut *right };
            let sum = delta.unwrap_or(0) * times as i64;
            let counter = &mut fighter.counters[slot];
            *counter = (i64::from(*counter) + sum) as u32;
            self.counted(whose, slot, sum);
        }
    }
}

impl Sums {
    /// Adds up what a period adds to each cell, and says whether it moves counters.
    fn take(&mut self, period: &[Note]) -> bool {
        for cell in self.cells.drain(..) {
            self.sums[cell as usize] = 0;
            self.known[cell as usize] = false;
        }
        let mut counts = false;
        for note in period {
            match *note {
                Note::Add { cell, sum } => {
                    let index = cell as usize;
                    if !self.known[index] {
                        self.known[index] = true;
                        self.cells.push(cell);
                    }
                    self.sums[index] = self.sums[index].wrapping_add(sum);
                }
                Note::Start { .. } | Note::Jump { .. } => counts = true,
                _ => {}
            }
        }
        counts
    }

    fn of(&self, cell: u32) -> u8 {
        self.sums[cell as usize]
    }

    fn all_are_zero(&self) -> bool {
        self.cells.iter().all(|&cell| self.of(cell) == 0)
    }
}

impl Counted {
    fn find(counted: &[Counted], whose: Whose, slot: usize) -> Option<Counted> {
        counted.iter().copied().find(|known| known.whose == whose && known.slot == slot)
    }

    /// How often a counted jump that was asked at `value` gives the same answer.
    fn repeats(&self, ins: &Ins, taken: bool, value: u32) -> u64 {
        let below = u64::from(ins.n()).saturating_sub(u64::from(value) + 1);
        match (self.delta.unwrap_or(0), taken, ins.op()) {
            (0, ..) => u64::MAX,
            (_, false, _) => 0,
            (up @ 1.., true, Op::Again) => below / up as u64,
            (down @ ..=-1, true, Op::Down) => u64::from(value).saturating_sub(2) / down.unsigned_abs(),
            _ => u64::MAX,
        }
    }
}

fn repeats_if(same: bool) -> u64 {
    if same { u64::MAX } else { 0 }
}
