package generator

import (
	"bytes"
	"context"
	"sync"

	"colophon/generator/render"
	"colophon/internal/blob"
)

// Form is the form in which the documents of entries are published: their
// records, versions of records, places in the ledger, citations and pages for
// people. The addresses do not depend on the form.
type Form string

// The forms.
const (
	FormAuto  Form = ""      // see resolveForm
	FormFiles Form = "files" // one file for each document, for any web server
	FormPacks Form = "packs" // facts in packs, for servers that make the documents from them
)

// Forms are the forms that an operator can ask for.
var Forms = []string{string(FormFiles), string(FormPacks)}

// entryForm publishes the documents of entries, and lists of their records.
// Many goroutines call write and writeList; finish is called once after the
// last call. close discards what was not finished.
type entryForm interface {
	write(e *render.Entry) error
	writeList(l render.RecordList) error
	finish(ctx context.Context) error
	close()
}

// newEntryForm returns the entryForm for the form of the build.
func (b *build) newEntryForm() entryForm {
	if b.opt.Form == FormPacks {
		return newPackForm(b.out, b.opt.PackSize, b.published, b.frame, b.plan)
	}
	return &fileForm{put: b.put, frame: b.frame}
}

// fileForm writes one file for each document.
type fileForm struct {
	put   func(...render.Document) error
	frame *blob.PageFrame
}

func (f *fileForm) write(e *render.Entry) error { return f.put(e.Documents(f.frame)...) }

func (f *fileForm) writeList(l render.RecordList) error { return f.put(l.Document()) }

func (f *fileForm) finish(context.Context) error { return nil }

func (f *fileForm) close() {}

// put publishes documents.
func (b *build) put(docs ...render.Document) error {
	buf := documentBuffers.Get().(*bytes.Buffer)
	defer documentBuffers.Put(buf)
	for _, d := range docs {
		buf.Reset()
		text, err := d.Append(buf.AvailableBuffer())
		if err != nil {
			return err
		}
		buf.Write(text) // so that its memory is reused
		if err := b.out.putFile(d.Key, buf.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// putAll publishes many documents in parallel.
func (b *build) putAll(docs []render.Document) error {
	return b.runParallel(len(docs), func(i int) error { return b.put(docs[i]) })
}

// documentBuffers reuses the buffers for documents.
var documentBuffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}
