package entryfacts

import (
	"strings"
	"testing"

	"colophon/exports"
	"colophon/internal/citation"
	"colophon/internal/wire"
)

// TestSuccessorIsKept checks that the successor of a moved page survives
// packing and is in its citation.
func TestSuccessorIsKept(t *testing.T) {
	const id, next, address = "ent_0123456789abcdef01234567", "ent_76543210fedcba9876543210", "https://other.example/a"
	cited := exports.Citation{EntryID: id, SiteID: "site-example", CanonicalURL: "https://site.example/a", Publisher: "Site", PublisherURL: "https://site.example/", LedgerIndex: -1,
		Status: "superseded", RightsVector: "WWWWWWWW", GeneratedAt: "2026-11-23T06:00:00Z", Successor: next, SuccessorURL: address}
	cited.Source.Title = "A"
	citation.Spell(&cited)
	facts, err := Parse(id, Append(nil, &Facts{EntryID: id, Citation: &cited}))
	if err != nil {
		t.Fatal(err)
	}
	want, got := string(wire.Append(nil, &cited)), string(facts.Spell(DocCitation, 0))
	if want != got {
		t.Errorf("the facts spell\n%s\nand the file\n%s", got, want)
	}
	var read exports.Citation
	if err := wire.Decode([]byte(want), &read, wire.Trusted); err != nil || read.Successor != next || read.SuccessorURL != address {
		t.Errorf("the citation is read as %q %q, %v", read.Successor, read.SuccessorURL, err)
	}
}

// TestStatusOfCitations checks that a record is active only if there is one.
func TestStatusOfCitations(t *testing.T) {
	digest := strings.Repeat("ab", 32)
	for _, c := range []struct{ status, portable, want string }{
		{"active", digest, `"record":"/v1/public/contentdna-provenance/ent_1","status":"active"`},
		{"active", "", `"record":null,"status":"none"`},
		{"none", "", `"record":null,"status":"none"`},
		{"superseded", digest, `"record":"/v1/public/contentdna-provenance/ent_1","status":"superseded"`},
		{"superseded", "", `"record":null,"status":"superseded"`},
		{"withdrawn", "", `"record":null,"status":"withdrawn"`},
	} {
		cited := exports.Citation{EntryID: "ent_1", SiteID: "site-example", CanonicalURL: "https://site.example/a", Publisher: "Site", PublisherURL: "https://site.example/", LedgerIndex: -1,
			Portable: c.portable, Status: c.status, RightsVector: "WWWWWWWW", GeneratedAt: "2026-11-23T06:00:00Z"}
		citation.Spell(&cited)
		text := wire.Append(nil, &cited)
		if !strings.Contains(string(text), c.want) {
			t.Errorf("%s with %q: %s lacks %s", c.status, c.portable, text, c.want)
		}
		var read exports.Citation
		if err := wire.Decode(text, &read, wire.Trusted); err != nil || string(wire.Append(nil, &read)) != string(text) {
			t.Errorf("%s with %q is read as %q, %v", c.status, c.portable, read.Status, err)
		}
	}
}
