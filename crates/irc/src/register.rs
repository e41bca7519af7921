//! Signing in: capabilities, a password or an account, a nick, in an order that never ends in a channel without them.
//!
//! The crate's `identify` ends the negotiation of capabilities before it begins, so this is done by hand. A machine is
//! fed messages and answers with lines. Channels are joined afterwards (`channels`). The caller limits the time.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use irc_proto::{CapSubCommand, Command, Message};

use super::config::IrcNetwork;
use super::gate::{self, Unsendable, WireLine};
use super::message::{numeric, source};
use super::server::Server;

/// The capabilities to ask for, in this order.
pub(super) const CAPS: [&str; 12] = [
    "sasl",
    "message-tags",
    "account-tag",
    "account-notify",
    "extended-join",
    "server-time",
    "chghost",
    "cap-notify",
    "multi-prefix",
    "setname",
    "batch",
    "labeled-response",
];

/// Asked for only together with `labeled-response`: an echo that cannot be told apart confirms nothing.
pub(super) const ECHO_CAP: &str = "echo-message";

/// Longest list of capabilities in one request, in bytes: well within a line, with the server's name in its answer.
const REQUEST_MAX_BYTES: usize = 350;

/// Longest piece of an `AUTHENTICATE` payload, in bytes (the SASL specification).
const SASL_CHUNK_BYTES: usize = 400;

/// Most nicks that are tried before the connection is given up.
const NICKS_MAX_COUNT: usize = 12;

/// How long a nick may be on every server, in bytes (RFC 2812, 1.2.1). Some take no longer one.
const NICK_SHORT_BYTES: usize = 9;

/// Why the sign-in failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// It would fail the same way again, and each try may lock an account: stop until somebody mends the settings.
    Stop(String),
    /// It may work another time.
    Retry(String),
}

/// What the sign-in wants now.
#[derive(Debug, PartialEq)]
pub(super) enum Step {
    /// Send these lines and go on.
    Send(Vec<WireLine>),
    /// The bot is on the network, logged in where it should be.
    Done,
    /// It is not.
    Failed(Failure),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Waiting for the list of capabilities.
    Listing,
    /// Waiting for what was asked for.
    Requesting,
    /// Waiting for the outcome of SASL.
    Authenticating,
    /// Negotiation has ended; waiting for the greeting and what follows it.
    Greeting,
    /// Waiting for the services to confirm the account.
    Identifying,
    /// Signed in.
    Done,
}

/// A sign-in under way.
pub(super) struct Registration<'a> {
    network: &'a IrcNetwork,
    phase: Phase,
    /// What the server offers, with values.
    offered: BTreeMap<String, String>,
    /// Requests that are not sent yet.
    requests: VecDeque<Vec<String>>,
    /// Capabilities that are asked for and not answered.
    outstanding: BTreeSet<String>,
    /// Nicks that are left to try.
    nicks: VecDeque<String>,
    authenticated: bool,
    greeted: bool,
    /// What ends the sign-in, found while something else was answered.
    failure: Option<Failure>,
}

impl<'a> Registration<'a> {
    /// Begins, and says what to send first.
    ///
    /// # Errors
    /// When a setting cannot stand in a line.
    pub(super) fn start(network: &'a IrcNetwork) -> Result<(Self, Vec<WireLine>), Unsendable> {
        let mut nicks: VecDeque<String> = network.alt_nicks.iter().cloned().collect();
        nicks.push_back(format!("{}_", network.nick));
        let short = |bytes: usize| &network.nick[..network.nick.floor_char_boundary(bytes)];
        if network.nick.len() > NICK_SHORT_BYTES {
            nicks.push_back(short(NICK_SHORT_BYTES).to_owned());
        }
        nicks.extend((1..=NICKS_MAX_COUNT).map(|n| {
            let n = n.to_string();
            format!("{}{n}", short(NICK_SHORT_BYTES - n.len()))
        }));
        nicks.truncate(NICKS_MAX_COUNT);
        let mut lines = vec![gate::command("CAP", &["LS", "302"])?];
        if let Some(password) = &network.password {
            lines.push(gate::command("PASS", &[password.expose()])?);
        }
        lines.push(gate::command("NICK", &[&network.nick])?);
        lines.push(gate::command("USER", &[network.username(), "0", "*", &network.realname])?);
        let registration = Self {
            network,
            phase: Phase::Listing,
            offered: BTreeMap::new(),
            requests: VecDeque::new(),
            outstanding: BTreeSet::new(),
            nicks,
            authenticated: false,
            greeted: false,
            failure: None,
        };
        Ok((registration, lines))
    }

    /// Takes a message that `server` has observed.
    pub(super) fn on_message(&mut self, message: &Message, server: &Server) -> Step {
        match self.step(message, server) {
            Ok(step) => step,
            Err(error) => Step::Failed(Failure::Stop(format!("a setting cannot be sent: {error}"))),
        }
    }

    fn step(&mut self, message: &Message, server: &Server) -> Result<Step, Unsendable> {
        let lines = match &message.command {
            Command::CAP(_, CapSubCommand::LS, first, second) => self.on_list(first, second)?,
            Command::CAP(_, CapSubCommand::ACK, first, second) => {
                self.on_answer(second.as_ref().or(first.as_ref()), true)?
            }
            Command::CAP(_, CapSubCommand::NAK, first, second) => {
                self.on_answer(second.as_ref().or(first.as_ref()), false)?
            }
            Command::AUTHENTICATE(challenge) if self.phase == Phase::Authenticating && challenge == "+" => {
                self.credentials()?
            }
            Command::ERROR(text) => {
                return Ok(retry(format!("the server closed the connection: {}", gate::clean(text))));
            }
            Command::NOTICE(_, text) if self.phase == Phase::Identifying => return Ok(self.on_notice(message, text)),
            Command::ACCOUNT(_) if self.phase == Phase::Identifying => return Ok(self.confirm(server)),
            command => match numeric(command) {
                Some((number, params)) => return self.on_numeric(number, &params, server),
                None => Vec::new(),
            },
        };
        Ok(self.failure.take().map_or(Step::Send(lines), Step::Failed))
    }

    fn on_numeric(&mut self, number: u16, params: &[&str], server: &Server) -> Result<Step, Unsendable> {
        match number {
            1 => {
                self.greeted = true;
                if self.network.sasl.is_some() && !self.authenticated {
                    return Ok(retry("the server greeted the bot before it was logged in".to_owned()));
                }
                self.phase = Phase::Greeting;
            }
            376 | 422 if self.phase == Phase::Greeting => return self.after_greeting(),
            900 if self.phase == Phase::Identifying => return Ok(self.confirm(server)),
            903 | 907 if self.phase == Phase::Authenticating => {
                self.authenticated = true;
                return Ok(Step::Send(self.end()?));
            }
            902 | 904 | 905 | 908 if self.phase == Phase::Authenticating => {
                return Ok(stop("the server refused the account's password (SASL)".to_owned()));
            }
            906 if self.phase == Phase::Authenticating => return Ok(retry("SASL was aborted".to_owned())),
            410 | 421 if self.phase == Phase::Listing => return Ok(Step::Send(self.without_caps()?)),
            432 | 433 | 436 | 437 if !self.greeted => {
                let why = params.last().map_or_else(String::new, |text| gate::clean(text));
                return self.next_nick(&why);
            }
            464 => return Ok(stop("the server refused its password".to_owned())),
            465 => {
                let why = params.last().map_or_else(String::new, |text| gate::clean(text));
                return Ok(retry(format!("the bot is banned from the server: {why}")));
            }
            _ => {}
        }
        Ok(Step::Send(Vec::new()))
    }

    /// One line of the list; a `*` before it says that more follow.
    fn on_list(&mut self, first: &Option<String>, second: &Option<String>) -> Result<Vec<WireLine>, Unsendable> {
        if self.phase != Phase::Listing {
            return Ok(Vec::new());
        }
        let (caps, more) = match (first, second) {
            (Some(star), Some(caps)) if star == "*" => (caps, true),
            (Some(caps), None) => (caps, false),
            (_, Some(caps)) => (caps, false),
            (None, None) => return self.without_caps(),
        };
        for cap in caps.split(' ').filter(|cap| !cap.is_empty()) {
            let (name, value) = cap.split_once('=').unwrap_or((cap, ""));
            self.offered.insert(name.to_owned(), value.to_owned());
        }
        if more {
            return Ok(Vec::new());
        }
        self.requests = self.wanted();
        self.phase = Phase::Requesting;
        self.next_request()
    }

    /// What to ask for of what is offered, in lines that are short enough.
    fn wanted(&self) -> VecDeque<Vec<String>> {
        let offered = |cap: &str| match cap {
            // Without an account to log in to there is nothing to ask for, and a list of mechanisms may leave PLAIN out.
            "sasl" => self.network.sasl.is_some() && self.offers_plain(),
            ECHO_CAP => self.offered.contains_key(ECHO_CAP) && self.offered.contains_key("labeled-response"),
            cap => self.offered.contains_key(cap),
        };
        let mut requests = VecDeque::new();
        let mut request: Vec<String> = Vec::new();
        let mut length = 0;
        for cap in CAPS.iter().chain([&ECHO_CAP]).filter(|cap| offered(cap)) {
            if length + cap.len() > REQUEST_MAX_BYTES {
                requests.push_back(std::mem::take(&mut request));
                length = 0;
            }
            length += cap.len() + 1;
            request.push((*cap).to_owned());
        }
        if !request.is_empty() {
            requests.push_back(request);
        }
        requests
    }

    fn offers_plain(&self) -> bool {
        match self.offered.get("sasl").map(String::as_str) {
            None => false,
            Some("") => true,
            Some(mechanisms) => mechanisms.split(',').any(|mechanism| mechanism.eq_ignore_ascii_case("PLAIN")),
        }
    }

    fn next_request(&mut self) -> Result<Vec<WireLine>, Unsendable> {
        let Some(request) = self.requests.pop_front() else { return self.after_caps() };
        self.outstanding = request.iter().cloned().collect();
        Ok(vec![gate::command("CAP", &["REQ", &request.join(" ")])?])
    }

    fn on_answer(&mut self, caps: Option<&String>, granted: bool) -> Result<Vec<WireLine>, Unsendable> {
        if self.phase != Phase::Requesting {
            return Ok(Vec::new());
        }
        let answered: Vec<&str> = caps.into_iter().flat_map(|caps| caps.split_whitespace()).collect();
        if !granted && self.outstanding.len() > 1 {
            // A request is granted or refused as a whole: ask again one by one.
            for cap in std::mem::take(&mut self.outstanding).into_iter().rev() {
                self.requests.push_front(vec![cap]);
            }
        }
        for cap in answered {
            self.outstanding.remove(cap.trim_start_matches(['-', '~', '=']));
        }
        if self.outstanding.is_empty() { self.next_request() } else { Ok(Vec::new()) }
    }

    fn after_caps(&mut self) -> Result<Vec<WireLine>, Unsendable> {
        if self.network.sasl.is_none() {
            return self.end();
        }
        if !self.offers_plain() {
            // Services may be away for a while; the bot never goes on without its account.
            self.failure = Some(Failure::Retry("the server offers no SASL PLAIN at the moment".to_owned()));
            return Ok(Vec::new());
        }
        self.phase = Phase::Authenticating;
        Ok(vec![gate::command("AUTHENTICATE", &["PLAIN"])?])
    }

    fn without_caps(&mut self) -> Result<Vec<WireLine>, Unsendable> {
        self.offered.clear();
        self.end()
    }

    fn end(&mut self) -> Result<Vec<WireLine>, Unsendable> {
        self.phase = Phase::Greeting;
        Ok(vec![gate::command("CAP", &["END"])?])
    }

    fn credentials(&self) -> Result<Vec<WireLine>, Unsendable> {
        let Some(login) = &self.network.sasl else { return Ok(Vec::new()) };
        let payload = BASE64.encode(format!("\0{}\0{}", login.user, login.password.expose()));
        let mut chunks: Vec<&str> = Vec::new();
        let mut rest = payload.as_str();
        while rest.len() >= SASL_CHUNK_BYTES {
            let (chunk, behind) = rest.split_at(SASL_CHUNK_BYTES);
            chunks.push(chunk);
            rest = behind;
        }
        // A last chunk that is full needs an empty one behind it.
        chunks.push(if rest.is_empty() { "+" } else { rest });
        chunks.into_iter().map(|chunk| gate::command("AUTHENTICATE", &[chunk])).collect()
    }

    fn next_nick(&mut self, why: &str) -> Result<Step, Unsendable> {
        match self.nicks.pop_front() {
            Some(nick) => {
                tracing::info!(service = %self.network.service(), next = nick, why, "the server refuses a nick; another is tried");
                Ok(Step::Send(vec![gate::command("NICK", &[&nick])?]))
            }
            None => {
                let tried = NICKS_MAX_COUNT + 1;
                Ok(retry(format!("the server takes none of {tried} nicks; of the last it says: {why}")))
            }
        }
    }

    fn after_greeting(&mut self) -> Result<Step, Unsendable> {
        let Some(nickserv) = &self.network.nickserv else {
            self.phase = Phase::Done;
            return Ok(Step::Done);
        };
        self.phase = Phase::Identifying;
        let text = format!("IDENTIFY {} {}", nickserv.user, nickserv.password.expose());
        Ok(Step::Send(vec![gate::command("PRIVMSG", &[&nickserv.service, &text])?]))
    }

    /// A notice of the services: only a refusal is read from it; success is the server's word, not a text's.
    fn on_notice(&mut self, message: &Message, text: &str) -> Step {
        let Some(nickserv) = &self.network.nickserv else { return Step::Send(Vec::new()) };
        let service = nickserv.service.split('@').next().unwrap_or(&nickserv.service);
        let from = source(message).is_some_and(|source| source.nick.eq_ignore_ascii_case(service));
        let text = text.to_ascii_lowercase();
        let says = |words: &[&str]| words.iter().any(|word| text.contains(word));
        if from && says(&["invalid password", "password incorrect", "incorrect password", "authentication failed"]) {
            return Step::Failed(Failure::Stop("the services refused the account's password".to_owned()));
        }
        if from && says(&["is not registered", "isn't registered"]) {
            return Step::Failed(Failure::Stop("the services do not know the account".to_owned()));
        }
        if from
            && says(&["you are now identified", "you are now logged in", "password accepted", "you are now recognized"])
        {
            // Servers without 900 and account-notify say it in no other way.
            self.phase = Phase::Done;
            return Step::Done;
        }
        Step::Send(Vec::new())
    }

    fn confirm(&mut self, server: &Server) -> Step {
        if server.account.is_none() {
            return Step::Send(Vec::new());
        }
        self.phase = Phase::Done;
        Step::Done
    }
}

/// The request for capabilities that the server has begun to offer while the bot was on it. Logging in again is not
/// among them: the account outlives the services' absence.
pub(super) fn ask_for_new(message: &Message) -> Option<Result<WireLine, Unsendable>> {
    let Command::CAP(_, CapSubCommand::NEW, first, second) = &message.command else { return None };
    let offered: BTreeSet<&str> = second
        .as_ref()
        .or(first.as_ref())?
        .split_whitespace()
        .map(|cap| cap.split('=').next().unwrap_or(cap))
        .collect();
    let wanted: Vec<&str> =
        CAPS.into_iter().chain([ECHO_CAP]).filter(|cap| *cap != "sasl" && offered.contains(cap)).collect();
    (!wanted.is_empty()).then(|| gate::command("CAP", &["REQ", &wanted.join(" ")]))
}

fn stop(why: String) -> Step {
    Step::Failed(Failure::Stop(why))
}

fn retry(why: String) -> Step {
    Step::Failed(Failure::Retry(why))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Login, NickServ, Secret};

    /// A sign-in against lines of a server that is played by hand.
    struct Scene {
        server: Server,
        registration: Registration<'static>,
        sent: Vec<String>,
    }

    impl Scene {
        fn new(network: IrcNetwork) -> Self {
            let network: &'static IrcNetwork = Box::leak(Box::new(network));
            let (registration, lines) = Registration::start(network).unwrap();
            let sent = lines.iter().map(|line| line.text().trim_end().to_owned()).collect();
            Self { server: Server::new(&network.nick), registration, sent }
        }

        /// The server says this; the answer's lines are returned.
        fn says(&mut self, line: &str) -> Vec<String> {
            match self.step(line) {
                Step::Send(lines) => lines.iter().map(|line| line.text().trim_end().to_owned()).collect(),
                other => panic!("{line:?} led to {other:?}"),
            }
        }

        fn step(&mut self, line: &str) -> Step {
            let message = line.parse().unwrap();
            self.server.observe(&message);
            self.registration.on_message(&message, &self.server)
        }
    }

    fn plain() -> IrcNetwork {
        IrcNetwork { alt_nicks: vec!["Kept".to_owned()], ..IrcNetwork::new("net", "irc.example.org", "Keeper") }
    }

    fn with_sasl(password: &str) -> IrcNetwork {
        IrcNetwork { sasl: Some(Login { user: "keeper".to_owned(), password: Secret::new(password) }), ..plain() }
    }

    fn authenticating(password: &str) -> Scene {
        let mut scene = Scene::new(with_sasl(password));
        scene.says(":s CAP * LS :sasl=EXTERNAL,PLAIN");
        assert_eq!(scene.says(":s CAP * ACK :sasl"), ["AUTHENTICATE PLAIN"]);
        scene
    }

    #[test]
    fn capabilities_are_asked_for_before_the_negotiation_ends() {
        let mut scene = Scene::new(plain());
        assert_eq!(scene.sent, ["CAP LS 302", "NICK Keeper", "USER Keeper 0 * :Rulekeeper, a bot that runs nomics"]);
        assert!(scene.says(":s CAP * LS * :multi-prefix sasl=PLAIN account-tag unknown").is_empty());
        assert_eq!(
            scene.says(":s CAP * LS :message-tags echo-message labeled-response batch"),
            ["CAP REQ :message-tags account-tag multi-prefix batch labeled-response echo-message"]
        );
        assert!(scene.says(":s CAP * ACK * :message-tags account-tag").is_empty());
        assert_eq!(scene.says(":s CAP * ACK :multi-prefix batch labeled-response echo-message"), ["CAP END"]);
        assert!(scene.says(":s 001 Keeper :hi").is_empty());
        assert_eq!(scene.step(":s 422 Keeper :no motd"), Step::Done);
        assert!(scene.server.confirms_lines());
    }

    #[test]
    fn a_refused_request_is_made_again_one_by_one() {
        let mut scene = Scene::new(plain());
        assert_eq!(scene.says(":s CAP * LS :batch setname"), ["CAP REQ :setname batch"]);
        assert_eq!(scene.says(":s CAP * NAK :setname batch"), ["CAP REQ batch"]);
        assert_eq!(scene.says(":s CAP * ACK :batch"), ["CAP REQ setname"]);
        assert_eq!(scene.says(":s CAP * NAK :setname"), ["CAP END"]);
    }

    #[test]
    fn an_old_server_without_capabilities_is_fine() {
        let mut scene = Scene::new(plain());
        assert_eq!(scene.says(":s 421 Keeper CAP :Unknown command"), ["CAP END"]);
        scene.says(":s 001 Keeper :hi");
        assert_eq!(scene.step(":s 376 Keeper :end"), Step::Done);
        let mut silent = Scene::new(plain());
        silent.says(":s 001 Keeper :hi");
        assert_eq!(silent.step(":s 376 Keeper :end"), Step::Done);
    }

    #[test]
    fn sasl_comes_before_the_end_of_the_negotiation() {
        let mut scene = authenticating("hunter2");
        assert_eq!(scene.says("AUTHENTICATE +"), ["AUTHENTICATE AGtlZXBlcgBodW50ZXIy"]);
        assert_eq!(scene.says(":s 903 Keeper :done"), ["CAP END"]);
        scene.says(":s 001 Keeper :hi");
        assert_eq!(scene.step(":s 376 Keeper :end"), Step::Done);
    }

    #[test]
    fn a_long_password_goes_in_pieces_of_400_and_a_full_last_piece_is_followed_by_an_empty_one() {
        for (length, expected) in [(292, vec![400, 1]), (293, vec![400, 4]), (592, vec![400, 400, 1])] {
            let mut scene = authenticating(&"p".repeat(length));
            let pieces: Vec<usize> =
                scene.says("AUTHENTICATE +").iter().map(|line| line.len() - "AUTHENTICATE ".len()).collect();
            assert_eq!(pieces, expected, "a password of {length}");
        }
    }

    #[test]
    fn a_refused_password_stops_the_bot_for_good() {
        for line in [":s 904 Keeper :no", ":s 905 Keeper :long", ":s 902 Keeper :locked", ":s 908 Keeper SCRAM :no"] {
            let mut scene = authenticating("hunter2");
            scene.says("AUTHENTICATE +");
            let Step::Failed(Failure::Stop(why)) = scene.step(line) else { panic!("{line} did not stop") };
            assert!(!why.contains("hunter2"));
        }
    }

    #[test]
    fn without_the_account_the_bot_does_not_go_on() {
        let mut absent = Scene::new(with_sasl("x"));
        assert!(matches!(absent.step(":s CAP * LS :account-tag"), Step::Send(_)));
        assert!(matches!(absent.step(":s CAP * ACK :account-tag"), Step::Failed(Failure::Retry(_))));
        let mut old = Scene::new(with_sasl("x"));
        assert!(matches!(old.step(":s 001 Keeper :hi"), Step::Failed(Failure::Retry(_))));
        let mut aborted = authenticating("x");
        assert!(matches!(aborted.step(":s 906 Keeper :aborted"), Step::Failed(Failure::Retry(_))));
    }

    #[test]
    fn a_nick_in_use_leads_to_the_next_one_and_at_last_to_another_try() {
        let mut scene = Scene::new(plain());
        assert_eq!(scene.says(":s 433 * Keeper :in use"), ["NICK Kept"]);
        assert_eq!(scene.says(":s 432 * Kept :no"), ["NICK Keeper_"]);
        let mut tries = 2;
        let last = loop {
            match scene.step(":s 432 * x :Nickname too long, max. 9 characters") {
                Step::Send(lines) if lines.len() == 1 => tries += 1,
                other => break other,
            }
        };
        let Step::Failed(Failure::Retry(why)) = last else { panic!("{last:?}") };
        assert!(why.contains("none of 13 nicks") && why.contains("too long, max. 9"), "{why}");
        assert_eq!(tries, NICKS_MAX_COUNT);
    }

    /// Servers that take nine characters say so of each longer nick, and some let little time pass for many tries.
    #[test]
    fn a_nick_that_is_too_long_is_tried_shorter() {
        let mut scene = Scene::new(IrcNetwork::new("net", "irc.example.org", "Rulekeeper"));
        assert_eq!(scene.says(":s 432 * Rulekeeper :Nickname too long, max. 9 characters"), ["NICK Rulekeeper_"]);
        assert_eq!(scene.says(":s 432 * Rulekeeper_ :Nickname too long, max. 9 characters"), ["NICK Rulekeepe"]);
        assert_eq!(scene.says(":s 433 * Rulekeepe :in use"), ["NICK Rulekeep1"]);
        for _ in 2..10 {
            scene.says(":s 433 * x :in use");
        }
        assert_eq!(scene.says(":s 433 * Rulekeep9 :in use"), ["NICK Rulekee10"]);
    }

    #[test]
    fn nickserv_has_to_confirm_before_anything_is_joined() {
        let nickserv = NickServ {
            service: "NickServ@services.example".to_owned(),
            user: "keeper".to_owned(),
            password: Secret::new("hunter2"),
        };
        let start = || {
            let mut scene = Scene::new(IrcNetwork { nickserv: Some(nickserv.clone()), ..plain() });
            scene.says(":s 001 Keeper :hi");
            assert_eq!(
                scene.says(":s 376 Keeper :end"),
                ["PRIVMSG NickServ@services.example :IDENTIFY keeper hunter2"]
            );
            scene
        };
        let mut scene = start();
        scene.says(":NickServ!s@services.example NOTICE Keeper :This nickname is protected.");
        assert_eq!(scene.step(":s 900 Keeper Keeper!k@h keeper :You are now logged in"), Step::Done);
        let mut told = start();
        scene_is_not_fooled(&mut told);
        assert_eq!(told.step(":NickServ!s@h NOTICE Keeper :You are now identified for \x02keeper\x02."), Step::Done);
        let mut refused = start();
        let step = refused.step(":NickServ!s@h NOTICE Keeper :Invalid password for \x02keeper\x02.");
        assert!(matches!(step, Step::Failed(Failure::Stop(_))));
    }

    fn scene_is_not_fooled(scene: &mut Scene) {
        assert!(scene.says(":mallory!m@h NOTICE Keeper :You are now identified").is_empty());
        assert!(scene.says(":mallory!m@h NOTICE Keeper :Invalid password").is_empty());
    }

    #[test]
    fn what_is_offered_later_is_asked_for() {
        let ask = |line: &str| ask_for_new(&line.parse().unwrap()).map(|line| line.unwrap().text());
        let asked = ask(":s CAP Keeper NEW :sasl=PLAIN account-tag other");
        assert_eq!(asked.as_deref(), Some("CAP REQ account-tag\r\n"));
        assert_eq!(ask(":s CAP Keeper NEW :sasl=PLAIN"), None);
        assert_eq!(ask(":s CAP Keeper DEL :account-tag"), None);
    }

    #[test]
    fn a_ban_or_a_closed_link_is_tried_again_and_a_wrong_server_password_is_not() {
        let mut scene = Scene::new(plain());
        assert!(matches!(scene.step("ERROR :Closing link: throttled"), Step::Failed(Failure::Retry(_))));
        let mut scene = Scene::new(plain());
        assert!(matches!(scene.step(":s 465 * :banned"), Step::Failed(Failure::Retry(_))));
        let mut scene = Scene::new(plain());
        assert!(matches!(scene.step(":s 464 * :bad"), Step::Failed(Failure::Stop(_))));
    }
}
