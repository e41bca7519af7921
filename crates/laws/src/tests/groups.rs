//! Groups by themselves: what is only tried, what is done in turn; the order of what shares an instant.

use serde_json::json;

use crate::toy::Room;

#[test]
fn what_is_only_tried_says_why_it_would_be_refused_and_is_taken_back() {
    let law = r#"
        kind("sock"); define("n of sock: whole number from 0 to 5");
        after("new sock", |a| say("heard"));
        let tries = |n| why_not(|| { create("sock", #{n: n}); require(n != 3, "three is odd"); });
        condition("fits", |n| tries.call(n) == ());
        forbid("give", |a| !holds("fits", a.amount), "it does not fit");
        action("try", ["n: whole number"], |a| say(`${tries.call(a.n)} and ${count("sock")}`));
        action("roll", [], |a| why_not(|| draw(6)));
        display("socks", "Socks", |me| table(["n"], [[tries.call(9)]]));
    "#;
    let mut room = Room::with(&[(2, law)]);
    assert_eq!(room.acts("ann", "try", json!({"n": 3})), ["three is odd and 0."]);
    assert_eq!(room.acts("ann", "try", json!({"n": 2})), ["and 0."]);
    let refused = room.acts("ann", "try", json!({"n": 9}));
    assert!(refused[0].contains("9") && refused[0].ends_with("and 0."), "{refused:?}");
    assert!(room.native("ann", "give", json!({"to": "bob", "amount": 0})).0.is_ok());
    assert!(room.native("ann", "give", json!({"to": "bob", "amount": 3})).0.unwrap_err().contains("it does not fit"));
    assert!(room.shows("socks").unwrap().contains("9"));
    let (answer, _) = room.act("ann", "roll", json!({}));
    assert!(answer.unwrap().contains("what is only tried draws no numbers"));
}

#[test]
fn what_is_done_in_turn_has_the_bounds_of_an_act_each() {
    let law = r#"
        kind("paper"); define("n of paper: whole number"); define("read of paper: yes/no");
        action("lay", ["n: whole number"], |a| for n in 1..=a.n { create("paper", #{n: n}); });
        deed("read", ["p: a paper"], |a| {
            require(a.p.n != 2, "it cannot be read");
            if a.p.n == 3 { let x = 1 / 0; }
            let sum = 0;
            for i in 0..30000 { sum += i; }
            let p = a.p;
            p.read = true;
            say(`read ${p.n}`);
        });
        after("read", |a| { say(`after ${a.p.n}`); if a.p.n == 7 { for p in all("paper", #{n: 8}) { destroy(p); } } });
        action("tally", [], |a| {
            say("begin");
            let done = in_turn(all("paper"), "read", |p| p.exists && p.n != 5);
            say(`${done} of ${count("paper")}`);
        });
        action("all", [], |a| in_turn(all("paper"), "read"));
        deed("nest", ["p: a paper"], |a| in_turn([a.p], "read"));
        action("nested", [], |a| in_turn(all("paper", #{n: 1}), "nest"));
    "#;
    let mut room = Room::with(&[(2, law)]);
    room.acts("ann", "lay", json!({"n": 9}));
    let said = room.acts("ann", "tally", json!({}));
    let told: Vec<&str> = said.iter().map(String::as_str).filter(|line| !line.starts_with("The law of rule")).collect();
    let each = ["read 1.", "after 1.", "read 4.", "after 4.", "read 6.", "after 6.", "read 7.", "after 7."];
    assert_eq!(told, [&["begin."][..], &each, &["read 9.", "after 9.", "5 of 8."]].concat());
    assert_eq!(
        said.iter().filter(|line| line.contains("deed read") || line.contains("act read")).count(),
        1,
        "{said:?}"
    );
    assert!(room.all_operations > 500_000, "{}", room.all_operations);
    assert!(room.act("ann", "nested", json!({})).1.iter().any(|line| line.contains("does nothing in turn itself")));
}

#[test]
fn what_is_done_in_turn_takes_no_more_than_a_law_may_in_an_hour() {
    let law = r#"
        kind("paper");
        action("lay", [], |a| for n in 0..100 { create("paper"); });
        deed("burn", ["p: a paper"], |a| { let p = a.p; destroy(p); let n = 0; for i in 0..60000 { n += i; } });
        action("tally", [], |a| in_turn(all("paper"), "burn"));
        action("left", [], |a| say(`${count("paper")}`));
    "#;
    let mut room = Room::with(&[(2, law)]);
    room.acts("ann", "lay", json!({}));
    let (answer, _) = room.act("ann", "tally", json!({}));
    assert!(answer.unwrap().contains("more than a law may in an hour"));
    assert_eq!(room.acts("ann", "left", json!({})), ["100."]);
}

#[test]
fn what_shares_an_instant_goes_by_rule_or_by_its_rank() {
    let laws = |rank: &str, late: &str| {
        let two =
            format!("after(\"give\", {rank} |a| say(\"two\")); at(\"start of day\", {rank} || say(\"day two\"));");
        let deed = format!(
            "deed(\"d2\", [], |a| say(\"due two\")); \
             action(\"set\", [], |a| schedule(now(), \"d2\", #{{}}, #{{{late}}}));"
        );
        let three = r#"
            after("give", |a| say("three"));
            at("start of day", || say("day three"));
            deed("d3", [], |a| say("due three"));
            action("add", [], |a| schedule("0 hours", "d3"));
        "#;
        Room::with(&[(2, &format!("{two}{deed}")), (3, three)])
    };
    for (rank, late, order) in [("", "", ["two", "three"]), ("#{rank: 9},", "rank: 9", ["three", "two"])] {
        let mut room = laws(rank, late);
        let said = room.native("ann", "give", json!({"to": "bob", "amount": 0})).1;
        assert_eq!(said, order.map(|word| format!("{word}.")));
        let said: Vec<String> = room.passes(25).into_iter().filter(|line| line.starts_with("day")).collect();
        assert_eq!(said[..2], order.map(|word| format!("day {word}.")));
        room.acts("ann", "add", json!({}));
        room.acts("ann", "set", json!({}));
        let said: Vec<String> = room.passes(1).into_iter().filter(|line| line.starts_with("due")).collect();
        assert_eq!(said, order.map(|word| format!("due {word}.")));
    }
}
