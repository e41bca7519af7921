//! Laws that are wrong: each is told so before anybody votes on it, with its line and what was probably meant.

use std::{fs, path::Path};

use kernel::{Game, display::plain};

use crate::toy::{Room, Toy};

/// What stands before each law of a file: the line that is to be told, and what of it.
const NEXT_LAW: &str = "//// ";

#[test]
fn a_hundred_wrong_laws_are_told_so_beforehand() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wrong");
    let (mut count, mut missed) = (0, Vec::new());
    for file in fs::read_dir(folder).unwrap() {
        let file = file.unwrap().path();
        let text = fs::read_to_string(&file).unwrap();
        for one in text.split(NEXT_LAW).skip(1) {
            let (head, law) = one.split_once('\n').unwrap();
            let (line, why) = head.strip_prefix("line ").and_then(|head| head.split_once(": ")).unwrap_or(("", head));
            let told = Toy::mechanics().check(&Room::new().state, law);
            let told = told.map_or_else(|why| format!("Look at this again: {}", why.say), |page| plain(&page));
            let found = told.split_once("Look at this again").map_or("", |(_, found)| found);
            let is_told =
                |found: &str| found.contains(why) && (line.is_empty() || found.contains(&format!("line {line}")));
            if !found.lines().any(is_told) {
                missed.push(format!("{}: {law}wanted: {head}\ntold: {told}", file.display()));
            }
            count += 1;
        }
    }
    assert!(missed.is_empty(), "{} of {count}:\n{}", missed.len(), missed.join("\n"));
    assert!(count >= 100, "{count}");
}

/// What no reading finds is found by doing it once, on a copy of the room.
/// What a round of a loop leaves in a variable, the next one finds there.
#[test]
fn what_a_loop_leaves_for_its_next_round_is_known() {
    let law = r#"
        action("go", [], |a| {
            let best = "";
            for n in [1, 2] {
                for p in players() {
                    if best != "" { p.points = best; }
                    best = p.points;
                }
            }
        });
        action("come", [], |a| for p in players() { p.points = "many"; });
    "#;
    let told = plain(&Toy::mechanics().check(&Room::new().state, law).unwrap());
    let told: Vec<_> = told.lines().filter(|line| line.contains("“points” holds")).collect();
    assert!(matches!(told[..], [only] if only.contains("line 11")), "{told:?}");
}

#[test]
fn every_function_is_tried_once() {
    let law = r#"
        kind("sock"); define("n of sock: whole number from 0 to 9");
        action("divide", ["by_n: whole number from 0"], |a| say(`${6 / a.by_n}`));
        action("burn", ["t: text"], |a| { let n = 0; loop { n += 1; } });
        after("divide", |a| say(`${[1, 2][a.by_n + 5]}`));
        display("pages", "Pages", |me| table(["n"], [[me.nothing_here]]));
        action("lay", ["n: whole number from 3"], |a| create("sock", #{n: a.n}));
        action("tooth", ["n: whole number from 12"], |a| create("sock", #{n: a.n}));
        action("roll", [], |a| say(`${draw(6)}`));
        action("none", ["s: a sock"], |a| say(`${1 / 0}`));
    "#;
    let room = Room::new();
    let told = plain(&Toy::mechanics().check(&room.state, law).unwrap());
    for wrong in ["act divide", "act burn", "after divide", "display pages"] {
        assert!(
            told.contains(&format!("Tried once, “{wrong}” of A law that is tried goes wrong: ")),
            "{wrong}: {told}"
        );
    }
    // A refusal is no fault, dice are none of the room's, and what there is none of is not tried.
    for fine in ["act lay", "act tooth", "act roll", "act none"] {
        assert!(!told.contains(fine), "{fine}: {told}");
    }
    assert!(room.state.world.of_kind("sock").next().is_none());
}

/// What goes wrong is told in the words of the guide, and in none of the engine's.
#[test]
fn errors_are_told_in_plain_words() {
    const ENGINES: &[&str] =
        &["getter", "i64", "ndexer", "String", "string", "rulekeeper", "ata type", "boolean", "iterable"];
    let wrong = [
        "a.by.points.foo",
        "5.x",
        "\"a\" - 1",
        "1 + true",
        "a.by + 1",
        "[1] + 1",
        "[1].foo()",
        "a.by()",
        "#{n: 1}.n.m",
        "#{n: 1}.m.k",
        "say(1, 2)",
        "say()",
        "a.by[3]",
        "if 5 { 1 }",
        "while a.by { }",
        "for i in 5 { }",
        "let x = (); x.len()",
        "let x = (); x += 1",
        "players()[99]",
        "\"abc\"[9]",
        "1 < \"a\"",
        "a.by > 3",
        "!5",
        "-\"a\"",
        "[1,2].sum()",
        "a.by.points = [1]",
        "let f = 5; f.call()",
        "throw 1",
        "switch a.by { 1 => 2 }; a.x",
        "\"x\".points",
        "players().points",
        "floor(\"a\")",
        "min(1)",
        "now() + 1",
        "players()[0] < players()[0]",
        "create(5)",
        "all(5)",
        "find(3)",
        "holds(5)",
        "number(5)",
    ];
    for what in wrong {
        let law = format!("action(\"go\", [], |a| {{ {what} }});");
        let told = Toy::mechanics().check(&Room::new().state, &law);
        let told = told.map_or_else(|why| format!("Look at this again: {}", why.say), |page| plain(&page));
        let (_, found) = told.split_once("Look at this again").unwrap_or_else(|| panic!("nothing is told of {what}"));
        let jargon: Vec<_> = ENGINES.iter().filter(|word| found.contains(**word)).collect();
        assert!(jargon.is_empty() && found.contains("line 1"), "{what}: {found}");
    }
}

/// Functions that stand in each other are read within bounds.
#[test]
fn a_law_that_is_long_to_read_is_read_within_bounds() {
    for depth in [4, 8, 12] {
        let within = (0..depth).fold("x".to_owned(), |within, _| format!("l.push(l.map(|x| {{ {within} }}))"));
        let law = format!("action(\"go\", [], |a| {{ let l = []; let x = 1; {within}; }});");
        let told = Toy::mechanics().check(&Room::new().state, &law);
        let told = told.map_or_else(|why| why.say, |page| plain(&page));
        assert!(told.contains("It can be read") || told.contains("cannot be read"), "{told}");
    }
}
