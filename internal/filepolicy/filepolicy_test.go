package filepolicy

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"colophon/internal/assert"
	"colophon/internal/channel/publisherfile"
	"colophon/internal/channel/statements"
	"colophon/internal/origin"
)

// TestFactsThatAreNotStatedStay checks that a file changes only the facts that
// it states.
func TestFactsThatAreNotStatedStay(t *testing.T) {
	s := origin.Site{Name: "Old", Summary: "Kept", Languages: []string{"nl"}, Countries: []string{"NL"}, HumanPage: "https://a.example/ask", AcceptsInquiries: true}
	Facts(&s, &publisherfile.File{Name: "New", Languages: []string{"en"}})
	if s.Name != "New" || s.Summary != "Kept" || !slices.Equal(s.Languages, []string{"en"}) || !slices.Equal(s.Countries, []string{"NL"}) || !s.AcceptsInquiries {
		t.Errorf("the site became %+v", s)
	}
	Facts(&s, &publisherfile.File{Inquiries: &publisherfile.Inquiries{Closed: true}})
	if s.AcceptsInquiries || s.HumanPage != "https://a.example/ask" || s.Name != "New" {
		t.Errorf("after it closed inquiries: %+v", s)
	}
}

// TestRegister checks what the origin would hold of a file: what is said of the
// whole site, since when, and offers that begin when they were read unless they
// say so themselves.
func TestRegister(t *testing.T) {
	f := &publisherfile.File{
		Name: "Alpha",
		Preferences: []publisherfile.Preference{
			{Use: "rag", Declared: "disallow"}, {Use: "training", Inquiry: "welcome"}, {Use: "search_indexing", Declared: "allow", Paths: []string{"/open/*"}},
		},
		Offers: []publisherfile.Offer{{Slug: "archive", Title: "Archive", Uses: []string{"training", "rag"}}, {Slug: "later", Title: "Later", ValidFrom: "2027-01-01T00:00:00Z", Paths: []string{"/a/*"}}},
	}
	const at = "2026-11-01T12:00:00Z"
	site, preferences, offers := Register(origin.Site{SiteID: "alpha"}, f, at)
	var got []string
	for _, p := range preferences {
		got = append(got, strings.Join([]string{p.SiteID, p.Use, p.Declared, p.Inquiry, p.Source, p.Since}, " "))
	}
	want := []string{"alpha rag disallow unstated file " + at, "alpha training unknown welcome file " + at}
	if site.Name != "Alpha" || !slices.Equal(got, want) {
		t.Errorf("%s states %q, want %q", site.Name, got, want)
	}
	got = nil
	for _, o := range offers {
		got = append(got, fmt.Sprint(o.Slug, " ", o.Status, " ", o.ScopeType, " ", o.Paths, " ", o.Permits, " ", o.ValidFrom))
	}
	want = []string{"archive offered site [/*] [rag training] " + at, "later offered section [/a/*] [] 2027-01-01T00:00:00Z"}
	assert.EqualSlices(t, got, want, "it offers")
}

func TestHolder(t *testing.T) {
	for _, c := range []struct {
		file publisherfile.File
		want string
	}{
		{publisherfile.File{Name: "Alpha"}, "Alpha"},
		{publisherfile.File{Name: "Alpha", LegalName: "Alpha B.V."}, "Alpha B.V."},
		{publisherfile.File{Name: "Alpha", LegalName: "Alpha B.V.", Holder: &publisherfile.Holder{Name: "House"}}, "House"},
	} {
		assert.Equal(t, Holder(&c.file), c.want, "the holder")
	}
}

func TestScopeOf(t *testing.T) {
	for _, c := range []struct {
		paths []string
		kind  string
		list  []string
	}{
		{nil, "site", []string{"/*"}},
		{[]string{"/"}, "site", []string{"/*"}},
		{[]string{"/*"}, "site", []string{"/*"}},
		{[]string{"/a/*"}, "section", []string{"/a/*"}},
		{[]string{"/", "/a/*"}, "section", []string{"/", "/a/*"}},
	} {
		if kind, list := ScopeOf(c.paths); kind != c.kind || !slices.Equal(list, c.list) {
			t.Errorf("%q: %s %q, want %s %q", c.paths, kind, list, c.kind, c.list)
		}
	}
}

// TestClosed checks which statements of a publisher's own file close a part of
// its site: those that reserve a use below a path, or ask for a licence there.
// Prices of offers and other channels close nothing.
func TestClosed(t *testing.T) {
	said := func(pattern string, effect statements.Effect, locator string) statements.Statement {
		return statements.Statement{Pattern: pattern, Word: "rag", Effect: effect, Locator: locator}
	}
	own := statements.Document{Channel: statements.PublisherFile, Statements: []statements.Statement{
		said("/closed/*", statements.Disallow, "/preferences/0"), said("/closed/*", statements.Disallow, "/preferences/1"),
		said("/asked/*", statements.Priced, "/preferences/2"), said("/sold/*", statements.Priced, "/offers/0"),
		said("/open/*", statements.Allow, "/preferences/3"), said("", statements.Disallow, "/preferences/4"), said("/", statements.Disallow, "/preferences/5"), said("/*", statements.Disallow, "/preferences/6"),
	}}
	other := statements.Document{Channel: statements.RSL, Statements: []statements.Statement{said("/elsewhere/*", statements.Disallow, "1")}}
	var got []string
	for _, c := range Closed([]statements.Document{other, own}) {
		got = append(got, c.Prefix+" "+string(c.Use))
	}
	if want := []string{"/closed/ rag", "/asked/ rag"}; !slices.Equal(got, want) {
		t.Errorf("closed are %q, want %q", got, want)
	}
}

func TestInOrder(t *testing.T) {
	assert.EqualSlices(t, InOrder([]string{"training", "nothing", "rag"}), []string{"rag", "training"}, "the uses")
}

// TestRetentionReachesThePolicy checks that the policy from which channels are
// written has the retentions of a file.
func TestRetentionReachesThePolicy(t *testing.T) {
	text := []byte(`{"colophon_publisher":"1","name":"A","preferences":[{"use":"rag","declared":"allow","retention":"none"}],
		"offers":[{"slug":"a","title":"T","uses":["training"],"payment":{"model":"use","on_request":true},"obligations":{"retention":"P30D"}}]}`)
	read, err := publisherfile.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	p := PolicyOf("site-a", "https://a.example/", "https://registry.example", "https://registry.example/ask", "2026-11-20T09:00:00Z", text, &read.File)
	if len(p.Preferences) != 1 || p.Preferences[0].Retention != "none" || len(p.Offers) != 1 || p.Offers[0].Obligations.Keeps() != "P30D" {
		t.Errorf("the policy is %+v with %+v", p.Preferences, p.Offers)
	}
}
