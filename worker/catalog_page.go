package worker

import (
	"bytes"
	"cmp"
	"context"
	"strconv"
	"strings"
	"unicode/utf8"

	"colophon/exports"
	"colophon/internal/listing"
	"colophon/internal/searchindex"
	"colophon/internal/searchindex/query"
	"colophon/internal/staticindex"
	"colophon/worker/edge"
	"colophon/worker/page"
)

// hitsOnPage is how many pages of a search a page for people shows.
const hitsOnPage = 20

// catalogPage answers the search form of the catalog, which works without
// scripts: the published shell around the hits. Without a question it is the
// published page.
func catalogPage(ctx context.Context, c *call) (*edge.Response, error) {
	asked, err := pageQuestion(c.Query, "q", "category", "use", "signals", "sort", "offset")
	if err != nil {
		return nil, err
	}
	ask := staticindex.Ask{Q: strings.TrimSpace(asked.get("q")), Limit: strconv.Itoa(hitsOnPage), Offset: asked.get("offset"), Sort: asked.get("sort")}
	filter := query.PageFilter{Category: asked.get("category"), Use: asked.get("use"), Signals: asked.get("signals")}
	if ask.Q+ask.Sort == "" && filter == (query.PageFilter{}) {
		return c.deps.serveFile(ctx, c.Request, nil)
	}
	hits, loose, err := c.deps.catalog.SearchLoosely(ctx, ask, filter)
	if err != nil {
		return nil, err
	}
	shell, err := c.deps.Assets.Read(ctx, string(exports.KeyOf(exports.PathCatalogShell)))
	if err != nil {
		return nil, newFailure("index_unavailable", "The search page is not published.")
	}
	main := hitsMarkup(hits, loose, asked, c.publisherHits(ctx, ask, filter))
	body := bytes.Replace(shell, []byte(exports.SlotMain), main.b, 1)
	body = bytes.Replace(body, []byte(exports.SlotQuery), exports.AppendHTML(nil, ask.Q), 1)
	if loose != nil {
		ask.Q, ask.Either = strings.Join(loose.Kept, " "), loose.Either
	}
	facets, err := c.deps.catalog.Facets(ctx, &ask, &filter)
	if err != nil {
		return nil, err
	}
	body = filledForm(countOptions(body, facets), without(without(asked, "q"), "offset"), nil)
	resp := &edge.Response{Status: 200, Body: body}
	resp.Header.Set("content-type", exports.MediaHTML)
	resp.Header.Set("x-robots-tag", "noindex")
	resp.Header.Set("cache-control", cacheComputed)
	return addValidators(c.Request, resp, entityTag(body)), nil
}

// selectOption marks the option of a select that has this value.
func selectOption(body []byte, value string) []byte {
	if value == "" {
		return body
	}
	option := string(exports.AppendHTML([]byte(`<option value="`), value)) + `"`
	return bytes.Replace(body, []byte(option+">"), []byte(option+" selected>"), 1)
}

// publishersShown is how many publishers a search for pages shows beside them.
const publishersShown = 3

// publisherHits are the publishers that match a question for pages, nil for
// none. They are an addition: where they cannot be read, they are left out.
func (c *call) publisherHits(ctx context.Context, ask staticindex.Ask, filter query.PageFilter) *listing.Publishers {
	if ask.Q == "" || ask.Offset != "" || filter.Signals != "" {
		return nil
	}
	found, err := c.deps.catalog.PartnerCatalog(ctx, staticindex.Ask{Q: ask.Q, Limit: strconv.Itoa(publishersShown)}, listing.PublisherFilter{Category: some(filter.Category), PreferredUse: some(filter.Use)})
	if err != nil || len(found.Data) == 0 {
		return nil
	}
	return found
}

func hitsMarkup(hits *query.Hits, loose *query.Loose, asked values, publishers *listing.Publishers) *markup {
	m := &markup{}
	if hits.Page.Total == 0 {
		m.addElement("h2", "No registered page matches")
		publisherLines(m, publishers, asked)
		return m.addTag(`<p>Try fewer or other words, or look through the <a href="/categories/">categories</a>. That nothing matches says nothing about rights.</p>`)
	}
	words := " pages match"
	if hits.Page.Total == 1 {
		words = " page matches"
	}
	m.addElement("h2", strconv.FormatInt(hits.Page.Total, 10)+words)
	if loose != nil {
		m.addElement("p", looseWords(loose))
	}
	publisherLines(m, publishers, asked)
	m.addTag(`<ol class="entries" start="` + strconv.FormatInt(hits.Page.Offset+1, 10) + `">`)
	for i := range hits.Data {
		hitItem(m, &hits.Data[i])
	}
	m.addTag("</ol>")
	pageLinks(m, exports.PathCatalogPage, &hits.Page, without(asked, "offset"))
	return m
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

// publisherLines are publishers above the pages that match, a line each.
func publisherLines(m *markup, found *listing.Publishers, asked values) {
	if found == nil {
		return
	}
	m.addTag(`<ul class="also" aria-label="Publishers that match">`)
	for i := range found.Data {
		p := &found.Data[i].PublisherSummary
		m.addTag(`<li>Publisher <a href="`).addText(exports.PublisherPage(p.SiteID)).addTag(`"><bdi>`).addText(cmp.Or(exports.Clean(p.Name, 120), p.SiteID)).addTag(`</bdi></a> <span class="dim">`)
		m.addText(exports.Counted(p.RegisteredPages, "page", "pages")).addTag("</span>").rightsLine(p.RightsVector).addTag("</li>")
	}
	if found.Page.Total > int64(len(found.Data)) {
		m.addTag(`<li><a href="` + exports.PathPublishersPage + "?q=" + string(staticindex.AppendEscaped(nil, asked.get("q")))).addTag(`">All `).addText(exports.Counted(found.Page.Total, "publisher", "publishers")).addTag(" that match</a></li>")
	}
	m.addTag("</ul>")
}

// hitItem is a page as every list for people shows it (see templates.entryItem).
func hitItem(m *markup, h *exports.SearchHit) {
	m.addTag(`<li><h3><a href="`).addText(exports.CitationPage(h.EntryID)).addTag(`"><bdi`)
	if lang := exports.LanguageOf(h.Language); lang != "" {
		m.addTag(` lang="`).addText(lang).addTag(`"`)
	}
	m.addTag(">").addMarkedText(cmp.Or(exports.Clean(h.Title, 300), "Untitled page"), h.Match.Terms).addTag(`</bdi></a></h3><p class="meta"><a href="`)
	m.addText(exports.PublisherPage(h.SiteID)).addTag(`"><bdi>`).addText(cmp.Or(exports.Clean(h.Publisher.Name, 120), h.SiteID)).addTag("</bdi></a> <span>")
	if exports.Linkable(h.URL) {
		m.addTag(`<a href="`).addText(h.URL).addTag(`" rel="nofollow noopener"><bdi>`).addText(exports.ShortURL(h.URL)).addTag("</bdi></a>")
	}
	m.addTag("</span>")
	if exports.IsDay(h.PublishedAt) {
		m.addTag(` <time datetime="`).addText(h.PublishedAt).addTag(`">`).addText(exports.Day(h.PublishedAt)).addTag("</time>")
	}
	if len(h.Terms) > 0 {
		m.addTag(` <span class="terms">`)
		for _, t := range h.Terms[:min(6, len(h.Terms))] {
			m.addTag("<bdi>").addMarkedText(exports.Clean(t, 40), h.Match.Terms).addTag("</bdi>")
		}
		m.addTag("</span>")
	}
	m.addTag("</p>").rightsLine(h.RightsVector).addTag("</li>")
}

// rightsLine is a rights vector in words.
func (m *markup) rightsLine(vector string) *markup {
	return m.addComponent(page.RightsLine(rightsGroups(vector)))
}

// addMarkedText is a text in which the words that the index found are marked. What
// stands between white space or punctuation is marked as a whole, and in
// scripts without spaces the pairs of characters that were found.
func (m *markup) addMarkedText(s string, found []string) *markup {
	for len(s) > 0 {
		i := 0
		for i < len(s) && !inWord(s[i:]) {
			_, n := utf8.DecodeRuneInString(s[i:])
			i += n
		}
		m.addText(s[:i])
		s = s[i:]
		for i = 0; i < len(s) && inWord(s[i:]); {
			_, n := utf8.DecodeRuneInString(s[i:])
			i += n
		}
		m.addMarkedWord(s[:i], found)
		s = s[i:]
	}
	return m
}

func (m *markup) addMarkedWord(s string, found []string) {
	var hits []bool
	hit := false
	searchindex.Tokens(s, func(w []byte) {
		is := exports.OneOf(string(w), found)
		hits, hit = append(hits, is), hit || is
	})
	switch {
	case !hit:
		m.addText(s)
	case len(hits) > 1 && len(hits) == utf8.RuneCountInString(s)-1:
		i, open := 0, false
		for _, r := range s {
			is := i < len(hits) && hits[i] || i > 0 && hits[i-1]
			if is != open {
				m.addTag(markTag(open))
			}
			m.addText(string(r))
			open = is
			i++
		}
		if open {
			m.addTag(markTag(open))
		}
	default:
		m.addTag(markTag(false)).addText(s).addTag(markTag(true))
	}
}

// markTag is the tag that opens a mark, or closes one that is open.
func markTag(open bool) string { return choose(open, "</mark>", "<mark>") }

// inWord reports whether s begins with a character of a word, as the marks of
// the catalog page count.
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

// without are the fields of a question but for one.
func without(asked values, name string) values {
	var out values
	for _, v := range asked {
		if v.name != name {
			out = append(out, v)
		}
	}
	return out
}
