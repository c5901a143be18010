package entrypage

import (
	"cmp"
	"strings"

	"colophon/exports"
	"colophon/internal/citation"
	"colophon/internal/prose"
	"colophon/internal/wire"
	"colophon/templates/frame"
)

// cslText returns the citation as CSL-JSON.
func cslText(c exports.Citation) string { return string(wire.Append(nil, &exports.CSL{C: &c})) }

// checkPath returns the address of the check page for an entry.
func checkPath(entryID string) string { return exports.PathCheckPage + "?q=" + entryID }

// requestAbout returns the address of the request form, filled in with the
// cited page.
func requestAbout(c exports.Citation) string {
	return exports.RequestPage(c.SiteID) + "?resource=" + escapeQuery(c.CanonicalURL)
}

// escapeQuery escapes a query value as forms do, with "+" for a space.
func escapeQuery(s string) string {
	return strings.ReplaceAll(exports.EscapeQuery(s, ""), "%20", "+")
}

// earlierVersions returns the versions before the current one, newest first, at
// most eight.
func earlierVersions(current int64) []int64 {
	var out []int64
	for n := current - 1; n > 0 && len(out) < 8; n-- {
		out = append(out, n)
	}
	return out
}

// sourceDate is a date of the publisher's page and its label.
type sourceDate struct{ label, at string }

// sourceDates returns the dates that the publisher gives its page.
func sourceDates(s exports.CitedSource) []sourceDate {
	var out []sourceDate
	if exports.IsDay(s.PublishedAt) {
		out = append(out, sourceDate{"Published", s.PublishedAt})
	}
	if at := citation.UpdatedAt(&s); at != "" {
		out = append(out, sourceDate{"Updated", at})
	}
	return out
}

// apa returns the citation in the style of the American Psychological
// Association, 7th edition, as a web page on a website.
func apa(c exports.Citation) string {
	date := "n.d."
	if y, m, d := prose.DayWords(c.Source.PublishedAt); y != "" {
		date = y + ", " + m + " " + d
	}
	what := cited(c.Source.Title)
	who := joinNames(authors(c), "&", (*citedName).initialled, (*citedName).initialled)
	if who == "" {
		return stopped(what) + " (" + date + "). " + stopped(cited(c.Publisher)) + " " + c.CanonicalURL
	}
	return stopped(who) + " (" + date + "). " + stopped(what) + " " + stopped(cited(c.Publisher)) + " " + c.CanonicalURL
}

// mla returns the citation in the style of the MLA Handbook, 9th edition, which
// names one of three or more authors.
func mla(c exports.Citation) string {
	s := "“" + stopped(cited(c.Source.Title)) + "” " + cited(c.Publisher) + ", "
	if y, m, d := prose.DayWords(c.Source.PublishedAt); y != "" {
		s += d + " " + shortMonth(m) + " " + y + ", "
	}
	list := authors(c)
	who := joinNames(list, "and", (*citedName).inverted, (*citedName).direct)
	if len(list) > 2 {
		who = list[0].inverted() + ", et al."
	}
	return led(who, s+c.CanonicalURL+".")
}

// chicago returns the citation in the style of the Chicago Manual of Style,
// 17th edition, as in a bibliography. If no author is named, the website is the
// author.
func chicago(c exports.Citation) string {
	date := ""
	if y, m, d := prose.DayWords(c.Source.PublishedAt); y != "" {
		date = m + " " + d + ", " + y
	}
	who := joinNames(authors(c), "and", (*citedName).demoted, (*citedName).direct)
	s := "“" + stopped(cited(c.Source.Title)) + "” "
	if who == "" {
		who = cited(c.Publisher)
	} else {
		s += cited(c.Publisher)
		date = strings.TrimSuffix(", "+date, ", ")
	}
	if s += date; !strings.HasSuffix(s, " ") {
		s = stopped(s) + " "
	}
	return led(who, s+c.CanonicalURL+".")
}

// led puts the authors, if any, before the rest of a citation.
func led(who, rest string) string {
	if who == "" {
		return rest
	}
	return stopped(who) + " " + rest
}

func cited(s string) string { return cmp.Or(prose.Clean(s, frame.TitleTextLimit), "Untitled") }

// stopped ends a text with a full stop, unless it already ends a sentence.
func stopped(s string) string {
	for _, end := range []string{".", "!", "?", "…", "。", "！", "？"} {
		if strings.HasSuffix(s, end) {
			return s
		}
	}
	return s + "."
}

// shortMonth abbreviates a month as MLA does; names of up to four letters stay.
func shortMonth(m string) string {
	switch {
	case len(m) <= 4:
		return m
	case m == "September":
		return "Sept."
	}
	return m[:3] + "."
}

// codeDirection returns the text direction of a citation in form id: automatic
// if it is in words, left to right if it is in a notation.
func codeDirection(id string) string {
	switch id {
	case "apa", "mla", "chicago":
		return "auto"
	}
	return "ltr"
}

// cardMeta returns a citation's facts for reference managers: the tags of
// Highwire Press, which Google Scholar reads, and Dublin Core.
func cardMeta(v View) []frame.Meta {
	c := &v.Citation
	out := []frame.Meta{{Name: "citation_title", Content: cited(c.Source.Title)}}
	dc := []frame.Meta{{Name: "DC.title", Content: cited(c.Source.Title)}, {Name: "DC.type", Content: "Text"}, {Name: "DC.identifier", Content: c.CanonicalURL}}
	add := func(list *[]frame.Meta, name, content string) {
		if content != "" {
			*list = append(*list, frame.Meta{Name: name, Content: content})
		}
	}
	for _, b := range c.Source.Byline {
		b = prose.Clean(b, frame.NameLimit)
		add(&out, "citation_author", b)
		add(&dc, "DC.creator", b)
	}
	publisher := frame.Name(c.Publisher, c.SiteID)
	add(&out, "citation_publisher", publisher)
	add(&dc, "DC.publisher", publisher)
	if at := c.Source.PublishedAt; exports.IsDay(at) {
		add(&out, "citation_publication_date", strings.ReplaceAll(at[:10], "-", "/"))
		add(&dc, "DC.date", at[:10])
	}
	lang := prose.LanguageOf(c.Source.Language)
	add(&out, "citation_language", lang)
	add(&dc, "DC.language", lang)
	add(&out, "citation_public_url", c.CanonicalURL)
	add(&dc, "DC.rights", v.Site.Base+checkPath(c.EntryID))
	for _, t := range v.Terms {
		add(&out, "citation_keywords", prose.Clean(t, 40))
		add(&dc, "DC.subject", prose.Clean(t, 40))
	}
	return append(out, dc...)
}

// askPath returns the address of the section that says how to ask a publisher.
// Every publisher has it, unlike the request form.
func askPath(siteID string) string { return exports.PublisherPage(siteID) + "#ask" }

// passportBasis returns what the name of the rights holder is based on.
func passportBasis(basis string) string {
	switch basis {
	case "domain_verified":
		return "control of the domain was shown"
	case "third_party_registry":
		return "as a third-party registry says"
	}
	return "as the publisher states"
}
