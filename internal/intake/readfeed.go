package intake

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/mmcdole/gofeed"
	"github.com/mmcdole/gofeed/atom"
	"github.com/mmcdole/gofeed/rss"

	"colophon/internal/extract"
	"colophon/internal/frontmatter"
	"colophon/internal/textform"
)

// readFeed reads a feed. An item that cannot be read is nil.
func readFeed(body []byte) (feed *gofeed.Feed, err error) {
	p := recoverPanic("feed reader", func() *problem {
		if text := bytes.TrimLeft(bytes.TrimPrefix(body, []byte("\ufeff")), " \t\r\n"); bytes.HasPrefix(text, []byte("{")) {
			feed, err = readJSONFeed(text)
			return nil
		}
		feed, err = readXMLFeed(body)
		return nil
	})
	if p != nil {
		return nil, errors.New(p.detail)
	}
	return feed, err
}

// readXMLFeed reads RSS or Atom, as a whole or, if that is not well-formed,
// item by item.
func readXMLFeed(body []byte) (*gofeed.Feed, error) {
	clean, err := cleanXML(bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	document, err := io.ReadAll(clean)
	if err != nil {
		return nil, err
	}
	name := rootElement(string(document))
	feed, err := parseXMLFeed(name, document)
	if err == nil {
		return feed, nil
	}
	items := &xmlItems{r: bufio.NewReader(bytes.NewReader(document)), name: map[bool]string{true: "entry", false: "item"}[name == "feed"]}
	feed = &gofeed.Feed{}
	for {
		raw, end := items.next(len(document))
		if end == nil {
			feed.Items = append(feed.Items, onlyItem(parseXMLFeed(name, items.wrap(raw))))
			continue
		}
		if end != io.EOF {
			feed.Items = append(feed.Items, nil) // it breaks off
		}
		if !slices.ContainsFunc(feed.Items, func(i *gofeed.Item) bool { return i != nil }) {
			return nil, err
		}
		return feed, nil
	}
}

// onlyItem returns the item of a feed with one item, nil if it cannot be read.
func onlyItem(feed *gofeed.Feed, err error) *gofeed.Item {
	if err != nil || len(feed.Items) != 1 {
		return nil
	}
	return feed.Items[0]
}

func parseXMLFeed(root string, document []byte) (*gofeed.Feed, error) {
	r := bytes.NewReader(document)
	switch root {
	case "feed":
		parsed, err := (&atom.Parser{}).Parse(r)
		if err != nil {
			return nil, err
		}
		preferPages(parsed)
		return (&gofeed.DefaultAtomTranslator{}).Translate(parsed)
	case "rss", "RDF":
		parsed, err := (&rss.Parser{}).Parse(r)
		if err != nil {
			return nil, err
		}
		dropOtherGUIDs(parsed)
		return (&gofeed.DefaultRSSTranslator{}).Translate(parsed)
	}
	return nil, fmt.Errorf("its root is %q, neither of RSS nor of Atom", root)
}

// preferPages moves the links of an entry to web pages before those to the same
// text in other forms (RFC 4287, section 4.2.7.3: the type is a hint).
func preferPages(f *atom.Feed) {
	isPage := func(l *atom.Link) bool { return l.Type == "" || isHTMLMedia(strings.ToLower(l.Type)) }
	for _, entry := range f.Entries {
		slices.SortStableFunc(entry.Links, func(a, b *atom.Link) int {
			switch {
			case isPage(a) == isPage(b):
				return 0
			case isPage(a):
				return -1
			}
			return 1
		})
	}
}

// dropOtherGUIDs drops the guids that are not addresses, as isPermaLink says
// (RSS 2.0, guid).
func dropOtherGUIDs(f *rss.Feed) {
	for _, item := range f.Items {
		if item.GUID != nil && strings.EqualFold(strings.TrimSpace(item.GUID.IsPermalink), "false") {
			item.GUID = nil
		}
	}
}

// readJSONFeed reads a JSON Feed (version 1.1). Members of the wrong type are
// read as in front matter if their meaning is clear, and otherwise left out.
func readJSONFeed(text []byte) (*gofeed.Feed, error) {
	var document map[string]any
	if err := json.Unmarshal(text, &document); err != nil {
		return nil, err
	}
	m := frontmatter.Fold(document)
	feed := &gofeed.Feed{Link: m.Text("home_page_url"), FeedLink: m.Text("feed_url"), Language: m.Text("language")}
	items, _ := m["items"].([]any)
	for _, item := range items {
		members, ok := item.(map[string]any)
		if !ok {
			feed.Items = append(feed.Items, nil)
			continue
		}
		feed.Items = append(feed.Items, jsonItem(frontmatter.Fold(members)))
	}
	return feed, nil
}

func jsonItem(m frontmatter.Fields) *gofeed.Item {
	item := &gofeed.Item{
		GUID: m.Text("id"), Link: m.Text("url"), Title: m.Text("title"), Categories: m.Texts("tags"),
		Content: cmp.Or(m.Block("content_html"), textform.ParagraphsHTML(m.Block("content_text"))),
	}
	for _, name := range m.Texts("authors", "author") {
		item.Authors = append(item.Authors, &gofeed.Person{Name: name})
	}
	if at, err := time.Parse(time.RFC3339, extract.Instant(m.Text("date_published"))); err == nil {
		item.PublishedParsed = &at
	}
	if at, err := time.Parse(time.RFC3339, extract.Instant(m.Text("date_modified"))); err == nil {
		item.UpdatedParsed = &at
	}
	return item
}
