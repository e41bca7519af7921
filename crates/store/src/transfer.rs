//! Takes all that a database holds to another one, of either kind: a file, or Postgres.
//!
//! Rows are copied as they are, by the tables and columns that both schemas name, in one transaction: the other database
//! holds all of it or nothing. Numbers that were given out go along, so that none is given twice. Claims do not: they
//! are about processes on the former database.

use std::collections::BTreeMap;

use super::Store;
use super::args::{Arg, args};
use super::conn::{Conn, Row};
use super::db::Tx;
use super::error::{Result, StoreError};
use super::schema;

/// Tables that are not taken along: which schema it is, which the other database says already; what is about processes;
/// the second count of given numbers, which is made anew.
const LEFT: [&str; 3] = [schema::TABLE, "claims", "numbers"];

/// What a column holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Int,
    Text,
    Bytes,
}

/// A value on its way.
enum Value {
    Int(Option<i64>),
    Text(Option<String>),
    Bytes(Option<Vec<u8>>),
}

impl Value {
    fn read(row: &Row, column: usize, kind: Kind) -> Result<Self> {
        match kind {
            Kind::Int => row.int_or(column).map(Self::Int),
            Kind::Text => row.text_or(column).map(Self::Text),
            Kind::Bytes => row.bytes_or(column).map(Self::Bytes),
        }
    }

    fn arg(&self) -> Arg<'_> {
        match self {
            Self::Int(value) => Arg::Int(*value),
            Self::Text(value) => Arg::Text(value.as_deref()),
            Self::Bytes(value) => Arg::Bytes(value.as_deref()),
        }
    }
}

impl Store {
    /// Copies everything into a database that holds nothing yet; how many rows each table has. Nothing may be written to
    /// this one meanwhile: then nothing is copied.
    ///
    /// # Errors
    /// [`StoreError::Exists`] where the other one holds something.
    pub async fn copy_into(&self, to: &Store) -> Result<BTreeMap<String, u64>> {
        let still = self.still().await?;
        let mut tx = to.db.write().await?;
        let copied = async {
            let mut from = still.db.read().await?;
            let copied = copy(&mut from, &mut tx, &to.db.connector().name()).await?;
            drop(from);
            match heads(&mut *self.db.read().await?).await? == heads(&mut tx).await? {
                true => Ok(copied),
                false => Err(StoreError::other("something was written meanwhile: stop the program first")),
            }
        };
        let copied = copied.await;
        let copied = tx.end_with(copied).await;
        if !self.db.is_alone() {
            still.close().await?;
        }
        copied
    }
}

async fn heads(conn: &mut Conn) -> Result<Vec<(i64, i64)>> {
    let rows = conn.rows("SELECT room, last_seq, heads.whole FROM heads ORDER BY room", &[]).await?;
    rows.iter().map(|row| Ok((row.int(0)?, row.int(1)?))).collect()
}

async fn copy(from: &mut Conn, tx: &mut Tx, name: &str) -> Result<BTreeMap<String, u64>> {
    let tables: Vec<String> = tx.tables().await?.into_iter().filter(|table| !LEFT.contains(&table.as_str())).collect();
    for table in &tables {
        if tx.counted(table).await? > 0 {
            return Err(StoreError::Exists { path: name.to_owned() });
        }
    }
    // What a row points to may come later.
    tx.defer_references().await?;
    let mut copied = BTreeMap::new();
    for table in &tables {
        let count = copy_table(from, tx, table).await?;
        if count != from.counted(table).await? || count != tx.counted(table).await? {
            return Err(StoreError::other(format!("not every row of the table {table} arrived")));
        }
        copied.insert(table.clone(), count);
    }
    let given: BTreeMap<String, i64> = from.given_numbers().await?.into_iter().collect();
    for table in &tables {
        if !columns(tx, table).await?.iter().any(|(name, kind)| name == "id" && *kind == Kind::Int) {
            continue;
        }
        // A file counts some tables by their last row alone.
        let last = tx.last_id(table).await?.max(given.get(table).copied().unwrap_or_default());
        tx.go_on_after(table, last).await?;
    }
    Ok(copied)
}

async fn copy_table(from: &mut Conn, tx: &mut Tx, table: &str) -> Result<u64> {
    let columns = columns(from, table).await?;
    let named: Vec<String> = columns.iter().map(|(name, _)| format!("\"{name}\"")).collect();
    let places: Vec<String> = (1..=columns.len()).map(|place| format!("${place}")).collect();
    let (named, places) = (named.join(", "), places.join(", "));
    let insert = format!("INSERT INTO \"{table}\" ({named}) VALUES ({places})");
    let mut count = 0;
    from.each_made(format!("SELECT {named} FROM \"{table}\""), async |row: Row| {
        let read = |(column, (_, kind)): (usize, &(String, Kind))| Value::read(&row, column, *kind);
        let values = columns.iter().enumerate().map(read).collect::<Result<Vec<_>>>()?;
        let values: Vec<Arg<'_>> = values.iter().map(Value::arg).collect();
        tx.execute_made_with(&insert, &values).await?;
        count += 1;
        Ok(())
    })
    .await?;
    Ok(count)
}

/// The columns of a table.
async fn columns(conn: &mut Conn, table: &str) -> Result<Vec<(String, Kind)>> {
    let rows = conn.rows(conn.catalog().columns, args![table]).await?;
    let columns = rows.iter().map(|row| {
        let kind = match row.text(1)?.as_str() {
            "INTEGER" | "bigint" => Kind::Int,
            "TEXT" | "text" => Kind::Text,
            "BLOB" | "bytea" => Kind::Bytes,
            other => return Err(StoreError::other(format!("the table {table} has a column of the kind {other}"))),
        };
        Ok((row.text(0)?, kind))
    });
    columns.collect()
}
