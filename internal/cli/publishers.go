package cli

import (
	"colophon/internal/cli/noun"
	"colophon/internal/origin"
	"colophon/internal/originsql"
)

// SiteNoun describes publishers.
var SiteNoun = noun.Description[origin.Site]{
	Word: "publisher", Argument: "SITE_ID", Key: "site_id", Lister: "publisher list",
	Find: (*originsql.Store).Site, All: (*originsql.Store).Sites, Row: SiteRow,
	Table: noun.Table{Line: "{site_id:24} {state:10} {visibility:8} {name}"},
}

// SiteRow returns a site as the operator sees it.
func SiteRow(s *origin.Site) map[string]any {
	return map[string]any{
		"site_id": s.SiteID, "name": s.Name, "site_url": s.SiteURL, "state": s.State, "visibility": s.Visibility, "categories": s.Categories,
		"accepts_inquiries": s.AcceptsInquiries, "approved_at": s.ApprovedAt, "changed_at": s.ChangedAt,
	}
}
