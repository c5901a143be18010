package screen

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// Input says what to read.
type Input struct {
	Paths      []string // files and folders; "-" is the standard input
	Format     string   // of Formats, "" by the ending of each file
	URLColumn  string   // "" is "url"
	TextColumn string   // "" is "text"
	Stdin      io.Reader

	taken *atomic.Int64 // bytes read from all files; may be nil
}

// size returns how many bytes files have, 0 where that cannot be known.
func (in *Input) size(files []string) (n int64) {
	for _, name := range files {
		info, err := os.Stat(name)
		if err != nil {
			return 0
		}
		n += info.Size()
	}
	return n
}

func (in *Input) take(n int64) {
	if in.taken != nil {
		in.taken.Add(n)
	}
}

// takenReader counts what is read.
type takenReader struct {
	in   *Input
	from io.Reader
}

func (t *takenReader) Read(p []byte) (int, error) {
	n, err := t.from.Read(p)
	t.in.take(int64(n))
	return n, err
}

// Formats are the forms of input.
var Formats = []string{"parquet", "csv", "jsonl", "urls", "warc"}

// MaxRow bounds a line, a field and the block of a record, in bytes. A longer
// one is passed over and named.
const MaxRow = 16 << 20

// ErrInput marks files that could not be read to their end. What came before is
// screened.
var ErrInput = errors.New("the input is damaged")

// Files lists the files of an input in their order.
func (in *Input) Files() ([]string, error) {
	var out []string
	for _, p := range in.Paths {
		if p == "-" {
			out = append(out, p)
			continue
		}
		err := filepath.WalkDir(p, func(name string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if !d.IsDir() && (name == p || formatOf(name) != "") {
				out = append(out, name)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// formatOf returns the form of a file by its ending, "" for another one.
func formatOf(name string) string {
	name = strings.ToLower(name)
	name = strings.TrimSuffix(strings.TrimSuffix(name, ".gz"), ".zst")
	switch filepath.Ext(name) {
	case ".parquet":
		return "parquet"
	case ".csv":
		return "csv"
	case ".jsonl", ".ndjson":
		return "jsonl"
	case ".txt", ".urls":
		return "urls"
	case ".warc", ".wet", ".wat":
		return "warc"
	}
	return ""
}

// Read calls do with each row of a file in order. Errors of the file wrap
// ErrInput and name it; rows that cannot be read are passed with their fault.
func (in *Input) Read(name string, do func(Row) error) error {
	stopped := error(nil)
	give := func(r Row) error {
		r.Source = name
		stopped = do(r)
		return stopped
	}
	err := in.read(name, give)
	var column *ColumnError
	switch {
	case err == nil || stopped != nil:
		return stopped
	case errors.As(err, &column):
		return fmt.Errorf("%s: %w", name, err)
	}
	return fmt.Errorf("%w: %s: %w", ErrInput, name, err)
}

func (in *Input) read(name string, do func(Row) error) error {
	format := in.Format
	if format == "" {
		if format = formatOf(name); format == "" {
			return fmt.Errorf("its form is not known by its name; give --format, one of %s", strings.Join(Formats, ", "))
		}
	}
	if format == "parquet" {
		return in.readParquet(name, do)
	}
	var source io.Reader = in.Stdin
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		source = f
	}
	source = &takenReader{in, source}
	if format == "warc" {
		return readWARC(source, do)
	}
	plain, done, err := decompress(source)
	if err != nil {
		return err
	}
	defer done()
	switch format {
	case "csv":
		return in.readCSV(plain, do)
	case "jsonl":
		return in.readJSONLines(plain, do)
	case "urls":
		return readURLs(plain, do)
	}
	return fmt.Errorf("%q is no form of input", format)
}

// decompress decompresses gzip or Zstandard, recognized by the first bytes.
func decompress(source io.Reader) (plain *bufio.Reader, done func(), err error) {
	in := bufio.NewReaderSize(source, 1<<18)
	head, _ := in.Peek(4)
	switch {
	case len(head) >= 2 && head[0] == 0x1f && head[1] == 0x8b:
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, nil, err
		}
		return unicodeText(z), func() {}, nil
	case string(head) == "\x28\xb5\x2f\xfd":
		z, err := zstd.NewReader(in, zstd.WithDecoderMaxMemory(1<<28), zstd.WithDecoderConcurrency(1))
		if err != nil {
			return nil, nil, err
		}
		return unicodeText(z), z.Close, nil
	}
	return unicodeText(in), func() {}, nil
}

// unicodeText converts UTF-16 to UTF-8, and removes a byte order mark.
func unicodeText(in io.Reader) *bufio.Reader {
	return bufio.NewReaderSize(transform.NewReader(in, unicode.BOMOverride(transform.Nop)), 1<<18)
}

// errLong says that a line is longer than MaxRow.
var errLong = fmt.Errorf("the line is longer than %d MiB", MaxRow>>20)

// readLine reads a line without its end. For a line that is too long it reports
// only that, in bounded memory. It returns io.EOF after the last line.
func readLine(in *bufio.Reader, buf []byte) ([]byte, error) {
	long := false
	buf = buf[:0]
	for {
		part, err := in.ReadSlice('\n')
		if long = long || len(buf)+len(part) > MaxRow; !long {
			buf = append(buf, part...)
		}
		if err == bufio.ErrBufferFull {
			continue
		}
		if err == io.EOF && (len(buf) > 0 || long) {
			err = nil
		}
		if err == nil && long {
			return buf[:0], errLong
		}
		for len(buf) > 0 && (buf[len(buf)-1] == '\n' || buf[len(buf)-1] == '\r') {
			buf = buf[:len(buf)-1]
		}
		return buf, err
	}
}

// eachLine calls do with each line that is not empty, and its number.
func eachLine(in *bufio.Reader, do func(number int64, line []byte, fault string) error) error {
	var buf []byte
	for number := int64(1); ; number++ {
		line, err := readLine(in, buf)
		buf = line
		fault := ""
		switch {
		case err == io.EOF:
			return nil
		case err == errLong:
			fault = err.Error()
		case err != nil:
			return err
		case len(line) == 0:
			continue
		}
		if err := do(number, line, fault); err != nil {
			return err
		}
	}
}

func readURLs(in *bufio.Reader, do func(Row) error) error {
	return eachLine(in, func(number int64, line []byte, fault string) error {
		return do(Row{Number: number, URL: addressOf(string(line)), Fault: fault})
	})
}

// addressOf returns the address in a line of a list: without the quotes or the
// angle brackets around it, and without further columns, which white space or
// the end of quotes parts from it.
func addressOf(line string) string {
	line = strings.TrimSpace(line)
	if line == "" {
		return ""
	}
	if end, quoted := map[byte]byte{'"': '"', '\'': '\'', '<': '>'}[line[0]]; quoted {
		address, _, _ := strings.Cut(line[1:], string(end))
		return strings.TrimSpace(address)
	}
	if at := strings.IndexAny(line, " \t"); at >= 0 {
		line = line[:at]
	}
	return line
}

// ColumnError says that a column which was named is not in a file.
type ColumnError struct {
	Name string
	Has  []string // the columns that are there
}

func (e *ColumnError) Error() string {
	return fmt.Sprintf("it has no column %q of one text a row; it has %s", e.Name, strings.Join(e.Has, ", "))
}

// findColumn returns the index of a name among others: an equal one, else one
// that differs only in case; -1 if none.
func findColumn(names []string, name string) int {
	if i := slices.Index(names, name); i >= 0 {
		return i
	}
	return slices.IndexFunc(names, func(n string) bool { return strings.EqualFold(n, name) })
}

// checkColumns checks the places of both columns. A named one must be there, and one of
// the two in any case.
func (in *Input) checkColumns(urlAt, textAt int, names []string) error {
	if urlAt < 0 && in.URLColumn != "" {
		return &ColumnError{in.URLColumn, names}
	}
	if textAt < 0 && in.TextColumn != "" {
		return &ColumnError{in.TextColumn, names}
	}
	if urlAt < 0 && textAt < 0 {
		return fmt.Errorf("%w; it has %s", errNoColumn, strings.Join(names, ", "))
	}
	return nil
}

func (in *Input) readJSONLines(r *bufio.Reader, do func(Row) error) error {
	url, text := in.columns()
	var first []string // members of the first object
	urlAt, textAt := -1, -1
	err := eachLine(r, func(number int64, line []byte, fault string) error {
		row := Row{Number: number, Fault: fault}
		if fault == "" {
			var members map[string]json.RawMessage
			if !utf8.Valid(line) {
				row.Fault = "the line is not UTF-8"
			} else if err := json.Unmarshal(line, &members); err != nil {
				row.Fault = "the line is not a JSON object"
			} else {
				var found bool
				if row.URL, found = memberOf(members, url); found {
					urlAt = 0
				}
				if row.Text, found = memberOf(members, text); found {
					textAt = 0
				}
				if first == nil {
					first = slices.Sorted(maps.Keys(members))
				}
			}
		}
		return do(row)
	})
	if err != nil || first == nil {
		return err
	}
	return in.checkColumns(urlAt, textAt, first)
}

// memberOf finds the text of a member by its name, or of one within it by the path
// "meta.url".
func memberOf(members map[string]json.RawMessage, name string) (text string, found bool) {
	if raw, found := members[name]; found {
		return textOf(raw), true
	}
	names := slices.Sorted(maps.Keys(members)) // of several that differ in case, the first
	if at := findColumn(names, name); at >= 0 {
		return textOf(members[names[at]]), true
	}
	outer, inner, nested := strings.Cut(name, ".")
	var object map[string]json.RawMessage
	if nested && json.Unmarshal(members[outer], &object) == nil {
		return memberOf(object, inner)
	}
	return "", false
}

// textOf returns a JSON string, and "" for anything else.
func textOf(raw json.RawMessage) (s string) {
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

func (in *Input) columns() (url, text string) {
	url, text = in.URLColumn, in.TextColumn
	if url == "" {
		url = "url"
	}
	if text == "" {
		text = "text"
	}
	return url, text
}

// errNoColumn says that a file has neither of the columns.
var errNoColumn = errors.New("it has none of the columns that were named: give --url-column or --text-column")

func (in *Input) readCSV(r *bufio.Reader, do func(Row) error) error {
	bounded := &boundedReader{in: r, left: 2 * MaxRow}
	c := csv.NewReader(bounded)
	c.FieldsPerRecord = -1
	c.LazyQuotes = true
	c.ReuseRecord = true
	head, err := c.Read()
	if err == io.EOF {
		return nil
	}
	if err != nil {
		return err
	}
	url, text := in.columns()
	head = slices.Clone(head)
	urlAt, textAt := findColumn(head, url), findColumn(head, text)
	if err := in.checkColumns(urlAt, textAt, head); err != nil {
		return err
	}
	for number := int64(1); ; number++ {
		bounded.left = 2 * MaxRow
		fields, err := c.Read()
		if err == io.EOF {
			return nil
		}
		row := Row{Number: number}
		var bad *csv.ParseError
		if errors.As(err, &bad) {
			row.Fault = "the row is not well-formed CSV"
		} else if err != nil {
			return err
		}
		if urlAt >= 0 && urlAt < len(fields) {
			row.URL = strings.Clone(fields[urlAt])
		}
		if textAt >= 0 && textAt < len(fields) {
			row.Text = strings.Clone(fields[textAt])
		}
		if err := do(row); err != nil {
			return err
		}
	}
}

// boundedReader ends a file whose rows do not end.
type boundedReader struct {
	in   io.Reader
	left int
}

func (b *boundedReader) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errLong
	}
	n, err := b.in.Read(p)
	b.left -= n
	return n, err
}
