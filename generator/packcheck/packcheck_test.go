package packcheck

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"colophon/exports"
	"colophon/internal/assert"
	"colophon/internal/channelpack"
)

var must = assert.NoError

func policy(preferences []exports.Preference, offers ...exports.Offer) *channelpack.Policy {
	return &channelpack.Policy{
		SiteID: "harbor-ledger", Name: "Harbor Ledger", SiteURL: "https://harbor-ledger.example/",
		RequestURL: "https://svc.example/ask", ServiceURL: "https://svc.example",
		Preferences: preferences, Offers: offers, Agents: []string{"ExampleBot"},
	}
}

func somePolicy(t *rapid.T) *channelpack.Policy {
	var preferences []exports.Preference
	for _, u := range exports.Uses {
		if rapid.Bool().Draw(t, "stated") {
			preferences = append(preferences, exports.Preference{
				Use: string(u), Inquiry: rapid.SampledFrom(exports.Inquiries).Draw(t, "inquiry"),
				Declared:   rapid.SampledFrom(exports.Declarations).Draw(t, "declared"),
				Conditions: rapid.SliceOfNDistinct(rapid.SampledFrom(exports.Conditions), 0, 2, rapid.ID[string]).Draw(t, "conditions"),
				Retention:  rapid.SampledFrom([]string{"", "", "none", "P30D", "while_licensed"}).Draw(t, "retention"),
			})
		}
	}
	var offers []exports.Offer
	paths := rapid.SampledFrom([]string{"/", "/a/*", "/a/b/*", "/c/", "/a/b/c*"})
	for i := range rapid.IntRange(0, 3).Draw(t, "offers") {
		o := exports.Offer{
			LicenseID: fmt.Sprint("lic_", i), Status: rapid.SampledFrom(exports.OfferStatuses).Draw(t, "status"),
			Permits:   rapid.SliceOfNDistinct(rapid.SampledFrom(exports.UseWords()), 1, 4, rapid.ID[string]).Draw(t, "permits"),
			Prohibits: rapid.SliceOfNDistinct(rapid.SampledFrom(exports.UseWords()), 0, 1, rapid.ID[string]).Draw(t, "prohibits"),
			Payment:   exports.Payment{Model: rapid.SampledFrom(exports.PaymentModels).Draw(t, "model")},
		}
		o.Scope.Paths = rapid.SliceOfNDistinct(paths, 0, 2, rapid.ID[string]).Draw(t, "paths")
		o.Scope.Excludes = rapid.SliceOfNDistinct(paths, 0, 1, rapid.ID[string]).Draw(t, "excludes")
		offers = append(offers, o)
	}
	return policy(preferences, offers...)
}

// TestPacksAreNeverFreer checks the packs of random policies.
func TestPacksAreNeverFreer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := somePolicy(t)
		pack, err := p.Pack()
		must(t, err)
		if found := Check(p, &pack); len(found) > 0 {
			t.Fatalf("%v\n%s", found[0], pack.Get(found[0].File))
		}
	})
}

// TestAttributionAloneIsNotFreeForAll checks a policy whose only statement
// cannot be written in RSL: the pack must not contain a licence.
func TestAttributionAloneIsNotFreeForAll(t *testing.T) {
	p := policy([]exports.Preference{{Use: "rag", Declared: "allow", Inquiry: "unstated", Conditions: []string{"attribution"}}})
	pack, err := p.Pack()
	must(t, err)
	if found := Check(p, &pack); len(found) > 0 {
		t.Error(found)
	}
	for _, f := range pack.Files {
		if f.Path == channelpack.FileAccess || f.Path == channelpack.FileLoss {
			continue
		}
		assert.Lacks(t, f.Path+" speaks of a licence", string(f.Body), "<license>", "license.xml")
	}
}

// TestRetentionIsNotFreeForAll checks that a permission with a retention, which
// no channel can carry, is written as a sentence only.
func TestRetentionIsNotFreeForAll(t *testing.T) {
	for _, retention := range []string{"none", "P30D", "while_licensed"} {
		p := policy([]exports.Preference{{Use: "search_indexing", Declared: "allow", Inquiry: "unstated", Retention: retention}})
		pack, err := p.Pack()
		must(t, err)
		if found := Check(p, &pack); len(found) > 0 {
			t.Error(found)
		}
		for _, f := range pack.Files {
			body := string(f.Body)
			switch said := strings.Contains(body, "retention "+retention); {
			case f.Path == channelpack.FileLLMs && !said:
				t.Errorf("%s does not say how long a copy may be kept:\n%s", f.Path, body)
			case strings.Contains(body, "search=y"), strings.Contains(body, "<permits"):
				t.Errorf("%s permits more than the policy:\n%s", f.Path, body)
			}
		}
	}
}

// TestCheckSeesLostRetention expects Check to find a channel that permits a use
// without the retention that the policy states.
func TestCheckSeesLostRetention(t *testing.T) {
	p := policy([]exports.Preference{{Use: "search_indexing", Declared: "allow", Inquiry: "unstated", Retention: "P30D"}})
	pack := channelpack.Pack{Files: []channelpack.File{{Path: channelpack.FileRobots, Body: []byte("User-agent: *\nContent-Signal: search=yes\n")}}}
	if found := Check(p, &pack); len(found) == 0 {
		t.Error("a permission without its retention is not found")
	}
}

// TestCheckSeesEachFault replaces one file of a pack at a time by one that
// permits too much, and expects Check to find it. The policy allows search, and
// does not offer training.
func TestCheckSeesEachFault(t *testing.T) {
	const head = `<rsl xmlns="https://rslstandard.org/rsl"><content url="/*">`
	for _, c := range []struct{ name, file, body, use string }{
		{"a licence without permits and payment", channelpack.FileRSL, head + `<license><legal type="contact">x</legal></license></content></rsl>`, "rag"},
		{"prohibitions alone permit the rest", channelpack.FileRSL, head + `<license><prohibits type="usage">ai-train</prohibits></license></content></rsl>`, "rag"},
		{"an alternative beside a closed one", channelpack.FileRSL, head + `<license><permits type="usage">search</permits></license><license><permits type="usage">ai-input</permits></license></content></rsl>`, "summarization"},
		{"a price for what is not on offer", channelpack.FileRSL, head + `<license><permits type="usage">ai-train</permits><payment type="purchase"/></license></content></rsl>`, "training"},
		{"a licence in a feed", channelpack.FileRSS, `<rsl:content url=""><rsl:license/></rsl:content>`, "datasets"},
		{"a named group", channelpack.FileRobots, "User-agent: *\nContent-Signal: ai-train=no\n\nUser-agent: GPTBot\nContent-Signal: ai-train=yes\n", "training"},
		{"a path", channelpack.FileRobots, "User-agent: *\nContent-Usage: / train-ai=n\nContent-Usage: /z train-ai=y\n", "training"},
		{"a header", channelpack.FileHeaders, `[{"path":"/*","headers":[{"name":"Content-Usage","value":"train-ai=y"}]}]`, "training"},
		{"a header for all", channelpack.FileHeadersPlan, "/*\n  tdm-reservation: 0\n", "datasets"},
		{"a map", channelpack.FileNginx, "map $uri $rights_content_signal {\n    \"~^/zz\" 'ai-input=yes';\n    default '';\n}\n", "rag"},
		{"no reservation", channelpack.FileTDMRep, `[{"location":"/","tdm-reservation":0}]`, "training"},
		{"no duty", channelpack.FileODRL, `{"permission":[{"action":"tdm:mine"}]}`, "datasets"},
		{"an allowed path", channelpack.FileAITxt, "User-Agent: *\nDisallow: /\nAllow: /z\n", "training"},
		{"data training", channelpack.FileTrustTxt, "datatrainingallowed=yes\n", "fine_tuning"},
		{"a meta element", channelpack.FileHTML, `<meta name="tdm-reservation" content="0">`, "rag"},
		{"an assertion", channelpack.FileCAWG, `{"entries":{"cawg.ai_inference":{"use":"allowed"}}}`, "rag"},
		{"a value", channelpack.FilePLUS, "http://ns.useplus.org/ldf/vocab/DMI-ALLOWED\n", "training"},
		{"a package", channelpack.FileCoMP, `{"package":{"ext":{"function":[2]}}}`, "training"},
		{"access rules", channelpack.FileAccess, `{"declared_posture":[{"class":"training","decision":"allow","path":"/*"}]}`, "training"},
		{"what is no RSL", channelpack.FileRSL, "<rsl/>", ""},
		{"an unknown file", "more.txt", "x", ""},
	} {
		p := policy([]exports.Preference{
			{Use: "search_indexing", Declared: "allow", Inquiry: "unstated"}, {Use: "training", Declared: "disallow", Inquiry: "not_offered"},
		})
		pack := channelpack.Pack{Files: []channelpack.File{{Path: c.file, Body: []byte(c.body)}}}
		found := Check(p, &pack)
		seen := false
		for _, f := range found {
			seen = seen || string(f.Use) == c.use
		}
		if !seen {
			t.Errorf("%s: not found in %v", c.name, found)
		}
	}
}

// TestAPriceOnAPathIsNotHidden checks a policy in which search is free on the
// site but for sale below one path: the row of the wider path must not be used
// there.
func TestAPriceOnAPathIsNotHidden(t *testing.T) {
	o := exports.Offer{LicenseID: "lic_1", Status: "offered", Permits: []string{"search_indexing"}, Payment: exports.Payment{Model: "purchase"}}
	o.Scope.Paths = []string{"/a/*"}
	p := policy([]exports.Preference{{Use: "search_indexing", Declared: "allow", Inquiry: "unstated"}}, o)
	pack, err := p.Pack()
	must(t, err)
	if found := Check(p, &pack); len(found) > 0 {
		t.Error(found)
	}
}
