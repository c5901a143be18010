-- How long a page of a publisher may be gone, what a check of readiness saw,
-- and who asked to join.

ALTER TABLE sites ADD COLUMN grace_days INTEGER NOT NULL DEFAULT 0; -- private: days that a page may be gone before its entry is withdrawn, 0 the default
ALTER TABLE readiness_signals ADD COLUMN report TEXT NOT NULL DEFAULT ''; -- JSON of what the check saw, published beside the publisher

CREATE TABLE joins (
  join_id    TEXT PRIMARY KEY,            -- jn_ and more
  host       TEXT NOT NULL,               -- lower-case host name of the home that was entered
  state      TEXT NOT NULL,               -- waiting, approved, declined
  lookup     TEXT NOT NULL,               -- first 16 hex digits of hash
  hash       TEXT NOT NULL,               -- hex SHA-256 of the secret in the address of its page
  found      TEXT NOT NULL DEFAULT '',    -- what the last look found, JSON, '' nobody looked
  reason     TEXT NOT NULL DEFAULT '',    -- why it was declined, told to whoever asked
  site_id    TEXT NOT NULL DEFAULT '',    -- publisher that it became
  created_at TEXT NOT NULL,               -- when it was sent
  looked_at  TEXT NOT NULL DEFAULT '',    -- last look
  expires_at TEXT NOT NULL,               -- when its page ends
  changed_at TEXT NOT NULL                -- last change
) STRICT;
CREATE INDEX joins_by_lookup ON joins (lookup);
CREATE INDEX joins_by_host ON joins (host);
CREATE INDEX joins_by_state ON joins (state, created_at);
