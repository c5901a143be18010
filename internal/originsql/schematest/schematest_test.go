package schematest_test

import (
	"context"
	"database/sql"
	"path/filepath"
	"testing"

	"colophon/internal/assert"
	"colophon/internal/originsql"
	"colophon/internal/originsql/schematest"
)

var must = assert.NoError

// TestWrite requires the schema that Migrate makes, and that a file with
// content is kept.
func TestWrite(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	open := func(name string) *sql.DB {
		db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, name))
		must(t, err)
		t.Cleanup(func() { db.Close() })
		return db
	}
	migrated, written := open("migrated.db"), open("written.db")
	must(t, originsql.Migrate(ctx, migrated))
	for range 2 {
		must(t, schematest.Write(filepath.Join(dir, "written.db")))
		if got, want := schemaOf(t, written), schemaOf(t, migrated); got != want {
			t.Fatalf("the schema is\n%s\nnot\n%s", got, want)
		}
		for _, db := range []*sql.DB{migrated, written} {
			if _, err := db.Exec("CREATE TABLE kept (a)"); err != nil {
				break // in the second round it exists already, as the schemas show
			}
		}
	}
}

func schemaOf(t *testing.T, db *sql.DB) string {
	t.Helper()
	var text string
	must(t, db.QueryRow("SELECT group_concat(type || ' ' || name || ' ' || coalesce(sql, ''), char(10)) FROM (SELECT * FROM sqlite_schema ORDER BY type, name)").Scan(&text))
	version, err := originsql.SchemaVersion(context.Background(), db)
	if err != nil || version != originsql.LatestSchema() {
		t.Fatalf("schema %d of %d: %v", version, originsql.LatestSchema(), err)
	}
	return text
}
