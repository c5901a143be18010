package web

import (
	"cmp"
	"context"
	"errors"

	"github.com/a-h/templ"

	"colophon/exports"
	"colophon/internal/iscc"
	"colophon/internal/lookup"
	"colophon/internal/prose"
	"colophon/internal/staticindex"
	"colophon/worker/page"
	"colophon/worker/request"
)

// maxAlike is how many pages of similar wording the check page shows.
const maxAlike = 10

// answerCode shows the reservations for the content with a code, and the registered
// pages whose texts are similar to the one that
// a similarity code was made of. Each has its own verdicts, because similar
// wording does not make it the same page.
func (s *Service) answerCode(ctx context.Context, c *request.Call, box boxed, asked request.Values) (parts []templ.Component, err error) {
	if _, err := iscc.Normalize(box.value); err == nil {
		if parts, err = s.reservedByCode(ctx, c, box.value, asked); err != nil {
			return nil, err
		}
	}
	code, err := iscc.Parse(box.value)
	if err != nil && len(parts) > 0 {
		return parts, nil
	}
	if err != nil {
		return []templ.Component{page.Explained("This kind of ISCC is not indexed here",
			"Only ISCC Text-Codes of 256 bits are compared, those that begin with ISCC:EAD, and other codes of content find only reservations. Enter the page’s address or its whole text.")}, nil
	}
	found, tooMany, err := s.findAlike(ctx, code)
	if err != nil {
		return nil, err
	}
	if tooMany {
		return append(parts, page.Explained("Too many registered pages have similar wording",
			"They share a passage found on very many pages. Enter the page’s address or its whole text.")), nil
	}
	title := ""
	if len(found.Candidates) > 0 {
		title = prose.Counted(int64(len(found.Candidates)), "registered page has", "registered pages have") + " wording like this"
	}
	path := exports.PathSimilar + "?iscc=" + exports.EscapeQuery(code.String(), "*")
	if similar := similarReserved(found.Reservations); similar != nil {
		parts = append(parts, similar)
	}
	return append(parts, page.AlikePart(title, alikeList(found.Candidates, asked), path)), nil
}

// findAlike finds the pages and reservations of similar wording; tooMany is true if
// there are more than are compared.
func (s *Service) findAlike(ctx context.Context, code iscc.Code) (list *exports.Similar, tooMany bool, err error) {
	found, err := s.Catalog.Similar(ctx, code, lookup.UsualSimilarity)
	var refused *staticindex.Error
	if errors.As(err, &refused) && refused.Code == "invalid_parameter" {
		return &exports.Similar{}, true, nil
	}
	return found, false, err
}

// alikeList lists pages of similar wording, the most similar first.
func alikeList(found []exports.SimilarCandidate, audience request.Values) page.AlikeList {
	var list page.AlikeList
	for i := range found[:min(maxAlike, len(found))] {
		x := &found[i].Candidate
		list.Pages = append(list.Pages, page.AlikePage{
			Path: checkPath(x.EntryID, audience), Title: cmp.Or(prose.Clean(x.Title, 300), "Untitled page"),
			PublisherPath: exports.PublisherPage(x.SiteID), Publisher: cmp.Or(prose.Clean(x.Publisher, 120), x.SiteID),
			URL: prose.ShortURL(x.CanonicalURL), Alike: alikeWords(found[i].Similarity), Withdrawn: x.Withdrawn, Rights: x.RightsVector,
		})
	}
	if more := len(found) - maxAlike; more > 0 {
		list.More = prose.Count(int64(more)) + " more are less similar."
	}
	return list
}

// alikeWords says how similar two texts are by their codes, in thousandths.
func alikeWords(similarity int64) string {
	return "about " + prose.Count((similarity+5)/10) + " % of the wording is the same"
}

// checkPath returns the address at which the check page answers a question for an
// audience.
func checkPath(question string, audience request.Values) string {
	return request.Values{{"q", question}, {"territory", audience.Get("territory")}, {"user_type", audience.Get("user_type")}}.Append(exports.PathCheckPage)
}

// alike lists the pages whose wording is similar to that of a text that is not
// a page's whole text. They are a hint: what cannot be looked up is left out.
func (v *checkView) alike() page.AlikeList {
	code, err := iscc.Parse(v.box.code)
	if err != nil {
		return page.AlikeList{}
	}
	found, _, err := v.service.findAlike(v.ctx, code)
	if err != nil {
		return page.AlikeList{}
	}
	v.similar = similarReserved(found.Reservations)
	return alikeList(found.Candidates, v.audience())
}
