//! The contest on a network without services, where a person is a connection. Whoever loses it loses their seat, unless
//! a second connection vouches for them.

use adapter_irc::{IrcNetwork, config::IdentityKind};

use crate::{
    contest::{
        leaks,
        stage::{
            BOT, CHANNEL, Code, Stage, asks, code, count, does, hears, is_refused, meet, reads, reads_on, reads_own,
            renames, tell,
        },
    },
    harness::needs_servers,
    house::MODERATOR,
    irc_real::settings,
    log::Log,
    servers::{Options, client::Client, ngircd},
};

/// In one line.
const ALPHA: Code = Code { mark: "annsmark", sign: ",,.,,.,.,,", wait: 0 };

/// In pieces.
const BETA: Code = Code { mark: "bobsmark", sign: ",.,,.,.,,,.", wait: 5 };

/// Pasted in the channel by mistake.
const LOUD: Code = Code { mark: "loudmark", sign: ".,,,.,.,,.,", wait: 7 };

/// Settings of the bot for a network without accounts.
pub(super) fn without_accounts(settings: IrcNetwork) -> IrcNetwork {
    IrcNetwork { identity: IdentityKind::Connection, ..settings }
}

/// The operator opens a room at the console, binds the channel, and is the contestmaster there. A code from the console
/// makes this connection the operator's.
pub(super) async fn open_from_the_console(stage: &mut Stage, goethe: &mut Client) {
    stage.house.does(MODERATOR, "privately room open joust main").await;
    stage.house.does(MODERATOR, &format!("privately forum bind @main irc:net/{CHANNEL} as public")).await;
    let given = stage.house.does(MODERATOR, "privately link").await;
    let code = given.rsplit(' ').next().expect("a code");
    asks(goethe, &format!("link {code}"), "Linked").await;
    stage.house.does(MODERATOR, "privately moderator add @main Goethe").await;
}

#[test]
fn two_weeks_of_the_contest_on_ngircd() {
    needs_servers!(Ngircd);
    tell(story);
}

async fn story(log: Log) {
    let network = ngircd::ngircd(Options::LAX).await;
    let settings = without_accounts(settings(&network, BOT, CHANNEL));
    let mut stage = Stage::set(network, settings, &[]).await;
    let mut goethe = Client::connect(&stage.network, "Goethe").await;
    let mut ann = Client::connect(&stage.network, "ann").await;
    let mut bob = Client::connect(&stage.network, "bob").await;
    for client in [&mut goethe, &mut ann, &mut bob] {
        meet(client, CHANNEL).await;
    }
    open_from_the_console(&mut stage, &mut goethe).await;
    stage.fix_dice().await;

    // Whom the bot does not see in a channel it does not know.
    let mut stranger = Client::connect(&stage.network, "stranger").await;
    asks(&mut stranger, "hill", "The contest has not begun").await;
    asks(&mut stranger, "joust submit Odd >", "Your network does not say who you are").await;

    // The flow in short.
    does(&mut ann, "join", "ann is a member of the contest.").await;
    does(&mut bob, "join", "bob is a member of the contest.").await;
    does(&mut goethe, "joust start", "On the Hill, in this order").await;
    asks(&mut ann, &format!("joust submit Alpha {}", ALPHA.text()), "Alpha is received at 2026-11-02 10:00").await;
    reads_on(&mut bob, &["Challenge 1: Alpha by ann", "Alpha enters the Hill at rank 1."]).await;
    asks(&mut bob, "joust submit Beta", "Send the text now, line after line").await;
    for piece in BETA.pieces() {
        bob.say(BOT, &piece).await;
    }
    asks(&mut bob, "end text", "Beta is received").await;
    reads(&mut goethe, "Challenge 2: Beta by bob").await;
    is_refused(&mut bob, &format!("joust submit Loud {}", LOUD.text()), "Others can read this channel").await;
    goethe.say(CHANNEL, "!joust intend tournament cycle-limit 100000").await;
    hears(&mut goethe, "Announced as notice 1.").await;
    asks(&mut bob, "joust matrix", "(3 more lines: say more)").await;
    asks(&mut bob, "more", "11 ").await;
    stage.house.to("2026-11-09T10:00:00Z").await;
    does(&mut goethe, "joust do 1", "is done").await;

    // Ann vouches for her telephone, and then her computer is gone; whoever takes her nick is nobody.
    let mut telephone = Client::connect(&stage.network, "annphone").await;
    meet(&mut telephone, CHANNEL).await;
    let given = asks(&mut ann, "link", "within 15 minutes: !link ").await;
    asks(&mut telephone, &format!("link {}", code(&given)), "Linked: both accounts are one person").await;
    reads_own(&mut telephone, "Alpha", &ALPHA).await;
    ann.settle().await;
    let ann_before = ann.wire.clone();
    drop(ann);
    hears(&mut goethe, "ann lost an account").await;
    let mut thief = Client::connect(&stage.network, "ann").await;
    meet(&mut thief, CHANNEL).await;
    is_refused(&mut thief, "leave", "You have no seat in this room yet.").await;
    asks(&mut thief, "joust program Alpha", "its code is not public").await;
    does(&mut thief, "join", "ann2 is a member of the contest.").await;
    reads(&mut goethe, "ann2 is a member of the contest.").await;
    is_refused(&mut thief, "joust reveal Alpha", "Alpha is by ann, and only its submitter may show it").await;
    // Without a second connection the seat stays without an owner.
    renames(&mut bob, "robert").await;
    hears(&mut goethe, "bob lost an account").await;
    renames(&mut bob, "bob").await;
    asks(&mut bob, "joust program Beta", "its code is not public").await;
    is_refused(&mut bob, "leave", "You have no seat in this room yet.").await;

    // Ann comes back and is who she was, because her telephone says so.
    thief.settle().await;
    let thief_before = thief.wire.clone();
    thief.quit().await;
    let mut ann = Client::connect(&stage.network, "ann").await;
    meet(&mut ann, CHANNEL).await;
    asks(&mut ann, "joust program Alpha", "its code is not public").await;
    let given = asks(&mut telephone, "link", "within 15 minutes: !link ").await;
    asks(&mut ann, &format!("link {}", code(&given)), "Linked: both accounts are one person").await;
    reads_own(&mut ann, "Alpha", &ALPHA).await;
    is_refused(&mut ann, "join", "You are a member already").await;
    stage.house.to("2026-11-16T00:00:00Z").await;
    reads_on(&mut goethe, &["Points for the week from 2026-11-16 00:00 UTC", "ann 8"]).await;

    stage.told().await;
    for client in [&mut goethe, &mut ann, &mut bob, &mut telephone, &mut stranger] {
        client.settle().await;
    }
    let public = leaks::public(&mut stage, &log).await;
    let wires = [&goethe, &ann, &telephone, &bob, &stranger].map(|client| (client.nick.as_str(), &*client.wire));
    let wires = [&wires[..], &[("ann, before", &*ann_before), ("the thief", &*thief_before)]].concat();
    let but = |owners: &[&str]| wires.iter().filter(|(who, _)| !owners.contains(who)).copied().collect::<Vec<_>>();
    leaks::is_kept(&ALPHA, &public, &but(&["ann", "ann, before", "annphone"]));
    leaks::is_kept(&BETA, &public, &but(&["bob"]));
    leaks::is_kept(&LOUD, &public, &[]);
    leaks::is_not_repeated(&LOUD, &wires);
    assert_eq!(count(&ann, ALPHA.mark), 1);
}
