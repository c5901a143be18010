package templates

import (
	"cmp"
	"strconv"
	"strings"

	"colophon/exports"
	"colophon/internal/prose"
	"colophon/templates/content"
	"colophon/templates/frame"
)

var home = frame.Crumb{Label: "Home", Path: frame.PathHome}

func (v HomePage) frame() frame.SiteFrame {
	return v.Site.Fill(frame.SiteFrame{
		Title:       "Ask for a licence, see the rights signals",
		Description: "A public directory of publishers and their registered pages: what they state about AI uses, how to ask for a licence, and signed provenance anyone can check.",
		Shortlist:   true, Path: frame.PathHome, JSON: exports.PathDiscovery, Feed: PathFeed, Script: "check.js",
		LinkedData: homeData(v),
	})
}

func (v CatalogPage) frame() frame.SiteFrame {
	f := frame.SiteFrame{
		Title:       "Catalog of registered pages",
		Description: "Search the titles, terms and sections of registered pages from publishers that joined, and ask for a licence. Metadata only, no article text.",
		Path:        exports.PathCatalogPage, JSON: exports.PathFeed, Feed: PathFeed,
		Crumbs: []frame.Crumb{home}, LinkedData: catalogData(v), Script: "narrow.js",
		Meta: []frame.Meta{{Name: "search-engine", Content: v.Site.AssetPath("search.js")}, {Name: "search-folding", Content: v.Site.AssetPath("folding.txt")}},
	}
	return v.Site.Fill(f)
}

func (v CheckPage) frame() frame.SiteFrame {
	return v.Site.Fill(frame.SiteFrame{
		Title:       "Check a page",
		Description: "Give a page’s address, its text or a fingerprint to see who publishes it, what is stated about eight AI uses, who may ask and what an offer costs.",
		Shortlist:   true, Path: exports.PathCheckPage, Script: "check.js", Crumbs: []frame.Crumb{home},
	})
}

func (v CategoriesPage) frame() frame.SiteFrame {
	return v.Site.Fill(frame.SiteFrame{
		Title:       "Categories",
		Description: "Subject areas of the publishers in this directory, with the number of publishers and registered pages in each of them.",
		Path:        frame.PathCategories, JSON: exports.PathCategories,
		Crumbs: []frame.Crumb{home}, LinkedData: categoriesData(v),
	})
}

func (v CategoryPage) frame() frame.SiteFrame {
	label := content.CategoryLabel(v.Category.Slug, []exports.Category{v.Category})
	return v.Site.Fill(frame.SiteFrame{
		Title: pageTitle(label, v.Page),
		Description: pageNote(v.Page) + label + ": " + prose.Counted(v.Category.Publishers, "publisher", "publishers") + " with " +
			prose.Counted(v.Category.RegisteredPages, "registered page", "registered pages") + ", what they state about AI uses, and how to ask for a licence.",
		Shortlist: true, Path: PagePath(exports.CategoryPage(v.Category.Slug), v.Page), JSON: exports.CategoryPath(v.Category.Slug),
		Crumbs: []frame.Crumb{home, {Label: "Categories", Path: frame.PathCategories}}, LinkedData: categoryData(v),
	})
}

func (v PublishersPage) frame() frame.SiteFrame {
	return v.Site.Fill(frame.SiteFrame{
		Title:       pageTitle("Publishers", v.Page),
		Description: pageNote(v.Page) + "All publishers of this directory: what each registers, what it states about AI uses, and whether it takes licensing inquiries.",
		Shortlist:   true, Path: PagePath(exports.PathPublishersPage, v.Page), JSON: exports.PathPublishers, Feed: PathFeed, Script: "narrow.js",
		Crumbs: []frame.Crumb{home}, LinkedData: publishersData(v),
	})
}

func (v PublisherPage) frame() frame.SiteFrame {
	p := &v.Publisher
	who := frame.Name(p.Name, p.SiteID)
	d := frame.SiteFrame{
		Title:       who,
		Description: who + ": " + prose.Counted(p.RegisteredPages, "registered page", "registered pages") + ", stated preferences for eight AI uses, offers, provenance, and how to ask for a licence.",
		Shortlist:   p.AcceptsInquiries, Path: exports.PublisherPage(p.SiteID), JSON: exports.PublisherPath(p.SiteID), Feed: exports.PublisherPage(p.SiteID) + "feed.rss", Script: "copy.js",
		Crumbs: []frame.Crumb{home, {Label: "Publishers", Path: exports.PathPublishersPage}}, LinkedData: publisherData(v),
	}
	return v.Site.Fill(d)
}

func (v InventoryPage) frame() frame.SiteFrame {
	siteID := v.Publisher.SiteID
	who := frame.Name(v.Publisher.Name, siteID)
	return v.Site.Fill(frame.SiteFrame{
		Title:       pageTitle("Inventory of "+prose.Clean(who, 28), v.Page),
		Description: pageNote(v.Page) + "Registered pages of " + who + ": titles, addresses and sections. Metadata only; nothing here grants a right.",
		Path:        InventoryPath(siteID, v.Page), JSON: exports.InventoryPath(siteID), Feed: exports.PublisherPage(siteID) + "feed.rss", NoIndex: v.Page > 1,
		Crumbs: []frame.Crumb{home, {Label: "Publishers", Path: exports.PathPublishersPage}, {Label: who, Path: exports.PublisherPage(siteID)}},
	})
}

func (v RightsMapPage) frame() frame.SiteFrame {
	return v.Site.Fill(frame.SiteFrame{
		Title:       pageTitle("AI rights map", v.Page),
		Description: pageNote(v.Page) + "What publishers state about eight AI uses, at a glance and as a table, with the public signals that were found. It grants no right.",
		Shortlist:   true, Path: PagePath(exports.PathMapPage, v.Page), JSON: exports.PathMap, Script: "narrow.js",
		Crumbs: []frame.Crumb{home}, LinkedData: mapData(v),
	})
}

func (v MapPublisherPage) frame() frame.SiteFrame {
	who := frame.Name(v.Record.Name, v.Record.SiteID)
	return v.Site.Fill(frame.SiteFrame{
		Title:       "Rights map: " + who,
		Description: "What " + who + " states about eight AI uses, its channels and its readiness are on the publisher's page.",
		Path:        exports.PublisherPage(v.Record.SiteID), JSON: exports.MapPublisherPath(v.Record.SiteID), NoIndex: true,
		Crumbs: []frame.Crumb{home, {Label: "Rights map", Path: exports.PathMapPage}},
	})
}

func (v LedgerPage) frame() frame.SiteFrame {
	return v.Site.Fill(frame.SiteFrame{
		Title:       "Provenance ledger",
		Description: "The append-only log of provenance records: its size, root and signed checkpoint, the latest events, and how to audit it yourself.",
		Path:        frame.PathLedger, JSON: exports.PathLedgerManifest,
		Crumbs: []frame.Crumb{home}, LinkedData: ledgerData(v),
	})
}

func (v DemandPage) frame() frame.SiteFrame {
	return v.Site.Fill(frame.SiteFrame{
		Title:       "What buyers look for",
		Description: "Needs for content that buyers chose to publish: uses, subjects, languages, volume and budget band. No names unless opted in, no e-mail addresses.",
		Path:        exports.PathDemandPage, JSON: exports.PathDemand, Script: "narrow.js",
		Crumbs: []frame.Crumb{home}, LinkedData: demandData(v),
	})
}

func (v OffersPage) frame() frame.SiteFrame {
	return v.Site.Fill(frame.SiteFrame{
		Title:       "Offers",
		Description: "Licences publishers offer, by use, place and payment: prices, territories and kinds of users. Offers are not binding until an agreement is signed elsewhere.",
		Path:        exports.PathOffersPage, JSON: exports.PathLicenseCatalog, Script: "narrow.js", Crumbs: []frame.Crumb{home},
	})
}

func (v EditorPage) frame() frame.SiteFrame {
	return v.Site.Fill(frame.SiteFrame{
		Title:       "Make your file",
		Description: "Make the file in which a publisher says what may be done with its pages and what it offers, and see it as RSL, robots.txt, TDMRep and more.",
		Path:        exports.PathEditor, Script: "editor.js", Crumbs: []frame.Crumb{home, {Label: "List your site", Path: exports.PathJoin}},
	})
}

func (v VerifyPage) frame() frame.SiteFrame {
	return v.Site.Fill(frame.SiteFrame{
		Title:       "Verify a record",
		Description: "Check a provenance record, a text and its place in the ledger in your own browser. Nothing you paste leaves the page.",
		Path:        frame.PathVerify, JSON: exports.WellKnownProvenance, Script: "verify.js",
		Crumbs: []frame.Crumb{home}, LinkedData: verifyData(v),
	})
}

func (v RequestPage) frame() frame.SiteFrame {
	who := frame.Name(v.Publisher.Name, v.Publisher.SiteID)
	return v.Site.Fill(frame.SiteFrame{
		Title:       "Ask " + who + " for a licence",
		Description: "Send " + who + " a licensing inquiry. It creates a private conversation and nothing else: it grants no right and binds nobody.",
		Shortlist:   true, Path: exports.RequestPage(v.Publisher.SiteID), JSON: exports.PathIntentSchema,
		Crumbs:     []frame.Crumb{home, {Label: "Publishers", Path: exports.PathPublishersPage}, {Label: who, Path: exports.PublisherPage(v.Publisher.SiteID)}},
		LinkedData: requestData(v), Script: "request.js",
	})
}

func (v ShortlistPage) frame() frame.SiteFrame {
	return v.Site.Fill(frame.SiteFrame{
		Title:       "Ask several publishers",
		Description: "Send the same licensing inquiry to up to 20 publishers: a private conversation with each, and one overview. It grants no right and binds nobody.",
		Shortlist:   true, Path: exports.PathShortlist, NoIndex: true, Script: "request.js", Crumbs: []frame.Crumb{home, {Label: "Publishers", Path: exports.PathPublishersPage}},
	})
}

func (v ConversationPage) frame() frame.SiteFrame {
	return v.Site.Fill(frame.SiteFrame{
		Title:       "Private conversation",
		Description: "A private licensing conversation between a requester and a publisher. Nothing said in it is binding, and nothing in it grants a right.",
		Path:        exports.PathConversationPage, NoIndex: true, Script: "conversation.js", Crumbs: []frame.Crumb{home},
	})
}

func (v NeedPage) frame() frame.SiteFrame {
	return v.Site.Fill(frame.SiteFrame{
		Title:       "Post a request",
		Description: "Tell publishers what content you need and for which uses. The operator reviews it before it is public, and it expires by itself.",
		Path:        exports.PathNeedPage, Crumbs: []frame.Crumb{home, {Label: "Demand", Path: exports.PathDemandPage}},
	})
}

func (v JoinPage) frame() frame.SiteFrame {
	return v.Site.Fill(frame.SiteFrame{
		Title:       "List your site",
		Description: "Enter your site’s address to see what it says about rights, what would be public, and what to place there. Nothing is public before the operator approves it.",
		Path:        exports.PathJoin, Crumbs: []frame.Crumb{home},
	})
}

func (v DocPage) frame() frame.SiteFrame {
	d := frame.SiteFrame{Title: v.Title, Description: v.Description, Path: DocPath(v.Slug), Crumbs: []frame.Crumb{home, {Label: "Developers", Path: frame.PathDevelopers}}}
	if v.Slug == "index" {
		d.Crumbs = d.Crumbs[:1]
	}
	d.JSON, d.LinkedData = exports.PathDeveloper, docData(v)
	return v.Site.Fill(d)
}

func (v ReferencePage) frame() frame.SiteFrame {
	return v.Site.Fill(frame.SiteFrame{
		Title:       "API reference",
		Description: "Every endpoint with method, parameters, credentials and limits, from the same table that routes the requests.",
		Path:        frame.PathReference, JSON: exports.PathOpenAPI,
		Crumbs: []frame.Crumb{home, {Label: "Developers", Path: frame.PathDevelopers}}, LinkedData: referenceData(v),
	})
}

func (v ReferenceGroupPage) frame() frame.SiteFrame {
	title := groupName(v.Group) + ": API reference"
	description := prose.Counted(int64(len(v.Endpoints)), "endpoint", "endpoints") + " of the API with method, parameters, credentials, limits and a recorded answer: " + groupName(v.Group) + "."
	if v.Group == GroupShapes {
		description = "The bodies that the API takes and the answers that it gives: every member with its type, its bounds and whether it is required."
	}
	path := ReferencePath(v.Group)
	return v.Site.Fill(frame.SiteFrame{
		Title: title, Description: description, Path: path, JSON: exports.PathOpenAPI,
		Crumbs:     []frame.Crumb{home, {Label: "Developers", Path: frame.PathDevelopers}, {Label: "API reference", Path: frame.PathReference}},
		LinkedData: techArticle(v.Site.Base, path, title, description),
	})
}

func (v ProblemsPage) frame() frame.SiteFrame {
	return v.Site.Fill(frame.SiteFrame{
		Title:       "Error codes",
		Description: "Every error this service answers with: the stable code, the HTTP status, what it means and what to do about it.",
		Path:        PathProblems, JSON: exports.PathDeveloper,
		Crumbs: []frame.Crumb{home, {Label: "Developers", Path: frame.PathDevelopers}},
	})
}

func (v ProblemPage) frame() frame.SiteFrame {
	return v.Site.Fill(frame.SiteFrame{
		Title:       v.Kind.Title,
		Description: "Error " + v.Kind.Code + " (HTTP " + strconv.Itoa(v.Kind.Status) + "): " + v.Kind.Title + ". " + v.Kind.Help + " What it means for a client, and whether to retry.",
		Path:        exports.ProblemPath(v.Kind.Code), JSON: strings.TrimSuffix(exports.ProblemPath(v.Kind.Code), "/") + ".json", NoIndex: true,
		Crumbs: []frame.Crumb{home, {Label: "Developers", Path: frame.PathDevelopers}, {Label: "Error codes", Path: PathProblems}},
	})
}

func (v StatusPage) frame() frame.SiteFrame {
	return v.Site.Fill(frame.SiteFrame{
		Title:       "Status",
		Description: "How old the published release is, how much it holds, whether rights are answered live, and what is pending for the operator.",
		Path:        exports.PathStatusPage, JSON: exports.PathStats, Crumbs: []frame.Crumb{home},
	})
}

func (v PolicyPage) frame() frame.SiteFrame {
	who := frame.Name(v.Name, v.SiteID)
	return v.Site.Fill(frame.SiteFrame{
		Title:       "What " + prose.Clean(who, 30) + " stated, and when",
		Description: "The history of what " + prose.Clean(who, 60) + " states about eight AI uses: each version with its dates, what changed, and its place in the ledger.",
		Path:        exports.PolicyPage(v.SiteID), JSON: exports.PolicyHistoryPath(v.SiteID),
		Crumbs: []frame.Crumb{home, {Label: "Publishers", Path: exports.PathPublishersPage}, {Label: who, Path: exports.PublisherPage(v.SiteID)}},
	})
}

func (v OwnPage) frame() frame.SiteFrame {
	return v.Site.Fill(frame.SiteFrame{
		Title:       v.Title,
		Description: v.Title + " of " + cmp.Or(v.Site.Name, "Colophon") + ", as whoever runs this registry of publishers and their rights signals states it.",
		Path:        v.Path, Crumbs: []frame.Crumb{home},
	})
}

func (v NotFoundPage) frame() frame.SiteFrame {
	return v.Site.Fill(frame.SiteFrame{
		Title:       "Nothing at this address",
		Description: "There is no page at this address. Search the catalog, look a publisher up, or start from the first page of the directory.",
		Path:        exports.PathNotFoundPage, NoIndex: true, Crumbs: []frame.Crumb{home},
	})
}

func (v ShellPage) frame() frame.SiteFrame {
	return v.Site.Fill(frame.SiteFrame{
		Title: exports.SlotTitle, Description: "An answer of this service to what was just sent. Nothing on this site is a licence.",
		Path: exports.PathShell, NoIndex: true, Script: "copy.js", Crumbs: []frame.Crumb{home},
	})
}

// pageTitle and pageNote add the page number to the title and description of
// later pages of a list.
func pageTitle(s string, page int) string {
	if page <= 1 {
		return s
	}
	return s + ", page " + strconv.Itoa(page)
}

func pageNote(page int) string {
	if page <= 1 {
		return ""
	}
	return "Page " + strconv.Itoa(page) + ". "
}
