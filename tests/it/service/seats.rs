//! A seat that goes to another account: what was sealed under the account before stays closed to the new one.

use super::*;

/// A program, with a comment that would be known again.
const CODE: &str = "hush >+++>--->>+[>[+++[-]]+]";

/// A bot with a joust in which the moderator gave Bob's seat, under which Bob sealed a program, to Eve.
async fn with_bobs_seat_given() -> Bot {
    let mut bot = Bot::with_joust().await;
    reads(&bot.say("Bob", &format!("joust submit Alpha {CODE}")).await, &["Alpha is received"]);
    bot.told().await;
    reads(&bot.say("op #nomic", "seat give Bob net/eve").await, &["The seat of Bob belongs to that account now"]);
    bot
}

#[tokio::test]
async fn what_was_sealed_under_one_account_stays_closed_to_another() {
    let mut bot = with_bobs_seat_given().await;
    reads(&bot.told().await[0], &["#nomic: A moderator gave the seat of Bob", "entrust Bob (ruling R1)"]);
    reads(&bot.say("Eve", "me").await, &["Bob in @main"]);
    let last = bot.seq("main");
    for line in
        ["joust program Alpha", "show program/Alpha", "joust watch Alpha joust1 151", "joust breakdown Alpha joust1"]
    {
        let answer = bot.say("Eve", line).await;
        assert!(
            answer.contains("ruling R1") && !answer.contains("hush") && !answer.contains("Salt"),
            "{line}: {answer}"
        );
    }
    let answer = bot.say("Eve", "joust test Alpha against joust1").await;
    reads(&answer, &["Test 1 against 1 run;"]);
    let told = bot.told().await;
    assert!(told.len() == 1 && told[0].starts_with("(to eve) (This was sealed under another account"), "{told:?}");
    reads(
        &bot.say("Eve #nomic", "joust reveal Alpha").await,
        &["sealed by who had the seat of Bob before you", "(ruling R1)", "why R1"],
    );
    assert_eq!(bot.told().await, Vec::<String>::new());
    assert_eq!(bot.seq("main"), last + 2, "the test and its result are all that happened");
    reads(&bot.say("Eve", "why R1").await, &["Ruling R1", "what is sealed when a seat goes to another account"]);
    // Before and after the game asks anybody, the first account is who may read it, and it has no seat any more.
    assert!(!bot.say("Bob", "joust program Alpha").await.contains("hush"));
}

#[tokio::test]
async fn the_first_account_agrees_and_the_other_reads() {
    let mut bot = with_bobs_seat_given().await;
    bot.told().await;
    reads(&bot.say("Eve #nomic", "entrust Bob").await, &["The seat of Bob is yours"]);
    reads(&bot.say("Ann #nomic", "entrust Bob").await, &["You sealed nothing under the seat of Bob"]);
    assert!(!bot.say("Eve", "joust program Alpha").await.contains("hush"));
    reads(&bot.say("Bob #nomic", "entrust Bob").await, &["Whoever sits as Bob may read it now"]);
    reads(&bot.told().await[0], &["#nomic: Who had the seat of Bob before lets the account that has it now read"]);
    reads(&bot.say("Eve", "joust program Alpha").await, &[CODE, "Salt of its hash"]);
    reads(&bot.say("Bob #nomic", "entrust Bob").await, &["You sealed nothing"]);
    reads(&bot.say("Eve #nomic", "joust reveal Alpha").await, &["public now"]);
    reads(&bot.told().await[0], &[CODE]);
}

#[tokio::test]
async fn who_has_the_seat_again_reads_again_and_what_is_public_is_so_for_all() {
    let mut bot = with_bobs_seat_given().await;
    let given = bot.seq("main");
    // What the new account seals is its own.
    reads(&bot.say("Eve", "joust submit Gamma >>>+ rustle").await, &["Gamma is received"]);
    reads(&bot.say("Eve", "joust program Gamma").await, &["rustle"]);
    reads(&bot.say("op #nomic", &format!("undo {given}")).await, &["a seat was given", "seat give NAME ACCOUNT"]);
    reads(&bot.say("op #nomic", "seat give Bob net/bob").await, &["belongs to that account now"]);
    bot.told().await;
    reads(&bot.say("Bob", "joust program Alpha").await, &[CODE, "Salt"]);
    let gamma = bot.say("Bob", "joust program Gamma").await;
    assert!(gamma.contains("ruling R1") && !gamma.contains("rustle"), "{gamma}");
    reads(&bot.say("Bob #nomic", "joust reveal Alpha").await, &["public now"]);
    for who in ["Ann", "Eve", "Zed"] {
        reads(&bot.say(who, "joust program Alpha").await, &[CODE, "Salt"]);
    }
}

/// A test that was asked for before the seat changed hands tells what was sealed to nobody else.
#[tokio::test]
async fn a_result_that_was_under_way_goes_to_nobody_else() {
    let mut bot = Bot::with_joust().await;
    bot.say("Bob", &format!("joust submit Alpha {CODE}")).await;
    bot.told().await;
    bot.hub.hold_work(true);
    bot.say("Bob", "joust test Alpha against joust1").await;
    bot.say("op #nomic", "seat give Bob net/eve").await;
    bot.told().await;
    bot.hub.hold_work(false);
    let told = bot.told().await;
    assert!(told.len() == 1 && told[0].starts_with("(to eve) (This was sealed under another account"), "{told:?}");
}

#[tokio::test]
async fn accounts_that_were_linked_are_one_person() {
    let mut bot = Bot::with_joust().await;
    bot.say("Bob", &format!("joust submit Alpha {CODE}")).await;
    let answer = bot.say("Cy", "link").await;
    let code = answer.split("link ").nth(1).and_then(|rest| rest.split_whitespace().next()).unwrap().to_owned();
    reads(&bot.say("Bob", &format!("link {code} yes")).await, &["Linked"]);
    for who in ["Bob", "Cy"] {
        reads(&bot.say(who, "joust program Alpha").await, &[CODE, "Salt"]);
    }
}

#[tokio::test]
async fn words_that_were_typed_in_private_are_shown_to_who_typed_them() {
    let mut bot = Bot::with_joust().await;
    bot.say("Bob", &format!("joust submit Alpha {CODE}")).await;
    bot.told().await;
    let entries = bot.store.entries(bot.hub.rooms()[0].id, 1, 100).await.unwrap();
    let named = |cause: &str| entries.iter().find(|entry| entry.cause == cause).expect("it happened").clone();
    let (submission, joining) = (named("joust submit"), named("join"));
    let submitted = submission.seq;
    bot.say("op #nomic", "seat give Bob net/eve").await;
    reads(&submission.json, &["\"command\":\"joust submit\",\"private\":true"]);
    reads(&joining.json, &["\"command\":\"join\",\"private\":false"]);
    let history = format!("history {submitted}");
    reads(&bot.say("Bob", &history).await, &["Words: joust submit", "Alpha"]);
    for who in ["Eve", "Ann", "op", "Bob #nomic"] {
        let answer = bot.say(who, &history).await;
        assert!(answer.contains("joust submit") && !answer.contains("Words:"), "{who}: {answer}");
    }
    // What a moderator typed may name accounts; what came of it is told.
    let given = bot.seq("main");
    let answer = bot.say("Ann", &format!("history {given}")).await;
    assert!(answer.contains("seat") && !answer.contains("net/eve"), "{answer}");
}

/// Spacenomic's moves are sealed too, and judged for who looks at them.
#[tokio::test]
async fn sealed_moves_are_shown_to_who_sealed_them_wherever_the_answer_is_private() {
    let mut bot = Bot::new().await;
    bot.say("op #space", "room open spacenomic main ends:2027-06-30").await;
    reads(&bot.say("op", "move set go (1, 2)").await, &["Your location move is"]);
    // In a channel it is answered privately, and so it is where only the speaker sees the answer.
    let mut aside = bot.line("op #space", "show yours");
    aside.place = Place::Aside(forum("#space"));
    for answer in [bot.say("op #space", "show yours").await, bot.hear(aside).await] {
        reads(&answer, &["(privately) Your moves", "go (1, 2)", "As things stand it could"]);
    }
    reads(&bot.say("op", "show yours").await, &["go (1, 2)", "As things stand it could"]);
    bot.say("op #space", "seat give op net/eve").await;
    let answer = bot.say("Eve", "show yours").await;
    assert!(answer.contains("Your location move") && answer.contains("ruling R1"), "{answer}");
    assert!(!answer.contains("go (1, 2)") && !answer.contains("As things stand"), "{answer}");
}
