//! How attributes of the registry stand in displays (4E11).
//!
//! Every cell carries the path that it shows.

use crate::{
    game::BNomic,
    stats::{self, NAME, PROPOSAL, called},
};
use kernel::{
    Id, Path, State,
    directives::Names,
    display::{Cell, Document},
    world::AttrDef,
};

/// What something has of an attribute.
pub(crate) fn cell(state: &State<BNomic>, obj: &Id, attr: &str) -> Cell {
    let at = Path::new(obj.clone(), attr);
    Cell::new(stats::shown(state, attr, &BNomic::value(state, &at))).from_path(at)
}

/// Most objects of a kind that the registry lists: proposals have a list of their own.
const LISTED_MAX_COUNT: usize = 100;

/// Adds a table of objects of a kind to a display, each with all that it has of some attributes.
pub(crate) fn with_table(
    document: Document,
    state: &State<BNomic>,
    kind: &str,
    objects: &[Id],
    attrs: &[&AttrDef],
) -> Document {
    let left_out = objects.len().saturating_sub(LISTED_MAX_COUNT);
    let row = |obj: &Id| {
        let mut name = Cell::new(called(state, obj)).completing(obj.to_string());
        if state.world.get(&NAME, obj).is_some_and(|name| !name.is_empty()) {
            name = name.from_path(NAME.of(obj));
        }
        let is_proposal = state.world.kind(obj).is_some_and(|kind| **kind == *PROPOSAL);
        let name = if is_proposal { name.showing(obj.to_string()) } else { name };
        let value = |def: &&AttrDef| cell(state, obj, &def.id);
        std::iter::once(name).chain(attrs.iter().map(value)).collect()
    };
    let head = std::iter::once(kind.to_owned()).chain(attrs.iter().map(|def| def.id.to_string()));
    let rows = objects.iter().skip(left_out).map(row);
    let document = document.table(head, rows);
    if left_out > 0 {
        return document.para(format!("{left_out} older ones of the kind {kind} are left out."));
    }
    document
}
