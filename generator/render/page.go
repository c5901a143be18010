package render

import (
	"slices"
	"sort"
	"strings"

	"colophon/exports"
	"colophon/internal/wire"
	"colophon/site"
	"colophon/templates"
	"colophon/templates/content"
	"colophon/templates/frame"
)

// Pages returns the pages for people that are not about a single publisher or
// entry, and related texts.
func Pages(s *Service, c *Catalog, log *Log) ([]Document, error) {
	docs := slices.Concat([]Document{homePage(s, c)}, publisherPages(s, c), categoryPages(s, c), mapPages(s, c), otherPages(s, c, log), problemPages(s))
	for _, more := range []func() ([]Document, error){
		func() ([]Document, error) { return brandPages(s) },
		func() ([]Document, error) { return guides(s, c) },
		func() ([]Document, error) { return Sitemaps(s.BaseURL, c) },
	} {
		some, err := more()
		if err != nil {
			return nil, err
		}
		docs = append(docs, some...)
	}
	agents, err := agentCatalogOf(s)
	docs = append(docs, security(s, c.Release.GeneratedAt)...)
	return append(docs, fileAt("llms.txt", site.LLMs(s.BaseURL)), agents, publisherFeed(s, c)), err
}

func homePage(s *Service, c *Catalog) Document {
	latest := c.lastApproved()
	v := templates.HomePage{Site: s.Frame(c.Release.GeneratedAt), Stats: Totals(c), Latest: latest[:min(len(latest), 6)], Categories: c.Categories}
	return pageAt(frame.PathHome, templates.Home(v))
}

// The number of items on one page of a list. A page should take at most a dozen
// screens on a phone: table rows are low, cards and entries take several lines.
const (
	rowsPerPage    = 50
	cardsPerPage   = exports.CardsPerPage
	entriesPerPage = 24
)

// chunksOf splits a list into chunks of the given size. An empty list gives one
// empty chunk.
func chunksOf[T any](list []T, size int) [][]T {
	var out [][]T
	for len(list) > size {
		out, list = append(out, list[:size]), list[size:]
	}
	return append(out, list)
}

// publisherPages returns the directory of publishers.
func publisherPages(s *Service, c *Catalog) (docs []Document) {
	all := c.Summaries()
	pages := chunksOf(all, cardsPerPage)
	for i, list := range pages {
		v := templates.PublishersPage{Site: s.Frame(c.Release.GeneratedAt), Publishers: list, Categories: c.Categories, Total: int64(len(all)), Page: i + 1, Pages: len(pages)}
		docs = append(docs, pageAt(templates.PagePath(exports.PathPublishersPage, i+1), templates.Publishers(v)))
	}
	return docs
}

// PublisherPages returns a publisher's page with its newest entries, its feed,
// its request form, and its place on the rights map.
func PublisherPages(s *Service, categories []exports.Category, f *Publisher, newest []exports.FeedRecord) (docs []Document) {
	if f.Map != nil {
		docs = append(docs, pageAt(exports.MapPage(f.Site.SiteID), templates.MapPublisher(templates.MapPublisherPage{Site: s.Frame(f.Map.UpdatedAt), Record: *f.Map})))
	}
	if f.Record == nil {
		return docs
	}
	p := *f.Record
	at := s.Frame(p.UpdatedAt)
	at.Card = f.Card
	v := templates.PublisherPage{Site: at, Publisher: p, Rights: f.ResourceRights(), Offers: f.Listed, Categories: categories}
	if f.Map != nil {
		v.Map = *f.Map
	}
	if changes := f.PolicyChanges(); len(changes) > 0 {
		v.LastChange = &changes[len(changes)-1]
	}
	docs = append(docs, pageAt(exports.PublisherPage(p.SiteID), templates.Publisher(v)))
	undated := at
	undated.UpdatedAt = "" // so that a page changes only if its rows do
	pages := chunksOf(latestFirst(entriesOf(newest)), entriesPerPage)
	for i, list := range pages {
		v := templates.InventoryPage{Site: undated, Publisher: p, Entries: list, Page: i + 1, Pages: len(pages), PerPage: entriesPerPage}
		docs = append(docs, pageAt(templates.InventoryPath(p.SiteID, i+1), templates.Inventory(v)))
	}
	docs = append(docs, siteFeed(s.BaseURL, f, newest))
	if p.AcceptsInquiries {
		request := templates.RequestPage{Site: undated, Publisher: p.PublisherSummary, Uses: p.Preferences}
		docs = append(docs, pageAt(exports.RequestPage(p.SiteID), templates.Request(request)))
	}
	return docs
}

func categoryPages(s *Service, c *Catalog) []Document {
	at := s.Frame(c.Release.GeneratedAt)
	docs := []Document{pageAt(frame.PathCategories, templates.Categories(templates.CategoriesPage{Site: at, Categories: c.Categories}))}
	for _, category := range c.Categories {
		pages := chunksOf(c.Members[category.Slug], cardsPerPage)
		for i, list := range pages {
			v := templates.CategoryPage{Site: at, Category: category, Publishers: list, TopTerms: topTerms(c, category.Slug), Page: i + 1, Pages: len(pages)}
			docs = append(docs, pageAt(templates.PagePath(exports.CategoryPage(category.Slug), i+1), templates.Category(v)))
		}
	}
	return docs
}

// topTerms returns frequent terms of a category's publishers.
func topTerms(c *Catalog, slug string) []string {
	var out []string
	seen := map[string]bool{}
	for _, p := range c.Publishers {
		if !slices.Contains(p.Site.Categories, slug) {
			continue
		}
		for _, t := range p.Tally.TopTerms(5) {
			if !seen[t] && len(out) < 15 {
				seen[t] = true
				out = append(out, t)
			}
		}
	}
	return out
}

func mapPages(s *Service, c *Catalog) (docs []Document) {
	records := c.mapRecords()
	groups := groupRecords(records)
	pages := chunksOf(records, rowsPerPage)
	for i, list := range pages {
		v := templates.RightsMapPage{Site: s.Frame(c.Release.GeneratedAt), Records: list, Groups: groups, Categories: c.Categories, Total: int64(len(records)), Page: i + 1, Pages: len(pages)}
		docs = append(docs, pageAt(templates.PagePath(exports.PathMapPage, i+1), templates.RightsMap(v)))
	}
	return docs
}

// groupRecords places the records of each group next to each other, where the
// group's id sorts among the sites, and sums up the groups.
func groupRecords(records []exports.MapRecord) map[string]content.GroupLine {
	place := func(r *exports.MapRecord) string {
		if r.Group != nil {
			return strings.TrimPrefix(r.Group.GroupID, "pub_")
		}
		return r.SiteID
	}
	sort.SliceStable(records, func(i, j int) bool { return place(&records[i]) < place(&records[j]) })
	lines := map[string]content.GroupLine{}
	for i := range records {
		if g := records[i].Group; g != nil {
			line := lines[g.GroupID]
			line.Add(records[i].RightsVector)
			lines[g.GroupID] = line
		}
	}
	return lines
}

// otherPages returns the pages that exist once.
func otherPages(s *Service, c *Catalog, log *Log) []Document {
	at, categories, stats := s.Frame(c.Release.GeneratedAt), c.Categories, Totals(c)
	catalog := templates.CatalogPage{Site: at, Total: c.Pages, Entries: c.Newest[:min(len(c.Newest), 20)], Categories: categories}
	catalog.Uses, catalog.Signals = countPages(c)
	needs := c.Demand
	tool := s.Frame("") // for pages that show nothing of the release
	demand := templates.DemandPage{Site: at, Total: int64(len(needs)), Needs: needs[:min(len(needs), cardsPerPage)], Categories: categories}
	demand.Subjects, demand.Uses = countNeeds(needs)
	summaries := c.Summaries()
	offers := templates.OffersPage{Site: at, Offers: c.offered(), Categories: categories}
	offers.Total, offers.Offers = int64(len(offers.Offers)), offers.Offers[:min(len(offers.Offers), cardsPerPage)]
	offers.Names = map[string]string{}
	for _, p := range summaries {
		offers.Names[p.SiteID] = p.Name
	}
	return []Document{
		pageAt(exports.PathCatalogPage, templates.Catalog(catalog)),
		pageAt(exports.PathCheckPage, templates.Check(templates.CheckPage{Site: tool})),
		pageAt(exports.PathDemandPage, templates.Demand(demand)),
		pageAt(exports.PathStatusPage, templates.Status(templates.StatusPage{Site: at, Stats: stats})),
		pageAt(exports.PathOffersPage, templates.Offers(offers)),
		pageAt(frame.PathVerify, templates.Verify(templates.VerifyPage{Site: tool})),
		pageAt(exports.PathConversationPage, templates.Conversation(templates.ConversationPage{Site: tool})),
		pageAt(exports.PathShortlist, templates.Shortlist(templates.ShortlistPage{Site: tool})),
		pageAt(exports.PathNeedPage, templates.Need(templates.NeedPage{Site: tool})),
		pageAt(exports.PathJoin, templates.Join(templates.JoinPage{Site: tool})),
		pageAt(exports.PathEditor, templates.Editor(editorPage(s))),
		pageAt(frame.PathLedger, templates.Ledger(ledgerPage(at, log))),
		pageAt(exports.PathNotFoundPage, templates.NotFound(templates.NotFoundPage{Site: tool})),
		pageAt(exports.PathShell, templates.Shell(templates.ShellPage{Site: tool})),
	}
}

// countPages counts the pages by the uses for which their publishers welcome
// inquiries, and by the readiness levels that their publishers reach.
func countPages(c *Catalog) (uses, signals map[string]int64) {
	uses, signals = map[string]int64{}, map[string]int64{}
	for _, f := range c.Publishers {
		p := f.Record
		if p == nil {
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

// problemPages returns a page and a document about each kind of problem.
func problemPages(s *Service) []Document {
	at := s.Frame("")
	docs := []Document{pageAt(templates.PathProblems, templates.Problems(templates.ProblemsPage{Site: at, Kinds: exports.ProblemKinds}))}
	for _, k := range exports.ProblemKinds {
		path := exports.ProblemPath(k.Code)
		about := obj(jsonMember("code", str(k.Code)), jsonMember("help", str(k.Help)), jsonMember("status", wire.Int(int64(k.Status))), jsonMember("title", str(k.Title)), noRights)
		docs = append(docs, pageAt(path, templates.Problem(templates.ProblemPage{Site: at, Kind: k})), valueAt(strings.TrimSuffix(path, "/"), about))
	}
	return docs
}
