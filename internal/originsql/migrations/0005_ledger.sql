-- The provenance ledger: what was appended, what was signed, and the proofs
-- that citations carry. None of it counts as a change of the origin: it
-- follows from the records, the keys and the policies.

CREATE TABLE ledger_events (
  position INTEGER PRIMARY KEY,          -- index of the leaf, 0, 1, … without a gap
  kind     TEXT NOT NULL,                -- record, key, policy, index
  event    TEXT NOT NULL,                -- registered, updated, withdrawn, policy_changed, key_added, key_revoked, index_published
  entry_id TEXT NOT NULL DEFAULT '',     -- page that a record leaf is about
  version  INTEGER NOT NULL DEFAULT 0,   -- version of that record, or of a policy
  site_id  TEXT NOT NULL DEFAULT '',     -- site of a record or a policy
  key_id   TEXT NOT NULL DEFAULT '',     -- key that a key leaf is about
  digest   TEXT NOT NULL DEFAULT '',     -- hex SHA-256 of the record, the policy or the index
  at       TEXT NOT NULL,                -- instant that the leaf states
  leaf     TEXT NOT NULL                 -- bytes of the leaf, canonical JSON
) STRICT;
CREATE INDEX ledger_by_record ON ledger_events (site_id, entry_id, version) WHERE kind = 'record';
CREATE INDEX ledger_by_policy ON ledger_events (site_id, version) WHERE kind = 'policy';
CREATE INDEX ledger_others ON ledger_events (kind, position) WHERE kind IN ('key', 'index');

-- Records that are issued and not in the ledger yet, in the order in which
-- they go there.
CREATE TABLE ledger_waiting (
  created  TEXT NOT NULL,                -- proof.created of the record
  entry_id TEXT NOT NULL,                -- the page
  version  INTEGER NOT NULL,             -- the version
  PRIMARY KEY (created, entry_id, version)
) STRICT, WITHOUT ROWID;
INSERT INTO ledger_waiting (created, entry_id, version) SELECT created, entry_id, version FROM records;

CREATE TABLE ledger_checkpoints (
  size     INTEGER PRIMARY KEY,          -- how many leaves it covers
  root     TEXT NOT NULL,                -- base64 of the root; one size has one root for ever
  name     TEXT NOT NULL,                -- the log's origin line
  key_id   TEXT NOT NULL,                -- key of the log that signed it
  note     TEXT NOT NULL,                -- signed checkpoint as proofs carry it
  cosigned TEXT NOT NULL                 -- the same as it is published, with the cosignatures that came later
) STRICT;

CREATE TABLE ledger_proofs (
  position INTEGER PRIMARY KEY,          -- index of the leaf
  size     INTEGER NOT NULL REFERENCES ledger_checkpoints (size), -- checkpoint that first covered it
  path     BLOB NOT NULL                 -- hashes from the leaf upwards, 32 bytes each
) STRICT;
CREATE INDEX ledger_proofs_by_size ON ledger_proofs (size);

CREATE TRIGGER records_wait AFTER INSERT ON records BEGIN INSERT INTO ledger_waiting (created, entry_id, version) VALUES (new.created, new.entry_id, new.version); END;
CREATE TRIGGER ledger_in_order BEFORE INSERT ON ledger_events WHEN new.position <> (SELECT coalesce(max(position) + 1, 0) FROM ledger_events) BEGIN SELECT RAISE(ABORT, 'ledger: another build appended to it'); END;
CREATE TRIGGER ledger_logged AFTER INSERT ON ledger_events WHEN new.kind = 'record' BEGIN DELETE FROM ledger_waiting WHERE created = new.at AND entry_id = new.entry_id AND version = new.version; END;
CREATE TRIGGER ledger_no_update BEFORE UPDATE ON ledger_events BEGIN SELECT RAISE(ABORT, 'ledger: what is logged never changes'); END;
CREATE TRIGGER ledger_no_delete BEFORE DELETE ON ledger_events BEGIN SELECT RAISE(ABORT, 'ledger: what is logged stays'); END;
CREATE TRIGGER ledger_one_root BEFORE UPDATE OF size, root, name, key_id, note ON ledger_checkpoints BEGIN SELECT RAISE(ABORT, 'ledger: a size is signed once'); END;
CREATE TRIGGER ledger_keeps_roots BEFORE DELETE ON ledger_checkpoints BEGIN SELECT RAISE(ABORT, 'ledger: a size is signed once'); END;
