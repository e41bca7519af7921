//! One person on Discord and on IRC: one seat, whichever of the two they act from.

use std::sync::Arc;

use super::{CHANNEL, SECRET, World, ann, args, bob, moderator};
use crate::fakes::{
    discord::Person,
    irc::{ACCOUNT_CAPS, Peer, Scene, network},
};

/// Reads what the bot says on IRC until a line holds a text.
async fn heard(peer: &mut Peer, text: &str) -> String {
    loop {
        let line = peer.line().await;
        if line.contains(text) {
            return line;
        }
    }
}

/// Says a line to the bot or in a channel, as an account.
async fn say(peer: &mut Peer, account: &str, to: &str, text: &str) {
    peer.send(&format!("@account={account} :{account}!u@host.test PRIVMSG {to} :{text}")).await;
}

/// Gets a code on Discord and uses it on IRC.
async fn link(world: &World, peer: &mut Peer, person: &Person, account: &str) -> String {
    let token = world.fake.slash(person, CHANNEL, "link", &[]);
    let told = world.fake.answer(&token).await;
    assert_eq!(told.only, Some(person.id), "a code is for its owner alone");
    let text = told.text();
    let code = text.rsplit(' ').next().expect("a code").trim_matches('`').to_owned();
    say(peer, account, "Keeper", &format!("link {code}")).await;
    heard(peer, "one person from now on").await;
    code
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_person_plays_from_discord_and_from_irc_in_one_seat() {
    let world = World::new().await;
    world.started(&moderator()).await;
    let (_scene, mut irc) = Scene::joined(network(), ACCOUNT_CAPS, Arc::new(world.hub.clone())).await;

    // The moderator is one on IRC too, and makes the channel there a forum of the room.
    let token = world.fake.slash(&moderator(), CHANNEL, "moderator add", &args(&[("who", "<@501>")]));
    world.fake.answer(&token).await;
    link(&world, &mut irc, &moderator(), "mod").await;
    say(&mut irc, "mod", "#n", "!forum bind @main as public").await;
    heard(&mut irc, "is public from now on").await;

    // Ann takes her seat on Discord, links, and acts from IRC: both networks hear of it, under one name.
    world.fake.slash(&ann(), CHANNEL, "join", &args(&[("name", "Ann")]));
    heard(&mut irc, "Ann").await;
    let code = link(&world, &mut irc, &ann(), "annie").await;
    say(&mut irc, "annie", "Keeper", &format!("joust submit alpha {SECRET}")).await;
    heard(&mut irc, "PRIVMSG #n :").await;
    world.quiet().await;
    world.fake.sees(&bob(), CHANNEL, "Ann").await;
    world.fake.sees(&bob(), CHANNEL, "alpha").await;

    // What she owns on IRC is hers on Discord.
    let token = world.fake.slash(&ann(), CHANNEL, "me", &[]);
    let me = world.fake.answer(&token).await.text();
    assert!(me.contains("Ann") && me.contains("annie at irc:net") && me.contains("502 at discord"), "{me}");
    let token = world.fake.slash(&ann(), CHANNEL, "join", &args(&[("name", "Annie")]));
    let refused = world.fake.answer(&token).await;
    assert_eq!(refused.only, Some(ann().id), "a second seat: {}", refused.text());
    let token = world.fake.slash(&bob(), CHANNEL, "joust reveal", &args(&[("name", "alpha")]));
    assert_eq!(world.fake.answer(&token).await.only, Some(bob().id), "it is not his");
    assert!(!world.fake.heard(SECRET), "a program went out");
    let token = world.fake.slash(&ann(), CHANNEL, "joust reveal", &args(&[("name", "alpha")]));
    world.fake.answer(&token).await;
    heard(&mut irc, "alpha").await;

    // Objections from both are one.
    let intend = [("what", "set"), ("subject", "length"), ("text", "161")];
    world.fake.slash(&moderator(), CHANNEL, "joust intend", &args(&intend));
    let line = heard(&mut irc, "object").await;
    assert!(line.contains("#n"), "{line}");
    say(&mut irc, "annie", "#n", "!joust object 1").await;
    world.fake.sees(&bob(), CHANNEL, "Ann objects to notice 1").await;
    let token = world.fake.slash(&ann(), CHANNEL, "joust object", &args(&[("id", "1")]));
    let again = world.fake.answer(&token).await;
    assert!(again.only == Some(ann().id) && again.text().contains("already"), "{}", again.text());
    let said = world.fake.state().texts(CHANNEL, bob().id);
    assert_eq!(said.iter().filter(|text| text.contains("Ann objects to notice 1")).count(), 1, "{said:#?}");

    let seats = world.hub.rooms()[0].view().frame().seats.clone();
    assert_eq!(seats.values().filter(|seat| seat.name == "Ann").count(), 1, "{seats:?}");
    assert!(seats.values().all(|seat| seat.name != "Annie"), "{seats:?}");

    // A code works once, and only in private does anybody see one.
    say(&mut irc, "mallory", "Keeper", &format!("link {code}")).await;
    heard(&mut irc, "wrong or has run out").await;
    {
        let state = world.fake.state();
        let open = state.messages.iter().filter(|message| message.only != Some(ann().id));
        assert!(open.clone().all(|message| !message.text().contains(&code)), "a code was shown to others");
    }
    world.end().await;
}
