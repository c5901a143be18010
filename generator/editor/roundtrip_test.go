package editor_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"colophon/exports"
	"colophon/generator/editor"
	"colophon/generator/render"
	"colophon/internal/channel"
	"colophon/internal/channel/publisherfile"
	"colophon/internal/channel/statements"
	"colophon/internal/channelpack"
	"colophon/internal/filepolicy"
	"colophon/internal/observed"
	"colophon/internal/origin"
	"colophon/internal/rights"
	"colophon/internal/wire"
)

const (
	home = "https://site.example/"
	base = "https://registry.example"
	at   = "2026-11-23T06:00:00Z"
)

var site = editor.Site{Home: home, Base: base, At: at}

// parts are the parts of the site that random files mention.
var parts = []string{"/a/", "/a/b/", "/c/"}

func someWords(t *rapid.T, name string, list []string, least, most int) []string {
	return rapid.SliceOfNDistinct(rapid.SampledFrom(list), least, most, rapid.ID[string]).Draw(t, name)
}

func someFile(t *rapid.T) publisherfile.File {
	f := publisherfile.File{
		Name: rapid.SampledFrom([]string{"Site of Example", `A "quoted" </script> & name`, "Überseeblatt"}).Draw(t, "name"),
	}
	for _, u := range exports.UseWords() {
		if rapid.IntRange(0, 3).Draw(t, "said") == 0 {
			continue
		}
		f.Preferences = append(f.Preferences, publisherfile.Preference{
			Use: u, Declared: rapid.SampledFrom([]string{"", "allow", "disallow"}).Draw(t, "declared"),
			Inquiry:    rapid.SampledFrom([]string{"welcome", "conditional", "not_offered"}).Draw(t, "inquiry"),
			Conditions: someWords(t, "conditions", exports.Conditions, 0, 2),
		})
	}
	for i, part := range someWords(t, "parts", parts, 0, 2) {
		f.Preferences = append(f.Preferences, publisherfile.Preference{
			Use: exports.UseWords()[2*i], Declared: rapid.SampledFrom([]string{"allow", "disallow"}).Draw(t, "declared below"), Paths: []string{part + "*"},
		})
	}
	for i := range rapid.IntRange(0, 3).Draw(t, "offers") {
		o := publisherfile.Offer{
			Slug: fmt.Sprintf("offer-%d", i), Title: "Offer", Status: rapid.SampledFrom([]string{"", "offered", "paused", "retired"}).Draw(t, "status"),
			Uses: someWords(t, "uses", exports.UseWords(), 1, 4), UserTypes: someWords(t, "users", exports.UserTypes, 0, 2),
			Territories: someWords(t, "territories", []string{"EU", "GB", "NL"}, 0, 2), Paths: someWords(t, "offer paths", []string{"/a/*", "/a/b/*", "/c/*"}, 0, 2),
			Payment: publisherfile.Payment{Model: "subscription", Amount: "1200.50", Currency: "EUR", Unit: "year"},
		}
		f.Offers = append(f.Offers, o)
	}
	return f
}

// wanted returns the effect of a file on a use at a path, computed from the
// file alone. A retired or paused offer sells nothing, a reserved part stays
// reserved whatever is on offer, and channels do not carry what is allowed only
// below a path.
func wanted(f *publisherfile.File, use, path string) statements.Effect {
	var whole publisherfile.Preference
	for i := range f.Preferences {
		p := &f.Preferences[i]
		if p.Use != use {
			continue
		}
		if len(p.Paths) == 0 {
			whole = *p
		} else if p.Declared == "disallow" && strings.HasPrefix(path, strings.TrimSuffix(p.Paths[0], "*")) {
			return statements.Disallow
		}
	}
	for _, o := range f.Offers {
		covers := len(o.Paths) == 0 || slices.ContainsFunc(o.Paths, func(p string) bool { return strings.HasPrefix(path, strings.TrimSuffix(p, "*")) })
		if (o.Status == "" || o.Status == "offered") && covers && slices.Contains(o.Uses, use) && whole.Inquiry != "not_offered" {
			return statements.Priced
		}
	}
	switch whole.Declared {
	case "allow":
		return statements.Allow
	case "disallow":
		return statements.Disallow
	}
	return statements.Unknown
}

// deployed lists the files of a pack that a publisher serves, with the channels
// that they use.
var deployed = []struct {
	file, name string
	channels   []statements.Name
}{
	{channelpack.FileRSL, "license.xml", []statements.Name{statements.RSL}},
	{channelpack.FileRobots, "robots.txt", []statements.Name{statements.AIPrefRobots, statements.ContentSignal}},
	{channelpack.FileTDMRep, ".well-known/tdmrep.json", []statements.Name{statements.TDMRep}},
	{channelpack.FileAITxt, "ai.txt", []statements.Name{statements.AITxt}},
	{channelpack.FileTrustTxt, "trust.txt", []statements.Name{statements.TrustTxt}},
}

type loss struct{ file, channel, path, use string }

// TestRoundTrip makes random files as the page does, reads them as an import
// does, writes every channel (the same as the generator writes), and reads each
// with the parser that lint chooses. The result must equal the file, or differ
// as the list of losses predicts, and must never be freer.
func TestRoundTrip(t *testing.T) {
	files := 0
	check := func(t *rapid.T) {
		files++
		f := someFile(t)
		text := wire.Append(nil, &f)
		read, err := publisherfile.Read(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if again := wire.Append(nil, &read.File); !bytes.Equal(text, again) {
			t.Fatalf("the file was\n%s\nand is read as\n%s", text, again)
		}
		preview := site.Preview(text)
		if e := preview.Get("errors"); e != nil {
			t.Fatalf("%s: %s", text, e.Append(nil))
		}
		bodies := bodiesOf(preview)
		compareWithGenerator(t, text, read, bodies)
		told := lossesOf(preview)
		docs := parseAll(t, bodies)
		for _, part := range append([]string{"/"}, parts...) {
			for _, d := range deployed {
				if bodies[d.file] != "" { // otherwise the channel cannot express anything that the file says
					readBack(t, &f, part, docs, told, d.file, d.channels)
				}
			}
		}
	}
	rapid.Check(t, check)
	for files < 500 {
		rapid.Check(t, check)
	}
	t.Logf("%d random files", files)
}

func bodiesOf(preview wire.Value) map[string]string {
	out := map[string]string{}
	for _, f := range preview.Get("files").Items {
		path, _ := f.Get("path").Str()
		out[path], _ = f.Get("text").Str()
	}
	return out
}

func lossesOf(preview wire.Value) map[loss]string {
	out := map[loss]string{}
	for _, l := range preview.Get("losses").Items {
		text := func(name string) string { s, _ := l.Get(name).Str(); return s }
		out[loss{text("file"), text("channel"), text("path"), text("use")}] = text("said")
	}
	return out
}

// compareWithGenerator checks that the generator writes the same pack from the
// records and the evidence that an import of the file creates.
func compareWithGenerator(t *rapid.T, text []byte, read *publisherfile.Reading, bodies map[string]string) {
	s := rights.SiteSnapshot{Site: origin.Site{
		SiteID: "site-example", PublisherID: "pub_site-example", SiteURL: home, State: origin.Approved, Visibility: "public", AcceptsInquiries: true,
		RAGSuitability: "unassessed", DomainControl: "well_known", ApprovedAt: at, ChangedAt: at,
	}}
	filepolicy.Facts(&s.Site, &read.File)
	s.Passports = []origin.Passport{{HolderName: filepolicy.Holder(&read.File), Version: 1, EffectiveFrom: at, ChangedAt: at}}
	s.Websites = []origin.Website{{Host: "site.example", Associated: true, Method: "well_known"}}
	s.Preferences = filepolicy.Preferences("site-example", &read.File)
	for i := range read.Offers {
		o := filepolicy.OfferOf("site-example", &read.Offers[i])
		o.ValidFrom = at
		s.Offers = append(s.Offers, o)
	}
	seen := origin.Observation{SiteID: "site-example", Channel: "publisher_file", URL: home + ".well-known/colophon-publisher.json", Status: 200, Raw: string(text), FetchedAt: at}
	left := observed.SiteBudget
	s.Evidence = []origin.Evidence{observed.EvidenceOf(&seen, &left)}
	p, ok := render.PolicyOf(&s, base)
	if !ok {
		t.Fatal("the generator has no policy")
	}
	pack, err := p.Pack()
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range pack.Files {
		if file.Path != channelpack.FileLoss && bodies[file.Path] != string(file.Body) {
			t.Fatalf("%s: the generator writes\n%s\nand the page shows\n%s", file.Path, file.Body, bodies[file.Path])
		}
	}
}

var strictness = []statements.Effect{statements.Allow, statements.Unknown, statements.Priced, statements.Disallow}

// parseAll parses the documents that a publisher deploys.
func parseAll(t *rapid.T, bodies map[string]string) []statements.Document {
	var docs []statements.Document
	for _, d := range deployed {
		if body := bodies[d.file]; body != "" {
			docs = append(docs, parse(t, d.name, body))
		}
	}
	if policy := bodies[channelpack.FileODRL]; policy != "" {
		docs = append(docs, channel.Parse(statements.TDMPolicy, channel.Input{URL: home + channelpack.FileODRL, Body: []byte(policy)}).Document)
	}
	return docs
}

func readBack(t *rapid.T, f *publisherfile.File, part string, docs []statements.Document, told map[loss]string, file string, channels []statements.Name) {
	answers := statements.Answers(docs, strings.TrimSuffix(home, "/")+part+"zz-sample?q=1")
	for _, c := range channels {
		for _, use := range exports.UseWords() {
			said, want := effectOf(answers, c, use), wanted(f, use, part+"zz-sample")
			foretold, lost := told[loss{file, string(c), regionOf(f, part), use}]
			expected := want.String()
			if lost {
				expected = foretold
			}
			if said.String() != expected {
				t.Fatalf("%s %s below %s: %s says %s; the file says %s, the list of losses %q", file, c, part, use, said, want, foretold)
			}
			consent := want == statements.Disallow && said == statements.Priced
			if slices.Index(strictness, said) < slices.Index(strictness, want) && !consent && !(said == statements.Unknown && want != statements.Unknown) {
				t.Fatalf("%s %s below %s: %s says %s, freer than %s", file, c, part, use, said, want)
			}
		}
	}
}

// parse reads a document as the channel that lint recognizes.
func parse(t *rapid.T, name, body string) statements.Document {
	o, known := observed.File(name, home+name, at, []byte(body))
	if !known {
		t.Fatalf("lint knows no channel of %s:\n%s", name, body)
	}
	lint := site.Lint(name, []byte(body))
	if lint.Get("unknown").Bool {
		t.Fatalf("the page knows no channel of %s", name)
	}
	return observed.Parse(&o).Document
}

func effectOf(answers []statements.Answer, c statements.Name, use string) (out statements.Effect) {
	for _, a := range answers {
		if string(a.Use) != use || a.Agent != "" {
			continue
		}
		if a.Channel == c {
			out = a.Effect
		}
	}
	for _, a := range answers {
		if a.Channel != c || string(a.Use) != use || a.Why != statements.WhyRefined {
			continue
		}
		for _, b := range answers {
			if b.Channel == statements.TDMPolicy && b.Use == a.Use {
				return b.Effect
			}
		}
	}
	return out
}

// regionOf returns the nearest part, the same or a wider one, where channels
// change: where an open offer begins or a use is reserved.
func regionOf(f *publisherfile.File, part string) string {
	begins := map[string]bool{"/": true}
	for _, p := range f.Preferences {
		if len(p.Paths) > 0 && p.Declared == "disallow" {
			begins[strings.TrimSuffix(p.Paths[0], "*")] = true
		}
	}
	for _, o := range f.Offers {
		for _, p := range o.Paths {
			if o.Status == "" || o.Status == "offered" {
				begins[strings.TrimSuffix(p, "*")] = true
			}
		}
	}
	for !begins[part] {
		part = part[:strings.LastIndex(strings.TrimSuffix(part, "/"), "/")+1]
	}
	return part
}
