package extract

import (
	"strings"
	"testing"
)

// TestFactsOfAnotherPage checks that facts come only from the JSON-LD object
// that is about the page by its url, @id or mainEntityOfPage (schema.org/url,
// schema.org/mainEntityOfPage). The page is at http://a.example/x.html.
func TestFactsOfAnotherPage(t *testing.T) {
	const visible = `<body><main><h1>Tides</h1><p>By Ada Tern, beside news by Bo Gull and by Cleo Sand, who write of the harbour.</p></main>`
	own := func(members string) string {
		return `{"@type":"NewsArticle","headline":"Tides","author":"Ada Tern","datePublished":"2026-05-06"` + members + `}`
	}
	other := func(members string) string {
		return `{"@type":"NewsArticle","headline":"Cranes","author":"Bo Gull","datePublished":"2020-01-02"` + members + `}`
	}
	const (
		ada  = "Ada Tern 2026-05-06"
		bo   = "Bo Gull 2020-01-02"
		none = ""
	)
	for _, c := range []struct{ name, head, schema, want string }{
		{"one without address", "", own(""), ada},
		{"second of a list, by url", "", `[` + other(`,"url":"/other"`) + `,` + own(`,"url":"/x.html"`) + `]`, ada},
		{"second of a graph, by @id", "", `{"@graph":[` + other(`,"@id":"http://a.example/other#article"`) + `,` + own(`,"@id":"http://a.example/x.html#article"`) + `]}`, ada},
		{"by mainEntityOfPage as a text", "", `[` + other(`,"mainEntityOfPage":"http://a.example/other"`) + `,` + own(`,"mainEntityOfPage":"http://a.example/x.html"`) + `]`, ada},
		{"by mainEntityOfPage as an object", "", `[` + other(`,"url":"/other"`) + `,` + own(`,"mainEntityOfPage":{"@type":"WebPage","@id":"https://www.a.example/x.html/"}`) + `]`, ada},
		{"relative to the base", `<base href="/deep/">`, `[` + other(`,"url":"x.html"`) + `,` + own(`,"url":"../x.html"`) + `]`, ada},
		{"by the canonical address", `<link rel="canonical" href="/tides">`, `[` + other(`,"url":"/other"`) + `,` + own(`,"url":"http://a.example/tides"`) + `]`, ada},
		{"beside one without address", "", `[` + other(``) + `,` + own(`,"url":"/x.html"`) + `]`, ada},
		{"beside others with addresses", "", `[` + own(``) + `,` + other(`,"url":"/other"`) + `]`, ada},
		{"only another one", "", other(`,"url":"http://a.example/other"`), none},
		{"only that of another host", "", other(`,"url":"http://b.example/x.html"`), none},
		{"only that of another query", "", other(`,"url":"/x.html?id=2"`), none},
		{"only others", "", `[` + other(`,"url":"/1"`) + `,` + other(`,"url":"/2"`) + `]`, none},
		{"two without address", "", `[` + other("") + `,` + own("") + `]`, none},
		{"the same twice", "", `[` + own("") + `,` + own("") + `]`, ada},
		{"an @id that names a part of the site", "", own(`,"@id":"http://a.example/#article-7"`), ada},
		{"an @id that is no address", "", own(`,"@id":"_:b0"`), ada},
		{"main entity of a page", "", `{"@type":"WebPage","url":"/x.html","name":"Page","mainEntity":` + own("") + `}`, ada},
		{"post of a blog", "", `{"@type":"Blog","name":"B","blogPost":[` + other(`,"url":"/other"`) + `,` + own(`,"url":"/x.html"`) + `]}`, ada},
		{"posts of a blog that are others", "", `{"@type":"Blog","name":"B","blogPost":[` + other(`,"url":"/1"`) + `,` + other(`,"url":"/2"`) + `]}`, none},
		{"item of a list", "", `{"@type":"ItemList","itemListElement":[{"@type":"ListItem","item":` + other(`,"url":"/other"`) + `},{"@type":"ListItem","item":` + own(`,"url":"/x.html"`) + `}]}`, ada},
		{"a page before no article", "", `[{"@type":"WebPage","url":"/x.html","name":"Tides","author":"Ada Tern","datePublished":"2026-05-06"},` + other(`,"url":"/other"`) + `]`, ada},
		{"the first where it is the page", "", `[` + other(`,"url":"/x.html"`) + `,` + own(`,"url":"/other"`) + `]`, bo},
		{"that of the home page under a base", `<base href="/">`, other(`,"url":"/"`), none},
		{"that of the base itself", `<base href="/deep/">`, other(`,"url":"http://a.example/deep/"`), none},
		{"an address that is none", "", other(`,"url":"http://[a.example/other"`), none},
		{"mainEntityOfPage as a switch", "", own(`,"mainEntityOfPage":true`), ada},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := read(t, `<head>`+c.head+`<script type="application/ld+json">`+c.schema+`</script></head>`+visible, nil).Facts
			got := ""
			for _, a := range f.Authors {
				got += a.Value + " "
			}
			if got += strings.TrimSuffix(f.Published.Value, "T00:00:00Z"); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// TestDateOfAnotherArticle checks that the times of teasers and comments are
// not taken for the page's.
func TestDateOfAnotherArticle(t *testing.T) {
	long := strings.Repeat("<p>The harbour office published its figures this morning.</p>", 8)
	const teaser = `<article><h2><a href="/other">Cranes</a></h2><time datetime="2020-01-02">2 January</time></article>`
	const own = `<time datetime="2026-05-06">6 May</time>`
	for _, c := range []struct{ name, page, want string }{
		{"before the article", `<main>` + teaser + `<article><h1>Tides</h1>` + own + long + `</article></main>`, "2026-05-06T00:00:00Z"},
		{"after the article", `<main><article><h1>Tides</h1>` + own + long + `</article>` + teaser + `</main>`, "2026-05-06T00:00:00Z"},
		{"outside the main text", teaser + `<main><h1>Tides</h1>` + own + long + `</main>`, "2026-05-06T00:00:00Z"},
		{"in a comment", `<article><h1>Tides</h1>` + long + `<article><p>I like it.</p><time datetime="2020-01-02">2 January</time></article></article>`, ""},
		{"only teasers", `<main><h1>Tides</h1>` + long + teaser + teaser + `</main>`, ""},
		{"beside the article", `<main>` + own + `<article><h1>Tides</h1>` + long + `</article></main>`, "2026-05-06T00:00:00Z"},
		{"microdata of a teaser", `<main><article itemscope><time itemprop="datePublished" datetime="2020-01-02"></time></article><article><h1>Tides</h1>` + own + long + `</article></main>`, "2026-05-06T00:00:00Z"},
		{"microdata of the article", `<main><article><h1>Tides</h1>` + own + `<time itemprop="datePublished" datetime="2026-05-07"></time>` + long + `</article></main>`, "2026-05-07T00:00:00Z"},
	} {
		if got := read(t, "<body>"+c.page, nil).Facts.Published.Value; got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestBodiesOfSeveralArticles checks that a page which states the bodies of
// several articles has no stated body of its own.
func TestBodiesOfSeveralArticles(t *testing.T) {
	first := strings.Repeat("The harbour office published its figures for the year. ", 12)
	second := strings.Repeat("Pilots and tug crews keep a book of their own each day. ", 12)
	page := func(schema string) string {
		return `<script type="application/ld+json">` + schema + `</script><body><div><div>` + first + `</div><div>` + second + `</div></div>`
	}
	one := `{"@type":"Article","headline":"A","articleBody":"` + first + `"}`
	if x := read(t, page(one), nil); x.How != ByPage || strings.Contains(x.Text, "Pilots") {
		t.Errorf("one body: found by %s, %d bytes", x.How, len(x.Text))
	}
	two := `[` + one + `,{"@type":"Article","headline":"B","articleBody":"` + second + `"}]`
	if x := read(t, page(two), nil); x.How != ByBody || !strings.Contains(x.Text, "Pilots") || !strings.Contains(x.Text, "harbour") {
		t.Errorf("two bodies: found by %s, %d bytes", x.How, len(x.Text))
	}
}
