//! Whether the clock of this process can be right: it did not go back, and did not jump further than an operator set.
//!
//! What falls due follows the clock and cannot be taken back: a clock a month ahead publishes what was hidden and ends
//! what was open. So a jump stops everything that would be stamped by that clock. It goes on when a moderator of every
//! room says that the clock is right (`clock accept`), or when it is right again by itself. An outage of weeks looks
//! the same, and is ended by the same command. Rooms whose clock is moved by hand are not concerned. The time itself is
//! read in `clock.rs`.

use std::collections::BTreeSet;

use super::{
    clock_jump::{ACCEPT, Jump, jump},
    fault::Fault,
    hub::Hub,
};
use adapter_console as console;
use kernel::{
    Instant, Refusal,
    display::{Block, Document},
    engine::View,
    frame::ClockMode,
    time::minute,
};
use port::{Account, Delivery, Destination};

/// What moderators are told of a clock that was accepted.
fn accepted(now: Instant) -> String {
    format!("The bot's clock was accepted as it stands, at {}: rooms go on.", minute(now))
}

impl Hub {
    /// Begins to watch the clock from where an earlier process last saw it.
    ///
    /// # Errors
    ///
    /// A [`Fault`] where the store fails.
    pub(super) async fn begin_clock_watch(&self) -> Result<(), Fault> {
        if self.inner.settings.clock_jump.is_none() {
            return Ok(());
        }
        let (last, is_beat) = self.inner.store.last_alive().await?;
        let (last, now) = (last.and_then(|at| Instant::from_microsecond(at).ok()), self.inner.clock.now());
        // Where nobody watched the clock before, the database says when something last happened, which may be long ago.
        self.inner.clock_watch.held().last = last.filter(|last| is_beat || *last > now);
        self.heed_clock().await
    }

    /// The jump because of which nothing happens now, if the clock does not stand right.
    pub(super) fn clock_jump(&self) -> Option<Jump> {
        let furthest = self.inner.settings.clock_jump?;
        self.inner.clock_watch.judge(self.inner.clock.now(), furthest)
    }

    /// Refuses what would be stamped by a clock that does not stand right, in a room whose time passes so.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] that says so.
    pub(super) fn in_time(&self, mode: ClockMode) -> Result<(), Refusal> {
        let by_hand = matches!(mode, ClockMode::Manual(_));
        self.clock_jump().filter(|_| !by_hand).map_or(Ok(()), |jump| Err(jump.refusal()))
    }

    /// Says in a display of a room that its time does not go on, if that is so.
    pub(super) fn mark_time(&self, view: &dyn View, document: &mut Document) {
        let by_hand = matches!(view.frame().clock, ClockMode::Manual(_));
        if let Some(jump) = self.clock_jump().filter(|_| !by_hand && !view.frame().closed) {
            let text = format!("(Nothing happens here for now: {}. This is how things stood before.)", jump.told());
            document.blocks.insert(0, Block::Para(text));
        }
    }

    /// Looks at the clock: writes down that it stands right, tells moderators when it does not and when it does again.
    ///
    /// # Errors
    ///
    /// A [`Fault`] where the store fails.
    pub(super) async fn heed_clock(&self) -> Result<(), Fault> {
        let Some(furthest) = self.inner.settings.clock_jump else { return Ok(()) };
        let now = self.inner.clock.now();
        let Some(jumped) = self.clock_jump() else {
            let (is_over, is_due) = self.inner.clock_watch.stands(now);
            if is_over {
                self.goes_on(format!("The bot's clock stands right again, at {}: rooms go on.", minute(now))).await?;
            }
            if is_due {
                self.inner.store.beat(now.as_microsecond()).await?;
            }
            return Ok(());
        };
        // Another process on this database may have been told to accept it.
        let (beat, is_beat) = self.inner.store.last_alive().await?;
        let beat = beat.filter(|_| is_beat).and_then(|at| Instant::from_microsecond(at).ok());
        // That wrote its beat down since; one from before a clock went back lies ahead of it.
        let accepts = |beat: Instant| beat != jumped.from && beat <= now && jump(beat, now, furthest).is_none();
        if beat.is_some_and(accepts) {
            self.inner.clock_watch.accept(now);
            return self.goes_on(accepted(now)).await;
        }
        if std::mem::replace(&mut self.inner.clock_watch.held().told, true) {
            return Ok(());
        }
        let told = jumped.told();
        tracing::error!(from = %jumped.from, to = %jumped.to, "{told}; nothing happens before an operator accepts it");
        let first: String = told.chars().take(1).flat_map(char::to_uppercase).chain(told.chars().skip(1)).collect();
        let ahead = match jumped.is_back() {
            true => "What happens until it has caught up is stamped with the time of the last entry of its room.",
            false => "All that was due meanwhile happens then, in order. How far it may go is set by clock_jump_days.",
        };
        self.tell_moderators(Document::say(format!(
            "{first}. Nothing falls due and nobody can act until it is right. If the machine's clock is wrong, set it, and \
             rooms go on. If it is right, because the bot was away, somebody who moderates every room types: {ACCEPT}. {ahead}"
        )))
        .await
    }

    /// Takes the clock for right as it stands; `false` when it is not in doubt.
    ///
    /// # Errors
    ///
    /// A [`Fault`] where the store fails.
    pub(super) async fn accept_clock(&self) -> Result<bool, Fault> {
        if self.clock_jump().is_none() {
            return Ok(false);
        }
        let now = self.inner.clock.now();
        self.inner.store.beat(now.as_microsecond()).await?;
        self.inner.clock_watch.accept(now);
        tracing::warn!(at = %now, "the clock was accepted as it stands");
        self.goes_on(accepted(now)).await?;
        Ok(true)
    }

    /// Lets rooms go on, and tells moderators.
    async fn goes_on(&self, text: String) -> Result<(), Fault> {
        for handle in self.rooms() {
            self.stir(&handle);
        }
        self.tell_moderators(Document::say(text)).await
    }

    /// Tells everybody who moderates any room something that no journal can hold, because its time is in doubt.
    async fn tell_moderators(&self, document: Document) -> Result<(), Fault> {
        let mut to: BTreeSet<Account> = self.inner.settings.moderators.iter().cloned().collect();
        to.insert(Account { service: console::SERVICE.to_owned(), id: console::OPERATOR.to_owned() });
        for moderator in self.inner.store.moderators().await? {
            to.extend(self.inner.store.accounts(moderator.person).await?);
        }
        for account in to {
            let id = -i64::from(u32::from_be_bytes(self.inner.entropy.bytes())) - 1;
            let delivery = Delivery::new(id, Destination::Person(account), document.clone());
            self.inner.outbox.post(self.referring(delivery, None));
        }
        self.inner.posted.send_modify(|count| *count += 1);
        Ok(())
    }
}
