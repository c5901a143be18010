package verify

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"colophon/generator/target"
	"colophon/internal/release"
	"colophon/internal/wire"
)

func testAddresses() *addresses {
	const base = "https://registry.example"
	return &addresses{base, regexp.MustCompile(regexp.QuoteMeta(base) + addressEnd)}
}

func TestFindAddresses(t *testing.T) {
	for text, want := range map[string][]string{
		`{"reporturl":"https://registry.example/v1/telemetry/events"}`:                  {"/v1/telemetry/events"},
		`License: https://registry.example/publishers/a/request/`:                       {"/publishers/a/request/"},
		`Link: <https://registry.example/a/?b=c#d>; rel="license"`:                      {"/a/"},
		`See https://registry.example.`:                                                 {"/"},
		`https://registry.example/a and https://registry.example/a`:                     {"/a"},
		`https://registry.example:8443/a https://registry.example.org/b`:                nil,
		`https://registry.example/publishers/{site_id}`:                                 nil,
		`https://registry.example/v1/public/rights/check{?url}`:                         {"/v1/public/rights/check"},
		`curl "https://registry.example/v1/public/citations/$ENTRY.json"`:               nil,
		`[docs](https://registry.example/developers/) and 'https://registry.example/x'`: {"/developers/", "/x"},
	} {
		if got := testAddresses().findPaths(text); !slices.Equal(got, want) {
			t.Errorf("%s: found %q, not %q", text, got, want)
		}
	}
}

// TestFollow checks that each address of this service in a published file is
// reported if nothing is published or answered there.
func TestFollow(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		want       string // the path in the finding; empty if there must be none
	}{
		{"publishers/a/pack/comp-package.json", `{"reporturl":"https://registry.example/v1/telemetry/events"}`, "/v1/telemetry/events"},
		{"publishers/a/pack/license.xml", `<copyright contactUrl="https://registry.example/publishers/a/request/"/>`, "/publishers/a/request/"},
		{"publishers/a/pack/robots.txt", "License: https://registry.example/gone.xml", "/gone.xml"},
		{"publishers/a/index.html", `<pre>&#34;https://registry.example/gone/&#34;</pre>`, "/gone/"},
		{"_headers", "Link: <https://registry.example/gone/>", "/gone/"},
		{"publishers/a/index.html", `<pre>&#34;https://registry.example/publishers/a/&#34;</pre>`, ""},
		{"llms.txt", "https://registry.example/mcp and https://registry.example/v1/public/rights/check?url=x", ""},
		{"a.json", `"https://registry.example/v1/public/licensing-request"`, ""},
		{"a.json", `"https://elsewhere.example/v1/telemetry/events"`, ""},
		{"a.odrl.jsonld", `{"uid":"https://registry.example/gone"}`, "/gone"},
		{"a.json", `"https://registry.example/mcp/publisher/a"`, ""},
		{"a.json", `"https://registry.example/mcp/publisher/nobody"`, "/mcp/publisher/nobody"},
		{"a.json", `"https://registry.example/v1/public/licensing-feed"`, "/v1/public/licensing-feed"}, // a list is answered from files, and none is published here
		{"favicon.png", "https://registry.example/gone/", ""},
	} {
		files := target.NewFiles([]release.File{{Name: "publishers/a/index.html"}, {Name: "v1/licensing-marketplace/publishers/a.json"}})
		v := &audit{files: files, own: testAddresses()}
		v.checkAddresses(tc.name, []byte(tc.text))
		found := strings.Join(v.Findings, "\n")
		if tc.want == "" && found != "" || tc.want != "" && !strings.Contains(found, tc.name+": names https://registry.example"+tc.want+",") {
			t.Errorf("%s with %s: found %q", tc.name, tc.text, found)
		}
	}
}

// TestFollowRelative checks the same of addresses without a host, in the
// attributes of pages and in the members of documents that hold addresses.
func TestFollowRelative(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		want       string // the path in the finding; empty if there must be none
	}{
		{"index.html", `<a class=x href=/gone/>x</a>`, "/gone/"},
		{"index.html", `<a href="/gone/?a=b#c">x</a>`, "/gone/"},
		{"index.html", `<form action="/v1/public/licensing-request" method="post"><input formaction='/gone'></form>`, "/gone"},
		{"index.html", `<script src="/assets/gone.js"></script>`, "/assets/gone.js"},
		{"index.html", `<a href="/publishers/a/">x</a><a href="//elsewhere.example/">x</a><a href="#top">x</a><code>/gone</code>`, ""},
		{"a.json", `{"history_url":"/gone"}`, "/gone"},
		{"a.json", `{"policy":{"evidence":["/publishers/a/","/gone"]}}`, "/gone"},
		{"a.json", `{"links":{"self":"/gone?limit=2"}}`, "/gone"},
		{"a.json", `{"links":{"self":"/v1/public/content-catalog/search?q=x"},"path":"/shipping/*","title":"/etc/passwd","href":"/mcp/publisher/{site_id}"}`, ""},
		{"_sandbox/a.json", `{"links":{"page":"/publishers/x/","self":"/a.json"}}`, ""},
	} {
		v := &audit{files: target.NewFiles([]release.File{{Name: "_sandbox/a.json"}, {Name: "publishers/a/index.html"}}), own: testAddresses()}
		v.checkAddresses(tc.name, []byte(tc.text))
		if doc, err := wire.Parse([]byte(tc.text), wire.Trusted); err == nil {
			v.checkLinks(tc.name, &doc)
		}
		found := strings.Join(v.Findings, "\n")
		if tc.want == "" && found != "" || tc.want != "" && found != tc.name+": links to "+tc.want+", at which nothing is published or answered" {
			t.Errorf("%s with %s: found %q", tc.name, tc.text, found)
		}
	}
}
