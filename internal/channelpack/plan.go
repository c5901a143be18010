package channelpack

import (
	"slices"

	"colophon/exports"
	"colophon/internal/channel/statements"
)

// spoken is one word that a channel will say.
type spoken struct {
	word   string
	effect statements.Effect
}

// speech is what one channel will say in one region.
type speech []spoken

// chooseWords chooses the words of a channel. A word is allowed only if every
// use that it covers, even loosely, is allowed on conditions that the word can
// express; it is disallowed if any use that it covers is. A channel that cannot
// express a price says disallow.
func (r *region) chooseWords(name statements.Name, canPrice bool, words ...string) speech {
	var out speech
	for _, w := range words {
		if e := r.wordEffect(name, w, canPrice); e != statements.Unknown {
			out = append(out, spoken{w, e})
		}
	}
	return out
}

func (r *region) wordEffect(name statements.Name, word string, canPrice bool) statements.Effect {
	var exactNo, exactPrice, exactOther, looseNo bool
	allow := true
	for i, c := range statements.Covers(name, word) {
		if c == statements.NotCovered {
			continue
		}
		want := r.want[i]
		if want == statements.Priced && !canPrice {
			want = statements.Disallow
		}
		if c == statements.Exactly {
			exactNo = exactNo || want == statements.Disallow
			exactPrice = exactPrice || want == statements.Priced
			exactOther = exactOther || want == statements.Allow || want == statements.Unknown
		} else {
			looseNo = looseNo || want == statements.Disallow
		}
		allow = allow && want == statements.Allow && carriesConditions(name, word, r.conditions[i])
	}
	switch {
	case exactNo, exactPrice && exactOther:
		return statements.Disallow
	case exactPrice:
		return statements.Priced
	case looseNo:
		return statements.Disallow
	case allow:
		return statements.Allow
	}
	return statements.Unknown
}

// carriesConditions reports whether a free permission in this word carries the conditions.
// Search by its definition shows links and short excerpts only.
func carriesConditions(name statements.Name, word string, conditions []string) bool {
	for _, c := range conditions {
		inSearch := word == "search" && (c == "link_back" || c == "no_full_text")
		inRSL := name == statements.RSL && (c == "attribution" || c == "link_back")
		if !inSearch && !inRSL {
			return false
		}
	}
	return true
}

// readBack reads a speech back, use by use.
func (s speech) readBack(name statements.Name) (out [8]statements.Effect) {
	for _, w := range s {
		for i, c := range statements.Covers(name, w.word) {
			switch e := statements.ReadWord(c, w.effect); {
			case e == statements.Disallow || out[i] == statements.Disallow:
				out[i] = statements.Disallow
			case e == statements.Allow || out[i] == statements.Allow:
				out[i] = statements.Allow
			case e == statements.Priced:
				out[i] = statements.Priced
			}
		}
	}
	return out
}

func (s speech) effectOf(word string) statements.Effect {
	for _, w := range s {
		if w.word == word {
			return w.effect
		}
	}
	return statements.Unknown
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
			if slices.ContainsFunc(wider, func(w spoken) bool { return w.effect == statements.Allow }) {
				for _, w := range wider {
					out[i] = append(out[i], spoken{w.word, statements.Disallow})
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
	Channel statements.Name
	Path    string // prefix of the region
	Use     exports.Use
	Wanted  statements.Effect
	Said    statements.Effect
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
			if r.askable[i] && r.want[i] == statements.Disallow {
				out = append(out, Inquiry{r.prefix, u})
			}
		}
	}
	return out
}

// compareLosses compares what a file says in a region with what the policy says
// there.
func compareLosses(file string, name statements.Name, words []string, r *region, uneven [8]bool, said [8]statements.Effect) []Loss {
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

func lossReason(name statements.Name, words []string, r *region, use int, l Loss, uneven bool) string {
	covered := false
	for _, w := range words {
		covered = covered || statements.Covers(name, w)[use] != statements.NotCovered
	}
	switch {
	case name == statements.RSL && l.Said == statements.Disallow && l.Wanted != statements.Priced && (!covered || l.Wanted == statements.Unknown):
		return "closed_list"
	case !covered:
		return "no_word"
	case uneven:
		return "same_answer_for_all_paths"
	case l.Wanted == statements.Disallow && l.Said == statements.Priced:
		return "consent_can_be_asked"
	case l.Wanted == statements.Priced && l.Said == statements.Disallow && name != statements.RSL:
		return "price_not_expressible"
	case l.Wanted == statements.Allow && len(r.conditions[use]) > 0:
		return "condition_not_expressible"
	}
	return "word_wider_than_use"
}
