//go:build edge

package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"colophon/exports"
	"colophon/internal/originsql/d1test"
	"colophon/internal/originsql/local"
	"colophon/internal/registrydir"
	"colophon/internal/segment"
	entrydoc "colophon/internal/segment/document"
	"colophon/internal/segment/entryfacts"
	"colophon/internal/staticindex"
	"colophon/internal/wire"
	"colophon/worker/edgelab/labhost"
)

// formed is one registry, published in each form.
type formed struct {
	*testing.T
	dir      string // of the registry
	settings string // without a profile
	entries  []string

	withdrawn string // entry that change withdrew
}

// The folders of a registry that is published in each form.
const (
	inFiles = "dist"
	inPages = "pages"
	inPacks = "packs"
)

// newFormed publishes the demo, or a catalog of so many synthetic pages.
func newFormed(t *testing.T, synthetic int) *formed {
	t.Helper()
	f := &formed{T: t, dir: filepath.Join(t.TempDir(), "registry")}
	if synthetic == 0 {
		f.run("demo", "--no-serve", "--addr", "127.0.0.1:8787", "--dir", f.dir)
	} else {
		f.run("init", "--dir", f.dir, "--base-url", "http://127.0.0.1:8787", "--contact", "desk@registry.example")
		f.run("corpus", "--dir", f.dir, "--publishers", "30", "--pages", fmt.Sprint(synthetic))
	}
	text, err := os.ReadFile(filepath.Join(f.dir, registrydir.SettingsFile))
	if err != nil {
		t.Fatal(err)
	}
	f.settings = string(text)
	f.build()
	return f
}

func (f *formed) run(args ...string) {
	f.Helper()
	if out, code := colophonRun(f.T, args...); code != 0 {
		f.Fatalf("%v: %d\n%s", args, code, out)
	}
}

// build publishes what changed in each form.
func (f *formed) build() {
	f.Helper()
	for _, form := range []string{inFiles, inPages, inPacks} {
		text, args := f.settings, []string{"build", "--dir", f.dir, "--out", f.out(form)}
		if form != inFiles {
			text += "\nsegment_profile = '" + form + "'\n"
			args = append(args, "--form", "segments")
		}
		if err := os.WriteFile(filepath.Join(f.dir, registrydir.SettingsFile), []byte(text), 0o600); err != nil {
			f.Fatal(err)
		}
		f.run(args...)
	}
}

func (f *formed) out(form string) string { return filepath.Join(f.dir, form) }

func (f *formed) root(form string) *segment.Root {
	f.Helper()
	text, err := os.ReadFile(filepath.Join(f.out(form), segment.RootKey))
	if err != nil {
		f.Fatal(err)
	}
	root, err := segment.ParseRoot(text)
	if err != nil {
		f.Fatal(err)
	}
	return root
}

// sampled is every nth question.
func sampled(list []asked, n int) (out []asked) {
	for i := 0; i < len(list); i += n {
		out = append(out, list[i])
	}
	return out
}

// documents asks for each document that stands in segments, which come first and are
// count, for those that were there before, and for some that never are.
func (f *formed) documents() (list []asked, count int) {
	f.Helper()
	ask := func(key string) {
		path := "/" + strings.TrimSuffix(strings.TrimSuffix(key, ".json"), "index.html")
		list = append(list, asked{"GET", path, nil, "", len(list)%8 > 0})
	}
	tree := os.DirFS(f.out(inFiles))
	err := fs.WalkDir(tree, ".", func(key string, d fs.DirEntry, err error) error {
		doc, isDocument := entrydoc.ParseKey(key)
		_, ofIndex := entrydoc.IndexFolder(key)
		ofIndex = ofIndex && strings.HasSuffix(key, ".idx")
		if err != nil || d.IsDir() || !isDocument && !ofIndex && !exports.Packed(exports.Key(key)) {
			return err
		}
		if _, err := os.Stat(filepath.Join(f.out(inPages), key)); err == nil {
			f.Errorf("%s is a file in segments too", key)
		}
		ask(key)
		count++
		if isDocument && !slices.Contains(f.entries, doc.EntryID) {
			f.entries = append(f.entries, doc.EntryID)
		}
		return nil
	})
	if err != nil {
		f.Fatal(err)
	}
	if len(f.entries) < 20 || count < len(f.entries) {
		f.Fatalf("only %d documents of %d entries", count, len(f.entries))
	}
	for i, id := range append(slices.Clone(f.entries), "ent_none") {
		if i%8 > 0 && i < len(f.entries) {
			continue
		}
		ask(string(exports.KeyOf(exports.RecordPath(id))))
		ask(string(exports.KeyOf(exports.CitationPath(id))))
		for v := range int64(4) {
			ask(string(exports.KeyOf(exports.RecordVersionPath(id, v))))
			ask(string(exports.KeyOf(exports.PlacePath(id, v))))
		}
	}
	return list, count
}

// ways asks for the documents of one entry in every way there is.
func (f *formed) ways() (list []asked) {
	for _, id := range []string{f.entries[0], "ent_none"} {
		paths := []string{exports.RecordPath(id), exports.CitationPath(id), exports.RecordVersionPath(id, 1), exports.PlacePath(id, 1)}
		for _, path := range append(paths, paths[0]+".json", paths[0]+"/", paths[0]+"?x=1", "/"+string(exports.KeyOf(paths[1]))) {
			for _, method := range []string{"GET", "HEAD", "OPTIONS", "DELETE"} {
				list = append(list, asked{method, path, nil, "", false})
			}
			for _, accept := range []string{"application/json", "text/html", "image/png", "application/x-bibtex", "application/vnd.citationstyles.csl+json", "text/plain, */*;q=0.1"} {
				list = append(list, asked{"GET", path, []string{"Accept", accept}, "", false})
			}
			list = append(list, asked{"GET", path, []string{"Accept-Encoding", "gzip"}, "", false}, asked{"GET", path, []string{"Origin", "https://other.example"}, "", false})
		}
	}
	for _, id := range f.entries[:min(len(f.entries), 12)] {
		list = append(list, verifyOf(`{"entry_id":"`+id+`"}`), verifyOf(`{"entry_id":"`+id+`","text":"Other words."}`))
		for _, path := range []string{exports.RecordPath(id), exports.RecordVersionPath(id, 1)} {
			record, err := os.ReadFile(filepath.Join(f.out(inFiles), string(exports.KeyOf(path))))
			if err == nil {
				list = append(list, verifyOf(`{"record":`+string(record)+`}`))
			}
		}
	}
	return list
}

// verifyOf asks for a verification, which reads records, keys and proofs.
func verifyOf(body string) asked {
	return asked{"POST", exports.PathVerify, []string{"Content-Type", "application/json"}, body, true}
}

// serve runs the worker under plain workerd over one of the forms, and over the
// origin. Without memory nothing is kept between two reads.
func (f *formed) serve(form, origin string, env ...string) *labhost.Host {
	f.Helper()
	address, err := labhost.FreeAddress()
	if err != nil {
		f.Fatal(err)
	}
	secret, err := os.ReadFile(filepath.Join(f.dir, "secret"))
	if errors.Is(err, fs.ErrNotExist) {
		secret, err = bytes.Repeat([]byte("A"), 43), nil
	}
	if err != nil {
		f.Fatal(err)
	}
	host, err := labhost.Workerd{
		File: "worker/edgelab/clocked.capnp", Config: "config", Ready: "/-shift/0",
		Listen: map[string]string{"http": address}, Remote: map[string]string{"origin": origin}, Files: map[string]string{"dist": f.out(form)},
		Env: append(env, "BASE_URL=http://127.0.0.1:8787", "SERVICE_SECRET="+strings.TrimSpace(string(secret)), "RATE_LIMITS="+noLimits()),
	}.Start(context.WithoutCancel(f.Context()), f.TempDir())
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { _ = host.Stop() })
	return host
}

// noLimits are limits that no test reaches.
func noLimits() string {
	var words []string
	for _, p := range exports.DefaultLimits() {
		for _, q := range p.Quotas {
			words = append(words, q.Name+"=1000000")
		}
	}
	return strings.Join(words, " ")
}

func (f *formed) origin() string {
	f.Helper()
	db := f.database()
	served := httptest.NewServer(d1test.NewBinding(db))
	f.Cleanup(func() {
		served.Close()
		_ = db.Close()
	})
	return served.Listener.Addr().String()
}

// compareForms compares answers, their tags too.
func (f *formed) compareForms(name, files, segments string, list []asked) {
	f.Run(name, func(t *testing.T) {
		p := &pair{edge: segments, native: files}
		p.compareAll(t, list)
		for i, a := range list {
			if i%16 > 0 {
				continue
			}
			want, err := askOnce(files, a)
			if err != nil {
				t.Fatal(err)
			}
			got, err := askOnce(segments, a)
			if err != nil || got.header.Get("Etag") != want.header.Get("Etag") {
				t.Errorf("%s: %v, tag %s, as files %s", a, err, got.header.Get("Etag"), want.header.Get("Etag"))
			}
		}
	})
}

// withdraw withdraws an entry of a publisher with few, so that little else changes,
// and publishes that.
func (f *formed) withdraw() {
	f.Helper()
	f.withdrawn = f.ask("SELECT min(entry_id) FROM pages JOIN sites USING (site_id) WHERE sites.state = 'approved' AND pages.state = 'active' GROUP BY site_id ORDER BY count(*), site_id LIMIT 1")
	f.run("entry", "withdraw", f.withdrawn, "--dir", f.dir)
	f.build()
	for _, form := range []string{inPages, inPacks} {
		if n := len(f.root(form).Layers); n < 2 {
			f.Errorf("%s: no delta, %d layers", form, n)
		}
	}
}

// suspend takes a publisher out, and publishes that.
func (f *formed) suspend() {
	f.Helper()
	f.run("publisher", "suspend", f.publisher(), "--dir", f.dir)
	f.build()
}

func (f *formed) database() *sql.DB {
	f.Helper()
	db, err := sql.Open("sqlite", local.Address(filepath.Join(f.dir, "origin.db")))
	if err != nil {
		f.Fatal(err)
	}
	return db
}

// publisher is one with few entries, and not that of the withdrawn one.
func (f *formed) publisher() string {
	f.Helper()
	return f.ask("SELECT site_id FROM pages JOIN sites USING (site_id) WHERE sites.state = 'approved' AND site_id NOT IN (SELECT site_id FROM pages WHERE entry_id = ?1) GROUP BY site_id ORDER BY count(*), site_id LIMIT 1", f.withdrawn)
}

// ask asks the origin for one text.
func (f *formed) ask(statement string, args ...any) (text string) {
	f.Helper()
	db := f.database()
	defer db.Close()
	if err := db.QueryRowContext(f.Context(), statement, args...).Scan(&text); err != nil {
		f.Fatal(err)
	}
	return text
}

// pass sets clocks ahead, so that nothing is kept that may change.
func pass(t *testing.T, seconds int, hosts ...*labhost.Host) {
	t.Helper()
	for _, h := range hosts {
		if _, err := askOnce(h.URL, asked{method: "GET", target: fmt.Sprintf("/-shift/%d", seconds*1000)}); err != nil {
			t.Fatal(err)
		}
	}
}

// calls are what a host asked of its bindings since it was asked before.
func calls(t *testing.T, h *labhost.Host) (list []string) {
	t.Helper()
	a, err := askOnce(h.URL, asked{method: "GET", target: "/-calls"})
	if err == nil {
		err = json.Unmarshal(a.body, &list)
	}
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// countCalls asks for documents one by one and gives the most calls that one
// took.
func countCalls(t *testing.T, h *labhost.Host, list []asked) (most int, by []string) {
	t.Helper()
	calls(t, h)
	for _, a := range list {
		if _, err := askOnce(h.URL, a); err != nil {
			t.Fatal(err)
		}
		if made := calls(t, h); len(made) > most {
			most, by = len(made), made
		}
	}
	return most, by
}

// TestSegmentsUnderWorkerd serves the demo from files and from pages under plain
// workerd, asks both the same, changes it, and then harms what is published.
func TestSegmentsUnderWorkerd(t *testing.T) {
	f := newFormed(t, 0)
	origin := f.origin()
	files, pages := f.serve(inFiles, origin), f.serve(inPages, origin)
	forgetful := f.serve(inPages, origin, "EDGE_ASSET_BYTES=1")

	list, count := f.documents()
	t.Logf("%d documents", count)
	f.compareForms("documents", files.URL, pages.URL, list)
	f.compareForms("ways", files.URL, pages.URL, f.ways())
	f.compareForms("endpoints", files.URL, pages.URL, everyEndpoint(readDemo(t, filepath.Join(f.dir, registrydir.DemoFile))))

	f.withdraw()
	f.suspend()
	pass(t, 2, files, pages)
	list, count = f.documents()
	f.compareForms("changed", files.URL, pages.URL, list)

	some := sampled(list, max(1, len(list)/200))
	most, by := countCalls(t, forgetful, some)
	t.Logf("nothing kept: at most %d calls for a document: %q", most, by)
	if most < 4 || most > entrydoc.MaxReads {
		t.Errorf("%d calls for a document, want at most %d", most, entrydoc.MaxReads)
	}
	published := sampled(list[:count], max(1, count/200)) // what is not there is looked for as two files
	calls(t, pages)
	for _, a := range published {
		if _, err := askOnce(pages.URL, a); err != nil {
			t.Fatal(err)
		}
	}
	if made := len(calls(t, pages)); made > len(published)*5/4 {
		t.Errorf("with all objects kept, %d calls for %d documents", made, len(published))
	}

	entry := f.ask("SELECT min(entry_id) FROM pages JOIN sites USING (site_id) WHERE sites.state = 'approved' AND pages.state = 'active' AND entry_id <> ?1", f.withdrawn)
	for name, harm := range map[string]func(path string, data []byte) error{
		"missing":   func(path string, _ []byte) error { return os.Remove(path) },
		"cut short": func(path string, data []byte) error { return os.WriteFile(path, data[:len(data)-9], 0o600) },
		"flipped": func(path string, data []byte) error {
			data[len(data)/2] ^= 1
			return os.WriteFile(path, data, 0o600)
		},
	} {
		t.Run(name, func(t *testing.T) {
			f.harmed(t, forgetful, entry, harm)
			f.harmedIndex(t, forgetful, harm)
		})
	}
	f.boundSearches("pages", forgetful, 0)
}

// searches ask for what the index tells of the first entries.
func (f *formed) searches() (list []asked) {
	f.Helper()
	for _, id := range f.entries[:12] {
		title := f.ask("SELECT title FROM pages WHERE entry_id = ?1", id)
		for _, target := range []string{
			exports.PathSearch + "?q=" + url.QueryEscape(title), exports.PathSearch + "?q=" + url.QueryEscape(strings.Fields(title + " news")[0]),
			exports.PathResolve + "?entry_id=" + id, exports.PathLedgerSearch + "?q=" + id,
		} {
			list = append(list, asked{"GET", target, nil, "", true})
		}
	}
	return list
}

// mostIndexFiles is how many files of the index an answer reads at most, as
// bench/README.md has it for searches.
const mostIndexFiles = 15

// boundSearches counts what searches take where nothing is kept; more are calls that
// a host makes besides.
func (f *formed) boundSearches(name string, h *labhost.Host, more int) {
	f.Run(name+": searches in calls", func(t *testing.T) {
		most, by := countCalls(t, h, f.searches())
		t.Logf("at most %d calls for a search: %q", most, by)
		bound := 3 + mostIndexFiles*entrydoc.MaxIndexReads + more // the first file of the index, a missing one, and the root
		if most < 3 || most > bound {
			t.Errorf("%d calls for a search, want at most %d", most, bound)
		}
	})
}

// harmedIndex harms all objects of the index: searches are an outage and find
// nothing less than that, and all comes back with them.
func (f *formed) harmedIndex(t *testing.T, h *labhost.Host, harm func(path string, data []byte) error) {
	gen := f.generation(inPages)
	paths, err := filepath.Glob(filepath.Join(f.out(inPages), staticindex.Prefix(gen), "??", strings.Repeat("?", 62)+".idx"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("%d objects, %v", len(paths), err)
	}
	search := exports.PathSearch + "?q=news"
	file := "/" + staticindex.Prefix(gen) + "e/root.idx"
	wantStatus(t, h, search, 200)
	wantStatus(t, h, file, 200)
	sound := map[string][]byte{}
	for _, path := range paths {
		if sound[path], err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
		if err := harm(path, bytes.Clone(sound[path])); err != nil {
			t.Fatal(err)
		}
	}
	for _, id := range f.entries[:3] {
		wantStatus(t, h, exports.PathSearch+"?q="+url.QueryEscape(f.ask("SELECT title FROM pages WHERE entry_id = ?1", id)), 503)
		wantStatus(t, h, exports.PathResolve+"?entry_id="+id, 503)
	}
	wantStatus(t, h, file, 500)
	wantStatus(t, h, exports.PathStats, 200)
	for path, data := range sound {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	wantStatus(t, h, search, 200)
	wantStatus(t, h, file, 200)
	wantStatus(t, h, "/"+staticindex.Prefix(gen)+"e/none.idx", 404)
}

// index reads the first file of the index of a form.
func (f *formed) index(form string) *staticindex.Index {
	f.Helper()
	text, err := os.ReadFile(filepath.Join(f.out(form), filepath.FromSlash(string(staticindex.IndexKey))))
	if err != nil {
		f.Fatal(err)
	}
	x := new(staticindex.Index)
	if err := wire.Decode(text, x, wire.Default); err != nil {
		f.Fatal(err)
	}
	return x
}

// generation names the one in force.
func (f *formed) generation(form string) string { return f.index(form).Current.Gen }

// objectKey names an object of a segment.
func (f *formed) objectKey(form string, s *segment.Segment, n int) string {
	f.Helper()
	if len(s.Objects) > 0 {
		return segment.ObjectKey(s.Objects[n])
	}
	directory, err := os.ReadFile(filepath.Join(f.out(form), segment.ObjectKey(s.Directories[n/segment.DirectorySize])))
	if err != nil {
		f.Fatal(err)
	}
	d, err := segment.InDirectory(directory, n)
	if err != nil {
		f.Fatal(err)
	}
	return segment.ObjectKey(d)
}

// harmed harms the base of the entries: documents in it are faults and not
// missing, and come back with it.
func (f *formed) harmed(t *testing.T, h *labhost.Host, entry string, harm func(path string, data []byte) error) {
	base := f.root(inPages).Layers[len(f.root(inPages).Layers)-1].Entries
	key := f.objectKey(inPages, &base, base.ObjectOf(segment.KeyOf(entryfacts.EntryFactsName(entry))))
	path := filepath.Join(f.out(inPages), key)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := harm(path, bytes.Clone(data)); err != nil {
		t.Fatal(err)
	}
	wantStatus(t, h, exports.RecordPath(entry), 500)
	wantStatus(t, h, exports.CitationPath(entry), 500)
	wantStatus(t, h, exports.PathStats, 200)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	wantStatus(t, h, exports.RecordPath(entry), 200)
}

func wantStatus(t *testing.T, h *labhost.Host, target string, status int) {
	t.Helper()
	got, err := askOnce(h.URL, asked{method: "GET", target: target})
	if err != nil || got.status != status {
		t.Errorf("%s: %v, status %d, want %d: %.300s", target, err, got.status, status, got.body)
	}
	if cache := got.header.Get("Cache-Control"); status >= 500 && cache != "private, no-store" {
		t.Errorf("%s: a fault with Cache-Control %q", target, cache)
	}
}

// bucketOf is the bucket of published files of a host.
type bucketOf struct {
	*testing.T
	url    string
	stored map[string][]byte
}

func (b *bucketOf) send(method, key string, body []byte) {
	b.Helper()
	r, err := http.NewRequestWithContext(b.Context(), method, b.url+"/-published/"+key, bytes.NewReader(body))
	if err != nil {
		b.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		b.Fatal(err)
	}
	defer resp.Body.Close()
	if text, err := io.ReadAll(resp.Body); err != nil || string(text) != "ok" {
		b.Fatalf("%s %s: %v %s", method, key, err, text)
	}
}

// inBucket tells whether a file is sent: all but notes and pages of entries, of
// which there are many.
func inBucket(key string) bool {
	return !strings.HasPrefix(key, "_build/") && !strings.HasPrefix(key, "citations/ent_")
}

// publish puts a folder into the bucket, and takes out what it does not have.
func (b *bucketOf) publish(dir string) {
	b.Helper()
	now := map[string][]byte{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		key, err := filepath.Rel(dir, path)
		if err == nil && inBucket(key) {
			now[filepath.ToSlash(key)], err = os.ReadFile(path)
		}
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	for key, data := range now {
		if old, ok := b.stored[key]; !ok || !bytes.Equal(old, data) {
			b.send("PUT", key, data)
		}
	}
	for key := range b.stored {
		if _, ok := now[key]; !ok {
			b.send("DELETE", key, nil)
		}
	}
	b.stored = now
}

// TestSegmentsInBucketUnderWorkerd serves a catalog from R2 under wrangler dev,
// in both profiles, beside the same catalog from files under plain workerd.
func TestSegmentsInBucketUnderWorkerd(t *testing.T) {
	f := newFormed(t, 300)
	files := f.serve(inFiles, f.origin())
	dir := t.TempDir()
	dist := filepath.Join(dir, "dist")
	if err := os.MkdirAll(filepath.Join(dist, "v1/public"), 0o700); err != nil {
		t.Fatal(err)
	}
	// What is in the assets beside a bucket is not what is published.
	for _, key := range []string{"index.html", "v1/public/network-stats.json", segment.RootKey} {
		if err := os.WriteFile(filepath.Join(dist, key), []byte("{}"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	host, err := labhost.Product{
		Dist: dist, Secret: bytes.Repeat([]byte{1}, 32), WideBinds: true, Published: true,
		Vars: map[string]string{"BASE_URL": "http://127.0.0.1:8787", "EDGE_ASSET_BYTES": "1"},
	}.Start(context.WithoutCancel(t.Context()), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = host.Stop() })
	bucket := &bucketOf{T: t, url: host.URL}

	for i, form := range []string{inPacks, inPages} {
		bucket.publish(f.out(form))
		list, _ := f.documents()
		f.compareForms(form, files.URL, host.URL, sampled(list, 3))
		f.compareForms(form+" in every way", files.URL, host.URL, comparable(f.ways()))
		f.boundCalls(form, host, list)
		f.compareForms(form+" searched", files.URL, host.URL, f.searches())
		f.boundSearches(form, host, 8)
		if i == 0 {
			f.compareFiles(files.URL, host.URL)
			f.cutRange(bucket, host)
		}
	}
	f.withdraw()
	// Both profiles have the same delta, which is small. Once read, it is in the Cache API.
	for i, form := range []string{inPacks, inPages} {
		f.loseDelta(bucket, host, form, []int{500, 200}[i])
		list, _ := f.documents()
		f.compareForms(form+" changed", files.URL, host.URL, sampled(list, 3))
		f.boundCalls(form+" changed", host, list)
		pass(t, 40, files, host) // an index goes unnoticed for half a minute
		f.compareForms(form+" searched after the change", files.URL, host.URL, f.searches())
		f.boundSearches(form+" changed", host, 8)
	}
}

// boundCalls counts what documents take where nothing is kept.
func (f *formed) boundCalls(name string, h *labhost.Host, list []asked) {
	f.Run(name+" in calls", func(t *testing.T) {
		most, by := countCalls(t, h, sampled(list, max(1, len(list)/30)))
		t.Logf("at most %d calls for a document: %q", most, by)
		if most < 4 || most > entrydoc.MaxReads+8 {
			t.Errorf("%d calls for a document", most)
		}
	})
}

// cutRange cuts the pack short that holds the entries, whose last bucket is then
// past its end.
func (f *formed) cutRange(b *bucketOf, h *labhost.Host) {
	f.Run("a pack cut short", func(t *testing.T) {
		base := f.root(inPacks).Layers[0].Entries
		key := segment.ObjectKey(base.Objects[0])
		if len(base.Objects) != 1 || base.Bytes <= 128<<10 {
			t.Fatalf("packs of %d bytes are read whole", base.Bytes)
		}
		last := f.entries[0]
		for _, id := range f.entries {
			if segment.KeyOf(id).Compare(segment.KeyOf(last)) > 0 {
				last = id
			}
		}
		whole, err := askOnce(h.URL, asked{method: "GET", target: "/" + key})
		if err != nil || !bytes.Equal(whole.body, b.stored[key]) || !strings.Contains(whole.header.Get("Cache-Control"), "immutable") {
			t.Errorf("the pack itself: %v, status %d, %d bytes, %v", err, whole.status, len(whole.body), whole.header)
		}
		b.send("PUT", key, b.stored[key][:len(b.stored[key])/2])
		wantStatus(t, h, exports.RecordPath(last), 500)
		b.send("DELETE", key, nil)
		wantStatus(t, h, exports.RecordPath(last), 500)
		b.send("PUT", key, b.stored[key])
		wantStatus(t, h, exports.RecordPath(last), 200)
	})
}

// loseDelta publishes a change without the object of its entries, or with wrong
// bytes: what changed is then answered with a status.
func (f *formed) loseDelta(b *bucketOf, h *labhost.Host, form string, status int) {
	b.publish(f.out(form))
	f.Run(form+" without its delta", func(t *testing.T) {
		delta := f.root(form).Layers[0].Entries
		key := f.objectKey(form, &delta, delta.ObjectOf(segment.KeyOf(entryfacts.EntryFactsName(f.withdrawn))))
		data := b.stored[key]
		path := exports.RecordPath(f.withdrawn)
		b.send("DELETE", key, nil)
		wantStatus(t, h, path, status)
		b.send("PUT", key, append(bytes.Clone(data[:len(data)-1]), data[len(data)-1]^1))
		wantStatus(t, h, path, status)
		b.send("PUT", key, data)
		wantStatus(t, h, path, 200)
	})
}

// compareFiles compares all that is published but documents of entries.
func (f *formed) compareFiles(files, bucket string) {
	f.Run("other files", func(t *testing.T) {
		var list []asked
		for i, a := range everyFile(t, f.out(inPacks)) {
			key := path.Clean(a.target)[1:]
			if i%4 > 0 || strings.HasPrefix(key, "_build/") || key == "_headers" || strings.Contains(key, "release") || strings.Contains(key, "_seg") || !inBucket(key) {
				continue
			}
			list = append(list, a)
		}
		list = append(list, asked{"GET", "/v1/public/" + strings.Repeat("a", 2000), nil, "", true})
		(&pair{edge: bucket, native: files}).compareAll(t, comparable(list))
	})
}

// comparable are the questions that need no origin, and whose answers wrangler
// does not compress.
func comparable(list []asked) []asked {
	return slices.DeleteFunc(list, func(a asked) bool {
		return a.method == "POST" || slices.Contains(a.header, "Accept-Encoding") || a.target == exports.PathStatusPage
	})
}
