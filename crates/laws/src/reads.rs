//! What a function of a law read of a room: it need not run again while all of that is the same.
//!
//! Whatever a function does that is not listed here makes that unsure, so that it runs again.

use std::collections::BTreeSet;

use kernel::{Id, Path, Value};

use super::{
    docket_rows::{Question, Vote},
    stage::Stage,
};

/// Something that a function read, with what it found.
#[derive(Clone, Debug)]
pub(crate) enum Read {
    /// The objects of a kind.
    Members(Id, Vec<Id>),
    /// A value.
    Value(Path, Value),
    /// What all objects of a kind have for an attribute.
    Column(Id, Id, Vec<(Id, Value)>),
    /// What everybody is shown of a thing beside its attributes.
    Seen(Id, String, Option<Value>),
    /// What an object is called.
    Name(Id, String),
    /// Whether there is an object, and of which kind.
    Kind(Id, bool, Option<Id>),
    /// Whether a rule gives an object an attribute.
    Given(Id, String, bool),
    /// The kinds for which rules, or the game itself, define an attribute of a name.
    Ruled(String, Vec<Id>),
    /// Who holds an office.
    Holders(String, Vec<Id>),
    /// The figures that the rules give under a key, as they are written.
    Figures(String, Vec<String>),
    /// The votes on a document, and who has cast one that is sealed.
    Votes(Question, Vec<(Id, Vote)>, BTreeSet<Id>),
    /// The room's time, as its rules count it.
    Clock(Vec<(&'static str, Value)>),
}

impl Read {
    /// Whether it would be found in a room.
    pub(crate) fn holds(&self, stage: &dyn Stage) -> bool {
        match self {
            Self::Members(kind, members) => stage.members(kind) == *members,
            Self::Value(at, value) => stage.value(at) == *value,
            Self::Column(kind, attr, held) => column(stage, kind, attr) == *held,
            Self::Seen(obj, name, is) => stage.seen(obj, name) == *is,
            Self::Name(obj, name) => stage.called(obj) == *name,
            Self::Kind(obj, there, kind) => stage.is_there(obj) == *there && stage.taken_for(obj) == *kind,
            Self::Given(obj, name, given) => gives(stage, obj, name) == *given,
            Self::Ruled(name, kinds) => ruled(stage, name) == *kinds,
            Self::Holders(office, all) => stage.holders(office) == *all,
            Self::Figures(key, is) => figures(stage, key) == *is,
            Self::Votes(question, votes, sealed) => {
                stage.votes(question) == *votes && stage.under_seal(question) == *sealed
            }
            Self::Clock(time) => stage.clock() == *time,
        }
    }
}

/// Whether a rule, or the game itself, gives an object an attribute.
pub(crate) fn gives(stage: &dyn Stage, obj: &Id, name: &str) -> bool {
    let world = stage.world();
    let Some(kind) = world.kind(obj) else { return false };
    world.def(name, kind).is_some() || stage.value(&Path::new(obj.clone(), name)) != Value::Null
}

/// The kinds for which rules, or the game itself, define an attribute of a name.
pub(crate) fn ruled(stage: &dyn Stage, name: &str) -> Vec<Id> {
    stage.world().named(name).iter().filter(|def| !def.is_given()).map(|def| def.scope.clone()).collect()
}

/// What all objects of a kind have for an attribute.
fn column(stage: &dyn Stage, kind: &Id, attr: &str) -> Vec<(Id, Value)> {
    let held = |obj: Id| (obj.clone(), stage.value(&Path::new(obj, attr)));
    stage.members(kind).into_iter().map(held).collect()
}

/// The figures that the rules give under a key, as they are written, in their order.
fn figures(stage: &dyn Stage, key: &str) -> Vec<String> {
    let places = stage.rules().places(key);
    places.map(|(rule, span)| rule.text().shown(span).to_owned()).collect()
}

/// Most that is noted of one function: one that reads more runs again, which costs no more than to compare all of it.
const NOTED_MAX_COUNT: usize = 2_000;

/// What a function reads while it runs.
#[derive(Clone, Debug, Default)]
pub(crate) enum Reads {
    /// Nobody asks.
    #[default]
    Unnoted,
    /// All that is listed here.
    Noted(Vec<Read>),
    /// All that it read, since everything is listed; it ends with the first thing that is not.
    Whole(Vec<Read>),
}

impl Reads {
    /// Notes something that was read, which is worked out only where that is noted.
    pub(crate) fn note(&mut self, read: impl FnOnce() -> Read) {
        match self {
            Self::Unnoted => {}
            Self::Whole(all) if all.len() >= NOTED_MAX_COUNT => self.doubt(),
            Self::Noted(all) | Self::Whole(all) => all.push(read()),
        }
    }

    /// Notes that objects of a kind were looked for by what they have for an attribute.
    pub(crate) fn note_column(&mut self, stage: &dyn Stage, kind: &Id, attr: &str) {
        let (Self::Noted(all) | Self::Whole(all)) = self else { return };
        let is_known = |read: &Read| matches!(read, Read::Column(of, id, _) if of == kind && **id == *attr);
        if !all.iter().any(is_known) {
            self.note(|| Read::Column(kind.clone(), attr.into(), column(stage, kind, attr)));
        }
    }

    /// Notes that figures of the rules were read.
    pub(crate) fn note_figures(&mut self, stage: &dyn Stage, key: &str) {
        self.note(|| Read::Figures(key.to_owned(), figures(stage, key)));
    }

    /// All that was noted.
    pub(crate) fn noted(self) -> Vec<Read> {
        match self {
            Self::Noted(all) | Self::Whole(all) => all,
            Self::Unnoted => Vec::new(),
        }
    }

    /// What is done now is not listed.
    pub(crate) fn doubt(&mut self) {
        if matches!(self, Self::Whole(_)) {
            *self = Self::Unnoted;
        }
    }
}
