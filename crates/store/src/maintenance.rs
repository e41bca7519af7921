//! What an operator does to a database as a whole: copy it, check it, bring one back, move a room in.
//!
//! Replaying a journal against its snapshots is the service's business, for only it knows what an entry means; it reads
//! pages of entries like everybody. So is the format of an export. What goes into one is read through the ordinary
//! functions, and comes back as commits into a room that is being imported.

use std::path::Path;
use std::sync::Arc;

use super::acknowledged::Acknowledged;
use super::args::args;
use super::check::{self, import_mark};
use super::db::{Conn, Connector, Db};
use super::error::{Result, StoreError};
use super::types::{Options, Room, RoomId};
use super::{Address, Store, not_ours, rooms, tables};

impl Store {
    /// Writes a compact copy of the whole database to a file that does not exist yet. Commits go on meanwhile; the copy
    /// holds what was committed when it began, on the disk, under its name only once it is whole. It is another database, so it
    /// has no [identity](Self::identity) yet.
    ///
    /// # Errors
    /// [`StoreError::Exists`], [`StoreError::Full`]; [`StoreError::Corrupt`] where the database is damaged: a compact copy
    /// is made of the values alone, and would hide it.
    pub async fn backup(&self, to: &Path) -> Result<()> {
        match self.db.connector().beholder().await? {
            Some(mut conn) => {
                let to = to.to_owned();
                // A task of its own, because the database goes on copying when the caller goes away, and then nobody
                // would tidy up after it.
                let copying = tokio::spawn(async move {
                    let copied = copy(&mut conn, "the database", &to).await;
                    conn.close().await?;
                    copied
                });
                copying.await.map_err(StoreError::other)?
            }
            None => copy(&mut *self.db.outside().await?, "the database", to).await,
        }
    }

    /// Checks a backup and puts a copy of it where no database is yet. Works on files alone; no store is open at either.
    ///
    /// # Errors
    /// [`StoreError::Exists`] when there is something at `to`; [`StoreError::OtherSchema`], [`StoreError::Foreign`] and
    /// [`StoreError::Corrupt`] when the backup is of no use.
    pub async fn restore(backup: &Path, to: &Path) -> Result<()> {
        let name = Address::shown(backup);
        if to.exists() {
            return Err(StoreError::Exists { path: Address::shown(to) });
        }
        let connector = Connector::file(backup, Options::default());
        let missing = || StoreError::other(format!("there is no backup at {name}"));
        let mut conn = connector.visitor().await?.ok_or_else(missing)?;
        let restored = restore(&mut conn, &name, to).await;
        conn.close().await?;
        restored.map_err(|error| not_ours(error, &name))
    }

    /// Reads the whole database and says what contradicts itself in it, as the database sees it: nothing when all is
    /// well. Commits go on meanwhile.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn complaints(&self) -> Result<Vec<String>> {
        let missing = self.missing().await?;
        let beholder = if self.db.is_alone() { None } else { self.db.connector().beholder().await? };
        let is_file = self.db.connector().path().is_some();
        let (mut found, schema) = match beholder {
            Some(mut conn) => {
                let found = complaints(&mut conn).await;
                conn.close().await?;
                found?
            }
            None => complaints(&mut *self.db.outside().await?).await?,
        };
        found.extend(missing);
        if !is_file && !self.db.is_ours_alone() {
            return Ok(found);
        }
        let fresh = Self::open(":memory:", Options::default()).await?;
        let made = check::schema(&mut *fresh.db.outside().await?).await?;
        if schema != made {
            let other =
                schema.iter().find(|object| !made.contains(object)).or(made.iter().find(|it| !schema.contains(it)));
            let what = other.map_or("", |object| object.split(" CREATE").next().unwrap_or_default());
            found.push(format!("the schema is not what this program makes ({what})"));
        }
        Ok(found)
    }

    /// The database as it is at this moment, for as long as the store that is given is open. Whatever is committed
    /// meanwhile is not in it, and nothing can be written to it. A database in memory goes on.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn still(&self) -> Result<Self> {
        if self.db.is_alone() {
            return Ok(self.clone());
        }
        let connector = self.db.connector().clone();
        // Before what it is compared with: what is acknowledged later is not in there.
        let acknowledged = Arc::new(self.acknowledged.still()?);
        let conn = connector.reader().await?;
        Ok(Self { acknowledged, ..Self::of(Db::still(connector, conn).await?) })
    }

    /// A file as it lies there, such as a backup: nothing is written to it or beside it.
    ///
    /// # Errors
    /// [`StoreError::OtherSchema`], [`StoreError::Foreign`] and [`StoreError::Corrupt`] when it is of no use.
    pub async fn look(file: &Path) -> Result<Self> {
        let name = Address::shown(file);
        let connector = Connector::file(file, Options::default());
        let missing = || StoreError::other(format!("there is no backup at {name}"));
        let mut conn = connector.visitor().await?.ok_or_else(missing)?;
        match tables::inspect(&mut conn, &name).await {
            Ok(true) => Ok(Self::of(Db::still(connector, conn).await?)),
            Ok(false) => Err(StoreError::Foreign { path: name }),
            Err(error) => Err(not_ours(error, &name)),
        }
    }

    /// Rooms whose import has begun and is not complete: it is under way, or its process died. They are in no other list.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn imports(&self) -> Result<Vec<Room>> {
        rooms::importing(&mut *self.db.read().await?, true).await
    }

    /// Rooms that are hidden like those of [`imports`](Self::imports), and that no import has marked. Such a room may
    /// be a live one of which a value was altered. It is never deleted.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn hidden(&self) -> Result<Vec<Room>> {
        rooms::importing(&mut *self.db.read().await?, false).await
    }

    /// Makes a room that was imported a room like any other.
    ///
    /// # Errors
    /// [`StoreError::NoSuchRoom`] when no import into it is under way.
    pub async fn finish_import(&self, room: RoomId) -> Result<()> {
        let mut tx = self.db.write().await?;
        let sql = concat!(
            "UPDATE rooms SET importing = 0, config = substr(config, 14, length(config) - 14) ",
            "WHERE id = $1 AND importing = 1 AND ",
            import_mark!()
        );
        let finished = match tx.execute(sql, args![room]).await {
            Ok(0) => Err(StoreError::NoSuchRoom { room: room.0 }),
            other => other.map(drop),
        };
        tx.end_with(finished).await
    }

    /// Deletes a room whose import is not complete, which two columns must say. No other room is ever deleted.
    ///
    /// # Errors
    /// [`StoreError::NoSuchRoom`] when no import into it is under way, or that is not proven.
    pub async fn abandon_import(&self, room: RoomId) -> Result<()> {
        let mut tx = self.db.write().await?;
        let gone = abandon(&mut tx, room).await;
        tx.end_with(gone).await?;
        self.acknowledged.note(room, None);
        Ok(())
    }
}

/// What contradicts itself, and the schema.
async fn complaints(conn: &mut Conn) -> Result<(Vec<String>, Vec<String>)> {
    Ok((check::complaints(conn).await?, check::schema(conn).await?))
}

async fn restore(conn: &mut Conn, name: &str, to: &Path) -> Result<()> {
    if !tables::inspect(conn, name).await? {
        return Err(StoreError::Foreign { path: name.to_owned() });
    }
    // What was acknowledged there is of another database of this name.
    Acknowledged::forget(to)?;
    copy(conn, &format!("the backup {name}"), to).await
}

/// Copies what is not damaged.
async fn copy(conn: &mut Conn, what: &str, to: &Path) -> Result<()> {
    if to.exists() {
        return Err(StoreError::Exists { path: Address::shown(to) });
    }
    if let Some(first) = check::complaints(conn).await?.into_iter().next() {
        return Err(StoreError::corrupt(format!("{what} has an error: {first}")));
    }
    conn.copy_to(to).await
}

async fn abandon(tx: &mut super::db::Tx, room: RoomId) -> Result<()> {
    let sql = concat!("SELECT rooms.whole FROM rooms WHERE id = $1 AND importing = 1 AND ", import_mark!());
    tx.row(sql, args![room]).await?.ok_or(StoreError::NoSuchRoom { room: room.0 })?;
    for sql in [
        "DELETE FROM said WHERE room = $1",
        "DELETE FROM acts WHERE room = $1",
        "DELETE FROM chain WHERE room = $1",
        "DELETE FROM imported WHERE room = $1",
        "DELETE FROM entries WHERE room = $1",
        "DELETE FROM snapshots WHERE room = $1",
        "DELETE FROM secrets WHERE room = $1",
        "DELETE FROM heads WHERE room = $1",
        "DELETE FROM rooms WHERE id = $1",
    ] {
        tx.execute(sql, args![room]).await?;
    }
    Ok(())
}
