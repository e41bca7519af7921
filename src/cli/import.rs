//! `rulekeeper import`: a room, from an exported file.

use std::{io::Write, path::PathBuf};

use super::{archives, error::Error, setup::Setup};
use crate::service::archive::{self, ArchiveError, Kind};
use kernel::doer::Doer;
use port::clock::Clock;
use port::entropy::Entropy;

/// How journals know whoever sits at the command line.
const OPERATOR: &str = "operator";

/// The arguments.
#[derive(Debug, clap::Args)]
pub struct Import {
    /// The exported file
    file: PathBuf,
    /// What the room is called here, instead of its name in the file
    #[arg(long)]
    name: Option<String>,
}

impl Import {
    /// Checks the file and opens a room from it, in a new database where there is none.
    ///
    /// # Errors
    /// [`Error::Input`] with what is wrong with the file or the name; [`Error::Database`].
    pub async fn run(self, setup: &Setup, out: &mut (dyn Write + Send)) -> Result<(), Error> {
        // Before the file is read: a setting that cannot be used is refused by every verb alike.
        setup.config()?;
        let open = || archives::reader(&self.file);
        let checked = archive::check(&open).map_err(|error| archives::unusable(&self.file, error))?;
        let database = archives::Database::open_or_make(setup).await?;
        let name = self.name.as_deref().unwrap_or(checked.room()).to_owned();
        let by = Doer { person: OPERATOR.into(), name: OPERATOR.to_owned() };
        let now = Clock::System.now();
        let imported = archive::import(&database.store, &Entropy::System, now, (&name, by), &checked, &open).await;
        let imported = imported.map_err(|error| match error {
            ArchiveError::Store(error) => database.broke(error),
            error => archives::unusable(&self.file, error),
        })?;
        database.close().await?;
        writeln!(
            out,
            "@{} ({}) holds the {} entries of that archive.",
            imported.name, imported.game, imported.entries
        )?;
        match imported.kind {
            Kind::Whole => writeln!(
                out,
                "It goes on from where it was: what fell due since happens when the program starts. Make sure that it \
                 no longer runs where it came from."
            )?,
            Kind::Public => writeln!(
                out,
                "Its secrets are not in the file, so the room is closed. Nothing goes on, and everything can be looked at by \
                 its name: “@{0} show” lists what, “@{0} rules” shows the rules.",
                imported.name
            )?,
        }
        if imported.fixed > 0 {
            writeln!(out, "{} of its draws were fixed in advance, as rehearsals do.", imported.fixed)?;
        }
        writeln!(out, "A program that runs on this database already sees the room when it is started again.")?;
        Ok(())
    }
}
