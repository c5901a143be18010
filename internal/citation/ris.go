package citation

import (
	"strings"

	"colophon/exports"
	"colophon/internal/prose"
)

// RIS returns a citation in the exchange format of reference managers: a
// two-letter tag, two spaces, a hyphen and a space before each value.
func RIS(c *exports.Citation) string {
	var b strings.Builder
	line := func(tag, value string) {
		if value = prose.Clean(value, 300); value != "" {
			b.WriteString(tag + "  - " + value + "\n")
		}
	}
	line("TY", "ELEC")
	line("TI", c.Source.Title)
	for _, who := range c.Source.Byline {
		line("AU", who)
	}
	line("T2", c.Publisher)
	if at := c.Source.PublishedAt; exports.IsDay(at) {
		line("PY", at[:4])
		line("DA", at[:4]+"/"+at[5:7]+"/"+at[8:10])
	}
	line("UR", c.CanonicalURL)
	line("LA", prose.LanguageOf(c.Source.Language))
	line("ID", c.EntryID)
	b.WriteString("ER  - \n")
	return b.String()
}
