-- What an operator sees of a page in review: the beginning and the end of its
-- text, and of what was left out. Pages that are not in review have neither.

ALTER TABLE extractions ADD COLUMN kept TEXT NOT NULL DEFAULT '';    -- private: excerpt of the text that would be signed
ALTER TABLE extractions ADD COLUMN dropped TEXT NOT NULL DEFAULT ''; -- private: excerpt of what is not in it
