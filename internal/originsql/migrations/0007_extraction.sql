-- How the text of a page was taken out of it, the templates by which that is
-- done, and what waits for the operator before it is signed. All is private.

CREATE TABLE templates (
  site_id    TEXT NOT NULL REFERENCES sites (site_id), -- owner
  digest     TEXT NOT NULL,                 -- hex SHA-256 of document
  state      TEXT NOT NULL,                 -- proposed, active, retired
  document   TEXT NOT NULL,                 -- private: the template, JSON
  diff       TEXT NOT NULL DEFAULT '',      -- private: what it changes against the one that was active when it was made, JSON
  made_at    TEXT NOT NULL,                 -- when it was learned or set
  changed_at TEXT NOT NULL,                 -- last change of its state
  PRIMARY KEY (site_id, digest)
) STRICT;
CREATE UNIQUE INDEX templates_active ON templates (site_id) WHERE state = 'active';

CREATE TABLE extractions (
  entry_id   TEXT PRIMARY KEY,              -- the page
  site_id    TEXT NOT NULL,                 -- its site
  extractor  TEXT NOT NULL,                 -- version of the rules of extraction
  template   TEXT NOT NULL DEFAULT '',      -- digest of the template, '' none
  encoding   TEXT NOT NULL DEFAULT '',      -- that the page came in
  facts      TEXT NOT NULL DEFAULT '[]',    -- private: facts with their sources and confidence, JSON
  portable   TEXT NOT NULL DEFAULT '',      -- private: digest of the canonical text, which the page has once it is not in review
  review     TEXT NOT NULL DEFAULT '',      -- '', waiting, accepted, rejected
  reasons    TEXT NOT NULL DEFAULT '[]',    -- private: why it is in review, JSON
  changed_at TEXT NOT NULL                  -- last change
) STRICT;
CREATE INDEX extractions_by_text ON extractions (site_id, portable);
CREATE INDEX extractions_in_review ON extractions (site_id, review, entry_id);
