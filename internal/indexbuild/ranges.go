package indexbuild

import (
	"bytes"
	"encoding/hex"
	"slices"
	"strings"

	"colophon/exports"
	"colophon/internal/blob"
	"colophon/internal/release"
)

// rangeFactsSize is the size of what rangeFacts returns.
const rangeFactsSize = 6 + 6 + 8

// rangeFacts returns what private look-ups show of an entry, see rangeRow.
func rangeFacts(e *Entry) []byte {
	own := [6]byte{}
	if id, err := hex.DecodeString(strings.TrimPrefix(e.EntryID, exports.PrefixEntry)); err == nil && len(id) == 12 {
		own = [6]byte(id[6:])
	}
	site, vector := release.SiteMark(e.SiteID), release.RangeVector(e.RightsVector)
	return append(append(append(make([]byte, 0, 512), own[:]...), site[:]...), vector[:]...)
}

// rangeRow returns the row for private look-ups of a line, by its value.
func rangeRow(v blob.Value) *release.RangeRow {
	d := v.Data
	return &release.RangeRow{Key: [16]byte([]byte(v.Key[:16])), Own: [6]byte(d), Site: [6]byte(d[6:]), Vector: [8]byte(d[12:])}
}

// writeHosts puts the files for private look-ups of hosts.
func (b *Builder) writeHosts() (bits int64, err error) {
	hosts := slices.Clone(b.src.Hosts)
	slices.SortFunc(hosts, func(x, y release.RangeRow) int { return bytes.Compare(x.Key[:], y.Key[:]) })
	w := release.NewRangeWriter(release.RangeHost, int64(len(hosts)), b.out.Put)
	for i := range hosts {
		if err := w.Add(&hosts[i]); err != nil {
			return 0, err
		}
	}
	return w.Finish()
}
