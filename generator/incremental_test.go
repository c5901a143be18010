package generator

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"colophon/generator/target"
	"colophon/generator/verify"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/record"
)

// history changes an origin at random, as operators and imports do.
type history struct {
	tb    testing.TB
	rnd   *rand.Rand
	store *originsql.Store
	opt   Options
	sites []string
	pages []origin.Page
	at    time.Time
	n     int
}

func newHistory(tb testing.TB, seed uint64) *history {
	h := &history{tb: tb, rnd: rand.New(rand.NewPCG(seed, 1)), store: newStore(tb), opt: testOptions(tb, 2), at: time.Date(2026, 8, 1, 0, 0, 0, 0, time.UTC)}
	for _, id := range []string{"alpha", "beta", "gamma"} {
		addSite(tb, h.store, id)
		h.sites = append(h.sites, id)
		for n := range 6 {
			h.pages = append(h.pages, addPage(tb, h.store, id, n))
		}
	}
	return h
}

// now moves the time forward by up to 72 hours and returns it.
func (h *history) now() string {
	h.at = h.at.Add(time.Duration(1+h.rnd.IntN(72)) * time.Hour)
	return h.at.Format(time.RFC3339)
}

func (h *history) page() *origin.Page { return &h.pages[h.rnd.IntN(len(h.pages))] }

func (h *history) site() origin.Site {
	s, err := h.store.Site(context.Background(), h.sites[h.rnd.IntN(len(h.sites))])
	must(h.tb, err)
	return s
}

func (h *history) put(p *origin.Page) {
	p.ChangedAt = h.now()
	must(h.tb, h.store.PutPage(context.Background(), *p, nil))
}

// step makes one random change and returns its kind.
func (h *history) step() string {
	ctx := context.Background()
	h.n++
	kinds := []string{"add", "edit", "withdraw", "restore", "move", "policy", "offer", "suspend", "rename", "observe", "demand", "publisher", "key", "nothing"}
	kind := kinds[h.rnd.IntN(len(kinds))]
	switch kind {
	case "add":
		h.pages = append(h.pages, addPage(h.tb, h.store, h.site().SiteID, 1000+h.n, func(p *origin.Page) { p.ChangedAt = h.now() }))
	case "edit":
		p := h.page()
		p.Title = fmt.Sprintf("Edited %d \"%s\" & <more>", h.n, p.SiteID)
		p.Byline = []string{"First Author", "Второй {автор}"}
		p.ModifiedAt = h.at.Format(time.RFC3339)
		h.put(p)
	case "withdraw", "restore":
		p := h.page()
		p.State = map[string]string{"withdraw": "withdrawn", "restore": "active"}[kind]
		h.put(p)
	case "move": // to another site: the page is withdrawn and registered again there
		p := h.page()
		p.State = "withdrawn"
		h.put(p)
		h.pages = append(h.pages, addPage(h.tb, h.store, h.site().SiteID, 2000+h.n, func(q *origin.Page) { q.Title, q.ChangedAt = p.Title, h.now() }))
	case "policy":
		use := []string{"rag", "training", "search"}[h.rnd.IntN(3)]
		declared := []string{"allow", "disallow", "unknown"}[h.rnd.IntN(3)]
		at := h.now()
		must(h.tb, h.store.PutPreference(ctx, origin.Preference{SiteID: h.site().SiteID, Use: use, Inquiry: "welcome", Declared: declared, Since: at, Source: "publisher", ChangedAt: at}))
	case "offer": // it ends after 100 hours, which later changes may pass
		id, at := h.site().SiteID, h.now()
		must(h.tb, h.store.PutOffer(ctx, origin.Offer{LicenseID: fmt.Sprintf("lic_%s%d", id, h.n), SiteID: id, Slug: fmt.Sprint(h.n), Kind: "custom", Status: "offered", Title: "Some",
			ScopeType: "section", Paths: []string{fmt.Sprintf("/section-%d/*", h.rnd.IntN(7))}, Permits: []string{"training"}, PaymentModel: "use", ValidFrom: at,
			ValidUntil: h.at.Add(100 * time.Hour).Format(time.RFC3339), ChangedAt: at}))
	case "suspend":
		s := h.site()
		if s.ChangedAt = h.now(); s.State == origin.Approved {
			s.State = origin.Suspended
		} else {
			s.State = origin.Approved
		}
		must(h.tb, h.store.PutSite(ctx, s))
	case "rename":
		s := h.site()
		s.Name, s.ChangedAt = fmt.Sprintf("Name %d", h.n), h.now()
		must(h.tb, h.store.PutSite(ctx, s))
	case "observe":
		s := h.site()
		body := "User-agent: *\nDisallow: /section-1/\n"
		if h.rnd.IntN(2) == 0 {
			body = "User-agent: GPTBot\nDisallow: /\n"
		}
		digest := sha256.Sum256([]byte(body))
		must(h.tb, h.store.PutObservation(ctx, origin.Observation{SiteID: s.SiteID, Channel: "robots", URL: s.SiteURL + "robots.txt", Status: 200, ContentType: "text/plain",
			Raw: body, SHA256: fmt.Sprintf("%x", digest), FetchedAt: h.now(), ValidUntil: h.at.Add(48 * time.Hour).Format(time.RFC3339)}))
	case "demand":
		must(h.tb, h.store.PutDemand(ctx, origin.Demand{DemandID: "dem_1", Headline: fmt.Sprintf("Need %d", h.n), Uses: []string{"rag"}, OptedIn: true, OptedInAt: "2026-01-01T00:00:00Z", ChangedAt: h.now()}))
	case "publisher":
		id := fmt.Sprintf("site%d", h.n)
		addSite(h.tb, h.store, id, func(s *origin.Site) { s.ChangedAt = h.now() })
		h.sites = append(h.sites, id)
		h.pages = append(h.pages, addPage(h.tb, h.store, id, h.n))
	case "key":
		h.revokeKey()
	}
	return kind
}

// revokeKey revokes the key that signs records, and continues with a new one.
func (h *history) revokeKey() {
	var seed [32]byte
	copy(seed[:], fmt.Sprintf("the seed of a test, key %07d.", h.n)) // exactly 32 bytes: copy would cut a longer text, and keys would repeat
	at := h.at.Unix()
	next, err := record.NewKeyFile(seed, 1704067200, 1893456000, record.KeyActive)
	must(h.tb, err)
	public, err := next.Key()
	must(h.tb, err)
	keys := []record.Key{public}
	for _, k := range h.opt.Keys.Keys() {
		if k.Revoked == nil && k.ID == h.opt.Signer.KeyID() {
			k.Revoked = &record.Revocation{At: at, Reason: "compromised"}
		}
		keys = append(keys, k)
	}
	h.opt.Keys, err = record.NewKeySet(keys...)
	must(h.tb, err)
	h.opt.Signer, err = next.Signer()
	must(h.tb, err)
}

// TestIncrementalEqualsWhole changes an origin at random, builds what is due,
// and builds everything again in another folder: both folders must be the
// same, byte for byte. COLOPHON_HISTORIES sets the number of rounds (make
// test-histories).
func TestIncrementalEqualsWhole(t *testing.T) {
	rounds := 8
	if testing.Short() {
		rounds = 5
	}
	if n, err := strconv.Atoi(os.Getenv("COLOPHON_HISTORIES")); err == nil {
		rounds = n
	}
	limitSitemaps(t, 50_000, 2, 4)
	const perHistory = 15
	for seed := 0; seed*perHistory < rounds; seed++ {
		h := newHistory(t, uint64(seed))
		h.opt.Brand.Cards, h.opt.Brand.EntryCards = true, seed%2 == 1 // drawing takes most of the time; see TestEntryCards
		root := t.TempDir()
		one, two := filepath.Join(root, "one"), filepath.Join(root, "two")
		reused := 0
		for round := range min(perHistory, rounds-seed*perHistory) {
			var steps []string
			for range 1 + h.rnd.IntN(4) {
				steps = append(steps, h.step())
			}
			before := len(h.pages)
			r, err := Build(context.Background(), h.store, one, h.opt)
			must(t, err)
			if int(r.Due) < before && !r.Unchanged {
				reused++
			}
			whole := h.opt
			whole.Whole = true
			_, err = Build(context.Background(), h.store, two, whole)
			must(t, err)
			compareTrees(t, fmt.Sprintf("history %d, round %d (%v)", seed, round, steps), one, two)
			if t.Failed() {
				return
			}
		}
		a, err := verify.Release(one)
		must(t, err)
		for _, f := range a.Findings {
			t.Errorf("history %d: %s", seed, f)
		}
		t.Logf("history %d: the same bytes", seed)
		if reused == 0 {
			t.Errorf("history %d: every build rendered everything", seed)
		}
	}
}

// compareTrees checks that two folders hold the same files, apart from those
// that wait to be deleted.
func compareTrees(tb testing.TB, what, one, two string) {
	tb.Helper()
	a, b := readTree(tb, one), readTree(tb, two)
	for _, dir := range []string{one, two} {
		expired, err := target.ReadWaiting(dir)
		must(tb, err)
		tree := a
		if dir == two {
			tree = b
		}
		delete(tree, target.WaitingFile)
		for name := range expired {
			delete(tree, name)
		}
	}
	var names []string
	for name := range a {
		names = append(names, name)
	}
	for name := range b {
		if a[name] == nil {
			tb.Errorf("%s: %s is missing", what, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		if other, ok := b[name]; !ok {
			tb.Errorf("%s: %s should not be there", what, name)
		} else if !bytes.Equal(a[name], other) {
			tb.Errorf("%s: %s differs", what, name)
		}
	}
}
