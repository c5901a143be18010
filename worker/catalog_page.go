package worker

import (
	"bytes"
	"cmp"
	"context"
	"strconv"
	"strings"
	"unicode/utf8"

	"colophon/exports"
	"colophon/worker/edge"
	"colophon/worker/query"
)

// hitsOnPage is how many pages of a search a page for people shows.
const hitsOnPage = 20

// catalogPage answers the search form of the catalog, which works without
// scripts: the published shell around the hits. Without a question it is the
// published page.
func catalogPage(ctx context.Context, c *call) (*edge.Response, error) {
	asked, err := catalogAsked(c.Query)
	if err != nil {
		return nil, err
	}
	ask := query.Ask{Q: strings.TrimSpace(asked.get("q")), Limit: strconv.Itoa(hitsOnPage), Offset: asked.get("offset")}
	filter := query.PageFilter{Category: asked.get("category"), Use: asked.get("use"), Signals: asked.get("signals")}
	if ask.Q == "" && filter == (query.PageFilter{}) {
		return c.deps.file(ctx, c.Request, nil)
	}
	hits, err := c.deps.catalog.SearchPages(ctx, ask, filter)
	if err != nil {
		return nil, err
	}
	shell, err := c.deps.Assets.Read(ctx, string(exports.KeyOf(exports.PathCatalogShell)))
	if err != nil {
		return nil, fail("index_unavailable", "The search page is not published.")
	}
	main := hitsMarkup(hits, asked)
	body := bytes.Replace(shell, []byte(exports.SlotMain), main.b, 1)
	body = bytes.Replace(body, []byte(exports.SlotQuery), appendEscaped(nil, ask.Q), 1)
	for _, v := range []string{filter.Category, filter.Use, filter.Signals} {
		body = chosen(body, v)
	}
	resp := &edge.Response{Status: 200, Body: body}
	resp.Header.Set("content-type", exports.MediaHTML)
	resp.Header.Set("x-robots-tag", "noindex")
	resp.Header.Set("cache-control", cacheComputed)
	return validated(c.Request, resp, entityTag(body)), nil
}

// catalogAsked reads the fields of the form; a page takes no offence at
// others, which links may carry.
func catalogAsked(question string) (values, error) {
	var out values
	for rest := question; rest != "" && len(question) <= maxQuery; {
		var pair string
		pair, rest, _ = strings.Cut(rest, "&")
		rawName, rawText, _ := strings.Cut(pair, "=")
		name, ok := decode(rawName)
		text, ok2 := decode(rawText)
		if !ok || !ok2 {
			return nil, fail("invalid_parameter", "The query has a broken percent-encoding or is not UTF-8.")
		}
		switch name {
		case "q", "category", "use", "signals", "offset":
			if !out.has(name) {
				out = append(out, value{name, text})
			}
		}
	}
	return out, nil
}

// chosen marks the option of a select that has this value.
func chosen(body []byte, value string) []byte {
	if value == "" {
		return body
	}
	option := string(appendEscaped([]byte(`<option value="`), value)) + `"`
	return bytes.Replace(body, []byte(option+">"), []byte(option+" selected>"), 1)
}

func hitsMarkup(hits *query.Hits, asked values) *markup {
	m := &markup{}
	if hits.Page.Total == 0 {
		m.element("h2", "No registered page matches")
		return m.tag(`<p>Try fewer or other words, or look through the <a href="/categories/">categories</a>. That nothing matches says nothing about rights.</p>`)
	}
	words := " pages match"
	if hits.Page.Total == 1 {
		words = " page matches"
	}
	m.element("h2", strconv.FormatInt(hits.Page.Total, 10)+words)
	m.tag(`<ol class="entries" start="` + strconv.FormatInt(hits.Page.Offset+1, 10) + `">`)
	for i := range hits.Data {
		hitItem(m, &hits.Data[i])
	}
	m.tag("</ol>")
	hitsPager(m, &hits.Page, asked)
	return m
}

// hitItem is a page as every list for people shows it (see templates.entryItem).
func hitItem(m *markup, h *exports.SearchHit) {
	m.tag(`<li><h3><a href="`).text(exports.CitationPage(h.EntryID)).tag(`"><bdi`)
	if lang := exports.LanguageOf(h.Language); lang != "" {
		m.tag(` lang="`).text(lang).tag(`"`)
	}
	m.tag(">").marked(cmp.Or(exports.Clean(h.Title, 300), "Untitled page"), h.Match.Terms).tag(`</bdi></a></h3><p class="meta"><a href="`)
	m.text(exports.PublisherPage(h.SiteID)).tag(`"><bdi>`).text(cmp.Or(exports.Clean(h.Publisher.Name, 120), h.SiteID)).tag("</bdi></a> <span>")
	if exports.Linkable(h.URL) {
		m.tag(`<a href="`).text(h.URL).tag(`" rel="nofollow noopener"><bdi>`).text(exports.ShortURL(h.URL)).tag("</bdi></a>")
	}
	m.tag("</span>")
	if exports.IsDay(h.PublishedAt) {
		m.tag(` <time datetime="`).text(h.PublishedAt).tag(`">`).text(exports.Day(h.PublishedAt)).tag("</time>")
	}
	if len(h.Terms) > 0 {
		m.tag(` <span class="terms">`)
		for _, t := range h.Terms[:min(6, len(h.Terms))] {
			m.tag("<bdi>").marked(exports.Clean(t, 40), h.Match.Terms).tag("</bdi>")
		}
		m.tag("</span>")
	}
	m.tag("</p></li>")
}

// marked is a text in which the words that the index found are marked. What
// stands between white space or punctuation is marked as a whole, and in
// scripts without spaces the pairs of characters that were found.
func (m *markup) marked(s string, found []string) *markup {
	for len(s) > 0 {
		i := 0
		for i < len(s) && !inWord(s[i:]) {
			_, n := utf8.DecodeRuneInString(s[i:])
			i += n
		}
		m.text(s[:i])
		s = s[i:]
		for i = 0; i < len(s) && inWord(s[i:]); {
			_, n := utf8.DecodeRuneInString(s[i:])
			i += n
		}
		m.word(s[:i], found)
		s = s[i:]
	}
	return m
}

func (m *markup) word(s string, found []string) {
	var hits []bool
	hit := false
	exports.Tokens(s, func(w []byte) {
		is := exports.OneOf(string(w), found)
		hits, hit = append(hits, is), hit || is
	})
	switch {
	case !hit:
		m.text(s)
	case len(hits) > 1 && len(hits) == utf8.RuneCountInString(s)-1:
		i, open := 0, false
		for _, r := range s {
			is := i < len(hits) && hits[i] || i > 0 && hits[i-1]
			if is != open {
				m.tag(markTags[open])
			}
			m.text(string(r))
			open = is
			i++
		}
		if open {
			m.tag(markTags[open])
		}
	default:
		m.tag(markTags[false]).text(s).tag(markTags[true])
	}
}

// markTags are the tags that open a mark and close one that is open.
var markTags = map[bool]string{false: "<mark>", true: "</mark>"}

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

func hitsPager(m *markup, p *exports.Page, asked values) {
	before := p.Offset - p.Limit
	if before < 0 && p.NextOffset < 0 {
		return
	}
	link := func(rel, label string, offset int64) {
		m.tag(`<a rel="` + rel + `" href="/catalog/?`)
		for _, name := range []string{"q", "category", "use", "signals"} {
			if v := asked.get(name); v != "" {
				m.text(name + "=" + string(query.AppendEscaped(nil, v)) + "&")
			}
		}
		m.tag("offset=" + strconv.FormatInt(offset, 10) + `">` + label + "</a> ")
	}
	m.tag(`<nav class="pager" aria-label="Pages">`)
	if p.Offset > 0 {
		link("prev", "Previous", max(0, before))
	}
	m.tag("<span>").text(strconv.FormatInt(p.Offset+1, 10) + " to " + strconv.FormatInt(min(p.Offset+p.Limit, p.Total), 10)).tag("</span> ")
	if p.NextOffset >= 0 {
		link("next", "Next", p.NextOffset)
	}
	m.tag("</nav>")
}
