//! Mending by moderators: `/correct`, `/undo`, `/rule bind` and `/rule unbind`, journalled with a reason and marked as outside the rules.

use std::sync::Arc;

use super::{Asked, rooms::moderate};
use crate::{
    kernel::{Refusal, Seq, game::Moderation},
    service::{
        fault::Fault,
        hear::{Answer, Hearing},
        hub::Handle,
        room::NotDone,
    },
};

/// What stands in a journal where a moderator gives no reason.
const NO_REASON: &str = "none given";

/// Sets a value.
pub(in crate::service) async fn correct(
    hearing: &Hearing<'_>,
    handle: &Arc<Handle>,
    (path, to, reason): (String, String, String),
    asked: Asked,
) -> Result<Answer, NotDone> {
    let path = handle.view().frame().mask_now().meant(&path);
    moderate(hearing, handle, Moderation::Correct { path, to, reason }, asked).await.map(Answer::done)
}

/// Takes an entry back.
pub(in crate::service) async fn undo(
    hearing: &Hearing<'_>,
    handle: &Arc<Handle>,
    seq: Seq,
    reason: Option<String>,
    asked: Asked,
) -> Result<Answer, NotDone> {
    let row = hearing.hub.store().entry(handle.id, seq).await?;
    let row = row.ok_or_else(|| Refusal::new(format!("there is no entry {seq} in this room")).instead("history"))?;
    let entry = serde_json::from_str(&row.json).map_err(|why| NotDone::Broke(Fault::new(why.to_string())))?;
    let reason = reason.unwrap_or_else(|| NO_REASON.to_owned());
    moderate(hearing, handle, Moderation::Undo { seq, entry, reason }, asked).await.map(Answer::done)
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
    moderate(hearing, handle, act, asked).await.map(Answer::done)
}
