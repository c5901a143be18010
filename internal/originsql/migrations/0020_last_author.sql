-- Whose turn it is in a discussion.

ALTER TABLE requests ADD COLUMN last_author TEXT NOT NULL DEFAULT ''; -- role that wrote the last message: requester, publisher

UPDATE requests SET last_author = coalesce((SELECT m.author_role FROM messages AS m WHERE m.request_id = requests.request_id ORDER BY m.seq DESC LIMIT 1), '');

CREATE TRIGGER messages_added_author AFTER INSERT ON messages BEGIN UPDATE requests SET last_author = new.author_role WHERE request_id = new.request_id; END;
