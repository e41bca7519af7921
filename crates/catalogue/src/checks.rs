//! The definitions as data: what holds for every command of the catalogue, whoever adds one.

use std::collections::BTreeSet;

use super::{BECAUSE, Catalogue, Command, FIRST_COUNT, First, Kind, Param, ROOM_KEY, RoomUse, i18n::Language, parse};

/// Discord's limits (`CreateApplicationCommand` and its options), in the units in which Discord states them.
mod discord {
    /// Top-level commands of an application in one server.
    pub(super) const APPLICATION_MAX_COMMANDS: usize = 100;
    /// Subcommands of a command, options of a leaf, choices of an option.
    pub(super) const LIST_MAX_ITEMS: usize = 25;
    /// Characters of a name.
    pub(super) const NAME_MAX_CHARS: usize = 32;
    /// Characters of a description or of a choice.
    pub(super) const DESCRIPTION_MAX_CHARS: usize = 100;
    /// Characters of all names, descriptions and choices of one top-level command together.
    pub(super) const COMMAND_MAX_CHARS: usize = 8000;
    /// The greatest length that can be asked of a string option.
    pub(super) const TEXT_MAX_CHARS: i64 = 6000;
    /// The greatest bound of an integer option: 2^53.
    pub(super) const INTEGER_GREATEST: i64 = 1 << 53;
}

fn every(check: impl Fn(&Command)) {
    for command in Catalogue::all().commands() {
        check(command);
    }
}

fn every_param(check: impl Fn(&Command, &Param)) {
    every(|command| {
        let of_games = command.words.values().flat_map(|words| &words.params);
        command.params.iter().chain(of_games).for_each(|param| check(command, param));
    });
}

fn is_discord_name(name: &str) -> bool {
    let inner = |char: char| matches!(char, '-' | '_' | '\'') || char.is_alphanumeric();
    (1..=discord::NAME_MAX_CHARS).contains(&name.chars().count())
        && name.chars().all(inner)
        && name.to_lowercase() == name
}

fn is_description(text: &str) -> bool {
    (1..=discord::DESCRIPTION_MAX_CHARS).contains(&text.chars().count())
}

#[test]
fn every_example_parses_to_its_own_command() {
    every(|command| {
        assert!(!command.examples.is_empty(), "{command} has no example");
        let all = command.examples.iter().map(|example| (Catalogue::all().clone(), example));
        let of_games = command.words.iter().flat_map(|(game, words)| {
            words.examples.iter().map(move |example| (Catalogue::all().for_games(&[game]), example))
        });
        for (catalogue, example) in all.chain(of_games) {
            match &parse(&catalogue, example, 0)[..] {
                [Ok(typed)] => assert_eq!(typed.command.name, command.name, "{example}"),
                other => panic!("{example}: {other:?}"),
            }
        }
    });
}

#[test]
fn every_parameter_stands_in_some_example() {
    every(|command| {
        let given: BTreeSet<String> = command
            .examples
            .iter()
            .flat_map(|example| parse(Catalogue::all(), example, 0))
            .flat_map(|typed| typed.unwrap().args.into_keys())
            .collect();
        for param in &command.params {
            let shown_elsewhere = ["officer", "zone"].contains(&param.name.as_str());
            assert!(given.contains(&param.name) || shown_elsewhere, "{command}: no example gives {}", param.name);
        }
    });
}

#[test]
fn names_and_descriptions_keep_to_discords_limits() {
    every(|command| {
        let words: Vec<&str> = command.name.split(' ').collect();
        assert!(words.len() <= 2, "{command} has more than two words");
        assert!(words.iter().all(|word| is_discord_name(word)), "{command}");
        assert!(is_description(&command.help), "{command}: {}", command.help);
    });
    every_param(|command, param| {
        assert!(is_discord_name(&param.name), "{command} {}", param.name);
        assert!(is_description(&param.help), "{command} {}: {}", param.name, param.help);
        for choice in &param.choices {
            assert!(is_description(choice), "{command} {}: {choice}", param.name);
        }
    });
    for (head, help) in Catalogue::all().heads() {
        assert!(is_discord_name(head) && is_description(help), "{head}: {help}");
    }
}

#[test]
fn lists_keep_to_discords_limits() {
    let catalogue = Catalogue::all();
    let tops: BTreeSet<&str> =
        catalogue.commands().iter().map(|command| command.head().unwrap_or(&command.name)).collect();
    assert!(tops.len() <= discord::APPLICATION_MAX_COMMANDS, "{} commands", tops.len());
    for top in tops {
        let leaves: Vec<_> = catalogue.commands().iter().filter(|command| command.head() == Some(top)).collect();
        assert!(leaves.len() <= discord::LIST_MAX_ITEMS, "{top} has {} subcommands", leaves.len());
        let itself = catalogue.commands().iter().filter(|command| command.name == top);
        let chars = |text: &str| text.chars().count();
        let of_param = |param: &Param| {
            chars(&param.name)
                + chars(&param.help)
                + param.choices.iter().map(|choice| 2 * chars(choice)).sum::<usize>()
        };
        let described = |key: &str| key.len() + discord::DESCRIPTION_MAX_CHARS;
        let own = |leaf: &Command| described(ROOM_KEY) + if leaf.takes_reason() { described(BECAUSE) } else { 0 };
        let total: usize = leaves
            .into_iter()
            .chain(itself)
            .map(|leaf| {
                // Of what stands in several languages the longest counts.
                let told = Language::all().iter().filter_map(|language| language.help(leaf)).map(chars);
                let help = told.chain([chars(&leaf.help)]).max().unwrap_or_default();
                chars(&leaf.name) + help + own(leaf) + leaf.params.iter().map(of_param).sum::<usize>()
            })
            .sum();
        assert!(total <= discord::COMMAND_MAX_CHARS, "{top} has {total} characters");
    }
    every(|command| {
        let own = usize::from(command.room != RoomUse::None) + usize::from(command.takes_reason());
        assert!(command.params.len() + own <= discord::LIST_MAX_ITEMS, "{command}");
    });
    every_param(|command, param| {
        assert!(param.choices.len() <= discord::LIST_MAX_ITEMS, "{command} {}", param.name);
        let most = match param.kind {
            Kind::Quantity | Kind::Entry | Kind::Id => discord::INTEGER_GREATEST,
            _ => discord::TEXT_MAX_CHARS,
        };
        for bound in [param.min, param.max].into_iter().flatten() {
            assert!(bound.abs() <= most, "{command} {}: {bound}", param.name);
        }
    });
}

#[test]
fn required_parameters_come_first() {
    every(|command| {
        let fixed = command.params.iter().filter(|param| !param.skippable);
        let order: Vec<bool> = fixed.map(|param| param.required).collect();
        assert!(order.is_sorted_by(|before, after| before >= after), "{command}");
    });
    every_param(|command, param| {
        let plain = !param.required && !param.is_greedy() && matches!(param.kind, Kind::Id | Kind::Proposal);
        assert!(!param.skippable || plain, "{command} {}: any word could be it", param.name);
    });
}

/// Discord has two levels: a command that is run and also has subcommands cannot be registered.
#[test]
fn no_command_is_also_the_first_word_of_others() {
    let catalogue = Catalogue::all();
    every(|command| assert!(!catalogue.heads().contains_key(&command.name), "{command}"));
    every(|command| {
        assert!(command.head().is_none_or(|head| catalogue.heads().contains_key(head)), "{command} has no head");
    });
    for head in catalogue.heads().keys() {
        assert!(catalogue.under(head).next().is_some(), "nothing is under {head}");
    }
}

#[test]
fn no_name_or_alias_is_given_twice() {
    let mut seen = BTreeSet::new();
    every(|command| {
        for alias in command.names() {
            assert!(is_discord_name(alias) || alias.split(' ').all(is_discord_name), "{command}: {alias}");
        }
    });
    for command in Catalogue::all().commands() {
        for name in command.names() {
            // Two games may call different things the same.
            let games: Vec<&str> = match command.games() {
                [] => Catalogue::all().games(),
                games => games.iter().map(String::as_str).collect(),
            };
            for game in games {
                assert!(seen.insert((game.to_owned(), name.clone())), "{name} is given twice in {game}");
            }
        }
        let params: BTreeSet<&str> = command.params.iter().map(|param| param.name.as_str()).collect();
        assert_eq!(params.len(), command.params.len(), "{command} has a parameter twice");
        assert!(!params.contains(ROOM_KEY), "{command}: every command that concerns rooms takes a room already");
        assert!(!params.contains(BECAUSE), "{command}: every act takes a reason already");
        let markers: Vec<&String> = command.params.iter().filter_map(|param| param.marker.as_ref()).collect();
        assert_eq!(markers.iter().collect::<BTreeSet<_>>().len(), markers.len(), "{command} has a marker twice");
    }
    let twice =
        "title = \"T\"\nhelp = \"H\"\ngames = [\"x\"]\n[[command]]\nname = \"x\"\nhelp = \"X\"\naction = \"x\"\n";
    assert!(Catalogue::read(&[("one", twice), ("two", twice)]).unwrap_err().to_string().contains("taken"));
}

#[test]
fn help_begins_with_a_verb_and_has_no_full_stop() {
    let style = |of: &str, text: &str| {
        assert!(text.chars().next().is_some_and(char::is_uppercase), "{of}: {text}");
        assert!(!text.ends_with(['.', '!', '?', ' ']), "{of}: {text}");
        assert!(!text.contains('\n'), "{of}: {text}");
    };
    let verb = |of: &str, text: &str| {
        let first = text.split([' ', ',']).next().unwrap_or_default();
        assert!(VERBS.contains(&first), "{of}: “{first}” is not among the verbs that a line of help begins with");
    };
    every(|command| {
        style(&command.name, &command.help);
        verb(&command.name, &command.help);
        assert!(command.long.is_empty() || command.long.ends_with('.'), "{command}: {}", command.long);
    });
    every_param(|command, param| style(&format!("{command} {}", param.name), &param.help));
    for (head, help) in Catalogue::all().heads() {
        style(head, help);
        verb(head, help);
    }
    for (display, help) in Catalogue::all().displays() {
        style(display, help);
    }
}

#[test]
fn what_matters_first_is_as_many_lines_as_a_page_begins_with_and_each_is_a_command() {
    let file = |lines: &[&str]| {
        let first: String = lines.iter().map(|line| format!("[[first]]\nline = \"{line}\"\nhelp = \"X\"\n")).collect();
        let text =
            "title = \"T\"\nhelp = \"H\"\ngames = [\"one\"]\n[[command]]\nname = \"x\"\nhelp = \"X\"\naction = \"x\"\n";
        format!("{text}{first}")
    };
    let read = |id: &str, lines: &[&str]| Catalogue::read(&[(id, &file(lines))]).map_err(|error| error.to_string());
    assert_eq!(read("one", &["x"; FIRST_COUNT]).map(|read| read.first().len()), Ok(FIRST_COUNT));
    assert!(read("one", &["x"; FIRST_COUNT - 1]).unwrap_err().contains("4 lines"));
    assert!(read("one", &["x"; FIRST_COUNT + 1]).unwrap_err().contains("6 lines"));
    assert!(read("one", &["x", "x", "y", "x", "x"]).unwrap_err().contains("“y”"));
    // Only the main file of a game says it.
    assert_eq!(read("two", &[]).map(|read| read.first().len()), Ok(0));
    assert!(read("two", &["x"; FIRST_COUNT]).is_err());
}

/// Whether the displays are there that some of them show, a test of the program itself says.
#[test]
fn what_matters_first_can_be_typed_and_reads_like_help() {
    for group in Catalogue::all().groups() {
        let place = Catalogue::all().for_games(&group.games.iter().map(String::as_str).collect::<Vec<_>>());
        let mut seen = BTreeSet::new();
        for First { line, help } in &group.first {
            match &parse(&place, line, 0)[..] {
                [Ok(typed)] => {
                    let shown = typed.args.get("display").cloned();
                    assert!(seen.insert((typed.command.name.clone(), shown)), "{}: {line} stands twice", group.id);
                }
                other => panic!("{}: {line}: {other:?}", group.id),
            }
            let verb = help.split([' ', ',']).next().unwrap_or_default();
            assert!(VERBS.contains(&verb) && !help.ends_with('.'), "{}: {help}", group.id);
        }
    }
}

/// The verbs that lines of help begin with; a new one is added here by whoever has looked whether it is a verb.
const VERBS: &[&str] = &[
    "Announce",
    "Answer",
    "Apply",
    "Ask",
    "Be",
    "Begin",
    "Bind",
    "Buy",
    "Challenge",
    "Claim",
    "Close",
    "Correct",
    "Deactivate",
    "Become",
    "Do",
    "Enact",
    "End",
    "Exchange",
    "Find",
    "Get",
    "Go",
    "Give",
    "Hand",
    "Have",
    "Let",
    "Lift",
    "Link",
    "List",
    "Make",
    "Mark",
    "Move",
    "Name",
    "Object",
    "Open",
    "Pass",
    "Pay",
    "Perform",
    "Play",
    "Propose",
    "Publish",
    "Put",
    "Rate",
    "Ratify",
    "Reactivate",
    "Read",
    "Refuse",
    "Reject",
    "Remove",
    "Resign",
    "Revise",
    "Run",
    "Say",
    "See",
    "Serve",
    "Set",
    "Show",
    "Start",
    "Stop",
    "Submit",
    "Support",
    "Take",
    "Try",
    "Turn",
    "Unbind",
    "Usurp",
    "Vote",
    "Withdraw",
    "Write",
    "Accuse",
    "Admit",
    "Consent",
    "Destroy",
    "Nod",
    "Pause",
    "Refresh",
    "Transfer",
];

#[test]
fn what_only_a_room_can_name_completes_from_a_listed_display() {
    every_param(|command, param| {
        if param.kind.needs_room() || matches!(param.kind, Kind::Entry | Kind::Id | Kind::Moment) {
            assert!(param.completes.is_some(), "{command} {} completes from nothing", param.name);
        }
        if let Some(display) = &param.completes {
            assert!(Catalogue::all().displays().contains_key(display.as_str()), "{command} {}: {display}", param.name);
        }
    });
}

#[test]
fn shapes_agree_with_kinds() {
    every_param(|command, param| {
        let at = format!("{command} {}", param.name);
        assert_eq!(param.kind == Kind::Choice, !param.choices.is_empty(), "{at}: choices");
        assert_eq!(
            matches!(param.kind, Kind::Text | Kind::Actions | Kind::Code | Kind::File),
            param.rest,
            "{at}: rest"
        );
        assert!(param.kind == Kind::Actions || param.until.is_empty(), "{at}: until");
        assert!(param.kind != Kind::Code || param.secret, "{at}: a program is a secret");
        assert!(!(param.list && param.rest), "{at}");
        for (other, values) in &param.needed {
            let other = command.param(other).filter(|other| other.kind == Kind::Choice && other.required);
            let known = |value| other.is_some_and(|other| other.choices.contains(value));
            assert!(!param.required && !values.is_empty() && values.iter().all(known), "{at}: needed");
        }
        for choice in &param.choices {
            assert!(choice.chars().all(|char| char.is_ascii_lowercase() || char == '-'), "{at}: {choice}");
        }
        assert!(param.aliases.keys().all(|choice| param.choices.contains(choice)), "{at}: aliases of no choice");
        if let Some(marker) = &param.marker {
            assert!(marker.chars().all(|char| char.is_ascii_lowercase() || char == ' '), "{at}: {marker}");
        }
        assert!(param.unit.is_none() || param.kind == Kind::Rational, "{at} counts nothing");
    });
    every(|command| {
        // What has a marker ends what stands before it.
        let greedy = command.params.iter().filter(|param| param.is_greedy() && param.marker.is_none());
        assert!(greedy.count() <= 1, "{command}");
        let spanning = command.places().filter(|param| param.kind == Kind::Rational).count();
        assert!(spanning <= 1, "{command}: “6 1/403” could be one number or two");
        assert!(!command.is_secret() || command.private, "{command} answers a secret in public");
        assert_eq!(command.display.is_some(), command.display.is_some() && command.action == "show", "{command}");
        let snake = |text: &str| text.chars().all(|char| char.is_ascii_lowercase() || char == '_');
        assert!(snake(&command.action), "{command}: {}", command.action);
    });
}

#[test]
fn templates_of_displays_name_parameters() {
    every(|command| {
        for part in command.display.iter().flat_map(|display| display.split('/')) {
            if let Some(name) = part.strip_prefix('{').and_then(|part| part.strip_suffix('}')) {
                assert!(command.param(name).is_some(), "{command}: {part}");
            }
        }
    });
}

/// The commands that the issue promises, so that none is lost in a reordering.
#[test]
fn the_promised_commands_are_there() {
    let whole = [
        "help join leave show history why rules rooms link me tick pause resume correct undo ban unban ignore unignore",
        "export import backup",
    ];
    let under = [
        ("rule", "show"),
        ("forget", "me"),
        ("room", "open close list settings"),
        ("seat", "give"),
        ("forum", "bind unbind designate"),
        ("moderator", "add remove"),
        (
            "joust",
            "start submit retract test hill program match matrix queue intend do object unobject add remove reveal",
        ),
        ("joust", "adjudicate points terminate"),
    ];
    let whole = whole.iter().flat_map(|names| names.split(' ')).map(str::to_owned);
    let under = under.iter().flat_map(|(head, names)| names.split(' ').map(move |name| format!("{head} {name}")));
    for name in whole.chain(under) {
        assert!(Catalogue::all().get(&name).is_some(), "{name}");
    }
}

#[test]
fn a_server_offers_only_the_games_that_it_hosts() {
    let none = Catalogue::all().for_games(&[]);
    assert!(none.get("joust submit").is_none() && none.get("submit").is_none() && none.get("help").is_some());
    assert!(!none.heads().contains_key("joust") && none.heads().contains_key("room"));
    assert!(none.get("propose").is_none() && Catalogue::all().for_games(&["bnomic"]).get("propose").is_some());
    assert_eq!(&Catalogue::all().for_games(&Catalogue::all().games()), Catalogue::all());
}
