package origintest

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"

	"colophon/internal/originsql"
	"colophon/internal/originsql/postgres"
)

var schemas atomic.Int64

// openPostgres opens a store in a new schema of the database at an address.
func openPostgres(t testing.TB, address string) (*originsql.Store, func(statement string) error) {
	t.Helper()
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(ctx) })
	schema := fmt.Sprintf("t%d_%d", os.Getpid(), schemas.Add(1))
	if _, err := conn.Exec(ctx, "CREATE SCHEMA "+schema); err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Exec(ctx, "SET search_path = "+schema); err != nil {
		t.Fatal(err)
	}

	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	query := u.Query()
	query.Set("search_path", schema)
	u.RawQuery = query.Encode()
	db, err := postgres.Open(ctx, u.String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	for _, when := range []string{"first", "second"} { // a second time changes nothing
		if err := db.Migrate(ctx); err != nil {
			t.Fatalf("%s migration: %v", when, err)
		}
	}
	return db.Store(), func(statement string) error {
		_, err := conn.Exec(ctx, postgres.Translate(statement))
		return err
	}
}
