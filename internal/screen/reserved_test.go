package screen

import (
	"slices"
	"strings"
	"testing"

	"colophon/internal/release"
)

// TestReservationsOnlyTighten checks what a reservation makes of each verdict: it
// declines the uses that it names, leaves the others, and loosens nothing.
func TestReservationsOnlyTighten(t *testing.T) {
	code := strings.Repeat("1a", 32)
	l := &loading{Release: &Release{sites: make([]site, 2)}, siteOf: map[string]uint32{"one": 0, "two": 1}}
	l.sites[0].id, l.sites[1].id = "one", "two"
	l.reserved.byCode = map[string][]uint32{}
	rows := []release.Reservation{
		{ReservationID: "rsv_1", Site: "one", Code: code, Uses: []string{"training"}, Since: "2026-02-01T00:00:00Z"},
		{ReservationID: "rsv_2", Site: "two", Code: code, Uses: []string{"training", "rag"}, Since: "2026-01-01T00:00:00Z"},
		{ReservationID: "rsv_3", Site: "gone", Code: code, Uses: []string{"training"}},
	}
	if err := l.addReservations(rows); err != nil || len(l.reserved.list) != 2 || len(l.reserved.byCode[code]) != 2 {
		t.Fatalf("%v, %+v", err, l.reserved)
	}
	one := &l.reserved.list[0]
	for verdict, want := range map[string]string{
		"withdrawn": "withdrawn x", "declined": "declined x", "license_required": "declined content_reserved", "unknown": "declined content_reserved", "signal_allow": "declined content_reserved",
	} {
		m := &Matcher{Release: l.Release, Uses: []string{"training", "research"}, Content: true}
		before := []Verdict{{Use: "training", Verdict: verdict, Reason: "x", Ask: "https://a.example/"}, {Use: "research", Verdict: verdict, Reason: "x"}}
		out := &Result{Uses: slices.Clone(before), MatchedBy: ByURL, Sites: []string{"own"}, Publishers: []string{"Own"}}
		shared := out.Uses
		m.applyReservation(one, out)
		if got := out.Uses[0].Verdict + " " + out.Uses[0].Reason; got != want || out.Uses[1].Verdict != verdict || out.Uses[1].reserved != nil {
			t.Errorf("%s: %s, %+v", verdict, got, out.Uses[1])
		}
		if shared[0].Verdict != verdict || out.MatchedBy != ByURL || !slices.Equal(out.Sites, []string{"own", "one"}) {
			t.Errorf("%s: %+v, before %+v", verdict, out, shared[0])
		}
		if counted := len(out.Uses[0].reserved) == 1; counted != (verdict != "withdrawn") {
			t.Errorf("%s: counted %+v", verdict, out.Uses[0].reserved)
		}
		if verdict == "unknown" && out.Uses[0].Ask != "" {
			t.Errorf("a use that is reserved is asked for: %+v", out.Uses[0])
		}
	}

	m := &Matcher{Release: l.Release, Uses: []string{"training", "rag"}, Content: true}
	out := &Result{MatchedBy: ByNothing}
	m.unknown(out)
	m.applyReservation(one, out)
	m.applyReservation(&l.reserved.list[1], out)
	if r := out.Uses[0].reserved; out.MatchedBy != ByContent || len(out.Reservations) != 2 || len(r) != 1 || r[0].first != "2026-01-01T00:00:00Z" || r[0].last != "2026-02-01T00:00:00Z" {
		t.Errorf("%+v, %+v", out, r)
	}
	if m.none[0].Verdict != "unknown" {
		t.Errorf("rows about which nothing is known have %+v", m.none)
	}
	if m.Site = "two"; m.concerns(one) || !m.concerns(&l.reserved.list[1]) {
		t.Error("with a requested site, others count")
	}
	if got := usesDeclined("DUULSDWd"); !slices.Equal(got, []string{"rag", "datasets"}) {
		t.Errorf("declined: %q", got)
	}
}
