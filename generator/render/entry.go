package render

import (
	"bytes"
	"fmt"
	"strings"
	"sync"

	"colophon/exports"
	"colophon/internal/blob"
	"colophon/internal/blob/document"
	"colophon/internal/blob/entryfacts"
	"colophon/internal/citation"
	"colophon/internal/origin"
	"colophon/internal/rights"
	"colophon/internal/wire"
	"colophon/templates/entrypage"
)

// Entry is everything that is published of one entry.
type Entry struct {
	SiteID, EntryID string
	Current         SignedRecord   // has no JSON if there is no record
	Earlier         []SignedRecord // versions that Current supersedes
	Citation        *exports.Citation
	Card            string // path of its card for link previews; "" means the general card

	terms []string
	asks  bool           // the publisher takes inquiries
	bare  exports.Record // what a record of the page states now, unsigned; see exactRecord
}

// SignedRecord is a record with its place in the ledger.
type SignedRecord struct {
	origin.Record
	Place *exports.LedgerPlace // nil if it is not logged
}

// NewEntry returns what is published of a page with these records. The entry
// has no citation if the page must not appear. base is the service's address.
func NewEntry(s *rights.SiteSnapshot, p *origin.Page, base string, current SignedRecord, earlier []SignedRecord) Entry {
	e := Entry{SiteID: p.SiteID, EntryID: p.EntryID, Current: current, Earlier: earlier}
	e.bare, _ = rights.Record(s, p, base)
	c, ok := rights.Citation(s, p)
	if !ok {
		return e
	}
	c.SetPlace(current.Place)
	e.Citation, e.asks = &c, s.Site.AcceptsInquiries
	if entry, ok := rights.Entry(s, p); ok {
		e.terms = entry.Terms
	}
	return e
}

// current returns the facts of the entry with its current record.
func (e *Entry) current() *entryfacts.Facts {
	f := e.Current.facts()
	f.EntryID, f.Citation = e.EntryID, e.Citation
	if e.Citation != nil {
		f.Terms, f.Asks, f.Card = e.terms, e.asks, e.Card
	}
	return f
}

// facts returns the facts of a version of a record, as it was signed.
func (r *SignedRecord) facts() *entryfacts.Facts {
	f := &entryfacts.Facts{EntryID: r.EntryID}
	if r.JSON != "" {
		f.Version, f.Signed, f.Place = r.Version, []byte(r.JSON), r.Place
	}
	return f
}

// Documents returns the documents of the entry: its record, earlier versions of
// it, their places in the ledger, the citation, and the page for people.
func (e *Entry) Documents(frame *blob.PageFrame) (docs []Document) {
	spell := func(f *entryfacts.Facts, kind entryfacts.Kind, path string) {
		if text := f.Spell(kind, f.Version); text != nil {
			docs = append(docs, fileAt(exports.KeyOf(path), text))
		}
	}
	for i := range e.Earlier {
		f := e.Earlier[i].facts()
		spell(f, entryfacts.DocVersion, exports.RecordVersionPath(f.EntryID, f.Version))
		spell(f, entryfacts.DocPlace, exports.PlacePath(f.EntryID, f.Version))
	}
	f := e.current()
	spell(f, entryfacts.DocRecord, exports.RecordPath(e.EntryID))
	spell(f, entryfacts.DocPlace, exports.PlacePath(e.EntryID, f.Version))
	if f.Version > 1 {
		spell(f, entryfacts.DocVersion, exports.RecordVersionPath(e.EntryID, f.Version))
	}
	if e.Citation != nil {
		citation.Spell(e.Citation)
		docs = append(docs, recordAt(exports.CitationPath(e.EntryID), e.Citation), pageOfEntry(frame, f))
	}
	return docs
}

// pageOfEntry returns the page for people. Every entry has one, so a template
// writes it compactly instead of minifying it, which would take more time than
// the rest of the entry.
func pageOfEntry(frame *blob.PageFrame, f *entryfacts.Facts) Document {
	path := exports.CitationPage(f.EntryID)
	return Document{exports.KeyOf(path), func(dst []byte) ([]byte, error) {
		text, err := entrypage.Append(dst, frame, f)
		if err != nil {
			return nil, fmt.Errorf("cannot spell %q: %w", path, err)
		}
		return text, nil
	}}
}

// Values packs the facts of the entry and of the earlier versions. Readers of
// packs make the documents from them.
func (e *Entry) Values() []blob.Value {
	var values []blob.Value
	for i := range e.Earlier {
		v := &e.Earlier[i]
		values = append(values, pack(document.VersionKey(e.SiteID, e.EntryID, v.Version), v.facts(), exports.Record{}))
	}
	if e.Current.JSON != "" || e.Citation != nil {
		values = append(values, pack(document.FactsKey(e.SiteID, e.EntryID), e.current(), e.bare))
	}
	if len(values) == 0 {
		return nil
	}
	return append(values, blob.Value{Key: document.IDKey(e.EntryID), Data: []byte(e.SiteID)})
}

// pack packs facts, whose record may state the same as bare.
func pack(key string, facts *entryfacts.Facts, bare exports.Record) blob.Value {
	if facts.Record = exactRecord(facts, bare); facts.Record != nil {
		facts.Signed = nil
	}
	buf := recordBuffers.Get().(*[]byte)
	defer recordBuffers.Put(buf)
	*buf = entryfacts.Append((*buf)[:0], facts)
	return blob.Value{Key: key, Data: bytes.Clone(*buf)}
}

// exactRecord returns the fields of the signed record. It returns nil if there
// is none, or if encoding them again would not give the bytes that were signed.
// It decodes the record only if it does not state the same as bare.
func exactRecord(f *entryfacts.Facts, bare exports.Record) *exports.Record {
	signed := string(f.Signed)
	bare.Version = f.Version
	bare.Supersedes = textMember(signed, "supersedes")
	bare.Passport.AsOf = textMember(signed, "as_of")
	bare.Proof = exports.Proof{KeyID: textMember(signed, "key_id"), Created: textMember(signed, "created"), Signature: textMember(signed, "signature_b64u")}
	if isEncoded(&bare, signed) {
		return &bare
	}
	var record exports.Record
	if err := wire.Decode(f.Signed, &record, wire.Trusted); err != nil || record.EntryID != f.EntryID || record.Version != f.Version || !isEncoded(&record, signed) {
		return nil
	}
	return &record
}

func isEncoded(record *exports.Record, text string) bool {
	buf := recordBuffers.Get().(*[]byte)
	defer recordBuffers.Put(buf)
	*buf = wire.Append((*buf)[:0], record)
	return string(*buf) == text
}

// recordBuffers reuses buffers for encoded records and facts.
var recordBuffers = sync.Pool{New: func() any { return new(make([]byte, 0, 4<<10)) }}

// textMember returns the first text without escapes that is a member of that
// name in canonical JSON, or in an object within it; "" if there is none.
func textMember(json, name string) string {
	_, rest, _ := strings.Cut(json, `"`+name+`":"`)
	text, _, _ := strings.Cut(rest, `"`)
	return text
}
