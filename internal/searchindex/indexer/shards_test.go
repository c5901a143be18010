package indexer

import (
	"crypto/sha256"
	"fmt"
	"testing"

	"colophon/exports"
	"colophon/internal/searchindex"
	"colophon/internal/staticindex"
)

// TestLeavesAreBounded adds words of which none may begin a leaf, as if somebody had
// chosen them: leaves must end nevertheless, because readers refuse large ones.
func TestLeavesAreBounded(t *testing.T) {
	c, err := NewCollection(t.TempDir(), searchindex.Entries, 64, sha256.New())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	const words = 20_000
	for n, chosen := 0, 0; chosen < words; n++ {
		word := fmt.Sprint("w", n)
		if staticindex.Hash(word) < 1<<30 {
			continue
		}
		chosen++
		c.AddText(1, word)
		if err := c.AddRecord(&exports.PublisherRef{SiteID: "a-site", Name: word}); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Flush(); err != nil {
		t.Fatal(err)
	}
	v, err := invertCollection(c)
	if err != nil {
		t.Fatal(err)
	}
	_, spans := v.cutLeaves()
	if len(spans) < 2 || spans[0].from != 0 || spans[len(spans)-1].to != words {
		t.Fatalf("leaves of %v", spans)
	}
	for i, s := range spans {
		if n := s.to - s.from; n > 8*leafBytes/wordBytes {
			t.Errorf("leaf %d has %d words", i, n)
		}
		if i > 0 && s.from != spans[i-1].to {
			t.Errorf("leaf %d begins with word %d, not %d", i, s.from, spans[i-1].to)
		}
	}
}
