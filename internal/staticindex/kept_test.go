package staticindex

import (
	"context"
	"io/fs"
	"strings"
	"testing"
	"time"

	"colophon/exports"
	"colophon/internal/wire"
)

// filesByKey are published files; what was read is counted.
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

// TestKeptOfBase: with another generation that is laid over the same base, what was read
// of the base stays, and what was read of the generation before is let go.
func TestKeptOfBase(t *testing.T) {
	const base, first, second = "0000000000000000", "1111111111111111", "2222222222222222"
	source := filesByKey{map[string][]byte{}, map[string]int{}}
	publish := func(gen string) {
		x := Index{Current: Generation{Gen: gen, Release: exports.Release{Name: "1", GeneratedAt: "2026-01-01T00:00:00Z", Root: "sha-256:" + strings.Repeat("0", 64)}, PerFile: 1, Base: &Base{Gen: base}}}
		source.files[string(IndexKey)] = wire.Append(nil, &x)
	}
	ofGeneration := func(gen string) exports.Key { return exports.Key(Prefix(gen) + "e/root.idx") }
	for _, gen := range []string{base, first, second} {
		source.files[string(ofGeneration(gen))] = []byte(gen)
	}
	now := time.Unix(0, 0)
	c := New(source, func() time.Time { return now })
	read := func(gen string) {
		t.Helper()
		if _, err := c.FindGeneration(t.Context(), ""); err != nil {
			t.Fatal(err)
		}
		if _, err := c.ReadOnce(t.Context(), ofGeneration(gen), func(b []byte) (any, error) { return string(b), nil }); err != nil {
			t.Fatal(err)
		}
	}
	publish(first)
	read(base)
	read(first)
	publish(second)
	now = now.Add(time.Hour)
	read(base)
	read(second)
	read(first)
	if n := source.reads[string(ofGeneration(base))]; n != 1 {
		t.Errorf("the base was read %d times", n)
	}
	if n := source.reads[string(ofGeneration(first))]; n != 2 {
		t.Errorf("the generation before was read %d times", n)
	}
}
