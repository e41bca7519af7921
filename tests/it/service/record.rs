//! The record: what happened, why, how it looked then, and mending it in the open.

use super::*;

#[tokio::test]
async fn history_says_who_did_what_when_in_which_words() {
    let mut bot = Bot::with_joust().await;
    bot.wait("2026-11-18T13:00:00Z").await;
    bot.say("Cy #nomic", "join").await;
    let history = bot.say("Ann #nomic", "history").await;
    reads(
        &history,
        &["2026-11-18 13:00 UTC  Cy", "join", "2026-11-18 12:00 UTC  op", "open (moderator)", "room open joust main"],
    );
    reads(&bot.say("Ann #nomic", "history Ann").await, &["Entries of Ann", "Ann", "join"]);
    let entry = bot.say("Ann #nomic", "history 1").await;
    reads(
        &entry,
        &["Entry 1", "open (moderator) by op.", "Outside the rules: a moderator did this", "Words: room open"],
    );
    let late = bot.say("Ann #nomic", "history since 2026-11-18 12:30").await;
    assert!(late.contains("Cy") && !late.contains("room open"), "{late}");
    reads(&bot.say("Ann #nomic", "history 99").await, &["There is no entry 99"]);
    reads(&bot.say("Ann #nomic", "history zzz").await, &["Nothing is on record"]);
}

#[tokio::test]
async fn displays_are_shown_as_they_were() {
    let mut bot = Bot::with_joust().await;
    let joined = bot.seq("main");
    bot.wait("2026-11-18T13:00:00Z").await;
    bot.say("Cy #nomic", "join").await;
    for moment in [joined.to_string(), "2026-11-18 12:30".to_owned()] {
        let players = bot.say("Ann #nomic", &format!("show players as of {moment}")).await;
        assert!(players.contains(&format!("(as of entry {joined})")) && !players.contains("Cy"), "{players}");
    }
    let now = bot.say("Ann #nomic", "show players").await;
    assert!(now.contains("Cy") && !now.contains("as of"), "{now}");
    reads(&bot.say("Ann #nomic", "show players as of 999").await, &["The last entry of this room is"]);
    let early = bot.say("Ann #nomic", "show players as of 2020-01-01").await;
    reads(&early, &["not open yet", "opened at 2026-11-18 12:00 UTC"]);
}

/// A display is seen at the moment of looking, and as of a moment as it was seen then, whatever is on record.
#[tokio::test]
async fn displays_are_shown_at_the_moment_of_looking() {
    let mut bot = Bot::with_joust().await;
    let seq = bot.seq("main");
    bot.wait("2026-11-23T00:00:00Z").await;
    reads(&bot.say("Ann #nomic", "hill").await, &["from 2026-11-25"]);
    bot.clock.advance_to(instant("2026-11-25T12:00:00Z"));
    let hill = bot.say("Ann #nomic", "hill").await;
    assert!(hill.contains("Knight") && !hill.contains("from 2026"), "{hill}");
    for moment in ["2026-11-25 11:59", &seq.to_string()] {
        reads(&bot.say("Ann #nomic", &format!("hill as of {moment}")).await, &["from 2026-11-25"]);
    }
    let hill = bot.say("Ann #nomic", "hill as of 2026-11-25 12:00").await;
    assert!(!hill.contains("from 2026"), "{hill}");
    // In a room that stands still, and in a closed one, nobody becomes older.
    let mut bot = Bot::with_joust().await;
    bot.say("op #nomic", "pause").await;
    bot.clock.advance_to(instant("2026-11-25T12:00:00Z"));
    reads(&bot.say("Ann #nomic", "hill").await, &["from 2026-11-25"]);
    let mut bot = Bot::with_joust().await;
    bot.say("op #nomic", "room close").await;
    bot.clock.advance_to(instant("2026-11-25T12:00:00Z"));
    reads(&bot.say("Ann #nomic", "hill").await, &["from 2026-11-25"]);
}

/// Seed 000, J56: nothing tells the lengths of a challenge before its result does.
#[tokio::test]
async fn the_lengths_of_a_challenge_are_on_record_only_once_it_is_played() {
    let mut bot = Bot::with_joust().await;
    bot.hub.hold_work(true);
    bot.say("Ann", "joust submit Alpha >+").await;
    let submitted = bot.seq("main");
    let kept = bot.store.entry(bot.hub.rooms()[0].id, submitted).await.unwrap().unwrap().json;
    assert!(kept.contains("\"lengths\"") && kept.contains("\"draws\""), "the journal has them: {kept}");
    for who in ["Ann", "Bob", "op", "Bob #nomic"] {
        for asked in ["history", "why"] {
            let told = bot.say(who, &format!("{asked} {submitted}")).await;
            assert!(!told.contains("lengths") && !told.contains("Dice"), "{who}: {told}");
        }
    }
    bot.hub.hold_work(false);
    bot.told().await;
    reads(&bot.say("Bob", &format!("history {submitted}")).await, &["lengths", "Dice: length"]);
}

/// What somebody does in private is on record, and its words are theirs.
#[tokio::test]
async fn what_was_said_in_private_is_on_record_for_nobody_else() {
    let mut bot = Bot::with_joust().await;
    bot.say("Ann", "joust test >+ against joust3").await;
    let tested = bot.seq("main");
    bot.told().await;
    for who in ["Bob", "op", "Ann #nomic"] {
        let told = bot.say(who, &format!("history {tested}")).await;
        reads(&told, &["joust test by Ann"]);
        assert!(!told.contains("joust3") && !told.contains("asked") && !told.contains("Words"), "{who}: {told}");
        assert!(!bot.say(who, "history").await.contains("joust3"), "{who}");
    }
    reads(&bot.say("Ann", &format!("history {tested}")).await, &["Words: joust test", "against:joust3"]);

    // Nor can it be found by searching, nor are people's numbers or private channels there.
    reads(&bot.say("Bob", "history \"of your text\"").await, &["Nothing is on record"]);
    bot.say("op", "forum bind @main #lair as private").await;
    let bound = bot.seq("main");
    let told = bot.say("Bob", &format!("history {bound}")).await;
    assert!(!told.contains("designated"), "{told}");
    for seq in 1..=bound {
        let told = bot.say("Bob", &format!("history {seq}")).await;
        assert!(!told.contains("person"), "{told}");
    }
}

#[tokio::test]
async fn corrections_are_open_and_can_be_taken_back() {
    let mut bot = Bot::with_joust().await;
    reads(&bot.say("Ann #nomic", "correct player/ann.points 7 because I want it").await, &["Only moderators"]);
    let line = "correct player/ann.points 7 because the award was read twice";
    reads(&bot.say("op #nomic", line).await, &["player/ann.points was 0 and is 7"]);
    let told = bot.told().await;
    reads(&told[0], &["#nomic: Correction by a moderator, outside the rules", "Reason: the award was read twice"]);
    let seq = bot.seq("main");
    reads(
        &bot.say("Ann", "why player/ann.points").await,
        &["It is 7", "POINTS", &format!("entry {seq}"), "0 becomes 7", "read twice"],
    );
    reads(&bot.say("op #nomic", "correct player/ann.points 7").await, &["“correct” needs REASON"]);
    reads(&bot.say("op #nomic", "correct player/ann.points many because x").await, &["“many” is not a value"]);
    reads(&bot.say("op #nomic", "correct player/ann.pints 7 because x").await, &["Nothing here is called"]);

    reads(
        &bot.say("op #nomic", &format!("undo {seq}")).await,
        &["Nothing is done yet", "points of Ann: 7 becomes 0", &format!("undo {seq} yes")],
    );
    reads(&bot.say("Ann", "why player/ann.points").await, &["It is 7"]);
    reads(
        &bot.say("op #nomic", &format!("undo {seq} yes")).await,
        &["is taken back: the correction of points of Ann", "points of Ann: 7 becomes 0"],
    );
    reads(&bot.told().await[0], &["took entry", "back, outside the rules", "none given"]);
    reads(&bot.say("Ann", "why player/ann.points").await, &["It is 0", "7 becomes", "0 becomes 7"]);
    reads(&bot.say("op #nomic", &format!("undo {seq} yes")).await, &["is taken back already, by entry"]);
    reads(&bot.say("op #nomic", "undo 1").await, &["it opened the room"]);
    reads(&bot.say("op #nomic", "undo 999").await, &["There is no entry 999"]);
}

#[tokio::test]
async fn why_explains_the_last_refusal_and_live_numbers() {
    let mut bot = Bot::with_joust().await;
    reads(&bot.say("Ann", "why").await, &["Nothing was refused to you lately"]);
    reads(&bot.say("Ann #nomic", "joust start").await, &["(privately)"]);
    reads(&bot.say("Ann", "why").await, &["contestmaster"]);
    reads(&bot.say("Bob", "why").await, &["Nothing was refused to you lately"]);
    reads(&bot.say("Ann", "why hill-size").await, &["hill-size", "“10” in", "Hill"]);
    reads(
        &bot.say("Ann", "why no-such-thing").await,
        &["“no-such-thing” is no entry, value, live number, rule or ruling"],
    );
}

#[tokio::test]
async fn what_is_refused_leaves_nothing_on_record() {
    let mut bot = Bot::with_joust().await;
    let before = bot.seq("main");
    for line in ["joust start", "tick", "joust do 99", "joust reveal joust0", "frobnicate", "join Bob"] {
        let answer = bot.say("Ann #nomic", line).await;
        assert!(answer.starts_with("(privately)"), "{line}: {answer}");
    }
    assert_eq!(bot.seq("main"), before);
    assert_eq!(bot.told().await, Vec::<String>::new());
}

#[tokio::test]
async fn why_knows_what_a_player_has_and_capitals_do_not_matter() {
    let mut bot = Bot::with_joust().await;
    reads(&bot.say("Ann", "why player/ann.points").await, &["It is 0", "it is the default"]);
    reads(&bot.say("Ann", "why player/ann.rank").await, &["There is no value called rank of player/ann"]);
    reads(&bot.say("Ann", "why Ann").await, &["points is 0: why player/ann.points"]);
    let ruling = bot.say("Ann", "why J14").await;
    reads(&ruling, &["Ruling"]);
    assert_eq!(bot.say("Ann", "why j14").await, ruling);
    assert_eq!(bot.say("Ann", "why HILL-SIZE").await, bot.say("Ann", "why hill-size").await);
}

#[tokio::test]
async fn history_since_a_time_before_the_room_is_all_of_it() {
    let mut bot = Bot::with_joust().await;
    let all = bot.say("Ann #nomic", "history").await;
    assert_eq!(bot.say("Ann #nomic", "history since 2020-01-01").await, all);
    reads(&bot.say("Ann #nomic", "rules as of 2026-11-18").await, &["opened at 2026-11-18 12:00 UTC"]);
}
