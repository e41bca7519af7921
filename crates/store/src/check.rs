//! Guards: a second copy of every value, so that damage to the first is found.
//!
//! The database keeps no checksums of its pages, and its check of itself compares tables with their indexes, not values
//! with anything. So every column that is in no index gets into one, made here from the schema as it is. Nobody who
//! adds a table has to think of it. Columns that something else proves are listed, each with what does. The numbers
//! that the database gives out lie in a table of its own that takes no index. They are counted a second time by
//! triggers.
//!
//! Guards are put up with the tables only. So the list below is part of what a schema is recognised by.
//!
//! A number that is drawn and not used would not be counted. So whoever writes to a table with `AUTOINCREMENT` inserts,
//! and does not insert or update in one statement.

use super::args::args;
use super::db::{Conn, Tx};
use super::error::Result;
use super::schema::PROVEN;
use super::sqlite::not_of_litestream;

/// What only the settings of a room have that is being imported: one column is not enough to delete a room by.
macro_rules! import_mark {
    () => {
        "substr(config, 1, 13) = '{\"importing\":'"
    };
}
pub(super) use import_mark;

/// A table as the schema tells of it.
struct Table {
    name: String,
    /// Whether its rows lie in their primary key.
    keyed: bool,
    sql: String,
}

/// Takes all guards down, so that many rows can be written at once.
pub(super) async fn take_down(tx: &mut Tx) -> Result<()> {
    if !tx.has_guards() {
        return Ok(());
    }
    let sql = "SELECT type, name FROM sqlite_schema WHERE (type = 'index' AND name LIKE 'guard\\_%' ESCAPE '\\') \
               OR (type = 'trigger' AND name LIKE 'count\\_%' ESCAPE '\\')";
    for row in tx.rows(sql, &[]).await? {
        tx.execute_made(format!("DROP {} \"{}\"", row.text(0)?, row.text(1)?)).await?;
    }
    Ok(())
}

/// Puts all guards up.
pub(super) async fn put_up(tx: &mut Tx) -> Result<()> {
    if !tx.has_guards() {
        return Ok(());
    }
    for table in tables(tx).await? {
        if let Some(sql) = index(tx, &table).await? {
            tx.execute_made(sql).await?;
        }
        if table.sql.contains("AUTOINCREMENT") {
            count(tx, &table.name).await?;
        }
    }
    Ok(())
}

async fn tables(conn: &mut Conn) -> Result<Vec<Table>> {
    let sql = concat!(
        "SELECT s.name, l.wr, s.sql FROM sqlite_schema s JOIN pragma_table_list l ON l.name = s.name \
         WHERE s.type = 'table' AND l.schema = 'main' AND s.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND s.",
        not_of_litestream!(),
        " ORDER BY s.name"
    );
    let rows = conn.rows(sql, &[]).await?;
    rows.iter().map(|row| Ok(Table { name: row.text(0)?, keyed: row.int(1)? == 1, sql: row.text(2)? })).collect()
}

/// The statement that makes the guard of a table; nothing where all its columns are in indexes or proven.
async fn index(conn: &mut Conn, table: &Table) -> Result<Option<String>> {
    let proven = PROVEN.iter().find(|(name, _)| *name == table.name).map_or(&[][..], |(_, columns)| columns);
    let mut covered: Vec<String> = proven.iter().map(|(column, _)| (*column).to_owned()).collect();
    let mut indexes = 0;
    let sql = "SELECT l.name, x.name, l.origin FROM pragma_index_list($1) l, pragma_index_xinfo(l.name) x \
               WHERE l.partial = 0 AND x.key = 1";
    for row in conn.rows(sql, args![&table.name]).await? {
        // Where rows lie in their primary key, that is the table itself.
        if !(table.keyed && row.text(2)? == "pk") {
            indexes += 1;
            covered.extend(row.text_or(1)?);
        }
    }
    let sql = "SELECT name, pk, type FROM pragma_table_xinfo($1) ORDER BY cid";
    let mut columns = Vec::new();
    for row in conn.rows(sql, args![&table.name]).await? {
        let (name, pk, kind) = (row.text(0)?, row.int(1)?, row.text(2)?);
        // Every index names its row by these.
        let names_row = pk > 0 && (table.keyed || kind == "INTEGER");
        columns.push((name, names_row));
    }
    let mut wanted: Vec<&String> = columns
        .iter()
        .filter(|(name, names_row)| !names_row && !covered.contains(name))
        .map(|(name, _)| name)
        .collect();
    if wanted.is_empty() && indexes == 0 && proven.is_empty() {
        wanted.extend(columns.first().map(|(name, _)| name));
    }
    if wanted.is_empty() {
        return Ok(None);
    }
    let list = wanted.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ");
    Ok(Some(format!("CREATE INDEX \"guard_{0}\" ON \"{0}\" ({list})", table.name)))
}

/// Counts the numbers of a table a second time from now on.
async fn count(tx: &mut Tx, table: &str) -> Result<()> {
    let sql = "INSERT INTO numbers (name, seq) VALUES ($1, COALESCE((SELECT seq FROM sqlite_sequence WHERE name = $1), 0)) \
               ON CONFLICT (name) DO UPDATE SET seq = excluded.seq";
    tx.execute(sql, args![table]).await?;
    tx.execute_made(format!(
        "CREATE TRIGGER \"count_{table}\" AFTER INSERT ON \"{table}\" BEGIN \
         UPDATE numbers SET seq = max(seq, NEW.id) WHERE name = '{table}'; END"
    ))
    .await
}

/// What contradicts itself in a database: what its check of itself finds by the guards, and what they complain of beside.
pub(super) async fn complaints(conn: &mut Conn) -> Result<Vec<String>> {
    let mut found = conn.complaints().await?;
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
    if !conn.has_guards() {
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
    if !conn.has_guards() {
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
