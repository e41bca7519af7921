//! What an expression sees of one state of a room, in the words of its game.
//!
//! It looks and changes nothing. Where a text was posted, its names mean what they meant then.

use std::{
    collections::BTreeMap,
    sync::{Arc, OnceLock},
};

use super::{
    expr::evaluate,
    setting::Posted,
    sight::{RULE, Sight, rule_object},
    syntax::unquote,
    wording::{after, bare, exact_key, folded},
    words,
    words::Lawful,
};
use crate::Id;
use crate::Instant;
use crate::Path;
use crate::Refusal;
use crate::State;
use crate::Value;
use crate::rulebook::{Keys, Rule, Rulebook};
use crate::world::{AttrDef, Range, World};

/// What a text means by names: those that rules and objects bore when it was posted. A rule that was renumbered or
/// retitled since is still the one that is meant.
#[derive(Clone, Debug)]
pub(super) struct Meant {
    /// What it was posted on.
    pub(super) posted: Posted,
    /// The rules that the text itself has touched so far; `None` for those that it brought about.
    pub(super) touched: BTreeMap<Id, Option<u32>>,
}

impl Meant {
    /// The rule in force that some words mean.
    ///
    /// # Errors
    ///
    /// Where none or several are called so, and where the one that is meant is gone.
    pub(super) fn rule<'a>(&self, words: &str, now: &'a Rulebook) -> Result<&'a Rule, Refusal> {
        let today = now.find(words);
        if let Ok(rule) = today
            && self.touched.get(rule.id()) == Some(&None)
            && folded(rule.title()) == folded(words)
        {
            return Ok(rule);
        }
        let Ok(then) = self.posted.rules.find(words) else { return today };
        match now.in_force(then.id()) {
            Some(rule) => Ok(rule),
            None if self.touched.contains_key(then.id()) => today,
            // The text stands as if it had been posted while the rule was not there.
            None if now.get(then.id()).is_some_and(Rule::is_taken_back) => today,
            None => Err(Refusal::new(format!(
                "“{}” was {} when this was posted, and that rule is no longer in force",
                words.trim(),
                then.label()
            ))
            .instead("rules")),
        }
    }

    /// The object of the rule that some words mean, where rules are objects here: `rule 7`, `rule "Mercy"`.
    pub(super) fn rule_object<G>(&self, words: &str, now: &State<G>) -> Option<Id> {
        let words = words.trim();
        let head = words.get(..RULE.len()).filter(|head| head.eq_ignore_ascii_case(RULE))?;
        let words = words[head.len()..].strip_prefix(char::is_whitespace)?;
        let rule = self.rule(unquote(words.trim()), &now.rules).ok()?;
        Some(rule_object(rule.id())).filter(|obj: &Id| now.world.exists(obj))
    }

    /// The object that some words mean: what was called so when the text was posted, else what is called so now.
    ///
    /// # Errors
    ///
    /// Where what was called so is gone, and where none or several are called so.
    pub(super) fn object<G: Lawful>(&self, words: &str, now: &State<G>) -> Result<Id, Refusal> {
        self.posted.object(words, &now.world).unwrap_or_else(|| G::find(now, words))
    }
}

/// One state of a room of a game.
pub struct Seen<G: Lawful> {
    state: State<G>,
    /// Gathered when somebody asks: most expressions name no figure.
    keys: OnceLock<Keys>,
    at: Instant,
    meant: Option<Meant>,
}

impl<G: Lawful> Seen<G> {
    /// A look at a state. A state is cheap to copy.
    pub fn new(state: &State<G>, at: Instant) -> Self {
        Self { state: state.clone(), keys: OnceLock::new(), at, meant: None }
    }

    /// The same look, with the names of rules as a text means them.
    pub(super) fn meaning(self, meant: Meant) -> Self {
        Self { meant: Some(meant), ..self }
    }

    /// Whether a value that an attribute of something may hold is the one it holds: `proposal 1 is Pending`. Nothing where
    /// the word is no value of any attribute of its.
    fn chosen(&self, word: &str, of: &Id) -> Option<bool> {
        let kind = self.state.world.kind(of)?;
        let is_value = |def: &&AttrDef| match &def.range {
            Range::OneOf(values) => values.iter().any(|value| folded(value) == word),
            _ => false,
        };
        let def = self.state.world.defs_for(kind).find(is_value)?;
        match self.value(&Path::new(of.clone(), def.id.clone())) {
            Value::Text(held) => Some(folded(&held) == word),
            _ => Some(false),
        }
    }
}

impl<G: Lawful> Sight for Seen<G> {
    fn world(&self) -> &World {
        &self.state.world
    }
    fn rules(&self) -> &Rulebook {
        &self.state.rules
    }
    fn rule(&self, words: &str) -> Result<&Rule, Refusal> {
        match &self.meant {
            Some(meant) => meant.rule(words, &self.state.rules),
            None => self.state.rules.find(words),
        }
    }
    fn keys(&self) -> &Keys {
        self.keys.get_or_init(|| Keys::of(G::mechanics().keys(&self.state), [&self.state.rules]))
    }
    fn now(&self) -> Instant {
        self.at
    }
    fn find(&self, words: &str) -> Result<Id, Refusal> {
        if let Some(meant) = self.meant.as_ref()
            && let Some(obj) = meant.rule_object(words, &self.state)
        {
            return Ok(obj);
        }
        match &self.meant {
            Some(meant) => meant.object(words, &self.state),
            None => G::find(&self.state, words),
        }
    }
    fn group(&self, words: &str) -> Option<Vec<Id>> {
        if let Some(group) = G::group(&self.state, bare(words)) {
            return Some(group);
        }
        if let Some(kind) = G::kind(&self.state, words) {
            return Some(G::members(&self.state, &kind));
        }
        let (is, property, kind) = adjective(words, |words| G::kind(&self.state, words))?;
        let attr = G::attribute(&self.state, &property, &kind)?;
        let def = self.state.world.def(&attr, &kind).filter(|def| def.range == Range::Bool)?;
        let has = |obj: &Id| G::value(&self.state, &Path::new(obj.clone(), def.id.clone())) == Value::Bool(true);
        Some(G::members(&self.state, &kind).into_iter().filter(|obj| has(obj) == is).collect())
    }
    fn namesake(&self, words: &str) -> Option<Id> {
        G::namesake(&self.state, words)
    }
    fn applies(&self, words: &str, to: &Id) -> Option<bool> {
        let folded = folded(after(words, &["a ", "an ", "the "]).unwrap_or(words));
        if self.namesake(&folded).is_some() {
            return None;
        }
        let (is, adjective) = match folded.strip_prefix("non ") {
            Some(rest) => (false, rest),
            None if folded == "off" => (false, "on"),
            None => (true, &*folded),
        };
        let property = self.attribute(adjective, to).map(|attr| self.value(&Path::new(to.clone(), attr)));
        match property {
            Some(Value::Bool(has)) => Some(has == is),
            _ => (self.group(&folded).map(|group| group.contains(to)))
                .or_else(|| self.chosen(adjective, to).map(|chosen| chosen == is)),
        }
    }
    fn constant(&self, words: &str) -> Option<Value> {
        G::constant(&self.state, words)
    }
    fn attribute(&self, words: &str, of: &Id) -> Option<Id> {
        G::attribute(&self.state, words, self.state.world.kind(of)?)
    }
    fn value(&self, at: &Path) -> Value {
        G::value(&self.state, at)
    }
    fn called(&self, obj: &Id) -> String {
        G::called(&self.state, obj)
    }
    fn word(&self, words: &str) -> Option<Value> {
        G::word(&self.state, words)
    }
}

/// An adjective before a kind, and whether it is meant or its negation: `active player`, `non-vested players`.
fn adjective(words: &str, kind: impl Fn(&str) -> Option<Id>) -> Option<(bool, String, Id)> {
    let words = folded(words);
    let words = words.strip_prefix("every ").unwrap_or(&words);
    let (is, words) = words.strip_prefix("non ").map_or((true, words), |words| (false, words));
    let cuts = words.match_indices(' ').map(|(at, _)| (&words[..at], &words[at + 1..]));
    cuts.into_iter().find_map(|(property, rest)| Some((is, property.to_owned(), kind(rest)?)))
}

/// Whether words mean something in directives already, whoever is called so: a group, a figure, an attribute, an office,
/// a number, a list of several.
pub fn spoken_for<G: Lawful>(state: &State<G>, words: &str) -> bool {
    let wanted = folded(words);
    state.world.defs().any(|def| folded(&def.id) == wanted) || is_figure(state, words) || spoken_otherwise(state, words)
}

fn is_figure<G: Lawful>(state: &State<G>, words: &str) -> bool {
    let sight: Arc<dyn Sight> = Arc::new(Seen::new(state, state.at));
    exact_key(sight.keys(), words).is_some()
}

/// The same but for attributes: another kind may have one of the name, and a figure has nobody whose it is.
pub fn spoken_otherwise<G: Lawful>(state: &State<G>, words: &str) -> bool {
    let wanted = folded(words);
    let several = words.contains(',') || wanted.split(' ').any(|word| word == "and");
    let own = matches!(wanted.as_str(), "it" | "self" | "themself" | "themselves");
    let sight: Arc<dyn Sight> = Arc::new(Seen::new(state, state.at));
    // Another's seat is no word of directives: that two names are alike is told elsewhere.
    let means = match evaluate(&sight, words) {
        Ok(Value::Ref(obj)) if words::yields(state, &obj) => false,
        Ok(Value::Ref(obj)) => state.frame.seats.get(&obj).is_none_or(|seat| folded(&seat.name) != wanted),
        Ok(_) => true,
        Err(_) => false,
    };
    several || own || (means && !is_figure(state, words))
}
