//! Odd states that laws bring a room into: out of each it is steered, by a moderator and by repeal.

use kernel::{
    Draft, Game, Id,
    rulebook::{RuleAct, RuleOp, Splice},
};
use serde_json::json;

use crate::{
    tables::{Ask, Done, Enacted, Faults, Intent, Later, Midnight, Sealed},
    toy::{Room, Toy},
};

/// What two laws of one state stand between.
const NEXT_RULE: &str = "////";

/// The states, each by its laws. Of their commands those called `test` and `more` are taken, then Ann gives, and days pass.
const STATES: &[&str] = &[
    // What bars.
    r#"forbid("give", |a| true, "never");"#,
    r#"forbid("give", |a| a.by.nothing, "never");"#,
    r#"forbid("give", |a| { loop { } }, "never");"#,
    r#"forbid("give", |a| { fn_that_is_not(a) }, "never");"#,
    r#"forbid("give", |a| number("gone") > 1, "never");"#,
    r#"forbid("leave", |a| true, "never"); forbid("give", |a| true, "never"); forbid("test", |a| true, "never");"#,
    r#"action("test", [], |a| say("x")); forbid("test", |a| true, "never");"#,
    r#"forbid("give", |a| true, "one"); //// forbid("give", |a| true, "two"); //// forbid("give", |a| true, "three");"#,
    r#"condition("c", |x| true); forbid("give", |a| holds("c", a.by), "never");"#,
    r#"condition("c", |x| holds("c", x)); forbid("give", |a| holds("c", a.by), "never");"#,
    // What changes acts.
    r#"change("give", |a| a.amount = 1000000);"#,
    r#"change("give", |a| a.to = "nobody");"#,
    r#"change("give", |a| a.to = a.by);"#,
    r#"change("give", |a| { let l = []; loop { l.push(l); } });"#,
    r#"change("give", |a| a.nothing = 1);"#,
    // What follows.
    r#"after("give", |a| { loop { } });"#,
    r#"after("give", |a| perform("give", a)); deed("give to", [], |a| 1);"#,
    r#"deed("one", [], |a| 1); deed("two", [], |a| 1); after("one", |a| perform("two")); after("two", |a| perform("one"));
       after("give", |a| perform("one"));"#,
    r#"after("change of points of player", |a| a.of.points += 1);"#,
    r#"after("change of points of player", |a| if a.now > a.was { a.of.points = a.was; });"#,
    r#"after("give", |a| { for p in players() { p.points = 0; } });"#,
    r#"after("give", |a| { let x = 1 / 0; });"#,
    r#"whenever(|| { for p in players() { p.points += 1; } });"#,
    r#"whenever(|| { for p in players() { p.points = 7; } });"#,
    r#"whenever(|| { for p in players() { p.points = 7; } }); //// whenever(|| { for p in players() { p.points = 8; } });"#,
    // What grows.
    r#"kind("sock"); after("give", |a| for i in 0..500 { create("sock"); });"#,
    r#"kind("sock"); after("new sock", |a| create("sock")); action("test", [], |a| create("sock"));"#,
    r#"kind("sock"); define("next of sock: a sock", #{gone: "destroy"});
       action("test", [], |a| { let one = create("sock"); let two = create("sock", #{next: one}); one.next = two; });"#,
    r#"kind("sock"); define("next of sock: a sock", #{gone: "keep"});
       action("test", [], |a| { let one = create("sock"); create("sock", #{next: one}); destroy(one); });"#,
    r#"define("words of player: text"); action("test", [], |a| { let t = ""; t.pad(2000, "y"); a.by.words = t; });"#,
    r#"define("pot of game: whole number"); action("test", [], |a| { let room = game(); room.pot = 9; });"#,
    r#"there_is("company", "The Company"); define("chief of company: a player");
       action("test", [], |a| { let it = the("The Company"); it.chief = a.by; });"#,
    r#"kind("sock"); action("test", [], |a| for i in 0..100 { create("sock", #{name: "Constitution"}); });"#,
    // What waits.
    r#"deed("again", [], |a| schedule("1 nday", "again")); action("test", [], |a| schedule("1 nday", "again"));"#,
    r#"deed("again", [], |a| { schedule("1 nday", "again"); schedule("1 nday", "again"); });
       action("test", [], |a| schedule("1 nday", "again"));"#,
    r#"deed("later", [], |a| { loop { } }); action("test", [], |a| for i in 0..900 { schedule("1 nday", "later"); });"#,
    r#"deed("later", [], |a| 1); action("test", [], |a| schedule("3000 days", "later"));"#,
    r#"action("more", [], |a| 1); action("test", [], |a| for i in 0..400 { ask(a.by, "more", #{}); });"#,
    r#"action("more", [], |a| 1); after("overdue", |a| ask(a.of, "more", #{}, "1 nday"));
       action("test", [], |a| ask(a.by, "more", #{}, "1 nday"));"#,
    r#"action("more", [], |a| 1); action("test", [], |a| ask("Judge", "more", #{}, "1 nday"));"#,
    r#"action("test", #{needs: "without 2 objections within 2 ndays"}, [], |a| say("x"));"#,
    r#"action("test", #{needs: "with 9 support"}, [], |a| say("x"));"#,
    r#"action("test", #{sealed: true}, [], |a| say("x"));"#,
    r#"at("start of day", || { loop { } });"#,
    r#"at("end of day", || { for p in players() { p.points += 1; } }); at("start of day", || { let x = 1 / 0; });"#,
    // What is counted, rests and cannot be read.
    r#"action("test", #{limit: "once a day"}, [], |a| say("x"));"#,
    r#"action("test", [], |a| { let x = 1 / 0; });"#,
    r#"action("test", [], |a| a.by.points -= number("gone")); after("give", |a| number("gone"));"#,
    r#"this is no script"#,
    r#"loop { }"#,
    r#"action("test", [], |a| 1); //// action("test", [], |a| 2); //// action("test more", [], |a| 3);"#,
    r#"define("points of player: text");"#,
    r#"define("hp of player: whole number from 3, 1 at first"); action("test", [], |a| { a.by.hp = 5; });"#,
    r#"display("page", "P", |me| { loop { } }); display("rules", "R", |me| 1);"#,
    r#"kind("seal"); are("seal", "player"); define("hp of seal: whole number"); action("test", [], |a| create("seal"));"#,
    r#"speaks_for("player", |who, it| { loop { } });"#,
    r#"action("test", [], |a| { for i in 0..50 { say("x"); } for i in 0..500 { draw(6); } });"#,
];

/// A room in one of the states.
fn reached(laws: &str) -> (Room, Vec<u32>) {
    let mut room = Room::new();
    let mut rules = Vec::new();
    for (number, law) in (2..).zip(laws.split(NEXT_RULE)) {
        room.law(number, law);
        rules.push(number);
    }
    for act in ["test", "more"] {
        for _ in 0..3 {
            let (_answer, _said) = room.act("ann", act, json!({}));
        }
    }
    for _ in 0..4 {
        let (_answer, _said) = room.native("ann", "give", json!({"to": "bob", "amount": 1}));
        room.passes(30);
    }
    (room, rules)
}

/// Whether an ordinary act is done, and no more than that.
fn gives(room: &mut Room) {
    room.does("zed", |d| d.overwrite("player/ann.points".parse().unwrap(), kernel::Value::Num(3.into())));
    let before = room.value("player/bob.points");
    let (answer, said) = room.native("ann", "give", json!({"to": "bob", "amount": 1}));
    assert_eq!((answer, said), (Ok(String::new()), Vec::new()));
    assert_eq!(room.value("player/ann.points"), "2");
    assert_ne!(room.value("player/bob.points"), before);
}

fn corrected(room: &mut Room, rule: u32, to: &str) {
    room.does("zed", |d| Toy::mechanics().correct(&format!("law/{rule}"), to, d).expect("it is about a law"));
}

#[test]
fn a_moderator_steers_a_room_out_of_whatever_laws_reach() {
    assert!(STATES.len() >= 50, "{}", STATES.len());
    for laws in STATES {
        let (mut room, rules) = reached(laws);
        rules.iter().for_each(|rule| corrected(&mut room, *rule, "suspended"));
        let gives = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| gives(&mut room)));
        assert!(gives.is_ok(), "{laws}");
    }
}

/// Whatever was done to its text, its title, or to itself, a rule is put back, and the law that was there with it.
#[test]
fn a_moderator_puts_a_rule_back_out_of_whatever_laws_reach() {
    for laws in STATES {
        let (mut room, rules) = reached(laws);
        let all: Vec<Id> = room.state.rules.all().iter().map(|rule| rule.id().clone()).collect();
        let stands =
            |room: &Room, id: &Id| room.state.rules.in_force(id).map(|rule| (rule.label(), rule.text().clone()));
        let was: Vec<_> = all.iter().map(|id| stands(&room, id)).collect();
        for harm in [amended, retitled, repealed] {
            all.iter().for_each(|id| drop(room.does("zed", |d| harm(d, id))));
            for (id, was) in all.iter().zip(&was) {
                assert_ne!(stands(&room, id), *was, "{laws}");
                room.corrects(&format!("rule/{id}"), "revision 0");
                assert_eq!(stands(&room, id), *was, "{laws}");
            }
        }
        rules.iter().for_each(|rule| corrected(&mut room, *rule, "suspended"));
        let gives = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| gives(&mut room)));
        assert!(gives.is_ok(), "{laws}");
    }
}

fn amended(d: &mut Draft<'_, Toy>, id: &Id) {
    let Some(rule) = d.rules.get(id) else { return };
    let splice = Splice { at: 0, old: String::new(), new: "Nothing is so. ".to_owned() };
    let act = RuleAct::Amend { from: rule.revision(), splice };
    d.rule(RuleOp::new(id.clone(), act));
}

fn retitled(d: &mut Draft<'_, Toy>, id: &Id) {
    let Some(rule) = d.rules.get(id) else { return };
    let act = RuleAct::Retitle { to: "Another".to_owned(), was: rule.title().to_string() };
    d.rule(RuleOp::new(id.clone(), act));
}

fn repealed(d: &mut Draft<'_, Toy>, id: &Id) {
    d.rule(RuleOp::new(id.clone(), RuleAct::Repeal));
}

/// A law that a moderator suspended goes on by nothing else than that somebody says so.
#[test]
fn what_a_moderator_suspended_outlasts_every_amendment() {
    let mut room = Room::with(&[(2, r#"action("test", [], |a| say("x"));"#)]);
    corrected(&mut room, 2, "suspended");
    for harm in [amended, retitled, repealed] {
        room.does("zed", |d| harm(d, &"r2".into()));
        room.corrects("rule/r2", "revision 0");
        let why = room.refuses("ann", "test", json!({}));
        assert!(why.contains("suspended"), "{why}");
    }
    room.directives("=> resume law of rule 2");
    assert_eq!(room.acts("ann", "test", json!({})), ["x."]);
}

#[test]
fn of_a_law_that_is_repealed_nothing_is_left() {
    for laws in STATES {
        let (mut room, rules) = reached(laws);
        for rule in rules.iter().rev() {
            room.directives(&format!("=> repeal rule {rule}"));
        }
        let state = &room.state;
        assert!(state.rows::<Enacted>().is_empty() && state.rows::<Faults>().is_empty(), "{laws}");
        assert!(state.rows::<Later>().is_empty() && state.rows::<Done>().is_empty(), "{laws}");
        assert!(state.rows::<Ask>().is_empty() && state.rows::<Intent>().is_empty(), "{laws}");
        assert!(state.rows::<Sealed>().is_empty() && state.rows::<Midnight>().is_empty(), "{laws}");
        assert!(Toy::mechanics().commands(state).is_empty() && Toy::mechanics().next_due(state).is_none(), "{laws}");
        let of_players = |room: &Room| room.state.world.objects().cloned().collect::<Vec<_>>();
        assert_eq!(of_players(&room), of_players(&Room::new()), "{laws}");
        assert_eq!(state.world.defs().count(), Room::new().state.world.defs().count(), "{laws}");
        gives(&mut room);
    }
}

/// Another law gives its objects something meanwhile: that alone is no kind of the game's.
#[test]
fn a_kind_comes_back_with_its_law() {
    let badge = "kind(\"badge\"); action(\"pin\", [], |a| { create(\"badge\", #{}); });";
    let mut room = Room::new();
    room.law(2, badge);
    room.law(3, "define(\"shine of badge: text\");");
    room.directives("=> repeal rule 2");
    let said = room.law(4, badge);
    assert!(said.iter().any(|line| line.contains("is in force: command “pin”")), "{said:?}");
}
