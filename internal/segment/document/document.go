// Package document answers for published files that stand in segments: it finds
// the facts of an entry and spells from them the document that a key names.
package document

import (
	"context"
	"errors"
	"io/fs"
	"strconv"
	"strings"

	"colophon/exports"
	"colophon/internal/segment"
	"colophon/internal/segment/entryfacts"
)

// Files are published files of which the documents of entries may stand in
// segments: a file counts where there is one, and else the document is spelled
// from facts, byte for byte as the file would be.
type Files struct {
	segment.Source

	// SpellPage spells the page of an entry, which has a citation, for people. A
	// reader without it fails for a page that stands in segments.
	SpellPage func(frame *exports.PageFrame, e *entryfacts.EntryFacts) ([]byte, error)

	// Compress makes the compressed sibling of a document, nil where it would
	// have none. Without it documents in segments have none, as for a host that
	// compresses by itself.
	Compress func(document []byte) []byte

	// Index remembers which generations of the static index stand in segments; nil:
	// it is found out for each file.
	Index *Generations
}

// MaxReads is how many files or ranges are read for one document at most: the
// file and the root; of each delta a directory and an object for each of two
// names (an earlier version and the current one), and as much for the
// shared item; of the base the same, with two ranges for an object. It is less
// than the 50 that a free plan of Workers allows a request.
const MaxReads = 2 + (segment.MaxLayers-1)*((1+2)+(1+1)) + ((1 + 2*2) + (1 + 2*1))

// Read returns a published file or a document that is spelled from facts. A
// missing one is fs.ErrNotExist.
//
// For a document in segments it reads at most MaxReads files or ranges: the
// file that is not there, the root, then directories and objects. Seven are
// usual, of which the host's cache has most.
func (f Files) Read(ctx context.Context, key string) ([]byte, error) {
	if folder, ok := IndexFolder(key); ok {
		return f.readIndexFile(ctx, folder, key)
	}
	data, err := f.Source.Read(ctx, key)
	if err == nil || !errors.Is(err, fs.ErrNotExist) {
		return data, err
	}
	plain, compressed := strings.CutSuffix(key, gzipSuffix)
	if !mayStandInSegments(plain) || compressed && (f.Compress == nil || !exports.Key(plain).Compressible()) {
		return nil, err
	}
	data, err = f.find(ctx, plain)
	if errors.Is(err, fs.ErrNotExist) { // the root was replaced meanwhile
		data, err = f.find(ctx, plain)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, errMissingObject
	case err != nil:
		return nil, err
	case data != nil && compressed:
		data = f.Compress(data)
	}
	if data == nil {
		return nil, fs.ErrNotExist
	}
	return data, nil
}

// errMissingObject says that a root names an object that is not published, so
// that nothing is known of the document: it must not be told as missing.
var errMissingObject = errors.New("an object of the segments is missing")

// mayStandInSegments tells whether a file of that key is there to be looked for.
func mayStandInSegments(key string) bool {
	_, ok := ParseKey(key)
	return ok || exports.Packed(exports.Key(key))
}

// find looks for a file under the current root; nil where it has none.
func (f Files) find(ctx context.Context, key string) ([]byte, error) {
	r, err := f.openSegments(ctx)
	if err != nil || r == nil {
		return nil, err
	}
	if doc, ok := ParseKey(key); ok {
		return f.spellDocument(ctx, r, doc)
	}
	return FindFile(ctx, r, key)
}

// FindFile reads a file that stands in segments as it is; nil where there is none.
func FindFile(ctx context.Context, r *segment.Reader, key string) ([]byte, error) {
	value, err := r.Entry(ctx, segment.KeyOf(key))
	if err != nil || value == nil {
		return nil, err
	}
	name, data, err := ParseFile(value)
	if err == nil && name != key {
		err = segment.ErrDamaged
	}
	return data, err
}

// openSegments reads the current root; nil where there is none.
func (f Files) openSegments(ctx context.Context) (*segment.Reader, error) {
	text, err := f.Source.Read(ctx, segment.RootKey)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	root, err := segment.ParseRoot(text)
	if err != nil {
		return nil, err
	}
	if root.Facts != entryfacts.FactsVersion {
		return nil, errors.New("the segments are of another version of facts")
	}
	return &segment.Reader{Root: root, Source: f.Source}, nil
}

// spellDocument spells a document; nil where there is none.
func (f Files) spellDocument(ctx context.Context, r *segment.Reader, doc Document) ([]byte, error) {
	for _, name := range doc.factNames() {
		facts, err := Facts(ctx, r, segment.KeyOf(name))
		if err != nil {
			return nil, err
		}
		if facts == nil {
			continue
		}
		if facts.EntryID != doc.EntryID {
			return nil, segment.ErrDamaged
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

// errNoPages says that a page stands in segments which this reader cannot spell:
// it must not be told as missing.
var errNoPages = errors.New("this reader does not spell the pages of entries that stand in segments")

// spellPage spells the page of an entry; nil where it has none.
func (f Files) spellPage(root *segment.Root, facts *entryfacts.EntryFacts) ([]byte, error) {
	if facts.Citation == nil {
		return nil, nil
	}
	if f.SpellPage == nil {
		return nil, errNoPages
	}
	if root.Frame == nil {
		return nil, segment.ErrDamaged
	}
	return f.SpellPage(root.Frame, facts)
}

// Facts reads facts by their key with the shared item that they need, nil for
// none.
func Facts(ctx context.Context, r *segment.Reader, key segment.Key) (*entryfacts.EntryFacts, error) {
	data, err := r.Entry(ctx, key)
	if err != nil || data == nil {
		return nil, err
	}
	packed, err := entryfacts.ParseEntryFacts(data)
	if err != nil {
		return nil, err
	}
	item, err := r.Shared(ctx, segment.Key(packed.Ref()))
	if err != nil {
		return nil, err
	}
	if item == nil {
		return nil, segment.ErrDamaged
	}
	return packed.Facts(item)
}

// Document is a document of an entry.
type Document struct {
	Kind    entryfacts.EntryDocument
	EntryID string
	Version int64 // of DocVersion and DocPlace
}

// factNames are the names of the facts from which the document may be spelled.
// Earlier versions stand by themselves; the current one is told as a version
// only when it is not the first.
func (d Document) factNames() []string {
	current := entryfacts.EntryFactsName(d.EntryID)
	switch d.Kind {
	case entryfacts.DocVersion:
		earlier := entryfacts.VersionFactsName(d.EntryID, d.Version)
		if d.Version == 1 {
			return []string{earlier}
		}
		return []string{earlier, current}
	case entryfacts.DocPlace:
		return []string{entryfacts.VersionFactsName(d.EntryID, d.Version), current}
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

// ParseKey tells which document of which entry a key names:
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
