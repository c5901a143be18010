package originsql

import (
	"context"
	"database/sql"
	"slices"
	"strings"

	"colophon/internal/origin"
)

var _ origin.Buyers = (*Store)(nil)

var (
	buyerTable      = table{"buyers", 1, []string{"buyer_id", "name", "state", "contact_email", "private_notes", "created_at", "changed_at"}}
	credentialTable = table{"buyer_credentials", 1, []string{
		"credential_id", "buyer_id", "lookup", "hash", "label", "last4", "environment", "state", "created_at", "expires_at", "changed_at",
	}}
	grantTable = table{"grants", 1, []string{
		"grant_id", "buyer_id", "kind", "title", "license_id", "uses", "paths", "excludes", "content_formats", "published_after",
		"published_before", "valid_from", "valid_until", "state", "state_at", "state_reason", "attribution", "display_limit",
		"delete_hours", "reporting", "agreement", "private_notes", "created_at", "changed_at",
	}}
	versionedGrants = table{"grants", 1, append(slices.Clone(grantTable.cols), "version")}
	coveredSites    = table{"grant_sites", 2, []string{"grant_id", "site_id"}}
)

func scanBuyer(r scanner) (b origin.Buyer, err error) {
	err = r.Scan(&b.BuyerID, &b.Name, &b.State, &b.ContactEmail, &b.PrivateNotes, &b.CreatedAt, &b.ChangedAt)
	return b, err
}

func scanCredential(r scanner) (c origin.BuyerCredential, err error) {
	err = r.Scan(&c.CredentialID, &c.BuyerID, &c.Lookup, &c.Hash, &c.Label, &c.Last4, &c.Environment, &c.State, &c.CreatedAt, &c.ExpiresAt, &c.ChangedAt)
	return c, err
}

// fieldsOfGrant are where the columns of grantTable and the version go.
func fieldsOfGrant(g *origin.Grant) []any {
	return []any{
		&g.GrantID, &g.BuyerID, &g.Kind, &g.Title, &g.LicenseID, words{&g.Uses}, words{&g.Paths}, words{&g.Excludes},
		words{&g.ContentFormats}, &g.PublishedAfter, &g.PublishedBefore, &g.ValidFrom, &g.ValidUntil, &g.State, &g.StateAt, &g.StateReason,
		&g.Attribution, &g.DisplayLimit, &g.DeleteHours, &g.Reporting, &g.Agreement, &g.PrivateNotes, &g.CreatedAt, &g.ChangedAt,
		&g.Version,
	}
}

func scanGrant(r scanner) (g origin.Grant, err error) {
	err = r.Scan(append(fieldsOfGrant(&g), words{&g.Sites})...)
	return g, err
}

// scanBareGrant is scanGrant without the sites.
func scanBareGrant(r scanner) (g origin.Grant, err error) {
	err = r.Scan(fieldsOfGrant(&g)...)
	return g, err
}

// selectGrant reads grants with their version and the sites they cover now.
func selectGrant(rest string) string {
	return "SELECT " + grantTable.columnList() + `, version, (SELECT json_group_array(site_id) FROM (SELECT site_id FROM grant_sites
		WHERE grant_sites.grant_id = grants.grant_id AND state = 'active' ORDER BY site_id) AS covered) FROM grants ` + rest
}

// CredentialsByLookup lists the credentials with a lookup text.
func (s *Store) CredentialsByLookup(ctx context.Context, lookup string) ([]origin.BuyerCredential, error) {
	return queryAll(ctx, s.db, "look up a credential", scanCredential, credentialTable.selectWhere("WHERE lookup = ?1 ORDER BY credential_id"), lookup)
}

// Access returns a credential with its buyer and grants, or origin.ErrNotFound.
func (s *Store) Access(ctx context.Context, credentialID string) (origin.Access, error) {
	list, err := s.readAccess(ctx, "credential_id", credentialID)
	if err == nil && len(list) == 0 {
		err = Wrap("read a credential", sql.ErrNoRows)
	}
	if err != nil {
		return origin.Access{}, err
	}
	return list[0], nil
}

// AccessByLookup is Access for the credentials with a lookup text.
func (s *Store) AccessByLookup(ctx context.Context, lookup string) ([]origin.Access, error) {
	return s.readAccess(ctx, "lookup", lookup)
}

// readAccess reads one row with a JSON text of each table, for the credentials in
// one column of which a word stands.
func (s *Store) readAccess(ctx context.Context, column, word string) ([]origin.Access, error) {
	credentials := "WHERE " + column + " = ?1 "
	buyers := "WHERE buyer_id IN (SELECT buyer_id FROM buyer_credentials " + credentials + ") "
	text := "SELECT " + strings.Join([]string{
		credentialTable.jsonRows(credentials + "ORDER BY credential_id"),
		buyerTable.jsonRows(buyers),
		versionedGrants.jsonRows(buyers + "ORDER BY grant_id"),
		coveredSites.jsonRows("WHERE state = 'active' AND grant_id IN (SELECT grant_id FROM grants " + buyers + ") ORDER BY grant_id, site_id"),
	}, ", ")
	scan := func(r scanner) ([]origin.Access, error) {
		var cells [4]string
		if err := r.Scan(&cells[0], &cells[1], &cells[2], &cells[3]); err != nil {
			return nil, err
		}
		return accessOf(&cells)
	}
	return queryOne(ctx, s.db, "read what a credential opens", scan, text, word)
}

// accessOf reads the row of access.
func accessOf(cells *[4]string) ([]origin.Access, error) {
	buyers, err := jsonRows(cells[1], scanBuyer)
	if err != nil {
		return nil, err
	}
	grants, err := jsonRows(cells[2], scanBareGrant)
	if err != nil {
		return nil, err
	}
	err = eachRow(cells[3], scanCovered, func(c covered) {
		for i := range grants {
			if grants[i].GrantID == c.grantID {
				grants[i].Sites = append(grants[i].Sites, c.siteID)
			}
		}
	})
	if err != nil {
		return nil, err
	}
	var list []origin.Access
	err = eachRow(cells[0], scanCredential, func(c origin.BuyerCredential) {
		a := origin.Access{Credential: c}
		for i := range buyers {
			if buyers[i].BuyerID == c.BuyerID {
				a.Buyer = buyers[i]
			}
		}
		for i := range grants {
			if grants[i].BuyerID == c.BuyerID {
				a.Grants = append(a.Grants, grants[i])
			}
		}
		list = append(list, a)
	})
	return list, err
}

// covered is a site that a grant covers.
type covered struct{ grantID, siteID string }

func scanCovered(r scanner) (c covered, err error) {
	err = r.Scan(&c.grantID, &c.siteID)
	return c, err
}

// Buyer returns one buyer, or origin.ErrNotFound.
func (s *Store) Buyer(ctx context.Context, buyerID string) (origin.Buyer, error) {
	return queryOne(ctx, s.db, "read a buyer", scanBuyer, buyerTable.selectWhere("WHERE buyer_id = ?1"), buyerID)
}

// Buyers lists them by id.
func (s *Store) Buyers(ctx context.Context) ([]origin.Buyer, error) {
	return queryAll(ctx, s.db, "list buyers", scanBuyer, buyerTable.selectWhere("ORDER BY buyer_id"))
}

// PutBuyer adds or replaces one.
func (s *Store) PutBuyer(ctx context.Context, b origin.Buyer) error {
	return s.putRow(ctx, "write a buyer", buyerTable, b.BuyerID, b.Name, b.State, b.ContactEmail, b.PrivateNotes, b.CreatedAt, b.ChangedAt)
}

// CredentialsOf lists the credentials of a buyer.
func (s *Store) CredentialsOf(ctx context.Context, buyerID string) ([]origin.BuyerCredential, error) {
	return queryAll(ctx, s.db, "list credentials", scanCredential, credentialTable.selectWhere("WHERE buyer_id = ?1 ORDER BY credential_id"), buyerID)
}

// Credential returns one, or origin.ErrNotFound.
func (s *Store) Credential(ctx context.Context, credentialID string) (origin.BuyerCredential, error) {
	return queryOne(ctx, s.db, "read a credential", scanCredential, credentialTable.selectWhere("WHERE credential_id = ?1"), credentialID)
}

// PutCredential adds or replaces one.
func (s *Store) PutCredential(ctx context.Context, c origin.BuyerCredential) error {
	return s.putRow(ctx, "write a credential", credentialTable, c.CredentialID, c.BuyerID, c.Lookup, c.Hash, c.Label, c.Last4,
		c.Environment, c.State, c.CreatedAt, c.ExpiresAt, c.ChangedAt)
}

// GrantsOf lists the grants of a buyer.
func (s *Store) GrantsOf(ctx context.Context, buyerID string) ([]origin.Grant, error) {
	return queryAll(ctx, s.db, "list grants", scanGrant, selectGrant("WHERE buyer_id = ?1 ORDER BY grant_id"), buyerID)
}

// Grant returns one, or origin.ErrNotFound.
func (s *Store) Grant(ctx context.Context, grantID string) (origin.Grant, error) {
	return queryOne(ctx, s.db, "read a grant", scanGrant, selectGrant("WHERE grant_id = ?1"), grantID)
}

// PutGrant adds or replaces one.
func (s *Store) PutGrant(ctx context.Context, g origin.Grant) error {
	return s.putRow(ctx, "write a grant", grantTable, g.GrantID, g.BuyerID, g.Kind, g.Title, g.LicenseID, joinList(g.Uses), joinList(g.Paths),
		joinList(g.Excludes), joinList(g.ContentFormats), g.PublishedAfter, g.PublishedBefore, g.ValidFrom, g.ValidUntil, g.State, g.StateAt,
		g.StateReason, g.Attribution, g.DisplayLimit, g.DeleteHours, g.Reporting, g.Agreement, g.PrivateNotes, g.CreatedAt, g.ChangedAt)
}

// SetGrantSite makes a grant cover a site, or not any more.
func (s *Store) SetGrantSite(ctx context.Context, grantID, siteID string, covered bool, at string) error {
	state := "left"
	if covered {
		state = "active"
	}
	const query = `INSERT INTO grant_sites (grant_id, site_id, state, changed_at) VALUES (?1, ?2, ?3, ?4)
		ON CONFLICT (grant_id, site_id) DO UPDATE SET state = excluded.state, changed_at = excluded.changed_at WHERE grant_sites.state <> excluded.state`
	if err := s.exec(ctx, "set a site of a grant", query, grantID, siteID, state, at); err != nil {
		return err
	}
	return s.recordChange(ctx, "grant_sites", grantID+"/"+siteID, nil, []string{"state", state})
}
