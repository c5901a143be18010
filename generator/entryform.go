package generator

import (
	"bytes"
	"context"
	"fmt"
	"sync"

	"colophon/exports"
	"colophon/internal/blob/entryfacts"
	"colophon/internal/citation"
	"colophon/internal/origin"
	"colophon/internal/wire"
	"colophon/templates/entrypage"
)

// Form says how the documents of entries are published: their records, versions
// of records, their places in the ledger, citations and pages for people. The addresses do not
// depend on it.
type Form string

// The forms.
const (
	FormAuto  Form = ""      // see resolveForm
	FormFiles Form = "files" // a file for each document, for any web server
	FormPacks Form = "packs" // facts in packs, for readers that spell documents
)

// Forms are the forms that can be asked for.
var Forms = []string{string(FormFiles), string(FormPacks)}

// entryDocuments are the documents of one entry before they are published.
type entryDocuments struct {
	siteID   string
	entryID  string
	current  signedRecord   // without JSON: there is none
	earlier  []signedRecord // versions that current supersedes
	citation *exports.Citation
	page     pageFacts // with citation
}

// pageFacts are what the page of an entry shows beyond its citation and record.
type pageFacts struct {
	terms []string
	asks  bool   // the publisher takes inquiries
	card  string // path of the image for link previews, "" the general one
}

// currentFacts returns the facts of the citation and of the page; those of the
// record are not in them yet.
func (e *entryDocuments) currentFacts() *entryfacts.Facts {
	f := &entryfacts.Facts{EntryID: e.entryID, Citation: e.citation}
	if e.citation != nil {
		f.Terms, f.Asks, f.Card = e.page.terms, e.page.asks, e.page.card
	}
	return f
}

// signedRecord is a record with its place in the ledger.
type signedRecord struct {
	origin.Record
	place *exports.LedgerPlace // nil: not logged
}

// entryForm publishes the documents of entries. write is called from many
// goroutines, and finish once, after the last entry. close gives up what was not
// finished.
type entryForm interface {
	write(e *entryDocuments) error
	finish(ctx context.Context) error
	close()
}

// newEntryForm chooses how entries are published.
func (b *build) newEntryForm() entryForm {
	if b.opt.Form == FormPacks {
		return newPackForm(b.out, b.opt.PackSize, b.published, b.frame, b.plan)
	}
	return &fileForm{out: b.out, frame: b.frame}
}

// fileForm writes a file for each document.
type fileForm struct {
	out   *tree
	frame *exports.PageFrame
}

func (f *fileForm) finish(context.Context) error { return nil }

func (f *fileForm) close() {}

func (f *fileForm) write(e *entryDocuments) error {
	if e.citation != nil {
		citation.Spell(e.citation)
		if err := f.writeCitation(e.citation); err != nil {
			return err
		}
		if err := f.writePage(e); err != nil {
			return err
		}
	}
	if e.current.JSON == "" {
		return nil
	}
	if err := f.out.putFile(exports.KeyOf(exports.RecordPath(e.entryID)), []byte(e.current.JSON)); err != nil {
		return err
	}
	for _, v := range e.earlier {
		if err := f.writeVersion(v); err != nil {
			return err
		}
		if err := f.writePlace(v); err != nil {
			return err
		}
	}
	if e.current.Version > 1 {
		if err := f.writeVersion(e.current); err != nil {
			return err
		}
	}
	if e.citation != nil { // which names the place
		return nil
	}
	return f.writePlace(e.current)
}

func (f *fileForm) writeCitation(c *exports.Citation) error {
	return f.writeSpelled(exports.CitationPath(c.EntryID), func(dst []byte) ([]byte, error) { return wire.Append(dst, c), nil })
}

// writeSpelled spells a document in a buffer that is used again, which would else
// grow several times for each.
func (f *fileForm) writeSpelled(path string, spell func(dst []byte) ([]byte, error)) error {
	buf := documentBuffers.Get().(*bytes.Buffer)
	defer documentBuffers.Put(buf)
	buf.Reset()
	text, err := spell(buf.AvailableBuffer())
	if err != nil {
		return fmt.Errorf("cannot spell %q: %w", path, err)
	}
	buf.Write(text)
	return f.out.putFile(exports.KeyOf(path), buf.Bytes())
}

// documentBuffers hold a document of an entry until it is written.
var documentBuffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// writePage writes the page for people. There is one for each page of every
// publisher, so it is spelled compactly by its template and not minified again:
// that would cost more than all the rest of the entry.
func (f *fileForm) writePage(e *entryDocuments) error {
	facts := e.currentFacts()
	if e.current.JSON != "" {
		facts.Signed = []byte(e.current.JSON)
	}
	return f.writeSpelled(exports.CitationPage(e.entryID), func(dst []byte) ([]byte, error) { return entrypage.Append(dst, f.frame, facts) })
}

func (f *fileForm) writeVersion(r signedRecord) error {
	return f.out.putFile(exports.KeyOf(exports.RecordVersionPath(r.EntryID, r.Version)), []byte(r.JSON))
}

func (f *fileForm) writePlace(r signedRecord) error {
	if r.place == nil {
		return nil
	}
	return f.out.putFile(exports.KeyOf(exports.PlacePath(r.EntryID, r.Version)), wire.Append(nil, r.place))
}
