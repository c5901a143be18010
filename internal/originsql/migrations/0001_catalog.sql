-- The private origin: publishers, their sites and preferences, registered
-- pages and their bodies. Times are RFC 3339 text in UTC ("" = unknown),
-- lists are JSON arrays of strings, truth values are 0 or 1.

CREATE TABLE meta (
  name  TEXT PRIMARY KEY,            -- what: changes
  value INTEGER NOT NULL             -- its value
) STRICT;
INSERT INTO meta (name, value) VALUES ('changes', 0);

CREATE TABLE publishers (
  publisher_id  TEXT PRIMARY KEY,           -- public identifier, pub_…
  legal_name    TEXT NOT NULL,              -- name of the organization; public as rights holder only through a passport
  contact_name  TEXT NOT NULL DEFAULT '',   -- private: person to write to
  contact_email TEXT NOT NULL DEFAULT '',   -- private: where notifications go
  private_notes TEXT NOT NULL DEFAULT '',   -- private: the operator's own notes
  created_at    TEXT NOT NULL               -- when the account was made
) STRICT;

CREATE TABLE sites (
  site_id           TEXT PRIMARY KEY,                  -- public identifier of the publisher's site
  publisher_id      TEXT NOT NULL REFERENCES publishers (publisher_id), -- owner
  name              TEXT NOT NULL,                     -- public name
  site_url          TEXT NOT NULL,                     -- public home address, canonical
  summary           TEXT NOT NULL DEFAULT '',          -- public, one sentence
  description       TEXT NOT NULL DEFAULT '',          -- public, a paragraph
  categories        TEXT NOT NULL DEFAULT '[]',        -- category slugs
  languages         TEXT NOT NULL DEFAULT '[]',        -- BCP 47 tags
  countries         TEXT NOT NULL DEFAULT '[]',        -- ISO 3166-1 alpha-2
  audience          TEXT NOT NULL DEFAULT '',          -- intended audience, closed list
  technical_depth   TEXT NOT NULL DEFAULT '',          -- technical depth, closed list
  rag_suitability   TEXT NOT NULL DEFAULT 'unassessed',-- low, medium, high, unassessed
  update_cadence    TEXT NOT NULL DEFAULT '',          -- daily, weekly, monthly, rarely
  human_page        TEXT NOT NULL DEFAULT '',          -- public address of the publisher's own licensing page
  domain_control    TEXT NOT NULL DEFAULT 'none',      -- how control was shown: dns_txt, well_known, meta, none
  control_checked   TEXT NOT NULL DEFAULT '',          -- when it was checked
  accepts_inquiries INTEGER NOT NULL DEFAULT 1,        -- open to licensing inquiries
  state             TEXT NOT NULL DEFAULT 'pending',   -- pending, approved, suspended, closed
  visibility        TEXT NOT NULL DEFAULT 'public',    -- public, private
  approved_at       TEXT NOT NULL DEFAULT '',          -- when the operator approved it
  state_reason      TEXT NOT NULL DEFAULT '',          -- private: why it was suspended or closed
  private_notes     TEXT NOT NULL DEFAULT '',          -- private: the operator's own notes
  created_at        TEXT NOT NULL,                     -- when it was added
  changed_at        TEXT NOT NULL                      -- last change of any public fact
) STRICT;
CREATE INDEX sites_by_publisher ON sites (publisher_id);

CREATE TABLE websites (
  site_id    TEXT NOT NULL REFERENCES sites (site_id), -- owner
  host       TEXT NOT NULL,                            -- lower-case host name
  associated INTEGER NOT NULL DEFAULT 0,               -- control of the host was shown
  method     TEXT NOT NULL DEFAULT 'none',             -- dns_txt, well_known, meta, none
  checked_at TEXT NOT NULL DEFAULT '',                 -- when it was checked
  changed_at TEXT NOT NULL,                            -- last change
  PRIMARY KEY (site_id, host)
) STRICT;

CREATE TABLE categories (
  slug        TEXT PRIMARY KEY,             -- public identifier
  label       TEXT NOT NULL,                -- public name
  description TEXT NOT NULL DEFAULT '',     -- public, one sentence
  parent      TEXT NOT NULL DEFAULT '',     -- slug of the wider category
  iab_ids     TEXT NOT NULL DEFAULT '[]',   -- ids in the IAB Content Taxonomy 3.1
  changed_at  TEXT NOT NULL                 -- last change
) STRICT;

CREATE TABLE preference_signals (
  site_id    TEXT NOT NULL REFERENCES sites (site_id), -- owner
  use        TEXT NOT NULL,                 -- one of the eight uses
  inquiry    TEXT NOT NULL,                 -- welcome, conditional, not_offered, unstated
  declared   TEXT NOT NULL,                 -- allow, disallow, unknown
  conditions TEXT NOT NULL DEFAULT '[]',    -- closed list
  note       TEXT NOT NULL DEFAULT '',      -- public text of the publisher
  since      TEXT NOT NULL DEFAULT '',      -- when it was first stated
  source     TEXT NOT NULL DEFAULT 'publisher', -- publisher, observed, imported
  changed_at TEXT NOT NULL,                 -- last change
  PRIMARY KEY (site_id, use)
) STRICT;

CREATE TABLE passports (
  site_id        TEXT NOT NULL REFERENCES sites (site_id), -- owner
  version        INTEGER NOT NULL,              -- 1, 2, …; the highest is in force
  passport_id    TEXT NOT NULL,                 -- public identifier
  holder_name    TEXT NOT NULL,                 -- public name of the rights holder
  holder_url     TEXT NOT NULL DEFAULT '',      -- public address about the rights holder
  holder_basis   TEXT NOT NULL,                 -- stated_by_publisher, domain_verified, third_party_registry
  territories    TEXT NOT NULL DEFAULT '[]',    -- where rights are held; empty is everywhere
  effective_from TEXT NOT NULL,                 -- when this version came into force
  private_notes  TEXT NOT NULL DEFAULT '',      -- private: how it was checked
  changed_at     TEXT NOT NULL,                 -- when it was entered
  PRIMARY KEY (site_id, version)
) STRICT;

CREATE TABLE readiness_signals (
  site_id    TEXT NOT NULL REFERENCES sites (site_id), -- owner
  signal     TEXT NOT NULL,                 -- closed list of twelve
  state      TEXT NOT NULL,                 -- found, not_found, stale, not_applicable, unchecked
  evidence   TEXT NOT NULL DEFAULT '',      -- public address of the evidence
  checked_at TEXT NOT NULL DEFAULT '',      -- when it was checked
  changed_at TEXT NOT NULL,                 -- last change
  PRIMARY KEY (site_id, signal)
) STRICT;

CREATE TABLE pages (
  entry_id       TEXT PRIMARY KEY,              -- public identifier, derived from address and site
  site_id        TEXT NOT NULL REFERENCES sites (site_id), -- owner
  canonical_url  TEXT NOT NULL,                 -- registered address, canonical by service.url-key.v1
  title          TEXT NOT NULL,                 -- public title
  byline         TEXT NOT NULL DEFAULT '[]',    -- authors
  section        TEXT NOT NULL DEFAULT '',      -- first path segment or stated section
  terms          TEXT NOT NULL DEFAULT '[]',    -- content terms
  language       TEXT NOT NULL DEFAULT '',      -- BCP 47 tag
  content_format TEXT NOT NULL DEFAULT 'html',  -- closed list
  word_count     INTEGER NOT NULL DEFAULT 0,    -- words of the main text
  published_at   TEXT NOT NULL DEFAULT '',      -- as stated by the page
  modified_at    TEXT NOT NULL DEFAULT '',      -- as stated by the page
  registered_at  TEXT NOT NULL,                 -- first import
  changed_at     TEXT NOT NULL,                 -- last change of metadata, text or state
  state          TEXT NOT NULL DEFAULT 'active',-- active, withdrawn
  portable       TEXT NOT NULL DEFAULT '',      -- hex SHA-256 of the canonical text, '' when too short
  registry       TEXT NOT NULL DEFAULT '',      -- hex SHA-256 registry binding
  extraction     TEXT NOT NULL DEFAULT ''       -- how the text was obtained
) STRICT;
CREATE UNIQUE INDEX pages_by_site_url ON pages (site_id, canonical_url);
CREATE INDEX pages_by_site ON pages (site_id, entry_id);
CREATE INDEX pages_by_registration ON pages (registered_at DESC, entry_id);

CREATE TABLE bodies (
  entry_id   TEXT PRIMARY KEY,              -- the page, whose row is written after its body
  text       TEXT NOT NULL,                 -- private: main text
  markdown   TEXT NOT NULL DEFAULT '',      -- private: main text as Markdown
  html       TEXT NOT NULL DEFAULT '',      -- private: main text as sanitised HTML
  sha256     TEXT NOT NULL,                 -- private: hex digest of text
  changed_at TEXT NOT NULL                  -- last change
) STRICT;

CREATE TABLE records (
  entry_id   TEXT NOT NULL REFERENCES pages (entry_id), -- the page
  version    INTEGER NOT NULL,              -- 1, 2, …; the highest is current
  sha256     TEXT NOT NULL,                 -- hex digest of record
  facts      TEXT NOT NULL,                 -- hex digest of what the record states, to see whether a new one is due
  created    TEXT NOT NULL,                 -- proof.created
  record     TEXT NOT NULL,                 -- the signed provenance record, canonical JSON
  PRIMARY KEY (entry_id, version)
) STRICT;

CREATE TABLE offers (
  license_id      TEXT PRIMARY KEY,             -- public identifier, lic_…
  site_id         TEXT NOT NULL REFERENCES sites (site_id), -- owner
  slug            TEXT NOT NULL,                -- name of the offer inside the site
  kind            TEXT NOT NULL,                -- custom, standard, collective, open
  status          TEXT NOT NULL,                -- offered, paused, retired
  title           TEXT NOT NULL,                -- public title
  scope_type      TEXT NOT NULL,                -- site, section, collection
  paths           TEXT NOT NULL DEFAULT '["/*"]', -- path patterns covered
  excludes        TEXT NOT NULL DEFAULT '[]',   -- path patterns left out
  content_formats TEXT NOT NULL DEFAULT '[]',   -- formats covered; empty is all
  published_after TEXT NOT NULL DEFAULT '',     -- only pages published later
  permits         TEXT NOT NULL DEFAULT '[]',   -- uses offered
  prohibits       TEXT NOT NULL DEFAULT '[]',   -- uses excluded
  user_types      TEXT NOT NULL DEFAULT '[]',   -- who may ask; empty is anyone
  territories     TEXT NOT NULL DEFAULT '[]',   -- where; empty is everywhere
  not_in          TEXT NOT NULL DEFAULT '[]',   -- territories excluded
  payment_model   TEXT NOT NULL,                -- closed list
  amount          TEXT NOT NULL DEFAULT '',     -- decimal text, indicative
  currency        TEXT NOT NULL DEFAULT '',     -- ISO 4217
  unit            TEXT NOT NULL DEFAULT '',     -- what the amount is for
  attribution     TEXT NOT NULL DEFAULT '',     -- link, name
  display_limit   INTEGER NOT NULL DEFAULT 0,   -- characters that may be shown
  delete_hours    INTEGER NOT NULL DEFAULT 0,   -- to delete after revocation
  reporting       TEXT NOT NULL DEFAULT '',     -- reporting profile URI
  terms_url       TEXT NOT NULL DEFAULT '',     -- address of the terms
  terms_version   TEXT NOT NULL DEFAULT '',     -- their version
  terms_sha256    TEXT NOT NULL DEFAULT '',     -- their digest
  terms_media     TEXT NOT NULL DEFAULT '',     -- their media type
  valid_from      TEXT NOT NULL,                -- begin
  valid_until     TEXT NOT NULL DEFAULT '',     -- end, '' open
  supersedes      TEXT NOT NULL DEFAULT '',     -- license_id of the offer before
  private_notes   TEXT NOT NULL DEFAULT '',     -- private: floor price and the like
  changed_at      TEXT NOT NULL                 -- last change
) STRICT;
CREATE UNIQUE INDEX offers_by_site ON offers (site_id, slug);

CREATE TABLE demand (
  demand_id       TEXT PRIMARY KEY,             -- public identifier, dem_…
  headline        TEXT NOT NULL,                -- public, one sentence
  uses            TEXT NOT NULL DEFAULT '[]',   -- uses wanted
  categories      TEXT NOT NULL DEFAULT '[]',   -- category slugs
  content_formats TEXT NOT NULL DEFAULT '[]',   -- formats wanted
  languages       TEXT NOT NULL DEFAULT '[]',   -- BCP 47 tags
  territories     TEXT NOT NULL DEFAULT '[]',   -- where it would be used
  user_type       TEXT NOT NULL DEFAULT '',     -- closed list
  volume          TEXT NOT NULL DEFAULT '',     -- public words
  budget_band     TEXT NOT NULL DEFAULT '',     -- public words
  timeline        TEXT NOT NULL DEFAULT '',     -- public words
  buyer_display   TEXT NOT NULL DEFAULT '',     -- name the buyer chose to show, '' none
  opted_in        INTEGER NOT NULL DEFAULT 0,   -- only opted-in needs are published
  opted_in_at     TEXT NOT NULL DEFAULT '',     -- when
  expires_at      TEXT NOT NULL DEFAULT '',     -- end
  buyer_name      TEXT NOT NULL DEFAULT '',     -- private
  buyer_email     TEXT NOT NULL DEFAULT '',     -- private
  saved_search    TEXT NOT NULL DEFAULT '',     -- private
  pipeline_stage  TEXT NOT NULL DEFAULT '',     -- private
  private_notes   TEXT NOT NULL DEFAULT '',     -- private
  changed_at      TEXT NOT NULL                 -- last change
) STRICT;

CREATE TABLE observations (
  site_id      TEXT NOT NULL REFERENCES sites (site_id), -- owner
  channel      TEXT NOT NULL,               -- where the site states something, closed list
  url          TEXT NOT NULL,               -- address it was read at
  status       INTEGER NOT NULL,            -- HTTP status, 0 unreachable
  content_type TEXT NOT NULL DEFAULT '',    -- as sent
  raw          TEXT NOT NULL DEFAULT '',    -- what was read, at most 512 KiB
  sha256       TEXT NOT NULL DEFAULT '',    -- hex digest of raw
  fetched_at   TEXT NOT NULL,               -- when
  valid_until  TEXT NOT NULL DEFAULT '',    -- from HTTP freshness or the document
  PRIMARY KEY (site_id, channel, url)
) STRICT;

CREATE TABLE fetches (
  url           TEXT PRIMARY KEY,           -- address fetched
  site_id       TEXT NOT NULL,              -- for which site
  entry_id      TEXT NOT NULL DEFAULT '',   -- page it became, '' none
  etag          TEXT NOT NULL DEFAULT '',   -- validator of the last answer
  last_modified TEXT NOT NULL DEFAULT '',   -- validator of the last answer
  outcome       TEXT NOT NULL,              -- new, changed, unchanged, skipped, failed
  reason        TEXT NOT NULL DEFAULT '',   -- private: why it was skipped or failed
  run           TEXT NOT NULL DEFAULT '',   -- import run that fetched it last
  fetched_at    TEXT NOT NULL               -- when
) STRICT;
CREATE INDEX fetches_by_run ON fetches (site_id, run);

-- Every change of what is published counts, so that a build knows its release.
CREATE TRIGGER sites_added AFTER INSERT ON sites BEGIN UPDATE meta SET value = value + 1 WHERE name = 'changes'; END;
CREATE TRIGGER sites_changed AFTER UPDATE ON sites BEGIN UPDATE meta SET value = value + 1 WHERE name = 'changes'; END;
CREATE TRIGGER websites_added AFTER INSERT ON websites BEGIN UPDATE meta SET value = value + 1 WHERE name = 'changes'; END;
CREATE TRIGGER websites_changed AFTER UPDATE ON websites BEGIN UPDATE meta SET value = value + 1 WHERE name = 'changes'; END;
CREATE TRIGGER categories_added AFTER INSERT ON categories BEGIN UPDATE meta SET value = value + 1 WHERE name = 'changes'; END;
CREATE TRIGGER categories_changed AFTER UPDATE ON categories BEGIN UPDATE meta SET value = value + 1 WHERE name = 'changes'; END;
CREATE TRIGGER preference_signals_added AFTER INSERT ON preference_signals BEGIN UPDATE meta SET value = value + 1 WHERE name = 'changes'; END;
CREATE TRIGGER preference_signals_changed AFTER UPDATE ON preference_signals BEGIN UPDATE meta SET value = value + 1 WHERE name = 'changes'; END;
CREATE TRIGGER passports_added AFTER INSERT ON passports BEGIN UPDATE meta SET value = value + 1 WHERE name = 'changes'; END;
CREATE TRIGGER readiness_signals_added AFTER INSERT ON readiness_signals BEGIN UPDATE meta SET value = value + 1 WHERE name = 'changes'; END;
CREATE TRIGGER readiness_signals_changed AFTER UPDATE ON readiness_signals BEGIN UPDATE meta SET value = value + 1 WHERE name = 'changes'; END;
CREATE TRIGGER pages_added AFTER INSERT ON pages BEGIN UPDATE meta SET value = value + 1 WHERE name = 'changes'; END;
CREATE TRIGGER pages_changed AFTER UPDATE ON pages BEGIN UPDATE meta SET value = value + 1 WHERE name = 'changes'; END;
CREATE TRIGGER offers_added AFTER INSERT ON offers BEGIN UPDATE meta SET value = value + 1 WHERE name = 'changes'; END;
CREATE TRIGGER offers_changed AFTER UPDATE ON offers BEGIN UPDATE meta SET value = value + 1 WHERE name = 'changes'; END;
CREATE TRIGGER demand_added AFTER INSERT ON demand BEGIN UPDATE meta SET value = value + 1 WHERE name = 'changes'; END;
CREATE TRIGGER demand_changed AFTER UPDATE ON demand BEGIN UPDATE meta SET value = value + 1 WHERE name = 'changes'; END;
CREATE TRIGGER observations_added AFTER INSERT ON observations BEGIN UPDATE meta SET value = value + 1 WHERE name = 'changes'; END;
CREATE TRIGGER observations_changed AFTER UPDATE ON observations WHEN new.sha256 <> old.sha256 OR new.status <> old.status BEGIN UPDATE meta SET value = value + 1 WHERE name = 'changes'; END;
