-- Statements that uses of a content are reserved, wherever copies of it are. A
-- publisher vouches for each.

CREATE TABLE content_reservations (
  reservation_id  TEXT PRIMARY KEY,          -- "rsv_" and more, from site and code
  site_id         TEXT NOT NULL REFERENCES sites (site_id), -- site of the publisher that vouches for it
  code            TEXT NOT NULL,             -- portable digest of a text, or ISCC
  uses            TEXT NOT NULL,             -- JSON array: what is reserved
  author_display  TEXT NOT NULL DEFAULT '',  -- name or handle that is shown, '' none
  author_name     TEXT NOT NULL DEFAULT '',  -- private: who states it
  note            TEXT NOT NULL DEFAULT '',  -- shown beside it
  since           TEXT NOT NULL,             -- when it begins
  source          TEXT NOT NULL DEFAULT '',  -- file; '' an operator
  evidence_url    TEXT NOT NULL DEFAULT '',  -- public address of the file
  evidence_sha256 TEXT NOT NULL DEFAULT '',  -- digest of what was read there
  withdrawn_at    TEXT NOT NULL DEFAULT '',  -- when it was withdrawn, '' it holds
  private_notes   TEXT NOT NULL DEFAULT '',  -- private
  changed_at      TEXT NOT NULL              -- when anything of it last changed
) STRICT;
CREATE UNIQUE INDEX content_reservations_by_code ON content_reservations (code, site_id);
CREATE INDEX content_reservations_by_site ON content_reservations (site_id, reservation_id);

CREATE TRIGGER content_reservations_added AFTER INSERT ON content_reservations BEGIN UPDATE meta SET value = value + 1 WHERE name = 'changes'; END;
CREATE TRIGGER content_reservations_changed AFTER UPDATE ON content_reservations BEGIN UPDATE meta SET value = value + 1 WHERE name = 'changes'; END;
CREATE TRIGGER content_reservations_added_sequence AFTER INSERT ON content_reservations BEGIN UPDATE meta SET value = value + 1 WHERE name = 'sequence'; END;
CREATE TRIGGER content_reservations_changed_sequence AFTER UPDATE ON content_reservations BEGIN UPDATE meta SET value = value + 1 WHERE name = 'sequence'; END;
