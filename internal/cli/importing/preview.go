package importing

import (
	"context"
	"fmt"
	"io"
	"strings"
	"unicode"

	"golang.org/x/text/width"

	"colophon/internal/cli"
	"colophon/internal/cli/noun"
	"colophon/internal/intake"
)

type previewOptions struct{ url, html, template string }

// previewPage shows what would be kept of one page.
func previewPage(ctx context.Context, e *cli.Env, opt intake.Options, o previewOptions) error {
	opt.Source = o.url
	store, done, err := e.OpenStore(ctx)
	if err != nil {
		return err
	}
	defer done()
	p, err := intake.PreviewPage(ctx, store, opt, o.template)
	if err != nil {
		return cli.IntakeError(err)
	}
	if o.html != "" {
		if err := cli.CreateFile(o.html, func(w io.Writer) error { return comparison(&p).Render(ctx, w) }); err != nil {
			return err
		}
		e.PrintNote("the comparison is in %s", o.html)
	}
	return e.PrintResult(p, func(w io.Writer) { printPreview(w, &p) })
}

// previewColumn is the width of each of the two columns, in cells of a terminal.
const previewColumn = 58

func printPreview(w io.Writer, p *intake.Preview) {
	for _, f := range p.Facts {
		fmt.Fprintf(w, "%-13s %s (%s, %.2f)\n", f.Name, noun.OneLine(f.Value), f.Source, f.Confidence)
	}
	for _, r := range p.Reasons {
		fmt.Fprintf(w, "%-13s %s: %s\n", "in review", r.Code, noun.OneLine(r.Detail))
	}
	fmt.Fprintf(w, "\n%s | %s\n", padText("KEPT", previewColumn), "DROPPED")
	for _, b := range p.Blocks {
		for _, line := range wrapText(b.Text, previewColumn) {
			if b.Kept {
				fmt.Fprintf(w, "%s |\n", padText(line, previewColumn))
			} else {
				fmt.Fprintf(w, "%s | %s\n", padText("", previewColumn), line)
			}
		}
	}
}

// wrapText splits a text into lines of at most limit cells, at a blank if there
// is one in the second half of a line.
func wrapText(text string, limit int) []string {
	var lines []string
	line := []rune{}
	cells := 0
	blank := 0
	for _, r := range noun.OneLine(text) {
		line, cells = append(line, r), cells+cellsOf(r)
		if r == ' ' {
			blank = len(line)
		}
		if cells <= limit {
			continue
		}
		cut := len(line) - 1
		if blank > cut/2 {
			cut = blank
		}
		lines = append(lines, strings.TrimRight(string(line[:cut]), " "))
		line = []rune(strings.TrimLeft(string(line[cut:]), " "))
		cells, blank = cellsOfText(string(line)), 0
	}
	return append(lines, string(line))
}

// padText fills a text with blanks up to a width in cells.
func padText(text string, cells int) string {
	return text + strings.Repeat(" ", max(0, cells-cellsOfText(text)))
}

func cellsOfText(text string) (n int) {
	for _, r := range text {
		n += cellsOf(r)
	}
	return n
}

// cellsOf returns how many terminal cells a character takes: Han, Kana, Hangul
// and full-width signs take two (Unicode Standard Annex 11), marks none.
func cellsOf(r rune) int {
	if unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) {
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}
