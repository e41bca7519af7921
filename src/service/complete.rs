//! What completes what somebody is typing, as they may see it: the catalogue's one function, asked with their room.
//!
//! Nothing that comes from here is judged or kept, and whoever is ignored gets nothing.

use std::sync::Arc;

use super::{
    commands::lookup::RoomLookup,
    fault::Fault,
    hearing::Hearing,
    hub::{Handle, Hub},
};
use catalogue::{self, Catalogue, Command, RoomUse, Sought};
use kernel::{display::Cell, viewer::Viewer};
use port::{Asker, Completion, Line, Sent};

impl Hub {
    /// What completes a value of a command after the given beginning.
    pub async fn complete(&self, asker: Asker, command: &str, param: &str, begun: &str) -> Vec<Cell> {
        let room = asker.room.clone();
        let completed = async {
            let line = asked(asker);
            let hearing = self.hearing(&line).await?;
            if hearing.ignored {
                return Ok(Vec::new());
            }
            // In the words of its room, and where there is none a room can still be named.
            let known = || Catalogue::all().get(command).cloned();
            let Some(command) = hearing.command(command, room.as_deref()).ok().or_else(known) else {
                return Ok(Vec::new());
            };
            let mut sought = Sought::value(&command, param, begun);
            sought.room = room;
            self.completed(&hearing, &sought).await
        };
        completed.await.unwrap_or_else(broken)
    }

    /// What completes a line that ends where somebody is typing.
    pub async fn complete_line(&self, asker: Asker, text: &str) -> Completion {
        let completed = async {
            let line = Line { text: text.to_owned(), ..asked(asker) };
            let hearing = self.hearing(&line).await?;
            if hearing.ignored {
                return Ok(Completion::default());
            }
            let viewer = catalogue::Viewer { seated: hearing.person.is_some(), moderator: hearing.operator };
            let sought = Sought::in_line(&hearing.catalogue(), viewer, text);
            let cells = self.completed(&hearing, &sought).await?;
            Ok(Completion { start: sought.start, cells, usage: sought.usage().to_owned() })
        };
        completed.await.unwrap_or_else(broken)
    }

    async fn completed(&self, hearing: &Hearing<'_>, sought: &Sought) -> Result<Vec<Cell>, Fault> {
        let (room, viewer): (Option<Arc<Handle>>, Viewer) = match sought.command() {
            Some(command) => {
                let room = room_of(hearing, command, sought.room.as_deref());
                let viewer = hearing.viewer(room.as_deref(), command).await?;
                (room, viewer)
            }
            None => (None, Viewer::default()),
        };
        Ok(catalogue::complete(sought, &RoomLookup::new(self, room.as_deref(), viewer)))
    }
}

fn room_of(hearing: &Hearing<'_>, command: &Command, named: Option<&str>) -> Option<Arc<Handle>> {
    match command.room {
        RoomUse::None => None,
        RoomUse::Optional | RoomUse::Needed => hearing.room_of(command, named).ok(),
    }
}

/// A line of somebody who has not sent one yet.
fn asked(asker: Asker) -> Line {
    let Asker { from, place, .. } = asker;
    Line { origin: String::new(), from, place, text: String::new(), attachments: Vec::new(), sent: Sent::Whole }
}

fn broken<T: Default>(fault: Fault) -> T {
    tracing::error!(%fault, "a completion broke");
    T::default()
}
