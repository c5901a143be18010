package brand

import (
	"fmt"
	"math"
	"strconv"
)

// Colour is an sRGB colour with 8 bits a channel. set is false for the zero
// value, which means "no colour".
type Colour struct {
	R, G, B uint8
	set     bool
}

// The backgrounds of links in site.css: the page itself, and boxes on it.
var (
	paper     = []Colour{{0xfb, 0xfa, 0xf6, true}, {0xf1, 0xee, 0xe6, true}}
	paperDark = []Colour{{0x16, 0x16, 0x14, true}, {0x26, 0x25, 0x20, true}}
	// Paper and PaperDark are the colours of the page in the light and the dark
	// theme.
	Paper, PaperDark = paper[0], paperDark[0]
	// Accent and AccentDark are the accent colours of Colophon itself.
	Accent, AccentDark = Colour{0x8c, 0x2f, 0x1b, true}, Colour{0xf0, 0xa0, 0x8c, true}
)

// leastContrast is the least contrast of text with its background (WCAG 2.2,
// 1.4.3).
const leastContrast = 4.5

// ParseColour parses a colour of the form #rrggbb.
func ParseColour(s string) (Colour, error) {
	n, err := strconv.ParseUint(s[min(1, len(s)):], 16, 32)
	if err != nil || len(s) != 7 || s[0] != '#' {
		return Colour{}, fmt.Errorf("%q is not a colour of the form #rrggbb", s)
	}
	return Colour{uint8(n >> 16), uint8(n >> 8), uint8(n), true}, nil
}

// String returns the colour as #rrggbb, "" if there is none.
func (c Colour) String() string {
	if !c.set {
		return ""
	}
	return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B)
}

// luminance returns the relative luminance (WCAG 2.2).
func (c Colour) luminance() float64 {
	channel := func(v uint8) float64 {
		x := float64(v) / 255
		if x <= 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	return 0.2126*channel(c.R) + 0.7152*channel(c.G) + 0.0722*channel(c.B)
}

// contrast returns the contrast ratio of two colours, from 1 to 21 (WCAG 2.2).
func contrast(a, b Colour) float64 {
	x, y := a.luminance(), b.luminance()
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// readable reports whether text of this colour has enough contrast on all
// grounds.
func (c Colour) readable(grounds []Colour) bool {
	for _, g := range grounds {
		if contrast(c, g) < leastContrast {
			return false
		}
	}
	return true
}

// ink returns black or white, whichever has more contrast with c. One of them
// always has enough.
func (c Colour) ink() Colour {
	white, black := Colour{0xff, 0xff, 0xff, true}, Colour{0, 0, 0, true}
	if contrast(white, c) >= contrast(black, c) {
		return white
	}
	return black
}

// lighten mixes white into the colour until it is readable on the dark
// backgrounds.
func (c Colour) lighten() Colour {
	for step := 0; step <= 100; step++ {
		mix := func(v uint8) uint8 { return v + uint8(int(255-v)*step/100) }
		if lighter := (Colour{mix(c.R), mix(c.G), mix(c.B), true}); lighter.readable(paperDark) {
			return lighter
		}
	}
	return Colour{0xff, 0xff, 0xff, true}
}

func (b *Identity) readColours(c Config) (err error) {
	if c.Accent != "" {
		if b.Accent, err = ParseColour(c.Accent); err != nil {
			return fmt.Errorf("brand.accent: %w", err)
		}
		if !b.Accent.readable(paper) {
			return fmt.Errorf("brand.accent: %s cannot be read on a light page (contrast below %.1f); take a darker one", c.Accent, leastContrast)
		}
		b.AccentDark = b.Accent.lighten()
	}
	if c.AccentDark == "" {
		return nil
	}
	if b.AccentDark, err = ParseColour(c.AccentDark); err != nil {
		return fmt.Errorf("brand.accent_dark: %w", err)
	}
	if !b.AccentDark.readable(paperDark) {
		return fmt.Errorf("brand.accent_dark: %s cannot be read on a dark page (contrast below %.1f); take a lighter one", c.AccentDark, leastContrast)
	}
	return nil
}

// Style returns the rules to append to the style sheet of the pages. It returns
// "" for Colophon's own colours.
func (b *Identity) Style() string {
	rule := func(c Colour) string {
		return ":root { --red: " + c.String() + "; --red-ink: " + c.ink().String() + " }"
	}
	style := ""
	if b.Accent.set {
		style += "\n" + rule(b.Accent) + "\n"
	}
	if b.AccentDark.set {
		style += "\n@media (prefers-color-scheme: dark) { " + rule(b.AccentDark) + " }\n"
	}
	return style
}

// Accents returns the accent colours in use, for the light and the dark theme.
func (b *Identity) Accents() (light, dark Colour) {
	light, dark = b.Accent, b.AccentDark
	if !light.set {
		light = Accent
	}
	if !dark.set {
		dark = AccentDark
	}
	return light, dark
}
