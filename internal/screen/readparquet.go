package screen

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/parquet-go/parquet-go"
)

// readParquet reads the columns of URL and text, and no others.
func (in *Input) readParquet(name string, do func(Row) error) (err error) {
	if name == "-" {
		return errors.New("the standard input cannot be Parquet, which is not read in order: name a file")
	}
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	stopped := error(nil)
	give := func(r Row) error {
		stopped = do(r)
		return stopped
	}
	defer func() { // the library panics on some damaged files
		if r := recover(); r != nil && stopped == nil {
			err = fmt.Errorf("not readable as Parquet: %v", r)
		}
	}()
	p, err := parquet.OpenFile(f, info.Size(), parquet.SkipBloomFilters(true), parquet.SkipPageIndex(true))
	if err != nil {
		return err
	}
	urlAt, textAt, err := in.leaves(p.Schema())
	if err != nil {
		return err
	}
	number := int64(0)
	share := info.Size() / max(1, p.NumRows())
	count := give
	give = func(r Row) error {
		in.take(share)
		return count(r)
	}
	for _, group := range p.RowGroups() {
		if number, err = readGroup(group, urlAt, textAt, number, give); err != nil {
			return err
		}
	}
	return nil
}

// leaves returns the columns; -1 for one that does not exist.
func (in *Input) leaves(schema *parquet.Schema) (urlAt, textAt int, err error) {
	var names []string // of columns that have one text a row
	var at []int
	for _, path := range schema.Columns() {
		leaf, ok := schema.Lookup(path...)
		if ok && leaf.MaxRepetitionLevel == 0 && leaf.Node.Type().Kind() == parquet.ByteArray {
			names, at = append(names, strings.Join(path, ".")), append(at, leaf.ColumnIndex)
		}
	}
	url, text := in.columns()
	urlAt, textAt = findColumn(names, url), findColumn(names, text)
	if err := in.checkColumns(urlAt, textAt, names); err != nil {
		return -1, -1, err
	}
	for _, found := range []*int{&urlAt, &textAt} {
		if *found >= 0 {
			*found = at[*found]
		}
	}
	return urlAt, textAt, nil
}

func readGroup(group parquet.RowGroup, urlAt, textAt int, number int64, do func(Row) error) (int64, error) {
	chunks := group.ColumnChunks()
	urls, texts := newColumn(chunks, urlAt), newColumn(chunks, textAt)
	defer urls.close()
	defer texts.close()
	for range group.NumRows() {
		number++
		row := Row{Number: number}
		var err error
		if row.URL, err = urls.next(); err != nil {
			return number, fmt.Errorf("row %d: %w", number, err)
		}
		if row.Text, err = texts.next(); err != nil {
			return number, fmt.Errorf("row %d: %w", number, err)
		}
		if err := do(row); err != nil {
			return number, err
		}
	}
	return number, nil
}

// column returns the values of a column one after the other.
type column struct {
	pages  parquet.Pages
	values parquet.ValueReader
	buf    []parquet.Value
	ahead  []parquet.Value
}

func newColumn(chunks []parquet.ColumnChunk, at int) *column {
	if at < 0 {
		return nil
	}
	return &column{pages: chunks[at].Pages(), buf: make([]parquet.Value, 256)}
}

func (c *column) close() {
	if c != nil {
		c.pages.Close()
	}
}

// next returns the next value, "" for null.
func (c *column) next() (string, error) {
	if c == nil {
		return "", nil
	}
	for len(c.ahead) == 0 {
		if c.values == nil {
			page, err := c.pages.ReadPage()
			if err == io.EOF {
				return "", io.ErrUnexpectedEOF
			}
			if err != nil {
				return "", err
			}
			c.values = page.Values()
		}
		n, err := c.values.ReadValues(c.buf)
		c.ahead = c.buf[:n]
		if err == io.EOF {
			c.values = nil
		} else if err != nil {
			return "", err
		}
	}
	v := c.ahead[0]
	c.ahead = c.ahead[1:]
	if v.IsNull() {
		return "", nil
	}
	return string(bytes.Clone(v.ByteArray())), nil
}
