//! The club on IRC, a game whose documents and votes are laws: proposed and voted on in lines, refused in lines.

use std::sync::Arc;

use port::{Account, clock::Clock, entropy::Entropy};
use rulekeeper::service::{hub::Hub, settings::Settings};
use store::Store;

use super::rulebook::until;
use crate::{
    fakes::irc::{ACCOUNT_CAPS, Peer, Scene, network},
    house::{START, at},
};

/// Somebody with an account says a command in the channel; what the bot says until a line holds a text.
async fn says(server: &mut Peer, who: &str, text: &str, wanted: &str) -> String {
    server.send(&format!("@account={who} :{who}!x@h PRIVMSG #n :!{text}")).await;
    until(server, wanted).await.join("\n")
}

#[tokio::test]
async fn the_club_proposes_and_votes_in_lines() {
    let moderators = vec![Account { service: "irc:net".to_owned(), id: "zed".to_owned() }];
    let settings = Settings { moderators, ..Settings::default() };
    let store = Store::in_memory().await.expect("a store");
    let hub = Hub::open(store, Clock::manual(at(START)), Entropy::fixed(), settings).await.expect("an empty hub");
    let (_scene, mut server) = Scene::joined(network(), ACCOUNT_CAPS, Arc::new(hub.clone())).await;
    let server = &mut server;
    says(server, "zed", "room open nomic club ruleset:club clock:manual", "7 rules are in force").await;
    for who in ["ann", "bob", "cat"] {
        says(server, who, "join", &format!("{who} joins the club")).await;
    }
    says(server, "ann", "vote FOR", "NOTICE ann :Nothing is voted on.").await;

    // What is announced says how one votes here, and a vote without a number is on the only one.
    says(server, "ann", "propose \"Longer\" => set vote-days to 3", "FOR: !vote 1 FOR · AGAINST: !vote 1 AGAINST")
        .await;
    says(server, "bob", "vote FOR", "bob votes FOR on Proposal 1 (Longer): 1 FOR, 0 AGAINST, 0 ABSTAIN.").await;
    let no = says(server, "cat", "vote maybe", "NOTICE cat :").await;
    assert!(no.contains("“maybe” is not FOR, AGAINST or ABSTAIN. Type: !vote"), "{no}");
    let no = says(server, "cat", "vote 3 FOR", "NOTICE cat :").await;
    assert!(no.contains("There is no Proposal 3. (rule 3, Votes) Type: !show proposals"), "{no}");

    // Of several, one is named.
    says(server, "bob", "propose \"Cake\" => set chair-points to 3", "AGAINST: !vote 2 AGAINST").await;
    let no = says(server, "cat", "vote FOR", "NOTICE cat :").await;
    assert!(no.contains("Proposal 1 (Longer); Proposal 2 (Cake). (rule 3, Votes) Type: !vote 1 FOR"), "{no}");
    says(server, "cat", "vote 1 FOR", "cat votes FOR on Proposal 1 (Longer): 2 FOR").await;
    says(server, "cat", "vote Cake AGAINST", "cat votes AGAINST on Proposal 2 (Cake): 0 FOR, 1 AGAINST").await;
    says(server, "ann", "vote 1 ABSTAIN", "ann votes ABSTAIN on Proposal 1 (Longer)").await;
    says(
        server,
        "zed",
        "tick until 2026-11-05 00:00",
        "Proposal 1 (Longer) is now Adopted: 2 FOR, 0 AGAINST, 1 ABSTAIN",
    )
    .await;
    let late = says(server, "ann", "vote 1 FOR", "NOTICE ann :").await;
    assert!(late.contains("Proposal 1 (Longer) is not voted on: it is Adopted."), "{late}");
}
