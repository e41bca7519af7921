//! What is kept of a law that ran: where a change comes from, and what it cost.

use kernel::{
    display::{Document, plain},
    game::Game,
};
use serde_json::json;

use crate::toy::{Room, Toy};

const TAX: &str = r#"The tax is [1](#tax), and who has [3](#rich) is rich.

```law
condition("rich", |who| who.points >= number("rich"));
action("tax", [], |a| {
    a.by.points -= number("tax");
    let bob = the("Bob");
    if holds("rich", a.by) { bob.points += 1; }
});
after("tax", |a| {
    let cid = the("Cid");
    cid.points += 1;
});
display("poor", "The poor", |me| table(players(), ["name"]));
```
"#;

#[test]
fn a_change_names_the_line_of_its_law_and_the_figures_that_it_read() {
    let mut room = Room::new();
    room.rule(2, TAX);
    room.acts("ann", "tax", json!({}));
    assert_eq!(
        room.sources,
        ["Rule 2, line 2 of its law (tax 1)", "Rule 2, line 2 of its law (rich 3, tax 1)", "Rule 2, line 7 of its law"]
    );
}

#[test]
fn what_a_document_does_names_its_own_line() {
    let law = r#"
        kind("trick", #{law: true});
        define("text of trick: a law");
        action("learn", ["text: a law"], |a| create("trick", #{name: "Trick", text: a.text}));
        action("use", ["which: a trick"], |a| run(a.which, "work", #{by: a.by}));
    "#;
    let mut room = Room::with(&[(2, law)]);
    let text = "A trick.\n\n```law\n// What it does.\npart(\"work\", |a| { let me = a.by; me.points += 1; });\n```\n";
    room.acts("ann", "learn", json!({ "text": text }));
    room.acts("ann", "use", json!({"which": "1"}));
    assert_eq!(room.sources, ["Rule 2, Trick, line 2 of its law"]);
}

fn under(room: &Room) -> String {
    let blocks = Toy::mechanics().under(&room.state, &"r2".into());
    plain(&Document { blocks, ..Document::default() })
}

#[test]
fn a_rule_says_what_its_law_adds_and_when_it_ran() {
    let mut room = Room::new();
    room.rule(2, TAX);
    let told = under(&room);
    for added in ["the command “tax”", "the display “poor”", "“after tax”", "“condition rich”"] {
        assert!(told.contains(added), "{added}: {told}");
    }
    assert!(!told.contains("ran"), "{told}");
    room.law(3, "after(\"tax\", |a| say(\"heard\"));\nafter(\"give\", |a| say(\"given\"));");
    room.native("ann", "give", json!({"to": "bob", "amount": 0})).0.unwrap();
    assert!(under(&room).contains("has not run since the program was started"));
    room.acts("ann", "tax", json!({}));
    let last = room.state.ran.last(&"r2".into()).unwrap();
    assert!(last.seq == room.state.seq && (10..1_000).contains(&last.operations), "{last:?}");
    let told = under(&room);
    let when = format!(
        "Its law ran last in entry {}, 2026-11-02 10:00 UTC, and took {} operations",
        last.seq, last.operations
    );
    assert!(told.contains(&when), "{told}");
}

#[test]
fn what_an_act_takes_depends_on_nothing_that_its_thread_did_before() {
    let mut room = Room::with(&[(2, "action(\"nod\", [], |a| say(\"nods\"));\nafter(\"nod\", |a| say(\"seen\"));")]);
    std::thread::scope(|scope| scope.spawn(|| room.acts("ann", "nod", json!({}))).join().unwrap());
    let alone = room.operations;
    for _ in 0..2 {
        room.acts("ann", "nod", json!({}));
        assert_eq!(room.operations, alone);
    }
}
