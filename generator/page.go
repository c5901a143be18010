package generator

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/a-h/templ"
	"github.com/tdewolff/minify/v2"
	"github.com/tdewolff/minify/v2/html"

	"colophon/exports"
	"colophon/internal/rights"
	"colophon/templates"
)

// publishPages writes the pages for people, but for those of single entries, which
// are documents of these: see entryForm.
func (b *build) publishPages() error {
	for _, f := range []func() error{b.publishHome, b.publisherPages, b.categoryPages, b.mapPages, b.otherPages, b.brandPages, b.publishDocs, b.problemPages, b.publishTexts} {
		if err := f(); err != nil {
			return err
		}
	}
	return nil
}

// siteFrame returns what every page shares.
func (b *build) siteFrame(updated string) templates.SiteFrame {
	return templates.SiteFrame{Base: b.opt.BaseURL, Name: b.opt.Name, Asset: b.assetPath, UpdatedAt: updated, Brand: b.brand}
}

// publishPage renders and minifies a page that stands once or a few times.
func (b *build) publishPage(path string, c templ.Component) error {
	buf := documentBuffers.Get().(*bytes.Buffer)
	defer documentBuffers.Put(buf)
	buf.Reset()
	if err := c.Render(context.Background(), buf); err != nil {
		return fmt.Errorf("cannot render %q: %w", path, err)
	}
	text, err := minifyHTML(buf.Bytes())
	if err != nil {
		return fmt.Errorf("cannot minify %q: %w", path, err)
	}
	return b.out.putFile(exports.KeyOf(path), text)
}

func minifyHTML(text []byte) ([]byte, error) { return minifier().Bytes("text/html", text) }

var minifier = sync.OnceValue(func() *minify.M {
	m := minify.New()
	m.Add("text/html", &html.Minifier{KeepDocumentTags: true, KeepEndTags: true, KeepQuotes: true, KeepDefaultAttrVals: true, KeepWhitespace: false})
	return m
})

func (b *build) publishHome() error {
	categories, _ := b.categoryTotals()
	latest := b.publisherSummaries()
	approved := b.listedSince()
	sortSummaries(latest, func(p *exports.PublisherSummary) string { return approved[p.SiteID] })
	v := templates.HomePage{Site: b.siteFrame(b.release.GeneratedAt), Stats: b.countTotals(), Latest: latest[:min(len(latest), 6)], Categories: categories}
	return b.publishPage(templates.PathHome, templates.Home(v))
}

// How much a page of a list shows, so that on a phone it has at most a dozen
// screens: rows of a table are low, cards and entries take several lines.
const (
	rowsPerPage    = 50
	cardsPerPage   = exports.CardsPerPage
	entriesPerPage = 24
)

// chunksOf splits a list into pages; an empty list has one.
func chunksOf[T any](list []T, size int) [][]T {
	var out [][]T
	for len(list) > size {
		out, list = append(out, list[:size]), list[size:]
	}
	return append(out, list)
}

func (b *build) publisherPages() error {
	all := b.publisherSummaries()
	pages := chunksOf(all, cardsPerPage)
	categories, _ := b.categoryTotals()
	for i, list := range pages {
		v := templates.PublishersPage{Site: b.siteFrame(b.release.GeneratedAt), Publishers: list, Categories: categories, Total: int64(len(all)), Page: i + 1, Pages: len(pages)}
		if err := b.publishPage(templates.PagePath(templates.PathPublishers, i+1), templates.Publishers(v)); err != nil {
			return err
		}
	}
	return b.eachChangedSite(func(s *siteFacts) error { return b.publisherPage(s, categories) })
}

// publisherPage writes a publisher's page with the newest of its inventory,
// and its request form.
func (b *build) publisherPage(s *siteFacts, categories []exports.Category) error {
	p, ok := s.publisher()
	if !ok {
		return nil
	}
	record, _ := rights.Map(&s.SiteSnapshot, s.tally)
	newest, err := b.newestOf(s, newestPerSite)
	if err != nil {
		return err
	}
	at := b.siteFrame(p.UpdatedAt)
	at.Card = s.card
	v := templates.PublisherPage{Site: at, Publisher: p, Map: record, Rights: s.ResourceRights(), Offers: siteOffers(s), Categories: categories}
	if changes := s.PolicyChanges(); len(changes) > 0 {
		v.LastChange = &changes[len(changes)-1]
	}
	if err := b.publishPage(exports.PublisherPage(p.SiteID), templates.Publisher(v)); err != nil {
		return err
	}
	undated := at
	undated.UpdatedAt = "" // so that only a page changes whose rows do
	pages := chunksOf(latestFirst(entriesOf(newest)), entriesPerPage)
	for i, list := range pages {
		v := templates.InventoryPage{Site: undated, Publisher: p, Entries: list, Page: i + 1, Pages: len(pages), PerPage: entriesPerPage}
		if err := b.publishPage(templates.InventoryPath(p.SiteID, i+1), templates.Inventory(v)); err != nil {
			return err
		}
	}
	if err := b.siteFeed(s, newest); err != nil {
		return err
	}
	if !p.AcceptsInquiries {
		return nil
	}
	request := templates.RequestPage{Site: undated, Publisher: p.PublisherSummary, Uses: p.Preferences}
	return b.publishPage(templates.RequestPath(p.SiteID), templates.Request(request))
}

func (b *build) categoryPages() error {
	categories, members := b.categoryTotals()
	if err := b.publishPage(templates.PathCategories, templates.Categories(templates.CategoriesPage{Site: b.siteFrame(b.release.GeneratedAt), Categories: categories})); err != nil {
		return err
	}
	for _, c := range categories {
		pages := chunksOf(members[c.Slug], cardsPerPage)
		for i, list := range pages {
			v := templates.CategoryPage{Site: b.siteFrame(b.release.GeneratedAt), Category: c, Publishers: list, TopTerms: b.topTerms(c.Slug), Page: i + 1, Pages: len(pages)}
			if err := b.publishPage(templates.PagePath(exports.CategoryPage(c.Slug), i+1), templates.Category(v)); err != nil {
				return err
			}
		}
	}
	return nil
}

// topTerms returns the frequent terms of a category's publishers.
func (b *build) topTerms(slug string) []string {
	var out []string
	seen := map[string]bool{}
	for i := range b.sites {
		if !exports.OneOf(slug, b.sites[i].Site.Categories) {
			continue
		}
		for _, t := range b.sites[i].tally.TopTerms(5) {
			if !seen[t] && len(out) < 15 {
				seen[t] = true
				out = append(out, t)
			}
		}
	}
	return out
}

func (b *build) mapPages() error {
	records := b.mapRecords()
	groups := groupRecords(records)
	categories, _ := b.categoryTotals()
	pages := chunksOf(records, rowsPerPage)
	for i, list := range pages {
		v := templates.RightsMapPage{Site: b.siteFrame(b.release.GeneratedAt), Records: list, Groups: groups, Categories: categories, Total: int64(len(records)), Page: i + 1, Pages: len(pages)}
		if err := b.publishPage(templates.PagePath(templates.PathMap, i+1), templates.RightsMap(v)); err != nil {
			return err
		}
	}
	return b.runParallel(len(records), func(i int) error {
		r := &records[i]
		if b.plan.keepsFilesOf(r.SiteID) {
			return nil
		}
		v := templates.MapPublisherPage{Site: b.siteFrame(r.UpdatedAt), Record: *r}
		return b.publishPage(exports.MapPage(r.SiteID), templates.MapPublisher(v))
	})
}

// groupRecords puts the records of each group one after the other, at the place
// of the group's id among the sites, and sums the groups up.
func groupRecords(records []exports.MapRecord) map[string]templates.GroupLine {
	place := func(r *exports.MapRecord) string {
		if r.Group != nil {
			return strings.TrimPrefix(r.Group.GroupID, "pub_")
		}
		return r.SiteID
	}
	sort.SliceStable(records, func(i, j int) bool { return place(&records[i]) < place(&records[j]) })
	lines := map[string]templates.GroupLine{}
	for i := range records {
		if g := records[i].Group; g != nil {
			line := lines[g.GroupID]
			line.Add(records[i].RightsVector)
			lines[g.GroupID] = line
		}
	}
	return lines
}

// otherPages returns those that stand once.
func (b *build) otherPages() error {
	categories, _ := b.categoryTotals()
	newest := b.newestRecords()
	catalog := templates.CatalogPage{Site: b.siteFrame(b.release.GeneratedAt), Total: b.report.Pages, Entries: newest[:min(len(newest), 20)], Categories: categories}
	catalog.Uses, catalog.Signals = b.countPages()
	shell := catalog
	shell.Entries = nil
	shell.Uses, shell.Signals = nil, nil
	shell.Slots = true
	needs := append([]exports.Demand(nil), b.demand...)
	sortDemand(needs)
	at := b.siteFrame(b.release.GeneratedAt)
	tool := b.siteFrame("") // of pages that show nothing of the release
	demand := templates.DemandPage{Site: at, Total: int64(len(needs)), Needs: needs[:min(len(needs), cardsPerPage)], Categories: categories}
	demand.Subjects, demand.Uses = countNeeds(needs)
	total := int64(len(b.publisherSummaries()))
	offers := templates.OffersPage{Site: at, Offers: b.offered(), Categories: categories}
	offers.Total, offers.Offers = int64(len(offers.Offers)), offers.Offers[:min(len(offers.Offers), cardsPerPage)]
	offers.Names = map[string]string{}
	for _, p := range b.publisherSummaries() {
		offers.Names[p.SiteID] = p.Name
	}
	log, err := b.ledgerPage()
	if err != nil {
		return err
	}
	for _, p := range []struct {
		path string
		c    templ.Component
	}{
		{templates.PathCatalog, templates.Catalog(catalog)},
		{templates.PathCatalogShell, templates.Catalog(shell)},
		{templates.PathCheck, templates.Check(templates.CheckPage{Site: tool})},
		{templates.PathCheckShell, templates.Check(templates.CheckPage{Site: tool, Slots: true})},
		{templates.PathDemand, templates.Demand(demand)},
		{templates.PathStatus, templates.Status(templates.StatusPage{Site: at, Stats: b.countTotals()})},
		{templates.PathStatusShell, templates.Status(templates.StatusPage{Site: at, Stats: b.countTotals(), Slots: true})},
		{templates.PathDemandShell, templates.Demand(templates.DemandPage{Site: at, Categories: categories, Total: int64(len(needs)), Slots: true})},
		{templates.PathOffers, templates.Offers(offers)},
		{templates.PathOffersShell, templates.Offers(templates.OffersPage{Site: at, Categories: categories, Total: offers.Total, Slots: true})},
		{templates.PathPublishersShell, templates.Publishers(templates.PublishersPage{Site: at, Categories: categories, Total: total, Slots: true})},
		{templates.PathMapShell, templates.RightsMap(templates.RightsMapPage{Site: at, Categories: categories, Total: total, Slots: true})},
		{templates.PathVerify, templates.Verify(templates.VerifyPage{Site: tool})},
		{templates.PathConversation, templates.Conversation(templates.ConversationPage{Site: tool})},
		{exports.PathShortlist, templates.Shortlist(templates.ShortlistPage{Site: tool})},
		{templates.PathNeed, templates.Need(templates.NeedPage{Site: tool})},
		{templates.PathJoin, templates.Join(templates.JoinPage{Site: tool})},
		{templates.PathEditor, templates.Editor(b.editorPage(tool))},
		{templates.PathLedger, templates.Ledger(log)},
		{templates.PathNotFound, templates.NotFound(templates.NotFoundPage{Site: tool})},
		{templates.PathShell, templates.Shell(templates.ShellPage{Site: tool})},
	} {
		if err := b.publishPage(p.path, p.c); err != nil {
			return err
		}
	}
	return nil
}

// countPages counts the pages by the uses that their publishers welcome questions
// about, and by the levels of readiness that these reach.
func (b *build) countPages() (uses, signals map[string]int64) {
	uses, signals = map[string]int64{}, map[string]int64{}
	for i := range b.sites {
		p, ok := b.sites[i].publisher()
		if !ok {
			continue
		}
		for _, u := range exports.Uses {
			if exports.WelcomesInquiry(p.Preferences, u) {
				uses[string(u)] += p.RegisteredPages
			}
		}
		reached := slices.Index(exports.ReadinessLevels, p.Readiness)
		for _, level := range exports.ReadinessLevels[:reached+1] {
			signals[level] += p.RegisteredPages
		}
	}
	return uses, signals
}

// countNeeds counts the needs by category and by use.
func countNeeds(needs []exports.Demand) (subjects, uses map[string]int64) {
	subjects, uses = map[string]int64{}, map[string]int64{}
	for i := range needs {
		for _, c := range needs[i].Categories {
			subjects[c]++
		}
		for _, u := range needs[i].Uses {
			uses[u]++
		}
	}
	return subjects, uses
}

func (b *build) problemPages() error {
	at := b.siteFrame("")
	if err := b.publishPage(templates.PathProblems, templates.Problems(templates.ProblemsPage{Site: at, Kinds: exports.ProblemKinds})); err != nil {
		return err
	}
	for _, k := range exports.ProblemKinds {
		path := exports.ProblemPath(k.Code)
		if err := b.publishPage(path, templates.Problem(templates.ProblemPage{Site: at, Kind: k})); err != nil {
			return err
		}
		about := obj(jsonMember("code", str(k.Code)), jsonMember("help", str(k.Help)), jsonMember("status", intValue(k.Status)), jsonMember("title", str(k.Title)), noRights)
		if err := b.writeValue(strings.TrimSuffix(path, "/"), about); err != nil {
			return err
		}
	}
	return nil
}
