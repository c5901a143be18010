package generator

import (
	"context"
	"io/fs"
	"sync"

	"colophon/exports"
	"colophon/internal/segment"
	"colophon/internal/segment/document"
	"colophon/internal/segment/entryfacts"
	"colophon/internal/wire"
)

// segmentForm publishes the facts of entries in segments. It collects them
// while the entries pass, and writes what differs from the segments that are
// published now: a delta where little changed, else a new base.
type segmentForm struct {
	out     *tree
	profile segment.Profile
	frame   *exports.PageFrame
	before  *segment.Reader // of what is published now; nil: nothing that can be continued

	// Of a build that renders only what is due: the versions of the published
	// records of entries that are due, or are no more; 0: there is none. nil
	// where all entries are rendered.
	gone map[string]int64

	isKept func(name string) bool // tells which published files stay without being spelled

	entries *valueSpool

	mu     sync.Mutex
	shared map[segment.Key][]byte
	kept   map[segment.Key]bool // values of due entries that stay as they are published

	named map[string]bool // objects of the new root
}

func newSegmentForm(out *tree, profile segment.Profile, before *segment.Reader, frame *exports.PageFrame, p *plan) *segmentForm {
	f := &segmentForm{
		out: out, profile: profile, frame: frame, before: before, entries: newValueSpool(out.stage, spoolMemory),
		shared: map[segment.Key][]byte{}, kept: map[segment.Key]bool{}, named: map[string]bool{},
	}
	if p.reuse {
		f.gone = p.gone
		f.isKept = p.isKept
	}
	out.packs = f.addFile
	return f
}

// addFile adds a file that is one of many, see exports.Packed; same says that it is
// published with this content.
func (f *segmentForm) addFile(name string, data []byte, same bool) error {
	if same && f.gone != nil {
		return nil
	}
	return f.entries.addValue(fileValue(name, data))
}

// readPublishedFile reads a file that stands in the published segments. A missing
// one is fs.ErrNotExist.
func (f *segmentForm) readPublishedFile(ctx context.Context, name string) ([]byte, error) {
	if f.before == nil {
		return nil, fs.ErrNotExist
	}
	data, err := document.FindFile(ctx, f.before, name)
	if err == nil && data == nil {
		err = fs.ErrNotExist
	}
	return data, err
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
	if err != nil || root.Profile != profile || root.Facts != entryfacts.FactsVersion {
		return nil
	}
	return &segment.Reader{Root: root, Source: source}
}

// write packs the facts of an entry, and of the versions before it.
func (f *segmentForm) write(e *entryDocuments) error {
	return f.addValues(e.entryID, packEntry(e, f.shareItem))
}

// addValues adds the values of an entry, but for those of versions that were
// superseded in the published build already: they are as they were.
func (f *segmentForm) addValues(entryID string, values []segment.Value) error {
	asTheyWere := map[segment.Key]bool{}
	for version := int64(1); version < f.gone[entryID]; version++ {
		asTheyWere[segment.KeyOf(entryfacts.VersionFactsName(entryID, version))] = true
	}
	for _, v := range values {
		if asTheyWere[v.Key] {
			f.keepValue(v.Key)
			continue
		}
		if err := f.entries.addValue(v); err != nil {
			return err
		}
	}
	return nil
}

// keepValue notes a value that stays as it is published.
func (f *segmentForm) keepValue(key segment.Key) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.kept[key] = true
}

// packEntry packs the facts of an entry, and of the versions before it. share
// keeps an item that many entries have in common.
func packEntry(e *entryDocuments, share func(item []byte) entryfacts.FactRef) []segment.Value {
	var values []segment.Value
	for i := range e.earlier {
		v := &e.earlier[i]
		values = append(values, packVersion(entryfacts.VersionFactsName(e.entryID, v.Version), &entryfacts.EntryFacts{EntryID: e.entryID}, v, share))
	}
	if e.current.JSON == "" && e.citation == nil {
		return values
	}
	return append(values, packVersion(entryfacts.EntryFactsName(e.entryID), e.currentFacts(), &e.current, share))
}

// packVersion packs facts with those of a version of the record.
func packVersion(name string, facts *entryfacts.EntryFacts, r *signedRecord, share func(item []byte) entryfacts.FactRef) segment.Value {
	if r.JSON != "" {
		facts.Version = r.Version
		facts.Record = exactRecord(r)
		if facts.Record == nil {
			facts.Signed = []byte(r.JSON)
		}
		facts.Place = r.place
	}
	return segment.Value{Key: segment.KeyOf(name), Data: entryfacts.AppendEntryFacts(nil, facts, share)}
}

// exactRecord decodes a record; nil where its fields would not spell the bytes
// that were signed.
func exactRecord(r *signedRecord) *exports.Record {
	record, err := decodeRecord(r.JSON)
	if err != nil || record.EntryID != r.EntryID || record.Version != r.Version {
		return nil
	}
	if string(wire.Append(make([]byte, 0, len(r.JSON)), &record)) != r.JSON {
		return nil
	}
	return &record
}

// shareItem keeps an item that many entries have in common.
func (f *segmentForm) shareItem(item []byte) entryfacts.FactRef {
	key := segment.KeyOf(string(item))
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, known := f.shared[key]; !known {
		f.shared[key] = append([]byte{}, item...)
	}
	return entryfacts.FactRef(key)
}

func (f *segmentForm) close() { f.entries.close() }
