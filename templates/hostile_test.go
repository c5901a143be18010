package templates

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"colophon/exports"
	"colophon/internal/assert"
	"colophon/internal/citation"
	"colophon/internal/prose"
	"colophon/templates/frame"
)

// hostileStrings returns hostile texts that a publisher might use as a title or
// a name.
func hostileStrings() []string {
	seeds := []string{
		`<script>alert(1)</script>`, `</script><script>alert(1)</script>`, `</title><script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`,
		`' onmouseover='alert(1)`, `" autofocus onfocus="alert(1)`, `javascript:alert(1)`, `<svg/onload=alert(1)>`, `<!--`, `-->`, `<![CDATA[`, `]]>`,
		`</textarea><script>`, `</style><style>*{display:none}`, `<base href=//evil.example>`, `<meta http-equiv=refresh content=0>`, `&lt;script&gt;`, `&#x3c;script&#x3e;`,
		`{{7*7}}`, `${7*7}`, `%%MAIN%%`, `=HYPERLINK("https://evil.example")`, `+1`, `-1`, `@SUM(A1)`, "\tcmd", "\x00", "a\x00b", "a\x1b[31mred", "\u202egnp.exe", "\u2066x\u2069",
		"\u200f\u200eabc", "\u061cabc", "e" + strings.Repeat("\u0301", 400), strings.Repeat("\u0489", 200), strings.Repeat("\U0001F468\u200D", 100) + "\U0001F467",
		"\ufeff\ufe0f\U000E0101", "\u2028\u2029", "\ufff9a\ufffab\ufffb", "\U000E0041\U000E0042", "\ufffe\uffff", "\xff\xfe", "\xed\xa0\x80", "\xc0\xaf", strings.Repeat("W", 5000),
		strings.Repeat("a ", 3000), "", " ", "\u3164", "\u115f", "﷽﷽﷽﷽﷽", "ท" + strings.Repeat("็", 30), "<a href=\"javascript:alert(1)\">x</a>", "\\u003c/script\\u003e", `\"};alert(1);//`,
		`</ScRiPt >`, "<\x00script>", "<scr\u00adipt>", "＜script＞", "'\"`<>&;", "\r\nSet-Cookie: a=b", "{\"@context\":\"evil\"}", "ℌ\u0338", "\u0600\u0601", "\U000F0000",
	}
	wrap := []string{"%s", "x%sy", "عنوان %s", "标题%s标题", "%[1]s%[1]s"}
	var out []string
	for _, w := range wrap {
		for _, s := range seeds {
			out = append(out, fmt.Sprintf(w, s))
		}
	}
	return out
}

func TestHostileTextIsInert(t *testing.T) {
	all := hostileStrings()
	if len(all) < 200 {
		t.Fatalf("only %d hostile strings", len(all))
	}
	named := func(s string) sampleName {
		return sampleName{id: "hostile", name: s, summary: s, lang: s, vector: "LLDSUUUU", readiness: "declared", category: "science", pages: 3, titles: []string{s}}
	}
	shows := map[string]bool{} // pages that show a name of the sample
	one, other := samplePages(sampleSite, named("One")), samplePages(sampleSite, named("Other"))
	for i, p := range one {
		shows[p.File] = !bytes.Equal(render(t, p.Page), render(t, other[i].Page))
	}
	for i, s := range all {
		for _, p := range samplePages(sampleSite, named(s)) {
			if i > 0 && !shows[p.File] {
				continue
			}
			where := fmt.Sprintf("%s with string %d %.40q", p.File, i, s)
			page := render(t, p.Page)
			if !utf8.Valid(page) {
				t.Errorf("%s: not UTF-8", where)
			}
			if bad := forbiddenRune(string(page)); bad >= 0 {
				t.Errorf("%s: holds %U", where, bad)
			}
			if strings.Count(string(page), exports.MainStart) != 1 || strings.Count(string(page), exports.MainEnd) != 1 {
				t.Errorf("%s: not one content, which the service could replace", where)
			}
			got := parsePage(t, where, page)
			if strings.Contains(s, "%%MAIN%%") && strings.HasPrefix(p.File, "_shell") && strings.Count(string(page), exports.SlotMain) != 1 {
				t.Errorf("%s: a second slot", where)
			}
			if !strings.Contains(strings.ToLower(s), "licensed") && !strings.HasPrefix(p.File, "developers/reference/") {
				got.check()
			}
		}
		if t.Failed() {
			return
		}
	}
}

// forbiddenRune returns a character that no page may hold, or -1.
func forbiddenRune(page string) rune {
	for _, r := range page {
		if r != '\n' && r != '\t' && prose.Hidden(r) {
			return r
		}
	}
	return -1
}

func TestHostileAddressesAreNoLinks(t *testing.T) {
	for _, u := range []string{
		"javascript:alert(1)", "JaVaScRiPt:alert(1)", " javascript:alert(1)", "data:text/html,x", "vbscript:x", "//evil.example/", "https://", "http:///x", "https:evil.example",
		"ftp://x.example/", "", "https://x.example/\"onclick=", "https://x.example/<b>", "https://x.example/\n", "/\\evil.example", "mailto:a@b.example", "https://" + strings.Repeat("a", 3000),
	} {
		if prose.Linkable(u) {
			t.Errorf("%q is taken for a link", u)
		}
	}
	for _, u := range []string{"https://x.example/", "http://x.example", "/publishers/x/", "/v1/a?b=c#d", "https://x.example/%E2%82%AC?q='"} {
		if !prose.Linkable(u) {
			t.Errorf("%q is no link", u)
		}
	}
}

func TestClean(t *testing.T) {
	for _, c := range []struct {
		in    string
		limit int
		want  string
	}{
		{"Tide tables 2026", 100, "Tide tables 2026"},
		{"  two \t\n lines ", 100, "two lines"},
		{"a\u202eb\u2066c", 100, "abc"},
		{"a\x00\x1bb", 100, "ab"},
		{"soft\u00adhyphen", 100, "softhyphen"},
		{"abcdef", 4, "abc…"},
		{"abc def", 5, "abc…"},
		{"كيف تُدار المياه", 100, "كيف تُدار المياه"},
		{"👨\u200d👩\u200d👧", 100, "👨\u200d👩\u200d👧"},
		{"\u0301\u0301x", 100, "x"},
		{"\xffx", 100, "\uFFFDx"},
		{"\u3000标题\u3000", 100, "标题"},
		{"x", 0, ""},
		{"", 10, ""},
	} {
		assert.Equal(t, prose.Clean(c.in, c.limit), c.want, "prose.Clean(%q, %d)", c.in, c.limit)
	}
	if got := prose.Clean("e"+strings.Repeat("\u0301", 400), 1000); len([]rune(got)) != 1+prose.MarksInARow {
		t.Errorf("a tower of %d marks", len([]rune(got))-1)
	}
}

func TestCleanHoldsItsPromises(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.OneOf(rapid.String(), rapid.SampledFrom(hostileStrings())).Draw(t, "in")
		limit := rapid.IntRange(0, 80).Draw(t, "limit")
		got := prose.Clean(in, limit)
		if !utf8.ValidString(got) || len([]rune(got)) > limit || strings.TrimSpace(got) != got && limit > 1 || forbiddenRune(got) >= 0 || strings.ContainsAny(got, "\n\r\t\x00") {
			t.Fatalf("prose.Clean(%q, %d) = %q", in, limit, got)
		}
		if limit > 0 && prose.Clean(got, limit) != got {
			t.Fatalf("prose.Clean(%q) is not stable: %q", got, prose.Clean(got, limit))
		}
	})
}

func TestLinkedDataCannotEndItsElement(t *testing.T) {
	for _, s := range hostileStrings() {
		d := frame.Document(frame.Node("Article", frame.Text("headline", s, 300), frame.Address("url", s)))
		if strings.ContainsAny(string(d), "<>&") || strings.Contains(string(d), "\u2028") {
			t.Errorf("linked data of %q: %s", s, d)
		}
		var v map[string]any
		if err := json.Unmarshal(d, &v); err != nil {
			t.Errorf("linked data of %q: %v", s, err)
		}
	}
	assert.Equal(t, string(frame.EscapeLinkedData([]byte(`{"a":"</script>&\u2028"}`))), `{"a":"\u003c/script\u003e\u0026\u2028"}`, "escaped as")
}

func TestRISOfHostileTextKeepsItsLines(t *testing.T) {
	for _, s := range hostileStrings() {
		n := sampleNames[3]
		n.titles, n.name = []string{s}, s
		for _, line := range strings.Split(strings.TrimSuffix(risOf(sampleCitation(n)), "\n"), "\n") {
			if len(line) < 6 || line[2:6] != "  - " {
				t.Errorf("RIS of %q has the line %q", s, line)
			}
		}
	}
}

func risOf(c exports.Citation) string { return citation.RIS(&c) }
