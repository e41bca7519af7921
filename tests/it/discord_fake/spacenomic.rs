//! The story of some days of Spacenomic on Discord. Players are admitted by a button, and moves are set where nobody
//! reads them and are executed at noon. A vertex is taken, the map comes as a picture, income is paid, and a proposal
//! passes by buttons.

use super::{
    CHANNEL, GUILD, World, ann, args,
    blognomic::{does, offered, presses},
    bob, moderator,
};

/// What a picture begins with.
const PNG: &[u8] = b"\x89PNG\r\n";

/// From the opening, at noon, to the evaluation of the next day, and from there to the income of the evening.
const A_DAY_HOURS: i64 = 24;
const TO_THE_EVENING_HOURS: i64 = 9;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn days_in_space_are_played_from_an_admission_to_a_proposal() {
    let mut world = World::new().await;
    let given = [("game", "spacenomic"), ("name", "main"), ("ends", "2027-06-30 20:00")];
    world.fake.slash(&moderator(), CHANNEL, "room open", &args(&given));
    world.fake.sees(&moderator(), CHANNEL, "is its public forum").await;
    world.fake.registered(GUILD, "vertex").await;
    for (person, name) in [(ann(), "Ann"), (bob(), "Bob")] {
        world.fake.slash(&person, CHANNEL, "join", &args(&[("name", name)]));
        let asks = offered(&world, &moderator(), &format!("{name} asks to become a player"), "Admit").await;
        presses(&world, &moderator(), &asks, "Admit").await;
        world.fake.sees(&person, CHANNEL, &format!("admits {name}, who is a player now, with 97")).await;
    }

    // What is set is told to its player alone; all others read that, and its hash.
    for (person, to) in [(ann(), "go (1, 1)"), (bob(), "go (0, 0)")] {
        let token = world.fake.slash(&person, CHANNEL, "move set", &args(&[("what", to)]));
        let answer = world.fake.answer(&token).await;
        assert!(answer.only == Some(person.id) && answer.text().contains(to), "{}", answer.text());
    }
    // Nobody else sees it either where it is looked at in the channel.
    let token = world.fake.slash(&ann(), CHANNEL, "show", &args(&[("display", "yours")]));
    let own = world.fake.answer(&token).await;
    assert!(own.only == Some(ann().id) && own.text().contains("go (1, 1)"), "{}", own.text());
    world.fake.sees(&bob(), CHANNEL, "Its hash: ").await;
    let texts = world.fake.state().texts(CHANNEL, moderator().id);
    assert!(!texts.iter().any(|text| text.contains("go (")), "{texts:?}");

    world.restart().await;
    world.pass(jiff::SignedDuration::from_hours(A_DAY_HOURS));
    let done = world.fake.sees(&bob(), CHANNEL, "The location moves of 2026-11-03 12:00 UTC are executed.").await;
    assert!(done.text().contains("go (1, 1)") && done.text().contains("go (0, 0)"), "{}", done.text());

    let bought = does(&world, &ann(), "vertex buy", &[]).await;
    assert!(bought.contains("(1, 1) is yours."), "{bought}");
    let token = world.fake.slash(&bob(), CHANNEL, "vertex give", &args(&[("vertex", "1,1"), ("to", "Bob")]));
    assert!(world.fake.answer(&token).await.text().contains("(1, 1) is not yours"));

    // The map is a picture, with what a picture does not say in words beside it.
    let token = world.fake.slash(&bob(), CHANNEL, "show", &args(&[("display", "space")]));
    let map = world.fake.answer(&token).await;
    assert!(map.text().contains("There: (0, 0): Bob; (1, 1): Ann."), "{}", map.text());
    let (name, bytes) = map.files.first().expect("the map is a picture");
    assert!(name == "figure.png" && bytes.starts_with(PNG), "{name}");

    world.pass(jiff::SignedDuration::from_hours(TO_THE_EVENING_HOURS));
    let income = world.fake.sees(&bob(), CHANNEL, "Income of the day, from nowhere:").await.text();
    assert!(income.contains("2/3"), "Bob is one edge from the only vertex that a player owns: {income}");

    let token = world.fake.slash(&ann(), CHANNEL, "propose", &args(&[("title", "Tea")]));
    let token = world.fake.fill(&ann(), &token, "=> encourage drinking tea").await;
    world.fake.answer(&token).await;
    let open = offered(&world, &bob(), "Tea", "Vote 1").await;
    let choices = world.fake.complete(&bob(), CHANNEL, "vote", "on", "te").await;
    assert_eq!(choices, [("1 Tea".to_owned(), "1".to_owned())]);
    let yours = offered(&world, &bob(), "Tea", "Your vote").await;
    let told = presses(&world, &bob(), &yours, "Your vote").await;
    assert!(told.contains("“Tea”: you have not voted on it."), "{told}");
    for person in [ann(), bob()] {
        // One touch asks first, in private: a vote is final.
        let token = world.fake.press(&person, &open, "Vote 1");
        let sure = world.fake.answer(&token).await;
        assert!(sure.only.is_some() && sure.text().contains("A vote is final."), "{}", sure.text());
        presses(&world, &person, &sure, "Vote 1").await;
        if person.id == ann().id {
            let told = presses(&world, &ann(), &yours, "Your vote").await;
            assert!(told.contains("“Tea”: you voted 1."), "{told}");
            // A vote is final, so that whoever cast it is offered none.
            let token = world.fake.slash(&ann(), CHANNEL, "show", &args(&[("display", "proposal/1")]));
            let shown = world.fake.answer(&token).await;
            assert!(shown.text().contains("Tea") && shown.buttons().is_empty(), "{:?}", shown.buttons());
        }
    }
    world.fake.sees(&moderator(), CHANNEL, "the votes sum up to 2").await;
    assert!(does(&world, &bob(), "show", &[("display", "encouraged")]).await.contains("drinking tea"));
    world.end().await;
}
