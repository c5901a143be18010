package channel

import (
	"slices"

	"colophon/exports"
	"colophon/internal/channel/statements"
)

// spoken is one word that a channel will say.
type spoken struct {
	word   string
	effect Effect
}

// speech is what one channel will say in one region.
type speech []spoken

// chooseWords chooses the words of a channel. A word is allowed only if every
// use that it covers, even loosely, is allowed on conditions that the word can
// express; it is disallowed if any use that it covers is. A channel that cannot
// express a price says disallow.
func (r *region) chooseWords(name Name, canPrice bool, words ...string) speech {
	var out speech
	for _, w := range words {
		if e := r.wordEffect(name, w, canPrice); e != Unknown {
			out = append(out, spoken{w, e})
		}
	}
	return out
}

func (r *region) wordEffect(name Name, word string, canPrice bool) Effect {
	var exactNo, exactPrice, exactOther, looseNo bool
	allow := true
	for i, c := range wordCovers(name, word) {
		if c == statements.NotCovered {
			continue
		}
		want := r.want[i]
		if want == Priced && !canPrice {
			want = Disallow
		}
		if c == statements.Exactly {
			exactNo = exactNo || want == Disallow
			exactPrice = exactPrice || want == Priced
			exactOther = exactOther || want == Allow || want == Unknown
		} else {
			looseNo = looseNo || want == Disallow
		}
		allow = allow && want == Allow && carriesConditions(name, word, r.conditions[i])
	}
	switch {
	case exactNo, exactPrice && exactOther:
		return Disallow
	case exactPrice:
		return Priced
	case looseNo:
		return Disallow
	case allow:
		return Allow
	}
	return Unknown
}

// carriesConditions reports whether a free permission in this word carries the conditions.
// Search by its definition shows links and short excerpts only.
func carriesConditions(name Name, word string, conditions []string) bool {
	for _, c := range conditions {
		inSearch := word == "search" && (c == "link_back" || c == "no_full_text")
		inRSL := name == RSL && (c == "attribution" || c == "link_back")
		if !inSearch && !inRSL {
			return false
		}
	}
	return true
}

// readBack reads a speech back, use by use.
func (s speech) readBack(name Name) (out [8]Effect) {
	for _, w := range s {
		for i, c := range wordCovers(name, w.word) {
			switch e := statements.ReadWord(c, w.effect); {
			case e == Disallow || out[i] == Disallow:
				out[i] = Disallow
			case e == Allow || out[i] == Allow:
				out[i] = Allow
			case e == Priced:
				out[i] = Priced
			}
		}
	}
	return out
}

func (s speech) effectOf(word string) Effect {
	for _, w := range s {
		if w.word == word {
			return w.effect
		}
	}
	return Unknown
}

// resolveNested settles a channel in which the most specific rule alone counts. A
// region that would say nothing falls under the wider rule; where that one
// allows, the region says a disallow instead.
func resolveNested(regions []*region, speeches []speech) []speech {
	inForce := map[*region]speech{}
	out := slices.Clone(speeches)
	for i, r := range regions {
		if len(out[i]) == 0 && r.parent != nil {
			wider := inForce[r.parent]
			if slices.ContainsFunc(wider, func(w spoken) bool { return w.effect == Allow }) {
				for _, w := range wider {
					out[i] = append(out[i], spoken{w.word, Disallow})
				}
			}
		}
		inForce[r] = out[i]
		if len(out[i]) == 0 && r.parent != nil {
			inForce[r] = inForce[r.parent]
		}
	}
	return out
}

// effectiveSpeeches returns what applies in each region after resolveNested.
func effectiveSpeeches(regions []*region, speeches []speech) []speech {
	out := slices.Clone(speeches)
	for i, r := range regions {
		if len(out[i]) == 0 && r.parent != nil {
			out[i] = out[slices.Index(regions, r.parent)]
		}
	}
	return out
}

// Loss is one thing that a file could not say as the policy has it. Said is
// never freer than Wanted, except that a use about which an inquiry is
// welcome may be said to need a licence.
type Loss struct {
	File    string
	Channel Name
	Path    string // prefix of the region
	Use     exports.Use
	Wanted  Effect
	Said    Effect
	Why     string // no_word, word_wider_than_use, price_not_expressible, condition_not_expressible, closed_list, same_answer_for_all_paths, consent_can_be_asked
}

// Inquiry is a disallowed use about which an inquiry is welcome. A file that
// disallows the use cannot say that, so the list of losses names the use as well.
type Inquiry struct {
	Path string // prefix of the region
	Use  exports.Use
}

// listInquiries lists them for all regions.
func listInquiries(regions []*region) []Inquiry {
	var out []Inquiry
	for _, r := range regions {
		for i, u := range exports.Uses {
			if r.askable[i] && r.want[i] == Disallow {
				out = append(out, Inquiry{r.prefix, u})
			}
		}
	}
	return out
}

// compareLosses compares what a file says in a region with what the policy says
// there.
func compareLosses(file string, name Name, words []string, r *region, uneven [8]bool, said [8]Effect) []Loss {
	var out []Loss
	for i, u := range exports.Uses {
		if said[i] == r.want[i] {
			continue
		}
		l := Loss{File: file, Channel: name, Path: r.prefix, Use: u, Wanted: r.want[i], Said: said[i]}
		l.Why = lossReason(name, words, r, i, l, uneven[i])
		out = append(out, l)
	}
	return out
}

func lossReason(name Name, words []string, r *region, use int, l Loss, uneven bool) string {
	covered := false
	for _, w := range words {
		covered = covered || wordCovers(name, w)[use] != statements.NotCovered
	}
	switch {
	case name == RSL && l.Said == Disallow && l.Wanted != Priced && (!covered || l.Wanted == Unknown):
		return "closed_list"
	case !covered:
		return "no_word"
	case uneven:
		return "same_answer_for_all_paths"
	case l.Wanted == Disallow && l.Said == Priced:
		return "consent_can_be_asked"
	case l.Wanted == Priced && l.Said == Disallow && name != RSL:
		return "price_not_expressible"
	case l.Wanted == Allow && len(r.conditions[use]) > 0:
		return "condition_not_expressible"
	}
	return "word_wider_than_use"
}
