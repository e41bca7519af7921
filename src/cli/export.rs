//! `rulekeeper export`: a room as a file, for everybody or to move it to another database.

use std::{
    fs::File,
    io::{BufWriter, IntoInnerError, Write},
    path::{Path, PathBuf},
};

use super::{archives, error::Error, ruleset, setup::Setup};
use crate::service::archive::{self, Kind, Written};
use kernel::display::counted;
use store::Room;

/// The arguments.
#[derive(Debug, clap::Args)]
pub struct Export {
    /// The room
    room: String,
    /// The file to write, which must not exist yet; without it the history goes to standard output
    file: Option<PathBuf>,
    /// Write secrets and accounts too, to move the room to another database: for nobody but you
    #[arg(long, requires = "file")]
    with_secrets: bool,
    /// Write its rules as they read now, with their laws, as a new folder: to be played again, or kept with others
    #[arg(long, value_name = "DIR", conflicts_with_all = ["file", "with_secrets"])]
    ruleset: Option<PathBuf>,
}

impl Export {
    /// Writes the file, and says what is in it; without one, writes the archive to `out`.
    ///
    /// # Errors
    /// [`Error::Input`] where there is no such database or room, or the file exists; [`Error::Database`],
    /// [`Error::Failed`].
    pub async fn run(self, setup: &Setup, out: &mut (dyn Write + Send)) -> Result<(), Error> {
        let database = archives::Database::existing(setup).await?;
        let room = database.room(&self.room).await?;
        if let Some(folder) = &self.ruleset {
            let read = archive::rules(&database.store, &room).await;
            let (rules, languages) = read.map_err(|error| database.wrong(error))?;
            database.close().await?;
            return ruleset::write(folder, laws::ruleset::folder_of(&rules, &languages, &room.name), out);
        }
        let kind = if self.with_secrets { Kind::Whole } else { Kind::Public };
        let Some(path) = &self.file else {
            archive::export(&database.store, &room, kind, out).await.map_err(|error| database.wrong(error))?;
            return database.close().await;
        };
        archives::writable_beside(path)?;
        let file = create(path, kind)?;
        let written = write(&database, &room, kind, file).await;
        if written.is_err() {
            // Half an archive is of no use to anybody.
            let _ = std::fs::remove_file(path);
        }
        let written = written?;
        let (entries, sha256) = (counted(written.entries, "entry"), &written.sha256);
        database.close().await?;
        let path = path.display();
        match kind {
            Kind::Public => {
                let keeps = written.keeps();
                let head = &written.head;
                writeln!(
                    out,
                    "{path}: the public history of {}, {entries}, digest {sha256}, hash of the last entry {head}.{keeps}",
                    room.name
                )?
            }
            Kind::Whole => writeln!(
                out,
                "{path}: all of {}, {entries}. It holds secret programs and people's accounts: keep it as you \
                 keep the database. Import it elsewhere, and close the room here.",
                room.name
            )?,
        }
        Ok(())
    }
}

/// Makes the file, which may not be there yet; one with secrets is for its owner alone.
fn create(path: &Path, kind: Kind) -> Result<File, Error> {
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if kind == Kind::Whole {
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    }
    options.open(path).map_err(|why| Error::Input(format!("{} cannot be made: {why}.", path.display())))
}

async fn write(database: &archives::Database, room: &Room, kind: Kind, file: File) -> Result<Written, Error> {
    let mut file = BufWriter::new(file);
    let written = archive::export(&database.store, room, kind, &mut file).await;
    let written = written.map_err(|error| database.wrong(error))?;
    file.into_inner().map_err(IntoInnerError::into_error)?.sync_all()?;
    Ok(written)
}
