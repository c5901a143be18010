package screen

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/klauspost/compress/gzip"
)

// readWARC reads WARC and WET files (ISO 28500), uncompressed, or compressed as
// a whole or by records. Responses, resources and conversions become rows;
// conversions, and resources of plain text, have their block as text. Other
// records are skipped. A broken record becomes a row with its fault; reading
// continues at the next line that begins a record, or after a damaged member of
// gzip in the next member.
func readWARC(source io.Reader, do func(Row) error) error {
	in := bufio.NewReaderSize(source, 1<<18)
	if head, _ := in.Peek(2); len(head) == 2 && head[0] == 0x1f && head[1] == 0x8b {
		in = bufio.NewReaderSize(&members{in: in}, 1<<18)
	} else {
		plain, done, err := decompress(in)
		if err != nil {
			return err
		}
		defer done()
		in = plain
	}
	back := &unreader{in: in}
	w := &warcReader{in: bufio.NewReaderSize(back, 1<<18), back: back}
	for {
		row, err := w.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			row.Number = w.number
			row.Text = ""
			row.Fault = "the record is broken: " + err.Error()
			if err := w.findRecord(err); err != nil {
				return errors.Join(do(row), fmt.Errorf("record %d: %w", w.number, err))
			}
		}
		if row.URL == "" && row.Fault == "" {
			continue
		}
		if err := do(row); err != nil {
			return err
		}
	}
}

// members reads the members of gzip one after the other. A damaged one ends
// with an error once; the next call continues in the next member.
type members struct {
	in   *bufio.Reader
	z    *gzip.Reader
	lost bool // the beginning of the next member is not known
}

var errMember = errors.New("the gzip member is damaged")

// Read reads the plain bytes.
func (m *members) Read(p []byte) (int, error) {
	for m.z == nil {
		if err := m.open(); err != nil {
			return 0, err
		}
	}
	n, err := m.z.Read(p)
	if err == nil {
		return n, nil
	}
	m.z = nil
	if err == io.EOF {
		if n > 0 {
			return n, nil
		}
		return m.Read(p)
	}
	m.lost = true
	return n, errMember
}

// open begins the next member, where its beginning is lost at the next bytes
// that look like one.
func (m *members) open() error {
	if m.lost {
		if err := m.findMember(); err != nil {
			return err
		}
	} else if _, err := m.in.Peek(1); err != nil {
		return err
	}
	z, err := gzip.NewReader(m.in)
	if err != nil {
		if m.lost {
			m.in.Discard(1) //nolint:errcheck // it was no header after all
			return nil
		}
		m.lost = true
		return errMember
	}
	z.Multistream(false)
	m.z, m.lost = z, false
	return nil
}

// findMember passes over bytes up to the next ones that look like the header
// of a member.
func (m *members) findMember() error {
	for {
		head, err := m.in.Peek(3)
		if string(head) == "\x1f\x8b\x08" {
			return nil
		}
		if err != nil {
			return io.EOF
		}
		m.in.Discard(1) //nolint:errcheck // it was there
	}
}

type warcReader struct {
	in     *bufio.Reader
	number int64
	buf    []byte
	first  string // line of the next record, which was read already
	back   *unreader
	again  int64 // bytes that were scanned again
}

// maxAgain bounds how much of one file is scanned again, because every record
// may state a length that covers many others.
const maxAgain = 1 << 30

// unread pushes bytes back, to be read before all others.
func (w *warcReader) unread(b []byte) {
	ahead, _ := w.in.Peek(w.in.Buffered())
	w.back.head = slices.Concat(b, ahead, w.back.head)
	w.in.Reset(w.back)
}

// unreader reads what was pushed back, then the rest.
type unreader struct {
	head []byte
	in   io.Reader
}

// Read reads.
func (u *unreader) Read(p []byte) (int, error) {
	if len(u.head) == 0 {
		return u.in.Read(p)
	}
	n := copy(p, u.head)
	u.head = u.head[n:]
	return n, nil
}

var (
	errWARCHeader = errors.New("this is no header of a WARC record")
	errWARCLength = errors.New("its length does not end at the end of the record")
)

// next reads a record, whose URL is empty if it is not a row.
func (w *warcReader) next() (row Row, err error) {
	line := w.first
	w.first = ""
	for err == nil && line == "" {
		line, err = w.line()
	}
	if err == io.EOF {
		return row, err
	}
	w.number++
	w.buf = w.buf[:0]
	if err != nil {
		return row, err
	}
	if !beginsRecord(line) {
		return row, errWARCHeader
	}
	fields, err := w.fields()
	if err != nil {
		return row, err
	}
	row.Number = w.number
	kind := fields["warc-type"]
	wanted := kind == "conversion" || kind == "resource" && strings.HasPrefix(fields["content-type"], "text/plain")
	if wanted || kind == "response" || kind == "resource" {
		row.URL = strings.Trim(fields["warc-target-uri"], "<>")
	}
	length, err := strconv.ParseInt(fields["content-length"], 10, 64)
	if err != nil || length < 0 {
		return row, fmt.Errorf("its length is %.40q", fields["content-length"])
	}
	if length > MaxRow {
		err := w.passLong(&row, wanted)
		return row, err
	}
	if int64(cap(w.buf)) < length {
		w.buf = make([]byte, length)
	}
	n, err := io.ReadFull(w.in, w.buf[:length])
	w.buf = w.buf[:n]
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	if err == nil {
		err = w.end()
	}
	if err == nil && wanted {
		row.Text = string(w.buf)
	}
	return row, err
}

// passLong passes over a record that is too long to be kept, whatever its length
// says, to the next line that begins one.
func (w *warcReader) passLong(row *Row, wanted bool) error {
	if wanted {
		row.Fault = fmt.Sprintf("the record is longer than %d MiB", MaxRow>>20)
	}
	if err := w.scan(); err != nil && err != io.EOF {
		return err
	}
	return nil
}

// findRecord continues at the next record after a broken one. It scans what was
// read for the block again, because a length that is too large hides records
// there. It returns why if there is no further record.
func (w *warcReader) findRecord(why error) error {
	if i := beginningIn(w.buf); i >= 0 {
		if w.again += int64(len(w.buf)); w.again < maxAgain {
			w.unread(w.buf[i:])
			return nil
		}
	}
	err := w.scan()
	if err == io.EOF && (errors.Is(why, io.ErrUnexpectedEOF) || errors.Is(why, errMember)) {
		return fmt.Errorf("%w, and nothing after it can be read", why)
	}
	if err == io.EOF {
		return nil
	}
	return err
}

// beginningIn returns where in a block a line begins a record, or -1.
func beginningIn(block []byte) int {
	for at := 0; at < len(block); {
		if beginsRecord(string(block[at:min(len(block), at+8)])) {
			return at
		}
		next := bytes.IndexByte(block[at:], '\n')
		if next < 0 {
			break
		}
		at += next + 1
	}
	return -1
}

// scan reads up to a line that begins a record, in bounded memory. Further
// damage on the way is part of the same.
func (w *warcReader) scan() error {
	begins := true
	for {
		b, err := w.in.ReadSlice('\n')
		if begins && beginsRecord(string(b[:min(len(b), 16)])) && err == nil {
			w.first = strings.TrimRight(string(b), "\r\n")
			return nil
		}
		begins = err == nil
		if err != nil && err != bufio.ErrBufferFull && err != errMember {
			return err
		}
	}
}

func beginsRecord(line string) bool {
	return strings.HasPrefix(line, "WARC/1.") || strings.HasPrefix(line, "WARC/0.")
}

// lengthSlack is by how many bytes a length may be wrong without doubt about where
// its record ends: some writers count characters, or the lines after the block.
const lengthSlack = 4

// end reads what follows a block: two empty lines. A block that is a few bytes
// longer or shorter than its length is completed by what ends it.
func (w *warcReader) end() error {
	first, err := w.endLine()
	if err != nil {
		return err
	}
	if first != "" && w.takeBeginning(first) {
		return nil
	}
	second, err := w.endLine()
	switch {
	case err != nil:
		return err
	case first != "" && len(first) <= lengthSlack && second == "":
		w.buf = append(w.buf, first...)
		return nil
	case first == "" && second == "":
		w.buf = bytes.TrimSuffix(w.buf, []byte("\r"))
		return nil
	case first == "" && w.takeBeginning(second):
		return nil
	}
	for _, line := range []string{first, second} { // where a record may begin
		w.buf = append(append(w.buf, line...), "\r\n"...)
	}
	return errWARCLength
}

// endLine reads a line after a block.
func (w *warcReader) endLine() (string, error) {
	line, err := w.line()
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return line, err
}

// takeBeginning uses a line as the first of the next record, which the length
// of this one hid: the block ends with the lines before it.
func (w *warcReader) takeBeginning(line string) bool {
	block := bytes.TrimRight(w.buf, "\r\n")
	if !beginsRecord(line) || len(w.buf)-len(block) > lengthSlack || len(block) == len(w.buf) {
		return false
	}
	w.buf, w.first = block, line
	return true
}

// fields reads a header up to its empty line. Names are in lower case.
func (w *warcReader) fields() (map[string]string, error) {
	out := map[string]string{}
	for len(out) < 200 {
		line, err := w.line()
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return nil, err
		}
		if line == "" {
			return out, nil
		}
		name, value, _ := strings.Cut(line, ":")
		out[strings.ToLower(name)] = strings.TrimSpace(value)
	}
	return nil, errWARCHeader
}

func (w *warcReader) line() (string, error) {
	b, err := w.in.ReadSlice('\n')
	if err == bufio.ErrBufferFull {
		return "", errWARCHeader
	}
	if err == io.EOF && len(b) > 0 {
		err = io.ErrUnexpectedEOF
	}
	return strings.TrimRight(string(b), "\r\n"), err
}
