package channelpack

import (
	"bytes"
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"colophon/exports"
	"colophon/internal/assert"
	"colophon/internal/channel"
	"colophon/internal/channel/statements"
	"colophon/internal/wire"
)

const site = "https://harbor-ledger.example"

func somePolicy(t *rapid.T) *Policy {
	p := &Policy{
		SiteID: "harbor-ledger", Name: `Harbor & "Ledger" </script>`, SiteURL: site + "/", Holder: "Harbor Ledger <B.V.>",
		RequestURL: "https://svc.example/publishers/harbor-ledger/license/?a=1&b=2", ServiceURL: "https://svc.example",
	}
	if rapid.Bool().Draw(t, "agents") {
		p.Agents = []string{"ExampleBot"}
	}
	for _, u := range exports.Uses {
		p.Preferences = append(p.Preferences, exports.Preference{
			Use:        string(u),
			Inquiry:    rapid.SampledFrom(exports.Inquiries).Draw(t, "inquiry"),
			Declared:   rapid.SampledFrom(exports.Declarations).Draw(t, "declared"),
			Conditions: rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"attribution", "link_back", "no_full_text"}), 0, 1, rapid.ID[string]).Draw(t, "conditions"),
			Retention:  rapid.SampledFrom([]string{"", "", "none", "P30D", "while_licensed"}).Draw(t, "retention"),
		})
	}
	paths := rapid.SampledFrom([]string{"/", "/a/*", "/a/b/*", "/c/", "/a/b/c*", "/münchen/*", "/a.b/*"})
	for i := range rapid.IntRange(0, 3).Draw(t, "offers") {
		o := exports.Offer{
			LicenseID: fmt.Sprintf("lic_%d", i), Status: rapid.SampledFrom([]string{"offered", "offered", "paused"}).Draw(t, "status"),
			Permits:     rapid.SliceOfNDistinct(rapid.SampledFrom(exports.UseWords()), 1, 4, rapid.ID[string]).Draw(t, "permits"),
			UserTypes:   rapid.SliceOfNDistinct(rapid.SampledFrom(exports.UserTypes), 0, 2, rapid.ID[string]).Draw(t, "users"),
			Territories: rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"EU", "GB", "NL"}), 0, 2, rapid.ID[string]).Draw(t, "territories"),
			Payment:     exports.Payment{Model: rapid.SampledFrom(exports.PaymentModels).Draw(t, "model"), Amount: "0.015", Currency: "EUR"},
		}
		o.Scope.Paths = rapid.SliceOfNDistinct(paths, 0, 2, rapid.ID[string]).Draw(t, "paths")
		o.Scope.Excludes = rapid.SliceOfNDistinct(paths, 0, 1, rapid.ID[string]).Draw(t, "excludes")
		if rapid.Bool().Draw(t, "terms") {
			o.Terms = &exports.Terms{URL: site + "/terms?v=1"}
		}
		p.Offers = append(p.Offers, o)
	}
	for range rapid.IntRange(0, 2).Draw(t, "closed") {
		p.Closed = append(p.Closed, ClosedPath{
			Prefix: rapid.SampledFrom([]string{"/a/", "/a/b/", "/d/"}).Draw(t, "closed path"), Use: exports.Use(rapid.SampledFrom(exports.UseWords()).Draw(t, "closed use")),
		})
	}
	return p
}

// reader reads one file of a pack back for one path.
type reader struct {
	file  string
	reads func(k *Pack, path string) []channel.Result
	names []statements.Name
}

func in(k *Pack, file, url string) channel.Input { return channel.Input{URL: url, Body: k.Get(file)} }

func readODRL(k *Pack) []channel.Result {
	if k.Get(FileODRL) == nil {
		return nil
	}
	return []channel.Result{channel.ParseODRL(in(k, FileODRL, site+"/"+FileODRL))}
}

var readers = []reader{
	{FileRSL, func(k *Pack, _ string) []channel.Result {
		return []channel.Result{channel.ParseRSL(in(k, FileRSL, site+"/license.xml"))}
	}, []statements.Name{statements.RSL}},
	{FileRobots, func(k *Pack, _ string) []channel.Result {
		return []channel.Result{channel.ParseRobots(in(k, FileRobots, site+"/robots.txt"))}
	}, []statements.Name{statements.AIPrefRobots, statements.ContentSignal}},
	{FileTDMRep, func(k *Pack, _ string) []channel.Result {
		return append(readODRL(k), channel.ParseTDMRep(in(k, FileTDMRep, site+"/"+FileTDMRep)))
	}, []statements.Name{statements.TDMRep}},
	{FileHeaders, func(k *Pack, path string) []channel.Result {
		return append(readODRL(k), channel.ParseHeaders(channel.Input{URL: site + path, Fields: headersFor(k, path)}))
	}, []statements.Name{statements.AIPrefHeader, statements.ContentSignal, statements.TDMRep}},
	{FileHeadersPlan, func(k *Pack, path string) []channel.Result {
		block := bytes.TrimPrefix(k.Get(FileHeadersPlan), []byte("/*\n"))
		return append(readODRL(k), channel.ParseHeaders(channel.Input{URL: site + path, Fields: channel.ReadFields([]byte(strings.ReplaceAll("\n"+string(block), "\n  ", "\n")))}))
	}, []statements.Name{statements.AIPrefHeader, statements.ContentSignal, statements.TDMRep}},
	{FileAITxt, func(k *Pack, _ string) []channel.Result {
		return []channel.Result{channel.ParseAITxt(in(k, FileAITxt, site+"/ai.txt"))}
	}, []statements.Name{statements.AITxt}},
	{FileTrustTxt, func(k *Pack, _ string) []channel.Result {
		return []channel.Result{channel.ParseTrustTxt(in(k, FileTrustTxt, site+"/trust.txt"))}
	}, []statements.Name{statements.TrustTxt}},
	{FileHTML, func(k *Pack, path string) []channel.Result {
		page := "<!doctype html><html><head><title>t</title>" + string(k.Get(FileHTML)) + "</head><body></body></html>"
		return append(readODRL(k), channel.ParseHTML(channel.Input{URL: site + path, Body: []byte(page)}))
	}, []statements.Name{statements.TDMRep}},
	{FileRSS, func(k *Pack, path string) []channel.Result {
		feed := `<rss version="2.0" xmlns:rsl="https://rslstandard.org/rsl"><channel><item><link>` + site + path + `</link>` + string(k.Get(FileRSS)) + `</item></channel></rss>`
		return []channel.Result{channel.ParseFeed(channel.Input{URL: site + "/feed.xml", Body: []byte(feed)})}
	}, []statements.Name{statements.RSL}},
	{FileCAWG, func(k *Pack, path string) []channel.Result {
		return []channel.Result{channel.ParseCAWG(in(k, FileCAWG, site+path))}
	}, []statements.Name{statements.CAWG}},
	{FilePLUS, func(k *Pack, path string) []channel.Result {
		return []channel.Result{channel.ParsePLUS(in(k, FilePLUS, site+path))}
	}, []statements.Name{statements.PLUS}},
	{FileCoMP, func(k *Pack, _ string) []channel.Result {
		return []channel.Result{channel.ParseCoMP(in(k, FileCoMP, site+"/comp.json"))}
	}, []statements.Name{statements.CoMP}},
}

// headersFor returns the fields of the first rule of headers.json that matches.
func headersFor(k *Pack, path string) []channel.Field {
	v, err := wire.Parse(bytes.TrimSpace(k.Get(FileHeaders)), wire.Trusted)
	if err != nil {
		return nil
	}
	for _, rule := range v.Items {
		if pattern, _ := rule.Get("path").Str(); exports.MatchPattern(pattern, path) {
			var out []channel.Field
			for _, h := range rule.Get("headers").Items {
				name, _ := h.Get("name").Str()
				value, _ := h.Get("value").Str()
				out = append(out, channel.Field{Name: name, Value: value})
			}
			return out
		}
	}
	return nil
}

// effects returns the eight effects of a channel; for a reservation with a
// policy, it returns the policy's.
func effects(results []channel.Result, resource string, name statements.Name) (out [8]statements.Effect, options [8][]statements.Option) {
	documents := make([]statements.Document, len(results))
	for i := range results {
		documents[i] = results[i].Document
	}
	answers := statements.Combine(documents, resource, "")
	for _, a := range answers {
		i := a.Use.Index()
		if a.Channel == name {
			out[i], options[i] = a.Effect, a.Options
		}
		if a.Channel != name || a.Why != statements.WhyRefined {
			continue
		}
		for _, b := range answers {
			if b.Channel == statements.TDMPolicy && b.Use == a.Use {
				out[i], options[i] = b.Effect, b.Options
			}
		}
	}
	return out, options
}

func TestRoundTrip(t *testing.T) {
	policies := 0
	check := func(t *rapid.T) {
		policies++
		p := somePolicy(t)
		k, err := p.Pack()
		must(t, err)
		again, _ := p.Pack()
		for i := range k.Files {
			if !bytes.Equal(k.Files[i].Body, again.Files[i].Body) {
				t.Fatalf("%s differs the second time", k.Files[i].Path)
			}
		}
		loss := map[string]Loss{}
		for _, l := range k.Loss {
			key := fmt.Sprint(l.File, l.Channel, l.Path, l.Use)
			if _, dup := loss[key]; dup {
				t.Fatalf("loss told twice: %+v", l)
			}
			if l.Said == l.Wanted || l.Why == "" {
				t.Fatalf("no loss: %+v", l)
			}
			if isFreer(l.Said, l.Wanted) && l.Why != "consent_can_be_asked" {
				t.Fatalf("widened: %+v", l)
			}
			loss[key] = l
		}
		for _, r := range p.splitRegions() {
			path := r.prefix + "zz-sample?q=1"
			for _, f := range readers {
				if (f.file == FileRSL || f.file == FileRSS) && k.Get(f.file) == nil {
					continue // RSL cannot express that nothing is stated
				}
				results := f.reads(&k, path)
				for _, res := range results {
					if res.State != channel.Valid && !(f.file == FileAITxt && len(res.Statements) == 0) || len(res.Warnings) > 0 && f.file != FileAITxt {
						t.Fatalf("%s: our own file is %s: %v\n%s", f.file, res.State, res.Warnings, k.Get(f.file))
					}
				}
				if f.file != FileRSL && f.file != FileRSS && k.Get(FileRSL) != nil {
					results = append(results, channel.ParseRSL(in(&k, FileRSL, site+"/license.xml"))) // they link to it
				}
				for _, name := range f.names {
					got, options := effects(results, site+path, name)
					for i, u := range exports.Uses {
						want := r.want[i]
						if l, ok := loss[fmt.Sprint(f.file, name, r.prefix, u)]; ok {
							want = l.Said
						}
						if got[i] != want {
							t.Fatalf("%s %s at %s: %s is %s, want %s (wanted %s)\n%s", f.file, name, path, u, got[i], want, r.want[i], k.Get(f.file))
						}
						if f.file == FileRSL && got[i] == statements.Priced && r.want[i] == statements.Priced {
							sameAudiences(t, r.offersFor(u), options[i])
						}
					}
				}
			}
			nginxAgrees(t, &k, path)
		}
	}
	for policies < 500 { // rapid makes 100 runs unless told otherwise
		rapid.Check(t, check)
		if t.Failed() {
			return
		}
	}
}

func sameAudiences(t *rapid.T, offers []*exports.Offer, options []statements.Option) {
	var want, got []string
	for _, o := range offers {
		want = append(want, fmt.Sprint(o.UserTypes, o.Territories))
	}
	for _, o := range options {
		got = append(got, fmt.Sprint(o.Terms.UserTypes, o.Terms.Territories))
	}
	if !slices.Equal(statements.SortedSet(want), statements.SortedSet(got)) {
		t.Fatalf("audiences %v, want %v", got, want)
	}
}

var nginxMap = regexp.MustCompile(`(?s)map \$uri \$rights_(\w+) \{\n(.*?)\n\}`)
var nginxLine = regexp.MustCompile(`(?m)^    (?:"~(.*?)"|default) '(.*)';$`)

// nginxAgrees evaluates the maps as nginx does: regular expressions in order,
// then the default.
func nginxAgrees(t *rapid.T, k *Pack, path string) {
	uri, _, _ := strings.Cut(path, "?")
	want := map[string]string{}
	for _, f := range headersFor(k, path) {
		want[strings.ReplaceAll(strings.ToLower(f.Name), "-", "_")] = f.Value
	}
	maps := nginxMap.FindAllStringSubmatch(string(k.Get(FileNginx)), -1)
	if len(maps) != 5 {
		t.Fatalf("maps: %s", k.Get(FileNginx))
	}
	for _, m := range maps {
		value, found := "", false
		for _, l := range nginxLine.FindAllStringSubmatch(m[2], -1) {
			if l[1] == "" && !found {
				value = l[2]
			}
			if l[1] != "" && !found && regexp.MustCompile(l[1]).MatchString(uri) {
				value, found = l[2], true
			}
		}
		if value != want[m[1]] {
			t.Fatalf("nginx %s at %s: %q, want %q", m[1], uri, value, want[m[1]])
		}
	}
}

func harborLedger() *Policy {
	return &Policy{
		SiteID: "harbor-ledger", Name: "Harbor Ledger", SiteURL: site + "/", Holder: "Harbor Ledger B.V.",
		RequestURL: "https://svc.example/publishers/harbor-ledger/license/", ServiceURL: "https://svc.example",
		LastModified: "2026-11-18T10:00:00Z",
		Preferences: []exports.Preference{
			{Use: "rag", Inquiry: "welcome", Declared: "disallow", Conditions: []string{"attribution"}},
			{Use: "training", Inquiry: "not_offered", Declared: "disallow"},
			{Use: "fine_tuning", Inquiry: "not_offered", Declared: "disallow"},
			{Use: "search_indexing", Inquiry: "unstated", Declared: "allow", Conditions: []string{"link_back"}},
			{Use: "summarization", Inquiry: "welcome", Declared: "disallow"},
			{Use: "datasets", Inquiry: "not_offered", Declared: "disallow"},
		},
		Offers: []exports.Offer{{
			LicenseID: "lic_5qixfwhozvhvdukowfdcl7dlhh", Status: "offered", Permits: []string{"rag", "summarization"}, Prohibits: []string{"training"},
			Scope:     exports.OfferScope{Paths: []string{"/shipping/*"}, Excludes: []string{"/shipping/wire/*"}},
			UserTypes: []string{"commercial"}, Territories: []string{"EU", "GB"},
			Payment: exports.Payment{Model: "use", Amount: "0.015", Currency: "EUR"},
			Terms:   &exports.Terms{URL: site + "/licensing/grounding-v3"},
		}},
	}
}

func TestHarborLedgerPack(t *testing.T) {
	k, err := harborLedger().Pack()
	must(t, err)
	const wantRSL = `<?xml version="1.0" encoding="UTF-8"?>
<rsl xmlns="https://rslstandard.org/rsl" max-age="7">
  <content url="/shipping/wire/*" lastmod="2026-11-18T10:00:00Z">
    <license>
      <permits type="usage">search</permits>
      <prohibits type="usage">ai-all</prohibits>
      <payment type="free"/>
      <legal type="contact">https://svc.example/publishers/harbor-ledger/license/</legal>
    </license>
    <copyright type="organization" contactUrl="https://svc.example/publishers/harbor-ledger/license/">Harbor Ledger B.V.</copyright>
  </content>
  <content url="/shipping/*" lastmod="2026-11-18T10:00:00Z">
    <license>
      <permits type="usage">ai-input</permits>
      <permits type="user">commercial</permits>
      <permits type="geo">EU GB</permits>
      <prohibits type="usage">ai-train</prohibits>
      <payment type="use">
        <custom>https://svc.example/publishers/harbor-ledger/license/</custom>
        <amount currency="EUR">0.015</amount>
      </payment>
      <legal type="contact">https://svc.example/publishers/harbor-ledger/license/</legal>
    </license>
    <license>
      <permits type="usage">search</permits>
      <prohibits type="usage">ai-train</prohibits>
      <payment type="free"/>
      <legal type="contact">https://svc.example/publishers/harbor-ledger/license/</legal>
    </license>
    <copyright type="organization" contactUrl="https://svc.example/publishers/harbor-ledger/license/">Harbor Ledger B.V.</copyright>
    <terms>https://harbor-ledger.example/licensing/grounding-v3</terms>
  </content>
  <content url="/*" lastmod="2026-11-18T10:00:00Z">
    <license>
      <permits type="usage">search</permits>
      <prohibits type="usage">ai-all</prohibits>
      <payment type="free"/>
      <legal type="contact">https://svc.example/publishers/harbor-ledger/license/</legal>
    </license>
    <copyright type="organization" contactUrl="https://svc.example/publishers/harbor-ledger/license/">Harbor Ledger B.V.</copyright>
  </content>
</rsl>
`
	assert.Equal(t, string(k.Get(FileRSL)), wantRSL, "license.xml")
	for file, want := range map[string]string{
		FileRobots:   "License: https://harbor-ledger.example/license.xml\n\nUser-agent: *\nContent-Usage: / train-ai=n, ai-use=n, search=y\nContent-Usage: /shipping/ train-ai=n, ai-use=n, search=y\nContent-Usage: /shipping/wire/ train-ai=n, ai-use=n, search=y\nContent-Signal: search=yes, ai-input=no, ai-train=no\n",
		FileTDMRep:   `[{"location":"/shipping/wire/","tdm-reservation":1},{"location":"/shipping/","tdm-reservation":1},{"location":"/","tdm-reservation":1}]` + "\n",
		FileTrustTxt: "datatrainingallowed=no\n",
		FilePLUS:     "http://ns.useplus.org/ldf/vocab/DMI-PROHIBITED-EXCEPTSEARCHENGINEINDEXING\n",
		FileCAWG:     `{"entries":{"cawg.ai_generative_training":{"use":"notAllowed"},"cawg.ai_inference":{"use":"notAllowed"},"cawg.ai_training":{"use":"notAllowed"},"cawg.data_mining":{"use":"notAllowed"}}}` + "\n",
	} {
		assert.Equal(t, string(k.Get(file)), want, "%s", file)
	}
	access := string(k.Get(FileAccess))
	assert.Contains(t, "the access rules", access,
		`{"class":"inference","decision":"license","host":"harbor-ledger.example","path":"/shipping/*","site_id":"harbor-ledger","status":402}`,
		`{"class":"training","decision":"deny","host":"harbor-ledger.example","path":"/*","site_id":"harbor-ledger","status":403}`,
		`{"class":"search","decision":"allow","host":"harbor-ledger.example","path":"/*","site_id":"harbor-ledger","status":200}`,
	)
	for _, f := range k.Files {
		if strings.HasSuffix(f.Path, ".json") || strings.HasSuffix(f.Path, ".jsonld") {
			if _, err := wire.Parse(bytes.TrimSpace(f.Body), wire.Trusted); err != nil {
				t.Errorf("%s: %v", f.Path, err)
			}
		}
	}
	if xmllint, err := exec.LookPath("xmllint"); err == nil {
		cmd := exec.Command(xmllint, "--noout", "--nonet", "-")
		cmd.Stdin = bytes.NewReader(k.Get(FileRSL))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("xmllint: %v %s", err, out)
		}
	}
}

func TestPolicyIsChecked(t *testing.T) {
	for name, spoil := range map[string]func(*Policy){
		"site url with a line break":      func(p *Policy) { p.SiteURL = "https://x.example/\nUser-agent: *" },
		"request url with a bracket":      func(p *Policy) { p.RequestURL = "https://x.example/>" },
		"relative service url":            func(p *Policy) { p.ServiceURL = "/x" },
		"site id":                         func(p *Policy) { p.SiteID = "../x" },
		"agent with a space":              func(p *Policy) { p.Agents = []string{"a b"} },
		"a wildcard inside a path":        func(p *Policy) { p.Offers[0].Scope.Paths = []string{"/a/*/b"} },
		"an anchored path":                func(p *Policy) { p.Offers[0].Scope.Paths = []string{"/a$"} },
		"an excluded path with a quote":   func(p *Policy) { p.Offers[0].Scope.Excludes = []string{"/a'"} },
		"terms with a script":             func(p *Policy) { p.Offers[0].Terms.URL = "javascript:alert(1)" },
		"a territory that is none":        func(p *Policy) { p.Offers[0].Territories = []string{"Europe"} },
		"an amount with markup":           func(p *Policy) { p.Offers[0].Payment.Amount = "1<2" },
		"a name with a control character": func(p *Policy) { p.Name = "a\x00" },
	} {
		p := harborLedger()
		spoil(p)
		assert.Fails(t, assert.Err(p.Pack()), "%s was written", name)
	}
}
