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

// facts returns the facts of the citation and the page, without those of the
// record.
func (e *Entry) facts() *entryfacts.Facts {
	f := &entryfacts.Facts{EntryID: e.EntryID, Citation: e.Citation}
	if e.Citation != nil {
		f.Terms, f.Asks, f.Card = e.terms, e.asks, e.Card
	}
	return f
}

// Documents returns the documents of the entry: its record, earlier versions of
// it, their places in the ledger, the citation, and the page for people.
func (e *Entry) Documents(frame *blob.PageFrame) []Document {
	var docs []Document
	if e.Citation != nil {
		citation.Spell(e.Citation)
		docs = append(docs, recordAt(exports.CitationPath(e.EntryID), e.Citation), e.page(frame))
	}
	if e.Current.JSON == "" {
		return docs
	}
	docs = append(docs, e.Current.document(exports.RecordPath(e.EntryID)))
	for i := range e.Earlier {
		v := &e.Earlier[i]
		docs = append(append(docs, v.document(exports.RecordVersionPath(v.EntryID, v.Version))), v.place()...)
	}
	if e.Current.Version > 1 {
		docs = append(docs, e.Current.document(exports.RecordVersionPath(e.EntryID, e.Current.Version)))
	}
	if e.Citation != nil { // because the citation names the place
		return docs
	}
	return append(docs, e.Current.place()...)
}

// page returns the page for people. Every entry has one, so a template writes
// it compactly instead of minifying it, which would take more time than the
// rest of the entry.
func (e *Entry) page(frame *blob.PageFrame) Document {
	facts, path := e.facts(), exports.CitationPage(e.EntryID)
	if e.Current.JSON != "" {
		facts.Signed = []byte(e.Current.JSON)
	}
	return Document{exports.KeyOf(path), func(dst []byte) ([]byte, error) {
		text, err := entrypage.Append(dst, frame, facts)
		if err != nil {
			return nil, fmt.Errorf("cannot spell %q: %w", path, err)
		}
		return text, nil
	}}
}

func (r *SignedRecord) document(path string) Document {
	return Document{exports.KeyOf(path), func(dst []byte) ([]byte, error) { return append(dst, r.JSON...), nil }}
}

// place returns the document with the record's place in the ledger, if it has
// one.
func (r *SignedRecord) place() []Document {
	if r.Place == nil {
		return nil
	}
	return []Document{recordAt(exports.PlacePath(r.EntryID, r.Version), r.Place)}
}

// Values packs the facts of the entry and of the earlier versions. Readers of
// packs make the documents from them.
func (e *Entry) Values() []blob.Value {
	var values []blob.Value
	for i := range e.Earlier {
		v := &e.Earlier[i]
		values = append(values, packVersion(document.VersionKey(e.SiteID, e.EntryID, v.Version), &entryfacts.Facts{EntryID: e.EntryID}, v, exports.Record{}))
	}
	if e.Current.JSON != "" || e.Citation != nil {
		values = append(values, packVersion(document.FactsKey(e.SiteID, e.EntryID), e.facts(), &e.Current, e.bare))
	}
	if len(values) == 0 {
		return nil
	}
	return append(values, blob.Value{Key: document.IDKey(e.EntryID), Data: []byte(e.SiteID)})
}

// packVersion packs facts together with a version of the record, which may
// state the same as bare.
func packVersion(key string, facts *entryfacts.Facts, r *SignedRecord, bare exports.Record) blob.Value {
	if r.JSON != "" {
		facts.Version = r.Version
		facts.Record = exactRecord(r, bare)
		if facts.Record == nil {
			facts.Signed = []byte(r.JSON)
		}
		facts.Place = r.Place
	}
	buf := recordBuffers.Get().(*[]byte)
	defer recordBuffers.Put(buf)
	*buf = entryfacts.Append((*buf)[:0], facts)
	return blob.Value{Key: key, Data: bytes.Clone(*buf)}
}

// exactRecord returns the fields of a record. It returns nil if encoding them
// again would not give the bytes that were signed. It decodes the record only
// if it does not state the same as bare.
func exactRecord(r *SignedRecord, bare exports.Record) *exports.Record {
	bare.Version = r.Version
	bare.Supersedes = textMember(r.JSON, "supersedes")
	bare.Passport.AsOf = textMember(r.JSON, "as_of")
	bare.Proof = exports.Proof{KeyID: textMember(r.JSON, "key_id"), Created: textMember(r.JSON, "created"), Signature: textMember(r.JSON, "signature_b64u")}
	if isEncoded(&bare, r.JSON) {
		return &bare
	}
	var record exports.Record
	if err := wire.Decode([]byte(r.JSON), &record, wire.Trusted); err != nil || record.EntryID != r.EntryID || record.Version != r.Version {
		return nil
	}
	if !isEncoded(&record, r.JSON) {
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
