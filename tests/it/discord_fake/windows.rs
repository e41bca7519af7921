//! Windows: they open for whoever could do what they ask a text for, and take as many characters as Discord lets through.

use super::{CHANNEL, GUILD, OTHER_CHANNEL, World, ann, args, bob, moderator};
use crate::fakes::discord::{Fake, Person};

/// The most that a window takes, in characters.
const WINDOW_CHARS: usize = 4000;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_window_takes_as_many_characters_as_discord_counts() {
    let world = World::new().await;
    world.started(&moderator()).await;
    for (count, sign) in [(2900, "😀"), (WINDOW_CHARS, "𝔸")] {
        let text = format!("{}.", sign.repeat(count - 1));
        let token = world.fake.slash(&moderator(), CHANNEL, "joust adjudicate", &[]);
        let token = world.fake.fill(&moderator(), &token, &text).await;
        world.fake.answer(&token).await;
        let room = world.hub.rooms()[0].clone();
        let entry = world.store.entries(room.id, room.view().seq(), 1).await.expect("the journal").remove(0);
        assert!(entry.json.contains(&text), "all {count} are on record");
    }
    // What an option of a command takes at the most, in the letters that take the most room, is read whole. Only the
    // game has a lower bound, and tells it in characters too.
    let lines = format!("joust adjudicate {}", "𝔸".repeat(6000 - 17));
    let token = world.fake.slash(&moderator(), CHANNEL, "type", &args(&[("lines", &lines)]));
    let answer = world.fake.answer(&token).await;
    assert!(answer.text().contains("An adjudication has 1 to 4000 characters"), "{}", answer.text());
    world.end().await;
}

/// Types a command that wants a window, and holds that it is refused instead.
async fn refused(world: &World, by: &Person, channel: u64, name: &str, given: &[(&str, &str)], why: &str) {
    let before = world.hub.rooms()[0].view().seq();
    let token = world.fake.slash(by, channel, name, &args(given));
    let answer = world.fake.answer(&token).await;
    assert!(answer.only == Some(by.id) && answer.text().contains(why), "{name}: {}", answer.text());
    assert!(world.fake.state().interactions[&token].window.is_none(), "{name}");
    assert_eq!(world.hub.rooms()[0].view().seq(), before, "nothing changed");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_types_into_a_window_for_what_they_could_not_do() {
    let world = World::new().await;
    world.started(&moderator()).await;
    world.fake.state().opened.insert(GUILD);
    let stranger = Person::new(505, "Mallory");
    for (person, name) in [(ann(), "Ann"), (bob(), "Bob")] {
        let token = world.fake.slash(&person, CHANNEL, "join", &args(&[("name", name)]));
        world.fake.answer(&token).await;
    }
    let people = world.hub.rooms()[0].view().seq();

    refused(&world, &stranger, CHANNEL, "joust adjudicate", &[], "Only the contestmaster").await;
    refused(&world, &ann(), CHANNEL, "joust adjudicate", &[], "Only the contestmaster").await;
    let correct = [("path", "player/ann.points"), ("value", "7")];
    refused(&world, &ann(), CHANNEL, "correct", &correct, "Only moderators").await;
    refused(&world, &moderator(), OTHER_CHANNEL, "joust adjudicate", &[], "No room is bound").await;
    // Whoever may gets the window, and is judged again with the text.
    let token = world.fake.slash(&ann(), CHANNEL, "joust submit", &args(&[("name", "alpha")]));
    let token = world.fake.fill(&ann(), &token, ">+").await;
    assert!(world.fake.answer(&token).await.text().contains("alpha is received"));
    world.quiet().await;
    // Three programs a week are all that anybody may send.
    for name in ["beta", "gamma"] {
        let token = world.fake.slash(&ann(), CHANNEL, "joust submit", &args(&[("name", name), ("code", ">++")]));
        assert!(world.fake.answer(&token).await.text().contains("is received"));
        world.quiet().await;
    }
    refused(&world, &ann(), CHANNEL, "joust submit", &[("name", "delta")], "programs this week").await;
    let token = world.fake.slash(&moderator(), CHANNEL, "ban", &args(&[("who", "<@503>")]));
    world.fake.answer(&token).await;
    refused(&world, &bob(), CHANNEL, "joust submit", &[("name", "delta")], "banned you").await;
    let token = world.fake.slash(&moderator(), CHANNEL, "pause", &[]);
    world.fake.answer(&token).await;
    refused(&world, &moderator(), CHANNEL, "joust adjudicate", &[], "paused").await;
    assert!(world.hub.rooms()[0].view().seq() > people);
    world.end().await;
}

/// A player of a nomic with a window, and a stranger without one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_proposal_is_written_by_whoever_can_make_one() {
    let world = World::new().await;
    world.fake.slash(&moderator(), CHANNEL, "room open", &args(&[("game", "blognomic"), ("name", "main")]));
    world.fake.sees(&bob(), CHANNEL, "is its public forum").await;
    world.fake.registered(GUILD, "propose").await;
    let token = world.fake.slash(&moderator(), CHANNEL, "join", &args(&[("name", "Mod")]));
    world.fake.answer(&token).await;
    let titled = [("title", "Dice")];
    let token = world.fake.slash(&ann(), CHANNEL, "propose", &args(&titled));
    let answer = world.fake.answer(&token).await;
    assert!(answer.only == Some(ann().id) && answer.text().contains("You are no Robot"), "{}", answer.text());
    world.end().await;
}

/// Discord shows commands of moderators to those who manage the server, unless roles of other people moderate.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn commands_of_moderators_are_hidden_from_players() {
    for (roles, hidden) in [(Vec::new(), true), (vec![900], false)] {
        let fake = Fake::start().await;
        fake.guild(GUILD, &[CHANNEL]);
        let mut world = World::on(fake, |settings| settings.moderator_roles = roles).await;
        world.connect().await;
        world.open_room(&moderator()).await;
        {
            let state = world.fake.state();
            let commands = state.guilds[&GUILD].commands.as_ref().expect("they are registered");
            let needs = |name: &str| {
                let command = commands.iter().find(|command| command.name == name).expect("it is registered");
                command.default_member_permissions.map(|needed| needed.bits())
            };
            for name in ["room", "forum", "moderator", "seat", "pause", "ban", "undo", "backup"] {
                assert_eq!(needs(name), hidden.then_some(1 << 5), "{name}");
            }
            for name in ["help", "type", "join", "rule", "joust", "inbox"] {
                assert_eq!(needs(name), None, "{name}");
            }
        }
        world.end().await;
    }
}
