-- What makes the bot trustworthy: the chain of each journal, who sealed what, which database this is, whether the clock
-- stands right, who plays a work, and what reached a person in no way.

-- The chain of each journal: hashes by which everybody can tell later that no entry was altered. One row an entry. Apart
-- from `entries`, whose rows are only ever added: journals from before this have no hashes until the program starts.
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

-- What is particular about the chain of a room.
CREATE TABLE chains (
    room      INTEGER PRIMARY KEY REFERENCES rooms (id),
    older     INTEGER NOT NULL, -- entries up to this one were there before they were chained
    chained   INTEGER,          -- when they were; null until then
    elsewhere INTEGER NOT NULL  -- entries up to this one were written in another database, and stored there otherwise
) STRICT;
INSERT INTO chains (room, older, chained, elsewhere) SELECT room, last_seq, NULL, 0 FROM heads WHERE last_seq > 0;

-- The salt of the hash of what was typed. It goes with it.
ALTER TABLE said ADD COLUMN salt BLOB;

-- A state can be large, so damage to it is found by its SHA-256. Null until the program starts.
ALTER TABLE snapshots ADD COLUMN sum BLOB;

-- The numbers that were given out, a second time: the database's own list of them cannot be guarded otherwise.
CREATE TABLE numbers (
    name TEXT    NOT NULL PRIMARY KEY,
    seq  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- When a process last saw that its clock stands right. One row.
CREATE TABLE heartbeat (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    at INTEGER NOT NULL
) STRICT;

-- Who sealed a secret, and under which seat: it opens to nobody else before the game reveals it. A person of 0 is nobody;
-- null is not looked up yet, of secrets that are older than this.
ALTER TABLE secrets ADD COLUMN person INTEGER;
ALTER TABLE secrets ADD COLUMN seat TEXT;
CREATE INDEX secrets_by_person ON secrets (person) WHERE person > 0;
CREATE INDEX secrets_not_looked_up ON secrets (room) WHERE person IS NULL;

-- Who plays the work that a room waits for, and until when that counts without being said again: so no two processes play
-- the same. A row can go: then whoever looks next plays.
CREATE TABLE claims (
    room   INTEGER PRIMARY KEY REFERENCES rooms (id),
    holder TEXT    NOT NULL,
    until  INTEGER NOT NULL
) STRICT;

-- Which database this is, drawn by chance: what is sent from it is known by it, so that what a copy of it sends is not
-- taken for the same. One row at most; none in a copy, until the program is first started on it.
CREATE TABLE identity (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    value    BLOB    NOT NULL
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

-- 1 where another account of the same person has got the same announcement.
ALTER TABLE outbox ADD COLUMN elsewhere INTEGER NOT NULL DEFAULT 0;
