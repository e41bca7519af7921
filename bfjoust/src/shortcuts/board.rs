//! The tape of a charge, how far it is, and what its flags are.

use crate::charge::Charge;

/// The tape and how far the charge is.
pub(super) struct Board {
    /// With one spare cell beyond each flag, for the pointer that has just run off.
    pub(super) cells: Vec<u8>,
    pub(super) cycle: u64,
    pub(super) cycle_limit: u64,
    pub(super) flag_cycles: u32,
    /// For how many cycles in a row each flag has been zero.
    pub(super) flag_zero_cycles: [u32; 2],
    /// When each flag was last changed, as far as notes are taken; too early does no harm.
    pub(super) flag_changed: [u64; 2],
    /// Whether a flag is zero now; then cycles are played one by one.
    pub(super) alarm: bool,
}

impl Board {
    /// Becomes the same as another one, in the memory that it has.
    #[inline(always)]
    pub(super) fn copy_from(&mut self, other: &Board) {
        let mut cells = std::mem::take(&mut self.cells);
        cells.clone_from(&other.cells);
        *self = Board { cells, ..*other };
    }

    /// For how many cycles in a row each flag has been zero, in bits that pointers do not have.
    #[inline(always)]
    pub(super) fn flag_zeros(&self) -> u64 {
        u64::from(self.flag_zero_cycles[0]) << 52 | u64::from(self.flag_zero_cycles[1]) << 20
    }

    /// For how long each flag has not been changed, as far as that matters.
    #[inline(always)]
    pub(super) fn flags_still(&self) -> [u32; 2] {
        self.flag_changed.map(|changed| (self.cycle - changed).min(u64::from(self.flag_cycles)) as u32)
    }

    #[inline(always)]
    pub(super) fn has_zero_flag(&self) -> bool {
        self.cells[1] == 0 || self.cells[self.cells.len() - 2] == 0
    }

    /// Losses are tested after the whole cycle (J67, J68).
    #[cold]
    pub(super) fn losses(&mut self, left_off: bool, right_off: bool) -> Option<Charge> {
        let flags = [1, self.cells.len() - 2].map(|index| self.cells[index] == 0);
        for (zero, cycles) in flags.iter().zip(&mut self.flag_zero_cycles) {
            *cycles = if *zero { *cycles + 1 } else { 0 };
        }
        self.alarm = flags[0] || flags[1];
        let [left, right] = self.flag_zero_cycles.map(|cycles| cycles >= self.flag_cycles);
        Charge::lost((left, left_off), (right, right_off), self.cycle)
    }
}
