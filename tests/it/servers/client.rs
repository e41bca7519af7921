//! A person at a raw IRC connection, for tests: logs in, talks, and waits for what others say.
//!
//! It is deliberately not built on the `irc` crate: what the bot sends is judged here by other code than sends it.
//! Waiting is bounded and never blind. [`Client::expect`] fails with what was said instead. [`Client::overhears`] knows
//! that nothing more comes because the server answered a later question.

use std::{collections::BTreeMap, io, time::Duration};

use base64::Engine as _;
use tokio::{
    io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader},
    net::{
        TcpStream,
        tcp::{OwnedReadHalf, OwnedWriteHalf},
    },
};

use crate::servers::Network;

/// How long an expected line may take. InspIRCd's clock ticks once a second, and a machine that others share stands still
/// for many.
const EXPECT_MAX_SECONDS: u64 = 90;

/// How many unmatched lines a failed expectation shows.
const SHOWN_MAX_LINES: usize = 30;

/// One line from a server, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Message {
    /// The line without its end.
    pub(crate) raw: String,
    /// Message tags, unescaped; a tag without a value has an empty one.
    pub(crate) tags: BTreeMap<String, String>,
    /// Who sent it: a nick or a server's name; empty when the line does not say.
    pub(crate) from: String,
    /// The command or numeric.
    pub(crate) command: String,
    /// Its parameters, the trailing one among them.
    pub(crate) parameters: Vec<String>,
}

impl Message {
    /// Takes a line apart. Bytes that are not UTF-8 become replacement characters.
    pub(crate) fn parse(line: &str) -> Self {
        let mut rest = line;
        let mut tags = BTreeMap::new();
        if let Some(tagged) = rest.strip_prefix('@') {
            let (text, after) = tagged.split_once(' ').unwrap_or((tagged, ""));
            for tag in text.split(';') {
                let (key, value) = tag.split_once('=').unwrap_or((tag, ""));
                tags.insert(key.to_owned(), unescape_tag(value));
            }
            rest = after.trim_start();
        }
        let mut from = "";
        if let Some(prefixed) = rest.strip_prefix(':') {
            let (source, after) = prefixed.split_once(' ').unwrap_or((prefixed, ""));
            from = source.split('!').next().unwrap_or(source);
            rest = after.trim_start();
        }
        let (middle, trailing) = match rest.split_once(" :") {
            Some((middle, trailing)) => (middle, Some(trailing)),
            None => (rest, None),
        };
        let mut words = middle.split_ascii_whitespace().map(str::to_owned);
        let command = words.next().unwrap_or_default();
        let parameters = words.chain(trailing.map(str::to_owned)).collect();
        Self { raw: line.to_owned(), tags, from: from.to_owned(), command, parameters }
    }

    /// The last parameter: the text of a message or notice.
    pub(crate) fn text(&self) -> &str {
        self.parameters.last().map_or("", String::as_str)
    }

    /// The first parameter: the channel or nick that a message or notice goes to.
    pub(crate) fn target(&self) -> &str {
        self.parameters.first().map_or("", String::as_str)
    }

    /// The services account that the server vouches for, where it does.
    pub(crate) fn account(&self) -> Option<&str> {
        self.tags.get("account").map(String::as_str)
    }

    /// Whether it is something said: a message or a notice.
    pub(crate) fn is_said(&self) -> bool {
        matches!(self.command.as_str(), "PRIVMSG" | "NOTICE")
    }
}

fn unescape_tag(value: &str) -> String {
    let mut text = String::new();
    let mut characters = value.chars();
    while let Some(character) = characters.next() {
        text.extend(match character {
            '\\' => match characters.next() {
                Some(':') => Some(';'),
                Some('s') => Some(' '),
                Some('r') => Some('\r'),
                Some('n') => Some('\n'),
                other => other,
            },
            plain => Some(plain),
        });
    }
    text
}

/// A connected client.
pub(crate) struct Client {
    /// The nick that it holds, as the server confirmed it.
    pub(crate) nick: String,
    /// The name of the server that greeted it.
    pub(crate) server: String,
    /// The capabilities that the server granted.
    pub(crate) capabilities: Vec<String>,
    /// Every line that it has read, as it came.
    pub(crate) wire: Vec<String>,
    reader: BufReader<OwnedReadHalf>,
    writer: OwnedWriteHalf,
    fences: u32,
}

impl Client {
    /// Connects under a nick, without an account.
    pub(crate) async fn connect(network: &Network, nick: &str) -> Self {
        Self::register(network.host, network.port, nick, None).await.unwrap_or_else(|error| panic!("{nick}: {error}"))
    }

    /// Connects, and says who it is by SASL PLAIN before the server greets it. The account is named like the nick.
    pub(crate) async fn login(network: &Network, nick: &str, password: &str) -> Self {
        Self::login_as(network, nick, nick, password).await
    }

    /// Connects under one nick with the account of another name, by SASL PLAIN.
    pub(crate) async fn login_as(network: &Network, nick: &str, account: &str, password: &str) -> Self {
        Self::register(network.host, network.port, nick, Some((account, password)))
            .await
            .unwrap_or_else(|error| panic!("{nick}: {error}"))
    }

    /// Connects where a server may not be listening yet.
    pub(crate) async fn try_connect(host: &str, port: u16, nick: &str) -> io::Result<Self> {
        Self::register(host, port, nick, None).await
    }

    async fn register(host: &str, port: u16, nick: &str, login: Option<(&str, &str)>) -> io::Result<Self> {
        const WANTED: [&str; 5] = ["message-tags", "account-tag", "account-notify", "extended-join", "server-time"];
        let stream = TcpStream::connect((host, port)).await?;
        stream.set_nodelay(true)?;
        let (reader, writer) = stream.into_split();
        let mut client = Self {
            nick: nick.to_owned(),
            server: String::new(),
            capabilities: Vec::new(),
            wire: Vec::new(),
            reader: BufReader::new(reader),
            writer,
            fences: 0,
        };
        client.try_send(&format!("CAP LS 302\r\nNICK {nick}\r\nUSER {nick} 0 * :{nick}")).await?;
        // ngIRCd answers CAP LS too, with less to offer.
        let mut offered = Vec::new();
        loop {
            let line = client.registration_line(|message| message.command == "CAP").await?;
            offered.extend(
                line.text().split_ascii_whitespace().map(|cap| cap.split('=').next().unwrap_or(cap).to_owned()),
            );
            if line.parameters.get(2).map(String::as_str) != Some("*") {
                break;
            }
        }
        let wanted: Vec<_> = WANTED
            .into_iter()
            .chain(login.map(|_| "sasl"))
            .filter(|cap| offered.iter().any(|offer| offer == cap))
            .collect();
        if !wanted.is_empty() {
            client.try_send(&format!("CAP REQ :{}", wanted.join(" "))).await?;
            let answer = client.registration_line(|message| message.command == "CAP").await?;
            client.capabilities = answer.text().split_ascii_whitespace().map(str::to_owned).collect();
        }
        if let Some((account, password)) = login {
            if !client.has("sasl") {
                return Err(io::Error::other("the server offers no SASL"));
            }
            let token = base64::engine::general_purpose::STANDARD.encode(format!("\0{account}\0{password}"));
            client.try_send("AUTHENTICATE PLAIN").await?;
            client.registration_line(|message| message.command == "AUTHENTICATE").await?;
            client.try_send(&format!("AUTHENTICATE {token}")).await?;
            let verdict = client.registration_line(|m| matches!(&*m.command, "903" | "904" | "905" | "906")).await?;
            if verdict.command != "903" {
                return Err(io::Error::other(format!("login refused: {}", verdict.raw)));
            }
        }
        client.try_send("CAP END").await?;
        let greeting = client.registration_line(|message| message.command == "001").await?;
        client.server = greeting.from.clone();
        client.nick = greeting.target().to_owned();
        Ok(client)
    }

    /// Waits for a line while registering; an `ERROR` or a nick in use ends it.
    async fn registration_line(&mut self, wanted: impl Fn(&Message) -> bool) -> io::Result<Message> {
        let registered = tokio::time::timeout(Duration::from_secs(EXPECT_MAX_SECONDS), async {
            loop {
                let message = self.try_read().await?;
                if wanted(&message) {
                    return Ok(message);
                }
                if matches!(message.command.as_str(), "ERROR" | "432" | "433" | "437" | "465") {
                    return Err(io::Error::other(message.raw));
                }
            }
        });
        registered.await.unwrap_or_else(|_| Err(io::Error::from(io::ErrorKind::TimedOut)))
    }

    /// Whether the server granted a capability.
    pub(crate) fn has(&self, capability: &str) -> bool {
        self.capabilities.iter().any(|granted| granted == capability)
    }

    /// Says who this connection is to NickServ, and waits until NickServ agrees.
    pub(crate) async fn identify(&mut self, account: &str, password: &str) {
        self.say("NickServ", &format!("IDENTIFY {account} {password}")).await;
        self.expect("to be logged in", |message| message.command == "900").await;
    }

    /// Joins a channel and waits until it is in.
    pub(crate) async fn join(&mut self, channel: &str) {
        self.send(&format!("JOIN {channel}")).await;
        self.expect(&format!("to have joined {channel}"), |message| {
            message.command == "366" && message.parameters.iter().any(|parameter| parameter == channel)
        })
        .await;
    }

    /// Says something in a channel or to somebody.
    pub(crate) async fn say(&mut self, target: &str, text: &str) {
        self.send(&format!("PRIVMSG {target} :{text}")).await;
    }

    /// Sends a line as it stands.
    pub(crate) async fn send(&mut self, line: &str) {
        self.try_send(line).await.unwrap_or_else(|error| panic!("{} cannot send: {error}", self.nick));
    }

    /// Sends bytes as they stand, without a line end: for what no well-behaved client sends.
    pub(crate) async fn send_bytes(&mut self, bytes: &[u8]) {
        self.writer.write_all(bytes).await.unwrap_or_else(|error| panic!("{} cannot send: {error}", self.nick));
    }

    async fn try_send(&mut self, line: &str) -> io::Result<()> {
        self.writer.write_all(format!("{line}\r\n").as_bytes()).await
    }

    /// The next line, whatever it is; pings are answered on the way and not shown.
    async fn try_read(&mut self) -> io::Result<Message> {
        loop {
            let mut bytes = Vec::new();
            if self.reader.read_until(b'\n', &mut bytes).await? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            let line = String::from_utf8_lossy(&bytes);
            let message = Message::parse(line.trim_end_matches(['\r', '\n']));
            self.wire.push(message.raw.clone());
            if message.command == "PING" {
                self.try_send(&format!("PONG :{}", message.text())).await?;
                continue;
            }
            return Ok(message);
        }
    }

    /// Reads on to the first line that `wanted` accepts. Fails, with what came instead, when the connection ends or
    /// nothing such comes in time.
    pub(crate) async fn expect(&mut self, what: &str, wanted: impl Fn(&Message) -> bool) -> Message {
        let mut passed: Vec<String> = Vec::new();
        let found = tokio::time::timeout(Duration::from_secs(EXPECT_MAX_SECONDS), async {
            loop {
                let message = self.try_read().await.map_err(|error| error.to_string())?;
                if wanted(&message) {
                    return Ok(message);
                }
                passed.push(message.raw);
            }
        });
        let reason = match found.await {
            Ok(Ok(message)) => return message,
            Ok(Err(error)) => error,
            Err(_) => format!("nothing such in {EXPECT_MAX_SECONDS} s"),
        };
        let shown = passed[passed.len().saturating_sub(SHOWN_MAX_LINES)..].join("\n    ");
        panic!("{} expected {what}: {reason}; it read\n    {shown}", self.nick);
    }

    /// Reads on to something that `from` says, in a channel or in private, whose text contains `part`.
    pub(crate) async fn expect_text(&mut self, from: &str, part: &str) -> Message {
        self.expect(&format!("{from} to say {part:?}"), |message| {
            message.is_said() && message.from == from && message.text().contains(part)
        })
        .await
    }

    /// Everything that the server has sent up to now, and that no expectation has consumed. It asks the server a
    /// question and reads on to the answer. So it holds what other clients said before, if the server has dealt with
    /// their lines by then. Where that matters, first let the other client hear its own echo or [`Client::settle`].
    pub(crate) async fn overhears(&mut self) -> Vec<Message> {
        self.fences += 1;
        let token = format!("fence-{}", self.fences);
        self.send(&format!("PING {token}")).await;
        let mut heard = Vec::new();
        let fenced = tokio::time::timeout(Duration::from_secs(EXPECT_MAX_SECONDS), async {
            loop {
                let message = self.try_read().await.unwrap_or_else(|error| panic!("{}: {error}", self.nick));
                if message.command == "PONG" && message.text() == token {
                    return;
                }
                heard.push(message);
            }
        });
        if fenced.await.is_err() {
            panic!("{} got no answer to its ping in {EXPECT_MAX_SECONDS} s", self.nick);
        }
        heard
    }

    /// Returns once the server has dealt with every line that this client has sent. What came meanwhile is dropped.
    pub(crate) async fn settle(&mut self) {
        self.overhears().await;
    }

    /// Waits until the server has closed the connection, and returns its last words.
    pub(crate) async fn expect_closed(mut self) -> String {
        let mut last = String::new();
        let closed = tokio::time::timeout(Duration::from_secs(EXPECT_MAX_SECONDS), async {
            while let Ok(message) = self.try_read().await {
                last = message.raw;
            }
        });
        assert!(closed.await.is_ok(), "{} is still connected after {EXPECT_MAX_SECONDS} s", self.nick);
        last
    }

    /// Leaves, and waits until the server has let go, so that the nick is free.
    pub(crate) async fn quit(mut self) {
        // The server may have closed first; gone is gone.
        if self.try_send("QUIT :bye").await.is_ok() {
            self.expect_closed().await;
        }
    }
}

#[test]
fn a_line_is_taken_apart() {
    let message = Message::parse("@account=Ann;time=1;note=a\\sb\\: :ann!u@h PRIVMSG #c :hello :there");
    assert_eq!(message.from, "ann");
    assert_eq!(message.command, "PRIVMSG");
    assert_eq!(message.parameters, ["#c", "hello :there"]);
    assert_eq!(message.account(), Some("Ann"));
    assert_eq!(message.tags["note"], "a b;");
    assert_eq!(Message::parse("PING :x").text(), "x");
    assert_eq!(Message::parse(":irc.test 366 ann #c :End").parameters, ["ann", "#c", "End"]);
}
