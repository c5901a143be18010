package indexbuild

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io"
	"strings"
)

// Facts are what has to be known of a generation that has all records, so that
// another one can be laid over it. Pages are in the order of the inventories: by
// site, and of each the one registered last first.
type Facts struct {
	IDs    []string // of the entries
	Site   []uint32 // of each page, of Sites
	At     []int64  // when it was registered, see sortableTime
	Number []uint32 // in the index
	Feed   []uint32 // place in the feed

	Sites          []string
	PageMeanLength int // mean, see indexer.Figures

	LedgerMeanLength int
	LedgerSize       int64   // leaves that are described
	LedgerRows       int     // ledger entries, fewer than those
	NoRows           []int64 // positions below LedgerSize that have none, rising
}

// feedRows are the pages in the order of the feed.
func (f *Facts) feedRows() []uint32 {
	out := make([]uint32, len(f.Feed))
	for row, place := range f.Feed {
		out[place] = uint32(row)
	}
	return out
}

// compareNewest compares a page with another one: the latest first, then by id.
func (f *Facts) compareNewest(row int, at int64, id string) int {
	return cmp.Or(cmp.Compare(at, f.At[row]), strings.Compare(f.IDs[row], id))
}

// comparePage is compareNewest within a site, by sites.
func (f *Facts) comparePage(row int, site string, at int64, id string) int {
	return cmp.Or(strings.Compare(f.Sites[f.Site[row]], site), f.compareNewest(row, at, id))
}

// factsHeader begins the facts of a generation.
func factsHeader(gen string) string { return "colophon index facts 1 " + gen + "\n" }

// WriteFacts writes the facts of a generation. See ReadFacts.
func (f *Facts) WriteFacts(out io.Writer, gen string) error {
	sum := sha256.New()
	w := bufio.NewWriterSize(io.MultiWriter(out, sum), 1<<16)
	w.WriteString(factsHeader(gen)) //nolint:errcheck // Flush tells
	for _, n := range []int64{int64(len(f.IDs)), int64(len(f.Sites)), int64(len(f.NoRows)), int64(f.PageMeanLength), int64(f.LedgerMeanLength), f.LedgerSize, int64(f.LedgerRows)} {
		writeUint(w, uint64(n))
	}
	for _, id := range f.Sites {
		writeText(w, id)
	}
	for _, position := range f.NoRows {
		writeUint(w, uint64(position))
	}
	for row, id := range f.IDs {
		writeText(w, id)
		for _, n := range []uint64{uint64(f.Site[row]), uint64(f.At[row]), uint64(f.Number[row]), uint64(f.Feed[row])} {
			writeUint(w, n)
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := out.Write(sum.Sum(nil))
	return err
}

func writeUint(w *bufio.Writer, n uint64) {
	w.Write(binary.AppendUvarint(w.AvailableBuffer(), n)) //nolint:errcheck // Flush tells
}

func writeText(w *bufio.Writer, s string) {
	writeUint(w, uint64(len(s)))
	w.WriteString(s) //nolint:errcheck // Flush tells
}

// ErrFacts is the error of facts that are damaged, or of another generation.
var ErrFacts = errors.New("the notes about the index are damaged, or of another index")

// ReadFacts reads the facts of a generation. It fails with ErrFacts.
func ReadFacts(data []byte, gen string) (*Facts, error) {
	end := len(data) - sha256.Size
	if end < 0 || sha256.Sum256(data[:end]) != [sha256.Size]byte(data[end:]) {
		return nil, ErrFacts
	}
	header := factsHeader(gen)
	if !bytes.HasPrefix(data, []byte(header)) {
		return nil, ErrFacts
	}
	r := factReader{data: data[len(header):end], text: string(data[len(header):end])}
	pages, sites, gaps := r.readCount(), r.readCount(), r.readCount()
	f := &Facts{
		PageMeanLength: int(r.readUint()), LedgerMeanLength: int(r.readUint()), LedgerSize: int64(r.readUint()), LedgerRows: int(r.readUint()),
		IDs: make([]string, pages), Site: make([]uint32, pages), At: make([]int64, pages), Number: make([]uint32, pages), Feed: make([]uint32, pages),
		Sites: make([]string, sites), NoRows: make([]int64, gaps),
	}
	for i := range f.Sites {
		f.Sites[i] = r.readText()
	}
	for i := range f.NoRows {
		f.NoRows[i] = int64(r.readUint())
	}
	for row := range f.IDs {
		f.IDs[row] = r.readText()
		f.Site[row], f.At[row] = uint32(r.readUint()), int64(r.readUint())
		f.Number[row], f.Feed[row] = uint32(r.readUint()), uint32(r.readUint())
		if f.Site[row] >= uint32(sites) || f.Number[row] >= uint32(pages) || f.Feed[row] >= uint32(pages) {
			return nil, ErrFacts
		}
	}
	if r.failed || r.at < len(r.data) {
		return nil, ErrFacts
	}
	return f, nil
}

// factReader takes numbers off data, and texts, which are parts of text, off the same.
type factReader struct {
	data   []byte
	text   string
	at     int
	failed bool
}

func (r *factReader) readUint() uint64 {
	n, size := binary.Uvarint(r.data[r.at:])
	if size <= 0 {
		r.at, r.failed = len(r.data), true
		return 0
	}
	r.at += size
	return n
}

// readCount reads how many of something follow, each of a byte at least.
func (r *factReader) readCount() int {
	n := r.readUint()
	if n > uint64(len(r.data)-r.at) {
		r.at, r.failed = len(r.data), true
		return 0
	}
	return int(n)
}

func (r *factReader) readText() string {
	n := r.readCount()
	s := r.text[r.at : r.at+n]
	r.at += n
	return s
}
