//! What an expression can see: a room, and nothing that could change it.
//!
//! The words of an expression mean something only in a room: who is called Ann, what power is, which rule gives the
//! hours. An expression asks a [`Sight`], which answers from one state of one room. Time passes for no expression: `now` is
//! the instant that the sight was made for.

use super::wording::folded;
use crate::Id;
use crate::Instant;
use crate::Num;
use crate::Path;
use crate::Refusal;
use crate::Value;
use crate::rulebook::{Keys, Live, LiveKey, NumKind, Rule, Rulebook};
use crate::world::World;

/// The kind that a rule has where an expression speaks of it: `rule/time-out`.
pub const RULE: &str = "rule";

/// The object of a rule, by the id of the rule.
pub fn rule_object(rule: &str) -> Id {
    format!("{RULE}/{rule}").into()
}

/// The id of the rule whose object something is.
pub fn rule_of(obj: &str) -> Option<&str> {
    obj.strip_prefix(RULE)?.strip_prefix('/')
}

/// A room to look at.
pub trait Sight: Send + Sync {
    /// Objects, attributes and values.
    fn world(&self) -> &World;
    /// The rules.
    fn rules(&self) -> &Rulebook;
    /// The rule in force that some words mean.
    ///
    /// # Errors
    ///
    /// Where none or several are called so.
    fn rule(&self, words: &str) -> Result<&Rule, Refusal> {
        self.rules().find(words)
    }
    /// The figures that the game plays by.
    fn keys(&self) -> &Keys;
    /// The instant as of which it looks.
    fn now(&self) -> Instant;
    /// The object that some words name.
    ///
    /// # Errors
    ///
    /// Where none or several are called so.
    fn find(&self, words: &str) -> Result<Id, Refusal>;
    /// The objects of a group.
    fn group(&self, words: &str) -> Option<Vec<Id>>;
    /// The one object that the word of a group means by itself.
    fn namesake(&self, words: &str) -> Option<Id>;
    /// Whether words apply to an object: the adjective of a property, or the word of a group; `None` where they are neither.
    fn applies(&self, words: &str, to: &Id) -> Option<bool>;
    /// A value that some words are, where nobody and nothing is called so.
    fn constant(&self, words: &str) -> Option<Value>;
    /// The attribute of an object that some words name.
    fn attribute(&self, words: &str, of: &Id) -> Option<Id>;
    /// A value.
    fn value(&self, at: &Path) -> Value;
    /// What players call an object.
    fn called(&self, obj: &Id) -> String;
    /// A word that only this game knows.
    fn word(&self, words: &str) -> Option<Value>;
}

/// A figure of the rules as a value.
///
/// # Errors
///
/// Where no rule gives it, or what one gives cannot be read.
pub(super) fn figure(sight: &dyn Sight, key: &LiveKey) -> Result<Value, Refusal> {
    let rules = sight.rules();
    match key.kind {
        NumKind::Name | NumKind::Word(_) | NumKind::Weekdays => rules.need_name(key).map(Value::Text),
        NumKind::List => Ok(Value::List(rules.need_list(key)?.into_iter().map(Value::Num).collect())),
        NumKind::Instant => match rules.live_instant(key) {
            Live::Is { value, .. } => Ok(Value::Time(value)),
            other => rules.demand(key, other).map(Value::Time),
        },
        _ => rules.need(key).map(Value::Num),
    }
}

/// Something that a rule can be asked for: its number, its title, its text, a field of its header.
pub fn of_rule(rule: &Rule, words: &str) -> Value {
    match folded(words).as_str() {
        "number" => Value::Num(i64::from(rule.number()).into()),
        "revision" => Value::Num(i64::from(rule.revision()).into()),
        "title" => Value::Text(rule.title().to_string()),
        "text" => Value::Text(rule.text().visible().to_string()),
        "in force" => Value::Bool(rule.in_force()),
        field => match rule.fields().iter().find(|(name, _)| folded(name) == field) {
            Some((_, value)) => value.parse::<Num>().map_or_else(|_| Value::Text(value.clone()), Value::Num),
            None => Value::Null,
        },
    }
}
