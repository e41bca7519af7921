//! The inbox: what could not be delivered to somebody, read by them alone.

use kernel::display::Document;
use store::INBOX_MAX_COUNT;

use super::*;

/// Has Ann ask for the result of a test, which comes to her alone.
async fn asks(bot: &mut Bot) {
    bot.told().await;
    reads(&bot.say("Ann", "joust test >+ against joust3").await, &["its result comes to you privately"]);
    bot.hub.settle().await.expect("the test is played");
}

/// Delivers to these accounts, and gives up what is for others; in the order in which it is handed out.
async fn only_to(bot: &Bot, takes: &[&str]) {
    while let Some(delivery) = bot.hub.delivery_now(NETWORK).await.expect("the outbox can be read") {
        match &delivery.to {
            Destination::Person(account) if !takes.contains(&account.id.as_str()) => {
                bot.hub.abandon_delivery(delivery.id, "it is shut").await;
            }
            _ => bot.hub.delivered(delivery.id).await,
        }
    }
}

/// Reads an inbox, and has the answer handed over.
async fn inbox(bot: &mut Bot, who: &str) -> String {
    let line = bot.line(who, "inbox");
    let answer = bot.hear(line.clone()).await;
    bot.hub.handed_over(&line.origin).await;
    answer
}

const RESULT: &str = "Test 1 of your text";
const NOTHING: &str = "Nothing waits for you";

#[tokio::test]
async fn what_was_given_up_is_shown_to_its_owner_until_the_answer_was_handed_over() {
    let mut bot = Bot::with_joust().await;
    asks(&mut bot).await;
    only_to(&bot, &[]).await;
    reads(&inbox(&mut bot, "Bob").await, &[NOTHING]);
    reads(&inbox(&mut bot, "op").await, &[NOTHING]);
    let mut thief = bot.line("Ann", "inbox");
    thief.from.account = Some(account("mallory"));
    reads(&bot.hear(thief.clone()).await, &[NOTHING]);
    thief.from.account = None;
    reads(&bot.hear(thief).await, &["does not say who you are"]);

    // She is told once, where nobody else reads it.
    assert!(!bot.say("Ann #nomic", "hill").await.contains("inbox"));
    reads(&bot.say("Ann", "me").await, &["Type: inbox"]);
    assert!(!bot.say("Ann", "me").await.contains("Type: inbox"));

    for _ in 0..2 {
        let answer = bot.say("Ann #nomic", "inbox").await;
        reads(&answer, &["(privately) Your inbox", "2026-11-18 12:00 UTC, from @main", RESULT, "joust3"]);
    }
    bot.restart().await;
    reads(&inbox(&mut bot, "Ann").await, &[RESULT]);
    reads(&inbox(&mut bot, "Ann").await, &[NOTHING, "inbox all"]);
    reads(&bot.say("Ann", "inbox all").await, &[RESULT]);
    reads(&bot.say("Bob", "inbox all").await, &["Nothing is kept for you"]);
}

#[tokio::test]
async fn who_got_it_on_another_account_needs_no_copy() {
    for (takes, kept) in [(&["ann"][..], false), (&["ann2"], false), (&["ann", "ann2"], false), (&[], true)] {
        let mut bot = Bot::with_joust().await;
        let code = bot.say("Ann", "link").await;
        let code = code.rsplit(' ').next().expect("a code").to_owned();
        reads(&bot.say("Ann2", &format!("link {code}")).await, &["Linked"]);
        asks(&mut bot).await;
        only_to(&bot, takes).await;
        // On whichever account she asks, and once.
        let answer = inbox(&mut bot, "Ann2").await;
        assert_eq!(answer.matches(RESULT).count(), usize::from(kept), "{takes:?}: {answer}");
        for who in ["Ann", "Ann2"] {
            reads(&inbox(&mut bot, who).await, &[NOTHING]);
        }
    }
}

#[tokio::test]
async fn who_is_forgotten_leaves_nothing_in_an_inbox() {
    let mut bot = Bot::with_joust().await;
    asks(&mut bot).await;
    only_to(&bot, &[]).await;
    bot.hub.keep_for(&account("ann"), &Document::say("An answer that was lost.")).await;
    reads(&bot.say("Ann", "forget me yes").await, &["You are forgotten here"]);
    assert_eq!(bot.store.inbox(&[account("ann")], true).await.expect("the store answers"), []);
    bot.say("Ann #nomic", "join").await;
    reads(&bot.say("Ann", "inbox all").await, &["Nothing is kept for you"]);
}

#[tokio::test]
async fn an_inbox_is_bounded_and_what_is_old_goes() {
    let mut bot = Bot::new().await;
    let ann = account("ann");
    for number in 0..=INBOX_MAX_COUNT {
        bot.hub.keep_for(&ann, &Document::say(format!("Answer {number}."))).await;
    }
    let kept = bot.store.inbox(std::slice::from_ref(&ann), false).await.expect("the store answers");
    assert_eq!(i64::try_from(kept.len()), Ok(INBOX_MAX_COUNT));
    assert!(!kept.iter().any(|kept| kept.document.contains("Answer 0.")));
    let first = inbox(&mut bot, "Ann").await;
    reads(&first, &["Answer 1.", "Answer 2.", "more wait. Type again: inbox"]);
    assert!(!first.contains("Answer 30."), "one page at a time");
    reads(&inbox(&mut bot, "Ann").await, &["Answer 21."]);
    bot.wait("2027-02-17T12:00:00Z").await;
    bot.hub.keep_for(&account("bob"), &Document::say("Another.")).await;
    reads(&bot.say("Ann", "inbox all").await, &["Nothing is kept for you"]);
}
