package rights

import (
	"cmp"
	"slices"
	"strings"

	"colophon/exports"
)

// parseUnix parses an instant of a public record (RFC 3339 in UTC with seconds)
// into unix seconds. ok is false for any other text.
func parseUnix(s string) (int64, bool) {
	at, ok := exports.ParseInstant(s)
	if !ok {
		return 0, false
	}
	return at.Unix(), true
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

func uniqueNotApplied(in []exports.NotApplied) []exports.NotApplied {
	slices.SortFunc(in, func(a, b exports.NotApplied) int {
		return cmp.Or(
			channelIndex(a.Channel)-channelIndex(b.Channel), strings.Compare(a.Channel, b.Channel),
			strings.Compare(a.Value, b.Value), strings.Compare(a.Why, b.Why),
		)
	})
	return slices.Compact(in)
}
