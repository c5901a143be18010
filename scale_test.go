package colophon_test

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestScale recomputes the sums of docs/scale.md from its facts. For a row that
// differs, it prints the right one.
func TestScale(t *testing.T) {
	text, err := os.ReadFile("docs/scale.md")
	must(t, err)
	facts := scaleFacts(t, string(text))
	f := func(name string) float64 {
		value, found := facts[name]
		if !found {
			t.Fatalf("docs/scale.md has no fact %q", name)
		}
		delete(facts, name)
		facts["used "+name] = value
		return value
	}
	entries := f("entries")
	share := f("changed_entries") / entries
	listBytes, notes, write := f("list_bytes"), f("note_writes"), f("write_dollars")/1e6
	storage := f("storage_dollars")
	if share != 0.01 {
		t.Errorf("%.4f of the entries changed, not one in a hundred", share)
	}

	objectsOf := map[string]float64{}
	for form, prefix := range map[string]string{"": "", "in packs: ": "pack_"} {
		objects, bytes := f(prefix+"objects"), f(prefix+"bytes")
		changedObjects, changedBytes := f(prefix+"changed_objects"), f(prefix+"changed_bytes")
		objectsOf[form] = objects
		for _, row := range []struct {
			name string
			of   func(times float64) float64 // value for this many times the measured entries
		}{
			{"objects, millions", func(n float64) float64 { return n * objects / 1e6 }},
			{"GB", func(n float64) float64 { return n * bytes / 1e9 }},
			{"storage, dollars a month", func(n float64) float64 { return n * bytes / 1e9 * storage }},
			{"full publication, dollars of writes", func(n float64) float64 { return (n*objects + notes) * write }},
			{"list, MB with each release", func(n float64) float64 { return n * objects * listBytes / 1e6 }},
			{"1 % changed: objects, thousands", func(n float64) float64 { return n * changedObjects / 1e3 }},
			{"1 % changed: GB sent", func(n float64) float64 { return n * changedBytes / 1e9 }},
			{"1 % changed: dollars of writes", func(n float64) float64 { return (n*changedObjects + notes) * write }},
		} {
			want := "| " + form + row.name
			for _, size := range []float64{1e6, 1e7, 1e8} {
				want += " | " + figures(row.of(size/entries))
			}
			wantLine(t, string(text), want+" |")
		}
	}
	objects, packed := objectsOf[""], objectsOf["in packs: "]
	wantLine(t, string(text), fmt.Sprintf("A million reads that no cache answers cost %.2f dollars from the bucket, and %.2f dollars more through a worker.", f("read_dollars"), f("worker_dollars")))
	free, paid := f("assets_free")*entries, f("assets_paid")*entries
	wantLine(t, string(text), fmt.Sprintf("A version of Workers' static assets holds %s entries on the free plan and %s on the paid one, in packs %s and %s.",
		figures(free/objects), figures(paid/objects), figures(free/packed), figures(paid/packed)))
	rows := f("list_limit") / f("row_bytes") * entries
	wantLine(t, string(text), fmt.Sprintf("A list of objects in a bucket is full at %s entries, in packs at %s.", figures(rows/objects), figures(rows/packed)))
	for name := range facts {
		if !strings.HasPrefix(name, "used ") {
			t.Errorf("no sum uses the fact %q", name)
		}
	}
}

// scaleFacts parses rows such as "| `entries` | 10000 | source |".
func scaleFacts(t *testing.T, text string) map[string]float64 {
	t.Helper()
	facts := map[string]float64{}
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z_]+)` \\| ([0-9.]+) \\| .+ \\|$").FindAllStringSubmatch(text, -1) {
		value, err := strconv.ParseFloat(m[2], 64)
		if err != nil || value <= 0 {
			t.Fatalf("the fact %s is %q", m[1], m[2])
		}
		facts[m[1]] = value
	}
	return facts
}

// figures rounds to three figures and groups thousands.
func figures(value float64) string {
	text := strconv.FormatFloat(value, 'g', 3, 64)
	value, _ = strconv.ParseFloat(text, 64) // FormatFloat's output always parses
	text = strconv.FormatFloat(value, 'f', -1, 64)
	whole, rest, _ := strings.Cut(text, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if rest != "" {
		return whole + "." + rest
	}
	return whole
}

// wantLine expects a line that begins with want.
func wantLine(t *testing.T, text, want string) {
	t.Helper()
	if !strings.Contains(text, "\n"+want) {
		t.Errorf("docs/scale.md should have:\n%s", want)
	}
}
