package channel

import (
	"bytes"
	"encoding/xml"
	"slices"
	"strings"

	"colophon/exports"
)

// rslContent writes one content element, with prefix "rsl:" inside a feed.
func (w *packer) rslContent(b *bytes.Buffer, r *region, s *rslSpeech, ns string) {
	e := rslWriter{b: b, ns: ns, w: w}
	attrs := ` url="` + escape(r.prefix+"*") + `"`
	if ns != "" {
		attrs = ` url=""`
	}
	if w.p.LastModified != "" {
		attrs += ` lastmod="` + escape(w.p.LastModified) + `"`
	}
	e.open(1, "content", attrs)
	for _, o := range r.offers {
		if words := s.sold[o.LicenseID]; len(words) > 0 {
			e.sale(o, words, s.prohibits)
		}
	}
	e.licence(s.credit, s.prohibits, "attribution")
	e.licence(s.free, s.prohibits, "free")
	if !s.closed() {
		// A licence that lists nothing permits everything, so it prohibits it.
		e.licence(nil, []string{"all"}, "")
	}
	holder := orWord(w.p.Holder, w.p.Name)
	e.line(2, "copyright", ` type="organization" contactUrl="`+escape(w.p.RequestURL)+`"`, holder)
	if terms := onlyTerms(r.offers); terms != "" {
		e.line(2, "terms", "", terms)
	}
	e.close(1, "content")
}

// onlyTerms gives the terms of a content element, which can name one URL.
func onlyTerms(offers []*exports.Offer) string {
	var urls []string
	for _, o := range offers {
		if o.Terms != nil {
			urls = append(urls, o.Terms.URL)
		}
	}
	if urls = sortedSet(urls); len(urls) == 1 {
		return urls[0]
	}
	return ""
}

type rslWriter struct {
	b  *bytes.Buffer
	ns string
	w  *packer
}

func (e *rslWriter) open(depth int, name, attrs string) {
	e.b.WriteString(strings.Repeat("  ", depth) + "<" + e.ns + name + attrs + ">\n")
}

func (e *rslWriter) close(depth int, name string) {
	e.b.WriteString(strings.Repeat("  ", depth) + "</" + e.ns + name + ">\n")
}

func (e *rslWriter) line(depth int, name, attrs, text string) {
	e.b.WriteString(strings.Repeat("  ", depth) + "<" + e.ns + name + attrs + ">" + escape(text) + "</" + e.ns + name + ">\n")
}

func (e *rslWriter) tokens(name, kind string, words []string) {
	if len(words) > 0 {
		e.line(3, name, ` type="`+kind+`"`, strings.Join(words, " "))
	}
}

// licence writes a free licence, or one that only prohibits. Every licence
// carries the prohibitions of its content: a client may take any of them.
func (e *rslWriter) licence(permits, prohibits []string, payment string) {
	if len(permits) == 0 && payment != "" {
		return
	}
	e.open(2, "license", "")
	e.tokens("permits", "usage", permits)
	e.tokens("prohibits", "usage", prohibits)
	if payment != "" {
		e.b.WriteString(`      <` + e.ns + `payment type="` + payment + "\"/>\n")
	}
	e.line(3, "legal", ` type="contact"`, e.w.p.RequestURL)
	e.close(2, "license")
}

// sale writes the licence of an offer: custom is the publisher's own process,
// here the inquiry.
func (e *rslWriter) sale(o *exports.Offer, words, prohibits []string) {
	e.open(2, "license", "")
	e.tokens("permits", "usage", words)
	e.tokens("permits", "user", rslUsers(o.UserTypes))
	e.tokens("permits", "geo", o.Territories)
	e.tokens("prohibits", "usage", prohibits)
	e.tokens("prohibits", "geo", o.NotIn)
	e.open(3, "payment", ` type="`+rslPayment(o.Payment.Model)+`"`)
	e.line(4, "custom", "", e.w.p.RequestURL)
	if o.Payment.Amount != "" && o.Payment.Currency != "" {
		e.line(4, "amount", ` currency="`+escape(o.Payment.Currency)+`"`, o.Payment.Amount)
	}
	e.close(3, "payment")
	if profile := o.Obligations.ReportingProfile; plainURL(profile) {
		attrs := ` type="telemetry" profile="` + escape(profile) + `"`
		if plainURL(o.Obligations.ReportingEndpoint) {
			attrs += ` endpoint="` + escape(o.Obligations.ReportingEndpoint) + `"`
		}
		e.b.WriteString("      <" + e.ns + "reporting" + attrs + "/>\n")
	}
	e.line(3, "legal", ` type="contact"`, e.w.p.RequestURL)
	e.close(2, "license")
}

// rslPayment is the type of payment of a licence that has to be asked for. An
// offer without a price is still an agreement: what RSL calls free is not.
func rslPayment(model string) string {
	switch model {
	case "", "free", "attribution":
		return "purchase"
	}
	return model
}

func rslUsers(types []string) []string {
	out := slices.Clone(types)
	for i := range out {
		out[i] = strings.ReplaceAll(out[i], "_", "-")
	}
	return out
}

func escape(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a strings.Builder does not fail
	return b.String()
}
