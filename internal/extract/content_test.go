package extract

import (
	"strings"
	"testing"

	"colophon/internal/assert"
)

// TestArticleOfPage reads pages on which an article is the whole page or only
// one of its entries.
func TestArticleOfPage(t *testing.T) {
	sentence := "The tide came in over the flats and went out again before noon. "
	text := func(n int, word string) string { return "<p>" + strings.Repeat(word+" "+sentence, n) + "</p>" }
	article := "<article><h3>sync(Name)</h3>" + text(3, "Articled") + "</article>"
	for _, c := range []struct {
		name, body string
		outside    bool // whether text outside the article is kept
	}{
		{"one function of a manual", "<h1>Module</h1>" + text(8, "Outside") + article, true},
		{"in code", "<h1>Module</h1><pre>" + strings.Repeat("Outside "+sentence, 8) + "</pre>" + article, true},
		{"in definitions", "<h1>Module</h1><dl><dd>" + strings.Repeat("Outside "+sentence, 8) + "</dd></dl>" + article, true},
		{"a short foreword", "<h1>News</h1>" + text(1, "Outside") + article, false},
		{"links to other pages", "<h1>News</h1><p><a href=/o>" + strings.Repeat("Outside "+sentence, 8) + "</a></p>" + article, false},
		{"navigation", "<h1>News</h1><nav>" + text(8, "Outside") + "</nav>" + article, false},
		{"comments", "<h1>News</h1>" + article + `<div class="comments">` + text(8, "Outside") + "</div>", false},
		{"header of the site", "<header>" + text(8, "Outside") + "</header>" + article, false},
		{"stated otherwise", "<h1>News</h1><main>" + article + "</main>" + text(8, "Outside"), false},
	} {
		got := read(t, "<body>"+c.body, nil).Text
		assert.Contains(t, c.name+": the article is lost", got, "Articled")
		assert.Equal(t, strings.Contains(got, "Outside"), c.outside, "%s: what stands outside is kept", c.name)
	}
}
