-- How many announcements wait for a destination. Whoever puts one there or takes one away writes this first: so they take
-- turns at a destination, and nobody has to count the rows.
ALTER TABLE destinations ADD COLUMN waiting BIGINT NOT NULL DEFAULT 0;
UPDATE destinations SET waiting = (SELECT COUNT(*) FROM outbox o WHERE o.destination = destinations.id);

-- How far the work is that is claimed, so that others than who plays it can show that: so much is done, of so much. Both are
-- 0 until that is known, and for what is no work.
ALTER TABLE claims ADD COLUMN done BIGINT NOT NULL DEFAULT 0;
ALTER TABLE claims ADD COLUMN total BIGINT NOT NULL DEFAULT 0;
