package intake_test

import (
	"testing"
	"time"

	"colophon/internal/intake"
)

// TestPageComesInAtItsTime checks that a page is imported at its publication
// time.
func TestPageComesInAtItsTime(t *testing.T) {
	w := newWorld(t)
	dir := writeFiles(t, map[string]string{"hugo.toml": "", "content/a.md": "---\ndate: 2026-11-10\nexpiryDate: 2026-11-20\n---\n" + prose("a")})
	at := func(day, hour int) func(*intake.Options) {
		return func(o *intake.Options) {
			o.Now = func() time.Time { return time.Date(2026, time.November, day, hour, 0, 0, 0, time.UTC) }
		}
	}
	reason(t, w.must(dir, withBase, at(9, 23)).Skipped, "not_yet", "a.md", "2026-11-10")
	tally(t, w.must(dir, withBase, at(10, 0)), 1, 0, 0, 0, 0)
	reason(t, w.must(dir, withBase, at(20, 0)).Skipped, "expired", "a.md", "2026-11-20")
}
