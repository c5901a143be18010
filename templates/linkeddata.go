package templates

import (
	"colophon/exports"
	"colophon/internal/wire"
)

func homeData(v HomePage) []byte {
	site := node("WebSite",
		text("name", orElse(v.Site.Name, "Colophon"), nameLimit), address("url", v.Site.Base+PathHome),
		text("description", "A directory of publishers, their stated preferences for AI uses, and signed provenance.", 200),
		wire.M("publisher", node("Organization", text("name", orElse(v.Site.Name, "Colophon"), nameLimit), address("url", v.Site.Base+PathHome))))
	return document(site)
}

func catalogData(v CatalogPage) []byte {
	return document(node("DataCatalog", text("name", "Catalog of registered pages", nameLimit), address("url", v.Site.Base+PathCatalog),
		text("description", "Titles, addresses, sections and terms of pages that publishers registered. Metadata only.", 300)))
}

// itemList returns a list of pages by address and name.
func itemList(items []wire.Value) wire.Member {
	return wire.M("mainEntity", node("ItemList", wire.M("numberOfItems", wire.Int(int64(len(items)))), wire.M("itemListElement", wire.Array(items...))))
}

func listItem(i int, url, label string) wire.Value {
	return node("ListItem", wire.M("position", wire.Int(int64(i+1))), address("url", url), text("name", label, nameLimit))
}

func collection(base, path, label string, items []wire.Value) []byte {
	return document(node("CollectionPage", text("name", label, nameLimit), address("url", base+path), itemList(items)))
}

func categoriesData(v CategoriesPage) []byte {
	items := make([]wire.Value, len(v.Categories))
	for i, c := range v.Categories {
		items[i] = listItem(i, v.Site.Base+exports.CategoryPage(c.Slug), orElse(c.Label, c.Slug))
	}
	return collection(v.Site.Base, PathCategories, "Categories", items)
}

func publisherItems(base string, publishers []exports.PublisherSummary) []wire.Value {
	items := make([]wire.Value, len(publishers))
	for i, p := range publishers {
		items[i] = listItem(i, base+exports.PublisherPage(p.SiteID), name(p.Name, p.SiteID))
	}
	return items
}

func categoryData(v CategoryPage) []byte {
	return collection(v.Site.Base, PagePath(exports.CategoryPage(v.Category.Slug), v.Page), orElse(v.Category.Label, v.Category.Slug), publisherItems(v.Site.Base, v.Publishers))
}

func publishersData(v PublishersPage) []byte {
	return collection(v.Site.Base, PagePath(PathPublishers, v.Page), "Publishers", publisherItems(v.Site.Base, v.Publishers))
}

func publisherData(v PublisherPage) []byte {
	p, base := &v.Publisher, v.Site.Base
	who := name(p.Name, p.SiteID)
	data := node("Dataset",
		text("name", "Registered pages of "+who, nameLimit), address("url", base+exports.PublisherPage(p.SiteID)),
		text("description", "Titles, addresses, sections and terms of the pages that "+who+" registered. Metadata only; it grants no right.", 400),
		wire.M("creator", organization(p.Name, p.SiteID, p.SiteURL)),
		wire.M("isAccessibleForFree", wire.Bool(true)),
		address("usageInfo", base+exports.PublisherPage(p.SiteID)), acquire(base, p.AcceptsInquiries, p.SiteID),
		instant("dateModified", p.UpdatedAt),
		wire.M("distribution", node("DataDownload", wire.M("encodingFormat", wire.String("application/json")), address("contentUrl", base+exports.InventoryPath(p.SiteID)))))
	return document(data)
}

// acquire returns the member with the address of the request form, or null if
// the publisher takes no inquiries.
func acquire(base string, accepts bool, siteID string) wire.Member {
	if !accepts {
		return wire.M("acquireLicensePage", wire.Null())
	}
	return address("acquireLicensePage", base+RequestPath(siteID))
}

func mapData(v RightsMapPage) []byte {
	base := v.Site.Base
	file := func(media, path string) wire.Value {
		return node("DataDownload", wire.M("encodingFormat", wire.String(media)), address("contentUrl", base+path))
	}
	return document(node("Dataset", text("name", "AI rights map", nameLimit), address("url", base+PathMap),
		text("description", "What publishers state about eight AI uses, which public channels say so, and which readiness signals can be discovered.", 300),
		wire.M("isAccessibleForFree", wire.Bool(true)),
		wire.M("distribution", wire.Array(file("text/csv", exports.PathMapCSV), file("application/json", exports.PathMap)))))
}

func ledgerData(v LedgerPage) []byte {
	return document(node("Dataset", text("name", "Provenance ledger", nameLimit), address("url", v.Site.Base+PathLedger),
		text("description", "An append-only Merkle log of the provenance records of this service, as static tiles with a signed checkpoint.", 300),
		wire.M("isAccessibleForFree", wire.Bool(true))))
}

func demandData(v DemandPage) []byte {
	items := make([]wire.Value, len(v.Needs))
	for i, d := range v.Needs {
		items[i] = listItem(i, v.Site.Base+PathDemand+"#"+d.DemandID, orElse(Clean(d.Headline, nameLimit), d.DemandID))
	}
	return collection(v.Site.Base, PathDemand, "What buyers look for", items)
}

func verifyData(v VerifyPage) []byte {
	return document(node("WebPage", text("name", "Verify a record", nameLimit), address("url", v.Site.Base+PathVerify)))
}

func requestData(v RequestPage) []byte {
	p := &v.Publisher
	return document(node("ContactPage", text("name", "Ask "+name(p.Name, p.SiteID)+" for a licence", 200), address("url", v.Site.Base+RequestPath(p.SiteID)),
		wire.M("about", organization(p.Name, p.SiteID, p.SiteURL))))
}

func techArticle(base, path, headline, description string) []byte {
	return document(node("TechArticle", text("headline", headline, 110), text("description", description, 400), address("url", base+path)))
}

func docData(v DocPage) []byte {
	return techArticle(v.Site.Base, DocPath(v.Slug), v.Title, v.Description)
}

func referenceData(v ReferencePage) []byte {
	return techArticle(v.Site.Base, PathReference, "API reference", "Every endpoint of the service.")
}
