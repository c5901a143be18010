package brand

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math"
	"sync"

	"golang.org/x/image/vector"
)

// Icon draws the printer's mark, an orb and a cross, on the colour of the page,
// as a PNG of size by size pixels. It caches the result, because a server that
// follows its origin builds repeatedly; callers must not change it.
func Icon(size int, ink Colour) ([]byte, error) {
	key := iconKey{size, ink}
	if known, ok := icons.Load(key); ok {
		return known.([]byte), nil
	}
	data, err := drawIcon(size, ink)
	if err == nil {
		icons.Store(key, data)
	}
	return data, err
}

type iconKey struct {
	size int
	ink  Colour
}

// icons caches the icons by iconKey.
var icons sync.Map

func drawIcon(size int, ink Colour) ([]byte, error) {
	img := image.NewRGBA(image.Rect(0, 0, size, size))
	draw.Draw(img, img.Bounds(), image.NewUniform(Paper.rgba()), image.Point{}, draw.Src)
	drawMark(img, float32(size)*0.15, float32(size)*0.12, float32(size)*0.7, ink)
	return EncodePNG(img)
}

// EncodePNG encodes an image with the best compression.
func EncodePNG(img image.Image) ([]byte, error) {
	var buf bytes.Buffer
	e := png.Encoder{CompressionLevel: png.BestCompression}
	err := e.Encode(&buf, img)
	return buf.Bytes(), err
}

func (c Colour) rgba() color.RGBA { return color.RGBA{c.R, c.G, c.B, 0xff} }

// drawMark draws the mark at x, y with the width and height w. The grid of the
// mark has 24 units (see templates.mark).
func drawMark(img *image.RGBA, x, y, w float32, ink Colour) {
	unit := w / 24
	r := vector.NewRasterizer(img.Bounds().Dx(), img.Bounds().Dy())
	box := func(x0, y0, x1, y1 float32) {
		r.MoveTo(x+x0*unit, y+y0*unit)
		r.LineTo(x+x1*unit, y+y0*unit)
		r.LineTo(x+x1*unit, y+y1*unit)
		r.LineTo(x+x0*unit, y+y1*unit)
		r.ClosePath()
	}
	box(11, 2, 13, 10)
	box(8.5, 4, 11, 6)
	box(13, 4, 15.5, 6)
	box(7, 15, 17, 17)
	ring(r, x+12*unit, y+16*unit, 7*unit, 5*unit)
	r.Draw(img, img.Bounds(), image.NewUniform(ink.rgba()), image.Point{})
}

// ring draws the area between two circles, the inner one in the opposite
// direction.
func ring(r *vector.Rasterizer, cx, cy, outer, inner float32) {
	const corners = 96
	circle := func(radius float32, turn float64) {
		for i := 0; i < corners; i++ {
			sin, cos := math.Sincos(turn * 2 * math.Pi * float64(i) / corners)
			px, py := cx+radius*float32(cos), cy+radius*float32(sin)
			if i == 0 {
				r.MoveTo(px, py)
			} else {
				r.LineTo(px, py)
			}
		}
		r.ClosePath()
	}
	circle(outer, 1)
	circle(inner, -1)
}
