//! A nomic of one's own on Discord: opened with its rules, played by their commands, and changed in how it works.

use super::{
    Arg, CHANNEL, GUILD, World, ann,
    blognomic::{cat, does, offered, presses},
    bob, moderator,
};

/// A game of five rules, as somebody writes it in one file.
const MINE: &str = r#"# 101 Players
Whoever asks plays.

```law
after("join", |a| { admit(a.by); say(`${a.by} plays`); });
```

# 201 Motions
A player may move a change of the rules.

```law
kind("motion", #{law: true, changes: true});
define("text of motion: a law");
define("ayes of motion: list of players");
action("move", #{help: "Move a change", answer: "It is moved."},
    [#{takes: "title: text", help: "What it is called"}, #{takes: "text: a law", help: "What shall change"}], |a| {
    let it = create("motion", #{name: a.title, text: a.text});
    say(`${a.by} moves ${it}: “${line("aye", #{on: it})}”`);
});
```

# 202 Ayes
A motion is adopted once [2](#ayes) players are for it.

```law
action("aye", #{help: "Be for a motion", answer: "You are for it."}, [#{takes: "on: a motion", help: "Which"}], |a| {
    let it = a.on;
    require(!(a.by in it.ayes), "you are for it already");
    it.ayes += a.by;
    if it.ayes.len() >= number("ayes") { say(`${it} is adopted`); apply(it.text); destroy(it); }
});
```

# 301 Points
A player may claim a point once a day.

```law
define("points of player: whole number from 0, 0 at first");
action("claim", #{help: "Claim a point", limit: "once a day", answer: "It is yours."}, [], |a| a.by.points += 1);
display("points", "Points", |me| table(players(), ["name", "points"]));
```

# 302 Winning
Whoever has [2](#points-to-win) points wins.

```law
after("claim", |a| if a.by.points >= number("points-to-win") { say(`${a.by} wins`); });
```
"#;

/// From now on a motion is voted down by a single no, and needs everybody else.
const UNANIMITY: &str = r#"=> rewrite rule 202:
~~~~
A motion is adopted once all players are for it. Whoever is against it ends it.

```law
action("aye", #{help: "Be for a motion", answer: "You are for it."}, [#{takes: "on: a motion", help: "Which"}], |a| {
    let it = a.on;
    require(!(a.by in it.ayes), "you are for it already");
    it.ayes += a.by;
    if it.ayes.len() >= count("player") { say(`${it} is adopted`); apply(it.text); destroy(it); }
});
action("no", #{help: "End a motion", answer: "It is over."}, [#{takes: "on: a motion", help: "Which"}], |a| {
    say(`${a.by} is against ${a.on}, and it is over`);
    destroy(a.on);
});
```
~~~~"#;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_nomic_of_ones_own_is_opened_played_and_changed() {
    let mut world = World::new().await;
    let file = Arg::File("mine.md", MINE.as_bytes().to_vec());
    let given = [("game", Arg::Text("nomic")), ("name", Arg::Text("mine")), ("rulebook-file", file)];
    world.fake.slash(&moderator(), CHANNEL, "room open", &given);
    let shown = offered(&world, &moderator(), "the command “claim” begins", "Open the room").await;
    presses(&world, &moderator(), &shown, "Open the room").await;
    world.fake.sees(&moderator(), CHANNEL, "5 rules are in force: ").await;
    world.fake.registered(GUILD, "move").await;
    for person in [ann(), bob(), cat()] {
        does(&world, &person, "join", &[]).await;
    }
    world.fake.sees(&ann(), CHANNEL, "Cat plays").await;

    // A figure, and then how motions are adopted.
    does(&world, &ann(), "move", &[("title", "Three"), ("text", "=> set points-to-win to 3")]).await;
    world.fake.sees(&bob(), CHANNEL, "Ann moves Three").await;
    for person in [ann(), bob()] {
        does(&world, &person, "aye", &[("on", "Three")]).await;
    }
    world.fake.sees(&cat(), CHANNEL, "Three is adopted").await;
    let rule = does(&world, &cat(), "rule show", &[("rule", "302")]).await;
    assert!(rule.contains("Whoever has 3 points wins"), "{rule}");
    does(&world, &bob(), "move", &[("title", "Unanimity"), ("text", UNANIMITY)]).await;
    world.fake.sees(&ann(), CHANNEL, "Bob moves Unanimity").await;
    for person in [ann(), bob()] {
        does(&world, &person, "aye", &[("on", "Unanimity")]).await;
    }
    world.fake.sees(&cat(), CHANNEL, "Unanimity is adopted").await;
    world.fake.registered(GUILD, "no").await;

    // It goes by the new rule, after a restart as well.
    world.restart().await;
    does(&world, &ann(), "move", &[("title", "One"), ("text", "=> set points-to-win to 1")]).await;
    world.fake.sees(&bob(), CHANNEL, "Ann moves One").await;
    for person in [ann(), bob()] {
        does(&world, &person, "aye", &[("on", "One")]).await;
    }
    does(&world, &cat(), "no", &[("on", "One")]).await;
    world.fake.sees(&ann(), CHANNEL, "Cat is against One, and it is over").await;
    does(&world, &ann(), "claim", &[]).await;
    let again = does(&world, &ann(), "claim", &[]).await;
    assert!(again.contains("once a day"), "{again}");
    does(&world, &bob(), "leave", &[]).await;
    world.fake.sees(&ann(), CHANNEL, "Bob leaves the game.").await;
    world.end().await;
}
