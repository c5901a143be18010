-- The audit trail: what operators and publishers did. Records are added and
-- never changed, and hold neither secrets nor personal data.

CREATE TABLE audit_log (
  seq       INTEGER PRIMARY KEY,          -- 1, 2, … without a gap
  at        TEXT NOT NULL,                -- when
  act_id    TEXT NOT NULL,                -- act_…, the same in all records of one command or form
  actor     TEXT NOT NULL,                -- who: a name on the operator's machine, or the id of an inbox link
  role      TEXT NOT NULL,                -- operator, publisher
  action    TEXT NOT NULL,                -- what, such as "grant revoke"
  kind      TEXT NOT NULL,                -- kind of what was changed, '' the act as a whole
  target_id TEXT NOT NULL,                -- what was changed
  before    TEXT NOT NULL DEFAULT '',     -- JSON of the members that differ, '' it was not there
  after     TEXT NOT NULL DEFAULT ''      -- JSON of the members that differ, '' it is not there
) STRICT;
CREATE INDEX audit_by_target ON audit_log (kind, target_id, seq);

CREATE TRIGGER audit_in_order BEFORE INSERT ON audit_log WHEN new.seq <> (SELECT coalesce(max(seq) + 1, 1) FROM audit_log) BEGIN SELECT RAISE(ABORT, 'audit: records are added at the end'); END;
CREATE TRIGGER audit_no_update BEFORE UPDATE ON audit_log BEGIN SELECT RAISE(ABORT, 'audit: what is recorded never changes'); END;
CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit_log BEGIN SELECT RAISE(ABORT, 'audit: what is recorded stays'); END;
