//! Names that one player gives, by an object or in the law of a document: they yield to those of rules and proposals.

use kernel::Game;
use serde_json::json;

use crate::toy::{Room, Toy, Way};

const LAW: &str = r#"
    kind("pact", #{law: true});
    kind("horn");
    define("text of pact: a law");
    define("size of pact or horn: whole number from 0, 1 at first");
    action("agree", ["name: text", "text?: a law"], |a| { nameable(a.name); create("pact", #{name: a.name, text: a.text}); });
    action("grow", ["pact: a pact"], |a| { let pact = a.pact; pact.size += 10; });
    action("cast", ["name: text"], |a| { nameable(a.name); create("horn", #{name: a.name}); });
    deed("forge", [], |a| create("horn", #{name: "Trumpet"}));
    action("wait", [], |a| schedule("1 hour", "forge"));
"#;

const TOLD: &str = "“Trumpet” means the horn of that name from now on; the other is “pact \"Trumpet\"”.";

/// Whatever a rule or what was decided together names so has the name; the other is found by its kind.
#[test]
fn a_name_that_a_player_gave_yields() {
    let ways: [Way<'_>; 3] = [
        &|room| room.directives("=> create horn Trumpet"),
        &|room| room.law(3, r#"there_is("horn", "Trumpet");"#),
        &|room| {
            room.acts("bob", "wait", json!({}));
            room.passes(2)
        },
    ];
    for (at, names) in ways.into_iter().enumerate() {
        let mut room = Room::with(&[(2, LAW)]);
        room.acts("ann", "agree", json!({"name": "Trumpet"}));
        // Another player does not take it.
        assert!(room.refuses("bob", "cast", json!({"name": "Trumpet"})).contains("already"), "{at}");
        let said = names(&mut room);
        assert!(said.iter().any(|line| line == TOLD), "{at}: {said:?}");
        room.directives("=> set size of Trumpet to 5");
        room.acts("ann", "grow", json!({"pact": "Trumpet"}));
        let horn = room.state.world.of_kind("horn").next().cloned().unwrap();
        assert_eq!((room.value(&format!("{horn}.size")), room.value("pact/1.size")), ("5".into(), "11".into()), "{at}");
        let notes = Toy::mechanics().notes(&room.state, &"r2".into());
        assert_eq!(notes, ["The name “Trumpet” rests: something else is called so."], "{at}");
    }
}

/// The name of something that a rule or a proposal made is nobody's, as ever.
#[test]
fn a_name_that_was_decided_does_not_yield() {
    let mut room = Room::with(&[(2, LAW)]);
    room.directives("=> create horn Trumpet");
    assert!(room.refuses("ann", "agree", json!({"name": "Trumpet"})).contains("already"));
    let twice = kernel::directives::syntax::parse("=> create pact Trumpet", &|_| false).unwrap();
    let setting =
        kernel::directives::Setting { because: "a test", mode: Default::default(), posted: None, tried: false };
    room.does("zed", |d| {
        let why = kernel::directives::apply(&twice, d, &setting).unwrap_err();
        assert!(why.refusal.say.contains("is called “Trumpet” already"), "{why:?}");
    });
}

/// What a document defines is another's as soon as a rule or a proposal defines it, from its first value on.
#[test]
fn an_attribute_of_a_document_yields() {
    let text = "```law\ndefine(\"charm of player: whole number, 7 at first\");\n```";
    let ways: [(Way<'_>, &str); 2] = [
        (&|room| room.directives("=> define charm of player: whole number, 2 at first"), "=> undefine charm"),
        (&|room| room.law(3, r#"define("charm of player: whole number, 2 at first");"#), "=> repeal rule 3"),
    ];
    for (at, (defines, ends)) in ways.into_iter().enumerate() {
        let mut room = Room::with(&[(2, LAW)]);
        room.acts("ann", "agree", json!({"name": "Pact", "text": text}));
        room.directives("=> set charm of Bob to 9");
        let charm = |room: &Room, who: &str| room.value(&format!("player/{who}.charm"));
        assert_eq!((charm(&room, "ann"), charm(&room, "bob")), ("7".into(), "9".into()), "{at}");
        let said = defines(&mut room);
        let rests = "“charm of player” of rule 2, Rule 2, rests: something else has that name.";
        assert!(said.iter().any(|line| line == rests), "{at}: {said:?}");
        assert_eq!((charm(&room, "ann"), charm(&room, "bob")), ("2".into(), "2".into()), "{at}");
        assert!(
            Toy::mechanics().notes(&room.state, &"r2".into())[0].contains("“charm of player” of its law rests"),
            "{at}"
        );
        room.directives(ends);
        assert_eq!(charm(&room, "bob"), "7", "{at}");
        room.acts("ann", "agree", json!({"name": "Late"}));
    }
}
