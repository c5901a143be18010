package screen

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"testing"

	"colophon/internal/assert"
	"colophon/internal/iscc"
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
		assert.Equal(t, len(out.Uses[0].reserved) == 1, verdict != "withdrawn", "%s: counted %+v", verdict, out.Uses[0].reserved)
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
	assert.Equal(t, m.none[0].Verdict, "unknown", "rows about which nothing is known have %+v", m.none)
	if m.Site = "two"; m.concerns(one) || !m.concerns(&l.reserved.list[1]) {
		t.Error("with a requested site, others count")
	}
}

// TestReservationsOfEachRow looks rows with other texts and without one up, one
// after the other: a row has the reservations of its own text, by its digest and by
// its code.
func TestReservationsOfEachRow(t *testing.T) {
	first := strings.Repeat("The tide gauges of the harbour are read twice a day. ", 4)
	second := strings.Repeat("Bakers here raise their dough overnight in cold cellars. ", 4)
	third := strings.Repeat("Three lighthouses stand where the river meets the sea. ", 4)
	sum := sha256.Sum256([]byte(strings.TrimSpace(first)))
	thirdCode := iscc.Sum(strings.TrimSpace(third))
	l := &loading{Release: &Release{sites: make([]site, 1), urls: newTable(nil), texts: newTable(nil)}, siteOf: map[string]uint32{"one": 0}}
	l.sites[0].id, l.near = "one", newNearIndex(nil, nil)
	l.reserved.byCode = map[string][]uint32{}
	err := l.addReservations([]release.Reservation{
		{ReservationID: "rsv_digest", Site: "one", Code: hex.EncodeToString(sum[:]), Uses: []string{"training"}},
		{ReservationID: "rsv_code", Site: "one", Code: iscc.Sum(strings.TrimSpace(second)).String(), Uses: []string{"training"}},
		{ReservationID: "rsv_128", Site: "one", Code: thirdCode.Prefix(128), Uses: []string{"training"}},
		{ReservationID: "rsv_other", Site: "one", Code: "ISCC:EABZHFKU6PNI7UVWYEEIQLOYHYLX6", Uses: []string{"training"}},
	})
	must(t, err)
	l.reserved.near = newNearIndex(l.reservedCodes, l.reservedRows)
	m := &Matcher{Release: l.Release, Uses: []string{"training"}}
	for _, row := range []struct{ text, want string }{{first, "rsv_digest"}, {second, "rsv_code"}, {"", ""}, {"\xff", ""}, {first, "rsv_digest"}, {"too short", ""}, {second, "rsv_code"}, {third, "rsv_128"}} {
		var out Result
		must(t, m.Match(t.Context(), &Row{Text: row.text}, &out))
		if got := strings.Join(out.Reservations, " "); got != row.want || len(out.Similar) > 0 {
			t.Errorf("%.20q: reservations %q and %q, want %q", row.text, got, out.Similar, row.want)
		}
		assert.Equal(t, out.Fault != "", row.text == "\xff", "%.20q: %q", row.text, out.Fault)
	}
}
