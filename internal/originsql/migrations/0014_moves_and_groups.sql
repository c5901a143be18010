-- Pages that moved: the entry that stands for the page at its new address. It
-- is public, and the entry that moved is withdrawn.

ALTER TABLE pages ADD COLUMN successor TEXT NOT NULL DEFAULT '';     -- entry id of the page at its new address, '' it did not move
ALTER TABLE pages ADD COLUMN successor_url TEXT NOT NULL DEFAULT ''; -- canonical address of that entry

-- An organization that stands above its sites in public is a group.
ALTER TABLE publishers ADD COLUMN group_name TEXT NOT NULL DEFAULT '';   -- public name of the group, '' it is no group
ALTER TABLE inbox_links ADD COLUMN publisher_id TEXT NOT NULL DEFAULT ''; -- organization whose sites' inquiries it opens, '' those of site_id alone

CREATE TRIGGER publishers_changed AFTER UPDATE ON publishers WHEN new.group_name <> old.group_name BEGIN UPDATE meta SET value = value + 1 WHERE name = 'changes'; END;
CREATE TRIGGER publishers_changed_sequence AFTER UPDATE ON publishers WHEN new.group_name <> old.group_name BEGIN UPDATE meta SET value = value + 1 WHERE name = 'sequence'; END;
