//! The IRC adapter on real servers: what a fake cannot vouch for.
//!
//! InspIRCd with Atheme is a modern network with accounts; ngIRCd is an old one without. Everything runs in real time
//! and waits for what it can see, so what is about seconds is tested in [`irc_fake`](super::irc_fake) instead.

use std::{sync::Arc, time::Duration};

use adapter_irc::{
    Irc, IrcNetwork, Link,
    config::{Channel, IdentityKind, Login, NickServ, Pace, PersonPace, Secret},
};
use kernel::display::{Block, Document};
use port::Desk;
use port::Incident;
use port::{Reply, ReplyKind};

use crate::{
    fakes::desk::{Ear, Report, TestDesk},
    harness::needs_servers,
    servers::{Network, Options, client::Client, inspircd, ngircd},
};

/// How long the bot may take until it is on the network, in seconds. Reconnecting backs off meanwhile.
const ONLINE_MAX_SECONDS: u64 = 120;

/// A bot in one channel of a network.
struct Bot {
    irc: Irc,
    desk: Arc<TestDesk>,
    ear: Ear,
}

/// Settings for a network without limits, and for one channel.
pub(crate) fn settings(network: &Network, nick: &str, channel: &str) -> IrcNetwork {
    IrcNetwork {
        port: Some(network.port),
        tls: false,
        channels: vec![Channel::Name(channel.to_owned())],
        pace: Pace { burst_lines: 1000, line_every_ms: 0, unread_max_bytes: 64 * 1024 },
        person: PersonPace { command_every_ms: 0, ..PersonPace::default() },
        ..IrcNetwork::new("net", network.host, nick)
    }
}

/// How the bot logs in.
pub(crate) fn login(account: &str, password: &str) -> Login {
    Login { user: account.to_owned(), password: Secret::new(password) }
}

impl Bot {
    fn start(settings: IrcNetwork, (desk, ear): (Arc<TestDesk>, Ear)) -> Self {
        let irc = Irc::start(vec![settings], Arc::clone(&desk) as Arc<dyn Desk>).expect("the settings work");
        Self { irc, desk, ear }
    }

    /// Starts the bot, and waits until somebody who is in the channel sees it come.
    async fn come(settings: IrcNetwork, desk: (Arc<TestDesk>, Ear), watcher: &mut Client) -> Self {
        let nick = settings.nick.clone();
        let bot = Self::start(settings, desk);
        watcher.expect("the bot to join", |message| message.command == "JOIN" && message.from == nick).await;
        bot
    }

    async fn link(&self, wanted: impl Fn(&Link) -> bool) -> Link {
        let mut link = self.irc.link("net").expect("the network is known");
        let waited = tokio::time::timeout(Duration::from_secs(ONLINE_MAX_SECONDS), link.wait_for(|link| wanted(link)));
        waited.await.expect("the link changes in time").expect("the bot lives").clone()
    }

    fn announce(&self, channel: &str, text: &str) -> i64 {
        self.desk.announce("irc:net", channel, Document::say(text))
    }
}

/// A desk that answers in public with a bare CR at the end, NUL, a line break and a CTCP mark. In private it answers
/// with a secret.
fn careless() -> (Arc<TestDesk>, Ear) {
    TestDesk::new(|_| {
        let reply = |private, document| Reply { kind: ReplyKind::Done, private, document, file: None };
        let code = Block::Code { lang: String::new(), text: "nul\0 here\rQUIT :pwned".to_owned() };
        vec![
            reply(false, Document::say("hello\r").with(code).para("\x01VERSION\x01")),
            reply(true, Document::say("the secret")),
        ]
    })
}

/// What people see of a conversation with a careless desk, on any server.
async fn nothing_leaks(network: &Network, mut speaker: Client, settings: IrcNetwork, channel: &str) {
    let mut watcher = Client::connect(network, "watcher").await;
    watcher.join(channel).await;
    speaker.join(channel).await;
    let bot = settings.nick.clone();
    let _bot = Bot::come(settings, careless(), &mut watcher).await;
    speaker.expect("the bot to join", |message| message.command == "JOIN" && message.from == bot).await;
    speaker.say(channel, "!go").await;
    let private = speaker.expect_text(&bot, "the secret").await;
    assert_eq!((private.command.as_str(), private.target()), ("NOTICE", speaker.nick.as_str()));
    let first = watcher.expect_text(&bot, "hello").await;
    assert_eq!(first.text().trim_end(), format!("{}: hello", speaker.nick));
    assert_eq!(watcher.expect_text(&bot, "nul").await.text(), "nul  here QUIT :pwned");
    watcher.expect_text(&bot, "VERSION").await;
    speaker.say(channel, "!again").await;
    watcher.expect_text(&bot, "VERSION").await;
    let rest = watcher.overhears().await;
    assert!(!rest.iter().any(|message| message.raw.contains("secret")), "{rest:?}");
    watcher.quit().await;
}

#[tokio::test]
async fn a_private_answer_never_shows_in_the_channel_on_inspircd() {
    needs_servers!(Inspircd, Atheme);
    let network = inspircd::shared().await;
    network.register_account("leaky", "pw-leaky").await;
    let speaker = Client::login(network, "leaky", "pw-leaky").await;
    nothing_leaks(network, speaker, settings(network, "KeeperLeak", "#leak"), "#leak").await;
}

#[tokio::test]
async fn a_private_answer_never_shows_in_the_channel_on_ngircd() {
    needs_servers!(Ngircd);
    let network = ngircd::ngircd(Options::LAX).await;
    let speaker = Client::connect(&network, "leaky").await;
    let settings = IrcNetwork { identity: IdentityKind::Connection, ..settings(&network, "KeeperLeak", "#leak") };
    nothing_leaks(&network, speaker, settings, "#leak").await;
}

#[tokio::test]
async fn a_person_is_their_account_and_a_nick_thief_is_not() {
    needs_servers!(Inspircd, Atheme);
    let network = inspircd::shared().await;
    network.register_account("Alice", "pw-alice").await;
    network.register_account("Mallory", "pw-mallory").await;
    let mut alice = Client::login(network, "Alice", "pw-alice").await;
    let mut mallory = Client::login(network, "Mallory", "pw-mallory").await;
    alice.join("#who").await;
    mallory.join("#who").await;
    let mut bot = Bot::come(settings(network, "KeeperWho", "#who"), TestDesk::echo(), &mut alice).await;

    alice.say("#who", "!one").await;
    let line = bot.ear.line().await;
    let account = line.from.account.expect("she is logged in");
    assert_eq!((account.service.as_str(), account.id.as_str()), ("irc:net", "alice"));
    alice.expect_text("KeeperWho", "Alice: alice says one").await;
    alice.say("KeeperWho", "two").await;
    assert_eq!(bot.ear.line().await.from.account.map(|account| account.id).as_deref(), Some("alice"));

    alice.send("NICK Elsewhere").await;
    alice.expect("her new nick", |message| message.command == "NICK").await;
    mallory.send("NICK Alice").await;
    mallory.expect("the stolen nick", |message| message.command == "NICK" && message.from == "Mallory").await;
    mallory.say("#who", "!three").await;
    let line = bot.ear.line().await;
    assert_eq!(line.from.nick, "Alice");
    assert_eq!(line.from.account.map(|account| account.id).as_deref(), Some("mallory"));

    // A letter for Alice finds Alice.
    let id = bot.desk.announce_to("irc:net", "alice", Document::say("for Alice alone"));
    alice.expect_text("KeeperWho", "for Alice alone").await;
    bot.ear.report_until(&Report::Delivered(id)).await;
    mallory.settle().await;
    alice.send("NICK Alicia").await;
    alice.say("NickServ", "LOGOUT").await;
    alice.expect("to be logged out", |message| message.command == "901").await;
    alice.say("#who", "!four").await;
    assert_eq!(bot.ear.line().await.from.account, None);
}

#[tokio::test]
async fn on_ngircd_an_identity_is_a_connection_and_ends_with_the_nick() {
    needs_servers!(Ngircd);
    let network = ngircd::ngircd(Options::LAX).await;
    let mut alice = Client::connect(&network, "alice").await;
    alice.join("#who").await;
    let settings = IrcNetwork { identity: IdentityKind::Connection, ..settings(&network, "KeeperWho", "#who") };
    let mut bot = Bot::come(settings, TestDesk::echo(), &mut alice).await;
    alice.say("#who", "!one").await;
    let first = bot.ear.line().await.from.account.expect("she can be seen");
    alice.say("KeeperWho", "two").await;
    assert_eq!(bot.ear.line().await.from.account.as_ref(), Some(&first));
    alice.send("NICK other").await;
    let Report::Incident(Incident::IdentityVoided { account, .. }) = bot.ear.report().await else {
        panic!("moderators are not told")
    };
    assert_eq!(account, first);
    alice.send("NICK alice").await;
    alice.say("#who", "!three").await;
    assert_ne!(bot.ear.line().await.from.account, Some(first), "the nick alone is nobody");
}

/// Asks for a long text and all the rest of it.
async fn pages(speaker: &mut Client, bot: &str, channel: &str) {
    speaker.say(channel, "!long 10").await;
    speaker.expect_text(bot, "(6 more lines: say !more)").await;
    speaker.say(channel, "!more").await;
    speaker.expect_text(bot, "line 8").await;
    speaker.expect_text(bot, "(2 more lines").await;
    speaker.say(channel, &format!("{bot}, more")).await;
    speaker.expect_text(bot, "line 10").await;
    speaker.say(bot, "long 12").await;
    speaker.expect_text(bot, "(2 more lines: say more)").await;
    speaker.say(bot, "more").await;
    let last = speaker.expect_text(bot, "line 12").await;
    assert_eq!((last.command.as_str(), last.target()), ("NOTICE", speaker.nick.as_str()));
}

#[tokio::test]
async fn long_output_is_continued_by_more_on_inspircd() {
    needs_servers!(Inspircd, Atheme);
    let network = inspircd::shared().await;
    let mut reader = Client::connect(network, "reader").await;
    reader.join("#pages").await;
    let _bot = Bot::come(settings(network, "KeeperPages", "#pages"), TestDesk::echo(), &mut reader).await;
    pages(&mut reader, "KeeperPages", "#pages").await;
}

#[tokio::test]
async fn long_output_is_continued_by_more_on_ngircd() {
    needs_servers!(Ngircd);
    let network = ngircd::ngircd(Options::LAX).await;
    let mut reader = Client::connect(&network, "reader").await;
    reader.join("#pages").await;
    // Without accounts on a network of accounts: everybody can read.
    let _bot = Bot::come(settings(&network, "KeeperPages", "#pages"), TestDesk::echo(), &mut reader).await;
    pages(&mut reader, "KeeperPages", "#pages").await;
}

/// The longest lines that fit arrive whole, and bytes that are no UTF-8 do not throw the bot off.
async fn bytes_are_no_harm(network: &Network, channel: &str) {
    let mut person = Client::connect(network, "person").await;
    person.join(channel).await;
    let mut bot = Bot::come(settings(network, "KeeperBytes", channel), TestDesk::echo(), &mut person).await;
    person.send_bytes(format!("PRIVMSG {channel} :!caf").as_bytes()).await;
    person.send_bytes(b"\xe9 \xff\xfe\r\n").await;
    assert!(bot.ear.line().await.text.starts_with("caf\u{fffd}"));
    person.expect_text("KeeperBytes", "caf\u{fffd}").await;
    let text: String = "äöü€ ".repeat(160);
    bot.announce(channel, &text);
    let mut seen = String::new();
    while seen.len() < text.len() {
        seen.push_str(person.expect_text("KeeperBytes", "äöü€").await.text());
        // A server may take away a space at the end of a line.
        if text.as_bytes().get(seen.len()) == Some(&b' ') {
            seen.push(' ');
        }
    }
    assert_eq!(seen, text);
    person.say(channel, "!still here").await;
    person.expect_text("KeeperBytes", "still here").await;
}

#[tokio::test]
async fn bytes_do_no_harm_on_inspircd() {
    needs_servers!(Inspircd, Atheme);
    bytes_are_no_harm(inspircd::shared().await, "#bytes").await;
}

#[tokio::test]
async fn bytes_do_no_harm_on_ngircd() {
    needs_servers!(Ngircd);
    bytes_are_no_harm(&ngircd::ngircd(Options::LAX).await, "#bytes").await;
}

/// Announcements before, during and after an outage of the server all arrive, in order.
async fn outage(mut network: Network, channel: &str) {
    let mut reader = Client::connect(&network, "reader").await;
    reader.join(channel).await;
    let mut bot = Bot::come(settings(&network, "KeeperOut", channel), TestDesk::echo(), &mut reader).await;
    let before = bot.announce(channel, "before");
    reader.expect_text("KeeperOut", "before").await;
    bot.ear.report_until(&Report::Delivered(before)).await;
    network.kill();
    bot.link(|link| matches!(link, Link::Waiting { .. })).await;
    let during = bot.announce(channel, "during");
    network.restart().await;
    let mut reader = Client::connect(&network, "reader").await;
    reader.join(channel).await;
    let after = bot.announce(channel, "after");
    // The bot may be back before the reader: then the first is delivered to an empty channel.
    bot.ear.report_until(&Report::Delivered(during)).await;
    bot.ear.report_until(&Report::Delivered(after)).await;
    let last = bot.announce(channel, "last");
    reader.expect_text("KeeperOut", "last").await;
    bot.ear.report_until(&Report::Delivered(last)).await;
    reader.say(channel, "!there").await;
    reader.expect_text("KeeperOut", "there").await;
}

#[tokio::test]
async fn the_bot_survives_the_end_of_inspircd() {
    needs_servers!(Inspircd);
    outage(inspircd::inspircd(Options::LAX).await, "#out").await;
}

#[tokio::test]
async fn the_bot_survives_the_end_of_ngircd() {
    needs_servers!(Ngircd);
    outage(ngircd::ngircd(Options::LAX).await, "#out").await;
}

/// The founder of a channel kicks the bot, and it comes back by itself.
async fn kicked(network: &Network, channel: &str) {
    let mut op = Client::connect(network, "kicker").await;
    op.join(channel).await;
    let mut bot = Bot::come(settings(network, "KeeperKick", channel), TestDesk::echo(), &mut op).await;
    op.send(&format!("KICK {channel} KeeperKick :out")).await;
    let id = bot.announce(channel, "after the kick");
    // The bot may not have heard of the kick yet, and ngIRCd lets outsiders speak: in either order.
    let (mut back, mut told) = (false, false);
    while !(back && told) {
        let next = op.expect("the bot to come back and tell", |message| message.from == "KeeperKick").await;
        back |= next.command == "JOIN";
        told |= next.text() == "after the kick";
    }
    bot.ear.report_until(&Report::Delivered(id)).await;
}

#[tokio::test]
async fn after_a_kick_the_bot_comes_back_on_inspircd() {
    needs_servers!(Inspircd, Atheme);
    kicked(inspircd::shared().await, "#kick").await;
}

#[tokio::test]
async fn after_a_kick_the_bot_comes_back_on_ngircd() {
    needs_servers!(Ngircd);
    kicked(&ngircd::ngircd(Options::LAX).await, "#kick").await;
}

#[tokio::test]
async fn a_moderated_channel_refuses_and_the_announcement_is_not_lost() {
    needs_servers!(Inspircd, Atheme);
    let network = inspircd::shared().await;
    let mut op = Client::connect(network, "hushop").await;
    op.join("#hush").await;
    let mut bot = Bot::come(settings(network, "KeeperHush", "#hush"), TestDesk::echo(), &mut op).await;
    op.send("MODE #hush +m").await;
    op.expect("the mode", |message| message.command == "MODE" && message.raw.contains("+m")).await;
    let id = bot.announce("#hush", "patience");
    assert!(matches!(bot.ear.report().await, Report::Undelivered(at, _) if at == id));
    op.send("MODE #hush -m").await;
    op.expect_text("KeeperHush", "patience").await;
    bot.ear.report_until(&Report::Delivered(id)).await;
}

#[tokio::test]
async fn the_bot_logs_in_by_sasl_and_takes_its_nick_back() {
    needs_servers!(Inspircd, Atheme);
    let network = inspircd::shared().await;
    network.register_account("KeeperSasl", "pw-keeper").await;
    let squatter = Client::connect(network, "KeeperSasl").await;
    let mut watcher = Client::connect(network, "saslwatch").await;
    watcher.join("#sasl").await;
    let settings = IrcNetwork {
        sasl: Some(login("KeeperSasl", "pw-keeper")),
        alt_nicks: vec!["KeeperElse".to_owned()],
        ..settings(network, "KeeperSasl", "#sasl")
    };
    let _bot = Bot::start(settings, TestDesk::echo());
    watcher.expect("the bot to join", |message| message.command == "JOIN" && message.from == "KeeperElse").await;
    let nick = watcher.expect("its nick", |message| message.command == "NICK" && message.from == "KeeperElse").await;
    assert_eq!(nick.target(), "KeeperSasl");
    squatter.expect_closed().await;
    watcher.send("WHOIS KeeperSasl").await;
    let whois = watcher.overhears().await;
    let said = |number: &str| whois.iter().find(|message| message.command == number);
    assert_eq!(said("330").map(|message| message.parameters[2].as_str()), Some("KeeperSasl"));
    assert!(said("335").is_some(), "it wears the mode of a bot");
}

#[tokio::test]
async fn the_bot_logs_in_by_nickserv() {
    needs_servers!(Inspircd, Atheme);
    let network = inspircd::shared().await;
    network.register_account("KeeperServ", "pw-keeper").await;
    let mut watcher = Client::connect(network, "servwatch").await;
    watcher.join("#serv").await;
    let nickserv =
        NickServ { service: "NickServ".to_owned(), user: "KeeperServ".to_owned(), password: Secret::new("pw-keeper") };
    let settings = IrcNetwork { nickserv: Some(nickserv), ..settings(network, "KeeperServ", "#serv") };
    let _bot = Bot::start(settings, TestDesk::echo());
    let join = watcher.expect("the bot", |message| message.command == "JOIN" && message.from == "KeeperServ").await;
    assert!(join.account().is_none_or(|account| account == "KeeperServ"), "it joins when it is logged in");
    watcher.send("WHOIS KeeperServ").await;
    watcher.expect("its account", |message| message.command == "330").await;
}

#[tokio::test]
async fn a_wrong_password_stops_the_bot_before_any_channel() {
    needs_servers!(Inspircd, Atheme);
    let network = inspircd::shared().await;
    network.register_account("KeeperWrong", "pw-keeper").await;
    let by_sasl =
        IrcNetwork { sasl: Some(login("KeeperWrong", "not-it")), ..settings(network, "KeeperWrong", "#wrong") };
    let nickserv =
        NickServ { service: "NickServ".to_owned(), user: "KeeperWrong".to_owned(), password: Secret::new("not-it") };
    let by_nickserv = IrcNetwork { nickserv: Some(nickserv), ..settings(network, "KeeperWrong2", "#wrong") };
    for settings in [by_sasl, by_nickserv] {
        let mut bot = Bot::start(settings, TestDesk::echo());
        let Link::Stopped { why } = bot.link(|link| matches!(link, Link::Stopped { .. })).await else { unreachable!() };
        assert!(why.contains("refused") && !why.contains("not-it"), "{why}");
        assert!(matches!(bot.ear.report().await, Report::Incident(Incident::ServiceLost { .. })));
    }
}

#[tokio::test]
async fn the_bot_speaks_tls_to_a_server_that_it_has_reason_to_trust() {
    needs_servers!(Inspircd, Openssl);
    let network = inspircd::inspircd(Options::TLS).await;
    let mut watcher = Client::connect(&network, "tlswatch").await;
    watcher.join("#tls").await;
    let base = IrcNetwork { tls: true, port: network.tls_port, ..settings(&network, "KeeperTls", "#tls") };
    let stranger = Bot::start(base.clone(), TestDesk::echo());
    let Link::Waiting { why } = stranger.link(|link| matches!(link, Link::Waiting { .. })).await else {
        unreachable!()
    };
    assert!(why.contains("certificate"), "{why}");
    stranger.irc.stop().await;
    let trusting = IrcNetwork { ca_file: network.tls_certificate.clone(), ..base.clone() };
    let bot = Bot::come(trusting, TestDesk::echo(), &mut watcher).await;
    watcher.say("#tls", "!hello").await;
    watcher.expect_text("KeeperTls", "hello").await;
    bot.irc.stop().await;
    watcher.expect("the bot to leave", |message| message.command == "QUIT" && message.from == "KeeperTls").await;
    let blind = IrcNetwork { accept_invalid_cert: true, ..base };
    let _bot = Bot::come(blind, TestDesk::echo(), &mut watcher).await;
}

#[tokio::test]
async fn one_bot_is_on_two_networks_at_once() {
    needs_servers!(Inspircd, Atheme, Ngircd);
    let modern = inspircd::shared().await;
    let old = ngircd::ngircd(Options::LAX).await;
    let mut here = Client::connect(modern, "twohere").await;
    let mut there = Client::connect(&old, "twothere").await;
    here.join("#two").await;
    there.join("#two").await;
    let (desk, mut ear) = TestDesk::echo();
    let second = IrcNetwork { name: "old".to_owned(), ..settings(&old, "KeeperTwo", "#two") };
    let networks = vec![settings(modern, "KeeperTwo", "#two"), second];
    let irc = Irc::start(networks, Arc::clone(&desk) as Arc<dyn Desk>).unwrap();
    let came = |message: &crate::servers::client::Message| message.command == "JOIN" && message.from == "KeeperTwo";
    here.expect("the bot", came).await;
    there.expect("the bot", came).await;
    desk.announce("irc:old", "#two", Document::say("to the old one"));
    desk.announce("irc:net", "#two", Document::say("to the modern one"));
    there.expect_text("KeeperTwo", "to the old one").await;
    here.expect_text("KeeperTwo", "to the modern one").await;
    for _ in 0..2 {
        assert!(matches!(ear.report().await, Report::Delivered(_)));
    }
    irc.stop().await;
    let left = |message: &crate::servers::client::Message| message.command == "QUIT" && message.from == "KeeperTwo";
    here.expect("the bot to leave", left).await;
    there.expect("the bot to leave", left).await;
}

/// Announcements at the default pace, on a server with its own limits: none is lost, none overtakes another, and the
/// bot is not thrown off. Sent at once they are twice what the server takes before it throws somebody off. As they are,
/// it takes as long as the limits say, about a minute.
#[tokio::test]
async fn fifty_announcements_do_not_flood_inspircd() {
    const COUNT: i64 = 50;
    needs_servers!(Inspircd);
    let network = inspircd::inspircd(Options::DEFAULT_LIMITS).await;
    let mut reader = Client::connect(&network, "reader").await;
    reader.join("#flood").await;
    let settings = IrcNetwork { pace: Pace::default(), ..settings(&network, "KeeperFlood", "#flood") };
    let mut bot = Bot::come(settings, TestDesk::echo(), &mut reader).await;
    for n in 0..COUNT {
        bot.announce("#flood", &format!("number {n} {}", "x".repeat(400)));
    }
    for n in 0..COUNT {
        let heard = reader.expect_text("KeeperFlood", "number").await;
        assert!(heard.text().starts_with(&format!("number {n} ")), "{}", heard.text());
    }
    for id in 1..=COUNT {
        assert_eq!(bot.ear.report().await, Report::Delivered(id));
    }
    assert!(matches!(bot.link(|_| true).await, Link::Online { .. }));
    let rest = reader.overhears().await;
    assert!(!rest.iter().any(|message| message.command == "QUIT"), "{rest:?}");
}

/// One floods a bot with the default limits, while another asks and something is announced: neither waits for the flood.
/// How long they wait is counted in lines, which leave at one a second.
#[tokio::test]
async fn a_flood_holds_nobody_up_on_inspircd() {
    const FLOOD: usize = 40;
    const BEFORE_MAX_LINES: usize = 5;
    needs_servers!(Inspircd, Atheme);
    let network = inspircd::shared().await;
    let mut flooder = Client::connect(network, "spate").await;
    let mut bystander = Client::connect(network, "calm").await;
    flooder.join("#spate").await;
    bystander.join("#spate").await;
    let (pace, person) = (Pace::default(), PersonPace::default());
    let settings = IrcNetwork { pace, person, ..settings(network, "KeeperSpate", "#spate") };
    let mut bot = Bot::come(settings, TestDesk::echo(), &mut bystander).await;
    for _ in 0..FLOOD {
        flooder.say("#spate", "!long 4").await;
        flooder.say("KeeperSpate", "long 9").await;
    }
    bystander.expect_text("KeeperSpate", "line 4").await;
    for n in 0..3 {
        bystander.say("#spate", &format!("!peace {n}")).await;
        let id = bot.announce("#spate", &format!("news {n}"));
        let (mut before, mut seen) = (0, 0);
        while seen < 2 {
            let heard = bystander.expect_text("KeeperSpate", "").await;
            match heard.text() {
                text if text.contains("peace") || text.contains("news") => seen += 1,
                _ => before += 1,
            }
        }
        assert!(before <= BEFORE_MAX_LINES, "{before} lines of the flood went before");
        bot.ear.report_until(&Report::Delivered(id)).await;
    }
    flooder.expect_text("KeeperSpate", "That is faster than one person is answered here").await;
}
