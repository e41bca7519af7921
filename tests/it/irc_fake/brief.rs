//! One line where one line does: what is told once, what a proposal takes, what other bots' lines get, and topics.

use std::time::Duration;

use adapter_irc::{IrcNetwork, config::Unknown};
use kernel::display::{Block, Cell, Document, Offer};
use port::{Reply, ReplyKind};

use crate::fakes::{
    desk::TestDesk,
    irc::{ACCOUNT_CAPS, Scene, network},
};

/// A proposal that three lines tell, with two things to do about it.
fn proposal(lines: usize) -> Document {
    let offers = ["FOR", "AGAINST"].map(|word| Offer::new(word, format!("vote 3 {word}"), 1)).to_vec();
    let text =
        (1..=lines).map(|n| format!("Line {n} of it, which is so long that five of them fill one line of a channel."));
    let text = text.collect::<Vec<_>>().join("\n");
    Document { offers, ..Document::titled("proposal/3", "Proposal 3, “Tea” by Ann").para(text) }
}

#[tokio::test(start_paused = true)]
async fn an_act_is_told_by_its_announcement_and_what_goes_beyond_is_for_the_doer() {
    let (desk, _ear) = TestDesk::new(|line| {
        let document = match line.text.as_str() {
            "vote" => Document::say("Your vote is FOR."),
            "propose" => Document::say("Your proposal is number 1.").para("Its one directive would be done."),
            _ => Document::say("Logged as entry 7; ⁅gndt undo 7⁆ undoes it."),
        };
        vec![Reply { kind: ReplyKind::Announced, private: false, document, file: None }]
    });
    let (_scene, mut server) = Scene::joined(network(), ACCOUNT_CAPS, desk).await;
    server.send("@account=al :al!a@h PRIVMSG #n :!vote").await;
    server.expect_silence(Duration::from_secs(60)).await;
    server.send("@account=al :al!a@h PRIVMSG #n :!propose").await;
    server.expect("NOTICE al :Your proposal is number 1.").await;
    server.expect("NOTICE al :Its one directive would be done.").await;
    server.send("@account=al :al!a@h PRIVMSG #n :!gndt").await;
    server.expect("NOTICE al :Logged as entry 7; !gndt undo 7 undoes it.").await;
    // Whoever acts in private hears that it is done.
    server.send("@account=al :al!a@h PRIVMSG Keeper :vote").await;
    server.expect("NOTICE al :Your vote is FOR.").await;
}

#[tokio::test(start_paused = true)]
async fn a_proposal_takes_two_lines_and_more_shows_the_rest() {
    let (desk, _ear) = TestDesk::echo();
    let (_scene, mut server) = Scene::joined(network(), ACCOUNT_CAPS, desk.clone()).await;
    desk.announce("irc:net", "#n", proposal(1));
    let short = "Line 1 of it, which is so long that five of them fill one line of a channel.";
    server.expect_untagged(&format!("PRIVMSG #n :Proposal 3, “Tea” by Ann / {short}")).await;
    server.expect_untagged("PRIVMSG #n :FOR: !vote 3 FOR · AGAINST: !vote 3 AGAINST").await;
    server.settle().await;

    let page = "https://nomic.example/room/main/entry/7";
    desk.announce("irc:net", "#n", Document { link: Some(page.to_owned()), ..proposal(9) });
    let lead = server.line().await;
    assert!(lead.contains("/ Line 5 of it") && !lead.contains("Line 6"), "{lead}");
    let foot = format!("FOR: !vote 3 FOR · AGAINST: !vote 3 AGAINST · (4 more lines: say !more, or read {page})");
    server.expect_untagged(&format!("PRIVMSG #n :{foot}")).await;
    server.settle().await;
    server.send("@account=al :al!a@h PRIVMSG #n :!more").await;
    for n in 6..=9 {
        let line = server.line().await;
        assert!(line.contains(&format!("Line {n} of it")), "{line}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_ballot_takes_a_line_for_each_proposal() {
    let (desk, _ear) = TestDesk::echo();
    let (_scene, mut server) = Scene::joined(network(), ACCOUNT_CAPS, desk.clone()).await;
    let rows = (1..=3).map(|n| vec![Cell::new(n.to_string()), Cell::new("Tea")]);
    let ballot = Document::titled("ballot/135", "Ballot of nweek 135").para("“⁅vote 1 FOR⁆” votes.");
    let ballot = ballot.with(Block::table(["", "title"], rows)).para("Proposal 1:\nTea for all.");
    let offers = vec![Offer::new("1 FOR", "vote 1 FOR", 1)];
    desk.announce("irc:net", "#n", Document { offers, offers_told: true, ..ballot });
    for line in ["Ballot of nweek 135 / “!vote 1 FOR” votes.", " | title", "1 | Tea", "2 | Tea", "3 | Tea"] {
        server.expect_untagged(&format!("PRIVMSG #n :{line}")).await;
    }
    server.expect_untagged("PRIVMSG #n :(2 more lines: say !more)").await;
}

#[tokio::test(start_paused = true)]
async fn a_word_stands_for_a_command_where_the_settings_say_so() {
    let (desk, mut ear) = TestDesk::echo();
    let aliases = [("v".to_owned(), "vote".to_owned())].into();
    let network = IrcNetwork { aliases, ..network() };
    let (_scene, mut server) = Scene::joined(network, ACCOUNT_CAPS, desk).await;
    server.send("@account=al :al!a@h PRIVMSG #n :!v 1 for").await;
    assert_eq!(ear.line().await.text, "vote 1 for");
    server.send("@account=al :al!a@h PRIVMSG Keeper :v 1 for").await;
    assert_eq!(ear.line().await.text, "v 1 for", "it may be a line of a text");
}

#[tokio::test(start_paused = true)]
async fn what_begins_no_command_is_left_to_another_bot_where_the_settings_say_so() {
    let answer = |line: &port::Line| {
        let kind = if line.text == "weather" { ReplyKind::Unknown } else { ReplyKind::Refused };
        vec![Reply { kind, private: true, document: Document::say("It is none."), file: None }]
    };
    let (desk, _ear) = TestDesk::new(answer);
    let network = IrcNetwork { unknown: Unknown::Ignore, ..network() };
    let (_scene, mut server) = Scene::joined(network, ACCOUNT_CAPS, desk).await;
    server.send("@account=al :al!a@h PRIVMSG #n :!weather").await;
    server.expect_silence(Duration::from_secs(60)).await;
    for said in ["PRIVMSG #n :Keeper: weather", "PRIVMSG #n :!vote", "PRIVMSG Keeper :weather"] {
        server.send(&format!("@account=al :al!a@h {said}")).await;
        server.expect("NOTICE al :It is none.").await;
    }
}

#[tokio::test(start_paused = true)]
async fn the_topic_tells_how_a_room_stands_where_the_settings_say_so() {
    let (desk, _ear) = TestDesk::echo();
    desk.stands("#n", "B Nomic in @main");
    let (_quiet, mut server) = Scene::joined(network(), ACCOUNT_CAPS, desk.clone()).await;
    server.expect_silence(Duration::from_secs(60)).await;

    let (_scene, mut server) = Scene::joined(IrcNetwork { topic: true, ..network() }, ACCOUNT_CAPS, desk.clone()).await;
    server.expect("TOPIC #n :‖ B Nomic in @main").await;
    server.send(":Keeper!k@host.test TOPIC #n :‖ B Nomic in @main").await;
    server.send(":ann!a@h TOPIC #n :Be kind ‖ B Nomic in @main").await;
    server.expect_silence(Duration::from_secs(90)).await;
    desk.stands("#n", "B Nomic in @main · proposed: 1 “Tea”");
    server.expect("TOPIC #n :Be kind ‖ B Nomic in @main · proposed: 1 “Tea”").await;
    server.send(":irc.test 482 Keeper #n :You're not channel operator").await;
    server.expect_silence(Duration::from_secs(600)).await;
}

#[tokio::test(start_paused = true)]
async fn who_asked_for_it_is_called_by_the_nick_of_the_moment() {
    let (desk, mut ear) = TestDesk::echo();
    let (_scene, mut server) = Scene::joined(network(), ACCOUNT_CAPS, desk.clone()).await;
    server.send(":ann_away!a@h JOIN #n alice :real").await;
    server.send("@account=alice :ann_away!a@h PRIVMSG #n :!x").await;
    ear.line().await;
    server.expect_untagged("PRIVMSG #n :ann_away: alice says x").await;
    let calls = vec!["alice".to_owned(), "bob".to_owned()];
    desk.announce("irc:net", "#n", Document { calls, ..Document::say("Proposal 1 waits for your votes.") });
    server.expect_untagged("PRIVMSG #n :ann_away, bob: Proposal 1 waits for your votes.").await;
}
