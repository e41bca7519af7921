//! Laws that read the game terms of rules, and maps that they draw.

use serde_json::json;

use kernel::world::Op;

use crate::toy::Room;

/// Rules 2 to 4 on fish, each with an object, and rule 9 with a law.
fn room(law: &str) -> Room {
    let mut room = Room::new();
    for (number, text) in [
        (2, "A [mackerel](#=mackerel), or [mack](#=mackerel), is a fish.\n\n[[ A [pike](#=pike) too. ]]"),
        (3, "Pay two macks. A [herring](#=herring) is a fish, and a [Quorum](#=number) is 3."),
        (4, "No Quorum of herrings pays mackerel. A [Quorum](#=document) is a text, no [Player](#-term)."),
    ] {
        room.rule(number, text);
        room.does("zed", |d| d.op(Op::Create { obj: format!("rule/r{number}").into(), kind: "rule".into() }));
    }
    room.law(9, law);
    room
}

fn told(law: &str) -> String {
    let mut room = room(&format!("action(\"tell\", [], |a| {{ let r = all(\"rule\"); {law} }});"));
    room.acts("ann", "tell", json!({})).join("\n")
}

#[test]
fn a_law_sees_what_rules_define_and_use() {
    let law = r#"
        for x in r { let t = terms(x); say(`${t.defines} ${t.uses} ${t.unclear} ${t.excludes}`); }
        say(`${term("MACKS")} ${term("pike") == ()} ${term("players") == ()} ${term("quorum") == ()}`);
    "#;
    assert_eq!(
        told(law),
        "[\"mackerel\"] [] [] [].\n[\"herring\"] [\"mackerel\"] [\"quorum\"] [].\n\
         [] [\"herring\", \"mackerel\"] [\"quorum\"] [\"Player\"].\nmackerel true true true."
    );
}

#[test]
fn a_law_sees_which_rules_are_joined() {
    let law = r#"
        say(`${links(r[0], r[1])} ${links(r[1], r[0])} ${links(r[1], r[2])} ${links(r[0], r[0])} ${links((), r[0])}`);
        for row in links(r[2]) { say(`${row.rule.kind} ${row.rule == r[0]} ${row.terms}`); }
        say(`${links(()).len()}`);
    "#;
    assert_eq!(
        told(law),
        "[\"mackerel\"] [\"mackerel\"] [\"herring\"] [] [].\nrule true [\"mackerel\"].\n\
         rule false [\"herring\"].\n0."
    );
}

#[test]
fn a_law_quotes_the_sentence_of_a_term() {
    let law = r#"say(quote(r[0], "macks")); say(quote(r[1], "macks")); say(quote(r[1], "fish")); say(`<${quote(r[2], "fish")}>`);"#;
    assert_eq!(
        told(law),
        "A mackerel, or mack, is a fish.\nPay two macks.\nA herring is a fish, and a Quorum is 3.\n<>."
    );
}

/// What a law saw of terms does not outlive a change of the rules.
#[test]
fn terms_are_those_of_the_rules_as_they_read_now() {
    let law = r#"
        let seen = all("rule");
        action("tell", [], |a| { let r = all("rule"); say(`${terms(r[1]).uses} ${links(r[1], r[0])}`); });
    "#;
    let said = Room::new().law(9, law);
    assert!(said[0].contains("a law that declares sees rules and documents only"), "{said:?}");
    let said = Room::new().law(9, r#"let seen = term("macks");"#);
    assert!(said[0].contains("a law that declares sees rules and documents only"), "{said:?}");
    let mut room = room(&law.replace("let seen = all(\"rule\");", ""));
    assert_eq!(room.acts("ann", "tell", json!({})), ["[\"mackerel\"] [\"mackerel\"]."]);
    room.directives("=> amend rule 3: replace \"macks\" with \"pikes\"");
    assert_eq!(room.acts("ann", "tell", json!({})), ["[] []."]);
    room.directives("=> repeal rule 2\n=> amend rule 3: replace \"pikes\" with \"macks\"");
    assert_eq!(room.acts("ann", "tell", json!({})), ["[] []."]);
}

#[test]
fn terms_are_those_of_rules_alone() {
    let mut room = room(r#"action("tell", [], |a| say(`${terms(a.by)}`));"#);
    let (answer, said) = room.act("ann", "tell", json!({}));
    assert!(format!("{answer:?} {said:?}").contains("game terms are those of a rule"), "{answer:?} {said:?}");
}

/// A map of three places, with whatever else it is given.
fn map(lines: &str, options: &str) -> Result<String, String> {
    let law = format!(
        "display(\"map\", \"Map\", |me| graph([#{{at: [0, 0], name: \"4E33\", what: \"here\", there: [the(\"Ann\"), \"ball\"]}}, \
         #{{at: [1, 0], name: \"4E34\", there: \"goal\"}}, #{{at: [1, 1], name: \"4E39\", shows: \"rule/39\"}}], {lines}, #{{{options}}}) \
         + table([\"rule\", \"by\"], [[\"4E34\", \"mackerel\"]]));"
    );
    Room::with(&[(2, &law)]).shows("map")
}

#[test]
fn a_map_has_places_and_lines() {
    insta::assert_snapshot!(map("[[0, 1], [2, 0], [1, 0], [1, 1]]", "other: \"free\", middle: [0, 0]").unwrap());
}

#[test]
fn a_map_that_is_none_is_a_fault() {
    for lines in ["[[0, 3]]", "[[-1, 0]]", "[7]", "[[0, \"x\"]]"] {
        let why = map(lines, "").unwrap_err();
        assert!(why.contains("a line of a map joins two of its places"), "{lines}: {why}");
    }
    for (place, why) in [
        ("#{at: [0, 0]}, #{at: [0, 0]}", "a map has one place at (0, 0)"),
        ("#{name: \"x\"}", "a place of a map has two whole numbers"),
        ("#{at: [1, 2, 3]}", "a place of a map has two whole numbers"),
        ("7", "a place of a map has two whole numbers"),
    ] {
        let law = format!("display(\"map\", \"Map\", |me| graph([{place}], []));");
        let told = Room::with(&[(2, &law)]).shows("map").unwrap_err();
        assert!(told.contains(why), "{place}: {told}");
    }
    let far = "graph([#{at: [9223372036854775807, 0], name: \"a\"}, #{at: [-9223372036854775807, -9223372036854775807]}], [[0, 1]])";
    let far = Room::with(&[(2, &format!("display(\"map\", \"Map\", |me| {far});"))]).shows("map").unwrap();
    assert!(far.contains("o other."), "{far}");
    let empty = Room::with(&[(2, "display(\"map\", \"Map\", |me| graph([], []));")]).shows("map").unwrap();
    assert!(empty.contains("There is no vertex."), "{empty}");
}
