package demo

import (
	"fmt"
	"html"
	"strings"
	"unicode"
	"unicode/utf8"

	"colophon/exports"
	"colophon/internal/canonicaltext"
	"colophon/internal/iscc"
	"colophon/internal/origin"
	"colophon/internal/urlkey"
)

// page is a registered page with its body.
type page struct {
	origin.Page
	slug string
	body origin.Body
}

// hasWithdrawn reports whether the page with this slug is withdrawn.
func (p *place) hasWithdrawn(slug string) bool {
	for _, x := range p.pages {
		if x.slug == slug {
			return x.State == "withdrawn"
		}
	}
	return false
}

// movePage makes an active page the successor of a withdrawn one; it returns
// false if there is no such pair.
func (p *place) movePage(slug, successor string) bool {
	for i := range p.pages {
		for j := range p.pages {
			from, to := &p.pages[i], &p.pages[j]
			if from.slug == slug && from.State == "withdrawn" && to.slug == successor && to.State == "active" {
				from.Successor, from.SuccessorURL = to.EntryID, to.CanonicalURL
				return true
			}
		}
	}
	return false
}

// draft is a page before it has an address and digests.
type draft struct {
	slug, url, title, section, language, format string
	terms, byline, paragraphs                   []string
	published, modified, registered             string
	withdrawn                                   bool
}

// readWritten reads a page that is written out in full: its items are its
// paragraphs.
func (a *articles) readWritten(b *block) {
	j := draft{
		slug: b.key, url: b.takeField("url"), title: b.needField("title"), section: b.takeField("section"), language: b.takeField("language"), format: b.takeField("format"),
		terms: b.listField("terms"), byline: splitList(b.takeField("byline"), ";"), paragraphs: b.items, published: b.instantField("published"),
		modified: b.instantField("modified"), registered: b.instantField("registered"), withdrawn: b.takeField("withdrawn") == "yes",
	}
	if j.language == "" {
		j.language = a.language
	}
	if j.format == "" {
		j.format = a.format
	}
	b.knownWord(j.format, exports.ContentFormats)
	if j.registered == "" {
		a.drawDates(&j, drawFor(a.place.site.SiteID+"/"+j.slug))
	}
	if err := a.place.registerPage(j, a.route); err != nil {
		b.setFault("%w", err)
	}
}

// drawDates draws the dates of a page that has none: it is published in the
// site's years, and registered after that and after the site was added.
func (a *articles) drawDates(j *draft, d *draw) {
	year := d.drawBetween(a.years[0], a.years[1])
	month := d.drawBetween(1, 12)
	day := d.drawBetween(1, 28)
	if year == 2026 {
		month = d.drawBetween(1, 6)
	}
	published := drawInstant(year, month, day, d)
	modified := drawInstant(min(year+d.drawBetween(0, 1), 2026), d.drawBetween(1, 6), d.drawBetween(1, 28), d)
	if j.published == "" && d.drawBelow(20) > 0 {
		j.published = published
	}
	if j.modified == "" && d.drawBelow(3) == 0 && modified > j.published && j.published != "" {
		j.modified = modified
	}
	j.registered = drawInstant(2026, d.drawBetween(1, 6), d.drawBetween(1, 28), d)
	j.registered = max(j.registered, j.published, j.modified, a.place.site.CreatedAt)
}

func drawInstant(year, month, day int, d *draw) string {
	return fmt.Sprintf("%04d-%02d-%02dT%02d:%02d:00Z", year, month, day, d.drawBetween(5, 20), d.drawBetween(0, 59))
}

// registerPage gives a draft its address and digests and adds it to the place.
func (p *place) registerPage(j draft, route string) error {
	url, err := urlkey.URLKey(p.pageAddress(j, route))
	if err != nil {
		return err
	}
	id := p.site.SiteID
	text := strings.Join(j.paragraphs, "\n\n")
	canonical, err := canonicaltext.CanonicalText(text)
	if err != nil {
		return err
	}
	x := page{slug: j.slug, Page: origin.Page{
		EntryID: urlkey.EntryID(id, url), SiteID: id, CanonicalURL: url, Title: j.title, Byline: j.byline, Section: j.section, Terms: j.terms,
		Language: j.language, ContentFormat: j.format, WordCount: countWords(text), PublishedAt: j.published, ModifiedAt: j.modified,
		RegisteredAt: j.registered, ChangedAt: j.registered, State: "active", Extraction: "written",
	}}
	if j.withdrawn {
		x.State, x.ChangedAt = "withdrawn", max(j.registered, withdrawnAt)
	}
	if utf8.RuneCountInString(canonical) >= canonicaltext.MinTextRunes {
		x.Portable = canonicaltext.PortableDigest([]byte(canonical))
		x.ISCC = iscc.Sum(canonical).String()
		x.Registry = urlkey.RegistryDigest(id, x.EntryID, url, x.Portable)
	}
	x.body = origin.Body{EntryID: x.EntryID, Text: text, Markdown: renderMarkdown(j), HTML: renderHTML(j), SHA256: hexDigest(text), ChangedAt: j.registered}
	p.pages = append(p.pages, x)
	return nil
}

// withdrawnAt is when the withdrawn pages of the demo were withdrawn.
const withdrawnAt = "2026-07-06T09:30:00Z"

// pageAddress makes the address of a draft: section and slug, or section and the
// title in its own script.
func (p *place) pageAddress(j draft, route string) string {
	last := j.slug
	switch {
	case j.url != "":
		return j.url
	case route == "native":
		last = nativeSlug(j.title)
	}
	if j.section == "" {
		return p.site.SiteURL + last
	}
	return p.site.SiteURL + j.section + "/" + last
}

// nativeSlug keeps letters, marks and digits and puts "-" between words.
func nativeSlug(title string) string {
	words := strings.FieldsFunc(strings.ToLower(title), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r)
	})
	return strings.Join(words, "-")
}

// countWords counts words between spaces, and each character of Chinese and
// Japanese text as one.
func countWords(text string) int64 {
	n, inside := int64(0), false
	for _, r := range text {
		switch {
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana):
			n, inside = n+1, false
		case unicode.IsSpace(r) || !inside && !unicode.IsLetter(r) && !unicode.IsDigit(r):
			inside = false
		case !inside:
			n, inside = n+1, true
		}
	}
	return n
}

var markdownEscapes = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "<", `\<`, ">", `\>`, "[", `\[`, "]", `\]`, "#", `\#`)

func renderMarkdown(j draft) string {
	var b strings.Builder
	b.WriteString("# " + markdownEscapes.Replace(j.title) + "\n")
	for _, p := range j.paragraphs {
		b.WriteString("\n" + markdownEscapes.Replace(p) + "\n")
	}
	return b.String()
}

func renderHTML(j draft) string {
	var b strings.Builder
	b.WriteString("<article lang=\"" + html.EscapeString(j.language) + "\">\n<h1>" + html.EscapeString(j.title) + "</h1>\n")
	for _, p := range j.paragraphs {
		b.WriteString("<p>" + html.EscapeString(p) + "</p>\n")
	}
	b.WriteString("</article>\n")
	return b.String()
}
