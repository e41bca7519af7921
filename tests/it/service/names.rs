//! Names that nobody takes: those of the bot, and what could be taken for somebody else's.

use port::Desk as _;

use super::*;

/// What the bot is called on some other network.
const OWN: &str = "Keeper";

#[tokio::test]
async fn nobody_takes_a_name_that_differs_from_anothers_by_diacritics() {
    let mut bot = Bot::with_joust().await;
    bot.say("Zoe #nomic", "join").await;
    reads(
        &bot.say("Cy #nomic", "join Zoë").await,
        &["(privately)", "“Zoë” is, or looks like, the name of Zoe. Type: join NAME"],
    );
    // Who comes under such a nick gets a number behind it.
    bot.say("Zoë #nomic", "join").await;
    reads(&bot.say("op #nomic", "show players").await, &["Zoe", "Zoë2"]);
    reads(&bot.say("Cy #nomic", "join Zora").await, &["You are a member"]);
}

#[tokio::test]
async fn nobody_takes_a_name_of_the_bot() {
    let mut bot = Bot::with_joust().await;
    bot.hub.known_as("irc:other", vec![OWN.to_owned()]);
    for wanted in ["Keeper", "keeper", "KEEPER", "Kéeper", "\"Kee per\"", "Keeper_", "Rulekeeper", "\"the bot\""] {
        let answer = bot.say("Cy #nomic", &format!("join {wanted}")).await;
        reads(&answer, &["(privately)", "is, or looks like, a name of the bot itself. Type: join NAME"]);
    }
    bot.say("Keeper #nomic", "join").await;
    let players = bot.say("op #nomic", "show players").await;
    reads(&players, &["player"]);
    assert!(!players.contains("Keeper"), "{players}");
    // The bot is called otherwise by now.
    bot.hub.known_as("irc:other", vec!["Warden".to_owned()]);
    reads(&bot.say("Cy #nomic", "join Warden").await, &["a name of the bot itself"]);
    reads(&bot.say("Cy #nomic", "join Keeper").await, &["You are a member"]);
    // Who sits under a name that the bot takes later stays.
    bot.hub.known_as("irc:other", vec![OWN.to_owned()]);
    reads(&bot.say("Cy #nomic", "leave").await, &["member"]);
    reads(&bot.say("Cy #nomic", "join").await, &["You are a member"]);
    reads(&bot.say("op #nomic", "show players").await, &["Keeper"]);
}

#[tokio::test]
async fn a_name_is_looked_at_whatever_command_takes_it() {
    let mut bot = Bot::new().await;
    bot.hub.known_as(NETWORK, vec![OWN.to_owned()]);
    bot.say("op #blog", "room open blognomic main").await;
    let answer = bot.say("Cy #blog", "robot apply Keeper https://example.org/cy").await;
    reads(&answer, &["a name of the bot itself. Type: robot apply NAME"]);
    bot.say("Zoe #blog", "robot apply Zoe https://example.org/zoe").await;
    let answer = bot.say("Cy #blog", "robot apply Zoë https://example.org/cy").await;
    reads(&answer, &["“Zoë” is, or looks like, the name of Zoe. Type: robot apply NAME"]);
}
