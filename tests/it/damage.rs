//! A byte that changed anywhere in the file of a database is found, or was in no use.

use std::path::Path;

use port::{Account, ForumAddress};
use rulekeeper::service::archive;
use rusqlite::{Connection, OpenFlags};
use store::{Living, Reminder, Store, StoreError};

use crate::{
    archive::story,
    harness::{Chance, sampled},
    house::{Folder, House, MODERATOR, SERVICE, at, rows, unguarded},
    operate::server,
};

/// How many bytes that are in use are changed, one at a time.
const FLIPS_COUNT: usize = 400;

/// Of so many of them one, unless `tests/run --all` asks for all.
const FLIPS_PER_SAMPLE: usize = 8;

/// The same on a server, which is started for each.
const SERVER_FLIPS_PER_SAMPLE: usize = 40;

/// How many bytes are changed at the most to find so many: a small database has more room than rows.
const TRIES_COUNT: usize = 20 * FLIPS_COUNT;

/// A database with something in every table, as a copy that nobody has open.
async fn filled(folder: &Folder) -> std::path::PathBuf {
    let mut house = House::with_contest(&folder.database()).await;
    story(&mut house).await;
    house.does(MODERATOR, "moderator add @main Ann").await;
    house.does(MODERATOR, "ban @main Bob because of noise").await;
    house.does(MODERATOR, "ignore test/spam").await;
    house.does("Zed", "privately link").await;
    house.say("Yak", "privately link WRONG").await;
    house.does("Bob", "privately forget me yes").await;
    let store = house.hub.store();
    let forum = ForumAddress { service: SERVICE.to_owned(), channel: "#main".to_owned() };
    store.put_thread(&forum, "1/proposal/7", Some("70")).await.unwrap();
    let room = store.rooms().await.unwrap()[0].id;
    let (message, display, shown) = ("700".to_owned(), "proposal/7".to_owned(), "a".to_owned());
    store.keep_living(&Living { id: 0, room, forum, message, display, shown }).await.unwrap();
    let account = Account { service: SERVICE.to_owned(), id: "ann".to_owned() };
    let reminder = Reminder { room, account: account.clone(), before_seconds: 60, aloud: true };
    store.set_reminder(&reminder).await.unwrap();
    store.claim_reminder(room, &account, "proposal/7@", (18, 0)).await.unwrap();
    store.put_pairs(&[("pair".to_owned(), vec![8, 9])], 10).await.unwrap();
    let leased =
        store.lease(SERVICE, at("2027-01-01T00:00:00Z").as_microsecond(), 1).await.unwrap().expect("one waits");
    store.give_up(leased.lease(), 16, "no such channel").await.unwrap();
    house.keep_snapshot("main").await;
    let copy = folder.path("copy.db");
    store.backup(&copy).await.unwrap();
    house.close().await;
    // What no copy holds, what only a room from elsewhere has, and what only processes that run write.
    let rows = "INSERT INTO identity VALUES (1, x'0102'); INSERT INTO imported VALUES (1, 0); \
                INSERT INTO heartbeat VALUES (1, 5); INSERT INTO claims VALUES ('work/1', 'hill/1', 'somebody', 5, 1, 5, 3, 7); \
                INSERT INTO inbox (service, account, room, seq, kept, told, read, document) \
                VALUES ('test', 'ann', 1, 2, 5, 0, 0, '{}')";
    unguarded(&copy).execute_batch(rows).unwrap();
    copy
}

/// Everything that stands in the tables, read from them and not from their indexes; an error where it cannot be read.
fn dump(path: &Path) -> rusqlite::Result<Vec<String>> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
    let conn = Connection::open_with_flags(format!("file:{}?immutable=1", path.display()), flags)?;
    let mut out = Vec::new();
    let schema =
        "SELECT name, quote(type) || quote(name) || quote(tbl_name) || quote(sql) FROM sqlite_schema ORDER BY rowid";
    let mut tables = vec!["sqlite_sequence".to_owned()];
    rows(&conn, schema, [], |row| {
        let text: String = row.get(1)?;
        if text.starts_with("'table'") {
            tables.push(row.get(0)?);
        }
        out.push(text);
        Ok(())
    })?;
    for table in tables {
        let quoted = rows(&conn, "SELECT name FROM pragma_table_info(?1)", [&table], |row| {
            Ok(format!("quote(\"{}\")", row.get::<_, String>(0)?))
        })?;
        let sql = format!("SELECT {} FROM \"{table}\" NOT INDEXED", quoted.join(" || ',' || "));
        out.extend(rows(&conn, &sql, [], |row| Ok(format!("{table}: {}", row.get::<_, String>(0)?)))?);
    }
    Ok(out)
}

/// What a check of the file finds.
async fn found(path: &Path) -> Result<Vec<String>, StoreError> {
    let store = Store::look(path).await?;
    let mut found = store.complaints().await?;
    if found.is_empty() {
        for room in store.rooms().await? {
            match archive::verify(&store, &room).await {
                Ok(done) => found.extend(done.found),
                Err(fault) => found.push(fault.to_string()),
            }
        }
    }
    store.close().await?;
    Ok(found)
}

#[tokio::test]
async fn a_byte_that_changed_is_found_or_was_in_no_use() {
    let folder = Folder::new();
    let copy = filled(&folder).await;
    assert_eq!(found(&copy).await.unwrap(), Vec::<String>::new());
    let whole = std::fs::read(&copy).unwrap();
    let before = dump(&copy).unwrap();
    // Whoever adds a table puts something into it here.
    let tables = "SELECT name FROM sqlite_schema WHERE type = 'table'";
    for table in rows(&unguarded(&copy), tables, [], |row| row.get::<_, String>(0)).unwrap() {
        assert!(before.iter().any(|line| line.starts_with(&format!("{table}: "))), "nothing is in {table}");
    }
    let bytes = std::fs::read(&copy).unwrap();
    assert!(bytes == whole, "looking changes nothing");

    let damaged = folder.path("damaged.db");
    let most = FLIPS_COUNT / sampled(FLIPS_PER_SAMPLE);
    let mut chance = Chance(0x5eed_0018);
    let mut seen = 0;
    for _ in 0..TRIES_COUNT {
        let (place, bit) = (chance.below(whole.len()), chance.below(255) as u8 + 1);
        let mut bytes = whole.clone();
        bytes[place] ^= bit;
        std::fs::write(&damaged, &bytes).unwrap();
        // Whatever stands in the tables as it did was not damaged.
        if dump(&damaged).is_ok_and(|after| after == before) {
            continue;
        }
        let found = found(&damaged).await;
        assert!(found.as_ref().map_or(true, |found| !found.is_empty()), "byte {place} changed by {bit:#04x}");
        seen += 1;
        if seen == most {
            return;
        }
    }
    panic!("only {seen} of {TRIES_COUNT} bytes were in use");
}

/// A bit that changed in a table of a server is found, or the row is not there any more, or it was in no use. Whether rows
/// are there, only the server's own sums of its pages prove, which this one has not.
#[tokio::test]
async fn a_bit_that_changed_on_a_server_is_found_or_was_in_no_use() {
    if server::is_left_out() {
        return;
    }
    let folder = Folder::new();
    let from = Store::open(filled(&folder).await.to_str().unwrap(), Default::default()).await.unwrap();
    let mut server = server::Server::start();
    let socket = server.socket().to_owned();
    let address = server::database(&socket, "damaged");
    let store = Store::open(&address, Default::default()).await.unwrap();
    from.copy_into(&store).await.unwrap();
    store.close().await.unwrap();
    let ask = |sql: &str| server::answer(&socket, "damaged", sql).unwrap();
    let pair = |line: String| line.split_once('|').map(|(one, other)| (one.to_owned(), other.to_owned())).unwrap();
    let columns = "SELECT table_name, string_agg(column_name, ', ' ORDER BY ordinal_position) FROM information_schema.columns \
                   WHERE table_schema = current_schema() AND is_generated = 'NEVER' GROUP BY 1 ORDER BY 1";
    let mut tables: Vec<(String, String)> = ask(columns).into_iter().map(pair).collect();
    // With another schema it is not opened at all.
    tables.retain(|(table, _)| table != "schema_versions");
    // Without what the server notes as it reads, nothing is written any more.
    ask("VACUUM FREEZE");
    ask("CHECKPOINT");
    let files = "SELECT c.relname, pg_relation_filepath(f.oid) FROM pg_class c JOIN pg_class f ON f.oid IN (c.oid, c.reltoastrelid) \
                 WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::REGNAMESPACE ORDER BY 1, 2";
    let mut files: Vec<(String, String)> = ask(files).into_iter().map(pair).collect();
    files.retain(|(table, _)| table != "schema_versions");
    let rows_of = |table: &str| {
        let (_, columns) = tables.iter().find(|(name, _)| name == table)?;
        let mut rows = server::answer(&socket, "damaged", &format!("COPY (SELECT {columns} FROM {table}) TO STDOUT"))?;
        rows.sort();
        Some(rows)
    };
    let before: Vec<Vec<String>> = files.iter().map(|(table, _)| rows_of(table).unwrap()).collect();
    server.crash();
    let data = Path::new(&socket).join("data");
    let most = FLIPS_COUNT / sampled(SERVER_FLIPS_PER_SAMPLE);
    let mut chance = Chance(0x5eed_0019);
    let mut seen = 0;
    while seen < most {
        let at = chance.below(files.len());
        let ((table, file), before) = (&files[at], &before[at]);
        let file = data.join(file);
        let whole = std::fs::read(&file).unwrap();
        if whole.is_empty() {
            continue;
        }
        let mut bytes = whole.clone();
        // Of a page of 8 KiB, the head and what points to rows, or the rows.
        let page = chance.below(bytes.len() / 8192) * 8192;
        let mark = |at: usize| usize::from(u16::from_le_bytes([bytes[page + at], bytes[page + at + 1]]));
        let (lower, upper) = (mark(12), mark(14));
        let place = chance.below(lower + 8192 - upper);
        bytes[page + if place < lower { place } else { place - lower + upper }] ^= 1 << chance.below(8);
        std::fs::write(&file, &bytes).unwrap();
        server.start_again();
        let after = rows_of(table);
        if after.as_ref() != Some(before) {
            seen += 1;
            let found = async {
                let store = Store::open(&address, Default::default()).await?;
                let found = store.complaints().await;
                store.close().await.and(found)
            };
            let found = found.await;
            let is_found = found.as_ref().map_or(true, |found| found.iter().any(|found| found.contains(&**table)));
            let is_short = after.as_ref().is_some_and(|after| after.len() != before.len());
            assert!(is_found || is_short, "{table}: {found:?}");
        }
        server.crash();
        std::fs::write(&file, &whole).unwrap();
    }
}

/// By the schema: the sum of each table is over all its columns.
#[tokio::test]
async fn every_column_is_in_the_sum_of_its_table() {
    let folder = Folder::new();
    Store::open(&folder.database(), Default::default()).await.unwrap().close().await.unwrap();
    let conn = unguarded(folder.database());
    let tables = "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'";
    let read = |row: &rusqlite::Row<'_>| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?));
    for (table, sql) in rows(&conn, tables, [], read).unwrap() {
        let columns = "SELECT name FROM pragma_table_info(?1) ORDER BY cid";
        let columns: Vec<String> = rows(&conn, columns, [&table], |row| row.get(0)).unwrap();
        assert!(sql.contains(&format!("(sum = row_sum({})) VIRTUAL", columns.join(", "))), "{table}: {sql}");
    }
}

/// Whoever reads a row asks whether it is as it was written: every statement that gives values of rows ends with that.
#[test]
fn whoever_reads_a_row_asks_whether_it_is_whole() {
    let mut read = 0;
    for file in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/crates/store/src")).unwrap() {
        let path = file.unwrap().path();
        // These read what there is in a database at all, and how it stands.
        let name = path.file_name().unwrap().to_str().unwrap();
        if ["check.rs", "conn.rs", "postgres.rs", "schema.rs", "sqlite.rs", "transfer.rs"].contains(&name) {
            continue;
        }
        let Ok(source) = std::fs::read_to_string(&path) else { continue };
        for statement in source.split("\"SELECT ").skip(1) {
            let statement = statement.split("\";").next().unwrap();
            // What counts rows, or looks for the least of a value, reads none.
            if ["COUNT(*)", "MIN(", "1\""].iter().any(|counts| statement.starts_with(counts)) {
                continue;
            }
            read += 1;
            assert!(statement.contains("whole"), "{name}: SELECT {statement}");
        }
    }
    assert!(read > 40, "{read}");
}

/// A statement that inserts or updates draws a number also where it updates, and the second count would not agree.
#[tokio::test]
async fn no_statement_draws_a_number_without_using_it() {
    let folder = Folder::new();
    Store::open(&folder.database(), Default::default()).await.unwrap().close().await.unwrap();
    let sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%'";
    let tables: Vec<String> = rows(&unguarded(folder.database()), sql, [], |row| row.get(0)).unwrap();
    assert!(tables.iter().any(|table| table == "bans"), "{tables:?}");
    for file in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/crates/store/src")).unwrap() {
        let path = file.unwrap().path();
        let Ok(source) = std::fs::read_to_string(&path) else { continue };
        // A room whose name is taken is not made: the whole transaction is undone, and the number with it. A destination is
        // made where none was found to be updated, which in a file nobody else makes meanwhile.
        for table in tables.iter().filter(|table| !["rooms", "destinations"].contains(&table.as_str())) {
            for statement in source.split(&format!("INSERT INTO {table} (")).skip(1) {
                let statement = statement.split("\";").next().unwrap();
                assert!(!statement.contains("ON CONFLICT"), "{}: {table}: {statement}", path.display());
            }
        }
    }
}
