package postgres

import (
	"strconv"
	"strings"

	"colophon/internal/originsql"
)

// words are words of the statements of originsql with their form in Postgres.
var words = strings.NewReplacer(append(lists(),
	"?", "$",
	"group_concat(", "string_agg(",
	"instr(", "strpos(",
	"json_group_array(", "json_agg(",
	"json_array(", "json_build_array(",
	".record ->", ".record::json ->",
	"CROSS JOIN", "JOIN", // which fixes the order of a join in SQLite
)...)

// lists returns the SQL that turns a parameter into a table of the elements of
// a JSON array: j of texts, r of rows, which are arrays themselves.
func lists() (pairs []string) {
	for n := 1; n <= 20; n++ {
		list, mark := "json_each(?"+strconv.Itoa(n)+") AS ", "($"+strconv.Itoa(n)+"::json) WITH ORDINALITY AS "
		pairs = append(pairs, list+"j", "json_array_elements_text"+mark+"j (value, key)", list+"r", "json_array_elements"+mark+"r (value, key)")
	}
	return pairs
}

// Translate translates a statement of originsql for Postgres.
func Translate(text string) string { return words.Replace(text) }

// Advisory locks, which Postgres identifies by a number within each database.
// The numbers have no meaning; no other program may use them in the same
// database.
const (
	migrationLock = "7296300101"
	outboxLock    = "7296300102"
	atomicLock    = "7296300104"
)

// lockStatement returns the statement that takes a lock. At READ COMMITTED, the
// statement after it sees everything committed before the lock was granted.
func lockStatement(l originsql.Lock) string {
	if l.Table == "" {
		return "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))"
	}
	return "SELECT 1 FROM " + l.Table + " WHERE " + l.Column + " = $1 FOR UPDATE"
}
