//! What is played by: a preset, and any of its figures changed, so that a tournament with amended rules can be played
//! again.

use clap::{Args, ValueEnum};

use super::failure::Failure;
use crate::{Method, Rules, Tournament};

/// What is played by.
#[derive(Debug, Args)]
#[command(next_help_heading = "Rules")]
pub(super) struct Figures {
    /// The rules to play by, where no figure below changes them; without it, those of agora
    #[arg(long, value_enum, global = true)]
    rules: Option<Preset>,
    /// The middle of the range of lengths, in cells with both flags
    #[arg(long, value_name = "CELLS", global = true)]
    length: Option<usize>,
    /// How far a length may lie from the middle, either way
    #[arg(long, value_name = "CELLS", global = true)]
    spread: Option<usize>,
    /// What each flag starts at
    #[arg(long, value_name = "VALUE", global = true)]
    flag: Option<u8>,
    /// What each cell between the flags starts at
    #[arg(long, value_name = "VALUE", global = true)]
    background: Option<u8>,
    /// The largest value of a cell
    #[arg(long, value_name = "VALUE", global = true)]
    cell_max: Option<u8>,
    /// Cycles after which both have lost
    #[arg(long, value_name = "CYCLES", global = true)]
    limit: Option<u64>,
    /// Cycles in a row that a flag must be zero for to be lost
    #[arg(long, value_name = "CYCLES", global = true)]
    flag_cycles: Option<u32>,
    /// Whether each length is played once, or also with + and - of the right side exchanged
    #[arg(long, value_enum, global = true)]
    polarities: Option<Polarities>,
    /// Most times that (a)*n repeats; 0 for a notation without it
    #[arg(long, value_name = "COUNT", global = true)]
    repeat_max: Option<u32>,
    /// What a comma does
    #[arg(long, value_enum, global = true)]
    comma: Option<Comma>,
    /// Touches for a charge won
    #[arg(long, value_name = "TOUCHES", global = true, allow_negative_numbers = true)]
    win: Option<i64>,
    /// Touches for a charge that both lost
    #[arg(long, value_name = "TOUCHES", global = true, allow_negative_numbers = true)]
    tie: Option<i64>,
    /// Touches for a charge that only this program lost
    #[arg(long, value_name = "TOUCHES", global = true, allow_negative_numbers = true)]
    loss: Option<i64>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Preset {
    /// Those of seed 000: 135 to 167 cells, 384000 cycles
    Agora,
    /// Those of today's public hills: 10 to 30 cells in both polarities, 100000 cycles, repetitions
    Egojoust,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Polarities {
    /// Once
    One,
    /// Twice
    Both,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Comma {
    /// It idles for a cycle, as a dot does
    Idles,
    /// It is a comment, and takes no cycle
    Comment,
}

impl Figures {
    /// The tournament, if it can be played by: a preset, or else the one given, with figures changed.
    pub(super) fn tournament(&self, given: Option<Tournament>) -> Result<Tournament, Failure> {
        let Tournament { mut rules, mut scoring, mut method } = match self.rules {
            None => given.unwrap_or_else(|| Rules::agora().into()),
            Some(Preset::Agora) => Rules::agora().into(),
            Some(Preset::Egojoust) => Rules::egojoust().into(),
        };
        rules.length = self.length.unwrap_or(rules.length);
        rules.spread = self.spread.unwrap_or(rules.spread);
        rules.flag = self.flag.unwrap_or(rules.flag);
        rules.background = self.background.unwrap_or(rules.background);
        rules.cell_max = self.cell_max.unwrap_or(rules.cell_max);
        rules.cycle_limit = self.limit.unwrap_or(rules.cycle_limit);
        rules.flag_cycles = self.flag_cycles.unwrap_or(rules.flag_cycles);
        rules.both_polarities = self.polarities.map_or(rules.both_polarities, |some| some == Polarities::Both);
        rules.notation.repeat_max = self.repeat_max.unwrap_or(rules.notation.repeat_max);
        rules.notation.comma_idles = self.comma.map_or(rules.notation.comma_idles, |some| some == Comma::Idles);
        rules.check().map_err(|error| Failure::Input(error.to_string()))?;
        scoring.win = self.win.unwrap_or(scoring.win);
        scoring.tie = self.tie.unwrap_or(scoring.tie);
        scoring.loss = self.loss.unwrap_or(scoring.loss);
        if let Method::Touches(touches) = &mut method {
            *touches = scoring;
        }
        Ok(Tournament { rules, scoring, method })
    }
}
