package bucket

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"colophon/exports"
	"colophon/generator/target"
	"colophon/internal/assert"
	releaselist "colophon/internal/release"
	"colophon/internal/s3/s3test"
	"colophon/internal/wire"
)

var must = assert.NoError

var ctx = context.Background()

// start is the time of a test's first publication.
var start = time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)

// release maps the keys of a folder's files to their content.
type release map[string]string

// document is a file that names other files.
type document struct {
	Text  string   `json:"text"`
	Names []string `json:"names"`
}

func (r release) put(key, text string, names ...string) {
	data, err := json.Marshal(document{text, names})
	if err != nil {
		panic(err)
	}
	r[key] = string(data)
}

// newRelease returns a release with entries that name each other, an index of
// immutable files, and the file that names the index.
func newRelease(gen int, entries ...int) release {
	r := release{}
	var keys []string
	for _, n := range entries {
		keys = append(keys, entryKey(n))
	}
	for _, n := range entries {
		text := fmt.Sprintf("entry %d of generation %d", n, gen-gen%(n%3+1)) // some change with every generation, some rarely
		r.put(entryKey(n), text, keys[max(0, len(keys)-3):]...)
	}
	files := []string{fmt.Sprintf("_ix/%016x/a.idx", gen), fmt.Sprintf("_ix/%016x/b.idx", gen)}
	for _, key := range files {
		r.put(key, key)
	}
	r.put("ledger/checkpoint", fmt.Sprint("checkpoint ", gen))
	r.put("v1/_index.json", fmt.Sprint("index ", gen), append(files, keys...)...)
	r.put("index.html", "a page", keys...)
	r["ai-rights-map.csv"] = "a,b\n"
	r["index.html.gz"] = "compressed"
	return r
}

// immutable returns the files of the release that stay for the grace period.
func (r release) immutable() release {
	r = maps.Clone(r)
	maps.DeleteFunc(r, func(key, _ string) bool { return !target.IsImmutable(key) })
	return r
}

func entryKey(n int) string { return fmt.Sprintf("v1/public/citations/%d.json", n) }

// folder writes the release to a folder as a build does, and adds the list of
// its files to both.
func (r release) folder(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	maps.DeleteFunc(r, func(key, _ string) bool { return !releaselist.Listed(key) })
	var files []releaselist.File
	for _, key := range slices.Sorted(maps.Keys(r)) {
		files = append(files, releaselist.File{Name: key, Size: int64(len(r[key])), SHA256: sha256.Sum256([]byte(r[key]))})
	}
	list := releaselist.List{BaseURL: "https://registry.example", Catalog: exports.Release{Name: "1", GeneratedAt: "2026-03-01T00:00:00Z", Root: "sha-256:" + strings.Repeat("0", 64)}}
	list.Proof.Created = list.Catalog.GeneratedAt
	tiles, texts := releaselist.CutTiles(files, int64(len(files)))
	list.Tiles, list.Files = tiles, int64(len(files))
	for i := range files {
		list.Bytes += files[i].Size
	}
	for i := range tiles {
		r[tiles[i].Name] = string(texts[i])
	}
	r[releaselist.ListKey] = string(wire.Append(nil, &list))
	for key, text := range r {
		writeFile(t, filepath.Join(dir, key), text)
	}
	writeFile(t, filepath.Join(dir, "_headers"), "for another server")
	return dir
}

func writeFile(t testing.TB, path, text string) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(t, os.WriteFile(path, []byte(text), 0o644))
}

// shelf is a bucket on its own server.
type shelf struct {
	testing.TB
	endpoint string
	objects  string // folder in which the server keeps the objects
}

const prefix = "a/registry"

func newShelf(t testing.TB) *shelf {
	t.Helper()
	endpoint, objects := s3test.Start(t)
	return &shelf{t, endpoint, filepath.Join(objects, prefix)}
}

// open opens the bucket with a lease so long that no test renews it, even on a
// slow machine: the tests count requests.
func (s *shelf) open() *Target { return s.at(s.endpoint, Options{}) }

func (s *shelf) at(endpoint string, opt Options) *Target {
	s.Helper()
	opt.Endpoint, opt.Region = endpoint, "us-east-1"
	if opt.Lease == 0 {
		opt.Lease = time.Minute
	}
	b, err := Open("s3://"+s3test.Bucket+"/"+prefix, opt)
	must(s, err)
	return b
}

// options returns options to publish at an instant with the usual grace period.
func options(now time.Time) PublishOptions {
	return PublishOptions{Grace: target.DefaultGrace, Now: now}
}

func numbered(changes int) Release {
	return Release{Name: fmt.Sprint("release ", changes), BaseURL: "https://registry.example", Changes: int64(changes), Latest: start.Add(time.Duration(changes) * time.Second).Format(time.RFC3339)}
}

func (s *shelf) publish(dir string, changes int, now time.Time) Report {
	s.Helper()
	report, err := s.open().PublishFolder(ctx, dir, numbered(changes), options(now))
	must(s, err)
	return report
}

// stored reads all objects except the notes of this package.
func (s *shelf) stored() release {
	s.Helper()
	found := release{}
	for key, text := range s.all() {
		if !strings.HasPrefix(key, notesFolder) {
			found[key] = text
		}
	}
	return found
}

func (s *shelf) all() release {
	s.Helper()
	found := release{}
	err := filepath.WalkDir(s.objects, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		key, _ := filepath.Rel(s.objects, path)
		found[key] = string(data)
		return err
	})
	must(s, err)
	return found
}

// wants compares the stored objects with the files of the releases. Where these
// differ, the first release counts.
func (s *shelf) wants(releases ...release) {
	s.Helper()
	want := release{}
	for _, r := range slices.Backward(releases) {
		maps.Copy(want, r)
	}
	got := s.stored()
	for _, key := range slices.Sorted(maps.Keys(want)) {
		if got[key] != want[key] {
			s.Errorf("%s: %q is stored, not %q", key, got[key], want[key])
		}
	}
	for key := range got {
		if _, ok := want[key]; !ok {
			s.Errorf("%s is stored too", key)
		}
	}
}

// notes counts the lists in the bucket.
func (s *shelf) notes() (lists int) {
	for key := range s.all() {
		if strings.HasPrefix(key, listsFolder) {
			lists++
		}
	}
	return lists
}
