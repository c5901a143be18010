package generator

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"colophon/internal/release"
	"colophon/internal/segment"
	"colophon/internal/segment/document"
	"colophon/internal/staticindex"
)

// checkIndexes checks each generation of the index that stands in segments: that
// its objects can be read, and hold the files that its manifest names, as it names
// them. The objects are in the list of files; the digest of the manifest is in the
// ledger.
func (v *audit) checkIndexes() {
	var folders []string
	for name := range v.list {
		if folder, ok := document.IndexFolder(name); ok && name == document.IndexRootKey(folder) {
			folders = append(folders, folder)
		}
	}
	slices.Sort(folders)
	for _, folder := range folders {
		v.checkGeneration(folder)
	}
	v.checkGenerations()
}

// checkGenerations checks that there are files of each generation that the index names.
func (v *audit) checkGenerations() {
	listed := map[string]bool{}
	for name := range v.list {
		if folder, ok := document.IndexFolder(name); ok {
			listed[folder] = true
		}
	}
	x := readIndex(v.dir)
	if x == nil {
		return
	}
	for _, g := range x.Generations() {
		if !listed[staticindex.Prefix(g.Gen)] {
			v.addFinding(string(staticindex.IndexKey), "names the generation %s, of which no file is listed", g.Gen)
		}
	}
}

// checkGeneration checks the files of the generation that lies in a folder.
func (v *audit) checkGeneration(folder string) {
	rootKey := document.IndexRootKey(folder)
	source := &cachedObjects{dir: v.dir}
	text, err := source.Read(context.Background(), rootKey)
	if err != nil {
		v.addFinding(rootKey, "%v", err)
		return
	}
	root, err := segment.ParseRoot(text)
	if err != nil {
		v.addFinding(rootKey, "%v", err)
		return
	}
	named, err := v.readIndexManifest(folder)
	if err != nil {
		v.addFinding(folder+indexManifestFile, "%v", err)
		return
	}
	files := fileNotes{rootKey: rootKey, notes: named}
	if named != nil {
		files.unlisted = "not in the manifest of the index"
	}
	reader := &segment.Reader{Root: root, Source: source, Folder: folder}
	seen := map[string]bool{}
	for first := range 256 {
		values, err := reader.Slice(context.Background(), byte(first))
		if err != nil {
			v.addFinding(rootKey, "its files from %02x on cannot be read: %v", first, err)
			return
		}
		for _, value := range values {
			v.checkPacked(&files, value, seen)
		}
	}
	v.reportMissing(named, seen, "missing in the segments of the index")
}

// readIndexManifest reads which files a generation has, by their whole names; nil
// where nothing tells, as without a ledger.
func (v *audit) readIndexManifest(folder string) (map[string]fileNote, error) {
	text, err := os.ReadFile(filepath.Join(v.dir, filepath.FromSlash(folder+indexManifestFile)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	list, err := release.ParseFiles(text)
	if err != nil {
		return nil, err
	}
	named := make(map[string]fileNote, len(list))
	for _, f := range list {
		named[folder+f.Name] = fileNote{sum: f.SHA256, size: f.Size}
	}
	return named, nil
}
