package indexer

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"colophon/exports"
	"colophon/internal/assert"
	"colophon/internal/searchindex"
	"colophon/internal/staticindex"
)

var must = assert.NoError

// TestLeavesAreBounded adds words of which none may begin a leaf, as if somebody had
// chosen them: leaves must end nevertheless, because readers refuse large ones.
func TestLeavesAreBounded(t *testing.T) {
	c, err := NewCollection(t.TempDir(), searchindex.Entries, 64)
	must(t, err)
	defer c.Close()
	const words = 20_000
	for n, chosen := 0, 0; chosen < words; n++ {
		word := fmt.Sprint("w", n)
		if staticindex.Hash(word) < 1<<30 {
			continue
		}
		chosen++
		c.AddText(1, word)
		must(t, c.AddRecord(&exports.PublisherRef{SiteID: "a-site", Name: word}))
	}
	must(t, c.Flush())
	v, err := invertCollection(c)
	must(t, err)
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

// TestImpactsStay checks that long records change no impact of others, and that of
// records with a word the shorter one has the higher impact.
func TestImpactsStay(t *testing.T) {
	impactsOf := func(further int) []uint8 {
		c, err := NewCollection(t.TempDir(), searchindex.Entries, 64)
		must(t, err)
		defer c.Close()
		texts := []string{"tide", "tide " + strings.Repeat("other ", 15), "tide and wind " + strings.Repeat("other ", 40)}
		for i := range further {
			texts = append(texts, strings.Repeat(fmt.Sprint("long", i, " "), 2000))
		}
		for i, text := range texts {
			c.AddText(4, text)
			must(t, c.AddRecord(&exports.PublisherRef{SiteID: "a-site", Name: fmt.Sprint(i)}))
		}
		must(t, c.Flush())
		v, err := invertCollection(c)
		must(t, err)
		for i := range v.order {
			if v.wordAt(i) == "tide" {
				return v.postingsOf(i).Impacts
			}
		}
		t.Fatal("there is no word")
		return nil
	}
	alone, among := impactsOf(0), impactsOf(9)
	if len(alone) != 3 || !slices.Equal(alone, among) {
		t.Errorf("impacts are %v, among long records %v", alone, among)
	}
	if alone[0] <= alone[1] || alone[1] <= alone[2] {
		t.Errorf("impacts do not follow from lengths: %v", alone)
	}
}
