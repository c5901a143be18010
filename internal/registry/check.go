package registry

import (
	"slices"
	"strconv"
	"strings"

	"colophon/exports"
	"colophon/internal/iscc"
	"colophon/internal/urlkey"
	"colophon/internal/wire"
)

// mistake is a member with an invalid value, and the reason.
type mistake struct{ member, detail string }

type mistakes []mistake

func (m *mistakes) addMistake(member, detail string) { *m = append(*m, mistake{member, detail}) }

// checkLine refuses control characters, which no text of a record may hold.
func (m *mistakes) checkLine(member, text string) {
	for _, r := range text {
		if r < ' ' || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
			m.addMistake(member, "holds a control character")
			return
		}
	}
}

func (m *mistakes) checkPresent(member, text string) {
	if strings.TrimSpace(text) == "" {
		m.addMistake(member, "is needed")
	}
}

// checkURL checks an address and replaces it by its canonical form.
func (m *mistakes) checkURL(member string, address *string) {
	if *address == "" {
		return
	}
	canonical, err := urlkey.Address(*address)
	if err != nil {
		m.addMistake(member, "is not a public http(s) address")
		return
	}
	*address = canonical
}

// checkInstant checks an RFC 3339 instant and converts it to UTC.
func (m *mistakes) checkInstant(member string, text *string) {
	if *text == "" {
		return
	}
	at, ok := wire.ToUTC(*text)
	if !ok {
		m.addMistake(member, "is no instant such as 2026-11-20T09:00:00Z")
		return
	}
	*text = at
}

// checkOrder wants one instant before another, where both are stated.
func (m *mistakes) checkOrder(member, from, until string) {
	if from != "" && until != "" && until <= from {
		m.addMistake(member, "is not after "+from)
	}
}

func (m *mistakes) checkSlug(member, text string) {
	if !exports.ValidSlug(text) {
		m.addMistake(member, "is not a slug such as trade-logistics")
	}
}

func (m *mistakes) checkEmail(member, text string) {
	if text != "" && !exports.ValidEmail(text) {
		m.addMistake(member, "is not an e-mail address")
	}
}

// checkTerritories are two capital letters of ISO 3166-1, or EU: as the questions
// of the API name them.
func (m *mistakes) checkTerritories(member string, list []string) {
	for _, t := range list {
		if len(t) != 2 || t[0] < 'A' || t[0] > 'Z' || t[1] < 'A' || t[1] > 'Z' {
			m.addMistake(member, "holds \""+t+"\", which is neither an ISO 3166-1 alpha-2 code nor EU")
		}
	}
}

func (m *mistakes) checkPatterns(member string, list []string) {
	for _, p := range list {
		if !strings.HasPrefix(p, "/") && !strings.HasPrefix(p, "*") {
			m.addMistake(member, "holds \""+p+"\"; a path pattern begins with \"/\"")
		}
		m.checkLine(member, p)
	}
}

func (m *mistakes) notNegative(member string, n int64) {
	if n < 0 {
		m.addMistake(member, "cannot be negative")
	}
}

func (o *Offer) validate() (m mistakes) {
	m.checkSlug("slug", o.Slug)
	m.checkPresent("title", o.Title)
	m.checkLine("title", o.Title)
	m.checkLine("unit", o.Unit)
	m.checkPresent("payment_model", o.PaymentModel)
	if len(o.Permits) == 0 {
		m.addMistake("permits", "names no use")
	}
	for _, use := range o.Prohibits {
		if slices.Contains(o.Permits, use) {
			m.addMistake("prohibits", "holds \""+use+"\", which is permitted")
		}
	}
	m.checkPatterns("paths", o.Paths)
	m.checkPatterns("excludes", o.Excludes)
	m.checkTerritories("territories", o.Territories)
	m.checkTerritories("not_in", o.NotIn)
	m.checkInstant("published_after", &o.PublishedAfter)
	m.checkInstant("valid_from", &o.ValidFrom)
	m.checkInstant("valid_until", &o.ValidUntil)
	m.checkOrder("valid_until", o.ValidFrom, o.ValidUntil)
	m.notNegative("display_limit", o.DisplayLimit)
	m.notNegative("delete_hours", o.DeleteHours)
	m.notNegative("minimum_term_months", o.MinimumTermMonths)
	m.checkURL("reporting", &o.Reporting)
	o.checkPrice(&m)
	o.checkTerms(&m)
	if o.Supersedes == o.Slug {
		m.addMistake("supersedes", "names the offer itself")
	}
	return m
}

func (o *Offer) checkPrice(m *mistakes) {
	if o.Amount != "" && !isDecimal(o.Amount) {
		m.addMistake("amount", "is not a decimal number such as 0.015")
	}
	if o.Currency != "" && !exports.ValidCurrency(o.Currency) {
		m.addMistake("currency", "is not a currency code of ISO 4217 such as EUR")
	}
	if o.Amount != "" && o.Currency == "" {
		m.addMistake("currency", "is needed beside an amount")
	}
	if o.Amount != "" && strings.Trim(o.Amount, "0.") != "" && o.PaymentModel == "free" {
		m.addMistake("amount", "is more than nothing, and the payment model is free")
	}
}

func (o *Offer) checkTerms(m *mistakes) {
	m.checkURL("terms_url", &o.TermsURL)
	m.checkLine("terms_version", o.TermsVersion)
	m.checkLine("terms_media", o.TermsMedia)
	if o.TermsURL == "" && (o.TermsSHA256 != "" || o.TermsVersion != "" || o.TermsMedia != "") {
		m.addMistake("terms_url", "is needed beside a digest, a version or a media type of terms")
	}
	if o.TermsSHA256 == "" {
		return
	}
	if len(o.TermsSHA256) != 64 || strings.Trim(o.TermsSHA256, "0123456789abcdef") != "" {
		m.addMistake("terms_sha256", "is not a SHA-256 of 64 hex digits in lower case")
	}
}

// isDecimal reports whether a text is digits, with one point within at most.
func isDecimal(text string) bool {
	whole, part, point := strings.Cut(text, ".")
	digits := func(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
	return digits(whole) && (!point || digits(part))
}

func (r *Reservation) validate(now string) (m mistakes) {
	if _, err := iscc.NormalizeCode(r.Code); err != nil {
		m.addMistake("code", "is neither a portable fingerprint (64 hex digits) nor an ISCC of content of 64 bits or more")
	}
	if len(r.Uses) == 0 {
		m.addMistake("uses", "names no use")
	}
	m.checkLine("author_display", r.AuthorDisplay)
	m.checkLine("author_name", r.AuthorName)
	m.checkLine("note", r.Note)
	m.checkInstant("since", &r.Since)
	if r.Since > now {
		m.addMistake("since", "is in the future")
	}
	return m
}

func (d *Demand) validate() (m mistakes) {
	if !strings.HasPrefix(d.DemandID, exports.PrefixDemand) {
		m.checkSlug("id", d.DemandID)
	}
	m.checkPresent("headline", d.Headline)
	for _, c := range []mistake{{"headline", d.Headline}, {"volume", d.Volume}, {"budget_band", d.BudgetBand}, {"timeline", d.Timeline}, {"buyer_display", d.BuyerDisplay}} {
		m.checkLine(c.member, c.detail)
	}
	if len(d.Uses) == 0 {
		m.addMistake("uses", "names no use")
	}
	for _, c := range d.Categories {
		m.checkSlug("categories", c)
	}
	m.checkTerritories("territories", d.Territories)
	m.checkInstant("expires_at", &d.ExpiresAt)
	m.checkEmail("buyer_email", d.BuyerEmail)
	return m
}

// MaxGraceDays is the longest that a page of a publisher may be gone before
// its entry is withdrawn.
const MaxGraceDays = 3650

func (p *Publisher) validate() (m mistakes) {
	if !exports.ValidSiteID(p.SiteID) {
		m.addMistake("site_id", "cannot be a site id: 2 to 64 of a-z, 0-9 and \"-\", not beginning with \"-\"")
	}
	m.checkPresent("name", p.Name)
	m.checkPresent("site_url", p.SiteURL)
	m.checkLine("name", p.Name)
	m.checkLine("summary", p.Summary)
	m.checkURL("site_url", &p.SiteURL)
	m.checkURL("human_page", &p.HumanPage)
	for _, c := range p.Categories {
		m.checkSlug("categories", c)
	}
	m.checkTerritories("countries", p.Countries)
	if p.GraceDays < 0 || p.GraceDays > MaxGraceDays {
		m.addMistake("grace_days", "is not from 0 to "+strconv.Itoa(MaxGraceDays))
	}
	for i, h := range p.Hosts {
		ascii, ok := urlkey.ASCIIHost(h)
		if !ok {
			m.addMistake("hosts", "holds \""+h+"\", which is no host name")
			continue
		}
		p.Hosts[i] = ascii
	}
	return m
}

func (h *RightsHolder) validate() (m mistakes) {
	m.checkLine("name", h.HolderName)
	m.checkURL("url", &h.HolderURL)
	m.checkTerritories("territories", h.Territories)
	return m
}

func (p *Preference) validate() (m mistakes) {
	m.checkPresent("inquiry", p.Inquiry)
	m.checkInstant("since", &p.Since)
	return m
}

func (o *Organization) validate() (m mistakes) {
	if rest, ok := strings.CutPrefix(o.PublisherID, "pub_"); !ok || !exports.ValidSiteID(rest) {
		m.addMistake("id", "is not \"pub_\" and a name of a-z, 0-9 and \"-\"")
	}
	m.checkPresent("legal_name", o.LegalName)
	m.checkEmail("contact_email", o.ContactEmail)
	if o.GroupName != "" {
		m.checkLine("group_name", o.GroupName)
	}
	return m
}

func (c *Category) validate() (m mistakes) {
	m.checkSlug("slug", c.Slug)
	m.checkLine("label", c.Label)
	if c.Parent != "" {
		m.checkSlug("parent", c.Parent)
	}
	return m
}

func (p *Partner) validate() mistakes {
	return checkNamed(exports.PrefixPartner, p.OrgID, p.Name, p.ContactEmail)
}

func (b *Buyer) validate() mistakes {
	return checkNamed(PrefixBuyer, b.BuyerID, b.Name, b.ContactEmail)
}

// checkNamed holds what partners and buyers have in common.
func checkNamed(prefix, id, name, email string) (m mistakes) {
	if !strings.HasPrefix(id, prefix) {
		m.checkSlug("id", id)
	}
	m.checkPresent("name", name)
	m.checkLine("name", name)
	m.checkEmail("contact_email", email)
	return m
}

func (g *Grant) validate() (m mistakes) {
	if !strings.HasPrefix(g.GrantID, exports.PrefixGrant) {
		m.checkSlug("id", g.GrantID)
	}
	m.checkPresent("buyer", g.BuyerID)
	if len(g.Uses) == 0 {
		m.addMistake("uses", "names no use")
	}
	if len(g.Sites) == 0 && g.State == "active" {
		m.addMistake("sites", "names no publisher")
	}
	if len(g.Sites) > 1 && g.Kind == "direct" {
		m.addMistake("sites", "names several publishers, and a direct grant covers one")
	}
	m.checkPatterns("paths", g.Paths)
	m.checkPatterns("excludes", g.Excludes)
	m.checkInstant("published_after", &g.PublishedAfter)
	m.checkInstant("published_before", &g.PublishedBefore)
	m.checkInstant("valid_from", &g.ValidFrom)
	m.checkInstant("valid_until", &g.ValidUntil)
	m.checkOrder("valid_until", g.ValidFrom, g.ValidUntil)
	m.notNegative("display_limit", g.DisplayLimit)
	m.notNegative("delete_hours", g.DeleteHours)
	return m
}
