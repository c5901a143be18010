package channel

import (
	"reflect"
	"slices"
	"testing"
	"unicode/utf8"

	"colophon/exports"
	"colophon/internal/channel/statements"
	"colophon/internal/wire"
)

// sound checks what must be true for every input: what a parser says is in the
// vocabulary and can be shown, and parsing twice gives the same.
func sound(t *testing.T, parse func(Input) Result, body []byte) {
	in := Input{URL: "https://harbor.example/a", Body: body, CheckedAt: 1000}
	r := parse(in)
	if r.State != Valid && r.State != Invalid || len(r.Digest) != 64 || r.ValidUntil < 1000 {
		t.Errorf("result %+v", r)
	}
	if r.State == Invalid && len(r.Warnings) == 0 {
		t.Error("invalid without a reason")
	}
	for _, s := range r.Statements {
		if !slices.Contains(exports.Channels, string(s.Channel)) {
			t.Errorf("channel %q", s.Channel)
		}
		if s.Word != "audience" && statements.Covers(s.Channel, s.Word) == [8]statements.Cover{} {
			t.Errorf("%s says %q, which is not in the crosswalk", s.Channel, s.Word)
		}
		if !utf8.ValidString(s.Text) || !utf8.ValidString(s.Locator) || !utf8.ValidString(s.Agent) {
			t.Errorf("text %q at %q", s.Text, s.Locator)
		}
	}
	for _, w := range r.Warnings {
		if w.Code == "" || !utf8.ValidString(w.Detail) {
			t.Errorf("warning %+v", w)
		}
	}
	if !reflect.DeepEqual(r, parse(in)) {
		t.Error("reads differently the second time")
	}
	var stored statements.Document
	if err := wire.Decode(wire.Append(nil, &r.Document), &stored, wire.Trusted); err != nil {
		t.Errorf("cannot be stored: %v", err)
	} else if !reflect.DeepEqual(statements.Answers([]statements.Document{stored}, "https://harbor.example/a"), statements.Answers(documents(r), "https://harbor.example/a")) {
		t.Errorf("says something else once stored: %s", wire.Append(nil, &stored))
	}
	for _, a := range statements.Answers(documents(r), "https://harbor.example/a") {
		if len(a.Options) > 0 != (a.Effect == statements.Allow || a.Effect == statements.Priced) {
			t.Errorf("answer %+v", a)
		}
	}
}

func fuzzParser(f *testing.F, parse func(Input) Result, seeds ...string) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) { sound(t, parse, body) })
}

func FuzzRSL(f *testing.F) {
	fuzzParser(f, ParseRSL, rslDoc(`<content url="/a*" server="/s" lastmod="2026-11-18T10:00:00Z"><license><permits type="usage">ai-input search</permits><prohibits type="usage">ai-train, x:y</prohibits><permits type="geo">EU</permits><prohibits type="user">commercial</prohibits><payment type="use"><custom>/ask</custom><amount currency="EUR">0.015</amount><standard>x</standard><accepts type="a/b"/></payment><reporting type="telemetry" profile="https://p.example/"/><legal type="contact">/c</legal></license><copyright contactUrl="/c">x</copyright><terms>/t</terms></content>`), `<rsl`)
}

func FuzzRobots(f *testing.F) {
	fuzzParser(f, ParseRobots, "License: https://x.example/l.xml\nUser-agent: *\nUser-agent: FooBot/1\nDisallow: /a*b$ # c\nAllow: /\nContent-Usage: / train-ai=n;a=1, search=y\nContent-Signal: ai-train=no\nSitemap: /s\n", "\xef\xbb\xbfuser-agent *\rdisallow:/\r\n")
}

func FuzzHeaders(f *testing.F) {
	fuzzParser(f, func(in Input) Result {
		in.Fields = ReadFields(in.Body)
		return ParseHeaders(in)
	}, "Link: </l.xml>; rel=\"license\"; type=\"application/rsl+xml\"\nContent-Usage: train-ai=n\nContent-Signal: search=yes\ntdm-reservation: 1\ntdm-policy: /p\nX-Robots-Tag: foobot: noai, noimageai\n")
}

func FuzzHTML(f *testing.F) {
	fuzzParser(f, ParseHTML, `<!doctype html><head><link rel=license href=/l type=application/rsl+xml><meta name=robots content="noai"><meta name="tdm-reservation" content="1"><script type="application/ld+json">{"@graph":[{"license":["/a",{"@id":"/b"}],"x":{"acquireLicensePage":"/c"}}]}</script><script type="application/rsl+xml"><rsl xmlns="https://rslstandard.org/rsl"><content url=""><license><permits type="usage">search</permits></license></content></rsl></script>`)
}

func FuzzFeed(f *testing.F) {
	fuzzParser(f, ParseFeed, `<rss xmlns:rsl="https://rslstandard.org/rsl"><channel><item><link>https://harbor.example/a</link><rsl:content url=""><rsl:license><rsl:prohibits type="usage">ai-all</rsl:prohibits></rsl:license></rsl:content></item></channel></rss>`, `<feed xmlns="http://www.w3.org/2005/Atom"><entry><link href="/a"/></entry></feed>`)
}

func FuzzTDMRep(f *testing.F) {
	fuzzParser(f, ParseTDMRep, `[{"location":"/a","tdm-reservation":1,"tdm-policy":"/p"},{"location":"b","tdm-reservation":"0"},{"location":7}]`, `{"location":"/","tdm-reservation":1}`)
}

func FuzzODRL(f *testing.F) {
	fuzzParser(f, ParseODRL, `{"@context":"http://www.w3.org/ns/odrl.jsonld","@type":"Offer","profile":"http://www.w3.org/ns/tdmrep","uid":"u","assigner":{"vcard:hasURL":"/c"},"permission":[{"action":["tdm:mine","distribute"],"duty":[{"action":"compensate"}],"constraint":[{"leftOperand":"purpose","operator":"eq","rightOperand":"tdm:research"},{"leftOperand":"spatial","operator":"isPartOf","rightOperand":["urn:iso:3166:FRA"]}]}],"prohibition":{"action":"search"}}`)
}

func FuzzLines(f *testing.F) {
	f.Add([]byte("User-Agent: *\nDisallow: *.jpg\nAllow: /\ndatatrainingallowed=no\n"))
	f.Fuzz(func(t *testing.T, body []byte) {
		sound(t, ParseAITxt, body)
		sound(t, ParseTrustTxt, body)
	})
}

func FuzzAssertions(f *testing.F) {
	f.Add([]byte(`{"entries":{"cawg.ai_training":{"use":"allowed"},"c2pa.ai_generative_training":{"use":"constrained","constraint_info":"https://x.example/"}}}`))
	f.Add([]byte("http://ns.useplus.org/ldf/vocab/DMI-PROHIBITED"))
	f.Add([]byte(`{"package":{"id":"1","licenseurl":"/x","ext":{"function":[1,9]},"scope":{"country":["NLD"],"ause":[0,7]}}}`))
	f.Add([]byte(`{"schema_version":"0.1","telemetry":{"endpoint":"/e"}}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		sound(t, ParseCAWG, body)
		sound(t, ParsePLUS, body)
		sound(t, ParseCoMP, body)
		sound(t, ParseTelemetry, body)
	})
}

func FuzzDictionary(f *testing.F) {
	for _, s := range []string{"a=1, b=\"x\\\"\";p, c=(1 2;q);r=?1, d=:YQ==:, e=@-1, f=%\"a%c3\", g=tok/en, *h=1.5", "a=", "a=1,,b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		dict, err := parseDictionary(s)
		if err != nil && dict != nil {
			t.Error("members beside an error")
		}
		seen := map[string]bool{}
		for _, m := range dict {
			if seen[m.key] || m.key == "" {
				t.Errorf("key %q", m.key)
			}
			seen[m.key] = true
		}
	})
}

func TestDictionary(t *testing.T) {
	good := map[string]string{
		"":                         "",
		"a":                        "a:",
		"a=b":                      "a:b",
		"a=b, c=d":                 "a:b c:d",
		"a=b ,\tc=d":               "a:b c:d",
		"a=b;x;y=1;z=\"q\", c":     "a:b c:",
		"a=(b \"c\" 1.5;p=1);q, d": "a: d:",
		"a=1, a=b, c=d":            "a:b c:d",
		"*a.b-c_9=*x:/y":           "*a.b-c_9:*x:/y",
		"a=:YWI=:, b=@1, c=?1":     "a: b: c:",
		"a=%\"f%c3%bc\"":           "a:",
		"a=-999999999999999":       "a:",
	}
	for text, want := range good {
		dict, err := parseDictionary(text)
		got := ""
		for i, m := range dict {
			if i > 0 {
				got += " "
			}
			got += m.key + ":" + m.token
		}
		if err != nil || got != want {
			t.Errorf("%q: %q %v, want %q", text, got, err, want)
		}
	}
	for _, text := range []string{
		"A=b", "a=b,", ",a", "a=b;", "a=b;Q", "a=(", "a=(b", "a=(b\"c\")", "a=\"b", "a=\"\\x\"", "a=:b", "a=:*:", "a=?2", "a=1.", "a=1.2345",
		"a=1234567890123456", "a=b c=d", "a==b", "a=;b", "a=\"ü\"", "a=%\"%C3\"", "a=@1.5", "1a", "a=b\x00", "a=%\"%ff\"",
	} {
		if dict, err := parseDictionary(text); err == nil {
			t.Errorf("%q was read as %v", text, dict)
		}
	}
}
