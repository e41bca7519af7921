//! The service through the door that adapters use, on a store in memory. The test moves its clock, and its chance is
//! the same in every run.
//!
//! Each test types what people type and reads what they read. What a game makes of it is tested with the game; here it
//! is what every room has.

mod blognomic;
mod clock_watch;
mod forgetting;
mod inbox;
mod lists;
mod names;
mod offers;
mod outbox;
mod people;
mod record;
mod reminders;
mod rooms;
mod rulebooks;
mod seats;
mod secrets;
mod standing;
mod time;

use catalogue::hint::{self, Form};
use jiff::SignedDuration;
use kernel::{Instant, display::plain};
use port::clock::Clock;
use port::entropy::Entropy;
use port::{Account, Attachment, Destination, ForumAddress, Line, Place, Reply, ReplyKind, Sent, Speaker};
use rulekeeper::service::Hub;
use rulekeeper::service::settings::Settings;
use store::Store;

/// The network that everybody is on.
const NETWORK: &str = "net";

/// The account that the operator's list names.
const OPERATOR: &str = "op";

/// A Wednesday, in the middle of a week of the joust.
const START: &str = "2026-11-18T12:00:00Z";

fn instant(text: &str) -> Instant {
    text.parse().expect("an instant")
}

/// The bot, and everybody who talks to it.
struct Bot {
    hub: Hub,
    store: Store,
    clock: Clock,
    entropy: Entropy,
    /// How far the clock may jump ahead; nobody watches it without.
    jump: Option<SignedDuration>,
    said: u32,
}

impl Bot {
    async fn new() -> Self {
        let store = Store::in_memory().await.expect("a store in memory");
        let (clock, entropy) = (Clock::manual(instant(START)), Entropy::fixed());
        let hub = Self::open(&store, &clock, &entropy, None).await;
        Self { hub, store, clock, entropy, jump: None, said: 0 }
    }

    async fn open(store: &Store, clock: &Clock, entropy: &Entropy, clock_jump: Option<SignedDuration>) -> Hub {
        let settings = Settings { moderators: vec![account(OPERATOR)], clock_jump, ..Settings::default() };
        Hub::open(store.clone(), clock.clone(), entropy.clone(), settings).await.expect("the rooms open")
    }

    /// A bot with a joust in `#nomic`, in which the operator is contestmaster, Ann and Bob are members.
    async fn with_joust() -> Self {
        let mut bot = Self::new().await;
        bot.say("op #nomic", "room open joust main").await;
        bot.say("op #nomic", "joust start").await;
        bot.say("Ann #nomic", "join").await;
        bot.say("Bob #nomic", "join").await;
        bot.told().await;
        bot
    }

    /// The process ends, and another starts on what it left.
    async fn restart(&mut self) {
        self.hub.stop();
        self.hub = Self::open(&self.store, &self.clock, &self.entropy, self.jump).await;
    }

    /// Says a line; `who` is a name, with a channel behind it if it is said there.
    async fn say(&mut self, who: &str, text: &str) -> String {
        let line = self.line(who, text);
        self.hear(line).await
    }

    /// The same with files.
    async fn say_with(&mut self, who: &str, text: &str, files: Vec<Attachment>) -> String {
        let line = Line { attachments: files, ..self.line(who, text) };
        self.hear(line).await
    }

    fn line(&mut self, who: &str, text: &str) -> Line {
        self.said += 1;
        let (nick, channel) = who.split_once(' ').map_or((who, None), |(nick, channel)| (nick, Some(channel)));
        Line {
            origin: format!("line-{}", self.said),
            from: Speaker {
                account: Some(account(nick)),
                sign_in: None,
                nick: nick.to_owned(),
                operator: false,
                moderates: Vec::new(),
            },
            place: channel.map_or(Place::Private, |channel| Place::Forum(forum(channel))),
            text: text.to_owned(),
            attachments: Vec::new(),
            sent: Sent::Typed,
        }
    }

    /// The answers, each with its text; what only the speaker may see is marked.
    async fn hear(&self, line: Line) -> String {
        let replies = self.hub.hear(line).await;
        let mut shown: Vec<String> = Vec::new();
        for reply in replies {
            assert_ne!(reply.kind, ReplyKind::Fault, "{}", plain(&reply.document));
            shown.push(said(&reply));
        }
        shown.join("\n")
    }

    /// Moves the clock, and does all that is due by then.
    async fn wait(&self, until: &str) {
        self.clock.advance_to(instant(until));
        self.hub.settle().await.expect("what is due is done");
    }

    /// Everything that was announced since the last time, as `#nomic: text` and `(to ann) text`.
    async fn told(&self) -> Vec<String> {
        self.hub.settle().await.expect("what is due is done");
        let mut out = Vec::new();
        while let Some(delivery) = self.hub.delivery_now(NETWORK).await.expect("the outbox can be read") {
            self.hub.delivered(delivery.id).await;
            let to = match &delivery.to {
                Destination::Forum(forum) => format!("{}:", forum.channel),
                Destination::Person(account) => format!("(to {})", account.id),
            };
            out.push(format!("{to} {}", plain(&hint::written(&delivery.document, Form::Line))));
        }
        out
    }

    /// The number of the last entry of a room.
    fn seq(&self, room: &str) -> u64 {
        let rooms = self.hub.rooms();
        rooms.iter().find(|handle| handle.name == room).map(|handle| handle.view().seq()).expect("the room is open")
    }
}

fn account(name: &str) -> Account {
    Account { service: NETWORK.to_owned(), id: name.to_lowercase() }
}

fn forum(channel: &str) -> ForumAddress {
    ForumAddress { service: NETWORK.to_owned(), channel: channel.to_owned() }
}

fn said(reply: &Reply) -> String {
    let text = plain(&hint::written(&reply.document, Form::Line));
    if reply.private { format!("(privately) {text}") } else { text }
}

/// Holds that a text has all the parts, in order.
#[track_caller]
fn reads(text: &str, parts: &[&str]) {
    let mut rest = text;
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => panic!("no {part:?} (in this order) in:\n{text}"),
        }
    }
}
