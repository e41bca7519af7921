//! Bytes and texts that break bots: from the server, from people, and from the game.

use std::time::Duration;

use adapter_irc::{IrcNetwork, config::Pace};
use kernel::display::{Block, Document};
use port::{Reply, ReplyKind};

use crate::{
    fakes::{
        desk::TestDesk,
        irc::{ACCOUNT_CAPS, Scene, network},
    },
    log::Log,
};

#[tokio::test(start_paused = true)]
async fn a_cr_at_the_end_of_a_text_does_not_glue_the_next_private_message_on() {
    let (desk, _ear) = TestDesk::new(|_| {
        let reply =
            |private, text: &str| Reply { kind: ReplyKind::Done, private, document: Document::say(text), file: None };
        vec![reply(false, "hello\r"), reply(true, "the secret")]
    });
    let (_scene, mut server) = Scene::joined(network(), ACCOUNT_CAPS, desk).await;
    server.send("@account=alice :al!a@h PRIVMSG #n :!x").await;
    server.expect("NOTICE al :the secret").await;
    let public = server.line().await;
    assert_eq!(public.trim_end(), "PRIVMSG #n :al: hello");
}

#[tokio::test(start_paused = true)]
async fn nul_and_line_breaks_and_ctcp_marks_in_a_text_reach_nobody() {
    let (desk, _ear) = TestDesk::new(|_| {
        let document = Document::say("a\0b\x01DCC SEND\x01")
            .with(Block::Code { lang: String::new(), text: "one\r\nQUIT :pwned\ntwo\rJOIN 0".to_owned() });
        vec![Reply { kind: ReplyKind::Done, private: false, document, file: None }]
    });
    let (_scene, mut server) = Scene::joined(network(), ACCOUNT_CAPS, desk).await;
    server.send("@account=alice :al!a@h PRIVMSG #n :!x").await;
    // The fake server itself checks every line for breaks, NUL and length.
    server.expect("PRIVMSG #n :al: a b DCC SEND ").await;
    server.expect("PRIVMSG #n one").await;
    server.expect("PRIVMSG #n :QUIT :pwned").await;
    server.expect("PRIVMSG #n :two JOIN 0").await;
    server.expect_silence(Duration::from_secs(60)).await;
}

#[tokio::test(start_paused = true)]
async fn lines_of_ten_kilobytes_in_and_out() {
    let (desk, mut ear) = TestDesk::echo();
    let (_scene, mut server) = Scene::joined(network(), ACCOUNT_CAPS, desk).await;
    let text = "word ".repeat(2000);
    server.send(&format!("@account=alice :al!a@h PRIVMSG Keeper :{text}")).await;
    assert_eq!(ear.line().await.text.len(), text.len(), "the service refuses what is too long, and says so");
    let mut answered = String::new();
    for _ in 0..10 {
        let line = server.line().await;
        answered.push_str(line.strip_prefix("NOTICE al :").unwrap());
    }
    assert!(format!("alice says {text}").starts_with(&answered), "nothing is lost between pieces");
    assert!(server.line().await.contains("more lines"));
}

#[tokio::test(start_paused = true)]
async fn a_line_that_is_not_utf_8_does_not_end_the_connection() {
    let (desk, mut ear) = TestDesk::echo();
    let (mut scene, mut server) = Scene::joined(network(), ACCOUNT_CAPS, desk).await;
    server.send_bytes(b"@account=alice :al!a@h PRIVMSG #n :!caf\xe9\r\n").await;
    assert_eq!(ear.line().await.text, "caf\u{fffd}");
    server.expect("PRIVMSG #n :al: alice says caf\u{fffd}").await;
    assert!(scene.nobody_calls());
}

#[tokio::test(start_paused = true)]
async fn lines_that_are_no_messages_do_not_end_the_connection() {
    let (desk, mut ear) = TestDesk::echo();
    let (mut scene, mut server) = Scene::joined(network(), ACCOUNT_CAPS, desk).await;
    server.send(":x :y").await;
    server.send("").await;
    server.send(":irc.test MODE #n +zzz-* a b").await;
    server.send("@").await;
    server.send(":irc.test 353").await;
    server.send_bytes(&[b'x'; 100_000]).await;
    server.send("").await;
    server.send("@account=alice :al!a@h PRIVMSG #n :!still here").await;
    assert_eq!(ear.line().await.text, "still here");
    assert!(scene.nobody_calls());
}

#[tokio::test(start_paused = true)]
async fn a_hostile_server_cannot_choose_where_answers_go() {
    let (desk, mut ear) = TestDesk::echo();
    let (_scene, mut server) = Scene::joined(network(), ACCOUNT_CAPS, desk).await;
    for nick in ["$*", "#n,#other", "a,b"] {
        server.send(&format!("@account=alice :{nick}!a@h PRIVMSG Keeper :hello")).await;
        ear.line().await;
    }
    server.expect_silence(Duration::from_secs(60)).await;
}

#[tokio::test(start_paused = true)]
async fn a_flood_of_output_keeps_the_pace_and_answers_take_turns() {
    let (desk, mut ear) = TestDesk::echo();
    let pace = Pace { burst_lines: 5, line_every_ms: 1000, unread_max_bytes: 6000 };
    let (_scene, mut server) = Scene::joined(IrcNetwork { pace, ..network() }, ACCOUNT_CAPS, desk).await;
    server.expect_silence(Duration::from_secs(70)).await;
    for n in 0..6 {
        server.send(&format!("@account=a{n} :u{n}!a@h PRIVMSG #n :!long 4")).await;
        ear.line().await;
    }
    let start = tokio::time::Instant::now();
    let mut at = Vec::new();
    for _ in 0..10 {
        server.line().await;
        at.push(start.elapsed().as_millis());
    }
    assert!(at[3] < 100, "{at:?}");
    assert!(at.windows(2).skip(5).all(|pair| pair[1] - pair[0] >= 990), "{at:?}");
    server.send(":bob!b@h JOIN #n bob :real").await;
    server.send(":u5!a@h JOIN #n a5 :real").await;
    server.send("@account=bob :bob!b@h PRIVMSG Keeper :hi").await;
    server.send("@account=a5 :u5!a@h PRIVMSG Keeper :hi").await;
    let mut rest = Vec::new();
    for _ in 0..16 {
        rest.push(server.line().await);
    }
    assert_eq!(rest[14..], ["NOTICE bob :bob says hi", "NOTICE u5 :a5 says hi"], "{rest:?}");
}

#[tokio::test(start_paused = true)]
async fn an_endless_answer_takes_bounded_memory_and_says_what_it_leaves_out() {
    let (desk, _ear) = TestDesk::echo();
    let (_scene, mut server) = Scene::joined(network(), ACCOUNT_CAPS, desk).await;
    server.send("@account=alice :al!a@h PRIVMSG #n :!long 100000").await;
    for _ in 0..4 {
        server.line().await;
    }
    server.expect("PRIVMSG #n :(400 more lines: say !more)").await;
}

#[tokio::test(start_paused = true)]
async fn nothing_that_anybody_says_and_no_password_is_ever_logged() {
    let log = Log::default();
    let _guard = tracing::dispatcher::set_default(&log.dispatch());
    let (desk, mut ear) = TestDesk::echo();
    let password = Some(adapter_irc::config::Secret::new("hunter2"));
    let mut scene = Scene::start(IrcNetwork { password, ..network() }, desk.clone());
    let mut server = scene.call().await;
    server.expect("CAP LS 302").await;
    server.expect("PASS hunter2").await;
    server.line().await;
    server.line().await;
    server.send(":irc.test CAP * LS :account-tag").await;
    server.line().await;
    server.send(":irc.test CAP * ACK :account-tag").await;
    server.expect("CAP END").await;
    server.greet().await;
    server.let_in("#n", "").await;
    server.send("@account=alice :al!a@h PRIVMSG Keeper :secret sesame").await;
    ear.line().await;
    server.line().await;
    server.send_bytes(b"sesame sesame \xff\r\n:sesame :sesame\r\n").await;
    desk.announce("irc:net", "#n", Document::say("sesame street"));
    server.line().await;
    server.send(":irc.test 404 Keeper #n :no sesame").await;
    ear.report().await;
    scene.irc.stop().await;
    let text = log.text();
    assert!(text.contains("irc:net") && text.contains("PRIVMSG"), "the log is written: {text}");
    assert!(!text.contains("sesame") && !text.contains("hunter2"), "{text}");
}
