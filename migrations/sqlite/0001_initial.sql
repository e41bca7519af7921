-- The schema. Instants are microseconds since 1970 UTC. Texts marked JSON belong to the service. The program refuses a
-- database that was made by another text than this one. It adds to each table a sum of its columns, by which damage to a
-- row is found (crates/store/src/schema.rs).

-- Which schema this is, by the SHA-256 of this text with those sums. One row.
CREATE TABLE schema_versions (
    version INTEGER PRIMARY KEY,
    sha256  TEXT    NOT NULL
) STRICT;

-- A running game. `folded` is the name as names are compared; only one open room may have it.
CREATE TABLE rooms (
    id        INTEGER PRIMARY KEY AUTOINCREMENT,
    name      TEXT    NOT NULL,
    folded    TEXT    NOT NULL,
    game      TEXT    NOT NULL,
    shape     TEXT    NOT NULL, -- digest of all that its journal and its states are written as
    config    TEXT    NOT NULL, -- JSON
    created   INTEGER NOT NULL,
    closed    INTEGER,          -- null while it runs
    importing INTEGER NOT NULL  -- 1 until an import is complete
) STRICT;
CREATE UNIQUE INDEX rooms_by_name ON rooms (folded) WHERE closed IS NULL;

-- Where a room's journal ends. Apart from `rooms`, because every commit writes it.
CREATE TABLE heads (
    room     INTEGER PRIMARY KEY REFERENCES rooms (id),
    last_seq INTEGER NOT NULL,
    next_due INTEGER            -- null when nothing is due
) STRICT;

-- The journal. Rows are only ever added. `id` counts over all rooms, in the order of the commits. `clock` is the latest
-- effective instant up to and including this entry.
CREATE TABLE entries (
    id       INTEGER PRIMARY KEY,
    room     INTEGER NOT NULL REFERENCES rooms (id),
    seq      INTEGER NOT NULL,
    at       INTEGER NOT NULL,
    clock    INTEGER NOT NULL,
    recorded INTEGER NOT NULL,
    origin   TEXT,
    cause    TEXT    NOT NULL,
    actor    TEXT,
    body     TEXT    NOT NULL,  -- JSON
    UNIQUE (room, seq)
) STRICT;
CREATE UNIQUE INDEX entries_by_origin ON entries (room, origin) WHERE origin IS NOT NULL;
CREATE INDEX entries_by_actor ON entries (room, actor, seq) WHERE actor IS NOT NULL;

-- What somebody typed to cause an entry. Apart from the journal, so that it can be forgotten, and the salt of its hash
-- with it.
CREATE TABLE said (
    room   INTEGER NOT NULL,
    seq    INTEGER NOT NULL,
    person INTEGER,
    text   TEXT    NOT NULL,
    salt   BLOB    NOT NULL,
    PRIMARY KEY (room, seq),
    FOREIGN KEY (room, seq) REFERENCES entries (room, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX said_by_person ON said (person) WHERE person IS NOT NULL;

-- What an entry was decided from: the action as it was bound, or the result of a work, with what it sealed and opened.
-- Apart from the journal, so that it can be forgotten with what was typed. It holds what was said in private: nobody
-- reads it, and an undo alone has it decided again.
CREATE TABLE acts (
    room INTEGER NOT NULL,
    seq  INTEGER NOT NULL,
    act  TEXT    NOT NULL, -- JSON
    PRIMARY KEY (room, seq),
    FOREIGN KEY (room, seq) REFERENCES entries (room, seq)
) STRICT, WITHOUT ROWID;

-- The chain of each journal: hashes by which everybody can tell later that no entry was altered. One row an entry.
CREATE TABLE chain (
    room   INTEGER NOT NULL,
    seq    INTEGER NOT NULL,
    salt   BLOB    NOT NULL, -- of the entry's parts and of what is stored of it
    stored BLOB    NOT NULL, -- hash of what is stored of it
    said   BLOB,             -- hash of what was typed; it stays when that is forgotten
    hash   BLOB    NOT NULL, -- of the entry; it covers all these and the one before
    PRIMARY KEY (room, seq),
    FOREIGN KEY (room, seq) REFERENCES entries (room, seq)
) STRICT, WITHOUT ROWID;

-- Rooms that come from another database: up to which entry. Those are stored otherwise than they were there.
CREATE TABLE imported (
    room INTEGER PRIMARY KEY REFERENCES rooms (id),
    last INTEGER NOT NULL
) STRICT;

-- States of rooms, to start from. The journal can always make them again.
CREATE TABLE snapshots (
    room INTEGER NOT NULL REFERENCES rooms (id),
    seq  INTEGER NOT NULL,
    body BLOB    NOT NULL,
    PRIMARY KEY (room, seq)
) STRICT;

-- Unrevealed programs, sealed moves, seeds. Nothing else holds them. Who sealed one, and under which seat: it opens to
-- nobody else before the game reveals it.
CREATE TABLE secrets (
    room   INTEGER NOT NULL REFERENCES rooms (id),
    id     TEXT    NOT NULL,
    salt   BLOB    NOT NULL,
    body   BLOB    NOT NULL,
    person INTEGER,             -- null where nobody did
    seat   TEXT,
    PRIMARY KEY (room, id)
) STRICT;
CREATE INDEX secrets_by_person ON secrets (person) WHERE person IS NOT NULL;

-- A channel or a person that announcements go to, and the lease on the oldest of those that wait: it alone can be leased.
-- `head` is that one, so that finding what to send next looks at destinations only, however much waits for a network that
-- is gone. `waiting` is how many wait. Whoever puts one there or takes one away writes this row first: in Postgres they so
-- take turns at a destination, and nobody has to count the rows.
CREATE TABLE destinations (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    service      TEXT    NOT NULL,
    kind         TEXT    NOT NULL CHECK (kind IN ('forum', 'person')),
    address      TEXT    NOT NULL,
    attempts     INTEGER NOT NULL,
    leased_until INTEGER,
    retry_at     INTEGER,
    head         INTEGER,       -- null where none waits
    waiting      INTEGER NOT NULL,
    UNIQUE (service, kind, address)
) STRICT;
CREATE INDEX destinations_waiting ON destinations (service, head) WHERE head IS NOT NULL;

-- Announcements not yet delivered. An id is the id of an entry times 1024, plus the place in its commit: so a larger one
-- is later, and none is used twice.
CREATE TABLE outbox (
    id          INTEGER PRIMARY KEY,
    destination INTEGER NOT NULL REFERENCES destinations (id),
    room        INTEGER NOT NULL,
    seq         INTEGER NOT NULL,
    at          INTEGER NOT NULL,
    left_out    INTEGER NOT NULL, -- announcements before this one that a full queue did not take
    document    TEXT    NOT NULL, -- JSON
    elsewhere   INTEGER NOT NULL  -- 1 where another account of the same person has got the same announcement
) STRICT;
CREATE INDEX outbox_by_destination ON outbox (destination, id);

-- Announcements that were given up, for the operator.
CREATE TABLE undeliverable (
    id          INTEGER PRIMARY KEY,
    destination INTEGER NOT NULL REFERENCES destinations (id),
    room        INTEGER NOT NULL,
    seq         INTEGER NOT NULL,
    at          INTEGER NOT NULL,
    gave_up     INTEGER NOT NULL,
    attempts    INTEGER NOT NULL,
    reason      TEXT    NOT NULL
) STRICT;

-- What could not be delivered to a person, with its text, for the one who has the account. Room 0 stands for none.
CREATE TABLE inbox (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    service  TEXT    NOT NULL,
    account  TEXT    NOT NULL,
    room     INTEGER NOT NULL,
    seq      INTEGER NOT NULL,
    kept     INTEGER NOT NULL,
    told     INTEGER NOT NULL, -- 1 once its owner was told that something waits
    read     INTEGER NOT NULL, -- 1 once it was shown
    document TEXT    NOT NULL  -- JSON
) STRICT;
CREATE INDEX inbox_by_account ON inbox (service, account, id);

-- Somebody. The row outlives its accounts, because journals name its id.
CREATE TABLE persons (
    id        INTEGER PRIMARY KEY AUTOINCREMENT,
    name      TEXT,             -- null once forgotten
    created   INTEGER NOT NULL,
    forgotten INTEGER
) STRICT;

CREATE TABLE accounts (
    service TEXT    NOT NULL,
    id      TEXT    NOT NULL,
    person  INTEGER NOT NULL REFERENCES persons (id),
    since   INTEGER NOT NULL,
    PRIMARY KEY (service, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX accounts_by_person ON accounts (person);

-- Accounts of people who asked to be forgotten, by their SHA-256: whoever comes back with one is the person that they
-- were, so that nothing a game counts for a person begins anew.
CREATE TABLE forgotten_accounts (
    digest BLOB    NOT NULL PRIMARY KEY,
    person INTEGER NOT NULL REFERENCES persons (id)
) STRICT, WITHOUT ROWID;
CREATE INDEX forgotten_accounts_by_person ON forgotten_accounts (person);

-- One-time codes that join an account to a person, by their SHA-256.
CREATE TABLE link_codes (
    person  INTEGER PRIMARY KEY REFERENCES persons (id),
    digest  BLOB    NOT NULL UNIQUE,
    expires INTEGER NOT NULL
) STRICT;

-- Wrong codes that an account has tried lately.
CREATE TABLE link_tries (
    service TEXT    NOT NULL,
    id      TEXT    NOT NULL,
    tries   INTEGER NOT NULL,
    since   INTEGER NOT NULL,
    PRIMARY KEY (service, id)
) STRICT, WITHOUT ROWID;

-- Room 0 stands for every room, here and in `bans`.
CREATE TABLE moderators (
    room    INTEGER NOT NULL,
    person  INTEGER NOT NULL REFERENCES persons (id),
    made_by INTEGER,
    since   INTEGER NOT NULL,
    PRIMARY KEY (room, person)
) STRICT, WITHOUT ROWID;

CREATE TABLE bans (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    room    INTEGER NOT NULL,
    person  INTEGER NOT NULL REFERENCES persons (id),
    reason  TEXT    NOT NULL,
    made_by INTEGER,
    since   INTEGER NOT NULL,
    ends    INTEGER,            -- null for ever
    UNIQUE (room, person)
) STRICT;

-- Accounts that a banned person no longer has, by their SHA-256, so that the ban holds.
CREATE TABLE ban_accounts (
    digest BLOB    NOT NULL,
    ban    INTEGER NOT NULL REFERENCES bans (id),
    PRIMARY KEY (digest, ban)
) STRICT, WITHOUT ROWID;
CREATE INDEX ban_accounts_by_ban ON ban_accounts (ban);

-- Accounts that the bot does not listen to.
CREATE TABLE ignores (
    service TEXT    NOT NULL,
    id      TEXT    NOT NULL,
    made_by INTEGER,
    since   INTEGER NOT NULL,
    PRIMARY KEY (service, id)
) STRICT, WITHOUT ROWID;

-- Results of jousts between two programs, which can always be played again.
CREATE TABLE pair_results (
    key      TEXT    NOT NULL PRIMARY KEY,
    outcomes BLOB    NOT NULL,
    used     INTEGER NOT NULL
) STRICT;
CREATE INDEX pair_results_by_use ON pair_results (used);

-- Threads that networks have opened for topics of rooms: without it every restart would open them anew. A row can go:
-- then the topic goes on in another thread.
CREATE TABLE threads (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    service TEXT NOT NULL,
    channel TEXT NOT NULL,
    topic   TEXT NOT NULL,
    thread  TEXT NOT NULL,
    UNIQUE (service, channel, topic)
) STRICT;

-- Messages that show something that goes on, such as a proposal: they are edited as it does. A row can go: then its
-- message stays as it stands.
CREATE TABLE living (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    room    INTEGER NOT NULL REFERENCES rooms (id),
    service TEXT NOT NULL,
    channel TEXT NOT NULL,
    message TEXT NOT NULL,
    display TEXT NOT NULL,
    shown   TEXT NOT NULL,
    UNIQUE (service, channel, message)
) STRICT;
CREATE INDEX living_room ON living (room, service);

-- Who asked to be reminded of what waits for them in a room, and how long before its end. A row can go: then nobody is
-- reminded.
CREATE TABLE reminders (
    room    INTEGER NOT NULL REFERENCES rooms (id),
    service TEXT    NOT NULL,
    account TEXT    NOT NULL,
    before  INTEGER NOT NULL, -- seconds
    aloud   INTEGER NOT NULL, -- 1: called in the room's channel, 0: told in private
    PRIMARY KEY (room, service, account)
) STRICT;
CREATE INDEX reminders_account ON reminders (service, account);

-- What they were reminded of, or are being reminded of since an instant.
CREATE TABLE reminded (
    room    INTEGER NOT NULL REFERENCES rooms (id),
    service TEXT    NOT NULL,
    account TEXT    NOT NULL,
    what    TEXT    NOT NULL,
    since   INTEGER NOT NULL,
    told    INTEGER NOT NULL,
    PRIMARY KEY (room, service, account, what)
) STRICT;
CREATE INDEX reminded_account ON reminded (service, account, room, since);

-- What only one process on the database does at a time, by name: the work that a room waits for, what falls due, a
-- network. Who does it, until when that counts without being said again, and how many processes had it in turn since an
-- instant without giving it back. `done` of `total` is how far a work is, so that others than who plays it can show that:
-- both are 0 until that is known, and for what is no work. A row can go: then whoever looks next has it.
CREATE TABLE claims (
    name   TEXT    PRIMARY KEY,
    what   TEXT    NOT NULL, -- the work; empty where the name says it all
    holder TEXT    NOT NULL,
    until  INTEGER NOT NULL,
    turns  INTEGER NOT NULL,
    since  INTEGER NOT NULL,
    done   INTEGER NOT NULL,
    total  INTEGER NOT NULL
) STRICT;

-- When a process last saw that its clock stands right. One row.
CREATE TABLE heartbeat (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    at INTEGER NOT NULL
) STRICT;

-- Which database this is, drawn by chance: what is sent from it is known by it, so that what a copy of it sends is not
-- taken for the same. One row at most; none in a copy, until the program is first started on it.
CREATE TABLE identity (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    value    BLOB    NOT NULL
) STRICT;

-- The numbers that were given out, counted a second time: the database's own list of them has no sums.
CREATE TABLE numbers (
    name TEXT    NOT NULL PRIMARY KEY,
    seq  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO numbers (name, seq)
SELECT name, 0 FROM sqlite_schema WHERE type = 'table' AND instr(sql, 'AUTOINCREMENT') > 0;
