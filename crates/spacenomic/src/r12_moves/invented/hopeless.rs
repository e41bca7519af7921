//! Moves that a rule lists and nobody could make (S55): found by trying each with values in its holes.
//!
//! Each is tried on a copy of the state in which all numbers are as large as a player could wish: a rule makes no mistake
//! where a player merely lacks something now. Of its conditions only those count that name nothing, and so never change.
//! Whether a text can be read at all is found in `super`.

use std::sync::Arc;

use super::{Form, Hole, MOVER, NO_RULE, Part, changes_law, forms, on_a_copy, ready};
use crate::{
    activity,
    effects::body,
    game::{D, Spacenomic},
    moves::kind::Kind,
    roster::players,
    space::{self, Spot},
    stats::called,
};
use kernel::{
    Game, Id, Num, Path, State, Value,
    directives::{self, Act, Evaluator, Mode, Seen, Setting, Sight, expr::Expr},
    rulebook::Rule,
    world::{Op, Range},
};

/// Most fillings of one move that are tried.
const FILLINGS_MAX_COUNT: usize = 100;

/// What everybody has of everything that is not bounded.
const PLENTY: i64 = 1_000_000;

/// The same of every type whose rule is not as it was.
pub(crate) fn since(before: &State<Spacenomic>, after: &State<Spacenomic>) -> Vec<String> {
    let is_new = |rule: &Rule| {
        let was = before.rules.get(rule.id()).filter(|was| was.in_force()).map(Rule::revision);
        was != Some(rule.revision())
    };
    let all = Kind::stated(&after.rules).into_iter().filter(|(_, rule)| is_new(rule));
    all.flat_map(|(kind, _)| hopeless(after, &kind)).collect()
}

/// The moves of a type that nobody could make as things stand, a line each, with the reason.
fn hopeless(state: &State<Spacenomic>, kind: &Kind) -> Vec<String> {
    let rule = kind.rule(&state.rules).filter(|_| kind.thing().is_none());
    let (Some(rule), Some(mover)) = (rule, players(state).next()) else { return Vec::new() };
    let rich = with_plenty(state);
    let all = forms(&rule.text().in_force()).unwrap_or_default().into_iter();
    let why = |form: &Form| {
        if let Some(that) = never(state, form) {
            return Some(format!("“{that}” never holds"));
        }
        let tried = fillings(state, form).into_iter().map(|words| tried(&rich, kind, mover, &words));
        let refused: Result<Vec<String>, ()> = tried.map(|tried| tried.err().ok_or(())).collect();
        refused.ok()?.into_iter().next()
    };
    all.filter_map(|form| {
        let why = why(&form)?;
        Some(format!("nobody could make the {} move {form}, whatever e has: {why}", kind.word()))
    })
    .collect()
}

/// A condition of a move that names nothing and does not hold. What fills a hole is another thing each time, so that here
/// the name of a thing does.
fn never(state: &State<Spacenomic>, form: &Form) -> Option<String> {
    let holes = form.parts.iter().filter_map(|part| match part {
        Part::Hole { name, .. } => Some(name.clone()),
        Part::Said(_) => None,
    });
    let with = holes.chain([MOVER.to_owned()]).map(|hole| (hole, "player \"Somebody\"".to_owned())).collect();
    let body =
        directives::syntax::parse(&form.filled(&with).ok()?, &|words| Spacenomic::mechanics().owns(words)).ok()?;
    let sight: Arc<dyn Sight> = Arc::new(Seen::new(state, state.at));
    let fails = |that: &String| {
        let evaluator = Evaluator::default();
        let read = evaluator.read(that).ok().filter(Expr::is_fixed);
        read.is_some_and(|read| evaluator.evaluate(&read, &sight, None) == Ok(Value::Bool(false)))
    };
    let conditions = body.directives.into_iter().filter_map(|directive| match directive.act {
        Ok(Act::Require { that }) => Some(that),
        _ => None,
    });
    conditions.map(|that| that.trim().to_owned()).find(fails)
}

/// Whether a move does all that its directives say but for its conditions.
fn tried(state: &State<Spacenomic>, kind: &Kind, mover: &Id, words: &str) -> Result<(), String> {
    let ready = ready(state, kind, mover, words)?;
    let setting = Setting { because: &ready.because, mode: Mode::LeaveOutRefused, posted: None, tried: false };
    let does = |d: &mut D<'_>| {
        activity::acted(d, mover);
        let applied = directives::apply(&ready.body, d, &setting).map_err(|failure| failure.refusal.say)?;
        if changes_law(d.changes()) {
            return Err(NO_RULE.to_owned());
        }
        let undone = applied.outcomes.into_iter().filter(|outcome| !body::is_condition(outcome));
        undone.filter_map(|outcome| outcome.result.err()).next().map_or(Ok(()), |why| Err(why.say))
    };
    on_a_copy(state, state.at, does).map(drop)
}

/// The state with as much of every number as its range lets be, or half of it where that ends.
fn with_plenty(state: &State<Spacenomic>) -> State<Spacenomic> {
    let mut rich = state.clone();
    for def in state.world.defs() {
        let Range::Num { min, max, .. } = &def.range else { continue };
        let plenty = match max {
            None => PLENTY.into(),
            Some(max) => {
                let min = min.clone().unwrap_or_else(|| max - &PLENTY.into());
                Num::from(((min.as_rational() + max.as_rational()) / num_bigint::BigInt::from(2)).floor())
            }
        };
        for obj in state.world.having(def) {
            let at = Path::new(obj.clone(), def.id.clone());
            let was = state.world.value(&at);
            rich.world.apply(&Op::Set { at, to: Value::Num(plenty.clone()), was }, rich.seq);
        }
    }
    rich
}

/// What players could write of a move: each hole filled with some of what fits it.
fn fillings(state: &State<Spacenomic>, form: &Form) -> Vec<String> {
    let mut all = vec![String::new()];
    for part in &form.parts {
        let next = match part {
            Part::Said(said) => vec![said.clone()],
            Part::Hole { kind, .. } => samples(state, *kind),
        };
        let join = |words: &String| next.iter().map(|more| format!("{words} {more}")).collect::<Vec<_>>();
        all = all.iter().flat_map(join).take(FILLINGS_MAX_COUNT).collect();
    }
    all
}

fn samples(state: &State<Spacenomic>, hole: Hole) -> Vec<String> {
    match hole {
        Hole::Number => ["1", "2", "1/2", "0"].map(str::to_owned).to_vec(),
        Hole::Player => players(state).take(2).map(|player| called(state, player)).collect(),
        Hole::Vertex => {
            let space = space::of(state);
            let ends = [space.vertices().next(), space.vertices().last()].map(|end| end.map(|(at, _)| at));
            let beside = ends[0].and_then(|first| space.neighbours(first).next());
            let free = Spot { x: ends[1].map_or(0, |last| (last.x + 1).min(space::COORDINATE_MAX_COUNT)), y: 0 };
            let mut all: Vec<String> =
                ends.into_iter().chain([beside, Some(free)]).flatten().map(|at| at.to_string()).collect();
            all.dedup();
            all
        }
    }
}
