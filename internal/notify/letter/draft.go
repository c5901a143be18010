package letter

import (
	"context"
	"strings"

	"github.com/a-h/templ"
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

// html returns the letter in HTML. Writing it into memory does not fail.
func (d *draft) html() string {
	page, _ := templ.ToGoHTML(context.Background(), d.page())
	return string(page) + "\n"
}
