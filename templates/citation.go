package templates

import (
	"strings"

	"colophon/exports"
	"colophon/internal/wire"
)

// cslText is the citation as CSL-JSON.
func cslText(c exports.Citation) string { return string(wire.Append(nil, &exports.CSL{C: &c})) }

// ris is the citation in RIS, the exchange format of reference managers: a
// two-letter tag, two spaces, a hyphen and a space before each value.
func ris(c exports.Citation) string {
	var b strings.Builder
	line := func(tag, value string) {
		if value = Clean(value, titleTextLimit); value != "" {
			b.WriteString(tag + "  - " + value + "\n")
		}
	}
	line("TY", "ELEC")
	line("TI", c.Source.Title)
	for _, who := range c.Source.Byline {
		line("AU", who)
	}
	line("T2", c.Publisher)
	if at := c.Source.PublishedAt; isDay(at) {
		line("PY", at[:4])
		line("DA", at[:4]+"/"+at[5:7]+"/"+at[8:10])
	}
	line("UR", c.CanonicalURL)
	line("LA", langOf(c.Source.Language))
	line("ID", c.EntryID)
	b.WriteString("ER  - \n")
	return b.String()
}

// printable is a text of several lines; see exports.CleanLines.
func printable(s string) string { return exports.CleanLines(s) }

// codeDirection is the direction of a form of a citation: that of its words
// for the plain one, and from the left for those in a notation.
func codeDirection(id string) string {
	if id == "plain" {
		return "auto"
	}
	return "ltr"
}
