//! `rulekeeper verify`: every journal against its snapshots and promises.

use std::io::Write;

use super::{Error, Setup, archives};
use crate::{kernel::display::counted, service::archive};

/// The arguments.
#[derive(Debug, clap::Args)]
pub struct Verify {
    /// The room; all of them without it
    room: Option<String>,
}

impl Verify {
    /// Checks, and says on `out` what was found.
    ///
    /// # Errors
    /// [`Error::Failed`] where something does not agree; [`Error::Input`] where there is no such database or room;
    /// [`Error::Database`].
    pub async fn run(self, setup: &Setup, out: &mut (dyn Write + Send)) -> Result<(), Error> {
        let database = archives::Database::existing(setup).await?;
        let rooms = match &self.room {
            Some(name) => vec![database.room(name).await?],
            None => database.rooms().await?,
        };
        let mut found = 0;
        for complaint in database.store.complaints().await.map_err(|error| database.broke(error))? {
            writeln!(out, "{}: {complaint}.", database.path)?;
            found += 1;
        }
        for room in &rooms {
            let done = archive::verify(&database.store, room).await?;
            let (name, entries, snapshots, draws) = (&room.name, done.entries, done.snapshots, done.draws);
            let counts = [(entries, "entry"), (snapshots as u64, "snapshot"), (draws, "draw")];
            let counts = counts.map(|(count, noun)| counted(count, noun)).join(", ");
            writeln!(out, "@{name} ({}): {counts}.", room.game)?;
            if done.unused > 0 {
                writeln!(out, "  {} snapshots are of another version of the program and not used.", done.unused)?;
            }
            for wrong in &done.found {
                writeln!(out, "  Wrong: {wrong}.")?;
            }
            found += done.found.len();
        }
        for room in database.store.imports().await.map_err(|error| database.broke(error))? {
            writeln!(
                out,
                "An import of {} is under way or was broken off; import it again to be rid of it.",
                room.name
            )?;
        }
        database.close().await?;
        match found {
            0 => Ok(writeln!(out, "Everything agrees.")?),
            1 => Err(Error::Failed("One thing does not agree.".to_owned())),
            count => Err(Error::Failed(format!("{count} things do not agree."))),
        }
    }
}
