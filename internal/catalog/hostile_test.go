package catalog_test

import (
	"context"
	"encoding/base64"
	"strings"
	"testing"

	"colophon/exports"
	"colophon/internal/catalog/catalogtest"
	"colophon/internal/listing"
	"colophon/internal/lookup"
	"colophon/internal/staticindex"
)

func TestHostileQuestions(t *testing.T) {
	w := catalogtest.NewWorld(t, 5, 200, 1)
	ctx := context.Background()
	r, err := w.Feed(ctx, staticindex.Ask{Cursor: "*"}, false)
	if err != nil {
		t.Fatal(err)
	}
	own := r.Page.NextCursor
	forged := func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }
	for _, c := range []struct {
		name string
		ask  staticindex.Ask
		want string
	}{
		{"ten megabytes", staticindex.Ask{Q: strings.Repeat("a ", 5<<20)}, "invalid_parameter"},
		{"201 characters", staticindex.Ask{Q: strings.Repeat("é", 201)}, "invalid_parameter"},
		{"200 characters", staticindex.Ask{Q: strings.Repeat("é", 200)}, ""},
		{"control characters", staticindex.Ask{Q: "a\x00b"}, "invalid_parameter"},
		{"C1 controls", staticindex.Ask{Q: "a\u0085b"}, "invalid_parameter"},
		{"not UTF-8", staticindex.Ask{Q: "a\xff"}, "invalid_parameter"},
		{"a facet word", staticindex.Ask{Q: "\x01site:x"}, "invalid_parameter"},
		{"only marks", staticindex.Ask{Q: "!?"}, ""},
		{"limit below", staticindex.Ask{Limit: "-1"}, "invalid_parameter"},
		{"limit above", staticindex.Ask{Limit: "101"}, "invalid_parameter"},
		{"limit with sign", staticindex.Ask{Limit: "+1"}, "invalid_parameter"},
		{"limit in words", staticindex.Ask{Limit: "ten"}, "invalid_parameter"},
		{"limit without end", staticindex.Ask{Limit: strings.Repeat("9", 1<<20)}, "invalid_parameter"},
		{"limit zero", staticindex.Ask{Limit: "0"}, ""},
		{"offset below", staticindex.Ask{Offset: "-1"}, "invalid_parameter"},
		{"offset in floats", staticindex.Ask{Offset: "9e99"}, "invalid_parameter"},
		{"offset deep", staticindex.Ask{Offset: "10001"}, "offset_too_deep"},
		{"offset without end", staticindex.Ask{Offset: strings.Repeat("9", 1<<20)}, "offset_too_deep"},
		{"offset at the edge", staticindex.Ask{Offset: "10000"}, ""},
		{"offset and cursor", staticindex.Ask{Offset: "0", Cursor: own}, "conflicting_parameters"},
		{"own cursor", staticindex.Ask{Cursor: own}, ""},
		{"cursor of another question", staticindex.Ask{Q: "news", Cursor: own}, "invalid_parameter"},
		{"cursor cut", staticindex.Ask{Cursor: own[:len(own)-2]}, "invalid_parameter"},
		{"cursor padded", staticindex.Ask{Cursor: own + "="}, "invalid_parameter"},
		{"cursor of junk", staticindex.Ask{Cursor: forged("{}")}, "invalid_parameter"},
		{"cursor in deep arrays", staticindex.Ask{Cursor: forged(strings.Repeat("[", 100))}, "invalid_parameter"},
		{"cursor far out", staticindex.Ask{Cursor: reforge(own, " 20 ", " 99999999 ")}, ""},
		{"cursor beyond numbers", staticindex.Ask{Cursor: reforge(own, " 20 ", " 99999999999999999999999 ")}, "invalid_parameter"},
		{"cursor below zero", staticindex.Ask{Cursor: reforge(own, " 20 ", " -20 ")}, "invalid_parameter"},
		{"cursor of the earlier form", staticindex.Ask{Cursor: forged(`{"k":"20.1","r":"0123456789abcdef","v":1}`)}, "cursor_expired"},
		{"cursor of another kind of list", staticindex.Ask{Cursor: reforge(own, "list ", "requests ")}, "invalid_parameter"},
	} {
		if _, err := w.Feed(ctx, c.ask, false); catalogtest.CodeOf(err) != c.want || err != nil && c.want == "" {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
	}
}

// reforge changes the content of a cursor.
func reforge(cursor, from, to string) string {
	b, _ := base64.RawURLEncoding.DecodeString(cursor)
	return base64.RawURLEncoding.EncodeToString([]byte(strings.Replace(string(b), from, to, 1)))
}

func TestHostileFilters(t *testing.T) {
	w := catalogtest.NewWorld(t, 5, 200, 1)
	ctx := context.Background()
	for name, err := range map[string]error{
		"q on search is required": second(w.SearchCatalog(ctx, staticindex.Ask{})),
		"unknown level":           second(w.RightsMap(ctx, staticindex.Ask{}, nil, []string{"min:great"})),
		"unknown readiness":       second(w.RightsMap(ctx, staticindex.Ask{}, nil, []string{"listed,"})),
		"category of junk":        second(w.RightsMap(ctx, staticindex.Ask{}, []string{"a\x01b"}, nil)),
		"unknown use":             second(w.PartnerCatalog(ctx, staticindex.Ask{}, listing.PublisherFilter{PreferredUse: []string{"steal"}})),
		"pages in floats":         second(w.PartnerCatalog(ctx, staticindex.Ask{}, listing.PublisherFilter{MinRegisteredPages: "1e3"})),
		"verified perhaps":        second(w.PartnerCatalog(ctx, staticindex.Ask{}, listing.PublisherFilter{Verified: "perhaps"})),
		"unknown suitability":     second(w.PartnerCatalog(ctx, staticindex.Ask{}, listing.PublisherFilter{RAGSuitability: "best"})),
		"territory in words":      second(w.LicenseCatalog(ctx, staticindex.Ask{}, listing.OfferFilter{Territory: "Europe"})),
		"territory of two words":  second(w.LicenseCatalog(ctx, staticindex.Ask{}, listing.OfferFilter{Territory: "T "})),
		"site of junk":            second(w.LicenseCatalog(ctx, staticindex.Ask{}, listing.OfferFilter{SiteID: "../x"})),
	} {
		if catalogtest.CodeOf(err) != "invalid_parameter" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := w.Inventory(ctx, "no-such-site", staticindex.Ask{}); catalogtest.CodeOf(err) != "site_not_found" {
		t.Errorf("unknown site: %v", err)
	}
	if _, err := w.Inventory(ctx, "../../etc", staticindex.Ask{}); catalogtest.CodeOf(err) != "site_not_found" {
		t.Errorf("site with a path: %v", err)
	}
}

func second[T any](_ T, err error) error { return err }

func TestHostileLookups(t *testing.T) {
	w := catalogtest.NewWorld(t, 5, 200, 1)
	e := w.Corpus.Page(7)
	for _, c := range []struct {
		name string
		l    lookup.Query
		want string
	}{
		{"none", lookup.Query{}, "lookup_key_required"},
		{"two", lookup.Query{URL: e.URL, EntryID: e.EntryID}, "lookup_key_required"},
		{"as registered", lookup.Query{URL: e.URL}, ""},
		{"another spelling", lookup.Query{URL: strings.Replace(strings.Replace(e.URL, "https://", "HTTPS://", 1), ".example/", ".EXAMPLE:443/./", 1) + "#top"}, ""},
		{"escaped letters", lookup.Query{URL: strings.Replace(e.URL, "example/", "example/%6Eo/%2e%2e/", 1)}, ""},
		{"broken escape of another address", lookup.Query{URL: e.URL + "%2"}, "no_match"},
		{"escaped null", lookup.Query{URL: e.URL + "%00"}, "invalid_parameter"},
		{"user information", lookup.Query{URL: "https://a@" + e.URL[8:]}, "invalid_parameter"},
		{"backslash", lookup.Query{URL: `https:\\` + e.URL[8:]}, ""},
		{"a tab", lookup.Query{URL: e.URL + "\t"}, ""},
		{"another scheme", lookup.Query{URL: "http" + e.URL[5:]}, ""},
		{"user information and a backslash", lookup.Query{URL: `https:\\a@` + e.URL[8:]}, "invalid_parameter"},
		{"ten megabytes", lookup.Query{URL: e.URL + strings.Repeat("a", 10<<20)}, "invalid_parameter"},
		{"another address", lookup.Query{URL: e.URL + "x"}, "no_match"},
		{"script as id", lookup.Query{EntryID: "<script>"}, "invalid_parameter"},
		{"unknown id", lookup.Query{EntryID: "ent_000000000000000000000000"}, "no_match"},
		{"id of another kind", lookup.Query{EntryID: "x"}, "no_match"},
		{"short digest", lookup.Query{Fingerprint: "ab"}, "invalid_parameter"},
		{"ten megabytes of digest", lookup.Query{Fingerprint: strings.Repeat("a", 10<<20)}, "invalid_parameter"},
		{"unknown digest", lookup.Query{Fingerprint: strings.Repeat("0", 64)}, "no_match"},
		{"digest in capitals", lookup.Query{Fingerprint: strings.ToUpper(e.Digest)}, ""},
		{"registry digest", lookup.Query{Fingerprint: e.Registry}, ""},
	} {
		r, err := w.Resolve(context.Background(), c.l)
		if catalogtest.CodeOf(err) != c.want || err != nil && c.want == "" {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		} else if err == nil && (len(r.Candidates) != 1 || r.Candidates[0].EntryID != e.EntryID) {
			t.Errorf("%s: got %+v", c.name, r.Candidates)
		}
	}
}

// FuzzAsk checks that every query is answered with a list or refused as the
// caller's error.
func FuzzAsk(f *testing.F) {
	w := catalogtest.NewWorld(f, 5, 200, 1)
	r, err := w.SearchCatalog(context.Background(), staticindex.Ask{Q: "news", Limit: "1"})
	if err != nil {
		f.Fatal(err)
	}
	f.Add("news", "1", "", r.Page.NextCursor)
	f.Add("東京 the", "100", "9999", "")
	f.Fuzz(func(t *testing.T, q, limit, offset, cursor string) {
		a := staticindex.Ask{Q: q, Limit: limit, Offset: offset, Cursor: cursor}
		_, err := w.SearchCatalog(context.Background(), a)
		fault(t, err)
		_, err = w.PartnerCatalog(context.Background(), a, listing.PublisherFilter{Category: []string{q}, Verified: limit, MinRegisteredPages: offset})
		fault(t, err)
		_, err = w.Resolve(context.Background(), lookup.Query{URL: q, Fingerprint: limit, EntryID: offset})
		fault(t, err)
	})
}

func fault(t *testing.T, err error) {
	if err == nil {
		return
	}
	if s := exports.KindOf(catalogtest.CodeOf(err)).Status; s < 400 || s >= 500 {
		t.Fatalf("status %d: %v", s, err)
	}
}
