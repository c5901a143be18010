package templates

import (
	"cmp"

	"colophon/exports"
	"colophon/internal/prose"
	"colophon/internal/wire"
	"colophon/templates/frame"
)

func homeData(v HomePage) []byte {
	site := frame.Node("WebSite",
		frame.Text("name", cmp.Or(v.Site.Name, "Colophon"), frame.NameLimit), frame.Address("url", v.Site.Base+frame.PathHome),
		frame.Text("description", "A directory of publishers, their stated preferences for AI uses, and signed provenance.", 200),
		wire.M("publisher", frame.Node("Organization", frame.Text("name", cmp.Or(v.Site.Name, "Colophon"), frame.NameLimit), frame.Address("url", v.Site.Base+frame.PathHome))))
	return frame.Document(site)
}

func catalogData(v CatalogPage) []byte {
	return frame.Document(frame.Node("DataCatalog", frame.Text("name", "Catalog of registered pages", frame.NameLimit), frame.Address("url", v.Site.Base+exports.PathCatalogPage),
		frame.Text("description", "Titles, addresses, sections and terms of pages that publishers registered. Metadata only.", 300)))
}

// itemList returns a list of pages by address and name.
func itemList(items []wire.Value) wire.Member {
	return wire.M("mainEntity", frame.Node("ItemList", wire.M("numberOfItems", wire.Int(int64(len(items)))), wire.M("itemListElement", wire.Array(items...))))
}

func listItem(i int, url, label string) wire.Value {
	return frame.Node("ListItem", wire.M("position", wire.Int(int64(i+1))), frame.Address("url", url), frame.Text("name", label, frame.NameLimit))
}

func collection(base, path, label string, items []wire.Value) []byte {
	return frame.Document(frame.Node("CollectionPage", frame.Text("name", label, frame.NameLimit), frame.Address("url", base+path), itemList(items)))
}

func categoriesData(v CategoriesPage) []byte {
	items := make([]wire.Value, len(v.Categories))
	for i, c := range v.Categories {
		items[i] = listItem(i, v.Site.Base+exports.CategoryPage(c.Slug), cmp.Or(c.Label, c.Slug))
	}
	return collection(v.Site.Base, frame.PathCategories, "Categories", items)
}

func publisherItems(base string, publishers []exports.PublisherSummary) []wire.Value {
	items := make([]wire.Value, len(publishers))
	for i, p := range publishers {
		items[i] = listItem(i, base+exports.PublisherPage(p.SiteID), frame.Name(p.Name, p.SiteID))
	}
	return items
}

func categoryData(v CategoryPage) []byte {
	return collection(v.Site.Base, PagePath(exports.CategoryPage(v.Category.Slug), v.Page), cmp.Or(v.Category.Label, v.Category.Slug), publisherItems(v.Site.Base, v.Publishers))
}

func publishersData(v PublishersPage) []byte {
	return collection(v.Site.Base, PagePath(exports.PathPublishersPage, v.Page), "Publishers", publisherItems(v.Site.Base, v.Publishers))
}

func publisherData(v PublisherPage) []byte {
	p, base := &v.Publisher, v.Site.Base
	who := frame.Name(p.Name, p.SiteID)
	data := frame.Node("Dataset",
		frame.Text("name", "Registered pages of "+who, frame.NameLimit), frame.Address("url", base+exports.PublisherPage(p.SiteID)),
		frame.Text("description", "Titles, addresses, sections and terms of the pages that "+who+" registered. Metadata only; it grants no right.", 400),
		wire.M("creator", frame.Organization(p.Name, p.SiteID, p.SiteURL)),
		wire.M("isAccessibleForFree", wire.Bool(true)),
		frame.Address("usageInfo", base+exports.PublisherPage(p.SiteID)), acquire(base, p.AcceptsInquiries, p.SiteID),
		frame.Instant("dateModified", p.UpdatedAt),
		wire.M("distribution", frame.Node("DataDownload", wire.M("encodingFormat", wire.String("application/json")), frame.Address("contentUrl", base+exports.InventoryPath(p.SiteID)))))
	return frame.Document(data)
}

// acquire returns the member with the address of the request form, or null if
// the publisher takes no inquiries.
func acquire(base string, accepts bool, siteID string) wire.Member {
	if !accepts {
		return wire.M("acquireLicensePage", wire.Null())
	}
	return frame.Address("acquireLicensePage", base+exports.RequestPage(siteID))
}

func mapData(v RightsMapPage) []byte {
	base := v.Site.Base
	file := func(media, path string) wire.Value {
		return frame.Node("DataDownload", wire.M("encodingFormat", wire.String(media)), frame.Address("contentUrl", base+path))
	}
	return frame.Document(frame.Node("Dataset", frame.Text("name", "AI rights map", frame.NameLimit), frame.Address("url", base+exports.PathMapPage),
		frame.Text("description", "What publishers state about eight AI uses, which public channels say so, and which readiness signals can be discovered.", 300),
		wire.M("isAccessibleForFree", wire.Bool(true)),
		wire.M("distribution", wire.Array(file("text/csv", exports.PathMapCSV), file("application/json", exports.PathMap)))))
}

func ledgerData(v LedgerPage) []byte {
	return frame.Document(frame.Node("Dataset", frame.Text("name", "Provenance ledger", frame.NameLimit), frame.Address("url", v.Site.Base+frame.PathLedger),
		frame.Text("description", "An append-only Merkle log of the provenance records of this service, as static tiles with a signed checkpoint.", 300),
		wire.M("isAccessibleForFree", wire.Bool(true))))
}

func demandData(v DemandPage) []byte {
	items := make([]wire.Value, len(v.Needs))
	for i, d := range v.Needs {
		items[i] = listItem(i, v.Site.Base+exports.PathDemandPage+"#"+d.DemandID, cmp.Or(prose.Clean(d.Headline, frame.NameLimit), d.DemandID))
	}
	return collection(v.Site.Base, exports.PathDemandPage, "What buyers look for", items)
}

func verifyData(v VerifyPage) []byte {
	return frame.Document(frame.Node("WebPage", frame.Text("name", "Verify a record", frame.NameLimit), frame.Address("url", v.Site.Base+frame.PathVerify)))
}

func requestData(v RequestPage) []byte {
	p := &v.Publisher
	return frame.Document(frame.Node("ContactPage", frame.Text("name", "Ask "+frame.Name(p.Name, p.SiteID)+" for a licence", 200), frame.Address("url", v.Site.Base+exports.RequestPage(p.SiteID)),
		wire.M("about", frame.Organization(p.Name, p.SiteID, p.SiteURL))))
}

func techArticle(base, path, headline, description string) []byte {
	return frame.Document(frame.Node("TechArticle", frame.Text("headline", headline, 110), frame.Text("description", description, 400), frame.Address("url", base+path)))
}

func docData(v DocPage) []byte {
	return techArticle(v.Site.Base, DocPath(v.Slug), v.Title, v.Description)
}

func referenceData(v ReferencePage) []byte {
	return techArticle(v.Site.Base, frame.PathReference, "API reference", "Every endpoint of the service.")
}
