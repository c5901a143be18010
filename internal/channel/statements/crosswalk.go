package statements

import (
	"strings"

	"colophon/exports"
)

// Cover says how well a word of another vocabulary names one of our uses.
type Cover uint8

// NotCovered means that the word is not about the use. Loosely means that the
// word is wider or only similar, so that it can disallow the use but never
// allow it. Exactly means that the word names the use.
const (
	NotCovered Cover = iota
	Loosely
	Exactly
)

// crosswalk writes one row a word: "=" exactly, "~" loosely, "." not, in the
// order rag, training, fine_tuning, search_indexing, summarization, datasets,
// syndication, research.
var crosswalk = []struct {
	channel    Name
	word, uses string
}{
	{RSL, "all", "==~=~~~~"},
	{RSL, "ai-all", "==~.~~.."},
	{RSL, "ai-train", ".=~....."},
	{RSL, "ai-input", "=...~..."},
	{RSL, "ai-index", "~......."},
	{RSL, "search", "...=...."},
	{RSL, "unlisted", "~~~~~~.."}, // what a closed list of permits leaves out
	{RSL, "offer", "======.."},    // a price without a usage
	{RSL, "audience", "........"}, // users and territories shut out
	{Robots, CrawlWord, "~~~~~~.~"},
	{Robots, "train", ".~~....."}, // a token of one operator for its purpose
	{Robots, "train-or-ground", "~~~....."},
	{AIPrefRobots, "train-ai", ".=~..~.."},
	{AIPrefRobots, "ai-use", "=...~..."}, // input to a generative model that its user did not provide
	{AIPrefRobots, "search", "...=...."},
	{AIPrefHeader, "train-ai", ".=~..~.."},
	{AIPrefHeader, "ai-use", "=...~..."},
	{AIPrefHeader, "search", "...=...."},
	{ContentSignal, "search", "...=...."},
	{ContentSignal, "ai-input", "=...~..."},
	{ContentSignal, "ai-train", ".==..~.."},      // "training or fine-tuning"
	{ContentSignal, "use-immediate", ".~~~~~.."}, // what AI systems may keep and reproduce
	{ContentSignal, "use-reference", ".~~.~~.."},
	{ContentSignal, RetentionWord, "========"},
	{TDMRep, "reservation", "~=~.~=.."},
	{TDMPolicy, "mine", "~=~.~=.~"},
	{TDMPolicy, "mine_other", "~=~.~=.."},
	{TDMPolicy, "mine_research", ".......="},
	{TDMPolicy, "ai-training", ".=~....."},
	{TDMPolicy, "gen-ai", ".~~....."},
	{TDMPolicy, "ai-augment", "=...~..."},
	{TDMPolicy, "search", "...=...."},
	{TDMPolicy, "index", "...=...."},
	{TDMPolicy, "distribute", "......=."},
	{AITxt, "train", ".=~..~.."},
	{AITxt, "scraping", "~~~~~~.~"},
	{AITxt, "indexing", "~..~...."},
	{AITxt, RetentionWord, "========"},
	{TrustTxt, "train", ".=~..~.."},
	{HTMLMeta, "noai", ".=~..~.."},
	{HTMLMeta, "noml", ".==..~.."},
	{HTMLMeta, "noarchive", ".==....."},
	{HTMLMeta, "noindex", "...=...."},
	{HTMLMeta, "nosnippet", "~...~..."}, // no text beyond the title in an answer
	{CAWG, "data_mining", ".....=.~"},
	{CAWG, "ai_inference", "=...~..."},
	{CAWG, "ai_training", ".~~....."},
	{CAWG, "ai_generative_training", ".~~....."},
	{CAWG, "any_training", ".=~....."},
	{PLUS, "mining", ".=~..=.."},
	{PLUS, "training", ".=~....."},
	{PLUS, "search", "...=...."},
	{PLUS, "anything", ".=~~.=.~"},
	{CoMP, "all", "==~=~~~~"},
	{CoMP, "ai-all", "==~.~~.."},
	{CoMP, "ai-train", ".=~....."},
	{CoMP, "ai-input", "=...~..."},
	{CoMP, "ai-index", "~......."},
	{CoMP, "search", "...=...."},
	{PublisherFile, "rag", "=......."},
	{PublisherFile, "training", ".=......"},
	{PublisherFile, "fine_tuning", "..=....."},
	{PublisherFile, "search_indexing", "...=...."},
	{PublisherFile, "summarization", "....=..."},
	{PublisherFile, "datasets", ".....=.."},
	{PublisherFile, "syndication", "......=."},
	{PublisherFile, "research", ".......="},
}

func coverUses(uses string) (out [8]Cover) {
	for i := range out {
		switch uses[i] {
		case '=':
			out[i] = Exactly
		case '~':
			out[i] = Loosely
		}
	}
	return out
}

// Covers returns the row of a word; an unknown word covers nothing.
func Covers(name Name, word string) [8]Cover {
	if name == PublisherFile {
		word = strings.TrimPrefix(word, RetentionWord+" ")
	}
	for _, row := range crosswalk {
		if row.channel == name && row.word == word {
			return coverUses(row.uses)
		}
	}
	return [8]Cover{}
}

// ReadWord returns the rule for taking a word over: a disallow reaches every
// use that the word covers, a permission only those that it names exactly.
func ReadWord(c Cover, e Effect) Effect {
	switch {
	case c == NotCovered:
		return Unknown
	case e == Disallow, c == Exactly:
		return e
	}
	return Unknown
}

// Reads returns the effect of a statement on a use, and how well its word
// covers that use.
func (s *Statement) Reads(u exports.Use) (Effect, Cover) {
	i := u.Index()
	if i < 0 {
		return Unknown, NotCovered
	}
	c := Covers(s.Channel, s.Word)[i]
	return ReadWord(c, s.Effect), c
}
