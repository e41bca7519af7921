//! All laws in force: what each declares, and which function is called for what.
//!
//! It is made anew whenever a rule changes, and kept by what the rules read, so that an act runs no top level. Of two
//! laws that give one name, that of the rule which takes precedence has it: the lower number. The other rests.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap, VecDeque, hash_map::DefaultHasher},
    hash::{Hash, Hasher},
    sync::{Arc, LazyLock, Mutex, PoisonError},
};

use rhai::{AST, FnPtr};

use kernel::{Id, rulebook::Rule};

use super::{
    declared::{ActDecl, Declared, Hook},
    engine,
    fault::Fault,
    stage::Stage,
};

/// The word behind the backticks of a law.
pub const LAW: &str = "law";

/// How many rulebooks are kept compiled: as many as rooms are busy at once.
const KEPT_MAX_COUNT: usize = 64;

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
    /// What the rule is called.
    pub(crate) label: String,
    /// What stands in the rule.
    pub(crate) source: Arc<str>,
    /// The same, compiled.
    pub(crate) ast: Arc<AST>,
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
    /// What objects of a kind are as well: class to kinds.
    classes: BTreeMap<String, BTreeSet<Id>>,
    /// The kinds that the game has by itself.
    native: BTreeSet<Id>,
    /// Attributes whose objects end, or keep their value, when what it names is gone: by name and kind.
    pub(crate) gone: BTreeMap<(String, String), String>,
}

/// The law that stands in a rule; nothing where none does.
pub fn law_of(rule: &Rule) -> Option<&str> {
    let text = rule.text();
    let fence = text.fences().iter().find(|fence| fence.counts && fence.info.eq_ignore_ascii_case(LAW))?;
    text.visible().get(fence.at.clone())
}

/// A fingerprint of all that the top levels of laws can read.
fn fingerprint(stage: &dyn Stage) -> Option<u64> {
    let rules = stage.rules().rules();
    if !rules.iter().any(|rule| law_of(rule).is_some()) {
        return None;
    }
    let mut hasher = DefaultHasher::new();
    for rule in rules {
        (rule.id(), rule.number(), rule.title(), rule.text().source()).hash(&mut hasher);
    }
    stage.kinds().hash(&mut hasher);
    Some(hasher.finish())
}

type Kept = (HashMap<u64, Arc<Registry>>, VecDeque<u64>);

static KEPT: LazyLock<Mutex<Kept>> = LazyLock::new(Default::default);

impl Registry {
    /// The laws of a room as its rules read now.
    pub(crate) fn of(stage: &mut dyn Stage) -> Option<Arc<Self>> {
        let print = fingerprint(stage)?;
        if let Some(kept) = KEPT.lock().unwrap_or_else(PoisonError::into_inner).0.get(&print) {
            return Some(kept.clone());
        }
        let made = Arc::new(Self::declared(stage));
        let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.1.len() >= KEPT_MAX_COUNT
            && let Some(oldest) = kept.1.pop_front()
        {
            kept.0.remove(&oldest);
        }
        if kept.0.insert(print, made.clone()).is_none() {
            kept.1.push_back(print);
        }
        Some(made)
    }

    /// Runs the top level of every law.
    fn declared(stage: &mut dyn Stage) -> Self {
        let rules: Vec<(Id, String, Arc<str>)> = stage
            .rules()
            .rules()
            .into_iter()
            .filter_map(|rule| Some((rule.id().clone(), rule.label(), law_of(rule)?.into())))
            .collect();
        let mut registry = Self { native: stage.kinds().into_iter().collect(), ..Self::default() };
        // Whoever plays is a player, whatever the game calls em.
        registry.classes.entry("player".to_owned()).or_default().insert(stage.player().into());
        for (rule, label, source) in rules {
            let (ast, mut fault) = match engine::compile(&source) {
                Ok(ast) => (ast, None),
                Err(fault) => (AST::empty(), Some(fault)),
            };
            let law = registry.laws.len();
            let ast = Arc::new(ast);
            let mut declared = Declared::default();
            let mut functions = Vec::new();
            if fault.is_none() {
                match engine::declare(stage, law, &ast) {
                    Ok(declaring) => (declared, functions) = (declaring.declared, declaring.functions),
                    Err(why) => fault = Some(why),
                }
            }
            registry.laws.push(Law { rule, label, source, ast, declared, fault, rests: Vec::new() });
            registry.take(law, functions);
        }
        registry
    }

    /// Puts the functions of a law in their places.
    fn take(&mut self, law: usize, functions: Vec<(Hook, Function)>) {
        let declared = self.laws[law].declared.clone();
        self.kinds.extend(declared.kinds.iter().cloned());
        for (kind, class) in &declared.classes {
            self.classes.entry(class.clone()).or_default().insert(kind.as_str().into());
        }
        for attr in declared.attrs.iter().filter(|attr| !attr.gone.is_empty()) {
            for kind in attr.of.split(kernel::world::SCOPES) {
                self.gone.insert((attr.name.clone(), kind.to_owned()), attr.gone.clone());
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

    /// The kinds that a word means: a kind, or all that are of a class.
    pub(crate) fn kinds_of(&self, word: &str) -> Option<Vec<Id>> {
        let mut kinds: BTreeSet<Id> = self.classes.get(word).cloned().unwrap_or_default();
        if self.kinds.contains(word) || self.native.contains(word) {
            kinds.insert(word.into());
        }
        (!kinds.is_empty()).then(|| kinds.into_iter().collect())
    }

    /// Whether an object of a kind is also of a kind or a class.
    pub(crate) fn is_a(&self, kind: &str, word: &str) -> bool {
        kind == word || self.classes.get(word).is_some_and(|kinds| kinds.contains(kind))
    }
}
