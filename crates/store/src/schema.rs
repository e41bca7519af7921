//! The versions of the schema, and which of them a database has.
//!
//! The migrations are in the binary. A database of a newer version, or of another program, is recognised through a
//! connection that writes nothing, and is left as it was.

use sha2::{Digest as _, Sha256};

use super::conn::Conn;
use super::error::{Result, StoreError};

/// One step of the schema.
pub(super) struct Migration {
    /// The version that it brings a database to.
    pub(super) version: i64,
    /// The name of its file.
    pub(super) name: &'static str,
    pub(super) sql: &'static str,
}

macro_rules! migrations {
    ($folder:literal: $($version:literal $name:literal),* $(,)?) => {
        &[$(Migration {
            version: $version,
            name: $name,
            sql: include_str!(concat!("../../../migrations/", $folder, "/", $name)),
        }),*]
    };
}

/// Every step for SQLite, oldest first.
pub(super) const SQLITE: &[Migration] = migrations! { "sqlite":
    1 "0001_first.sql",
    2 "0002_threads.sql",
    3 "0003_returning.sql",
    4 "0004_queue_heads.sql",
    5 "0005_trust.sql",
    6 "0006_acts.sql",
    7 "0007_living.sql",
    8 "0008_reminders.sql",
    9 "0009_claims.sql",
    10 "0010_counts.sql",
};

/// Every step for Postgres. A version means the same tables in both.
pub(super) const POSTGRES: &[Migration] = migrations! { "postgres":
    8 "0008_first.sql",
    9 "0009_claims.sql",
    10 "0010_counts.sql",
};

/// The version that this program writes.
pub(super) const KNOWN: i64 = SQLITE.len() as i64;

const TABLE: &str = "schema_versions";

/// The version of a database, 0 for a blank one. Refuses one that is newer, foreign or altered, or that cannot hold every
/// text. Writes nothing.
pub(super) async fn inspect(conn: &mut Conn, path: &str) -> Result<i64> {
    if let Some(encoding) = conn.narrow_encoding().await? {
        return Err(StoreError::Encoding { path: path.to_owned(), encoding });
    }
    if !conn.has_table(TABLE).await? {
        return if conn.is_blank().await? { Ok(0) } else { Err(StoreError::Foreign { path: path.to_owned() }) };
    }
    let mut found = 0;
    for row in conn.rows("SELECT version, sha256 FROM schema_versions ORDER BY version", &[]).await? {
        found = row.int(0)?;
        let known = conn.migrations().iter().find(|migration| migration.version == found);
        if known.is_some_and(|migration| row.text(1).is_ok_and(|sha256| sha256 != digest(migration))) {
            let say = format!("migration {found} of {path} is not the one that this program was built with");
            return Err(StoreError::other(say));
        }
    }
    if found > KNOWN { Err(StoreError::Newer { found, known: KNOWN }) } else { Ok(found) }
}

/// Asks for the version that a database has by now. Every transaction that writes does, so it is one look into an index.
pub(super) const VERSION: &str = "SELECT MAX(version) FROM schema_versions";

/// The version that a database has by now, for whoever opened it before.
pub(super) async fn version(conn: &mut Conn) -> Result<i64> {
    let row = conn.row(VERSION, &[]).await?;
    Ok(row.map_or(Ok(None), |row| row.int_or(0))?.unwrap_or_default())
}

/// Refuses a database that a newer program has migrated since it was opened.
pub(super) fn still_ours(found: i64) -> Result<()> {
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
    fn every_migration_in_the_folders_is_in_the_binary() {
        for (folder, migrations) in [("sqlite", SQLITE), ("postgres", POSTGRES)] {
            let folder = format!("{}/../../migrations/{folder}", env!("CARGO_MANIFEST_DIR"));
            let mut files: Vec<String> = std::fs::read_dir(folder)
                .unwrap()
                .map(|file| file.unwrap().file_name().into_string().unwrap())
                .filter(|name| name.ends_with(".sql"))
                .collect();
            files.sort();
            assert_eq!(files, migrations.iter().map(|migration| migration.name).collect::<Vec<_>>());
            assert_eq!(migrations.last().map(|migration| migration.version), Some(KNOWN));
            assert!(migrations.iter().all(|it| it.name.starts_with(&format!("{:04}_", it.version))));
        }
    }
}
