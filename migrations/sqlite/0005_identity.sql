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
