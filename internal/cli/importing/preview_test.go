package importing

import (
	"strings"
	"testing"

	"colophon/internal/assert"
)

func TestWrapText(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"", []string{""}},
		{"ebb and flow", []string{"ebb and", "flow"}},
		{"ebb flow", []string{"ebb flow"}},
		{"tidewatercraft", []string{"tidewate", "rcraft"}},
		{"a tidewatercraft", []string{"a tidewa", "tercraft"}}, // breaking at a space that early would leave the line empty
		{"潮汐表と港", []string{"潮汐表と", "港"}},                       // two cells each
		{"éééééééé", []string{"éééééééé"}},                     // marks take no cell
		{"ab\x1b[31mcd", []string{"ab [31mc", "d"}},            // a control character becomes a space
	} {
		assert.EqualSlices(t, wrapText(c.text, 8), c.want, "%q", c.text)
	}
	assert.Equal(t, padText("潮汐", 6), "潮汐"+strings.Repeat(" ", 2), "padded to")
}
