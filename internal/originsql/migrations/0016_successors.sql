-- Pages that moved: the entry that stands for the page at its new address. It
-- is public, and the entry that moved is withdrawn.

ALTER TABLE pages ADD COLUMN successor TEXT NOT NULL DEFAULT '';     -- entry id of the page at its new address, '' it did not move
ALTER TABLE pages ADD COLUMN successor_url TEXT NOT NULL DEFAULT ''; -- canonical address of that entry
