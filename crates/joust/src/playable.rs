//! Whether figures of the contract fit together: those of a challenge, of a start, and of an amendment (seed 000, J7, J45,
//! J49, J55).
//!
//! Each figure may be sound by itself, and all of them impossible. Nothing but the contract's text decides here.

use super::{
    figures, play,
    reading::{self, Figures},
    tournament::{Lengths, Play},
};
use kernel::{Refusal, display::counted, rulebook::Rulebook};

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

/// Whether there is a day on which a notice to change the contract can be done.
///
/// # Errors
///
/// A [`Refusal`] where its time is over before it has come.
pub(super) fn amendment(rules: &Rulebook) -> Result<(), Refusal> {
    let figures = Figures::of(rules);
    let (wait, window): (u64, u64) = (figures.count(&figures::WAIT_DAYS)?, figures.count(&figures::WINDOW_DAYS)?);
    if wait > window {
        let say = format!(
            "no section can be changed: a notice waits {} and can be done within {}",
            counted(wait, "day"),
            counted(window, "day")
        );
        return Err(Refusal::new(say).by("OPENING, J7").instead("contract"));
    }
    Ok(())
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
