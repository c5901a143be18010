package intake

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/mmcdole/gofeed"
	"github.com/mmcdole/gofeed/atom"
	jsonfeed "github.com/mmcdole/gofeed/json"
	"github.com/mmcdole/gofeed/rss"
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

// readJSONFeed reads a JSON Feed. Members of the wrong type are converted if
// their meaning is clear, and otherwise left out.
func readJSONFeed(text []byte) (*gofeed.Feed, error) {
	var document map[string]any
	if err := json.Unmarshal(text, &document); err != nil {
		return nil, err
	}
	items, _ := document["items"].([]any)
	delete(document, "items")
	parsed := &jsonfeed.Feed{}
	if err := decodeLoosely(document, parsed); err != nil {
		return nil, err
	}
	for _, item := range items {
		one := &jsonfeed.Item{}
		members, ok := item.(map[string]any)
		if !ok || decodeLoosely(members, one) != nil {
			one = nil
		}
		parsed.Items = append(parsed.Items, one)
	}
	return translateJSONFeed(parsed)
}

// translateJSONFeed keeps the places of the items that could not be read.
func translateJSONFeed(parsed *jsonfeed.Feed) (*gofeed.Feed, error) {
	all := parsed.Items
	parsed.Items = slices.DeleteFunc(slices.Clone(all), func(i *jsonfeed.Item) bool { return i == nil })
	feed, err := (&gofeed.DefaultJSONTranslator{}).Translate(parsed)
	if err != nil {
		return nil, err
	}
	for i, item := range all {
		if item == nil {
			feed.Items = slices.Insert(feed.Items, i, nil)
		}
	}
	return feed, nil
}

// decodeLoosely decodes the members of a feed or an item into its type.
func decodeLoosely(members map[string]any, into any) error {
	for name, value := range members {
		switch name {
		case "author":
			members[name] = looseAuthor(value)
		case "authors":
			members[name] = looseList(value, looseAuthor)
		case "tags":
			members[name] = looseList(value, looseText)
		case "attachments", "expired", "hubs":
			delete(members, name)
		default:
			members[name] = looseText(value)
		}
		if members[name] == nil {
			delete(members, name)
		}
	}
	raw, err := json.Marshal(members)
	if err != nil {
		return err
	}
	return json.Unmarshal(raw, into)
}

// looseText returns a text, or a number as text (JSON Feed 1.1, id); nil for
// other values.
func looseText(v any) any {
	switch v := v.(type) {
	case string:
		return v
	case float64:
		return fmt.Sprint(v)
	}
	return nil
}

// looseAuthor reads an author, or a name as one.
func looseAuthor(v any) any {
	switch v := v.(type) {
	case string:
		return map[string]any{"name": v}
	case map[string]any:
		author := map[string]any{}
		for _, name := range []string{"name", "url", "avatar"} {
			if text := looseText(v[name]); text != nil {
				author[name] = text
			}
		}
		return author
	}
	return nil
}

// looseList reads a list, or a single value as one.
func looseList(v any, read func(any) any) any {
	items, ok := v.([]any)
	if !ok {
		items = []any{v}
	}
	list := []any{}
	for _, item := range items {
		if read := read(item); read != nil {
			list = append(list, read)
		}
	}
	return list
}
