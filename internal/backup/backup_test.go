package backup_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"filippo.io/age"
	"golang.org/x/mod/sumdb/tlog"
	_ "modernc.org/sqlite"

	"colophon/internal/assert"
	"colophon/internal/backup"
	"colophon/internal/ledgerlog"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/originsql/schematest"
	"colophon/internal/record"
)

var must = assert.NoError

var ctx = context.Background()

func open(path string) (*sql.DB, error) {
	return sql.Open("sqlite", "file:"+path+"?mode=rw&_pragma=busy_timeout(5000)")
}

// registry is a folder with an origin whose ledger has some signed leaves.
type registry struct {
	*testing.T
	dir    string
	store  *originsql.Store
	signer record.Signer
	key    record.Key
	id     *age.X25519Identity
}

const logName = "registry.example/ledger"

func newRegistry(t *testing.T) *registry {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "reg")
	must(t, os.MkdirAll(filepath.Join(dir, "keys", "ledger"), 0o700))
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "origin.db")+"?_pragma=journal_mode(WAL)&_pragma=busy_timeout(5000)")
	must(t, err)
	t.Cleanup(func() { db.Close() })
	must(t, schematest.Write(filepath.Join(dir, "origin.db")))
	for name, text := range map[string]string{
		"colophon.toml": "base_url = \"https://registry.example\"\n", "secret": "the secret of the service\n",
		"keys/one.json": "{\"seed\": \"a private key\"}", "keys/ledger/two.json": "{}", "notes.txt": "not ours", "keys/.hidden": "not ours",
	} {
		must(t, os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), []byte(text), 0o600))
	}
	file, err := record.NewKeyFile([32]byte{7}, 0, 1<<40, record.KeyActive)
	must(t, err)
	signer, err := file.Signer()
	must(t, err)
	key, err := file.Key()
	must(t, err)
	id, err := age.GenerateX25519Identity()
	must(t, err)
	r := &registry{t, dir, originsql.New(db), signer, key, id}
	r.log(3)
	return r
}

// log adds leaves and signs the state after them.
func (r *registry) log(n int) {
	r.Helper()
	size, err := r.store.LedgerSize(ctx)
	must(r.T, err)
	var events []origin.LedgerEvent
	for i := range int64(n) {
		events = append(events, origin.LedgerEvent{Position: size + i, Kind: "key", Event: "key_added", KeyID: fmt.Sprint(size + i), At: "2026-01-01T00:00:00Z", Leaf: fmt.Sprintf("{\"leaf\":%d}", size+i)})
	}
	must(r.T, r.store.AppendLedger(ctx, events))
	r.sign()
}

func (r *registry) sign() {
	r.Helper()
	leaves, err := r.store.LedgerEvents(ctx, 0, 1000)
	must(r.T, err)
	note, root := r.checkpoint(leaves)
	must(r.T, r.store.AddCheckpoint(ctx, origin.LedgerCheckpoint{Size: int64(len(leaves)), Root: root, Name: logName, KeyID: r.signer.KeyID(), Cosigned: note}))
}

// checkpoint signs the root of leaves, computed from all of them.
func (r *registry) checkpoint(leaves []origin.LedgerEvent) (note, root string) {
	r.Helper()
	hash, err := tlog.TreeHash(int64(len(leaves)), tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		var out []tlog.Hash
		for _, index := range indexes {
			height, n := tlog.SplitStoredHashIndex(index)
			out = append(out, subtree(leaves, height, n))
		}
		return out, nil
	}))
	must(r.T, err)
	signed, err := ledgerlog.SignCheckpoint(ledgerlog.Checkpoint{Origin: logName, Size: int64(len(leaves)), Root: hash}, r.key.Public, r.signer)
	must(r.T, err)
	head, err := backup.ParseHead(signed)
	must(r.T, err)
	return string(signed), head.Root
}

func subtree(leaves []origin.LedgerEvent, height int, n int64) tlog.Hash {
	if height == 0 {
		return tlog.RecordHash([]byte(leaves[n].Leaf))
	}
	return tlog.NodeHash(subtree(leaves, height-1, 2*n), subtree(leaves, height-1, 2*n+1))
}

func (r *registry) options(at string) backup.CreateOptions {
	now, err := time.Parse(time.RFC3339, at)
	must(r.T, err)
	return backup.CreateOptions{Dir: r.dir, BaseURL: "https://registry.example", ToolVersion: "1.2.3", Recipients: []age.Recipient{r.id.Recipient()}, Open: open, Now: now}
}

func (r *registry) backUp(repo backup.Repository, at string) backup.Manifest {
	r.Helper()
	m, err := backup.Create(ctx, repo, r.options(at))
	must(r.T, err)
	return m
}

func (r *registry) restoreOptions(published ...backup.Published) backup.RestoreOptions {
	return backup.RestoreOptions{
		Dir: filepath.Join(r.TempDir(), "new"), Identities: []age.Identity{r.id}, Open: open,
		Published: func(context.Context, backup.Manifest) ([]backup.Published, error) { return published, nil },
		Check:     func(string) ([]record.Key, error) { return []record.Key{r.key}, nil },
	}
}

func repositoryAt(t *testing.T, dir string) backup.Repository {
	t.Helper()
	repo, err := backup.OpenRepository(dir, backup.S3Options{})
	must(t, err)
	return repo
}

// files reads a folder: paths with their contents.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	must(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		out[filepath.ToSlash(rel)] = string(data)
		return err
	}))
	return out
}

func TestRestoreGivesBackWhatWasThere(t *testing.T) {
	r := newRegistry(t)
	where := t.TempDir()
	repo := repositoryAt(t, where)
	m := r.backUp(repo, "2026-03-01T10:00:00Z")
	if m.Ledger.Size != 3 || m.SchemaVersion != originsql.LatestSchema() || m.ToolVersion != "1.2.3" || m.CreatedAt != "2026-03-01T10:00:00Z" {
		t.Errorf("manifest %+v", m)
	}
	for name, text := range files(t, where) {
		assert.Lacks(t, name+" in clear", text, "the secret of the service", "a private key", "SQLite format")
	}
	opt := r.restoreOptions()
	_, err := backup.Restore(ctx, repo, opt)
	must(t, err)
	got := files(t, opt.Dir)
	for _, name := range []string{"colophon.toml", "secret", "keys/one.json", "keys/ledger/two.json"} {
		if want := files(t, r.dir)[name]; got[name] != want || want == "" {
			t.Errorf("%s is %q, not %q", name, got[name], want)
		}
	}
	if got["notes.txt"] != "" || got["keys/.hidden"] != "" || got[backup.HeadName] != m.Ledger.Note {
		t.Errorf("restored files %v", got)
	}
	info, err := os.Stat(opt.Dir)
	must(t, err)
	assert.Equal(t, info.Mode().Perm(), 0o700, "the folder has mode")
	db, err := open(filepath.Join(opt.Dir, "origin.db"))
	must(t, err)
	defer db.Close()
	if n, err := originsql.New(db).LedgerSize(ctx); err != nil || n != 3 {
		t.Errorf("the ledger has %d leaves: %v", n, err)
	}
	if left, _ := filepath.Glob(filepath.Join(r.dir, ".backup-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// refused runs a restore that must fail and leave nothing behind.
func (r *registry) refused(repo backup.Repository, opt backup.RestoreOptions, want error) {
	r.Helper()
	_, err := backup.Restore(ctx, repo, opt)
	if !errors.Is(err, want) {
		r.Errorf("restore: %v, not %v", err, want)
	}
	left, _ := os.ReadDir(filepath.Dir(opt.Dir))
	if len(left) != 0 {
		r.Errorf("left behind: %v", left)
	}
}

func TestDamageIsSeen(t *testing.T) {
	r := newRegistry(t)
	where := t.TempDir()
	repo := repositoryAt(t, where)
	m := r.backUp(repo, "2026-03-01T10:00:00Z")
	archive := filepath.Join(where, m.ID, "registry.tar.zst.age")
	manifest := filepath.Join(where, m.ID, "manifest.json")
	for name, change := range map[string]func(path string, data []byte) []byte{
		"header":   func(_ string, b []byte) []byte { b[5] ^= 1; return b },
		"payload":  func(_ string, b []byte) []byte { b[len(b)/2] ^= 1; return b },
		"last":     func(_ string, b []byte) []byte { b[len(b)-1] ^= 1; return b },
		"cut":      func(_ string, b []byte) []byte { return b[:len(b)-100] },
		"appended": func(_ string, b []byte) []byte { return append(b, 0) },
		"empty":    func(string, []byte) []byte { return nil },
	} {
		t.Run("archive "+name, func(t *testing.T) {
			r := *r
			r.T = t
			defer change1(t, archive, change)()
			r.refused(repo, r.restoreOptions(), backup.ErrDamaged)
		})
	}
	for name, edit := range map[string][2]string{
		"other ledger": {`"size": 3,`, `"size": 2,`}, "other file": {`"path": "secret"`, `"path": "keys/secret"`},
		"a path outside": {`"path": "secret"`, `"path": "../secret"`}, "no json": {`{`, ``}, "other version": {"1.2.3", "1.2.4"},
		"other id": {m.ID, "20260301T100000Z-00000000"},
	} {
		t.Run("manifest "+name, func(t *testing.T) {
			r := *r
			r.T = t
			defer change1(t, manifest, func(_ string, b []byte) []byte {
				return bytes.Replace(b, []byte(edit[0]), []byte(edit[1]), 1)
			})()
			r.refused(repo, r.restoreOptions(), backup.ErrDamaged)
		})
	}
	opt := r.restoreOptions()
	_, err := backup.Restore(ctx, repo, opt)
	must(t, err) // repaired
}

// change1 changes a file and returns a function that restores it.
func change1(t *testing.T, path string, change func(string, []byte) []byte) func() {
	t.Helper()
	before, err := os.ReadFile(path)
	must(t, err)
	after := change(path, append([]byte(nil), before...))
	if bytes.Equal(before, after) {
		t.Fatal("nothing was changed")
	}
	must(t, os.WriteFile(path, after, 0o600))
	return func() { must(t, os.WriteFile(path, before, 0o600)) }
}

func TestNewerFormatsAreRefused(t *testing.T) {
	r := newRegistry(t)
	where := t.TempDir()
	repo := repositoryAt(t, where)
	m := r.backUp(repo, "2026-03-01T10:00:00Z")
	for _, edit := range [][2]string{{"colophon-backup/1", "colophon-backup/2"}, {fmt.Sprintf(`"schema_version": %d`, m.SchemaVersion), `"schema_version": 99`}} {
		undo := change1(t, filepath.Join(where, m.ID, "manifest.json"), func(_ string, b []byte) []byte {
			return bytes.Replace(b, []byte(edit[0]), []byte(edit[1]), 1)
		})
		r.refused(repo, r.restoreOptions(), backup.ErrNewer)
		undo()
	}
}

func TestAnotherKeyOpensNothing(t *testing.T) {
	r := newRegistry(t)
	repo := repositoryAt(t, t.TempDir())
	r.backUp(repo, "2026-03-01T10:00:00Z")
	other, err := age.GenerateX25519Identity()
	must(t, err)
	opt := r.restoreOptions()
	opt.Identities = []age.Identity{other}
	r.refused(repo, opt, backup.ErrKey)
}

func TestRollbackIsRefused(t *testing.T) {
	r := newRegistry(t)
	repo := repositoryAt(t, t.TempDir())
	old := r.backUp(repo, "2026-03-01T10:00:00Z")
	three, err := r.store.LedgerCheckpoints(ctx)
	must(t, err)
	r.log(4)
	all, err := r.store.LedgerCheckpoints(ctx)
	must(t, err)
	seven := backup.Published{Where: "https://registry.example", Note: []byte(all[1].Cosigned)}
	fork := backup.Published{Where: "elsewhere"}
	forkNote, _ := r.checkpoint([]origin.LedgerEvent{{Leaf: "another"}})
	fork.Note = []byte(forkNote)

	r.refused(repo, r.restoreOptions(seven), backup.ErrRollback)
	r.refused(repo, r.restoreOptions(fork), backup.ErrOtherLog)
	for name, opt := range map[string]backup.RestoreOptions{
		"nothing is published": r.restoreOptions(),
		"the same":             r.restoreOptions(backup.Published{Where: "x", Note: []byte(three[0].Cosigned)}),
		"told to":              withRollback(r.restoreOptions(seven)),
	} {
		if _, err := backup.Restore(ctx, repo, opt); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}

	young := r.backUp(repo, "2026-03-02T10:00:00Z")
	opt := r.restoreOptions(backup.Published{Where: "x", Note: []byte(three[0].Cosigned)}, seven)
	if m, err := backup.Restore(ctx, repo, opt); err != nil || m.ID != young.ID {
		t.Errorf("the newest: %s %v", m.ID, err)
	}
	opt = r.restoreOptions() // the newer backup is detected without being stated
	opt.ID = old.ID
	r.refused(repo, opt, backup.ErrRollback)
}

func withRollback(opt backup.RestoreOptions) backup.RestoreOptions {
	opt.AcceptRollback = true
	return opt
}

func TestLedgerIsComputedAnew(t *testing.T) {
	for name, statement := range map[string]string{
		"a leaf changed": "DROP TRIGGER ledger_no_update; UPDATE ledger_events SET leaf = '{}' WHERE position = 1",
		"a leaf is gone": "DROP TRIGGER ledger_no_delete; DELETE FROM ledger_events WHERE position = 1",
		"a missing row":  "DROP TRIGGER ledger_in_order; PRAGMA foreign_keys = 0; INSERT INTO websites (site_id, host, changed_at) VALUES ('none', 'x', '')",
	} {
		t.Run(name, func(t *testing.T) {
			r := newRegistry(t)
			repo := repositoryAt(t, t.TempDir())
			_, err := r.store.DB().Exec(statement)
			must(t, err)
			r.backUp(repo, "2026-03-01T10:00:00Z")
			r.refused(repo, withRollback(r.restoreOptions()), backup.ErrDamaged)
		})
	}
	t.Run("signed by another key", func(t *testing.T) {
		r := newRegistry(t)
		repo := repositoryAt(t, t.TempDir())
		r.backUp(repo, "2026-03-01T10:00:00Z")
		r.key.Public[0] ^= 1
		r.refused(repo, r.restoreOptions(), backup.ErrDamaged)
	})
}

func TestTargetMustBeEmpty(t *testing.T) {
	r := newRegistry(t)
	repo := repositoryAt(t, t.TempDir())
	r.backUp(repo, "2026-03-01T10:00:00Z")
	opt := r.restoreOptions()
	must(t, os.Mkdir(opt.Dir, 0o755))
	_, err := backup.Restore(ctx, repo, opt)
	must(t, err) // an empty folder counts as none
	assert.ErrorIs(t, assert.Err(backup.Restore(ctx, repo, opt)), backup.ErrNotEmpty, "a second restore")
	opt = r.restoreOptions()
	opt.DryRun = true
	_, err = backup.Restore(ctx, repo, opt)
	must(t, err)
	if left, _ := os.ReadDir(filepath.Dir(opt.Dir)); len(left) != 0 {
		t.Errorf("a dry run left %v", left)
	}
}

// broken is a repository that fails in the middle of an archive.
type broken struct{ backup.Repository }

var errBroken = errors.New("broken")

func (b broken) Put(ctx context.Context, id string, write func(io.Writer) ([]byte, error)) error {
	return b.Repository.Put(ctx, id, func(io.Writer) ([]byte, error) { return write(cutWriter{}) })
}

type cutWriter struct{}

func (cutWriter) Write([]byte) (int, error) { return 0, errBroken }

func TestBackupThatFailsIsNotListed(t *testing.T) {
	r := newRegistry(t)
	where := t.TempDir()
	repo := repositoryAt(t, where)
	if _, err := backup.Create(ctx, broken{repo}, r.options("2026-03-01T10:00:00Z")); !errors.Is(err, errBroken) {
		t.Errorf("create: %v", err)
	}
	if left := files(t, where); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
	m := r.backUp(repo, "2026-03-01T10:00:00Z")
	must(t, os.Remove(filepath.Join(where, m.ID, "manifest.json"))) // as if killed before the end
	if ids, err := repo.List(ctx); err != nil || len(ids) != 0 {
		t.Errorf("listed: %v %v", ids, err)
	}
	r.refused(repo, r.restoreOptions(), backup.ErrNoBackup)
}

func TestPruneKeepsTheNewest(t *testing.T) {
	r := newRegistry(t)
	repo := repositoryAt(t, t.TempDir())
	var ids []string
	for _, day := range []string{"01", "02", "03"} {
		ids = append(ids, r.backUp(repo, "2026-03-"+day+"T10:00:00Z").ID)
	}
	removed, err := backup.Prune(ctx, repo, 2)
	must(t, err)
	left, err := repo.List(ctx)
	must(t, err)
	if fmt.Sprint(removed) != fmt.Sprint(ids[:1]) || fmt.Sprint(left) != fmt.Sprint(ids[1:]) {
		t.Errorf("removed %v, left %v of %v", removed, left, ids)
	}
}

func TestRecipientsAndIdentities(t *testing.T) {
	assert.Fails(t, assert.Err(backup.Recipients(nil, "")), "a backup to nobody")
	assert.Fails(t, assert.Err(backup.Recipients([]string{"age1nonsense"}, "")), "a recipient that is none")
	assert.Fails(t, assert.Err(backup.Recipients([]string{"age1x"}, "word")), "both")
	assert.Fails(t, assert.Err(backup.Identities("", "")), "an identity that is none")
}

func TestOpenRepository(t *testing.T) {
	for _, bad := range []string{"", "s3://", "s3:///prefix", "s3://bucket/a/../b", "https://bucket", "sftp://x/y"} {
		assert.Fails(t, assert.Err(backup.OpenRepository(bad, backup.S3Options{})), "%q is accepted", bad)
	}
	for _, bad := range []string{"localhost:9000", "ftp://x", "http://x/path"} {
		assert.Fails(t, assert.Err(backup.OpenRepository("s3://bucket/prefix", backup.S3Options{Endpoint: bad})), "endpoint %q is accepted", bad)
	}
}

// TestManifestMustDescribeTheOrigin compares a whole origin with manifests that
// describe another one.
func TestManifestMustDescribeTheOrigin(t *testing.T) {
	r := newRegistry(t)
	m := r.backUp(repositoryAt(t, t.TempDir()), "2026-03-01T10:00:00Z")
	for name, change := range map[string]func(*backup.Manifest){
		"":                func(*backup.Manifest) {},
		"another schema":  func(m *backup.Manifest) { m.SchemaVersion-- },
		"a shorter log":   func(m *backup.Manifest) { m.Ledger.Size-- },
		"another root":    func(m *backup.Manifest) { m.Ledger.Root = "cm9vdA==" },
		"no log":          func(m *backup.Manifest) { m.Ledger = backup.Head{} },
		"another name":    func(m *backup.Manifest) { m.Ledger.Origin = "other.example/ledger" },
		"another note":    func(m *backup.Manifest) { m.Ledger.Note += "\n" },
		"a longer ledger": func(m *backup.Manifest) { m.Ledger.Size++ },
	} {
		told := m
		change(&told)
		err := backup.CheckOrigin(ctx, r.restoreOptions(), r.dir, told, []record.Key{r.key}, nil)
		if name == "" && err != nil || name != "" && !errors.Is(err, backup.ErrDamaged) {
			t.Errorf("%q: %v", name, err)
		}
	}
}
