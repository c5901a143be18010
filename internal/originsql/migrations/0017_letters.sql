-- Letters to those who ask, inquiries that were sent together, and receivers
-- that want one letter a day.

ALTER TABLE requests ADD COLUMN letters TEXT NOT NULL DEFAULT '';    -- letters to whoever asked: '' none, unconfirmed, confirmed, ended
ALTER TABLE requests ADD COLUMN letters_at TEXT NOT NULL DEFAULT ''; -- when that last changed, '' never
ALTER TABLE requests ADD COLUMN group_id TEXT NOT NULL DEFAULT '';   -- inquiries that were sent together, grp_…, '' it was sent alone
CREATE INDEX requests_by_group ON requests (group_id) WHERE group_id <> '';

ALTER TABLE webhooks ADD COLUMN digest INTEGER NOT NULL DEFAULT 0; -- 1: all that is due in one letter, and one letter a day at most

-- The outbox of letters to those who ask. The address is that of the request:
-- it is kept once.
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
  delivered_at TEXT NOT NULL DEFAULT ''       -- when the mail server took it
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

-- An address is asked to confirm when the publisher has the inquiry: of what was
-- sent together, once. What is held writes to nobody.
CREATE TRIGGER requests_delivered_letter AFTER UPDATE OF state ON requests WHEN new.state = 'delivered' AND old.state <> new.state AND new.letters = 'unconfirmed' BEGIN INSERT INTO letters (request_id, event_id, kind, site_id, status, at, due_at) SELECT new.request_id, 'evt_' || substr(new.request_id, 5) || '_l', 'letter.confirm', new.site_id, new.state, new.state_since, new.state_since WHERE NOT EXISTS (SELECT 1 FROM requests AS r WHERE r.group_id <> '' AND r.group_id = new.group_id AND r.request_id < new.request_id); END;

-- What the other side does is told to an address that was confirmed.
CREATE TRIGGER requests_moved_letter AFTER UPDATE OF state ON requests WHEN new.letters = 'confirmed' AND new.state <> old.state AND new.moved_by <> 'requester' AND new.state NOT IN ('received', 'held', 'delivered', 'rejected') BEGIN INSERT INTO letters (request_id, event_id, kind, site_id, status, at, due_at) VALUES (new.request_id, 'evt_' || substr(new.request_id, 5) || '_s' || new.moves, 'inquiry.state_changed', new.site_id, new.state, new.state_since, new.state_since); END;
CREATE TRIGGER messages_added_letter AFTER INSERT ON messages WHEN new.author_role = 'publisher' AND new.to_state = '' BEGIN INSERT INTO letters (request_id, event_id, kind, site_id, status, at, due_at) SELECT request_id, 'evt_' || substr(new.message_id, 5) || '_m', 'inquiry.message', site_id, state, new.at, new.at FROM requests WHERE request_id = new.request_id AND letters = 'confirmed'; END;

-- A deadline is told to who must act; that a publisher is silent, before the end.
CREATE TRIGGER requests_reminded_letter AFTER UPDATE OF reminders ON requests WHEN new.letters = 'confirmed' AND new.reminders > old.reminders AND (new.state = 'info_requested' OR new.reminders > 1) BEGIN INSERT INTO letters (request_id, event_id, kind, site_id, status, at, due_at) VALUES (new.request_id, 'evt_' || substr(new.request_id, 5) || '_r' || new.moves || '_' || new.messages || '_' || new.reminders, 'inquiry.reminder', new.site_id, new.state, new.reminded_at, new.reminded_at); END;

-- What happened before an address was confirmed is told then, in one letter;
-- nothing waits for an address that wants no letters.
CREATE TRIGGER requests_confirmed_letter AFTER UPDATE OF letters ON requests WHEN new.letters = 'confirmed' AND old.letters = 'unconfirmed' AND new.state NOT IN ('received', 'held', 'delivered', 'rejected', 'withdrawn') BEGIN INSERT INTO letters (request_id, event_id, kind, site_id, status, at, due_at) VALUES (new.request_id, 'evt_' || substr(new.request_id, 5) || '_c', 'inquiry.state_changed', new.site_id, new.state, new.letters_at, new.letters_at); END;
CREATE TRIGGER requests_ended_letter AFTER UPDATE OF letters ON requests WHEN new.letters = 'ended' AND old.letters <> 'ended' BEGIN DELETE FROM letters WHERE request_id = new.request_id AND state = 'waiting'; END;
CREATE TRIGGER requests_erased_letter AFTER UPDATE OF erased_at ON requests WHEN new.erased_at <> '' AND old.erased_at = '' BEGIN DELETE FROM letters WHERE request_id = new.request_id; DELETE FROM letter_health WHERE request_id = new.request_id; END;
