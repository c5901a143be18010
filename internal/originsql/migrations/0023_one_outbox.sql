-- One outbox for all who are told of inquiries: webhooks, and those who asked, whose
-- address is that of their request.

DROP TRIGGER requests_moved;
DROP TRIGGER requests_reminded;
DROP TRIGGER messages_added;
DROP TRIGGER requests_delivered_letter;
DROP TRIGGER requests_moved_letter;
DROP TRIGGER messages_added_letter;
DROP TRIGGER requests_reminded_letter;
DROP TRIGGER requests_confirmed_letter;
DROP TRIGGER requests_ended_letter;
DROP TRIGGER requests_erased_letter;

ALTER TABLE outbox RENAME TO outbox_before;

CREATE TABLE outbox (
  seq           INTEGER PRIMARY KEY,          -- order of the events
  receiver_kind TEXT NOT NULL,                -- webhook, asker
  receiver_id   TEXT NOT NULL,                -- id of the webhook, or of the request whose sender is told
  event_id      TEXT NOT NULL,                -- the same in every attempt, so that the receiver sees repeats
  kind          TEXT NOT NULL,                -- inquiry.state_changed, inquiry.message, inquiry.reminder, letter.confirm
  site_id       TEXT NOT NULL,                -- publisher
  request_id    TEXT NOT NULL,                -- request
  status        TEXT NOT NULL,                -- state of the request after the event
  at            TEXT NOT NULL,                -- when it happened
  state         TEXT NOT NULL DEFAULT 'waiting', -- waiting, delivered, failed
  attempts      INTEGER NOT NULL DEFAULT 0,   -- how often it was tried
  due_at        TEXT NOT NULL,                -- when to try next
  leased_until  TEXT NOT NULL DEFAULT '',     -- somebody is trying until then
  last_error    TEXT NOT NULL DEFAULT '',     -- private: why the last attempt failed
  delivered_at  TEXT NOT NULL DEFAULT '',     -- when the receiver took it
  retried_at    TEXT NOT NULL DEFAULT '',     -- when an operator last made it wait again
  UNIQUE (receiver_id, event_id)
) STRICT;

INSERT INTO outbox (seq, receiver_kind, receiver_id, event_id, kind, site_id, request_id, status, at, state, attempts, due_at, leased_until, last_error, delivered_at, retried_at) SELECT seq, 'webhook', webhook_id, event_id, kind, site_id, request_id, status, at, state, attempts, due_at, leased_until, last_error, delivered_at, retried_at FROM outbox_before;
INSERT INTO outbox (seq, receiver_kind, receiver_id, event_id, kind, site_id, request_id, status, at, state, attempts, due_at, leased_until, last_error, delivered_at, retried_at) SELECT seq + (SELECT coalesce(max(seq), 0) FROM outbox_before), 'asker', request_id, event_id, kind, site_id, request_id, status, at, state, attempts, due_at, leased_until, last_error, delivered_at, retried_at FROM letters;

DROP TABLE outbox_before;
DROP TABLE letters;

CREATE INDEX outbox_by_receiver ON outbox (receiver_id, due_at) WHERE state = 'waiting';
CREATE INDEX outbox_by_due ON outbox (receiver_kind, due_at) WHERE state = 'waiting';
CREATE INDEX outbox_failed ON outbox (receiver_id, seq) WHERE state = 'failed';

-- How a receiver did lately.
CREATE TABLE receiver_health (
  receiver_id   TEXT PRIMARY KEY,             -- as in the outbox
  asked_at      TEXT NOT NULL,                -- last attempt
  failures      INTEGER NOT NULL,             -- failed attempts since the last one that succeeded
  failing_since TEXT NOT NULL DEFAULT '',     -- the first of them, '' none
  retry_at      TEXT NOT NULL DEFAULT '',     -- no attempt before that, '' at once
  last_error    TEXT NOT NULL DEFAULT ''      -- private: why the last attempt failed
) STRICT;

INSERT INTO receiver_health (receiver_id, asked_at, failures, failing_since, retry_at, last_error) SELECT webhook_id, asked_at, failures, failing_since, retry_at, last_error FROM webhook_health;
INSERT INTO receiver_health (receiver_id, asked_at, failures, failing_since, retry_at, last_error) SELECT request_id, asked_at, failures, failing_since, retry_at, last_error FROM letter_health;

DROP TABLE webhook_health;
DROP TABLE letter_health;

-- What happens is told to webhooks: moves that are not internal, reminders, and messages
-- of the other side.
CREATE TRIGGER requests_moved AFTER UPDATE OF state ON requests WHEN new.state <> old.state BEGIN INSERT INTO request_history (request_id, seq, at, from_state, to_state, moved_by, reason) VALUES (new.request_id, new.moves, new.state_since, old.state, new.state, new.moved_by, new.move_reason); INSERT INTO outbox (receiver_kind, receiver_id, event_id, kind, site_id, request_id, status, at, due_at) SELECT 'webhook', webhook_id, 'evt_' || substr(new.request_id, 5) || '_s' || new.moves, 'inquiry.state_changed', new.site_id, new.request_id, new.state, new.state_since, new.state_since FROM webhooks WHERE state = 'active' AND site_id IN (new.site_id, '') AND new.state NOT IN ('received', 'held', 'rejected'); END;
CREATE TRIGGER requests_reminded AFTER UPDATE OF reminders ON requests WHEN new.reminders > old.reminders BEGIN INSERT INTO outbox (receiver_kind, receiver_id, event_id, kind, site_id, request_id, status, at, due_at) SELECT 'webhook', webhook_id, 'evt_' || substr(new.request_id, 5) || '_r' || new.moves || '_' || new.messages || '_' || new.reminders, 'inquiry.reminder', new.site_id, new.request_id, new.state, new.reminded_at, new.reminded_at FROM webhooks WHERE state = 'active' AND site_id IN (new.site_id, ''); END;
CREATE TRIGGER messages_added AFTER INSERT ON messages BEGIN UPDATE requests SET messages = new.seq, updated_at = new.at, publisher_at = CASE WHEN new.author_role = 'publisher' THEN new.at ELSE publisher_at END, reminders = CASE WHEN new.author_role = 'publisher' THEN 0 ELSE reminders END, moves = moves + (new.to_state <> ''), moved_by = CASE WHEN new.to_state <> '' THEN new.author_role ELSE moved_by END, move_reason = CASE WHEN new.to_state <> '' THEN '' ELSE move_reason END, state_since = CASE WHEN new.to_state <> '' THEN new.at ELSE state_since END, state = CASE WHEN new.to_state <> '' THEN new.to_state ELSE state END WHERE request_id = new.request_id; INSERT INTO outbox (receiver_kind, receiver_id, event_id, kind, site_id, request_id, status, at, due_at) SELECT 'webhook', w.webhook_id, 'evt_' || substr(new.message_id, 5) || '_m', 'inquiry.message', r.site_id, r.request_id, r.state, new.at, new.at FROM requests AS r, webhooks AS w WHERE r.request_id = new.request_id AND new.author_role = 'requester' AND w.state = 'active' AND w.site_id IN (r.site_id, '') AND r.state NOT IN ('received', 'held', 'rejected'); END;

-- Those who asked are told as before: an address is asked to confirm, hears of what the
-- other side does once it was confirmed, and nothing waits for one that wants no letters.
CREATE TRIGGER requests_delivered_letter AFTER UPDATE OF state ON requests WHEN new.state = 'delivered' AND old.state <> new.state AND new.letters = 'unconfirmed' BEGIN INSERT INTO outbox (receiver_kind, receiver_id, event_id, kind, site_id, request_id, status, at, due_at) SELECT 'asker', new.request_id, 'evt_' || substr(new.request_id, 5) || '_l', 'letter.confirm', new.site_id, new.request_id, new.state, new.state_since, new.state_since WHERE NOT EXISTS (SELECT 1 FROM requests AS r WHERE r.group_id <> '' AND r.group_id = new.group_id AND r.request_id < new.request_id); END;
CREATE TRIGGER requests_moved_letter AFTER UPDATE OF state ON requests WHEN new.letters = 'confirmed' AND new.state <> old.state AND new.moved_by <> 'requester' AND new.state NOT IN ('received', 'held', 'delivered', 'rejected') BEGIN INSERT INTO outbox (receiver_kind, receiver_id, event_id, kind, site_id, request_id, status, at, due_at) VALUES ('asker', new.request_id, 'evt_' || substr(new.request_id, 5) || '_s' || new.moves, 'inquiry.state_changed', new.site_id, new.request_id, new.state, new.state_since, new.state_since); END;
CREATE TRIGGER messages_added_letter AFTER INSERT ON messages WHEN new.author_role = 'publisher' AND new.to_state = '' BEGIN INSERT INTO outbox (receiver_kind, receiver_id, event_id, kind, site_id, request_id, status, at, due_at) SELECT 'asker', request_id, 'evt_' || substr(new.message_id, 5) || '_m', 'inquiry.message', site_id, request_id, state, new.at, new.at FROM requests WHERE request_id = new.request_id AND letters = 'confirmed'; END;
CREATE TRIGGER requests_reminded_letter AFTER UPDATE OF reminders ON requests WHEN new.letters = 'confirmed' AND new.reminders > old.reminders AND (new.state = 'info_requested' OR new.reminders > 1) BEGIN INSERT INTO outbox (receiver_kind, receiver_id, event_id, kind, site_id, request_id, status, at, due_at) VALUES ('asker', new.request_id, 'evt_' || substr(new.request_id, 5) || '_r' || new.moves || '_' || new.messages || '_' || new.reminders, 'inquiry.reminder', new.site_id, new.request_id, new.state, new.reminded_at, new.reminded_at); END;
CREATE TRIGGER requests_confirmed_letter AFTER UPDATE OF letters ON requests WHEN new.letters = 'confirmed' AND old.letters = 'unconfirmed' AND new.state NOT IN ('received', 'held', 'delivered', 'rejected', 'withdrawn') BEGIN INSERT INTO outbox (receiver_kind, receiver_id, event_id, kind, site_id, request_id, status, at, due_at) VALUES ('asker', new.request_id, 'evt_' || substr(new.request_id, 5) || '_c', 'inquiry.state_changed', new.site_id, new.request_id, new.state, new.letters_at, new.letters_at); END;
CREATE TRIGGER requests_ended_letter AFTER UPDATE OF letters ON requests WHEN new.letters = 'ended' AND old.letters <> 'ended' BEGIN DELETE FROM outbox WHERE receiver_id = new.request_id AND state = 'waiting'; END;
CREATE TRIGGER requests_erased_letter AFTER UPDATE OF erased_at ON requests WHEN new.erased_at <> '' AND old.erased_at = '' BEGIN DELETE FROM outbox WHERE receiver_id = new.request_id; DELETE FROM receiver_health WHERE receiver_id = new.request_id; END;
