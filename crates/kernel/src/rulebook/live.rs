//! Live figures: what the rules give at the moment of use.
//!
//! Between several rules that give a figure the game's precedence decides; in the deciding rule the first place does. A
//! figure that no rule gives stops its mechanic, and one that cannot be read or borne suspends it. Nothing is clamped,
//! and nothing has a default. Figures are declared in `keys`; the book keeps the index of places.

use std::{cmp::Ordering, ops::Range};

use super::{
    book::{Rule, Rulebook},
    keys::{Keys, LiveKey, NumKind},
    source::Span,
};
use crate::Id;
use crate::Instant;
use crate::Num;
use crate::Refusal;

/// A figure of the rules as it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Live<T> {
    /// The rules give it.
    Is {
        /// The figure.
        value: T,
        /// The rule that gives it.
        rule: Id,
        /// Where, in its visible text, in bytes; the first place of a list.
        at: Range<usize>,
    },
    /// No rule in force gives it.
    Absent,
    /// The rule that decides gives what cannot be read, or what the program cannot bear.
    Broken {
        /// That rule.
        rule: Id,
        /// What it says there.
        text: String,
        /// What is wrong with it, as a clause that begins with "it".
        why: String,
    },
}

impl<T> Live<T> {
    /// The figure, where the rules give it.
    pub fn ok(self) -> Option<T> {
        match self {
            Self::Is { value, .. } => Some(value),
            Self::Absent | Self::Broken { .. } => None,
        }
    }

    fn and_then<U>(self, text: impl FnOnce() -> String, with: impl FnOnce(T) -> Result<U, String>) -> Live<U> {
        match self {
            Self::Is { value, rule, at } => match with(value) {
                Ok(value) => Live::Is { value, rule, at },
                Err(why) => Live::Broken { rule, text: text(), why },
            },
            Self::Absent => Live::Absent,
            Self::Broken { rule, text, why } => Live::Broken { rule, text, why },
        }
    }
}

/// The order in which rules hold a figure: the first one decides.
fn as_held(_: &Rule, _: &Rule) -> Ordering {
    Ordering::Equal
}

impl Rulebook {
    /// A figure of the rules as they read now; of several rules that give it, the lowest numbered decides that does not
    /// yield on it.
    pub fn live(&self, key: &LiveKey) -> Live<Num> {
        self.live_by(key, as_held)
    }

    /// A figure of the rules as they read now, under a game's own precedence: `Less` comes first and decides.
    pub fn live_by(&self, key: &LiveKey, precedence: impl Fn(&Rule, &Rule) -> Ordering) -> Live<Num> {
        self.first(key, precedence, |rule, span| {
            (rule.text().shown(span).to_owned(), key.read(rule.text().shown(span)))
        })
    }

    /// A whole figure that is not negative.
    pub fn live_count(&self, key: &LiveKey) -> Live<u64> {
        let live = self.live(key);
        let shown = live.clone().ok().map(|value| value.to_string()).unwrap_or_default();
        live.and_then(|| shown, |value| value.to_u64().ok_or_else(|| "it is not a count".to_owned()))
    }

    /// A list of figures: all numerals of all places with the key in the rule that decides.
    pub fn live_list(&self, key: &LiveKey) -> Live<Vec<Num>> {
        self.first(key, as_held, |rule, _| {
            let shown: Vec<&str> = rule.places(key.key).map(|span| rule.text().shown(span)).collect();
            let read: Result<Vec<Vec<Num>>, String> = shown.iter().map(|text| key.read_list(text)).collect();
            (shown.join(" "), read.map(|lists| lists.concat()))
        })
    }

    /// A name or a word that the rules give.
    pub fn live_name(&self, key: &LiveKey) -> Live<String> {
        self.first(key, as_held, |rule, span| {
            (rule.text().shown(span).to_owned(), key.read_name(rule.text().shown(span)))
        })
    }

    /// A moment that the rules give.
    pub fn live_instant(&self, key: &LiveKey) -> Live<Instant> {
        self.live(key).and_then(String::new, |seconds| {
            let instant = seconds.to_i64().and_then(|seconds| Instant::from_second(seconds).ok());
            instant.ok_or_else(|| "it is not a moment".to_owned())
        })
    }

    /// A figure that an action needs.
    ///
    /// # Errors
    ///
    /// A refusal that says why there is none and what stops.
    pub fn need(&self, key: &LiveKey) -> Result<Num, Refusal> {
        self.demand(key, self.live(key))
    }

    /// A count that an action needs.
    ///
    /// # Errors
    ///
    /// A refusal that says why there is none and what stops.
    pub fn need_count(&self, key: &LiveKey) -> Result<u64, Refusal> {
        self.demand(key, self.live_count(key))
    }

    /// A list that an action needs.
    ///
    /// # Errors
    ///
    /// A refusal that says why there is none and what stops.
    pub fn need_list(&self, key: &LiveKey) -> Result<Vec<Num>, Refusal> {
        self.demand(key, self.live_list(key))
    }

    /// A name that an action needs.
    ///
    /// # Errors
    ///
    /// A refusal that says why there is none and what stops.
    pub fn need_name(&self, key: &LiveKey) -> Result<String, Refusal> {
        self.demand(key, self.live_name(key))
    }

    /// The wording of a hinge. Where no rule gives one that it has, it is the first, as its declaration says by what is
    /// `absent`. So rules that were written before the hinge are played as they were.
    pub fn wording(&self, key: &LiveKey) -> &'static str {
        let NumKind::Word(wordings) = key.kind else { return "" };
        let given = self.live_name(key).ok();
        let known = wordings.iter().find(|wording| given.as_deref() == Some(**wording));
        known.or(wordings.first()).copied().unwrap_or_default()
    }

    /// Turns a missing figure into the refusal of an action that needs it.
    ///
    /// # Errors
    ///
    /// A refusal that says why there is none and what stops.
    pub fn demand<T>(&self, key: &LiveKey, live: Live<T>) -> Result<T, Refusal> {
        let LiveKey { meaning, absent, .. } = key;
        match live {
            Live::Is { value, .. } => Ok(value),
            Live::Absent => Err(Refusal::new(format!("no rule gives the {meaning}, so {absent}"))),
            Live::Broken { rule, text, why } => {
                let say = format!("“{text}” cannot be the {meaning}: {why}; so {absent}");
                let label = self.get(&rule).map_or_else(|| rule.to_string(), Rule::label);
                Err(Refusal::new(say).by(label))
            }
        }
    }

    fn first<T>(
        &self,
        key: &LiveKey,
        precedence: impl Fn(&Rule, &Rule) -> Ordering,
        read: impl FnOnce(&Rule, &Span) -> (String, Result<T, String>),
    ) -> Live<T> {
        let rules = self.holders(key.key);
        let Some(rule) = rules.min_by(|a, b| precedence(a, b)) else { return Live::Absent };
        let Some(span) = rule.places(key.key).next() else { return Live::Absent };
        match read(rule, span) {
            (_, Ok(value)) => Live::Is { value, rule: rule.id().clone(), at: span.at.clone() },
            (text, Err(why)) => Live::Broken { rule: rule.id().clone(), text, why },
        }
    }

    /// Whether the rules give a figure as some words have it.
    pub fn gives(&self, key: &LiveKey, words: &str) -> bool {
        match key.kind {
            NumKind::Name | NumKind::Word(_) | NumKind::Weekdays => {
                self.live_name(key).ok().is_some_and(|name| key.read_name(words) == Ok(name))
            }
            NumKind::List => self.live_list(key).ok().is_some_and(|list| key.read_list(words) == Ok(list)),
            _ => self.live(key).ok().is_some_and(|number| key.read(words) == Ok(number)),
        }
    }

    /// The figures that another rulebook gives otherwise than this one, or only one of them gives.
    pub fn unlike(&self, other: &Self, keys: &Keys) -> Vec<&'static LiveKey> {
        let given = |rules: &Self, key: &LiveKey| match key.kind {
            NumKind::Name | NumKind::Word(_) | NumKind::Weekdays => rules.live_name(key).ok().map(|name| vec![name]),
            NumKind::List => rules.live_list(key).ok().map(|list| list.iter().map(Num::to_string).collect()),
            _ => rules.live(key).ok().map(|number| vec![number.to_string()]),
        };
        keys.iter().filter(|key| given(self, key) != given(other, key)).collect()
    }

    /// What is wrong with a game's figures as the rules read now: those that no rule gives and those that are broken.
    pub fn missing(&self, keys: &Keys) -> Vec<(&'static LiveKey, Live<()>)> {
        let mut found = Vec::new();
        for key in keys.iter() {
            let live = forgotten(self, key);
            if !matches!(live, Live::Is { .. }) {
                found.push((key, live));
            }
        }
        found
    }
}

/// Whether a figure of any kind is given, without what it is.
pub(super) fn forgotten(book: &Rulebook, key: &LiveKey) -> Live<()> {
    match key.kind {
        NumKind::Name | NumKind::Word(_) | NumKind::Weekdays => forget(book.live_name(key)),
        NumKind::List => forget(book.live_list(key)),
        _ => forget(book.live(key)),
    }
}

fn forget<T>(live: Live<T>) -> Live<()> {
    live.and_then(String::new, |_| Ok(()))
}
