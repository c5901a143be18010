package generator

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"colophon/exports"
	"colophon/internal/segment"
	"colophon/internal/segment/document"
	"colophon/internal/segment/entryfacts"
)

// maxDeltas is how many deltas there may be before some are merged.
const maxDeltas = 4

// mergePercent is how many of the values of the base deltas may have before they
// are merged with it. Tests, whose catalogs are small, allow more.
var mergePercent int64 = 4

// errSegments says that the published segments cannot be continued. All entries
// must be rendered again, and all objects written.
var errSegments = errors.New("the published segments are damaged")

// errManyChanges is returned if there are too many changes for a delta, so that a new base
// must be written.
var errManyChanges = errors.New("too much changed for a delta")

// finish writes what is due of the segments, and the root. errSegments asks for
// a whole build.
func (f *segmentForm) finish(ctx context.Context) error {
	if err := f.entries.flushValues(); err != nil {
		return err
	}
	root, err := f.writeLayers(ctx)
	if isDamage(err) && f.out.whole {
		root, err = f.writeBase(ctx)
	}
	if errors.Is(err, errSegments) {
		return err
	}
	if isDamage(err) {
		return fmt.Errorf("%w: %w", errSegments, err)
	}
	if err != nil {
		return fmt.Errorf("cannot write the segments: %w", err)
	}
	f.entries.close()
	reached("segments")
	framed := *root
	framed.Frame = f.frame
	return f.out.putFile(segment.RootKey, framed.Append(nil))
}

// isDamage reports whether an error is of the published segments.
func isDamage(err error) bool {
	return errors.Is(err, errSegments) || errors.Is(err, segment.ErrDamaged) || errors.Is(err, fs.ErrNotExist)
}

// writeLayers writes what is due and returns the new root.
func (f *segmentForm) writeLayers(ctx context.Context) (*segment.Root, error) {
	if f.before == nil {
		return f.writeBase(ctx)
	}
	root, err := f.layDelta(ctx)
	if errors.Is(err, errManyChanges) {
		return f.writeBase(ctx)
	}
	return root, err
}

// layDelta lays over the published layers what differs from them. It fails with
// errManyChanges where that is too much.
func (f *segmentForm) layDelta(ctx context.Context) (*segment.Root, error) {
	find := f.findChanges
	if f.gone != nil {
		find = f.takeDue
	}
	delta, err := find(ctx)
	if err != nil {
		return nil, err
	}
	if len(delta.entries) == 0 {
		return f.before.Root, f.keepLayers(ctx, f.before.Root.Layers)
	}
	return f.addDelta(ctx, delta)
}

// writeBase rewrites everything: what this build rendered and, where that is
// only what is due, the rest from the published segments.
func (f *segmentForm) writeBase(ctx context.Context) (*segment.Root, error) {
	if f.gone != nil {
		return f.mergeBase(ctx, f.tombstones())
	}
	entries, err := segment.Write(ctx, f.profile, f.entries.count, f.entries.size, f.entries.valuesWithByte, f.putObject)
	if err != nil {
		return nil, err
	}
	return f.baseOf(ctx, entries, f.sharedValues())
}

// baseOf is the root of a base with those shared items.
func (f *segmentForm) baseOf(ctx context.Context, entries segment.Segment, items []segment.Value) (*segment.Root, error) {
	shared, err := f.writeList(ctx, items)
	if err != nil {
		return nil, err
	}
	layer := segment.Layer{Entries: entries, Shared: shared}
	return &segment.Root{Profile: f.profile, Facts: entryfacts.FactsVersion, Layers: []segment.Layer{layer}}, nil
}

// mergeBase writes the base that a build which renders everything would write,
// out of what is due and of the published segments. It reads these twice rather
// than hold them: how they are cut follows from their number and size.
func (f *segmentForm) mergeBase(ctx context.Context, tombstones []segment.Value) (*segment.Root, error) {
	if f.before == nil {
		return nil, fmt.Errorf("%w: %s cannot be read", errSegments, segment.RootKey)
	}
	merged := f.mergedSlices(tombstones)
	count, size := int64(0), int64(0)
	used := map[segment.Key]bool{}
	for first := range 256 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		values, err := merged(ctx, byte(first))
		if err != nil {
			return nil, err
		}
		count += int64(len(values))
		size += segment.Size(values)
		if err := noteItems(used, values); err != nil {
			return nil, err
		}
	}
	slice := func(first byte) ([]segment.Value, error) { return merged(ctx, first) }
	entries, err := segment.Write(ctx, f.profile, count, size, slice, f.putObject)
	if err != nil {
		return nil, err
	}
	items, err := f.usedItems(ctx, used)
	if err != nil {
		return nil, err
	}
	return f.baseOf(ctx, entries, items)
}

// mergedSlices gives the entries whose keys begin with a byte, as they are after
// this build.
func (f *segmentForm) mergedSlices(tombstones []segment.Value) func(ctx context.Context, first byte) ([]segment.Value, error) {
	return func(ctx context.Context, first byte) ([]segment.Value, error) {
		old, err := f.before.Slice(ctx, first)
		if err != nil {
			return nil, err
		}
		due, err := f.entries.valuesWithByte(first)
		if err != nil {
			return nil, err
		}
		due = segment.Merge(due, withByte(tombstones, first))
		return segment.Overlay(due, old), nil
	}
}

// noteItems notes the shared items that values refer to; files refer to none.
func noteItems(used map[segment.Key]bool, values []segment.Value) error {
	for _, v := range values {
		if document.IsFile(v.Data) {
			continue
		}
		facts, err := entryfacts.ParseEntryFacts(v.Data)
		if err != nil {
			return fmt.Errorf("%w: %w", errSegments, err)
		}
		used[segment.Key(facts.Ref())] = true
	}
	return nil
}

// usedItems are those of the published and of the new shared items that are used,
// by key.
func (f *segmentForm) usedItems(ctx context.Context, used map[segment.Key]bool) ([]segment.Value, error) {
	var out []segment.Value
	added := f.sharedValues()
	for first := range 256 {
		old, err := f.before.SharedSlice(ctx, byte(first))
		if err != nil {
			return nil, err
		}
		for _, v := range segment.Overlay(withByte(added, byte(first)), old) {
			if used[v.Key] {
				out = append(out, v)
			}
		}
	}
	return out, nil
}

// deltaValues are the values of a delta, by key.
type deltaValues struct {
	entries []segment.Value
	shared  []segment.Value
}

// mostChanges is how many values all deltas together may have.
func (f *segmentForm) mostChanges() int64 {
	layers := f.before.Root.Layers
	return layers[len(layers)-1].Entries.Count * mergePercent / 100
}

// takeDue makes a delta of what is due, without a look at the published entries.
func (f *segmentForm) takeDue(ctx context.Context) (deltaValues, error) {
	var d deltaValues
	tombstones := f.tombstones()
	if f.entries.count > f.mostChanges() {
		return d, errManyChanges
	}
	for first := range 256 {
		due, err := f.entries.valuesWithByte(byte(first))
		if err != nil {
			return d, err
		}
		d.entries = append(d.entries, segment.Merge(due, withByte(tombstones, byte(first)))...)
	}
	for _, item := range f.sharedValues() {
		published, err := f.before.Shared(ctx, item.Key)
		if err != nil {
			return d, err
		}
		if published == nil {
			d.shared = append(d.shared, item)
		}
	}
	return d, nil
}

// tombstones are due for what was published of entries that are due, or are no
// more: their facts, and those of the versions that these superseded; and for
// files that are no more. A value that this build rendered counts instead.
func (f *segmentForm) tombstones() []segment.Value {
	var out []segment.Value
	add := func(name string) {
		if key := segment.KeyOf(name); !f.kept[key] {
			out = append(out, segment.Value{Key: key})
		}
	}
	for entryID, version := range f.gone {
		add(entryfacts.EntryFactsName(entryID))
		for v := int64(1); v < version; v++ {
			add(entryfacts.VersionFactsName(entryID, v))
		}
	}
	for _, name := range f.out.packedGone(f.isKept) {
		add(name)
	}
	slices.SortFunc(out, compareValues)
	return out
}

// findChanges compares all entries with those that are published. More changes than
// a delta may have are errManyChanges.
func (f *segmentForm) findChanges(ctx context.Context) (deltaValues, error) {
	var d deltaValues
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
		if int64(len(d.entries)) > f.mostChanges() {
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
	for _, item := range f.sharedValues() {
		if !known[item.Key] {
			d.shared = append(d.shared, item)
		}
	}
	return d, nil
}

// sharedValues are the shared items of what was rendered, by key.
func (f *segmentForm) sharedValues() []segment.Value {
	out := make([]segment.Value, 0, len(f.shared))
	for key, item := range f.shared {
		out = append(out, segment.Value{Key: key, Data: item})
	}
	slices.SortFunc(out, compareValues)
	return out
}

func compareValues(a, b segment.Value) int { return a.Key.Compare(b.Key) }

// withByte are the values of a sorted list whose keys begin with a byte.
func withByte(sorted []segment.Value, first byte) []segment.Value {
	at := func(first int) int {
		i, _ := slices.BinarySearchFunc(sorted, first, func(v segment.Value, first int) int { return int(v.Key[0]) - first })
		return i
	}
	return sorted[at(int(first)):at(int(first)+1)]
}

// addDelta lays a delta over the layers that are published. It fails with
// errManyChanges once all deltas are mergePercent of the base.
func (f *segmentForm) addDelta(ctx context.Context, d deltaValues) (*segment.Root, error) {
	m, err := f.mergeDeltas(ctx, d)
	if err != nil {
		return nil, err
	}
	if err := f.keepLayers(ctx, m.below); err != nil {
		return nil, err
	}
	return f.writeDelta(ctx, m)
}

// mergedDelta is a delta that is to be laid over published layers.
type mergedDelta struct {
	deltaValues
	keys  []segment.Key   // of the entries of this delta and of those below it
	below []segment.Layer // which stay: deltas, and the base last
}

// mergeDeltas merges a delta with those below it that are not more than twice as
// large, so that a few are enough. It fails with errManyChanges once all deltas
// are mergePercent of the base.
func (f *segmentForm) mergeDeltas(ctx context.Context, d deltaValues) (mergedDelta, error) {
	layers := f.before.Root.Layers
	deltas := layers[:len(layers)-1]
	m := mergedDelta{deltaValues: d}

	merged := 0
	for merged < len(deltas) {
		small := deltas[merged].Entries.Count <= 2*int64(len(m.entries))
		if !small && len(deltas)-merged < maxDeltas {
			break
		}
		older, err := f.readLayer(ctx, deltas[merged])
		if err != nil {
			return m, err
		}
		m.entries = segment.Merge(m.entries, older.entries)
		m.shared = segment.Merge(m.shared, older.shared)
		merged++
	}
	m.below = layers[merged:]

	total := int64(len(m.entries))
	m.keys = keysOf(nil, m.entries)
	for _, layer := range deltas[merged:] {
		total += layer.Entries.Count
		older, err := f.readLayer(ctx, layer)
		if err != nil {
			return m, err
		}
		m.keys = keysOf(m.keys, older.entries)
	}
	if total > f.mostChanges() {
		return m, errManyChanges
	}
	return m, nil
}

// writeDelta writes the objects of a delta, and returns the root with it.
func (f *segmentForm) writeDelta(ctx context.Context, m mergedDelta) (*segment.Root, error) {
	entries, err := f.writeList(ctx, m.entries)
	if err != nil {
		return nil, err
	}
	shared, err := f.writeList(ctx, m.shared)
	if err != nil {
		return nil, err
	}
	root := &segment.Root{Profile: f.profile, Facts: entryfacts.FactsVersion, Filter: segment.NewFilter(m.keys)}
	root.Layers = append(root.Layers, segment.Layer{Entries: entries, Shared: shared})
	root.Layers = append(root.Layers, m.below...)
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
	if f.named[key] {
		return nil
	}
	f.named[key] = true
	return f.out.putFile(exports.Key(key), data)
}

// keepLayers keeps the objects of layers that are published, without copying
// them. Objects of other layers stay for readers who hold the published root, as
// long as the target keeps what is removed.
func (f *segmentForm) keepLayers(ctx context.Context, layers []segment.Layer) error {
	kept := segment.Reader{Root: &segment.Root{Profile: f.profile, Layers: layers}, Source: f.before.Source}
	return kept.Objects(ctx, func(d segment.Digest) error { return f.keepObject(segment.ObjectKey(d)) })
}

func (f *segmentForm) keepObject(key string) error {
	if f.named[key] {
		return nil
	}
	note, ok := f.out.before.findRow(key)
	if !ok {
		return fmt.Errorf("%w: %s is not in the list of files", errSegments, key)
	}
	if err := f.out.keepFile(fileRow{key, note}); err != nil {
		return fmt.Errorf("%w: %w", errSegments, err)
	}
	f.named[key] = true
	return nil
}
