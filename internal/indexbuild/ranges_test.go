package indexbuild_test

import (
	"encoding/hex"
	"maps"
	"strings"
	"testing"

	"colophon/exports"
	"colophon/internal/catalog/catalogtest"
	"colophon/internal/demo/corpus"
	"colophon/internal/indexbuild"
	"colophon/internal/release"
	"colophon/internal/urlkey"
)

// TestPrivateLookUps checks that the files for private look-ups have a row for the
// address and for the fingerprint of each entry, withdrawn or not, and one for each
// host. Many entries share a fingerprint.
func TestPrivateLookUps(t *testing.T) {
	const pages, shared = 5000, 12
	c := corpus.New(corpus.Options{Publishers: 4, Pages: pages, Seed: 7})
	src := c.Source()
	common := c.Page(0).Digest
	want := map[release.RangeKind]map[release.RangeRow]int{release.RangeURL: {}, release.RangeFingerprint: {}, release.RangeHost: {}}
	add := func(kind release.RangeKind, key [32]byte, row release.RangeRow) {
		row.Key = [16]byte(key[:])
		want[kind][row]++
	}
	n := 0
	src = alter(src, func(e *indexbuild.Entry) []indexbuild.Entry {
		if n++; n <= shared {
			e.Digest = common
		}
		e.Withdrawn = n%100 == 0
		id, err := hex.DecodeString(strings.TrimPrefix(e.EntryID, exports.PrefixEntry))
		must(t, err)
		row := release.RangeRow{Own: [6]byte(id[6:]), Site: release.SiteMark(e.SiteID), Vector: release.RangeVector(e.RightsVector)}
		add(release.RangeURL, urlkey.LookupKey(urlkey.LookupURL, e.URL), row)
		if e.Digest != "" {
			add(release.RangeFingerprint, urlkey.LookupKey(urlkey.LookupFingerprint, e.Digest), row)
		}
		return []indexbuild.Entry{*e}
	})
	for _, host := range []string{"z.example", "a.example", "m.example"} {
		key := urlkey.LookupKey(urlkey.LookupHost, host)
		src.Hosts = append(src.Hosts, release.RangeRow{Key: [16]byte(key[:]), Site: release.SiteMark(host), Vector: release.RangeVector("")})
		add(release.RangeHost, key, src.Hosts[len(src.Hosts)-1])
	}
	files := catalogtest.Files{}
	catalogtest.Build(t, files, src)
	for kind, rows := range want {
		got, count := map[release.RangeRow]int{}, 0
		for name, data := range files {
			if !strings.HasPrefix(name, release.RangeFolder+string(kind)+"/") {
				continue
			}
			count++
			part, err := release.ParseRange(data)
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			for _, row := range part {
				got[row]++
			}
		}
		if !maps.Equal(got, rows) {
			t.Errorf("%s: %d rows in %d files, want %d", kind, len(got), count, len(rows))
		}
		if bits := release.RangeBits(int64(len(rows))); count != 1<<bits {
			t.Errorf("%s: %d files, want %d", kind, count, 1<<bits)
		}
	}
}
