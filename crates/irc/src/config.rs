//! The settings of one IRC network.
//!
//! They are read from the program's configuration and checked once, before anything connects. Secrets are a type of
//! their own that no `{:?}` shows. The program reads the file and the environment.
//!
//! In the configuration file a network is a table of the list `irc`. Only `name`, `host` and `nick` have to be there:
//!
//! ```toml
//! [[irc]]
//! name = "libera"
//! host = "irc.libera.chat"
//! nick = "Rulekeeper"
//! alt_nicks = ["Rulekeeper_"]
//! channels = ["#nomic", { name = "#other", key = "hush", prefix = "." }]
//! sasl = { user = "rulekeeper", password = "..." }
//! moderators = ["alice"]
//! replies = "notice"
//! aliases = { v = "vote", p = "propose" }
//! unknown = "ignore"
//! topic = true
//! pace = { burst_lines = 5, line_every_ms = 1000 }
//! person = { burst_commands = 8, command_every_ms = 5000 }
//! ```
//!
//! A network without services says `identity = "connection"`; one without SASL has `nickserv` instead of `sasl`.

use std::{collections::BTreeMap, path::PathBuf};

use catalogue::Catalogue;
use serde::Deserialize;

use super::names::{is_channel, is_nick};

/// Most channels and alternative nicks that a network's settings may list: as many as networks let a client join.
pub const NAMES_MAX_COUNT: usize = 200;

/// Least room for unread bytes that works: two lines.
pub const UNREAD_MIN_BYTES: usize = 1024;

/// A password or key. Neither `{:?}` nor `{}` shows it.
#[derive(Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct Secret(String);

impl Secret {
    /// Wraps a secret.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The secret itself, for the one place that sends it.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("(secret)")
    }
}

/// One network that the bot is on.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IrcNetwork {
    /// Its short name, which makes the service `irc:NAME`: lower-case letters, digits, `-` and `_`.
    pub name: String,
    /// The server to connect to.
    pub host: String,
    /// Its port; 6697 with TLS and 6667 without when it is not given.
    #[serde(default)]
    pub port: Option<u16>,
    /// Whether to speak TLS.
    #[serde(default = "yes")]
    pub tls: bool,
    /// A PEM file with certificates to trust besides the system's.
    #[serde(default)]
    pub ca_file: Option<PathBuf>,
    /// Accept any certificate. For tests: refused unless the host is this machine.
    #[serde(default)]
    pub accept_invalid_cert: bool,
    /// The password of the server, where it has one.
    #[serde(default)]
    pub password: Option<Secret>,
    /// The nick that the bot wants.
    pub nick: String,
    /// The nicks that it takes meanwhile, in order, while that one is in use.
    #[serde(default)]
    pub alt_nicks: Vec<String>,
    /// The user name; the nick when it is not given.
    #[serde(default)]
    pub username: Option<String>,
    /// What WHOIS shows as the real name.
    #[serde(default = "realname")]
    pub realname: String,
    /// The channels that the bot is in, besides those in which forums are bound.
    #[serde(default)]
    pub channels: Vec<Channel>,
    /// The services account to log in to by SASL. When that fails, the bot leaves the network for good.
    #[serde(default)]
    pub sasl: Option<Login>,
    /// The services account to log in to by a message to `NickServ`, on networks without SASL.
    #[serde(default)]
    pub nickserv: Option<NickServ>,
    /// What a person is on this network.
    #[serde(default)]
    pub identity: IdentityKind,
    /// What a command in a channel begins with.
    #[serde(default = "prefix")]
    pub prefix: String,
    /// Where the program can be had, for who asks its client by CTCP.
    #[serde(default = "source")]
    pub source: String,
    /// Words that stand for the beginning of a command: `v` for `vote`.
    #[serde(default)]
    pub aliases: BTreeMap<String, String>,
    /// What becomes of a word behind the prefix that begins no command.
    #[serde(default)]
    pub unknown: Unknown,
    /// Whether the topics of channels tell how their rooms stand.
    #[serde(default)]
    pub topic: bool,
    /// Services accounts whose owners moderate. The service reads this list, the adapter does not.
    #[serde(default)]
    pub moderators: Vec<String>,
    /// How answers to one person are sent.
    #[serde(default)]
    pub replies: ReplyForm,
    /// How fast the bot may speak.
    #[serde(default)]
    pub pace: Pace,
    /// How much one person may ask.
    #[serde(default)]
    pub person: PersonPace,
    /// How much of a long text is shown before `more`.
    #[serde(default)]
    pub pages: PageLengths,
}

/// A channel, as its name or with settings of its own.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Channel {
    /// Only the name.
    Name(String),
    /// With its own settings.
    Settings(ChannelSettings),
}

/// Settings of one channel.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChannelSettings {
    /// The channel's name.
    pub name: String,
    /// The key to join it with.
    #[serde(default)]
    pub key: Option<Secret>,
    /// What a command begins with there, instead of the network's prefix.
    #[serde(default)]
    pub prefix: Option<String>,
}

impl Channel {
    /// The channel's name.
    pub fn name(&self) -> &str {
        match self {
            Self::Name(name) => name,
            Self::Settings(settings) => &settings.name,
        }
    }

    /// The key to join it with.
    pub fn key(&self) -> Option<&Secret> {
        match self {
            Self::Name(_) => None,
            Self::Settings(settings) => settings.key.as_ref(),
        }
    }

    /// Its own prefix.
    pub fn prefix(&self) -> Option<&str> {
        match self {
            Self::Name(_) => None,
            Self::Settings(settings) => settings.prefix.as_deref(),
        }
    }
}

/// An account and its password.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Login {
    /// The account.
    pub user: String,
    /// Its password, which the environment may give instead.
    #[serde(default)]
    pub password: Secret,
}

/// How to log in by a message to `NickServ`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NickServ {
    /// Whom the password is sent to. `NickServ@services.example` reaches nobody but the services.
    #[serde(default = "nickserv")]
    pub service: String,
    /// The account.
    pub user: String,
    /// Its password, which the environment may give instead.
    #[serde(default)]
    pub password: Secret,
}

/// What a person is on a network.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IdentityKind {
    /// Their services account; who is not logged in has none and can only read.
    #[default]
    Services,
    /// Their connection, for networks without services: it ends with a change of nick or a disconnection.
    Connection,
}

/// What becomes of a word behind the prefix that begins no command.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unknown {
    /// Who said it is told so.
    #[default]
    Answer,
    /// Nothing: in that channel another bot has the same prefix.
    Ignore,
}

/// How an answer to one person is sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReplyForm {
    /// As a notice, which no bot answers.
    #[default]
    Notice,
    /// As an ordinary message.
    Privmsg,
}

/// How fast the bot may speak. The defaults keep below the defaults of the common servers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Pace {
    /// Lines at once after a pause.
    pub burst_lines: u32,
    /// Milliseconds for one more line to become allowed; 0 lifts the limit.
    pub line_every_ms: u32,
    /// Bytes that the server may have unread; it closes the connection at 10 KB by default.
    pub unread_max_bytes: usize,
}

impl Default for Pace {
    fn default() -> Self {
        Self { burst_lines: 5, line_every_ms: 1000, unread_max_bytes: 6 * 1024 }
    }
}

/// How much one person may ask. Further commands wait, and are taken up in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PersonPace {
    /// Commands at once after a pause.
    pub burst_commands: u32,
    /// Milliseconds for one more command to become allowed; 0 lifts the limit.
    pub command_every_ms: u32,
}

impl Default for PersonPace {
    fn default() -> Self {
        Self { burst_commands: 8, command_every_ms: 5000 }
    }
}

/// How much of a long text is shown before `more`, in lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PageLengths {
    /// Of an answer in a channel.
    pub channel_lines: usize,
    /// Of an answer in private.
    pub private_lines: usize,
    /// Of an announcement in a channel.
    pub announcement_lines: usize,
}

impl Default for PageLengths {
    fn default() -> Self {
        Self { channel_lines: 4, private_lines: 10, announcement_lines: 8 }
    }
}

fn yes() -> bool {
    true
}

fn realname() -> String {
    "Rulekeeper, a bot that runs nomics".to_owned()
}

fn source() -> String {
    "Rulekeeper is free software, under MIT or Apache-2.0; its operator tells where it came from".to_owned()
}

fn prefix() -> String {
    "!".to_owned()
}

fn nickserv() -> String {
    "NickServ".to_owned()
}

impl IrcNetwork {
    /// A network with default settings.
    pub fn new(name: impl Into<String>, host: impl Into<String>, nick: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            host: host.into(),
            port: None,
            tls: true,
            ca_file: None,
            accept_invalid_cert: false,
            password: None,
            nick: nick.into(),
            alt_nicks: Vec::new(),
            username: None,
            realname: realname(),
            channels: Vec::new(),
            sasl: None,
            nickserv: None,
            identity: IdentityKind::default(),
            prefix: prefix(),
            source: source(),
            aliases: BTreeMap::new(),
            unknown: Unknown::default(),
            topic: false,
            moderators: Vec::new(),
            replies: ReplyForm::default(),
            pace: Pace::default(),
            person: PersonPace::default(),
            pages: PageLengths::default(),
        }
    }

    /// What the rest of the program calls it.
    pub fn service(&self) -> String {
        format!("irc:{}", self.name)
    }

    /// The port to connect to.
    pub fn port(&self) -> u16 {
        self.port.unwrap_or(if self.tls { 6697 } else { 6667 })
    }

    /// The user name to register with.
    pub fn username(&self) -> &str {
        self.username.as_deref().unwrap_or(&self.nick)
    }

    /// Checks what a type cannot say.
    ///
    /// # Errors
    /// The first of the mistakes, for the operator; the caller names the network.
    pub fn check(&self) -> Result<(), String> {
        self.mistakes().into_iter().next().map_or(Ok(()), |(key, why)| Err(format!("{key}: {why}")))
    }

    /// What is wrong with the settings beyond their types: each setting with a clause for the operator. No clause quotes
    /// what may be a secret.
    pub fn mistakes(&self) -> Vec<(String, String)> {
        let mut wrong: Vec<(String, String)> = Vec::new();
        let mut tell = |key: &str, why: String| wrong.push((key.to_owned(), why));
        let lower = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '_';
        if self.name.is_empty() || !self.name.chars().all(lower) {
            tell("name", "it may hold lower-case letters, digits, - and _ only".to_owned());
        }
        if self.host.parse::<std::net::IpAddr>().is_err() && url::Host::parse(&self.host).is_err() {
            tell("host", "it is the name or address of a server, without a port or anything else".to_owned());
        }
        let local = matches!(self.host.as_str(), "localhost" | "::1") || self.host.starts_with("127.");
        if self.accept_invalid_cert && !local {
            tell("accept_invalid_cert", "it is for tests on this machine only".to_owned());
        }
        if !is_nick(&self.nick) {
            tell("nick", format!("{:?} cannot be a nick", self.nick));
        }
        for (index, nick) in self.alt_nicks.iter().enumerate().filter(|(_, nick)| !is_nick(nick)) {
            tell(&format!("alt_nicks[{index}]"), format!("{nick:?} cannot be a nick"));
        }
        for (index, channel) in self.channels.iter().enumerate() {
            if !is_channel(channel.name()) {
                tell(&format!("channels[{index}]"), format!("{:?} cannot be a channel", channel.name()));
            }
            if channel.prefix().is_some_and(str::is_empty) {
                let key = format!("channels[{index}].prefix");
                tell(&key, "it is empty: every line of the channel would be a command".to_owned());
            }
        }
        for (key, count) in [("channels", self.channels.len()), ("alt_nicks", self.alt_nicks.len())] {
            if count > NAMES_MAX_COUNT {
                tell(key, format!("there are more than {NAMES_MAX_COUNT}"));
            }
        }
        if self.source.trim().is_empty() || self.source.chars().any(char::is_control) {
            tell("source", "it is empty or holds a line break".to_owned());
        }
        if self.prefix.is_empty() {
            tell("prefix", "it is empty: every line of a channel would be a command".to_owned());
        }
        for (word, meant) in &self.aliases {
            let key = format!("aliases.{word}");
            if word.is_empty() || !word.chars().all(|c| c.is_alphanumeric()) || *word != word.to_lowercase() {
                tell(&key, "it is one word in lower case, of letters and digits".to_owned());
            }
            if meant.trim().is_empty() || meant.chars().any(char::is_control) {
                tell(&key, "it stands for nothing that a line can hold".to_owned());
            }
            let begins = |name: &String| name.split(' ').next() == Some(word);
            if Catalogue::all().commands().iter().any(|command| command.names().any(begins)) {
                tell(&key, format!("“{word}” begins a command already"));
            }
        }
        if self.identity == IdentityKind::Connection && !self.moderators.is_empty() {
            let why = "it lists accounts, and with identity = \"connection\" there are none: docs/operating/irc.md says \
                       how to make the first moderator there";
            tell("moderators", why.to_owned());
        }
        if self.sasl.is_some() && self.nickserv.is_some() {
            tell("nickserv", "give sasl or nickserv, not both".to_owned());
        }
        let secret = |text: &str| !text.is_empty() && !text.contains(['\r', '\n', '\0']);
        let logins = [
            ("sasl", self.sasl.as_ref().map(|login| (&login.user, &login.password))),
            ("nickserv", self.nickserv.as_ref().map(|login| (&login.user, &login.password))),
        ];
        if self.password.as_ref().is_some_and(|password| !secret(password.expose())) {
            tell("password", "it is empty or holds a line break".to_owned());
        }
        for (table, (user, password)) in logins.into_iter().filter_map(|(table, login)| Some((table, login?))) {
            if !secret(user) || user.contains(' ') {
                tell(&format!("{table}.user"), "the account is empty or holds a space or a line break".to_owned());
            }
            if !secret(password.expose()) {
                tell(&format!("{table}.password"), "the password is missing or holds a line break".to_owned());
            }
        }
        let PageLengths { channel_lines, private_lines, announcement_lines } = self.pages;
        let pages = [("channel", channel_lines), ("private", private_lines), ("announcement", announcement_lines)];
        for (which, _) in pages.into_iter().filter(|(_, lines)| *lines == 0) {
            tell(&format!("pages.{which}_lines"), "a page holds at least one line".to_owned());
        }
        if self.pace.burst_lines == 0 {
            tell("pace.burst_lines", "at least one line has to be allowed".to_owned());
        }
        if self.person.burst_commands == 0 {
            tell("person.burst_commands", "at least one command has to be allowed".to_owned());
        }
        if self.pace.unread_max_bytes < UNREAD_MIN_BYTES {
            tell("pace.unread_max_bytes", format!("it is below {UNREAD_MIN_BYTES}: one line has to fit"));
        }
        wrong
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FULL: &str = r##"
        name = "libera"
        host = "irc.example.org"
        nick = "Rulekeeper"
        alt_nicks = ["Rulekeeper_"]
        channels = ["#nomic", { name = "#other", key = "hush", prefix = "." }]
        sasl = { user = "keeper", password = "hunter2" }
        moderators = ["alice"]
        replies = "privmsg"
        pace = { burst_lines = 4 }
    "##;

    #[test]
    fn settings_are_read_with_their_defaults() {
        let network: IrcNetwork = toml::from_str(FULL).unwrap();
        network.check().unwrap();
        assert_eq!(network.service(), "irc:libera");
        assert_eq!((network.port(), network.tls), (6697, true));
        assert_eq!(network.channels[1].prefix(), Some("."));
        assert_eq!(network.pace, Pace { burst_lines: 4, ..Pace::default() });
        assert_eq!(network.identity, IdentityKind::Services);
    }

    #[test]
    fn no_secret_is_ever_shown() {
        let network: IrcNetwork = toml::from_str(FULL).unwrap();
        let shown = format!("{network:?}");
        assert!(!shown.contains("hunter2") && !shown.contains("hush") && shown.contains("keeper"), "{shown}");
    }

    #[test]
    fn settings_that_cannot_work_are_refused_by_name() {
        let base = || IrcNetwork::new("net", "irc.example.org", "Keeper");
        base().check().unwrap();
        let nobody = PersonPace { burst_commands: 0, ..PersonPace::default() };
        let cases: [(&str, IrcNetwork); 14] = [
            ("burst_commands", IrcNetwork { person: nobody, ..base() }),
            ("host", IrcNetwork { host: "ircs://u:QUIT@irc.example.org".to_owned(), ..base() }),
            ("burst_lines", IrcNetwork { pace: Pace { burst_lines: 0, ..Pace::default() }, ..base() }),
            ("name", IrcNetwork { name: "Net!".to_owned(), ..base() }),
            ("nick", IrcNetwork { alt_nicks: vec!["a b".to_owned()], ..base() }),
            ("channel", IrcNetwork { channels: vec![Channel::Name("0".to_owned())], ..base() }),
            ("accept_invalid_cert", IrcNetwork { accept_invalid_cert: true, ..base() }),
            ("prefix", IrcNetwork { prefix: String::new(), ..base() }),
            (
                "password",
                IrcNetwork { sasl: Some(Login { user: "k".to_owned(), password: Secret::new("a\r\nQUIT") }), ..base() },
            ),
            (
                "moderators",
                IrcNetwork { moderators: vec!["ann".to_owned()], identity: IdentityKind::Connection, ..base() },
            ),
            ("alias", IrcNetwork { aliases: [("vote".to_owned(), "propose".to_owned())].into(), ..base() }),
            ("alias", IrcNetwork { aliases: [("two words".to_owned(), "vote".to_owned())].into(), ..base() }),
            ("alias", IrcNetwork { aliases: [("v".to_owned(), " ".to_owned())].into(), ..base() }),
            ("page", IrcNetwork { pages: PageLengths { private_lines: 0, ..PageLengths::default() }, ..base() }),
        ];
        for (word, network) in cases {
            let error = network.check().unwrap_err();
            assert!(error.contains(word) && !error.contains("QUIT"), "{error}");
        }
        assert!(toml::from_str::<IrcNetwork>("name='a'\nhost='b'\nnick='c'\nburst=3").is_err(), "unknown setting");
    }
}
