package extsort

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"colophon/internal/assert"
	"colophon/internal/blob"
)

var must = assert.NoError

// TestSorterMergesRuns checks that values come back by key, also those that went
// to disk.
func TestSorterMergesRuns(t *testing.T) {
	t.Parallel()
	s := New(t.TempDir(), 2000)
	defer s.Close()
	want := map[string]string{}
	for i := range 500 {
		key, data := fmt.Sprint(i*7919%500), strings.Repeat("x", i%40)
		want[key] = data
		must(t, s.Add(key, []byte(data)))
	}
	if len(s.runs) < 3 {
		t.Fatalf("%d runs went to disk", len(s.runs))
	}
	for range 2 { // the values can be read again
		var keys []string
		err := s.Each(func(v blob.Value) error {
			keys = append(keys, v.Key)
			if want[v.Key] != string(v.Data) {
				t.Fatal("a value changed")
			}
			return nil
		})
		must(t, err)
		if len(keys) != len(want) || !slices.IsSorted(keys) {
			t.Fatalf("%d values, want %d by key", len(keys), len(want))
		}
	}
	must(t, s.Add("7", nil))
	assert.ErrorIs(t, s.Each(func(blob.Value) error { return nil }), ErrTwice, "two values of one key")
}

// TestSorterKeepsParts checks that the values of a part, from memory and from
// disk, come by key, and that parts without values are not left out.
func TestSorterKeepsParts(t *testing.T) {
	t.Parallel()
	s := New(t.TempDir(), 20_000)
	defer s.Close()
	const parts = 8 // only the even ones have values
	for i := range 1000 {
		key := fmt.Sprintf("%d%03d", i%4*2, i*7919%1000)
		must(t, s.Add(key, []byte("value of "+key)))
	}
	if len(s.runs) < 3 || len(s.held) == 0 {
		t.Fatalf("%d runs and %d values in memory", len(s.runs), len(s.held))
	}
	next := 0
	err := s.EachPart(parts, func(key string) int { return int(key[0] - '0') }, func(part int, values []blob.Value) error {
		if want := (1 - part%2) * 250; part != next || len(values) != want {
			t.Errorf("part %d has %d values, want part %d with %d", part, len(values), next, want)
		}
		next++
		for i, v := range values {
			if string(v.Data) != "value of "+v.Key || v.Key[0] != byte('0'+part) || i > 0 && values[i-1].Key >= v.Key {
				t.Fatalf("part %d: value %d is %q: %q", part, i, v.Key, v.Data)
			}
		}
		return nil
	})
	if err != nil || next != parts {
		t.Errorf("%d parts, want %d: %v", next, parts, err)
	}
}

// TestSorterFindsCutRuns checks that a run that ends within a value is an error.
func TestSorterFindsCutRuns(t *testing.T) {
	t.Parallel()
	for cut := 1; cut < len("\x03key\x04data"); cut++ {
		s := New(t.TempDir(), 1)
		defer s.Close()
		must(t, s.Add("key", []byte("data")))
		must(t, s.runs[0].Truncate(int64(cut)))
		assert.ErrorIs(t, s.Each(func(blob.Value) error { return nil }), io.ErrUnexpectedEOF, "a run of %d bytes", cut)
	}
}
