-- The oldest announcement that waits for a destination, null where none does: it alone can be leased. Kept here, so that
-- finding what to send next looks at destinations only, however much waits for a network that is gone.
ALTER TABLE destinations ADD COLUMN head INTEGER;
UPDATE destinations SET head = (SELECT MIN(o.id) FROM outbox o WHERE o.destination = destinations.id);
CREATE INDEX destinations_waiting ON destinations (service, head) WHERE head IS NOT NULL;
