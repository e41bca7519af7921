//! A small game of robots for the tests of directives: power, inventories, a Judge, a rule that nobody may repeal.

use std::sync::LazyLock;

use serde_json::Value as Json;

use super::*;
use crate::Draft;
use crate::Game;
use crate::Id;
use crate::Instant;
use crate::Num;
use crate::Path;
use crate::Refusal;
use crate::State;
use crate::Value;
use crate::dice::{Dice, SEED_BYTES, Seed};
use crate::display::Document;
use crate::doer::Doer;
use crate::draft::SALT_BYTES;
use crate::frame::{FrameFact, Standing};
use crate::mechanic::{Mechanic, Mechanics, Needs, Outcome, Verb};
use crate::rulebook::{LiveKey, NumKind, RuleAct, RuleOp, RuleSource};
use crate::speech::Speech;
use crate::world::{AttrDef, Op, Range};

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Toy;

const fn key(key: &'static str, kind: NumKind, meaning: &'static str) -> LiveKey {
    LiveKey { key, kind, engine_min: 0, engine_max: 1000, absent: "nothing times out", rehearsal: "x", meaning }
}

const KEYS: [LiveKey; 3] = [
    key("timeout-hours", NumKind::Count, "hours until a proposal times out"),
    key("prizes", NumKind::List, "prizes of the race"),
    key("@judge", NumKind::Name, "Judge"),
];

const RULES: [(&str, &str); 3] = [
    (
        "constitution",
        "---\nnumber: 1\ntitle: Constitution\nestablishes: rules\n---\nThese are the rules. The Judge is [Ann](#@judge).",
    ),
    ("time-out", "---\nnumber: 2\ntitle: Time Out\n---\nA proposal times out after [48](#timeout-hours) hours."),
    (
        "race",
        "---\nnumber: 7\ntitle: The Race\n---\nThe first three win [8](#prizes), [5](#prizes) and [3](#prizes) points.",
    ),
];

impl Game for Toy {
    const NAME: &'static str = "toy";

    fn keys() -> &'static [LiveKey] {
        &KEYS
    }
    fn mechanics() -> &'static Mechanics<Self> {
        static ALL: LazyLock<Mechanics<Toy>> = LazyLock::new(|| Mechanics::new(vec![robots()]));
        &ALL
    }
    fn open(_: &serde_json::Map<String, Json>, _: &mut Draft<'_, Self>) -> Outcome {
        Ok(Document::default())
    }
    fn guard(_: &Needs, _: &Draft<'_, Self>) -> Result<(), Refusal> {
        Ok(())
    }
}

impl Speech for Toy {
    const CHIEF: &'static str = "show";

    fn rulings() -> &'static str {
        ""
    }
}

impl Names for Toy {}

impl Amending for Toy {
    fn may(state: &State<Self>, op: &RuleOp) -> Result<(), Refusal> {
        match op.act {
            RuleAct::Repeal if *op.rule == *"constitution" => {
                let by = state.rules.get("constitution").map(|rule| rule.label()).unwrap_or_default();
                Err(Refusal::new("the Constitution stands as long as the game").by(by))
            }
            _ => Ok(()),
        }
    }
}

impl Lawful for Toy {}

/// The robots: they can be recharged, and much power together is warned about.
fn robots() -> Mechanic<Toy> {
    let recharge = Verb::new(&["recharge"], |said, d: &mut Draft<'_, Toy>| {
        let who = Toy::find(d, said.rest)?;
        Toy::set_value(d, &Path::new(who, "power"), Value::Num(10.into()))?;
        Ok(Some("the battery is full".to_owned()))
    });
    let warns = |state: &State<Toy>| {
        let all = state.world.of_kind("robot").map(|robot| state.world.value(&Path::new(robot.clone(), "power")));
        let sum = all.fold(Num::default(), |sum, value| match value {
            Value::Num(number) => &sum + &number,
            _ => sum,
        });
        if sum > Num::from(100) { vec![format!("all power together is {sum}, more than 100")] } else { Vec::new() }
    };
    Mechanic::new("robots").verb(recharge).warns(warns)
}

pub(super) fn now() -> Instant {
    "2026-11-02T10:00:00Z".parse().unwrap()
}

pub(super) fn dice() -> Dice {
    Dice::new(Seed([1; SEED_BYTES]), 2, Default::default())
}

pub(super) fn draft(state: State<Toy>, dice: &mut Dice) -> Draft<'_, Toy> {
    Draft::new(state, now(), Doer::default(), true, dice, [0; SALT_BYTES])
}

/// Ann with 5 power, Bob with 2, Ann Lee with 2 1/3, a beacon; three rules.
pub(super) fn room() -> State<Toy> {
    let mut state = State::<Toy>::unopened();
    state.seq = 1;
    let mut dice = dice();
    let mut d = draft(state, &mut dice);
    for (id, file) in RULES {
        d.rule(RuleSource::parse(id, file).unwrap().enact(""));
    }
    let number = |whole| Range::Num { min: Some(0.into()), max: Some(50.into()), whole };
    let list = Range::List { of: Box::new(Range::Text), min_len: 0, max_len: 4 };
    let colours = Range::OneOf(vec!["red".to_owned(), "deep blue".to_owned()]);
    let defs: [(&str, Range, Value); 6] = [
        ("power", number(false), Value::Num(2.into())),
        ("spare-parts", number(true), Value::Num(0.into())),
        ("inventory", list, Value::List(Vec::new())),
        ("colour", colours, Value::Text("red".to_owned())),
        ("motto", Range::Text, Value::Text(String::new())),
        ("active", Range::Bool, Value::Bool(true)),
    ];
    for (id, range, default) in defs {
        d.op(Op::Define(AttrDef { id: id.into(), scope: "robot".into(), range, default, by: Some("race".into()) }));
    }
    let owner = AttrDef {
        id: "owner".into(),
        scope: "beacon".into(),
        range: Range::Ref("robot".into()),
        default: Value::Null,
        by: None,
    };
    d.op(Op::Define(owner));
    for (id, name) in [("robot/ann", "Ann"), ("robot/bob", "Bob"), ("robot/ann-lee", "Ann Lee")] {
        let obj: Id = id.into();
        d.op(Op::Create { obj: obj.clone(), kind: "robot".into() });
        d.frame_fact(FrameFact::Seated {
            seat: obj,
            name: name.to_owned(),
            person: name.into(),
            standing: Standing::Player,
            at: now(),
        });
    }
    d.op(Op::Create { obj: "beacon/tower".into(), kind: "beacon".into() });
    d.overwrite(Path::new("robot/ann", "power"), Value::Num(5.into()));
    d.overwrite(Path::new("robot/ann-lee", "power"), Value::Num("7/3".parse().unwrap()));
    d.overwrite(Path::new("robot/bob", "inventory"), Value::List(vec![Value::Text("Box".to_owned())]));
    d.overwrite(Path::new("beacon/tower", "owner"), Value::Ref("robot/bob".into()));
    d.finish().state
}
