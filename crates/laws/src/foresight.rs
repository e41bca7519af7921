//! What a law would bring, told before anybody is bound by it: in a dry run, and to whoever writes it.
//!
//! It is read from what laws declare, as the rules of a state have it. Nothing here changes a room.

use std::collections::BTreeSet;

use kernel::{
    Draft, Outcome, Refusal, State,
    dice::{Dice, SEED_BYTES, Seed},
    directives::{self, Mode, Setting, syntax},
    display::{Block, Cell, Document},
    draft::SALT_BYTES,
};

use super::{declared::Declared, reading, registry::LAW, room::Hosts, tables::Enacted};

/// The title under which a script is tried that stands in no rule yet.
const TITLE: &str = "A law that is tried";

/// Nearest names that are worth telling, as a share of likeness.
const NEAR_MIN_SHARE: f64 = 0.8;

/// What appears, changes and ceases with the laws between two states, a line each.
pub(crate) fn differs<G: Hosts>(before: &State<G>, after: &State<G>) -> Vec<String> {
    let all = |state: &State<G>| -> BTreeSet<String> {
        state.rows::<Enacted>().values().flat_map(|law| added(&law.declared)).collect()
    };
    let (was, is) = (all(before), all(after));
    let begins = is.difference(&was).map(|one| format!("{one} begins"));
    begins.chain(was.difference(&is).map(|one| format!("{one} ends"))).collect()
}

/// What a law adds that players meet, in words.
fn added(declared: &Declared) -> Vec<String> {
    let acts = declared.acts.iter().filter(|act| !act.deed).map(|act| format!("the command “{}”", act.name));
    let displays = declared.displays.iter().map(|display| format!("the display “{}”", display.name));
    acts.chain(displays).chain(declared.hooks.iter().map(|hook| format!("“{hook}”"))).collect()
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
            told.push(format!("“{name}” of {label} would rest: another rule has that name, and takes precedence."));
        }
        // Another rule may define it alike, and then it is.
        let missing = law.declared.attrs.iter().filter(|attr| state.world.named(&attr.name).is_empty());
        told.extend(missing.map(|attr| format!("“{} of {}” of {label} would not be defined.", attr.name, attr.of)));
        told.extend(law.declared.acts.iter().filter(|act| !act.deed && is_taken::<G>(&act.name)).map(|act| {
            format!("Nobody could type “{}” of {label}: the program has a command of that name.", act.name)
        }));
    }
    let known = heard::<G>(state);
    for (rule, law) in state.rows::<Enacted>().iter() {
        let label = state.rules.get(rule).map(kernel::rulebook::Rule::label).unwrap_or_default();
        for hook in &law.declared.hooks {
            let Some(name) = HOOKS.iter().find_map(|begins| hook.strip_prefix(begins)) else { continue };
            // What is performed by name may be any law's own event.
            if known.contains(name) || is_of_world(name) {
                continue;
            }
            let near = known.iter().max_by(|a, b| likeness(a, name).total_cmp(&likeness(b, name)));
            let near = near.filter(|near| likeness(near, name) > NEAR_MIN_SHARE);
            let perhaps = near.map_or_else(String::new, |near| format!("; “{near}” comes nearest"));
            told.push(format!("“{hook}” of {label}: nothing that is known here is called “{name}”{perhaps}."));
        }
    }
    told
}

/// What the words of a hook begin with where the name of an act or event follows.
const HOOKS: &[&str] = &["after ", "bar on ", "change of ", "at "];

fn likeness(one: &str, other: &str) -> f64 {
    strsim::jaro_winkler(one, other)
}

/// Whether a name is that of something which happens to objects and values.
fn is_of_world(name: &str) -> bool {
    ["change of ", "new ", "refused "].iter().any(|begins| name.starts_with(begins)) || name == "overdue"
}

/// The names that something has which happens here: acts, events, moments.
fn heard<G: Hosts>(state: &State<G>) -> BTreeSet<String> {
    let acts = G::mechanics().acts().map(G::named);
    let events = G::EVENTS.iter().map(|name| (*name).to_owned());
    let of_laws = state.rows::<Enacted>().values().flat_map(|law| law.declared.acts.iter().map(|act| act.name.clone()));
    let time = G::time(state, state.at);
    let moments = time.iter().flat_map(|(unit, _)| [format!("start of {unit}"), format!("end of {unit}")]);
    acts.chain(G::aliases().into_keys()).chain(events).chain(of_laws).chain(moments).collect()
}

/// Whether the program has a command of a name by itself.
fn is_taken<G: Hosts>(name: &str) -> bool {
    let head = name.split(' ').next().unwrap_or_default();
    G::mechanics().acts().map(G::named).any(|known| known == name || known == head)
}

/// Says what a script would add as the law of a rule.
///
/// # Errors
///
/// What is wrong with it, and where.
pub(crate) fn check<G: Hosts>(state: &State<G>, script: &str) -> Outcome {
    let text = match script.contains(&format!("```{LAW}")) {
        true => script.to_owned(),
        false => format!("```{LAW}\n{script}\n```"),
    };
    let body = format!("=> create rule \"{TITLE}\":\n{FENCE}\n{text}\n{FENCE}");
    let body = syntax::parse(&body, &|words| G::mechanics().owns(words))?;
    let mut dice = Dice::new(Seed([0; SEED_BYTES]), state.seq + 1, Default::default());
    let mut d = Draft::new(state.clone(), state.at, Default::default(), true, &mut dice, [0; SALT_BYTES]);
    let setting = Setting { because: TITLE, mode: Mode::AllOrNone, posted: None, tried: true };
    directives::apply(&body, &mut d, &setting).map_err(directives::Failure::into_refusal)?;
    let Some(registry) = reading::in_force(&mut d) else {
        return Err(Refusal::new("there is no law in this").instead("law new command NAME"));
    };
    let tried = registry.laws.iter().find(|law| law.label.contains(TITLE));
    let tried = tried.ok_or_else(|| Refusal::new("there is no law in this").instead("law new command NAME"))?;
    if let Some(fault) = &tried.fault {
        return Err(Refusal::new(fault.told(&tried.source)));
    }
    let (declared, held): (Declared, Vec<String>) = (tried.declared.clone(), warnings(state));
    if !G::mechanics().settle_all(&mut d) {
        return Err(Refusal::new("what it does by itself comes to no end"));
    }
    let wrong = warnings::<G>(&d).into_iter().filter(|line| !held.contains(line));
    let wrong: Vec<Cell> = wrong.map(Cell::new).collect();
    let mut page = Document::titled("law/check", "A law").para("It can be read.");
    let adds: Vec<Cell> = added(&declared)
        .into_iter()
        .chain(declared.kinds.iter().map(|kind| format!("objects of the kind “{kind}”")))
        .chain(declared.attrs.iter().map(|attr| format!("{} of {}: {}", attr.name, attr.of, attr.range)))
        .map(Cell::new)
        .collect();
    page = match adds.is_empty() {
        true => page.para("It adds nothing."),
        false => page.para("It adds:").with(Block::List(adds)),
    };
    Ok(if wrong.is_empty() { page } else { page.para("Look at this again:").with(Block::List(wrong)) })
}

/// What stands around the text of a rule, which may hold a fence of its own.
const FENCE: &str = "~~~~~~";
