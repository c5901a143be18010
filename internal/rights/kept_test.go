package rights_test

import (
	"bytes"
	"fmt"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"colophon/exports"
	"colophon/internal/channel"
	"colophon/internal/origin"
	"colophon/internal/rights"
	"colophon/internal/wire"
)

// someDay is an instant of November 2026, or none.
func someDay(t *rapid.T, what string) string {
	day := rapid.IntRange(0, 29).Draw(t, what)
	if day == 0 {
		return ""
	}
	return instantOf(day)
}

func instantOf(day int) string { return fmt.Sprintf("2026-11-%02dT00:00:00Z", day) }

// someSiteRights are facts of which some began, begin, ended or end in November.
func someSiteRights(t *rapid.T) *origin.SiteRights {
	x := &origin.SiteRights{Version: "v", Site: pierNews().Site}
	x.Site.ChangedAt = since
	x.Site.State = rapid.SampledFrom([]origin.SiteState{origin.Approved, origin.Approved, origin.Approved, origin.Suspended, origin.Pending}).Draw(t, "state")
	for _, r := range rapid.SliceOfN(rapid.SampledFrom([]channel.Result{threeSections, simpleRobots, longestMatch, usageRobots}), 0, 3).Draw(t, "documents") {
		e := row(r)
		e.Since = max(since, someDay(t, "since"))
		e.CheckedAt = max(e.Since, someDay(t, "checked"))
		e.ValidUntil = someDay(t, "until")
		next := e
		x.Evidence = append(x.Evidence, e)
		if next.Since = someDay(t, "replaced"); next.Since > e.Since {
			x.Evidence[len(x.Evidence)-1].ReplacedAt = next.Since
			next.Document = string(wire.Append(nil, &rapid.SampledFrom([]*channel.Result{&longestMatch, &usageRobots}).Draw(t, "replacement").Document))
			x.Evidence = append(x.Evidence, next)
		}
	}
	for i := range rapid.IntRange(0, 2).Draw(t, "offers") {
		x.Offers = append(x.Offers, origin.Offer{
			LicenseID: "lic_" + strconv.Itoa(i), SiteID: "pier-news", Status: rapid.SampledFrom(exports.OfferStatuses).Draw(t, "status"), Kind: "custom", ScopeType: "site",
			Paths: []string{"/*"}, Permits: []string{"rag", "training"}, PaymentModel: "use", ValidFrom: max(since, someDay(t, "from")), ValidUntil: someDay(t, "ends"),
		})
	}
	if rapid.Bool().Draw(t, "stated") {
		x.Preferences = []origin.Preference{{Use: "rag", Inquiry: "welcome", Declared: "disallow", Since: max(since, someDay(t, "stated at")), Source: "publisher", ChangedAt: since}}
	}
	if from := someDay(t, "policy"); from != "" {
		x.Policies = []origin.PolicyVersion{{SiteID: "pier-news", Version: 1, EffectiveFrom: from, EffectiveUntil: someDay(t, "policy ends"), Digest: "sha-256:aa", Facts: `{"offers":[],"preferences":[]}`}}
	}
	return x
}

// answersOf returns all that a document says of some pages to some callers.
func answersOf(t *rapid.T, d *rights.RightsDocument, at string) (out []byte) {
	if d == nil {
		return []byte("nothing")
	}
	now, ok := exports.ParseInstant(at)
	if !ok {
		t.Fatal(at)
	}
	out = wire.Append(nil, d)
	for _, q := range []rights.Question{{}, {UserType: "personal"}, {Territory: "NL"}, {Agent: "gptbot"}} {
		for _, path := range []string{"", "/members/3", "/back-issues/1", "/members/4"} {
			r := rights.Resource{ContentFormat: "html"}
			if path != "" {
				r.URL = home + path
			}
			q.At = now.Unix()
			j := d.Evaluate(r, q, nil, false)
			rights := j.ResourceRights(r, exports.UseWords(), true)
			out = append(wire.Append(out, &rights), strconv.FormatInt(j.ValidUntil, 10)...)
		}
	}
	return out
}

// TestKeptDocument checks that a document that is kept, as it is or as bytes,
// says at each instant at which it holds what the facts then say.
func TestKeptDocument(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := someSiteRights(t)
		at := func(day int) *rights.KeptDocument {
			k, err := rights.KeptDocumentAt(x, instantOf(day), false)
			must(t, err)
			return k
		}
		first := rapid.IntRange(1, 28).Draw(t, "kept on")
		kept := at(first)
		stored := wire.Append(nil, kept)
		var read rights.KeptDocument
		must(t, wire.Decode(stored, &read, wire.Trusted))
		if again := wire.Append(nil, &read); !bytes.Equal(again, stored) {
			t.Errorf("%s read back is %s", stored, again)
		}
		if kept.Document != nil {
			kept.Document.KeepJudgements()
		}
		held := 0
		for day := 1; day <= 30; day++ {
			if kept.HoldsAt(instantOf(day)) != read.HoldsAt(instantOf(day)) || kept.HoldsAt(instantOf(day)) && day < first {
				t.Fatalf("%s holds on day %d", stored, day)
			}
			if !kept.HoldsAt(instantOf(day)) {
				continue
			}
			held++
			want := answersOf(t, at(day).Document, instantOf(day))
			for name, k := range map[string]*rights.KeptDocument{"kept": kept, "read back": &read} {
				if got := answersOf(t, k.Document, instantOf(day)); !bytes.Equal(got, want) {
					t.Errorf("%s on day %d says on day %d\n%s\nwant\n%s", name, first, day, got, want)
				}
			}
		}
		if held == 0 {
			t.Errorf("%s holds at no time", stored)
		}
	})
}

// TestKeptJudgementsAreBounded asks more questions than a document keeps
// judgements of.
func TestKeptJudgementsAreBounded(t *testing.T) {
	f := pierNews(threeSections, simpleRobots)
	doc, _, err := rights.RightsDocumentNow(f, "2026-11-21T00:00:00Z")
	must(t, err)
	alone := *doc
	doc.KeepJudgements()
	at, _ := exports.ParseInstant("2026-11-21T00:00:00Z")
	for i := range 200 {
		r := rights.Resource{URL: home + "/members/3"}
		q := rights.Question{At: at.Unix(), Agent: "bot" + strconv.Itoa(i%70)}
		a, b := doc.Evaluate(r, q, nil, false), alone.Evaluate(r, q, nil, false)
		x, y := a.ResourceRights(r, exports.UseWords(), true), b.ResourceRights(r, exports.UseWords(), true)
		if got, want := wire.Append(nil, &x), wire.Append(nil, &y); !bytes.Equal(got, want) {
			t.Fatalf("%s\nwant\n%s", got, want)
		}
		if n := rights.KeptJudgements(doc); n > 32 {
			t.Fatalf("%d judgements are kept", n)
		}
	}
}
