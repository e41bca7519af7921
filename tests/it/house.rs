//! The service under test without a network: lines go in, replies and announcements come out.
//!
//! It is the real service on a database of its own, and the test moves its clock. No network and no binary takes part.

use std::{
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
};

use catalogue::hint::{self, Form};
use kernel::{Instant, display::plain};
use port::clock::Clock;
use port::entropy::Entropy;
use port::{Account, Attachment, ForumAddress, Line, Place, Reply, Sent, Speaker};
use rulekeeper::service::Hub;
use rulekeeper::service::hub::Handle;
use rulekeeper::service::settings::Settings;
use rusqlite::{Connection, OpenFlags, Params, Row};
use store::{Commit, Options, Snapshot, Store};

/// A Monday morning.
pub(crate) const START: &str = "2026-11-02T08:00:00Z";

/// The service that carries the channels of these tests.
pub(crate) const SERVICE: &str = "test";

/// Who moderates and holds the office of contestmaster.
pub(crate) const MODERATOR: &str = "Goethe";

/// A program that holds its own on the Hill of the house programs for a while.
pub(crate) const ALPHA: &str = ">>>>>>>+[>[+++[-]]+]";

/// Counts the houses of all tests.
static RUNS: AtomicU64 = AtomicU64::new(0);

/// A folder with a database in it.
pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder for the test"))
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Where the database lies.
    pub(crate) fn database(&self) -> String {
        self.path("rulekeeper.db").to_str().expect("a path in Unicode").to_owned()
    }

    /// A connection to the database beside the program's own.
    pub(crate) fn beside(&self) -> Connection {
        beside(self.database())
    }
}

/// A connection to a database that is there, as of another program.
pub(crate) fn beside(path: impl AsRef<Path>) -> Connection {
    opened(path.as_ref(), true)
}

/// The same that lets rows point to what is not there.
pub(crate) fn unguarded(path: impl AsRef<Path>) -> Connection {
    opened(path.as_ref(), false)
}

fn opened(path: &Path, foreign_keys: bool) -> Connection {
    let conn = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE).expect("the database is there");
    store::row_sums(&conn).expect("a function");
    conn.pragma_update(None, "foreign_keys", foreign_keys).expect("a setting");
    conn
}

/// Every row of a statement.
pub(crate) fn rows<T>(
    conn: &Connection,
    sql: &str,
    params: impl Params,
    read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
) -> rusqlite::Result<Vec<T>> {
    conn.prepare(sql)?.query_map(params, read)?.collect()
}

/// The service, with rooms in it.
pub(crate) struct House {
    pub(crate) hub: Hub,
    pub(crate) clock: Clock,
    /// What makes the origins of this house's lines differ from those of others.
    run: u64,
    said: u64,
}

/// The moment that a text names.
pub(crate) fn at(text: &str) -> Instant {
    text.parse().expect("an instant")
}

impl House {
    /// Opens a database at the start of the tests' time.
    pub(crate) async fn open(path: &str) -> Self {
        Self::open_at(path, START).await
    }

    /// Opens a database at an instant.
    pub(crate) async fn open_at(path: &str, now: &str) -> Self {
        let store = Store::open(path, Options::default()).await.expect("the database opens");
        Self::with(store, Clock::manual(at(now))).await
    }

    /// Opens what is in a store.
    pub(crate) async fn with(store: Store, clock: Clock) -> Self {
        Self::with_moderators(store, clock, Vec::new()).await
    }

    /// Opens what is in a store, with accounts that moderate every room.
    pub(crate) async fn with_moderators(store: Store, clock: Clock, moderators: Vec<Account>) -> Self {
        Self::with_all(store, clock, moderators, Entropy::System).await
    }

    /// Opens what is in a store, with this chance.
    pub(crate) async fn by_chance(store: Store, clock: Clock, entropy: Entropy) -> Self {
        Self::with_all(store, clock, Vec::new(), entropy).await
    }

    /// The service as it is.
    pub(crate) fn of(hub: Hub, clock: Clock) -> Self {
        Self { hub, clock, run: RUNS.fetch_add(1, Ordering::Relaxed), said: 0 }
    }

    async fn with_all(store: Store, clock: Clock, moderators: Vec<Account>, entropy: Entropy) -> Self {
        let settings = Settings { moderators, ..Settings::default() };
        let hub = Hub::open(store, clock.clone(), entropy, settings).await.expect("the rooms open");
        Self { hub, clock, run: RUNS.fetch_add(1, Ordering::Relaxed), said: 0 }
    }

    /// A contest in a room called main, begun, its channel `#main`.
    pub(crate) async fn with_contest(path: &str) -> Self {
        let mut house = Self::open(path).await;
        house.does(MODERATOR, "room open joust main").await;
        house.does(MODERATOR, "joust start").await;
        house
    }

    /// A line as somebody says it, in `#main` or in private, with an origin of its own.
    pub(crate) fn line(&mut self, who: &str, text: &str) -> Line {
        self.said += 1;
        let (place, text) = match text.strip_prefix("privately ") {
            Some(text) => (Place::Private, text),
            None => (Place::Forum(ForumAddress { service: SERVICE.to_owned(), channel: "#main".to_owned() }), text),
        };
        Line {
            origin: format!("{}/{}", self.run, self.said),
            from: Speaker {
                account: Some(Account { service: SERVICE.to_owned(), id: who.to_lowercase() }),
                sign_in: None,
                nick: who.to_owned(),
                operator: who == MODERATOR,
                moderates: Vec::new(),
            },
            place,
            text: text.to_owned(),
            attachments: Vec::new(),
            sent: Sent::Typed,
        }
    }

    /// Somebody says a line; the replies, once everything has happened that follows from it.
    pub(crate) async fn say(&mut self, who: &str, text: &str) -> Vec<Reply> {
        let line = self.line(who, text);
        let replies = self.hub.hear(line).await;
        self.hub.settle().await.expect("what follows happens");
        replies
    }

    /// The same, with a file.
    pub(crate) async fn send(&mut self, who: &str, text: &str, file: &[u8]) -> Vec<Reply> {
        let file = Attachment { name: "file".to_owned(), bytes: file.to_vec() };
        let line = Line { attachments: vec![file], ..self.line(who, text) };
        self.hub.hear(line).await
    }

    /// Somebody says a line, and what it says is done or shown; the text of the replies.
    pub(crate) async fn does(&mut self, who: &str, text: &str) -> String {
        let replies = self.say(who, text).await;
        let shown = shown(&replies);
        assert!(replies.iter().all(Reply::went_well), "{who}: {text}\n{shown}");
        shown
    }

    /// Somebody says a line, and it is refused; the text of the refusal.
    pub(crate) async fn is_refused(&mut self, who: &str, text: &str) -> String {
        let replies = self.say(who, text).await;
        let shown = shown(&replies);
        assert!(replies.iter().all(|reply| reply.kind.is_refusal()) && !replies.is_empty(), "{text}\n{shown}");
        shown
    }

    /// Moves the clock, and lets everything happen that is due on the way.
    pub(crate) async fn to(&self, instant: &str) {
        self.clock.advance_to(at(instant));
        self.hub.settle().await.expect("what is due happens");
    }

    /// A room by its name.
    pub(crate) fn room(&self, name: &str) -> std::sync::Arc<Handle> {
        self.hub.rooms().into_iter().find(|room| room.name == name).expect("the room is open")
    }

    /// The entries of a room, as journalled.
    pub(crate) async fn journal(&self, name: &str) -> Vec<store::Entry> {
        let (room, mut entries) = (self.room(name).id, Vec::new());
        loop {
            let next = entries.len() as u64 + 1;
            let page = self.hub.store().entries(room, next, 500).await.expect("the journal can be read");
            if page.is_empty() {
                return entries;
            }
            entries.extend(page);
        }
    }

    /// Keeps a snapshot of a room as it is, as a longer journal would have one.
    pub(crate) async fn keep_snapshot(&self, name: &str) {
        let (store, id) = (self.hub.store(), self.room(name).id);
        let room = store.room(id).await.expect("the room can be read").expect("the room is there");
        let mut table = rulekeeper::games::table(&room.game).expect("the game is known");
        for entry in self.journal(name).await {
            table.fold(&entry.json).expect("an entry of the journal folds");
        }
        let snapshot = Some(Snapshot { seq: room.last_seq, body: table.snapshot() });
        let (expected_seq, next_due) = (room.last_seq, room.next_due);
        let commit = Commit { expected_seq, next_due, snapshot, ..Commit::default() };
        store.commit(id, commit).await.expect("the snapshot is kept");
    }

    /// Closes the database.
    pub(crate) async fn close(self) {
        self.hub.close().await.expect("the database closes");
    }
}

/// What replies show.
pub(crate) fn shown(replies: &[Reply]) -> String {
    replies.iter().map(|reply| plain(&hint::written(&reply.document, Form::Line))).collect::<Vec<_>>().join("\n")
}
