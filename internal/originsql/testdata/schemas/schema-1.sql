PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE meta (
  name  TEXT PRIMARY KEY,            -- what: changes
  value INTEGER NOT NULL             -- its value
) STRICT;
INSERT INTO meta VALUES('changes',57);
CREATE TABLE publishers (
  publisher_id  TEXT PRIMARY KEY,           -- public identifier, pub_…
  legal_name    TEXT NOT NULL,              -- name of the organization; public as rights holder only through a passport
  contact_name  TEXT NOT NULL DEFAULT '',   -- private: person to write to
  contact_email TEXT NOT NULL DEFAULT '',   -- private: where notifications go
  private_notes TEXT NOT NULL DEFAULT '',   -- private: the operator's own notes
  created_at    TEXT NOT NULL               -- when the account was made
) STRICT;
INSERT INTO publishers VALUES('pub_asman-e-shab','انجمن آسمان شب','PRIVATE-کیوان رستمی','private-keyvan@asman-e-shab.example','PRIVATE-انجمن دانشجویی است','2025-08-09T08:00:00Z');
INSERT INTO publishers VALUES('pub_harbor-ledger','Harbor Ledger B.V.','PRIVATE-Ada Verbruggen','private-ada@harbor-ledger.example','PRIVATE-pays by the quarter and asks for paper invoices','2025-01-20T08:00:00Z');
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
INSERT INTO sites VALUES('asman-e-shab','pub_asman-e-shab','آسمان شب','https://asman-e-shab.example/','راهنمای رصد آسمان برای تماشاگران با چشم و با تلسکوپ کوچک.','آسمان شب را گروهی از رصدگران در حاشیهٔ کویر می‌نویسند. هر نوشته پس از رصد نوشته می‌شود و ساعت و جای رصد در آن آمده است.','["astronomy","science"]','["fa"]','["IR","AF"]','general','mixed','medium','monthly','','none','',0,'approved','public','2025-08-18T08:00:00Z','PRIVATE-پس از گفت‌وگو پذیرفته شد','PRIVATE-فعلاً درخواست نمی‌پذیرند','2025-08-09T08:00:00Z','2026-04-08T08:00:00Z');
INSERT INTO sites VALUES('harbor-ledger','pub_harbor-ledger','Harbor Ledger','https://harbor-ledger.example/','Daily reporting and reference tables on North Sea ports, tides, berths and pilotage.','Harbor Ledger has kept the books of the North Sea ports since 2003. Its reporters count ships at the berth, read the tide gauges themselves and publish the tables that planners, pilots and insurers work with. Every table names the gauge and the method behind it.','["trade-logistics","ports-shipping"]','["en","nl"]','["NL","GB"]','professional','intermediate','high','daily','https://harbor-ledger.example/licensing/','dns_txt','2026-06-20T08:00:00Z',1,'approved','public','2025-02-03T08:00:00Z','PRIVATE-approved after a call with both editors','PRIVATE-founder knows the chair of the pilots'' association','2025-01-20T08:00:00Z','2026-06-20T08:00:00Z');
CREATE TABLE websites (
  site_id    TEXT NOT NULL REFERENCES sites (site_id), -- owner
  host       TEXT NOT NULL,                            -- lower-case host name
  associated INTEGER NOT NULL DEFAULT 0,               -- control of the host was shown
  method     TEXT NOT NULL DEFAULT 'none',             -- dns_txt, well_known, meta, none
  checked_at TEXT NOT NULL DEFAULT '',                 -- when it was checked
  changed_at TEXT NOT NULL,                            -- last change
  PRIMARY KEY (site_id, host)
) STRICT;
INSERT INTO websites VALUES('asman-e-shab','asman-e-shab.example',0,'none','','2026-04-08T08:00:00Z');
INSERT INTO websites VALUES('harbor-ledger','archive.harbor-ledger.example',0,'none','2026-06-20T08:00:00Z','2026-06-20T08:00:00Z');
INSERT INTO websites VALUES('harbor-ledger','data.harbor-ledger.example',1,'well_known','2026-06-20T08:00:00Z','2026-06-20T08:00:00Z');
INSERT INTO websites VALUES('harbor-ledger','harbor-ledger.example',1,'dns_txt','2026-06-20T08:00:00Z','2026-06-20T08:00:00Z');
CREATE TABLE categories (
  slug        TEXT PRIMARY KEY,             -- public identifier
  label       TEXT NOT NULL,                -- public name
  description TEXT NOT NULL DEFAULT '',     -- public, one sentence
  parent      TEXT NOT NULL DEFAULT '',     -- slug of the wider category
  iab_ids     TEXT NOT NULL DEFAULT '[]',   -- ids in the IAB Content Taxonomy 3.1
  changed_at  TEXT NOT NULL                 -- last change
) STRICT;
INSERT INTO categories VALUES('trade-logistics','Trade and logistics','Ports, carriers, customs and the movement of goods.','','["52"]','2025-01-10T08:00:00Z');
INSERT INTO categories VALUES('ports-shipping','Ports and shipping','Harbours, tides, pilots and the ships that call.','trade-logistics','["52"]','2025-01-10T08:00:00Z');
INSERT INTO categories VALUES('railways','Railways','Lines, rolling stock and the people who keep them running.','trade-logistics','["52","653"]','2025-01-10T08:00:00Z');
INSERT INTO categories VALUES('science','Science','Observation and measurement, from the soil to the stars.','','["464"]','2025-01-10T08:00:00Z');
INSERT INTO categories VALUES('weather-climate','Weather and climate','Forecasts, snow, storms and long records of the air.','science','["464"]','2025-01-10T08:00:00Z');
INSERT INTO categories VALUES('astronomy','Astronomy','The night sky for watchers with and without a telescope.','science','["464"]','2025-01-10T08:00:00Z');
INSERT INTO categories VALUES('open-data','Open data','Measurements published for anyone to use under stated terms.','science','["464","596"]','2025-01-10T08:00:00Z');
INSERT INTO categories VALUES('food-drink','Food and drink','Growing, making and tasting.','','["210"]','2025-01-10T08:00:00Z');
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
INSERT INTO preference_signals VALUES('asman-e-shab','rag','unstated','unknown','[]','','','publisher','2025-08-09T08:00:00Z');
INSERT INTO preference_signals VALUES('asman-e-shab','research','conditional','unknown','["attribution"]','','2025-08-18T08:00:00Z','publisher','2025-08-18T08:00:00Z');
INSERT INTO preference_signals VALUES('asman-e-shab','search_indexing','welcome','allow','[]','','2025-08-18T08:00:00Z','observed','2025-08-18T08:00:00Z');
INSERT INTO preference_signals VALUES('asman-e-shab','training','unstated','disallow','[]','','2025-08-18T08:00:00Z','observed','2025-08-18T08:00:00Z');
INSERT INTO preference_signals VALUES('harbor-ledger','datasets','conditional','unknown','["human_review","payment"]','Tide and berth tables on request.','2025-06-10T08:00:00Z','publisher','2025-06-10T08:00:00Z');
INSERT INTO preference_signals VALUES('harbor-ledger','fine_tuning','not_offered','disallow','[]','','2025-02-03T08:00:00Z','publisher','2025-02-03T08:00:00Z');
INSERT INTO preference_signals VALUES('harbor-ledger','rag','welcome','disallow','["attribution","link_back","payment"]','Grounded answers are our main licence; ask for the tariff.','2025-02-03T08:00:00Z','publisher','2025-02-03T08:00:00Z');
INSERT INTO preference_signals VALUES('harbor-ledger','research','conditional','unknown','["attribution","reporting"]','','2026-01-15T08:00:00Z','publisher','2026-01-15T08:00:00Z');
INSERT INTO preference_signals VALUES('harbor-ledger','search_indexing','welcome','allow','["link_back"]','','2025-02-03T08:00:00Z','observed','2025-02-03T08:00:00Z');
INSERT INTO preference_signals VALUES('harbor-ledger','summarization','conditional','disallow','["attribution","no_full_text","payment"]','At most 600 characters of an article.','2025-06-10T08:00:00Z','publisher','2025-06-10T08:00:00Z');
INSERT INTO preference_signals VALUES('harbor-ledger','syndication','welcome','unknown','["attribution","embargo_hours","payment"]','After an embargo of 24 hours.','2026-01-15T08:00:00Z','publisher','2026-01-15T08:00:00Z');
INSERT INTO preference_signals VALUES('harbor-ledger','training','not_offered','disallow','[]','Not for sale at any price.','2025-02-03T08:00:00Z','publisher','2025-02-03T08:00:00Z');
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
INSERT INTO passports VALUES('asman-e-shab',1,'rp_asman-e-shab_1','انجمن آسمان شب','https://asman-e-shab.example/darbare/','stated_by_publisher','[]','2025-08-18T08:00:00Z','PRIVATE-نامهٔ دانشگاه رسید','2025-08-18T08:00:00Z');
INSERT INTO passports VALUES('harbor-ledger',1,'rp_harbor-ledger_1','Harbor Ledger B.V.','https://harbor-ledger.example/about/','stated_by_publisher','["NL","BE","DE","GB"]','2025-02-03T08:00:00Z','PRIVATE-register extract requested','2025-02-03T08:00:00Z');
INSERT INTO passports VALUES('harbor-ledger',2,'rp_harbor-ledger_2','Harbor Ledger B.V.','https://harbor-ledger.example/about/','domain_verified','["NL","BE","DE","GB","DK","NO"]','2025-09-01T08:00:00Z','PRIVATE-register extract seen, domain record checked','2025-09-01T08:00:00Z');
INSERT INTO passports VALUES('harbor-ledger',3,'rp_harbor-ledger_3','Stichting Harbor Ledger','https://harbor-ledger.example/about/foundation','domain_verified','[]','2026-03-01T08:00:00Z','PRIVATE-rights moved to the foundation, deed on file','2026-03-01T08:00:00Z');
CREATE TABLE readiness_signals (
  site_id    TEXT NOT NULL REFERENCES sites (site_id), -- owner
  signal     TEXT NOT NULL,                 -- closed list of twelve
  state      TEXT NOT NULL,                 -- found, not_found, stale, not_applicable, unchecked
  evidence   TEXT NOT NULL DEFAULT '',      -- public address of the evidence
  checked_at TEXT NOT NULL DEFAULT '',      -- when it was checked
  changed_at TEXT NOT NULL,                 -- last change
  PRIMARY KEY (site_id, signal)
) STRICT;
INSERT INTO readiness_signals VALUES('asman-e-shab','adapter','unchecked','','2026-04-08T08:00:00Z','2026-04-08T08:00:00Z');
INSERT INTO readiness_signals VALUES('harbor-ledger','adapter','found','https://harbor-ledger.example/.well-known/adapter.json','2026-06-18T08:00:00Z','2026-06-18T08:00:00Z');
INSERT INTO readiness_signals VALUES('harbor-ledger','edge_access_control','found','https://harbor-ledger.example/.well-known/service-access-response.json','2026-06-18T08:00:00Z','2026-06-18T08:00:00Z');
INSERT INTO readiness_signals VALUES('harbor-ledger','integration_hub','not_found','','2026-06-18T08:00:00Z','2026-06-18T08:00:00Z');
INSERT INTO readiness_signals VALUES('harbor-ledger','signed_receipts','found','https://harbor-ledger.example/receipts/','2026-06-18T08:00:00Z','2026-06-18T08:00:00Z');
INSERT INTO readiness_signals VALUES('harbor-ledger','urvp','found','https://harbor-ledger.example/.well-known/urvp.json','2026-06-18T08:00:00Z','2026-06-18T08:00:00Z');
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
INSERT INTO pages VALUES('ent_004009e58de69c50bfefa9a0','asman-e-shab','https://asman-e-shab.example/amuzesh/kudak-zohal','زحل برای بچه‌ها: یک شب و چند پرسش','["آرش نیک‌فر"]','amuzesh','["آموزش","کودکان","پرسش","زحل"]','fa','html',118,'2021-07-28T09:06:00Z','','2026-04-05T17:08:00Z','2026-04-05T17:08:00Z','active','9ee7b8c46c95fac648ac89c34a197c4134ad108ebfc1fa7c01165658ce6e5832','66893915c9a3ffbca8b2dba7ccb77620ff5245dff03513dc0295e0c7f22b3a6b','written');
INSERT INTO pages VALUES('ent_0a9b437f0b5ef22f9e839718','harbor-ledger','https://harbor-ledger.example/shipping/ferry-ostend','The ferry berth at Ostend in winter','["Mara Lindqvist","Joan Carrow"]','shipping','["ferries","winter","timetable","ostend","belgium"]','en','html',188,'2024-09-27T15:47:00Z','','2026-01-02T07:15:00Z','2026-01-02T07:15:00Z','active','4c3c50f574837ff964716911d6bce616950829e491bcf57826b5a6ef8c217e19','e1c5ad7712fb4ee32b0c888a5827e8d41e77ed8a9ff074f00757e8ab1ac4c058','written');
INSERT INTO pages VALUES('ent_103a8c792d70b8e9d6cbee76','asman-e-shab','https://asman-e-shab.example/tarikh/tarikh-jabbar','صورت فلکی جبار در دفتر منجمان قدیم','["آرش نیک‌فر"]','tarikh','["تاریخ نجوم","منجمان","صورت فلکی","جبار"]','fa','html',125,'2023-11-04T12:39:00Z','2024-04-20T09:24:00Z','2026-02-09T12:27:00Z','2026-02-09T12:27:00Z','active','cfc4f427af00a25111b14162dc67173235bd9b67e7bd5d13e65bcd358efcc2b9','9502a032136afd26101a6d232ad2768fc1541b44daa0a5776f227fd1578bf6b0','written');
INSERT INTO pages VALUES('ent_24dcede06597b8306b4e7a6b','harbor-ledger','https://harbor-ledger.example/trade/customs-felixstowe','A day at the customs desk in Felixstowe','[]','trade','["customs","declarations","inspection","felixstowe","united kingdom"]','en','html',202,'2023-08-06T08:57:00Z','2024-04-02T12:27:00Z','2026-02-13T13:22:00Z','2026-02-13T13:22:00Z','active','7f4ca71f245a629d7b13e050a256d54a50138185757085ba2d422c0ed7941f1b','2787b7143b2faf222bf39b0e3603c48539701d965403eeba85796133cb2681d7','written');
CREATE TABLE bodies (
  entry_id   TEXT PRIMARY KEY,              -- the page, whose row is written after its body
  text       TEXT NOT NULL,                 -- private: main text
  markdown   TEXT NOT NULL DEFAULT '',      -- private: main text as Markdown
  html       TEXT NOT NULL DEFAULT '',      -- private: main text as sanitised HTML
  sha256     TEXT NOT NULL,                 -- private: hex digest of text
  changed_at TEXT NOT NULL                  -- last change
) STRICT;
INSERT INTO bodies VALUES('ent_004009e58de69c50bfefa9a0',replace('بچه‌ها دربارهٔ زحل می‌پرسند چرا نمی‌افتد، و پرسش درستی است. با یک توپ، یک چراغ و 4 قدم فاصله می‌شود نیمی از پاسخ‌ها را نشان داد. مدرسهٔ ما 28 دانش‌آموز را به پشت‌بام برد و هیچ‌کس سردش نشد.\n\nتیتان را با تلسکوپ کوچک هم می‌شود دید. نخستین نگاه به حلقه‌ها را هیچ‌کس فراموش نمی‌کند. حلقه‌ها امسال باریک‌اند، چون از پهلو نگاهشان می‌کنیم.\n\nهر کس نقاشی کشید و زیرش نوشت چه ساعتی بود. خطاهای نقاشی‌ها را پاک نکردیم، چون از همان‌ها فهمیدیم چه دیده‌اند. شب که تمام شد، بلندترین صدا این بود: دوباره کی؟\n\nبه خورشید هرگز بدون صافی نگاه نکنید. جای رصد را تمیزتر از آنچه یافتید ترک کنید. هوای شب رصد در دفتر انجمن ثبت شده است.','\n',char(10)),replace('# زحل برای بچه‌ها: یک شب و چند پرسش\n\nبچه‌ها دربارهٔ زحل می‌پرسند چرا نمی‌افتد، و پرسش درستی است. با یک توپ، یک چراغ و 4 قدم فاصله می‌شود نیمی از پاسخ‌ها را نشان داد. مدرسهٔ ما 28 دانش‌آموز را به پشت‌بام برد و هیچ‌کس سردش نشد.\n\nتیتان را با تلسکوپ کوچک هم می‌شود دید. نخستین نگاه به حلقه‌ها را هیچ‌کس فراموش نمی‌کند. حلقه‌ها امسال باریک‌اند، چون از پهلو نگاهشان می‌کنیم.\n\nهر کس نقاشی کشید و زیرش نوشت چه ساعتی بود. خطاهای نقاشی‌ها را پاک نکردیم، چون از همان‌ها فهمیدیم چه دیده‌اند. شب که تمام شد، بلندترین صدا این بود: دوباره کی؟\n\nبه خورشید هرگز بدون صافی نگاه نکنید. جای رصد را تمیزتر از آنچه یافتید ترک کنید. هوای شب رصد در دفتر انجمن ثبت شده است.\n','\n',char(10)),replace('<article lang="fa">\n<h1>زحل برای بچه‌ها: یک شب و چند پرسش</h1>\n<p>بچه‌ها دربارهٔ زحل می‌پرسند چرا نمی‌افتد، و پرسش درستی است. با یک توپ، یک چراغ و 4 قدم فاصله می‌شود نیمی از پاسخ‌ها را نشان داد. مدرسهٔ ما 28 دانش‌آموز را به پشت‌بام برد و هیچ‌کس سردش نشد.</p>\n<p>تیتان را با تلسکوپ کوچک هم می‌شود دید. نخستین نگاه به حلقه‌ها را هیچ‌کس فراموش نمی‌کند. حلقه‌ها امسال باریک‌اند، چون از پهلو نگاهشان می‌کنیم.</p>\n<p>هر کس نقاشی کشید و زیرش نوشت چه ساعتی بود. خطاهای نقاشی‌ها را پاک نکردیم، چون از همان‌ها فهمیدیم چه دیده‌اند. شب که تمام شد، بلندترین صدا این بود: دوباره کی؟</p>\n<p>به خورشید هرگز بدون صافی نگاه نکنید. جای رصد را تمیزتر از آنچه یافتید ترک کنید. هوای شب رصد در دفتر انجمن ثبت شده است.</p>\n</article>\n','\n',char(10)),'a694e9f8ae74ce63a2ee5e2ab0bab791e649be1abb99fea4f1687a82d3fc94bd','2026-04-05T17:08:00Z');
INSERT INTO bodies VALUES('ent_0a9b437f0b5ef22f9e839718',replace('In January the ferry berth at Ostend works with two ramps and one prayer. Sailings are cancelled when the swell at the outer buoy passes 38 decimetres for an hour. Lorries that miss the boat park on the old coal quay, which has room for 98 of them.\n\nThe tidal range approaches five metres at springs, and ladders are longer than they look. The fish stair sells what the small boats land within an hour of mooring. A sluice keeps the yacht basin level while the outer port rises and falls. Fast ferries left years ago, and survey ships have taken their berths.\n\nThe timetable allows 43 minutes to unload, and in frost the crew spreads grit first. Over five winters the berth lost 4 days a year to weather and fewer than two to breakdowns. Regular passengers at Ostend know that the canteen closes only when the last driver has eaten.\n\nAll times are local, and all weights are metric tonnes. None of the masters we spoke to wished to be named. Our figures come from the harbour office, checked against the positions that ships broadcast themselves.','\n',char(10)),replace('# The ferry berth at Ostend in winter\n\nIn January the ferry berth at Ostend works with two ramps and one prayer. Sailings are cancelled when the swell at the outer buoy passes 38 decimetres for an hour. Lorries that miss the boat park on the old coal quay, which has room for 98 of them.\n\nThe tidal range approaches five metres at springs, and ladders are longer than they look. The fish stair sells what the small boats land within an hour of mooring. A sluice keeps the yacht basin level while the outer port rises and falls. Fast ferries left years ago, and survey ships have taken their berths.\n\nThe timetable allows 43 minutes to unload, and in frost the crew spreads grit first. Over five winters the berth lost 4 days a year to weather and fewer than two to breakdowns. Regular passengers at Ostend know that the canteen closes only when the last driver has eaten.\n\nAll times are local, and all weights are metric tonnes. None of the masters we spoke to wished to be named. Our figures come from the harbour office, checked against the positions that ships broadcast themselves.\n','\n',char(10)),replace('<article lang="en">\n<h1>The ferry berth at Ostend in winter</h1>\n<p>In January the ferry berth at Ostend works with two ramps and one prayer. Sailings are cancelled when the swell at the outer buoy passes 38 decimetres for an hour. Lorries that miss the boat park on the old coal quay, which has room for 98 of them.</p>\n<p>The tidal range approaches five metres at springs, and ladders are longer than they look. The fish stair sells what the small boats land within an hour of mooring. A sluice keeps the yacht basin level while the outer port rises and falls. Fast ferries left years ago, and survey ships have taken their berths.</p>\n<p>The timetable allows 43 minutes to unload, and in frost the crew spreads grit first. Over five winters the berth lost 4 days a year to weather and fewer than two to breakdowns. Regular passengers at Ostend know that the canteen closes only when the last driver has eaten.</p>\n<p>All times are local, and all weights are metric tonnes. None of the masters we spoke to wished to be named. Our figures come from the harbour office, checked against the positions that ships broadcast themselves.</p>\n</article>\n','\n',char(10)),'7d882492f9c79717085a115699127ac8f542bef6fb9ee78fdedf9b9f5df2d7f3','2026-01-02T07:15:00Z');
INSERT INTO bodies VALUES('ent_103a8c792d70b8e9d6cbee76',replace('منجمان قدیم صورت فلکی جبار را با نام‌هایی می‌شناختند که هنوز در دهان ماست. در یک نسخهٔ خطی 138 برگی، جای آن با مرکب سرخ نشان شده است. اندازه‌گیری‌شان با چشم و حلقهٔ برنجی بود و خطایش از 6 دقیقهٔ قوس نمی‌گذشت.\n\nسحابی زیر کمربند لکه‌ای خاکستری است که می‌درخشد. زمستان با برآمدن آن آغاز می‌شود. شانهٔ سرخ و پای آبی آن را با چشم مقایسه کنید.\n\nداستان‌هایی که دربارهٔ صورت فلکی جبار می‌گفتند، برای به‌خاطر سپردن راه بود نه برای خواب. کاروان‌ها شب راه می‌رفتند و ستاره‌ها تابلو راه بودند. ما همان رصد را تکرار کردیم و از دقت آنان شرمنده شدیم.\n\nاگر رصدی متفاوت داشتید برایمان بنویسید. جای رصد را تمیزتر از آنچه یافتید ترک کنید. به خورشید هرگز بدون صافی نگاه نکنید.','\n',char(10)),replace('# صورت فلکی جبار در دفتر منجمان قدیم\n\nمنجمان قدیم صورت فلکی جبار را با نام‌هایی می‌شناختند که هنوز در دهان ماست. در یک نسخهٔ خطی 138 برگی، جای آن با مرکب سرخ نشان شده است. اندازه‌گیری‌شان با چشم و حلقهٔ برنجی بود و خطایش از 6 دقیقهٔ قوس نمی‌گذشت.\n\nسحابی زیر کمربند لکه‌ای خاکستری است که می‌درخشد. زمستان با برآمدن آن آغاز می‌شود. شانهٔ سرخ و پای آبی آن را با چشم مقایسه کنید.\n\nداستان‌هایی که دربارهٔ صورت فلکی جبار می‌گفتند، برای به‌خاطر سپردن راه بود نه برای خواب. کاروان‌ها شب راه می‌رفتند و ستاره‌ها تابلو راه بودند. ما همان رصد را تکرار کردیم و از دقت آنان شرمنده شدیم.\n\nاگر رصدی متفاوت داشتید برایمان بنویسید. جای رصد را تمیزتر از آنچه یافتید ترک کنید. به خورشید هرگز بدون صافی نگاه نکنید.\n','\n',char(10)),replace('<article lang="fa">\n<h1>صورت فلکی جبار در دفتر منجمان قدیم</h1>\n<p>منجمان قدیم صورت فلکی جبار را با نام‌هایی می‌شناختند که هنوز در دهان ماست. در یک نسخهٔ خطی 138 برگی، جای آن با مرکب سرخ نشان شده است. اندازه‌گیری‌شان با چشم و حلقهٔ برنجی بود و خطایش از 6 دقیقهٔ قوس نمی‌گذشت.</p>\n<p>سحابی زیر کمربند لکه‌ای خاکستری است که می‌درخشد. زمستان با برآمدن آن آغاز می‌شود. شانهٔ سرخ و پای آبی آن را با چشم مقایسه کنید.</p>\n<p>داستان‌هایی که دربارهٔ صورت فلکی جبار می‌گفتند، برای به‌خاطر سپردن راه بود نه برای خواب. کاروان‌ها شب راه می‌رفتند و ستاره‌ها تابلو راه بودند. ما همان رصد را تکرار کردیم و از دقت آنان شرمنده شدیم.</p>\n<p>اگر رصدی متفاوت داشتید برایمان بنویسید. جای رصد را تمیزتر از آنچه یافتید ترک کنید. به خورشید هرگز بدون صافی نگاه نکنید.</p>\n</article>\n','\n',char(10)),'626c1c9685052d136a97c9c9d13d3c6bcf9a11534e4fddcf702b1dfe6c81feaa','2026-02-09T12:27:00Z');
INSERT INTO bodies VALUES('ent_24dcede06597b8306b4e7a6b',replace('The customs desk in Felixstowe opens at five, when the night ferry has rung off its engines. About 4 in every hundred declarations are looked at by a person, and most of those are cleared in an hour. The commonest mistake is a wrong weight, and the second is a missing stamp on a veterinary paper.\n\nBoxes are stacked six high, and the plan of the stack is redrawn every few minutes. The rail terminal sends more than thirty trains a day inland. On still nights one hears the cranes from the other bank of the estuary. A small museum keeps the log books of the harbour master from before the boxes came.\n\nInspectors open 31 containers on an ordinary day and reseal them with a numbered bolt. Small importers fare better when they send the papers a day before the goods. By evening the desk in Felixstowe has moved more paper than freight, as one officer likes to say.\n\nInsurance adds to every one of these costs, though nobody publishes by how much. Our figures come from the harbour office, checked against the positions that ships broadcast themselves. A longer table with every ship by name is kept in the archive.','\n',char(10)),replace('# A day at the customs desk in Felixstowe\n\nThe customs desk in Felixstowe opens at five, when the night ferry has rung off its engines. About 4 in every hundred declarations are looked at by a person, and most of those are cleared in an hour. The commonest mistake is a wrong weight, and the second is a missing stamp on a veterinary paper.\n\nBoxes are stacked six high, and the plan of the stack is redrawn every few minutes. The rail terminal sends more than thirty trains a day inland. On still nights one hears the cranes from the other bank of the estuary. A small museum keeps the log books of the harbour master from before the boxes came.\n\nInspectors open 31 containers on an ordinary day and reseal them with a numbered bolt. Small importers fare better when they send the papers a day before the goods. By evening the desk in Felixstowe has moved more paper than freight, as one officer likes to say.\n\nInsurance adds to every one of these costs, though nobody publishes by how much. Our figures come from the harbour office, checked against the positions that ships broadcast themselves. A longer table with every ship by name is kept in the archive.\n','\n',char(10)),replace('<article lang="en">\n<h1>A day at the customs desk in Felixstowe</h1>\n<p>The customs desk in Felixstowe opens at five, when the night ferry has rung off its engines. About 4 in every hundred declarations are looked at by a person, and most of those are cleared in an hour. The commonest mistake is a wrong weight, and the second is a missing stamp on a veterinary paper.</p>\n<p>Boxes are stacked six high, and the plan of the stack is redrawn every few minutes. The rail terminal sends more than thirty trains a day inland. On still nights one hears the cranes from the other bank of the estuary. A small museum keeps the log books of the harbour master from before the boxes came.</p>\n<p>Inspectors open 31 containers on an ordinary day and reseal them with a numbered bolt. Small importers fare better when they send the papers a day before the goods. By evening the desk in Felixstowe has moved more paper than freight, as one officer likes to say.</p>\n<p>Insurance adds to every one of these costs, though nobody publishes by how much. Our figures come from the harbour office, checked against the positions that ships broadcast themselves. A longer table with every ship by name is kept in the archive.</p>\n</article>\n','\n',char(10)),'ed2fe9a4ad663eed5e0102eceffc2d20fe0f2a3d965cbdba3f28448d49f5125e','2026-02-13T13:22:00Z');
CREATE TABLE records (
  entry_id   TEXT NOT NULL REFERENCES pages (entry_id), -- the page
  version    INTEGER NOT NULL,              -- 1, 2, …; the highest is current
  sha256     TEXT NOT NULL,                 -- hex digest of record
  facts      TEXT NOT NULL,                 -- hex digest of what the record states, to see whether a new one is due
  created    TEXT NOT NULL,                 -- proof.created
  record     TEXT NOT NULL,                 -- the signed provenance record, canonical JSON
  PRIMARY KEY (entry_id, version)
) STRICT;
INSERT INTO records VALUES('ent_004009e58de69c50bfefa9a0',1,'b386f331f2bcde11c3f444b9ac05139bb9e453bc726b4646c6b2bd992323336d','0ceb6fd0f4b2a3a65bc2d17db7e953a3b7a8698c0c274b7e86765f3c5dc3e128','2026-11-22T13:51:11Z','{"canonical_url":"https://asman-e-shab.example/amuzesh/kudak-zohal","entry_id":"ent_004009e58de69c50bfefa9a0","fingerprints":{"portable":{"algorithm":"sha-256","digest":"9ee7b8c46c95fac648ac89c34a197c4134ad108ebfc1fa7c01165658ce6e5832","profile":"service.canonical-text.v1"},"registry":{"algorithm":"sha-256","digest":"66893915c9a3ffbca8b2dba7ccb77620ff5245dff03513dc0295e0c7f22b3a6b"}},"proof":{"created":"2026-11-22T13:51:11Z","cryptosuite":"eddsa-ed25519-service-2026","key_id":"KC02K5Dph1qoUgsiPaXedkINGdG8Rav6z2cHkkASs8U","signature_b64u":"gLemM6wYkNEnB7Cgexzqmbkv5F1LgIePa7f9OPjCQaQjkJxKpwZdE3od_x4Flzhz_fjnxy_YqcmudpVP_vCiAA"},"publisher_id":"pub_asman-e-shab","record_version":1,"rights_passport":{"acquire":"/v1/agent/licensing-intent/prepare","as_of":"2026-11-22T13:51:11Z","grants_rights":false,"license_ids":[],"live_url":"http://127.0.0.1:8787/v1/public/rights/check?entry_id=ent_004009e58de69c50bfefa9a0","not_permission":true,"passport_id":"rp_asman-e-shab_1","passport_version":"service.rights-passport.v1","rights_holder":{"basis":"stated_by_publisher","name":"انجمن آسمان شب","url":"https://asman-e-shab.example/darbare/"},"rights_vector":"DDDlDDUL","state":"inquiry_only","territories":[],"version":1},"schema_version":"service.contentdna-provenance.v1","site_id":"asman-e-shab","source":{"byline":["آرش نیک‌فر"],"content_format":"html","extraction":"written","language":"fa","published_at":"2021-07-28T09:06:00Z","section":"amuzesh","title":"زحل برای بچه‌ها: یک شب و چند پرسش","word_count":118}}');
INSERT INTO records VALUES('ent_0a9b437f0b5ef22f9e839718',1,'62571e3cdb711323fd81cdd15c7887614403f7010e01c034cd3533899482138c','aae177f6c2d4cddcf31f7ce00f6d0af0b3c6734122ed24f715ca9ec37d90608f','2026-11-22T13:51:11Z','{"canonical_url":"https://harbor-ledger.example/shipping/ferry-ostend","entry_id":"ent_0a9b437f0b5ef22f9e839718","fingerprints":{"portable":{"algorithm":"sha-256","digest":"4c3c50f574837ff964716911d6bce616950829e491bcf57826b5a6ef8c217e19","profile":"service.canonical-text.v1"},"registry":{"algorithm":"sha-256","digest":"e1c5ad7712fb4ee32b0c888a5827e8d41e77ed8a9ff074f00757e8ab1ac4c058"}},"proof":{"created":"2026-11-22T13:51:11Z","cryptosuite":"eddsa-ed25519-service-2026","key_id":"KC02K5Dph1qoUgsiPaXedkINGdG8Rav6z2cHkkASs8U","signature_b64u":"T8J9DKefC1lqqYXRHdGbm2lq_by5Cp0KVktmMc8ahz8xzDq0nthHZSuO_KXgCXtUWSLOuMZemsmmcjV9jloVBQ"},"publisher_id":"pub_harbor-ledger","record_version":1,"rights_passport":{"acquire":"/v1/agent/licensing-intent/prepare","as_of":"2026-11-22T13:51:11Z","grants_rights":false,"license_ids":["lic_bcml5tg565gk6ktwxystszgqmr","lic_eeyb7tuueolkzl2medg5ul3mqr"],"live_url":"http://127.0.0.1:8787/v1/public/rights/check?entry_id=ent_0a9b437f0b5ef22f9e839718","not_permission":true,"passport_id":"rp_harbor-ledger_3","passport_version":"service.rights-passport.v1","rights_holder":{"basis":"domain_verified","name":"Stichting Harbor Ledger","url":"https://harbor-ledger.example/about/foundation"},"rights_vector":"LDDSLLLU","state":"inquiry_only","territories":[],"version":3},"schema_version":"service.contentdna-provenance.v1","site_id":"harbor-ledger","source":{"byline":["Mara Lindqvist","Joan Carrow"],"content_format":"html","extraction":"written","language":"en","published_at":"2024-09-27T15:47:00Z","section":"shipping","title":"The ferry berth at Ostend in winter","word_count":188}}');
INSERT INTO records VALUES('ent_103a8c792d70b8e9d6cbee76',1,'663154eb20ad6e2977380ac5cb5212d6b058d1328fdd458051869bbf3ebf80f8','708f93e54299f8f958ebf7c9d4a3fb89403ea0338ccf9d90f2608120e7aef713','2026-11-22T13:51:11Z','{"canonical_url":"https://asman-e-shab.example/tarikh/tarikh-jabbar","entry_id":"ent_103a8c792d70b8e9d6cbee76","fingerprints":{"portable":{"algorithm":"sha-256","digest":"cfc4f427af00a25111b14162dc67173235bd9b67e7bd5d13e65bcd358efcc2b9","profile":"service.canonical-text.v1"},"registry":{"algorithm":"sha-256","digest":"9502a032136afd26101a6d232ad2768fc1541b44daa0a5776f227fd1578bf6b0"}},"proof":{"created":"2026-11-22T13:51:11Z","cryptosuite":"eddsa-ed25519-service-2026","key_id":"KC02K5Dph1qoUgsiPaXedkINGdG8Rav6z2cHkkASs8U","signature_b64u":"8h9P-cSI3ceJHiEO2BB5Fobr34CMFiq-x3yiehS9Vwm6peaejOKcpq3n6CqWQd5YBgXGhHRb8KWLPv98ec5mCw"},"publisher_id":"pub_asman-e-shab","record_version":1,"rights_passport":{"acquire":"/v1/agent/licensing-intent/prepare","as_of":"2026-11-22T13:51:11Z","grants_rights":false,"license_ids":[],"live_url":"http://127.0.0.1:8787/v1/public/rights/check?entry_id=ent_103a8c792d70b8e9d6cbee76","not_permission":true,"passport_id":"rp_asman-e-shab_1","passport_version":"service.rights-passport.v1","rights_holder":{"basis":"stated_by_publisher","name":"انجمن آسمان شب","url":"https://asman-e-shab.example/darbare/"},"rights_vector":"DDDlDDUL","state":"inquiry_only","territories":[],"version":1},"schema_version":"service.contentdna-provenance.v1","site_id":"asman-e-shab","source":{"byline":["آرش نیک‌فر"],"content_format":"html","extraction":"written","language":"fa","modified_at":"2024-04-20T09:24:00Z","published_at":"2023-11-04T12:39:00Z","section":"tarikh","title":"صورت فلکی جبار در دفتر منجمان قدیم","word_count":125}}');
INSERT INTO records VALUES('ent_24dcede06597b8306b4e7a6b',1,'4ebe44cadb6ec861600cbefab0f345177cf01b19c9349f48bbb204eafdbaea80','4cff7599f36c8700104af68b6a535ac4a44930b792b8d6a67872da43489eee14','2026-11-22T13:51:11Z','{"canonical_url":"https://harbor-ledger.example/trade/customs-felixstowe","entry_id":"ent_24dcede06597b8306b4e7a6b","fingerprints":{"portable":{"algorithm":"sha-256","digest":"7f4ca71f245a629d7b13e050a256d54a50138185757085ba2d422c0ed7941f1b","profile":"service.canonical-text.v1"},"registry":{"algorithm":"sha-256","digest":"2787b7143b2faf222bf39b0e3603c48539701d965403eeba85796133cb2681d7"}},"proof":{"created":"2026-11-22T13:51:11Z","cryptosuite":"eddsa-ed25519-service-2026","key_id":"KC02K5Dph1qoUgsiPaXedkINGdG8Rav6z2cHkkASs8U","signature_b64u":"L4LCYXPZB4YwFrISCCyU09Zg7eAia2grxU4d4Ycu5OHO_GCiQJNfxhjaQI5p36u8yPXg1NifcD79DFBAan21Dw"},"publisher_id":"pub_harbor-ledger","record_version":1,"rights_passport":{"acquire":"/v1/agent/licensing-intent/prepare","as_of":"2026-11-22T13:51:11Z","grants_rights":false,"license_ids":[],"live_url":"http://127.0.0.1:8787/v1/public/rights/check?entry_id=ent_24dcede06597b8306b4e7a6b","not_permission":true,"passport_id":"rp_harbor-ledger_3","passport_version":"service.rights-passport.v1","rights_holder":{"basis":"domain_verified","name":"Stichting Harbor Ledger","url":"https://harbor-ledger.example/about/foundation"},"rights_vector":"LDDSLLUU","state":"inquiry_only","territories":[],"version":3},"schema_version":"service.contentdna-provenance.v1","site_id":"harbor-ledger","source":{"content_format":"html","extraction":"written","language":"en","modified_at":"2024-04-02T12:27:00Z","published_at":"2023-08-06T08:57:00Z","section":"trade","title":"A day at the customs desk in Felixstowe","word_count":202}}');
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
) STRICT;
INSERT INTO offers VALUES('lic_bcml5tg565gk6ktwxystszgqmr','harbor-ledger','grounding','custom','offered','Grounded answers from Harbor Ledger','section','["/shipping/*","/pilots/*","/berths/*"]','["/shipping/members/*"]','["html","dataset"]','','["rag","summarization"]','["training","fine_tuning"]','["commercial","government"]','["NL","BE","DE","GB"]','[]','use','0.015','EUR','grounded_answer','link',600,72,'https://harbor-ledger.example/licensing/reporting-profile','https://harbor-ledger.example/licensing/grounding-v3','3','bfc0b0ac7fc69a1b4f467086ec3dc0d4c6b822c6b7a47ce3565973fc586610d1','text/plain','2026-03-01T08:00:00Z','','lic_upu6ome5x55ass27ier2bjgllf','PRIVATE-floor price 0.011 for more than a million answers','2026-03-01T08:00:00Z');
INSERT INTO offers VALUES('lic_upu6ome5x55ass27ier2bjgllf','harbor-ledger','grounding-2025','custom','retired','Grounded answers from Harbor Ledger, first tariff','site','[]','[]','[]','','["rag"]','[]','["commercial"]','["NL","BE"]','[]','use','0.010','EUR','grounded_answer','name',0,0,'','','','','','2025-03-01T08:00:00Z','2026-02-28T08:00:00Z','','PRIVATE-two customers remain on this tariff by letter','2026-03-01T08:00:00Z');
INSERT INTO offers VALUES('lic_tgy6lt3l2bk4zkc2g3u5ojclek','harbor-ledger','tide-data','custom','paused','Tide and berth tables as data','collection','["/shipping/tide-*"]','[]','["dataset","html"]','','["datasets","research"]','[]','["education","government","commercial"]','[]','[]','purchase','1900','EUR','year_of_tables','link',0,0,'','','','','','2025-07-01T08:00:00Z','','','PRIVATE-paused until the gauge contract is renewed','2026-04-14T08:00:00Z');
INSERT INTO offers VALUES('lic_eeyb7tuueolkzl2medg5ul3mqr','harbor-ledger','wire','standard','offered','Harbor wire for partner newsrooms','site','[]','["/shipping/members/*"]','[]','2024-01-01T08:00:00Z','["syndication"]','["training"]','[]','[]','[]','subscription','480','EUR','month','name',0,168,'','https://harbor-ledger.example/licensing/wire-v1','1','a9063b1cc8b7d1a83e505fe758786e2f3931ef65c5082d5e86599b296755b445','text/plain','2025-05-01T08:00:00Z','','','PRIVATE-discount of twenty per cent for local papers','2025-05-01T08:00:00Z');
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
INSERT INTO demand VALUES('dem_kjtgpd4wroc67ghc62ibsgopfc','Grounded answers about tides, berths and pilotage for a vessel planning tool','["rag","summarization"]','["trade-logistics","ports-shipping"]','["html","dataset"]','["en","nl"]','["NL","DE","GB"]','commercial','200,000 answers a month','2,000 to 5,000 EUR a month','Before the winter schedule','Northquay Routing',1,'2026-03-02T08:00:00Z','2028-03-01T08:00:00Z','PRIVATE-Jolanda Prins','private-jolanda@northquay.example','PRIVATE-tide tables AND pilotage since:2024','PRIVATE-second call held','PRIVATE-prefers a yearly contract and fears lock-in','2026-03-02T08:00:00Z');
INSERT INTO demand VALUES('dem_l727237b7b4xexbpldrphmcrin','Mountain weather archives for a training course of rescue volunteers','["research","training"]','["weather-climate"]','["html"]','["de"]','["AT","DE","CH"]','non_commercial','One archive of about 10,000 pages','Reimbursement of costs','By the end of the year','',1,'2026-02-11T08:00:00Z','2027-12-31T08:00:00Z','PRIVATE-Benedikt Moser','private-benedikt@bergretter.example','PRIVATE-lawine OR altschnee','PRIVATE-waiting for the board','PRIVATE-association with no budget of its own','2026-02-11T08:00:00Z');
INSERT INTO demand VALUES('dem_q6tain7dn6j3zuhfxik5ui2h3p','A lexicon of French baking terms with quotations','["datasets","fine_tuning"]','["baking","food-drink"]','["text","html"]','["fr"]','["FR","BE","CH","CA"]','education','3,000 short quotations','Up to 4,000 EUR once','Two semesters','Lexique du Goût',1,'2026-01-20T08:00:00Z','2028-01-20T08:00:00Z','PRIVATE-Solène Marchand','private-solene@lexique.example','PRIVATE-levain pain croûte','PRIVATE-legal review','PRIVATE-asks for a discount as a school','2026-01-20T08:00:00Z');
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
INSERT INTO observations VALUES('asman-e-shab','ai_txt','https://asman-e-shab.example/ai.txt',404,'','','','2026-05-11T22:00:02Z','');
INSERT INTO observations VALUES('asman-e-shab','robots','https://asman-e-shab.example/robots.txt',200,'text/plain',replace('User-agent: *\nCrawl-delay: 10\n\nUser-agent: CCBot\nDisallow: /\n','\n',char(10)),'aeed4ddbd49817a63f841621fab1c39b79f1dea01d41fb387406b26dd2b2578c','2026-05-11T22:00:00Z','2026-05-12T22:00:00Z');
INSERT INTO observations VALUES('harbor-ledger','ai_txt','https://harbor-ledger.example/ai.txt',404,'','','','2026-06-19T04:10:06Z','');
INSERT INTO observations VALUES('harbor-ledger','aipref_header','https://harbor-ledger.example/shipping/tide-tables-2026',200,'text/html; charset=utf-8',replace('Content-Usage: train-ai=n\n','\n',char(10)),'4bf447644d7301d6de1be971702f709172204e2ba5cdcb0e93b7d00f9fdc1367','2026-06-19T04:10:02Z','2026-06-20T04:10:02Z');
INSERT INTO observations VALUES('harbor-ledger','aipref_robots','https://harbor-ledger.example/robots.txt',200,'text/plain; charset=utf-8',replace('User-agent: *\nContent-Usage: train-ai=n, search=y\nContent-Usage: /shipping/members/ search=n\n','\n',char(10)),'3d9aad36606ae1d182596cba4d412354a1c0dc1e0c03e0f1b621ba1c55da6381','2026-06-19T04:10:00Z','2026-06-20T04:10:00Z');
INSERT INTO observations VALUES('harbor-ledger','robots','https://harbor-ledger.example/robots.txt',200,'text/plain; charset=utf-8',replace('# Harbor Ledger\nUser-agent: *\nDisallow: /shipping/members/\nAllow: /\n\nUser-agent: GPTBot\nUser-agent: CCBot\nDisallow: /\n\nLicense: https://harbor-ledger.example/license.xml\nSitemap: https://harbor-ledger.example/sitemap.xml\n','\n',char(10)),'f27e5f0b5ef75d01cd39357c9f66c682a5dd006214f2f8486e7e8a7641523a7d','2026-06-19T04:10:00Z','2026-06-20T04:10:00Z');
INSERT INTO observations VALUES('harbor-ledger','rsl','https://harbor-ledger.example/license.xml',200,'application/rsl+xml',replace('<?xml version="1.0" encoding="UTF-8"?>\n<rsl xmlns="https://rslstandard.org/rsl">\n  <content url="/shipping/*">\n    <license>\n      <permits type="usage">ai-input search</permits>\n      <prohibits type="usage">ai-train</prohibits>\n      <payment type="use">\n        <custom>https://harbor-ledger.example/licensing/</custom>\n        <amount currency="EUR">0.015</amount>\n      </payment>\n    </license>\n  </content>\n</rsl>\n','\n',char(10)),'a5685e0a4d1787baa0c27c733d19241b60551e5fd9556868a5c223db6f44ee5c','2026-06-19T04:10:01Z','2026-07-19T04:10:01Z');
INSERT INTO observations VALUES('harbor-ledger','tdm_policy','https://harbor-ledger.example/policies/tdm.jsonld',200,'application/ld+json',replace('{\n  "@context": ["http://www.w3.org/ns/odrl.jsonld", {"tdm": "http://www.w3.org/ns/tdmrep#"}],\n  "@type": "Offer",\n  "profile": "http://www.w3.org/ns/tdmrep",\n  "uid": "https://harbor-ledger.example/policies/tdm.jsonld",\n  "assigner": {\n    "uid": "https://harbor-ledger.example/",\n    "vcard:fn": "Harbor Ledger",\n    "vcard:hasURL": "https://harbor-ledger.example/licensing/"\n  },\n  "permission": [\n    {\n      "target": "https://harbor-ledger.example/",\n      "action": "tdm:mine",\n      "duty": [{"action": "obtainConsent"}]\n    }\n  ]\n}\n','\n',char(10)),'66f3b5462fb11f04493572fb55e0d7eebccc81c08e827db5fabafd7c83f4d570','2026-06-19T04:10:04Z','2026-06-26T04:10:04Z');
INSERT INTO observations VALUES('harbor-ledger','tdmrep','https://harbor-ledger.example/.well-known/tdmrep.json',200,'application/json',replace('[\n  {\n    "location": "/",\n    "tdm-reservation": 1,\n    "tdm-policy": "https://harbor-ledger.example/policies/tdm.jsonld"\n  }\n]\n','\n',char(10)),'ad74851208527d824c0e499cf6c32d76513496af775393a50a489eac28c25a74','2026-06-19T04:10:03Z','2026-06-26T04:10:03Z');
INSERT INTO observations VALUES('harbor-ledger','trust_txt','https://harbor-ledger.example/trust.txt',200,'text/plain',replace('# trust.txt of Harbor Ledger\nbelongto=https://north-sea-press.example/\ncontrol=https://data.harbor-ledger.example/\nsocial=https://social.example/@harborledger\ndatatrainingallowed=no\n','\n',char(10)),'82755a0b30068858eff41cd71d9f6237f532a635c90076deafb058a48144ff54','2026-06-19T04:10:05Z','2026-07-19T04:10:05Z');
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
INSERT INTO fetches VALUES('https://asman-e-shab.example/rasad/rasad-mah','asman-e-shab','ent_3fa0e3652ebccfe7de9d7209','"0e9e1a7f7b565cf6"','','new','PRIVATE-read by hand for the demo','demo-2026-07','2026-06-02T15:06:00Z');
INSERT INTO fetches VALUES('https://asman-e-shab.example/tarikh/tarikh-jabbar','asman-e-shab','ent_103a8c792d70b8e9d6cbee76','"626c1c9685052d13"','','new','PRIVATE-read by hand for the demo','demo-2026-07','2026-02-09T12:27:00Z');
INSERT INTO fetches VALUES('https://asman-e-shab.example/amuzesh/kudak-zohal','asman-e-shab','ent_004009e58de69c50bfefa9a0','"a694e9f8ae74ce63"','','new','PRIVATE-read by hand for the demo','demo-2026-07','2026-04-05T17:08:00Z');
INSERT INTO fetches VALUES('https://harbor-ledger.example/shipping/tide-tables-2026','harbor-ledger','ent_5ba1cbb533fb86532020cdd9','"ef2f2c85d62e3400"','','new','PRIVATE-read by hand for the demo','demo-2026-07','2026-03-02T08:00:00Z');
INSERT INTO fetches VALUES('https://harbor-ledger.example/berths/queue-ostend','harbor-ledger','ent_f0a2372d08b3510570dbf245','"0af1e46263cc1a9f"','','new','PRIVATE-read by hand for the demo','demo-2026-07','2026-04-24T16:13:00Z');
INSERT INTO fetches VALUES('https://harbor-ledger.example/berths/crane-dunkirk','harbor-ledger','ent_e139b99404847de67a96ee16','"4dcba75bc6af5992"','','new','PRIVATE-read by hand for the demo','demo-2026-07','2026-02-24T06:22:00Z');
INSERT INTO fetches VALUES('https://harbor-ledger.example/shipping/dredging-stavanger','harbor-ledger','ent_2839d70a738bc0702f78ac84','"03abcd42b717c0a6"','','new','PRIVATE-read by hand for the demo','demo-2026-07','2026-06-25T06:50:00Z');
INSERT INTO fetches VALUES('https://harbor-ledger.example/shipping/ferry-hamburg','harbor-ledger','ent_7bf50b1fcc51f3bc56ffe835','"f6bcc39201d78bd7"','','new','PRIVATE-read by hand for the demo','demo-2026-07','2026-04-17T07:54:00Z');
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
PRAGMA user_version=1;
COMMIT;
