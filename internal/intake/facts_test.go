package intake

import (
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"colophon/internal/assert"
	"colophon/internal/extract"
)

var must = assert.NoError

const bodyText = `<article><p>The harbour office published its figures this morning, and the ledger of arrivals grew by a tenth against the year before, with timber and grain ahead of all else.</p>
<p>Pilots, tug crews and the customs house each keep a book of their own; the three are compared at the end of every quarter, and what differs is settled by the clerk.</p></article>`

func read(t *testing.T, at, page string, header http.Header) (*draft, *problem) {
	t.Helper()
	u, err := url.Parse(at)
	must(t, err)
	s := &site{id: "x", home: testBase, hosts: map[string]bool{"www.harbor.example": true, "harbor.example": true}, private: func(u *url.URL) bool { return u.Hostname() == "127.0.0.1" }, partners: map[string]bool{"partner.example": true}}
	if header == nil {
		header = http.Header{}
	}
	header.Set("Content-Type", "text/html; charset=utf-8")
	d, _, p := s.extractPage(&answer{status: 200, header: header, body: []byte(page), url: u}, draft{}, 1<<20)
	return d, p
}

// TestCanonicalAddress checks a page's own address, and the address that it
// states and that must be confirmed (RFC 6596; HTML, section 4.2.3 for <base>).
func TestCanonicalAddress(t *testing.T) {
	const home = "https://www.harbor.example"
	for _, c := range []struct{ name, at, head, own, stated string }{
		{"own", home + "/A?b#c", "", home + "/A?b", ""},
		{"its own as a link", home + "/a", `<link rel=canonical href="/a#top">`, home + "/a", ""},
		{"link", home + "/a?utm=1", `<link rel=canonical href="/a">`, home + "/a?utm=1", home + "/a"},
		{"link to another host of the site", home + "/a", `<link rel="alternate canonical" href="https://HARBOR.example:443/%7Eb">`, home + "/a", "https://harbor.example/~b"},
		{"link to a foreign host", home + "/a", `<link rel=canonical href="https://other.example/a">`, "canonical_elsewhere", ""},
		{"link to a partner", home + "/a", `<link rel=canonical href="https://partner.example/a">`, home + "/a", ""},
		{"link that is none", home + "/a", `<link rel=canonical href="javascript:x">`, home + "/a", ""},
		{"empty link", home + "/a", `<link rel=canonical href=" ">`, home + "/a", ""},
		{"two that differ", home + "/a", `<link rel=canonical href="/b"><link rel=canonical href="/c">`, home + "/a", ""},
		{"the same twice", home + "/a", `<link rel=canonical href="/b"><link rel=canonical href="/b">`, home + "/a", home + "/b"},
		{"in the body", home + "/a", `</head><body><p>A comment<link rel=canonical href="/b">`, home + "/a", ""},
		{"relative to a base", home + "/a/b.html", `<base href="/deep/"><link rel=canonical href="l6c.html">`, home + "/a/b.html", home + "/deep/l6c.html"},
		{"base after it", home + "/a", `<link rel=canonical href="b"><base href="/deep/">`, home + "/a", home + "/deep/b"},
		{"first base", home + "/a", `<base href="/one/"><base href="/two/"><link rel=canonical href="b">`, home + "/a", home + "/one/b"},
		{"base without address", home + "/a", `<base target=_top><base href="/two/"><link rel=canonical href="b">`, home + "/a", home + "/two/b"},
		{"base of another scheme", home + "/a", `<base href="data:,x"><link rel=canonical href="b">`, home + "/a", home + "/b"},
		{"syndicated copy", "https://other.example/copy", `<link rel=canonical href="https://www.harbor.example/a">`, "", home + "/a"},
		{"foreign", "https://other.example/a", "", "foreign_host", ""},
		{"private copy", "http://127.0.0.1:8000/a?b=1", "", home + "/a?b=1", ""},
		{"private copy with link", "http://127.0.0.1:8000/a", `<link rel=canonical href="/b">`, home + "/a", home + "/b"},
		{"private copy with foreign link", "http://127.0.0.1:8000/a", `<link rel=canonical href="https://other.example/b">`, "canonical_elsewhere", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, p := read(t, c.at, "<head>"+c.head+"</head>"+bodyText, nil)
			if p != nil {
				assert.Equal(t, p.code, c.own, "problem %v", p)
				return
			}
			stated := ""
			if d.stated != nil {
				stated = d.stated.String()
			}
			if d.canonical != c.own || stated != c.stated {
				t.Errorf("its own address is %q, it states %q; want %q and %q", d.canonical, stated, c.own, c.stated)
			}
		})
	}
}

func TestStatedFacts(t *testing.T) {
	ld := func(s string) string { return `<script type="application/ld+json">` + s + `</script>` }
	type facts struct {
		title, language, section, published, modified string
		byline                                        []string
	}
	for _, c := range []struct {
		name, head string
		header     http.Header
		want       facts
	}{
		{"nothing", "", nil, facts{title: "Page", language: "en", section: "dir"}},
		{"title", "<title>A title of the page</title>", nil, facts{title: "A title of the page", language: "en", section: "dir"}},
		{"JSON-LD", ld(`{"@context":"https://schema.org","@graph":[{"@type":"WebPage","name":"No"},{"@type":["NewsArticle"],"headline":"Yes","datePublished":"2026-01-02T03:04:05Z","dateModified":"2026-02-03","articleSection":"Trade","inLanguage":"en-us","author":[{"@type":"Person","name":"Ada Tern"},"Bo Gull"]}]}`), nil,
			facts{"Yes", "en-US", "Trade", "2026-01-02T03:04:05Z", "2026-02-03T00:00:00Z", []string{"Ada Tern", "Bo Gull"}}},
		{"broken JSON-LD", ld(`{"@type":"Article","headline":"x",}`) + "<title>T</title>", nil, facts{title: "T", language: "en", section: "dir"}},
		{"Open Graph", `<meta property="og:title" content="OG"><meta property="og:locale" content="pt_BR"><meta property="article:published_time" content="2026-01-02"><meta property="article:modified_time" content="2026-01-03">`, nil,
			facts{title: "OG", language: "en", section: "dir", published: "2026-01-02T00:00:00Z", modified: "2026-01-03T00:00:00Z"}},
		{"Dublin Core", `<meta name="DC.title" content="DC"><meta name="DC.creator" content="Ada Tern; Bo Gull"><meta name="dcterms.created" content="2026-01-02">`, nil,
			facts{title: "DC", language: "en", section: "dir", published: "2026-01-02T00:00:00Z", byline: []string{"Ada Tern", "Bo Gull"}}},
		{"scholarly", `<meta name="citation_title" content="C"><meta name="citation_author" content="Tern, Ada"><meta name="citation_author" content="Gull, Bo"><meta name="citation_publication_date" content="2026/01/02">`, nil,
			facts{title: "C", language: "en", section: "dir", published: "2026-01-02T00:00:00Z", byline: []string{"Ada Tern", "Bo Gull"}}},
		{"header language", "", http.Header{"Content-Language": {"EN-ie, de"}}, facts{title: "Page", language: "en-IE", section: "dir"}},
		{"header language that the text contradicts", "", http.Header{"Content-Language": {"DE-at, en"}}, facts{title: "Page", language: "en", section: "dir"}},
		{"bad date", `<meta name="date" content="soon"><meta property="article:published_time" content="0001-01-01T00:00:00Z">`, nil, facts{title: "Page", language: "en", section: "dir"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, p := read(t, "https://www.harbor.example/dir/page.html", "<html><head>"+c.head+"</head><body><aside>Ada Tern, Bo Gull</aside>"+bodyText, c.header)
			if p != nil {
				t.Fatal(p)
			}
			if got := (facts{d.title, d.language, d.section, d.published, d.modified, d.byline}); !reflect.DeepEqual(got, c.want) {
				t.Errorf("got  %+v\nwant %+v", got, c.want)
			}
		})
	}
	d, p := read(t, "https://www.harbor.example/a", `<html lang="fr_ca">`+strings.Replace(bodyText, "<p>", `<time datetime="2026-05-06">x</time><p>`, 1), nil)
	if p != nil || d.language != "en" || d.published != "2026-05-06T00:00:00Z" || d.section != "" {
		t.Errorf("%+v %v", d, p)
	}
}

func TestInstant(t *testing.T) {
	for in, want := range map[string]string{
		"2026-03-04T05:06:07Z": "2026-03-04T05:06:07Z", "2026-03-04T05:06:07.891+02:00": "2026-03-04T03:06:07Z", "2026-03-04T05:06:07+0200": "2026-03-04T03:06:07Z",
		"2026-03-04 05:06": "2026-03-04T05:06:00Z", "2026-03-04": "2026-03-04T00:00:00Z", "20260304": "2026-03-04T00:00:00Z", " March 4,  2026 ": "2026-03-04T00:00:00Z",
		"4 Mar 2026": "2026-03-04T00:00:00Z", "Wed, 04 Mar 2026 05:06:07 GMT": "2026-03-04T05:06:07Z", "Wed, 04 Mar 2026 05:06:07 +0100": "2026-03-04T04:06:07Z",
		"03/04/2026": "", "Wed, 04 Mar 2026 05:06:07 CST": "", "2026-13-01": "", "0000-00-00": "", "now": "", "": "", "9999-12-31": "",
	} {
		assert.Equal(t, extract.Instant(in), want, "%q", in)
	}
}

func TestLanguageTag(t *testing.T) {
	for in, want := range map[string]string{
		"en": "en", "EN": "en", "en_us": "en-US", "zh-hant-tw": "zh-Hant-TW", "es-419": "es-419", "de-DE, en": "de-DE", "sr-latn": "sr-Latn", " fr ": "fr",
		"": "", "english": "", "e": "", "en-": "en", "12": "", "en US": "", "x-klingon": "", "en-abcdefghi": "",
	} {
		assert.Equal(t, extract.LanguageTag(in), want, "%q", in)
	}
}

func TestWordCount(t *testing.T) {
	for in, want := range map[string]int64{
		"": 0, "one": 1, "one two, three.": 3, "it's o’clock": 2, "co-op 3.14 e-mail": 6, "  \n": 0, "— …": 0, "naïve cafe\u0301": 2,
		"港务局": 3, "東京タワー": 5, "Go 语言": 3, "한국어 문서": 2, "مرحبا بالعالم": 2, "हिन्दी भाषा": 2, "a'": 1, "'a b'": 2,
	} {
		if got := wordCount(in); got != want {
			t.Errorf("%q has %d words, want %d", in, got, want)
		}
	}
}

func TestTerms(t *testing.T) {
	for _, c := range []struct {
		stated []string
		title  string
		want   []string
	}{
		{nil, "", nil},
		{nil, "What the Harbour knows about 2026 Tides", []string{"harbour", "knows", "tides"}},
		{[]string{"Tides, Grain;  tides", "Ports of call"}, "Tides", []string{"tides", "grain", "ports of call"}},
		{[]string{"a", strings.Repeat("x", 60)}, "nach Über Häfen", []string{"häfen"}},
	} {
		if got := termList(c.stated, c.title); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q and %q give %q, want %q", c.stated, c.title, got, c.want)
		}
	}
	var many []string
	for r := 'a'; r <= 'z'; r++ {
		many = append(many, strings.Repeat(string(r), 3))
	}
	if n := len(termList(many, "")); n != maxTerms {
		t.Errorf("%d terms", n)
	}
}

func TestAddress(t *testing.T) {
	for in, want := range map[string]string{
		"https://WWW.Harbor.example": "https://www.harbor.example/", "http://bücher.example/ä#x": "http://xn--bcher-kva.example/%C3%A4",
		" https://a.example/x y ": "https://a.example/x%20y", "https://a.example:8080/?q": "https://a.example:8080/?q", "http://[::1]:80/": "http://[::1]:80/",
		"": "", "/x": "", "ftp://a.example/": "", "https://u@a.example/": "", "https:///x": "", "https://a b.example/": "", "https://a.example/%zz": "https://a.example/%25zz", "http://a.example:port/": "",
		"https://a.example/" + strings.Repeat("x", 2048): "",
	} {
		u, err := parseAddress(in, nil)
		if got := ""; err == nil {
			if got = u.String(); got != want {
				t.Errorf("%q is %q, want %q", in, got, want)
			}
		} else if want != "" {
			t.Errorf("%q: %v", in, err)
		}
	}
}

func TestSafely(t *testing.T) {
	if p := recoverPanic("reader", func() *problem { panic("lost") }); p == nil || p.code != "parser_failed" || !strings.Contains(p.detail, "lost") {
		t.Errorf("%v", p)
	}
}

func TestExcerptText(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", ""},
		{"as long as allowed", "abcdefgh", "abcdefgh"},
		{"longer", "abcdefghij", "abcdef\n…\nij"},
		{"characters, not bytes", "åäöåäöåä", "åäöåäöåä"},
		{"cut between characters", strings.Repeat("潮", 9), "潮潮潮潮潮潮\n…\n潮潮"},
	} {
		if got := excerptText(c.text, 8); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestWordPressText(t *testing.T) {
	for _, c := range []struct{ name, content, want string }{
		{"blank lines", "One\r\n\r\ntwo", "<p>One</p>\n<p>two</p>"},
		{"paragraphs", "<p>One</p>", "<p>One</p>"},
		{"caption", `<p>[caption id="a" align="left"]<img src="x"> The quay[/caption]</p>`, `<p><img src="x"> The quay</p>`},
		{"gallery", `<p>a[gallery ids="1,2"]b</p>`, "<p>ab</p>"},
		{"embed", "<p>[embed width=\"9\"]https://video.example/1[/embed]</p>", "<p></p>"},
		{"quoted", "<p>Write [[gallery]] there</p>", "<p>Write [gallery] there</p>"},
		{"brackets of the text", "<p>[sic] [videos] [1]</p>", "<p>[sic] [videos] [1]</p>"},
	} {
		if got := wordPressText(c.content); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
