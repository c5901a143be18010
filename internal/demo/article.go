package demo

import (
	"fmt"
	"strings"

	"colophon/exports"
)

// articles is the sheet from which the pages of a site are composed: topics and
// subjects, of which each pair makes a page; asides, which may stand in any
// page; and pages written out in full.
type articles struct {
	place     *place
	language  string
	format    string
	route     string // how the path is made: slug or native
	bylines   []string
	withdrawn map[string]bool
	moved     map[string]string // slugs of withdrawn pages to their successors' slugs
	years     [2]int
	topics    []part
	subjects  []part
	asides    []string
}

// part is a topic or a subject. Its sentences may have slots in braces: the
// name of a field of the subject, or "low-high" for a random number.
type part struct {
	slug, title, section, format string
	terms, sentences             []string
	slots                        map[string]string
}

func (a *articles) readBlock(b *block) {
	if a.language == "" && b.kind != "articles" {
		b.setFault("the block [articles] stands first")
	}
	switch b.kind {
	case "articles":
		a.readHead(b)
	case "topic":
		a.topics = append(a.topics, part{
			slug: b.key, title: b.needField("title"), section: b.needField("section"), format: b.takeField("format"), terms: b.listField("terms"), sentences: b.items,
		})
	case "subject":
		a.subjects = append(a.subjects, readSubject(b))
	case "asides":
		a.asides = append(a.asides, b.items...)
	case "page":
		a.readWritten(b)
	default:
		b.setFault("the kind %q is unknown", b.kind)
	}
}

func (a *articles) readHead(b *block) {
	a.language = b.needField("language")
	a.bylines = splitList(b.takeField("bylines"), ";")
	a.withdrawn = map[string]bool{}
	a.format = b.wordField("format", exports.ContentFormats)
	a.route = b.wordField("paths", []string{"slug", "native"})
	a.moved = map[string]string{}
	for _, item := range b.listField("moved") {
		slug, successor, _ := strings.Cut(item, " > ")
		a.moved[slug] = successor
	}
	for _, slug := range b.listField("withdrawn") {
		a.withdrawn[slug] = true
	}
	a.years = [2]int{int(b.numberField("first")), int(b.numberField("last"))}
	if a.years[0] < 1995 || a.years[1] < a.years[0] || a.years[1] > 2026 {
		b.setFault("the years %v make no sense", a.years)
	}
}

func readSubject(b *block) part {
	p := part{slug: b.key, terms: b.listField("terms"), sentences: b.items, slots: map[string]string{}}
	for _, name := range append([]string(nil), b.names...) {
		p.slots[name] = b.takeField(name)
	}
	if p.slots["name"] == "" {
		b.setFault("the field \"name\" is missing")
	}
	return p
}

// composePages makes a page of each pair of topic and subject.
func (a *articles) composePages() error {
	for _, t := range a.topics {
		for _, s := range a.subjects {
			if err := a.composePage(t, s); err != nil {
				return fmt.Errorf("%s of %s: %w", t.slug, s.slug, err)
			}
		}
	}
	for slug := range a.withdrawn {
		if !a.place.hasWithdrawn(slug) {
			return fmt.Errorf("the withdrawn page %q does not exist", slug)
		}
	}
	for slug, successor := range a.moved {
		if !a.place.movePage(slug, successor) {
			return fmt.Errorf("the page %q cannot have moved to %q", slug, successor)
		}
	}
	return nil
}

func (a *articles) composePage(t, s part) error {
	slug := t.slug + "-" + s.slug
	d := drawFor(a.place.site.SiteID + "/" + slug)
	half := len(t.sentences) / 2
	asides := d.drawItems(a.asides, 3)
	paragraphs := [][]string{t.sentences[:half], d.drawItems(s.sentences, max(3, len(s.sentences)-1)), t.sentences[half:], asides}
	j := draft{
		slug: slug, section: t.section, terms: append(append([]string(nil), t.terms...), s.terms...), language: a.language, format: a.format,
		withdrawn: a.withdrawn[slug],
	}
	if t.format != "" {
		j.format = t.format
	}
	var err error
	if j.title, err = fillSlots(t.title, s.slots, d); err != nil {
		return err
	}
	for _, sentences := range paragraphs {
		text, err := a.composeParagraph(sentences, s.slots, d)
		if err != nil {
			return err
		}
		if text != "" {
			j.paragraphs = append(j.paragraphs, text)
		}
	}
	j.byline = d.drawItems(a.bylines, []int{0, 1, 1, 1, 2}[d.drawBelow(5)])
	a.drawDates(&j, d)
	return a.place.registerPage(j, a.route)
}

// composeParagraph joins sentences to a text. Chinese and Japanese have no
// space between them.
func (a *articles) composeParagraph(sentences []string, slots map[string]string, d *draw) (string, error) {
	filled := make([]string, len(sentences))
	for i, text := range sentences {
		var err error
		if filled[i], err = fillSlots(text, slots, d); err != nil {
			return "", err
		}
	}
	if a.language == "zh" || a.language == "ja" {
		return strings.Join(filled, ""), nil
	}
	return strings.Join(filled, " "), nil
}
