//! A newcomer's first steps, those of whoever brings the bot along, the message that is pinned, and calls of who asked.

use std::time::Duration;

use super::{
    CHANNEL, GUILD, OTHER_CHANNEL, World, ann, args,
    blognomic::{cat, does, opened, posts},
    bob, moderator,
};
use crate::fakes::discord::Fake;

/// Whose server the fake's are.
const OWNER: u64 = 7;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_newcomer_is_told_what_is_played_and_begins_by_buttons() {
    let world = World::new().await;
    let steps = world.fake.slash(&moderator(), CHANNEL, "start", &[]);
    let steps = world.fake.answer(&steps).await;
    assert!(
        steps.only == Some(moderator().id) && steps.text().contains("1. Open a room in a channel"),
        "{}",
        steps.text()
    );
    let nothing = does(&world, &ann(), "start", &[]).await;
    assert!(nothing.contains("I am Rulekeeper") && nothing.contains("Nothing is played here yet"), "{nothing}");

    world.started(&moderator()).await;
    let token = world.fake.slash(&ann(), CHANNEL, "start", &[]);
    let start = world.fake.answer(&token).await;
    assert!(start.text().contains("Brainfuck Joust in "), "{}", start.text());
    let labels: Vec<String> = start.buttons().into_iter().map(|(label, _)| label).collect();
    assert_eq!(labels, ["Join", "The rules in a minute", "Try the joust"]);
    let rules = world.fake.press(&ann(), &start, "The rules in a minute");
    let rules = world.fake.answer(&rules).await.text();
    assert!(rules.contains("Two Brainfuck programs stand at the ends of one array"), "{rules}");
    let film = world.fake.press(&ann(), &start, "Try the joust");
    assert!(world.fake.answer(&film).await.text().contains("joust0"));
    let joined = world.fake.press(&ann(), &start, "Join");
    world.fake.answer(&joined).await;
    world.fake.sees(&bob(), CHANNEL, "Ann is a member of the contest.").await;
    let again = world.fake.slash(&ann(), CHANNEL, "start", &[]);
    let again = world.fake.answer(&again).await;
    assert!(again.buttons().iter().any(|(label, _)| label == "What waits for me?"), "{:?}", again.buttons());
    world.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whose_server_the_bot_comes_to_reads_the_four_steps_once() {
    let mut world = World::new().await;
    let private = world.fake.private_channel(OWNER);
    let told = |world: &World| world.fake.state().texts(private, OWNER).len();
    assert_eq!(told(&world), 0, "it was there before");
    world.fake.guild(8, &[80]);
    let what = "the four steps";
    world.fake.until(what, |state| state.texts(private, OWNER).iter().find(|text| text.contains("4. ")).cloned()).await;
    world.restart().await;
    world.fake.registered(8, "help").await;
    assert_eq!(told(&world), 1);
    world.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn how_a_room_stands_is_pinned_and_kept_up_to_date_and_who_asked_is_called() {
    let fake = Fake::start().await;
    fake.guild(GUILD, &[CHANNEL, OTHER_CHANNEL]);
    fake.state().callable.insert(bob().id);
    let mut world = World::on(fake, |settings| settings.refresh = Duration::from_millis(5)).await;
    world.connect().await;
    opened(&world).await;
    does(&world, &moderator(), "room settings", &[("setting", "pinned"), ("value", "yes")]).await;
    let pinned = world.fake.sees(&cat(), CHANNEL, "Nothing waits for votes.").await;
    world.fake.until("it is pinned", |state| state.pinned.contains(&pinned.id).then_some(())).await;
    posts(&world, &ann(), "Longer", "More time.\n=> set timeout-hours to 72", "Proposal 1 by Ann").await;
    let what = "the pinned message with the proposal";
    let shown = |text: &str| text.contains("Proposal 1 (Longer)") && text.contains("Bob, Cat");
    world
        .fake
        .until(what, |state| {
            state
                .shown(CHANNEL, cat().id)
                .into_iter()
                .find(|held| held.id == pinned.id && shown(&held.says()))
                .map(|_| ())
        })
        .await;

    // The virus of a Monday might halve the hours of a Proposal.
    let suspended = [("path", "law/13"), ("value", "suspended"), ("reason", "it is none of this story")];
    does(&world, &moderator(), "correct", &suspended).await;
    does(&world, &bob(), "remind", &[("switch", "on"), ("before", "1 day"), ("place", "channel")]).await;
    world.pass(jiff::SignedDuration::from_hours(25));
    let called = world.fake.sees(&cat(), CHANNEL, "waits for your votes").await;
    assert_eq!(
        called.body["allowed_mentions"]["users"],
        serde_json::json!([bob().id.to_string()]),
        "{}",
        called.text()
    );
    assert!(called.text().contains(&format!("<@{}>", bob().id)), "{}", called.text());
    let token = world.fake.slash(&bob(), CHANNEL, "remind", &args(&[]));
    assert!(world.fake.answer(&token).await.text().contains("called in the channel"));
    world.end().await;
}
