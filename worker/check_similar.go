package worker

import (
	"cmp"
	"context"
	"errors"

	"colophon/exports"
	"colophon/internal/iscc"
	"colophon/internal/staticindex"
)

// alikeShown is how many pages of like wording the check page shows.
const alikeShown = 10

// answerCode shows the registered pages whose texts are like the one that a
// similarity code was made of. The verdicts on each are a question of its own:
// like wording is not the same page.
func (c *call) answerCode(ctx context.Context, box boxed, asked values) (*markup, int, error) {
	m := &markup{}
	code, err := iscc.Parse(box.value)
	if err != nil {
		m.addElement("h2", "This ISCC is of a kind that is not kept here")
		return m.addElement("p", "Only ISCC Text-Codes of 256 bits are compared, those that begin with ISCC:EAD. Give the address of the page, or its whole text."), 200, nil
	}
	found, tooMany, err := c.findAlike(ctx, code)
	if err != nil {
		return nil, 0, err
	}
	switch {
	case tooMany:
		m.addElement("h2", "Too many registered pages have wording like this")
		return m.addElement("p", "They share a passage that stands on very many pages. Give the address of the page, or its whole text."), 200, nil
	case len(found) == 0:
		m.addElement("h2", "No registered page has wording like this")
		m.addTag(`<p><strong>That says nothing about rights.</strong> A page that is not registered is not free to use.</p>`)
	default:
		m.addElement("h2", exports.Counted(int64(len(found)), "registered page has", "registered pages have")+" wording like this")
		m.addElement("p", "Like wording proves neither copying nor ownership, and none is picked for you. Choose the page that you mean to see who may use it for what.")
		alikeList(m, found, askedAudience(asked))
	}
	m.addTag(`<p class="note"><a href="`).addText(exports.PathSimilar + "?iscc=" + string(staticindex.AppendEscaped(nil, code.String())))
	return m.addTag(`" type="application/json">This answer as JSON</a></p>`), 200, nil
}

// findAlike finds the pages of like wording; tooMany, when they are more than
// are compared.
func (c *call) findAlike(ctx context.Context, code iscc.Code) (list []exports.SimilarCandidate, tooMany bool, err error) {
	found, err := c.deps.catalog.Similar(ctx, code, usualSimilarity)
	var refused *staticindex.Error
	if errors.As(err, &refused) && refused.Code == "invalid_parameter" {
		return nil, true, nil
	}
	if err != nil {
		return nil, false, err
	}
	return found.Candidates, false, nil
}

// alikeList lists pages of like wording, those most alike first.
func alikeList(m *markup, found []exports.SimilarCandidate, audience string) {
	m.addTag(`<ol class="entries">`)
	for i := range found[:min(alikeShown, len(found))] {
		x := &found[i].Candidate
		m.addTag(`<li><h3><a href="`).addText(exports.PathCheckPage + "?q=" + x.EntryID + audience).addTag(`"><bdi>`).addText(cmp.Or(exports.Clean(x.Title, 300), "Untitled page")).addTag(`</bdi></a></h3><p class="meta"><a href="`)
		m.addText(exports.PublisherPage(x.SiteID)).addTag(`"><bdi>`).addText(cmp.Or(exports.Clean(x.Publisher, 120), x.SiteID)).addTag("</bdi></a> <span><bdi>").addText(exports.ShortURL(x.CanonicalURL))
		m.addTag("</bdi></span> <span>").addText(alikeWords(found[i].Similarity)).addTag("</span>")
		if x.Withdrawn {
			m.addTag(" <span>withdrawn</span>")
		}
		m.addTag("</p>").rightsLine(x.RightsVector).addTag("</li>")
	}
	m.addTag("</ol>")
	if more := len(found) - alikeShown; more > 0 {
		m.addElement("p", exports.Count(int64(more))+" more are less alike.")
	}
}

// alikeWords says how alike two texts are by their codes, in thousandths.
func alikeWords(similarity int64) string {
	return "about " + exports.Count((similarity+5)/10) + " % of the wording is the same"
}

// askedAudience is the part of an address that says for whom is asked.
func askedAudience(asked values) string {
	s := ""
	for _, name := range []string{"territory", "user_type"} {
		if v := asked.get(name); v != "" {
			s += "&" + name + "=" + string(staticindex.AppendEscaped(nil, v))
		}
	}
	return s
}

// alike lists the pages whose wording is like that of a text which no page has
// as a whole. It is a hint: what cannot be looked up is left out.
func (v *checkView) alike() {
	code, err := iscc.Parse(v.box.code)
	if err != nil {
		return
	}
	found, _, err := v.call.findAlike(v.ctx, code)
	if err != nil || len(found) == 0 {
		return
	}
	v.addElement("h3", "Registered pages of like wording")
	v.addElement("p", "Perhaps one of them is an earlier or later state of your text. Like wording proves neither copying nor ownership.")
	alikeList(v.markup, found, v.audience())
}
