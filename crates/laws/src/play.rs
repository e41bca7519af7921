//! One act from beginning to end, and what follows.
//!
//! Changes come first, the weakest rule first; then all bars; then the body, which happens as a whole or not at all. Then
//! followers, in the order in which things happened, then by rule. Each of those stands or falls by itself.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, PoisonError},
};

use rhai::{Dynamic, Identifier, Map};

use kernel::{
    Id, Path, Refusal, Value,
    clean::prose,
    display::{Block, Document},
    entry::Audience,
    world::Op,
};

use super::{
    counts,
    docket_decl::{BEGIN, END},
    fault::{Fault, Stop},
    faults,
    fuel::{apart, burn, fuel, limited, looking},
    limits::{FOLLOWER_MAX_OPERATIONS, FOLLOWERS_MAX_COUNT, PERFORM_MAX_LEVELS, WHENEVER_MAX_ROUNDS},
    params, pending, reading,
    reads::{Read, Reads},
    registry::{Always, Idle, REFUSED, Registry},
    run::{Happening, Mode, Run, at_its_expense, call, full},
    script::Function,
    stage::Stage,
    then::Then,
    values::{Args, Obj, as_object, held, same},
};

/// Does an act of a law, with all that may change or bar it. One that nobody defines is an event.
///
/// # Errors
///
/// Why it does not happen.
pub(crate) fn perform(stage: &mut dyn Stage, run: &mut Run, name: &str, mut given: Map) -> Result<Dynamic, Stop> {
    if run.depth >= PERFORM_MAX_LEVELS {
        return Err(Stop::Fault(Fault::new(format!("acts perform acts at most {PERFORM_MAX_LEVELS} deep"))));
    }
    let registry = run.registry.clone();
    let act = registry.acts.get(name);
    if act.is_none() && (is_of_world(name) || stage.happens_by_itself(name)) {
        let why = format!("“{name}” happens by the game itself, and no law performs it");
        return Err(Stop::Fault(Fault::new(why)));
    }
    if let Some((act, body)) = act {
        faults::runs(stage, &registry, name, body)?;
        params::fit(stage, &registry, name, &act.params, &mut given)?;
    }
    let args = Args::new(given);
    run.depth += 1;
    let private = act.filter(|(act, _)| act.forum == PRIVATE).map(|(_, body)| body.law);
    let allowed = match private {
        Some(own) => judged_in_private(stage, run, name, &args, own),
        None => judged(stage, run, name, &args),
    };
    let outer = run.private;
    run.private |= private.is_some();
    tell_changes(stage, run, name, &args.all());
    let by = args.get("by");
    let done = allowed.and_then(|()| match act {
        // A document takes nothing upon another.
        Some((_, body)) if run.document.is_none() && as_object(&by).is_some() => {
            in_act_of(stage, as_object(&by), |stage| attempted(stage, run, name, body, &args))
        }
        Some((_, body)) => attempted(stage, run, name, body, &args),
        None => Ok(Dynamic::UNIT),
    });
    run.private = outer;
    run.depth -= 1;
    let args = args.all();
    if let (Err(Stop::Refused(why, _)), None) = (&done, private) {
        refused(stage, run, name, args.clone(), why);
    }
    let done = done?;
    counts::count(stage, &registry, name, args.get("by").and_then(as_object).as_ref());
    // What is done in private has no followers: they would tell of it.
    if private.is_none() {
        run.queue.push_back(Happening::now(stage, name.to_owned(), args));
    }
    Ok(done)
}

/// Does what is somebody's act, or nobody's.
pub(crate) fn in_act_of<T>(stage: &mut dyn Stage, whose: Option<Id>, does: impl FnOnce(&mut dyn Stage) -> T) -> T {
    let outer = stage.act_of(whose);
    let done = does(stage);
    stage.act_of(outer);
    done
}

/// Notes what was refused, where a law follows that.
fn refused(stage: &dyn Stage, run: &mut Run, name: &str, mut args: Map, why: &Refusal) {
    let name = format!("{REFUSED}{name}");
    if run.registry.followers.contains_key(&name) {
        args.insert("why".into(), why.say.as_str().into());
        run.refused.push(Happening::now(stage, name, args));
    }
}

/// What is known of a change of a value.
fn changed(obj: &Id, was: &Value, now: &Value, by: Option<&Id>) -> Map {
    let of = Dynamic::from(Obj(obj.clone()));
    Map::from([("of".into(), of), ("was".into(), held(was)), ("now".into(), held(now)), doer(by)])
}

/// In whose act something was changed.
fn doer(by: Option<&Id>) -> (Identifier, Dynamic) {
    ("by".into(), by.map_or(Dynamic::UNIT, |by| Dynamic::from(Obj(by.clone()))))
}

/// Lets laws bar the change of a value in somebody's act, or in nobody's.
///
/// # Errors
///
/// Which law bars it, and why.
pub(crate) fn changes(
    stage: &mut dyn Stage,
    run: &mut Run,
    at: &Path,
    (was, now): (&dyn Fn() -> Value, &Value),
    by: Option<&Id>,
) -> Result<(), Stop> {
    let Some(kind) = stage.world().kind(&at.obj) else { return Ok(()) };
    let name = format!("change of {} of {kind}", at.attr);
    if !run.registry.bars.contains_key(&name) {
        return Ok(());
    }
    let was = was();
    if was == *now {
        return Ok(());
    }
    let args = changed(&at.obj, &was, now, by);
    let allowed = barred(stage, run, &name, &Args::new(args.clone()), &|_| true);
    if let Err(Stop::Refused(why, _)) = &allowed {
        refused(stage, run, &name, args, why);
    }
    allowed
}

/// The forum of acts that are for nobody's eyes but their doer's.
pub(crate) const PRIVATE: &str = "private";

/// Lets the law that declares a private act change and bar it, and other laws bar it by who does it and by nothing more.
fn judged_in_private(stage: &mut dyn Stage, run: &mut Run, name: &str, args: &Args, own: usize) -> Result<(), Stop> {
    judged_by(stage, run, name, args, &|law| law == own)?;
    let seen = Args::new(Map::from([("by".into(), args.get("by"))]));
    judged_by(stage, run, name, &seen, &|law| law != own)
}

/// Whether an event is told of objects, values, duties and time, and of no act.
fn is_of_world(name: &str) -> bool {
    let begins = ["change of ", "new ", "refused ", "start of ", "end of "];
    begins.iter().any(|begins| name.starts_with(begins)) || ["overdue", BEGIN, END].contains(&name)
}

/// The body of an act: all of it or nothing.
fn attempted(stage: &mut dyn Stage, run: &mut Run, name: &str, body: &Function, args: &Args) -> Result<Dynamic, Stop> {
    let (mut got, queued, kept) = (Dynamic::UNIT, run.queue.len(), args.all());
    // What an act does in the midst of a portion is no portion itself.
    let portions = run.portions.take();
    let done = stage.attempt(&mut |stage| {
        // Before the body, which may ask for the same again.
        pending::fulfil(stage, name, &args.all());
        got = call(stage, run, body, vec![Dynamic::from(args.clone())])?;
        bounded(stage, run)
    });
    run.portions = portions;
    match done {
        Ok(()) => Ok(got),
        Err(stop) => {
            run.queue.truncate(queued);
            args.replace(kept);
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
    judged_by(stage, run, name, args, &|_| true)
}

/// What a law made of an act of a law, where it is still what that takes; whose act it is no law changes.
fn fits(stage: &mut dyn Stage, registry: &Registry, name: &str, before: &Map, mut after: Map) -> Result<Map, Fault> {
    let Some((act, _)) = registry.acts.get(name) else { return Ok(after) };
    let by = |map: &Map| map.get("by").and_then(as_object);
    if by(before) != by(&after) {
        return Err(Fault::new("a change of an act leaves whose act it is"));
    }
    params::fit(stage, registry, name, &act.params, &mut after).map(|()| after).map_err(|stop| match stop {
        Stop::Refused(why, _) => Fault::new(why.say),
        Stop::Fault(fault) => fault,
    })
}

/// The same by some laws only.
///
/// # Errors
///
/// As [`judged`].
pub(crate) fn judged_by(
    stage: &mut dyn Stage,
    run: &mut Run,
    name: &str,
    args: &Args,
    by: &dyn Fn(usize) -> bool,
) -> Result<(), Stop> {
    let registry = run.registry.clone();
    let mode = std::mem::replace(&mut run.mode, Mode::Look);
    // The strongest rule has the last word.
    for change in registry.changes.get(name).into_iter().flatten().rev() {
        let kept = args.all();
        if !by(change.law) || faults::is_suspended(stage, &registry, change) {
            continue;
        }
        match looking(|| call(stage, run, change, vec![Dynamic::from(args.clone())])) {
            Ok(_) => match fits(stage, &registry, name, &kept, args.all()) {
                Ok(changed) => {
                    for (param, is) in &changed {
                        let was = kept.get(param);
                        if was.is_none_or(|was| !same(was, is)) {
                            run.altered.entry(param.to_string()).or_insert_with(|| (0, was.cloned())).0 = change.law;
                        }
                    }
                    args.replace(changed);
                }
                Err(fault) => {
                    args.replace(kept);
                    run.note(change, fault);
                }
            },
            Err(Stop::Refused(..)) => args.replace(kept),
            Err(Stop::Fault(fault)) => {
                args.replace(kept);
                run.note(change, fault);
            }
        }
    }
    run.mode = mode;
    let allowed = barred(stage, run, name, args, by);
    if allowed.is_err() {
        run.altered.clear();
    }
    allowed
}

/// Says which rules changed an act that will be done, and to what: of a private act to its doer alone.
pub(crate) fn tell_changes(stage: &mut dyn Stage, run: &mut Run, name: &str, after: &Map) {
    let by = after.get("by").and_then(as_object);
    let is_whose = by.as_ref().map(|by| format!(" of {}", stage.called(by))).unwrap_or_default();
    for (param, (law, was)) in std::mem::take(&mut run.altered) {
        let Some(is) = after.get(param.as_str()) else { continue };
        if was.as_ref().is_some_and(|was| same(was, is)) {
            continue;
        }
        // A line of its own would stand in the program's words.
        let is_short = |shown: &String| shown.chars().count() <= CHANGED_MAX_CHARS && !shown.contains('\n');
        let shown = |is: &Dynamic| prose(&params::shown(stage, is));
        let (now, was) = (shown(is), was.as_ref().map(shown).filter(is_short));
        let long = !is_short(&now);
        let told = match was {
            _ if long => format!("{param} is another text now"),
            Some(was) => format!("{param} is {now} now, and was {was}"),
            None => format!("{param} is {now} now"),
        };
        let sign = run.registry.sign(law);
        let said = Document::say(format!("Changed by {sign}, of “{name}”{is_whose}: {told}."));
        let to_doer = by.clone().map(Audience::Seat);
        let audience = to_doer.clone().filter(|_| run.private).unwrap_or(Audience::Public);
        stage.say(audience, said);
        if let Some(doer) = to_doer.filter(|_| long) {
            let head = Document::say(format!("Of “{name}”, {param} reads now:"));
            stage.say(doer, head.with(Block::Said { by: sign, text: now }));
        }
        // That is the program's to say, and none of what the law may.
        run.from.announced += 1;
    }
}

/// Longest value of a parameter that is shown where a law changed it, in characters.
const CHANGED_MAX_CHARS: usize = 120;

/// Lets some laws bar something.
fn barred(
    stage: &mut dyn Stage,
    run: &mut Run,
    name: &str,
    args: &Args,
    by: &dyn Fn(usize) -> bool,
) -> Result<(), Stop> {
    let registry = run.registry.clone();
    let mode = std::mem::replace(&mut run.mode, Mode::Look);
    let barred = registry.bars.get(name).into_iter().flatten().find_map(|(bar, why)| {
        if !by(bar.law) || faults::is_suspended(stage, &registry, bar) {
            return None;
        }
        let law = registry.laws.get(bar.law).map(|law| law.cited.clone()).unwrap_or_default();
        match looking(|| call(stage, run, bar, vec![Dynamic::from(args.clone())])) {
            Ok(is) if is.as_bool() == Ok(true) => Some(Refusal::new(why.clone()).by(law).into()),
            Ok(_) | Err(Stop::Refused(..)) => None,
            // What it reads is gone from the rules, and it bars nothing.
            Err(Stop::Fault(fault)) if fault.rests => {
                run.note(bar, fault);
                None
            }
            Err(Stop::Fault(fault)) => {
                let why = format!("a law bars it, and cannot be carried out: {}", fault.why);
                run.note(bar, fault);
                Some(Refusal::new(why).by(law).into())
            }
        }
    });
    run.mode = mode;
    barred.map_or(Ok(()), Err)
}

/// What came to no end, or would have changed too much.
struct Endless {
    function: Function,
    fault: Fault,
}

/// Calls whatever follows from what happened, until nothing is left. Where that comes to no end, nothing of it happens.
pub(crate) fn follow(stage: &mut dyn Stage, run: &mut Run) {
    hear(stage, run);
    if !run.queue.is_empty() {
        by_all_or_none(stage, run, |stage, run| follow_on(stage, run, &mut 0));
    }
}

/// Does what must always hold, until it changes nothing. Where that comes to no end, nothing of it happens.
pub(crate) fn whenever(stage: &mut dyn Stage, run: &mut Run) {
    if run.registry.whenever.is_empty() {
        return;
    }
    by_all_or_none(stage, run, |stage, run| {
        let (mut called, mut last) = (0, None);
        settle(stage, run);
        for _ in 0..WHENEVER_MAX_ROUNDS {
            let before = stage.emitted();
            for at in 0.. {
                let registry = run.registry.clone();
                let Some(always) = registry.whenever.get(at) else { break };
                for of in always.about(stage, run) {
                    if of.as_ref().is_some_and(|of| !stage.is_there(of)) {
                        continue;
                    }
                    if uphold(stage, run, always, of) || last.is_none() {
                        last = Some(always.function.clone());
                    }
                    within(stage, run, &always.function)?;
                    settle(stage, run);
                    // Other laws may be in force by now.
                    if !Arc::ptr_eq(&registry, &run.registry) {
                        break;
                    }
                }
            }
            follow_on(stage, run, &mut called)?;
            if stage.emitted() == before {
                return Ok(());
            }
        }
        let Some(function) = last else { return Ok(()) };
        let fault = Fault::new(format!("it comes to no end in {WHENEVER_MAX_ROUNDS} rounds"));
        Err(Box::new(Endless { function, fault }))
    });
}

/// Does what must always hold by one function, unless all that it read is as it was when it changed nothing; whether it
/// changes anything. It takes the same operations in either case: they are kept, and what a program remembers is not.
fn uphold(stage: &mut dyn Stage, run: &mut Run, always: &Always, of: Option<Id>) -> bool {
    let function = &always.function;
    if faults::is_suspended(stage, &run.registry, function) {
        return false;
    }
    at_its_expense(stage, run, function.law, |stage, run| {
        apart(FOLLOWER_MAX_OPERATIONS, || {
            let idle = || always.idle.lock().unwrap_or_else(PoisonError::into_inner);
            let known = idle().get(&of).cloned();
            if let Some(known) = known.filter(|known| is_idle(stage, run, known)) {
                run.ran.extend(known.ran.iter().map(|(of, revision)| (of.clone(), *revision)));
                return false;
            }
            let (before, left, followed) = (stage.emitted(), fuel(), run.index.followed);
            run.reads = Reads::Whole(Vec::new());
            let earlier = std::mem::take(&mut run.ran);
            let args = of.iter().map(|of| Dynamic::from(Obj(of.clone()))).collect();
            let went_wrong = alone(stage, run, function, args);
            let changes = stage.emitted() != before;
            let followed = u64::try_from(run.index.followed - followed).unwrap_or(u64::MAX);
            let operations = (left - fuel()).saturating_sub(followed);
            let ran = run.ran.clone();
            run.ran.extend(earlier);
            let mut idle = idle();
            if idle.len() >= IDLE_MAX_COUNT {
                idle.clear();
            }
            match std::mem::take(&mut run.reads) {
                Reads::Whole(reads) if !changes && !went_wrong => {
                    idle.insert(of, Idle { reads, operations, ran }.into())
                }
                _ => idle.remove(&of),
            };
            changes
        })
    })
}

/// Most objects of which it is remembered how one thing came to nothing.
const IDLE_MAX_COUNT: usize = 1_024;

/// Whether something comes to nothing again; then it has taken as many operations as then.
fn is_idle(stage: &mut dyn Stage, run: &mut Run, known: &Idle) -> bool {
    if !known.reads.iter().all(|read| read.holds(stage)) {
        return false;
    }
    for read in &known.reads {
        if let Read::Column(kind, attr, _) = read {
            let followed = run.index.followed;
            drop(run.index.find(stage, &run.registry, kind, attr, &Value::Null));
            burn(u64::try_from(run.index.followed - followed).unwrap_or(u64::MAX));
        }
    }
    fuel() > known.operations && burn(known.operations)
}

/// Does something as a whole; where it comes to no end, nothing of it, and the fault is the function's.
fn by_all_or_none(
    stage: &mut dyn Stage,
    run: &mut Run,
    mut does: impl FnMut(&mut dyn Stage, &mut Run) -> Result<(), Box<Endless>>,
) {
    let (mut endless, registry) = (None, run.registry.clone());
    let done = stage.attempt(&mut |stage| {
        does(stage, run).map_err(|why| {
            endless = Some(why);
            Refusal::new("it comes to no end").into()
        })
    });
    if let (Err(_), Some(endless)) = (done, endless) {
        let Endless { function, fault } = *endless;
        run.queue.clear();
        run.then = None;
        // What led there is not followed again.
        drop(stage.unheard());
        run.note(&function, fault);
        // Nor are the laws others that it brought into force.
        run.registry = registry;
    }
}

fn follow_on(stage: &mut dyn Stage, run: &mut Run, called: &mut usize) -> Result<(), Box<Endless>> {
    loop {
        hear(stage, run);
        let Some(Happening { name, args, then, .. }) = run.queue.pop_front() else { return Ok(()) };
        run.then = Some(then);
        let mut followed = Called::default();
        while let Some(follower) = followed.next(run, |registry| registry.following(&name)) {
            *called += 1;
            if *called > FOLLOWERS_MAX_COUNT {
                let fault = Fault::new(format!("more than {FOLLOWERS_MAX_COUNT} things follow from one act"));
                return Err(Box::new(Endless { function: follower, fault }));
            }
            by_itself(stage, run, &follower, vec![Dynamic::from(Args::new(args.clone()))]);
            within(stage, run, &follower)?;
            settle(stage, run);
        }
        run.then = None;
    }
}

/// Ends what has changed or written too much with its last step.
fn bounded(stage: &dyn Stage, run: &Run) -> Result<(), Stop> {
    if run.is_full(stage) { Err(Stop::Fault(Fault::new(full()))) } else { Ok(()) }
}

/// Whether there is something left to do what follows with.
fn within(stage: &dyn Stage, run: &Run, function: &Function) -> Result<(), Box<Endless>> {
    let why = if fuel() == 0 {
        "all that follows from one act takes more operations than laws may".to_owned()
    } else if run.is_full(stage) {
        full()
    } else {
        return Ok(());
    };
    Err(Box::new(Endless { function: function.clone(), fault: Fault::new(why) }))
}

/// Calls a function that stands or falls by itself; whether it went wrong.
pub(crate) fn by_itself(stage: &mut dyn Stage, run: &mut Run, function: &Function, args: Vec<Dynamic>) -> bool {
    if faults::is_suspended(stage, &run.registry, function) {
        return false;
    }
    at_its_expense(stage, run, function.law, |stage, run| {
        limited(FOLLOWER_MAX_OPERATIONS, || alone(stage, run, function, args))
    })
}

/// The same with all that is left.
fn alone(stage: &mut dyn Stage, run: &mut Run, function: &Function, args: Vec<Dynamic>) -> bool {
    let queued = run.queue.len();
    let done = in_act_of(stage, None, |stage| {
        stage.attempt(&mut |stage| {
            call(stage, run, function, args.clone()).map(drop)?;
            bounded(stage, run)
        })
    });
    let Err(stop) = done else { return false };
    run.queue.truncate(queued);
    run.note_stop(function, stop)
}

/// Puts in order what was changed, before the next function is called: by the laws that are in force by now.
pub(crate) fn settle(stage: &mut dyn Stage, run: &mut Run) {
    if stage.settle() {
        run.registry = reading::in_force(stage).unwrap_or_default();
    }
    pending::hand_over(stage, run);
}

/// The functions that were called of several that are called for one thing: by rule how many it has, and which of those.
#[derive(Debug, Default)]
pub(crate) struct Called(BTreeMap<Id, (usize, BTreeSet<usize>)>);

impl Called {
    /// The next of them, by the laws that are in force when it comes to it. A law that was amended meanwhile and has
    /// another number of them has been called already.
    pub(crate) fn next(&mut self, run: &Run, all: impl Fn(&Registry) -> Vec<&Function>) -> Option<Function> {
        let registry = &run.registry;
        let all = all(registry);
        let rule = |function: &Function| registry.laws.get(function.law).map(|law| law.rule.clone());
        for (place, function) in all.iter().enumerate() {
            let same = |other: &&&Function| other.law == function.law;
            let (nth, count) = (all[..place].iter().filter(same).count(), all.iter().filter(same).count());
            let (had, called) = self.0.entry(rule(function)?).or_insert_with(|| (count, BTreeSet::new()));
            if *had == count && called.insert(nth) {
                return Some((*function).clone());
            }
        }
        None
    }
}

/// Hears of what was changed since followers were called last.
pub(crate) fn hear(stage: &mut dyn Stage, run: &mut Run) {
    settle(stage, run);
    run.queue.extend(std::mem::take(&mut run.refused));
    for (name, with) in stage.happened() {
        if !run.registry.followers.contains_key(&name) && !stage.is_asked() {
            continue;
        }
        let args = params::native(stage, &with, "").try_cast::<Map>().unwrap_or_default();
        pending::fulfil(stage, &name, &args);
        run.queue.push_back(Happening::now(stage, name, args));
    }
    let (ops, places): (Vec<_>, Vec<_>) = stage.unheard().into_iter().unzip();
    let ops = Arc::new(ops);
    let heard = if run.registry.hears_changes { &ops[..] } else { &[] };
    for (place, ((op, by), at_change)) in heard.iter().zip(places).enumerate() {
        let then = Then::after(stage, &ops, place + 1);
        let (at, was, now) = match op {
            // What is written down as it was is no change.
            Op::Set { at, was, to } if was != to => (at, was.clone(), to.clone()),
            Op::Add { at, by } => {
                let Value::Num(now) = then.value(at) else { continue };
                (at, Value::Num(&now - by), Value::Num(now))
            }
            Op::Create { obj, kind } => {
                let args = Map::from([("of".into(), Dynamic::from(Obj(obj.clone()))), doer(by.as_ref())]);
                run.queue.push_back(Happening { name: format!("new {kind}"), args, then, at: at_change });
                continue;
            }
            _ => continue,
        };
        let Some(kind) = stage.world().kind(&at.obj) else { continue };
        let args = changed(&at.obj, &was, &now, by.as_ref());
        let name = format!("change of {} of {kind}", at.attr);
        run.queue.push_back(Happening { name, args, then, at: at_change });
    }
    run.queue.make_contiguous().sort_by_key(|happening| happening.at);
    let registry = run.registry.clone();
    run.queue.retain(|happening| registry.followers.contains_key(&happening.name));
}
