package generator

import (
	"bytes"
	"encoding/csv"
	"net/url"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"colophon/exports"
	"colophon/internal/channel"
	"colophon/internal/channel/statements"
	"colophon/internal/channelpack"
	"colophon/internal/origin"
	"colophon/internal/wire"
)

func builtTree(t *testing.T, store origin.Catalog) map[string][]byte {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "dist")
	build1(t, store, dir, 2)
	verified(t, dir)
	return readTree(t, dir)
}

// TestPackIsPublished reads the files of a publisher's pack back and compares
// what they say with what the publisher states.
func TestPackIsPublished(t *testing.T) {
	t.Parallel()
	store := newStore(t)
	addSite(t, store, "alpha")
	addPage(t, store, "alpha", 1)
	tree := builtTree(t, store)
	index, err := wire.Parse(tree["publishers/alpha/pack/index.json"], wire.Trusted)
	must(t, err)
	files := index.Get("files").Items
	if len(files) < 11 {
		t.Fatalf("%d files in the pack", len(files))
	}
	bodies := map[string][]byte{}
	for _, f := range files {
		href, _ := f.Get("href").Str()
		place, _ := f.Get("place").Str()
		body, ok := tree[strings.TrimPrefix(href, "/")]
		if n, _ := f.Get("bytes").Int(); !ok || n != int64(len(body)) {
			t.Errorf("%s: %d bytes, listed %d", href, len(body), n)
		}
		bodies[place] = body
	}
	answers := statements.Combine([]statements.Document{channel.ParseRSL(channel.Input{URL: "https://alpha.example/license.xml", Body: bodies[channelpack.FileRSL]}).Document}, "https://alpha.example/x", "")
	if len(answers) == 0 || answers[0].Use != exports.UseRAG || answers[0].Effect != statements.Priced {
		t.Errorf("license.xml says %+v", answers)
	}
	for name, parse := range map[string]func(channel.Input) channel.Result{
		channelpack.FileRobots: channel.ParseRobots, channelpack.FileTDMRep: channel.ParseTDMRep, channelpack.FileCoMP: channel.ParseCoMP,
	} {
		if r := parse(channel.Input{URL: "https://alpha.example/", Body: bodies[name]}); r.State != channel.Valid || bodies[name] == nil {
			t.Errorf("%s: %s %+v", name, r.State, r.Warnings)
		}
	}
	manifest, err := wire.Parse(tree[".well-known/service-access-response.json"], wire.Trusted)
	must(t, err)
	accessRules := manifest.Get("declared_posture").Items
	if len(accessRules) != 1 || string(accessRules[0].Append(nil)) != `{"class":"inference","decision":"license","host":"alpha.example","path":"/*","site_id":"alpha","status":402}` {
		t.Errorf("declared access rules %s", manifest.Get("declared_posture").Append(nil))
	}
}

func TestOfferFormsArePublished(t *testing.T) {
	t.Parallel()
	store := newStore(t)
	addSite(t, store, "alpha")
	addPage(t, store, "alpha", 1)
	must(t, store.PutOffer(t.Context(), origin.Offer{LicenseID: "lic_odd", SiteID: "alpha", Slug: "odd", Kind: "custom", Status: "offered", Title: "Odd", ScopeType: "site",
		Paths: []string{"/*.pdf$"}, Permits: []string{"rag"}, PaymentModel: "use", ValidFrom: "2026-01-02T00:00:00Z", ChangedAt: "2026-01-02T00:00:00Z"}))
	for slug, change := range map[string]func(o *origin.Offer){
		"paused": func(o *origin.Offer) { o.Status = "paused" },
		"ended":  func(o *origin.Offer) { o.ValidUntil = "2026-01-03T00:00:00Z" },
		"abroad": func(o *origin.Offer) { o.NotIn = []string{"DE"} },
		"plain":  func(*origin.Offer) {},
	} {
		o := origin.Offer{LicenseID: "lic_" + slug, SiteID: "alpha", Slug: slug, Kind: "custom", Status: "offered", Title: slug, ScopeType: "section",
			Paths: []string{"/section-1/*"}, Permits: []string{"rag"}, PaymentModel: "use", ValidFrom: "2026-01-02T00:00:00Z", ChangedAt: "2026-01-04T00:00:00Z"}
		change(&o)
		must(t, store.PutOffer(t.Context(), o))
	}
	tree := builtTree(t, store)
	for id, want := range map[string]bool{
		"lic_alpha": true, "lic_plain": true, "lic_odd": false, "lic_paused": false, "lic_ended": false, "lic_abroad": false,
	} {
		doc, err := wire.Parse(tree["v1/public/license-catalog/"+id+".json"], wire.Trusted)
		must(t, err)
		if (doc.Get("representations") != nil) != want {
			t.Errorf("%s: representations %v", id, doc.Get("representations"))
		}
		for _, form := range exports.OfferForms {
			if _, ok := tree["v1/public/license-catalog/"+id+form[1]]; ok != want {
				t.Errorf("%s%s is published: %v", id, form[1], ok)
			}
		}
	}
}

func TestPolicyHistoryIsPublished(t *testing.T) {
	t.Parallel()
	store := newStore(t)
	addSite(t, store, "alpha")
	addPage(t, store, "alpha", 1)
	builtTree(t, store)
	must(t, store.PutPreference(t.Context(), origin.Preference{SiteID: "alpha", Use: "training", Inquiry: "not_offered", Declared: "disallow", Source: "publisher", ChangedAt: "2026-09-01T00:00:00Z"}))
	tree := builtTree(t, store)
	doc, err := wire.Parse(tree["v1/public/sites/alpha/policy-history.json"], wire.Trusted)
	must(t, err)
	versions := doc.Get("versions").Items
	if len(versions) != 2 {
		t.Fatalf("%d versions", len(versions))
	}
	for i, want := range []string{`2 LDUUUUUU null`, `1 LUUUUUUU "2026-09-01T00:00:00Z"`} {
		v := versions[i]
		vector, _ := v.Get("rights_vector").Str()
		if got := string(v.Get("version").Append(nil)) + " " + vector + " " + string(v.Get("effective_until").Append(nil)); got != want {
			t.Errorf("version %s, want %s", got, want)
		}
		at, logged := v.Get("ledger_index").Int()
		leaves, err := store.LedgerEvents(t.Context(), at, 1)
		if err != nil || !logged || len(leaves) != 1 || leaves[0].Kind != origin.LedgerPolicy || leaves[0].Version != int64(2-i) {
			t.Errorf("version %s names leaf %d: %+v, %v", want, at, leaves, err)
		}
		if row := "ledger index " + strconv.FormatInt(at, 10); !bytes.Contains(tree["publishers/alpha/policy/index.html"], []byte(row)) {
			t.Errorf("the page does not say %q", row)
		}
	}
}

// TestMapCSVFitsItsDescription checks every cell of the CSV against the data
// type that the CSVW metadata gives its column.
func TestMapCSVFitsItsDescription(t *testing.T) {
	t.Parallel()
	store := newStore(t)
	populate(t, store, 3)
	addSite(t, store, "formula", func(s *origin.Site) { s.Name = "=cmd|' /C calc'!A0" })
	observe(t, store, "rsl", "/license.xml", 200, "2026-07-01T00:00:01Z", rslClosed)
	tree := builtTree(t, store)
	table := tree["v1/public/ai-rights-map.csv"]
	meta, err := wire.Parse(tree["v1/public/ai-rights-map.csv-metadata.json"], wire.Trusted)
	must(t, err)
	rows, err := csv.NewReader(bytes.NewReader(table)).ReadAll()
	must(t, err)
	columns := meta.Get("tableSchema").Get("columns").Items
	if len(rows) != 5 || len(columns) != len(rows[0]) || bytes.Count(table, []byte("\r\n")) != len(rows) || bytes.HasPrefix(table, []byte("\ufeff")) {
		t.Fatalf("%d rows, %d columns described, %d there", len(rows), len(columns), len(rows[0]))
	}
	types := map[string]func(string) bool{
		"string": func(string) bool { return true }, "integer": func(s string) bool { _, err := strconv.ParseInt(s, 10, 64); return s == "" || err == nil },
		"boolean": func(s string) bool { return s == "true" || s == "false" },
		"anyURI":  func(s string) bool { u, err := url.Parse(s); return s == "" || err == nil && u.IsAbs() },
		"dateTime": func(s string) bool {
			_, err := time.Parse(time.RFC3339, s)
			return err == nil && strings.HasSuffix(s, "Z")
		},
	}
	vector := regexp.MustCompile(`^[LDSUWlds]{8}$`)
	for i, col := range columns {
		name, _ := col.Get("name").Str()
		kind, _ := col.Get("datatype").Str()
		if name != rows[0][i] || types[kind] == nil {
			t.Fatalf("column %d is %q of type %q, described as %q", i, rows[0][i], kind, name)
		}
		for _, row := range rows[1:] {
			cell := row[i]
			if !types[kind](cell) {
				t.Errorf("%s of %s is %q, which is no %s", name, row[0], cell, kind)
			}
			if cell != "" && strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
				t.Errorf("%s of %s begins a formula: %q", name, row[0], cell)
			}
			if strings.HasPrefix(name, "sig_") && cell != "" && cell != "0" && cell != "1" || name == "rights_vector" && !vector.MatchString(cell) {
				t.Errorf("%s of %s is %q", name, row[0], cell)
			}
		}
	}
	if !bytes.Contains(table, []byte("'=cmd")) {
		t.Error("the formula was not planted")
	}
	if !bytes.Contains(table, []byte("https://alpha.example/license.xml")) {
		t.Error("the RSL document of alpha is not shown")
	}
}
