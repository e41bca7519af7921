//! A charge for people to look at: its figures, and its pictures one after another.
//!
//! Made by the plain machine, because it is about every cycle. A trace shows what both programs do, and so what they
//! are: who is shown one is for the game around this crate to say.

use crate::charge::{Charge, Machine, Side};
use crate::presets::{Rules, Setup};
use crate::program::Program;

/// What is known of a charge when it is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statistics {
    /// How it ended.
    pub charge: Charge,
    /// The tape as it was then, both flags included, from left to right.
    pub cells: Vec<u8>,
    /// The left side.
    pub left: SideStatistics,
    /// The right side.
    pub right: SideStatistics,
}

/// What is known of one side of a charge.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SideStatistics {
    /// How far from its own flag it ever stood, in cells.
    pub furthest: usize,
    /// For each cell, from left to right, how many cycles it spent there.
    pub heat: Vec<u64>,
}

/// Plays a charge to its end, cycle by cycle.
///
/// # Panics
/// As [`crate::charge()`].
pub fn statistics(left: &Program, right: &Program, setup: Setup, rules: &Rules) -> Statistics {
    let mut machine = Machine::set_up(left, right, setup, rules);
    let mut sides = [Side::Left, Side::Right].map(|side| (side, SideStatistics::default()));
    for (_, side) in &mut sides {
        side.heat = vec![0; setup.length];
    }
    let charge = loop {
        let before = machine.cycle();
        let pointers = sides.each_ref().map(|(side, _)| machine.pointer(*side));
        let outcome = machine.step();
        if machine.cycle() > before {
            for ((side, statistics), pointer) in sides.iter_mut().zip(pointers) {
                statistics.heat[pointer as usize] += 1;
                let now = machine.pointer(*side).clamp(0, setup.length as isize - 1) as usize;
                let far = if *side == Side::Left { now } else { setup.length - 1 - now };
                statistics.furthest = statistics.furthest.max(far);
            }
        }
        if let Some(charge) = outcome {
            break charge;
        }
    };
    let [(_, left), (_, right)] = sides;
    Statistics { charge, cells: machine.cells().to_vec(), left, right }
}

/// One picture of a charge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Cycles played before it.
    pub cycle: u64,
    /// The tape, both flags included, from left to right.
    pub cells: Vec<u8>,
    /// The cells that the pointers are on, left side first; -1 or the length once one has run off.
    pub pointers: [isize; 2],
    /// The symbols that are played next, left side first; `None` at the end of a program.
    pub symbols: [Option<char>; 2],
    /// How the charge ended, in its last picture.
    pub outcome: Option<Charge>,
}

/// The pictures of a charge, from before its first cycle to its last, made as they are asked for.
///
/// # Panics
/// As [`crate::charge()`].
pub fn trace(left: &Program, right: &Program, setup: Setup, rules: &Rules) -> impl Iterator<Item = Frame> + use<> {
    let mut machine = Some(Machine::set_up(left, right, setup, rules));
    let mut outcome = None;
    let sides = [Side::Left, Side::Right];
    std::iter::from_fn(move || {
        let now = machine.as_mut()?;
        let frame = Frame {
            cycle: now.cycle(),
            cells: now.cells().to_vec(),
            pointers: sides.map(|side| now.pointer(side)),
            symbols: sides.map(|side| now.symbol(side)),
            outcome,
        };
        if outcome.is_some() {
            machine = None;
        } else {
            outcome = now.step();
        }
        Some(frame)
    })
}
