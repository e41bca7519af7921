//! The program as it runs: the rooms, what is due in them, the networks, the console, and an orderly end.
//!
//! A signal ends it within [`STOP_MAX`]: the line that is being done is finished. Jousts stop and are played again at
//! the next start, and announcements that wait are delivered then. Nothing is lost by a process that is killed either;
//! an orderly end only spares the next start some work.

use std::{
    future::Future,
    io::{self, IsTerminal as _},
    sync::Arc,
    time::Duration,
};

use tokio::{
    task::{JoinHandle, JoinSet},
    time::timeout,
};

use super::{error::Error, setup::open};
use crate::config::{Config, environment};
use crate::service::Hub;
use crate::service::settings::Settings;
use adapter_console as console;
use adapter_discord::{Discord, DiscordSettings};
use adapter_irc::{Irc, IrcNetwork};
use adapter_web::Web;
use kernel::{
    Instant,
    display::{self, counted},
    time::minute,
};
use port::clock::Clock;
use port::entropy::Entropy;
use port::{Account, Attachment, Line, Place, Sent, Speaker};
use store::Store;

/// Longest that an orderly end may take, so that supervisors which kill after five seconds find nothing to kill.
pub const STOP_MAX: Duration = Duration::from_millis(4500);

/// Which parts run beside the rooms.
#[derive(Clone, Debug, Default)]
pub struct Parts {
    /// The networks of the configuration.
    pub networks: bool,
    /// The console.
    pub console: Option<Seat>,
    /// Nothing but long works.
    pub worker: bool,
}

/// How the console is used.
#[derive(Clone, Debug, Default)]
pub struct Seat {
    /// The script that its lines are.
    pub session: Option<console::Session>,
    /// Whether nothing is for good there.
    pub practice: bool,
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
        started = start(config, parts.worker) => started?,
    };
    let networks = if parts.networks { config.irc.clone() } else { Vec::new() };
    let discord = config.discord.clone().filter(|_| parts.networks);
    if parts.worker {
        tracing::info!(at_once = hub.long_works(), "playing long works, and nothing else");
    }
    if parts.networks && parts.console.is_none() && networks.is_empty() && discord.is_none() {
        tracing::warn!(
            "no network is configured: nobody can reach this bot (docs/operating/README.md); lines from a pipe are read by “rulekeeper console”"
        );
    }
    let web = if parts.networks { Some(open_web(config, parts.console.is_some()).await?) } else { None };
    let (store, path) = (hub.store().clone(), config.database.to_string());
    let running = Running::new(hub, networks, discord, web, parts.console)?;
    let outgrown = async {
        let error = store.outgrown().await;
        tracing::error!(%error, "stopping");
        Error::Database { path, error }
    };
    until_ended(running, outgrown, &mut signals).await
}

/// Runs a console on nothing but memory, with the same chance in every run and a clock that stands at an instant. Ends
/// as [`run`] does.
///
/// # Errors
/// [`Error::Failed`] where something broke for good.
pub async fn practise(at: Instant, rules: Option<String>) -> Result<(), Error> {
    let mut signals = Signals::new().map_err(|why| Error::Failed(format!("Signals cannot be waited for: {why}.")))?;
    let wrong = |error| Error::Database { path: "memory".to_owned(), error };
    let store = Store::in_memory().await.map_err(wrong)?;
    let hub = Hub::open(store, Clock::manual(at), Entropy::fixed(), Settings::default()).await?;
    if let Some(rules) = rules {
        open_room(&hub, rules).await?;
    }
    let seat = Seat { practice: true, ..Seat::default() };
    let running = Running::new(hub, Vec::new(), None, None, Some(seat))?;
    until_ended(running, std::future::pending(), &mut signals).await
}

/// Opens a room in the console, with rules as they were brought along.
async fn open_room(hub: &Hub, rules: String) -> Result<(), Error> {
    let account = Account { service: console::SERVICE.to_owned(), id: console::OPERATOR.to_owned() };
    let line = Line {
        origin: "practice".to_owned(),
        from: Speaker {
            account: Some(account),
            sign_in: None,
            nick: console::OPERATOR.to_owned(),
            operator: true,
            moderates: Vec::new(),
        },
        place: Place::Aside(console::forum()),
        text: "room open nomic practice clock:manual sure:yes".to_owned(),
        attachments: vec![Attachment { name: "rules.md".to_owned(), bytes: rules.into_bytes() }],
        sent: Sent::Whole,
    };
    match hub.hear(line).await.into_iter().find(|reply| !reply.went_well()) {
        Some(reply) => Err(Error::Input(display::plain(&reply.document))),
        None => Ok(()),
    }
}

/// Waits for a signal, for what ends the program for good, or for the end of a part, and stops all parts.
async fn until_ended(
    mut running: Running,
    for_good: impl Future<Output = Error>,
    signals: &mut Signals,
) -> Result<(), Error> {
    let ended = tokio::select! {
        signal = signals.next() => {
            tracing::info!(signal, "stopping");
            Ok(())
        }
        error = for_good => Err(error),
        ended = running.ended() => ended,
    };
    if timeout(STOP_MAX, running.stop()).await.is_err() {
        tracing::warn!("not everything stopped in time; the next start goes on where this one was");
    }
    ended
}

async fn start(config: &Config, is_worker: bool) -> Result<Hub, Error> {
    let store = open(config).await?;
    let wrong = |error| Error::Database { path: config.database.to_string(), error };
    // Better now than at the first line that somebody types.
    store.check_writable().await.map_err(wrong)?;
    // It agrees with itself, and whoever goes on from it loses what could still be brought back.
    if let Some(missing) = store.missing().await.map_err(wrong)?.into_iter().next() {
        return Err(Error::Failed(format!("{}: {missing}.", config.database)));
    }
    let freed = store.take_part().await.map_err(wrong)?;
    if freed > 0 {
        tracing::info!(destinations = freed, "announcements that a former process was delivering are delivered now");
    }
    // What is announced from here is known by it, on networks that pass over what they had before.
    store.identify(Entropy::System.bytes()).await.map_err(wrong)?;
    let settings = Settings {
        moderators: config.moderators.clone(),
        services: config.services(),
        prefixes: config.prefixes(),
        // One configuration does for all processes: 0 is meant for those that serve.
        arena_threads: match config.arena_threads {
            0 if is_worker => Config::spare_processors(),
            threads => threads,
        },
        is_worker,
        clock_jump: Some(jiff::SignedDuration::from_hours(24 * i64::from(config.clock_jump_days))),
        public_url: config.public_url.clone(),
        ..Settings::default()
    };
    let hub = Hub::open(store, Clock::System, Entropy::System, settings).await?;
    tracing::info!(database = %config.database, rooms = hub.rooms().len(), "started");
    Ok(hub)
}

/// The parts, while they run.
struct Running {
    hub: Hub,
    scheduler: JoinHandle<()>,
    console: Option<JoinHandle<io::Result<u64>>>,
    /// One for each network, which ends with a sentence where its settings cannot work.
    networks: JoinSet<Result<(), String>>,
    web: Option<JoinHandle<()>>,
    /// The terminal, for as long as the console has it. It is given back however the program ends.
    terminal: Option<console::Modes>,
}

impl Running {
    fn new(
        hub: Hub,
        networks: Vec<IrcNetwork>,
        discord: Option<DiscordSettings>,
        web: Option<Web>,
        console: Option<Seat>,
    ) -> Result<Self, Error> {
        Irc::check(&networks).map_err(Error::Input)?;
        let mut kept = JoinSet::new();
        for network in networks {
            let (service, desk) = (network.service(), Arc::new(hub.clone()));
            let start = move || Irc::start(vec![network.clone()], desk.clone());
            kept.spawn(while_in_charge(hub.clone(), service, start, Irc::stop));
        }
        if let Some(settings) = discord {
            let desk = Arc::new(hub.clone());
            let start = move || Discord::start(settings.clone(), desk.clone());
            kept.spawn(while_in_charge(hub.clone(), adapter_discord::SERVICE.to_owned(), start, Discord::stop));
        }
        let scheduled = hub.clone();
        let scheduler = tokio::spawn(async move { scheduled.schedule().await });
        let (shown, watched) = (Arc::new(hub.clone()), hub.clone());
        let welcome = match &console {
            Some(Seat { practice: true, .. }) => for_practice(&hub),
            _ => welcome(&hub, web.as_ref()),
        };
        let web = web.map(|web| tokio::spawn(async move { web.run(shown, watched.stopped()).await }));
        let console = console.map(|seat| open_console(&hub, seat, welcome)).transpose()?;
        let (console, terminal) = console.unzip();
        Ok(Self { hub, scheduler, console, networks: kept, web, terminal: terminal.flatten() })
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
                    Ok(Ok(0)) => Ok(()),
                    // Whoever feeds lines to it learns by the code that not all were done.
                    Ok(Ok(count)) => Err(Error::Failed(format!("Answered with a refusal: {}.", counted(count, "line")))),
                    Ok(Err(error)) => Err(error.into()),
                    Err(broke) => Err(Error::Failed(format!("The console broke: {broke}."))),
                }
            }
            why = unusable(&mut self.networks) => Err(Error::Input(why)),
            broke = &mut self.scheduler => {
                let why = broke.err().map_or_else(String::new, |why| format!(": {why}"));
                Err(Error::Failed(format!("What is due is run no longer{why}.")))
            }
        }
    }

    /// Stops every part and closes the database.
    async fn stop(mut self) {
        self.hub.stop();
        let networks = async { while self.networks.join_next().await.is_some() {} };
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
        tokio::join!(networks, console, web);
        if let Err(fault) = self.hub.close().await {
            tracing::error!(%fault, "the database did not close");
        }
        drop(self.terminal);
    }
}

/// Keeps a network for as long as this process is in charge of it, until the program stops.
async fn while_in_charge<Network>(
    hub: Hub,
    service: String,
    start: impl Fn() -> Result<Network, String>,
    stop: impl AsyncFn(Network),
) -> Result<(), String> {
    let mut charge = hub.charge(&service);
    loop {
        tokio::select! {
            biased;
            () = hub.stopped() => return Ok(()),
            held = charge.wait_for(|held| *held) => if held.is_err() { return Ok(()) },
        }
        let network = start()?;
        let stopped = tokio::select! {
            () = hub.stopped() => true,
            lost = charge.wait_for(|held| !*held) => lost.is_err(),
        };
        stop(network).await;
        if stopped {
            return Ok(());
        }
    }
}

/// Waits for a network whose settings cannot work; why.
async fn unusable(networks: &mut JoinSet<Result<(), String>>) -> String {
    loop {
        match networks.join_next().await {
            Some(Ok(Err(why))) => return why,
            Some(Err(broke)) => return format!("A network broke: {broke}."),
            Some(Ok(Ok(()))) => {}
            None => std::future::pending().await,
        }
    }
}

/// Takes the ports of the web. One that somebody asked for and that is taken ends the program, but for a console: that
/// opens in any case, and says so.
async fn open_web(config: &Config, beside_a_console: bool) -> Result<Web, Error> {
    let web = Web::bind(config.web.clone()).await;
    match (web.refused(), web.given_way()) {
        ([refused, ..], _) if !beside_a_console => return Err(Error::Failed(refused.clone())),
        ([], Some(taken)) if !beside_a_console => {
            let link = web.link().unwrap_or_default();
            tracing::warn!("{taken} is taken: the web pages are at {link} (RULEKEEPER_WEB chooses an address)");
        }
        _ => {}
    }
    Ok(web)
}

type Console = (JoinHandle<io::Result<u64>>, Option<console::Modes>);

fn open_console(hub: &Hub, seat: Seat, welcome: Vec<String>) -> Result<Console, Error> {
    let terminal = environment("TERM").is_none_or(|terminal| terminal != "dumb");
    let colours = io::stdout().is_terminal() && environment("NO_COLOR").is_none() && terminal;
    let interactive = io::stdin().is_terminal();
    let options = console::Options {
        interactive,
        colours,
        columns: io::stdout().is_terminal().then_some(columns),
        welcome,
        run: hex::encode(Entropy::System.bytes::<8>()),
        session: seat.session,
        practice: seat.practice,
    };
    let desk = Arc::new(hub.clone());
    let mut modes = None;
    let keys = match edited(hub, interactive && io::stdout().is_terminal() && terminal, colours) {
        Some((editor, taken)) => {
            modes = Some(taken);
            console::Keys::Edited(editor)
        }
        None => console::Keys::Lines(console::read_lines(io::stdin(), interactive)?),
    };
    Ok((tokio::spawn(console::run(desk, keys, tokio::io::stdout(), options)), modes))
}

/// The terminal with an editor, where it can have one.
fn edited(hub: &Hub, possible: bool, colours: bool) -> Option<(console::Editor, console::Modes)> {
    if !possible {
        return None;
    }
    let opened = console::Modes::take().and_then(|modes| {
        let history = console::history_file(&environment);
        Ok((console::Editor::open(Arc::new(hub.clone()), colours, history)?, modes))
    });
    opened.inspect_err(|error| tracing::warn!(%error, "the terminal is read without an editor")).ok()
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

/// What the console says first: where the pages are, and what to type where nothing is played yet, else what is played.
fn welcome(hub: &Hub, web: Option<&Web>) -> Vec<String> {
    let mut lines: Vec<String> = web.map_or(Vec::new(), |web| web.refused().to_vec());
    if let Some((web, link)) = web.and_then(|web| Some((web, web.link()?))) {
        lines.push(match web.given_way() {
            Some(taken) => format!("Web pages: {link} (port {} is taken by another program)", taken.port()),
            None => format!("Web pages: {link}"),
        });
    }
    let rooms: Vec<String> = hub.rooms().iter().map(|room| format!("@{}", room.name)).collect();
    if !rooms.is_empty() {
        lines.push(format!("Rooms: {}. Type help for all that can be typed.", rooms.join(", ")));
        return lines;
    }
    lines.extend(
        [
            "Nothing is played here yet. Open a room for a joust, with you as its contestmaster:  room open joust main",
            "Put ten programs on its Hill:  joust start    and look at it:  hill    (help lists everything, quit leaves)",
            "Challenge it as somebody else:  as Ann    and then:  joust submit Alpha >+++>--->>+[>[+++[-]]+]",
        ]
        .map(str::to_owned),
    );
    lines
}

/// What somebody reads who practises.
fn for_practice(hub: &Hub) -> Vec<String> {
    let first = match hub.rooms().is_empty() {
        true => "Open a room first, such as:  room open joust main clock:manual",
        false => "Speak as somebody, and join:  as Ann",
    };
    vec![
        "Practice: nothing is kept when you leave, and the same lines always bring about the same.".to_owned(),
        format!("It is {} until you move a room's clock:  tick until TIME    (quit leaves)", minute(hub.clock().now())),
        first.to_owned(),
    ]
}

/// The signals that end the program.
#[cfg(unix)]
pub(super) struct Signals {
    signals: [(&'static str, tokio::signal::unix::Signal); 3],
}

#[cfg(unix)]
impl Signals {
    pub(super) fn new() -> io::Result<Self> {
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

    pub(super) async fn next(&mut self) -> &'static str {
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
pub(super) struct Signals;

#[cfg(not(unix))]
impl Signals {
    pub(super) fn new() -> io::Result<Self> {
        Ok(Self)
    }

    pub(super) async fn next(&mut self) -> &'static str {
        // Where it cannot be waited for, it ends the program by itself.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
        "Ctrl-C"
    }
}
