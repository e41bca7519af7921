//! Announcements: all of them, in order, once.

use port::Account;
use rulekeeper::service::settings::Settings;

use super::{CHANNEL, GUILD, OTHER_CHANNEL, SECRET, World, ann, args, bob, moderator};
use crate::fakes::discord::{Fake, Fault, Person};

/// Binds the other channel too, so that announcements that are no answers come to it.
async fn two_channels(world: &World) {
    world.started(&moderator()).await;
    let bind = [("channel", "71"), ("designation", "public")];
    world.fake.slash(&moderator(), CHANNEL, "forum bind", &args(&bind));
    world.fake.sees(&bob(), CHANNEL, "forum bind").await;
}

/// Waits until no announcement waits.
async fn all_delivered(world: &World) {
    while world.store.pending().await.expect("the store answers") > 0 {
        tokio::task::yield_now().await;
    }
}

/// Waits until all that waits waits for another try: not for the end of a lease, which is farther away.
async fn put_off(world: &World) {
    loop {
        let now = world.clock.now().as_microsecond();
        let ready = world.store.next_ready("discord").await.expect("the store answers");
        if ready.is_some_and(|at| (now + 1..now + 60_000_000).contains(&at)) {
            return;
        }
        tokio::task::yield_now().await;
    }
}

async fn submit(world: &World, name: &str, by: &Person) {
    let token = world.fake.slash(by, CHANNEL, "joust submit", &args(&[("name", name), ("code", SECRET)]));
    world.fake.answer(&token).await;
    world.quiet().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn announcements_come_in_order_and_once_through_faults() {
    let world = World::new().await;
    two_channels(&world).await;
    let path = format!("/channels/{OTHER_CHANNEL}/messages");
    world.fake.fault("POST", &path, Fault::Status(502, 0), 1);
    world.fake.fault("POST", &path, Fault::LoseAnswer, 1);
    world.fake.fault("POST", &path, Fault::Limit(0.02), 1);
    submit(&world, "alpha", &ann()).await;
    world.fake.sees(&bob(), OTHER_CHANNEL, "alpha").await;
    all_delivered(&world).await;
    world.fake.fault("POST", &path, Fault::LoseRequest, 1);
    submit(&world, "beta", &bob()).await;
    world.fake.sees(&bob(), OTHER_CHANNEL, "beta").await;
    let same = |state: &crate::fakes::discord::State| {
        // What no button or slash command answered is the same in both channels.
        let of = |channel: u64| {
            let shown = state.shown(channel, 1);
            shown.iter().filter(|message| message.body["nonce"].is_string()).map(|m| m.text()).collect::<Vec<_>>()
        };
        let (here, there) = (of(CHANNEL), of(OTHER_CHANNEL));
        // The channel that was bound first was told more.
        (!there.is_empty() && here.ends_with(&there)).then_some(there)
    };
    let there = world.fake.until("the same announcements in both channels", same).await;
    assert!(there.iter().any(|text| text.contains("alpha")), "{there:#?}");
    let mut nonces: Vec<String> = world
        .fake
        .state()
        .shown(OTHER_CHANNEL, 1)
        .iter()
        .map(|message| message.body["nonce"].as_str().expect("announcements carry a number").to_owned())
        .collect();
    let count = nonces.len();
    nonces.dedup();
    assert_eq!(nonces.len(), count);
    world.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_deleted_channel_holds_up_nobody() {
    let world = World::new().await;
    two_channels(&world).await;
    world.fake.delete_channel(GUILD, OTHER_CHANNEL);
    submit(&world, "alpha", &ann()).await;
    world.fake.sees(&bob(), CHANNEL, "alpha").await;
    let mut gone = Vec::new();
    while gone.is_empty() {
        gone = world.store.undeliverable().await.expect("the store answers");
        tokio::task::yield_now().await;
    }
    assert!(gone[0].reason.contains("10003"), "{}", gone[0].reason);
    // Whoever moderates by a right on Discord is in no list, and reads of it in a channel that is still there.
    world.fake.sees(&bob(), CHANNEL, "For the moderators: A public forum is lost").await;
    world.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_channel_that_is_closed_to_the_bot_gets_its_announcements_when_it_opens() {
    let world = World::new().await;
    two_channels(&world).await;
    world.fake.state().closed.insert(OTHER_CHANNEL);
    submit(&world, "alpha", &ann()).await;
    let path = format!("/api/v10/channels/{OTHER_CHANNEL}/messages");
    world.fake.until("a refused try", |state| state.requests.iter().any(|(_, held)| *held == path).then_some(())).await;
    assert!(world.fake.state().texts(OTHER_CHANNEL, 1).iter().all(|text| !text.contains("alpha")));
    put_off(&world).await;
    world.fake.state().closed.remove(&OTHER_CHANNEL);
    world.pass(jiff::SignedDuration::from_mins(1));
    world.fake.sees(&bob(), OTHER_CHANNEL, "alpha").await;
    world.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_takes_no_private_messages_holds_up_nobody() {
    let world = World::new().await;
    world.started(&moderator()).await;
    let private = world.fake.private_channel(ann().id);
    world.fake.state().closed.insert(private);
    submit(&world, "alpha", &ann()).await;
    submit(&world, "beta", &bob()).await;
    world.fake.sees(&bob(), CHANNEL, "beta").await;
    world.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_announcement_leads_to_its_page() {
    let fake = Fake::start().await;
    fake.guild(GUILD, &[CHANNEL]);
    let service = Settings { public_url: Some("https://nomic.example".to_owned()), ..Settings::default() };
    let mut world = World::with(fake, service, |_| {}).await;
    world.connect().await;
    world.started(&moderator()).await;
    let begun = world.fake.sees(&bob(), CHANNEL, "On the Hill").await;
    let url = begun.body["embeds"][0]["url"].as_str().unwrap_or_default().to_owned();
    let entry = url.strip_prefix("https://nomic.example/room/main/entry/").unwrap_or_else(|| panic!("{begun:?}"));
    assert!(entry.parse::<u64>().is_ok_and(|entry| entry > 1), "{url}");
    world.fake.slash(&moderator(), CHANNEL, "pause", &[]);
    let paused = world.fake.sees(&bob(), CHANNEL, "happen.\n[page]").await;
    assert!(paused.text().contains("[page](<https://nomic.example/room/main/entry/"), "{}", paused.text());
    world.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn moderators_hear_of_a_channel_that_was_deleted_and_of_one_that_shut_the_bot_out() {
    let fake = Fake::start().await;
    fake.guild(GUILD, &[CHANNEL, OTHER_CHANNEL]);
    let listed = Account { service: "discord".to_owned(), id: moderator().id.to_string() };
    let service = Settings { moderators: vec![listed], ..Settings::default() };
    let mut world = World::with(fake, service, |_| {}).await;
    world.connect().await;
    two_channels(&world).await;
    let private = world.fake.private_channel(moderator().id);
    world.fake.state().closed.insert(CHANNEL);
    world.fake.delete_channel(GUILD, OTHER_CHANNEL);
    submit(&world, "alpha", &ann()).await;
    let gone = world.fake.sees(&moderator(), private, "discord/71").await.text();
    assert!(gone.contains("forum is lost") && gone.contains("Unknown Channel"), "{gone}");
    let shut = world.fake.sees(&moderator(), private, "<#70>").await.text();
    assert!(shut.contains("forum is lost") && shut.contains("Missing Access"), "{shut}");
    world.end().await;
}
