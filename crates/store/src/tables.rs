//! Whether a database has the tables of this program, and making them.
//!
//! A database of another schema, or of another program, is recognised through a connection that writes nothing, and is
//! left as it was. A new one is made in one transaction. So there is never half of one, and two processes that start
//! together do not both make it.

use super::args::args;
use super::conn::Conn;
use super::db::Tx;
use super::error::{Result, StoreError};
use super::schema::{FOUND, TABLE, VERSION};

/// Whether a database has its tables; a blank one has none. Refuses one of another schema or of something else, and one
/// that cannot hold every text. Writes nothing.
pub(super) async fn inspect(conn: &mut Conn, path: &str) -> Result<bool> {
    if let Some(encoding) = conn.narrow_encoding().await? {
        return Err(StoreError::Encoding { path: path.to_owned(), encoding });
    }
    if !conn.has_table(TABLE).await? {
        return if conn.is_blank().await? { Ok(false) } else { Err(StoreError::Foreign { path: path.to_owned() }) };
    }
    let found = conn.row(FOUND, &[]).await?.map(|row| row.text(0)).transpose()?;
    if is_ours(conn, found.as_deref()) { Ok(true) } else { Err(StoreError::OtherSchema { path: path.to_owned() }) }
}

/// Whether what a database says of its schema is what this program makes.
pub(super) fn is_ours(conn: &Conn, found: Option<&str>) -> bool {
    found == Some(&conn.schema().sha256)
}

/// Makes the tables of a database that has none.
pub(super) async fn make(mut tx: Tx, path: &str) -> Result<()> {
    if inspect(&mut tx, path).await? {
        tx.undo().await;
        return Ok(());
    }
    let schema = tx.schema();
    tx.script(&schema.sql).await?;
    let sql = "INSERT INTO schema_versions (version, sha256) VALUES ($1, $2)";
    tx.execute(sql, args![VERSION, &schema.sha256]).await?;
    tx.commit().await
}
