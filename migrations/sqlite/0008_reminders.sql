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
