package originsql

import (
	"context"

	"colophon/internal/origin"
)

var (
	partnerTable = table{"partners", 1, []string{"org_id", "name", "state", "scopes", "contact_email", "private_notes", "created_at", "changed_at"}}
	keyTable     = table{"partner_keys", 1, []string{
		"key_id", "org_id", "lookup", "hash", "label", "last4", "environment", "scopes", "state", "created_at", "expires_at", "changed_at",
	}}
	linkTable = table{"inbox_links", 1, []string{"link_id", "site_id", "lookup", "hash", "label", "state", "created_at", "expires_at", "changed_at", "publisher_id"}}
)

func scanPartner(r scanner) (p origin.Partner, err error) {
	err = r.Scan(&p.OrgID, &p.Name, &p.State, words{&p.Scopes}, &p.ContactEmail, &p.PrivateNotes, &p.CreatedAt, &p.ChangedAt)
	return p, err
}

func scanKey(r scanner) (k origin.PartnerKey, err error) {
	err = r.Scan(&k.KeyID, &k.OrgID, &k.Lookup, &k.Hash, &k.Label, &k.Last4, &k.Environment, words{&k.Scopes}, &k.State, &k.CreatedAt,
		&k.ExpiresAt, &k.ChangedAt)
	return k, err
}

func scanLink(r scanner) (l origin.InboxLink, err error) {
	err = r.Scan(&l.LinkID, &l.SiteID, &l.Lookup, &l.Hash, &l.Label, &l.State, &l.CreatedAt, &l.ExpiresAt, &l.ChangedAt, &l.PublisherID)
	return l, err
}

// KeysByLookup lists the keys with a lookup text.
func (s *Store) KeysByLookup(ctx context.Context, lookup string) ([]origin.PartnerKey, error) {
	return queryAll(ctx, s.db, "look up a key", scanKey, keyTable.selectWhere("WHERE lookup = ?1 ORDER BY key_id"), lookup)
}

// Partner returns one organization, or origin.ErrNotFound.
func (s *Store) Partner(ctx context.Context, orgID string) (origin.Partner, error) {
	return queryOne(ctx, s.db, "read a partner", scanPartner, partnerTable.selectWhere("WHERE org_id = ?1"), orgID)
}

// Partners lists organizations by id.
func (s *Store) Partners(ctx context.Context) ([]origin.Partner, error) {
	return queryAll(ctx, s.db, "list partners", scanPartner, partnerTable.selectWhere("ORDER BY org_id"))
}

// PutPartner adds or replaces one.
func (s *Store) PutPartner(ctx context.Context, p origin.Partner) error {
	return s.putRow(ctx, "write a partner", partnerTable, p.OrgID, p.Name, p.State, joinList(p.Scopes), p.ContactEmail, p.PrivateNotes, p.CreatedAt, p.ChangedAt)
}

// KeysOf lists the keys of an organization.
func (s *Store) KeysOf(ctx context.Context, orgID string) ([]origin.PartnerKey, error) {
	return queryAll(ctx, s.db, "list keys", scanKey, keyTable.selectWhere("WHERE org_id = ?1 ORDER BY key_id"), orgID)
}

// PartnerKey returns one key, or origin.ErrNotFound.
func (s *Store) PartnerKey(ctx context.Context, keyID string) (origin.PartnerKey, error) {
	return queryOne(ctx, s.db, "read a key", scanKey, keyTable.selectWhere("WHERE key_id = ?1"), keyID)
}

// PutKey adds or replaces one.
func (s *Store) PutKey(ctx context.Context, k origin.PartnerKey) error {
	return s.putRow(ctx, "write a key", keyTable, k.KeyID, k.OrgID, k.Lookup, k.Hash, k.Label, k.Last4, k.Environment, joinList(k.Scopes),
		k.State, k.CreatedAt, k.ExpiresAt, k.ChangedAt)
}

// LinksByLookup lists the inbox links with a lookup text.
func (s *Store) LinksByLookup(ctx context.Context, lookup string) ([]origin.InboxLink, error) {
	return queryAll(ctx, s.db, "look up an inbox link", scanLink, linkTable.selectWhere("WHERE lookup = ?1 ORDER BY link_id"), lookup)
}

// LinksOf lists the inbox links of a site.
func (s *Store) LinksOf(ctx context.Context, siteID string) ([]origin.InboxLink, error) {
	return queryAll(ctx, s.db, "list inbox links", scanLink, linkTable.selectWhere("WHERE site_id = ?1 ORDER BY link_id"), siteID)
}

// LinksOfGroup lists the links to the inbox of a group.
func (s *Store) LinksOfGroup(ctx context.Context, publisherID string) ([]origin.InboxLink, error) {
	return queryAll(ctx, s.db, "list inbox links of a group", scanLink, linkTable.selectWhere("WHERE publisher_id = ?1 ORDER BY link_id"), publisherID)
}

// PutLink adds or replaces one.
func (s *Store) PutLink(ctx context.Context, l origin.InboxLink) error {
	return s.putRow(ctx, "write an inbox link", linkTable, l.LinkID, l.SiteID, l.Lookup, l.Hash, l.Label, l.State, l.CreatedAt, l.ExpiresAt, l.ChangedAt, l.PublisherID)
}
