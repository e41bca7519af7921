//! An nweek of B Nomic on a network with services. Founders come by name, ministries are taken, and the Clock is
//! turned. Proposals come in several lines, votes are cast, and everybody reads the results and what the ministries
//! show.

use crate::{
    contest::{
        stage::{BOT, CHANNEL, asks, does, hears, is_refused, reads, tell},
        with_services,
    },
    harness::needs_servers,
    ministries::DISPLAYS,
};

#[test]
fn an_nweek_on_inspircd_with_services() {
    needs_servers!(Inspircd, Atheme);
    tell(|_| story());
}

/// A rule with a law, as its author types it: it adds a command, and hears of an act of the game.
const SOCKS: &[&str] = &[
    "=> create rule \"Hats\":",
    "~~~~",
    "A Hat costs m[5](#hat-price).",
    "```law",
    "kind(\"hat\");",
    "define(\"owner of hat: a player\");",
    "action(\"hat buy\", #{help: \"Buy a Hat\"}, [\"color: one of Blue, Black\"], |a| {",
    "    a.by.mackerel -= number(\"hat-price\");",
    "    create(\"hat\", #{owner: a.by});",
    "    say(`${a.by} buys a ${a.color} Hat`);",
    "});",
    "after(\"support\", |a| say(`${a.by} is kind`));",
    "```",
    "~~~~",
    "end text",
];

async fn story() {
    let (mut stage, [mut zed, mut abe, mut bo, mut cog]) = with_services(["Zed", "Abe", "Bo", "Cog"]).await;

    does(&mut zed, "room open bnomic main founders:\"Abe, Bo, Cog\"", "every ministry is Vacant").await;
    reads(&mut cog, "B Nomic is open here, in nweek 135, with the Clock Off.").await;
    for player in [&mut abe, &mut bo, &mut cog] {
        let name = player.nick.clone();
        does(player, &format!("join {name}"), &format!("{name} is a Player now, as a founder")).await;
    }
    for (player, ministries) in [
        (&mut zed, vec!["Ministry"]),
        (&mut abe, vec!["Change"]),
        (&mut bo, vec!["Law", "Time"]),
        (&mut cog, vec!["Society", "Goods", "Play", "Questions", "Laundry", "Fauna", "Judging", "Business"]),
    ] {
        for ministry in ministries {
            does(player, &format!("ministry take {ministry}"), &format!("takes the Ministry of {ministry}.")).await;
        }
    }
    is_refused(&mut zed, "clock on", "the Ministry of Foreign Relations").await;
    does(&mut cog, "ministry take the Ambassador", "takes the Ministry of Foreign Relations.").await;

    // A text in several lines, begun in the channel and sent in private.
    abe.say(CHANNEL, "!propose \"Longer\"").await;
    hears(&mut abe, "Send the text now to the bot in private").await;
    for line in ["One nday more.", "=> set last-nday to 13", "end text"] {
        abe.say(BOT, line).await;
    }
    reads(&mut cog, "Proposal 1, “Longer” by Abe").await;
    does(&mut bo, "propose \"Dear\" => set mackerel-rate to 4", "Proposal 2, “Dear” by Bo").await;
    cog.say(CHANNEL, "!propose \"Hats\"").await;
    hears(&mut cog, "Send the text now to the bot in private").await;
    for line in SOCKS {
        cog.say(BOT, line).await;
    }
    reads(&mut abe, "Proposal 3, “Hats” by Cog").await;
    is_refused(&mut abe, "hat buy blue", "There is no command “hat”").await;
    is_refused(&mut cog, "vote 1 FOR", "only Open proposals are voted on").await;
    does(&mut zed, "clock on", "Zed puts the Clock On. It is nday 1 of nweek 135.").await;

    // The ninth nday: the ballot, votes in one message, across a restart.
    stage.house.to("2026-11-10T00:00:00Z").await;
    reads(&mut cog, "Ballot of nweek 135 of B Nomic").await;
    does(&mut abe, "vote 1 FOR; vote 3 FOR", "Abe votes FOR on Proposal 3").await;
    does(&mut bo, "vote 1-3 FOR", "Bo votes FOR on Proposal 3").await;
    stage.told().await;
    stage.restart().await;
    zed.expect("the bot to leave", |message| message.command == "QUIT" && message.from == BOT).await;
    zed.expect("the bot to come back", |message| message.command == "JOIN" && message.from == BOT).await;
    does(&mut zed, "vote 2 AGAINST", "Zed votes AGAINST on Proposal 2").await;
    is_refused(&mut cog, "vote 1 maybe", "is not for, against, abstain or shelve").await;
    does(&mut cog, "vote 3 FOR", "Cog votes FOR on Proposal 3").await;
    does(&mut cog, "vote 1 ABSTAIN", "Cog votes ABSTAIN on Proposal 1").await;
    is_refused(&mut zed, "clock off", "The Clock is Off already").await;
    does(&mut abe, "clock on", "Abe puts the Clock On.").await;

    stage.house.to("2026-11-14T00:00:00Z").await;
    reads(&mut cog, "Results of nweek 135 of B Nomic").await;
    reads(&mut cog, "Nweek 136 begins. The Clock is Off.").await;
    asks(&mut cog, "rule 14", "13").await;
    asks(&mut cog, "show proposal/2", "Step 2: Lost").await;
    does(&mut abe, "mackerel exchange 2", "Abe exchanges 2 points for m10.").await;
    does(&mut abe, "hat buy blue because it is cold", "Abe buys a Blue Hat").await;
    is_refused(&mut abe, "hat buy green", "Type: !hat buy color:Blue|Black").await;
    does(&mut cog, "intend usurp Law", "Cog announces the intention to usurp the Ministry of Law.").await;
    does(&mut abe, "support 1", "Abe supports intention 1 of Cog").await;
    reads(&mut bo, "Abe is kind").await;
    for (display, title) in DISPLAYS {
        asks(&mut cog, &format!("show {display}"), title).await;
    }
    stage.told().await;
    for client in [&mut zed, &mut abe, &mut bo, &mut cog] {
        client.settle().await;
    }
}
