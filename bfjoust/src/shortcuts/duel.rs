//! Two programs at play, in steps of as many cycles as need no decision.
//!
//! How a charge goes and ends by the rules stands in `charge.rs`, which plays every cycle. This comes to the same.

use std::sync::atomic::{AtomicBool, Ordering};

use super::board::Board;
use super::effort::Effort;
use super::fighter::{Fighter, Spot};
use super::journal::{Journal, Memory, Skip, Whose};
use super::stay::{Stay, cycles_to_zero};
use super::turn::play_rounds;
use crate::charge::Charge;
use crate::presets::{Rules, Setup};
use crate::program::Program;

/// Steps between two looks at whether to stop: some microseconds, so that a cancelled joust ends at once and the
/// looking costs nothing.
const CHUNK_STEPS: u32 = 512;

/// What the reaches of both come to, or more, once one has been on a cell that the other has been on.
const TOUCHING: isize = -1;

/// How a chunk ended.
#[derive(PartialEq, Eq)]
pub(super) enum End {
    /// The charge did.
    Charge(Charge),
    /// The programs are where they have been.
    Return,
    /// Nothing happened.
    Chunk,
}

/// Why a stretch of steps stopped.
enum Stop {
    /// The limit is reached.
    Limit,
    /// The programs are where they have been.
    Return,
    /// So many steps were played.
    Steps,
    /// Somebody may have lost, or, with notes taken, jumped back.
    Look { looped: bool },
    /// Somebody came to where the other has been; else as before.
    Met { looped: bool },
}

/// A charge in progress.
pub(super) struct Duel<'a, 'j> {
    pub(super) board: Board,
    pub(super) left: Fighter<'a>,
    pub(super) right: Fighter<'a>,
    pub(super) journal: &'j mut Journal,
    pub(super) effort: Effort,
    /// Whether one of the two has been where the other one has. Until then no length of the tape makes a difference.
    pub(super) met: bool,
    /// Whether it is to be looked first if somebody has lost.
    unlooked: bool,
    /// Whether both are in loops on one cell that were looked at already, while notes are taken.
    in_loops: bool,
    /// Whether the charge is kept as it was when they met, for a longer tape.
    pub(super) keeps: bool,
    meeting: Meeting<'a>,
}

/// A charge as it was when one program came to where the other had been. It moved, so that neither has touched a cell
/// of the other's yet. Up to there it is the same on every longer tape, but for where the right end is.
struct Meeting<'a> {
    board: Board,
    left: Fighter<'a>,
    right: Fighter<'a>,
    /// The first cell that the right program may have changed. What is before it, the left one may have, or nobody.
    first: usize,
}

impl<'a, 'j> Duel<'a, 'j> {
    pub(super) fn new(
        left: &'a Program,
        right: &'a Program,
        setup: Setup,
        rules: &Rules,
        journal: &'j mut Journal,
        effort: Effort,
    ) -> Duel<'a, 'j> {
        let length = setup.length;
        let Memory { tapes: [mut cells, kept], counters: [one, other, one_kept, other_kept] } =
            std::mem::take(&mut journal.memory);
        cells.clear();
        cells.resize(length + 2, rules.background);
        cells[1] = rules.flag;
        cells[length] = rules.flag;
        let board = Board {
            cells,
            cycle: 0,
            cycle_limit: rules.cycle_limit,
            flag_cycles: rules.flag_cycles,
            flag_zero_cycles: [0, 0],
            flag_changed: [0, 0],
            alarm: rules.flag == 0,
        };
        journal.begin(length + 2);
        let left = Fighter::new(left, Whose::Left, 1, false, one);
        let right = Fighter::new(right, Whose::Right, length, setup.swapped, other);
        let meeting = Meeting {
            board: Board { cells: kept, ..board },
            left: Fighter { counters: one_kept, ..left },
            right: Fighter { counters: other_kept, ..right },
            first: length,
        };
        let (met, unlooked, in_loops, keeps) = (false, false, false, false);
        Duel { board, left, right, journal, effort, met, unlooked, in_loops, keeps, meeting }
    }

    /// Begins the next charge, on a tape that is longer: from where they met on the shorter one.
    pub(super) fn lengthen(&mut self, length: usize, background: u8) {
        let Meeting { board, left, right, first } = &mut self.meeting;
        let cells = &mut board.cells;
        let before = cells.len();
        let longer = length + 2 - before;
        cells.resize(length + 2, background);
        cells.copy_within(*first..before, *first + longer);
        cells[*first..*first + longer].fill(background);
        *first += longer;
        right.spot.pointer += longer;
        right.reach -= longer as isize;
        self.journal.begin(length + 2);
        self.board.copy_from(board);
        self.left.copy_from(left);
        self.right.copy_from(right);
        self.effort = self.effort.next();
        // They may have met there for this tape, too.
        self.met = left.reach + right.reach >= TOUCHING;
        self.unlooked = true;
        self.in_loops = false;
    }

    /// Leaves its memory to those that come.
    pub(super) fn retire(self) {
        let Duel { board, left, right, journal, meeting: kept, .. } = self;
        journal.memory = Memory {
            tapes: [board.cells, kept.board.cells],
            counters: [left, right, kept.left, kept.right].map(|fighter| fighter.counters),
        };
    }

    /// Keeps the charge as it is now that one program has come to where the other has been: see [`Meeting`].
    #[cold]
    fn meet(&mut self) {
        self.met = true;
        // What it moved over it has not touched: how far each had been before is what it changed.
        self.meeting.first = !self.right.reach as usize;
        (self.left.reach, self.right.reach) = (self.left.reach_now(), self.right.reach_now());
        if self.keeps {
            self.meeting.board.copy_from(&self.board);
            self.meeting.left.copy_from(&self.left);
            self.meeting.right.copy_from(&self.right);
        }
    }

    /// Plays to the end, or gives `None` soon after `cancel` is set.
    pub(super) fn finish(&mut self, cancel: &AtomicBool) -> Option<Charge> {
        if self.unlooked
            && let Some(outcome) = self.lost()
        {
            return Some(outcome);
        }
        while !cancel.load(Ordering::Relaxed) {
            let plain_steps = self.effort.plain_steps;
            let end = if plain_steps > 0 && self.met {
                self.effort.plain_steps = plain_steps.saturating_sub(CHUNK_STEPS);
                self.dash(CHUNK_STEPS.min(plain_steps))
            } else {
                let mut steps = CHUNK_STEPS;
                let end = self.run::<false>(&mut steps, plain_steps > 0);
                self.effort.plain_steps = plain_steps.saturating_sub(CHUNK_STEPS - steps);
                end
            };
            match end {
                End::Charge(outcome) => return Some(outcome),
                End::Chunk => {}
                End::Return => {
                    self.journal.attend(&self.left, &self.right);
                    loop {
                        let before = self.board.cycle;
                        let mut steps = self.effort.note_steps;
                        let end = self.run::<true>(&mut steps, false);
                        let pays = self.effort.noted(self.effort.note_steps - steps, self.board.cycle - before);
                        if let End::Charge(outcome) = end {
                            return Some(outcome);
                        }
                        self.journal.tidy();
                        if !pays || cancel.load(Ordering::Relaxed) {
                            break;
                        }
                    }
                    self.journal.forget();
                }
            }
        }
        None
    }

    /// Plays some steps, or to the end. `NOTE` says whether it is noted in the journal; if not, play stops where
    /// the programs have been before, unless it is to go `on`.
    #[inline(never)]
    fn run<const NOTE: bool>(&mut self, steps: &mut u32, on: bool) -> End {
        loop {
            match self.stretch::<NOTE>(steps, !on) {
                Stop::Limit => return End::Charge(Charge::cap(self.board.cycle_limit)),
                Stop::Return => return End::Return,
                Stop::Steps => return End::Chunk,
                stop @ (Stop::Look { looped } | Stop::Met { looped }) => {
                    if matches!(stop, Stop::Met { .. }) {
                        self.meet();
                    }
                    if let Some(outcome) = self.lost() {
                        return End::Charge(outcome);
                    }
                    if on && self.met {
                        // Now that they have met there is a cheaper way to go on.
                        return End::Chunk;
                    }
                    if !looped {
                        continue;
                    }
                    let (board, left, right) = (&mut self.board, &mut self.left, &mut self.right);
                    if NOTE {
                        if self.journal.control_point(board, left, right) == Skip::ToTheCap {
                            board.cycle = board.cycle_limit;
                            return End::Charge(Charge::cap(board.cycle_limit));
                        }
                    } else if !on && self.journal.was_here(&left.spot, &right.spot) {
                        return End::Return;
                    }
                }
            }
        }
    }

    /// Whether somebody has lost.
    pub(super) fn lost(&mut self) -> Option<Charge> {
        let board = &mut self.board;
        let off = |spot: &Spot| spot.pointer == 0 || spot.pointer == board.cells.len() - 1;
        let (left_off, right_off) = (off(&self.left.spot), off(&self.right.spot));
        if !left_off && !right_off && !board.has_zero_flag() && !board.alarm {
            return None;
        }
        board.losses(left_off, right_off)
    }

    /// Plays steps until there is something to look at.
    fn stretch<const NOTE: bool>(&mut self, steps: &mut u32, look_back: bool) -> Stop {
        let mut cells = std::mem::take(&mut self.board.cells);
        let tape = &mut cells[..];
        let last = tape.len() - 2;
        let (limit, alarm, tracked) = (self.board.cycle_limit, self.board.alarm, !self.met);
        let stop = loop {
            if *steps == 0 {
                break Stop::Steps;
            }
            if self.board.cycle >= limit {
                break Stop::Limit;
            }
            *steps -= 1;
            let is_long = self.left.spot.is_long() & self.right.spot.is_long() && !alarm;
            let (mut done, mut looped) = if is_long { self.long::<NOTE>(tape) } else { (false, false) };
            if NOTE && !done {
                let in_loops = self.left.spot.head.is_in_still_loop() & self.right.spot.head.is_in_still_loop();
                if in_loops & !self.in_loops & !alarm {
                    let Duel { board, left, right, journal, .. } = self;
                    done = play_rounds::<true>((board, tape), left, right, journal);
                    looped = done;
                }
                self.in_loops = in_loops;
            }
            if !done {
                looped = self.single::<NOTE>(tape, last);
            }
            if tracked {
                let (one, other) = (self.left.reach_now(), self.right.reach_now());
                if one + other >= TOUCHING {
                    break Stop::Met { looped };
                }
                (self.left.reach, self.right.reach) = (one, other);
            }
            let (one, other) = (self.left.spot.pointer, self.right.spot.pointer);
            let off = (one == 0) | (one > last) | (other == 0) | (other > last);
            if off | (tape[1] == 0) | (tape[last] == 0) | alarm {
                break Stop::Look { looped };
            }
            if NOTE && looped {
                break Stop::Look { looped };
            }
            if !NOTE && looped && look_back && self.journal.was_here(&self.left.spot, &self.right.spot) {
                break Stop::Return;
            }
        };
        self.board.cells = cells;
        stop
    }

    /// Plays one cycle, and says whether somebody jumped back.
    #[inline(always)]
    fn single<const NOTE: bool>(&mut self, tape: &mut [u8], last: usize) -> bool {
        let Duel { board, left, right, journal, .. } = self;
        let (one, other) = (&mut left.spot, &mut right.spot);
        let (one_add, other_add) = (left.signs.add(one.head), right.signs.add(other.head));
        let (one_cell, other_cell) = (one.pointer, other.pointer);
        let (one_value, other_value) = (tape[one_cell], tape[other_cell]);
        if NOTE {
            if one.head.is_bracket() {
                journal.test(one_cell, one_value);
            }
            if other.head.is_bracket() {
                journal.test(other_cell, other_value);
            }
            let one_flag = (one_add != 0) & ((one_cell == 1) | (one_cell == last));
            let other_flag = (other_add != 0) & ((other_cell == 1) | (other_cell == last));
            if one_flag | other_flag {
                note_flags([(one_cell, one_add), (other_cell, other_add)], tape, 1, board, journal);
            }
            if one_add != 0 {
                journal.add(one_cell, one_add);
            }
            if other_add != 0 {
                journal.add(other_cell, other_add);
            }
        }
        // Both comparisons are with the values above, before both additions (J62), which add up (J63).
        tape[one_cell] = one_value.wrapping_add(one_add);
        tape[other_cell] = tape[other_cell].wrapping_add(other_add);
        board.cycle += 1;
        left.signs.advance_one(&mut left.spot);
        right.signs.advance_one(&mut right.spot);
        left.turn::<NOTE>(one_value == 0, journal) | right.turn::<NOTE>(other_value == 0, journal)
    }

    /// Plays as many cycles as both programs have of a run or a loop of one run. Says whether there were any and
    /// whether somebody jumped back.
    #[inline(never)]
    fn long<const NOTE: bool>(&mut self, tape: &mut [u8]) -> (bool, bool) {
        let Duel { board, left, right, journal, .. } = self;
        let last = tape.len() - 2;
        let limit = board.cycle_limit;
        let (one, other) = (left.spot, right.spot);
        let (one_add, other_add) = (left.signs.add(one.head), right.signs.add(other.head));
        if one.head.is_tight() | other.head.is_tight() {
            let one_stay = Stay::of::<NOTE>(left, (&other, other_add), tape);
            let other_stay = Stay::of::<NOTE>(right, (&one, one_add), tape);
            let cycles = one_stay.cycles.min(other_stay.cycles).min(limit - board.cycle);
            if cycles > 0 {
                let one_looped = one_stay.play::<NOTE>(left, tape, cycles, journal);
                let other_looped = other_stay.play::<NOTE>(right, tape, cycles, journal);
                board.cycle += cycles;
                return (true, one_looped | other_looped);
            }
            if (one.rest == 1) | (other.rest == 1) {
                return (false, false);
            }
        }
        // Both within a run: nothing can happen but at the end of the shorter one.
        if one.head.is_end() && other.head.is_end() {
            board.cycle = limit;
            return (true, false);
        }
        let mut cycles = one.rest.min(other.rest).min(limit - board.cycle);
        cycles = cycles.min(left.signs.room(&one, 0, last + 1)).min(right.signs.room(&other, 0, last + 1));
        let sides = [(one.pointer, one_add), (other.pointer, other_add)];
        // A flag that is changed in every cycle is zero for one at a time. Where two in a row lose it, that is nothing.
        if board.flag_cycles == 1 {
            for (flag, add) in flags_changed(sides, last) {
                cycles = cycles.min(cycles_to_zero(tape[flag], add));
            }
        }
        if NOTE {
            note_flags(sides, tape, cycles, board, journal);
        }
        for (cell, add) in sides {
            if add != 0 {
                let sum = add.wrapping_mul(cycles as u8);
                tape[cell] = tape[cell].wrapping_add(sum);
                if NOTE {
                    journal.add(cell, sum);
                }
            }
        }
        board.cycle += cycles;
        left.signs.advance(&mut left.spot, cycles);
        right.signs.advance(&mut right.spot, cycles);
        // No run is a bracket, so whether the cell was zero is nothing to it.
        (true, left.turn::<NOTE>(false, journal) | right.turn::<NOTE>(false, journal))
    }
}

/// The flags that a cycle changes, and what it adds to them. Each side tells its cell, and what it adds.
fn flags_changed(sides: [(usize, u8); 2], last: usize) -> impl Iterator<Item = (usize, u8)> {
    // What both do adds up, perhaps to nothing (J63).
    let adds = move |flag| sides.map(|(cell, add)| if cell == flag { add } else { 0 });
    let sums = [1, last].map(|flag| (flag, adds(flag)[0].wrapping_add(adds(flag)[1])));
    sums.into_iter().filter(|&(_, add)| add != 0)
}

/// Notes what must not be zero for flags that are about to be changed to be lost in no cycle.
fn note_flags(sides: [(usize, u8); 2], tape: &[u8], cycles: u64, board: &mut Board, journal: &mut Journal) {
    let (cycle, flag_cycles) = (board.cycle, u64::from(board.flag_cycles));
    for (flag, add) in flags_changed(sides, tape.len() - 2) {
        let value = tape[flag];
        if flag_cycles == 1 {
            journal.span(flag, value, add, cycles);
            continue;
        }
        // Only what a flag stays at for long enough matters, and while it is being changed it stays at nothing.
        let changed = &mut board.flag_changed[usize::from(flag != 1)];
        if cycle - *changed >= flag_cycles - 1 {
            journal.test(flag, value);
        }
        *changed = cycle + cycles;
    }
}
