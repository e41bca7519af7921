//! The versions of the schema, and which of them a database has.
//!
//! The migrations are in the binary. A database of a newer version, or of another program, is recognised through a
//! connection that writes nothing, and is left as it was.

use sha2::{Digest as _, Sha256};

use super::error::{Result, StoreError};
use super::sqlite::Conn;

/// One step of the schema. Its version is its place in the list, counted from 1.
pub(super) struct Migration {
    /// The name of its file.
    pub(super) name: &'static str,
    pub(super) sql: &'static str,
}

/// Every step, oldest first.
pub(super) const MIGRATIONS: &[Migration] = &[
    Migration { name: "0001_first.sql", sql: include_str!("../../../migrations/sqlite/0001_first.sql") },
    Migration { name: "0002_threads.sql", sql: include_str!("../../../migrations/sqlite/0002_threads.sql") },
    Migration { name: "0003_returning.sql", sql: include_str!("../../../migrations/sqlite/0003_returning.sql") },
    Migration { name: "0004_queue_heads.sql", sql: include_str!("../../../migrations/sqlite/0004_queue_heads.sql") },
    Migration { name: "0005_trust.sql", sql: include_str!("../../../migrations/sqlite/0005_trust.sql") },
    Migration { name: "0006_acts.sql", sql: include_str!("../../../migrations/sqlite/0006_acts.sql") },
    Migration { name: "0007_living.sql", sql: include_str!("../../../migrations/sqlite/0007_living.sql") },
    Migration { name: "0008_reminders.sql", sql: include_str!("../../../migrations/sqlite/0008_reminders.sql") },
];

/// The version that this program writes.
pub(super) const KNOWN: i64 = MIGRATIONS.len() as i64;

const TABLE: &str = "schema_versions";

/// The version of a database, 0 for a blank one. Refuses one that is newer, foreign or altered. Writes nothing.
pub(super) async fn inspect(conn: &mut Conn, path: &str) -> Result<i64> {
    if !conn.has_table(TABLE).await? {
        return if conn.is_blank().await? { Ok(0) } else { Err(StoreError::Foreign { path: path.to_owned() }) };
    }
    let mut found = 0;
    for row in conn.rows("SELECT version, sha256 FROM schema_versions ORDER BY version", &[]).await? {
        found = row.int(0)?;
        let known = usize::try_from(found).ok().and_then(|number| MIGRATIONS.get(number.checked_sub(1)?));
        if known.is_some_and(|migration| row.text(1).is_ok_and(|sha256| sha256 != digest(migration))) {
            let say = format!("migration {found} of {path} is not the one that this program was built with");
            return Err(StoreError::other(say));
        }
    }
    if found > KNOWN { Err(StoreError::Newer { found, known: KNOWN }) } else { Ok(found) }
}

/// Refuses a database that a newer program has migrated since it was opened. Asked in every transaction that writes, so
/// it is one look into an index.
pub(super) async fn still_ours(conn: &mut Conn) -> Result<()> {
    let row = conn.row("SELECT MAX(version) FROM schema_versions", &[]).await?;
    let found = row.map_or(Ok(None), |row| row.int_or(0))?.unwrap_or_default();
    if found > KNOWN { Err(StoreError::Newer { found, known: KNOWN }) } else { Ok(()) }
}

/// What a migration is recognised by.
pub(super) fn digest(migration: &Migration) -> String {
    hex::encode(Sha256::digest(migration.sql))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_migration_in_the_folder_is_in_the_binary() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../migrations/sqlite");
        let mut files: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|file| file.unwrap().file_name().into_string().unwrap())
            .filter(|name| name.ends_with(".sql"))
            .collect();
        files.sort();
        assert_eq!(files, MIGRATIONS.iter().map(|migration| migration.name).collect::<Vec<_>>());
    }
}
