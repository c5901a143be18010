package mirror_test

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"colophon/exports"
	"colophon/internal/assert"
	"colophon/internal/record"
	"colophon/internal/release"
	"colophon/internal/release/mirror"
	"colophon/internal/withdrawn"
)

var must = assert.NoError

// registry publishes files, and can be made to fail.
type registry struct {
	files map[string]string
	sent  atomic.Int64
	fail  atomic.Int64 // number of answers after which all others are 503; 0: never
}

func (g *registry) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, "/")
	if name == "" || strings.HasSuffix(name, "/") {
		name += "index.html"
	}
	text, ok := g.files[name]
	if n := g.sent.Add(1); g.fail.Load() > 0 && n > g.fail.Load() {
		http.Error(w, "away", http.StatusServiceUnavailable)
		return
	}
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Write([]byte(text)) //nolint:errcheck // the copy reports errors
}

// publish signs the list of the current files.
func (g *registry) publish(t *testing.T, name string) {
	t.Helper()
	signer, err := record.NewSigner(make([]byte, 32))
	must(t, err)
	keys, err := record.NewKeySet(record.Key{ID: signer.KeyID(), Public: signer.Public(), NotAfter: 1 << 40})
	must(t, err)
	g.files[".well-known/service-provenance-keys.json"] = string(keys.Append(nil))
	var files []release.File
	l := release.List{BaseURL: "https://registry.example", Catalog: exports.Release{Name: name, GeneratedAt: "2026-11-23T00:00:00Z"}}
	for _, name := range slices.Sorted(maps.Keys(g.files)) {
		if release.Listed(name) {
			files = append(files, release.File{Name: name, Size: int64(len(g.files[name])), SHA256: sha256.Sum256([]byte(g.files[name]))})
			l.Bytes += int64(len(g.files[name]))
		}
	}
	l.Files, l.Catalog.Root = int64(len(files)), "sha-256:"+name
	tiles, texts := release.CutTiles(files, release.TileFiles)
	l.Tiles, l.Proof.Created = tiles, "2026-11-23T00:00:00Z"
	for i := range tiles {
		g.files[tiles[i].Name] = string(texts[i])
	}
	data, err := l.Sign(signer)
	must(t, err)
	g.files[release.ListKey] = string(data)
	g.withdraw(t, signer)
}

// withdraw lists entries as withdrawn.
func (g *registry) withdraw(t *testing.T, signer record.Signer, entries ...string) {
	t.Helper()
	list := release.Withdrawn{Entries: entries, Proof: release.Proof{Created: "2026-11-23T00:00:00Z"}}
	data, err := list.Sign(signer)
	must(t, err)
	g.files[withdrawn.Key] = string(data)
}

// TestWithdrawnIsCopied checks that each copy includes the list of withdrawals,
// even if the mirror has the release already, and that an unsigned list is
// refused.
func TestWithdrawnIsCopied(t *testing.T) {
	g, o := newRegistry(t)
	copyAgain := func() error {
		_, err := mirror.Copy(t.Context(), o)
		return err
	}
	must(t, copyAgain())
	signer, err := record.NewSigner(make([]byte, 32))
	must(t, err)
	g.withdraw(t, signer, "ent_1")
	must(t, copyAgain())
	compare(t, g, o.Dir)
	good := g.files[withdrawn.Key]
	g.files[withdrawn.Key] = strings.Replace(good, "ent_1", "ent_2", 1)
	assert.ErrorIs(t, copyAgain(), release.ErrSignature, "a list that nobody signed")
	g.files[withdrawn.Key] = good
	compare(t, g, o.Dir)
}

func newRegistry(t *testing.T) (*registry, mirror.Options) {
	g := &registry{files: map[string]string{"index.html": "<p>home", "a/index.html": "<p>a", release.HostsKey: "hosts", release.EntriesKey(0, 0): "entries"}}
	for i := range 60 {
		g.files[fmt.Sprintf("v1/public/x/%d.json", i)] = fmt.Sprintf(`{"n":%d}`, i)
	}
	g.publish(t, "2026-11-23.1")
	server := httptest.NewServer(g)
	t.Cleanup(server.Close)
	return g, mirror.Options{Base: server.URL, Dir: filepath.Join(t.TempDir(), "m"), Client: server.Client(), Workers: 4, Keep: 2}
}

// compare compares the mirror's current release with what is published.
func compare(t *testing.T, g *registry, dir string) {
	t.Helper()
	found := 0
	root := filepath.Join(dir, "current") + "/"
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name := strings.TrimPrefix(path, root)
		data, err := os.ReadFile(path)
		if want, ok := g.files[name]; !ok || string(data) != want {
			t.Errorf("%s is %q, want %q", name, data, want)
		}
		found++
		return err
	})
	if err != nil || found != len(g.files) {
		t.Errorf("%d files of %d, %v", found, len(g.files), err)
	}
}

// TestCopyOfLiveRegistry checks that everything but the status page, which a
// live registry computes for each request, is copied.
func TestCopyOfLiveRegistry(t *testing.T) {
	g, o := newRegistry(t)
	const page = "status/index.html"
	g.files[page] = "<p>published"
	g.publish(t, "2026-11-23.2")
	g.files[page] = "<p>answered live"
	must(t, assert.Err(mirror.Copy(t.Context(), o)))
	delete(g.files, page)
	compare(t, g, o.Dir)
}

func TestCopy(t *testing.T) {
	g, o := newRegistry(t)
	r, err := mirror.Copy(t.Context(), o)
	if err != nil || r.Downloaded != r.Files || r.Unchanged {
		t.Fatalf("%+v, %v", r, err)
	}
	compare(t, g, o.Dir)

	if r, err = mirror.Copy(t.Context(), o); err != nil || !r.Unchanged {
		t.Fatalf("the second time: %+v, %v", r, err)
	}

	g.files["v1/public/x/7.json"] = "changed"
	delete(g.files, "v1/public/x/8.json")
	g.publish(t, "2026-11-23.2")
	if r, err = mirror.Copy(t.Context(), o); err != nil || r.Downloaded != 1 || r.Reused != r.Files-1 {
		t.Fatalf("after one change: %+v, %v", r, err)
	}
	compare(t, g, o.Dir)

	for i := 3; i < 6; i++ {
		g.publish(t, fmt.Sprintf("2026-11-23.%d", i))
		must(t, assert.Err(mirror.Copy(t.Context(), o)))
	}
	if kept, _ := os.ReadDir(filepath.Join(o.Dir, "releases")); len(kept) != 2 {
		t.Errorf("%d releases are kept", len(kept))
	}
	compare(t, g, o.Dir)
}

// TestCutCopyGoesOn checks that what was copied is not sent again, and that the
// current release stays until the next is complete.
func TestCutCopyGoesOn(t *testing.T) {
	g, o := newRegistry(t)
	must(t, assert.Err(mirror.Copy(t.Context(), o)))
	before, _ := os.Readlink(filepath.Join(o.Dir, "current"))
	for i := range 60 {
		g.files[fmt.Sprintf("v1/public/x/%d.json", i)] = fmt.Sprintf(`{"m":%d}`, i)
	}
	g.publish(t, "2026-11-23.2")
	g.sent.Store(0)
	g.fail.Store(33)
	if _, err := mirror.Copy(t.Context(), o); err == nil {
		t.Fatal("a cut copy is no error")
	}
	if now, _ := os.Readlink(filepath.Join(o.Dir, "current")); now != before {
		t.Fatal("a cut copy became current")
	}
	g.fail.Store(0)
	r, err := mirror.Copy(t.Context(), o)
	if err != nil || r.Downloaded >= 60 || r.Downloaded < 20 {
		t.Fatalf("%+v, %v", r, err)
	}
	compare(t, g, o.Dir)
}

func TestForgedReleasesAreRefused(t *testing.T) {
	for name, x := range map[string]struct {
		forge func(g *registry)
		want  error
	}{
		"another file":  {func(g *registry) { g.files["v1/public/x/3.json"] = `{"n":4}` }, mirror.ErrMoved},
		"a longer file": {func(g *registry) { g.files["v1/public/x/3.json"] += " " }, mirror.ErrMoved},
		"another tile": {func(g *registry) {
			name := release.TileKey(0, 0)
			g.files[name] = strings.Replace(g.files[name], "a", "b", 1)
		}, mirror.ErrMoved},
		"another root": {func(g *registry) {
			g.files[release.ListKey] = strings.Replace(g.files[release.ListKey], "sha-256:", "sha-256:0", 1)
		}, release.ErrSignature},
		"no signature": {func(g *registry) {
			list := g.files[release.ListKey]
			at := strings.Index(list, `,"signature_b64u"`)
			g.files[release.ListKey] = list[:at] + list[at+len(`,"signature_b64u":"`)+86+1:]
		}, release.ErrSignature},
	} {
		g, o := newRegistry(t)
		x.forge(g)
		assert.ErrorIs(t, assert.Err(mirror.Copy(t.Context(), o)), x.want, "%s", name)
		assert.Fails(t, assert.Err(os.Lstat(filepath.Join(o.Dir, "current"))), "%s: the release became current", name)
	}
}

// TestAnotherProgramVerifies runs a script that uses only node's crypto on a
// mirror, intact and damaged.
func TestAnotherProgramVerifies(t *testing.T) {
	node := os.Getenv("COLOPHON_NODE")
	if node == "" {
		t.Skip("COLOPHON_NODE names no program: run make test-mirror")
	}
	_, o := newRegistry(t)
	must(t, assert.Err(mirror.Copy(t.Context(), o)))
	run := func() ([]byte, error) {
		return exec.Command(node, "../../../tools/mirror/verify.mjs", filepath.Join(o.Dir, "current")).CombinedOutput()
	}
	if out, err := run(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, name := range []string{"v1/public/x/3.json", release.ListKey, release.HostsKey, release.TileKey(0, 0)} {
		path := filepath.Join(o.Dir, "current", name)
		data, err := os.ReadFile(path)
		must(t, err)
		damaged := slices.Clone(data)
		damaged[len(damaged)/2] ^= 1
		os.WriteFile(path, damaged, 0o644) //nolint:errcheck // the script reports errors
		if out, err := run(); err == nil {
			t.Errorf("%s is damaged: %s", name, out)
		}
		os.WriteFile(path, data, 0o644) //nolint:errcheck
	}
}
