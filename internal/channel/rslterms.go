package channel

import (
	"strconv"
	"strings"
)

func (l *rslLicence) users(words []string, permit bool) {
	for _, w := range words {
		word := strings.ReplaceAll(strings.ToLower(w), "-", "_")
		switch word {
		case "commercial", "non_commercial", "education", "government", "personal":
		default:
			l.warn("rsl_user_unknown", w)
			if permit {
				word = "(" + word + ")" // the list stays closed; nobody matches
			}
		}
		if permit {
			l.terms.UserTypes = append(l.terms.UserTypes, word)
		} else {
			l.terms.NotUserTypes = append(l.terms.NotUserTypes, word)
		}
	}
}

func (l *rslLicence) geo(words []string, permit bool) {
	for _, w := range words {
		code := strings.ToUpper(w)
		if code != w {
			l.warn("rsl_geo_case", w)
		}
		if len(code) != 2 {
			l.warn("rsl_geo_unknown", w)
		}
		if permit {
			l.terms.Territories = append(l.terms.Territories, code)
		} else {
			l.terms.NotTerritories = append(l.terms.NotTerritories, code)
		}
	}
}

func (l *rslLicence) payment(k *node) {
	l.terms.Payment = strings.ToLower(k.value("type"))
	switch l.terms.Payment {
	case "", "free":
	case "attribution":
		l.terms.Obligations = append(l.terms.Obligations, "attribution", "link_back")
	case "contribution":
		l.terms.Obligations = append(l.terms.Obligations, "contribution")
	case "purchase", "subscription", "training", "crawl", "use":
		l.paid = true
	case "inference":
		l.warn("rsl_payment_draft_word", l.terms.Payment)
		l.terms.Payment, l.paid = "use", true
	default:
		l.warn("rsl_payment_unknown", l.terms.Payment)
		l.paid = true
	}
	for _, m := range k.kids {
		if !isRSLSpace(m.space) {
			continue
		}
		switch m.name {
		case "amount":
			l.amount(m)
		case "custom":
			if abs, ok := absolute(l.c.base, m.text); ok {
				l.terms.Custom = abs
			} else {
				l.terms.Custom = m.text
			}
			l.c.link("acquire-license", m.text)
		case "standard":
			l.terms.Standard = m.text
		case "accepts":
			l.paid = true
		default:
			l.warn("rsl_unknown_element", m.name)
		}
	}
}

func (l *rslLicence) amount(m *node) {
	l.terms.Amount, l.terms.Currency = m.text, m.value("currency")
	f, err := strconv.ParseFloat(m.text, 64)
	if err != nil || f < 0 {
		l.warn("rsl_amount_not_a_number", m.text)
	}
	if len(l.terms.Currency) != 3 {
		l.warn("rsl_currency_missing", l.terms.Currency)
	}
	l.paid = l.paid || err != nil || f != 0
}
