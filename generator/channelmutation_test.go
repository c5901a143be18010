package generator

import (
	"bytes"
	"math/rand/v2"
	"os"
	"regexp"
	"runtime"
	"strconv"
	"testing"
	"time"

	"golang.org/x/net/html"

	"colophon/internal/channel"
	"colophon/internal/channel/statements"
)

// restricted is a document that restricts training with a statement that can be
// found in its bytes. As long as the statement is intact and in a place where
// it counts, training must stay restricted, whatever happened to the rest and
// whatever else allows it.
type restricted struct {
	channel   statements.Name
	place     string
	whole     string // with %s in place of the restriction
	statement string
	atStart   bool // at the start of the document
	ownLine   bool
	markup    bool   // quotes or a broken title can turn it into plain text
	unless    string // a longer rule that permits the page
	noBlank   bool   // a blank line before it ends the part that is read
}

var restrictedDocuments = []restricted{
	{channel: statements.Robots, place: "/robots.txt", ownLine: true, statement: "User-agent: *\nContent-Signal: ai-train=no\n",
		whole: "Sitemap: https://pier-news.example/s.xml\nUser-agent: GPTBot\nAllow: /\nContent-Signal: ai-train=yes\n\n%sAllow: /a\nContent-Usage: /b train-ai=y, search=y\n\nUser-agent: CCBot\nDisallow: /\n"},
	{channel: statements.AITxt, place: "/ai.txt", ownLine: true, unless: "*/q", statement: "User-Agent: *\nDisallow: /q\n",
		whole: "# media\nUser-Agent: ExampleBot\nAllow: /\n\n%sAllow: *.css\nAllow: /\n"},
	{channel: statements.TrustTxt, place: "/trust.txt", ownLine: true, statement: "datatrainingallowed=no\n",
		whole: "member=https://www.association.example/\n%ssocial=https://social.example/@pier\n"},
	{channel: statements.AIPrefHeader, place: "/q", ownLine: true, noBlank: true, statement: "Content-Usage: train-ai=n\n",
		whole: "X-Robots-Tag: otherbot: noindex\n%sLink: </x.css>; rel=preload\ntdm-reservation: 0\n"},
	{channel: statements.HTMLMeta, place: "/q", markup: true, statement: `<meta name="robots" content="noai">`,
		whole: "<!doctype html><html><head><title>t</title>\n%s\n<meta name=\"tdm-reservation\" content=\"0\"><link rel=\"license\" href=\"/terms\"></head><body><p>x</p></body></html>"},
	{channel: statements.RSL, place: "/license.xml", statement: `<content url="/"><license><prohibits type="usage">ai-train</prohibits></license></content>`,
		whole: `<rsl xmlns="https://rslstandard.org/rsl"><content url="/other/*"><license><permits type="usage">all</permits></license></content>%s<content url="/a"><license><permits type="usage">search</permits></license></content></rsl>`},
	{channel: statements.TDMRep, place: "/.well-known/tdmrep.json", atStart: true, statement: `[{"location":"/","tdm-reservation":1}`,
		whole: `%s,{"location":"/a","tdm-reservation":0},{"location":"/b/*.jpg","tdm-reservation":0}]`},
	{channel: statements.CAWG, place: "/q", statement: `"cawg.ai_training":{"use":"notAllowed"}`,
		whole: `{"entries":{"cawg.ai_inference":{"use":"allowed"},%s,"cawg.data_mining":{"use":"constrained","constraint_info":"https://x.example/"}}}`},
}

// TestMutatedDocuments damages documents in many ways and reads them together
// with a header that allows training. COLOPHON_CHANNEL_DOCUMENTS sets the
// number for each channel.
func TestMutatedDocuments(t *testing.T) {
	t.Parallel()
	n := 1500
	if text := os.Getenv("COLOPHON_CHANNEL_DOCUMENTS"); text != "" {
		var err error
		n, err = strconv.Atoi(text)
		must(t, err)
	}
	for _, r := range restrictedDocuments {
		t.Run(string(r.channel), func(t *testing.T) { r.mutate(t, n) })
	}
}

func (r *restricted) mutate(t *testing.T, n int) {
	random := rand.New(rand.NewPCG(16, uint64(len(r.whole))))
	original := bytes.Replace([]byte(r.whole), []byte("%s"), []byte(r.statement), 1)
	intact, allowed, slowest := 0, 0, time.Duration(0)
	var before, after runtime.MemStats
	for i := range n {
		body := bytes.Clone(original)
		for range i % 6 {
			body = damage(random, body)
		}
		runtime.ReadMemStats(&before)
		began := time.Now()
		effect := r.training(body)
		slowest = max(slowest, time.Since(began))
		runtime.ReadMemStats(&after)
		if spent := after.TotalAlloc - before.TotalAlloc; spent > 256<<20 {
			t.Errorf("%d MiB for %q", spent>>20, body)
		}
		whole := r.intact(body)
		if whole {
			intact++
		}
		if effect == statements.Allow {
			allowed++
		}
		if whole && effect == statements.Allow {
			t.Fatalf("training is allowed by\n%q", body)
		}
	}
	if intact < n/10 || intact == n {
		t.Errorf("the restriction was intact in %d of %d documents: nothing is shown", intact, n)
	}
	t.Logf("%d documents, %d with the restriction intact, %d that allow training, the slowest took %v", n, intact, allowed, slowest)
}

// isElement reports whether a page has the restriction as an element, not as
// text of a broken title or attribute.
func isElement(body []byte) bool {
	doc, err := html.Parse(bytes.NewReader(body))
	if err != nil {
		return false
	}
	for n := range doc.Descendants() {
		if n.Type == html.ElementNode && n.Data == "meta" && metaNoAI(n) {
			return true
		}
	}
	return false
}

var blankLine = regexp.MustCompile(`[\r\n][ \t]*[\r\n]`)

// intact reports whether the restriction is intact and in a place where it
// counts.
func (r *restricted) intact(body []byte) bool {
	at := bytes.Index(body, []byte(r.statement))
	switch {
	case at < 0, r.unless != "" && bytes.Contains(body, []byte(r.unless)), r.markup && !isElement(body), r.noBlank && blankLine.Match(body[:at]):
		return false
	case r.atStart && at != 0:
		return false
	case r.ownLine:
		return at == 0 || body[at-1] == '\n'
	}
	return true
}

// training reads the document together with a header with ai-train=yes.
func (r *restricted) training(body []byte) statements.Effect {
	strictest := statements.Unknown
	header := channel.Input{URL: caseHome + "/q", Body: []byte("Content-Signal: ai-train=yes\n"), CheckedAt: caseSeenAt}
	docs := []statements.Document{
		channel.Parse(r.channel, channel.Input{URL: caseHome + r.place, Body: body, CheckedAt: caseSeenAt}).Document,
		channel.Parse(statements.AIPrefHeader, header).Document,
	}
	for _, a := range statements.Combine(docs, caseHome+"/q", "") {
		if a.Use == "training" {
			strictest = max(strictest, a.Effect)
		}
	}
	return strictest
}

// damage changes a document as accidents do.
func damage(random *rand.Rand, body []byte) []byte {
	if len(body) < 2 {
		return append(body, "x\n"...)
	}
	i, j := random.IntN(len(body)), random.IntN(len(body))
	i, j = min(i, j), max(i, j)
	switch random.IntN(7) {
	case 0: // cut off
		return body[:j]
	case 1: // a hole
		return append(bytes.Clone(body[:i]), body[min(j, i+20):]...)
	case 2: // another octet
		body[i] = byte(random.IntN(256))
	case 3: // a part twice
		return append(bytes.Clone(body[:j]), body[i:]...)
	case 4: // noise
		noise := []string{"\x00", "\xff\xfe", "\r", "\n\n", "#", "\"", "<x/>", ",", ":", "{}", "&amp;", "ü"}[random.IntN(12)]
		return append(append(bytes.Clone(body[:i]), noise...), body[i:]...)
	case 5: // another letter case of one letter
		if body[i] >= 'a' && body[i] <= 'z' {
			body[i] -= 'a' - 'A'
		}
	case 6: // two parts in another order
		return append(append(bytes.Clone(body[j:]), body[i:j]...), body[:i]...)
	}
	return body
}

func metaNoAI(n *html.Node) bool {
	value := map[string]string{}
	for _, a := range n.Attr {
		value[a.Key] = a.Val
	}
	return value["name"] == "robots" && value["content"] == "noai"
}
