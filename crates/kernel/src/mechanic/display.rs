//! Displays: views of the state, each found by its name.

use super::{act::Outcome, closure::Reads};
use crate::{
    Id, Refusal, Seq,
    display::Cell,
    state::{Kind, State},
    viewer::Viewer,
};

/// What somebody asked to see.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// What stands behind the display's name, its parts with `/` between them: `41`.
    pub rest: &'a str,
    /// Who looks.
    pub viewer: &'a Viewer,
}

impl Asked<'_> {
    /// The parts behind the name.
    pub fn parts(&self) -> Vec<&str> {
        if self.rest.is_empty() { Vec::new() } else { self.rest.split('/').collect() }
    }

    /// What stands behind the name as words: those of a name come joined as the parts of an address are.
    pub fn words(&self) -> String {
        self.rest.replace('/', " ")
    }
}

/// A view of the state.
pub struct Display<G: Kind> {
    pub(super) names: Vec<&'static str>,
    pub(super) among: Option<Reads<G, Vec<Cell>>>,
    pub(super) knows: Option<Box<dyn Fn(&State<G>, &str) -> bool + Send + Sync>>,
    pub(super) fits: fn(usize) -> bool,
    pub(super) listed: Option<u8>,
    pub(super) personal: bool,
    pub(super) show: Box<dyn Fn(&State<G>, Asked<'_>) -> Outcome + Send + Sync>,
    pub(super) beside: Option<Reads<G, Vec<Cell>>>,
    pub(super) reads: Option<Box<dyn Fn(&State<G>, &Viewer) -> Vec<Id> + Send + Sync>>,
    pub(super) seen_at: Option<Box<dyn Fn(&State<G>, &str) -> Option<Seq> + Send + Sync>>,
}

impl<G: Kind> Display<G> {
    /// A display by its name alone: `people`.
    pub fn new(name: &'static str, show: impl Fn(&State<G>, Asked<'_>) -> Outcome + Send + Sync + 'static) -> Self {
        Self {
            names: vec![name],
            among: None,
            knows: None,
            fits: |parts| parts == 0,
            listed: None,
            personal: false,
            show: Box::new(show),
            beside: None,
            reads: None,
            seen_at: None,
        }
    }

    /// A display of something that is named behind it: `proposal/41`.
    pub fn of(name: &'static str, show: impl Fn(&State<G>, Asked<'_>) -> Outcome + Send + Sync + 'static) -> Self {
        Self { fits: |parts| parts > 0, ..Self::new(name, show) }
    }

    /// A display of whatever no other display is called: it is asked with the whole id, and refuses what it does not know.
    pub fn other(show: impl Fn(&State<G>, Asked<'_>) -> Outcome + Send + Sync + 'static) -> Self {
        Self { names: Vec::new(), fits: |_| true, ..Self::new("", show) }
    }

    /// Displays that the room has by its own rules: each is shown by the name that its cell completes, and listed.
    pub fn among(
        place: u8,
        names: impl Fn(&State<G>) -> Vec<Cell> + Send + Sync + 'static,
        show: impl Fn(&State<G>, Asked<'_>) -> Outcome + Send + Sync + 'static,
    ) -> Self {
        let all = Self { names: Vec::new(), fits: |_| true, ..Self::new("", show) };
        Self { among: Some(Box::new(names)), listed: Some(place), ..all }
    }

    /// It shows these as well, which are not listed: each is asked for by its whole id.
    #[must_use]
    pub fn knows(mut self, knows: impl Fn(&State<G>, &str) -> bool + Send + Sync + 'static) -> Self {
        self.knows = Some(Box::new(knows));
        self
    }

    /// With or without something behind the name, as this says of the number of its parts.
    #[must_use]
    pub fn fits(mut self, fits: fn(usize) -> bool) -> Self {
        self.fits = fits;
        self
    }

    /// It has this name, too.
    #[must_use]
    pub fn also(mut self, name: &'static str) -> Self {
        self.names.push(name);
        self
    }

    /// It stands in the list of displays, lower places first.
    #[must_use]
    pub fn listed(mut self, place: u8) -> Self {
        self.listed = Some(place);
        self
    }

    /// These stand in the list of displays in its place.
    #[must_use]
    pub fn beside(mut self, place: u8, ids: impl Fn(&State<G>) -> Vec<Cell> + Send + Sync + 'static) -> Self {
        self.listed = Some(place);
        self.beside = Some(Box::new(ids));
        self
    }

    /// It is for its viewer's eyes alone: it is answered privately wherever it is asked for.
    #[must_use]
    pub fn personal(mut self) -> Self {
        self.personal = true;
        self
    }

    /// The sealed things that it judges by, by id, for a viewer who may read them. They are opened for that look alone, in
    /// [`Viewer::opened`].
    #[must_use]
    pub fn reads(mut self, reads: impl Fn(&State<G>, &Viewer) -> Vec<Id> + Send + Sync + 'static) -> Self {
        self.reads = Some(Box::new(reads));
        self
    }

    /// The entry as of which it is best seen, where that is not the last one. Such is a thing of the past that the
    /// state no longer holds, but did then. It is asked with what stands behind the name.
    #[must_use]
    pub fn seen_at(mut self, seen_at: impl Fn(&State<G>, &str) -> Option<Seq> + Send + Sync + 'static) -> Self {
        self.seen_at = Some(Box::new(seen_at));
        self
    }
}

/// A display in a list: for everybody, and completed by its id.
pub fn listing(id: &str) -> Cell {
    Cell::named(id).showing(id)
}

/// What whoever asks for a display that a game has not is told.
pub fn no_display<G: Kind>() -> Refusal {
    Refusal::new("this room has no display of that name").instead(G::CHIEF)
}

/// The name of a display, and what stands behind it.
pub(super) fn asked(id: &str) -> (&str, &str) {
    let id = id.trim_matches('/');
    id.split_once('/').unwrap_or((id, ""))
}
