package generator

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"colophon/exports"
	"colophon/generator/render"
	"colophon/generator/target"
	"colophon/internal/blob"
	"colophon/internal/ledgerlog"
	"colophon/internal/release"
	"colophon/internal/staticindex"

	"github.com/klauspost/compress/gzip"
)

// ignored lists what need not be uploaded to Workers: the notes, and compressed
// siblings, because that network compresses files itself.
const ignored = "/" + target.NotesDir + "\n*.gz\n"

// assetHeaders returns the headers of immutable files, in the format of
// target.HeadersFile. In wrangler.toml exactly these folders are left to the
// asset server.
func assetHeaders() []byte {
	var b []byte
	for _, folder := range []string{render.AssetFolder, "_ix/", exports.PackPrefix} {
		b = append(b, "/"+folder+"*\n"...)
		policy := exports.PolicyOf(exports.Key(folder + "x.js"))
		for _, h := range slices.Concat([][2]string{{"cache-control", policy.CacheControl}}, exports.SecurityHeaders("/"+folder, policy.ContentType), exports.PublicHeaders()) {
			b = append(b, "  "+h[0]+": "+h[1]+"\n"...)
		}
	}
	return b
}

// tree is an output folder during a build. Files that differ from the published
// build are written into a folder beside it; publishTree moves them in. putFile
// may be called by several goroutines.
type tree struct {
	target *target.Folder
	dir    string       // final place
	stage  string       // where files are written now
	before target.Files // files that are published now
	whole  bool         // write every file, even if it is published already
	rezip  bool         // make compressed siblings again, because another program made the published ones

	// noSiblings omits compressed siblings except those of assets: packs are
	// served only by our own servers, which compress what they send, or the
	// network in front of them does.
	noSiblings bool

	packs func(name string, data []byte, same bool) error // takes files that belong in packs, see exports.Packed; nil if all are files

	mu     sync.Mutex
	list   map[string]release.File
	staged []string // names of the files that were written

	after   target.Files // the files to publish, once sealed
	files   int64
	service int64 // number of files in serviceFolders
	bytes   int64
}

// openTree opens an output folder for one build at a time. It returns
// target.ErrBusy if another build has it open.
func openTree(dir string) (*tree, error) {
	folder, err := target.OpenFolder(dir)
	if err != nil {
		return nil, err
	}
	return &tree{target: folder, dir: folder.Dir(), stage: folder.Stage(), whole: true, list: map[string]release.File{}}, nil
}

// readPublished reads the list of the published files. A build needs it unless
// it has nothing to do.
func (t *tree) readPublished() (err error) {
	if t.before, err = target.ReadFiles(os.DirFS(t.dir)); err != nil && !errors.Is(err, release.ErrDamaged) {
		return err
	}
	t.whole = len(t.before.Rows) == 0
	return nil
}

// discardStage removes what was staged and unlocks the folder.
func (t *tree) discardStage() { t.target.Close() }

// putFile writes a file, and its gzip sibling if that saves much. It does not
// keep data.
func (t *tree) putFile(key exports.Key, data []byte) error {
	name := string(key)
	if t.packs != nil && exports.Packed(exports.Key(name)) {
		return t.packFile(name, data)
	}
	same, err := t.writeChanged(name, data)
	if err != nil || len(data) < exports.MinSibling || !t.hasSibling(key) {
		return err
	}
	if same && !t.rezip {
		if f, ok := t.before.Find(name + ".gz"); ok {
			return t.claimName(f)
		}
		return nil
	}
	if gz := siblingOf(name, data); gz != nil {
		return t.writeFile(name+".gz", gz)
	}
	return nil
}

// siblingOf compresses a file. The compressed assets are cached, because their
// names depend on their content and the module of the editor has megabytes.
func siblingOf(name string, data []byte) []byte {
	if !strings.HasPrefix(name, render.AssetFolder) {
		return CompressSibling(data)
	}
	if known, ok := assetSiblings.Load(name); ok {
		return known.([]byte)
	}
	gz := CompressSibling(data)
	assetSiblings.Store(name, gz)
	return gz
}

// assetSiblings caches the compressed assets by name, nil for those without
// one.
var assetSiblings sync.Map

// hasSibling reports whether a file may have a compressed sibling.
func (t *tree) hasSibling(key exports.Key) bool {
	return key.Compressible() && (!t.noSiblings || strings.HasPrefix(string(key), render.AssetFolder))
}

func (t *tree) writeFile(name string, data []byte) error {
	_, err := t.writeChanged(name, data)
	return err
}

// packFile adds a file to the packs.
func (t *tree) packFile(name string, data []byte) error {
	name, _, _ = staticindex.CutGeneration(name)
	same, err := t.claimPacked(name, data)
	if err != nil {
		return err
	}
	return t.packs(name, data, same)
}

// claimPacked adds a file in packs to the list, and reports whether it is
// published with the same content.
func (t *tree) claimPacked(name string, data []byte) (same bool, err error) {
	f := release.FileOf(name, data)
	old, _ := t.before.Find(name)
	return old == f && t.before.InPacks(name), t.claimName(f)
}

// keepPacked keeps a file in the published packs. It returns errPacks if it is not
// there.
func (t *tree) keepPacked(key exports.Key) error {
	name, _, _ := staticindex.CutGeneration(string(key))
	f, ok := t.before.Find(name)
	if !ok || !t.before.InPacks(name) {
		return fmt.Errorf("%w: %s is missing", errPacks, name)
	}
	return t.claimName(f)
}

// packedGone returns the files in the published packs that this build neither
// rendered nor keeps.
func (t *tree) packedGone(kept func(name string) bool) []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var names []string
	for _, f := range t.before.Rows {
		if _, ok := t.list[f.Name]; t.before.InPacks(f.Name) && !ok && !kept(f.Name) {
			names = append(names, f.Name)
		}
	}
	return names
}

// writeChanged writes a file unless it is published with the same content.
func (t *tree) writeChanged(name string, data []byte) (same bool, err error) {
	if !fs.ValidPath(name) {
		return false, fmt.Errorf("%q cannot be the name of a published file", name)
	}
	f := release.FileOf(name, data)
	if err := t.claimName(f); err != nil {
		return false, err
	}
	if old, _ := t.before.Find(name); old == f && !t.before.InPacks(name) && !t.whole && t.checkPublished(f) == nil {
		return true, nil
	}
	path := filepath.Join(t.stage, filepath.FromSlash(name))
	if err := makeFolder(path); err != nil {
		return false, err
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		return false, fmt.Errorf("cannot write %q: %w", name, err)
	}
	t.mu.Lock()
	t.staged = append(t.staged, name)
	t.mu.Unlock()
	return false, nil
}

// fileOf finds a file of this build by name.
func (t *tree) fileOf(name string) (release.File, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f, ok := t.list[name]
	return f, ok
}

// rowsBelow returns the files of this build below a prefix, unordered.
func (t *tree) rowsBelow(prefix string) (rows []release.File) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for name, f := range t.list {
		if strings.HasPrefix(name, prefix) {
			rows = append(rows, f)
		}
	}
	return rows
}

// renameFolder renames a folder of files that this build wrote.
func (t *tree) renameFolder(from, to string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i, name := range t.staged {
		if rest, ok := strings.CutPrefix(name, from); ok {
			t.staged[i] = to + rest
		}
	}
	for _, name := range slices.Collect(maps.Keys(t.list)) {
		if rest, ok := strings.CutPrefix(name, from); ok {
			f := t.list[name]
			f.Name = to + rest
			delete(t.list, name)
			t.list[f.Name] = f
		}
	}
	return os.Rename(filepath.Join(t.stage, filepath.FromSlash(from)), filepath.Join(t.stage, filepath.FromSlash(to)))
}

// claimName adds a file to the list. It returns an error if there is one of the
// same name.
func (t *tree) claimName(f release.File) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, twice := t.list[f.Name]; twice {
		return fmt.Errorf("two outputs are named %q", f.Name)
	}
	t.list[f.Name] = f
	return nil
}

// keepFile keeps a file of the published build without copying it. It returns
// an error if the file does not exist.
func (t *tree) keepFile(f release.File) error {
	if err := t.checkPublished(f); err != nil {
		return err
	}
	return t.claimName(f)
}

// checkPublished returns an error unless a published file exists with its size.
// A file in packs exists as long as the packs do, which packForm checks.
func (t *tree) checkPublished(f release.File) error {
	if t.before.InPacks(f.Name) {
		return nil
	}
	info, err := os.Stat(filepath.Join(t.dir, filepath.FromSlash(f.Name)))
	if err == nil && info.Size() != f.Size {
		err = fmt.Errorf("the published file %q is not as it was written", f.Name)
	}
	return err
}

// currentPath returns the path of the content of a file of this build, in the
// stage or as published.
func (t *tree) currentPath(name string) string {
	path := filepath.Join(t.stage, filepath.FromSlash(name))
	if _, err := os.Lstat(path); err == nil {
		return path
	}
	return filepath.Join(t.dir, filepath.FromSlash(name))
}

// makeFolder makes the folder of a staged file.
func makeFolder(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("cannot make a folder for the build: %w", err)
	}
	return nil
}

var zips sync.Pool // of *gzip.Writer

// CompressSibling compresses a file with gzip. It returns nil if the file is
// too small for a sibling, or would not become much smaller.
func CompressSibling(data []byte) []byte {
	if len(data) < exports.MinSibling {
		return nil
	}
	var buf bytes.Buffer
	z, _ := zips.Get().(*gzip.Writer)
	if z == nil {
		z, _ = gzip.NewWriterLevel(&buf, 6)
	} else {
		z.Reset(&buf)
	}
	z.Write(data) //nolint:errcheck // a bytes.Buffer never fails
	z.Close()     //nolint:errcheck
	zips.Put(z)
	if buf.Len() >= len(data)-1024 {
		return nil
	}
	return buf.Bytes()
}

// dropFiles takes files out of the release again.
func (t *tree) dropFiles(drops func(name string) bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	maps.DeleteFunc(t.list, func(name string, _ release.File) bool { return drops(name) })
	t.staged = slices.DeleteFunc(t.staged, drops)
}

// sealRelease completes the list of files and adds the build's own notes. kept
// reports whether a published file stays although it was not written. signed
// returns the files that list all others.
func (t *tree) sealRelease(kept func(name string) bool, signed func(rows []release.File) (map[exports.Key][]byte, error), notes func(files, bytes int64) (map[string][]byte, error)) error {
	t.after = t.mergeLists(kept)
	files, err := signed(t.after.Rows)
	if err != nil {
		return err
	}
	for _, key := range slices.Sorted(maps.Keys(files)) {
		if err := t.writeFile(string(key), files[key]); err != nil { // without a sibling, which the list could not name
			return err
		}
	}
	t.after = t.mergeLists(kept)
	t.list = nil // may hold millions of names
	inFolder := t.after.InFolder()
	t.files, t.service, t.bytes = int64(len(inFolder.Rows)), 0, 0
	for _, f := range inFolder.Rows {
		t.bytes += f.Size
		if folder, _, _ := strings.Cut(f.Name, "/"); slices.Contains(serviceFolders, folder) {
			t.service++
		}
	}
	list, err := notes(t.files, t.bytes)
	if err != nil {
		return err
	}
	list[target.IgnoreFile] = []byte(ignored)
	list[target.HeadersFile] = assetHeaders()
	return t.writeNotes(list)
}

// mergeLists returns the list of the next release: what this build wrote, and
// what stays of the published one.
func (t *tree) mergeLists(kept func(name string) bool) target.Files {
	rows := slices.Collect(maps.Values(t.list))
	for _, f := range t.before.Rows {
		if _, made := t.list[f.Name]; !made && kept(f.Name) {
			rows = append(rows, f)
		}
	}
	slices.SortFunc(rows, func(x, y release.File) int { return strings.Compare(x.Name, y.Name) })
	return target.NewFiles(rows)
}

// serviceFolders hold the files of the service itself, of which there are as
// many in the smallest catalog.
var serviceFolders = []string{"_sandbox", "_shell", "assets", "developers", "editor", "problems", "schemas"}

// rootFiles are the files from which readers start, or which say what is
// published. They are written after everything that they name.
var rootFiles = []string{
	string(staticindex.IndexKey), release.ListKey, ledgerPrefix + ledgerlog.CheckpointPath, target.HeadersFile, target.IgnoreFile, NotesFile,
}

// listChanges returns the differences between the published release and the
// next.
func (t *tree) listChanges() target.Changes {
	var c target.Changes
	root := map[string]target.Object{}
	for _, name := range rootFiles {
		if target.IsNote(name) {
			info, err := os.Stat(filepath.Join(t.stage, filepath.FromSlash(name)))
			if err == nil {
				root[name] = target.Object{Key: name, Size: info.Size()}
			}
		}
	}
	slices.Sort(t.staged)
	for _, name := range t.staged {
		f, _ := t.after.Find(name)
		o := target.Object{Key: name, SHA256: f.SHA256, Size: f.Size}
		_, known := t.before.Find(name)
		switch {
		case slices.Contains(rootFiles, name):
			root[name] = o
		case known && !t.before.InPacks(name):
			c.Changed = append(c.Changed, o)
		default:
			c.Added = append(c.Added, o)
		}
	}
	c.Changed = leadWithPacks(&c)
	for _, f := range t.before.InFolder().Rows {
		if _, stays := t.after.Find(f.Name); !stays || t.after.InPacks(f.Name) {
			c.Removed = append(c.Removed, target.Object{Key: f.Name, SHA256: f.SHA256, Size: f.Size, Headers: target.NoHeaders})
		}
	}
	for _, name := range rootFiles {
		if o, ok := root[name]; ok {
			c.Root = append(c.Root, o)
		}
	}
	return c
}

// leadWithPacks moves the root of the packs to the front of the changed files,
// and returns these. So it is written after all new files and before all other
// changed ones, because changed pages may name entries that only the new root
// has.
func leadWithPacks(c *target.Changes) []target.Object {
	isRoot := func(o target.Object) bool { return o.Key == blob.RootKey }
	for _, list := range []*[]target.Object{&c.Added, &c.Changed} {
		if i := slices.IndexFunc(*list, isRoot); i >= 0 {
			root := (*list)[i]
			*list = slices.Delete(*list, i, i+1)
			return slices.Insert(c.Changed, 0, root)
		}
	}
	return c.Changed
}

// publishTree publishes what was sealed.
func (t *tree) publishTree(ctx context.Context) error {
	c := t.listChanges()
	if t.whole {
		strays, err := t.findStrays()
		if err != nil {
			return err
		}
		for _, name := range strays {
			c.Removed = append(c.Removed, target.Object{Key: name, Headers: target.NoHeaders})
		}
	}
	return t.target.Publish(ctx, c)
}

// countChanged counts the files in the folder that differ from the previous
// build, and those that are gone.
func (t *tree) countChanged() (changed int64) {
	old, now := t.before.InFolder(), t.after.InFolder()
	for _, f := range now.Rows {
		if was, _ := old.Find(f.Name); was != f {
			changed++
		}
	}
	for _, f := range old.Rows {
		if _, stays := now.Find(f.Name); !stays {
			changed++
		}
	}
	return changed
}

// findStrays returns the names of files in the folder that are in no list:
// neither in that of the published build, which may be damaged, nor in that of
// this build, nor in that of files in their grace period. Notes of other
// versions count as strays. There are no strays in a folder without the notes
// of a build.
func (t *tree) findStrays() (names []string, err error) {
	notes, err := os.ReadDir(filepath.Join(t.dir, target.NotesDir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for _, d := range notes {
		if name := target.NotesDir + "/" + d.Name(); name != NotesFile && name != target.WaitingFile {
			names = append(names, name)
		}
	}
	waiting, err := target.ReadWaiting(t.dir)
	if err != nil {
		return nil, err
	}
	err = t.before.Compare(os.DirFS(t.dir), waiting, func(name string, listed *release.File, there fs.DirEntry) error {
		if _, after := t.after.Find(name); listed == nil && !after {
			names = append(names, name)
		}
		return nil
	})
	return names, err
}

// writeNotes stages notes of a build, by name.
func (t *tree) writeNotes(notes map[string][]byte) error {
	for name, text := range notes {
		path := filepath.Join(t.stage, filepath.FromSlash(name))
		if err := makeFolder(path); err != nil {
			return err
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			return fmt.Errorf("cannot write %q: %w", name, err)
		}
	}
	return nil
}
