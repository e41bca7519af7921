//! Offices that laws give.

use serde_json::json;

use crate::toy::Room;

/// A clerk, several keepers, and acts that give and take both.
const OFFICES: &str = r#"
    office("Clerk");
    office("Keeper", #{several: true});
    action("name", ["office: text", "whom: a player"], |a| appoint(a.office, a.whom));
    action("clear", ["office: text", "whom?: a player"], |a| {
        if a.whom == () { vacate(a.office) } else { vacate(a.office, a.whom) }
    });
    action("stamp", #{who: "Clerk"}, [], |a| say("stamped"));
    action("lock", #{who: "Keeper"}, [], |a| say(`locked by one of ${holders("Keeper").len()}`));
    after("change of clerk of game", |a| say(`${a.now ?? "Nobody"} is Clerk`));
"#;

#[test]
fn an_office_has_one_holder_or_several() {
    let mut room = Room::with(&[(2, OFFICES)]);
    assert_eq!(room.refuses("ann", "stamp", json!({})), "that is for the Clerk alone; there is none now");
    assert!(room.acts("ann", "name", json!({"office": "Clerk", "whom": "Bob"}))[0].ends_with("Bob is Clerk."));
    assert!(room.acts("bob", "stamp", json!({}))[0].ends_with("stamped."));
    room.acts("ann", "name", json!({"office": "Clerk", "whom": "Ann"}));
    assert_eq!(room.refuses("bob", "stamp", json!({})), "that is for the Clerk alone; ask Ann");
    for whom in ["Bob", "Cid", "Bob"] {
        room.acts("ann", "name", json!({"office": "Keeper", "whom": whom}));
    }
    assert!(room.acts("cid", "lock", json!({}))[0].ends_with("locked by one of 2."));
    room.acts("ann", "clear", json!({"office": "Keeper", "whom": "Cid"}));
    assert_eq!(room.refuses("cid", "lock", json!({})), "that is for the Keeper alone; ask Bob");
    room.acts("ann", "clear", json!({"office": "Clerk", "whom": "Bob"}));
    assert!(room.acts("ann", "stamp", json!({}))[0].ends_with("stamped."), "Bob had it no more");
    assert!(room.acts("ann", "clear", json!({"office": "Clerk"}))[0].ends_with("Nobody is Clerk."));
}
