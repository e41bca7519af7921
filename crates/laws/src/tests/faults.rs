//! Safe mode: faults are told, counted, suspend a function, and a room is steered out of what laws reach.

use kernel::{Game, table::Row, viewer::Viewer};
use serde_json::json;

use crate::{
    Faults,
    toy::{Room, Toy},
};

fn give(room: &mut Room, by: &str) -> (Result<String, String>, Vec<String>) {
    room.native(by, "give", json!({"to": "cid", "amount": 0}))
}

const FAULTY: &str = r#"after("give", |a| { let x = 1 / 0; });"#;

#[test]
fn three_faults_in_a_period_suspend_a_function() {
    let mut room = Room::with(&[(2, FAULTY)]);
    let told = give(&mut room, "ann").1;
    assert!(told[0].starts_with("The law of rule 2, Rule 2, after give: line 1, character 31"), "{told:?}");
    assert!(give(&mut room, "ann").1.is_empty(), "it is told once");
    let told = give(&mut room, "ann").1;
    assert!(told[0].contains("Rule 2 is suspended in this") && told[0].contains("=> resume law of rule 2"), "{told:?}");
    assert!(give(&mut room, "ann").1.is_empty());
    room.directives("=> resume law of rule 2");
    assert!(give(&mut room, "ann").1[0].contains("Nothing of it happened"));
}

/// Of an edit only what it changed is on record; the rest is read from the row as it stands by now.
#[test]
fn the_record_says_that_the_fault_suspends_which_does() {
    let (room, key) = (Room::new(), "r2/after give".to_owned());
    let suspended = Faults { function: "after give".to_owned(), suspended: true, ..Faults::default() };
    let running = Faults { suspended: false, ..suspended.clone() };
    let told = |was, is| <Faults as Row<Toy>>::told(&key, was, is, &room.state);
    assert_eq!(told(Some(&running), Some(&suspended)), "“after give” is suspended");
    assert_eq!(told(Some(&suspended), Some(&suspended)), "the faults of “after give” are counted");
    assert_eq!(told(Some(&suspended), None), "“after give” is resumed");
}

#[test]
fn a_rule_says_what_of_its_law_is_not_played() {
    let mut room = Room::with(&[(2, FAULTY), (3, r#"after("give", |a| number("gone"));"#)]);
    let notes = |room: &Room, rule: &str| Toy::mechanics().notes(&room.state, &rule.into());
    assert!(notes(&room, "r2").is_empty() && notes(&room, "constitution").is_empty());
    (0..3).for_each(|_| drop(give(&mut room, "ann")));
    assert!(notes(&room, "r2")[0].contains("after give, is suspended") && notes(&room, "r2").len() == 1);
    assert!(notes(&room, "r3")[0].contains("after give, rests"));
    room.directives("=> resume law of rule 2");
    assert!(notes(&room, "r2").is_empty());
    room.does("zed", |d| Toy::mechanics().correct("law/2", "suspended", d).unwrap());
    assert!(notes(&room, "r2")[0].starts_with("Its law is suspended"));
}

#[test]
fn a_bar_that_goes_wrong_is_told_counted_and_suspended() {
    let mut room = Room::with(&[(2, r#"forbid("give", |a| a.by.ponits > 1, "never");"#)]);
    let give = |room: &mut Room| room.native("ann", "give", json!({"to": "cid", "amount": 1}));
    let (answer, told) = give(&mut room);
    let answer = answer.unwrap();
    assert!(answer.contains("“points” comes nearest") && answer.contains("Nothing happened"), "{answer}");
    assert!(told[0].contains("bar on give: line 1"), "{told:?}");
    give(&mut room).0.unwrap();
    assert!(give(&mut room).1[0].contains("is suspended in this"));
    assert_eq!(room.value("player/ann.points"), "5");
    give(&mut room).0.unwrap();
    assert_eq!(room.value("player/ann.points"), "4");
}

#[test]
fn a_bar_that_goes_wrong_on_a_command_of_a_law_is_counted() {
    let law = r#"action("test", [], |a| { a.by.points += 1; }); forbid("test", |a| a.by.ponits > 1, "never");"#;
    let mut room = Room::with(&[(2, law)]);
    for _ in 0..3 {
        assert!(room.act("ann", "test", json!({})).0.unwrap().contains("Nothing happened"));
    }
    room.acts("ann", "test", json!({}));
    assert_eq!(room.value("player/ann.points"), "6");
}

#[test]
fn a_bar_whose_figure_is_gone_rests() {
    let mut room = Room::with(&[(2, r#"forbid("give", |a| a.amount > number("most"), "too much");"#)]);
    let (answer, told) = give(&mut room, "ann");
    answer.unwrap();
    assert!(told[0].contains("It rests until a rule gives it"), "{told:?}");
    assert!(give(&mut room, "ann").1.is_empty());
}

#[test]
fn faults_of_another_week_do_not_count() {
    let mut room = Room::with(&[(2, FAULTY)]);
    for _ in 0..5 {
        give(&mut room, "ann").0.unwrap();
        let told = give(&mut room, "ann").1;
        assert!(!told.iter().any(|line| line.contains("suspended")), "{told:?}");
        room.passes(240);
    }
}

#[test]
fn one_doer_alone_suspends_no_act() {
    let law = r#"action("test", [], |a| { a.by.points += 1; let x = 1 / 0; });"#;
    let mut room = Room::with(&[(2, law)]);
    let first = room.act("ann", "test", json!({})).0.unwrap();
    assert!(first.contains("nothing happened") && first.contains("line 1"), "{first}");
    for _ in 0..4 {
        assert!(room.refuses("ann", "test", json!({})).contains("nothing happened"));
    }
    for _ in 0..2 {
        room.passes(24);
        room.act("ann", "test", json!({})).0.unwrap();
    }
    let fourth = room.acts("bob", "test", json!({}));
    assert!(fourth[0].contains("is suspended"), "{fourth:?}");
    assert!(room.refuses("cid", "test", json!({})).contains("“test” is suspended"));
    assert_eq!(room.value("player/ann.points"), "5");
}

/// What it threw is on record each time, and e still counts once.
#[test]
fn one_doer_alone_suspends_no_act_that_draws() {
    let law = r#"action("test", [], |a| { draw(6); a.by.points += 1; let x = 1 / 0; });"#;
    let mut room = Room::with(&[(2, law)]);
    for _ in 0..5 {
        let told = room.acts("ann", "test", json!({}));
        assert!(!told.iter().any(|line| line.contains("is suspended")), "{told:?}");
    }
    assert!(room.act("bob", "test", json!({})).0.unwrap().contains("nothing happened"));
    assert_eq!(room.value("player/ann.points"), "5");
}

#[test]
fn an_amended_law_starts_afresh() {
    let mut room = Room::with(&[(2, FAULTY)]);
    (0..3).for_each(|_| drop(give(&mut room, "ann")));
    room.directives("=> amend rule 2: replace \"1 / 0\" with \"1 / 1; say(`fine`)\"");
    assert_eq!(give(&mut room, "ann").1, ["fine."]);
}

/// Also where only a figure of it is amended: it may have been what the law went wrong by.
#[test]
fn a_law_that_an_amendment_resumes_is_told_of() {
    let mut room = Room::new();
    let law = "```law\nafter(\"give\", |a| say(`${1 / number(\"share\")}`));\n```";
    room.rule(2, &format!("The share is [0](#share).\n\n{law}\n"));
    (0..3).for_each(|_| drop(give(&mut room, "ann")));
    let before = room.state.clone();
    let said = room.directives("=> set share to 1");
    assert_eq!(said.last().unwrap(), "The law of rule 2, Rule 2, is resumed, since the rule was amended.", "{said:?}");
    let differs = Toy::mechanics().differs(&before, &room.state);
    assert!(differs.contains(&"the law of Rule 2 is resumed".to_owned()), "{differs:?}");
    assert_eq!(give(&mut room, "ann").1, ["1."]);
}

#[test]
fn a_moderator_suspends_and_resumes_a_law() {
    let mut room = Room::with(&[(2, r#"forbid("give", |a| a.by.points > 1, "never");"#)]);
    assert_eq!(give(&mut room, "ann").0.unwrap_err(), "never");
    room.does("zed", |d| Toy::mechanics().correct("law/2", "suspended", d).unwrap());
    give(&mut room, "ann").0.unwrap();
    room.does("zed", |d| Toy::mechanics().correct("law/2", "running", d).unwrap());
    give(&mut room, "ann").0.unwrap_err();
    room.does("zed", |d| {
        assert!(Toy::mechanics().correct("law/2", "splendid", d).is_err());
        assert!(Toy::mechanics().correct("law/9", "running", d).is_err());
    });
    room.directives("=> repeal rule 2");
    give(&mut room, "ann").0.unwrap();
    assert!(room.state.rows::<crate::Faults>().is_empty(), "what was counted goes with the law");
}

#[test]
fn a_display_that_goes_wrong_is_no_entry() {
    let room = Room::with(&[(2, r#"display("page", "Page", |me| { let x = 1 / 0; });"#)]);
    let why = Toy::mechanics().show(&room.state, "page", &Viewer::default()).unwrap_err();
    assert!(why.say.contains("nothing is divided by 0"), "{why:?}");
}

#[test]
fn what_a_faulty_follower_did_is_undone_and_the_next_one_is_called() {
    let law = r#"
        after("give", |a| { a.by.points += 100; let x = 1 / 0; });
        after("give", |a| { a.by.points += 1; });
    "#;
    let mut room = Room::with(&[(2, law)]);
    give(&mut room, "ann").0.unwrap();
    assert_eq!(room.value("player/ann.points"), "6");
}

#[test]
fn an_endless_follower_leaves_the_others_enough() {
    let law = r#"
        after("give", |a| { loop { } });
        after("give", |a| { a.by.points += 1; });
    "#;
    let mut room = Room::with(&[(2, law)]);
    give(&mut room, "ann").0.unwrap();
    assert_eq!(room.value("player/ann.points"), "6");
}

/// What a function does after it has ended what it is about is nothing, and what it did before stands: in an act, in what
/// follows, in a group, in a part of a document.
#[test]
fn what_ends_itself_is_over_and_what_it_did_stands() {
    let law = r#"
        kind("bomb", #{law: true});
        define("text of bomb: a law");
        define("fuse of bomb: whole number from 0, 3 at first");
        fn goes_off(bomb, who) { who.points += 1; destroy(bomb); bomb.fuse -= 1; who.points += 100; }
        action("light", [], |a| { goes_off(create("bomb", #{}), a.by); });
        action("drop", [], |a| { create("bomb", #{}); });
        after("drop", |a| goes_off(find("bomb", #{}), a.by));
        action("group", [], |a| {
            let bomb = create("bomb", #{});
            let done = attempt(|| goes_off(bomb, a.by));
            // It is no more before this one begins.
            let after = attempt(|| { a.by.points += 1000; bomb.fuse });
            say(`${done} ${after}`);
        });
        action("run", ["text: a law"], |a| {
            let bomb = create("bomb", #{text: a.text});
            run(bomb, "blast", #{bomb: bomb, who: a.by});
            say("run");
        });
    "#;
    let mut room = Room::with(&[(2, law)]);
    let points = |room: &Room| room.value("player/cid.points");
    assert!(room.acts("cid", "light", json!({})).is_empty());
    assert_eq!(points(&room), "1");
    assert!(room.acts("cid", "drop", json!({})).is_empty());
    assert_eq!(points(&room), "2");
    assert_eq!(room.acts("cid", "group", json!({})), ["true false."]);
    assert_eq!(points(&room), "3");
    let text =
        "```law\npart(\"blast\", |a| { a.who.points += 1; destroy(a.bomb); a.bomb.fuse; a.who.points += 9; });\n```";
    assert_eq!(room.acts("cid", "run", json!({"text": text})), ["run."]);
    assert_eq!(points(&room), "4");
    assert_eq!(room.state.world.count("bomb"), 0);
}

/// What follows by itself and is refused something is told once in a period, with its line, and goes on: what it requires
/// is as it should be.
#[test]
fn what_is_refused_to_what_follows_is_told_once() {
    let law = r#"
        deed("pay", ["who: a player"], |a| { require(a.who.points > 0, "e is broke"); a.who.points -= 1; });
        deed("fine", [], |a| require(false, "nobody is fined"));
        forbid("bribe", |a| true, "nobody bribes");
        deed("bribe", [], |a| say("a bribe"));
        after("give", |a| require(a.amount > 5, "it is little"));
        after("give", |a| {
            say("undone");
            perform("pay", #{who: the("Cid")});
        });
        after("give", |a| { let cid = the("Cid"); cid.points -= 7; });
        after("give", |a| if a.amount == 0 { refuse("it is nothing") });
        after("give", |a| { for deed in ["fine", "bribe"] { schedule("1 hour", deed); } });
    "#;
    let mut room = Room::with(&[(2, law)]);
    let zero = |room: &mut Room| room.native("ann", "give", json!({"to": "bob", "amount": 0})).1;
    let told = zero(&mut room);
    let head = "The law of rule 2, Rule 2, after give";
    let about = |line: &str, why: &str| told.iter().any(|told| told.contains(line) && told.contains(why));
    assert!(about(&format!("{head} (2): line 9, "), "e is broke. Nothing of it happened."), "{told:?}");
    assert!(about(&format!("{head} (3): line 11, "), "points of Cid would be -7"), "{told:?}");
    assert!(about(&format!("{head} (4): line 12, "), "it is nothing. Nothing of it happened."), "{told:?}");
    assert_eq!(told.len(), 3, "{told:?}");
    let told = room.passes(2);
    assert!(told[0].starts_with("The law of rule 2, Rule 2, act bribe: nobody bribes"), "{told:?}");
    assert_eq!(told.len(), 1, "{told:?}");
    for _ in 0..5 {
        assert!(zero(&mut room).is_empty(), "it is told once, and suspends nothing");
    }
    room.passes(240);
    assert_eq!(zero(&mut room).len(), 3, "in another period it is told again");
}

/// Whoever asks a condition that goes wrong is told of it, and is not suspended for it.
#[test]
fn a_fault_of_a_condition_is_its_own() {
    let asks =
        r#"forbid("give", |a| holds("rich", a.by), "no"); action("ask", [], |a| say(`${holds("rich", a.by)}`));"#;
    let mut room = Room::with(&[(2, asks), (3, "condition(\"rich\", |x|\n x.ponits > 1);")]);
    let (answer, told) = room.act("ann", "ask", json!({}));
    let answer = answer.unwrap();
    assert!(answer.contains("the condition “rich” of rule 3 went wrong: line 2"), "{answer}");
    assert!(told[0].starts_with("The law of rule 3, Rule 3, condition rich: line 2"), "{told:?}");
    for by in ["bob", "cid"] {
        drop(give(&mut room, by));
    }
    let notes = |room: &Room, rule: &str| Toy::mechanics().notes(&room.state, &rule.into());
    assert!(notes(&room, "r2").is_empty(), "{:?}", notes(&room, "r2"));
    assert!(notes(&room, "r3")[0].contains("condition rich, is suspended"), "{:?}", notes(&room, "r3"));
    // Then the bar that asks it rests, and the act says why.
    assert!(give(&mut room, "ann").0.is_ok());
    let (answer, _) = room.act("bob", "ask", json!({}));
    assert!(answer.unwrap_err().contains("the condition “rich” is suspended"));
}
