package entrypage

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/a-h/templ"

	"colophon/exports"
	"colophon/internal/assert"
	"colophon/internal/blob"
	"colophon/internal/blob/entryfacts"
	"colophon/internal/citation"
	"colophon/internal/wire"
	"colophon/templates/frame"
)

var must = assert.NoError

const hostile = "</script><b onclick=\"x\">'&\u202egnp\x00 {templ}"

// sampleFrame returns a frame with everything that a brand can have, or with
// nothing.
func sampleFrame(full bool) frame.SiteFrame {
	f := frame.SiteFrame{Base: "https://registry.example", Name: "A <registry>", Asset: func(name string) string { return "/assets/1a2b." + name }}
	if full {
		f.Brand = frame.Brand{
			Paper: "#ffffff", PaperDark: "#000000", Logo: "logo.png", LogoWidth: 80, LogoHeight: 32, Contact: "mailto:desk@registry.example",
			Pages:      []frame.Crumb{{Label: "Imprint", Path: "/imprint/"}, {Label: "Terms <&>", Path: "https://operator.example/terms"}},
			BadgeWidth: 200, BadgeHeight: 32,
		}
	}
	return f
}

// sampleFacts returns entries of all kinds: with and without records, moved,
// withdrawn, with hostile text and with none.
func sampleFacts(t *testing.T) []*entryfacts.Facts {
	t.Helper()
	var out []*entryfacts.Facts
	for _, words := range []string{"Tide tables 2026", "جداول المد", hostile, ""} {
		for _, status := range []string{"active", "withdrawn", "superseded"} {
			for version := range int64(4) {
				out = append(out, sampleEntry(words, status, version))
			}
		}
	}
	signed := *out[2]
	signed.Signed = wire.Append(nil, signed.Record)
	signed.Record = nil
	return append(out, &signed)
}

func sampleEntry(words, status string, version int64) *entryfacts.Facts {
	c := &exports.Citation{
		EntryID: "ent_0123456789abcdef01234567", CanonicalURL: "https://harbor-ledger.example/tides?y=2026&z=ü", SiteID: "harbor-ledger", Publisher: words,
		PublisherURL: "https://harbor-ledger.example/", Status: status, RightsVector: "SLDUWsld", RightsAsOf: "2026-10-01T00:00:00Z", LedgerIndex: version - 2,
		GeneratedAt: "2026-10-30T08:20:00Z", Source: exports.CitedSource{Title: words, Section: words, Language: "ar-EG", PublishedAt: "2026-01-02T08:00:00Z"},
	}
	e := &entryfacts.Facts{EntryID: c.EntryID, Citation: c, Version: version}
	if status == "superseded" {
		c.Successor, c.SuccessorURL = "ent_ffffffffffffffffffffffff", "https://harbor-ledger.example/"+words
		c.Source.Language = words
	}
	if version > 0 {
		c.Source.Byline = []string{"M. Mast", words, "小林 波"}
		c.Source.ModifiedAt = "2026-01-03T08:00:00Z"
		c.Portable = strings.Repeat("ab", 32)
		c.Registry = strings.Repeat("cd", 32)
		c.ISCC = "ISCC:EADSKDNZNYGUUF5AMFEJLZ5P66CP5YKCOA3X7F36RWE4CIRCBTUWXYY"
		e.Terms = []string{"tides", words}
		e.Asks = true
		e.Record = &exports.Record{
			EntryID: c.EntryID, Version: version, CanonicalURL: c.CanonicalURL, SiteID: c.SiteID, PublisherID: "pub_harbor-ledger", Portable: c.Portable, Registry: c.Registry,
			Source: exports.Source{Title: words, Extraction: "full"},
			Passport: exports.Passport{
				PassportID: "pp_1", Version: 1, HolderName: words, HolderBasis: "domain_verified", RightsVector: c.RightsVector, AsOf: c.RightsAsOf,
				CurrentURL: "https://registry.example" + exports.RightsCheckPath(c.EntryID),
			},
			Proof: exports.Proof{Created: "2026-10-30T08:20:00Z"},
		}
	}
	if version > 1 {
		e.Card = "/assets/card-harbor-ledger.png"
	}
	citation.Spell(c)
	return e
}

// spellSamples renders all samples with both frames.
func spellSamples(t *testing.T) []byte {
	t.Helper()
	var out []byte
	for _, full := range []bool{false, true} {
		shared := sampleFrame(full).Shared()
		for _, e := range sampleFacts(t) {
			before := len(out)
			var err error
			if out, err = Append(out, shared, e); err != nil {
				t.Fatal(err)
			}
			if page := out[before:]; !bytes.HasPrefix(page, []byte("<!doctype html>")) || !bytes.HasSuffix(page, []byte("</html>")) {
				t.Fatalf("no whole page: %s", page)
			}
		}
	}
	return out
}

// pagesFile names the environment variable for the file with the samples as
// templ's own runtime renders them.
const pagesFile = "COLOPHON_SAMPLE_PAGES"

// TestPagesAtTheEdge checks that the runtime of tools/edge/templ gives the same
// bytes as templ's: it renders the samples, and again in a test compiled as for
// the worker.
func TestPagesAtTheEdge(t *testing.T) {
	modfile, err := exec.Command("../../tools/edge/modfile.sh", t.TempDir()).Output()
	must(t, err)
	name := filepath.Join(t.TempDir(), "pages.html")
	must(t, os.WriteFile(name, spellSamples(t), 0o600))
	run := exec.Command("go", "test", "-modfile="+strings.TrimSpace(string(modfile)), "-count=1", "-v", "-run", "^TestPagesAsGiven$", ".")
	run.Env = append(os.Environ(), "GOFLAGS=-trimpath", pagesFile+"="+name)
	out, err := run.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: TestPagesAsGiven") {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestPagesAsGiven renders the samples and compares them with a file.
func TestPagesAsGiven(t *testing.T) {
	name := os.Getenv(pagesFile)
	if name == "" {
		t.Skip("run by TestPagesAtTheEdge")
	}
	want, err := os.ReadFile(name)
	must(t, err)
	got := spellSamples(t)
	if bytes.Equal(got, want) {
		return
	}
	at := 0
	for at < min(len(got), len(want)) && got[at] == want[at] {
		at++
	}
	t.Errorf("%d bytes, want %d; from %d on %.200q, want %.200q", len(got), len(want), at, got[at:], want[at:])
}

// TestPagesOfAFrame renders pages with a frame that was encoded and decoded,
// and compares them with those of the original frame. Pages must name no asset
// that the frame lacks, since its address would be wrong.
func TestPagesOfAFrame(t *testing.T) {
	for _, full := range []bool{false, true} {
		site := sampleFrame(full)
		var shared blob.PageFrame
		must(t, wire.Decode(wire.Append(nil, site.Shared()), &shared, wire.Trusted))
		var named []string
		asset := site.Asset
		site.Asset = func(name string) string {
			named = append(named, name)
			return asset(name)
		}
		for i, e := range sampleFacts(t) {
			got, err := Spell(&shared, e)
			must(t, err)
			record, err := e.CurrentRecord()
			must(t, err)
			at := site
			at.Card = e.Card
			want, err := templ.ToGoHTML(t.Context(), Page(View{Site: at, Citation: *e.Citation, Record: record, Asks: e.Asks, Terms: e.Terms}))
			must(t, err)
			if string(got) != string(want) {
				t.Errorf("sample %d: got\n%s\nwant\n%s", i, got, want)
			}
		}
		for _, name := range named {
			if !slices.ContainsFunc(shared.Assets, func(a blob.FrameAsset) bool { return a.Name == name }) {
				t.Errorf("a page names the asset %s, which the frame lacks", name)
			}
		}
	}
}

// TestOneDateForOneThing reads every date of a page with the words before it:
// each date has a label, none is shown twice, and all have the same format.
func TestOneDateForOneThing(t *testing.T) {
	const published, judged, changed, signed = "Published 2 January 2026", "As of 1 October 2026", "last changed 30 October 2026", "signed 30 October 2026"
	dated := regexp.MustCompile(`(\pL+(?: of| changed)?) <time datetime="[^"]+">([^<]*)</time>`)
	for _, c := range []struct {
		published, modified string
		want                []string
	}{
		{"2026-01-02T08:00:00Z", "2026-01-03T08:00:00Z", []string{published, "Updated 3 January 2026", judged, signed, changed}},
		{"2026-01-02T08:00:00Z", "2026-01-02T09:30:00Z", []string{published, judged, signed, changed}},
		{"2026-01-02T08:00:00Z", "", []string{published, judged, signed, changed}},
		{"", "2026-01-03T08:00:00Z", []string{"Updated 3 January 2026", judged, signed, changed}},
		{"", "", []string{judged, signed, changed}},
	} {
		e := sampleEntry("Tide tables", "active", 1)
		e.Citation.Source.PublishedAt, e.Citation.Source.ModifiedAt = c.published, c.modified
		page, err := Spell(sampleFrame(true).Shared(), e)
		must(t, err)
		var got []string
		for _, m := range dated.FindAllSubmatch(page, -1) {
			got = append(got, string(m[1])+" "+string(m[2]))
		}
		assert.EqualSlices(t, got, c.want, "published %q, modified %q: dates", c.published, c.modified)
		if all := bytes.Count(page, []byte("<time")); all != len(c.want) {
			t.Errorf("published %q, modified %q: %d dates, %d with a label", c.published, c.modified, all, len(c.want))
		}
		if bytes.Contains(page, []byte("· </p>")) || bytes.Contains(page, []byte(`<p class="byline"> ·`)) {
			t.Errorf("published %q, modified %q: a separator has nothing beside it", c.published, c.modified)
		}
	}
}

func TestHostileTextIsEscaped(t *testing.T) {
	page, err := Spell(sampleFrame(true).Shared(), sampleEntry(hostile, "superseded", 3))
	must(t, err)
	for _, harm := range []string{"<b onclick", "\u202e", "\x00"} {
		if bytes.Contains(page, []byte(harm)) {
			t.Errorf("the page has %q", harm)
		}
	}
	if want := `class="state v-s"`; !bytes.Contains(page, []byte(want)) {
		t.Errorf("the page lacks %s", want)
	}
}
