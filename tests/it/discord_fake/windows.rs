//! Windows: they have a field for each text that was left out, open for whoever could do what they ask for, and take as
//! many characters as Discord lets through.

use super::{
    Arg, CHANNEL, GUILD, OTHER_CHANNEL, World, ann, args,
    blognomic::{cat, does, opened, posts},
    bob, moderator,
};
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
    // No more is asked of somebody who gives no title either.
    let token = world.fake.slash(&ann(), CHANNEL, "propose", &[]);
    let answer = world.fake.answer(&token).await;
    assert!(answer.only == Some(ann().id) && answer.text().contains("You are no Robot"), "{}", answer.text());
    world.end().await;
}

/// The fields of the window of an interaction: their ids, whether they are lines, whether they are needed, what is in them.
async fn fields(world: &World, token: &str) -> Vec<(String, bool, bool, String)> {
    let (_, window) = world.fake.window(token).await;
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    let field = |row: &serde_json::Value| {
        let input = &row["components"][0];
        let is_line = input["style"] == 1;
        assert!(is_line || input["style"] == 2, "{input}");
        (text(&input["custom_id"]), is_line, input["required"] == true, text(&input["value"]))
    };
    window["components"].as_array().into_iter().flatten().map(field).collect()
}

/// A field of which nothing was typed yet.
fn empty(name: &str, is_line: bool, needed: bool) -> (String, bool, bool, String) {
    (name.to_owned(), is_line, needed, String::new())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_window_has_a_field_for_each_text_that_was_left_out() {
    let world = World::new().await;
    opened(&world).await;
    // Given nothing, both are asked for. What is asked is said above the field and in it.
    let token = world.fake.slash(&ann(), CHANNEL, "propose", &[]);
    assert_eq!(fields(&world, &token).await, [empty("title", true, true), empty("text", false, true)]);
    let (_, window) = world.fake.window(&token).await;
    let title = &window["components"][0]["components"][0];
    assert_eq!((&title["label"], &title["max_length"]), (&"Title".into(), &200.into()), "{title}");
    assert!(title["placeholder"].as_str().is_some_and(|help| help.len() > 10), "{title}");
    world.fake.fill_in(&ann(), &token, &[("title", "First; “so”"), ("text", "=> rename rule 7 to \"One\"")]).await;
    let seen = world.fake.sees(&cat(), CHANNEL, "Proposal 1 by Ann.").await;
    assert!(seen.text().contains("First; “so”"), "{}", seen.text());
    // What is given is not asked for again: the title, the text, the text as a file.
    let file = || Arg::File("third.txt", b"=> rename rule 7 to \"Three\"".to_vec());
    for (number, given, left, is_line) in [
        (2, ("title", Arg::Text("Second")), ("text", "=> rename rule 7 to \"Two\""), false),
        (3, ("text", Arg::Text("=> rename rule 7 to \"Three\"")), ("title", "Third"), true),
        (4, ("text-file", file()), ("title", "Fourth"), true),
    ] {
        let by = if number == 2 { ann() } else { bob() };
        let token = world.fake.slash(&by, CHANNEL, "propose", &[given]);
        assert_eq!(fields(&world, &token).await, [empty(left.0, is_line, true)]);
        world.fake.fill_in(&by, &token, &[left]).await;
        world.fake.sees(&cat(), CHANNEL, &format!("Proposal {number} by {}.", by.name)).await;
    }
    let shown = does(&world, &cat(), "show", &[("display", "proposal/4")]).await;
    assert!(shown.contains("Fourth") && shown.contains("Three"), "{shown}");
    world.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refused_window_comes_back_with_all_of_its_fields() {
    let mut world = World::new().await;
    world.started(&moderator()).await;
    let program = |name: &str, code: &str| -> Vec<(String, bool, bool, String)> {
        vec![("name".to_owned(), true, true, name.to_owned()), ("code".to_owned(), false, true, code.to_owned())]
    };
    let token = world.fake.slash(&ann(), CHANNEL, "joust submit", &[]);
    assert_eq!(fields(&world, &token).await, program("", ""));
    let sent = world.fake.fill_in(&ann(), &token, &[("name", "alpha"), ("code", ">[+")]).await;
    let refused = world.fake.answer(&sent).await;
    assert_eq!(refused.only, Some(ann().id), "{}", refused.text());
    assert_eq!(refused.files, [("text.txt".to_owned(), b"Name:\nalpha\n\nCode:\n>[+".to_vec())]);
    // Nobody but Ann may ever read what is in it, and nothing of it is kept but in memory.
    let token = world.fake.press(&ann(), &refused, "Open the window again");
    assert_eq!(fields(&world, &token).await, program("alpha", ">[+"));
    // The name stays as it was.
    let sent = world.fake.fill_in(&ann(), &token, &[("code", ">[+]")]).await;
    assert!(world.fake.answer(&sent).await.text().contains("alpha is received"));
    world.fake.sees(&bob(), CHANNEL, "alpha").await;

    // A restart forgets what was typed into both. A window that is open keeps its texts even so.
    let token = world.fake.press(&ann(), &refused, "Open the window again");
    assert_eq!(fields(&world, &token).await, program("alpha", ">[+"));
    world.restart().await;
    let sent = world.fake.fill_in(&ann(), &token, &[("code", ">[-]")]).await;
    let forgotten = world.fake.answer(&sent).await;
    assert!(forgotten.text().contains("restarted while that window was open"), "{}", forgotten.text());
    assert_eq!(forgotten.files, [("text.txt".to_owned(), b"Code:\n>[-]\n\nName:\nalpha".to_vec())]);
    let token = world.fake.press(&ann(), &refused, "Open the window again");
    assert!(world.fake.answer(&token).await.text().contains("in the file above"));
    world.end().await;
}

/// A rule with a command that takes more texts than a window has fields.
const LETTERS: &str = r#"=> create rule "Letters":
~~~~
Robots write Letters.

```law
action("letter write", #{help: "Write a Letter"},
    ["dear: text", "from: text", "place: text", "date: text", "about: text", "words: long text"], |a| {
    say(`${a.by} writes to ${a.dear} from ${a.place}, ${a.date}, about ${a.about} as ${a.from}: ${a.words}`);
});
```
~~~~"#;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_no_window_has_a_field_for_is_an_option() {
    let world = World::new().await;
    opened(&world).await;
    posts(&world, &ann(), "Letters", LETTERS, "Proposal 1 by Ann.").await;
    for person in [bob(), moderator()] {
        does(&world, &person, "vote", &[("on", "1"), ("vote", "FOR")]).await;
    }
    does(&world, &moderator(), "admin enact", &[]).await;
    world.fake.sees(&bob(), CHANNEL, "command “/letter write").await;
    world.fake.registered(GUILD, "letter").await;
    let required: Vec<String> = {
        let state = world.fake.state();
        let commands = state.guilds[&GUILD].commands.as_ref().expect("they are registered");
        let letter = commands.iter().find(|command| command.name == "letter").expect("it is registered");
        let options = letter.options[0].options.as_deref().unwrap_or_default();
        options.iter().filter(|option| option.required == Some(true)).map(|option| option.name.to_string()).collect()
    };
    assert_eq!(required, ["about"]);
    let token = world.fake.slash(&ann(), CHANNEL, "letter write", &args(&[("about", "tea")]));
    let asked = ["dear", "from", "place", "date"].map(|name| empty(name, true, true));
    assert_eq!(fields(&world, &token).await, [&asked[..], &[empty("words", false, true)]].concat());
    let typed = [("dear", "Bob"), ("from", "A"), ("place", "home"), ("date", "today"), ("words", "Come over.")];
    world.fake.fill_in(&ann(), &token, &typed).await;
    world.fake.sees(&bob(), CHANNEL, "Ann writes to Bob from home, today, about tea as A: Come over.").await;

    // The law is amended while its window is open, and has another name for the words: what was typed comes back.
    let token = world.fake.slash(&ann(), CHANNEL, "letter write", &args(&[("about", "tea")]));
    world.fake.window(&token).await;
    let amended = LETTERS.replace("create rule \"Letters\"", "rewrite rule 18");
    let amended = amended.replace("words: long", "text: long").replace("a.words", "a.text");
    posts(&world, &bob(), "Texts", &amended, "Proposal 2 by Bob.").await;
    for person in [ann(), moderator()] {
        does(&world, &person, "vote", &[("on", "2"), ("vote", "FOR")]).await;
    }
    does(&world, &moderator(), "admin enact", &[]).await;
    let sent = world.fake.fill_in(&ann(), &token, &typed).await;
    let refused = world.fake.answer(&sent).await;
    assert!(refused.only == Some(ann().id) && refused.files.len() == 1, "{}", refused.text());
    assert!(String::from_utf8_lossy(&refused.files[0].1).contains("Come over."), "{:?}", refused.files);

    // The law ends while its window is open: what was typed comes back.
    let token = world.fake.slash(&ann(), CHANNEL, "letter write", &args(&[("about", "tea")]));
    world.fake.window(&token).await;
    let typed = typed.map(|(name, text)| (if name == "words" { "text" } else { name }, text));
    let suspended = [("path", "law/18"), ("value", "suspended"), ("reason", "it is late")];
    does(&world, &moderator(), "correct", &suspended).await;
    let sent = world.fake.fill_in(&ann(), &token, &typed).await;
    let refused = world.fake.answer(&sent).await;
    assert!(refused.only == Some(ann().id) && refused.files.len() == 1, "{}", refused.text());
    assert!(String::from_utf8_lossy(&refused.files[0].1).contains("Come over."), "{:?}", refused.files);
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
            let needs = |name: &str| {
                let command = state.offered(GUILD).find(|command| command.name == name).expect("it is registered");
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
