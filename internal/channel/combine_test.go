package channel

import (
	"strings"
	"testing"

	"colophon/internal/assert"
	"colophon/internal/channel/statements"
)

// documents returns results in the form in which a site's evidence keeps them.
func documents(results ...Result) []statements.Document {
	out := make([]statements.Document, len(results))
	for i := range results {
		out[i] = results[i].Document
	}
	return out
}

// read returns the answers of one channel as eight letters: A allow, P priced,
// D disallow, U unknown; "" if the channel says nothing.
func read(results []Result, resource, agent string, name statements.Name) string {
	var b strings.Builder
	for _, a := range statements.Combine(documents(results...), resource, agent) {
		if a.Channel == name {
			b.WriteByte("UAPD"[a.Effect])
		}
	}
	return b.String()
}

func rslFile(body string) Result {
	return ParseRSL(Input{URL: "https://harbor.example/license.xml", Body: []byte(body)})
}

func rslDoc(contents string) string {
	return `<?xml version="1.0"?><rsl xmlns="https://rslstandard.org/rsl">` + contents + `</rsl>`
}

func robotsFile(body string) Result {
	return ParseRobots(Input{URL: "https://harbor.example/robots.txt", Body: []byte(body)})
}

func TestRSLReadsLicencesTogether(t *testing.T) {
	for _, c := range []struct{ name, contents, path, want string }{
		{"one permits and one prohibits training",
			`<content url="/"><license><permits type="usage">ai-train</permits></license><license><prohibits type="usage">ai-train</prohibits></license></content>`,
			"/a", "DDDDDDUU"},
		{"search only is a closed list",
			`<content url="/"><license><permits type="usage">search</permits></license></content>`,
			"/a", "DDDADDUU"},
		{"a word wider than the use neither allows nor shuts out",
			`<content url="/"><license><permits type="usage">ai-input</permits></license></content>`,
			"/a", "ADDDUDUU"},
		{"prohibits without permits leaves the rest open",
			`<content url="/"><license><prohibits type="usage">ai-train</prohibits></license></content>`,
			"/a", "UDDUUUUU"},
		{"ai-all disallows what it covers",
			`<content url="/"><license><prohibits type="usage">ai-all</prohibits></license></content>`,
			"/a", "DDDUDDUU"},
		{"all prohibited reaches every use",
			`<content url="/"><license><prohibits type="usage">all</prohibits></license></content>`,
			"/a", "DDDDDDDD"},
		{"a paid permission is priced",
			`<content url="/"><license><permits type="usage">ai-input search</permits><payment type="use"><amount currency="EUR">0.015</amount></payment></license></content>`,
			"/a", "PDDPUDUU"},
		{"custom without a type is priced",
			`<content url="/"><license><permits type="usage">ai-train</permits><payment><custom>/ask</custom></payment></license></content>`,
			"/a", "DPUDDDUU"},
		{"a server makes a free licence one to acquire",
			`<content url="/" server="https://olp.example/"><license><permits type="usage">search</permits></license></content>`,
			"/a", "DDDPDDUU"},
		{"a price without usage is an offer",
			`<content url="/"><license><payment type="subscription"/></license></content>`,
			"/a", "PPPPPPUU"},
		{"free without usage says nothing",
			`<content url="/"><license><payment type="free"/></license></content>`,
			"/a", ""},
		{"the narrower content decides first, the broader fills in",
			`<content url="/"><license><permits type="usage">all</permits></license></content><content url="/articles/"><license><prohibits type="usage">ai-train</prohibits></license></content>`,
			"/articles/1", "ADDAUUUU"},
		{"outside the narrower content",
			`<content url="/"><license><permits type="usage">all</permits></license></content><content url="/articles/"><license><prohibits type="usage">ai-train</prohibits></license></content>`,
			"/about", "AAUAUUUU"},
		{"a narrower closed list shuts out what the broader permits",
			`<content url="/"><license><permits type="usage">all</permits></license></content><content url="/wire/*"><license><permits type="usage">search</permits></license></content>`,
			"/wire/2", "DDDADDUU"},
		{"a path outside every content",
			`<content url="/wire/$"><license><permits type="usage">search</permits></license></content>`,
			"/wire/2", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := rslFile(rslDoc(c.contents))
			if r.State != Valid {
				t.Fatalf("state %s, warnings %v", r.State, r.Warnings)
			}
			assert.Equal(t, read([]Result{r}, "https://harbor.example"+c.path, "", statements.RSL), c.want, "got")
		})
	}
}

func TestAIPref(t *testing.T) {
	for _, c := range []struct{ field, want string }{
		{"train-ai=n", "UDDUUDUU"},
		{"train-ai=y", "UAUUUUUU"},
		{"train-ai=n, search=y", "UDDAUDUU"},
		{"train-ai=y, train-ai", "UUUUUUUU"}, // the last of a repeated key wins: a boolean
		{"train-ai, train-ai=y", "UAUUUUUU"},
		{"Train-AI=n", "UUUUUUUU"}, // not a dictionary key
		{"train-ai=\"n\"", "UUUUUUUU"},
		{"train-ai=N", "UUUUUUUU"},
		{"train-ai=?0", "UUUUUUUU"},
		{"train-ai=n;x=1, genai=n", "UDDUUDUU"},
		{"train-ai=n,", "UUUUUUUU"}, // cannot be parsed
		{"search=n", "UUUDUUUU"},
		{"ai-use=n", "DUUUDUUU"}, // draft-ietf-aipref-vocab-08, section 4.2
		{"ai-use=y", "AUUUUUUU"},
		{"train-ai=n, ai-use=y, search=y", "ADDAUDUU"},
		{"ai-use=yes", "UUUUUUUU"},
		{"", ""},
	} {
		r := ParseHeaders(Input{Fields: []Field{{"Content-Usage", c.field}}})
		assert.Equal(t, read([]Result{r}, "/x", "", statements.AIPrefHeader), c.want, "%q", c.field)
	}
}

func TestContentSignal(t *testing.T) {
	for _, c := range []struct{ value, want string }{
		{"search=yes, ai-train=no", "UDDAUDUU"},
		{"search=yes,ai-input=no,ai-train=no", "DDDADDUU"},
		{"ai-input=yes", "AUUUUUUU"},
		{"ai-train", "UUUUUUUU"},
		{"ai-train=maybe", "UUUUUUUU"},
		{"", ""},
	} {
		r := robotsFile("User-agent: *\nContent-Signal: " + c.value + "\nAllow: /\n")
		assert.Equal(t, read([]Result{r}, "/x", "", statements.ContentSignal), c.want, "%q", c.value)
	}
}

func TestTDMRepPrecedence(t *testing.T) {
	file := func(body string) Result {
		return ParseTDMRep(Input{URL: "https://harbor.example/.well-known/tdmrep.json", Body: []byte(body)})
	}
	header := func(v string) Result {
		return ParseHeaders(Input{URL: "https://harbor.example/a", Fields: []Field{{"TDM-Reservation", v}}})
	}
	page := func(v string) Result {
		return ParseHTML(Input{URL: "https://harbor.example/a", Body: []byte(`<meta name="tdm-reservation" content="` + v + `">`)})
	}
	reserved := `[{"location":"/","tdm-reservation":1}]`
	for _, c := range []struct {
		name    string
		results []Result
		want    string
	}{
		{"file", []Result{file(reserved)}, "DDDUDDUU"},
		{"file 1, header 0", []Result{file(reserved), header("0")}, "UAUUUAUU"},
		{"file 1, header 0, page 1", []Result{file(reserved), header("0"), page("1")}, "DDDUDDUU"},
		{"file 1, header 2", []Result{file(reserved), header("2")}, "DDDUDDUU"},
		{"first match decides", []Result{file(`[{"location":"/a","tdm-reservation":0},{"location":"/","tdm-reservation":1}]`)}, "UAUUUAUU"},
		{"order, not length", []Result{file(`[{"location":"/","tdm-reservation":1},{"location":"/a","tdm-reservation":0}]`)}, "DDDUDDUU"},
		{"an unset rule that matches first ends the file", []Result{file(`[{"location":"/a","tdm-reservation":7},{"location":"/","tdm-reservation":1}]`)}, "UUUUUUUU"},
		{"header of another page", []Result{file(reserved), ParseHeaders(Input{URL: "https://harbor.example/b", Fields: []Field{{"tdm-reservation", "0"}}})}, "DDDUDDUU"},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, read(c.results, "https://harbor.example/a", "", statements.TDMRep), c.want, "got")
		})
	}
}

func TestPolicyRefinesReservation(t *testing.T) {
	file := ParseTDMRep(Input{URL: "https://harbor.example/.well-known/tdmrep.json", Body: []byte(`[{"location":"/","tdm-reservation":1,"tdm-policy":"/p.json"}]`)})
	policy := func(permission string) Result {
		return ParseODRL(Input{URL: "https://harbor.example/p.json", Body: []byte(
			`{"@context":["http://www.w3.org/ns/odrl.jsonld"],"@type":"Offer","profile":"http://www.w3.org/ns/tdmrep","uid":"https://harbor.example/p.json","permission":[` + permission + `]}`)})
	}
	for _, c := range []struct{ name, permission, tdmrep, policy string }{
		{"consent", `{"action":"tdm:mine","duty":[{"action":"obtainConsent"}]}`, "DUDUDUUU", "UPUUUPUU"},
		{"research is free", `{"action":"tdm:mine","constraint":[{"leftOperand":"purpose","operator":"eq","rightOperand":"tdm:research"}]}`, "DDDUDDUU", "UUUUUUUA"},
		{"a constraint nobody knows must be asked about", `{"action":"tdm:mine","constraint":[{"leftOperand":"count","operator":"lt","rightOperand":5}]}`, "DUDUDUUU", "UPUUUPUU"},
	} {
		t.Run(c.name, func(t *testing.T) {
			results := []Result{policy(c.permission), file}
			assert.Equal(t, read(results, "/x", "", statements.TDMRep), c.tdmrep, "tdmrep")
			assert.Equal(t, read(results, "/x", "", statements.TDMPolicy), c.policy, "policy")
		})
	}
	stranger := policy(`{"action":"tdm:mine"}`)
	stranger.URL = "https://elsewhere.example/p.json"
	assert.Equal(t, read([]Result{stranger, file}, "/x", "", statements.TDMPolicy), "UUUUUUUU", "a policy that nothing points to")
}

func TestRobotsGroupHidesGlobalLicence(t *testing.T) {
	robots := robotsFile("License: https://harbor.example/global.xml\n\nUser-agent: *\nAllow: /\n\nUser-agent: ExampleBot\nLicense: https://harbor.example/bot.xml\nAllow: /\n")
	licence := func(name, words string) Result {
		return ParseRSL(Input{URL: "https://harbor.example/" + name, Body: []byte(rslDoc(`<content url="/"><license>` + words + `</license></content>`))})
	}
	results := []Result{robots,
		licence("global.xml", `<prohibits type="usage">ai-train</prohibits>`),
		licence("bot.xml", `<permits type="usage">ai-train</permits>`)}
	assert.Equal(t, read(results, "/x", "", statements.RSL), "UDDUUUUU", "anybody")
	assert.Equal(t, read(results, "/x", "examplebot", statements.RSL), "DAUDDDUU", "ExampleBot")
	linked := ParseHeaders(Input{URL: "https://harbor.example/x", Fields: []Field{{"Link", `<https://harbor.example/global.xml>; rel="license"; type="application/rsl+xml"`}}})
	assert.Equal(t, read(append(results, linked), "https://harbor.example/x", "examplebot", statements.RSL), "DDDDDDUU", "ExampleBot, with the global file found in a Link too")
	if got := statements.Agents(documents(results...)); len(got) != 1 || got[0] != "examplebot" {
		t.Errorf("agents %q", got)
	}
}

func TestRobotsIsAboutAccess(t *testing.T) {
	r := robotsFile("User-agent: *\nDisallow: /private\nContent-Usage: / train-ai=n\nContent-Usage: /open/ train-ai=y\nContent-Usage: /open/ search=n\n\nUser-agent: OtherBot\nUser-agent: GPTBot\nDisallow: /\n")
	for _, c := range []struct {
		path, agent string
		name        statements.Name
		want        string
	}{
		{"/private/1", "", statements.Robots, "DDDDDDUD"},
		{"/private/1", "", statements.AIPrefRobots, "UUUUUUUU"},
		{"/a", "", statements.Robots, ""},
		{"/a", "", statements.AIPrefRobots, "UDDUUDUU"},
		{"/open/1", "", statements.AIPrefRobots, "UAUDUUUU"},
		{"/a", "gptbot", statements.Robots, "DDDDDDUD"},
		{"/a", "gptbot", statements.AIPrefRobots, ""},
		{"/a", "SomeBot", statements.AIPrefRobots, "UDDUUDUU"},
	} {
		assert.Equal(t, read([]Result{r}, c.path, c.agent, c.name), c.want, "%s %s %s", c.path, c.agent, c.name)
	}
}

func TestPageChannels(t *testing.T) {
	page := ParseHTML(Input{URL: "https://harbor.example/a", Body: []byte(`<!doctype html><html><head>
<link rel="license" type="application/rsl+xml" href="/license.xml">
<link rel="license" href="https://creativecommons.org/licenses/by/4.0/">
<meta name="robots" content="noai, noimageai">
<meta name="examplebot" content="noindex">
<script type="application/rsl+xml"><rsl xmlns="https://rslstandard.org/rsl"><content url=""><license><permits type="usage">search</permits></license></content></rsl></script>
<script type="application/ld+json">{"@graph":[{"@type":"Article","license":"https://harbor.example/terms","acquireLicensePage":{"@id":"/ask"},"usageInfo":["/u1","/u2"],"n":1.5}]}</script>
</head></html>`)})
	if got := page.WarningCodes(); strings.Join(got, " ") != "statement_about_images_only" {
		t.Errorf("warnings %v", page.Warnings)
	}
	var rels []string
	for _, l := range page.Links {
		rels = append(rels, l.Rel+" "+l.URL)
	}
	want := "license https://harbor.example/license.xml|terms https://creativecommons.org/licenses/by/4.0/|terms https://harbor.example/terms|acquire-license https://harbor.example/ask|usage-info https://harbor.example/u1|usage-info https://harbor.example/u2"
	assert.Equal(t, strings.Join(rels, "|"), want, "links")
	for _, c := range []struct {
		path, agent string
		name        statements.Name
		want        string
	}{
		{"/a", "", statements.HTMLMeta, "UDDUUDUU"},
		{"/a", "ExampleBot", statements.HTMLMeta, "UDDDUDUU"},
		{"/a", "", statements.RSL, "DDDUDDUU"}, // /license.xml was not read
		{"/b", "", statements.RSL, ""},
		{"/b", "", statements.HTMLMeta, ""},
	} {
		assert.Equal(t, read([]Result{page}, "https://harbor.example"+c.path, c.agent, c.name), c.want, "%s %s %s", c.path, c.agent, c.name)
	}
}

func TestSmallFormats(t *testing.T) {
	in := func(body string) Input { return Input{URL: "https://harbor.example/f", Body: []byte(body)} }
	for _, c := range []struct {
		name string
		r    Result
		of   statements.Name
		path string
		want string
	}{
		{"ai.txt", ParseAITxt(in("User-Agent: *\nDisallow: /\n")), statements.AITxt, "/a", "UDDUUDUU"},
		{"ai.txt media", ParseAITxt(in("User-Agent: *\nDisallow: *.jpg\nAllow: *.txt\n")), statements.AITxt, "/a/b.jpg", "UDDUUDUU"},
		{"ai.txt allowed media", ParseAITxt(in("User-Agent: *\nDisallow: *.jpg\nAllow: *.txt\n")), statements.AITxt, "/a/b.txt", "UAUUUUUU"},
		{"ai.txt tie", ParseAITxt(in("User-Agent: *\nAllow: /\nDisallow: /\n")), statements.AITxt, "/a", "UDDUUDUU"},
		{"trust.txt no", ParseTrustTxt(in("# us\nmember=https://x.example/\ndatatrainingallowed=no\n")), statements.TrustTxt, "/a", "UDDUUDUU"},
		{"trust.txt yes", ParseTrustTxt(in("datatrainingallowed=YES\n")), statements.TrustTxt, "/a", "UAUUUUUU"},
		{"cawg", ParseCAWG(in(`{"entries":{"cawg.ai_inference":{"use":"notAllowed"},"cawg.ai_training":{"use":"allowed"},"cawg.ai_generative_training":{"use":"allowed"},"cawg.data_mining":{"use":"allowed"}}}`)), statements.CAWG, "/f", "DAUUDAUU"},
		{"cawg one kind of training", ParseCAWG(in(`{"entries":{"cawg.ai_training":{"use":"allowed"}}}`)), statements.CAWG, "/f", "UUUUUUUU"},
		{"cawg constrained without info", ParseCAWG(in(`{"entries":{"cawg.ai_inference":{"use":"constrained"}}}`)), statements.CAWG, "/f", "DUUUDUUU"},
		{"cawg constrained", ParseCAWG(in(`{"entries":{"c2pa.ai_inference":{"use":"constrained","constraint_info":"https://harbor.example/ask"}}}`)), statements.CAWG, "/f", "PUUUUUUU"},
		{"plus prohibited", ParsePLUS(in("http://ns.useplus.org/ldf/vocab/DMI-PROHIBITED")), statements.PLUS, "/f", "UDDDUDUD"},
		{"plus but search", ParsePLUS(in("http://ns.useplus.org/ldf/vocab/DMI-PROHIBITED-EXCEPTSEARCHENGINEINDEXING")), statements.PLUS, "/f", "UDDAUDUU"},
		{"plus training", ParsePLUS(in("PROHIBITED-AIMLTRAINING")), statements.PLUS, "/f", "UDDUUUUU"},
		{"plus allowed", ParsePLUS(in("DMI-ALLOWED")), statements.PLUS, "/f", "UAUUUAUU"},
		{"plus unspecified", ParsePLUS(in("DMI-UNSPECIFIED")), statements.PLUS, "/f", ""},
		{"comp", ParseCoMP(in(`{"package":{"id":"P1","licenseurl":"https://harbor.example/ask","scope":{"ause":[0],"country":["NLD"]}}}`)), statements.CoMP, "/a", ""},
		{"comp with functions", ParseCoMP(in(`{"package":{"id":"P1","licenseurl":"https://harbor.example/ask","ext":{"function":[3,5]}}}`)), statements.CoMP, "/a", "PUUPUUUU"},
		{"feed", ParseFeed(in(`<rss version="2.0" xmlns:rsl="https://rslstandard.org/rsl"><channel><item><link>https://harbor.example/n1</link><rsl:content url=""><rsl:license><rsl:prohibits type="usage">ai-all</rsl:prohibits></rsl:license></rsl:content></item></channel></rss>`)), statements.RSL, "/n1", "DDDUDDUU"},
		{"feed, other item", ParseFeed(in(`<rss version="2.0" xmlns:rsl="https://rslstandard.org/rsl"><channel><item><link>https://harbor.example/n1</link><rsl:content url=""><rsl:license><rsl:prohibits type="usage">ai-all</rsl:prohibits></rsl:license></rsl:content></item></channel></rss>`)), statements.RSL, "/n12", ""},
		{"x-robots-tag", ParseHeaders(Input{URL: "https://harbor.example/f", Fields: []Field{{"X-Robots-Tag", "otherbot: noindex"}, {"X-Robots-Tag", "noai"}}}), statements.HTMLMeta, "/f", "UDDUUDUU"},
		{"telemetry", ParseTelemetry(in(`{"schema_version":"0.1","telemetry":{"endpoint":"https://t.example/e"}}`)), statements.TelemetryManifest, "/a", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.r.State != Valid {
				t.Fatalf("state %s: %v", c.r.State, c.r.Warnings)
			}
			if got := read([]Result{c.r}, "https://harbor.example"+c.path, "", c.of); got != c.want {
				t.Errorf("got %q, want %q; %+v", got, c.want, c.r.Statements)
			}
		})
	}
}

func TestNothingFoundSaysNothing(t *testing.T) {
	if got := statements.Combine(nil, "/a", ""); len(got) != 0 {
		t.Errorf("%v", got)
	}
}
