// Package document answers for published files that stand in packs: it finds a file, or
// the facts of an entry, and spells from these the document that a key names.
package document

import (
	"context"
	"errors"
	"io/fs"
	"strconv"
	"strings"
	"sync"

	"colophon/exports"
	"colophon/internal/blob"
	"colophon/internal/blob/entryfacts"
)

// Files are published files, of which those of which there are many and the documents
// of entries may stand in packs: a file counts where there is one; else it is taken from
// its pack, or the document is spelled from facts, byte for byte as the file would be.
type Files struct {
	blob.Source

	// SpellPage spells the page of an entry, which has a citation, for people. A
	// reader without it fails for a page that stands in packs.
	SpellPage func(frame *exports.PageFrame, e *entryfacts.Facts) ([]byte, error)

	// Compress makes the compressed sibling of a document, nil where it would
	// have none. Without it documents in packs have none, as for a host that
	// compresses by itself.
	Compress func(document []byte) []byte

	// InPacks remembers whether what was found last, of what may stand in packs, stood there,
	// where others are then looked for first; nil: they are looked for as files first.
	InPacks *InPacks
}

// InPacks is what Files remember between two reads. It saves reads, and changes no
// answer. The zero value remembers nothing yet.
type InPacks struct {
	mu sync.Mutex
	is bool
}

func (p *InPacks) get() bool {
	if p == nil {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.is
}

func (p *InPacks) set(is bool) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.is = is
}

// MaxReads is how many files, pages and blobs are read for one document at most, where
// the release is not replaced meanwhile: the file that is not there and the root; pages
// and a blob each for the publisher of an entry, for the facts of an earlier version, and
// for the current facts. Twice of it is less than the 50 that a free plan of Workers allows
// a request.
const MaxReads = 2 + 3*(blob.MaxLevels+1)

// MaxFileReads is the same for a file that stands in packs.
const MaxFileReads = 2 + blob.MaxLevels + 1

// Read returns a published file, or a document that is spelled from facts. A
// missing one is fs.ErrNotExist.
//
// For what stands in packs it reads at most MaxReads times, of which the host's cache
// has most: every document needs the same few pages.
func (f Files) Read(ctx context.Context, key string) ([]byte, error) {
	plain, compressed := strings.CutSuffix(key, gzipSuffix)
	packed := mayStandInPacks(plain)
	absent := false // from packs
	if packed && f.InPacks.get() {
		data, err := f.readPacked(ctx, plain, compressed)
		if data != nil || err != nil && !errors.Is(err, fs.ErrNotExist) {
			return data, err
		}
		absent = err == nil
	}
	data, err := f.Source.Read(ctx, key)
	if packed && err == nil {
		f.InPacks.set(false)
	}
	if !packed || absent || !errors.Is(err, fs.ErrNotExist) {
		return data, err
	}
	data, err = f.readPacked(ctx, plain, compressed)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, errMissingPack
	case err != nil:
		return nil, err
	case data == nil:
		return nil, fs.ErrNotExist
	}
	f.InPacks.set(true)
	return data, nil
}

// readPacked reads a file that stands in packs, or its compressed sibling; nil where
// there is none. It fails with fs.ErrNotExist where a pack is missing.
func (f Files) readPacked(ctx context.Context, key string, compressed bool) ([]byte, error) {
	if compressed && (f.Compress == nil || !exports.Key(key).Compressible()) {
		return nil, nil
	}
	data, err := f.find(ctx, key)
	if errors.Is(err, fs.ErrNotExist) { // the root was replaced meanwhile
		data, err = f.find(ctx, key)
	}
	if data != nil && compressed {
		data = f.Compress(data)
	}
	return data, err
}

// errMissingPack says that a root names a pack that is not published, so that nothing
// is known about the document: it must not be reported as missing.
var errMissingPack = errors.New("a pack is missing")

// mayStandInPacks reports whether a file of that key is there to be looked for.
func mayStandInPacks(key string) bool {
	_, ok := ParseKey(key)
	return ok || exports.Packed(exports.Key(key))
}

// find looks for a file under the current root; nil where it has none.
func (f Files) find(ctx context.Context, key string) ([]byte, error) {
	r, err := f.openPacks(ctx)
	if err != nil || r == nil {
		return nil, err
	}
	if doc, ok := ParseKey(key); ok {
		return f.spellDocument(ctx, r, doc)
	}
	return r.Find(ctx, FileKey(key))
}

// openPacks reads the current root; nil where there is none.
func (f Files) openPacks(ctx context.Context) (*blob.Reader, error) {
	r, err := Open(ctx, f.Source)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return r, err
}

// ErrFactsVersion says that packs were written by a program of another version.
var ErrFactsVersion = errors.New("the packs are of another version of facts")

// Open reads the root of the packs that are published. It fails with fs.ErrNotExist where
// there are none, blob.ErrDamaged and ErrFactsVersion.
func Open(ctx context.Context, source blob.Source) (*blob.Reader, error) {
	text, err := source.Read(ctx, blob.RootKey)
	if err != nil {
		return nil, err
	}
	root, err := blob.ParseRoot(text)
	if err != nil {
		return nil, err
	}
	if root.Facts != entryfacts.FactsVersion {
		return nil, ErrFactsVersion
	}
	return &blob.Reader{Root: root, Source: source}, nil
}

// spellDocument spells a document; nil where there is none.
func (f Files) spellDocument(ctx context.Context, r *blob.Reader, doc Document) ([]byte, error) {
	site, err := r.Find(ctx, IDKey(doc.EntryID))
	if err != nil || site == nil {
		return nil, err
	}
	for _, key := range doc.factKeys(string(site)) {
		data, err := r.Find(ctx, key)
		if err != nil {
			return nil, err
		}
		if data == nil && key == FactsKey(string(site), doc.EntryID) {
			return nil, blob.ErrDamaged // every entry that has a publisher has facts
		}
		if data == nil {
			continue
		}
		facts, err := entryfacts.Parse(data)
		if err != nil {
			return nil, err
		}
		if facts.EntryID != doc.EntryID {
			return nil, blob.ErrDamaged
		}
		if doc.Kind == entryfacts.DocPage {
			return f.spellPage(r.Root, facts)
		}
		if data := facts.Spell(doc.Kind, doc.Version); data != nil {
			return data, nil
		}
	}
	return nil, nil
}

// errNoPages says that a page stands in packs which this reader cannot spell: it must
// not be reported as missing.
var errNoPages = errors.New("this reader does not spell the pages of entries that stand in packs")

// spellPage spells the page of an entry; nil where it has none.
func (f Files) spellPage(root *blob.Root, facts *entryfacts.Facts) ([]byte, error) {
	if facts.Citation == nil {
		return nil, nil
	}
	if f.SpellPage == nil {
		return nil, errNoPages
	}
	if root.Frame == nil {
		return nil, blob.ErrDamaged
	}
	return f.SpellPage(root.Frame, facts)
}

// Document is a document of an entry.
type Document struct {
	Kind    entryfacts.Kind
	EntryID string
	Version int64 // of DocVersion and DocPlace
}

// factKeys returns the keys of the facts from which the document may be
// spelled. Earlier versions stand by themselves; the current one is reported as
// a version only when it is not the first.
func (d Document) factKeys(siteID string) []string {
	current := FactsKey(siteID, d.EntryID)
	switch d.Kind {
	case entryfacts.DocVersion:
		earlier := VersionKey(siteID, d.EntryID, d.Version)
		if d.Version == 1 {
			return []string{earlier}
		}
		return []string{earlier, current}
	case entryfacts.DocPlace:
		return []string{VersionKey(siteID, d.EntryID, d.Version), current}
	}
	return []string{current}
}

const (
	recordPrefix   = "v1/public/contentdna-provenance/"
	citationPrefix = "v1/public/citations/"
	pagePrefix     = "citations/"
	pageSuffix     = "/index.html"
	jsonSuffix     = ".json"
	gzipSuffix     = ".gz"
	placeSuffix    = "/ledger.json"
)

// ParseKey says which document of which entry a key names:
//
//	v1/public/contentdna-provenance/ent_….json
//	v1/public/contentdna-provenance/ent_…/v/2.json
//	v1/public/contentdna-provenance/ent_…/v/2/ledger.json
//	v1/public/citations/ent_….json
//	citations/ent_…/index.html
func ParseKey(key string) (d Document, ok bool) {
	if rest, found := strings.CutPrefix(key, citationPrefix); found {
		d.Kind = entryfacts.DocCitation
		d.EntryID, ok = strings.CutSuffix(rest, jsonSuffix)
		return d, ok && exports.ValidEntryID(d.EntryID)
	}
	if rest, found := strings.CutPrefix(key, pagePrefix); found {
		d.Kind = entryfacts.DocPage
		d.EntryID, ok = strings.CutSuffix(rest, pageSuffix)
		return d, ok && exports.ValidEntryID(d.EntryID)
	}
	rest, found := strings.CutPrefix(key, recordPrefix)
	if !found {
		return d, false
	}
	if id, isPlace := strings.CutSuffix(rest, placeSuffix); isPlace {
		d.Kind = entryfacts.DocPlace
		return d.withVersion(id)
	}
	id, isJSON := strings.CutSuffix(rest, jsonSuffix)
	if !isJSON {
		return d, false
	}
	if strings.Contains(id, "/") {
		d.Kind = entryfacts.DocVersion
		return d.withVersion(id)
	}
	d.Kind = entryfacts.DocRecord
	d.EntryID = id
	return d, exports.ValidEntryID(id)
}

// withVersion reads "ent_…/v/2".
func (d Document) withVersion(text string) (Document, bool) {
	id, number, ok := strings.Cut(text, "/v/")
	if !ok || !exports.ValidEntryID(id) {
		return d, false
	}
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || n < 1 || strconv.FormatInt(n, 10) != number {
		return d, false
	}
	d.EntryID = id
	d.Version = n
	return d, true
}
