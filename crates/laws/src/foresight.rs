//! What a law would bring, told before anybody is bound by it: in a dry run, and to whoever writes it.
//!
//! It is read from what laws declare, as the rules of a state have it. Nothing here changes a room.

use std::collections::BTreeSet;

use kernel::{
    Draft, Id, Outcome, Path, Refusal, State,
    dice::{Dice, SEED_BYTES, Seed},
    directives::{
        self, Mode, Setting,
        sight::{RULE, rule_object},
        syntax,
    },
    display::{Block, Cell, Document},
    draft::SALT_BYTES,
    rulebook::Rule,
    time::minute,
    world::AttrDef,
};
use kit::effects;

use super::{
    apply::Places,
    budgets, calendar, checker,
    counts::WALL,
    declared::{AttrDecl, Declared, ParamDecl, kind_id},
    docket_decl::{BEGIN, END},
    faults::has_suspended,
    languages::{self, Spoken},
    lifetimes,
    moments::FIELDS,
    names,
    offices::office_named,
    params, reading,
    registry::{LAW, Law, REFUSED, instead, law_of},
    room::{Hosts, OF_EVERY_GAME, act_called, is_of_program},
    script,
    session::look,
    stage::{Foreseen, InForce, RuleChange, Stage},
    tables::{Ask, Enacted, Later},
    tried,
    ways::of as ways_of,
};

/// The title under which a script is tried that stands in no rule yet.
const TITLE: &str = "A law that is tried";

/// What appears, changes and ceases with the laws between two states, a line each.
pub(crate) fn differs<G: Hosts>(before: &State<G>, after: &State<G>) -> Vec<String> {
    let all = |state: &State<G>| -> BTreeSet<String> {
        let languages = state.rows::<Spoken>().keys().map(|code| languages::brought(code));
        state.rows::<Enacted>().values().flat_map(|law| added(&law.declared)).chain(languages).collect()
    };
    let (was, is) = (all(before), all(after));
    let begins = is.difference(&was).map(|one| format!("{one} begins"));
    let ends = was.difference(&is).map(|one| format!("{one} ends"));
    let is_new = |(rule, law): &(&Id, &Enacted)| before.row::<Enacted>(rule) != Some(*law);
    let written = after.rows::<Enacted>().iter().filter(is_new).filter_map(|(rule, _)| {
        let rule = after.rules.get(rule)?;
        Some(format!("in the law of {} {}", rule.label(), written(law_of(rule)?)?))
    });
    let is_kept = |number: &u64| after.row::<Later>(number).is_some();
    let set = before.rows::<Later>().iter().filter(|(number, _)| !is_kept(number));
    let set = set.map(|(_, later)| format!("“{}”, set for {}, is not done", later.deed, minute(later.at)));
    let is_asked = |number: &u64| after.row::<Ask>(number).is_some();
    let asks = before.rows::<Ask>().iter().filter(|(number, _)| !is_asked(number));
    let asks = asks.map(|(_, ask)| format!("“{}” is not asked for any more", ask.line(|obj| G::called(before, obj))));
    let is_resumed = |rule: &&Id| has_suspended(before, rule) && !has_suspended(after, rule);
    let resumed = after.rows::<Enacted>().keys().filter(is_resumed);
    let resumed = resumed.filter_map(|rule| Some(format!("the law of {} is resumed", after.rules.get(rule)?.label())));
    let tried = after.rows::<Enacted>().iter().filter(is_new).flat_map(|(rule, _)| tried::faults(after, rule));
    begins.chain(ends).chain(tried).chain(set).chain(asks).chain(resumed).chain(written).collect()
}

/// Most numbers of a script that are named.
const WRITTEN_MAX_COUNT: usize = 10;

/// Which numbers are written out in a script, where there are some: no proposal amends those alone.
fn written(source: &str) -> Option<String> {
    let script = script::compile(source).ok().filter(|script| !script.written.is_empty())?;
    let named = script.written.iter().take(WRITTEN_MAX_COUNT).map(|(number, line)| format!("{number} (line {line})"));
    let named = named.collect::<Vec<_>>().join(", ");
    let more = if script.written.len() > WRITTEN_MAX_COUNT { " and more" } else { "" };
    Some(format!("these numbers are written out, and no figures of the rule: {named}{more}"))
}

/// What a law adds that players meet, in words.
fn added(declared: &Declared) -> Vec<String> {
    let acts = declared.acts.iter().filter(|act| !act.deed).map(|act| format!("the command “{}”", act.name));
    let offices = declared.offices.iter().map(|office| format!("the office “{office}”"));
    let displays = declared.displays.iter().map(|display| format!("the display “{}”", display.name));
    let voted = declared.ballots.iter().map(|ballot| format!("votes on each {} by “{}”", ballot.kind, ballot.name));
    acts.chain(offices)
        .chain(displays)
        .chain(voted)
        .chain(declared.hooks.iter().map(|hook| format!("“{hook}”")))
        .collect()
}

/// The attributes of the law of a rule that are not as it defines them, each with why.
fn undefined<G: Hosts>(state: &State<G>, rule: &Id) -> Vec<(AttrDecl, String)> {
    let mut dice = Dice::new(Seed([0; SEED_BYTES]), state.seq + 1, Default::default());
    let mut d = Draft::new(state.clone(), state.at, Default::default(), true, &mut dice, [0; SALT_BYTES]);
    let registry = reading::in_force(&mut d);
    registry.map(|registry| lifetimes::undefined(&mut d, &registry, rule)).unwrap_or_default()
}

/// All that a law adds, in words; the attributes that are not as it defines them are left out.
fn adds(declared: &Declared, undefined: &[(AttrDecl, String)]) -> Vec<String> {
    let kinds = declared.kinds.iter().map(|kind| format!("objects of the kind “{kind}”"));
    let attrs = declared.attrs.iter().filter(|attr| !undefined.iter().any(|(other, _)| other == *attr));
    let attrs = attrs.map(|attr| format!("{} of {}: {}", attr.name, attr.of, attr.range));
    let figures = declared.figures.iter().map(|figure| format!("the figure {}: {}", figure.key, figure.meaning));
    added(declared).into_iter().chain(kinds).chain(attrs).chain(figures).collect()
}

/// What the law of a rule brings about, below the rule: all that it adds, and when it ran last. What of it does not work
/// is told as a note.
pub(crate) fn under<G: Hosts>(state: &State<G>, rule: &Id) -> Vec<Block> {
    let Some(law) = state.row::<Enacted>(rule) else { return Vec::new() };
    let mut blocks = Vec::new();
    let undefined = undefined(state, rule);
    let adds: Vec<Cell> = adds(&law.declared, &undefined).into_iter().map(Cell::new).collect();
    if !adds.is_empty() {
        blocks.extend([Block::Para("Its law adds:".to_owned()), Block::List(adds)]);
    }
    let told = |(AttrDecl { name, of, .. }, why): (AttrDecl, String)| {
        format!("“{name} of {of}” of its law is not defined: {why}.")
    };
    blocks.extend(undefined.into_iter().map(told).map(Block::Para));
    let ran = state.ran.last(rule).map(|last| {
        let (seq, at) = (last.seq, minute(last.at));
        format!("Its law ran last in entry {seq}, {at}, and took {} operations there.", last.operations)
    });
    // Of a state of before nothing is known.
    let not = || (!state.ran.is_empty()).then(|| "Its law has not run since the program was started.".to_owned());
    blocks.extend(ran.or_else(not).into_iter().chain(budgets::told(state, rule)).map(Block::Para));
    blocks
}

/// What leads to a change of the rules in a room, by what players know of it: `vote`.
pub fn ways<G: Hosts>(state: &State<G>) -> BTreeSet<String> {
    look(state, state.at, |stage, run| ways_of(stage, &run.registry)).unwrap_or_default()
}

/// What directives would bring, as laws have it.
pub(crate) fn foresee<G: Hosts>(state: &State<G>, text: &str, doc: Option<&Id>) -> Foreseen {
    let done = effects::passed(state, |d| {
        Stage::directives(d, text, &Places::default(), (&Id::default(), doc), false).map(drop)
    });
    let body = effects::read::<G>(text);
    let directives = body.as_ref().map_or(0, |body| body.count());
    let prose = body.is_ok_and(|body| body.has_prose(text));
    let after = match done {
        Ok(after) => after,
        Err(why) => {
            let (ways, rulebook) = (ways(state), rulebook(state));
            return Foreseen { why: why.say, directives, prose, ways, rulebook, ..Foreseen::default() };
        }
    };
    let all = |state: &State<G>| -> BTreeSet<String> {
        state.rows::<Enacted>().values().flat_map(|law| added(&law.declared)).collect()
    };
    let (was, is) = (all(state), all(&after));
    let mut rules: Vec<RuleChange> = after.rules.all().into_iter().filter_map(|rule| change(state, rule)).collect();
    rules.sort_by_key(|change| change.number);
    let figures = rules.iter().flat_map(|change| {
        let is_head = |name: &&String| after.rules.get(&change.rule).is_some_and(|rule| rule.field(name).is_some());
        change.sets.iter().filter(move |name| !is_head(name)).cloned()
    });
    let figures: BTreeSet<String> = figures.collect();
    let is_new = |rule: &&Id| state.rules.get(rule).and_then(law_of) != after.rules.get(rule).and_then(law_of);
    let ill = after.rows::<Enacted>().iter().filter(|(rule, _)| is_new(rule)).find_map(|(rule, law)| {
        let label = after.rules.get(rule)?.label();
        let unread = law.fault.as_ref().map(|why| format!("the law of {label} cannot be read: {why}"));
        unread.or_else(|| unknown(&after, rule).into_iter().next().map(|why| lowered(why.trim_end_matches('.'))))
    });
    Foreseen {
        why: String::new(),
        ill,
        directives,
        prose,
        rules,
        figures: figures.into_iter().collect(),
        begins: is.difference(&was).cloned().collect(),
        ends: was.difference(&is).cloned().collect(),
        ways: ways(&after),
        rulebook: rulebook(&after),
    }
}

/// The rules in force, with what laws give to each.
fn rulebook<G: Hosts>(state: &State<G>) -> Vec<InForce> {
    let defs: Vec<&AttrDef> = state.world.defs_for(RULE).collect();
    let of = |rule: &&Rule| {
        let value = |def: &&AttrDef| {
            let at = Path::new(rule_object(rule.id()), def.id.clone());
            (def.id.clone(), G::value(state, &at))
        };
        InForce { number: rule.number(), title: rule.label(), has: defs.iter().map(value).collect() }
    };
    state.rules.rules().iter().map(of).collect()
}

/// A sentence that goes on.
fn lowered(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|first| first.to_lowercase().to_string()).unwrap_or_default();
    format!("{first}{}", chars.as_str())
}

/// How a rule differs from what it was; nothing where it does not.
fn change<G: Hosts>(before: &State<G>, rule: &Rule) -> Option<RuleChange> {
    let was = before.rules.in_force(rule.id());
    let (was, what) = match (was, rule.in_force()) {
        (None, false) => return None,
        (None, true) => (None, "created"),
        (Some(was), false) => (Some(was), "repealed"),
        (Some(was), true) if was.text() != rule.text() => (Some(was), "amended"),
        (Some(was), true) if was.title() != rule.title() => (Some(was), "retitled"),
        (Some(was), true) if was.number() != rule.number() => (Some(was), "renumbered"),
        (Some(was), true) if was.fields() != rule.fields() => (Some(was), "changed"),
        (Some(_), true) => return None,
    };
    let shown = |rule: Option<&Rule>, key: &str| -> Vec<String> {
        rule.map(|rule| rule.places(key).map(|span| rule.text().shown(span).to_owned()).collect()).unwrap_or_default()
    };
    let is = Some(rule).filter(|_| what != "repealed");
    let keys = |rule: Option<&Rule>| -> BTreeSet<String> {
        rule.into_iter().flat_map(|rule| rule.text().spans()).map(|span| span.key.to_string()).collect()
    };
    let both: BTreeSet<String> = keys(was).union(&keys(is)).cloned().collect();
    let heads = |rule: Option<&Rule>| rule.map(|rule| rule.fields().clone()).unwrap_or_default();
    let (from, to) = (heads(was), heads(Some(rule)));
    let fields: BTreeSet<&String> = from.keys().chain(to.keys()).collect();
    let fields = fields.into_iter().filter(|name| from.get(*name) != to.get(*name)).cloned();
    let sets = both.into_iter().filter(|key| shown(was, key) != shown(is, key)).chain(fields).collect();
    let words = was.map(|was| was.text().words()) != is.map(|is| is.text().words());
    let (id, number, title) = (rule.id().clone(), rule.number(), rule.label());
    Some(RuleChange { rule: id, number, title, what, words, sets })
}

/// What is wrong with the laws in force, or probably not meant, in sentences.
pub(crate) fn warnings<G: Hosts>(state: &State<G>) -> Vec<String> {
    let mut told = Vec::new();
    for (rule, law) in state.rows::<Enacted>().iter() {
        let label = state.rules.get(rule).map(kernel::rulebook::Rule::label).unwrap_or_default();
        if let Some(why) = &law.fault {
            told.push(format!("The law of {label} cannot be read, and would do nothing: {why}."));
        }
        for name in &law.rests {
            told.push(match is_of_program::<G>(name) {
                true => {
                    format!("“{name}” of {label} would rest, and nobody could reach it: the program has that name.")
                }
                false => {
                    let number = state.rules.get(rule).map_or(0, kernel::rulebook::Rule::number);
                    let reached = instead(law, number, name).map(|other| format!(" It would be reached as “{other}”."));
                    let reached = reached.unwrap_or_default();
                    format!(
                        "“{name}” of {label} would rest: another rule has that name, and takes precedence.{reached}"
                    )
                }
            });
        }
        let missing = undefined(state, rule).into_iter();
        told.extend(
            missing
                .map(|(attr, why)| format!("“{} of {}” of {label} would not be defined: {why}.", attr.name, attr.of)),
        );
    }
    told.extend(state.rows::<Enacted>().keys().flat_map(|rule| unknown(state, rule)));
    told.extend(checked(state));
    let (known, acts, kinds) = (heard::<G>(state), acts::<G>(state), kinds::<G>(state));
    let displays = state.rows::<Enacted>().values().flat_map(|law| &law.declared.displays);
    let displays: BTreeSet<String> = displays.map(|display| display.name.clone()).collect();
    for (rule, law) in state.rows::<Enacted>().iter() {
        let label = state.rules.get(rule).map(kernel::rulebook::Rule::label).unwrap_or_default();
        let perhaps = |name: &str, known: &BTreeSet<String>| {
            let near = params::nearest(name, known.iter().map(String::as_str));
            near.map_or_else(String::new, |near| format!("; “{near}” comes nearest"))
        };
        let unknown = |word: &&str| {
            let word = &*kind_id(word);
            !kinds.contains(word) && !word.strip_suffix('s').is_some_and(|one| kinds.contains(one))
        };
        for act in &law.declared.acts {
            let of = act.params.iter().filter_map(|param| params::kind_in(&param.range)).filter(unknown);
            told.extend(of.map(|kind| {
                format!("“{}” of {label} takes a {kind}, and no rule knows one{}.", act.name, perhaps(kind, &kinds))
            }));
            let unshown = |param: &&ParamDecl| !param.offers.is_empty() && !displays.contains(&param.offers);
            told.extend(act.params.iter().filter(unshown).map(|param| {
                let (act, param, shown) = (&act.name, &param.name, &param.offers);
                let near = perhaps(shown, &displays);
                format!(
                    "“{param}” of “{act}” of {label} is completed by the display “{shown}”, and no law has it{near}."
                )
            }));
            let who = act.who.as_str();
            if !matches!(who, "" | "anybody")
                && unknown(&who)
                && office_named(state, who).is_none()
                && !G::is_office(state, who)
            {
                told.push(format!(
                    "“{}” of {label} is for a {who}, and no rule knows one{}.",
                    act.name,
                    perhaps(who, &kinds)
                ));
            }
        }
        for hook in &law.declared.hooks {
            let Some(name) = HOOKS.iter().find_map(|begins| hook.strip_prefix(begins)) else { continue };
            let of_value = name.strip_prefix(REFUSED).filter(|name| name.starts_with("change of "));
            let name = of_value.unwrap_or(name);
            let wrong = if let Some(kind) = name.strip_prefix("new ") {
                Some(kind).filter(unknown).map(|kind| (kind, &kinds))
            } else if let Some((attr, kind)) = name.strip_prefix("change of ").and_then(|of| of.split_once(" of ")) {
                let has = |kind: &str| state.world.def(attr, kind).is_some();
                match unknown(&kind) {
                    true => Some((kind, &kinds)),
                    false if has(kind) || is_declared(state, attr) => None,
                    false => {
                        let attrs: Vec<String> = state.world.defs_for(kind).map(|def| def.id.to_string()).collect();
                        let near = params::nearest(attr, attrs.iter().map(String::as_str));
                        let near = near.map_or_else(String::new, |near| format!("; “{near}” comes nearest"));
                        told.push(format!("“{hook}” of {label}: a {kind} has no “{attr}”{near}."));
                        None
                    }
                }
            } else if let Some(act) = name.strip_prefix(REFUSED) {
                (!acts.contains(act)).then_some((act, &acts))
            } else if is_unbarred::<G>(hook, name) {
                told.push(format!("“{hook}” of {label} does nothing: no law changes or bars that act."));
                None
            } else {
                // What is performed by name may be any law's own event.
                (!known.contains(name)).then_some((name, &known))
            };
            told.extend(wrong.map(|(name, among)| {
                format!("“{hook}” of {label}: nothing that is known here is called “{name}”{}.", perhaps(name, among))
            }));
        }
    }
    told
}

/// What the laws in force are found to be wrong in, a sentence each.
fn checked<G: Hosts>(state: &State<G>) -> Vec<String> {
    let told = look(state, state.at, |stage, run| {
        let laws = &run.registry.laws;
        let all = laws.iter().enumerate().flat_map(|(place, law)| {
            let found = checker::faults(&*stage, &run.registry, place);
            found.into_iter().map(move |fault| format!("In the law of {}, {}.", law.label, fault.told(&law.source)))
        });
        all.collect()
    });
    told.unwrap_or_default()
}

/// The functions that the law of a rule calls and that there are none of, a sentence each.
fn unknown<G: Hosts>(state: &State<G>, rule: &Id) -> Vec<String> {
    let Some((rule, source)) = state.rules.get(rule).and_then(|rule| Some((rule, law_of(rule)?))) else {
        return Vec::new();
    };
    // What cannot be read is told already.
    let unknown = script::compile(source).map(|script| script.unknown.clone()).unwrap_or_default();
    unknown.iter().map(|fault| format!("In the law of {}, {}.", rule.label(), fault.told(source))).collect()
}

/// What the words of a hook begin with where the name of an act or event follows.
const HOOKS: &[&str] = &["after ", "bar on ", "change of ", "at "];

/// Whether words bar or change an act that laws leave as it is.
fn is_unbarred<G: Hosts>(hook: &str, name: &str) -> bool {
    let of_act = ["bar on ", "change of "].iter().any(|begins| hook.starts_with(begins));
    let named = act_called::<G>(name);
    of_act && G::UNBARRED.iter().any(|act| named.as_ref() == Some(&G::named(act)))
}

/// Whether a law declares an attribute, of whatever kind.
fn is_declared<G: Hosts>(state: &State<G>, attr: &str) -> bool {
    state.rows::<Enacted>().values().flat_map(|law| &law.declared.attrs).any(|known| known.name == attr)
}

/// The kinds and classes that objects have here.
fn kinds<G: Hosts>(state: &State<G>) -> BTreeSet<String> {
    let laws = state.rows::<Enacted>();
    let of_laws = laws.values().flat_map(|law| &law.declared.kinds).cloned();
    let classes = laws.values().flat_map(|law| law.declared.classes.iter().map(|(_, class)| class.clone()));
    let of_game = G::kinds(state).iter().map(ToString::to_string).collect::<Vec<_>>();
    let all = OF_EVERY_GAME.iter().chain(G::KINDS).map(|kind| (*kind).to_owned());
    all.chain(of_laws)
        .chain(classes)
        .chain(of_game)
        .chain(state.world.kinds().iter().map(ToString::to_string))
        .collect()
}

/// The names of acts: those of the game, and those of laws.
fn acts<G: Hosts>(state: &State<G>) -> BTreeSet<String> {
    let of_law = |law: &Declared| {
        let voted = law.ballots.iter().map(|ballot| ballot.name.clone());
        law.acts.iter().map(|act| act.name.clone()).chain(voted).collect::<Vec<_>>()
    };
    let of_laws = state.rows::<Enacted>().values().flat_map(|law| of_law(&law.declared));
    G::mechanics().acts().map(G::named).chain(of_laws).collect()
}

/// The names that something has which happens here: acts, events, moments.
fn heard<G: Hosts>(state: &State<G>) -> BTreeSet<String> {
    let events = G::EVENTS
        .iter()
        .map(|(name, _)| *name)
        .chain([OVERDUE, BEGIN, END])
        .chain(calendar::instants())
        .map(str::to_owned);
    let own = G::time(state, state.at)
        .into_iter()
        .map(|(unit, _)| unit)
        .filter(|unit| !FIELDS.contains(unit) && !WALL.contains(unit));
    let moments = own.flat_map(|unit| [format!("start of {unit}"), format!("end of {unit}")]);
    let performed = state.rules.rules().into_iter().filter_map(law_of).flat_map(performed).map(str::to_owned);
    let all = acts::<G>(state).into_iter().chain(G::aliases().into_keys()).chain(events).chain(moments);
    all.chain(performed).collect()
}

/// What a law performs by a name that is written out: an act, or an event of the laws' own.
fn performed(source: &str) -> impl Iterator<Item = &str> {
    source.split("perform(").skip(1).filter_map(|rest| {
        let rest = rest.trim_start().strip_prefix(['"', '`'])?;
        rest.split(['"', '`']).next()
    })
}

/// What is told of what nobody did in time.
const OVERDUE: &str = "overdue";

/// Says what a script would add as the law of a rule, or a proposal by all laws that it brings or changes.
///
/// # Errors
///
/// What is wrong with it, and where.
pub(crate) fn check<G: Hosts>(state: &State<G>, script: &str) -> Outcome {
    let owns = |words: &str| G::mechanics().owns(words);
    let body = match syntax::parse(script, &owns)? {
        // Words alone: a script, or the text of a rule that holds one.
        body if body.directives.is_empty() => {
            let text = match script.contains(&format!("```{LAW}")) {
                true => script.to_owned(),
                false => format!("```{LAW}\n{script}\n```"),
            };
            syntax::parse(&format!("=> create rule \"{TITLE}\":\n{FENCE}\n{text}\n{FENCE}"), &owns)?
        }
        body => body,
    };
    let mut dice = Dice::new(Seed([0; SEED_BYTES]), state.seq + 1, Default::default());
    let mut d = Draft::new(state.clone(), state.at, Default::default(), true, &mut dice, [0; SALT_BYTES]);
    let setting = Setting { because: TITLE, mode: Mode::AllOrNone, posted: None, tried: true };
    directives::apply(&body, &mut d, &setting).map_err(directives::Failure::into_refusal)?;
    let registry = reading::in_force(&mut d);
    let is_new = |law: &&Law| state.rules.get(&law.rule).and_then(law_of) != Some(&law.source);
    let tried: Vec<&Law> = registry.iter().flat_map(|registry| &registry.laws).filter(is_new).collect();
    if tried.is_empty() {
        return Err(Refusal::new("there is no law in this").instead("law new command NAME"));
    }
    if let Some((law, fault)) = tried.iter().find_map(|law| Some((law, law.fault.as_ref()?))) {
        return Err(Refusal::new(fault.told(&law.source)));
    }
    if let Some(name) = tried.iter().flat_map(|law| &law.rests).find(|name| is_of_program::<G>(name)) {
        return Err(Refusal::new(format!("nobody could reach “{name}”: the program has that name")));
    }
    if !G::mechanics().settle_all(&mut d) {
        return Err(Refusal::new("what it does by itself comes to no end"));
    }
    let held = warnings(state);
    let wrong = warnings::<G>(&d).into_iter().filter(|line| !held.contains(line));
    let tried_once = tried
        .iter()
        .flat_map(|law| tried::faults::<G>(&d, &law.rule))
        .map(|line| format!("{}.", names::capital(&line)));
    let wrong: Vec<Cell> = wrong.chain(tried_once).map(Cell::new).collect();
    let mut page = Document::titled("law/check", "A law").para("It can be read.");
    let adds = tried.iter().flat_map(|law| adds(&law.declared, &undefined::<G>(&d, &law.rule)));
    let adds: Vec<Cell> = adds.map(Cell::new).collect();
    page = match adds.is_empty() {
        true => page.para("It adds nothing."),
        false => page.para("It adds:").with(Block::List(adds)),
    };
    for written in tried.iter().filter_map(|law| written(&law.source)) {
        page = page.para(format!("In it {written}."));
    }
    Ok(if wrong.is_empty() { page } else { page.para(AGAIN).with(Block::List(wrong)) })
}

/// What stands above the list of what is wrong.
pub const AGAIN: &str = "Look at this again:";

/// What stands around the text of a rule, which may hold a fence of its own.
const FENCE: &str = "~~~~~~";
