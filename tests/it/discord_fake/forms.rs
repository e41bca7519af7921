//! Discord's own forms: values go by name and are never read as a line. What is refused says what can be typed there,
//! and a text that was typed into a window is never lost.

use std::time::Duration;

use super::{CHANNEL, GUILD, OTHER_CHANNEL, World, ann, args, bob, moderator};
use crate::fakes::discord::{Fake, Fault, Message, Person};
use catalogue::{Catalogue, parse};

/// The button that opens a window again.
const AGAIN: &str = "Open the window again";

/// No program: its loop is never closed.
const OPEN_LOOP: &str = ">[+";

/// The text that came back with an answer.
fn given_back(message: &Message) -> Option<&str> {
    let (_, bytes) = message.files.iter().find(|(name, _)| name == "text.txt")?;
    Some(std::str::from_utf8(bytes).expect("it is text"))
}

/// Somebody begins a command, types a text into its window, and reads the answer.
async fn types(world: &World, by: &Person, name: &str, given: &[(&str, &str)], text: &str) -> Message {
    let token = world.fake.slash(by, CHANNEL, name, &args(given));
    let token = world.fake.fill(by, &token, text).await;
    world.fake.answer(&token).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_value_is_never_read_as_a_line() {
    let world = World::new().await;
    world.started(&moderator()).await;
    let room = world.hub.rooms()[0].clone();
    for text in ["room:nowhere; joust terminate", "“So be it” \"", "end text\njoust terminate", "text=\"x\" because y"]
    {
        let before = room.view().seq();
        let token = world.fake.slash(&moderator(), CHANNEL, "joust adjudicate", &args(&[("text", text)]));
        world.fake.answer(&token).await;
        assert_eq!(room.view().seq(), before + 1, "{text}");
        let entry = world.store.entries(room.id, before + 1, 1).await.expect("the journal").remove(0);
        assert!(entry.json.contains(&serde_json::to_string(text).expect("JSON")), "{text}: {}", entry.json);
        // What is kept of it can be typed as it stands.
        let said = entry.said.expect("somebody said it").text;
        let typed = parse(Catalogue::all(), &said, 0).remove(0).expect("a line");
        assert_eq!((typed.command.name.as_str(), typed.args["text"].as_str()), ("joust adjudicate", text));
    }
    world.end().await;
}

/// A reason is an option of an act, shown with it and kept as a line has it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_act_takes_a_reason() {
    let world = World::new().await;
    world.started(&moderator()).await;
    let room = world.hub.rooms()[0].clone();
    let before = room.view().seq();
    let token = world.fake.slash(&ann(), CHANNEL, "join", &args(&[("because", "why not; leave @everyone")]));
    let answer = world.fake.answer(&token).await;
    assert!(answer.text().contains("/join because:why not; leave"), "{}", answer.text());
    let entry = world.store.entries(room.id, before + 1, 1).await.expect("the journal").remove(0);
    let said = entry.said.expect("somebody said it").text;
    assert_eq!(said, "join because why not; leave @everyone");
    assert_eq!(room.view().seq(), before + 1, "{}", answer.text());
    let typed = parse(Catalogue::all(), &said, 0).remove(0).expect("a line");
    assert_eq!((typed.line(), typed.reason.as_deref()), (said, Some("why not; leave @everyone")));
    world.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refusal_says_what_can_be_typed_there() {
    let world = World::new().await;
    world.started(&moderator()).await;
    let token = world.fake.slash(&ann(), CHANNEL, "joust reveal", &args(&[("name", "nobody")]));
    // Until Discord has answered with their ids, commands are told as code.
    let told = |answer: crate::fakes::discord::Message| answer.text().replace('`', "");
    let answer = told(world.fake.answer(&token).await);
    assert!(answer.ends_with("Type: /joust reveal name:NAME"), "{answer}");
    // Where no room is, no command of a game is read as if there were one.
    for (name, given) in [("joust hill", vec![]), ("joust reveal", vec![("name", "nobody")]), ("join", vec![])] {
        let token = world.fake.slash(&ann(), OTHER_CHANNEL, name, &args(&given));
        let answer = told(world.fake.answer(&token).await);
        assert!(answer.starts_with("No room is bound to this channel. Type: /rooms"), "{name}: {answer}");
    }
    let token = world.fake.slash(&ann(), OTHER_CHANNEL, "type", &args(&[("lines", "hill")]));
    let answer = world.fake.answer(&token).await.text();
    assert!(answer.starts_with("No room is bound to this channel."), "{answer}");
    let token = world.fake.slash(&ann(), CHANNEL, "help", &args(&[("topic", "joust match")]));
    let help = told(world.fake.answer(&token).await);
    assert!(help.contains("/joust match left:LEFT right:RIGHT"), "{help}");
    world.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refused_text_comes_back_with_its_window() {
    let mut world = World::new().await;
    world.started(&moderator()).await;
    let refused = types(&world, &ann(), "joust submit", &[("name", "alpha")], OPEN_LOOP).await;
    assert_eq!((refused.only, given_back(&refused)), (Some(ann().id), Some(OPEN_LOOP)), "{}", refused.text());
    for text in [">[+]", ">[+]>"] {
        let token = world.fake.press(&ann(), &refused, AGAIN);
        let sent = world.fake.fill(&ann(), &token, text).await;
        let value = world.fake.state().interactions[&token].window.clone().expect("a window");
        assert_eq!(value["components"][0]["components"][0]["value"].as_str(), Some(OPEN_LOOP));
        world.fake.answer(&sent).await;
    }
    world.fake.sees(&bob(), CHANNEL, "alpha").await;

    // Several actions: with none done the window opens again; with one done only its text comes back.
    let none = types(&world, &ann(), "type", &[], "frobnicate").await;
    assert_eq!((given_back(&none), none.buttons().len()), (Some("frobnicate"), 1));
    types(&world, &ann(), "type", &[], "joust points\nfrobnicate").await;
    let some = world
        .fake
        .until("the text", |state| {
            state
                .shown(CHANNEL, ann().id)
                .into_iter()
                .find(|m| given_back(m).is_some_and(|t| t.contains("points")))
                .cloned()
        })
        .await;
    assert_eq!((some.only, some.buttons().len()), (Some(ann().id), 0), "{}", some.text());

    // What was done brings nothing back.
    let done = types(&world, &moderator(), "joust adjudicate", &[], "So be it.").await;
    assert!(done.text().contains("Published") && done.files.is_empty(), "{}", done.text());

    // A restart forgets the window, not the text.
    world.restart().await;
    let token = world.fake.press(&ann(), &none, AGAIN);
    assert!(world.fake.answer(&token).await.text().contains("in the file above"));
    world.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_text_whose_refusal_comes_too_late_is_not_lost() {
    let fake = Fake::start().await;
    fake.guild(GUILD, &[CHANNEL, OTHER_CHANNEL]);
    let mut world = World::on(fake, |settings| settings.patience = Duration::ZERO).await;
    world.connect().await;
    world.started(&moderator()).await;
    let private = world.fake.private_channel(moderator().id);
    let text = "A word.".repeat(600);
    let lines = format!("joust adjudicate {}", &text[..3900]);
    world.fake.fault("DELETE", "/messages/@original", Fault::Status(500, 0), 4);
    let token = world.fake.slash(&moderator(), CHANNEL, "type", &[]);
    world.fake.fill(&moderator(), &token, &format!("frobnicate {lines}")).await;
    let late = world.fake.sees(&moderator(), private, "There is no command").await;
    assert_eq!(given_back(&late), Some(format!("frobnicate {lines}").as_str()));
    // Where private messages are shut too, it waits in the inbox.
    world.fake.state().closed.insert(private);
    world.fake.fault("DELETE", "/messages/@original", Fault::Status(500, 0), 4);
    let token = world.fake.slash(&moderator(), CHANNEL, "type", &[]);
    world.fake.fill(&moderator(), &token, "frobnicate once more").await;
    let account = [port::Account { service: "discord".to_owned(), id: moderator().id.to_string() }];
    while world.store.inbox(&account, false).await.expect("the store answers").is_empty() {
        tokio::task::yield_now().await;
    }
    let kept = world.store.inbox(&account, false).await.expect("the store answers");
    assert!(kept[0].document.contains("frobnicate once more"), "{}", kept[0].document);
    world.end().await;
}

/// Where two games share a server, what is completed is of the room in which it is typed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_vote_is_completed_in_the_words_of_its_game() {
    let world = World::new().await;
    for (channel, game) in [(CHANNEL, "blognomic"), (OTHER_CHANNEL, "bnomic")] {
        let given = [("game", game), ("name", game)];
        world.fake.slash(&moderator(), channel, "room open", &args(&given));
        world.fake.sees(&moderator(), channel, "is its").await;
    }
    world.fake.registered(GUILD, "ministry").await;
    for (channel, begun, wanted) in [(CHANNEL, "de", vec!["DEFERENTIAL"]), (OTHER_CHANNEL, "sh", vec!["shelve"])] {
        let found = world.fake.complete(&ann(), channel, "vote", "vote", begun).await;
        let values: Vec<String> = found.into_iter().map(|(_, value)| value).collect();
        assert_eq!(values, wanted);
    }
    world.end().await;
}

/// A player is meant by a mention too, and an account is picked among the people of the server.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn people_are_mentioned_and_picked() {
    let world = World::new().await;
    world.started(&moderator()).await;
    let token = world.fake.slash(&ann(), CHANNEL, "join", &args(&[("name", "Ann")]));
    world.fake.answer(&token).await;
    let (mention, other) = (format!("<@{}>", ann().id), bob().id.to_string());
    let give = [("name", &*mention), ("account-person", &*other), ("reason", "she lost her account")];
    let token = world.fake.slash(&moderator(), CHANNEL, "seat give", &args(&give));
    let given = world.fake.answer(&token).await.text();
    assert!(given.contains("Ann"), "{given}");
    let token = world.fake.slash(&bob(), CHANNEL, "me", &[]);
    let own = world.fake.answer(&token).await.text();
    assert!(own.contains("Ann"), "the seat is Bob's now: {own}");
    world.end().await;
}

/// The history of a column comes with a chart of it, and that of anything else without.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_history_of_a_column_is_drawn() {
    let world = World::new().await;
    world.started(&moderator()).await;
    let token = world.fake.slash(&ann(), CHANNEL, "join", &args(&[("name", "Ann")]));
    world.fake.answer(&token).await;
    let correct = [("path", "player/ann.points"), ("value", "5"), ("reason", "a slip")];
    let token = world.fake.slash(&moderator(), CHANNEL, "correct", &args(&correct));
    world.fake.answer(&token).await;
    for (about, drawn, told) in [
        ("points", true, "correct"),
        ("Points", true, "correct"),
        ("Ann", false, "join"),
        ("player/ann", false, "join"),
    ] {
        let token = world.fake.slash(&ann(), CHANNEL, "history", &args(&[("about", about)]));
        let answer = world.fake.answer(&token).await;
        assert!(answer.text().contains(told), "{}", answer.text());
        assert_eq!(answer.files.iter().any(|(name, _)| name == "figure.png"), drawn, "{about}");
        assert_eq!(answer.text().contains("until now: Ann 0 to 5, Mod 0."), drawn, "{}", answer.text());
    }
    world.end().await;
}
