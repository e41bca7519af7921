//! Keeping a network: connecting, signing in, and doing it all again when the connection is lost.
//!
//! Each network has a task of its own, so that one that is down holds up no other. A connection itself is `wire`.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use backon::{BackoffBuilder, ExponentialBuilder};
use futures::FutureExt;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::config::IrcNetwork;
use super::deliver::{self, Job};
use super::dial::{Dial, Tcp};
use super::limiter::Limiter;
use super::register::{Failure, Registration, Step};
use super::server::Server;
use super::session::{Context, End, Memory, Session};
use super::wire::{Event, Wire};
use port::Desk;
use port::Incident;
use port::entropy::Entropy;

/// How long it may take to connect and sign in. Neither has a limit of its own.
pub const CONNECT_TIMEOUT: Duration = Duration::from_secs(30);

/// The shortest pause before connecting again. Jitter adds up to as much.
pub const RECONNECT_MIN: Duration = Duration::from_secs(1);

/// The longest pause before connecting again.
pub const RECONNECT_MAX: Duration = Duration::from_secs(60);

/// A connection that lasted this long was a good one: the next pause is the shortest again.
pub const STABLE_AFTER: Duration = Duration::from_secs(120);

/// How long stopping may take until tasks are simply ended.
pub const STOP_MAX: Duration = Duration::from_secs(2);

/// How a network is doing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Link {
    /// Connecting or signing in.
    Connecting,
    /// On the network, under this nick.
    Online {
        /// The nick at sign-in.
        nick: String,
    },
    /// Waiting before the next try.
    Waiting {
        /// Why the last one ended. Never holds a secret.
        why: String,
    },
    /// Given up or stopped.
    Stopped {
        /// Why. Never holds a secret.
        why: String,
    },
}

/// The IRC adapter: all networks.
pub struct Irc {
    stop: watch::Sender<bool>,
    links: Vec<(String, watch::Receiver<Link>)>,
    tasks: JoinSet<()>,
}

impl Irc {
    /// Connects to all networks, each for itself; returns at once.
    ///
    /// # Errors
    /// A sentence for the operator, when the settings of a network cannot work.
    pub fn start(networks: Vec<IrcNetwork>, desk: Arc<dyn Desk>) -> Result<Self, String> {
        Self::start_with(networks, desk, Arc::new(Tcp))
    }

    /// Whether the settings of networks can work.
    ///
    /// # Errors
    /// A sentence for the operator, where they cannot.
    pub fn check(networks: &[IrcNetwork]) -> Result<(), String> {
        for (index, network) in networks.iter().enumerate() {
            network.check().map_err(|why| format!("IRC network {}: {why}", network.name))?;
            if networks[..index].iter().any(|other| other.name == network.name) {
                return Err(format!("IRC network {}: there are two of that name", network.name));
            }
        }
        Ok(())
    }

    /// [`Self::start`] with sockets from elsewhere.
    ///
    /// # Errors
    /// As [`Self::start`].
    pub fn start_with(networks: Vec<IrcNetwork>, desk: Arc<dyn Desk>, dial: Arc<dyn Dial>) -> Result<Self, String> {
        Self::check(&networks)?;
        let (stop, stopping) = watch::channel(false);
        let mut irc = Self { stop, links: Vec::new(), tasks: JoinSet::new() };
        for network in networks {
            let context = Context { service: network.service(), network, desk: Arc::clone(&desk) };
            context.desk.known_as(&context.service, vec![context.network.nick.clone()]);
            let (link, seen) = watch::channel(Link::Connecting);
            irc.links.push((context.network.name.clone(), seen));
            irc.tasks.spawn(keep_on(context, Arc::clone(&dial), link, stopping.clone()));
        }
        Ok(irc)
    }

    /// How the network of this name is doing, and every change of it.
    pub fn link(&self, name: &str) -> Option<watch::Receiver<Link>> {
        self.links.iter().find(|(network, _)| network == name).map(|(_, link)| link.clone())
    }

    /// Says goodbye on all networks and stops, within [`STOP_MAX`].
    pub async fn stop(mut self) {
        self.stop.send_replace(true);
        let ended = async { while self.tasks.join_next().await.is_some() {} };
        if tokio::time::timeout(STOP_MAX, ended).await.is_err() {
            tracing::warn!("a network did not stop in time");
        }
    }
}

/// Keeps one network, even if a fault of ours breaks it: a bot that is gone until somebody notices is worse.
async fn keep_on(context: Context, dial: Arc<dyn Dial>, link: watch::Sender<Link>, mut stop: watch::Receiver<bool>) {
    loop {
        // Nothing that the broken run owned is used again.
        let run = AssertUnwindSafe(keep(&context, &*dial, &link, stop.clone())).catch_unwind();
        if run.await.is_ok() {
            return;
        }
        tracing::error!(service = context.service, "a fault broke the connection; it is made again");
        link.send_replace(Link::Waiting { why: "a fault of the program".to_owned() });
        if tokio::time::timeout(RECONNECT_MAX, stop.wait_for(|stop| *stop)).await.is_ok() {
            return;
        }
    }
}

/// Keeps one network until the program stops or the sign-in cannot succeed.
async fn keep(context: &Context, dial: &dyn Dial, link: &watch::Sender<Link>, stop: watch::Receiver<bool>) {
    let (jobs_in, mut jobs) = mpsc::channel(deliver::TAKEN_MAX_COUNT);
    let (online, is_online) = watch::channel(false);
    let pump = deliver::pump(Arc::clone(&context.desk), context.service.clone(), jobs_in, is_online, stop.clone());
    let connect = async {
        connect_again(context, dial, link, &online, &mut jobs, stop).await;
        jobs.close();
        // Whatever is dropped here without a word is leased again.
        while jobs.recv().await.is_some() {}
    };
    tokio::join!(pump, connect);
}

async fn connect_again(
    context: &Context,
    dial: &dyn Dial,
    link: &watch::Sender<Link>,
    online: &watch::Sender<bool>,
    jobs: &mut mpsc::Receiver<Job>,
    mut stop: watch::Receiver<bool>,
) {
    let pauses = ExponentialBuilder::new()
        .with_min_delay(RECONNECT_MIN)
        .with_max_delay(RECONNECT_MAX)
        .with_jitter()
        .with_jitter_seed(Entropy::System.number())
        .without_max_times();
    let mut pause = pauses.build();
    let mut memory = Memory::default();
    let service = &context.service;
    while !*stop.borrow() {
        link.send_replace(Link::Connecting);
        let connecting = tokio::select! {
            biased;
            _ = stop.wait_for(|stop| *stop) => break,
            connected = connect(context, dial) => connected,
        };
        let why = match connecting {
            Ok((wire, server, limiter)) => {
                let nick = server.mask.nick.clone();
                tracing::info!(service, nick, account = server.account, "on the network");
                link.send_replace(Link::Online { nick });
                let since = Instant::now();
                online.send_replace(true);
                let session = Session::new(context, &mut memory, token(), wire, server, limiter);
                let end = session.run(jobs, &mut stop).await;
                online.send_replace(false);
                // What was handed over and not begun is leased again.
                while jobs.try_recv().is_ok() {}
                if since.elapsed() >= STABLE_AFTER {
                    pause = pauses.build();
                }
                match end {
                    End::Lost(why) => why,
                    End::Stopped => break,
                }
            }
            Err(Failure::Retry(why)) => why,
            Err(Failure::Stop(why)) => {
                tracing::error!(service, why, "gave the network up");
                context.desk.incident(Incident::ServiceLost { service: service.clone(), why: why.clone() }).await;
                link.send_replace(Link::Stopped { why });
                return;
            }
        };
        let wait = pause.next().unwrap_or(RECONNECT_MAX).min(RECONNECT_MAX);
        tracing::warn!(service, why, wait_ms = wait.as_millis() as u64, "not on the network");
        link.send_replace(Link::Waiting { why });
        tokio::select! {
            _ = stop.wait_for(|stop| *stop) => break,
            () = tokio::time::sleep(wait) => {}
        }
    }
    link.send_replace(Link::Stopped { why: "the program stops".to_owned() });
}

/// Connects and signs in, within [`CONNECT_TIMEOUT`].
async fn connect(context: &Context, dial: &dyn Dial) -> Result<(Wire, Server, Limiter), Failure> {
    match tokio::time::timeout(CONNECT_TIMEOUT, sign_in(&context.network, dial)).await {
        Ok(result) => result,
        Err(_) => {
            Err(Failure::Retry(format!("connecting and signing in took over {} seconds", CONNECT_TIMEOUT.as_secs())))
        }
    }
}

async fn sign_in(network: &IrcNetwork, dial: &dyn Dial) -> Result<(Wire, Server, Limiter), Failure> {
    let no_socket = |error: std::io::Error| Failure::Retry(format!("no connection: {error}"));
    let socket = dial.dial(network).await.map_err(no_socket)?;
    let mut wire = Wire::new(socket).map_err(no_socket)?;
    let mut limiter = Limiter::new(&network.pace);
    let mut server = Server::new(&network.nick);
    let (mut registration, mut lines) =
        Registration::start(network).map_err(|error| Failure::Stop(format!("a setting cannot be sent: {error}")))?;
    loop {
        for line in lines.drain(..) {
            limiter.note(line.bytes());
            wire.send(line);
        }
        match wire.next().await {
            Event::Received(message) => {
                server.observe(&message);
                match registration.on_message(&message, &server) {
                    Step::Send(next) => lines = next,
                    Step::Done => return Ok((wire, server, limiter)),
                    Step::Failed(failure) => return Err(failure),
                }
            }
            Event::Drained => {}
            Event::Lost(why) => return Err(Failure::Retry(why)),
        }
    }
}

/// A word that no other connection has had, in this run or an earlier one.
fn token() -> String {
    hex::encode(Entropy::System.bytes::<8>())
}
