package query

import (
	"context"
	"strings"

	"colophon/internal/searchindex"
	"colophon/internal/staticindex"
)

// Loose says how a question was read if no page has every word of it.
type Loose struct {
	Kept   []string // words as they were typed, without those that carry no subject
	Either bool     // a hit has at least one of them, not all
}

// SearchLoosely is SearchPages. If no page has every word of the question, it
// drops stop words, and then accepts pages with at least one of the remaining
// words. Loose is nil if the question was used as typed, or nothing was found.
func (c *Searcher) SearchLoosely(ctx context.Context, a staticindex.Ask, f PageFilter) (*Hits, *Loose, error) {
	strict, err := c.SearchPages(ctx, a, f)
	typed := strings.Fields(a.Q)
	if err != nil || strict.Page.Total > 0 || len(typed) < 2 {
		return strict, nil, err
	}
	kept := meaningfulWords(typed)
	if len(kept) == 0 {
		return strict, nil, nil
	}
	a.Q = strings.Join(kept, " ")
	if len(kept) < len(typed) {
		hits, err := c.SearchPages(ctx, a, f)
		if err != nil || hits.Page.Total > 0 {
			return hits, &Loose{Kept: kept}, err
		}
	}
	a.Either = true
	hits, err := c.SearchPages(ctx, a, f)
	if err != nil || hits.Page.Total > 0 {
		return hits, &Loose{Kept: kept, Either: true}, err
	}
	return strict, nil, nil
}

// meaningfulWords returns the words that are not stop words as a whole.
func meaningfulWords(typed []string) []string {
	var out []string
	for _, w := range typed {
		means := false
		searchindex.Tokens(w, func(token []byte) { means = means || !searchindex.IsStopWord(string(token)) })
		if means {
			out = append(out, w)
		}
	}
	return out
}
