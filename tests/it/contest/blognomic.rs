//! A Dynasty of BlogNomic on a network with services. Robots apply and are set up, and a Proposal comes in several
//! lines and changes a rule and a figure. The program runs, a virus eats, a judgment is carried out, and the Control
//! Unit short-circuits.

use crate::{
    contest::{
        stage::{BOT, CHANNEL, asks, does, hears, is_refused, reads, tell},
        with_services,
    },
    harness::needs_servers,
};

#[test]
fn a_dynasty_on_inspircd_with_services() {
    needs_servers!(Inspircd, Atheme);
    tell(|_| story());
}

async fn story() {
    let (mut stage, [mut zed, mut abe, mut bo, mut cog]) = with_services(["Zed", "Abe", "Bo", "Cog"]).await;

    // The room, with a newcomer's first commands; who they are is their account.
    does(&mut zed, "room open blognomic main", "is the first Robot, Control Unit and Admin Staff").await;
    reads(&mut cog, "BlogNomic is open here. Zed is Control Unit and Admin Staff.").await;
    reads(&mut cog, "“!robot apply NAME LINK”").await;
    reads(&mut cog, "“!help”: everything else.").await;
    for robot in [&mut abe, &mut bo, &mut cog] {
        let name = robot.nick.clone();
        does(
            robot,
            &format!("robot apply {name} https://example.org/"),
            &format!("{name} (https://example.org/) applies"),
        )
        .await;
        does(&mut zed, &format!("admin set-up {name}"), &format!("{name} is a Robot, with")).await;
    }
    is_refused(&mut abe, "admin set-up Bo", "Admin Staff").await;

    // A text in several lines, begun in the channel and sent in private.
    abe.say(CHANNEL, "!propose \"Longer\"").await;
    hears(&mut abe, "Send the text now to the bot in private").await;
    for line in ["More time, and a kinder Power.", "=> set timeout-hours to 72"] {
        abe.say(BOT, line).await;
    }
    abe.say(BOT, "=> amend rule 9: replace \"the charge that is left\" with \"what little is left\"").await;
    abe.say(BOT, "end text").await;
    reads(&mut cog, "Proposal 1 by Abe.").await;
    does(&mut bo, "vote 1 FOR", "Bo votes FOR on Proposal 1 (").await;
    does(&mut cog, "vote 1 AGAINST", "Cog votes AGAINST on Proposal 1").await;
    is_refused(&mut zed, "vote 1 DEFERENTIAL", "The Control Unit cannot vote DEFERENTIAL").await;
    does(&mut zed, "vote 1 for trivial", "can be enacted by an Admin").await;
    stage.told().await;
    stage.restart().await;
    zed.expect("the bot to leave", |message| message.command == "QUIT" && message.from == BOT).await;
    zed.expect("the bot to come back", |message| message.command == "JOIN" && message.from == BOT).await;
    does(&mut zed, "admin enact", "Abe gains 10 Power").await;
    asks(&mut cog, "rule 7", "more than 72 hours").await;
    asks(&mut cog, "rule 9", "what little is left").await;
    is_refused(&mut bo, "vote 1 AGAINST", "is not voted on: it is Enacted").await;

    // The channel reads what a run changed; the rest is to be asked for.
    does(&mut abe, "mcp PRODUCT", "Abe runs the Master Control Program with PRODUCT:").await;
    reads(&mut cog, "Abe's power: 60 becomes 45").await;
    let rest = reads(&mut cog, "those above changed something. All ").await;
    let run = rest.text().rsplit(' ').next().expect("the display").to_owned();
    asks(&mut cog, &format!("show {run}"), "The Master Control Program, run by Abe on 2026-11-02").await;

    // Monday is over: rule 7, its first number, halved.
    let dice = [("infected-rule", 6), ("infected-number", 0), ("infection", 0)];
    let dice = dice.map(|(label, number)| (label.to_owned(), number)).to_vec();
    stage.house.hub.fix_dice(&stage.house.room("main"), dice).await;
    stage.house.to("2026-11-03T00:00:00Z").await;
    reads(&mut cog, "in rule 7, Time Out: it halves 72, which becomes 36.").await;

    does(&mut cog, "cfj raise \"Kindness\" => take 5 power from Bo", "Kindness").await;
    for robot in [&mut abe, &mut bo, &mut cog] {
        robot.say(CHANNEL, "!cfj vote 1 FOR").await;
        let told = format!("{} votes FOR on Call for Judgment 1", robot.nick);
        reads(&mut zed, &told).await;
    }
    reads(&mut zed, "is upheld").await;
    does(&mut zed, "admin judge 1", "Zed carries out Call for Judgment 1").await;

    does(&mut zed, "power give 80 to Bo", "The First Dynasty of Bo begins: Zed short-circuits").await;
    asks(&mut cog, "dynasties", "The First Dynasty of Zed").await;

    // What became impossible is enacted by hand; while one Proposal is pending, a vote needs no number.
    does(
        &mut abe,
        "propose \"First\" => amend rule 9: replace \"what little is left\" with \"the rest\"",
        "Proposal 2 by Abe.",
    )
    .await;
    does(&mut cog, "vote FOR", "Cog votes FOR on Proposal 2 (").await;
    does(&mut zed, "vote FOR", "can be enacted by an Admin").await;
    does(
        &mut cog,
        "propose \"Second\" => amend rule 9: replace \"what little is left\" with \"that\"",
        "Proposal 3 by Cog.",
    )
    .await;
    is_refused(&mut abe, "vote FOR", "Say which of these you mean").await;
    does(&mut abe, "vote 3 FOR", "Abe votes FOR on Proposal 3").await;
    does(&mut zed, "vote 3 FOR", "Zed votes FOR on Proposal 3").await;
    does(&mut zed, "admin enact", "Proposal 2 (First) is now Enacted").await;
    does(&mut zed, "admin enact", "Proposal 3 (Second) cannot be enacted as it is").await;
    does(&mut zed, "admin enact by-hand", "It was enacted by hand by Zed.").await;

    // A figure that a Proposal defined is one of the table: it is updated, and the update is undone.
    let charm = "propose \"Charm\" => define charm of robot: whole number from 0 to 10, 5 at first";
    does(&mut abe, charm, "Proposal 4 by Abe.").await;
    does(&mut cog, "vote FOR", "Cog votes FOR on Proposal 4").await;
    does(&mut zed, "vote FOR", "can be enacted by an Admin").await;
    does(&mut zed, "admin enact", "Proposal 4 (Charm) is now Enacted").await;
    asks(&mut cog, "show columns", "a whole number from 0 to 10").await;
    cog.say(CHANNEL, "!gndt set Bo charm 7 because it is owed").await;
    let logged = hears(&mut cog, "Logged as entry ").await;
    reads(&mut bo, "GNDT: charm of Bo is 7, was 5. Ground: it is owed").await;
    let entry =
        logged.text().split("entry ").nth(1).and_then(|rest| rest.split(';').next()).expect("the entry").to_owned();
    let undo = format!("gndt undo {entry} because nobody may do that");
    does(&mut abe, &undo, &format!("Abe undoes the effects of entry {entry}")).await;
    asks(&mut cog, "rule history 9", "All changes of Power").await;
    asks(&mut cog, "rule 9 as of 1", "the charge that is left").await;
    asks(&mut cog, "rule 9", "the rest").await;
    stage.told().await;
    for client in [&mut zed, &mut abe, &mut bo, &mut cog] {
        client.settle().await;
    }
}
