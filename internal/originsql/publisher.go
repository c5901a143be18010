package originsql

import (
	"context"

	"colophon/internal/origin"
)

var (
	publisherTable = table{"publishers", 1, []string{"publisher_id", "legal_name", "contact_name", "contact_email", "private_notes", "created_at", "group_name"}}
	siteTable      = table{"sites", 1, []string{
		"site_id", "publisher_id", "name", "site_url", "summary", "description", "categories", "languages", "countries", "audience",
		"technical_depth", "rag_suitability", "update_cadence", "human_page", "domain_control", "control_checked", "accepts_inquiries",
		"state", "visibility", "approved_at", "state_reason", "private_notes", "created_at", "changed_at", "grace_days",
	}}
	websiteTable  = table{"websites", 2, []string{"site_id", "host", "associated", "method", "checked_at", "changed_at"}}
	categoryTable = table{"categories", 1, []string{"slug", "label", "description", "parent", "iab_ids", "changed_at"}}
)

func scanPublisher(r scanner) (p origin.Publisher, err error) {
	err = r.Scan(&p.PublisherID, &p.LegalName, &p.ContactName, &p.ContactEmail, &p.PrivateNotes, &p.CreatedAt, &p.GroupName)
	return p, err
}

func scanSite(r scanner) (x origin.Site, err error) {
	err = r.Scan(&x.SiteID, &x.PublisherID, &x.Name, &x.SiteURL, &x.Summary, &x.Description, words{&x.Categories}, words{&x.Languages},
		words{&x.Countries}, &x.Audience, &x.TechnicalDepth, &x.RAGSuitability, &x.UpdateCadence, &x.HumanPage, &x.DomainControl,
		&x.ControlChecked, flag{&x.AcceptsInquiries}, (*string)(&x.State), &x.Visibility, &x.ApprovedAt, &x.StateReason, &x.PrivateNotes,
		&x.CreatedAt, &x.ChangedAt, &x.GraceDays)
	return x, err
}

func scanWebsite(r scanner) (w origin.Website, err error) {
	err = r.Scan(&w.SiteID, &w.Host, flag{&w.Associated}, &w.Method, &w.CheckedAt, &w.ChangedAt)
	return w, err
}

func scanCategory(r scanner) (c origin.Category, err error) {
	err = r.Scan(&c.Slug, &c.Label, &c.Description, &c.Parent, words{&c.IABIDs}, &c.ChangedAt)
	return c, err
}

// Sites lists every site by site id.
func (s *Store) Sites(ctx context.Context) ([]origin.Site, error) {
	return queryAll(ctx, s.db, "list sites", scanSite, siteTable.selectWhere("ORDER BY site_id"))
}

// Site returns one site, or origin.ErrNotFound.
func (s *Store) Site(ctx context.Context, siteID string) (origin.Site, error) {
	return queryOne(ctx, s.db, "read a site", scanSite, siteTable.selectWhere("WHERE site_id = ?1"), siteID)
}

// PutSite adds or replaces a site.
func (s *Store) PutSite(ctx context.Context, x origin.Site) error {
	return s.putRow(ctx, "write a site", siteTable, x.SiteID, x.PublisherID, x.Name, x.SiteURL, x.Summary, x.Description,
		joinList(x.Categories), joinList(x.Languages), joinList(x.Countries), x.Audience, x.TechnicalDepth, x.RAGSuitability, x.UpdateCadence,
		x.HumanPage, x.DomainControl, x.ControlChecked, boolColumn(x.AcceptsInquiries), string(x.State), x.Visibility, x.ApprovedAt,
		x.StateReason, x.PrivateNotes, x.CreatedAt, x.ChangedAt, x.GraceDays)
}

// Publisher returns one account, or origin.ErrNotFound.
func (s *Store) Publisher(ctx context.Context, publisherID string) (origin.Publisher, error) {
	return queryOne(ctx, s.db, "read a publisher", scanPublisher, publisherTable.selectWhere("WHERE publisher_id = ?1"), publisherID)
}

// GroupName returns the public name of a group, "" of an account that is none.
func (s *Store) GroupName(ctx context.Context, publisherID string) (string, error) {
	return queryOne(ctx, s.db, "read the name of a group", scanText, "SELECT group_name FROM publishers WHERE publisher_id = ?1", publisherID)
}

// SitesOfPublisher lists the sites of an account by site id.
func (s *Store) SitesOfPublisher(ctx context.Context, publisherID string) ([]origin.Site, error) {
	return queryAll(ctx, s.db, "list the sites of a publisher", scanSite, siteTable.selectWhere("WHERE publisher_id = ?1 ORDER BY site_id"), publisherID)
}

// Groups lists the accounts that are groups by id.
func (s *Store) Groups(ctx context.Context) ([]origin.Publisher, error) {
	return queryAll(ctx, s.db, "list groups", scanPublisher, publisherTable.selectWhere("WHERE group_name <> '' ORDER BY publisher_id"))
}

// PutPublisher adds or replaces an account.
func (s *Store) PutPublisher(ctx context.Context, p origin.Publisher) error {
	return s.putRow(ctx, "write a publisher", publisherTable, p.PublisherID, p.LegalName, p.ContactName, p.ContactEmail, p.PrivateNotes, p.CreatedAt, p.GroupName)
}

// Websites lists the hosts of a site.
func (s *Store) Websites(ctx context.Context, siteID string) ([]origin.Website, error) {
	return queryAll(ctx, s.db, "list websites", scanWebsite, websiteTable.selectWhere("WHERE site_id = ?1 ORDER BY host"), siteID)
}

// PutWebsite adds or replaces a host.
func (s *Store) PutWebsite(ctx context.Context, w origin.Website) error {
	return s.putRow(ctx, "write a website", websiteTable, w.SiteID, w.Host, boolColumn(w.Associated), w.Method, w.CheckedAt, w.ChangedAt)
}

// Categories lists the categories by slug.
func (s *Store) Categories(ctx context.Context) ([]origin.Category, error) {
	return queryAll(ctx, s.db, "list categories", scanCategory, categoryTable.selectWhere("ORDER BY slug"))
}

// PutCategory adds or replaces one.
func (s *Store) PutCategory(ctx context.Context, c origin.Category) error {
	return s.putRow(ctx, "write a category", categoryTable, c.Slug, c.Label, c.Description, c.Parent, joinList(c.IABIDs), c.ChangedAt)
}

// Changes returns the number of changes and the latest instant of one.
func (s *Store) Changes(ctx context.Context) (int64, string, error) {
	// One maximum over many subqueries, since D1 takes no more than five terms
	// in a UNION.
	query := "SELECT (SELECT value FROM meta WHERE name = 'changes'), max((SELECT coalesce(max(fetched_at), '') FROM observations)"
	for _, t := range []string{"sites", "websites", "categories", "preference_signals", "passports", "readiness_signals", "pages", "offers", "demand"} {
		query += ", (SELECT coalesce(max(changed_at), '') FROM " + t + ")"
	}
	query += ")"
	type state struct {
		count  int64
		latest string
	}
	found, err := queryOne(ctx, s.db, "read the state", func(r scanner) (x state, err error) {
		err = r.Scan(&x.count, &x.latest)
		return x, err
	}, query)
	return found.count, found.latest, err
}
