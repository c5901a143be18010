package templates

import (
	"strings"

	"colophon/exports"
)

// scopePaths names the paths of an offer, after the number of pages.
func scopePaths(paths []string) string {
	var out []string
	for i, p := range paths {
		if i == 6 {
			out = append(out, "…")
			break
		}
		if p = Clean(p, 80); p != "" {
			out = append(out, p)
		}
	}
	if len(out) == 0 {
		return ""
	}
	return " below " + strings.Join(out, ", ")
}

func territories(in, notIn []string) string {
	where := "everywhere"
	if len(in) > 0 {
		where = plains(in)
	}
	if len(notIn) > 0 {
		where += ", but not in " + plains(notIn)
	}
	return where
}

// price is a payment in words.
func price(p exports.Payment) string {
	model := plain(p.Model)
	switch p.Model {
	case "use":
		model = "for each use"
	case "crawl":
		model = "for each crawl"
	case "training":
		model = "for each training run"
	case "free":
		model = "free of charge"
	case "attribution":
		model = "attribution instead of money"
	}
	if p.Amount == "" {
		return model
	}
	words := Clean(p.Amount, 20) + " " + Clean(p.Currency, 3)
	if p.Unit != "" {
		words += " per " + plain(p.Unit)
	}
	return words + ", " + model + " (indicative)"
}

// obligations that come with an offer, in words.
func obligations(o exports.Obligations) string {
	var out []string
	if o.Attribution != "" {
		out = append(out, "attribution by "+plain(o.Attribution))
	}
	if o.DisplayLimitChars > 0 {
		out = append(out, "at most "+count(o.DisplayLimitChars)+" characters shown")
	}
	if o.ReportingProfile != "" || o.ReportingEndpoint != "" {
		out = append(out, "reports of use")
	}
	if o.DeleteOnRevocationHours > 0 {
		out = append(out, "deletion within "+count(o.DeleteOnRevocationHours)+" hours of revocation")
	}
	return strings.Join(out, "; ")
}

func versionWord(version string) string {
	if version == "" {
		return ""
	}
	return ", version " + Clean(version, 20)
}

// offerSource tells where an offer was read.
func offerSource(source string) string {
	if source == "observed" {
		return "observed in the site’s own licence file,"
	}
	return "the publisher’s own file,"
}

// sourceWord tells where a preference comes from.
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

// conflictWords tells what two channels say of one use.
func conflictWords(c exports.Conflict) string {
	var out []string
	for i, channel := range c.Between {
		value := "?"
		if i < len(c.Values) {
			value = plain(c.Values[i])
		}
		out = append(out, channelName(channel)+" says “"+value+"”")
	}
	return strings.Join(out, ", ") + "; taken as “" + plain(c.Taken) + "”."
}

// coverageWords tells which time the registered pages span.
func coverageWords(c exports.Coverage) string {
	s := "Published from " + day(c.FirstPublished) + " to " + day(c.LastPublished)
	if c.UpdateCadence != "" {
		s += ", updated " + plain(c.UpdateCadence)
	}
	return s + "."
}
