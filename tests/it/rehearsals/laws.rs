//! The parts of games that come with the program, and the documents with laws in `docs/playing/laws`: each of those is
//! played, word for word. So is each law that `law new` begins.

use std::{fmt::Write as _, path::Path, sync::Arc};

use catalogue::{Catalogue, hint, i18n::Language, markdown};
use kernel::{display::plain, own_command::OwnCommand};
use laws::{ruleset, shipped, testing::Room};
use rulekeeper::rehearsal::{Event, Report, Script, play};
use serde_json::{Map, Value as Json};

use super::{OPTIONS, ROOT, rehearsals};

/// What stands around the body of a proposal in a page of the library.
const FENCE: &str = "````\n";

#[test]
fn every_document_of_the_library_is_played_as_it_stands() {
    let library = Path::new(ROOT).join("docs/playing/laws");
    let played = rehearsals("");
    let mut pages = 0;
    for page in std::fs::read_dir(&library).expect("the library is there") {
        let path = page.expect("it stays readable").path();
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

/// Nothing is wrong with the parts of games, in every game that they go into. Whoever meets a command of theirs reads what
/// it does, how it is typed, and what to give.
#[test]
fn parts_of_games_are_sound_and_explain_themselves() {
    let laid_in = laid_in(|| Room::<blognomic::BlogNomic>::open("zed", OPENED, Map::new()))
        + laid_in(|| Room::<bnomic::BNomic>::open("Ann", OPENED, Map::new()))
        + laid_in(|| Room::<nomic::Nomic>::open("zed", OPENED, opening("ruleset", "club")))
        + laid_in(|| Room::<spacenomic::Spacenomic>::open("zed", OPENED, opening("ends", "2027-06-30")));
    assert!(laid_in > 25, "{laid_in}");
}

/// When rooms are opened that a law of the library is put into.
pub(super) const OPENED: &str = "2026-11-03T08:00:00Z";

/// One option of a room that is opened.
fn opening(option: &str, is: &str) -> Map<String, Json> {
    Map::from_iter([(option.to_owned(), is.into())])
}

/// Lays every part into a room of its own of a game; how many go into it.
fn laid_in<G: laws::Hosts>(open: impl Fn() -> Room<G>) -> usize {
    let goes_in = |name: &&str| {
        let read = ruleset::read(&shipped::text(name).expect("it is shipped")).expect("it reads");
        !read.needs.is_empty() && read.game().is_none_or(|game| game == G::NAME)
    };
    let mut count = 0;
    for name in shipped::names().into_iter().filter(goes_in) {
        let (mut room, adopt, about) = (open(), format!("=> adopt {name}"), format!("{name} in {}", G::NAME));
        let checked = G::mechanics().check(&room.state, &adopt).unwrap_or_else(|why| panic!("{about}: {}", why.say));
        let checked = plain(&checked);
        assert!(checked.contains("It adds:") && !checked.contains(laws::AGAIN), "{about}: {checked}");
        let undescribed = room.undescribed();
        room.body(&adopt).unwrap_or_else(|why| panic!("{about}: {}", why.say));
        assert_eq!(room.undescribed(), undescribed, "{about}");
        assert_eq!(mistaken(&room), Vec::<String>::new(), "{about}");
        count += 1;
    }
    count
}

/// A room's commands, with those of its laws.
pub(super) fn catalogue_of<G: laws::Hosts>(room: &Room<G>) -> Catalogue {
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
        let room = Room::<nomic::Nomic>::open("zed", OPENED, opening("ruleset", name));
        assert_eq!(mistaken(&room), Vec::<String>::new(), "{name}");
        let read = ruleset::read(&shipped::text(name).expect("it is shipped")).expect("it reads");
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
