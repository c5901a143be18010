package generator

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"colophon/generator/snapshot"
	"colophon/internal/origin"
)

// bigRobots names agents, each in a group with rules of its own. Many groups have a
// rule in common: the verdicts are listed once for each pattern.
func bigRobots(agents, rules int) string {
	var b strings.Builder
	for i := range agents {
		fmt.Fprintf(&b, "User-agent: bot%d\n", i)
		for j := range rules {
			fmt.Fprintf(&b, "Disallow: /%d\n", (i+j)%(agents+rules))
		}
	}
	b.WriteString("User-agent: *\nContent-Signal: search=yes\n")
	return b.String()
}

// TestSiteOverItsBudgetIsIsolated checks that documents of a site with too many
// statements are read only up to the budget, that this is reported, that the site's
// permissions no longer count, and that the build of all other sites continues.
func TestSiteOverItsBudgetIsIsolated(t *testing.T) {
	t.Parallel()
	ctx, store := context.Background(), newStore(t)
	addSite(t, store, "alpha")
	addPage(t, store, "alpha", 1)
	addSite(t, store, "beta")
	for i := range 4 {
		observe(t, store, "robots", fmt.Sprintf("/%d/robots.txt", i), 200, "2026-07-01T00:00:00Z", bigRobots(200, 80))
	}
	build1(t, store, filepath.Join(t.TempDir(), "dist"), 1)
	facts, err := store.FactsOfSites(ctx, []string{"alpha"})
	must(t, err)
	over := 0
	for _, e := range facts[0].Evidence {
		if strings.Contains(strings.Join(e.Warnings, " "), "site_over_budget") {
			over++
		}
	}
	if over != 1 {
		t.Errorf("%d of %d documents are over the budget, want the last one", over, len(facts[0].Evidence))
	}
}

// observedOnce is a store that ends a context once observations were read.
type observedOnce struct {
	origin.Catalog
	cancel context.CancelFunc
}

func (s observedOnce) ObservationsOfSites(ctx context.Context, siteIDs []string) (map[string][]origin.Observation, error) {
	defer s.cancel()
	return s.Catalog.ObservationsOfSites(ctx, siteIDs)
}

func TestRefreshStopsWhenAsked(t *testing.T) {
	t.Parallel()
	store := newStore(t)
	addSite(t, store, "alpha")
	observe(t, store, "robots", "/robots.txt", 200, "2026-07-01T00:00:00Z", bigRobots(10, 10))
	ctx, cancel := context.WithCancel(t.Context())
	if err := snapshot.RefreshEvidence(ctx, observedOnce{store, cancel}, "alpha"); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
