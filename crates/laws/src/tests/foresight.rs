//! What a law may not declare, and what is told of it before anybody is bound.

use kernel::display::{Document, plain};
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
fn a_proposal_is_tried_as_it_stands() {
    let mut room = Room::new();
    let both = "Two rules, and no more.\n\n=> create rule \"One\":\n~~~~\nIt is so.\n\n```law\nafter(\"give\", |a| 1);\n```\n~~~~\n\
                => create rule \"Two\":\n~~~~\n```law\nafter(\"leave\", |a| 1);\n```\n~~~~";
    let told = check(&room, both);
    assert!(told.contains("“after give”") && told.contains("“after leave”"), "{told}");
    room.directives(both);
    let amended = |old: &str, new: &str| format!("=> amend rule \"One\": replace \"{old}\" with \"{new}\"");
    let told = check(&room, &amended("after", "change"));
    assert!(told.contains("“change of give”") && !told.contains("leave"), "{told}");
    assert!(check(&room, &amended("|a| 1", "|a 1")).contains("refused: line 1"));
    assert!(check(&room, &amended("It is so", "It is not")).contains("there is no law in this"));
    assert!(check(&room, &amended("It was", "It is")).starts_with("refused: "));
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
fn a_function_that_there_is_not_is_named_before_it_is_called() {
    let room = Room::new();
    let told = check(&room, "after(\"give\", |a| {\n    if a.amount > 3 { sya(`much`); }\n});");
    assert!(told.contains("line 2, character 23"), "{told}");
    assert!(told.contains("there is no function “sya”; “say” comes nearest: say(text)"), "{told}");
    let told = check(&room, "fn half(n) { floor(n / 2) }\nafter(\"give\", |a| say(half(a.amount, 2)));");
    assert!(told.contains("there is no function “half”"), "{told}");
    let told = check(&room, "after(\"give\", |a| { let l = [1]; l.pusch(2); say(l.len(), 1, 2, 3); });");
    assert!(told.contains("there is no function “pusch”; “push” comes nearest"), "{told}");
    assert!(told.contains("“say” does not take 4 things"), "{told}");
    let fine = r#"
        fn half(n) { floor(n / 2) }
        let colors = ["Red"];
        colors.push("Blue");
        after("give", |a| {
            let most = 3;
            let rich = players().filter(|who| who.points > most && -most < 2 && !(who.points in [1, 2]));
            for (who, place) in rich { who.points += half(place); }
            attempt(|| { let me = a.by; me["points"] -= 1; });
            say(`${rich.len()} ${colors.index_of("Red")} ${type_of(most)} ${rich.map(|who| who.name).reduce(|x, y| x + y, "")}`);
            switch most { 1 => say("one"), _ => () }
        });
    "#;
    let told = check(&room, fine);
    assert!(told.contains("It can be read") && !told.contains("Look at this again"), "{told}");
}

/// The texts of laws in a folder, with the names of their files.
fn laws_in(folder: &str) -> Vec<(String, String)> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let files = std::fs::read_dir(root).unwrap().map(|file| file.unwrap().path());
    let mut found = Vec::new();
    for file in files.filter(|file| file.extension().is_some_and(|end| end == "md")) {
        let (name, text) = (file.display().to_string(), std::fs::read_to_string(&file).unwrap());
        let laws = text.split("```law\n").skip(1).filter_map(|rest| rest.split("\n```").next());
        found.extend(laws.map(|law| (name.clone(), law.to_owned())));
    }
    found
}

#[test]
fn no_law_that_is_shipped_calls_what_there_is_not() {
    let _room = Room::new();
    let rulesets = crate::shipped::names().into_iter().map(|name| format!("../../rulesets/{name}/rules"));
    let folders = ["../../docs/playing/laws", "../bnomic/src/rulebook"].map(str::to_owned);
    let laws: Vec<_> = rulesets.chain(folders).flat_map(|folder| laws_in(&folder)).collect();
    assert!(laws.len() > 40, "{}", laws.len());
    for (file, law) in laws {
        let script = crate::script::compile(&law).unwrap_or_else(|why| panic!("{file}: {}", why.told(&law)));
        assert!(script.unknown.is_empty(), "{file}: {:?}", script.unknown);
    }
}

#[test]
fn numbers_that_are_written_out_are_named() {
    let told = check(&Room::new(), "after(\"give\", |a| {\n    if a.amount > 3 { say(1 + number(\"more\")); }\n});");
    assert!(told.contains("these numbers are written out, and no figures of the rule: 3 (line 2)."), "{told}");
    assert!(!check(&Room::new(), "after(\"give\", |a| say(a.amount - 1));").contains("written out"));
}

/// What a law adds is told where it does, and why not where it does not.
#[test]
fn an_attribute_that_something_else_defines_is_told_beforehand() {
    let mut room = Room::with(&[(2, r#"define("rep of player: whole number from 0");"#)]);
    let points = check(&room, r#"define("points of player: whole number from 0");"#);
    assert!(points.contains("It adds nothing"), "{points}");
    assert!(points.contains("“points of player” of A law that is tried would not be defined: it is defined already"));
    let rep = |range: &str| check(&room, &format!("define(\"rep of player: {range}\");"));
    assert!(rep("text").contains("would not be defined: another rule defines it otherwise"), "{}", rep("text"));
    assert!(!rep("whole number from 0").contains("would not be defined"));
    room.law(3, r#"define("rep of player: text"); define("hat of player: text");"#);
    let under = |room: &Room, rule: &str| {
        let blocks = Toy::mechanics().under(&room.state, &rule.into());
        plain(&Document { blocks, ..Document::default() })
    };
    let page = under(&room, "r3");
    assert!(page.contains("hat of player: text") && !page.contains("rep of player: text"), "{page}");
    assert!(page.contains("“rep of player” of its law is not defined: another rule defines it otherwise."), "{page}");
    assert!(under(&room, "r2").contains("rep of player: whole number from 0"));
}

#[test]
fn a_whole_proposal_is_tried_by_its_law() {
    let told =
        check(&Room::new(), "=> create rule \"Socks\":\n~~~~\nThere are Socks.\n\n```law\nkind(\"sock\");\n```\n~~~~");
    assert!(told.contains("objects of the kind “sock”"), "{told}");
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

#[test]
fn what_would_do_nothing_is_told_beforehand() {
    let room = Room::new();
    let bar = check(&room, r#"forbid("leave", |a| true, "nobody leaves");"#);
    assert!(bar.contains("“bar on leave” of A law that is tried does nothing"), "{bar}");
    let who = |who: &str| check(&room, &format!("action(\"dance\", #{{who: \"{who}\"}}, [], |a| 1);"));
    assert!(who("playerss").contains("is for a playerss, and no rule knows one; “player” comes nearest"));
    for known in ["player", "players", "Judge", "anybody"] {
        assert!(!who(known).contains("no rule knows one"), "{known}");
    }
    assert!(check(&room, r#"action("dance", ["by: a player"], |a| 1);"#).contains("“by” is whoever acts"));
    let twice = check(&room, r#"action("dance", ["how-far: whole number", "how_far: text"], |a| 1);"#);
    assert!(twice.contains("two parameters of “dance” are called “how_far”"), "{twice}");
}
