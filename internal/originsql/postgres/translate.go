package postgres

import (
	"regexp"
	"sync"
)

// rule is one difference of spelling.
type rule struct {
	sqlite   *regexp.Regexp
	postgres string
}

// rules are applied in this order, to statements and to the bodies of triggers.
var rules = []rule{
	// Rows that hold NULL are compared as values.
	{regexp.MustCompile(` IS NOT \(`), " IS DISTINCT FROM ("},
	{regexp.MustCompile(` IS \(old\.`), " IS NOT DISTINCT FROM (old."},

	// Lengths in bytes, truth as a number, names that would be ambiguous.
	{regexp.MustCompile(`length\(CAST\((.*?) AS BLOB\)\)`), "octet_length($1)"},
	{regexp.MustCompile(`\+ \((\S+ <> '')\)`), "+ CASE WHEN $1 THEN 1 ELSE 0 END"},
	{regexp.MustCompile(`DO UPDATE SET version = version \+ 1`), "DO UPDATE SET version = editions.version + 1"},

	// Functions of other names.
	{regexp.MustCompile(`\bmax\((\(SELECT|[^()]+, )`), "greatest($1"},
	{regexp.MustCompile(`group_concat\(`), "string_agg("},
	{regexp.MustCompile(`\bchar\(`), "chr("},
	{regexp.MustCompile(`unhex\(([^()]*)\)`), "decode($1, 'hex')"},
	{regexp.MustCompile(`\bx''`), "''::bytea"},

	// JSON. The type json keeps the text of a member as it is, jsonb would not.
	{regexp.MustCompile(`json_group_array\(json_array\(([^()]*)\)\)`), "coalesce(json_agg(json_build_array($1))::text, '[]')"},
	{regexp.MustCompile(`json_group_array\((\w+)\)`), "coalesce(json_agg($1)::text, '[]')"},
	{regexp.MustCompile(`json_each\(\?(\d+)\)( AS j)?`), "(SELECT e.value, e.key FROM json_array_elements_text(CAST(CAST(?$1 AS text) AS json)) WITH ORDINALITY AS e (value, key)) AS j"},
	{regexp.MustCompile(`([\w.]+) -> '(\w+)' ->> '(\w+)'`), "(CAST($1 AS json) -> '$2' ->> '$3')"},
	{regexp.MustCompile(`([\w.]+) ->> (\d+)`), "(CAST($1 AS json) ->> $2)"},

	// SQLite's hint for the order of a join; the list of tables; marks.
	{regexp.MustCompile(`CROSS JOIN (\w+ \w+) ON`), "JOIN $1 ON"},
	{regexp.MustCompile(`sqlite_master WHERE type = 'table' AND name =`), "information_schema.tables WHERE table_schema = current_schema() AND table_name ="},
	{regexp.MustCompile(`\?(\d+)`), "$$$1"},
}

// Translate spells a statement of originsql for Postgres.
func Translate(text string) string {
	for _, r := range rules {
		text = r.sqlite.ReplaceAllString(text, r.postgres)
	}
	return text
}

// translations remembers them: the store has some hundred statements.
type translations struct{ known sync.Map }

func (t *translations) translate(text string) string {
	if known, ok := t.known.Load(text); ok {
		return known.(string)
	}
	translated := Translate(text)
	t.known.Store(text, translated)
	return translated
}
