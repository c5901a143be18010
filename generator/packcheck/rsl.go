package packcheck

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"strings"

	"colophon/exports"
)

// The parts of an RSL 1.0 document that permit anything.
type rslFile struct {
	XMLName  xml.Name     `xml:"https://rslstandard.org/rsl rsl"`
	Contents []rslContent `xml:"https://rslstandard.org/rsl content"`
}

type rslContent struct {
	URL      string       `xml:"url,attr"`
	Licences []rslLicence `xml:"https://rslstandard.org/rsl license"`
}

type rslLicence struct {
	Permits   []rslTokens `xml:"https://rslstandard.org/rsl permits"`
	Prohibits []rslTokens `xml:"https://rslstandard.org/rsl prohibits"`
	Payment   *struct {
		Type string `xml:"type,attr"`
	} `xml:"https://rslstandard.org/rsl payment"`
}

type rslTokens struct {
	Type string `xml:"type,attr"`
	Text string `xml:",chardata"`
}

// rslUses lists, for each usage word, every use that a client may understand by
// it.
var rslUses = map[string][]int{
	"all": everyUse, "ai-all": {rag, training, fineTuning, summarization, datasets},
	"ai-train": {training, fineTuning}, "ai-input": {rag, summarization}, "ai-index": {rag}, "search": {search},
}

var errRSL = errors.New("not an RSL document with content")

// readRSL reads the licences of the most specific content element that matches
// path. It takes each licence by itself, because the licences of one element
// are alternatives.
func readRSL(body []byte, path string) (levels, error) {
	var doc rslFile
	if err := xml.Unmarshal(body, &doc); err != nil {
		return levels{}, err
	}
	if len(doc.Contents) == 0 {
		return levels{}, errRSL
	}
	var chosen *rslContent
	for i := range doc.Contents {
		c := &doc.Contents[i]
		if c.URL == "" || len(c.Licences) == 0 {
			return levels{}, fmt.Errorf("content %q: %w", c.URL, errRSL)
		}
		if exports.MatchPattern(c.URL, path) && (chosen == nil || len(c.URL) > len(chosen.URL)) {
			chosen = c
		}
	}
	if chosen == nil {
		return levels{}, nil
	}
	return chosen.readLevels()
}

func (c *rslContent) readLevels() (levels, error) {
	var out levels
	for i := range c.Licences {
		one, err := c.Licences[i].readLevels()
		if err != nil {
			return out, err
		}
		for u := range one {
			out[u] = max(out[u], one[u])
		}
	}
	return out, nil
}

// readLevels reads one licence: a list of permits is exhaustive, no list is no
// limit, and no payment is free.
func (l *rslLicence) readLevels() (levels, error) {
	given := free
	if l.Payment != nil {
		switch l.Payment.Type {
		case "free", "":
		case "attribution":
			given = credit
		default:
			given = asking
		}
	}
	var out levels
	words, listed, err := usageWords(l.Permits)
	if err != nil {
		return out, err
	}
	if !listed {
		words = []string{"all"}
	}
	for _, w := range words {
		out.raiseUses(given, rslUses[w]...)
	}
	words, _, err = usageWords(l.Prohibits)
	for _, w := range words {
		for _, u := range rslUses[w] {
			out[u] = none
		}
	}
	return out, err
}

func usageWords(lists []rslTokens) (words []string, listed bool, err error) {
	for _, t := range lists {
		if t.Type != "usage" {
			continue
		}
		listed = true
		for _, w := range strings.Fields(t.Text) {
			if rslUses[w] == nil {
				return nil, listed, fmt.Errorf("usage %q: %w", w, errRSL)
			}
			words = append(words, w)
		}
	}
	return words, listed, nil
}

// readFeedItem reads the rsl:content in a feed item. It is about the page that
// the item links to, so the path does not matter.
func readFeedItem(body []byte, _ string) (levels, error) {
	var item struct {
		Contents []rslContent `xml:"https://rslstandard.org/rsl content"`
	}
	feed := `<item xmlns:rsl="https://rslstandard.org/rsl">` + string(bytes.TrimSpace(body)) + `</item>`
	if err := xml.Unmarshal([]byte(feed), &item); err != nil {
		return levels{}, err
	}
	var out levels
	for i := range item.Contents {
		one, err := item.Contents[i].readLevels()
		if err != nil {
			return out, err
		}
		for u := range one {
			out[u] = max(out[u], one[u])
		}
	}
	return out, nil
}
