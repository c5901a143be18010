-- The shortest term of a licence that an operator has in mind.

ALTER TABLE offers ADD COLUMN minimum_term_months INTEGER NOT NULL DEFAULT 0; -- 0 any
