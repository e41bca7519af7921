//! Answers: in time, to whom they should be, and through faults.

use std::time::Duration;

use super::{Arg, CHANNEL, GUILD, OTHER_CHANNEL, SECRET, World, ann, args, bob, moderator};
use crate::fakes::discord::{Fake, Fault};

/// Every text that a player can write, written so that it would ping everybody and break out of its frame.
const PING: &str = "@everyone <@&7> <@502> ```\n# big **bold** [x](https://evil.example)";

/// A world in which every answer is promised first.
async fn slow() -> World {
    let fake = Fake::start().await;
    fake.guild(GUILD, &[CHANNEL, OTHER_CHANNEL]);
    let mut world = World::on(fake, |settings| settings.patience = Duration::ZERO).await;
    world.connect().await;
    world
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_promise_has_the_visibility_of_its_answer() {
    let world = slow().await;
    world.started(&moderator()).await;
    let private = world.fake.slash(&ann(), CHANNEL, "help", &[]);
    assert_eq!(world.fake.answer(&private).await.only, Some(ann().id));
    let public = world.fake.slash(&ann(), CHANNEL, "joust hill", &[]);
    assert_eq!(world.fake.answer(&public).await.only, None);
    // A refusal is for the one who tried, though the promise was made to all: it is taken back.
    let refused = world.fake.slash(&ann(), CHANNEL, "joust do", &args(&[("id", "99")]));
    let message = world.fake.sees(&ann(), CHANNEL, "Only the contestmaster").await;
    assert_eq!(message.only, Some(ann().id), "{}", message.text());
    {
        let state = world.fake.state();
        let promise = state.interactions[&refused].original;
        assert!(
            state
                .messages
                .iter()
                .any(|message| Some(message.id) == promise && (message.deleted || message.only.is_some()))
        );
    }
    world.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_that_comes_too_late_is_given_otherwise() {
    let world = slow().await;
    world.started(&moderator()).await;
    world.fake.fault("PATCH", "/messages/@original", Fault::Status(401, 50027), 2);
    world.fake.slash(&ann(), CHANNEL, "joust hill", &[]);
    let hill = world.fake.sees(&bob(), CHANNEL, "<@502>").await;
    assert!(hill.only.is_none());
    world.fake.slash(&ann(), CHANNEL, "me", &[]);
    let private = world.fake.private_channel(ann().id);
    world.fake.sees(&ann(), private, "You").await;
    world.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_promise_to_all_that_cannot_be_taken_back_shows_nobody_a_private_answer() {
    let world = slow().await;
    world.started(&moderator()).await;
    world.fake.fault("DELETE", "/messages/@original", Fault::Status(500, 0), 4);
    world.fake.slash(&ann(), CHANNEL, "joust do", &args(&[("id", "99")]));
    let private = world.fake.private_channel(ann().id);
    world.fake.sees(&ann(), private, "Only the contestmaster").await;
    let others = world.fake.state().texts(CHANNEL, bob().id);
    assert!(others.iter().all(|text| !text.contains("Only the contestmaster")), "{others:?}");
    world.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_action_is_shown_with_its_text_and_pings_nobody() {
    let world = World::new().await;
    world.started(&moderator()).await;
    let token = world.fake.slash(&moderator(), CHANNEL, "joust adjudicate", &[]);
    let token = world.fake.fill(&moderator(), &token, PING).await;
    let answer = world.fake.answer(&token).await;
    assert_eq!(answer.only, Some(moderator().id), "{}", answer.text());
    world.fake.slash(&ann(), CHANNEL, "join", &args(&[("name", "everyone")]));
    let intend = [("what", "amend"), ("subject", "points"), ("text", PING)];
    world.fake.slash(&moderator(), CHANNEL, "joust intend", &args(&intend));
    world.fake.sees(&ann(), CHANNEL, "new text for POINTS").await;
    {
        let state = world.fake.state();
        assert!(state.texts(CHANNEL, bob().id).iter().any(|text| text.contains("everyone")));
        for message in &state.messages {
            let mut outside = String::new();
            for (index, part) in message.text().split("```").enumerate() {
                if index % 2 == 0 {
                    outside.push_str(part);
                }
            }
            assert_eq!(message.text().matches("```").count() % 2, 0, "{}", message.text());
            for ping in ["@everyone", "<@&7>", "**bold**", "[x]("] {
                let inline: Vec<&str> = outside.split('`').step_by(2).collect();
                assert!(!inline.join(" ").replace('\\', "\u{1}").contains(ping), "{ping} in {}", message.text());
            }
        }
    }
    world.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_button_names_who_pressed_it_acts_once_and_survives_a_restart() {
    let mut world = World::new().await;
    world.started(&moderator()).await;
    world.fake.slash(&ann(), CHANNEL, "joust submit", &args(&[("name", "alpha"), ("code", SECRET)]));
    world.quiet().await;
    world.fake.sees(&ann(), CHANNEL, "alpha").await;
    let intend = [("what", "set"), ("subject", "length"), ("text", "161")];
    world.fake.slash(&moderator(), CHANNEL, "joust intend", &args(&intend));
    let offered = world
        .fake
        .until("an offer", |state| {
            state.shown(CHANNEL, ann().id).into_iter().find(|message| !message.buttons().is_empty()).cloned()
        })
        .await;
    world.restart().await;
    let (first, second) = (world.fake.press(&ann(), &offered, "Object"), world.fake.press(&ann(), &offered, "Object"));
    let (first, second) = (world.fake.answer(&first).await, world.fake.answer(&second).await);
    let (done, again): (Vec<_>, Vec<_>) =
        [&first, &second].into_iter().partition(|message| !message.text().contains("already"));
    assert!(done.len() == 1 && done[0].only == Some(ann().id), "{first:?} {second:?}");
    assert!(again[0].text().contains("already"), "{}", again[0].text());
    // What the world has moved past is refused, with the entry that the button was made at.
    world.fake.slash(&moderator(), CHANNEL, "room close", &[]);
    world.fake.sees(&bob(), CHANNEL, "closed this room").await;
    let stale = world.fake.press(&bob(), &offered, "Object");
    let stale = world.fake.answer(&stale).await;
    assert!(stale.only == Some(bob().id) && stale.text().contains("offered at entry"), "{}", stale.text());
    world.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn options_are_completed_from_what_the_asker_may_see() {
    let world = World::new().await;
    world.started(&moderator()).await;
    world.fake.slash(&ann(), CHANNEL, "joust submit", &args(&[("name", "alpha"), ("code", SECRET)]));
    world.fake.sees(&bob(), CHANNEL, "alpha").await;
    let values = |found: Vec<(String, String)>| found.into_iter().map(|(_, value)| value).collect::<Vec<_>>();
    let shown = values(world.fake.complete(&ann(), CHANNEL, "joust match", "left", "al").await);
    assert!(shown.contains(&"alpha".to_owned()), "{shown:?}");
    let own = values(world.fake.complete(&ann(), CHANNEL, "joust reveal", "name", "").await);
    assert_eq!(own, ["alpha"]);
    let others = values(world.fake.complete(&bob(), CHANNEL, "joust reveal", "name", "").await);
    assert_eq!(others, Vec::<String>::new());
    let rooms = values(world.fake.complete(&bob(), CHANNEL, "joust hill", "room", "m").await);
    assert_eq!(rooms, ["main"]);
    let list = values(world.fake.complete(&bob(), CHANNEL, "help", "topic", "joust sub").await);
    assert!(list.iter().all(|value| value.starts_with("joust ")), "{list:?}");
    world.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn files_are_bounded_whatever_discord_says_of_them() {
    let world = World::new().await;
    world.started(&moderator()).await;
    for file in [Arg::File("big.bf", vec![b'+'; 1_100_000]), Arg::Liar("liar.bf", vec![b'+'; 1_100_000])] {
        let token =
            world.fake.slash(&ann(), CHANNEL, "joust submit", &[("name", Arg::Text("big")), ("code-file", file)]);
        let answer = world.fake.answer(&token).await;
        assert!(answer.only == Some(ann().id) && answer.text().contains("more than 1048576"), "{}", answer.text());
    }
    world.fake.fault("GET", "/files/", Fault::Status(500, 0), 1);
    let file = Arg::File("lost.bf", b"+".to_vec());
    let token = world.fake.slash(&ann(), CHANNEL, "joust submit", &[("name", Arg::Text("lost")), ("code-file", file)]);
    assert!(world.fake.answer(&token).await.text().contains("could not be fetched"));
    world.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn several_actions_go_through_one_window() {
    let world = World::new().await;
    world.started(&moderator()).await;
    let token = world.fake.slash(&ann(), CHANNEL, "type", &[]);
    let token = world.fake.fill(&ann(), &token, "join Ann\nhill\nfrobnicate").await;
    world.fake.answer(&token).await;
    world.fake.sees(&bob(), CHANNEL, "rank").await;
    world.fake.sees(&ann(), CHANNEL, "There is no command").await;
    assert!(world.fake.state().texts(CHANNEL, bob().id).iter().all(|text| !text.contains("There is no command")));
    assert_eq!(world.hub.rooms()[0].view().frame().seats.values().filter(|seat| seat.name == "Ann").count(), 1);
    // With a secret among them nobody else sees any of it.
    let lines = format!("joust points; joust submit alpha {SECRET}");
    let token = world.fake.slash(&ann(), CHANNEL, "type", &args(&[("lines", &lines)]));
    assert_eq!(world.fake.answer(&token).await.only, Some(ann().id));
    world.fake.sees(&bob(), CHANNEL, "alpha").await;
    assert!(!world.fake.heard(SECRET));
    world.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn long_displays_turn_page_by_page_and_figures_are_pictures() {
    let world = World::new().await;
    world.started(&moderator()).await;
    world.fake.slash(&ann(), CHANNEL, "joust submit", &args(&[("name", "alpha"), ("code", SECRET)]));
    world.fake.sees(&bob(), CHANNEL, "Challenge 1").await;
    let token = world.fake.slash(&bob(), CHANNEL, "joust matrix", &[]);
    let matrix = world.fake.answer(&token).await;
    let (name, bytes) = matrix.files.first().expect("a picture");
    assert!(name == "figure.png" && bytes.starts_with(b"\x89PNG"), "{name}");
    // A charge is a picture too, for those who may see it, and for nobody else (seed 000, J35).
    let watch = args(&[("left", "alpha"), ("right", "alpha"), ("length", "151")]);
    let token = world.fake.slash(&bob(), CHANNEL, "joust watch", &watch);
    let hidden = world.fake.answer(&token).await;
    assert!(hidden.text().contains("whoever watches it reads it") && hidden.files.is_empty(), "{}", hidden.text());
    let token = world.fake.slash(&ann(), CHANNEL, "joust watch", &watch);
    let own = world.fake.answer(&token).await;
    let (name, bytes) = own.files.first().expect("a picture");
    assert!(name == "figure.gif" && bytes.starts_with(b"GIF89a"), "{name}");
    assert_eq!(own.only, Some(ann().id), "what only she may see");
    let embed = &own.body["embeds"][0];
    assert_eq!(embed["image"]["url"].as_str(), Some("attachment://figure.gif"), "{embed}");
    assert!(own.text().contains("alpha against alpha on 151 cells"), "{}", own.text());
    let token = world.fake.slash(&bob(), CHANNEL, "help", &args(&[("topic", "joust")]));
    world.fake.answer(&token).await;
    let token = world.fake.slash(&bob(), CHANNEL, "rules", &[]);
    let first = world.fake.answer(&token).await;
    if first.buttons().iter().any(|(label, _)| label.starts_with("More")) {
        let before = first.text();
        world.fake.press(&ann(), &first, "More ▶");
        let turned = world
            .fake
            .until("another page", |state| {
                let message = state.messages.iter().find(|message| message.id == first.id)?;
                (message.text() != before).then(|| message.text())
            })
            .await;
        assert!(turned != before);
    }
    world.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn in_private_the_bot_answers_and_public_acts_are_refused() {
    let world = World::new().await;
    world.started(&moderator()).await;
    let private = world.fake.private_channel(ann().id);
    world.fake.until("global commands", |state| state.global.as_ref().map(|_| ())).await;
    world.fake.slash(&ann(), private, "joust submit", &args(&[("name", "alpha"), ("code", SECRET)]));
    world.fake.sees(&ann(), private, "alpha").await;
    world.fake.sees(&bob(), CHANNEL, "alpha").await;
    world.fake.slash(&ann(), private, "joust reveal", &args(&[("name", "alpha")]));
    world.fake.sees(&ann(), private, "in public").await;
    assert!(!world.fake.heard(SECRET));
    world.end().await;
}
