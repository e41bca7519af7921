//! The schema: a text for each kind of database, and how one says that it has it.

use std::sync::LazyLock;

use sha2::{Digest as _, Sha256};

/// Columns that need no guard, by table, and what proves them.
pub(super) const PROVEN: &[(&str, &[(&str, &str)])] = &[
    (
        "entries",
        &[
            ("at", "the entry itself"),
            ("clock", "the instants of the entries up to it"),
            ("recorded", "the entry itself"),
            ("origin", "the chain"),
            ("cause", "the entry itself"),
            ("actor", "the entry itself"),
            ("body", "the chain"),
        ],
    ),
    ("said", &[("person", "an index of those that have one"), ("text", "the chain"), ("salt", "the chain")]),
    (
        "chain",
        &[("salt", "its hash"), ("stored", "its hash"), ("said", "its hash"), ("hash", "what it is the hash of")],
    ),
    ("snapshots", &[("body", "its sum"), ("sum", "what it is the sum of")]),
];

/// What makes the tables of a database, and what they are recognised by.
pub(super) struct Schema {
    pub(super) sql: &'static str,
    pub(super) sha256: String,
}

impl Schema {
    /// Guards are part of it.
    fn of(sql: &'static str) -> Self {
        Self { sql, sha256: hex::encode(Sha256::digest(format!("{sql}{:?}", PROVEN))) }
    }
}

/// The schema for SQLite.
pub(super) static SQLITE: LazyLock<Schema> =
    LazyLock::new(|| Schema::of(include_str!("../../../migrations/sqlite/0001_initial.sql")));

/// The schema for Postgres: the same tables.
pub(super) static POSTGRES: LazyLock<Schema> =
    LazyLock::new(|| Schema::of(include_str!("../../../migrations/postgres/0001_initial.sql")));

/// The number of the file that the schema is in.
pub(super) const VERSION: i64 = 1;

/// Where a database says which schema it has.
pub(super) const TABLE: &str = "schema_versions";

/// Asks for the schema that a database has by now. Every transaction that writes does, so it is one look into an index.
pub(super) const FOUND: &str = "SELECT sha256 FROM schema_versions ORDER BY version DESC LIMIT 1";
