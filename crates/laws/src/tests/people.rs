//! Who plays, who rests, and whoever has a seat.

use serde_json::json;

use crate::toy::Room;

/// Whoever rests has no vote and is no player, but for what says so; titles are everybody's.
const PEOPLE: &str = r#"
    define("titles of person: list of text");
    define("friend of person: a person");
    office("Clerk");
    docket("motion", #{make: "move"});
    ballot("motion", #{early: "all"});
    after("votes end", |a| { a.on.state = "Done"; say(`over: ${votes(a.on).cast.len()} of ${votes(a.on).voters.len()}`); });
    action("name", ["whom: a player"], |a| appoint("Clerk", a.whom));
    action("stamp", #{who: "Clerk"}, [], |a| say("stamped"));
    action("seal", #{who: "Clerk, suspended or not"}, [], |a| say("sealed"));
    action("rest", [], |a| suspend(a.by));
    action("wake", #{who: "player, suspended or not"}, [], |a| { require(is_a(a.by, "suspended"), "you do not rest"); admit(a.by); });
    action("greet", ["whom: a player, suspended or not"], |a| say(`${a.by} greets ${a.whom}`));
    action("honour", ["whom: a person"], |a| { a.whom.titles += ["Sage"]; a.whom.friend = a.by; });
    display("all", "All", |me| table(all("person"), ["name", "kind", "titles", "friend"]));
    display("rest", "Who rests", |me| `${all("suspended")}; ${players().len()} play, ${count("person")} are there`);
"#;

#[test]
fn who_rests_is_no_player_but_where_a_rule_says_so() {
    // Given three players, of whom the Clerk rests, and one who has voted.
    let mut room = Room::with(&[(2, PEOPLE)]);
    room.acts("ann", "name", json!({"whom": "Cid"}));
    room.acts("ann", "move", json!({"text": "It shall be so"}));
    room.acts("ann", "vote", json!({"on": "1", "vote": "FOR"}));
    room.acts("bob", "vote", json!({"on": "1", "vote": "FOR"}));
    // When the last who has not voted rests, then the votes end without em.
    room.acts("cid", "rest", json!({}));
    assert!(room.passes(0).concat().contains("over: 2 of 2"));
    // Then e may do nothing that is for players, or for the Clerk, but for what says so.
    assert_eq!(room.refuses("cid", "greet", json!({"whom": "Ann"})), "that is for a player alone");
    assert_eq!(room.refuses("cid", "stamp", json!({})), "that is for the Clerk alone; there is none now");
    assert!(room.acts("cid", "seal", json!({}))[0].ends_with("sealed."));
    assert!(room.refuses("ann", "name", json!({"whom": "Cid"})).contains("there is no player “Cid”"));
    assert!(room.acts("ann", "greet", json!({"whom": "Cid"}))[0].ends_with("Ann greets Cid."));
    room.acts("ann", "honour", json!({"whom": "Cid"}));
    assert!(room.shows("rest").unwrap().contains("2 play, 3 are there"), "{:?}", room.shows("rest"));
    assert!(room.shows("all").unwrap().contains("Cid   suspended  Sage    Ann"), "{:?}", room.shows("all"));
    // When e wakes, then e is a player again, and Clerk.
    assert_eq!(room.refuses("ann", "wake", json!({})), "you do not rest");
    room.acts("cid", "wake", json!({}));
    assert!(room.acts("cid", "stamp", json!({}))[0].ends_with("stamped."));
    assert_eq!(room.value("player/cid.titles"), "{Sage}");
}
