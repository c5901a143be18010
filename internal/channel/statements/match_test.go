package statements

import (
	"slices"
	"strconv"
	"testing"
)

// TestMatchesComeInOneOrder checks that what is found about a resource does not
// depend on how it was looked for, nor on the order of the documents, also if
// two documents differ in nothing but the dates when they were checked.
func TestMatchesComeInOneOrder(t *testing.T) {
	var docs []Document
	for n := range 8 {
		d := Document{Channel: Robots, URL: "https://pier-news.example/robots.txt", Digest: "d0", CheckedAt: int64(1000 + n%4), ValidUntil: int64(2000 + n/4)}
		for i := range 4 {
			d.Statements = append(d.Statements, Statement{Channel: Robots, Effect: Disallow, Word: "crawl", Pattern: "/a", Locator: "line " + strconv.Itoa(i/2)})
		}
		docs = append(docs, d)
	}
	order := func(m matches) (out []string) {
		for _, f := range m.list {
			out = append(out, strconv.FormatInt(f.from.CheckedAt, 10)+" "+strconv.FormatInt(f.from.ValidUntil, 10)+" "+strconv.Itoa(f.number))
		}
		return out
	}
	const page = "https://pier-news.example/a/b"
	want := order(findMatches(docs, page))
	if len(want) != 32 {
		t.Fatalf("%d statements are found", len(want))
	}
	if got := order(NewIndex(docs).findMatches(page)); !slices.Equal(got, want) {
		t.Errorf("indexed\n%s\nwant\n%s", got, want)
	}
	slices.Reverse(docs)
	if got := order(findMatches(docs, page)); !slices.Equal(got, want) {
		t.Errorf("reversed\n%s\nwant\n%s", got, want)
	}
}
