package letter

import (
	"strings"

	"colophon/internal/prose"
)

// draft is a letter in the making, for both of its forms.
type draft struct {
	headline string
	parts    []part
}

// part is a paragraph, or a link with a label.
type part struct {
	text  string
	href  string
	quiet bool // secondary text
}

func (d *draft) add(text string)             { d.parts = append(d.parts, part{text: text}) }
func (d *draft) addQuiet(text string)        { d.parts = append(d.parts, part{text: text, quiet: true}) }
func (d *draft) addLink(label, href string)  { d.parts = append(d.parts, part{text: label, href: href}) }
func (d *draft) addTitle(headline, s string) { d.headline = headline; d.add(s) }

// text returns the letter in plain text, lines ended by line feeds.
func (d *draft) text() string {
	var out []string
	for _, p := range d.parts {
		if p.href != "" {
			p.text += ":\n" + p.href
		}
		out = append(out, p.text)
	}
	return strings.Join(out, "\n\n") + "\n"
}

// html returns the letter in HTML. It loads nothing, and its styles are where
// e-mail programs look for them.
func (d *draft) html() string {
	title := prose.AppendHTML(nil, d.headline)
	b := append([]byte(`<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>`), title...)
	b = append(b, `</title></head><body style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif;color:#1c1a17;background:#ffffff"><h1 style="font-size:20px;margin:0 0 16px">`...)
	b = append(append(b, title...), "</h1>"...)
	for _, p := range d.parts {
		switch {
		case p.href != "":
			b = prose.AppendHTML(append(b, `<p><a style="color:#0b5394" href="`...), p.href)
			b = prose.AppendHTML(append(b, `">`...), p.text)
			b = append(b, "</a></p>"...)
			continue
		case p.quiet:
			b = append(b, `<p style="color:#5b564e">`...)
		default:
			b = append(b, "<p>"...)
		}
		b = append(prose.AppendHTML(b, p.text), "</p>"...)
	}
	return string(append(b, "</body></html>\n"...))
}
