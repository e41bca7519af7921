//! Announcements: from the outbox to a channel, and marked delivered only when the server has taken them.
//!
//! Writing to a socket proves nothing: the connection may be dead, or the channel closed to the bot. Where the server
//! echoes labelled lines, the echo is the proof. Elsewhere a fence is: a `PING` behind the lines, with no refusal
//! before its `PONG`. However late the proof is, nothing is sent again while the connection lives, for that would be a
//! second copy. Meanwhile the desk is told that the announcement is still being delivered. When the connection is lost
//! in between, nobody knows, and it is tried again. Lines of it that the network has shown us are not repeated. Which
//! announcement comes next is the desk's business.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Semaphore, mpsc, oneshot, watch};
use tokio::task::JoinSet;
use tokio::time::Instant;

use port::Delivery;
use port::Desk;
use port::REPORT_MAX;
use port::Undelivered;

/// Most announcements of one network that are taken from the desk at once. Each goes to a destination of its own, so
/// that a few closed channels hold up no open one.
pub(super) const TAKEN_MAX_COUNT: usize = 16;

/// Most of them whose lines are queued at once: few enough that one which is refused takes little back.
pub(super) const FLYING_MAX_COUNT: usize = 4;

/// How long an announcement waits for its channel to be joined.
pub(super) const JOIN_WAIT: Duration = Duration::from_secs(20);

/// How long echoes may take until the server is asked, by a fence, whether it has read the lines.
pub(super) const ASK_AFTER: Duration = Duration::from_secs(30);

/// How long echoes may take once the server is known to have read the lines. A bouncer answers fences by itself and
/// shows echoes only when its own network does. By then that connection has come back or is given up.
pub(super) const ECHO_MAX: Duration = Duration::from_secs(300);

/// How often the desk is told that an announcement is still being delivered: well within the time in which it wants to
/// hear.
pub(super) const RENEW_EVERY: Duration = Duration::from_secs(REPORT_MAX.as_secs() / 3);

/// The pause after an announcement that could not be sent, so that a desk which leases it again at once does not
/// spin.
const RETRY_PAUSE: Duration = Duration::from_secs(1);

/// Most announcements whose shown lines are remembered.
const SHOWN_MAX_COUNT: usize = 256;

/// An announcement on its way to the session.
pub(super) struct Job {
    /// What to send.
    pub(super) delivery: Delivery,
    /// Where to say what became of it. Dropped without a word, it counts as [`Undelivered::Retry`].
    pub(super) done: oneshot::Sender<Result<(), Undelivered>>,
}

/// Takes announcements from the desk and reports what became of them, as long as `online` says that there is a
/// session to take them. Ends when `stop` says so.
pub(super) async fn pump(
    desk: Arc<dyn Desk>,
    service: String,
    jobs: mpsc::Sender<Job>,
    mut online: watch::Receiver<bool>,
    mut stop: watch::Receiver<bool>,
) {
    let slots = Arc::new(Semaphore::new(TAKEN_MAX_COUNT));
    let mut reports = JoinSet::new();
    loop {
        let next = async {
            let slot = Arc::clone(&slots).acquire_owned().await.ok()?;
            online.wait_for(|online| *online).await.ok()?;
            Some((slot, desk.next_delivery(&service).await))
        };
        let (slot, delivery) = tokio::select! {
            biased;
            _ = stop.wait_for(|stop| *stop) => break,
            next = next => match next {
                Some(next) => next,
                None => break,
            },
        };
        while reports.try_join_next().is_some() {}
        let (desk, jobs, stop) = (Arc::clone(&desk), jobs.clone(), stop.clone());
        reports.spawn(async move {
            deliver(&*desk, jobs, delivery, stop).await;
            drop(slot);
        });
    }
    // What is under way ends with its session, which is ending too: each is reported before the pump is gone.
    while reports.join_next().await.is_some() {}
}

async fn deliver(desk: &dyn Desk, jobs: mpsc::Sender<Job>, delivery: Delivery, mut stop: watch::Receiver<bool>) {
    let id = delivery.id;
    let (done, mut outcome) = oneshot::channel();
    let sent = jobs.send(Job { delivery, done }).await.is_ok();
    drop(jobs);
    let mut renew = tokio::time::interval_at(Instant::now() + RENEW_EVERY, RENEW_EVERY);
    let outcome = loop {
        tokio::select! {
            biased;
            outcome = &mut outcome => break outcome.unwrap_or(Err(Undelivered::Retry)),
            _ = renew.tick(), if sent => desk.still_delivering(id).await,
        }
    };
    match outcome {
        Ok(()) => {
            tracing::debug!(id, "announcement delivered");
            desk.delivered(id).await;
        }
        Err(why) => {
            tracing::debug!(id, ?why, "announcement not delivered");
            desk.undelivered(id, why).await;
            let _ = tokio::time::timeout(RETRY_PAUSE, stop.wait_for(|stop| *stop)).await;
        }
    }
}

/// Which lines of which announcements the network has shown us. Outlives connections, and so keeps an announcement
/// that was cut off in the middle from being repeated from its beginning.
#[derive(Debug, Default)]
pub(super) struct Shown {
    lines: HashMap<i64, BTreeMap<usize, String>>,
    order: VecDeque<i64>,
}

impl Shown {
    /// The network has shown us this line.
    pub(super) fn note(&mut self, part: Part, text: &str) {
        if !self.lines.contains_key(&part.id) {
            if self.order.len() >= SHOWN_MAX_COUNT
                && let Some(oldest) = self.order.pop_front()
            {
                self.lines.remove(&oldest);
            }
            self.order.push_back(part.id);
        }
        self.lines.entry(part.id).or_default().insert(part.index, text.to_owned());
    }

    /// Whether it has. The text is compared too: numbers may begin anew with another database.
    pub(super) fn has(&self, part: Part, text: &str) -> bool {
        self.lines.get(&part.id).and_then(|lines| lines.get(&part.index)).is_some_and(|shown| shown == text)
    }
}

/// Where lines of an announcement go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// To one person.
    Private,
    /// To a channel.
    Channel,
}

/// One line of an announcement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    /// The announcement.
    pub(super) id: i64,
    /// Which line of it, from 0.
    pub(super) index: usize,
}

impl std::fmt::Display for Part {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.id, self.index)
    }
}

impl std::str::FromStr for Part {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (id, index) = text.split_once('.').ok_or(())?;
        Ok(Self { id: id.parse().map_err(drop)?, index: index.parse().map_err(drop)? })
    }
}

/// An announcement whose lines are queued or sent.
struct InFlight {
    done: oneshot::Sender<Result<(), Undelivered>>,
    class: Class,
    /// The folded name of the channel, or the person's lane.
    lane: String,
    unsent: BTreeSet<usize>,
    unconfirmed: BTreeSet<usize>,
    /// When the last line left.
    sent_at: Option<Instant>,
    /// The fence behind the last line.
    fence: Option<u64>,
    /// When that was answered.
    read_at: Option<Instant>,
}

/// All announcements that a session has taken.
pub(super) struct Deliveries {
    flying: BTreeMap<i64, InFlight>,
    /// Waiting for their channel, with the moment at which they stop waiting, or for their turn.
    waiting: Vec<(Option<Instant>, Job)>,
    /// Whether lines are confirmed one by one; otherwise by a fence behind the last.
    pub(super) by_echo: bool,
}

/// What to do after a line has left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum After {
    /// Nothing.
    Nothing,
    /// Put a fence behind it, which vouches for this announcement.
    Fence(i64),
}

impl Deliveries {
    /// Nothing is under way.
    pub(super) fn new(by_echo: bool) -> Self {
        Self { flying: BTreeMap::new(), waiting: Vec::new(), by_echo }
    }

    /// Keeps a job until its channel is joined, but not longer than it has waited for so far and may wait at most.
    pub(super) fn wait_for_channel(&mut self, job: Job, until: Option<Instant>, now: Instant) {
        self.waiting.push((Some(until.unwrap_or(now + JOIN_WAIT)), job));
    }

    /// Keeps a job until others are done.
    pub(super) fn wait_for_turn(&mut self, job: Job) {
        self.waiting.push((None, job));
    }

    /// The jobs that waited, to be looked at again.
    pub(super) fn take_waiting(&mut self) -> Vec<(Option<Instant>, Job)> {
        std::mem::take(&mut self.waiting)
    }

    /// Whether another announcement can be begun.
    pub(super) fn has_room(&self) -> bool {
        self.flying.len() < FLYING_MAX_COUNT
    }

    /// A private announcement goes to this nick (folded): refusals will name it.
    pub(super) fn routed(&mut self, id: i64, nick: String) {
        if let Some(flying) = self.flying.get_mut(&id) {
            flying.lane = nick;
        }
    }

    /// An announcement has been queued as these lines. With none, it has all been shown before.
    pub(super) fn begin(&mut self, job: Job, class: Class, lane: String, lines: &[usize]) {
        if lines.is_empty() {
            let _ = job.done.send(Ok(()));
            return;
        }
        let lines: BTreeSet<usize> = lines.iter().copied().collect();
        let flying = InFlight {
            done: job.done,
            class,
            lane,
            unsent: lines.clone(),
            unconfirmed: lines,
            sent_at: None,
            fence: None,
            read_at: None,
        };
        self.flying.insert(job.delivery.id, flying);
    }

    /// A line has left.
    pub(super) fn sent(&mut self, part: Part, now: Instant) -> After {
        let Some(flying) = self.flying.get_mut(&part.id) else { return After::Nothing };
        flying.unsent.remove(&part.index);
        if !flying.unsent.is_empty() {
            return After::Nothing;
        }
        flying.sent_at = Some(now);
        if self.by_echo { After::Nothing } else { After::Fence(part.id) }
    }

    /// The server has taken a line.
    pub(super) fn confirmed(&mut self, part: Part) {
        if let Some(flying) = self.flying.get_mut(&part.id) {
            flying.unconfirmed.remove(&part.index);
            if flying.unconfirmed.is_empty() {
                self.end(part.id, Ok(()));
            }
        }
    }

    /// This fence was put behind an announcement.
    pub(super) fn fence(&mut self, id: i64, token: u64) {
        if let Some(flying) = self.flying.get_mut(&id) {
            flying.fence = Some(token);
        }
    }

    /// The server has answered this fence, and so read everything before it. Where lines are echoed, the echo may be
    /// on its way still.
    pub(super) fn fenced(&mut self, token: u64, now: Instant) {
        let behind = |flying: &InFlight| flying.fence.is_some_and(|fence| fence <= token);
        let ids: Vec<i64> = self.flying.iter().filter(|(_, flying)| behind(flying)).map(|(id, _)| *id).collect();
        for id in ids {
            if !self.by_echo {
                self.end(id, Ok(()));
            } else if let Some(flying) = self.flying.get_mut(&id) {
                flying.read_at.get_or_insert(now);
            }
        }
    }

    /// An announcement has failed.
    pub(super) fn failed(&mut self, id: i64, why: Undelivered) {
        self.end(id, Err(why));
    }

    /// The server refused a line to this lane: whatever is on its way there has failed. Returns which.
    pub(super) fn refused(&mut self, class: Class, lane: &str) -> Vec<i64> {
        let hit = |flying: &InFlight| {
            flying.class == class && flying.lane == lane && flying.unsent.len() < flying.unconfirmed.len()
        };
        let ids: Vec<i64> = self.flying.iter().filter(|(_, flying)| hit(flying)).map(|(id, _)| *id).collect();
        for id in &ids {
            self.end(*id, Err(Undelivered::Retry));
        }
        ids
    }

    /// Announcements whose echoes are late: a fence should stand behind each.
    pub(super) fn unasked(&self, now: Instant) -> Vec<i64> {
        let late = |flying: &InFlight| flying.ask_at().is_some_and(|at| now >= at);
        self.flying.iter().filter(|(_, flying)| late(flying)).map(|(id, _)| *id).collect()
    }

    /// Gives up what cannot arrive. Returns which of the sent ones are to be told of. The server has read them, refused
    /// none, and shown none for so long that they are not tried again.
    pub(super) fn give_up(&mut self, now: Instant) -> Vec<i64> {
        // A waiting job that is dropped says nothing, which means: again later.
        self.waiting.retain(|(until, _)| until.is_none_or(|until| now < until));
        let late = |flying: &InFlight| flying.read_at.is_some_and(|at| now >= at + ECHO_MAX);
        let ids: Vec<i64> = self.flying.iter().filter(|(_, flying)| late(flying)).map(|(id, _)| *id).collect();
        for id in &ids {
            let why = "the server read it, and neither refused it nor showed it";
            self.end(*id, Err(Undelivered::Gone(why.to_owned())));
        }
        ids
    }

    /// When to ask [`Self::unasked`] and [`Self::give_up`] again.
    pub(super) fn next_deadline(&self) -> Option<Instant> {
        let waiting = self.waiting.iter().filter_map(|(until, _)| *until);
        let unshown = self.flying.values().filter_map(|flying| flying.read_at.map(|at| at + ECHO_MAX));
        waiting.chain(unshown).chain(self.flying.values().filter_map(InFlight::ask_at)).min()
    }

    fn end(&mut self, id: i64, outcome: Result<(), Undelivered>) {
        if let Some(flying) = self.flying.remove(&id) {
            // Nobody listens when the pump has gone: the desk leases it again.
            let _ = flying.done.send(outcome);
        }
    }
}

impl InFlight {
    /// When to ask the server whether it has read the lines.
    fn ask_at(&self) -> Option<Instant> {
        self.sent_at.filter(|_| self.fence.is_none()).map(|at| at + ASK_AFTER)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::display::Document;
    use port::{Destination, ForumAddress};

    type Outcome = oneshot::Receiver<Result<(), Undelivered>>;

    fn job(id: i64) -> (Job, Outcome) {
        let (done, outcome) = oneshot::channel();
        let to = Destination::Forum(ForumAddress { service: "irc:net".to_owned(), channel: "#a".to_owned() });
        let delivery = Delivery::new(id, to, Document::say("x"));
        (Job { delivery, done }, outcome)
    }

    fn begun(id: i64, lines: &[usize], by_echo: bool) -> (Deliveries, Outcome) {
        let (job, outcome) = job(id);
        let mut deliveries = Deliveries::new(by_echo);
        deliveries.begin(job, Class::Channel, "#a".to_owned(), lines);
        (deliveries, outcome)
    }

    fn part(id: i64, index: usize) -> Part {
        Part { id, index }
    }

    #[test]
    fn with_echoes_every_line_has_to_come_back() {
        let (mut deliveries, mut outcome) = begun(7, &[0, 1], true);
        let now = Instant::now();
        assert_eq!(deliveries.sent(part(7, 0), now), After::Nothing);
        deliveries.confirmed(part(7, 0));
        assert_eq!(deliveries.sent(part(7, 1), now), After::Nothing);
        assert!(outcome.try_recv().is_err());
        deliveries.confirmed(part(7, 1));
        assert_eq!(outcome.try_recv(), Ok(Ok(())));
    }

    #[test]
    fn without_echoes_a_fence_stands_behind_the_last_line() {
        let (mut deliveries, mut outcome) = begun(7, &[0, 1], false);
        let now = Instant::now();
        assert_eq!(deliveries.sent(part(7, 0), now), After::Nothing);
        assert_eq!(deliveries.sent(part(7, 1), now), After::Fence(7));
        deliveries.fence(7, 5);
        deliveries.fenced(4, now);
        assert!(outcome.try_recv().is_err(), "an earlier fence vouches for nothing");
        deliveries.fenced(5, now);
        assert_eq!(outcome.try_recv(), Ok(Ok(())));
    }

    #[test]
    fn a_refusal_hits_what_is_on_its_way_and_nothing_else() {
        let (mut deliveries, mut outcome) = begun(7, &[0], false);
        assert!(deliveries.refused(Class::Channel, "#a").is_empty(), "nothing has left yet");
        deliveries.sent(part(7, 0), Instant::now());
        assert!(deliveries.refused(Class::Channel, "#b").is_empty());
        assert_eq!(deliveries.refused(Class::Channel, "#a"), [7]);
        assert_eq!(outcome.try_recv(), Ok(Err(Undelivered::Retry)));
        assert!(deliveries.flying.is_empty());
    }

    #[test]
    fn late_echoes_are_waited_for_and_only_what_was_read_and_never_shown_is_given_up() {
        let (mut deliveries, mut outcome) = begun(7, &[0], true);
        let now = Instant::now();
        deliveries.sent(part(7, 0), now);
        let asked = now + ASK_AFTER;
        assert_eq!((deliveries.next_deadline(), deliveries.unasked(now)), (Some(asked), Vec::new()));
        assert_eq!(deliveries.unasked(asked), [7]);
        deliveries.fence(7, 5);
        assert_eq!((deliveries.next_deadline(), deliveries.unasked(asked)), (None, Vec::new()));
        assert!(deliveries.give_up(asked + ECHO_MAX * 10).is_empty(), "while nobody knows, it waits");
        deliveries.fenced(5, asked);
        assert_eq!(deliveries.next_deadline(), Some(asked + ECHO_MAX));
        assert!(outcome.try_recv().is_err());
        assert_eq!(deliveries.give_up(asked + ECHO_MAX), [7]);
        assert!(matches!(outcome.try_recv(), Ok(Err(Undelivered::Gone(_)))));
    }

    #[test]
    fn a_closed_channel_is_not_waited_for_for_ever() {
        let mut deliveries = Deliveries::new(true);
        let (now, (waiting, mut outcome)) = (Instant::now(), job(8));
        deliveries.wait_for_channel(waiting, None, now);
        assert_eq!(deliveries.next_deadline(), Some(now + JOIN_WAIT));
        deliveries.give_up(now + JOIN_WAIT);
        assert!(matches!(outcome.try_recv(), Err(oneshot::error::TryRecvError::Closed)));
    }

    #[test]
    fn an_announcement_that_was_shown_whole_is_delivered() {
        let (_, mut outcome) = begun(7, &[], true);
        assert_eq!(outcome.try_recv(), Ok(Ok(())));
    }

    #[test]
    fn shown_lines_are_known_by_number_and_text_and_bounded() {
        let mut shown = Shown::default();
        shown.note(part(1, 0), "text");
        assert!(shown.has(part(1, 0), "text") && !shown.has(part(1, 0), "other") && !shown.has(part(1, 1), "text"));
        for id in 2..SHOWN_MAX_COUNT as i64 + 10 {
            shown.note(part(id, 0), "text");
        }
        assert!(!shown.has(part(1, 0), "text"));
        assert_eq!(shown.lines.len(), SHOWN_MAX_COUNT);
        assert_eq!("12.3".parse(), Ok(part(12, 3)));
        assert_eq!("x.3".parse::<Part>(), Err(()));
    }
}
