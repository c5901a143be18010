package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"colophon/internal/assert"
	"colophon/internal/originsql"
	"colophon/internal/originsql/d1test"
	"colophon/internal/originsql/local"
	"colophon/internal/originsql/transfer"
	"colophon/internal/registrydir"
)

// copied is the answer of "origin copy --json".
type copied struct {
	Rows   int64
	Tables []transfer.Result
}

// newFullRegistry returns a registry with rows in most tables.
func newFullRegistry(t *testing.T) operator {
	o := newOperator(t)
	o.ok("corpus", "--publishers", "3", "--pages", "30")
	o.ok("partner", "add", "Partner \"ß\" ; 'x'")
	o.ok("buyer", "add", "Buyer")
	o.ok("webhook", "add", "https://desk.example/hooks")
	o.submit("")
	o.ok("build")
	return o
}

// emptyD1 returns a D1 database with the schema and no rows.
func emptyD1(t *testing.T) (server *d1test.Server, db *sql.DB, name string) {
	var err error
	db, err = sql.Open("sqlite", local.Address(filepath.Join(t.TempDir(), "d1.db")))
	must(t, err)
	t.Cleanup(func() { db.Close() })
	must(t, originsql.Migrate(context.Background(), db))
	noteMigrations(t, db)
	server = d1test.NewServer(db)
	t.Cleanup(server.Close)
	return server, db, "d1:" + server.URL + d1test.Path
}

// sqlOf returns everything a SQLite database has besides rows.
func sqlOf(t *testing.T, path string) (out []string) {
	t.Helper()
	db, err := registrydir.OpenPlain(path)
	must(t, err)
	defer db.Close()
	rows, err := db.Query("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name")
	must(t, err)
	defer rows.Close()
	for rows.Next() {
		var text string
		must(t, rows.Scan(&text))
		out = append(out, text)
	}
	must(t, rows.Err())
	return out
}

// copyTo copies an origin and returns the command's answer.
func (o operator) copyTo(origin, to string, flags ...string) (c copied) {
	o.Helper()
	args := append([]string{"origin", "copy", "--to", to}, flags...)
	if origin != "" {
		args = append(args, "--origin", origin)
	}
	d1 := map[string]string{"CLOUDFLARE_API_TOKEN": d1test.Token}
	code, out, errs := o.runWith(d1, append(args, "--json", "--quiet")...)
	if code != exitOK {
		o.Fatalf("%v: %s", args, errs)
	}
	doc := struct{ Data *copied }{&c}
	if err := json.Unmarshal([]byte(out), &doc); err != nil {
		o.Fatal(err)
	}
	return c
}

// TestOriginCopyInD1 copies a registry to D1 and back.
func TestOriginCopyInD1(t *testing.T) {
	t.Parallel()
	o := newFullRegistry(t)
	server, remote, d1 := emptyD1(t)
	token := map[string]string{"CLOUDFLARE_API_TOKEN": d1test.Token}
	file := filepath.Join(t.TempDir(), "back.db")

	would := o.copyTo("", d1, "--dry-run")
	want := o.copyTo("", d1)
	if !reflect.DeepEqual(would, want) || want.Rows < 200 {
		t.Errorf("a dry run tells of %d rows, %d were copied", would.Rows, want.Rows)
	}
	if code, _, errs := o.runWith(token, "origin", "copy", "--to", d1); code != exitFailed || !strings.Contains(errs, "--replace") {
		t.Errorf("a copy over another: %d %s", code, errs)
	}
	back := o.copyTo(d1, "sqlite:"+file)
	if !reflect.DeepEqual(back, want) {
		t.Errorf("there %+v\nand back %+v", want, back)
	}
	if got, want := sqlOf(t, file), sqlOf(t, filepath.Join(o.dir, registrydir.OriginFile)); !reflect.DeepEqual(got, want) {
		t.Error("the schema of the file is another one")
	}

	// An interrupted copy marks the target, and is started again.
	server.BreakAfter(30)
	if code, _, errs := o.runWith(token, "origin", "copy", "--to", d1, "--replace"); code != exitFailed || !strings.Contains(errs, "503") {
		t.Errorf("a copy that broke off: %d %s", code, errs)
	}
	server.BreakAfter(0)
	if code, _, errs := o.runWith(token, "status", "--origin", d1); code != exitFailed || !strings.Contains(errs, "did not finish") {
		t.Errorf("half a copy is taken for a store: %d %s", code, errs)
	}
	if again := o.copyTo("", d1); !reflect.DeepEqual(again, want) {
		t.Errorf("the copy after it: %+v", again)
	}
	if code, _, errs := o.runWith(token, "status", "--origin", d1); code != exitOK {
		t.Errorf("status after it: %s", errs)
	}

	// The source is written to meanwhile.
	server.Before = func(int) {
		if _, err := remote.Exec("UPDATE sites SET name = name || '+'"); err != nil {
			t.Error(err)
		}
	}
	if code, _, errs := o.runWith(token, "origin", "copy", "--origin", d1, "--to", "sqlite:"+file+"2"); code != exitFailed || !strings.Contains(errs, "changed while") {
		t.Errorf("a source that changes: %d %s", code, errs)
	}
	assert.Fails(t, assert.Err(os.Stat(file+"2")), "a copy that failed left a file")
}

// TestOriginCopyInFiles checks what a copy refuses.
func TestOriginCopyInFiles(t *testing.T) {
	t.Parallel()
	o := newFullRegistry(t)
	file := filepath.Join(t.TempDir(), "copy.db")
	o.ok("origin", "copy", "--to", "sqlite:"+file, "--dry-run")
	assert.Fails(t, assert.Err(os.Stat(file)), "a dry run makes a file")
	o.no(exitUsage, "--to is missing", "origin", "copy")
	o.no(exitUsage, "none of", "origin", "copy", "--to", file)
	o.no(exitUsage, "same file", "origin", "copy", "--to", "sqlite:"+filepath.Join(o.dir, registrydir.OriginFile))

	// Texts in an object store must not be lost silently.
	db, err := registrydir.OpenPlain(filepath.Join(o.dir, registrydir.OriginFile))
	must(t, err)
	defer db.Close()
	must(t, assert.Err(db.Exec("DROP TRIGGER bodies_changed; UPDATE bodies SET text = '', markdown = '', html = ''")))
	o.no(exitFailed, "--without-texts", "origin", "copy", "--to", "sqlite:"+file)
	o.ok("origin", "copy", "--to", "sqlite:"+file, "--without-texts")
	o.ok("origin", "copy", "--to", "sqlite:"+file, "--without-texts", "--replace")
}

// TestOriginCopyInPostgres copies a registry to Postgres, on to D1 and back.
func TestOriginCopyInPostgres(t *testing.T) {
	t.Parallel()
	c := clusterOf(t)
	address := c.NewDatabase(t)
	o := newFullRegistry(t)
	_, _, d1 := emptyD1(t)
	file := filepath.Join(t.TempDir(), "back.db")

	would := o.copyTo("", address, "--dry-run")
	want := o.copyTo("", address)
	if !reflect.DeepEqual(would, want) || want.Rows < 200 {
		t.Errorf("a dry run tells of %d rows, %d were copied", would.Rows, want.Rows)
	}
	on := o.copyTo(address, d1)
	back := o.copyTo(address, "sqlite:"+file)
	if !reflect.DeepEqual(on, want) || !reflect.DeepEqual(back, want) {
		t.Errorf("there %+v\non %+v\nand back %+v", want, on, back)
	}
	o.no(exitFailed, "--replace", "origin", "copy", "--to", address)
	if again := o.copyTo("", address, "--replace"); !reflect.DeepEqual(again, want) {
		t.Errorf("once more: %+v", again)
	}

	// The triggers work again: what is written now is counted and numbered.
	o.ok("publisher", "add", "third-site", "--name", "Third", "--site-url", "https://third.example/", "--origin", address)
	if now := o.copyTo(address, "sqlite:"+file, "--replace"); now.Rows <= want.Rows || reflect.DeepEqual(tableOf(now, "meta"), tableOf(want, "meta")) {
		t.Errorf("a change is not counted in Postgres: %+v", now)
	}

	// A text that Postgres cannot store fails the copy, and nothing is changed.
	db, err := registrydir.OpenPlain(filepath.Join(o.dir, registrydir.OriginFile))
	must(t, err)
	defer db.Close()
	must(t, assert.Err(db.Exec("UPDATE sites SET summary = CAST(x'610062' AS TEXT) WHERE site_id = 'quay-times'")))
	before := o.copyTo(address, "sqlite:"+file, "--replace")
	o.no(exitFailed, "write sites", "origin", "copy", "--to", address, "--replace")
	if after := o.copyTo(address, "sqlite:"+file, "--replace"); !reflect.DeepEqual(after, before) {
		t.Error("a copy that failed changed the target")
	}
}

func tableOf(c copied, name string) transfer.Result {
	for _, r := range c.Tables {
		if r.Table == name {
			return r
		}
	}
	return transfer.Result{}
}
