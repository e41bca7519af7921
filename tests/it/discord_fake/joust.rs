//! The story of a joust on Discord: a moderator, three players, faults and restarts in between.

use super::{Arg, CHANNEL, GUILD, OTHER_CHANNEL, Person, World, ann, args, bob, moderator};
use crate::fakes::discord::Fault;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_room_is_opened_and_its_hill_is_shown() {
    let world = World::new().await;
    let names = world.fake.registered(GUILD, "room").await;
    assert!(!names.contains(&"joust".to_owned()), "a game that is not played there is not registered: {names:?}");
    world.started(&moderator()).await;
    let token = world.fake.slash(&bob(), CHANNEL, "joust hill", &[]);
    let hill = world.fake.answer(&token).await;
    assert!(hill.text().contains("```") && hill.only.is_none(), "{}", hill.text());
    world.end().await;
}

/// A program as strong as one of the house, with a mark that nobody else may read.
fn rival(mark: &str, house: &str) -> String {
    format!("{house}\n{mark}")
}

/// Every charge is as long as the others. Who enters the Hill depends on nothing that the order of answers decides. The
/// number of an entry, from which its dice are drawn, depends on that order.
async fn even_lengths(world: &World) {
    let lengths = vec![("length".to_owned(), 16); 80];
    world.hub.fix_dice(&world.hub.rooms()[0], lengths).await;
}

/// Something is said in the channel, once.
async fn once(world: &World, text: &str) {
    world.fake.sees(&bob(), CHANNEL, text).await;
    let state = world.fake.state();
    let said = state.shown(CHANNEL, bob().id).into_iter().filter(|message| message.body["nonce"].is_string());
    let count = said.filter(|message| message.text().contains(text)).count();
    assert_eq!(count, 1, "“{text}” was announced {count} times");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_joust_of_two_weeks_is_played_through_faults_and_restarts() {
    let mut world = World::new().await;
    let (cat, stranger) = (Person::new(504, "Cat"), Person::new(505, "Mallory"));
    let room = |world: &World| world.hub.rooms()[0].view();

    // Monday, 12:00. The moderator opens the room and begins; the first answer is lost on its way.
    world.fake.fault("POST", "/callback", Fault::LoseAnswer, 1);
    world.started(&moderator()).await;
    even_lengths(&world).await;
    for (person, name) in [(ann(), "Ann"), (bob(), "Bob"), (cat.clone(), "Cat")] {
        let token = world.fake.slash(&person, CHANNEL, "join", &args(&[("name", name)]));
        let answer = world.fake.answer(&token).await;
        assert_eq!(answer.only, Some(person.id), "the channel hears of it");
    }

    // Ann hands in a file, Bob types his program, Cat writes hers into a window.
    let anns = rival("annsmark", include_str!("../../../crates/joust/src/house/joust4.bf"));
    let bobs = rival("bobsmark", include_str!("../../../crates/joust/src/house/joust2.bf"));
    let cats = rival("catsmark", include_str!("../../../crates/joust/src/house/joust3.bf"));
    let file = Arg::File("alpha.bf", anns.clone().into_bytes());
    let token = world.fake.slash(&ann(), CHANNEL, "joust submit", &[("name", Arg::Text("Alpha")), ("code-file", file)]);
    let answer = world.fake.answer(&token).await;
    assert_eq!(answer.only, Some(ann().id), "{}", answer.text());
    world.restart().await;
    even_lengths(&world).await;
    world.fake.fault("POST", "/callback", Fault::Status(500, 0), 1);
    let token = world.fake.slash(&bob(), CHANNEL, "joust submit", &args(&[("name", "Beta"), ("code", &bobs)]));
    assert_eq!(world.fake.answer(&token).await.only, Some(bob().id));
    world.fake.state().gateway.cut();
    world.fake.until("a resumption", |state| state.gateway.heard.contains(&"resume").then_some(())).await;
    let token = world.fake.slash(&cat, CHANNEL, "joust submit", &args(&[("name", "Gamma")]));
    let token = world.fake.fill(&cat, &token, &cats).await;
    assert_eq!(world.fake.answer(&token).await.only, Some(cat.id));
    world.fake.fault("POST", &format!("/channels/{CHANNEL}/messages"), Fault::LoseAnswer, 2);
    world.quiet().await;
    world.restart().await;
    world.quiet().await;
    for (number, name) in [(1, "Alpha by Ann"), (2, "Beta by Bob"), (3, "Gamma by Cat")] {
        once(&world, &format!("Challenge {number}: {name}")).await;
    }
    let token = world.fake.slash(&cat, CHANNEL, "joust hill", &[]);
    let hill = world.fake.answer(&token).await.text();
    assert!(["Alpha", "Beta", "Gamma"].iter().all(|name| hill.contains(name)), "{hill}");

    // The contestmaster wants fewer programs. Two object, one by a button that is pressed twice and one by name, and
    // one of them thinks better of it. After five days it is done.
    let intend = [("what", "set"), ("subject", "weekly-programs"), ("text", "1")];
    world.fake.slash(&moderator(), CHANNEL, "joust intend", &args(&intend));
    let offered = world
        .fake
        .until("an offer", |state| {
            let shown = state.shown(CHANNEL, ann().id);
            shown.into_iter().find(|held| held.buttons().iter().any(|(label, _)| label == "Object")).cloned()
        })
        .await;
    world.restart().await;
    world.fake.press(&ann(), &offered, "Object");
    let twice = world.fake.press(&ann(), &offered, "Object");
    world.fake.answer(&twice).await;
    world.fake.slash(&bob(), CHANNEL, "joust object", &args(&[("id", "1")]));
    world.fake.sees(&cat, CHANNEL, "Bob objects to notice 1").await;
    once(&world, "Ann objects to notice 1").await;
    world.fake.slash(&bob(), CHANNEL, "joust unobject", &args(&[("id", "1")]));
    let early = world.fake.slash(&moderator(), CHANNEL, "joust do", &args(&[("id", "1")]));
    assert_eq!(world.fake.answer(&early).await.only, Some(moderator().id), "before its time");
    world.pass(jiff::SignedDuration::from_hours(24 * 5));
    let token = world.fake.slash(&moderator(), CHANNEL, "joust do", &args(&[("id", "1")]));
    let done = world.fake.answer(&token).await;
    assert!(done.text().contains("is done"), "{}", done.text());

    // Two weeks are over: at Monday's first instant the Knights of members earn their points, while Discord is away.
    world.stop().await;
    world.fake.fault("GET", "/gateway", Fault::Status(503, 0), 2);
    world.clock.advance_to("2026-11-16T00:20:00Z".parse().expect("an instant"));
    world.restart().await;
    once(&world, "Points for the week from 2026-11-16 00:00 UTC").await;
    let token = world.fake.slash(&ann(), CHANNEL, "joust points", &[]);
    let points = world.fake.answer(&token).await.text();
    assert!(["Ann", "Bob", "Cat"].iter().all(|name| points.contains(name)), "{points}");

    // A stranger reads what is public, and changes nothing, though the server shows them every command.
    world.fake.state().opened.insert(GUILD);
    let before = room(&world).seq();
    let tries: &[(&str, &[(&str, &str)])] = &[
        ("joust terminate", &[]),
        ("joust do", &[("id", "1")]),
        ("joust intend", &[("what", "remove"), ("subject", "Alpha")]),
        ("joust object", &[("id", "1")]),
        ("joust remove", &[("name", "Alpha")]),
        ("joust reveal", &[("name", "Alpha")]),
        ("room close", &[]),
        ("room settings", &[("setting", "clock"), ("value", "manual")]),
        ("forum unbind", &[]),
        ("forum designate", &[("designation", "discussion")]),
        ("moderator add", &[("who", "<@505>")]),
        ("tick", &[]),
        ("pause", &[]),
        ("undo", &[("entry", "3"), ("reason", "spite")]),
        ("correct", &[("path", "ann.points"), ("value", "0"), ("reason", "spite")]),
        ("ban", &[("who", "<@502>")]),
        ("export", &[]),
        ("backup", &[]),
    ];
    for (name, given) in tries {
        let token = world.fake.slash(&stranger, CHANNEL, name, &args(given));
        let answer = world.fake.answer(&token).await;
        assert_eq!(answer.only, Some(stranger.id), "{name}: {}", answer.text());
        assert!(answer.files.is_empty(), "{name}");
    }
    let everything: Vec<&str> = tries.iter().map(|(name, _)| *name).collect();
    let token = world.fake.slash(&stranger, CHANNEL, "type", &args(&[("lines", &everything.join("; "))]));
    world.fake.answer(&token).await;
    assert_eq!(room(&world).seq(), before);

    // Bob publishes his program; the others' were never sent to anybody, and no token either.
    let token = world.fake.slash(&bob(), CHANNEL, "joust reveal", &args(&[("name", "Beta")]));
    world.fake.answer(&token).await;
    world.fake.sees(&stranger, CHANNEL, "bobsmark").await;
    for secret in ["annsmark", "catsmark", &anns, &cats] {
        assert!(!world.fake.heard(secret), "a program went out");
    }
    for (number, name) in [(1, "Alpha by Ann"), (2, "Beta by Bob"), (3, "Gamma by Cat")] {
        once(&world, &format!("Challenge {number}: {name}")).await;
    }
    world.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_moderator_by_role_keeps_order_only_where_the_room_is() {
    let fake = crate::fakes::discord::Fake::start().await;
    fake.guild(GUILD, &[CHANNEL, OTHER_CHANNEL]);
    fake.guild(8, &[80]);
    let mut world = World::on(fake, |settings| settings.moderator_roles = vec![900]).await;
    world.connect().await;
    world.fake.registered(8, "help").await;
    let by_role = Person { roles: vec![900], ..Person::new(510, "Role") };
    let elsewhere = Person::new(511, "Boss").managing();
    world.open_room(&by_role).await;
    let seq = world.hub.rooms()[0].view().seq();

    // Who manages another server manages no room of this one, and cannot take it over.
    for (name, given) in [
        ("room close", vec![("room", "main")]),
        ("forum bind", vec![("channel", "80"), ("designation", "public"), ("room", "main")]),
        ("ignore", vec![("who", "<@510>")]),
    ] {
        let token = world.fake.slash(&elsewhere, 80, name, &args(&given));
        let answer = world.fake.answer(&token).await;
        assert!(answer.text().contains("nly moderators"), "{name}: {}", answer.text());
    }
    // Nor does this one's moderator reach into the other server.
    let bind = [("channel", "80"), ("designation", "public")];
    let token = world.fake.slash(&by_role, CHANNEL, "forum bind", &args(&bind));
    let answer = world.fake.answer(&token).await;
    assert!(answer.text().contains("your own server"), "{}", answer.text());
    assert_eq!(world.hub.rooms()[0].view().seq(), seq);
    world.end().await;
}
