//! What is for one person alone. It reaches them where their private messages are shut, waits for them where nothing
//! does, and is read by nobody else.

use port::Account;

use super::{CHANNEL, SECRET, World, ann, args, bob, moderator};
use crate::fakes::discord::{Fault, Message, Person};

/// Shuts the private messages of somebody.
fn shut(world: &World, person: &Person) -> u64 {
    let private = world.fake.private_channel(person.id);
    world.fake.state().closed.insert(private);
    private
}

/// A world in which Ann is a member of the contest and takes no private messages.
async fn with_ann() -> World {
    let world = World::new().await;
    world.started(&moderator()).await;
    let token = world.fake.slash(&ann(), CHANNEL, "join", &args(&[("name", "Ann")]));
    world.fake.answer(&token).await;
    shut(&world, &ann());
    world
}

/// Has Ann test a program; gives the answer.
async fn test(world: &World) -> Message {
    let code = [("code", SECRET), ("against", "joust3")];
    let token = world.fake.slash(&ann(), CHANNEL, "joust test", &args(&code));
    world.fake.answer(&token).await
}

/// Waits until nothing waits to be delivered.
async fn settled(world: &World) {
    world.quiet().await;
    while world.store.pending().await.expect("the store answers") > 0 {
        tokio::task::yield_now().await;
    }
}

/// Waits until something waits for Ann, or nothing does any more: an answer is seen before it counts as handed over.
async fn waits(world: &World, something: bool) {
    let account = [Account { service: "discord".to_owned(), id: ann().id.to_string() }];
    while world.store.inbox(&account, false).await.expect("the store answers").is_empty() == something {
        tokio::task::yield_now().await;
    }
}

async fn inbox(world: &World, of: &Person, given: &[(&str, &str)]) -> Message {
    let token = world.fake.slash(of, CHANNEL, "inbox", &args(given));
    world.fake.answer(&token).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_result_goes_into_the_answer_where_private_messages_are_shut() {
    let world = with_ann().await;
    let asked = test(&world).await;
    assert_eq!(asked.only, Some(ann().id));
    let result = world.fake.sees(&ann(), CHANNEL, "Test 1 of your text").await;
    assert_eq!(result.only, Some(ann().id), "nobody else sees it");
    settled(&world).await;
    assert_eq!(world.store.undeliverable().await.expect("the store answers"), []);
    assert!(inbox(&world, &ann(), &[]).await.text().contains("Nothing waits for you"));
    world.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_comes_too_late_for_an_answer_waits_in_the_inbox_of_its_owner() {
    let world = with_ann().await;
    world.hub.hold_work(true);
    test(&world).await;
    for interaction in world.fake.state().interactions.values_mut() {
        interaction.expired = true;
    }
    world.hub.hold_work(false);
    settled(&world).await;
    let given_up = world.store.undeliverable().await.expect("the store answers");
    assert!(given_up.len() == 1 && given_up[0].reason.contains("50007"), "{given_up:?}");
    assert!(inbox(&world, &bob(), &[]).await.text().contains("Nothing waits for you"));

    // She is told once, beside what she asks for.
    for told in [true, false] {
        let token = world.fake.slash(&ann(), CHANNEL, "me", &[]);
        let answer = world.fake.answer(&token).await;
        assert_eq!(answer.text().replace('`', "").contains("Type: /inbox"), told, "{}", answer.text());
    }
    // An answer that does not arrive is no reading of it.
    for (path, times) in [("/callback", 4), ("/webhooks/", 4)] {
        world.fake.fault("POST", path, Fault::Status(500, 0), times);
    }
    let failed = world.fake.slash(&ann(), CHANNEL, "inbox", &[]);
    let private = world.fake.private_channel(ann().id);
    let tries = |state: &crate::fakes::discord::State| {
        let path = format!("/api/v10/channels/{private}/messages");
        (state.requests.iter().filter(|(_, held)| *held == path).count() >= 2).then_some(())
    };
    world.fake.until("a try in private", tries).await;
    assert_eq!(world.fake.state().interactions[&failed].original, None);
    for (given, held) in [(&[][..], true), (&[], false), (&[("which", "all")], true)] {
        let answer = inbox(&world, &ann(), given).await;
        assert_eq!(answer.only, Some(ann().id));
        assert_eq!(answer.text().contains("Test 1 of your text"), held, "{given:?}: {}", answer.text());
        waits(&world, false).await;
    }
    world.end().await;
}

/// A first answer that Discord fails at: what was done is told in another way, to whom it was for.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_acted_hears_of_it_though_discord_fails_at_the_first_answer() {
    let world = World::new().await;
    world.started(&moderator()).await;
    world.fake.fault("POST", "/callback", Fault::Status(500, 0), 4);
    world.fake.slash(&ann(), CHANNEL, "joust hill", &[]);
    let public = world.fake.sees(&bob(), CHANNEL, "<@502>").await;
    assert!(public.only.is_none() && public.text().contains("Hill"), "{}", public.text());

    world.fake.fault("POST", "/callback", Fault::Status(500, 0), 4);
    world.fake.slash(&ann(), CHANNEL, "joust submit", &args(&[("name", "alpha"), ("code", SECRET)]));
    let private = world.fake.private_channel(ann().id);
    world.fake.sees(&ann(), private, "alpha is received").await;

    shut(&world, &ann());
    world.fake.fault("POST", "/callback", Fault::Status(500, 0), 4);
    world.fake.slash(&ann(), CHANNEL, "joust submit", &args(&[("name", "beta"), ("code", SECRET)]));
    waits(&world, true).await;
    let kept = inbox(&world, &ann(), &[]).await;
    assert!(kept.only == Some(ann().id) && kept.text().contains("beta is received"), "{}", kept.text());
    waits(&world, false).await;
    assert!(inbox(&world, &ann(), &[]).await.text().contains("Nothing waits for you"));
    let others = world.fake.state().texts(CHANNEL, bob().id);
    assert!(others.iter().all(|text| !text.contains("is received")), "{others:?}");
    assert!(!world.fake.heard(SECRET));
    world.end().await;
}
