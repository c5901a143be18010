package generator

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"colophon/exports"
	"colophon/generator/snapshot"
	"colophon/internal/origin"
	"colophon/internal/wire"
)

// observe stores an observation at an address of the site alpha.
func observe(t *testing.T, store origin.Catalog, channel, path string, status int64, at, raw string) {
	t.Helper()
	o := origin.Observation{SiteID: "alpha", Channel: channel, URL: "https://alpha.example" + path, Status: status, Raw: raw, FetchedAt: at, ValidUntil: at[:8] + "28T00:00:00Z"}
	if raw != "" {
		digest := sha256.Sum256([]byte(raw))
		o.SHA256 = hex.EncodeToString(digest[:])
	}
	must(t, store.PutObservation(context.Background(), o))
}

const (
	robotsOpen = "User-agent: *\nAllow: /\nContent-Signal: search=yes, ai-train=no\n"
	rslClosed  = `<?xml version="1.0"?><rsl xmlns="https://rslstandard.org/rsl"><content url="/section-1/*"><license><prohibits type="usage">search</prohibits></license></content></rsl>`
)

func mapRecord(t *testing.T, dir string) exports.MapRecord {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, string(exports.KeyOf(exports.MapPublisherPath("alpha")))))
	must(t, err)
	v, err := wire.Parse(data, wire.Trusted)
	must(t, err)
	var r exports.MapRecord
	r.RightsVector, _ = v.Get("rights_vector").Str()
	for _, c := range v.Get("channels").Items {
		state := exports.ChannelState{}
		must(t, wire.DecodeValue(&c, &state))
		r.Channels = append(r.Channels, state)
	}
	for _, c := range v.Get("consistency").Get("conflicts").Items {
		x := exports.Conflict{}
		must(t, wire.DecodeValue(&c, &x))
		r.Conflicts = append(r.Conflicts, x)
	}
	return r
}

// TestEvidenceShows follows a site's statements from the observation to the
// map, the record and the history.
func TestEvidenceShows(t *testing.T) {
	t.Parallel()
	ctx, store := context.Background(), newStore(t)
	addSite(t, store, "alpha")
	inside, outside := addPage(t, store, "alpha", 1), addPage(t, store, "alpha", 2)
	observe(t, store, "robots", "/robots.txt", 200, "2026-07-01T00:00:00Z", robotsOpen)
	observe(t, store, "rsl", "/license.xml", 200, "2026-07-01T00:00:01Z", rslClosed)
	observe(t, store, "ai_txt", "/ai.txt", 404, "2026-07-01T00:00:02Z", "")
	dir := filepath.Join(t.TempDir(), "dist")
	build1(t, store, dir, 2)

	m := mapRecord(t, dir)
	if m.RightsVector != "LDDSUDUU" || len(m.Conflicts) != 0 {
		t.Errorf("vector %s, conflicts %+v", m.RightsVector, m.Conflicts)
	}
	states := map[string]string{}
	for _, c := range m.Channels {
		states[c.Channel] += c.State + strconv.FormatInt(c.Statements, 10) + " "
	}
	if want := map[string]string{"rsl": "valid1 ", "robots": "valid1 ", "content_signal": "valid2 ", "ai_txt": "absent0 "}; !reflect.DeepEqual(states, want) {
		t.Errorf("channels %v, want %v", states, want)
	}
	vector := func(p origin.Page) string {
		data, err := os.ReadFile(filepath.Join(dir, string(exports.KeyOf(exports.RecordPath(p.EntryID)))))
		must(t, err)
		r, err := decodeRecord(string(data))
		must(t, err)
		return r.Passport.RightsVector
	}
	if got := vector(inside) + " " + vector(outside); got != "LDDdUDUU LDDSUDUU" {
		t.Errorf("vectors %s", got)
	}

	before, err := store.FactsOfSites(ctx, []string{"alpha"})
	must(t, err)
	must(t, snapshot.RefreshEvidence(ctx, store, "alpha"))
	after, err := store.FactsOfSites(ctx, []string{"alpha"})
	must(t, err)
	rows, again := before[0].Evidence, after[0].Evidence
	if len(rows) != 3 || !reflect.DeepEqual(rows, again) {
		t.Errorf("a second refresh changed %+v into %+v", rows, again)
	}
}

func TestEvidenceIsReplacedAndKept(t *testing.T) {
	t.Parallel()
	ctx, store := context.Background(), newStore(t)
	addSite(t, store, "alpha")
	type row struct{ since, state, checked, replaced string }
	refresh := func() (out []row) {
		t.Helper()
		must(t, snapshot.RefreshEvidence(ctx, store, "alpha"))
		facts, err := store.FactsOfSites(ctx, []string{"alpha"})
		must(t, err)
		for _, e := range facts[0].Evidence {
			out = append(out, row{e.Since[5:10], e.State, strings.TrimPrefix(e.CheckedAt, "2026-")[:min(5, len(e.CheckedAt))], strings.TrimSuffix(strings.TrimPrefix(e.ReplacedAt, "2026-"), "T00:00:00Z")})
		}
		return out
	}
	for _, step := range []struct {
		name, at, raw string
		status        int64
		want          []row
		versions      int
	}{
		{"first seen", "2026-07-01T00:00:00Z", robotsOpen, 200, []row{{"07-01", "valid", "07-01", ""}}, 1},
		{"the same again", "2026-07-02T00:00:00Z", robotsOpen, 200, []row{{"07-01", "valid", "07-02", ""}}, 1},
		{"out of reach: it still says what it said", "2026-07-03T00:00:00Z", "", 0, []row{{"07-01", "unreachable", "07-02", ""}}, 1},
		{"back after its validity ended", "2026-07-04T00:00:00Z", robotsOpen, 200, []row{{"07-01", "unreachable", "07-02", "07-04"}, {"07-04", "valid", "07-04", ""}}, 1},
		{"another text", "2026-07-05T00:00:00Z", robotsOpen + "Disallow: /x\n", 200, []row{{"07-01", "unreachable", "07-02", "07-04"}, {"07-04", "valid", "07-04", "07-05"}, {"07-05", "valid", "07-05", ""}}, 2},
		{"gone", "2026-07-06T00:00:00Z", "", 404, []row{{"07-01", "unreachable", "07-02", "07-04"}, {"07-04", "valid", "07-04", "07-05"}, {"07-05", "valid", "07-05", "07-06"}, {"07-06", "absent", "07-06", ""}}, 3},
		{"an older word is not taken", "2026-07-01T00:00:00Z", robotsOpen, 200, []row{{"07-01", "unreachable", "07-02", "07-04"}, {"07-04", "valid", "07-04", "07-05"}, {"07-05", "valid", "07-05", "07-06"}, {"07-06", "absent", "07-06", ""}}, 3},
	} {
		observe(t, store, "robots", "/robots.txt", step.status, step.at, step.raw)
		if got := refresh(); !reflect.DeepEqual(got, step.want) {
			t.Errorf("%s: %v, want %v", step.name, got, step.want)
		}
		facts, err := store.FactsOfSites(ctx, []string{"alpha"})
		must(t, err)
		versions := facts[0].Policies
		if len(versions) != step.versions {
			t.Errorf("%s: %d versions of the policy, want %d", step.name, len(versions), step.versions)
		}
		for i, v := range versions {
			if v.Version != int64(i+1) || (v.EffectiveUntil == "") != (i+1 == len(versions)) || i > 0 && versions[i-1].EffectiveUntil != v.EffectiveFrom {
				t.Errorf("%s: version %d runs from %s to %q", step.name, v.Version, v.EffectiveFrom, v.EffectiveUntil)
			}
		}
	}
}

// TestStalePermissionIsNoPermission lets time pass while the evidence of one
// site ages: its permission ends and its restriction stays. Its records say so
// once, as does everything else that is published.
func TestStalePermissionIsNoPermission(t *testing.T) {
	t.Parallel()
	store, dir := newRegistry(t)
	addSite(t, store, "alpha")
	addPage(t, store, "alpha", 1)
	observe(t, store, "robots", "/robots.txt", 200, "2026-07-01T00:00:00Z", robotsOpen)
	build1(t, store, dir, 1)
	addSite(t, store, "beta", func(s *origin.Site) { s.ChangedAt = "2026-07-20T00:00:00Z" })
	report := build1(t, store, dir, 1)
	if m := mapRecord(t, dir); m.RightsVector != "LDDUUDUU" || report.Issued != 1 {
		t.Errorf("vector %s, %d records issued, want one", m.RightsVector, report.Issued)
	}
	addSite(t, store, "gamma", func(s *origin.Site) { s.ChangedAt = "2026-07-30T00:00:00Z" })
	if report := build1(t, store, dir, 1); report.Issued != 0 {
		t.Errorf("%d records issued because time passed", report.Issued)
	}
}
