package channel

import (
	"strings"
	"testing"

	"colophon/internal/assert"
	"colophon/internal/channel/statements"
)

// trainingOf returns the answer on training at /x for everybody if a robots.txt
// permits it and another document is read too: one letter, as read returns
// them.
func trainingOf(t *testing.T, agent string, beside ...Result) string {
	t.Helper()
	robots := robotsFile("User-agent: *\nContent-Signal: ai-train=yes\n")
	all := read(append(beside, robots), "/x", agent, statements.ContentSignal)
	if len(all) != 8 {
		t.Fatalf("content signals answer %q", all)
	}
	return all[1:2]
}

func gapCodes(r *Result) string {
	var codes []string
	for _, g := range r.Gaps {
		codes = append(codes, g.Code)
	}
	return strings.Join(statements.SortedSet(codes), " ")
}

// TestReservationsThatCannotBeRead reads values that TDMRep does not define (it
// has 0 and 1): each is a gap, and no permission to train counts beside it.
func TestReservationsThatCannotBeRead(t *testing.T) {
	rule := func(member string) Result {
		return ParseTDMRep(Input{URL: "https://harbor.example/.well-known/tdmrep.json", Body: []byte(`[{"location":"/",` + member + `}]`)})
	}
	header := func(fields ...Field) Result { return ParseHeaders(Input{Fields: fields}) }
	page := func(meta string) Result { return ParseHTML(Input{Body: []byte("<head>" + meta + "</head>")}) }
	for name, c := range map[string]struct {
		doc  Result
		gaps string
	}{
		"true":             {rule(`"tdm-reservation":true`), "tdm_reservation_value_ignored"},
		"false":            {rule(`"tdm-reservation":false`), "tdm_reservation_value_ignored"},
		"a fraction":       {rule(`"tdm-reservation":1.0`), "tdm_reservation_value_ignored"},
		"yes":              {rule(`"tdm-reservation":"yes"`), "tdm_reservation_value_ignored"},
		"two":              {rule(`"tdm-reservation":2`), "tdm_reservation_value_ignored"},
		"an empty string":  {rule(`"tdm-reservation":""`), "tdm_reservation_value_ignored"},
		"null":             {rule(`"tdm-reservation":null`), "tdm_reservation_value_ignored"},
		"a list":           {rule(`"tdm-reservation":[1]`), "tdm_reservation_value_ignored"},
		"another name":     {rule(`"tdm_reservation":1`), "tdm_reservation_value_ignored"},
		"a short name":     {rule(`"tdmReservation":1`), "tdm_reservation_value_ignored"},
		"header boolean":   {header(Field{"tdm-reservation", "?1"}), "tdm_reservation_value_ignored"},
		"header list":      {header(Field{"tdm-reservation", "1, 1"}), "tdm_reservation_value_ignored"},
		"header word":      {header(Field{"TDM-Reservation", "true"}), "tdm_reservation_value_ignored"},
		"header name":      {header(Field{"tdm_reservation", "1"}), "tdm_reservation_misspelt"},
		"header twice":     {header(Field{"tdm-reservation", "true"}, Field{"tdm-reservation", "0"}), "tdm_reservation_value_ignored"},
		"header twice too": {header(Field{"tdm-reservation", "0"}, Field{"tdm-reservation", "true"}), "tdm_reservation_value_ignored"},
		"meta word":        {page(`<meta name="tdm-reservation" content="reserved">`), "tdm_reservation_value_ignored"},
		"meta name":        {page(`<meta name="tdm_reservation" content="1">`), "tdm_reservation_misspelt"},
	} {
		assert.Equal(t, gapCodes(&c.doc), c.gaps, "%s: gaps", name)
		if got := trainingOf(t, "", c.doc); got != "U" {
			t.Errorf("%s: training is %s beside it", name, got)
		}
	}
	for name, c := range map[string]struct {
		doc  Result
		want string
	}{
		"1": {rule(`"tdm-reservation":1`), "D"}, `"1"`: {rule(`"tdm-reservation":"1"`), "D"}, "0": {rule(`"tdm-reservation":0`), "A"},
		"header 1": {header(Field{"tdm-reservation", " 1 "}), "D"}, "a reservation wins": {header(Field{"tdm-reservation", "0"}, Field{"tdm-reservation", "1"}), "D"},
		"and before what cannot be read": {header(Field{"tdm-reservation", "1"}, Field{"tdm-reservation", "true"}), "D"},
	} {
		if got := read([]Result{c.doc}, "/x", "", statements.TDMRep); len(got) != 8 || got[1:2] != c.want || len(c.doc.Gaps) > 0 {
			t.Errorf("%s: %q with gaps %q", name, got, gapCodes(&c.doc))
		}
	}
}

// TestRobotsLinesThatCannotBeRead reads lines that a person takes for a rule
// and a parser does not (RFC 9309 requires a key, a colon and a path).
func TestRobotsLinesThatCannotBeRead(t *testing.T) {
	for line, want := range map[string]string{
		"Content_Signal: ai-train=no":           "robots_misspelt_rule",
		"ContentSignal: ai-train=no":            "robots_misspelt_rule",
		"Content-Sginal: ai-train=no":           "robots_misspelt_rule",
		"Content Usage: train-ai=n":             "robots_misspelt_rule",
		"Content-Usages: train-ai=n":            "robots_misspelt_rule",
		"Licence: https://harbor.example/l.xml": "robots_misspelt_rule",
		"License-: https://harbor.example/l":    "robots_misspelt_rule",
		"Users-agent: GPTBot\nDisallow: /":      "robots_misspelt_rule",
		"Disallow-AI-Training: /":               "robots_misspelt_rule",
		"\u200bContent-Signal: ai-train=no":     "robots_line_unreadable",
		"\u200eDisallow: /private/":             "robots_line_unreadable",
		"Disallow: /pri\u200bvate/":             "robots_line_unreadable",
		"Disallow\u00ad: /":                     "robots_line_unreadable",
		"\u202aDisallow: /\u202c":               "robots_line_unreadable",
		"\ufeffUser-agent: *\nDisallow: /":      "robots_line_unreadable",
		"Disallow\uff1a /":                      "robots_line_unreadable",
		"Content-Signal\uff1aai-train=no":       "robots_line_unreadable",
	} {
		r := robotsFile("User-agent: *\nContent-Signal: ai-train=yes\n" + line + "\n")
		assert.Equal(t, gapCodes(&r), want, "%q: gaps", line)
		if got := read([]Result{r}, "/x", "", statements.ContentSignal); got[1] == 'A' {
			t.Errorf("%q: content signals answer %q", line, got)
		}
	}
	for _, line := range []string{"Disalllow: /", "Disallows: /", "Dis-allow: /", "Disalow: /", "Dissallow: /"} {
		r := robotsFile("User-agent: *\n" + line + "\n")
		assert.Equal(t, read([]Result{r}, "/x", "", statements.Robots), "DDDDDDUD", "%q", line)
	}
	for _, line := range []string{"Sitemap: https://harbor.example/s.xml", "Host: harbor.example", "Crawl-delay: 3", "Clean-param: a /b", "Noindex: /a", "Request-rate: 1/5", "# Disallow\uff1a /", "Allow: /a", "Visit-time: 0600-0845"} {
		if r := robotsFile("User-agent: *\nContent-Signal: ai-train=yes\n" + line + "\n"); len(r.Gaps) > 0 {
			t.Errorf("%q: gaps %q", line, gapCodes(&r))
		}
	}
}

// TestTypesOfLicenceLinks checks that media types with parameters and in
// capitals still name an RSL file.
func TestTypesOfLicenceLinks(t *testing.T) {
	for _, kind := range []string{"application/rsl+xml", "application/rsl+xml; charset=utf-8", "APPLICATION/RSL+XML;charset=utf-8", " application/rsl+xml ; v=1"} {
		header := ParseHeaders(Input{URL: "https://harbor.example/x", Fields: []Field{{"Link", `</l.xml>; rel="license"; type="` + kind + `"`}}})
		page := ParseHTML(Input{URL: "https://harbor.example/x", Body: []byte(`<link rel="license" href="/l.xml" type="` + kind + `">`)})
		for _, r := range []Result{header, page} {
			if len(r.Links) != 1 || r.Links[0].Rel != "license" {
				t.Errorf("%q: links %+v", kind, r.Links)
			}
			if got := trainingOf(t, "", r); got != "U" {
				t.Errorf("%q: training is %s beside a licence that was not read", kind, got)
			}
		}
		inline := ParseHTML(Input{URL: "https://harbor.example/x", Body: []byte(`<script type="` + kind + `">` + rslDoc(`<content url="/"><license><prohibits type="usage">ai-train</prohibits></license></content>`) + `</script>`)})
		if got := read([]Result{inline}, "https://harbor.example/x", "", statements.RSL); len(got) != 8 || got[1] != 'D' {
			t.Errorf("%q: the script says %q", kind, got)
		}
	}
}

// TestTrustTxtLinesThatCannotBeRead checks that only "=" may follow the key.
func TestTrustTxtLinesThatCannotBeRead(t *testing.T) {
	for line, training := range map[string]string{
		"datatrainingallowed: no": "U", "datatrainingallowed : no": "U", "datatrainingallowed no": "U", "data-training-allowed=no": "U", "DataTrainingAllowd=no": "U",
		"datatrainingallowed=maybe": "U", "datatrainingallowed=": "U", "\u200bdatatrainingallowed=no": "U", "datatrainingallowed=yes": "A", "member=https://a.example/": "A",
		"controlledby=https://training.example/": "A",
	} {
		r := ParseTrustTxt(Input{URL: "https://harbor.example/trust.txt", Body: []byte("member=https://b.example/\n" + line + "\n")})
		if got := trainingOf(t, "", r); got != training {
			t.Errorf("%q: training is %s beside it, want %s; gaps %q", line, got, training, gapCodes(&r))
		}
	}
}

// TestContentSignalUse checks the key "use" of managed files: it limits the
// other answers and is not a gap.
func TestContentSignalUse(t *testing.T) {
	for value, want := range map[string]string{
		"search=yes,ai-input=yes,ai-train=no":               "ADDAUDUU",
		"search=yes,ai-input=yes,ai-train=no,use=full":      "ADDAUDUU",
		"search=yes,ai-input=yes,ai-train=no,use=reference": "ADDADDUU",
		"search=yes,ai-train=no,use=reference":              "UDDADDUU",
		"ai-train=yes,use=reference":                        "UDDUDDUU",
		"search=yes,ai-input=yes,use=immediate":             "ADDDDDUU",
		"USE = Reference, search=yes":                       "UDDADDUU",
		"search=yes,ai-input=yes,ai-train=yes,use=full":     "AAAAUUUU",
	} {
		r := robotsFile("User-agent: *\nContent-Signal: " + value + "\n")
		if got := read([]Result{r}, "/x", "", statements.ContentSignal); got != want || len(r.Gaps) > 0 {
			t.Errorf("%s: %q, want %q; gaps %q", value, got, want, gapCodes(&r))
		}
	}
	for _, value := range []string{"search=yes,use=some", "search=yes,use=", "search=yes,use"} {
		r := robotsFile("User-agent: *\nContent-Signal: " + value + "\n")
		if got := read([]Result{r}, "/x", "", statements.ContentSignal); got[3] == 'A' || gapCodes(&r) != "content_signal_value_ignored" {
			t.Errorf("%s: %q; gaps %q", value, got, gapCodes(&r))
		}
	}
}

// TestMachineLearningDirectives reads noml and noarchive beside a robots.txt
// that permits training. noarchive is an opt-out only for the agents whose
// guides say so.
func TestMachineLearningDirectives(t *testing.T) {
	for _, c := range []struct{ directive, agent, want string }{
		{"noml", "", "DD"}, {"noindex, NOML", "gptbot", "DD"}, {"noai", "", "DD"}, {"noarchive", "", "AA"}, {"noarchive", "bingbot", "DD"}, {"noarchive", "Amazonbot", "DD"},
		{"noarchive", "gptbot", "AA"}, {"archive, follow", "bingbot", "AA"}, {"nosnippet,noml", "", "DD"},
	} {
		robots := robotsFile("User-agent: *\nContent-Signal: ai-train=yes\n")
		for name, r := range map[string]Result{
			"page":   ParseHTML(Input{Body: []byte(`<meta name="robots" content="` + c.directive + `">`)}),
			"header": ParseHeaders(Input{Fields: []Field{{"X-Robots-Tag", c.directive}}}),
		} {
			got := "AA"
			for i, a := range read([]Result{r, robots}, "/x", c.agent, statements.HTMLMeta) {
				if (i == 1 || i == 2) && a == 'D' {
					got = got[:i-1] + "D" + got[i:]
				}
			}
			assert.Equal(t, got, c.want, "%s %q for %q: training and fine-tuning", name, c.directive, c.agent)
		}
	}
	r := ParseHeaders(Input{Fields: []Field{{"X-Robots-Tag", "bingbot: noarchive"}, {"X-Robots-Tag", "examplebot: noarchive"}}})
	if len(r.Statements) != 1 || r.Statements[0].Agent != "bingbot" {
		t.Errorf("the header says %+v", r.Statements)
	}
}

// TestAITxtDeclarations reads files of draft-car-ai-txt-wellknown-00: training
// is denied unless it is allowed, blocks for agents override, and paths count
// if training is conditional.
func TestAITxtDeclarations(t *testing.T) {
	for _, c := range []struct{ name, body, agent, path, want string }{
		{"denied", "Site-Name: Harbor\nTraining: deny\n", "", "/x", "UDDUUDUU"},
		{"allowed", "Training: allow\n", "", "/x", "UAUUUUUU"},
		{"denied by default", "Site-Name: Harbor\nSite-URL: https://harbor.example\n", "", "/x", "UDDUUDUU"},
		{"at a price", "Training: allow\nTraining-Fee: https://harbor.example/price\n", "", "/x", "UPUUUUUU"},
		{"an open path", "Training: conditional\nTraining-Allow: /free/*\n", "", "/free/1", "UAUUUUUU"},
		{"beside the open path", "Training: conditional\nTraining-Allow: /free/*\n", "", "/x", "UDDUUDUU"},
		{"a closed path", "Training: conditional\nTraining-Allow: /a/*\nTraining-Deny: /a/b/*\n", "", "/a/b/1", "UDDUUDUU"},
		{"conditions that are not stated", "Training: conditional\n", "", "/x", "UDDUUDUU"},
		{"paths without a condition", "Training: deny\nTraining-Allow: /free/*\n", "", "/free/1", "UDDUUDUU"},
		{"an agent that is allowed", "Training: deny\nAgent: ClaudeBot\n  Training: allow\n", "claudebot", "/x", "UAUUUUUU"},
		{"another agent", "Training: deny\nAgent: ClaudeBot\n  Training: allow\n", "gptbot", "/x", "UDDUUDUU"},
		{"an agent that is denied", "Training: allow\n\nAgent: GPTBot\n\tTraining: deny\n\tScraping: deny\n", "gptbot", "/x", "DDDDDDUD"},
		{"a field after a block", "Agent: GPTBot\n  Training: deny\n\nTraining: allow\n", "", "/x", "UAUUUUUU"},
		{"all agents", "Training: allow\nAgent: *\n  Training: deny\n", "", "/x", "UDDUUDUU"},
		{"no indexing", "Training: allow\nIndexing: deny\n", "", "/x", "DAUDUUUU"},
	} {
		r := ParseAITxt(Input{URL: "https://harbor.example/.well-known/ai.txt", Body: []byte(c.body)})
		if got := read([]Result{r}, "https://harbor.example"+c.path, c.agent, statements.AITxt); got != c.want || len(r.Gaps) > 0 {
			t.Errorf("%s: %q, want %q; gaps %q", c.name, got, c.want, gapCodes(&r))
		}
	}
	for name, body := range map[string]string{
		"a value that is unknown": "Training: maybe\n", "two values": "Training: deny\nTraining: allow\n", "an agent without a name": "Training: allow\nAgent:\n  Training: deny\n",
		"prose": "You may not train models on this site.\n", "another format": "ai-policy: none\ncontact: desk@harbor.example\n", "a misspelt key": "Site-Name: Harbor\nTraning: deny\nTraining: allow\n",
	} {
		r := ParseAITxt(Input{URL: "https://harbor.example/.well-known/ai.txt", Body: []byte(body)})
		if got := trainingOf(t, "", r); got == "A" {
			t.Errorf("%s: training is %s beside it; gaps %q, %+v", name, got, gapCodes(&r), r.Statements)
		}
	}
	for name, body := range map[string]string{
		"a Disallow among declarations":  "Site-Name: Harbor\nTraining: allow\nUser-agent: *\nDisallow: /\n",
		"a key of one's own":             "User-agent: *\nAllow: /\nAllow-Training: no\n",
		"another one":                    "User-Agent: *\nAllow: /\nAI-Training: disallowed\nAI-Citation: required\n",
		"a key of one's own in a block":  "Training: allow\nAgent: GPTBot\n  AI-Train: no\n",
		"a misspelt Disallow":            "User-agent: *\nAllow: /\nDisallows: /archive/\n",
		"a zero-width space":             "\u200bTraining: allow\nSite-Name: Harbor\n",
		"a zero-width space in a value":  "Training: al\u200blow\n",
		"a full-width colon":             "Training\uff1a deny\n",
		"a full-width colon, permission": "Training\uff1a allow\n",
	} {
		r := ParseAITxt(Input{URL: "https://harbor.example/.well-known/ai.txt", Body: []byte(body)})
		if len(r.Gaps) == 0 || trainingOf(t, "", r) != "U" || strings.Contains(read([]Result{r}, "https://harbor.example/x", "", statements.AITxt), "A") {
			t.Errorf("%s: gaps %q, it says %q", name, gapCodes(&r), read([]Result{r}, "https://harbor.example/x", "", statements.AITxt))
		}
		if restricts := read([]Result{r}, "https://harbor.example/x", "", statements.AITxt); name == "a full-width colon" && restricts != "UDDUUDUU" {
			t.Errorf("%s: it says %q", name, restricts)
		}
	}
	if r := ParseAITxt(Input{Body: []byte("# nothing\n\n")}); len(r.Gaps) > 0 {
		t.Errorf("an empty file has gaps %q", gapCodes(&r))
	}
}

// TestConditionsOfUsageAreShown checks that the parameters of a preference, as
// in CC signals, are shown with it.
func TestConditionsOfUsageAreShown(t *testing.T) {
	r := ParseHeaders(Input{Fields: []Field{{"Content-Usage", `train-ai=n;exceptions=research;n="a", search=y`}}})
	var texts []string
	for _, s := range r.Statements {
		texts = append(texts, s.Text)
	}
	assert.Equal(t, strings.Join(texts, " | "), `train-ai=n;exceptions=research;n="a" | search=y`, "the evidence")
}

// TestTerritory reads codes of ISO 3166-1. One of no country stays as it is, and
// matches nobody.
func TestTerritory(t *testing.T) {
	for text, want := range map[string]string{
		"DEU": "DE", "urn:iso:std:iso:3166:-1:NIC": "NI", "gb": "GB", "KEN": "KE", "EU": "EU", "EUE": "EUE", "XXX": "XXX", "150": "150", "": "",
	} {
		assert.Equal(t, parseTerritory(text), want, "%q", text)
	}
}

// TestParse reads a document of each channel by the name of the channel.
func TestParse(t *testing.T) {
	for name, body := range map[statements.Name]string{
		statements.RSL: rslDoc(`<content url="/"><license><prohibits type="usage">ai-train</prohibits></license></content>`), statements.Robots: "User-agent: *\nDisallow: /",
		statements.AIPrefRobots: "User-agent: *\nContent-Usage: train-ai=n", statements.AIPrefHeader: "HTTP/1.1 200 OK\r\nContent-Usage: train-ai=n", statements.ContentSignal: "Content-Signal: ai-train=no",
		statements.TDMRep: `[{"location":"/","tdm-reservation":1}]`, statements.TDMPolicy: `{"@type":"Offer","permission":[{"action":"tdm:mine","duty":[{"action":"obtainConsent"}]}]}`,
		statements.AITxt: "User-Agent: *\nDisallow: /", statements.TrustTxt: "datatrainingallowed=no", statements.HTMLMeta: `<meta name="robots" content="noai">`, statements.SchemaOrg: `<meta name="robots" content="noai">`,
		statements.CAWG: `{"entries":{"cawg.ai_training":{"use":"notAllowed"}}}`, statements.PLUS: "DMI-PROHIBITED", statements.CoMP: `{"package":{"id":"1","licenseurl":"/x","ext":{"function":[2]}}}`,
	} {
		r := Parse(name, Input{URL: "https://harbor.example/x", Body: []byte(body)})
		if r.State != Valid || len(r.Statements) == 0 {
			t.Errorf("%s says nothing: %+v", name, r)
		}
	}
	for name, body := range map[statements.Name]string{statements.TelemetryManifest: `{"schema_version":"1","telemetry":{"endpoint":"/e"}}`, statements.PublisherFile: "{}", "unknown": ""} {
		r := Parse(name, Input{URL: "https://harbor.example/x", Body: []byte(body)})
		if r.Channel != name || len(r.Links)+len(r.Warnings) == 0 {
			t.Errorf("%s: %+v", name, r)
		}
	}
	if r := Parse(statements.TrustTxt, Input{URL: "https://harbor.example/robots.txt", Body: []byte("User-agent: *\nDisallow: /")}); r.Channel != statements.Robots {
		t.Errorf("a robots.txt is read as %s", r.Channel)
	}
}

// TestRuleEndsAgents checks that a rule of any kind ends the list of agents of its
// group, so that the next agent is not restricted by it.
func TestRuleEndsAgents(t *testing.T) {
	for _, rule := range []string{"Content-Usage: train-ai=n", "Content-Signal: ai-train=no", "DisallowAITraining: /", "Disallow: /"} {
		r := ParseRobots(Input{URL: "https://harbor.example/robots.txt", Body: []byte("User-agent: a\n" + rule + "\nUser-agent: b\nDisallow: /b\n")})
		if len(r.Groups) != 2 || len(r.Groups[0].Agents) != 1 || len(r.Groups[1].Agents) != 1 {
			t.Errorf("%s: groups %+v", rule, r.Groups)
		}
	}
}
