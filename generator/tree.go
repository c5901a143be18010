package generator

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"

	"colophon/exports"
)

// The build's own notes inside the output folder; they are not served.
const (
	notesDir  = "_build"
	stateFile = notesDir + "/state.json"
	listFile  = notesDir + "/files.txt"

	// ignoreFile tells the asset server of Workers what not to upload.
	ignoreFile = ".assetsignore"

	// headersFile tells it the headers of what it answers by itself.
	headersFile = "_headers"
)

// ignored is what Workers need not hold: the notes, and compressed siblings,
// as that network compresses by itself.
const ignored = "/" + notesDir + "\n*.gz\n"

func isNote(name string) bool {
	return strings.HasPrefix(name, notesDir+"/") || name == ignoreFile || name == headersFile
}

// assetHeaders are the headers of what never changes under its name, in the
// form of headersFile. wrangler.toml leaves just these folders to the asset
// server.
func assetHeaders() []byte {
	var b []byte
	for _, folder := range []string{"assets/", "_ix/"} {
		b = append(b, "/"+folder+"*\n"...)
		policy := exports.PolicyOf(exports.Key(folder + "x.js"))
		for _, h := range slices.Concat([][2]string{{"cache-control", policy.CacheControl}}, exports.SecurityHeaders(policy.ContentType), exports.PublicHeaders()) {
			b = append(b, "  "+h[0]+": "+h[1]+"\n"...)
		}
	}
	return b
}

// tree is an output folder under way: files are written into a folder beside
// it, and swap puts that in its place. Its methods put and has may be called
// from several goroutines.
type tree struct {
	root   *tree  // where a part of a tree puts its files, nil for a whole one
	prefix string // before every name that is put
	dir    string // final place
	stage  string // where files are written now
	lock   *os.File
	mu     sync.Mutex
	list   map[string]fileNote
	made   map[string]bool // folders that exist
	files  int64
	bytes  int64
	zips   sync.Pool
	sealed bool
	before map[string]fileNote // files of the build that is published now
}

type fileNote struct {
	sum  [32]byte
	size int64
}

func newTree(dir string) (*tree, error) {
	dir = filepath.Clean(dir)
	parent := filepath.Dir(dir)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return nil, fmt.Errorf("cannot make the folder %q for the build: %w", parent, err)
	}
	lock, err := lockFile(filepath.Join(parent, "."+filepath.Base(dir)+".lock"))
	if err != nil {
		return nil, err
	}
	t := &tree{dir: dir, lock: lock, list: map[string]fileNote{}, made: map[string]bool{}}
	t.stage = filepath.Join(parent, "."+filepath.Base(dir)+".next")
	if err := os.RemoveAll(t.stage); err != nil {
		t.discard()
		return nil, fmt.Errorf("cannot clear the rest of an earlier build: %w", err)
	}
	if err := os.Mkdir(t.stage, 0o755); err != nil {
		t.discard()
		return nil, fmt.Errorf("cannot write beside %q: %w", dir, err)
	}
	return t, nil
}

// below is the part of the tree under a prefix that ends in "/".
func (t *tree) below(prefix string) *tree { return &tree{root: t, prefix: prefix} }

// discard removes what was staged and lets the next build begin. After swap
// that is the previous build.
func (t *tree) discard() {
	if t.stage != "" {
		os.RemoveAll(t.stage)
	}
	unlockFile(t.lock)
}

// minZip is the size below which a compressed sibling is not worth a file: the
// network in front compresses small files on the fly.
const minZip = 16 << 10

// put writes a file, and its gzip sibling where that saves a lot.
func (t *tree) put(key exports.Key, data []byte) error {
	name := t.prefix + string(key)
	if t.root != nil {
		return t.root.put(exports.Key(name), data)
	}
	if err := t.write(name, data); err != nil {
		return err
	}
	if len(data) < minZip || !key.Compressible() {
		return nil
	}
	if gz := t.zip(data); len(gz) < len(data)-1024 {
		return t.write(name+".gz", gz)
	}
	return nil
}

func (t *tree) write(name string, data []byte) error {
	if !fs.ValidPath(name) {
		return fmt.Errorf("%q cannot be the name of a published file", name)
	}
	if err := t.claim(name, data); err != nil {
		return err
	}
	path := filepath.Join(t.stage, filepath.FromSlash(name))
	if err := t.folder(filepath.Dir(path)); err != nil {
		return err
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		return fmt.Errorf("cannot write %q: %w", name, err)
	}
	return nil
}

// claim notes a file; two outputs must never have the same name.
func (t *tree) claim(name string, data []byte) error {
	note := fileNote{sum(data), int64(len(data))}
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, twice := t.list[name]; twice {
		return fmt.Errorf("two outputs are named %q", name)
	}
	t.list[name] = note
	t.files++
	t.bytes += note.size
	return nil
}

func (t *tree) folder(path string) error {
	t.mu.Lock()
	known := t.made[path]
	t.mu.Unlock()
	if known {
		return nil
	}
	if err := os.MkdirAll(path, 0o755); err != nil {
		return fmt.Errorf("cannot make a folder for the build: %w", err)
	}
	t.mu.Lock()
	t.made[path] = true
	t.mu.Unlock()
	return nil
}

func (t *tree) zip(data []byte) []byte {
	var buf bytes.Buffer
	z, _ := t.zips.Get().(*gzip.Writer)
	if z == nil {
		z, _ = gzip.NewWriterLevel(&buf, 6)
	} else {
		z.Reset(&buf)
	}
	z.Write(data) //nolint:errcheck // a bytes.Buffer never fails
	z.Close()     //nolint:errcheck
	t.zips.Put(z)
	return buf.Bytes()
}

// seal reads everything back, refuses a file that is not as it was written, is
// missing or was never written, and adds the build's own notes.
func (t *tree) seal(state []byte) error {
	if err := checkTree(t.stage, t.list); err != nil {
		return err
	}
	if err := t.write(stateFile, state); err != nil {
		return err
	}
	if err := t.write(ignoreFile, []byte(ignored)); err != nil {
		return err
	}
	if err := t.write(headersFile, assetHeaders()); err != nil {
		return err
	}
	if err := t.write(listFile, t.listing()); err != nil {
		return err
	}
	t.sealed = true
	return nil
}

// listing is the list of files: "<sha-256> <size> <name>" a line, by name.
func (t *tree) listing() []byte {
	names := make([]string, 0, len(t.list))
	for name := range t.list {
		if !isNote(name) {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	var b bytes.Buffer
	for _, name := range names {
		n := t.list[name]
		fmt.Fprintf(&b, "%x %d %s\n", n.sum, n.size, name)
	}
	return b.Bytes()
}

// parseListing reads the list of files of a build.
func parseListing(b []byte) (map[string]fileNote, error) {
	out := map[string]fileNote{}
	lines := bufio.NewScanner(bytes.NewReader(b))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var n fileNote
		var sum, name string
		if _, err := fmt.Sscanf(lines.Text(), "%64s %d %s", &sum, &n.size, &name); err != nil {
			return nil, fmt.Errorf("the list of files is damaged at %q", lines.Text())
		}
		raw, err := hex.DecodeString(sum)
		if err != nil || len(raw) != len(n.sum) || !fs.ValidPath(name) {
			return nil, fmt.Errorf("the list of files is damaged at %q", lines.Text())
		}
		copy(n.sum[:], raw)
		out[name] = n
	}
	return out, lines.Err()
}

// sum is the digest of a file.
func sum(data []byte) [32]byte { return sha256.Sum256(data) }

// checkTree compares a folder with its list of files.
func checkTree(dir string, list map[string]fileNote) error {
	seen := 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(rel)
		if isNote(name) {
			return nil
		}
		note, listed := list[name]
		if !listed {
			return fmt.Errorf("unexpected file %q in the build", name)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if int64(len(data)) != note.size || sum(data) != note.sum {
			return fmt.Errorf("file %q is not as it was written", name)
		}
		seen++
		return nil
	})
	if err != nil {
		return err
	}
	for name := range list {
		if isNote(name) {
			seen++
		}
	}
	if seen != len(list) {
		return missingFile(dir, list)
	}
	return nil
}

func missingFile(dir string, list map[string]fileNote) error {
	names := make([]string, 0, len(list))
	for name := range list {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name))); err != nil && !isNote(name) {
			return fmt.Errorf("missing file %q in the build", name)
		}
	}
	return errors.New("the build has fewer files than its list")
}

// swap puts the staged files in the place of the previous build, in one step,
// and returns how many differ.
func (t *tree) swap() (changed int64, err error) {
	if !t.sealed {
		return 0, errors.New("the build was not sealed")
	}
	old, err := os.ReadFile(filepath.Join(t.dir, filepath.FromSlash(listFile)))
	if err == nil {
		if before, err := parseListing(old); err == nil {
			changed = t.differ(before)
		}
	} else {
		changed = t.files
	}
	if err := syncTree(t.stage); err != nil {
		return 0, fmt.Errorf("cannot write the build to disk: %w", err)
	}
	if err := exchange(t.stage, t.dir); err != nil {
		return 0, fmt.Errorf("cannot put the build in place: %w", err)
	}
	return changed, nil
}

func (t *tree) differ(before map[string]fileNote) (n int64) {
	for name, note := range t.list {
		if isNote(name) {
			continue
		}
		if old, ok := before[name]; !ok || old != note {
			n++
		}
	}
	for name := range before {
		if _, ok := t.list[name]; !ok {
			n++
		}
	}
	return n
}
