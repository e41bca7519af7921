//! How a room stands: what waits for votes and what for somebody's turn, what comes next, in words of the game.

use super::Bot;
use port::gallery::{Filter, Gallery, Happened};

/// A room of BlogNomic in `#blog` with three Robots, and a Proposal of Ann's.
async fn with_proposal() -> Bot {
    let mut bot = Bot::new().await;
    bot.say("op #blog", "room open blognomic main").await;
    // The virus of a Monday might halve the hours of a Proposal, and the dice are none of these tests'.
    bot.say("op #blog", "correct law/13 suspended because it is none of this story").await;
    for name in ["Ann", "Bob", "Cat"] {
        bot.say(&format!("{name} #blog"), &format!("robot apply {name} https://example.org/")).await;
        bot.say("op #blog", &format!("admin set-up {name}")).await;
    }
    bot.say("Ann #blog", "propose \"Longer\" => set timeout-hours to 72").await;
    bot
}

/// Given a Proposal that has its Quorum, it waits for the Admin Staff and no longer for votes. A second one with a Quorum
/// waits for the first.
#[tokio::test]
async fn what_has_its_quorum_waits_for_no_vote() {
    let mut bot = with_proposal().await;
    let open = bot.say("Bob #blog", "show standing").await;
    super::reads(&open, &["To be voted on", "Proposal 1 (Longer)", "Bob, Cat"]);
    bot.say("Bob #blog", "propose \"Second\" Nothing.").await;
    for (on, who) in [("1", "Bob"), ("1", "Cat"), ("2", "Ann"), ("2", "Cat")] {
        bot.say(&format!("{who} #blog"), &format!("vote {on} FOR")).await;
    }
    let ripe = bot.say("Bob #blog", "show standing").await;
    super::reads(&ripe, &["Nothing waits for votes.", "Proposal 1 (Longer) can be enacted"]);
    super::reads(&ripe, &["Proposal 2 (Second) has its Quorum and waits for older ones"]);
    let turn = bot.say("op", "remind").await;
    assert!(
        turn.contains("It is your turn: Proposal 1 (Longer) can be enacted. Type: admin enact 1 (in #blog)"),
        "{turn}"
    );
    assert!(!bot.say("Bob", "remind").await.contains("“Longer”"));
}

/// Given a Proposal, all that tells when its time is over names the same instant, in words.
#[tokio::test]
async fn a_deadline_is_one_instant_wherever_it_is_told() {
    let mut bot = with_proposal().await;
    let over = "2026-11-20 12:00:01 UTC";
    let shown = bot.say("Bob #blog", "show proposal 1").await;
    assert!(shown.contains(&format!("Its time runs out at {over}.")), "{shown}");
    let own = bot.say("Bob", "voted proposal 1").await;
    assert!(own.contains("you have not voted on it.") && own.contains(&format!("It ends at {over}")), "{own}");
    let standing = bot.say("Bob #blog", "show standing").await;
    super::reads(&standing, &[over, &format!("Next by itself: “time out” of rule 7, Time Out at {over}.")]);
    for (who, line) in [("Bob #blog", "show due"), ("op #blog", "tick")] {
        let told = bot.say(who, line).await;
        assert!(told.contains("“time out” of rule 7, Time Out") && !told.contains("time-out/"), "{told}");
    }
}

/// Given ministries that nobody holds, the room says so, to nobody in particular.
#[tokio::test]
async fn ministries_that_nobody_holds_can_be_taken() {
    let mut bot = Bot::new().await;
    bot.say("op #nomic", "room open bnomic main").await;
    let shown = bot.say("op #nomic", "show standing").await;
    super::reads(&shown, &["To be done", "Vacant ministries to take: ", " more"]);
    assert!(!bot.say("op", "remind").await.contains("Vacant ministries"));
}

/// Given Players with attributes that laws define beside the game's own, each fits a line of a table.
#[tokio::test]
async fn attributes_of_players_are_tables_that_fit_a_line() {
    let mut bot = Bot::new().await;
    bot.say("op #nomic", "room open bnomic main").await;
    let shown = bot.say("op #nomic", "show society").await;
    let heads: Vec<&str> = shown.lines().filter(|line| line.starts_with(' ')).collect();
    assert!(heads.len() > 1 && heads[0].contains("mackerel") && !heads[0].contains("dna"), "{shown}");
    assert!(heads[1..].iter().any(|head| head.contains("dna")), "{shown}");
    assert!(!shown.contains("; score:"), "{shown}");
}

/// Given a clock that was moved by hand past several instants, the journal names the line once.
#[tokio::test]
async fn what_is_on_the_way_of_a_tick_does_not_repeat_its_line() {
    let mut bot = Bot::new().await;
    bot.say("op #nomic", "room open joust main clock:manual").await;
    bot.say("op #nomic", "joust start").await;
    bot.say("op #nomic", "tick until 2026-12-09 00:00").await;
    let leaf = Gallery::journal(&bot.hub, "main", &Filter::default()).await.expect("the room is there");
    let typing = |happened: &Happened| {
        let typed = happened.typed.iter().chain([&happened.sentence]);
        typed.into_iter().any(|text| text.contains("tick until"))
    };
    assert_eq!(leaf.entries.iter().filter(|entry| typing(entry)).count(), 1, "{:?}", leaf.entries);
    let on_the_way =
        leaf.entries.iter().filter(|entry| entry.sentence.starts_with("The room's clock moves on to 2026-"));
    assert!(on_the_way.count() >= 2, "{:?}", leaf.entries);
}

/// Given rulings that are written in Markdown, whoever reads them sees none of its marks.
#[tokio::test]
async fn rulings_are_read_without_marks() {
    let mut bot = Bot::with_joust().await;
    let all = bot.say("Ann #nomic", "show rulings").await;
    assert!(all.contains("Rulings on the Brainfuck Joust"), "{all}");
    assert!(all.contains("Rulings on the Joust") || all.contains("Rulings on"), "{all}");
    assert!(!all.lines().any(|line| line.starts_with('#')) && !all.contains('`'), "{all}");
    let one = bot.say("Ann #nomic", "why J14").await;
    assert!(one.contains("Ruling J14") && !one.contains('`'), "{one}");
}
