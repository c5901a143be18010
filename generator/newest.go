package generator

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"colophon/exports"
	"colophon/internal/origin"
	"colophon/internal/rights"
)

// newestFile stores on disk, for each publisher, the rows of the pages that it
// registered last. Most publishers have few pages, so holding these rows in
// memory would mean holding nearly all pages.
type newestFile struct {
	file *os.File
	out  *bufio.Writer
	end  int64

	row, list []byte // reused by putRows
}

func newNewestFile(dir string) (*newestFile, error) {
	f, err := os.Create(filepath.Join(dir, "newest"))
	if err != nil {
		return nil, err
	}
	return &newestFile{file: f, out: bufio.NewWriterSize(f, 1<<18)}, nil
}

// putRows stores rows and returns their place.
func (n *newestFile) putRows(rows []*pageRow) (spooled, error) {
	n.list = n.list[:0]
	for _, r := range rows {
		n.row = r.appendRow(n.row[:0])
		n.list = append(binary.AppendUvarint(n.list, uint64(len(n.row))), n.row...)
	}
	where := spooled{n.end, int64(len(n.list))}
	n.end += where.size
	if _, err := n.out.Write(n.list); err != nil {
		return where, fmt.Errorf("cannot keep the newest pages of a publisher: %w", err)
	}
	return where, nil
}

// readRows reads at most limit of the rows stored at a place. Many goroutines
// may call it once the pass that stored the rows is finished.
func (n *newestFile) readRows(where spooled, limit int) ([]pageRow, error) {
	if where.size == 0 {
		return nil, nil
	}
	list := make([]byte, where.size)
	if _, err := n.file.ReadAt(list, where.at); err != nil {
		return nil, fmt.Errorf("cannot read the newest pages of a publisher: %w", err)
	}
	var rows []pageRow
	for rest := list; len(rest) > 0 && len(rows) < limit; {
		size, used := binary.Uvarint(rest)
		if used <= 0 || size > uint64(len(rest)-used) {
			return nil, errRows
		}
		row, err := parseRow(string(rest[used : used+int(size)]))
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
		rest = rest[used+int(size):]
	}
	return rows, nil
}

func (n *newestFile) close() { n.file.Close() }

// addNewest adds a page to the newest of the current site. From time to time it
// cuts the list with cutNewest.
func (s *siteFacts) addNewest(r pageRow) {
	r.last = origin.Record{} // its text is in the spool
	s.newest = append(s.newest, &r)
}

// cutNewest sorts the list, newest first, and returns its first limit rows.
func cutNewest(list []*pageRow, limit int) []*pageRow {
	slices.SortFunc(list, newerFirst)
	if len(list) <= limit {
		return list
	}
	clear(list[limit:])
	return list[:limit]
}

// newerFirst compares pages by time of registration, latest first, then by id.
func newerFirst(a, b *pageRow) int {
	return cmp.Or(strings.Compare(b.page.RegisteredAt, a.page.RegisteredAt), strings.Compare(a.page.EntryID, b.page.EntryID))
}

// finishSite stores what a publisher's lists show, once all of its pages are
// summed up.
func (b *build) finishSite(s *siteFacts) (err error) {
	s.Tally.Settle()
	s.Changed = strings.Clone(s.Changed) // a substring of a row, whose memory it would keep
	b.addNewestOverall(s.newest)
	s.listed, err = b.spool.newest.putRows(s.newest)
	s.newest = nil
	return err
}

// addNewestOverall adds a publisher's newest pages to the newest of all, if
// they are among them.
func (b *build) addNewestOverall(list []*pageRow) {
	n := len(b.newestAll)
	if len(list) == 0 || n == newestOverall && newerFirst(b.newestAll[n-1], list[0]) < 0 {
		return
	}
	b.newestAll = cutNewest(append(b.newestAll, list...), newestOverall)
}

// newestOf returns the newest pages of a publisher, at most limit.
func (b *build) newestOf(s *siteFacts, limit int) ([]exports.FeedRecord, error) {
	rows, err := b.spool.newest.readRows(s.listed, limit)
	if err != nil {
		return nil, err
	}
	list := make([]exports.FeedRecord, 0, len(rows))
	for i := range rows {
		if f, ok := rights.Feed(&s.SiteSnapshot, &rows[i].page); ok {
			list = append(list, f)
		}
	}
	return list, nil
}

// newestRecords returns the pages registered last over all publishers.
func (b *build) newestRecords() []exports.FeedRecord {
	list := make([]exports.FeedRecord, 0, len(b.newestAll))
	for _, r := range b.newestAll {
		if f, ok := rights.Feed(b.findSite(r.page.SiteID), &r.page); ok {
			list = append(list, f)
		}
	}
	return list
}
