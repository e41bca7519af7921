//! What the engine lets a script do at all.

use serde_json::json;

use crate::toy::Room;

#[test]
fn a_variable_of_a_native_s_name_hides_nothing() {
    let mut room = Room::with(&[(
        2,
        r#"action("test", [], |a| { let count = |kind| 99; say(`${count("player")}`); let say = 5; say(`${say}`); });"#,
    )]);
    assert_eq!(room.acts("ann", "test", json!({})), ["3.", "5."]);
}

#[test]
fn no_function_has_a_native_s_name() {
    let mut room = Room::new();
    let said = room.law(2, r#"fn number(key) { 7 }"#);
    assert!(said[0].contains("“number” is a function of every law"), "{said:?}");
}

#[test]
fn what_a_function_does_not_take_is_told_in_words() {
    let law = r#"action("rest", [], |a| say(`${7 / 2 % 2}`)); action("size", [], |a| say(`${len(a)}`));"#;
    let mut room = Room::with(&[(2, law)]);
    let mut said = |act: &str| room.act("ann", act, json!({})).0.unwrap();
    let (rest, size) = (said("rest"), said("size"));
    assert!(rest.contains("“%” does not take a fraction and a whole number"), "{rest}");
    assert!(size.contains("“len” does not take what an act is done with"), "{size}");
}

#[test]
fn try_is_no_word() {
    let said = Room::new().law(2, r#"action("test", [], |a| { try { a.by.points -= 1; } catch { } });"#);
    assert!(said[0].contains("reserved"), "{said:?}");
}

#[test]
fn a_function_keeps_nothing() {
    let law = r#"
        let n = 0;
        let list = [];
        action("test", [], |a| { n += 1; list.push(n); say(`${n} ${list.len()}`); });
    "#;
    let mut room = Room::with(&[(2, law)]);
    for _ in 0..3 {
        assert_eq!(room.acts("ann", "test", json!({})), ["1 1."]);
    }
}

#[test]
fn a_group_sees_and_changes_the_variables_around_it() {
    let law = r#"action("test", [], |a| { let n = 1; attempt(|| { n += 1; a.by.points -= 1; }); say(`${n}`); });"#;
    let mut room = Room::with(&[(2, law)]);
    assert_eq!(room.acts("ann", "test", json!({})), ["2."]);
    assert_eq!(room.value("player/ann.points"), "4");
}

#[test]
fn long_texts_are_refused_in_acts_and_shown_in_displays() {
    let law = r#"
        fn long() { let t = "0123456789abcdef"; for i in 0..8 { t += t; } t }
        action("test", [], |a| say(long()));
        display("long", "Long", |me| long());
    "#;
    let mut room = Room::with(&[(2, law)]);
    let answer = room.act("ann", "test", json!({})).0.unwrap();
    assert!(answer.contains("too large"), "{answer}");
    assert!(room.shows("long").unwrap().contains("abcdef"));
}

#[test]
fn a_law_whose_figure_is_gone_rests_and_says_so_once() {
    let mut room = Room::new();
    room.rule(
        2,
        "It costs [3](#price).\n\n```law\naction(\"pay\", [], |a| a.by.points -= number(\"price\"));\nafter(\"give\", |a| say(`${number(\"price\")}`));\n```\n",
    );
    room.acts("ann", "pay", json!({}));
    assert_eq!(room.value("player/ann.points"), "2");
    room.directives("=> amend rule 2: replace \"It costs 3.\" with \"It is free.\"");
    let why = room.refuses("ann", "pay", json!({}));
    assert!(why.contains("rule 2 gives no figure price"), "{why}");
    let give = |room: &mut Room| room.native("ann", "give", json!({"to": "bob", "amount": 0})).1;
    assert!(give(&mut room)[0].contains("rule 2 gives no figure price. It rests"));
    assert!(give(&mut room).is_empty());
}
