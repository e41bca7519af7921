//! Connecting, signing in, and staying on the network.

use std::time::Duration;

use adapter_irc::{
    CONNECT_TIMEOUT, Link, RECONNECT_MAX,
    config::{Channel, ChannelSettings, Login, NickServ, Secret},
};
use port::ForumAddress;
use port::Incident;
use tokio::time::Instant;

use crate::fakes::{
    desk::{Report, TestDesk},
    irc::{ACCOUNT_CAPS, Scene, network},
};

fn with_sasl() -> adapter_irc::IrcNetwork {
    let login = Login { user: "keeper".to_owned(), password: Secret::new("hunter2") };
    adapter_irc::IrcNetwork { sasl: Some(login), ..network() }
}

#[tokio::test(start_paused = true)]
async fn a_login_comes_before_the_first_join() {
    let (desk, _ear) = TestDesk::echo();
    let mut scene = Scene::start(with_sasl(), desk);
    let mut server = scene.call().await;
    server.hello("sasl=PLAIN account-tag").await;
    server.expect("AUTHENTICATE PLAIN").await;
    server.send("AUTHENTICATE +").await;
    server.expect("AUTHENTICATE AGtlZXBlcgBodW50ZXIy").await;
    server.expect_silence(Duration::from_secs(20)).await;
    server.send(":irc.test 900 Keeper Keeper!k@h keeper :You are now logged in").await;
    server.send(":irc.test 903 Keeper :Success").await;
    server.expect("CAP END").await;
    server.greet().await;
    server.let_in("#n", "").await;
    assert_eq!(*scene.link().borrow(), Link::Online { nick: "Keeper".to_owned() });
}

#[tokio::test(start_paused = true)]
async fn a_refused_login_stops_the_network_and_tells_moderators_without_the_password() {
    let (desk, mut ear) = TestDesk::echo();
    let mut scene = Scene::start(with_sasl(), desk);
    let mut server = scene.call().await;
    server.hello("sasl").await;
    server.expect("AUTHENTICATE PLAIN").await;
    server.send("AUTHENTICATE +").await;
    server.line().await;
    server.send(":irc.test 904 Keeper :SASL authentication failed").await;
    assert!(server.expect_closed().await.is_empty(), "nothing is joined");
    let Report::Incident(Incident::ServiceLost { service, why }) = ear.report().await else { panic!("no incident") };
    assert_eq!(service, "irc:net");
    assert!(!why.contains("hunter2"));
    scene.link().wait_for(|link| matches!(link, Link::Stopped { .. })).await.unwrap();
    tokio::time::sleep(RECONNECT_MAX * 10).await;
    assert!(scene.nobody_calls(), "each further try might lock the account");
}

#[tokio::test(start_paused = true)]
async fn services_that_are_away_are_waited_for() {
    let (desk, _ear) = TestDesk::echo();
    let mut scene = Scene::start(with_sasl(), desk);
    let mut server = scene.call().await;
    server.hello("account-tag").await;
    assert!(server.expect_closed().await.is_empty());
    let mut server = scene.call().await;
    server.hello("sasl").await;
    server.expect("AUTHENTICATE PLAIN").await;
}

#[tokio::test(start_paused = true)]
async fn nickserv_is_asked_where_there_is_no_sasl() {
    let (desk, _ear) = TestDesk::echo();
    let nickserv =
        NickServ { service: "NickServ".to_owned(), user: "keeper".to_owned(), password: Secret::new("hunter2") };
    let network = adapter_irc::IrcNetwork { nickserv: Some(nickserv), ..network() };
    let mut scene = Scene::start(network, desk);
    let mut server = scene.call().await;
    server.hello("account-tag").await;
    server.expect("CAP END").await;
    server.send(":irc.test 001 Keeper :Welcome").await;
    server.send(":irc.test 422 Keeper :No message").await;
    server.expect("PRIVMSG NickServ :IDENTIFY keeper hunter2").await;
    server.expect_silence(Duration::from_secs(5)).await;
    server.send(":NickServ!s@services.test NOTICE Keeper :You are now identified for keeper.").await;
    server.let_in("#n", "").await;
}

#[tokio::test(start_paused = true)]
async fn a_server_that_says_nothing_is_given_up_after_the_time_for_connecting() {
    let (desk, _ear) = TestDesk::echo();
    let mut scene = Scene::start(network(), desk);
    let start = Instant::now();
    let mut server = scene.call().await;
    server.expect_closed().await;
    assert_eq!(start.elapsed().as_secs(), CONNECT_TIMEOUT.as_secs());
    scene.call().await;
}

#[tokio::test(start_paused = true)]
async fn a_stalled_connection_is_noticed_even_when_nothing_can_be_written() {
    let (desk, mut ear) = TestDesk::echo();
    let (mut scene, server) = Scene::joined(network(), ACCOUNT_CAPS, desk.clone()).await;
    // The server reads nothing and says nothing from here on.
    for _ in 0..40 {
        desk.announce("irc:net", "#n", kernel::display::Document::say("x".repeat(8000)));
    }
    let start = Instant::now();
    let mut next = scene.call().await;
    let waited = start.elapsed();
    assert!((25..=45).contains(&waited.as_secs()), "{waited:?}");
    drop(server);
    assert!(matches!(ear.report().await, Report::Undelivered(1, _)));
    next.sign_in(ACCOUNT_CAPS).await;
}

#[tokio::test(start_paused = true)]
async fn a_ping_of_the_server_is_answered_before_anything_else() {
    let (desk, _ear) = TestDesk::echo();
    let (_scene, mut server) = Scene::joined(network(), ACCOUNT_CAPS, desk).await;
    server.send("PING :are you there").await;
    server.expect("PONG :are you there").await;
}

#[tokio::test(start_paused = true)]
async fn a_lost_connection_is_made_again_with_growing_pauses() {
    let (desk, _ear) = TestDesk::echo();
    let mut scene = Scene::start(network(), desk);
    let mut pauses = Vec::new();
    drop(scene.call().await);
    let mut since = Instant::now();
    for _ in 0..10 {
        drop(scene.call().await);
        pauses.push(since.elapsed().as_secs_f64());
        since = Instant::now();
    }
    assert!(pauses[0] >= 1.0 && pauses[0] <= 2.0, "{pauses:?}");
    assert!(pauses.iter().all(|pause| *pause <= RECONNECT_MAX.as_secs_f64() + 0.1), "{pauses:?}");
    assert!(pauses[8] >= 30.0, "{pauses:?}");
}

#[tokio::test(start_paused = true)]
async fn after_a_kick_the_bot_comes_back_and_after_five_it_stays_out_and_says_so() {
    let (desk, mut ear) = TestDesk::echo();
    let (_scene, mut server) = Scene::joined(network(), ACCOUNT_CAPS, desk).await;
    for pause in [5, 10, 20, 40] {
        server.send(":op!o@h KICK #n Keeper :out").await;
        server.expect_silence(Duration::from_millis(pause * 1000 - 100)).await;
        server.let_in("#n", "").await;
    }
    server.send(":op!o@h KICK #n Keeper :out").await;
    let Report::Incident(Incident::ForumLost { forum, .. }) = ear.report().await else { panic!("no incident") };
    assert_eq!(forum, ForumAddress { service: "irc:net".to_owned(), channel: "#n".to_owned() });
    server.expect_silence(Duration::from_secs(1700)).await;
}

#[tokio::test(start_paused = true)]
async fn forums_that_are_bound_or_unbound_are_joined_or_left() {
    let (desk, _ear) = TestDesk::echo();
    let (_scene, mut server) = Scene::joined(network(), ACCOUNT_CAPS, desk.clone()).await;
    desk.bind(&["#n", "#other"]);
    server.let_in("#other", "").await;
    desk.bind(&[]);
    server.expect("PART #other").await;
    server.expect_silence(Duration::from_secs(600)).await;
}

#[tokio::test(start_paused = true)]
async fn a_channels_key_and_prefix_are_its_own() {
    let (desk, mut ear) = TestDesk::echo();
    let settings =
        ChannelSettings { name: "#Key".to_owned(), key: Some(Secret::new("hush")), prefix: Some(".".to_owned()) };
    let network = adapter_irc::IrcNetwork { channels: vec![Channel::Settings(settings)], ..network() };
    let mut scene = Scene::start(network, desk);
    let mut server = scene.call().await;
    server.sign_in(ACCOUNT_CAPS).await;
    server.expect("JOIN #Key hush").await;
    server.say_joined("#Key", "").await;
    server.settle().await;
    server.send("@account=al :al!a@h PRIVMSG #Key :!no").await;
    server.send("@account=al :al!a@h PRIVMSG #Key :.yes").await;
    assert_eq!(ear.line().await.text, "yes");
}

#[tokio::test(start_paused = true)]
async fn a_nick_in_use_is_replaced_and_then_recovered_through_the_services() {
    let (desk, mut ear) = TestDesk::echo();
    let mut scene = Scene::start(with_sasl(), desk);
    let mut server = scene.call().await;
    server.hello("sasl account-tag").await;
    server.send(":irc.test 433 * Keeper :Nickname is already in use").await;
    server.expect("AUTHENTICATE PLAIN").await;
    server.expect("NICK Kept").await;
    server.send("AUTHENTICATE +").await;
    server.line().await;
    server.nick = "Kept".to_owned();
    server.send(":irc.test 900 Kept Kept!k@h keeper :You are now logged in").await;
    server.send(":irc.test 903 Kept :Success").await;
    server.expect("CAP END").await;
    server.send(":irc.test 001 Kept :Welcome").await;
    server.send(":irc.test 422 Kept :No message").await;
    let mut first = [server.line().await, server.line().await];
    first.sort();
    assert_eq!(first, ["JOIN #n", "PRIVMSG NickServ :GHOST Keeper"]);
    server.say_joined("#n", "").await;
    server.settle().await;
    server.send(":NickServ!s@h NOTICE Kept :Keeper has been ghosted.").await;
    server.expect("NICK Keeper").await;
    server.send(":Kept!k@h NICK :Keeper").await;
    server.send("@account=al :al!a@h PRIVMSG #n :Kept: no").await;
    server.send("@account=al :al!a@h PRIVMSG #n :Keeper: yes").await;
    assert_eq!(ear.line().await.text, "yes");
}

#[tokio::test(start_paused = true)]
async fn at_the_end_the_bot_says_goodbye_within_two_seconds_even_to_a_server_that_does_not_listen() {
    let (desk, _ear) = TestDesk::echo();
    let (scene, mut server) = Scene::joined(network(), ACCOUNT_CAPS, desk).await;
    let start = Instant::now();
    let link = scene.link();
    let stopping = tokio::spawn(scene.irc.stop());
    server.expect("QUIT :The program stops").await;
    stopping.await.unwrap();
    assert!(start.elapsed() <= Duration::from_secs(2), "{:?}", start.elapsed());
    assert!(matches!(*link.borrow(), Link::Stopped { .. }));
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_is_being_made_is_sent_before_the_goodbye() {
    let (desk, mut ear) = TestDesk::echo();
    let (scene, mut server) = Scene::joined(network(), ACCOUNT_CAPS, desk).await;
    server.send("@account=al :al!a@h PRIVMSG Keeper :hello").await;
    ear.line().await;
    let stopping = tokio::spawn(scene.irc.stop());
    server.expect("NOTICE al :al says hello").await;
    server.expect("QUIT :The program stops").await;
    stopping.await.unwrap();
}
