package extsort

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"colophon/internal/blob"
)

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
		if err := s.Add(key, []byte(data)); err != nil {
			t.Fatal(err)
		}
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
		if err != nil {
			t.Fatal(err)
		}
		if len(keys) != len(want) || !slices.IsSorted(keys) {
			t.Fatalf("%d values, want %d by key", len(keys), len(want))
		}
	}
	if err := s.Add("7", nil); err != nil {
		t.Fatal(err)
	}
	if err := s.Each(func(blob.Value) error { return nil }); !errors.Is(err, ErrTwice) {
		t.Errorf("two values of one key: %v", err)
	}
}
