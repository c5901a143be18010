package templates

import (
	"net/url"
	"strings"

	"colophon/exports"
	"colophon/internal/wire"
)

// cslText is the citation as CSL-JSON.
func cslText(c exports.Citation) string { return string(wire.Append(nil, &exports.CSL{C: &c})) }

// checkPath asks the check page about an entry.
func checkPath(entryID string) string { return PathCheck + "?q=" + entryID }

// requestAbout is the request form, filled with the page that is cited.
func requestAbout(c exports.Citation) string {
	return RequestPath(c.SiteID) + "?resource=" + url.QueryEscape(c.CanonicalURL)
}

// earlierVersions are the versions before the current one, the newest first,
// at most eight.
func earlierVersions(current int64) []int64 {
	var out []int64
	for n := current - 1; n > 0 && len(out) < 8; n-- {
		out = append(out, n)
	}
	return out
}

// The styles below set names as the publisher wrote them: which part of a name
// is the one to sort by is not known.

// apa is the citation after the style of the American Psychological
// Association, 7th edition: a web page on a website.
func apa(c exports.Citation) string {
	date := "n.d."
	if y, m, d := exports.DayWords(c.Source.PublishedAt); y != "" {
		date = y + ", " + m + " " + d
	}
	what := cited(c.Source.Title)
	if who := names(c, " & "); who != "" {
		return who + " (" + date + "). " + stopped(what) + " " + stopped(cited(c.Publisher)) + " " + c.CanonicalURL
	}
	return stopped(what) + " (" + date + "). " + stopped(cited(c.Publisher)) + " " + c.CanonicalURL
}

// mla is the citation after the MLA Handbook, 9th edition.
func mla(c exports.Citation) string {
	s := "“" + stopped(cited(c.Source.Title)) + "” " + cited(c.Publisher) + ", "
	if y, m, d := exports.DayWords(c.Source.PublishedAt); y != "" {
		s += d + " " + shortMonth(m) + " " + y + ", "
	}
	return led(names(c, ", and "), s+c.CanonicalURL+".")
}

// chicago is the citation after the Chicago Manual of Style, 17th edition, as
// in a bibliography.
func chicago(c exports.Citation) string {
	s := "“" + stopped(cited(c.Source.Title)) + "” " + stopped(cited(c.Publisher)) + " "
	if y, m, d := exports.DayWords(c.Source.PublishedAt); y != "" {
		s += m + " " + d + ", " + y + ". "
	}
	return led(names(c, ", and "), s+c.CanonicalURL+".")
}

// led puts the authors before a citation, if there are any.
func led(who, rest string) string {
	if who == "" {
		return rest
	}
	return stopped(who) + " " + rest
}

// names joins the authors, the last by the word for "and".
func names(c exports.Citation, and string) string {
	list := make([]string, 0, len(c.Source.Byline))
	for _, n := range c.Source.Byline {
		if n = Clean(n, nameLimit); n != "" {
			list = append(list, n)
		}
	}
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	last := len(list) - 1
	return strings.Join(list[:last], ", ") + and + list[last]
}

func cited(s string) string { return orElse(Clean(s, titleTextLimit), "Untitled") }

// stopped ends a sentence, if it does not end already.
func stopped(s string) string {
	for _, end := range []string{".", "!", "?", "…", "。", "！", "？"} {
		if strings.HasSuffix(s, end) {
			return s
		}
	}
	return s + "."
}

// shortMonth abbreviates a month as MLA does: those of up to four letters stay.
func shortMonth(m string) string {
	switch {
	case len(m) <= 4:
		return m
	case m == "September":
		return "Sept."
	}
	return m[:3] + "."
}

// printable is a text of several lines; see exports.CleanLines.
func printable(s string) string { return exports.CleanLines(s) }

// codeDirection is the direction of a form of a citation: that of its words
// for one in words, and from the left for those in a notation.
func codeDirection(id string) string {
	switch id {
	case "apa", "mla", "chicago":
		return "auto"
	}
	return "ltr"
}

// cardMeta are the facts of a citation for reference managers: the tags of
// Highwire Press, which Google Scholar reads, and Dublin Core.
func cardMeta(v CitationPage) []Meta {
	c := &v.Citation
	out := []Meta{{"citation_title", cited(c.Source.Title)}}
	dc := []Meta{{"DC.title", cited(c.Source.Title)}, {"DC.type", "Text"}, {"DC.identifier", c.CanonicalURL}}
	add := func(list *[]Meta, name, content string) {
		if content != "" {
			*list = append(*list, Meta{name, content})
		}
	}
	for _, b := range c.Source.Byline {
		b = Clean(b, nameLimit)
		add(&out, "citation_author", b)
		add(&dc, "DC.creator", b)
	}
	publisher := name(c.Publisher, c.SiteID)
	add(&out, "citation_publisher", publisher)
	add(&dc, "DC.publisher", publisher)
	if at := c.Source.PublishedAt; isDay(at) {
		add(&out, "citation_publication_date", strings.ReplaceAll(at[:10], "-", "/"))
		add(&dc, "DC.date", at[:10])
	}
	lang := langOf(c.Source.Language)
	add(&out, "citation_language", lang)
	add(&dc, "DC.language", lang)
	add(&out, "citation_public_url", c.CanonicalURL)
	add(&dc, "DC.rights", v.Site.Base+checkPath(c.EntryID))
	for _, t := range v.Terms {
		add(&out, "citation_keywords", Clean(t, 40))
		add(&dc, "DC.subject", Clean(t, 40))
	}
	return append(out, dc...)
}
