//! All laws in force: what each declares, and which function is called for what.
//!
//! Of two laws that give one name, that of the rule which takes precedence has it: the lower number. The other rests.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use kernel::{
    Id, Path, Refusal, Rows, Value,
    own_command::clash,
    rulebook::{LiveKey, Rule, Text},
    world::SCOPES,
};

use super::{
    declared::{ActDecl, AttrDecl, Declared, GAME, SUSPENDED, SUSPENDED_TOO, kind_id, letters},
    declaring::Hook,
    docket_decl::{self, BallotDecl, DocketDecl},
    fault::Fault,
    reads::{Read, ruled},
    run::Run,
    script::{Compiled, Function},
    stage::Stage,
    tables::Enacted,
};

pub use kernel::rulebook::book::LAW;

/// Longest name of an act, in bytes: one that Discord takes, head and word together.
pub(crate) const NAME_MAX_BYTES: usize = 32;

/// What the name of an act begins with that was refused.
pub(crate) const REFUSED: &str = "refused ";

/// What the name of a command begins with whose own name another rule has.
pub(crate) const OF_RULE: &str = "rule-";

/// What a command of a rule is called whose own name another rule has; nothing where that would be too long.
fn of_rule(number: u32, name: &str) -> Option<String> {
    let name = format!("{OF_RULE}{number} {}", name.replace(' ', "-"));
    (name.len() <= NAME_MAX_BYTES).then_some(name)
}

/// What a name that rests is reached by, where it is a command.
pub(crate) fn instead(law: &Enacted, number: u32, name: &str) -> Option<String> {
    of_rule(number, name).filter(|other| law.declared.acts.iter().any(|act| act.name == *other && !act.deed))
}

/// Says so, in a sentence behind another; empty where it is reached by nothing.
pub(crate) fn reached(law: &Enacted, number: u32, name: &str) -> String {
    instead(law, number, name).map_or_else(String::new, |other| format!(" It is reached as “⁅{other}⁆”."))
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
    /// The same as refusals name it.
    pub(crate) cited: String,
    /// Its rule by its number, as what it says is signed: no title of a player's stands in it.
    pub(crate) sign: String,
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
    pub(crate) whenever: Vec<Always>,
    /// Of several laws that give one condition each asks its own, and all others ask the first.
    pub(crate) conditions: BTreeMap<String, Vec<Function>>,
    pub(crate) displays: BTreeMap<String, (String, Function)>,
    /// Kinds of numbered documents that laws declare.
    pub(crate) dockets: BTreeMap<String, DocketDecl>,
    /// Votes on those, by the name of their command, each with the law that declares it.
    pub(crate) ballots: BTreeMap<String, Vec<(usize, BallotDecl)>>,
    /// The bodies of those commands.
    pub(crate) casts: BTreeMap<String, Function>,
    /// What dockets and ballots ask their laws for: by kind, name of the ballot, and what it is.
    pub(crate) options: BTreeMap<(String, String, String), Function>,
    /// What rules add to documents of a kind.
    pub(crate) beside: BTreeMap<(String, &'static str), Vec<Function>>,
    /// Kinds of objects that laws declare.
    pub(crate) kinds: BTreeSet<String>,
    /// Those of them whose objects have a law of their own.
    pub(crate) documents: BTreeSet<String>,
    /// Those whose objects hold directives.
    pub(crate) directives: BTreeSet<String>,
    /// What objects of a kind are as well: class to kinds.
    pub(crate) classes: BTreeMap<String, BTreeSet<Id>>,
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
    /// The objects that laws say there are.
    pub(crate) things: Vec<Id>,
    /// The figures that laws declare, by key.
    pub(crate) figures: BTreeMap<String, &'static LiveKey>,
    /// The attributes that the texts of rules define.
    pub(crate) ruled: Vec<AttrDecl>,
    /// What each law declares, as entries keep it.
    pub(crate) enacted: BTreeMap<Id, Enacted>,
    /// Other names of the game's acts, each with what laws call the act.
    pub(crate) aliases: BTreeMap<String, String>,
    /// What an act of a law is called whose own name another rule has: within its law its own name means it.
    pub(crate) renamed: BTreeMap<(usize, String), String>,
    /// Whether a follower hears of changes, and not of acts alone.
    pub(crate) hears_changes: bool,
    /// The laws without which rules could not be changed.
    pub(crate) lifelines: OnceLock<BTreeSet<usize>>,
    /// The rows of a room that say the same: it is worked out once.
    pub(crate) declared: Mutex<Option<Rows<Id, Enacted>>>,
}

/// What a function of a law is called for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Use {
    /// It is the body of an act.
    Act,
    /// It may alter an act.
    Change,
    /// It may bar an act or a change.
    Bar,
    /// It follows something.
    Follower,
    /// It makes a page.
    Display,
    /// A time has come, or something must always hold.
    Alone,
    /// Something must always hold of each object of a kind.
    Each,
}

/// Something that must always hold.
#[derive(Debug)]
pub(crate) struct Always {
    pub(crate) function: Function,
    /// Of which objects, each by itself: those of a kind that have these values.
    pub(crate) of: Option<(String, BTreeMap<String, Value>)>,
    /// How it came to nothing, of each object: it does again where all that it read is the same.
    pub(crate) idle: Mutex<BTreeMap<Option<Id>, Arc<Idle>>>,
}

impl Always {
    /// What it is called for, and of which kind of objects.
    fn used(&self) -> (Use, &str, &Function) {
        match &self.of {
            Some((kind, _)) => (Use::Each, kind, &self.function),
            None => (Use::Alone, "", &self.function),
        }
    }

    /// What it must hold of now, each by itself: objects, or nothing in particular.
    pub(crate) fn about(&self, stage: &mut dyn Stage, run: &mut Run) -> Vec<Option<Id>> {
        let Some((kind, with)) = &self.of else { return vec![None] };
        let registry = run.registry.clone();
        let mut found = Vec::new();
        for kind in registry.kinds_of(stage, kind).unwrap_or_default() {
            let mut by_value = with.iter().find_map(|(attr, is)| run.index.find(stage, &registry, &kind, attr, is));
            found.extend(by_value.take().map_or_else(|| stage.members(&kind), |found| found.objects));
        }
        let has = |obj: &Id| with.iter().all(|(attr, is)| stage.value(&Path::new(obj.clone(), attr.as_str())) == *is);
        found.retain(has);
        stage.world().by_age(found).into_iter().map(Some).collect()
    }
}

/// How something came to nothing.
#[derive(Debug)]
pub(crate) struct Idle {
    /// All that it read.
    pub(crate) reads: Vec<Read>,
    /// How many operations it took, beside those for the index.
    pub(crate) operations: u64,
    /// The functions that ran, by rule and by what each is called for, with the rule's revision then.
    pub(crate) ran: BTreeMap<(Id, String), u32>,
}

/// The law that stands in a text; nothing where none does.
pub(crate) fn law_in(text: &Text) -> Option<&str> {
    laws_in(text).next()
}

pub(crate) use kernel::rulebook::book::laws_in;

/// The law that stands in a rule; nothing where none does, or where people do what the rule says.
pub fn law_of(rule: &Rule) -> Option<&str> {
    law_in(rule.text()).filter(|_| !rule.played().by_hand)
}

/// What happens to objects of a kind, by the id of the kind: `new field-object`.
fn happening(name: &str) -> String {
    if let Some(kind) = name.strip_prefix("new ") {
        return format!("new {}", kind_id(kind));
    }
    match name.strip_prefix("change of ").and_then(|rest| rest.rsplit_once(" of ")) {
        Some((attr, kind)) => format!("change of {attr} of {}", kind_id(kind)),
        None => name.to_owned(),
    }
}

impl Registry {
    /// What a law signs with.
    pub(crate) fn sign(&self, law: usize) -> String {
        self.laws.get(law).map(|law| law.sign.clone()).unwrap_or_default()
    }

    /// What the law of a rule signs with.
    pub(crate) fn sign_of(&self, rule: &Id) -> String {
        self.laws.iter().find(|law| law.rule == *rule).map(|law| law.sign.clone()).unwrap_or_default()
    }

    /// Takes in which kinds, classes and figures the law of a rule declares.
    pub(crate) fn learn(&mut self, declared: &Declared, rule: Option<&Rule>) {
        self.kinds.extend(declared.kinds.iter().cloned());
        for key in declared.figures.iter().flat_map(|figure| rule.map(|rule| figure.live(rule)).unwrap_or_default()) {
            self.figures.entry(key.typed().to_owned()).or_insert(key);
        }
        self.documents.extend(declared.documents.iter().cloned());
        self.directives.extend(declared.changes.iter().cloned());
        if declared.attrs.iter().any(|attr| attr.of.split(SCOPES).any(|kind| kind == GAME)) {
            self.kinds.insert(GAME.to_owned());
        }
        for (kind, class) in &declared.classes {
            self.classes.entry(class.clone()).or_default().insert(kind.as_str().into());
        }
    }

    /// Puts the functions of a law in their places.
    pub(crate) fn take(&mut self, stage: &dyn Stage, law: usize, mut functions: Vec<(Hook, Function)>) {
        // Its bars and followers may stand before the act that they are of.
        functions.sort_by_key(|(hook, _)| !matches!(hook, Hook::Act(_)));
        let declared = self.laws[law].declared.clone();
        for attr in &declared.attrs {
            let kinds: Vec<String> = attr.of.split(SCOPES).flat_map(|of| self.classed(of)).collect();
            for kind in kinds {
                let key = (attr.name.clone(), kind);
                if !attr.gone.is_empty() {
                    self.gone.insert(key.clone(), attr.gone.clone());
                }
                if let Some((count, letters, _)) = letters(&attr.range) {
                    self.letters.insert(key.clone(), (count, letters));
                }
                if !attr.nothing.is_empty() {
                    self.nothing.insert(key, attr.nothing.clone());
                }
            }
        }
        for (hook, function) in functions {
            let hook = match hook {
                Hook::Change(name) => Hook::Change(self.heard_as(law, &name).to_owned()),
                Hook::Forbid(name, why) => Hook::Forbid(happening(self.heard_as(law, &name)), why),
                Hook::After(name) => Hook::After(self.followed(law, &name)),
                other => other,
            };
            match hook {
                Hook::Act(name) => {
                    let Some(act) = declared.acts.iter().find(|act| act.name == name).cloned() else { continue };
                    match self.has(stage, &act) {
                        true => self.rests(stage, law, act, function),
                        false => drop(self.acts.insert(name, (act, function))),
                    }
                }
                Hook::Change(name) => self.changes.entry(name).or_default().push(function),
                Hook::Forbid(name, why) => self.bars.entry(name).or_default().push((function, why)),
                Hook::After(name) => self.followers.entry(name).or_default().push(function),
                Hook::At(name, on) => self.moments.entry(name).or_default().push((function, on)),
                Hook::Cast(name) => {
                    self.casts.entry(name).or_insert(function);
                }
                Hook::Option(kind, name, what) => {
                    self.options.entry((kind, name, what)).or_insert(function);
                }
                Hook::Beside(kind, what) => self.beside.entry((kind, what)).or_default().push(function),
                Hook::Speaks(kind) => {
                    self.speakers.entry(kind).or_insert(function);
                }
                Hook::Whenever(of) => self.whenever.push(Always { function, of, idle: Mutex::default() }),
                Hook::Condition(name) => {
                    if self.conditions.contains_key(&name) {
                        self.laws[law].rests.push(name.clone());
                    }
                    self.conditions.entry(name).or_default().push(function);
                }
                Hook::Display(name) => match self.displays.contains_key(&name) || stage.has_display(&name) {
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

    /// Adds the commands by which documents are voted on: one for all ballots of a name.
    pub(crate) fn open_ballots(&mut self, stage: &dyn Stage) {
        for law in 0..self.laws.len() {
            for docket in self.laws[law].declared.dockets.clone() {
                self.dockets.entry(docket.kind.clone()).or_insert(docket);
            }
        }
        for law in 0..self.laws.len() {
            for mut ballot in self.laws[law].declared.ballots.clone() {
                let asks = (ballot.kind.clone(), ballot.name.clone(), docket_decl::ON.to_owned());
                if ballot.on.is_empty() && !self.options.contains_key(&asks) {
                    ballot.on = self.dockets.get(&ballot.kind).map(|docket| docket.open.clone()).unwrap_or_default();
                }
                let all = self.ballots.entry(ballot.name.clone()).or_default();
                if all.iter().all(|(_, known)| known.kind != ballot.kind) {
                    all.push((law, ballot));
                }
            }
        }
        let names: Vec<String> = self.ballots.keys().cloned().collect();
        for name in names {
            let all = &self.ballots[&name];
            let (act, law) = (docket_decl::act(&name, all.iter().map(|(_, ballot)| ballot)), all[0].0);
            let Some(function) = self.casts.get(&name).cloned() else { continue };
            match self.has(stage, &act) {
                true => self.laws[law].rests.push(name),
                false => drop(self.acts.insert(name, (act, function))),
            }
        }
    }

    /// An act whose name another law or the program has: where a law has it, players reach this one by its rule's number.
    fn rests(&mut self, stage: &dyn Stage, law: usize, act: ActDecl, function: Function) {
        let other = of_rule(self.laws[law].number, &act.name).filter(|_| act.deed || !stage.is_taken(&act.name));
        self.laws[law].rests.push(act.name.clone());
        let Some(other) = other else { return };
        if let Some(declared) = self.laws[law].declared.acts.iter_mut().find(|declared| declared.name == act.name) {
            declared.name.clone_from(&other);
        }
        if self.counted.contains(&act.name) {
            self.counted.insert(other.clone());
        }
        self.renamed.insert((law, act.name.clone()), other.clone());
        self.acts.insert(other.clone(), (ActDecl { name: other, ..act }, function));
    }

    /// The functions of a law that something calls, each with what for, and by what name.
    pub(crate) fn uses(&self, law: usize) -> Vec<(Use, &str, &Function)> {
        fn named(is: Use, all: &BTreeMap<String, Vec<Function>>) -> impl Iterator<Item = (Use, &str, &Function)> {
            all.iter().flat_map(move |(name, all)| all.iter().map(move |function| (is, name.as_str(), function)))
        }
        let acts = self.acts.iter().map(|(name, (_, body))| (Use::Act, name.as_str(), body));
        let bars =
            self.bars.iter().flat_map(|(name, all)| all.iter().map(move |(bar, _)| (Use::Bar, name.as_str(), bar)));
        let displays = self.displays.iter().map(|(name, (_, shows))| (Use::Display, name.as_str(), shows));
        let moments = self.moments.values().flatten().map(|(function, _)| function);
        acts.chain(named(Use::Change, &self.changes))
            .chain(bars)
            .chain(named(Use::Follower, &self.followers))
            .chain(displays)
            .chain(moments.map(|function| (Use::Alone, "", function)))
            .chain(self.whenever.iter().map(Always::used))
            .filter(|(.., function)| function.law == law)
            .collect()
    }

    /// Whether an object is a numbered document of a law, or was one.
    pub(crate) fn is_docketed(&self, obj: &str) -> bool {
        self.dockets.contains_key(obj.split('/').next().unwrap_or_default())
    }

    /// The rule whose law has an act.
    pub(crate) fn rule_of(&self, act: &str) -> Option<&Id> {
        let (_, function) = self.acts.get(act)?;
        Some(&self.laws.get(function.law)?.rule)
    }

    /// Whether another law or the program has the name of an act.
    fn has(&self, stage: &dyn Stage, act: &ActDecl) -> bool {
        let is_typed = |name: &String| self.acts.get(name).is_some_and(|(known, _)| !known.deed);
        let clashes = |name: &String| is_typed(name) && clash(name, &act.name);
        self.acts.contains_key(&act.name) || (!act.deed && (stage.is_taken(&act.name) || self.acts.keys().any(clashes)))
    }

    /// What everybody calls something that a law names: its own act, or what the game has by any name of it.
    pub(crate) fn heard_as<'n>(&'n self, law: usize, name: &'n str) -> &'n str {
        let own = self.renamed.get(&(law, name.to_owned()));
        own.or_else(|| self.aliases.get(name)).map_or(name, String::as_str)
    }

    /// The same of what a law follows, also where that is refused.
    fn followed(&self, law: usize, name: &str) -> String {
        match name.strip_prefix(REFUSED) {
            Some(act) => format!("{REFUSED}{}", happening(self.heard_as(law, act))),
            None => happening(self.heard_as(law, name)),
        }
    }

    /// What follows something, in the order of the rules.
    pub(crate) fn following(&self, name: &str) -> Vec<&Function> {
        self.in_order(self.followers.get(name).into_iter().flatten().collect())
    }

    /// Several functions, of which some have a rank, by that and by the numbers of their rules.
    fn in_order<'f>(&self, mut functions: Vec<&'f Function>) -> Vec<&'f Function> {
        if functions.iter().any(|function| function.rank.is_some()) {
            functions.sort_by_key(|function| self.rank(function));
        }
        functions
    }

    /// Puts what must always hold in its order.
    pub(crate) fn rank_all(&mut self) {
        if self.whenever.iter().any(|always| always.function.rank.is_some()) {
            let mut whenever = std::mem::take(&mut self.whenever);
            whenever.sort_by_key(|always| self.rank(&always.function));
            self.whenever = whenever;
        }
    }

    fn rank(&self, function: &Function) -> i64 {
        function.rank.unwrap_or_else(|| self.laws.get(function.law).map_or(0, |law| law.number.into()))
    }

    /// What is done when these times have come, each with its number, in the order of the rules.
    pub(crate) fn at(&self, times: &[(&'static str, i64)]) -> Vec<&Function> {
        let of = |(time, number): &(&str, i64)| {
            let all = self.moments.get(*time).into_iter().flatten();
            let wanted = all.filter(|(_, on)| on.is_empty() || on.contains(number));
            wanted.map(|(function, _)| function).collect::<Vec<_>>()
        };
        let mut functions: Vec<_> = times.iter().flat_map(of).collect();
        functions.sort_by_key(|function| (function.law, function.place));
        self.in_order(functions)
    }

    /// The condition of a name that a law asks: its own, or that of the strongest rule.
    pub(crate) fn condition(&self, law: usize, name: &str) -> Option<&Function> {
        let all = self.conditions.get(name)?;
        all.iter().find(|function| function.law == law).or_else(|| all.first())
    }

    /// Whether the rows of a room say what these laws declare.
    pub(crate) fn is_declared(&self, rows: &Rows<Id, Enacted>) -> bool {
        let mut declared = self.declared.lock().unwrap_or_else(PoisonError::into_inner);
        if declared.as_ref().is_some_and(|known| known.ptr_eq(rows)) {
            return true;
        }
        let same = self.enacted.len() == rows.len()
            && rows.iter().all(|(id, law)| self.enacted.get(id).is_some_and(|is| is.says(law)));
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
        let word = kind_id(word);
        if word.contains(SCOPES) {
            let all: Vec<Vec<Id>> = word.split(SCOPES).map(&named).collect::<Option<_>>()?;
            return Some(all.concat());
        }
        named(&word).or_else(|| named(word.strip_suffix('s')?))
    }

    /// The scope of attributes of what a word means: whoever is suspended is an object of the kind of players.
    pub(crate) fn scope(&self, stage: &dyn Stage, word: &str) -> Option<Id> {
        let all: Vec<Vec<Id>> =
            kind_id(word).split(SCOPES).map(|kind| self.kinds_of(stage, kind)).collect::<Option<_>>()?;
        let mut kinds: Vec<Id> = Vec::new();
        for kind in all.into_iter().flatten() {
            let kind = if *kind == *SUSPENDED { stage.player().into() } else { kind };
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        Some(kinds.join(SCOPES).into())
    }

    /// Whether somebody may do an act.
    ///
    /// # Errors
    ///
    /// For whom it is.
    pub(crate) fn may(&self, stage: &dyn Stage, act: &ActDecl, by: Option<&Id>) -> Result<(), Refusal> {
        let who = if act.who.is_empty() { "player" } else { &act.who };
        if who == "anybody" {
            return Ok(());
        }
        let Some(by) = by else { return stage.plays(None) };
        let kinds = self.kinds_of(stage, who).unwrap_or_default();
        let is = kinds.iter().any(|kind| stage.members(kind).contains(by));
        if is || stage.holders(who).contains(by) {
            return Ok(());
        }
        let who = who.strip_suffix(SUSPENDED_TOO).unwrap_or(who);
        if !kinds.is_empty() {
            stage.plays(Some(by))?;
            return Err(Refusal::new(format!("that is for a {who} alone")));
        }
        let holders: Vec<String> = stage.holders(who).iter().map(|one| stage.called(one)).collect();
        let ask =
            if holders.is_empty() { "there is none now".to_owned() } else { format!("ask {}", holders.join(", ")) };
        Err(Refusal::new(format!("that is for the {who} alone; {ask}")))
    }

    /// Whether a rule, or the game itself, defines an attribute for a kind for which a document would define it: what everybody
    /// has is no document's to say.
    pub(crate) fn is_ruled(&self, stage: &dyn Stage, attr: &AttrDecl) -> bool {
        let of = |scope: &str| {
            let kinds =
                scope.split(SCOPES).flat_map(|kind| self.kinds_of(stage, kind).unwrap_or_else(|| vec![kind.into()]));
            kinds.collect::<BTreeSet<Id>>()
        };
        let kinds = of(&attr.of);
        let shares = |scope: &str| !of(scope).is_disjoint(&kinds);
        self.ruled.iter().any(|ruled| ruled.name == attr.name && shares(&ruled.of))
            || ruled(stage, &attr.name).iter().any(|scope| shares(scope))
    }

    /// Whether an object of a kind is also of a kind or a class.
    pub(crate) fn is_a(&self, kind: &str, word: &str) -> bool {
        kind_id(word)
            .split(SCOPES)
            .any(|word| kind == word || self.classes.get(word).is_some_and(|kinds| kinds.contains(kind)))
    }
}
