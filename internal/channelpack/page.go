package channelpack

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"colophon/internal/channel"
	"colophon/internal/channel/statements"
	"colophon/internal/wire"
)

// writePage writes what goes into the head of every page.
func (w *packer) writePage() {
	s := w.all.chooseWords(statements.TDMRep, false, tdmWords...)
	consent := w.canConsent(w.all, s) && slices.Contains(w.consents, true)
	var b bytes.Buffer
	if w.licensed {
		b.WriteString(`<link rel="license" type="` + channel.RSLMediaType + `" href="` + escapeXML(w.licenseURL()) + "\">\n")
	}
	switch s.effectOf("reservation") {
	case statements.Allow:
		b.WriteString("<meta name=\"tdm-reservation\" content=\"0\">\n")
	case statements.Disallow:
		b.WriteString("<meta name=\"tdm-reservation\" content=\"1\">\n")
		if consent {
			b.WriteString(`<meta name="tdm-policy" content="` + escapeXML(w.policyURL()) + "\">\n")
		}
	}
	b.WriteString(`<script type="application/ld+json">` + scriptJSON(w.schemaOrg()) + "</script>\n")
	w.addFile(FileHTML, "text/html", b.Bytes())
	w.lostEverywhere(FileHTML, statements.TDMRep, tdmWords, w.tdmEffects(s, consent))
}

func (w *packer) schemaOrg() wire.Value {
	terms := onlyTerms(w.all.offers)
	if terms == "" && w.licensed {
		terms = w.licenseURL()
	}
	if terms == "" {
		terms = w.p.RequestURL
	}
	return wire.Object(
		wire.M("@context", wire.String("https://schema.org")),
		wire.M("@type", wire.String("WebPage")),
		wire.M("acquireLicensePage", wire.String(w.p.RequestURL)),
		wire.M("copyrightHolder", wire.Object(wire.M("@type", wire.String("Organization")), wire.M("name", wire.String(cmp.Or(w.p.Holder, w.p.Name))))),
		wire.M("license", wire.String(terms)),
		wire.M("usageInfo", wire.String(w.p.ServiceURL+"/rights-map/"+w.p.SiteID+"/")),
	)
}

// scriptJSON keeps text from closing the script element.
func scriptJSON(v wire.Value) string {
	return strings.ReplaceAll(string(v.Append(nil)), "<", `\u003c`)
}

// feedItem writes an rsl:content for the items of a feed. An item may be
// anywhere on the site, so it says what applies everywhere.
func (w *packer) feedItem() {
	s := w.all.speakRSL()
	if s.isSilent() {
		w.lostEverywhere(FileRSS, statements.RSL, append(rslWords, "ai-all"), [8]statements.Effect{})
		return
	}
	var b bytes.Buffer
	w.rslContent(&b, w.all, s, "rsl:")
	w.addFile(FileRSS, "application/xml", b.Bytes())
	var said [8]statements.Effect
	for i := range said {
		said[i] = rslEffect([]*rslSpeech{s}, i)
	}
	w.lostEverywhere(FileRSS, statements.RSL, append(rslWords, "ai-all"), said)
}
