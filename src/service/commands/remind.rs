//! `/remind`: who wants to be told what waits for them, how long before its end, and where.

use std::sync::Arc;

use jiff::SignedDuration;

use crate::service::{
    deed::NotDone,
    hearing::{Answer, Hearing},
    hub::Handle,
    letters::person_id,
    reminders::{BEFORE_SECONDS, sentence},
};
use kernel::{
    Instant, Refusal,
    display::{Block, Cell, Document},
    time::{between, seconds_after},
};
use store::Reminder;

/// The longest time before the end of something, in days.
const BEFORE_MAX_DAYS: i64 = 60;

/// How somebody wants to be reminded, as typed.
pub(super) struct Wanted {
    pub(super) switch: Option<String>,
    pub(super) before: Option<SignedDuration>,
    pub(super) place: Option<String>,
}

/// Sets how somebody is reminded, or says it, with what waits for them.
pub(super) async fn remind(hearing: &Hearing<'_>, handle: &Arc<Handle>, wanted: Wanted) -> Result<Answer, NotDone> {
    let account = hearing.account()?.clone();
    let view = handle.view();
    let seat = hearing.person.and_then(|person| view.frame().seat_of(&person_id(person)).map(|(id, _)| id.clone()));
    let Some(seat) = seat else {
        let why = format!("nothing waits for you in {}: you have no seat there", handle.name);
        return Err(Refusal::new(why).instead("join").into());
    };
    let store = hearing.hub.store();
    let held = store.reminders().await?;
    let held = held.into_iter().find(|held| held.room == handle.id && held.account == account);
    let Wanted { switch, before, place } = wanted;
    if switch.as_deref() == Some("off") {
        let was = store.drop_reminder(handle.id, &account).await?;
        hearing.hub.inner.reminders.look_again(handle.id);
        let text = if was { "You are not reminded any more." } else { "You were not reminded." };
        return Ok(Answer::done(Document::say(text)));
    }
    if switch.is_none() && before.is_none() && place.is_none() {
        let mut document = Document::say(match &held {
            Some(held) => how(held),
            None => "Nobody reminds you here. ⁅remind on⁆ changes that.".to_owned(),
        });
        let waits: Vec<Cell> = view
            .waiting()
            .iter()
            .filter(|waits| waits.of.contains(&seat))
            .map(|waits| Cell::new(sentence(handle, waits, true)))
            .collect();
        if waits.is_empty() {
            document = document.para("Nothing waits for you now.");
        } else {
            document = document.with(Block::List(waits));
        }
        return Ok(Answer::shown(document));
    }
    let before_seconds = before.map(|before| before.as_secs());
    if before_seconds.is_some_and(|before| !(0..=BEFORE_MAX_DAYS * 24 * 60 * 60).contains(&before)) {
        let why = format!("people are reminded {BEFORE_MAX_DAYS} days before the end of something at the earliest");
        return Err(Refusal::new(why).instead("remind on before 1 day").into());
    }
    let reminder = Reminder {
        room: handle.id,
        account,
        before_seconds: before_seconds.or(held.as_ref().map(|held| held.before_seconds)).unwrap_or(BEFORE_SECONDS),
        aloud: place.map_or(held.is_some_and(|held| held.aloud), |place| place == "channel"),
    };
    if !store.set_reminder(&reminder).await? {
        return Err(Refusal::new("the bot reminds as many people already as it can").into());
    }
    hearing.hub.inner.reminders.look_again(handle.id);
    hearing.hub.stir(handle);
    Ok(Answer::done(Document::say(format!("{} ⁅remind off⁆ ends it.", how(&reminder)))))
}

fn how(reminder: &Reminder) -> String {
    let place = if reminder.aloud { "called in the channel" } else { "told in private" };
    let before = between(Instant::UNIX_EPOCH, seconds_after(Instant::UNIX_EPOCH, reminder.before_seconds));
    format!("You are {place} what waits for your vote, {before} before its end, and at once what is yours to do.")
}
