//! The story of an nweek of B Nomic on Discord. Founders come, take ministries, propose by windows, vote by buttons,
//! and read what every ministry shows.

use super::{
    CHANNEL, GUILD, Person, World, ann, args,
    blognomic::{cat, does, offered, presses},
    bob, moderator,
};
use crate::ministries::DISPLAYS;

/// From the opening, on a Monday at noon, to the midnight with which nday 9 begins: seven days and a half.
const TO_VOTING_HOURS: i64 = 180;

/// From there to the midnight with which the next nweek begins.
const TO_THE_END_HOURS: i64 = 96;

async fn opened(world: &World) {
    let given = [("game", "bnomic"), ("name", "main"), ("founders", "Ann, Bob, Cat")];
    world.fake.slash(&moderator(), CHANNEL, "room open", &args(&given));
    world.fake.sees(&ann(), CHANNEL, "B Nomic is open here, in nweek 135, with the Clock Off.").await;
    world.fake.registered(GUILD, "ministry").await;
    for (person, name) in [(ann(), "Ann"), (bob(), "Bob"), (cat(), "Cat")] {
        does(world, &person, "join", &[("name", name)]).await;
    }
    world.fake.sees(&moderator(), CHANNEL, "Cat is a Player now, as a founder whom the moderator named.").await;
    let posts = [
        (moderator(), "Ministry"),
        (ann(), "Change"),
        (bob(), "Law"),
        (bob(), "Time"),
        (cat(), "Society"),
        (cat(), "Goods"),
        (cat(), "Play"),
        (cat(), "Questions"),
        (cat(), "Laundry"),
        (cat(), "Fauna"),
        (cat(), "Judging"),
        (cat(), "Business"),
        (cat(), "Foreign Relations"),
    ];
    for (person, ministry) in posts {
        does(world, &person, "ministry take", &[("ministry", ministry)]).await;
    }
    world.fake.sees(&bob(), CHANNEL, "Cat takes the Ministry of Foreign Relations.").await;
}

async fn proposes(world: &World, who: &Person, title: &str, text: &str) {
    let token = world.fake.slash(who, CHANNEL, "propose", &args(&[("title", title)]));
    let token = world.fake.fill(who, &token, text).await;
    world.fake.answer(&token).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_nweek_is_played_from_the_founders_to_the_results() {
    let mut world = World::new().await;
    opened(&world).await;

    proposes(&world, &ann(), "Longer", "One nday more.\n=> set last-nday to 13").await;
    proposes(&world, &bob(), "Dear", "Depends on: 1\n=> set mackerel-rate to 4").await;
    proposes(&world, &cat(), "Merry", "Everybody is merry.").await;
    world.fake.sees(&ann(), CHANNEL, "Proposal 3, “Merry” by Cat").await;
    let no = world.fake.slash(&bob(), CHANNEL, "clock on", &[]);
    let no = world.fake.answer(&no).await.text();
    assert!(no.contains("only the Minister of Ministry") || no.contains("Only the Minister of Ministry"), "{no}");
    does(&world, &moderator(), "clock on", &[]).await;

    // A challenge is owed an answer, by the office that keeps the display.
    does(&world, &ann(), "challenge", &[("display", "society"), ("errors", "Ann has 60 mackerel, not 50.")]).await;
    does(&world, &cat(), "answer", &[("duty", "1"), ("text", "She has 50.")]).await;
    world.fake.sees(&bob(), CHANNEL, "Cat answers duty 1: She has 50.").await;

    // What is announced offers objecting, to whoever is no Twin any more (4E61).
    does(&world, &cat(), "mutate", &[("dna", "CA")]).await;
    does(&world, &bob(), "retitle", &[("rule", "76"), ("title", "Ups")]).await;
    let announced = offered(&world, &cat(), "announces the intention to", "Object").await;
    let told = presses(&world, &cat(), &announced, "Object").await;
    assert!(told.contains("Noted"), "{told}");
    world.fake.sees(&ann(), CHANNEL, "Cat objects to intention 1 of Bob").await;

    // Voting: by the buttons of the ballot, across a restart.
    world.pass(jiff::SignedDuration::from_hours(TO_VOTING_HOURS));
    let ballot = offered(&world, &ann(), "Ballot of nweek 135 of B Nomic", "1 FOR").await;
    let choices = world.fake.complete(&ann(), CHANNEL, "vote", "on", "lon").await;
    assert_eq!(choices, [("1 Longer".to_owned(), "1".to_owned())]);
    for (person, label) in [(ann(), "1 FOR"), (bob(), "1 FOR"), (cat(), "1 AGAINST"), (bob(), "2 FOR")] {
        let told = presses(&world, &person, &ballot, label).await;
        assert!(told.contains("Your vote on Proposal"), "{told}");
    }
    let yours = offered(&world, &bob(), "Ballot of nweek 135 of B Nomic", "Your votes").await;
    let told = presses(&world, &bob(), &yours, "Your votes").await;
    assert!(told.contains("you voted FOR") && told.contains("you have not voted on it"), "{told}");
    let told = does(&world, &cat(), "voted", &[("on", "proposal 1")]).await;
    assert!(told.contains("you voted AGAINST"), "{told}");
    world.restart().await;
    for (person, label) in [(moderator(), "2 FOR"), (cat(), "2 SHELVE"), (cat(), "3 ABSTAIN")] {
        presses(&world, &person, &ballot, label).await;
    }
    world.fake.sees(&ann(), CHANNEL, "Cat votes ABSTAIN on Proposal 3").await;
    does(&world, &ann(), "clock on", &[]).await;
    world.pass(jiff::SignedDuration::from_hours(TO_THE_END_HOURS));
    world.fake.sees(&bob(), CHANNEL, "Results of nweek 135 of B Nomic").await;
    // What the end brings about beside the results, of which some can be submitted again, is one message.
    let end = world.fake.sees(&bob(), CHANNEL, "Nweek 136 begins. The Clock is Off.").await;
    assert!(end.says().contains("The Active Players gain m25"), "{}", end.text());
    let steps = does(&world, &cat(), "show", &[("display", "proposal/3")]).await;
    assert!(steps.contains("Step 1: Discarded"), "{steps}");

    // The rules are as they were voted, and so is the rate.
    assert!(does(&world, &cat(), "rule show", &[("rule", "14")]).await.contains("13"));
    does(&world, &bob(), "mackerel exchange", &[("amount", "1")]).await;
    world.fake.sees(&cat(), CHANNEL, "Bob exchanges 1 point for m4.").await;
    for (display, title) in DISPLAYS {
        let shown = does(&world, &cat(), "show", &[("display", display)]).await;
        assert!(shown.contains(title), "{display}: {shown}");
    }
    world.end().await;
}
