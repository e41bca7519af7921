//! The scheduler: runs what is due as its instants come, takes note of what other processes did, and announces hashes.
//!
//! What is due is the rooms' own business; here it is only waited for.

use std::{sync::Arc, time::Duration};

use jiff::SignedDuration;
use tokio::sync::mpsc;

use super::{
    charge::DUE,
    deed::{NotDone, Origin},
    fault::Fault,
    hub::{Handle, Hub, left_undone},
};
use kernel::{Instant, Refusal, Seq, deed::Deed, engine::View};
use store::RoomId;

/// How soon a process notices what another one did on the same database, in seconds. It is soon enough for somebody who
/// looks at a display, seldom enough to cost nothing.
const OTHERS_SEEN_AFTER_SECONDS: u64 = 2;

/// The same where other processes tell what they did, for what they could not tell.
const UNTOLD_SEEN_AFTER_SECONDS: u64 = 10;

/// How long the scheduler waits after a fault before it tries again, in seconds.
const FAULT_PAUSE_SECONDS: u64 = 5;

/// How often a room announces the hash of its journal while something happens in it, in days: as often as it reveals a
/// seed.
const HASH_ANNOUNCED_EVERY_DAYS: i64 = 7;

/// How often the scheduler looks for rooms that are to announce theirs, in hours: a week is not counted by minutes.
const HASHES_LOOKED_AT_EVERY_HOURS: i64 = 1;

/// Whether a room that was made at an instant is to announce the hash of its journal. The world's clock counts: that of
/// a room may stand still.
fn is_wanted(view: &dyn View, made: Instant, now: Instant) -> bool {
    let frame = view.frame();
    let week = SignedDuration::from_hours(24 * HASH_ANNOUNCED_EVERY_DAYS);
    let last = frame.attested.map_or(made, |attested| attested.at);
    let changed = frame.attested.is_none_or(|attested| view.seq() > attested.by);
    !frame.closed && changed && now.duration_since(last) >= week
}

impl Hub {
    /// Runs what is due as its instants come, and takes note of what other processes do, until the process stops.
    pub async fn schedule(&self) {
        tokio::select! {
            () = self.run_what_is_due() => {}
            () = self.watch_others() => {}
            () = self.hear_others() => {}
            () = self.keep_charges() => {}
        }
    }

    /// What happens by itself, but in a process that only plays long works.
    async fn run_what_is_due(&self) {
        if self.inner.settings.is_worker {
            return self.stopped().await;
        }
        tokio::select! {
            () = self.run_dues() => {}
            () = self.announce_hashes() => {}
            () = self.run_reminders() => {}
        }
    }

    async fn announce_hashes(&self) {
        loop {
            let now = self.inner.clock.now();
            for handle in self.rooms() {
                if let Err(fault) = self.attest(&handle).await {
                    tracing::error!(room = %handle.name, %fault, "the hash of a journal was not announced");
                }
            }
            let next = now.checked_add(SignedDuration::from_hours(HASHES_LOOKED_AT_EVERY_HOURS)).ok();
            self.inner.clock.wait_until(next).await;
        }
    }

    /// Announces the hash of a room's journal, where a week has gone by since the last time and something has happened.
    /// So anybody can say later what it must still hold (`verify --against`).
    ///
    /// # Errors
    ///
    /// A [`Fault`] where the store fails.
    pub async fn attest(&self, handle: &Arc<Handle>) -> Result<(), Fault> {
        let now = self.inner.clock.now();
        let view = handle.view();
        let seq = view.seq();
        // Most rooms have nothing to announce, and most of those are found without waiting for the room.
        if !is_wanted(&*view, Instant::MIN, now) {
            return Ok(());
        }
        let made = Instant::from_microsecond(handle.room.lock().await.row().created).unwrap_or(Instant::MIN);
        if !is_wanted(&*view, made, now) {
            return Ok(());
        }
        let Some(hash) = self.inner.store.hash_of(handle.id, seq).await? else { return Ok(()) };
        let hash = hex::encode(hash);
        let deed = |view: &dyn View| match is_wanted(view, made, now) {
            true => Ok(Deed::Attest { seq, hash: hash.clone() }),
            false => Err(Refusal::new("the hash of this journal was announced already")),
        };
        match self.perform(handle, deed, Origin::default()).await {
            Err(NotDone::Broke(fault)) => Err(fault),
            // Something happened meanwhile, or another process did it: the next look sees.
            Ok(_) | Err(NotDone::Refused(_) | NotDone::HeardBefore) => Ok(()),
        }
    }

    /// Hears what other processes tell of rooms, and tells what this one does.
    async fn hear_others(&self) {
        loop {
            let (heard, mut rooms) = mpsc::unbounded_channel();
            let hears = self.inner.store.news(|room, seq| {
                // It ends with this loop.
                let _ = heard.send((room, seq));
            });
            let reads = async {
                while let Some((room, seq)) = rooms.recv().await {
                    if let Err(fault) = self.hear_of(room, seq).await {
                        tracing::warn!(%fault, "what another process did cannot be read; it is tried again");
                    }
                }
            };
            let Err(error) = tokio::select! {
                broke = hears => broke,
                () = reads => return,
            };
            tracing::warn!(%error, "other processes are not heard; it is tried again");
            tokio::time::sleep(Duration::from_secs(FAULT_PAUSE_SECONDS)).await;
        }
    }

    /// Takes over what another process did in a room, up to an entry at least.
    async fn hear_of(&self, room: RoomId, seq: Seq) -> Result<(), Fault> {
        let handle = match self.room(room) {
            Some(handle) if handle.view().seq() >= seq => return Ok(()),
            Some(handle) => handle,
            None => return self.see_others().await,
        };
        self.read_on(&handle, seq).await?;
        self.stir(&handle);
        Ok(())
    }

    async fn watch_others(&self) {
        let often = if self.inner.store.has_news() { UNTOLD_SEEN_AFTER_SECONDS } else { OTHERS_SEEN_AFTER_SECONDS };
        loop {
            tokio::time::sleep(Duration::from_secs(often)).await;
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
        self.inner.store.check_schema().await?;
        for row in self.inner.store.rooms().await?.into_iter().filter(|row| row.last_seq > 0) {
            let (id, last) = (row.id, row.last_seq);
            let handle = match self.room(id) {
                None => self.load(row).await?,
                Some(handle) if handle.view().seq() < last => {
                    self.read_on(&handle, last).await?;
                    handle
                }
                Some(_) => continue,
            };
            self.stir(&handle);
        }
        Ok(())
    }

    /// The same for one room.
    pub(super) async fn refresh(&self, handle: &Arc<Handle>) -> Result<(), Fault> {
        let last = self.inner.store.last_seq(handle.id).await?;
        if handle.view().seq() < last {
            self.read_on(handle, last).await?;
            self.stir(handle);
        }
        Ok(())
    }

    async fn read_on(&self, handle: &Handle, last: Seq) -> Result<(), Fault> {
        let mut room = handle.room.lock().await;
        // It may have been this process, in the middle of a deed.
        if room.view().seq() < last {
            room.reload().await?;
        }
        handle.publish(room.view());
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
        let mut charge = self.charge(DUE);
        loop {
            // Another process does it. A deed runs what is due before it in any case.
            tokio::select! {
                biased;
                _ = stopping.wait_for(|stop| *stop) => return,
                held = charge.wait_for(|held| *held) => if held.is_err() { return },
            }
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
                        left_undone(&handle, &fault);
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
