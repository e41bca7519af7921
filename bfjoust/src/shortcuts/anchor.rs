//! Control states that were visited, and where to find them again.

use super::board::Board;
use super::fighter::Fighter;

/// Control states that are remembered. A power of two.
pub(super) const ANCHORS: usize = 256;

/// A control state that was visited.
#[derive(Clone, Copy, Default)]
pub(super) struct Anchor {
    pub(super) code: u64,
    pub(super) pointers: u64,
    /// How many notes had ever been taken; 0 for none at all.
    pub(super) noted: u64,
    pub(super) cycle: u64,
    pub(super) left_rest: u64,
    pub(super) right_rest: u64,
    /// For how long each flag had not been changed.
    pub(super) flags_still: [u32; 2],
    /// A number for what all counters were at; 0 where all were at 0.
    pub(super) counters: u64,
}

impl Anchor {
    #[inline(always)]
    pub(super) fn new(board: &Board, left: &Fighter<'_>, right: &Fighter<'_>, (noted, counters): (u64, u64)) -> Anchor {
        Anchor {
            code: (left.spot.at as u64) << 32 | right.spot.at as u64,
            // A pointer has 17 bits, and a flag is lost within 1000 cycles.
            pointers: (left.spot.pointer as u64) << 32 | right.spot.pointer as u64 | board.flag_zeros(),
            noted,
            cycle: board.cycle,
            left_rest: left.spot.rest_in_run(),
            right_rest: right.spot.rest_in_run(),
            flags_still: board.flags_still(),
            counters,
        }
    }

    /// Where it is kept, among those that counters are to be the same for, or among all.
    #[inline(always)]
    pub(super) fn place(&self, counted: bool) -> usize {
        let rests = (self.left_rest.rotate_left(32) ^ self.right_rest).wrapping_mul(0xff51_afd7_ed55_8ccd);
        let key = if counted { self.counters } else { rests };
        (mixed(self.code, self.pointers ^ key) >> (64 - ANCHORS.trailing_zeros())) as usize
    }

    #[inline(always)]
    pub(super) fn is_same(&self, other: &Anchor) -> bool {
        self.code == other.code
            && self.pointers == other.pointers
            && self.left_rest == other.left_rest
            && self.right_rest == other.right_rest
    }
}

/// A number for two, of which the upper bits are as good as random.
#[inline(always)]
pub(super) fn mixed(one: u64, other: u64) -> u64 {
    let mixed = one.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ other.wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
    mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}
