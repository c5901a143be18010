package corpus

import (
	"strconv"
	"strings"

	"colophon/exports"
	"colophon/generator/index"
	"colophon/internal/provenance"
)

// Page makes page i, from 0.
func (c *Corpus) Page(i int) index.Entry {
	p := c.of(i)
	r := newStream(c.Seed, kindPage, uint64(i))
	category := p.categories[r.n(len(p.categories))]
	words := make([]string, 4+r.n(5)+r.n(5))
	for k := range words {
		words[k] = c.token(&r, p, category)
	}
	var d exports.Doc
	d.SiteID, d.Publisher, d.LicenseIDs, d.RightsVector = p.id, p.name, p.licenses, p.vector
	d.Section = sections[min(r.n(8), r.n(8))]
	d.Terms = []string{Categories[category]}
	for range r.n(4) {
		d.Terms = append(d.Terms, c.words[generalWords+category*categoryWords+(p.niche+c.niche.draw(&r))%categoryWords])
	}
	d.ContentFormat = exports.ContentFormats[min(r.n(8), r.n(8))]
	d.Language = languages[r.n(len(languages))]
	d.WordCount = int64(200 + r.n(2000))
	at := int64(r.n(6 * 365 * 86400))
	d.PublishedAt, d.ModifiedAt, d.RegisteredAt = stamp(at), stamp(at+int64(r.n(86400*30))), stamp(at+86400)
	slug := ascii(strings.Join(words[:min(len(words), 6)], "-"))
	d.URL = "https://" + p.host + "/" + d.Section + "/" + d.PublishedAt[:4] + "/" + slug + "-" + strconv.Itoa(i)
	for k, w := range words {
		if k == 0 || len(w) > 3 {
			words[k] = capital(w)
		}
	}
	d.Title = strings.Join(words, " ")
	d.EntryID = provenance.EntryID(d.SiteID, d.URL)
	d.Digest = c.digest(i, 0)
	return index.Entry{Doc: d, Registry: c.digest(i, 1), RecordVersion: 1, RecordSHA256: c.digest(i, 2), LedgerIndex: int64(i)}
}

func (c *Corpus) digest(i, kind int) string {
	r := newStream(c.Seed, kindDigest, uint64(i*4+kind))
	b := make([]byte, 64)
	for k := range b {
		b[k] = "0123456789abcdef"[r.next()>>60]
	}
	return string(b)
}

// Text makes a text for page i, about a thousand characters.
func (c *Corpus) Text(i int) string {
	p := c.of(i)
	r := newStream(c.Seed, kindText, uint64(i))
	var b strings.Builder
	for b.Len() < 1000 {
		for k := range 8 + r.n(12) {
			w := c.token(&r, p, p.categories[0])
			if k == 0 {
				w = capital(w)
			} else {
				b.WriteByte(' ')
			}
			b.WriteString(w)
		}
		b.WriteString(". ")
	}
	return strings.TrimSpace(b.String())
}
