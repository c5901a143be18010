package generator

import (
	"context"
	"fmt"
	"sync"

	"colophon/exports"
	"colophon/internal/segment"
	"colophon/internal/segment/document"
	"colophon/internal/staticindex"
)

// indexForm publishes the files of one generation of the index in segments below
// the folder of the generation: see document.IndexFolder. It collects them while
// they are made.
type indexForm struct {
	out     *tree
	profile segment.Profile
	files   *valueSpool

	mu   sync.Mutex
	rows []fileRow // of the files, by their names below the root of the release
}

// indexSpoolMemory is how many bytes of the index are kept before they go to disk.
const indexSpoolMemory = 8 << 20

// newIndexForm is nil where the index is published as files.
func (b *build) newIndexForm() *indexForm {
	profile, inSegments := b.segmentProfile()
	if !inSegments {
		return nil
	}
	return &indexForm{out: b.out, profile: profile, files: newValueSpool(b.out.stage, indexSpoolMemory)}
}

// addFile adds a file of the index. Many goroutines may.
func (f *indexForm) addFile(key exports.Key, data []byte) error {
	name := string(key)
	f.addRow(fileRow{name, fileNote{sum: sumSHA256(data), size: int64(len(data))}})
	return f.files.addValue(fileValue(name, data))
}

func (f *indexForm) addRow(row fileRow) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.rows = append(f.rows, row)
}

// finish writes the objects of a generation, and its root.
func (f *indexForm) finish(ctx context.Context, gen string) error {
	if err := f.files.flushValues(); err != nil {
		return err
	}
	folder := staticindex.Prefix(gen)
	put := func(key string, data []byte) error {
		return f.out.putFile(exports.Key(segment.KeyBelow(folder, key)), data)
	}
	shape := segment.ChooseFileShape(f.profile, f.files.count, f.files.size)
	files, err := segment.WriteShape(ctx, shape, f.files.valuesWithByte, put)
	if err != nil {
		return fmt.Errorf("cannot write the index in segments: %w", err)
	}
	f.close()
	root := segment.Root{Profile: f.profile, Layers: []segment.Layer{{Entries: files}}}
	return f.out.putFile(exports.Key(document.IndexRootKey(folder)), root.Append(nil))
}

func (f *indexForm) close() { f.files.close() }
