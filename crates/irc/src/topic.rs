//! Topics of channels: how their rooms stand, behind whatever people have written there.
//!
//! What people wrote ends where a mark begins, and is left as it is. A topic is set when it would read otherwise, at most
//! once in [`TOPIC_EVERY`] in each channel. Where the bot may not set it, it tries again after [`REFUSED_PAUSE`].

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use irc_proto::{Command, Message};
use port::Standing;
use tokio::time::Instant;

use super::gate::{self, WireLine};
use super::message::numeric;
use super::server::Server;

/// What stands before the bot's part.
const MARK: &str = "‖ ";

/// The pause between two changes of one topic.
pub(super) const TOPIC_EVERY: Duration = Duration::from_secs(60);

/// The pause after the server has refused one.
pub(super) const REFUSED_PAUSE: Duration = Duration::from_secs(1800);

/// What stands between rooms that share a channel.
const SEPARATOR: &str = " | ";

/// The topics of a connection.
#[derive(Debug, Default)]
pub(super) struct Topics {
    /// As the server has told them, by folded name.
    seen: HashMap<String, String>,
    /// The bot's part of each, by folded name, with the channel's name.
    wanted: BTreeMap<String, (String, String)>,
    /// When each may be set next.
    next: HashMap<String, Instant>,
}

impl Topics {
    /// Takes how rooms stand now.
    pub(super) fn want(&mut self, standings: &[Standing], server: &Server) {
        self.wanted.clear();
        for Standing { channel, line, .. } in standings {
            let (_, part) =
                self.wanted.entry(server.mapping.fold(channel)).or_insert_with(|| (channel.clone(), String::new()));
            if !part.is_empty() {
                part.push_str(SEPARATOR);
            }
            part.push_str(&gate::clean(line));
        }
    }

    /// Learns from a message.
    pub(super) fn observe(&mut self, message: &Message, server: &Server, now: Instant) {
        match (numeric(&message.command), &message.command) {
            (Some((332, params)), _) => {
                if let [_, channel, topic] = params[..] {
                    self.seen.insert(server.mapping.fold(channel), topic.to_owned());
                }
            }
            // Nobody may set it but operators, or it is no channel of the bot's any more.
            (Some((442 | 482, params)), _) => {
                if let [_, channel, ..] = params[..]
                    && let Some(next) = self.next.get_mut(&server.mapping.fold(channel))
                {
                    *next = now + REFUSED_PAUSE;
                }
            }
            (_, Command::TOPIC(channel, topic)) => {
                self.seen.insert(server.mapping.fold(channel), topic.clone().unwrap_or_default());
            }
            // On coming back the server tells it anew, unless there is none.
            (_, Command::JOIN(channel, ..))
                if super::message::source(message).is_some_and(|from| server.is_me(&from.nick)) =>
            {
                self.seen.remove(&server.mapping.fold(channel));
            }
            _ => {}
        }
    }

    /// The topics to set now, of channels (folded) that the bot is in.
    pub(super) fn due(&mut self, server: &Server, now: Instant, is_in: impl Fn(&str) -> bool) -> Vec<WireLine> {
        let mut lines = Vec::new();
        for (key, (channel, part)) in self.wanted.iter().filter(|(key, _)| is_in(key)) {
            let seen = self.seen.get(key).map_or("", String::as_str);
            let topic = beside(seen, part, server.topic_max_bytes);
            if topic == seen || self.next.get(key).is_some_and(|next| now < *next) {
                continue;
            }
            self.next.insert(key.clone(), now + TOPIC_EVERY);
            lines.extend(gate::command("TOPIC", &[channel, &topic]));
        }
        lines
    }

    /// When to ask [`Self::due`] again.
    pub(super) fn next_due(&self, now: Instant) -> Option<Instant> {
        self.next.iter().filter(|(key, at)| **at > now && self.wanted.contains_key(*key)).map(|(_, at)| *at).min()
    }
}

/// A topic with the bot's part behind what people wrote; what does not fit of that part is cut.
fn beside(seen: &str, part: &str, max_bytes: usize) -> String {
    let people = seen.split(MARK).next().unwrap_or_default().trim_end();
    let mut topic = if people.is_empty() { MARK.to_owned() } else { format!("{people} {MARK}") };
    if topic.len() >= max_bytes {
        return seen.to_owned();
    }
    topic.push_str(part);
    let mut end = topic.len().min(max_bytes);
    while !topic.is_char_boundary(end) {
        end -= 1;
    }
    topic.truncate(topic[..end].trim_end().len());
    topic
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Scene {
        server: Server,
        topics: Topics,
        now: Instant,
    }

    impl Scene {
        fn new() -> Self {
            Self { server: Server::new("Keeper"), topics: Topics::default(), now: Instant::now() }
        }

        fn sees(&mut self, line: &str) {
            self.topics.observe(&line.parse().unwrap(), &self.server, self.now);
        }

        fn stands(&mut self, line: &str) {
            let standing =
                Standing { channel: "#A".to_owned(), room: "main".to_owned(), line: line.to_owned(), roles: None };
            self.topics.want(&[standing], &self.server);
        }

        fn due(&mut self) -> Vec<String> {
            let lines = self.topics.due(&self.server, self.now, |key| key == "#a");
            lines.iter().map(|line| line.text().trim_end().to_owned()).collect()
        }
    }

    #[test]
    fn the_bots_part_stands_behind_what_people_wrote() {
        let mut scene = Scene::new();
        scene.sees(":s 332 Keeper #a :Be kind");
        scene.stands("one");
        assert_eq!(scene.due(), ["TOPIC #A :Be kind ‖ one"]);
        scene.sees(":Keeper!k@h TOPIC #a :Be kind ‖ one");
        assert_eq!(scene.due(), Vec::<String>::new());
        scene.sees(":ann!a@h TOPIC #a :Be kinder ‖ one");
        scene.stands("two");
        assert_eq!(scene.due(), Vec::<String>::new(), "not so soon");
        scene.now = scene.topics.next_due(scene.now).unwrap();
        assert_eq!(scene.due(), ["TOPIC #A :Be kinder ‖ two"]);
        scene.sees(":Keeper!k@h TOPIC #a :Be kinder ‖ two");
        scene.sees(":ann!a@h TOPIC #a :");
        scene.now += TOPIC_EVERY;
        assert_eq!(scene.due(), ["TOPIC #A :‖ two"]);
    }

    #[test]
    fn a_topic_that_may_not_be_set_is_left_alone_for_long() {
        let mut scene = Scene::new();
        scene.stands("one");
        assert_eq!(scene.due(), ["TOPIC #A :‖ one"]);
        scene.sees(":s 482 Keeper #a :You're not channel operator");
        scene.now += TOPIC_EVERY;
        assert_eq!(scene.due(), Vec::<String>::new());
        scene.now += REFUSED_PAUSE;
        assert_eq!(scene.due(), ["TOPIC #A :‖ one"]);
    }

    #[test]
    fn what_does_not_fit_is_cut_between_characters() {
        assert_eq!(beside("x", "ééé", "x ‖ é".len() + 1), "x ‖ é");
        assert_eq!(beside("long enough", "one", 5), "long enough");
    }
}
