//! The library of laws in `docs/playing/laws`: each of them is passed by vote and played, word for word. So is each law
//! that `law new` begins.

use std::{fmt::Write as _, path::Path, sync::Arc};

use catalogue::{Catalogue, hint, i18n::Language, markdown};
use kernel::own_command::OwnCommand;
use laws::testing::Room;
use rulekeeper::rehearsal::{Event, Report, Script, play};
use serde_json::Map;

use super::{OPTIONS, ROOT, rehearsals};

/// What stands around the body of a proposal in a page of the library.
const FENCE: &str = "````\n";

#[test]
fn every_law_of_the_library_is_played_as_it_stands() {
    let library = Path::new(ROOT).join("docs/playing/laws");
    let played = rehearsals("");
    let mut pages = 0;
    for page in std::fs::read_dir(&library).expect("the library is there") {
        let path = page.expect("it stays readable").path();
        // What is made of several rules has a test of its own.
        if path.is_dir() {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("it is a text");
        let body = text.split(FENCE).nth(1).unwrap_or_else(|| panic!("{}: no body of a proposal", path.display()));
        let name = path.file_stem().expect("it has a name");
        let of_law = |file: &&std::path::PathBuf| {
            file.file_stem() == Some(name) && file.parent().is_some_and(|folder| folder.ends_with("laws"))
        };
        let rehearsal = played.iter().find(of_law).unwrap_or_else(|| panic!("{}: not played", path.display()));
        let said = std::fs::read_to_string(rehearsal).expect("it is a text");
        let lines: Vec<&str> = body.lines().skip(1).map(|line| if line.is_empty() { ":" } else { line }).collect();
        let typed: Vec<&str> = said.lines().map(|line| line.strip_prefix(": ").unwrap_or(line)).collect();
        let is_there = typed.windows(lines.len()).any(|window| window == lines);
        assert!(is_there, "{} does not play what stands in {}", rehearsal.display(), path.display());
        pages += 1;
    }
    assert!(pages > 0, "the library is empty");
}

/// Whoever meets a command of a law of the library reads what it does, how it is typed, and what to give.
#[test]
fn commands_of_the_library_explain_themselves() {
    let explained = described("BlogNomic", || Room::<blognomic::BlogNomic>::open("zed", OPENED, Map::new()))
        + described("B Nomic", || Room::<bnomic::BNomic>::open("Ann", OPENED, Map::new()))
        + described("Spacenomic", || {
            Room::<spacenomic::Spacenomic>::open(
                "zed",
                OPENED,
                Map::from_iter([("ends".to_owned(), "2027-06-30".into())]),
            )
        });
    assert!(explained > 10, "{explained}");
}

/// When rooms are opened that a law of the library is put into.
const OPENED: &str = "2026-11-03T08:00:00Z";

/// Holds the laws that are written for a game against what their commands need; how many there are.
fn described<G: laws::Hosts>(game: &str, open: impl Fn() -> Room<G>) -> usize {
    let library = Path::new(ROOT).join("docs/playing/laws");
    let mut explained = 0;
    for page in std::fs::read_dir(library).expect("the library is there") {
        let path = page.expect("it stays readable").path();
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let body = text.split(FENCE).nth(1).filter(|body| body.starts_with("=> create rule"));
        let Some(body) = body.filter(|_| text.contains(&format!("*Written for {game}"))) else { continue };
        let mut room = open();
        room.body(body).unwrap_or_else(|why| panic!("{}: {}", path.display(), why.say));
        assert_eq!(room.undescribed(), Vec::<String>::new(), "{}", path.display());
        assert_eq!(mistaken(&room), Vec::<String>::new(), "{}", path.display());
        explained += 1;
    }
    explained
}

/// A room's commands, with those of its laws.
fn catalogue_of<G: laws::Hosts>(room: &Room<G>) -> Catalogue {
    let commands = G::mechanics().commands(&room.state);
    let own: Vec<_> = commands.iter().map(|command| (G::NAME, command.clone())).collect();
    Catalogue::of_game(G::NAME).with_own(&own)
}

/// The examples of a room's laws that are no line of their command, or lack a value of it.
fn mistaken<G: laws::Hosts>(room: &Room<G>) -> Vec<String> {
    let (commands, catalogue) = (G::mechanics().commands(&room.state), catalogue_of(room));
    let is_right = |name: &str, example: &str| {
        hint::reference(&catalogue, example).is_some_and(|read| read.name == name && read.open.is_empty())
    };
    let wrong = |command: &Arc<OwnCommand>| {
        let wrong = command.examples.iter().filter(|example| !is_right(&command.name, example));
        wrong.map(|example| format!("{}: {example}", command.name)).collect::<Vec<_>>()
    };
    commands.iter().flat_map(wrong).collect()
}

/// Examples of laws that are shipped can be typed.
#[test]
fn examples_of_laws_are_lines_of_their_commands() {
    let room = Room::<bnomic::BNomic>::open("Ann", OPENED, Map::new());
    assert_eq!(mistaken(&room), Vec::<String>::new());
}

/// `docs/commands/` has the commands of the rulesets that are whole games. Where one is told in another language, all are.
#[test]
fn the_documents_list_the_commands_of_rulesets() {
    for name in markdown::RULESETS {
        let options = Map::from_iter([("ruleset".to_owned(), name.into())]);
        let room = Room::<nomic::Nomic>::open("zed", OPENED, options);
        assert_eq!(mistaken(&room), Vec::<String>::new(), "{name}");
        let read = nomic::ruleset::read(&nomic::shipped::text(name).expect("it is shipped")).expect("it reads");
        let catalogue = catalogue_of(&room);
        let made = markdown::of_ruleset(&catalogue, name, &read.title, &read.summary);
        let page = Path::new(ROOT).join(format!("docs/commands/{name}.md"));
        if std::env::var_os("UPDATE_DOCS").is_some() {
            std::fs::write(&page, &made).expect("it can be written");
        }
        let kept = std::fs::read_to_string(&page).unwrap_or_default();
        assert!(kept == made, "{} is not what its rules make: run the test again with UPDATE_DOCS=1", page.display());
        for language in Language::all() {
            let file = Path::new(ROOT).join(format!("rulesets/{name}/i18n/{}.toml", language.code));
            let Ok(text) = std::fs::read_to_string(file) else { continue };
            let own = catalogue.commands().iter().filter(|command| command.own);
            let untold: Vec<_> = own.clone().filter(|command| language.help(command).is_none()).collect();
            assert!(untold.is_empty(), "{name} {}: {untold:?}", language.code);
            let lines = text.lines().filter(|line| line.starts_with('"'));
            let unknown: Vec<_> = lines
                .filter(|line| {
                    !own.clone()
                        .any(|own| [&own.name, &own.help].iter().any(|of| line[1..].starts_with(&format!("{of}\""))))
                })
                .collect();
            assert!(unknown.is_empty(), "{name} {}: {unknown:?}", language.code);
        }
    }
}

/// Nothing is wrong with the laws of the library, in the game that each is written for.
#[test]
fn nothing_is_found_in_the_laws_of_the_library() {
    let library = Path::new(ROOT).join("docs/playing/laws");
    let mut lines = [
        ("BlogNomic", "blognomic main by Zed in #blog"),
        ("Spacenomic", "spacenomic main by Zed in #blog with ends:2027-06-30"),
        ("B Nomic", "bnomic main by Zed in #blog"),
    ]
    .map(|(game, room)| (game, format!("# Laws that are checked\nat 2026-11-03 10:00\nroom {room}\n")));
    for page in std::fs::read_dir(&library).expect("the library is there") {
        let path = page.expect("it stays readable").path();
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let body =
            text.split(FENCE).nth(1).filter(|body| body.starts_with("=> create rule") && body.contains("```law"));
        let of_game = lines.iter_mut().find(|(game, _)| text.contains(&format!("*Written for {game}")));
        if let (Some(body), Some((_, lines))) = (body, of_game) {
            let body = body.trim_end().replace("\n\n", "\n:\n").replace('\n', "\n: ").replace("\n: :\n", "\n:\n");
            writeln!(lines, "Zed: law check {body}\n << It can be read.\n <- Look at this again")
                .expect("it is a text");
        }
    }
    for (game, text) in lines {
        let checked = text.matches("law check").count();
        assert!(checked > 0, "no law is written for {game}");
        let script = Script::parse("checked", &text, None).unwrap_or_else(|why| panic!("{why}"));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let report = runtime.block_on(play(&script, &OPTIONS));
        assert!(report.is_met(), "{}", report.complaints());
    }
}

/// The rules of Rule Tag are played as its page has them, where they come by a Chairman and where they come by a vote.
#[test]
fn the_proposal_of_rule_tag_is_played_as_it_stands() {
    let page = Path::new(ROOT).join("docs/playing/laws/rule-tag/proposal.md");
    let text = std::fs::read_to_string(page).expect("the page is there");
    let body: Vec<&str> = text.split(FENCE).nth(1).expect("it holds a proposal").lines().skip(1).collect();
    for rehearsal in ["scenes/rule-tag.txt", "ruletag/passing.txt"] {
        let path = Path::new(ROOT).join("tests/rehearsals/bnomic").join(rehearsal);
        let said = std::fs::read_to_string(path).expect("the rehearsal is there");
        let typed: Vec<&str> = said.lines().map(|line| line.strip_prefix(": ").unwrap_or(line)).collect();
        let lines: Vec<&str> = body.iter().map(|line| if line.is_empty() { ":" } else { *line }).collect();
        assert!(typed.windows(lines.len()).any(|window| window == lines), "{rehearsal} plays other rules");
    }
}

/// What `law new` is asked for, and what is played by the answer where it is in force: with a figure and what it changes,
/// and without.
const BEGUN: &[(&str, &str)] = &[
    (
        "command \"sock buy\" sock-price power",
        "Abe: sock buy Bo\n#blog> Abe does it to Bo (1)\nexpect power of Abe = 99\n",
    ),
    ("command \"sock buy\"", "Abe: sock buy Bo\n#blog> Abe does it to Bo\nexpect power of Abe = 99\n"),
    ("follower \"power give\" gift power", "Abe: power give 9 Bo\n#blog> Abe did it (1)\nexpect power of Abe = 91\n"),
    ("follower \"power give\"", "Bo: power give 9 Abe\n#blog> Bo did it\nexpect power of Abe = 100\n"),
    (
        "bar \"power give\" least power",
        "Zed: correct robot/cog.power 0 because of the test\nCog: power give 0 Bo\n <! Say here why not\n\
         Abe: power give 1 Bo\nexpect power of Abe = 99\n",
    ),
    ("bar \"power give\"", "Abe: power give 1 Bo\nexpect power of Abe = 98\n"),
    ("moment \"start of day\" wage power", "advance 1 day\n#blog> It is time (1)\nexpect power of Abe = 99\n"),
    ("moment \"start of day\"", "advance 1 day\n#blog> It is time\nexpect power of Abe = 99\n"),
    (
        "display socks least power",
        "Zed: correct robot/cog.power 0 because of the test\nAbe: show socks\n < 99\n <- Cog\n",
    ),
    ("display socks", "Abe: show socks\n < Abe\n < Cog\n <- 99\n"),
];

/// Plays lines in a factory of BlogNomic.
fn in_a_factory(lines: &str) -> Report {
    let text = format!("# Laws that are begun\nclauses: N18\nat 2026-11-03 10:00\ninclude scenes/factory.txt\n{lines}");
    let folder = Path::new(ROOT).join("tests/rehearsals/blognomic");
    let script = Script::parse("law-new", &text, Some(&folder)).unwrap_or_else(|why| panic!("{why}"));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(play(&script, &OPTIONS))
}

#[test]
fn every_law_that_is_begun_is_played_as_it_stands() {
    let asked: String = BEGUN.iter().map(|(asked, _)| format!("Abe: law new {asked}\n << => create rule\n")).collect();
    let answered = in_a_factory(&asked);
    assert!(answered.is_met(), "{}", answered.complaints());
    let begun = answered.events.iter().filter_map(|event| match event {
        Event::Replied { lines, .. } => {
            Some(lines.iter().skip_while(|line| !line.starts_with("=>")).cloned().collect::<Vec<_>>())
        }
        _ => None,
    });
    let begun: Vec<_> = begun.filter(|lines| !lines.is_empty()).collect();
    assert_eq!(begun.len(), BEGUN.len());
    let mut lines = String::new();
    for (number, (begun, (_, played))) in (1..).step_by(2).zip(begun.iter().zip(BEGUN)) {
        // Up to the end of its text: what stands below is for whoever asked.
        let end = begun.iter().rposition(|line| line == "~~~~").expect("it has an end");
        let text = begun[..=end].join("\n: ");
        writeln!(lines, "Abe: law check {text}\n << It can be read.\n <- Look at this again").expect("it is a text");
        writeln!(lines, "Zed: propose \"Begin\" {text}").expect("it is a text");
        for (title, number) in [("", number), ("Zed: propose \"End\" => repeal rule \"Its title\"\n", number + 1)] {
            write!(lines, "{title}").expect("it is a text");
            for who in ["Bo", "Cog", "Zed"] {
                writeln!(lines, "{who}: vote {number} FOR").expect("it is a text");
            }
            writeln!(lines, "Zed: admin enact").expect("it is a text");
            if title.is_empty() {
                lines += played;
            }
        }
    }
    let report = in_a_factory(&lines);
    assert!(report.is_met(), "{}", report.text());
}
