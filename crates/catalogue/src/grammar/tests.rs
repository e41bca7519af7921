//! Lines as people type them, and the properties that hold for any line.

use std::{collections::BTreeMap, sync::Arc};

use proptest::{prelude::*, sample::Index};

use super::*;
use crate::RoomUse;

fn read(text: &str) -> Vec<Result<Typed, GrammarError>> {
    parse(Catalogue::all(), text, 0)
}

fn one(text: &str) -> Typed {
    let mut all = read(text);
    assert_eq!(all.len(), 1, "{text}: {all:?}");
    all.remove(0).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn args(text: &str) -> Vec<(String, String)> {
    one(text).args.into_iter().collect()
}

fn refused(text: &str) -> String {
    let errors = read(text).into_iter().filter_map(Result::err).map(|error| error.to_string());
    errors.collect::<Vec<_>>().join("\n")
}

/// The arguments of each line as `name=value`, a `!` before what was refused.
fn shape(text: &str) -> Vec<String> {
    let shown = |typed: Result<Typed, GrammarError>| match typed {
        Ok(typed) => typed.line(),
        Err(error) => format!("! {error}"),
    };
    read(text).into_iter().map(shown).collect()
}

#[test]
fn places_names_and_markers_agree() {
    let expected = [("left".to_owned(), "alpha".to_owned()), ("right".to_owned(), "joust3".to_owned())];
    for line in [
        "joust match alpha joust3",
        "joust match left:alpha right:joust3",
        "joust match right:joust3 alpha",
        "joust match right=joust3 left=\"alpha\"",
        "joust match Right: joust3 LEFT: alpha",
        "joust match “alpha” \"joust3\"",
    ] {
        assert_eq!(args(line), expected, "{line}");
    }
    for line in ["show hill as of 12", "show hill as-of:12", "show as_of=12 hill", "show as of 12 hill"] {
        assert_eq!(one(line).line(), "show display:hill as-of:12", "{line}");
    }
}

/// 4E7 (B7.3): capitals, blanks, a prefix and a full stop at the end do not matter.
#[test]
fn case_blanks_and_prefixes_are_forgiven() {
    for line in ["HILL", "Joust  Hill.", "!hill", "/joust hill", "I hill .", "ｈｉｌｌ", "hi\u{200b}ll", "\u{202e}hill"]
    {
        assert_eq!(one(line).command.name, "joust hill", "{line}");
    }
    assert_eq!(args("joust object 3."), [("id".to_owned(), "3".to_owned())]);
    assert_eq!(args("room settings zone \"Europe.\"")[1].1, "Europe.");
}

/// 4E7 (B7.4): several actions in a message, each by itself.
#[test]
fn a_message_holds_several_commands() {
    assert_eq!(
        shape("!joust object 3; !joust unobject 4\n\n joust do 5 ;; hill"),
        ["joust object id:3", "joust unobject id:4", "joust do id:5", "joust hill"]
    );
    assert_eq!(shape("joust object x; joust do 5"), ["! In “joust object”, ID must be a number.", "joust do id:5"]);
    assert_eq!(
        shape("hill; hlil; hill"),
        ["joust hill", "! There is no command “hlil”. Did you mean “hill”? What came after it was not read."]
    );
    assert_eq!(read(" ;\n; \u{200b}"), []);
}

#[test]
fn a_command_that_swallows_text_ends_the_list() {
    assert_eq!(
        shape("hill; joust adjudicate Right; so\nhill"),
        ["joust hill", "joust adjudicate text=\"Right; so\nhill\""]
    );
    assert_eq!(
        shape("undo 12; undo 13 because it was a typo; hill\nhill"),
        ["undo entry:12", "undo entry:13 reason=\"it was a typo; hill\"", "joust hill"]
    );
    assert_eq!(
        shape("joust adjudicate text=\"Right; so\" about:3; hill"),
        ["joust adjudicate text=\"Right; so\" about:3", "joust hill"]
    );
    assert_eq!(shape("joust adjudicate text:\"Right\" he said"), ["joust adjudicate text=\"\\\"Right\\\" he said\""]);
}

/// What follows an unknown command may be a program that was meant for it, and is not read as commands.
#[test]
fn nothing_is_read_after_an_unknown_name_that_may_take_text() {
    assert_eq!(
        shape("joust sumbit alpha >+\n[-]\nhill"),
        ["! There is no command “joust sumbit”. Did you mean “joust submit”? What came after it was not read."]
    );
    assert_eq!(shape("adjudicate Right"), ["! There is no command “adjudicate”. Did you mean “joust adjudicate”?"]);
    assert_eq!(shape("xyzzy; hill"), ["! There is no command “xyzzy”. What came after it was not read."]);
    assert_eq!(read("joust submit\n").len(), 1);
}

#[test]
fn keys_that_are_no_parameters_are_text() {
    assert_eq!(args("joust adjudicate note:x and about: y")[0].1, "note:x and about: y");
    assert_eq!(
        shape("joust intend amend points Each week: ten"),
        ["joust intend what:amend subject:points text=\"Each week: ten\""]
    );
    assert_eq!(
        shape("joust intend amend \"CURRENT TOURNAMENT\" Each charge; more"),
        ["joust intend what:amend subject=\"CURRENT TOURNAMENT\" text=\"Each charge; more\""]
    );
    assert_eq!(args("joust submit a https://example.org/a.bf")[0].1, "https://example.org/a.bf");
}

#[test]
fn values_of_several_words_are_kept_together() {
    for (line, name, value) in [
        ("tick until 2026-11-02 10:00", "until", "2026-11-02 10:00"),
        ("tick 2026-11-02 10:00.", "until", "2026-11-02 10:00"),
        ("tick 2026-11-02", "until", "2026-11-02"),
        ("ban x for 3 days 2 hours because y", "duration", "3 days 2 hours"),
        ("ban x duration:\"3 days\" because y", "duration", "3 days"),
        ("show rule 2 as of 2026-11-02 10:00", "display", "rule/2"),
        ("show rule 2 as of 2026-11-02 10:00", "as-of", "2026-11-02 10:00"),
        ("help joust submit", "topic", "joust submit"),
        ("joust start joust0, joust1", "programs", "joust0 joust1"),
    ] {
        assert_eq!(one(line).args.get(name).map(String::as_str), Some(value), "{line}");
    }
}

#[test]
fn rooms_are_named_before_or_after_the_command_or_by_key() {
    for line in ["@main hill", "hill @main", "hill room:main", "hill @main.", "hill @\"main\"", "!@main joust hill"] {
        assert_eq!(one(line).room.as_deref(), Some("main"), "{line}");
    }
    assert_eq!(shape("joust submit @main alpha +"), ["joust submit room=\"main\" name:alpha code=\"+\""]);
    assert_eq!(refused("rooms @main"), "“rooms” concerns no room, so none can be named for it.");
    assert_eq!(refused("@main hill @other"), "“joust hill” got room twice.");
}

/// An item that names two rooms is refused, wherever they stand, and those beside it are read.
#[test]
fn an_item_that_names_two_rooms_is_refused_alone() {
    let twice = "! “joust object” got room twice.";
    for item in [
        "@main joust object 3 @other",
        "joust object 3 @main @other",
        "joust object room:main 3 @other",
        "@main joust object 3 room:other",
        "@main joust object 3 @main",
    ] {
        let read = shape(&format!("@main joust do 5; {item}; @other hill"));
        assert_eq!(read, ["joust do room=\"main\" id:5", twice, "joust hill room=\"other\""], "{item}");
    }
    // A second room in the place of a command is none.
    let none = "! There is no such command. What came after it was not read.";
    assert_eq!(shape("@main joust do 5; @main @other joust object 3; hill"), ["joust do room=\"main\" id:5", none]);
}

/// What is long stands in a list like anything else, as long as the message holds it.
#[test]
fn an_item_of_eight_kilobytes_stands_in_a_list() {
    let long = "Right. ".repeat(8 * 1024 / 7);
    let long = long.trim_end();
    assert_eq!(
        shape(&format!("joust object 3; joust adjudicate {long}; end text; joust do 5")),
        ["joust object id:3", &format!("joust adjudicate text=\"{long}\""), "joust do id:5"]
    );
    assert_eq!(
        shape(&format!("joust object 3; joust unobject 4 because {long}\njoust do 5")),
        ["joust object id:3", &format!("joust unobject id:4 because {long}"), "joust do id:5"]
    );
    // A number that long is none, and only its item is refused.
    let digits = "9".repeat(8 * 1024);
    let read = shape(&format!("joust object 3; joust unobject {digits}; joust do 5"));
    assert_eq!((read.len(), &*read[0], &*read[2]), (3, "joust object id:3", "joust do id:5"));
    assert!(read[1].starts_with("! In “joust unobject”, ID ") && read[1].len() < 1024, "{}", read[1]);
}

/// A text ends with “end text” where that is a whole line, or stands between semicolons, and nowhere else.
#[test]
fn a_text_holds_the_words_that_would_end_it() {
    for text in ["Put end text behind it", "End texts; so be it", "One\nend text here\nTwo", "“end text”, e said"] {
        for end in ["\nend text\n", "\nEND TEXT\n", "; end text; "] {
            let read = shape(&format!("joust object 3; joust adjudicate {text}{end}joust do 5"));
            assert_eq!(read.len(), 3, "{text}{end}: {read:?}");
            assert_eq!(args(&read[1]), [("text".to_owned(), text.to_owned())], "{text}{end}");
            assert_eq!(read[2], "joust do id:5", "{text}{end}");
        }
    }
    // In quotation marks it is text like any other.
    let quoted = "joust adjudicate text=\"One\nend text\nTwo; end text; three\" about:3; joust do 5";
    assert_eq!(args(&shape(quoted)[0])[1].1, "One\nend text\nTwo; end text; three");
    assert_eq!(shape(quoted)[1], "joust do id:5");
}

/// 4E7 (B7.5): N times, N a positive whole number.
#[test]
fn something_can_be_done_several_times() {
    for (line, times) in [
        ("3 times joust object 4", 3),
        ("3 Times @main joust object 4", 3),
        ("I 100 times joust object 4", 100),
        ("joust object 4", 1),
    ] {
        let Ok(typed) = &read(line)[0] else { continue };
        assert_eq!(typed.times, Times::Count(times), "{line}");
    }
    for line in ["0 times hill", "-1 times hill", "2.5 times hill", "101 times hill", "99999999999 times hill"] {
        assert_eq!(refused(line), "Something is done once, twice or up to 100 times, a whole number.", "{line}");
    }
    assert_eq!(shape("0 times hill; hill").len(), 2, "the next is done all the same");
    assert_eq!(
        refused("60 times hill; 60 times hill"),
        "One message holds 100 actions at most; the rest was not read."
    );
    assert_eq!(refused(&"hill;".repeat(101)), "One message holds 100 actions at most; the rest was not read.");
    assert_eq!(args("joust adjudicate Do it 3 times")[0].1, "Do it 3 times");
}

/// J15: a program is text, a file, a link, or lines after the name; J11: it is kept to the last character.
#[test]
fn a_program_is_kept_as_it_was_sent() {
    assert_eq!(args("joust submit alpha >+[-]; a\u{200b}b\n.,\u{202e}<")[0].1, ">+[-]; a\u{200b}b\n.,\u{202e}<");
    assert_eq!(args("joust submit alpha\n>+\n[-]")[0].1, ">+\n[-]");
    assert_eq!(args("joust submit\nalpha\n>+")[0].1, ">+");
    assert_eq!(args("joust submit code=\"a\\\"b\" name:alpha")[0].1, "a\"b");
    assert_eq!(args("joust submit name:alpha code:\">\" .")[0].1, "\">\" .");

    let waiting = one("joust submit alpha");
    assert_eq!(waiting.awaits_text().map(|param| param.name.as_str()), Some("code"));
    let mut both = parse(Catalogue::all(), "joust submit alpha\njoust submit beta\nhill", 1);
    assert_eq!(both.len(), 2, "{both:?}");
    let mut typed = both.remove(0).unwrap();
    assert!(typed.awaits_text().is_some());
    typed.fill("code", ">+\n").unwrap();
    assert_eq!((typed.awaits_text(), typed.args["code"].as_str()), (None, ">+\n"));
    assert_eq!(both.remove(0).unwrap().args["code"], "hill", "only one file came");

    assert_eq!(one("joust add alpha\n>+\n[-]").args["code"], ">+\n[-]");
    let add = one("joust add alpha");
    assert!(add.awaits_text().is_none() && add.takes_file().is_some());
}

#[test]
fn a_link_stands_for_a_program_only_when_it_stands_alone() {
    let link = |line: &str| one(line).link().map(|link| link.url);
    assert_eq!(link("joust submit a https://example.org/a.bf"), Some("https://example.org/a.bf".to_owned()));
    assert_eq!(link("joust submit a http://127.0.0.1/"), Some("http://127.0.0.1/".to_owned()));
    assert_eq!(link("joust submit a >+ https://example.org/a.bf"), None);
    assert_eq!(link("joust submit a ://"), None);
}

#[test]
fn a_test_names_its_opponent_before_or_after_the_program() {
    for line in
        ["joust test >+[-] against joust3", "joust test against joust3 >+[-]", "joust test against:joust3 >+[-]"]
    {
        assert_eq!(one(line).line(), "joust test code=\">+[-]\" against:joust3", "{line}");
    }
    assert_eq!(one("joust test alpha").line(), "joust test code=\"alpha\"");
    assert_eq!(one("joust adjudicate I am against it").args.len(), 1);
}

/// J15, J35: the journal, a log and a sentence never hold a program.
#[test]
fn secrets_are_not_repeated() {
    const CODE: &str = ">>+[-]<<q";
    for line in [
        format!("joust submit alpha {CODE}"),
        format!("joust submit {CODE} {CODE}"),
        format!("joust submit {CODE}"),
        format!("joust submit alpha name:{CODE}"),
        format!("joust submitt alpha {CODE}"),
        format!("joust {CODE}"),
        CODE.to_owned(),
        format!("joust test {CODE} against {CODE}"),
        format!("joust test {CODE}"),
        format!("joust add alpha {CODE}"),
        format!("3 times joust add @main alpha {CODE}"),
    ] {
        for typed in read(&line) {
            let shown = match &typed {
                Ok(typed) => format!("{} {typed:?}", typed.said),
                Err(error) => format!("{error} {error:?} {:?}", kernel::Refusal::from(error.clone())),
            };
            assert!(!shown.contains("[-]"), "{line}: {shown}");
        }
    }
    assert_eq!(one("joust submit alpha >+").said, "joust submit name:alpha code=\"(kept secret)\"");
    assert_eq!(one("link K7QX").said, "link code=\"(kept secret)\"");
    assert!(one("link K7QX").holds_secret() && !one("link").holds_secret());
}

#[test]
fn what_was_said_is_kept_as_it_was_sent() {
    let all = read("  Joust  OBJECT 3. ; hi\u{200b}ll\u{202e}");
    let said: Vec<_> = all.into_iter().map(|typed| typed.unwrap().said).collect();
    assert_eq!(said, ["Joust  OBJECT 3.", "hi\u{200b}ll\u{202e}"]);
}

#[test]
fn prose_loses_what_deceives() {
    assert_eq!(args("joust adjudicate a\u{202e}b\u{200b}c\r\nd\0")[0].1, "abc\nd");
}

/// A reason from a field of its own is kept as one that stands behind a line is.
#[test]
fn a_reason_from_an_adapter_is_kept_like_a_typed_one() {
    let from = |name: &str, args: &[(&str, &str)], reason: &str| {
        let args = args.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let typed = Typed::from_args(Catalogue::all().get(name).unwrap(), args, None);
        typed.and_then(|typed| typed.because(Some(reason)))
    };
    let typed = from("joust do", &[("id", "3")], " it is\nlate; so\u{202e} be it. ").unwrap();
    assert_eq!(typed.said, "joust do id:3 because it is late; so be it.");
    assert_eq!(one(&typed.said), typed);
    assert_eq!(one("joust do 3 because so").line(), "joust do id:3 because so");
    assert_eq!(from("joust do", &[("id", "3")], " \n").unwrap().said, "joust do id:3");
    assert!(from("joust hill", &[], "so").is_err() && from("joust adjudicate", &[("text", "x")], "so").is_err());
}

/// An adapter that asks for each value in a field of its own gets the same, and the same errors.
#[test]
fn named_values_from_an_adapter_are_checked_like_typed_ones() {
    let from = |name: &str, args: &[(&str, &str)], room: Option<&str>| {
        let command = Catalogue::all().get(name).unwrap();
        let args = args.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        Typed::from_args(command, args, room.map(str::to_owned)).map_err(|error| error.to_string())
    };
    let typed = from("show", &[("display", "hill"), ("as-of", "#12")], Some("main")).unwrap();
    assert_eq!(typed.said, "show room=\"main\" display:hill as-of=\"#12\"");
    assert_eq!(essence(&typed), essence(&one(&typed.said)));
    let typed =
        from("joust intend", &[("what", "SET"), ("subject", " length\u{200b} "), ("text", "161")], None).unwrap();
    assert_eq!(typed.line(), "joust intend what:set subject:length text=\"161\"");
    let said = |result: Result<Typed, String>| result.unwrap_err();
    assert_eq!(said(from("joust do", &[], None)), "“joust do” needs ID: the number of the announced change.");
    assert_eq!(said(from("joust do", &[("id", "x")], None)), "In “joust do”, ID must be a number.");
    assert_eq!(said(from("joust do", &[("it", "1")], None)), "“joust do” takes nothing of that name.");
    assert!(said(from("rooms", &[], Some("main"))).contains("concerns no room"));
    assert!(from("joust submit", &[("name", "alpha")], None).unwrap().awaits_text().is_some());
    assert_eq!(
        said(from("joust submit", &[("name", "alpha"), ("code", " ")], None)),
        "In “joust submit”, CODE is empty."
    );
}

#[test]
fn sentences() {
    let mut said = String::new();
    for line in [
        "frobnicate",
        "hlep",
        "joust",
        "joust frobnicate",
        "joust hil",
        "jоust submit alpha +",
        "joust ѕubmit alpha +",
        "hіll",
        ">+[-]",
        "joust match alpha",
        "joust match",
        "joust match left: right:b",
        "joust match a b c",
        "joust match a b >+",
        "joust match left:a left:b c",
        "joust submit",
        "joust submit >+[-]",
        "joust add",
        "joust intend destroy x",
        "joust intend amned points",
        "joust object three",
        "joust object 0",
        "room open joust \"12\"",
        "room open joust main zone:Londinium",
        "room open @main joust main",
        "joust match \"alpha joust3",
        "tick until some day",
        "ban x for ever and ever",
        "correct player/ann.points 7",
        "0 times hill",
        "!",
        "@main",
        "import x",
    ] {
        for error in read(line).into_iter().filter_map(Result::err) {
            let refusal = kernel::Refusal::from(error);
            let instead = refusal.instead.map(|instead| format!("\n    {instead}")).unwrap_or_default();
            said.push_str(&format!("{line}\n  {}{instead}\n", refusal.say));
        }
    }
    insta::assert_snapshot!(said);
}

#[test]
fn a_line_of_eighty_kilobytes_is_refused_with_the_number() {
    let long = format!("hill {}", "x".repeat(80_000));
    assert_eq!(refused(&long), "This message is 80005 bytes long, and 67584 is the most. Send a long text as a file.");
    assert_eq!(read(&format!("frobnicate{}", "é".repeat(16_000))).len(), 1);
}

/// A value that a parameter accepts, as it would be kept.
fn value(param: &Param) -> BoxedStrategy<String> {
    let kinds: BoxedStrategy<String> = match param.kind {
        Kind::Word
        | Kind::Phrase
        | Kind::Player
        | Kind::Proposal
        | Kind::Rule
        | Kind::Program
        | Kind::Room
        | Kind::Account
        | Kind::Forum
        | Kind::Display => {
            let most = param.max.map_or(20, |max| usize::try_from(max).unwrap_or(20).min(20));
            let any = proptest::collection::vec(proptest::char::any(), 1..=most);
            prop_oneof!["[a-z][a-z0-9]{0,8}", any.prop_map(String::from_iter)].boxed()
        }
        Kind::Name => "[A-Z][a-z]{0,6}( [A-Z][a-z]{1,6})?".boxed(),
        Kind::When => "(end of )?nday [1-9]|[a-z]{3,8}".boxed(),
        Kind::Text | Kind::Actions => "[A-Za-z:;\"\\\\@=. \n]{1,40}".boxed(),
        Kind::Code | Kind::File => "[-+<>.,\\[\\]a-z:;\"\\\\ \n]{1,40}".boxed(),
        Kind::Amount => "m?[1-9][0-9]{0,2}|A Few".boxed(),
        Kind::Quantity | Kind::Entry | Kind::Id => (1..1000_i64).prop_map(|number| number.to_string()).boxed(),
        Kind::Rational => "[1-9][0-9]{0,2}( [1-9]/[1-9][0-9]?)?".boxed(),
        Kind::Moment | Kind::Instant => "2026-1[0-2]-[0-2][1-9]( [01][0-9]:[0-5][0-9])?".boxed(),
        Kind::Duration => "[1-9][0-9]? (days|hours|minutes)( [1-9] seconds)?".boxed(),
        Kind::Pair => "(\\(-?[0-9]{1,3}, ?[0-9]{1,3}\\)|-?[0-9]{1,3},[0-9]{1,3})".boxed(),
        Kind::Bool => prop_oneof!["yes", "no"].boxed(),
        Kind::Choice => proptest::sample::select(param.choices.clone()).boxed(),
        Kind::Zone => prop_oneof!["UTC", "Europe/London"].boxed(),
    };
    if param.list {
        return proptest::collection::vec(kinds, 1..4).prop_map(|words| join(&words)).boxed();
    }
    kinds
}

/// A command with values for its required parameters and for some of the others.
fn typed() -> impl Strategy<Value = Typed> {
    any::<Index>()
        .prop_flat_map(|index| {
            let command = index.get(Catalogue::all().commands()).clone();
            let given: Vec<_> = command
                .params
                .iter()
                .map(|param| {
                    let some = if param.required {
                        value(param).prop_map(Some).boxed()
                    } else {
                        proptest::option::of(value(param)).boxed()
                    };
                    let name = param.name.clone();
                    some.prop_map(move |value| value.map(|value| (name.clone(), value)))
                })
                .collect();
            let room = match command.room {
                RoomUse::None => Just(None).boxed(),
                _ => proptest::option::of("[a-z]{1,6}( [a-z]{1,6})?").boxed(),
            };
            (Just(command), given, room, 1..=MESSAGE_MAX_ACTIONS)
        })
        .prop_filter_map("some values are refused", |(command, given, room, times)| {
            made(&command, given.into_iter().flatten(), room, times)
        })
}

fn made(
    command: &Arc<Command>,
    given: impl Iterator<Item = (String, String)>,
    room: Option<String>,
    times: u32,
) -> Option<Typed> {
    let mut typed = Typed::from_args(command, given, room).ok()?;
    typed.times = Times::Count(times);
    Some(typed)
}

type Essence = (String, BTreeMap<String, String>, Option<String>, Times);

fn essence(typed: &Typed) -> Essence {
    (typed.command.name.clone(), typed.args.clone(), typed.room.clone(), typed.times.clone())
}

/// The same by places: what has a place is not named, and the rest of the text stands bare at the end.
fn by_places(typed: &Typed) -> Option<String> {
    let Times::Count(times) = typed.times else { return None };
    let mut line = format!("{times} times {}", typed.command.name);
    if let Some(room) = &typed.room {
        line.push_str(&format!(" @{}", quote(room)));
    }
    let open = typed.command.rest().is_some_and(|rest| rest.marker.is_none());
    let placed: Vec<&Param> = match open {
        true => typed.command.places().collect(),
        false => typed.command.params.iter().filter(|param| !param.rest).collect(),
    };
    for param in typed.command.params.iter().filter(|param| placed.iter().all(|held| held.name != param.name)) {
        if let Some(value) = typed.args.get(&param.name) {
            line.push_str(&format!(" {}={}", param.name, quote(value)));
        }
    }
    let mut gap = false;
    for param in placed {
        let Some(value) = typed.args.get(&param.name) else {
            gap = true;
            continue;
        };
        if gap {
            line.push_str(&format!(" {}={}", param.name, quote(value)));
        } else if param.rest {
            // A text that could be read as something else is given by name; whoever writes it by place means that. Words that
            // are no text, such as a number, stand with one blank between them.
            let plain = value.chars().all(|char| char.is_alphanumeric() || "+-<>.,[] \n".contains(char));
            let marked = typed.command.params.iter().any(|param| param.marker.is_some());
            let held = param.kind == Kind::Actions;
            if !plain
                || held
                || value.trim() != value
                || (!param.is_text(&typed.args) && value.contains("  "))
                || (marked && value.contains(' '))
                || value.starts_with(['.', ','])
            {
                return None;
            }
            line.push_str(&format!(" {value}"));
        } else if param.list {
            line.push_str(&format!(" {value}"));
        } else {
            line.push_str(&format!(" {}", quote(value)));
        }
    }
    Some(line)
}

proptest! {
    #[test]
    fn any_text_parses_or_refuses(text in "\\PC{0,200}") {
        let visible = |char: char| !char.is_whitespace() && char != ';' && !crate::is_invisible(char);
        let all = read(&text);
        prop_assert_eq!(all.is_empty(), !text.chars().any(visible));
    }

    #[test]
    fn any_characters_parse_or_refuse(text in any::<String>()) {
        for error in read(&text).into_iter().filter_map(Result::err) {
            prop_assert!(error.to_string().ends_with(['.', '?']));
        }
    }

    #[test]
    fn command_like_text_parses_or_refuses(
        words in proptest::collection::vec(proptest::sample::select(WORDS), 0..12)
    ) {
        let text = words.concat();
        for typed in read(&text).into_iter().flatten() {
            if let Times::Count(times) = &typed.times {
                prop_assert!((1..=MESSAGE_MAX_ACTIONS).contains(times));
            }
            prop_assert!(typed.command.is_secret() || text.contains(&typed.said));
        }
    }

    #[test]
    fn the_named_form_parses_to_the_same(typed in typed()) {
        let line = typed.line();
        let again = read(&line);
        prop_assert_eq!(again.len(), 1, "{}", line);
        let again = again[0].as_ref().map_err(|error| TestCaseError::fail(format!("{line}: {error}")))?;
        prop_assert_eq!(essence(again), essence(&typed), "{}", line);
    }

    #[test]
    fn the_form_by_places_parses_to_the_same(typed in typed()) {
        let Some(line) = by_places(&typed) else { return Ok(()) };
        let again = read(&line);
        prop_assert_eq!(again.len(), 1, "{}", line);
        let again = again[0].as_ref().map_err(|error| TestCaseError::fail(format!("{line}: {error}")))?;
        // Only a room knows whose name a word is, so that the line may be read otherwise as well.
        let others = again.others.iter().map(|(_, args)| args);
        let meant = std::iter::once(&again.args).chain(others).any(|args| *args == typed.args);
        prop_assert!(meant, "{}: {:?}", line, again);
        prop_assert_eq!(essence(&again.with(typed.args.clone())), essence(&typed), "{}", line);
    }
}

const WORDS: &[&str] = &[
    "joust ",
    "submit ",
    "hill ",
    "intend ",
    "amend ",
    "test ",
    "against ",
    "show ",
    "as of ",
    "room:",
    "name:",
    "code=",
    "text:",
    "@",
    "\"",
    "\\",
    ";",
    "\n",
    " ",
    "3 ",
    "times ",
    "twice ",
    "alpha",
    "help",
    "tick ",
    "until ",
    "2026-11-02 ",
    "10:00 ",
    "because ",
    "for ",
    "undo ",
    "ban ",
    "“",
    "”",
    "\u{200b}",
    "\u{202e}",
    "=",
    ":",
    "!",
    ".",
];

#[test]
fn a_text_may_begin_in_the_next_line() {
    let text = "Each week the best Knight earns 10 points.\n\nhill; nothing else.";
    for head in ["joust intend amend points", "joust intend amend points:", "joust intend what:amend subject:points"] {
        assert_eq!(one(&format!("{head}\n{text}")).args["text"], text, "{head}");
        assert_eq!(one(&format!("{head}\n\n  {text}")).args["text"], text, "{head}");
    }
    assert_eq!(one("joust adjudicate\nSo be it.").args["text"], "So be it.");
    // A text that is needed may begin with a word that is a command.
    assert_eq!(one("joust intend amend points\nhill").args["text"], "hill");
    // One that can be left out may not.
    assert_eq!(one("joust intend tournament text\nThe array is long.").args["text"], "The array is long.");
    for below in ["hill", "!hill", "@main hill", "3 times joust hill", "joust intend repeal points"] {
        let both = parse(Catalogue::all(), &format!("joust intend repeal revealing\n{below}"), 0);
        assert!(both.len() == 2 && both[0].as_ref().is_ok_and(|typed| !typed.args.contains_key("text")), "{both:?}");
    }
    // What stands behind a marker is no text of several lines.
    assert_eq!(parse(Catalogue::all(), "pause\nresume\nfrobnicate", 0).len(), 3);
}

#[test]
fn a_text_that_is_needed_may_come_later() {
    for line in ["joust adjudicate", "joust intend amend points", "joust intend set cycle-limit", "joust submit alpha"]
    {
        assert!(one(line).awaits_text().is_some(), "{line}");
    }
    for line in ["joust intend repeal points", "joust intend tournament restart", "joust add alpha", "hill"] {
        assert!(one(line).awaits_text().is_none(), "{line}");
    }
    let mut typed = one("joust intend amend points");
    typed.fill("text", "Nobody earns points.\n").unwrap();
    assert_eq!(typed.awaits_text(), None);
    assert_eq!(one(&typed.said), typed, "the journal has what was sent");
}

/// What a proposal's number stands for may be said before it, wherever one is meant.
#[test]
fn a_proposal_is_called_so_wherever_one_is_meant() {
    let mut held = 0;
    for game in Catalogue::all().games() {
        let catalogue = Catalogue::of_game(game);
        for command in catalogue.commands() {
            for param in command
                .params
                .iter()
                .filter(|param| param.name == "proposal" || param.completes.as_deref() == Some("proposals"))
            {
                assert_eq!(param.kind, Kind::Proposal, "{game}: {command} {}", param.name);
            }
            let Some(param) = command.params.iter().find(|param| param.kind == Kind::Proposal) else { continue };
            for example in &command.examples {
                let Some(Ok(plain)) = parse(catalogue, example, 0).pop() else { continue };
                let Some(number) = plain.args.get(&param.name).filter(|it| it.parse::<u32>().is_ok()) else { continue };
                let words: Vec<String> = example
                    .split(' ')
                    .map(|word| {
                        if word == number && !example.contains("proposal ") {
                            format!("proposal {word}")
                        } else {
                            word.to_owned()
                        }
                    })
                    .collect();
                let named = parse(catalogue, &words.join(" "), 0).pop().unwrap().unwrap();
                assert_eq!((&named.command.name, &named.args), (&plain.command.name, &plain.args), "{game}: {words:?}");
                held += 1;
            }
        }
    }
    assert!(held > 10, "{held}");
}

/// A reason stands behind every act, and behind what ends the text of one.
#[test]
fn a_reason_stands_behind_the_end_of_a_text() {
    let read = |game: &str, line: &str| {
        let all = parse(Catalogue::of_game(game), line, 0);
        all.into_iter()
            .map(|read| read.map(|typed| (typed.args.values().cloned().collect::<Vec<_>>(), typed.reason)))
            .collect::<Vec<_>>()
    };
    let so = Some("it is late; so be it".to_owned());
    for line in [
        "begin transaction; clock on; end transaction because it is late; so be it\nclock off",
        "begin transaction\nclock on\nEnd Transaction because it is late; so be it\nclock off",
    ] {
        let all = read("bnomic", line);
        assert_eq!(all.len(), 2, "{all:?}");
        assert_eq!(all[0].as_ref().unwrap().1, so);
        assert!(all[0].as_ref().unwrap().0[0].starts_with("clock on"), "{all:?}");
    }
    assert!(read("bnomic", "begin transaction; clock on; end transaction because")[0].is_err());
    for (line, text) in [
        ("joust intend remove joust3 because it is weak", None),
        ("joust intend repeal revealing because it is weak", None),
        ("joust intend set submissions-a-week 2 because it is weak", Some("2")),
        ("joust intend tournament cycle-limit 100000 because it is weak", Some("100000")),
        ("joust intend add joust10 joust3 because it is weak", Some("joust3")),
        ("joust intend amend points Ten points because it is weak", Some("Ten points because it is weak")),
    ] {
        let typed = parse(Catalogue::of_game("joust"), line, 0).remove(0).unwrap();
        assert_eq!(typed.args.get("text").map(String::as_str), text, "{line}");
        let reason = Some("it is weak").filter(|_| !line.contains("amend"));
        assert_eq!(typed.reason.as_deref(), reason, "{line}");
        let again = parse(Catalogue::of_game("joust"), &typed.line(), 0).remove(0).unwrap();
        assert_eq!((again.args, again.reason), (typed.args, typed.reason), "{line}");
    }
}
