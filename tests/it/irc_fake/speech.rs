//! What people say, who they are, and what they are answered.

use std::time::Duration;

use adapter_irc::{
    IrcNetwork,
    config::{IdentityKind, Pace},
};
use kernel::display::Document;
use port::Incident;
use port::{Place, Reply, ReplyKind};

use crate::fakes::{
    desk::{Report, TestDesk},
    irc::{ACCOUNT_CAPS, ALL_CAPS, Scene, network},
};

#[tokio::test(start_paused = true)]
async fn a_command_in_a_channel_is_heard_with_its_account_and_answered_there() {
    let (desk, mut ear) = TestDesk::echo();
    let (_scene, mut server) = Scene::joined(network(), ACCOUNT_CAPS, desk).await;
    server.send("@account=Alice;msgid=m1 :al!a@h PRIVMSG #N :!help me").await;
    let line = ear.line().await;
    assert_eq!(line.text, "help me");
    assert_eq!(line.origin, "irc:net/m1");
    let account = line.from.account.unwrap();
    assert_eq!((account.service.as_str(), account.id.as_str()), ("irc:net", "alice"));
    assert!(!line.from.operator, "who moderates is the service's business");
    assert!(matches!(line.place, Place::Forum(forum) if forum.channel == "#n"));
    let tags = server.expect_untagged("PRIVMSG #N :al: alice says help me").await;
    assert_eq!(tags.get("+draft/reply"), Some("m1"));
}

#[tokio::test(start_paused = true)]
async fn lines_without_an_id_have_origins_that_no_other_connection_makes() {
    let (desk, mut ear) = TestDesk::echo();
    let (mut scene, mut server) = Scene::joined(network(), "account-tag", desk).await;
    let mut origins = Vec::new();
    for _ in 0..2 {
        server.send(":al!a@h PRIVMSG Keeper :x").await;
        origins.push(ear.line().await.origin);
    }
    drop(server);
    let mut server = scene.call().await;
    server.sign_in("account-tag").await;
    server.send(":al!a@h PRIVMSG Keeper :x").await;
    origins.push(ear.line().await.origin);
    origins.sort();
    origins.dedup();
    assert_eq!(origins.len(), 3);
}

#[tokio::test(start_paused = true)]
async fn a_nick_thief_is_somebody_else() {
    let (desk, mut ear) = TestDesk::echo();
    let (_scene, mut server) = Scene::joined(network(), ACCOUNT_CAPS, desk).await;
    server.send("@account=alice :alice!a@h PRIVMSG #n :!x").await;
    server.send(":alice!a@h QUIT :bye").await;
    server.send("@account=mallory :alice!m@evil PRIVMSG #n :!x").await;
    server.send(":alice!m@evil PRIVMSG #n :!x").await;
    let mut accounts = Vec::new();
    for _ in 0..3 {
        accounts.push(ear.line().await.from.account.map(|account| account.id));
    }
    assert_eq!(accounts, [Some("alice".to_owned()), Some("mallory".to_owned()), None]);
}

/// A desk that answers everything in private, when it is let.
fn slow_secrets() -> (std::sync::Arc<TestDesk>, crate::fakes::desk::Ear) {
    TestDesk::new(|line| {
        vec![Reply {
            kind: ReplyKind::Shown,
            private: true,
            document: Document::say(format!("secret of {}", line.text)),
            file: None,
        }]
    })
}

#[tokio::test(start_paused = true)]
async fn a_private_answer_does_not_go_to_a_nick_thief() {
    let (desk, mut ear) = slow_secrets();
    let network =
        IrcNetwork { pace: Pace { burst_lines: 1, line_every_ms: 5000, unread_max_bytes: 65536 }, ..network() };
    let mut scene = Scene::start(network, desk);
    let mut server = scene.call().await;
    server.sign_in(ACCOUNT_CAPS).await;
    server.let_in("#n", "").await;
    server.send(":alice!a@h JOIN #n alice :real").await;
    server.send("@account=alice :alice!a@h PRIVMSG #n :!plan").await;
    ear.line().await;
    // The answer waits for the pace; meanwhile the nick changes hands.
    server.send(":alice!a@h NICK :alice_away").await;
    server.send(":mal!m@evil JOIN #n mallory :real").await;
    server.send(":mal!m@evil NICK :alice").await;
    server.expect("NOTICE alice_away :secret of plan").await;
    server.send("@account=alice :alice_away!a@h PRIVMSG #n :!plan").await;
    ear.line().await;
    server.send(":alice_away!a@h QUIT :bye").await;
    server.send(":mal2!m@evil NICK :alice_away").await;
    let mut asked = 0;
    while let Ok(line) = tokio::time::timeout(Duration::from_secs(60), server.line()).await {
        let nick = line.strip_prefix("WHOIS ").unwrap_or_else(|| panic!("sent {line:?}")).to_owned();
        server.send(&format!(":irc.test 311 Keeper {nick} m evil * :real")).await;
        server.send(&format!(":irc.test 330 Keeper {nick} mallory :is logged in as")).await;
        server.send(&format!(":irc.test 318 Keeper {nick} :End")).await;
        asked += 1;
    }
    assert_eq!(asked, 1, "the server is asked once and its answer believed");
}

#[tokio::test(start_paused = true)]
async fn a_private_answer_to_a_command_in_a_channel_never_goes_to_the_channel() {
    let (desk, _ear) = TestDesk::echo();
    let (_scene, mut server) = Scene::joined(network(), ACCOUNT_CAPS, desk).await;
    server.send("@account=alice :al!a@h PRIVMSG #n :!secret plan").await;
    server.expect("NOTICE al :alice says secret plan").await;
    server.expect_silence(Duration::from_secs(60)).await;
}

#[tokio::test(start_paused = true)]
async fn without_account_tags_the_server_is_asked_before_a_line_acts() {
    let (desk, mut ear) = TestDesk::echo();
    let (_scene, mut server) = Scene::joined(network(), "multi-prefix", desk).await;
    server.send(":al!a@h PRIVMSG #n :!one").await;
    server.send(":bob!b@h PRIVMSG #n :!two").await;
    server.expect("WHOIS al").await;
    assert!(ear.heard_nothing());
    server.send(":irc.test 330 Keeper al Alice :is logged in as").await;
    server.send(":irc.test 318 Keeper al :End").await;
    let one = ear.line().await;
    assert_eq!((one.text.as_str(), one.from.account.unwrap().id.as_str()), ("one", "alice"));
    server.expect("WHOIS bob").await;
    server.expect("PRIVMSG #n :al: alice says one").await;
    server.send(":irc.test 318 Keeper bob :End").await;
    let two = ear.line().await;
    assert_eq!((two.text.as_str(), two.from.account), ("two", None));
}

#[tokio::test(start_paused = true)]
async fn a_server_that_does_not_say_who_somebody_is_makes_them_nobody() {
    let (desk, mut ear) = TestDesk::echo();
    let (_scene, mut server) = Scene::joined(network(), "multi-prefix", desk).await;
    server.send(":al!a@h PRIVMSG #n :!one").await;
    server.expect("WHOIS al").await;
    assert_eq!(ear.line().await.from.account, None);
}

#[tokio::test(start_paused = true)]
async fn on_a_network_without_services_an_identity_is_a_connection_and_its_end_is_told() {
    let (desk, mut ear) = TestDesk::echo();
    let network = IrcNetwork { identity: IdentityKind::Connection, ..network() };
    let mut scene = Scene::start(network, desk);
    let mut server = scene.call().await;
    server.sign_in("multi-prefix").await;
    server.expect("JOIN #n").await;
    server.say_joined("#n", "al bob").await;
    server.settle().await;
    server.send(":al!a@h PRIVMSG #n :!x").await;
    server.send(":al!a@h PRIVMSG Keeper :y").await;
    let first = ear.line().await.from.account.unwrap();
    assert!(first.id.starts_with("al~"), "{}", first.id);
    assert_eq!(ear.line().await.from.account.as_ref(), Some(&first));
    server.send(":al!a@h NICK :al2").await;
    let Report::Incident(Incident::IdentityVoided { account, why }) = ear.report().await else { panic!("not told") };
    assert_eq!((account, why.as_str()), (first.clone(), "al changed nick to al2"));
    server.send(":al2!a@h PRIVMSG #n :!x").await;
    let second = ear.line().await.from.account.unwrap();
    assert_ne!(second, first);
    drop(server);
    let Report::Incident(Incident::IdentityVoided { account, .. }) = ear.report().await else { panic!("not told") };
    assert_eq!(account, second, "the end of the connection ends it");
}

#[tokio::test(start_paused = true)]
async fn long_output_comes_in_pages_for_the_one_who_asked() {
    let (desk, _ear) = TestDesk::echo();
    let (_scene, mut server) = Scene::joined(network(), ACCOUNT_CAPS, desk).await;
    server.send("@account=alice :al!a@h PRIVMSG #n :!long 10").await;
    server.expect("PRIVMSG #n :al: line 1").await;
    for n in 2..=4 {
        server.expect(&format!("PRIVMSG #n :line {n}")).await;
    }
    server.expect("PRIVMSG #n :(6 more lines: say !more)").await;
    server.send("@account=mallory :al!m@evil PRIVMSG #n :!more").await;
    server.expect("NOTICE al :There is nothing more to show.").await;
    server.send("@account=alice :al!a@h PRIVMSG #n :!MORE").await;
    for n in 5..=8 {
        server.expect(&format!("PRIVMSG #n :line {n}")).await;
    }
    server.expect("PRIVMSG #n :(2 more lines: say !more)").await;
    server.send("@account=alice :al!a@h PRIVMSG #n :Keeper: more").await;
    server.expect("PRIVMSG #n :line 9").await;
    server.expect("PRIVMSG #n :line 10").await;
}

#[tokio::test(start_paused = true)]
async fn in_private_a_page_is_longer_and_more_needs_no_prefix() {
    let (desk, mut ear) = TestDesk::echo();
    let (_scene, mut server) = Scene::joined(network(), ACCOUNT_CAPS, desk).await;
    server.send("@account=alice :al!a@h PRIVMSG Keeper :long 13").await;
    for n in 1..=10 {
        server.expect(&format!("NOTICE al :line {n}")).await;
    }
    server.expect("NOTICE al :(3 more lines: say more)").await;
    ear.line().await;
    server.send("@account=alice :al!a@h PRIVMSG Keeper :more").await;
    for n in 11..=13 {
        server.expect(&format!("NOTICE al :line {n}")).await;
    }
    server.send("@account=alice :al!a@h PRIVMSG Keeper :more").await;
    assert_eq!(ear.line().await.text, "more", "with nothing left it may be a line of a text");
}

#[tokio::test(start_paused = true)]
async fn lines_of_one_place_are_heard_in_order_and_a_programs_lines_stay_as_they_are() {
    let (desk, mut ear) = TestDesk::echo();
    let (_scene, mut server) = Scene::joined(network(), ACCOUNT_CAPS, desk).await;
    let program = ["joust submit", "  (>)*8", "[-]: more, or less", "!![-]"];
    for line in program {
        server.send(&format!("@account=alice :al!a@h PRIVMSG Keeper :{line}")).await;
    }
    for line in program {
        assert_eq!(ear.line().await.text, line);
    }
}

#[tokio::test(start_paused = true)]
async fn ctcp_is_answered_privately_and_seldom_and_a_notice_never() {
    let (desk, mut ear) = TestDesk::echo();
    let (_scene, mut server) = Scene::joined(network(), ACCOUNT_CAPS, desk).await;
    server.send(":al!a@h PRIVMSG #n :\x01VERSION\x01").await;
    let line = server.line().await;
    assert!(line.starts_with("NOTICE al :\x01VERSION Rulekeeper "), "{line:?}");
    server.send(":al!a@h PRIVMSG Keeper :\x01PING 5\x01").await;
    server.expect_silence(Duration::from_secs(10)).await;
    server.send(":al!a@h PRIVMSG Keeper :\x01PING 5\x01").await;
    server.expect("NOTICE al :\x01PING 5\x01").await;
    server.send(":al!a@h NOTICE Keeper :!help").await;
    server.send(":al!a@h NOTICE #n :!help").await;
    server.send(":al!a@h PRIVMSG #n :\x01ACTION says !help\x01").await;
    server.expect_silence(Duration::from_secs(60)).await;
    assert!(ear.heard_nothing());
}

#[tokio::test(start_paused = true)]
async fn bots_and_replays_and_the_bot_itself_are_not_heard() {
    let (desk, mut ear) = TestDesk::echo();
    let (_scene, mut server) = Scene::joined(network(), ALL_CAPS, desk).await;
    server.send("@account=b;bot :b!b@h PRIVMSG #n :!one").await;
    server.send("@account=b;inspircd.org/bot :b!b@h PRIVMSG #n :!two").await;
    server.send(":irc.test BATCH +r chathistory #n").await;
    server.send("@batch=r;account=alice :al!a@h PRIVMSG #n :!three").await;
    server.send(":irc.test BATCH -r").await;
    server.send(":Keeper!k@h PRIVMSG #n :!four").await;
    server.send("@account=alice :al!a@h PRIVMSG #n :!five").await;
    assert_eq!(ear.line().await.text, "five");
}

#[tokio::test(start_paused = true)]
async fn who_has_no_account_is_told_what_to_do_on_this_network() {
    let (desk, mut ear) = TestDesk::echo();
    let modern = Scene::joined(network(), ACCOUNT_CAPS, desk).await;
    let (_scene, mut server) = modern;
    server.send(":al!a@h PRIVMSG Keeper :x").await;
    let from = ear.line().await.from;
    assert_eq!(from.sign_in.as_deref(), Some("log in to your services account first, then try again"));
    server.send("@account=al :al!a@h PRIVMSG Keeper :x").await;
    assert_eq!(ear.line().await.from.sign_in, None);

    let (desk, mut ear) = TestDesk::echo();
    let (_scene, mut server) = Scene::joined(network(), "multi-prefix", desk).await;
    server.send(":al!a@h PRIVMSG Keeper :x").await;
    server.expect("WHOIS al").await;
    server.send(":irc.test 318 Keeper al :End").await;
    let told = ear.line().await.from.sign_in.expect("al has no account");
    assert!(told.contains("my operator has to set identity = \"connection\""), "{told}");

    let (desk, mut ear) = TestDesk::echo();
    let network = IrcNetwork { identity: IdentityKind::Connection, ..network() };
    let (_scene, mut server) = Scene::joined(network, "multi-prefix", desk).await;
    server.send(":al!a@h PRIVMSG Keeper :x").await;
    let told = ear.line().await.from.sign_in.expect("al cannot be seen");
    assert!(told.ends_with("Join #n, stay there, and say it again") && !told.contains("log in"), "{told}");
}

#[tokio::test(start_paused = true)]
async fn the_desk_hears_what_the_bot_is_called() {
    let (desk, mut ear) = TestDesk::echo();
    let (_scene, mut server) = Scene::joined(network(), ACCOUNT_CAPS, desk.clone()).await;
    server.send(":Keeper!k@host.test NICK :Guest42").await;
    server.send("@account=al :al!a@h PRIVMSG #n :Guest42: x").await;
    ear.line().await;
    let names = desk.names();
    assert_eq!(names.first().map(Vec::as_slice), Some(&["Keeper".to_owned()][..]), "before it is on the network");
    assert_eq!(names.last().map(Vec::as_slice), Some(&["Keeper".to_owned(), "Guest42".to_owned()][..]));
}

#[tokio::test(start_paused = true)]
async fn a_desk_that_breaks_costs_one_answer_and_not_the_connection() {
    let (desk, mut ear) = TestDesk::new(|line| match line.text.as_str() {
        "break" => panic!("a fault of the service"),
        text => vec![Reply { kind: ReplyKind::Done, private: false, document: Document::say(text), file: None }],
    });
    let (_scene, mut server) = Scene::joined(network(), ACCOUNT_CAPS, desk).await;
    server.send("@account=alice :al!a@h PRIVMSG #n :!break").await;
    let line = server.line().await;
    assert!(line.starts_with("NOTICE al :Something broke"), "{line:?}");
    server.send("@account=alice :al!a@h PRIVMSG #n :!go on").await;
    ear.line().await;
    server.expect("PRIVMSG #n :al: go on").await;
}
