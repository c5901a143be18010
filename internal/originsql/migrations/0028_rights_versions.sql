-- Each site has a version of the facts about its rights, which every write of
-- such a fact replaces in the same transaction. A rights check uses facts that it
-- has read before only under the current version. Versions are random, so that an
-- origin that was restored never repeats one for other facts.

CREATE TABLE rights_versions (
  site_id TEXT PRIMARY KEY,              -- the site
  version TEXT NOT NULL                  -- random, another after each write
) STRICT;
INSERT INTO rights_versions (site_id, version) SELECT site_id, hex(randomblob(8)) FROM sites;

CREATE TRIGGER sites_added_version AFTER INSERT ON sites BEGIN INSERT INTO rights_versions (site_id, version) VALUES (new.site_id, hex(randomblob(8))) ON CONFLICT (site_id) DO UPDATE SET version = excluded.version; END;
CREATE TRIGGER sites_changed_version AFTER UPDATE ON sites BEGIN UPDATE rights_versions SET version = hex(randomblob(8)) WHERE site_id IN (old.site_id, new.site_id); END;
CREATE TRIGGER preference_signals_added_version AFTER INSERT ON preference_signals BEGIN UPDATE rights_versions SET version = hex(randomblob(8)) WHERE site_id = new.site_id; END;
CREATE TRIGGER preference_signals_changed_version AFTER UPDATE ON preference_signals BEGIN UPDATE rights_versions SET version = hex(randomblob(8)) WHERE site_id IN (old.site_id, new.site_id); END;
CREATE TRIGGER preference_signals_removed_version AFTER DELETE ON preference_signals BEGIN UPDATE rights_versions SET version = hex(randomblob(8)) WHERE site_id = old.site_id; END;
CREATE TRIGGER passports_added_version AFTER INSERT ON passports BEGIN UPDATE rights_versions SET version = hex(randomblob(8)) WHERE site_id = new.site_id; END;
CREATE TRIGGER passports_changed_version AFTER UPDATE ON passports BEGIN UPDATE rights_versions SET version = hex(randomblob(8)) WHERE site_id IN (old.site_id, new.site_id); END;
CREATE TRIGGER passports_removed_version AFTER DELETE ON passports BEGIN UPDATE rights_versions SET version = hex(randomblob(8)) WHERE site_id = old.site_id; END;
CREATE TRIGGER offers_added_version AFTER INSERT ON offers BEGIN UPDATE rights_versions SET version = hex(randomblob(8)) WHERE site_id = new.site_id; END;
CREATE TRIGGER offers_changed_version AFTER UPDATE ON offers BEGIN UPDATE rights_versions SET version = hex(randomblob(8)) WHERE site_id IN (old.site_id, new.site_id); END;
CREATE TRIGGER offers_removed_version AFTER DELETE ON offers BEGIN UPDATE rights_versions SET version = hex(randomblob(8)) WHERE site_id = old.site_id; END;
CREATE TRIGGER evidence_added_version AFTER INSERT ON evidence BEGIN UPDATE rights_versions SET version = hex(randomblob(8)) WHERE site_id = new.site_id; END;
CREATE TRIGGER evidence_changed_version AFTER UPDATE ON evidence BEGIN UPDATE rights_versions SET version = hex(randomblob(8)) WHERE site_id IN (old.site_id, new.site_id); END;
CREATE TRIGGER evidence_removed_version AFTER DELETE ON evidence BEGIN UPDATE rights_versions SET version = hex(randomblob(8)) WHERE site_id = old.site_id; END;
CREATE TRIGGER policy_history_added_version AFTER INSERT ON policy_history BEGIN UPDATE rights_versions SET version = hex(randomblob(8)) WHERE site_id = new.site_id; END;
CREATE TRIGGER policy_history_changed_version AFTER UPDATE ON policy_history BEGIN UPDATE rights_versions SET version = hex(randomblob(8)) WHERE site_id IN (old.site_id, new.site_id); END;
CREATE TRIGGER policy_history_removed_version AFTER DELETE ON policy_history BEGIN UPDATE rights_versions SET version = hex(randomblob(8)) WHERE site_id = old.site_id; END;
