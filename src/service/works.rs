//! Which works this process plays: one for each room, and none that another process plays.
//!
//! The state of a room says what it waits for, and every process on the database reads it there. So a work is claimed in
//! the store before it is played, and the claim is renewed while it lasts. Whoever comes second waits until the result is
//! there or the claim has run out, as that of a process that was killed does. Playing itself is the arena's.

use std::{convert::Infallible, sync::Arc, time::Duration};

use jiff::SignedDuration;

use super::{
    deed::{NotDone, Origin},
    fault::Fault,
    hub::{Handle, Hub},
};
use kernel::{Id, Instant, Refusal, Seq, deed::Deed, engine::View, work::Work};
use store::{Claim, StoreError, claim_of};

/// How long a claim counts without being renewed: so long a work waits whose process was killed.
const CLAIM_LEASE: Duration = Duration::from_secs(15);

/// How often a claim is renewed: often enough that a busy machine misses a turn or two.
const CLAIM_RENEWED_EVERY: SignedDuration = SignedDuration::from_secs(5);

/// How many processes in turn may have died of one work within a day before it rests until that day is over.
const WORK_DEATHS_MAX_COUNT: u64 = 5;

/// How soon somebody who waits for a work sees that another process has played it, in milliseconds.
const RESULT_SEEN_AFTER_MILLISECONDS: u64 = 200;

/// What came of a work.
enum Came {
    /// The room took the result in.
    Done,
    /// It was told to stop, or is not waited for any more.
    Stopped,
    /// Another process has it until then.
    Elsewhere(Id, Instant),
}

impl Hub {
    /// Sends the work that a room waits for to the arena, unless it is there already or somebody else plays it: then
    /// `true`.
    pub(super) fn kick_work(&self, handle: &Arc<Handle>) -> bool {
        let view = handle.view();
        let Some(work) = view.work().filter(|_| self.inner.settings.arena_threads > 0) else { return false };
        // Its result would be stamped by that clock.
        if self.in_time(view.frame().clock).is_err() {
            return false;
        }
        if self.inner.elsewhere.plays(handle.id, &work.id) {
            return true;
        }
        if !self.inner.arena.enter(handle.id, &work.id) {
            // Where it takes nothing in, nobody plays.
            return self.inner.arena.is_open();
        }
        let (hub, handle) = (self.clone(), handle.clone());
        tokio::spawn(async move {
            let came = hub.play(&handle, work.id).await;
            if let Ok(Came::Elsewhere(work, until)) = &came {
                // Before the place is given up, so that nobody comes in between.
                hub.inner.elsewhere.wait(handle.id, work.clone(), *until);
            }
            hub.inner.arena.leave(handle.id);
            match came {
                // The result was taken in, and the room may wait for the next work.
                Ok(Came::Done) => drop(hub.kick_work(&handle)),
                Ok(Came::Stopped) => {}
                // Not before the place is free: what has run out already would find it taken, and nobody looked again.
                Ok(Came::Elsewhere(work, until)) => hub.wait_for_others(&handle, work, until).await,
                Err(fault) => {
                    tracing::error!(room = %handle.name, %fault, "a work was left undone; the next deed starts it again")
                }
            }
        });
        false
    }

    /// Plays a work once a thread is free for it, unless somebody else does.
    async fn play(&self, handle: &Arc<Handle>, id: Id) -> Result<Came, Fault> {
        let seat = self.inner.arena.seat().await?;
        let store = &self.inner.store;
        loop {
            // Much may have happened while it waited for the thread.
            let view = handle.view();
            let Some(work) = view.work().filter(|work| work.id == id) else { return Ok(Came::Done) };
            if self.is_stopping() {
                return Ok(Came::Stopped);
            }
            if !store.is_shared() {
                return self.play_here(handle, view, work, seat).await;
            }
            let claim = match self.claim_work(handle, view.seq(), &id).await {
                Ok(claim) => claim,
                Err(error @ StoreError::OtherSchema { .. }) => return Err(error.into()),
                Err(error) => {
                    // Played twice is better than not at all.
                    tracing::warn!(room = %handle.name, %error, "a work cannot be claimed, and is played all the same");
                    return self.play_here(handle, view, work, seat).await;
                }
            };
            match claim {
                Claim::Ours { turns } if turns > WORK_DEATHS_MAX_COUNT => {
                    // Reckoned first: who reads the note may take what comes after it for later.
                    let again = self.inner.clock.now().saturating_add(CLAIM_LEASE).unwrap_or(Instant::MAX);
                    self.note_deadly(handle, &id).await;
                    return Ok(Came::Elsewhere(id, again));
                }
                Claim::Ours { .. } => {
                    let came = tokio::select! {
                        biased;
                        came = self.play_here(handle, view, work, seat) => came,
                        never = self.keep_claim(handle) => match never {},
                    };
                    self.end_claim(&claim_of(handle.id)).await;
                    return came;
                }
                Claim::Theirs { until } => {
                    let until = Instant::from_microsecond(until).unwrap_or(Instant::MAX);
                    return Ok(Came::Elsewhere(id, until));
                }
                Claim::Behind => self.refresh(handle).await?,
            }
        }
    }

    async fn claim_work(&self, handle: &Handle, seen: Seq, work: &Id) -> store::Result<Claim> {
        self.inner.store.claim_work((handle.id, seen), work, self.term(CLAIM_LEASE).await?).await
    }

    /// Tells moderators and the operator of a work that one process after another died of.
    async fn note_deadly(&self, handle: &Arc<Handle>, work: &Id) {
        let text = format!(
            "{WORK_DEATHS_MAX_COUNT} processes in turn have ended while they played {work}. It rests for a day from the \
             first of them; whoever runs the bot finds the reason in the log."
        );
        self.note_in(handle, text, None).await;
    }

    async fn play_here(
        &self,
        handle: &Arc<Handle>,
        view: Arc<dyn View>,
        work: Work,
        seat: tokio::sync::OwnedSemaphorePermit,
    ) -> Result<Came, Fault> {
        let id: Id = work.id.clone();
        let now = self.inner.clock.now().as_microsecond();
        self.inner.figures.work_began();
        let asked = Some(work.clone());
        let played = self.inner.arena.play(handle.id, view, work, (self.inner.store.clone(), now), seat).await?;
        let Some(result) = played else { return Ok(Came::Stopped) };
        if self.in_time(handle.view().frame().clock).is_err() {
            return Ok(Came::Stopped);
        }
        // An undo may have made another work of it meanwhile, under the same id.
        let deed = |view: &dyn View| match view.work() == asked {
            true => Ok(Deed::Work { id: id.clone(), result: result.clone() }),
            false => Err(Refusal::new("nobody waits for it any more")),
        };
        match self.perform(handle, deed, Origin::default()).await {
            Ok(_) | Err(NotDone::HeardBefore) if handle.view().work() == asked => {
                // Played again it would come to the same, and so without end.
                Err(Fault::new(format!("the room made nothing of the result of {id}, and waits for it still")))
            }
            Ok(_) | Err(NotDone::HeardBefore) => Ok(Came::Done),
            Err(NotDone::Broke(fault)) => Err(fault),
            // Another process was quicker, because it took this one for dead.
            Err(NotDone::Refused(_)) if handle.view().work() != asked => Ok(Came::Done),
            Err(NotDone::Refused(refusal)) => Err(Fault::new(format!("the result of {id} was refused: {refusal}"))),
        }
    }

    /// Renews the claim on a room's work for as long as it is ours, and then tells the work to stop.
    async fn keep_claim(&self, handle: &Handle) -> Infallible {
        loop {
            let next = self.inner.clock.now().checked_add(CLAIM_RENEWED_EVERY).ok();
            self.inner.clock.wait_until(next).await;
            let renewed = async {
                let at = self.inner.arena.progress(handle.id).map_or((0, 0), |at| (at.done, at.of));
                self.inner.store.renew_claim(&claim_of(handle.id), self.term(CLAIM_LEASE).await?, at).await
            };
            match renewed.await {
                Ok(true) => {}
                Ok(false) => {
                    tracing::warn!(room = %handle.name, "another process took a work over; this one stops playing it");
                    self.inner.arena.cancel(handle.id);
                    return std::future::pending().await;
                }
                // Played twice is better than not at all.
                Err(error) => tracing::warn!(room = %handle.name, %error, "a claim cannot be renewed"),
            }
        }
    }

    /// Looks again when the claim of another process has run out.
    async fn wait_for_others(&self, handle: &Arc<Handle>, work: Id, until: Instant) {
        tokio::select! {
            () = self.inner.clock.wait_until(Some(until)) => {}
            () = self.stopped() => {}
        }
        self.inner.elsewhere.end_wait(handle.id, (work, until));
        self.kick_work(handle);
    }

    /// Waits until a room waits for no work, or none can be played.
    pub async fn finish_work(&self, handle: &Arc<Handle>) {
        let mut stirred = self.inner.stirred.subscribe();
        while handle.view().work().is_some() && !self.is_stopping() {
            stirred.borrow_and_update();
            let played_already = self.kick_work(handle);
            let before = handle.view().seq();
            self.inner.arena.idle().await;
            if handle.view().seq() != before {
                continue;
            }
            let until = self.inner.elsewhere.until(handle.id);
            if until.is_none() && self.inner.settings.arena_threads > 0 {
                // Whoever played it may have given it up since, and then the next kick plays.
                if played_already {
                    continue;
                }
                return;
            }
            tokio::select! {
                () = self.inner.clock.wait_until(until) => {}
                _ = stirred.changed() => continue,
                () = tokio::time::sleep(Duration::from_millis(RESULT_SEEN_AFTER_MILLISECONDS)) => {}
            }
            if let Err(fault) = self.refresh(handle).await {
                tracing::warn!(room = %handle.name, %fault, "what another process did cannot be read");
                return;
            }
        }
    }
}
