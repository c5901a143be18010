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
	"colophon/generator/target"
	"colophon/internal/assert"
	"colophon/internal/blob"
	entrydoc "colophon/internal/blob/document"
	"colophon/internal/originsql/d1test"
	"colophon/internal/originsql/local"
	"colophon/internal/registrydir"
	"colophon/internal/staticindex"
	"colophon/internal/wire"
	"colophon/worker/edgelab/labhost"
	"colophon/worker/limit"
)

// formed is one registry, published in each form.
type formed struct {
	*testing.T
	dir      string // folder of the registry
	settings string // without a size of packs
	entries  []string

	withdrawn string // the entry that withdraw withdrew
}

// The folders of a registry that is published in each form.
const (
	inFiles = "dist"
	inSmall = "small"
	inLarge = "large"
)

// newFormed publishes the demo, or a catalog of synthetic pages if their number
// is not 0.
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
	must(t, err)
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

// build publishes the changes in each form.
func (f *formed) build() {
	f.Helper()
	for _, form := range []string{inFiles, inSmall, inLarge} {
		text, args := f.settings, []string{"build", "--dir", f.dir, "--out", f.out(form)}
		if form != inFiles {
			text += "\npack_size = '" + form + "'\n"
			args = append(args, "--form", "packs")
		}
		if err := os.WriteFile(filepath.Join(f.dir, registrydir.SettingsFile), []byte(text), 0o600); err != nil {
			f.Fatal(err)
		}
		f.run(args...)
	}
}

// table returns the index of a form's packs.
func (f *formed) table(form string) *blob.Table {
	f.Helper()
	table, err := blob.ReadTable(f.Context(), &blob.Reader{Root: f.root(form), Source: blob.Folder(f.out(form))})
	if err != nil {
		f.Fatal(err)
	}
	return table
}

// blobsOf returns the locations of the blobs that hold an entry's facts, or the
// files below a folder.
func (f *formed) blobsOf(form, key string) (list []blob.Location) {
	f.Helper()
	table := f.table(form)
	for _, row := range table.Below(key) {
		list = append(list, *row.At)
	}
	if len(list) > 0 {
		return list
	}
	i, _ := slices.BinarySearchFunc(table.Rows, key, func(row blob.Row, key string) int { return strings.Compare(row.Key, key) })
	return []blob.Location{*table.Rows[i-1].At}
}

// factsKey returns the key of the facts of an entry.
func (f *formed) factsKey(entry string) string {
	return entrydoc.FactsKey(f.ask("SELECT site_id FROM pages WHERE entry_id = ?1", entry), entry)
}

func (f *formed) out(form string) string { return filepath.Join(f.dir, form) }

func (f *formed) root(form string) *blob.Root {
	f.Helper()
	text, err := os.ReadFile(filepath.Join(f.out(form), blob.RootKey))
	if err != nil {
		f.Fatal(err)
	}
	root, err := blob.ParseRoot(text)
	if err != nil {
		f.Fatal(err)
	}
	return root
}

// sampled returns every nth request.
func sampled(list []asked, n int) (out []asked) {
	for i := 0; i < len(list); i += n {
		out = append(out, list[i])
	}
	return out
}

// documents returns requests for each document in packs (the first count of
// them), for documents that used to exist, and for some that never did.
func (f *formed) documents() (list []asked, count int) {
	f.Helper()
	ask := func(key string) {
		path := "/" + strings.TrimSuffix(strings.TrimSuffix(key, ".json"), "index.html")
		list = append(list, asked{"GET", path, nil, "", len(list)%8 > 0})
	}
	waiting, err := target.ReadWaiting(f.out(inFiles)) // files that are kept for readers who began earlier
	if err != nil {
		f.Fatal(err)
	}
	tree := os.DirFS(f.out(inFiles))
	err = fs.WalkDir(tree, ".", func(key string, d fs.DirEntry, err error) error {
		doc, isDocument := entrydoc.ParseKey(key)
		if err != nil || d.IsDir() || !isDocument && !exports.Packed(exports.Key(key)) {
			return err
		}
		if _, waits := waiting[key]; waits {
			return nil
		}
		if _, err := os.Stat(filepath.Join(f.out(inSmall), key)); err == nil {
			f.Errorf("%s is a file beside packs too", key)
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
	list = append(list, asked{"GET", "/" + string(staticindex.IndexKey), nil, "", false})
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

// ways returns requests for the documents of one entry in every way.
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

// verifyOf returns a request for a verification, which reads records, keys and
// proofs.
func verifyOf(body string) asked {
	return asked{"POST", exports.PathVerify, []string{"Content-Type", "application/json"}, body, true}
}

// serve runs the worker under plain workerd over one of the forms and over the
// origin.
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

// noLimits returns limits that no test reaches.
func noLimits() string {
	var words []string
	for _, p := range limit.DefaultPolicies() {
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

// compareForms compares answers, including their entity tags.
func (f *formed) compareForms(name, files, packs string, list []asked) {
	f.Run(name, func(t *testing.T) {
		p := &pair{edge: packs, native: files}
		p.compareAll(t, list)
		for i, a := range list {
			if i%16 > 0 {
				continue
			}
			want, err := askOnce(files, a)
			must(t, err)
			got, err := askOnce(packs, a)
			if err != nil || got.header.Get("Etag") != want.header.Get("Etag") {
				t.Errorf("%s: %v, tag %s, as files %s", a, err, got.header.Get("Etag"), want.header.Get("Etag"))
			}
		}
	})
}

// withdraw withdraws an entry of a publisher with few entries, so that little
// else changes, and publishes that.
func (f *formed) withdraw() {
	f.Helper()
	f.withdrawn = f.ask("SELECT min(entry_id) FROM pages JOIN sites USING (site_id) WHERE sites.state = 'approved' AND pages.state = 'active' GROUP BY site_id ORDER BY count(*), site_id LIMIT 1")
	f.run("entry", "withdraw", f.withdrawn, "--dir", f.dir)
	f.build()
	for _, form := range []string{inSmall, inLarge} {
		packs := map[blob.ID]bool{}
		for _, row := range f.table(form).Rows {
			packs[row.At.Pack] = true
		}
		if len(packs) < 2 {
			f.Errorf("%s: no pack is new", form)
		}
	}
}

// suspend suspends a publisher and publishes that.
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

// publisher returns a publisher with few entries that is not the withdrawn
// entry's.
func (f *formed) publisher() string {
	f.Helper()
	return f.ask("SELECT site_id FROM pages JOIN sites USING (site_id) WHERE sites.state = 'approved' AND site_id NOT IN (SELECT site_id FROM pages WHERE entry_id = ?1) GROUP BY site_id ORDER BY count(*), site_id LIMIT 1", f.withdrawn)
}

// ask returns one text from the origin.
func (f *formed) ask(statement string, args ...any) (text string) {
	f.Helper()
	db := f.database()
	defer db.Close()
	if err := db.QueryRowContext(f.Context(), statement, args...).Scan(&text); err != nil {
		f.Fatal(err)
	}
	return text
}

// pass sets the hosts' clocks ahead, so that nothing is cached that may change.
func pass(t *testing.T, seconds int, hosts ...*labhost.Host) {
	t.Helper()
	for _, h := range hosts {
		must(t, assert.Err(askOnce(h.URL, asked{method: "GET", target: fmt.Sprintf("/-shift/%d", seconds*1000)})))
	}
}

// calls returns a host's calls of its bindings since the last time.
func calls(t *testing.T, h *labhost.Host) (list []string) {
	t.Helper()
	a, err := askOnce(h.URL, asked{method: "GET", target: "/-calls"})
	if err == nil {
		err = json.Unmarshal(a.body, &list)
	}
	must(t, err)
	return list
}

// countCalls requests documents one by one and returns the most calls that one
// took.
func countCalls(t *testing.T, h *labhost.Host, list []asked) (most int, by []string) {
	t.Helper()
	calls(t, h)
	for _, a := range list {
		must(t, assert.Err(askOnce(h.URL, a)))
		if made := calls(t, h); len(made) > most {
			most, by = len(made), made
		}
	}
	return most, by
}

// TestPacksUnderWorkerd serves the demo from files and from small packs under
// plain workerd, sends both the same requests, changes the demo, and then
// damages what is published.
func TestPacksUnderWorkerd(t *testing.T) {
	f := newFormed(t, 0)
	origin := f.origin()
	files, packs := f.serve(inFiles, origin), f.serve(inSmall, origin)
	forgetful := f.serve(inSmall, origin, "EDGE_ASSET_BYTES=1")

	list, count := f.documents()
	t.Logf("%d documents", count)
	f.compareForms("documents", files.URL, packs.URL, list)
	f.compareForms("ways", files.URL, packs.URL, f.ways())
	f.compareForms("endpoints", files.URL, packs.URL, everyEndpoint(readDemo(t, filepath.Join(f.dir, registrydir.DemoFile))))

	f.withdraw()
	f.suspend()
	pass(t, 31, files, packs) // for half a minute a host may date its answers by the index that it remembers
	list, count = f.documents()
	f.compareForms("changed", files.URL, packs.URL, list)

	some := sampled(list, max(1, len(list)/200))
	most, by := countCalls(t, forgetful, some)
	t.Logf("nothing kept: at most %d calls for a document: %q", most, by)
	if most < 4 || most > entrydoc.MaxReads {
		t.Errorf("%d calls for a document, want at most %d", most, entrydoc.MaxReads)
	}
	published := sampled(list[:count], max(1, count/200)) // missing documents are looked for as two files
	calls(t, packs)
	for _, a := range published {
		must(t, assert.Err(askOnce(packs.URL, a)))
	}
	if made := len(calls(t, packs)); made > len(published)*5/4 {
		t.Errorf("with all packs kept, %d calls for %d documents", made, len(published))
	}

	entry := f.ask("SELECT min(entry_id) FROM pages JOIN sites USING (site_id) WHERE sites.state = 'approved' AND pages.state = 'active' AND entry_id <> ?1", f.withdrawn)
	for name, harm := range map[string]harmPack{
		"missing": func(path string, _ []byte, _ []int64) error { return os.Remove(path) },
		"cut short": func(path string, data []byte, at []int64) error {
			return os.WriteFile(path, data[:slices.Min(at)+1], 0o600)
		},
		"flipped": func(path string, data []byte, at []int64) error {
			for _, offset := range at {
				data[offset] ^= 1
			}
			return os.WriteFile(path, data, 0o600)
		},
	} {
		t.Run(name, func(t *testing.T) {
			f.harmed(t, forgetful, entry, harm)
			f.harmedIndex(t, forgetful, harm)
		})
	}
	f.boundSearches(inSmall, forgetful, 0)
}

// searches returns requests for what the index says about the first entries.
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

// mostIndexFiles is the most files of the index that an answer reads, as
// bench/README.md states for searches.
const mostIndexFiles = 15

// boundSearches checks how many calls searches take without caches; more is the
// number of calls that a host makes besides.
func (f *formed) boundSearches(name string, h *labhost.Host, more int) {
	f.Run(name+": searches in calls", func(t *testing.T) {
		most, by := countCalls(t, h, f.searches())
		t.Logf("at most %d calls for a search: %q", most, by)
		bound := 1 + mostIndexFiles*int(2+f.root(inLarge).Levels) + more // the first file of the index; for each other one the root, pages and a blob
		if most < 3 || most > bound {
			t.Errorf("%d calls for a search, want at most %d", most, bound)
		}
	})
}

// harmPack damages a pack at the offsets where its blobs begin.
type harmPack = func(path string, pack []byte, at []int64) error

// harm damages the packs of some blobs, and returns a function that repairs
// them.
func (f *formed) harm(blobs []blob.Location, harm harmPack) (mend func()) {
	f.Helper()
	at := map[blob.ID][]int64{}
	for _, b := range blobs {
		at[b.Pack] = append(at[b.Pack], b.Offset)
	}
	sound := map[string][]byte{}
	for pack, offsets := range at {
		path := filepath.Join(f.out(inSmall), filepath.FromSlash(blob.PackKey(pack)))
		data, err := os.ReadFile(path)
		if err == nil {
			sound[path] = data
			err = harm(path, bytes.Clone(data), offsets)
		}
		if err != nil {
			f.Fatal(err)
		}
	}
	return func() {
		for path, data := range sound {
			if err := os.WriteFile(path, data, 0o600); err != nil {
				f.Fatal(err)
			}
		}
	}
}

// harmedIndex damages all blobs of the index: searches must be an outage and
// never find less, and work again after the repair.
func (f *formed) harmedIndex(t *testing.T, h *labhost.Host, harm harmPack) {
	gen := f.generation(inSmall)
	search := exports.PathSearch + "?q=news"
	file := "/" + staticindex.Prefix(gen) + "e/root.idx"
	wantStatus(t, h, search, 200)
	wantStatus(t, h, file, 200)
	mend := f.harm(f.blobsOf(inSmall, entrydoc.FileKey(staticindex.Folder)), harm)
	for _, id := range f.entries[:3] {
		wantStatus(t, h, exports.PathSearch+"?q="+url.QueryEscape(f.ask("SELECT title FROM pages WHERE entry_id = ?1", id)), 503)
		wantStatus(t, h, exports.PathResolve+"?entry_id="+id, 503)
	}
	wantStatus(t, h, file, 500)
	wantStatus(t, h, exports.PathStats, 200)
	mend()
	wantStatus(t, h, search, 200)
	wantStatus(t, h, file, 200)
	wantStatus(t, h, "/"+staticindex.Prefix(gen)+"e/none.idx", 404)
}

// generation returns the generation of the index in packs.
func (f *formed) generation(form string) string {
	f.Helper()
	text, err := entrydoc.Files{Source: blob.Folder(f.out(form))}.Read(f.Context(), string(staticindex.IndexKey))
	if err != nil {
		f.Fatal(err)
	}
	x := new(staticindex.Index)
	if err := wire.Decode(text, x, wire.Default); err != nil {
		f.Fatal(err)
	}
	return x.Current.Gen
}

// harmed damages the blob of an entry: its documents must be faults, not
// missing, and return after the repair.
func (f *formed) harmed(t *testing.T, h *labhost.Host, entry string, harm harmPack) {
	mend := f.harm(f.blobsOf(inSmall, f.factsKey(entry)), harm)
	wantStatus(t, h, exports.RecordPath(entry), 500)
	wantStatus(t, h, exports.CitationPath(entry), 500)
	wantStatus(t, h, exports.PathStats, 200)
	mend()
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

// bucketOf is a host's bucket of published files.
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

// inBucket reports whether a file is uploaded: all are except notes and the
// many pages of entries.
func inBucket(key string) bool {
	return !strings.HasPrefix(key, "_build/") && !strings.HasPrefix(key, "citations/ent_")
}

// publish uploads a folder to the bucket, and removes what the folder does not
// have.
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

// TestPacksInBucketUnderWorkerd serves a catalog from R2 under wrangler dev, in
// packs of both sizes, beside the same catalog from files under plain workerd.
func TestPacksInBucketUnderWorkerd(t *testing.T) {
	f := newFormed(t, 300)
	files := f.serve(inFiles, f.origin())
	dir := t.TempDir()
	dist := filepath.Join(dir, "dist")
	must(t, os.MkdirAll(filepath.Join(dist, "v1/public"), 0o700))
	// What is in the assets beside a bucket is not published.
	for _, key := range []string{"index.html", "v1/public/network-stats.json", blob.RootKey} {
		must(t, os.WriteFile(filepath.Join(dist, key), []byte("{}"), 0o600))
	}
	host, err := labhost.Product{
		Dist: dist, Secret: bytes.Repeat([]byte{1}, 32), WideBinds: true, Published: true,
		Vars: map[string]string{"BASE_URL": "http://127.0.0.1:8787", "EDGE_ASSET_BYTES": "1"},
	}.Start(context.WithoutCancel(t.Context()), dir)
	must(t, err)
	t.Cleanup(func() { _ = host.Stop() })
	bucket := &bucketOf{T: t, url: host.URL}

	for i, form := range []string{inLarge, inSmall} {
		bucket.publish(f.out(form))
		list, _ := f.documents()
		f.compareForms(form, files.URL, host.URL, sampled(list, 3))
		f.compareForms(form+" in every way", files.URL, host.URL, comparable(f.ways()))
		f.boundCalls(form, host, list)
		f.compareForms(form+" searched", files.URL, host.URL, f.searches())
		f.boundSearches(form, host, 8)
		if i == 0 {
			f.compareFiles(files.URL, host.URL)
			f.sendsPack(bucket, host)
		}
	}
	f.withdraw()
	for _, form := range []string{inLarge, inSmall} {
		bucket.publish(f.out(form))
		if form == inLarge {
			f.losePack(bucket, host)
		}
		list, _ := f.documents()
		pass(t, 40, files, host) // for half a minute a host may date its answers by the index that it remembers
		f.compareForms(form+" changed", files.URL, host.URL, sampled(list, 3))
		f.boundCalls(form+" changed", host, list)
		f.compareForms(form+" searched after the change", files.URL, host.URL, f.searches())
		f.boundSearches(form+" changed", host, 8)
	}
}

// boundCalls checks how many calls documents take without caches.
func (f *formed) boundCalls(name string, h *labhost.Host, list []asked) {
	f.Run(name+" in calls", func(t *testing.T) {
		most, by := countCalls(t, h, sampled(list, max(1, len(list)/30)))
		t.Logf("at most %d calls for a document: %q", most, by)
		if most < 4 || most > entrydoc.MaxReads+8 {
			t.Errorf("%d calls for a document", most)
		}
	})
}

// sendsPack requests a pack itself.
func (f *formed) sendsPack(b *bucketOf, h *labhost.Host) {
	f.Run("a pack", func(t *testing.T) {
		key, path := blob.PackKey(f.table(inLarge).Rows[0].At.Pack), exports.RecordPath(f.entries[0])
		whole, err := askOnce(h.URL, asked{method: "GET", target: "/" + key})
		if err != nil || !bytes.Equal(whole.body, b.stored[key]) || !strings.Contains(whole.header.Get("Cache-Control"), "immutable") {
			t.Errorf("the pack itself: %v, status %d, %d bytes, %v", err, whole.status, len(whole.body), whole.header)
		}
		wantStatus(t, h, path, 200)
	})
}

// losePack removes the pack that a change wrote, or gives it wrong bytes: what
// changed must then be a fault.
func (f *formed) losePack(b *bucketOf, h *labhost.Host) {
	f.Run("without its new pack", func(t *testing.T) {
		at := f.blobsOf(inLarge, f.factsKey(f.withdrawn))[0]
		key, path := blob.PackKey(at.Pack), exports.RecordPath(f.withdrawn)
		data := b.stored[key]
		b.send("DELETE", key, nil)
		wantStatus(t, h, path, 500)
		flipped := bytes.Clone(data)
		for i := range flipped {
			flipped[i] ^= 1
		}
		b.send("PUT", key, flipped)
		wantStatus(t, h, path, 500)
		b.send("PUT", key, data[:at.Offset])
		wantStatus(t, h, path, 500)
		b.send("PUT", key, data)
		wantStatus(t, h, path, 200)
	})
}

// compareFiles compares everything published except documents of entries.
func (f *formed) compareFiles(files, bucket string) {
	f.Run("other files", func(t *testing.T) {
		var list []asked
		for i, a := range everyFile(t, f.out(inLarge)) {
			key := path.Clean(a.target)[1:]
			if i%4 > 0 || strings.HasPrefix(key, "_build/") || key == "_headers" || strings.Contains(key, "release") || strings.Contains(key, "_packs") || !inBucket(key) {
				continue
			}
			list = append(list, a)
		}
		list = append(list, asked{"GET", "/v1/public/" + strings.Repeat("a", 2000), nil, "", true})
		(&pair{edge: bucket, native: files}).compareAll(t, comparable(list))
	})
}

// comparable returns the requests that need no origin, and whose answers
// wrangler does not compress.
func comparable(list []asked) []asked {
	return slices.DeleteFunc(list, func(a asked) bool {
		return a.method == "POST" || slices.Contains(a.header, "Accept-Encoding") || a.target == exports.PathStatusPage
	})
}
