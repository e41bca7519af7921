//! The outbox against a model that fits on a page: whatever happens in whatever order, both say the same.

use std::collections::{BTreeSet, VecDeque};

use proptest::prelude::*;

use super::*;
use kernel::Seq;

const CHANNELS: [&str; 3] = ["#a", "#b", "#c"];
const LEASE: i64 = 10;

/// What may happen. Numbers choose among what there is.
#[derive(Clone, Debug)]
enum Step {
    /// An entry is announced in these channels.
    Announce(Vec<usize>),
    /// Somebody asks for work.
    Lease,
    /// Time passes.
    Pass(i64),
    /// A lease handed out at some time is reported as delivered, given back or given up, run out or not.
    Delivered(usize),
    Release(usize, i64),
    GiveUp(usize),
    /// The network shows that an announcement of a channel has arrived, in its turn or not.
    Seen {
        channel: usize,
        which: usize,
    },
    /// The process dies and another one starts.
    Restart,
}

fn step() -> impl Strategy<Value = Step> {
    let channel = 0..CHANNELS.len();
    prop_oneof![
        4 => prop::collection::vec(channel.clone(), 1..4).prop_map(Step::Announce),
        6 => Just(Step::Lease),
        3 => (0..2 * LEASE).prop_map(Step::Pass),
        4 => any::<usize>().prop_map(Step::Delivered),
        2 => (any::<usize>(), 0..3 * LEASE).prop_map(|(which, wait)| Step::Release(which, wait)),
        1 => any::<usize>().prop_map(Step::GiveUp),
        1 => (channel, any::<usize>()).prop_map(|(channel, which)| Step::Seen { channel, which }),
        1 => Just(Step::Restart),
    ]
}

/// A queue as one would explain it.
#[derive(Default)]
struct Queue {
    waiting: VecDeque<(i64, String)>,
    attempts: u32,
    leased_until: Option<i64>,
    retry_at: Option<i64>,
}

impl Queue {
    fn head(&self) -> Option<i64> {
        self.waiting.front().map(|(id, _)| *id)
    }

    fn is_leased(&self, now: i64) -> bool {
        self.leased_until.is_some_and(|until| until > now)
    }

    fn is_ready(&self, now: i64) -> bool {
        !self.is_leased(now) && self.retry_at.is_none_or(|at| at <= now)
    }

    /// Takes announcements out; a new first one was never tried.
    fn remove(&mut self, ids: &[i64]) {
        let head = self.head();
        self.waiting.retain(|(id, _)| !ids.contains(id));
        if self.head() != head {
            *self = Self { waiting: std::mem::take(&mut self.waiting), ..Self::default() };
        }
    }
}

#[derive(Default)]
struct Model {
    queues: [Queue; CHANNELS.len()],
    now: i64,
    seq: Seq,
    handed_out: Vec<Lease>,
    undeliverable: usize,
}

impl Model {
    fn next(&self) -> Option<usize> {
        let ready = |queue: &Queue| queue.head().filter(|_| queue.is_ready(self.now));
        (0..CHANNELS.len()).filter(|&at| ready(&self.queues[at]).is_some()).min_by_key(|&at| self.queues[at].head())
    }

    /// The queue that a lease is still good for.
    fn held(&mut self, lease: Lease) -> Option<&mut Queue> {
        self.queues.iter_mut().find(|queue| queue.head() == Some(lease.id) && queue.attempts == lease.attempt)
    }

    fn chosen(&self, which: usize) -> Option<Lease> {
        (!self.handed_out.is_empty()).then(|| self.handed_out[which % self.handed_out.len()])
    }
}

async fn play(steps: Vec<Step>) {
    let (_folder, path) = folder();
    let mut store = open(&path).await;
    let hill = room(&store, "hill").await;
    let mut model = Model::default();
    let mut delivered = BTreeSet::new();
    for step in steps {
        match step {
            Step::Announce(channels) => {
                let text = |place: usize| format!("{}.{place}", model.seq + 1);
                let outbox = channels
                    .iter()
                    .enumerate()
                    .map(|(place, &at)| say(&forum(CHANNELS[at]), model.seq + 1, &text(place)))
                    .collect();
                store.commit(hill, Commit { outbox, ..one(model.seq) }).await.unwrap();
                for (place, &at) in channels.iter().enumerate() {
                    let id = (model.seq as i64 + 1) * COMMIT_MAX_DELIVERIES as i64 + place as i64;
                    model.queues[at].waiting.push_back((id, text(place)));
                }
                model.seq += 1;
            }
            Step::Lease => {
                let row = store.lease("irc:test", model.now, LEASE).await.unwrap();
                let expected = model.next();
                let queue = expected.map(|at| &mut model.queues[at]);
                let seen = row.as_ref().map(|row| (row.id, row.document.clone(), row.attempts));
                assert_eq!(
                    seen,
                    queue.as_ref().map(|q| (q.waiting[0].0, q.waiting[0].1.clone(), q.attempts)),
                    "at {}",
                    model.now
                );
                if let (Some(row), Some(queue)) = (row, queue) {
                    assert!(!delivered.contains(&row.id));
                    queue.attempts += 1;
                    queue.leased_until = Some(model.now + LEASE);
                    queue.retry_at = None;
                    model.handed_out.push(row.lease());
                }
            }
            Step::Pass(time) => model.now += time,
            Step::Delivered(which) => {
                let Some(lease) = model.chosen(which) else { continue };
                let queue = model.queues.iter_mut().find(|q| q.waiting.iter().any(|(id, _)| *id == lease.id));
                assert_eq!(store.mark_delivered(lease.id).await.unwrap(), queue.is_some());
                if let Some(queue) = queue {
                    queue.remove(&[lease.id]);
                    assert!(delivered.insert(lease.id));
                }
            }
            Step::Release(which, wait) => {
                let Some(lease) = model.chosen(which) else { continue };
                let retry_at = model.now + wait;
                let queue = model.held(lease);
                assert_eq!(store.release(lease, retry_at).await.unwrap(), queue.is_some());
                if let Some(queue) = queue {
                    queue.leased_until = None;
                    queue.retry_at = Some(retry_at);
                }
            }
            Step::GiveUp(which) => {
                let Some(lease) = model.chosen(which) else { continue };
                let queue = model.held(lease);
                assert_eq!(store.give_up(lease, 0, "test").await.unwrap(), queue.is_some());
                if let Some(queue) = queue {
                    queue.remove(&[lease.id]);
                    model.undeliverable += 1;
                }
            }
            Step::Seen { channel, which } => {
                let queue = &mut model.queues[channel];
                if queue.waiting.is_empty() {
                    continue;
                }
                let id = queue.waiting[which % queue.waiting.len()].0;
                assert!(store.mark_delivered(id).await.unwrap());
                queue.remove(&[id]);
                delivered.insert(id);
            }
            Step::Restart => {
                drop(store);
                store = open(&path).await;
            }
        }
        let waiting: usize = model.queues.iter().map(|queue| queue.waiting.len()).sum();
        assert_eq!(store.pending().await.unwrap(), waiting as u64);
        let ready = model.queues.iter().filter(|queue| !queue.waiting.is_empty());
        let ready = ready.map(|queue| queue.leased_until.or(queue.retry_at).unwrap_or(0)).min();
        assert_eq!(store.next_ready("irc:test").await.unwrap(), ready);
    }
    assert_eq!(store.undeliverable().await.unwrap().len(), model.undeliverable);
    // Whatever is left arrives, each channel in its order.
    model.now += 100 * LEASE;
    while let Some(at) = model.next() {
        let row = store.lease("irc:test", model.now, LEASE).await.unwrap().unwrap();
        let (id, text) = model.queues[at].waiting.pop_front().unwrap();
        assert_eq!((row.id, row.document), (id, text));
        store.mark_delivered(id).await.unwrap();
        model.queues[at] = Queue { waiting: std::mem::take(&mut model.queues[at].waiting), ..Queue::default() };
    }
    assert_eq!(store.lease("irc:test", model.now, LEASE).await.unwrap(), None);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_outbox_does_what_its_model_does(steps in prop::collection::vec(step(), 1..60)) {
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(play(steps));
    }
}
