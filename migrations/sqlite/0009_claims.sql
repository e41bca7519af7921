-- What only one process on the database does at a time, by name: the work that a room waits for, what falls due, a
-- network. Who does it, until when that counts without being said again, and how many processes had it in turn since an
-- instant without giving it back. A row can go: then whoever looks next has it.
DROP TABLE claims;
CREATE TABLE claims (
    name   TEXT    PRIMARY KEY,
    what   TEXT    NOT NULL, -- the work; empty where the name says it all
    holder TEXT    NOT NULL,
    until  INTEGER NOT NULL,
    turns  INTEGER NOT NULL,
    since  INTEGER NOT NULL
) STRICT;
