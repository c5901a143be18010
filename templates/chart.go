package templates

import (
	"strconv"
	"strings"

	"colophon/exports"
	"colophon/internal/prose"
	"colophon/templates/frame"
)

// bar is one year of the coverage chart, in units of its view box.
type bar struct {
	Year   string
	Pages  int64
	X, Y   int
	Height int
	Label  bool
}

const (
	barStep = 16
	barRoom = 64 // height of the tallest bar
	maxBars = 40
)

// bars returns the bars of the last years, at most maxBars.
func bars(years []exports.YearCount) []bar {
	if len(years) > maxBars {
		years = years[len(years)-maxBars:]
	}
	most := int64(1)
	for _, y := range years {
		most = max(most, y.Pages)
	}
	out := make([]bar, len(years))
	every := 1 + len(years)/8
	for i, y := range years {
		h := max(int(y.Pages*barRoom/most), 1)
		out[i] = bar{strconv.FormatInt(y.Year, 10), y.Pages, i * barStep, barRoom - h, h, i%every == 0}
	}
	return out
}

// yearsInWords returns the chart as a sentence.
func yearsInWords(years []exports.YearCount) string {
	var out []string
	for _, y := range years {
		out = append(out, strconv.FormatInt(y.Year, 10)+": "+prose.Count(y.Pages))
	}
	return "Registered pages by year of publication. " + strings.Join(out, ", ") + "."
}

// Geometry of the rights map, in units of its view box.
const (
	cellSize   = 27
	labelWidth = 132
	headHeight = 84
	heatWidth  = labelWidth + 8*cellSize + 20
)

// heatCell is the cell of one publisher and use.
type heatCell struct {
	X, Y     int
	Letter   string
	Pattern  string // CSS class of the cell
	Conflict bool
}

// heatRow is the row of one publisher.
type heatRow struct {
	Label string
	Y     int
	Cells [8]heatCell
}

func heatRows(records []exports.MapRecord) []heatRow {
	out := make([]heatRow, len(records))
	for i := range records {
		r := &records[i]
		y := headHeight + i*cellSize
		row := heatRow{Label: fit(frame.Name(r.Name, r.SiteID)), Y: y}
		for u := range row.Cells {
			c := prose.LetterAt(r.RightsVector, u)
			row.Cells[u] = heatCell{
				X: labelWidth + u*cellSize, Y: y, Letter: prose.LetterSign(c),
				Pattern: "c" + string(c|0x20), Conflict: prose.Disagrees(c),
			}
		}
		out[i] = row
	}
	return out
}

func heatHeight(rows int) int { return headHeight + rows*cellSize + 4 }

// fit shortens a label to the width of the map's first column; wide characters
// count as two.
func fit(s string) string {
	const room = 19
	width, n := 0, 0
	for _, r := range s {
		width++
		if r >= 0x1100 {
			width++
		}
		if width > room {
			return prose.Clean(s, n+1)
		}
		n++
	}
	return s
}

func box(w, h int) string { return "0 0 " + strconv.Itoa(w) + " " + strconv.Itoa(h) }
