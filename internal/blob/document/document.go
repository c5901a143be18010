// Package document reads published files that stand in packs: it finds a file,
// or the facts of an entry from which it renders the document that a key names.
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
	"colophon/internal/staticindex"
)

// Files reads published files. Kinds of files of which there are many, and the
// documents of entries, may stand in packs. A separate file takes precedence;
// otherwise the file comes from its pack, or the document is rendered from
// facts, byte for byte as the file would be.
type Files struct {
	blob.Source

	// SpellPage renders the page of an entry that has a citation. If it is nil,
	// a page that stands in packs is an error.
	SpellPage func(frame *blob.PageFrame, e *entryfacts.Facts) ([]byte, error)

	// Compress returns the compressed sibling of a document, or nil if it has
	// none. If Compress is nil, documents in packs have no siblings, as for a
	// host that compresses by itself.
	Compress func(document []byte) []byte

	// Memory may be nil: then files that may stand in packs are always looked for
	// as files first.
	Memory *Memory
}

// Memory is what Files remembers between two reads. It saves reads and work, and
// never changes an answer. The zero value remembers nothing yet.
type Memory struct {
	mu     sync.Mutex
	packed bool       // the last file found that may stand in packs stood there: the next one is looked for there first
	root   *blob.Root // the last root
	text   string     // its text
}

func (m *Memory) isPacked() bool {
	if m == nil {
		return false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.packed
}

func (m *Memory) setPacked(packed bool) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.packed = packed
}

// parseRoot parses a root, unless it is the one that was parsed last. It returns
// blob.ErrDamaged or ErrFactsVersion.
func (m *Memory) parseRoot(text []byte) (*blob.Root, error) {
	if m == nil {
		return parseRoot(text)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.root != nil && m.text == string(text) {
		return m.root, nil
	}
	root, err := parseRoot(text)
	if err == nil {
		m.text, m.root = string(text), root
	}
	return root, err
}

// MaxReads is the most files, pages and blobs that are read for one document,
// unless the release is replaced meanwhile: the missing file and the root, which
// has the topmost page; then pages and a blob each for the publisher of an entry,
// for the facts of an earlier version, and for the current facts. Twice that is
// less than the 50 subrequests of a request on the free plan of Workers.
const MaxReads = 2 + 3*blob.MaxLevels

// MaxFileReads is the same bound for a file that stands in packs, except a list
// of records that names entries: that reads the facts of a publisher.
const MaxFileReads = 2 + blob.MaxLevels

// Read returns a published file, or a document rendered from facts; it returns
// fs.ErrNotExist if there is none.
//
// For what stands in packs it makes at most MaxReads reads. The host's cache
// answers most of them, because every document needs the same few pages.
func (f Files) Read(ctx context.Context, key string) ([]byte, error) {
	plain, compressed := strings.CutSuffix(key, gzipSuffix)
	packed := mayStandInPacks(plain)
	absent := false // known to be missing from packs
	if packed && f.Memory.isPacked() {
		data, err := f.readPacked(ctx, plain, compressed)
		if data != nil || err != nil && !errors.Is(err, fs.ErrNotExist) {
			return data, err
		}
		absent = err == nil
	}
	data, err := f.Source.Read(ctx, key)
	if packed && err == nil {
		f.Memory.setPacked(false)
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
	f.Memory.setPacked(true)
	return data, nil
}

// readPacked returns a file that stands in packs, or its compressed sibling;
// nil if there is none. It returns fs.ErrNotExist if a pack is missing.
func (f Files) readPacked(ctx context.Context, key string, compressed bool) ([]byte, error) {
	if compressed && (f.Compress == nil || !exports.Key(key).Compressible()) {
		return nil, nil
	}
	data, err := f.find(ctx, key)
	if errors.Is(err, fs.ErrNotExist) { // the root may have been replaced meanwhile
		data, err = f.find(ctx, key)
	}
	if data != nil && compressed {
		data = f.Compress(data)
	}
	return data, err
}

// errMissingPack says that the root names a pack that is not published. The
// document may exist, so it must not be reported as missing.
var errMissingPack = errors.New("a pack is missing")

// mayStandInPacks reports whether a file with that key may stand in packs.
func mayStandInPacks(key string) bool {
	_, ok := ParseKey(key)
	return ok || exports.Packed(exports.Key(key))
}

// find returns a file from the packs of the current root; nil if there is none.
func (f Files) find(ctx context.Context, key string) ([]byte, error) {
	r, err := f.openPacks(ctx)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if doc, ok := ParseKey(key); ok {
		return f.spellDocument(ctx, r, doc)
	}
	if strings.HasPrefix(key, staticindex.Folder) {
		name, gen, ok := staticindex.CutGeneration(key)
		if !ok || gen != r.Root.Generation {
			return nil, nil
		}
		key = name
	}
	data, err := r.Find(ctx, FileKey(key))
	if err != nil || data == nil {
		return nil, err
	}
	return FileText(ctx, r, key, data)
}

// ErrFactsVersion says that a program with another version of facts wrote the
// packs.
var ErrFactsVersion = errors.New("the packs are of another version of facts")

// Open reads the root of the published packs. It returns fs.ErrNotExist if
// there is none, blob.ErrDamaged or ErrFactsVersion.
func Open(ctx context.Context, source blob.Source) (*blob.Reader, error) {
	return Files{Source: source}.openPacks(ctx)
}

// openPacks is Open for the source of the files.
func (f Files) openPacks(ctx context.Context) (*blob.Reader, error) {
	text, err := f.Source.Read(ctx, blob.RootKey)
	if err != nil {
		return nil, err
	}
	root, err := f.Memory.parseRoot(text)
	if err != nil {
		return nil, err
	}
	return &blob.Reader{Root: root, Source: f.Source}, nil
}

// parseRoot parses a root; it returns blob.ErrDamaged or ErrFactsVersion.
func parseRoot(text []byte) (*blob.Root, error) {
	root, err := blob.ParseRoot(text)
	if err == nil && root.Facts != entryfacts.FactsVersion {
		err = ErrFactsVersion
	}
	return root, err
}

// spellDocument renders a document; it returns nil if there is none.
func (f Files) spellDocument(ctx context.Context, r *blob.Reader, doc Entry) ([]byte, error) {
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
			return nil, blob.ErrDamaged // every entry with a publisher has facts
		}
		if data == nil {
			continue
		}
		facts, err := entryfacts.Parse(doc.EntryID, data)
		if err != nil {
			return nil, err
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

// errNoPages says that a page stands in packs and this reader cannot render it.
// The page exists, so it must not be reported as missing.
var errNoPages = errors.New("this reader does not spell the pages of entries that stand in packs")

// spellPage renders the page of an entry; it returns nil if the entry has none.
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

// Entry is what a path names: one document of an entry.
type Entry struct {
	Kind    entryfacts.Kind
	EntryID string
	Version int64 // for DocVersion and DocPlace
}

// factKeys returns the keys of the facts from which the document may be
// rendered. Earlier versions have their own facts; the current record also
// counts as a version, unless it is the first.
func (d Entry) factKeys(siteID string) []string {
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

// ParseKey returns the document that a key names; ok is false for other keys.
// Such keys are:
//
//	v1/public/contentdna-provenance/ent_….json
//	v1/public/contentdna-provenance/ent_…/v/2.json
//	v1/public/contentdna-provenance/ent_…/v/2/ledger.json
//	v1/public/citations/ent_….json
//	citations/ent_…/index.html
func ParseKey(key string) (d Entry, ok bool) {
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

// withVersion parses "ent_…/v/2" and returns d with that entry and version.
func (d Entry) withVersion(text string) (Entry, bool) {
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
