package generator

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/a-h/templ"
	"github.com/tdewolff/minify/v2"
	"github.com/tdewolff/minify/v2/html"

	"colophon/exports"
	"colophon/internal/origin"
	"colophon/internal/rights"
	"colophon/templates"
)

// pages writes the pages for people, but for those of single entries, which
// publishEntries wrote while it passed them.
func (b *build) pages() error {
	for _, f := range []func() error{b.home, b.publisherPages, b.categoryPages, b.mapPages, b.otherPages, b.docs, b.problemPages, b.texts} {
		if err := f(); err != nil {
			return err
		}
	}
	return nil
}

// frame is what every page shares.
func (b *build) frame(updated string) templates.SiteFrame {
	return templates.SiteFrame{Base: b.opt.BaseURL, Name: b.opt.Name, Asset: b.assetPath, UpdatedAt: updated}
}

// page renders and minifies a page that stands once or a few times.
func (b *build) page(path string, c templ.Component) error {
	text, err := render(c)
	if err != nil {
		return fmt.Errorf("cannot render %q: %w", path, err)
	}
	if text, err = minified(text); err != nil {
		return fmt.Errorf("cannot minify %q: %w", path, err)
	}
	return b.out.put(exports.KeyOf(path), text)
}

func render(c templ.Component) ([]byte, error) {
	var buf bytes.Buffer
	if err := c.Render(context.Background(), &buf); err != nil {
		return nil, err
	}
	return buf.Bytes(), nil
}

func minified(text []byte) ([]byte, error) {
	m := minify.New()
	m.Add("text/html", &html.Minifier{KeepDocumentTags: true, KeepEndTags: true, KeepQuotes: true, KeepDefaultAttrVals: true, KeepWhitespace: false})
	return m.Bytes("text/html", text)
}

// citationPage writes the page of one entry. There is one for each page of
// every publisher, so it is spelled compactly by its template and not
// minified again: that would cost more than all the rest of the entry.
func (b *build) citationPage(c *exports.Citation, last origin.Record) error {
	v := templates.CitationPage{Site: b.frame(c.GeneratedAt), Citation: *c}
	if last.JSON != "" {
		r, err := decodeRecord(last.JSON)
		if err != nil {
			return err
		}
		v.Record = &r
	}
	text, err := render(templates.Citation(v))
	if err != nil {
		return fmt.Errorf("cannot render the page of %q: %w", c.EntryID, err)
	}
	return b.out.put(exports.KeyOf(exports.CitationPage(c.EntryID)), text)
}

func (b *build) home() error {
	categories, _ := b.categoryTotals()
	latest := b.summaries()
	approved := map[string]string{}
	for i := range b.sites {
		approved[b.sites[i].Site.SiteID] = b.sites[i].Site.ApprovedAt
	}
	sortSummaries(latest, func(p *exports.PublisherSummary) string { return approved[p.SiteID] })
	v := templates.HomePage{Site: b.frame(b.release.GeneratedAt), Stats: b.totals(), Latest: latest[:min(len(latest), 6)], Categories: categories}
	return b.page(templates.PathHome, templates.Home(v))
}

// perPage is how many rows a paginated page shows.
const perPage = 50

// chunks splits a list into pages; an empty list has one.
func chunks[T any](list []T) [][]T {
	var out [][]T
	for len(list) > perPage {
		out, list = append(out, list[:perPage]), list[perPage:]
	}
	return append(out, list)
}

func (b *build) publisherPages() error {
	all := b.summaries()
	pages := chunks(all)
	for i, list := range pages {
		v := templates.PublishersPage{Site: b.frame(b.release.GeneratedAt), Publishers: list, Total: int64(len(all)), Page: i + 1, Pages: len(pages)}
		if err := b.page(templates.PagePath(templates.PathPublishers, i+1), templates.Publishers(v)); err != nil {
			return err
		}
	}
	categories, _ := b.categoryTotals()
	for i := range b.sites {
		if err := b.publisherPage(&b.sites[i], categories); err != nil {
			return err
		}
	}
	return nil
}

// publisherPage writes a publisher's page with the newest of its inventory,
// and its request form.
func (b *build) publisherPage(s *siteFacts, categories []exports.Category) error {
	p, ok := rights.Publisher(&s.SiteSnapshot, s.tally)
	if !ok {
		return nil
	}
	record, _ := rights.Map(&s.SiteSnapshot, s.tally)
	entries := make([]exports.Entry, len(s.newest))
	for i := range s.newest {
		entries[i] = s.newest[i].Entry
	}
	pages := chunks(entries)
	for i, list := range pages {
		v := templates.PublisherPage{Site: b.frame(p.UpdatedAt), Publisher: p, Map: record, Offers: siteOffers(s), Entries: list, Categories: categories, Page: i + 1, Pages: len(pages)}
		if err := b.page(templates.PagePath(exports.PublisherPage(p.SiteID), i+1), templates.Publisher(v)); err != nil {
			return err
		}
	}
	if err := b.siteFeed(s); err != nil {
		return err
	}
	if !p.AcceptsInquiries {
		return nil
	}
	request := templates.RequestPage{Site: b.frame(p.UpdatedAt), Publisher: p.PublisherSummary, Uses: p.Preferences}
	return b.page(templates.RequestPath(p.SiteID), templates.Request(request))
}

func (b *build) categoryPages() error {
	categories, members := b.categoryTotals()
	if err := b.page(templates.PathCategories, templates.Categories(templates.CategoriesPage{Site: b.frame(b.release.GeneratedAt), Categories: categories})); err != nil {
		return err
	}
	for _, c := range categories {
		pages := chunks(members[c.Slug])
		for i, list := range pages {
			v := templates.CategoryPage{Site: b.frame(b.release.GeneratedAt), Category: c, Publishers: list, TopTerms: b.topTerms(c.Slug), Page: i + 1, Pages: len(pages)}
			if err := b.page(templates.PagePath(exports.CategoryPage(c.Slug), i+1), templates.Category(v)); err != nil {
				return err
			}
		}
	}
	return nil
}

// topTerms are the frequent terms of a category's publishers.
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
	categories, _ := b.categoryTotals()
	pages := chunks(records)
	for i, list := range pages {
		v := templates.RightsMapPage{Site: b.frame(b.release.GeneratedAt), Records: list, Categories: categories, Total: int64(len(records)), Page: i + 1, Pages: len(pages)}
		if err := b.page(templates.PagePath(templates.PathMap, i+1), templates.RightsMap(v)); err != nil {
			return err
		}
	}
	for i := range records {
		v := templates.MapPublisherPage{Site: b.frame(records[i].UpdatedAt), Record: records[i], Categories: categories}
		if err := b.page(exports.MapPage(records[i].SiteID), templates.MapPublisher(v)); err != nil {
			return err
		}
	}
	return nil
}

// otherPages are those that stand once.
func (b *build) otherPages() error {
	categories, _ := b.categoryTotals()
	newest := b.newest()
	catalog := templates.CatalogPage{Site: b.frame(b.release.GeneratedAt), Total: b.report.Pages, Entries: newest[:min(len(newest), 20)], Categories: categories}
	shell := catalog
	shell.Entries, shell.Slots = nil, true
	needs := append([]exports.Demand(nil), b.demand...)
	sortDemand(needs)
	at := b.frame(b.release.GeneratedAt)
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
		{templates.PathDemand, templates.Demand(templates.DemandPage{Site: at, Needs: needs, Categories: categories})},
		{templates.PathVerify, templates.Verify(templates.VerifyPage{Site: at})},
		{templates.PathConversation, templates.Conversation(templates.ConversationPage{Site: at})},
		{templates.PathLedger, templates.Ledger(log)},
		{templates.PathNotFound, templates.NotFound(templates.NotFoundPage{Site: at})},
		{templates.PathShell, templates.Shell(templates.ShellPage{Site: at})},
	} {
		if err := b.page(p.path, p.c); err != nil {
			return err
		}
	}
	return nil
}

func (b *build) problemPages() error {
	at := b.frame("")
	if err := b.page(templates.PathProblems, templates.Problems(templates.ProblemsPage{Site: at, Kinds: exports.ProblemKinds})); err != nil {
		return err
	}
	for _, k := range exports.ProblemKinds {
		path := exports.ProblemPath(k.Code)
		if err := b.page(path, templates.Problem(templates.ProblemPage{Site: at, Kind: k})); err != nil {
			return err
		}
		about := obj(m("code", str(k.Code)), m("help", str(k.Help)), m("status", intValue(k.Status)), m("title", str(k.Title)), noRights)
		if err := b.value(strings.TrimSuffix(path, "/"), about); err != nil {
			return err
		}
	}
	return nil
}
