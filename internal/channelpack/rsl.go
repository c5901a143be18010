package channelpack

import (
	"bytes"
	"encoding/xml"
	"slices"
	"strconv"

	"colophon/exports"
	"colophon/internal/channel"
	"colophon/internal/channel/statements"
)

var rslWords = []string{"ai-train", "ai-input", "search"}

// rslSpeech is what license.xml says of one region.
type rslSpeech struct {
	prohibits []string
	free      []string            // permitted, free
	credit    []string            // permitted, for attribution
	sold      map[string][]string // license id -> words
}

func (s *rslSpeech) permitEffect(word string) (e statements.Effect) {
	if slices.Contains(s.free, word) || slices.Contains(s.credit, word) {
		return statements.Allow
	}
	for _, words := range s.sold {
		if slices.Contains(words, word) {
			e = statements.Priced
		}
	}
	return e
}

func (s *rslSpeech) isClosed() bool { return len(s.free)+len(s.credit)+len(s.sold) > 0 }

// isSilent reports whether RSL has no words for what the region says.
func (s *rslSpeech) isSilent() bool { return !s.isClosed() && len(s.prohibits) == 0 }

// speakRSL chooses the words for a region: each offer with a price becomes one
// licence, free permissions one or two more. Wide words are used only if
// everything that they cover is disallowed.
func (r *region) speakRSL() *rslSpeech {
	s := &rslSpeech{sold: map[string][]string{}}
	for _, w := range rslWords {
		switch r.wordEffect(statements.RSL, w, true) {
		case statements.Disallow:
			s.prohibits = append(s.prohibits, w)
		case statements.Priced:
			for _, o := range r.offersFor(exactUse(w)) {
				s.sold[o.LicenseID] = append(s.sold[o.LicenseID], w)
			}
		case statements.Allow:
			if r.wantsCredit(w) {
				s.credit = append(s.credit, w)
			} else {
				s.free = append(s.free, w)
			}
		}
	}
	for _, wide := range []string{"ai-all", "all"} {
		if r.allNo(wide) {
			s.prohibits = slices.DeleteFunc(s.prohibits, func(w string) bool { return wide == "all" || w != "search" })
			s.prohibits = append(s.prohibits, wide)
		}
	}
	return s
}

// exactUse returns the use that a word of rslWords names.
func exactUse(word string) exports.Use {
	c := statements.Covers(statements.RSL, word)
	return exports.Uses[slices.Index(c[:], statements.Exactly)]
}

// wantsCredit reports whether a covered use requires attribution, or a link
// that the word does not imply.
func (r *region) wantsCredit(word string) bool {
	for i, c := range statements.Covers(statements.RSL, word) {
		if c == statements.NotCovered {
			continue
		}
		if slices.Contains(r.conditions[i], "attribution") || word != "search" && slices.Contains(r.conditions[i], "link_back") {
			return true
		}
	}
	return false
}

func (r *region) allNo(word string) bool {
	for i, c := range statements.Covers(statements.RSL, word) {
		if c != statements.NotCovered && r.want[i] != statements.Disallow {
			return false
		}
	}
	return true
}

// rslEffect reads the levels of a region, narrowest first, for one use.
func rslEffect(levels []*rslSpeech, use int) statements.Effect {
	for _, s := range levels {
		if !s.isClosed() { // its licence prohibits everything
			if statements.Covers(statements.RSL, "all")[use] != statements.NotCovered {
				return statements.Disallow
			}
			return statements.Unknown
		}
		for _, w := range s.prohibits {
			if statements.Covers(statements.RSL, w)[use] != statements.NotCovered {
				return statements.Disallow
			}
		}
		loose := false
		for _, w := range rslWords {
			e, c := s.permitEffect(w), statements.Covers(statements.RSL, w)[use]
			if e != statements.Unknown && c == statements.Exactly {
				return e
			}
			loose = loose || e != statements.Unknown && c == statements.Loosely
		}
		switch {
		case loose:
			return statements.Unknown
		case s.isClosed() && statements.Covers(statements.RSL, "unlisted")[use] != statements.NotCovered:
			return statements.Disallow
		}
	}
	return statements.Unknown
}

// isFreer reports whether saying a would promise more than b.
func isFreer(a, b statements.Effect) bool {
	return a == statements.Allow && b != statements.Allow || a == statements.Priced && (b == statements.Disallow || b == statements.Unknown)
}

func (w *packer) writeRSL() {
	speeches := map[*region]*rslSpeech{}
	for _, r := range w.regions {
		s := r.speakRSL()
		speeches[r] = s
		// Permissions of the wider region must not apply to parts that are excluded
		// from it.
		for _, word := range rslWords {
			use := exactUse(word).Index()
			if isFreer(rslEffect(levelsOf(r, speeches), use), r.want[use]) {
				s.prohibits = append(s.prohibits, word)
			}
		}
	}
	if allSilent(speeches) {
		for _, r := range w.regions {
			w.noteLosses(FileRSL, statements.RSL, append(rslWords, "ai-all"), r, [8]statements.Effect{})
		}
		return
	}
	w.licensed = true
	var b bytes.Buffer
	b.WriteString(xml.Header)
	b.WriteString(`<rsl xmlns="` + channel.RSLNamespace + `" max-age="` + strconv.Itoa(w.maxAge()) + "\">\n")
	for _, r := range slices.Backward(w.regions) {
		w.rslContent(&b, r, speeches[r], "")
		var said [8]statements.Effect
		for i := range said {
			said[i] = rslEffect(levelsOf(r, speeches), i)
		}
		w.noteLosses(FileRSL, statements.RSL, append(rslWords, "ai-all"), r, said)
	}
	b.WriteString("</rsl>\n")
	w.addFile(FileRSL, channel.RSLMediaType, b.Bytes())
}

// allSilent reports whether a licence file would have no words anywhere. Such a
// file must not be written, because a licence without words permits everything
// for free.
func allSilent(speeches map[*region]*rslSpeech) bool {
	for _, s := range speeches {
		if !s.isSilent() {
			return false
		}
	}
	return true
}

func levelsOf(r *region, speeches map[*region]*rslSpeech) []*rslSpeech {
	var out []*rslSpeech
	for ; r != nil; r = r.parent {
		out = append(out, speeches[r])
	}
	return out
}

func (w *packer) maxAge() int {
	if w.p.MaxAgeDays > 0 {
		return w.p.MaxAgeDays
	}
	return 7
}
