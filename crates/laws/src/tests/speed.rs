//! What laws cost acts that they have nothing to do with.

use serde_json::json;

use crate::{reading, stage::Stage, toy::Room};

fn sixty() -> Room {
    let mut room = Room::new();
    for number in 2..62 {
        let law = format!(
            "kind(\"thing{number}\"); define(\"a{number} of player: whole number\");\n\
             action(\"act{number}\", [\"n: whole number\"], |a| {{ a.by.points += a.n; }});\n\
             after(\"act{number}\", |a| say(\"heard\"));\nforbid(\"act{number}\", |a| a.n > 5, \"too much\");\n\
             at(\"start of nday\", || {{ for p in players() {{ p.a{number} += 1; }} }});"
        );
        room.law(number, &law);
    }
    room
}

#[test]
fn laws_are_declared_once_a_rulebook() {
    let mut room = sixty();
    let registry = |room: &mut Room| {
        let mut found = None;
        room.does("ann", |d| found = reading::in_force(d as &mut dyn Stage));
        found.expect("there are laws")
    };
    let before = registry(&mut room);
    room.native("ann", "give", json!({"to": "bob", "amount": 1})).0.unwrap();
    room.acts("ann", "act7", json!({"n": 1}));
    room.directives("=> raise points of Bob by 1");
    assert!(std::sync::Arc::ptr_eq(&before, &registry(&mut room)));
    room.directives("=> repeal rule 9");
    assert!(!std::sync::Arc::ptr_eq(&before, &registry(&mut room)));
}

#[test]
fn a_lookup_by_a_value_costs_what_it_finds() {
    let law = r#"
        kind("square"); define("x of square: whole number"); define("owner of square: a player");
        action("lay", [], |a| for x in 0..400 { create("square", #{x: x}); });
        action("look", ["n: whole number"], |a| {
            for i in 0..a.n { if find("square", #{x: i}).x != i { refuse("another") } }
            say("seen");
        });
        action("move", [], |a| {
            let one = find("square", #{x: 7});
            one.x = 1000;
            require(find("square", #{x: 7}) == () && count("square", #{x: 1000}) == 1, "it follows a change");
            attempt(|| { one.x = 1001; false });
            require(count("square", #{x: 1000}) == 1 && count("square", #{x: 1001}) == 0, "it follows a group");
            destroy(one);
            require(count("square", #{x: 1000}) == 0, "it follows an end");
            create("square", #{x: 1000});
            require(find("square", #{x: 1000, owner: ()}) != (), "it follows a beginning");
            say("moved");
        });
    "#;
    let mut room = Room::with(&[(2, law)]);
    room.acts("ann", "lay", json!({}));
    room.acts("ann", "look", json!({"n": 10}));
    let few = room.operations;
    room.acts("ann", "look", json!({"n": 310}));
    let each = (room.operations - few) / 300;
    assert!(each < 50, "{each} operations for a lookup");
    assert_eq!(room.acts("ann", "move", json!({})), ["moved."]);
}

#[test]
fn working_with_a_list_or_a_map_costs_what_is_touched() {
    let law = r#"
        action("list", ["n: whole number"], |a| { let l = []; for i in 0..a.n { l.push(i); l[i] = l.len(); } say("made"); });
        action("add", ["n: whole number"], |a| { let l = []; for i in 0..a.n { l += [i]; } say("made"); });
        action("map", ["n: whole number"], |a| { let m = #{}; for i in 0..a.n { m[`${i}`] = i; } say("made"); });
        action("copy", ["n: whole number"], |a| { let l = []; for i in 0..a.n { l.push(i); let k = l; } say("made"); });
    "#;
    let mut room = Room::with(&[(2, law)]);
    let mut each = |act: &str, count: i64| {
        assert_eq!(room.acts("ann", act, json!({"n": count})), ["made."], "{act}");
        room.operations / u64::try_from(count).unwrap()
    };
    for (act, most) in [("list", 60), ("add", 50), ("map", 70)] {
        assert!(each(act, 800) < most, "{act}");
    }
    // A copy costs all of it.
    assert!(each("copy", 400) > 2 * each("copy", 100));
}
