package web

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/a-h/templ"

	"colophon/exports"
	"colophon/internal/lookup"
	"colophon/internal/prose"
	"colophon/templates/content"
	"colophon/worker/page"
	"colophon/worker/request"
	"colophon/worker/rightscheck"
)

// checkView shows people the answer of the rights check.
type checkView struct {
	parts   []templ.Component // parts of the page, so far
	service *Service
	ctx     context.Context
	box     boxed
	answer  *exports.RightsAnswer
	now     time.Time
	forms   int
	similar templ.Component // reservations for similar content; nil if there are none
	err     error           // about the first file that could not be read
}

func (v *checkView) add(part templ.Component) { v.parts = append(v.parts, part) }

// all describes everything that was found.
func (v *checkView) all() {
	a := v.answer
	v.parts = append(v.parts, reservedParts(a)...)
	reserved := len(v.parts) > 0
	a.Candidates = slices.DeleteFunc(a.Candidates, func(x exports.ResourceRights) bool { return x.Reservation != nil })
	switch {
	case len(a.Candidates) == 1 && a.Basis != rightscheck.BasisWebsite:
		v.addResource(&a.Candidates[0])
	case len(a.Candidates) > 0:
		v.several()
	case a.Website != nil:
		v.add(page.OfSite(v.likely()))
		v.addResource(a.Website)
	case v.box.text || !reserved:
		v.add(page.NobodyPart(v.nobody()))
		if v.similar != nil {
			v.add(v.similar)
		}
		return
	}
	v.source()
}

// several describes each candidate and does not choose among them.
func (v *checkView) several() {
	what := "registered pages have this fingerprint"
	switch {
	case v.answer.Basis == rightscheck.BasisWebsite:
		what = "publishers have this host, and none registered this address"
	case v.answer.Basis == exports.BasisSamePage:
		what = "registered pages are this page under another address"
	case v.answer.Query.Key == "url":
		what = "publishers registered this address"
	}
	v.add(page.Paragraph(prose.Count(int64(len(v.answer.Candidates))) + " " + what + ". All are listed below."))
	for i := range v.answer.Candidates {
		v.addResource(&v.answer.Candidates[i])
	}
}

// nobody says that nothing is registered, and what can be done then.
func (v *checkView) nobody() page.Nobody {
	switch {
	case v.box.key == "url":
		n := page.Nobody{Title: "This address is not registered", OfAddress: true, Likely: v.likely()}
		n.LookPath, n.Look = v.lookForm()
		return n
	case v.box.text:
		return page.Nobody{Title: "No registered page has this text", OfText: true, Alike: v.alike()}
	case v.box.key == "site_id":
		question := "?q=" + exports.EscapeQuery(v.box.value, "*")
		return page.Nobody{Title: "No publisher has this name here", Catalog: exports.PathCatalogPage + question, Publishers: exports.PathPublishersPage + question}
	}
	return page.Nobody{Title: "Nothing registered has this fingerprint"}
}

// likely returns registered pages whose address differs in what often makes no
// difference. They are only a hint.
func (v *checkView) likely() []page.LikelyPage {
	found, err := v.service.similar(v.ctx, v.answer.Query.Normalized)
	if err != nil {
		return nil
	}
	var list []page.LikelyPage
	for i := range found {
		x := &found[i]
		list = append(list, page.LikelyPage{Path: v.address(x.CanonicalURL), URL: prose.ShortURL(x.CanonicalURL), Title: prose.Clean(x.Title, 120)})
	}
	return list
}

// address returns the address that asks the same about another value.
func (v *checkView) address(value string) string {
	return checkPath(value, v.audience())
}

// audience returns the parameters that name the audience.
func (v *checkView) audience() request.Values {
	return request.Values{{"territory", v.answer.Query.Territory}, {"user_type", v.answer.Query.UserType}}
}

// addResource adds what is known about one page or site.
func (v *checkView) addResource(s *exports.ResourceRights) {
	view := v.head(s)
	if s.Successor != "" {
		view.Moved = page.Link{Path: v.address(s.Successor), Text: prose.ShortURL(s.SuccessorURL)}
	}
	view.Verdicts = v.verdicts(s)
	view.Ask = v.ask(s)
	view.Offers = v.offers(s)
	v.add(page.RightsPart(view))
}

// head names the page, its publisher and its address.
func (v *checkView) head(s *exports.ResourceRights) page.Rights {
	publisher := page.Link{Path: exports.PublisherPage(s.SiteID), Text: cmp.Or(v.publisherName(s.SiteID), s.SiteID)}
	view := page.Rights{Page: publisher, Found: foundWords(v.box, v.answer.Basis)}
	if s.EntryID != "" {
		view.Page = page.Link{Path: exports.CitationPage(s.EntryID), Text: cmp.Or(v.title(s.EntryID), "Untitled page")}
		view.Publisher = publisher
	}
	if prose.Linkable(s.URL) {
		view.URL = page.Link{Path: s.URL, Text: prose.ShortURL(s.URL)}
	}
	return view
}

// foundWords says how a page was found.
func foundWords(box boxed, basis string) string {
	switch {
	case basis == exports.BasisURL:
		return "found by its address"
	case basis == exports.BasisSamePage:
		return "found as the same page under another address: the scheme, “www.”, the final slash or tracking parameters differ"
	case basis == exports.BasisEntry:
		return "found by its identifier"
	case box.text:
		return "found by its text"
	case basis == exports.BasisPortable, basis == exports.BasisRegistry:
		return "found by its fingerprint"
	}
	return "the whole site"
}

// verdictOrder is the order of verdicts in a summary: first those that allow
// something.
var verdictOrder = []string{"signal_allow", "license_required", "declined", "unknown", "withdrawn"}

// verdicts returns the verdicts on the uses and what they are based on.
func (v *checkView) verdicts(s *exports.ResourceRights) page.Verdicts {
	view := page.Verdicts{Groups: summaryGroups(s)}
	for i := range s.Uses {
		view.Uses = append(view.Uses, v.use(&s.Uses[i], s))
	}
	for i := range s.Conflicts {
		view.Conflicts = append(view.Conflicts, prose.UseName(s.Conflicts[i].Use)+": "+prose.ConflictWords(s.Conflicts[i]))
	}
	view.Statements = prose.Counted(int64(len(s.Evidence)), "statement", "statements")
	for i := range s.Evidence {
		view.Evidence = append(view.Evidence, v.statement(&s.Evidence[i]))
	}
	return view
}

// summaryGroups returns the uses that have each verdict.
func summaryGroups(s *exports.ResourceRights) []page.RightsGroup {
	var list []page.RightsGroup
	for _, verdict := range verdictOrder {
		var uses []string
		for i := range s.Uses {
			if s.Uses[i].Verdict == verdict {
				uses = append(uses, s.Uses[i].Use)
			}
		}
		if len(uses) == 0 {
			continue
		}
		words := prose.UseNames(uses)
		if len(uses) == len(exports.Uses) {
			words = "all eight uses"
		}
		list = append(list, page.RightsGroup{Verdict: page.Verdict{Word: prose.VerdictWord(verdict)}, Uses: words})
	}
	return list
}

// ask returns the one button, which opens the request with the question asked
// here, or nil if there is nothing to ask.
func (v *checkView) ask(s *exports.ResourceRights) *page.AskForm {
	var uses []content.Option
	resource := ""
	for i := range s.Uses {
		if u := &s.Uses[i]; u.Resource != "" {
			uses = append(uses, content.Option{Value: u.Use, Label: prose.UseName(u.Use)})
			resource = u.Resource
		}
	}
	if len(uses) == 0 {
		return nil
	}
	v.forms++
	view := &page.AskForm{Path: exports.RequestPage(s.SiteID), SiteID: s.SiteID, ID: "use-" + prose.Count(int64(v.forms)), Uses: uses}
	view.Hidden = append(view.Hidden, page.Row{Name: "resource", Text: resource})
	for _, row := range []page.Row{{Name: "territory", Text: v.answer.Query.Territory}, {Name: "user_type", Text: v.answer.Query.UserType}} {
		if row.Text != "" {
			view.Hidden = append(view.Hidden, row)
		}
	}
	return view
}

// use returns the verdict on one use with its reason, audiences and price.
func (v *checkView) use(u *exports.UseVerdict, s *exports.ResourceRights) page.UseVerdict {
	view := page.UseVerdict{
		Use: prose.UseName(u.Use), Meaning: prose.UseMeaning(u.Use), Reason: prose.ReasonWords(u.Reason), Obligations: prose.PlainWords(u.Obligations), Copies: prose.RetentionWords(u.Retention),
		Verdict: page.Verdict{Letter: strings.ToLower(string(rune(prose.VerdictLetter(u.Verdict)))), Word: prose.VerdictWord(u.Verdict), Use: u.Use, Name: u.Verdict},
	}
	if !u.SignalsAgree {
		view.Reason += " Channels disagree."
	}
	for i := range u.Audiences {
		a := &u.Audiences[i]
		view.Audiences = append(view.Audiences, page.AudienceVerdict{Verdict: prose.VerdictWord(a.Verdict), Who: prose.AudienceWords(a), Reason: prose.ReasonWords(a.Reason)})
	}
	view.Dated = v.newest(u.Basis, s)
	return view
}

// newest says, for each kind of evidence behind a verdict, when the newest of
// it was stated or checked.
func (v *checkView) newest(basis []string, s *exports.ResourceRights) []string {
	var kinds []*exports.Evidence
	for i := range s.Evidence {
		e := &s.Evidence[i]
		if e.CheckedAt == "" || !slices.Contains(basis, e.ID) {
			continue
		}
		at := slices.IndexFunc(kinds, func(k *exports.Evidence) bool { return datedAs(k) == datedAs(e) })
		switch {
		case at < 0:
			kinds = append(kinds, e)
		case kinds[at].CheckedAt < e.CheckedAt:
			kinds[at] = e
		}
	}
	var out []string
	for _, e := range kinds {
		out = append(out, v.dated(e))
	}
	return out
}

// datedAs says what the instant of a piece of evidence means: since when the
// publisher states or offers something here, or when its site was checked.
func datedAs(e *exports.Evidence) string {
	switch e.Channel {
	case "publisher_statement", "content_reservation":
		return "stated since "
	case "offer":
		return "offered since "
	}
	return "last looked at "
}

// dated returns when evidence was stated or checked. Only a check ages.
func (v *checkView) dated(e *exports.Evidence) string {
	as := datedAs(e)
	switch {
	case e.CheckedAt == "":
		return ""
	case as == "last looked at ":
		return as + v.aged(e.CheckedAt)
	}
	return as + prose.Day(e.CheckedAt)
}

// aged returns a day and how long ago it was.
func (v *checkView) aged(at string) string {
	t, ok := exports.ParseInstant(at)
	if !ok {
		return prose.Day(at)
	}
	days := int64(v.now.Sub(t) / (24 * time.Hour))
	switch {
	case days < 1:
		return prose.Day(at) + ", today"
	case days < 60:
		return prose.Day(at) + ", " + prose.Counted(days, "day", "days") + " ago"
	}
	return prose.Day(at) + ", " + prose.Counted(days/30, "month", "months") + " ago"
}

// offers returns the prices and terms of the offers that the verdicts name.
func (v *checkView) offers(s *exports.ResourceRights) []*exports.Offer {
	var ids []string
	var list []*exports.Offer
	for i := range s.Uses {
		for _, id := range s.Uses[i].LicenseIDs {
			if !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	for _, id := range ids {
		if o := v.offer(id); o != nil {
			list = append(list, o)
		}
	}
	return list
}

// statement is evidence, in the publisher's own words.
func (v *checkView) statement(e *exports.Evidence) page.Statement {
	view := page.Statement{
		Channel: prose.ChannelName(e.Channel), Text: prose.Clean(e.Statement, 200), Dated: v.dated(e), CDN: e.Origin == "cdn",
		Old: e.ValidUntil != "" && e.ValidUntil < exports.Instant(v.now),
	}
	if prose.Linkable(e.URL) && !strings.HasPrefix(e.URL, "/") {
		view.Path = e.URL
	}
	return view
}

// source says when and from what the answer was made, and where programs get
// it.
func (v *checkView) source() {
	from := "from the registry itself"
	if v.answer.AnsweredBy == "static" {
		from = "from published files, because the registry cannot be reached"
	}
	link := append(request.Values{{v.box.key, v.box.value}}, v.audience()...).Append(exports.PathRightsCheck)
	v.add(page.Source(prose.Moment(v.answer.EvaluatedAt), from, link))
}

// publisherName returns the name of a publisher, "" if it cannot be read.
func (v *checkView) publisherName(siteID string) string {
	p, err := v.service.Pages.Files.ReadPublisher(v.ctx, siteID)
	v.keep(err)
	return prose.Clean(p.Name, 120)
}

// title returns the title of an entry.
func (v *checkView) title(entryID string) string {
	f, err := v.service.Catalog.Find(v.ctx, lookup.Query{EntryID: entryID})
	v.keep(err)
	if err != nil || len(f.Candidates) == 0 {
		return ""
	}
	return prose.Clean(f.Candidates[0].Title, 300)
}

// offer returns an offer, nil if it is not published.
func (v *checkView) offer(id string) *exports.Offer {
	o := new(exports.Offer)
	err := v.service.Pages.Files.ReadRecord(v.ctx, exports.OfferPath(id), o)
	v.keep(err)
	if err != nil {
		return nil
	}
	return o
}

// keep remembers the first failure. A file that is not published is not a
// failure.
func (v *checkView) keep(err error) {
	if err != nil && v.err == nil && !errors.Is(err, fs.ErrNotExist) {
		v.err = err
	}
}
