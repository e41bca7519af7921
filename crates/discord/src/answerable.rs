//! Interactions that can still be answered: a way to people who take no private messages.
//!
//! Discord takes further answers to an interaction for fifteen minutes, and shows them to the person alone where the
//! bot wants that. So a private text, such as the result of a test, reaches a person there when their private messages
//! are shut.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::{
    sync::Notify,
    time::{Instant, timeout},
};

/// How long an interaction takes answers: the 15 minutes of Discord's, without what a slow way there may need.
const ANSWERS_TAKEN: Duration = Duration::from_secs(14 * 60);

/// How long somebody's first answer is waited for: what comes before it would fill the promise of that answer.
const FIRST_WAIT_MAX: Duration = Duration::from_secs(30);

/// Most people whose last interaction is kept.
const PEOPLE_MAX_COUNT: usize = 5000;

/// Each person's last interaction.
#[derive(Default)]
pub(super) struct Live {
    held: Mutex<HashMap<u64, Person>>,
    changed: Notify,
}

#[derive(Default)]
struct Person {
    /// How many interactions have no first answer yet.
    answering: usize,
    last: Option<Open>,
}

/// An interaction that takes further answers.
#[derive(Clone)]
pub(super) struct Open {
    /// Whoever has it can answer: never logged.
    pub(super) token: String,
    /// Whether others could read an answer that is not hidden from them.
    pub(super) shared: bool,
    until: Instant,
}

/// Held while somebody gets their first answer.
pub(super) struct Answering<'l> {
    live: &'l Live,
    user: u64,
    since: Instant,
}

impl Live {
    fn held(&self) -> MutexGuard<'_, HashMap<u64, Person>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Somebody is about to be answered.
    pub(super) fn begin(&self, user: u64) -> Answering<'_> {
        let since = Instant::now();
        let mut held = self.held();
        if held.len() >= PEOPLE_MAX_COUNT {
            held.retain(|_, person| {
                person.answering > 0 || person.last.as_ref().is_some_and(|open| open.until > since)
            });
            let spare = held.iter().find(|(_, person)| person.answering == 0).map(|(user, _)| *user);
            if let Some(spare) = spare.filter(|_| held.len() >= PEOPLE_MAX_COUNT) {
                held.remove(&spare);
            }
        }
        held.entry(user).or_default().answering += 1;
        Answering { live: self, user, since }
    }

    /// The interaction by which somebody can be answered, once those are answered that they wait for.
    pub(super) async fn of(&self, user: u64) -> Option<Open> {
        let answered = async {
            loop {
                let changed = self.changed.notified();
                if self.held().get(&user).is_none_or(|person| person.answering == 0) {
                    return;
                }
                changed.await;
            }
        };
        timeout(FIRST_WAIT_MAX, answered).await.ok()?;
        let now = Instant::now();
        self.held().get(&user)?.last.clone().filter(|open| open.until > now)
    }
}

impl Answering<'_> {
    /// The answer was taken: others may follow it.
    pub(super) fn taken(&self, token: &str, shared: bool) {
        let open = Open { token: token.to_owned(), shared, until: self.since + ANSWERS_TAKEN };
        self.live.held().entry(self.user).or_default().last = Some(open);
    }
}

impl Drop for Answering<'_> {
    fn drop(&mut self) {
        if let Some(person) = self.live.held().get_mut(&self.user) {
            person.answering = person.answering.saturating_sub(1);
        }
        self.live.changed.notify_waiters();
    }
}
