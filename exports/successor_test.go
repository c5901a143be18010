package exports

import (
	"reflect"
	"testing"

	"colophon/internal/wire"
)

// TestSuccessorIsKept reads a page that moved back from every form in which it
// is published: its line in the index, its facts in a segment, its citation.
func TestSuccessorIsKept(t *testing.T) {
	const id, next, address = "ent_0123456789abcdef01234567", "ent_76543210fedcba9876543210", "https://other.example/a"
	c := Candidate{EntryID: id, SiteID: "site-example", CanonicalURL: "https://site.example/a", Title: "A", LedgerIndex: -1, RightsVector: "WWWWWWWW", Withdrawn: true, Successor: next, SuccessorURL: address}
	line, err := AppendCandidate(nil, TagURL, "", &c)
	if err != nil {
		t.Fatal(err)
	}
	_, _, back, err := parseCandidate(line)
	if err != nil || !reflect.DeepEqual(c, back) {
		t.Errorf("%s is read as %+v, %v", line, back, err)
	}
	c.Successor, c.SuccessorURL = "", ""
	plain, err := AppendCandidate(nil, TagURL, "", &c)
	if err != nil {
		t.Fatal(err)
	}
	if v, err := wire.Parse(plain[2:], wire.Default); err != nil || len(v.Items) != 16 {
		t.Errorf("without a successor the line has %d items: %s", len(v.Items), plain)
	}

	cited := Citation{EntryID: id, SiteID: "site-example", CanonicalURL: "https://site.example/a", Publisher: "Site", PublisherURL: "https://site.example/", LedgerIndex: -1,
		Status: "superseded", RightsVector: "WWWWWWWW", GeneratedAt: "2026-11-23T06:00:00Z", Successor: next, SuccessorURL: address}
	cited.Source.Title = "A"
	cited.SpellForms()
	items := map[FactRef][]byte{}
	packed := AppendEntryFacts(nil, &EntryFacts{EntryID: id, Citation: &cited}, func(item []byte) (ref FactRef) {
		ref[0] = byte(len(items) + 1)
		items[ref] = item
		return ref
	})
	p, err := ParseEntryFacts(packed)
	if err != nil {
		t.Fatal(err)
	}
	for _, ref := range p.Refs() {
		p.AddItem(ref, items[ref])
	}
	facts, err := p.Facts()
	if err != nil {
		t.Fatal(err)
	}
	want, got := string(wire.Append(nil, &cited)), string(facts.Spell(DocCitation, 0))
	if want != got {
		t.Errorf("the segment spells\n%s\nand the file\n%s", got, want)
	}
	var read Citation
	if err := wire.Decode([]byte(want), &read, wire.Trusted); err != nil || read.Successor != next || read.SuccessorURL != address {
		t.Errorf("the citation is read as %q %q, %v", read.Successor, read.SuccessorURL, err)
	}
}
