package publisherfile

import (
	"slices"
	"strconv"
	"strings"

	"colophon/exports"
)

func (c *checker) checkOffers(list []Offer) {
	if len(list) > MaxOffers {
		c.addProblem("/offers", "too_many", "At most "+strconv.Itoa(MaxOffers)+" offers.")
		return
	}
	seen := map[string]bool{}
	for i := range list {
		at := "/offers/" + strconv.Itoa(i)
		c.checkOffer(at, &list[i])
		if seen[list[i].Slug] {
			c.addProblem(at+"/slug", "repeated", "Another offer has this slug.")
		}
		seen[list[i].Slug] = true
	}
}

func (c *checker) checkOffer(at string, o *Offer) {
	if !exports.ValidSlug(o.Slug) {
		c.addProblem(at+"/slug", "slug_invalid", "It must be a slug such as archive-2026.")
	}
	c.checkText(at+"/title", o.Title)
	if len(o.Uses) == 0 {
		c.addProblem(at+"/uses", "too_short", "An offer is for at least one use.")
	}
	for i, use := range o.Prohibits {
		if slices.Contains(o.Uses, use) {
			c.addProblem(at+"/prohibits/"+strconv.Itoa(i), "contradicts", "The same offer permits this use.")
		}
	}
	distinct := func(string, string) {}
	c.checkList(at+"/uses", o.Uses, MaxWords, distinct)
	c.checkList(at+"/prohibits", o.Prohibits, MaxWords, distinct)
	c.checkList(at+"/user_types", o.UserTypes, MaxWords, distinct)
	c.checkList(at+"/territories", o.Territories, MaxWords, c.checkTerritory)
	c.checkList(at+"/not_in", o.NotIn, MaxWords, c.checkTerritory)
	c.checkList(at+"/paths", o.Paths, MaxPaths, c.checkPath)
	c.checkList(at+"/excludes", o.Excludes, MaxPaths, c.checkPath)
	c.checkPayment(at+"/payment", &o.Payment)
	c.checkObligations(at+"/obligations", o.Obligations)
	c.checkTerms(at+"/terms", o.Terms)
	c.checkValidity(at, o)
}

// needsMoney lists the payment models that have a price.
var needsMoney = []string{"purchase", "subscription", "training", "crawl", "use"}

func (c *checker) checkPayment(at string, p *Payment) {
	c.checkText(at+"/unit", p.Unit)
	priced := p.Amount != ""
	switch {
	case priced && p.OnRequest:
		c.addProblem(at+"/on_request", "contradicts", "There is an amount already.")
	case !priced && p.Currency != "":
		c.addProblem(at+"/currency", "amount_missing", "There is a currency without an amount.")
	case !priced && !p.OnRequest && slices.Contains(needsMoney, p.Model):
		c.addProblem(at, "amount_missing", "This model needs amount and currency, or on_request.")
	case (priced || p.OnRequest) && p.Model == "free":
		c.addProblem(at+"/model", "contradicts", "What is free has no price.")
	}
	if !priced {
		return
	}
	if !validAmount(p.Amount) {
		c.addProblem(at+"/amount", "amount_invalid", "It must be a decimal text above zero with at most nine digits before the point and four behind it, such as \"1200\" or \"0.05\".")
	}
	if !exports.ValidCurrency(p.Currency) {
		c.addProblem(at+"/currency", "currency_invalid", "It must be an active ISO 4217 code such as EUR.")
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

func (c *checker) checkObligations(at string, o *Obligations) {
	if o == nil {
		return
	}
	c.checkRange(at+"/display_limit_chars", o.DisplayChars, 1_000_000)
	c.checkRange(at+"/delete_on_revocation_hours", o.DeleteHours, 24*366)
	c.checkOptional(at+"/reporting_profile", o.Reporting)
}

func (c *checker) checkRange(at string, n, most int64) {
	if n < 0 || n > most {
		c.addProblem(at, "out_of_range", "Must be from 1 to "+strconv.FormatInt(most, 10)+".")
	}
}

func (c *checker) checkTerms(at string, t *Terms) {
	if t == nil {
		return
	}
	c.checkAddress(at+"/url", t.URL)
	c.checkText(at+"/version", t.Version)
	c.checkText(at+"/media_type", t.MediaType)
	if t.SHA256 != "" && (len(t.SHA256) != 64 || strings.Trim(t.SHA256, "0123456789abcdef") != "") {
		c.addProblem(at+"/sha256", "digest_invalid", "It must have 64 lower-case hex digits.")
	}
}

// checkValidity keeps instants in this century and in order.
func (c *checker) checkValidity(at string, o *Offer) {
	c.checkInstant(at+"/valid_from", o.ValidFrom)
	c.checkInstant(at+"/valid_until", o.ValidUntil)
	if o.ValidFrom != "" && o.ValidUntil != "" && o.ValidUntil <= o.ValidFrom {
		c.addProblem(at+"/valid_until", "contradicts", "It must be after valid_from.")
	}
}
