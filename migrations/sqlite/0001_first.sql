-- The first schema. Instants are microseconds since 1970 UTC. Texts marked JSON belong to the service.
-- A migration that has been released is never edited: the program refuses a database whose migrations read otherwise.

-- A running game. `folded` is the name as names are compared; only one open room may have it.
CREATE TABLE rooms (
    id        INTEGER PRIMARY KEY AUTOINCREMENT,
    name      TEXT    NOT NULL,
    folded    TEXT    NOT NULL,
    game      TEXT    NOT NULL,
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

-- What somebody typed to cause an entry. Apart from the journal, so that it can be forgotten.
CREATE TABLE said (
    room   INTEGER NOT NULL,
    seq    INTEGER NOT NULL,
    person INTEGER,
    text   TEXT    NOT NULL,
    PRIMARY KEY (room, seq),
    FOREIGN KEY (room, seq) REFERENCES entries (room, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX said_by_person ON said (person) WHERE person IS NOT NULL;

-- States of rooms, to start from. The journal can always make them again.
CREATE TABLE snapshots (
    room INTEGER NOT NULL REFERENCES rooms (id),
    seq  INTEGER NOT NULL,
    body BLOB    NOT NULL,
    PRIMARY KEY (room, seq)
) STRICT;

-- A channel or a person that announcements go to, and the lease on the oldest of those that wait. How many wait is not
-- counted here, because then every commit would write this too.
CREATE TABLE destinations (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    service      TEXT    NOT NULL,
    kind         TEXT    NOT NULL CHECK (kind IN ('forum', 'person')),
    address      TEXT    NOT NULL,
    attempts     INTEGER NOT NULL,
    leased_until INTEGER,
    retry_at     INTEGER,
    UNIQUE (service, kind, address)
) STRICT;

-- Announcements not yet delivered. An id is the id of an entry times 1024, plus the place in its commit: so a larger one
-- is later, and none is used twice.
CREATE TABLE outbox (
    id          INTEGER PRIMARY KEY,
    destination INTEGER NOT NULL REFERENCES destinations (id),
    room        INTEGER NOT NULL,
    seq         INTEGER NOT NULL,
    at          INTEGER NOT NULL,
    left_out    INTEGER NOT NULL, -- announcements before this one that a full queue did not take
    document    TEXT    NOT NULL  -- JSON
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

-- Unrevealed programs, sealed moves, seeds. Nothing else holds them.
CREATE TABLE secrets (
    room INTEGER NOT NULL REFERENCES rooms (id),
    id   TEXT    NOT NULL,
    salt BLOB    NOT NULL,
    body BLOB    NOT NULL,
    PRIMARY KEY (room, id)
) STRICT;

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
    room   INTEGER NOT NULL,
    person INTEGER NOT NULL REFERENCES persons (id),
    made_by INTEGER,
    since  INTEGER NOT NULL,
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
