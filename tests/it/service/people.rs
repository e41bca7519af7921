//! People: who moderates, who is banned or passed over, several accounts of one person, and being forgotten.

use rulekeeper::service::port::Speaker;

use super::*;

/// A nick proves nothing; an account does.
#[tokio::test]
async fn moderators_are_accounts_and_not_nicks() {
    let mut bot = Bot::with_joust().await;
    let mut thief = bot.line("op #nomic", "pause");
    thief.from =
        Speaker { account: Some(account("mallory")), nick: "op".to_owned(), operator: false, moderates: Vec::new() };
    reads(&bot.hear(thief.clone()).await, &["Only moderators"]);
    thief.from.account = None;
    thief.text = "pause".to_owned();
    reads(&bot.hear(thief.clone()).await, &["Only moderators"]);
    thief.text = "join".to_owned();
    reads(&bot.hear(thief.clone()).await, &["does not say who you are", "log in"]);
    thief.text = "hill".to_owned();
    reads(&bot.hear(thief).await, &["The Hill"]);

    let mut away = bot.line("nobody #nomic", "pause");
    away.from.account = Some(account("op"));
    reads(&bot.hear(away).await, &["paused the room"]);
}

#[tokio::test]
async fn moderators_make_moderators_of_one_room_or_of_all() {
    let mut bot = Bot::with_joust().await;
    bot.say("op #second", "room open joust second").await;
    reads(&bot.say("op", "moderator add @main Ann").await, &["(privately) Ann moderates @main from now on"]);
    reads(&bot.say("Ann #nomic", "pause").await, &["paused the room"]);
    reads(&bot.say("Ann #second", "pause").await, &["Only moderators"]);
    reads(&bot.say("Ann", "room open joust third").await, &["Only moderators"]);
    reads(&bot.say("op", "moderator add net/cy").await, &["net/cy moderates every room"]);
    reads(&bot.say("Cy #second", "pause").await, &["paused the room"]);
    let listed = bot.say("op #nomic", "show moderators").await;
    for row in ["net/op         every room", "Ann (net/ann)  this room", "net/cy         every room"] {
        reads(&listed, &["(privately) Moderators", row]);
    }
    reads(&bot.say("Bob #nomic", "show moderators").await, &["no display of that name"]);
    reads(&bot.say("op", "moderator remove @main Ann").await, &["Ann moderates @main no longer"]);
    reads(&bot.say("Ann #nomic", "resume").await, &["Only moderators"]);
    reads(&bot.say("Cy", "moderator remove net/op").await, &["operator's list can only be removed there"]);
}

#[tokio::test]
async fn a_ban_refuses_actions_until_it_ends() {
    let mut bot = Bot::with_joust().await;
    let banned = bot.say("op #nomic", "ban Bob for 2 days because the channel was flooded").await;
    reads(&banned, &["Bob is banned from @main until 2026-11-20 12:00 UTC", "Reason: the channel was flooded"]);
    reads(
        &bot.say("Bob #nomic", "leave").await,
        &["(privately) A moderator banned you", "2026-11-20 12:00", "flooded"],
    );
    reads(&bot.say("Bob", "joust submit Alpha >").await, &["banned you"]);
    reads(&bot.say("Bob #nomic", "hill").await, &["The Hill"]);
    let listed = bot.say("op #nomic", "show bans").await;
    reads(&listed, &["Bob (net/bob)", "this room", "2026-11-20 12:00 UTC", "the channel was flooded"]);
    bot.wait("2026-11-20T11:59:59Z").await;
    reads(&bot.say("Bob #nomic", "leave").await, &["banned you"]);
    bot.wait("2026-11-20T12:00:00Z").await;
    reads(&bot.say("Bob #nomic", "leave").await, &["member"]);
    reads(&bot.say("op #nomic", "show bans").await, &["Nobody."]);
}

#[tokio::test]
async fn a_ban_is_lifted_and_holds_in_its_room_only() {
    let mut bot = Bot::with_joust().await;
    bot.say("op #second", "room open joust second").await;
    reads(&bot.say("op #nomic", "ban net/bob").await, &["for good", "none given"]);
    reads(&bot.say("Bob #second", "join").await, &["You are a member"]);
    reads(&bot.say("op #nomic", "unban Bob").await, &["no longer banned"]);
    reads(&bot.say("op #nomic", "unban Bob").await, &["is not banned"]);
    reads(&bot.say("op", "ban net/bob because of spam").await, &["banned from every room"]);
    for channel in ["Bob #nomic", "Bob #second"] {
        reads(&bot.say(channel, "leave").await, &["banned you from every room"]);
    }
}

#[tokio::test]
async fn lines_of_the_ignored_are_passed_over_without_an_answer() {
    let mut bot = Bot::with_joust().await;
    reads(&bot.say("op", "ignore net/Bob").await, &["passes over the lines of net/Bob"]);
    assert_eq!(bot.say("Bob #nomic", "hill").await, "");
    assert_eq!(bot.say("Bob", "frobnicate").await, "");
    reads(&bot.say("op #nomic", "show ignored").await, &["net/bob"]);
    reads(&bot.say("op", "ignore net/op").await, &["You would not be heard any more"]);
    reads(&bot.say("op", "unignore net/bob").await, &["listens to net/bob again"]);
    reads(&bot.say("Bob #nomic", "hill").await, &["The Hill"]);
}

/// The code that `link` gave.
fn code(answer: &str) -> String {
    answer.rsplit(' ').next().expect("a code").to_owned()
}

#[tokio::test]
async fn two_accounts_linked_by_a_code_are_one_person_in_one_seat() {
    let mut bot = Bot::with_joust().await;
    let answer = bot.say("Ann", "link").await;
    reads(&answer, &["(privately)", "within 15 minutes", "link "]);
    let code = code(&answer);
    assert_eq!(code.len(), "K7QX2-M4PBD".len(), "{code}");
    reads(&bot.say("annie", &format!("link {}", code.to_lowercase().replace('-', ""))).await, &["Linked"]);
    reads(&bot.say("annie", "me").await, &["ann at net", "annie at net", "Ann in @main"]);
    reads(&bot.say("annie #nomic", "leave").await, &["member"]);
    reads(&bot.say("op #nomic", "show players").await, &["Ann", "outsider"]);
    reads(&bot.say("cy", &format!("link {code}")).await, &["(privately) That code is wrong or has run out"]);

    // What is said to the seat reaches both.
    let mut told = bot.told().await;
    told.retain(|text| text.starts_with("(to"));
    assert!(told.is_empty());
}

#[tokio::test]
async fn codes_run_out_and_cannot_be_guessed() {
    let mut bot = Bot::with_joust().await;
    let late = code(&bot.say("Ann", "link").await);
    bot.wait("2026-11-18T12:15:00Z").await;
    reads(&bot.say("annie", &format!("link {late}")).await, &["wrong or has run out", "4 more tries"]);
    for left in ["3", "2", "1", "0"] {
        reads(&bot.say("annie", "link AAAAA-AAAAA").await, &["wrong", left]);
    }
    let fresh = code(&bot.say("Ann", "link").await);
    reads(&bot.say("annie", &format!("link {fresh}")).await, &["Too many wrong codes"]);
    reads(&bot.say("annie #nomic", "link AAAAA-AAAAA").await, &["Others can read this channel"]);
}

/// A seat moves with its account to the person that it turns out to be.
#[tokio::test]
async fn a_linked_account_brings_its_seat() {
    let mut bot = Bot::with_joust().await;
    let code_of_cy = code(&bot.say("Cy", "link").await);
    reads(&bot.say("Bob", &format!("link {code_of_cy}")).await, &["Linked"]);
    reads(&bot.say("Cy", "me").await, &["bob at net", "cy at net", "Bob in @main"]);
    reads(&bot.say("Cy #nomic", "leave").await, &["member"]);

    let code_of_op = code(&bot.say("op", "link").await);
    let answer = bot.say("Ann", &format!("link {code_of_op}")).await;
    reads(&answer, &["Linked", "In @main you are op; nobody sits as Ann any more"]);
}

#[tokio::test]
async fn the_forgotten_leave_their_deeds_and_nothing_else() {
    let mut bot = Bot::with_joust().await;
    bot.say("Bob", "joust submit Bobbin >+").await;
    bot.told().await;
    let warned = bot.say("Bob", "forget me").await;
    reads(&warned, &["(privately) This removes", "Bob in @main", "forget me yes"]);
    reads(&bot.say("Bob", "me").await, &["Bob in @main"]);
    reads(&bot.say("Bob #nomic", "forget me yes").await, &["(privately) You are forgotten here."]);
    let told = bot.told().await;
    reads(&told[0], &["#nomic: Somebody asked to be forgotten; their seat is called former"]);
    assert!(!told[0].contains("Bob"), "{told:?}");

    reads(&bot.say("Bob", "me").await, &["You have no seat anywhere yet"]);
    let players = bot.say("Ann #nomic", "show players").await;
    assert!(players.contains("former") && !players.contains("Bob"), "{players}");
    let history = bot.say("Ann #nomic", "history").await;
    assert!(!history.contains("joust submit name:Bobbin"), "the texts are gone: {history}");
    reads(&history, &["former", "joust submit"]);
    reads(&bot.say("Bob", "forget me yes").await, &["The bot knows nothing of you"]);
    reads(&bot.say("Bob #nomic", "join").await, &["You are a member"]);
}

/// On a network without accounts a person is a connection, and a connection ends.
#[tokio::test]
async fn a_moderator_gives_a_seat_to_another_account() {
    let mut bot = Bot::with_joust().await;
    bot.say("Ann", "joust submit Alpha >+").await;
    bot.told().await;
    reads(&bot.say("Ann2 #nomic", "seat give Ann net/ann2").await, &["Only moderators"]);
    reads(&bot.say("op #nomic", "seat give Ann net/bob").await, &["sits here as Bob already"]);
    reads(&bot.say("op #nomic", "seat give Cy net/cy").await, &["Cy"]);
    assert_eq!(bot.told().await, Vec::<String>::new());
    let given = bot.say("op #nomic", "seat give Ann net/ann2 because her connection ended").await;
    reads(&given, &["The seat of Ann belongs to that account now"]);
    let told = bot.told().await;
    reads(
        &told[0],
        &["#nomic: A moderator gave the seat of Ann to another account, outside the rules", "connection ended"],
    );
    reads(&bot.say("Ann2", "me").await, &["Ann in @main"]);
    reads(&bot.say("Ann2", "joust program Alpha").await, &[">+", "Salt of its hash"]);
    assert!(!bot.say("Ann", "joust program Alpha").await.contains("Salt"), "it is hers no longer");
    reads(&bot.say("Ann", "me").await, &["No seats yet"]);
    let seq = bot.seq("main");
    reads(&bot.say("Bob", &format!("history {seq}")).await, &["seat (moderator) by op", "belongs to another account"]);
    reads(&bot.say("op #nomic", "seat give Ann net/ann2").await, &["sits here as Ann already"]);
    reads(&bot.say("op #nomic", &format!("undo {seq}")).await, &["taken back"]);
    reads(&bot.say("Ann", "me").await, &["Ann in @main"]);
}

#[tokio::test]
async fn nobody_takes_a_name_that_looks_like_anothers() {
    let mut bot = Bot::with_joust().await;
    for wanted in ["ann", "ANN", "\"Ann \"", "Ann\u{200b}"] {
        let answer = bot.say("Cy #nomic", &format!("join {wanted}")).await;
        reads(&answer, &["(privately)", "is, or looks like, the name of Ann"]);
    }
    // Letters of two scripts, of which one looks like the other.
    reads(&bot.say("Cy #nomic", "join \u{410}nn").await, &["(privately)", "letters of one script"]);
    // Who comes under a nick that looks like a name gets a number behind it.
    bot.say("ann\u{200b} #nomic", "join").await;
    reads(&bot.say("op #nomic", "show players").await, &["Ann", "ann2"]);
}
