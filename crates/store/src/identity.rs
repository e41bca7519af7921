//! The identity of a database, which tells it from its copies.
//!
//! Networks know again what was sent to them, by a number that came with it. Numbers of the outbox begin anew in a new
//! database, and go back in one that was restored. So they are told apart by an identity, drawn by chance when the
//! program first starts on a database. A copy has none until then: see [`Store::backup`].

use super::Store;
use super::args::args;
use super::error::{Result, StoreError};

/// How many bytes of chance an identity has: no two databases ever share one.
pub const IDENTITY_LEN_BYTES: usize = 16;

/// Which database it is.
pub type Identity = [u8; IDENTITY_LEN_BYTES];

impl Store {
    /// Which database this is; `None` before somebody said.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn identity(&self) -> Result<Option<Identity>> {
        let row = self.db.read().await?.row("SELECT value, identity.whole FROM identity", &[]).await?;
        let read = |bytes: Vec<u8>| bytes.try_into().map_err(|_| StoreError::corrupt("the identity of the database"));
        row.map(|row| row.bytes(0).and_then(read)).transpose()
    }

    /// Which database this is: `fresh` from now on, where nobody has said before. The caller draws it by chance.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn identify(&self, fresh: Identity) -> Result<Identity> {
        if let Some(known) = self.identity().await? {
            return Ok(known);
        }
        let mut tx = self.db.write().await?;
        let sql = "INSERT INTO identity (only_row, value) VALUES (1, $1) ON CONFLICT (only_row) DO NOTHING";
        let kept = tx.execute(sql, args![&fresh[..]]).await;
        tx.end_with(kept).await?;
        // Another process may have been quicker.
        Ok(self.identity().await?.unwrap_or(fresh))
    }
}
