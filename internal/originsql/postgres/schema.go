package postgres

import (
	"regexp"
	"strings"
)

var (
	comments = regexp.MustCompile(`(?m)\s*--[^\n]*$`)
	trigger  = regexp.MustCompile(`(?s)^CREATE TRIGGER (\w+) (BEFORE|AFTER) (INSERT|DELETE|UPDATE)((?: OF [\w, ]+)?) ON (\w+)(?: WHEN (.*?))? BEGIN (.*) END$`)
	dropped  = regexp.MustCompile(`^DROP TRIGGER (\w+)$`) // together with its function of the same name
	abort    = regexp.MustCompile(`SELECT RAISE\(ABORT, ('[^']*')\)`)
)

// rule is one difference of spelling.
type rule struct {
	sqlite   *regexp.Regexp
	postgres string
}

// rules translate words of the migrations, which never change, to those of
// Postgres. A migration with other differences has its own additions.
var rules = []rule{
	// Rows that hold NULL are compared as values.
	{regexp.MustCompile(` IS NOT \(`), " IS DISTINCT FROM ("},
	{regexp.MustCompile(` IS \(old\.`), " IS NOT DISTINCT FROM (old."},

	// Lengths in bytes, truth as a number, names that would be ambiguous.
	{regexp.MustCompile(`length\(CAST\((.*?) AS BLOB\)\)`), "octet_length($1)"},
	{regexp.MustCompile(`\+ \((\S+ <> '')\)`), "+ CASE WHEN $1 THEN 1 ELSE 0 END"},
	{regexp.MustCompile(`DO UPDATE SET version = version \+ 1`), "DO UPDATE SET version = editions.version + 1"},
	{regexp.MustCompile(`\bmax\((\(SELECT|[^()]+, )`), "greatest($1"},
	{regexp.MustCompile(`unhex\(([^()]*)\)`), "decode($1, 'hex')"},
	{regexp.MustCompile(`\bx''`), "''::bytea"},

	{regexp.MustCompile(`hex\(randomblob\(8\)\)`), "replace(gen_random_uuid()::text, '-', '')"},
}

func translateMigration(text string) string {
	for _, r := range rules {
		text = r.sqlite.ReplaceAllString(text, r.postgres)
	}
	return text
}

// types are the types of columns. Text is ordered by its bytes, as in SQLite,
// whatever the collation of the database.
var types = []rule{
	{regexp.MustCompile(`\bINTEGER\b`), "BIGINT"},
	{regexp.MustCompile(`\bBLOB\b`), "BYTEA"},
	{regexp.MustCompile(`\bTEXT\b`), `TEXT COLLATE "C"`},
	{regexp.MustCompile(`\) STRICT(, WITHOUT ROWID)?$`), ")"},
}

// additions are statements that a migration needs here besides its translation.
var additions = map[string][]string{
	// SQLite numbers the events of the outbox by itself. A sequence would give
	// numbers in another order than that of the commits, and leave gaps.
	"0002_inquiry.sql": {
		`CREATE FUNCTION outbox_numbered() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
			IF new.seq IS NULL THEN
				PERFORM pg_advisory_xact_lock(` + outboxLock + `);
				new.seq := (SELECT coalesce(max(seq), 0) + 1 FROM outbox);
			END IF;
			RETURN new;
		END $$`,
		"CREATE TRIGGER outbox_numbered BEFORE INSERT ON outbox FOR EACH ROW EXECUTE FUNCTION outbox_numbered()",
	},
	"0017_letters.sql": {
		`CREATE FUNCTION letters_numbered() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
			IF new.seq IS NULL THEN
				PERFORM pg_advisory_xact_lock(` + outboxLock + `);
				new.seq := (SELECT coalesce(max(seq), 0) + 1 FROM letters);
			END IF;
			RETURN new;
		END $$`,
		"CREATE TRIGGER letters_numbered BEFORE INSERT ON letters FOR EACH ROW EXECUTE FUNCTION letters_numbered()",
	},
	"0023_one_outbox.sql": {
		"DROP FUNCTION letters_numbered()",
		"CREATE TRIGGER outbox_numbered BEFORE INSERT ON outbox FOR EACH ROW EXECUTE FUNCTION outbox_numbered()",
	},
}

// Statements returns those of a migration, for Postgres.
func Statements(name, text string) []string {
	var out []string
	for s := range strings.SplitAfterSeq(comments.ReplaceAllString(text, "")+"\n", ";\n") {
		s = strings.TrimSuffix(strings.TrimSpace(s), ";")
		if s != "" {
			out = append(out, translateSchema(s)...)
		}
	}
	return append(out, additions[name]...)
}

// translateSchema translates one statement of a migration, a trigger into two.
func translateSchema(s string) []string {
	if m := trigger.FindStringSubmatch(s); m != nil {
		return translateTrigger(m[1], m[2], m[3], m[4], m[5], m[6], m[7])
	}
	if m := dropped.FindStringSubmatch(s); m != nil {
		return []string{"DROP FUNCTION " + m[1] + "() CASCADE"}
	}
	if strings.HasPrefix(s, "CREATE TABLE") || strings.HasPrefix(s, "ALTER TABLE") {
		for _, t := range types {
			s = t.sqlite.ReplaceAllString(s, t.postgres)
		}
	}
	return []string{translateMigration(s)}
}

func translateTrigger(name, when, event, columns, table, condition, body string) []string {
	body = abort.ReplaceAllString(translateMigration(body), "RAISE EXCEPTION $1")
	if condition != "" {
		body = "IF " + translateMigration(condition) + " THEN " + body + " END IF;"
	}
	row := "new"
	if event == "DELETE" {
		row = "old" // a row that is NULL would keep it from being deleted
	}
	return []string{
		"CREATE FUNCTION " + name + "() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN " + body + " RETURN " + row + "; END $$",
		"CREATE TRIGGER " + name + " " + when + " " + event + columns + " ON " + table + " FOR EACH ROW EXECUTE FUNCTION " + name + "()",
	}
}
