PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE meta (
  name  TEXT PRIMARY KEY,            -- what: changes
  value INTEGER NOT NULL             -- its value
) STRICT;
INSERT INTO meta VALUES('changes',17);
INSERT INTO meta VALUES('editions',4);
INSERT INTO meta VALUES('sequence',18);
CREATE TABLE publishers (
  publisher_id  TEXT PRIMARY KEY,           -- public identifier, pub_…
  legal_name    TEXT NOT NULL,              -- name of the organization; public as rights holder only through a passport
  contact_name  TEXT NOT NULL DEFAULT '',   -- private: person to write to
  contact_email TEXT NOT NULL DEFAULT '',   -- private: where notifications go
  private_notes TEXT NOT NULL DEFAULT '',   -- private: the operator's own notes
  created_at    TEXT NOT NULL               -- when the account was made
) STRICT;
INSERT INTO publishers VALUES('pub_harbor-ledger','harbor-ledger','','','','2026-11-23T02:48:46Z');
INSERT INTO publishers VALUES('pub_quay-times','quay-times','','','','2026-11-23T02:48:49Z');
CREATE TABLE sites (
  site_id           TEXT PRIMARY KEY,                  -- public identifier of the publisher's site
  publisher_id      TEXT NOT NULL REFERENCES publishers (publisher_id), -- owner
  name              TEXT NOT NULL,                     -- public name
  site_url          TEXT NOT NULL,                     -- public home address, canonical
  summary           TEXT NOT NULL DEFAULT '',          -- public, one sentence
  description       TEXT NOT NULL DEFAULT '',          -- public, a paragraph
  categories        TEXT NOT NULL DEFAULT '[]',        -- category slugs
  languages         TEXT NOT NULL DEFAULT '[]',        -- BCP 47 tags
  countries         TEXT NOT NULL DEFAULT '[]',        -- ISO 3166-1 alpha-2
  audience          TEXT NOT NULL DEFAULT '',          -- intended audience, closed list
  technical_depth   TEXT NOT NULL DEFAULT '',          -- technical depth, closed list
  rag_suitability   TEXT NOT NULL DEFAULT 'unassessed',-- low, medium, high, unassessed
  update_cadence    TEXT NOT NULL DEFAULT '',          -- daily, weekly, monthly, rarely
  human_page        TEXT NOT NULL DEFAULT '',          -- public address of the publisher's own licensing page
  domain_control    TEXT NOT NULL DEFAULT 'none',      -- how control was shown: dns_txt, well_known, meta, none
  control_checked   TEXT NOT NULL DEFAULT '',          -- when it was checked
  accepts_inquiries INTEGER NOT NULL DEFAULT 1,        -- open to licensing inquiries
  state             TEXT NOT NULL DEFAULT 'pending',   -- pending, approved, suspended, closed
  visibility        TEXT NOT NULL DEFAULT 'public',    -- public, private
  approved_at       TEXT NOT NULL DEFAULT '',          -- when the operator approved it
  state_reason      TEXT NOT NULL DEFAULT '',          -- private: why it was suspended or closed
  private_notes     TEXT NOT NULL DEFAULT '',          -- private: the operator's own notes
  created_at        TEXT NOT NULL,                     -- when it was added
  changed_at        TEXT NOT NULL                      -- last change of any public fact
) STRICT;
INSERT INTO sites VALUES('harbor-ledger','pub_harbor-ledger','harbor-ledger','https://harbor-ledger.example/','','','[]','[]','[]','','','unassessed','','','none','',1,'approved','public','2026-11-23T02:48:47Z','','','2026-11-23T02:48:46Z','2026-11-23T02:48:47Z');
INSERT INTO sites VALUES('quay-times','pub_quay-times','quay-times','https://quay-times.example/','','','[]','[]','[]','','','unassessed','','','none','',1,'approved','public','2026-11-23T02:48:49Z','','','2026-11-23T02:48:49Z','2026-11-23T02:48:49Z');
CREATE TABLE websites (
  site_id    TEXT NOT NULL REFERENCES sites (site_id), -- owner
  host       TEXT NOT NULL,                            -- lower-case host name
  associated INTEGER NOT NULL DEFAULT 0,               -- control of the host was shown
  method     TEXT NOT NULL DEFAULT 'none',             -- dns_txt, well_known, meta, none
  checked_at TEXT NOT NULL DEFAULT '',                 -- when it was checked
  changed_at TEXT NOT NULL,                            -- last change
  PRIMARY KEY (site_id, host)
) STRICT;
INSERT INTO websites VALUES('harbor-ledger','harbor-ledger.example',0,'none','','2026-11-23T02:48:46Z');
INSERT INTO websites VALUES('quay-times','quay-times.example',0,'none','','2026-11-23T02:48:49Z');
CREATE TABLE categories (
  slug        TEXT PRIMARY KEY,             -- public identifier
  label       TEXT NOT NULL,                -- public name
  description TEXT NOT NULL DEFAULT '',     -- public, one sentence
  parent      TEXT NOT NULL DEFAULT '',     -- slug of the wider category
  iab_ids     TEXT NOT NULL DEFAULT '[]',   -- ids in the IAB Content Taxonomy 3.1
  changed_at  TEXT NOT NULL                 -- last change
) STRICT;
CREATE TABLE preference_signals (
  site_id    TEXT NOT NULL REFERENCES sites (site_id), -- owner
  use        TEXT NOT NULL,                 -- one of the eight uses
  inquiry    TEXT NOT NULL,                 -- welcome, conditional, not_offered, unstated
  declared   TEXT NOT NULL,                 -- allow, disallow, unknown
  conditions TEXT NOT NULL DEFAULT '[]',    -- closed list
  note       TEXT NOT NULL DEFAULT '',      -- public text of the publisher
  since      TEXT NOT NULL DEFAULT '',      -- when it was first stated
  source     TEXT NOT NULL DEFAULT 'publisher', -- publisher, observed, imported
  changed_at TEXT NOT NULL,                 -- last change
  PRIMARY KEY (site_id, use)
) STRICT;
INSERT INTO preference_signals VALUES('harbor-ledger','rag','welcome','disallow','["attribution"]','','2026-11-23T02:48:46Z','publisher','2026-11-23T02:48:46Z');
INSERT INTO preference_signals VALUES('quay-times','rag','welcome','disallow','["attribution"]','','2026-11-23T02:48:49Z','publisher','2026-11-23T02:48:49Z');
CREATE TABLE passports (
  site_id        TEXT NOT NULL REFERENCES sites (site_id), -- owner
  version        INTEGER NOT NULL,              -- 1, 2, …; the highest is in force
  passport_id    TEXT NOT NULL,                 -- public identifier
  holder_name    TEXT NOT NULL,                 -- public name of the rights holder
  holder_url     TEXT NOT NULL DEFAULT '',      -- public address about the rights holder
  holder_basis   TEXT NOT NULL,                 -- stated_by_publisher, domain_verified, third_party_registry
  territories    TEXT NOT NULL DEFAULT '[]',    -- where rights are held; empty is everywhere
  effective_from TEXT NOT NULL,                 -- when this version came into force
  private_notes  TEXT NOT NULL DEFAULT '',      -- private: how it was checked
  changed_at     TEXT NOT NULL,                 -- when it was entered
  PRIMARY KEY (site_id, version)
) STRICT;
INSERT INTO passports VALUES('harbor-ledger',1,'rp_harbor-ledger_1','harbor-ledger','https://harbor-ledger.example/','stated_by_publisher','[]','2026-11-23T02:48:46Z','','2026-11-23T02:48:46Z');
INSERT INTO passports VALUES('quay-times',1,'rp_quay-times_1','quay-times','https://quay-times.example/','stated_by_publisher','[]','2026-11-23T02:48:49Z','','2026-11-23T02:48:49Z');
CREATE TABLE readiness_signals (
  site_id    TEXT NOT NULL REFERENCES sites (site_id), -- owner
  signal     TEXT NOT NULL,                 -- closed list of twelve
  state      TEXT NOT NULL,                 -- found, not_found, stale, not_applicable, unchecked
  evidence   TEXT NOT NULL DEFAULT '',      -- public address of the evidence
  checked_at TEXT NOT NULL DEFAULT '',      -- when it was checked
  changed_at TEXT NOT NULL,                 -- last change
  PRIMARY KEY (site_id, signal)
) STRICT;
CREATE TABLE pages (
  entry_id       TEXT PRIMARY KEY,              -- public identifier, derived from address and site
  site_id        TEXT NOT NULL REFERENCES sites (site_id), -- owner
  canonical_url  TEXT NOT NULL,                 -- registered address, canonical by service.url-key.v1
  title          TEXT NOT NULL,                 -- public title
  byline         TEXT NOT NULL DEFAULT '[]',    -- authors
  section        TEXT NOT NULL DEFAULT '',      -- first path segment or stated section
  terms          TEXT NOT NULL DEFAULT '[]',    -- content terms
  language       TEXT NOT NULL DEFAULT '',      -- BCP 47 tag
  content_format TEXT NOT NULL DEFAULT 'html',  -- closed list
  word_count     INTEGER NOT NULL DEFAULT 0,    -- words of the main text
  published_at   TEXT NOT NULL DEFAULT '',      -- as stated by the page
  modified_at    TEXT NOT NULL DEFAULT '',      -- as stated by the page
  registered_at  TEXT NOT NULL,                 -- first import
  changed_at     TEXT NOT NULL,                 -- last change of metadata, text or state
  state          TEXT NOT NULL DEFAULT 'active',-- active, withdrawn
  portable       TEXT NOT NULL DEFAULT '',      -- hex SHA-256 of the canonical text, '' when too short
  registry       TEXT NOT NULL DEFAULT '',      -- hex SHA-256 registry binding
  extraction     TEXT NOT NULL DEFAULT ''       -- how the text was obtained
) STRICT;
INSERT INTO pages VALUES('ent_fd4c99e19e5235488e5249d3','harbor-ledger','https://harbor-ledger.example/1','Page 1','[]','','["page"]','','text',19,'','','2026-11-23T02:48:48Z','2026-11-23T02:48:48Z','active','2be6ff2228f0d2e6641caddbc938d61a411e865467e27196ae1f7edd1034719c','7432cf97b81738c1a66a5317a8cb17449f5754a43857ed2ea12d262bc77352ae','publisher-supplied-text');
INSERT INTO pages VALUES('ent_87a5e013bc54d9f5c8c9a051','harbor-ledger','https://harbor-ledger.example/2','Page 2','[]','','["page"]','','text',19,'','','2026-11-23T02:48:48Z','2026-11-23T02:48:48Z','active','0f8b5b0bbfc5790a64e50d9653bebbad9a6284194ed81b5d0bf0bc456f0491c2','3f97d2d1a616f4fff5b210cc79ca910a33f43944e9f7ae59a2a15ff47eb1aff6','publisher-supplied-text');
INSERT INTO pages VALUES('ent_c8ed1029015423809f230269','quay-times','https://quay-times.example/1','Page 1','[]','','["page"]','','text',19,'','','2026-11-23T02:48:50Z','2026-11-23T02:48:50Z','active','61da1bbb7b11df6ab9272615c360acc7700ca843fdfa9c15fd36e393d521fdfb','018fd880284210290891450c45a63a919985a1f3c5077c01f30fd1c73dd7ca01','publisher-supplied-text');
INSERT INTO pages VALUES('ent_03016be13cd02a3e4fbd1a38','quay-times','https://quay-times.example/2','Page 2','[]','','["page"]','','text',19,'','','2026-11-23T02:48:50Z','2026-11-23T02:49:05Z','withdrawn','56ff3f7c6ec5de3c5072674944484b16dc5fa2d012a556e55dd7a9d63c2a1c0a','2570bb03409d140b2676a44f8ee10089ed2dea6ba7bbde71f653eba1b417719b','publisher-supplied-text');
CREATE TABLE bodies (
  entry_id   TEXT PRIMARY KEY,              -- the page, whose row is written after its body
  text       TEXT NOT NULL,                 -- private: main text
  markdown   TEXT NOT NULL DEFAULT '',      -- private: main text as Markdown
  html       TEXT NOT NULL DEFAULT '',      -- private: main text as sanitised HTML
  sha256     TEXT NOT NULL,                 -- private: hex digest of text
  changed_at TEXT NOT NULL                  -- last change
, digest TEXT NOT NULL DEFAULT '') STRICT;
INSERT INTO bodies VALUES('ent_fd4c99e19e5235488e5249d3','Page 1 of harbor-ledger tells of tides and tariffs, long enough to have a fingerprint of its own.','Page 1 of harbor-ledger tells of tides and tariffs, long enough to have a fingerprint of its own.','<p>Page 1 of harbor-ledger tells of tides and tariffs, long enough to have a fingerprint of its own.</p>','2be6ff2228f0d2e6641caddbc938d61a411e865467e27196ae1f7edd1034719c','2026-11-23T02:48:48Z','2be6ff2228f0d2e6641caddbc938d61a411e865467e27196ae1f7edd1034719c');
INSERT INTO bodies VALUES('ent_87a5e013bc54d9f5c8c9a051','Page 2 of harbor-ledger tells of tides and tariffs, long enough to have a fingerprint of its own.','Page 2 of harbor-ledger tells of tides and tariffs, long enough to have a fingerprint of its own.','<p>Page 2 of harbor-ledger tells of tides and tariffs, long enough to have a fingerprint of its own.</p>','0f8b5b0bbfc5790a64e50d9653bebbad9a6284194ed81b5d0bf0bc456f0491c2','2026-11-23T02:48:48Z','0f8b5b0bbfc5790a64e50d9653bebbad9a6284194ed81b5d0bf0bc456f0491c2');
INSERT INTO bodies VALUES('ent_c8ed1029015423809f230269','Page 1 of quay-times tells of tides and tariffs, long enough to have a fingerprint of its own.','Page 1 of quay-times tells of tides and tariffs, long enough to have a fingerprint of its own.','<p>Page 1 of quay-times tells of tides and tariffs, long enough to have a fingerprint of its own.</p>','61da1bbb7b11df6ab9272615c360acc7700ca843fdfa9c15fd36e393d521fdfb','2026-11-23T02:48:50Z','61da1bbb7b11df6ab9272615c360acc7700ca843fdfa9c15fd36e393d521fdfb');
INSERT INTO bodies VALUES('ent_03016be13cd02a3e4fbd1a38','Page 2 of quay-times tells of tides and tariffs, long enough to have a fingerprint of its own.','Page 2 of quay-times tells of tides and tariffs, long enough to have a fingerprint of its own.','<p>Page 2 of quay-times tells of tides and tariffs, long enough to have a fingerprint of its own.</p>','56ff3f7c6ec5de3c5072674944484b16dc5fa2d012a556e55dd7a9d63c2a1c0a','2026-11-23T02:48:50Z','56ff3f7c6ec5de3c5072674944484b16dc5fa2d012a556e55dd7a9d63c2a1c0a');
CREATE TABLE records (
  entry_id   TEXT NOT NULL REFERENCES pages (entry_id), -- the page
  version    INTEGER NOT NULL,              -- 1, 2, …; the highest is current
  sha256     TEXT NOT NULL,                 -- hex digest of record
  facts      TEXT NOT NULL,                 -- hex digest of what the record states, to see whether a new one is due
  created    TEXT NOT NULL,                 -- proof.created
  record     TEXT NOT NULL,                 -- the signed provenance record, canonical JSON
  PRIMARY KEY (entry_id, version)
) STRICT;
INSERT INTO records VALUES('ent_87a5e013bc54d9f5c8c9a051',1,'4454f83c2911517b797574e2b086a2e5e276aceb7d05fc178f051b09e770ce0a','956674587ab12c89656284f24919d04c3259342f1594150080f4558d9639edf5','2026-11-23T02:48:55Z','{"canonical_url":"https://harbor-ledger.example/2","entry_id":"ent_87a5e013bc54d9f5c8c9a051","fingerprints":{"portable":{"algorithm":"sha-256","digest":"0f8b5b0bbfc5790a64e50d9653bebbad9a6284194ed81b5d0bf0bc456f0491c2","profile":"service.canonical-text.v1"},"registry":{"algorithm":"sha-256","digest":"3f97d2d1a616f4fff5b210cc79ca910a33f43944e9f7ae59a2a15ff47eb1aff6"}},"proof":{"created":"2026-11-23T02:48:55Z","cryptosuite":"eddsa-ed25519-service-2026","key_id":"ItnODStxpaSjIHDlzuxS8infyHZM69gvM2dnjf1Ftgg","signature_b64u":"_APkwpaO6Qrut6BWyhX7L97oENyvRcz8Nh97MEsUb5S6jdwH3XPAmiIQKTHWE3QnoIPR8MKRqQ6CdQ7BV5fBAA"},"publisher_id":"pub_harbor-ledger","record_version":1,"rights_passport":{"acquire":"/v1/agent/licensing-intent/prepare","as_of":"2026-11-23T02:48:55Z","grants_rights":false,"license_ids":["lic_eeyb7tuueolkzl2medg5ul3mqr"],"live_url":"https://registry.example/v1/public/rights/check?entry_id=ent_87a5e013bc54d9f5c8c9a051","not_permission":true,"passport_id":"rp_harbor-ledger_1","passport_version":"service.rights-passport.v1","rights_holder":{"basis":"stated_by_publisher","name":"harbor-ledger","url":"https://harbor-ledger.example/"},"rights_vector":"LUUUUULU","state":"inquiry_only","territories":[],"version":1},"schema_version":"service.contentdna-provenance.v1","site_id":"harbor-ledger","source":{"content_format":"text","extraction":"publisher-supplied-text","title":"Page 2","word_count":19}}');
INSERT INTO records VALUES('ent_fd4c99e19e5235488e5249d3',1,'46e60b98e696d1dedba2f135f990418b8294303b236e4fae849c83026ca43948','8f4ece98809b13f22048646663460e5541b2da3dc5bbf61ee560eee29439a848','2026-11-23T02:48:55Z','{"canonical_url":"https://harbor-ledger.example/1","entry_id":"ent_fd4c99e19e5235488e5249d3","fingerprints":{"portable":{"algorithm":"sha-256","digest":"2be6ff2228f0d2e6641caddbc938d61a411e865467e27196ae1f7edd1034719c","profile":"service.canonical-text.v1"},"registry":{"algorithm":"sha-256","digest":"7432cf97b81738c1a66a5317a8cb17449f5754a43857ed2ea12d262bc77352ae"}},"proof":{"created":"2026-11-23T02:48:55Z","cryptosuite":"eddsa-ed25519-service-2026","key_id":"ItnODStxpaSjIHDlzuxS8infyHZM69gvM2dnjf1Ftgg","signature_b64u":"3O2UJoUsc26s0tmfQf1tRq-S7fQ3bDRuMDPK9PeAFQh6ptZh6EKBvZqBotliPixq9q5uN3JdDIcWoMoNr0TiBQ"},"publisher_id":"pub_harbor-ledger","record_version":1,"rights_passport":{"acquire":"/v1/agent/licensing-intent/prepare","as_of":"2026-11-23T02:48:55Z","grants_rights":false,"license_ids":["lic_eeyb7tuueolkzl2medg5ul3mqr"],"live_url":"https://registry.example/v1/public/rights/check?entry_id=ent_fd4c99e19e5235488e5249d3","not_permission":true,"passport_id":"rp_harbor-ledger_1","passport_version":"service.rights-passport.v1","rights_holder":{"basis":"stated_by_publisher","name":"harbor-ledger","url":"https://harbor-ledger.example/"},"rights_vector":"LUUUUULU","state":"inquiry_only","territories":[],"version":1},"schema_version":"service.contentdna-provenance.v1","site_id":"harbor-ledger","source":{"content_format":"text","extraction":"publisher-supplied-text","title":"Page 1","word_count":19}}');
INSERT INTO records VALUES('ent_03016be13cd02a3e4fbd1a38',1,'1dbc5c14d573d19ed5584715ef61d8ba50fbb8d09ddf4e3703298267dee6f636','4bb0c61c43ae0db704cd36a97b2a3eb31f7244264a67842b2c96aa10aefb4d3c','2026-11-23T02:48:50Z','{"canonical_url":"https://quay-times.example/2","entry_id":"ent_03016be13cd02a3e4fbd1a38","fingerprints":{"portable":{"algorithm":"sha-256","digest":"56ff3f7c6ec5de3c5072674944484b16dc5fa2d012a556e55dd7a9d63c2a1c0a","profile":"service.canonical-text.v1"},"registry":{"algorithm":"sha-256","digest":"2570bb03409d140b2676a44f8ee10089ed2dea6ba7bbde71f653eba1b417719b"}},"proof":{"created":"2026-11-23T02:48:50Z","cryptosuite":"eddsa-ed25519-service-2026","key_id":"ItnODStxpaSjIHDlzuxS8infyHZM69gvM2dnjf1Ftgg","signature_b64u":"9NMdw1A8EB6-kLTS9FZPtgYebreqrUuazZm8ulmMpsYB86uJF3o9KXwMVfNObpRZqHOB1Flh9fR1hne4GPP-Dw"},"publisher_id":"pub_quay-times","record_version":1,"rights_passport":{"acquire":"/v1/agent/licensing-intent/prepare","as_of":"2026-11-23T02:48:49Z","grants_rights":false,"license_ids":[],"live_url":"https://registry.example/v1/public/rights/check?entry_id=ent_03016be13cd02a3e4fbd1a38","not_permission":true,"passport_id":"rp_quay-times_1","passport_version":"service.rights-passport.v1","rights_holder":{"basis":"stated_by_publisher","name":"quay-times","url":"https://quay-times.example/"},"rights_vector":"LUUUUUUU","state":"inquiry_only","territories":[],"version":1},"schema_version":"service.contentdna-provenance.v1","site_id":"quay-times","source":{"content_format":"text","extraction":"publisher-supplied-text","title":"Page 2","word_count":19}}');
INSERT INTO records VALUES('ent_c8ed1029015423809f230269',1,'b1cd992291fcf209b2a785b640a25eb8c309f1c35762589d69316fdffd72f581','91435cd69667d09f19316a9646a6eb6eb63f44dddfe641e7424633bcbfaf7c54','2026-11-23T02:48:50Z','{"canonical_url":"https://quay-times.example/1","entry_id":"ent_c8ed1029015423809f230269","fingerprints":{"portable":{"algorithm":"sha-256","digest":"61da1bbb7b11df6ab9272615c360acc7700ca843fdfa9c15fd36e393d521fdfb","profile":"service.canonical-text.v1"},"registry":{"algorithm":"sha-256","digest":"018fd880284210290891450c45a63a919985a1f3c5077c01f30fd1c73dd7ca01"}},"proof":{"created":"2026-11-23T02:48:50Z","cryptosuite":"eddsa-ed25519-service-2026","key_id":"ItnODStxpaSjIHDlzuxS8infyHZM69gvM2dnjf1Ftgg","signature_b64u":"fDV4SjLgN9t83PjV9gwzJHR3vUKSMsgr-Vu9ZH5MV8_q3Why4DkcxNX-anlYyVinkXxu08zQfeF7g9rt9mWsAg"},"publisher_id":"pub_quay-times","record_version":1,"rights_passport":{"acquire":"/v1/agent/licensing-intent/prepare","as_of":"2026-11-23T02:48:49Z","grants_rights":false,"license_ids":[],"live_url":"https://registry.example/v1/public/rights/check?entry_id=ent_c8ed1029015423809f230269","not_permission":true,"passport_id":"rp_quay-times_1","passport_version":"service.rights-passport.v1","rights_holder":{"basis":"stated_by_publisher","name":"quay-times","url":"https://quay-times.example/"},"rights_vector":"LUUUUUUU","state":"inquiry_only","territories":[],"version":1},"schema_version":"service.contentdna-provenance.v1","site_id":"quay-times","source":{"content_format":"text","extraction":"publisher-supplied-text","title":"Page 1","word_count":19}}');
INSERT INTO records VALUES('ent_03016be13cd02a3e4fbd1a38',2,'f0d476edb67d1dd910e89b61e5eec1df9f098fa6ddfb446b11e078c449542e28','f982b78d1fbdb5eab7495171a2a3fcafe5d24c3009fd5e5adeaaf9dd6ef713ca','2026-11-23T02:49:05Z','{"canonical_url":"https://quay-times.example/2","entry_id":"ent_03016be13cd02a3e4fbd1a38","fingerprints":{"portable":{"algorithm":"sha-256","digest":"56ff3f7c6ec5de3c5072674944484b16dc5fa2d012a556e55dd7a9d63c2a1c0a","profile":"service.canonical-text.v1"},"registry":{"algorithm":"sha-256","digest":"2570bb03409d140b2676a44f8ee10089ed2dea6ba7bbde71f653eba1b417719b"}},"proof":{"created":"2026-11-23T02:49:05Z","cryptosuite":"eddsa-ed25519-service-2026","key_id":"ItnODStxpaSjIHDlzuxS8infyHZM69gvM2dnjf1Ftgg","signature_b64u":"Kv9Nw5vcyQpwgzaxadRHFaVMOlprKHNH-vyj6tlHuILCCKEA2vWGoVlAP-p5kXUJxZZMmT8tE4y1eSs6DE9VAw"},"publisher_id":"pub_quay-times","record_version":2,"rights_passport":{"acquire":"/v1/agent/licensing-intent/prepare","as_of":"2026-11-23T02:48:49Z","grants_rights":false,"license_ids":[],"live_url":"https://registry.example/v1/public/rights/check?entry_id=ent_03016be13cd02a3e4fbd1a38","not_permission":true,"passport_id":"rp_quay-times_1","passport_version":"service.rights-passport.v1","rights_holder":{"basis":"stated_by_publisher","name":"quay-times","url":"https://quay-times.example/"},"rights_vector":"WWWWWWWW","state":"inquiry_only","territories":[],"version":1},"schema_version":"service.contentdna-provenance.v1","site_id":"quay-times","source":{"content_format":"text","extraction":"publisher-supplied-text","title":"Page 2","word_count":19},"status":"withdrawn","supersedes":"1dbc5c14d573d19ed5584715ef61d8ba50fbb8d09ddf4e3703298267dee6f636"}');
CREATE TABLE offers (
  license_id      TEXT PRIMARY KEY,             -- public identifier, lic_…
  site_id         TEXT NOT NULL REFERENCES sites (site_id), -- owner
  slug            TEXT NOT NULL,                -- name of the offer inside the site
  kind            TEXT NOT NULL,                -- custom, standard, collective, open
  status          TEXT NOT NULL,                -- offered, paused, retired
  title           TEXT NOT NULL,                -- public title
  scope_type      TEXT NOT NULL,                -- site, section, collection
  paths           TEXT NOT NULL DEFAULT '["/*"]', -- path patterns covered
  excludes        TEXT NOT NULL DEFAULT '[]',   -- path patterns left out
  content_formats TEXT NOT NULL DEFAULT '[]',   -- formats covered; empty is all
  published_after TEXT NOT NULL DEFAULT '',     -- only pages published later
  permits         TEXT NOT NULL DEFAULT '[]',   -- uses offered
  prohibits       TEXT NOT NULL DEFAULT '[]',   -- uses excluded
  user_types      TEXT NOT NULL DEFAULT '[]',   -- who may ask; empty is anyone
  territories     TEXT NOT NULL DEFAULT '[]',   -- where; empty is everywhere
  not_in          TEXT NOT NULL DEFAULT '[]',   -- territories excluded
  payment_model   TEXT NOT NULL,                -- closed list
  amount          TEXT NOT NULL DEFAULT '',     -- decimal text, indicative
  currency        TEXT NOT NULL DEFAULT '',     -- ISO 4217
  unit            TEXT NOT NULL DEFAULT '',     -- what the amount is for
  attribution     TEXT NOT NULL DEFAULT '',     -- link, name
  display_limit   INTEGER NOT NULL DEFAULT 0,   -- characters that may be shown
  delete_hours    INTEGER NOT NULL DEFAULT 0,   -- to delete after revocation
  reporting       TEXT NOT NULL DEFAULT '',     -- reporting profile URI
  terms_url       TEXT NOT NULL DEFAULT '',     -- address of the terms
  terms_version   TEXT NOT NULL DEFAULT '',     -- their version
  terms_sha256    TEXT NOT NULL DEFAULT '',     -- their digest
  terms_media     TEXT NOT NULL DEFAULT '',     -- their media type
  valid_from      TEXT NOT NULL,                -- begin
  valid_until     TEXT NOT NULL DEFAULT '',     -- end, '' open
  supersedes      TEXT NOT NULL DEFAULT '',     -- license_id of the offer before
  private_notes   TEXT NOT NULL DEFAULT '',     -- private: floor price and the like
  changed_at      TEXT NOT NULL                 -- last change
, source TEXT NOT NULL DEFAULT '', evidence_url TEXT NOT NULL DEFAULT '', evidence_sha256 TEXT NOT NULL DEFAULT '', evidence_at TEXT NOT NULL DEFAULT '') STRICT;
INSERT INTO offers VALUES('lic_eeyb7tuueolkzl2medg5ul3mqr','harbor-ledger','wire','custom','offered','Wire','site','[]','[]','[]','','["syndication"]','[]','[]','[]','[]','subscription','','','','',0,0,'','','','','','2026-11-23T02:48:55Z','','','','2026-11-23T02:48:55Z','','','','');
CREATE TABLE demand (
  demand_id       TEXT PRIMARY KEY,             -- public identifier, dem_…
  headline        TEXT NOT NULL,                -- public, one sentence
  uses            TEXT NOT NULL DEFAULT '[]',   -- uses wanted
  categories      TEXT NOT NULL DEFAULT '[]',   -- category slugs
  content_formats TEXT NOT NULL DEFAULT '[]',   -- formats wanted
  languages       TEXT NOT NULL DEFAULT '[]',   -- BCP 47 tags
  territories     TEXT NOT NULL DEFAULT '[]',   -- where it would be used
  user_type       TEXT NOT NULL DEFAULT '',     -- closed list
  volume          TEXT NOT NULL DEFAULT '',     -- public words
  budget_band     TEXT NOT NULL DEFAULT '',     -- public words
  timeline        TEXT NOT NULL DEFAULT '',     -- public words
  buyer_display   TEXT NOT NULL DEFAULT '',     -- name the buyer chose to show, '' none
  opted_in        INTEGER NOT NULL DEFAULT 0,   -- only opted-in needs are published
  opted_in_at     TEXT NOT NULL DEFAULT '',     -- when
  expires_at      TEXT NOT NULL DEFAULT '',     -- end
  buyer_name      TEXT NOT NULL DEFAULT '',     -- private
  buyer_email     TEXT NOT NULL DEFAULT '',     -- private
  saved_search    TEXT NOT NULL DEFAULT '',     -- private
  pipeline_stage  TEXT NOT NULL DEFAULT '',     -- private
  private_notes   TEXT NOT NULL DEFAULT '',     -- private
  changed_at      TEXT NOT NULL                 -- last change
) STRICT;
INSERT INTO demand VALUES('dem_ngddbjobdn47jjszfvcui2jnbq','Tides','["rag"]','[]','[]','[]','[]','','','','','',0,'','2027-02-21T02:48:56Z','','','','','','2026-11-23T02:48:56Z');
CREATE TABLE observations (
  site_id      TEXT NOT NULL REFERENCES sites (site_id), -- owner
  channel      TEXT NOT NULL,               -- where the site states something, closed list
  url          TEXT NOT NULL,               -- address it was read at
  status       INTEGER NOT NULL,            -- HTTP status, 0 unreachable
  content_type TEXT NOT NULL DEFAULT '',    -- as sent
  raw          TEXT NOT NULL DEFAULT '',    -- what was read, at most 512 KiB
  sha256       TEXT NOT NULL DEFAULT '',    -- hex digest of raw
  fetched_at   TEXT NOT NULL,               -- when
  valid_until  TEXT NOT NULL DEFAULT '',    -- from HTTP freshness or the document
  PRIMARY KEY (site_id, channel, url)
) STRICT;
CREATE TABLE fetches (
  url           TEXT PRIMARY KEY,           -- address fetched
  site_id       TEXT NOT NULL,              -- for which site
  entry_id      TEXT NOT NULL DEFAULT '',   -- page it became, '' none
  etag          TEXT NOT NULL DEFAULT '',   -- validator of the last answer
  last_modified TEXT NOT NULL DEFAULT '',   -- validator of the last answer
  outcome       TEXT NOT NULL,              -- new, changed, unchanged, skipped, failed
  reason        TEXT NOT NULL DEFAULT '',   -- private: why it was skipped or failed
  run           TEXT NOT NULL DEFAULT '',   -- import run that fetched it last
  fetched_at    TEXT NOT NULL               -- when
) STRICT;
INSERT INTO fetches VALUES('import harbor-ledger /tmp/tmp.H6xmLpjIkY/pages.ndjson','harbor-ledger','','','','finished','','run_a973da32e6b7dff9828f838f47adbc58','2026-11-23T02:48:47Z');
INSERT INTO fetches VALUES('import quay-times /tmp/tmp.H6xmLpjIkY/pages.ndjson','quay-times','','','','finished','','run_349acf2087a5a985163491be5f16acfc','2026-11-23T02:48:50Z');
CREATE TABLE partners (
  org_id        TEXT PRIMARY KEY,             -- identifier of the organization, org_…
  name          TEXT NOT NULL,                -- its name, shown to itself
  state         TEXT NOT NULL,                -- active, suspended
  scopes        TEXT NOT NULL DEFAULT '[]',   -- scopes granted to the organization
  contact_email TEXT NOT NULL DEFAULT '',     -- private: whom to write to
  private_notes TEXT NOT NULL DEFAULT '',     -- private: the operator's own notes
  created_at    TEXT NOT NULL,                -- when it was approved
  changed_at    TEXT NOT NULL                 -- last change
) STRICT;
INSERT INTO partners VALUES('org_01m834wsw4tpbev3217q5sh9yn','Example Answers','active','["partner:status","catalog:read","licensing:intake"]','','','2026-11-23T02:48:51Z','2026-11-23T02:48:51Z');
CREATE TABLE partner_keys (
  key_id      TEXT PRIMARY KEY,               -- identifier of the key, key_…
  org_id      TEXT NOT NULL REFERENCES partners (org_id), -- whose it is
  lookup      TEXT NOT NULL,                  -- first 16 hex digits of hash, to find it by
  hash        TEXT NOT NULL,                  -- hex SHA-256 of the secret, compared in constant time
  label       TEXT NOT NULL DEFAULT '',       -- name the operator gave it
  last4       TEXT NOT NULL,                  -- last characters of the secret, to recognize it
  environment TEXT NOT NULL,                  -- live, test
  scopes      TEXT NOT NULL DEFAULT '[]',     -- a part of the organization's scopes; empty is all
  state       TEXT NOT NULL,                  -- active, suspended, revoked
  created_at  TEXT NOT NULL,                  -- when it was issued
  expires_at  TEXT NOT NULL DEFAULT '',       -- end, '' none
  changed_at  TEXT NOT NULL                   -- last change
) STRICT;
INSERT INTO partner_keys VALUES('key_01m834wtmm9w6tsv3rgpw3svb6','org_01m834wsw4tpbev3217q5sh9yn','0d7a281d01f3409c','0d7a281d01f3409cbff178abfdc695b02ad2238611a181faf6541f4f40c7381f','','GpsE','live','[]','active','2026-11-23T02:48:52Z','','2026-11-23T02:48:52Z');
CREATE TABLE requests (
  request_id      TEXT PRIMARY KEY,           -- identifier, req_…, later ones sort later
  thread_id       TEXT NOT NULL UNIQUE,       -- identifier of its conversation, thr_…
  site_id         TEXT NOT NULL REFERENCES sites (site_id), -- publisher asked
  channel         TEXT NOT NULL,              -- public, partner
  org_id          TEXT NOT NULL DEFAULT '',   -- partner organization, '' for a public request
  key_scope       TEXT,                       -- whose idempotency key, NULL when there is none
  idempotency_key TEXT,                       -- the key, NULL when there is none or it is forgotten
  fingerprint     TEXT NOT NULL DEFAULT '',   -- hex SHA-256 of what was sent with the key
  dedupe          TEXT NOT NULL DEFAULT '',   -- hex SHA-256 that a repeated public request shares
  state           TEXT NOT NULL,              -- state, including the internal held and rejected
  state_since     TEXT NOT NULL,              -- when it came into that state
  moves           INTEGER NOT NULL,           -- number of the last move
  moved_by        TEXT NOT NULL,              -- role that made it
  move_reason     TEXT NOT NULL DEFAULT '',   -- public word, such as a decline reason
  buyer_name      TEXT NOT NULL,              -- private
  buyer_email     TEXT NOT NULL,              -- private
  buyer_company   TEXT NOT NULL DEFAULT '',   -- private
  intended_use    TEXT NOT NULL,              -- private to the two sides
  requested_scope TEXT NOT NULL,              -- private to the two sides
  requested_use   TEXT NOT NULL DEFAULT '',   -- one of the eight uses
  budget_range    TEXT NOT NULL DEFAULT '',   -- private to the two sides
  timeline        TEXT NOT NULL DEFAULT '',   -- private to the two sides
  message         TEXT NOT NULL,              -- private to the two sides; copied to the first message
  message_id      TEXT NOT NULL,              -- identifier of the first message
  currency        TEXT NOT NULL DEFAULT '',   -- ISO 4217
  budget_cents    INTEGER NOT NULL DEFAULT -1,-- proposed budget in minor units, -1 none
  term_months     INTEGER NOT NULL DEFAULT -1,-- proposed term, -1 none
  agent           TEXT NOT NULL DEFAULT '',   -- JSON: the agent that submitted it
  ext             TEXT NOT NULL DEFAULT '',   -- JSON: kept as sent, never interpreted
  intent_digest   TEXT NOT NULL DEFAULT '',   -- digest that prepare gave
  locale          TEXT NOT NULL DEFAULT '',   -- language the requester reads
  token_hash      TEXT NOT NULL,              -- hex SHA-256 of the conversation token
  token_expires   TEXT NOT NULL,              -- end of the token, moved on by use
  messages        INTEGER NOT NULL DEFAULT 0, -- number of the last message
  publisher_at    TEXT NOT NULL,              -- last action of the publisher, at first the creation
  reminders       INTEGER NOT NULL DEFAULT 0, -- reminders sent since then
  reminded_at     TEXT NOT NULL DEFAULT '',   -- when the last one was sent
  held_for        TEXT NOT NULL DEFAULT '',   -- private: why it is, or was, held
  private_notes   TEXT NOT NULL DEFAULT '',   -- private: the operator's own notes
  successor       TEXT NOT NULL DEFAULT '',   -- request that continues a transferred one
  created_at      TEXT NOT NULL,              -- when it was made
  updated_at      TEXT NOT NULL,              -- last move or message
  erased_at       TEXT NOT NULL DEFAULT '',   -- when personal data was removed
  UNIQUE (key_scope, idempotency_key)
) STRICT;
CREATE TABLE request_history (
  request_id TEXT NOT NULL REFERENCES requests (request_id), -- the request
  seq        INTEGER NOT NULL,                -- 1, 2, …
  at         TEXT NOT NULL,                   -- when
  from_state TEXT NOT NULL,                   -- state before, '' for the first
  to_state   TEXT NOT NULL,                   -- state after
  moved_by   TEXT NOT NULL,                   -- requester, publisher, operator, system
  reason     TEXT NOT NULL DEFAULT '',        -- public word
  PRIMARY KEY (request_id, seq)
) STRICT;
CREATE TABLE messages (
  message_id  TEXT PRIMARY KEY,               -- identifier, msg_…
  thread_id   TEXT NOT NULL,                  -- conversation it belongs to
  request_id  TEXT NOT NULL REFERENCES requests (request_id), -- its request
  seq         INTEGER NOT NULL,               -- 1, 2, … within the conversation
  at          TEXT NOT NULL,                  -- when it was posted
  author_role TEXT NOT NULL,                  -- requester, publisher
  author_kind TEXT NOT NULL,                  -- human, agent
  kind        TEXT NOT NULL,                  -- text, question, answer, indicative_terms, withdraw
  body        TEXT NOT NULL,                  -- private to the two sides
  terms       TEXT NOT NULL DEFAULT '',       -- JSON: indicative terms
  in_reply_to TEXT NOT NULL DEFAULT '',       -- message it answers
  client_id   TEXT NOT NULL DEFAULT '',       -- the author's own id, so that a retry adds nothing
  from_state  TEXT NOT NULL,                  -- state in which it was posted
  to_state    TEXT NOT NULL DEFAULT '',       -- state into which it moves the request, '' none
  UNIQUE (thread_id, seq)
) STRICT;
CREATE TABLE inbox_links (
  link_id    TEXT PRIMARY KEY,                -- identifier, inb_…
  site_id    TEXT NOT NULL REFERENCES sites (site_id), -- whose inbox it opens
  lookup     TEXT NOT NULL,                   -- first 16 hex digits of hash, to find it by
  hash       TEXT NOT NULL,                   -- hex SHA-256 of the secret in the link
  label      TEXT NOT NULL DEFAULT '',        -- private: for whom it was made
  state      TEXT NOT NULL,                   -- active, revoked
  created_at TEXT NOT NULL,                   -- when it was made
  expires_at TEXT NOT NULL,                   -- end
  changed_at TEXT NOT NULL                    -- last change
) STRICT;
CREATE TABLE counters (
  name      TEXT PRIMARY KEY,                 -- what is counted, for whom (a digest), in which window
  n         INTEGER NOT NULL,                 -- how many
  resets_at TEXT NOT NULL                     -- end of the window, after which the row is swept
) STRICT;
CREATE TABLE proofs (
  nonce      TEXT PRIMARY KEY,                -- challenge that was answered, usable once
  expires_at TEXT NOT NULL                    -- end of the challenge, after which the row is swept
) STRICT;
CREATE TABLE webhooks (
  webhook_id TEXT PRIMARY KEY,                -- identifier, whk_…
  site_id    TEXT NOT NULL DEFAULT '',        -- whose events it gets, '' all of them
  url        TEXT NOT NULL,                   -- private: where to post
  secret     TEXT NOT NULL,                   -- private: key of the HMAC signature
  state      TEXT NOT NULL,                   -- active, paused
  created_at TEXT NOT NULL,                   -- when it was made
  changed_at TEXT NOT NULL                    -- last change
, allow_private INTEGER NOT NULL DEFAULT 0) STRICT;
INSERT INTO webhooks VALUES('whk_01m834wx7nkpfpq09nz0n29pry','harbor-ledger','https://hooks.example/','whsec_iisbLqhIcC1pzBE-pO0p81II4yL_wyqYCC5Pb4KgyuA','active','2026-11-23T02:48:54Z','2026-11-23T02:48:54Z',0);
CREATE TABLE outbox (
  seq          INTEGER PRIMARY KEY,           -- order of the events
  webhook_id   TEXT NOT NULL REFERENCES webhooks (webhook_id), -- receiver
  event_id     TEXT NOT NULL,                 -- the same in every attempt, so that the receiver sees repeats
  kind         TEXT NOT NULL,                 -- inquiry.state_changed, inquiry.message, inquiry.reminder
  site_id      TEXT NOT NULL,                 -- publisher
  request_id   TEXT NOT NULL,                 -- request
  status       TEXT NOT NULL,                 -- state of the request after the event
  at           TEXT NOT NULL,                 -- when it happened
  state        TEXT NOT NULL DEFAULT 'waiting', -- waiting, delivered, failed
  attempts     INTEGER NOT NULL DEFAULT 0,    -- how often it was tried
  due_at       TEXT NOT NULL,                 -- when to try next
  leased_until TEXT NOT NULL DEFAULT '',      -- somebody is trying until then
  last_error   TEXT NOT NULL DEFAULT '',      -- private: why the last attempt failed
  delivered_at TEXT NOT NULL DEFAULT '', retried_at TEXT NOT NULL DEFAULT '',      -- when the receiver took it
  UNIQUE (webhook_id, event_id)
) STRICT;
CREATE TABLE editions (
  entry_id   TEXT PRIMARY KEY,              -- the page
  version    INTEGER NOT NULL,              -- 1, 2, …: how often its body was written
  digest     TEXT NOT NULL,                 -- hex SHA-256 of the delivered form, as in bodies
  bytes      INTEGER NOT NULL,              -- length of the delivered form
  changed_at TEXT NOT NULL                  -- when this version was written
) STRICT;
INSERT INTO editions VALUES('ent_fd4c99e19e5235488e5249d3',1,'2be6ff2228f0d2e6641caddbc938d61a411e865467e27196ae1f7edd1034719c',97,'2026-11-23T02:48:48Z');
INSERT INTO editions VALUES('ent_87a5e013bc54d9f5c8c9a051',1,'0f8b5b0bbfc5790a64e50d9653bebbad9a6284194ed81b5d0bf0bc456f0491c2',97,'2026-11-23T02:48:48Z');
INSERT INTO editions VALUES('ent_c8ed1029015423809f230269',1,'61da1bbb7b11df6ab9272615c360acc7700ca843fdfa9c15fd36e393d521fdfb',94,'2026-11-23T02:48:50Z');
INSERT INTO editions VALUES('ent_03016be13cd02a3e4fbd1a38',1,'56ff3f7c6ec5de3c5072674944484b16dc5fa2d012a556e55dd7a9d63c2a1c0a',94,'2026-11-23T02:48:50Z');
CREATE TABLE buyers (
  buyer_id      TEXT PRIMARY KEY,             -- identifier, byr_…
  name          TEXT NOT NULL,                -- its name, shown to itself
  state         TEXT NOT NULL,                -- active, suspended
  contact_email TEXT NOT NULL DEFAULT '',     -- private: whom to write to
  private_notes TEXT NOT NULL DEFAULT '',     -- private: the operator's own notes
  rights        INTEGER NOT NULL DEFAULT 0,   -- changes of anything that bears on its rights
  created_at    TEXT NOT NULL,                -- when it was added
  changed_at    TEXT NOT NULL                 -- last change
) STRICT;
INSERT INTO buyers VALUES('byr_01m834wvg1dn6wj55zrdzry8vs','Example Buyer','active','','',2,'2026-11-23T02:48:52Z','2026-11-23T02:48:52Z');
CREATE TABLE buyer_credentials (
  credential_id TEXT PRIMARY KEY,             -- identifier of the credential, crd_…
  buyer_id      TEXT NOT NULL REFERENCES buyers (buyer_id), -- whom it names
  lookup        TEXT NOT NULL,                -- first 16 hex digits of hash, to find it by
  hash          TEXT NOT NULL,                -- hex SHA-256 of the secret
  label         TEXT NOT NULL DEFAULT '',     -- what it is used for
  last4         TEXT NOT NULL,                -- last four characters of the secret, to recognize it
  environment   TEXT NOT NULL,                -- live, test
  state         TEXT NOT NULL,                -- active, suspended, revoked
  created_at    TEXT NOT NULL,                -- when it was issued
  expires_at    TEXT NOT NULL DEFAULT '',     -- end, '' never
  changed_at    TEXT NOT NULL                 -- last change
) STRICT;
INSERT INTO buyer_credentials VALUES('crd_01m834ww717ee18yjsa8s88v1z','byr_01m834wvg1dn6wj55zrdzry8vs','9ce20afbf258b29d','9ce20afbf258b29dc28003179e69efe664e40f2d5835680c5074a5aa9a78656f','','4Y0Q','live','active','2026-11-23T02:48:53Z','','2026-11-23T02:48:53Z');
CREATE TABLE grants (
  grant_id         TEXT PRIMARY KEY,             -- identifier, grt_…
  buyer_id         TEXT NOT NULL REFERENCES buyers (buyer_id), -- who holds it
  kind             TEXT NOT NULL,                -- direct, enterprise
  title            TEXT NOT NULL DEFAULT '',     -- name of the licence, shown to the buyer
  license_id       TEXT NOT NULL DEFAULT '',     -- offer it came from, '' none
  uses             TEXT NOT NULL,                -- uses granted
  paths            TEXT NOT NULL DEFAULT '[]',   -- path patterns covered; empty is all
  excludes         TEXT NOT NULL DEFAULT '[]',   -- path patterns left out
  content_formats  TEXT NOT NULL DEFAULT '[]',   -- formats covered; empty is all
  published_after  TEXT NOT NULL DEFAULT '',     -- only pages published at or after this, '' all
  published_before TEXT NOT NULL DEFAULT '',     -- only pages published before this, '' all
  valid_from       TEXT NOT NULL,                -- begin
  valid_until      TEXT NOT NULL DEFAULT '',     -- end, '' open
  state            TEXT NOT NULL,                -- active, suspended, revoked
  state_at         TEXT NOT NULL,                -- since when
  state_reason     TEXT NOT NULL DEFAULT '',     -- private: why
  attribution      TEXT NOT NULL DEFAULT '',     -- link, name
  display_limit    INTEGER NOT NULL DEFAULT 0,   -- characters that may be shown, 0 no limit
  delete_hours     INTEGER NOT NULL DEFAULT 72,  -- to delete after the right has ended
  reporting        TEXT NOT NULL DEFAULT '',     -- address that use is reported to
  agreement        TEXT NOT NULL DEFAULT '',     -- private: reference to the contract
  private_notes    TEXT NOT NULL DEFAULT '',     -- private: the operator's own notes
  version          INTEGER NOT NULL DEFAULT 1,   -- counts every change, also of the sites
  created_at       TEXT NOT NULL,                -- when it was entered
  changed_at       TEXT NOT NULL                 -- last change
) STRICT;
INSERT INTO grants VALUES('grt_01m834wws5g7qjh0fv8zmb72tx','byr_01m834wvg1dn6wj55zrdzry8vs','direct','','','["rag"]','[]','[]','[]','','','2026-11-23T02:48:54Z','','active','2026-11-23T02:48:54Z','','',0,72,'','','',2,'2026-11-23T02:48:54Z','2026-11-23T02:48:54Z');
CREATE TABLE grant_sites (
  grant_id   TEXT NOT NULL REFERENCES grants (grant_id), -- the grant
  site_id    TEXT NOT NULL REFERENCES sites (site_id),   -- site covered; of an enterprise licence, a participating publisher
  state      TEXT NOT NULL,                 -- active, left
  changed_at TEXT NOT NULL,                 -- last change
  PRIMARY KEY (grant_id, site_id)
) STRICT;
INSERT INTO grant_sites VALUES('grt_01m834wws5g7qjh0fv8zmb72tx','harbor-ledger','active','2026-11-23T02:48:54Z');
CREATE TABLE holdings (
  buyer_id     TEXT NOT NULL REFERENCES buyers (buyer_id), -- who was told
  entry_id     TEXT NOT NULL,                -- the page
  site_id      TEXT NOT NULL,                -- its site
  state        TEXT NOT NULL,                -- held, gone
  version      INTEGER NOT NULL,             -- edition told, 0 when gone
  digest       TEXT NOT NULL,                -- digest of that edition, '' when gone
  facts        TEXT NOT NULL,                -- short hash of the metadata told, '' when gone
  uses         INTEGER NOT NULL,             -- uses told, one bit each in their fixed order
  lost         INTEGER NOT NULL,             -- uses taken away since the item was last told in full
  grants       TEXT NOT NULL,                -- ids of the grants behind it
  change       TEXT NOT NULL,                -- added, updated, regranted: why it was last told in full
  reason       TEXT NOT NULL,                -- why it is gone, '' while held
  effective_at TEXT NOT NULL,                -- when the right ended, '' while held
  delete_hours INTEGER NOT NULL,             -- hours to delete after that
  told         INTEGER NOT NULL,             -- sequence at which it was last told in full
  sequence     INTEGER NOT NULL,             -- sequence of the newest event
  at           TEXT NOT NULL,                -- when that was written
  PRIMARY KEY (buyer_id, entry_id)
) STRICT;
CREATE TABLE feeds (
  buyer_id      TEXT PRIMARY KEY REFERENCES buyers (buyer_id), -- whose
  sequence      INTEGER NOT NULL DEFAULT 0,  -- last sequence given
  floor         INTEGER NOT NULL DEFAULT 0,  -- cursors below it are too old: tombstones were dropped
  stamp         INTEGER NOT NULL DEFAULT -1, -- state of all counters at the last whole comparison
  boundary      TEXT NOT NULL DEFAULT '',    -- instant at which a grant begins or ends next, '' none
  scan          INTEGER NOT NULL DEFAULT 0,  -- number of the comparison
  scan_open     INTEGER NOT NULL DEFAULT 0,  -- it is under way
  scan_stamp    INTEGER NOT NULL DEFAULT 0,  -- state of the counters when it began
  scan_boundary TEXT NOT NULL DEFAULT '',    -- boundary when it began
  scan_base     INTEGER NOT NULL DEFAULT 0,  -- sequence when it began
  scan_wrote    INTEGER NOT NULL DEFAULT 0,  -- events it has written
  scan_place    TEXT NOT NULL DEFAULT ''     -- where it goes on: site, "/", entry
) STRICT;
CREATE TABLE snapshots (
  snapshot_id     TEXT PRIMARY KEY,             -- identifier, snp_…
  buyer_id        TEXT NOT NULL REFERENCES buyers (buyer_id), -- who made it
  idempotency_key TEXT,                         -- the Idempotency-Key, NULL none
  fingerprint     TEXT NOT NULL DEFAULT '',     -- digest of what was sent with the key
  label           TEXT NOT NULL DEFAULT '',     -- the buyer's own name for it
  sources         TEXT NOT NULL DEFAULT '[]',   -- scope: grants and sites; empty is all
  topic           TEXT NOT NULL DEFAULT '',     -- scope: words of title, terms or section; '' all
  uses            INTEGER NOT NULL,             -- scope: uses, one bit each
  sequence        INTEGER NOT NULL,             -- sequence of the buyer when it was made
  items           INTEGER NOT NULL,             -- how many items it lists
  root            TEXT NOT NULL,                -- base64 of the RFC 6962 root over its items
  created_at      TEXT NOT NULL,                -- when it was made
  expires_at      TEXT NOT NULL,                -- end
  UNIQUE (buyer_id, idempotency_key)
) STRICT;
CREATE TABLE snapshot_items (
  snapshot_id TEXT NOT NULL,                -- the snapshot, whose row is written after its items
  entry_id    TEXT NOT NULL,                -- the page
  version     INTEGER NOT NULL,             -- its edition then
  digest      TEXT NOT NULL,                -- digest of that edition
  sequence    INTEGER NOT NULL,             -- sequence at which the buyer was told of it
  PRIMARY KEY (snapshot_id, entry_id)
) STRICT;
CREATE TABLE evidence (
  site_id     TEXT NOT NULL REFERENCES sites (site_id), -- owner
  channel     TEXT NOT NULL,               -- kind of document, closed list
  url         TEXT NOT NULL,               -- address it was read at
  since       TEXT NOT NULL,               -- first seen with this content
  state       TEXT NOT NULL,               -- valid, invalid, absent, unreachable
  document    TEXT NOT NULL DEFAULT '',    -- what it says, canonical JSON, '' nothing
  statements  INTEGER NOT NULL DEFAULT 0,  -- how many statements that are
  warnings    TEXT NOT NULL DEFAULT '[]',  -- codes of tolerated deviations
  digest      TEXT NOT NULL DEFAULT '',    -- hex digest of what was read
  checked_at  TEXT NOT NULL DEFAULT '',    -- last seen with this content
  valid_until TEXT NOT NULL DEFAULT '',    -- end of its freshness, '' unknown
  looked_at   TEXT NOT NULL,               -- last looked for
  replaced_at TEXT NOT NULL DEFAULT '',    -- when another content took its place
  PRIMARY KEY (site_id, channel, url, since)
) STRICT;
CREATE TABLE policy_history (
  site_id         TEXT NOT NULL REFERENCES sites (site_id), -- owner
  version         INTEGER NOT NULL,          -- 1, 2, …
  effective_from  TEXT NOT NULL,             -- begin
  effective_until TEXT NOT NULL DEFAULT '',  -- end, '' while in force
  digest          TEXT NOT NULL,             -- over all that is stated, sha-256:hex
  vector          TEXT NOT NULL,             -- rights vector of the whole site
  vectors         TEXT NOT NULL,             -- rights vectors by path, canonical JSON
  facts           TEXT NOT NULL,             -- offers and preferences, canonical JSON of public records
  recorded_at     TEXT NOT NULL,             -- last change of the origin when this was noted
  PRIMARY KEY (site_id, version)
) STRICT;
INSERT INTO policy_history VALUES('harbor-ledger',1,'2026-11-23T02:48:47Z','2026-11-23T02:48:55Z','sha-256:9f6ab71ff885eef719c57956ad3251e31a5ee88834eaf00e15d5b4cecfeefe5c','LUUUUUUU','[{"path":"/*","rights_vector":"LUUUUUUU"}]','{"offers":[],"preferences":[{"conditions":["attribution"],"declared":"disallow","inquiry":"welcome","note":null,"since":"2026-11-23T02:48:46Z","source":"publisher","use":"rag"}]}','2026-11-23T02:48:47Z');
INSERT INTO policy_history VALUES('quay-times',1,'2026-11-23T02:48:49Z','','sha-256:6b9ef37334a0b5291f68edc06e4ec2aba82bd046a35a320a1ba1b9f97f27d47a','LUUUUUUU','[{"path":"/*","rights_vector":"LUUUUUUU"}]','{"offers":[],"preferences":[{"conditions":["attribution"],"declared":"disallow","inquiry":"welcome","note":null,"since":"2026-11-23T02:48:49Z","source":"publisher","use":"rag"}]}','2026-11-23T02:48:49Z');
INSERT INTO policy_history VALUES('harbor-ledger',2,'2026-11-23T02:48:55Z','','sha-256:69847aaa06ed63c645c8b233d870dcc22f1905d028c3ad96e1308d9b7127e591','LUUUUULU','[{"path":"/*","rights_vector":"LUUUUULU"}]','{"offers":[{"acquire":{"human":null,"olp_server":null,"prepare_intent":{"href":"/v1/agent/licensing-intent/prepare","method":"POST"},"request":{"href":"/v1/public/licensing-request","method":"POST"}},"grants_rights":false,"kind":"custom","license_id":"lic_eeyb7tuueolkzl2medg5ul3mqr","obligations":{"attribution":null},"payment":{"amount":null,"currency":null,"indicative":true,"model":"subscription","settlement":null,"unit":null},"record_digest":"sha-256:e615ff0bfe07f15dfa73bff0c92f9f5c845959257fbe81c3ad9fca3d982874c4","scope":{"content_formats":[],"entries":0,"excludes":[],"paths":[],"published_after":null,"type":"site"},"site_id":"harbor-ledger","status":"offered","supersedes":null,"terms":null,"territories":{"permits":[],"prohibits":[]},"title":"Wire","user_types":[],"uses":{"permits":["syndication"],"prohibits":[]},"valid_from":"2026-11-23T02:48:55Z","valid_until":null}],"preferences":[{"conditions":["attribution"],"declared":"disallow","inquiry":"welcome","note":null,"since":"2026-11-23T02:48:46Z","source":"publisher","use":"rag"}]}','2026-11-23T02:48:55Z');
CREATE TABLE ledger_events (
  position INTEGER PRIMARY KEY,          -- index of the leaf, 0, 1, … without a gap
  kind     TEXT NOT NULL,                -- record, key, policy, index
  event    TEXT NOT NULL,                -- registered, updated, withdrawn, policy_changed, key_added, key_revoked, index_published
  entry_id TEXT NOT NULL DEFAULT '',     -- page that a record leaf is about
  version  INTEGER NOT NULL DEFAULT 0,   -- version of that record, or of a policy
  site_id  TEXT NOT NULL DEFAULT '',     -- site of a record or a policy
  key_id   TEXT NOT NULL DEFAULT '',     -- key that a key leaf is about
  digest   TEXT NOT NULL DEFAULT '',     -- hex SHA-256 of the record, the policy or the index
  at       TEXT NOT NULL,                -- instant that the leaf states
  leaf     TEXT NOT NULL                 -- bytes of the leaf, canonical JSON
) STRICT;
INSERT INTO ledger_events VALUES(0,'key','key_added','',0,'','AdscdGVYrQC_JAHOJSSWfhexQDyt3DNTIR645ukjAjA','','2026-11-23T02:48:46Z','{"exp":1826938126,"kid":"AdscdGVYrQC_JAHOJSSWfhexQDyt3DNTIR645ukjAjA","leaf":"service.key-leaf.v1","nbf":1795402126,"op":"add"}');
INSERT INTO ledger_events VALUES(1,'key','key_added','',0,'','ItnODStxpaSjIHDlzuxS8infyHZM69gvM2dnjf1Ftgg','','2026-11-23T02:48:46Z','{"exp":1826938126,"kid":"ItnODStxpaSjIHDlzuxS8infyHZM69gvM2dnjf1Ftgg","leaf":"service.key-leaf.v1","nbf":1795402126,"op":"add"}');
INSERT INTO ledger_events VALUES(2,'record','registered','ent_03016be13cd02a3e4fbd1a38',1,'quay-times','','1dbc5c14d573d19ed5584715ef61d8ba50fbb8d09ddf4e3703298267dee6f636','2026-11-23T02:48:50Z','{"entry_id":"ent_03016be13cd02a3e4fbd1a38","fingerprint":"56ff3f7c6ec5de3c5072674944484b16dc5fa2d012a556e55dd7a9d63c2a1c0a","issued_at":"2026-11-23T02:48:50Z","leaf":"service.provenance-leaf.v1","op":"issue","record_sha256":"1dbc5c14d573d19ed5584715ef61d8ba50fbb8d09ddf4e3703298267dee6f636","record_version":1,"site_id":"quay-times","url_key":"03016be13cd03eba4f91452c169f8c972f2717a22948c62eaafdade1ecdda4a8"}');
INSERT INTO ledger_events VALUES(3,'record','registered','ent_c8ed1029015423809f230269',1,'quay-times','','b1cd992291fcf209b2a785b640a25eb8c309f1c35762589d69316fdffd72f581','2026-11-23T02:48:50Z','{"entry_id":"ent_c8ed1029015423809f230269","fingerprint":"61da1bbb7b11df6ab9272615c360acc7700ca843fdfa9c15fd36e393d521fdfb","issued_at":"2026-11-23T02:48:50Z","leaf":"service.provenance-leaf.v1","op":"issue","record_sha256":"b1cd992291fcf209b2a785b640a25eb8c309f1c35762589d69316fdffd72f581","record_version":1,"site_id":"quay-times","url_key":"c8ed10290154004d9ddea16cdf283e685d4092c8138ae780af29badf2ffe18a3"}');
INSERT INTO ledger_events VALUES(4,'record','registered','ent_87a5e013bc54d9f5c8c9a051',1,'harbor-ledger','','4454f83c2911517b797574e2b086a2e5e276aceb7d05fc178f051b09e770ce0a','2026-11-23T02:48:55Z','{"entry_id":"ent_87a5e013bc54d9f5c8c9a051","fingerprint":"0f8b5b0bbfc5790a64e50d9653bebbad9a6284194ed81b5d0bf0bc456f0491c2","issued_at":"2026-11-23T02:48:55Z","leaf":"service.provenance-leaf.v1","op":"issue","record_sha256":"4454f83c2911517b797574e2b086a2e5e276aceb7d05fc178f051b09e770ce0a","record_version":1,"site_id":"harbor-ledger","url_key":"87a5e013bc54ee250d53a6e629f3c8200efafc7b547629379b7554bd57d660ab"}');
INSERT INTO ledger_events VALUES(5,'record','registered','ent_fd4c99e19e5235488e5249d3',1,'harbor-ledger','','46e60b98e696d1dedba2f135f990418b8294303b236e4fae849c83026ca43948','2026-11-23T02:48:55Z','{"entry_id":"ent_fd4c99e19e5235488e5249d3","fingerprint":"2be6ff2228f0d2e6641caddbc938d61a411e865467e27196ae1f7edd1034719c","issued_at":"2026-11-23T02:48:55Z","leaf":"service.provenance-leaf.v1","op":"issue","record_sha256":"46e60b98e696d1dedba2f135f990418b8294303b236e4fae849c83026ca43948","record_version":1,"site_id":"harbor-ledger","url_key":"fd4c99e19e52d82e6da5103d47fc35647ad8dcc2da6489c63342690230f9acf3"}');
INSERT INTO ledger_events VALUES(6,'policy','policy_changed','',1,'harbor-ledger','','9f6ab71ff885eef719c57956ad3251e31a5ee88834eaf00e15d5b4cecfeefe5c','2026-11-23T02:48:47Z','{"effective_from":"2026-11-23T02:48:47Z","leaf":"service.policy-leaf.v1","policy_sha256":"9f6ab71ff885eef719c57956ad3251e31a5ee88834eaf00e15d5b4cecfeefe5c","policy_version":1,"site_id":"harbor-ledger"}');
INSERT INTO ledger_events VALUES(7,'policy','policy_changed','',1,'quay-times','','6b9ef37334a0b5291f68edc06e4ec2aba82bd046a35a320a1ba1b9f97f27d47a','2026-11-23T02:48:49Z','{"effective_from":"2026-11-23T02:48:49Z","leaf":"service.policy-leaf.v1","policy_sha256":"6b9ef37334a0b5291f68edc06e4ec2aba82bd046a35a320a1ba1b9f97f27d47a","policy_version":1,"site_id":"quay-times"}');
INSERT INTO ledger_events VALUES(8,'policy','policy_changed','',2,'harbor-ledger','','69847aaa06ed63c645c8b233d870dcc22f1905d028c3ad96e1308d9b7127e591','2026-11-23T02:48:55Z','{"effective_from":"2026-11-23T02:48:55Z","leaf":"service.policy-leaf.v1","policy_sha256":"69847aaa06ed63c645c8b233d870dcc22f1905d028c3ad96e1308d9b7127e591","policy_version":2,"site_id":"harbor-ledger"}');
INSERT INTO ledger_events VALUES(9,'index','index_published','',0,'','','d86a9beff49cd7110a16dc08d87d65ee34204186ad98b30e89a6a91ce85b9448','2026-11-23T02:48:56Z','{"bits":0,"entries":4,"leaf":"service.index-leaf.v1","ledger_size":9,"manifest_sha256":"d86a9beff49cd7110a16dc08d87d65ee34204186ad98b30e89a6a91ce85b9448"}');
INSERT INTO ledger_events VALUES(10,'record','withdrawn','ent_03016be13cd02a3e4fbd1a38',2,'quay-times','','f0d476edb67d1dd910e89b61e5eec1df9f098fa6ddfb446b11e078c449542e28','2026-11-23T02:49:05Z','{"entry_id":"ent_03016be13cd02a3e4fbd1a38","fingerprint":"56ff3f7c6ec5de3c5072674944484b16dc5fa2d012a556e55dd7a9d63c2a1c0a","issued_at":"2026-11-23T02:49:05Z","leaf":"service.provenance-leaf.v1","op":"withdraw","prev_record_sha256":"1dbc5c14d573d19ed5584715ef61d8ba50fbb8d09ddf4e3703298267dee6f636","record_sha256":"f0d476edb67d1dd910e89b61e5eec1df9f098fa6ddfb446b11e078c449542e28","record_version":2,"site_id":"quay-times","url_key":"03016be13cd03eba4f91452c169f8c972f2717a22948c62eaafdade1ecdda4a8"}');
INSERT INTO ledger_events VALUES(11,'index','index_published','',0,'','','5083f5acb812f3cab661751f17202ccb5e1bf9af91fe83e9a6c46f366c7267a7','2026-11-23T02:49:05Z','{"bits":0,"entries":3,"leaf":"service.index-leaf.v1","ledger_size":11,"manifest_sha256":"5083f5acb812f3cab661751f17202ccb5e1bf9af91fe83e9a6c46f366c7267a7"}');
CREATE TABLE ledger_waiting (
  created  TEXT NOT NULL,                -- proof.created of the record
  entry_id TEXT NOT NULL,                -- the page
  version  INTEGER NOT NULL,             -- the version
  PRIMARY KEY (created, entry_id, version)
) STRICT, WITHOUT ROWID;
CREATE TABLE ledger_checkpoints (
  size     INTEGER PRIMARY KEY,          -- how many leaves it covers
  root     TEXT NOT NULL,                -- base64 of the root; one size has one root for ever
  name     TEXT NOT NULL,                -- the log's origin line
  key_id   TEXT NOT NULL,                -- key of the log that signed it
  note     TEXT NOT NULL,                -- signed checkpoint as proofs carry it
  cosigned TEXT NOT NULL                 -- the same as it is published, with the cosignatures that came later
) STRICT;
INSERT INTO ledger_checkpoints VALUES(10,'DKP3LRZW3ngYBjJGXeD+6LAoiHZWKSlkcqUsnxFzY3A=','registry.example/ledger','AdscdGVYrQC_JAHOJSSWfhexQDyt3DNTIR645ukjAjA',replace('registry.example/ledger\n10\nDKP3LRZW3ngYBjJGXeD+6LAoiHZWKSlkcqUsnxFzY3A=\n\n— registry.example/ledger lM0uFwiCiJyXXbBc/Q1IN2PoDnwyJBHz76chW9UMyJeUBC14Wl7+AnzT0JhO98puaUswNSOlVitSvxk+IIzcPyBQNAM=\n','\n',char(10)),replace('registry.example/ledger\n10\nDKP3LRZW3ngYBjJGXeD+6LAoiHZWKSlkcqUsnxFzY3A=\n\n— registry.example/ledger lM0uFwiCiJyXXbBc/Q1IN2PoDnwyJBHz76chW9UMyJeUBC14Wl7+AnzT0JhO98puaUswNSOlVitSvxk+IIzcPyBQNAM=\n','\n',char(10)));
INSERT INTO ledger_checkpoints VALUES(12,'ngi01r2i8cRxO7kHoA7yK94cxpol6/CglPCMKUTqHD4=','registry.example/ledger','AdscdGVYrQC_JAHOJSSWfhexQDyt3DNTIR645ukjAjA',replace('registry.example/ledger\n12\nngi01r2i8cRxO7kHoA7yK94cxpol6/CglPCMKUTqHD4=\n\n— registry.example/ledger lM0uF11BztVyg9QCzYBALoO7xhvdaBofNzQwf/8sAIulAxI+NHb5kBVf4AuKEWZ/TCSUd7agDTFDzd1brL4T2uliAwY=\n','\n',char(10)),replace('registry.example/ledger\n12\nngi01r2i8cRxO7kHoA7yK94cxpol6/CglPCMKUTqHD4=\n\n— registry.example/ledger lM0uF11BztVyg9QCzYBALoO7xhvdaBofNzQwf/8sAIulAxI+NHb5kBVf4AuKEWZ/TCSUd7agDTFDzd1brL4T2uliAwY=\n','\n',char(10)));
CREATE TABLE ledger_proofs (
  position INTEGER PRIMARY KEY,          -- index of the leaf
  size     INTEGER NOT NULL REFERENCES ledger_checkpoints (size), -- checkpoint that first covered it
  path     BLOB NOT NULL                 -- hashes from the leaf upwards, 32 bytes each
) STRICT;
INSERT INTO ledger_proofs VALUES(0,10,X'56f08258a21d13c3e8a83a62c44eaa738e24318aeeba02c3067307f4fbe403748aa0a30bacb97e48c4c17b2bf41a214660b1075d547e3a637a2b8856c3dac74113dd841a07009e42e88046e08a4300eed11b42b3164be6797f9e91a5148766af8854d11ad01bf81bc232d069673a298aee21c4b417be83ade2f5af7f9fddfcac');
INSERT INTO ledger_proofs VALUES(1,10,X'ba1a32a958557f1770c2eb9744fdc6f9d46cc1f19f35f992a2339a79844f890a8aa0a30bacb97e48c4c17b2bf41a214660b1075d547e3a637a2b8856c3dac74113dd841a07009e42e88046e08a4300eed11b42b3164be6797f9e91a5148766af8854d11ad01bf81bc232d069673a298aee21c4b417be83ade2f5af7f9fddfcac');
INSERT INTO ledger_proofs VALUES(2,10,X'ad056ffd6d32af270356228574936c535949e4bdc17a9ed1afbccf525132b8fb5d604379db48c431361ddbaa412107f9bfce6097667636c4cbe74d3e34d6fba713dd841a07009e42e88046e08a4300eed11b42b3164be6797f9e91a5148766af8854d11ad01bf81bc232d069673a298aee21c4b417be83ade2f5af7f9fddfcac');
INSERT INTO ledger_proofs VALUES(3,10,X'84a06ae696b31060494fd2b88513e6d1681e7c1cd98edc0f2611ca1d3f466bdc5d604379db48c431361ddbaa412107f9bfce6097667636c4cbe74d3e34d6fba713dd841a07009e42e88046e08a4300eed11b42b3164be6797f9e91a5148766af8854d11ad01bf81bc232d069673a298aee21c4b417be83ade2f5af7f9fddfcac');
INSERT INTO ledger_proofs VALUES(4,10,X'c7a0cc77e86e5fa48a01ce520e42e812939e429f107f61191a9426e9fe9328854b2f4a2a9013403246d08af20fede972abbab62abe281999a8bb2e5ed5bcec607968815fa0fb5769587eadef7c180f989532a2c42a7128eae6083e76563c00808854d11ad01bf81bc232d069673a298aee21c4b417be83ade2f5af7f9fddfcac');
INSERT INTO ledger_proofs VALUES(5,10,X'4e4930a18cd116af6d767a21a551d127483eb4bbbddc1eb9b0d9fc9640cff6864b2f4a2a9013403246d08af20fede972abbab62abe281999a8bb2e5ed5bcec607968815fa0fb5769587eadef7c180f989532a2c42a7128eae6083e76563c00808854d11ad01bf81bc232d069673a298aee21c4b417be83ade2f5af7f9fddfcac');
INSERT INTO ledger_proofs VALUES(6,10,X'8bf598eefb926b1ca044a16bdbad30169ec2fb9e6aab39817bb29d4c6c97f9b2e759c54dfab22b39a415a25255075ddb34bc63827adf4745eec64d9f8dc1de3b7968815fa0fb5769587eadef7c180f989532a2c42a7128eae6083e76563c00808854d11ad01bf81bc232d069673a298aee21c4b417be83ade2f5af7f9fddfcac');
INSERT INTO ledger_proofs VALUES(7,10,X'ef5cb8b751057baf737ca83d9fe34c8815782249ef2d4201e0ebef69c52cc92be759c54dfab22b39a415a25255075ddb34bc63827adf4745eec64d9f8dc1de3b7968815fa0fb5769587eadef7c180f989532a2c42a7128eae6083e76563c00808854d11ad01bf81bc232d069673a298aee21c4b417be83ade2f5af7f9fddfcac');
INSERT INTO ledger_proofs VALUES(8,10,X'fc52defb464abbddeadfa082f28edb654418d1f65fd5a9b3d06c6cda4796a8401f7e9a9d7ab7f58d58f2ad2a09cd29445e9137580fa6e3f26580d64f794c5e64');
INSERT INTO ledger_proofs VALUES(9,10,X'5614b60bad9810e394ec359fcd5a82a3af2b1fc9b188fb3ec3add8d9353889e91f7e9a9d7ab7f58d58f2ad2a09cd29445e9137580fa6e3f26580d64f794c5e64');
INSERT INTO ledger_proofs VALUES(10,12,X'0710255886f0dc8a7493b617bb6d6380df752a70d99a1b786d4ac40c8a03fe6a8854d11ad01bf81bc232d069673a298aee21c4b417be83ade2f5af7f9fddfcac1f7e9a9d7ab7f58d58f2ad2a09cd29445e9137580fa6e3f26580d64f794c5e64');
INSERT INTO ledger_proofs VALUES(11,12,X'e7366629239a5ae9cae592daac4211afc9ce0c707bfaf3c4a4540ca0073d7d0f8854d11ad01bf81bc232d069673a298aee21c4b417be83ade2f5af7f9fddfcac1f7e9a9d7ab7f58d58f2ad2a09cd29445e9137580fa6e3f26580d64f794c5e64');
CREATE TABLE webhook_health (
  webhook_id    TEXT PRIMARY KEY REFERENCES webhooks (webhook_id), -- receiver
  asked_at      TEXT NOT NULL,                -- last attempt
  failures      INTEGER NOT NULL,             -- failed attempts since the last one that succeeded
  failing_since TEXT NOT NULL DEFAULT '',     -- the first of them, '' none
  retry_at      TEXT NOT NULL DEFAULT '',     -- no attempt before that, '' at once
  last_error    TEXT NOT NULL DEFAULT ''      -- private: why the last attempt failed
) STRICT;
CREATE TABLE templates (
  site_id    TEXT NOT NULL REFERENCES sites (site_id), -- owner
  digest     TEXT NOT NULL,                 -- hex SHA-256 of document
  state      TEXT NOT NULL,                 -- proposed, active, retired
  document   TEXT NOT NULL,                 -- private: the template, JSON
  diff       TEXT NOT NULL DEFAULT '',      -- private: what it changes against the one that was active when it was made, JSON
  made_at    TEXT NOT NULL,                 -- when it was learned or set
  changed_at TEXT NOT NULL,                 -- last change of its state
  PRIMARY KEY (site_id, digest)
) STRICT;
CREATE TABLE extractions (
  entry_id   TEXT PRIMARY KEY,              -- the page
  site_id    TEXT NOT NULL,                 -- its site
  extractor  TEXT NOT NULL,                 -- version of the rules of extraction
  template   TEXT NOT NULL DEFAULT '',      -- digest of the template, '' none
  encoding   TEXT NOT NULL DEFAULT '',      -- that the page came in
  facts      TEXT NOT NULL DEFAULT '[]',    -- private: facts with their sources and confidence, JSON
  portable   TEXT NOT NULL DEFAULT '',      -- private: digest of the canonical text, which the page has once it is not in review
  review     TEXT NOT NULL DEFAULT '',      -- '', waiting, accepted, rejected
  reasons    TEXT NOT NULL DEFAULT '[]',    -- private: why it is in review, JSON
  changed_at TEXT NOT NULL                  -- last change
) STRICT;
INSERT INTO extractions VALUES('ent_fd4c99e19e5235488e5249d3','harbor-ledger','publisher-supplied-text','','','[]','2be6ff2228f0d2e6641caddbc938d61a411e865467e27196ae1f7edd1034719c','','[]','2026-11-23T02:48:48Z');
INSERT INTO extractions VALUES('ent_87a5e013bc54d9f5c8c9a051','harbor-ledger','publisher-supplied-text','','','[]','0f8b5b0bbfc5790a64e50d9653bebbad9a6284194ed81b5d0bf0bc456f0491c2','','[]','2026-11-23T02:48:48Z');
INSERT INTO extractions VALUES('ent_c8ed1029015423809f230269','quay-times','publisher-supplied-text','','','[]','61da1bbb7b11df6ab9272615c360acc7700ca843fdfa9c15fd36e393d521fdfb','','[]','2026-11-23T02:48:50Z');
INSERT INTO extractions VALUES('ent_03016be13cd02a3e4fbd1a38','quay-times','publisher-supplied-text','','','[]','56ff3f7c6ec5de3c5072674944484b16dc5fa2d012a556e55dd7a9d63c2a1c0a','','[]','2026-11-23T02:48:50Z');
CREATE TABLE audit_log (
  seq       INTEGER PRIMARY KEY,          -- 1, 2, … without a gap
  at        TEXT NOT NULL,                -- when
  act_id    TEXT NOT NULL,                -- act_…, the same in all records of one command or form
  actor     TEXT NOT NULL,                -- who: a name on the operator's machine, or the id of an inbox link
  role      TEXT NOT NULL,                -- operator, publisher
  action    TEXT NOT NULL,                -- what, such as "grant revoke"
  kind      TEXT NOT NULL,                -- kind of what was changed, '' the act as a whole
  target_id TEXT NOT NULL,                -- what was changed
  before    TEXT NOT NULL DEFAULT '',     -- JSON of the members that differ, '' it was not there
  after     TEXT NOT NULL DEFAULT ''      -- JSON of the members that differ, '' it is not there
) STRICT;
INSERT INTO audit_log VALUES(1,'2026-11-23T02:48:46Z','act_01m834wm70wny353vzxr3vzajb','root','operator','init','','','','');
INSERT INTO audit_log VALUES(2,'2026-11-23T02:48:46Z','act_01m834wnf3r0hhqrsc25hs3z4v','root','operator','publisher add','publishers','pub_harbor-ledger','','{"created_at":"2026-11-23T02:48:46Z","legal_name":"harbor-ledger"}');
INSERT INTO audit_log VALUES(3,'2026-11-23T02:48:46Z','act_01m834wnf3r0hhqrsc25hs3z4v','root','operator','publisher add','sites','harbor-ledger','','{"accepts_inquiries":"1","categories":"[]","countries":"[]","created_at":"2026-11-23T02:48:46Z","domain_control":"none","languages":"[]","name":"harbor-ledger","publisher_id":"pub_harbor-ledger","rag_suitability":"unassessed","site_url":"https://harbor-ledger.example/","state":"pending","visibility":"public"}');
INSERT INTO audit_log VALUES(4,'2026-11-23T02:48:46Z','act_01m834wnf3r0hhqrsc25hs3z4v','root','operator','publisher add','websites','harbor-ledger/harbor-ledger.example','','{"associated":"0","method":"none"}');
INSERT INTO audit_log VALUES(5,'2026-11-23T02:48:46Z','act_01m834wnf3r0hhqrsc25hs3z4v','root','operator','publisher add','preference_signals','harbor-ledger/rag','','{"conditions":"[\"attribution\"]","declared":"disallow","inquiry":"welcome","since":"2026-11-23T02:48:46Z","source":"publisher"}');
INSERT INTO audit_log VALUES(6,'2026-11-23T02:48:46Z','act_01m834wnf3r0hhqrsc25hs3z4v','root','operator','publisher add','passports','harbor-ledger/1','','{"effective_from":"2026-11-23T02:48:46Z","holder_name":"harbor-ledger","holder_url":"https://harbor-ledger.example/","passport_id":"rp_harbor-ledger_1"}');
INSERT INTO audit_log VALUES(7,'2026-11-23T02:48:47Z','act_01m834wp0qgvkbgp9tdm5actf4','root','operator','publisher approve','sites','harbor-ledger','{"approved_at":"","state":"pending"}','{"approved_at":"2026-11-23T02:48:47Z","state":"approved"}');
INSERT INTO audit_log VALUES(8,'2026-11-23T02:48:48Z','act_01m834wpgfckrz0g68x9cvh1c8','root','operator','import','','harbor-ledger','','');
INSERT INTO audit_log VALUES(9,'2026-11-23T02:48:49Z','act_01m834wqkz7dxg0gw6k943tmr8','root','operator','publisher add','publishers','pub_quay-times','','{"created_at":"2026-11-23T02:48:49Z","legal_name":"quay-times"}');
INSERT INTO audit_log VALUES(10,'2026-11-23T02:48:49Z','act_01m834wqkz7dxg0gw6k943tmr8','root','operator','publisher add','sites','quay-times','','{"accepts_inquiries":"1","categories":"[]","countries":"[]","created_at":"2026-11-23T02:48:49Z","domain_control":"none","languages":"[]","name":"quay-times","publisher_id":"pub_quay-times","rag_suitability":"unassessed","site_url":"https://quay-times.example/","state":"pending","visibility":"public"}');
INSERT INTO audit_log VALUES(11,'2026-11-23T02:48:49Z','act_01m834wqkz7dxg0gw6k943tmr8','root','operator','publisher add','websites','quay-times/quay-times.example','','{"associated":"0","method":"none"}');
INSERT INTO audit_log VALUES(12,'2026-11-23T02:48:49Z','act_01m834wqkz7dxg0gw6k943tmr8','root','operator','publisher add','preference_signals','quay-times/rag','','{"conditions":"[\"attribution\"]","declared":"disallow","inquiry":"welcome","since":"2026-11-23T02:48:49Z","source":"publisher"}');
INSERT INTO audit_log VALUES(13,'2026-11-23T02:48:49Z','act_01m834wqkz7dxg0gw6k943tmr8','root','operator','publisher add','passports','quay-times/1','','{"effective_from":"2026-11-23T02:48:49Z","holder_name":"quay-times","holder_url":"https://quay-times.example/","passport_id":"rp_quay-times_1"}');
INSERT INTO audit_log VALUES(14,'2026-11-23T02:48:49Z','act_01m834wrad1v3zapfbz35vw9ej','root','operator','publisher approve','sites','quay-times','{"approved_at":"","state":"pending"}','{"approved_at":"2026-11-23T02:48:49Z","state":"approved"}');
INSERT INTO audit_log VALUES(15,'2026-11-23T02:48:50Z','act_01m834ws1vrg7jh7zdbetv51j5','root','operator','import','','quay-times','','');
INSERT INTO audit_log VALUES(16,'2026-11-23T02:48:51Z','act_01m834wsswmabqmnga1qzxf4m8','root','operator','partner add','partners','org_01m834wsw4tpbev3217q5sh9yn','','{"created_at":"2026-11-23T02:48:51Z","name":"Example Answers","scopes":"[\"partner:status\",\"catalog:read\",\"licensing:intake\"]","state":"active"}');
INSERT INTO audit_log VALUES(17,'2026-11-23T02:48:52Z','act_01m834wtj66z16wm41brafy5fe','root','operator','partner key issue','partner_keys','key_01m834wtmm9w6tsv3rgpw3svb6','','{"created_at":"2026-11-23T02:48:52Z","environment":"live","hash":"(withheld)","last4":"(withheld)","lookup":"(withheld)","org_id":"org_01m834wsw4tpbev3217q5sh9yn","scopes":"[]","state":"active"}');
INSERT INTO audit_log VALUES(18,'2026-11-23T02:48:53Z','act_01m834wvc15xhwve6eshtfhxvw','root','operator','buyer add','buyers','byr_01m834wvg1dn6wj55zrdzry8vs','','{"created_at":"2026-11-23T02:48:52Z","name":"Example Buyer","state":"active"}');
INSERT INTO audit_log VALUES(19,'2026-11-23T02:48:53Z','act_01m834ww3s51em2dbc03tmv7xs','root','operator','buyer credential issue','buyer_credentials','crd_01m834ww717ee18yjsa8s88v1z','','{"buyer_id":"byr_01m834wvg1dn6wj55zrdzry8vs","created_at":"2026-11-23T02:48:53Z","environment":"live","hash":"(withheld)","last4":"(withheld)","lookup":"(withheld)","state":"active"}');
INSERT INTO audit_log VALUES(20,'2026-11-23T02:48:54Z','act_01m834wwq7vezwv8k6wrvf12xg','root','operator','grant add','grants','grt_01m834wws5g7qjh0fv8zmb72tx','','{"buyer_id":"byr_01m834wvg1dn6wj55zrdzry8vs","content_formats":"[]","created_at":"2026-11-23T02:48:54Z","delete_hours":"72","display_limit":"0","excludes":"[]","kind":"direct","paths":"[]","state":"active","state_at":"2026-11-23T02:48:54Z","uses":"[\"rag\"]","valid_from":"2026-11-23T02:48:54Z"}');
INSERT INTO audit_log VALUES(21,'2026-11-23T02:48:54Z','act_01m834wwq7vezwv8k6wrvf12xg','root','operator','grant add','grant_sites','grt_01m834wws5g7qjh0fv8zmb72tx/harbor-ledger','','{"state":"active"}');
INSERT INTO audit_log VALUES(22,'2026-11-23T02:48:54Z','act_01m834wx6annzm4q0avbr6q2fe','root','operator','webhook add','webhooks','whk_01m834wx7nkpfpq09nz0n29pry','','{"allow_private":"0","created_at":"2026-11-23T02:48:54Z","secret":"(withheld)","site_id":"harbor-ledger","state":"active","url":"(withheld)"}');
INSERT INTO audit_log VALUES(23,'2026-11-23T02:48:55Z','act_01m834wxvw8bz50phs2gcwaja0','root','operator','offer add','offers','lic_eeyb7tuueolkzl2medg5ul3mqr','','{"content_formats":"[]","delete_hours":"0","display_limit":"0","excludes":"[]","kind":"custom","not_in":"[]","paths":"[]","payment_model":"subscription","permits":"[\"syndication\"]","prohibits":"[]","scope_type":"site","site_id":"harbor-ledger","slug":"wire","status":"offered","territories":"[]","title":"Wire","user_types":"[]","valid_from":"2026-11-23T02:48:55Z"}');
INSERT INTO audit_log VALUES(24,'2026-11-23T02:48:56Z','act_01m834wypgrr8qs89qza6wtpjh','root','operator','demand add','demand','dem_ngddbjobdn47jjszfvcui2jnbq','','{"categories":"[]","content_formats":"[]","expires_at":"2027-02-21T02:48:56Z","headline":"Tides","languages":"[]","opted_in":"0","territories":"[]","uses":"[\"rag\"]"}');
INSERT INTO audit_log VALUES(25,'2026-11-23T02:49:04Z','act_01m834wzb10kmw0cp8fa7sj0nx','root','operator','build','','','','');
INSERT INTO audit_log VALUES(26,'2026-11-23T02:49:05Z','act_01m834x7jan1krez4d1cvcy4vt','root','operator','entry withdraw','pages','ent_03016be13cd02a3e4fbd1a38','{"state":"active"}','{"state":"withdrawn"}');
INSERT INTO audit_log VALUES(27,'2026-11-23T02:49:09Z','act_01m834x81xsnxgfnhnqc9p26kn','root','operator','build','','','','');
CREATE TABLE page_changes (
  entry_id TEXT PRIMARY KEY,             -- the page; it may be gone
  sequence INTEGER NOT NULL              -- number of its last change
) STRICT;
INSERT INTO page_changes VALUES('ent_fd4c99e19e5235488e5249d3',7);
INSERT INTO page_changes VALUES('ent_87a5e013bc54d9f5c8c9a051',8);
INSERT INTO page_changes VALUES('ent_c8ed1029015423809f230269',14);
INSERT INTO page_changes VALUES('ent_03016be13cd02a3e4fbd1a38',18);
CREATE TABLE builds (
  token    TEXT PRIMARY KEY,             -- random, the same in the notes of what that build published
  sequence INTEGER NOT NULL              -- number of the last change that it read
) STRICT;
INSERT INTO builds VALUES('5abf60629c073e4d3a61645d4ea3a200f0a226ec5e6ab602c0149d7c0ab74cd2',17);
INSERT INTO builds VALUES('78653b978a905e94d5fb14a30839a41cc6c91be6ff905af819759e3372443d4a',18);
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
CREATE INDEX sites_by_publisher ON sites (publisher_id);
CREATE UNIQUE INDEX pages_by_site_url ON pages (site_id, canonical_url);
CREATE INDEX pages_by_site ON pages (site_id, entry_id);
CREATE INDEX pages_by_registration ON pages (registered_at DESC, entry_id);
CREATE UNIQUE INDEX offers_by_site ON offers (site_id, slug);
CREATE INDEX fetches_by_run ON fetches (site_id, run);
CREATE TRIGGER sites_added AFTER INSERT ON sites BEGIN UPDATE meta SET value = value + 1 WHERE name = 'changes'; END;
CREATE TRIGGER sites_changed AFTER UPDATE ON sites BEGIN UPDATE meta SET value = value + 1 WHERE name = 'changes'; END;
CREATE TRIGGER websites_added AFTER INSERT ON websites BEGIN UPDATE meta SET value = value + 1 WHERE name = 'changes'; END;
CREATE TRIGGER websites_changed AFTER UPDATE ON websites BEGIN UPDATE meta SET value = value + 1 WHERE name = 'changes'; END;
CREATE TRIGGER categories_added AFTER INSERT ON categories BEGIN UPDATE meta SET value = value + 1 WHERE name = 'changes'; END;
CREATE TRIGGER categories_changed AFTER UPDATE ON categories BEGIN UPDATE meta SET value = value + 1 WHERE name = 'changes'; END;
CREATE TRIGGER preference_signals_added AFTER INSERT ON preference_signals BEGIN UPDATE meta SET value = value + 1 WHERE name = 'changes'; END;
CREATE TRIGGER preference_signals_changed AFTER UPDATE ON preference_signals BEGIN UPDATE meta SET value = value + 1 WHERE name = 'changes'; END;
CREATE TRIGGER passports_added AFTER INSERT ON passports BEGIN UPDATE meta SET value = value + 1 WHERE name = 'changes'; END;
CREATE TRIGGER readiness_signals_added AFTER INSERT ON readiness_signals BEGIN UPDATE meta SET value = value + 1 WHERE name = 'changes'; END;
CREATE TRIGGER readiness_signals_changed AFTER UPDATE ON readiness_signals BEGIN UPDATE meta SET value = value + 1 WHERE name = 'changes'; END;
CREATE TRIGGER pages_added AFTER INSERT ON pages BEGIN UPDATE meta SET value = value + 1 WHERE name = 'changes'; END;
CREATE TRIGGER pages_changed AFTER UPDATE ON pages BEGIN UPDATE meta SET value = value + 1 WHERE name = 'changes'; END;
CREATE TRIGGER offers_added AFTER INSERT ON offers BEGIN UPDATE meta SET value = value + 1 WHERE name = 'changes'; END;
CREATE TRIGGER offers_changed AFTER UPDATE ON offers BEGIN UPDATE meta SET value = value + 1 WHERE name = 'changes'; END;
CREATE TRIGGER demand_added AFTER INSERT ON demand BEGIN UPDATE meta SET value = value + 1 WHERE name = 'changes'; END;
CREATE TRIGGER demand_changed AFTER UPDATE ON demand BEGIN UPDATE meta SET value = value + 1 WHERE name = 'changes'; END;
CREATE TRIGGER observations_added AFTER INSERT ON observations BEGIN UPDATE meta SET value = value + 1 WHERE name = 'changes'; END;
CREATE TRIGGER observations_changed AFTER UPDATE ON observations WHEN new.sha256 <> old.sha256 OR new.status <> old.status BEGIN UPDATE meta SET value = value + 1 WHERE name = 'changes'; END;
CREATE INDEX partner_keys_by_lookup ON partner_keys (lookup);
CREATE INDEX partner_keys_by_partner ON partner_keys (org_id);
CREATE INDEX requests_by_site ON requests (site_id, request_id);
CREATE INDEX requests_by_partner ON requests (org_id, request_id);
CREATE INDEX requests_by_state ON requests (state, publisher_at);
CREATE INDEX requests_by_dedupe ON requests (dedupe, created_at) WHERE dedupe <> '';
CREATE INDEX requests_by_key_age ON requests (created_at) WHERE idempotency_key IS NOT NULL;
CREATE UNIQUE INDEX messages_by_client ON messages (thread_id, author_role, client_id) WHERE client_id <> '';
CREATE INDEX inbox_links_by_lookup ON inbox_links (lookup);
CREATE TRIGGER requests_added AFTER INSERT ON requests BEGIN INSERT INTO request_history (request_id, seq, at, from_state, to_state, moved_by, reason) VALUES (new.request_id, 1, new.created_at, '', new.state, new.moved_by, ''); INSERT INTO messages (message_id, thread_id, request_id, seq, at, author_role, author_kind, kind, body, from_state) VALUES (new.message_id, new.thread_id, new.request_id, 1, new.created_at, 'requester', CASE WHEN new.agent = '' THEN 'human' ELSE 'agent' END, 'text', new.message, new.state); END;
CREATE TRIGGER requests_moved AFTER UPDATE OF state ON requests WHEN new.state <> old.state BEGIN INSERT INTO request_history (request_id, seq, at, from_state, to_state, moved_by, reason) VALUES (new.request_id, new.moves, new.state_since, old.state, new.state, new.moved_by, new.move_reason); INSERT INTO outbox (webhook_id, event_id, kind, site_id, request_id, status, at, due_at) SELECT webhook_id, 'evt_' || substr(new.request_id, 5) || '_s' || new.moves, 'inquiry.state_changed', new.site_id, new.request_id, new.state, new.state_since, new.state_since FROM webhooks WHERE state = 'active' AND site_id IN (new.site_id, '') AND new.state NOT IN ('received', 'held', 'rejected'); END;
CREATE TRIGGER requests_reminded AFTER UPDATE OF reminders ON requests WHEN new.reminders > old.reminders BEGIN INSERT INTO outbox (webhook_id, event_id, kind, site_id, request_id, status, at, due_at) SELECT webhook_id, 'evt_' || substr(new.request_id, 5) || '_r' || new.moves || '_' || new.messages || '_' || new.reminders, 'inquiry.reminder', new.site_id, new.request_id, new.state, new.reminded_at, new.reminded_at FROM webhooks WHERE state = 'active' AND site_id IN (new.site_id, ''); END;
CREATE TRIGGER messages_added AFTER INSERT ON messages BEGIN UPDATE requests SET messages = new.seq, updated_at = new.at, publisher_at = CASE WHEN new.author_role = 'publisher' THEN new.at ELSE publisher_at END, reminders = CASE WHEN new.author_role = 'publisher' THEN 0 ELSE reminders END, moves = moves + (new.to_state <> ''), moved_by = CASE WHEN new.to_state <> '' THEN new.author_role ELSE moved_by END, move_reason = CASE WHEN new.to_state <> '' THEN '' ELSE move_reason END, state_since = CASE WHEN new.to_state <> '' THEN new.at ELSE state_since END, state = CASE WHEN new.to_state <> '' THEN new.to_state ELSE state END WHERE request_id = new.request_id; INSERT INTO outbox (webhook_id, event_id, kind, site_id, request_id, status, at, due_at) SELECT w.webhook_id, 'evt_' || substr(new.message_id, 5) || '_m', 'inquiry.message', r.site_id, r.request_id, r.state, new.at, new.at FROM requests AS r, webhooks AS w WHERE r.request_id = new.request_id AND new.author_role = 'requester' AND w.state = 'active' AND w.site_id IN (r.site_id, '') AND r.state NOT IN ('received', 'held', 'rejected'); END;
CREATE TRIGGER requests_erased AFTER UPDATE OF erased_at ON requests WHEN new.erased_at <> '' AND old.erased_at = '' BEGIN DELETE FROM messages WHERE request_id = new.request_id; END;
CREATE INDEX buyer_credentials_by_lookup ON buyer_credentials (lookup);
CREATE INDEX buyer_credentials_by_buyer ON buyer_credentials (buyer_id);
CREATE INDEX grants_by_buyer ON grants (buyer_id, grant_id);
CREATE UNIQUE INDEX holdings_by_sequence ON holdings (buyer_id, sequence);
CREATE INDEX holdings_by_site ON holdings (buyer_id, site_id, entry_id);
CREATE TRIGGER bodies_added AFTER INSERT ON bodies BEGIN INSERT INTO editions (entry_id, version, digest, bytes, changed_at) VALUES (new.entry_id, 1, new.digest, length(CAST(CASE WHEN new.markdown <> '' THEN new.markdown ELSE new.text END AS BLOB)), new.changed_at) ON CONFLICT (entry_id) DO UPDATE SET version = version + 1, digest = excluded.digest, bytes = excluded.bytes, changed_at = excluded.changed_at; UPDATE meta SET value = value + 1 WHERE name = 'editions'; END;
CREATE TRIGGER bodies_changed AFTER UPDATE ON bodies WHEN (new.text, new.markdown, new.html) IS NOT (old.text, old.markdown, old.html) BEGIN UPDATE editions SET version = version + 1, digest = new.digest, bytes = length(CAST(CASE WHEN new.markdown <> '' THEN new.markdown ELSE new.text END AS BLOB)), changed_at = new.changed_at WHERE entry_id = new.entry_id; UPDATE meta SET value = value + 1 WHERE name = 'editions'; END;
CREATE TRIGGER bodies_digested AFTER UPDATE OF digest ON bodies WHEN new.digest <> old.digest AND (new.text, new.markdown, new.html) IS (old.text, old.markdown, old.html) BEGIN UPDATE editions SET digest = new.digest WHERE entry_id = new.entry_id; UPDATE meta SET value = value + 1 WHERE name = 'editions'; END;
CREATE TRIGGER grants_added AFTER INSERT ON grants BEGIN UPDATE buyers SET rights = rights + 1 WHERE buyer_id = new.buyer_id; END;
CREATE TRIGGER grants_changed AFTER UPDATE ON grants WHEN new.version = old.version BEGIN UPDATE grants SET version = version + 1 WHERE grant_id = new.grant_id; UPDATE buyers SET rights = rights + 1 WHERE buyer_id = new.buyer_id; END;
CREATE TRIGGER grant_sites_added AFTER INSERT ON grant_sites BEGIN UPDATE grants SET version = version + 1 WHERE grant_id = new.grant_id; UPDATE buyers SET rights = rights + 1 WHERE buyer_id = (SELECT buyer_id FROM grants WHERE grant_id = new.grant_id); END;
CREATE TRIGGER grant_sites_changed AFTER UPDATE ON grant_sites BEGIN UPDATE grants SET version = version + 1 WHERE grant_id = new.grant_id; UPDATE buyers SET rights = rights + 1 WHERE buyer_id = (SELECT buyer_id FROM grants WHERE grant_id = new.grant_id); END;
CREATE TRIGGER grant_sites_removed AFTER DELETE ON grant_sites BEGIN UPDATE grants SET version = version + 1 WHERE grant_id = old.grant_id; UPDATE buyers SET rights = rights + 1 WHERE buyer_id = (SELECT buyer_id FROM grants WHERE grant_id = old.grant_id); END;
CREATE TRIGGER holdings_added AFTER INSERT ON holdings BEGIN UPDATE feeds SET sequence = max(sequence, new.sequence) WHERE buyer_id = new.buyer_id; END;
CREATE TRIGGER holdings_changed AFTER UPDATE OF sequence ON holdings BEGIN UPDATE feeds SET sequence = max(sequence, new.sequence) WHERE buyer_id = new.buyer_id; END;
CREATE INDEX pages_by_url ON pages (canonical_url);
CREATE INDEX pages_by_portable ON pages (portable) WHERE portable <> '';
CREATE INDEX pages_by_registry ON pages (registry) WHERE registry <> '';
CREATE INDEX websites_by_host ON websites (host);
CREATE INDEX ledger_by_record ON ledger_events (site_id, entry_id, version) WHERE kind = 'record';
CREATE INDEX ledger_by_policy ON ledger_events (site_id, version) WHERE kind = 'policy';
CREATE INDEX ledger_others ON ledger_events (kind, position) WHERE kind IN ('key', 'index');
CREATE INDEX ledger_proofs_by_size ON ledger_proofs (size);
CREATE TRIGGER records_wait AFTER INSERT ON records BEGIN INSERT INTO ledger_waiting (created, entry_id, version) VALUES (new.created, new.entry_id, new.version); END;
CREATE TRIGGER ledger_in_order BEFORE INSERT ON ledger_events WHEN new.position <> (SELECT coalesce(max(position) + 1, 0) FROM ledger_events) BEGIN SELECT RAISE(ABORT, 'ledger: another build appended to it'); END;
CREATE TRIGGER ledger_logged AFTER INSERT ON ledger_events WHEN new.kind = 'record' BEGIN DELETE FROM ledger_waiting WHERE created = new.at AND entry_id = new.entry_id AND version = new.version; END;
CREATE TRIGGER ledger_no_update BEFORE UPDATE ON ledger_events BEGIN SELECT RAISE(ABORT, 'ledger: what is logged never changes'); END;
CREATE TRIGGER ledger_no_delete BEFORE DELETE ON ledger_events BEGIN SELECT RAISE(ABORT, 'ledger: what is logged stays'); END;
CREATE TRIGGER ledger_one_root BEFORE UPDATE OF size, root, name, key_id, note ON ledger_checkpoints BEGIN SELECT RAISE(ABORT, 'ledger: a size is signed once'); END;
CREATE TRIGGER ledger_keeps_roots BEFORE DELETE ON ledger_checkpoints BEGIN SELECT RAISE(ABORT, 'ledger: a size is signed once'); END;
CREATE INDEX outbox_by_receiver ON outbox (webhook_id, due_at) WHERE state = 'waiting';
CREATE INDEX outbox_failed ON outbox (webhook_id, seq) WHERE state = 'failed';
CREATE UNIQUE INDEX templates_active ON templates (site_id) WHERE state = 'active';
CREATE INDEX extractions_by_text ON extractions (site_id, portable);
CREATE INDEX extractions_in_review ON extractions (site_id, review, entry_id);
CREATE INDEX audit_by_target ON audit_log (kind, target_id, seq);
CREATE TRIGGER audit_in_order BEFORE INSERT ON audit_log WHEN new.seq <> (SELECT coalesce(max(seq) + 1, 1) FROM audit_log) BEGIN SELECT RAISE(ABORT, 'audit: records are added at the end'); END;
CREATE TRIGGER audit_no_update BEFORE UPDATE ON audit_log BEGIN SELECT RAISE(ABORT, 'audit: what is recorded never changes'); END;
CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit_log BEGIN SELECT RAISE(ABORT, 'audit: what is recorded stays'); END;
CREATE INDEX page_changes_by_sequence ON page_changes (sequence, entry_id);
CREATE TRIGGER sites_added_sequence AFTER INSERT ON sites BEGIN UPDATE meta SET value = value + 1 WHERE name = 'sequence'; END;
CREATE TRIGGER sites_changed_sequence AFTER UPDATE ON sites BEGIN UPDATE meta SET value = value + 1 WHERE name = 'sequence'; END;
CREATE TRIGGER websites_added_sequence AFTER INSERT ON websites BEGIN UPDATE meta SET value = value + 1 WHERE name = 'sequence'; END;
CREATE TRIGGER websites_changed_sequence AFTER UPDATE ON websites BEGIN UPDATE meta SET value = value + 1 WHERE name = 'sequence'; END;
CREATE TRIGGER categories_added_sequence AFTER INSERT ON categories BEGIN UPDATE meta SET value = value + 1 WHERE name = 'sequence'; END;
CREATE TRIGGER categories_changed_sequence AFTER UPDATE ON categories BEGIN UPDATE meta SET value = value + 1 WHERE name = 'sequence'; END;
CREATE TRIGGER preference_signals_added_sequence AFTER INSERT ON preference_signals BEGIN UPDATE meta SET value = value + 1 WHERE name = 'sequence'; END;
CREATE TRIGGER preference_signals_changed_sequence AFTER UPDATE ON preference_signals BEGIN UPDATE meta SET value = value + 1 WHERE name = 'sequence'; END;
CREATE TRIGGER passports_added_sequence AFTER INSERT ON passports BEGIN UPDATE meta SET value = value + 1 WHERE name = 'sequence'; END;
CREATE TRIGGER passports_changed_sequence AFTER UPDATE ON passports BEGIN UPDATE meta SET value = value + 1 WHERE name = 'sequence'; END;
CREATE TRIGGER readiness_signals_added_sequence AFTER INSERT ON readiness_signals BEGIN UPDATE meta SET value = value + 1 WHERE name = 'sequence'; END;
CREATE TRIGGER readiness_signals_changed_sequence AFTER UPDATE ON readiness_signals BEGIN UPDATE meta SET value = value + 1 WHERE name = 'sequence'; END;
CREATE TRIGGER offers_added_sequence AFTER INSERT ON offers BEGIN UPDATE meta SET value = value + 1 WHERE name = 'sequence'; END;
CREATE TRIGGER offers_changed_sequence AFTER UPDATE ON offers BEGIN UPDATE meta SET value = value + 1 WHERE name = 'sequence'; END;
CREATE TRIGGER demand_added_sequence AFTER INSERT ON demand BEGIN UPDATE meta SET value = value + 1 WHERE name = 'sequence'; END;
CREATE TRIGGER demand_changed_sequence AFTER UPDATE ON demand BEGIN UPDATE meta SET value = value + 1 WHERE name = 'sequence'; END;
CREATE TRIGGER observations_added_sequence AFTER INSERT ON observations BEGIN UPDATE meta SET value = value + 1 WHERE name = 'sequence'; END;
CREATE TRIGGER observations_changed_sequence AFTER UPDATE ON observations BEGIN UPDATE meta SET value = value + 1 WHERE name = 'sequence'; END;
CREATE TRIGGER pages_added_sequence AFTER INSERT ON pages BEGIN UPDATE meta SET value = value + 1 WHERE name = 'sequence'; INSERT INTO page_changes (entry_id, sequence) VALUES (new.entry_id, (SELECT value FROM meta WHERE name = 'sequence')) ON CONFLICT (entry_id) DO UPDATE SET sequence = excluded.sequence; END;
CREATE TRIGGER pages_changed_sequence AFTER UPDATE ON pages BEGIN UPDATE meta SET value = value + 1 WHERE name = 'sequence'; INSERT INTO page_changes (entry_id, sequence) VALUES (new.entry_id, (SELECT value FROM meta WHERE name = 'sequence')) ON CONFLICT (entry_id) DO UPDATE SET sequence = excluded.sequence; END;
CREATE TRIGGER pages_removed_sequence AFTER DELETE ON pages BEGIN UPDATE meta SET value = value + 1 WHERE name = 'sequence'; INSERT INTO page_changes (entry_id, sequence) VALUES (old.entry_id, (SELECT value FROM meta WHERE name = 'sequence')) ON CONFLICT (entry_id) DO UPDATE SET sequence = excluded.sequence; END;
CREATE INDEX host_proofs_by_host ON host_proofs (host);
INSERT INTO host_proofs VALUES('harbor-ledger','harbor-ledger.example','dns_txt','_colophon.harbor-ledger.example','5d41402abc4b2a76b9719d911017c5922c2a1b3d4e5f60718293a4b5c6d7e8f9','2026-11-22T08:00:00Z','2026-11-22T08:00:00Z','2026-11-23T02:00:00Z','2026-11-23T02:00:00Z','');
PRAGMA user_version = 10;
COMMIT;
