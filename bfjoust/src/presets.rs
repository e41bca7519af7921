//! The figures that a charge is played by, as a value.
//!
//! The machine holds no figure of its own. Every one of them can be amended in a room, and a preset is a set of figures
//! with a name. How many charges make a match, and how lengths are drawn, is not here: a charge is handed its length.

use std::fmt;
use std::ops::RangeInclusive;

/// Shortest tape, in cells: a flag for each side.
pub const LENGTH_MIN_CELLS: usize = 2;

/// Longest tape, in cells: far beyond any hill's, and small enough that a charge costs no memory to speak of.
pub const LENGTH_MAX_CELLS: usize = 65_536;

/// Most times that a notation may let anything be repeated: what the public hills allow, and what fits a counter.
pub const REPEAT_MAX_COUNT: u32 = 100_000;

/// Most cycles in a row that a flag may be asked to stand at zero.
pub const FLAG_MAX_CYCLES: u32 = 1000;

/// How programs are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Notation {
    /// How often `(a)*n` and `(a{b}c)%n` repeat at most, up to [`REPEAT_MAX_COUNT`]: a larger count, or a negative one,
    /// means this. Where it is 0, their signs are comments (J11).
    pub repeat_max: u32,
    /// Whether `,` idles for a cycle like `.`; else it is a comment (J60).
    pub comma_idles: bool,
}

/// What a tournament plays by. Start from a preset and change what differs; ask [`Rules::check`] before playing with
/// figures that people wrote.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Rules {
    /// The middle of the range of tape lengths, in cells with both flags (J55).
    pub length: usize,
    /// How far a length may lie from the middle, either way, in cells (J55).
    pub spread: usize,
    /// What each flag starts at (J59).
    pub flag: u8,
    /// What each cell between the flags starts at (J59).
    pub background: u8,
    /// The largest value of a cell; one more is 0, and one less than 0 is this (J59).
    pub cell_max: u8,
    /// After so many cycles without a winner both have lost (J71).
    pub cycle_limit: u64,
    /// A flag is lost when it is zero at the end of so many cycles in a row; at least 1 (J67).
    pub flag_cycles: u32,
    /// Whether each length is played twice, the second time with `+` and `-` of one side exchanged.
    pub both_polarities: bool,
    /// How programs are written.
    pub notation: Notation,
}

/// Why figures cannot be played by. Its `Display` is a sentence for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RulesError {
    /// The shortest length is under [`LENGTH_MIN_CELLS`].
    TooShort,
    /// The longest length is over [`LENGTH_MAX_CELLS`].
    TooLong,
    /// Flags or other cells start above the largest value of a cell.
    CellOverflow,
    /// A flag must be zero for no cycle at all, or for more than [`FLAG_MAX_CYCLES`].
    FlagCycles,
    /// More repetitions are allowed than [`REPEAT_MAX_COUNT`].
    Repetitions,
}

impl Rules {
    /// The rules of seed 000: lengths 151 +/- 16, flags 128 among zeros, unsigned bytes, 384000 cycles (J55, J59, J71).
    pub const fn agora() -> Rules {
        Rules {
            length: 151,
            spread: 16,
            flag: 128,
            background: 0,
            cell_max: 255,
            cycle_limit: 384_000,
            flag_cycles: 1,
            both_polarities: false,
            notation: Notation::agora(),
        }
    }

    /// The rules of today's public hills. They are lengths 10 to 30 in both polarities, 100000 cycles, and a flag lost
    /// at the second zero in a row. There are repetitions, and no idling `,`.
    pub const fn egojoust() -> Rules {
        Rules {
            length: 20,
            spread: 10,
            flag: 128,
            background: 0,
            cell_max: 255,
            cycle_limit: 100_000,
            flag_cycles: 2,
            both_polarities: true,
            notation: Notation::egojoust(),
        }
    }

    /// Every length that a charge may have, shortest first (J55: 33 values, 135 to 167).
    pub fn lengths(&self) -> RangeInclusive<usize> {
        self.length.saturating_sub(self.spread)..=self.length.saturating_add(self.spread)
    }

    /// Every setup that a match is played on when each is played once. They are the lengths, shortest first. Each comes
    /// as written and then, where the rules want it, with one side exchanged.
    pub fn setups(&self) -> impl Iterator<Item = Setup> + use<> {
        let both = self.both_polarities;
        self.lengths().flat_map(move |length| {
            [false, true].into_iter().take(if both { 2 } else { 1 }).map(move |swapped| Setup { length, swapped })
        })
    }

    /// Whether the machine can play by these figures.
    ///
    /// # Errors
    /// [`RulesError`] for tapes or cells out of bounds. Nothing is ever clamped.
    pub fn check(&self) -> Result<(), RulesError> {
        // The least length is taken without saturation: a spread beyond the middle is an error, not a length of 0.
        if self.length < LENGTH_MIN_CELLS || self.length - LENGTH_MIN_CELLS < self.spread {
            Err(RulesError::TooShort)
        } else if *self.lengths().end() > LENGTH_MAX_CELLS {
            Err(RulesError::TooLong)
        } else if self.flag > self.cell_max || self.background > self.cell_max {
            Err(RulesError::CellOverflow)
        } else if !(1..=FLAG_MAX_CYCLES).contains(&self.flag_cycles) {
            Err(RulesError::FlagCycles)
        } else if self.notation.repeat_max > REPEAT_MAX_COUNT {
            Err(RulesError::Repetitions)
        } else {
            Ok(())
        }
    }

    /// Everything here that the outcome of a charge depends on once its length and polarity are given. It is a text
    /// that is equal for equal play. With both codes, the length and the polarity it is the key of a stored outcome
    /// (J58). The range of lengths is not in it, because a wider range only asks for more lengths. The notation is in
    /// the codes.
    pub fn play_key(&self) -> String {
        let Rules { flag, background, cell_max, cycle_limit, flag_cycles, .. } = self;
        let key = format!("flag={flag} background={background} cell_max={cell_max} cycle_limit={cycle_limit}");
        // The usual figure is left out, so that outcomes stored before it was one stay good.
        if *flag_cycles == 1 { key } else { format!("{key} flag_cycles={flag_cycles}") }
    }
}

/// What one charge is played on, besides the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Setup {
    /// Cells of the tape, both flags included.
    pub length: usize,
    /// Whether `+` and `-` of the right side are exchanged.
    pub swapped: bool,
}

impl From<usize> for Setup {
    /// A tape of this length, `+` and `-` as written.
    fn from(length: usize) -> Setup {
        Setup { length, swapped: false }
    }
}

impl Notation {
    /// Plain symbols, `,` among them; everything else is a comment (J11, J60).
    pub const fn agora() -> Notation {
        Notation { repeat_max: 0, comma_idles: true }
    }

    /// Symbols with repetitions; `,` is a comment.
    pub const fn egojoust() -> Notation {
        Notation { repeat_max: REPEAT_MAX_COUNT, comma_idles: false }
    }
}

impl fmt::Display for RulesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RulesError::TooShort => {
                write!(f, "The shortest tape must have at least {LENGTH_MIN_CELLS} cells, one for each flag.")
            }
            RulesError::TooLong => write!(f, "The longest tape must have at most {LENGTH_MAX_CELLS} cells."),
            RulesError::CellOverflow => {
                write!(f, "Flags and other cells must start at or below the largest value of a cell.")
            }
            RulesError::FlagCycles => {
                write!(f, "A flag must be zero for 1 to {FLAG_MAX_CYCLES} cycles in a row to be lost.")
            }
            RulesError::Repetitions => write!(f, "Nothing can be repeated more than {REPEAT_MAX_COUNT} times."),
        }
    }
}

impl std::error::Error for RulesError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn j55_thirty_three_lengths_from_135_to_167() {
        let lengths: Vec<usize> = Rules::agora().lengths().collect();
        assert_eq!((lengths.len(), lengths[0], lengths[32]), (33, 135, 167));
        assert_eq!(Rules::agora().check(), Ok(()));
    }

    #[test]
    fn the_public_hills_have_twenty_one_lengths_from_10_to_30() {
        let lengths: Vec<usize> = Rules::egojoust().lengths().collect();
        assert_eq!((lengths.len(), lengths[0], lengths[20]), (21, 10, 30));
        assert_eq!(Rules::egojoust().check(), Ok(()));
    }

    #[test]
    fn figures_out_of_bounds_are_refused_and_those_at_the_bounds_are_not() {
        let with = |change: fn(&mut Rules)| {
            let mut rules = Rules::agora();
            change(&mut rules);
            rules.check()
        };
        assert_eq!(with(|r| r.spread = 149), Ok(()));
        assert_eq!(with(|r| r.spread = 150), Err(RulesError::TooShort));
        assert_eq!(with(|r| r.spread = usize::MAX), Err(RulesError::TooShort));
        assert_eq!(with(|r| r.length = 1), Err(RulesError::TooShort));
        assert_eq!(with(|r| r.length = LENGTH_MAX_CELLS - 16), Ok(()));
        assert_eq!(with(|r| r.length = LENGTH_MAX_CELLS - 15), Err(RulesError::TooLong));
        assert_eq!(with(|r| r.length = usize::MAX), Err(RulesError::TooLong));
        assert_eq!(with(|r| r.cell_max = 128), Ok(()));
        assert_eq!(with(|r| r.cell_max = 127), Err(RulesError::CellOverflow));
        assert_eq!(with(|r| r.flag_cycles = FLAG_MAX_CYCLES), Ok(()));
        assert_eq!(with(|r| r.flag_cycles = FLAG_MAX_CYCLES + 1), Err(RulesError::FlagCycles));
        assert_eq!(with(|r| r.flag_cycles = 0), Err(RulesError::FlagCycles));
        assert_eq!(with(|r| (r.cell_max, r.background) = (200, 201)), Err(RulesError::CellOverflow));
        assert_eq!(with(|r| r.notation.repeat_max = REPEAT_MAX_COUNT), Ok(()));
        assert_eq!(with(|r| r.notation.repeat_max = REPEAT_MAX_COUNT + 1), Err(RulesError::Repetitions));
    }

    #[test]
    fn j58_the_play_key_tells_apart_all_that_matters_and_nothing_else() {
        let key = |change: fn(&mut Rules)| {
            let mut rules = Rules::agora();
            change(&mut rules);
            rules.play_key()
        };
        let agora = Rules::agora().play_key();
        assert_eq!(key(|r| r.length = 100), agora);
        assert_eq!(key(|r| r.spread = 20), agora);
        let others = [
            key(|r| r.flag = 127),
            key(|r| r.background = 1),
            key(|r| r.cell_max = 254),
            key(|r| r.cycle_limit = 100_000),
            key(|r| r.flag_cycles = 2),
        ];
        for (index, other) in others.iter().enumerate() {
            assert_ne!(*other, agora);
            assert!(!others[..index].contains(other));
        }
    }
}
