//! Somebody, or fifty at once, ask for far more than their share: they wait alone, and nothing is dropped in silence.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use adapter_irc::{
    IrcNetwork,
    config::{Pace, PersonPace},
};
use kernel::display::Document;
use port::{Reply, ReplyKind};
use tokio::time::Instant;

use crate::fakes::{
    desk::TestDesk,
    irc::{ACCOUNT_CAPS, Peer, Scene, network},
};

/// Within this a bystander is answered.
const ANSWERED_WITHIN: Duration = Duration::from_secs(5);

/// Within this an announcement is in its channel.
const ANNOUNCED_WITHIN: Duration = Duration::from_secs(10);

/// A network with the limits that an operator gets who sets none.
fn with_limits() -> IrcNetwork {
    IrcNetwork { pace: Pace::default(), person: PersonPace::default(), ..network() }
}

/// Somebody comes into the channel, so that the server tells of their account.
async fn comes(server: &mut Peer, nick: &str, account: &str) {
    server.send(&format!(":{nick}!{nick}@h JOIN #n {account} :real")).await;
}

/// Reads on until a line has this in it; how long that took, and what came before.
async fn reads_until(server: &mut Peer, part: &str) -> (Duration, Vec<String>) {
    let (start, mut before) = (Instant::now(), Vec::new());
    loop {
        let line = server.line().await;
        if line.contains(part) {
            return (start.elapsed(), before);
        }
        before.push(line);
    }
}

/// A bystander and an announcement come while others flood; when each is done is measured, again and again.
async fn is_not_held_up(people: usize) {
    let (desk, _ear) = TestDesk::echo();
    let (_scene, mut server) = Scene::joined(with_limits(), ACCOUNT_CAPS, desk.clone()).await;
    server.expect_silence(Duration::from_secs(60)).await;
    for (nick, account) in [("al", "alice"), ("bob", "bob")] {
        comes(&mut server, nick, account).await;
    }
    for flooder in 0..people {
        comes(&mut server, &format!("f{flooder}"), &format!("f{flooder}")).await;
    }
    for n in 0..40 {
        for flooder in 0..people {
            let from = format!("@account=f{flooder} :f{flooder}!f{flooder}@h PRIVMSG");
            server.send(&format!("{from} #n :!long 6 {n}")).await;
            server.send(&format!("{from} #n :!long 4")).await;
            server.send(&format!("{from} Keeper :long 20")).await;
        }
    }
    for pause in [1, 3, 30, 60] {
        let _ = tokio::time::timeout(Duration::from_secs(pause), reads_until(&mut server, "never said")).await;
        server.send(&format!("@account=alice :al!al@h PRIVMSG #n :!calm {pause}")).await;
        let (took, before) = reads_until(&mut server, &format!("alice says calm {pause}")).await;
        assert!(took <= ANSWERED_WITHIN, "{took:?} behind {before:?}");
        server.send(&format!("@account=bob :bob!bob@h PRIVMSG Keeper :quiet {pause}")).await;
        desk.announce("irc:net", "#n", Document::say(format!("news {pause}")).para("and more"));
        let (took, before) = reads_until(&mut server, &format!("news {pause}")).await;
        assert!(took <= ANNOUNCED_WITHIN, "{took:?} behind {before:?}");
        if before.iter().all(|line| !line.contains("quiet")) {
            let (later, before) = reads_until(&mut server, &format!("bob says quiet {pause}")).await;
            assert!(took + later <= ANSWERED_WITHIN, "{took:?} and {later:?} behind {before:?}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn one_who_floods_holds_up_nobody_else() {
    is_not_held_up(1).await;
}

#[tokio::test(start_paused = true)]
async fn fifty_who_flood_hold_up_nobody_else() {
    is_not_held_up(50).await;
}

#[tokio::test(start_paused = true)]
async fn all_of_a_burst_is_answered_in_order_or_counted() {
    let (desk, mut ear) = TestDesk::echo();
    let (_scene, mut server) = Scene::joined(with_limits(), ACCOUNT_CAPS, desk).await;
    comes(&mut server, "mal", "mallory").await;
    for n in 0..1001 {
        server.send(&format!("@account=mallory :mal!mal@h PRIVMSG #n :!members {n}")).await;
    }
    let (mut answered, mut unread, mut told) = (0, 0, 0);
    while let Ok(line) = tokio::time::timeout(Duration::from_secs(120), server.line()).await {
        if let Some((_, number)) = line.split_once("mallory says members ") {
            assert_eq!(number, answered.to_string(), "in order");
            answered += 1;
        } else if let Some((count, _)) = line.split_once(" lines of yours were not read") {
            unread += count.rsplit(':').next().and_then(|count| count.parse::<u32>().ok()).expect("a count");
        } else {
            assert!(
                line.starts_with("NOTICE mal :That is faster than one person is answered here: 8 commands"),
                "{line}"
            );
            told += 1;
        }
    }
    assert_eq!((answered + unread, told), (1001, 1));
    assert!(answered > 100, "a bounded number waits: {answered}");
    for n in 0..answered {
        assert_eq!(ear.line().await.text, format!("members {n}"));
    }
    // After a pause there is a burst again, and a new word about waiting.
    for n in 0..9 {
        server.send(&format!("@account=mallory :mal!mal@h PRIVMSG #n :!again {n}")).await;
    }
    reads_until(&mut server, "That is faster than").await;
}

#[tokio::test(start_paused = true)]
async fn eight_commands_at_once_are_answered_at_once_and_a_ninth_after_five_seconds() {
    let (desk, _ear) = TestDesk::echo();
    let network = IrcNetwork { person: PersonPace::default(), ..network() };
    let (_scene, mut server) = Scene::joined(network, ACCOUNT_CAPS, desk).await;
    comes(&mut server, "al", "alice").await;
    for n in 1..=10 {
        server.send(&format!("@account=alice :al!al@h PRIVMSG Keeper :{n}")).await;
    }
    let start = Instant::now();
    let mut at = BTreeMap::new();
    while at.len() < 10 {
        let line = server.line().await;
        if let Some(number) = line.strip_prefix("NOTICE al :alice says ") {
            at.insert(number.parse::<u64>().expect("a number"), start.elapsed().as_secs());
        }
    }
    let at: Vec<u64> = at.into_values().collect();
    assert_eq!(at, [0, 0, 0, 0, 0, 0, 0, 0, 5, 10]);
}

/// A desk that awaits a text behind `text`, up to a line of its own.
fn collects() -> (Arc<TestDesk>, crate::fakes::desk::Ear) {
    let collecting = Mutex::new(false);
    TestDesk::new(move |line| {
        let mut collecting = collecting.lock().unwrap();
        let kind = match line.text.as_str() {
            "text" => ReplyKind::Awaits,
            "." => ReplyKind::Done,
            _ if *collecting => return Vec::new(),
            _ => ReplyKind::Shown,
        };
        *collecting = kind == ReplyKind::Awaits;
        vec![Reply { kind, private: true, document: Document::say(format!("heard {}", line.text)), file: None }]
    })
}

#[tokio::test(start_paused = true)]
async fn a_text_in_a_hundred_lines_is_one_command() {
    let (desk, mut ear) = collects();
    let (_scene, mut server) = Scene::joined(with_limits(), ACCOUNT_CAPS, desk).await;
    server.expect_silence(Duration::from_secs(60)).await;
    comes(&mut server, "al", "alice").await;
    let start = Instant::now();
    // Begun in the channel, sent in private.
    server.send("@account=alice :al!al@h PRIVMSG #n :!text").await;
    assert_eq!(ear.line().await.text, "text");
    for n in 0..100 {
        server.send(&format!("@account=alice :al!al@h PRIVMSG Keeper :+[{n}]")).await;
    }
    server.send("@account=alice :al!al@h PRIVMSG Keeper :.").await;
    for n in 0..100 {
        assert_eq!(ear.line().await.text, format!("+[{n}]"));
    }
    assert_eq!(ear.line().await.text, ".");
    let (_, before) = reads_until(&mut server, "heard .").await;
    assert!(start.elapsed() <= Duration::from_secs(5), "{:?}", start.elapsed());
    assert_eq!(before, ["NOTICE al :heard text"]);
}
