//! All laws in force: what each declares, and which function is called for what.
//!
//! It is made anew whenever a rule changes, and kept by what the rules read, so that an act runs no top level. Of two
//! laws that give one name, that of the rule which takes precedence has it: the lower number. The other rests.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    sync::{Arc, LazyLock, Mutex, PoisonError},
};

use rhai::FnPtr;

use kernel::{
    Id, Path, Rows, Value,
    rulebook::{Rule, Rulebook},
    world::SCOPES,
};

use super::{
    declared::{ActDecl, AttrDecl, Declared, Declaring, Hook},
    documents::{self, law_in},
    engine::{self, Compiled},
    fault::Fault,
    params,
    stage::Stage,
    tables::Enacted,
};

/// The word behind the backticks of a law.
pub const LAW: &str = "law";

/// How many rulebooks are kept with what their laws declare: as many as rooms are busy at once.
const KEPT_MAX_COUNT: usize = 256;

/// The kind of the one object that stands for the room itself.
pub(crate) const GAME: &str = "game";
/// That object. It exists while something of the room is an attribute.
pub(crate) const ROOM: &str = "game/room";

/// A function of a law.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    /// The place of its law.
    pub(crate) law: usize,
    /// Its place in the law.
    pub(crate) place: usize,
    /// What it is called for, in words: `after vote`.
    pub(crate) name: String,
    /// The function.
    pub(crate) pointer: FnPtr,
}

/// A law in force.
#[derive(Clone, Debug)]
pub(crate) struct Law {
    /// Its rule.
    pub(crate) rule: Id,
    /// The number of the rule.
    pub(crate) number: u32,
    /// What the rule is called.
    pub(crate) label: String,
    /// What stands in the rule.
    pub(crate) source: Arc<str>,
    /// The same, compiled.
    pub(crate) script: Arc<Compiled>,
    /// What it declares.
    pub(crate) declared: Declared,
    /// Why it declares nothing.
    pub(crate) fault: Option<Fault>,
    /// Names that it gives and that another law has.
    pub(crate) rests: Vec<String>,
}

/// All laws in force, and what each of their functions is called for.
#[derive(Debug, Default)]
pub(crate) struct Registry {
    /// The laws, in the order in which their rules decide.
    pub(crate) laws: Vec<Law>,
    pub(crate) acts: BTreeMap<String, (ActDecl, Function)>,
    pub(crate) changes: BTreeMap<String, Vec<Function>>,
    pub(crate) bars: BTreeMap<String, Vec<(Function, String)>>,
    pub(crate) followers: BTreeMap<String, Vec<Function>>,
    pub(crate) moments: BTreeMap<String, Vec<(Function, Vec<i64>)>>,
    pub(crate) whenever: Vec<Function>,
    pub(crate) conditions: BTreeMap<String, Function>,
    pub(crate) displays: BTreeMap<String, (String, Function)>,
    /// Kinds of objects that laws declare.
    pub(crate) kinds: BTreeSet<String>,
    /// Those of them whose objects have a law of their own.
    pub(crate) documents: BTreeSet<String>,
    /// Those whose objects hold directives.
    pub(crate) directives: BTreeSet<String>,
    /// What objects of a kind are as well: class to kinds.
    classes: BTreeMap<String, BTreeSet<Id>>,
    /// What becomes of an attribute, by name and kind, when what it names is gone: its object ends, or it stays.
    pub(crate) gone: BTreeMap<(String, String), String>,
    /// What an attribute that names nothing is called, by name and kind.
    pub(crate) nothing: BTreeMap<(String, String), String>,
    /// How texts of an attribute are spelled, by name and kind: so many characters, of these letters.
    pub(crate) letters: BTreeMap<(String, String), (usize, String)>,
    /// Who may speak for objects of a kind.
    pub(crate) speakers: BTreeMap<String, Function>,
    /// Acts of which it is counted how often they were done.
    pub(crate) counted: BTreeSet<String>,
    /// What each law declares, as entries keep it.
    pub(crate) enacted: BTreeMap<Id, Enacted>,
    /// Whether a follower hears of changes, and not of acts alone.
    pub(crate) hears_changes: bool,
    /// The rows of a room that say the same: it is worked out once.
    declared: Mutex<Option<Rows<Id, Enacted>>>,
}

/// Something of documents that the top level of a law read.
#[derive(Clone, Debug)]
pub(crate) enum Read {
    /// The objects of a kind.
    Members(Id, Vec<Id>),
    /// A value.
    Value(Path, Value),
}

impl Read {
    fn holds(&self, stage: &dyn Stage) -> bool {
        match self {
            Self::Members(kind, members) => stage.members(kind) == *members,
            Self::Value(at, value) => stage.value(at) == *value,
        }
    }
}

/// The law that stands in a rule; nothing where none does.
pub fn law_of(rule: &Rule) -> Option<&str> {
    law_in(rule.text())
}

/// What the laws of a rulebook came to.
struct Kept {
    rules: Rulebook,
    reads: Vec<Read>,
    /// Nothing where no rule has a law.
    registry: Option<Arc<Registry>>,
}

static KEPT: LazyLock<Mutex<VecDeque<Kept>>> = LazyLock::new(Default::default);

impl Registry {
    /// The laws of a room as its rules read now; nothing where there are none.
    pub(crate) fn of(stage: &mut dyn Stage) -> Option<Arc<Self>> {
        {
            let kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
            let mut same = kept.iter().rev().filter(|kept| kept.rules.is_same(stage.rules()));
            if let Some(known) = same.find(|kept| kept.reads.iter().all(|read| read.holds(stage))) {
                return known.registry.clone();
            }
        }
        let has_laws = stage.rules().rules().into_iter().any(|rule| law_of(rule).is_some());
        let (registry, reads) = match has_laws {
            true => Self::declared(stage),
            false => (Self::default(), Vec::new()),
        };
        let registry = has_laws.then(|| Arc::new(registry));
        let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= KEPT_MAX_COUNT {
            kept.pop_front();
        }
        kept.push_back(Kept { rules: stage.rules().clone(), reads, registry: registry.clone() });
        registry
    }

    /// Runs the top level of every law; with it what those read of documents.
    fn declared(stage: &mut dyn Stage) -> (Self, Vec<Read>) {
        let rules: Vec<(Id, u32, u32, String, Arc<str>)> = stage
            .rules()
            .rules()
            .into_iter()
            .filter_map(|rule| {
                let law = law_of(rule)?.into();
                Some((rule.id().clone(), rule.number(), rule.revision(), rule.label(), law))
            })
            .collect();
        let mut registry = Self::default();
        // Whoever plays is a player, whatever the game calls em.
        registry.classes.entry("player".to_owned()).or_default().insert(stage.player().into());
        let (mut reads, mut all, mut revisions) = (Vec::new(), Vec::new(), Vec::new());
        for (rule, number, revision, label, source) in rules {
            let law = registry.laws.len();
            let known = Arc::new(Self {
                kinds: registry.kinds.clone(),
                documents: registry.documents.clone(),
                classes: registry.classes.clone(),
                ..Self::default()
            });
            let made = engine::compile(&source).and_then(|script| {
                let declaring = Declaring { law, ..Declaring::default() };
                let (declaring, read) = engine::declare(stage, &known, declaring, &script.ast)?;
                reads.extend(read);
                apart(stage, &declaring.declared)?;
                Ok((script, declaring))
            });
            let (script, declaring, fault) = match made {
                Ok((script, declaring)) => (script, declaring, None),
                Err(fault) => (Arc::default(), Declaring::default(), Some(fault)),
            };
            let (declared, functions) = (declaring.declared, declaring.functions);
            registry.learn(&declared);
            registry.counted.extend(counted(&source, &declared));
            registry.laws.push(Law { rule, number, label, source, script, declared, fault, rests: Vec::new() });
            all.push((law, functions));
            revisions.push(revision);
        }
        registry.read_documents(stage, &mut reads);
        for (law, functions) in all {
            registry.take(law, functions);
        }
        let hears = |name: &String| name.starts_with("change of ") || name.starts_with("new ");
        registry.hears_changes = registry.followers.keys().any(hears);
        for (law, revision) in registry.laws.iter().zip(revisions) {
            let fault = law.fault.as_ref().map(|fault| fault.told(&law.source));
            let (declared, rests) = (law.declared.clone(), law.rests.clone());
            registry.enacted.insert(law.rule.clone(), Enacted { revision, declared, fault, rests });
        }
        (registry, reads)
    }

    /// Takes in which kinds and classes a law declares.
    fn learn(&mut self, declared: &Declared) {
        self.kinds.extend(declared.kinds.iter().cloned());
        self.documents.extend(declared.documents.iter().cloned());
        self.directives.extend(declared.changes.iter().cloned());
        if declared.attrs.iter().any(|attr| attr.of.split(SCOPES).any(|kind| kind == GAME)) {
            self.kinds.insert(GAME.to_owned());
        }
        for (kind, class) in &declared.classes {
            self.classes.entry(class.clone()).or_default().insert(kind.as_str().into());
        }
    }

    /// Adds the attributes that documents declare to the law that declares their kind.
    fn read_documents(&mut self, stage: &mut dyn Stage, reads: &mut Vec<Read>) {
        for law in &mut self.laws {
            for kind in law.declared.documents.clone() {
                let kind: Id = kind.into();
                let members = stage.members(&kind);
                reads.push(Read::Members(kind, members.clone()));
                for document in members {
                    let text = documents::text_of(stage, &document);
                    let at = Path::new(document, documents::TEXT);
                    reads.push(Read::Value(at.clone(), stage.value(&at)));
                    let Ok(read) = documents::read(stage, &text) else { continue };
                    for attr in &read.attrs {
                        let is_known = |known: &AttrDecl| known.name == attr.name && known.of == attr.of;
                        if !law.declared.attrs.iter().any(is_known) {
                            law.declared.attrs.push(attr.clone());
                        }
                    }
                }
            }
        }
    }

    /// Puts the functions of a law in their places.
    fn take(&mut self, law: usize, functions: Vec<(Hook, Function)>) {
        let declared = self.laws[law].declared.clone();
        for attr in &declared.attrs {
            let kinds: Vec<String> = attr.of.split(SCOPES).flat_map(|of| self.classed(of)).collect();
            for kind in kinds {
                let key = (attr.name.clone(), kind);
                if !attr.gone.is_empty() {
                    self.gone.insert(key.clone(), attr.gone.clone());
                }
                if let Some((count, letters, _)) = params::letters(&attr.range) {
                    self.letters.insert(key.clone(), (count, letters));
                }
                if !attr.nothing.is_empty() {
                    self.nothing.insert(key, attr.nothing.clone());
                }
            }
        }
        for (hook, function) in functions {
            match hook {
                Hook::Act(name) => {
                    let Some(act) = declared.acts.iter().find(|act| act.name == name).cloned() else { continue };
                    match self.acts.contains_key(&name) {
                        true => self.laws[law].rests.push(name),
                        false => drop(self.acts.insert(name, (act, function))),
                    }
                }
                Hook::Change(name) => self.changes.entry(name).or_default().push(function),
                Hook::Forbid(name, why) => self.bars.entry(name).or_default().push((function, why)),
                Hook::After(name) => self.followers.entry(name).or_default().push(function),
                Hook::At(name, on) => self.moments.entry(name).or_default().push((function, on)),
                Hook::Speaks(kind) => {
                    self.speakers.entry(kind).or_insert(function);
                }
                Hook::Whenever => self.whenever.push(function),
                Hook::Condition(name) => match self.conditions.contains_key(&name) {
                    true => self.laws[law].rests.push(name),
                    false => drop(self.conditions.insert(name, function)),
                },
                Hook::Display(name) => match self.displays.contains_key(&name) {
                    true => self.laws[law].rests.push(name),
                    false => {
                        let title = declared.displays.iter().find(|display| display.name == name);
                        let title = title.map(|display| display.title.clone()).unwrap_or_default();
                        self.displays.insert(name, (title, function));
                    }
                },
            }
        }
    }

    /// Whether the rows of a room say what these laws declare.
    pub(crate) fn is_declared(&self, rows: &Rows<Id, Enacted>) -> bool {
        let mut declared = self.declared.lock().unwrap_or_else(PoisonError::into_inner);
        if declared.as_ref().is_some_and(|known| known.ptr_eq(rows)) {
            return true;
        }
        let same = self.enacted.len() == rows.len() && rows.iter().all(|(id, law)| self.enacted.get(id) == Some(law));
        if same {
            *declared = Some(rows.clone());
        }
        same
    }

    /// The kinds of a class, or a kind itself.
    fn classed(&self, word: &str) -> Vec<String> {
        match self.classes.get(word) {
            Some(kinds) => kinds.iter().map(ToString::to_string).collect(),
            None => vec![word.to_owned()],
        }
    }

    /// The kinds that a word means: a kind, or all that are of a class. The word may be a plural.
    pub(crate) fn kinds_of(&self, stage: &dyn Stage, word: &str) -> Option<Vec<Id>> {
        let named = |word: &str| {
            let mut kinds: BTreeSet<Id> = self.classes.get(word).cloned().unwrap_or_default();
            if self.kinds.contains(word) || stage.has_kind(word) {
                kinds.insert(word.into());
            }
            (!kinds.is_empty()).then(|| kinds.into_iter().collect())
        };
        named(word).or_else(|| named(word.strip_suffix('s')?))
    }

    /// Whether an object of a kind is also of a kind or a class.
    pub(crate) fn is_a(&self, kind: &str, word: &str) -> bool {
        kind == word || self.classes.get(word).is_some_and(|kinds| kinds.contains(kind))
    }
}

/// Refuses to declare a kind or an act that the game has by itself: neither is the law's to end.
///
/// # Errors
///
/// Which one.
fn apart(stage: &dyn Stage, declared: &Declared) -> Result<(), Fault> {
    let laws = stage.kinds_of_laws();
    let native = |kind: &&String| ***kind == *stage.player() || (stage.has_kind(kind) && !laws.contains(*kind));
    if let Some(kind) = declared.kinds.iter().find(native) {
        return Err(Fault::new(format!("the game has the kind “{kind}” by itself: no law declares it")));
    }
    match declared.acts.iter().find(|act| stage.has_act(&act.name)) {
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
