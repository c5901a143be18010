-- How long a copy may be kept, beside the uses: none, while_licensed, or days as P30D.

ALTER TABLE preference_signals ADD COLUMN retention TEXT NOT NULL DEFAULT ''; -- of the use, '' not said
ALTER TABLE offers ADD COLUMN retention TEXT NOT NULL DEFAULT ''; -- under the licence, '' not said
ALTER TABLE grants ADD COLUMN retention TEXT NOT NULL DEFAULT ''; -- under the grant, '' as long as it holds
