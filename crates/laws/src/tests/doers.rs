//! In whose act something was changed: laws bar that and follow it, in whatever way it is changed.

use serde_json::{Value, json};

use crate::toy::Room;

const LAW: &str = r#"
    kind("trap", #{law: true});
    define("text of trap: a law");
    define("hp of player: whole number, 9 at first");
    deed("hurt", ["by?: a player"], |a| { let cid = the("Cid"); cid.hp -= 1; });
    action("hit", [], |a| { let cid = the("Cid"); cid.hp -= 1; });
    action("drain", [], |a| { lose(the("Cid"), "hp", 1); });
    action("spell", [], |a| { apply("=> lower hp of Cid by 1"); });
    action("pass", [], |a| perform("hurt"));
    action("spring", ["text: a law"], |a| { run(create("trap", #{text: a.text}), "snap", #{cid: the("Cid")}); });
    action("ring", [], |a| ());
    after("ring", |a| { let cid = the("Cid"); cid.hp -= 1; });
    action("order", [], |a| perform("hurt", #{by: the("Ann")}));
    deed("curse", [], |a| { apply("=> lower hp of Cid by 1"); });
    action("brew", [], |a| schedule("1 hour", "curse"));
    action("wait", [], |a| schedule("1 hour", "hurt", #{by: a.by}));
    action("spells", [], |a| {
        let left = apply("=> lower hp of Cid by 1\n=> raise points of Cid by 1", #{portions: true, by: a.by});
        say(`${left.len()} left out`);
    });
    forbid("change of hp of player", |a| a.now < a.was && a.by == the("Bob"), "Bob hurts nobody");
    after("change of hp of player", |a| say(`${a.was} to ${a.now} by ${a.by ?? "nobody"}`));
    after("refused change of hp of player", |a| say(`${a.by} tried ${a.was} to ${a.now}: ${a.why}`));
"#;

/// The ways in which Cid is hurt in the act of whoever takes it.
fn ways() -> Vec<(&'static str, Value)> {
    let trap = |does: &str| json!({ "text": format!("```law\npart(\"snap\", |a| {{ {does} }});\n```") });
    vec![
        ("hit", json!({})),
        ("drain", json!({})),
        ("spell", json!({})),
        ("pass", json!({})),
        ("spring", trap("let cid = a.cid; cid.hp -= 1;")),
        ("spring", trap("lose(a.cid, \"hp\", 1);")),
        // A document takes nothing upon another.
        ("spring", trap("perform(\"hurt\", #{by: the(\"Cid\")});")),
    ]
}

#[test]
fn a_change_is_made_in_the_act_of_its_doer_in_whatever_way() {
    for (at, (act, args)) in ways().into_iter().enumerate() {
        let mut room = Room::with(&[(2, LAW)]);
        assert_eq!(room.acts("ann", act, args.clone()), ["9 to 8 by Ann."], "{at}");
        let (answer, said) = room.act("bob", act, args);
        assert!(answer.unwrap().starts_with("Bob hurts nobody"), "{at}");
        assert_eq!(said, ["Bob tried 8 to 7: Bob hurts nobody."], "{at}");
        assert_eq!(room.value("player/cid.hp"), "8", "{at}");
    }
}

#[test]
fn what_nobody_does_is_nobodys() {
    let mut room = Room::with(&[(2, LAW)]);
    room.acts("bob", "brew", json!({}));
    assert_eq!(room.passes(2), ["9 to 8 by nobody."]);
    // What follows an act is the rule's.
    assert_eq!(room.acts("bob", "ring", json!({})), ["8 to 7 by nobody."]);
    // A rule has somebody do something; then, and when it is due, that is eir act.
    assert_eq!(room.acts("bob", "order", json!({})), ["7 to 6 by Ann."]);
    room.acts("ann", "wait", json!({}));
    assert_eq!(room.passes(2), ["6 to 5 by Ann."]);
}

#[test]
fn a_directive_that_a_law_bars_is_left_out_by_itself() {
    let mut room = Room::with(&[(2, LAW)]);
    let said = room.acts("bob", "spells", json!({}));
    assert_eq!(said, ["1 left out.", "Bob tried 9 to 8: Bob hurts nobody."]);
    assert_eq!((room.value("player/cid.hp"), room.value("player/cid.points")), ("9".into(), "1".into()));
}

#[test]
fn what_an_act_of_the_game_changes_is_its_doers() {
    let law = r#"after("change of points of player", |a| say(`${a.of} by ${a.by}`));"#;
    let mut room = Room::with(&[(2, law)]);
    let said = room.native("ann", "give", json!({"to": "cid", "amount": 1})).1;
    assert_eq!(said, ["Ann by Ann.", "Cid by Ann."]);
}

#[test]
fn what_follows_sees_what_was_then() {
    let law = r#"
        define("hp of player: whole number, 9 at first");
        define("mood of player: one of calm, cross, gone");
        action("duel", [], |a| {
            let cid = the("Cid");
            cid.hp -= 1;
            cid.mood = "cross";
            cid.hp -= 1;
            perform("blow");
            cid.mood = "gone";
        });
        let told = |what| { let cid = the("Cid"); say(`${what}: ${then(cid, "hp")} ${then(cid, "mood")}`); };
        after("change of hp of player", |a| { told.call("hp"); let cid = a.of; cid.mood = "calm"; });
        after("blow", |a| told.call("blow"));
        after("duel", |a| told.call("duel"));
        action("ask", [], |a| then(a.by, "hp"));
    "#;
    let mut room = Room::with(&[(2, law)]);
    let said = room.acts("ann", "duel", json!({}));
    assert_eq!(said, ["hp: 8 calm.", "hp: 7 cross.", "blow: 7 cross.", "duel: 7 gone."]);
    let (answer, _) = room.act("ann", "ask", json!({}));
    assert!(answer.unwrap().contains("“then” stands in what follows something"));
}

/// What a law names for its reader to do stands between marks, which plain text has not, and is there.
#[test]
fn a_law_names_what_its_reader_may_do() {
    let law = r#"
        action("gift", ["to: a player"], |a| say(`${a.by} has given`));
        display("gifts", "Gifts", |me| "none");
        action("hint", ["what: text"], |a| {
            say(`“${line("gift")}” gives, “${line("gift", #{to: a.by})}” gives to ${a.by}, “${line("show gifts")}” tells`);
            say(line(a.what));
        });
    "#;
    let mut room = Room::with(&[(2, law)]);
    let said = room.acts("ann", "hint", json!({ "what": "gift" }));
    assert_eq!(said, ["“gift” gives, “gift Ann” gives to Ann, “show gifts” tells.", "gift."]);
    for (what, wrong) in [("gfit", "no law has the act “gfit”"), ("show gfits", "there is no display “gfits”")]
    {
        let (answer, _) = room.act("ann", "hint", json!({ "what": what }));
        assert!(format!("{answer:?}").contains(wrong), "{what}: {answer:?}");
    }
}
