CREATE TABLE schema_versions (version BIGINT PRIMARY KEY, name TEXT NOT NULL, sha256 TEXT NOT NULL);
INSERT INTO schema_versions VALUES (1, '0001_first.sql', '12ee57688dbfaf95051deb056388c0736758d34cb1d1f446205ec81c25e27d84');
INSERT INTO schema_versions VALUES (2, '0002_threads.sql', 'f21c7fcf9398901e1615162af8c0a3c9adebb59d93b06589082a63752eba37c6');
INSERT INTO schema_versions VALUES (3, '0003_returning.sql', '19acc6108c78a21bbcd36f6a74a43956529df937a0aca5c4cd400c88726661bd');
INSERT INTO schema_versions VALUES (4, '0007_heartbeat.sql', '1cefe4e7d6cad5b815a48f62d28bc56792d3ce50d9ac9a5d44966545720b5339');
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
INSERT INTO rooms VALUES (1, 'Hill', 'hill', 'joust', '{}', 1, NULL, 0);
INSERT INTO rooms VALUES (2, 'old', 'old', 'joust', '{}', 1, 14, 0);
CREATE TABLE heads (
    room     INTEGER PRIMARY KEY REFERENCES rooms (id),
    last_seq INTEGER NOT NULL,
    next_due INTEGER            -- null when nothing is due
) STRICT;
INSERT INTO heads VALUES (1, 2, 13);
INSERT INTO heads VALUES (2, 0, NULL);
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
INSERT INTO entries VALUES (1, 1, 1, 11, 11, 11, 'm1', 'action', 'player/zed', '{"entry":1}');
INSERT INTO entries VALUES (2, 1, 2, 1000, 1000, 1000, NULL, 'action', NULL, '{"entry":2}');
CREATE TABLE said (
    room   INTEGER NOT NULL,
    seq    INTEGER NOT NULL,
    person INTEGER,
    text   TEXT    NOT NULL,
    PRIMARY KEY (room, seq),
    FOREIGN KEY (room, seq) REFERENCES entries (room, seq)
) STRICT, WITHOUT ROWID;
INSERT INTO said VALUES (1, 1, 1, 'joust start');
CREATE TABLE snapshots (
    room INTEGER NOT NULL REFERENCES rooms (id),
    seq  INTEGER NOT NULL,
    body BLOB    NOT NULL,
    PRIMARY KEY (room, seq)
) STRICT;
INSERT INTO snapshots VALUES (1, 1, X'7B7D');
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
INSERT INTO destinations VALUES (1, 'irc:test', 'forum', '#hill', 1, 117, NULL);
INSERT INTO destinations VALUES (2, 'irc:test', 'forum', '#b', 0, NULL, NULL);
CREATE TABLE outbox (
    id          INTEGER PRIMARY KEY,
    destination INTEGER NOT NULL REFERENCES destinations (id),
    room        INTEGER NOT NULL,
    seq         INTEGER NOT NULL,
    at          INTEGER NOT NULL,
    left_out    INTEGER NOT NULL, -- announcements before this one that a full queue did not take
    document    TEXT    NOT NULL  -- JSON
) STRICT;
INSERT INTO outbox VALUES (1025, 1, 1, 1, 1, 0, 'waiting');
INSERT INTO outbox VALUES (1026, 2, 1, 1, 1, 0, 'tried');
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
INSERT INTO undeliverable VALUES (1024, 1, 1, 1, 1, 16, 1, 'no such channel');
CREATE TABLE secrets (
    room INTEGER NOT NULL REFERENCES rooms (id),
    id   TEXT    NOT NULL,
    salt BLOB    NOT NULL,
    body BLOB    NOT NULL, person INTEGER, seat TEXT,
    PRIMARY KEY (room, id)
) STRICT;
INSERT INTO secrets VALUES (1, 'program/1', X'0102', X'3E2B', NULL, NULL);
CREATE TABLE persons (
    id        INTEGER PRIMARY KEY AUTOINCREMENT,
    name      TEXT,             -- null once forgotten
    created   INTEGER NOT NULL,
    forgotten INTEGER
) STRICT;
INSERT INTO persons VALUES (1, 'Zed', 1, NULL);
INSERT INTO persons VALUES (2, NULL, 3, 5);
CREATE TABLE accounts (
    service TEXT    NOT NULL,
    id      TEXT    NOT NULL,
    person  INTEGER NOT NULL REFERENCES persons (id),
    since   INTEGER NOT NULL,
    PRIMARY KEY (service, id)
) STRICT, WITHOUT ROWID;
INSERT INTO accounts VALUES ('irc:test', 'zed', 1, 1);
CREATE TABLE link_codes (
    person  INTEGER PRIMARY KEY REFERENCES persons (id),
    digest  BLOB    NOT NULL UNIQUE,
    expires INTEGER NOT NULL
) STRICT;
INSERT INTO link_codes VALUES (1, X'07A9D7B4A9A23915A61BC89BB0357BF47B348CF4174EB965BB1DF8FBFA18B0B5', 900);
CREATE TABLE link_tries (
    service TEXT    NOT NULL,
    id      TEXT    NOT NULL,
    tries   INTEGER NOT NULL,
    since   INTEGER NOT NULL,
    PRIMARY KEY (service, id)
) STRICT, WITHOUT ROWID;
INSERT INTO link_tries VALUES ('irc:test', 'zed2', 1, 2);
CREATE TABLE moderators (
    room   INTEGER NOT NULL,
    person INTEGER NOT NULL REFERENCES persons (id),
    made_by INTEGER,
    since  INTEGER NOT NULL,
    PRIMARY KEY (room, person)
) STRICT, WITHOUT ROWID;
INSERT INTO moderators VALUES (0, 1, NULL, 6);
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
INSERT INTO bans VALUES (1, 1, 2, 'spam', 1, 4, NULL);
CREATE TABLE ban_accounts (
    digest BLOB    NOT NULL,
    ban    INTEGER NOT NULL REFERENCES bans (id),
    PRIMARY KEY (digest, ban)
) STRICT, WITHOUT ROWID;
INSERT INTO ban_accounts VALUES (X'68BD4D04B8759092A035BB07CA665C922BECA34FA0F3B1E4469A1DC6B6FBB25A', 1);
CREATE TABLE ignores (
    service TEXT    NOT NULL,
    id      TEXT    NOT NULL,
    made_by INTEGER,
    since   INTEGER NOT NULL,
    PRIMARY KEY (service, id)
) STRICT, WITHOUT ROWID;
INSERT INTO ignores VALUES ('irc:test', 'zedbot', 1, 7);
CREATE TABLE pair_results (
    key      TEXT    NOT NULL PRIMARY KEY,
    outcomes BLOB    NOT NULL,
    used     INTEGER NOT NULL
) STRICT;
INSERT INTO pair_results VALUES ('pair', X'0809', 10);
CREATE TABLE threads (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    service TEXT NOT NULL,
    channel TEXT NOT NULL,
    topic   TEXT NOT NULL,
    thread  TEXT NOT NULL,
    UNIQUE (service, channel, topic)
) STRICT;
INSERT INTO threads VALUES (1, 'irc:test', '#hill', '1/proposal/7', '70');
CREATE TABLE forgotten_accounts (
    digest BLOB    NOT NULL PRIMARY KEY,
    person INTEGER NOT NULL REFERENCES persons (id)
) STRICT, WITHOUT ROWID;
INSERT INTO forgotten_accounts VALUES (X'68BD4D04B8759092A035BB07CA665C922BECA34FA0F3B1E4469A1DC6B6FBB25A', 2);
CREATE TABLE heartbeat (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    at INTEGER NOT NULL
) STRICT;
INSERT INTO heartbeat VALUES (1, 18);
CREATE UNIQUE INDEX rooms_by_name ON rooms (folded) WHERE closed IS NULL;
CREATE UNIQUE INDEX entries_by_origin ON entries (room, origin) WHERE origin IS NOT NULL;
CREATE INDEX entries_by_actor ON entries (room, actor, seq) WHERE actor IS NOT NULL;
CREATE INDEX said_by_person ON said (person) WHERE person IS NOT NULL;
CREATE INDEX outbox_by_destination ON outbox (destination, id);
CREATE INDEX accounts_by_person ON accounts (person);
CREATE INDEX ban_accounts_by_ban ON ban_accounts (ban);
CREATE INDEX pair_results_by_use ON pair_results (used);
CREATE INDEX forgotten_accounts_by_person ON forgotten_accounts (person);
CREATE INDEX secrets_by_person ON secrets (person) WHERE person > 0;
CREATE INDEX secrets_not_looked_up ON secrets (room) WHERE person IS NULL;
