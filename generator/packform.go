package generator

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/klauspost/compress/flate"

	"colophon/exports"
	"colophon/generator/render"
	"colophon/internal/blob"
	"colophon/internal/blob/document"
	"colophon/internal/blob/entryfacts"
	"colophon/internal/extsort"
)

// blobLevel is the compression level of blobs, see docs/decisions/storage.md.
const blobLevel = 5

// errPacks is returned if the published packs cannot be continued. Then all
// entries must be rendered again, and all packs written.
var errPacks = errors.New("the published packs are damaged")

// packForm publishes in packs (see package blob) the facts of entries, and the
// kinds of files of which there are many. It collects them while they are made,
// and then writes the differences from what is published.
type packForm struct {
	out      *tree
	packSize int64
	frame    *blob.PageFrame
	before   *blob.Reader // packs that are published now; nil if they cannot be continued

	// The published documents of entries that are due or gone, if the build
	// renders only what is due; nil if it renders all entries.
	gone map[string]publishedEntry

	generation string // of the static index, once it is made

	isKept func(name string) bool // reports whether a published file stays without being rendered

	values *extsort.Sorter
}

func newPackForm(out *tree, packSize int64, before *blob.Reader, frame *blob.PageFrame, p *plan) *packForm {
	f := &packForm{out: out, packSize: packSize, frame: frame, before: before, values: extsort.New(out.stage, extsort.Memory)}
	if p.reuse {
		f.gone = p.gone
		f.isKept = p.isKept
	}
	out.packs = f.addFile
	return f
}

// addFile adds a file that belongs in packs, see exports.Packed. same says that
// it is published with this content.
func (f *packForm) addFile(name string, data []byte, same bool) error {
	if same && f.gone != nil {
		return nil
	}
	return f.values.Add(document.FileKey(name), slices.Clone(data))
}

// readPublishedFile reads a file in the published packs. It returns
// fs.ErrNotExist if there is none.
func (f *packForm) readPublishedFile(ctx context.Context, name string) ([]byte, error) {
	if f.before == nil {
		return nil, fs.ErrNotExist
	}
	data, err := f.before.Find(ctx, document.FileKey(name))
	if err == nil && data == nil {
		err = fs.ErrNotExist
	}
	return data, err
}

// openPacks opens the packs published in dir. It returns nil if there are none
// from which this version can continue.
func openPacks(ctx context.Context, dir string) (*blob.Reader, error) {
	r, err := document.Open(ctx, blob.Folder(dir))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, blob.ErrDamaged) || errors.Is(err, document.ErrFactsVersion) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read the published packs: %w", err)
	}
	return r, nil
}

// write adds the facts of an entry and of the earlier versions of its record.
func (f *packForm) write(e *render.Entry) error {
	for _, v := range e.Values() {
		if err := f.values.Add(v.Key, v.Data); err != nil {
			return err
		}
	}
	return nil
}

// writeList adds a list of records, which is listed as it is published.
func (f *packForm) writeList(l render.RecordList) error {
	same, err := f.out.claimPacked(string(l.Key), l.Text())
	if err != nil {
		return err
	}
	return f.addFile(string(l.Key), l.Packed(), same)
}

func (f *packForm) close() { f.values.Close() }

// finish writes the changed packs and the root. It returns errPacks if a whole
// build is needed.
func (f *packForm) finish(ctx context.Context) error {
	root, err := f.writePacks(ctx)
	if errors.Is(err, blob.ErrDamaged) || errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: %w", errPacks, err)
	}
	if err != nil {
		return fmt.Errorf("cannot write the packs: %w", err)
	}
	reached("packs")
	return f.out.putFile(blob.RootKey, root.Append(nil))
}

// writePacks writes the packs and returns their root.
func (f *packForm) writePacks(ctx context.Context) (root blob.Root, err error) {
	z, err := flate.NewWriter(nil, blobLevel)
	if err != nil {
		return root, err
	}
	w := blob.Writer{PackSize: f.packSize, Put: f.putPack, Deflater: z, Starts: document.StartsBlob, Alone: document.StandsAlone}
	var base []blob.Row
	if f.before != nil && !f.out.whole {
		if w.Published, err = blob.ReadTable(ctx, f.before); err != nil {
			return root, err
		}
		w.Source, w.Size = f.before.Source, f.publishedSize
		base = f.baseRows(w.Published)
	}
	if f.gone != nil && w.Published == nil {
		return root, fmt.Errorf("%w: %s cannot be read", errPacks, blob.RootKey)
	}
	root, packs, err := w.Write(ctx, base, f.changes(f.goneKeys()))
	if err != nil {
		return root, err
	}
	root.Facts, root.Frame, root.Generation = entryfacts.FactsVersion, f.frame, f.generation
	return root, f.keepPacks(packs)
}

// baseRows returns the published blobs to which this build applies its changes:
// all of them if it renders only what is due, otherwise those of files that
// stand alone and that it reuses.
func (f *packForm) baseRows(published *blob.Table) []blob.Row {
	if f.gone != nil {
		return published.Rows
	}
	var rows []blob.Row
	for _, row := range published.Below(document.FilePrefix) {
		if _, claimed := f.out.fileOf(strings.TrimPrefix(row.Key, document.FilePrefix)); claimed && document.StandsAlone(row.Key) {
			rows = append(rows, row)
		}
	}
	return rows
}

// goneKeys returns the keys of the published values of entries that are due or
// gone, and of files that are gone. A value that this build made takes
// precedence.
func (f *packForm) goneKeys() []string {
	var keys []string
	for entryID, published := range f.gone {
		if published.siteID == "" {
			continue
		}
		keys = append(keys, document.IDKey(entryID), document.FactsKey(published.siteID, entryID))
		for v := int64(1); v < published.version; v++ {
			keys = append(keys, document.VersionKey(published.siteID, entryID, v))
		}
	}
	if f.gone != nil {
		for _, name := range f.out.packedGone(f.isKept) {
			keys = append(keys, document.FileKey(name))
		}
	}
	slices.Sort(keys)
	return keys
}

// changes merges the values that this build made with the keys that are gone.
func (f *packForm) changes(gone []string) blob.Changes {
	return func(do func(blob.Change) error) error {
		rest := gone
		passGone := func(key string) error { // those before a key, and the key itself
			for len(rest) > 0 && (key == "" || rest[0] <= key) {
				if rest[0] != key {
					if err := do(blob.Change{Value: blob.Value{Key: rest[0]}, Gone: true}); err != nil {
						return err
					}
				}
				rest = rest[1:]
			}
			return nil
		}
		err := f.values.Each(func(v blob.Value) error {
			if err := passGone(v.Key); err != nil {
				return err
			}
			return do(blob.Change{Value: v})
		})
		if err != nil {
			return err
		}
		return passGone("")
	}
}

func (f *packForm) putPack(key string, pack []byte) error {
	return f.out.putFile(exports.Key(key), pack)
}

// publishedSize returns the listed size of a published pack, 0 if it is not
// listed.
func (f *packForm) publishedSize(pack blob.ID) int64 {
	published, _ := f.out.before.Find(blob.PackKey(pack))
	return published.Size
}

// keepPacks keeps the published packs that the root names.
func (f *packForm) keepPacks(packs []blob.ID) error {
	for _, pack := range packs {
		key := blob.PackKey(pack)
		if mine, written := f.out.fileOf(key); written {
			if info, err := os.Stat(f.out.currentPath(key)); err != nil || info.Size() != mine.Size {
				return fmt.Errorf("%w: %s is listed but missing", errPacks, key)
			}
			continue
		}
		published, ok := f.out.before.Find(key)
		if !ok {
			return fmt.Errorf("%w: %s is not in the list of files", errPacks, key)
		}
		if err := f.out.keepFile(published); err != nil {
			return fmt.Errorf("%w: %w", errPacks, err)
		}
	}
	return nil
}
