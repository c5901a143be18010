package worker

import (
	"bytes"
	"cmp"
	"context"
	"strconv"
	"strings"

	"colophon/exports"
	"colophon/internal/listing"
	"colophon/internal/searchindex/query"
	"colophon/internal/staticindex"
	"colophon/worker/edge"
	"colophon/worker/page"
)

// finder is a list that people narrow down: a published shell with a form, and
// what answers it.
type finder struct {
	shell  string
	path   string
	api    string   // the same for programs, "" when it takes other parameters
	fields []string // of the form
	find   func(ctx context.Context, c *call, asked values, m *markup) (*exports.Page, error)
	narrow func(asked values) query.Narrowing // the filters
}

// finders are the lists, by the path of their page.
func finders(path string) *finder {
	switch path {
	case exports.PathMapPage:
		return &finder{exports.PathMapShell, path, exports.PathMap, []string{"q", "category", "readiness", "sort"}, findOnMap, mapFilter}
	case exports.PathPublishersPage:
		return &finder{exports.PathPublishersShell, path, "", []string{"q", "category", "use", "verified", "sort"}, findPublishers, publisherNarrowing}
	case exports.PathOffersPage:
		return &finder{exports.PathOffersShell, path, exports.PathLicenseCatalog, []string{"q", "category", "use", "territory", "user_type", "payment", "sort"}, findOffers, offerNarrowing}
	case exports.PathDemandPage:
		return &finder{exports.PathDemandShell, path, exports.PathDemand, []string{"q", "category", "use", "sort"}, findDemand, demandNarrowing}
	}
	return nil
}

// answer shows what matches. Without a question it is the published page.
func (f *finder) answer(ctx context.Context, c *call) (*edge.Response, error) {
	asked, err := pageQuestion(c.Query, append([]string{"offset"}, f.fields...)...)
	if err != nil {
		return nil, err
	}
	narrowed := false
	for i := range asked {
		asked[i].text = strings.TrimSpace(asked[i].text)
		narrowed = narrowed || asked[i].text != ""
	}
	if !narrowed {
		return c.deps.serveFile(ctx, c.Request, nil)
	}
	shell, err := c.deps.Assets.Read(ctx, string(exports.KeyOf(f.shell)))
	if err != nil {
		return nil, newFailure("index_unavailable", "The page is not published.")
	}
	m := &markup{}
	found, err := f.find(ctx, c, asked, m)
	if err != nil {
		return nil, err
	}
	plain := without(asked, "offset")
	pageLinks(m, f.path, found, plain)
	if f.api != "" {
		f.link(m, plain)
	}
	ask := asking(asked, exports.CardsPerPage)
	facets, err := c.deps.catalog.Facets(ctx, &ask, f.narrow(asked))
	if err != nil {
		return nil, err
	}
	body := filledForm(bytes.Replace(countOptions(shell, facets), []byte(exports.SlotMain), m.b, 1), plain, nil)
	resp := &edge.Response{Status: 200, Body: body}
	resp.Header.Set("content-type", exports.MediaHTML)
	resp.Header.Set("x-robots-tag", "noindex")
	resp.Header.Set("cache-control", cacheComputed)
	return addValidators(c.Request, resp, entityTag(body)), nil
}

// countOptions writes beside each option of the selects how many match with it:
// those of other choices of the same select are what another choice would give.
func countOptions(page []byte, facets []query.Facet) []byte {
	for _, f := range facets {
		name := choose(f.Name == "user", "user_type", f.Name)
		start := bytes.Index(page, []byte(`<select id="`+name+`"`))
		if start < 0 {
			continue
		}
		end := start + bytes.Index(page[start:], []byte("</select>"))
		var list []byte
		rest := page[start:end]
		for {
			option, more, ok := bytes.Cut(rest, []byte("</option>"))
			if !ok {
				break
			}
			list = append(append(list, countOption(option, &f)...), "</option>"...)
			rest = more
		}
		list = append(list, rest...)
		page = append(append(append(make([]byte, 0, len(page)+512), page[:start]...), list...), page[end:]...)
	}
	return page
}

// countOption puts the count into the label of one option, in the place of one
// that is there. Without a value it is the choice of all.
func countOption(option []byte, f *query.Facet) []byte {
	_, value, ok := bytes.Cut(option, []byte(`<option value="`))
	value, _, quoted := bytes.Cut(value, []byte(`"`))
	if !ok || !quoted || len(value) == 0 {
		return option
	}
	if i := bytes.LastIndex(option, []byte(" (")); i > 0 && len(bytes.Trim(option[i+2:], "0123456789,")) == 1 {
		option = option[:i]
	}
	n := f.Counts[string(value)]
	if level, least := strings.CutPrefix(string(value), "min:"); least {
		from := false
		for _, l := range exports.ReadinessLevels {
			if from = from || l == level; from {
				n += f.Counts[l]
			}
		}
	}
	return append(option[:len(option):len(option)], " ("+exports.Count(n)+")"...)
}

// link names the address at which programs get the same answer.
func (f *finder) link(m *markup, asked values) {
	address, sep := f.api, "?"
	label := "This answer as JSON"
	for _, v := range asked {
		switch {
		case v.text == "":
			continue
		case v.name == "sort":
			label = "The same as JSON, in the order of the API"
			continue
		case f.path == exports.PathDemandPage && v.name != "q":
			return // the API has no such filter
		}
		address += sep + v.name + "=" + string(staticindex.AppendEscaped(nil, v.text))
		sep = "&"
	}
	m.addComponent(page.JSONNote(address, label))
}

// mostRows is how many rows a page of the map has.
const mostRows = 50

// asking is the question of a page of so many records.
func asking(asked values, most int) staticindex.Ask {
	return staticindex.Ask{Q: asked.get("q"), Limit: strconv.Itoa(most), Offset: asked.get("offset"), Sort: asked.get("sort")}
}

// counting asks only how many there are.
var counting = staticindex.Ask{Limit: "0"}

// countHead is how many match, of how many.
func countHead(m *markup, n, of int64, many string) {
	m.addElement("h2", exports.Count(n)+" of "+exports.Count(of)+" "+many)
	if n == 0 {
		m.addElement("p", "Try fewer or other words, or another choice.")
	}
}

func mapFilter(asked values) query.Narrowing {
	return &listing.MapFilter{Category: some(asked.get("category")), Readiness: some(asked.get("readiness"))}
}

func findOnMap(ctx context.Context, c *call, asked values, m *markup) (*exports.Page, error) {
	found, err := c.deps.catalog.RightsMap(ctx, asking(asked, mostRows), some(asked.get("category")), some(asked.get("readiness")))
	if err != nil {
		return nil, err
	}
	all, err := c.deps.catalog.RightsMap(ctx, counting, nil, nil)
	if err != nil {
		return nil, err
	}
	countHead(m, found.Page.Total, all.Page.Total, "publishers")
	if len(found.Data) > 0 {
		mapTable(m, found.Data)
	}
	return &found.Page, nil
}

// some is a list parameter as it was given, nil for none.
func some(text string) []string {
	if text == "" {
		return nil
	}
	return []string{text}
}

// mapTable is the map as a table (see templates.mapTable).
func mapTable(m *markup, records []exports.MapRecord) {
	m.addTag(`<section class="scroll" tabindex="0" aria-label="Rights map"><table class="map"><thead><tr><th scope="col">Publisher</th>`)
	for _, u := range exports.Uses {
		m.addTag(`<th scope="col">`).addText(exports.UseName(string(u))).addTag("</th>")
	}
	m.addTag(`<th scope="col">Readiness</th><th scope="col">Ask</th></tr></thead><tbody>`)
	for i := range records {
		r := &records[i]
		m.addTag(`<tr><th scope="row"><a href="`).addText(exports.MapPage(r.SiteID)).addTag(`"><bdi>`).addText(cmp.Or(exports.Clean(r.Name, 120), r.SiteID)).addTag("</bdi></a></th>")
		for u := range exports.Uses {
			letter := exports.LetterAt(r.RightsVector, u)
			m.addTag("<td>").addText(exports.LetterWord(letter))
			if letter >= 'a' {
				m.addTag(" <small>channels disagree</small>")
			}
			m.addTag("</td>")
		}
		m.addTag("<td>").addText(exports.PlainWord(r.Readiness)).addTag("</td><td>")
		if r.AcceptsInquiries {
			m.addTag(`<a href="`).addText(exports.RequestPage(r.SiteID)).addTag(`">Ask</a> `).shortlistButton(r.SiteID)
		}
		m.addTag("</td></tr>")
	}
	m.addTag("</tbody></table></section>")
}

func publisherFilter(asked values) listing.PublisherFilter {
	return listing.PublisherFilter{Category: some(asked.get("category")), PreferredUse: some(asked.get("use")), Verified: asked.get("verified")}
}

func publisherNarrowing(asked values) query.Narrowing {
	f := publisherFilter(asked)
	return &f
}

func findPublishers(ctx context.Context, c *call, asked values, m *markup) (*exports.Page, error) {
	found, err := c.deps.catalog.PartnerCatalog(ctx, asking(asked, exports.CardsPerPage), publisherFilter(asked))
	if err != nil {
		return nil, err
	}
	all, err := c.deps.catalog.PartnerCatalog(ctx, counting, listing.PublisherFilter{})
	if err != nil {
		return nil, err
	}
	countHead(m, found.Page.Total, all.Page.Total, "publishers")
	m.addTag(`<ul class="cards">`)
	for i := range found.Data {
		publisherCard(m, &found.Data[i].PublisherSummary)
	}
	m.addTag("</ul>")
	return &found.Page, nil
}

// publisherCard is a publisher as lists show it (see templates.publisherCards).
func publisherCard(m *markup, p *exports.PublisherSummary) {
	m.addTag(`<li><h3><a href="`).addText(exports.PublisherPage(p.SiteID)).addTag(`"><bdi>`).addText(cmp.Or(exports.Clean(p.Name, 120), p.SiteID)).addTag("</bdi></a></h3>")
	if s := exports.Clean(p.Summary, 220); s != "" {
		m.addTag("<p><bdi>").addText(s).addTag("</bdi></p>")
	}
	m.addTag(`<p class="meta"><span>`).addText(exports.Counted(p.RegisteredPages, "page", "pages")).addTag("</span>")
	if p.Verified {
		m.addTag(" <span>domain verified</span>")
	}
	if p.AcceptsInquiries {
		m.addTag(" ").shortlistButton(p.SiteID)
	} else {
		m.addTag(" <span>takes no inquiries now</span>")
	}
	m.addTag("</p>").rightsLine(p.RightsVector).addTag("</li>")
}

// shortlistButton waits for the script of the shortlist (see
// templates.shortlistButton).
func (m *markup) shortlistButton(siteID string) *markup {
	return m.addComponent(page.ShortlistButton(siteID))
}

func offerFilter(asked values) listing.OfferFilter {
	return listing.OfferFilter{
		Category: asked.get("category"), Territory: asked.get("territory"), Use: some(asked.get("use")), Payment: some(asked.get("payment")), UserType: some(asked.get("user_type")),
	}
}

func offerNarrowing(asked values) query.Narrowing {
	f := offerFilter(asked)
	return &f
}

func findOffers(ctx context.Context, c *call, asked values, m *markup) (*exports.Page, error) {
	found, err := c.deps.catalog.LicenseCatalog(ctx, asking(asked, exports.CardsPerPage), offerFilter(asked))
	if err != nil {
		return nil, err
	}
	all, err := c.deps.catalog.LicenseCatalog(ctx, counting, listing.OfferFilter{})
	if err != nil {
		return nil, err
	}
	countHead(m, found.Page.Total, all.Page.Total, "offers")
	for i := range found.Data {
		m.addComponent(page.Offers([]page.OfferCard{offerCard(&found.Data[i])}))
	}
	return &found.Page, nil
}

func demandFilter(asked values) listing.DemandFilter {
	return listing.DemandFilter{Category: asked.get("category"), Use: asked.get("use")}
}

func demandNarrowing(asked values) query.Narrowing {
	f := demandFilter(asked)
	return &f
}

func findDemand(ctx context.Context, c *call, asked values, m *markup) (*exports.Page, error) {
	found, err := c.deps.catalog.DemandFor(ctx, asking(asked, exports.CardsPerPage), demandFilter(asked))
	if err != nil {
		return nil, err
	}
	all, err := c.deps.catalog.Demand(ctx, counting)
	if err != nil {
		return nil, err
	}
	countHead(m, found.Page.Total, all.Page.Total, "needs")
	m.addTag(`<ul class="cards">`)
	for i := range found.Data {
		needCard(m, &found.Data[i])
	}
	m.addTag("</ul>")
	return &found.Page, nil
}

// needCard is what a buyer looks for (see templates.need).
func needCard(m *markup, d *exports.Demand) {
	until := ""
	if exports.IsDay(d.ExpiresAt) {
		until = exports.Day(d.ExpiresAt)
	}
	m.addTag(`<li id="`).addText(d.DemandID).addTag(`"><h3><bdi>`).addText(cmp.Or(exports.Clean(d.Headline, 300), "Untitled need")).addTag(`</bdi></h3><dl class="facts">`)
	for _, row := range [][2]string{
		{"Uses", cmp.Or(exports.UseNames(d.Uses), "not stated")}, {"Subjects", exports.PlainWords(d.Categories)}, {"Languages", exports.PlainWords(d.Languages)},
		{"Where", exports.PlainWords(d.Territories)}, {"Volume", exports.Clean(d.Volume, 120)}, {"Budget band", exports.Clean(d.BudgetBand, 120)}, {"Timeline", exports.Clean(d.Timeline, 120)},
		{"Buyer", exports.Clean(d.BuyerDisplay, 120)}, {"Published", exports.Day(d.OptedInAt)}, {"Until", until},
	} {
		if row[1] != "" {
			m.addElement("dt", row[0]).addElement("dd", row[1])
		}
	}
	m.addTag("</dl></li>")
}
