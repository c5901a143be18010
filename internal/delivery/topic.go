package delivery

import (
	"colophon/internal/origin"
	"colophon/internal/searchindex"
)

// topic is the subject of a question: the words that an item must have.
type topic []string

func topicOf(q string) topic {
	var t topic
	searchindex.Tokens(q, func(w []byte) { t = append(t, string(w)) })
	return t
}

// matchesItem reports whether title, terms, section and publisher of an item
// together have all the words.
func (t topic) matchesItem(item *origin.Item) bool {
	if len(t) == 0 {
		return true
	}
	have := make([]bool, len(t))
	see := func(w []byte) {
		for i := range t {
			have[i] = have[i] || t[i] == string(w)
		}
	}
	searchindex.Tokens(item.Title, see)
	searchindex.Tokens(item.Section, see)
	searchindex.Tokens(item.SiteName, see)
	for _, term := range item.Terms {
		searchindex.Tokens(term, see)
	}
	for _, ok := range have {
		if !ok {
			return false
		}
	}
	return true
}
