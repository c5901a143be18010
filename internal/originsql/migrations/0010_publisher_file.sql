-- What publishers say by themselves: where an offer comes from, how control of
-- a host was proven, and who asked to join.

ALTER TABLE offers ADD COLUMN source TEXT NOT NULL DEFAULT '';          -- file, observed; '' an operator
ALTER TABLE offers ADD COLUMN evidence_url TEXT NOT NULL DEFAULT '';    -- public address at which it was read
ALTER TABLE offers ADD COLUMN evidence_sha256 TEXT NOT NULL DEFAULT ''; -- digest of what was read there
ALTER TABLE offers ADD COLUMN evidence_at TEXT NOT NULL DEFAULT '';     -- when it was first read like this

CREATE TABLE host_proofs (
  site_id    TEXT NOT NULL REFERENCES sites (site_id), -- whose control it shows
  host       TEXT NOT NULL,               -- lower-case host name
  method     TEXT NOT NULL,               -- well_known, dns_txt, meta
  address    TEXT NOT NULL,               -- what was looked at: an address or the name of a DNS record
  digest     TEXT NOT NULL,               -- hex SHA-256 of what was seen there
  first_at   TEXT NOT NULL,               -- first seen
  seen_at    TEXT NOT NULL,               -- last seen
  looked_at  TEXT NOT NULL,               -- last looked for
  missed_at  TEXT NOT NULL DEFAULT '',    -- first time that it was missing since it was seen, '' it was there
  lapsed_at  TEXT NOT NULL DEFAULT '',    -- when it stopped to count, '' it counts
  PRIMARY KEY (site_id, host)
) STRICT;
CREATE INDEX host_proofs_by_host ON host_proofs (host);

-- Before this, control of a domain was typed by the operator and never proven.
UPDATE sites SET domain_control = 'operator' WHERE domain_control <> 'none';
UPDATE websites SET method = 'operator' WHERE method <> 'none';
