//! How fast lines leave: never so fast that a server disconnects the bot for flooding.
//!
//! Two limits hold at once. A bucket of tokens: a few lines at once, then one a second. And a window: the bytes that
//! the server may still have to read. It closes a connection with a long backlog, and reads more slowly than one
//! expects. The window is moved by fences, a `PING` with a token behind the lines; its `PONG` says that all before it
//! was read. Which line goes next is decided by [`super::queue`].

use std::collections::VecDeque;
use std::num::NonZeroU32;
use std::time::Duration;

use governor::clock::Clock;
use governor::middleware::NoOpMiddleware;
use governor::state::{InMemoryState, NotKeyed};
use governor::{Quota, RateLimiter};
use tokio::time::Instant;

use super::config::Pace;
use super::gate::WIRE_LINE_MAX_BYTES;

/// Most lines that went out without asking and are still to be made up for. They are so few that a server which asks on
/// and on does not silence the bot.
const OWED_MAX_LINES: u32 = 10;

/// Lines of the bucket that those never get who have asked for more than their share. What somebody else asks, or what
/// happens, goes out at once.
const KEPT_BACK_LINES: u32 = 3;

/// Time as tokio tells it, so that tests can pause it.
#[derive(Clone, Debug)]
pub(super) struct TokioClock {
    start: Instant,
}

impl TokioClock {
    /// A clock that begins now.
    pub(super) fn start() -> Self {
        Self { start: Instant::now() }
    }

    /// How long it has run.
    pub(super) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }
}

impl Clock for TokioClock {
    type Instant = Duration;

    fn now(&self) -> Duration {
        self.start.elapsed()
    }
}

/// A bucket of tokens.
pub(super) type Bucket = RateLimiter<NotKeyed, InMemoryState, TokioClock, NoOpMiddleware<Duration>>;

/// A full bucket that is filled by this clock.
pub(super) fn bucket(quota: Quota, clock: &TokioClock) -> Bucket {
    RateLimiter::direct_with_clock(quota, clock.clone())
}

/// What the limiter says to the next line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// Send it now; its token is spent.
    Now,
    /// Ask again after this time.
    Later(Duration),
    /// Ask again when the server has answered a fence.
    Unread,
}

/// The pace of one connection.
pub(super) struct Limiter {
    bucket: Bucket,
    /// A smaller and slower bucket for those who have asked for more than their share. So the other one fills up while
    /// they are answered.
    late: Bucket,
    clock: TokioClock,
    /// Lines that went out without a token.
    owed: u32,
    unread_max_bytes: usize,
    /// Bytes sent since the last fence.
    open_bytes: usize,
    /// Fences that are not answered yet, oldest first, each with the bytes that it vouches for.
    fences: VecDeque<(u64, usize)>,
    next_fence: u64,
}

impl Limiter {
    /// A full bucket, and nothing unread.
    pub(super) fn new(pace: &Pace) -> Self {
        let clock = TokioClock::start();
        let burst = NonZeroU32::new(pace.burst_lines).unwrap_or(NonZeroU32::MIN);
        // A period of zero is no quota; a nanosecond is as good as no limit.
        let period = Duration::from_millis(u64::from(pace.line_every_ms)).max(Duration::from_nanos(1));
        let quota = Quota::with_period(period).unwrap_or(Quota::per_second(NonZeroU32::MIN)).allow_burst(burst);
        let few = NonZeroU32::new(burst.get().saturating_sub(KEPT_BACK_LINES)).unwrap_or(NonZeroU32::MIN);
        let late = Quota::with_period(period * 5 / 4).unwrap_or(quota).allow_burst(few);
        Self {
            bucket: bucket(quota, &clock),
            late: bucket(late, &clock),
            clock,
            owed: 0,
            unread_max_bytes: pace.unread_max_bytes,
            open_bytes: 0,
            fences: VecDeque::new(),
            next_fence: 0,
        }
    }

    /// Asks for leave to send one line, of whatever length. It always passes when nothing is unread. Afterwards
    /// [`Self::sent`] says how long it was.
    pub(super) fn turn(&mut self) -> Turn {
        let unread = self.unread_bytes();
        if unread > 0 && unread + WIRE_LINE_MAX_BYTES > self.unread_max_bytes {
            return Turn::Unread;
        }
        loop {
            match self.bucket.check() {
                Ok(()) if self.owed > 0 => self.owed -= 1,
                Ok(()) => return Turn::Now,
                Err(not_until) => return Turn::Later(not_until.wait_time_from(self.clock.now())),
            }
        }
    }

    /// Asks for leave to give the line that [`Self::turn`] allowed to somebody who has asked for more than their share.
    /// If not, gives how long they wait.
    pub(super) fn late_wait(&mut self) -> Option<Duration> {
        let refusal = self.late.check().err()?;
        Some(refusal.wait_time_from(self.clock.now()))
    }

    /// Counts a line for which leave was given.
    pub(super) fn sent(&mut self, bytes: usize) {
        self.open_bytes += bytes;
    }

    /// Counts a line of the sign-in, which cannot wait for itself: an empty bucket lets it pass.
    pub(super) fn note(&mut self, bytes: usize) {
        let _ = self.bucket.check();
        self.open_bytes += bytes;
    }

    /// Counts a line that goes out without asking, such as a `PONG` or a fence. Later lines make up for it, or the server
    /// would have ever more to read.
    pub(super) fn owe(&mut self, bytes: usize) {
        if self.bucket.check().is_err() {
            self.owed = (self.owed + 1).min(OWED_MAX_LINES);
        }
        self.open_bytes += bytes;
    }

    /// Bytes that the server has perhaps not read.
    pub(super) fn unread_bytes(&self) -> usize {
        self.open_bytes + self.fences.iter().map(|(_, bytes)| bytes).sum::<usize>()
    }

    /// Whether so much is unread that a fence should go out before the window closes: half of it.
    pub(super) fn wants_fence(&self) -> bool {
        self.open_bytes > 0 && self.open_bytes >= self.unread_max_bytes / 2
    }

    /// Puts a fence behind everything that was sent; returns its token. The caller sends the `PING`, whose length is
    /// `bytes`, at once.
    pub(super) fn fence(&mut self, bytes: usize) -> u64 {
        let token = self.next_fence;
        self.next_fence += 1;
        self.fences.push_back((token, self.open_bytes + bytes));
        self.open_bytes = 0;
        token
    }

    /// The server answered this fence, and so has read everything before it. An unknown token changes nothing.
    pub(super) fn answered(&mut self, token: u64) {
        if self.fences.iter().any(|(fence, _)| *fence == token) {
            while self.fences.front().is_some_and(|(fence, _)| *fence <= token) {
                self.fences.pop_front();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pace() -> Pace {
        Pace { burst_lines: 5, line_every_ms: 1000, unread_max_bytes: 6000 }
    }

    #[tokio::test(start_paused = true)]
    async fn five_lines_at_once_and_then_one_a_second() {
        let mut limiter = Limiter::new(&pace());
        let start = Instant::now();
        let mut sent_at = Vec::new();
        while sent_at.len() < 10 {
            match limiter.turn() {
                Turn::Now => sent_at.push(start.elapsed().as_millis()),
                Turn::Later(wait) => tokio::time::sleep(wait).await,
                Turn::Unread => panic!("the window is wide"),
            }
        }
        // The bucket refills from the first line on: it is a bucket, not a fixed delay.
        let whole: Vec<u128> = sent_at.iter().map(|ms| (ms + 5) / 1000).collect();
        assert_eq!(whole, [0, 0, 0, 0, 0, 1, 2, 3, 4, 5]);
    }

    #[tokio::test(start_paused = true)]
    async fn a_pause_refills_the_bucket_but_no_more_than_it_holds() {
        let mut limiter = Limiter::new(&pace());
        while limiter.turn() == Turn::Now {}
        tokio::time::advance(Duration::from_secs(3600)).await;
        let burst = std::iter::from_fn(|| (limiter.turn() == Turn::Now).then_some(())).count();
        assert_eq!(burst, 5);
    }

    #[tokio::test(start_paused = true)]
    async fn lines_that_went_out_without_asking_are_made_up_for() {
        let mut limiter = Limiter::new(&pace());
        for _ in 0..8 {
            limiter.owe(50);
        }
        // Five filled the bucket, three are owed: the next has its turn in the fourth second.
        tokio::time::advance(Duration::from_millis(3500)).await;
        assert!(matches!(limiter.turn(), Turn::Later(_)));
        tokio::time::advance(Duration::from_millis(600)).await;
        assert_eq!(limiter.turn(), Turn::Now);
    }

    #[tokio::test(start_paused = true)]
    async fn those_who_asked_too_much_leave_the_bucket_full_for_others() {
        let mut limiter = Limiter::new(&pace());
        let mut sent = 0;
        for _ in 0..3000 {
            if limiter.late_wait().is_none() {
                assert_eq!(limiter.turn(), Turn::Now);
                sent += 1;
            }
            tokio::time::advance(Duration::from_millis(10)).await;
        }
        assert!((24..=27).contains(&sent), "{sent}");
        let rest = std::iter::from_fn(|| (limiter.turn() == Turn::Now).then_some(())).count();
        assert!(rest >= 3, "{rest}");
    }

    #[tokio::test(start_paused = true)]
    async fn lines_of_the_sign_in_count_against_the_burst() {
        let mut limiter = Limiter::new(&pace());
        for _ in 0..8 {
            limiter.note(50);
        }
        assert!(matches!(limiter.turn(), Turn::Later(_)));
    }

    #[tokio::test(start_paused = true)]
    async fn a_silent_server_stops_the_lines_and_a_fence_lets_them_go_on() {
        let mut limiter = Limiter::new(&Pace { burst_lines: 1000, line_every_ms: 0, unread_max_bytes: 2000 });
        let send = |limiter: &mut Limiter, bytes: usize| {
            let turn = limiter.turn();
            if turn == Turn::Now {
                limiter.sent(bytes);
            }
            turn
        };
        assert_eq!(send(&mut limiter, 500), Turn::Now);
        assert!(!limiter.wants_fence());
        assert_eq!(send(&mut limiter, 500), Turn::Now);
        assert!(limiter.wants_fence());
        let first = limiter.fence(20);
        assert_eq!(send(&mut limiter, 500), Turn::Now);
        assert_eq!(send(&mut limiter, 500), Turn::Unread);
        limiter.answered(99);
        assert_eq!(send(&mut limiter, 500), Turn::Unread, "a made-up token moves nothing");
        limiter.answered(first);
        assert_eq!(send(&mut limiter, 500), Turn::Now);
        assert_eq!(limiter.unread_bytes(), 1000);
    }

    #[tokio::test(start_paused = true)]
    async fn a_later_fence_vouches_for_the_earlier_ones() {
        let mut limiter = Limiter::new(&pace());
        limiter.note(100);
        let _first = limiter.fence(10);
        limiter.note(100);
        let second = limiter.fence(10);
        limiter.answered(second);
        assert_eq!(limiter.unread_bytes(), 0);
    }
}
