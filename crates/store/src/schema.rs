//! The schema: a text for each kind of database, and how one says that it has it.
//!
//! A text names the columns of each table. What damage to a row is found by is added here: the column `sum`, which the
//! database makes of all others as it writes; `whole`, which says whether it is right; and a trigger that refuses to write
//! to a row that is not, so that no damage gets a sum of its own. Nobody who adds a table has to think of it.

use std::sync::LazyLock;

use sha2::{Digest as _, Sha256};

/// What makes the tables of a database, and what they are recognised by.
pub(super) struct Schema {
    pub(super) sql: String,
    /// For each table, how many of its rows are not as they were written.
    pub(super) checks: Vec<(String, String)>,
    pub(super) sha256: String,
}

/// A table as a text has it.
struct Table<'a> {
    name: &'a str,
    /// Each with its type.
    columns: Vec<(&'a str, &'a str)>,
    body: &'a str,
}

impl Schema {
    /// Adds to each table what `sums` makes of it: columns, and statements that follow it.
    fn of(text: &'static str, sums: impl Fn(&Table<'_>) -> (String, String)) -> Self {
        let mut pieces = text.split("\nCREATE TABLE ");
        let (mut sql, mut checks) = (pieces.next().unwrap_or_default().to_owned(), Vec::new());
        for piece in pieces {
            let (name, rest) = piece.split_once(" (\n").expect("a table has a name");
            let (body, rest) = rest.split_once("\n)").expect("a table has an end");
            let (manner, rest) = rest.split_once(";\n").expect("so has its statement");
            let column = |line: &'static str| {
                let mut words = line.split_whitespace();
                // Names are in small letters, and what else a table is made of is in capital ones.
                let name = words.next().filter(|word| word.starts_with(|first: char| first.is_ascii_lowercase()))?;
                Some((name, words.next()?.trim_end_matches(',')))
            };
            let (columns, after) = sums(&Table { name, columns: body.lines().filter_map(column).collect(), body });
            let check = format!("SELECT COUNT(*) FROM {name} r WHERE r.whole IS NOT TRUE");
            checks.push((name.to_owned(), check));
            sql += &format!("\nCREATE TABLE {name} (\n{columns}{body}\n){manner};\n{after}{rest}");
        }
        let sha256 = hex::encode(Sha256::digest(&sql));
        Self { sql, checks, sha256 }
    }
}

/// The schema for SQLite. `row_sum` is a function of this program (`sqlite.rs`).
pub(super) static SQLITE: LazyLock<Schema> = LazyLock::new(|| {
    Schema::of(include_str!("../../../migrations/sqlite/0001_initial.sql"), |Table { name, columns, body }| {
        let names: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
        let sum = format!("row_sum({})", names.join(", "));
        let columns = format!(
            "    sum INTEGER GENERATED ALWAYS AS ({sum}) STORED,\n    \
             whole INTEGER GENERATED ALWAYS AS (sum = {sum}) VIRTUAL,\n"
        );
        let mut after = format!(
            "CREATE TRIGGER whole_{name} BEFORE UPDATE ON {name} WHEN OLD.whole IS NOT TRUE \
             BEGIN SELECT RAISE(ABORT, 'a row of {name} is not as it was written'); END;\n"
        );
        if body.contains("AUTOINCREMENT") {
            after += &format!(
                "CREATE TRIGGER count_{name} AFTER INSERT ON {name} \
                 BEGIN UPDATE numbers SET seq = max(seq, NEW.id) WHERE name = '{name}'; END;\n"
            );
        }
        (columns, after)
    })
});

/// The schema for Postgres: the same tables.
pub(super) static POSTGRES: LazyLock<Schema> = LazyLock::new(|| {
    Schema::of(include_str!("../../../migrations/postgres/0001_initial.sql"), |Table { name, columns, .. }| {
        let sum = |of: &str| {
            let text = |(name, kind): &(&str, &str)| match *kind {
                "BYTEA" => format!("COALESCE(encode({of}{name}, 'hex'), '~')"),
                _ => format!("COALESCE({of}{name}::TEXT, '~')"),
            };
            // Rows of a table in parts, and indexes of this kind, rest on that the server keeps this function as it is.
            format!("hashtextextended({}, 0)", columns.iter().map(text).collect::<Vec<_>>().join(" || '|' || "))
        };
        let columns = format!("    sum BIGINT GENERATED ALWAYS AS ({}) STORED,\n", sum(""));
        let after = format!(
            "CREATE FUNCTION whole({name}) RETURNS BOOLEAN LANGUAGE sql IMMUTABLE AS $$ SELECT $1.sum = {} $$;\n\
             CREATE TRIGGER whole BEFORE UPDATE ON {name} FOR EACH ROW WHEN (whole(OLD) IS NOT TRUE) \
             EXECUTE FUNCTION refuse_damaged();\n",
            sum("$1.")
        );
        (columns, after)
    })
});

/// The number of the file that the schema is in.
pub(super) const VERSION: i64 = 1;

/// Where a database says which schema it has.
pub(super) const TABLE: &str = "schema_versions";

/// Asks for the schema that a database has by now. Every transaction that writes does, so it is one look into an index.
pub(super) const FOUND: &str = "SELECT sha256 FROM schema_versions ORDER BY version DESC LIMIT 1";

/// The column by which whoever reads a row asks whether it is whole: the last of what a statement gives.
pub(super) const WHOLE: &str = "whole";
