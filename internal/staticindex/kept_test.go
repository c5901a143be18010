package staticindex

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"testing"
	"time"

	"colophon/exports"
	"colophon/internal/wire"
)

// filesByKey are published files that count reads.
type filesByKey struct {
	files map[string][]byte
	reads map[string]int
}

func (f filesByKey) Read(_ context.Context, key string) ([]byte, error) {
	f.reads[key]++
	b, ok := f.files[key]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return b, nil
}

// TestKeptOfGeneration checks that what was read of a generation is kept while
// it is current, and dropped with the next one.
func TestKeptOfGeneration(t *testing.T) {
	const first, second = "1111111111111111", "2222222222222222"
	source := filesByKey{map[string][]byte{}, map[string]int{}}
	publish := func(gen string) {
		x := Index{Current: Generation{Gen: gen, Release: exports.Release{Name: "1", GeneratedAt: "2026-01-01T00:00:00Z", Root: "sha-256:" + strings.Repeat("0", 64)}}}
		source.files[string(IndexKey)] = wire.Append(nil, &x)
	}
	root := exports.Key(Prefix(first) + "e/root.idx")
	source.files[string(root)] = []byte("root")
	now := time.Unix(0, 0)
	c := New(source, func() time.Time { return now })
	for i, step := range []struct {
		gen   string
		reads int // of the root of the first generation so far
	}{{first, 1}, {first, 1}, {second, 2}} {
		publish(step.gen)
		now = now.Add(time.Hour)
		if _, err := c.Current(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := c.ReadOnce(t.Context(), root, func(b []byte) (any, error) { return string(b), nil }); err != nil {
			t.Fatal(err)
		}
		if n := source.reads[string(root)]; n != step.reads {
			t.Errorf("step %d: it was read %d times, want %d", i, n, step.reads)
		}
	}
}

// TestBoundsOfGenerations checks that an index is malformed if a number in it
// would make a reader allocate or request what cannot exist.
func TestBoundsOfGenerations(t *testing.T) {
	sane := Generation{Gen: "1111111111111111", Release: exports.Release{Name: "1", GeneratedAt: "2026-01-01T00:00:00Z", Root: "sha-256:" + strings.Repeat("0", 64)}}
	for name, tc := range map[string]struct {
		change func(*Generation)
		want   bool
	}{
		"as it is":                 {func(*Generation) {}, true},
		"most bits":                {func(g *Generation) { g.SiteBits, g.PBits, g.FBits = 24, 24, 24 }, true},
		"too many bits of sites":   {func(g *Generation) { g.SiteBits = 25 }, false},
		"too many bits of URLs":    {func(g *Generation) { g.PBits = 25 }, false},
		"too many bits of digests": {func(g *Generation) { g.FBits = 25 }, false},
		"most pages":               {func(g *Generation) { g.Pages = MaxRecords }, true},
		"too many pages":           {func(g *Generation) { g.Pages = MaxRecords + 1 }, false},
		"another name":             {func(g *Generation) { g.Gen = "../1111111111111" }, false},
	} {
		g := sane
		tc.change(&g)
		source := filesByKey{map[string][]byte{string(IndexKey): wire.Append(nil, &Index{Current: g})}, map[string]int{}}
		_, err := New(source, time.Now).Current(t.Context())
		if (err == nil) != tc.want || err != nil && !errors.Is(err, ErrMalformed) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestAskAgain publishes another generation between two queries and removes the
// former one's files: the second query must be answered from the new files. A
// file that is missing in the current generation must be requested only once.
func TestAskAgain(t *testing.T) {
	const first, second = "1111111111111111", "2222222222222222"
	source := filesByKey{map[string][]byte{}, map[string]int{}}
	publish := func(gen, text string) {
		clear(source.files)
		x := Index{Current: Generation{Gen: gen, Release: exports.Release{Name: "1", GeneratedAt: "2026-01-01T00:00:00Z", Root: "sha-256:" + strings.Repeat("0", 64)}}}
		source.files[string(IndexKey)] = wire.Append(nil, &x)
		source.files[Prefix(gen)+"e/root.idx"] = []byte(text)
	}
	c := New(source, func() time.Time { return time.Unix(0, 0) }) // no reader notices by the clock
	asked := 0
	ask := func() (string, error) {
		return AskAgain(t.Context(), c, func() (string, error) {
			asked++
			g, err := c.Current(t.Context())
			if err != nil {
				return "", err
			}
			b, err := c.Read(t.Context(), Prefix(g.Gen)+"e/root.idx")
			return string(b), err
		})
	}
	for _, step := range []struct {
		gen, text string
		asked     int
	}{{first, "one", 1}, {second, "two", 3}, {second, "two", 4}} {
		publish(step.gen, step.text)
		if got, err := ask(); err != nil || got != step.text || asked != step.asked {
			t.Errorf("%s: %q, %v, asked %d times so far, want %q, asked %d times", step.gen, got, err, asked, step.text, step.asked)
		}
	}
	delete(source.files, Prefix(second)+"e/root.idx")
	if _, err := ask(); !errors.Is(err, fs.ErrNotExist) || asked != 5 {
		t.Errorf("a missing file: %v, asked %d times so far", err, asked)
	}
}
