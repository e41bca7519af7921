//! Acts: what can be tried in a game, and what must hold before it is judged.

use std::borrow::Cow;

use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value as Json;

use super::closure::Reads;
use crate::{
    Refusal,
    display::Document,
    draft::Draft,
    state::{Kind, State},
};

/// What somebody who acts, or looks, is answered.
pub type Outcome = Result<Document, Refusal>;

/// The arguments of an act that takes none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Nothing {}

/// What must hold before an act is judged: the kernel asks for it, in this order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// What rules in force must establish, by the words of their headers.
    pub rules: Vec<&'static str>,
    /// Whether only somebody who plays may do it.
    pub player: bool,
    /// The office that only whoever holds it may do it by, as the game calls it.
    pub office: Option<&'static str>,
    /// A line as it is said in public, where the act must be.
    pub line: Option<&'static str>,
}

/// Something that can be tried.
pub struct Act<G: Kind> {
    /// Its name, as the catalogue binds it: `give_vertex`.
    pub name: &'static str,
    /// What must hold before it is judged.
    pub needs: Needs,
    /// A word on it for the game's own use ([`Game::within`](crate::Game::within)).
    pub note: &'static str,
    pub(super) takes: Box<dyn Fn(&Json, &mut Draft<'_, G>) -> Outcome + Send + Sync>,
    pub(super) about: Option<Box<dyn Fn(&Json, &State<G>) -> Option<String> + Send + Sync>>,
    pub(super) unsaid: Option<(&'static str, Box<dyn Fn(&Draft<'_, G>) -> Option<u64> + Send + Sync>)>,
    pub(super) binds: Option<Box<dyn Fn(Json, &mut Draft<'_, G>) -> Json + Send + Sync>>,
    pub(super) unstoppable: Option<Reads<G, bool>>,
}

impl<G: Kind> Act<G> {
    /// An act with its arguments, read by serde.
    pub fn new<A: DeserializeOwned>(
        name: &'static str,
        does: impl Fn(A, &mut Draft<'_, G>) -> Outcome + Send + Sync + 'static,
    ) -> Self {
        let takes = move |args: &Json, d: &mut Draft<'_, G>| does(read(args)?, d);
        let (needs, takes) = (Needs::default(), Box::new(takes));
        let (about, unsaid, binds, unstoppable) = (None, None, None, None);
        Self { name, needs, note: "", takes, about, unsaid, binds, unstoppable }
    }

    /// An act without arguments.
    pub fn plain(name: &'static str, does: impl Fn(&mut Draft<'_, G>) -> Outcome + Send + Sync + 'static) -> Self {
        Self::new(name, move |Nothing {}, d| does(d))
    }

    /// Possible only while a rule in force establishes this.
    #[must_use]
    pub fn by(mut self, rule: &'static str) -> Self {
        self.needs.rules.push(rule);
        self
    }

    /// Only for somebody who plays.
    #[must_use]
    pub fn player(mut self) -> Self {
        self.needs.player = true;
        self
    }

    /// Only for whoever holds an office.
    #[must_use]
    pub fn office(mut self, office: &'static str) -> Self {
        self.needs.office = Some(office);
        self
    }

    /// Only where everybody can read it; `line` is how it is typed there.
    #[must_use]
    pub fn public(mut self, line: &'static str) -> Self {
        self.needs.line = Some(line);
        self
    }

    /// With a word on it for the game's own use.
    #[must_use]
    pub fn note(mut self, note: &'static str) -> Self {
        self.note = note;
        self
    }

    /// What it is about in a state, in words, where the same line may be about something else in another. An offer
    /// whose act has come to be about something else is refused.
    #[must_use]
    pub fn about<A: DeserializeOwned>(
        mut self,
        about: impl Fn(A, &State<G>) -> Option<String> + Send + Sync + 'static,
    ) -> Self {
        self.about = Some(Box::new(move |args, state| about(read(args).ok()?, state)));
        self
    }

    /// What its arguments mean now, where they name things by words. That is kept: what is decided again, or set for
    /// later ([`Mechanics::bound`](super::Mechanics::bound)), means what it meant when it was typed.
    #[must_use]
    pub fn binds(mut self, binds: impl Fn(Json, &mut Draft<'_, G>) -> Json + Send + Sync + 'static) -> Self {
        self.binds = Some(Box::new(binds));
        self
    }

    /// Its arguments as they are meant now.
    pub(super) fn bound(&self, args: Json, d: &mut Draft<'_, G>) -> Json {
        match &self.binds {
            Some(binds) => binds(args, d),
            None => args,
        }
    }

    /// Which number an argument is where a line leaves it out. That is kept, too.
    #[must_use]
    pub fn unsaid(
        mut self,
        arg: &'static str,
        number: impl Fn(&Draft<'_, G>) -> Option<u64> + Send + Sync + 'static,
    ) -> Self {
        self.unsaid = Some((arg, Box::new(number)));
        self
    }

    /// That no pause stops it and no ban, since the rules let nothing stop it. In a pause it happens at the instant at
    /// which that began.
    #[must_use]
    pub fn unstoppable(mut self, when: impl Fn(&State<G>) -> bool + Send + Sync + 'static) -> Self {
        self.unstoppable = Some(Box::new(when));
        self
    }
}

pub(super) fn unknown() -> Refusal {
    Refusal::new("this game cannot do that: nothing of the kind is done in it").instead("help")
}

fn read<A: DeserializeOwned>(args: &Json) -> Result<A, Refusal> {
    A::deserialize(args).map_err(|_| unknown())
}

/// The name of the act in an invocation, and its arguments: `{"name": {...}}`, or `"name"` where it takes none.
///
/// # Errors
///
/// A [`Refusal`] where it has another form.
pub fn parted(invocation: &Json) -> Result<(&str, Cow<'_, Json>), Refusal> {
    match invocation {
        Json::String(name) => Ok((name, Cow::Owned(Json::Object(Default::default())))),
        Json::Object(fields) if fields.len() == 1 => {
            let (name, args) = fields.iter().next().ok_or_else(unknown)?;
            Ok((name, Cow::Borrowed(args)))
        }
        _ => Err(unknown()),
    }
}

/// An act that somebody tries.
#[derive(Clone, Copy, Debug)]
pub struct Tried<'a> {
    /// Its name.
    pub act: &'static str,
    /// Its arguments.
    pub args: &'a Json,
    /// Whether no pause and no ban stops it: then no law does, either.
    pub unstoppable: bool,
}

/// What becomes of an act that somebody tries.
#[derive(Clone, Debug)]
pub enum Judged {
    /// It is done as it was given.
    AsItIs,
    /// It is done with these arguments.
    With(Json),
}
