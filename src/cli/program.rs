//! The program as it runs: the rooms, what is due in them, the networks, the console, and an orderly end.
//!
//! A signal ends it within [`STOP_MAX`]: the line that is being done is finished, jousts stop and are played again at
//! the next start, announcements that wait are delivered then. Nothing is lost by a process that is killed either; an
//! orderly end only spares the next start some work. What the parts do is absent.

use std::{
    io::{self, IsTerminal as _},
    sync::Arc,
    time::Duration,
};

use tokio::{task::JoinHandle, time::timeout};

use super::{Error, open};
use crate::{
    adapters::{
        console,
        discord::{Discord, DiscordSettings},
        irc::{Irc, IrcNetwork},
        web::Web,
    },
    config::{Config, environment},
    service::{Hub, clock::Clock, entropy::Entropy, settings::Settings},
};

/// Longest that an orderly end may take, so that supervisors which kill after five seconds find nothing to kill.
pub const STOP_MAX: Duration = Duration::from_millis(4500);

/// Which parts run beside the rooms.
#[derive(Clone, Debug, Default)]
pub struct Parts {
    /// The networks of the configuration.
    pub networks: bool,
    /// The console.
    pub console: Option<Seat>,
}

/// How the console is used.
#[derive(Clone, Debug, Default)]
pub struct Seat {
    /// The script that its lines are.
    pub session: Option<console::Session>,
}

/// Runs until a signal comes or the console is left.
///
/// # Errors
/// [`Error::Database`] and [`Error::Failed`] where it cannot start or something broke for good.
pub async fn run(config: &Config, parts: Parts) -> Result<(), Error> {
    let mut signals = Signals::new().map_err(|why| Error::Failed(format!("Signals cannot be waited for: {why}.")))?;
    let hub = tokio::select! {
        biased;
        _ = signals.next() => return Ok(()),
        started = start(config) => started?,
    };
    let networks = if parts.networks { config.irc.clone() } else { Vec::new() };
    let discord = config.discord.clone().filter(|_| parts.networks);
    if parts.networks && parts.console.is_none() && networks.is_empty() && discord.is_none() {
        tracing::warn!(
            "no network is configured: nobody can reach this bot (docs/operating.md); lines from a pipe are read by “rulekeeper console”"
        );
    }
    let web = if parts.networks { open_web(config).await? } else { None };
    let mut running = Running::new(hub, networks, discord, web, parts.console)?;
    let ended = tokio::select! {
        signal = signals.next() => {
            tracing::info!(signal, "stopping");
            Ok(())
        }
        ended = running.ended() => ended,
    };
    if timeout(STOP_MAX, running.stop()).await.is_err() {
        tracing::warn!("not everything stopped in time; the next start goes on where this one was");
    }
    ended
}

async fn start(config: &Config) -> Result<Hub, Error> {
    let store = open(config).await?;
    let wrong = |error| Error::Database { path: config.database.clone(), error };
    // Better now than at the first line that somebody types.
    store.check_writable().await.map_err(wrong)?;
    let freed = store.take_part().await.map_err(wrong)?;
    if freed > 0 {
        tracing::info!(destinations = freed, "announcements that a former process was delivering are delivered now");
    }
    let settings = Settings {
        moderators: config.moderators.clone(),
        services: config.services(),
        arena_threads: config.arena_threads,
        clock_jump: Some(jiff::SignedDuration::from_hours(24 * i64::from(config.clock_jump_days))),
        public_url: config.public_url.clone(),
        ..Settings::default()
    };
    let hub = Hub::open(store, Clock::System, Entropy::System, settings).await?;
    tracing::info!(database = config.database, rooms = hub.rooms().len(), "started");
    Ok(hub)
}

/// The parts, while they run.
struct Running {
    hub: Hub,
    scheduler: JoinHandle<()>,
    console: Option<JoinHandle<io::Result<()>>>,
    irc: Option<Irc>,
    web: Option<JoinHandle<()>>,
    discord: Option<Discord>,
}

impl Running {
    fn new(
        hub: Hub,
        networks: Vec<IrcNetwork>,
        discord: Option<DiscordSettings>,
        web: Option<Web>,
        console: Option<Seat>,
    ) -> Result<Self, Error> {
        let irc = if networks.is_empty() {
            None
        } else {
            Some(Irc::start(networks, Arc::new(hub.clone())).map_err(Error::Input)?)
        };
        let discord = discord.map(|settings| Discord::start(settings, Arc::new(hub.clone())));
        let discord = discord.transpose().map_err(Error::Input)?;
        let scheduled = hub.clone();
        let scheduler = tokio::spawn(async move { scheduled.schedule().await });
        let (shown, watched) = (Arc::new(hub.clone()), hub.clone());
        let web = web.map(|web| tokio::spawn(async move { web.run(shown, watched.stopped()).await }));
        let console = console.map(|seat| open_console(&hub, seat)).transpose()?;
        Ok(Self { hub, scheduler, console, irc, web, discord })
    }

    /// Waits until the console is left, or something broke that cannot be mended.
    async fn ended(&mut self) -> Result<(), Error> {
        let console = async {
            match &mut self.console {
                Some(console) => console.await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            left = console => {
                self.console = None;
                match left {
                    // Whoever read what the console writes has had enough.
                    Ok(Err(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
                    Ok(left) => Ok(left?),
                    Err(broke) => Err(Error::Failed(format!("The console broke: {broke}."))),
                }
            }
            broke = &mut self.scheduler => {
                let why = broke.err().map_or_else(String::new, |why| format!(": {why}"));
                Err(Error::Failed(format!("What is due is run no longer{why}.")))
            }
        }
    }

    /// Stops every part and closes the database.
    async fn stop(self) {
        self.hub.stop();
        let networks = async {
            if let Some(irc) = self.irc {
                irc.stop().await;
            }
        };
        let discord = async {
            if let Some(discord) = self.discord {
                discord.stop().await;
            }
        };
        let console = async {
            if let Some(console) = self.console {
                // Whatever it reports, nobody is left to be told.
                let _ = console.await;
            }
        };
        let web = async {
            if let Some(web) = self.web {
                let _ = web.await;
            }
        };
        tokio::join!(networks, discord, console, web);
        if let Err(fault) = self.hub.close().await {
            tracing::error!(%fault, "the database did not close");
        }
    }
}

/// Takes the ports of the web. One that nobody asked for and that is taken already is done without.
async fn open_web(config: &Config) -> Result<Option<Web>, Error> {
    match Web::bind(config.web.clone()).await {
        Ok(web) => Ok(Some(web)),
        Err(why) if config.web.asked_for => Err(Error::Failed(format!("{why}."))),
        Err(why) => {
            tracing::warn!("{why}; there are no web pages (RULEKEEPER_WEB chooses another address)");
            Ok(None)
        }
    }
}

fn open_console(hub: &Hub, seat: Seat) -> Result<JoinHandle<io::Result<()>>, Error> {
    let colours = io::stdout().is_terminal()
        && environment("NO_COLOR").is_none()
        && environment("TERM").is_none_or(|terminal| terminal != "dumb");
    let options = console::Options {
        interactive: io::stdin().is_terminal(),
        colours,
        columns: io::stdout().is_terminal().then_some(columns),
        welcome: welcome(hub),
        run: hex::encode(Entropy::System.bytes::<8>()),
        session: seat.session,
    };
    let input = console::read_lines(io::stdin())?;
    Ok(tokio::spawn(console::run(Arc::new(hub.clone()), input, tokio::io::stdout(), options)))
}

/// How wide the terminal is now, where it says so.
#[cfg(not(unix))]
fn columns() -> Option<usize> {
    None
}

/// How wide the terminal is now, where it says so.
#[cfg(unix)]
fn columns() -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(io::stdout()).ok()?;
    Some(usize::from(size.ws_col)).filter(|columns| *columns > 0)
}

/// What the console says first: what to type where nothing is played yet, else what is played.
fn welcome(hub: &Hub) -> Vec<String> {
    let rooms: Vec<String> = hub.rooms().iter().map(|room| format!("@{}", room.name)).collect();
    if !rooms.is_empty() {
        return vec![format!("Rooms: {}. Type help for all that can be typed.", rooms.join(", "))];
    }
    [
        "Nothing is played here yet. Open a room for a joust, with you as its contestmaster:  room open joust main",
        "Put ten programs on its Hill:  joust start    and look at it:  hill    (help lists everything, quit leaves)",
        "Challenge it as somebody else:  as Ann    and then:  joust submit Alpha >+++>--->>+[>[+++[-]]+]",
    ]
    .map(str::to_owned)
    .to_vec()
}

/// The signals that end the program.
#[cfg(unix)]
struct Signals {
    signals: [(&'static str, tokio::signal::unix::Signal); 3],
}

#[cfg(unix)]
impl Signals {
    fn new() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            signals: [
                ("SIGINT", signal(SignalKind::interrupt())?),
                ("SIGTERM", signal(SignalKind::terminate())?),
                // The terminal was closed.
                ("SIGHUP", signal(SignalKind::hangup())?),
            ],
        })
    }

    async fn next(&mut self) -> &'static str {
        let waiting = self.signals.iter_mut().map(|(name, signal)| {
            Box::pin(async move {
                signal.recv().await;
                *name
            })
        });
        futures::future::select_all(waiting).await.0
    }
}

/// The signal that ends the program.
#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn new() -> io::Result<Self> {
        Ok(Self)
    }

    async fn next(&mut self) -> &'static str {
        // Where it cannot be waited for, it ends the program by itself.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
        "Ctrl-C"
    }
}
