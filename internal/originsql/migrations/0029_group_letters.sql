-- Of inquiries that were sent together, the first that is delivered has the letter that
-- asks the sender to confirm the address, whichever ids they have and whichever are held.

DROP TRIGGER requests_delivered_letter;
CREATE TRIGGER requests_delivered_letter AFTER UPDATE OF state ON requests WHEN new.state = 'delivered' AND old.state <> new.state AND new.letters = 'unconfirmed' BEGIN INSERT INTO outbox (receiver_kind, receiver_id, event_id, kind, site_id, request_id, status, at, due_at) SELECT 'asker', new.request_id, 'evt_' || substr(new.request_id, 5) || '_l', 'letter.confirm', new.site_id, new.request_id, new.state, new.state_since, new.state_since WHERE NOT EXISTS (SELECT 1 FROM requests AS r JOIN request_history AS h ON h.request_id = r.request_id AND h.to_state = 'delivered' WHERE r.group_id <> '' AND r.group_id = new.group_id AND r.request_id <> new.request_id); END;
