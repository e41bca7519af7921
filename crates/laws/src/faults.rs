//! Safe mode: what becomes of a law that goes wrong.
//!
//! A fault changes nothing and is told with rule, line and cause. Three in a period suspend the function, until a
//! moderator or a passed proposal resumes its law; an amended law starts afresh. What a moderator suspended outlasts every
//! amendment. A law that only rests is told of once, and one to which something is refused once in a period.

use std::collections::BTreeSet;

use kernel::{
    Draft, Id, Refusal, State,
    directives::{wording::folded, words},
};

use super::{
    counts::period,
    docket_rows::{Poll, Question},
    limits::FAULTS_MAX_COUNT,
    registry::{Registry, reached},
    room::Hosts,
    run::{Faulty, Run, full},
    script::Function,
    stage::Stage,
    tables::{Enacted, Faults},
    ways,
};

/// How many doers' faults suspend the body of an act: one alone cannot.
const DOERS_MIN_COUNT: usize = 2;

/// Under what the faults of a function are counted.
fn key(rule: &Id, function: &str) -> String {
    format!("{rule}/{function}")
}

/// Whether a function went wrong too often, or a moderator suspended its law.
pub(crate) fn is_suspended(stage: &dyn Stage, registry: &Registry, function: &Function) -> bool {
    suspension(stage, registry, function).is_some()
}

/// Why a function is suspended; nothing where it is not.
fn suspension(stage: &dyn Stage, registry: &Registry, function: &Function) -> Option<&'static str> {
    let Some(law) = registry.laws.get(function.law) else { return Some("its law is gone") };
    let suspended = |function: &str| stage.faults(&key(&law.rule, function)).is_some_and(|faults| faults.suspended);
    match (suspended(ALL), suspended(&function.name)) {
        (true, _) => Some("a moderator suspended its law"),
        (false, true) => Some("its law went wrong too often"),
        (false, false) => None,
    }
}

/// Lets an act be done whose body is not suspended.
///
/// # Errors
///
/// Why it is.
pub(crate) fn runs(stage: &dyn Stage, registry: &Registry, name: &str, body: &Function) -> Result<(), Refusal> {
    match suspension(stage, registry, body) {
        Some(why) => Err(Refusal::new(format!("“{name}” is suspended: {why}"))),
        None => Ok(()),
    }
}

/// Whether a moderator suspended the law of a rule.
pub(crate) fn is_all_suspended<G: Hosts>(state: &State<G>, rule: &Id) -> bool {
    state.row::<Faults>(&key(rule, ALL)).is_some_and(|faults| faults.suspended)
}

/// All functions of a law together, in the place of one: what a moderator suspends.
const ALL: &str = "all of it";

/// The period in which faults are counted: the room's week.
fn week(stage: &dyn Stage) -> String {
    let own = stage.clock().into_iter().find(|(name, _)| *name == "nweek").map(|(name, _)| name);
    period(stage, own.unwrap_or("week"))
}

/// The day for which a doer counts once.
fn day(stage: &dyn Stage) -> String {
    let own = stage.clock().into_iter().find(|(name, _)| *name == "nday").map(|(name, _)| name);
    period(stage, own.unwrap_or("day"))
}

/// Whether a fault of an act's body was counted for this doer already: then it is refused like anything else.
pub(crate) fn is_counted(stage: &dyn Stage, rule: &Id, function: &str, by: &Id) -> bool {
    let counted = stage.faults(&key(rule, function)).filter(|faults| faults.period == week(stage));
    counted.is_some_and(|faults| faults.doers.contains(&format!("{by} {}", day(stage))))
}

/// Tells what went wrong, and counts it.
pub(crate) fn tell<G: Hosts>(d: &mut Draft<'_, G>, run: &Run) {
    for faulty in &run.faults {
        tell_one(d, run, faulty);
    }
    if run.cut_off {
        d.tell_all(format!("The rest is not done: {}.", full()));
    }
}

fn tell_one<G: Hosts>(d: &mut Draft<'_, G>, run: &Run, faulty: &Faulty) {
    let Some(law) = run.registry.laws.iter().find(|law| law.rule == faulty.rule) else { return };
    let key = key(&faulty.rule, &faulty.function);
    let (week, day) = (week(d), day(d));
    let mut faults = d.row::<Faults>(&key).cloned().unwrap_or_default();
    (faults.rule, faults.function) = (faulty.rule.clone(), faulty.function.clone());
    let why = faulty.fault.told(&law.source);
    let head = format!("The law of rule {}, {}, {}: {why}.", law.number, law.label, faulty.function);
    if faulty.fault.rests {
        if !faults.rests {
            faults.rests = true;
            d.put(&key, faults);
            d.tell_all(format!("{head} It rests until a rule gives it."));
        }
        return ways::mend(d, &run.registry, faulty);
    }
    if faults.period != week {
        (faults.count, faults.doers, faults.refused) = (0, Vec::new(), false);
    }
    faults.period = week;
    if faulty.fault.refused {
        if !std::mem::replace(&mut faults.refused, true) {
            d.put(&key, faults);
            d.tell_all(format!("{head} Nothing of it happened."));
        }
        return;
    }
    faults.count += 1;
    faults.doers.extend(faulty.by.as_ref().map(|by| format!("{by} {day}")));
    let doers = faults.doers.iter().filter_map(|doer| doer.split(' ').next());
    let doers = doers.collect::<BTreeSet<_>>().len();
    faults.suspended = faults.count >= FAULTS_MAX_COUNT && (faulty.by.is_none() || doers >= DOERS_MIN_COUNT);
    if faults.suspended {
        let number = law.number;
        d.tell_all(format!(
            "{head} Rule {number} is suspended in this: it is not done until a moderator or a passed proposal resumes it \
             (“=> resume law of rule {number}”)."
        ));
    } else if faults.count == 1 || faulty.by.is_some() {
        d.tell_all(format!("{head} Nothing of it happened."));
    }
    d.put(&key, faults);
    ways::mend(d, &run.registry, faulty);
}

/// What of the law of a rule is not played, in sentences.
pub(crate) fn notes<G: Hosts>(state: &State<G>, rule: &Id) -> Vec<String> {
    let mut told = Vec::new();
    let Some(law) = state.row::<Enacted>(rule) else { return told };
    let number = state.rules.get(rule).map_or(0, kernel::rulebook::Rule::number);
    told.extend(law.fault.iter().map(|why| format!("Its law cannot be read, and does nothing: {why}.")));
    told.extend(
        law.rests.iter().map(|name| {
            format!("“{name}” of its law rests: something else has that name.{}", reached(law, number, name))
        }),
    );
    told.extend(yielding(state, law).map(|name| format!("The name “{name}” rests: something else is called so.")));
    for faults in state.rows::<Faults>().values().filter(|faults| faults.rule == *rule) {
        let what = if faults.function == ALL { "Its law".to_owned() } else { format!("Its law, {},", faults.function) };
        if faults.suspended {
            told.push(format!(
                "{what} is suspended. A passed proposal resumes it by “=> resume law of rule {number}”, a moderator by \
                 “⁅correct law/{number} running because WHY⁆”."
            ));
        } else if faults.rests {
            told.push(format!("{what} rests: a figure that it reads is gone from the rules."));
        }
    }
    told
}

/// The names that players gave to things of a law's kinds, and that something else has which keeps them.
fn yielding<'s, G: Hosts>(state: &'s State<G>, law: &'s Enacted) -> impl Iterator<Item = String> + 's {
    let of_law = law.declared.kinds.iter().flat_map(|kind| state.world.of_kind(kind));
    let given: Vec<&Id> = of_law.filter(|obj| words::yields(state, obj)).collect();
    let others = state.world.objects().filter(|obj| !given.is_empty() && !words::yields(state, obj));
    let kept: BTreeSet<String> = others.map(|obj| folded(&G::called(state, obj))).collect();
    given.into_iter().map(|obj| G::called(state, obj)).filter(move |name| kept.contains(&folded(name)))
}

/// Whether anything of the law of a rule is suspended.
pub(crate) fn has_suspended<G: Hosts>(state: &State<G>, rule: &Id) -> bool {
    state.rows::<Faults>().values().any(|faults| faults.rule == *rule && faults.suspended)
}

/// Forgets what was counted against the law of a rule, which begins afresh or ends. Whether it goes on by that: what a
/// moderator suspended stays suspended.
pub(crate) fn forget<G: Hosts>(d: &mut Draft<'_, G>, rule: &Id) -> bool {
    let suspended = has_suspended(d, rule);
    forget_but(d, rule, Some(ALL));
    suspended && !has_suspended(d, rule)
}

fn forget_but<G: Hosts>(d: &mut Draft<'_, G>, rule: &Id, stays: Option<&str>) {
    let of_rule =
        |(_, faults): &(&String, &Faults)| faults.rule == *rule && stays.is_none_or(|stays| faults.function != stays);
    let keys: Vec<String> = d.rows::<Faults>().iter().filter(of_rule).map(|(key, _)| key.clone()).collect();
    keys.iter().for_each(|key| drop(d.delete::<Faults>(key)));
}

/// Suspends all of the law of a rule: a moderator's way out where a law bars what would repeal it.
///
/// # Errors
///
/// Where there is no such rule, or it has no law.
pub(crate) fn suspend<G: Hosts>(d: &mut Draft<'_, G>, words: &str) -> Result<(), Refusal> {
    let rule = d.rules.find(words)?;
    let (rule, label) = (rule.id().clone(), rule.label());
    if d.row::<Enacted>(&rule).is_none() {
        return Err(Refusal::new(format!("{label} has no law")));
    }
    d.put(&key(&rule, ALL), Faults { rule, function: ALL.to_owned(), suspended: true, ..Faults::default() });
    Ok(())
}

/// Resumes the law of a rule by the words for it: `rule 12`, `12`, a title.
///
/// # Errors
///
/// Where there is no such rule, or nothing of its law is suspended.
pub(crate) fn resume<G: Hosts>(d: &mut Draft<'_, G>, words: &str) -> Result<String, Refusal> {
    let rule = d.rules.find(words)?;
    let (id, number, label) = (rule.id().clone(), rule.number(), rule.label());
    if !has_suspended(d, &id) {
        return Err(Refusal::new(format!("nothing of the law of rule {number}, {label}, is suspended")));
    }
    forget_but(d, &id, None);
    // What ended meanwhile ends again, now that somebody makes something of it.
    let over: Vec<(Question, Poll)> = Stage::polls(d).into_iter().filter(|(_, poll)| poll.over).collect();
    for (question, poll) in over {
        d.put(&question, poll.again(d.at));
    }
    Ok(format!("the law of rule {number}, {label}, is resumed"))
}
