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
