-- Accounts of people who asked to be forgotten, by their SHA-256: whoever comes back with one is the person that they
-- were, so that nothing a game counts for a person begins anew.
CREATE TABLE forgotten_accounts (
    digest BLOB    NOT NULL PRIMARY KEY,
    person INTEGER NOT NULL REFERENCES persons (id)
) STRICT, WITHOUT ROWID;
CREATE INDEX forgotten_accounts_by_person ON forgotten_accounts (person);
