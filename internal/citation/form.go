// Package citation writes citations in the formats of reference managers, and as text.
package citation

import (
	"context"
	"strings"

	"github.com/a-h/templ"

	"colophon/exports"
	"colophon/internal/prose"
)

// Spell sets the forms in which a citation is given as text, Plain, HTML
// and BibTeX, from its other fields.
func Spell(c *exports.Citation) {
	c.Plain = plainCitation(c)
	c.HTML = htmlCitation(c)
	c.BibTeX = formatBibTeX(c)
}

func plainCitation(c *exports.Citation) string {
	return formatAuthors(c) + "\"" + plainText(c.Source.Title) + ".\" " + plainText(c.Publisher) + formatDates(c) + ". " + c.CanonicalURL
}

func htmlCitation(c *exports.Citation) string {
	html, _ := templ.ToGoHTML(context.Background(), markup(c)) // writing into memory does not fail
	return string(html)
}

func formatAuthors(c *exports.Citation) string {
	if len(c.Source.Byline) == 0 {
		return ""
	}
	names := make([]string, len(c.Source.Byline))
	for i, n := range c.Source.Byline {
		names[i] = plainText(n)
	}
	return strings.TrimSuffix(strings.Join(names, ", "), ".") + ". "
}

// formatDates says when the page was published and, on another day, updated.
func formatDates(c *exports.Citation) string {
	out := ""
	if exports.IsDay(c.Source.PublishedAt) {
		out = ", " + prose.Day(c.Source.PublishedAt)
	}
	if at := UpdatedAt(&c.Source); at != "" {
		out += " (updated " + prose.Day(at) + ")"
	}
	return out
}

// UpdatedAt returns when the page was updated on another day than that of its
// publication, "" if it was not.
func UpdatedAt(s *exports.CitedSource) string {
	if !exports.IsDay(s.ModifiedAt) || prose.Day(s.ModifiedAt) == prose.Day(s.PublishedAt) {
		return ""
	}
	return s.ModifiedAt
}

func hostOf(url string) string {
	_, rest, _ := strings.Cut(url, "://")
	host, _, _ := strings.Cut(rest, "/")
	return host
}

// plainText drops control characters and the controls that reverse the
// direction of text, so that a title cannot reorder the line it stands in.
func plainText(s string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x20 || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
			return -1
		}
		return r
	}, s)
}

// formatBibTeX writes a citation as a BibTeX entry of type misc, whose fields every
// style knows.
func formatBibTeX(c *exports.Citation) string {
	var b strings.Builder
	b.WriteString("@misc{" + c.EntryID + ",\n")
	field := func(name, text string) {
		if text != "" {
			b.WriteString("  " + name + " = {" + text + "},\n")
		}
	}
	if len(c.Source.Byline) > 0 {
		names := make([]string, len(c.Source.Byline))
		for i, n := range c.Source.Byline {
			names[i] = "{" + escapeTeX(n) + "}"
		}
		field("author", strings.Join(names, " and "))
	}
	field("title", "{"+escapeTeX(c.Source.Title)+"}")
	field("howpublished", escapeTeX(c.Publisher))
	if at := c.Source.PublishedAt; exports.IsDay(at) {
		field("year", at[:4])
		field("month", strings.TrimPrefix(at[5:7], "0"))
	}
	field("url", escapeTeX(c.CanonicalURL))
	b.WriteString("}\n")
	return b.String()
}

func escapeTeX(s string) string {
	var b strings.Builder
	for _, r := range plainText(s) {
		switch r {
		case '&', '%', '$', '#', '_', '{', '}':
			b.WriteByte('\\')
			b.WriteRune(r)
		case '\\':
			b.WriteString(`{\textbackslash}`)
		case '~':
			b.WriteString(`{\textasciitilde}`)
		case '^':
			b.WriteString(`{\textasciicircum}`)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
