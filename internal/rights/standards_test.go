package rights_test

import (
	"strconv"
	"strings"
	"testing"

	"colophon/exports"
	"colophon/internal/assert"
	"colophon/internal/channel"
	"colophon/internal/channel/statements"
	"colophon/internal/rights"
)

const checked = int64(1795176000) // 2026-11-20T12:00:00Z

// documents returns results in the form in which a site's evidence keeps them.
func documents(results []channel.Result) []statements.Document {
	out := make([]statements.Document, len(results))
	for i := range results {
		out[i] = results[i].Document
	}
	return out
}

// evidence returns what was found about a resource as evidence.
func evidence(results []channel.Result, resource string) []rights.Evidence {
	var out []rights.Evidence
	for _, a := range statements.Answers(documents(results), resource) {
		for _, agent := range append([]string{a.Agent}, a.Alike...) {
			e := rights.EvidenceOf(&a)
			e.ID, e.Agent = "ev"+strconv.Itoa(len(out)+1), agent
			out = append(out, e)
		}
	}
	return out
}

const home = "https://pier-news.example"

func at(path, body string) channel.Input {
	return channel.Input{URL: home + path, Body: []byte(body), CheckedAt: checked}
}

func licence(contents string) channel.Result {
	return channel.ParseRSL(at("/license.xml", `<?xml version="1.0" encoding="UTF-8"?>
<rsl xmlns="https://rslstandard.org/rsl">`+contents+`</rsl>`))
}

func robots(lines ...string) channel.Result {
	return channel.ParseRobots(at("/robots.txt", strings.Join(lines, "\n")+"\n"))
}

func header(path string, fields ...string) channel.Result {
	return channel.ParseHeaders(channel.Input{URL: home + path, Fields: channel.ReadFields([]byte(strings.Join(fields, "\n"))), CheckedAt: checked})
}

func reservations(body string) channel.Result {
	return channel.ParseTDMRep(at("/.well-known/tdmrep.json", body))
}

func odrl(permission string) channel.Result {
	return channel.ParseODRL(at("/policies/mining.json", `{
  "@context": ["http://www.w3.org/ns/odrl.jsonld", {"tdm": "http://www.w3.org/ns/tdmrep#"}],
  "@type": "Offer", "profile": "http://www.w3.org/ns/tdmrep", "uid": "`+home+`/policies/mining",
  "assigner": {"uid": "`+home+`", "vcard:fn": "Pier News", "vcard:hasEmail": "mailto:rights@pier-news.example", "vcard:hasURL": "`+home+`/mining.html"},
  "permission": [`+permission+`]}`))
}

var (
	withPolicy = reservations(`[{"location": "/", "tdm-reservation": 1, "tdm-policy": "` + home + `/policies/mining.json"}]`)

	// A file with three sections, after the licence.xml answer in the RSL
	// design document of IABTechLab/trusted-server (pull request 650).
	threeSections = licence(`
  <content url="/">
    <license>
      <permits type="usage">search</permits><permits type="usage">ai-input</permits>
      <prohibits type="usage">ai-train</prohibits><prohibits type="usage">ai-index</prohibits>
      <payment type="attribution"/>
    </license>
    <copyright type="organization" contactEmail="rights@pier-news.example">Pier News</copyright>
  </content>
  <content url="/members/*">
    <license>
      <prohibits type="usage">ai-all</prohibits><prohibits type="usage">search</prohibits>
      <payment type="subscription"><amount currency="EUR">12.50</amount></payment>
    </license>
  </content>
  <content url="/back-issues/*">
    <license>
      <permits type="usage">ai-input</permits><permits type="usage">ai-index</permits>
      <prohibits type="usage">ai-train</prohibits>
      <payment type="crawl"><amount currency="EUR">0.02</amount></payment>
    </license>
  </content>`)

	// Two licences distinguished by user class, after a generator for a blog
	// whose commercial use needs a licence.
	byUserClass = licence(`
  <content url="/*">
    <license><permits type="usage">search ai-input</permits><permits type="user">non-commercial education government personal</permits><payment type="attribution"/></license>
    <license><permits type="usage">search ai-input</permits><permits type="user">commercial</permits><payment type="purchase"><custom>` + home + `/ask</custom></payment></license>
  </content>`)

	// After the two examples of RFC 9309, section 5.
	simpleRobots = robots(
		"User-Agent: *", "Disallow: *.gif$", "Disallow: /drafts/", "Allow: /issues/", "",
		"User-Agent: foobot", "Disallow:/", "Allow:/drafts/page.html", "Allow:/drafts/open.gif", "",
		"User-Agent: barbot", "User-Agent: bazbot", "Disallow: /drafts/page.html", "",
		"User-Agent: quxbot", "")
	longestMatch = robots("User-Agent: foobot", "Allow: /drafts/page/", "Disallow: /drafts/page/closed.gif")

	// After the example of draft-ietf-aipref-attach, section 3.
	usageRobots = robots(
		"User-Agent: *", "Allow: /", "Disallow: /closed/", "Content-Usage: / train-ai=n", "Content-Usage: /open/ train-ai=y", "",
		"User-Agent: ExampleBot", "Allow: /", "Content-Usage: / train-ai=y")

	// After the three groups of files in TDMRep, section 5.2.
	threeGroups = reservations(`[
  {"location": "/reports/", "tdm-reservation": 1},
  {"location": "/pages/html/", "tdm-reservation": 1, "tdm-policy": "` + home + `/policies/mining.json"},
  {"location": "/pages/photos/*.jpg", "tdm-reservation": 0}]`)
)

// TestStandardsExamples reads files shaped like the examples that public
// specifications and guides give, with values of our own, and compares the
// verdicts on a publisher who states nothing else.
func TestStandardsExamples(t *testing.T) {
	mine := func(more string) string { return `{"action": "tdm:mine"` + more + `}` }
	for _, c := range []struct {
		source   string
		results  []channel.Result
		path     string
		q        rights.Question
		vector   string
		warnings string
	}{
		{"rslstandard.org/guide/getting-started, template that prohibits training (draft word)",
			[]channel.Result{licence(`<content url="/"><license><prohibits type="usage">train-ai</prohibits></license></content>`)},
			"/a", rights.Question{}, "UDDUUUUU", "rsl_usage_draft_word"},
		{"rslstandard.org/guide/getting-started, template that permits training",
			[]channel.Result{licence(`<content url="/"><license><permits type="usage">train-ai</permits></license></content>`)},
			"/a", rights.Question{}, "DSUDDDUU", "rsl_usage_draft_word"},
		{"rslstandard.org/guide/ai-preferences, robots and licence together",
			[]channel.Result{
				robots("User-Agent: *", "Allow: /", "Content-Usage: train-ai=n", "License: "+home+"/license.xml"),
				licence(`<content url="/"><license><permits type="usage">train-ai</permits><payment type="subscription"><custom>` + home + `/contact.html</custom></payment></license></content>`),
			}, "/a", rights.Question{}, "DLDDDDUU", "rsl_usage_draft_word"},
		{"RSL 1.0, section 3.1.2: a section that training may not touch",
			[]channel.Result{licence(`<content url="/"><license><permits type="usage">all</permits></license></content><content url="/columns/"><license><prohibits type="usage">ai-train</prohibits></license></content>`)},
			"/columns/7", rights.Question{}, "SDDSUUUU", ""},
		{"RSL 1.0, section 3.1.2: elsewhere on the same site",
			[]channel.Result{licence(`<content url="/"><license><permits type="usage">all</permits></license></content><content url="/columns/"><license><prohibits type="usage">ai-train</prohibits></license></content>`)},
			"/about", rights.Question{}, "SSUSUUUU", ""},
		{"RSL 1.0, section 1.1: search but no AI",
			[]channel.Result{licence(`<content url="/"><license><prohibits type="usage">ai-all</prohibits></license></content>`)},
			"/a", rights.Question{}, "DDDUDDUU", ""},
		{"RSL 1.0, section 3.9: AI use under a licence of the publisher's own",
			[]channel.Result{licence(`<content url="/"><license><permits type="usage">ai-all</permits><payment><custom>` + home + `/ai-licence</custom></payment></license></content>`)},
			"/a", rights.Question{}, "LLUDUUUU", ""},
		{"RSL 1.0, section 3.8: pay per crawl on a platform",
			[]channel.Result{licence(`<content url="/"><license><payment type="crawl"><standard>https://platform.example/pay-per-crawl</standard><amount currency="EUR">0.01</amount></payment></license></content>`)},
			"/a", rights.Question{}, "LLLLLLUU", ""},
		{"RSL 1.0, section 3.8: a Creative Commons licence",
			[]channel.Result{licence(`<content url="/"><license><permits type="usage">all</permits><payment type="attribution"><standard>https://creativecommons.org/licenses/by/4.0/</standard></payment></license></content>`)},
			"/a", rights.Question{}, "SSUSUUUU", ""},
		{"supertab-connect editor guide: comma lists, draft words, absolute URLs",
			[]channel.Result{licence(`<content url="` + home + `/features/*"><license><permits type="usage">ai-use,search</permits><permits type="user">commercial,non-commercial</permits></license></content>`)},
			"/features/1", rights.Question{UserType: "commercial"}, "SDDSUDUU", "absolute_content_url comma_list rsl_usage_draft_word"},
		{"the same, asked by a user type that the list leaves out",
			[]channel.Result{licence(`<content url="` + home + `/features/*"><license><permits type="usage">ai-use,search</permits><permits type="user">commercial,non-commercial</permits></license></content>`)},
			"/features/1", rights.Question{UserType: "government"}, "DDDDUDUU", "absolute_content_url comma_list rsl_usage_draft_word"},
		{"trusted-server, front section", []channel.Result{threeSections}, "/a", rights.Question{}, "DDDSUDUU", "rsl_duplicate_permits rsl_duplicate_prohibits"},
		{"trusted-server, members", []channel.Result{threeSections}, "/members/1", rights.Question{}, "DDDDDDUU", "rsl_duplicate_permits rsl_duplicate_prohibits"},
		{"trusted-server, archive", []channel.Result{threeSections}, "/back-issues/1", rights.Question{}, "LDDDUDUU", "rsl_duplicate_permits rsl_duplicate_prohibits"},
		{"two user classes, asked by a school", []channel.Result{byUserClass}, "/a", rights.Question{UserType: "education"}, "SDDSUDUU", ""},
		{"two user classes, asked by a company", []channel.Result{byUserClass}, "/a", rights.Question{UserType: "commercial"}, "LDDLUDUU", ""},
		{"two user classes, asked by anybody", []channel.Result{byUserClass}, "/a", rights.Question{}, "LDDLUDUU", ""},
		{"RFC 9309, section 5.1: a group for everybody", []channel.Result{simpleRobots}, "/drafts/x", rights.Question{}, "DDDDDDUD", ""},
		{"RFC 9309, section 5.1: an end of path", []channel.Result{simpleRobots}, "/issues/a.gif", rights.Question{Agent: "AnyBot"}, "UUUUUUUU", ""},
		{"RFC 9309, section 5.1: an end of path, for all agents at once", []channel.Result{simpleRobots}, "/issues/a.gif", rights.Question{}, "DDDDDDUD", ""},
		{"RFC 9309, section 5.1: an anchored wildcard", []channel.Result{simpleRobots}, "/b/a.gif", rights.Question{}, "DDDDDDUD", ""},
		{"RFC 9309, section 5.1: foobot where it may", []channel.Result{simpleRobots}, "/drafts/page.html", rights.Question{Agent: "FooBot"}, "UUUUUUUU", ""},
		{"RFC 9309, section 5.1: foobot elsewhere", []channel.Result{simpleRobots}, "/a", rights.Question{Agent: "FooBot"}, "DDDDDDUD", ""},
		{"RFC 9309, section 5.1: one group, two agents", []channel.Result{simpleRobots}, "/drafts/page.html", rights.Question{Agent: "bazbot"}, "DDDDDDUD", ""},
		{"RFC 9309, section 5.1: an empty group", []channel.Result{simpleRobots}, "/drafts/x", rights.Question{Agent: "quxbot"}, "UUUUUUUU", ""},
		{"RFC 9309, section 5.2: the longest match", []channel.Result{longestMatch}, "/drafts/page/closed.gif", rights.Question{Agent: "foobot"}, "DDDDDDUD", ""},
		{"RFC 9309, section 5.2: a shorter match", []channel.Result{longestMatch}, "/drafts/page/open.gif", rights.Question{Agent: "foobot"}, "UUUUUUUU", ""},
		{"draft-ietf-aipref-attach: a response header", []channel.Result{header("/a", "HTTP/1.1 200 OK", "Content-Type: text/plain", "Content-Usage: train-ai=n")}, "/a", rights.Question{}, "UDDUUDUU", ""},
		{"draft-ietf-aipref-attach: robots, everybody", []channel.Result{usageRobots}, "/test", rights.Question{}, "UDDUUDUU", ""},
		{"draft-ietf-aipref-attach: robots, not crawled", []channel.Result{usageRobots}, "/closed/test", rights.Question{}, "DDDDDDUD", ""},
		{"draft-ietf-aipref-attach: robots, the longer path", []channel.Result{usageRobots}, "/open/test", rights.Question{}, "USUUUUUU", ""},
		{"draft-ietf-aipref-attach: robots, ExampleBot", []channel.Result{usageRobots}, "/test", rights.Question{Agent: "ExampleBot"}, "USUUUUUU", ""},
		{"contentsignals.org: the example of its front page",
			[]channel.Result{robots("# As a condition of accessing this website …", "User-Agent: *", "Content-Signal: ai-train=no, search=yes, ai-input=yes", "Allow: /")},
			"/a", rights.Question{}, "SDDSUDUU", ""},
		{"Cloudflare managed robots.txt: default signals",
			[]channel.Result{robots("# BEGIN managed content", "", "User-agent: *", "Content-Signal: search=yes,ai-train=no", "Allow: /", "", "User-agent: GPTBot", "Disallow: /")},
			"/a", rights.Question{Agent: "AnyBot"}, "UDDSUDUU", ""},
		{"Cloudflare managed robots.txt: default signals, for all agents at once",
			[]channel.Result{robots("# BEGIN managed content", "", "User-agent: *", "Content-Signal: search=yes,ai-train=no", "Allow: /", "", "User-agent: GPTBot", "Disallow: /")},
			"/a", rights.Question{}, "DDDDDDUD", ""},
		{"Cloudflare managed robots.txt: a blocked crawler",
			[]channel.Result{robots("# BEGIN managed content", "", "User-agent: *", "Content-Signal: search=yes,ai-train=no", "Allow: /", "", "User-agent: GPTBot", "Disallow: /")},
			"/a", rights.Question{Agent: "GPTBot"}, "DDDDDDUD", ""},
		{"TDMRep, section 5.2: everything reserved", []channel.Result{reservations(`[{"location": "/", "tdm-reservation": 1}]`)}, "/a", rights.Question{}, "DDDUDDUU", ""},
		{"TDMRep, section 5.2: reports", []channel.Result{threeGroups}, "/reports/1.pdf", rights.Question{}, "DDDUDDUU", ""},
		{"TDMRep, section 5.2: pages", []channel.Result{threeGroups}, "/pages/html/1", rights.Question{}, "DDDUDDUU", ""},
		{"TDMRep, section 5.2: photos", []channel.Result{threeGroups}, "/pages/photos/1.jpg", rights.Question{}, "USUUUSUU", ""},
		{"TDMRep, section 5.2: a file that no rule names", []channel.Result{threeGroups}, "/a", rights.Question{}, "UUUUUUUU", ""},
		{"TDMRep, section 5.3: header with a policy", []channel.Result{header("/a", "tdm-reservation: 1", "tdm-policy: "+home+"/policies/mining.json")}, "/a", rights.Question{}, "DDDUDDUU", ""},
		{"TDMRep, section 5.4: page with a policy",
			[]channel.Result{channel.ParseHTML(at("/a", `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="tdm-reservation" content="1"><meta name="tdm-policy" content="`+home+`/policies/mining.json"><title>Tides</title></head><body></body></html>`))},
			"/a", rights.Question{}, "DDDUDDUU", ""},
		{"TDMRep, section 5.5: the header overrides the file", []channel.Result{withPolicy, header("/a", "tdm-reservation: 0")}, "/a", rights.Question{}, "USUUUSUU", ""},
		{"TDMRep, section 6: consent to obtain", []channel.Result{withPolicy, odrl(mine(`, "duty": [{"action": "obtainConsent"}]`))}, "/a", rights.Question{}, "DLDUDLUU", ""},
		{"TDMRep, section 6: a fee", []channel.Result{withPolicy, odrl(mine(`, "duty": [{"action": "compensate"}]`))}, "/a", rights.Question{}, "DLDUDLUU", ""},
		{"TDMRep, section 6: research is free", []channel.Result{withPolicy, odrl(mine(`, "constraint": [{"leftOperand": "purpose", "operator": "eq", "rightOperand": "tdm:research"}]`))}, "/a", rights.Question{}, "DDDUDDUS", ""},
		{"TDMRep techniques: a territory, asked from it",
			[]channel.Result{withPolicy, odrl(mine(`, "duty": [{"action": "obtainConsent"}], "constraint": [{"leftOperand": "spatial", "operator": "isPartOf", "rightOperand": ["urn:iso:3166:FRA"]}]`))},
			"/a", rights.Question{Territory: "FR"}, "DLDUDLUU", ""},
		{"TDMRep techniques: a territory, asked from another",
			[]channel.Result{withPolicy, odrl(mine(`, "duty": [{"action": "obtainConsent"}], "constraint": [{"leftOperand": "spatial", "operator": "isPartOf", "rightOperand": ["urn:iso:3166:FRA"]}]`))},
			"/a", rights.Question{Territory: "JP"}, "DDDUDDUU", ""},
		{"Spawning ai.txt: media that may not be used",
			[]channel.Result{channel.ParseAITxt(at("/ai.txt", "# set by the owner\nUser-Agent: *\nDisallow: *.jpg\nDisallow: *.mp4\nAllow: *.txt\nAllow: /\n"))},
			"/photos/1.jpg", rights.Question{}, "UDDUUDUU", ""},
		{"Spawning ai.txt: text that may",
			[]channel.Result{channel.ParseAITxt(at("/ai.txt", "# set by the owner\nUser-Agent: *\nDisallow: *.jpg\nDisallow: *.mp4\nAllow: *.txt\nAllow: /\n"))},
			"/notes/1.txt", rights.Question{}, "USUUUUUU", ""},
		{"JournalList trust.txt: no data training",
			[]channel.Result{channel.ParseTrustTxt(at("/trust.txt", "# Pier News\nbelongto=https://association.example/\ncontrol="+home+"/\ncontact="+home+"/contact\ndatatrainingallowed=no\n"))},
			"/a", rights.Question{}, "UDDUUDUU", ""},
		{"CAWG training-mining: inference and generative training refused",
			[]channel.Result{channel.ParseCAWG(at("/a.jpg", `{"label": "cawg.training-mining", "data": {"entries": {"cawg.ai_inference": {"use": "notAllowed"}, "cawg.ai_generative_training": {"use": "notAllowed"}}}}`))},
			"/a.jpg", rights.Question{}, "DDDUDUUU", ""},
		{"CAWG training-mining: constrained with a place to ask",
			[]channel.Result{channel.ParseCAWG(at("/a.jpg", `{"entries": {"cawg.data_mining": {"use": "constrained", "constraint_info": "rights@pier-news.example"}}}`))},
			"/a.jpg", rights.Question{}, "UUUUULUU", ""},
		{"PLUS data mining: everything but search engines",
			[]channel.Result{channel.ParsePLUS(at("/a.jpg", "http://ns.useplus.org/ldf/vocab/DMI-PROHIBITED-EXCEPTSEARCHENGINEINDEXING"))},
			"/a.jpg", rights.Question{}, "UDDSUDUU", ""},
		{"IAB CoMP 1.0, example 1: the answer to a request without a licence",
			[]channel.Result{channel.ParseCoMP(at("/comp", `{"package": {"id": "PIER-1", "title": "Everything, licence needed", "seller": "pier-news.example", "licenseurl": "`+home+`/licensing", "reporturl": "`+home+`/usage", "citation": 1, "scope": {"scope": 0, "max": 1, "ctype": [4]}, "retrieval": {"auth": 0, "endpoint": "`+home+`/api", "type": [2]}}}`))},
			"/a", rights.Question{}, "UUUUUUUU", ""},
	} {
		t.Run(c.source, func(t *testing.T) {
			var warnings []string
			for _, r := range c.results {
				if r.State != channel.Valid {
					t.Errorf("%s is %s: %v", r.URL, r.State, r.Warnings)
				}
				warnings = append(warnings, r.WarningCodes()...)
			}
			assert.Equal(t, strings.Join(warnings, " "), c.warnings, "warnings")
			c.q.At = checked + 60
			a := rights.Evaluate(&rights.Case{Path: c.path, Evidence: evidence(c.results, home+c.path)}, c.q)
			if got := strings.ToUpper(a.Vector); got != c.vector {
				t.Errorf("vector %s, want %s\n%+v", a.Vector, c.vector, a.Uses)
			}
		})
	}
}

// TestChannelsTogether is the fixed list of cases that every implementation
// must get right.
func TestChannelsTogether(t *testing.T) {
	reserved := reservations(`[{"location": "/", "tdm-reservation": 1}]`)
	searchOnly := licence(`<content url="/"><license><permits type="usage">search</permits></license></content>`)
	signals := robots("User-agent: *", "Content-Signal: search=no, ai-input=yes")
	for _, c := range []struct {
		name    string
		results []channel.Result
		vector  string
	}{
		{"nothing at all", nil, "UUUUUUUU"},
		{"RSL and TDMRep agree", []channel.Result{searchOnly, reserved}, "DDDSDDUU"},
		{"RSL and Content-Signal do not", []channel.Result{searchOnly, signals}, "dDDdDDUU"},
		{"a file that is not what it claims says nothing", []channel.Result{robots("<!doctype html><html></html>"), reservations(`not json`), licence(`<content`)}, "UUUUUUUU"},
	} {
		a := rights.Evaluate(&rights.Case{Path: "/a", Evidence: evidence(c.results, home+"/a")}, rights.Question{At: checked + 1})
		assert.Equal(t, a.Vector, c.vector, "%s", c.name)
		assert.Equal(t, strings.ToUpper(a.Vector) != a.Vector, len(a.Conflicts) > 0, "%s: %s with conflicts %v", c.name, a.Vector, a.Conflicts)
	}
	for _, u := range exports.Uses {
		if u.Index() < 0 {
			t.Errorf("use %q", u)
		}
	}
}

func TestStaleFilesNoLongerAllow(t *testing.T) {
	open := robots("User-agent: *", "Content-Signal: search=yes, ai-train=no")
	for _, c := range []struct {
		after  int64
		vector string
	}{
		{60, "UDDSUDUU"}, {24 * 3600, "UDDSUDUU"}, {24*3600 + 1, "UDDUUDUU"}, {32 * 24 * 3600, "UDDUUDUU"}, {-1, "UUUUUUUU"},
	} {
		a := rights.Evaluate(&rights.Case{Path: "/a", Evidence: evidence([]channel.Result{open}, home+"/a")}, rights.Question{At: checked + c.after})
		assert.Equal(t, a.Vector, c.vector, "%d seconds later", c.after)
	}
}
