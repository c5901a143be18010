package rights_test

import (
	"reflect"
	"strings"
	"testing"

	"colophon/exports"
	"colophon/internal/channel"
	"colophon/internal/channel/statements"
	"colophon/internal/rights"

	"pgregory.net/rapid"
)

// saying is a set of a site's files, to each of which another line can be
// added.
type saying struct {
	licences, robots, rules []string
	headers                 []string
	policy                  bool
}

func (s *saying) results() []channel.Result {
	out := []channel.Result{
		licence(`<content url="/">` + strings.Join(s.licences, "") + `</content>`),
		robots(append([]string{"User-agent: *"}, s.robots...)...),
		reservations("[" + strings.Join(s.rules, ",") + "]"),
		header("/a", s.headers...),
	}
	if s.policy {
		out = append(out, odrl(`{"action": "tdm:mine", "duty": [{"action": "obtainConsent"}]}`))
	}
	return out
}

func someSaying(t *rapid.T) *saying {
	several := func(name string, of ...string) []string {
		return rapid.SliceOfN(rapid.SampledFrom(of), 0, 3).Draw(t, name)
	}
	return &saying{
		licences: several("licences",
			`<license><permits type="usage">search</permits></license>`,
			`<license><permits type="usage">ai-input ai-train</permits><payment type="use"/></license>`,
			`<license><permits type="usage">all</permits><permits type="user">education</permits></license>`,
			`<license><prohibits type="usage">ai-index</prohibits></license>`,
			`<license><payment type="subscription"/></license>`,
			`<license><prohibits type="geo">US</prohibits></license>`),
		robots: several("robots", "Allow: /", "Disallow: /b", "Content-Usage: / train-ai=y", "Content-Usage: /a search=y", "Content-Signal: ai-input=yes, search=yes", "Content-Signal: ai-train=no"),
		rules: several("rules",
			`{"location":"/a","tdm-reservation":0}`, `{"location":"/","tdm-reservation":1,"tdm-policy":"`+home+`/policies/mining.json"}`, `{"location":"/b","tdm-reservation":1}`),
		headers: several("headers", "Content-Usage: train-ai=y", "Content-Usage: search=n", "tdm-reservation: 0", "Content-Signal: ai-input=yes", "X-Robots-Tag: noindex"),
		policy:  rapid.Bool().Draw(t, "policy"),
	}
}

// forbid adds one prohibition somewhere.
func (s *saying) forbid(t *rapid.T) {
	switch rapid.IntRange(0, 5).Draw(t, "where") {
	case 0:
		word := rapid.SampledFrom([]string{"all", "ai-all", "ai-train", "ai-input", "ai-index", "search"}).Draw(t, "word")
		s.licences = append(s.licences, `<license><prohibits type="usage">`+word+`</prohibits></license>`)
	case 1:
		s.licences = append(s.licences, `<license><prohibits type="user">`+rapid.SampledFrom([]string{"commercial", "education"}).Draw(t, "user")+`</prohibits></license>`)
	case 2:
		s.robots = append(s.robots, "Disallow: "+rapid.SampledFrom([]string{"/a", "/a$", "/*a"}).Draw(t, "path"))
	case 3:
		s.robots = append(s.robots, "Content-Signal: "+rapid.SampledFrom([]string{"search", "ai-input", "ai-train"}).Draw(t, "signal")+"=no")
	case 4:
		s.rules = append([]string{`{"location":"/a","tdm-reservation":1}`}, s.rules...)
	case 5:
		s.headers = append(s.headers, rapid.SampledFrom([]string{"X-Robots-Tag: noai", "Content-Signal: search=no", "tdm-reservation: 1"}).Draw(t, "header"))
	}
}

func freedom(verdict string) int {
	return map[string]int{"unknown": 1, "license_required": 1, "signal_allow": 2}[verdict]
}

func TestAProhibitionInAFileNeverLoosens(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := someSaying(t)
		q := rights.Question{At: checked + 1, UserType: rapid.SampledFrom([]string{"", "commercial", "education"}).Draw(t, "user")}
		judge := func() rights.Answer {
			return rights.Evaluate(&rights.Case{Path: "/a", Evidence: evidence(s.results(), home+"/a")}, q)
		}
		before := judge()
		s.forbid(t)
		after := judge()
		for i, u := range exports.Uses {
			if freedom(after.Uses[i].Verdict) > freedom(before.Uses[i].Verdict) {
				t.Fatalf("%s: %s became %s\n%+v", u, before.Uses[i].Verdict, after.Uses[i].Verdict, s)
			}
		}
	})
}

func TestOrderOfFilesNeverMatters(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		results := someSaying(t).results()
		results = append(results, simpleRobots, withPolicy, threeSections)
		path := rapid.SampledFrom([]string{"/a", "/members/1", "/drafts/page.html"}).Draw(t, "path")
		want := statements.Answers(documents(results), home+path)
		got := statements.Answers(documents(rapid.Permutation(results).Draw(t, "results in another order")), home+path)
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("order mattered:\n%+v\n%+v", got, want)
		}
	})
}
