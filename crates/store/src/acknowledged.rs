//! The last entry of each room that somebody was told of, beside the file of a database.
//!
//! A file that lost its log, or whose disk took a sync at its word and lost it, agrees with itself: it ends earlier. So
//! what was acknowledged is noted in a second file, a line for each room: its number, the entry, the hash. A line is
//! written once its commit is on the disk, and no sync waits for it. It may be behind, and is never ahead.

use std::fs::File;
use std::io::{ErrorKind, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::Store;
use super::error::{Result, StoreError};
use super::file;
use super::types::RoomId;
use kernel::{Seq, chain::Hash};

/// What follows the name of a database in that of the second file.
const END: &str = "-last";

/// Length of a line, in bytes: two numbers of up to 20 digits and a hash. A sector of a disk holds whole lines, so that a
/// power cut leaves none by half.
const LINE_BYTES: usize = 128;

/// The second file of a database that is a file; made when the first entry is noted.
#[derive(Default)]
pub(super) struct Acknowledged {
    path: Option<PathBuf>,
    file: Mutex<Option<File>>,
    /// What was noted at the moment at which a database is read that goes on.
    still: Option<Vec<Noted>>,
}

/// An entry that was acknowledged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Noted {
    room: RoomId,
    seq: Seq,
    hash: Hash,
}

impl Acknowledged {
    pub(super) fn beside(path: Option<&Path>) -> Self {
        Self { path: path.map(|path| file::beside(path, END)), ..Self::default() }
    }

    /// What is noted by now, whatever is noted later.
    pub(super) fn still(&self) -> Result<Self> {
        Ok(Self { path: self.path.clone(), still: Some(self.read()?), ..Self::default() })
    }

    /// Notes the last entry of a room; nothing where the room is no more.
    pub(super) fn note(&self, room: RoomId, last: Option<(Seq, Hash)>) {
        let Some(path) = &self.path else { return };
        let line = last.map(|(seq, hash)| format!("{} {seq} {}", room.0, hex::encode(hash))).unwrap_or_default();
        if let Err(error) = self.write(path, room, &line) {
            tracing::warn!(%error, path = %path.display(), "what was acknowledged last cannot be noted");
        }
    }

    fn write(&self, path: &Path, room: RoomId, line: &str) -> std::io::Result<()> {
        let mut held = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let file = match &mut *held {
            Some(file) => file,
            none => none.insert(file::opened(path)?),
        };
        let place = u64::try_from(room.0 - 1).unwrap_or_default();
        file.seek(SeekFrom::Start(place * LINE_BYTES as u64))?;
        file.write_all(format!("{line:<width$}\n", width = LINE_BYTES - 1).as_bytes())
    }

    /// What was acknowledged. A line that cannot be read says nothing: whatever stopped its writing was no sync.
    fn read(&self) -> Result<Vec<Noted>> {
        if let Some(still) = &self.still {
            return Ok(still.clone());
        }
        let Some(path) = &self.path else { return Ok(Vec::new()) };
        let mut text = Vec::new();
        match File::open(path) {
            Ok(mut file) => file.read_to_end(&mut text)?,
            // Whoever may read the database alone compares it with nothing.
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::PermissionDenied) => 0,
            Err(error) => return Err(error.into()),
        };
        let noted = |line: &[u8]| {
            let mut words = std::str::from_utf8(line).ok()?.split_whitespace();
            let (room, seq) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
            Some(Noted { room: RoomId(room), seq, hash: hex::decode(words.next()?).ok()?.try_into().ok()? })
        };
        Ok(text.chunks(LINE_BYTES).filter_map(noted).collect())
    }

    /// Forgets all of it: the database that it was about is gone.
    pub(super) fn forget(path: &Path) -> Result<()> {
        match std::fs::remove_file(file::beside(path, END)) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error.into()),
            _ => Ok(()),
        }
    }
}

impl Store {
    /// Entries that were acknowledged and are not in the database any more, and what to do about it, in sentences without
    /// a full stop; nothing for a database on a server or in memory.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn missing(&self) -> Result<Vec<String>> {
        let mut missing = Vec::new();
        for noted in self.acknowledged.read()? {
            match self.compared(noted).await {
                // What is damaged is told where all rows are looked at.
                Ok(None) | Err(StoreError::Corrupt { .. }) => {}
                Ok(Some(what)) => {
                    let path = self.acknowledged.path.as_deref().unwrap_or(Path::new("")).display();
                    missing.push(format!(
                        "{what}. Bring the file that ends in -wal back, or restore a backup. To go on without, delete {path}"
                    ));
                }
                Err(error) => return Err(error),
            }
        }
        Ok(missing)
    }

    async fn compared(&self, Noted { room, seq, hash }: Noted) -> Result<Option<String>> {
        let last = match self.last_seq(room).await {
            Err(StoreError::NoSuchRoom { .. }) => 0,
            last => last?,
        };
        let name = self.room(room).await?.map_or_else(|| format!("room {}", room.0), |room| format!("@{}", room.name));
        Ok(if last < seq {
            let count = seq - last;
            Some(format!(
                "the last {count} entries of {name} are missing: entry {seq} was acknowledged, and the journal ends with entry {last}"
            ))
        } else if self.hash_of(room, seq).await? != Some(hash) {
            Some(format!("entry {seq} of {name} is not the one that was acknowledged"))
        } else {
            None
        })
    }
}
