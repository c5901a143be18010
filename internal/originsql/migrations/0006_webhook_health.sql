-- A queue for each receiver of notifications: how each receiver does is kept
-- beside its webhook, so that no receiver has to wait for another, and so that
-- every sender, also one that was just started, knows whom to leave alone.

CREATE TABLE webhook_health (
  webhook_id    TEXT PRIMARY KEY REFERENCES webhooks (webhook_id), -- receiver
  asked_at      TEXT NOT NULL,                -- last attempt
  failures      INTEGER NOT NULL,             -- failed attempts since the last one that succeeded
  failing_since TEXT NOT NULL DEFAULT '',     -- the first of them, '' none
  retry_at      TEXT NOT NULL DEFAULT '',     -- no attempt before that, '' at once
  last_error    TEXT NOT NULL DEFAULT ''      -- private: why the last attempt failed
) STRICT;

ALTER TABLE webhooks ADD COLUMN allow_private INTEGER NOT NULL DEFAULT 0; -- 1: it may be at an address that is not public
ALTER TABLE outbox ADD COLUMN retried_at TEXT NOT NULL DEFAULT ''; -- when an operator last made it wait again

-- Until now plain http was taken for a receiver on the same machine only.
UPDATE webhooks SET allow_private = 1 WHERE url LIKE 'http://%';

DROP INDEX outbox_by_due;
CREATE INDEX outbox_by_receiver ON outbox (webhook_id, due_at) WHERE state = 'waiting';
CREATE INDEX outbox_failed ON outbox (webhook_id, seq) WHERE state = 'failed';
