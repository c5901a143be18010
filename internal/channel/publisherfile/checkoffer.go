package publisherfile

import (
	"strconv"
	"strings"

	"colophon/exports"
)

func (c *checker) offers(list []Offer) {
	if len(list) > MaxOffers {
		c.refuse("/offers", "too_many", "At most "+strconv.Itoa(MaxOffers)+" offers.")
		return
	}
	seen := map[string]bool{}
	for i := range list {
		at := "/offers/" + strconv.Itoa(i)
		c.offer(at, &list[i])
		if seen[list[i].Slug] {
			c.refuse(at+"/slug", "repeated", "Another offer has this slug.")
		}
		seen[list[i].Slug] = true
	}
}

func (c *checker) offer(at string, o *Offer) {
	if !exports.ValidSlug(o.Slug) {
		c.refuse(at+"/slug", "slug_invalid", "It must be a slug such as archive-2026.")
	}
	c.text(at+"/title", o.Title)
	if len(o.Uses) == 0 {
		c.refuse(at+"/uses", "too_short", "An offer is for at least one use.")
	}
	for i, use := range o.Prohibits {
		if exports.OneOf(use, o.Uses) {
			c.refuse(at+"/prohibits/"+strconv.Itoa(i), "contradicts", "The same offer permits this use.")
		}
	}
	distinct := func(string, string) {}
	c.each(at+"/uses", o.Uses, MaxWords, distinct)
	c.each(at+"/prohibits", o.Prohibits, MaxWords, distinct)
	c.each(at+"/user_types", o.UserTypes, MaxWords, distinct)
	c.each(at+"/territories", o.Territories, MaxWords, c.territory)
	c.each(at+"/not_in", o.NotIn, MaxWords, c.territory)
	c.each(at+"/paths", o.Paths, MaxPaths, c.path)
	c.each(at+"/excludes", o.Excludes, MaxPaths, c.path)
	c.payment(at+"/payment", &o.Payment)
	c.obligations(at+"/obligations", o.Obligations)
	c.terms(at+"/terms", o.Terms)
	c.validity(at, o)
}

// needsMoney lists the payment models that have a price.
var needsMoney = []string{"purchase", "subscription", "training", "crawl", "use"}

func (c *checker) payment(at string, p *Payment) {
	c.text(at+"/unit", p.Unit)
	priced := p.Amount != ""
	switch {
	case priced && p.OnRequest:
		c.refuse(at+"/on_request", "contradicts", "There is an amount already.")
	case !priced && p.Currency != "":
		c.refuse(at+"/currency", "amount_missing", "There is a currency without an amount.")
	case !priced && !p.OnRequest && exports.OneOf(p.Model, needsMoney):
		c.refuse(at, "amount_missing", "This model needs amount and currency, or on_request.")
	case (priced || p.OnRequest) && p.Model == "free":
		c.refuse(at+"/model", "contradicts", "What is free has no price.")
	}
	if !priced {
		return
	}
	if !validAmount(p.Amount) {
		c.refuse(at+"/amount", "amount_invalid", "It must be a decimal text above zero with at most nine digits before the point and four behind it, such as \"1200\" or \"0.05\".")
	}
	if !exports.ValidCurrency(p.Currency) {
		c.refuse(at+"/currency", "currency_invalid", "It must be an active ISO 4217 code such as EUR.")
	}
}

// validAmount reads digits, and after a point up to four more.
func validAmount(s string) bool {
	whole, part, point := strings.Cut(s, ".")
	digits := func(s string, most int) bool {
		return s != "" && len(s) <= most && strings.Trim(s, "0123456789") == ""
	}
	if !digits(whole, 9) || len(whole) > 1 && whole[0] == '0' || point && !digits(part, 4) {
		return false
	}
	return strings.Trim(whole+part, "0") != ""
}

func (c *checker) obligations(at string, o *Obligations) {
	if o == nil {
		return
	}
	c.within(at+"/display_limit_chars", o.DisplayChars, 1_000_000)
	c.within(at+"/delete_on_revocation_hours", o.DeleteHours, 24*366)
	c.optional(at+"/reporting_profile", o.Reporting)
}

func (c *checker) within(at string, n, most int64) {
	if n < 0 || n > most {
		c.refuse(at, "out_of_range", "Must be from 1 to "+strconv.FormatInt(most, 10)+".")
	}
}

func (c *checker) terms(at string, t *Terms) {
	if t == nil {
		return
	}
	c.address(at+"/url", t.URL)
	c.text(at+"/version", t.Version)
	c.text(at+"/media_type", t.MediaType)
	if t.SHA256 != "" && (len(t.SHA256) != 64 || strings.Trim(t.SHA256, "0123456789abcdef") != "") {
		c.refuse(at+"/sha256", "digest_invalid", "It must have 64 lower-case hex digits.")
	}
}

// validity keeps instants in this century and in order.
func (c *checker) validity(at string, o *Offer) {
	for _, t := range []struct{ name, value string }{{"/valid_from", o.ValidFrom}, {"/valid_until", o.ValidUntil}} {
		if t.value == "" {
			continue
		}
		if _, ok := exports.ParseInstant(t.value); !ok || t.value < "2000" || t.value >= "2101" {
			c.refuse(at+t.name, "time_invalid", "It must be an instant of this century.")
		}
	}
	if o.ValidFrom != "" && o.ValidUntil != "" && o.ValidUntil <= o.ValidFrom {
		c.refuse(at+"/valid_until", "contradicts", "It must be after valid_from.")
	}
}
