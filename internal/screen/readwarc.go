package screen

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/klauspost/compress/gzip"
)

// readWARC reads WARC and WET files (ISO 28500), plain or compressed as a whole
// or by records. Responses, resources and conversions are rows; conversions,
// and resources of plain text, have their block as text. Other records are no rows. After a
// damaged member of gzip, reading ends: what follows cannot be told from noise.
func readWARC(source io.Reader, do func(Row) error) error {
	in := bufio.NewReaderSize(source, 1<<18)
	if head, _ := in.Peek(2); len(head) == 2 && head[0] == 0x1f && head[1] == 0x8b {
		z, err := gzip.NewReader(in) // one member after the other
		if err != nil {
			return err
		}
		in = bufio.NewReaderSize(z, 1<<18)
	} else {
		plain, done, err := decompress(in)
		if err != nil {
			return err
		}
		defer done()
		in = plain
	}
	w := &warcReader{in: in}
	for {
		row, err := w.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("record %d: %w", w.number, err)
		}
		if row.URL == "" && row.Fault == "" {
			continue
		}
		if err := do(row); err != nil {
			return err
		}
	}
}

type warcReader struct {
	in     *bufio.Reader
	number int64
	buf    []byte
}

var (
	errWARCHeader = errors.New("this is no header of a WARC record")
	errWARCLength = errors.New("its length does not end at the end of the record")
)

// next reads a record, of which URL is empty where it is no row.
func (w *warcReader) next() (row Row, err error) {
	line, err := w.line()
	for err == nil && line == "" {
		line, err = w.line()
	}
	if err != nil {
		return row, err
	}
	w.number++
	if !strings.HasPrefix(line, "WARC/") {
		return row, errWARCHeader
	}
	fields, err := w.fields()
	if err != nil {
		return row, err
	}
	length, err := strconv.ParseInt(fields["content-length"], 10, 64)
	if err != nil || length < 0 {
		return row, fmt.Errorf("its length is %q", fields["content-length"])
	}
	row.Number = w.number
	kind := fields["warc-type"]
	wanted := kind == "conversion" || kind == "resource" && strings.HasPrefix(fields["content-type"], "text/plain")
	if wanted || kind == "response" || kind == "resource" {
		row.URL = strings.Trim(fields["warc-target-uri"], "<>")
	}
	if length > MaxRow && wanted {
		row.Fault, wanted = fmt.Sprintf("the record is longer than %d MiB", MaxRow>>20), false
	}
	if !wanted {
		_, err = io.CopyN(io.Discard, w.in, length)
	} else {
		if int64(cap(w.buf)) < length {
			w.buf = make([]byte, length)
		}
		_, err = io.ReadFull(w.in, w.buf[:length])
		row.Text = string(w.buf[:length])
	}
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return row, err
	}
	return row, w.end()
}

// end reads the two empty lines after a record.
func (w *warcReader) end() error {
	for range 2 {
		line, err := w.line()
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return err
		}
		if line != "" {
			return errWARCLength
		}
	}
	return nil
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
