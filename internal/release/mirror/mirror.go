// Package mirror keeps complete, verified copies of a registry's published
// files.
//
// A mirror is a folder:
//
//	current         the newest release, a symbolic link into releases/
//	releases/NAME/  a whole release; files that did not change share one file on disk
//	next/           the release that is being copied
package mirror

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"colophon/exports"
	"colophon/internal/record"
	"colophon/internal/release"
	"colophon/internal/withdrawn"
)

// Options says what to copy and where.
type Options struct {
	Base    string // address of the registry, without a trailing slash
	Dir     string
	Keys    *record.KeySet // keys that may sign; nil means those that the registry publishes
	Client  *http.Client
	Workers int // concurrent downloads, at least 1
	Keep    int // releases to keep, including the current one; at least 1
	Told    func(done, total int64)
}

// Report describes what a copy did.
type Report struct {
	Release    string `json:"release"`
	Root       string `json:"root"`
	Folder     string `json:"folder"`
	Files      int64  `json:"files"`
	Bytes      int64  `json:"bytes"`
	Downloaded int64  `json:"downloaded"` // files
	Received   int64  `json:"received"`   // bytes of the downloaded files
	Reused     int64  `json:"reused"`     // files
	Unchanged  bool   `json:"unchanged"`  // the mirror had the release already
}

// ErrMoved is returned if the registry published another release during the
// copy, or a file is not what its list says. The same call continues where this
// one ended.
var ErrMoved = errors.New("a file is not what the list of the release says: another release may have been published meanwhile")

const (
	currentName  = "current"
	releasesName = "releases"
	nextName     = "next"
	keysKey      = ".well-known/service-provenance-keys.json"
	maxDocument  = 64 << 20
)

// Copy updates the mirror to the published release. The mirror's current
// release changes in one step, to a whole release, or not at all.
func Copy(ctx context.Context, o Options) (Report, error) {
	c := &copying{Options: o, next: filepath.Join(o.Dir, nextName)}
	data, list, err := c.list(ctx)
	if err != nil {
		return Report{}, err
	}
	gone, err := c.withdrawn(ctx)
	if err != nil {
		return Report{}, err
	}
	c.report = Report{Release: list.Catalog.Name, Root: list.Catalog.Root, Files: list.Files, Bytes: list.Bytes}
	current := filepath.Join(o.Dir, currentName)
	if have, err := os.ReadFile(filepath.Join(current, release.ListKey)); err == nil && string(have) == string(data) {
		c.report.Unchanged, c.report.Folder = true, current
		return c.report, writeFile(filepath.Join(current, withdrawn.Key), gone)
	}
	if err := os.MkdirAll(c.next, 0o755); err != nil {
		return Report{}, err
	}
	files, err := c.files(ctx, list)
	if err != nil {
		return Report{}, err
	}
	if err := c.all(ctx, files); err != nil {
		return Report{}, err
	}
	if err := c.only(files, list); err != nil {
		return Report{}, err
	}
	if err := writeFile(c.path(release.ListKey), data); err != nil {
		return Report{}, err
	}
	if err := writeFile(c.path(withdrawn.Key), gone); err != nil {
		return Report{}, err
	}
	c.report.Folder = current
	return c.report, c.place(list, data)
}

// copying is a copy in progress.
type copying struct {
	Options
	next   string
	before map[string]release.File // files of the current release, by name
	report Report
}

// path returns the path of a file in the next release.
func (c *copying) path(name string) string { return filepath.Join(c.next, filepath.FromSlash(name)) }

func (c *copying) currentPath(name string) string {
	return filepath.Join(c.Dir, currentName, filepath.FromSlash(name))
}

// list fetches and verifies the list of the release.
func (c *copying) list(ctx context.Context) ([]byte, *release.List, error) {
	keys := c.Keys
	if keys == nil {
		doc, err := c.read(ctx, keysKey)
		if err != nil {
			return nil, nil, err
		}
		set, err := record.ParseKeySet(doc)
		if err != nil {
			return nil, nil, fmt.Errorf("the keys of the registry are not valid: %w", err)
		}
		keys = &set
	}
	c.Keys = keys
	data, err := c.read(ctx, release.ListKey)
	if err != nil {
		return nil, nil, err
	}
	list, err := release.ParseList(data, *keys)
	return data, list, err
}

// withdrawn fetches and verifies the list of what was withdrawn since the
// release.
func (c *copying) withdrawn(ctx context.Context) ([]byte, error) {
	data, err := c.read(ctx, withdrawn.Key)
	if err != nil {
		return nil, err
	}
	_, err = release.ParseWithdrawn(data, *c.Keys)
	return data, err
}

// files reads the tiles of the list, and notes the files of the current
// release. It leaves out compressed siblings, which are not copied.
func (c *copying) files(ctx context.Context, list *release.List) ([]release.File, error) {
	all, err := list.ReadFiles(func(t *release.Tile) ([]byte, error) { return c.tile(ctx, t) })
	if err != nil {
		return nil, err
	}
	current, err := release.ReadFolder(os.DirFS(filepath.Join(c.Dir, currentName)))
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, release.ErrDamaged) {
		return nil, err
	}
	c.before = make(map[string]release.File, len(current))
	for _, f := range current {
		c.before[f.Name] = f
	}
	return slices.DeleteFunc(all, func(f release.File) bool { return release.IsSibling(f.Name) }), nil
}

// tile returns a tile, from the current release if that has it.
func (c *copying) tile(ctx context.Context, t *release.Tile) ([]byte, error) {
	text, err := os.ReadFile(c.currentPath(t.Name))
	if err != nil || !t.Fits(text) {
		if text, err = c.read(ctx, t.Name); err != nil {
			return nil, err
		}
	}
	if !t.Fits(text) {
		return nil, fmt.Errorf("%w: %s", ErrMoved, t.Name)
	}
	return text, writeFile(c.path(t.Name), text)
}

// all puts every file into the next release.
func (c *copying) all(ctx context.Context, files []release.File) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	work := make(chan release.File)
	var group sync.WaitGroup
	var done atomic.Int64
	for range max(1, c.Workers) {
		group.Go(func() {
			for f := range work {
				if err := c.one(ctx, f); err != nil {
					cancel(err)
				}
				if n := done.Add(1); c.Told != nil {
					c.Told(n, int64(len(files)))
				}
			}
		})
	}
	for _, f := range files {
		select {
		case work <- f:
			continue
		case <-ctx.Done():
		}
		break
	}
	close(work)
	group.Wait()
	return context.Cause(ctx)
}

// one puts a file into the next release: it keeps what an interrupted copy
// left, links what the current release has, or downloads it. In each case it
// verifies the bytes.
func (c *copying) one(ctx context.Context, f release.File) error {
	if ctx.Err() != nil {
		return nil // the context has the cause
	}
	path := c.path(f.Name)
	if holds(path, f) {
		atomic.AddInt64(&c.report.Reused, 1)
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if old, known := c.before[f.Name]; known && old == f && holds(c.currentPath(f.Name), f) {
		os.Remove(path)
		if os.Link(c.currentPath(f.Name), path) == nil {
			atomic.AddInt64(&c.report.Reused, 1)
			return nil
		}
	}
	err := c.download(ctx, f, path)
	if errors.Is(err, ErrMoved) && isComputed(f.Name) {
		return nil // a copy is complete without it
	}
	if err != nil {
		return err
	}
	atomic.AddInt64(&c.report.Downloaded, 1)
	atomic.AddInt64(&c.report.Received, f.Size)
	return nil
}

// isComputed reports whether a live registry computes the page of this name for
// each request, so that its published bytes cannot be fetched.
func isComputed(name string) bool {
	page, ok := strings.CutSuffix(name, "index.html")
	e, _ := exports.FindPage("GET", "/"+page, "")
	return ok && e != nil
}

// holds reports whether the file at path is the listed one.
func holds(path string, f release.File) bool {
	in, err := os.Open(path)
	if err != nil {
		return false
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() != f.Size {
		return false
	}
	h := sha256.New()
	_, err = io.Copy(h, in)
	return err == nil && [32]byte(h.Sum(nil)) == f.SHA256
}

func (c *copying) download(ctx context.Context, f release.File, path string) error {
	body, err := c.get(ctx, f.Name)
	if err != nil {
		return err
	}
	defer body.Close()
	temp, err := os.CreateTemp(filepath.Dir(path), ".part-*")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name())
	h := sha256.New()
	n, err := io.Copy(io.MultiWriter(temp, h), io.LimitReader(body, f.Size+1))
	if err = errors.Join(err, temp.Chmod(0o644), temp.Sync(), temp.Close()); err != nil {
		return fmt.Errorf("cannot copy %s: %w", f.Name, err)
	}
	if n != f.Size || [32]byte(h.Sum(nil)) != f.SHA256 {
		return fmt.Errorf("%w: %s", ErrMoved, f.Name)
	}
	return os.Rename(temp.Name(), path)
}

// only removes files that the next release does not have; the copy of another
// release may have left them.
func (c *copying) only(files []release.File, list *release.List) error {
	wanted := make(map[string]bool, len(files))
	for _, f := range files {
		wanted[f.Name] = true
	}
	for i := range list.Tiles {
		wanted[list.Tiles[i].Name] = true
	}
	return filepath.WalkDir(c.next, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(c.next, path)
		if err != nil || wanted[filepath.ToSlash(name)] {
			return err
		}
		return os.Remove(path)
	})
}

// place makes the next release the current one and removes old releases.
func (c *copying) place(list *release.List, data []byte) error {
	sum := sha256.Sum256(data)
	name := list.Catalog.Name + "-" + hex.EncodeToString(sum[:6])
	if !fs.ValidPath(name) || strings.Contains(name, "/") {
		return fmt.Errorf("%w: its name is %q", release.ErrDamaged, list.Catalog.Name)
	}
	releases := filepath.Join(c.Dir, releasesName)
	if err := os.MkdirAll(releases, 0o755); err != nil {
		return err
	}
	to := filepath.Join(releases, name)
	if err := os.RemoveAll(to); err != nil { // left by a copy that was interrupted before it became current
		return err
	}
	if err := os.Rename(c.next, to); err != nil {
		return err
	}
	link := filepath.Join(c.Dir, ".current")
	os.Remove(link)
	if err := os.Symlink(filepath.Join(releasesName, name), link); err != nil {
		return err
	}
	if err := os.Rename(link, filepath.Join(c.Dir, currentName)); err != nil {
		return err
	}
	return c.removeOld(releases, name)
}

// removeOld removes the oldest releases, except those to keep.
func (c *copying) removeOld(releases, current string) error {
	entries, err := os.ReadDir(releases)
	if err != nil {
		return err
	}
	type old struct {
		name string
		at   int64
	}
	var list []old
	for _, e := range entries {
		info, err := e.Info()
		if err == nil && e.Name() != current {
			list = append(list, old{e.Name(), info.ModTime().UnixNano()})
		}
	}
	slices.SortFunc(list, func(a, b old) int { return int(min(1, max(-1, b.at-a.at))) })
	for _, o := range list[min(len(list), max(1, c.Keep)-1):] {
		if err := os.RemoveAll(filepath.Join(releases, o.name)); err != nil {
			return err
		}
	}
	return nil
}

// read fetches a whole document.
func (c *copying) read(ctx context.Context, name string) ([]byte, error) {
	body, err := c.get(ctx, name)
	if err != nil {
		return nil, err
	}
	defer body.Close()
	data, err := io.ReadAll(io.LimitReader(body, maxDocument+1))
	if err == nil && len(data) > maxDocument {
		err = fmt.Errorf("%w: %s is too large", release.ErrDamaged, name)
	}
	return data, err
}

func (c *copying) get(ctx context.Context, name string) (io.ReadCloser, error) {
	req, err := http.NewRequestWithContext(ctx, "GET", c.Base+"/"+addressOf(name), nil)
	if err != nil {
		return nil, err
	}
	resp, err := c.Client.Do(req)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode != http.StatusOK {
		resp.Body.Close()
		return nil, fmt.Errorf("%s: answered %s", req.URL, resp.Status)
	}
	return resp.Body, nil
}

// addressOf returns the path at which a file is served; for a page that is its
// folder.
func addressOf(name string) string {
	folder, isPage := strings.CutSuffix(name, "index.html")
	if isPage && exports.KeyOf("/"+folder) == exports.Key(name) {
		return folder
	}
	return name
}

func writeFile(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	temp := path + ".part"
	if err := os.WriteFile(temp, data, 0o644); err != nil {
		return err
	}
	return os.Rename(temp, path)
}
