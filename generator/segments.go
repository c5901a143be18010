package generator

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"colophon/exports"
	"colophon/internal/segment"
	"colophon/internal/wire"
)

// maxDeltas is how many deltas there may be before some are merged.
const maxDeltas = 4

// mergePercent is how many of the values of the base deltas may have before they
// are merged with it. Tests, whose catalogs are small, allow more.
var mergePercent int64 = 4

// segmentForm publishes the facts of entries in segments. It collects them
// while the entries pass, and writes what differs from the segments that are
// published now: a delta where little changed, else a new base.
type segmentForm struct {
	out     *tree
	profile segment.Profile
	frame   *exports.PageFrame
	before  *segment.Reader // of what is published now; nil: nothing that can be continued

	entries *valueSpool

	mu     sync.Mutex
	shared map[segment.Key][]byte

	written map[string]bool // objects of the new root
}

func newSegmentForm(ctx context.Context, out *tree, profile segment.Profile, frame *exports.PageFrame) *segmentForm {
	f := &segmentForm{
		out: out, profile: profile, frame: frame, before: readSegments(ctx, out.dir, profile), entries: newValueSpool(out.stage, spoolMemory),
		shared: map[segment.Key][]byte{}, written: map[string]bool{},
	}
	out.packs = f.addFile
	return f
}

// addFile adds a file that is one of many, see exports.Packed.
func (f *segmentForm) addFile(name string, data []byte) error {
	return f.entries.addValue(segment.Value{Key: segment.KeyOf(name), Data: bytes.Clone(data)})
}

// readSegments opens the segments that are published in dir; nil where there
// are none, or none of this profile and version.
func readSegments(ctx context.Context, dir string, profile segment.Profile) *segment.Reader {
	source := &cachedObjects{dir: dir}
	text, err := source.Read(ctx, segment.RootKey)
	if err != nil {
		return nil
	}
	root, err := segment.ParseRoot(text)
	if err != nil || root.Profile != profile || root.Facts != exports.FactsVersion {
		return nil
	}
	return &segment.Reader{Root: root, Source: source}
}

// write packs the facts of an entry, and of the versions before it.
func (f *segmentForm) write(e *entryDocuments) error {
	return f.addValues(packEntry(e, f.shareItem))
}

// addValues adds the values of an entry.
func (f *segmentForm) addValues(values []segment.Value) error {
	for _, v := range values {
		if err := f.entries.addValue(v); err != nil {
			return err
		}
	}
	return nil
}

// packEntry packs the facts of an entry, and of the versions before it. share
// keeps an item that many entries have in common.
func packEntry(e *entryDocuments, share func(item []byte) exports.FactRef) []segment.Value {
	var values []segment.Value
	for i := range e.earlier {
		v := &e.earlier[i]
		values = append(values, packVersion(exports.VersionFactsName(e.entryID, v.Version), &exports.EntryFacts{EntryID: e.entryID}, v, share))
	}
	if e.current.JSON == "" && e.citation == nil {
		return values
	}
	return append(values, packVersion(exports.EntryFactsName(e.entryID), e.currentFacts(), &e.current, share))
}

// packVersion packs facts with those of a version of the record.
func packVersion(name string, facts *exports.EntryFacts, r *signedRecord, share func(item []byte) exports.FactRef) segment.Value {
	if r.JSON != "" {
		facts.Version = r.Version
		facts.Record = exactRecord(r)
		if facts.Record == nil {
			facts.Signed = []byte(r.JSON)
		}
		if r.proof != nil {
			facts.Proof = r.proof.Proof
		}
	}
	return segment.Value{Key: segment.KeyOf(name), Data: exports.AppendEntryFacts(nil, facts, share)}
}

// exactRecord decodes a record; nil where its fields would not spell the bytes
// that were signed.
func exactRecord(r *signedRecord) *exports.Record {
	record, err := decodeRecord(r.JSON)
	if err != nil || record.EntryID != r.EntryID || record.Version != r.Version {
		return nil
	}
	if !bytes.Equal(wire.Append(nil, &record), []byte(r.JSON)) {
		return nil
	}
	return &record
}

// shareItem keeps an item that many entries have in common.
func (f *segmentForm) shareItem(item []byte) exports.FactRef {
	key := segment.KeyOf(string(item))
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, known := f.shared[key]; !known {
		f.shared[key] = append([]byte{}, item...)
	}
	return exports.FactRef(key)
}

func (f *segmentForm) close() { f.entries.close() }

// finish writes the segments and the root. Objects of the root that is
// published now are kept for one more build, so that a reader who holds it finds
// all of them.
func (f *segmentForm) finish(ctx context.Context) error {
	if err := f.entries.flushValues(); err != nil {
		return err
	}
	root, err := f.writeLayers(ctx)
	if err != nil {
		return fmt.Errorf("cannot write the segments: %w", err)
	}
	if err := f.keepObjects(ctx, root); err != nil {
		return fmt.Errorf("cannot keep the segments that are published: %w", err)
	}
	f.entries.close()
	framed := *root
	framed.Frame = f.frame
	return f.out.putFile(segment.RootKey, framed.Append(nil))
}

// writeLayers writes what is due and returns the new root.
func (f *segmentForm) writeLayers(ctx context.Context) (*segment.Root, error) {
	if f.before == nil {
		return f.writeBase(ctx)
	}
	delta, err := f.findChanges(ctx)
	if errors.Is(err, errManyChanges) || errors.Is(err, segment.ErrDamaged) || errors.Is(err, fs.ErrNotExist) {
		return f.writeBase(ctx)
	}
	if err != nil {
		return nil, err
	}
	if len(delta.entries) == 0 {
		return f.before.Root, nil
	}
	return f.addDelta(ctx, delta)
}

// writeBase writes everything anew.
func (f *segmentForm) writeBase(ctx context.Context) (*segment.Root, error) {
	entries, err := segment.Write(ctx, f.profile, f.entries.count, f.entries.size, f.entries.valuesWithByte, f.putObject)
	if err != nil {
		return nil, err
	}
	items := f.sharedValues(nil)
	shared, err := f.writeList(ctx, items)
	if err != nil {
		return nil, err
	}
	layer := segment.Layer{Entries: entries, Shared: shared}
	return &segment.Root{Profile: f.profile, Facts: exports.FactsVersion, Layers: []segment.Layer{layer}}, nil
}

// deltaValues are the values of a delta, by key.
type deltaValues struct {
	entries []segment.Value
	shared  []segment.Value
}

var errManyChanges = errors.New("too much changed for a delta")

// findChanges compares all entries with those that are published. More changes than
// a delta may have are errManyChanges.
func (f *segmentForm) findChanges(ctx context.Context) (deltaValues, error) {
	var d deltaValues
	layers := f.before.Root.Layers
	most := layers[len(layers)-1].Entries.Count * mergePercent / 100
	for first := range 256 {
		if err := ctx.Err(); err != nil {
			return d, err
		}
		old, err := f.before.Slice(ctx, byte(first))
		if err != nil {
			return d, err
		}
		current, err := f.entries.valuesWithByte(byte(first))
		if err != nil {
			return d, err
		}
		d.entries = append(d.entries, segment.Diff(old, current)...)
		if int64(len(d.entries)) > most {
			return d, errManyChanges
		}
	}
	known := map[segment.Key]bool{}
	for first := range 256 {
		old, err := f.before.SharedSlice(ctx, byte(first))
		if err != nil {
			return d, err
		}
		for _, v := range old {
			known[v.Key] = true
		}
	}
	d.shared = f.sharedValues(known)
	return d, nil
}

// sharedValues are the shared items less the known ones, by key.
func (f *segmentForm) sharedValues(known map[segment.Key]bool) []segment.Value {
	var out []segment.Value
	for key, item := range f.shared {
		if !known[key] {
			out = append(out, segment.Value{Key: key, Data: item})
		}
	}
	slices.SortFunc(out, func(a, b segment.Value) int { return a.Key.Compare(b.Key) })
	return out
}

// addDelta lays a delta over the layers that are published. A delta is merged
// with those below it that are not more than twice as large, so that a few are
// enough, and all of them with the base once they are mergePercent of it.
func (f *segmentForm) addDelta(ctx context.Context, d deltaValues) (*segment.Root, error) {
	layers := f.before.Root.Layers
	base := layers[len(layers)-1]
	deltas := layers[:len(layers)-1]

	merged := 0
	for merged < len(deltas) {
		small := deltas[merged].Entries.Count <= 2*int64(len(d.entries))
		if !small && len(deltas)-merged < maxDeltas {
			break
		}
		older, err := f.readLayer(ctx, deltas[merged])
		if err != nil {
			return nil, err
		}
		d.entries = segment.Merge(d.entries, older.entries)
		d.shared = segment.Merge(d.shared, older.shared)
		merged++
	}
	kept := deltas[merged:]

	total := int64(len(d.entries))
	keys := keysOf(nil, d.entries)
	for _, layer := range kept {
		total += layer.Entries.Count
		older, err := f.readLayer(ctx, layer)
		if err != nil {
			return nil, err
		}
		keys = keysOf(keys, older.entries)
	}
	if total*100 > base.Entries.Count*mergePercent {
		return f.writeBase(ctx)
	}

	entries, err := f.writeList(ctx, d.entries)
	if err != nil {
		return nil, err
	}
	shared, err := f.writeList(ctx, d.shared)
	if err != nil {
		return nil, err
	}
	root := &segment.Root{Profile: f.profile, Facts: exports.FactsVersion, Filter: segment.NewFilter(keys)}
	root.Layers = append(root.Layers, segment.Layer{Entries: entries, Shared: shared})
	root.Layers = append(root.Layers, kept...)
	root.Layers = append(root.Layers, base)
	return root, nil
}

func keysOf(keys []segment.Key, values []segment.Value) []segment.Key {
	for _, v := range values {
		keys = append(keys, v.Key)
	}
	return keys
}

// readLayer reads all values of a delta, tombstones included.
func (f *segmentForm) readLayer(ctx context.Context, layer segment.Layer) (deltaValues, error) {
	var d deltaValues
	var err error
	if d.entries, err = f.before.Values(ctx, &layer.Entries); err != nil {
		return d, err
	}
	d.shared, err = f.before.Values(ctx, &layer.Shared)
	return d, err
}

func (f *segmentForm) writeList(ctx context.Context, values []segment.Value) (segment.Segment, error) {
	return segment.Write(ctx, f.profile, int64(len(values)), segment.Size(values), segment.SlicesOf(values), f.putObject)
}

// putObject publishes an object once.
func (f *segmentForm) putObject(key string, data []byte) error {
	if f.written[key] {
		return nil
	}
	f.written[key] = true
	return f.out.putFile(exports.Key(key), data)
}

// keepObjects publishes again the objects that the new root takes over from the one
// that is published now, and those that only the latter has.
func (f *segmentForm) keepObjects(ctx context.Context, root *segment.Root) error {
	if f.before == nil {
		return nil
	}
	return f.before.Objects(ctx, func(d segment.Digest) error {
		key := segment.ObjectKey(d)
		if f.written[key] {
			return nil
		}
		data, err := f.before.Source.Read(ctx, key)
		if errors.Is(err, fs.ErrNotExist) && !rootNames(root, f.before.Root) {
			return nil // already gone, and of no use to the new root
		}
		if err != nil {
			return err
		}
		return f.putObject(key, data)
	})
}

// rootNames tells whether a root takes layers over from another.
func rootNames(root, before *segment.Root) bool {
	last := func(r *segment.Root) segment.Segment { return r.Layers[len(r.Layers)-1].Entries }
	a, b := last(root), last(before)
	return slices.Equal(a.Objects, b.Objects) && slices.Equal(a.Directories, b.Directories)
}

// cachedObjects reads published files, and keeps the last few whole ones:
// neighbouring slices are in one object.
type cachedObjects struct {
	dir  string
	keys []string
	data [][]byte
	size int
}

// objectsKept is one object and one directory of every layer, with one of its
// shared items; packs are large, so that fewer of them are kept.
const (
	objectsKept = 4 * segment.MaxLayers
	bytesKept   = 128 << 20
)

func (c *cachedObjects) objectPath(key string) string {
	return filepath.Join(c.dir, filepath.FromSlash(key))
}

// Read returns a published file; a missing one is fs.ErrNotExist.
func (c *cachedObjects) Read(_ context.Context, key string) ([]byte, error) {
	if at := slices.Index(c.keys, key); at >= 0 {
		return c.data[at], nil
	}
	data, err := os.ReadFile(c.objectPath(key))
	if err != nil {
		return nil, err
	}
	c.keys = append(c.keys, key)
	c.data = append(c.data, data)
	c.size += len(data)
	for len(c.keys) > objectsKept || c.size > bytesKept && len(c.keys) > 1 {
		c.size -= len(c.data[0])
		c.data[0] = nil
		c.keys = c.keys[1:]
		c.data = c.data[1:]
	}
	return data, nil
}

// ReadRange returns a part of a published file.
func (c *cachedObjects) ReadRange(_ context.Context, key string, offset, length int64) ([]byte, error) {
	f, err := os.Open(c.objectPath(key))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data := make([]byte, min(max(length, 0), segment.MaxBucket))
	_, err = f.ReadAt(data, offset)
	return data, err
}
