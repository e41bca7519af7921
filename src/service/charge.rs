//! What this process is in charge of: things that one process on a database does at a time, such as what falls due, and
//! each network.
//!
//! A charge is a claim in the store, renewed while the process lives. That of a process that died, or that stood still for
//! too long, runs out, and another one takes it. A process that cannot renew a claim gives it up by itself before others
//! may have it: by a clock and a thread of its own, whatever the database and all other tasks wait for. Where no other
//! process can reach the database, this one is in charge of everything. Nobody takes a claim over before they have seen it
//! stand unrenewed for as long as it counts: the database's clock may jump.

use std::{
    collections::BTreeMap,
    convert::Infallible,
    io,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering::Relaxed},
        mpsc,
    },
    thread,
    time::Duration,
};

// What measures how long a claim has not been renewed; nothing of a game depends on it.
use tokio::{sync::watch, time::Instant as Stopwatch};

use super::{fault::Fault, hub::Hub};
use port::{clock::Clock, entropy::Entropy};
use store::{Claim, Term};

/// The charge of running what falls due.
pub(super) const DUE: &str = "due";

/// How long a claim counts without being renewed, and how often it is renewed.
#[derive(Clone, Copy)]
struct Pace {
    lease: Duration,
    renewed_every: Duration,
    /// How long it is held without being renewed: what is done by it has the rest of the lease to end.
    held_for: Duration,
}

/// On a server, which many processes share: so long nobody is in charge after one of them was killed.
const ON_A_SERVER: Pace =
    Pace { lease: Duration::from_secs(10), renewed_every: Duration::from_secs(2), held_for: Duration::from_secs(8) };

/// In a file, which one process serves and a console looks into: a write every few seconds would wear out small disks.
const IN_A_FILE: Pace =
    Pace { lease: Duration::from_secs(30), renewed_every: Duration::from_secs(10), held_for: Duration::from_secs(25) };

/// So long before it leaves its networks a process tells whoever waits there that the database does not answer.
const TOLD_BEFORE: Duration = Duration::from_secs(1);

/// What this process wants to be in charge of, and what it is in charge of.
pub(super) struct Charges {
    /// What this process is called in claims; drawn anew by each, and in no journal.
    holder: String,
    wanted: Mutex<BTreeMap<String, Charge>>,
    /// Whether the database answers, as far as claims show: whoever waits for it is told before networks are left.
    answers: Mutex<Charge>,
    /// Moves when something is wanted.
    asked: watch::Sender<()>,
    lost: AtomicU64,
}

struct Charge {
    held: watch::Sender<bool>,
    /// When it was last known to be ours.
    renewed: Option<Stopwatch>,
    /// Until when another process has it, as was read last, and since when that has stood there.
    theirs: Option<(i64, Stopwatch)>,
}

impl Charge {
    fn new(is_held: bool) -> Self {
        Self { held: watch::Sender::new(is_held), renewed: is_held.then(Stopwatch::now), theirs: None }
    }

    /// Notes when it was renewed last, or that it is not held; whether that is a change.
    fn note(&mut self, renewed: Option<Stopwatch>) -> bool {
        self.renewed = renewed;
        self.held.send_if_modified(|held| std::mem::replace(held, renewed.is_some()) != renewed.is_some())
    }
}

impl Default for Charges {
    fn default() -> Self {
        let holder = hex::encode(Entropy::System.bytes::<8>());
        let answers = Mutex::new(Charge { renewed: None, ..Charge::new(true) });
        let (wanted, asked, lost) = (Mutex::default(), watch::Sender::default(), AtomicU64::default());
        Self { holder, wanted, answers, asked, lost }
    }
}

impl Charges {
    fn wanted(&self) -> MutexGuard<'_, BTreeMap<String, Charge>> {
        self.wanted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, name: &str, renewed: Option<Stopwatch>) {
        if let Some(charge) = self.wanted().get_mut(name) {
            self.note(name, charge, renewed);
        }
    }

    fn note(&self, name: &str, charge: &mut Charge, renewed: Option<Stopwatch>) {
        match (charge.note(renewed), renewed) {
            (false, _) => {}
            (true, Some(_)) => tracing::info!(charge = name, "this process is in charge"),
            (true, None) => {
                self.lost.fetch_add(1, Relaxed);
                tracing::warn!(charge = name, "this process is no longer in charge");
            }
        }
    }

    /// Ends what was not renewed for so long, on a thread that waits for nothing else, until what this gives is dropped.
    fn watch(self: &Arc<Self>, held_for: Duration) -> io::Result<mpsc::Sender<Infallible>> {
        let (goes_on, ends) = mpsc::channel();
        let charges = Arc::clone(self);
        let watches = move || {
            while ends.recv_timeout(charges.end_what_is_over(Stopwatch::now(), held_for))
                == Err(mpsc::RecvTimeoutError::Timeout)
            {}
        };
        thread::Builder::new().name("charges".to_owned()).spawn(watches)?;
        Ok(goes_on)
    }

    /// Whether the database answers, and every change of it.
    pub(super) fn answers(&self) -> watch::Receiver<bool> {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner).held.subscribe()
    }

    fn set_answers(&self, seen: Option<Stopwatch>) {
        if self.answers.lock().unwrap_or_else(PoisonError::into_inner).note(seen) {
            tracing::warn!(answers = seen.is_some(), "whether the database answers");
        }
    }

    /// Ends what was not renewed for so long; gives how long nothing else is over.
    fn end_what_is_over(&self, now: Stopwatch, held_for: Duration) -> Duration {
        let mut next = held_for;
        let mut is_over = |renewed: Option<Stopwatch>, held_for: Duration| {
            let left = renewed.map(|renewed| held_for.saturating_sub(now.saturating_duration_since(renewed)));
            next = next.min(left.filter(|left| !left.is_zero()).unwrap_or(next));
            left == Some(Duration::ZERO)
        };
        let seen = self.answers.lock().unwrap_or_else(PoisonError::into_inner).renewed;
        if is_over(seen, held_for.saturating_sub(TOLD_BEFORE)) {
            self.set_answers(None);
        }
        for (name, charge) in &mut *self.wanted() {
            if is_over(charge.renewed, held_for) {
                self.note(name, charge, None);
            }
        }
        next
    }

    /// Whether another process has not renewed a claim for as long as it counts, by the clock of this one: that of the
    /// database may have been set meanwhile.
    fn has_stood(&self, name: &str, until: i64, lease: Duration) -> bool {
        let mut wanted = self.wanted();
        let Some(charge) = wanted.get_mut(name) else { return false };
        let now = Stopwatch::now();
        match charge.theirs {
            Some((seen, since)) if seen == until => now.saturating_duration_since(since) >= lease,
            _ => {
                charge.theirs = Some((until, now));
                false
            }
        }
    }

    /// Every charge that is wanted, with when it was last known to be ours.
    fn all(&self) -> Vec<(String, Option<Stopwatch>)> {
        self.wanted().iter().map(|(name, charge)| (name.clone(), charge.renewed)).collect()
    }

    /// Every charge that is wanted, with whether this process has it.
    pub(super) fn held(&self) -> Vec<(String, bool)> {
        self.all().into_iter().map(|(name, renewed)| (name, renewed.is_some())).collect()
    }

    /// How many charges this process had and lost.
    pub(super) fn lost(&self) -> u64 {
        self.lost.load(Relaxed)
    }
}

impl Hub {
    /// Wants to be in charge of something, for as long as the process runs; says whether it is, and every change of it.
    /// A network is called as its service is: `irc:libera`.
    pub fn charge(&self, name: &str) -> watch::Receiver<bool> {
        let ours_alone = !self.inner.store.is_shared();
        let mut wanted = self.inner.charges.wanted();
        let charge = wanted.entry(name.to_owned()).or_insert_with(|| Charge::new(ours_alone));
        let held = charge.held.subscribe();
        drop(wanted);
        self.inner.charges.asked.send_replace(());
        held
    }

    /// Claims what is wanted and renews what is held, until the process stops.
    pub(super) async fn keep_charges(&self) {
        if !self.inner.store.is_shared() {
            return std::future::pending().await;
        }
        let pace = self.pace();
        let _watched = match self.inner.charges.watch(pace.held_for) {
            Ok(watched) => watched,
            Err(error) => {
                tracing::error!(%error, "no thread can watch what this process is in charge of: it takes charge of nothing");
                return std::future::pending().await;
            }
        };
        let mut asked = self.inner.charges.asked.subscribe();
        let keeping = async {
            loop {
                asked.borrow_and_update();
                if self.look_after_charges().await {
                    self.inner.charges.set_answers(Some(Stopwatch::now()));
                }
                tokio::select! {
                    () = tokio::time::sleep(pace.renewed_every) => {}
                    _ = asked.changed() => {}
                }
            }
        };
        let mut answers = self.inner.charges.answers();
        let hanging_up = async {
            // What is asked on a dead link would be waited for as long as the system believes in it.
            while answers.wait_for(|answers| !*answers).await.is_ok() {
                self.inner.store.hang_up();
                tokio::time::sleep(pace.held_for).await;
            }
        };
        tokio::join!(keeping, hanging_up);
    }

    fn pace(&self) -> Pace {
        if self.inner.store.path().is_some() { IN_A_FILE } else { ON_A_SERVER }
    }

    /// Ends what was not renewed in time, as the thread does: whoever stood still holds nothing any more.
    pub fn end_overdue_charges(&self) {
        self.inner.charges.end_what_is_over(Stopwatch::now(), self.pace().held_for);
    }

    /// Whether the database answers: nobody who waits for a line is kept by one that does not.
    pub(super) fn is_answered(&self) -> bool {
        *self.inner.charges.answers().borrow()
    }

    /// Claims and renews once. Whether the database answers.
    pub async fn look_after_charges(&self) -> bool {
        let Pace { lease, held_for, .. } = self.pace();
        self.end_overdue_charges();
        let kept = self.inner.store.keep_part().await;
        if let Err(error) = &kept {
            tracing::warn!(%error, "others may take this process for one that is gone");
        }
        for (name, renewed) in self.inner.charges.all() {
            let began = Stopwatch::now();
            match self.claim_charge(&name, renewed.is_some(), lease).await {
                // An answer that comes too late is none.
                Ok(is_ours) => {
                    let renewed = is_ours.then_some(began).filter(|began| Stopwatch::now() < *began + held_for);
                    self.inner.charges.set(&name, renewed);
                }
                Err(fault) => tracing::warn!(charge = name, %fault, "a claim cannot be renewed; it is tried again"),
            }
        }
        kept.is_ok()
    }

    async fn claim_charge(&self, name: &str, was_ours: bool, lease: Duration) -> Result<bool, Fault> {
        let theirs = self.inner.store.claimed(name, &self.inner.charges.holder).await?;
        // Nobody renews what a process has freed that found itself alone.
        if let Some(until) = theirs.filter(|until| *until > 0)
            && !self.inner.charges.has_stood(name, until, lease)
        {
            return Ok(false);
        }
        let claim = self.inner.store.claim(name, self.term(lease).await?).await?;
        let Claim::Ours { turns } = claim else { return Ok(false) };
        if !was_ours && turns > 1 {
            // Whoever had it is gone without a word: what it was delivering there is delivered by this one.
            let freed = self.inner.store.free_leases_of(name).await?;
            tracing::info!(charge = name, destinations = freed, "taken over from a process that is gone");
            self.inner.posted.send_modify(|count| *count += 1);
        }
        // Whoever had it may not have told what it did last.
        if !was_ours && let Err(fault) = self.see_others().await {
            tracing::warn!(charge = name, %fault, "what other processes did cannot be read; it is tried again");
        }
        Ok(true)
    }

    /// A claim of this process from now on, by the one clock that all processes on the database share.
    pub(super) async fn term(&self, lease: Duration) -> store::Result<Term<'_>> {
        let now = match &self.inner.clock {
            Clock::System => self.inner.store.now().await?,
            by_hand @ Clock::Manual(_) => by_hand.now().as_microsecond(),
        };
        let lease_for = i64::try_from(lease.as_micros()).unwrap_or(i64::MAX);
        Ok(Term { holder: &self.inner.charges.holder, now, lease_for })
    }

    /// Gives a claim of this process back.
    pub(super) async fn end_claim(&self, name: &str) {
        if let Err(error) = self.inner.store.end_claim(name, &self.inner.charges.holder).await {
            // It runs out by itself.
            tracing::warn!(claim = name, %error, "a claim cannot be given back");
        }
    }

    /// Gives every charge back, so that another process has it at once.
    pub(super) async fn give_charges_back(&self) {
        if !self.inner.store.is_shared() {
            return;
        }
        for (name, _) in self.inner.charges.all().into_iter().filter(|(_, renewed)| renewed.is_some()) {
            self.end_claim(&name).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whoever waits for a database in vain is in charge no longer than it may be.
    #[test]
    fn a_charge_ends_by_the_clock_of_who_holds_it() {
        let (charges, began, second) = (Charges::default(), Stopwatch::now(), Duration::from_secs(1));
        let charge = Charge { renewed: Some(began), ..Charge::new(true) };
        charges.wanted.lock().unwrap().insert("irc:net".to_owned(), charge);
        let is_held = || charges.held()[0].1;
        assert_eq!(charges.end_what_is_over(began + 6 * second, 7 * second), second);
        assert!(is_held());
        assert_eq!(charges.end_what_is_over(began + 7 * second, 7 * second), 7 * second);
        assert!(!is_held());
        assert_eq!(charges.lost(), 1);
    }
}
