//! What Discord takes for the same message. Announcements of a database that was restored or begun anew are none of
//! those that it knows. An answer about another message counts for nothing.

use std::{path::Path, time::Duration};

use rulekeeper::service::settings::Settings;
use store::{Options, Store};

use super::{CHANNEL, GUILD, World, args, bob, moderator};
use crate::fakes::discord::{Fake, Fault, Message, State};

async fn open(path: &Path) -> Store {
    Store::open(path.to_str().expect("a path"), Options::default()).await.expect("it opens")
}

/// A Discord with one server, and the bot on a store.
async fn on(fake: &Fake, store: Store) -> World {
    // The commands of a former bot would be taken for its own, and go when it registers those.
    if let Some(guild) = fake.state().guilds.get_mut(&GUILD) {
        guild.commands = None;
    }
    let mut world = World::of(fake.clone(), store, Settings::default(), |_| {}).await;
    world.connect().await;
    world
}

/// Opens and starts a joust, whatever stands in the channel already.
async fn begin(world: &World) {
    let token = world.fake.slash(&moderator(), CHANNEL, "room open", &args(&[("game", "joust"), ("name", "main")]));
    world.fake.answer(&token).await;
    world.fake.registered(GUILD, "joust").await;
    let token = world.fake.slash(&moderator(), CHANNEL, "joust start", &[]);
    world.fake.answer(&token).await;
    world.quiet().await;
    all_delivered(world).await;
}

async fn all_delivered(world: &World) {
    while world.store.pending().await.expect("the store answers") > 0 {
        tokio::task::yield_now().await;
    }
}

/// Has something announced.
async fn announce(world: &World, text: &str) {
    let token = world.fake.slash(&moderator(), CHANNEL, "joust adjudicate", &args(&[("text", text)]));
    world.fake.answer(&token).await;
}

fn announced<'s>(state: &'s State, text: &str) -> Vec<&'s Message> {
    let numbered = |message: &&Message| message.body["nonce"].is_string() && message.text().contains(text);
    state.shown(CHANNEL, bob().id).into_iter().filter(numbered).collect()
}

/// Waits until something was announced, and gives the nonce of its one message.
async fn once(world: &World, text: &str) -> String {
    world.fake.until(text, |state| (!announced(state, text).is_empty()).then_some(())).await;
    all_delivered(world).await;
    let state = world.fake.state();
    let found = announced(&state, text);
    assert_eq!(found.len(), 1, "“{text}”");
    found[0].body["nonce"].as_str().expect("a nonce").to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_restored_database_announces_is_not_taken_for_what_its_original_did() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let fake = Fake::start().await;
    fake.guild(GUILD, &[CHANNEL]);
    let mut world = on(&fake, open(&path("first.db")).await).await;
    begin(&world).await;
    world.store.backup(&path("backup.db")).await.expect("a backup");
    announce(&world, "Before the disk broke.").await;
    let lost = once(&world, "Before the disk broke.").await;
    world.stop().await;
    world.scheduler.abort();

    Store::restore(&path("backup.db"), &path("second.db")).await.expect("it is restored");
    let world = on(&fake, open(&path("second.db")).await).await;
    fake.registered(GUILD, "joust").await;
    announce(&world, "After it was mended.").await;
    let nonce = once(&world, "After it was mended.").await;
    assert_ne!(nonce, lost);
    assert!(nonce.len() <= 25 && !nonce.ends_with('x'), "{nonce}");
    world.end().await;
}

/// A file that was copied by hand is still the same database: there Discord's answer tells.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_message_that_is_older_than_its_announcement_is_not_taken_for_it() {
    let fake = Fake::start().await;
    fake.guild(GUILD, &[CHANNEL]);
    let twin = async || {
        let store = Store::in_memory().await.expect("a store");
        store.identify([9; 16]).await.expect("it has an identity");
        store
    };
    let mut world = on(&fake, twin().await).await;
    begin(&world).await;
    announce(&world, "The first one says this.").await;
    let nonce = once(&world, "The first one says this.").await;
    world.stop().await;
    world.scheduler.abort();

    fake.pass(Duration::from_secs(120));
    let world = on(&fake, twin().await).await;
    begin(&world).await;
    announce(&world, "The second one says that.").await;
    assert_eq!(once(&world, "The second one says that.").await, format!("{nonce}x"));
    world.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_that_is_about_no_message_of_ours_counts_for_nothing() {
    let fake = Fake::start().await;
    fake.guild(GUILD, &[CHANNEL]);
    let world = on(&fake, Store::in_memory().await.expect("a store")).await;
    begin(&world).await;
    let path = format!("/channels/{CHANNEL}/messages");
    world.fake.fault("POST", &path, Fault::Another, 1);
    announce(&world, "Mistaken for another.").await;
    assert!(once(&world, "Mistaken for another.").await.ends_with('x'));
    // What says nothing of a message, such as the page of a proxy, is tried again later, as the same.
    world.fake.fault("POST", &path, Fault::Status(200, 0), 1);
    announce(&world, "Swallowed by a proxy.").await;
    loop {
        let now = world.clock.now().as_microsecond();
        let ready = world.store.next_ready("discord").await.expect("the store answers");
        if ready.is_some_and(|at| (now + 1..now + 60_000_000).contains(&at)) {
            break;
        }
        tokio::task::yield_now().await;
    }
    world.pass(jiff::SignedDuration::from_mins(1));
    assert!(!once(&world, "Swallowed by a proxy.").await.ends_with('x'));
    world.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_that_came_too_slowly_or_too_early_are_sent_again() {
    let fake = Fake::start().await;
    fake.guild(GUILD, &[CHANNEL]);
    let world = on(&fake, Store::in_memory().await.expect("a store")).await;
    begin(&world).await;
    let path = format!("/channels/{CHANNEL}/messages");
    for status in [408, 425] {
        world.fake.fault("POST", &path, Fault::Status(status, 0), 1);
        world.fake.fault("POST", "/callback", Fault::Status(status, 0), 1);
    }
    announce(&world, "Said in the end.").await;
    once(&world, "Said in the end.").await;
    assert_eq!(world.store.undeliverable().await.expect("the store answers"), []);
    world.end().await;
}
