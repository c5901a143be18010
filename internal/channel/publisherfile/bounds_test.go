package publisherfile

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// repeat joins n items made from their numbers.
func repeat(n int, item string) string {
	items := make([]string, n)
	for i := range items {
		items[i] = fmt.Sprintf(item, i)
	}
	return strings.Join(items, ",")
}

// values returns a file with n values: the file, its version and name, a list
// of lists, and the contents of these.
func values(n int) string {
	n -= 4
	var lists []string
	for n > 0 {
		items := min(n-1, 1000)
		lists = append(lists, "["+repeat(items, "%d")+"]")
		n -= items + 1
	}
	return `{"colophon_publisher":"1","name":"A","x":[` + strings.Join(lists, ",") + `]}`
}

// TestBounds checks that each bound allows as many as it says and not one more.
func TestBounds(t *testing.T) {
	file := func(rest string) string { return `{"colophon_publisher":"1","name":"A",` + rest + `}` }
	const offer = `{"slug":"s%d","title":"T","uses":["rag"],"payment":{"model":"use","on_request":true}}`
	preference := func(n int) string {
		return `"preferences":[` + repeat(n, `{"use":"rag","declared":"allow","paths":["/p%d"]}`) + `]`
	}
	paths := func(n int) string {
		return `"preferences":[{"use":"rag","declared":"allow","paths":[` + repeat(n, `"/p%d"`) + `]}]`
	}
	for _, c := range []struct {
		name string
		body func(n int) string
		most int
		code string
	}{
		{"bytes", func(n int) string { b := file(`"feeds":[]`); return strings.Repeat(" ", n-len(b)) + b }, MaxBytes, "too_large"},
		{"hosts", func(n int) string { return file(`"hosts":[` + repeat(n, `"h%d.example"`) + `]`) }, MaxHosts, "too_many"},
		{"reservations", func(n int) string {
			return file(`"reservations":[` + repeat(n, `{"code":"00000000000000000000000000000000000000000000000000000000000a%04d","uses":["rag"]}`) + `]`)
		}, MaxReserved, "too_many"},
		{"offers", func(n int) string { return file(`"offers":[` + repeat(n, offer) + `]`) }, MaxOffers, "too_many"},
		{"preferences", func(n int) string { return file(preference(n)) }, MaxPreferences, "too_many"},
		{"paths", func(n int) string { return file(paths(n)) }, MaxPaths, "too_many"},
		{"feeds", func(n int) string { return file(`"feeds":[` + repeat(n, `"https://a.example/%d"`) + `]`) }, MaxWords, "too_many"},
		{"sitemaps", func(n int) string { return file(`"sitemaps":[` + repeat(n, `"https://a.example/%d"`) + `]`) }, MaxWords, "too_many"},
		{"syndicated_to", func(n int) string { return file(`"syndicated_to":[` + repeat(n, `"h%d.example"`) + `]`) }, MaxWords, "too_many"},
		{"registries", func(n int) string { return file(`"registries":[` + repeat(n, `"https://a%d.example"`) + `]`) }, MaxWords, "too_many"},
		{"name", func(n int) string { return `{"colophon_publisher":"1","name":"` + strings.Repeat("é", n) + `"}` }, maxName, "too_long"},
		{"depth", func(n int) string { return file(`"x":` + strings.Repeat("[", n-1) + strings.Repeat("]", n-1)) }, 8, "json_too_deep"},
		{"values", values, 20000, "json_too_many_members"},
	} {
		if _, err := Read([]byte(c.body(c.most))); err != nil {
			t.Errorf("%s: %d are refused: %v", c.name, c.most, err)
		}
		_, err := Read([]byte(c.body(c.most + 1)))
		var list Errors
		if !errors.As(err, &list) || list[0].Code != c.code {
			t.Errorf("%s: %d give %v, want %s", c.name, c.most+1, err, c.code)
		}
	}
}

// TestRefused checks what each rule of the reader refuses.
func TestRefused(t *testing.T) {
	const ok = `{"colophon_publisher":"1","name":"A",`
	offer := func(rest string) string {
		return ok + `"offers":[{"slug":"a","title":"T","uses":["rag"],"payment":{"model":"use","on_request":true},` + rest + `}]}`
	}
	for _, c := range []struct{ body, want string }{
		{`{"colophon_publisher":"1","name":"  "}`, "/name too_short"},
		{ok + `"legal_name":"a\u2066b"}`, "/legal_name text_unsafe"},
		{ok + `"description":"a\u2028b"}`, "/description text_unsafe"},
		{ok + `"languages":["english language"]}`, "/languages/0 language_invalid"},
		{ok + `"countries":["nl"]}`, "/countries/0 country_invalid"},
		{ok + `"categories":["Trade"]}`, "/categories/0 slug_invalid"},
		{ok + `"syndicated_to":["https://a.example/"]}`, "/syndicated_to/0 host_invalid"},
		{ok + `"noindex":"maybe"}`, "/noindex "},
		{ok + `"listing":"close"}`, "/listing "},
		{ok + `"withdrawn":["https://a.example/page"]}`, "/withdrawn/0 path_invalid"},
		{ok + `"withdrawn":["page"]}`, "/withdrawn/0 path_invalid"},
		{ok + `"withdrawn":["/*/page"]}`, "/withdrawn/0 path_invalid"},
		{ok + `"withdrawn":["/caf%C3%A9","/café"]}`, "/withdrawn/1 repeated"},
		{ok + `"withdrawn":["/a"` + strings.Repeat(`,"/a"`, 1000) + `]}`, "/withdrawn too_many"},
		{ok + `"feeds":["ftp://a.example/"]}`, "/feeds/0 address_invalid"},
		{ok + `"feeds":["https://a.example/ü%00"]}`, "/feeds/0 address_invalid"},
		{ok + `"feeds":["https://localhost/"]}`, "/feeds/0 address_invalid"},
		{ok + `"rights_holder":{"name":"H","url":"javascript:x"}}`, "/rights_holder/url address_invalid"},
		{ok + `"rights_holder":{"name":"H","territories":["Netherlands"]}}`, "/rights_holder/territories/0 territory_invalid"},
		{ok + `"inquiries":{"email":"a b@c.example"}}`, "/inquiries/email email_invalid"},
		{ok + `"inquiries":{"email":"a@"}}`, "/inquiries/email email_invalid"},
		{ok + `"preferences":[{"use":"rag","declared":"allow"},{"use":"rag","declared":"disallow","paths":["/*"]}]}`, "/preferences/1 repeated"},
		{ok + `"preferences":[{"use":"rag","inquiry":"welcome","paths":["/a/"]}]}`, "/preferences/0/inquiry whole_site_only"},
		{ok + `"preferences":[{"use":"rag","declared":"allow","paths":["/a*b"]}]}`, "/preferences/0/paths/0 path_invalid"},
		{offer(`"prohibits":["rag"]`), "/offers/0/prohibits/0 contradicts"},
		{offer(`"valid_from":"2026-02-01T00:00:00Z","valid_until":"2026-02-01T00:00:00Z"`), "/offers/0/valid_until contradicts"},
		{offer(`"valid_until":"2101-01-01T00:00:00Z"`), "/offers/0/valid_until time_invalid"},
		{offer(`"terms":{"url":"https://a.example/","sha256":"` + strings.Repeat("A", 64) + `"}`), "/offers/0/terms/sha256 digest_invalid"},
		{offer(`"obligations":{"display_limit_chars":-1}`), "/offers/0/obligations/display_limit_chars out_of_range"},
		{offer(`"obligations":{"retention":"P0D"}`), "/offers/0/obligations/retention retention_invalid"},
		{offer(`"obligations":{"retention":"P3651D"}`), "/offers/0/obligations/retention retention_invalid"},
		{offer(`"obligations":{"retention":30}`), "/offers/0/obligations/retention type_mismatch"},
		{offer(`"obligations":{"retention":-30}`), "/offers/0/obligations/retention type_mismatch"},
		{ok + `"preferences":[{"use":"rag","retention":"unknown"}]}`, "/preferences/0/retention retention_invalid"},
		{ok + `"preferences":[{"use":"rag","retention":"P-30D"}]}`, "/preferences/0/retention retention_invalid"},
		{ok + `"preferences":[{"use":"rag","retention":"P99999999999999999999D"}]}`, "/preferences/0/retention retention_invalid"},
		{ok + `"preferences":[{"use":"rag","retention":"none while_licensed"}]}`, "/preferences/0/retention retention_invalid"},
		{ok + `"preferences":[{"use":"rag","retention":["none","P30D"]}]}`, "/preferences/0/retention type_mismatch"},
		{ok + `"preferences":[{"use":"rag","retention":{"days":30}}]}`, "/preferences/0/retention type_mismatch"},
		{ok + `"preferences":[{"use":"rag","retention":true}]}`, "/preferences/0/retention type_mismatch"},
		{offer(`"obligations":{"delete_on_revocation_hours":8785}`), "/offers/0/obligations/delete_on_revocation_hours out_of_range"},
		{ok + `"offers":[{"slug":"A","title":"T","uses":["rag"],"payment":{"model":"use","on_request":true}}]}`, "/offers/0/slug slug_invalid"},
		{ok + `"offers":[{"slug":"a","title":"T","uses":[],"payment":{"model":"use","on_request":true}}]}`, "/offers/0/uses too_short"},
		{ok + `"offers":[{"slug":"a","title":"T","uses":["rag"],"payment":{"model":"free","on_request":true}}]}`, "/offers/0/payment/model contradicts"},
		{ok + `"offers":[{"slug":"a","title":"T","uses":["rag"],"payment":{"model":"use","currency":"EUR"}}]}`, "/offers/0/payment/currency amount_missing"},
		{ok + `"offers":[{"slug":"a","title":"T","uses":["rag"],"payment":{"model":"use","amount":"1","currency":"eur"}}]}`, "/offers/0/payment/currency currency_invalid"},
	} {
		_, err := Read([]byte(c.body))
		var list Errors
		if !errors.As(err, &list) || !strings.HasPrefix(strings.SplitN(list[0].String(), " ", 2)[1], c.want) {
			t.Errorf("%s: %v, want %s", c.body, err, c.want)
		}
	}
}

// TestWithdraws checks that a path without "*" withdraws one page with its
// query, written as it is or escaped, and a path with "*" all pages that begin
// with it.
func TestWithdraws(t *testing.T) {
	file, err := Read([]byte(`{"colophon_publisher":"1","name":"A","withdrawn":["/page","/old/*","/q?id=1","/café","/~me"]}`))
	must(t, err)
	for address, want := range map[string]bool{
		"https://a.example/page": true, "http://a.example:8080/page": true, "https://a.example/page2": false, "https://a.example/page/": false,
		"https://a.example/page?x": false, "https://a.example/Page": false, "https://a.example/a/page": false, "https://a.example/": false,
		"https://a.example/old/": true, "https://a.example/old/x/y?z": true, "https://a.example/old": false, "https://a.example/older": false,
		"https://a.example/q?id=1": true, "https://a.example/q?id=12": false, "https://a.example/q": false,
		"https://a.example/caf%C3%A9": true, "https://a.example/caf%c3%a9": true, "https://a.example/%7Eme": true,
	} {
		if file.Withdraws(address) != want {
			t.Errorf("the file withdraws %s: %t", address, !want)
		}
	}
	for patterns, want := range map[string]bool{`[]`: false, `["/"]`: false, `["/*"]`: true} {
		file, err := Read([]byte(`{"colophon_publisher":"1","name":"A","withdrawn":` + patterns + `}`))
		if err != nil || file.Withdraws("https://a.example/page") != want {
			t.Errorf("%s: %v, the file withdraws a page: %t", patterns, err, !want)
		}
	}
}

// TestOffsets checks that an offer may state its times with any offset.
func TestOffsets(t *testing.T) {
	got, err := Read([]byte(`{"colophon_publisher":"1","name":"A","offers":[{"slug":"a","title":"T","uses":["rag"],"payment":{"model":"use","on_request":true},"valid_from":"2026-02-01T00:30:00.5+01:00","valid_until":"2026-01-31T23:30:01+00:00"}]}`))
	must(t, err)
	if o := got.File.Offers[0]; o.ValidFrom != "2026-01-31T23:30:00Z" || o.ValidUntil != "2026-01-31T23:30:01Z" {
		t.Errorf("from %s until %s", o.ValidFrom, o.ValidUntil)
	}
}

// TestByteOrderMark checks that a byte order mark at the beginning is not an
// error.
func TestByteOrderMark(t *testing.T) {
	if _, err := Read([]byte("\ufeff" + `{"colophon_publisher":"1","name":"A"}`)); err != nil {
		t.Error(err)
	}
}

// TestInternationalNames checks that names and addresses as people write them
// become those of DNS and RFC 3986.
func TestInternationalNames(t *testing.T) {
	r, err := Read([]byte(`{"colophon_publisher":"1","name":"A","hosts":["Bücher.example","a_b.example","news.example."],
		"feeds":["https://bücher.example/ü","https://a.example/100%"],"policy_of":"https://bücher.example/a",
		"rights_holder":{"name":"H","url":"http://straße.example"},
		"inquiries":{"page":"https://例え。テスト/x","email":"desk@bücher.example"}}`))
	must(t, err)
	f := &r.File
	for _, c := range [][2]string{
		{strings.Join(f.Hosts, " "), "xn--bcher-kva.example a_b.example news.example"},
		{strings.Join(f.Feeds, " "), "https://xn--bcher-kva.example/%C3%BC https://a.example/100%25"},
		{f.PolicyOf, "https://xn--bcher-kva.example/a"},
		{f.Holder.URL, "http://xn--strae-oqa.example/"},
		{f.Inquiries.Page, "https://xn--r8jz45g.xn--zckzah/x"},
		{f.Inquiries.Email, "desk@bücher.example"},
	} {
		if c[0] != c[1] {
			t.Errorf("%s, want %s", c[0], c[1])
		}
	}
}
