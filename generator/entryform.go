package generator

import (
	"bytes"
	"context"

	"colophon/exports"
	"colophon/internal/origin"
	"colophon/internal/segment"
	"colophon/internal/wire"
)

// Form says how the documents of entries are published: their records, versions
// of records, proofs and citations. The addresses do not depend on it.
type Form string

// The forms.
const (
	FormAuto     Form = ""         // files
	FormFiles    Form = "files"    // a file for each document, for any web server
	FormSegments Form = "segments" // facts in immutable objects, for "colophon serve"
)

// Forms are the forms that can be asked for.
var Forms = []string{string(FormFiles), string(FormSegments)}

// entryDocuments are the documents of one entry before they are published.
type entryDocuments struct {
	entryID  string
	current  signedRecord   // without JSON: there is none
	earlier  []signedRecord // versions that current supersedes
	citation *exports.Citation
}

// signedRecord is a record with its proof of inclusion.
type signedRecord struct {
	origin.Record
	proof *exports.LedgerProof // nil: not logged
}

// entryForm publishes the documents of entries. write is called from many
// goroutines, and finish once, after the last entry. close gives up what was not
// finished.
type entryForm interface {
	write(e *entryDocuments) error
	finish(ctx context.Context) error
	close()
}

// newEntryForm chooses how entries are published. What is invented is always
// published as files: it is small.
func (b *build) newEntryForm(ctx context.Context) entryForm {
	if b.machine || b.opt.Form != FormSegments {
		return &fileForm{out: b.out}
	}
	profile := b.opt.Profile
	if profile == "" {
		profile = segment.Pages
	}
	return newSegmentForm(ctx, b.out, profile)
}

// fileForm writes a file for each document.
type fileForm struct{ out *tree }

func (f *fileForm) finish(context.Context) error { return nil }

func (f *fileForm) close() {}

func (f *fileForm) write(e *entryDocuments) error {
	if e.citation != nil {
		if err := f.writeCitation(e.citation); err != nil {
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
		if err := f.writeProof(v); err != nil {
			return err
		}
	}
	if e.current.Version > 1 {
		if err := f.writeVersion(e.current); err != nil {
			return err
		}
	}
	if e.citation != nil { // which carries the proof
		return nil
	}
	return f.writeProof(e.current)
}

// writeCitation spells a citation in a buffer that is used again, which would
// else grow several times for each.
func (f *fileForm) writeCitation(c *exports.Citation) error {
	page := pageBuffers.Get().(*bytes.Buffer)
	defer pageBuffers.Put(page)
	page.Reset()
	page.Write(wire.Append(page.AvailableBuffer(), c))
	return f.out.putFile(exports.KeyOf(exports.CitationPath(c.EntryID)), page.Bytes())
}

func (f *fileForm) writeVersion(r signedRecord) error {
	return f.out.putFile(exports.KeyOf(exports.RecordVersionPath(r.EntryID, r.Version)), []byte(r.JSON))
}

func (f *fileForm) writeProof(r signedRecord) error {
	if r.proof == nil {
		return nil
	}
	return f.out.putFile(exports.KeyOf(exports.ProofPath(r.EntryID, r.Version)), []byte(r.proof.Proof))
}
