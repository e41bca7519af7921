//! A service for adapters under test: it answers by a function, hands out announcements in order, and tells the test
//! everything that it hears.

use std::{
    collections::{HashMap, HashSet, VecDeque},
    sync::{
        Arc, Mutex,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

use catalogue::{Catalogue, hint};
use futures::future::BoxFuture;
use kernel::{display::Document, frame::Manner};
use port::Desk;
use port::Incident;
use port::Undelivered;
use port::{Account, Delivery, Destination, ForumAddress, Line, Place, Reply, ReplyKind, Standing};
use tokio::{
    sync::{Notify, mpsc, watch},
    time::Instant,
};

/// How long a test waits for something before it fails. Paused time skips it.
const WAIT_MAX: Duration = Duration::from_secs(90);

/// How long an announcement that was handed out is nobody else's, as in the service.
const LEASE: Duration = Duration::from_secs(120);

/// What became of an announcement, or what moderators were told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Report {
    /// It arrived.
    Delivered(i64),
    /// It did not.
    Undelivered(i64, Undelivered),
    /// Something that moderators should hear of.
    Incident(Incident),
}

type Answer = dyn Fn(&Line) -> Vec<Reply> + Send + Sync;

/// The service's side, to be given to the adapter.
pub(crate) struct TestDesk {
    answer: Box<Answer>,
    heard: mpsc::UnboundedSender<Line>,
    reports: mpsc::UnboundedSender<Report>,
    outbox: Mutex<Outbox>,
    posted: Notify,
    forums: watch::Sender<Vec<String>>,
    standings: watch::Sender<Vec<Standing>>,
    next: AtomicI64,
    threads: Mutex<HashMap<(ForumAddress, String), String>>,
    names: Mutex<Vec<Vec<String>>>,
}

#[derive(Default)]
struct Outbox {
    waiting: VecDeque<Delivery>,
    /// Each until its lease runs out.
    in_flight: Vec<(Instant, Delivery)>,
}

/// The test's side: what the service hears and is told, in order.
pub(crate) struct Ear {
    heard: mpsc::UnboundedReceiver<Line>,
    reports: mpsc::UnboundedReceiver<Report>,
}

impl TestDesk {
    /// A service that answers like this.
    pub(crate) fn new(answer: impl Fn(&Line) -> Vec<Reply> + Send + Sync + 'static) -> (Arc<Self>, Ear) {
        let (heard, hear) = mpsc::unbounded_channel();
        let (report, reports) = mpsc::unbounded_channel();
        let desk = Self {
            answer: Box::new(answer),
            heard,
            reports: report,
            outbox: Mutex::default(),
            posted: Notify::new(),
            forums: watch::Sender::new(Vec::new()),
            standings: watch::Sender::new(Vec::new()),
            next: AtomicI64::new(1),
            threads: Mutex::default(),
            names: Mutex::default(),
        };
        (Arc::new(desk), Ear { heard: hear, reports })
    }

    /// A service that says what it was told and by whom. It says `echo`, privately for what begins with `secret`, and
    /// at length for what begins with `long`.
    pub(crate) fn echo() -> (Arc<Self>, Ear) {
        Self::new(|line| {
            let who = line.from.account.as_ref().map_or("nobody", |account| &account.id);
            let private = line.text.starts_with("secret") || line.place == Place::Private;
            let document = match line.text.strip_prefix("long ").map(str::parse::<usize>) {
                Some(Ok(lines)) => {
                    (1..=lines).fold(Document::default(), |document, n| document.para(format!("line {n}")))
                }
                _ => Document::say(format!("{who} says {}", line.text)),
            };
            vec![Reply { kind: ReplyKind::Shown, private, document, file: None }]
        })
    }

    /// Posts an announcement for a channel; returns its number.
    pub(crate) fn announce(&self, service: &str, channel: &str, document: Document) -> i64 {
        let to = Destination::Forum(ForumAddress { service: service.to_owned(), channel: channel.to_owned() });
        self.post(to, document)
    }

    /// Posts an announcement for a person; returns its number.
    pub(crate) fn announce_to(&self, service: &str, account: &str, document: Document) -> i64 {
        let to = Destination::Person(Account { service: service.to_owned(), id: account.to_owned() });
        self.post(to, document)
    }

    /// Posts an announcement for a channel, to be made in this manner; returns its number.
    pub(crate) fn announce_so(&self, service: &str, channel: &str, document: Document, manner: &Manner) -> i64 {
        let to = Destination::Forum(ForumAddress { service: service.to_owned(), channel: channel.to_owned() });
        self.put(Delivery { manner: manner.clone(), ..Delivery::new(0, to, document) })
    }

    fn post(&self, to: Destination, document: Document) -> i64 {
        self.put(Delivery::new(0, to, document))
    }

    fn put(&self, delivery: Delivery) -> i64 {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let mut delivery = delivery;
        referring(&mut delivery.document);
        self.outbox.lock().unwrap().waiting.push_back(Delivery { id, ..delivery });
        self.posted.notify_waiters();
        id
    }

    /// Binds forums in these channels, and in no others.
    pub(crate) fn bind(&self, channels: &[&str]) {
        self.forums.send_replace(channels.iter().map(|channel| (*channel).to_owned()).collect());
    }

    /// A room stands so in a channel, and no other in any.
    pub(crate) fn stands(&self, channel: &str, line: &str) {
        let standing =
            Standing { channel: channel.to_owned(), room: "main".to_owned(), line: line.to_owned(), roles: None };
        self.standings.send_replace(vec![standing]);
    }

    /// What the bot said that it is called, each time.
    pub(crate) fn names(&self) -> Vec<Vec<String>> {
        self.names.lock().unwrap().clone()
    }

    /// When the next lease runs out.
    fn next_lapse(&self) -> Option<Instant> {
        self.outbox.lock().unwrap().in_flight.iter().map(|(until, _)| *until).min()
    }

    /// Leases the first announcement whose destination has none in flight.
    fn lease(&self, service: &str) -> Option<Delivery> {
        let mut outbox = self.outbox.lock().unwrap();
        let now = Instant::now();
        let lapsed: Vec<_> = outbox.in_flight.extract_if(.., |(until, _)| *until <= now).collect();
        for (_, delivery) in lapsed {
            outbox.waiting.push_front(Delivery { attempts: delivery.attempts + 1, ..delivery });
        }
        let busy: HashSet<Destination> = outbox.in_flight.iter().map(|(_, delivery)| delivery.to.clone()).collect();
        // Only the first of each destination: a retried one goes before those behind it.
        let mut seen = HashSet::new();
        let at = outbox.waiting.iter().position(|delivery| {
            let first = seen.insert(delivery.to.clone());
            delivery.to.service() == service && first && !busy.contains(&delivery.to)
        })?;
        let delivery = outbox.waiting.remove(at)?;
        outbox.in_flight.push((now + LEASE, delivery.clone()));
        Some(delivery)
    }

    fn end(&self, id: i64, again: bool) {
        {
            let mut outbox = self.outbox.lock().unwrap();
            let at = outbox.in_flight.iter().position(|(_, delivery)| delivery.id == id).expect("it was leased");
            let (_, mut delivery) = outbox.in_flight.remove(at);
            if again {
                delivery.attempts += 1;
                outbox.waiting.push_front(delivery);
            }
        }
        self.posted.notify_waiters();
    }
}

impl Desk for TestDesk {
    fn hear(&self, line: Line) -> BoxFuture<'_, Vec<Reply>> {
        let mut replies = (self.answer)(&line);
        replies.iter_mut().for_each(|reply| referring(&mut reply.document));
        let _ = self.heard.send(line);
        Box::pin(std::future::ready(replies))
    }

    fn next_delivery<'a>(&'a self, service: &'a str) -> BoxFuture<'a, Delivery> {
        Box::pin(async move {
            loop {
                // Before looking, so that what is posted in between is not missed.
                let posted = self.posted.notified();
                tokio::pin!(posted);
                posted.as_mut().enable();
                if let Some(delivery) = self.lease(service) {
                    return delivery;
                }
                match self.next_lapse() {
                    Some(lapse) => drop(tokio::time::timeout_at(lapse, posted).await),
                    None => posted.await,
                }
            }
        })
    }

    fn delivered(&self, id: i64) -> BoxFuture<'_, ()> {
        self.end(id, false);
        let _ = self.reports.send(Report::Delivered(id));
        Box::pin(std::future::ready(()))
    }

    fn still_delivering(&self, id: i64) -> BoxFuture<'_, ()> {
        let mut outbox = self.outbox.lock().unwrap();
        for (until, _) in outbox.in_flight.iter_mut().filter(|(_, delivery)| delivery.id == id) {
            *until = Instant::now() + LEASE;
        }
        Box::pin(std::future::ready(()))
    }

    fn known_as(&self, _service: &str, names: Vec<String>) {
        self.names.lock().unwrap().push(names);
    }

    fn undelivered(&self, id: i64, why: Undelivered) -> BoxFuture<'_, ()> {
        self.end(id, why == Undelivered::Retry);
        let _ = self.reports.send(Report::Undelivered(id, why));
        Box::pin(std::future::ready(()))
    }

    fn thread_of<'a>(&'a self, forum: &'a ForumAddress, key: &'a str) -> BoxFuture<'a, Option<String>> {
        let kept = self.threads.lock().unwrap().get(&(forum.clone(), key.to_owned())).cloned();
        Box::pin(std::future::ready(kept))
    }

    fn keep_thread<'a>(&'a self, forum: &'a ForumAddress, key: &'a str, thread: Option<&'a str>) -> BoxFuture<'a, ()> {
        let (mut held, at) = (self.threads.lock().unwrap(), (forum.clone(), key.to_owned()));
        match thread {
            Some(thread) => held.insert(at, thread.to_owned()),
            None => held.remove(&at),
        };
        Box::pin(std::future::ready(()))
    }

    fn forums(&self, _service: &str) -> watch::Receiver<Vec<String>> {
        self.forums.subscribe()
    }

    fn standings(&self, _service: &str) -> watch::Receiver<Vec<Standing>> {
        self.standings.subscribe()
    }

    fn incident(&self, incident: Incident) -> BoxFuture<'_, ()> {
        let _ = self.reports.send(Report::Incident(incident));
        Box::pin(std::future::ready(()))
    }
}

impl Ear {
    /// The next line that the service hears.
    pub(crate) async fn line(&mut self) -> Line {
        tokio::time::timeout(WAIT_MAX, self.heard.recv()).await.expect("a line is heard").expect("the desk lives")
    }

    /// Whether the service has heard nothing more.
    pub(crate) fn heard_nothing(&mut self) -> bool {
        self.heard.try_recv().is_err()
    }

    /// Whether the service has been told nothing more.
    pub(crate) fn told_nothing(&mut self) -> bool {
        self.reports.try_recv().is_err()
    }

    /// What the service is told next.
    pub(crate) async fn report(&mut self) -> Report {
        tokio::time::timeout(WAIT_MAX, self.reports.recv()).await.expect("a report comes").expect("the desk lives")
    }

    /// Reads on to this report; returns what was told before it.
    pub(crate) async fn report_until(&mut self, wanted: &Report) -> Vec<Report> {
        let mut before = Vec::new();
        loop {
            match self.report().await {
                report if report == *wanted => return before,
                other => before.push(other),
            }
        }
    }
}

/// Reads what a document tells its reader to do, as the service does.
fn referring(document: &mut Document) {
    hint::refer(document, |line| {
        let all = Catalogue::all();
        all.games().into_iter().find_map(|game| hint::reference(Catalogue::of_game(game), line))
    });
}
