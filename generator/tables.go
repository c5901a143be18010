package generator

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"colophon/exports"
	"colophon/generator/render"
	"colophon/internal/blob"
	"colophon/internal/release"
	"colophon/internal/staticindex"
	"colophon/internal/urlkey"
)

// renderTables writes the facts of the release as Parquet tables with a
// description. A table of entries with the same rows as the published one stays
// as it is. If renderTables fails, the release has no tables, and the next build
// writes them.
func (b *build) renderTables(ctx context.Context) error {
	b.plan.now.Tables, b.tablesOf = map[string]string{}, b.catalog.Release.Root
	err := b.writeTables(ctx)
	if err != nil && ctx.Err() == nil {
		b.plan.now.Tables, b.tablesOf, b.tablesErr = nil, "", fmt.Errorf("cannot publish the tables: %w", err)
		b.out.dropFiles(isTable)
		err = nil
	}
	reached("tables")
	return err
}

// isTable reports whether a file is a table or the description of the tables.
func isTable(name string) bool {
	return release.IsTable(name) || strings.TrimSuffix(name, ".gz") == release.CroissantKey
}

func (b *build) writeTables(ctx context.Context) error {
	f := &b.tables
	err := errors.Join(
		b.entryTables(ctx), putTable(b, release.PublishersKey, f.Publishers, "site"), putTable(b, release.RightsKey, f.Rights, "site"),
		putTable(b, release.HostsKey, f.Hosts, "host", "site"), putTable(b, release.OffersKey, f.Offers, "license_id"),
		putTable(b, release.ReservationsKey, f.Reservations, "reservation_id"),
	)
	if err != nil {
		return err
	}
	return b.put(render.Croissant(b.service, b.catalog.Release, slices.Sorted(maps.Keys(b.plan.now.Tables)), func(name string) release.File {
		f, _ := b.out.fileOf(name)
		return f
	}))
}

// entryRow returns the row of the table of entries of a page, whose URL has
// that look-up key.
func entryRow(e *exports.Entry, key [32]byte, r *pageRow) (row release.Entry, err error) {
	row = release.Entry{
		URLSHA256: key, EntryID: e.EntryID, URL: e.URL, Site: e.SiteID, Title: e.Title, Language: e.Language, ContentFormat: e.ContentFormat,
		PublishedAt: milliseconds(e.PublishedAt), ModifiedAt: milliseconds(e.ModifiedAt), RightsVector: e.RightsVector,
		RecordVersion: int32(r.version), LedgerIndex: max(r.position, -1),
	}
	id, err := hex.DecodeString(strings.TrimPrefix(e.EntryID, exports.PrefixEntry))
	if err == nil && len(id) == 12 && bytes.HasPrefix(key[:], id[:6]) {
		row.EntryID, row.EntryOwn = "", [6]byte(id[6:])
	}
	if e.Digest == "" {
		return row, nil
	}
	if row.Portable, err = hex.DecodeString(e.Digest); err != nil {
		return row, err
	}
	row.ISCC, err = exports.CodeBody(r.page.ISCC)
	return row, err
}

// textColumns returns the columns with texts of a row of the table of entries.
func textColumns(e *release.Entry) []*string {
	return []*string{&e.EntryID, &e.URL, &e.Site, &e.Title, &e.Language, &e.ContentFormat, &e.RightsVector}
}

// packEntry encodes a row of the table of entries. The encoded rows sort as the
// table does.
func packEntry(e *release.Entry) []byte {
	data := append(append(make([]byte, 0, 512), e.URLSHA256[:]...), e.EntryOwn[:]...)
	for _, s := range textColumns(e) {
		data = staticindex.AppendText(data, *s)
	}
	for _, b := range [][]byte{e.Portable, e.ISCC} {
		data = staticindex.AppendText(data, string(b))
	}
	for _, n := range []int64{e.PublishedAt, e.ModifiedAt, int64(e.RecordVersion), e.LedgerIndex} {
		data = binary.AppendVarint(data, n)
	}
	return data
}

// parseEntry decodes what packEntry returned. The texts of the row share memory.
func parseEntry(packed string) (e release.Entry, err error) {
	d := decodeRow([]byte(packed))
	copy(e.URLSHA256[:], d.ReadBytes(len(e.URLSHA256)))
	copy(e.EntryOwn[:], d.ReadBytes(len(e.EntryOwn)))
	for _, s := range textColumns(&e) {
		*s = d.readString()
	}
	e.Portable, e.ISCC = []byte(d.readString()), []byte(d.readString())
	e.PublishedAt, e.ModifiedAt, e.RecordVersion, e.LedgerIndex = d.ReadInt(), d.ReadInt(), int32(d.ReadInt()), d.ReadInt()
	if d.Finish() != nil {
		return e, errRows
	}
	return e, nil
}

func milliseconds(at string) int64 {
	t, ok := exports.ParseInstant(at)
	if !ok {
		return 0
	}
	return t.UnixMilli()
}

// entryTables writes the entries, divided into files by the SHA-256 of the URL.
func (b *build) entryTables(ctx context.Context) error {
	bits := release.FileBits(b.facts.Count())
	if bits > 16 {
		return errors.New("more entries than the form of the release allows")
	}
	partOf := func(key string) int { return urlkey.Part(key, bits) }
	return b.facts.EachPart(1<<bits, partOf, func(part int, rows []blob.Value) error {
		return errors.Join(b.entryTable(part, bits, rows), ctx.Err())
	})
}

// entryTable writes one file, or keeps the published file if it has the same
// rows.
func (b *build) entryTable(part, bits int, packed []blob.Value) error {
	name := release.EntriesKey(part, bits)
	h := sha256.New()
	for _, v := range packed {
		h.Write(binary.AppendUvarint(nil, uint64(len(v.Key))))
		h.Write([]byte(v.Key))
	}
	digest := hex.EncodeToString(h.Sum(nil))
	b.plan.now.Tables[name] = digest
	if before := b.plan.before; before != nil && before.Tables[name] == digest && !b.opt.Whole {
		if f, ok := b.out.before.Find(name); ok && b.out.keepFile(f) == nil {
			return nil
		}
	}
	rows := make([]release.Entry, len(packed))
	for i := range packed {
		var err error
		if rows[i], err = parseEntry(packed[i].Key); err != nil {
			return err
		}
	}
	data, err := release.Write(rows, "url_sha256", "entry_own")
	if err != nil {
		return err
	}
	return b.out.putFile(exports.Key(name), data)
}

func putTable[T any](b *build, key string, rows []T, columns ...string) error {
	data, err := release.Write(rows, columns...)
	if err != nil {
		return err
	}
	return b.out.putFile(exports.Key(key), data)
}
