package extract

// The places where a fact of a page can be found.
const (
	FromSchema     = "json_ld"
	FromCitation   = "citation_meta"
	FromOpenGraph  = "open_graph"
	FromDublinCore = "dublin_core"
	FromMeta       = "meta"
	FromTitle      = "title_element"
	FromHeading    = "heading"
	FromByline     = "visible_byline"
	FromTime       = "time_element"
	FromFeed       = "feed"
	FromContent    = "content_element"
	FromHTML       = "html_element"
	FromHeader     = "http_header"
	FromDetection  = "content_statistics"
	FromSite       = "other_pages" // of the site
	FromAddress    = "address"
	FromSupplied   = "supplied" // by the publisher, with the text
)

// A Fact is a fact of a page, with where it was found and how reliable that
// source is, from 0 to 1.
type Fact struct {
	Value      string
	Source     string
	Confidence float64
}

// rank is a source of a kind of fact and how far it is trusted.
type rank struct {
	source     string
	confidence float64
}

// The table that resolves conflicting sources: for each kind of fact its
// sources, the most trusted first. A fact has the value of the first source
// that states a valid one. Two exceptions are in the code that they concern: a
// <title> that agrees with a heading (chooseTitle), and a stated language that
// the text contradicts (chooseLanguage).
var (
	titleRanks = []rank{
		{FromSchema, .95}, {FromCitation, .95}, {FromOpenGraph, .9}, {FromHeading, .9}, {FromTitle, .85}, {FromDublinCore, .8}, {FromFeed, .8}, {FromAddress, .3},
	}
	authorRanks = []rank{
		{FromSchema, .95}, {FromCitation, .95}, {FromDublinCore, .9}, {FromFeed, .85}, {FromByline, .85}, {FromMeta, .8},
	}
	languageRanks = []rank{
		{FromContent, .95}, {FromHTML, .95}, {FromHeader, .8}, {FromFeed, .7}, {FromMeta, .7}, {FromOpenGraph, .6}, {FromDublinCore, .7}, {FromSchema, .7}, {FromDetection, .6},
	}
	publishedRanks = []rank{
		{FromSchema, .95}, {FromOpenGraph, .95}, {FromCitation, .95}, {FromDublinCore, .9}, {FromMeta, .8}, {FromFeed, .9}, {FromTime, .6},
	}
	modifiedRanks = []rank{
		{FromSchema, .95}, {FromOpenGraph, .95}, {FromDublinCore, .9}, {FromMeta, .7}, {FromFeed, .8},
	}
	sectionRanks = []rank{{FromOpenGraph, .9}, {FromSchema, .9}, {FromFeed, .7}}
)

// candidates are the values of one kind of fact, by source, in the order in
// which the page states them.
type candidates map[string][]string

func (c candidates) addValues(source string, values ...string) {
	for _, v := range values {
		if v != "" {
			c[source] = append(c[source], v)
		}
	}
}

// firstValid returns the fact from the most trusted source that states a valid
// one. valid returns a value in normal form, or "" if it is not valid.
func (c candidates) firstValid(ranks []rank, valid func(string) string) Fact {
	for _, r := range ranks {
		for _, v := range c[r.source] {
			if v = valid(v); v != "" {
				return Fact{Value: v, Source: r.source, Confidence: r.confidence}
			}
		}
	}
	return Fact{}
}

// allValid returns the facts of the most trusted source that states a valid one.
func (c candidates) allValid(ranks []rank, valid func(string) string) []Fact {
	for _, r := range ranks {
		var list []Fact
		seen := map[string]bool{}
		for _, v := range c[r.source] {
			if v = valid(v); v != "" && !seen[v] {
				seen[v] = true
				list = append(list, Fact{Value: v, Source: r.source, Confidence: r.confidence})
			}
		}
		if len(list) > 0 {
			return list
		}
	}
	return nil
}
