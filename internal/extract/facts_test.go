package extract

import (
	"net/url"
	"strings"
	"testing"

	"colophon/internal/assert"
)

func TestCleanName(t *testing.T) {
	for in, want := range map[string]string{
		"By Ada Tern": "Ada Tern", "Ada Tern <ada@harbor.example>": "Ada Tern", "ada@harbor.example": "", "<ada@harbor.example>": "", "Ada Tern (ada at harbor.example)": "Ada Tern",
		"https://harbor.example/ada": "", "admin": "", "von Ada Möwe": "Ada Möwe", "Written by: Ada": "Ada", "<b>Ada</b>": "Ada", "1984": "", "中村 光": "中村 光", "a < b": "",
		"The Harbor Project": "The Harbor Project", "": "", " , ": "",
		"Veröffentlicht von Ada Möwe": "Ada Möwe", "View all posts by Ada Tern →": "Ada Tern", "Ada Tern Alle Artikel": "Ada Tern", "~ Ada Tern": "Ada Tern",
		"Interview: Ada Tern": "Ada Tern", "Publié par Ada Tern": "Ada Tern", "Byron Tern": "Byron Tern", "Text": "",
		"harbor.example": "", "facebook.com/ada.tern": "", "Harbor GmbH www.harbor.example": "", "ada_tern": "", "PhD": "", "No Author": "", "A. B. Tern": "A. B. Tern",
	} {
		assert.Equal(t, CleanName(in), want, "%q", in)
	}
}

func TestVisibleByline(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"class", `<p class="byline">By Ada Tern</p>`, "Ada Tern"},
		{"rel", `<p><a rel="author" href="/ada">Ada Tern</a></p>`, "Ada Tern"},
		{"heading", `<h3 class="author">Ada Tern</h3>`, ""},
		{"holds a heading", `<div class="author"><h3>Ada Tern</h3></div>`, ""},
		{"inside a heading", `<h2><span class="author">Ada Tern</span></h2>`, ""},
		{"mail address", `<span class="author">ada@harbor.example</span>`, ""},
		{"sentence", `<p class="author">is the person who wrote the library that is described below</p>`, ""},
		{"in a list", `<ul><li><span class="author">Ada Tern</span></ul>`, ""},
		{"elements without a blank between them", `<p class="byline">Geschrieben von<a>Ada Tern</a></p>`, "Ada Tern"},
		{"of the site", `<footer><span class="author">Ada Tern</span></footer>`, ""},
		{"link to the page of an author", `<p>Posted by <a href="/author/ada-tern/">Ada Tern</a> on 6 May</p>`, "Ada Tern"},
		{"account in the address", `<p>Von <a href="https://a.example/autoren/ada?page=1">Ada Tern</a></p>`, "Ada Tern"},
		{"link to another page of an author", `<p><a href="/author/ada-tern/books">More Books</a></p>`, ""},
		{"link to a folder of authors", `<p><a href="/author/">Ada Tern</a></p>`, ""},
		{"link to a page about authors", `<p><a href="/author/guide">Ada Tern</a></p>`, ""},
		{"of a picture", `<figure><img src="a.png"><span class="author">Ada Tern</span></figure>`, ""},
		{"of a picture with a licence", `<div class="license-info"><span class="author-name"><a href="/x">Ada Tern</a></span></div>`, ""},
		{"link below the folder of authors", `<p>von <a href="/autoren/name/max-tern">Dr. Max Tern</a></p>`, "Dr. Max Tern"},
		{"name of an item in a byline", `<p itemprop="author" itemscope><span itemprop="name">Ada Tern</span> <span itemprop="jobTitle">Harbor Desk</span></p>`, "Ada Tern"},
		{"name of an h-card in a byline", `<p class="p-author h-card"><a class="p-name" href="/ada">Ada Tern</a> of Harbor</p>`, "Ada Tern"},
		{"role in a byline", `<div class="author-name">By <a href="/people/ada-tern">Ada Tern</a><span class="author-title">Staff Writer</span></div>`, "Ada Tern"},
		{"account elsewhere in a byline", `<p class="author"><a href="/ada">Ada Tern</a><a class="link-twitter" href="https://twitter.example/ada">Twitter</a></p>`, "Ada Tern"},
		{"date in a byline", `<p class="byline">Ada Tern <time datetime="2026-05-06">6 May</time></p>`, "Ada Tern"},
		{"role that nothing sets off", `<p class="author">Ada Tern News Reporter</p>`, ""},
		{"role without a name", `<p class="author">Staff Writer</p>`, ""},
		{"initials after a name", `<p class="author">Ada Tern (at)</p>`, "Ada Tern"},
		{"address after a name", `<p class="author">Harbor News (harbor.example)</p>`, ""},
		{"word for authors of both sexes", `<p class="author">Autor*in Ada Tern</p>`, "Ada Tern"},
		{"for whom", `<p class="author">Ada Tern For Harbor Ledger</p>`, "Ada Tern"},
		{"broken characters", "<p class=author>Ada T\uFFFDrn</p>", ""},
		{"in parentheses", `<p class="author">(Harborton - Ledger)</p>`, ""},
		{"who made the site", `<p class="author">Designed by Ada Tern</p>`, ""},
		{"advertisement", `<p class="author">von Gesponserte Inhalte</p>`, ""},
		{"rubric", `<p class="author">Nachrichten</p>`, ""},
		{"credit", `<p class="photo-credit"><span class="author">Ada Tern</span></p>`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := read(t, "<body><h1>Title</h1>"+c.body+"<p>Text.</p>", nil)
			got := ""
			if len(x.Facts.Authors) > 0 {
				got = x.Facts.Authors[0].Value
			}
			assert.Equal(t, got, c.want, "got")
		})
	}
}

func read(t *testing.T, text string, tpl *Template) Extracted {
	t.Helper()
	d, err := Parse(text, nil)
	must(t, err)
	at, _ := url.Parse("http://a.example/x.html")
	return d.Extract(at, tpl)
}

func TestAuthors(t *testing.T) {
	// Every page has these, whoever its author is.
	const visible = `<p>Text of Ada Tern, Bo Gull, René Gull, Ada van der Tern, Bo de la Gull, Mar von Ebb, ada tern, 中村-光, Harbor Ledger, Rope & Tar, Harborton, HL,
		Tern Shipping GmbH, Office for the Sea and Harbors, your Harbor Friends, ada-tern.</p>`
	const site = `<meta property="og:site_name" content="Harbor Ledger">`
	long := "<p>" + strings.Repeat("The tide came in and the tide went out. ", 20) + "</p>"
	for _, c := range []struct{ name, page, want string }{
		{"name of the site", site + `<meta name="author" content="Harbor Ledger">`, ""},
		{"name of the site beside another", site + `<meta name="author" content="Harbor Ledger"><p class="byline">Ada Tern</p>`, "Ada Tern"},
		{"name of the site that is shown", site + `<meta name="author" content="Harbor Ledger"><p class="byline">Harbor Ledger</p>`, "Harbor Ledger"},
		{"publisher that is a person", `<script type="application/ld+json">{"@type":"Article","headline":"x","author":"Ada Tern","publisher":{"@type":"Person","name":"Ada Tern"}}</script>`, "Ada Tern"},
		{"title after a name", `<meta name="author" content="Ada Tern, PhD">`, "Ada Tern"},
		{"two beside each other", `<p><span class="author">Ada Tern</span> <span class="author">Bo Gull</span></p>`, "Ada Tern, Bo Gull"},
		{"authors of teasers", `<p class="byline">Ada Tern</p><div><p class="author">Bo Gull</p></div>`, "Ada Tern"},
		{"name of the site before a dash", site + `<meta name="author" content="Harbor Ledger - Ada Tern">`, "Ada Tern"},
		{"name of the site that holds an and", `<meta property="og:site_name" content="Rope & Tar"><meta name="author" content="Rope & Tar">`, ""},
		{"address of the publisher", `<meta name="author" content="a.example, Harborton, Norway">`, ""},
		{"two beside each other in one line", `<meta name="author" content="Ada Tern, Bo Gull">`, "Ada Tern, Bo Gull"},
		{"firm", `<meta name="author" content="Tern Shipping GmbH">`, ""},
		{"firm in a byline", `<meta name="author" content="Tern Shipping GmbH"><p class="byline">Tern Shipping GmbH</p>`, "Tern Shipping GmbH"},
		{"organization", `<script type="application/ld+json">{"@type":"Article","headline":"x","author":{"@type":"Organization","name":"HL"}}</script>`, ""},
		{"person beside an organization", `<script type="application/ld+json">{"@type":"Article","headline":"x","author":[{"@type":"Organization","name":"HL"},{"@type":"Person","name":"Ada Tern"}]}</script>`, "Ada Tern"},
		{"author by reference", `<script type="application/ld+json">{"@graph":[{"@type":"Article","headline":"x","author":{"@id":"#ada"}},{"@type":"Person","@id":"#bo","name":"Bo Gull"},{"@type":"Person","@id":"#ada","name":"Ada Tern"}]}</script>`, "Ada Tern"},
		{"organization by reference", `<script type="application/ld+json">[{"@type":"Article","headline":"x","author":{"@id":"#desk"}},{"@type":"NewsMediaOrganization","@id":"#desk","name":"HL"}]</script>`, ""},
		{"words of a phrase", `<meta name="author" content="Office for the Sea">`, ""},
		{"phrase that begins small", `<meta name="author" content="your Harbor Friends">`, ""},
		{"phrase with an and and a dash", `<meta name="author" content="Office for the Sea and Harbors - OSH">`, ""},
		{"particles of names", `<meta name="author" content="Ada van der Tern, Bo de la Gull, Mar von Ebb">`, "Ada van der Tern, Bo de la Gull, Mar von Ebb"},
		{"account", `<meta name="author" content="ada-tern">`, ""},
		{"hyphen in a script without capitals", `<meta name="author" content="中村-光">`, "中村-光"},
		{"small names", `<meta name="author" content="ada tern">`, "ada tern"},
		{"byline in a link to another page", `<a href="/other"><h3>Other news of the day</h3><p class="byline">Bo Gull</p></a><p class="byline">Ada Tern</p>`, "Ada Tern"},
		{"byline below a heading that links to another page", `<div><h2><a href="/other">Other news</a></h2><p class="byline">Bo Gull</p></div><div><h2>News</h2><p class="byline">Ada Tern</p></div>`, "Ada Tern"},
		{"byline below a heading that links to its own page", `<div><h2><a href="/x.html#top">News</a></h2><p class="byline">Ada Tern</p></div>`, "Ada Tern"},
		{"byline below a heading that links to the canonical page", `<head><link rel=canonical href="/2026/news"></head><div><h2><a href="/2026/news">News</a></h2><p class="byline">Ada Tern</p></div>`, "Ada Tern"},
		{"byline below a heading within a link", `<div><a href="/other"><h4>Other news</h4></a><p class="byline">Bo Gull</p></div><div><h2>News</h2><p class="byline">Ada Tern</p></div>`, "Ada Tern"},
		{"byline of the article of another page", `<main><h1>News</h1><article><p class="byline">Bo Gull</p><p>Other news.</p></article>` + long + `<p class="byline">Ada Tern</p></main>`, "Ada Tern"},
		{"byline of the page's own article", `<main><article><p class="byline">Ada Tern</p>` + long + `</article><article><p class="byline">Bo Gull</p></article></main>`, "Ada Tern"},
		{"byline of a comment", `<article><h1>News</h1>` + long + `<article><p class="author">Bo Gull</p><p>I like it.</p></article></article>`, ""},
		{"site beside a person in a byline", site + `<p class="byline">Ada Tern, Harbor Ledger</p>`, "Ada Tern"},
		{"phrase with a dash", `<meta name="author" content="Harbor Ledger - Rope">`, ""},
		{"account in small letters", `<p>By harbormaster</p><script type="application/ld+json">{"@type":"Article","headline":"x","author":"harbormaster"}</script>`, ""},
		{"name in small letters of a script without capitals", `<p>عائشة</p><meta name="author" content="عائشة">`, "عائشة"},
		{"name that stands there twice", `<p class="byline">Ada Tern Ada Tern</p>`, "Ada Tern"},
		{"paper beside the name in JSON-LD", `<script type="application/ld+json">{"@type":"Article","headline":"x","author":"Ada Tern, Bo Gull | The Rope"}</script>`, "Ada Tern, Bo Gull"},
		{"paper after a comma in JSON-LD", `<script type="application/ld+json">{"@type":"Article","headline":"x","author":{"@type":"Person","name":"Ada Tern, The Rope"}}</script>`, "Ada Tern"},
		{"place after a dash in JSON-LD", `<script type="application/ld+json">{"@type":"Article","headline":"x","author":"Ada Tern - Harborton"}</script>`, ""},
		{"title after a name in JSON-LD", `<script type="application/ld+json">{"@type":"Article","headline":"x","author":"Ada Tern, PhD"}</script>`, "Ada Tern"},
		{"agency beside a person", `<p class="byline">Ada Tern, dpa</p>`, "Ada Tern"},
		{"agency alone", `<p class="byline">Reuters</p>`, "Reuters"},
		{"part of a word that is shown", `<meta name="author" content="Ada T">`, ""},
		{"name in the navigation only", `<nav><a href="/c">Cleo Sand</a></nav><meta name="author" content="Cleo Sand">`, ""},
		{"links within a byline that says more", `<div class="author"><span>Ada Tern Harbor Desk, Harbor News</span> <a rel="author" href="/a">Ada Tern</a></div>`, "Ada Tern"},
		{"surname first, shown in the other order", `<meta name="citation_author" content="Tern, Ada"><meta name="DC.creator" content="Gull, Bo">`, "Ada Tern"},
		{"only bylines of other pages", `<div><h2><a href="/other">Other news</a></h2><p class="byline">Bo Gull</p></div>`, ""},
		{"edited by", `<p><span itemprop="author">Revised Edition Edited by Ada Tern</span></p>`, ""},
		{"character references", `<script type="application/ld+json">{"@type":"Article","headline":"x","author":"Ren&eacute; Gull"}</script>`, "René Gull"},
		{"account that the page does not show", `<script type="application/ld+json">{"@type":"Article","headline":"x","author":"Cleo Sand"}</script>`, ""},
		{"account beside a byline", `<script type="application/ld+json">{"@type":"Article","headline":"x","author":"Cleo Sand"}</script><p class="byline">Ada Tern</p>`, "Ada Tern"},
		{"whoever made the site", `<meta name="author" content="Cleo Sand - https://sand.example">`, ""},
		{"name in a script only", `<meta name="author" content="Cleo Sand"><script>let author = "Cleo Sand"</script>`, ""},
		{"one of two is shown", `<meta name="author" content="Ada Tern, Cleo Sand">`, "Ada Tern"},
		{"owner of the site beside a byline", `<meta name="author" content="Bo Gull"><p class="byline">Ada Tern</p>`, "Ada Tern"},
		{"byline with a title beside a stated name", `<meta name="author" content="Ada Tern"><p class="byline">Ada Tern Harbor Reporter</p>`, "Ada Tern"},
		{"byline of two beside a stated name", `<meta name="author" content="Ada Tern"><p class="byline">Ada Tern and Bo Gull</p>`, "Ada Tern, Bo Gull"},
		{"link within a byline with a title", `<div class="author"><a href="/author/ada-tern">Ada Tern</a> <span>Games Editor</span></div>`, "Ada Tern"},
		{"links within a byline of two", `<p class="byline">By <a rel="author" href="/a">Ada Tern</a> and <a rel="author" href="/b">Bo Gull</a></p>`, "Ada Tern, Bo Gull"},
		{"surname first", `<meta name="DC.creator" content="Tern, A. B."><meta name="DC.creator" content="van der Gull, Bo">`, "Tern, A. B., van der Gull, Bo"},
		{"two names for libraries", `<meta name="DC.creator" content="Ada Tern, Bo Gull">`, "Ada Tern, Bo Gull"},
		{"names for libraries need not be shown", `<meta name="citation_author" content="Cleo Sand">`, "Cleo Sand"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var names []string
			for _, f := range read(t, c.page+visible, nil).Facts.Authors {
				names = append(names, f.Value)
			}
			assert.Equal(t, strings.Join(names, ", "), c.want, "got")
		})
	}
}

func TestNamesHost(t *testing.T) {
	for _, c := range []struct {
		host, name string
		want       bool
	}{
		{"harbor-ledger.example", "The Harbor Ledger", true}, {"www.harbor-ledger.example", "Harbor Ledger", false}, {"news.harbor.example", "Harbor News Desk", true},
		{"focus.example", "FOCUS-Online-Expert Ada Tern", true}, {"ada.example", "Ada Tern", false}, {"adatern.example", "Ada Tern", false}, {"focus.example", "Ada Focusing", false},
		{"localhost", "Ada Localhost", false}, {"harborledger.example", "HarborLedger", true}, {"ada.example", "Ada", false}, {"adatern.example", "ADATERN", false},
	} {
		at := &url.URL{Scheme: "https", Host: c.host, Path: "/"}
		assert.Equal(t, namesHost(at, c.name), c.want, "%q at %s", c.name, c.host)
	}
	at := &url.URL{Scheme: "https", Host: "harbor-ledger.example", Path: "/"}
	d, err := Parse(`<meta name="author" content="The Harbor Ledger"><p>Text.</p>`, nil)
	must(t, err)
	if authors := d.Extract(at, nil).Facts.Authors; len(authors) > 0 {
		t.Errorf("the publisher is its author: %v", authors)
	}
}

func TestHostInCapitals(t *testing.T) {
	for _, c := range []struct{ name, page, want string }{
		{"alone", `<meta name="author" content="HL"><p>HL is printed here.`, ""},
		{"of the page in its byline", `<p class="byline">HL</p>`, "HL"},
		{"beside a person", `<p class="byline">Ada Tern, HL WEEKLY</p>`, "Ada Tern"},
		{"in another case", `<p class="byline">Ada Tern, Hl</p>`, "Ada Tern, Hl"},
		{"of another site", `<p class="byline">Ada Tern, HQ</p>`, "Ada Tern, HQ"},
	} {
		d, err := Parse("<h1>News</h1>"+c.page, nil)
		must(t, err)
		at := &url.URL{Scheme: "https", Host: "www.hl.example", Path: "/"}
		var names []string
		for _, f := range d.Extract(at, nil).Facts.Authors {
			names = append(names, f.Value)
		}
		assert.Equal(t, strings.Join(names, ", "), c.want, "%s", c.name)
	}
}

func TestTitle(t *testing.T) {
	tpl := &Template{Names: []string{"The Book", "Book 1.2"}}
	must(t, tpl.prepareRules())
	for _, c := range []struct{ name, page, want string }{
		{"suffix", "<title>Tides - The Book</title>", "Tides"},
		{"prefix", "<title>The Book | Tides</title>", "Tides"},
		{"parentheses", "<title>Tides (Book 1.2)</title>", "Tides"},
		{"only the site", "<title>The Book</title>", "The Book"},
		{"colon of the title", "<title>Tides: an introduction - The Book</title>", "Tides: an introduction"},
		{"cut through parentheses", "<title>Tides (The Book - index)</title>", "Tides (The Book - index)"},
		{"heading", "<title>Welcome</title><h1>Tides</h1>", "Tides"},
		{"number of the chapter", "<title>Chapter 3. Tides - The Book</title><h1>Tides</h1>", "Chapter 3. Tides"},
		{"anchor in the heading", `<h1>Tides<a class="headerlink" href="#tides">¶</a></h1>`, "Tides"},
		{"heading that names the site", "<title>Tides - The Book</title><h1>The Book</h1>", "Tides"},
		{"two headings", "<title>Tides</title><h1>Ebb</h1><h1>Flood</h1>", "Tides"},
		{"character references in JSON-LD", `<script type="application/ld+json">{"@type":"Article","headline":"Ebb &#8211; flood &amp; tide"}</script>`, "Ebb – flood & tide"},
		{"site name of the page itself", `<meta property="og:site_name" content="Harbor"><title>Tides | Harbor</title>`, "Tides"},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, read(t, c.page+"<p>Text of the page.</p>", tpl).Facts.Title.Value, c.want, "got")
		})
	}
}

const (
	german  = "Die Hafenbehörde hat heute morgen ihre Zahlen veröffentlicht, und das Verzeichnis der Ankünfte ist gegenüber dem Vorjahr um ein Zehntel gewachsen, wobei Holz und Getreide vor allem anderen stehen. Die Lotsen, die Schlepper und das Zollhaus führen je ein eigenes Buch, und die drei werden am Ende jedes Vierteljahres verglichen. Was nicht übereinstimmt, klärt der Schreiber des Hafens."
	english = "The harbour office published its figures this morning, and the ledger of arrivals grew by a tenth against the year before, with timber and grain ahead of all else. Pilots, tug crews and the customs house each keep a book of their own; the three are compared at the end of every quarter, and what differs is settled by the clerk of the port, whoever that may be at the time."
	chinese = "港务局今天上午公布了数据，到港船只比上年增加了一成，木材和粮食居首。市议会表示，东码头将在冬季之前安装一台新的起重机，吃水较深的船只不必再等待涨潮。"
)

func TestLanguage(t *testing.T) {
	for _, c := range []struct{ name, page, want, source string }{
		{"stated", `<html lang="de-at"><p>` + german, "de-AT", FromHTML},
		{"stated on the content", `<html lang="en"><body><main lang="de"><p>` + german, "de", FromContent},
		{"contradicted by the text", `<html lang="en"><p>` + german, "de", FromDetection},
		{"close languages are not", `<html lang="nl"><p>` + german, "nl", FromHTML},
		{"script", `<html lang="en"><p>` + chinese, "zh", FromDetection},
		{"nothing stated", `<p>` + english, "en", FromDetection},
		{"no language", `<html lang="english"><p>` + english, "en", FromDetection},
		{"too short", `<p>Hi there`, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if f := read(t, c.page, nil).Facts.Language; f.Value != c.want || f.Source != c.source {
				t.Errorf("%+v, want %s by %s", f, c.want, c.source)
			}
		})
	}
	site := &Template{Language: "fi"}
	must(t, site.prepareRules())
	if f := read(t, "<p>Lyhyt", site).Facts.Language; f.Value != "fi" || f.Source != FromSite {
		t.Errorf("a short page of a Finnish site: %+v", f)
	}
}
