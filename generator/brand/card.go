package brand

import (
	"image"
	"image/color"
	"image/draw"
	"strings"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// The size of a card in pixels, as link previews expect it.
const (
	CardWidth  = 1200
	CardHeight = 630
)

// Card is the image that a link preview shows for a publisher or an entry.
type Card struct {
	Name, Summary string // untrusted text
	Service       string // name of the service
	Ink           Colour
}

// fonts are the Go fonts, which have Latin, Greek and Cyrillic letters.
var fonts = sync.OnceValues(func() ([2]*sfnt.Font, error) {
	var out [2]*sfnt.Font
	for i, data := range [][]byte{gobold.TTF, goregular.TTF} {
		f, err := opentype.Parse(data)
		if err != nil {
			return out, err
		}
		out[i] = f
	}
	return out, nil
})

// Drawable reports whether the fonts have a glyph for every character. Where
// one is missing, the general card is better than a card with empty boxes.
func (c Card) Drawable() (bool, error) {
	loaded, err := fonts()
	if err != nil {
		return false, err
	}
	return hasGlyphs(loaded[0], c.Name+c.Service) && hasGlyphs(loaded[1], c.Summary), nil
}

// Draw draws the card and encodes it as PNG.
func (c Card) Draw() ([]byte, error) {
	loaded, err := fonts()
	if err != nil {
		return nil, err
	}
	img := image.NewRGBA(image.Rect(0, 0, CardWidth, CardHeight))
	draw.Draw(img, img.Bounds(), image.NewUniform(Paper.rgba()), image.Point{}, draw.Src)
	draw.Draw(img, image.Rect(0, 0, CardWidth, 16), image.NewUniform(c.Ink.rgba()), image.Point{}, draw.Src)

	const margin, dark = 80, 0x1d
	ink := color.RGBA{dark, dark, dark, 0xff}
	y, err := writeLines(img, loaded[0], 72, ink, c.Name, margin, 170, 2)
	if err != nil {
		return nil, err
	}
	if _, err := writeLines(img, loaded[1], 36, color.RGBA{0x5d, 0x59, 0x52, 0xff}, c.Summary, margin, y+30, 3); err != nil {
		return nil, err
	}
	drawMark(img, margin-8, CardHeight-110, 60, c.Ink)
	if _, err := writeLines(img, loaded[0], 34, ink, c.Service, margin+70, CardHeight-68, 1); err != nil {
		return nil, err
	}
	return EncodePNG(paletted(img, c.Ink))
}

// hasGlyphs reports whether a font has every character of a text.
func hasGlyphs(f *sfnt.Font, text string) bool {
	var buf sfnt.Buffer
	for _, r := range text {
		if n, err := f.GlyphIndex(&buf, r); err != nil || n == 0 {
			return false
		}
	}
	return true
}

// writeLines writes text in at most the given number of lines, the first with
// its baseline at y, and returns the baseline after the last line.
func writeLines(img *image.RGBA, f *sfnt.Font, size float64, ink color.Color, text string, x, y, most int) (int, error) {
	face, err := opentype.NewFace(f, &opentype.FaceOptions{Size: size, DPI: 72, Hinting: font.HintingNone})
	if err != nil {
		return y, err
	}
	defer face.Close()
	d := font.Drawer{Dst: img, Src: image.NewUniform(ink), Face: face}
	for _, line := range wrapLines(&d, text, fixed.I(CardWidth-2*x), most) {
		d.Dot = fixed.P(x, y)
		d.DrawString(line)
		y += int(size * 1.25)
	}
	return y, nil
}

// wrapLines breaks text at spaces into lines of the given width. If the text
// does not fit, the last line ends in "…".
func wrapLines(d *font.Drawer, text string, width fixed.Int26_6, most int) []string {
	var lines []string
	line := ""
	for _, w := range strings.Fields(text) {
		next := strings.TrimSpace(line + " " + w)
		if d.MeasureString(next) <= width {
			line = next
			continue
		}
		if len(lines) == most-1 {
			line = next
			break
		}
		if line != "" {
			lines = append(lines, line)
		}
		line = w
	}
	if line == "" {
		return lines
	}
	if d.MeasureString(line) > width {
		r := []rune(line)
		for len(r) > 1 && d.MeasureString(string(r)+"…") > width {
			r = r[:len(r)-1]
		}
		line = strings.TrimRight(string(r), " ,.;:") + "…"
	}
	return append(lines, line)
}

// paletted converts the image to a palette of few colours, which makes the file
// a third as large.
func paletted(img *image.RGBA, ink Colour) *image.Paletted {
	p := color.Palette{}
	for step := 0; step < 64; step++ {
		for _, c := range []Colour{{0x1d, 0x1d, 0x1d, true}, ink, {0x5d, 0x59, 0x52, true}} {
			mix := func(from, to uint8) uint8 { return uint8((int(from)*(63-step) + int(to)*step) / 63) }
			p = append(p, color.RGBA{mix(c.R, Paper.R), mix(c.G, Paper.G), mix(c.B, Paper.B), 0xff})
		}
	}
	out := image.NewPaletted(img.Bounds(), p)
	seen := map[color.RGBA]uint8{}
	var last color.RGBA // most pixels equal the one before
	var index uint8
	for i := range out.Pix {
		c := color.RGBA{img.Pix[4*i], img.Pix[4*i+1], img.Pix[4*i+2], img.Pix[4*i+3]}
		if c != last {
			known := false
			if index, known = seen[c]; !known {
				index = uint8(p.Index(c))
				seen[c] = index
			}
			last = c
		}
		out.Pix[i] = index
	}
	return out
}
