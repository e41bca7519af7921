//! The laws of a rulebook, read: each law's top level is run, and what it declares is put in its place.
//!
//! It is done anew whenever a rule changes, and kept by what the rules read, so that an act runs no top level.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, LazyLock, Mutex, PoisonError},
};

use kernel::{
    Id, Path,
    rulebook::{Rule, Rulebook},
};

use super::{
    counts,
    declared::{AttrDecl, Declared, PERSON, SUSPENDED, ThingDecl},
    declaring::Declaring,
    documents,
    fault::Fault,
    reads::{Read, ruled},
    registry::{Law, Registry, law_of, laws_in},
    script::{self, Compiled},
    stage::Stage,
    tables::Enacted,
};

/// How many rulebooks are kept with what their laws declare: as many as rooms are busy at once.
const KEPT_MAX_COUNT: usize = 256;

/// What the laws of a rulebook came to.
struct Kept {
    rules: Rulebook,
    /// Those of its rules that have a law.
    laws: Vec<Rule>,
    /// All that their top levels read.
    reads: Vec<Read>,
    /// Nothing where no rule has a law.
    registry: Option<Arc<Registry>>,
}

static KEPT: LazyLock<Mutex<VecDeque<Kept>>> = LazyLock::new(Default::default);

/// The laws of a room as its rules read now; nothing where there are none.
pub(crate) fn in_force(stage: &mut dyn Stage) -> Option<Arc<Registry>> {
    let kept = || KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    let holds = |known: &&Kept| known.reads.iter().all(|read| read.holds(stage));
    if let Some(known) = kept().iter().rev().filter(|known| known.rules.is_same(stage.rules())).find(holds) {
        return known.registry.clone();
    }
    // Most amendments are of rules without a law.
    let laws: Vec<Rule> = stage.rules().rules().into_iter().filter(|rule| law_of(rule).is_some()).cloned().collect();
    // What a law lacked that could not be read, any rule may bring.
    let all_read = |known: &&Kept| known.registry.iter().all(|all| all.laws.iter().all(|law| law.fault.is_none()));
    let same = |known: &&Kept| are_same(&known.laws, &laws);
    let as_before = kept().iter().rev().filter(same).filter(all_read).find(holds).map(|known| {
        let Kept { reads, registry, .. } = known;
        (reads.clone(), registry.clone())
    });
    let (reads, registry) = as_before.unwrap_or_else(|| match laws.is_empty() {
        true => (Vec::new(), None),
        false => {
            let (registry, reads) = declared(stage);
            (reads, Some(Arc::new(registry)))
        }
    });
    let mut kept = kept();
    if kept.len() >= KEPT_MAX_COUNT {
        kept.pop_front();
    }
    kept.push_back(Kept { rules: stage.rules().clone(), laws, reads, registry: registry.clone() });
    registry
}

/// Whether rules are the same in all that laws have of them.
fn are_same(some: &[Rule], others: &[Rule]) -> bool {
    let same = |(one, other): (&Rule, &Rule)| {
        let of = |rule: &Rule| (rule.number(), rule.revision());
        one.id() == other.id()
            && of(one) == of(other)
            && one.title() == other.title()
            && one.fields() == other.fields()
            && (Arc::ptr_eq(one.text(), other.text()) || one.text() == other.text())
    };
    some.len() == others.len() && some.iter().zip(others).all(same)
}

/// Runs the top level of every law; with it what those read of documents.
fn declared(stage: &mut dyn Stage) -> (Registry, Vec<Read>) {
    let rules: Vec<_> = stage
        .rules()
        .rules()
        .into_iter()
        .filter_map(|rule| {
            let (law, count): (Arc<str>, _) = (law_of(rule)?.into(), laws_in(rule.text()).count());
            Some((
                rule.id().clone(),
                rule.number(),
                rule.revision(),
                [rule.label(), stage.cited(rule), stage.sign(rule)],
                law,
                count,
            ))
        })
        .collect();
    let mut registry = Registry { aliases: stage.aliases(), ..Registry::default() };
    // Whoever plays is a player, whatever the game calls em.
    registry.classes.entry("player".to_owned()).or_default().insert(stage.player().into());
    // Whoever has a seat is a person, player or not.
    let people = stage.people().iter().copied().chain([SUSPENDED, stage.player()]).map(Id::from);
    registry.classes.entry(PERSON.to_owned()).or_default().extend(people);
    let (mut reads, mut all, mut revisions) = (Vec::new(), Vec::new(), Vec::new());
    for (rule, number, revision, [label, cited, sign], source, count) in rules {
        let law = registry.laws.len();
        let known = Arc::new(Registry {
            kinds: registry.kinds.clone(),
            documents: registry.documents.clone(),
            classes: registry.classes.clone(),
            ..Registry::default()
        });
        let made = one_of(count).and_then(|()| top_level(stage, &known, law, &source)).and_then(|made| {
            reads.extend(made.reads.iter().cloned());
            apart(stage, &made.declaring.declared)?;
            Ok((made.script.clone(), made.declaring.clone()))
        });
        let (script, declaring, fault) = match made {
            Ok((script, declaring)) => (script, declaring, None),
            Err(fault) => (Arc::default(), Declaring::default(), Some(fault)),
        };
        let (declared, functions) = (declaring.declared, declaring.functions);
        registry.learn(&declared, stage.rules().get(&rule));
        let asked: Vec<String> =
            counted(&source, &declared).map(|name| registry.heard_as(law, &name).to_owned()).collect();
        registry.counted.extend(asked);
        registry.laws.push(Law {
            rule,
            number,
            label,
            cited,
            sign,
            source,
            script,
            declared,
            fault,
            rests: Vec::new(),
        });
        all.push((law, functions));
        revisions.push(revision);
    }
    registry.things = registry.laws.iter().flat_map(|law| &law.declared.things).map(ThingDecl::object).collect();
    registry.ruled = registry.laws.iter().flat_map(|law| law.declared.attrs.clone()).collect();
    read_documents(&mut registry, stage, &mut reads);
    for (law, functions) in all {
        registry.take(stage, law, functions);
    }
    registry.open_ballots(stage);
    registry.rank_all();
    let hears = |name: &String| name.starts_with("change of ") || name.starts_with("new ");
    registry.hears_changes = registry.followers.keys().any(hears);
    for (law, revision) in registry.laws.iter().zip(revisions) {
        let fault = law.fault.as_ref().map(|fault| fault.told(&law.source));
        let (declared, rests) = (law.declared.clone(), law.rests.clone());
        let enacted = Enacted { revision, declared, fault, rests, kept: Vec::new() };
        registry.enacted.insert(law.rule.clone(), enacted);
    }
    (registry, reads)
}

/// What the top level of a law came to, with all that it depended on.
struct Made {
    law: usize,
    /// The periods of the game, by which limits are read.
    units: Vec<String>,
    known: Arc<Registry>,
    script: Arc<Compiled>,
    declaring: Declaring,
    reads: Vec<Read>,
}

impl Made {
    /// Whether it would come to the same here.
    fn holds(&self, stage: &dyn Stage, known: &Registry, law: usize) -> bool {
        let same = |one: &Registry| {
            one.kinds == known.kinds && one.documents == known.documents && one.classes == known.classes
        };
        self.law == law
            && self.units == counts::units(stage)
            && same(&self.known)
            && self.reads.iter().all(|read| read.holds(stage))
    }
}

/// How many scripts are kept with what their top levels came to: those of a few rulebooks.
const MADE_MAX_COUNT: usize = 1_024;
/// How often one script is kept so, in rooms that differ in what it reads.
const MADE_OF_ONE_MAX_COUNT: usize = 4;

type AllMade = HashMap<Arc<str>, VecDeque<Arc<Made>>>;

static MADE: LazyLock<Mutex<AllMade>> = LazyLock::new(Default::default);

/// Runs the top level of a law, unless it ran before where all that it reads was the same: most amendments touch one rule.
///
/// # Errors
///
/// What is wrong with it, and where.
fn top_level(stage: &mut dyn Stage, known: &Arc<Registry>, law: usize, source: &Arc<str>) -> Result<Arc<Made>, Fault> {
    let kept = MADE.lock().unwrap_or_else(PoisonError::into_inner).get(source).cloned().unwrap_or_default();
    if let Some(made) = kept.into_iter().find(|made| made.holds(stage, known, law)) {
        return Ok(made);
    }
    let script = script::compile(source)?;
    let declaring = Declaring { law, ..Declaring::default() };
    let (declaring, reads) = documents::declare(stage, known, declaring, &script)?;
    let made = Arc::new(Made { law, units: counts::units(stage), known: known.clone(), script, declaring, reads });
    let mut all = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    if all.len() >= MADE_MAX_COUNT {
        all.clear();
    }
    let of_one = all.entry(source.clone()).or_default();
    if of_one.len() >= MADE_OF_ONE_MAX_COUNT {
        of_one.pop_front();
    }
    of_one.push_back(made.clone());
    Ok(made)
}

/// Refuses several laws in one rule.
///
/// # Errors
///
/// How many there are.
fn one_of(count: usize) -> Result<(), Fault> {
    match count {
        0 | 1 => Ok(()),
        more => Err(Fault::new(format!("a rule has one law, and this one has {more}: put them into one block"))),
    }
}

/// Adds the attributes that documents declare to the law that declares their kind. Those that a rule has stay as they are,
/// and the document's own rest.
fn read_documents(registry: &mut Registry, stage: &mut dyn Stage, reads: &mut Vec<Read>) {
    for law in 0..registry.laws.len() {
        let kinds = registry.laws[law].declared.documents.clone();
        for kind in kinds {
            let kind: Id = kind.into();
            let members = stage.members(&kind);
            reads.push(Read::Members(kind, members.clone()));
            for document in members {
                let text = documents::text_of(stage, &document);
                let at = Path::new(document.clone(), documents::TEXT);
                reads.push(Read::Value(at.clone(), stage.value(&at)));
                let Ok(read) = documents::read(stage, &text) else { continue };
                for attr in &read.attrs {
                    let is_known = |known: &AttrDecl| known.name == attr.name && known.of == attr.of;
                    if registry.laws[law].declared.attrs.iter().any(is_known) {
                        continue;
                    }
                    reads.push(Read::Ruled(attr.name.clone(), ruled(stage, &attr.name)));
                    let name = format!("{} of {}", attr.name, attr.of);
                    match registry.is_ruled(stage, attr) {
                        false => {
                            let attr = AttrDecl { document: document.to_string(), ..attr.clone() };
                            registry.laws[law].declared.attrs.push(attr);
                        }
                        true if registry.laws[law].rests.contains(&name) => {}
                        true => registry.laws[law].rests.push(name),
                    }
                }
            }
        }
    }
}

/// Refuses to declare a kind or an act that the game has by itself: neither is the law's to end.
///
/// # Errors
///
/// Which one.
fn apart(stage: &dyn Stage, declared: &Declared) -> Result<(), Fault> {
    if let Some(kind) = declared.kinds.iter().find(|kind| stage.is_of_game(kind)) {
        return Err(Fault::new(format!("the game has the kind “{kind}” by itself: no law declares it")));
    }
    match declared.acts.iter().find(|act| stage.happens_by_itself(&act.name)) {
        Some(act) => Err(Fault::new(format!("the game has the act “{}” by itself: no law takes its name", act.name))),
        None => Ok(()),
    }
}

/// Acts of which a law asks how often they were done.
fn counted<'a>(source: &'a str, declared: &'a Declared) -> impl Iterator<Item = String> + use<'a> {
    let asked = source.split("times(").skip(1).filter_map(|rest| {
        let rest = rest.trim_start().strip_prefix(['"', '`'])?;
        rest.split(['"', '`']).next().map(str::to_owned)
    });
    let limited = declared.acts.iter().filter(|act| !act.limit.is_empty()).map(|act| act.name.clone());
    asked.chain(limited)
}
