package originsql

import (
	"context"
	"database/sql"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// TestFullDisk fills a disk of 1 MiB until a write is refused. After reopening,
// every acknowledged write must be there, and nothing else.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=1m"); err != nil {
		t.Skipf("needs root to mount a small disk (%v); TestFailedCommitSurfaces holds without", err)
	}
	t.Cleanup(func() { syscall.Unmount(dir, syscall.MNT_DETACH) }) //nolint:errcheck // a temporary folder
	address := "file:" + filepath.Join(dir, "t.db") + "?_pragma=journal_mode(WAL)"
	db, err := sql.Open("sqlite", address)
	must(t, err)
	defer db.Close()
	if _, err := db.Exec("CREATE TABLE t (id TEXT PRIMARY KEY, filler TEXT) WITHOUT ROWID"); err != nil {
		t.Fatal(err)
	}
	ctx, s := context.Background(), New(db)

	const query = "INSERT INTO t (id, filler) VALUES (?1, ?2) RETURNING id"
	told := map[string]bool{}
	refused := 0
	for i := 0; i < 2000 && refused < 20; i++ {
		id := strconv.Itoa(i)
		added, err := s.execChanged(ctx, write("fill the disk", query, id, strings.Repeat("x", 2000)))
		told[id] = added
		if err != nil {
			refused++
		}
	}
	if refused == 0 {
		t.Fatal("the disk was never full")
	}
	db.Close()

	must(t, syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT, "size=4m"))
	if db, err = sql.Open("sqlite", address); err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	stored, err := queryAll(ctx, New(db), scanText, read("list", "SELECT id FROM t"))
	must(t, err)
	there := map[string]bool{}
	for _, id := range stored {
		there[id] = true
	}
	for id, done := range told {
		if done != there[id] {
			t.Errorf("row %s: reported as done %v, stored %v", id, done, there[id])
		}
	}
}
