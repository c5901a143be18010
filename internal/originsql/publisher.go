package originsql

import (
	"context"
	"slices"

	"colophon/internal/origin"
)

var publisherTable = recordsOf("publishers", 1, func(p *origin.Publisher) []column {
	return []column{
		{"publisher_id", &p.PublisherID}, {"legal_name", &p.LegalName}, {"contact_name", &p.ContactName}, {"contact_email", &p.ContactEmail},
		{"private_notes", &p.PrivateNotes}, {"created_at", &p.CreatedAt}, {"group_name", &p.GroupName},
	}
})

var siteTable = recordsOf("sites", 1, func(x *origin.Site) []column {
	return []column{
		{"site_id", &x.SiteID}, {"publisher_id", &x.PublisherID}, {"name", &x.Name}, {"site_url", &x.SiteURL}, {"summary", &x.Summary},
		{"description", &x.Description}, {"categories", words{&x.Categories}}, {"languages", words{&x.Languages}},
		{"countries", words{&x.Countries}}, {"audience", &x.Audience}, {"technical_depth", &x.TechnicalDepth},
		{"rag_suitability", &x.RAGSuitability}, {"update_cadence", &x.UpdateCadence}, {"human_page", &x.HumanPage},
		{"domain_control", &x.DomainControl}, {"control_checked", &x.ControlChecked}, {"accepts_inquiries", flag{&x.AcceptsInquiries}},
		{"state", (*string)(&x.State)}, {"visibility", &x.Visibility}, {"approved_at", &x.ApprovedAt}, {"state_reason", &x.StateReason},
		{"private_notes", &x.PrivateNotes}, {"created_at", &x.CreatedAt}, {"changed_at", &x.ChangedAt}, {"grace_days", &x.GraceDays},
	}
})

var websiteTable = recordsOf("websites", 2, func(w *origin.Website) []column {
	return []column{
		{"site_id", &w.SiteID}, {"host", &w.Host}, {"associated", flag{&w.Associated}}, {"method", &w.Method}, {"checked_at", &w.CheckedAt},
		{"changed_at", &w.ChangedAt},
	}
})

var categoryTable = recordsOf("categories", 1, func(c *origin.Category) []column {
	return []column{
		{"slug", &c.Slug}, {"label", &c.Label}, {"description", &c.Description}, {"parent", &c.Parent}, {"iab_ids", words{&c.IABIDs}},
		{"changed_at", &c.ChangedAt},
	}
})

// Sites lists every site by site id.
func (s *Store) Sites(ctx context.Context) ([]origin.Site, error) {
	return siteTable.list(ctx, s, "list sites", "ORDER BY site_id")
}

// Site returns one site, or origin.ErrNotFound.
func (s *Store) Site(ctx context.Context, siteID string) (origin.Site, error) {
	return siteTable.one(ctx, s, "read a site", "WHERE site_id = ?1", siteID)
}

// PutSite adds or replaces a site.
func (s *Store) PutSite(ctx context.Context, x origin.Site) error {
	return s.putRow(ctx, "write a site", siteTable.row(&x))
}

// Publisher returns one account, or origin.ErrNotFound.
func (s *Store) Publisher(ctx context.Context, publisherID string) (origin.Publisher, error) {
	return publisherTable.one(ctx, s, "read a publisher", "WHERE publisher_id = ?1", publisherID)
}

// GroupName returns the public name of a group, "" for an account that is not
// one.
func (s *Store) GroupName(ctx context.Context, publisherID string) (string, error) {
	return queryOne(ctx, s, scanText, read("read the name of a group", "SELECT group_name FROM publishers WHERE publisher_id = ?1", publisherID))
}

// SitesOfPublisher lists the sites of an account by site id.
func (s *Store) SitesOfPublisher(ctx context.Context, publisherID string) ([]origin.Site, error) {
	return siteTable.list(ctx, s, "list the sites of a publisher", "WHERE publisher_id = ?1 ORDER BY site_id", publisherID)
}

// Groups lists the accounts that are groups by id.
func (s *Store) Groups(ctx context.Context) ([]origin.Publisher, error) {
	return publisherTable.list(ctx, s, "list groups", "WHERE group_name <> '' ORDER BY publisher_id")
}

// PutPublisher adds or replaces an account.
func (s *Store) PutPublisher(ctx context.Context, p origin.Publisher) error {
	return s.putRow(ctx, "write a publisher", publisherTable.row(&p))
}

// Websites lists the hosts of a site.
func (s *Store) Websites(ctx context.Context, siteID string) ([]origin.Website, error) {
	return websiteTable.list(ctx, s, "list websites", "WHERE site_id = ?1 ORDER BY host", siteID)
}

// PutWebsite adds or replaces a host.
func (s *Store) PutWebsite(ctx context.Context, w origin.Website) error {
	return s.putRow(ctx, "write a website", websiteTable.row(&w))
}

// Categories lists the categories by slug.
func (s *Store) Categories(ctx context.Context) ([]origin.Category, error) {
	return categoryTable.list(ctx, s, "list categories", "ORDER BY slug")
}

// PutCategory adds or replaces one.
func (s *Store) PutCategory(ctx context.Context, c origin.Category) error {
	return s.putRow(ctx, "write a category", categoryTable.row(&c))
}

// Changes returns the number of changes and the latest instant of one.
func (s *Store) Changes(ctx context.Context) (int64, string, error) {
	tables := []string{"sites", "websites", "categories", "preference_signals", "passports", "readiness_signals", "pages", "offers", "demand", "content_reservations"}
	query := "SELECT (SELECT value FROM meta WHERE name = 'changes'), (SELECT coalesce(max(fetched_at), '') FROM observations)"
	for _, t := range tables {
		query += ", (SELECT coalesce(max(changed_at), '') FROM " + t + ")"
	}
	instants := make([]string, 1+len(tables))
	scan := into(func(count *int64) []any {
		fields := []any{count}
		for i := range instants {
			fields = append(fields, &instants[i])
		}
		return fields
	})
	count, err := queryOne(ctx, s, scan, read("read the state", query))
	return count, slices.Max(instants), err
}
