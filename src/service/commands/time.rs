//! Time, by moderators: `/tick`, `/pause`, `/resume`, `/clock accept`.

use std::sync::Arc;

use super::{
    asked::Asked,
    rooms::{moderate, moderate_behind},
};
use crate::service::{
    deed::{NotDone, Origin},
    hearing::{Answer, Hearing},
    hub::{Behind, Handle, Hub, TICK_MAX_INSTANTS},
};
use kernel::{Instant, Refusal, deed::Moderation, display::Document, frame::ClockMode, time::minute};

/// Runs what is due, or moves a manual clock to an instant through everything that is due on the way.
pub(in crate::service) async fn tick(
    hearing: &Hearing<'_>,
    handle: &Arc<Handle>,
    until: Option<Instant>,
    asked: Asked,
) -> Result<Answer, NotDone> {
    let before = handle.view().seq();
    hearing.hub.in_time(handle.view().frame().clock)?;
    if let Some(until) = until {
        let person = hearing.person().await?;
        let by = Hub::doer(person, &hearing.own_name());
        let origin =
            Origin { id: Some(asked.origin), person: Some(person), said: Some(asked.said), ..Origin::default() };
        hearing.hub.move_hands(handle, by, until, origin).await?;
    } else {
        hearing.hub.run_due(handle).await.map_err(NotDone::Broke)?;
    }
    let view = handle.view();
    let done = match view.seq() - before {
        0 => "Nothing is due.".to_owned(),
        1 => "One entry was made.".to_owned(),
        count => format!("{count} entries were made."),
    };
    let now = minute(view.time(hearing.hub.clock().now()));
    let next = view.coming().map_or_else(String::new, |(what, at)| format!(" Next: {what} at {}.", minute(at)));
    let left = until.filter(|until| *until > view.time(hearing.hub.clock().now())).map_or_else(String::new, |_| {
        format!(" One tick goes through {TICK_MAX_INSTANTS} instants at the most: type it again to go on.")
    });
    Ok(Answer::done(Document::say(format!("{done} The room's time is {now}.{next}{left}"))))
}

/// Stops a room's time.
pub(in crate::service) async fn pause(
    hearing: &Hearing<'_>,
    handle: &Arc<Handle>,
    reason: Option<String>,
    asked: Asked,
) -> Result<Answer, NotDone> {
    let now = handle.view().time(hearing.hub.clock().now());
    let act = Moderation::Clock { mode: ClockMode::Paused(now), reason };
    moderate_behind(hearing, handle, act, asked, Behind::Anyway).await
}

/// Takes the bot's clock for right as it stands.
pub(in crate::service) async fn accept_clock(hearing: &Hearing<'_>) -> Result<Answer, NotDone> {
    if !hearing.operator {
        return Err(Refusal::new("only who moderates every room says that the bot's clock is right").into());
    }
    let now = minute(hearing.hub.clock().now());
    Ok(Answer::done(Document::say(match hearing.hub.accept_clock().await.map_err(NotDone::Broke)? {
        true => format!("The bot's clock is right, at {now}: rooms go on, and catch up on what they missed."),
        false => format!("Nothing waits for that: the bot's clock stands at {now}, and nobody doubts it."),
    })))
}

/// Lets a room's time go on.
pub(in crate::service) async fn resume(
    hearing: &Hearing<'_>,
    handle: &Arc<Handle>,
    asked: Asked,
) -> Result<Answer, NotDone> {
    let act = Moderation::Clock { mode: ClockMode::Live, reason: None };
    moderate(hearing, handle, act, asked).await
}
