//! What proves the entries of an archive: the hashes of their chain, and as many salts as everybody may have.
//!
//! A file for everybody keeps back parts of entries, and the salts of those. Of each it holds the hash, so that the
//! chain can be computed from the file alone. Where a game keeps a fact back for now, one that stands in for it is told
//! without proof. Everything else that is told has to be proved. What hashes are made of is the kernel's business.

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::format::Journalled;
use kernel::{
    Seq,
    chain::{self, Hash, NOTHING_BEFORE, Part},
    engine::stands_in,
};
use store::{Elsewhere, Link, Salts};

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

    /// The proof of an entry for everybody. In it, `stored` is the entry as it is stored, `parts` says where each part
    /// of it stands in the file.
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
    /// How many parts it tells without proof, in the place of what a game keeps back.
    pub unproven: u64,
    /// How many entries have such parts.
    pub unproven_entries: u64,
    /// The first of those entries.
    pub unproven_in: Vec<Seq>,
    /// How many entries something was typed for that is not in the file.
    pub wordless: u64,
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
        let proof = &entry.proof;
        let read = |text: &str| chain::read_hash(text).ok_or_else(|| altered("one of its hashes or salts is none"));
        let stored = read(&proof.stored)?;
        let said = proof.said.as_deref().map(read).transpose()?;
        if let Some(words) = &entry.said {
            let salt = proof.said_salt.as_deref().map(read).transpose()?;
            if salt.is_none() || said.is_none() || salt.map(|salt| chain::said(&salt, &words.text)) != said {
                return Err(altered("its words are not those that were typed"));
            }
        }
        self.proven.wordless += u64::from(said.is_some() && entry.said.is_none());
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
        // `gap` counts what is kept back since the part that was shown last.
        let (mut next, mut gap, mut kept, mut unproven) = (0, 0, 0, 0);
        for leaf in told {
            leaves.push(
                match leaf {
                    Leaf::Kept { hash } => {
                        (gap, kept) = (gap + 1, kept + 1);
                        chain::read_hash(hash)
                    }
                    Leaf::Shown { at, salt } => {
                        // In order, so that nothing can change places.
                        let skipped = parts.iter().skip(next).position(|part| part.at == *at);
                        let place = next + skipped.ok_or_else(|| format!("{at} is not where it is proved"))?;
                        unproven += self.stand_ins(entry, &parts[next..place], gap)?;
                        (next, gap) = (place + 1, 0);
                        chain::read_hash(salt).map(|salt| chain::part(&salt, parts[place].kind, &parts[place].text))
                    }
                }
                .ok_or("one of its hashes or salts is none")?,
            );
        }
        unproven += self.stand_ins(entry, &parts[next..], gap)?;
        self.proven.kept += kept;
        self.proven.unproven += unproven;
        self.proven.unproven_entries += u64::from(unproven > 0);
        if unproven > 0 && self.proven.unproven_in.len() < NAMED_MAX_COUNT {
            self.proven.unproven_in.push(entry.body.entry.seq);
        }
        Ok(leaves)
    }

    /// How many parts of an entry are told without proof at a place where `kept` are kept back. None may say what only
    /// proof could bear out.
    fn stand_ins(&self, entry: &Journalled, told: &[Part], kept: usize) -> Result<u64, String> {
        for Part { at, .. } in told {
            let change = at.starts_with("changes/").then(|| entry.body.json.pointer(&format!("/{at}"))).flatten();
            if !change.is_some_and(stands_in) {
                return Err(format!("its {at} is told without proof, and not as a game tells what it keeps back"));
            }
        }
        if told.len() > kept {
            return Err("it tells more without proof than was kept back there".to_owned());
        }
        Ok(told.len() as u64)
    }
}
