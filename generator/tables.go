package generator

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base32"
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
	"colophon/internal/extsort"
	"colophon/internal/release"
	"colophon/internal/staticindex"
	"colophon/internal/urlkey"
)

// publishTables publishes the facts of the release as Parquet tables with a
// description, after everything else. A table of entries with the same rows as
// the published one stays as it is. If publishTables fails, the release is
// published without tables, and the next build writes them.
func (b *build) publishTables(ctx context.Context) error {
	b.out.beginAgain()
	err := b.writeTables(ctx)
	if err != nil {
		b.out.beginAgain()
		b.plan.now.Tables, b.tablesOf = nil, ""
		ctx = context.WithoutCancel(ctx)
	}
	if err := b.out.sealRelease(func(name string) bool { return !isOfTables(name) }, b.notes); err != nil {
		return err
	}
	reached("tables")
	return errors.Join(err, b.out.publishTree(ctx))
}

// isOfTables reports whether a file is a table, the description of the tables,
// or part of the list of files.
func isOfTables(name string) bool {
	return isTable(name) || name == release.ListKey || strings.HasPrefix(name, release.TilesFolder)
}

// isTable reports whether a file is a table or the description of the tables.
func isTable(name string) bool {
	return release.IsTable(name) || strings.TrimSuffix(name, ".gz") == release.CroissantKey
}

// writeTables writes the tables and their description.
func (b *build) writeTables(ctx context.Context) error {
	b.plan.now.Tables, b.tablesOf = map[string]string{}, b.catalog.Release.Root
	f := &b.tables
	err := errors.Join(
		b.entryTables(ctx, b.facts), putTable(b, release.PublishersKey, f.Publishers, "site"), putTable(b, release.RightsKey, f.Rights, "site"),
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

// entryFact encodes a row of the table of entries. The encoded rows sort by the
// look-up keys of their URLs.
func entryFact(e *exports.Entry, key [32]byte, r *pageRow) []byte {
	code := ""
	if e.Digest != "" {
		code = r.page.ISCC
	}
	data := append([]byte{}, key[:]...)
	for _, s := range []string{
		e.EntryID, e.URL, e.Digest, code, e.SiteID, e.Title, e.Language, e.ContentFormat, e.PublishedAt, e.ModifiedAt, e.RightsVector,
	} {
		data = staticindex.AppendText(data, s)
	}
	data = binary.AppendVarint(data, r.version)
	return binary.AppendVarint(data, max(r.position, -1))
}

// parseEntryFact decodes what entryFact returned.
func parseEntryFact(data []byte) (e release.Entry, err error) {
	if len(data) < len(e.URLSHA256) {
		return e, errRows
	}
	e.URLSHA256 = [32]byte(data)
	d := decodeRow(data[len(e.URLSHA256):])
	entryID := d.readString()
	url := d.readString()
	digest := d.readString()
	code := d.readString()
	e.URL = url
	e.Site = d.readString()
	e.Title = d.readString()
	e.Language = d.readString()
	e.ContentFormat = d.readString()
	e.PublishedAt, e.ModifiedAt = milliseconds(d.readString()), milliseconds(d.readString())
	e.RightsVector = d.readString()
	e.RecordVersion = int32(d.ReadInt())
	e.LedgerIndex = d.ReadInt()
	if d.Finish() != nil {
		return e, errRows
	}
	id, err := hex.DecodeString(strings.TrimPrefix(entryID, exports.PrefixEntry))
	if err == nil && len(id) == 12 && bytes.HasPrefix(e.URLSHA256[:], id[:6]) {
		e.EntryOwn = [6]byte(id[6:])
	} else {
		e.EntryID = entryID
	}
	if e.Portable, err = hex.DecodeString(digest); err != nil {
		return e, err
	}
	e.ISCC, err = codeBody(code)
	return e, err
}

// codeBody returns the body of a similarity code, nil if there is none.
func codeBody(code string) ([]byte, error) {
	if code == "" {
		return nil, nil
	}
	b, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(strings.TrimPrefix(code, "ISCC:"))
	if err != nil || len(b) != 34 {
		return nil, fmt.Errorf("%q is not a similarity code", code)
	}
	return b[2:], nil
}

func milliseconds(at string) int64 {
	t, ok := exports.ParseInstant(at)
	if !ok {
		return 0
	}
	return t.UnixMilli()
}

// entryTables writes the entries, divided into files by the SHA-256 of the URL.
func (b *build) entryTables(ctx context.Context, facts *extsort.Sorter) error {
	bits := release.FileBits(facts.Count())
	if bits > 16 {
		return errors.New("more entries than the form of the release allows")
	}
	partOf := func(key string) int { return urlkey.Part(key, bits) }
	return facts.EachPart(1<<bits, partOf, func(part int, rows []blob.Value) error {
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
		if rows[i], err = parseEntryFact([]byte(packed[i].Key)); err != nil {
			return err
		}
	}
	slices.SortStableFunc(rows, func(a, b release.Entry) int {
		return cmp.Or(strings.Compare(string(a.URLSHA256[:]), string(b.URLSHA256[:])), strings.Compare(string(a.EntryOwn[:]), string(b.EntryOwn[:])))
	})
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
