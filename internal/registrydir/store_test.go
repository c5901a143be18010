package registrydir

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"colophon/exports"
	"colophon/internal/assert"
	"colophon/internal/inquiry"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/originsql/schematest"
)

var must = assert.NoError

// newDir returns the folder of a registry with an empty origin, and what is
// reported about it.
func newDir(t *testing.T) (d *Dir, told *strings.Builder) {
	t.Helper()
	told = &strings.Builder{}
	tell := func(format string, args ...any) { fmt.Fprintf(told, format+"\n", args...) }
	d = &Dir{Path: filepath.Join(t.TempDir(), "reg"), Note: tell, Warn: tell}
	must(t, os.Mkdir(d.Path, PrivateFolder))
	must(t, schematest.Write(d.File(OriginFile)))
	return d, told
}

// openOnce opens the origin and closes it.
func openOnce(t *testing.T, d *Dir) error {
	t.Helper()
	_, done, err := d.OpenFile(t.Context())
	if err == nil {
		done()
	}
	return err
}

func modeOf(t *testing.T, path string) os.FileMode {
	t.Helper()
	info, err := os.Stat(path)
	must(t, err)
	return info.Mode().Perm()
}

// TestStoreIsMadePrivate checks that a registry which others can read is made
// private when it is opened, which is reported, and that nothing is reported
// about a private one.
func TestStoreIsMadePrivate(t *testing.T) {
	d, told := newDir(t)
	store := d.File(OriginFile)
	must(t, openOnce(t, d))
	if told.Len() > 0 {
		t.Errorf("of a private registry is told: %s", told)
	}
	db, err := OpenPlain(store)
	must(t, err)
	defer db.Close()
	_, err = db.Exec("UPDATE meta SET value = value") // so that there is a write-ahead log
	must(t, err)
	for path, mode := range map[string]os.FileMode{d.Path: 0o755, store: 0o644, store + "-wal": 0o640, store + "-shm": 0o604} {
		must(t, os.Chmod(path, mode))
	}
	must(t, openOnce(t, d))
	for path, want := range map[string]os.FileMode{d.Path: 0o700, store: 0o600, store + "-wal": 0o600, store + "-shm": 0o600} {
		assert.Equal(t, modeOf(t, path), want, "%s has mode", path)
		if !strings.Contains(told.String(), path+" could be read by others") {
			t.Errorf("nothing is told about %s: %s", path, told)
		}
	}
}

// TestNewStoreIsPrivate checks the modes of a registry that is made.
func TestNewStoreIsPrivate(t *testing.T) {
	d := &Dir{Path: t.TempDir()}
	must(t, d.CreateOrigin(t.Context(), &Settings{}))
	if folder, store := modeOf(t, d.Path), modeOf(t, d.File(OriginFile)); folder != 0o700 || store != 0o600 {
		t.Errorf("a new registry has the modes %o and %o", folder, store)
	}
	assert.Fails(t, assert.Err(os.Stat(d.File(CopiesFolder))), "a new store was copied")
}

// TestStoreIsOpenedWithSecureDelete checks that erased rows leave no bytes
// behind, on any connection.
func TestStoreIsOpenedWithSecureDelete(t *testing.T) {
	d, _ := newDir(t)
	store, done, err := d.OpenFile(t.Context())
	must(t, err)
	defer done()
	var on int
	if err := store.DB().QueryRow("PRAGMA secure_delete").Scan(&on); err != nil || on != 1 {
		t.Errorf("secure_delete is %d: %v", on, err)
	}
}

func schemaOf(t *testing.T, path string) int {
	t.Helper()
	db, err := OpenPlain(path)
	must(t, err)
	defer db.Close()
	version, err := originsql.SchemaVersion(t.Context(), db)
	must(t, err)
	return version
}

// TestCopyBeforeMigration checks that a store is copied before its schema
// changes, that the copy is complete, private and reported, and that without a
// copy nothing changes.
func TestCopyBeforeMigration(t *testing.T) {
	d, told := newDir(t)
	folder := d.File(CopiesFolder)
	db, err := OpenPlain(d.File(OriginFile))
	must(t, err)
	_, err = db.Exec("INSERT INTO categories (slug, label, changed_at) VALUES ('kept', 'Kept', '2026-11-01T12:00:00Z'); PRAGMA user_version = 1")
	must(t, err)
	must(t, db.Close())

	must(t, os.WriteFile(folder, nil, 0o600)) // no folder can be made there
	assert.ErrorContains(t, openOnce(t, d), "without a copy", "not a directory")
	if got := schemaOf(t, d.File(OriginFile)); got != 1 {
		t.Errorf("the schema is %d although there is no copy", got)
	}
	must(t, os.Remove(folder))
	assert.Fails(t, openOnce(t, d), "tables that exist already were made again")
	copies, err := filepath.Glob(filepath.Join(folder, "schema-1-*.db"))
	if err != nil || len(copies) != 1 {
		t.Fatalf("copies %v: %v; %s", copies, err, told)
	}
	if !strings.Contains(told.String(), copies[0]) || modeOf(t, copies[0]) != 0o600 || modeOf(t, folder) != 0o700 {
		t.Errorf("mode %o in %o; told: %s", modeOf(t, copies[0]), modeOf(t, folder), told)
	}
	copied, err := OpenPlain(copies[0])
	must(t, err)
	defer copied.Close()
	label := ""
	if err := copied.QueryRow("SELECT label FROM categories WHERE slug = 'kept'").Scan(&label); err != nil || label != "Kept" {
		t.Errorf("the copy holds %q: %v", label, err)
	}
	assert.Equal(t, schemaOf(t, copies[0]), 1, "the copy has schema")
}

// TestMaintenanceEmptiesLog checks that the write-ahead log has no bytes left of
// personal data that maintenance erased, and that a run that erases nothing
// leaves the log alone.
func TestMaintenanceEmptiesLog(t *testing.T) {
	d, _ := newDir(t)
	store, done, err := d.OpenFile(t.Context())
	must(t, err)
	defer done()
	const at = "2026-01-01T09:00:00Z"
	must(t, store.PutPublisher(t.Context(), origin.Publisher{PublisherID: "pub_harbor", CreatedAt: at}))
	must(t, store.PutSite(t.Context(), origin.Site{
		SiteID: "harbor", PublisherID: "pub_harbor", State: origin.Approved, Visibility: "public", DomainControl: "none", CreatedAt: at, ApprovedAt: at, ChangedAt: at,
	}))
	_, err = store.AddRequest(t.Context(), origin.Request{
		RequestID: "req_1", ThreadID: "thr_1", SiteID: "harbor", Channel: "public", State: string(inquiry.Declined), BuyerName: "Ada of the tides",
		TokenHash: "x", BudgetCents: -1, TermMonths: -1, CreatedAt: at, UpdatedAt: at, StateSince: at,
	}, "")
	must(t, err)
	log := func() []byte {
		data, err := os.ReadFile(d.File(OriginFile) + "-wal")
		must(t, err)
		return data
	}
	last, _ := exports.ParseInstant(at)
	run := func(days int) int64 {
		now := last.AddDate(0, 0, days)
		must(t, store.NoteClock(t.Context(), now.Unix()))
		result, err := RunMaintenance(t.Context(), store, now)
		must(t, err)
		return result.Erased
	}
	if n := run(inquiry.EraseDays - 1); n != 0 || len(log()) == 0 {
		t.Errorf("%d were erased too early, and the log has %d bytes", n, len(log()))
	}
	if n := run(inquiry.EraseDays + 1); n != 1 || len(log()) != 0 {
		t.Errorf("%d were erased, and the log has %d bytes", n, len(log()))
	}
}
