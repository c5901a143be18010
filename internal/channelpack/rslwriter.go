package channelpack

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"slices"
	"strings"

	"colophon/exports"
	"colophon/internal/channel/statements"
)

// rslContent writes one content element, with prefix "rsl:" inside a feed.
func (w *packer) rslContent(b *bytes.Buffer, r *region, s *rslSpeech, ns string) {
	e := rslWriter{b: b, ns: ns, w: w}
	attrs := ` url="` + escapeXML(r.prefix+"*") + `"`
	if ns != "" {
		attrs = ` url=""`
	}
	if w.p.LastModified != "" {
		attrs += ` lastmod="` + escapeXML(w.p.LastModified) + `"`
	}
	e.openElement(1, "content", attrs)
	for _, o := range r.offers {
		if words := s.sold[o.LicenseID]; len(words) > 0 {
			e.writeOffer(o, words, s.prohibits)
		}
	}
	e.writeLicence(s.credit, s.prohibits, "attribution")
	e.writeLicence(s.free, s.prohibits, "free")
	if !s.isClosed() {
		// A licence that lists nothing permits everything, so it prohibits it.
		e.writeLicence(nil, []string{"all"}, "")
	}
	holder := cmp.Or(w.p.Holder, w.p.Name)
	e.writeElement(2, "copyright", ` type="organization" contactUrl="`+escapeXML(w.p.RequestURL)+`"`, holder)
	if terms := onlyTerms(r.offers); terms != "" {
		e.writeElement(2, "terms", "", terms)
	}
	e.closeElement(1, "content")
}

// onlyTerms returns the terms of a content element, which can name one URL.
func onlyTerms(offers []*exports.Offer) string {
	var urls []string
	for _, o := range offers {
		if o.Terms != nil {
			urls = append(urls, o.Terms.URL)
		}
	}
	if urls = statements.SortedSet(urls); len(urls) == 1 {
		return urls[0]
	}
	return ""
}

type rslWriter struct {
	b  *bytes.Buffer
	ns string
	w  *packer
}

func (e *rslWriter) openElement(depth int, name, attrs string) {
	e.b.WriteString(strings.Repeat("  ", depth) + "<" + e.ns + name + attrs + ">\n")
}

func (e *rslWriter) closeElement(depth int, name string) {
	e.b.WriteString(strings.Repeat("  ", depth) + "</" + e.ns + name + ">\n")
}

func (e *rslWriter) writeElement(depth int, name, attrs, text string) {
	e.b.WriteString(strings.Repeat("  ", depth) + "<" + e.ns + name + attrs + ">" + escapeXML(text) + "</" + e.ns + name + ">\n")
}

func (e *rslWriter) writeTokens(name, kind string, words []string) {
	if len(words) > 0 {
		e.writeElement(3, name, ` type="`+kind+`"`, strings.Join(words, " "))
	}
}

// writeLicence writes a free licence, or one that only prohibits. Every licence
// includes the prohibitions of its content, because a client may choose any of
// them.
func (e *rslWriter) writeLicence(permits, prohibits []string, payment string) {
	if len(permits) == 0 && payment != "" {
		return
	}
	e.openElement(2, "license", "")
	e.writeTokens("permits", "usage", permits)
	e.writeTokens("prohibits", "usage", prohibits)
	if payment != "" {
		e.b.WriteString(`      <` + e.ns + `payment type="` + payment + "\"/>\n")
	}
	e.writeElement(3, "legal", ` type="contact"`, e.w.p.RequestURL)
	e.closeElement(2, "license")
}

// writeOffer writes the licence of an offer: custom is the publisher's own process,
// here the inquiry.
func (e *rslWriter) writeOffer(o *exports.Offer, words, prohibits []string) {
	e.openElement(2, "license", "")
	e.writeTokens("permits", "usage", words)
	e.writeTokens("permits", "user", rslUsers(o.UserTypes))
	e.writeTokens("permits", "geo", o.Territories)
	e.writeTokens("prohibits", "usage", prohibits)
	e.writeTokens("prohibits", "geo", o.NotIn)
	e.openElement(3, "payment", ` type="`+rslPayment(o.Payment.Model)+`"`)
	e.writeElement(4, "custom", "", e.w.p.RequestURL)
	if o.Payment.Amount != "" && o.Payment.Currency != "" {
		e.writeElement(4, "amount", ` currency="`+escapeXML(o.Payment.Currency)+`"`, o.Payment.Amount)
	}
	e.closeElement(3, "payment")
	if profile := o.Obligations.ReportingProfile; plainURL(profile) {
		attrs := ` type="telemetry" profile="` + escapeXML(profile) + `"`
		if plainURL(o.Obligations.ReportingEndpoint) {
			attrs += ` endpoint="` + escapeXML(o.Obligations.ReportingEndpoint) + `"`
		}
		e.b.WriteString("      <" + e.ns + "reporting" + attrs + "/>\n")
	}
	e.writeElement(3, "legal", ` type="contact"`, e.w.p.RequestURL)
	e.closeElement(2, "license")
}

// rslPayment returns the type of payment of a licence that has to be asked for.
// An offer without a price still requires an agreement, so it is never what RSL
// calls free.
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

func escapeXML(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a strings.Builder does not fail
	return b.String()
}
