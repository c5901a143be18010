-- The schema of the origin store, as all the files of migrations/ make it: an
-- empty SQLite database gets it at once. TestSchema compares both.

CREATE TABLE meta (
  name  TEXT PRIMARY KEY,            -- what: changes
  value INTEGER NOT NULL             -- its value
) STRICT;

CREATE TABLE publishers (
  publisher_id  TEXT PRIMARY KEY,           -- public identifier, pub_…
  legal_name    TEXT NOT NULL,              -- name of the organization; public as rights holder only through a passport
  contact_name  TEXT NOT NULL DEFAULT '',   -- private: person to write to
  contact_email TEXT NOT NULL DEFAULT '',   -- private: where notifications go
  private_notes TEXT NOT NULL DEFAULT '',   -- private: the operator's own notes
  created_at    TEXT NOT NULL,              -- when the account was made
  group_name    TEXT NOT NULL DEFAULT ''    -- public name of the group, '' it is no group
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
  changed_at        TEXT NOT NULL,                     -- last change of any public fact
  grace_days        INTEGER NOT NULL DEFAULT 0         -- private: days that a page may be gone before its entry is withdrawn, 0 the default
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
  report     TEXT NOT NULL DEFAULT '',                 -- JSON of what the check saw, published beside the publisher
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
  extraction     TEXT NOT NULL DEFAULT '',      -- how the text was obtained
  iscc           TEXT NOT NULL DEFAULT '',      -- ISCC code of the text, '' when it has none
  successor      TEXT NOT NULL DEFAULT '',      -- entry id of the page at its new address, '' it did not move
  successor_url  TEXT NOT NULL DEFAULT ''       -- canonical address of that entry
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
  changed_at TEXT NOT NULL,                 -- last change
  digest     TEXT NOT NULL DEFAULT ''       -- private: hex digest of the form that is delivered by default
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
  changed_at      TEXT NOT NULL,                -- last change
  source          TEXT NOT NULL DEFAULT '',       -- file, observed; '' an operator
  evidence_url    TEXT NOT NULL DEFAULT '',       -- public address at which it was read
  evidence_sha256 TEXT NOT NULL DEFAULT '',       -- digest of what was read there
  evidence_at     TEXT NOT NULL DEFAULT '',       -- when it was first read like this
  minimum_term_months INTEGER NOT NULL DEFAULT 0  -- 0 any
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
  fetched_at    TEXT NOT NULL,              -- when
  source        TEXT NOT NULL DEFAULT ''    -- address or file, '' it was read before this column was there
) STRICT;
CREATE INDEX fetches_by_run ON fetches (site_id, run);

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

CREATE TABLE partners (
  org_id        TEXT PRIMARY KEY,             -- identifier of the organization, org_…
  name          TEXT NOT NULL,                -- its name, shown to itself
  state         TEXT NOT NULL,                -- active, suspended
  scopes        TEXT NOT NULL DEFAULT '[]',   -- scopes granted to the organization
  contact_email TEXT NOT NULL DEFAULT '',     -- private: whom to write to
  private_notes TEXT NOT NULL DEFAULT '',     -- private: the operator's own notes
  created_at    TEXT NOT NULL,                -- when it was approved
  changed_at    TEXT NOT NULL                 -- last change
) STRICT;

CREATE TABLE partner_keys (
  key_id      TEXT PRIMARY KEY,               -- identifier of the key, key_…
  org_id      TEXT NOT NULL REFERENCES partners (org_id), -- whose it is
  lookup      TEXT NOT NULL,                  -- first 16 hex digits of hash, to find it by
  hash        TEXT NOT NULL,                  -- hex SHA-256 of the secret, compared in constant time
  label       TEXT NOT NULL DEFAULT '',       -- name the operator gave it
  last4       TEXT NOT NULL,                  -- last characters of the secret, to recognize it
  environment TEXT NOT NULL,                  -- live, test
  scopes      TEXT NOT NULL DEFAULT '[]',     -- a part of the organization's scopes; empty is all
  state       TEXT NOT NULL,                  -- active, suspended, revoked
  created_at  TEXT NOT NULL,                  -- when it was issued
  expires_at  TEXT NOT NULL DEFAULT '',       -- end, '' none
  changed_at  TEXT NOT NULL                   -- last change
) STRICT;
CREATE INDEX partner_keys_by_lookup ON partner_keys (lookup);
CREATE INDEX partner_keys_by_partner ON partner_keys (org_id);

CREATE TABLE requests (
  request_id      TEXT PRIMARY KEY,           -- identifier, req_…, later ones sort later
  thread_id       TEXT NOT NULL UNIQUE,       -- identifier of its conversation, thr_…
  site_id         TEXT NOT NULL REFERENCES sites (site_id), -- publisher asked
  channel         TEXT NOT NULL,              -- public, partner
  org_id          TEXT NOT NULL DEFAULT '',   -- partner organization, '' for a public request
  key_scope       TEXT,                       -- whose idempotency key, NULL when there is none
  idempotency_key TEXT,                       -- the key, NULL when there is none or it is forgotten
  fingerprint     TEXT NOT NULL DEFAULT '',   -- hex SHA-256 of what was sent with the key
  dedupe          TEXT NOT NULL DEFAULT '',   -- hex SHA-256 that a repeated public request shares
  state           TEXT NOT NULL,              -- state, including the internal held and rejected
  state_since     TEXT NOT NULL,              -- when it came into that state
  moves           INTEGER NOT NULL,           -- number of the last move
  moved_by        TEXT NOT NULL,              -- role that made it
  move_reason     TEXT NOT NULL DEFAULT '',   -- public word, such as a decline reason
  buyer_name      TEXT NOT NULL,              -- private
  buyer_email     TEXT NOT NULL,              -- private
  buyer_company   TEXT NOT NULL DEFAULT '',   -- private
  intended_use    TEXT NOT NULL,              -- private to the two sides
  requested_scope TEXT NOT NULL,              -- private to the two sides
  requested_use   TEXT NOT NULL DEFAULT '',   -- one of the eight uses
  budget_range    TEXT NOT NULL DEFAULT '',   -- private to the two sides
  timeline        TEXT NOT NULL DEFAULT '',   -- private to the two sides
  message         TEXT NOT NULL,              -- private to the two sides; copied to the first message
  message_id      TEXT NOT NULL,              -- identifier of the first message
  currency        TEXT NOT NULL DEFAULT '',   -- ISO 4217
  budget_cents    INTEGER NOT NULL DEFAULT -1,-- proposed budget in minor units, -1 none
  term_months     INTEGER NOT NULL DEFAULT -1,-- proposed term, -1 none
  agent           TEXT NOT NULL DEFAULT '',   -- JSON: the agent that submitted it
  ext             TEXT NOT NULL DEFAULT '',   -- JSON: kept as sent, never interpreted
  intent_digest   TEXT NOT NULL DEFAULT '',   -- digest that prepare gave
  locale          TEXT NOT NULL DEFAULT '',   -- language the requester reads
  token_hash      TEXT NOT NULL,              -- hex SHA-256 of the conversation token
  token_expires   TEXT NOT NULL,              -- end of the token, moved on by use
  messages        INTEGER NOT NULL DEFAULT 0, -- number of the last message
  publisher_at    TEXT NOT NULL,              -- last action of the publisher, at first the creation
  reminders       INTEGER NOT NULL DEFAULT 0, -- reminders sent since then
  reminded_at     TEXT NOT NULL DEFAULT '',   -- when the last one was sent
  held_for        TEXT NOT NULL DEFAULT '',   -- private: why it is, or was, held
  private_notes   TEXT NOT NULL DEFAULT '',   -- private: the operator's own notes
  successor       TEXT NOT NULL DEFAULT '',   -- request that continues a transferred one
  created_at      TEXT NOT NULL,              -- when it was made
  updated_at      TEXT NOT NULL,              -- last move or message
  erased_at       TEXT NOT NULL DEFAULT '',   -- when personal data was removed
  letters         TEXT NOT NULL DEFAULT '',   -- letters to whoever asked: '' none, unconfirmed, confirmed, ended
  letters_at      TEXT NOT NULL DEFAULT '',   -- when that last changed, '' never
  group_id        TEXT NOT NULL DEFAULT '',   -- inquiries that were sent together, grp_…, '' it was sent alone
  last_author     TEXT NOT NULL DEFAULT '',   -- role that wrote the last message: requester, publisher
  UNIQUE (key_scope, idempotency_key)
) STRICT;
CREATE INDEX requests_by_site ON requests (site_id, request_id);
CREATE INDEX requests_by_partner ON requests (org_id, request_id);
CREATE INDEX requests_by_state ON requests (state, publisher_at);
CREATE INDEX requests_by_dedupe ON requests (dedupe, created_at) WHERE dedupe <> '';
CREATE INDEX requests_by_key_age ON requests (created_at) WHERE idempotency_key IS NOT NULL;

CREATE TABLE request_history (
  request_id TEXT NOT NULL REFERENCES requests (request_id), -- the request
  seq        INTEGER NOT NULL,                -- 1, 2, …
  at         TEXT NOT NULL,                   -- when
  from_state TEXT NOT NULL,                   -- state before, '' for the first
  to_state   TEXT NOT NULL,                   -- state after
  moved_by   TEXT NOT NULL,                   -- requester, publisher, operator, system
  reason     TEXT NOT NULL DEFAULT '',        -- public word
  PRIMARY KEY (request_id, seq)
) STRICT;

CREATE TABLE messages (
  message_id  TEXT PRIMARY KEY,               -- identifier, msg_…
  thread_id   TEXT NOT NULL,                  -- conversation it belongs to
  request_id  TEXT NOT NULL REFERENCES requests (request_id), -- its request
  seq         INTEGER NOT NULL,               -- 1, 2, … within the conversation
  at          TEXT NOT NULL,                  -- when it was posted
  author_role TEXT NOT NULL,                  -- requester, publisher
  author_kind TEXT NOT NULL,                  -- human, agent
  kind        TEXT NOT NULL,                  -- text, question, answer, indicative_terms, withdraw
  body        TEXT NOT NULL,                  -- private to the two sides
  terms       TEXT NOT NULL DEFAULT '',       -- JSON: indicative terms
  in_reply_to TEXT NOT NULL DEFAULT '',       -- message it answers
  client_id   TEXT NOT NULL DEFAULT '',       -- the author's own id, so that a retry adds nothing
  from_state  TEXT NOT NULL,                  -- state in which it was posted
  to_state    TEXT NOT NULL DEFAULT '',       -- state into which it moves the request, '' none
  UNIQUE (thread_id, seq)
) STRICT;
CREATE UNIQUE INDEX messages_by_client ON messages (thread_id, author_role, client_id) WHERE client_id <> '';

CREATE TABLE inbox_links (
  link_id    TEXT PRIMARY KEY,                -- identifier, inb_…
  site_id    TEXT NOT NULL REFERENCES sites (site_id), -- whose inbox it opens
  lookup     TEXT NOT NULL,                   -- first 16 hex digits of hash, to find it by
  hash       TEXT NOT NULL,                   -- hex SHA-256 of the secret in the link
  label      TEXT NOT NULL DEFAULT '',        -- private: for whom it was made
  state      TEXT NOT NULL,                   -- active, revoked
  created_at TEXT NOT NULL,                   -- when it was made
  expires_at TEXT NOT NULL,                   -- end
  changed_at TEXT NOT NULL,                   -- last change
  publisher_id TEXT NOT NULL DEFAULT ''       -- organization whose sites' inquiries it opens, '' those of site_id alone
) STRICT;
CREATE INDEX inbox_links_by_lookup ON inbox_links (lookup);

CREATE TABLE counters (
  name      TEXT PRIMARY KEY,                 -- what is counted, for whom (a digest), in which window
  n         INTEGER NOT NULL,                 -- how many
  resets_at TEXT NOT NULL                     -- end of the window, after which the row is swept
) STRICT;

CREATE TABLE proofs (
  nonce      TEXT PRIMARY KEY,                -- challenge that was answered, usable once
  expires_at TEXT NOT NULL                    -- end of the challenge, after which the row is swept
) STRICT;

CREATE TABLE webhooks (
  webhook_id TEXT PRIMARY KEY,                -- identifier, whk_…
  site_id    TEXT NOT NULL DEFAULT '',        -- whose events it gets, '' all of them
  url        TEXT NOT NULL,                   -- private: where to post
  secret     TEXT NOT NULL,                   -- private: key of the HMAC signature
  state      TEXT NOT NULL,                   -- active, paused
  created_at TEXT NOT NULL,                   -- when it was made
  changed_at TEXT NOT NULL,                   -- last change
  allow_private INTEGER NOT NULL DEFAULT 0,   -- 1: it may be at an address that is not public
  digest     INTEGER NOT NULL DEFAULT 0       -- 1: all that is due in one letter, and one letter a day at most
) STRICT;

CREATE TABLE outbox (
  seq          INTEGER PRIMARY KEY,           -- order of the events
  webhook_id   TEXT NOT NULL REFERENCES webhooks (webhook_id), -- receiver
  event_id     TEXT NOT NULL,                 -- the same in every attempt, so that the receiver sees repeats
  kind         TEXT NOT NULL,                 -- inquiry.state_changed, inquiry.message, inquiry.reminder
  site_id      TEXT NOT NULL,                 -- publisher
  request_id   TEXT NOT NULL,                 -- request
  status       TEXT NOT NULL,                 -- state of the request after the event
  at           TEXT NOT NULL,                 -- when it happened
  state        TEXT NOT NULL DEFAULT 'waiting', -- waiting, delivered, failed
  attempts     INTEGER NOT NULL DEFAULT 0,    -- how often it was tried
  due_at       TEXT NOT NULL,                 -- when to try next
  leased_until TEXT NOT NULL DEFAULT '',      -- somebody is trying until then
  last_error   TEXT NOT NULL DEFAULT '',      -- private: why the last attempt failed
  delivered_at TEXT NOT NULL DEFAULT '',      -- when the receiver took it
  retried_at   TEXT NOT NULL DEFAULT '',      -- when an operator last made it wait again
  UNIQUE (webhook_id, event_id)
) STRICT;

CREATE TRIGGER requests_added AFTER INSERT ON requests BEGIN INSERT INTO request_history (request_id, seq, at, from_state, to_state, moved_by, reason) VALUES (new.request_id, 1, new.created_at, '', new.state, new.moved_by, ''); INSERT INTO messages (message_id, thread_id, request_id, seq, at, author_role, author_kind, kind, body, from_state) VALUES (new.message_id, new.thread_id, new.request_id, 1, new.created_at, 'requester', CASE WHEN new.agent = '' THEN 'human' ELSE 'agent' END, 'text', new.message, new.state); END;
CREATE TRIGGER requests_moved AFTER UPDATE OF state ON requests WHEN new.state <> old.state BEGIN INSERT INTO request_history (request_id, seq, at, from_state, to_state, moved_by, reason) VALUES (new.request_id, new.moves, new.state_since, old.state, new.state, new.moved_by, new.move_reason); INSERT INTO outbox (webhook_id, event_id, kind, site_id, request_id, status, at, due_at) SELECT webhook_id, 'evt_' || substr(new.request_id, 5) || '_s' || new.moves, 'inquiry.state_changed', new.site_id, new.request_id, new.state, new.state_since, new.state_since FROM webhooks WHERE state = 'active' AND site_id IN (new.site_id, '') AND new.state NOT IN ('received', 'held', 'rejected'); END;
CREATE TRIGGER requests_reminded AFTER UPDATE OF reminders ON requests WHEN new.reminders > old.reminders BEGIN INSERT INTO outbox (webhook_id, event_id, kind, site_id, request_id, status, at, due_at) SELECT webhook_id, 'evt_' || substr(new.request_id, 5) || '_r' || new.moves || '_' || new.messages || '_' || new.reminders, 'inquiry.reminder', new.site_id, new.request_id, new.state, new.reminded_at, new.reminded_at FROM webhooks WHERE state = 'active' AND site_id IN (new.site_id, ''); END;
CREATE TRIGGER messages_added AFTER INSERT ON messages BEGIN UPDATE requests SET messages = new.seq, updated_at = new.at, publisher_at = CASE WHEN new.author_role = 'publisher' THEN new.at ELSE publisher_at END, reminders = CASE WHEN new.author_role = 'publisher' THEN 0 ELSE reminders END, moves = moves + (new.to_state <> ''), moved_by = CASE WHEN new.to_state <> '' THEN new.author_role ELSE moved_by END, move_reason = CASE WHEN new.to_state <> '' THEN '' ELSE move_reason END, state_since = CASE WHEN new.to_state <> '' THEN new.at ELSE state_since END, state = CASE WHEN new.to_state <> '' THEN new.to_state ELSE state END WHERE request_id = new.request_id; INSERT INTO outbox (webhook_id, event_id, kind, site_id, request_id, status, at, due_at) SELECT w.webhook_id, 'evt_' || substr(new.message_id, 5) || '_m', 'inquiry.message', r.site_id, r.request_id, r.state, new.at, new.at FROM requests AS r, webhooks AS w WHERE r.request_id = new.request_id AND new.author_role = 'requester' AND w.state = 'active' AND w.site_id IN (r.site_id, '') AND r.state NOT IN ('received', 'held', 'rejected'); END;
CREATE TRIGGER requests_erased AFTER UPDATE OF erased_at ON requests WHEN new.erased_at <> '' AND old.erased_at = '' BEGIN DELETE FROM messages WHERE request_id = new.request_id; END;

CREATE TABLE editions (
  entry_id   TEXT PRIMARY KEY,              -- the page
  version    INTEGER NOT NULL,              -- 1, 2, …: how often its body was written
  digest     TEXT NOT NULL,                 -- hex SHA-256 of the delivered form, as in bodies
  bytes      INTEGER NOT NULL,              -- length of the delivered form
  changed_at TEXT NOT NULL                  -- when this version was written
) STRICT;

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

CREATE TRIGGER bodies_added AFTER INSERT ON bodies BEGIN INSERT INTO editions (entry_id, version, digest, bytes, changed_at) VALUES (new.entry_id, 1, new.digest, length(CAST(CASE WHEN new.markdown <> '' THEN new.markdown ELSE new.text END AS BLOB)), new.changed_at) ON CONFLICT (entry_id) DO UPDATE SET version = version + 1, digest = excluded.digest, bytes = excluded.bytes, changed_at = excluded.changed_at; UPDATE meta SET value = value + 1 WHERE name = 'editions'; END;
CREATE TRIGGER bodies_changed AFTER UPDATE ON bodies WHEN (new.text, new.markdown, new.html) IS NOT (old.text, old.markdown, old.html) BEGIN UPDATE editions SET version = version + 1, digest = new.digest, bytes = length(CAST(CASE WHEN new.markdown <> '' THEN new.markdown ELSE new.text END AS BLOB)), changed_at = new.changed_at WHERE entry_id = new.entry_id; UPDATE meta SET value = value + 1 WHERE name = 'editions'; END;
CREATE TRIGGER bodies_digested AFTER UPDATE OF digest ON bodies WHEN new.digest <> old.digest AND (new.text, new.markdown, new.html) IS (old.text, old.markdown, old.html) BEGIN UPDATE editions SET digest = new.digest WHERE entry_id = new.entry_id; UPDATE meta SET value = value + 1 WHERE name = 'editions'; END;
CREATE TRIGGER grants_added AFTER INSERT ON grants BEGIN UPDATE buyers SET rights = rights + 1 WHERE buyer_id = new.buyer_id; END;
CREATE TRIGGER grants_changed AFTER UPDATE ON grants WHEN new.version = old.version BEGIN UPDATE grants SET version = version + 1 WHERE grant_id = new.grant_id; UPDATE buyers SET rights = rights + 1 WHERE buyer_id = new.buyer_id; END;
CREATE TRIGGER grant_sites_added AFTER INSERT ON grant_sites BEGIN UPDATE grants SET version = version + 1 WHERE grant_id = new.grant_id; UPDATE buyers SET rights = rights + 1 WHERE buyer_id = (SELECT buyer_id FROM grants WHERE grant_id = new.grant_id); END;
CREATE TRIGGER grant_sites_changed AFTER UPDATE ON grant_sites BEGIN UPDATE grants SET version = version + 1 WHERE grant_id = new.grant_id; UPDATE buyers SET rights = rights + 1 WHERE buyer_id = (SELECT buyer_id FROM grants WHERE grant_id = new.grant_id); END;
CREATE TRIGGER grant_sites_removed AFTER DELETE ON grant_sites BEGIN UPDATE grants SET version = version + 1 WHERE grant_id = old.grant_id; UPDATE buyers SET rights = rights + 1 WHERE buyer_id = (SELECT buyer_id FROM grants WHERE grant_id = old.grant_id); END;
CREATE TRIGGER holdings_added AFTER INSERT ON holdings BEGIN UPDATE feeds SET sequence = max(sequence, new.sequence) WHERE buyer_id = new.buyer_id; END;
CREATE TRIGGER holdings_changed AFTER UPDATE OF sequence ON holdings BEGIN UPDATE feeds SET sequence = max(sequence, new.sequence) WHERE buyer_id = new.buyer_id; END;

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
CREATE INDEX pages_by_url ON pages (canonical_url);
CREATE INDEX pages_by_portable ON pages (portable) WHERE portable <> '';
CREATE INDEX pages_by_registry ON pages (registry) WHERE registry <> '';
CREATE INDEX websites_by_host ON websites (host);

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

CREATE TABLE ledger_waiting (
  created  TEXT NOT NULL,                -- proof.created of the record
  entry_id TEXT NOT NULL,                -- the page
  version  INTEGER NOT NULL,             -- the version
  PRIMARY KEY (created, entry_id, version)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER records_wait AFTER INSERT ON records BEGIN INSERT INTO ledger_waiting (created, entry_id, version) VALUES (new.created, new.entry_id, new.version); END;
CREATE TRIGGER ledger_in_order BEFORE INSERT ON ledger_events WHEN new.position <> (SELECT coalesce(max(position) + 1, 0) FROM ledger_events) BEGIN SELECT RAISE(ABORT, 'ledger: another build appended to it'); END;
CREATE TRIGGER ledger_logged AFTER INSERT ON ledger_events WHEN new.kind = 'record' BEGIN DELETE FROM ledger_waiting WHERE created = new.at AND entry_id = new.entry_id AND version = new.version; END;
CREATE TRIGGER ledger_no_update BEFORE UPDATE ON ledger_events BEGIN SELECT RAISE(ABORT, 'ledger: what is logged never changes'); END;
CREATE TRIGGER ledger_no_delete BEFORE DELETE ON ledger_events BEGIN SELECT RAISE(ABORT, 'ledger: what is logged stays'); END;

CREATE TABLE webhook_health (
  webhook_id    TEXT PRIMARY KEY REFERENCES webhooks (webhook_id), -- receiver
  asked_at      TEXT NOT NULL,                -- last attempt
  failures      INTEGER NOT NULL,             -- failed attempts since the last one that succeeded
  failing_since TEXT NOT NULL DEFAULT '',     -- the first of them, '' none
  retry_at      TEXT NOT NULL DEFAULT '',     -- no attempt before that, '' at once
  last_error    TEXT NOT NULL DEFAULT ''      -- private: why the last attempt failed
) STRICT;
CREATE INDEX outbox_by_receiver ON outbox (webhook_id, due_at) WHERE state = 'waiting';
CREATE INDEX outbox_failed ON outbox (webhook_id, seq) WHERE state = 'failed';

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
  changed_at TEXT NOT NULL,                 -- last change
  kept       TEXT NOT NULL DEFAULT '',      -- private: excerpt of the text that would be signed
  dropped    TEXT NOT NULL DEFAULT ''       -- private: excerpt of what is not in it
) STRICT;
CREATE INDEX extractions_by_text ON extractions (site_id, portable);
CREATE INDEX extractions_in_review ON extractions (site_id, review, entry_id);

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

CREATE TABLE page_changes (
  entry_id TEXT PRIMARY KEY,             -- the page; it may be gone
  sequence INTEGER NOT NULL              -- number of its last change
) STRICT;
CREATE INDEX page_changes_by_sequence ON page_changes (sequence, entry_id);

CREATE TABLE builds (
  token    TEXT PRIMARY KEY,             -- random, the same in the notes of what that build published
  sequence INTEGER NOT NULL              -- number of the last change that it read
) STRICT;

CREATE TRIGGER sites_added_sequence AFTER INSERT ON sites BEGIN UPDATE meta SET value = value + 1 WHERE name = 'sequence'; END;
CREATE TRIGGER sites_changed_sequence AFTER UPDATE ON sites BEGIN UPDATE meta SET value = value + 1 WHERE name = 'sequence'; END;
CREATE TRIGGER websites_added_sequence AFTER INSERT ON websites BEGIN UPDATE meta SET value = value + 1 WHERE name = 'sequence'; END;
CREATE TRIGGER websites_changed_sequence AFTER UPDATE ON websites BEGIN UPDATE meta SET value = value + 1 WHERE name = 'sequence'; END;
CREATE TRIGGER categories_added_sequence AFTER INSERT ON categories BEGIN UPDATE meta SET value = value + 1 WHERE name = 'sequence'; END;
CREATE TRIGGER categories_changed_sequence AFTER UPDATE ON categories BEGIN UPDATE meta SET value = value + 1 WHERE name = 'sequence'; END;
CREATE TRIGGER preference_signals_added_sequence AFTER INSERT ON preference_signals BEGIN UPDATE meta SET value = value + 1 WHERE name = 'sequence'; END;
CREATE TRIGGER preference_signals_changed_sequence AFTER UPDATE ON preference_signals BEGIN UPDATE meta SET value = value + 1 WHERE name = 'sequence'; END;
CREATE TRIGGER passports_added_sequence AFTER INSERT ON passports BEGIN UPDATE meta SET value = value + 1 WHERE name = 'sequence'; END;
CREATE TRIGGER passports_changed_sequence AFTER UPDATE ON passports BEGIN UPDATE meta SET value = value + 1 WHERE name = 'sequence'; END;
CREATE TRIGGER readiness_signals_added_sequence AFTER INSERT ON readiness_signals BEGIN UPDATE meta SET value = value + 1 WHERE name = 'sequence'; END;
CREATE TRIGGER readiness_signals_changed_sequence AFTER UPDATE ON readiness_signals BEGIN UPDATE meta SET value = value + 1 WHERE name = 'sequence'; END;
CREATE TRIGGER offers_added_sequence AFTER INSERT ON offers BEGIN UPDATE meta SET value = value + 1 WHERE name = 'sequence'; END;
CREATE TRIGGER offers_changed_sequence AFTER UPDATE ON offers BEGIN UPDATE meta SET value = value + 1 WHERE name = 'sequence'; END;
CREATE TRIGGER demand_added_sequence AFTER INSERT ON demand BEGIN UPDATE meta SET value = value + 1 WHERE name = 'sequence'; END;
CREATE TRIGGER demand_changed_sequence AFTER UPDATE ON demand BEGIN UPDATE meta SET value = value + 1 WHERE name = 'sequence'; END;
CREATE TRIGGER observations_added_sequence AFTER INSERT ON observations BEGIN UPDATE meta SET value = value + 1 WHERE name = 'sequence'; END;
CREATE TRIGGER observations_changed_sequence AFTER UPDATE ON observations BEGIN UPDATE meta SET value = value + 1 WHERE name = 'sequence'; END;
CREATE TRIGGER pages_added_sequence AFTER INSERT ON pages BEGIN UPDATE meta SET value = value + 1 WHERE name = 'sequence'; INSERT INTO page_changes (entry_id, sequence) VALUES (new.entry_id, (SELECT value FROM meta WHERE name = 'sequence')) ON CONFLICT (entry_id) DO UPDATE SET sequence = excluded.sequence; END;
CREATE TRIGGER pages_changed_sequence AFTER UPDATE ON pages BEGIN UPDATE meta SET value = value + 1 WHERE name = 'sequence'; INSERT INTO page_changes (entry_id, sequence) VALUES (new.entry_id, (SELECT value FROM meta WHERE name = 'sequence')) ON CONFLICT (entry_id) DO UPDATE SET sequence = excluded.sequence; END;
CREATE TRIGGER pages_removed_sequence AFTER DELETE ON pages BEGIN UPDATE meta SET value = value + 1 WHERE name = 'sequence'; INSERT INTO page_changes (entry_id, sequence) VALUES (old.entry_id, (SELECT value FROM meta WHERE name = 'sequence')) ON CONFLICT (entry_id) DO UPDATE SET sequence = excluded.sequence; END;

CREATE TABLE host_proofs (
  site_id    TEXT NOT NULL REFERENCES sites (site_id), -- whose control it shows
  host       TEXT NOT NULL,               -- lower-case host name
  method     TEXT NOT NULL,               -- well_known, dns_txt, meta
  address    TEXT NOT NULL,               -- what was looked at: an address or the name of a DNS record
  digest     TEXT NOT NULL,               -- hex SHA-256 of what was seen there
  first_at   TEXT NOT NULL,               -- first seen
  seen_at    TEXT NOT NULL,               -- last seen
  looked_at  TEXT NOT NULL,               -- last looked for
  missed_at  TEXT NOT NULL DEFAULT '',    -- first time that it was missing since it was seen, '' it was there
  lapsed_at  TEXT NOT NULL DEFAULT '',    -- when it stopped to count, '' it counts
  PRIMARY KEY (site_id, host)
) STRICT;
CREATE INDEX host_proofs_by_host ON host_proofs (host);

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

CREATE TRIGGER publishers_changed AFTER UPDATE ON publishers WHEN new.group_name <> old.group_name BEGIN UPDATE meta SET value = value + 1 WHERE name = 'changes'; END;
CREATE TRIGGER publishers_changed_sequence AFTER UPDATE ON publishers WHEN new.group_name <> old.group_name BEGIN UPDATE meta SET value = value + 1 WHERE name = 'sequence'; END;
CREATE INDEX requests_by_group ON requests (group_id) WHERE group_id <> '';

CREATE TABLE letters (
  seq          INTEGER PRIMARY KEY,           -- order of the letters
  request_id   TEXT NOT NULL REFERENCES requests (request_id), -- whose asker gets it
  event_id     TEXT NOT NULL UNIQUE,          -- the same in every attempt
  kind         TEXT NOT NULL,                 -- letter.confirm, inquiry.state_changed, inquiry.message, inquiry.reminder
  site_id      TEXT NOT NULL,                 -- publisher
  status       TEXT NOT NULL,                 -- state of the request after the event
  at           TEXT NOT NULL,                 -- when it happened
  state        TEXT NOT NULL DEFAULT 'waiting', -- waiting, delivered, failed
  attempts     INTEGER NOT NULL DEFAULT 0,    -- how often it was tried
  due_at       TEXT NOT NULL,                 -- when to try next
  leased_until TEXT NOT NULL DEFAULT '',      -- somebody is trying until then
  last_error   TEXT NOT NULL DEFAULT '',      -- private: why the last attempt failed
  delivered_at TEXT NOT NULL DEFAULT '',      -- when the mail server took it
  retried_at   TEXT NOT NULL DEFAULT ''       -- when an operator last made it wait again
) STRICT;
CREATE INDEX letters_by_due ON letters (due_at) WHERE state = 'waiting';
CREATE INDEX letters_by_request ON letters (request_id, due_at);

CREATE TABLE letter_health (
  request_id    TEXT PRIMARY KEY REFERENCES requests (request_id), -- whose asker it is
  asked_at      TEXT NOT NULL,                -- last attempt
  failures      INTEGER NOT NULL,             -- failed attempts since the last one that succeeded
  failing_since TEXT NOT NULL DEFAULT '',     -- the first of them, '' none
  retry_at      TEXT NOT NULL DEFAULT '',     -- no attempt before that, '' at once
  last_error    TEXT NOT NULL DEFAULT ''      -- private: why the last attempt failed
) STRICT;

CREATE TRIGGER requests_delivered_letter AFTER UPDATE OF state ON requests WHEN new.state = 'delivered' AND old.state <> new.state AND new.letters = 'unconfirmed' BEGIN INSERT INTO letters (request_id, event_id, kind, site_id, status, at, due_at) SELECT new.request_id, 'evt_' || substr(new.request_id, 5) || '_l', 'letter.confirm', new.site_id, new.state, new.state_since, new.state_since WHERE NOT EXISTS (SELECT 1 FROM requests AS r WHERE r.group_id <> '' AND r.group_id = new.group_id AND r.request_id < new.request_id); END;
CREATE TRIGGER requests_moved_letter AFTER UPDATE OF state ON requests WHEN new.letters = 'confirmed' AND new.state <> old.state AND new.moved_by <> 'requester' AND new.state NOT IN ('received', 'held', 'delivered', 'rejected') BEGIN INSERT INTO letters (request_id, event_id, kind, site_id, status, at, due_at) VALUES (new.request_id, 'evt_' || substr(new.request_id, 5) || '_s' || new.moves, 'inquiry.state_changed', new.site_id, new.state, new.state_since, new.state_since); END;
CREATE TRIGGER messages_added_letter AFTER INSERT ON messages WHEN new.author_role = 'publisher' AND new.to_state = '' BEGIN INSERT INTO letters (request_id, event_id, kind, site_id, status, at, due_at) SELECT request_id, 'evt_' || substr(new.message_id, 5) || '_m', 'inquiry.message', site_id, state, new.at, new.at FROM requests WHERE request_id = new.request_id AND letters = 'confirmed'; END;
CREATE TRIGGER requests_reminded_letter AFTER UPDATE OF reminders ON requests WHEN new.letters = 'confirmed' AND new.reminders > old.reminders AND (new.state = 'info_requested' OR new.reminders > 1) BEGIN INSERT INTO letters (request_id, event_id, kind, site_id, status, at, due_at) VALUES (new.request_id, 'evt_' || substr(new.request_id, 5) || '_r' || new.moves || '_' || new.messages || '_' || new.reminders, 'inquiry.reminder', new.site_id, new.state, new.reminded_at, new.reminded_at); END;
CREATE TRIGGER requests_confirmed_letter AFTER UPDATE OF letters ON requests WHEN new.letters = 'confirmed' AND old.letters = 'unconfirmed' AND new.state NOT IN ('received', 'held', 'delivered', 'rejected', 'withdrawn') BEGIN INSERT INTO letters (request_id, event_id, kind, site_id, status, at, due_at) VALUES (new.request_id, 'evt_' || substr(new.request_id, 5) || '_c', 'inquiry.state_changed', new.site_id, new.state, new.letters_at, new.letters_at); END;
CREATE TRIGGER requests_ended_letter AFTER UPDATE OF letters ON requests WHEN new.letters = 'ended' AND old.letters <> 'ended' BEGIN DELETE FROM letters WHERE request_id = new.request_id AND state = 'waiting'; END;
CREATE TRIGGER requests_erased_letter AFTER UPDATE OF erased_at ON requests WHEN new.erased_at <> '' AND old.erased_at = '' BEGIN DELETE FROM letters WHERE request_id = new.request_id; DELETE FROM letter_health WHERE request_id = new.request_id; END;

CREATE TABLE answers (
  site_id    TEXT NOT NULL REFERENCES sites (site_id), -- publisher
  name       TEXT NOT NULL,                 -- lower-case letters, digits and hyphens
  act        TEXT NOT NULL,                 -- form of the inbox: text, question, indicative_terms
  label      TEXT NOT NULL,                 -- what its link says
  body       TEXT NOT NULL,                 -- private: the text, '' it was removed
  changed_at TEXT NOT NULL,                 -- last change
  PRIMARY KEY (site_id, name)
) STRICT;

CREATE TRIGGER messages_added_author AFTER INSERT ON messages BEGIN UPDATE requests SET last_author = new.author_role WHERE request_id = new.request_id; END;

CREATE TABLE ledger_checkpoints (
  size     INTEGER PRIMARY KEY,          -- how many leaves it covers
  root     TEXT NOT NULL,                -- base64 of the root; one size has one root for ever
  name     TEXT NOT NULL,                -- the log's origin line
  key_id   TEXT NOT NULL,                -- key of the log that signed it
  cosigned TEXT NOT NULL                 -- signed checkpoint as it is published, with its cosignatures
) STRICT;

CREATE TRIGGER checkpoints_one_root BEFORE UPDATE OF size, root, name, key_id ON ledger_checkpoints BEGIN SELECT RAISE(ABORT, 'ledger: a size is signed once'); END;
CREATE TRIGGER checkpoints_stay BEFORE DELETE ON ledger_checkpoints BEGIN SELECT RAISE(ABORT, 'ledger: a size is signed once'); END;

INSERT INTO meta (name, value) VALUES ('changes', 0);
INSERT INTO meta (name, value) VALUES ('editions', 0);
INSERT INTO meta (name, value) VALUES ('sequence', 1);
