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
