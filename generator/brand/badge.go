package brand

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strings"
	"unicode/utf8"
)

// BadgeHeight is the height of a badge in pixels.
const BadgeHeight = 24

// badgeLetter is the width reserved for one character of a badge, in pixels.
const badgeLetter = 7

// BadgeWords returns the text on the badge of the service called name.
func BadgeWords(name string) string { return "rights on " + name }

// BadgeWidth returns the width of the badge in pixels.
func BadgeWidth(name string) int {
	return 34 + badgeLetter*utf8.RuneCountInString(BadgeWords(name))
}

// Badge returns the SVG image that a publisher puts on its pages: the mark, and
// "rights on" with the name of the service. It contains no script and no style,
// and loads nothing.
func Badge(name string, ink Colour) []byte {
	var words bytes.Buffer
	_ = xml.EscapeText(&words, []byte(BadgeWords(name))) // cannot fail: it writes to a buffer
	width := BadgeWidth(name)
	return []byte(strings.TrimSpace(fmt.Sprintf(`
<svg xmlns="http://www.w3.org/2000/svg" width="%[1]d" height="%[2]d" viewBox="0 0 %[1]d %[2]d" role="img" aria-label="%[3]s"><title>%[3]s</title>`+
		`<rect x=".5" y=".5" width="%[4]d" height="%[5]d" rx="4" fill="%[6]s" stroke="%[7]s"/>`+
		`<g transform="translate(5 3) scale(.75)" fill="none" stroke="%[7]s" stroke-width="2"><path d="M12 2v9M8.5 5h7M6 16h12"/><circle cx="12" cy="16" r="6"/></g>`+
		`<text x="27" y="16" font-family="system-ui,sans-serif" font-size="12" fill="%[7]s" textLength="%[8]d" lengthAdjust="spacingAndGlyphs">%[3]s</text></svg>`,
		width, BadgeHeight, words.String(), width-1, BadgeHeight-1, Paper, ink, width-34)))
}
