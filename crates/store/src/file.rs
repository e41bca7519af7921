//! How files of a database come by their names.
//!
//! A name stands for a whole file or for none. What is being made lies beside it under another name, and is given the
//! right one when it is on the disk. Nothing here knows what is in the files.

use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::error::{Result, StoreError};

/// What a database keeps beside its file, under the same name and one of these.
const COMPANIONS: [&str; 3] = ["-wal", "-shm", "-journal"];

/// What follows the name of a database in that of one which is being made.
const NEW: &str = ".new-";

/// What follows the name of a copy while it is being made.
const PARTIAL: &str = ".partial";

/// What follows the name of a file in that of the lock which is held while it is being made.
const LOCK: &str = "-lock";

/// The file with `end` added to its name.
pub(super) fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    PathBuf::from(name)
}

/// Makes a file for its owner alone, since it holds secrets. One that is there stays as it is.
pub(super) fn create(path: &Path) -> Result<()> {
    Ok(opened(path).map(drop)?)
}

/// Opens the file that the processes which deliver from a database lock, for as long as they run.
pub(super) fn presence(path: &Path) -> Result<File> {
    Ok(opened(&beside(path, "-serving"))?)
}

/// Opens a file to write to, and makes it for its owner alone where it is not there.
pub(super) fn opened(path: &Path) -> std::io::Result<File> {
    let mut open = std::fs::OpenOptions::new();
    open.write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut open, 0o600);
    open.open(path)
}

/// Whether a process that delivers has a database open.
pub(super) fn is_served(path: &Path) -> bool {
    let file = File::open(beside(path, "-serving"));
    file.is_ok_and(|file| matches!(file.try_lock(), Err(std::fs::TryLockError::WouldBlock)))
}

/// The process that is writing to a database, where the system tells: by the lock of its log. The file with the locks is
/// not opened, because closing it would let go of those that this process has.
#[cfg(target_os = "linux")]
pub(super) fn writer_of(path: &Path) -> Option<u32> {
    /// The byte of the file that is locked by who writes.
    const WRITING: &str = "120";
    /// How often the list of locks is looked through.
    const LISTED_MAX_TRIES: u32 = 5;
    let file = std::os::unix::fs::MetadataExt::ino(&std::fs::metadata(beside(path, "-shm")).ok()?);
    let writer = |lock: &str| {
        // 5: POSIX ADVISORY WRITE 4711 fe:01:131086 120 120
        let [_, _, _, "WRITE", process, place, from, ..] = lock.split_whitespace().collect::<Vec<_>>()[..] else {
            return None;
        };
        let is_it = from == WRITING && place.rsplit(':').next()?.parse() == Ok(file);
        process.parse().ok().filter(|process| is_it && *process > 0)
    };
    // The list is read in pieces, and may change between them.
    (0..LISTED_MAX_TRIES).find_map(|_| std::fs::read_to_string("/proc/locks").ok()?.lines().find_map(writer))
}

/// Elsewhere it does not.
#[cfg(not(target_os = "linux"))]
pub(super) fn writer_of(_: &Path) -> Option<u32> {
    None
}

/// Whether this process may write to a database, or make it, and the files that belong beside it. Touches nothing.
pub(super) fn may_write(path: &Path) -> bool {
    let there =
        COMPANIONS.map(|end| beside(path, end)).into_iter().chain([path.to_owned()]).filter(|path| path.exists());
    is_writable(folder_of(path)) && there.into_iter().all(|path| is_writable(&path))
}

#[cfg(unix)]
fn is_writable(path: &Path) -> bool {
    rustix::fs::access(path, rustix::fs::Access::WRITE_OK).is_ok()
}

/// Elsewhere a file says it of itself, and a folder is found out about by making a file in it.
#[cfg(not(unix))]
fn is_writable(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|meta| meta.is_dir() || !meta.permissions().readonly())
}

/// Removes what processes that were killed have left in the folder of `path`: copies, and new databases of its name. Each has
/// a lock beside it, and nobody holds that of a leftover.
pub(super) fn sweep(path: &Path) {
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return };
    let is_ours =
        |made: &str| made.ends_with(PARTIAL) || made.strip_prefix(name).is_some_and(|rest| rest.starts_with(NEW));
    let Ok(files) = std::fs::read_dir(folder_of(path)) else { return };
    for other in files.filter_map(|file| file.ok()?.file_name().into_string().ok()) {
        if let Some(made) = other.strip_suffix(LOCK).filter(|made| is_ours(made))
            && File::open(path.with_file_name(&other)).is_ok_and(|lock| lock.try_lock().is_ok())
        {
            remove(&path.with_file_name(made));
        }
    }
}

/// Removes a file that was being made, and what belongs to it.
fn remove(path: &Path) {
    let _ = std::fs::remove_file(path);
    for end in COMPANIONS.iter().chain([&LOCK]) {
        let _ = std::fs::remove_file(beside(path, end));
    }
}

/// Makes a file, and a lock beside it that is held for as long as it is being made. The lock is no part of the file,
/// because on some systems it would be in the way of those that SQLite takes.
fn create_locked(path: &Path) -> Result<File> {
    let lock = beside(path, LOCK);
    create(&lock)?;
    let held = File::open(&lock)?;
    if let Err(std::fs::TryLockError::WouldBlock) = held.try_lock() {
        return Err(StoreError::other(format!("another process is making {}", path.display())));
    }
    create(path)?;
    Ok(held)
}

/// A name beside a database that nobody else uses.
fn fresh(path: &Path) -> PathBuf {
    /// Sets apart the names of one process.
    static NAMES: AtomicU64 = AtomicU64::new(0);
    beside(path, &format!("{NEW}{}-{}", std::process::id(), NAMES.fetch_add(1, Ordering::Relaxed)))
}

/// A copy of a database in the making. What is left of it when it is dropped is deleted.
pub(super) struct Partial {
    path: PathBuf,
    _lock: File,
}

impl Partial {
    /// The beginning of the copy that is to be at `path`.
    pub(super) fn of(path: &Path) -> Result<Self> {
        // A copy that was interrupted is of no use to anybody.
        sweep(path);
        let path = beside(path, PARTIAL);
        let lock = create_locked(&path)?;
        Ok(Self { path, _lock: lock })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Syncs the copy and gives it its name.
    pub(super) fn finish(self, path: &Path) -> Result<()> {
        finish(&self.path, path)
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        remove(&self.path);
    }
}

/// Syncs a finished file and gives it its name.
fn finish(partial: &Path, path: &Path) -> Result<()> {
    std::fs::OpenOptions::new().write(true).open(partial)?.sync_all()?;
    std::fs::rename(partial, path)?;
    sync_folder(path)
}

/// A new database in the making. What is left of it when it is dropped is deleted.
pub(super) struct Draft {
    path: PathBuf,
    _lock: File,
}

impl Draft {
    /// The draft of a file that is not there yet; `None` when there is one.
    pub(super) fn of(path: &Path) -> Result<Option<Self>> {
        if path.exists() {
            return Ok(None);
        }
        let path = fresh(path);
        let lock = create_locked(&path)?;
        Ok(Some(Self { path, _lock: lock }))
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
        remove(&self.path);
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or_else(|| Path::new("."))
}

#[cfg(unix)]
fn sync_folder(path: &Path) -> Result<()> {
    Ok(File::open(folder_of(path))?.sync_all()?)
}

/// Elsewhere a folder cannot be opened, and the file system sees to it.
#[cfg(not(unix))]
fn sync_folder(_: &Path) -> Result<()> {
    Ok(())
}
