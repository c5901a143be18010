package corpus

import (
	"sort"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"colophon/exports"
)

// Categories are the slugs of publishers' categories, the most frequent first.
var Categories = strings.Fields(`agriculture arts automotive business climate education energy entertainment
fashion finance food gaming health history home law music politics real-estate science software sports
technology travel`)

var (
	sections  = strings.Fields("news guides analysis reviews data archive opinion research")
	languages = strings.Fields("en en en en en en en de fr es pt it nl pl")
)

// Options give the size of a corpus and the seed that selects it.
type Options struct {
	Publishers, Pages int
	Seed              uint64
}

// Generator makes publishers and pages.
type Generator struct {
	Options
	pubs             []publisher
	general, topical *alias
	niche, category  *alias
	words            []string
}

type publisher struct {
	id, name, host string
	first, pages   int
	categories     []int
	niche          int
	uses           [8]int
	vector         string
	licenses       []string
	verified       bool
	level          int
	depth          int
	audience       int
	formats        int
	registered     int64
}

// New returns a corpus and prepares its tables.
func New(o Options) *Generator {
	c := &Generator{Options: o}
	c.general = newAlias(zipfWeights(generalWords, 3))
	c.topical = newAlias(zipfWeights(categoryWords, 4))
	c.niche = newAlias(zipfWeights(nicheWords, 2))
	c.category = newAlias(zipfWeights(len(Categories), 6))
	c.words = make([]string, generalWords+len(Categories)*categoryWords)
	for i := range c.words {
		c.words[i] = spellWord(i)
	}
	c.drawPublishers()
	return c
}

// drawPublishers draws all publishers; their sizes follow Zipf's law.
func (c *Generator) drawPublishers() {
	w := zipfWeights(c.Publishers, 3)
	var total, sum uint64
	for _, x := range w {
		total += x
	}
	c.pubs = make([]publisher, c.Publishers)
	first := 0
	for i := range c.pubs {
		sum += w[i]
		end := int(sum / 1024 * uint64(c.Pages) / (total / 1024)) // the product stays below 2^63
		if i == c.Publishers-1 || end > c.Pages {
			end = c.Pages
		}
		c.drawPublisher(&c.pubs[i], i)
		c.pubs[i].first, c.pubs[i].pages = first, end-first
		first = end
	}
}

func (c *Generator) drawPublisher(p *publisher, i int) {
	r := newStream(c.Seed, kindPublisher, uint64(i))
	a, b := c.words[100+r.belowN(20000)], c.words[100+r.belowN(20000)]
	p.name = capitalize(a) + " " + capitalize(b)
	label := asciiLabel(a) + "-" + asciiLabel(b)
	p.id = label[:min(len(label), 40)] + "-" + strconv.Itoa(i)
	p.host = p.id + ".example"
	p.categories = []int{c.category.drawIndex(&r)}
	for len(p.categories) < 3 && r.belowN(3) == 0 {
		if x := c.category.drawIndex(&r); x != p.categories[0] {
			p.categories = append(p.categories[:1], x)
		}
	}
	p.niche = r.belowN(categoryWords - nicheWords)
	vector := []byte("UUUUUUUU")
	for u := range p.uses {
		p.uses[u] = r.belowN(len(exports.Inquiries))
		vector[u] = "LLDU"[p.uses[u]]
	}
	p.vector = string(vector)
	for range r.belowN(3) {
		p.licenses = append(p.licenses, exports.PrefixOffer+drawLetters(&r, 26))
	}
	p.verified = r.belowN(3) > 0
	p.level = r.belowN(4)
	p.depth = r.belowN(4)
	p.audience = r.belowN(5)
	p.formats = 1 + r.belowN(255)
	p.registered = int64(r.belowN(5 * 365 * 86400))
}

func drawLetters(r *stream, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = "abcdefghijklmnopqrstuvwxyz234567"[r.nextUint64()>>59]
	}
	return string(b)
}

// publisherOf returns the publisher of page i.
func (c *Generator) publisherOf(i int) *publisher {
	return &c.pubs[sort.Search(len(c.pubs), func(k int) bool { return c.pubs[k].first > i })-1]
}

// instantAt returns the instant s seconds after the start of 2020.
func instantAt(s int64) string { return time.Unix(1577836800+s, 0).UTC().Format(time.RFC3339) }

func capitalize(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

// asciiLabel makes a label for an address: letters that are not ASCII become
// their code point in hex.
func asciiLabel(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r < utf8.RuneSelf {
			b.WriteRune(r)
		} else {
			b.WriteString(strconv.FormatInt(int64(r), 16))
		}
	}
	return b.String()
}
