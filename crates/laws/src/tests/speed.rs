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
