//! A law that is being declared: its functions with what each is called for, and the parts of documents.

use std::{collections::BTreeMap, sync::Arc};

use rhai::{FnPtr, Map};

use kernel::Value;

use super::{
    declared::{AttrDecl, Declared},
    docket_decl::{HEAD, WEIGHT},
    fault::{Fault, Given, faulty},
    limits::LAW_MAX_DECLARATIONS,
    script::{Compiled, Function, frozen},
};

/// A part of a document: a power, an action of a match, a clause.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    /// Its name.
    pub(crate) name: String,
    /// Its options.
    pub(crate) options: Map,
    /// What it does; nothing where it only says something.
    pub(crate) does: Option<FnPtr>,
}

/// What a document's law declares.
#[derive(Clone, Debug, Default)]
pub(crate) struct Document {
    /// The law itself.
    pub(crate) source: Arc<str>,
    /// The same, compiled.
    pub(crate) script: Arc<Compiled>,
    /// Its parts, in order.
    pub(crate) parts: Vec<Part>,
    /// Attributes of its own objects.
    pub(crate) attrs: Vec<AttrDecl>,
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
    /// It must always hold; of each object of a kind that has these values, where it is of some.
    Whenever(Option<(String, BTreeMap<String, Value>)>),
    /// It says who may speak for objects of a kind.
    Speaks(String),
    /// A question of this name.
    Condition(String),
    /// A page of this name.
    Display(String),
    /// The body of the command of this name by which documents are voted on.
    Cast(String),
    /// What any rule adds to documents of a kind.
    Beside(String, &'static str),
    /// What the documents of a kind, or a ballot of this name on them, want of their law.
    Option(String, String, String),
}

impl Hook {
    /// How many things its function is given; nothing where that is whoever's who calls it.
    fn gives(&self) -> Option<usize> {
        match self {
            Self::At(..) | Self::Whenever(None) => Some(0),
            Self::Cast(_)
            | Self::Act(_)
            | Self::Change(_)
            | Self::Forbid(..)
            | Self::After(_)
            | Self::Display(_)
            | Self::Beside(..)
            | Self::Whenever(Some(_)) => Some(1),
            Self::Speaks(_) => Some(2),
            Self::Option(.., what) => Some(match what.as_str() {
                WEIGHT => 2,
                HEAD => 0,
                _ => 1,
            }),
            Self::Condition(_) => None,
        }
    }

    /// It in words, unique within a law but for several of the same: `after vote`.
    pub(crate) fn words(&self) -> String {
        match self {
            Self::Act(name) => format!("act {name}"),
            Self::Change(name) => format!("change of {name}"),
            Self::Forbid(name, _) => format!("bar on {name}"),
            Self::After(name) => format!("after {name}"),
            Self::At(moment, _) => format!("at {moment}"),
            Self::Whenever(None) => "whenever".to_owned(),
            Self::Whenever(Some((kind, _))) => format!("whenever {kind}"),
            Self::Speaks(kind) => format!("speaks for {kind}"),
            Self::Condition(name) => format!("condition {name}"),
            Self::Display(name) => format!("display {name}"),
            Self::Cast(name) => format!("act {name}"),
            Self::Beside(kind, what) => format!("{what} of {kind}"),
            Self::Option(kind, name, what) => format!("{what} of {name} {kind}"),
        }
    }
}

/// A law that is being declared.
#[derive(Clone, Debug, Default)]
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
        self.hook_at(hook, None, pointer)
    }

    /// The same with a place among all that is called for one thing.
    ///
    /// # Errors
    ///
    /// As [`Self::hook`].
    pub(crate) fn hook_at(&mut self, hook: Hook, rank: Option<i64>, pointer: &rhai::FnPtr) -> Given<()> {
        let same = self.functions.iter().filter(|(known, _)| known.words() == hook.words()).count();
        let name = if same == 0 { hook.words() } else { format!("{} ({})", hook.words(), same + 1) };
        let place = self.functions.len();
        if !matches!(hook, Hook::Act(_) | Hook::Display(_) | Hook::Cast(_) | Hook::Option(..)) {
            self.declared.hooks.push(hook.words());
        }
        self.functions.push((hook, Function { law: self.law, place, name, rank, pointer: frozen(pointer) }));
        self.within()
    }

    /// Refuses a function that takes another number of things than it is given.
    ///
    /// # Errors
    ///
    /// Which function, with its line.
    pub(crate) fn fit(&self, script: &Compiled) -> Result<(), Fault> {
        let hooks = self.functions.iter().filter_map(|(hook, is)| Some((&is.pointer, hook.gives()?, is.name.as_str())));
        let parts = self.parts.iter().filter_map(|part| Some((part.does.as_ref()?, 1, part.name.as_str())));
        for (function, count, name) in hooks.chain(parts) {
            if !script.takes(function, count) {
                let wants = match count {
                    0 => "nothing: it is written “|| ..”",
                    1 => "one thing: it is written “|a| ..”",
                    _ => "two things: it is written “|who, it| ..”",
                };
                let why = format!("the function of “{name}” is given {wants}");
                return Err(Fault { line: Some(script.line(function)), ..Fault::new(why) });
            }
        }
        Ok(())
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
