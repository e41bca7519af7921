//! Decides by what notes came to so far how long to take them, and how to begin on the next tape.
//!
//! Nothing here touches an outcome, and nothing is a time. So the same charges are always played in the same way.
//!
//! Each figure says what another one costs, in processor time on two public hills, of 2024 and of 2013, on a busy
//! server. What is within 3 % is not told from noise.

/// Steps that notes are taken for at first, and at most: enough for any period that the journal can hold. 128 at first
/// costs 4 % and 3 %; 32 makes no difference.
const NOTE_MIN_STEPS: u32 = 64;
const NOTE_MAX_STEPS: u32 = 1 << 14;

/// Cycles that each step with notes must come to for them to pay. 16 costs nothing and 2 %, 64 costs 2 % each.
const GAIN_FACTOR: u64 = 32;

/// How many steps are played without notes for each that was noted in vain, and half of that after the first attempt.
/// 32 costs 2 % and nothing.
const PLAIN_FACTOR: u32 = 16;

/// How many steps the first charge begins with without notes, and the most that one begins with. 512 or 1024 for every
/// charge cost 4 % and 7 %; to begin with 32 every time takes 23 % and 35 % longer.
const FIRST_MIN_STEPS: u32 = 512;
const FIRST_MAX_STEPS: u32 = 1 << 13;

/// What a charge does to find periods.
///
/// Notes are taken once the programs were seen to come back to where they have been, for as long as that pays. If it
/// does not, the next attempt is longer, to find longer periods, and as much later.
#[derive(Clone, Copy)]
pub(super) struct Effort {
    pub(super) note_steps: u32,
    pub(super) plain_steps: u32,
    /// How many steps the charge began with without notes.
    first_steps: u32,
    /// What notes were taken for.
    noted_steps: u64,
    noted_cycles: u64,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort::after(FIRST_MIN_STEPS)
    }
}

impl Effort {
    /// Begins with some steps without notes.
    fn after(first_steps: u32) -> Effort {
        Effort { note_steps: NOTE_MIN_STEPS, plain_steps: first_steps, first_steps, noted_steps: 0, noted_cycles: 0 }
    }

    /// For the next charge of the same programs. It begins longer without notes if they were in vain in this one, and
    /// else takes them for as long as was needed here: to begin anew with few costs 6 % and nothing.
    pub(super) fn next(&self) -> Effort {
        if self.noted_cycles >= GAIN_FACTOR * self.noted_steps {
            return Effort { note_steps: self.note_steps, ..Effort::after(self.first_steps) };
        }
        Effort::after((self.first_steps * 2).min(FIRST_MAX_STEPS))
    }

    /// An attempt took so many steps and came to so many cycles: whether it was worth it.
    pub(super) fn noted(&mut self, steps: u32, cycles: u64) -> bool {
        self.noted_steps += u64::from(steps);
        self.noted_cycles += cycles;
        let pays = cycles >= GAIN_FACTOR * u64::from(steps);
        if !pays {
            self.plain_steps = (self.note_steps - NOTE_MIN_STEPS / 2) * PLAIN_FACTOR;
            self.note_steps = (self.note_steps * 2).min(NOTE_MAX_STEPS);
        }
        pays
    }
}
