package catalogtest

import (
	"slices"
	"strings"
	"testing"

	"colophon/exports"
	"colophon/internal/catalog"
	"colophon/internal/iscc"
	"colophon/internal/lookup"
	"colophon/internal/searchindex"
	"colophon/internal/searchindex/query"
	"colophon/internal/staticindex"
	"colophon/internal/wire"
)

// Questions are what two catalogs are asked.
type Questions struct {
	Lookups []lookup.Lookup
	Codes   []iscc.Code // for the search by similarity
	Sites   []string
	Words   []string
	Filters []query.PageFilter // of searches, each beside none
}

// CompareAnswers asks two catalogs of one registry the same, one of which may be laid
// over a base. Only the order of hits may differ, and what is guessed from words that
// stand beside each other in a file. It returns how many searches were compared.
func CompareAnswers(t testing.TB, got, want *catalog.Catalog, q Questions) int {
	t.Helper()
	c := comparison{t, got, want}
	for _, l := range q.Lookups {
		c.sameRecord(l, func(c *catalog.Catalog) (wire.Record, error) { return c.Resolve(t.Context(), l) })
	}
	for _, code := range q.Codes {
		c.sameRecord(code.String(), func(c *catalog.Catalog) (wire.Record, error) { return c.Similar(t.Context(), code, 800) })
	}
	c.sameWalk("feed", func(c *catalog.Catalog, a staticindex.Ask) ([]string, string, error) {
		l, err := c.Feed(t.Context(), a, false)
		return spellList(l, err)
	})
	c.sameWalk("ledger", func(c *catalog.Catalog, a staticindex.Ask) ([]string, string, error) {
		l, err := c.LedgerSearch(t.Context(), a)
		return spellList(l, err)
	})
	for _, site := range q.Sites {
		c.sameWalk("inventory of "+site, func(c *catalog.Catalog, a staticindex.Ask) ([]string, string, error) {
			l, err := c.Inventory(t.Context(), site, a)
			return spellList(l, err)
		})
		c.sameRecord("facts of "+site, func(c *catalog.Catalog) (wire.Record, error) {
			l, err := c.Inventory(t.Context(), site, staticindex.Ask{Limit: "0"})
			if l != nil {
				l.Catalog, l.Links, l.Page.NextCursor = exports.Release{}, exports.PageLinks{}, ""
			}
			return l, err
		})
	}
	compared := 0
	for _, words := range q.Words {
		for _, f := range append(slices.Clone(q.Filters), query.PageFilter{}) {
			compared += c.sameHits(words, f)
		}
		c.sameLedgerHits(words)
	}
	return compared
}

// comparison is one under way.
type comparison struct {
	t         testing.TB
	got, want *catalog.Catalog
}

// sameRecord wants the same answer, or the same error.
func (c *comparison) sameRecord(question any, ask func(*catalog.Catalog) (wire.Record, error)) {
	c.t.Helper()
	one, err := ask(c.got)
	two, wantErr := ask(c.want)
	if CodeOf(err) != CodeOf(wantErr) || (err == nil) != (wantErr == nil) {
		c.t.Fatalf("%v: %v, want %v", question, err, wantErr)
	}
	if err != nil {
		return
	}
	if x, y := string(wire.Append(nil, one)), string(wire.Append(nil, two)); x != y {
		c.t.Fatalf("%v:\n%s\nwant\n%s", question, x, y)
	}
}

// listed asks for a part of a list and gives its records, as JSON, and the next cursor.
type listed func(*catalog.Catalog, staticindex.Ask) ([]string, string, error)

// sameWalk wants the same records in the same order, by offset and by cursor.
func (c *comparison) sameWalk(name string, page listed) {
	c.t.Helper()
	if one, two := c.walk(c.got, page), c.walk(c.want, page); !slices.Equal(one, two) {
		c.t.Fatalf("%s:\n%s\nwant\n%s", name, strings.Join(one, "\n"), strings.Join(two, "\n"))
	}
	first := staticindex.Ask{Limit: "70", Offset: "3"}
	one, _, err := page(c.got, first)
	two, _, wantErr := page(c.want, first)
	if CodeOf(err) != CodeOf(wantErr) || !slices.Equal(one, two) {
		c.t.Fatalf("%s from 3 on (%v, %v):\n%s\nwant\n%s", name, err, wantErr, strings.Join(one, "\n"), strings.Join(two, "\n"))
	}
}

// walk walks a list by cursor to its end, or to an error.
func (c *comparison) walk(in *catalog.Catalog, page listed) (out []string) {
	c.t.Helper()
	for cursor := "*"; cursor != ""; {
		list, next, err := page(in, staticindex.Ask{Limit: "100", Cursor: cursor})
		if err != nil { // as of a publisher that is suspended
			return append(out, "error "+CodeOf(err))
		}
		out = append(out, list...)
		cursor = next
	}
	return out
}

// spellList spells the records of a list.
func spellList[T any, P interface {
	*T
	wire.Record
}](l *exports.List[T, P], err error) ([]string, string, error) {
	if err != nil {
		return nil, "", err
	}
	out := make([]string, len(l.Data))
	for i := range l.Data {
		out[i] = string(wire.Append(nil, P(&l.Data[i])))
	}
	return out, l.Page.NextCursor, nil
}

// sameHits wants the same pages to be found, and tells whether they were compared: it
// is 0 where no page has the words, so that they were guessed.
func (c *comparison) sameHits(words string, f query.PageFilter) int {
	c.t.Helper()
	guessed := true
	find := func(in *catalog.Catalog, a staticindex.Ask) ([]string, string, error) {
		a.Q = words
		l, err := in.SearchPages(c.t.Context(), a, f)
		if err != nil {
			return nil, "", err
		}
		var out []string
		for i := range l.Data {
			h := &l.Data[i]
			guessed = guessed && !hasWords(h, words)
			h.Match = exports.Match{}
			out = append(out, string(wire.Append(nil, h)))
		}
		return out, l.Page.NextCursor, nil
	}
	one, two := c.walk(c.got, find), c.walk(c.want, find)
	if guessed {
		return 0
	}
	slices.Sort(one)
	slices.Sort(two)
	if !slices.Equal(one, two) {
		c.t.Fatalf("%q %+v finds\n%s\nwant\n%s", words, f, strings.Join(one, "\n"), strings.Join(two, "\n"))
	}
	return 1
}

func hasWords(h *exports.SearchHit, words string) bool {
	has := searchindex.Words(strings.Join(append(slices.Clone(h.Terms), h.Title, h.Section, h.Publisher.Name), "\n"))
	return !slices.ContainsFunc(query.QuestionWords(words), func(w string) bool { return !slices.Contains(has, w) })
}

// sameLedgerHits wants the same ledger entries to be found, in any order.
func (c *comparison) sameLedgerHits(words string) {
	c.t.Helper()
	find := func(in *catalog.Catalog, a staticindex.Ask) ([]string, string, error) {
		a.Q = words
		l, err := in.LedgerSearch(c.t.Context(), a)
		return spellList(l, err)
	}
	one, two := c.walk(c.got, find), c.walk(c.want, find)
	slices.Sort(one)
	slices.Sort(two)
	if !slices.Equal(one, two) {
		c.t.Fatalf("%q finds %d ledger entries, want %d", words, len(one), len(two))
	}
}
