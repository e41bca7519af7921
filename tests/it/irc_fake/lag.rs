//! Connections that lag, and connections that are dead: the one is waited for, the other is noticed and made again.

use std::time::Duration;

use adapter_irc::Link;
use kernel::display::Document;
use port::Undelivered;
use tokio::time::Instant;

use crate::fakes::{
    desk::{Report, TestDesk},
    irc::{ACCOUNT_CAPS, ALL_CAPS, Peer, Scene, network},
};

/// Within this a dead connection is noticed.
const NOTICED_WITHIN: Duration = Duration::from_secs(45);

/// How often people talk in a channel while the server answers nothing.
const TALK_EVERY: Duration = Duration::from_secs(10);

/// What the bot said while nothing was answered.
#[derive(Default)]
struct Said {
    /// Text of its own.
    texts: Vec<String>,
    /// What it wants to be told back.
    pings: Vec<String>,
}

impl Said {
    /// The server catches up: each echo and each answer, in the order in which it was asked.
    async fn catch_up(self, server: &mut Peer) {
        for text in &self.texts {
            let (tags, line) = text.strip_prefix('@').and_then(|rest| rest.split_once(' ')).expect("tags");
            server.send(&format!("@{tags} :Keeper!k@host.test {line}")).await;
        }
        for token in &self.pings {
            server.send(&format!(":irc.test PONG irc.test :{token}")).await;
        }
    }

    fn count(&self, text: &str) -> usize {
        self.texts.iter().filter(|line| line.ends_with(text)).count()
    }
}

/// The server passes on what others say and nothing else; what the bot says meanwhile.
async fn lag(server: &mut Peer, duration: Duration) -> Said {
    let (mut said, until) = (Said::default(), Instant::now() + duration);
    while Instant::now() < until {
        server.send(":bob!b@h PRIVMSG #n :talk among people").await;
        let next = (Instant::now() + TALK_EVERY).min(until);
        while let Ok(line) = tokio::time::timeout_at(next, server.raw_line()).await {
            let line = line.expect("the bot is connected");
            match line.strip_prefix("PING ") {
                Some(token) => said.pings.push(token.trim_start_matches(':').to_owned()),
                None => said.texts.push(line),
            }
        }
    }
    said
}

#[tokio::test(start_paused = true)]
async fn an_echo_that_comes_a_minute_late_is_waited_for_and_nothing_is_sent_twice() {
    let (desk, mut ear) = TestDesk::echo();
    let (_scene, mut server) = Scene::joined(network(), ALL_CAPS, desk.clone()).await;
    let id = desk.announce("irc:net", "#n", Document::say("once"));
    let said = lag(&mut server, Duration::from_secs(60)).await;
    assert_eq!(said.count("PRIVMSG #n once"), 1, "{:?}", said.texts);
    assert!(said.pings.iter().any(|token| token.starts_with("rk-")), "it asks whether the line was read");
    assert!(ear.told_nothing());
    said.catch_up(&mut server).await;
    assert_eq!(ear.report().await, Report::Delivered(id));
    let after = lag(&mut server, Duration::from_secs(250)).await;
    assert_eq!(after.texts, Vec::<String>::new());
}

#[tokio::test(start_paused = true)]
async fn a_fence_that_is_answered_a_minute_late_is_waited_for_and_nothing_is_sent_twice() {
    let (desk, mut ear) = TestDesk::echo();
    let (_scene, mut server) = Scene::joined(network(), ACCOUNT_CAPS, desk.clone()).await;
    let id = desk.announce("irc:net", "#n", Document::say("once"));
    let said = lag(&mut server, Duration::from_secs(60)).await;
    assert_eq!(said.count("PRIVMSG #n once"), 1, "{:?}", said.texts);
    assert!(ear.told_nothing());
    for token in &said.pings {
        server.send(&format!(":irc.test PONG irc.test :{token}")).await;
    }
    assert_eq!(ear.report().await, Report::Delivered(id));
    server.expect_silence(Duration::from_secs(250)).await;
}

/// Longer than the desk's lease, which the adapter therefore makes longer.
#[tokio::test(start_paused = true)]
async fn an_announcement_on_its_way_is_nobody_elses_however_long_it_takes() {
    let (desk, mut ear) = TestDesk::echo();
    let (_scene, mut server) = Scene::joined(network(), ALL_CAPS, desk.clone()).await;
    let id = desk.announce("irc:net", "#n", Document::say("once"));
    let said = lag(&mut server, Duration::from_secs(280)).await;
    assert_eq!(said.count("PRIVMSG #n once"), 1, "{:?}", said.texts);
    assert!(ear.told_nothing());
    said.catch_up(&mut server).await;
    assert_eq!(ear.report().await, Report::Delivered(id));
    server.expect_silence(Duration::from_secs(250)).await;
}

#[tokio::test(start_paused = true)]
async fn what_the_server_read_and_never_shows_is_told_and_not_sent_again() {
    let (desk, mut ear) = TestDesk::echo();
    let (_scene, mut server) = Scene::joined(network(), ALL_CAPS, desk.clone()).await;
    let id = desk.announce("irc:net", "#n", Document::say("once"));
    server.expect_untagged("PRIVMSG #n once").await;
    // Pings are answered on the way.
    server.expect_silence(Duration::from_secs(329)).await;
    assert!(ear.told_nothing());
    server.expect_silence(Duration::from_secs(2)).await;
    assert!(matches!(ear.report().await, Report::Undelivered(at, Undelivered::Gone(_)) if at == id));
    server.expect_silence(Duration::from_secs(250)).await;
}

#[tokio::test(start_paused = true)]
async fn a_connection_that_goes_silent_is_noticed_and_the_announcement_sent_on_the_next() {
    for answers_for in [0, 1, 10, 14, 15, 16, 29, 44, 61] {
        let (desk, mut ear) = TestDesk::echo();
        let (mut scene, mut server) = Scene::joined(network(), ALL_CAPS, desk.clone()).await;
        let mut link = scene.link();
        server.expect_silence(Duration::from_secs(answers_for)).await;
        // From here on everything that the bot says is swallowed, as by a router that forgot the connection.
        let (id, silent_since) = (desk.announce("irc:net", "#n", Document::say("twice at most")), Instant::now());
        link.wait_for(|link| matches!(link, Link::Waiting { .. })).await.expect("the bot lives");
        assert!(silent_since.elapsed() <= NOTICED_WITHIN, "{:?} after {answers_for}", silent_since.elapsed());
        assert!(silent_since.elapsed() >= Duration::from_secs(25), "a slow answer is no death");
        assert_eq!(ear.report().await, Report::Undelivered(id, Undelivered::Retry));
        let mut next = scene.call().await;
        next.sign_in(ALL_CAPS).await;
        next.let_in("#n", "").await;
        let mut said = Said::default();
        said.texts.push(next.line().await);
        assert_eq!(said.count("PRIVMSG #n :twice at most"), 1);
        said.catch_up(&mut next).await;
        assert_eq!(ear.report().await, Report::Delivered(id));
        next.expect_silence(Duration::from_secs(300)).await;
        drop(server);
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_that_answers_late_lives_and_one_that_never_answers_does_not() {
    let (desk, _ear) = TestDesk::echo();
    let (mut scene, mut server) = Scene::joined(network(), ACCOUNT_CAPS, desk).await;
    let link = scene.link();
    for _ in 0..20 {
        let ping = server.raw_line().await.expect("the bot is connected");
        let token = ping.strip_prefix("PING ").expect("the bot asks now and then");
        tokio::time::sleep(Duration::from_secs(24)).await;
        server.send(&format!(":irc.test PONG irc.test :{token}")).await;
    }
    assert!(scene.nobody_calls() && matches!(*link.borrow(), Link::Online { .. }));
    // People talk on, but the server reads nothing.
    let said = lag(&mut server, Duration::from_secs(290)).await;
    assert!(!said.pings.is_empty() && scene.nobody_calls());
    scene.call().await;
}
