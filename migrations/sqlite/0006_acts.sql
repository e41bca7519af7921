-- What an entry was decided from: the action as it was bound, or the result of a work. Apart from the journal, so that it
-- can be forgotten with what was typed. Of what was said in private, or sealed, there is none.
CREATE TABLE acts (
    room INTEGER NOT NULL,
    seq  INTEGER NOT NULL,
    act  TEXT    NOT NULL, -- JSON
    PRIMARY KEY (room, seq),
    FOREIGN KEY (room, seq) REFERENCES entries (room, seq)
) STRICT, WITHOUT ROWID;
