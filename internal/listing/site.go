package listing

import (
	"bytes"
	"strconv"

	"colophon/exports"
	"colophon/internal/staticindex"
	"colophon/internal/wire"
)

// SiteRow has the totals of a site's pages.
type SiteRow struct {
	SiteID string
	Facts  exports.InventoryFacts
	// Release is the state of the publisher, from which its lists are taken;
	// nil if the index does not have it.
	Release *exports.Release
}

// releaseIn returns the release that the lists of the site name.
func (s *SiteRow) releaseIn(g *staticindex.Generation) exports.Release {
	if s.Release == nil {
		return g.Release
	}
	return *s.Release
}

func (s *SiteRow) Members(m *wire.Members) {
	m.Object("facts", &s.Facts)
	wire.Opt(m, "release", &s.Release)
	m.String("site_id", &s.SiteID)
}

// SiteBucket returns the file of the directory that holds a site, out of
// 1<<bits: the top bits of the hash of its id.
func SiteBucket(siteID string, bits int) int {
	return int(uint64(staticindex.Hash(siteID)) >> (32 - uint(bits)))
}

func siteHeader(n, rows int) string {
	return "#service.shard.v1 site " + strconv.Itoa(n) + " n=" + strconv.Itoa(rows) + "\n"
}

// AppendSites writes file n of the directory after b: a header line, then one
// line of JSON for each site, in order.
func AppendSites(b []byte, n int, rows []SiteRow) []byte {
	b = append(b, siteHeader(n, len(rows))...)
	for i := range rows {
		b = append(wire.Append(b, &rows[i]), '\n')
	}
	return b
}

// FindSite looks for a site in file n of the directory. It returns a nil row if
// there is no such site.
func FindSite(file []byte, n int, siteID string) (*SiteRow, error) {
	rows := bytes.Count(file, []byte("\n")) - 1
	rest, ok := bytes.CutPrefix(file, []byte(siteHeader(n, rows)))
	if !ok || len(file) == 0 || file[len(file)-1] != '\n' {
		return nil, staticindex.ErrMalformed
	}
	want := append(wire.AppendString([]byte(`"site_id":`), siteID), '}')
	for len(rest) > 0 {
		var line []byte
		line, rest, _ = bytes.Cut(rest, []byte("\n"))
		if !bytes.HasSuffix(line, want) {
			continue
		}
		var s SiteRow
		if wire.Decode(line, &s, wire.Trusted) != nil || s.SiteID != siteID {
			return nil, staticindex.ErrMalformed
		}
		return &s, nil
	}
	return nil, nil
}

// SiteKey is bucket n of the directory of sites.
func SiteKey(gen string, n int) exports.Key { return staticindex.FileKey(gen, "site", "/", n) }
