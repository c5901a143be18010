package generator

import (
	"context"
	"encoding/hex"
	"errors"
	"strings"

	"colophon/exports"
	"colophon/internal/release"
	"colophon/internal/segment"
	"colophon/internal/urlkey"
)

// rangeSpools collect the keys for private look-ups while the entries pass.
type rangeSpools struct{ urls, fingerprints *valueSpool }

func newRangeSpools(dir string) *rangeSpools {
	return &rangeSpools{newValueSpool(dir, spoolMemory/2), newValueSpool(dir, spoolMemory/2)}
}

func (s *rangeSpools) close() {
	s.urls.close()
	s.fingerprints.close()
}

// add files an entry under its URL and its fingerprint.
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

// spoolRange files a row under a key.
func spoolRange(to *valueSpool, key [32]byte, row *release.RangeRow, entryID string) error {
	row.Key = [16]byte(key[:])
	data := append(append(append(append([]byte{}, row.Key[:]...), row.Own[:]...), row.Site[:]...), row.Vector[:]...)
	return to.addValue(segment.Value{Key: spoolKey(key, entryID), Data: data})
}

// spoolKey begins as a key does, and is another one for each entry.
func spoolKey(key [32]byte, entryID string) segment.Key {
	own := segment.KeyOf(entryID)
	copy(own[:4], key[:4])
	return own
}

func parseRangeRow(data []byte) release.RangeRow {
	return release.RangeRow{Key: [16]byte(data), Own: [6]byte(data[16:]), Site: [6]byte(data[22:]), Vector: [8]byte(data[28:])}
}

// vectorOf is a rights vector; one of another length says that nothing is known.
func vectorOf(s string) [8]byte {
	if len(s) != 8 {
		s = "UUUUUUUU"
	}
	return [8]byte([]byte(s))
}

// rangeFiles writes the files for private look-ups.
func (b *build) rangeFiles(ctx context.Context, s *rangeSpools) error {
	if err := errors.Join(s.urls.flushValues(), s.fingerprints.flushValues()); err != nil {
		return err
	}
	urls, err := b.rangesOf(ctx, release.RangeURL, s.urls)
	if err != nil {
		return err
	}
	fingerprints, err := b.rangesOf(ctx, release.RangeFingerprint, s.fingerprints)
	if err != nil {
		return err
	}
	spool := newValueSpool(b.out.stage, spoolMemory)
	defer spool.close()
	if err := b.spoolHosts(spool); err != nil {
		return err
	}
	hosts, err := b.rangesOf(ctx, release.RangeHost, spool)
	b.ranges = release.Ranges{URLBits: int64(urls), HostBits: int64(hosts), FingerprintBits: int64(fingerprints)}
	return err
}

// spoolHosts collects the hosts of which control was shown, with the vectors of
// their sites.
func (b *build) spoolHosts(out *valueSpool) error {
	for i := range b.sites {
		f := &b.sites[i]
		for _, w := range f.Websites {
			if w.Associated {
				row := release.RangeRow{Site: release.SiteMark(f.Site.SiteID), Vector: vectorOf(f.Vector())}
				if err := spoolRange(out, urlkey.LookupKey(urlkey.LookupHost, w.Host), &row, w.Host+" "+f.Site.SiteID); err != nil {
					return err
				}
			}
		}
	}
	return out.flushValues()
}

// rangesOf writes the files of one kind and returns by how many bits they are
// cut.
func (b *build) rangesOf(ctx context.Context, kind release.RangeKind, keys *valueSpool) (bits int, err error) {
	bits = release.RangeBits(keys.count)
	parts := make([][]release.RangeRow, 1<<bits)
	size := release.RangeSize(keys.count, bits)
	next := 0
	for first := range 256 {
		if err := ctx.Err(); err != nil {
			return bits, err
		}
		values, err := keys.valuesWithByte(byte(first))
		if err != nil {
			return bits, err
		}
		for _, v := range values {
			row := parseRangeRow(v.Data)
			var key [32]byte
			copy(key[:], row.Key[:])
			part := release.Part(key, bits)
			parts[part] = append(parts[part], row)
		}
		for ; next < len(parts) && (next+1)<<8>>bits <= first+1 && (bits <= 8 || next>>(bits-8) <= first); next++ {
			data, err := release.AppendRange(parts[next], max(size, release.RangeFileSize(len(parts[next]))))
			if err != nil {
				return bits, err
			}
			if err := b.out.putFile(exports.Key(release.RangeName(kind, next, bits)), data); err != nil {
				return bits, err
			}
			parts[next] = nil
		}
	}
	return bits, nil
}
