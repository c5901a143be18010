-- Texts that publishers keep for their answers to inquiries, and letters that an
-- operator sends again.

CREATE TABLE answers (
  site_id    TEXT NOT NULL REFERENCES sites (site_id), -- publisher
  name       TEXT NOT NULL,                 -- lower-case letters, digits and hyphens
  act        TEXT NOT NULL,                 -- form of the inbox: text, question, indicative_terms
  label      TEXT NOT NULL,                 -- what its link says
  body       TEXT NOT NULL,                 -- private: the text, '' it was removed
  changed_at TEXT NOT NULL,                 -- last change
  PRIMARY KEY (site_id, name)
) STRICT;

ALTER TABLE letters ADD COLUMN retried_at TEXT NOT NULL DEFAULT ''; -- when an operator last made it wait again
