package web

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"colophon/exports"
	"colophon/internal/listing"
	"colophon/internal/prose"
	"colophon/internal/searchindex"
	"colophon/internal/searchindex/query"
	"colophon/internal/staticindex"
	"colophon/templates/content"
	"colophon/worker/edge"
	"colophon/worker/page"
	"colophon/worker/request"
)

// hitsOnPage is how many pages of a search a page for people shows.
const hitsOnPage = 20

// CatalogPage answers the search form of the catalog, which works without
// scripts: the published page around the form and the hits. Without a question it
// answers with the published page.
func (s *Service) CatalogPage(ctx context.Context, c *request.Call) (*edge.Response, error) {
	asked, err := request.ParseQuestion(c.Query, "q", "category", "use", "signals", "sort", "offset")
	if err != nil {
		return nil, err
	}
	ask := staticindex.Ask{Q: strings.TrimSpace(asked.Get("q")), Limit: strconv.Itoa(hitsOnPage), Offset: asked.Get("offset"), Sort: asked.Get("sort")}
	filter := query.PageFilter{Category: asked.Get("category"), Use: asked.Get("use"), Signals: asked.Get("signals")}
	if ask.Q+ask.Sort == "" && filter == (query.PageFilter{}) {
		return s.Pages.Files.Serve(ctx, c.Request, nil)
	}
	if box := readBox(ask.Q); box.key == "url" && (box.value == ask.Q || strings.Contains(ask.Q, "/")) { // "node.js" is a word
		return request.SeeOther(exports.PathCheckPage + "?q=" + exports.EscapeQuery(ask.Q, "*")), nil
	}
	hits, loose, err := s.Catalog.SearchLoosely(ctx, ask, filter)
	if err != nil {
		return nil, err
	}
	results := page.Catalog(catalogHits(hits, loose, asked, s.publisherHits(ctx, ask, filter)))
	if loose != nil {
		ask.Q, ask.Either = strings.Join(loose.Kept, " "), loose.Either
	}
	facets, err := s.Catalog.Facets(ctx, &ask, &filter)
	if err != nil {
		return nil, err
	}
	stats, err := s.Pages.Files.ReadStats(ctx)
	if err != nil {
		return nil, err
	}
	form, err := s.finder(ctx, asked, facets, stats.RegisteredPages)
	if err != nil {
		return nil, err
	}
	return s.Pages.Answer(ctx, c, 200, exports.PathCatalogPage, content.Catalog(form, results))
}

// maxPublishers is how many publishers are shown beside the pages that a search
// finds.
const maxPublishers = 3

// publisherHits returns the publishers that match a search for pages, nil if
// there are none. They are optional: if they cannot be read, they are left out.
func (s *Service) publisherHits(ctx context.Context, ask staticindex.Ask, filter query.PageFilter) *listing.Publishers {
	if ask.Q == "" || ask.Offset != "" || filter.Signals != "" {
		return nil
	}
	found, err := s.Catalog.PartnerCatalog(ctx, staticindex.Ask{Q: ask.Q, Limit: strconv.Itoa(maxPublishers)}, listing.PublisherFilter{Category: some(filter.Category), PreferredUse: some(filter.Use)})
	if err != nil || len(found.Data) == 0 {
		return nil
	}
	return found
}

// catalogHits returns the hits of a search as the page shows them.
func catalogHits(hits *query.Hits, loose *query.Loose, asked request.Values, publishers *listing.Publishers) page.CatalogHits {
	v := page.CatalogHits{Also: alsoPublishers(publishers, asked)}
	if hits.Page.Total == 0 {
		return v
	}
	words := " pages match"
	if hits.Page.Total == 1 {
		words = " page matches"
	}
	v.Matches = strconv.FormatInt(hits.Page.Total, 10) + words
	if loose != nil {
		v.Loose = looseWords(loose)
	} else {
		v.Loose = guessWords(asked.Get("q"), hits)
	}
	v.Start = strconv.FormatInt(hits.Page.Offset+1, 10)
	v.Hits, v.Mark = hits.Data, markParts
	v.Pager = pagerOf(exports.PathCatalogPage, &hits.Page, without(asked, "offset"))
	return v
}

// looseWords says how a question was read of which no page has every word.
func looseWords(l *query.Loose) string {
	words := "“" + strings.Join(l.Kept, "”, “") + "”"
	switch {
	case l.Either && len(l.Kept) > 1:
		return "No page has every word. Each of these has at least one of " + words + "."
	case len(l.Kept) > 1:
		return "No page has every word. These have " + words + "."
	}
	return "No page has every word. These have the word " + words + "."
}

// guessWords says which words of a question no page has, and which similar
// words the hits have instead. It returns "" if every word was found, at least
// as the beginning of one.
func guessWords(question string, hits *query.Hits) string {
	var found, missing []string
	for i := range hits.Data {
		for _, term := range hits.Data[i].Match.Terms {
			if !slices.Contains(found, term) {
				found = append(found, term)
			}
		}
	}
	guessed := slices.Clone(found)
	for _, word := range strings.Fields(question) {
		all := true
		searchindex.Tokens(word, func(token []byte) {
			isIn := func(term string) bool { return strings.HasPrefix(term, string(token)) }
			all = all && slices.ContainsFunc(found, isIn)
			guessed = slices.DeleteFunc(guessed, isIn)
		})
		if !all {
			missing = append(missing, prose.Clean(word, 60))
		}
	}
	if len(missing) == 0 || len(guessed) == 0 {
		return ""
	}
	slices.Sort(guessed)
	return "Showing results for “" + strings.Join(guessed, "”, “") + "” instead of “" + strings.Join(missing, "”, “") + "”."
}

// alsoPublishers returns the publishers shown above the pages that match, nil
// if there are none.
func alsoPublishers(found *listing.Publishers, asked request.Values) *page.AlsoPublishers {
	if found == nil {
		return nil
	}
	v := &page.AlsoPublishers{}
	for i := range found.Data {
		p := &found.Data[i].PublisherSummary
		v.Rows = append(v.Rows, page.AlsoPublisher{
			Path: exports.PublisherPage(p.SiteID), Name: cmp.Or(prose.Clean(p.Name, 120), p.SiteID),
			Pages: prose.Counted(p.RegisteredPages, "page", "pages"), Rights: p.RightsVector,
		})
	}
	if found.Page.Total > int64(len(found.Data)) {
		v.All.Path = exports.PathPublishersPage + "?q=" + exports.EscapeQuery(asked.Get("q"), "*")
		v.All.Text = "All " + prose.Counted(found.Page.Total, "publisher", "publishers") + " that match"
	}
	return v
}

// markParts marks the words of a text that the index found. In scripts with
// spaces it marks whole words; in scripts without spaces it marks the pairs of
// characters that were found.
func markParts(s string, found []string) []content.Part {
	var parts []content.Part
	for len(s) > 0 {
		end := runLength(s, false)
		parts = addPart(parts, s[:end], false)
		s = s[end:]
		end = runLength(s, true)
		parts = markWord(parts, s[:end], found)
		s = s[end:]
	}
	return parts
}

// runLength returns how many bytes at the beginning of s all belong to a word
// or, if word is false, all do not.
func runLength(s string, word bool) int {
	end := 0
	for end < len(s) && inWord(s[end:]) == word {
		_, n := utf8.DecodeRuneInString(s[end:])
		end += n
	}
	return end
}

// addPart adds a text, joined to the part before it if both are marked or both
// are not.
func addPart(parts []content.Part, text string, marked bool) []content.Part {
	if text == "" {
		return parts
	}
	if last := len(parts) - 1; last >= 0 && parts[last].Marked == marked {
		parts[last].Text += text
		return parts
	}
	return append(parts, content.Part{Text: text, Marked: marked})
}

func markWord(parts []content.Part, s string, found []string) []content.Part {
	var hits []bool
	hit := false
	searchindex.Tokens(s, func(w []byte) {
		is := slices.Contains(found, string(w))
		hits = append(hits, is)
		hit = hit || is
	})
	pairs := len(hits) > 1 && len(hits) == utf8.RuneCountInString(s)-1
	if !hit || !pairs {
		return addPart(parts, s, hit)
	}
	i := 0
	for _, r := range s {
		marked := i < len(hits) && hits[i] || i > 0 && hits[i-1]
		parts = addPart(parts, string(r), marked)
		i++
	}
	return parts
}

// inWord reports whether s begins with a character of a word, in the sense of
// the marks of the catalog page.
func inWord(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	switch {
	case r < utf8.RuneSelf:
		return r >= '0' && r <= '9' || r|0x20 >= 'a' && r|0x20 <= 'z'
	case r < 0xc0, r >= 0x2000 && r < 0x2070, r >= 0x3000 && r < 0x3004, r >= 0x3008 && r < 0x3021, r >= 0xff00 && r < 0xff10, r == 0xd7, r == 0xf7:
		return false
	}
	return true
}

// without returns the fields of a question except one.
func without(asked request.Values, name string) request.Values {
	var out request.Values
	for _, v := range asked {
		if v[0] != name {
			out = append(out, v)
		}
	}
	return out
}
