//! An IRC server without a network: the adapter dials it in memory, and the test says what the server says.
//!
//! With paused time a test is exact about when something is sent, and an hour of waiting takes no time. Pings are
//! answered by themselves unless the test says otherwise, as every server does.

use std::{io, sync::Arc, time::Duration};

use adapter_irc::{
    Irc, IrcNetwork, Link,
    config::{Channel, Pace, PersonPace},
    dial::{Dial, Socket},
};
use futures::future::BoxFuture;
use port::Desk;
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf, split},
    sync::{mpsc, watch},
    time::Instant,
};

/// How much fits on the way between the two, in bytes. Small, so that a stalled reader is felt.
const PIPE_BYTES: usize = 16 * 1024;

/// How long a test waits for the bot before it fails. Paused time skips it.
const WAIT_MAX: Duration = Duration::from_secs(1800);

/// The capabilities of a modern server.
pub(crate) const ALL_CAPS: &str = "message-tags account-tag account-notify extended-join server-time batch \
                                   echo-message labeled-response";

/// The capabilities of a server with accounts and without echoes.
pub(crate) const ACCOUNT_CAPS: &str = "message-tags account-tag account-notify extended-join server-time";

/// A network whose servers are played by the test.
struct Wires {
    calls: mpsc::UnboundedSender<DuplexStream>,
}

impl Dial for Wires {
    fn dial<'a>(&'a self, _network: &'a IrcNetwork) -> BoxFuture<'a, io::Result<Box<dyn Socket>>> {
        let (ours, theirs) = tokio::io::duplex(PIPE_BYTES);
        let sent = self.calls.send(theirs);
        Box::pin(async move {
            sent.map_err(|_| io::Error::from(io::ErrorKind::ConnectionRefused))?;
            Ok(Box::new(ours) as Box<dyn Socket>)
        })
    }
}

/// A bot on one network, and the server's side of it.
pub(crate) struct Scene {
    /// The adapter.
    pub(crate) irc: Irc,
    calls: mpsc::UnboundedReceiver<DuplexStream>,
}

/// The settings that most tests use: one channel, no account, no limit on anybody's pace.
pub(crate) fn network() -> IrcNetwork {
    IrcNetwork {
        channels: vec![Channel::Name("#n".to_owned())],
        pace: Pace { burst_lines: 1000, line_every_ms: 0, unread_max_bytes: 1024 * 1024 },
        person: PersonPace { command_every_ms: 0, ..PersonPace::default() },
        alt_nicks: vec!["Kept".to_owned()],
        ..IrcNetwork::new("net", "irc.test", "Keeper")
    }
}

impl Scene {
    /// Starts the bot.
    pub(crate) fn start(network: IrcNetwork, desk: Arc<dyn Desk>) -> Self {
        let (call, calls) = mpsc::unbounded_channel();
        let irc = Irc::start_with(vec![network], desk, Arc::new(Wires { calls: call })).expect("the settings work");
        Self { irc, calls }
    }

    /// Starts the bot and plays the server until the bot is in `#n`.
    pub(crate) async fn joined(network: IrcNetwork, caps: &str, desk: Arc<dyn Desk>) -> (Self, Peer) {
        let mut scene = Self::start(network, desk);
        let mut peer = scene.call().await;
        peer.sign_in(caps).await;
        peer.let_in("#n", "").await;
        (scene, peer)
    }

    /// Waits for the bot to connect.
    pub(crate) async fn call(&mut self) -> Peer {
        let call = tokio::time::timeout(WAIT_MAX, self.calls.recv()).await.expect("the bot connects");
        let (read, write) = split(call.expect("the bot lives"));
        Peer { read: BufReader::new(read), write, nick: "Keeper".to_owned(), answers_pings: true }
    }

    /// Whether the bot has tried to connect again.
    pub(crate) fn nobody_calls(&mut self) -> bool {
        self.calls.try_recv().is_err()
    }

    /// How the network is doing.
    pub(crate) fn link(&self) -> watch::Receiver<Link> {
        self.irc.link("net").expect("the network is known")
    }
}

/// The server's end of a connection.
pub(crate) struct Peer {
    read: BufReader<ReadHalf<DuplexStream>>,
    write: WriteHalf<DuplexStream>,
    /// The nick that the bot has.
    pub(crate) nick: String,
    /// Whether `PING` is answered.
    pub(crate) answers_pings: bool,
}

impl Peer {
    /// Says a line.
    pub(crate) async fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\r\n").as_bytes()).await;
    }

    /// Says bytes as they stand.
    pub(crate) async fn send_bytes(&mut self, bytes: &[u8]) {
        self.write.write_all(bytes).await.expect("the bot is connected");
    }

    /// The next line of the bot, whatever it is; `None` when it has gone.
    pub(crate) async fn raw_line(&mut self) -> Option<String> {
        let mut bytes = Vec::new();
        let read = tokio::time::timeout(WAIT_MAX, self.read.read_until(b'\n', &mut bytes));
        if read.await.expect("the bot says something").expect("the pipe is sound") == 0 {
            return None;
        }
        let line = String::from_utf8(bytes).expect("the bot speaks UTF-8");
        let body = line.strip_suffix("\r\n").expect("a line ends with CR LF");
        assert!(!body.contains(['\r', '\n', '\0']), "{body:?}");
        let untagged = body.strip_prefix('@').map_or(body, |rest| rest.split_once(' ').expect("tags end").1);
        assert!(untagged.len() + 2 <= 512, "{} bytes: {untagged}", untagged.len() + 2);
        Some(body.to_owned())
    }

    /// The next line that is no ping; pings are answered on the way.
    pub(crate) async fn line(&mut self) -> String {
        self.next_line().await.expect("the bot is connected")
    }

    async fn next_line(&mut self) -> Option<String> {
        loop {
            let line = self.raw_line().await?;
            let Some(token) = line.strip_prefix("PING ") else { return Some(line) };
            if self.answers_pings {
                self.send(&format!(":irc.test PONG irc.test :{token}")).await;
            }
        }
    }

    /// The next line is this.
    pub(crate) async fn expect(&mut self, expected: &str) {
        assert_eq!(self.line().await, expected);
    }

    /// The next line is this, behind its tags.
    pub(crate) async fn expect_untagged(&mut self, expected: &str) -> Tags {
        let line = self.line().await;
        let (tags, rest) = match line.strip_prefix('@') {
            Some(rest) => rest.split_once(' ').expect("tags end"),
            None => ("", line.as_str()),
        };
        assert_eq!(rest, expected);
        Tags(tags.to_owned())
    }

    /// The bot says nothing for so long.
    pub(crate) async fn expect_silence(&mut self, duration: Duration) {
        let until = Instant::now() + duration;
        if let Ok(line) = tokio::time::timeout_at(until, self.next_line()).await {
            panic!("expected silence, not {line:?}");
        }
    }

    /// The bot closes the connection; what it said before is returned.
    pub(crate) async fn expect_closed(&mut self) -> Vec<String> {
        let mut said = Vec::new();
        while let Some(line) = self.next_line().await {
            said.push(line);
        }
        said
    }

    /// Plays the sign-in of a server with these capabilities, without accounts.
    pub(crate) async fn sign_in(&mut self, caps: &str) {
        self.hello(caps).await;
        self.expect("CAP END").await;
        self.greet().await;
    }

    /// Takes the bot's first lines, and grants what it asks for.
    pub(crate) async fn hello(&mut self, caps: &str) {
        self.expect("CAP LS 302").await;
        let nick = self.nick.clone();
        self.expect(&format!("NICK {nick}")).await;
        assert!(self.line().await.starts_with("USER "));
        self.send(&format!(":irc.test CAP * LS :{caps}")).await;
        if !caps.is_empty() {
            let request = self.line().await;
            let asked = request.strip_prefix("CAP REQ ").expect("the bot asks").trim_start_matches(':').to_owned();
            self.send(&format!(":irc.test CAP * ACK :{asked}")).await;
        }
    }

    /// Greets the bot under its nick.
    pub(crate) async fn greet(&mut self) {
        let nick = self.nick.clone();
        self.send(&format!(":irc.test 001 {nick} :Welcome")).await;
        self.send(&format!(":irc.test 005 {nick} CASEMAPPING=ascii NICKLEN=20 BOT=B :are supported")).await;
        self.send(&format!(":irc.test 422 {nick} :No message")).await;
        self.expect(&format!("MODE {nick} +B")).await;
    }

    /// Lets the bot into a channel with these people, and waits until it has seen everything there.
    pub(crate) async fn let_in(&mut self, channel: &str, people: &str) {
        self.expect(&format!("JOIN {channel}")).await;
        self.say_joined(channel, people).await;
        self.settle().await;
    }

    /// Tells the bot that it is in a channel.
    pub(crate) async fn say_joined(&mut self, channel: &str, people: &str) {
        let nick = self.nick.clone();
        self.send(&format!(":{nick}!k@host.test JOIN {channel} * :real")).await;
        self.send(&format!(":irc.test 353 {nick} = {channel} :@{nick} {people}")).await;
        self.send(&format!(":irc.test 366 {nick} {channel} :End")).await;
    }

    /// Waits for the bot's fence and answers it.
    pub(crate) async fn settle(&mut self) {
        let ping = loop {
            let line = self.raw_line().await.expect("the bot is connected");
            // In real time, on a loaded machine, the bot may ask whether the server lives.
            match line.strip_prefix("PING ").filter(|token| self.answers_pings && !token.starts_with("rk-")) {
                Some(token) => self.send(&format!(":irc.test PONG irc.test :{token}")).await,
                None => break line,
            }
        };
        let token = ping.strip_prefix("PING rk-").unwrap_or_else(|| panic!("expected a fence, not {ping:?}"));
        self.send(&format!(":irc.test PONG irc.test :rk-{token}")).await;
    }
}

/// The tags of a line.
pub(crate) struct Tags(String);

impl Tags {
    /// The value of a tag.
    pub(crate) fn get(&self, key: &str) -> Option<&str> {
        self.0.split(';').find_map(|tag| tag.split_once('=').filter(|(name, _)| *name == key).map(|(_, value)| value))
    }
}
