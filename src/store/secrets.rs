//! Secrets: unrevealed programs, sealed moves, seeds.
//!
//! They lie in a table of their own, which no export for players and no display reads. What the journal holds of a
//! secret is its salted hash. There is no way to list the contents, only the names.

use super::Store;
use super::db::{Tx, args};
use super::error::{Result, within};
use super::types::{RoomId, Secret, SecretOp};

/// Longest secret, in bytes: the largest program that the joust takes, and what wraps it.
pub const SECRET_MAX_BYTES: usize = 1024 * 1024 + 4 * 1024;

/// Longest salt, in bytes: twice what a hash gives.
pub const SALT_MAX_BYTES: usize = 64;

/// Most names of secrets that are listed for one room.
pub const SECRETS_LISTED_MAX_COUNT: usize = 10_000;

impl Store {
    /// A secret of a room.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn get_secret(&self, room: RoomId, id: &str) -> Result<Option<Secret>> {
        let sql = "SELECT salt, body FROM secrets WHERE room = $1 AND id = $2";
        let row = self.db.read().await?.row(sql, args![room, id]).await?;
        row.map(|row| Ok(Secret { salt: row.bytes(0)?, bytes: row.bytes(1)? })).transpose()
    }

    /// The names of a room's secrets, sorted, at most [`SECRETS_LISTED_MAX_COUNT`] of them after `after`.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn secret_ids(&self, room: RoomId, after: &str) -> Result<Vec<String>> {
        let sql = "SELECT id FROM secrets WHERE room = $1 AND id > $2 ORDER BY id LIMIT $3";
        let rows = self.db.read().await?.rows(sql, args![room, after, SECRETS_LISTED_MAX_COUNT as i64]).await?;
        rows.iter().map(|row| row.text(0)).collect()
    }
}

/// Keeps and deletes secrets, in the transaction of the caller.
pub(super) async fn apply(tx: &mut Tx, room: RoomId, ops: &[SecretOp]) -> Result<()> {
    for op in ops {
        match op {
            SecretOp::Put { id, secret } => {
                within("A secret, in bytes,", secret.bytes.len(), SECRET_MAX_BYTES)?;
                within("The salt of a secret, in bytes,", secret.salt.len(), SALT_MAX_BYTES)?;
                let sql = "INSERT INTO secrets (room, id, salt, body) VALUES ($1, $2, $3, $4) \
                           ON CONFLICT (room, id) DO UPDATE SET salt = $3, body = $4";
                tx.execute(sql, args![room, id, &secret.salt[..], &secret.bytes[..]]).await?;
            }
            SecretOp::Delete { id } => {
                tx.execute("DELETE FROM secrets WHERE room = $1 AND id = $2", args![room, id]).await?;
            }
        }
    }
    Ok(())
}
