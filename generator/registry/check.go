package registry

import (
	"strings"

	"colophon/exports"
	"colophon/internal/provenance"
)

// mistake is a member that does not say what it should, and why.
type mistake struct{ member, detail string }

type mistakes []mistake

func (m *mistakes) add(member, detail string) { *m = append(*m, mistake{member, detail}) }

// line refuses control characters, which no text of a record may hold.
func (m *mistakes) line(member, text string) {
	for _, r := range text {
		if r < ' ' || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
			m.add(member, "holds a control character")
			return
		}
	}
}

func (m *mistakes) need(member, text string) {
	if strings.TrimSpace(text) == "" {
		m.add(member, "is needed")
	}
}

// url brings an address into its canonical form.
func (m *mistakes) url(member string, address *string) {
	if *address == "" {
		return
	}
	canonical, err := provenance.URLKey(*address)
	if err != nil {
		m.add(member, "is not a public http(s) address")
		return
	}
	*address = canonical
}

func (m *mistakes) instant(member, text string) {
	if _, ok := exports.ParseInstant(text); text != "" && !ok {
		m.add(member, "is no instant such as 2026-11-20T09:00:00Z")
	}
}

// order wants one instant before another, where both are stated.
func (m *mistakes) order(member, from, until string) {
	if from != "" && until != "" && until <= from {
		m.add(member, "is not after "+from)
	}
}

func (m *mistakes) slug(member, text string) {
	if !exports.ValidSlug(text) {
		m.add(member, "is not a slug such as trade-logistics")
	}
}

func (m *mistakes) email(member, text string) {
	if text != "" && !exports.ValidEmail(text) {
		m.add(member, "is not an e-mail address")
	}
}

// territories are two capital letters of ISO 3166-1, or EU: as the questions
// of the API name them.
func (m *mistakes) territories(member string, list []string) {
	for _, t := range list {
		if len(t) != 2 || t[0] < 'A' || t[0] > 'Z' || t[1] < 'A' || t[1] > 'Z' {
			m.add(member, "holds \""+t+"\", which is neither an ISO 3166-1 alpha-2 code nor EU")
		}
	}
}

func (m *mistakes) patterns(member string, list []string) {
	for _, p := range list {
		if !strings.HasPrefix(p, "/") && !strings.HasPrefix(p, "*") {
			m.add(member, "holds \""+p+"\"; a path pattern begins with \"/\"")
		}
		m.line(member, p)
	}
}

func (m *mistakes) notNegative(member string, n int64) {
	if n < 0 {
		m.add(member, "cannot be negative")
	}
}

func (o *Offer) check() (m mistakes) {
	m.slug("slug", o.Slug)
	m.need("title", o.Title)
	m.line("title", o.Title)
	m.line("unit", o.Unit)
	m.need("payment_model", o.PaymentModel)
	if len(o.Permits) == 0 {
		m.add("permits", "names no use")
	}
	for _, use := range o.Prohibits {
		if exports.OneOf(use, o.Permits) {
			m.add("prohibits", "holds \""+use+"\", which is permitted")
		}
	}
	m.patterns("paths", o.Paths)
	m.patterns("excludes", o.Excludes)
	m.territories("territories", o.Territories)
	m.territories("not_in", o.NotIn)
	m.instant("published_after", o.PublishedAfter)
	m.instant("valid_from", o.ValidFrom)
	m.instant("valid_until", o.ValidUntil)
	m.order("valid_until", o.ValidFrom, o.ValidUntil)
	m.notNegative("display_limit", o.DisplayLimit)
	m.notNegative("delete_hours", o.DeleteHours)
	m.url("reporting", &o.Reporting)
	o.checkPrice(&m)
	o.checkTerms(&m)
	if o.Supersedes == o.Slug {
		m.add("supersedes", "names the offer itself")
	}
	return m
}

func (o *Offer) checkPrice(m *mistakes) {
	if o.Amount != "" && !isDecimal(o.Amount) {
		m.add("amount", "is not a decimal number such as 0.015")
	}
	if o.Currency != "" && !exports.ValidCurrency(o.Currency) {
		m.add("currency", "is not a currency code of ISO 4217 such as EUR")
	}
	if o.Amount != "" && o.Currency == "" {
		m.add("currency", "is needed beside an amount")
	}
	if o.Amount != "" && strings.Trim(o.Amount, "0.") != "" && o.PaymentModel == "free" {
		m.add("amount", "is more than nothing, and the payment model is free")
	}
}

func (o *Offer) checkTerms(m *mistakes) {
	m.url("terms_url", &o.TermsURL)
	m.line("terms_version", o.TermsVersion)
	m.line("terms_media", o.TermsMedia)
	if o.TermsURL == "" && (o.TermsSHA256 != "" || o.TermsVersion != "" || o.TermsMedia != "") {
		m.add("terms_url", "is needed beside a digest, a version or a media type of terms")
	}
	if o.TermsSHA256 == "" {
		return
	}
	if len(o.TermsSHA256) != 64 || strings.Trim(o.TermsSHA256, "0123456789abcdef") != "" {
		m.add("terms_sha256", "is not a SHA-256 of 64 hex digits in lower case")
	}
}

// isDecimal reports whether a text is digits, with one point within at most.
func isDecimal(text string) bool {
	whole, part, point := strings.Cut(text, ".")
	digits := func(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
	return digits(whole) && (!point || digits(part))
}

func (d *Demand) check() (m mistakes) {
	if !strings.HasPrefix(d.ID, exports.PrefixDemand) {
		m.slug("id", d.ID)
	}
	m.need("headline", d.Headline)
	for _, c := range []mistake{{"headline", d.Headline}, {"volume", d.Volume}, {"budget_band", d.BudgetBand}, {"timeline", d.Timeline}, {"buyer_display", d.BuyerDisplay}} {
		m.line(c.member, c.detail)
	}
	if len(d.Uses) == 0 {
		m.add("uses", "names no use")
	}
	for _, c := range d.Categories {
		m.slug("categories", c)
	}
	m.territories("territories", d.Territories)
	m.instant("expires_at", d.ExpiresAt)
	m.email("buyer_email", d.BuyerEmail)
	return m
}

func (p *Publisher) check() (m mistakes) {
	if !exports.ValidSiteID(p.SiteID) {
		m.add("site_id", "cannot be a site id: 2 to 64 of a-z, 0-9 and \"-\", not beginning with \"-\"")
	}
	m.need("name", p.Name)
	m.need("site_url", p.SiteURL)
	m.line("name", p.Name)
	m.line("summary", p.Summary)
	m.url("site_url", &p.SiteURL)
	m.url("human_page", &p.HumanPage)
	for _, c := range p.Categories {
		m.slug("categories", c)
	}
	m.territories("countries", p.Countries)
	for i, h := range p.Hosts {
		p.Hosts[i] = strings.ToLower(h)
		if _, err := provenance.URLKey("https://" + h + "/"); err != nil || strings.ContainsAny(h, "/@:?#") {
			m.add("hosts", "holds \""+h+"\", which is no host name")
		}
	}
	return m
}

func (h *RightsHolder) check() (m mistakes) {
	m.line("name", h.Name)
	m.url("url", &h.URL)
	m.territories("territories", h.Territories)
	return m
}

func (p *Preference) check() (m mistakes) {
	m.need("inquiry", p.Inquiry)
	m.instant("since", p.Since)
	return m
}

func (o *Organization) check() (m mistakes) {
	if rest, ok := strings.CutPrefix(o.ID, "pub_"); !ok || !exports.ValidSiteID(rest) {
		m.add("id", "is not \"pub_\" and a name of a-z, 0-9 and \"-\"")
	}
	m.need("legal_name", o.LegalName)
	m.email("contact_email", o.ContactEmail)
	return m
}

func (c *Category) check() (m mistakes) {
	m.slug("slug", c.Slug)
	m.line("label", c.Label)
	if c.Parent != "" {
		m.slug("parent", c.Parent)
	}
	return m
}

// checkNamed holds what partners and buyers have in common.
func checkNamed(prefix, id, name, email string) (m mistakes) {
	if !strings.HasPrefix(id, prefix) {
		m.slug("id", id)
	}
	m.need("name", name)
	m.line("name", name)
	m.email("contact_email", email)
	return m
}

func (g *Grant) check() (m mistakes) {
	if !strings.HasPrefix(g.ID, exports.PrefixGrant) {
		m.slug("id", g.ID)
	}
	m.need("buyer", g.Buyer)
	if len(g.Uses) == 0 {
		m.add("uses", "names no use")
	}
	if len(g.Sites) == 0 && g.State == "active" {
		m.add("sites", "names no publisher")
	}
	if len(g.Sites) > 1 && g.Kind == "direct" {
		m.add("sites", "names several publishers, and a direct grant covers one")
	}
	m.patterns("paths", g.Paths)
	m.patterns("excludes", g.Excludes)
	m.instant("published_after", g.PublishedAfter)
	m.instant("published_before", g.PublishedBefore)
	m.instant("valid_from", g.ValidFrom)
	m.instant("valid_until", g.ValidUntil)
	m.order("valid_until", g.ValidFrom, g.ValidUntil)
	m.notNegative("display_limit", g.DisplayLimit)
	m.notNegative("delete_hours", g.DeleteHours)
	return m
}
