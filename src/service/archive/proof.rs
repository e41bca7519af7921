//! What proves the entries of an archive: the hashes of their chain, and as many salts as everybody may have.
//!
//! A file for everybody keeps back parts of entries, and the salts of those; of each it holds the hash, so that the
//! chain can be computed from the file alone. A part that a game tells otherwise for now stands there without proof until
//! it may be told. What hashes are made of is the kernel's business.

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::format::Journalled;
use crate::{
    kernel::{
        Seq,
        chain::{self, Hash, NOTHING_BEFORE},
    },
    store::{Elsewhere, Link, Salts},
};

/// Most entries that are named of those with parts that nothing proves.
const NAMED_MAX_COUNT: usize = 10;

/// What proves an entry.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Proof {
    /// The hash of the entry.
    hash: String,
    /// The hash of what the database stores of it.
    stored: String,
    /// The hash of what was typed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    said: Option<String>,
    /// Its salt, where the words are in the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    said_salt: Option<String>,
    /// What all other salts derive from: in a whole archive only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    salt: Option<String>,
    /// What the salts of the parts derive from, where the file holds every part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    key: Option<String>,
    /// The parts one by one, where it does not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    parts: Vec<Leaf>,
}

/// A part of an entry.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum Leaf {
    /// It is in the file.
    Shown {
        /// Where it stands in the entry: `changes/0`.
        at: String,
        /// Its salt.
        salt: String,
    },
    /// It is not.
    Kept {
        /// Its hash.
        hash: String,
    },
}

impl Proof {
    /// The proof of an entry in a whole archive.
    pub(super) fn whole(link: &Link) -> Self {
        Self { salt: Some(hex::encode(link.salt)), said_salt: link.said_salt.map(hex::encode), ..Self::of(link) }
    }

    /// The proof of an entry for everybody: `stored` is the entry as it is stored, `parts` says where each part of it
    /// stands in the file.
    pub(super) fn public(link: &Link, stored: &Json, parts: &[Option<String>], words: bool) -> Self {
        let key = chain::key(&link.salt);
        let mut proof = Self { said_salt: link.said_salt.filter(|_| words).map(hex::encode), ..Self::of(link) };
        if parts.iter().all(Option::is_some) {
            proof.key = Some(hex::encode(key));
            return proof;
        }
        let hashes = chain::leaves(&key, stored);
        let leaves = parts.iter().zip(hashes).enumerate();
        proof.parts = leaves
            .map(|(index, (at, hash))| match at {
                Some(at) => Leaf::Shown { at: at.clone(), salt: hex::encode(chain::part_salt(&key, index)) },
                None => Leaf::Kept { hash: hex::encode(hash) },
            })
            .collect();
        proof
    }

    fn of(link: &Link) -> Self {
        Self {
            hash: hex::encode(link.hash),
            stored: hex::encode(link.stored),
            said: link.said.map(hex::encode),
            said_salt: None,
            salt: None,
            key: None,
            parts: Vec::new(),
        }
    }

    /// What the entry goes on with in another database, out of a whole archive.
    pub(super) fn salts(&self, fresh: Salts) -> Option<Salts> {
        Some(Salts {
            entry: chain::read_hash(self.salt.as_ref()?)?,
            // Without words there is none, and it salts nothing.
            said: self.said_salt.as_ref().map_or(Some(fresh.said), |salt| chain::read_hash(salt))?,
            elsewhere: Some(Elsewhere {
                stored: chain::read_hash(&self.stored)?,
                said: self.said.as_ref().map(|said| chain::read_hash(said).ok_or(())).transpose().ok()?,
            }),
        })
    }
}

/// What the chain of an archive comes to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proven {
    /// How many entries it has.
    pub entries: Seq,
    /// The hash of the last one, in hexadecimal.
    pub head: String,
    /// How many parts of entries the file keeps back.
    pub kept: u64,
    /// How many parts it tells without proof, for now.
    pub unproven: u64,
    /// The first entries with such parts.
    pub unproven_in: Vec<Seq>,
    /// The entry whose hash is the one that was looked for.
    pub found: Option<Seq>,
}

/// A chain on its way through an archive.
pub(super) struct Chain {
    before: Hash,
    sought: Option<Hash>,
    pub(super) proven: Proven,
}

impl Chain {
    pub(super) fn new(sought: Option<Hash>) -> Self {
        Self { before: NOTHING_BEFORE, sought, proven: Proven::default() }
    }

    /// Takes the next entry in; says what is wrong with it.
    pub(super) fn enter(&mut self, entry: &Journalled) -> Result<(), String> {
        let seq = entry.body.entry.seq;
        let altered = |what: &str| format!("entry {seq} was altered: {what}");
        let proof = entry.proof.as_ref().ok_or_else(|| altered("it has no hash"))?;
        let read = |text: &str| chain::read_hash(text).ok_or_else(|| altered("one of its hashes or salts is none"));
        let stored = read(&proof.stored)?;
        let said = proof.said.as_deref().map(read).transpose()?;
        if let Some(words) = &entry.said {
            let salt = proof.said_salt.as_deref().map(read).transpose()?;
            if salt.is_none() || said.is_none() || salt.map(|salt| chain::said(&salt, &words.text)) != said {
                return Err(altered("its words are not those that were typed"));
            }
        }
        let key = match (&proof.salt, &proof.key) {
            (Some(salt), _) => Some(chain::key(&read(salt)?)),
            (None, key) => key.as_deref().map(read).transpose()?,
        };
        let leaves = match key {
            Some(key) => chain::leaves(&key, &entry.body.json),
            None => self.leaves(entry, &proof.parts).map_err(|what| altered(&what))?,
        };
        let hash = chain::link(&self.before, &stored, said.as_ref(), &leaves);
        if hash != read(&proof.hash)? {
            return Err(altered("what stands there, after the entries before it, does not give its hash"));
        }
        if Some(hash) == self.sought {
            self.proven.found = Some(seq);
        }
        self.before = hash;
        self.proven.entries = seq;
        self.proven.head = hex::encode(hash);
        Ok(())
    }

    fn leaves(&mut self, entry: &Journalled, told: &[Leaf]) -> Result<Vec<Hash>, String> {
        let parts = chain::parts(&entry.body.json);
        let mut leaves = Vec::with_capacity(told.len());
        let (mut next, mut shown, mut kept) = (0, 0, 0);
        for leaf in told {
            leaves.push(
                match leaf {
                    Leaf::Kept { hash } => {
                        kept += 1;
                        chain::read_hash(hash)
                    }
                    Leaf::Shown { at, salt } => {
                        // In order, so that nothing can change places.
                        let skipped = parts.iter().skip(next).position(|part| part.at == *at);
                        let place = next + skipped.ok_or_else(|| format!("{at} is not where it is proved"))?;
                        (next, shown) = (place + 1, shown + 1);
                        chain::read_hash(salt).map(|salt| chain::part(&salt, parts[place].kind, &parts[place].text))
                    }
                }
                .ok_or("one of its hashes or salts is none")?,
            );
        }
        let unproven = parts.len() as u64 - shown;
        if unproven > kept {
            return Err("it tells more than was kept back".to_owned());
        }
        self.proven.kept += kept;
        self.proven.unproven += unproven;
        if unproven > 0 && self.proven.unproven_in.len() < NAMED_MAX_COUNT {
            self.proven.unproven_in.push(entry.body.entry.seq);
        }
        Ok(leaves)
    }
}
