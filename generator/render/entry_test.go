package render

import (
	"strings"
	"testing"

	"colophon/exports"
	"colophon/internal/blob/entryfacts"
	"colophon/internal/wire"
)

// TestExactRecord checks that a record is found from what its page states now,
// by decoding it, or not at all.
func TestExactRecord(t *testing.T) {
	bare := exports.Record{
		PublisherID: "pub_a", SiteID: "a", EntryID: "ent_a", CanonicalURL: "https://a.example/", Portable: "p", Registry: "r",
		Source:   exports.Source{Title: `"as_of":"`, ContentFormat: "html"},
		Passport: exports.Passport{HolderName: "A", HolderBasis: "stated_by_publisher", AsOf: "2026-01-02T00:00:00Z"},
	}
	signed := bare
	signed.Version, signed.Supersedes = 2, "0123"
	signed.Passport.AsOf = "2026-01-01T00:00:00Z"
	signed.Proof = exports.Proof{KeyID: "k", Created: "2026-01-03T00:00:00Z", Signature: "s"}
	text := string(wire.Append(nil, &signed))
	other := bare
	other.Source.Title = "Now"
	for name, c := range map[string]struct {
		text  string
		bare  exports.Record
		found bool
	}{
		"the same":        {text, bare, true},
		"another title":   {text, other, true},
		"nothing now":     {text, exports.Record{}, true},
		"spaces":          {strings.Replace(text, ",", ", ", 1), bare, false},
		"another entry":   {strings.ReplaceAll(text, "ent_a", "ent_b"), bare, false},
		"another version": {strings.ReplaceAll(text, `"record_version":2`, `"record_version":3`), bare, false},
		"not a record":    {`{"as_of":"`, bare, false},
	} {
		got := exactRecord(&entryfacts.Facts{EntryID: "ent_a", Version: 2, Signed: []byte(c.text)}, c.bare)
		if (got != nil) != c.found || c.found && string(wire.Append(nil, got)) != text {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
