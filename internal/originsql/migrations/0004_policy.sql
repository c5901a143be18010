-- What the channels of sites say, as parsed, and how the policy of each site
-- came about. Both follow from other tables and from observations; neither
-- counts as a change of the origin.

CREATE TABLE evidence (
  site_id     TEXT NOT NULL REFERENCES sites (site_id), -- owner
  channel     TEXT NOT NULL,               -- kind of document, closed list
  url         TEXT NOT NULL,               -- address it was read at
  since       TEXT NOT NULL,               -- first seen with this content
  state       TEXT NOT NULL,               -- valid, invalid, absent, unreachable
  document    TEXT NOT NULL DEFAULT '',    -- what it says, canonical JSON, '' nothing
  statements  INTEGER NOT NULL DEFAULT 0,  -- how many statements that are
  warnings    TEXT NOT NULL DEFAULT '[]',  -- codes of tolerated deviations
  digest      TEXT NOT NULL DEFAULT '',    -- hex digest of what was read
  checked_at  TEXT NOT NULL DEFAULT '',    -- last seen with this content
  valid_until TEXT NOT NULL DEFAULT '',    -- end of its freshness, '' unknown
  looked_at   TEXT NOT NULL,               -- last looked for
  replaced_at TEXT NOT NULL DEFAULT '',    -- when another content took its place
  PRIMARY KEY (site_id, channel, url, since)
) STRICT;

CREATE TABLE policy_history (
  site_id         TEXT NOT NULL REFERENCES sites (site_id), -- owner
  version         INTEGER NOT NULL,          -- 1, 2, …
  effective_from  TEXT NOT NULL,             -- begin
  effective_until TEXT NOT NULL DEFAULT '',  -- end, '' while in force
  digest          TEXT NOT NULL,             -- over all that is stated, sha-256:hex
  vector          TEXT NOT NULL,             -- rights vector of the whole site
  vectors         TEXT NOT NULL,             -- rights vectors by path, canonical JSON
  facts           TEXT NOT NULL,             -- offers and preferences, canonical JSON of public records
  recorded_at     TEXT NOT NULL,             -- last change of the origin when this was noted
  PRIMARY KEY (site_id, version)
) STRICT;

-- A live rights check finds pages by address, by either digest and by host.
CREATE INDEX pages_by_url ON pages (canonical_url);
CREATE INDEX pages_by_portable ON pages (portable) WHERE portable <> '';
CREATE INDEX pages_by_registry ON pages (registry) WHERE registry <> '';
CREATE INDEX websites_by_host ON websites (host);
