//! Decides by costs so far how long to take notes, and how to begin on the next tape.
//!
//! Nothing here touches an outcome. What a step costs is a number of its own and not a time. So the same charges are
//! always played in the same way.
//!
//! Each figure says what another one costs, in processor time on two public hills, of 2024 and of 2013, on a busy
//! server. What is within 3 % is not told from noise.

/// Steps that notes are taken for at first, and at most: enough for any period that the journal can hold. 128 at first
/// costs 4 % and 3 %; 32 makes no difference.
const NOTE_MIN_STEPS: u32 = 64;
const NOTE_MAX_STEPS: u32 = 1 << 14;

/// Cycles that each step with notes must come to for them to pay. 8 and 32 make no difference.
const GAIN_FACTOR: u64 = 16;

/// How many steps are played without notes for each that was noted in vain, and half of that after the first attempt.
/// 16 and 64 make no difference on hills, and cost 5 % and 4 % on the corpus of warriors.
const PLAIN_FACTOR: u32 = 32;

/// How many steps a charge begins with without notes in any case: many are over by then. 96 makes no difference.
const FIRST_STEPS: u32 = 32;

/// How many steps a charge begins with without notes, if that is how it begins; more where notes were in vain then too.
/// 128 at least costs 3 % and 4 %, and so does 2048. Without this way to begin, hills take 30 % and 50 % longer.
const PLAIN_MIN_STEPS: u32 = 512;
const PLAIN_MAX_STEPS: u32 = 1 << 13;

/// What things cost, about a nanosecond each. A sprint at 2 or 6, or a cycle of both at 4, makes no difference.
pub(super) const STEP_COST: u64 = 9;
pub(super) const NOTE_COST: u64 = 25;
pub(super) const LOOK_COST: u64 = 100;
pub(super) const LOOK_NOTE_COST: u64 = 6;
pub(super) const DASH_COST: u64 = 15;
pub(super) const SPRINT_COST: u64 = 3;
pub(super) const TOGETHER_COST: u64 = 6;

/// What a charge does to find periods.
///
/// Notes are taken once the programs were seen to come back to where they have been, for as long as that pays. If it
/// does not, the next attempt is longer, to find longer periods, and as much later.
#[derive(Clone, Copy)]
pub(super) struct Effort {
    pub(super) note_steps: u32,
    pub(super) plain_steps: u32,
    /// What notes were taken for.
    noted_steps: u64,
    noted_cycles: u64,
    pub(super) cost: u64,
}

impl Effort {
    /// Begins with some steps without notes.
    pub(super) fn after(plain_steps: u32) -> Effort {
        Effort { note_steps: NOTE_MIN_STEPS, plain_steps, noted_steps: 0, noted_cycles: 0, cost: 0 }
    }

    /// An attempt took so many steps and came to so many cycles: whether it was worth it.
    pub(super) fn noted(&mut self, steps: u32, cycles: u64) -> bool {
        self.noted_steps += u64::from(steps);
        self.noted_cycles += cycles;
        self.cost += u64::from(steps) * NOTE_COST;
        let pays = cycles >= GAIN_FACTOR * u64::from(steps);
        if !pays {
            self.plain_steps = (self.note_steps - NOTE_MIN_STEPS / 2) * PLAIN_FACTOR;
            self.note_steps = (self.note_steps * 2).min(NOTE_MAX_STEPS);
        }
        pays
    }
}

/// What was learnt from the same programs on shorter tapes. It is whether it cost less to look for periods at once, or
/// to play on without a thought of them first.
#[derive(Default)]
pub(super) struct Experience {
    /// What the last charge cost that began with so many steps without notes, 0 or some.
    at_once: Option<u64>,
    later: Option<u64>,
    plain_steps: u32,
}

impl Experience {
    /// What to do in the next charge: each once, and then what cost less.
    pub(super) fn effort(&self) -> Effort {
        let is_later = match (self.at_once, self.later) {
            (None, _) => false,
            (Some(_), None) => true,
            (Some(at_once), Some(later)) => later < at_once,
        };
        Effort::after(if is_later { self.plain_steps.max(PLAIN_MIN_STEPS) } else { FIRST_STEPS })
    }

    /// A charge is over that began with so many steps without notes.
    pub(super) fn learn(&mut self, plain_steps: u32, effort: &Effort) {
        if plain_steps == FIRST_STEPS {
            self.at_once = Some(effort.cost);
            return;
        }
        self.later = Some(effort.cost);
        let paid = effort.noted_cycles >= GAIN_FACTOR * effort.noted_steps;
        self.plain_steps = if paid { plain_steps } else { (plain_steps * 2).min(PLAIN_MAX_STEPS) };
    }
}
