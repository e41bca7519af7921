//! Rooms and their channels: opening, binding, designating, closing, and which room a line is about.

use super::*;

#[tokio::test]
async fn a_moderator_opens_a_room_and_the_channel_becomes_its_public_forum() {
    let mut bot = Bot::new().await;
    reads(&bot.say("Ann #nomic", "room open joust main").await, &["(privately) Only moderators"]);
    reads(&bot.say("op #nomic", "room open joust main").await, &["op is contestmaster", "#nomic is its public forum"]);
    assert_eq!(bot.seq("main"), 1, "the channel is bound by the entry that opens the room");
    let told = bot.told().await;
    assert_eq!(told.len(), 1, "{told:?}");
    reads(&told[0], &["#nomic: A Brainfuck Joust contest is open here", "op is contestmaster"]);
    reads(&bot.say("Ann #nomic", "show forums").await, &["net/#nomic", "public", "2026-11-18 12:00 UTC"]);
    reads(&bot.say("Ann", "rooms").await, &["@main", "joust", "open", "net/#nomic"]);
    reads(&bot.say("op #nomic", "room open joust other").await, &["carries the joust room main already"]);
}

/// Seed 000, J7 and J15; the design: only a public forum carries game actions, and displays are shown anywhere.
#[tokio::test]
async fn only_a_public_forum_carries_actions() {
    let mut bot = Bot::new().await;
    bot.say("op #nomic", "room open joust main").await;
    bot.say("op #talk", "forum bind @main as discussion").await;
    // What is bound without a word about it is private.
    reads(&bot.say("op #side", "forum bind @main").await, &["net/#side is private"]);
    bot.told().await;
    for (channel, designation) in [("#talk", "discussion"), ("#side", "private")] {
        let answer = bot.say(&format!("Ann {channel}"), "join").await;
        reads(&answer, &["(privately) This channel is a", designation, "forum of main", "say it in #nomic"]);
        reads(&bot.say(&format!("Ann {channel}"), "hill").await, &["The Hill"]);
    }
    reads(&bot.say("Ann #elsewhere", "join").await, &["No room is bound to this channel"]);
    reads(&bot.say("Ann #elsewhere", "@main join").await, &["belongs to no forum of main", "#nomic"]);
    reads(&bot.say("Ann", "join").await, &["“join” is done in public", "#nomic"]);
    assert_eq!(bot.told().await, Vec::<String>::new());

    reads(&bot.say("op #talk", "forum designate public").await, &["net/#talk is public"]);
    reads(&bot.say("op #nomic", "forum designate discussion").await, &["net/#nomic is discussion"]);
    let told = bot.told().await;
    assert!(
        told.iter().any(|told| told.starts_with("#nomic: ") && told.contains("net/#nomic is discussion from now on"))
    );
    reads(&bot.say("Ann #talk", "join").await, &["You are a member"]);
    assert_eq!(bot.told().await, ["#talk: Ann is a member of the contest."], "announced where actions are carried");
    reads(&bot.say("op #talk", "forum designate public").await, &["The channel net/#talk is public already"]);
    reads(&bot.say("op #side", "forum unbind").await, &["net/#side is no longer bound"]);
    reads(&bot.say("op #side", "forum unbind @main").await, &["The channel net/#side is not bound"]);
}

#[tokio::test]
async fn a_channel_of_several_rooms_asks_which_one() {
    let mut bot = Bot::new().await;
    bot.say("op #nomic", "room open joust main").await;
    bot.say("op #second", "room open joust second").await;
    bot.say("op #nomic", "forum bind @second as public").await;
    reads(&bot.say("Ann #nomic", "join").await, &["(privately) Say which room: @main, @second", "@main join"]);
    reads(&bot.say("Ann #nomic", "@second join").await, &["You are a member"]);
    reads(&bot.say("Ann #nomic", "join @main").await, &["You are a member"]);
    reads(&bot.say("Ann #nomic", "@third hill").await, &["no room called “third”", "rooms"]);
    // A room that is closed is not meant.
    bot.say("op #second", "room close").await;
    reads(&bot.say("Ann #nomic", "leave").await, &["member"]);
}

#[tokio::test]
async fn a_private_line_is_about_the_room_in_which_its_speaker_sits() {
    let mut bot = Bot::new().await;
    bot.say("op #one", "room open joust one").await;
    bot.say("op #two", "room open joust two").await;
    reads(&bot.say("Ann", "show players").await, &["Say which room: @one, @two"]);
    bot.say("Ann #two", "join").await;
    reads(&bot.say("Ann", "show players").await, &["Players", "Ann"]);
}

#[tokio::test]
async fn names_of_rooms_that_look_alike_are_refused() {
    let mut bot = Bot::new().await;
    bot.say("op #nomic", "room open joust main").await;
    for name in ["MAIN", "rnain", "main\u{200b}"] {
        let answer = bot.say("op #other", &format!("room open joust {name}")).await;
        reads(&answer, &["(privately) There is a room called main", "looks like"]);
    }
    reads(&bot.say("op #other", "room open chess third").await, &["chess", "joust"]);
}

#[tokio::test]
async fn a_closed_room_keeps_its_displays_and_does_nothing_more() {
    let mut bot = Bot::with_joust().await;
    reads(&bot.say("op #nomic", "room close because the contest is over").await, &["The room is closed"]);
    reads(&bot.told().await[0], &["#nomic:", "closed this room", "Reason: the contest is over"]);
    reads(&bot.say("Ann #nomic", "leave").await, &["(privately) This room is closed"]);
    reads(&bot.say("Ann #nomic", "hill").await, &["joust0"]);
    reads(&bot.say("op #nomic", "room close").await, &["closed already"]);
    let before = bot.seq("main");
    bot.wait("2026-12-18T00:00:00Z").await;
    assert_eq!(bot.seq("main"), before, "nothing is due in a closed room");
    reads(&bot.say("op #nomic", "room open joust next").await, &["#nomic is its public forum"]);
    reads(&bot.say("Ann #nomic", "join").await, &["You are a member"]);
    reads(&bot.say("op #other", "room open joust main").await, &["There is a closed room called main"]);
}

/// A line that is delivered twice acts once, whoever delivers it.
#[tokio::test]
async fn the_same_origin_twice_acts_once() {
    let mut bot = Bot::new().await;
    let line = bot.line("op #nomic", "room open joust main");
    reads(&bot.hear(line.clone()).await, &["#nomic is its public forum"]);
    assert_eq!(bot.hear(line).await, "", "it is open already, by this line");
    assert_eq!(bot.told().await.len(), 1);
    let line = bot.line("Ann #nomic", "join");
    reads(&bot.hear(line.clone()).await, &["You are a member"]);
    let seq = bot.seq("main");
    assert_eq!(bot.hear(line.clone()).await, "", "the second time is passed over in silence");
    bot.restart().await;
    assert_eq!(bot.hear(line).await, "");
    assert_eq!(bot.seq("main"), seq);
    assert_eq!(bot.told().await.len(), 1);
}

#[tokio::test]
async fn several_commands_of_a_line_act_each_once() {
    let mut bot = Bot::with_joust().await;
    let line = bot.line("op #nomic", "pause; resume\npause; undo 999; resume");
    let answer = bot.hear(line.clone()).await;
    reads(&answer, &["paused", "goes on", "paused", "There is no entry 999", "goes on"]);
    let seq = bot.seq("main");
    assert_eq!(bot.hear(line).await, "", "nothing of it is done or refused anew");
    assert_eq!(bot.seq("main"), seq);
}

#[tokio::test]
async fn what_waits_to_be_announced_outlives_the_process() {
    let mut bot = Bot::with_joust().await;
    bot.say("Cy #nomic", "join").await;
    bot.restart().await;
    assert_eq!(bot.told().await, ["#nomic: Cy is a member of the contest."]);
}

/// Two processes on one database: what one does, the other sees.
#[tokio::test]
async fn what_another_process_does_is_seen() {
    let mut bot = Bot::with_joust().await;
    let here = bot.hub.clone();
    let beside = Bot::open(&bot.store, &bot.clock, &bot.entropy, None).await;
    let mut forums = here.forums(NETWORK);

    bot.hub = beside;
    bot.say("op #second", "room open joust second").await;
    bot.say("Cy #nomic", "join").await;
    bot.hub = here.clone();
    assert_eq!(here.rooms().len(), 1);
    here.see_others().await.expect("the store can be read");
    assert_eq!(here.rooms().len(), 2);
    assert_eq!(*forums.borrow_and_update(), ["#nomic", "#second"]);
    reads(&bot.say("Ann #nomic", "show players").await, &["Ann", "Cy"]);
    // It looked up everything there is; its own deeds go on from there, and need no look.
    reads(&bot.say("Dee #second", "join").await, &["You are a member"]);
    assert_eq!(bot.told().await.len(), 3, "that a room is open, and two members");
}

#[tokio::test]
async fn a_deed_on_an_old_state_is_decided_again() {
    let mut bot = Bot::with_joust().await;
    let here = bot.hub.clone();
    bot.hub = Bot::open(&bot.store, &bot.clock, &bot.entropy, None).await;
    reads(&bot.say("Cy #nomic", "join Wolf").await, &["You are a member"]);
    bot.hub = here;
    reads(&bot.say("Dee #nomic", "join Wolf").await, &["“Wolf” is, or looks like, the name of Wolf"]);
    reads(&bot.say("Dee #nomic", "join Bear").await, &["You are a member"]);
}

#[tokio::test]
async fn a_refusal_on_an_old_state_is_looked_at_again() {
    let mut bot = Bot::with_joust().await;
    bot.say("op #nomic", "pause").await;
    let here = bot.hub.clone();
    bot.hub = Bot::open(&bot.store, &bot.clock, &bot.entropy, None).await;
    bot.say("op #nomic", "resume").await;
    bot.hub = here;
    reads(&bot.say("Cy #nomic", "join").await, &["You are a member"]);
}

/// What the bot says to type is what helps.
#[tokio::test]
async fn a_bound_channel_stays_as_it_is_until_somebody_says_as_what() {
    let mut bot = Bot::with_joust().await;
    let answer = bot.say("op #nomic", "forum bind").await;
    reads(&answer, &["net/#nomic belongs to main already; it is public", "forum designate public"]);
    reads(&bot.say("Cy #nomic", "join").await, &["You are a member"]);
    reads(&bot.say("op #nomic", "room open joust other").await, &["carries the joust room main already"]);
    assert!(!bot.say("op #nomic", "room open joust other").await.contains("room close"));
    bot.say("op #nomic", "forum unbind").await;
    reads(&bot.say("op #nomic", "hill").await, &["No room is bound to this channel", "forum bind @main as public"]);
    reads(&bot.say("op #nomic", "room open joust main").await, &["a room called main", "forum bind @main as public"]);
    reads(&bot.say("op #nomic", "forum bind @main as public").await, &["net/#nomic is public"]);
    reads(&bot.say("Dee #nomic", "join").await, &["You are a member"]);
    // A closed room cannot be bound to play in, and can be looked at.
    bot.say("op #nomic", "room close").await;
    bot.say("op #nomic", "forum unbind").await;
    reads(&bot.say("op #nomic", "hill").await, &["No room is bound to this channel", "Type: rooms"]);
}

#[tokio::test]
async fn who_acts_in_private_is_sent_to_a_channel_of_their_own_network() {
    let mut bot = Bot::with_joust().await;
    bot.say("op #nomic", "forum bind @main away/#far as public").await;
    reads(&bot.say("Cy", "join").await, &["“join” is done in public; say it in #nomic."]);
    bot.say("op #nomic", "forum designate discussion").await;
    reads(&bot.say("Cy", "join").await, &["“join” is done in public; say it in away/#far."]);
}

#[tokio::test]
async fn a_room_can_be_named_after_what_is_asked_of_it() {
    let mut bot = Bot::with_joust().await;
    bot.say("op #second", "room open joust second").await;
    reads(&bot.say("Cy", "joust program joust0 @main").await, &["joust0"]);
    reads(&bot.say("Cy", "show rule points @main as of 2").await, &["points"]);
    reads(&bot.say("Cy", "joust program joust0 @main @second").await, &["got room twice"]);
    reads(&bot.say("op #second", "joust start joust0 joust1 joust2 @nowhere").await, &["no room called “nowhere”"]);
}

#[tokio::test]
async fn there_is_nothing_more_to_show() {
    let mut bot = Bot::with_joust().await;
    assert_eq!(bot.say("Ann", "More").await, "(privately) There is nothing more to show.");
}

#[tokio::test]
async fn a_newcomer_reads_in_a_few_lines_what_is_played_and_a_moderator_how_it_begins() {
    let mut bot = Bot::new().await;
    reads(
        &bot.say("op #nomic", "start").await,
        &["To have a game here takes four steps.", "1. Open a room", "4. Make"],
    );
    assert!(!bot.say("Ann #nomic", "start").await.contains("four steps"));
    bot.say("op #nomic", "room open joust main").await;
    let start = bot.say("Ann #nomic", "start").await;
    reads(&start, &["(privately)", "I am Rulekeeper", "Brainfuck Joust in @main", "Join: join", "in a minute"]);
    assert!(start.lines().count() <= 8, "{start}");
    reads(&bot.say("Ann #nomic", "start rules").await, &["Two Brainfuck programs", "The rules themselves: rules"]);
    bot.say("Ann #nomic", "join").await;
    reads(&bot.say("Ann", "start").await, &["What waits for me?: remind"]);
}
