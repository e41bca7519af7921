-- Threads that networks have opened for topics of rooms: without it every restart would open them anew. A row can go:
-- then the topic goes on in another thread.
CREATE TABLE threads (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    service TEXT NOT NULL,
    channel TEXT NOT NULL,
    topic   TEXT NOT NULL,
    thread  TEXT NOT NULL,
    UNIQUE (service, channel, topic)
) STRICT;
