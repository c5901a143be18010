package demo

import (
	"fmt"
	"strings"

	"colophon/exports"
)

// articles is the sheet from which the pages of a site are composed: topics
// and subjects, each pair of which is a page; asides that may stand in any of
// them; and pages written out.
type articles struct {
	place     *place
	language  string
	format    string
	route     string // how the path is made: slug, native
	bylines   []string
	withdrawn map[string]bool
	years     [2]int
	topics    []part
	subjects  []part
	asides    []string
}

// part is a topic or a subject. Its sentences may have slots in braces: the
// name of a field of the subject, or "low-high" for a drawn number.
type part struct {
	slug, title, section, format string
	terms, sentences             []string
	slots                        map[string]string
}

func (a *articles) read(b *block) {
	if a.language == "" && b.kind != "articles" {
		b.fault("the block [articles] stands first")
	}
	switch b.kind {
	case "articles":
		a.head(b)
	case "topic":
		a.topics = append(a.topics, part{
			slug: b.key, title: b.need("title"), section: b.need("section"), format: b.take("format"), terms: b.list("terms"), sentences: b.items,
		})
	case "subject":
		a.subjects = append(a.subjects, subject(b))
	case "asides":
		a.asides = append(a.asides, b.items...)
	case "page":
		a.written(b)
	default:
		b.fault("the kind %q is unknown", b.kind)
	}
}

func (a *articles) head(b *block) {
	a.language, a.bylines, a.withdrawn = b.need("language"), split(b.take("bylines"), ";"), map[string]bool{}
	a.format = b.word("format", exports.ContentFormats)
	a.route = b.word("paths", []string{"slug", "native"})
	for _, slug := range b.list("withdrawn") {
		a.withdrawn[slug] = true
	}
	a.years = [2]int{int(b.number("first")), int(b.number("last"))}
	if a.years[0] < 1995 || a.years[1] < a.years[0] || a.years[1] > 2026 {
		b.fault("the years %v make no sense", a.years)
	}
}

func subject(b *block) part {
	p := part{slug: b.key, terms: b.list("terms"), sentences: b.items, slots: map[string]string{}}
	for _, name := range append([]string(nil), b.names...) {
		p.slots[name] = b.take(name)
	}
	if p.slots["name"] == "" {
		b.fault("the field \"name\" is missing")
	}
	return p
}

// compose makes a page of each topic and subject.
func (a *articles) compose() error {
	for _, t := range a.topics {
		for _, s := range a.subjects {
			if err := a.pair(t, s); err != nil {
				return fmt.Errorf("%s of %s: %w", t.slug, s.slug, err)
			}
		}
	}
	for slug := range a.withdrawn {
		if !a.place.withdrew(slug) {
			return fmt.Errorf("the withdrawn page %q does not exist", slug)
		}
	}
	return nil
}

func (a *articles) pair(t, s part) error {
	slug := t.slug + "-" + s.slug
	d := drawFor(a.place.site.SiteID + "/" + slug)
	half := len(t.sentences) / 2
	asides := d.pick(a.asides, 3)
	paragraphs := [][]string{t.sentences[:half], d.pick(s.sentences, max(3, len(s.sentences)-1)), t.sentences[half:], asides}
	j := draft{
		slug: slug, section: t.section, terms: append(append([]string(nil), t.terms...), s.terms...), language: a.language, format: a.format,
		withdrawn: a.withdrawn[slug],
	}
	if t.format != "" {
		j.format = t.format
	}
	var err error
	if j.title, err = fill(t.title, s.slots, d); err != nil {
		return err
	}
	for _, sentences := range paragraphs {
		text, err := a.paragraph(sentences, s.slots, d)
		if err != nil {
			return err
		}
		if text != "" {
			j.paragraphs = append(j.paragraphs, text)
		}
	}
	j.byline = d.pick(a.bylines, []int{0, 1, 1, 1, 2}[d.below(5)])
	a.date(&j, d)
	return a.place.register(j, a.route)
}

// paragraph makes a text of sentences. Chinese and Japanese have no space
// between them.
func (a *articles) paragraph(sentences []string, slots map[string]string, d *draw) (string, error) {
	filled := make([]string, len(sentences))
	for i, text := range sentences {
		var err error
		if filled[i], err = fill(text, slots, d); err != nil {
			return "", err
		}
	}
	if a.language == "zh" || a.language == "ja" {
		return strings.Join(filled, ""), nil
	}
	return strings.Join(filled, " "), nil
}
