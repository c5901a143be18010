package channel

import (
	"strconv"

	"colophon/internal/channel/statements"
)

// ParseFeed reads the RSL module of a feed: rsl:content inside the items of an
// RSS feed or the entries of an Atom feed. Such an element without a url is
// about the page that the item links to.
func ParseFeed(in Input) Result {
	r := newResult(in, statements.RSL)
	root, err := parseXML(in.Body)
	if err != nil {
		r.rejectDocument("feed_not_xml", "", err.Error())
		return r
	}
	f := feedReader{r: &r, in: in}
	f.readNode(root)
	return r
}

type feedReader struct {
	r     *Result
	in    Input
	items int
}

func (f *feedReader) readNode(n *node) {
	for _, k := range n.kids {
		switch k.name {
		case "item", "entry":
			f.items++
			f.readItem(k)
		default:
			f.readNode(k)
		}
	}
}

func (f *feedReader) readItem(n *node) {
	at := "item[" + strconv.Itoa(f.items) + "]"
	link := ""
	for _, k := range n.kids {
		if k.name != "link" {
			continue
		}
		if link = k.text; link == "" {
			link = k.attrOrEmpty("href")
		}
		break
	}
	abs, ok := ResolveAbsolute(f.in.URL, link)
	for _, k := range n.kids {
		if k.name != "content" || k.space != RSLNamespace {
			continue
		}
		if !ok {
			f.r.addGap("feed_item_without_link", at, link)
			continue
		}
		if host, _ := statements.Split(abs); f.in.URL != "" && host != hostOf(f.in.URL) {
			f.r.addWarning("feed_item_other_origin", at, abs)
			continue
		}
		readContent(f.r, f.in.URL, k, f.items, rslScope{itemLink: abs})
	}
}

func hostOf(u string) string {
	host, _ := statements.Split(u)
	return host
}
