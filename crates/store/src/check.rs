//! What contradicts itself in a database: rows that are not as they were written, and tables that do not agree.
//!
//! Each table has a column `sum`, a sum of all others that the database makes as it writes a row, and a column `whole`
//! that says whether it is still right (`schema.rs`). Here all rows are asked for it. Whoever reads a row asks as well, and
//! a row that is not whole is not written to. The numbers that a file gives out lie in a table of its own that takes no
//! column. They are counted a second time by triggers.
//!
//! A number that is drawn and not used would not be counted. So whoever writes to a table with `AUTOINCREMENT` inserts,
//! and does not insert or update in one statement.

use super::db::Conn;
use super::error::{Result, StoreError};
use super::sqlite::not_of_litestream;

/// What only the settings of a room have that is being imported: one column is not enough to delete a room by.
macro_rules! import_mark {
    () => {
        "substr(config, 1, 13) = '{\"importing\":'"
    };
}
pub(super) use import_mark;

/// What a database's check of itself complains of, and what contradicts itself beside.
pub(super) async fn complaints(conn: &mut Conn) -> Result<Vec<String>> {
    let mut found = conn.complaints().await?;
    found.extend(sums(conn).await?);
    // Instants that the journal is searched by: the latest one up to each entry.
    let sql = "SELECT room, seq FROM (SELECT room, seq, clock, MAX(at) OVER (PARTITION BY room ORDER BY seq) AS latest FROM entries) e \
               WHERE clock <> latest ORDER BY room, seq LIMIT 1";
    let rows = conn.rows(sql, &[]).await?;
    for row in rows {
        found.push(format!("entry {} of room {} is listed under another time than it has", row.int(1)?, row.int(0)?));
    }
    found.extend(rooms(conn).await?);
    found.extend(queues(conn).await?);
    found.extend(imports(conn).await?);
    let sql = "SELECT h.room, h.last_seq FROM heads h LEFT JOIN (SELECT room, COUNT(*) AS n, MAX(seq) AS last FROM chain GROUP BY room) c \
               ON c.room = h.room WHERE h.last_seq <> COALESCE(c.n, 0) OR h.last_seq <> COALESCE(c.last, 0)";
    for row in conn.rows(sql, &[]).await? {
        let (room, last) = (row.int(0)?, row.int(1)?);
        found.push(format!("the journal of room {room} ends with entry {last}, and its hashes do not"));
    }
    if !conn.is_file() {
        return Ok(found);
    }
    let sql = "SELECT n.name FROM numbers n WHERE n.seq <> COALESCE((SELECT s.seq FROM sqlite_sequence s WHERE s.name = n.name), 0) \
               UNION SELECT COALESCE(s.name, '') FROM sqlite_sequence s WHERE s.name IS NULL OR s.name NOT IN (SELECT name FROM numbers) \
               UNION SELECT name FROM sqlite_sequence GROUP BY name HAVING COUNT(*) > 1";
    for row in conn.rows(sql, &[]).await? {
        found.push(format!("the numbers given out in the table {} were altered", row.text(0)?));
    }
    Ok(found)
}

/// Tables with rows that are not as they were written.
async fn sums(conn: &mut Conn) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for (table, check) in &conn.schema().checks {
        let damaged = conn.row(check, &[]).await.and_then(|row| row.map_or(Ok(0), |row| row.count(0)));
        match damaged {
            Ok(0) => {}
            Ok(damaged) => found.push(format!("rows of the table {table} are not as they were written: {damaged}")),
            Err(error @ (StoreError::Corrupt { .. } | StoreError::Other(_))) => {
                found.push(format!("the table {table} cannot be read: {}", error.source_told()));
            }
            Err(error) => return Err(error),
        }
    }
    Ok(found)
}

/// Rooms whose parts do not belong together. Rows without the room or the entry that they name are found by their
/// foreign keys. A room without its head would be in no list.
async fn rooms(conn: &mut Conn) -> Result<Vec<String>> {
    let mut found = Vec::new();
    let sql = "SELECT r.id FROM rooms r LEFT JOIN heads h ON h.room = r.id WHERE h.room IS NULL";
    for row in conn.rows(sql, &[]).await? {
        found.push(format!("it is not kept where the journal of room {} ends", row.int(0)?));
    }
    let sql = "SELECT h.room, h.last_seq, COALESCE(e.n, 0), COALESCE(e.last, 0) FROM heads h \
               LEFT JOIN (SELECT room, COUNT(*) AS n, MAX(seq) AS last FROM entries GROUP BY room) e ON e.room = h.room \
               WHERE h.last_seq <> COALESCE(e.n, 0) OR h.last_seq <> COALESCE(e.last, 0)";
    for row in conn.rows(sql, &[]).await? {
        let (room, listed, count, last) = (row.int(0)?, row.int(1)?, row.int(2)?, row.int(3)?);
        found.push(format!(
            "the journal of room {room} is listed as ending with entry {listed}; there are {count}, the last is {last}"
        ));
    }
    let sql = "SELECT s.room, s.seq FROM snapshots s JOIN heads h ON h.room = s.room WHERE s.seq > h.last_seq";
    for row in conn.rows(sql, &[]).await? {
        found.push(format!("room {} has a snapshot of entry {}, which is after its last", row.int(0)?, row.int(1)?));
    }
    Ok(found)
}

/// Destinations at which it is listed otherwise what waits than it does.
async fn queues(conn: &mut Conn) -> Result<Vec<String>> {
    let sql = "SELECT d.id, d.waiting, COUNT(o.id) FROM destinations d LEFT JOIN outbox o ON o.destination = d.id \
               GROUP BY d.id, d.waiting, d.head HAVING d.waiting <> COUNT(o.id) OR (d.head IS NULL) <> (COUNT(o.id) = 0)";
    let rows = conn.rows(sql, &[]).await?;
    rows.iter()
        .map(|row| {
            let (queue, listed, count) = (row.int(0)?, row.int(1)?, row.int(2)?);
            Ok(format!("destination {queue} is listed with {listed} announcements that wait; there are {count}"))
        })
        .collect()
}

/// Rooms of which the two marks of an import do not say the same.
async fn imports(conn: &mut Conn) -> Result<Vec<String>> {
    let sql = concat!(
        "SELECT id, importing FROM rooms WHERE importing NOT IN (0, 1) OR (importing = 1) <> (",
        import_mark!(),
        ")"
    );
    let rows = conn.rows(sql, &[]).await?;
    rows.iter()
        .map(|row| {
            let (room, listed) = (row.int(0)?, row.int(1)? != 0);
            Ok(if listed {
                format!(
                    "room {room} is hidden as an unfinished import, and is not marked as one: do not import it again"
                )
            } else {
                format!("room {room} is marked as an unfinished import, and is not hidden as one")
            })
        })
        .collect()
}

/// The schema of a database, to be compared with that of another.
pub(super) async fn schema(conn: &mut Conn) -> Result<Vec<String>> {
    if !conn.is_file() {
        return Ok(Vec::new());
    }
    let sql = concat!(
        "SELECT type, name, tbl_name, COALESCE(sql, '') FROM sqlite_schema WHERE ",
        not_of_litestream!(),
        " ORDER BY 1, 2, 3, 4"
    );
    let rows = conn.rows(sql, &[]).await?;
    rows.iter().map(|row| Ok(format!("{} {} {} {}", row.text(0)?, row.text(1)?, row.text(2)?, row.text(3)?))).collect()
}
