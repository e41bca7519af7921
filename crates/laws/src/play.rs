//! One act from beginning to end, and what follows.
//!
//! Changes come first, the weakest rule first; then all bars; then the body, which happens as a whole or not at all. Then
//! followers, in the order in which things happened, then by rule. Each of those stands or falls by itself.

use rhai::{Dynamic, Map};

use kernel::{Id, Instant, Num, Path, Refusal, Value, time::seconds_after, world::Op};

use super::{
    fault::{Fault, Stop},
    limits::{FAULTS_MAX_COUNT, FOLLOWERS_MAX_COUNT, PERFORM_MAX_DEPTH, WHENEVER_MAX_ROUNDS},
    params,
    registry::Function,
    run::{Happening, Mode, Run, call, looking},
    stage::Stage,
    tables::Kept,
    values::{Args, Obj, held},
};

/// Does an act of a law, with all that may change or bar it. One that nobody defines is an event.
///
/// # Errors
///
/// Why it does not happen.
pub(crate) fn perform(stage: &mut dyn Stage, run: &mut Run, name: &str, mut given: Map) -> Result<Dynamic, Stop> {
    if run.depth >= PERFORM_MAX_DEPTH {
        return Err(Stop::Fault(Fault::new(format!("acts perform acts at most {PERFORM_MAX_DEPTH} deep"))));
    }
    let registry = run.registry.clone();
    let act = registry.acts.get(name);
    if let Some((act, _)) = act {
        params::fit(stage, &registry, name, &act.params, &mut given)?;
    }
    let args = Args::new(given);
    run.depth += 1;
    let done = judged(stage, run, name, &args).and_then(|()| match act {
        Some((_, body)) => attempted(stage, run, body, &args),
        None => Ok(Dynamic::UNIT),
    });
    run.depth -= 1;
    let done = done?;
    run.queue.push_back(Happening { name: name.to_owned(), args: args.all() });
    Ok(done)
}

/// The body of an act: all of it or nothing.
fn attempted(stage: &mut dyn Stage, run: &mut Run, body: &Function, args: &Args) -> Result<Dynamic, Stop> {
    let (mut got, queued) = (Dynamic::UNIT, run.queue.len());
    let done = stage.attempt(&mut |stage| {
        got = call(stage, run, body, vec![Dynamic::from(args.clone())])?;
        Ok(())
    });
    match done {
        Ok(()) => Ok(got),
        Err(stop) => {
            run.queue.truncate(queued);
            Err(stop)
        }
    }
}

/// Lets laws change the parameters of an act, and bar it.
///
/// # Errors
///
/// Which law bars it, and why.
pub(crate) fn judged(stage: &mut dyn Stage, run: &mut Run, name: &str, args: &Args) -> Result<(), Stop> {
    let registry = run.registry.clone();
    let mode = std::mem::replace(&mut run.mode, Mode::Look);
    // The strongest rule has the last word.
    for change in registry.changes.get(name).into_iter().flatten().rev() {
        let kept = args.all();
        if is_suspended(stage, run, change) {
            continue;
        }
        match looking(|| call(stage, run, change, vec![Dynamic::from(args.clone())])) {
            Ok(_) => {}
            Err(Stop::Refused(_)) => args.replace(kept),
            Err(Stop::Fault(fault)) => {
                args.replace(kept);
                run.note(change, fault);
            }
        }
    }
    let barred = registry.bars.get(name).into_iter().flatten().find_map(|(bar, why)| {
        if is_suspended(stage, run, bar) {
            return None;
        }
        let law = registry.laws.get(bar.law).map(|law| law.label.clone()).unwrap_or_default();
        match looking(|| call(stage, run, bar, vec![Dynamic::from(args.clone())])) {
            Ok(is) if is.as_bool() == Ok(true) => Some(Stop::Refused(Refusal::new(why.clone()).by(law))),
            Ok(_) | Err(Stop::Refused(_)) => None,
            Err(Stop::Fault(fault)) => {
                let why = format!("a law bars it, and cannot be carried out: {}", fault.why);
                run.note(bar, fault);
                Some(Stop::Refused(Refusal::new(why).by(law)))
            }
        }
    });
    run.mode = mode;
    barred.map_or(Ok(()), Err)
}

/// Calls whatever follows from what happened, until nothing is left.
pub(crate) fn follow(stage: &mut dyn Stage, run: &mut Run) {
    let mut called = 0;
    loop {
        hear(stage, run);
        let Some(Happening { name, args }) = run.queue.pop_front() else { return };
        let registry = run.registry.clone();
        for follower in registry.followers.get(&name).into_iter().flatten() {
            called += 1;
            if called > FOLLOWERS_MAX_COUNT {
                run.note(follower, Fault::new(format!("more than {FOLLOWERS_MAX_COUNT} things follow from one act")));
                run.queue.clear();
                return;
            }
            by_itself(stage, run, follower, vec![Dynamic::from(Args::new(args.clone()))]);
        }
    }
}

/// Calls a function that stands or falls by itself.
pub(crate) fn by_itself(stage: &mut dyn Stage, run: &mut Run, function: &Function, args: Vec<Dynamic>) {
    if is_suspended(stage, run, function) {
        return;
    }
    let queued = run.queue.len();
    let done = stage.attempt(&mut |stage| call(stage, run, function, args.clone()).map(drop));
    if let Err(stop) = done {
        run.queue.truncate(queued);
        if let Stop::Fault(fault) = stop {
            run.note(function, fault);
        }
    }
}

/// Does what must always hold, until it changes nothing.
pub(crate) fn whenever(stage: &mut dyn Stage, run: &mut Run) {
    let registry = run.registry.clone();
    if registry.whenever.is_empty() {
        return;
    }
    for _ in 0..WHENEVER_MAX_ROUNDS {
        let before = stage.emitted();
        registry.whenever.iter().for_each(|function| by_itself(stage, run, function, Vec::new()));
        follow(stage, run);
        if stage.emitted() == before {
            return;
        }
    }
    if let Some(function) = registry.whenever.last() {
        run.note(function, Fault::new(format!("it comes to no end in {WHENEVER_MAX_ROUNDS} rounds")));
    }
}

/// Hears of what was changed since followers were called last.
fn hear(stage: &mut dyn Stage, run: &mut Run) {
    for (name, with) in stage.happened() {
        let args = params::native(stage, &with, "").try_cast::<Map>().unwrap_or_default();
        run.queue.push_back(Happening { name, args });
    }
    let ops = stage.unheard();
    let listens = |begins: &str| run.registry.followers.keys().any(|name| name.starts_with(begins));
    if ops.is_empty() || !(listens("change of ") || listens("new ")) {
        return;
    }
    let mut found = Vec::new();
    let mut after: Vec<(Path, Value)> = Vec::new();
    for op in ops.iter().rev() {
        let (at, was, now) = match op {
            Op::Set { at, was, .. } => (at, was.clone(), current(stage, &mut after, at)),
            Op::Add { at, by } => {
                let now = current(stage, &mut after, at);
                let Value::Num(number) = &now else { continue };
                (at, Value::Num(number - by), now)
            }
            Op::Create { obj, kind } => {
                let args = Map::from([("of".into(), Dynamic::from(Obj(obj.clone())))]);
                found.push(Happening { name: format!("new {kind}"), args });
                continue;
            }
            _ => continue,
        };
        if let Some(known) = after.iter_mut().find(|(path, _)| path == at) {
            known.1 = was.clone();
        }
        let Some(kind) = stage.world().kind(&at.obj) else { continue };
        let args = Map::from([
            ("of".into(), Dynamic::from(Obj(at.obj.clone()))),
            ("was".into(), held(&was)),
            ("now".into(), held(&now)),
        ]);
        found.push(Happening { name: format!("change of {} of {kind}", at.attr), args });
    }
    found.retain(|happening| run.registry.followers.contains_key(&happening.name));
    run.queue.extend(found.into_iter().rev());
}

/// A value as it was after an operation, going backwards.
fn current(stage: &dyn Stage, after: &mut Vec<(Path, Value)>, at: &Path) -> Value {
    if let Some((_, value)) = after.iter().find(|(path, _)| path == at) {
        return value.clone();
    }
    let value = stage.world().value(at);
    after.push((at.clone(), value.clone()));
    value
}

// ---- faults

/// Whether a function went wrong too often.
fn is_suspended(stage: &dyn Stage, run: &Run, function: &Function) -> bool {
    let Some(law) = run.registry.laws.get(function.law) else { return true };
    stage.kept(&fault_key(&law.rule, &function.name)).is_some_and(|kept| kept.count >= FAULTS_MAX_COUNT)
}

/// Under what faults of a function are counted.
pub(crate) fn fault_key(rule: &Id, function: &str) -> String {
    format!("fault/{rule}/{function}")
}

// ---- limits and times

/// The period of the room's time that is meant by a unit: the number of the nday, or the day in UTC.
fn period(stage: &dyn Stage, unit: &str) -> String {
    // A month and a date come again; a period does not.
    let calendar = ["hour", "day", "week", "month"].contains(&unit);
    match stage.clock().into_iter().find(|(name, _)| *name == unit && !calendar) {
        Some((_, number)) if unit == "nday" => {
            let week = stage.clock().into_iter().find(|(name, _)| *name == "nweek").map(|(_, is)| is.to_string());
            format!("{}/{number}", week.unwrap_or_default())
        }
        Some((_, number)) => number.to_string(),
        None => match unit {
            "hour" => (stage.now().as_second() / 3_600).to_string(),
            "week" => ((stage.now().as_second() - FIRST_MONDAY) / 604_800).to_string(),
            _ => (stage.now().as_second() / 86_400).to_string(),
        },
    }
}

/// The first Monday of the time that instants are counted from, in seconds: weeks begin on it.
const FIRST_MONDAY: i64 = 4 * 86_400;

/// `once an nday`, `3 a week`, in a number and a unit.
fn limit(words: &str) -> Option<(u32, String)> {
    let mut parts = words.split_whitespace();
    let count = match parts.next()? {
        "once" => 1,
        "twice" => 2,
        number => number.parse().ok()?,
    };
    let unit = parts.find(|word| !matches!(*word, "a" | "an" | "times" | "per"))?;
    Some((count, unit.to_owned()))
}

/// Counts an act of somebody's against its limit.
///
/// # Errors
///
/// Where it was done as often as it may be.
pub(crate) fn count(stage: &mut dyn Stage, act: &str, by: &Id, words: &str, rule: &str) -> Result<(), Stop> {
    let Some((most, unit)) = limit(words) else { return Ok(()) };
    let (key, period) = (format!("done/{act}/{by}"), period(stage, &unit));
    let count = stage.kept(&key).filter(|kept| kept.period == period).map_or(0, |kept| kept.count);
    if count >= most {
        let say = format!("you did “{act}” {count} of {most} times in this {unit}");
        return Err(Refusal::new(say).by(rule).into());
    }
    stage.keep(&key, Some(Kept { period, count: count + 1 }));
    Ok(())
}

/// The instant after a length of time in words: `2 days`, `12 hours`.
pub(crate) fn instant_after(now: Instant, words: &str) -> Option<Instant> {
    let (count, unit) = words.trim().split_once(' ')?;
    let count: Num = count.parse().ok()?;
    let seconds = match unit.trim_end_matches('s') {
        "minute" => 60,
        "hour" => 3_600,
        "day" | "rday" => 86_400,
        "week" => 604_800,
        _ => return None,
    };
    let seconds = Num::from(count.as_rational() * Num::from(seconds).as_rational()).as_rational().floor();
    Some(seconds_after(now, Num::from(seconds).to_i64().filter(|seconds| (1..=MAX_SECONDS).contains(seconds))?))
}

/// Longest time that something is set ahead, in seconds: ten years.
const MAX_SECONDS: i64 = 10 * 366 * 86_400;
