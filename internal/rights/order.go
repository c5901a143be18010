package rights

import (
	"cmp"
	"slices"
	"strings"

	"colophon/exports"
	"colophon/internal/wire"
)

// parseUnix parses an instant of a public record (RFC 3339 in UTC with seconds)
// into unix seconds. ok is false for any other text.
func parseUnix(s string) (int64, bool) {
	if !wire.IsTime(s) {
		return 0, false
	}
	n := func(from, to int) int64 {
		var v int64
		for _, c := range []byte(s[from:to]) {
			v = v*10 + int64(c-'0')
		}
		return v
	}
	days := daysSinceEpoch(n(0, 4), n(5, 7), n(8, 10))
	return days*24*60*60 + n(11, 13)*60*60 + n(14, 16)*60 + n(17, 19), true
}

// daysSinceEpoch counts days of the proleptic Gregorian calendar, with years
// that begin in March so that the leap day comes last.
func daysSinceEpoch(year, month, day int64) int64 {
	if month <= 2 {
		year--
		month += 12
	}
	return 365*year + year/4 - year/100 + year/400 + (153*(month-3)+2)/5 + day - 1 - 719468
}

func channelIndex(name string) int { return placeIn(exports.Channels, name) }

// placeIn returns the place of a word in a list, which is the end if it is not
// there.
func placeIn(list []string, word string) int {
	if i := slices.Index(list, word); i >= 0 {
		return i
	}
	return len(list)
}

func uniqueWords(words []string) []string {
	out := slices.Clone(words)
	slices.Sort(out)
	return slices.Compact(out)
}

// uniqueInOrder drops empty and repeated words.
func uniqueInOrder(words []string) []string {
	var out []string
	for _, w := range words {
		if w != "" && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}

var obligationOrder = []string{
	"payment", "consent", "contribution", "attribution", "link_back", "share_alike", "no_full_text", "embargo_hours",
	"territory_limit", "human_review", "retention", "deletion_on_request", "reporting",
}

// orderObligations lists obligations once each in a fixed order.
func orderObligations(words []string) []string {
	out := uniqueWords(words)
	slices.SortStableFunc(out, func(a, b string) int { return placeIn(obligationOrder, a) - placeIn(obligationOrder, b) })
	return out
}

func uniqueNotApplied(in []NotApplied) []NotApplied {
	slices.SortFunc(in, func(a, b NotApplied) int {
		return cmp.Or(
			channelIndex(a.Channel)-channelIndex(b.Channel), strings.Compare(a.Channel, b.Channel),
			strings.Compare(a.Value, b.Value), strings.Compare(a.Why, b.Why),
		)
	})
	return slices.Compact(in)
}
