package exports

import "strings"

// CiteFile is the path of a citation as a file for a reference manager: "bib",
// "ris" or "csl".
func CiteFile(entryID, form string) string { return CitationPage(entryID) + "cite." + form }

// RIS is a citation in the exchange format of reference managers: a two-letter
// tag, two spaces, a hyphen and a space before each value.
func RIS(c *Citation) string {
	var b strings.Builder
	line := func(tag, value string) {
		if value = Clean(value, 300); value != "" {
			b.WriteString(tag + "  - " + value + "\n")
		}
	}
	line("TY", "ELEC")
	line("TI", c.Source.Title)
	for _, who := range c.Source.Byline {
		line("AU", who)
	}
	line("T2", c.Publisher)
	if at := c.Source.PublishedAt; IsDay(at) {
		line("PY", at[:4])
		line("DA", at[:4]+"/"+at[5:7]+"/"+at[8:10])
	}
	line("UR", c.CanonicalURL)
	line("LA", LanguageOf(c.Source.Language))
	line("ID", c.EntryID)
	b.WriteString("ER  - \n")
	return b.String()
}
