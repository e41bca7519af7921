//! The mechanic of all laws: it is like any other, and the kernel cannot tell that scripts stand behind it.
//!
//! A rule's law begins and ends in the entry that brings its rule into force, amends or repeals it. From then on its
//! commands, displays and attributes are read from what it declared, and its functions are called.

use std::{collections::BTreeMap, sync::Arc};

use rhai::{Dynamic, Map};
use serde::Deserialize;
use serde_json::Value as Json;

use kernel::{
    Act, Asked, Display, Draft, Event, Id, Mechanic, Outcome, Phase, Refusal, State,
    directives::{define, wording::slug},
    display::{Cell, Document},
    entry::Due,
    mechanic::Tried,
    own_command::{OwnCommand, OwnKind, OwnParam},
    world::{AttrDef, Range, SCOPES},
};

use super::{
    calendar::{self, Midnight},
    declared::{ActDecl, Declared, ParamDecl},
    fault::{Fault, Stop},
    limits::{ACT_MAX_OPERATIONS, FAULTS_MAX_COUNT},
    natives, params, play,
    registry::Registry,
    room::Hosts,
    run::{Happening, Mode, Run, call, fill, fuel, looking},
    stage::{On, Stage},
    tables::{Enacted, Kept, Later},
    values::{Args, Obj, held},
};

/// Most operations of all that one message does.
const MESSAGE_MAX_OPERATIONS: u64 = 2_000_000;

/// What stands before the number of something that was set for later, in its key.
const LATER: &str = "law/";

/// A command of a law, as it is typed.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Typed {
    act: String,
    #[serde(default)]
    args: serde_json::Map<String, Json>,
}

/// What laws add to play: what they set for later has this rank among what shares an instant, and their displays stand at
/// this place of the list.
pub fn mechanic<G: Hosts>(rank: u8, place: u8) -> Mechanic<G> {
    let next = move |state: &State<G>| {
        if none_plays(state) {
            return None;
        }
        let first = state.rows::<Later>().iter().min_by_key(|(number, later)| (later.at, **number));
        let later = first.map(|(number, later)| Due { at: later.at, rank, key: format!("{LATER}{number}").into() });
        calendar::next(state, rank).into_iter().chain(later).min()
    };
    let does = |due: Due, d: &mut Draft<'_, G>| match calendar::is_midnight(&due) {
        true => calendar::midnight(&due, d),
        false => do_later(&due, d),
    };
    // What is due inside a moderator's pause never happens.
    let lapse = |due: Due, d: &mut Draft<'_, G>| match calendar::is_midnight(&due) {
        true => calendar::passed(&due, d),
        false => number(&due).into_iter().for_each(|number| drop(d.delete::<Later>(&number))),
    };
    Mechanic::new("laws")
        .table::<Enacted>()
        .table::<Later>()
        .table::<Kept>()
        .table::<Midnight>()
        .act(Act::new(OwnCommand::ACT, |Typed { act, args }, d| take(&act, &args, d)))
        .before(judge)
        .after(follow)
        .settle(declare)
        .settle(catch_up)
        .hears(hear)
        .phase(Phase::new(rank, next, does).lapse(lapse))
        .display(Display::among(place, pages, show))
        .commands(commands)
}

/// The number of something that was set for later.
fn number(due: &Due) -> Option<u64> {
    due.key.strip_prefix(LATER)?.parse().ok()
}

/// Does something with the laws in force; nothing where there are none.
fn with<G: Hosts, T>(d: &mut Draft<'_, G>, mode: Mode, does: impl FnOnce(&mut dyn Stage, &mut Run) -> T) -> Option<T> {
    let registry = Registry::of(d)?;
    let mut run = Run::new(registry, mode);
    let left = MESSAGE_MAX_OPERATIONS.saturating_sub(d.meter().operations).min(ACT_MAX_OPERATIONS);
    let outer = fill(left);
    let within = std::mem::replace(&mut d.meter().running, true);
    let done = does(d, &mut run);
    d.meter().running = within;
    d.meter().operations += left.saturating_sub(fuel());
    fill(outer);
    tell(d, &run);
    Some(done)
}

/// Tells what went wrong, and counts it.
fn tell<G: Hosts>(d: &mut Draft<'_, G>, run: &Run) {
    for faulty in &run.faults {
        let Some(law) = run.registry.laws.iter().find(|law| law.rule == faulty.rule) else { continue };
        let key = play::fault_key(&faulty.rule, &faulty.function);
        let count = d.row::<Kept>(&key).map_or(0, |kept| kept.count) + 1;
        d.put(&key, Kept { period: String::new(), count });
        let ends = match count >= FAULTS_MAX_COUNT {
            true => " It is not done any more until its rule is amended.",
            false => " Nothing of it happened.",
        };
        let why = faulty.fault.told(&law.source);
        d.tell_all(format!("The law of {}, {}: {why}.{ends}", law.label, faulty.function));
    }
}

// ---- acts

/// A command that a law of the room adds.
fn take<G: Hosts>(name: &str, given: &serde_json::Map<String, Json>, d: &mut Draft<'_, G>) -> Outcome {
    if G::rests(d) {
        return Err(none(name));
    }
    let by = d.actor_seat();
    let public = d.public;
    let done = with(d, Mode::Act, |stage, run| {
        let registry = run.registry.clone();
        let Some((act, function)) = registry.acts.get(name).filter(|(act, _)| !act.deed) else {
            return Err(none(name));
        };
        let label = registry.laws.get(function.law).map(|law| law.label.clone()).unwrap_or_default();
        let law = registry.laws.get(function.law).map(|law| law.source.clone()).unwrap_or_default();
        may(stage, &registry, act, by.as_ref(), public).map_err(|why| why.by(label.clone()))?;
        let mut map: Map =
            given.iter().map(|(name, is)| (name.as_str().into(), params::native(stage, is, name))).collect();
        map.insert("by".into(), by.clone().map_or(Dynamic::UNIT, |by| Dynamic::from(Obj(by))));
        let counted = match &by {
            Some(by) if !act.limit.is_empty() => play::count(stage, name, by, &act.limit, &label),
            _ => Ok(()),
        };
        let got = counted.and_then(|()| play::perform(stage, run, name, map)).map_err(|stop| match stop {
            Stop::Refused(why) if why.rule.is_none() => why.by(label.clone()),
            Stop::Refused(why) => why,
            Stop::Fault(fault) => {
                Refusal::new(format!("the law cannot be carried out, and nothing happened: {}", fault.told(&law)))
                    .by(label.clone())
            }
        })?;
        play::follow(stage, run);
        Ok(got)
    });
    let got = done.unwrap_or_else(|| Err(none(name)))?;
    Ok(Document::say(got.into_string().unwrap_or_else(|_| "Done.".to_owned())))
}

fn none(name: &str) -> Refusal {
    Refusal::new(format!("no rule in force has the command “{name}”")).instead("help")
}

/// Whether somebody may do an act.
fn may(stage: &dyn Stage, registry: &Registry, act: &ActDecl, by: Option<&Id>, public: bool) -> Result<(), Refusal> {
    if act.forum == "public" && !public {
        return Err(Refusal::new("this is done where everybody can read it"));
    }
    let who = if act.who.is_empty() { "player" } else { &act.who };
    if who == "anybody" {
        return Ok(());
    }
    let Some(by) = by else { return Err(Refusal::new("you have no seat in this room yet").instead("join NAME")) };
    let kinds = registry.kinds_of(who).unwrap_or_default();
    let is = kinds.iter().any(|kind| stage.members(kind).contains(by));
    if is || stage.holder(who).is_some_and(|holder| holder == *by) {
        return Ok(());
    }
    Err(Refusal::new(format!("that is for a {who} alone")))
}

/// Whether no law is played in a room.
fn none_plays<G: Hosts>(state: &State<G>) -> bool {
    state.rows::<Enacted>().is_empty() || G::rests(state)
}

/// Lets laws change and bar an act of the game's own.
fn judge<G: Hosts>(tried: &Tried<'_>, d: &mut Draft<'_, G>) -> Result<Option<Json>, Refusal> {
    let unbarred = tried.unstoppable || tried.act == OwnCommand::ACT || G::UNBARRED.contains(&tried.act);
    if unbarred || none_plays(d) {
        return Ok(None);
    }
    let name = G::named(tried.act);
    let given = given(tried, d);
    let barred = with(d, Mode::Act, |stage, run| {
        if !run.registry.bars.contains_key(&name) {
            return Ok(());
        }
        let args = Args::new(happening(stage, name.clone(), &given).args);
        play::judged(stage, run, &name, &args)
    });
    match barred {
        Some(Err(Stop::Refused(why))) => Err(why),
        Some(Err(Stop::Fault(fault))) => Err(Refusal::new(fault.why)),
        Some(Ok(())) | None => Ok(None),
    }
}

/// What laws see of an act of the game's own: its arguments, and who does it. What is not said in public is nobody
/// else's: of that only who does it.
fn given<G: Hosts>(tried: &Tried<'_>, d: &Draft<'_, G>) -> Json {
    let seen = d.public && !G::PRIVATE.contains(&tried.act);
    let mut given = tried.args.as_object().filter(|_| seen).cloned().unwrap_or_default();
    given.insert("by".to_owned(), d.actor_seat().map_or(Json::Null, |by| by.to_string().into()));
    Json::Object(given)
}

/// Something that the game did, as scripts hold what belongs to it.
fn happening(stage: &dyn Stage, name: String, with: &Json) -> Happening {
    Happening { name, args: params::native(stage, with, "").try_cast::<Map>().unwrap_or_default() }
}

/// What follows from an act, or from whatever else happened. What was not said in public has no followers: they would
/// tell of it.
fn follow<G: Hosts>(tried: Option<&Tried<'_>>, d: &mut Draft<'_, G>) {
    if none_plays(d) {
        return;
    }
    let tried = tried.filter(|tried| tried.act != OwnCommand::ACT && d.public && !G::PRIVATE.contains(&tried.act));
    let told = tried.map(|tried| (G::named(tried.act), given(tried, d)));
    let told = told.filter(|(name, _)| !G::EVENTS.contains(&name.as_str()));
    d.unfollowed().extend(told);
    if waits(d) {
        return;
    }
    with(d, Mode::Act, |stage, run| {
        play::follow(stage, run);
        play::whenever(stage, run);
    });
}

/// Follows what happened in a document that no act carried out; whether anything did.
fn catch_up<G: Hosts>(d: &mut Draft<'_, G>) -> bool {
    if d.unfollowed().is_empty() || waits(d) {
        return false;
    }
    with(d, Mode::Act, play::follow);
    // Where no law can be read nothing has followed it, and nothing will.
    d.unfollowed().clear();
    true
}

/// Hears of what happens by the game's own rules.
fn hear<G: Hosts>(event: &Event<'_, G>, d: &mut Draft<'_, G>) {
    match event {
        Event::Happened(what, about) => hear_event(what, about, d),
        Event::Instant(names) => hear_instant(names, d),
        Event::Resumed(_) | Event::Mended(_) | Event::Forgotten(_) => {}
    }
}

/// Something happened by the game's own rules.
fn hear_event<G: Hosts>(what: &str, about: &Json, d: &mut Draft<'_, G>) {
    if none_plays(d) {
        return;
    }
    d.unfollowed().push((what.to_owned(), about.clone()));
    if !waits(d) {
        with(d, Mode::Act, play::follow);
    }
}

/// Whether what happens is followed later: when the act is done that is under way, or the law that runs.
fn waits<G: Hosts>(d: &mut Draft<'_, G>) -> bool {
    d.meter().running || d.is_acting()
}

/// An instant has come: what laws do then goes by rule, and by its place in the rule.
pub(super) fn hear_instant<G: Hosts>(names: &[(&'static str, i64)], d: &mut Draft<'_, G>) {
    if none_plays(d) || d.meter().running {
        return;
    }
    with(d, Mode::Act, |stage, run| {
        let registry = run.registry.clone();
        let of = |(what, number): &(&str, i64)| {
            let all = registry.moments.get(*what).into_iter().flatten();
            let wanted = all.filter(|(_, on)| on.is_empty() || on.contains(number));
            wanted.map(|(function, _)| function).collect::<Vec<_>>()
        };
        let mut functions: Vec<_> = names.iter().flat_map(of).collect();
        functions.sort_by_key(|function| (function.law, function.place));
        for function in functions {
            play::by_itself(stage, run, function, Vec::new());
            play::follow(stage, run);
        }
        for (what, number) in names {
            let args = Map::from([("number".into(), Dynamic::from(*number))]);
            run.queue.push_back(Happening { name: (*what).to_owned(), args });
        }
        play::follow(stage, run);
    });
}

/// Does what was set for later.
fn do_later<G: Hosts>(due: &Due, d: &mut Draft<'_, G>) {
    let Some((number, later)) = number(due).and_then(|number| Some((number, d.row::<Later>(&number)?.clone()))) else {
        return;
    };
    d.delete::<Later>(&number);
    with(d, Mode::Act, |stage, run| {
        let args: Map = later.args.iter().map(|(name, is)| (name.as_str().into(), held(is))).collect();
        let function = run.registry.acts.get(&later.deed).map(|(_, function)| function.clone());
        if let Err(Stop::Fault(fault)) = play::perform(stage, run, &later.deed, args)
            && let Some(function) = function
        {
            run.note(&function, fault);
        }
        play::follow(stage, run);
    });
}

// ---- what begins and ends with a law

/// Writes down what the laws in force declare, where that changed; whether it did.
pub fn declare<G: Hosts>(d: &mut Draft<'_, G>) -> bool {
    let registry = Registry::of(d).unwrap_or_default();
    if registry.laws.is_empty() && d.rows::<Enacted>().is_empty() {
        return false;
    }
    let before: BTreeMap<Id, Enacted> = d.rows::<Enacted>().iter().map(|(id, law)| (id.clone(), law.clone())).collect();
    let mut after: BTreeMap<Id, Enacted> = BTreeMap::new();
    for law in &registry.laws {
        let revision = d.rules.get(&law.rule).map_or(0, kernel::rulebook::Rule::revision);
        let fault = law.fault.as_ref().map(|fault| fault.told(&law.source));
        let (declared, rests) = (law.declared.clone(), law.rests.clone());
        after.insert(law.rule.clone(), Enacted { revision, declared, fault, rests, suspended: Vec::new() });
    }
    if before == after {
        return false;
    }
    let mut told = Vec::new();
    let ended: Vec<&Declared> = before.values().map(|law| &law.declared).collect();
    let begun: Vec<&Declared> = after.values().map(|law| &law.declared).collect();
    end(d, &ended, &begun);
    // The game asks what laws declare before it makes anything of it.
    for (rule, law) in &after {
        d.put(rule, law.clone());
    }
    for law in &registry.laws {
        told.extend(begin(d, &registry, &law.rule, &law.declared));
    }
    for (rule, law) in &after {
        if before.get(rule) != Some(law) {
            let label = d.rules.get(rule).map(kernel::rulebook::Rule::label).unwrap_or_default();
            told.push(match &law.fault {
                Some(why) => format!("The law of {label} cannot be read, and does nothing: {why}."),
                None => format!("The law of {label} is in force: {}.", listed(&law.declared)),
            });
            let counted: Vec<String> =
                d.rows::<Kept>().keys().filter(|key| key.starts_with(&format!("fault/{rule}/"))).cloned().collect();
            counted.iter().for_each(|key| drop(d.delete::<Kept>(key)));
        }
    }
    for rule in before.keys().filter(|rule| !after.contains_key(*rule)) {
        let label = d.rules.get(rule).map(kernel::rulebook::Rule::label).unwrap_or_default();
        told.push(format!("The law of {label} ends."));
        d.delete::<Enacted>(rule);
        let set: Vec<u64> =
            d.rows::<Later>().iter().filter(|(_, later)| later.rule == *rule).map(|(key, _)| *key).collect();
        set.iter().for_each(|key| drop(d.delete::<Later>(key)));
    }
    calendar::settle(d);
    told.into_iter().for_each(|line| d.tell_all(line));
    true
}

/// What a law declares, in words.
fn listed(declared: &Declared) -> String {
    let mut parts: Vec<String> =
        declared.acts.iter().filter(|act| !act.deed).map(|act| format!("command “{}”", act.name)).collect();
    parts.extend(declared.displays.iter().map(|display| format!("display “{}”", display.name)));
    parts.extend(declared.attrs.iter().map(|attr| format!("{} of {}", attr.name, attr.of)));
    parts.extend(declared.hooks.iter().map(|hook| format!("“{hook}”")));
    if parts.is_empty() { "it adds nothing".to_owned() } else { parts.join(", ") }
}

/// Ends what no law declares any more.
fn end<G: Hosts>(d: &mut Draft<'_, G>, ended: &[&Declared], begun: &[&Declared]) {
    let things = |all: &[&Declared]| -> Vec<Id> {
        let ids =
            all.iter().flat_map(|law| &law.things).map(|thing| format!("{}/{}", thing.kind, slug(&thing.name)).into());
        ids.collect()
    };
    let kept = things(begun);
    for obj in things(ended).into_iter().filter(|obj| !kept.contains(obj)) {
        let _ = G::destroy(d, &obj);
    }
    let kinds = |all: &[&Declared]| -> Vec<String> { all.iter().flat_map(|law| law.kinds.clone()).collect() };
    let kept = kinds(begun);
    for kind in kinds(ended).into_iter().filter(|kind| !kept.contains(kind)) {
        let all: Vec<Id> = d.world.of_kind(&kind).cloned().collect();
        for obj in all {
            let _ = G::destroy(d, &obj);
        }
    }
    for attr in ended.iter().flat_map(|law| &law.attrs) {
        if begun.iter().flat_map(|law| &law.attrs).any(|other| other.name == attr.name && other.of == attr.of) {
            continue;
        }
        let kind = attr.of.split(SCOPES).next().unwrap_or_default();
        if let Some(def) = d.world.def(&attr.name, kind).cloned() {
            G::undefine(d, def);
        }
    }
}

/// Begins what a law declares; what could not begin, in sentences.
fn begin<G: Hosts>(d: &mut Draft<'_, G>, registry: &Arc<Registry>, rule: &Id, declared: &Declared) -> Vec<String> {
    let mut told = Vec::new();
    for thing in &declared.things {
        let obj: Id = format!("{}/{}", thing.kind, slug(&thing.name)).into();
        if !d.world.exists(&obj)
            && let Err(why) = G::create(d, &thing.kind.as_str().into(), &thing.name)
        {
            told.push(format!("“{}” does not begin: {}.", thing.name, why.say));
        }
    }
    for attr in &declared.attrs {
        let scope: Option<Vec<Id>> = attr
            .of
            .split(SCOPES)
            .map(|kind| registry.kinds_of(kind))
            .collect::<Option<Vec<_>>>()
            .map(|all| all.concat());
        let Some(scope) = scope else {
            told.push(format!("“{} of {}” is not defined: there is no such kind.", attr.name, attr.of));
            continue;
        };
        let (range, default) = match params::attribute(&attr.range, registry, d) {
            Ok(read) => read,
            Err(why) => {
                told.push(format!("“{} of {}” is not defined: {}.", attr.name, attr.of, why.say));
                continue;
            }
        };
        let def = AttrDef {
            id: attr.name.as_str().into(),
            scope: scope.join(SCOPES).into(),
            range,
            default,
            by: Some(rule.clone()),
        };
        let was = scope.first().and_then(|kind| d.world.def(&attr.name, kind));
        if was != Some(&def)
            && let Err(why) = G::define(d, def)
        {
            told.push(format!("“{} of {}” is not defined: {}.", attr.name, attr.of, why.say));
        }
    }
    told
}

// ---- what is shown

/// The displays of laws.
fn pages<G: Hosts>(state: &State<G>) -> Vec<Cell> {
    let all = state
        .rows::<Enacted>()
        .values()
        .flat_map(|law| law.declared.displays.iter().filter(|display| !law.rests.contains(&display.name)));
    all.map(|display| Cell::new(display.title.clone()).completing(display.name.clone()).showing(display.name.clone()))
        .collect()
}

/// A display of a law.
fn show<G: Hosts>(state: &State<G>, asked: Asked<'_>) -> Outcome {
    let mut dice = kernel::dice::Dice::new(kernel::dice::Seed([0; 32]), state.seq, Default::default());
    let at = asked.viewer.now.max(state.at);
    let mut d = Draft::new(state.clone(), at, Default::default(), false, &mut dice, [0; 16]);
    let me = asked.viewer.seat.clone().map_or(Dynamic::UNIT, |seat| Dynamic::from(Obj(seat)));
    let page = with(&mut d, Mode::Look, |stage, run| {
        let (title, function) = run.registry.displays.get(asked.rest).cloned()?;
        let shown = looking(|| call(stage, run, &function, vec![me]));
        Some((title, shown.map(|shown| natives::page(shown, &On { stage, run }))))
    });
    let (title, page) = page.flatten().ok_or_else(kernel::mechanic::no_display::<G>)?;
    match page {
        Ok(page) => Ok(Document { title, ..page }),
        Err(Stop::Refused(why)) => Err(why),
        Err(Stop::Fault(Fault { why, .. })) => Err(Refusal::new(format!("the law cannot show this: {why}"))),
    }
}

/// The commands of laws.
fn commands<G: Hosts>(state: &State<G>) -> Vec<OwnCommand> {
    let of_law = |(rule, law): (&Id, &Enacted)| {
        let by = state.rules.get(rule).map(kernel::rulebook::Rule::label).unwrap_or_default();
        let acts = law.declared.acts.iter().filter(|act| !act.deed && !law.rests.contains(&act.name));
        acts.map(|act| command(act, &by)).collect::<Vec<_>>()
    };
    if G::rests(state) { Vec::new() } else { state.rows::<Enacted>().iter().flat_map(of_law).collect() }
}

fn command(act: &ActDecl, by: &str) -> OwnCommand {
    let last = act.params.len().saturating_sub(1);
    let mut params: Vec<OwnParam> =
        act.params.iter().enumerate().map(|(place, param)| own_param(param, place == last)).collect();
    params.sort_by_key(|param| !param.required);
    OwnCommand {
        name: act.name.clone(),
        help: if act.help.is_empty() { format!("By {by}") } else { act.help.clone() },
        by: by.to_owned(),
        params,
        examples: act.examples.clone(),
        seated: act.who != "anybody",
        private: act.forum == "private",
    }
}

fn own_param(param: &ParamDecl, is_last: bool) -> OwnParam {
    let words = param.range.as_str();
    let object = words.strip_prefix("a ").or_else(|| words.strip_prefix("an "));
    let read = define::read(words, &define::Words { kind: &|_| None, number: &|_| None, link: &|_, _| None });
    let whole = |bound: Option<kernel::Num>| bound.and_then(|bound| bound.to_i64());
    let kind = match (object, read) {
        (Some("player"), _) => OwnKind::Player,
        (Some("rule"), _) => OwnKind::Rule,
        (Some("proposal"), _) => OwnKind::Proposal,
        (Some("moment"), _) => OwnKind::Moment,
        (Some("law" | "command"), _) => OwnKind::Text,
        (Some(kind), Err(_)) => OwnKind::Object(kind.to_owned()),
        (_, Ok((Range::Num { min, max, whole: true }, _))) => OwnKind::Whole(whole(min), whole(max)),
        (_, Ok((Range::Num { .. }, _))) => OwnKind::Number,
        (_, Ok((Range::Bool, _))) => OwnKind::YesNo,
        (_, Ok((Range::OneOf(choices), _))) => OwnKind::Choice(choices),
        (_, Ok((Range::Time, _))) => OwnKind::Moment,
        _ if is_last => OwnKind::Words,
        _ => OwnKind::Word,
    };
    OwnParam { name: param.name.replace('_', "-"), kind, help: words.to_owned(), required: !param.optional }
}
