//! Laws on Discord: the commands of a rule appear among the others, with choices and completions. The story of a law, from
//! its proposal to its repeal, is told here in BlogNomic and in B Nomic.

use super::{
    Arg, CHANNEL, GUILD, Person, World, ann, args,
    blognomic::{cat, does, offered, opened, posts, presses},
    bob, moderator,
};
use crate::{
    fakes::discord::State,
    goods::three_nweeks_of_goods_and_tag,
    laws::{Game, Table, Who, a_law_is_passed_amended_and_repealed},
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
action("sock mend", #{help: "Mend a Sock"}, [#{takes: "sock: a sock", help: "One of yours", offers: "socks"}], |a| {
    say(`${a.by} mends the ${a.sock.color} Sock`);
});
action("sock wash", #{help: "Wash a Sock", answer: "It is clean."}, ["sock: a sock"], |a| a.sock.color = "Blue");
display("socks", "Socks", |me| table(all("sock"), ["name", "color", "owner"]));
```
~~~~"#;

/// Votes for a Proposal and has it enacted.
async fn passes(world: &World, number: &str) {
    for person in [bob(), moderator()] {
        does(world, &person, "vote", &[("on", number), ("vote", "FOR")]).await;
    }
    does(world, &moderator(), "admin enact", &[]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_passed_law_adds_commands_with_their_choices() {
    let mut world = World::new().await;
    opened(&world).await;
    let before = world.fake.registered(GUILD, "propose").await;
    assert!(!before.contains(&"sock".to_owned()), "{before:?}");
    posts(&world, &ann(), "Socks", SOCKS, "Proposal 1 by Ann.").await;
    passes(&world, "1").await;
    world.fake.sees(&bob(), CHANNEL, "command “/sock buy").await;

    // Beside the others, with their choices and completions, and after a restart as well.
    let after = world.fake.registered(GUILD, "sock").await;
    assert_eq!(after.len(), before.len() + 1, "{after:?}");
    does(&world, &ann(), "sock buy", &[("color", "Blue"), ("because", "it is cold")]).await;
    let said = world.fake.sees(&bob(), CHANNEL, "Ann buys a Blue Sock").await;
    assert!(said.text().contains("> -# rule 18\n> Ann buys a Blue Sock."), "a law is quoted: {}", said.text());
    world.restart().await;
    let whom = world.fake.complete(&ann(), CHANNEL, "sock give", "to", "B").await;
    assert_eq!(whom, [("Bob".to_owned(), "Bob".to_owned())]);
    // The things of its kind complete a parameter.
    let socks = world.fake.complete(&ann(), CHANNEL, "sock wash", "sock", "").await;
    assert_eq!(socks.len(), 1, "{socks:?}");
    let answer = does(&world, &ann(), "sock wash", &[("sock", socks[0].1.as_str())]).await;
    assert!(answer.contains("> It is clean."), "{answer}");
    // A display of the law completes what the law says that it completes.
    let socks = world.fake.complete(&ann(), CHANNEL, "sock mend", "sock", "blu").await;
    assert!(socks.len() == 1 && socks[0].0.contains("Blue") && socks[0].0.contains("Ann"), "{socks:?}");
    does(&world, &ann(), "sock mend", &[("sock", socks[0].1.as_str())]).await;
    world.fake.sees(&bob(), CHANNEL, "Ann mends the Blue Sock").await;
    let token = world.fake.slash(&ann(), CHANNEL, "sock give", &args(&[("to", "Bob"), ("color", "Black")]));
    let none = world.fake.answer(&token).await;
    assert!(none.text().contains("You have no Black Sock. (rule") && none.only == Some(ann().id), "{}", none.text());
    does(&world, &ann(), "sock give", &[("to", "Bob"), ("color", "Blue")]).await;
    world.fake.sees(&ann(), CHANNEL, "Ann gives a Blue Sock to Bob").await;
    let shown = does(&world, &ann(), "show", &[("display", "socks")]).await;
    assert!(shown.contains("Blue") && shown.contains("Bob"), "{shown}");
    let help = world.fake.slash(&bob(), CHANNEL, "help", &args(&[("topic", "sock give")]));
    // Until Discord has answered with their ids, commands are told as code.
    let help = world.fake.answer(&help).await.text().replace(['`', '\\'], "");
    assert!(help.contains("/sock give to:TO color:Blue|Black") && help.contains("Socks."), "{help}");
    world.end().await;
}

/// A rule whose displays complete what its commands take, and are of no use for that.
const COMPLETIONS: &str = r#"=> create rule "Completions":
~~~~
Much is completed.

```law
display("loops", "Loops", |me| { let n = 0; while true { n += 1; } });
display("throws", "Throws", |me| { let x = (); table(["name"], [[x + 1]]) });
display("many", "Many", |me| { let rows = []; for n in 0..10000 { rows.push([`S${n}`]); } table(["name"], rows) });
action("pick loop", #{help: "Pick one"}, [#{takes: "what: text", help: "Which", offers: "loops"}], |a| say(a.what));
action("pick throw", #{help: "Pick one"}, [#{takes: "what: text", help: "Which", offers: "throws"}], |a| say(a.what));
action("pick many", #{help: "Pick one"}, [#{takes: "what: text", help: "Which", offers: "many"}], |a| say(a.what));
```
~~~~"#;

/// What completes nothing, or too much, keeps nobody waiting: the command is there, and is typed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_completion_that_goes_wrong_completes_nothing_and_bars_nothing() {
    let world = World::new().await;
    opened(&world).await;
    posts(&world, &ann(), "Completions", COMPLETIONS, "Proposal 1 by Ann.").await;
    passes(&world, "1").await;
    world.fake.registered(GUILD, "pick").await;
    for name in ["pick loop", "pick throw", "pick many"] {
        let offered = world.fake.complete(&ann(), CHANNEL, name, "what", "").await;
        assert!(offered.len() <= 25, "{name}: {offered:?}");
        does(&world, &ann(), name, &[("what", "S7")]).await;
    }
    world.fake.sees(&bob(), CHANNEL, "S7").await;
    world.end().await;
}

/// A rule of which every step names the next.
const GIFTS: &str = r#"=> create rule "Gifts":
~~~~
Robots give Gifts, and thank for them.

```law
after("vote", |a| tell(a.by, `You may give now: “${line("gift give", #{to: the("Bob")})}”`));
action("gift give", #{help: "Give a Gift"}, ["to: a player", "what: one of Tea, Cake"], |a| {
    say(`${a.by} gives ${a.what} to ${a.to}`);
    ask(a.to, "gift thank", #{to: a.by});
});
action("gift thank", #{help: "Thank for a Gift"}, ["to: a player"], |a| say(`${a.by} thanks ${a.to}`));
```
~~~~"#;

/// Follows the only command that a message names: types its options as they stand, and what is still to be put in.
fn follows(world: &World, who: &Person, message: &str, open: &[(&str, &str)]) {
    let (_, behind) = message.split_once("“/").expect("a command is named");
    let (told, _) = behind.split_once('”').expect("where it ends");
    let (mut name, mut given) = (Vec::new(), Vec::new());
    for word in told.split(' ') {
        match word.split_once(':') {
            Some((key, value)) => given.push((key, value)),
            None => name.push(word),
        }
    }
    for (key, value) in open {
        let place = given.iter_mut().find(|(known, _)| known == key);
        place.expect("the message says that it is open").1 = value;
    }
    world.fake.slash(who, CHANNEL, &name.join(" "), &args(&given));
}

/// The story of a law is played by what messages name alone: buttons, and commands that can be pressed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_law_is_played_by_what_its_messages_name() {
    let world = World::new().await;
    opened(&world).await;
    posts(&world, &ann(), "Gifts", GIFTS, "Proposal 1 by Ann.").await;
    let posted = offered(&world, &bob(), "Proposal 1 by Ann.", "FOR").await;
    presses(&world, &bob(), &posted, "FOR").await;
    presses(&world, &moderator(), &posted, "FOR").await;
    let ripe = offered(&world, &moderator(), "can be enacted by an Admin", "Enact").await;
    presses(&world, &moderator(), &ripe, "Enact").await;
    world.fake.sees(&bob(), CHANNEL, "command “/gift give").await;
    world.fake.registered(GUILD, "gift").await;

    posts(&world, &bob(), "More", "More Gifts.", "Proposal 2 by Bob.").await;
    let posted = offered(&world, &ann(), "Proposal 2 by Bob.", "FOR").await;
    presses(&world, &ann(), &posted, "FOR").await;
    let private = world.fake.private_channel(ann().id);
    let told = world.fake.sees(&ann(), private, "You may give now").await.text();
    assert!(told.contains(&format!("” (in <#{CHANNEL}>)")), "it is said in public: {told}");
    follows(&world, &ann(), &told, &[("what", "Cake")]);
    world.fake.sees(&bob(), CHANNEL, "Ann gives Cake to Bob").await;
    let private = world.fake.private_channel(bob().id);
    let asked = world.fake.sees(&bob(), private, "asks you for").await.text();
    follows(&world, &bob(), &asked, &[]);
    world.fake.sees(&ann(), CHANNEL, "Bob thanks Ann").await;
    world.end().await;
}

/// The text of the first proposal in the guide's first session.
fn of_the_guide() -> String {
    let guide = include_str!("../../../docs/playing/laws.md");
    let typed: Vec<&str> = guide.lines().filter_map(|line| line.strip_prefix("Ann> ")).collect();
    let begins = typed.iter().position(|line| line.starts_with("=> create rule")).expect("it creates a rule");
    typed[begins..].iter().take_while(|line| **line != "end text").copied().collect::<Vec<_>>().join("\n")
}

/// The first session of the guide is played by what messages name alone, but for the texts of its proposals.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_session_of_the_guide_is_played_by_what_its_messages_name() {
    let world = World::new().await;
    opened(&world).await;
    posts(&world, &ann(), "Thanks", &of_the_guide(), "Proposal 1 by Ann.").await;
    for person in [ann(), moderator(), bob()] {
        let posted = offered(&world, &person, "Proposal 1 by Ann.", "FOR").await;
        presses(&world, &person, &posted, "FOR").await;
    }
    let ripe = offered(&world, &moderator(), "can be enacted by an Admin", "Enact").await;
    presses(&world, &moderator(), &ripe, "Enact").await;
    world.fake.sees(&bob(), CHANNEL, "is in force: “after vote”").await;
    posts(&world, &ann(), "More time", "=> set timeout-hours to 72", "Proposal 2 by Ann.").await;
    let posted = offered(&world, &bob(), "Proposal 2 by Ann.", "FOR").await;
    presses(&world, &bob(), &posted, "FOR").await;
    let thanks = world.fake.sees(&ann(), CHANNEL, "Thank you, Bob!").await.text();
    assert!(thanks.contains("> -# rule "), "{thanks}");
    world.end().await;
}

/// Rules with more commands under one first word than Discord's list takes.
fn trumpets() -> String {
    let blow = |tune: usize| format!("action(\"blow tune{tune}\", #{{help: \"Blow it\"}}, [], |a| say(\"Tara\"));\n");
    let rule = |first: usize| {
        let acts: String = (first..first + 13).map(blow).collect();
        format!("=> create rule \"From {first}\":\n~~~~\nRobots may blow them.\n\n```law\n{acts}```\n~~~~\n")
    };
    [rule(1), rule(14)].concat()
}

/// What has no place in the list is said in the room, and is sent as a line.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_room_hears_which_of_its_commands_discord_does_not_list() {
    let world = World::new().await;
    opened(&world).await;
    posts(&world, &ann(), "Trumpets", &trumpets(), "Proposal 1 by Ann.").await;
    passes(&world, "1").await;
    world.fake.sees(&bob(), CHANNEL, "no place for blow tune26. Send them with /type.").await;
    does(&world, &bob(), "type", &[("lines", "blow tune26")]).await;
    world.fake.sees(&ann(), CHANNEL, "Tara").await;
    world.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_law_that_is_longer_than_a_window_comes_as_a_file() {
    let world = World::new().await;
    opened(&world).await;
    let text = SOCKS.replace("A Sock costs", &format!("{}\n\nA Sock costs", "Everybody likes Socks. ".repeat(300)));
    let file = || Arg::File("socks.txt", text.clone().into_bytes());
    let token = world.fake.slash(&ann(), CHANNEL, "law check", &[("script-file", file())]);
    let told = world.fake.answer(&token).await;
    assert!(told.only == Some(ann().id) && told.text().contains("the command “sock buy”"), "{}", told.text());
    world.fake.slash(&ann(), CHANNEL, "propose", &[("title", Arg::Text("Socks")), ("text-file", file())]);
    world.fake.sees(&bob(), CHANNEL, "Proposal 1 by Ann.").await;
    passes(&world, "1").await;
    world.fake.sees(&bob(), CHANNEL, "command “/sock buy").await;
    world.fake.registered(GUILD, "sock").await;
    does(&world, &ann(), "sock buy", &[("color", "Blue")]).await;
    world.fake.sees(&bob(), CHANNEL, "Ann buys a Blue Sock").await;
    world.end().await;
}

fn person(who: Who) -> Person {
    match who {
        Who::Mod => moderator(),
        Who::Ann => ann(),
        Who::Bob => bob(),
        Who::Cat => cat(),
        Who::Dan => Person::new(505, "Dan"),
        Who::Eve => Person::new(506, "Eve"),
    }
}

/// Waits until a command of the server is as wanted, or is none.
async fn is_registered(world: &World, what: &str, name: &str, wanted: impl Fn(Option<String>) -> bool) {
    let look = |state: &State| {
        let commands = state.guilds.get(&GUILD)?.commands.as_ref()?;
        let found = commands.iter().find(|command| command.name == name);
        wanted(found.map(|command| serde_json::to_string(command).expect("it can be written"))).then_some(())
    };
    world.fake.until(what, look).await;
}

impl Table for World {
    async fn does(&mut self, who: Who, name: &str, given: &[(&str, &str)], told: &str) {
        let token = self.fake.slash(&person(who), CHANNEL, name, &args(given));
        self.fake.answer(&token).await;
        self.fake.sees(&person(who), CHANNEL, told).await;
    }

    async fn is_refused(&mut self, who: Who, name: &str, given: &[(&str, &str)], why: &str) {
        let token = self.fake.slash(&person(who), CHANNEL, name, &args(given));
        let answer = self.fake.answer(&token).await;
        assert!(answer.only == Some(person(who).id) && answer.text().contains(why), "{name}: {}", answer.text());
    }

    async fn privately(&mut self, who: Who, name: &str, given: &[(&str, &str)], told: &str) {
        let token = self.fake.slash(&person(who), CHANNEL, name, &args(given));
        let answer = self.fake.answer(&token).await;
        assert!(answer.only == Some(person(who).id) && answer.text().contains(told), "{name}: {}", answer.text());
    }

    async fn shows(&mut self, who: Who, display: &str, part: &str) {
        let shown = does(self, &person(who), "show", &[("display", display)]).await;
        assert!(shown.contains(part), "{display}: {shown}");
    }

    async fn proposes(&mut self, who: Who, title: &str, text: &str, told: &str) {
        posts(self, &person(who), title, text, told).await;
    }

    async fn reads(&mut self, told: &str) {
        self.fake.sees(&cat(), CHANNEL, told).await;
    }

    async fn to(&mut self, instant: &str) {
        self.clock.advance_to(instant.parse().expect("an instant"));
    }

    async fn offers(&mut self, command: &str, choice: &str) {
        let name = command.split(' ').next().unwrap_or_default();
        let what = format!("{command} with {choice}");
        is_registered(self, &what, name, |found| found.is_some_and(|found| found.contains(choice))).await;
    }

    async fn lacks(&mut self, command: &str) {
        is_registered(self, &format!("no command {command}"), command, |found| found.is_none()).await;
    }
}

async fn told_in(game: Game) {
    let mut world = World::new().await;
    a_law_is_passed_amended_and_repealed(&mut world, game).await;
    world.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_law_of_blognomic_lives_and_ends_on_discord() {
    told_in(Game::BlogNomic).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_law_of_b_nomic_lives_and_ends_on_discord() {
    told_in(Game::BNomic).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn three_nweeks_of_goods_and_tag_on_discord() {
    let mut world = World::new().await;
    three_nweeks_of_goods_and_tag(&mut world).await;
    world.end().await;
}
