//! What laws take by themselves: it is bounded by the hour, and no law takes another one's.

use std::collections::BTreeMap;

use serde_json::json;

use crate::{
    budgets::Budget,
    limits::{
        ACT_MAX_BYTES, ACT_MAX_MESSAGES, ACT_MAX_OPERATIONS, DEED_OPERATIONS, HOUR_MAX_BYTES, HOUR_MAX_MESSAGES,
        HOUR_MAX_OPERATIONS, ROOM_HOUR_MAX_BYTES, ROOM_LATER_MAX_COUNT,
    },
    reading,
    stage::Stage,
    tables::Later,
    toy::Room,
};

/// A law whose command sets as many deeds for the next minute as it may. Each does something greedy and says its number.
fn greedy(name: &str, does: &str) -> String {
    let does = does.replace("NAME", name);
    format!(
        "define(\"{name} of player: text\");\n\
         fn long() {{ let t = \"\"; for i in 0..2000 {{ t += \"x\"; }} t }}\n\
         deed(\"{name} later\", [\"n: whole number\"], |a| {{ {does}\nsay(`{name} ${{a.n}}`); }});\n\
         action(\"{name}\", [\"n: whole number\"], |a| for n in 0..a.n {{ schedule(\"1 minute\", \"{name} later\", #{{n: n}}); }});\n\
         action(\"typed {name}\", [], |a| say(\"{name} is typed\"));"
    )
}

/// How many deeds a law sets that has places for more, and nothing left for all of them.
const DEEDS_COUNT: u32 = 95;

/// What a law can have too much of, each with what takes it.
const GREED: [(&str, &str); 3] = [
    ("operations", "for i in 0..450000 { }"),
    ("bytes", "let ann = the(\"Ann\"); let t = long(); for i in 0..30 { ann.NAME = `${a.n} ${i}${t}`; }"),
    ("announcements", "for i in 0..50 { tell(the(\"Ann\"), \"psst\"); }"),
];

/// The numbers that a greedy law said, in order.
fn numbers(said: &[String], name: &str) -> Vec<u32> {
    let number = |line: &String| line.strip_prefix(name)?.trim().trim_end_matches('.').parse().ok();
    said.iter().filter_map(number).collect()
}

#[test]
fn what_a_law_has_set_for_later_waits_while_it_has_nothing_left_and_keeps_its_order() {
    for (name, does) in GREED {
        let mut room = Room::with(&[(2, &greedy(name, does))]);
        room.acts("ann", name, json!({"n": DEEDS_COUNT}));
        let said = room.passes(1);
        let first = numbers(&said, name);
        assert!((1..95).contains(&first.len()), "{name}: {}", first.len());
        let told: Vec<&String> = said.iter().filter(|line| line.contains("waits until 2026-11-02 11:00")).collect();
        let [told] = told[..] else { panic!("{name}: {told:?}") };
        assert!(told.contains(&format!("has taken all {name} that")), "{told}");
        // What is typed is whoever's who types it.
        assert_eq!(room.acts("ann", &format!("typed {name}"), json!({})), [format!("{name} is typed.")]);
        let all = [first, numbers(&room.passes(48), name)].concat();
        assert_eq!(all, (0..DEEDS_COUNT).collect::<Vec<_>>(), "{name}");
        assert!(room.state.rows::<Later>().is_empty());
    }
}

#[test]
fn an_hour_is_bounded_for_a_law_that_sets_its_deeds_anew_for_ever() {
    for (name, does) in GREED {
        let again = format!("{does} schedule(\"1 minute\", \"{name} later\", #{{n: a.n}});");
        let mut room = Room::with(&[(2, &greedy(name, &again))]);
        room.acts("ann", name, json!({"n": 60}));
        for _ in 0..2 {
            let before = room.all_operations;
            room.passes(1);
            let (most, row) = (HOUR_MAX_OPERATIONS + 1_000_000, room.state.row::<Budget>(&"r2".into()).unwrap());
            assert!(room.all_operations - before <= 2 * most, "{name}: {} operations", room.all_operations - before);
            assert!(row.operations <= most, "{name}: {row:?}");
            assert!(row.bytes <= HOUR_MAX_BYTES + u64::try_from(ACT_MAX_BYTES).unwrap(), "{name}: {row:?}");
            assert!(row.announced <= HOUR_MAX_MESSAGES + u64::try_from(ACT_MAX_MESSAGES).unwrap(), "{name}: {row:?}");
        }
    }
}

/// Nine laws are greedy, so that the room has nothing left. The tenth has what it needs, at its time.
#[test]
fn no_law_takes_what_is_another_one_s() {
    let mut room = Room::new();
    for number in 2..11 {
        let name = format!("greed{number}");
        room.law(number, &greedy(&name, GREED[1].1));
        let places = ROOM_LATER_MAX_COUNT / 8;
        let (answer, _) = room.act("ann", &name, json!({ "n": places }));
        // The room is full for whoever has more than eir share of it.
        assert_eq!(answer.is_ok(), number < 10, "{number}: {answer:?}");
    }
    let modest = r#"
        deed("tick", ["n: whole number"], |a| { say(`tick ${a.n}`); if a.n < 9 { schedule("9 minutes", "tick", #{n: a.n + 1}); } });
        action("begin", [], |a| { schedule("9 minutes", "tick", #{n: 1}); ask("Judge", "answer", #{}, "30 minutes"); });
        action("answer", [], |a| ());
        after("overdue", |a| say(`it is ${game().nday}, and overdue`));
    "#;
    room.law(11, modest);
    room.acts("ann", "begin", json!({}));
    let said = room.passes(1);
    assert_eq!(numbers(&said, "tick"), [1, 2, 3, 4, 5, 6]);
    assert!(said.iter().any(|line| line.contains("overdue")), "a duty ends at its time");
    let told: Vec<&String> = said.iter().filter(|line| line.contains("waits until 2026-11-02 11:00")).collect();
    assert!(told.len() == 8 && told.iter().all(|line| !line.contains("Rule 11")), "{told:?}");
    let all: u64 = room.state.rows::<Budget>().values().map(|row| row.bytes).sum();
    assert!(all <= 2 * ROOM_HOUR_MAX_BYTES, "{all} bytes");
    assert_eq!(numbers(&room.passes(1), "tick"), [7, 8, 9]);
}

/// Each law has its own in what the game's time brings.
#[test]
fn an_instant_of_the_game_s_time_is_done_for_every_law_whatever_others_take() {
    let mut room = Room::new();
    for number in 2..8 {
        let greedy = "at(\"start of day\", || { for i in 0..30000 { } });\n".repeat(3);
        room.law(number, &format!("{greedy}after(\"start of day\", |a| {{ for i in 0..30000 {{ }} }});"));
    }
    room.law(8, "at(\"start of day\", || say(\"a modest law\"));\nwhenever(|| for i in 0..30000 { });");
    let said = room.passes(24);
    assert_eq!(said, ["a modest law."]);
    let taken: BTreeMap<String, u64> =
        room.state.rows::<Budget>().iter().map(|(rule, row)| (rule.to_string(), row.operations)).collect();
    // The modest law has taken too little to be told.
    assert!(taken.len() == 6 && taken["r2"] > 3 * 30_000, "{taken:?}");
}

#[test]
fn a_law_that_asks_again_whenever_nobody_answers_is_bounded() {
    let law = r#"
        action("answer", ["n: whole number"], |a| ());
        action("begin", ["from: whole number"], |a| for n in 0..9 { ask("Judge", "answer", #{n: a.from + n}, "1 minute"); });
        after("overdue", |a| { for i in 0..30000 { } unask("answer", #{n: a.n}); ask("Judge", "answer", #{n: a.n}, "1 minute"); });
    "#;
    let mut room = Room::with(&[(2, law)]);
    room.acts("ann", "begin", json!({"from": 0}));
    let before = room.all_operations;
    room.passes(1);
    let most = 2 * (HOUR_MAX_OPERATIONS + 9 * ACT_MAX_OPERATIONS);
    assert!(room.all_operations - before <= most, "{} operations", room.all_operations - before);
    let asked = room.acts("ann", "begin", json!({"from": 9}));
    assert!(!asked.is_empty(), "what is typed is asked as ever");
}

#[test]
fn a_small_deed_costs_its_entry_and_the_page_of_the_rule_says_what_was_taken() {
    let law = r#"deed("tick", [], |a| say("tick")); action("begin", [], |a| schedule("1 minute", "tick"));"#;
    let mut room = Room::with(&[(2, law)]);
    room.acts("ann", "begin", json!({}));
    assert!(room.state.rows::<Budget>().is_empty(), "what is typed is not the law's to pay");
    room.passes(1);
    let row = room.state.row::<Budget>(&"r2".into()).unwrap().clone();
    assert!((DEED_OPERATIONS..2 * DEED_OPERATIONS).contains(&row.operations) && row.announced == 1, "{row:?}");
    room.directives("=> repeal rule 2");
    assert!(room.state.rows::<Budget>().is_empty());
}

/// What a program remembers of a law makes no difference to what it takes.
#[test]
fn what_must_hold_takes_the_same_whether_it_is_remembered_or_not() {
    let law = r#"
        kind("sock"); define("color of sock: one of red, blue");
        action("lay", [], |a| for i in 0..50 { create("sock", #{color: "red"}); });
        action("nod", [], |a| a.by.points += 1);
        whenever(|| for sock in all("sock", #{color: "blue"}) { destroy(sock); });
        whenever(|| { let n = 0; for sock in all("sock", #{color: "red"}) { n += 1; } if n > 100 { say("many"); } });
    "#;
    let mut room = Room::with(&[(2, law)]);
    room.acts("ann", "lay", json!({}));
    let mut nods = |forgets: bool| {
        room.does("ann", |d| {
            let registry = reading::in_force(d as &mut dyn Stage).unwrap();
            registry.whenever.iter().filter(|_| forgets).for_each(|always| always.idle.lock().unwrap().clear());
        });
        room.acts("ann", "nod", json!({}));
        room.operations
    };
    assert_eq!(nods(false), nods(true));
}
