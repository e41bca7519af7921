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
