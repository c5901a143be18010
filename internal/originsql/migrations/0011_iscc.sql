-- The similarity code of a page's text (ISO 24138), computed once for each text.
-- Pages from before have none until their text is imported again.

ALTER TABLE pages ADD COLUMN iscc TEXT NOT NULL DEFAULT '';
