//! BlogNomic as only the service shows it: several people at once, and texts beyond all bounds.

use super::*;

/// A room in which the operator and Ann are Admins, and Bob has a Proposal that can be enacted.
async fn ripe() -> Bot {
    let mut bot = Bot::new().await;
    bot.say("op #nomic", "room open blognomic main").await;
    for name in ["Ann", "Bob"] {
        bot.say(&format!("{name} #nomic"), &format!("robot apply {name} https://example.org/")).await;
        bot.say("op #nomic", &format!("admin set-up {name}")).await;
    }
    bot.say("op #nomic", "admin confer Ann").await;
    bot.say("Bob #nomic", "propose \"Longer\" => set timeout-hours to 72").await;
    bot.say("Ann #nomic", "vote 1 FOR").await;
    bot.told().await;
    bot
}

#[tokio::test]
async fn n129_of_two_admins_at_once_one_enacts() {
    let mut bot = ripe().await;
    let (one, two) = (bot.line("op #nomic", "admin enact 1"), bot.line("Ann #nomic", "admin enact 1"));
    let (one, two) = tokio::join!(bot.hub.hear(one), bot.hub.hear(two));
    let kinds = [&one, &two].map(|replies| replies[0].kind);
    assert!(kinds.contains(&ReplyKind::Announced) && kinds.contains(&ReplyKind::Refused), "{kinds:?}");
    let told = bot.told().await.join("\n");
    assert_eq!(told.matches("is now Enacted").count(), 1, "{told}");
    assert_eq!(told.matches("Bob gains 10 Power").count(), 1, "{told}");
    let late = if kinds[0] == ReplyKind::Refused { &one } else { &two };
    reads(&said(&late[0]), &["is no longer pending: it is Enacted"]);
}

/// A vote that comes with the enactment counts before it or is refused after it, and never stands half.
#[tokio::test]
async fn n130_a_vote_beside_an_enactment_is_before_or_after_it() {
    let mut bot = ripe().await;
    let (act, vote) = (bot.line("op #nomic", "admin enact 1"), bot.line("Ann #nomic", "vote 1 AGAINST"));
    let (act, vote) = tokio::join!(bot.hub.hear(act), bot.hub.hear(vote));
    let kinds = [act[0].kind, vote[0].kind];
    assert!(
        matches!(kinds, [ReplyKind::Announced, ReplyKind::Refused] | [ReplyKind::Refused, ReplyKind::Announced]),
        "{kinds:?}: {} {}",
        said(&act[0]),
        said(&vote[0])
    );
}

#[tokio::test]
async fn a_vote_that_is_delivered_twice_is_cast_once() {
    let mut bot = ripe().await;
    let line = bot.line("op #nomic", "vote 1 FOR");
    let first = bot.hear(line.clone()).await;
    reads(&first, &["Your vote on Proposal 1 ("]);
    let before = bot.seq("main");
    assert_eq!(bot.hear(line).await, "");
    assert_eq!(bot.seq("main"), before);
}

/// A proposal of a hundred kilobytes, line by line.
#[tokio::test]
async fn a_text_without_end_is_given_up() {
    let mut bot = ripe().await;
    bot.say("Ann #nomic", "propose \"Big\"").await;
    let before = bot.seq("main");
    let line = "power(self) = power(self) + 1 ".repeat(250);
    let mut answers = String::new();
    for _ in 0..14 {
        answers.push_str(&bot.say("Ann", &line).await);
    }
    answers.push_str(&bot.say("Ann", "end text").await);
    reads(&answers, &["bytes"]);
    assert_eq!(bot.seq("main"), before, "{answers}");
    assert_eq!(bot.told().await, Vec::<String>::new());
}
