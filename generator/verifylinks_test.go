package generator

import (
	"regexp"
	"slices"
	"strings"
	"testing"
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
		`curl "https://registry.example/v1/public/citations/$ENTRY.json"`:               nil,
		`[docs](https://registry.example/developers/) and 'https://registry.example/x'`: {"/developers/", "/x"},
	} {
		if got := testAddresses().find(text); !slices.Equal(got, want) {
			t.Errorf("%s: found %q, not %q", text, got, want)
		}
	}
}

// Each address of this service in a published file has to lead somewhere.
func TestFollow(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		want       string // in the finding, "" none
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
		{"favicon.png", "https://registry.example/gone/", ""},
	} {
		v := &audit{list: map[string]fileNote{"publishers/a/index.html": {}}, own: testAddresses()}
		v.follow(tc.name, []byte(tc.text))
		found := strings.Join(v.Findings, "\n")
		if tc.want == "" && found != "" || tc.want != "" && !strings.Contains(found, tc.name+": names https://registry.example"+tc.want+",") {
			t.Errorf("%s with %s: found %q", tc.name, tc.text, found)
		}
	}
}
