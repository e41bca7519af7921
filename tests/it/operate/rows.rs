//! Rows that belong to each other: a room that loses some of them is missed, and none is deleted on the word of one value.

use store::{Commit, NewRoom, Store};

use crate::{
    archive::{ill, story, tamper, well},
    house::{Folder, House, START, unguarded},
};

/// A database with a room and a backup of it, which is `whole.db`.
async fn told(folder: &Folder) {
    let mut house = House::with_contest(&folder.database()).await;
    story(&mut house).await;
    house.close().await;
    well(folder, &["backup", "whole.db"]);
}

/// Takes the database away.
fn gone(folder: &Folder) {
    for end in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(format!("{}{end}", folder.database()));
    }
}

#[tokio::test]
async fn a_room_that_lost_rows_is_missed_by_every_check() {
    let folder = Folder::new();
    told(&folder).await;
    let all = "DELETE FROM said; DELETE FROM acts; DELETE FROM chain; DELETE FROM imported; DELETE FROM entries; DELETE FROM snapshots; \
               DELETE FROM secrets;";
    for (sql, what) in [
        ("DELETE FROM heads", "it is not kept where the journal of room 1 ends"),
        (&*format!("{all} DELETE FROM heads"), "it is not kept where the journal of room 1 ends"),
        (all, "is listed as ending with entry"),
        ("UPDATE heads SET last_seq = last_seq - 1", "the journal of room 1 is listed as ending with entry"),
        ("UPDATE heads SET last_seq = last_seq + 1", "the journal of room 1 is listed as ending with entry"),
        ("DELETE FROM chain WHERE seq = 5", "and its hashes do not"),
        ("UPDATE entries SET seq = seq + 1 WHERE seq = (SELECT MAX(seq) FROM entries)", "of entries that is not there"),
        ("INSERT INTO snapshots VALUES (1, 999, x'00')", "a snapshot of entry 999"),
        ("INSERT INTO secrets (room, id, salt, body) VALUES (9, 'x', x'00', x'00')", "of rooms that is not there"),
        ("INSERT INTO said VALUES (1, 999, NULL, 'x', x'00')", "of entries that is not there"),
        ("INSERT INTO acts (room, seq, act) VALUES (1, 999, '{}')", "of entries that is not there"),
        ("UPDATE rooms SET importing = 1", "room 1 is hidden as an unfinished import"),
        ("UPDATE rooms SET importing = 2", "room 1 is hidden as an unfinished import"),
        ("UPDATE rooms SET config = '{\"importing\":{}}'", "room 1 is marked as an unfinished import"),
    ] {
        let damaged = folder.path("damaged.db");
        std::fs::copy(folder.path("whole.db"), &damaged).unwrap();
        unguarded(&damaged).execute_batch(sql).unwrap();
        gone(&folder);
        std::fs::copy(&damaged, folder.path("rulekeeper.db")).unwrap();
        for verb in [&["verify"][..], &["backup", "copy.db"], &["restore", "damaged.db"]] {
            if verb[0] == "restore" {
                gone(&folder);
            }
            let (code, said) = ill(&folder, verb);
            assert!(code > 0 && said.contains(what), "{sql}, {verb:?}: {said}");
            assert!(!said.contains("Everything agrees."), "{sql}, {verb:?}: {said}");
        }
        for made in ["copy.db", "rulekeeper.db"] {
            assert!(!folder.path(made).exists(), "{sql}: {made}");
        }
    }
    assert!(well(&folder, &["restore", "whole.db"]).contains("is a copy of"));
}

#[tokio::test]
async fn a_room_that_is_hidden_by_one_value_is_checked_and_never_deleted() {
    let folder = Folder::new();
    told(&folder).await;
    well(&folder, &["export", "main", "main.jsonl", "--with-secrets"]);
    let before = well(&folder, &["verify"]);
    tamper(&folder, "UPDATE rooms SET importing = 1");
    let (code, said) = ill(&folder, &["verify"]);
    assert_eq!(code, 1, "{said}");
    let checked = before.replace("Everything agrees.\n", "");
    assert!(said.contains("hidden as an unfinished import") && said.contains(&checked), "{said}");
    assert!(!said.contains("import it again to"), "{said}");
    let (code, said) = ill(&folder, &["import", "main.jsonl"]);
    assert!(code > 0 && said.contains("Nothing proves that it is one") && said.contains("another name"), "{said}");
    tamper(&folder, "UPDATE rooms SET importing = 0");
    assert_eq!(well(&folder, &["verify"]), before, "everything is there");
}

#[tokio::test]
async fn an_import_that_was_broken_off_is_told_and_goes_with_the_next() {
    let (old, new) = (Folder::new(), Folder::new());
    told(&old).await;
    well(&old, &["export", "main", "main.jsonl", "--with-secrets"]);
    let store = Store::open(&new.database(), Default::default()).await.unwrap();
    let left = NewRoom {
        name: "main".to_owned(),
        folded: kernel::names::keys("main")[1].clone(),
        game: "joust".to_owned(),
        shape: String::new(),
        config: "{}".to_owned(),
        created: crate::house::at(START).as_microsecond(),
        importing: true,
    };
    let left = store.create_room(left, Commit::default()).await.unwrap();
    store.close().await.unwrap();
    let said = well(&new, &["verify"]);
    assert!(said.contains("An import of main is under way or was broken off"), "{said}");
    let file = old.path("main.jsonl");
    assert!(well(&new, &["import", file.to_str().unwrap()]).contains("@main (joust)"));
    let said = well(&new, &["verify"]);
    assert!(!said.contains("broken off") && said.contains("Everything agrees."), "{said}");
    let store = Store::open(&new.database(), Default::default()).await.unwrap();
    assert_eq!(store.room(left).await.unwrap(), None);
    assert_eq!(store.rooms().await.unwrap()[0].config, "{}", "the mark is gone");
    store.close().await.unwrap();
}
