//! A clock that jumped: nothing happens by it before an operator says that it is right.

use super::*;

/// How far the clock may jump in these tests.
const JUMP: SignedDuration = SignedDuration::from_hours(72);

/// A bot with a joust whose clock is watched.
async fn watched() -> Bot {
    let mut bot = Bot::with_joust().await;
    bot.jump = Some(JUMP);
    bot.restart().await;
    bot
}

#[tokio::test]
async fn a_jump_ahead_stops_what_is_due_until_an_operator_accepts_it() {
    let mut bot = watched().await;
    let before = bot.seq("main");
    bot.clock.advance_to(instant("2026-12-18T12:00:00Z"));
    bot.hub.look_at_clock().await;
    bot.hub.look_at_clock().await;
    let told = bot.told().await;
    assert_eq!(told.len(), 1, "told once: {told:?}");
    reads(
        &told[0],
        &[
            "(to op) The bot's clock jumped ahead by 30 d, from 2026-11-18 12:00 UTC to 2026-12-18 12:00 UTC",
            "clock accept",
        ],
    );
    for line in ["leave", "joust object 1", "join Annie"] {
        reads(&bot.say("Ann #nomic", line).await, &["The bot's clock jumped ahead by 30 d", "“clock accept”"]);
    }
    for line in ["tick", "pause", "correct player/ann.points 3 because of it"] {
        reads(&bot.say("op #nomic", line).await, &["The bot's clock jumped ahead by 30 d"]);
    }
    reads(&bot.say("op #other", "room open joust other").await, &["The bot's clock jumped ahead by 30 d"]);
    reads(
        &bot.say("Ann #nomic", "hill").await,
        &["Nothing happens here for now: the bot's clock jumped ahead", "joust0"],
    );
    reads(&bot.say("Ann", "help hill").await, &["hill"]);
    assert_eq!(bot.seq("main"), before);

    reads(&bot.say("Ann", "clock accept").await, &["Only moderators"]);
    reads(&bot.say("op", "clock accept").await, &["The bot's clock is right, at 2026-12-18 12:00 UTC"]);
    let told = bot.told().await;
    assert!(told.iter().any(|text| text.starts_with("(to op) The bot's clock was accepted as it stands")), "{told:?}");
    let mondays = ["2026-11-23 00:00", "2026-11-30 00:00", "2026-12-07 00:00", "2026-12-14 00:00"];
    let digest = told.iter().find(|text| text.starts_with("#nomic: Meanwhile")).expect("it is caught up on");
    reads(digest, &mondays);
    assert!(bot.seq("main") >= before + 4);
    reads(&bot.say("op", "clock accept").await, &["nobody doubts it"]);
    assert!(!bot.say("Ann #nomic", "hill").await.contains("Nothing happens here"));
}

#[tokio::test]
async fn a_clock_that_went_back_stops_everything_until_it_is_set_right() {
    let mut bot = watched().await;
    let before = bot.seq("main");
    // Less than servers of the time correct by is nothing.
    bot.clock.set_to(instant("2026-11-18T11:58:00Z"));
    reads(&bot.say("Cy #nomic", "join").await, &["You are a member"]);
    bot.clock.set_to(instant("2026-11-18T09:00:00Z"));
    bot.hub.look_at_clock().await;
    reads(&bot.say("Cy #nomic", "leave").await, &["The bot's clock went back by 3 h, from 2026-11-18 12:00 UTC"]);
    bot.clock.set_to(instant("2026-11-18T12:05:00Z"));
    reads(&bot.say("Cy #nomic", "leave").await, &["no member any more"]);
    bot.hub.look_at_clock().await;
    let told: Vec<String> = bot.told().await.into_iter().filter(|text| text.contains("clock")).collect();
    assert_eq!(told.len(), 2, "{told:?}");
    reads(&told[0], &["(to op) The bot's clock went back by 3 h", "clock accept"]);
    reads(&told[1], &["(to op) The bot's clock stands right again, at 2026-11-18 12:05 UTC"]);
    assert_eq!(bot.seq("main"), before + 2);
}

/// A heartbeat of this very process, written before the clock went back, accepts nothing.
#[tokio::test]
async fn a_clock_that_went_back_by_minutes_does_not_accept_itself() {
    let mut bot = watched().await;
    bot.hub.look_at_clock().await;
    let begun = bot.clock.now();
    bot.clock.advance_to(begun + SignedDuration::from_secs(53));
    bot.hub.look_at_clock().await;
    reads(&bot.say("Cy #nomic", "join").await, &["You are a member"]);
    bot.clock.set_to(begun - SignedDuration::from_secs(97));
    for _ in 0..2 {
        bot.hub.look_at_clock().await;
        reads(&bot.say("Cy #nomic", "leave").await, &["The bot's clock went back by"]);
    }
    let told = bot.told().await.join("\n");
    assert!(!told.contains("was accepted"), "{told}");
}

/// What is known of the clock outlives the process: at most a minute of it is lost.
#[tokio::test]
async fn an_outage_of_weeks_asks_at_the_next_start_and_one_of_days_does_not() {
    let mut bot = watched().await;
    let before = bot.seq("main");
    bot.clock.advance_to(instant("2026-11-20T12:00:00Z"));
    bot.hub.look_at_clock().await;
    bot.clock.advance_to(instant("2026-11-20T12:00:30Z"));
    bot.hub.look_at_clock().await;
    // Two and a half days after the last heartbeat.
    bot.clock.advance_to(instant("2026-11-23T00:00:00Z"));
    bot.restart().await;
    assert_eq!(bot.told().await.len(), 1, "the award");
    assert_eq!(bot.seq("main"), before + 1);

    bot.hub.stop();
    bot.clock.advance_to(instant("2026-12-21T00:00:00Z"));
    bot.restart().await;
    reads(&bot.told().await.join("\n"), &["(to op) The bot's clock jumped ahead by 28 d, from 2026-11-23 00:00 UTC"]);
    assert_eq!(bot.seq("main"), before + 1);
    // Started once more, it still waits.
    bot.restart().await;
    reads(&bot.say("Ann #nomic", "leave").await, &["The bot's clock jumped ahead by 28 d"]);
    reads(&bot.say("op", "clock accept").await, &["The bot's clock is right"]);
    bot.told().await;
    assert!(bot.seq("main") >= before + 5);
    bot.restart().await;
    reads(&bot.say("Ann #nomic", "leave").await, &["no member any more"]);
}

/// A database that is older than heartbeats tells by its last entry that the clock went back.
#[tokio::test]
async fn a_first_start_in_the_past_of_the_last_entry_asks_too() {
    let mut bot = Bot::with_joust().await;
    bot.jump = Some(JUMP);
    bot.clock.set_to(instant("2026-10-18T12:00:00Z"));
    bot.restart().await;
    reads(&bot.told().await.join("\n"), &["(to op) The bot's clock went back by 31 d, from 2026-11-18 12:00 UTC"]);
    bot.clock.set_to(instant("2027-02-18T12:00:00Z"));
    bot.restart().await;
    assert!(!bot.told().await.join("\n").contains("clock"), "nobody knows how long it was quiet");
}

#[tokio::test]
async fn another_process_hears_that_the_clock_was_accepted() {
    let mut bot = watched().await;
    let other = Bot::open(&bot.store, &bot.clock, &bot.entropy, Some(JUMP)).await;
    let before = bot.seq("main");
    bot.clock.advance_to(instant("2026-12-18T12:00:00Z"));
    bot.hub.look_at_clock().await;
    other.look_at_clock().await;
    other.settle().await.unwrap();
    assert_eq!(bot.seq("main"), before);
    assert_eq!(other.rooms()[0].view().seq(), before);
    reads(&bot.say("op", "clock accept").await, &["The bot's clock is right"]);
    other.look_at_clock().await;
    other.settle().await.unwrap();
    other.see_others().await.unwrap();
    assert!(other.rooms()[0].view().seq() >= before + 4);
}

/// Whoever moves a clock by hand moves it as far as they like, and such a room goes on.
#[tokio::test]
async fn a_room_whose_clock_is_moved_by_hand_is_not_concerned() {
    let mut bot = Bot::new().await;
    bot.jump = Some(JUMP);
    bot.restart().await;
    bot.say("op #nomic", "room open joust main clock:manual").await;
    bot.say("op #nomic", "joust start").await;
    reads(&bot.say("op #nomic", "tick until 2027-03-01 00:00").await, &["The room's time is 2027-03-01 00:00 UTC"]);
    bot.clock.advance_to(instant("2027-03-01T00:00:00Z"));
    reads(&bot.say("Ann #nomic", "join").await, &["You are a member"]);
    reads(&bot.say("op #nomic", "tick until 2027-03-08 00:00").await, &["The room's time is 2027-03-08 00:00 UTC"]);
    assert!(!bot.say("Ann #nomic", "hill").await.contains("Nothing happens"));
    // From then on it goes by the bot's clock like others.
    bot.say("op #nomic", "room settings clock live").await;
    reads(&bot.say("Ann #nomic", "leave").await, &["The bot's clock jumped ahead"]);
}

/// Whoever accepted nine hundred years by mistake can still stop them.
#[tokio::test]
async fn years_are_caught_up_on_in_batches_and_can_be_stopped() {
    let mut bot = watched().await;
    let before = bot.seq("main");
    bot.clock.advance_to(instant("2926-11-18T12:00:00Z"));
    bot.hub.look_at_clock().await;
    bot.hub.settle().await.unwrap();
    assert_eq!(bot.seq("main"), before);
    reads(&bot.say("op", "clock accept").await, &["The bot's clock is right, at 2926-11-18 12:00 UTC"]);
    reads(
        &bot.say("Ann #nomic", "leave").await,
        &["This room still catches up on what it missed, and is at 20", "try again"],
    );
    reads(&bot.say("op #nomic", "pause because of a slip").await, &["paused the room at 2926-11-18"]);
    let after = bot.seq("main");
    assert!(after > before && after < before + 4000, "{before} to {after}");
    bot.hub.settle().await.unwrap();
    assert_eq!(bot.seq("main"), after);
}

/// The scheduler looks at the clock before anything happens by it.
#[tokio::test(start_paused = true)]
async fn the_scheduler_stops_and_goes_on_by_itself() {
    let mut bot = watched().await;
    let before = bot.seq("main");
    let scheduled = bot.hub.clone();
    let scheduler = tokio::spawn(async move { scheduled.schedule().await });
    bot.clock.advance_to(instant("2026-12-18T12:00:00Z"));
    let told = bot.hub.next_delivery(NETWORK).await;
    reads(&plain(&told.document), &["The bot's clock jumped ahead by 30 d"]);
    bot.hub.delivered(told.id).await;
    assert_eq!(bot.seq("main"), before);
    reads(&bot.say("op", "clock accept").await, &["The bot's clock is right"]);
    // Nobody types anything any more.
    loop {
        let told = bot.hub.next_delivery(NETWORK).await;
        bot.hub.delivered(told.id).await;
        if plain(&told.document).contains("Meanwhile in main") {
            break;
        }
    }
    assert!(bot.seq("main") >= before + 4);
    bot.hub.stop();
    scheduler.await.unwrap();
}
