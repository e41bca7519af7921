//! The story of a joust on Discord: a moderator, three players, faults and restarts in between.

use super::{Arg, CHANNEL, GUILD, OTHER_CHANNEL, Person, SECRET, World, ann, args, bob, moderator};
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

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_joust_is_played_through_faults_and_restarts() {
    let mut world = World::new().await;
    let (cat, stranger) = (Person::new(504, "Cat"), Person::new(505, "Mallory"));
    world.fake.fault("POST", "/callback", Fault::LoseAnswer, 1);
    world.started(&moderator()).await;

    // Ann hands in a file, Bob types his program, Cat writes hers into a window.
    let file = Arg::File("alpha.bf", SECRET.as_bytes().to_vec());
    let token = world.fake.slash(&ann(), CHANNEL, "joust submit", &[("name", Arg::Text("alpha")), ("code-file", file)]);
    let answer = world.fake.answer(&token).await;
    assert_eq!(answer.only, Some(ann().id), "{}", answer.text());
    world.fake.sees(&bob(), CHANNEL, "alpha").await;
    world.restart().await;

    world.fake.fault("POST", "/callback", Fault::Status(500, 0), 1);
    let typed = [("name", "beta"), ("code", "(>)*8([+[--[(+)*9[-]]]>])*21")];
    let token = world.fake.slash(&bob(), CHANNEL, "joust submit", &args(&typed));
    assert_eq!(world.fake.answer(&token).await.only, Some(bob().id));

    world.fake.state().gateway.cut();
    world.fake.until("a resumption", |state| state.gateway.heard.contains(&"resume").then_some(())).await;
    let token = world.fake.slash(&cat, CHANNEL, "joust submit", &args(&[("name", "gamma")]));
    let token = world.fake.fill(&cat, &token, "(>)*7([-]>)*22\n").await;
    assert_eq!(world.fake.answer(&token).await.only, Some(cat.id));

    world.fake.fault("POST", &format!("/channels/{CHANNEL}/messages"), Fault::LoseAnswer, 2);
    world.quiet().await;
    world.restart().await;
    world.quiet().await;
    for name in ["alpha", "beta", "gamma"] {
        let shown = world.fake.sees(&bob(), CHANNEL, &format!("{name} ")).await;
        assert!(shown.only.is_none());
    }
    let token = world.fake.slash(&cat, CHANNEL, "joust hill", &[]);
    let hill = world.fake.answer(&token).await.text();
    assert!(["alpha", "beta", "gamma"].iter().filter(|name| hill.contains(*name)).count() >= 1, "{hill}");

    // A stranger reads what is public and changes nothing.
    let before = world.hub.rooms()[0].view().seq();
    for (name, given) in [("joust terminate", vec![]), ("room close", vec![]), ("tick", vec![])] {
        let token = world.fake.slash(&stranger, CHANNEL, name, &args(&given));
        let answer = world.fake.answer(&token).await;
        assert_eq!(answer.only, Some(stranger.id), "{name}: {}", answer.text());
    }
    assert_eq!(world.hub.rooms()[0].view().seq(), before);

    // Every announcement came once, whatever was lost.
    let texts = world.fake.state().texts(CHANNEL, stranger.id);
    for name in ["alpha", "beta", "gamma"] {
        let submitted = texts.iter().filter(|text| text.contains("submitted") && text.contains(name)).count();
        assert!(submitted <= 1, "{name} was announced {submitted} times: {texts:#?}");
    }
    for secret in [SECRET, "([+[--[(+)*9[-]]]>])", "([-]>)*22"] {
        assert!(!world.fake.heard(secret), "a program went out");
    }
    assert!(!world.fake.heard(crate::fakes::discord::TOKEN) || world.fake.state().gateway.begun() > 0);
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
