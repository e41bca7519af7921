//! Phases: what falls due, and what becomes of it inside a moderator's pause.

use super::closure::{Reads, Writes};
use crate::{
    Id,
    draft::Draft,
    entry::Due,
    state::{Kind, State},
};

/// Something that falls due, at one place in the order of what shares an instant.
pub struct Phase<G: Kind> {
    pub(super) ranks: Vec<u8>,
    pub(super) comes: Reads<G, Vec<Due>>,
    pub(super) does: Writes<G, Due, ()>,
    pub(super) lapse: Option<Writes<G, Due, ()>>,
    pub(super) fate: Option<Box<dyn Fn(&State<G>, &Due) -> Lapse + Send + Sync>>,
    pub(super) opens: Option<Box<dyn Fn(&State<G>, &Due) -> Vec<Id> + Send + Sync>>,
}

impl<G: Kind> Phase<G> {
    /// A phase by its rank: all that is due in it by now or later, and what it does then. Of those
    /// that share an instant the one that is named first happens first. It may not refuse: what cannot
    /// be done is announced. What is due still when it is done is set aside. Inside a moderator's pause it never happens, unless [`Self::lapse`] and [`Self::fate`] say otherwise.
    pub fn new<Dues: IntoIterator<Item = Due>>(
        rank: u8,
        comes: impl Fn(&State<G>) -> Dues + Send + Sync + 'static,
        does: impl Fn(Due, &mut Draft<'_, G>) + Send + Sync + 'static,
    ) -> Self {
        let comes = Box::new(move |state: &State<G>| comes(state).into_iter().collect());
        Self { ranks: vec![rank], comes, does: Box::new(does), lapse: None, fate: None, opens: None }
    }

    /// It has this rank, too: what is due at either is told apart by its key.
    #[must_use]
    pub fn also(mut self, rank: u8) -> Self {
        self.ranks.push(rank);
        self
    }

    /// Marks what was due inside a moderator's pause as not happening.
    #[must_use]
    pub fn lapse(mut self, lapse: impl Fn(Due, &mut Draft<'_, G>) + Send + Sync + 'static) -> Self {
        self.lapse = Some(Box::new(lapse));
        self
    }

    /// What it is called inside a moderator's pause, and what becomes of it; else it never happens.
    #[must_use]
    pub fn fate(mut self, fate: impl Fn(&State<G>, &Due) -> Lapse + Send + Sync + 'static) -> Self {
        self.fate = Some(Box::new(fate));
        self
    }

    /// The sealed things that must be open for it, by id. They are opened for that alone.
    #[must_use]
    pub fn opens(mut self, opens: impl Fn(&State<G>, &Due) -> Vec<Id> + Send + Sync + 'static) -> Self {
        self.opens = Some(Box::new(opens));
        self
    }
}

/// Something that was due inside a moderator's pause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lapse {
    /// What it is, in words.
    pub what: String,
    /// What becomes of it.
    pub fate: Fate,
}

/// What becomes of something that was due inside a moderator's pause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It never happens.
    Never,
    /// It happens when the room goes on.
    Late,
    /// It happens as long after the pause as it was due after its beginning: what players could have averted meanwhile.
    PutOff,
}
