package rights

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"colophon/exports"
	"colophon/internal/assert"
	"colophon/internal/origin"
)

func keeping(e Evidence, retention string) Evidence { e.Retention = retention; return e }
func stating(p Stated, retention string) Stated     { p.Retention = retention; return p }
func offering(o Licence, hours int64, retention string) Licence {
	o.Obligations.DeleteOnRevocationHours, o.Obligations.Retention = hours, retention
	return o
}

// TestRetention checks where the strictest retention wins, that it becomes a
// duty only where a use is open, and what is cited for it.
func TestRetention(t *testing.T) {
	open := ragOffer("offered")
	welcome := ragPreference("welcome", "disallow")
	grant := func(retention string) Grant {
		return heldGrant(func(g *Grant) { g.ValidUntil, g.Retention = "", retention })
	}
	signal := keeping(of(rsl(Unknown), "content_signal", ""), "none")
	for _, c := range []struct {
		name string
		c    Case
		q    Question
		want string // verdict, retention
		duty bool
		cite string // evidence that must be in the basis
	}{
		{"nothing is said", Case{Evidence: []Evidence{rsl(Allow)}}, Question{}, "signal_allow unknown", false, ""},
		{"nothing is said about anything", Case{}, Question{}, "unknown unknown", false, ""},
		{"an offer says nothing", Case{Offers: []Licence{open}}, Question{}, "license_required unknown", false, ""},
		{"an offer says when to delete", Case{Offers: []Licence{offering(open, 72, "")}}, Question{}, "license_required while_licensed", true, "ev_offer"},
		{"an offer says how long", Case{Offers: []Licence{offering(open, 72, "P30D")}}, Question{}, "license_required P30D", true, "ev_offer"},
		{"two offers", Case{Offers: []Licence{offering(open, 0, "P30D"), named(offering(open, 0, "P7D"), "lic_b")}}, Question{}, "license_required P7D", true, "ev_offer"},
		{"the publisher is stricter than its offer", Case{Offers: []Licence{offering(open, 0, "P30D")}, Preferences: []Stated{stating(welcome, "none")}}, Question{}, "license_required none", true, "ev_stated"},
		{"its offer is stricter than the publisher", Case{Offers: []Licence{offering(open, 0, "P30D")}, Preferences: []Stated{stating(welcome, "while_licensed")}}, Question{}, "license_required P30D", true, "ev_offer"},
		{"a channel is stricter than both", Case{Offers: []Licence{offering(open, 0, "P30D")}, Preferences: []Stated{stating(welcome, "while_licensed")}, Evidence: []Evidence{signal}}, Question{}, "license_required none", true, "ev_content_signal"},
		{"a channel alone opens nothing", Case{Evidence: []Evidence{signal}}, Question{}, "unknown none", false, "ev_content_signal"},
		{"while licensed opens nothing", Case{Preferences: []Stated{stating(ragPreference("unstated", "unknown"), "while_licensed")}}, Question{}, "unknown while_licensed", false, "ev_stated"},
		{"beside an allow", Case{Evidence: []Evidence{rsl(Allow), signal}}, Question{}, "signal_allow none", true, "ev_content_signal"},
		{"of a declined use", Case{Evidence: []Evidence{keeping(rsl(Disallow), "P1D")}}, Question{}, "declined P1D", false, "ev1"},
		{"what went stale still restricts", Case{Evidence: []Evidence{rsl(Allow), aged(signal, noon-1)}}, Question{}, "signal_allow none", true, "ev_content_signal"},
		{"what is said tomorrow does not count", Case{Evidence: []Evidence{signal}, Preferences: []Stated{since(stating(welcome, "none"), "2026-11-20T12:00:01Z")}}, Question{At: noon - day}, "unknown unknown", false, ""},
		{"of an offer to others", Case{Offers: []Licence{limited(offering(open, 0, "none"), []string{"education"}, nil, nil), named(offering(open, 0, "P30D"), "lic_b")}}, Question{UserType: "commercial"}, "license_required P30D", true, "ev_offer"},
		{"told to one agent, asked by another", Case{Evidence: []Evidence{rsl(Allow), keeping(of(rsl(Unknown), "content_signal", "gptbot"), "none")}}, Question{Agent: "OtherBot"}, "signal_allow unknown", false, ""},
		{"told to one agent, asked by it", Case{Evidence: []Evidence{rsl(Allow), keeping(of(rsl(Unknown), "content_signal", "gptbot"), "none")}}, Question{Agent: "gptbot"}, "signal_allow none", true, "ev_content_signalgptbot"},
		{"told to one agent, asked for everybody", Case{Evidence: []Evidence{rsl(Allow), keeping(of(rsl(Unknown), "content_signal", "gptbot"), "none")}}, Question{}, "signal_allow none", true, "ev_content_signalgptbot"},
		{"a withdrawn entry", Case{State: EntryWithdrawn, Evidence: []Evidence{signal}}, Question{}, "withdrawn unknown", false, ""},
		{"a grant says nothing", Case{Buyer: true, Grants: []Grant{grant("")}}, Question{}, "licensed while_licensed", true, ""},
		{"a grant prevails over what is public", Case{Buyer: true, Grants: []Grant{grant("P30D")}, Evidence: []Evidence{signal}}, Question{}, "licensed P30D", true, ""},
		{"the stricter of two grants", Case{Buyer: true, Grants: []Grant{grant("P30D"), grant("none")}}, Question{}, "licensed none", true, ""},
		{"a grant without its credential", Case{Grants: []Grant{grant("P30D")}, Evidence: []Evidence{signal}}, Question{}, "unknown none", false, ""},
	} {
		if c.q.At == 0 {
			c.q.At = noon
		}
		c.c.SiteID = "site-a"
		v := Evaluate(&c.c, c.q).Uses[0]
		assert.Equal(t, v.Verdict+" "+v.Retention, c.want, "%s", c.name)
		assert.Equal(t, slices.Contains(v.Obligations, retentionDuty), c.duty, "%s: obligations are %q", c.name, v.Obligations)
		if c.cite != "" && !slices.Contains(v.Basis, c.cite) {
			t.Errorf("%s: the basis is %q without %s", c.name, v.Basis, c.cite)
		}
	}
}

// TestRetentionGrantsNothing checks that no verdict depends on a retention.
func TestRetentionGrantsNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, q := someCase(t)
		said := Evaluate(&c, q)
		c.Preferences, c.Offers, c.Evidence = slices.Clone(c.Preferences), slices.Clone(c.Offers), slices.Clone(c.Evidence)
		for i := range c.Preferences {
			c.Preferences[i].Retention = ""
		}
		for i := range c.Offers {
			c.Offers[i].Obligations.Retention = ""
		}
		for i := range c.Evidence {
			c.Evidence[i].Retention = ""
		}
		silent := Evaluate(&c, q)
		if said.Vector != silent.Vector || said.ValidUntil != silent.ValidUntil {
			t.Fatalf("%s with retentions, %s without", said.Vector, silent.Vector)
		}
		for i := range said.Uses {
			a, b := &said.Uses[i], &silent.Uses[i]
			if a.Verdict != b.Verdict || a.Reason != b.Reason || a.SomeoneMayAsk != b.SomeoneMayAsk || !slices.Equal(a.DependsOn, b.DependsOn) || !slices.Equal(a.LicenseIDs, b.LicenseIDs) {
				t.Fatalf("%s: %+v with retentions, %+v without", exports.Uses[i], a, b)
			}
			if b.Retention != exports.RetentionUnknown || a.Retention == "" {
				t.Fatalf("%s: retention %q, and %q where nothing is said", exports.Uses[i], a.Retention, b.Retention)
			}
		}
	})
}

// TestRetentionIsCitedInOneOrder checks that the basis does not depend on which of
// two channels with the same retention was read first.
func TestRetentionIsCitedInOneOrder(t *testing.T) {
	one, two := keeping(of(rsl(Unknown), "content_signal", ""), "P7D"), keeping(of(rsl(Unknown), "ai_txt", ""), "P7D")
	for _, evidence := range [][]Evidence{{one, two}, {two, one}} {
		a := Evaluate(&Case{Evidence: evidence}, Question{At: noon, UserType: "commercial", Territory: "DE"})
		for i := range a.Uses {
			if u := &a.Uses[i]; u.Use == "rag" && !slices.Equal(u.Basis, []string{"ev_ai_txt", "ev_content_signal"}) {
				t.Errorf("basis %q", u.Basis)
			}
		}
	}
}

// TestStricterRetentionWins checks that one statement more never lets a copy be
// kept longer.
func TestStricterRetentionWins(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, q := someCase(t)
		before := Evaluate(&c, q)
		more := someEvidence(t)
		more.Effect, more.Options, more.Agent = Unknown, nil, ""
		c.Evidence = append(slices.Clone(c.Evidence), more)
		after := Evaluate(&c, q)
		for i := range after.Uses {
			was, is := before.Uses[i].Retention, after.Uses[i].Retention
			if exports.StricterRetention(was, is) != is {
				t.Fatalf("%s: %s became %s", exports.Uses[i], was, is)
			}
		}
	})
}

// TestDeleteHours checks that a copy is not kept longer after the end of a grant
// than it could be kept before.
func TestDeleteHours(t *testing.T) {
	for _, c := range []struct {
		hours     int64
		retention string
		want      int64
	}{{72, "", 72}, {0, "", 0}, {72, "while_licensed", 72}, {72, "none", 0}, {72, "P1D", 24}, {72, "P3D", 72}, {72, "P30D", 72}, {1000, "P30D", 720}} {
		assert.Equal(t, DeleteHours(&origin.Grant{DeleteHours: c.hours, Retention: c.retention}), c.want, "%d hours and %q", c.hours, c.retention)
	}
}
