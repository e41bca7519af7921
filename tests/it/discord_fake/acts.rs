//! Several actions in a message, actions for later, and transactions of B Nomic, as somebody at Discord takes them.

use super::{CHANNEL, World, ann, args, bob, moderator};

/// B7.4, B7.8, B12.1: what a line can do on IRC can be done by options and windows, and everybody sees all of it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn actions_of_b_nomic_are_taken_together_later_and_as_one() {
    let world = World::new().await;
    world.fake.slash(&moderator(), CHANNEL, "room open", &args(&[("game", "bnomic"), ("name", "b")]));
    world.fake.sees(&bob(), CHANNEL, "is its first Player").await;
    world.fake.registered(super::GUILD, "schedule").await;

    // Several in one window, in order.
    let token = world.fake.slash(&moderator(), CHANNEL, "type", &[]);
    world.fake.fill(&moderator(), &token, "ministry take Ministry\nministry take Law; hoist Polka Dots").await;
    world.fake.sees(&bob(), CHANNEL, "The Threat Flag is Polka Dots").await;

    // For later: the time as an option, the actions in a window.
    let token = world.fake.slash(&moderator(), CHANNEL, "schedule", &args(&[("when", "tomorrow")]));
    world.fake.fill(&moderator(), &token, "ministry take Time\nministry resign Law").await;
    let set = world.fake.sees(&bob(), CHANNEL, "sets for 2026-11-03 00:00 UTC").await;
    assert!(set.text().contains("ministry take Time") && set.text().contains("ministry resign Law"), "{}", set.text());
    world.fake.press(&ann(), &set, "Withdraw 2");
    world.fake.sees(&ann(), CHANNEL, "set that and withdraws it").await;
    world.fake.press(&moderator(), &set, "Withdraw 2");
    world.fake.sees(&bob(), CHANNEL, "withdraws action 2").await;

    // All or nothing: the second line fails the first.
    let token = world.fake.slash(&moderator(), CHANNEL, "transaction", &[]);
    let lines = "ministry take Change\nassert minister of ministry/law = nothing\nministry resign Law";
    world.fake.fill(&moderator(), &token, lines).await;
    let failed = world.fake.sees(&moderator(), CHANNEL, "The transaction fails").await;
    assert_eq!(failed.only, Some(moderator().id), "{}", failed.text());
    let token = world.fake.slash(&moderator(), CHANNEL, "transaction", &[]);
    world.fake.fill(&moderator(), &token, "ministry take Change\nministry resign Law").await;
    world.fake.sees(&bob(), CHANNEL, "submits a transaction, which succeeds").await;
    world.fake.sees(&bob(), CHANNEL, "takes the Ministry of Change").await;

    world.pass(jiff::SignedDuration::from_hours(13));
    world.fake.sees(&bob(), CHANNEL, "takes the Ministry of Time").await;
    world.end().await;
}
