package generator

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"sort"
	"time"

	"colophon/exports"
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

// feedLength is how many items a feed holds.
const feedLength = 50

func (b *build) writeRSS(path, title, link, about string, items []rssItem) error {
	doc := rss{Version: "2.0", Atom: "http://www.w3.org/2005/Atom", Channel: rssChannel{
		Title: title, Link: b.opt.BaseURL + link, Description: about, Items: items[:min(len(items), feedLength)],
		Self: rssLink{b.opt.BaseURL + path, "self", "application/rss+xml"},
	}}
	return b.writeXML(string(exports.KeyOf(path)), doc)
}

// rssDate returns an instant in the form of RFC 822.
func rssDate(at string) string {
	t, err := time.Parse(time.RFC3339, at)
	if err != nil {
		return ""
	}
	return t.UTC().Format(time.RFC1123Z)
}

// publisherFeed lists the publishers that were approved last.
func (b *build) publisherFeed() error {
	approved := b.listedSince()
	list := b.publisherSummaries()
	sortSummaries(list, func(p *exports.PublisherSummary) string { return approved[p.SiteID] })
	var items []rssItem
	for _, p := range list {
		items = append(items, rssItem{
			Title: templates.Clean(p.Name, 120), Link: b.opt.BaseURL + exports.PublisherPage(p.SiteID), Description: templates.Clean(p.Summary, 300),
			GUID: rssGUID{false, p.SiteID}, PubDate: rssDate(approved[p.SiteID]),
		})
	}
	return b.writeRSS(templates.PathFeed, b.opt.Name+": new publishers", templates.PathPublishers, "Publishers that joined the directory. Listing grants no right.", items)
}

// siteFeed lists the pages that a publisher registered last.
func (b *build) siteFeed(s *siteFacts, newest []exports.FeedRecord) error {
	var items []rssItem
	for i := range newest[:min(len(newest), feedLength)] {
		f := &newest[i]
		items = append(items, rssItem{
			Title: templates.Clean(f.Title, 300), Link: b.opt.BaseURL + exports.CitationPage(f.EntryID), GUID: rssGUID{false, f.EntryID}, PubDate: rssDate(f.RegisteredAt),
		})
	}
	page := exports.PublisherPage(s.Site.SiteID)
	return b.writeRSS(page+"feed.rss", templates.Clean(s.Site.Name, 120)+": registered pages", page, "Registered pages: metadata only. Registration grants no right.", items)
}

// sortSummaries orders publishers by a time, newest first, then by site id.
func sortSummaries(list []exports.PublisherSummary, at func(*exports.PublisherSummary) string) {
	sort.Slice(list, func(i, j int) bool {
		if a, b := at(&list[i]), at(&list[j]); a != b {
			return a > b
		}
		return list[i].SiteID < list[j].SiteID
	})
}

func (b *build) writeXML(name string, v any) error {
	var buf bytes.Buffer
	buf.WriteString(xml.Header)
	if err := xml.NewEncoder(&buf).Encode(v); err != nil {
		return fmt.Errorf("cannot spell %q: %w", name, err)
	}
	buf.WriteByte('\n')
	return b.out.putFile(exports.Key(name), buf.Bytes())
}
