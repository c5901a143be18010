package generator

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"colophon/generator/snapshot"
	"colophon/internal/origin"
	"colophon/internal/staticindex"
)

// pageRow is what is kept of a page between the passes of a build, and from one
// build to the next: the page and its newest record, without the record's text.
type pageRow struct {
	page     origin.Page
	version  int64 // of the record, 0 if there is none
	sha256   string
	created  string
	position int64 // in the ledger; record.NotLogged if it is not logged

	// Used only between the passes of one build.
	due  bool          // the documents of the page are rendered
	last origin.Record // the newest record, for a row that is due
	text spooled       // the record's text
}

// spooled is the place of a text in the spool.
type spooled struct {
	at   int64
	size int64 // 0 if there is no text
}

// errRows is returned if a file of rows is damaged.
var errRows = errors.New("what the last build noted of its pages is damaged: build with --whole")

// rowWriter writes rows to a file.
type rowWriter struct {
	file *os.File
	out  *bufio.Writer
	buf  []byte
}

func newRowWriter(f *os.File) (*rowWriter, error) {
	w := &rowWriter{file: f, out: bufio.NewWriterSize(f, 1<<18)}
	_, err := w.out.WriteString(rowsHeader(noToken))
	return w, err
}

// rowsHeader returns the header of a file of rows. The token is the build's,
// with the size of the file, or noToken while the build is running.
func rowsHeader(token string) string { return "colophon rows 3 " + token + "\n" }

var noToken = sizedToken(strings.Repeat("0", 64), 0)

// sizedToken joins a token and a file size, so that a truncated file is not mistaken for a
// complete one.
func sizedToken(token string, size int64) string { return fmt.Sprintf("%s %020d", token, size) }

func (w *rowWriter) writeRow(r *pageRow) error {
	b := r.appendRow(w.buf[:0])
	w.buf = b
	var size [binary.MaxVarintLen64]byte
	w.out.Write(size[:binary.PutUvarint(size[:], uint64(len(b)))]) //nolint:errcheck // the second write fails too
	if _, err := w.out.Write(b); err != nil {
		return fmt.Errorf("cannot keep a page of the build: %w", err)
	}
	return nil
}

// appendRow appends the encoded row to b, see parseRow.
func (r *pageRow) appendRow(b []byte) []byte {
	b = r.appendFacts(b)
	due := int64(0)
	if r.due {
		due = 1
	}
	for _, n := range []int64{r.position, due, r.text.at, r.text.size} {
		b = binary.AppendVarint(b, n)
	}
	return b
}

// appendFacts appends the page and the digest of its newest record to b.
func (r *pageRow) appendFacts(b []byte) []byte {
	p := &r.page
	for _, s := range []string{
		p.EntryID, p.SiteID, p.CanonicalURL, p.Title, p.Section, p.Language, p.ContentFormat, p.PublishedAt, p.ModifiedAt,
		p.RegisteredAt, p.ChangedAt, p.State, p.Portable, p.Registry, p.Extraction, p.ISCC, p.Successor, p.SuccessorURL, r.sha256, r.created,
	} {
		b = staticindex.AppendText(b, s)
	}
	for _, list := range [][]string{p.Byline, p.Terms} {
		b = binary.AppendUvarint(b, uint64(len(list)))
		for _, s := range list {
			b = staticindex.AppendText(b, s)
		}
	}
	return binary.AppendVarint(binary.AppendVarint(b, p.WordCount), r.version)
}

// rowReader reads rows from a file.
type rowReader struct {
	in  *bufio.Reader
	buf []byte
}

// newRowReader checks the header of a file of rows, which must have this token.
func newRowReader(in io.Reader, token string) (*rowReader, error) {
	r := &rowReader{in: bufio.NewReaderSize(in, 1<<18)}
	header := rowsHeader(token)
	got := make([]byte, len(header))
	if _, err := io.ReadFull(r.in, got); err != nil || string(got) != header {
		return nil, errRows
	}
	return r, nil
}

// maxRow is the maximum size of a row, so that a damaged length cannot allocate
// all memory.
const maxRow = 1 << 24

// readRow reads a row. It returns io.EOF after the last one.
func (r *rowReader) readRow() (row pageRow, err error) {
	size, err := binary.ReadUvarint(r.in)
	if err == io.EOF {
		return row, io.EOF
	}
	if err != nil || size > maxRow {
		return row, errRows
	}
	if uint64(cap(r.buf)) < size {
		r.buf = make([]byte, size)
	}
	r.buf = r.buf[:size]
	if _, err := io.ReadFull(r.in, r.buf); err != nil {
		return row, errRows
	}
	return parseRow(r.buf)
}

// parseRow parses what appendRow appended. The strings of the row share memory.
// It returns errRows if the data is damaged.
func parseRow(data []byte) (row pageRow, err error) {
	d := decodeRow(data)
	p := &row.page
	for _, s := range []*string{
		&p.EntryID, &p.SiteID, &p.CanonicalURL, &p.Title, &p.Section, &p.Language, &p.ContentFormat, &p.PublishedAt, &p.ModifiedAt,
		&p.RegisteredAt, &p.ChangedAt, &p.State, &p.Portable, &p.Registry, &p.Extraction, &p.ISCC, &p.Successor, &p.SuccessorURL, &row.sha256, &row.created,
	} {
		*s = d.readString()
	}
	p.Byline, p.Terms = d.readStrings(), d.readStrings()
	due := int64(0)
	for _, n := range []*int64{&p.WordCount, &row.version, &row.position, &due, &row.text.at, &row.text.size} {
		*n = d.ReadInt()
	}
	row.due = due == 1
	if d.Finish() != nil {
		return row, errRows
	}
	return row, nil
}

// rowDecoder reads the parts of a row. Its strings share the memory of text.
type rowDecoder struct {
	*staticindex.Reader
	text string // what the reader was given
}

func decodeRow(data []byte) rowDecoder { return rowDecoder{staticindex.NewReader(data), string(data)} }

func (d rowDecoder) readString() string {
	n := d.ReadUint(d.Len())
	at := len(d.text) - d.Len()
	d.ReadBytes(n)
	return d.text[at : at+n]
}

func (d rowDecoder) readStrings() []string {
	n := d.ReadUint(d.Len())
	if n == 0 {
		return nil
	}
	out := make([]string, n)
	for i := range out {
		out[i] = d.readString()
	}
	return out
}

// toRecord returns the record of the row, without its text.
func (r *pageRow) toRecord() origin.Record {
	return origin.Record{EntryID: r.page.EntryID, Version: r.version, SHA256: r.sha256, Created: r.created}
}

func (r *pageRow) setRecord(x origin.Record) {
	r.version = x.Version
	r.sha256 = x.SHA256
	r.created = x.Created
}

// spool keeps rows and the texts of records in temporary files between the
// passes of a build.
type spool struct {
	dir     string
	rows    *rowWriter // rows of the current pass
	records *os.File
	out     *bufio.Writer
	end     int64 // size of records
	pass    int
	reading int // the last finished pass, whose rows eachBatch reads
}

// newSpool makes an empty spool in its own folder, and removes what an earlier
// build left there.
func newSpool(dir string) (*spool, error) {
	if err := os.RemoveAll(dir); err != nil {
		return nil, fmt.Errorf("cannot clear the rest of an earlier build: %w", err)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("cannot make a folder for the build: %w", err)
	}
	records, err := os.Create(filepath.Join(dir, "records"))
	if err != nil {
		os.RemoveAll(dir)
		return nil, err
	}
	return &spool{dir: dir, records: records, out: bufio.NewWriterSize(records, 1<<18)}, nil
}

// beginPass starts a pass: rows put from now on are written to its rowsFile.
func (s *spool) beginPass() error {
	s.pass++
	f, err := os.OpenFile(s.rowsFile(s.pass), os.O_CREATE|os.O_TRUNC|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	s.rows, err = newRowWriter(f)
	return err
}

func (s *spool) rowsFile(pass int) string {
	return filepath.Join(s.dir, fmt.Sprintf("rows-%d", pass))
}

// finishPass ends a pass and removes the rows of the pass before.
func (s *spool) finishPass() error {
	err := errors.Join(s.rows.out.Flush(), s.out.Flush())
	err = errors.Join(err, s.rows.file.Close())
	if s.pass > 1 {
		err = errors.Join(err, os.Remove(s.rowsFile(s.pass-1)))
	}
	s.reading = s.pass
	if err != nil {
		return fmt.Errorf("cannot keep the pages of the build: %w", err)
	}
	return nil
}

// putRecord stores the text of a record, and sets its place in the row.
func (s *spool) putRecord(r *pageRow, json string) error {
	r.text = spooled{s.end, int64(len(json))}
	s.end += r.text.size
	if _, err := s.out.WriteString(json); err != nil {
		return fmt.Errorf("cannot keep a record of the build: %w", err)
	}
	return nil
}

// readRecord reads the text of a record, once the pass that stored it is
// finished. It returns "" if there is none.
func (s *spool) readRecord(t spooled) (string, error) {
	if t.size == 0 {
		return "", nil
	}
	b := make([]byte, t.size)
	_, err := s.records.ReadAt(b, t.at)
	return string(b), err
}

// eachBatch calls do with the rows of the last finished pass, in batches of one site.
func (s *spool) eachBatch(do func([]pageRow) error) error {
	f, err := os.Open(s.rowsFile(s.reading))
	if err != nil {
		return err
	}
	defer f.Close()
	in, err := newRowReader(f, noToken)
	if err != nil {
		return err
	}
	var batch []pageRow
	for {
		row, err := in.readRow()
		if err != nil && err != io.EOF {
			return err
		}
		full := len(batch) == snapshot.PageBatch || len(batch) > 0 && (err == io.EOF || batch[0].page.SiteID != row.page.SiteID)
		if full {
			if err := do(batch); err != nil {
				return err
			}
			batch = batch[:0]
		}
		if err == io.EOF {
			return nil
		}
		batch = append(batch, row)
	}
}

// keepRows moves the rows of the last pass to the path where the next build
// expects them.
func (s *spool) keepRows(path, token string) error {
	f, err := os.OpenFile(s.rowsFile(s.pass), os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err == nil {
		_, err = f.WriteAt([]byte(rowsHeader(sizedToken(token, info.Size()))), 0)
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// close closes and removes all files.
func (s *spool) close() {
	s.records.Close()
	if s.rows != nil {
		s.rows.file.Close()
	}
	os.RemoveAll(s.dir)
}
