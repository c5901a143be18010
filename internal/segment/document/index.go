package document

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"sync"

	"colophon/internal/segment"
)

// The files of one generation of the static index may stand in segments of their
// own, which lie below the folder of the generation with their root:
//
//	_ix/0123456789abcdef/root.json
//	_ix/0123456789abcdef/9f/86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08.idx
//
// So they come and go with the generation. Their root has one layer, whose values
// are files (AppendCompressedFile) under the digest of their whole name, and no facts.
const (
	indexFolder = "_ix/"
	indexRoot   = "root.json"
	genLength   = 16
)

// IndexRootKey is the key of the root of a generation that lies in a folder,
// "_ix/0123456789abcdef/".
func IndexRootKey(folder string) string { return folder + indexRoot }

// IndexFolder is the folder of the generation that a file of the index is part of.
func IndexFolder(key string) (folder string, ok bool) {
	end := len(indexFolder) + genLength
	if !strings.HasPrefix(key, indexFolder) || len(key) <= end || key[end] != '/' {
		return "", false
	}
	return key[:end+1], true
}

// Generations remembers the roots of generations that stand in segments, so that
// their files are not looked for in vain. The zero value remembers none yet.
type Generations struct {
	mu    sync.Mutex
	roots map[string]*segment.Root
}

// maxGenerations is how many roots are remembered, more than are published at once.
const maxGenerations = 16

func (g *Generations) root(folder string) *segment.Root {
	if g == nil {
		return nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.roots[folder]
}

func (g *Generations) remember(folder string, root *segment.Root) {
	if g == nil {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.roots == nil || len(g.roots) >= maxGenerations {
		g.roots = map[string]*segment.Root{}
	}
	g.roots[folder] = root
}

func (g *Generations) forget(folder string) {
	if g == nil {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.roots, folder)
}

// MaxIndexReads is how many files or ranges are read for one file of the index at
// most once the root of its generation is remembered: a directory, and an object
// or two ranges of one. Before that, the missing file and the root come first.
const MaxIndexReads = 1 + 2

// readIndexFile reads a file of the index: where its generation stands in
// segments, from these. A missing one is fs.ErrNotExist.
func (f Files) readIndexFile(ctx context.Context, folder, key string) ([]byte, error) {
	if root := f.Index.root(folder); root != nil {
		data, err := f.findInGeneration(ctx, root, folder, key)
		if data != nil || err != nil && !errors.Is(err, fs.ErrNotExist) {
			return data, err
		}
		if err != nil { // the generation was published again in another form
			f.Index.forget(folder)
		}
	}
	data, err := f.Source.Read(ctx, key)
	if err == nil || !errors.Is(err, fs.ErrNotExist) || f.Index.root(folder) != nil {
		return data, err
	}
	root, rootErr := f.openGeneration(ctx, folder)
	if errors.Is(rootErr, fs.ErrNotExist) {
		return nil, err
	}
	if rootErr != nil {
		return nil, rootErr
	}
	data, rootErr = f.findInGeneration(ctx, root, folder, key)
	if errors.Is(rootErr, fs.ErrNotExist) {
		return nil, errMissingObject
	}
	if rootErr != nil {
		return nil, rootErr
	}
	f.Index.remember(folder, root)
	if data == nil {
		return nil, err
	}
	return data, nil
}

// findInGeneration looks for a file in the segments of a generation; nil where
// they have none. A missing object is fs.ErrNotExist.
func (f Files) findInGeneration(ctx context.Context, root *segment.Root, folder, key string) ([]byte, error) {
	return FindFile(ctx, &segment.Reader{Root: root, Source: f.Source, Folder: folder}, key)
}

// openGeneration reads the root of a generation. A missing one is fs.ErrNotExist.
func (f Files) openGeneration(ctx context.Context, folder string) (*segment.Root, error) {
	text, err := f.Source.Read(ctx, IndexRootKey(folder))
	if err != nil {
		return nil, err
	}
	return segment.ParseRoot(text)
}
