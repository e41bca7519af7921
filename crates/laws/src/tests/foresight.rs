//! What a law may not declare, and what is told of it before anybody is bound.

use kernel::display::plain;
use serde_json::json;

use crate::toy::{Room, Toy};
use kernel::Game;

fn check(room: &Room, law: &str) -> String {
    Toy::mechanics().check(&room.state, law).map_or_else(|why| format!("refused: {}", why.say), |page| plain(&page))
}

#[test]
fn a_limit_is_of_a_period_that_the_game_has() {
    let room = Room::new();
    let limit = |limit: &str| check(&room, &format!("action(\"dance\", #{{limit: {limit}}}, [], |a| 1);"));
    assert!(limit("\"once a fortnight\"").contains("the periods of this game are day, hour, nday, nweek, rday, week"));
    assert!(limit("3").contains("the option “limit” is a text"));
    assert!(limit("\"once an nweek\"").contains("It can be read"));
    assert!(check(&room, "after(\"give\", |a| times(\"give\", #{}, \"fortnight\"));").contains("It can be read"));
    let mut room = Room::with(&[(2, r#"action("test", [], |a| say(`${times("give", #{}, "fortnight")}`));"#)]);
    assert!(room.act("ann", "test", json!({})).0.unwrap().contains("no period of this game"));
}

#[test]
fn no_command_is_declared_that_nobody_could_type() {
    let room = Room::new();
    let act = |name: &str| check(&room, &format!("action(\"{name}\", [], |a| 1);"));
    assert!(act("law object").contains("begins with “law”"));
    assert!(act("give").contains("the game has the act “give”"));
    let two = check(&room, r#"action("pay", [], |a| 1); action("pay now", [], |a| 1);"#);
    assert!(two.contains("one begins with all of the other"), "{two}");
    for name in ["rules", "players"] {
        let display = check(&room, &format!("display(\"{name}\", \"R\", |me| 1);"));
        assert!(display.contains(&format!("nobody could reach “{name}”")), "{display}");
    }
}

#[test]
fn of_two_commands_that_cannot_both_be_typed_the_later_rests() {
    let mut room = Room::with(&[(2, r#"action("zot", [], |a| say("zot"));"#)]);
    let said = room.law(3, r#"action("zot request", [], |a| say("request"));"#);
    assert!(said.iter().any(|line| line.contains("“zot request”") && line.contains("rests")), "{said:?}");
    assert_eq!(room.acts("ann", "zot", json!({})), ["zot."]);
    room.directives("=> repeal rule 2");
    assert_eq!(room.acts("ann", "zot request", json!({})), ["request."]);
}

#[test]
fn ranges_that_are_none_are_named_with_what_comes_nearest() {
    let room = Room::new();
    let pay = |param: &str| check(&room, &format!("kind(\"sock\"); action(\"pay\", [\"{param}\"], |a| 1);"));
    assert!(pay("n: whole numbr").contains("“whole number” comes nearest"), "{}", pay("n: whole numbr"));
    assert!(pay("1x: whole number").contains("no name of a parameter"));
    assert!(pay("x: a sokc").contains("takes a sokc, and no rule knows one; “sock” comes nearest"));
    for fine in ["x: a sock", "x: list of socks", "x: a player", "x: an object", "x: one of A, B", "x: a moment"] {
        assert!(!pay(fine).contains("Look at this again") && pay(fine).contains("It can be read"), "{fine}");
    }
}

#[test]
fn a_rule_has_one_law() {
    let mut room = Room::new();
    let block = |name: &str| format!("```law\naction(\"{name}\", [], |a| say(\"x\"));\n```\n");
    let said = room.rule(2, &format!("It is so.\n\n{}\nAnd so.\n\n{}", block("one"), block("two")));
    assert!(said[0].contains("a rule has one law, and this one has 2"), "{said:?}");
}

#[test]
fn what_never_comes_is_told() {
    let room = Room::new();
    let at = |moment: &str| check(&room, &format!("at(\"{moment}\", || say(\"x\"));"));
    let after = |event: &str| check(&room, &format!("kind(\"sock\"); after(\"{event}\", |a| say(\"x\"));"));
    let is_told = |page: String| page.contains("Look at this again");
    for known in ["start of day", "end of week", "start of month", "end of nday", "start of nweek"] {
        assert!(!is_told(at(known)), "{known}");
    }
    for unknown in ["start of date", "start of year", "end of time"] {
        assert!(is_told(at(unknown)), "{unknown}");
    }
    for known in ["give", "new sock", "change of points of player", "refused give", "overdue"] {
        assert!(!is_told(after(known)), "{known}");
    }
    for (unknown, near) in [
        ("new sokc", "“sock”"),
        ("change of pointz of player", "“points”"),
        ("change of points of plyer", "“player”"),
        ("refused gvie", "“give”"),
        ("overdeu", "“overdue”"),
    ] {
        let page = after(unknown);
        assert!(is_told(page.clone()) && page.contains(near), "{unknown}: {page}");
    }
}

#[test]
fn a_law_takes_off_only_what_its_own_rule_set() {
    let law = r#"deed("pay", [], |a| say("paid")); action("plan", [], |a| schedule("1 nday", "pay"));
        action("drop", [], |a| unschedule("pay"));"#;
    let mut room = Room::with(&[(2, law), (3, r#"action("sabotage", [], |a| unschedule("pay"));"#)]);
    room.acts("ann", "plan", json!({}));
    room.acts("bob", "sabotage", json!({}));
    assert_eq!(room.passes(48), ["paid."]);
    room.acts("ann", "plan", json!({}));
    room.acts("ann", "drop", json!({}));
    assert!(room.passes(48).is_empty());
}

#[test]
fn nothing_is_picked_where_nothing_has_weight() {
    let law = r#"define("tickets of player: whole number from 0");
        action("test", [], |a| say(if pick_by(players(), "tickets") == () { "nobody" } else { "somebody" }));"#;
    let mut room = Room::with(&[(2, law)]);
    assert_eq!(room.acts("ann", "test", json!({})), ["nobody."]);
}
