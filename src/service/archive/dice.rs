//! Checks every draw against the seed that was promised for it, by the public recipe of [`kernel::dice`].
//!
//! It needs nothing but the journal. A room promises the hash of a seed, draws from it, and reveals it when the next
//! one takes over. Draws of the present epoch cannot be checked by players, and are counted. Whoever holds the secrets
//! of the room can hand the present seed in.

use std::io::BufRead;

use super::{ArchiveError, format::Reader, format::Record, tell};
use crate::service::journal::{READ_PAGE_ENTRIES, unopened_of};
use kernel::{
    Seq,
    dice::{SEED_BYTES, Seed},
    entry::{Change, Draw, Entry},
    frame::FrameFact,
};
use store::{Room, Store};

/// What became of the draws from one seed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Epoch {
    /// Counts seeds from 1.
    pub number: u32,
    /// The hash of the seed, published before it was drawn from.
    pub commitment: String,
    /// The seed, in hexadecimal, once it was revealed.
    pub revealed: Option<String>,
    /// The entries from which and to which it was drawn from; nothing where it never was.
    pub entries: Option<(Seq, Seq)>,
    /// How many numbers were drawn.
    pub draws: u64,
    /// How many of them somebody had fixed in advance, as rehearsals do.
    pub fixed: u64,
}

/// What a journal says about its dice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DiceReport {
    /// Every epoch, in order.
    pub epochs: Vec<Epoch>,
    /// What is not as the recipe gives it: nothing where all is well.
    pub wrong: Vec<String>,
}

/// Checks a room of a store by what its journal reveals.
///
/// # Errors
///
/// [`ArchiveError::Unusable`] where the room or an entry cannot be read, or one is missing; [`ArchiveError::Store`].
pub async fn dice_of_room(store: &Store, room: &Room) -> Result<DiceReport, ArchiveError> {
    unopened_of(store, room).map_err(|fault| ArchiveError::unusable(format!("{fault}.")))?;
    let mut ledger = Ledger::default();
    let last = store.last_seq(room.id).await?;
    let mut next = 1;
    while next <= last {
        let page = store.entries(room.id, next, READ_PAGE_ENTRIES).await?;
        let missing = |next| ArchiveError::unusable(format!("Entry {next} of the room is missing."));
        if page.is_empty() {
            return Err(missing(next));
        }
        for row in page {
            if row.seq != next {
                return Err(missing(next));
            }
            let entry: Entry = serde_json::from_str(&row.json)
                .map_err(|why| ArchiveError::unusable(format!("Entry {} cannot be read: {why}.", row.seq)))?;
            ledger.enter(&entry);
            next = row.seq + 1;
        }
    }
    Ok(ledger.close(None))
}

/// Checks an archive.
///
/// # Errors
///
/// [`ArchiveError::Unusable`] where it is no whole, unaltered archive; [`ArchiveError::Io`].
pub fn dice_of_archive(from: impl BufRead) -> Result<DiceReport, ArchiveError> {
    let mut ledger = Ledger::default();
    let (mut reader, header) = Reader::new(from)?;
    header.unopened()?;
    while let Some(record) = reader.next()? {
        if let Record::Entry(entry) = record {
            ledger.enter(&entry.body.entry);
        }
    }
    Ok(ledger.close(None))
}

/// Draws on their way to the seed that will be revealed for them.
#[derive(Default)]
pub(super) struct Ledger {
    epoch: Option<Epoch>,
    draws: Vec<(Seq, usize, Draw)>,
    report: DiceReport,
}

impl Ledger {
    /// Takes the next entry in.
    pub(super) fn enter(&mut self, entry: &Entry) {
        let facts = || {
            entry.changes.iter().filter_map(|change| match change {
                Change::Frame(fact) => Some(fact),
                _ => None,
            })
        };
        for fact in facts() {
            if let FrameFact::Opened { commitment, .. } = fact {
                self.begin(1, commitment);
            }
        }
        self.draw(entry);
        // The draws of the entry that changes the seed are from the old one.
        for fact in facts() {
            if let FrameFact::Reseeded { epoch, commitment, revealed, until } = fact {
                if *until != entry.seq {
                    self.wrong(format!("entry {} reveals a seed as of entry {until}", entry.seq));
                }
                self.reveal(revealed);
                self.begin(*epoch, commitment);
            }
        }
    }

    /// Ends the report; `present` is the seed in use, where it is known.
    pub(super) fn close(mut self, present: Option<&Seed>) -> DiceReport {
        if let Some(seed) = present {
            self.compare(seed);
        }
        self.report.epochs.extend(self.epoch.take());
        self.report
    }

    fn begin(&mut self, number: u32, commitment: &str) {
        let expected = self.report.epochs.last().map_or(1, |epoch| epoch.number + 1);
        if number != expected || self.epoch.is_some() {
            self.wrong(format!("epoch {number} begins where epoch {expected} comes next"));
        }
        self.report.epochs.extend(self.epoch.take());
        let commitment = commitment.to_owned();
        self.epoch = Some(Epoch { number, commitment, revealed: None, entries: None, draws: 0, fixed: 0 });
        self.draws.clear();
    }

    fn draw(&mut self, entry: &Entry) {
        if entry.draws.is_empty() {
            return;
        }
        let Some(epoch) = &mut self.epoch else {
            return self.wrong(format!("entry {} draws before a seed was promised", entry.seq));
        };
        epoch.draws += entry.draws.len() as u64;
        epoch.fixed += entry.draws.iter().filter(|draw| draw.fixed).count() as u64;
        epoch.entries = Some((epoch.entries.map_or(entry.seq, |(first, _)| first), entry.seq));
        let drawn = entry.draws.iter().enumerate().filter(|(_, draw)| !draw.fixed);
        self.draws.extend(drawn.map(|(index, draw)| (entry.seq, index, draw.clone())));
    }

    fn reveal(&mut self, revealed: &str) {
        let seed = hex::decode(revealed).ok().and_then(|bytes| <[u8; SEED_BYTES]>::try_from(bytes).ok()).map(Seed);
        match seed {
            Some(seed) => self.compare(&seed),
            None => self.wrong("a revealed seed is no seed".to_owned()),
        }
        if let Some(mut epoch) = self.epoch.take() {
            epoch.revealed = Some(revealed.to_owned());
            self.report.epochs.push(epoch);
        }
    }

    fn compare(&mut self, seed: &Seed) {
        let Some(epoch) = &self.epoch else { return };
        let number = epoch.number;
        if seed.commitment() != epoch.commitment {
            return self.wrong(format!("the seed of epoch {number} is not the one whose hash was promised"));
        }
        for (seq, index, draw) in std::mem::take(&mut self.draws) {
            let given = seed.number(seq, index, draw.bound);
            if given != draw.got {
                let Draw { label, bound, got, .. } = draw;
                self.wrong(format!(
                    "entry {seq}, draw {index} ({label}): {got} of {bound} stands there, and the seed of epoch {number} gives {given}"
                ));
            }
        }
    }

    fn wrong(&mut self, what: String) {
        tell(&mut self.report.wrong, what);
    }
}

impl std::fmt::Display for DiceReport {
    /// A line for each epoch, then one for each fault.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for Epoch { number, commitment, revealed, entries, draws, fixed } in &self.epochs {
            write!(f, "Epoch {number}: ")?;
            match entries {
                Some((first, last)) if first == last => write!(f, "{draws} drawn in entry {first}")?,
                Some((first, last)) => write!(f, "{draws} drawn in entries {first} to {last}")?,
                None => write!(f, "nothing drawn")?,
            }
            if *fixed > 0 {
                write!(f, ", {fixed} of them fixed in advance")?;
            }
            match revealed {
                Some(seed) => writeln!(f, "; seed {seed}, hash {commitment}.")?,
                None => writeln!(f, "; still open: its seed is not revealed, its hash is {commitment}.")?,
            }
        }
        for wrong in &self.wrong {
            writeln!(f, "Wrong: {wrong}.")?;
        }
        Ok(())
    }
}
