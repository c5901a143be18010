package originsql

import (
	"context"

	"colophon/internal/origin"
)

var (
	offerTable = table{"offers", 1, []string{
		"license_id", "site_id", "slug", "kind", "status", "title", "scope_type", "paths", "excludes", "content_formats", "published_after",
		"permits", "prohibits", "user_types", "territories", "not_in", "payment_model", "amount", "currency", "unit", "attribution",
		"display_limit", "delete_hours", "reporting", "terms_url", "terms_version", "terms_sha256", "terms_media", "valid_from",
		"valid_until", "supersedes", "private_notes", "minimum_term_months", "source", "evidence_url",
		"evidence_sha256", "evidence_at", "changed_at",
	}}
	demandTable = table{"demand", 1, []string{
		"demand_id", "headline", "uses", "categories", "content_formats", "languages", "territories", "user_type", "volume", "budget_band",
		"timeline", "buyer_display", "opted_in", "opted_in_at", "expires_at", "buyer_name", "buyer_email", "saved_search",
		"pipeline_stage", "private_notes", "changed_at",
	}}
)

func scanOffer(r scanner) (o origin.Offer, err error) {
	err = r.Scan(offerCells(&o)...)
	return o, err
}

// offerCells are the columns of an offer, in the order of the table.
func offerCells(o *origin.Offer) []any {
	return []any{
		&o.LicenseID, &o.SiteID, &o.Slug, &o.Kind, &o.Status, &o.Title, &o.ScopeType, words{&o.Paths}, words{&o.Excludes},
		words{&o.ContentFormats}, &o.PublishedAfter, words{&o.Permits}, words{&o.Prohibits}, words{&o.UserTypes}, words{&o.Territories},
		words{&o.NotIn}, &o.PaymentModel, &o.Amount, &o.Currency, &o.Unit, &o.Attribution, &o.DisplayLimit, &o.DeleteHours, &o.Reporting,
		&o.TermsURL, &o.TermsVersion, &o.TermsSHA256, &o.TermsMedia, &o.ValidFrom, &o.ValidUntil, &o.Supersedes, &o.PrivateNotes, &o.MinimumTermMonths, &o.Source,
		&o.EvidenceURL, &o.EvidenceSHA256, &o.EvidenceAt, &o.ChangedAt,
	}
}

func scanDemand(r scanner) (d origin.Demand, err error) {
	err = r.Scan(demandCells(&d)...)
	return d, err
}

// demandCells are the columns of a need, in the order of the table.
func demandCells(d *origin.Demand) []any {
	return []any{
		&d.DemandID, &d.Headline, words{&d.Uses}, words{&d.Categories}, words{&d.ContentFormats}, words{&d.Languages},
		words{&d.Territories}, &d.UserType, &d.Volume, &d.BudgetBand, &d.Timeline, &d.BuyerDisplay, flag{&d.OptedIn}, &d.OptedInAt,
		&d.ExpiresAt, &d.BuyerName, &d.BuyerEmail, &d.SavedSearch, &d.PipelineStage, &d.PrivateNotes, &d.ChangedAt,
	}
}

// OffersOf lists the offers of a site.
func (s *Store) OffersOf(ctx context.Context, siteID string) ([]origin.Offer, error) {
	return queryAll(ctx, s.db, "list offers", scanOffer, offerTable.selectWhere("WHERE site_id = ?1 ORDER BY license_id"), siteID)
}

// PutOffer adds or replaces one.
func (s *Store) PutOffer(ctx context.Context, o origin.Offer) error {
	return s.putRow(ctx, "write an offer", offerTable, cellValues(offerCells(&o))...)
}

// Demand lists every need.
func (s *Store) Demand(ctx context.Context) ([]origin.Demand, error) {
	return queryAll(ctx, s.db, "list demand", scanDemand, demandTable.selectWhere("ORDER BY demand_id"))
}

// PutDemand adds or replaces one.
func (s *Store) PutDemand(ctx context.Context, d origin.Demand) error {
	return s.putRow(ctx, "write demand", demandTable, cellValues(demandCells(&d))...)
}
