-- Nothing ever wrote the operator's notes on a request.

ALTER TABLE requests DROP COLUMN private_notes;
