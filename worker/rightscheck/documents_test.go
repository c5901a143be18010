package rightscheck

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"colophon/exports"
	"colophon/internal/origin"
	"colophon/internal/rights"
	"colophon/internal/wire"
)

// factsOfVersion are the facts of site-a, whose name is its version.
func factsOfVersion(version string) origin.SiteRights {
	return origin.SiteRights{Version: version, Site: origin.Site{SiteID: "site-a", Name: version, SiteURL: "https://a.example/", State: origin.Approved, Visibility: "public"}}
}

// nameFound asks about site-a, and returns the name of its document.
func nameFound(t *testing.T, s *Service, at string, past bool) string {
	t.Helper()
	l, err := s.readQuestion(t.Context(), &Question{RightsQuery: exports.RightsQuery{Key: "site_id", Normalized: "site-a", At: at}, past: past})
	must(t, err)
	return l.docs["site-a"].Name
}

// TestFactsAreReadOnce checks that facts are read again for another version, a
// time at which what is kept does not hold, and a question about the past; and
// that nothing is kept of the past, nor of facts without a version.
func TestFactsAreReadOnce(t *testing.T) {
	r := &factsOf{}
	s := checkOf(r)
	x := factsOfVersion("v1")
	x.Evidence = []origin.Evidence{{Channel: "robots", Since: "2026-11-25T00:00:00Z", State: "absent"}}
	for _, c := range []struct {
		what, version, at string
		past              bool
		reads             int
	}{
		{"nothing is kept", "v1", "2026-11-20T00:00:00Z", false, 1},
		{"it is kept", "v1", "2026-11-20T00:00:00Z", false, 0},
		{"it holds", "v1", "2026-11-24T23:59:59Z", false, 0},
		{"the past", "v1", "2026-11-20T00:00:00Z", true, 1},
		{"another version", "v2", "2026-11-21T00:00:00Z", false, 1},
		{"that is kept", "v2", "2026-11-21T00:00:00Z", false, 0},
		{"the clock went back", "v2", "2026-11-20T00:00:00Z", false, 1},
		{"a document begins", "v2", "2026-11-25T00:00:00Z", false, 1},
		{"the version before", "v1", "2026-11-25T00:00:00Z", false, 1},
		{"the past alone", "v3", "2026-11-25T00:00:00Z", true, 1},
		{"of which nothing is kept", "v3", "2026-11-25T00:00:00Z", false, 1},
		{"no version", "", "2026-11-25T00:00:00Z", false, 1},
		{"of which nothing is kept either", "", "2026-11-25T00:00:00Z", false, 1},
	} {
		r.reads = nil
		r.found.Sites = []origin.SiteVersion{{SiteID: "site-a", Version: c.version}}
		x.Version, x.Site.Name = c.version, c.version
		r.sites = []origin.SiteRights{x}
		if name := nameFound(t, s, c.at, c.past); name != c.version || len(r.reads) != c.reads {
			t.Errorf("%s: the answer is from %q after %d reads of facts, not from %q after %d", c.what, name, len(r.reads), c.version, c.reads)
		}
		for _, past := range r.reads {
			if past != c.past {
				t.Errorf("%s: facts of the past were read: %v", c.what, past)
			}
		}
	}
}

// changing is an origin in which another program writes between the two
// statements of a check, some times.
type changing struct {
	factsOf
	writes  int
	version int
}

func (c *changing) FindRights(ctx context.Context, l origin.RightsLookup) (origin.RightsFound, error) {
	c.found = origin.RightsFound{
		Pages: []origin.Page{{EntryID: "ent_1", SiteID: "site-a", CanonicalURL: fmt.Sprintf("https://a.example/%d", c.version)}},
		Sites: []origin.SiteVersion{{SiteID: "site-a", Version: fmt.Sprint("v", c.version)}},
	}
	return c.factsOf.FindRights(ctx, l)
}

func (c *changing) RightsOfSites(ctx context.Context, ids []string, at string, past bool) ([]origin.SiteRights, error) {
	if c.writes > 0 {
		c.writes--
		c.version++
	}
	c.sites = []origin.SiteRights{factsOfVersion(fmt.Sprint("v", c.version))}
	return c.factsOf.RightsOfSites(ctx, ids, at, past)
}

// forgetful keeps nothing.
type forgetful struct{}

func (forgetful) Document(string, string) *rights.KeptDocument { return nil }
func (forgetful) Keep(_, _ string, _ *rights.KeptDocument)     {}

// TestChangedWhileRead checks that page and facts belong to one moment although
// they are read one after the other, and that a check ends even if facts change
// again and again.
func TestChangedWhileRead(t *testing.T) {
	for writes, want := range map[int]struct{ lookups, reads int }{0: {1, 1}, 1: {2, 2}, 2: {3, 3}, 9: {3, 3}} {
		r := &changing{writes: writes}
		s := &Service{Rights: r, Documents: forgetful{}}
		l, err := s.readQuestion(t.Context(), &Question{RightsQuery: exports.RightsQuery{Key: "entry_id", Normalized: "ent_1", At: "2026-11-20T00:00:00Z"}})
		must(t, err)
		if writes < maxReads {
			if page, name := l.pages["ent_1"][0].CanonicalURL, l.docs["site-a"].Name; page != fmt.Sprintf("https://a.example/%d", writes) || name != fmt.Sprint("v", writes) {
				t.Errorf("%d writes: the page %s and the facts %s", writes, page, name)
			}
		}
		if len(l.pages["ent_1"]) != 1 || len(r.lookups) != want.lookups || len(r.reads) != want.reads {
			t.Errorf("%d writes: %d pages, %d lookups and %d reads of facts", writes, len(l.pages["ent_1"]), len(r.lookups), len(r.reads))
		}
	}
}

// TestMemoryForgets checks that a memory keeps one version of a site, and within
// its bound those that were used last.
func TestMemoryForgets(t *testing.T) {
	doc := func() *rights.KeptDocument {
		return &rights.KeptDocument{Document: &rights.RightsDocument{SiteID: "s", Name: "S"}}
	}
	size := inMemory * len(wire.Append(nil, doc()))
	m := NewMemory(2 * size)
	m.Keep("a", "1", doc())
	m.Keep("a", "2", doc())
	if m.Document("a", "1") != nil || m.Document("a", "2") == nil || m.size != size {
		t.Errorf("two versions of a site take %d bytes, not %d", m.size, size)
	}
	m.Keep("b", "1", doc())
	m.Document("a", "2")
	m.Keep("c", "1", doc())
	if m.Document("b", "1") != nil || m.Document("a", "2") == nil || m.Document("c", "1") == nil || m.size != 2*size || m.used.Len() != 2 || len(m.sites) != 2 {
		t.Errorf("%d sites in %d bytes", len(m.sites), m.size)
	}
	small := NewMemory(size - 1)
	small.Keep("a", "1", doc())
	small.Keep("b", "1", &rights.KeptDocument{}) // a site that may not appear
	if small.Document("a", "1") != nil || small.Document("b", "1") == nil {
		t.Error("a document over the bound is kept, or a small one is not")
	}
}

// TestMemoryIsShared uses a memory from several goroutines, for the race
// detector.
func TestMemoryIsShared(t *testing.T) {
	r := &factsOf{sites: []origin.SiteRights{factsOfVersion("v1")}, found: origin.RightsFound{Sites: []origin.SiteVersion{{SiteID: "site-a", Version: "v1"}}}}
	memory := NewMemory(1 << 20)
	var wait sync.WaitGroup
	for i := range 8 {
		wait.Go(func() {
			own := *r
			s := &Service{Rights: &own, Documents: memory}
			for n := range 50 {
				q := &Question{at: checkTime, now: checkTime, RightsQuery: exports.RightsQuery{Key: "site_id", Normalized: "site-a", At: exports.Instant(checkTime), Uses: exports.UseWords(), Agent: fmt.Sprint("bot", n%40)}}
				if a, err := s.Answer(t.Context(), q); err != nil || len(a.Candidates) != 1 {
					t.Errorf("%d: %+v, %v", i, a, err)
				}
			}
		})
	}
	wait.Wait()
}
