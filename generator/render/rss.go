package render

import (
	"cmp"
	"encoding/xml"
	"slices"
	"strings"
	"time"

	"colophon/exports"
	"colophon/internal/prose"
	"colophon/templates"
)

// rss is an RSS 2.0 document.
type rss struct {
	XMLName xml.Name   `xml:"rss"`
	Version string     `xml:"version,attr"`
	Atom    string     `xml:"xmlns:atom,attr"`
	Channel rssChannel `xml:"channel"`
}

type rssChannel struct {
	Title       string    `xml:"title"`
	Link        string    `xml:"link"`
	Description string    `xml:"description"`
	Self        rssLink   `xml:"atom:link"`
	Items       []rssItem `xml:"item"`
}

type rssLink struct {
	Href string `xml:"href,attr"`
	Rel  string `xml:"rel,attr"`
	Type string `xml:"type,attr"`
}

type rssItem struct {
	Title       string  `xml:"title"`
	Link        string  `xml:"link"`
	Description string  `xml:"description,omitempty"`
	GUID        rssGUID `xml:"guid"`
	PubDate     string  `xml:"pubDate"`
}

type rssGUID struct {
	Permanent bool   `xml:"isPermaLink,attr"`
	ID        string `xml:",chardata"`
}

// feedLength is the maximum number of items in a feed.
const feedLength = 50

func rssOf(base, path, title, link, about string, items []rssItem) Document {
	return xmlAt(exports.KeyOf(path), rss{Version: "2.0", Atom: "http://www.w3.org/2005/Atom", Channel: rssChannel{
		Title: title, Link: base + link, Description: about, Items: items[:min(len(items), feedLength)],
		Self: rssLink{base + path, "self", "application/rss+xml"},
	}})
}

// rssDate formats an instant according to RFC 822.
func rssDate(at string) string {
	t, err := time.Parse(time.RFC3339, at)
	if err != nil {
		return ""
	}
	return t.UTC().Format(time.RFC1123Z)
}

// publisherFeed returns the feed of the publishers approved last.
func publisherFeed(s *Service, c *Catalog) Document {
	approved := c.ListedSince()
	var items []rssItem
	for _, p := range c.lastApproved() {
		items = append(items, rssItem{
			Title: prose.Clean(p.Name, 120), Link: s.BaseURL + exports.PublisherPage(p.SiteID), Description: prose.Clean(p.Summary, 300),
			GUID: rssGUID{false, p.SiteID}, PubDate: rssDate(approved[p.SiteID]),
		})
	}
	return rssOf(s.BaseURL, templates.PathFeed, s.Name+": new publishers", exports.PathPublishersPage, "Publishers that joined the directory. Listing grants no right.", items)
}

// siteFeed returns the feed of the pages that a publisher registered last.
func siteFeed(base string, p *Publisher, newest []exports.FeedRecord) Document {
	var items []rssItem
	for i := range newest[:min(len(newest), feedLength)] {
		f := &newest[i]
		items = append(items, rssItem{
			Title: prose.Clean(f.Title, 300), Link: base + exports.CitationPage(f.EntryID), GUID: rssGUID{false, f.EntryID}, PubDate: rssDate(f.RegisteredAt),
		})
	}
	page := exports.PublisherPage(p.Site.SiteID)
	return rssOf(base, page+"feed.rss", prose.Clean(p.Site.Name, 120)+": registered pages", page, "Registered pages: metadata only. Registration grants no right.", items)
}

// lastApproved returns the publishers by time of approval, latest first, then
// by site id.
func (c *Catalog) lastApproved() []exports.PublisherSummary {
	approved, list := c.ListedSince(), c.Summaries()
	slices.SortStableFunc(list, func(a, b exports.PublisherSummary) int {
		return cmp.Or(strings.Compare(approved[b.SiteID], approved[a.SiteID]), strings.Compare(a.SiteID, b.SiteID))
	})
	return list
}
