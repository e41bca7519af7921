//! Messages in places that rooms of several games share: which of them a line is said in.
//!
//! Whether there is such a room, and who sits in it, is absent.

use std::sync::Arc;

use super::{Catalogue, GrammarError, Line, Problem, Typed, folded};

/// A room that may be named or meant, and the words that are said in it.
#[derive(Clone, Debug)]
pub struct Spoken {
    /// Its name.
    pub room: String,
    /// Its commands.
    pub catalogue: Arc<Catalogue>,
    /// Whether it is meant where no room is named, as well as others.
    pub here: bool,
}

impl<'c> Line<'c, '_> {
    /// Reads on as in a room that was named.
    pub(super) fn as_in(&mut self, room: Option<&str>) {
        let named = |spoken: &&'c Spoken| room.is_some_and(|room| folded(room) == folded(&spoken.room));
        if let Some(spoken) = self.rooms.iter().find(named) {
            self.catalogue = &spoken.catalogue;
        }
    }

    /// The next command, as it is said in the one room in which it is one.
    pub(super) fn among(&mut self) -> Result<Typed, GrammarError> {
        let before = *self;
        let read = self.command();
        self.catalogue = before.catalogue;
        let named = matches!(&read, Ok(Typed { room: Some(_), .. }));
        if named || !before.rooms.iter().any(|spoken| spoken.here) || !self.catalogue.takes_letters() {
            return read;
        }
        let mut others = before.rooms.iter().filter(|spoken| spoken.here).filter_map(|spoken| {
            let mut line = Self { catalogue: &spoken.catalogue, ..before };
            let typed = line.command().ok().filter(|typed| typed.command.acts_in_game())?;
            Some((spoken, typed, Self { catalogue: before.catalogue, ..line }))
        });
        match &read {
            Ok(typed) if !typed.command.acts_in_game() => read,
            Ok(typed) => {
                let means = |typed: &Typed| typed.command.name.clone();
                let mut rooms: Vec<(String, String)> =
                    others.map(|(spoken, typed, _)| (spoken.room.clone(), means(&typed))).collect();
                if rooms.iter().all(|(_, name)| *name == means(typed)) {
                    return read;
                }
                rooms.sort();
                Err(GrammarError::new(Problem::WhichRoom { rooms: rooms.into_iter().map(|(room, _)| room).collect() }))
            }
            Err(error) => match (others.next(), others.next()) {
                (Some((_, typed, line)), None) if !matches!(error.problem, Problem::NoEnd { .. }) => {
                    *self = line;
                    Ok(typed)
                }
                _ => read,
            },
        }
    }
}
