//! The scheduler: runs what is due as its instants come, and takes note of what other processes did.
//!
//! What is due is the rooms' own business; here it is only waited for.

use std::time::Duration;

use super::{fault::Fault, hub::Hub};

/// How soon a process notices what another one did on the same database, in seconds: soon enough for somebody who looks
/// at a display, seldom enough to cost nothing.
const OTHERS_SEEN_AFTER_SECONDS: u64 = 2;

/// How long the scheduler waits after a fault before it tries again, in seconds.
const FAULT_PAUSE_SECONDS: u64 = 5;

impl Hub {
    /// Runs what is due as its instants come, and takes note of what other processes do, until the process stops.
    pub async fn schedule(&self) {
        tokio::select! {
            () = self.run_dues() => {}
            () = self.watch_others() => {}
        }
    }

    async fn watch_others(&self) {
        loop {
            tokio::time::sleep(Duration::from_secs(OTHERS_SEEN_AFTER_SECONDS)).await;
            self.look_at_clock().await;
            if let Err(fault) = self.see_others().await {
                tracing::warn!(%fault, "what other processes did cannot be read; it is tried again");
            }
        }
    }

    /// Takes over what other processes did on the same database: rooms that they opened, entries that they appended. A
    /// deed needs no such look, since it would be refused and decided again; displays, adapters and the scheduler do.
    ///
    /// # Errors
    ///
    /// A [`Fault`] where the store fails or a journal cannot be read.
    pub async fn see_others(&self) -> Result<(), Fault> {
        for row in self.inner.store.rooms().await?.into_iter().filter(|row| row.last_seq > 0) {
            let (id, last) = (row.id, row.last_seq);
            let handle = match self.room(id) {
                None => self.load(row).await?,
                Some(handle) if handle.view().seq() < last => {
                    let mut room = handle.room.lock().await;
                    // It may have been this process, in the middle of a deed.
                    if room.view().seq() < last {
                        room.reload().await?;
                        handle.publish(room.view());
                    }
                    drop(room);
                    handle
                }
                Some(_) => continue,
            };
            self.stir(&handle);
        }
        Ok(())
    }

    /// Looks whether the clock stands right.
    pub async fn look_at_clock(&self) {
        if let Err(fault) = self.heed_clock().await {
            tracing::error!(%fault, "what is known of the clock cannot be kept; it is tried again");
        }
    }

    async fn run_dues(&self) {
        let mut stirred = self.inner.stirred.subscribe();
        let mut stopping = self.inner.stopping.subscribe();
        loop {
            stirred.borrow_and_update();
            // Before anything happens by it.
            self.look_at_clock().await;
            let now = self.inner.clock.now();
            let (mut broke, mut goes_on) = (false, false);
            // A batch a room, so that one which has years to catch up on holds up no other.
            for handle in self.indexed(|index| index.due_by(now)) {
                match self.run_batch(&handle).await {
                    Ok(count) => goes_on |= count > 0,
                    Err(fault) => {
                        tracing::error!(room = %handle.name, %fault, "what is due was left undone; it is tried again");
                        broke = true;
                    }
                }
            }
            if goes_on && !self.is_stopping() {
                continue;
            }
            let next = self.index().next_after(now);
            let pause = async {
                if broke {
                    tokio::time::sleep(Duration::from_secs(FAULT_PAUSE_SECONDS)).await;
                } else {
                    std::future::pending::<()>().await;
                }
            };
            tokio::select! {
                () = self.inner.clock.wait_until(next) => {}
                changed = stirred.changed() => if changed.is_err() { return },
                () = pause => {}
                _ = stopping.wait_for(|stop| *stop) => return,
            }
        }
    }
}
