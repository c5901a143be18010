package main

import (
	"context"
	"fmt"
	"html/template"
	"io"
	"os"
	"strings"

	"colophon/generator/intake"
)

type previewOptions struct{ url, html, template string }

// previewPage shows what would be kept of one page.
func (e *env) previewPage(ctx context.Context, opt intake.Options, o previewOptions) error {
	s, err := e.readSettings()
	if err != nil {
		return err
	}
	if opt.Contact == "" {
		opt.Contact = s.Contact
	}
	opt.Source = o.url
	store, done, err := e.openStore(ctx)
	if err != nil {
		return err
	}
	defer done()
	p, err := intake.PreviewPage(ctx, store, opt, o.template)
	if err != nil {
		return intakeError(err)
	}
	if o.html != "" {
		if err := writePreview(o.html, &p); err != nil {
			return err
		}
		e.printNote("the comparison is in %s", o.html)
	}
	return e.printResult(previewRow(&p), func(w io.Writer) { printPreview(w, &p) })
}

func previewRow(p *intake.Preview) map[string]any {
	var blocks, facts, reasons []map[string]any
	for _, b := range p.Blocks {
		blocks = append(blocks, map[string]any{"text": b.Text, "kept": b.Kept})
	}
	for _, f := range p.Facts {
		facts = append(facts, map[string]any{"name": f.Name, "value": f.Value, "source": f.Source, "confidence": f.Confidence})
	}
	for _, r := range p.Reasons {
		reasons = append(reasons, map[string]any{"code": r.Code, "detail": r.Detail})
	}
	return map[string]any{"url": p.URL, "template": p.Template, "how": p.How, "facts": facts, "review": reasons, "blocks": blocks}
}

// previewColumn is the width of each of the two columns, in characters.
const previewColumn = 58

func printPreview(w io.Writer, p *intake.Preview) {
	for _, f := range p.Facts {
		fmt.Fprintf(w, "%-13s %s (%s, %.2f)\n", f.Name, f.Value, f.Source, f.Confidence)
	}
	for _, r := range p.Reasons {
		fmt.Fprintf(w, "%-13s %s: %s\n", "in review", r.Code, r.Detail)
	}
	fmt.Fprintf(w, "\n%-*s | %s\n", previewColumn, "KEPT", "DROPPED")
	for _, b := range p.Blocks {
		for _, line := range wrapText(b.Text, previewColumn) {
			if b.Kept {
				fmt.Fprintf(w, "%-*s |\n", previewColumn, line)
			} else {
				fmt.Fprintf(w, "%-*s | %s\n", previewColumn, "", line)
			}
		}
	}
}

// wrapText cuts a text into lines of at most width characters.
func wrapText(text string, width int) []string {
	var lines []string
	runes := []rune(stripControls(text))
	for len(runes) > width {
		cut := width
		for i := width; i > width/2; i-- {
			if runes[i] == ' ' {
				cut = i
				break
			}
		}
		lines = append(lines, string(runes[:cut]))
		runes = []rune(strings.TrimLeft(string(runes[cut:]), " "))
	}
	return append(lines, string(runes))
}

// stripControls drops what a terminal would act on: pages are foreign data.
func stripControls(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			return -1
		}
		return r
	}, text)
}

var previewPageTemplate = template.Must(template.New("preview").Parse(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>What is kept of {{.URL}}</title>
<style>body{font:16px/1.5 system-ui;margin:2rem}table{border-collapse:collapse;width:100%;table-layout:fixed}td,th{vertical-align:top;padding:.2rem .6rem;text-align:left;overflow-wrap:anywhere}
td.kept{background:#eaf6ea}td.dropped{background:#f9e9e9}</style></head><body>
<h1>What is kept of {{.URL}}</h1>
<dl>{{range .Facts}}<dt>{{.Name}}</dt><dd>{{.Value}} ({{.Source}}, {{.Confidence}})</dd>{{end}}</dl>
{{range .Reasons}}<p><strong>In review</strong>: {{.Code}}: {{.Detail}}</p>{{end}}
<table><thead><tr><th>Kept</th><th>Dropped</th></tr></thead><tbody>
{{range .Blocks}}<tr>{{if .Kept}}<td class="kept">{{.Text}}</td><td></td>{{else}}<td></td><td class="dropped">{{.Text}}</td>{{end}}</tr>
{{end}}</tbody></table></body></html>
`))

func writePreview(name string, p *intake.Preview) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	if err := previewPageTemplate.Execute(f, p); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
