package release

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strconv"

	"colophon/internal/wire"
)

// Facts collects what the root of a catalog covers: every row of its tables,
// whatever form they are published in. The zero value has none.
type Facts struct {
	rows map[string][][sha256.Size]byte // digests of rows, by publisher
	line []byte
}

// Add adds a publisher's row to a table. row points to a struct of this
// package.
func (f *Facts) Add(table, site string, row any) {
	if f.rows == nil {
		f.rows = map[string][][sha256.Size]byte{}
	}
	f.line = appendRow(f.line[:0], table, row)
	f.rows[site] = append(f.rows[site], sha256.Sum256(f.line))
}

// AddTable adds the rows of the published table name, which is stored at path.
func (f *Facts) AddTable(path, name string) error {
	switch name {
	case PublishersKey:
		return addTable(f, path, "publishers", func(r *Publisher) string { return r.Site })
	case RightsKey:
		return addTable(f, path, "rights", func(r *Right) string { return r.Site })
	case HostsKey:
		return addTable(f, path, "hosts", func(r *Host) string { return r.Site })
	case ReservationsKey:
		return addTable(f, path, "reservations", func(r *Reservation) string { return r.Site })
	case OffersKey:
		return addTable(f, path, "offers", func(r *Offer) string { return r.Site })
	}
	return addTable(f, path, "entries", func(r *Entry) string { return r.Site })
}

func addTable[T any](f *Facts, path, table string, site func(*T) string) error {
	in, err := os.Open(path)
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	return Read(in, info.Size(), func(rows []T) error {
		for i := range rows {
			f.Add(table, site(&rows[i]), &rows[i])
		}
		return nil
	})
}

// Root returns the root of the catalog: "sha-256:" and the digest of one line
// "<SHA-256 in hex> <site>" LF for each publisher, sorted by site. The digest
// of a publisher is that of its rows' sorted digests, so rows may be added in
// any order. A row is a line of canonical JSON without its LF: an array of the
// table's name and the columns in their order, with bytes in hex.
func (f *Facts) Root() string {
	h := sha256.New()
	for _, site := range slices.Sorted(maps.Keys(f.rows)) {
		rows := f.rows[site]
		slices.SortFunc(rows, func(a, b [sha256.Size]byte) int { return bytes.Compare(a[:], b[:]) })
		own := sha256.New()
		for i := range rows {
			own.Write(rows[i][:])
		}
		fmt.Fprintf(h, "%x %s\n", own.Sum(nil), site)
	}
	return "sha-256:" + hex.EncodeToString(h.Sum(nil))
}

// appendRow appends a row as canonical JSON.
func appendRow(b []byte, table string, row any) []byte {
	text := func(s string) { b = wire.AppendString(b, s) }
	b = append(b, '[')
	text(table)
	columns := reflect.ValueOf(row).Elem()
	for i := range columns.NumField() {
		b = append(b, ',')
		switch v := columns.Field(i); v.Kind() {
		case reflect.String:
			text(v.String())
		case reflect.Bool:
			b = strconv.AppendBool(b, v.Bool())
		case reflect.Int32, reflect.Int64:
			b = strconv.AppendInt(b, v.Int(), 10)
		default:
			if v.Type().Elem().Kind() == reflect.Uint8 {
				b = append(hex.AppendEncode(append(b, '"'), v.Bytes()), '"')
				continue
			}
			b = append(b, '[')
			for j := range v.Len() {
				if j > 0 {
					b = append(b, ',')
				}
				text(v.Index(j).String())
			}
			b = append(b, ']')
		}
	}
	return append(b, ']')
}
