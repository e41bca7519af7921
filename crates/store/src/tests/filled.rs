//! A database with something in every table, and all that one holds.

use rusqlite::Connection;

use super::*;
use port::{Account, ForumAddress};

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
        secrets: vec![SecretOp::Put { id: "program/1".to_owned(), secret, sealer: Sealer::default() }],
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
    row_sums(&conn).unwrap();
    conn.pragma_update(None, "foreign_keys", false).unwrap();
    conn
}
