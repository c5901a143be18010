-- Proofs of inclusion are computed from the tiles of the ledger: neither they nor the
-- checkpoints that they ended with are kept.

DROP TABLE ledger_proofs;

ALTER TABLE ledger_checkpoints RENAME TO ledger_checkpoints_before;

CREATE TABLE ledger_checkpoints (
  size     INTEGER PRIMARY KEY,          -- how many leaves it covers
  root     TEXT NOT NULL,                -- base64 of the root; one size has one root for ever
  name     TEXT NOT NULL,                -- the log's origin line
  key_id   TEXT NOT NULL,                -- key of the log that signed it
  cosigned TEXT NOT NULL                 -- signed checkpoint as it is published, with its cosignatures
) STRICT;

INSERT INTO ledger_checkpoints (size, root, name, key_id, cosigned) SELECT size, root, name, key_id, cosigned FROM ledger_checkpoints_before;

DROP TABLE ledger_checkpoints_before;

CREATE TRIGGER checkpoints_one_root BEFORE UPDATE OF size, root, name, key_id ON ledger_checkpoints BEGIN SELECT RAISE(ABORT, 'ledger: a size is signed once'); END;
CREATE TRIGGER checkpoints_stay BEFORE DELETE ON ledger_checkpoints BEGIN SELECT RAISE(ABORT, 'ledger: a size is signed once'); END;
