package originsql

import (
	"context"

	"colophon/internal/origin"
)

var partnerTable = recordsOf("partners", 1, func(p *origin.Partner) []column {
	return []column{
		{"org_id", &p.OrgID}, {"name", &p.Name}, {"state", &p.State}, {"scopes", words{&p.Scopes}}, {"contact_email", &p.ContactEmail},
		{"private_notes", &p.PrivateNotes}, {"created_at", &p.CreatedAt}, {"changed_at", &p.ChangedAt},
	}
})

var keyTable = recordsOf("partner_keys", 1, func(k *origin.PartnerKey) []column {
	return []column{
		{"key_id", &k.KeyID}, {"org_id", &k.OrgID}, {"lookup", &k.Lookup}, {"hash", &k.Hash}, {"label", &k.Label}, {"last4", &k.Last4},
		{"environment", &k.Environment}, {"scopes", words{&k.Scopes}}, {"state", &k.State}, {"created_at", &k.CreatedAt},
		{"expires_at", &k.ExpiresAt}, {"changed_at", &k.ChangedAt},
	}
})

var linkTable = recordsOf("inbox_links", 1, func(l *origin.InboxLink) []column {
	return []column{
		{"link_id", &l.LinkID}, {"site_id", &l.SiteID}, {"lookup", &l.Lookup}, {"hash", &l.Hash}, {"label", &l.Label}, {"state", &l.State},
		{"created_at", &l.CreatedAt}, {"expires_at", &l.ExpiresAt}, {"changed_at", &l.ChangedAt}, {"publisher_id", &l.PublisherID},
	}
})

// KeysByLookup lists the keys with a lookup text.
func (s *Store) KeysByLookup(ctx context.Context, lookup string) ([]origin.PartnerKey, error) {
	return keyTable.list(ctx, s, "look up a key", "WHERE lookup = ?1 ORDER BY key_id", lookup)
}

// Partner returns one organization, or origin.ErrNotFound.
func (s *Store) Partner(ctx context.Context, orgID string) (origin.Partner, error) {
	return partnerTable.one(ctx, s, "read a partner", "WHERE org_id = ?1", orgID)
}

// Partners lists organizations by id.
func (s *Store) Partners(ctx context.Context) ([]origin.Partner, error) {
	return partnerTable.list(ctx, s, "list partners", "ORDER BY org_id")
}

// PutPartner adds or replaces one.
func (s *Store) PutPartner(ctx context.Context, p origin.Partner) error {
	return s.putRow(ctx, "write a partner", partnerTable.row(&p))
}

// KeysOf lists the keys of an organization.
func (s *Store) KeysOf(ctx context.Context, orgID string) ([]origin.PartnerKey, error) {
	return keyTable.list(ctx, s, "list keys", "WHERE org_id = ?1 ORDER BY key_id", orgID)
}

// PartnerKey returns one key, or origin.ErrNotFound.
func (s *Store) PartnerKey(ctx context.Context, keyID string) (origin.PartnerKey, error) {
	return keyTable.one(ctx, s, "read a key", "WHERE key_id = ?1", keyID)
}

// PutKey adds or replaces one.
func (s *Store) PutKey(ctx context.Context, k origin.PartnerKey) error {
	return s.putRow(ctx, "write a key", keyTable.row(&k))
}

// LinksByLookup lists the inbox links with a lookup text.
func (s *Store) LinksByLookup(ctx context.Context, lookup string) ([]origin.InboxLink, error) {
	return linkTable.list(ctx, s, "look up an inbox link", "WHERE lookup = ?1 ORDER BY link_id", lookup)
}

// LinksOf lists the inbox links of a site.
func (s *Store) LinksOf(ctx context.Context, siteID string) ([]origin.InboxLink, error) {
	return linkTable.list(ctx, s, "list inbox links", "WHERE site_id = ?1 ORDER BY link_id", siteID)
}

// LinksOfGroup lists the links to the inbox of a group.
func (s *Store) LinksOfGroup(ctx context.Context, publisherID string) ([]origin.InboxLink, error) {
	return linkTable.list(ctx, s, "list inbox links of a group", "WHERE publisher_id = ?1 ORDER BY link_id", publisherID)
}

// PutLink adds or replaces one.
func (s *Store) PutLink(ctx context.Context, l origin.InboxLink) error {
	return s.putRow(ctx, "write an inbox link", linkTable.row(&l))
}
