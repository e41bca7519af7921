//! Each function of a new law, tried once on a copy of the room: what goes wrong is told before anybody votes on it.
//!
//! What an act is given is made from its parameters, and its doer is the first player. A refusal is part of the game. Of
//! what is given something that cannot be made up, only that it comes to no end is told.

use rhai::{Dynamic, Map};

use kernel::{
    Draft, Id, Refusal, State,
    dice::{Dice, SEED_BYTES, Seed},
    draft::SALT_BYTES,
    world::Range,
};

use super::{
    checker,
    declared::{ActDecl, ParamDecl},
    fault::{Stop, TOO_DEEP, TOO_LONG},
    fuel::{fuel, limited},
    limits::PART_MAX_OPERATIONS,
    params::{self, Takes},
    play::in_act_of,
    registry::{Registry, Use},
    room::Hosts,
    run::{Mode, Run, call},
    script::Function,
    session::with,
    stage::Stage,
    values::{Args, Moment, Obj, number},
};

/// What goes wrong in the functions of the law of a rule, a line each.
pub(crate) fn faults<G: Hosts>(state: &State<G>, rule: &Id) -> Vec<String> {
    let mut dice = Dice::new(Seed([0; SEED_BYTES]), state.seq + 1, Default::default());
    let mut d = Draft::new(state.clone(), state.at, Default::default(), true, &mut dice, [0; SALT_BYTES]);
    let told = with(&mut d, Mode::Act, |stage, run| {
        let registry = run.registry.clone();
        let place = registry.laws.iter().position(|law| law.rule == *rule);
        let Some((place, law)) = place.and_then(|place| Some((place, registry.laws.get(place)?))) else {
            return Vec::new();
        };
        // What was read in it already is not told again.
        let read = checker::faults(&*stage, &registry, place).into_iter().chain(law.script.unknown.clone());
        let read: Vec<_> = read.map(|fault| (fault.line, fault.column)).collect();
        let mut told = Vec::new();
        for Try { function, looks, given, is_whole } in tries(stage, &registry, place) {
            if let Some(Stop::Fault(fault)) = stop(stage, run, &function, looks, given).filter(|_| fuel() > 0)
                && (is_whole || [TOO_LONG, TOO_DEEP].contains(&&*fault.why))
                && !fault.rests
                && (fault.line.is_none() || !read.contains(&(fault.line, fault.column)))
            {
                let why = fault.told(&law.source);
                told.push(format!("tried once, “{}” of {} goes wrong: {why}", function.name, law.label));
            }
        }
        told
    });
    told.unwrap_or_default()
}

/// A function, with what it is given.
struct Try {
    function: Function,
    /// Whether it looks, and changes nothing.
    looks: bool,
    given: Vec<Dynamic>,
    /// Whether all of that could be made up.
    is_whole: bool,
}

/// The functions of a law, with what they are given as far as it can be made up.
fn tries(stage: &dyn Stage, registry: &Registry, law: usize) -> Vec<Try> {
    let somebody = player(stage, registry).unwrap_or(Dynamic::UNIT);
    let used = registry.uses(law).into_iter().filter_map(|(is, name, function)| {
        let made_up = || given(stage, registry, &registry.acts.get(name)?.0);
        let (given, is_whole) = match is {
            Use::Alone => (Vec::new(), true),
            Use::Each => (vec![first(stage, &registry.kinds_of(stage, name)?)?], true),
            Use::Display => (vec![somebody.clone()], true),
            Use::Act | Use::Change | Use::Bar | Use::Follower => match made_up() {
                Some(map) => (vec![Dynamic::from(Args::new(map))], true),
                None => (vec![Dynamic::from(Args::new(Map::from([("by".into(), somebody.clone())])))], false),
            },
        };
        let looks = matches!(is, Use::Change | Use::Bar | Use::Display);
        Some(Try { function: function.clone(), looks, given, is_whole })
    });
    let conditions = registry.conditions.values().flatten().filter(|function| function.law == law);
    let asked = |function: &Function| Try {
        function: function.clone(),
        looks: true,
        given: vec![somebody.clone()],
        is_whole: false,
    };
    used.chain(conditions.map(asked)).collect()
}

/// Why a function would stop; whatever it does is taken back.
fn stop(stage: &mut dyn Stage, run: &mut Run, function: &Function, looks: bool, given: Vec<Dynamic>) -> Option<Stop> {
    let by = given.first().and_then(|args| args.clone().try_cast::<Args>()).map(|args| args.get("by"));
    let by = by.and_then(|by| by.try_cast::<Obj>()).map(|by| by.0);
    let mode = std::mem::replace(&mut run.mode, if looks { Mode::Look } else { Mode::Act });
    let mut stop = None;
    let _ = stage.attempt(&mut |stage| {
        let done = in_act_of(stage, by.clone(), |stage| {
            limited(PART_MAX_OPERATIONS, || call(stage, run, function, given.clone()))
        });
        stop = done.err();
        Err(Refusal::new("it is only tried").into())
    });
    run.mode = mode;
    run.queue.clear();
    run.refused.clear();
    run.unsealed.clear();
    run.faults.clear();
    stop
}

/// What an act is given, made up from its parameters by the first player; nothing where that cannot be.
fn given(stage: &dyn Stage, registry: &Registry, act: &ActDecl) -> Option<Map> {
    let mut map = Map::from([("by".into(), player(stage, registry)?)]);
    for param in &act.params {
        let is = match made_up(stage, registry, param) {
            Some(is) => is,
            None if param.optional => Dynamic::UNIT,
            None => return None,
        };
        map.insert(param.name.as_str().into(), is);
    }
    Some(map)
}

/// The first player.
fn player(stage: &dyn Stage, registry: &Registry) -> Option<Dynamic> {
    first(stage, &registry.kinds_of(stage, "player")?)
}

fn first(stage: &dyn Stage, kinds: &[Id]) -> Option<Dynamic> {
    kinds.iter().find_map(|kind| stage.members(kind).into_iter().next()).map(|obj| Dynamic::from(Obj(obj)))
}

fn made_up(stage: &dyn Stage, registry: &Registry, param: &ParamDecl) -> Option<Dynamic> {
    match params::read(&param.range, registry, stage).ok()? {
        Takes::Value(range) => of_range(stage, &range),
        Takes::Object(kinds) => first(stage, &kinds),
        Takes::Objects(kinds) => Some(Dynamic::from_array(vec![first(stage, &kinds)?])),
        Takes::Letters(count, letters) => {
            let letter = letters.chars().next().unwrap_or('a');
            Some(letter.to_string().repeat(count).into())
        }
        Takes::Anything | Takes::AnyObject | Takes::Law | Takes::Answers | Takes::Command => None,
    }
}

fn of_range(stage: &dyn Stage, range: &Range) -> Option<Dynamic> {
    Some(match range {
        Range::Bool => true.into(),
        Range::Num { min, max, .. } => number(&min.clone().or_else(|| max.clone()).unwrap_or_else(|| 1.into())),
        Range::Text => "a".into(),
        Range::OneOf(choices) => choices.first()?.as_str().into(),
        Range::Time => Dynamic::from(Moment(stage.now())),
        Range::List { of, .. } => Dynamic::from_array(vec![of_range(stage, of)?]),
        Range::Any | Range::Ref(_) => return None,
    })
}
