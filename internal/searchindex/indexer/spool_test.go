package indexer

import (
	"fmt"
	"strings"
	"testing"

	"colophon/internal/assert"
)

// TestReadBlock reads records that are next to each other, in any order, and
// far apart.
func TestReadBlock(t *testing.T) {
	s, err := newSpool(t.TempDir())
	must(t, err)
	defer s.close()
	want := make([]string, 500)
	for i := range want {
		want[i] = fmt.Sprint(i, strings.Repeat("x", i%7))
		must(t, s.addRecord([]byte(want[i])))
	}
	must(t, s.out.Flush())
	for _, records := range [][]uint32{{}, {0}, {499}, {3, 1, 2}, {10, 11, 12, 13}, {499, 0}, {250, 499, 0, 249}, {7, 7}} {
		block, err := s.readBlock(records)
		must(t, err)
		var got, expected []string
		for _, record := range block {
			got = append(got, string(record))
		}
		for _, i := range records {
			expected = append(expected, want[i])
		}
		assert.EqualSlices(t, got, expected, "%d", records)
		if len(block) > 1 {
			_ = append(block[0], '!')
			assert.Equal(t, string(block[1]), expected[1], "%d: a record grows into the next", records)
		}
	}
}
