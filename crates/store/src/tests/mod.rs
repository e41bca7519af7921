//! The store against real files: what it promises across handles, crashes and faults.

mod faults;
mod filled;
mod grouped;
mod journal;
mod living;
mod maintenance;
mod outbox;
mod outbox_model;
mod pairs;
mod people;
mod postgres;
#[expect(dead_code, reason = "tests of the whole program ask more of it")]
mod postgres_server;
mod reminders;
mod threads;
mod transfer;

use tempfile::TempDir;

use super::*;
use port::{Destination, ForumAddress};

/// A place for a database: in a directory that is gone with the value, or in a server of Postgres.
fn folder() -> (TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    if let Some(address) = postgres::database() {
        return (folder, address);
    }
    let path = folder.path().join("rulekeeper.db").to_str().unwrap().to_owned();
    (folder, path)
}

async fn open(path: &str) -> Store {
    Store::open(path, Options::default()).await.unwrap()
}

fn new_room(name: &str) -> NewRoom {
    NewRoom {
        name: name.to_owned(),
        folded: name.to_lowercase(),
        game: "joust".to_owned(),
        shape: "ab".to_owned(),
        config: "{}".to_owned(),
        created: 1,
        importing: false,
    }
}

async fn room(store: &Store, name: &str) -> RoomId {
    store.create_room(new_room(name), Commit::default()).await.unwrap()
}

fn entry(seq: u64, at: i64) -> NewEntry {
    NewEntry {
        seq,
        at,
        recorded: at,
        origin: None,
        cause: "action".to_owned(),
        actor: None,
        json: format!("{{\"entry\":{seq}}}"),
        said: None,
        act: None,
        salts: Salts::default(),
    }
}

/// A commit of one entry after `expected_seq`.
fn one(expected_seq: u64) -> Commit {
    Commit { expected_seq, entries: vec![entry(expected_seq + 1, 1000 * expected_seq as i64)], ..Commit::default() }
}

fn forum(channel: &str) -> Destination {
    Destination::Forum(ForumAddress { service: "irc:test".to_owned(), channel: channel.to_owned() })
}

fn say(to: &Destination, seq: u64, text: &str) -> NewDelivery {
    NewDelivery { to: to.clone(), seq, at: seq as i64, document: text.to_owned() }
}
