//! Rooms: which there are, and their names.
//!
//! What a room *is* lies in its journal. This holds only what must be known before a journal is read.

use super::Store;
use super::args::args;
use super::check::import_mark;
use super::db::{Conn, Row, Tx};
use super::error::{Result, StoreError, within};
use super::journal::append;
use super::types::{Commit, Committed, NewRoom, Room, RoomId};

/// Longest settings of a room, in bytes: a page of names and switches.
pub const CONFIG_MAX_BYTES: usize = 64 * 1024;

/// Most rooms that are open at a time: ten times what the program is measured with.
pub const OPEN_ROOMS_MAX_COUNT: usize = 10_000;

macro_rules! select_room {
    ($rest:literal) => {
        concat!(
            "SELECT r.id, r.name, r.folded, r.game, r.shape, r.config, r.created, r.closed, h.last_seq, h.next_due, r.whole AND h.whole AS whole ",
            "FROM rooms r JOIN heads h ON h.room = r.id ",
            $rest
        )
    };
}

fn read(row: &Row) -> Result<Room> {
    Ok(Room {
        id: RoomId(row.int(0)?),
        name: row.text(1)?,
        folded: row.text(2)?,
        game: row.text(3)?,
        shape: row.text(4)?,
        config: row.text(5)?,
        created: row.int(6)?,
        closed: row.int_or(7)?,
        last_seq: row.seq(8)?,
        next_due: row.int_or(9)?,
    })
}

impl Store {
    /// Makes a room together with the first entries, secrets and announcements of its journal, which `opening` holds
    /// with an `expected_seq` of 0.
    ///
    /// # Errors
    /// [`StoreError::NameTaken`] when an open room has the name, and what [`Store::commit`] gives.
    pub async fn create_room(&self, new: NewRoom, opening: Commit) -> Result<RoomId> {
        within("The settings of a room, in bytes,", new.config.len(), CONFIG_MAX_BYTES)?;
        let mut tx = self.db.write().await?;
        let made = create(&mut tx, &new, &opening).await;
        let made = tx.end_with(made).await;
        made.map(|(room, committed)| {
            self.note(room, &committed);
            room
        })
    }

    /// The rooms that are open, in the order in which they were opened.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn rooms(&self) -> Result<Vec<Room>> {
        let sql = select_room!("WHERE r.closed IS NULL AND r.importing = 0 ORDER BY r.id LIMIT $1");
        let rows = self.db.read().await?.rows(sql, args![OPEN_ROOMS_MAX_COUNT as i64]).await?;
        rows.iter().map(read).collect()
    }

    /// A room, open or closed.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn room(&self, room: RoomId) -> Result<Option<Room>> {
        let row = self.db.read().await?.row(select_room!("WHERE r.id = $1"), args![room]).await?;
        row.as_ref().map(read).transpose()
    }
}

/// Rooms that an import has not completed; or, where not `proven`, rooms that are hidden as such and not marked so.
pub(super) async fn importing(conn: &mut Conn, proven: bool) -> Result<Vec<Room>> {
    let sql = if proven {
        concat!(select_room!("WHERE r.importing = 1 AND "), import_mark!(), " ORDER BY r.id LIMIT $1")
    } else {
        concat!(
            select_room!("WHERE r.importing <> 0 AND NOT (r.importing = 1 AND "),
            import_mark!(),
            ") ORDER BY r.id LIMIT $1"
        )
    };
    conn.rows(sql, args![OPEN_ROOMS_MAX_COUNT as i64]).await?.iter().map(read).collect()
}

async fn create(tx: &mut Tx, new: &NewRoom, opening: &Commit) -> Result<(RoomId, Committed)> {
    let open = tx.row("SELECT COUNT(*) FROM rooms WHERE closed IS NULL", &[]).await?;
    let open = open.map_or(Ok(0), |row| row.count(0))?;
    within("The list of open rooms", open as usize + 1, OPEN_ROOMS_MAX_COUNT)?;
    let sql = "INSERT INTO rooms (name, folded, game, shape, config, created, closed, importing) \
               VALUES ($1, $2, $3, $7, CASE $6 WHEN 0 THEN $4 ELSE '{\"importing\":' || $4 || '}' END, $5, NULL, $6) \
               ON CONFLICT DO NOTHING RETURNING id";
    let importing = i64::from(new.importing);
    let values = args![&new.name, &new.folded, &new.game, &new.config, new.created, importing, &new.shape];
    let Some(row) = tx.row(sql, values).await? else {
        return Err(StoreError::NameTaken { name: new.name.clone() });
    };
    let room = RoomId(row.int(0)?);
    tx.execute("INSERT INTO heads (room, last_seq, next_due) VALUES ($1, 0, NULL)", args![room]).await?;
    let committed = append(tx, room, opening).await?;
    Ok((room, committed))
}

pub(super) async fn close(tx: &mut Tx, room: RoomId, at: i64) -> Result<()> {
    let sql = "UPDATE rooms SET closed = $2 WHERE id = $1 AND closed IS NULL";
    if tx.execute(sql, args![room, at]).await? == 0 {
        return Err(StoreError::NoSuchRoom { room: room.0 });
    }
    tx.execute("UPDATE heads SET next_due = NULL WHERE room = $1", args![room]).await.map(drop)
}

pub(super) async fn configure(tx: &mut Tx, room: RoomId, config: &str) -> Result<()> {
    within("The settings of a room, in bytes,", config.len(), CONFIG_MAX_BYTES)?;
    tx.execute("UPDATE rooms SET config = $2 WHERE id = $1", args![room, config]).await.map(drop)
}
