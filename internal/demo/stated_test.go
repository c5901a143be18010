package demo_test

import (
	"context"
	"encoding/json"
	"slices"
	"sort"
	"strings"
	"testing"

	"colophon/exports"
	"colophon/internal/assert"
	"colophon/internal/canonicaltext"
	"colophon/internal/origin"
	"colophon/internal/rights"
	"colophon/internal/urlkey"
	"colophon/internal/wire"
)

// TestWordsOfTheVocabularies compares each closed list with the column that
// must contain only its words, and checks whether the demo uses every word.
func TestWordsOfTheVocabularies(t *testing.T) {
	_, db, _ := seeded(t)
	// The demo has no site that the operator vouches for and none whose proof
	// lapsed; cmd/colophon's TestListYourSite has both.
	looked := []string{"operator", "lapsed"}
	for _, c := range []struct {
		query string
		words []string
		all   bool
	}{
		{"SELECT use FROM preference_signals", exports.UseWords(), true},
		{"SELECT inquiry FROM preference_signals", exports.Inquiries, true},
		{"SELECT declared FROM preference_signals", exports.Declarations, true},
		{"SELECT j.value FROM preference_signals, json_each(conditions) j", exports.Conditions, true},
		{"SELECT source FROM preference_signals", exports.SignalSources, true},
		{"SELECT audience FROM sites", exports.Audiences, true},
		{"SELECT technical_depth FROM sites", exports.TechnicalDepths, true},
		{"SELECT rag_suitability FROM sites", exports.RAGSuitabilities, true},
		{"SELECT domain_control FROM sites", exports.DomainControls, true},
		{"SELECT method FROM websites", exports.DomainControls, true},
		{"SELECT holder_basis FROM passports", exports.PassportBases, true},
		{"SELECT signal FROM readiness_signals", exports.ReadinessSignals, false},
		{"SELECT state FROM readiness_signals", exports.SignalStates, true},
		{"SELECT content_format FROM pages", exports.ContentFormats, false},
		{"SELECT kind FROM offers", exports.OfferKinds, true},
		{"SELECT source FROM offers WHERE source != ''", exports.OfferSources, true},
		{"SELECT status FROM offers", exports.OfferStatuses, true},
		{"SELECT scope_type FROM offers", []string{"site", "section", "collection"}, true},
		{"SELECT payment_model FROM offers", exports.PaymentModels, true},
		{"SELECT j.value FROM offers, json_each(permits) j", exports.UseWords(), true},
		{"SELECT j.value FROM offers, json_each(prohibits) j", exports.UseWords(), false},
		{"SELECT j.value FROM offers, json_each(user_types) j", exports.UserTypes, true},
		{"SELECT channel FROM observations", exports.Channels, false},
		{"SELECT user_type FROM demand", exports.UserTypes, false},
		{"SELECT j.value FROM demand, json_each(uses) j", exports.UseWords(), true},
		{"SELECT j.value FROM demand, json_each(content_formats) j", exports.ContentFormats, false},
	} {
		used := map[string]bool{}
		for _, w := range column(t, db, c.query) {
			used[w] = true
			if !slices.Contains(c.words, w) {
				t.Errorf("%s: %q is not a word of the list", c.query, w)
			}
		}
		for _, w := range c.words {
			if c.all && !used[w] && !slices.Contains(looked, w) {
				t.Errorf("%s: %q does not appear", c.query, w)
			}
		}
		if len(used) == 0 {
			t.Errorf("%s: nothing", c.query)
		}
	}
}

// TestInstants checks that every instant is valid, and that none is outside
// 2025 and 2026 except dates of publication, modification and expiry.
func TestInstants(t *testing.T) {
	_, db, _ := seeded(t)
	free := map[string]bool{"published_at": true, "modified_at": true, "expires_at": true, "valid_until": true, "published_after": true}
	checked := 0
	for _, name := range tables(t, db) {
		if name == "meta" || strings.Contains(name, "migrations") {
			continue
		}
		for _, col := range column(t, db, "SELECT name FROM pragma_table_info('"+name+"')") {
			instant := strings.HasSuffix(col, "_at") || strings.HasPrefix(col, "valid_") || col == "since" || col == "effective_from" || col == "published_after"
			if !instant {
				continue
			}
			for _, at := range column(t, db, "SELECT "+col+" FROM "+name+" WHERE "+col+" != ''") {
				checked++
				if !wire.IsTime(at) || !free[col] && (at < "2025-01-01" || at >= "2026-08-01") {
					t.Errorf("%s.%s holds %q", name, col, at)
				}
			}
		}
	}
	if checked < 2000 {
		t.Errorf("only %d instants were checked", checked)
	}
}

// TestPassportsAndEvidence checks that each public site but one has a passport,
// and that the evidence for a preference is on the site.
func TestPassportsAndEvidence(t *testing.T) {
	store, _, _ := seeded(t)
	ctx := context.Background()
	var without []string
	for _, s := range sitesOf(t, store) {
		if !rights.Public(s) {
			continue
		}
		passports, err := store.Passports(ctx, s.SiteID)
		must(t, err)
		if len(passports) == 0 {
			without = append(without, s.SiteID)
		}
		signals, err := store.Signals(ctx, s.SiteID)
		must(t, err)
		for _, x := range signals {
			if x.Evidence != "" && urlkey.HostOf(x.Evidence) != urlkey.HostOf(s.SiteURL) {
				t.Errorf("%s: the evidence %s lies elsewhere", s.SiteID, x.Evidence)
			}
		}
	}
	if len(without) != 1 || without[0] != "knooppunt" {
		t.Errorf("public sites without a passport: %v", without)
	}
}

func TestOffersHangTogether(t *testing.T) {
	store, _, _ := seeded(t)
	ctx, sites := context.Background(), sitesOf(t, store)
	offers, superseding := 0, 0
	for _, s := range sites {
		list, err := store.OffersOf(ctx, s.SiteID)
		must(t, err)
		byID := map[string]origin.Offer{}
		for _, o := range list {
			offers++
			byID[o.LicenseID] = o
			assert.Equal(t, o.LicenseID, rights.OfferID(s.SiteID, o.Slug), "%s/%s has the id", s.SiteID, o.Slug)
			if priced := o.Amount != ""; priced != (o.Currency != "") || priced && (o.PaymentModel == "free" || o.PaymentModel == "attribution") {
				t.Errorf("%s/%s: %s %q %q makes no sense", s.SiteID, o.Slug, o.PaymentModel, o.Amount, o.Currency)
			}
			for _, use := range o.Permits {
				if slices.Contains(o.Prohibits, use) {
					t.Errorf("%s/%s permits and prohibits %s", s.SiteID, o.Slug, use)
				}
			}
			if len(o.Permits) == 0 || o.ValidUntil != "" && o.ValidUntil <= o.ValidFrom || o.Source != "observed" && (o.TermsURL == "") != (o.TermsSHA256 == "") {
				t.Errorf("%s/%s is incomplete: %+v", s.SiteID, o.Slug, o)
			}
			if o.ScopeType != "site" && len(o.Paths) == 0 {
				t.Errorf("%s/%s: a %s without paths", s.SiteID, o.Slug, o.ScopeType)
			}
		}
		for _, o := range list {
			if before, ok := byID[o.Supersedes]; o.Supersedes != "" && (!ok || before.Status != "retired") {
				t.Errorf("%s/%s supersedes %s", s.SiteID, o.Slug, o.Supersedes)
			} else if ok {
				superseding++
			}
		}
	}
	if offers < 20 || superseding < 2 {
		t.Errorf("%d offers, %d of them supersede another", offers, superseding)
	}
}

// TestOffersCoverPages checks that every offered or paused offer covers at
// least one page of its site, if the site has pages.
func TestOffersCoverPages(t *testing.T) {
	store, db, _ := seeded(t)
	ctx := context.Background()
	covered := map[string]int{}
	for _, p := range allPages(t, store) {
		s, err := store.Site(ctx, p.SiteID)
		must(t, err)
		f := rights.SiteSnapshot{Site: s}
		if f.Offers, err = store.OffersOf(ctx, p.SiteID); err != nil {
			t.Fatal(err)
		}
		for _, id := range f.Covering(&p.Page) {
			covered[id]++
		}
	}
	for _, slug := range column(t, db, "SELECT license_id || ' ' || site_id || '/' || slug FROM offers WHERE status != 'retired'") {
		id, name, _ := strings.Cut(slug, " ")
		if covered[id] == 0 {
			t.Errorf("%s covers no page", name)
		}
	}
}

func TestDemand(t *testing.T) {
	store, db, _ := seeded(t)
	list, err := store.Demand(context.Background())
	must(t, err)
	known := map[string]bool{}
	for _, slug := range column(t, db, "SELECT slug FROM categories") {
		known[slug] = true
	}
	public, expired, closed := 0, 0, 0
	for _, d := range list {
		switch _, ok := rights.Demand(&d, "2026-07-06T09:30:00Z"); {
		case ok:
			public++
		case d.OptedIn:
			expired++
		default:
			closed++
		}
		for _, c := range d.Categories {
			if !known[c] {
				t.Errorf("%s: the category %q does not exist", d.Headline, c)
			}
		}
	}
	if public < 12 || expired < 2 || closed < 2 {
		t.Errorf("%d public, %d expired, %d not opted in", public, expired, closed)
	}
}

func TestObservationsAreRealisticAndSomeContradict(t *testing.T) {
	_, db, _ := seeded(t)
	if got := len(column(t, db, "SELECT DISTINCT channel FROM observations")); got < 10 {
		t.Errorf("only %d channels", got)
	}
	for _, status := range []string{"200", "404", "0"} {
		if len(column(t, db, "SELECT url FROM observations WHERE status = "+status)) == 0 {
			t.Errorf("no observation with status %s", status)
		}
	}
	for _, raw := range column(t, db, "SELECT raw FROM observations WHERE channel IN ('tdmrep', 'tdm_policy') AND content_type LIKE '%json'") {
		if !json.Valid([]byte(raw)) {
			t.Errorf("not JSON: %s", raw)
		}
	}
	for _, row := range column(t, db, "SELECT sha256 || ' ' || raw FROM observations WHERE raw != ''") {
		sum, raw, _ := strings.Cut(row, " ")
		assert.Equal(t, sum, canonicaltext.PortableDigest([]byte(raw)), "the digest of %q is wrong", raw)
	}
	contradict := column(t, db, `SELECT DISTINCT a.site_id FROM observations a JOIN observations b USING (site_id)
		WHERE a.raw LIKE '%train-ai=n%' AND b.raw LIKE '%ai-train=yes%' OR a.raw LIKE '%train-ai=y%' AND b.raw LIKE '%<prohibits%ai-train%'`)
	sort.Strings(contradict)
	assert.Equal(t, strings.Join(contradict, " "), "knooppunt nisiotika", "contradictory sites: %v", contradict)
}

// TestControlIsShown checks that control of a host is never merely recorded:
// each has a proof that was seen, and most publishers that prove control have
// their own files.
func TestControlIsShown(t *testing.T) {
	store, _, _ := seeded(t)
	ctx, files := context.Background(), 0
	for _, s := range sitesOf(t, store) {
		proofs, err := store.ProofsOfSite(ctx, s.SiteID)
		must(t, err)
		shown := map[string]string{}
		for _, p := range proofs {
			shown[p.Host] = p.Method
			if p.Address == "" || len(p.Digest) != 64 || p.SeenAt != s.ControlChecked || p.FirstAt > p.SeenAt {
				t.Errorf("%s: the proof of %s is %+v, the site was looked at at %s", s.SiteID, p.Host, p, s.ControlChecked)
			}
		}
		websites, err := store.Websites(ctx, s.SiteID)
		must(t, err)
		for _, w := range websites {
			if want := shown[w.Host]; rights.Public(s) && want != w.Method && !(want == "" && w.Method == "none") {
				t.Errorf("%s: control of %s is %s, its proof %q", s.SiteID, w.Host, w.Method, want)
			}
		}
		seen, err := store.Observations(ctx, s.SiteID)
		must(t, err)
		for _, o := range seen {
			if o.Channel == "publisher_file" && o.Status == 200 {
				files++
			}
		}
	}
	if files < 10 {
		t.Errorf("only %d publishers have a file", files)
	}
}
