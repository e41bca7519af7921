//! Players and offices as roles of a server: made, given and taken as the room goes on, and mended where people were at
//! them. What is in the way is told once.

use serde_json::json;

use super::{
    CHANNEL, GUILD, World, ann,
    blognomic::{cat, does},
    bob,
    club::club,
    living::votes_elsewhere,
    moderator,
};
use crate::fakes::discord::{Person, Role, State};

/// A role of the server's own, which is called as one of the bot's will be.
const FOREIGN: u64 = 999;

/// Waits until these have the role of a name.
async fn holds(world: &World, name: &str, people: &[Person]) {
    let wanted: Vec<u64> = people.iter().map(|person| person.id).collect();
    let what = format!("the role {name} for {wanted:?}");
    world.fake.until(&what, |state| (state.holders(GUILD, name).as_ref() == Some(&wanted)).then_some(())).await;
}

/// Changes the server, and has the gateway tell something of its roles.
fn changes(world: &World, event: &str, change: impl FnOnce(&mut State) -> u64) {
    let mut state = world.fake.state();
    let role = change(&mut state);
    let mut told = json!({ "guild_id": GUILD.to_string(), "role_id": role.to_string() });
    if event == "GUILD_ROLE_UPDATE" {
        told["role"] = crate::fakes::discord::role(role, &Role::default());
    }
    state.gateway.dispatch(event, told);
}

/// The requests about members and roles, and the messages in the channel with a text.
fn count(world: &World, text: &str) -> (usize, usize) {
    let state = world.fake.state();
    let about = |(_, path): &&(String, String)| path.contains("/members/") || path.ends_with("/roles");
    let told = state.texts(CHANNEL, ann().id).iter().filter(|held| held.contains(text)).count();
    (state.requests.iter().filter(about).count(), told)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn players_have_a_role_as_they_come_and_go() {
    let mut world = club().await;
    let foreign = Role { name: "club player".to_owned(), ..Role::default() };
    world.fake.state().guilds.get_mut(&GUILD).expect("it is there").roles.insert(FOREIGN, foreign);
    world.fake.state().guilds.get_mut(&GUILD).expect("it is there").roleless = true;
    assert_eq!(count(&world, "").0, 0, "it is off at first");
    let set = does(&world, &moderator(), "room settings", &[("setting", "roles"), ("value", "yes")]).await;
    assert!(set.contains("follow that now"), "{set}");
    let needs = "The bot cannot make the role “club player”. It needs Manage Roles.";
    world.fake.sees(&ann(), CHANNEL, needs).await;
    assert_eq!(count(&world, needs).0, 1, "one try");

    // The server lets it.
    changes(&world, "GUILD_ROLE_UPDATE", |state| {
        state.guilds.get_mut(&GUILD).expect("it is there").roleless = false;
        FOREIGN
    });
    holds(&world, "club player", &[ann(), bob(), cat()]).await;
    does(&world, &bob(), "leave", &[]).await;
    holds(&world, "club player", &[ann(), cat()]).await;
    assert_eq!(
        count(&world, needs),
        (9, 1),
        "a role is made by two tries, three are asked and given it, one gives it back"
    );

    // What happens while the bot is away is made up for, with the same role.
    world.stop().await;
    votes_elsewhere(&world, "leave").await;
    world.restart().await;
    holds(&world, "club player", &[ann()]).await;
    does(&world, &bob(), "join", &[]).await;
    holds(&world, "club player", &[ann(), bob()]).await;

    // A role that somebody deletes is made anew.
    changes(&world, "GUILD_ROLE_DELETE", |state| {
        let roles = &mut state.guilds.get_mut(&GUILD).expect("it is there").roles;
        roles.pop_last().expect("the bot's").0
    });
    world.fake.sees(&ann(), CHANNEL, "Somebody deleted the role “club player”: it is made anew.").await;
    holds(&world, "club player", &[ann(), bob()]).await;

    // Whoever is not in the server gets none, and the others do.
    let dan = Person::new(505, "Dan");
    world.fake.state().guilds.get_mut(&GUILD).expect("it is there").strangers.insert(dan.id);
    does(&world, &dan, "join", &[]).await;
    let stranger = "Discord's account 505 plays here and is not in this server: it gets no role.";
    world.fake.sees(&ann(), CHANNEL, stranger).await;

    // A role above the bot's own is tried once for each change.
    let raised = |state: &mut State, above: bool| {
        let roles = &mut state.guilds.get_mut(&GUILD).expect("it is there").roles;
        let mut last = roles.last_entry().expect("the bot's");
        last.get_mut().above = above;
        *last.key()
    };
    raised(&mut world.fake.state(), true);
    does(&world, &cat(), "join", &[]).await;
    let above =
        "The bot cannot give or take the role “club player”. It needs Manage Roles, and a role of its own above";
    world.fake.sees(&ann(), CHANNEL, above).await;
    changes(&world, "GUILD_ROLE_UPDATE", |state| raised(state, false));
    holds(&world, "club player", &[ann(), bob(), cat()]).await;
    assert_eq!((count(&world, above).1, count(&world, stranger).1), (1, 1), "each is told once");

    does(&world, &moderator(), "room settings", &[("setting", "roles"), ("value", "no")]).await;
    holds(&world, "club player", &[]).await;
    assert!(world.fake.state().guilds[&GUILD].roles[&FOREIGN].members.is_empty(), "it may have powers");
    world.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_office_has_a_role_that_goes_with_it() {
    let world = World::new().await;
    world.open_room(&moderator()).await;
    does(&world, &moderator(), "room settings", &[("setting", "roles"), ("value", "yes")]).await;
    holds(&world, "main contestmaster", &[moderator()]).await;
    does(&world, &ann(), "join", &[]).await;
    holds(&world, "main player", &[ann()]).await;
    world.end().await;
}
