//! What a law asks for: values, objects, acts, announcements, and the end of an act.
//!
//! Everything is judged at once, and a later line sees it. What the rules do not allow ends the act; a group of its own
//! (`attempt`) falls by itself.

use std::collections::BTreeMap;

use rhai::{Array, Dynamic, Engine, Identifier, ImmutableString, Map};

use kernel::{
    Id, Num, Refusal, Value,
    clean::prose,
    display::{Block, Document, MARKS, Offer},
    entry::Audience,
    names,
    world::{AttrDef, Range},
};

use super::{
    super::{
        apply::{self, Places},
        ballots::{about, labelled, number_of},
        declared::{ROOM, kind_id},
        docket_decl::{MADE, STATE, TEXT},
        docket_page::OFFERS_MAX_COUNT,
        documents,
        fault::{Cause, Fault, Given, Stop, faulty, refused, stopped},
        fuel::{fuel, is_deep, limited},
        gone,
        limits::{ACT_MAX_MESSAGES, GROUP_OPERATIONS, PART_MAX_OPERATIONS},
        moments::Until,
        params::{self, LONG_TEXT, shown},
        pending, play,
        reads::Read,
        run::{Mode, On, call_part, full, noting, on},
        sealed,
        tables::{Ask, Later},
        values::{Args, Command, Moment, Obj, as_number, as_object, as_text, number, same, value},
        weight,
    },
    declare::{known, ranked},
    look::{attribute, charge, get},
    pages, papers,
};

/// Refuses to change anything where a law only looks, and more than an act may change.
pub(super) fn acts(lent: &mut On<'_>) -> Given<()> {
    lent.run.undecided = true;
    match lent.run.mode {
        Mode::Declare(_) => Err(faulty("a law that declares changes nothing")),
        Mode::Look => Err(faulty("a display, a bar, a change and a condition change nothing")),
        Mode::Act if lent.run.is_full(lent.stage) => Err(faulty(full())),
        Mode::Act => Ok(()),
    }
}

/// Sets a value of an object; `()` is the first value again.
pub(super) fn set(lent: &mut On<'_>, obj: &Id, name: &str, to: &Dynamic) -> Given<()> {
    set_by(lent, obj, name, to, None)
}

/// Sets a value of an object, or moves a number by a difference, as which it is on record.
fn set_by(lent: &mut On<'_>, obj: &Id, name: &str, to: &Dynamic, by: Option<Num>) -> Given<()> {
    // What a method is called on is handed back, changed or not: `x.list.len()`.
    let is_fixed = matches!(lent.run.mode, Mode::Look) || matches!(name, "exists" | "name" | "kind") || **obj == *ROOM;
    if is_fixed && get(lent, obj, name).is_ok_and(|is| same(&is, to)) {
        return Ok(());
    }
    acts(lent)?;
    charge(1)?;
    if matches!(name, "exists" | "name" | "kind") {
        return Err(faulty(format!("“{name}” of an object does not change")));
    }
    let at = attribute(lent, obj, name)?;
    let to = match value(to)? {
        Value::Null => lent.stage.world().def_at(&at).map(|def| def.default.clone()).unwrap_or_default(),
        to => to,
    };
    let was = lent.stage.value(&at);
    if was == to {
        lent.run.reads.note(|| Read::Value(at, to));
        return Ok(());
    }
    weight::written([&was, &to])?;
    lent.run.reads.doubt();
    let kind = lent.stage.world().kind(obj).map(ToString::to_string).unwrap_or_default();
    if let (Some((count, letters)), Value::Text(text)) =
        (lent.run.registry.letters.get(&(name.to_owned(), kind.clone())), &to)
        && !params::is_spelled(text, *count, letters)
    {
        let of = if letters.is_empty() { String::new() } else { format!(" of {letters}") };
        let why = format!("{name} cannot be “{text}”: it has {count} characters{of}");
        return portion(lent, Err(Refusal::new(why).into()));
    }
    let (was, whose) = (lent.stage.value(&at), lent.stage.whose());
    if let Err(stop) = play::changes(lent.stage, lent.run, &at, (&|| was.clone(), &to), whose.as_ref()) {
        return portion(lent, Err(stop));
    }
    if to == Value::Null {
        // What names nothing is in no range of the game's.
        lent.stage.put(&at, to);
        return Ok(());
    }
    if is_gone(lent, obj, name, &to) {
        lent.stage.put(&at, to);
        return Ok(());
    }
    // What else a numbered document has is none of its directives: its state, a note.
    let is_text = name == TEXT || !lent.run.registry.dockets.contains_key(&kind);
    let posted = match &to {
        Value::Text(text) if is_text && lent.run.registry.directives.contains(&kind) => Some(text.clone()),
        _ => None,
    };
    let done = match by {
        Some(by) => lent.stage.add(&at, by),
        None => lent.stage.set(&at, to),
    };
    let done = done.map_err(Stop::from);
    if let (Ok(()), Some(text)) = (&done, posted) {
        lent.stage.post(obj, &text);
    }
    if done.is_ok() && name == STATE && lent.run.registry.dockets.contains_key(&kind) {
        papers::became(lent, obj);
    }
    portion(lent, done)
}

/// Makes a value zero or blank, where the attribute can hold that, and else what it is at first.
fn blank(lent: &mut On<'_>, obj: &Id, name: &str) -> Given<()> {
    acts(lent)?;
    charge(1)?;
    let at = attribute(lent, obj, name)?;
    let to = lent.stage.world().def_at(&at).map(AttrDef::blank).unwrap_or_default();
    let (was, whose) = (lent.stage.value(&at), lent.stage.whose());
    if was == to {
        return Ok(());
    }
    weight::written([&was, &to])?;
    lent.run.reads.doubt();
    if let Err(stop) = play::changes(lent.stage, lent.run, &at, (&|| was.clone(), &to), whose.as_ref()) {
        return portion(lent, Err(stop));
    }
    // What is possible for it later is no matter of what it begins with.
    lent.stage.put(&at, to);
    Ok(())
}

/// Whether a value names an object that is no more, and the attribute keeps such names.
fn is_gone(lent: &On<'_>, obj: &Id, name: &str, to: &Value) -> bool {
    let Value::Ref(named) = to else { return false };
    let kind = lent.stage.world().kind(obj).map(ToString::to_string).unwrap_or_default();
    let keeps = lent.run.registry.gone.get(&(name.to_owned(), kind)).is_some_and(|gone| gone == "keep");
    let range = || lent.stage.world().def(name, lent.stage.world().kind(obj)?).map(|def| def.range.clone());
    keeps && !lent.stage.is_there(named) && range().is_some_and(|range| range.holds(to))
}

/// What becomes of something that is refused: it ends the act, or is listed where portions are done by themselves.
fn portion(lent: &mut On<'_>, done: Result<(), Stop>) -> Given<()> {
    match (done, &mut lent.run.portions) {
        (Err(Stop::Refused(why, _)), Some(refused)) => {
            refused.push(why.say);
            Ok(())
        }
        (done, _) => done.map_err(stopped),
    }
}

/// Moves a number as far as its range goes; how far that was.
fn moved(lent: &mut On<'_>, obj: &Id, name: &str, by: &Num) -> Given<Dynamic> {
    acts(lent)?;
    let at = attribute(lent, obj, name)?;
    let Value::Num(was) = lent.stage.value(&at) else { return Err(faulty(format!("“{name}” is no number"))) };
    let range = lent.stage.world().def_at(&at).map(|def| def.range.clone());
    let mut to = &was + by;
    if let Some(Range::Num { min, max, .. }) = range {
        to = min.filter(|min| to < *min).unwrap_or(to);
        to = max.filter(|max| to > *max).unwrap_or(to);
    }
    let by = &to - &was;
    set_by(lent, obj, name, &number(&to), Some(by.clone()))?;
    Ok(number(&by))
}

/// Brings an object into being.
pub(super) fn create(lent: &mut On<'_>, kind: &str, with: &Map) -> Given<Obj> {
    acts(lent)?;
    let kind = &*kind_id(kind);
    if !lent.run.registry.kinds.contains(kind) {
        return Err(faulty(format!("no law declares the kind “{kind}”")));
    }
    let name = with.get("name").map(|name| name.clone().into_string()).transpose();
    let name = name.map_err(|_| faulty("a name is a text"))?.map(|name: String| prose(&name));
    if let Some(name) = &name {
        names::of_thing(name).map_err(|why| stopped(Refusal::new(why.to_string()).into()))?;
    }
    // A rule may give names as it likes; a document takes none that something has.
    if let Some(name) = name.as_ref().filter(|_| lent.run.document.is_some()) {
        lent.stage.nameable(name, None).map_err(|why| stopped(why.into()))?;
    }
    let docket = lent.run.registry.dockets.get(kind).map(|docket| docket.first);
    let first = docket.map_or(Ok(1), |first| papers::first(lent, kind, first))?;
    let obj = lent.stage.create(&kind.into(), name.as_deref(), first);
    if docket.is_some() {
        let now = Dynamic::from(Moment(lent.stage.now()));
        set(lent, &obj, MADE, &now)?;
    }
    for (attr, to) in with.iter().filter(|(attr, _)| *attr != "name") {
        set(lent, &obj, attr, to)?;
    }
    Ok(Obj(obj))
}

/// Brings an object into being for a law: a document is announced.
fn made(lent: &mut On<'_>, kind: &str, with: &Map) -> Given<Obj> {
    let obj = create(lent, kind, with)?;
    papers::made(lent, &obj.0)?;
    Ok(obj)
}

/// Ends objects, and sees to what names them.
fn destroy(lent: &mut On<'_>, objs: &[Id]) -> Given<()> {
    // What was set before is set on purpose.
    gone::see_to(lent.stage, &lent.run.registry);
    for obj in objs {
        acts(lent)?;
        if lent.stage.world().exists(obj) {
            weight::written(lent.stage.world().values_of(obj).map(|(_, was)| was))?;
            lent.stage.destroy(obj).map_err(|why| stopped(why.into()))?;
        }
    }
    charge(gone::see_to(lent.stage, &lent.run.registry))
}

/// Values by the names of their places.
fn places(lent: &On<'_>, with: &Map) -> Given<Places> {
    let is_place = |(name, _): &(&Identifier, &Dynamic)| ![PORTIONS, BECAUSE].contains(&name.as_str());
    let places = with.iter().filter(is_place).map(|(name, is)| {
        let place = apply::place(&value(is)?, |obj| lent.stage.called(obj));
        Ok((name.to_string(), place.map_err(|why| stopped(why.into()))?))
    });
    let because = with.get(BECAUSE).and_then(as_text).map(|why| one_line(&why));
    Ok(Places { all: places.collect::<Given<_>>()?, because })
}

/// The option by which what is refused is left out and listed.
const PORTIONS: &str = "portions";
/// The option that says why it is done, in the place of the rule's title.
const BECAUSE: &str = "because";

fn by_portions(with: &Map) -> bool {
    with.get(PORTIONS).is_some_and(|is| is.as_bool() == Ok(true))
}

/// Where directives stand that may be done: in the law that runs, or in a document.
enum Written {
    Law,
    In(Id),
}

/// Where a text of directives is written; nothing where none may be done by it.
fn written(lent: &mut On<'_>, text: &str) -> Given<Option<Written>> {
    let script = match &lent.run.document {
        Some(document) => Some(&document.script),
        None => lent.run.law().map(|law| &law.script),
    };
    if script.is_some_and(|script| script.literals.contains(text)) {
        return Ok(Some(Written::Law));
    }
    for kind in lent.run.registry.directives.clone() {
        let members = lent.stage.members(&kind.into());
        charge(members.len())?;
        let holds =
            |obj: &Id| lent.stage.world().values_of(obj).any(|(_, is)| matches!(is, Value::Text(is) if is == text));
        if let Some(document) = members.iter().find(|obj| holds(obj)) {
            return Ok(Some(Written::In(document.clone())));
        }
    }
    Ok(None)
}

/// Does directives: true, or a list of what was left out.
fn applied(lent: &mut On<'_>, text: &Dynamic, with: &Map) -> Given<Dynamic> {
    acts(lent)?;
    charge(APPLY_OPERATIONS)?;
    if let Some(doc) = as_object(text) {
        return carried_out(lent, &doc, with);
    }
    let text = as_text(text).ok_or_else(|| faulty("what is applied is a text of directives, or a document"))?;
    let document = match written(lent, &text)? {
        Some(Written::Law) => None,
        Some(Written::In(document)) => Some(document),
        None => {
            return Err(faulty(
                "directives are written out in the law or stand in a document: values come into {places}, as in \
                 apply(\"=> retitle rule 7 to {title}\", #{title: a.title})",
            ));
        }
    };
    let portions = by_portions(with) || lent.run.portions.is_some();
    let places = places(lent, with)?;
    let rule = lent.run.rule().cloned().unwrap_or_else(|| "".into());
    let (whose, by) = (doer(lent, with), (&rule, document.as_ref()));
    let refused = play::in_act_of(lent.stage, whose, |stage| stage.directives(&text, &places, by, portions));
    let refused = refused.map_err(|why| stopped(why.into()))?;
    if let Some(listed) = &mut lent.run.portions {
        listed.extend(refused.iter().cloned());
    }
    Ok(match by_portions(with) {
        true => Dynamic::from_array(refused.into_iter().map(Dynamic::from).collect()),
        false => Dynamic::TRUE,
    })
}

/// Does what the directives of a document say, and tells what that changed.
fn carried_out(lent: &mut On<'_>, doc: &Id, with: &Map) -> Given<Dynamic> {
    if !lent.run.registry.is_docketed(doc) {
        return Err(faulty(format!("{} is no document with directives", lent.stage.called(doc))));
    }
    let (label, moved) = (labelled(lent.stage, doc), lent.stage.moved(doc));
    // What was decided together is nobody's act, unless the law says whose.
    let whose = doer(lent, with).filter(|_| with.contains_key("by"));
    let blocks = play::in_act_of(lent.stage, whose, |stage| stage.carry_out(doc, &label));
    let blocks = blocks.map_err(|why| stopped(why.into()))?;
    if !blocks.is_empty() {
        let mut said = Document::say(format!("By {label}:"));
        said.blocks.extend(moved.map(Block::Para));
        said.blocks.extend(blocks);
        let said = about(lent.stage, doc, said);
        lent.stage.say(Audience::Public, said);
    }
    Ok(Dynamic::TRUE)
}

/// In whose act something is done to which this is given: in that of `by`, where a rule says so; else in the act that it
/// is part of.
fn doer(lent: &On<'_>, given: &Map) -> Option<Id> {
    let said = given.get("by").filter(|_| lent.run.document.is_none());
    said.map_or_else(|| lent.stage.whose(), as_object)
}

/// What reading directives costs beside what they do.
const APPLY_OPERATIONS: usize = 200;

/// Runs a part of a document: what it says. Where a law only looks, so does the part. What is wrong with the part is a
/// refusal of that part: the law that runs it has done nothing wrong.
fn run_part(lent: &mut On<'_>, document: &Id, part: &str, with: Map) -> Given<Dynamic> {
    if let Mode::Declare(_) = lent.run.mode {
        return Err(faulty("a law that declares runs no parts of documents"));
    }
    charge(10)?;
    let text = get(lent, document, documents::TEXT)?;
    let text = as_text(&text).unwrap_or_default();
    let called = lent.stage.called(document);
    let read = documents::read(lent.stage, &text);
    let read = read.map_err(|fault| refused(format!("the law of {called} cannot be read: {}", fault.why)))?;
    let Some(found) = read.parts.iter().find(|known| known.name == part) else {
        return Err(refused(format!("{called} has no part “{part}”")));
    };
    let Some(does) = found.does.clone() else { return Ok(Dynamic::UNIT) };
    let (portions, mut args) = (by_portions(&with), with);
    args.remove(PORTIONS);
    let outer = std::mem::replace(&mut lent.run.portions, portions.then(Vec::new));
    let whose = doer(lent, &args);
    let got = play::in_act_of(lent.stage, whose, |stage| {
        limited(PART_MAX_OPERATIONS, || call_part(stage, lent.run, (&read, &called), &does, args))
    });
    // That is no fault of the part's, and whatever the law makes of it, it is told.
    lent.run.cut_off |= got.is_err() && lent.run.is_full(lent.stage);
    let got = got.map_err(|stop| match stop {
        Stop::Fault(fault) if fuel() > 0 => {
            Refusal::new(format!("“{part}” of {called} went wrong: {}", fault.told(&read.source))).into()
        }
        // Nothing is left for the law that runs it either.
        Stop::Fault(fault) => Stop::Fault(Fault::new(format!("“{part}” of {called}: {}", fault.told(&read.source)))),
        refused @ Stop::Refused(..) => refused.outward(),
    });
    let listed = std::mem::replace(&mut lent.run.portions, outer).unwrap_or_default();
    let got = got.map_err(stopped)?;
    if !listed.is_empty() {
        say(lent, &format!("Of {part} of {called} this was not done: {}", listed.join("; ")), None)?;
    }
    Ok(got)
}

fn say(lent: &mut On<'_>, text: &str, to: Option<&Id>) -> Given<()> {
    let said = lent.run.said(&sentence(text));
    announce(lent, said, to)
}

fn announce(lent: &mut On<'_>, said: Document, to: Option<&Id>) -> Given<()> {
    acts(lent)?;
    charge(10)?;
    if lent.run.taken(lent.stage).announced >= ACT_MAX_MESSAGES {
        return Err(faulty(format!("an act makes at most {ACT_MAX_MESSAGES} announcements with all that follows")));
    }
    let audience = to.map_or(Audience::Public, |seat| Audience::Seat(seat.clone()));
    lent.stage.say(audience, said);
    Ok(())
}

/// Announces something about a document, or with buttons.
fn say_with(lent: &mut On<'_>, text: &str, with: &Map) -> Given<()> {
    known(with, &["about", "offers"])?;
    let mut said = lent.run.said(&sentence(text));
    if let Some(doc) = with.get("about").and_then(as_object) {
        said = about(lent.stage, &doc, said);
    }
    let rows = with.get("offers").and_then(|is| is.clone().try_cast::<Array>()).unwrap_or_default();
    for row in rows.iter().take(OFFERS_MAX_COUNT) {
        let row = row.clone().try_cast::<Array>().unwrap_or_default();
        let texts: Vec<String> = row.iter().filter_map(as_text).map(|text| one_line(&text)).collect();
        let [label, line] = &texts[..] else { return Err(faulty("an offer is a list of its label and its line")) };
        said.offers.push(Offer::new(label, line.replace(MARKS, ""), lent.stage.seq()));
    }
    announce(lent, said, None)
}

/// A text of a law with the full stop of a sentence.
fn sentence(text: &str) -> String {
    match text.trim_end() {
        text if text.ends_with(['.', '!', '?', ':']) => text.to_owned(),
        text => format!("{text}."),
    }
}

/// A text of a law that the program puts into its own words: no line of it stands by itself.
pub(super) fn one_line(why: &str) -> String {
    prose(why).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Refuses to let wait what was said in private: everybody may read what waits, with its words.
fn in_public(lent: &On<'_>) -> Given<()> {
    if lent.run.private {
        return Err(faulty(
            "what is done in private asks nobody and sets nothing for later: everybody reads what waits",
        ));
    }
    Ok(())
}

/// What it costs to go through what waits.
const WAITING_OPERATIONS: usize = 100;

/// When something is due that is set for a moment, or for the end of a length of time.
fn until(lent: &On<'_>, when: &Dynamic) -> Given<Until> {
    if let Some(Moment(at)) = when.clone().try_cast::<Moment>() {
        return Ok(Until { at: at.max(lent.stage.now()), counted: None });
    }
    let words =
        as_text(when).ok_or_else(|| faulty("something is set for a moment, or for a length of time in words"))?;
    lent.stage.due(&words).ok_or_else(|| faulty(format!("“{words}” is no length of time: “2 days”, “12 hours”")))
}

fn schedule(lent: &mut On<'_>, when: &Dynamic, deed: &str, args: &Map, options: &Map) -> Given<()> {
    acts(lent)?;
    in_public(lent)?;
    let mut options = options.clone();
    let late = match options.remove("paused").map(Dynamic::into_string) {
        None => false,
        Some(Ok(is)) if is == "late" => true,
        Some(_) => return Err(faulty("“paused” is “late”: it is done when the pause in which it was due is over")),
    };
    let rank = ranked(&options)?;
    let Until { at, counted } = until(lent, when)?;
    let deed = lent.run.heard_as(deed);
    if !lent.run.registry.acts.contains_key(&deed) {
        return Err(faulty(format!("no law has the deed “{deed}”")));
    }
    let Some((rule, number)) = lent.run.law().map(|law| (law.rule.clone(), law.number)) else { return Ok(()) };
    charge(WAITING_OPERATIONS)?;
    if let Some(why) = lent.stage.is_full(&rule, false) {
        return Err(refused(why));
    }
    let args = args.iter().map(|(name, is)| Ok((name.to_string(), value(is)?))).collect::<Given<_>>()?;
    let rank = rank.unwrap_or(number.into());
    lent.stage.set_later(None, Some(Later { at, counted, rank, rule, deed, args, late }));
    Ok(())
}

/// Asks somebody, or whoever holds an office, for an act.
fn ask(lent: &mut On<'_>, who: &Dynamic, act: &str, args: &Map, within: Option<&str>) -> Given<()> {
    acts(lent)?;
    in_public(lent)?;
    charge(WAITING_OPERATIONS)?;
    let act = offered(lent, act)?;
    let until = within.map(|within| until(lent, &within.into())).transpose()?;
    let Some(rule) = lent.run.rule().cloned() else { return Ok(()) };
    let (at, counted) = match (until, lent.stage.rests_until(&rule)) {
        // What nobody does in time would wake a law that has nothing left.
        (Some(until), Some(rests)) if rests > until.at => (Some(rests), None),
        (until, _) => until.map_or((None, None), |until| (Some(until.at), until.counted)),
    };
    let (seat, office) = match (as_object(who), as_text(who)) {
        (Some(seat), _) => (Some(seat), String::new()),
        (None, Some(office)) => (None, office),
        // Nobody holds it, and nobody is asked.
        (None, None) if who.is_unit() => return Ok(()),
        (None, None) => return Err(faulty("a player is asked, or an office by its name")),
    };
    let holder = lent.stage.holder(&office).filter(|_| seat.is_none());
    let args = given(args)?;
    let within = within.unwrap_or_default().to_owned();
    let registry = lent.run.registry.clone();
    let vacant = seat.is_none() && holder.is_none();
    let ask = Ask { seat, office, holder, rule, act, args, within, at, counted, vacant, late: false };
    let asked = pending::ask(lent.stage, &registry, ask);
    asked.map_err(|why| stopped(why.into()))
}

/// The name of an act that somebody can take.
fn offered(lent: &On<'_>, act: &str) -> Given<String> {
    let act = lent.run.heard_as(act);
    match lent.run.registry.acts.get(&act).is_none_or(|(act, _)| act.deed) && !lent.stage.has_act(&act) {
        true => Err(faulty(format!("no law has the act “{act}”"))),
        false => Ok(act),
    }
}

/// What an act is given, as it is kept.
fn given(args: &Map) -> Given<BTreeMap<String, Value>> {
    args.iter().map(|(name, is)| Ok((name.to_string(), value(is)?))).collect()
}

/// Refuses what is a rule's alone to do, in a part of a document: players write those.
pub(super) fn of_rules(lent: &mut On<'_>) -> Given<()> {
    acts(lent)?;
    match lent.run.document {
        Some(_) => Err(faulty("who plays, and who has an office, is for rules to say, and no document does")),
        None => Ok(()),
    }
}

/// What begins a line that shows a display.
const SHOW: &str = "show ";

/// An act, or a look at a display, as it stands in a text for a reader.
fn line(lent: &mut On<'_>, act: &str, args: &Map) -> Given<String> {
    charge(args.len())?;
    let is_there = |name: &str| {
        lent.run.registry.displays.contains_key(name) || lent.stage.has_display(name) || lent.stage.is_listed(name)
    };
    let act = match act.strip_prefix(SHOW) {
        Some(name) if is_there(name) => act.to_owned(),
        Some(name) => return Err(faulty(format!("there is no display “{name}”"))),
        None => offered(lent, act)?,
    };
    let mut args = given(args)?;
    let named = |obj: &Id| match lent.run.registry.is_docketed(obj) {
        true => number_of(obj).to_string(),
        false => lent.stage.called(obj),
    };
    // What it takes first goes without its name, where that is one word or the rest of the line, and nothing is left to
    // be put in.
    let mut words = act.clone();
    let params = lent.run.registry.acts.get(&act).map_or(&[][..], |(act, _)| &act.params);
    let is_whole = params.iter().all(|param| param.optional || args.contains_key(&param.name));
    for param in params.iter().filter(|_| is_whole) {
        let word = match args.get(&param.name) {
            Some(Value::Ref(obj)) => named(obj),
            Some(Value::Text(text)) => text.clone(),
            Some(Value::Num(number)) => number.to_string(),
            _ => break,
        };
        let parts = |c: char| c.is_whitespace() || matches!(c, '"' | ':');
        if word.is_empty() || (word.contains(parts) && param.range != LONG_TEXT) {
            break;
        }
        words = format!("{words} {word}");
        args.remove(&param.name);
    }
    let line = pending::line(&words, &args, named);
    Ok(format!("{}{line}{}", MARKS[0], MARKS[1]))
}

/// Has somebody or something take a command now, by the rules that hold for it then.
fn cause(lent: &mut On<'_>, who: &Id, command: &Command) -> Given<()> {
    acts(lent)?;
    charge(GROUP_OPERATIONS)?;
    if !lent.stage.is_there(who) {
        return Err(refused(format!("{who} is no more")));
    }
    if is_deep() {
        return Err(faulty("acts cause acts too deep"));
    }
    lent.stage.cause(who, &command.act).map_err(|why| stopped(why.into()))
}

/// Whether all these values are among what is kept.
fn has_all(kept: &BTreeMap<String, Value>, wanted: &Map) -> Given<bool> {
    for (name, is) in wanted {
        if kept.get(name.as_str()) != Some(&value(is)?) {
            return Ok(false);
        }
    }
    Ok(true)
}

fn unschedule(lent: &mut On<'_>, deed: &str, args: &Map) -> Given<()> {
    acts(lent)?;
    let (rule, deed) = (lent.run.rule().cloned(), lent.run.heard_as(deed));
    let all = lent.stage.later();
    charge(WAITING_OPERATIONS + all.len())?;
    for (number, later) in all {
        // What another rule set, it alone takes off.
        if later.deed == deed && Some(&later.rule) == rule.as_ref() && has_all(&later.args, args)? {
            lent.stage.set_later(Some(number), None);
        }
    }
    Ok(())
}

/// Ends what the law that runs asked for.
fn unask(lent: &mut On<'_>, act: &str, args: &Map) -> Given<()> {
    acts(lent)?;
    let (rule, act) = (lent.run.rule().cloned(), lent.run.heard_as(act));
    let all = lent.stage.asks();
    charge(WAITING_OPERATIONS + all.len())?;
    for (number, ask) in all {
        if ask.act == act && Some(&ask.rule) == rule.as_ref() && has_all(&ask.args, args)? {
            lent.stage.set_ask(Some(number), None);
        }
    }
    Ok(())
}

fn perform(lent: &mut On<'_>, act: &str, with: Map) -> Given<Dynamic> {
    acts(lent)?;
    charge(GROUP_OPERATIONS)?;
    let act = lent.run.heard_as(act);
    match play::perform(lent.stage, lent.run, &act, with) {
        Ok(got) => Ok(got),
        // What an act asks for is not what its caller asks for.
        Err(Stop::Refused(why, _)) => portion(lent, Err(why.into())).map(|()| Dynamic::UNIT),
        Err(fault) => Err(stopped(fault)),
    }
}

/// A list without the first article that is the same.
fn without(mut list: rhai::Array, is: &Dynamic) -> Given<rhai::Array> {
    charge(list.len())?;
    if let Some(at) = list.iter().position(|held| same(held, is)) {
        drop(list.remove(at));
    }
    Ok(list)
}

pub(super) fn register(engine: &mut Engine) {
    engine.register_indexer_set(|obj: &mut Obj, name: ImmutableString, to: Dynamic| -> Given<()> {
        noting(|lent| set(lent, &obj.0, &name, &to))
    });
    engine.register_fn("lose", |obj: Obj, name: ImmutableString, by: Dynamic| -> Given<Dynamic> {
        let by = as_number(&by).ok_or_else(|| faulty("what is lost is a number"))?;
        on(|lent| moved(lent, &obj.0, &name, &-&by)).map(|moved| as_number(&moved).map_or(moved, |by| number(&-&by)))
    });
    engine.register_fn("gain", |obj: Obj, name: ImmutableString, by: Dynamic| -> Given<Dynamic> {
        let by = as_number(&by).ok_or_else(|| faulty("what is gained is a number"))?;
        on(|lent| moved(lent, &obj.0, &name, &by))
    });
    engine.register_fn("blank", |obj: Obj, name: ImmutableString| on(|lent| blank(lent, &obj.0, &name)));
    engine.register_fn("create", |kind: ImmutableString, with: Map| on(|lent| made(lent, &kind, &with)));
    engine.register_fn("create", |kind: ImmutableString| on(|lent| made(lent, &kind, &Map::new())));
    engine.register_fn("destroy", |obj: Obj| on(|lent| destroy(lent, &[obj.0])));
    engine.register_fn("destroy", |all: rhai::Array| {
        let objs: Vec<Id> = all.iter().filter_map(as_object).collect();
        on(|lent| destroy(lent, &objs))
    });
    engine.register_fn("perform", |act: ImmutableString, with: Map| on(|lent| perform(lent, &act, with)));
    engine.register_fn("perform", |act: ImmutableString| on(|lent| perform(lent, &act, Map::new())));
    engine.register_fn("apply", |text: Dynamic| on(|lent| applied(lent, &text, &Map::new())));
    engine.register_fn("apply", |text: Dynamic, with: Map| on(|lent| applied(lent, &text, &with)));
    engine.register_fn("run", |document: Obj, part: ImmutableString, with: Map| {
        on(|lent| run_part(lent, &document.0, &part, with))
    });
    engine.register_fn("run", |document: Obj, part: ImmutableString| {
        on(|lent| run_part(lent, &document.0, &part, Map::new()))
    });
    engine.register_fn("schedule", |when: Dynamic, deed: ImmutableString| {
        on(|lent| schedule(lent, &when, &deed, &Map::new(), &Map::new()))
    });
    engine.register_fn("unschedule", |deed: ImmutableString| on(|lent| unschedule(lent, &deed, &Map::new())));
    engine.register_fn("schedule", |when: Dynamic, deed: ImmutableString, args: Map| {
        on(|lent| schedule(lent, &when, &deed, &args, &Map::new()))
    });
    engine.register_fn("schedule", |when: Dynamic, deed: ImmutableString, args: Map, options: Map| {
        on(|lent| schedule(lent, &when, &deed, &args, &options))
    });
    engine.register_fn("opened", |act: ImmutableString| -> Given<rhai::Array> {
        on(|lent| {
            acts(lent)?;
            charge(10)?;
            let act = lent.run.heard_as(&act);
            sealed::opened(lent.stage, lent.run, &act).map_err(stopped)
        })
    });
    engine.register_fn("discard", |act: ImmutableString| -> Given<()> {
        on(|lent| {
            acts(lent)?;
            let act = lent.run.heard_as(&act);
            sealed::discard(lent.stage, lent.run, &act).map_err(stopped)
        })
    });
    engine.register_fn("ask", |who: Dynamic, act: ImmutableString, args: Map| {
        on(|lent| ask(lent, &who, &act, &args, None))
    });
    engine.register_fn("ask", |who: Dynamic, act: ImmutableString, args: Map, within: ImmutableString| {
        on(|lent| ask(lent, &who, &act, &args, Some(&within)))
    });
    engine.register_fn("line", |act: ImmutableString| on(|lent| line(lent, &act, &Map::new())));
    engine.register_fn("line", |act: ImmutableString, args: Map| on(|lent| line(lent, &act, &args)));
    engine.register_fn("unask", |act: ImmutableString, args: Map| on(|lent| unask(lent, &act, &args)));
    engine.register_fn("unschedule", |deed: ImmutableString, args: Map| on(|lent| unschedule(lent, &deed, &args)));
    engine.register_type_with_name::<Command>("command");
    engine.register_fn("to_string", |command: &mut Command| format!("“{}”", command.said));
    engine.register_fn("cause", |who: Obj, command: Command| on(|lent| cause(lent, &who.0, &command)));
    engine.register_fn("say", |text: Dynamic| -> Given<()> {
        on(|lent| {
            if let Some(page) = pages::said(&text, lent)? {
                return announce(lent, page, None);
            }
            let text = as_text(&text).unwrap_or_else(|| shown(lent.stage, &text));
            say(lent, &text, None)
        })
    });
    engine.register_fn("say", |text: ImmutableString, with: Map| on(|lent| say_with(lent, &text, &with)));
    engine.register_fn("tell", |who: Obj, text: ImmutableString| on(|lent| say(lent, &text, Some(&who.0))));
    let instead = |why: &str, line: &str| Refusal::new(one_line(why)).instead(one_line(line).replace(MARKS, ""));
    engine.register_fn("refuse", |why: ImmutableString| -> Given<()> { Err(refused(one_line(&why))) });
    engine.register_fn("refuse", move |why: ImmutableString, line: ImmutableString| -> Given<()> {
        Err(stopped(instead(&why, &line).into()))
    });
    let require = |holds: bool, why: &dyn Fn() -> Refusal| -> Given<()> {
        if holds { Ok(()) } else { Err(stopped(Stop::Refused(why(), Cause::Required))) }
    };
    engine.register_fn("require", move |holds: bool, why: ImmutableString| {
        require(holds, &|| Refusal::new(one_line(&why)))
    });
    engine.register_fn("require", move |holds: bool, why: ImmutableString, line: ImmutableString| {
        require(holds, &|| instead(&why, &line))
    });
    engine.register_fn("admit", |seat: Obj| -> Given<Obj> {
        on(|lent| {
            of_rules(lent)?;
            lent.stage.admit(&seat.0).map_err(|why| stopped(why.into()))?;
            Ok(seat)
        })
    });
    engine.register_fn("suspend", |player: Obj| -> Given<()> {
        on(|lent| {
            of_rules(lent)?;
            lent.stage.suspend(&player.0).map_err(|why| stopped(why.into()))
        })
    });
    let dismiss = |player: &Obj, keeps: bool| -> Given<()> {
        on(|lent| {
            of_rules(lent)?;
            lent.stage.dismiss(&player.0, keeps).map_err(|why| stopped(why.into()))
        })
    };
    engine.register_fn("dismiss", move |player: Obj| dismiss(&player, false));
    engine.register_fn("dismiss", move |player: Obj, with: Map| -> Given<()> {
        known(&with, &["keeps"])?;
        dismiss(&player, with.get("keeps").and_then(|keeps| keeps.as_bool().ok()).unwrap_or_default())
    });
    engine.register_fn("answer", |text: ImmutableString| -> Given<()> {
        on(|lent| {
            acts(lent)?;
            lent.run.answer = Some(text.to_string());
            Ok(())
        })
    });
    engine.register_fn("-", |list: rhai::Array, is: Dynamic| without(list, &is));
    engine.register_fn("-=", |list: &mut rhai::Array, is: Dynamic| -> Given<()> {
        *list = without(std::mem::take(list), &is)?;
        Ok(())
    });
    // Whether a list has an object: `x in list`.
    engine.register_fn("contains", |list: &mut rhai::Array, is: Obj| -> Given<bool> {
        charge(list.len())?;
        Ok(list.iter().any(|held| as_object(held).is_some_and(|held| held == is.0)))
    });
    engine.register_fn("contains", |args: &mut Args, name: ImmutableString| !args.get(&name).is_unit());
}
