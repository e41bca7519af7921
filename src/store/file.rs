//! How files of a database come by their names.
//!
//! A name stands for a whole file or for none: what is being made lies beside it under another name, and is given the
//! right one when it is on the disk. Nothing here knows what is in the files.

use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::error::Result;

/// What a database keeps beside its file, under the same name and one of these.
const COMPANIONS: [&str; 3] = ["-wal", "-shm", "-journal"];

/// The file with `end` added to its name.
pub(super) fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    PathBuf::from(name)
}

/// Makes a file for its owner alone, since it holds secrets. One that is there stays as it is.
pub(super) fn create(path: &Path) -> Result<()> {
    let mut open = std::fs::OpenOptions::new();
    open.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut open, 0o600);
    match open.open(path) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(error.into()),
        _ => Ok(()),
    }
}

/// Opens the file that the processes which deliver from a database lock, for as long as they run.
pub(super) fn presence(path: &Path) -> Result<File> {
    let path = beside(path, "-serving");
    create(&path)?;
    Ok(std::fs::OpenOptions::new().write(true).open(path)?)
}

/// Syncs a finished file and gives it its name.
pub(super) fn finish(partial: &Path, path: &Path) -> Result<()> {
    std::fs::OpenOptions::new().write(true).open(partial)?.sync_all()?;
    std::fs::rename(partial, path)?;
    sync_folder(path)
}

/// A new database in the making. What is left of it when it is dropped is deleted.
pub(super) struct Draft {
    path: PathBuf,
}

impl Draft {
    /// The draft of a file that is not there yet; `None` when there is one.
    pub(super) fn of(path: &Path) -> Option<Self> {
        /// Sets apart the drafts of one process.
        static DRAFTS: AtomicU64 = AtomicU64::new(0);
        if path.exists() {
            return None;
        }
        let number = DRAFTS.fetch_add(1, Ordering::Relaxed);
        Some(Self { path: beside(path, &format!(".new-{}-{number}", std::process::id())) })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Gives the closed draft its name, unless somebody else was quicker: then theirs is as good.
    pub(super) fn publish(self, path: &Path) -> Result<()> {
        match std::fs::hard_link(&self.path, path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
            // Not every file system has links. Renaming serves as well, unless two make the same database in one instant.
            Err(_) if !path.exists() => finish(&self.path, path),
            Err(error) => Err(error.into()),
            Ok(()) => sync_folder(path),
        }
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
        for end in COMPANIONS {
            let _ = std::fs::remove_file(beside(&self.path, end));
        }
    }
}

#[cfg(unix)]
fn sync_folder(path: &Path) -> Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or_else(|| Path::new("."));
    Ok(File::open(folder)?.sync_all()?)
}

/// Elsewhere a folder cannot be opened, and the file system sees to it.
#[cfg(not(unix))]
fn sync_folder(_: &Path) -> Result<()> {
    Ok(())
}
