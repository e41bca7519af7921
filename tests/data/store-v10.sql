CREATE TABLE schema_versions (version BIGINT PRIMARY KEY, name TEXT NOT NULL, sha256 TEXT NOT NULL);
INSERT INTO schema_versions VALUES (1, '0001_first.sql', '12ee57688dbfaf95051deb056388c0736758d34cb1d1f446205ec81c25e27d84');
INSERT INTO schema_versions VALUES (10, '0010_counts.sql', '5f3cc00541084131406ce1a0b40398c4ceb1ba70e864d8803c0fca8b04516314');
INSERT INTO schema_versions VALUES (2, '0002_threads.sql', 'f21c7fcf9398901e1615162af8c0a3c9adebb59d93b06589082a63752eba37c6');
INSERT INTO schema_versions VALUES (3, '0003_returning.sql', '19acc6108c78a21bbcd36f6a74a43956529df937a0aca5c4cd400c88726661bd');
INSERT INTO schema_versions VALUES (4, '0004_queue_heads.sql', '709624fc5effc12b4d6dcef20bbc3b210dc9783fed6b108e680bb00cefbc1fdf');
INSERT INTO schema_versions VALUES (5, '0005_trust.sql', 'a64ba6062f68edf4366404d1b7c0164b3ea0db40aeeda3e9d265476e9cfc2d4b');
INSERT INTO schema_versions VALUES (6, '0006_acts.sql', '01a7fb6c6703b0d4b9abac66bfafaba6bcaaad20420ea707d52c77238f307c9b');
INSERT INTO schema_versions VALUES (7, '0007_living.sql', 'e0722cd5a16e757a61315dc0a43f4e1c36e39ed41e17edd080ed0b6edc353868');
INSERT INTO schema_versions VALUES (8, '0008_reminders.sql', 'f412d465e7d57bec740c2589d81842df83f0179a796fbe4f8079dfe76e74f52b');
INSERT INTO schema_versions VALUES (9, '0009_claims.sql', '1ea15143b3545280e4870c740509e63be35851a7ab308ccb48e5cbb4a9218d1f');
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
INSERT INTO heads VALUES (2, 1, NULL);
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
INSERT INTO entries VALUES (3, 2, 1, 11, 11, 11, NULL, 'action', NULL, '{"entry":1}');
CREATE TABLE said (
    room   INTEGER NOT NULL,
    seq    INTEGER NOT NULL,
    person INTEGER,
    text   TEXT    NOT NULL, salt BLOB,
    PRIMARY KEY (room, seq),
    FOREIGN KEY (room, seq) REFERENCES entries (room, seq)
) STRICT, WITHOUT ROWID;
INSERT INTO said VALUES (1, 1, 1, 'joust start', X'0000000000000000000000000000000000000000000000000000000000000000');
CREATE TABLE snapshots (
    room INTEGER NOT NULL REFERENCES rooms (id),
    seq  INTEGER NOT NULL,
    body BLOB    NOT NULL, sum BLOB,
    PRIMARY KEY (room, seq)
) STRICT;
INSERT INTO snapshots VALUES (1, 1, X'7B7D', X'44136FA355B3678A1146AD16F7E8649E94FB4FC21FE77E8310C060F61CAAFF8A');
CREATE TABLE destinations (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    service      TEXT    NOT NULL,
    kind         TEXT    NOT NULL CHECK (kind IN ('forum', 'person')),
    address      TEXT    NOT NULL,
    attempts     INTEGER NOT NULL,
    leased_until INTEGER,
    retry_at     INTEGER, head INTEGER, waiting INTEGER NOT NULL DEFAULT 0,
    UNIQUE (service, kind, address)
) STRICT;
INSERT INTO destinations VALUES (1, 'irc:test', 'forum', '#b', 0, NULL, NULL, 1026, 1);
INSERT INTO destinations VALUES (2, 'irc:test', 'forum', '#hill', 1, 117, NULL, 1025, 1);
CREATE TABLE outbox (
    id          INTEGER PRIMARY KEY,
    destination INTEGER NOT NULL REFERENCES destinations (id),
    room        INTEGER NOT NULL,
    seq         INTEGER NOT NULL,
    at          INTEGER NOT NULL,
    left_out    INTEGER NOT NULL, -- announcements before this one that a full queue did not take
    document    TEXT    NOT NULL  -- JSON
, elsewhere INTEGER NOT NULL DEFAULT 0) STRICT;
INSERT INTO outbox VALUES (1025, 2, 1, 1, 1, 0, 'waiting', 0);
INSERT INTO outbox VALUES (1026, 1, 1, 1, 1, 0, 'tried', 0);
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
INSERT INTO undeliverable VALUES (1024, 2, 1, 1, 1, 16, 1, 'no such channel');
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
INSERT INTO chain VALUES (1, 1, X'0000000000000000000000000000000000000000000000000000000000000000', X'B918F00E6B595F7D4F5428BA2335B6BCD350BCCEFF92F29FFBE9A7EF16D80056', X'A407B495F23FA41750568EA7949A0574A178773DFB20E667521FFB9EEF0F1F3C', X'BC17431DF30F0C90700D308DA2B5D9AAF248C603BE4E00C0F8711D52B60FC4AA');
INSERT INTO chain VALUES (1, 2, X'0000000000000000000000000000000000000000000000000000000000000000', X'10F2E30213B6342B829AA3D56C3CE60FB7B1C43AB21C747105D062EF14057CB5', NULL, X'C480789CE575E6B1DEEC3A57F3D1E6621928771CAC565120E407C32BA9A45D49');
INSERT INTO chain VALUES (2, 1, X'0000000000000000000000000000000000000000000000000000000000000000', X'0707070707070707070707070707070707070707070707070707070707070707', NULL, X'27EA09C73522D4327B8214794DBA63D06A15CA3BBD5A08796B891E89DF7B4B49');
CREATE TABLE chains (
    room      INTEGER PRIMARY KEY REFERENCES rooms (id),
    older     INTEGER NOT NULL, -- entries up to this one were there before they were chained
    chained   INTEGER,          -- when they were; null until then
    elsewhere INTEGER NOT NULL  -- entries up to this one were written in another database, and stored there otherwise
) STRICT;
INSERT INTO chains VALUES (2, 0, NULL, 1);
CREATE TABLE numbers (
    name TEXT    NOT NULL PRIMARY KEY,
    seq  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO numbers VALUES ('bans', 1);
INSERT INTO numbers VALUES ('destinations', 2);
INSERT INTO numbers VALUES ('inbox', 1);
INSERT INTO numbers VALUES ('living', 1);
INSERT INTO numbers VALUES ('persons', 2);
INSERT INTO numbers VALUES ('rooms', 2);
INSERT INTO numbers VALUES ('threads', 1);
CREATE TABLE heartbeat (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    at INTEGER NOT NULL
) STRICT;
INSERT INTO heartbeat VALUES (1, 18);
CREATE TABLE identity (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    value    BLOB    NOT NULL
) STRICT;
INSERT INTO identity VALUES (1, X'07070707070707070707070707070707');
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
INSERT INTO inbox VALUES (1, 'irc:test', 'zed', 0, 0, 18, 0, 0, 'missed');
CREATE TABLE acts (
    room INTEGER NOT NULL,
    seq  INTEGER NOT NULL,
    act  TEXT    NOT NULL, -- JSON
    PRIMARY KEY (room, seq),
    FOREIGN KEY (room, seq) REFERENCES entries (room, seq)
) STRICT, WITHOUT ROWID;
INSERT INTO acts VALUES (1, 1, '{}');
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
INSERT INTO living VALUES (1, 1, 'irc:test', '#hill', '700', 'proposal/7', 'a');
CREATE TABLE reminders (
    room    INTEGER NOT NULL REFERENCES rooms (id),
    service TEXT    NOT NULL,
    account TEXT    NOT NULL,
    before  INTEGER NOT NULL, -- seconds
    aloud   INTEGER NOT NULL, -- 1: called in the room's channel, 0: told in private
    PRIMARY KEY (room, service, account)
) STRICT;
INSERT INTO reminders VALUES (1, 'irc:test', 'zed', 60, 0);
CREATE TABLE reminded (
    room    INTEGER NOT NULL REFERENCES rooms (id),
    service TEXT    NOT NULL,
    account TEXT    NOT NULL,
    what    TEXT    NOT NULL,
    since   INTEGER NOT NULL,
    told    INTEGER NOT NULL,
    PRIMARY KEY (room, service, account, what)
) STRICT;
INSERT INTO reminded VALUES (1, 'irc:test', 'zed', 'proposal/7@', 18, 0);
CREATE TABLE claims (
    name   TEXT    PRIMARY KEY,
    what   TEXT    NOT NULL, -- the work; empty where the name says it all
    holder TEXT    NOT NULL,
    until  INTEGER NOT NULL,
    turns  INTEGER NOT NULL,
    since  INTEGER NOT NULL
, done INTEGER NOT NULL DEFAULT 0, total INTEGER NOT NULL DEFAULT 0) STRICT;
INSERT INTO claims VALUES ('work/1', 'hill/1', 'somebody', 118, 1, 18, 0, 0);
CREATE UNIQUE INDEX rooms_by_name ON rooms (folded) WHERE closed IS NULL;
CREATE UNIQUE INDEX entries_by_origin ON entries (room, origin) WHERE origin IS NOT NULL;
CREATE INDEX entries_by_actor ON entries (room, actor, seq) WHERE actor IS NOT NULL;
CREATE INDEX said_by_person ON said (person) WHERE person IS NOT NULL;
CREATE INDEX outbox_by_destination ON outbox (destination, id);
CREATE INDEX accounts_by_person ON accounts (person);
CREATE INDEX ban_accounts_by_ban ON ban_accounts (ban);
CREATE INDEX pair_results_by_use ON pair_results (used);
CREATE INDEX forgotten_accounts_by_person ON forgotten_accounts (person);
CREATE INDEX destinations_waiting ON destinations (service, head) WHERE head IS NOT NULL;
CREATE INDEX secrets_by_person ON secrets (person) WHERE person > 0;
CREATE INDEX secrets_not_looked_up ON secrets (room) WHERE person IS NULL;
CREATE INDEX inbox_by_account ON inbox (service, account, id);
CREATE INDEX living_room ON living (room, service);
CREATE INDEX reminders_account ON reminders (service, account);
CREATE INDEX reminded_account ON reminded (service, account, room, since);
CREATE INDEX "guard_accounts" ON "accounts" ("since");
CREATE INDEX "guard_acts" ON "acts" ("act");
CREATE INDEX "guard_bans" ON "bans" ("reason", "made_by", "since", "ends");
CREATE INDEX "guard_chains" ON "chains" ("older", "chained", "elsewhere");
CREATE INDEX "guard_claims" ON "claims" ("what", "holder", "until", "turns", "since", "done", "total");
CREATE INDEX "guard_destinations" ON "destinations" ("attempts", "leased_until", "retry_at", "head", "waiting");
CREATE INDEX "guard_heads" ON "heads" ("last_seq", "next_due");
CREATE INDEX "guard_heartbeat" ON "heartbeat" ("at");
CREATE INDEX "guard_identity" ON "identity" ("value");
CREATE INDEX "guard_ignores" ON "ignores" ("made_by", "since");
CREATE INDEX "guard_inbox" ON "inbox" ("room", "seq", "kept", "told", "read", "document");
CREATE INDEX "guard_link_codes" ON "link_codes" ("expires");
CREATE INDEX "guard_link_tries" ON "link_tries" ("tries", "since");
CREATE INDEX "guard_living" ON "living" ("display", "shown");
CREATE INDEX "guard_moderators" ON "moderators" ("made_by", "since");
CREATE INDEX "guard_numbers" ON "numbers" ("seq");
CREATE INDEX "guard_outbox" ON "outbox" ("room", "seq", "at", "left_out", "document", "elsewhere");
CREATE INDEX "guard_pair_results" ON "pair_results" ("outcomes");
CREATE INDEX "guard_persons" ON "persons" ("name", "created", "forgotten");
CREATE INDEX "guard_reminded" ON "reminded" ("told");
CREATE INDEX "guard_reminders" ON "reminders" ("before", "aloud");
CREATE INDEX "guard_rooms" ON "rooms" ("name", "folded", "game", "config", "created", "closed", "importing");
CREATE INDEX "guard_schema_versions" ON "schema_versions" ("name", "sha256");
CREATE INDEX "guard_secrets" ON "secrets" ("salt", "body", "person", "seat");
CREATE INDEX "guard_threads" ON "threads" ("thread");
CREATE INDEX "guard_undeliverable" ON "undeliverable" ("destination", "room", "seq", "at", "gave_up", "attempts", "reason");
CREATE TRIGGER "count_bans" AFTER INSERT ON "bans" BEGIN UPDATE numbers SET seq = max(seq, NEW.id) WHERE name = 'bans'; END;
CREATE TRIGGER "count_destinations" AFTER INSERT ON "destinations" BEGIN UPDATE numbers SET seq = max(seq, NEW.id) WHERE name = 'destinations'; END;
CREATE TRIGGER "count_inbox" AFTER INSERT ON "inbox" BEGIN UPDATE numbers SET seq = max(seq, NEW.id) WHERE name = 'inbox'; END;
CREATE TRIGGER "count_living" AFTER INSERT ON "living" BEGIN UPDATE numbers SET seq = max(seq, NEW.id) WHERE name = 'living'; END;
CREATE TRIGGER "count_persons" AFTER INSERT ON "persons" BEGIN UPDATE numbers SET seq = max(seq, NEW.id) WHERE name = 'persons'; END;
CREATE TRIGGER "count_rooms" AFTER INSERT ON "rooms" BEGIN UPDATE numbers SET seq = max(seq, NEW.id) WHERE name = 'rooms'; END;
CREATE TRIGGER "count_threads" AFTER INSERT ON "threads" BEGIN UPDATE numbers SET seq = max(seq, NEW.id) WHERE name = 'threads'; END;
