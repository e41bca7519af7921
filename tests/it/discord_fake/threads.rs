//! Where in a channel announcements go, and whom they call.

use std::{sync::Arc, time::Duration};

use adapter_discord::{Discord, DiscordSettings};
use kernel::{
    display::{Block, Cell, Document, Offer},
    frame::Manner,
};
use port::Incident;

use super::{CHANNEL, GUILD, OTHER_CHANNEL, SECRET, World, ann, args, bob, moderator};
use crate::fakes::{
    desk::{Ear, Report, TestDesk},
    discord::{Fake, Fault, State, TOKEN},
};

/// A role of the server.
const VOTERS: u64 = 77;

/// The bot on a service that announces what the test wants.
struct Bot {
    fake: Fake,
    desk: Arc<TestDesk>,
    ear: Ear,
    bot: Discord,
}

impl Bot {
    async fn new() -> Self {
        let fake = Fake::start().await;
        fake.guild(GUILD, &[CHANNEL, OTHER_CHANNEL]);
        fake.state().callable.insert(VOTERS);
        let (desk, ear) = TestDesk::echo();
        let bot = start(&fake, &desk);
        fake.registered(GUILD, "help").await;
        Self { fake, desk, ear, bot }
    }

    /// Announces something and waits until it arrived.
    async fn announce(&mut self, channel: u64, document: Document, manner: &Manner) {
        let id = self.desk.announce_so("discord", &channel.to_string(), document, manner);
        self.ear.report_until(&Report::Delivered(id)).await;
    }

    async fn restart(self) -> Self {
        self.bot.stop().await;
        let bot = start(&self.fake, &self.desk);
        Self { bot, ..self }
    }

    async fn end(self) {
        self.bot.stop().await;
        self.fake.check();
    }

    fn thread(&self, name: &str) -> u64 {
        let found = threads(&self.fake.state(), name);
        assert_eq!(found.len(), 1, "threads called {name}: {found:?}");
        found[0]
    }
}

/// Starts the bot on a service that the test plays.
pub(super) fn start(fake: &Fake, desk: &Arc<TestDesk>) -> Discord {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut settings = DiscordSettings::new(TOKEN);
    settings.api_base = Some(fake.base());
    settings.retry_first = Duration::from_millis(20);
    settings.refresh = Duration::from_millis(5);
    Discord::start(settings, desk.clone()).expect("the settings work")
}

/// The threads of a name that are not deleted.
fn threads(state: &State, name: &str) -> Vec<u64> {
    state.threads.iter().filter(|(_, held)| held.name == name && !held.deleted).map(|(id, _)| *id).collect()
}

fn about(number: u32, text: &str) -> Document {
    Document::say(text).about(format!("1/proposal/{number}"), format!("Proposal {number}: More @everyone"))
}

fn threaded() -> Manner {
    Manner { threads: true, mentions: Some(VOTERS.to_string()), ..Manner::default() }
}

fn calls(state: &State, place: u64) -> Vec<bool> {
    state.shown(place, 1).iter().map(|message| message.body["allowed_mentions"]["roles"].is_array()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_topic_has_one_thread_that_outlives_restarts_and_calls_once() {
    let mut bot = Bot::new().await;
    bot.announce(CHANNEL, about(1, "Ann proposes more."), &threaded()).await;
    let thread = bot.thread("Proposal 1: More @everyone");
    bot.announce(CHANNEL, about(1, "Bob votes for it."), &threaded()).await;
    let mut bot = bot.restart().await;
    bot.announce(CHANNEL, about(2, "Cat proposes less."), &threaded()).await;
    bot.announce(CHANNEL, about(1, "It passes."), &threaded()).await;
    bot.announce(CHANNEL, Document::say("A new week."), &threaded()).await;
    {
        let state = bot.fake.state();
        let text = |place| state.texts(place, 1);
        assert_eq!(
            text(CHANNEL),
            ["<@&77> Ann proposes more.", "<@&77> Cat proposes less.", "A new week."],
            "what begins a topic stands in the channel, and calls"
        );
        assert_eq!(text(thread), ["Bob votes for it.", "It passes."]);
        assert_eq!(calls(&state, thread), [false, false]);
        assert_eq!(calls(&state, CHANNEL), [true, true, false]);
    }
    bot.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_no_threads_are_wanted_there_are_none_and_no_role_is_called_unless_set() {
    let mut bot = Bot::new().await;
    bot.announce(CHANNEL, about(1, "Ann proposes more."), &Manner::default()).await;
    let offer = Offer { label: "Object".to_owned(), line: "object 1".to_owned(), at_seq: 1 };
    let mut offering = Document::say("An intent, <@&77> and @everyone.");
    offering.offers.push(offer);
    bot.announce(CHANNEL, offering.clone(), &Manner::default()).await;
    let calling = Manner { mentions: Some(VOTERS.to_string()), ..Manner::default() };
    bot.announce(CHANNEL, offering, &calling).await;
    bot.announce(CHANNEL, Document::say("Nothing to do."), &calling).await;
    let broken = Manner { mentions: Some("everyone".to_owned()), ..Manner::default() };
    bot.announce(CHANNEL, about(2, "Another."), &broken).await;
    {
        let state = bot.fake.state();
        assert!(state.threads.is_empty());
        assert_eq!(calls(&state, CHANNEL), [false, false, true, false, false]);
        let texts = state.texts(CHANNEL, 1);
        assert!(!texts[1].contains("<@&77>") && texts[2].starts_with("<@&77> An intent"), "{texts:?}");
    }
    bot.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thread_that_is_gone_or_shut_holds_up_nothing() {
    let mut bot = Bot::new().await;
    bot.announce(CHANNEL, about(1, "first"), &threaded()).await;
    let thread = bot.thread("Proposal 1: More @everyone");
    bot.fake.state().threads.get_mut(&thread).expect("it is there").deleted = true;
    bot.announce(CHANNEL, about(1, "second"), &threaded()).await;
    let second = bot.thread("Proposal 1: More @everyone");
    bot.fake.state().threads.get_mut(&second).expect("it is there").locked = true;
    bot.announce(CHANNEL, about(1, "third"), &threaded()).await;
    assert_eq!(bot.fake.state().texts(CHANNEL, 1).len(), 3, "each of them began a thread anew");
    assert_eq!(threads(&bot.fake.state(), "Proposal 1: More @everyone").len(), 2);
    bot.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn answers_lost_while_a_thread_is_opened_make_no_second_one() {
    let mut bot = Bot::new().await;
    bot.fake.fault("POST", &format!("/channels/{CHANNEL}/messages"), Fault::LoseAnswer, 1);
    bot.fake.fault("POST", "/threads", Fault::LoseAnswer, 1);
    bot.announce(CHANNEL, about(1, "first"), &threaded()).await;
    bot.announce(CHANNEL, about(1, "second"), &threaded()).await;
    let thread = bot.thread("Proposal 1: More @everyone");
    assert_eq!(bot.fake.state().texts(CHANNEL, 1), ["<@&77> first"]);
    assert_eq!(bot.fake.state().texts(thread, 1), ["second"]);
    bot.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_the_permission_for_threads_moderators_are_told_and_nothing_is_lost() {
    let mut bot = Bot::new().await;
    bot.fake.state().threadless.insert(CHANNEL);
    let id = bot.desk.announce_so("discord", "70", about(1, "first"), &threaded());
    let before = bot.ear.report_until(&Report::Delivered(id)).await;
    let told = |report: &Report| matches!(report, Report::Incident(Incident::ServiceTroubled { .. }));
    assert!(before.iter().any(told), "{before:?}");
    assert_eq!(bot.fake.state().texts(CHANNEL, 1), ["<@&77> first"]);
    bot.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_channel_of_posts_gets_a_post_for_each_topic_and_one_for_the_rest() {
    let mut bot = Bot::new().await;
    bot.fake.posts_only(GUILD, OTHER_CHANNEL);
    bot.fake.fault("POST", &format!("/channels/{OTHER_CHANNEL}/threads"), Fault::LoseAnswer, 1);
    bot.announce(OTHER_CHANNEL, about(1, "Ann proposes more."), &threaded()).await;
    bot.announce(OTHER_CHANNEL, Document::say("A new week."), &threaded()).await;
    let mut bot = bot.restart().await;
    bot.announce(OTHER_CHANNEL, Document::say("Another week."), &threaded()).await;
    bot.announce(OTHER_CHANNEL, about(1, "It passes."), &threaded()).await;
    let (topic, home) = (bot.thread("Proposal 1: More @everyone"), bot.thread("Announcements"));
    {
        let state = bot.fake.state();
        assert_eq!(
            state.texts(topic, 1),
            ["Proposal 1: More @\u{200b}everyone", "<@&77> Ann proposes more.", "It passes."]
        );
        assert_eq!(state.texts(home, 1), ["Announcements", "A new week.", "Another week."]);
    }
    bot.end().await;
}

/// Given a channel where the bot may neither embed nor attach. Then a page with a figure comes as texts, its numbers in
/// them, its button below, and moderators are told what to allow.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_the_permission_to_embed_and_attach_announcements_are_texts() {
    let mut bot = Bot::new().await;
    bot.fake.state().bare.insert(CHANNEL);
    let cells = |numbers: [&str; 2]| numbers.map(Cell::new).to_vec();
    let rows = vec![("alpha".to_owned(), cells(["", "12"])), ("beta".to_owned(), cells(["8", ""]))];
    let grid = Block::Grid { columns: vec!["1".to_owned(), "2".to_owned()], rows };
    let mut matrix = Document::titled("matrix", "Touches").with(grid).para("After challenge 2.");
    matrix.offers = vec![Offer::new("Object", "joust object 1", 3)];
    let id = bot.desk.announce_so("discord", "70", matrix, &Manner::default());
    let before = bot.ear.report_until(&Report::Delivered(id)).await;
    let told = |report: &Report| match report {
        Report::Incident(Incident::ServiceTroubled { why, .. }) => why.contains("Embed Links and Attach Files"),
        _ => false,
    };
    {
        let state = bot.fake.state();
        let messages = state.shown(CHANNEL, 1);
        let [message] = &messages[..] else { panic!("{messages:?}") };
        let text = message.text();
        assert!(text.contains("**Touches**") && text.contains("alpha") && text.contains("12"), "{text}");
        assert!(text.contains("After challenge 2.") && message.files.is_empty(), "{text}");
        assert_eq!(message.buttons().len(), 1, "{:?}", message.buttons());
    }
    let later = match before.iter().any(told) {
        true => Vec::new(),
        false => vec![bot.ear.report().await],
    };
    assert!(before.iter().chain(&later).any(told), "{before:?} {later:?}");
    bot.end().await;
}

/// Given a channel of posts with tags, of which each post needs one. Then a proposal has the one that is called so, and
/// what has none gets the first.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_post_has_the_tag_of_its_topic() {
    let mut bot = Bot::new().await;
    bot.fake.posts_only(GUILD, OTHER_CHANNEL);
    {
        let mut state = bot.fake.state();
        let guild = state.guilds.get_mut(&GUILD).expect("a server");
        guild.tags.insert(OTHER_CHANNEL, vec!["Game", "PROPOSAL", "Notice"]);
        guild.tags_demanded.insert(OTHER_CHANNEL);
    }
    bot.announce(OTHER_CHANNEL, about(1, "Ann proposes more."), &threaded()).await;
    bot.announce(OTHER_CHANNEL, Document::say("A new week."), &threaded()).await;
    let tags = |name: &str| {
        let thread = bot.thread(name);
        bot.fake.state().threads[&thread].tags.clone()
    };
    assert_eq!(tags("Proposal 1: More @everyone"), ["2"]);
    assert_eq!(tags("Announcements"), ["1"]);
    bot.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn moderators_set_where_the_room_posts_and_whom_it_calls() {
    const FORUM: u64 = 72;
    let mut world = {
        let fake = Fake::start().await;
        fake.guild(GUILD, &[CHANNEL, OTHER_CHANNEL, FORUM]);
        fake.posts_only(GUILD, FORUM);
        fake.state().callable.insert(VOTERS);
        let mut world = World::on(fake, |_| {}).await;
        world.connect().await;
        world
    };
    world.started(&moderator()).await;
    let settle = async |given: &[(&str, &str)]| {
        let token = world.fake.slash(&moderator(), CHANNEL, "room settings", &args(given));
        world.fake.answer(&token).await.text()
    };
    for (channel, designation) in [("71", "discussion"), ("72", "public")] {
        let bind = [("channel", channel), ("designation", designation)];
        let token = world.fake.slash(&moderator(), CHANNEL, "forum bind", &args(&bind));
        world.fake.answer(&token).await;
    }
    let done = settle(&[("setting", "posts"), ("value", "yes"), ("channel", "71")]).await;
    assert!(done.contains("follow that now"), "{done}");
    settle(&[("setting", "mentions"), ("value", "<@&77>")]).await;
    let refused = settle(&[("setting", "mentions"), ("value", "@everyone")]).await;
    assert!(refused.contains("mention or its number"), "{refused}");
    let refused = settle(&[("setting", "threads"), ("value", "yes"), ("channel", "99")]).await;
    assert!(refused.contains("your own server"), "{refused}");
    let shown = settle(&[]).await;
    assert!(shown.contains("role 77") && shown.contains("<#72>"), "{shown}");

    let intend = [("what", "set"), ("subject", "length"), ("text", "161")];
    world.fake.slash(&moderator(), CHANNEL, "joust intend", &args(&intend));
    let called = world.fake.sees(&bob(), CHANNEL, "<@&77>\nNotice 1").await;
    assert!(!called.buttons().is_empty(), "{called:?}");
    let talk = world.fake.sees(&bob(), OTHER_CHANNEL, "161").await;
    assert!(!talk.text().contains("<@&77>"), "{}", talk.text());
    let home = world.fake.until("a post", |state| threads(state, "main").first().copied()).await;
    world.fake.sees(&bob(), home, "161").await;

    // What is done in a post of a public forum, or in a thread of a channel, is done in that forum.
    world.restart().await;
    let token = world.fake.slash(&ann(), home, "joust submit", &args(&[("name", "alpha"), ("code", SECRET)]));
    world.fake.answer(&token).await;
    let token = world.fake.slash(&ann(), home, "joust reveal", &args(&[("name", "alpha")]));
    world.fake.answer(&token).await;
    // A channel for talk hears announcements now, and carries no action all the same.
    let token = world.fake.slash(&bob(), OTHER_CHANNEL, "join", &args(&[("name", "Bob")]));
    let refused = world.fake.answer(&token).await;
    assert!(refused.only == Some(bob().id), "{}", refused.text());
    assert_eq!(threads(&world.fake.state(), "main"), [home]);
    world.end().await;
}
