//! The server dies in the middle of an announcement, and the program is started anew. The contest goes on, and
//! everybody has read everything once, in order.

use std::collections::BTreeSet;

use adapter_irc::Link;
use futures::future::join_all;
use rulekeeper::service::archive;
use store::Entry;

use crate::{
    contest::{
        leaks,
        stage::{BOT, CHANNEL, Code, RETRY, Stage, asks, channel, count, does, meet, reads, tell},
        without_services::{open_from_the_console, without_accounts},
    },
    harness::needs_servers,
    house::{ALPHA, MODERATOR},
    irc_real::settings,
    servers::{Network, Options, client::Client, inspircd, ngircd},
};

#[test]
fn inspircd_is_killed_and_nothing_is_lost_or_doubled() {
    needs_servers!(Inspircd, Atheme);
    tell(|_| async {
        let network = inspircd::inspircd_with_accounts(Options::LAX).await;
        join_all(["Goethe", "Ann"].map(|name| network.register_account(name, "password"))).await;
        let settings = settings(&network, BOT, CHANNEL);
        story(Stage::set(network, settings, &["goethe"]).await, true).await;
    });
}

#[test]
fn ngircd_is_killed_and_nothing_is_lost_or_doubled() {
    needs_servers!(Ngircd);
    tell(|_| async {
        let network = ngircd::ngircd(Options::LAX).await;
        let settings = without_accounts(settings(&network, BOT, CHANNEL));
        story(Stage::set(network, settings, &[]).await, false).await;
    });
}

/// Handed in while the server is dead.
const GAMMA: Code = Code { mark: "zedsmark", sign: ".,.,,,.,,.,", wait: 9 };

/// Comes to the channel, where there are accounts with one.
async fn come(network: &Network, name: &str, accounts: bool) -> Client {
    let mut client =
        if accounts { Client::login(network, name, "password").await } else { Client::connect(network, name).await };
    meet(&mut client, CHANNEL).await;
    client
}

/// The entries of the room, of which no two have one cause.
async fn journal(stage: &Stage) -> Vec<Entry> {
    let entries = stage.house.journal("main").await;
    let origins: Vec<_> = entries.iter().filter_map(|entry| entry.origin.clone()).collect();
    assert_eq!(origins.iter().collect::<BTreeSet<_>>().len(), origins.len(), "a line acted twice");
    entries
}

async fn story(mut stage: Stage, accounts: bool) {
    let mut goethe = come(&stage.network, "Goethe", accounts).await;
    let mut ann = come(&stage.network, "Ann", accounts).await;
    if accounts {
        does(&mut goethe, "room open joust main", "#joust is its public forum").await;
    } else {
        open_from_the_console(&mut stage, &mut goethe).await;
    }
    does(&mut goethe, "joust start", "On the Hill, in this order").await;
    does(&mut ann, "join", "is a member of the contest.").await;
    asks(&mut ann, &format!("joust submit Alpha {ALPHA}"), "Alpha is received").await;
    reads(&mut ann, "Challenge 1: Alpha by Ann").await;
    stage.told().await;

    // An announcement is on its way when the server dies, and more wait behind it until it is tried again.
    stage.house.to("2026-11-08T23:59:59Z").await;
    stage.network.freeze();
    stage.house.does(MODERATOR, "privately correct @main player/ann.points 1 because of the first word").await;
    stage
        .outbox("the first is on its way", |queues| {
            queues.iter().any(|queue| queue.to == channel() && queue.attempts == 1)
        })
        .await;
    stage.network.kill();
    stage.link(|link| matches!(link, Link::Waiting { .. })).await;
    stage.house.does(MODERATOR, "privately correct @main player/ann.points 2 because of the second word").await;
    stage.house.does("Zed", &format!("privately joust submit Gamma {}", GAMMA.text())).await;
    stage.house.to("2026-11-09T00:00:00Z").await;
    stage.house.does(MODERATOR, "privately correct @main player/ann.points 3 because of the third word").await;
    let tables = leaks::tables(&stage.folder);
    assert!(tables.iter().any(|(name, rows)| name == "the table outbox" && rows.contains("Gamma")));
    leaks::is_kept(&GAMMA, &tables, &[]);
    // They wait as long as the server is away.
    let queues = stage.house.hub.store().queues().await.expect("the outbox can be read");
    assert!(queues.iter().any(|queue| queue.to == channel() && queue.pending == 6), "{queues:?}");
    stage.network.restart().await;
    let mut goethe = come(&stage.network, "Goethe", accounts).await;
    let mut ann = come(&stage.network, "Ann", accounts).await;
    stage.pass(RETRY);
    let in_order = [
        "the first word",
        "the second word",
        "Challenge 2: Gamma by Zed",
        "Points for the week",
        "The Hill in the week",
        "the third word",
    ];
    for told in in_order {
        reads(&mut ann, told).await;
    }
    stage.told().await;
    goethe.settle().await;
    for told in in_order {
        assert_eq!(count(&goethe, told), 1, "{told}");
    }

    // The program ends while a challenge waits, and another goes on where it was.
    stage.house.hub.hold_work(true);
    let mut challenger = if accounts {
        ann
    } else {
        // Who was known by a connection is nobody now, but whoever comes can submit.
        asks(&mut ann, "joust program Alpha", "its code is not public").await;
        come(&stage.network, "Dan", false).await
    };
    asks(&mut challenger, &format!("joust submit Beta {ALPHA}+"), "Beta is received").await;
    let entries = journal(&stage).await;
    stage.restart().await;
    goethe.expect("the bot to leave", |message| message.command == "QUIT" && message.from == BOT).await;
    goethe.expect("the bot to come back", |message| message.command == "JOIN" && message.from == BOT).await;
    let told = format!("Challenge 3: Beta by {}", challenger.nick);
    reads(&mut goethe, &told).await;
    reads(&mut goethe, "(18 more lines: say !more)").await;
    stage.told().await;
    let after = journal(&stage).await;
    assert!(after.iter().map(|entry| &entry.json).take(entries.len()).eq(entries.iter().map(|entry| &entry.json)));
    // Where people are connections, moderators are told whose ended.
    let news = after[entries.len()..].iter().map(|entry| entry.cause.as_str());
    let news: Vec<_> = news.filter(|cause| *cause != "note (moderator)").collect();
    assert_eq!(news, ["challenge/3"]);
    asks(&mut challenger, "joust queue", "").await;
    does(&mut goethe, "hill", "The Hill").await;
    goethe.settle().await;
    for once in in_order.into_iter().chain([&*told]) {
        assert_eq!(count(&goethe, once), 1, "{once}");
    }
    let store = stage.house.hub.store();
    let room = store.rooms().await.expect("rooms can be read").remove(0);
    let verified = archive::verify(store, &room).await.expect("the journal can be read");
    assert_eq!(verified.found, Vec::<String>::new());
}
