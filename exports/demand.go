package exports

import "colophon/internal/wire"

// Demand is an acquisition need that a buyer chose to make public. The buyer is
// not named unless it chose a display name.
type Demand struct {
	DemandID       string
	Headline       string // untrusted text
	Uses           []string
	Categories     []string
	ContentFormats []string
	Languages      []string
	Territories    []string
	UserType       string
	Volume         string // untrusted text
	BudgetBand     string // untrusted text
	Timeline       string // untrusted text
	BuyerDisplay   string // untrusted text, "" unless opted in
	OptedInAt      string
	ExpiresAt      string
}

func (d *Demand) Members(m *wire.Members) {
	m.OptString("budget_band", &d.BudgetBand)
	m.OptString("buyer_display", &d.BuyerDisplay)
	m.Strings("categories", &d.Categories)
	m.Words("content_formats", &d.ContentFormats, ContentFormats...)
	m.String("demand_id", &d.DemandID)
	m.NullTime("expires_at", &d.ExpiresAt)
	m.Flag("grants_rights", false)
	m.String("headline", &d.Headline)
	m.Strings("languages", &d.Languages)
	m.Time("opted_in_at", &d.OptedInAt)
	m.NullString("respond", new(string)) // no answer endpoint is defined
	m.Strings("territories", &d.Territories)
	m.OptString("timeline", &d.Timeline)
	m.OptEnum("user_type", &d.UserType, UserTypes...)
	m.Words("uses", &d.Uses, UseWords()...)
	m.OptString("volume", &d.Volume)
}
