package intake

import (
	"bytes"
	"context"
	"io"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"github.com/mmcdole/gofeed"
	"golang.org/x/net/html"

	"colophon/internal/extract"
)

const rslNamespace = "https://rslstandard.org/rsl"

// listFeed yields the pages that an RSS, Atom or JSON feed links to, with what
// it says about each.
func (l *lister) listFeed(_ context.Context, d *document, yield yieldFunc) error {
	body, err := io.ReadAll(io.LimitReader(d, l.opt.MaxBytes+1))
	d.Close() // the host is free for its pages
	if int64(len(body)) > l.opt.MaxBytes {
		return sourceError("%s: the feed has more than %d bytes", d.where, l.opt.MaxBytes)
	}
	var feed *gofeed.Feed
	if err == nil {
		feed, err = readFeed(body)
	}
	switch {
	case err != nil:
		return sourceError("%s: the feed cannot be read: %v", d.where, err)
	case len(feed.Items) == 0:
		return sourceError("%s: the feed has no items", d.where)
	}
	base := l.baseOfFeed(feed)
	if s := d.stream; s != nil {
		base = s.url
		if len(body) <= maxRaw && bytes.Contains(body, []byte(rslNamespace)) {
			l.terms = &answer{status: s.status, header: s.header, body: body, url: s.url}
		}
	}
	for i, item := range feed.Items {
		at := d.where + " item " + strconv.Itoa(i+1)
		one := ref{where: at, problem: failedProblem("bad_item", "the item cannot be read")}
		if item != nil {
			one = feedRef(item, feed, base, at)
		}
		if l.opt.FullText && one.problem == nil {
			one = withFullText(one, item)
		}
		if err := yield(one); err != nil {
			return err
		}
	}
	return nil
}

// baseOfFeed returns the base of the relative addresses in a feed that is a
// file: --base, else the feed's own stated address, else that of its site, else
// nil.
func (l *lister) baseOfFeed(feed *gofeed.Feed) *url.URL {
	for _, address := range []string{l.opt.Base, feed.FeedLink, feed.Link} {
		if base, err := parseAddress(address, nil); err == nil {
			return base
		}
	}
	return nil
}

func feedRef(item *gofeed.Item, feed *gofeed.Feed, base *url.URL, where string) ref {
	link := item.Link
	if link == "" && extract.IsWeb(strings.TrimSpace(item.GUID)) {
		link = item.GUID
	}
	if link == "" {
		return ref{where: where, problem: failedProblem("no_link", "the item %q links to no page", clipText(extract.OneLine(item.Title), 80))}
	}
	u, err := parseAddress(link, base)
	if err != nil {
		return ref{where: where, problem: failedProblem("bad_url", "the item links to %q: %v", clipText(link, 200), err)}
	}
	hint := draft{title: titleOfItem(item.Title), terms: item.Categories, language: extract.LanguageTag(feed.Language)}
	for _, a := range item.Authors {
		if a != nil {
			hint.byline = append(hint.byline, a.Name)
		}
	}
	if item.PublishedParsed != nil {
		hint.published = extract.InstantOf(*item.PublishedParsed)
	}
	if item.UpdatedParsed != nil {
		hint.modified = extract.InstantOf(*item.UpdatedParsed)
	}
	return ref{url: u, where: u.String(), hint: hint}
}

// phraseTag matches a tag of an element that occurs within a phrase.
var phraseTag = regexp.MustCompile(`(?i)</?(?:a|b|cite|code|em|i|mark|q|s|small|span|strong|sub|sup|u)(?:\s[^<>]*)?>`)

// titleOfItem returns the title of an item as it reads. Most software writes
// HTML there, whatever the feed says: character references are resolved, and
// tags cut out where an element is closed, so that a title about a tag stays.
func titleOfItem(title string) string {
	if strings.Contains(title, "</") {
		title = phraseTag.ReplaceAllString(title, "")
	}
	return extract.OneLine(html.UnescapeString(title))
}

// withFullText uses the text of an item as that of its page. It skips an item
// without one, because what it says about the page may be a teaser.
func withFullText(r ref, item *gofeed.Item) ref {
	if strings.TrimSpace(item.Content) == "" {
		return ref{where: r.where, problem: skippedProblem("no_full_text", "the item has no content, only a description")}
	}
	return ref{url: r.url, where: r.where, supplied: &suppliedPage{url: r.url, facts: r.hint, body: item.Content, format: "html"}}
}
