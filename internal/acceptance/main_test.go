package acceptance_test

import (
	"database/sql"
	"os"
	"strconv"
	"testing"

	_ "modernc.org/sqlite"

	"colophon/internal/assert"
	"colophon/internal/openapi/openapitest"
	"colophon/internal/originsql"
	"colophon/internal/originsql/local"
	"colophon/internal/originsql/schematest"
)

var must = assert.NoError

const testBase = "https://svc.example"

// TestMain checks the answers in all tests against the contract.
func TestMain(m *testing.M) {
	code := openapitest.Run(m)
	os.RemoveAll(sharedDemo.dir) //nolint:errcheck // a temporary folder
	os.Exit(code)
}

// openStore returns a new origin store in the file at path.
func openStore(t testing.TB, path string) *originsql.Store {
	t.Helper()
	db, err := sql.Open("sqlite", local.Address(path))
	must(t, err)
	t.Cleanup(func() { db.Close() })
	must(t, schematest.Write(path))
	return originsql.New(db)
}

// number returns the number in the environment variable name, or otherwise.
func number(name string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return otherwise
}
