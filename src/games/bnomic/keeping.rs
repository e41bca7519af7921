//! Public Displays of things of which only a rule's header knows (4E18, 4E37, 4E57, 4E70, 4E71, 4E73, 4E80).
//!
//! `keeps: device, blueprint` in the header of a rule that makes a ministry gives that ministry a display under its own
//! name: all objects of those kinds, which there may then be, with all of their attributes. Absent: what such things do, and the displays of the
//! mechanics that the program plays, which stand beside them.

use super::{BNomic, Id, State, display::Document, displays, ministries, registry, stats};
use crate::kernel::{directives::words::slug, rulebook::Rule};

/// The field of a rule's header.
pub(super) const KEEPS: &str = "keeps";

/// A display that a rule's header asks for.
pub(super) struct Keeping {
    /// Its name, which is the ministry's.
    pub(super) display: String,
    /// What the ministry is called.
    pub(super) office: String,
    /// The kinds, as the header has them, or the ids of single objects.
    things: Vec<String>,
}

/// Whether a header means a single object, and no kind.
fn is_single(thing: &str) -> bool {
    thing.contains('/')
}

/// All such displays. One that is called like another is none.
pub(super) fn all(state: &State<BNomic>) -> Vec<Keeping> {
    let of = |(office, rule): (String, &Rule)| {
        let things = rule.field(KEEPS)?.split(',').map(str::trim).filter(|thing| !thing.is_empty());
        let things: Vec<String> = things.map(str::to_owned).collect();
        let display = slug(&office);
        (!things.is_empty() && !displays::is_own(&display)).then_some(Keeping { display, office, things })
    };
    ministries::offices(state).filter_map(of).collect()
}

/// The display that shows an object, or the objects of a kind.
pub(super) fn showing(state: &State<BNomic>, of: &str) -> Option<String> {
    let kind = of.split('/').next().unwrap_or_default();
    let shows = |thing: &String| if is_single(thing) { *thing == *of } else { slug(thing) == kind };
    all(state).into_iter().find(|keeping| keeping.things.iter().any(shows)).map(|keeping| keeping.display)
}

/// The kinds of things that headers name, whether or not there is one.
pub(super) fn kinds(state: &State<BNomic>) -> Vec<Id> {
    let things = all(state).into_iter().flat_map(|keeping| keeping.things);
    things.filter(|thing| !is_single(thing)).map(|thing| slug(&thing).into()).collect()
}

/// A display by its name.
pub(super) fn show(state: &State<BNomic>, display: &str) -> Option<Document> {
    let keeping = all(state).into_iter().find(|keeping| keeping.display == display)?;
    let mut document = Document::titled(display, format!("{} of B Nomic", keeping.office));
    for thing in &keeping.things {
        let single = is_single(thing).then(|| Id::from(&**thing)).filter(|obj| state.world.exists(obj));
        let objects: Vec<Id> = state.world.of_kind(&slug(thing)).cloned().chain(single).collect();
        let Some(kind) = objects.first().and_then(|first| state.world.kind(first)) else {
            document = document.para(format!("There is no {thing}."));
            continue;
        };
        let attrs: Vec<_> = state.world.defs().filter(|def| def.covers(kind) && *def.id != *stats::BODY.id).collect();
        document = registry::with_table(document, state, kind, &objects, &attrs);
    }
    Some(document)
}
