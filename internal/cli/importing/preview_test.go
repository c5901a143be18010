package importing

import (
	"slices"
	"strings"
	"testing"
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
		if got := wrapText(c.text, 8); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
	if got := padText("潮汐", 6); got != "潮汐"+strings.Repeat(" ", 2) {
		t.Errorf("padded to %q", got)
	}
}
