-- The change sequence: every write that a build would show has a number, so that
-- a build reads only what changed since the one that is published. The number
-- comes from a row that the write locks, never from the clock.

CREATE TABLE page_changes (
  entry_id TEXT PRIMARY KEY,             -- the page; it may be gone
  sequence INTEGER NOT NULL              -- number of its last change
) STRICT;
CREATE INDEX page_changes_by_sequence ON page_changes (sequence, entry_id);

-- The builds that read this origin. A restored backup does not know the builds
-- that came after it, and then all is built anew.
CREATE TABLE builds (
  token    TEXT PRIMARY KEY,             -- random, the same in the notes of what that build published
  sequence INTEGER NOT NULL              -- number of the last change that it read
) STRICT;

INSERT INTO meta (name, value) VALUES ('sequence', 1);

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
