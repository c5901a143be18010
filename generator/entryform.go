package generator

import (
	"bytes"
	"context"
	"sync"

	"colophon/exports"
	"colophon/generator/render"
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

// entryForm publishes the documents of entries. write is called from many
// goroutines, and finish once, after the last entry. close gives up what was not
// finished.
type entryForm interface {
	write(e *render.Entry) error
	finish(ctx context.Context) error
	close()
}

// newEntryForm chooses how entries are published.
func (b *build) newEntryForm() entryForm {
	if b.opt.Form == FormPacks {
		return newPackForm(b.out, b.opt.PackSize, b.published, b.frame, b.plan)
	}
	return &fileForm{put: b.put, frame: b.frame}
}

// fileForm writes a file for each document.
type fileForm struct {
	put   func(...render.Document) error
	frame *exports.PageFrame
}

func (f *fileForm) write(e *render.Entry) error { return f.put(e.Documents(f.frame)...) }

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
		buf.Write(text) // so that its memory is used again
		if err := b.out.putFile(d.Key, buf.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// putAll publishes many documents, several at once.
func (b *build) putAll(docs []render.Document) error {
	return b.runParallel(len(docs), func(i int) error { return b.put(docs[i]) })
}

// documentBuffers hold a document until it is written.
var documentBuffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}
