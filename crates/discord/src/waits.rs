//! What the parts of the adapter that go on for ever wait for.

use tokio::{
    sync::watch,
    time::{Instant, sleep_until},
};

/// Waits for an instant; without one, for ever.
pub(super) async fn until(at: Option<Instant>) {
    match at {
        Some(at) => sleep_until(at).await,
        None => std::future::pending().await,
    }
}

/// Waits until something is told anew; for ever where nobody is left who could.
pub(super) async fn told_anew<T>(told: &mut watch::Receiver<T>) {
    if told.changed().await.is_err() {
        std::future::pending::<()>().await;
    }
}
