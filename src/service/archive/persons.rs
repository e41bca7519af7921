//! The ids of people in entries.
//!
//! An entry knows a person by a number of its own database. In a file, and in the database that the file comes to, that
//! number is somebody else's. Every place of an entry that names a person is listed here, and nowhere else.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use crate::kernel::{
    Id,
    entry::{Cause, Change, Entry},
    frame::FrameFact,
};

/// Gives every person in an entry another id.
pub(super) fn rename(entry: &mut Entry<Json>, mut to: impl FnMut(&Id) -> Id) {
    if let Cause::Moderator { by, .. } = &mut entry.cause {
        *by = to(by);
    }
    for change in &mut entry.changes {
        let Change::Frame(fact) = change else { continue };
        match fact {
            FrameFact::Seated { person, .. } => *person = to(person),
            FrameFact::Handed { person, was, .. } => {
                *was = to(was);
                *person = to(person);
            }
            FrameFact::Opened { .. }
            | FrameFact::Closed
            | FrameFact::Reopened
            | FrameFact::Named { .. }
            | FrameFact::Forgotten { .. }
            | FrameFact::Stands { .. }
            | FrameFact::Designated { .. }
            | FrameFact::Mannered { .. }
            | FrameFact::Clock { .. }
            | FrameFact::TakenBack { .. }
            | FrameFact::FirstDraw { .. }
            | FrameFact::Reseeded { .. } => {}
        }
    }
}

/// Numbers people from 1, in the order in which they appear.
#[derive(Default)]
pub(super) struct Faces {
    ids: BTreeMap<Id, Id>,
    order: Vec<Id>,
}

impl Faces {
    /// The id in the file of a person of the database.
    pub(super) fn of(&mut self, person: &Id) -> Id {
        if let Some(id) = self.ids.get(person) {
            return id.clone();
        }
        self.order.push(person.clone());
        let id: Id = format!("p{}", self.order.len()).into();
        self.ids.insert(person.clone(), id.clone());
        id
    }

    /// Everybody, as the database knows them, in order.
    pub(super) fn all(&self) -> &[Id] {
        &self.order
    }
}
