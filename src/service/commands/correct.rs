//! Mending by moderators: `/correct`, `/undo`, `/rule bind`, `unbind`, `accept` and `by-hand`, journalled with a reason and marked as outside the rules.

use std::sync::Arc;

use super::{asked::Asked, rooms::moderate};
use crate::service::{
    deed::NotDone,
    hearing::{Answer, Hearing},
    hub::{Handle, Hub},
};
use kernel::{
    Seq,
    deed::{Deed, Moderation},
    display::{Document, Offer},
};

/// How often an entry is played back anew because the room went on meanwhile, before its moderator is told so.
const UNDO_MAX_TRIES: u32 = 10;

/// What stands in a journal where a moderator gives no reason.
const NO_REASON: &str = "none given";

/// Sets a value.
pub(in crate::service) async fn correct(
    hearing: &Hearing<'_>,
    handle: &Arc<Handle>,
    (path, to, reason): (String, String, String),
    asked: Asked,
) -> Result<Answer, NotDone> {
    let path = handle.view().frame().redaction_now().meant(&path);
    moderate(hearing, handle, Moderation::Correct { path, to, reason }, asked).await
}

/// Takes an entry back, or says what would come out otherwise if it were.
pub(in crate::service) async fn undo(
    hearing: &Hearing<'_>,
    handle: &Arc<Handle>,
    (seq, sure): (Seq, bool),
    reason: Option<String>,
    asked: Asked,
) -> Result<Answer, NotDone> {
    // What a line did the first time would be refused now.
    if hearing.hub.store().entry_of_origin(handle.id, &asked.origin).await?.is_some() {
        return Err(NotDone::HeardBefore);
    }
    hearing.hub.catch_up(handle).await;
    let because = reason.as_ref().map_or_else(String::new, |reason| format!(" because {reason}"));
    let reason = reason.unwrap_or_else(|| NO_REASON.to_owned());
    let mut tries = 0..UNDO_MAX_TRIES;
    loop {
        let replayed = hearing.hub.without(handle, seq, sure).await?;
        let last = replayed.last;
        let act = Moderation::Undo { replayed, reason: reason.clone(), sure };
        let answer = if sure {
            moderate(hearing, handle, act, asked.clone()).await
        } else {
            let by = Hub::doer(hearing.person().await?, &hearing.own_name());
            let shown = handle.room.lock().await.would(Deed::Moderate { by, act });
            let line = format!("undo {seq} yes{because}");
            let offer = |mut page: Document| {
                page.offers = vec![Offer::new("Take it back", line, last)];
                page
            };
            shown.map(offer).map(Answer::shown).map_err(NotDone::from)
        };
        // Where the room went on meanwhile, it is played again.
        match answer {
            Err(NotDone::Refused(_)) if handle.view().seq() != last && tries.next().is_some() => {}
            answer => return answer,
        }
    }
}

/// Says whether the program plays a rule as its words are now, or people do what it says.
pub(in crate::service) async fn settle(
    hearing: &Hearing<'_>,
    handle: &Arc<Handle>,
    (rule, by_hand): (String, bool),
    reason: Option<String>,
    asked: Asked,
) -> Result<Answer, NotDone> {
    let reason = reason.unwrap_or_else(|| NO_REASON.to_owned());
    let act = Moderation::Settle { rule: rule.into(), by_hand, reason };
    moderate(hearing, handle, act, asked).await
}

/// Says which words of a rule give a figure, or that none of it do.
pub(in crate::service) async fn bind(
    hearing: &Hearing<'_>,
    handle: &Arc<Handle>,
    (rule, key, words): (String, String, Option<String>),
    reason: Option<String>,
    asked: Asked,
) -> Result<Answer, NotDone> {
    let reason = reason.unwrap_or_else(|| NO_REASON.to_owned());
    let act = Moderation::Bind { rule: rule.into(), key, words, reason };
    moderate(hearing, handle, act, asked).await
}
