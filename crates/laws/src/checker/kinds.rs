//! What a value of a script is, as far as that is known without running it.

use rhai::Dynamic;

use kernel::{
    Id,
    world::{Range, SCOPES},
};

use super::super::values::as_object;

/// What a value is, as far as that is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Is {
    Anything,
    Nothing,
    Number,
    Text,
    Truth,
    Moment,
    Map,
    /// A map with known members, by the name of what gives it.
    Row(&'static str),
    /// An object of one of these kinds.
    Object(Vec<Id>),
    List(Box<Is>),
    /// What an act is done with.
    Given,
}

impl Is {
    pub(super) fn list(of: Self) -> Self {
        Self::List(Box::new(of))
    }

    pub(super) fn article(&self) -> Self {
        match self {
            Self::List(of) => (**of).clone(),
            _ => Self::Anything,
        }
    }

    /// What is this, or that.
    pub(super) fn or(self, other: Self) -> Self {
        match (self, other) {
            (one, other) if one == other => one,
            (Self::List(one), Self::List(other)) => Self::list(one.or(*other)),
            (Self::Nothing, is) | (is, Self::Nothing) => is,
            _ => Self::Anything,
        }
    }

    pub(super) fn of_range(range: &Range) -> Self {
        match range {
            Range::Any => Self::Anything,
            Range::Bool => Self::Truth,
            Range::Num { .. } => Self::Number,
            Range::Text | Range::OneOf(_) => Self::Text,
            Range::Ref(kinds) => Self::Object(kinds.split(SCOPES).map(Id::from).collect()),
            Range::Time => Self::Moment,
            Range::List { of, .. } => Self::list(Self::of_range(of)),
        }
    }

    /// What a function captured.
    pub(super) fn of_value(held: &Dynamic) -> Self {
        if held.is_int() {
            Self::Number
        } else if held.is_string() {
            Self::Text
        } else if held.is_bool() {
            Self::Truth
        } else if as_object(held).is_some() || !(held.is_array() || held.is_map()) {
            Self::Anything
        } else if held.is_map() {
            Self::Map
        } else {
            Self::list(Self::Anything)
        }
    }

    /// Whether such a value may stand in a range.
    pub(super) fn fits(&self, range: &Range) -> bool {
        match (self, range) {
            (Self::Anything | Self::Nothing, _) | (_, Range::Any) => true,
            (Self::Object(is), Range::Ref(kinds)) => {
                is.is_empty() || is.iter().any(|is| kinds.split(SCOPES).any(|kind| **is == *kind))
            }
            (Self::List(is), Range::List { of, .. }) => is.fits(of),
            (is, range) => *is == Self::of_range(range),
        }
    }

    pub(super) fn words(&self) -> &'static str {
        match self {
            Self::Number => "a number",
            Self::Text => "a text",
            Self::Truth => "yes or no",
            Self::Moment => "a moment",
            Self::Map | Self::Row(_) => "a map",
            Self::Object(_) => "an object",
            Self::List(_) => "a list",
            Self::Anything | Self::Nothing | Self::Given => "something else",
        }
    }

    /// What an attribute holds, in words.
    pub(super) fn words_within(&self) -> String {
        match self {
            Self::List(of) if **of != Self::Anything => format!("a list, each {}", of.words()),
            other => other.words().to_owned(),
        }
    }
}

/// What maps hold that natives give.
const ROWS: [(&str, &[&str]); 5] = [
    ("votes", &["cast", "yes", "no", "rest", "share", "sum", "ayes", "noes", "voters", "missing", "most", "words"]),
    ("cast", &["by", "vote", "mark", "at", "revision", "weight"]),
    ("vote_of", &["by", "vote", "mark", "at", "revision"]),
    ("foresee", &["why", "directives", "prose", "rules", "figures", "begins", "ends", "ways", "rulebook"]),
    ("rules", &["rule", "number", "title", "what", "words", "sets"]),
];

/// The members of a map that a native gives.
pub(super) fn members(row: &str) -> &'static [&'static str] {
    ROWS.iter().find(|(name, _)| *name == row).map_or(&[], |(_, members)| members)
}

/// What a member of such a map is.
pub(super) fn member_of(row: &str, name: &str) -> Is {
    match (row, name) {
        ("votes", "cast") => Is::list(Is::Row("cast")),
        ("foresee", "rules") => Is::list(Is::Row("rules")),
        ("votes", "words") => Is::Map,
        ("votes", "yes" | "no" | "rest" | "share" | "sum") => Is::Number,
        (_, "weight" | "revision" | "directives" | "number") => Is::Number,
        (_, "mark" | "why" | "title" | "what") => Is::Text,
        (_, "prose") => Is::Truth,
        (_, "at") => Is::Moment,
        _ => Is::Anything,
    }
}

/// What an operator gives.
pub(super) fn operated(name: &str, given: &[Is]) -> Is {
    match name {
        "==" | "!=" | "<" | ">" | "<=" | ">=" | "!" | "in" | "!in" | "contains" => Is::Truth,
        ".." | "..=" => Is::list(Is::Number),
        "+" if given.contains(&Is::Text) => Is::Text,
        _ if !given.is_empty() && given.iter().all(|is| *is == Is::Number) => Is::Number,
        _ => Is::Anything,
    }
}
