package corpus

import (
	"strconv"
	"strings"

	"colophon/exports"
	"colophon/internal/indexbuild"
	"colophon/internal/searchindex"
	"colophon/internal/urlkey"
)

// Page makes page i, from 0.
func (c *Generator) Page(i int) indexbuild.Entry {
	p := c.publisherOf(i)
	r := newStream(c.Seed, kindPage, uint64(i))
	category := p.categories[r.belowN(len(p.categories))]
	words := make([]string, 4+r.belowN(5)+r.belowN(5))
	for k := range words {
		words[k] = c.drawToken(&r, p, category)
	}
	var d searchindex.Doc
	d.SiteID = p.id
	d.Publisher = p.name
	d.LicenseIDs = p.licenses
	d.RightsVector = p.vector
	d.Section = sections[min(r.belowN(8), r.belowN(8))]
	d.Terms = []string{Categories[category]}
	for range r.belowN(4) {
		d.Terms = append(d.Terms, c.words[generalWords+category*categoryWords+(p.niche+c.niche.drawIndex(&r))%categoryWords])
	}
	d.ContentFormat = exports.ContentFormats[min(r.belowN(8), r.belowN(8))]
	d.Language = languages[r.belowN(len(languages))]
	d.WordCount = int64(200 + r.belowN(2000))
	at := int64(r.belowN(6 * 365 * 86400))
	d.PublishedAt = instantAt(at)
	d.ModifiedAt = instantAt(at + int64(r.belowN(86400*30)))
	d.RegisteredAt = instantAt(at + 86400)
	slug := asciiLabel(strings.Join(words[:min(len(words), 6)], "-"))
	d.URL = "https://" + p.host + "/" + d.Section + "/" + d.PublishedAt[:4] + "/" + slug + "-" + strconv.Itoa(i)
	for k, w := range words {
		if k == 0 || len(w) > 3 {
			words[k] = capitalize(w)
		}
	}
	d.Title = strings.Join(words, " ")
	d.EntryID = urlkey.EntryID(d.SiteID, d.URL)
	d.Digest = c.pageDigest(i, 0)
	return indexbuild.Entry{Doc: d, Registry: c.pageDigest(i, 1), RecordVersion: 1, RecordSHA256: c.pageDigest(i, 2), LedgerIndex: int64(i)}
}

func (c *Generator) pageDigest(i, kind int) string {
	r := newStream(c.Seed, kindDigest, uint64(i*4+kind))
	b := make([]byte, 64)
	for k := range b {
		b[k] = "0123456789abcdef"[r.nextUint64()>>60]
	}
	return string(b)
}

// Text makes a text for page i, about a thousand characters.
func (c *Generator) Text(i int) string {
	p := c.publisherOf(i)
	r := newStream(c.Seed, kindText, uint64(i))
	var b strings.Builder
	for b.Len() < 1000 {
		for k := range 8 + r.belowN(12) {
			w := c.drawToken(&r, p, p.categories[0])
			if k == 0 {
				w = capitalize(w)
			} else {
				b.WriteByte(' ')
			}
			b.WriteString(w)
		}
		b.WriteString(". ")
	}
	return strings.TrimSpace(b.String())
}
