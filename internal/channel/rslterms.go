package channel

import (
	"slices"
	"strconv"
	"strings"

	"colophon/exports"
	"colophon/internal/channel/statements"
)

// nobody replaces an unknown word in a list of permitted users or territories:
// the list stays closed, and nobody matches the word.
const nobody = "(unknown)"

func (l *rslLicence) readUsers(words []string, permit bool) {
	l.limitAudience("rsl_user_unknown", words, permit, &l.terms.UserTypes, &l.terms.NotUserTypes, func(w string) (string, bool) {
		word := strings.ReplaceAll(strings.ToLower(w), "-", "_")
		return word, slices.Contains(exports.UserTypes, word)
	})
}

func (l *rslLicence) readGeo(words []string, permit bool) {
	l.limitAudience("rsl_geo_unknown", words, permit, &l.terms.Territories, &l.terms.NotTerritories, func(w string) (string, bool) {
		code := strings.ToUpper(w)
		if code != w {
			l.addWarning("rsl_geo_case", w)
		}
		return code, len(code) == 2 && code[0] >= 'A' && code[0] <= 'Z' && code[1] >= 'A' && code[1] <= 'Z'
	})
}

// limitAudience adds what read makes of words to those permitted or, without
// permit, to those excluded. A permit for a word that is not known, or for none,
// permits nobody; not to know who is excluded is a gap.
func (l *rslLicence) limitAudience(unknown string, words []string, permit bool, permitted, excluded *[]string, read func(string) (string, bool)) {
	for _, w := range words {
		switch word, known := read(w); {
		case permit && known:
			*permitted = appendNew(*permitted, word)
		case permit:
			l.addWarning(unknown, w)
			*permitted = appendNew(*permitted, nobody)
		case known:
			*excluded = appendNew(*excluded, word)
		default:
			l.addGap(unknown, w)
		}
	}
	if permit && len(words) == 0 {
		*permitted = appendNew(*permitted, nobody)
	}
}

func (l *rslLicence) readPayment(k *node) {
	l.terms.Payment = strings.ToLower(k.attrOrEmpty("type"))
	switch l.terms.Payment {
	case "", "free":
	case "attribution":
		l.terms.Obligations = append(l.terms.Obligations, "attribution", "link_back")
	case "contribution":
		l.terms.Obligations = append(l.terms.Obligations, "contribution")
	case "purchase", "subscription", "training", "crawl", "use":
		l.paid = true
	case "inference":
		l.addWarning("rsl_payment_draft_word", l.terms.Payment)
		l.terms.Payment, l.paid = "use", true
	default:
		l.addWarning("rsl_payment_unknown", l.terms.Payment)
		l.paid = true
	}
	for _, m := range k.kids {
		if !isRSLSpace(m.space) {
			continue
		}
		switch m.name {
		case "amount":
			l.readAmount(m)
		case "custom":
			if abs, ok := ResolveAbsolute(l.c.base, m.text); ok {
				l.terms.Custom = abs
			} else {
				l.terms.Custom = m.text
			}
			l.c.addLink("acquire-license", m.text)
		case "standard":
			l.terms.Standard = m.text
		case "accepts":
			l.paid = true
		default:
			l.addGap("rsl_unknown_element", m.name)
			l.paid = true // a condition of the payment that is not understood
		}
	}
}

func (l *rslLicence) readAmount(m *node) {
	l.terms.Amount, l.terms.Currency = m.text, m.attrOrEmpty("currency")
	f, err := strconv.ParseFloat(m.text, 64)
	if err != nil || f < 0 {
		l.addWarning("rsl_amount_not_a_number", m.text)
	}
	if len(l.terms.Currency) != 3 {
		l.addWarning("rsl_currency_missing", l.terms.Currency)
	}
	l.paid = l.paid || err != nil || f != 0
}

// applySharedLicence applies the terms of a licence that payment/standard points to. Of
// Creative Commons licences the limits are known; any other shared licence is
// an agreement to be entered first.
func (l *rslLicence) applySharedLicence() {
	if l.terms.Standard == "" {
		return
	}
	cc, ok := creativeCommons(l.terms.Standard)
	if !ok {
		l.paid = true
		return
	}
	if !l.closed && !l.isPriced() {
		l.permits = []string{"all"} // without a list there is no limit, and the licence names any purpose
	}
	if cc.attribution {
		l.terms.Obligations = appendNew(l.terms.Obligations, "attribution")
	}
	if cc.shareAlike {
		l.terms.Obligations = appendNew(l.terms.Obligations, "share_alike")
	}
	if cc.nonCommercial {
		l.nonCommercial()
	}
	if cc.noDerivatives {
		l.onlyFinding()
	}
}

// onlyFinding reduces a licence's permissions to search, because its terms
// forbid sharing adaptations of the work.
func (l *rslLicence) onlyFinding() {
	search := slices.Contains(l.permits, "search") || slices.Contains(l.permits, "all")
	l.permits, l.closed = nil, true
	if search {
		l.permits = []string{"search"}
	}
}

// nonCommercial excludes commercial users from this licence only, because
// another licence beside it may be for them.
func (l *rslLicence) nonCommercial() {
	users := l.terms.UserTypes
	if len(users) == 0 {
		users = slices.Clone(exports.UserTypes)
	}
	users = slices.DeleteFunc(users, func(u string) bool { return u == "commercial" })
	if len(users) == 0 {
		users = []string{nobody}
	}
	l.terms.UserTypes = users
}

// ccTerms are the limits of a Creative Commons licence.
type ccTerms struct{ attribution, nonCommercial, noDerivatives, shareAlike bool }

// creativeCommons reads the address of a licence deed or its legal code.
func creativeCommons(address string) (ccTerms, bool) {
	host, path := statements.Split(address)
	if strings.TrimPrefix(host, "www.") != "creativecommons.org" {
		return ccTerms{}, false
	}
	parts := strings.Split(strings.ToLower(path), "/")
	if len(parts) < 3 {
		return ccTerms{}, false
	}
	switch {
	case parts[1] == "publicdomain" && (parts[2] == "zero" || parts[2] == "mark"):
		return ccTerms{}, true
	case parts[1] != "licenses":
		return ccTerms{}, false
	}
	var t ccTerms
	for _, word := range strings.Split(parts[2], "-") {
		switch word {
		case "by":
			t.attribution = true
		case "nc":
			t.nonCommercial = true
		case "nd":
			t.noDerivatives = true
		case "sa":
			t.shareAlike = true
		default:
			return ccTerms{}, false
		}
	}
	return t, true
}
