//! How much is said in a channel, and to people alone, when the same story is told: an nweek of B Nomic, and a day of
//! BlogNomic, on Discord, on IRC and in the console.
//!
//! `docs/messages.md` has the counts, with those of before. `UPDATE_DOCS=1` writes them anew.

use std::time::Duration;

use adapter_irc::{Irc, IrcNetwork};
use kernel::display::lines;
use port::{Destination, clock::Clock, entropy::Entropy};
use rulekeeper::service::{Hub, settings::Settings};
use store::Store;

use crate::{
    fakes::{
        discord::{Arg, Fake, Person},
        irc::{ACCOUNT_CAPS, Scene, network},
    },
    house::{House, SERVICE, at},
};

/// Where the counts stand, and what they were before.
const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/messages.md");

/// The beginning of every story.
const START: &str = "2026-11-02T10:00:00Z";

/// Who moderates.
const MODERATOR: &str = "Ann";

/// A step of a story.
enum Step {
    /// Somebody says a line.
    Say(&'static str, &'static str),
    /// Time passes until then.
    At(&'static str),
}

use Step::{At, Say};

/// An nweek of B Nomic from its opening to its end.
const NWEEK: &[Step] = &[
    Say("Ann", "room open bnomic main founders:\"Bob, Cat, Dan\""),
    Say("Bob", "join Bob"),
    Say("Cat", "join Cat"),
    Say("Dan", "join Dan"),
    Say("Ann", "ministry take Ministry"),
    Say("Bob", "ministry take Change"),
    Say("Cat", "ministry take Law"),
    Say("Cat", "ministry take Time"),
    Say("Dan", "ministry take Society"),
    Say("Dan", "ministry take Foreign Relations"),
    Say("Dan", "ministry take Goods"),
    Say("Dan", "ministry take Play"),
    Say("Dan", "ministry take Questions"),
    Say("Dan", "ministry take Laundry"),
    Say("Dan", "ministry take Fauna"),
    Say("Dan", "ministry take Judging"),
    Say("Dan", "ministry take Business"),
    Say("Ann", "propose \"One\" => award 1 point to Bob"),
    Say("Bob", "propose \"Two\" Something."),
    Say("Cat", "propose \"Three\" => set last-nday to 13"),
    Say("Ann", "clock on"),
    At("2026-11-10T00:00:00Z"),
    Say("Ann", "vote 1-3 FOR"),
    Say("Bob", "vote 1-3 FOR"),
    Say("Cat", "vote 1-3 FOR"),
    Say("Dan", "vote 1-2 AGAINST"),
    Say("Bob", "clock on"),
    At("2026-11-14T00:00:00Z"),
];

/// A day of BlogNomic: three come, one proposes, all vote.
const DAY: &[Step] = &[
    Say("Ann", "room open blognomic main"),
    Say("Bob", "robot apply Bob https://example.org/"),
    Say("Cat", "robot apply Cat https://example.org/"),
    Say("Dan", "robot apply Dan https://example.org/"),
    Say("Ann", "admin set-up Bob"),
    Say("Ann", "admin set-up Cat"),
    Say("Ann", "admin set-up Dan"),
    Say("Bob", "propose \"Longer\" => set timeout-hours to 72"),
    Say("Cat", "vote 1 FOR"),
    Say("Dan", "vote 1 AGAINST"),
    Say("Ann", "vote 1 FOR"),
    Say("Ann", "admin enact"),
    Say("Cat", "mcp PRODUCT"),
    Say("Dan", "gndt set Bob power 77 because it is owed"),
];

/// How long living messages stay as they are once nothing is edited any more.
const REST: Duration = Duration::from_millis(500);

/// What was said: messages and lines in the channel, and lines to people alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Count {
    messages: usize,
    lines: usize,
    private: usize,
}

impl Count {
    fn shown(self) -> String {
        format!("{} | {} | {}", self.messages, self.lines, self.private)
    }
}

async fn hub(moderators: &[(&str, String)]) -> (Hub, Clock) {
    let account = |(service, id): &(&str, String)| port::Account { service: (*service).to_owned(), id: id.clone() };
    let settings = Settings { moderators: moderators.iter().map(account).collect(), ..Settings::default() };
    let clock = Clock::manual(at(START));
    let store = Store::in_memory().await.expect("a store");
    (Hub::open(store, clock.clone(), Entropy::fixed(), settings).await.expect("the service opens"), clock)
}

/// Lets what is due happen, and waits until a service has everything that was announced.
async fn settled(hub: &Hub, service: &str) {
    hub.settle().await.expect("what is due happens");
    loop {
        let queues = hub.store().queues().await.expect("the outbox can be read");
        if queues.iter().all(|queue| queue.to.service() != service) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}

/// On IRC, each line is a message.
async fn on_irc(story: &[Step]) -> Count {
    let (hub, clock) = hub(&[("irc:net", MODERATOR.to_lowercase())]).await;
    let network = IrcNetwork { moderators: Vec::new(), ..network() };
    let (scene, mut server) = Scene::joined(network, ACCOUNT_CAPS, std::sync::Arc::new(hub.clone())).await;
    let (mut count, mut said) = (Count::default(), 0);
    for step in story {
        match step {
            Say(who, text) => {
                said += 1;
                let account = who.to_lowercase();
                server.send(&format!("@account={account};msgid=m{said} :{who}!u@h PRIVMSG #n :!{text}")).await;
            }
            At(instant) => clock.advance_to(at(instant)),
        }
        // Its lines, until nothing waits and nothing comes for a while.
        let settling = tokio::spawn({
            let hub = hub.clone();
            async move { settled(&hub, "irc:net").await }
        });
        loop {
            match tokio::time::timeout(Duration::from_millis(150), server.line()).await {
                Ok(line) if line.contains("PRIVMSG #n :") => count.lines += 1,
                Ok(line) if line.contains("NOTICE ") => count.private += 1,
                Ok(_) => {}
                Err(_) if settling.is_finished() => break,
                Err(_) => {}
            }
        }
    }
    Irc::stop(scene.irc).await;
    Count { messages: count.lines, ..count }
}

/// On Discord, everybody uses the command for lines.
async fn on_discord(story: &[Step]) -> Count {
    const CHANNEL: u64 = 70;
    let people = [("Ann", 501), ("Bob", 502), ("Cat", 503), ("Dan", 504)].map(|(name, id)| Person::new(id, name));
    let fake = Fake::start().await;
    fake.guild(7, &[CHANNEL]);
    let _ = rustls::crypto::ring::default_provider().install_default();
    let (hub, clock) = hub(&[("discord", "501".to_owned())]).await;
    hub.store().identify([77; 16]).await.expect("the store takes it");
    let mut settings = adapter_discord::DiscordSettings::new(crate::fakes::discord::TOKEN);
    settings.api_base = Some(fake.base());
    settings.refresh = REST / 20;
    let bot = adapter_discord::Discord::start(settings, std::sync::Arc::new(hub.clone())).expect("the settings work");
    fake.registered(7, "help").await;
    for step in story {
        match step {
            Say(who, text) => {
                let person = people.iter().find(|person| person.name == *who).expect("somebody of the story");
                let token = fake.slash(person, CHANNEL, "type", &[("lines", Arg::Text(text))]);
                fake.answer(&token).await;
            }
            At(instant) => clock.advance_to(at(instant)),
        }
        settled(&hub, "discord").await;
    }
    // Living messages are edited a while after what they tell of: until that comes to rest.
    let said = || fake.state().messages.iter().map(|message| message.says()).collect::<Vec<_>>();
    let mut before = Vec::new();
    while said() != before {
        before = said();
        tokio::time::sleep(REST).await;
    }
    bot.stop().await;
    let mut count = Count::default();
    for message in fake.state().messages.iter().filter(|message| message.channel == CHANNEL && !message.deleted) {
        let lines = message.says().lines().filter(|line| !line.trim().is_empty()).count();
        match message.only {
            None => {
                count.messages += 1;
                count.lines += lines;
            }
            Some(_) => count.private += lines,
        }
    }
    count
}

/// In the console one person reads all of it: each answer and each announcement is a message.
async fn on_console(story: &[Step]) -> Count {
    let (hub, clock) = hub(&[(SERVICE, MODERATOR.to_lowercase())]).await;
    let mut house = House::of(hub, clock);
    let mut count = Count::default();
    for step in story {
        match step {
            Say(who, text) => {
                for reply in house.say(who, text).await {
                    assert!(reply.went_well(), "{who}: {text}: {reply:?}");
                    count.messages += 1;
                    count.lines += lines(&reply.document).len();
                }
            }
            At(instant) => house.to(instant).await,
        }
        while let Some(delivery) = house.hub.delivery_now(SERVICE).await.expect("the outbox can be read") {
            house.hub.delivered(delivery.id).await;
            match delivery.to {
                Destination::Forum(_) => {
                    count.messages += 1;
                    count.lines += lines(&delivery.document).len();
                }
                Destination::Person(_) => count.private += lines(&delivery.document).len(),
            }
        }
    }
    count
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_same_story_takes_as_few_messages_and_lines_as_the_page_says() {
    let mut rows = String::new();
    for (name, story) in [("an nweek of B Nomic", NWEEK), ("a day of BlogNomic", DAY)] {
        let counts =
            [("Discord", on_discord(story).await), ("IRC", on_irc(story).await), ("console", on_console(story).await)];
        for (place, count) in counts {
            rows.push_str(&format!("| {name} | {place} | {} |\n", count.shown()));
        }
    }
    let page = std::fs::read_to_string(PAGE).unwrap_or_default();
    let (head, rest) = page.split_once("<!-- counted -->\n").expect("the page has a place for it");
    let (_, tail) = rest.split_once("\n<!-- end -->").expect("the page has an end for it");
    let table =
        "| story | where | messages in the channel | their lines | lines to people alone |\n|---|---|---|---|---|\n";
    let wanted = format!("{head}<!-- counted -->\n{table}{rows}\n<!-- end -->{tail}");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(PAGE, &wanted).expect("the page can be written");
    } else {
        assert!(page == wanted, "docs/messages.md is not what is counted:\n{rows}");
    }
}
