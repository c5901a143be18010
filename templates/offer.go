package templates

import (
	"slices"
	"strings"

	"colophon/exports"
	"colophon/internal/prose"
)

// sourceWord returns where a preference comes from.
func sourceWord(source string) string {
	switch source {
	case "observed":
		return "observed on the site"
	case "imported":
		return "imported"
	case "file":
		return "stated in the publisher’s own file"
	}
	return "stated by the publisher"
}

// coverageWords returns the period that the registered pages span.
func coverageWords(c exports.Coverage) string {
	s := "Published from " + prose.Day(c.FirstPublished) + " to " + prose.Day(c.LastPublished)
	if c.UpdateCadence != "" {
		s += ", updated " + prose.PlainWord(c.UpdateCadence)
	}
	return s + "."
}

// priceLine returns the prices of offers, at most two.
func priceLine(list []exports.Offer) string {
	var out []string
	for _, o := range list {
		words := prose.PriceWords(o.Payment)
		if o.Status == "offered" && !slices.Contains(out, words) {
			out = append(out, words)
		}
	}
	switch {
	case len(out) == 0:
		return "No offers listed. You can still ask."
	case len(out) > 2:
		return strings.Join(out[:2], "; ") + "; and " + prose.Counted(int64(len(out)-2), "other", "others") + " below."
	}
	return strings.Join(out, "; ")
}

// maxOffers is how many offers a publisher's page shows before the rest is
// folded.
const maxOffers = 2
