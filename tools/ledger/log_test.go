package ledger_test

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"fmt"
	"io/fs"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/transparency-dev/merkle/rfc6962"
	"github.com/transparency-dev/tessera/api"
	"github.com/transparency-dev/tessera/client"
	"github.com/transparency-dev/tessera/fsck"
	"golang.org/x/mod/sumdb/note"
	_ "modernc.org/sqlite"

	"colophon/generator"
	"colophon/generator/verify"
	"colophon/internal/blob"
	"colophon/internal/blob/document"
	"colophon/internal/demo/corpus"
	"colophon/internal/originsql"
	provrecord "colophon/internal/record"
	"colophon/worker"
	"colophon/worker/edgehttp"
)

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// key returns a key that depends only on name.
func key(tb testing.TB, name string) (provrecord.Key, *provrecord.SeedSigner) {
	tb.Helper()
	k, err := provrecord.NewKeyFile(sha256.Sum256([]byte(name)), 1704067200, 1893456000, provrecord.KeyActive)
	must(tb, err)
	public, err := k.Key()
	must(tb, err)
	signer, err := k.Signer()
	must(tb, err)
	return public, signer
}

// site is a published service with its store.
type site struct {
	dir   string
	store *originsql.Store
	opt   generator.Options
}

func newSite(tb testing.TB, pages int) *site {
	tb.Helper()
	root := tb.TempDir()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(root, "origin.db")+"?_pragma=journal_mode(WAL)&_pragma=synchronous(OFF)")
	must(tb, err)
	tb.Cleanup(func() { db.Close() })
	ctx := context.Background()
	must(tb, originsql.Migrate(ctx, db))
	s := &site{dir: filepath.Join(root, "dist"), store: originsql.New(db)}
	c := corpus.New(corpus.Options{Publishers: 3, Pages: pages, Seed: 1})
	must(tb, c.FillPublishers(ctx, s.store))
	must(tb, c.FillPages(ctx, s.store, 0, pages))
	record, signer := key(tb, "records")
	log, logSigner := key(tb, "log")
	set, err := provrecord.NewKeySet(record)
	must(tb, err)
	s.opt = generator.Options{BaseURL: "https://registry.example", Name: "Colophon", Signer: signer, Keys: set, Workers: 2,
		Ledger: &generator.LedgerOptions{Signer: logSigner, Keys: []provrecord.Key{log}}}
	return s
}

func (s *site) build(tb testing.TB) generator.Report {
	tb.Helper()
	r, err := generator.Build(context.Background(), s.store, s.dir, s.opt)
	must(tb, err)
	return r
}

// change changes the titles of n pages, so that their records get a new
// version.
func (s *site) change(tb testing.TB, n int, title string) {
	tb.Helper()
	ctx := context.Background()
	sites, err := s.store.Sites(ctx)
	must(tb, err)
	for _, x := range sites {
		pages, err := s.store.PagesOf(ctx, x.SiteID, "", n)
		must(tb, err)
		for _, p := range pages {
			if n--; n < 0 {
				return
			}
			p.Title, p.ChangedAt = title, "2026-11-20T00:00:00Z"
			must(tb, s.store.PutPage(ctx, p, nil))
		}
	}
}

// published returns the published files, including documents in packs.
func (s *site) published() document.Files { return document.Files{Source: blob.Folder(s.dir)} }

// serve serves the site with the product's own handlers, on loopback.
func (s *site) serve(tb testing.TB) string {
	tb.Helper()
	deps := worker.Deps{BaseURL: s.opt.BaseURL, Assets: s.published(), Now: time.Now, Log: func(string) {}}
	server := httptest.NewServer(edgehttp.New(worker.New(deps), edgehttp.Options{}))
	tb.Cleanup(server.Close)
	return server.URL + "/ledger/"
}

// bundleHashes returns the leaf hashes of a bundle as the fsck command does.
func bundleHashes(bundle []byte) ([][]byte, error) {
	var b api.EntryBundle
	if err := b.UnmarshalText(bundle); err != nil {
		return nil, err
	}
	var out [][]byte
	for _, e := range b.Entries {
		out = append(out, rfc6962.DefaultHasher.HashLeaf(e))
	}
	return out, nil
}

// audit runs Tessera's auditor over HTTP.
func audit(tb testing.TB, base, vkey string) error {
	tb.Helper()
	verifier, err := note.NewVerifier(vkey)
	must(tb, err)
	u, err := url.Parse(base)
	must(tb, err)
	fetcher, err := client.NewHTTPFetcher(u, nil)
	must(tb, err)
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	return fsck.New(verifier.Name(), verifier, fetcher, bundleHashes, fsck.Opts{N: 4}).Check(ctx)
}

func vkey(tb testing.TB, dir string) string {
	tb.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "ledger", "ledger.vkey"))
	must(tb, err)
	return strings.TrimSuffix(string(text), "\n")
}

// TestTesseraAccepts audits the log of a real build over HTTP, after each of
// several builds, and then mirrors it with Tessera's own tool. It does so for
// both forms.
func TestTesseraAccepts(t *testing.T) {
	for _, form := range []generator.Form{generator.FormFiles, generator.FormPacks} {
		t.Run(string(form), func(t *testing.T) { acceptLog(t, form) })
	}
}

func acceptLog(t *testing.T, form generator.Form) {
	s := newSite(t, 700)
	s.opt.Form = form
	base := s.serve(t)
	for i, n := range []int{0, 3, 0, 40, 600} {
		s.change(t, n, fmt.Sprintf("Changed in round %d", i))
		r := s.build(t)
		if err := audit(t, base, vkey(t, s.dir)); err != nil {
			t.Fatalf("round %d, %d leaves: %v", i, r.LedgerSize, err)
		}
		t.Logf("round %d: %d leaves, %d new: accepted", i, r.LedgerSize, r.Logged)
	}
	a, err := verify.Release(s.dir)
	must(t, err)
	if len(a.Findings) > 0 || a.Proofs < 1300 {
		t.Errorf("%d proofs, findings %q", a.Proofs, a.Findings)
	}
	mirror(t, s, base)
}

// mirror copies the log and compares the copy.
func mirror(t *testing.T, s *site, base string) {
	target := t.TempDir()
	out, err := exec.Command("go", "tool", "posix", "--source_url="+base, "--storage_dir="+target, "--num_workers=4").CombinedOutput()
	if err != nil {
		t.Fatalf("mirror: %v\n%s", err, out)
	}
	mine, copied := s.published(), files(t, target)
	if len(copied) < 10 {
		t.Fatalf("only %d files were mirrored", len(copied))
	}
	for name, data := range copied {
		if got, err := mine.Read(t.Context(), "ledger/"+name); err != nil || string(got) != string(data) {
			t.Errorf("%s differs in the mirror: %v", name, err)
		}
	}
	t.Logf("%d files mirrored", len(copied))
}

// TestTesseraRefuses checks that the auditor finds damage, so that its approval
// means something.
func TestTesseraRefuses(t *testing.T) {
	s := newSite(t, 300)
	s.build(t)
	base, key := s.serve(t), vkey(t, s.dir)
	for _, name := range []string{"tile/0/000", "tile/entries/000", "checkpoint"} {
		path := filepath.Join(s.dir, "ledger", name)
		data, err := os.ReadFile(path)
		must(t, err)
		data[len(data)/2] ^= 1
		must(t, os.WriteFile(path, data, 0o644))
		if err := audit(t, base, key); err == nil {
			t.Errorf("%s: damage was accepted", name)
		}
		data[len(data)/2] ^= 1
		must(t, os.WriteFile(path, data, 0o644))
	}
	if err := audit(t, base, key); err != nil {
		t.Errorf("repaired: %v", err)
	}
}

func files(tb testing.TB, dir string) map[string][]byte {
	tb.Helper()
	out := map[string][]byte{}
	must(tb, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		out[filepath.ToSlash(rel)], err = os.ReadFile(path)
		return err
	}))
	return out
}
