//! Secrets: unrevealed programs, sealed moves, seeds.
//!
//! They lie in a table of their own, which no export for players and no display reads. Of a secret the journal holds
//! the salted hash. Each secret remembers the person who sealed it. There is no way to list the contents, only the
//! names. The service decides who may read one.

use std::collections::BTreeSet;

use super::Store;
use super::args::args;
use super::db::Tx;
use super::error::{Result, within};
use super::types::{PersonId, RoomId, Sealer, Secret, SecretOp};

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
        let sql = "SELECT salt, body, secrets.whole FROM secrets WHERE room = $1 AND id = $2";
        let row = self.db.read().await?.row(sql, args![room, id]).await?;
        row.map(|row| Ok(Secret { salt: row.bytes(0)?, bytes: row.bytes(1)? })).transpose()
    }

    /// A secret of a room with who sealed it.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn sealed(&self, room: RoomId, id: &str) -> Result<Option<(Secret, Sealer)>> {
        let sql = "SELECT salt, body, person, seat, secrets.whole FROM secrets WHERE room = $1 AND id = $2";
        let row = self.db.read().await?.row(sql, args![room, id]).await?;
        row.map(|row| {
            let sealer = Sealer { person: row.int_or(2)?.map(PersonId), seat: row.text_or(3)? };
            Ok((Secret { salt: row.bytes(0)?, bytes: row.bytes(1)? }, sealer))
        })
        .transpose()
    }

    /// How many of a room's secrets somebody sealed under a seat.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn sealed_under(&self, room: RoomId, seat: &str, person: PersonId) -> Result<u64> {
        let sql = "SELECT COUNT(*) FROM secrets WHERE room = $1 AND seat = $2 AND person = $3";
        let row = self.db.read().await?.row(sql, args![room, seat, person]).await?;
        row.map_or(Ok(0), |row| Ok(row.int(0)?.unsigned_abs()))
    }

    /// Makes what somebody sealed under a seat another's, who may read it from then on; how many secrets that were.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn entrust(&self, room: RoomId, seat: &str, from: PersonId, to: PersonId) -> Result<u64> {
        let mut tx = self.db.write().await?;
        let sql = "UPDATE secrets SET person = $4 WHERE room = $1 AND seat = $2 AND person = $3";
        let moved = tx.execute(sql, args![room, seat, from, to]).await;
        tx.end_with(moved).await
    }

    /// Destroys what somebody sealed in a room, but for what still is to be there.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn destroy_sealed(&self, room: RoomId, person: PersonId, but: &BTreeSet<String>) -> Result<()> {
        let mut tx = self.db.write().await?;
        let destroyed = destroy(&mut tx, room, person, but).await;
        tx.end_with(destroyed).await
    }

    /// The names of a room's secrets, sorted, at most [`SECRETS_LISTED_MAX_COUNT`] of them after `after`.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn secret_ids(&self, room: RoomId, after: &str) -> Result<Vec<String>> {
        let sql = "SELECT id, secrets.whole FROM secrets WHERE room = $1 AND id > $2 ORDER BY id LIMIT $3";
        let rows = self.db.read().await?.rows(sql, args![room, after, SECRETS_LISTED_MAX_COUNT as i64]).await?;
        rows.iter().map(|row| row.text(0)).collect()
    }
}

async fn destroy(tx: &mut Tx, room: RoomId, person: PersonId, but: &BTreeSet<String>) -> Result<()> {
    let sql = "SELECT id, secrets.whole FROM secrets WHERE room = $1 AND person = $2";
    for row in tx.rows(sql, args![room, person]).await? {
        let id = row.text(0)?;
        if !but.contains(&id) {
            tx.execute("DELETE FROM secrets WHERE room = $1 AND id = $2", args![room, &id]).await?;
        }
    }
    Ok(())
}

/// Keeps and deletes secrets, in the transaction of the caller.
pub(super) async fn apply(tx: &mut Tx, room: RoomId, ops: &[SecretOp]) -> Result<()> {
    for op in ops {
        match op {
            SecretOp::Put { id, secret, sealer } => {
                within("A secret, in bytes,", secret.bytes.len(), SECRET_MAX_BYTES)?;
                within("The salt of a secret, in bytes,", secret.salt.len(), SALT_MAX_BYTES)?;
                let sql = "INSERT INTO secrets (room, id, salt, body, person, seat) VALUES ($1, $2, $3, $4, $5, $6) \
                           ON CONFLICT (room, id) DO UPDATE SET salt = $3, body = $4, person = $5, seat = $6";
                let Sealer { person, seat } = sealer;
                let values = args![room, id, &secret.salt[..], &secret.bytes[..], *person, seat.as_deref()];
                tx.execute(sql, values).await?;
            }
            SecretOp::Delete { id } => {
                tx.execute("DELETE FROM secrets WHERE room = $1 AND id = $2", args![room, id]).await?;
            }
        }
    }
    Ok(())
}
