//! The ids of people in entries.
//!
//! An entry knows a person by a number of its own database. In a file, and in the database that the file comes to, that
//! number is somebody else's.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use kernel::{Id, chain};

/// Gives every person in an entry another id.
pub(super) fn rename(entry: &mut Json, mut to: impl FnMut(&Id) -> Id) {
    chain::persons(entry, |id| *id = to(&id.as_str().into()).to_string());
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
