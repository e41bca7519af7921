//! Getting on Discord and staying there.

use std::time::Duration;

use super::{CHANNEL, GUILD, World, ann, args, moderator};
use crate::fakes::discord::{Fake, Fault, State};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_gateway_that_cannot_be_asked_for_is_asked_for_again() {
    let fake = Fake::start().await;
    fake.guild(GUILD, &[CHANNEL]);
    fake.fault("GET", "/gateway", Fault::Status(503, 0), 2);
    fake.fault("GET", "/gateway", Fault::LoseRequest, 1);
    let mut world = World::on(fake, |_| {}).await;
    world.connect().await;
    world.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_registration_that_fails_is_tried_until_it_is_taken() {
    let fake = Fake::start().await;
    fake.guild(GUILD, &[CHANNEL]);
    fake.fault("PUT", "/commands", Fault::Status(500, 0), 3);
    fake.fault("PUT", "/commands", Fault::Limit(0.01), 1);
    fake.fault("PUT", "/commands", Fault::LoseAnswer, 1);
    let mut world = World::on(fake, |_| {}).await;
    world.connect().await;
    world.open_room(&moderator()).await;
    world.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lost_connection_is_resumed_and_a_lost_session_begun_anew() {
    let world = World::new().await;
    world.open_room(&moderator()).await;
    let resumed = |count: usize| {
        move |state: &State| {
            let heard = state.gateway.heard.iter().filter(|name| **name == "resume").count();
            (heard >= count && state.gateway.online()).then_some(())
        }
    };
    world.fake.state().gateway.ask_to_reconnect();
    world.fake.until("a resumption when asked to", resumed(1)).await;
    world.fake.state().gateway.cut();
    // What happens meanwhile is told at the resumption.
    let token = world.fake.slash(&ann(), CHANNEL, "rooms", &[]);
    world.fake.until("a resumption after a cut", resumed(2)).await;
    assert!(world.fake.answer(&token).await.text().contains("main"));
    world.fake.state().gateway.invalidate();
    world.fake.until("a new session", |state| (state.gateway.begun() >= 2).then_some(())).await;
    let token = world.fake.slash(&ann(), CHANNEL, "rooms", &[]);
    world.fake.answer(&token).await;
    let beats = |state: &State| state.gateway.heard.iter().filter(|name| **name == "heartbeat").count();
    let before = {
        let mut state = world.fake.state();
        state.gateway.heartbeat_milliseconds = Some(200);
        state.gateway.cut();
        beats(&state)
    };
    world.fake.until("heartbeats", |state| (beats(state) >= before + 2).then_some(())).await;
    let intents = world.fake.state().gateway.intents;
    assert_eq!(intents, Some(1), "only the intent for servers");
    world.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn commands_follow_rooms_and_servers_that_come_and_go() {
    let world = World::new().await;
    world.open_room(&moderator()).await;
    world.fake.slash(&moderator(), CHANNEL, "room close", &[]);
    world
        .fake
        .until("no joust", |state| {
            let commands = state.guilds[&GUILD].commands.as_ref()?;
            commands.iter().all(|command| command.name != "joust").then_some(())
        })
        .await;
    world.fake.guild(9, &[90]);
    world.fake.registered(9, "room").await;
    world.fake.remove(GUILD);
    // By the time that this is answered the bot knows that it was removed.
    let token = world.fake.slash(&ann(), 90, "rooms", &[]);
    world.fake.answer(&token).await;
    world.fake.guild(GUILD, &[CHANNEL]);
    world.fake.registered(GUILD, "help").await;
    world.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_chosen_servers_get_commands() {
    let fake = Fake::start().await;
    fake.guild(GUILD, &[CHANNEL]);
    fake.guild(9, &[90]);
    let mut world = World::on(fake, |settings| settings.guilds = vec![9]).await;
    world.start();
    world.fake.registered(9, "help").await;
    world.stop().await;
    let state = world.fake.state();
    assert!(state.guilds[&GUILD].commands.is_none() && state.global.is_none());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_token_that_is_not_taken_ends_in_silence_and_stops_in_order() {
    let fake = Fake::start().await;
    fake.guild(GUILD, &[CHANNEL]);
    fake.fault("GET", "/gateway", Fault::Status(401, 0), 1);
    let mut world = World::on(fake, |_| {}).await;
    world.start();
    world.fake.until("the one try", |state| (!state.requests.is_empty()).then_some(())).await;
    tokio::time::timeout(Duration::from_secs(60), world.stop()).await.expect("it stops");
    let asked = world.fake.state().requests.iter().filter(|(_, path)| path.ends_with("/gateway")).count();
    assert_eq!(asked, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_removes_the_bot_and_adds_it_again_plays_on() {
    let world = World::new().await;
    world.started(&moderator()).await;
    world.fake.guild(9, &[90]);
    world.fake.registered(9, "room").await;
    world.fake.remove(GUILD);
    // By the time that this is answered the bot knows that it was removed.
    let token = world.fake.slash(&ann(), 90, "rooms", &[]);
    world.fake.answer(&token).await;
    world.fake.guild(GUILD, &[CHANNEL]);
    // Discord has forgotten the commands with the bot; those of the room that is open come back too.
    world.fake.registered(GUILD, "joust").await;
    let token = world.fake.slash(&ann(), CHANNEL, "join", &args(&[("name", "Ann")]));
    world.fake.answer(&token).await;
    world.fake.sees(&moderator(), CHANNEL, "Ann").await;
    world.end().await;
}
