//! Being in the bot's channels: joining, trying again, and coming back after a kick, with a cap.
//!
//! A machine over messages and time: it says which lines to send and when to be asked again. Other people in a channel
//! are followed in `identity`.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::Duration;

use irc_proto::{Command, Message};
use tokio::time::Instant;

use super::config::{IrcNetwork, Secret};
use super::gate::{self, WireLine};
use super::message::{numeric, source};
use super::names::is_channel;
use super::server::Server;

/// The first pause before a channel is tried again; it doubles from try to try.
pub(super) const REJOIN_FIRST: Duration = Duration::from_secs(5);

/// The longest pause before a channel is tried again.
pub(super) const REJOIN_MAX: Duration = Duration::from_secs(600);

/// How long the server may take to answer a `JOIN`.
pub(super) const JOIN_TIMEOUT: Duration = Duration::from_secs(30);

/// Kicks within [`KICKS_WINDOW`] after which the bot stays out for as long: somebody means it.
pub(super) const KICKS_MAX_COUNT: usize = 5;

/// The time over which kicks are counted.
pub(super) const KICKS_WINDOW: Duration = Duration::from_secs(3600);

/// Failed tries after which moderators are told.
const FAILURES_TOLD_COUNT: u32 = 3;

/// Longest list of channels in one `JOIN`, in bytes.
const JOIN_LIST_MAX_BYTES: usize = 300;

/// Whether a channel can be spoken in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Presence {
    /// Yes.
    In,
    /// Not now, perhaps later.
    Soon,
    /// Not as long as its name is what it is, for this reason.
    Never(String),
}

/// What a message changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// The bot is in this channel (folded), with all that the server says on joining still to come.
    Joined(String),
    /// The list of its people is complete: a fence now comes back behind everything that was said on joining.
    Named(String),
    /// The bot is not in this channel (its name) and moderators should know the reason.
    Lost(String, String),
    /// The bot is in a channel (its name) where it has no business.
    Unwanted(String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum State {
    /// Outside; to be tried at this moment.
    Out(Instant),
    /// Asked to join at this moment.
    Joining(Instant),
    /// Inside; not settled until everything that the server says on joining has come in.
    In { settled: bool },
    /// The name is none that this server takes.
    Never(String),
}

#[derive(Debug)]
struct Place {
    name: String,
    key: Option<Secret>,
    prefix: Option<String>,
    configured: bool,
    state: State,
    failures: u32,
    kicks: Vec<Instant>,
    told: bool,
}

/// All channels of a connection, by folded name.
pub(super) struct Channels {
    places: BTreeMap<String, Place>,
}

impl Channels {
    /// The configured channels, to be joined now.
    pub(super) fn new(network: &IrcNetwork, server: &Server, now: Instant) -> Self {
        let mut places = BTreeMap::new();
        for channel in &network.channels {
            let place = Place {
                key: channel.key().cloned(),
                prefix: channel.prefix().map(str::to_owned),
                configured: true,
                ..Place::new(channel.name(), now)
            };
            places.insert(server.mapping.fold(channel.name()), place);
        }
        Self { places }
    }

    /// Takes the list of channels in which forums are bound. Returns the names of those to leave.
    pub(super) fn want(&mut self, forums: &[String], server: &Server, now: Instant) -> Vec<String> {
        let wanted: HashMap<String, &String> =
            forums.iter().filter(|name| is_channel(name)).map(|name| (server.mapping.fold(name), name)).collect();
        let mut leave = Vec::new();
        self.places.retain(|key, place| {
            let keep = place.configured || wanted.contains_key(key);
            if !keep && matches!(place.state, State::In { .. } | State::Joining(_)) {
                leave.push(place.name.clone());
            }
            keep
        });
        for (key, name) in wanted {
            self.places.entry(key).or_insert_with(|| Place::new(name, now));
        }
        leave
    }

    /// The `JOIN`s that are due. Those without a key share lines.
    pub(super) fn due(&mut self, now: Instant) -> Vec<WireLine> {
        let mut lists: Vec<(String, Option<Secret>)> = Vec::new();
        let mut names = BTreeSet::new();
        for place in self.places.values_mut() {
            if let State::Joining(since) = place.state
                && now >= since + JOIN_TIMEOUT
            {
                place.fail(now);
            }
            if matches!(place.state, State::Out(at) if now >= at) {
                place.state = State::Joining(now);
                match &place.key {
                    Some(key) => lists.push((place.name.clone(), Some(key.clone()))),
                    None => drop(names.insert(place.name.clone())),
                }
            }
        }
        let mut list = String::new();
        for name in names {
            if !list.is_empty() && list.len() + name.len() > JOIN_LIST_MAX_BYTES {
                lists.push((std::mem::take(&mut list), None));
            }
            if !list.is_empty() {
                list.push(',');
            }
            list.push_str(&name);
        }
        if !list.is_empty() {
            lists.push((list, None));
        }
        let line = |(list, key): (String, Option<Secret>)| match key {
            Some(key) => gate::command("JOIN", &[&list, key.expose()]).ok(),
            None => gate::command("JOIN", &[&list]).ok(),
        };
        lists.into_iter().filter_map(line).collect()
    }

    /// When to ask [`Self::due`] again.
    pub(super) fn next_due(&self) -> Option<Instant> {
        let at = |place: &Place| match place.state {
            State::Out(at) => Some(at),
            State::Joining(since) => Some(since + JOIN_TIMEOUT),
            State::In { .. } | State::Never(_) => None,
        };
        self.places.values().filter_map(at).min()
    }

    /// Whether a channel (folded) can be spoken in.
    pub(super) fn presence(&self, key: &str) -> Presence {
        match self.places.get(key).map(|place| &place.state) {
            Some(State::In { settled: true }) => Presence::In,
            Some(State::Never(why)) => Presence::Never(why.clone()),
            Some(State::Out(_) | State::Joining(_) | State::In { settled: false }) | None => Presence::Soon,
        }
    }

    /// The prefix that a channel (folded) has for itself.
    pub(super) fn prefix(&self, key: &str) -> Option<&str> {
        self.places.get(key)?.prefix.as_deref()
    }

    /// A channel that anybody may be told to come to: one of the settings, without a key.
    pub(super) fn meeting_place(&self) -> Option<&str> {
        let open = |place: &&Place| place.configured && place.key.is_none() && matches!(place.state, State::In { .. });
        self.places.values().find(open).map(|place| place.name.as_str())
    }

    /// Everything that the server says on joining a channel (folded) has come in.
    pub(super) fn settle(&mut self, key: &str) {
        if let Some(Place { state: State::In { settled }, .. }) = self.places.get_mut(key) {
            *settled = true;
        }
    }

    /// Learns from a message that the server has observed.
    pub(super) fn observe(&mut self, message: &Message, server: &Server, now: Instant) -> Option<Change> {
        if let Some((number, params)) = numeric(&message.command) {
            return self.observe_numeric(number, &params, server, now);
        }
        let from_me = source(message).is_some_and(|from| server.is_me(&from.nick));
        match &message.command {
            Command::JOIN(channel, ..) if from_me => {
                let key = server.mapping.fold(channel);
                let Some(place) = self.places.get_mut(&key) else { return Some(Change::Unwanted(channel.clone())) };
                place.state = State::In { settled: false };
                place.failures = 0;
                place.told = false;
                Some(Change::Joined(key))
            }
            Command::PART(channel, _) if from_me => {
                self.places.get_mut(&server.mapping.fold(channel))?.state = State::Out(now + REJOIN_FIRST);
                None
            }
            Command::KICK(channel, nick, _) if server.is_me(nick) => {
                self.places.get_mut(&server.mapping.fold(channel))?.kicked(now)
            }
            Command::INVITE(nick, channel) if server.is_me(nick) => {
                let place = self.places.get_mut(&server.mapping.fold(channel))?;
                if matches!(place.state, State::Out(_)) {
                    place.state = State::Out(now);
                }
                None
            }
            _ => None,
        }
    }

    fn observe_numeric(&mut self, number: u16, params: &[&str], server: &Server, now: Instant) -> Option<Change> {
        let [_, channel, rest @ ..] = params else { return None };
        let key = server.mapping.fold(channel);
        let place = self.places.get_mut(&key)?;
        match number {
            366 if matches!(place.state, State::In { .. }) => Some(Change::Named(key)),
            442 if matches!(place.state, State::In { .. }) => {
                place.state = State::Out(now + REJOIN_FIRST);
                None
            }
            403 | 476 | 479 if matches!(place.state, State::Joining(_)) => {
                let why = format!("the server takes {channel} for no channel");
                place.state = State::Never(why.clone());
                Some(Change::Lost(place.name.clone(), why))
            }
            400..600 if matches!(place.state, State::Joining(_)) => {
                place.fail(now);
                let why = rest.last().map_or_else(|| "no reason given".to_owned(), |text| gate::clean(text));
                place.tell(why)
            }
            _ => None,
        }
    }
}

impl Place {
    fn new(name: &str, now: Instant) -> Self {
        Self {
            name: name.to_owned(),
            key: None,
            prefix: None,
            configured: false,
            state: State::Out(now),
            failures: 0,
            kicks: Vec::new(),
            told: false,
        }
    }

    fn fail(&mut self, now: Instant) {
        self.state = State::Out(now + pause(self.failures));
        self.failures = self.failures.saturating_add(1);
    }

    /// Tells moderators once, after a few tries.
    fn tell(&mut self, why: String) -> Option<Change> {
        if self.told || self.failures < FAILURES_TOLD_COUNT {
            return None;
        }
        self.told = true;
        Some(Change::Lost(self.name.clone(), why))
    }

    fn kicked(&mut self, now: Instant) -> Option<Change> {
        self.kicks.retain(|at| now < *at + KICKS_WINDOW);
        self.kicks.push(now);
        if self.kicks.len() < KICKS_MAX_COUNT {
            self.state = State::Out(now + pause(self.kicks.len() as u32 - 1));
            return None;
        }
        self.kicks.clear();
        self.state = State::Out(now + KICKS_WINDOW);
        self.told = true;
        let minutes = KICKS_WINDOW.as_secs() / 60;
        Some(Change::Lost(self.name.clone(), format!("kicked {KICKS_MAX_COUNT} times, back in {minutes} minutes")))
    }
}

/// The pause before try number `tries` (from 0).
fn pause(tries: u32) -> Duration {
    (REJOIN_FIRST * 2u32.saturating_pow(tries.min(16))).min(REJOIN_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Channel, ChannelSettings};

    struct Scene {
        server: Server,
        channels: Channels,
        now: Instant,
    }

    impl Scene {
        fn new(channels: Vec<Channel>) -> Self {
            let server = Server::new("Keeper");
            let now = Instant::now();
            let network = IrcNetwork { channels, ..IrcNetwork::new("net", "irc.example.org", "Keeper") };
            let channels = Channels::new(&network, &server, now);
            Self { server, channels, now }
        }

        fn due(&mut self) -> Vec<String> {
            self.channels.due(self.now).iter().map(|line| line.text().trim_end().to_owned()).collect()
        }

        fn sees(&mut self, line: &str) -> Option<Change> {
            self.channels.observe(&line.parse().unwrap(), &self.server, self.now)
        }

        fn later(&mut self, duration: Duration) {
            self.now += duration;
        }
    }

    fn named(name: &str) -> Channel {
        Channel::Name(name.to_owned())
    }

    #[test]
    fn channels_are_joined_together_and_a_key_stays_with_its_own() {
        let keyed =
            ChannelSettings { name: "#c".to_owned(), key: Some(Secret::new("hush")), prefix: Some(".".to_owned()) };
        let mut scene = Scene::new(vec![named("#b"), named("#A"), Channel::Settings(keyed)]);
        assert_eq!(scene.due(), ["JOIN #c hush", "JOIN #A,#b"]);
        assert!(scene.due().is_empty());
        assert_eq!(scene.channels.prefix("#c"), Some("."));
        assert_eq!(scene.sees(":Keeper!k@h JOIN #a"), Some(Change::Joined("#a".to_owned())));
        assert_eq!(scene.channels.presence("#a"), Presence::Soon, "the server is still telling about it");
        assert_eq!(scene.sees(":s.t 366 Keeper #A :End"), Some(Change::Named("#a".to_owned())));
        scene.channels.settle("#a");
        assert_eq!(scene.channels.presence("#a"), Presence::In);
    }

    #[test]
    fn a_closed_channel_is_tried_again_more_and_more_slowly_and_told_once() {
        for number in [437, 471, 473, 474, 475, 477] {
            let mut scene = Scene::new(vec![named("#a")]);
            let mut told = 0;
            let mut pauses = Vec::new();
            for _ in 0..10 {
                assert_eq!(scene.due(), ["JOIN #a"]);
                told += usize::from(scene.sees(&format!(":s.t {number} Keeper #a :closed")).is_some());
                let next = scene.channels.next_due().unwrap();
                pauses.push((next - scene.now).as_secs());
                assert!(scene.due().is_empty());
                scene.now = next;
            }
            assert_eq!(pauses, [5, 10, 20, 40, 80, 160, 320, 600, 600, 600]);
            assert_eq!(told, 1);
        }
    }

    #[test]
    fn an_invitation_opens_the_door_at_once() {
        let mut scene = Scene::new(vec![named("#a")]);
        scene.due();
        scene.sees(":s.t 473 Keeper #a :invite only");
        scene.sees(":op!o@h INVITE Keeper #a");
        scene.sees(":op!o@h INVITE Keeper #elsewhere");
        assert_eq!(scene.due(), ["JOIN #a"]);
    }

    #[test]
    fn after_a_kick_the_bot_comes_back_but_not_for_ever() {
        let mut scene = Scene::new(vec![named("#a")]);
        scene.due();
        scene.sees(":Keeper!k@h JOIN #a");
        let mut pauses = Vec::new();
        let lost = loop {
            let change = scene.sees(":op!o@h KICK #a Keeper :out");
            assert_eq!(scene.channels.presence("#a"), Presence::Soon);
            if let Some(Change::Lost(_, why)) = change {
                break why;
            }
            let next = scene.channels.next_due().unwrap();
            pauses.push((next - scene.now).as_secs());
            scene.now = next;
            assert_eq!(scene.due(), ["JOIN #a"]);
            scene.sees(":Keeper!k@h JOIN #a");
        };
        assert_eq!(pauses, [5, 10, 20, 40]);
        assert_eq!(lost, "kicked 5 times, back in 60 minutes");
        scene.later(KICKS_WINDOW);
        assert_eq!(scene.due(), ["JOIN #a"]);
    }

    #[test]
    fn somebody_elses_kick_or_part_is_theirs() {
        let mut scene = Scene::new(vec![named("#a")]);
        scene.due();
        scene.sees(":Keeper!k@h JOIN #a");
        scene.channels.settle("#a");
        scene.sees(":op!o@h KICK #a bob :out");
        scene.sees(":bob!o@h PART #a");
        assert_eq!(scene.channels.presence("#a"), Presence::In);
    }

    #[test]
    fn a_name_that_is_none_is_given_up() {
        let mut scene = Scene::new(vec![named("#a")]);
        scene.due();
        assert!(matches!(scene.sees(":s.t 403 Keeper #a :no such channel"), Some(Change::Lost(..))));
        assert!(matches!(scene.channels.presence("#a"), Presence::Never(_)));
        assert_eq!(scene.channels.next_due(), None);
    }

    #[test]
    fn bound_forums_are_joined_and_left_with_the_list() {
        let mut scene = Scene::new(vec![named("#a")]);
        scene.due();
        let forums = ["#A".to_owned(), "#b".to_owned(), "0".to_owned()];
        assert!(scene.channels.want(&forums, &scene.server, scene.now).is_empty());
        assert_eq!(scene.due(), ["JOIN #b"]);
        scene.sees(":Keeper!k@h JOIN #b");
        assert_eq!(scene.channels.want(&[], &scene.server, scene.now), ["#b"]);
        assert_eq!(scene.sees(":Keeper!k@h JOIN #b"), Some(Change::Unwanted("#b".to_owned())));
    }

    #[test]
    fn a_join_that_is_never_answered_is_tried_again() {
        let mut scene = Scene::new(vec![named("#a")]);
        scene.due();
        scene.later(JOIN_TIMEOUT);
        assert!(scene.due().is_empty());
        scene.later(REJOIN_FIRST);
        assert_eq!(scene.due(), ["JOIN #a"]);
    }
}
