package listing_test

import (
	"testing"

	"colophon/exports"
	"colophon/internal/listing"
)

func TestSitesFind(t *testing.T) {
	rows := []listing.SiteRow{{SiteID: "a-site", Facts: exports.InventoryFacts{RegisteredPages: 4}}, {SiteID: "b-site"}}
	file := listing.AppendSites(nil, 2, rows)
	got, err := listing.FindSite(file, 2, "a-site")
	if err != nil || got == nil || got.Facts.RegisteredPages != 4 {
		t.Fatal(err, got)
	}
	if got, err := listing.FindSite(file, 2, "site"); err != nil || got != nil {
		t.Error("part of a name is found", err, got)
	}
	for i := range file {
		if _, err := listing.FindSite(file[:i], 2, "a-site"); err == nil {
			t.Fatalf("a file cut at %d is taken", i)
		}
	}
}
