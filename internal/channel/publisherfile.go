package channel

import (
	"errors"
	"slices"
	"strconv"

	"colophon/internal/channel/publisherfile"
	"colophon/internal/channel/statements"
)

// ParsePublisherFile reads the publisher's own file. Its preferences and
// offers become statements, one for each use and path; a file with any error
// says nothing, and may have restricted anything.
func ParsePublisherFile(in Input) Result {
	r := newResult(in, statements.PublisherFile)
	if looksLikeHTML(in.Body) {
		r.markAbsent("html_instead_of_json")
		return r
	}
	read, err := publisherfile.Read(in.Body)
	if err != nil {
		refusePublisherFile(&r, err)
		return r
	}
	for _, u := range read.Unknown {
		r.addWarning(u.Code, u.Where()+" "+u.Pointer, u.Detail)
	}
	for _, host := range read.Hosts {
		r.Links = append(r.Links, statements.Link{Rel: statements.RelSpeaksFor, URL: "https://" + host + "/", Locator: "hosts"})
	}
	for i := range read.Preferences {
		addPreference(&r, &read.Preferences[i], "/preferences/"+strconv.Itoa(i))
	}
	for i := range read.Offers {
		addOffer(&r, &read.Offers[i], "/offers/"+strconv.Itoa(i))
	}
	return r
}

func refusePublisherFile(r *Result, err error) {
	r.State = Invalid
	r.Gaps = append(r.Gaps, statements.Gap{Code: "publisher_file_invalid"})
	var list publisherfile.Errors
	errors.As(err, &list)
	for _, p := range list {
		r.addWarning("publisher_file_"+p.Code, p.Where()+" "+p.Pointer, p.Detail)
	}
}

// asksFirst are the conditions that nobody can meet without asking.
var asksFirst = []string{"payment", "human_review", "territory_limit", "embargo_hours"}

func addPreference(r *Result, p *publisherfile.Preference, at string) {
	if p.Retention != "" {
		addBelow(r, statements.Statement{
			Channel: statements.PublisherFile, Word: statements.RetentionWord + " " + p.Use, Retention: p.Retention, Locator: at, Text: p.Use + ": retention " + p.Retention,
		}, p.Paths)
	}
	s := statements.Statement{Channel: statements.PublisherFile, Word: p.Use, Locator: at, Text: p.Use + ": " + p.Declared}
	switch p.Declared {
	case "allow":
		s.Effect = statements.Allow
		s.Terms.Obligations = p.Conditions
		if slices.ContainsFunc(p.Conditions, func(c string) bool { return slices.Contains(asksFirst, c) }) {
			s.Effect = statements.Priced
		}
	case "disallow":
		s.Effect = statements.Disallow
	default:
		return // only whether asking is welcome
	}
	addBelow(r, s, p.Paths)
}

// addOffer states that the uses of an offer have a price. A paused offer has
// one too; a retired one has ended.
func addOffer(r *Result, o *publisherfile.Offer, at string) {
	if o.Status == "retired" {
		return
	}
	terms := statements.Terms{
		Payment: o.Payment.Model, Amount: o.Payment.Amount, Currency: o.Payment.Currency,
		UserTypes: o.UserTypes, Territories: o.Territories, NotTerritories: o.NotIn,
	}
	for _, use := range o.Uses {
		addBelow(r, statements.Statement{Channel: statements.PublisherFile, Word: use, Effect: statements.Priced, Terms: terms, Locator: at, Text: use + ": offer " + o.Slug}, o.Paths)
	}
	for _, use := range o.Prohibits {
		addBelow(r, statements.Statement{Channel: statements.PublisherFile, Word: use, Effect: statements.Disallow, Locator: at, Text: use + ": not in offer " + o.Slug}, o.Paths)
	}
}

func addBelow(r *Result, s statements.Statement, paths []string) {
	if len(paths) == 0 {
		paths = []string{"/"}
	}
	for _, path := range paths {
		s.Pattern = path
		r.addStatement(s)
	}
}
