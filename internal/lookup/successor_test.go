package lookup

import (
	"reflect"
	"testing"

	"colophon/exports"
	"colophon/internal/wire"
)

// TestMovedPageIsKept checks that the line of a moved page keeps its successor.
// A page that did not move has a line without these two members.
func TestMovedPageIsKept(t *testing.T) {
	const id, next, address = "ent_0123456789abcdef01234567", "ent_76543210fedcba9876543210", "https://other.example/a"
	c := exports.Candidate{EntryID: id, SiteID: "site-example", CanonicalURL: "https://site.example/a", Title: "A", LedgerIndex: -1, RightsVector: "WWWWWWWW", Withdrawn: true, Successor: next, SuccessorURL: address}
	line, err := AppendFacts(AppendTag(nil, TagURL), &c)
	if err != nil {
		t.Fatal(err)
	}
	_, back, err := parseCandidate(line)
	if err != nil || !reflect.DeepEqual(c, back) {
		t.Errorf("%s is read as %+v, %v", line, back, err)
	}
	c.Successor, c.SuccessorURL = "", ""
	plain, err := AppendFacts(AppendTag(nil, TagURL), &c)
	if err != nil {
		t.Fatal(err)
	}
	if v, err := wire.Parse(plain[2:], wire.Default); err != nil || len(v.Items) != 16 {
		t.Errorf("without a successor the line has %d items: %s", len(v.Items), plain)
	}
}
