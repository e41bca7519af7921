//! How every part of the adapter learns that it is to stop.
//!
//! Whoever waits for it wakes once, however long ago it was said.

use tokio::sync::watch;

/// Waits until it is to stop; for ever where nobody is left who could say so.
pub(super) async fn told(stop: &mut watch::Receiver<bool>) {
    if stop.wait_for(|stop| *stop).await.is_err() {
        std::future::pending::<()>().await;
    }
}
