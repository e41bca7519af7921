//! When a process last saw that its clock stands right, so that the next one notices where it jumped meanwhile.
//!
//! The service judges what counts as a jump.

use super::Store;
use super::args::args;
use super::error::Result;

impl Store {
    /// The last heartbeat, with `true`; in a database that has had none yet, when its last entry was written down, with
    /// `false`.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn last_alive(&self) -> Result<(Option<i64>, bool)> {
        let sql = "SELECT (SELECT at FROM heartbeat), (SELECT recorded FROM entries ORDER BY id DESC LIMIT 1), \
                   (SELECT heartbeat.whole FROM heartbeat) IS NOT FALSE \
                   AND (SELECT entries.whole FROM entries ORDER BY id DESC LIMIT 1) IS NOT FALSE AS whole";
        let Some(row) = self.db.read().await?.row(sql, &[]).await? else { return Ok((None, false)) };
        let beat = row.int_or(0)?;
        Ok((beat.map_or_else(|| row.int_or(1), |at| Ok(Some(at)))?, beat.is_some()))
    }

    /// Writes down that the clock stands right at an instant.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn beat(&self, now: i64) -> Result<()> {
        let mut tx = self.db.write_lazily_beside().await?;
        let sql = "INSERT INTO heartbeat (id, at) VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET at = $1";
        let beaten = tx.execute(sql, args![now]).await.map(drop);
        tx.end_with(beaten).await
    }
}
