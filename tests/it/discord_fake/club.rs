//! The club on Discord, a game whose documents and votes are laws: a proposal is one message that lives, with a button
//! for each word of its ballot, from its first vote to the end of its votes.

use std::time::Duration;

use super::{
    CHANNEL, GUILD, OTHER_CHANNEL, World, ann, args,
    blognomic::{cat, does, offered, presses},
    bob,
    living::{labels, shows},
    moderator,
};
use crate::fakes::discord::{Fake, Message};

/// The club in the channel, with three members.
pub(super) async fn club() -> World {
    let fake = Fake::start().await;
    fake.guild(GUILD, &[CHANNEL, OTHER_CHANNEL]);
    let mut world = World::on(fake, |settings| settings.refresh = Duration::from_millis(5)).await;
    world.connect().await;
    let given = [("game", "nomic"), ("name", "club"), ("ruleset", "club")];
    world.fake.slash(&moderator(), CHANNEL, "room open", &args(&given));
    world.fake.sees(&moderator(), CHANNEL, "7 rules are in force").await;
    world.fake.registered(GUILD, "propose").await;
    for person in [ann(), bob(), cat()] {
        does(&world, &person, "join", &[]).await;
    }
    world.fake.sees(&ann(), CHANNEL, "Cat joins the club").await;
    world
}

/// The labels of what is voted by, in their order, and what is asked beside it.
const BUTTONS: [&str; 5] = ["FOR", "AGAINST", "ABSTAIN", "Your vote", "Why?"];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_vote_made_by_laws_is_pressed_and_shows_in_the_message_that_offers_it() {
    let mut world = club().await;
    let made = does(&world, &ann(), "propose", &[("title", "Longer"), ("text", "=> set vote-days to 3")]).await;
    assert!(made.contains("Your Proposal is number 1.") && made.contains("vote-days  2    3"), "{made}");
    let first = offered(&world, &bob(), "Proposal 1 by Ann.", "FOR").await;
    let open = shows(&world, first.id, "Without a vote so far: Ann, Bob, Cat.").await;
    assert_eq!(labels(&open), BUTTONS);
    assert!(open.body["embeds"][0]["image"]["url"].is_string(), "its bars: {}", open.body);

    // A press is a vote. Its answer is for who pressed, and the message says who is missing.
    let press = world.fake.press(&bob(), &open, "FOR");
    let answer = world.fake.answer(&press).await;
    assert_eq!((answer.only, &*answer.says()), (Some(bob().id), "Your vote on Proposal 1 (Longer) is FOR."));
    let voted = shows(&world, first.id, "Votes: 1 FOR, 0 AGAINST, 0 ABSTAIN. 3 can vote.").await;
    assert!(voted.says().contains("Without a vote so far: Ann, Cat."), "{}", voted.says());
    let pictures = |message: &Message| message.files.iter().map(|(_, bytes)| bytes.clone()).collect::<Vec<_>>();
    assert_ne!(pictures(&open), pictures(&voted), "the bars are drawn anew");
    let nobody = presses(&world, &moderator(), &voted, "FOR").await;
    assert!(nobody.contains("You have no seat in this room yet."), "{nobody}");

    // A command offers what is open, by title and number, and the words of the ballot.
    does(&world, &bob(), "propose", &[("title", "Cake"), ("text", "=> set chair-points to 3")]).await;
    let choices = world.fake.complete(&cat(), CHANNEL, "vote", "on", "").await;
    let choice = |label: &str, number: &str| (label.to_owned(), number.to_owned());
    assert_eq!(choices, [choice("Proposal 1 (Longer)", "1"), choice("Proposal 2 (Cake)", "2")]);
    let cake = world.fake.complete(&cat(), CHANNEL, "vote", "on", "cak").await;
    assert_eq!(cake, [choice("Proposal 2 (Cake)", "2")]);
    let second = world.fake.complete(&cat(), CHANNEL, "vote", "on", "2").await;
    assert_eq!(second, [choice("Proposal 2 (Cake)", "2")]);
    let which = does(&world, &cat(), "vote", &[("vote", "AGAINST")]).await;
    assert!(which.contains("Type: /vote on:1 vote:AGAINST"), "{which}");
    does(&world, &bob(), "withdraw proposal", &[("on", "Cake")]).await;

    // Whoever has not voted is named before the end, and told in private where they asked for it.
    does(&world, &cat(), "remind", &[("switch", "on")]).await;
    world.restart().await;
    world.pass(jiff::SignedDuration::from_hours(36));
    let named = "The votes on Proposal 1 (Longer) end at 2026-11-04 12:00 UTC";
    let named = world.fake.sees(&cat(), CHANNEL, named).await;
    assert!(named.says().contains("Without a vote so far: Ann, Cat."), "{}", named.says());
    let private = world.fake.private_channel(cat().id);
    world.fake.sees(&cat(), private, "Proposal 1 (Longer) waits for your vote").await;

    // The rest votes by what one's own button offers. That goes on lying there when the votes are over.
    let own = world.fake.answer(&world.fake.press(&cat(), &voted, "Your vote")).await;
    assert!(own.says().contains("Proposal 1 (Longer): you have not voted on it."), "{}", own.says());
    presses(&world, &cat(), &own, "AGAINST").await;
    does(&world, &ann(), "vote", &[("vote", "FOR")]).await;
    shows(&world, first.id, "Votes: 2 FOR, 1 AGAINST, 0 ABSTAIN.").await;
    world.pass(jiff::SignedDuration::from_hours(12));
    world.fake.sees(&ann(), CHANNEL, "Proposal 1 (Longer) is now Adopted: 2 FOR, 1 AGAINST, 0 ABSTAIN.").await;
    let over = shows(&world, first.id, "it is Adopted").await;
    assert_eq!(labels(&over), Vec::<String>::new());
    let late = presses(&world, &cat(), &own, "FOR").await;
    assert!(late.contains("Proposal 1 (Longer) is not voted on: it is Adopted."), "{late}");
    world.end().await;
}
