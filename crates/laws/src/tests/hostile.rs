//! Laws that mean ill, or are broken: each ends, within bounds, with a sentence, and changes nothing.

use std::{fmt::Write as _, fs, path::Path};

use serde_json::json;

use super::memory::peak;
use crate::{limits::ACT_MAX_CHANGES, tables::Later, toy::Room};

/// What two laws of one file stand between.
const NEXT_RULE: &str = "//// rule 3\n";

/// Most operations of everything that one of them does: two acts and a display, with what follows.
const OPERATIONS_MAX_COUNT: u64 = 2_000_000;

/// Most memory that one of them holds at once, in bytes: the room and the script included.
const MEMORY_MAX_BYTES: usize = 64 * 1_024 * 1_024;

/// Plays a law in a room: its act, one of the game's own, and its display. What was said of all that.
fn played(law: &str) -> Vec<String> {
    let mut room = Room::new();
    let mut said = Vec::new();
    for (number, law) in (2..).zip(law.split(NEXT_RULE)) {
        said.extend(room.law(number, law));
    }
    assert!(room.operations <= OPERATIONS_MAX_COUNT);
    let before = room.state.clone();
    let has_act = said.iter().any(|line| line.contains("command “test”"));
    let what = json!({ "what": "repeal rule 1" });
    let steps: [(&str, serde_json::Value); 2] = [
        ("law", json!({"act": "test", "args": if law.contains("what: text") { what } else { json!({}) }})),
        ("give", json!({"to": "bob", "amount": 0})),
    ];
    for (act, args) in steps.into_iter().filter(|(act, _)| *act != "law" || has_act) {
        let (answer, heard) = room.native("ann", act, args);
        said.extend(
            answer.map_err(|why| format!("refused: {why}")).unwrap_or_else(|why| why).lines().map(str::to_owned),
        );
        said.extend(heard);
        assert!(room.operations <= OPERATIONS_MAX_COUNT, "{} operations", room.operations);
        assert!(room.changes <= ACT_MAX_CHANGES, "{} changes", room.changes);
    }
    if said.iter().any(|line| line.contains("display “page”")) {
        let page = room.shows("page").unwrap_or_else(|why| format!("refused: {why}"));
        said.extend(page.lines().rfind(|line| !line.is_empty()).map(str::to_owned));
    }
    let differs = room.state.world.since(&before.world);
    assert!(differs.is_empty(), "{differs:?}");
    assert!(room.state.rules.is_same(&before.rules), "the rules changed");
    assert!(room.state.rows::<Later>().is_empty(), "something is set for later");
    said.retain(|line| !line.is_empty());
    said
}

#[test]
fn hostile_laws_end_with_a_sentence_and_change_nothing() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile");
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 130, "only {}", files.len());
    let (mut all, mut worst) = (String::new(), (0, String::new()));
    for file in files {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        let law = fs::read_to_string(&file).unwrap();
        let (said, bytes) = peak(|| std::panic::catch_unwind(|| played(&law)).unwrap_or_else(|_| panic!("{name}")));
        assert!(bytes <= MEMORY_MAX_BYTES, "{name} held {bytes} bytes");
        worst = worst.max((bytes, name.clone()));
        assert!(!said.is_empty(), "nothing is said of {name}");
        writeln!(all, "# {name}\n{}\n", said.join("\n")).unwrap();
    }
    assert!(worst.0 > 1_000_000, "nothing is counted");
    insta::assert_snapshot!(all);
}
