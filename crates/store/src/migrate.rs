//! Brings a database to the newest schema.
//!
//! All migrations that are missing are applied in one transaction. So a database is never between two versions, and two
//! processes that start together do not both try.

use super::args::args;
use super::db::Tx;
use super::error::Result;
use super::guard;
use super::schema::{KNOWN, digest, inspect};

/// Applies what is missing.
pub(super) async fn migrate(mut tx: Tx, path: &str) -> Result<()> {
    let version = inspect(&mut tx, path).await?;
    if version == KNOWN {
        tx.undo().await;
        return Ok(());
    }
    if version == 0 {
        tx.script(
            "CREATE TABLE schema_versions (version BIGINT PRIMARY KEY, name TEXT NOT NULL, sha256 TEXT NOT NULL)",
        )
        .await?;
    }
    guard::take_down(&mut tx).await?;
    for migration in tx.migrations().iter().filter(|migration| migration.version > version) {
        let number = migration.version;
        tx.script(migration.sql).await?;
        let sha256 = digest(migration);
        let sql = "INSERT INTO schema_versions (version, name, sha256) VALUES ($1, $2, $3)";
        tx.execute(sql, args![number, migration.name, &sha256]).await?;
        // A database that is made now is brought from nowhere.
        if version > 0 {
            tracing::info!(database = path, version = number, "the schema was brought to a new version");
        }
    }
    guard::put_up(&mut tx).await?;
    tx.commit().await
}
