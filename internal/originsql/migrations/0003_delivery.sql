-- Delivery of licensed content: buyers and their credentials, grants, what
-- each buyer was told to hold, and snapshots of that. Text is nowhere here but
-- in bodies. Secrets are kept as hex SHA-256 only. Counters that triggers keep
-- tell cheaply whether anything that bears on rights has changed.

-- The digest of the form that is delivered by default: Markdown, or the plain
-- text of a page that has no Markdown.
ALTER TABLE bodies ADD COLUMN digest TEXT NOT NULL DEFAULT '';

CREATE TABLE editions (
  entry_id   TEXT PRIMARY KEY,              -- the page
  version    INTEGER NOT NULL,              -- 1, 2, …: how often its body was written
  digest     TEXT NOT NULL,                 -- hex SHA-256 of the delivered form, as in bodies
  bytes      INTEGER NOT NULL,              -- length of the delivered form
  changed_at TEXT NOT NULL                  -- when this version was written
) STRICT;
INSERT INTO editions (entry_id, version, digest, bytes, changed_at) SELECT entry_id, 1, digest, length(CAST(CASE WHEN markdown <> '' THEN markdown ELSE text END AS BLOB)), changed_at FROM bodies;
INSERT INTO meta (name, value) VALUES ('editions', 0);

CREATE TABLE buyers (
  buyer_id      TEXT PRIMARY KEY,             -- identifier, byr_…
  name          TEXT NOT NULL,                -- its name, shown to itself
  state         TEXT NOT NULL,                -- active, suspended
  contact_email TEXT NOT NULL DEFAULT '',     -- private: whom to write to
  private_notes TEXT NOT NULL DEFAULT '',     -- private: the operator's own notes
  rights        INTEGER NOT NULL DEFAULT 0,   -- changes of anything that bears on its rights
  created_at    TEXT NOT NULL,                -- when it was added
  changed_at    TEXT NOT NULL                 -- last change
) STRICT;

CREATE TABLE buyer_credentials (
  credential_id TEXT PRIMARY KEY,             -- identifier of the credential, crd_…
  buyer_id      TEXT NOT NULL REFERENCES buyers (buyer_id), -- whom it names
  lookup        TEXT NOT NULL,                -- first 16 hex digits of hash, to find it by
  hash          TEXT NOT NULL,                -- hex SHA-256 of the secret
  label         TEXT NOT NULL DEFAULT '',     -- what it is used for
  last4         TEXT NOT NULL,                -- last four characters of the secret, to recognize it
  environment   TEXT NOT NULL,                -- live, test
  state         TEXT NOT NULL,                -- active, suspended, revoked
  created_at    TEXT NOT NULL,                -- when it was issued
  expires_at    TEXT NOT NULL DEFAULT '',     -- end, '' never
  changed_at    TEXT NOT NULL                 -- last change
) STRICT;
CREATE INDEX buyer_credentials_by_lookup ON buyer_credentials (lookup);
CREATE INDEX buyer_credentials_by_buyer ON buyer_credentials (buyer_id);

CREATE TABLE grants (
  grant_id         TEXT PRIMARY KEY,             -- identifier, grt_…
  buyer_id         TEXT NOT NULL REFERENCES buyers (buyer_id), -- who holds it
  kind             TEXT NOT NULL,                -- direct, enterprise
  title            TEXT NOT NULL DEFAULT '',     -- name of the licence, shown to the buyer
  license_id       TEXT NOT NULL DEFAULT '',     -- offer it came from, '' none
  uses             TEXT NOT NULL,                -- uses granted
  paths            TEXT NOT NULL DEFAULT '[]',   -- path patterns covered; empty is all
  excludes         TEXT NOT NULL DEFAULT '[]',   -- path patterns left out
  content_formats  TEXT NOT NULL DEFAULT '[]',   -- formats covered; empty is all
  published_after  TEXT NOT NULL DEFAULT '',     -- only pages published at or after this, '' all
  published_before TEXT NOT NULL DEFAULT '',     -- only pages published before this, '' all
  valid_from       TEXT NOT NULL,                -- begin
  valid_until      TEXT NOT NULL DEFAULT '',     -- end, '' open
  state            TEXT NOT NULL,                -- active, suspended, revoked
  state_at         TEXT NOT NULL,                -- since when
  state_reason     TEXT NOT NULL DEFAULT '',     -- private: why
  attribution      TEXT NOT NULL DEFAULT '',     -- link, name
  display_limit    INTEGER NOT NULL DEFAULT 0,   -- characters that may be shown, 0 no limit
  delete_hours     INTEGER NOT NULL DEFAULT 72,  -- to delete after the right has ended
  reporting        TEXT NOT NULL DEFAULT '',     -- address that use is reported to
  agreement        TEXT NOT NULL DEFAULT '',     -- private: reference to the contract
  private_notes    TEXT NOT NULL DEFAULT '',     -- private: the operator's own notes
  version          INTEGER NOT NULL DEFAULT 1,   -- counts every change, also of the sites
  created_at       TEXT NOT NULL,                -- when it was entered
  changed_at       TEXT NOT NULL                 -- last change
) STRICT;
CREATE INDEX grants_by_buyer ON grants (buyer_id, grant_id);

CREATE TABLE grant_sites (
  grant_id   TEXT NOT NULL REFERENCES grants (grant_id), -- the grant
  site_id    TEXT NOT NULL REFERENCES sites (site_id),   -- site covered; of an enterprise licence, a participating publisher
  state      TEXT NOT NULL,                 -- active, left
  changed_at TEXT NOT NULL,                 -- last change
  PRIMARY KEY (grant_id, site_id)
) STRICT;

-- What a buyer was last told about each item it could ever hold: one row is
-- the newest event of an item, so that the table is the compacted delta.
CREATE TABLE holdings (
  buyer_id     TEXT NOT NULL REFERENCES buyers (buyer_id), -- who was told
  entry_id     TEXT NOT NULL,                -- the page
  site_id      TEXT NOT NULL,                -- its site
  state        TEXT NOT NULL,                -- held, gone
  version      INTEGER NOT NULL,             -- edition told, 0 when gone
  digest       TEXT NOT NULL,                -- digest of that edition, '' when gone
  facts        TEXT NOT NULL,                -- short hash of the metadata told, '' when gone
  uses         INTEGER NOT NULL,             -- uses told, one bit each in their fixed order
  lost         INTEGER NOT NULL,             -- uses taken away since the item was last told in full
  grants       TEXT NOT NULL,                -- ids of the grants behind it
  change       TEXT NOT NULL,                -- added, updated, regranted: why it was last told in full
  reason       TEXT NOT NULL,                -- why it is gone, '' while held
  effective_at TEXT NOT NULL,                -- when the right ended, '' while held
  delete_hours INTEGER NOT NULL,             -- hours to delete after that
  told         INTEGER NOT NULL,             -- sequence at which it was last told in full
  sequence     INTEGER NOT NULL,             -- sequence of the newest event
  at           TEXT NOT NULL,                -- when that was written
  PRIMARY KEY (buyer_id, entry_id)
) STRICT;
CREATE UNIQUE INDEX holdings_by_sequence ON holdings (buyer_id, sequence);
CREATE INDEX holdings_by_site ON holdings (buyer_id, site_id, entry_id);

-- How far the comparison of holdings with live rights has come.
CREATE TABLE feeds (
  buyer_id      TEXT PRIMARY KEY REFERENCES buyers (buyer_id), -- whose
  sequence      INTEGER NOT NULL DEFAULT 0,  -- last sequence given
  floor         INTEGER NOT NULL DEFAULT 0,  -- cursors below it are too old: tombstones were dropped
  stamp         INTEGER NOT NULL DEFAULT -1, -- state of all counters at the last whole comparison
  boundary      TEXT NOT NULL DEFAULT '',    -- instant at which a grant begins or ends next, '' none
  scan          INTEGER NOT NULL DEFAULT 0,  -- number of the comparison
  scan_open     INTEGER NOT NULL DEFAULT 0,  -- it is under way
  scan_stamp    INTEGER NOT NULL DEFAULT 0,  -- state of the counters when it began
  scan_boundary TEXT NOT NULL DEFAULT '',    -- boundary when it began
  scan_base     INTEGER NOT NULL DEFAULT 0,  -- sequence when it began
  scan_wrote    INTEGER NOT NULL DEFAULT 0,  -- events it has written
  scan_place    TEXT NOT NULL DEFAULT ''     -- where it goes on: site, "/", entry
) STRICT;

CREATE TABLE snapshots (
  snapshot_id     TEXT PRIMARY KEY,             -- identifier, snp_…
  buyer_id        TEXT NOT NULL REFERENCES buyers (buyer_id), -- who made it
  idempotency_key TEXT,                         -- the Idempotency-Key, NULL none
  fingerprint     TEXT NOT NULL DEFAULT '',     -- digest of what was sent with the key
  label           TEXT NOT NULL DEFAULT '',     -- the buyer's own name for it
  sources         TEXT NOT NULL DEFAULT '[]',   -- scope: grants and sites; empty is all
  topic           TEXT NOT NULL DEFAULT '',     -- scope: words of title, terms or section; '' all
  uses            INTEGER NOT NULL,             -- scope: uses, one bit each
  sequence        INTEGER NOT NULL,             -- sequence of the buyer when it was made
  items           INTEGER NOT NULL,             -- how many items it lists
  root            TEXT NOT NULL,                -- base64 of the RFC 6962 root over its items
  created_at      TEXT NOT NULL,                -- when it was made
  expires_at      TEXT NOT NULL,                -- end
  UNIQUE (buyer_id, idempotency_key)
) STRICT;

CREATE TABLE snapshot_items (
  snapshot_id TEXT NOT NULL,                -- the snapshot, whose row is written after its items
  entry_id    TEXT NOT NULL,                -- the page
  version     INTEGER NOT NULL,             -- its edition then
  digest      TEXT NOT NULL,                -- digest of that edition
  sequence    INTEGER NOT NULL,             -- sequence at which the buyer was told of it
  PRIMARY KEY (snapshot_id, entry_id)
) STRICT;

-- A body that is written is a new edition.
CREATE TRIGGER bodies_added AFTER INSERT ON bodies BEGIN INSERT INTO editions (entry_id, version, digest, bytes, changed_at) VALUES (new.entry_id, 1, new.digest, length(CAST(CASE WHEN new.markdown <> '' THEN new.markdown ELSE new.text END AS BLOB)), new.changed_at) ON CONFLICT (entry_id) DO UPDATE SET version = version + 1, digest = excluded.digest, bytes = excluded.bytes, changed_at = excluded.changed_at; UPDATE meta SET value = value + 1 WHERE name = 'editions'; END;
CREATE TRIGGER bodies_changed AFTER UPDATE ON bodies WHEN (new.text, new.markdown, new.html) IS NOT (old.text, old.markdown, old.html) BEGIN UPDATE editions SET version = version + 1, digest = new.digest, bytes = length(CAST(CASE WHEN new.markdown <> '' THEN new.markdown ELSE new.text END AS BLOB)), changed_at = new.changed_at WHERE entry_id = new.entry_id; UPDATE meta SET value = value + 1 WHERE name = 'editions'; END;
CREATE TRIGGER bodies_digested AFTER UPDATE OF digest ON bodies WHEN new.digest <> old.digest AND (new.text, new.markdown, new.html) IS (old.text, old.markdown, old.html) BEGIN UPDATE editions SET digest = new.digest WHERE entry_id = new.entry_id; UPDATE meta SET value = value + 1 WHERE name = 'editions'; END;

-- Every change of a grant has a version, and counts for its buyer.
CREATE TRIGGER grants_added AFTER INSERT ON grants BEGIN UPDATE buyers SET rights = rights + 1 WHERE buyer_id = new.buyer_id; END;
CREATE TRIGGER grants_changed AFTER UPDATE ON grants WHEN new.version = old.version BEGIN UPDATE grants SET version = version + 1 WHERE grant_id = new.grant_id; UPDATE buyers SET rights = rights + 1 WHERE buyer_id = new.buyer_id; END;
CREATE TRIGGER grant_sites_added AFTER INSERT ON grant_sites BEGIN UPDATE grants SET version = version + 1 WHERE grant_id = new.grant_id; UPDATE buyers SET rights = rights + 1 WHERE buyer_id = (SELECT buyer_id FROM grants WHERE grant_id = new.grant_id); END;
CREATE TRIGGER grant_sites_changed AFTER UPDATE ON grant_sites BEGIN UPDATE grants SET version = version + 1 WHERE grant_id = new.grant_id; UPDATE buyers SET rights = rights + 1 WHERE buyer_id = (SELECT buyer_id FROM grants WHERE grant_id = new.grant_id); END;
CREATE TRIGGER grant_sites_removed AFTER DELETE ON grant_sites BEGIN UPDATE grants SET version = version + 1 WHERE grant_id = old.grant_id; UPDATE buyers SET rights = rights + 1 WHERE buyer_id = (SELECT buyer_id FROM grants WHERE grant_id = old.grant_id); END;

-- The feed knows the last sequence that was given.
CREATE TRIGGER holdings_added AFTER INSERT ON holdings BEGIN UPDATE feeds SET sequence = max(sequence, new.sequence) WHERE buyer_id = new.buyer_id; END;
CREATE TRIGGER holdings_changed AFTER UPDATE OF sequence ON holdings BEGIN UPDATE feeds SET sequence = max(sequence, new.sequence) WHERE buyer_id = new.buyer_id; END;
