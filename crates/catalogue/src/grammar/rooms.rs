//! Messages in places that rooms of several games share: which of them a line is said in.
//!
//! The service looks whether there is such a room, and who sits in it.

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
        let of_games = read.as_ref().map_or(true, |typed| typed.room.is_none() && typed.command.acts_in_game());
        if !of_games || !before.rooms.iter().any(|spoken| spoken.here) {
            return read;
        }
        let mut others: Vec<(&Spoken, Typed, Self)> = before
            .rooms
            .iter()
            .filter(|spoken| spoken.here)
            .filter_map(|spoken| {
                let mut line = Self { catalogue: &spoken.catalogue, ..before };
                let typed = line.command().ok().filter(|typed| typed.command.acts_in_game())?;
                Some((spoken, typed, Self { catalogue: before.catalogue, ..line }))
            })
            .collect();
        let mut names: Vec<&str> = others.iter().map(|(_, typed, _)| typed.command.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        match (&read, others.len(), names.len()) {
            (_, 1, _) if !matches!(&read, Err(error) if matches!(error.problem, Problem::NoEnd { .. })) => {
                let (_, typed, line) = others.remove(0);
                *self = line;
                Ok(typed)
            }
            (Ok(_), _, 0 | 1) | (Err(_), 0 | 1, _) => read,
            _ => {
                let mut rooms: Vec<String> = others.iter().map(|(spoken, ..)| spoken.room.clone()).collect();
                rooms.sort();
                others.sort_by(|(one, ..), (other, ..)| one.room.cmp(&other.room));
                let (spoken, typed, line) = others.remove(0);
                *self = line;
                let line = typed.is_short_line().then(|| format!("@{} {}", spoken.room, typed.said));
                Err(GrammarError::new(Problem::WhichRoom { rooms, line }))
            }
        }
    }
}
