//! Where a program that nobody published could have come out: everything that the bot keeps, shows, logs and says.
//!
//! The tables of secrets and of what acts were decided from are left out, because there it belongs. What its own
//! submitter asked for is left out by whoever names the wires.

use kernel::display::plain;
use port::ReplyKind;
use rulekeeper::service::archive::{self, Kind};
use rusqlite::{Connection, types::ValueRef};

use crate::{
    contest::stage::{BOT, Code, Stage, account},
    house::{Folder, MODERATOR, rows},
    log::Log,
};

/// What everybody may ask for.
const QUESTIONS: [&str; 26] = [
    "hill",
    "joust matrix",
    "joust queue",
    "joust points",
    "joust program Alpha",
    "joust program Beta",
    "joust program Gamma",
    "joust match Alpha joust0",
    "show programs",
    "show yours",
    "show intents",
    "show sections",
    "show rules",
    "show entries",
    "show values",
    "show displays",
    "show rooms",
    "show players",
    "show forums",
    "show moderators",
    "show accounts",
    "history",
    "history Ann",
    "history Bob",
    "why",
    "export",
];

/// A place where something could have come out, and what stands there.
pub(super) type Spot = (String, String);

/// Takes the database, so that nobody else can write.
pub(super) async fn lock(folder: &Folder) -> Connection {
    let beside = folder.beside();
    // Whoever writes goes on meanwhile.
    let taken = tokio::task::spawn_blocking(|| beside.execute_batch("BEGIN IMMEDIATE").map(|()| beside));
    taken.await.expect("it is asked for").expect("nobody writes")
}

/// Gives it back.
pub(super) fn unlock(beside: &mut Connection) {
    beside.execute_batch("ROLLBACK").expect("it was taken");
}

/// All that the bot keeps, shows and logs, for people who have no program.
pub(super) async fn public(stage: &mut Stage, log: &Log) -> Vec<Spot> {
    let mut all = vec![("the log".to_owned(), log.text())];
    all.extend(tables(&stage.folder));
    all.extend(answers(stage).await);
    let store = stage.house.hub.store();
    let room = store.room(stage.house.room("main").id).await.expect("rooms can be read").expect("the room is there");
    let mut file = Vec::new();
    archive::export(store, &room, Kind::Public, &mut file).await.expect("the room can be exported");
    all.push(("the export".to_owned(), String::from_utf8(file).expect("lines of JSON")));
    // What is searched is there and can be read.
    for place in ["the export", "the table entries", "the table said"] {
        assert!(all.iter().any(|(name, text)| name == place && text.contains("Alpha")), "{place}");
    }
    assert!(all[0].1.contains("joust submit"), "the log is written");
    all
}

/// Every row of every table but those in which secrets belong.
pub(super) fn tables(folder: &Folder) -> Vec<Spot> {
    let beside = folder.beside();
    let sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' \
               AND name NOT IN ('secrets', 'acts')";
    let names: Vec<String> = rows(&beside, sql, [], |row| row.get(0)).expect("the schema can be read");
    assert!(["entries", "outbox", "said", "snapshots"].iter().all(|name| names.iter().any(|known| known == name)));
    let mut all = Vec::new();
    for name in names {
        let mut text = String::new();
        rows(&beside, &format!("SELECT * FROM {name}"), [], |row| {
            for column in 0..row.as_ref().column_count() {
                match row.get_ref(column)? {
                    ValueRef::Null => continue,
                    ValueRef::Integer(number) => text.push_str(&number.to_string()),
                    other => text.push_str(&String::from_utf8_lossy(other.as_bytes().expect("it is text or bytes"))),
                }
                text.push('\n');
            }
            Ok(())
        })
        .expect("a table can be read");
        all.push((format!("the table {name}"), text));
    }
    all
}

/// What the contestmaster, a stranger and the operator are shown.
async fn answers(stage: &mut Stage) -> Vec<Spot> {
    let last = stage.house.room("main").view().seq();
    let mut all = Vec::new();
    for who in ["goethe", "mallory", MODERATOR] {
        let entries = (1..=last).map(|entry| format!("history {entry}"));
        let questions: Vec<String> = QUESTIONS.iter().map(|line| (*line).to_owned()).chain(entries).collect();
        let mut shown = 0;
        for question in questions {
            let mut line = stage.house.line(who, &format!("privately {question}"));
            if who != MODERATOR {
                line.from.account = Some(account(who));
            }
            for reply in stage.house.hub.hear(line).await {
                assert_ne!(reply.kind, ReplyKind::Fault, "{question}");
                shown += u64::from(reply.kind == ReplyKind::Shown);
                let file = reply.file.map(|file| String::from_utf8_lossy(&file.bytes).into_owned());
                let text = format!("{}\n{}", plain(&reply.document), file.unwrap_or_default());
                all.push((format!("what {who} reads of “{question}”"), text));
            }
        }
        assert!(shown > last, "{who} was shown little");
    }
    all
}

/// Holds that a program shows nowhere there, nor on these wires.
#[track_caller]
pub(super) fn is_kept(code: &Code, public: &[Spot], wires: &[(&str, &[String])]) {
    for (place, text) in public {
        if let Some(line) = text.lines().find(|line| code.is_in(line)) {
            panic!("{} is in {place}: {line}", code.mark);
        }
    }
    for (who, wire) in wires {
        if let Some(line) = wire.iter().find(|line| code.is_in(line)) {
            panic!("{who} read {}: {line}", code.mark);
        }
    }
}

/// Holds that the bot said nothing of a program on these wires, which somebody else did.
#[track_caller]
pub(super) fn is_not_repeated(code: &Code, wires: &[(&str, &[String])]) {
    let by_bot = format!(":{BOT}!");
    let said: Vec<_> = wires.iter().flat_map(|(_, wire)| wire.iter()).filter(|line| code.is_in(line)).collect();
    assert!(!said.is_empty(), "somebody pasted it");
    assert!(!said.iter().any(|line| line.contains(&by_bot)), "{said:?}");
}
