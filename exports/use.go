package exports

import "strings"

// Use is one of the eight uses that preferences, offers and verdicts speak of.
type Use string

// The eight uses, in the fixed order of every list and rights vector.
const (
	UseRAG            Use = "rag"
	UseTraining       Use = "training"
	UseFineTuning     Use = "fine_tuning"
	UseSearchIndexing Use = "search_indexing"
	UseSummarization  Use = "summarization"
	UseDatasets       Use = "datasets"
	UseSyndication    Use = "syndication"
	UseResearch       Use = "research"
)

// Uses lists the uses in their fixed order.
var Uses = [8]Use{UseRAG, UseTraining, UseFineTuning, UseSearchIndexing, UseSummarization, UseDatasets, UseSyndication, UseResearch}

// UseWords returns Uses as strings. The list is shared and must not be changed.
func UseWords() []string { return useWords }

var useWords = []string{
	string(UseRAG), string(UseTraining), string(UseFineTuning), string(UseSearchIndexing),
	string(UseSummarization), string(UseDatasets), string(UseSyndication), string(UseResearch),
}

// Index returns the index of u in Uses, or -1.
func (u Use) Index() int {
	for i := range Uses {
		if Uses[i] == u {
			return i
		}
	}
	return -1
}

// ParseUse parses a use or one of its accepted aliases, ignoring case. from is
// the text as given if it was an alias, else "".
func ParseUse(s string) (u Use, from string, ok bool) {
	if Use(s).Index() >= 0 {
		return Use(s), "", true
	}
	word := strings.ToLower(strings.TrimSpace(s))
	if Use(word).Index() >= 0 {
		return Use(word), s, true
	}
	if u = useAlias(word); u == "" {
		return "", "", false
	}
	return u, s, true
}

func useAlias(word string) Use {
	switch word {
	case "ai-input", "ai-use", "grounding", "rag-ground", "retrieval":
		return UseRAG
	case "ai-train", "train-ai", "train":
		return UseTraining
	case "fine-tuning", "finetuning", "fine tuning":
		return UseFineTuning
	case "search", "search indexing", "search-indexing":
		return UseSearchIndexing
	case "summary", "summarize", "summarise", "summarisation", "summaries":
		return UseSummarization
	case "dataset":
		return UseDatasets
	}
	return ""
}
