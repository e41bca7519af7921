//! The club on a network without services, a game whose documents and votes are laws.

use crate::{
    contest::{
        stage::{BOT, CHANNEL, Stage, does, is_refused, meet, reads, tell},
        without_services::without_accounts,
    },
    harness::needs_servers,
    house::MODERATOR,
    irc_real::settings,
    servers::{Options, client::Client, ngircd},
};

#[test]
fn a_proposal_of_the_club_on_ngircd() {
    needs_servers!(Ngircd);
    tell(|_| story());
}

async fn story() {
    let network = ngircd::ngircd(Options::LAX).await;
    let settings = without_accounts(settings(&network, BOT, CHANNEL));
    let mut stage = Stage::set(network, settings, &[]).await;
    let mut ann = Client::connect(&stage.network, "ann").await;
    let mut bob = Client::connect(&stage.network, "bob").await;
    let mut cat = Client::connect(&stage.network, "cat").await;
    for client in [&mut ann, &mut bob, &mut cat] {
        meet(client, CHANNEL).await;
    }
    stage.house.does(MODERATOR, "privately room open nomic club ruleset:club").await;
    stage.house.does(MODERATOR, &format!("privately forum bind @club irc:net/{CHANNEL} as public")).await;
    for client in [&mut ann, &mut bob, &mut cat] {
        let name = client.nick.clone();
        does(client, "join", &format!("{name} joins the club")).await;
    }
    is_refused(&mut ann, "vote FOR", "Nothing is voted on.").await;
    does(&mut ann, "propose \"Longer\" => set vote-days to 3", "FOR: !vote 1 FOR").await;
    does(&mut bob, "vote FOR", "bob votes FOR on Proposal 1 (Longer): 1 FOR").await;
    does(&mut cat, "vote 1 AGAINST", "cat votes AGAINST on Proposal 1 (Longer): 1 FOR, 1 AGAINST").await;
    is_refused(&mut ann, "vote 3 FOR", "There is no Proposal 3. (rule 3, Votes) Type: !show proposals").await;
    does(&mut ann, "vote Longer FOR", "ann votes FOR on Proposal 1 (Longer): 2 FOR, 1 AGAINST").await;
    stage.house.to("2026-11-04T10:00:00Z").await;
    reads(&mut bob, "Proposal 1 (Longer) is now Adopted: 2 FOR, 1 AGAINST, 0 ABSTAIN.").await;
    is_refused(&mut cat, "vote 1 FOR", "Proposal 1 (Longer) is not voted on: it is Adopted.").await;
}
