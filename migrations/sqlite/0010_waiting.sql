-- How many announcements wait for a destination. Whoever puts one there or takes one away writes this first: in Postgres
-- they so take turns at a destination, and nobody has to count the rows.
ALTER TABLE destinations ADD COLUMN waiting INTEGER NOT NULL DEFAULT 0;
UPDATE destinations SET waiting = (SELECT COUNT(*) FROM outbox o WHERE o.destination = destinations.id);
