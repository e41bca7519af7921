//! A rulebook that comes by a link, from the line on IRC to the room that plays by it. It is the whole way, with the
//! real service and a real fetch.

use std::sync::Arc;

use port::Account;
use port::clock::Clock;
use port::entropy::Entropy;
use rulekeeper::service::hub::Hub;
use rulekeeper::service::settings::Settings;
use store::Store;

use crate::{
    fakes::{
        irc::{ACCOUNT_CAPS, Peer, Scene, network},
        texts::Texts,
    },
    house::{START, at},
};

/// A page of a wiki with number words, furniture, and a source laid out oddly.
const PAGE: &str = include_str!("../../rehearsals/blognomic/scenes/ruleset.wiki");

/// What the bot says until a line holds a text; that line is the last.
pub(super) async fn until(server: &mut Peer, wanted: &str) -> Vec<String> {
    let mut said = Vec::new();
    loop {
        said.push(server.line().await);
        if said.last().is_some_and(|line| line.contains(wanted)) {
            return said;
        }
    }
}

#[tokio::test]
async fn a_room_is_opened_by_a_link_to_its_rulebook() {
    let texts = Texts::with(PAGE).await;
    let settings = Settings {
        moderators: vec![Account { service: "irc:net".to_owned(), id: "zed".to_owned() }],
        fetcher: texts.fetcher.clone(),
        ..Settings::default()
    };
    let store = Store::in_memory().await.expect("a store");
    let hub = Hub::open(store, Clock::manual(at(START)), Entropy::fixed(), settings).await.expect("an empty hub");
    let (_scene, mut server) = Scene::joined(network(), ACCOUNT_CAPS, Arc::new(hub.clone())).await;
    let say = |text: &str| format!("@account=Zed :zed!z@h PRIVMSG #n :!{text}");

    // A link that leads to nothing, and one that is not https, open nothing.
    server.send(&say("room open blognomic main rulebook:https://texts.test/other")).await;
    until(&mut server, "error 404").await;
    server.send(&say("room open blognomic main rulebook:http://texts.test/rules")).await;
    until(&mut server, "https://").await;
    assert_eq!((hub.rooms().len(), texts.asked()), (0, 1));

    // What it brings is shown with the line that opens the room: by the text that was shown, and not by the link.
    server.send(&say("room open blognomic main rulebook:https://texts.test/rules")).await;
    let mut said = until(&mut server, "room open blognomic main sure:yes").await;
    assert_eq!((hub.rooms().len(), texts.asked()), (0, 2));
    server.send(&say("room open blognomic main sure:yes")).await;
    said.extend(until(&mut server, "BlogNomic is open here").await);
    let said = said.join("\n");
    assert!(!said.contains("texts.test"), "the link is repeated to nobody: {said}");
    assert_eq!((hub.rooms().len(), texts.asked()), (1, 2));
    server.send(&say("rule 5")).await;
    until(&mut server, "Quorum is half the number of Robots").await;
    server.send(&say("rule 17")).await;
    until(&mut server, "The Feast").await;

    // The journal keeps nothing of the link.
    let room = hub.rooms()[0].id;
    let first = hub.store().entry(room, 1).await.expect("the journal can be read").expect("the room is open");
    let typed = first.said.expect("it was typed").text;
    assert!(typed.contains("sure:yes") && !typed.contains("texts.test"), "{typed}");
}
