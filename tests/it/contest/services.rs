//! The contest on a network with services. It is five weeks in the lives of a contestmaster, three players, a thief of
//! nicks, and somebody who only watches.

use adapter_irc::IrcNetwork;
use futures::future::join_all;

use crate::{
    contest::{
        leaks,
        stage::{
            BOT, CHANNEL, Code, RETRY, Stage, asks, code, count, does, hears, is_refused, meet, reads, reads_on,
            reads_own, renames, tell, tried_for,
        },
    },
    harness::needs_servers,
    irc_real::{login, settings},
    log::Log,
    servers::{Options, client::Client, inspircd},
};

/// In one line, published after a month.
const ALPHA: Code = Code { mark: "annsmark", sign: ",,.,,.,.,,", wait: 0 };

/// In pieces, never published.
const BETA: Code = Code { mark: "bobsmark", sign: ",.,,.,.,,,.", wait: 5 };

/// Pasted in the channel by mistake.
const LOUD: Code = Code { mark: "loudmark", sign: ".,,,.,.,,.,", wait: 7 };

/// Never published.
const GAMMA: Code = Code { mark: "cydsmark", sign: ".,.,,,.,,.,", wait: 9 };

/// What is no program.
const BROKEN: Code = Code { mark: "brokenmark", sign: ",,,.,.,,.,,", wait: 1 };

/// What never arrives, because the database is locked.
const LOST: Code = Code { mark: "lostmark", sign: ",.,.,,,.,,,", wait: 2 };

/// Everybody on the network.
struct Scene {
    stage: Stage,
    log: Log,
    goethe: Client,
    ann: Client,
    /// Ann's other account.
    annie: Client,
    bob: Client,
    cyd: Client,
    mallory: Client,
    /// Without an account.
    watcher: Client,
    /// What Ann read before she went away.
    ann_before: Vec<String>,
}

#[test]
fn five_weeks_of_the_contest_on_inspircd_with_services() {
    needs_servers!(Inspircd, Atheme);
    tell(|log| async move {
        let mut scene = Scene::set(log).await;
        it_opens(&mut scene).await;
        programs_come_in(&mut scene).await;
        the_rest_is_asked_for(&mut scene).await;
        the_contract_is_changed(&mut scene).await;
        a_nick_is_stolen(&mut scene).await;
        accounts_are_linked(&mut scene).await;
        points_are_awarded(&mut scene).await;
        nothing_was_told(&mut scene).await;
        it_ends(&mut scene).await;
    });
}

impl Scene {
    async fn set(log: Log) -> Self {
        let network = inspircd::inspircd_with_accounts(Options::LAX).await;
        // Side by side: the server takes its time for each connection.
        let register = |name| network.register_account(name, "password");
        join_all([BOT, "Goethe", "Ann", "Annie", "Bob", "Cyd", "Mallory"].map(register)).await;
        let settings = IrcNetwork { sasl: Some(login(BOT, "password")), ..settings(&network, BOT, CHANNEL) };
        let stage = Stage::set(network, settings, &["goethe"]).await;
        let come = async |name: &str| {
            let mut client = Client::login(&stage.network, name, "password").await;
            meet(&mut client, CHANNEL).await;
            client
        };
        let everybody = join_all(["Goethe", "Ann", "Annie", "Bob", "Cyd", "Mallory"].map(come)).await;
        let [goethe, ann, annie, bob, cyd, mallory] = everybody.try_into().ok().expect("all of them");
        let mut watcher = Client::connect(&stage.network, "watcher").await;
        meet(&mut watcher, CHANNEL).await;
        Self { stage, log, goethe, ann, annie, bob, cyd, mallory, watcher, ann_before: Vec::new() }
    }

    /// Moves the clock to a moment, and lets all happen that is due.
    async fn at(&self, instant: &str) {
        self.stage.house.to(instant).await;
    }

    /// All that people read, but what `but` says they may.
    fn wires(&self, but: &[&str]) -> Vec<(&str, &[String])> {
        let all = [&self.goethe, &self.ann, &self.annie, &self.bob, &self.cyd, &self.mallory, &self.watcher];
        let names = ["Goethe", "Ann", "Annie", "Bob", "Cyd", "Mallory", "watcher"];
        let wires = names.into_iter().zip(all.map(|client| client.wire.as_slice()));
        wires.chain([("Ann", self.ann_before.as_slice())]).filter(|(name, _)| !but.contains(name)).collect()
    }
}

/// A moderator opens a room and binds a channel more; only the public one carries the game.
async fn it_opens(scene: &mut Scene) {
    let Scene { stage, goethe, ann, bob, mallory, watcher, .. } = scene;
    is_refused(mallory, "room open joust main", "Only moderators can do that").await;
    does(goethe, "room open joust main", "#joust is its public forum").await;
    reads(watcher, "Goethe is contestmaster and begins it with “!joust start”").await;
    stage.fix_dice().await;
    asks(goethe, "forum bind @main #talk as discussion", "#talk").await;
    meet(bob, "#talk").await;
    bob.say("#talk", "!join").await;
    hears(bob, "This channel is a discussion forum of main, which carries no actions; say it in #joust").await;

    // The seat of a player is their account's.
    asks(ann, "join", "“join” is done in public; say it in #joust").await;
    for player in [ann, bob] {
        does(player, "join", &format!("{} is a member of the contest.", player.nick)).await;
        reads(watcher, &format!("{} is a member of the contest.", player.nick)).await;
    }
    is_refused(watcher, "join", "Your network does not say who you are: log in to your services account first").await;
    asks(watcher, "hill", "The contest has not begun").await;
}

/// Programs in one line, in several, and in the wrong place; the house begins.
async fn programs_come_in(scene: &mut Scene) {
    asks(&mut scene.ann, &format!("joust submit Alpha {}", ALPHA.text()), "Alpha is received at 2026-11-02 10:00")
        .await;
    hears(&mut scene.ann, "The contest has not begun: the program waits").await;
    is_refused(&mut scene.ann, "joust start", "Only the contestmaster does that, and Goethe is contestmaster").await;
    does(&mut scene.goethe, "joust start", "On the Hill, in this order").await;
    reads(&mut scene.watcher, "On the Hill, in this order: joust0, joust1, joust2").await;
    reads_on(&mut scene.watcher, &["Challenge 1: Alpha by Ann", "Alpha enters the Hill at rank "]).await;

    scene.at("2026-11-03T10:00:00Z").await;
    asks(&mut scene.bob, "joust submit Beta", "Send the text now, line after line").await;
    for piece in BETA.pieces() {
        scene.bob.say(BOT, &piece).await;
    }
    // What somebody else says meanwhile is no part of it, nor what he says in the channel.
    asks(&mut scene.cyd, "joust queue", "").await;
    does(&mut scene.bob, "hill", "Bob: The Hill").await;
    asks(&mut scene.bob, "end text", "Beta is received at 2026-11-03 10:00").await;
    reads_on(&mut scene.watcher, &["Challenge 2: Beta by Bob", "Beta enters the Hill at rank "]).await;
    reads_own(&mut scene.bob, "Beta", &BETA).await;

    scene.at("2026-11-05T10:00:00Z").await;
    scene.watcher.settle().await;
    is_refused(&mut scene.cyd, &format!("joust submit Gamma {}", LOUD.text()), "Others can read this channel").await;
    scene.cyd.settle().await;
    let overheard = scene.watcher.overhears().await;
    assert!(!overheard.iter().any(|message| message.from == BOT), "not repeated, not answered aloud: {overheard:?}");
    let broken = format!("joust submit Broken [{}", BROKEN.text());
    let refusal = asks(&mut scene.cyd, &broken, "(Programs, ").await;
    assert!(!BROKEN.is_in(&refusal.raw), "{}", refusal.raw);
    asks(&mut scene.cyd, &format!("joust submit Gamma {}", GAMMA.text()), "Gamma is received").await;
    reads(&mut scene.watcher, "Challenge 3: Gamma by Cyd").await;
}

/// Long texts stop, and go on for whoever asks: a private one for its reader only.
async fn the_rest_is_asked_for(scene: &mut Scene) {
    let Scene { stage, ann, cyd, watcher, .. } = scene;
    stage.told().await;
    // The announcement of a challenge, as anybody in the channel may go on with it.
    let hint = reads(watcher, "more lines: say !more)").await;
    assert_eq!(hint.text(), "(18 more lines: say !more)");
    watcher.say(CHANNEL, "!more").await;
    reads(watcher, "(14 more lines: say !more)").await;

    asks(ann, "joust matrix", "Touches in challenge 3, row against column").await;
    hears(ann, "(3 more lines: say more)").await;
    // Somebody else has nothing to go on with, and nobody who listens hears the rest.
    asks(cyd, "!more", "There is nothing more to show.").await;
    watcher.settle().await;
    asks(ann, "more", "11 ").await;
    asks(ann, "!more", "There is nothing more to show.").await;
    assert!(!watcher.overhears().await.iter().any(|message| message.from == BOT));
}

/// An intent, three objections, one of them withdrawn, and the act.
async fn the_contract_is_changed(scene: &mut Scene) {
    scene.at("2026-11-09T00:00:00Z").await;
    let nobody = "No program is a Knight: nobody gets points.";
    reads_on(&mut scene.watcher, &["Points for the week from 2026-11-09 00:00 UTC", nobody]).await;
    scene.at("2026-11-09T10:00:00Z").await;
    does(&mut scene.cyd, "join", "Cyd is a member of the contest.").await;
    scene.goethe.say(CHANNEL, "!joust intend set weekly-programs 1").await;
    hears(&mut scene.goethe, "Announced as notice 1. Nothing happens by itself: “!joust do 1”").await;
    let what = "Notice 1: in Submission, the number of programs that a player may hand in a week";
    let when = "from 2026-11-13 10:00 UTC to 2026-11-23 10:00 UTC, unless 3 members object.";
    reads_on(&mut scene.watcher, &[what, when]).await;
    for (index, player) in [&mut scene.ann, &mut scene.bob, &mut scene.cyd].into_iter().enumerate() {
        player.say(CHANNEL, "!joust object 1").await;
        let told = format!("{} objects to notice 1. Objections from members: {}.", player.nick, index + 1);
        reads(&mut scene.watcher, &told).await;
    }
    is_refused(&mut scene.goethe, "joust do 1", "can be done from 2026-11-13 10:00 UTC on").await;
    scene.at("2026-11-14T12:00:00Z").await;
    is_refused(&mut scene.goethe, "joust do 1", "3 members object to notice 1, and 3 are enough to block it.").await;
    does(&mut scene.cyd, "joust unobject 1", "no longer objects to notice 1").await;
    is_refused(&mut scene.bob, "joust do 1", "Only the contestmaster does that").await;
    does(&mut scene.goethe, "joust do 1", "is done").await;
    reads(&mut scene.watcher, "Notice 1 is done").await;
    // It is played by at once.
    asks(&mut scene.bob, "joust submit First >", "First is received").await;
    asks(&mut scene.bob, "joust submit Second >", "You sent 1 of 1 programs this week").await;
    reads(&mut scene.watcher, "First comes last of 11 and does not enter the Hill.").await;
}

/// Ann is away; whoever takes her nick is still who they are, and gets nothing that is hers.
async fn a_nick_is_stolen(scene: &mut Scene) {
    scene.stage.house.hub.hold_work(true);
    asks(&mut scene.ann, "joust test Alpha against joust0", "").await;
    let gone = Client::connect(&scene.stage.network, "nobody").await;
    let mut ann = std::mem::replace(&mut scene.ann, gone);
    ann.settle().await;
    scene.ann_before = ann.wire.clone();
    ann.quit().await;
    renames(&mut scene.mallory, "Ann").await;
    let thief = &mut scene.mallory;
    is_refused(thief, "leave", "You have no seat in this room yet.").await;
    does(thief, "join", "Ann2 is a member of the contest.").await;
    reads(&mut scene.watcher, "Ann2 is a member of the contest.").await;
    is_refused(thief, "joust reveal Alpha", "Alpha is by Ann, and only its submitter may show it").await;
    asks(thief, "joust program Alpha", "its code is not public").await;
    asks(thief, "joust test Alpha against joust0", "Alpha is somebody else's and not public").await;
    is_refused(thief, "joust do 1", "Only the contestmaster does that").await;
    asks(thief, "me", "mallory at irc:net").await;

    // What is for Ann alone waits for Ann, though somebody has her nick.
    scene.stage.house.hub.hold_work(false);
    scene.stage.house.hub.settle().await.expect("the test is played");
    scene.stage.outbox("it is tried", tried_for("ann")).await;
    scene.ann = Client::login_as(&scene.stage.network, "AnnAgain", "Ann", "password").await;
    meet(&mut scene.ann, CHANNEL).await;
    asks(&mut scene.ann, "me", "Ann in @main (joust)").await;
    scene.stage.pass(RETRY);
    hears(&mut scene.ann, "One charge at each of 33 lengths.").await;
    scene.mallory.settle().await;
    assert_eq!(count(&scene.mallory, "One charge at each"), 0);

    // A change of nick changes nobody's seat.
    renames(&mut scene.mallory, "Mallory").await;
    renames(&mut scene.ann, "Ann").await;
    asks(&mut scene.ann, "me", "Ann in @main (joust)").await;
    renames(&mut scene.ann, "Annika").await;
    reads_own(&mut scene.ann, "Alpha", &ALPHA).await;
    does(&mut scene.ann, "leave", "Ann is no member").await;
    reads(&mut scene.watcher, "Ann is no member").await;
    does(&mut scene.ann, "join", "Ann is a member of the contest.").await;
    reads(&mut scene.watcher, "Ann is a member of the contest.").await;
    renames(&mut scene.ann, "Ann").await;
}

/// Two accounts become one person by a code that counts once.
async fn accounts_are_linked(scene: &mut Scene) {
    let Scene { ann, annie, mallory, .. } = scene;
    asks(annie, "joust program Alpha", "its code is not public").await;
    let given = asks(ann, "link", "Type on your other account, in private, within 15 minutes: !link ").await;
    let code = code(&given);
    is_refused(annie, &format!("link {code}"), "Others can read this channel").await;
    let given = asks(ann, "link", "within 15 minutes: !link ").await;
    let code = self::code(&given);
    asks(annie, &format!("link {code}"), "Linked: both accounts are one person from now on").await;
    asks(mallory, &format!("link {code}"), "That code is wrong or has run out").await;
    asks(annie, "me", "ann at irc:net").await;
    hears(annie, "annie at irc:net").await;
    hears(annie, "Ann in @main (joust)").await;
    reads_own(annie, "Alpha", &ALPHA).await;
    is_refused(annie, "join", "You are a member already").await;
}

/// The first knights, and their points.
async fn points_are_awarded(scene: &mut Scene) {
    scene.at("2026-11-16T00:00:00Z").await;
    reads_on(&mut scene.watcher, &["Points for the week from 2026-11-16 00:00 UTC", "Ann 8"]).await;
    asks(&mut scene.annie, "joust points", "Points").await;
    hears(&mut scene.annie, "Ann").await;
    // On a second of December the first month is over.
    for monday in ["2026-11-23T00:00:00Z", "2026-11-30T00:00:00Z"] {
        scene.at(monday).await;
        reads(&mut scene.watcher, "Points for the week from 2026-11-").await;
    }
    scene.stage.told().await;
}

/// Nobody knows a program that is not theirs, wherever they look.
async fn nothing_was_told(scene: &mut Scene) {
    let mut locked = leaks::lock(&scene.stage.folder).await;
    let apology = asks(&mut scene.cyd, &format!("joust submit Lost {}", LOST.text()), "as fault ").await;
    leaks::unlock(&mut locked);
    let fault = apology.text().rsplit("fault ").next().expect("an id").trim_end_matches('.').to_owned();
    assert!(scene.log.text().contains(&fault), "the operator finds the cause");
    drain(scene).await;
    let public = leaks::public(&mut scene.stage, &scene.log).await;
    for (code, owners) in
        [(&ALPHA, &["Ann", "Annie"][..]), (&BETA, &["Bob"]), (&GAMMA, &["Cyd"]), (&BROKEN, &[]), (&LOST, &[])]
    {
        leaks::is_kept(code, &public, &scene.wires(owners));
    }
    // What was pasted in the channel was read there, but not from the bot.
    leaks::is_not_repeated(&LOUD, &scene.wires(&[]));
    leaks::is_kept(&LOUD, &public, &[]);
    // Each owner has read eir own where e asked for it, and else nowhere.
    assert_eq!(count(&scene.bob, BETA.mark), 1);
    assert_eq!(count(&scene.annie, ALPHA.mark), 1);
    assert_eq!(count(&scene.cyd, GAMMA.mark), 0);
}

/// A month is over: what has stood so long is published, and the contestmaster ends the contest.
async fn it_ends(scene: &mut Scene) {
    scene.at("2026-12-02T10:00:00Z").await;
    reads(&mut scene.watcher, "Alpha: on the Hill without a break since 2026-11-02 10:00 UTC (REVEALING, 1).").await;
    reads(&mut scene.watcher, ALPHA.mark).await;
    reads_own(&mut scene.bob, "Alpha", &ALPHA).await;
    does(
        &mut scene.goethe,
        "joust adjudicate Ann has won, and I thank everybody.",
        "Ann has won, and I thank everybody.",
    )
    .await;
    reads(&mut scene.watcher, "Ann has won, and I thank everybody.").await;
    does(&mut scene.goethe, "joust terminate", "The contestmaster ends the contract.").await;
    reads(&mut scene.watcher, "The contestmaster ends the contract.").await;
    is_refused(&mut scene.bob, "joust object 1", "").await;
    scene.stage.told().await;
    drain(scene).await;
    let public = leaks::public(&mut scene.stage, &scene.log).await;
    leaks::is_kept(&BETA, &public, &scene.wires(&["Bob"]));
    leaks::is_kept(&GAMMA, &public, &scene.wires(&["Cyd"]));
}

/// Has everybody read everything.
async fn drain(scene: &mut Scene) {
    let Scene { goethe, ann, annie, bob, cyd, mallory, watcher, .. } = scene;
    for client in [goethe, ann, annie, bob, cyd, mallory, watcher] {
        client.settle().await;
    }
}
