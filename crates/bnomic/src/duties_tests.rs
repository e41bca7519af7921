//! A duty of each kind, and all that one may hang on destroyed, repealed, set otherwise: where its owner can do it no
//! more it is over, so that the Clock goes on.

use std::collections::BTreeSet;

use kernel::{Id, Value, world::Range};
use laws::testing::Room;
use serde_json::{Value as Json, json};

use super::{
    game::BNomic,
    law::RULES,
    ministries::posts,
    obligations::{self, duties::Duty},
    society,
    stats::called,
};

/// How a law begins to ask an office for something.
const ASKS: &str = " ask(\"";

/// A kind of duty.
struct Kind {
    /// The act that a law asks an office for, or the verb or act of the game's own.
    asked: &'static str,
    /// What opens it: who says what.
    opens: Vec<(&'static str, Json)>,
    /// What its owner may say to do it.
    does: Vec<Json>,
}

fn of_law(act: &str, args: Json) -> Json {
    json!({"law": {"act": act, "args": args}})
}

/// Directives, as a proposal that passes does them.
fn passes(text: &str) -> Json {
    json!({"passes": text})
}

const MATCH: &str = r#"=> create match "Cogs"
=> set text of Cogs to
~~~~
```law
part("field", #{rows: 3, columns: 9, objects: #{cog: "c"}, means: "public", trophy: "A cog"});
part("spawn", #{of: "field", invoke: []}, |a| perform("create field object", #{sort: "cog", row: 3, column: 9}));
part("stop", #{of: "field", invoke: [], ends: true}, |a| perform("end match", #{}));
```
~~~~"#;

fn kinds() -> Vec<Kind> {
    let submitted = [
        ("Bob", of_law("ordain", json!({}))),
        ("Cat", of_law("consultation submit", json!({"question": "Is the Clock On?"}))),
    ];
    let assign = |priest: &str| of_law("consultation assign", json!({"consultation": "Q1", "priest": priest}));
    let guilty = of_law("quorum answer", json!({"quorum": "Quorum 1", "answer": "GUILTY"}));
    let accuses = json!({"crime": "Mild Spam", "offender": "Cat", "tidbit": "cheese", "example": "Dots."});
    vec![
        Kind {
            asked: "quorum punish",
            opens: vec![("Bob", of_law("quorum submit", accuses)), ("Ann", guilty.clone()), ("Bob", guilty)],
            does: [30, 1].map(|fine| of_law("quorum punish", json!({"quorum": "Quorum 1", "fine": fine}))).to_vec(),
        },
        Kind {
            asked: "consultation assign",
            opens: submitted.to_vec(),
            does: ["Bob", "Ann", "Cat"].map(assign).to_vec(),
        },
        Kind {
            asked: "consultation zot",
            opens: [
                &submitted[..],
                &[("Ann", assign("Bob")), ("Bob", of_law("consultation return", json!({"consultation": "1"})))],
            ]
            .concat(),
            does: ["1", "Q1"].map(|of| of_law("consultation zot", json!({"consultation": of}))).to_vec(),
        },
        Kind {
            asked: "field turn",
            opens: vec![
                ("", passes(MATCH)),
                ("Ann", of_law("match choose", json!({"fixture": "Cogs"}))),
                ("Bob", of_law("field spawn", json!({}))),
            ],
            does: vec![of_law("field turn", json!({}))],
        },
        Kind {
            asked: "challenge",
            opens: vec![("Bob", json!({"challenge": {"display": "judging", "errors": "There is a Quorum."}}))],
            does: vec![json!({"answer_duty": {"duty": 1, "text": "There is none."}})],
        },
        Kind {
            asked: "oblige",
            opens: vec![("", passes("=> oblige Society: Greet every newcomer."))],
            does: vec![json!({"answer_duty": {"duty": 1, "text": "Everybody is greeted."}})],
        },
    ]
}

/// Ann, who holds every ministry, Bob and Cat; the Clock is Off.
fn room() -> Room<BNomic> {
    let mut room = Room::open("Ann", "2026-11-02T08:00:00Z", Default::default());
    for name in ["Bob", "Cat"] {
        room.act(name, &json!({"join": {"name": name}})).expect("e asks to join");
        let seat = Id::from(format!("player/{}", name.to_lowercase()));
        room.does("", |d| society::seat_by_hand(d, &seat)).expect("e is a Player");
        room.act(name, &json!({"propose": {"title": "", "text": "Prose."}})).expect("e acts, and is Active");
    }
    while let Some(post) = posts::vacant(&room.state).first().cloned() {
        let ministry = called(&room.state, &post);
        room.act("Ann", &json!({"take": {"ministry": ministry}})).expect("it is Vacant");
    }
    room
}

fn copy(room: &Room<BNomic>) -> Room<BNomic> {
    Room { state: room.state.clone(), now: room.now }
}

/// Says something as somebody; whether it is done.
fn says(room: &mut Room<BNomic>, who: &str, what: &Json) -> bool {
    match what.get("passes").and_then(Json::as_str) {
        Some(text) => room.does("", |d| kit::effects::carry_out(d, text, "a test", "").map(drop)).is_ok(),
        None => room.act(who, what).is_ok(),
    }
}

/// What may befall all that a duty hangs on: every rule, the figures of those whose laws ask for something, and each object
/// that came with the duty or that such a one names.
fn blows(before: &Room<BNomic>, open: &Room<BNomic>) -> Vec<String> {
    let (world, mut blows) = (&open.state.world, Vec::new());
    for rule in open.state.rules.rules() {
        blows.push(format!("=> repeal rule {}", rule.number()));
        let asks = laws::law_of(rule).is_some_and(|law| law.contains(ASKS));
        let spans = rule.text().spans().iter().filter(|span| asks && span.counts);
        let keys: BTreeSet<&str> = spans.map(|span| &*span.key).collect();
        blows.extend(keys.iter().flat_map(|key| [0, 1, 1_000_000].map(|to| format!("=> set {key} to {to}"))));
    }
    let is_new = |obj: &&Id| !before.state.world.exists(obj);
    let mut objects: BTreeSet<Id> = world.objects().filter(is_new).cloned().collect();
    for obj in objects.clone() {
        let named = world.values_of(&obj).filter_map(|(_, is)| if let Value::Ref(obj) = is { Some(obj) } else { None });
        objects.extend(named.filter(|obj| laws::is_of_laws(&open.state, obj)).cloned());
    }
    for obj in &objects {
        let name = called(&open.state, obj);
        blows.push(format!("=> destroy {name}"));
        for def in world.kind(obj).into_iter().flat_map(|kind| world.defs_for(kind)) {
            let tos = match &def.range {
                Range::OneOf(words) => words.iter().map(String::as_str).collect(),
                Range::Num { .. } => vec!["0", "1"],
                Range::Bool => vec!["yes", "no"],
                _ => vec!["nothing", "{}", "x"],
            };
            blows.extend(tos.into_iter().map(|to| format!("=> set {} of {name} to {to}", def.id)));
        }
    }
    blows
}

/// B53.1: nothing that befalls what a duty is about leaves one that nobody can do.
#[test]
fn b53_1_a_duty_that_nobody_can_do_is_over() {
    let goes_on = |room: &mut Room<BNomic>| says(room, "Ann", &json!("clock_on"));
    let mut stopped = Vec::new();
    for kind in kinds() {
        let before = room();
        let mut open = copy(&before);
        for (who, what) in &kind.opens {
            assert!(says(&mut open, who, what), "{}: {what}", kind.asked);
        }
        assert!(!goes_on(&mut copy(&open)), "{}: it keeps the Clock Off", kind.asked);
        for blow in blows(&before, &open) {
            let (mut was, mut is) = (copy(&before), copy(&open));
            if !says(&mut is, "", &passes(&blow)) {
                continue;
            }
            for does in &kind.does {
                says(&mut is, "Ann", does);
            }
            if goes_on(&mut is) {
                continue;
            }
            // Not where the Clock would stand still without the duty as well.
            says(&mut was, "", &passes(&blow));
            if goes_on(&mut was) {
                let owed = (is.state.rows::<Duty>().len(), obligations::named(&is.state));
                stopped.push(format!("{} after {blow}: {owed:?}", kind.asked));
            }
        }
    }
    assert!(stopped.is_empty(), "the Clock stands still:\n{}", stopped.join("\n"));
}

/// Each kind of duty that a law lays on an office is among those that are tried.
#[test]
fn each_duty_of_an_office_is_tried() {
    let asked = RULES.iter().flat_map(|(_, file)| file.split(ASKS).skip(1));
    let asked: BTreeSet<&str> = asked.filter_map(|ask| ask.split('"').nth(2)).collect();
    let tried: BTreeSet<&str> = kinds().iter().map(|kind| kind.asked).collect();
    assert!(!asked.is_empty() && asked.is_subset(&tried), "{:?}", asked.difference(&tried));
}
