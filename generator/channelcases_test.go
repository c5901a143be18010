package generator

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"colophon/exports"
	"colophon/generator/render"
	"colophon/internal/channel"
	"colophon/internal/channel/statements"
	"colophon/internal/channelpack"
	"colophon/internal/observed"
	"colophon/internal/origin"
	"colophon/internal/rights"
	"colophon/internal/urlkey"
)

// channelCase is a set of documents of one site, with questions about its
// pages. The files in testdata/channel are written from the standards; their
// first lines explain the format.
type channelCase struct {
	file, name, source string
	documents          []origin.Observation
	asks               []channelAsk
}

type channelAsk struct {
	line                         int
	url, agent, user, place, why string
	want                         string
}

const (
	caseHome    = "https://pier-news.example"
	caseSeen    = "2026-11-20T12:00:00Z"
	caseSeenAt  = int64(1795176000)
	minimumAsks = 250
)

// observedAt names the channel of a document by its place.
func observedAt(kind, path string) string {
	switch {
	case kind == "header":
		return "aipref_header"
	case kind == "page":
		return "html_meta"
	case strings.HasSuffix(path, "/robots.txt"):
		return "robots"
	case strings.HasSuffix(path, "/ai.txt"):
		return "ai_txt"
	case strings.HasSuffix(path, "/trust.txt"):
		return "trust_txt"
	case strings.HasSuffix(path, "/tdmrep.json"):
		return "tdmrep"
	case strings.HasSuffix(path, ".json"), strings.HasSuffix(path, ".html"):
		return "tdm_policy"
	}
	return "rsl"
}

func caseURL(place string) string {
	if strings.Contains(place, "://") {
		return place
	}
	return caseHome + place
}

func channelCases(t *testing.T) []channelCase {
	t.Helper()
	files, err := filepath.Glob("testdata/channel/*.txt")
	must(t, err)
	var out []channelCase
	for _, file := range files {
		f, err := os.Open(file)
		must(t, err)
		out = append(out, readCases(t, filepath.Base(file), bufio.NewScanner(f))...)
		must(t, f.Close())
	}
	return out
}

func readCases(t *testing.T, file string, lines *bufio.Scanner) []channelCase {
	t.Helper()
	var out []channelCase
	for n := 1; lines.Scan(); n++ {
		text := lines.Text()
		word, rest, _ := strings.Cut(text, " ")
		var c *channelCase
		if len(out) > 0 {
			c = &out[len(out)-1]
		}
		switch word {
		case "", "#":
		case "case":
			out = append(out, channelCase{file: file, name: rest})
		case "source":
			c.source = rest
		case "file", "header", "page", "gone", "broken":
			status := map[string]int64{"gone": 404, "broken": 500}[word]
			c.documents = append(c.documents, origin.Observation{
				Channel: observedAt(word, rest), URL: caseURL(rest), Status: max(status, 200), FetchedAt: caseSeen, SiteID: "pier-news",
			})
		case "|", "!":
			d := &c.documents[len(c.documents)-1]
			if word == "!" {
				raw, err := strconv.Unquote(rest)
				must(t, err)
				d.Raw += raw + "\n"
				continue
			}
			d.Raw += rest + "\n"
		case "ask":
			c.asks = append(c.asks, readAsk(t, file, n, rest))
		default:
			t.Fatalf("%s:%d: %q", file, n, text)
		}
	}
	return out
}

func readAsk(t *testing.T, file string, n int, text string) channelAsk {
	t.Helper()
	question, answer, ok := strings.Cut(text, " = ")
	want, why, explained := strings.Cut(answer, " ")
	words := strings.Fields(question)
	if !ok || !explained || len(want) != 8 || len(words)%2 != 1 {
		t.Fatalf("%s:%d: %q", file, n, text)
	}
	a := channelAsk{line: n, url: caseURL(words[0]), want: want, why: why}
	for i := 1; i < len(words); i += 2 {
		switch words[i] {
		case "agent":
			a.agent = words[i+1]
		case "user":
			a.user = words[i+1]
		case "in":
			a.place = words[i+1]
		}
	}
	return a
}

// rightsDocuments reads the documents of a case as a build does.
func (c *channelCase) rightsDocuments() []statements.Document {
	var docs []statements.Document
	left := observed.SiteBudget
	for i := range c.documents {
		o := &c.documents[i]
		e := observed.EvidenceOf(o, &left)
		switch e.State {
		case "unreachable":
			docs = append(docs, statements.Document{Channel: statements.Name(o.Channel), URL: o.URL, Gaps: []statements.Gap{{Code: "document_unreachable"}}})
		case "absent":
		default:
			docs = append(docs, observed.Parse(o).Document)
		}
	}
	return docs
}

// verdicts returns the verdicts for the agent and the audience of the question.
func (a *channelAsk) verdicts(docs []statements.Document) string {
	agent := a.agent
	if agent == "" {
		agent = "nobody-names-me"
	}
	c := rights.Case{}
	for i, answer := range statements.Combine(docs, a.url, agent) {
		e := rights.EvidenceOf(&answer)
		e.ID = fmt.Sprint("ev", i)
		c.Evidence = append(c.Evidence, e)
	}
	answer := rights.Evaluate(&c, rights.Question{UserType: a.user, Territory: a.place, At: caseSeenAt})
	return strings.ToUpper(answer.Vector)
}

// TestChannelCases reads every case and expects the verdicts that the standards
// require.
func TestChannelCases(t *testing.T) {
	t.Parallel()
	asked := 0
	for _, c := range channelCases(t) {
		if c.source == "" || len(c.asks) == 0 {
			t.Errorf("%s: %q has no source or no question", c.file, c.name)
		}
		docs := c.rightsDocuments()
		for _, a := range c.asks {
			asked++
			if got := a.verdicts(docs); got != a.want {
				t.Errorf("%s:%d %s: %s, want %s: %s", c.file, a.line, c.name, got, a.want, a.why)
			}
			slices.Reverse(docs)
			if got := a.verdicts(docs); got != a.want {
				t.Errorf("%s:%d %s: %s when the documents come in another order", c.file, a.line, c.name, got)
			}
		}
	}
	if asked < minimumAsks {
		t.Errorf("%d questions, want %d", asked, minimumAsks)
	}
}

// freedomOf ranks the letters of a vector. An unstated use ranks as one that
// must be asked for, because neither may be made without asking.
func freedomOf(letter byte) int {
	switch letter &^ 0x20 {
	case 'S':
		return 2
	case 'L', 'U':
		return 1
	}
	return 0
}

// TestChannelCasesThroughABuild stores the documents of each case as
// observations of a site of its own, builds, and checks that what is published
// about its pages is never freer than expected.
func TestChannelCasesThroughABuild(t *testing.T) {
	t.Parallel()
	ctx, store := context.Background(), newStore(t)
	type expected struct {
		entry, want string
		of          *channelCase
		line        int
	}
	var pages []expected
	cases := channelCases(t)
	for n := range cases {
		c := &cases[n]
		id := fmt.Sprint("case-", n)
		host := "https://" + id + ".example"
		addSite(t, store, id)
		stateNothing(t, store, id)
		for _, o := range c.documents {
			o.SiteID, o.URL, o.Raw = id, strings.Replace(o.URL, caseHome, host, 1), strings.ReplaceAll(o.Raw, caseHome, host)
			must(t, store.PutObservation(ctx, o))
		}
		for i, a := range c.asks {
			if a.agent != "" || a.user != "" || a.place != "" || !strings.HasPrefix(a.url, caseHome) {
				continue
			}
			p := addPage(t, store, id, i, func(p *origin.Page) {
				key, err := urlkey.URLKey(strings.Replace(a.url, caseHome, host, 1))
				must(t, err)
				p.CanonicalURL, p.EntryID = key, urlkey.EntryID(id, key)
				p.Registry = urlkey.RegistryDigest(id, p.EntryID, key, p.Portable)
			})
			pages = append(pages, expected{p.EntryID, a.want, c, a.line})
		}
	}
	dir := filepath.Join(t.TempDir(), "dist")
	build1(t, store, dir, 2)
	for _, p := range pages {
		data, err := os.ReadFile(filepath.Join(dir, string(exports.KeyOf(exports.RecordPath(p.entry)))))
		must(t, err)
		r, err := decodeRecord(string(data))
		must(t, err)
		for i := range exports.Uses {
			if got := r.Passport.RightsVector; freedomOf(got[i]) > freedomOf(p.want[i]) {
				t.Errorf("%s:%d %s: %s is published, freer than %s", p.of.file, p.line, p.of.name, got, p.want)
				break
			}
		}
	}
	if len(pages) < 100 {
		t.Errorf("only %d pages", len(pages))
	}
}

// stateNothing removes what addSite states and offers.
func stateNothing(t *testing.T, store origin.Catalog, id string) {
	t.Helper()
	ctx := context.Background()
	must(t, store.PutPreference(ctx, origin.Preference{SiteID: id, Use: "rag", Inquiry: "unstated", Declared: "unknown", Since: caseSeen, Source: "publisher", ChangedAt: caseSeen}))
	must(t, store.PutOffer(ctx, origin.Offer{
		LicenseID: "lic_" + id, SiteID: id, Slug: "all", Kind: "custom", Status: "retired", Title: "Everything", ScopeType: "site",
		Paths: []string{"/*"}, Permits: []string{"rag"}, PaymentModel: "use", ValidFrom: "2026-01-02T00:00:00Z", ChangedAt: caseSeen,
	}))
}

// TestCasesComeBackThroughPacks writes the expected uses of each page as a
// policy, writes its pack, and reads the pack as our importer does. No use may
// come back freer, and each file must differ from the policy exactly as the
// list of losses says.
func TestCasesComeBackThroughPacks(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, c := range channelCases(t) {
		for _, a := range c.asks {
			if seen[a.want] {
				continue
			}
			seen[a.want] = true
			p := policyOfVector(a.want)
			pack, err := render.CheckedPack(&p)
			must(t, err)
			docs := packDocuments(&pack)
			again := channelAsk{url: caseHome + "/any"}
			got := again.verdicts(docs)
			foretold := vectorWithLosses(t, a.want, &pack)
			for i := range exports.Uses {
				if freedomOf(got[i]) > freedomOf(a.want[i]) {
					t.Errorf("%s:%d: %s comes back as %s", c.file, a.line, a.want, got)
				}
			}
			if got != foretold {
				t.Errorf("%s:%d: %s comes back as %s, its losses tell of %s: %v", c.file, a.line, a.want, got, foretold, pack.Loss)
			}
		}
	}
}

// vectorWithLosses returns what a pack should read as according to its list of
// losses: each file says what the policy says unless a loss tells otherwise,
// and of several files the strictest counts. The files disallow a use that must
// be asked for, and list it as such.
func vectorWithLosses(t *testing.T, vector string, pack *channelpack.Pack) string {
	t.Helper()
	effects := map[byte]statements.Effect{'S': statements.Allow, 'D': statements.Disallow, 'L': statements.Disallow, 'U': statements.Unknown}
	letters := map[statements.Effect]byte{statements.Allow: 'S', statements.Disallow: 'D', statements.Priced: 'L', statements.Unknown: 'U'}
	out := []byte(vector)
	for i, use := range exports.Uses {
		if asks := slices.Contains(pack.Asks, channelpack.Inquiry{Path: "/", Use: use}); asks != (vector[i] == 'L') {
			t.Errorf("%s: %s is on the list of inquiries: %v", vector, use, asks)
		}
		strictest := statements.Unknown
		for _, f := range packFiles {
			if pack.Get(f.file) == nil {
				continue
			}
			says := effects[vector[i]]
			for _, l := range pack.Loss {
				if l.File == f.file && l.Use == use {
					says = l.Said
				}
			}
			if order := []statements.Effect{statements.Unknown, statements.Allow, statements.Priced, statements.Disallow}; slices.Index(order, says) > slices.Index(order, strictest) {
				strictest = says
			}
		}
		out[i] = letters[strictest]
	}
	return string(out)
}

func policyOfVector(vector string) channelpack.Policy {
	p := channelpack.Policy{
		SiteID: "pier-news", Name: "Pier News", SiteURL: caseHome + "/", RequestURL: caseHome + "/ask", ServiceURL: "https://svc.example",
	}
	for i, u := range exports.Uses {
		q := exports.Preference{Use: string(u), Declared: "unknown", Inquiry: "unstated"}
		switch vector[i] {
		case 'S':
			q.Declared = "allow"
		case 'D':
			q.Declared, q.Inquiry = "disallow", "not_offered"
		case 'L':
			q.Declared, q.Inquiry = "disallow", "welcome"
		}
		p.Preferences = append(p.Preferences, q)
	}
	return p
}

// packFiles are the files of a pack that a publisher serves, and their paths.
var packFiles = []struct{ file, place string }{
	{channelpack.FileRSL, "/license.xml"}, {channelpack.FileRobots, "/robots.txt"}, {channelpack.FileTDMRep, "/.well-known/tdmrep.json"},
	{channelpack.FileODRL, "/policies/tdm.json"}, {channelpack.FileAITxt, "/ai.txt"}, {channelpack.FileTrustTxt, "/trust.txt"},
}

// packDocuments parses the files of a pack that a publisher serves.
func packDocuments(k *channelpack.Pack) []statements.Document {
	var docs []statements.Document
	for _, f := range packFiles {
		if body := k.Get(f.file); body != nil {
			in := channel.Input{URL: caseHome + f.place, Body: body, CheckedAt: caseSeenAt}
			docs = append(docs, channel.Parse(statements.Name(observedAt("file", f.place)), in).Document)
		}
	}
	return docs
}
