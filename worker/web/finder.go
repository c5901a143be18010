package web

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"colophon/exports"
	"colophon/internal/listing"
	"colophon/internal/prose"
	"colophon/internal/searchindex/query"
	"colophon/internal/staticindex"
	"colophon/templates/content"
	"colophon/worker/edge"
	"colophon/worker/page"
	"colophon/worker/request"
)

// finder is a list that people can filter: a page with a form, and the function
// that answers it.
type finder struct {
	path    string
	api     string   // the same list for programs, "" if it takes other parameters
	fields  []string // of the form
	content func(form content.Finder, results templ.Component) templ.Component
	find    func(s *Service, ctx context.Context, asked request.Values) (*finding, error)
}

// finding is the answer to a page's question: how many records match, and some
// of them.
type finding struct {
	page   *exports.Page
	total  int64 // records in the whole list
	parts  []templ.Component
	narrow query.Narrowing // the filters
}

// finders returns the lists, by the path of their page.
func finders(path string) *finder {
	switch path {
	case exports.PathMapPage:
		return &finder{path, exports.PathMap, []string{"q", "category", "readiness", "sort"}, content.RightsMap, (*Service).findOnMap}
	case exports.PathPublishersPage:
		return &finder{path, "", []string{"q", "category", "use", "verified", "sort"}, content.Publishers, (*Service).findPublishers}
	case exports.PathOffersPage:
		return &finder{path, exports.PathLicenseCatalog, []string{"q", "category", "use", "territory", "user_type", "payment", "sort"}, content.Offers, (*Service).findOffers}
	case exports.PathDemandPage:
		return &finder{path, exports.PathDemand, []string{"q", "category", "use", "sort"}, content.Demand, (*Service).findDemand}
	}
	return nil
}

// FinderPage answers with the records that match. Without a question it answers
// with the published page.
func (s *Service) FinderPage(ctx context.Context, c *request.Call) (*edge.Response, error) {
	f := finders(c.Path)
	asked, err := request.ParseQuestion(c.Query, append([]string{"offset"}, f.fields...)...)
	if err != nil {
		return nil, err
	}
	narrowed := false
	for i := range asked {
		asked[i][1] = strings.TrimSpace(asked[i][1])
		narrowed = narrowed || asked[i][1] != ""
	}
	if !narrowed {
		return s.Pages.Files.Serve(ctx, c.Request, nil)
	}
	found, err := f.find(s, ctx, asked)
	if err != nil {
		return nil, err
	}
	plain := without(asked, "offset")
	parts := append(found.parts, content.Pages(pagerOf(f.path, found.page, plain)))
	if note := f.jsonNote(plain); note != nil {
		parts = append(parts, note)
	}
	ask := asking(asked, exports.CardsPerPage)
	facets, err := s.Catalog.Facets(ctx, &ask, found.narrow)
	if err != nil {
		return nil, err
	}
	form, err := s.finder(ctx, asked, facets, found.total)
	if err != nil {
		return nil, err
	}
	return s.Pages.Answer(ctx, c, 200, f.path, f.content(form, page.Parts(parts)))
}

// finder returns the form of a list of so many records with what was asked in it.
func (s *Service) finder(ctx context.Context, asked request.Values, facets []query.Facet, total int64) (content.Finder, error) {
	categories, err := s.Pages.Files.ListCategories(ctx)
	return content.Finder{Asked: asked, Categories: categories, Counts: countsOf(facets), Total: total}, err
}

// countsOf returns how many records match with each option of a form. The counts
// of one select ignore its present choice.
func countsOf(facets []query.Facet) content.Counts {
	counts := content.Counts{}
	for _, f := range facets {
		name := f.Name
		if name == "user" {
			name = "user_type"
		}
		counts[name] = f.Counts
		reached := int64(0)
		for _, level := range slices.Backward(exports.ReadinessLevels) {
			if name == "readiness" {
				reached += f.Counts[level]
				f.Counts["min:"+level] = reached
			}
		}
	}
	return counts
}

// jsonNote gives the address at which programs get the same answer, nil if
// there is none.
func (f *finder) jsonNote(asked request.Values) templ.Component {
	if f.api == "" {
		return nil
	}
	label := "This answer as JSON"
	for _, v := range asked {
		switch {
		case v[1] == "":
		case v[0] == "sort":
			label = "The same as JSON, in the order of the API"
		case f.path == exports.PathDemandPage && v[0] != "q":
			return nil // the API has no such filter
		}
	}
	return page.JSONNote(without(asked, "sort").Append(f.api), label)
}

// mostRows is how many rows one page of the map has.
const mostRows = 50

// asking returns the question for a page of at most most records.
func asking(asked request.Values, most int) staticindex.Ask {
	return staticindex.Ask{Q: asked.Get("q"), Limit: strconv.Itoa(most), Offset: asked.Get("offset"), Sort: asked.Get("sort")}
}

// counting asks only for the number of records.
var counting = staticindex.Ask{Limit: "0"}

// newFinding says how many records match, and of how many, before it shows some
// of them.
func newFinding(found, all *exports.Page, many string, list templ.Component, narrow query.Narrowing) *finding {
	head := page.CountHead(prose.Count(found.Total)+" of "+prose.Count(all.Total)+" "+many, found.Total == 0)
	return &finding{found, all.Total, []templ.Component{head, list}, narrow}
}

func (s *Service) findOnMap(ctx context.Context, asked request.Values) (*finding, error) {
	filter := listing.MapFilter{Category: some(asked.Get("category")), Readiness: some(asked.Get("readiness"))}
	found, err := s.Catalog.RightsMap(ctx, asking(asked, mostRows), filter.Category, filter.Readiness)
	if err != nil {
		return nil, err
	}
	all, err := s.Catalog.RightsMap(ctx, counting, nil, nil)
	if err != nil {
		return nil, err
	}
	var list templ.Component = templ.NopComponent
	if len(found.Data) > 0 {
		list = content.MapTable(found.Data, nil)
	}
	return newFinding(&found.Page, &all.Page, "publishers", list, &filter), nil
}

// some returns a list parameter as it was given, nil if it was not.
func some(text string) []string {
	if text == "" {
		return nil
	}
	return []string{text}
}

func (s *Service) findPublishers(ctx context.Context, asked request.Values) (*finding, error) {
	filter := listing.PublisherFilter{Category: some(asked.Get("category")), PreferredUse: some(asked.Get("use")), Verified: asked.Get("verified")}
	found, err := s.Catalog.PartnerCatalog(ctx, asking(asked, exports.CardsPerPage), filter)
	if err != nil {
		return nil, err
	}
	all, err := s.Catalog.PartnerCatalog(ctx, counting, listing.PublisherFilter{})
	if err != nil {
		return nil, err
	}
	list := make([]exports.PublisherSummary, len(found.Data))
	for i := range found.Data {
		list[i] = found.Data[i].PublisherSummary
	}
	return newFinding(&found.Page, &all.Page, "publishers", content.PublisherCards(list), &filter), nil
}

func (s *Service) findOffers(ctx context.Context, asked request.Values) (*finding, error) {
	filter := listing.OfferFilter{
		Category: asked.Get("category"), Territory: asked.Get("territory"), Use: some(asked.Get("use")), Payment: some(asked.Get("payment")), UserType: some(asked.Get("user_type")),
	}
	found, err := s.Catalog.LicenseCatalog(ctx, asking(asked, exports.CardsPerPage), filter)
	if err != nil {
		return nil, err
	}
	all, err := s.Catalog.LicenseCatalog(ctx, counting, listing.OfferFilter{})
	if err != nil {
		return nil, err
	}
	names := map[string]string{}
	for i := range found.Data {
		siteID := found.Data[i].SiteID
		if names[siteID] == "" {
			names[siteID] = s.publishedName(ctx, siteID)
		}
	}
	return newFinding(&found.Page, &all.Page, "offers", page.Offers(found.Data, names), &filter), nil
}

// publishedName returns the published name of a publisher, or its id if that
// cannot be read.
func (s *Service) publishedName(ctx context.Context, siteID string) string {
	p, err := s.Pages.Files.ReadPublisher(ctx, siteID)
	if err != nil {
		return siteID
	}
	return cmp.Or(prose.Clean(p.Name, 120), siteID)
}

func (s *Service) findDemand(ctx context.Context, asked request.Values) (*finding, error) {
	filter := listing.DemandFilter{Category: asked.Get("category"), Use: asked.Get("use")}
	found, err := s.Catalog.DemandFor(ctx, asking(asked, exports.CardsPerPage), filter)
	if err != nil {
		return nil, err
	}
	all, err := s.Catalog.Demand(ctx, counting)
	if err != nil {
		return nil, err
	}
	categories, err := s.Pages.Files.ListCategories(ctx)
	if err != nil {
		return nil, err
	}
	return newFinding(&found.Page, &all.Page, "needs", content.Needs(found.Data, categories, false), &filter), nil
}
