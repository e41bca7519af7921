//! The story of a law on Discord: a rule with a script is passed by vote, and its commands appear among the others. Its
//! figure is amended, then its script, and it is repealed.

use super::{
    CHANNEL, GUILD, World, ann, args,
    blognomic::{does, opened, posts},
    bob, moderator,
};

/// A rule about Socks, with a command for each of two things that one does with them.
const SOCKS: &str = r#"=> create rule "Socks":
~~~~
A Sock costs [8](#sock-price) Power.

```law
let colors = "one of Blue, Black";
kind("sock");
define("color of sock: " + colors);
define("owner of sock: a robot");
action("sock buy", #{help: "Buy a Sock"}, ["color: " + colors], |a| {
    a.by.power -= number("sock-price");
    create("sock", #{color: a.color, owner: a.by});
    say(`${a.by} buys a ${a.color} Sock`);
});
action("sock give", #{help: "Give a Sock away"}, ["to: a player", "color: " + colors], |a| {
    let sock = find("sock", #{owner: a.by, color: a.color});
    require(sock != (), `you have no ${a.color} Sock`);
    sock.owner = a.to;
    say(`${a.by} gives a ${a.color} Sock to ${a.to}`);
});
display("socks", "Socks", |me| table(all("sock"), ["name", "color", "owner"]));
```
~~~~"#;

/// Votes for a Proposal and has it enacted.
async fn passes(world: &World, number: &str) {
    for person in [bob(), moderator()] {
        does(world, &person, "vote", &[("on", number), ("vote", "for")]).await;
    }
    does(world, &moderator(), "admin enact", &[]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_passed_law_adds_commands_and_takes_them_along() {
    let mut world = World::new().await;
    opened(&world).await;
    let before = world.fake.registered(GUILD, "propose").await;
    assert!(!before.contains(&"sock".to_owned()), "{before:?}");
    posts(&world, &ann(), "Socks", SOCKS, "Proposal 1 by Ann.").await;
    passes(&world, "1").await;
    world.fake.sees(&bob(), CHANNEL, "command “sock buy”").await;

    // Beside the others, with their choices and completions, and after a restart as well.
    let after = world.fake.registered(GUILD, "sock").await;
    assert_eq!(after.len(), before.len() + 1, "{after:?}");
    does(&world, &ann(), "sock buy", &[("color", "Blue"), ("because", "it is cold")]).await;
    world.fake.sees(&bob(), CHANNEL, "Ann buys a Blue Sock").await;
    world.restart().await;
    let whom = world.fake.complete(&ann(), CHANNEL, "sock give", "to", "B").await;
    assert_eq!(whom, [("Bob".to_owned(), "Bob".to_owned())]);
    let token = world.fake.slash(&ann(), CHANNEL, "sock give", &args(&[("to", "Bob"), ("color", "Black")]));
    let none = world.fake.answer(&token).await;
    assert!(none.text().contains("You have no Black Sock. (Socks)") && none.only == Some(ann().id), "{}", none.text());
    does(&world, &ann(), "sock give", &[("to", "Bob"), ("color", "Blue")]).await;
    world.fake.sees(&ann(), CHANNEL, "Ann gives a Blue Sock to Bob").await;
    let shown = does(&world, &ann(), "show", &[("display", "socks")]).await;
    assert!(shown.contains("Blue") && shown.contains("Bob"), "{shown}");
    let help = world.fake.slash(&bob(), CHANNEL, "help", &args(&[("topic", "sock give")]));
    let help = world.fake.answer(&help).await.text();
    assert!(help.contains("/sock give to:TO color:Blue|Black") && help.contains("By Socks."), "{help}");

    // A figure, the script, and the end of both.
    posts(&world, &ann(), "Dear", "=> set sock-price to 80", "Proposal 2 by Ann.").await;
    passes(&world, "2").await;
    let token = world.fake.slash(&bob(), CHANNEL, "sock buy", &args(&[("color", "Black")]));
    let dear = world.fake.answer(&token).await.text();
    assert!(dear.contains("Power of Bob would be -"), "{dear}");
    let red = "=> amend rule \"Socks\": replace \"one of Blue, Black\" with \"one of Blue, Black, Red\"\n=> set sock-price to 1";
    posts(&world, &ann(), "Red", red, "Proposal 3 by Ann.").await;
    passes(&world, "3").await;
    let choice = "the choice Red";
    world
        .fake
        .until(choice, |state| {
            let commands = state.guilds.get(&GUILD)?.commands.as_ref()?;
            let sock = commands.iter().find(|command| command.name == "sock")?;
            serde_json::to_string(sock).ok()?.contains("\"Red\"").then_some(())
        })
        .await;
    does(&world, &bob(), "sock buy", &[("color", "Red")]).await;
    posts(&world, &ann(), "No socks", "=> repeal rule \"Socks\"", "Proposal 4 by Ann.").await;
    passes(&world, "4").await;
    world.fake.sees(&bob(), CHANNEL, "The law of Socks ends").await;
    world
        .fake
        .until("no command sock", |state| {
            let commands = state.guilds.get(&GUILD)?.commands.as_ref()?;
            commands.iter().all(|command| command.name != "sock").then_some(())
        })
        .await;
    world.end().await;
}
