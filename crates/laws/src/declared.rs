//! What a law declares, as data: it is written into the entry that brings the law into force.
//!
//! Folding and loading run no script. Commands, displays and attributes of a room are read from here alone.

use std::collections::BTreeMap;

use kernel::Value;
use serde::{Deserialize, Serialize};

use super::{
    documents::Part,
    engine::frozen,
    fault::{Given, faulty},
    limits::LAW_MAX_DECLARATIONS,
    registry::Function,
};

/// A command or a deed that a law adds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActDecl {
    /// Its name, of one word or more: `sock buy`.
    pub name: String,
    /// Whether nobody types it: laws and directives perform it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub deed: bool,
    /// What it takes, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub params: Vec<ParamDecl>,
    /// Who may do it: a kind, a class, an office, `anybody`; players where nothing is said.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub who: String,
    /// What it needs of others: `without 2 objections within 2 ndays`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub needs: String,
    /// How often: `once an nday`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub limit: String,
    /// Where: `public`, `private`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub forum: String,
    /// Whether it is sealed until its law opens it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub sealed: bool,
    /// Whether of sealed ones only the last of each doer is kept.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub keeps_last: bool,
    /// A line about it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub help: String,
    /// How it is typed, for example.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub examples: Vec<String>,
}

/// Something that an act takes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ParamDecl {
    /// Its name.
    pub name: String,
    /// Which values, in words: `whole number from 1 to 9`.
    pub range: String,
    /// Whether it may be left out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub optional: bool,
}

impl ParamDecl {
    /// Reads `name: range`, or `name?: range` where it may be left out.
    ///
    /// # Errors
    ///
    /// Where the words are none.
    pub(crate) fn read(words: &rhai::Dynamic) -> Given<Self> {
        let words = words.clone().into_string().unwrap_or_default();
        let Some((name, range)) = words.split_once(':') else {
            let why = format!("“{words}” is no parameter: “name: range”, as in “color: one of Blue, Black”");
            return Err(faulty(why));
        };
        let (name, optional) = match name.trim().strip_suffix('?') {
            Some(name) => (name, true),
            None => (name.trim(), false),
        };
        Ok(Self { name: name.to_owned(), range: range.trim().to_owned(), optional })
    }
}

/// An attribute as a law writes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttrDecl {
    /// Its name.
    pub name: String,
    /// The kinds of objects that have it: `blueprint or device`.
    pub of: String,
    /// Which values, in words: `whole number from 0, 10 at first`.
    pub range: String,
    /// What becomes of an object whose value names something that is gone: `destroy`, `keep`, or else the first value.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub gone: String,
    /// What nothing is called: `Circumstances`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub nothing: String,
}

/// An object that is there while the law is in force.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThingDecl {
    /// Its kind.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// What it has at first, by attribute.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub with: BTreeMap<String, Value>,
}

/// A page that a law adds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DisplayDecl {
    /// Its name: `socks`.
    pub name: String,
    /// Its title.
    pub title: String,
}

/// All that a law declares.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Declared {
    /// Kinds of objects.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub kinds: Vec<String>,
    /// Those of them whose objects are documents with a law of their own.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub documents: Vec<String>,
    /// Those of them whose objects hold directives.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<String>,
    /// Kinds, each with what its objects are as well.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub classes: Vec<(String, String)>,
    /// Attributes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub attrs: Vec<AttrDecl>,
    /// Objects that are there while it is in force.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub things: Vec<ThingDecl>,
    /// Commands and deeds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub acts: Vec<ActDecl>,
    /// Displays.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub displays: Vec<DisplayDecl>,
    /// What it changes, bars, follows, and does at an instant, each in words: `after vote`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hooks: Vec<String>,
}

impl Declared {
    /// How many things it declares.
    fn size(&self) -> usize {
        let Self { kinds, documents: _, changes: _, classes, attrs, things, acts, displays, hooks } = self;
        kinds.len() + classes.len() + attrs.len() + things.len() + acts.len() + displays.len() + hooks.len()
    }
}

/// What a function of a law is called for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Hook {
    /// An act or a deed of this name.
    Act(String),
    /// It may alter the parameters of an act before that is judged.
    Change(String),
    /// Where it is true, an act is refused, for this reason.
    Forbid(String, String),
    /// It follows something.
    After(String),
    /// It happens at an instant, on these numbers of the unit only where there are some.
    At(String, Vec<i64>),
    /// It must always hold.
    Whenever,
    /// It says who may speak for objects of a kind.
    Speaks(String),
    /// A question of this name.
    Condition(String),
    /// A page of this name.
    Display(String),
}

impl Hook {
    /// It in words, unique within a law but for several of the same: `after vote`.
    pub(crate) fn words(&self) -> String {
        match self {
            Self::Act(name) => format!("act {name}"),
            Self::Change(name) => format!("change of {name}"),
            Self::Forbid(name, _) => format!("bar on {name}"),
            Self::After(name) => format!("after {name}"),
            Self::At(moment, _) => format!("at {moment}"),
            Self::Whenever => "whenever".to_owned(),
            Self::Speaks(kind) => format!("speaks for {kind}"),
            Self::Condition(name) => format!("condition {name}"),
            Self::Display(name) => format!("display {name}"),
        }
    }
}

/// A law that is being declared.
#[derive(Debug, Default)]
pub(crate) struct Declaring {
    /// Which law of those in force.
    pub(crate) law: usize,
    /// Whether it is the law of a document, which declares parts and attributes alone.
    pub(crate) document: bool,
    /// What it declared so far.
    pub(crate) declared: Declared,
    /// Its functions so far, with what each is called for.
    pub(crate) functions: Vec<(Hook, Function)>,
    /// Its parts so far.
    pub(crate) parts: Vec<Part>,
}

impl Declaring {
    /// Adds a function, whose captured variables are as they are now.
    ///
    /// # Errors
    ///
    /// Where the law declares too much.
    pub(crate) fn hook(&mut self, hook: Hook, pointer: &rhai::FnPtr) -> Given<()> {
        let same = self.functions.iter().filter(|(known, _)| known.words() == hook.words()).count();
        let name = if same == 0 { hook.words() } else { format!("{} ({})", hook.words(), same + 1) };
        let place = self.functions.len();
        if !matches!(hook, Hook::Act(_) | Hook::Display(_)) {
            self.declared.hooks.push(hook.words());
        }
        self.functions.push((hook, Function { law: self.law, place, name, pointer: frozen(pointer) }));
        self.within()
    }

    /// Refuses more than a law may declare.
    ///
    /// # Errors
    ///
    /// Where it does.
    pub(crate) fn within(&self) -> Given<()> {
        match self.declared.size() + self.parts.len() > LAW_MAX_DECLARATIONS {
            true => Err(faulty(format!("a law declares at most {LAW_MAX_DECLARATIONS} things"))),
            false => Ok(()),
        }
    }
}
