//! The end of the game (S93 to S95): an instant that the rules give, or the consent of all players.
//!
//! After it nothing in the gamestate changes; displays stay. Consent is given in `players`.

use serde::{Deserialize, Serialize};

use super::{
    figures::GAME_END,
    game::{D, Spacenomic},
    law::Thing,
    phases,
};
use kernel::{
    Instant, Mechanic, Phase, Refusal, Row, State,
    entry::Due,
    frame::ClockMode,
    mechanic::{Fate, Lapse},
    speech::Speech,
    time::minute,
};

/// The key of the end by the clock.
const KEY: &str = "end";

// ---- the mechanic

/// The end as a mechanic.
pub(super) fn mechanic() -> Mechanic<Spacenomic> {
    Mechanic::new("end")
        .by(Thing::End.word())
        .table::<End>()
        .bars(|d| in_play(d))
        .rests(|state| is_over(state).is_some())
        .phase(Phase::new(phases::END, next_due, |_, d| due(d)).lapse(|_, d| due(d)).fate(|_, _| fate()))
}

// ---- state

/// That the game is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(super) struct End {
    /// Since when.
    since: Instant,
}

impl Row<Spacenomic> for End {
    type Key = ();
    const TABLE: &'static str = "end";

    fn told((): &(), _: Option<&Self>, is: Option<&Self>, _: &State<Spacenomic>) -> String {
        is.map_or_else(|| "the game goes on".to_owned(), |end| format!("the game is over since {}", minute(end.since)))
    }
}

/// Since when the game is over.
pub(super) fn is_over(state: &State<Spacenomic>) -> Option<Instant> {
    state.row::<End>(&()).map(|end| end.since)
}

/// The instant at which the rules let it end.
pub(super) fn instant(state: &State<Spacenomic>) -> Option<Instant> {
    Thing::End.is_in(&state.rules).then(|| state.rules.live_instant(&GAME_END).ok()).flatten()
}

/// The gamestate's date and time: the real ones, or those of the end (S95).
pub(super) fn gametime(state: &State<Spacenomic>, now: Instant) -> Instant {
    is_over(state).map_or(now, |over| now.min(over))
}

/// Refuses what would change a gamestate that is immutable (S94).
///
/// # Errors
///
/// A [`Refusal`] after the end.
pub(super) fn in_play(state: &State<Spacenomic>) -> Result<(), Refusal> {
    match is_over(state) {
        None => Ok(()),
        Some(over) => {
            // Else the players ended it before (S9).
            let by_clock = instant(state).is_some_and(|end| end <= over);
            let by = if by_clock { Thing::End } else { Thing::Players };
            Err(Refusal::new(format!("the game ended at {}, and nothing in it changes any more", minute(over)))
                .by(by.rule(&state.rules))
                .instead("show clock"))
        }
    }
}

// ---- decide

/// Ends the game, and says so.
pub(super) fn over(d: &mut D<'_>, why: &str) {
    let at = d.at;
    over_since(d, at, why);
}

fn over_since(d: &mut D<'_>, since: Instant, why: &str) {
    d.put(&(), End { since });
    d.tell_all(why.to_owned());
}

/// A room whose end is past opens frozen (S93); whether it does.
pub(super) fn open(d: &mut D<'_>) -> bool {
    let Some(since) = instant(d).filter(|end| *end <= d.at) else { return false };
    d.put(&(), End { since });
    true
}

// ---- due

/// The end.
pub(super) fn next_due(state: &State<Spacenomic>) -> Option<Due> {
    Some(Due { at: instant(state)?, rank: phases::END, key: KEY.into() })
}

/// The end is there. A proposal can set it to an instant that is past: then the date and time are those of the end (S95).
fn due(d: &mut D<'_>) {
    let at = instant(d).map_or(d.at, |end| end.min(d.at));
    let say = format!("The game is over: it ended just before {}. What there is stays to be seen.", minute(at));
    over_since(d, at, &say);
}

/// The end in words: a moderator's pause does not avert it.
fn fate() -> Lapse {
    Lapse { what: "the end of the game".to_owned(), fate: Fate::Late }
}

// ---- display

/// Says that a moderator paused the room: nothing comes at the times that are set, and those that are put off are not known.
pub(super) fn paused(state: &State<Spacenomic>) -> Option<String> {
    let ClockMode::Paused(since) = state.frame.clock else { return None };
    Some(format!("A moderator paused the room at {}: {}.", minute(since), Spacenomic::paused()))
}
