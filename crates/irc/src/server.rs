//! The server's own word about itself and about the bot: capabilities, limits, the own nick and host.
//!
//! The crate's own notion of the current nick goes wrong, so it is followed here from the greeting on. Other people are
//! followed in [`super::identity`].

use std::collections::BTreeSet;

use irc_proto::{CapSubCommand, Command, Message};

use super::gate::Mask;
use super::message::{numeric, source};
use super::names::CaseMapping;

/// Longest nick that is assumed until the server says its own, in bytes.
const NICK_ASSUMED_BYTES: usize = 30;

/// Longest nick that the server is believed to allow, in bytes: more would leave no room for text.
const NICK_MAX_BYTES: usize = 100;

/// Longest topic that is set, in bytes, where the server does not say less: a line holds it with the channel's name.
const TOPIC_ASSUMED_BYTES: usize = 300;

/// A server, as it presented itself on this connection.
#[derive(Clone, Debug)]
pub(super) struct Server {
    /// The own nick, user and host.
    pub(super) mask: Mask,
    /// How names compare.
    pub(super) mapping: CaseMapping,
    /// The longest nick, in bytes.
    pub(super) nick_max_bytes: usize,
    /// The longest topic, in bytes.
    pub(super) topic_max_bytes: usize,
    /// The user mode that marks a bot.
    pub(super) bot_mode: Option<char>,
    /// Whether `WHO` shows accounts.
    pub(super) whox: bool,
    /// The services account that the bot is logged in to.
    pub(super) account: Option<String>,
    /// Capabilities that the server has granted.
    caps: BTreeSet<String>,
    /// Client tags that the server does not pass on (ISUPPORT `CLIENTTAGDENY`).
    denied_tags: Vec<String>,
}

impl Server {
    /// Nothing is known yet but the nick that is asked for.
    pub(super) fn new(nick: &str) -> Self {
        Self {
            mask: Mask { nick: nick.to_owned(), user: None, host: None },
            mapping: CaseMapping::default(),
            nick_max_bytes: NICK_ASSUMED_BYTES,
            topic_max_bytes: TOPIC_ASSUMED_BYTES,
            bot_mode: None,
            whox: false,
            account: None,
            caps: BTreeSet::new(),
            denied_tags: Vec::new(),
        }
    }

    /// Whether the server has granted the capability.
    pub(super) fn has(&self, cap: &str) -> bool {
        self.caps.contains(cap)
    }

    /// Whether the server confirms every line with an echo that can be told apart.
    pub(super) fn confirms_lines(&self) -> bool {
        self.has("echo-message") && self.has("labeled-response")
    }

    /// Whether the server knows accounts at all, as far as its capabilities tell.
    pub(super) fn has_accounts(&self) -> bool {
        ["account-tag", "account-notify", "extended-join", "sasl"].iter().any(|cap| self.has(cap))
    }

    /// Whether the server passes this client tag on (named without its `+`).
    pub(super) fn passes_tag(&self, tag: &str) -> bool {
        let listed = |entry: &str| self.denied_tags.iter().any(|denied| denied == entry);
        self.has("message-tags") && !listed(tag) && (!listed("*") || listed(&format!("-{tag}")))
    }

    /// Whether the nick is the bot's own.
    pub(super) fn is_me(&self, nick: &str) -> bool {
        self.mapping.same(nick, &self.mask.nick)
    }

    /// Learns from a message. To be called for every message before anything else looks at it.
    pub(super) fn observe(&mut self, message: &Message) {
        if let Some(source) = source(message)
            && self.is_me(&source.nick)
        {
            self.see_self(message, source.user, source.host);
        }
        match &message.command {
            Command::CAP(_, CapSubCommand::ACK, caps, more) => {
                for cap in more.as_ref().or(caps.as_ref()).into_iter().flat_map(|caps| caps.split(' ')) {
                    match cap.strip_prefix('-') {
                        Some(cap) => drop(self.caps.remove(cap)),
                        None if cap.is_empty() => {}
                        None => drop(self.caps.insert(cap.to_owned())),
                    }
                }
            }
            Command::CAP(_, CapSubCommand::DEL, caps, more) => {
                for cap in more.as_ref().or(caps.as_ref()).into_iter().flat_map(|caps| caps.split(' ')) {
                    self.caps.remove(cap);
                }
            }
            command => self.observe_numeric(command),
        }
    }

    fn see_self(&mut self, message: &Message, user: String, host: String) {
        if !user.is_empty() && !host.is_empty() {
            self.mask.user = Some(user);
            self.mask.host = Some(host);
        }
        match &message.command {
            Command::NICK(nick) => self.mask.nick.clone_from(nick),
            Command::CHGHOST(user, host) => {
                self.mask.user = Some(user.clone());
                self.mask.host = Some(host.clone());
            }
            Command::ACCOUNT(account) => self.account = (account != "*").then(|| account.clone()),
            _ => {}
        }
    }

    fn observe_numeric(&mut self, command: &Command) {
        let Some((number, params)) = numeric(command) else { return };
        match (number, params.as_slice()) {
            (1, [nick, ..]) => self.mask.nick = (*nick).to_owned(),
            (5, [_, tokens @ ..]) => tokens.iter().for_each(|token| self.observe_support(token)),
            (396, [_, host, ..]) => match host.split_once('@') {
                Some((user, host)) => {
                    self.mask.user = Some(user.to_owned());
                    self.mask.host = Some(host.to_owned());
                }
                None => self.mask.host = Some((*host).to_owned()),
            },
            (900, [_, _, account, ..]) => self.account = Some((*account).to_owned()),
            (901, _) => self.account = None,
            _ => {}
        }
    }

    fn observe_support(&mut self, token: &str) {
        let (key, value) = token.split_once('=').unwrap_or((token, ""));
        match key {
            "CASEMAPPING" => self.mapping = CaseMapping::named(value),
            "NICKLEN" => {
                if let Ok(bytes) = value.parse::<usize>() {
                    self.nick_max_bytes = bytes.clamp(1, NICK_MAX_BYTES);
                }
            }
            "TOPICLEN" => {
                if let Ok(bytes) = value.parse::<usize>() {
                    self.topic_max_bytes = bytes.clamp(1, TOPIC_ASSUMED_BYTES);
                }
            }
            "BOT" => self.bot_mode = value.chars().next().filter(char::is_ascii_alphabetic),
            "WHOX" => self.whox = true,
            "CLIENTTAGDENY" => self.denied_tags = value.split(',').map(str::to_owned).collect(),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server(lines: &[&str]) -> Server {
        let mut server = Server::new("Keeper");
        for line in lines {
            server.observe(&line.parse().unwrap());
        }
        server
    }

    #[test]
    fn the_own_nick_is_followed_from_the_greeting_on() {
        let server = server(&[":s 001 Keeper_ :hi", ":Keeper_!k@h NICK :Keeper", ":other!k@h NICK :Nobody"]);
        assert_eq!(server.mask.nick, "Keeper");
        assert_eq!(server.mask.prefix_bytes(), ":Keeper!k@h ".len());
    }

    #[test]
    fn a_hidden_host_replaces_the_one_seen_before() {
        let one = server(&[":s 001 Keeper :hi", ":Keeper!k@1.2.3.4 JOIN #a", ":s 396 Keeper cloak.example :is now"]);
        assert_eq!(one.mask.host.as_deref(), Some("cloak.example"));
        let two = server(&[":Keeper!k@a CHGHOST u much.longer.example"]);
        assert_eq!(two.mask.prefix_bytes(), ":Keeper!u@much.longer.example ".len());
    }

    #[test]
    fn capabilities_come_and_go() {
        let mut one = server(&[":s CAP * ACK :account-tag echo-message", ":s CAP Keeper ACK :labeled-response "]);
        assert!(one.has("account-tag") && one.confirms_lines());
        one.observe(&":s CAP Keeper DEL :account-tag".parse().unwrap());
        assert!(!one.has("account-tag"));
        one.observe(&":s CAP Keeper ACK :-echo-message".parse().unwrap());
        assert!(!one.confirms_lines());
    }

    #[test]
    fn limits_are_read() {
        let line = ":s 005 Keeper CASEMAPPING=ascii NICKLEN=16 BOT=B WHOX CLIENTTAGDENY=*,-draft/reply :are supported";
        let mut one = server(&[line]);
        assert_eq!(
            (one.mapping, one.nick_max_bytes, one.bot_mode, one.whox),
            (CaseMapping::Ascii, 16, Some('B'), true)
        );
        assert!(!one.passes_tag("draft/reply"), "no tags without message-tags");
        one.observe(&":s CAP * ACK :message-tags".parse().unwrap());
        assert!(one.passes_tag("draft/reply") && !one.passes_tag("rulekeeper/delivery"));
    }

    #[test]
    fn the_own_account_is_known() {
        let mut one = server(&[":s 900 Keeper Keeper!k@h keeper :You are now logged in"]);
        assert_eq!(one.account.as_deref(), Some("keeper"));
        one.observe(&":Keeper!k@h ACCOUNT *".parse().unwrap());
        assert_eq!(one.account, None);
    }
}
