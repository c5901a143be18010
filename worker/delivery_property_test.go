package worker_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"slices"
	"sort"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"colophon/exports"
	"colophon/internal/delivery"
	"colophon/internal/mirror"
	"colophon/internal/origin"
	"colophon/internal/originsql/realstest"
	"colophon/worker"
)

// tee copies what is read to a text.
type tee struct {
	io.ReadCloser
	to *strings.Builder
}

func (t tee) Read(p []byte) (int, error) {
	n, err := t.ReadCloser.Read(p)
	t.to.Write(p[:n])
	return n, err
}

// world is the expected state that a mirror is compared with.
type world struct {
	sites  map[string]origin.SiteState
	pages  map[string]*worldPage
	grants map[string]*worldGrant
}

type worldPage struct {
	site, path, state string
	edition           int
}

type worldGrant struct {
	g     origin.Grant
	sites []string
}

// may returns what the buyer may hold at an instant: entry to edition.
func (w *world) may(at string) map[string]int {
	out := map[string]int{}
	for entry, p := range w.pages {
		if w.sites[p.site] != origin.Approved || p.state != "active" {
			continue
		}
		for _, g := range w.grants {
			if g.g.State == "active" && g.g.ValidFrom <= at && (g.g.ValidUntil == "" || at < g.g.ValidUntil) && slices.Contains(g.g.Uses, "rag") &&
				slices.Contains(g.sites, p.site) && (len(g.g.Paths) == 0 || strings.HasPrefix(p.path, strings.TrimSuffix(g.g.Paths[0], "*"))) {
				out[entry] = p.edition
			}
		}
	}
	return out
}

// drive makes random changes and pulls, and compares the mirror with the
// expected state after each pull. base is the service's address.
func drive(t *rapid.T, m *market, base string, dir string, client *http.Client, heard *strings.Builder) {
	w := &world{sites: map[string]origin.SiteState{}, pages: map[string]*worldPage{}, grants: map[string]*worldGrant{}}
	siteIDs, paths, grantIDs := []string{"site-a", "site-b", "site-c"}, []string{"/a/x", "/b/y"}, []string{"grt_1", "grt_2", "grt_3"}
	credential := m.buyer("byr_main", "active")
	m.buyer("byr_other", "active")
	for _, id := range siteIDs {
		m.site(id, origin.Approved)
		w.sites[id] = origin.Approved
	}
	m.grant(origin.Grant{GrantID: "grt_other", BuyerID: "byr_other", Paths: []string{"/never/*"}}, siteIDs...)
	put := func(entry string, p *worldPage) {
		w.pages[entry] = p
		m.page(p.site, entry, p.path+"/"+entry, p.state, p.edition)
	}
	for _, id := range siteIDs {
		put("ent_other"+id, &worldPage{id, "/never", "active", 1}) // an item that the other buyer holds
	}
	grant := func(g *worldGrant) {
		w.grants[g.g.GrantID] = g
		m.grant(g.g, g.sites...)
	}
	consumer := &mirror.Folder{Dir: dir, Base: base, Credential: credential, Client: client, Wait: noWait}
	pulled := false
	check := func() {
		heard.Reset()
		truth := w.may(exports.Instant(m.now()))
		report, err := consumer.Pull(context.Background())
		var refused *mirror.Refused
		if errors.As(err, &refused) && refused.Status == 403 && !pulled && len(truth) == 0 {
			return // never had any right: nothing to mirror
		}
		if err != nil {
			t.Fatalf("pull: %v", err)
		}
		pulled = true
		if got, want := holds(t, dir), lines(truth); got != want {
			t.Fatalf("the mirror holds\n%s\nbut the buyer may hold\n%s", got, want)
		}
		if report.Resyncs > 0 && m.shift < 89*24*time.Hour { // the snapshot expires after 90 days
			t.Fatalf("the mirror had to begin again: %+v", report)
		}
		if !report.Verified {
			t.Fatalf("the root was not verified: %+v", report)
		}
		for _, said := range tokenForm.FindAllStringSubmatch(heard.String(), -1) {
			if fmt.Sprint(truth[said[1]]) != said[2] {
				t.Fatalf("the answer has %s, which the buyer may not have", said[0])
			}
		}
	}
	t.Repeat(map[string]func(*rapid.T){
		"page": func(t *rapid.T) {
			site, n := rapid.SampledFrom(siteIDs).Draw(t, "site"), rapid.IntRange(0, 2).Draw(t, "n")
			entry := fmt.Sprintf("ent_%s%d", site, n)
			edition := 1
			if p := w.pages[entry]; p != nil {
				edition = p.edition + 1
			}
			put(entry, &worldPage{site, paths[n%2], "active", edition})
		},
		"withdraw": func(t *rapid.T) {
			for _, entry := range sorted(w.pages) {
				if p := w.pages[entry]; rapid.Bool().Draw(t, "withdraw") {
					put(entry, &worldPage{p.site, p.path, rapid.SampledFrom([]string{"active", "withdrawn"}).Draw(t, "state"), p.edition})
				}
			}
		},
		"grant": func(t *rapid.T) {
			g := &worldGrant{g: origin.Grant{GrantID: rapid.SampledFrom(grantIDs).Draw(t, "grant"), BuyerID: "byr_main",
				Kind: rapid.SampledFrom([]string{"direct", "enterprise"}).Draw(t, "kind"), State: "active", ValidFrom: seedTime,
				Uses: rapid.SampledFrom([][]string{{"rag"}, {"rag", "training"}, {"training"}}).Draw(t, "uses")}}
			g.sites = rapid.SliceOfNDistinct(rapid.SampledFrom(siteIDs), 1, 3, rapid.ID[string]).Draw(t, "sites")
			if rapid.Bool().Draw(t, "narrow") {
				g.g.Paths = []string{rapid.SampledFrom([]string{"/a/*", "/b/*"}).Draw(t, "path")}
			}
			if rapid.Bool().Draw(t, "ends") && !m.real {
				g.g.ValidUntil = exports.Instant(m.now().Add(time.Duration(rapid.IntRange(1, 72).Draw(t, "hours")) * time.Hour))
			}
			grant(g)
		},
		"move": func(t *rapid.T) {
			for _, id := range sorted(w.grants) {
				if g := w.grants[id]; rapid.Bool().Draw(t, "move") {
					g.g.State = rapid.SampledFrom([]string{"active", "suspended", "revoked"}).Draw(t, "state")
					grant(g)
				}
			}
		},
		"publisher": func(t *rapid.T) {
			id := rapid.SampledFrom(siteIDs).Draw(t, "site")
			w.sites[id] = rapid.SampledFrom([]origin.SiteState{origin.Approved, origin.Suspended, origin.Closed}).Draw(t, "state")
			m.site(id, w.sites[id])
		},
		"time": func(t *rapid.T) {
			if hours := rapid.IntRange(1, 48).Draw(t, "hours"); !m.real {
				m.later(time.Duration(hours) * time.Hour)
			}
		},
		"pull": func(t *rapid.T) { check() },
	})
	check()
}

var tokenForm = regexp.MustCompile(`BODY-([A-Za-z0-9_-]+)-(\d+)-END`)

func sorted[T any](m map[string]T) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

func lines(truth map[string]int) string {
	var out []string
	for _, entry := range sorted(truth) {
		out = append(out, exports.ItemID(entry)+": # text "+token(entry, truth[entry]))
	}
	return strings.Join(out, "\n")
}

// holds describes a mirror's content, read as any program would.
func holds(t *rapid.T, dir string) string {
	entries, err := os.ReadDir(dir + "/items")
	must(t, err)
	var out []string
	for _, e := range entries {
		if id, ok := strings.CutSuffix(e.Name(), ".md"); ok {
			text, err := os.ReadFile(dir + "/items/" + e.Name())
			must(t, err)
			out = append(out, id+": "+string(text))
		}
	}
	sort.Strings(out)
	return strings.Join(out, "\n")
}

// variant is a way in which the service is run.
type variant struct {
	name, driver string
	budget       delivery.Budget
}

// TestMirrorIsWhatTheBuyerMayHold checks that after every pull the mirror is
// exactly what the buyer may hold, and that nothing else came over the wire:
// natively, with integers bound as D1 binds them, and with answers as short as
// at the edge, where a comparison may take several requests.
func TestMirrorIsWhatTheBuyerMayHold(t *testing.T) {
	variants := []variant{
		{"native", "sqlite", delivery.Budget{}},
		{"as on D1", realstest.Driver, delivery.Budget{}},
		{"short answers", "sqlite", delivery.Budget{Rows: 2, Bodies: 2, Bytes: 64}},
		{"short answers as on D1", realstest.Driver, delivery.Budget{Rows: 3, Bodies: 1, Bytes: 100}},
	}
	rapid.Check(t, func(r *rapid.T) {
		v := rapid.SampledFrom(variants).Draw(r, "variant")
		m := marketOn(t, v.driver, func(d *worker.Deps) { d.Budget = v.budget })
		heard := &strings.Builder{}
		drive(r, m, m.server().URL, t.TempDir(), &http.Client{Transport: seen{http.DefaultTransport, heard}}, heard)
	})
}
