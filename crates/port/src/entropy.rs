//! The one source of chance: seeds of dice, salts of seals, one-time codes, ids, jitter.
//!
//! It is the operating system's generator, by way of `rand`. Games never draw from it: their numbers derive from a room's
//! seed, so that players can check them.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use rand::TryRng as _;
#[expect(clippy::disallowed_types, reason = "this is the one source of chance")]
use rand::rngs::SysRng;
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

    /// A salt for the hashes of a journal, each `what` with its own. The sequence that is the same in every run goes on
    /// as if nobody had asked. What games derive from it does not depend on how many hashes an entry has.
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
    pub fn bytes<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        match self {
            Self::System => SysRng.try_fill_bytes(&mut bytes).expect("the operating system gives random bytes"),
            Self::Fixed(counter) => {
                for chunk in bytes.chunks_mut(32) {
                    let block = Sha256::digest(counter.fetch_add(1, Ordering::Relaxed).to_be_bytes());
                    chunk.copy_from_slice(&block[..chunk.len()]);
                }
            }
        }
        bytes
    }

    /// A number that nobody can foresee.
    ///
    /// # Panics
    ///
    /// As [`Self::bytes`].
    pub fn number(&self) -> u64 {
        u64::from_be_bytes(self.bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_system_gives_is_never_the_same_and_what_is_fixed_always() {
        let system = Entropy::System;
        assert_ne!(system.bytes::<32>(), system.bytes::<32>());
        assert_ne!(system.number(), system.number());
        let drawn = |fixed: &Entropy| (fixed.bytes::<40>(), fixed.number());
        let (one, other) = (Entropy::fixed(), Entropy::fixed());
        assert_eq!(drawn(&one), drawn(&other));
        assert_ne!(one.bytes::<32>(), one.bytes::<32>());
    }
}
