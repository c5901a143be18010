package query_test

import (
	"database/sql"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	_ "modernc.org/sqlite"

	"colophon/internal/assert"
	"colophon/internal/catalog/catalogtest"
	"colophon/internal/searchindex"
	"colophon/internal/searchindex/query"
)

var must = assert.NoError

// TestSearchFindsWhatSQLiteFinds asks the full-text index of SQLite, which has the
// words of the same pages, random questions, half of them within one site: a
// search must find exactly the same pages. A question without a page of all its
// words, and a word of few pages, find others too, which SQLite does not know.
func TestSearchFindsWhatSQLiteFinds(t *testing.T) {
	t.Parallel()
	w := catalogtest.NewWorld(t, 20, 2000, 7)
	docs := w.Numbered(t)
	db, err := sql.Open("sqlite", ":memory:")
	must(t, err)
	defer db.Close()
	db.SetMaxOpenConns(1)
	exec := func(statement string, args ...any) {
		must(t, assert.Err(db.Exec(statement, args...)))
	}
	exec(`CREATE VIRTUAL TABLE pages USING fts5(entry UNINDEXED, site UNINDEXED, words, tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* Co'")`)
	exec("BEGIN")
	for i := range docs {
		d := &docs[i]
		words := searchindex.Words(d.Title + "\n" + strings.Join(d.Terms, "\n") + "\n" + d.Section + "\n" + d.Publisher)
		exec("INSERT INTO pages VALUES (?, ?, ?)", d.EntryID, d.SiteID, strings.Join(words, " "))
	}
	exec("COMMIT")
	find := func(words []string, site string) (ids []string) {
		rows, err := db.Query("SELECT entry FROM pages WHERE words MATCH ? AND (? = '' OR site = ?)", `"`+strings.Join(words, `" AND "`)+`"`, site, site)
		must(t, err)
		defer rows.Close()
		for rows.Next() {
			var id string
			must(t, rows.Scan(&id))
			ids = append(ids, id)
		}
		must(t, rows.Err())
		slices.Sort(ids)
		return ids
	}
	rng := rand.New(rand.NewPCG(3, 4))
	asked, found := 0, 0
	for k := 0; asked < 300; k++ {
		words := slices.Compact(slices.Sorted(slices.Values(searchindex.Words(question(rng, docs)))))
		site := ""
		if k%2 == 0 {
			site = docs[rng.IntN(len(docs))].SiteID
		}
		if len(words) == 0 || len(words) > 10 {
			continue
		}
		want := find(words, site)
		if len(want) == 0 || len(words) == 1 && len(want) < 10 {
			continue
		}
		asked, found = asked+1, found+len(want)
		var got []string
		for {
			part, _, total := ask1(t, w, strings.Join(words, " "), site, query.PageFilter{}, 100, len(got))
			if total != len(want) {
				t.Fatalf("%q in %q: %d pages, SQLite finds %d", words, site, total, len(want))
			}
			if got = append(got, part...); len(part) == 0 || len(got) >= total {
				break
			}
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Fatalf("%q in %q: %q, SQLite finds %q", words, site, got, want)
		}
	}
	if found < 5*asked {
		t.Errorf("%d questions found %d pages: they are too narrow to show anything", asked, found)
	}
}
