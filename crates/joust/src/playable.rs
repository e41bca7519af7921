//! Whether figures of the contract fit together: those of a challenge, and those of a start (seed 000, J45, J49, J55).
//!
//! Each figure may be sound by itself, and all of them impossible. Nothing but the contract's text decides here.

use super::{
    figures, play,
    reading::{self, Figures},
    tournament::{Lengths, Play},
};
use kernel::{Refusal, rulebook::Rulebook};

/// The figures that a challenge submitted now is played by.
///
/// # Errors
///
/// A [`Refusal`] where the contract gives none, or none that can be played.
pub(super) fn challenge(rules: &Rulebook) -> Result<(Play, Lengths), Refusal> {
    let figures = Figures::of(rules);
    figures.established(reading::CHALLENGES)?;
    let (play, lengths) = (figures.play()?, figures.lengths()?);
    figures.count::<usize>(&figures::HILL_SIZE)?;
    let mut rules = play::rules(&play);
    rules.length = lengths.middle;
    rules.spread = lengths.spread;
    let unfit = |why: String| Refusal::new(format!("no challenge can be played by these figures. {why}"));
    rules.check().map_err(|why| unfit(why.to_string()).by("CURRENT TOURNAMENT, J55"))?;
    let charges = lengths.charges + lengths.rounds.saturating_mul(lengths.all().count());
    if !(1..=figures::MATCH_MAX_CHARGES as usize).contains(&charges) {
        let most = figures::MATCH_MAX_CHARGES;
        let why = format!("A match would have {charges} charges, and it has 1 to {most}.");
        return Err(unfit(why).by("CURRENT TOURNAMENT, J49"));
    }
    Ok((play, lengths))
}

/// Whether a tournament can start.
///
/// # Errors
///
/// A [`Refusal`] where its programs do not fit on the Hill.
pub(super) fn start(rules: &Rulebook) -> Result<(), Refusal> {
    let count: usize = Figures::of(rules).count(&figures::STARTING_PROGRAMS)?;
    let size: usize = Figures::of(rules).count(&figures::HILL_SIZE)?;
    if count > size {
        return Err(Refusal::new(format!(
            "no tournament can start: its {count} programs do not fit on a Hill of {size}"
        ))
        .by("CURRENT TOURNAMENT, J46")
        .instead("contract"));
    }
    Ok(())
}
