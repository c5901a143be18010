package originsql

import (
	"context"

	"colophon/internal/origin"
)

var offerTable = recordsOf("offers", 1, func(o *origin.Offer) []column {
	return []column{
		{"license_id", &o.LicenseID}, {"site_id", &o.SiteID}, {"slug", &o.Slug}, {"kind", &o.Kind}, {"status", &o.Status}, {"title", &o.Title},
		{"scope_type", &o.ScopeType}, {"paths", words{&o.Paths}}, {"excludes", words{&o.Excludes}}, {"content_formats", words{&o.ContentFormats}},
		{"published_after", &o.PublishedAfter}, {"permits", words{&o.Permits}}, {"prohibits", words{&o.Prohibits}},
		{"user_types", words{&o.UserTypes}}, {"territories", words{&o.Territories}}, {"not_in", words{&o.NotIn}},
		{"payment_model", &o.PaymentModel}, {"amount", &o.Amount}, {"currency", &o.Currency}, {"unit", &o.Unit}, {"attribution", &o.Attribution},
		{"display_limit", &o.DisplayLimit}, {"delete_hours", &o.DeleteHours}, {"reporting", &o.Reporting}, {"retention", &o.Retention}, {"terms_url", &o.TermsURL},
		{"terms_version", &o.TermsVersion}, {"terms_sha256", &o.TermsSHA256}, {"terms_media", &o.TermsMedia}, {"valid_from", &o.ValidFrom},
		{"valid_until", &o.ValidUntil}, {"supersedes", &o.Supersedes}, {"private_notes", &o.PrivateNotes},
		{"minimum_term_months", &o.MinimumTermMonths}, {"source", &o.Source}, {"evidence_url", &o.EvidenceURL},
		{"evidence_sha256", &o.EvidenceSHA256}, {"evidence_at", &o.EvidenceAt}, {"changed_at", &o.ChangedAt},
	}
})

var demandTable = recordsOf("demand", 1, func(d *origin.Demand) []column {
	return []column{
		{"demand_id", &d.DemandID}, {"headline", &d.Headline}, {"uses", words{&d.Uses}}, {"categories", words{&d.Categories}},
		{"content_formats", words{&d.ContentFormats}}, {"languages", words{&d.Languages}}, {"territories", words{&d.Territories}},
		{"user_type", &d.UserType}, {"volume", &d.Volume}, {"budget_band", &d.BudgetBand}, {"timeline", &d.Timeline},
		{"buyer_display", &d.BuyerDisplay}, {"opted_in", flag{&d.OptedIn}}, {"opted_in_at", &d.OptedInAt}, {"expires_at", &d.ExpiresAt},
		{"buyer_name", &d.BuyerName}, {"buyer_email", &d.BuyerEmail}, {"saved_search", &d.SavedSearch}, {"pipeline_stage", &d.PipelineStage},
		{"private_notes", &d.PrivateNotes}, {"changed_at", &d.ChangedAt},
	}
})

// OffersOf lists the offers of a site.
func (s *Store) OffersOf(ctx context.Context, siteID string) ([]origin.Offer, error) {
	return offerTable.list(ctx, s, "list offers", "WHERE site_id = ?1 ORDER BY license_id", siteID)
}

// PutOffer adds or replaces one.
func (s *Store) PutOffer(ctx context.Context, o origin.Offer) error {
	return s.putRow(ctx, "write an offer", offerTable.row(&o))
}

// Demand lists every buyer's request.
func (s *Store) Demand(ctx context.Context) ([]origin.Demand, error) {
	return demandTable.list(ctx, s, "list demand", "ORDER BY demand_id")
}

// PutDemand adds or replaces one.
func (s *Store) PutDemand(ctx context.Context, d origin.Demand) error {
	return s.putRow(ctx, "write demand", demandTable.row(&d))
}
