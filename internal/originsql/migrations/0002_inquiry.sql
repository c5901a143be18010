-- Licensing inquiries: partners and their keys, requests with their moves and
-- messages, inbox links, counters and notifications. Secrets are kept as hex
-- SHA-256 only. A request, its first move and its first message are written
-- by one statement, and so is a message with the move and the notification it
-- causes: the triggers at the end see to that.

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
  changed_at TEXT NOT NULL                    -- last change
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
  changed_at TEXT NOT NULL                    -- last change
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
  UNIQUE (webhook_id, event_id)
) STRICT;
CREATE INDEX outbox_by_due ON outbox (due_at) WHERE state = 'waiting';

-- A new request has its first move and its first message.
CREATE TRIGGER requests_added AFTER INSERT ON requests BEGIN INSERT INTO request_history (request_id, seq, at, from_state, to_state, moved_by, reason) VALUES (new.request_id, 1, new.created_at, '', new.state, new.moved_by, ''); INSERT INTO messages (message_id, thread_id, request_id, seq, at, author_role, author_kind, kind, body, from_state) VALUES (new.message_id, new.thread_id, new.request_id, 1, new.created_at, 'requester', CASE WHEN new.agent = '' THEN 'human' ELSE 'agent' END, 'text', new.message, new.state); END;

-- A move is kept, and told to those who listen unless it is internal.
CREATE TRIGGER requests_moved AFTER UPDATE OF state ON requests WHEN new.state <> old.state BEGIN INSERT INTO request_history (request_id, seq, at, from_state, to_state, moved_by, reason) VALUES (new.request_id, new.moves, new.state_since, old.state, new.state, new.moved_by, new.move_reason); INSERT INTO outbox (webhook_id, event_id, kind, site_id, request_id, status, at, due_at) SELECT webhook_id, 'evt_' || substr(new.request_id, 5) || '_s' || new.moves, 'inquiry.state_changed', new.site_id, new.request_id, new.state, new.state_since, new.state_since FROM webhooks WHERE state = 'active' AND site_id IN (new.site_id, '') AND new.state NOT IN ('received', 'held', 'rejected'); END;

-- A reminder is told to those who listen.
CREATE TRIGGER requests_reminded AFTER UPDATE OF reminders ON requests WHEN new.reminders > old.reminders BEGIN INSERT INTO outbox (webhook_id, event_id, kind, site_id, request_id, status, at, due_at) SELECT webhook_id, 'evt_' || substr(new.request_id, 5) || '_r' || new.moves || '_' || new.messages || '_' || new.reminders, 'inquiry.reminder', new.site_id, new.request_id, new.state, new.reminded_at, new.reminded_at FROM webhooks WHERE state = 'active' AND site_id IN (new.site_id, ''); END;

-- A message counts, moves its request, and is told to those who listen when
-- it comes from the other side.
CREATE TRIGGER messages_added AFTER INSERT ON messages BEGIN UPDATE requests SET messages = new.seq, updated_at = new.at, publisher_at = CASE WHEN new.author_role = 'publisher' THEN new.at ELSE publisher_at END, reminders = CASE WHEN new.author_role = 'publisher' THEN 0 ELSE reminders END, moves = moves + (new.to_state <> ''), moved_by = CASE WHEN new.to_state <> '' THEN new.author_role ELSE moved_by END, move_reason = CASE WHEN new.to_state <> '' THEN '' ELSE move_reason END, state_since = CASE WHEN new.to_state <> '' THEN new.at ELSE state_since END, state = CASE WHEN new.to_state <> '' THEN new.to_state ELSE state END WHERE request_id = new.request_id; INSERT INTO outbox (webhook_id, event_id, kind, site_id, request_id, status, at, due_at) SELECT w.webhook_id, 'evt_' || substr(new.message_id, 5) || '_m', 'inquiry.message', r.site_id, r.request_id, r.state, new.at, new.at FROM requests AS r, webhooks AS w WHERE r.request_id = new.request_id AND new.author_role = 'requester' AND w.state = 'active' AND w.site_id IN (r.site_id, '') AND r.state NOT IN ('received', 'held', 'rejected'); END;

-- What is erased takes its messages along.
CREATE TRIGGER requests_erased AFTER UPDATE OF erased_at ON requests WHEN new.erased_at <> '' AND old.erased_at = '' BEGIN DELETE FROM messages WHERE request_id = new.request_id; END;
