//! What must hold, conditions, objects and names, and what begins and ends with a law.

use kernel::Game;
use serde_json::json;

use crate::toy::{Room, Toy, Way};

// ---- what must hold, conditions, objects, lifetimes

#[test]
fn what_must_always_hold_is_seen_to() {
    let law = r#"
        define("cap of player: whole number from 0, 6 at first");
        whenever(|| { for p in players() { if p.points > p.cap { p.points = p.cap; } } });
    "#;
    let mut room = Room::new();
    room.directives("=> set points of ann to 9");
    room.law(2, law);
    assert_eq!(room.value("player/ann.points"), "6");
    room.native("ann", "give", json!({"to": "bob", "amount": 5})).0.unwrap();
    assert_eq!((room.value("player/ann.points"), room.value("player/bob.points")), ("1".into(), "6".into()));
}

#[test]
fn a_condition_answers_with_any_value() {
    let mut room = Room::with(&[
        (2, r#"condition("rank", |p| if p.points > 3 { "rich" } else { 7 });"#),
        (3, r#"action("ask", ["of: a player"], |a| say(`${holds("rank", a.of)} ${holds("unknown", a.of)}`));"#),
    ]);
    assert_eq!(room.acts("ann", "ask", json!({"of": "Ann"})), ["rich false."]);
    assert_eq!(room.acts("ann", "ask", json!({"of": "Bob"})), ["7 false."]);
}

#[test]
fn a_condition_changes_nothing() {
    let law = r#"
        condition("paid", |who| { who.points -= 1; true });
        action("test", [], |a| say(`${holds("paid", a.by)}`));
    "#;
    let mut room = Room::with(&[(2, law)]);
    let (answer, _said) = room.act("ann", "test", json!({}));
    assert!(answer.unwrap().contains("a condition change nothing"));
    assert_eq!(room.value("player/ann.points"), "5");
}

#[test]
fn an_object_is_there_while_its_law_is() {
    let law = r#"
        there_is("crime", "Theft", #{class: "Felony"});
        define("class of crime: one of Misdemeanor, Felony");
        define("crime of player: a crime");
        are("player", "holder");
        are("crime", "holder");
        define("weight of holder: whole number from 0, 2 at first");
        action("steal", [], |a| { a.by.crime = the("Theft"); a.by.weight += 1; let theft = the("Theft"); theft.weight = 5; });
        action("confess", [], |a| { a.by.crime = (); });
    "#;
    let mut room = Room::new();
    let said = room.law(2, law);
    assert_eq!(room.value("crime/theft.class"), "Felony", "{said:?}");
    room.acts("ann", "steal", json!({}));
    assert_eq!(room.value("player/ann.weight"), "3");
    room.acts("ann", "confess", json!({}));
    room.directives("=> repeal rule 2");
    assert!(!room.state.world.exists("crime/theft"));
    assert_eq!(room.state.world.named("weight").len() + room.state.world.named("class").len(), 0);
    assert!(room.state.world.values_of(&"player/ann".into()).all(|(at, _)| *at.attr == *"points"));
}

#[test]
fn an_object_waits_for_the_rule_that_gives_it_an_attribute() {
    let mut room = Room::with(&[(2, r#"there_is("crime", "Theft", #{class: "Felony"});"#)]);
    assert_eq!(room.value("crime/theft.class"), "nothing");
    room.law(3, r#"define("class of crime: one of Misdemeanor, Felony");"#);
    assert_eq!(room.value("crime/theft.class"), "Felony");
    room.directives("=> set class of theft to Misdemeanor");
    room.law(4, r#"define("size of crime: whole number");"#);
    assert_eq!(room.value("crime/theft.class"), "Misdemeanor");
}

#[test]
fn what_names_something_gone_ends_stays_or_begins_again() {
    let law = r#"
        kind("box");
        kind("label");
        kind("mark");
        kind("note");
        define("on of label: a box", #{gone: "destroy"});
        define("on of mark: a box", #{gone: "keep"});
        define("on of note: a box", #{nothing: "Nowhere"});
        action("pack", [], |a| {
            let b = create("box", #{});
            for k in ["label", "mark", "note"] { create(k, #{on: b}); }
        });
        action("burn", [], |a| destroy(find("box", #{})));
        display("notes", "Notes", |me| table(all("note"), ["name", "on"]));
    "#;
    let mut room = Room::with(&[(2, law)]);
    room.acts("ann", "pack", json!({}));
    room.acts("ann", "burn", json!({}));
    let world = &room.state.world;
    assert_eq!((world.count("label"), world.count("mark"), world.count("note")), (0, 1, 1));
    assert_eq!((room.value("mark/1.on"), room.value("note/1.on")), ("1".into(), "nothing".into()));
    assert!(room.shows("notes").unwrap().contains("Nowhere"));
}

/// Whatever ends a thing: before any law runs, what named it ended, stays or begins again, and what a rule says that there
/// is, is there anew.
#[test]
fn no_law_runs_before_what_named_a_thing_that_is_gone_is_seen_to() {
    let boxes = r#"
        kind("chest");
        there_is("chest", "Safe");
        define("open of chest: yes/no, yes at first");
        action("burn", [], |a| for b in all("chest") { destroy(b); });
        after("give", |a| for b in all("chest") { destroy(b); });
        whenever(|| if count("chest") == 0 { say("no chest") });
    "#;
    let named = r#"
        kind("label");
        kind("mark");
        kind("note");
        kind("shelf");
        define("on of label: a chest", #{gone: "destroy"});
        define("on of mark: a chest", #{gone: "keep"});
        define("on of note: a chest");
        define("holds of shelf: list of chests");
        action("pack", [], |a| {
            for b in all("chest") {
                for k in ["label", "mark", "note"] { create(k, #{on: b}); }
                create("shelf", #{holds: [b, b]});
            }
        });
        let sees = || {
            for label in all("label") { label.on.open; }
            for note in all("note") { if note.on != () { note.on.open; } }
            for shelf in all("shelf") { for b in shelf.holds { b.open; } }
        };
        after("burn", |a| sees.call());
        after("give", |a| sees.call());
        after("change of on of note", |a| sees.call());
        whenever(|| sees.call());
    "#;
    let ways: [(bool, Way<'_>); 5] = [
        (true, &|room| room.directives("=> destroy Safe\n=> destroy Old")),
        (true, &|room| room.acts("ann", "burn", json!({}))),
        (true, &|room| room.native("ann", "give", json!({"to": "cid", "amount": 1})).1),
        (false, &|room| room.directives("=> repeal rule 2")),
        (false, &|room| room.directives("=> repeal rule 2\n=> destroy Old")),
    ];
    for (at, (is_anew, ends)) in ways.into_iter().enumerate() {
        let mut room = Room::with(&[(2, boxes), (3, named)]);
        room.directives("=> create chest Old");
        assert_eq!(room.act("ann", "pack", json!({})).0.unwrap(), "“pack” is done.");
        let said = ends(&mut room);
        let anew = "“Safe” is there anew: rule 2, Rule 2, says that there is one.".to_owned();
        let anew = if is_anew { vec![anew] } else { vec!["The law of Rule 2 ends.".to_owned()] };
        assert_eq!(said, anew, "{at}");
        let world = &room.state.world;
        let left = ["chest", "label", "mark", "note", "shelf"].map(|kind| world.count(kind));
        assert_eq!(left, [usize::from(is_anew), 0, 2, 2, 2], "{at}");
        for number in [1, 2] {
            assert_eq!(room.value(&format!("note/{number}.on")), "nothing", "{at}");
            assert_eq!(room.value(&format!("shelf/{number}.holds")), "{}", "{at}");
        }
        assert_eq!((room.value("mark/1.on"), room.value("mark/2.on")), ("safe".into(), "old".into()), "{at}");
    }
}

/// What nobody can do any more is asked of nobody before anything follows.
#[test]
fn a_duty_ends_before_laws_follow_what_ended_it() {
    let law = r#"
        kind("matter");
        action("sue", [], |a| ask("Judge", "decide", #{matter: create("matter", #{})}, "4 ndays"));
        action("decide", #{who: "Judge"}, ["matter: a matter"], |a| ());
        action("drop", [], |a| for matter in all("matter") { destroy(matter); });
        after("drop", |a| say("dropped"));
    "#;
    let mut room = Room::with(&[(2, law)]);
    room.acts("bob", "sue", json!({}));
    let said = room.acts("bob", "drop", json!({}));
    assert!(said[0].contains("is not asked for “decide"), "{said:?}");
    assert_eq!(said[1..], ["dropped."]);
}

/// What is set before on purpose is no name of what is gone.
#[test]
fn what_names_something_else_by_then_stays() {
    let law = r#"
        kind("box");
        kind("label");
        define("on of label: a box", #{gone: "destroy"});
        action("swap", [], |a| {
            let label = create("label", #{on: create("box", #{})});
            let was = label.on;
            label.on = create("box", #{});
            destroy(was);
        });
    "#;
    let mut room = Room::with(&[(2, law)]);
    room.acts("ann", "swap", json!({}));
    assert_eq!(room.value("label/1.on"), "2");
}

#[test]
fn an_amended_range_keeps_what_fits() {
    let mut room = Room::with(&[(2, r#"define("hp of player: whole number from 0, 4 at first");"#)]);
    room.directives("=> set hp of ann to 9\n=> set hp of bob to 2");
    room.directives("=> amend rule 2: replace \"from 0, 4\" with \"from 0 to 5, 3\"");
    let hp = |room: &Room, who: &str| room.value(&format!("player/{who}.hp"));
    assert_eq!((hp(&room, "ann"), hp(&room, "bob"), hp(&room, "cid")), ("3".into(), "2".into(), "4".into()));
    room.directives("=> repeal rule 2");
    room.law(3, r#"define("hp of player: whole number from 0, 4 at first");"#);
    assert_eq!(hp(&room, "bob"), "4");
}

#[test]
fn what_moves_from_rule_to_rule_survives() {
    let mut room = Room::with(&[(
        2,
        r#"kind("sock"); define("hp of player: whole number"); action("knit", [], |a| create("sock", #{}));"#,
    )]);
    room.acts("ann", "knit", json!({}));
    room.directives("=> set hp of ann to 3");
    room.directives(
        "=> repeal rule 2\n=> create rule 4 \"Moved\":\n~~~~\n```law\nkind(\"sock\"); define(\"hp of player: whole number\");\n```\n~~~~",
    );
    assert_eq!((room.state.world.count("sock"), room.value("player/ann.hp")), (1, "3".into()));
    room.directives("=> repeal rule 4");
    assert_eq!(room.state.world.count("sock"), 0);
}

#[test]
fn the_room_itself_has_attributes() {
    let law = r#"
        define("pot of game: whole number from 0");
        action("pay in", ["n: whole number from 1"], |a| { a.by.points -= a.n; let g = game(); g.pot += a.n; say(`${g.pot} ${g.nday}`); });
        after("change of pot of game", |a| say(`from ${a.was} to ${a.now}`));
    "#;
    let mut room = Room::with(&[(2, law)]);
    assert_eq!(room.acts("ann", "pay in", json!({"n": 2})), ["2 10.", "from 0 to 2."]);
    room.directives("=> repeal rule 2");
    assert!(!room.state.world.exists("game/room"));
}

#[test]
fn objects_are_listed_in_the_order_in_which_they_came() {
    let law = r#"
        kind("sock");
        define("tags of sock: list of texts");
        action("knit", [], |a| { for i in 0..12 { create("sock", #{}); } say(`${all("sock")[10].name}`); });
        action("tag", [], |a| { let s = all("sock")[1]; s.tags += "x"; s.tags += "y"; s.tags -= "x"; say(`${s.tags.len()} ${"y" in s.tags}`); });
    "#;
    let mut room = Room::with(&[(2, law)]);
    assert_eq!(room.acts("ann", "knit", json!({})), ["11."]);
    assert_eq!(room.acts("ann", "tag", json!({})), ["1 true."]);
    assert_eq!(room.value("sock/2.tags"), "{y}");
}

#[test]
fn the_rule_that_takes_precedence_has_the_name() {
    let mut room = Room::with(&[(3, r#"action("punish", [], |a| say("three"));"#)]);
    let said = room.law(2, r#"action("punish", [], |a| say("two"));"#);
    assert!(
        said.iter().any(|line| {
            line == "“punish” of rule 3, Rule 3, rests: another rule has that name. It is reached as “rule-3 punish”."
        }),
        "{said:?}"
    );
    assert_eq!(room.acts("ann", "punish", json!({})), ["two."]);
    assert_eq!(room.acts("ann", "rule-3 punish", json!({})), ["three."]);
    let commands = Toy::mechanics().commands(&room.state);
    let names: Vec<&str> = commands.iter().map(|command| &*command.name).collect();
    assert_eq!(names, ["punish", "rule-3 punish"]);
    let notes = Toy::mechanics().notes(&room.state, &"r3".into());
    assert!(notes[0].contains("It is reached as “⁅rule-3 punish⁆”"), "{notes:?}");
    let said = room.law(4, r#"action("rule-3 punish", [], |a| ());"#);
    assert!(said[0].contains("no command of a law begins with “rule-”"), "{said:?}");
    room.directives("=> repeal rule 2");
    assert_eq!(room.acts("ann", "punish", json!({})), ["three."]);
    assert!(room.act("ann", "rule-3 punish", json!({})).0.is_err());
}

#[test]
fn the_game_s_own_kinds_and_acts_are_no_law_s() {
    let said = Room::new().law(2, r#"kind("player");"#);
    assert!(said[0].contains("the game has the kind “player” by itself"), "{said:?}");
    let said = Room::new().law(2, r#"action("give", [], |a| 1);"#);
    assert!(said[0].contains("the game has the act “give” by itself"), "{said:?}");
    let said = Room::new().law(2, r#"define("points of player: whole number");"#);
    assert!(said.iter().any(|line| line.contains("is defined already, and not by a law")), "{said:?}");
}

#[test]
fn nothing_new_takes_a_name_that_something_has() {
    let mut room = Room::with(&[(
        2,
        r#"
        kind("team");
        action("found", ["name: text"], |a| { nameable(a.name); create("team", #{name: a.name}); });
        action("rename", ["team: a team", "name: text"], |a| { nameable(a.name, a.team); say("free"); });
    "#,
    )]);
    room.acts("ann", "found", json!({"name": "Reds"}));
    for taken in ["Reds", "Bob"] {
        assert!(room.refuses("bob", "found", json!({"name": taken})).contains(&format!("“{taken}” already")));
    }
    assert_eq!(room.acts("bob", "rename", json!({"team": "Reds", "name": "Reds"})), ["free."]);
    assert!(room.refuses("bob", "rename", json!({"team": "Reds", "name": "Bob"})).contains("“Bob” already"));
}

#[test]
fn a_law_takes_up_a_kind_of_which_there_is_something() {
    let mut room = Room::new();
    room.does("zed", |d| d.op(kernel::world::Op::Create { obj: "hat/1".into(), kind: "hat".into() }));
    let said = room.law(2, r#"kind("hat"); action("count", [], |a| say(`${count("hat")}`));"#);
    assert!(said[0].contains("command “count”"), "{said:?}");
    assert_eq!(room.acts("ann", "count", json!({})), ["1."]);
}

#[test]
fn within_a_law_its_own_name_means_its_own_act() {
    let strong = r#"
        action("punish", [], |a| say("strong"));
        deed("note", [], |a| say("strong note"));
        condition("mild", || "strong");
    "#;
    let weak = r#"
        forbid("punish", |a| a.by.points < 1, "the poor do not punish");
        after("punish", |a| say(`${a.by} punished`));
        after("refused punish", |a| say(`${a.by} did not`));
        action("punish", #{limit: "once an nday"}, [], |a| {
            say(`weak, ${holds("mild")}, ${times("punish", #{by: a.by}, "nday")}`);
            perform("note", #{});
            schedule("2 ndays", "note", #{});
        });
        deed("note", [], |a| say("weak note"));
        condition("mild", || "weak");
    "#;
    let mut room = Room::with(&[(2, strong), (3, weak)]);
    assert_eq!(room.acts("cid", "punish", json!({})), ["strong."]);
    let told = room.acts("ann", "rule-3 punish", json!({}));
    assert_eq!(told, ["weak, weak, 0.", "weak note.", "Ann punished."]);
    assert!(room.refuses("ann", "rule-3 punish", json!({})).contains("once an nday"));
    assert_eq!(room.acts("cid", "rule-3 punish", json!({})), ["Cid did not."]);
    assert_eq!(room.passes(48), ["weak note."]);
}

#[test]
fn what_a_rule_says_there_is_is_there_anew_where_it_is_destroyed() {
    let law = r#"
        there_is("crime", "Theft", #{class: "Felony"});
        define("class of crime: text");
        define("count of crime: whole number");
        action("pardon", [], |a| { let it = find("crime", #{name: "Theft"}); it.count = 3; destroy(it); });
    "#;
    let mut room = Room::with(&[(2, law)]);
    let told = room.acts("ann", "pardon", json!({}));
    assert_eq!(told, ["“Theft” is there anew: rule 2, Rule 2, says that there is one."]);
    let theft = room.state.world.of_kind("crime").next().cloned().unwrap();
    let value = |name: &str| room.value(&format!("{theft}.{name}"));
    assert_eq!((value("class"), value("count")), ("Felony".into(), "0".into()));
    room.directives("=> repeal rule 2");
    assert_eq!(room.state.world.of_kind("crime").count(), 0);
    // A law that always destroys it does so once an entry.
    let never = r#"there_is("crime", "Theft"); whenever(|| for it in all("crime") { destroy(it); }); action("nod", [], |a| ());"#;
    room.law(2, never);
    room.acts("ann", "nod", json!({}));
    assert_eq!(room.state.world.of_kind("crime").count(), 0);
}

/// Nothing became anything else: the record says so, and no law follows.
#[test]
fn a_first_value_is_written_down_before_it_is_one_no_more() {
    let law = r#"
        define("xp of player: whole number from 0 to 50, 0 at first");
        after("change of xp of player", |a| say(`${a.of} had ${a.was}`));
    "#;
    let mut room = Room::with(&[(2, law)]);
    let said = room.directives("=> amend rule 2: replace \"to 50, 0 at\" with \"to 20, 2 at\"");
    assert!(!said.iter().any(|line| line.contains(" had ")), "{said:?}");
    assert_eq!(room.value("player/bob.xp"), "0");
}

#[test]
fn an_amended_first_value_changes_nobody() {
    let law = |first: u32| format!("define(\"hp of player: whole number from 0, {first} at first\");");
    let mut room = Room::with(&[(2, &law(10))]);
    room.directives("=> set hp of Ann to 3");
    room.directives("=> amend rule 2: replace \"10\" with \"7\"");
    assert_eq!((room.value("player/ann.hp"), room.value("player/bob.hp")), ("3".into(), "10".into()));
    room.directives("=> amend rule 2: replace \"from 0, 7\" with \"from 0 to 5, 5\"");
    assert_eq!((room.value("player/ann.hp"), room.value("player/bob.hp")), ("3".into(), "5".into()));
}
