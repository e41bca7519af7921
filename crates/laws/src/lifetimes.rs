//! What begins and ends with a law: attributes, objects, what is set for later, what was counted.
//!
//! Laws begin between the lines of a document. They are compared when the whole of it is done, so that what moves from
//! rule to rule survives. What no law declares any more ceases in that entry.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use kernel::{
    Draft, Id, Path, Value,
    directives::{wording::folded, words},
    display::MARKS,
    entry::Change,
    rulebook::RuleAct,
    time::minute,
    world::{AttrDef, Op, Range, SCOPES},
};

use super::{
    budgets::Budget,
    calendar,
    declared::{ActDecl, AttrDecl, Declared, GAME, PERSON, ROOM, SUSPENDED, ThingDecl},
    docket_rows::{Docket, Poll, keeps},
    faults, gone, params, reading,
    registry::{Law, Registry, reached},
    room::{Hosts, is_of_program},
    stage::Stage,
    tables::{Done, Enacted, Intent, Later, Sealed},
};

/// Puts in order what was changed, before any law runs: what named something that is gone, what laws declare and say that
/// there is. Whether anything was to do.
pub(crate) fn settle<G: Hosts>(d: &mut Draft<'_, G>) -> bool {
    let (before, from) = (d.emitted(), d.meter().ready);
    let registry = reading::in_force(d);
    if let Some(registry) = &registry {
        gone::see_to(d, registry);
    }
    declare(d, registry);
    let yielded = given_up(d, from);
    yielded.into_iter().for_each(|line| d.tell_all(line));
    d.meter().ready = d.emitted();
    d.emitted() > before
}

/// Which names that players gave are those of something else, since some change, in sentences.
fn given_up<G: Hosts>(d: &Draft<'_, G>, from: usize) -> Vec<String> {
    let named = d.changes().iter().skip(from).filter_map(|change| match change {
        Change::World(Op::Create { obj, kind }) if d.world.exists(obj) && !words::yields(d, obj) => Some((obj, kind)),
        _ => None,
    });
    let mut told = Vec::new();
    for (obj, kind) in named {
        let name = G::called(d, obj);
        let wanted = folded(&name);
        let others = d.world.objects().filter(|other| words::yields(d, other) && G::is_called(d, other, &wanted));
        told.extend(others.filter_map(|other| Some((other, d.world.kind(other)?))).map(|(other, of)| {
            let by = if of == kind { other.replace('/', " ") } else { format!("{of} \"{name}\"") };
            format!("“{name}” means the {kind} of that name from now on; the other is “{by}”.")
        }));
    }
    told
}

/// Writes down what the laws in force declare, where that changed.
fn declare<G: Hosts>(d: &mut Draft<'_, G>, registry: Option<Arc<Registry>>) {
    let rows = d.rows::<Enacted>();
    let same = match &registry {
        Some(registry) => registry.is_declared(rows) && is_furnished(d, registry),
        None => rows.is_empty(),
    };
    if same {
        return;
    }
    let registry = registry.unwrap_or_default();
    let before: Vec<(Id, Enacted)> = rows.iter().map(|(id, law)| (id.clone(), law.clone())).collect();
    let was = |rule: &Id| before.iter().find(|(id, _)| id == rule).map(|(_, law)| law);
    // Announcements name rules in their order.
    let mut told = Vec::new();
    for law in &registry.laws {
        let is = &registry.enacted[&law.rule];
        if was(&law.rule).is_some_and(|was| was.says(is)) {
            continue;
        }
        let rule = format!("rule {}, {}", law.number, law.label);
        let as_before = is_moved(d, &law.rule) && was(&law.rule).is_some_and(|was| was.declared == is.declared);
        // Of a room that opens everybody can read the rules, and another number is told with its rule.
        if (d.seq > OPENING && !as_before) || is.fault.is_some() {
            told.extend(announced(was(&law.rule), is, &rule, faults::is_all_suspended(d, &law.rule)));
        }
        let rested = |name: &&String| was(&law.rule).is_none_or(|was| !was.rests.contains(name));
        let rests = is.rests.iter().filter(rested);
        told.extend(rests.map(|name| {
            let whose = match is_of_program::<G>(name) {
                true => "the program",
                // An attribute of a document.
                false if name.contains(" of ") => "something else",
                false => "another rule",
            };
            format!("“{name}” of {rule}, rests: {whose} has that name.{}", reached(is, law.number, name))
        }));
        // What a document adds is no amendment: a law that went wrong stays suspended.
        if was(&law.rule).is_none_or(|was| was.revision != is.revision) && faults::forget(d, &law.rule) {
            told.push(format!("The law of {rule}, is resumed, since the rule was amended."));
        }
        let kept = was(&law.rule).filter(|_| is.fault.is_some()).map(|was| was.stands().to_vec());
        d.put(&law.rule, Enacted { kept: kept.unwrap_or_default(), ..is.clone() });
    }
    for (rule, _) in before.iter().filter(|(rule, _)| !registry.enacted.contains_key(rule)) {
        let label = d.rules.get(rule).map(kernel::rulebook::Rule::label).unwrap_or_default();
        if d.delete::<Enacted>(rule).is_none_or(|law| law.fault.as_deref() != Some(AMID)) {
            told.push(format!("The law of {label} ends."));
        }
        faults::forget(d, rule);
    }
    note_dockets(d, &registry);
    let ended: Vec<&Declared> = before.iter().flat_map(|(_, law)| law.stands()).collect();
    let of_laws: BTreeSet<Id> = before.iter().map(|(rule, _)| rule).chain(registry.enacted.keys()).cloned().collect();
    end(d, &registry, &ended, &of_laws);
    gone::see_to(d, &registry);
    let mut new = Begun::default();
    for law in &registry.laws {
        let same = was(&law.rule).is_some_and(|was| was.says(&registry.enacted[&law.rule]));
        let ill = begin(d, &registry, law, same, &of_laws, &mut new);
        if !same {
            told.extend(ill);
            continue;
        }
        let anew = law.declared.things.iter().filter(|thing| new.objects.contains(&thing.object()));
        told.extend(anew.map(|thing| {
            format!("“{}” is there anew: rule {}, {}, says that there is one.", thing.name, law.number, law.label)
        }));
    }
    told.extend(lapse(d, &registry, &ended));
    calendar::settle(d);
    told.extend(furnish(d, &registry, &new));
    told.into_iter().for_each(|line| d.tell_all(line));
}

/// Why a law declares nothing yet that begins in the midst of a document.
const AMID: &str = "the document that brings it is not done";

/// Begins what laws declare by now that declared something else when the document began; whether something was to do.
/// What ends, and what is told, is seen to when the document is done.
pub(crate) fn begin_amid<G: Hosts>(d: &mut Draft<'_, G>) -> bool {
    let Some(registry) = reading::in_force(d).filter(|registry| !registry.is_declared(d.rows())) else { return false };
    let (before, mut new) = (d.emitted(), Begun::default());
    let of_laws: BTreeSet<Id> = d.rows::<Enacted>().keys().chain(registry.enacted.keys()).cloned().collect();
    for law in registry.laws.iter().filter(|law| law.fault.is_none()) {
        let was = d.row::<Enacted>(&law.rule).cloned();
        if was.as_ref().is_some_and(|was| was.says(&registry.enacted[&law.rule])) {
            continue;
        }
        let mut was = was.unwrap_or_else(|| Enacted { fault: Some(AMID.to_owned()), ..Enacted::default() });
        was.kept = was.stands().to_vec();
        if was.kept.last() != Some(&law.declared) {
            was.kept.push(law.declared.clone());
        }
        d.put(&law.rule, was);
        // What cannot begin is told when the document is done.
        begin(d, &registry, law, false, &of_laws, &mut new);
    }
    furnish(d, &registry, &new).into_iter().for_each(|line| d.tell_all(line));
    d.emitted() > before
}

/// Whether there is all that laws say there is. What was made in this entry and is gone again is made in the next one: a
/// law that always destroys it would come to no end.
fn is_furnished<G: Hosts>(d: &Draft<'_, G>, registry: &Registry) -> bool {
    let makes =
        |change: &Change, obj: &Id| matches!(change, Change::World(Op::Create { obj: made, .. }) if made == obj);
    let is_made = |obj: &Id| d.changes().iter().any(|change| makes(change, obj));
    registry.things.iter().all(|obj| d.world.exists(obj) || is_made(obj))
}

/// Whether a rule has got another number, and nothing else of it was changed.
fn is_moved<G: Hosts>(d: &Draft<'_, G>, rule: &Id) -> bool {
    let mut acts = d.changes().iter().filter_map(|change| match change {
        Change::Rule(op) if op.rule == *rule => Some(&op.act),
        _ => None,
    });
    acts.next().is_some_and(|first| [first].into_iter().chain(acts).all(|act| matches!(act, RuleAct::Renumber { .. })))
}

/// The entry in which a room opens.
const OPENING: u64 = 1;

/// What begins in an entry.
#[derive(Default)]
struct Begun {
    objects: BTreeSet<Id>,
    /// Attributes, by name.
    attrs: BTreeSet<Id>,
}

/// Gives objects of laws what those say that they have at first: when they come, or when a rule gives them the attribute.
fn furnish<G: Hosts>(d: &mut Draft<'_, G>, registry: &Registry, new: &Begun) -> Vec<String> {
    let mut told = Vec::new();
    for thing in registry.laws.iter().flat_map(|law| &law.declared.things) {
        let obj = thing.object();
        for (name, is) in &thing.with {
            let is_new = new.objects.contains(&obj) || new.attrs.contains(name.as_str());
            if d.world.def(name, &thing.kind).is_none() || !is_new {
                continue;
            }
            if let Err(why) = G::set_value(d, &Path::new(obj.clone(), name.as_str()), is.clone()) {
                told.push(format!("“{name}” of “{}” is not set: {}.", thing.name, why.say));
            }
        }
    }
    told
}

/// How a law that begins, or declares something else than before, is announced; nothing where nobody sees a difference.
fn announced(was: Option<&Enacted>, is: &Enacted, rule: &str, rests: bool) -> Option<String> {
    if let Some(why) = &is.fault {
        return Some(format!("The law of {rule}, cannot be read, and does nothing: {why}."));
    }
    let now = listed(&is.declared);
    let adds = || if now.is_empty() { "it adds nothing".to_owned() } else { now.join(", ") };
    if rests && was.is_some_and(|was| was.revision != is.revision) {
        return Some(format!("The law of {rule}, is amended, and stays suspended: {}.", adds().replace(MARKS, "")));
    }
    // What is said of an amendment itself shows what changed of the words and of the law.
    let Some(was) = was.filter(|was| was.fault.is_none()) else {
        return Some(format!("The law of {rule}, is in force: {}.", adds()));
    };
    let before = listed(&was.declared);
    let less = |these: &[String], those: &[String]| -> String {
        these.iter().filter(|part| !those.contains(part)).cloned().collect::<Vec<_>>().join(", ")
    };
    // What is gone is nothing to type any more.
    let (come, gone) = (less(&now, &before), less(&before, &now).replace(MARKS, ""));
    match (come.is_empty(), gone.is_empty()) {
        (true, true) => None,
        (false, true) => Some(format!("The law of {rule}, adds {come}.")),
        (true, false) => Some(format!("The law of {rule}, has no longer {gone}.")),
        (false, false) => Some(format!("The law of {rule}, adds {come}, and has no longer {gone}.")),
    }
}

/// What a law declares, in words.
fn listed(declared: &Declared) -> Vec<String> {
    let mut parts: Vec<String> =
        declared.acts.iter().filter(|act| !act.deed).map(|act| format!("command “⁅{}⁆”", act.name)).collect();
    parts.extend(declared.displays.iter().map(|display| format!("display “{}”", display.name)));
    parts.extend(declared.attrs.iter().map(|attr| format!("{} of {}", attr.name, attr.of)));
    parts.extend(declared.figures.iter().map(|figure| format!("figure {}", figure.key)));
    parts.extend(declared.hooks.iter().map(|hook| format!("“{hook}”")));
    parts
}

/// Ends what is set for later and is gone, or was amended and does not take it any more: a sentence each.
fn lapse<G: Hosts>(d: &mut Draft<'_, G>, registry: &Registry, ended: &[&Declared]) -> Vec<String> {
    // Of a law that cannot be read for now, nothing ends.
    let kept: Vec<ActDecl> =
        d.rows::<Enacted>().values().flat_map(|law| &law.kept).flat_map(|law| law.acts.clone()).collect();
    let why_not = |d: &mut Draft<'_, G>, act: &str, args: &BTreeMap<String, Value>| {
        let Some((is, _)) = registry.acts.get(act) else {
            let stays = kept.iter().any(|known| known.name == act) || Stage::has_act(d, act);
            return (!stays).then(|| format!("no law has “{act}” any more"));
        };
        // What names somebody who is gone is no matter of the law.
        let was = ended.iter().flat_map(|law| &law.acts).find(|was| was.name == act);
        was.filter(|was| was.params != is.params).and_then(|_| params::unfit(d, registry, is, args))
    };
    let mut told = Vec::new();
    let set: Vec<(u64, Later)> = d.rows::<Later>().iter().map(|(number, later)| (*number, later.clone())).collect();
    for (number, later) in set {
        if let Some(why) = why_not(d, &later.deed, &later.args) {
            d.delete::<Later>(&number);
            told.push(format!("“{}”, set for {}, is not done: {why}.", later.deed, minute(later.at)));
        }
    }
    told
}

/// Ends what no law declares any more.
fn end<G: Hosts>(d: &mut Draft<'_, G>, registry: &Registry, ended: &[&Declared], of_laws: &BTreeSet<Id>) {
    // Of a law that cannot be read for now, nothing ends.
    let kept: Vec<Declared> = d.rows::<Enacted>().values().flat_map(|law| law.kept.clone()).collect();
    let begun: Vec<&Declared> = registry.laws.iter().map(|law| &law.declared).chain(&kept).collect();
    let stays =
        |kind: &str| registry.kinds.contains(kind) || kept.iter().any(|law| law.kinds.iter().any(|of| of == kind));
    let has_act = |act: &str| {
        registry.acts.contains_key(act) || kept.iter().any(|law| law.acts.iter().any(|known| known.name == act))
    };
    let things: BTreeSet<Id> = begun.iter().flat_map(|law| &law.things).map(ThingDecl::object).collect();
    let gone = ended.iter().flat_map(|law| &law.things).map(ThingDecl::object).filter(|obj| !things.contains(obj));
    // Numbered documents are kept, also where no law has such any more.
    let kinds = ended.iter().flat_map(|law| &law.kinds).filter(|kind| !stays(kind) && !keeps(d, kind));
    let of_kinds: Vec<Id> = kinds.flat_map(|kind| d.world.of_kind(kind).cloned().collect::<Vec<_>>()).collect();
    gone.chain(of_kinds).collect::<Vec<_>>().iter().for_each(|obj| destroy(d, obj));
    let has_room = stays(GAME) || kept.iter().any(|law| law.attrs.iter().any(|attr| of_room(&attr.of)));
    if d.world.exists(ROOM) && !has_room && ended.iter().flat_map(|law| &law.attrs).any(|attr| of_room(&attr.of)) {
        destroy(d, &ROOM.into());
    }
    let known =
        |name: &str, of: &str| begun.iter().flat_map(|law| &law.attrs).any(|attr| attr.name == name && attr.of == of);
    // What a class was before the laws that said so ended.
    let was = |word: &str| -> Vec<Id> {
        let classes = ended.iter().flat_map(|law| &law.classes).filter(|(_, class)| class == word);
        let mut kinds: Vec<Id> = classes.map(|(kind, _)| kind.as_str().into()).collect();
        let is_seated = ["player", PERSON, SUSPENDED].contains(&word);
        kinds.push(if is_seated { G::player().into() } else { word.into() });
        kinds
    };
    for attr in ended.iter().flat_map(|law| &law.attrs).filter(|attr| !known(&attr.name, &attr.of)) {
        let kinds: Vec<Id> = attr.of.split(SCOPES).flat_map(was).collect();
        let by_law = |def: &&AttrDef| is_of_law::<G>(def, registry, of_laws);
        if kinds.iter().any(|kind| keeps(d, kind)) {
            continue;
        }
        let mut named = d.world.named(&attr.name).iter().filter(by_law);
        if let Some(def) = named.find(|def| kinds.iter().any(|kind| def.names(kind))).cloned() {
            G::undefine(d, def);
        }
    }
    let set: Vec<u64> = d
        .rows::<Later>()
        .iter()
        .filter(|(_, later)| !registry.enacted.contains_key(&later.rule))
        .map(|(key, _)| *key)
        .collect();
    set.iter().for_each(|key| drop(d.delete::<Later>(key)));
    let paid = d.rows::<Budget>().keys().filter(|rule| !registry.enacted.contains_key(*rule)).cloned();
    paid.collect::<Vec<_>>().iter().for_each(|rule| {
        d.delete::<Budget>(rule);
    });
    let lapsed = |act: &str| !has_act(act);
    let intents: Vec<u64> =
        d.rows::<Intent>().iter().filter(|(_, intent)| lapsed(&intent.act)).map(|(key, _)| *key).collect();
    intents.iter().for_each(|key| drop(d.delete::<Intent>(key)));
    // Votes outlive the law of their ballot.
    let is_vote = |sealed: &Sealed| d.rows::<Poll>().keys().any(|question| sealed.is_vote_on(question));
    let ended = d.rows::<Sealed>().iter().filter(|(_, sealed)| lapsed(&sealed.act) && !is_vote(sealed));
    let sealed: Vec<u64> = ended.map(|(key, _)| *key).collect();
    sealed.iter().for_each(|key| drop(d.delete::<Sealed>(key)));
    let act = |key: &str| key.split('/').next().unwrap_or_default().to_owned();
    let counted: Vec<String> = d
        .rows::<Done>()
        .keys()
        .filter(|key| !registry.counted.contains(&act(key)) && kept.is_empty())
        .cloned()
        .collect();
    counted.iter().for_each(|key| drop(d.delete::<Done>(key)));
}

/// Whether a law defines an attribute, or a document. What the game plays by itself is a law's where that declares it.
fn is_of_law<G: Hosts>(def: &AttrDef, registry: &Registry, of_laws: &BTreeSet<Id>) -> bool {
    let is_its = |rule: &Id| !G::declared(&def.id) || declares(registry, rule, &def.id);
    def.is_given() || def.by.as_ref().is_some_and(|rule| of_laws.contains(rule) && is_its(rule))
}

/// Whether the law of a rule declares an attribute of a name.
fn declares(registry: &Registry, rule: &Id, attr: &Id) -> bool {
    let mut laws = registry.laws.iter().filter(|law| law.rule == *rule);
    laws.any(|law| law.declared.attrs.iter().any(|declared| *declared.name == **attr))
}

fn of_room(of: &str) -> bool {
    of.split(SCOPES).any(|kind| kind == GAME)
}

/// Ends an object of a law.
fn destroy<G: Hosts>(d: &mut Draft<'_, G>, obj: &Id) {
    let Some(kind) = d.world.kind(obj).cloned() else { return };
    let was = d.world.values_of(obj).map(|(at, value)| (at.clone(), value.clone())).collect();
    d.op(Op::Destroy { obj: obj.clone(), kind, was });
}

/// Begins what a law declares, which may say the same as before; what could not begin, in sentences.
fn begin<G: Hosts>(
    d: &mut Draft<'_, G>,
    registry: &Arc<Registry>,
    Law { rule, declared, .. }: &Law,
    same: bool,
    of_laws: &BTreeSet<Id>,
    new: &mut Begun,
) -> Vec<String> {
    let mut told = Vec::new();
    if !d.world.exists(ROOM) && declared.attrs.iter().any(|attr| of_room(&attr.of)) {
        d.op(Op::Create { obj: ROOM.into(), kind: GAME.into() });
    }
    for thing in &declared.things {
        let obj = thing.object();
        if !d.world.exists(&obj) {
            d.op(Op::Create { obj: obj.clone(), kind: thing.kind.as_str().into() });
            d.overwrite(Path::new(obj.clone(), "name"), Value::Text(thing.name.clone()));
            new.objects.insert(obj);
        }
    }
    for attr in &declared.attrs {
        let done = match defining(d, registry, rule, attr, of_laws) {
            // How long a list may be is the game's from then on.
            Ok(Some((def, Some(was)))) if same && unbounded(&def) == unbounded(&was) => Ok(()),
            Ok(None) => Ok(()),
            Ok(Some((def, Some(was)))) => {
                redefine(d, &was, def);
                Ok(())
            }
            Ok(Some((def, None))) => {
                new.attrs.insert(def.id.clone());
                G::define(d, def).map_err(|why| why.say)
            }
            Err(why) => Err(why),
        };
        told.extend(done.err().map(|why| format!("“{} of {}” is not defined: {why}.", attr.name, attr.of)));
    }
    told
}

/// A definition whose list is of any length.
fn unbounded(def: &AttrDef) -> AttrDef {
    let mut def = def.clone();
    if let Range::List { min_len, max_len, .. } = &mut def.range {
        (*min_len, *max_len) = (0, 0);
    }
    def
}

/// What an attribute of a law is to be, with what it replaces; nothing where there is nothing to do.
///
/// # Errors
///
/// Why it is not defined.
fn defining<G: Hosts>(
    d: &Draft<'_, G>,
    registry: &Registry,
    rule: &Id,
    attr: &AttrDecl,
    of_laws: &BTreeSet<Id>,
) -> Result<Option<(AttrDef, Option<AttrDef>)>, String> {
    let scope = registry.scope(d, &attr.of).ok_or_else(|| "there is no such kind".to_owned())?;
    let (range, default) = params::attribute(&attr.range, registry, d).map_err(|why| why.say)?;
    let def = AttrDef { id: attr.name.as_str().into(), scope, range, default, by: Some(attr.by(rule)) };
    let was = def.kinds().next().and_then(|kind| d.world.named(&def.id).iter().find(|known| known.names(kind)));
    match was {
        Some(was) if *was == def => Ok(None),
        Some(was) if !is_of_law::<G>(was, registry, of_laws) && !was.kinds().all(|kind| keeps(d, kind)) => {
            Err("it is defined already, and not by a law".to_owned())
        }
        // What a rule defines is another attribute than that of a document, whose name it takes.
        Some(was) if was.is_given() && !def.is_given() => Ok(Some((def, None))),
        Some(was) if was.by != def.by && stronger(registry, was, rule) => {
            match was.range == def.range && was.default == def.default {
                true => Ok(None),
                false => Err("another rule defines it otherwise".to_owned()),
            }
        }
        was => {
            let was = was.cloned();
            Ok(Some((def, was)))
        }
    }
}

/// The attributes of the law of a rule that are not as it defines them, each with why. The draft is thrown away.
pub(crate) fn undefined<G: Hosts>(d: &mut Draft<'_, G>, registry: &Registry, rule: &Id) -> Vec<(AttrDecl, String)> {
    let of_laws: BTreeSet<Id> = registry.enacted.keys().cloned().collect();
    let attrs = registry.laws.iter().filter(|law| law.rule == *rule).flat_map(|law| &law.declared.attrs);
    let mut found = Vec::new();
    for attr in attrs {
        let why = match defining(d, registry, rule, attr, &of_laws) {
            Ok(Some((def, None))) => G::define(d, def).err().map(|why| why.say),
            Ok(_) => None,
            Err(why) => Some(why),
        };
        found.extend(why.map(|why| (attr.clone(), why)));
    }
    found
}

/// Whether a definition is that of a law which goes before a rule's, and still makes it.
fn stronger(registry: &Registry, was: &AttrDef, rule: &Id) -> bool {
    let place = |rule: &Id| registry.laws.iter().position(|law| law.rule == *rule);
    let Some(by) = &was.by else { return true };
    declares(registry, by, &was.id) && place(by) < place(rule)
}

/// Defines an attribute in the place of another definition of it: values that fit stay, also those that objects had at
/// first.
fn redefine<G: Hosts>(d: &mut Draft<'_, G>, was: &AttrDef, def: AttrDef) {
    let holders: Vec<Path> = d.world.having(was).map(|obj| Path::new(obj.clone(), was.id.clone())).collect();
    let own = |at: &Path| d.world.values_of(&at.obj).find(|(held, _)| *held == at).map(|(_, value)| value.clone());
    let had: Vec<(Path, Option<Value>)> = holders.into_iter().map(|at| (at.clone(), own(&at))).collect();
    let fits = |d: &Draft<'_, G>, at: &Path, value: &Value| {
        d.world.kind(&at.obj).is_some_and(|kind| def.names(kind)) && def.range.holds(value)
    };
    for (at, value) in &had {
        if value.as_ref().is_some_and(|value| !fits(d, at, value)) {
            d.overwrite(at.clone(), Value::Null);
        }
    }
    // A first value is written down while it still is one: the record says then that nothing became anything else.
    let first = Some(&was.default).filter(|first| **first != def.default && **first != Value::Null);
    if let Some(first) = first {
        for (at, _) in had.iter().filter(|(_, own)| own.is_none()) {
            if fits(d, at, first) {
                d.op(Op::Set { at: at.clone(), to: first.clone(), was: first.clone() });
            }
        }
    }
    d.op(Op::Define(def));
}

/// Notes which kinds of documents laws declare. What is declared no more stays as long as there are such documents.
fn note_dockets<G: Hosts>(d: &mut Draft<'_, G>, registry: &Registry) {
    for (kind, docket) in &registry.dockets {
        if d.row::<Docket>(kind).is_none_or(|Docket(known)| known != docket) {
            d.put(kind, Docket(docket.clone()));
        }
    }
    let is_bare = |kind: &&String| !registry.dockets.contains_key(*kind) && d.world.count(kind) == 0;
    let bare: Vec<String> = d.rows::<Docket>().keys().filter(is_bare).cloned().collect();
    bare.iter().for_each(|kind| drop(d.delete::<Docket>(kind)));
}
