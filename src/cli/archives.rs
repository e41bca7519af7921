//! What the verbs about whole rooms and databases share: a database that must be there, a room in it, an archive's file.

use std::{
    fs::File,
    io::{self, BufRead, BufReader},
    path::Path,
};

use super::error::Error;
use super::setup::{Setup, open};
use kernel::names;

use crate::service::archive::ArchiveError;
use store::{Address, Room, Store, StoreError};

/// An open database, with its name for messages.
pub(super) struct Database {
    pub(super) store: Store,
    pub(super) path: String,
}

impl Database {
    /// Opens the database of the settings, which must be there: a check or a copy of nothing helps nobody. The right to
    /// write is not needed.
    pub(super) async fn existing(setup: &Setup) -> Result<Self, Error> {
        let database = setup.config()?.database;
        if database.file().is_some_and(|file| !file.is_file()) {
            return Err(Error::Input(format!("There is no database {database}.")));
        }
        let opened = Store::open_to_read(database.expose()).await;
        let store = opened.map_err(|error| Error::Database { path: database.to_string(), error })?;
        Ok(Self { store, path: database.to_string() })
    }

    /// Opens the database of the settings, or makes it.
    pub(super) async fn open_or_make(setup: &Setup) -> Result<Self, Error> {
        let config = setup.config()?;
        Ok(Self { store: open(&config).await?, path: config.database.to_string() })
    }

    /// A room by its name.
    pub(super) async fn room(&self, name: &str) -> Result<Room, Error> {
        let rooms = self.rooms().await?;
        let name = name.strip_prefix('@').unwrap_or(name);
        match rooms.iter().find(|room| names::confusable(&room.name, name)) {
            Some(room) => Ok(room.clone()),
            None => {
                let there: Vec<&str> = rooms.iter().map(|room| room.name.as_str()).collect();
                let there = if there.is_empty() { "none".to_owned() } else { there.join(", ") };
                // Somebody may have taken the address of a database for what belongs there.
                let name = Address::shown(Path::new(name));
                Err(Error::Input(format!("There is no room called {name} in {}. Rooms: {there}.", self.path)))
            }
        }
    }

    /// All rooms.
    pub(super) async fn rooms(&self) -> Result<Vec<Room>, Error> {
        self.store.rooms().await.map_err(|error| self.broke(error))
    }

    /// Closes it.
    pub(super) async fn close(&self) -> Result<(), Error> {
        self.store.close().await.map_err(|error| self.broke(error))
    }

    /// A fault of the database.
    pub(super) fn broke(&self, error: StoreError) -> Error {
        Error::Database { path: self.path.clone(), error }
    }

    /// A fault with an archive.
    pub(super) fn wrong(&self, error: ArchiveError) -> Error {
        match error {
            ArchiveError::Unusable(why) => Error::Failed(why),
            ArchiveError::Store(error) => self.broke(error),
            ArchiveError::Io(error) => Error::Output(error),
        }
    }
}

/// Refuses a file that cannot be written where it is to lie: that is no fault of the database.
pub(super) fn writable_beside(to: &Path) -> Result<(), Error> {
    if Address::instead_of(to) {
        return Err(Error::Input(format!("{} is an address, and no path to write a file to.", Address::shown(to))));
    }
    let folder = to.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !folder.is_dir() {
        return Err(Error::Input(format!("There is no folder {} to write to.", folder.display())));
    }
    if to.exists() {
        // Whoever writes says so, and touches nothing.
        return Ok(());
    }
    let tried = File::create_new(to).and_then(|_| std::fs::remove_file(to));
    tried.map_err(|why| Error::Input(format!("Nothing can be written to {}: {why}.", folder.display())))
}

/// Opens an archive for reading.
pub(super) fn reader(path: &Path) -> io::Result<Box<dyn BufRead + Send>> {
    Ok(Box::new(BufReader::new(File::open(path)?)))
}

/// What is wrong with an archive that was named on the command line.
pub(super) fn unusable(path: &Path, error: ArchiveError) -> Error {
    match error {
        ArchiveError::Unusable(why) => Error::Input(format!("{}: {why}", Address::shown(path))),
        ArchiveError::Io(why) => Error::Input(format!("{} cannot be read: {why}.", Address::shown(path))),
        ArchiveError::Store(error) => Error::Failed(error.to_string()),
    }
}
