//! Announcements: delivered when the server has taken them, again when nobody knows, and not twice where it shows.

use std::time::Duration;

use adapter_irc::{IrcNetwork, config::IdentityKind};
use kernel::display::{Block, Document};
use port::Undelivered;
use port::{Reply, ReplyKind};

use crate::fakes::{
    desk::{Report, TestDesk},
    irc::{ACCOUNT_CAPS, ALL_CAPS, Peer, Scene, Tags, network},
};

fn lines(count: usize) -> Document {
    let text = (1..=count).map(|n| format!("line {n}")).collect::<Vec<_>>().join("\n");
    Document::default().with(Block::Code { lang: String::new(), text })
}

/// Echoes a line of the bot as a server with `echo-message` does.
async fn echo(server: &mut Peer, text: &str) {
    let tags = server.expect_untagged(&format!("PRIVMSG #n :{text}")).await;
    echo_tagged(server, &tags, text).await;
}

async fn echo_tagged(server: &mut Peer, tags: &Tags, text: &str) {
    let label = tags.get("label").expect("a label").to_owned();
    let mark = tags.get("+rulekeeper/delivery").expect("a mark").to_owned();
    server.send(&format!("@label={label};+rulekeeper/delivery={mark} :Keeper!k@host.test PRIVMSG #n :{text}")).await;
}

#[tokio::test(start_paused = true)]
async fn an_announcement_is_delivered_when_every_line_was_echoed() {
    let (desk, mut ear) = TestDesk::echo();
    let (_scene, mut server) = Scene::joined(network(), ALL_CAPS, desk.clone()).await;
    let id = desk.announce("irc:net", "#n", lines(2));
    echo(&mut server, "line 1").await;
    let tags = server.expect_untagged("PRIVMSG #n :line 2").await;
    server.expect_silence(Duration::from_secs(60)).await;
    assert!(ear.told_nothing(), "half of it was not confirmed");
    echo_tagged(&mut server, &tags, "line 2").await;
    assert_eq!(ear.report().await, Report::Delivered(id));
}

#[tokio::test(start_paused = true)]
async fn without_echoes_a_fence_behind_the_lines_delivers() {
    let (desk, mut ear) = TestDesk::echo();
    let (_scene, mut server) = Scene::joined(network(), ACCOUNT_CAPS, desk.clone()).await;
    let id = desk.announce("irc:net", "#n", lines(2));
    server.expect_untagged("PRIVMSG #n :line 1").await;
    server.expect_untagged("PRIVMSG #n :line 2").await;
    server.settle().await;
    assert_eq!(ear.report().await, Report::Delivered(id));
}

#[tokio::test(start_paused = true)]
async fn a_refused_line_is_not_delivered_and_is_tried_again() {
    let (desk, mut ear) = TestDesk::echo();
    let (_scene, mut server) = Scene::joined(network(), ACCOUNT_CAPS, desk.clone()).await;
    let id = desk.announce("irc:net", "#n", lines(1));
    server.expect_untagged("PRIVMSG #n :line 1").await;
    server.send(":irc.test 404 Keeper #n :Cannot send to channel (+m)").await;
    assert_eq!(ear.report().await, Report::Undelivered(id, Undelivered::Retry));
    server.expect_untagged("PRIVMSG #n :line 1").await;
    server.settle().await;
    // The first fence may still come back; it vouches for nothing any more.
    assert_eq!(ear.report().await, Report::Delivered(id));
}

#[tokio::test(start_paused = true)]
async fn a_labelled_refusal_is_for_its_own_line() {
    let (desk, mut ear) = TestDesk::echo();
    let (_scene, mut server) = Scene::joined(network(), ALL_CAPS, desk.clone()).await;
    let id = desk.announce("irc:net", "#n", lines(1));
    let tags = server.expect_untagged("PRIVMSG #n :line 1").await;
    let label = tags.get("label").unwrap().to_owned();
    server.send(&format!("@label={label} :irc.test 404 Keeper #n :Cannot send to channel")).await;
    assert_eq!(ear.report().await, Report::Undelivered(id, Undelivered::Retry));
}

#[tokio::test(start_paused = true)]
async fn lines_that_were_shown_before_a_lost_connection_are_not_repeated() {
    let (desk, mut ear) = TestDesk::echo();
    let (mut scene, mut server) = Scene::joined(network(), ALL_CAPS, desk.clone()).await;
    let id = desk.announce("irc:net", "#n", lines(3));
    echo(&mut server, "line 1").await;
    echo(&mut server, "line 2").await;
    server.expect_untagged("PRIVMSG #n :line 3").await;
    drop(server);
    assert_eq!(ear.report().await, Report::Undelivered(id, Undelivered::Retry));
    let mut server = scene.call().await;
    server.sign_in(ALL_CAPS).await;
    server.let_in("#n", "").await;
    echo(&mut server, "line 3").await;
    assert_eq!(ear.report().await, Report::Delivered(id));
    server.expect_silence(Duration::from_secs(60)).await;
}

#[tokio::test(start_paused = true)]
async fn what_a_replay_on_joining_shows_is_not_repeated() {
    let (desk, mut ear) = TestDesk::echo();
    let mut scene = Scene::start(network(), desk.clone());
    let mut server = scene.call().await;
    // As after a crash: the announcement was said, and nobody wrote it down.
    let id = desk.announce("irc:net", "#n", lines(1));
    let other = desk.announce("irc:net", "#n", lines(1));
    server.sign_in(ALL_CAPS).await;
    server.expect("JOIN #n").await;
    server.say_joined("#n", "").await;
    server.send(":irc.test BATCH +h chathistory #n").await;
    server.send(&format!("@batch=h;+rulekeeper/delivery={id}.0 :Keeper!k@h PRIVMSG #n :line 1")).await;
    server.send(":irc.test BATCH -h").await;
    server.settle().await;
    assert_eq!(ear.report().await, Report::Delivered(id));
    echo(&mut server, "line 1").await;
    assert_eq!(ear.report().await, Report::Delivered(other), "the same text under another number is another one");
}

#[tokio::test(start_paused = true)]
async fn an_announcement_waits_for_its_channel_but_not_for_ever() {
    let (desk, mut ear) = TestDesk::echo();
    let (_scene, mut server) = Scene::joined(network(), ACCOUNT_CAPS, desk.clone()).await;
    let id = desk.announce("irc:net", "#N", lines(1));
    server.expect_untagged("PRIVMSG #N :line 1").await;
    server.settle().await;
    assert_eq!(ear.report().await, Report::Delivered(id));
    server.send(":op!o@h KICK #n Keeper :out").await;
    let id = desk.announce("irc:net", "#n", lines(1));
    server.expect("JOIN #n").await;
    server.send(":irc.test 474 Keeper #n :banned").await;
    assert_eq!(ear.report().await, Report::Undelivered(id, Undelivered::Retry));
    server.let_in("#n", "").await;
    server.expect_untagged("PRIVMSG #n :line 1").await;
}

#[tokio::test(start_paused = true)]
async fn a_channel_that_cannot_be_is_given_up() {
    let (desk, mut ear) = TestDesk::echo();
    let (_scene, mut server) = Scene::joined(network(), ACCOUNT_CAPS, desk.clone()).await;
    desk.bind(&["#void"]);
    server.expect("JOIN #void").await;
    server.send(":irc.test 403 Keeper #void :No such channel").await;
    assert!(matches!(ear.report().await, Report::Incident(_)));
    let id = desk.announce("irc:net", "#void", lines(1));
    assert!(matches!(ear.report().await, Report::Undelivered(at, Undelivered::Gone(_)) if at == id));
}

#[tokio::test(start_paused = true)]
async fn closed_channels_hold_up_no_other() {
    let (desk, mut ear) = TestDesk::echo();
    let (_scene, mut server) = Scene::joined(network(), ACCOUNT_CAPS, desk.clone()).await;
    let closed: Vec<String> = (0..10).map(|n| format!("#closed{n}")).collect();
    desk.bind(&closed.iter().map(String::as_str).collect::<Vec<_>>());
    server.expect(&format!("JOIN {}", closed.join(","))).await;
    for channel in &closed {
        server.send(&format!(":irc.test 471 Keeper {channel} :full")).await;
        desk.announce("irc:net", channel, lines(1));
    }
    let open = desk.announce("irc:net", "#n", lines(1));
    server.expect_untagged("PRIVMSG #n :line 1").await;
    server.settle().await;
    assert_eq!(ear.report().await, Report::Delivered(open));
}

#[tokio::test(start_paused = true)]
async fn many_channels_take_turns() {
    let (desk, mut ear) = TestDesk::echo();
    let (_scene, mut server) = Scene::joined(network(), ACCOUNT_CAPS, desk.clone()).await;
    let channels: Vec<String> = (0..12).map(|n| format!("#c{n:02}")).collect();
    desk.bind(&channels.iter().map(String::as_str).collect::<Vec<_>>());
    server.expect(&format!("JOIN {}", channels.join(","))).await;
    for channel in &channels {
        server.say_joined(channel, "").await;
        server.settle().await;
    }
    let ids: Vec<i64> = channels.iter().map(|channel| desk.announce("irc:net", channel, lines(1))).collect();
    let mut said = Vec::new();
    while said.len() < channels.len() {
        said.push(server.line().await.split(' ').nth(2).expect("a target").to_owned());
    }
    assert_eq!(said, channels);
    server.expect_silence(Duration::from_secs(1)).await;
    for id in ids {
        assert_eq!(ear.report().await, Report::Delivered(id));
    }
}

#[tokio::test(start_paused = true)]
async fn a_long_announcement_can_be_continued_by_anybody_in_the_channel() {
    let (desk, _ear) = TestDesk::echo();
    let (_scene, mut server) = Scene::joined(network(), ACCOUNT_CAPS, desk.clone()).await;
    desk.announce("irc:net", "#n", lines(11));
    for n in 1..=8 {
        server.expect_untagged(&format!("PRIVMSG #n :line {n}")).await;
    }
    server.expect_untagged("PRIVMSG #n :(3 more lines: say !more)").await;
    server.send("@account=bob :bob!b@h PRIVMSG #n :!more").await;
    for n in 9..=11 {
        server.expect_untagged(&format!("PRIVMSG #n :line {n}")).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_long_announcement_names_its_own_page_and_no_link_of_its_text() {
    let (desk, _ear) = TestDesk::echo();
    let (_scene, mut server) = Scene::joined(network(), ACCOUNT_CAPS, desk.clone()).await;
    let text = || Document::say("ann proposes: read https://evil.example/ann first");
    let long = |document: Document| Document { blocks: [document.blocks, lines(12).blocks].concat(), ..document };
    desk.announce("irc:net", "#n", long(text()));
    let hint = loop {
        let line = server.line().await;
        if line.contains("more lines") {
            break line;
        }
    };
    assert!(hint.ends_with("(5 more lines: say !more)"), "{hint}");
    server.settle().await;
    let page = "https://nomic.example/room/main/entry/7";
    desk.announce("irc:net", "#n", Document { link: Some(page.to_owned()), ..long(text()) });
    let hint = loop {
        let line = server.line().await;
        if line.contains("more lines") {
            break line;
        }
    };
    assert!(hint.ends_with(&format!("(5 more lines: say !more, or read {page})")), "{hint}");
}

#[tokio::test(start_paused = true)]
async fn a_long_answer_names_no_link_of_its_text() {
    let (desk, _ear) = TestDesk::new(|_| {
        let document = (0..12)
            .fold(Document::say("read https://evil.example/ann"), |document, n| document.para(format!("line {n}")));
        vec![Reply { kind: ReplyKind::Shown, private: false, document, file: None }]
    });
    let (_scene, mut server) = Scene::joined(network(), ACCOUNT_CAPS, desk.clone()).await;
    server.send("@account=bob :bob!b@h PRIVMSG #n :!rules").await;
    for _ in 0..4 {
        server.line().await;
    }
    server.expect_untagged("PRIVMSG #n :(9 more lines: say !more)").await;
}

#[tokio::test(start_paused = true)]
async fn an_announcement_for_a_person_goes_to_their_account_and_waits_when_they_are_away() {
    let (desk, mut ear) = TestDesk::echo();
    let (_scene, mut server) = Scene::joined(network(), ACCOUNT_CAPS, desk.clone()).await;
    let id = desk.announce_to("irc:net", "alice", lines(1));
    server.expect("WHOIS alice").await;
    server.send(":irc.test 401 Keeper alice :No such nick").await;
    server.send(":irc.test 318 Keeper alice :End").await;
    assert_eq!(ear.report().await, Report::Undelivered(id, Undelivered::Retry));
    server.send(":mal!m@evil JOIN #n mallory :real").await;
    server.send(":mal!m@evil NICK :alice").await;
    server.expect_silence(Duration::from_secs(30)).await;
    server.send(":al!a@h JOIN #n Alice :real").await;
    server.expect_untagged("NOTICE al :line 1").await;
    server.settle().await;
    ear.report_until(&Report::Delivered(id)).await;
}

#[tokio::test(start_paused = true)]
async fn two_hundred_announcements_arrive_in_order_at_the_default_pace() {
    let (desk, mut ear) = TestDesk::echo();
    let network = adapter_irc::IrcNetwork { pace: Default::default(), ..network() };
    let (_scene, mut server) = Scene::joined(network, ACCOUNT_CAPS, desk.clone()).await;
    for n in 0..200 {
        desk.announce("irc:net", "#n", Document::say(format!("number {n}")));
    }
    let start = tokio::time::Instant::now();
    for n in 0..200 {
        server.expect_untagged(&format!("PRIVMSG #n :number {n}")).await;
    }
    assert!(start.elapsed() <= Duration::from_secs(420), "{:?}", start.elapsed());
    for id in 1..=200 {
        assert_eq!(ear.report().await, Report::Delivered(id));
        // Pings are answered while lines are read.
        if id == 199 {
            server.settle().await;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_for_a_connection_that_has_ended_is_given_up() {
    let (desk, mut ear) = TestDesk::echo();
    let network = IrcNetwork { identity: IdentityKind::Connection, ..network() };
    let mut scene = Scene::start(network, desk.clone());
    let mut server = scene.call().await;
    server.sign_in("multi-prefix").await;
    server.expect("JOIN #n").await;
    server.say_joined("#n", "al").await;
    server.settle().await;
    server.send(":al!a@h PRIVMSG #n :!x").await;
    let account = ear.line().await.from.account.expect("al can be seen");
    server.expect(&format!("PRIVMSG #n :al: {} says x", account.id)).await;
    let here = desk.announce_to("irc:net", &account.id, lines(1));
    server.expect("NOTICE al :line 1").await;
    server.settle().await;
    assert_eq!(ear.report().await, Report::Delivered(here));
    server.send(":al!a@h QUIT :gone").await;
    assert!(matches!(ear.report().await, Report::Incident(_)));
    let gone = desk.announce_to("irc:net", &account.id, lines(1));
    assert!(matches!(ear.report().await, Report::Undelivered(id, Undelivered::Gone(_)) if id == gone));
}
