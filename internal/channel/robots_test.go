package channel

import (
	"slices"
	"strings"
	"testing"

	"github.com/jimsmart/grobotstxt"
	"pgregory.net/rapid"

	"colophon/internal/assert"
	"colophon/internal/channel/statements"
)

// TestRobotsAgreesWithGrobotstxt compares with a port of a large crawler's own
// parser, except for its peculiarities: "index.html" standing for its folder,
// agents with digits, percent-encoded letters, paths without a slash, and rules
// before any group (which count as restrictions here).
func TestRobotsAgreesWithGrobotstxt(t *testing.T) {
	agents := rapid.SampledFrom([]string{"*", "foobot", "FooBot/2.1 (+https://x.example)", "barbot", "foobot-news", "* foo"})
	paths := rapid.SampledFrom([]string{"/", "/a", "/a/", "/a*b", "/a*/b$", "/b", "/b$", "/*.gif$", "/a/b/c", "/ä", "*", "/a?x", ""})
	rapid.Check(t, func(t *rapid.T) {
		var lines []string
		for range rapid.IntRange(0, 14).Draw(t, "lines") {
			switch rapid.IntRange(0, 9).Draw(t, "kind") {
			case 0, 1, 2:
				lines = append(lines, rapid.SampledFrom([]string{"User-agent: ", "user-agent:", "USER-AGENT : "}).Draw(t, "key")+agents.Draw(t, "agent"))
			case 3, 4, 5:
				lines = append(lines, "Disallow: "+paths.Draw(t, "path"))
			case 6, 7:
				lines = append(lines, "Allow: "+paths.Draw(t, "path")+rapid.SampledFrom([]string{"", " # why", "  "}).Draw(t, "tail"))
			case 8:
				lines = append(lines, "")
			default:
				lines = append(lines, rapid.SampledFrom([]string{"Sitemap: https://x.example/s.xml", "# comment", "Crawl-delay: 3", "nonsense", "Disallow /b"}).Draw(t, "other"))
			}
		}
		body := strings.Join(lines, rapid.SampledFrom([]string{"\n", "\r\n", "\r"}).Draw(t, "line end"))
		agent := rapid.SampledFrom([]string{"foobot", "barbot", "bazbot", "foobot-news"}).Draw(t, "asking")
		path := rapid.SampledFrom([]string{"/", "/a", "/a/b", "/axb", "/b", "/b/c", "/x.gif", "/a/b/c/d", "/%C3%A4/1", "/a?x=1", "/c"}).Draw(t, "asked")
		r := ParseRobots(Input{URL: "https://x.example/robots.txt", Body: []byte(body)})
		got := read([]Result{r}, path, agent, statements.Robots) != "DDDDDDUD"
		want := grobotstxt.AgentAllowed(body, agent, "https://x.example"+path)
		restricted := slices.Contains(r.WarningCodes(), "robots_rule_outside_group") // for everybody, as evidence
		if got != want && (got || !restricted) {
			t.Fatalf("%s on %s: allowed %v, want %v\n%q", agent, path, got, want, body)
		}
		if got := ParseCrawlRules([]byte(body), agent).AllowsPath(path); got != want {
			t.Fatalf("%s on %s: may fetch %v, want %v\n%q", agent, path, got, want, body)
		}
	})
}

func TestRobotsDeviations(t *testing.T) {
	for _, c := range []struct{ body, warnings string }{
		{"User-agent: *\nDissallow: /a\n", "robots_misspelt_rule"},
		{"Useragent: *\nDisallow: /a\n", "robots_misspelt_rule"},
		{"User-agent: *\nDisallow /a\n", "robots_missing_colon"},
		{"User-agent: *\nDisallow: a\n", "robots_path_without_slash"},
		{"Disallow: /a\n", "robots_rule_outside_group"},
		{"User-agent: \nDisallow: /a\n", "robots_agent_empty"},
		{"just words\n", "robots_line_ignored"},
		{"Content-Signal: ai-train=no\n", "content_signal_outside_group"},
		{"User-agent: *\nContent-Signals: ai-train=no\n", "content_signal_misspelt"},
		{"User-agent: *\nContent-Signal: ai_train=no\n", "content_signal_unknown_name"},
		{"User-agent: *\nContent-Signal: ai-train=0\n", "content_signal_value_ignored"},
		{"Content-Usage: / train-ai=n\n", "content_usage_outside_group"},
		{"User-agent: *\nContent-Usage: train-ai=n\n", ""},
		{"User-agent: *\nContent-Usage: /\n", "content_usage_without_preference"},
		{"User-agent: *\nContent-Usage: / =n\n", "content_usage_not_a_dictionary"},
		{"User-agent: *\nContent-Usage: / genai=n\n", "content_usage_unknown_category"},
		{"User-agent: *\nContent-Usage: / train-ai=no\n", "content_usage_value_ignored"},
		{"License: /license.xml\n", "license_not_absolute"},
		{"Sitemap: ftp://x/\n", "link_not_a_url"},
		{"User-agent: *\nDisallow: /\nSitemap: /s.xml\nAgentmap: https://x.example/agents.json\n", ""},
	} {
		r := robotsFile(c.body)
		assert.Equal(t, strings.Join(r.WarningCodes(), " "), c.warnings, "%q: warnings", c.body)
	}
}

func TestHeaderDeviations(t *testing.T) {
	fields := ReadFields([]byte("HTTP/1.1 200 OK\r\nLink: </license.xml>; rel=\"license copyright\"; title=\"a, b; c \\\" d\", <https://x.example/other>; rel=next, </terms>; rel=license; type=text/html\r\nContent-Usage: train-ai=n\r\ncontent-usage: search=y\r\nTDM-Policy: /p.json\r\n\r\nbody: x\r\n"))
	if len(fields) != 4 {
		t.Fatalf("fields %q", fields)
	}
	r := ParseHeaders(Input{URL: "https://x.example/a", Fields: fields})
	assert.Equal(t, strings.Join(r.WarningCodes(), " "), "license_link_without_type tdm_policy_without_reservation", "warnings")
	var links []string
	for _, l := range r.Links {
		links = append(links, l.Rel+" "+l.URL)
	}
	assert.Equal(t, strings.Join(links, "|"), "license https://x.example/license.xml|terms https://x.example/terms|tdm-policy https://x.example/p.json", "links")
	assert.Equal(t, read([]Result{r}, "https://x.example/a", "", statements.AIPrefHeader), "UDDUUDUU", "two lines of one field, and a licence that was not read")
}

func TestRSLDeviations(t *testing.T) {
	for _, c := range []struct{ doc, state, warnings string }{
		{`<rsl><content url="/"><license/></content></rsl>`, "valid", "rsl_namespace"},
		{`<rsl xmlns="http://rslstandard.org/rsl/"><content url="/"><license/></content></rsl>`, "valid", "rsl_namespace"},
		{`<rsl xmlns="https://other.example/"><content url="/"/></rsl>`, "invalid", "rsl_root_missing"},
		{`<rss/>`, "invalid", "rsl_root_missing"},
		{`<rsl`, "invalid", "rsl_not_xml"},
		{`<rsl xmlns="https://rslstandard.org/rsl"/>`, "invalid", "rsl_without_content"},
		{rslDoc(`<content url="/"/>`), "valid", "rsl_content_without_license"},
		{rslDoc(`<content><license/></content>`), "valid", "rsl_content_url_missing"},
		{rslDoc(`<content url=""><license/></content>`), "valid", "rsl_content_url_empty"},
		{rslDoc(`<content url="a"><license/></content>`), "valid", "content_url_without_slash"},
		{rslDoc(`<content url="https://harbor.example/a"><license/></content>`), "valid", "absolute_content_url"},
		{rslDoc(`<content url="https://other.example/a"><license/></content>`), "valid", "absolute_content_url content_url_other_host"},
		{rslDoc(`<content url="https://*/a"><license/></content>`), "valid", "absolute_content_url content_url_host_ignored"},
		{rslDoc(`<content url="/" server="x"><license/></content>`), "valid", ""},
		{rslDoc(`<content url="/" server="mailto:x"><license/></content>`), "valid", "rsl_server_not_a_url"},
		{rslDoc(`<content url="/"><license><permit type="usage">all</permit></license></content>`), "valid", "rsl_unknown_element"},
		{rslDoc(`<content url="/"><license><permits>all</permits></license></content>`), "valid", "rsl_type_unknown"},
		{rslDoc(`<content url="/"><license><prohibits>ai-all</prohibits></license></content>`), "valid", "rsl_type_missing"},
		{rslDoc(`<content url="/"><license><permits type="usage">AI-Train x:y zzz</permits></license></content>`), "valid", "rsl_usage_case rsl_usage_foreign rsl_usage_unknown"},
		{rslDoc(`<content url="/"><license><permits type="user">robots</permits><permits type="geo">nl NLD</permits></license></content>`), "valid", "rsl_geo_case rsl_geo_unknown rsl_user_unknown"},
		{rslDoc(`<content url="/"><license><payment type="inference"><amount>x</amount></payment></license></content>`), "valid", "rsl_amount_not_a_number rsl_currency_missing rsl_payment_draft_word"},
		{rslDoc(`<content url="/"><license><payment type="barter"/></license></content>`), "valid", "rsl_payment_unknown"},
		{rslDoc(`<content url="/"><license><reporting type="telemetry" profile="https://p.example/" endpoint="http://e.example/"/></license></content>`), "valid", "rsl_endpoint_not_https"},
		{rslDoc(`<content url="/"><license><reporting type="telemetry"/></license></content>`), "valid", "rsl_reporting_unreadable"},
		{rslDoc(`<content url="/"><license><reporting type="telemetry" profile="/p"/></license></content>`), "valid", "rsl_reporting_unreadable"},
		{rslDoc(`<content url="/"><license><reporting profile="https://p.example/"/></license></content>`), "valid", "rsl_reporting_unreadable"},
		{`<rsl xmlns="https://rslstandard.org/rsl" max-age="0"><content url="/"><license/></content></rsl>`, "valid", "rsl_max_age_ignored"},
		{rslDoc(`<content url="/" xmlns:f="https://f.example/"><f:note/><license><f:extra/></license></content>`), "valid", ""},
		{`<!DOCTYPE rsl [<!ENTITY e SYSTEM "file:///etc/passwd">]><rsl xmlns="https://rslstandard.org/rsl"><content url="/"><license><terms>&e;</terms></license></content></rsl>`, "invalid", "rsl_not_xml"},
	} {
		r := rslFile(c.doc)
		if got := strings.Join(r.WarningCodes(), " "); string(r.State) != c.state || got != c.warnings {
			t.Errorf("%s: %s %q, want %s %q", c.doc, r.State, got, c.state, c.warnings)
		}
	}
}

// TestRSLReporting reads what RSL demands to be reported: a permission names it, and
// is none where the demand cannot be read.
func TestRSLReporting(t *testing.T) {
	const permits = `<content url="/"><license><permits type="usage">ai-input</permits>`
	const telemetry = `<reporting type="telemetry" profile="https://contenttelemetry.org/profiles/spur" endpoint="https://t.example/v1/events">{"conformance_level":"grounding"}</reporting>`
	const told = ", reporting telemetry https://contenttelemetry.org/profiles/spur to https://t.example/v1/events"
	for _, c := range []struct{ more, uses, said, links string }{
		{"", "ADDDUDUU", "", ""},
		{telemetry, "ADDDUDUU", told, "reporting reporting-endpoint"},
		{telemetry + `<reporting type="AUDIT" profile="urn:x:audit"/>`, "ADDDUDUU", told + ", reporting audit urn:x:audit", "reporting reporting-endpoint reporting"},
		{`<payment type="use"/>` + telemetry, "PDDDUDUU", told, "reporting reporting-endpoint"},
		{telemetry + `<reporting type="telemetry"/>`, "UDDDUDUU", told, "reporting reporting-endpoint"},
		{strings.Repeat(telemetry, maxReporting), "ADDDUDUU", strings.Repeat(told, maxReporting), strings.TrimSpace(strings.Repeat("reporting reporting-endpoint ", maxReporting))},
		{strings.Repeat(telemetry, maxReporting+1), "UDDDUDUU", strings.Repeat(told, maxReporting), strings.TrimSpace(strings.Repeat("reporting reporting-endpoint ", maxReporting))},
	} {
		r := rslFile(rslDoc(permits + c.more + `</license></content>`))
		var links []string
		for _, l := range r.Links {
			links = append(links, l.Rel)
		}
		s := r.Statements[0]
		if got := read([]Result{r}, "/a", "", statements.RSL); got != c.uses || s.Text != clipText("permits usage=ai-input"+c.said) || strings.Join(links, " ") != c.links {
			t.Errorf("%s: %s %q, links %q", c.more, got, s.Text, links)
		}
		if demanded := strings.Join(s.Terms.Obligations, " "); demanded != "reporting" && c.more != "" || demanded != "" && c.more == "" {
			t.Errorf("%s: obligations %q", c.more, demanded)
		}
	}
}

func TestValidity(t *testing.T) {
	const now = 1795176000
	for _, c := range []struct {
		name string
		r    Result
		want int64
	}{
		{"robots", ParseRobots(Input{CheckedAt: now}), day},
		{"robots with a shorter life", ParseRobots(Input{CheckedAt: now, MaxAge: 60}), 60},
		{"robots with a longer life", ParseRobots(Input{CheckedAt: now, MaxAge: 90 * day}), day},
		{"rsl", ParseRSL(Input{CheckedAt: now, Body: []byte(rslDoc(`<content url="/"><license/></content>`))}), 30 * day},
		{"rsl with max-age", ParseRSL(Input{CheckedAt: now, Body: []byte(`<rsl xmlns="https://rslstandard.org/rsl" max-age="7"><content url="/"><license/></content></rsl>`)}), 7 * day},
		{"not known when", ParseRobots(Input{}), -now},
	} {
		assert.Equal(t, c.r.ValidUntil-now, c.want, "%s", c.name)
	}
}
