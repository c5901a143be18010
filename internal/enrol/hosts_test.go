package enrol

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"colophon/internal/channel/publisherfile"
	"colophon/internal/intake"
	"colophon/internal/origin"
)

// TestJudge checks that one failed look keeps a proof, that a second one lets
// it lapse if it comes fourteen days after the first, and that a proof which is
// seen again counts at once.
func TestJudge(t *testing.T) {
	day := func(n int, seconds int) string {
		return time.Date(2026, time.November, n, 12, 0, seconds, 0, time.UTC).Format(time.RFC3339)
	}
	proof := origin.HostProof{Method: "dns_txt", Address: "_colophon.site.example", Digest: "d"}
	seen := updateProof(origin.HostProof{}, proof, "site-example", "site.example", day(1, 0))
	if seen.SiteID != "site-example" || seen.Host != "site.example" || seen.FirstAt != day(1, 0) || seen.SeenAt != day(1, 0) || seen.LookedAt != day(1, 0) {
		t.Fatalf("a first proof is %+v", seen)
	}
	look := func(before, found origin.HostProof, at string) origin.HostProof {
		return updateProof(before, found, "site-example", "site.example", at)
	}
	none := origin.HostProof{}
	if got := look(none, none, day(1, 0)); got != none {
		t.Errorf("nothing becomes %+v", got)
	}

	missed := look(seen, none, day(2, 0))
	if missed.MissedAt != day(2, 0) || missed.LapsedAt != "" || missed.SeenAt != day(1, 0) || missed.LookedAt != day(2, 0) || methodOf(&missed) != "dns_txt" {
		t.Errorf("missed once: %+v", missed)
	}
	again := look(missed, none, day(15, 59))
	if again.LapsedAt != "" || again.MissedAt != day(2, 0) || methodOf(&again) != "dns_txt" {
		t.Errorf("missed within fourteen days: %+v", again)
	}
	lapsed := look(again, none, day(16, 0))
	if lapsed.LapsedAt != day(16, 0) || methodOf(&lapsed) != "lapsed" || Proven(methodOf(&lapsed)) {
		t.Errorf("missed fourteen days after: %+v", lapsed)
	}
	if later := look(lapsed, none, day(20, 0)); later.LapsedAt != day(16, 0) {
		t.Errorf("a proof lapses twice: %+v", later)
	}

	back := look(missed, proof, day(3, 0))
	if back.MissedAt != "" || back.FirstAt != day(1, 0) || back.SeenAt != day(3, 0) {
		t.Errorf("seen again before it lapsed: %+v", back)
	}
	if next := look(back, none, day(16, 0)); next.LapsedAt != "" {
		t.Errorf("a miss before it was seen again still counts: %+v", next)
	}
	if again := look(lapsed, proof, day(20, 0)); again.LapsedAt != "" || again.FirstAt != day(20, 0) {
		t.Errorf("seen again after it lapsed: %+v", again)
	}
	other := proof
	other.Method = "meta"
	if changed := look(seen, other, day(4, 0)); changed.FirstAt != day(4, 0) {
		t.Errorf("another proof is as old as the first one: %+v", changed)
	}
}

// TestHostsOf checks that the home comes first and each host once, and that
// there are no more hosts than one run reads.
func TestHostsOf(t *testing.T) {
	own := &intake.Own{Reading: &publisherfile.Reading{}}
	own.Reading.Hosts = []string{"b.example", "home.example", "a.example"}
	got := hostsOf("home.example", own, []origin.HostProof{{Host: "a.example"}, {Host: "old.example"}})
	if want := []string{"home.example", "b.example", "a.example", "old.example"}; !slices.Equal(got, want) {
		t.Errorf("hosts %v, want %v", got, want)
	}
	for i := range 1200 {
		own.Reading.Hosts = append(own.Reading.Hosts, fmt.Sprintf("h%d.example", i))
	}
	if got := hostsOf("home.example", own, nil); len(got) != 1000 || got[0] != "home.example" {
		t.Errorf("%d hosts, first %s", len(got), got[0])
	}
}
