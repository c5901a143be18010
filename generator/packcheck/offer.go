package packcheck

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"slices"
	"strings"

	"colophon/exports"
	"colophon/internal/channelpack"
)

// OfferForms holds one offer in other vocabularies.
type OfferForms struct {
	RSL, ODRL, CoMP []byte
}

// CheckOffer compares the forms of an offer with the policy to which it
// belongs. RSL states the offer's scope itself; the other forms are linked from
// the offer, so they are read at the paths in its scope. No form may drop a
// limit on the audience.
func CheckOffer(p *channelpack.Policy, o *exports.Offer, forms OfferForms) []Finding {
	var out []Finding
	for _, f := range []struct {
		name   string
		body   []byte
		read   reader
		limits func(body []byte) ([]limits, error)
		whole  bool // the form itself says to which paths it applies
	}{
		{"offer.rsl.xml", forms.RSL, readRSL, rslLimits, true},
		{"offer.odrl.jsonld", forms.ODRL, readOfferODRL, odrlLimits, false},
		{"offer.comp.json", forms.CoMP, readCoMP, compLimits, false},
	} {
		given, err := f.limits(f.body)
		if err != nil {
			out = append(out, Finding{File: f.name, Reads: err.Error(), Policy: "a form that can be read"})
			continue
		}
		for i := range given {
			if !given[i].coverLimits(o) {
				out = append(out, Finding{File: f.name, Reads: "an offer to more users or territories", Policy: "the audience of the offer"})
			}
		}
		for _, path := range samplePaths(p) {
			if !f.whole && !inScope(o, path) {
				continue
			}
			got, err := f.read(f.body, path)
			if err != nil {
				out = append(out, Finding{File: f.name, Path: path, Reads: err.Error(), Policy: "a form that can be read"})
				break
			}
			out = append(out, compareLevels(p, f.name, path, got)...)
		}
	}
	return out
}

func inScope(o *exports.Offer, path string) bool {
	begins := func(pattern string) bool {
		return exports.MatchPattern(strings.TrimSuffix(pattern, "*"), path)
	}
	if slices.ContainsFunc(o.Scope.Excludes, begins) {
		return false
	}
	return len(o.Scope.Paths) == 0 || slices.ContainsFunc(o.Scope.Paths, begins)
}

// limits is the audience that a form names. An absent list means no limit.
type limits struct {
	users, territories, notIn []string
}

// coverLimits reports whether the form excludes everybody whom the offer
// excludes.
func (l *limits) coverLimits(o *exports.Offer) bool {
	users := len(o.UserTypes) == 0 || len(l.users) > 0 && containsAll(l.users, o.UserTypes)
	places := len(o.Territories) == 0 || len(l.territories) > 0 && containsAll(l.territories, o.Territories)
	return users && places && containsAll(o.NotIn, l.notIn)
}

func containsAll(words, list []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(list, w) })
}

var errNoLicence = errors.New("no licence")

// rslLimits returns the audience of each licence, because licences are
// alternatives.
func rslLimits(body []byte) ([]limits, error) {
	var doc struct {
		Contents []struct {
			Licences []rslLicence `xml:"https://rslstandard.org/rsl license"`
		} `xml:"https://rslstandard.org/rsl content"`
	}
	if err := xml.Unmarshal(body, &doc); err != nil {
		return nil, err
	}
	var out []limits
	for _, c := range doc.Contents {
		for _, l := range c.Licences {
			if levels, err := l.readLevels(); err == nil && levels == nothing {
				continue // a licence that only prohibits
			}
			users := tokensOf(l.Permits, "user")
			for i := range users {
				users[i] = strings.ReplaceAll(users[i], "-", "_")
			}
			out = append(out, limits{users, tokensOf(l.Permits, "geo"), tokensOf(l.Prohibits, "geo")})
		}
	}
	if len(out) == 0 {
		return nil, errNoLicence
	}
	return out, nil
}

// nothing is the levels of a text that permits no use.
var nothing levels

func tokensOf(lists []rslTokens, kind string) []string {
	var out []string
	for _, t := range lists {
		if t.Type == kind {
			out = append(out, strings.Fields(t.Text)...)
		}
	}
	return out
}

// odrlOffer is the part of an ODRL Offer that permits anything.
type odrlOffer struct {
	Permission []struct {
		Action     string
		Duty       []struct{ Action string }
		Constraint []struct {
			LeftOperand, Operator string
			RightOperand          []string
		}
	}
}

// readOfferODRL reads an offer in ODRL. A permission with the duty to obtain
// consent only invites a request; any other is free.
func readOfferODRL(body []byte, _ string) (levels, error) {
	var out levels
	var doc odrlOffer
	if err := json.Unmarshal(body, &doc); err != nil {
		return out, err
	}
	for _, p := range doc.Permission {
		uses, known := odrlUses[p.Action]
		if !known {
			return out, errors.New("action " + p.Action)
		}
		given := free
		for _, d := range p.Duty {
			if d.Action == "obtainConsent" {
				given = asking
			}
		}
		out.raiseUses(given, uses...)
	}
	return out, nil
}

func odrlLimits(body []byte) ([]limits, error) {
	var doc odrlOffer
	if err := json.Unmarshal(body, &doc); err != nil {
		return nil, err
	}
	var out []limits
	for _, p := range doc.Permission {
		var l limits
		for _, c := range p.Constraint {
			switch c.LeftOperand + " " + c.Operator {
			case "spatial isAnyOf":
				l.territories = c.RightOperand
			case "spatial isNoneOf":
				l.notIn = c.RightOperand
			case "recipient isAnyOf":
				l.users = c.RightOperand
			}
		}
		out = append(out, l)
	}
	return out, nil
}

// compLimits returns the audience of a CoMP package. CoMP cannot express an
// excluded territory.
func compLimits(body []byte) ([]limits, error) {
	var doc struct {
		Package struct {
			Scope struct {
				Country []string
				Ause    []int
			}
		}
	}
	if err := json.Unmarshal(body, &doc); err != nil {
		return nil, err
	}
	l := limits{territories: doc.Package.Scope.Country}
	for _, n := range doc.Package.Scope.Ause {
		if n < 0 || n >= len(compUsers) {
			return nil, errors.New("kind of user that CoMP does not have")
		}
		l.users = append(l.users, compUsers[n])
	}
	return []limits{l}, nil
}

// compUsers are the kinds of users in the order of CoMP's numbers.
var compUsers = []string{"commercial", "non_commercial", "education", "government", "personal"}
