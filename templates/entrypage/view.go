package entrypage

import (
	"colophon/exports"
	"colophon/internal/prose"
	"colophon/internal/wire"
	"colophon/templates/frame"
)

// View is one entry: its rights, how to cite it, and its provenance. Record is
// nil if none is signed. Asks reports whether its publisher takes inquiries and
// so has a request form.
type View struct {
	Site     frame.SiteFrame
	Citation exports.Citation
	Record   *exports.Record
	Asks     bool
	Terms    []string
}

func (v View) frame() frame.SiteFrame {
	c := &v.Citation
	who, what := frame.Name(c.Publisher, c.SiteID), frame.Title(c.Source.Title)
	return v.Site.Fill(frame.SiteFrame{
		Title:       what,
		Description: "“" + frame.CleanEnds(what, 60) + "” (" + prose.Clean(who, 30) + "): what is stated about AI uses, how to ask, how to cite it, and its provenance.",
		Shortlist:   v.Asks, Path: exports.CitationPage(c.EntryID), JSON: exports.CitationPath(c.EntryID), NoIndex: c.Status == "withdrawn", Script: "copy.js", Meta: cardMeta(v),
		Crumbs:     []frame.Crumb{{Label: "Home", Path: frame.PathHome}, {Label: "Publishers", Path: exports.PathPublishersPage}, {Label: who, Path: exports.PublisherPage(c.SiteID)}},
		LinkedData: citationData(v),
	})
}

func citationData(v View) []byte {
	c, base := &v.Citation, v.Site.Base
	article := frame.Node("Article",
		frame.Text("headline", frame.Title(c.Source.Title), 110), frame.Address("url", c.CanonicalURL),
		wire.M("publisher", frame.Organization(c.Publisher, c.SiteID, c.PublisherURL)),
		frame.Instant("datePublished", c.Source.PublishedAt), frame.Instant("dateModified", c.Source.ModifiedAt),
		frame.Text("inLanguage", prose.LanguageOf(c.Source.Language), 35),
		frame.Address("usageInfo", base+exports.PublisherPage(c.SiteID)), frame.Address("acquireLicensePage", base+askPath(c.SiteID)))
	return frame.Document(frame.Node("WebPage", frame.Text("name", frame.Title(c.Source.Title), frame.TitleTextLimit), frame.Address("url", base+exports.CitationPage(c.EntryID)), wire.M("mainEntity", article)))
}
