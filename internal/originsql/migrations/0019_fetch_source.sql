-- The source that listed an address last: a page is gone when this source, read
-- to its end, lists it no more.

ALTER TABLE fetches ADD COLUMN source TEXT NOT NULL DEFAULT ''; -- address or file, '' it was read before this column was there
