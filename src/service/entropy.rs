//! The one source of chance: seeds of dice, salts of seals, one-time codes.
//!
//! Games never draw from it: their numbers derive from a room's seed, so that players can check them.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use sha2::{Digest, Sha256};

/// Where chance comes from.
#[derive(Clone, Debug)]
pub enum Entropy {
    /// The operating system.
    System,
    /// A sequence that is the same in every run: rehearsals and tests only.
    Fixed(Arc<AtomicU64>),
}

impl Entropy {
    /// The same sequence in every run.
    pub fn fixed() -> Self {
        Self::Fixed(Arc::default())
    }

    /// A salt for the hashes of a journal, each `what` with its own. The sequence that is the same in every run goes on as if
    /// nobody had asked: what games derive from it does not depend on how many hashes an entry has.
    pub fn salt(&self, what: &str) -> [u8; 32] {
        match self {
            Self::System => self.bytes(),
            Self::Fixed(counter) => Sha256::digest(format!("{what} {}", counter.load(Ordering::Relaxed))).into(),
        }
    }

    /// So many bytes that nobody can foresee.
    ///
    /// # Panics
    ///
    /// When the operating system gives none: nothing secret can be made then.
    #[expect(clippy::disallowed_methods, reason = "this is the one source of chance")]
    pub fn bytes<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        match self {
            Self::System => getrandom::fill(&mut bytes).expect("the operating system gives random bytes"),
            Self::Fixed(counter) => {
                for chunk in bytes.chunks_mut(32) {
                    let block = Sha256::digest(counter.fetch_add(1, Ordering::Relaxed).to_be_bytes());
                    chunk.copy_from_slice(&block[..chunk.len()]);
                }
            }
        }
        bytes
    }
}
