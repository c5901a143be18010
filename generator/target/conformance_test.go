package target_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"colophon/exports"
	"colophon/generator/target"
	"colophon/generator/target/bucket"
	"colophon/internal/assert"
	releaselist "colophon/internal/release"
	"colophon/internal/s3/s3test"
	"colophon/internal/wire"
)

var must = assert.NoError

// A place is a target of releases together with what the tests need to know
// about it.
type place interface {
	// publish publishes a release at an instant.
	publish(r release, at time.Time) error

	// killAt publishes in a process that ends before its nth write, if there
	// are that many.
	killAt(n int, r release, at time.Time) (killed bool)

	// writes returns the keys that were written or, marked with a "-", deleted
	// since the last call, without the place's own notes.
	writes() []string

	// stored returns the files that readers find.
	stored() release

	// notes lists the notes from which a publication continues.
	notes() []string
	readNote(name string) []byte
	writeNote(name string, data []byte)

	// begin keeps the place busy, as a running publication does.
	begin() (end func())
}

// release maps the names of files to their content.
type release map[string]string

// The root files are written last. The files in "assets/" are immutable.
const rootFile = "v1/_index.json"

var (
	first  = release{"a.json": "a1", "old/b.json": "b1", "assets/c.0000000001.js": "c1", "assets/both.0000000001.js": "c", rootFile: "a.json assets/c.0000000001.js"}
	second = release{"a.json": "a2", "new/d.json": "d2", "assets/c.0000000002.js": "c2", "assets/both.0000000001.js": "c", rootFile: "new/d.json assets/c.0000000002.js"}
	old    = "assets/c.0000000001.js"
	start  = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
)

// with returns the release with one file of another release.
func (r release) with(name string, other release) release {
	r = maps.Clone(r)
	r[name] = other[name]
	return r
}

// TestPlaces checks what every target guarantees, on a folder and on an S3
// server.
func TestPlaces(t *testing.T) {
	for kind, open := range map[string]func(t *testing.T) place{"folder": newFolder, "bucket": newBucket} {
		t.Run(kind, func(t *testing.T) {
			for _, c := range []struct {
				name string
				test func(t *testing.T, p place)
			}{
				{"publishes and replaces", testReplaced}, {"keeps what comes back", testComesBack}, {"empties", testEmpty}, {"refuses damaged notes", testDamagedNotes},
				{"admits one publisher", testOnePublisher}, {"survives each interruption", testInterrupted},
			} {
				t.Run(c.name, func(t *testing.T) { c.test(t, open(t)) })
			}
		})
	}
}

func publish(t *testing.T, p place, r release, at time.Time) {
	t.Helper()
	must(t, p.publish(r, at))
}

func wantStored(t *testing.T, p place, want release) {
	t.Helper()
	if got := p.stored(); !maps.Equal(got, want) {
		t.Errorf("stored is %v, want %v", got, want)
	}
}

// testReplaced replaces a release: its immutable files stay for the grace
// period, the others are deleted at once, after the root was written.
func testReplaced(t *testing.T, p place) {
	publish(t, p, first, start)
	wantStored(t, p, first)
	p.writes()
	publish(t, p, second, start)
	wantStored(t, p, second.with(old, first))
	want := []string{"assets/c.0000000002.js", "new/d.json", "a.json", rootFile, "-old/b.json"}
	assert.EqualSlices(t, p.writes(), want, "written")

	publish(t, p, second, start.Add(target.DefaultGrace-time.Second))
	wantStored(t, p, second.with(old, first))
	publish(t, p, second, start.Add(target.DefaultGrace))
	wantStored(t, p, second)
	assert.EqualSlices(t, p.writes(), []string{"-" + old}, "after the grace period")
}

func testComesBack(t *testing.T, p place) {
	publish(t, p, first, start)
	publish(t, p, second, start)
	publish(t, p, first, start.Add(time.Hour))
	publish(t, p, first, start.Add(100*time.Hour))
	wantStored(t, p, first)
}

func testEmpty(t *testing.T, p place) {
	publish(t, p, release{}, start)
	wantStored(t, p, release{})
	publish(t, p, first, start)
	publish(t, p, release{}, start)
	wantStored(t, p, release{}.with(old, first).with("assets/both.0000000001.js", first))
	publish(t, p, release{}, start.Add(target.DefaultGrace))
	wantStored(t, p, release{})
}

// testDamagedNotes checks that nothing is published if the notes cannot be
// read.
func testDamagedNotes(t *testing.T, p place) {
	publish(t, p, first, start)
	publish(t, p, second, start)
	before := p.stored()
	for _, name := range p.notes() {
		kept := p.readNote(name)
		p.writeNote(name, []byte("{?"))
		assert.ErrorIs(t, p.publish(first, start), target.ErrDamaged, "%s is damaged", name)
		wantStored(t, p, before)
		p.writeNote(name, kept)
	}
	publish(t, p, first, start)
}

func testOnePublisher(t *testing.T, p place) {
	publish(t, p, first, start)
	end := p.begin()
	if err := p.publish(second, start); !errors.Is(err, target.ErrBusy) && !errors.Is(err, bucket.ErrBusy) {
		t.Errorf("a second publisher at the same time: %v", err)
	}
	wantStored(t, p, first)
	end()
	publish(t, p, second, start)
}

// testInterrupted interrupts a publication before each of its writes in turn.
// Everything that the root names must always exist, immutable files must keep
// their content, and the next publisher must leave nothing behind.
func testInterrupted(t *testing.T, p place) {
	publish(t, p, first, start)
	for n, killed := 1, true; killed; n++ {
		killed = p.killAt(n, second, start)
		got := p.stored()
		for _, name := range strings.Fields(got[rootFile]) {
			if got[name] == "" || target.IsImmutable(name) && got[name] != first[name] && got[name] != second[name] {
				t.Errorf("killed before write %d: the root names %s, which is %q", n, name, got[name])
			}
		}
		if !killed && n < 8 {
			t.Fatalf("a publication has only %d writes", n-1)
		}
		publish(t, p, second, start)
		wantStored(t, p, second.with(old, first))
		publish(t, p, first, start)
		publish(t, p, first, start.Add(100*time.Hour))
		wantStored(t, p, first)
	}
}

// folder is a place in a local folder.
type folder struct {
	testing.TB
	dir   string
	steps []string
}

func newFolder(t *testing.T) place {
	return &folder{TB: t, dir: filepath.Join(t.TempDir(), "dist")}
}

func (f *folder) publish(r release, at time.Time) error {
	to, err := target.OpenFolder(f.dir)
	if err != nil {
		return err
	}
	defer to.Close()
	target.OnReached(func(step string) { f.steps = append(f.steps, step) })
	defer target.OnReached(nil)
	return f.publishTo(to, r, at)
}

// publishTo stages the differences and publishes them.
func (f *folder) publishTo(to *target.Folder, r release, at time.Time) error {
	to.Now = func() time.Time { return at }
	waiting, _ := target.ReadWaiting(f.dir) // Publish reports a damaged list
	before := f.stored()
	maps.DeleteFunc(before, func(name, _ string) bool { _, waits := waiting[name]; return waits })
	var c target.Changes
	for _, name := range slices.Sorted(maps.Keys(r)) {
		o := target.Object{Key: name, SHA256: sha256.Sum256([]byte(r[name])), Size: int64(len(r[name]))}
		text, published := before[name]
		switch {
		case published && text == r[name]:
			continue
		case bucket.IsRoot(name):
			c.Root = append(c.Root, o)
		case published:
			c.Changed = append(c.Changed, o)
		default:
			c.Added = append(c.Added, o)
		}
		f.write(filepath.Join(to.Stage(), name), []byte(r[name]))
	}
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if _, stays := r[name]; !stays {
			c.Removed = append(c.Removed, target.Object{Key: name, Headers: target.NoHeaders})
		}
	}
	return to.Publish(f.Context(), c)
}

func (f *folder) killAt(n int, r release, at time.Time) (killed bool) {
	to, err := target.OpenFolder(f.dir)
	f.must(err)
	errKilled := errors.New("killed")
	target.OnReached(func(string) {
		if n--; n == 0 {
			panic(errKilled)
		}
	})
	defer func() {
		target.OnReached(nil)
		to.Unlock()
		if x := recover(); x != nil && x != errKilled {
			panic(x)
		} else {
			killed = x != nil
		}
	}()
	f.must(f.publishTo(to, r, at))
	return false
}

func (f *folder) writes() (keys []string) {
	for _, step := range f.steps {
		verb, key, _ := strings.Cut(step, " ")
		if key == "" || target.IsNote(key) {
			continue
		}
		if verb == "remove" {
			keys = append(keys, "-"+key)
			continue
		}
		moved := filesOf(f, filepath.Join(f.dir, key))
		for _, name := range slices.Sorted(maps.Keys(moved)) {
			keys = append(keys, path.Join(key, name))
		}
	}
	f.steps = nil
	return keys
}

func (f *folder) stored() release { return filesOf(f, f.dir) }

func (f *folder) notes() []string { return []string{target.WaitingFile} }

func (f *folder) readNote(name string) []byte {
	data, err := os.ReadFile(filepath.Join(f.dir, name))
	f.must(err)
	return data
}

func (f *folder) writeNote(name string, data []byte) { f.write(filepath.Join(f.dir, name), data) }

func (f *folder) begin() (end func()) {
	to, err := target.OpenFolder(f.dir)
	f.must(err)
	return to.Close
}

func (f *folder) write(path string, data []byte) {
	f.must(os.MkdirAll(filepath.Dir(path), 0o755))
	f.must(os.WriteFile(path, data, 0o644))
}

func (f *folder) must(err error) {
	f.Helper()
	if err != nil {
		f.Fatal(err)
	}
}

// filesOf reads all files in a folder except notes and lists of releases.
func filesOf(tb testing.TB, dir string) release {
	tb.Helper()
	r := release{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || d.IsDir() {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		if name = filepath.ToSlash(name); target.IsNote(name) || !releaselist.Listed(name) {
			return nil
		}
		data, err := os.ReadFile(path)
		r[name] = string(data)
		return err
	})
	must(tb, err)
	return r
}

// s3 is a place in a bucket on an S3 server.
type s3 struct {
	folder // releases are written into it before they are published; also has the objects
	proxy  *s3test.Proxy
	number int64 // number of releases

	mu    sync.Mutex
	wrote []string
}

const s3Prefix = "a/registry"

func newBucket(t *testing.T) place {
	endpoint, objects := s3test.Start(t)
	return &s3{folder: folder{TB: t, dir: filepath.Join(objects, s3Prefix)}, proxy: s3test.StartProxy(t, endpoint)}
}

// killedLease is the validity of the leases of publishers that are killed; the
// next publisher waits for so long.
const killedLease = 400 * time.Millisecond

// built writes a release to a folder as a build does, with its signed list.
func (s *s3) built(r release) string {
	dir := s.TempDir()
	var files []releaselist.File
	for _, name := range slices.Sorted(maps.Keys(r)) {
		files = append(files, releaselist.File{Name: name, Size: int64(len(r[name])), SHA256: sha256.Sum256([]byte(r[name]))})
		s.write(filepath.Join(dir, name), []byte(r[name]))
	}
	list := releaselist.List{BaseURL: "https://registry.example", Catalog: exports.Release{Name: "1", GeneratedAt: "2026-03-01T00:00:00Z", Root: "sha-256:" + strings.Repeat("0", 64)}}
	list.Proof.Created = list.Catalog.GeneratedAt
	tiles, texts := releaselist.CutTiles(files, releaselist.TileFiles)
	list.Tiles, list.Files = tiles, int64(len(files))
	for i := range files {
		list.Bytes += files[i].Size
	}
	for i := range tiles {
		s.write(filepath.Join(dir, tiles[i].Name), texts[i])
	}
	s.write(filepath.Join(dir, releaselist.ListKey), wire.Append(nil, &list))
	return dir
}

// publication returns a function that publishes a release.
func (s *s3) publication(lease time.Duration, r release, at time.Time) func() error {
	b, err := bucket.Open("s3://"+s3test.Bucket+"/"+s3Prefix, bucket.Options{Endpoint: s.proxy.Endpoint, Region: "us-east-1", Lease: lease, Parallel: 1})
	s.must(err)
	s.number++
	dir, named := s.built(r), bucket.Release{Name: fmt.Sprint(s.number), Changes: s.number}
	return func() error {
		_, err := b.PublishFolder(s.Context(), dir, named, bucket.PublishOptions{Grace: target.DefaultGrace, Now: at})
		return err
	}
}

func (s *s3) publish(r release, at time.Time) error {
	s.proxy.Spoil(func(q *http.Request) s3test.Fault {
		return func(w http.ResponseWriter, q *http.Request, forward func() *httptest.ResponseRecorder) {
			body, err := io.ReadAll(q.Body)
			if err != nil {
				return // the client has gone
			}
			q.Body = io.NopCloser(bytes.NewReader(body))
			answer := forward()
			s.noteWrite(q, body, answer.Code)
			maps.Copy(w.Header(), answer.Header())
			w.WriteHeader(answer.Code)
			_, _ = w.Write(answer.Body.Bytes()) // the client notices an incomplete answer
		}
	})
	defer s.proxy.Spoil(nil)
	return s.publication(time.Minute, r, at)()
}

var deletedKey = regexp.MustCompile("<Key>" + s3Prefix + "/(.*?)</Key>")

// noteWrite records what a request wrote.
func (s *s3) noteWrite(q *http.Request, body []byte, status int) {
	_, key, _ := strings.Cut(q.URL.Path, s3Prefix+"/")
	var keys []string
	switch q.Method {
	case http.MethodPut:
		keys = []string{key}
	case http.MethodPost:
		for _, match := range deletedKey.FindAllSubmatch(body, -1) {
			keys = append(keys, "-"+string(match[1]))
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, key := range keys {
		if name := strings.TrimPrefix(key, "-"); status == http.StatusOK && !target.IsNote(name) && releaselist.Listed(name) {
			s.wrote = append(s.wrote, key)
		}
	}
}

func (s *s3) killAt(n int, r release, at time.Time) (killed bool) {
	var mu sync.Mutex
	s.proxy.Spoil(func(q *http.Request) s3test.Fault {
		mu.Lock()
		defer mu.Unlock()
		if n > 0 && (q.Method == http.MethodPut || q.Method == http.MethodPost) {
			n--
		}
		if n > 0 {
			return nil
		}
		return s3test.Refuse(http.StatusForbidden, "AccessDenied")
	})
	defer s.proxy.Spoil(nil)
	return s.publication(killedLease, r, at)() != nil || n == 0
}

func (s *s3) writes() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	keys := s.wrote
	s.wrote = nil
	return keys
}

func (s *s3) notes() []string {
	lists, err := filepath.Glob(filepath.Join(s.dir, "_build/lists/*"))
	s.must(err)
	if len(lists) != 1 {
		s.Errorf("%d lists are left", len(lists))
	}
	list, _ := filepath.Rel(s.dir, lists[0])
	return []string{"_build/published.json", "_build/lease.json", list}
}

func (s *s3) begin() (end func()) {
	began, goOn := make(chan struct{}), make(chan struct{})
	var once sync.Once
	s.proxy.Spoil(func(q *http.Request) s3test.Fault {
		if q.Method != http.MethodPut || !strings.HasSuffix(q.URL.Path, ".js") {
			return nil
		}
		return func(w http.ResponseWriter, _ *http.Request, forward func() *httptest.ResponseRecorder) {
			once.Do(func() { close(began) })
			<-goOn
			w.WriteHeader(forward().Code)
		}
	})
	ended := make(chan error, 1)
	publish := s.publication(6*time.Second, second, start)
	go func() { ended <- publish() }()
	<-began
	return func() {
		close(goOn)
		s.must(<-ended)
	}
}
