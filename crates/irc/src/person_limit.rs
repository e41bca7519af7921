//! How much one person may ask: a few commands at once, and then one every few seconds.
//!
//! Whoever asks for more waits alone: their lines are kept and taken up in order as their share allows, and everybody
//! else goes before them. What is beyond the bound is not read, is counted, and they are told how much it was. Lines of
//! a text that the service awaits are no commands and cost nothing. Which line is taken up is decided in
//! [`super::inbound`], how the answers go out in [`super::queue`].

use std::collections::HashMap;
use std::num::NonZeroU32;
use std::time::Duration;

use governor::Quota;
use tokio::time::Instant;

use super::config::PersonPace;
use super::limiter::{Bucket, TokioClock, bucket};
use super::outbound::To;

/// Most lines of one person that wait: a pasted program.
pub(super) const PERSON_WAITING_MAX_LINES: usize = 128;

/// Most lines of everybody that wait: at half a kilobyte, four megabytes.
pub(super) const WAITING_MAX_LINES: usize = 8192;

/// Most people who are remembered at once.
pub(super) const PEOPLE_MAX_COUNT: usize = 1024;

/// How long lines that were not read are counted before their sender is told how many: long enough that a burst is told
/// of once.
pub(super) const UNREAD_TOLD_AFTER: Duration = Duration::from_secs(10);

/// How long somebody whose text is awaited is remembered without a word of theirs: as long as the service awaits it.
const TEXT_KEPT: Duration = Duration::from_secs(3600);

/// Everybody who has asked for something lately.
pub(super) struct PersonLimits {
    /// `None` where nobody has a limit.
    quota: Option<Quota>,
    burst: usize,
    /// How long it takes until somebody has their whole burst again.
    refill: Duration,
    clock: TokioClock,
    people: HashMap<String, Person>,
    /// Lines of everybody that wait.
    waiting: usize,
    /// Lines that were not read because too many people wait: nobody could be told one by one.
    crowded_out: u64,
}

struct Person {
    bucket: Option<Bucket>,
    /// Where they are told of their own flood.
    to: To,
    waiting: usize,
    /// Whether leave was given for a line that is not taken up yet.
    granted: bool,
    /// When leave was refused until.
    refused_until: Option<Instant>,
    /// Whether they were told that they wait.
    told: bool,
    unread: u64,
    tell_unread_at: Option<Instant>,
    /// Whether the service awaits a text of theirs, in private.
    text: bool,
    last: Instant,
}

impl PersonLimits {
    /// Nobody has asked for anything.
    pub(super) fn new(pace: &PersonPace) -> Self {
        let burst = NonZeroU32::new(pace.burst_commands).unwrap_or(NonZeroU32::MIN);
        let every = Duration::from_millis(u64::from(pace.command_every_ms));
        let quota = Quota::with_period(every).map(|quota| quota.allow_burst(burst));
        Self {
            burst: if quota.is_some() { burst.get() as usize } else { usize::MAX },
            quota,
            refill: every * burst.get(),
            clock: TokioClock::start(),
            people: HashMap::new(),
            waiting: 0,
            crowded_out: 0,
        }
    }

    /// Whether a line of this person, who can be told at `to`, is kept until it is taken up; if not, it is counted.
    pub(super) fn admit(&mut self, name: &str, to: To, now: Instant) -> bool {
        let crowded = self.waiting >= WAITING_MAX_LINES;
        if !self.people.contains_key(name) {
            if self.people.len() >= PEOPLE_MAX_COUNT {
                let refill = self.refill;
                self.people.retain(|_, person| person.is_remembered(refill, now));
            }
            if self.people.len() >= PEOPLE_MAX_COUNT {
                self.crowded_out += 1;
                return false;
            }
        }
        let fresh = || Person::new(self.quota.map(|quota| bucket(quota, &self.clock)), to.clone(), now);
        let person = self.people.entry(name.to_owned()).or_insert_with(fresh);
        if person.waiting == 0 && now >= person.last + self.refill {
            person.told = false;
        }
        person.to = to;
        if crowded || person.waiting >= PERSON_WAITING_MAX_LINES {
            person.unread += 1;
            person.tell_unread_at.get_or_insert(now + UNREAD_TOLD_AFTER);
            return false;
        }
        person.waiting += 1;
        self.waiting += 1;
        true
    }

    /// Whether a line of this person, said in a channel or in private, may be taken up now.
    pub(super) fn may(&mut self, name: &str, in_private: bool, now: Instant) -> bool {
        let Some(person) = self.people.get_mut(name) else { return true };
        if person.granted || (in_private && person.text) {
            return true;
        }
        if person.refused_until.is_some_and(|until| now < until) {
            return false;
        }
        let refusal = person.bucket.as_ref().and_then(|bucket| bucket.check().err());
        person.refused_until = refusal.map(|not_until| now + not_until.wait_time_from(self.clock.elapsed()));
        person.granted = person.refused_until.is_none();
        person.granted
    }

    /// A line of this person, said in a channel or in private, was taken up.
    pub(super) fn taken(&mut self, name: &str, in_private: bool, now: Instant) {
        if let Some(person) = self.people.get_mut(name) {
            person.waiting = person.waiting.saturating_sub(1);
            person.granted &= in_private && person.text;
            person.last = now;
            self.waiting = self.waiting.saturating_sub(1);
        }
    }

    /// Lines of this person are not taken up, because nobody knows any more who said them.
    pub(super) fn dropped(&mut self, name: &str, lines: usize) {
        if let Some(person) = self.people.get_mut(name) {
            person.waiting = person.waiting.saturating_sub(lines);
            self.waiting = self.waiting.saturating_sub(lines);
        }
    }

    /// The service awaits a text of this person, whose lines are said in private, or awaits none any more.
    pub(super) fn text(&mut self, name: &str, awaited: bool) {
        if let Some(person) = self.people.get_mut(name) {
            person.text = awaited;
        }
    }

    /// Whether this person has asked for more than their share, so that everybody else goes first.
    pub(super) fn is_late(&self, name: &str) -> bool {
        let late = |person: &Person| {
            person.waiting > self.burst || (person.waiting > 0 && person.refused_until.is_some() && !person.granted)
        };
        self.people.get(name).is_some_and(late)
    }

    /// Where to tell this person that they wait; nothing when they were told, or have not asked for too much.
    pub(super) fn tell_of_waiting(&mut self, name: &str) -> Option<To> {
        let late = self.is_late(name);
        let person = self.people.get_mut(name)?;
        let new = late && !person.text && !std::mem::replace(&mut person.told, true);
        new.then(|| person.to.clone())
    }

    /// Who is to be told by now how many of their lines were not read.
    pub(super) fn to_be_told(&self, now: Instant) -> Vec<String> {
        let due = |person: &Person| person.tell_unread_at.is_some_and(|at| at <= now);
        self.people.iter().filter(|(_, person)| due(person)).map(|(name, _)| name.clone()).collect()
    }

    /// Takes the count of somebody's lines that were not read, and where to tell them.
    pub(super) fn take_unread(&mut self, name: &str) -> Option<(To, u64)> {
        let person = self.people.get_mut(name)?;
        person.tell_unread_at = None;
        Some((person.to.clone(), std::mem::take(&mut person.unread)))
    }

    /// Puts off what somebody is to be told: their last word of this kind has not left yet.
    pub(super) fn tell_later(&mut self, name: &str, now: Instant) {
        if let Some(person) = self.people.get_mut(name) {
            person.tell_unread_at = Some(now + UNREAD_TOLD_AFTER);
        }
    }

    /// Takes the count of lines that were not read because too many people wait.
    pub(super) fn take_crowded_out(&mut self) -> u64 {
        std::mem::take(&mut self.crowded_out)
    }

    /// How many lines wait.
    pub(super) fn waiting(&self) -> usize {
        self.waiting
    }

    /// When something is to be done here by itself, after everything was done that was due at `now`. Who is not held
    /// back by their share any more then waits for something else, which will say so.
    pub(super) fn next_due(&self, now: Instant) -> Option<Instant> {
        let held_back = |person: &Person, until: Instant| until > now && person.waiting > 0 && !person.granted;
        let waits = |person: &Person| person.refused_until.filter(|until| held_back(person, *until));
        self.people.values().flat_map(|person| [waits(person), person.tell_unread_at]).flatten().min()
    }
}

impl Person {
    fn new(bucket: Option<Bucket>, to: To, now: Instant) -> Self {
        Self {
            bucket,
            to,
            waiting: 0,
            granted: false,
            refused_until: None,
            told: false,
            unread: 0,
            tell_unread_at: None,
            text: false,
            last: now,
        }
    }

    /// Whether anything would be different if they were forgotten.
    fn is_remembered(&self, refill: Duration, now: Instant) -> bool {
        let kept = if self.text { refill.max(TEXT_KEPT) } else { refill };
        self.waiting > 0 || self.unread > 0 || now < self.last + kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn to(name: &str) -> To {
        To::Channel(name.to_owned())
    }

    fn patience() -> PersonLimits {
        PersonLimits::new(&PersonPace { burst_commands: 8, command_every_ms: 5000 })
    }

    /// Hands in what may be handed in now.
    fn take_all(patience: &mut PersonLimits, name: &str, in_private: bool) -> usize {
        let now = Instant::now();
        let next =
            |patience: &mut PersonLimits| patience.people[name].waiting > 0 && patience.may(name, in_private, now);
        let mut taken = 0;
        while next(patience) {
            patience.taken(name, in_private, now);
            taken += 1;
        }
        taken
    }

    #[tokio::test(start_paused = true)]
    async fn eight_at_once_then_one_in_five_seconds_and_the_rest_waits() {
        let mut patience = patience();
        for _ in 0..20 {
            assert!(patience.admit("al", to("al"), Instant::now()));
        }
        assert!(patience.is_late("al"));
        assert_eq!(take_all(&mut patience, "al", false), 8);
        assert_eq!(patience.tell_of_waiting("al"), Some(to("al")));
        assert_eq!(patience.tell_of_waiting("al"), None, "once is enough");
        for _ in 0..12 {
            let due = patience.next_due(Instant::now()).expect("somebody waits");
            assert!(due <= Instant::now() + Duration::from_secs(5));
            tokio::time::sleep_until(due).await;
            assert_eq!(take_all(&mut patience, "al", false), 1);
        }
        assert!(!patience.is_late("al") && patience.waiting() == 0 && patience.next_due(Instant::now()).is_none());
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_too_much_is_counted_and_told_of() {
        let mut patience = patience();
        let now = Instant::now();
        let kept = (0..1001).filter(|_| patience.admit("al", to("al"), now)).count();
        assert_eq!(kept, PERSON_WAITING_MAX_LINES);
        assert!(patience.to_be_told(now).is_empty());
        assert_eq!(patience.to_be_told(now + UNREAD_TOLD_AFTER), ["al"]);
        assert_eq!(patience.take_unread("al"), Some((to("al"), 1001 - kept as u64)));
        assert!(patience.to_be_told(now + UNREAD_TOLD_AFTER).is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn lines_of_a_text_cost_nothing_in_private() {
        let mut patience = patience();
        let now = Instant::now();
        for _ in 0..100 {
            patience.admit("al", to("al"), now);
        }
        patience.text("al", true);
        assert_eq!(take_all(&mut patience, "al", true), 100);
        for _ in 0..100 {
            patience.admit("al", to("al"), now);
        }
        assert_eq!(take_all(&mut patience, "al", false), 8, "a channel is no place for it");
        assert_eq!(take_all(&mut patience, "al", true), 92);
    }

    #[tokio::test(start_paused = true)]
    async fn a_crowd_takes_bounded_memory_and_nobody_is_forgotten_who_waits() {
        let mut patience = patience();
        let now = Instant::now();
        for n in 0..PEOPLE_MAX_COUNT + 10 {
            patience.admit(&n.to_string(), to("x"), now);
        }
        assert_eq!((patience.people.len(), patience.take_crowded_out()), (PEOPLE_MAX_COUNT, 10));
        for n in 0..PEOPLE_MAX_COUNT {
            patience.taken(&n.to_string(), false, now);
        }
        assert!(patience.admit("new", to("x"), now + Duration::from_secs(60)));
        assert_eq!(patience.people.len(), 1);
    }
}
