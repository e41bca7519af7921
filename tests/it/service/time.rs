//! Time: what is due happens once, in order, at its own instant, whatever stood still meanwhile.

use super::*;

/// Seed 000, J14: Monday 00:00 UTC.
#[tokio::test]
async fn what_falls_into_a_pause_does_not_happen() {
    let mut bot = Bot::with_joust().await;
    reads(
        &bot.say("op #nomic", "pause because the channel is down").await,
        &["paused the room at 2026-11-18 12:00 UTC"],
    );
    reads(&bot.told().await[0], &["#nomic:", "paused", "Reason: the channel is down"]);
    reads(&bot.say("Ann #nomic", "leave").await, &["(privately) A moderator paused this room"]);
    reads(&bot.say("Ann #nomic", "hill").await, &["joust0"]);
    reads(&bot.say("Ann #nomic", "show due").await, &["Nothing is due"]);
    reads(&bot.say("op #nomic", "pause").await, &["is paused since 2026-11-18 12:00 UTC", "resume"]);
    bot.wait("2026-11-24T12:00:00Z").await;
    assert_eq!(bot.told().await, Vec::<String>::new());
    reads(
        &bot.say("op #nomic", "resume").await,
        &["one thing that was due inside the pause does not happen: the award of"],
    );
    reads(&bot.say("Ann #nomic", "show due").await, &["the award of 2026-11-30 at 2026-11-30 00:00 UTC"]);
    bot.wait("2026-11-30T00:00:00Z").await;
    let told = bot.told().await;
    assert_eq!(told.iter().filter(|text| text.contains("Points for the week")).count(), 1, "{told:?}");
    reads(&bot.say("op #nomic", "resume").await, &["passes already"]);
}

#[tokio::test]
async fn three_weeks_of_outage_are_caught_up_instant_by_instant_and_told_as_one() {
    let mut bot = Bot::with_joust().await;
    let before = bot.seq("main");
    bot.hub.stop();
    bot.clock.advance_to(instant("2026-12-09T12:00:00Z"));
    bot.restart().await;
    let told = bot.told().await;
    assert_eq!(told.len(), 1, "one digest: {told:?}");
    let mondays = ["2026-11-23 00:00", "2026-11-30 00:00", "2026-12-07 00:00"];
    reads(&told[0], &["#nomic: Meanwhile in main: 3 announcements", mondays[0], mondays[1], mondays[2]]);

    assert_eq!(bot.seq("main"), before + 3, "one entry an instant");
    for (seq, monday) in (before + 1..).zip(mondays) {
        let entry = bot.store.entry(bot.hub.rooms()[0].id, seq).await.unwrap().unwrap();
        let at = kernel::time::minute(Instant::from_microsecond(entry.at).unwrap());
        assert_eq!(at, format!("{monday} UTC"));
        assert_eq!(entry.recorded, instant("2026-12-09T12:00:00Z").as_microsecond());
    }
    // A second start finds nothing left to do.
    bot.restart().await;
    assert_eq!(bot.told().await, Vec::<String>::new());
    assert_eq!(bot.seq("main"), before + 3);
}

/// Actions wait for what is due before them, although the scheduler has not come round.
#[tokio::test]
async fn what_is_due_goes_before_an_action() {
    let mut bot = Bot::with_joust().await;
    let before = bot.seq("main");
    bot.clock.advance_to(instant("2026-11-23T00:00:00Z"));
    bot.say("Cy #nomic", "join").await;
    assert_eq!(bot.seq("main"), before + 2);
    let history = bot.say("op #nomic", "history").await;
    reads(&history, &["2026-11-23 00:00 UTC  Cy", "join", "2026-11-23 00:00 UTC", "award"]);
}

/// So do displays: nobody is shown what was true before the outage.
#[tokio::test]
async fn what_is_due_goes_before_a_display() {
    let mut bot = Bot::with_joust().await;
    let before = bot.seq("main");
    bot.clock.advance_to(instant("2026-11-23T00:00:00Z"));
    reads(&bot.say("Ann #nomic", "show due").await, &["the award of 2026-11-30 at 2026-11-30 00:00 UTC"]);
    assert_eq!(bot.seq("main"), before + 1);
}

#[tokio::test]
async fn a_manual_clock_moves_by_hand_through_everything_on_the_way() {
    let mut bot = Bot::new().await;
    bot.say("op #nomic", "room open joust main clock:manual").await;
    bot.say("op #nomic", "joust start").await;
    bot.told().await;
    bot.wait("2026-12-25T00:00:00Z").await;
    assert_eq!(bot.told().await, Vec::<String>::new(), "the world's time is not the room's");
    reads(
        &bot.say("op #nomic", "tick").await,
        &["Nothing is due", "2026-11-18 12:00 UTC", "Next: the award of 2026-11-23 at 2026-11-23 00:00 UTC"],
    );
    let answer = bot.say("op #nomic", "tick until 2026-12-01 00:00").await;
    reads(
        &answer,
        &["The room's time is 2026-12-01 00:00 UTC", "Next: the award of 2026-12-07 at 2026-12-07 00:00 UTC"],
    );
    let told = bot.told().await;
    assert_eq!(told.iter().filter(|text| text.contains("Points for the week")).count(), 2, "{told:?}");
    assert!(
        told.iter().all(|text| !text.contains("Meanwhile") && !text.starts_with("#nomic: (")),
        "what a moderator runs by hand is news: {told:?}"
    );
    reads(&bot.say("op #nomic", "tick until 2026-11-20").await, &["it cannot go back"]);
    reads(&bot.say("Ann #nomic", "tick").await, &["Only moderators"]);
    reads(&bot.say("op #nomic", "room settings clock live").await, &["passes by itself"]);
    reads(&bot.say("op #nomic", "tick until 2027-01-01").await, &["passes by itself"]);
    // By the world's time three Mondays have passed meanwhile.
    let told = bot.told().await;
    reads(&told[0], &["The room's time passes by itself from now on"]);
    let mondays =
        ["2026-12-07 00:00", "2026-12-14 00:00", "2026-12-21 00:00"].map(|at| format!("{at} UTC: Points for"));
    reads(&told[1], &["Meanwhile in main:", &mondays[0], &mondays[1], &mondays[2]]);
    reads(&bot.say("Ann #nomic", "show due").await, &["the award of 2026-12-28 at 2026-12-28 00:00 UTC"]);
}

#[tokio::test]
async fn one_tick_goes_through_so_many_instants_and_says_so() {
    let mut bot = Bot::new().await;
    bot.say("op #nomic", "room open joust main clock:manual").await;
    bot.say("op #nomic", "joust start").await;
    let answer = bot.say("op #nomic", "tick until 9000-01-01").await;
    reads(&answer, &["The room's time is 204", "1000 instants at the most: type it again"]);
    let awards = bot.store.history(bot.hub.rooms()[0].id, u64::MAX, 4).await.unwrap();
    assert!(awards.iter().any(|entry| entry.cause == "award"));
}

/// Times that are counted from now are counted from the room's own: at a clock that is moved by hand from where it stands.
#[tokio::test]
async fn a_tick_goes_to_times_as_people_say_them() {
    let mut bot = Bot::new().await;
    bot.say("op #nomic", "room open joust main clock:manual").await;
    bot.say("op #nomic", "tick until 2026-12-01 10:00").await;
    for (until, now) in [
        ("tomorrow", "2026-12-02 00:00"),
        ("18:30", "2026-12-02 18:30"),
        ("Friday 06:00", "2026-12-04 06:00"),
        ("midnight", "2026-12-05 00:00"),
        ("1 March", "2027-03-01 00:00"),
    ] {
        let answer = bot.say("op #nomic", &format!("tick until {until}")).await;
        reads(&answer, &[&format!("The room's time is {now} UTC")]);
    }
    reads(&bot.say("op #nomic", "tick until some day").await, &["in UTC, like", "tomorrow or monday 10:00"]);
}

#[tokio::test]
async fn a_tick_runs_at_once_what_is_due() {
    let mut bot = Bot::with_joust().await;
    bot.clock.advance_to(instant("2026-11-23T00:00:01Z"));
    reads(&bot.say("op #nomic", "tick").await, &["One entry was made", "2026-11-23 00:00:01 UTC"]);
    reads(&bot.say("op #nomic", "tick").await, &["Nothing is due"]);
}

/// A clock that is moved by hand is so after a pause too, and stands where it stood.
#[tokio::test]
async fn a_clock_that_is_moved_by_hand_outlives_a_pause() {
    let mut bot = Bot::new().await;
    bot.say("op #nomic", "room open joust main clock:manual").await;
    bot.say("op #nomic", "joust start").await;
    bot.say("op #nomic", "tick until 2026-12-07 00:00").await;
    bot.say("op #nomic", "pause").await;
    reads(&bot.say("op #nomic", "tick until 2026-12-14 00:00").await, &["This room is paused since", "resume"]);
    bot.restart().await;
    bot.clock.advance_to(instant("2027-01-04T00:00:00Z"));
    let resumed = bot.say("op #nomic", "resume").await;
    reads(&resumed, &["its clock is moved by hand, and stands at 2026-12-07 00:00 UTC"]);
    reads(&bot.say("op #nomic", "show room").await, &["moved by hand; it stands at 2026-12-07 00:00 UTC"]);
    reads(&bot.say("op #nomic", "show due").await, &["2026-12-14 00:00 UTC"]);
    reads(&bot.say("op #nomic", "tick until 2026-12-14 00:00").await, &["The room's time is 2026-12-14 00:00 UTC"]);
}

#[tokio::test]
async fn whoever_asks_hears_that_the_bot_is_here_and_since_when() {
    let mut bot = Bot::new().await;
    bot.wait("2026-11-20T15:00:00Z").await;
    for line in ["version", "ping", "uptime"] {
        let here = bot.say("Ann", line).await;
        assert!(
            here.contains(concat!("Rulekeeper ", env!("CARGO_PKG_VERSION"), " is here. It runs for 2 d 3 h now")),
            "{here}"
        );
    }
}
