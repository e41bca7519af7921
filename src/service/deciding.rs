//! Deciding what somebody asks for, where laws may run.
//!
//! A law takes up to a tenth of a second. So a room with laws decides where that keeps no network waiting, and what laws
//! take is counted for the message that asked.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use tokio::runtime::{Handle, RuntimeFlavor};

use kernel::{
    Refusal,
    deed::Deed,
    draft::{MESSAGE_MAX_OPERATIONS, spent},
    engine::{Context, Step, Table},
};

/// How many operations laws took for one message, whatever became of what it asked for.
#[derive(Clone, Debug, Default)]
pub struct Spent(Arc<AtomicU64>);

impl Spent {
    /// Refuses what is left of a message that took as much as one may.
    ///
    /// # Errors
    ///
    /// How much that is.
    pub fn within(&self) -> Result<(), Refusal> {
        match self.0.load(Ordering::Relaxed) < MESSAGE_MAX_OPERATIONS {
            true => Ok(()),
            false => Err(Refusal::new(format!(
                "the laws of the rules have taken {MESSAGE_MAX_OPERATIONS} operations for this message, and what is \
                 left of it is not done"
            ))),
        }
    }
}

/// Decides a deed, and counts what laws took for it. Tests and rehearsals have one thread, and decide on that.
pub(super) fn decide(table: &dyn Table, deed: Deed, context: &Context, of_message: &Spent) -> Result<Step, Refusal> {
    let decides = || {
        let before = spent();
        let decided = table.decide(deed, context);
        of_message.0.fetch_add(spent() - before, Ordering::Relaxed);
        decided
    };
    let has_laws = table.view().rules().has_code();
    let has_threads = Handle::try_current().is_ok_and(|handle| handle.runtime_flavor() == RuntimeFlavor::MultiThread);
    if has_laws && has_threads { tokio::task::block_in_place(decides) } else { decides() }
}
