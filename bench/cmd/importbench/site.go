package main

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
)

// partSize is the number of pages in one part of the sitemap.
const partSize = 50_000

// Each page whose number is divisible by largeEvery has large times as many
// paragraphs as the others.
const (
	paragraphs = 12
	largeEvery = 500
	large      = 30
)

// vocabulary holds the words of the invented pages. They are all English, so
// that the language is recognised as it is for real pages.
var vocabulary = strings.Fields(`the harbour ledger tells of a ship that came with timber and grain from the north when the tide was low and
	its crew had waited for days at the outer quay because no pilot would go out in such weather while the clerk wrote what they said in the
	book of arrivals which is kept at customs house until each quarter ends then it goes to council where two men read it aloud against
	other books so what does not agree may be found before winter closes port again many years later this custom is still observed by
	those who hold keys or seals but few remember why it began under an old law about salt rope tar cloth wine fish coal iron paper`)

// site is a site whose pages are made on request.
type site struct{ pages int }

func newSite(pages int) http.Handler { return &site{pages} }

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch name := strings.Trim(r.URL.Path, "/"); {
	case name == "sitemap.xml":
		s.writeIndex(w, r.Host)
	case strings.HasPrefix(name, "part/"):
		n, _ := strconv.Atoi(strings.TrimPrefix(name, "part/"))
		s.writePart(w, r.Host, n)
	case strings.HasPrefix(name, "report/"):
		n, err := strconv.Atoi(name[strings.LastIndexByte(name, '-')+1:])
		if err != nil || n < 0 || n >= s.pages {
			http.NotFound(w, r)
			return
		}
		s.writePage(w, r, n)
	default:
		http.NotFound(w, r)
	}
}

func (s *site) writeIndex(w http.ResponseWriter, host string) {
	fmt.Fprint(w, `<?xml version="1.0"?><sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`)
	for n := 0; n*partSize < s.pages; n++ {
		fmt.Fprintf(w, "<sitemap><loc>http://%s/part/%d</loc></sitemap>", host, n)
	}
	fmt.Fprint(w, "</sitemapindex>")
}

func (s *site) writePart(w http.ResponseWriter, host string, part int) {
	fmt.Fprint(w, `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`)
	for n := part * partSize; n < min((part+1)*partSize, s.pages); n++ {
		fmt.Fprintf(w, "<url><loc>http://%s%s</loc></url>", host, address(n))
	}
	fmt.Fprint(w, "</urlset>")
}

func address(n int) string {
	return fmt.Sprintf("/report/what-came-into-the-harbour-in-the-week-of-the-report-%d", n)
}

// writePage writes a page as many sites have it: a header with links, text
// without special markup, teasers of other pages, and a footer.
func (s *site) writePage(w http.ResponseWriter, r *http.Request, n int) {
	tag := fmt.Sprintf("%q", strconv.Itoa(n))
	w.Header().Set("ETag", tag)
	if r.Header.Get("If-None-Match") == tag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	random := rand.New(rand.NewPCG(uint64(n), 18))
	title := sentence(random, 6)
	var b strings.Builder
	fmt.Fprintf(&b, `<!doctype html><html lang="en"><head><title>%s | Harbor Ledger</title><meta name="author" content="Ada Tern"></head><body>
<div class="top"><a href="/">Home</a> <a href="/archive">Archive</a> <a href="/about">About</a></div><div class="page"><h1>%s</h1>`, title, title)
	count := paragraphs
	if n%largeEvery == 0 {
		count *= large
	}
	for i := range count {
		if i%4 == 3 {
			fmt.Fprintf(&b, "<h2>%s</h2>\n", sentence(random, 4))
		}
		fmt.Fprintf(&b, "<p>%s. %s. <a href=\"https://sources.example/%d\">%s</a>.</p>\n", sentence(random, 25), sentence(random, 20), i, sentence(random, 4))
	}
	b.WriteString(`</div><div class="more"><h4>Read on</h4><ul>`)
	for i := range 5 {
		other := int(hash(n, i) % uint64(s.pages))
		fmt.Fprintf(&b, `<li><a href="%s">%s</a></li>`, address(other), sentence(rand.New(rand.NewPCG(uint64(other), 18)), 6))
	}
	b.WriteString(`</ul></div><div class="end">Harbor Ledger is printed at the old customs house. <a href="/terms">Terms</a></div></body></html>`)
	fmt.Fprint(w, b.String())
}

func hash(a, b int) uint64 {
	h := fnv.New64a()
	fmt.Fprint(h, a, " ", b)
	return h.Sum64()
}

// sentence returns a number of random words, the first of which is capitalised.
func sentence(random *rand.Rand, words int) string {
	list := make([]string, words)
	for i := range list {
		list[i] = vocabulary[random.IntN(len(vocabulary))]
	}
	s := strings.Join(list, " ")
	return strings.ToUpper(s[:1]) + s[1:]
}
