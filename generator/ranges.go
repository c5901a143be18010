package generator

import (
	"context"
	"encoding/hex"
	"errors"
	"strings"

	"colophon/exports"
	"colophon/generator/render"
	"colophon/internal/blob"
	"colophon/internal/extsort"
	"colophon/internal/release"
	"colophon/internal/urlkey"
)

// rangeSpools collects the keys for private look-ups.
type rangeSpools struct{ urls, fingerprints *extsort.Sorter }

func newRangeSpools(dir string) *rangeSpools {
	return &rangeSpools{extsort.New(dir, extsort.Memory/2), extsort.New(dir, extsort.Memory/2)}
}

func (s *rangeSpools) close() {
	s.urls.Close()
	s.fingerprints.Close()
}

// add adds an entry under its URL and its fingerprint.
func (s *rangeSpools) add(e *exports.Entry) error {
	row := release.RangeRow{Site: release.SiteMark(e.SiteID), Vector: vectorOf(e.RightsVector)}
	if id, err := hex.DecodeString(strings.TrimPrefix(e.EntryID, exports.PrefixEntry)); err == nil && len(id) == 12 {
		row.Own = [6]byte(id[6:])
	}
	if err := spoolRange(s.urls, urlkey.LookupKey(urlkey.LookupURL, e.URL), &row, e.EntryID); err != nil || e.Digest == "" {
		return err
	}
	return spoolRange(s.fingerprints, urlkey.LookupKey(urlkey.LookupFingerprint, e.Digest), &row, e.EntryID)
}

// spoolRange adds a row under a key.
func spoolRange(to *extsort.Sorter, key [32]byte, row *release.RangeRow, entryID string) error {
	row.Key = [16]byte(key[:])
	data := append(append(append(append(make([]byte, 0, 36), row.Key[:]...), row.Own[:]...), row.Site[:]...), row.Vector[:]...)
	return to.Add(string(key[:])+entryID, data)
}

func parseRangeRow(data []byte) release.RangeRow {
	return release.RangeRow{Key: [16]byte(data), Own: [6]byte(data[16:]), Site: [6]byte(data[22:]), Vector: [8]byte(data[28:])}
}

// vectorOf returns a rights vector. For one of another length it returns the
// vector "unknown".
func vectorOf(s string) [8]byte {
	if len(s) != 8 {
		s = "UUUUUUUU"
	}
	return [8]byte([]byte(s))
}

// rangeFiles writes the files for private look-ups.
func (b *build) rangeFiles(ctx context.Context, s *rangeSpools) error {
	urls, err := b.rangesOf(ctx, release.RangeURL, s.urls)
	if err != nil {
		return err
	}
	fingerprints, err := b.rangesOf(ctx, release.RangeFingerprint, s.fingerprints)
	if err != nil {
		return err
	}
	spool := extsort.New(b.out.stage, extsort.Memory)
	defer spool.Close()
	if err := spoolHosts(spool, b.catalog.Publishers); err != nil {
		return err
	}
	hosts, err := b.rangesOf(ctx, release.RangeHost, spool)
	b.ranges = release.Ranges{URLBits: int64(urls), HostBits: int64(hosts), FingerprintBits: int64(fingerprints)}
	return err
}

// spoolHosts collects the hosts whose control was proved, with the vectors of
// their sites.
func spoolHosts(out *extsort.Sorter, publishers []*render.Publisher) error {
	for _, f := range publishers {
		for _, w := range f.Websites {
			if w.Associated {
				row := release.RangeRow{Site: release.SiteMark(f.Site.SiteID), Vector: vectorOf(f.Vector())}
				if err := spoolRange(out, urlkey.LookupKey(urlkey.LookupHost, w.Host), &row, w.Host+" "+f.Site.SiteID); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// rangesOf writes the files of one kind, and returns the number of bits of a
// key that select the file.
func (b *build) rangesOf(ctx context.Context, kind release.RangeKind, keys *extsort.Sorter) (bits int, err error) {
	bits = release.RangeBits(keys.Count())
	size := release.RangeSize(keys.Count(), bits)
	partOf := func(key string) int { return release.Part([32]byte([]byte(key[:32])), bits) }
	return bits, keys.EachPart(1<<bits, partOf, func(part int, values []blob.Value) error {
		rows := make([]release.RangeRow, len(values))
		for i, v := range values {
			rows[i] = parseRangeRow(v.Data)
		}
		data, err := release.AppendRange(rows, max(size, release.RangeFileSize(len(rows))))
		if err != nil {
			return err
		}
		return errors.Join(b.out.putFile(exports.Key(release.RangeName(kind, part, bits)), data), ctx.Err())
	})
}
