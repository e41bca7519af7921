-- How many announcements wait for a destination. Whoever puts one there or takes one away writes this first: so they take
-- turns at a destination, and nobody has to count the rows.
ALTER TABLE destinations ADD COLUMN waiting BIGINT NOT NULL DEFAULT 0;
UPDATE destinations SET waiting = (SELECT COUNT(*) FROM outbox o WHERE o.destination = destinations.id);
