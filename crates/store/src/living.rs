//! Messages that are edited as what they show goes on: where each stands, and what it showed last.
//!
//! A row can go: then its message stays as it stands. So what many rooms show at once is bounded.

use super::Store;
use super::args::args;
use super::db::Tx;
use super::error::{Result, within};
use super::types::RoomId;
use port::ForumAddress;

/// Most messages of a room that are kept up to date; the oldest give way.
pub const LIVING_MAX_COUNT: i64 = 250;

/// Longest id of a message, and longest name of a display, in bytes.
pub const LIVING_NAME_MAX_BYTES: usize = 512;

/// A message that shows a display of a room, as it goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Living {
    /// Its number here.
    pub id: i64,
    /// Of which room.
    pub room: RoomId,
    /// The channel or thread that it stands in.
    pub forum: ForumAddress,
    /// Its id there.
    pub message: String,
    /// Which display it shows.
    pub display: String,
    /// What it showed last, as a hash.
    pub shown: String,
}

impl Store {
    /// Keeps a message up to date from now on. Its number is not looked at; one that is kept already stays.
    ///
    /// # Errors
    /// [`super::StoreError::TooLarge`] beyond [`LIVING_NAME_MAX_BYTES`].
    pub async fn keep_living(&self, living: &Living) -> Result<()> {
        self.keep_living_within(living, LIVING_MAX_COUNT).await
    }

    pub(super) async fn keep_living_within(&self, living: &Living, most: i64) -> Result<()> {
        within("The name of a display, in bytes,", living.display.len(), LIVING_NAME_MAX_BYTES)?;
        within("The id of a message, in bytes,", living.message.len(), LIVING_NAME_MAX_BYTES)?;
        let mut tx = self.db.write_lazily().await?;
        let kept = keep(&mut tx, living, most).await;
        tx.end_with(kept).await
    }

    /// The messages of a room at a service that are kept up to date, oldest first.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn living(&self, room: RoomId, service: &str) -> Result<Vec<Living>> {
        let sql = "SELECT id, channel, message, display, shown, living.whole FROM living WHERE room = $1 AND service = $2 ORDER BY id";
        let rows = self.db.read().await?.rows(sql, args![room.0, service]).await?;
        let living = |row: &super::db::Row| {
            Ok(Living {
                id: row.int(0)?,
                room,
                forum: ForumAddress { service: service.to_owned(), channel: row.text(1)? },
                message: row.text(2)?,
                display: row.text(3)?,
                shown: row.text(4)?,
            })
        };
        rows.iter().map(living).collect()
    }

    /// The message of this id, where it is kept up to date.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn living_at(&self, forum: &ForumAddress, message: &str) -> Result<Option<Living>> {
        let sql = "SELECT id, room, display, shown, living.whole FROM living WHERE service = $1 AND channel = $2 AND message = $3";
        let values = args![&forum.service, &forum.channel, message];
        let row = self.db.read().await?.row(sql, values).await?;
        let living = |row: super::db::Row| {
            Ok(Living {
                id: row.int(0)?,
                room: RoomId(row.int(1)?),
                forum: forum.clone(),
                message: message.to_owned(),
                display: row.text(2)?,
                shown: row.text(3)?,
            })
        };
        row.map(living).transpose()
    }

    /// A message shows something else from now on.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn revised_living(&self, id: i64, shown: &str) -> Result<()> {
        let mut tx = self.db.write_lazily_beside().await?;
        let revised = tx.execute("UPDATE living SET shown = $2 WHERE id = $1", args![id, shown]).await.map(drop);
        tx.end_with(revised).await
    }

    /// A message is not kept up to date any more.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn drop_living(&self, id: i64) -> Result<()> {
        let mut tx = self.db.write_lazily_beside().await?;
        let dropped = tx.execute("DELETE FROM living WHERE id = $1", args![id]).await.map(drop);
        tx.end_with(dropped).await
    }
}

async fn keep(tx: &mut Tx, living: &Living, most: i64) -> Result<()> {
    let Living { room, forum, message, display, shown, .. } = living;
    let sql = "SELECT id, living.whole FROM living WHERE service = $1 AND channel = $2 AND message = $3";
    if !tx.rows(sql, args![&forum.service, &forum.channel, message]).await?.is_empty() {
        return Ok(());
    }
    let sql = "INSERT INTO living (room, service, channel, message, display, shown) VALUES ($1, $2, $3, $4, $5, $6)";
    tx.execute(sql, args![room.0, &forum.service, &forum.channel, message, display, shown]).await?;
    let sql = "DELETE FROM living WHERE room = $1 AND id <= \
               (SELECT id FROM living WHERE room = $1 ORDER BY id DESC LIMIT 1 OFFSET $2)";
    tx.execute(sql, args![room.0, most]).await?;
    Ok(())
}
