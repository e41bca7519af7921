//! A room as a file, and the proof that a journal is what it says.
//!
//! A public archive is what everybody may know: what happened, what was said, what was drawn. A whole one moves a room
//! to another database: it holds secrets and accounts, and is for the operator alone. Both are lines of JSON, one
//! record a line, with a digest at the end. Persons are numbered anew in each, so that two files cannot be laid side by
//! side.
//!
//! ```text
//! format          what stands in the lines, and reading and writing them within bounds
//! persons         ids of people in entries
//! export, import  a room out of a store, and into one
//! proof           the hashes that come with entries, and the chain that they make
//! verify, dice    a journal against its hashes, snapshots, promises and seeds
//! ```

mod dice;
mod export;
mod format;
mod import;
mod persons;
mod proof;
mod verify;

pub use dice::{DiceReport, Epoch, dice_of_archive, dice_of_room};
pub use export::{Written, export, rules};
pub use format::{ARCHIVE_LINE_MAX_BYTES, Kind};
pub use import::{Checked, Imported, Opener, check, import, prove};
pub use proof::Proven;
pub use verify::{Verified, replay, verify, verify_against};

use std::io;

use store::StoreError;

/// How an instant stands in the name of a file: `20261102T100000Z`.
pub const FILE_STAMP: &str = "%Y%m%dT%H%M%SZ";

/// Most faults of a journal or an archive that are told one by one: the first ones say enough.
const TOLD_MAX_COUNT: usize = 20;

/// Why a room could not be written or read as a file.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// What was handed in cannot be used, in a sentence for whoever did.
    #[error("{0}")]
    Unusable(String),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The file cannot be read or written.
    #[error("The file failed: {0}.")]
    Io(#[from] io::Error),
}

impl ArchiveError {
    fn unusable(why: impl Into<String>) -> Self {
        Self::Unusable(why.into())
    }
}

/// Adds a sentence, unless there are [`TOLD_MAX_COUNT`] already.
fn tell(found: &mut Vec<String>, what: impl Into<String>) {
    match found.len() {
        0..TOLD_MAX_COUNT => found.push(what.into()),
        TOLD_MAX_COUNT => found.push("there is more".to_owned()),
        _ => {}
    }
}
