package templates

import (
	"bytes"
	"context"
	"testing"

	"colophon/exports"
)

// BenchmarkCitation renders the page of an entry. A build renders one for each
// entry.
func BenchmarkCitation(b *testing.B) {
	n := sampleNames[2]
	record := &exports.Record{Version: 3, Passport: exports.Passport{HolderName: n.name, HolderBasis: "domain_verified"}, Proof: exports.Proof{Created: "2026-10-30T08:20:00Z"}}
	v := CitationPage{Site: sampleSite, Citation: sampleCitation(n), Record: record, Asks: true, Terms: []string{"tides", "berths"}}
	var page bytes.Buffer
	b.ReportAllocs()
	for b.Loop() {
		page.Reset()
		must(b, Citation(v).Render(context.Background(), &page))
	}
	b.SetBytes(int64(page.Len()))
}
