package worker

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"strings"
	"time"

	"colophon/exports"
	"colophon/internal/lookup"
	"colophon/internal/staticindex"
	"colophon/internal/wire"
)

// checkView writes the answer of the rights check for people.
type checkView struct {
	*markup
	call   *call
	ctx    context.Context
	q      *rightsQuestion
	box    boxed
	answer *exports.RightsAnswer
	forms  int
	err    error // of the first file that could not be read
}

// all writes whatever was found.
func (v *checkView) all() {
	a := v.answer
	switch {
	case len(a.Candidates) == 1 && a.Basis != "website":
		v.standing(&a.Candidates[0])
	case len(a.Candidates) > 0:
		v.several()
	case a.Website != nil:
		v.addTag(`<p class="warn" role="note">This address is not registered, but its host is. What follows is stated for the whole site.</p>`)
		v.likely()
		v.standing(a.Website)
	default:
		v.nobody()
		return
	}
	v.source()
}

// several writes each candidate: nothing is picked.
func (v *checkView) several() {
	what := "registered pages have this fingerprint"
	switch {
	case v.answer.Basis == "website":
		what = "publishers have this host, and none registered this address"
	case v.q.Key == "url":
		what = "publishers registered this address"
	}
	v.addElement("p", exports.Count(int64(len(v.answer.Candidates)))+" "+what+". All of them follow; none is picked for you.")
	for i := range v.answer.Candidates {
		v.standing(&v.answer.Candidates[i])
	}
}

// nobody writes that nothing is registered, and what can be done then.
func (v *checkView) nobody() {
	switch {
	case v.box.key == "url":
		v.addElement("h2", "Nobody registered this address")
	case v.box.text:
		v.addElement("h2", "No registered page has this text")
		v.addElement("p", "Texts are compared by fingerprint: a page that was changed in one word has another one.")
		v.alike()
	case v.box.key == "site_id":
		v.addElement("h2", "No publisher has this name here")
		v.addTag(`<p><a href="`).addText(exports.PathPublishersPage + "?q=" + string(staticindex.AppendEscaped(nil, v.box.value))).addTag(`">Look for it among the publishers</a>.</p>`)
	default:
		v.addElement("h2", "Nothing registered has this fingerprint")
	}
	v.addTag(`<p><strong>That says nothing about rights.</strong> A page that is not registered is not free to use.</p>`)
	if v.box.key != "url" {
		return
	}
	v.likely()
	v.lookForm()
	v.addTag(`<p>Ask whoever publishes it. Is it your site? <a href="/developers/list-your-site/">List it here</a>, and this page answers for it.</p>`)
}

// likely links registered pages whose address differs in what often makes no
// difference.
func (v *checkView) likely() {
	found, err := v.call.similar(v.ctx, v.q.Normalized)
	if err != nil || len(found) == 0 {
		return // it is a hint only
	}
	v.addTag(`<p>Registered under a similar address, perhaps the same page:</p><ul>`)
	for i := range found {
		x := &found[i]
		v.addTag(`<li><a href="`).addText(v.address(x.CanonicalURL)).addTag(`"><bdi>`).addText(exports.ShortURL(x.CanonicalURL)).addTag("</bdi></a>")
		v.addText(", " + exports.Clean(x.Title, 120)).addTag("</li>")
	}
	v.addTag("</ul>")
}

// address asks the same about something else.
func (v *checkView) address(value string) string {
	return exports.PathCheckPage + "?q=" + string(staticindex.AppendEscaped(nil, value)) + v.audience()
}

// audience is the part of an address that says for whom is asked.
func (v *checkView) audience() string {
	s := ""
	if v.q.Territory != "" {
		s += "&territory=" + v.q.Territory
	}
	if v.q.UserType != "" {
		s += "&user_type=" + v.q.UserType
	}
	return s
}

// standing writes how one page or site stands.
func (v *checkView) standing(s *exports.RightsStanding) {
	v.head(s)
	v.moved(s)
	v.summary(s)
	v.ask(s)
	v.addTag(`<ul class="uses">`)
	for i := range s.Uses {
		v.use(&s.Uses[i], s)
	}
	v.addTag("</ul>")
	v.offers(s)
	v.conflicts(s)
	v.evidence(s)
}

// head names the page, its publisher and its address.
func (v *checkView) head(s *exports.RightsStanding) {
	name := v.publisherName(s.SiteID)
	title, href := cmp.Or(name, s.SiteID), exports.PublisherPage(s.SiteID)
	if s.EntryID != "" {
		title, href = cmp.Or(v.title(s.EntryID), "Untitled page"), exports.CitationPage(s.EntryID)
	}
	v.addTag(`<h2><a href="`).addText(href).addTag(`"><bdi>`).addText(title).addTag(`</bdi></a></h2><p class="meta">`)
	if s.EntryID != "" {
		v.addTag(`<a href="`).addText(exports.PublisherPage(s.SiteID)).addTag(`"><bdi>`).addText(cmp.Or(name, s.SiteID)).addTag("</bdi></a> ")
	}
	if exports.Linkable(s.URL) {
		v.addTag(`<span><a href="`).addText(s.URL).addTag(`" rel="nofollow noopener"><bdi>`).addText(exports.ShortURL(s.URL)).addTag("</bdi></a></span> ")
	}
	v.addTag("<span>").addText(foundWords(v.box, v.answer.Basis)).addTag("</span></p>")
}

// moved leads from a page that moved to where it is now, with the same question.
func (v *checkView) moved(s *exports.RightsStanding) {
	if s.Successor == "" {
		return
	}
	v.addTag(`<p class="warn" role="note">This page moved to <a href="`).addText(v.address(s.Successor)).addTag(`"><bdi>`)
	v.addText(exports.ShortURL(s.SuccessorURL)).addTag("</bdi></a>. What holds there is answered there.</p>")
}

// foundWords tells how a page was found.
func foundWords(box boxed, basis string) string {
	switch {
	case basis == exports.BasisURL:
		return "found by its address"
	case basis == exports.BasisEntry:
		return "found by its identifier"
	case box.text:
		return "found by its text"
	case basis == exports.BasisPortable, basis == exports.BasisRegistry:
		return "found by its fingerprint"
	}
	return "the whole site"
}

// verdictOrder is how a summary tells of verdicts: first what can be done.
var verdictOrder = []string{"signal_allow", "license_required", "declined", "unknown", "withdrawn"}

// summary tells in one line for which uses each verdict stands.
func (v *checkView) summary(s *exports.RightsStanding) {
	v.addTag(`<p class="lead">`)
	first := true
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
		if !first {
			v.addTag(" ")
		}
		first = false
		v.addTag("<strong>").addText(exports.VerdictWord(verdict)).addTag("</strong>: ")
		if len(uses) == len(exports.Uses) {
			v.addText("all eight uses.")
			continue
		}
		v.addText(exports.UseNames(uses) + ".")
	}
	v.addTag("</p>")
}

// ask is the one button: it opens the request with what was asked here.
func (v *checkView) ask(s *exports.RightsStanding) {
	var uses []string
	resource := ""
	for i := range s.Uses {
		if s.Uses[i].Resource != "" {
			uses, resource = append(uses, s.Uses[i].Use), s.Uses[i].Resource
		}
	}
	if len(uses) == 0 {
		v.addElement("p", "There is nothing to ask this publisher here.")
		return
	}
	v.forms++
	id := "use-" + exports.Count(int64(v.forms))
	v.addTag(`<form class="row ask-now" method="get" action="`).addText(exports.RequestPage(s.SiteID)).addTag(`">`)
	v.addHiddenField("resource", resource)
	if v.q.Territory != "" {
		v.addHiddenField("territory", v.q.Territory)
	}
	if v.q.UserType != "" {
		v.addHiddenField("user_type", v.q.UserType)
	}
	v.addTag(`<p><label for="` + id + `">Use</label> <select id="` + id + `" name="use">`)
	for _, u := range uses {
		v.addTag(`<option value="` + u + `">`).addText(exports.UseName(u)).addTag("</option>")
	}
	v.addTag(`</select></p><p><button type="submit">Ask for a licence</button> `)
	v.shortlistButton(s.SiteID).addTag(`</p></form>`)
}

// use is the verdict on one use: why, for whom, and what it costs.
func (v *checkView) use(u *exports.UseStanding, s *exports.RightsStanding) {
	v.addTag("<li><h3>").addText(exports.UseName(u.Use)).addTag(" <small>").addText(exports.UseMeaning(u.Use)).addTag(`</small></h3><p><span class="state v-`)
	v.addTag(strings.ToLower(string(exports.VerdictLetter(u.Verdict)))).addTag(`" data-use="`).addText(u.Use).addTag(`" data-verdict="`).addText(u.Verdict).addTag(`">`)
	v.addText(exports.VerdictWord(u.Verdict)).addTag("</span></p><div>").addText(exports.ReasonWords(u.Reason))
	if !u.SignalsAgree {
		v.addText(" Channels disagree.")
	}
	if len(u.Audiences) > 0 {
		v.addTag(" <small>It depends on who asks:</small><ul>")
		for i := range u.Audiences {
			a := &u.Audiences[i]
			v.addTag("<li><strong>").addText(exports.VerdictWord(a.Verdict)).addTag("</strong> for ").addText(exports.AudienceWords(a))
			v.addTag(" <small>").addText(exports.ReasonWords(a.Reason)).addTag("</small></li>")
		}
		v.addTag("</ul>")
	}
	if len(u.Obligations) > 0 {
		v.addTag(` <span class="conditions">Obligations: `).addText(exports.PlainWords(u.Obligations)).addTag(".</span>")
	}
	if dated := v.newest(u.Basis, s); dated != "" {
		v.addTag(" <small>last looked at ").addText(v.aged(dated)).addTag("</small>")
	}
	v.addTag("</div></li>")
}

// newest is when the newest evidence of a verdict was looked at.
func (v *checkView) newest(basis []string, s *exports.RightsStanding) string {
	at := ""
	for i := range s.Evidence {
		if e := &s.Evidence[i]; exports.OneOf(e.ID, basis) {
			at = max(at, e.CheckedAt)
		}
	}
	return at
}

// aged is a day and how long ago it was.
func (v *checkView) aged(at string) string {
	t, ok := exports.ParseInstant(at)
	if !ok {
		return exports.Day(at)
	}
	days := int64(v.q.now.Sub(t) / (24 * time.Hour))
	switch {
	case days < 1:
		return exports.Day(at) + ", today"
	case days < 60:
		return exports.Day(at) + ", " + exports.Counted(days, "day", "days") + " ago"
	}
	return exports.Day(at) + ", " + exports.Counted(days/30, "month", "months") + " ago"
}

// offers are the prices and terms of the offers that the verdicts name.
func (v *checkView) offers(s *exports.RightsStanding) {
	var ids []string
	for i := range s.Uses {
		for _, id := range s.Uses[i].LicenseIDs {
			if !exports.OneOf(id, ids) {
				ids = append(ids, id)
			}
		}
	}
	if len(ids) == 0 {
		return
	}
	v.addElement("h3", "Price and terms")
	v.addTag(`<p class="note">Figures are indicative; an offer grants nothing until an agreement is signed elsewhere.</p>`)
	for _, id := range ids {
		if o := v.offer(id); o != nil {
			offerFacts(v.markup, "h4", o)
		}
	}
}

// offerFacts is an offer under a heading of this level.
func offerFacts(v *markup, level string, o *exports.Offer) {
	v.addTag(`<article class="offer"><` + level + ` class="h3"><a href="`).addText(exports.PublisherPage(o.SiteID) + "#" + o.LicenseID).addTag(`"><bdi>`).addText(cmp.Or(exports.Clean(o.Title, 300), "Untitled offer")).addTag(`</bdi></a></` + level + `><dl class="facts">`)
	row := func(name, words string) {
		if words != "" {
			v.addElement("dt", name).addElement("dd", words)
		}
	}
	row("For", exports.UseNames(o.Permits))
	row("Not for", exports.UseNames(o.Prohibits))
	users := make([]string, len(o.UserTypes))
	for i, u := range o.UserTypes {
		users[i] = exports.UserTypeName(u)
	}
	row("Open to", strings.Join(users, ", "))
	row("Where", exports.TerritoryWords(o.Territories, o.NotIn))
	row("Price", exports.PriceWords(o.Payment))
	row("Obligations", exports.ObligationWords(o.Obligations))
	if o.Terms != nil && exports.Linkable(o.Terms.URL) {
		v.addTag(`<dt>Terms</dt><dd><a href="`).addText(o.Terms.URL).addTag(`" rel="nofollow noopener">The publisher’s terms</a></dd>`)
	}
	row("Status", exports.PlainWord(o.Status))
	v.addTag("</dl></article>")
}

// conflicts are the channels that contradict each other.
func (v *checkView) conflicts(s *exports.RightsStanding) {
	if len(s.Conflicts) == 0 {
		return
	}
	v.addTag(`<div class="warn" role="note"><p><strong>These channels contradict each other.</strong> The strictest statement was taken.</p><ul>`)
	for i := range s.Conflicts {
		v.addElement("li", exports.UseName(s.Conflicts[i].Use)+": "+exports.ConflictWords(s.Conflicts[i]))
	}
	v.addTag("</ul></div>")
}

// evidence is what the verdicts rest on, in the publisher's own words.
func (v *checkView) evidence(s *exports.RightsStanding) {
	if len(s.Evidence) == 0 {
		return
	}
	v.addTag(`<details><summary>What this rests on: `).addText(exports.Counted(int64(len(s.Evidence)), "statement", "statements")).addTag(`</summary><section class="scroll" tabindex="0" aria-label="Evidence"><table><thead><tr><th scope="col">Channel</th><th scope="col">Says</th><th scope="col">Looked at</th></tr></thead><tbody>`)
	at := exports.Instant(v.q.at)
	for i := range s.Evidence {
		e := &s.Evidence[i]
		v.addTag(`<tr><th scope="row">`)
		if exports.Linkable(e.URL) && !strings.HasPrefix(e.URL, "/") {
			v.addTag(`<a href="`).addText(e.URL).addTag(`" rel="nofollow noopener">`).addText(exports.ChannelName(e.Channel)).addTag("</a>")
		} else {
			v.addText(exports.ChannelName(e.Channel))
		}
		v.addTag("</th><td><bdi>").addText(exports.Clean(e.Statement, 200)).addTag("</bdi></td><td>").addText(v.aged(e.CheckedAt))
		if e.ValidUntil != "" && e.ValidUntil < at {
			v.addTag(" <small>not looked at again since; a permission would count no more</small>")
		}
		v.addTag("</td></tr>")
	}
	v.addTag("</tbody></table></section></details>")
}

// source tells when and from what was answered, and where programs get it.
func (v *checkView) source() {
	from := "from the registry itself"
	if v.answer.AnsweredBy == "static" {
		from = "from what was published, because the registry is away"
	}
	link := exports.PathRightsCheck + "?" + v.box.key + "=" + string(staticindex.AppendEscaped(nil, v.box.value)) + v.audience()
	v.addTag(`<p class="note">Answered at `).addText(exports.Moment(v.answer.EvaluatedAt)).addText(", " + from + ". It is no permission and no legal advice; a written agreement always wins. ")
	v.addTag(`<a href="`).addText(link).addTag(`" type="application/json">This answer as JSON</a></p>`)
}

// publisherName reads the name of a publisher; what cannot be read has none.
func (v *checkView) publisherName(siteID string) string {
	p, err := published{v.call.deps.Assets}.readPublisher(v.ctx, siteID)
	v.keep(err)
	return exports.Clean(p.Name, 120)
}

// title reads the title of an entry.
func (v *checkView) title(entryID string) string {
	f, err := v.call.deps.catalog.Find(v.ctx, lookup.Lookup{EntryID: entryID})
	v.keep(err)
	if err != nil || len(f.Candidates) == 0 {
		return ""
	}
	return exports.Clean(f.Candidates[0].Title, 300)
}

// offer reads an offer, nil when it is not published.
func (v *checkView) offer(id string) *exports.Offer {
	value, err := published{v.call.deps.Assets}.readValue(v.ctx, exports.OfferPath(id))
	v.keep(err)
	o := new(exports.Offer)
	if err != nil || wire.DecodeValue(&value, o) != nil {
		return nil
	}
	return o
}

// keep remembers the first failure; a file that is not published is none.
func (v *checkView) keep(err error) {
	if err != nil && v.err == nil && !errors.Is(err, fs.ErrNotExist) {
		v.err = err
	}
}
