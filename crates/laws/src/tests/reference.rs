//! The reference of laws in the guide is what the list of functions makes.

use std::{env, fs, path::Path};

use crate::{
    limits::{
        ACT_MAX_BYTES, ACT_MAX_CHANGES, ACT_MAX_DRAWS, ACT_MAX_MESSAGES, ACT_MAX_OPERATIONS, ACT_PARAMS_MAX_COUNT,
        ASKS_MAX_COUNT, DISPLAY_MAX_BYTES, HOUR_MAX_BYTES, HOUR_MAX_MESSAGES, HOUR_MAX_OPERATIONS, LATER_MAX_COUNT,
        LAW_MAX_ACTIONS, LAW_MAX_BYTES, LIST_MAX_ITEMS, LOOK_MAX_OPERATIONS, PERFORM_MAX_LEVELS, ROOM_ASKS_MAX_COUNT,
        ROOM_HOUR_MAX_BYTES, ROOM_HOUR_MAX_MESSAGES, ROOM_HOUR_MAX_OPERATIONS, ROOM_LATER_MAX_COUNT, TABLE_MAX_BYTES,
        TEXT_MAX_BYTES,
    },
    names::{ASKS, DECLARES, LOOKS, Word, words},
    toy::Room,
};

const BEGINS: &str = "<!-- The reference is made of crates/laws/src/names.rs. -->\n";
const ENDS: &str = "<!-- End of the reference. -->\n";

fn table(title: &str, words: &[Word]) -> String {
    let rows = words.iter().map(|word| format!("| `{}` | {} |\n", word.form.replace('|', "\\|"), word.what));
    format!("## {title}\n\n| | |\n|---|---|\n{}\n", rows.collect::<String>())
}

fn limits() -> String {
    let rows = [
        ("operations of an act with all that follows, of a display", ACT_MAX_OPERATIONS.to_string()),
        ("operations of a bar, a change, a condition, a law's own beginning", LOOK_MAX_OPERATIONS.to_string()),
        ("changes of an act", ACT_MAX_CHANGES.to_string()),
        ("bytes that an act writes, old and new values", ACT_MAX_BYTES.to_string()),
        ("announcements of an act", ACT_MAX_MESSAGES.to_string()),
        ("draws of an act", ACT_MAX_DRAWS.to_string()),
        ("acts that perform each other", format!("{PERFORM_MAX_LEVELS} deep")),
        ("articles of a list", LIST_MAX_ITEMS.to_string()),
        ("a text", format!("{TEXT_MAX_BYTES} bytes")),
        ("a display", format!("{DISPLAY_MAX_BYTES} bytes, {TABLE_MAX_BYTES} of a table")),
        ("a law", format!("{LAW_MAX_BYTES} bytes, {LAW_MAX_ACTIONS} commands of {ACT_PARAMS_MAX_COUNT} parameters")),
    ];
    let rows = rows.map(|(what, most)| format!("| {what} | {most} |\n"));
    let own = [
        ("operations in an hour", HOUR_MAX_OPERATIONS, ROOM_HOUR_MAX_OPERATIONS),
        ("bytes written in an hour", HOUR_MAX_BYTES, ROOM_HOUR_MAX_BYTES),
        ("announcements in an hour", HOUR_MAX_MESSAGES, ROOM_HOUR_MAX_MESSAGES),
        ("deeds that wait", LATER_MAX_COUNT, ROOM_LATER_MAX_COUNT),
        ("things that are asked", ASKS_MAX_COUNT, ROOM_ASKS_MAX_COUNT),
    ];
    let own = own.map(|(what, law, room)| format!("| {what} | {law} | {room} |\n"));
    format!(
        "## Limits\n\n| what | at most |\n|---|---|\n{}\n| by themselves | each law | all of a room |\n|---|---|---|\n{}\n",
        rows.concat(),
        own.concat()
    )
}

/// Words of the language that Rhai is, and those that it keeps for later: each may be no name of a variable.
const KEPT: &[&str] = &[
    "as",
    "async",
    "await",
    "break",
    "call",
    "case",
    "catch",
    "const",
    "continue",
    "curry",
    "debug",
    "default",
    "do",
    "else",
    "eval",
    "export",
    "false",
    "fn",
    "for",
    "go",
    "goto",
    "if",
    "import",
    "in",
    "is",
    "is_shared",
    "let",
    "loop",
    "match",
    "module",
    "new",
    "nil",
    "null",
    "package",
    "print",
    "private",
    "protected",
    "public",
    "return",
    "shared",
    "spawn",
    "static",
    "super",
    "switch",
    "sync",
    "this",
    "thread",
    "throw",
    "true",
    "try",
    "type_of",
    "until",
    "use",
    "var",
    "void",
    "while",
    "with",
    "yield",
];

fn kept_names() -> String {
    let lines: Vec<String> = KEPT.chunks(12).map(|words| words.join(" ")).collect();
    format!(
        "## Names that the language keeps\n\nNo variable, function or key of a map has one of these names.\n\n```\n{}\n```\n\n",
        lines.join("\n")
    )
}

#[test]
fn what_the_language_keeps_names_nothing() {
    let taken = |word: &&&str| {
        let said = Room::with(&[]).law(2, &format!("let {word} = 1;"));
        !said.iter().any(|said| said.contains("cannot be read"))
    };
    assert_eq!(KEPT.iter().filter(taken).collect::<Vec<_>>(), Vec::<&&str>::new());
}

/// What the guide shows beside its sessions can be read as it stands.
#[test]
fn the_examples_of_the_guide_are_read() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/playing/laws.md");
    let text = fs::read_to_string(path).unwrap();
    // Between longer fences stand sessions and proposals, which are played elsewhere.
    let open = text.split("````").step_by(2);
    let examples: Vec<&str> = open
        .flat_map(|part| part.split("```law\n").skip(1))
        .filter_map(|rest| Some(rest.split_once("```")?.0))
        .collect();
    assert!(!examples.is_empty());
    for law in examples {
        // A room refuses to begin with a law that has a fault.
        Room::with(&[(2, law)]);
    }
}

#[test]
fn the_guide_lists_the_functions_as_they_are() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/playing/laws.md");
    let kept = fs::read_to_string(&path).unwrap();
    let (before, rest) = kept.split_once(BEGINS).unwrap();
    let (_, after) = rest.split_once(ENDS).unwrap();
    let made = [
        table("What a law declares", DECLARES),
        table("What it looks at", LOOKS),
        table("What it asks for", ASKS),
        kept_names(),
        limits(),
    ];
    let made = format!("{before}{BEGINS}\n{}{ENDS}{after}", made.concat());
    if env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, &made).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap();
    assert!(kept == made, "docs/playing/laws.md is not what the list makes: run the test again with UPDATE_DOCS=1");
}

/// Each stands in the guide with how it is written.
#[test]
fn every_function_is_named_in_its_own_form() {
    for word in words() {
        for name in word.names {
            assert!(word.form.contains(&format!("{name}(")), "{name} in {}", word.form);
        }
    }
}
