package brand

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image/png"
	"io"
	"strings"
	"testing"

	"colophon/internal/assert"
)

var must = assert.NoError

// files returns a function that reads from a folder in memory.
func files(names ...string) func(string) ([]byte, error) {
	return func(name string) ([]byte, error) {
		for i := 0; i < len(names); i += 2 {
			if names[i] == name {
				return []byte(names[i+1]), nil
			}
		}
		return nil, errors.New("there is no file " + name)
	}
}

// TestContrast checks ratios that follow from the definition in WCAG 2.2: 21
// for black on white, 1 for a colour on itself, and just below 4.5 for #777777
// on white.
func TestContrast(t *testing.T) {
	for _, x := range []struct {
		a, b string
		want float64
	}{{"#000000", "#ffffff", 21}, {"#336699", "#336699", 1}, {"#777777", "#ffffff", 4.48}, {"#ff0000", "#ffffff", 4.00}} {
		a, _ := ParseColour(x.a)
		b, _ := ParseColour(x.b)
		if got := contrast(a, b); got < x.want-0.01 || got > x.want+0.01 {
			t.Errorf("%s on %s: %.3f, want %.2f", x.a, x.b, got, x.want)
		}
	}
}

func TestRead(t *testing.T) {
	b, err := Read(Config{Accent: "#0b5394", Logo: "own.svg", Imprint: "imprint.md", Terms: "https://desk.example/terms"}, "desk@registry.example", files("own.svg", `<svg viewBox="0 0 60 20"/>`, "imprint.md", "# We\n"))
	must(t, err)
	if b.Contact != "mailto:desk@registry.example" || b.LogoName != "logo.svg" || b.LogoWidth != 72 || len(b.Pages) != 2 || b.Pages[0].Href() != "/imprint/" || b.Pages[1].Href() != "https://desk.example/terms" {
		t.Errorf("%+v", b)
	}
	if !b.AccentDark.readable(paperDark) || !strings.Contains(b.Style(), "--red: #0b5394; --red-ink: #ffffff") || !strings.Contains(b.Style(), "prefers-color-scheme: dark") {
		t.Errorf("the style is %q", b.Style())
	}
	assert.Equal(t, (&Identity{}).Style(), "", "without a brand the style")
}

func TestReadRefuses(t *testing.T) {
	read := files("big.svg", "<svg>"+strings.Repeat(" ", maxLogo), "page.svg", "<html>", "logo.gif", "GIF89a")
	for word, c := range map[string]Config{
		"brand.accent:":      {Accent: "blue"},
		"light page":         {Accent: "#ffcc00"},
		"dark page":          {AccentDark: "#222222"},
		"brand.accent_dark:": {AccentDark: "#12345"},
		"brand.contact":      {Contact: "call us"},
		"more than 64 KiB":   {Logo: "big.svg"},
		"neither an SVG":     {Logo: "page.svg"},
		"nor a PNG":          {Logo: "logo.gif"},
		"brand.imprint: the": {Imprint: "missing.md"},
		"brand.privacy:":     {Privacy: "http://plain.example/"},
		"brand.terms:":       {Terms: "javascript://x"},
	} {
		if _, err := Read(c, "", read); err == nil || !strings.Contains(err.Error(), word) {
			t.Errorf("%+v: %v, without %q", c, err, word)
		}
	}
}

func TestContactLink(t *testing.T) {
	for s, want := range map[string]string{"a@b.example": "mailto:a@b.example", "https://b.example/contact": "https://b.example/contact", "": "", "a@b": "", "http://b.example": "", "a b@c.example": "", "a@b.example?subject=x": ""} {
		assert.Equal(t, contactLink(s), want, "%q", s)
	}
}

// TestIcon checks that the mark is drawn, and that it does not touch the rim.
func TestIcon(t *testing.T) {
	data, err := Icon(192, Accent)
	must(t, err)
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil || img.Bounds().Dx() != 192 || img.Bounds().Dy() != 192 {
		t.Fatal(err, img.Bounds())
	}
	inked := 0
	for y := 0; y < 192; y++ {
		for x := 0; x < 192; x++ {
			r, _, _, _ := img.At(x, y).RGBA()
			if r>>8 != uint32(Paper.R) {
				inked++
				if x < 10 || x > 181 || y < 10 || y > 181 {
					t.Fatalf("ink at %d, %d", x, y)
				}
			}
		}
	}
	if inked < 192*192/20 || inked > 192*192/2 {
		t.Errorf("%d of %d pixels are inked", inked, 192*192)
	}
}

// TestBadge checks that the badge is well-formed, that its words are escaped,
// and that it contains nothing that runs or is fetched.
func TestBadge(t *testing.T) {
	data := Badge(`A & B "<script>`, Accent)
	d := xml.NewDecoder(bytes.NewReader(data))
	text := ""
	for {
		tok, err := d.Token()
		if err == io.EOF {
			break
		}
		must(t, err)
		switch x := tok.(type) {
		case xml.StartElement:
			if x.Name.Local == "script" || x.Name.Local == "style" || x.Name.Local == "image" {
				t.Errorf("there is a %s", x.Name.Local)
			}
		case xml.CharData:
			text += string(x)
		}
	}
	if want := `rights on A & B "<script>`; !strings.HasPrefix(text, want) {
		t.Errorf("the words are %q, want %q", text, want)
	}
	if n := len([]rune(`rights on A & B "<script>`)); BadgeWidth(`A & B "<script>`) != 34+7*n {
		t.Errorf("%d pixels for %d characters", BadgeWidth(`A & B "<script>`), n)
	}
}

// TestCard checks that a card has the size that previews expect, that cards
// with different words differ, and that a name without glyphs is not drawable.
func TestCard(t *testing.T) {
	draw := func(c Card) []byte {
		c.Ink = Accent
		if ok, err := c.Drawable(); err != nil || !ok {
			t.Fatalf("%+v: %v %v", c, ok, err)
		}
		data, err := c.Draw()
		must(t, err)
		img, err := png.Decode(bytes.NewReader(data))
		if err != nil || img.Bounds().Dx() != CardWidth || img.Bounds().Dy() != CardHeight {
			t.Fatal(err, img.Bounds())
		}
		if len(data) > 40<<10 {
			t.Errorf("%+v: %d bytes", c, len(data))
		}
		return data
	}
	one := draw(Card{Name: "Harbor Ledger", Summary: "Port and shipping news with tide, tariff and berth data.", Service: "Colophon"})
	if bytes.Equal(one, draw(Card{Name: "Harbour Ledger", Service: "Colophon"})) {
		t.Error("two publishers have one card")
	}
	if !bytes.Equal(one, draw(Card{Name: "Harbor Ledger", Summary: "Port and shipping news with tide, tariff and berth data.", Service: "Colophon"})) {
		t.Error("one publisher has two cards")
	}
	draw(Card{Name: strings.Repeat("Long names and ", 30), Summary: strings.Repeat("x", 500), Service: strings.Repeat("Service ", 40)})
	if ok, err := (Card{Name: "東京", Service: "Colophon"}).Drawable(); ok || err != nil {
		t.Errorf("a name without glyphs: %v %v", ok, err)
	}
}

func BenchmarkCard(b *testing.B) {
	c := Card{Name: "Harbor Ledger", Summary: "Port and shipping news with tide, tariff and berth data.", Service: "Colophon", Ink: Accent}
	size := 0
	for b.Loop() {
		data, err := c.Draw()
		must(b, err)
		size = len(data)
	}
	b.ReportMetric(float64(size), "B/card")
}
