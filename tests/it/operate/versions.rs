//! A process whose database another program has changed meanwhile: it writes nothing more, says why, and ends.

use std::{
    io::{BufRead as _, BufReader, Read as _},
    process::{Child, Stdio},
};

use port::ReplyKind;
use store::StoreError;

use crate::{
    console::{Home, PATIENCE},
    house::{Folder, House, MODERATOR, beside},
};

/// What a program of another schema leaves.
const OTHER: &str = "INSERT INTO schema_versions VALUES (99, 'unknown')";

#[tokio::test]
async fn a_process_writes_nothing_into_a_database_whose_schema_has_changed() {
    let folder = Folder::new();
    let mut house = House::with_contest(&folder.database()).await;
    let before = house.journal("main").await.len();
    let pending = house.hub.store().pending().await.unwrap();
    assert!(pending > 0, "something waits to be delivered");
    folder.beside().execute_batch(OTHER).unwrap();

    let line = house.line(MODERATOR, "joust adjudicate so be it");
    let replies = house.hub.hear(line).await;
    assert!(replies.iter().all(|reply| reply.kind == ReplyKind::Fault) && !replies.is_empty(), "{replies:?}");
    let store = house.hub.store();
    let error = store.outgrown().await;
    assert!(matches!(error, StoreError::OtherSchema { .. }), "{error}");
    // Nor what may be lost: leases, outcomes, deliveries.
    assert!(matches!(store.lease("test", 0, 1).await, Err(StoreError::OtherSchema { .. })));
    assert!(matches!(store.put_pairs(&[], 0).await, Err(StoreError::OtherSchema { .. })));
    assert_eq!((house.journal("main").await.len(), store.pending().await.unwrap()), (before, pending));
    assert_eq!(store.complaints().await.unwrap(), Vec::<String>::new());
}

/// Starts the program and waits until its log says that it runs.
fn started(home: &Home, arguments: &[&str]) -> (Child, BufReader<std::process::ChildStderr>) {
    let mut child = home
        .command(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .env("RULEKEEPER_LOG", "info")
        .spawn()
        .expect("the program starts");
    let mut log = BufReader::new(child.stderr.take().expect("its log is piped"));
    let mut line = String::new();
    while !line.contains("\"message\":\"started\"") {
        line.clear();
        assert!(log.read_line(&mut line).expect("a log in UTF-8") > 0, "it ends before it has started");
    }
    (child, log)
}

/// Two processes, one of them of another version: the first ends, though nobody asks it for anything.
#[tokio::test]
async fn the_program_ends_with_a_reason_and_a_code_when_another_one_takes_its_database_over() {
    let home = Home::new();
    home.say("room open joust main\n");
    let (mut child, mut log) = started(&home, &["serve"]);
    beside(home.path("rulekeeper.db")).execute_batch(OTHER).unwrap();
    let reading = tokio::task::spawn_blocking(move || {
        let mut told = String::new();
        // It ends with the program.
        log.read_to_string(&mut told).expect("a log in UTF-8");
        told
    });
    let told = match tokio::time::timeout(PATIENCE, reading).await {
        Ok(told) => told.unwrap(),
        Err(_) => {
            child.kill().expect("it goes on");
            panic!("it does not end");
        }
    };
    let status = child.wait().expect("it has ended");
    assert_eq!(status.code(), Some(1), "{told}");
    let last = told.lines().last().unwrap_or_default();
    assert!(last.contains("has the schema of another version"), "{told}");
}
