//! The one clock.
//!
//! Everything that has to know the moment asks here, so that tests and rehearsals can move it by hand. Nothing else in
//! the program reads the machine's time; a lint holds that.

use std::{sync::Arc, time::Duration};

use tokio::sync::watch;

use kernel::Instant;

/// Longest single sleep, in seconds: the machine's clock may be set meanwhile, so it is looked at again.
const SLEEP_MAX_SECONDS: u64 = 60;

/// Where the moment comes from.
#[derive(Clone, Debug)]
pub enum Clock {
    /// The machine's clock.
    System,
    /// A clock that stands still until somebody moves it.
    Manual(Arc<watch::Sender<Instant>>),
}

impl Clock {
    /// A clock that stands at an instant.
    pub fn manual(at: Instant) -> Self {
        Self::Manual(Arc::new(watch::Sender::new(at)))
    }

    /// The moment.
    #[expect(clippy::disallowed_methods, reason = "this is the one clock")]
    pub fn now(&self) -> Instant {
        match self {
            Self::System => Instant::now(),
            Self::Manual(at) => *at.borrow(),
        }
    }

    /// Moves a manual clock forward; one that is later already, and the machine's, stay.
    pub fn advance_to(&self, to: Instant) {
        if let Self::Manual(at) = self {
            at.send_if_modified(|now| {
                let later = to > *now;
                if later {
                    *now = to;
                }
                later
            });
        }
    }

    /// Sets a manual clock to any instant, as somebody does who sets a machine's clock; the machine's stays.
    pub fn set_to(&self, to: Instant) {
        if let Self::Manual(at) = self {
            at.send_replace(to);
        }
    }

    /// Waits for an instant; without one, for ever.
    pub async fn wait_until(&self, until: Option<Instant>) {
        let Some(until) = until else { return std::future::pending().await };
        match self {
            Self::System => loop {
                let left = until.duration_since(self.now());
                let Ok(left) = Duration::try_from(left) else { return };
                if left.is_zero() {
                    return;
                }
                tokio::time::sleep(left.min(Duration::from_secs(SLEEP_MAX_SECONDS))).await;
            },
            Self::Manual(at) => {
                let mut at = at.subscribe();
                if at.wait_for(|now| *now >= until).await.is_err() {
                    std::future::pending::<()>().await;
                }
            }
        }
    }
}
