-- Who plays the work that a room waits for, and until when that counts without being said again: so no two processes play
-- the same. A row can go: then whoever looks next plays.
CREATE TABLE claims (
    room   INTEGER PRIMARY KEY REFERENCES rooms (id),
    holder TEXT    NOT NULL,
    until  INTEGER NOT NULL
) STRICT;
