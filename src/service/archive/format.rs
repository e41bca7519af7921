//! The lines of an archive.
//!
//! Each line is a record: the header, then the entries, then the end with a digest over all lines before it. A whole
//! archive has secrets and people before its end. Reading is bounded by line, so an archive of a million entries needs
//! no more memory than its longest one. Records are read as they stand: whether they make sense is not judged here.

use std::io::{BufRead, Read as _, Write};

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use sha2::{Digest as _, Sha256};

use super::{ArchiveError, proof::Proof};
use crate::games;
use kernel::{Id, Seq, engine::Table, entry::Entry, names};
use port::Account;
use store::{ENTRY_MAX_BYTES, SAID_MAX_BYTES};

/// The version of the format, which this program writes and reads.
pub(super) const FORMAT: u32 = 1;

/// Longest line, in bytes: the largest entry, what it was decided from and the longest text that caused one, all as
/// JSON may have to write them.
pub const ARCHIVE_LINE_MAX_BYTES: usize = 2 * (2 * ENTRY_MAX_BYTES + SAID_MAX_BYTES);

/// What an archive holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// What everybody may know. A room that is opened from it is closed: its secrets stayed behind.
    Public,
    /// Everything, secrets and accounts too. A room that is opened from it goes on.
    Whole,
}

/// A line.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Record {
    /// The first one.
    #[serde(rename = "rulekeeper")]
    Header(Header),
    /// An entry of the journal.
    Entry(Box<Journalled>),
    /// Something sealed.
    Secret(Sealed),
    /// Somebody whom entries name.
    Person(Person),
    /// Who moderates the room.
    Moderator(Moderates),
    /// Who is banned from it.
    Ban(Banned),
    /// The last one.
    End(End),
}

/// What the file is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Header {
    /// The version of the format.
    pub(super) format: u32,
    /// A digest of all that its entries are written as.
    pub(super) shape: String,
    /// What it holds.
    pub(super) kind: Kind,
    /// What is played.
    pub(super) game: String,
    /// What the room is called.
    pub(super) room: String,
}

impl Header {
    /// The game of the archive, before its first entry; refuses one that this program does not read.
    pub(super) fn unopened(&self) -> Result<Box<dyn Table>, ArchiveError> {
        // A word of the file as it may be repeated.
        let game: String =
            self.game.chars().filter(|char| char.is_alphanumeric()).take(names::NAME_MAX_CHARS).collect();
        let table = games::table_for(&game, &self.shape, "The archive");
        table.map_err(|why| ArchiveError::unusable(format!("{why}.")))
    }
}

/// An entry and what caused it.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Journalled {
    /// The entry.
    pub(super) body: Body,
    /// What was typed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) said: Option<Words>,
    /// What it was decided from: in a whole archive only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) act: Option<String>,
    /// The message that it came from: in a whole archive only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) origin: Option<String>,
    /// What proves it.
    pub(super) proof: Proof,
}

/// An entry as it stands in the file, and as it reads, its game's facts unread.
#[derive(Clone, Serialize, Deserialize)]
#[serde(try_from = "Json", into = "Json")]
pub(super) struct Body {
    pub(super) json: Json,
    pub(super) entry: Entry,
}

impl TryFrom<Json> for Body {
    type Error = serde_json::Error;

    fn try_from(json: Json) -> Result<Self, Self::Error> {
        Ok(Self { entry: Entry::deserialize(&json)?, json })
    }
}

impl From<Body> for Json {
    fn from(body: Body) -> Self {
        body.json
    }
}

/// What somebody typed.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Words {
    /// Who.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) person: Option<Id>,
    /// The text, secrets taken out.
    pub(super) text: String,
}

/// Something sealed. It shows itself to nobody by `{:?}`, for it has none.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Sealed {
    pub(super) id: String,
    /// In hexadecimal.
    pub(super) salt: String,
    /// In Base64.
    pub(super) bytes: String,
    /// Who sealed it, where somebody did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) person: Option<Id>,
    /// Under which seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) seat: Option<String>,
}

/// Somebody.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Person {
    pub(super) id: Id,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) name: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) accounts: Vec<Account>,
    /// Of somebody who asked to be forgotten, what their accounts are known again by, in hexadecimal.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) traces: Vec<String>,
}

/// Somebody moderates the room.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Moderates {
    pub(super) person: Id,
    /// In microseconds since 1970.
    pub(super) since: i64,
}

/// Somebody is banned from the room.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Banned {
    pub(super) person: Id,
    pub(super) reason: String,
    /// In microseconds since 1970.
    pub(super) since: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) ends: Option<i64>,
}

/// The end, which tells a whole file from a part of one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct End {
    /// How many entries there are.
    pub(super) entries: Seq,
    /// SHA-256 of all lines before this one, with their line ends, in hexadecimal.
    pub(super) sha256: String,
}

/// Writes records.
pub(super) struct Writer<'a> {
    out: &'a mut (dyn Write + Send),
    digest: Sha256,
    entries: Seq,
}

impl<'a> Writer<'a> {
    pub(super) fn new(out: &'a mut (dyn Write + Send)) -> Self {
        Self { out, digest: Sha256::new(), entries: 0 }
    }

    pub(super) fn put(&mut self, record: &Record) -> Result<(), ArchiveError> {
        self.entries += u64::from(matches!(record, Record::Entry(_)));
        let mut line = serde_json::to_vec(record).map_err(std::io::Error::other)?;
        line.push(b'\n');
        self.digest.update(&line);
        self.out.write_all(&line)?;
        Ok(())
    }

    /// Writes the end.
    pub(super) fn finish(mut self) -> Result<End, ArchiveError> {
        let end = End { entries: self.entries, sha256: hex::encode(std::mem::take(&mut self.digest).finalize()) };
        self.put(&Record::End(end.clone()))?;
        self.out.flush()?;
        Ok(end)
    }
}

/// Reads records, and holds that the file is whole: a header first, entries without a gap, the end last.
pub(super) struct Reader<R> {
    from: R,
    line: u64,
    digest: Sha256,
    last_seq: Seq,
    end: Option<End>,
}

impl<R: BufRead> Reader<R> {
    /// Reads the header.
    pub(super) fn new(from: R) -> Result<(Self, Header), ArchiveError> {
        let mut reader = Self { from, line: 0, digest: Sha256::new(), last_seq: 0, end: None };
        match reader.record() {
            Ok(Some(Record::Header(header))) if header.format == FORMAT => Ok((reader, header)),
            Ok(Some(Record::Header(header))) => Err(ArchiveError::unusable(format!(
                "The archive has format {}, and this program reads format {FORMAT}: use the version that wrote it.",
                header.format
            ))),
            Err(ArchiveError::Io(error)) => Err(error.into()),
            _ => Err(ArchiveError::unusable("That is no archive of a room: it does not begin with the header of one.")),
        }
    }

    /// The next record; nothing after the end.
    pub(super) fn next(&mut self) -> Result<Option<Record>, ArchiveError> {
        if self.end.is_some() {
            return match self.raw()? {
                None => Ok(None),
                Some(_) => Err(ArchiveError::unusable("The archive goes on after its end.")),
            };
        }
        let so_far = hex::encode(self.digest.clone().finalize());
        match self.record()? {
            Some(Record::End(end)) => {
                if end.entries != self.last_seq {
                    let (told, found) = (end.entries, self.last_seq);
                    let why = format!("The archive has {found} entries, and its end says that there are {told}.");
                    return Err(ArchiveError::unusable(why));
                }
                if end.sha256 != so_far {
                    let why = "The archive was altered: its lines do not give the digest that stands at its end.";
                    return Err(ArchiveError::unusable(why));
                }
                self.end = Some(end);
                self.next()
            }
            Some(Record::Header(_)) => Err(self.at("a second header")),
            Some(Record::Entry(entry)) => {
                let expected = self.last_seq + 1;
                if entry.body.entry.seq != expected {
                    return Err(self.at(&format!("entry {} where entry {expected} comes next", entry.body.entry.seq)));
                }
                self.last_seq = expected;
                Ok(Some(Record::Entry(entry)))
            }
            Some(record) => Ok(Some(record)),
            None => Err(ArchiveError::unusable("The archive breaks off: its end is missing.")),
        }
    }

    /// The end, once it was read.
    pub(super) fn end(&self) -> Option<&End> {
        self.end.as_ref()
    }

    /// Says what is wrong with the line that was read last.
    pub(super) fn at(&self, what: &str) -> ArchiveError {
        ArchiveError::unusable(format!("Line {} of the archive: {what}.", self.line))
    }

    fn record(&mut self) -> Result<Option<Record>, ArchiveError> {
        let Some(line) = self.raw()? else { return Ok(None) };
        // The reader's own words would quote what stands there, and a secret may.
        let record =
            serde_json::from_slice(&line).map_err(|why| self.at(&format!("no record (column {})", why.column())))?;
        Ok(Some(record))
    }

    fn raw(&mut self) -> Result<Option<Vec<u8>>, ArchiveError> {
        let mut line = Vec::new();
        let most = ARCHIVE_LINE_MAX_BYTES as u64 + 1;
        if (&mut self.from).take(most).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        self.line += 1;
        if line.len() > ARCHIVE_LINE_MAX_BYTES {
            return Err(self.at(&format!("it has more than {ARCHIVE_LINE_MAX_BYTES} bytes")));
        }
        self.digest.update(&line);
        Ok(Some(line))
    }
}
