//! What a game asks the laws of its rules, and what it has them do.

use kernel::{Draft, Refusal, State, Value, mechanic::Made};

use super::{
    ballots::shown,
    fault::Stop,
    fuel::looking,
    names::capital,
    play,
    reads::{Read, Reads},
    registry::Registry,
    room::Hosts,
    run::{Mode, Run, call},
    session::{look, with},
    stage::Stage,
    values::{as_text, held, value},
};

/// What a condition of laws comes to that asks for nothing, such as Quorum, and the figures that it reads. In which words,
/// the condition `why NAME` says where a rule has it.
pub(crate) fn made<G: Hosts>(state: &State<G>, what: &str) -> Option<Made> {
    let what = what.trim().to_lowercase();
    let what = what.strip_prefix("the ").unwrap_or(&what).to_owned();
    let made = look(state, state.at, |stage, run| {
        let registry = run.registry.clone();
        let (name, all) = registry.conditions.iter().find(|(name, _)| name.to_lowercase() == what)?;
        let function = all.first()?;
        let law = registry.laws.get(function.law).filter(|law| law.script.takes(&function.pointer, 0))?;
        run.reads = Reads::Noted(Vec::new());
        let is = looking(|| call(stage, run, function, Vec::new())).ok()?;
        let reads = std::mem::take(&mut run.reads).noted();
        let figures = reads.into_iter().filter_map(|read| match read {
            Read::Figures(key, _) => registry.figures.values().find(|live| live.key == key).map(|live| live.key),
            _ => None,
        });
        let mut keys: Vec<&'static str> = Vec::new();
        figures.for_each(|key| {
            if !keys.contains(&key) {
                keys.push(key)
            }
        });
        let told = registry.conditions.get(&format!("why {name}")).and_then(|all| all.first());
        let told = told.and_then(|told| looking(|| call(stage, run, told, Vec::new())).ok());
        let say = told.as_ref().and_then(as_text);
        let say = say.unwrap_or_else(|| format!("{} is {}.", capital(name), shown(stage, &is)));
        Some(Made { say, entry: None, rule: Some(law.cited.clone()), figures: keys })
    });
    made.flatten()
}

/// What the condition of a name says of a value; nothing where no rule has it.
///
/// # Errors
///
/// Why it refuses that, with the rule.
pub fn asked<G: Hosts>(d: &mut Draft<'_, G>, name: &str, of: &Value) -> Option<Result<Value, Refusal>> {
    with(d, Mode::Look, |stage, run| condition(stage, run, name, of)).flatten()
}

/// What the condition of a name says of a value as a room stands; nothing where no rule has it, or it refuses that.
pub fn said<G: Hosts>(state: &State<G>, name: &str, of: &Value) -> Option<Value> {
    look(state, state.at, |stage, run| condition(stage, run, name, of)).flatten()?.ok()
}

fn condition(stage: &mut dyn Stage, run: &mut Run, name: &str, of: &Value) -> Option<Result<Value, Refusal>> {
    let registry = run.registry.clone();
    let function = registry.conditions.get(name)?.first()?;
    let got = looking(|| call(stage, run, function, vec![held(of)]));
    Some(got.map(|is| value(&is).unwrap_or_default()).map_err(|stop| why(&registry, function.law, stop)))
}

/// Has the law that has a deed do it, and gives what it says; nothing where no rule has it. No law follows the deed: what it
/// changes they follow.
///
/// # Errors
///
/// Why it is not done, with the rule.
pub fn done<G: Hosts>(d: &mut Draft<'_, G>, deed: &str, given: &[(&str, Value)]) -> Option<Result<Value, Refusal>> {
    let done = with(d, Mode::Act, |stage, run| {
        let registry = run.registry.clone();
        let (_, function) = registry.acts.get(deed)?;
        let given = given.iter().map(|(name, is)| ((*name).into(), held(is))).collect();
        let got = play::perform(stage, run, deed, given);
        Some(got.map(|is| value(&is).unwrap_or_default()).map_err(|stop| why(&registry, function.law, stop)))
    });
    done.flatten()
}

/// Why a law stopped, with its rule where it names none.
fn why(registry: &Registry, law: usize, stop: Stop) -> Refusal {
    let why = Refusal::from(stop);
    match registry.laws.get(law) {
        Some(law) => why.or_by(law.cited.clone()),
        None => why,
    }
}
