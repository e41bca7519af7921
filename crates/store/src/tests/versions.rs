//! Databases that earlier versions of the program have filled.
//!
//! `tests/data/store-v1.sql` is a database of schema version 1 with something in every table. Whoever adds a migration
//! leaves that file as it is, and makes the next with `UPDATE_DUMPS=1 cargo test --lib store`.

use std::path::PathBuf;

use rusqlite::Connection;

use super::*;
use kernel::Seq;
use port::{Account, ForumAddress};

fn dump_of(version: i64) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data")).join(format!("store-v{version}.sql"))
}

fn zed(device: &str) -> Account {
    Account { service: "irc:test".to_owned(), id: format!("zed{device}") }
}

/// Puts something into every table.
pub(super) async fn fill(store: &Store) {
    let person = store.person_for(&zed(""), "Zed", 1).await.unwrap().id;
    store.put_link_code(person, "CODE", 900).await.unwrap();
    store.redeem_link_code(&zed("2"), "WRONG", 2, false).await.unwrap();
    let banned = store.person_for(&zed("3"), "Spammer", 3).await.unwrap().id;
    let scope = Scope::Room(RoomId(1));
    let ban = Ban { scope, person: banned, reason: "spam".to_owned(), made_by: Some(person), since: 4, ends: None };
    // Twice, as a ban is changed: that gives out no number.
    store.ban(&Ban { reason: "noise".to_owned(), ..ban.clone() }).await.unwrap();
    store.ban(&ban).await.unwrap();
    store.forget(banned, 5).await.unwrap();
    store.add_moderator(Scope::Everywhere, person, None, 6).await.unwrap();
    store.ignore(&zed("bot"), true, Some(person), 7).await.unwrap();
    store.put_thread(&forum_address("#hill"), "1/proposal/7", Some("70")).await.unwrap();
    store.put_pairs(&[("pair".to_owned(), vec![8, 9])], 10).await.unwrap();
    store.beat(18).await.unwrap();

    let secret = Secret { salt: vec![1, 2], bytes: b">+".to_vec() };
    let opening = Commit {
        entries: vec![NewEntry {
            origin: Some("m1".to_owned()),
            actor: Some("player/zed".to_owned()),
            said: Some(Said { person: Some(person), text: "joust start".to_owned() }),
            act: Some("{}".to_owned()),
            ..entry(1, 11)
        }],
        outbox: vec![
            say(&forum("#hill"), 1, "lost"),
            say(&forum("#hill"), 1, "waiting"),
            say(&forum("#b"), 1, "tried"),
        ],
        secrets: vec![SecretOp::Put { id: "program/1".to_owned(), secret, sealer: None }],
        snapshot: Some(Snapshot { seq: 1, body: b"{}".to_vec() }),
        next_due: Some(12),
        ..Commit::default()
    };
    let hill = store.create_room(new_room("Hill"), opening).await.unwrap();
    store.commit(hill, Commit { next_due: Some(13), ..one(1) }).await.unwrap();
    let salts = Salts { elsewhere: Some(Elsewhere { stored: [7; 32], said: None }), ..Salts::default() };
    let moved = Commit { entries: vec![NewEntry { salts, ..entry(1, 11) }], ..Commit::default() };
    let closed = store.create_room(new_room("old"), moved).await.unwrap();
    let closing = Commit { expected_seq: 1, close: Some(14), ..Commit::default() };
    store.commit(closed, closing).await.unwrap();
    let lost = store.lease("irc:test", 15, 100).await.unwrap().unwrap();
    store.give_up(lost.lease(), 16, "no such channel").await.unwrap();
    store.lease("irc:test", 17, 100).await.unwrap().unwrap();
    store.identify([7; IDENTITY_LEN_BYTES]).await.unwrap();
    store.keep_for(&zed(""), "missed", 18).await.unwrap();
    let term = Term { holder: "somebody", now: 18, lease_for: 100 };
    store.claim_work((hill, 2), "hill/1", term).await.unwrap();
    let living = Living {
        id: 0,
        room: hill,
        forum: forum_address("#hill"),
        message: "700".to_owned(),
        display: "proposal/7".to_owned(),
        shown: "a".to_owned(),
    };
    store.keep_living(&living).await.unwrap();
    let reminder = Reminder { room: hill, account: zed(""), before_seconds: 60, aloud: false };
    store.set_reminder(&reminder).await.unwrap();
    store.claim_reminder(hill, &zed(""), "proposal/7@", (18, 0)).await.unwrap();
}

fn forum_address(channel: &str) -> ForumAddress {
    ForumAddress { service: "irc:test".to_owned(), channel: channel.to_owned() }
}

/// What `fill` has put there is all there and works.
async fn check(store: &Store) {
    store.chain_old(19, Salts::default).await.unwrap();
    assert_eq!(store.chain_old(19, Salts::default).await.unwrap(), 0, "once is enough");
    let person = store.person_of(&zed("")).await.unwrap().unwrap();
    assert_eq!((person.name.as_deref(), person.created), (Some("Zed"), 1));
    assert_eq!(store.person_of(&zed("3")).await.unwrap(), None);
    assert_eq!(store.moderators().await.unwrap().len(), 1);
    assert!(store.standing(&zed("bot")).await.unwrap().ignored);
    let held = store.ban_of(Scope::Room(RoomId(1)), &zed("3"), 20).await.unwrap().unwrap();
    assert_eq!((held.reason.as_str(), held.made_by), ("spam", Some(person.id)));
    assert_eq!(store.pairs(&["pair".to_owned()], 20).await.unwrap(), [Some(vec![8, 9])]);
    let wrong = store.redeem_link_code(&zed("2"), "WRONG", 20, false).await.unwrap();
    assert_eq!(wrong, Linked::Wrong { tries_left: LINK_MAX_TRIES - 2 });
    let linked = store.redeem_link_code(&zed("2"), "CODE", 20, false).await.unwrap();
    assert_eq!(linked, Linked::To(person.id));

    let rooms = store.rooms().await.unwrap();
    assert_eq!(rooms.len(), 1);
    let hill = rooms[0].id;
    assert_eq!((rooms[0].name.as_str(), rooms[0].last_seq, rooms[0].next_due), ("Hill", 2, Some(13)));
    assert_eq!(store.room(RoomId(hill.0 + 1)).await.unwrap().unwrap().closed, Some(14));
    let entries = store.entries(hill, 1, 10).await.unwrap();
    let first = &entries[0];
    assert_eq!((first.at, first.json.as_str(), first.origin.as_deref()), (11, "{\"entry\":1}", Some("m1")));
    assert_eq!(first.said, Some(Said { person: Some(person.id), text: "joust start".to_owned() }));
    assert_eq!(store.entries_by_actor(hill, "player/zed", Seq::MAX, 10).await.unwrap().len(), 1);
    assert_eq!(store.seq_at(hill, 11).await.unwrap(), 1);
    assert_eq!(store.snapshot(hill, Seq::MAX).await.unwrap().unwrap().body, b"{}");
    assert_eq!(store.get_secret(hill, "program/1").await.unwrap().unwrap().bytes, b">+");
    assert_eq!(store.secrets_not_looked_up(hill).await.unwrap(), ["program/1"]);

    let mut again = one(2);
    again.entries[0].origin = Some("m1".to_owned());
    assert!(matches!(store.commit(hill, again).await, Err(StoreError::DuplicateOrigin { seq: 1 })));
    assert_eq!(store.undeliverable().await.unwrap()[0].reason, "no such channel");
    let lease = async |now| store.lease("irc:test", now, 100).await.unwrap().map(|row| (row.document, row.attempts));
    assert_eq!(lease(20).await, Some(("tried".to_owned(), 0)));
    assert_eq!(lease(20).await, None);
    assert_eq!(lease(117).await, Some(("waiting".to_owned(), 1)));
    store.commit(hill, one(2)).await.unwrap();
    assert_eq!(store.links(hill, 1).await.unwrap().len(), 3, "every entry is chained");
    assert_eq!(store.complaints().await.unwrap(), Vec::<String>::new());
}

/// The statements that make a database what it is.
pub(super) fn dump(path: &str) -> String {
    let conn = connect(path);
    let mut script = String::new();
    // Triggers last: they count what is inserted, and that is in the rows already.
    let sql = "SELECT name, sql, type FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' \
               ORDER BY type = 'trigger', type DESC, rowid";
    let mut objects = conn.prepare(sql).unwrap();
    let mut objects = objects.query([]).unwrap();
    while let Some(object) = objects.next().unwrap() {
        let (name, sql, kind): (String, String, String) = object.try_into().unwrap();
        script += &format!("{sql};\n");
        if kind != "table" {
            continue;
        }
        let mut columns = conn.prepare("SELECT name FROM pragma_table_info(?1)").unwrap();
        let columns = columns.query_map([&name], |row| Ok(format!("quote({})", row.get::<_, String>(0)?))).unwrap();
        let columns: Vec<String> = columns.collect::<rusqlite::Result<_>>().unwrap();
        let sql = format!("SELECT {} FROM {name} ORDER BY 1", columns.join(" || ', ' || "));
        let mut rows = conn.prepare(&sql).unwrap();
        for row in rows.query_map([], |row| row.get::<_, String>(0)).unwrap() {
            script += &format!("INSERT INTO {name} VALUES ({});\n", row.unwrap());
        }
    }
    script
}

/// A connection beside the store, as of another program, that lets rows point to what is not there.
pub(super) fn connect(path: &str) -> Connection {
    let conn = Connection::open(path).unwrap();
    conn.pragma_update(None, "foreign_keys", false).unwrap();
    conn
}

#[tokio::test]
async fn the_present_schema_is_kept_filled_for_those_who_come_after() {
    let (_folder, path) = folder();
    let store = open(&path).await;
    fill(&store).await;
    store.close().await.unwrap();
    let script = dump(&path);
    for table in script.lines().filter_map(|line| line.strip_prefix("CREATE TABLE ")) {
        let table = table.split(' ').next().unwrap();
        assert!(script.contains(&format!("INSERT INTO {table} ")), "nothing was put into {table}");
    }
    let file = dump_of(schema::KNOWN);
    if std::env::var_os("UPDATE_DUMPS").is_some() {
        std::fs::write(&file, &script).unwrap();
    }
    let kept = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(script == kept, "{} is not what this program makes; see the head of this file", file.display());
}

#[tokio::test]
async fn filled_databases_of_every_version_are_brought_up_to_date_with_all_they_hold() {
    for version in 1..=schema::KNOWN {
        let (_folder, path) = folder();
        let script = std::fs::read_to_string(dump_of(version)).unwrap();
        connect(&path).execute_batch(&script).unwrap();
        check(&open(&path).await).await;
    }
}
