//! Groups that stand or fall by themselves: what is attempted, what is tried and taken back, one thing after another.

use rhai::{Array, Dynamic, Engine, FnPtr, ImmutableString, Map};

use kernel::{Refusal, draft::Taken};

use super::{
    super::{
        fault::{Fault, Given, Stop, faulty, stopped},
        fuel::{fill, fuel},
        limits::{ACT_MAX_OPERATIONS, GROUP_OPERATIONS, HOUR_MAX_BYTES, HOUR_MAX_MESSAGES, HOUR_MAX_OPERATIONS},
        play,
        run::{Mode, On, Run, as_unit, call_back, on},
        script::Function,
        stage::Stage,
    },
    effects::acts,
    look::{charge, looks},
};

/// Tries a group by itself: whether it happened.
fn attempt(lent: &mut On<'_>, group: &FnPtr) -> Given<bool> {
    Ok(refusal_of(lent, group)?.is_none())
}

/// The same, and what is done where it was refused: that is told why.
fn attempt_or(lent: &mut On<'_>, group: &FnPtr, handler: &FnPtr) -> Given<bool> {
    let Some(why) = refusal_of(lent, group)? else { return Ok(true) };
    call_back(lent.stage, lent.run, handler, vec![why.say.into()]).map(drop).map_err(stopped)?;
    Ok(false)
}

/// Does a group by itself, and gives why it was refused, where it was.
fn refusal_of(lent: &mut On<'_>, group: &FnPtr) -> Given<Option<Refusal>> {
    acts(lent)?;
    charge(GROUP_OPERATIONS)?;
    let run = &mut *lent.run;
    let queued = run.queue.len();
    // A group is all or none, whatever it is part of.
    let portions = run.portions.take();
    let done = lent.stage.attempt(&mut |stage| tried(stage, run, group));
    run.portions = portions;
    match done {
        Ok(()) => Ok(None),
        Err(Stop::Refused(why, _)) => {
            run.queue.truncate(queued);
            Ok(Some(why))
        }
        Err(fault) => Err(stopped(fault)),
    }
}

/// A group that refuses by giving `false`.
fn tried(stage: &mut dyn Stage, run: &mut Run, group: &FnPtr) -> Result<(), Stop> {
    let got = as_unit(stage, run, |stage, run| call_back(stage, run, group, Vec::new()))?;
    match got.as_bool() {
        Ok(false) => Err(Refusal::new("it was not done").into()),
        _ => Ok(()),
    }
}

/// Why a group would be refused, as a text; `()` where it would not be. All of it is taken back.
fn why_not(lent: &mut On<'_>, group: &FnPtr) -> Given<Dynamic> {
    looks(lent)?;
    charge(GROUP_OPERATIONS)?;
    let run = &mut *lent.run;
    run.undecided = true;
    let mode = std::mem::replace(&mut run.mode, Mode::Act);
    let (queued, refused, portions) = (run.queue.len(), run.refused.len(), run.portions.take());
    let (drawn, unsealed) = (lent.stage.all_taken().drawn, run.unsealed.len());
    let mut done = Ok(());
    // Whatever becomes of it is refused, and so taken back.
    let _ = lent.stage.attempt(&mut |stage| {
        done = tried(stage, run, group);
        Err(Refusal::new("it is only tried").into())
    });
    run.queue.truncate(queued);
    run.refused.truncate(refused);
    (run.mode, run.portions) = (mode, portions);
    if lent.stage.all_taken().drawn > drawn || run.unsealed.len() > unsealed {
        return Err(faulty("what is only tried draws no numbers, and opens nothing that is sealed"));
    }
    match done {
        Ok(()) => Ok(Dynamic::UNIT),
        Err(Stop::Refused(why, _)) => Ok(why.say.into()),
        Err(fault) => Err(stopped(fault)),
    }
}

/// Has a deed done for each of a list, for which a test still holds: each as a whole with all that follows from it, within
/// the bounds of an act of its own. How many were done.
fn in_turn(lent: &mut On<'_>, list: &Array, deed: &str, test: Option<&FnPtr>) -> Given<i64> {
    acts(lent)?;
    if lent.run.in_turn {
        return Err(faulty("what is done in turn does nothing in turn itself"));
    }
    let name = lent.run.heard_as(deed);
    let registry = lent.run.registry.clone();
    let Some((act, function)) = registry.acts.get(&name).filter(|(act, _)| act.deed) else {
        return Err(faulty(format!("no law has the deed “{deed}”")));
    };
    let [param] = &act.params[..] else {
        return Err(faulty(format!("“{deed}” takes one thing to be done in turn: one of the list")));
    };
    charge(list.len())?;
    // What went before is followed when that is done.
    play::hear(lent.stage, lent.run);
    let (queue, then) = (std::mem::take(&mut lent.run.queue), lent.run.then.take());
    lent.run.in_turn = true;
    let began = lent.stage.all_taken();
    let each = |lent: &mut On<'_>| -> Result<i64, Stop> {
        let mut count = 0;
        for one in list {
            let holds = match test {
                Some(test) => call_back(lent.stage, lent.run, test, vec![one.clone()])?.as_bool() == Ok(true),
                None => true,
            };
            let with = Map::from([(param.name.as_str().into(), one.clone())]);
            count += i64::from(holds && turn(lent.stage, lent.run, (&name, function), with));
            within(lent.stage.all_taken().since(began))?;
        }
        Ok(count)
    };
    let done = each(lent);
    lent.run.in_turn = false;
    (lent.run.queue, lent.run.then) = (queue, then);
    done.map_err(stopped)
}

/// Refuses to take more for one thing after another than a law may take by itself within an hour.
fn within(taken: Taken) -> Result<(), Stop> {
    let count = |count: usize| u64::try_from(count).unwrap_or(u64::MAX);
    let is_full = taken.operations + taken.in_turn > HOUR_MAX_OPERATIONS
        || count(taken.bytes) > HOUR_MAX_BYTES
        || count(taken.announced) > HOUR_MAX_MESSAGES;
    match is_full {
        true => Err(Stop::Fault(Fault::new("what is done in turn takes more than a law may in an hour"))),
        false => Ok(()),
    }
}

/// One of several things that are done in turn; whether it was. What goes wrong in it is its own.
fn turn(stage: &mut dyn Stage, run: &mut Run, (name, function): (&str, &Function), with: Map) -> bool {
    let (apart, before) = (run.apart, stage.all_taken().since(run.from));
    run.apart = before;
    let left = fill(ACT_MAX_OPERATIONS);
    let done = play::perform(stage, run, name, with);
    let is_done = done.is_ok();
    if let Err(stop) = done {
        run.note_stop(function, stop);
    }
    play::follow(stage, run);
    stage.meter().spend_in_turn(ACT_MAX_OPERATIONS - fuel());
    fill(left);
    // What it took has its own bounds.
    run.apart = apart.and(stage.all_taken().since(run.from).since(before));
    is_done
}

pub(super) fn register(engine: &mut Engine) {
    engine.register_fn("attempt", |group: FnPtr| on(|lent| attempt(lent, &group)));
    engine.register_fn("attempt", |group: FnPtr, handler: FnPtr| on(|lent| attempt_or(lent, &group, &handler)));
    engine.register_fn("why_not", |group: FnPtr| on(|lent| why_not(lent, &group)));
    engine.register_fn("in_turn", |list: Array, deed: ImmutableString| on(|lent| in_turn(lent, &list, &deed, None)));
    engine.register_fn("in_turn", |list: Array, deed: ImmutableString, test: FnPtr| {
        on(|lent| in_turn(lent, &list, &deed, Some(&test)))
    });
}
