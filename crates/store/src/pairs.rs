//! Results of jousts between two programs, kept so that a newcomer costs ten pairs and not fifty-five.
//!
//! A cache: any row can go, because the pair can be played again. One that is damaged counts as gone. Keys are made by
//! the caller from both programs and every figure that matters, and name no program.

use super::Store;
use super::args::args;
use super::db::Tx;
use super::error::{Result, within};

/// Most results that are kept: the pairs of some hundred full hills, in some tens of megabytes.
pub const PAIRS_MAX_COUNT: u64 = 100_000;

/// Results dropped beyond the bound when it is reached, so that not every write has to drop some.
const PAIRS_SLACK: u64 = PAIRS_MAX_COUNT / 16;

/// Most results that are asked for or put at a time: a hill of a hundred programs against itself.
pub const PAIRS_AT_ONCE_MAX_COUNT: usize = 5000;

/// Longest key, in bytes: two hashes and the figures.
pub const PAIR_KEY_MAX_BYTES: usize = 512;

/// Longest result, in bytes: every length and polarity in JSON.
pub const PAIR_OUTCOMES_MAX_BYTES: usize = 64 * 1024;

/// How exactly it is kept when a result was last used, in microseconds: a day, so that reading seldom writes.
const USED_GRAIN_MICROS: i64 = 86_400_000_000;

impl Store {
    /// The results that are kept under these keys, in their order, and marks them as used at `now`.
    ///
    /// # Errors
    /// [`super::StoreError::TooLarge`] for more than [`PAIRS_AT_ONCE_MAX_COUNT`] keys.
    pub async fn pairs(&self, keys: &[String], now: i64) -> Result<Vec<Option<Vec<u8>>>> {
        within("The list of pairs", keys.len(), PAIRS_AT_ONCE_MAX_COUNT)?;
        let mut found = Vec::with_capacity(keys.len());
        let mut stale = Vec::new();
        {
            let mut reader = self.db.read().await?;
            for key in keys {
                let sql = "SELECT outcomes, used FROM pair_results WHERE key = $1 AND pair_results.whole";
                let row = reader.row(sql, args![key]).await?;
                if let Some(row) = &row
                    && row.int(1)? < now.saturating_sub(USED_GRAIN_MICROS)
                {
                    stale.push(key);
                }
                found.push(row.map(|row| row.bytes(0)).transpose()?);
            }
        }
        if !stale.is_empty() {
            let mut tx = self.db.write_lazily().await?;
            for key in stale {
                tx.execute("UPDATE pair_results SET used = $2 WHERE key = $1", args![key, now]).await?;
            }
            tx.commit().await?;
        }
        Ok(found)
    }

    /// Keeps results under their keys, and drops those that were not used for longest when there are too many.
    ///
    /// # Errors
    /// [`super::StoreError::TooLarge`] for a key, a result or a list beyond its bound.
    pub async fn put_pairs(&self, pairs: &[(String, Vec<u8>)], now: i64) -> Result<()> {
        self.put_pairs_within(pairs, now, PAIRS_MAX_COUNT, PAIRS_SLACK).await
    }

    pub(super) async fn put_pairs_within(
        &self,
        pairs: &[(String, Vec<u8>)],
        now: i64,
        max: u64,
        slack: u64,
    ) -> Result<()> {
        within("The list of pairs", pairs.len(), PAIRS_AT_ONCE_MAX_COUNT)?;
        for (key, outcomes) in pairs {
            within("The key of a pair, in bytes,", key.len(), PAIR_KEY_MAX_BYTES)?;
            within("The result of a pair, in bytes,", outcomes.len(), PAIR_OUTCOMES_MAX_BYTES)?;
        }
        let mut tx = self.db.write_lazily().await?;
        let put = put(&mut tx, pairs, now, max, slack).await;
        tx.end_with(put).await
    }
}

async fn put(tx: &mut Tx, pairs: &[(String, Vec<u8>)], now: i64, max: u64, slack: u64) -> Result<()> {
    for (key, outcomes) in pairs {
        let sql = "DELETE FROM pair_results WHERE key = $1 AND pair_results.whole IS NOT TRUE";
        tx.execute(sql, args![key]).await?;
        let sql = "INSERT INTO pair_results (key, outcomes, used) VALUES ($1, $2, $3) \
                   ON CONFLICT (key) DO UPDATE SET outcomes = $2, used = $3";
        tx.execute(sql, args![key, &outcomes[..], now]).await?;
    }
    let row = tx.row("SELECT COUNT(*) FROM pair_results", &[]).await?;
    let kept = row.map_or(Ok(0), |row| row.count(0))?;
    if kept > max {
        let sql = "DELETE FROM pair_results WHERE key IN \
                   (SELECT key FROM pair_results ORDER BY used, key LIMIT $1)";
        tx.execute(sql, args![kept - max + slack]).await?;
    }
    Ok(())
}
