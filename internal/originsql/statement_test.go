package originsql_test

import (
	"context"
	"database/sql"
	"strings"
	"testing"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"colophon/internal/originsql"
	"colophon/internal/originsql/origintest"
)

// limitsOfD1 are the limits that D1 sets lower than SQLite, from
// developers.cloudflare.com/d1/platform/limits; the limit of UNION terms is
// workerd's.
var limitsOfD1 = map[int]int{
	sqlite3.SQLITE_LIMIT_SQL_LENGTH:      100_000,
	sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER: 100,
	sqlite3.SQLITE_LIMIT_FUNCTION_ARG:    32,
	sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 5,
}

// TestEveryStatementPrepares makes SQLite prepare every statement of the store
// within the limits of D1, and requires each to say whether it writes.
func TestEveryStatementPrepares(t *testing.T) {
	ctx := context.Background()
	conn, err := loadEmpty(t).Conn(ctx)
	must(t, err)
	defer conn.Close()
	for which, limit := range limitsOfD1 {
		if _, err := sqlite.Limit(conn, which, limit); err != nil {
			t.Fatal(err)
		}
	}
	list := origintest.AllStatements(ctx)
	for _, s := range list {
		prepared, err := conn.PrepareContext(ctx, s.Text)
		if err != nil {
			t.Errorf("%s: %v\n%s", s.Name, err, s.Text)
			continue
		}
		prepared.Close()
		if got := opensToWrite(t, conn, s.Text, s.Args); got != s.Writes {
			t.Errorf("%s writes: %v, and says %v\n%s", s.Name, got, s.Writes, s.Text)
		}
		if strings.Contains(s.Text, " LIKE ") {
			t.Errorf("%s has a pattern, of which D1 takes 50 bytes\n%s", s.Name, s.Text)
		}
		if s.Name == "" || s.Lock.Key != "" && !s.Writes {
			t.Errorf("a statement without a name, or one that reads with a lock: %+v", s)
		}
	}
	if len(list) < 120 {
		t.Errorf("only %d statements", len(list))
	}
}

// TestStatementsSayTheirLocks checks what each statement locks that reads a
// number, or the absence of a row, to write the next one. SQLite runs one
// writer at a time and would not notice that a lock is missing; on Postgres
// messages and audit entries were lost without them.
func TestStatementsSayTheirLocks(t *testing.T) {
	want := map[string]string{
		"add a request": "", "write the audit trail": "", "tell a buyer": "feeds.buyer_id", "add a message": "requests.thread_id",
	}
	for _, s := range origintest.AllStatements(t.Context()) {
		of, locks := want[s.Name]
		if locks != (s.Lock != originsql.Lock{}) || locks && strings.Trim(s.Lock.Table+"."+s.Lock.Column, ".") != of {
			t.Errorf("%s locks %+v", s.Name, s.Lock)
		}
		delete(want, s.Name)
	}
	for name := range want {
		t.Errorf("no statement is named %q", name)
	}
}

// opensToWrite reports whether the compiled statement begins a write
// transaction.
func opensToWrite(t *testing.T, conn *sql.Conn, text string, args []any) (writes bool) {
	t.Helper()
	rows, err := conn.QueryContext(context.Background(), "EXPLAIN "+text, args...)
	must(t, err)
	defer rows.Close()
	for rows.Next() {
		var opcode, write string
		var other sql.NullString
		must(t, rows.Scan(&other, &opcode, &other, &write, &other, &other, &other, &other))
		writes = writes || opcode == "Transaction" && write != "0"
	}
	must(t, rows.Err())
	return writes
}
