package originsql

import (
	"context"
	"database/sql"
	"strings"

	"colophon/internal/origin"
)

var _ origin.Buyers = (*Store)(nil)

var buyerTable = recordsOf("buyers", 1, func(b *origin.Buyer) []column {
	return []column{
		{"buyer_id", &b.BuyerID}, {"name", &b.Name}, {"state", &b.State}, {"contact_email", &b.ContactEmail}, {"private_notes", &b.PrivateNotes},
		{"created_at", &b.CreatedAt}, {"changed_at", &b.ChangedAt},
	}
})

var credentialTable = recordsOf("buyer_credentials", 1, func(c *origin.BuyerCredential) []column {
	return []column{
		{"credential_id", &c.CredentialID}, {"buyer_id", &c.BuyerID}, {"lookup", &c.Lookup}, {"hash", &c.Hash}, {"label", &c.Label},
		{"last4", &c.Last4}, {"environment", &c.Environment}, {"state", &c.State}, {"created_at", &c.CreatedAt}, {"expires_at", &c.ExpiresAt},
		{"changed_at", &c.ChangedAt},
	}
})

func grantColumns(g *origin.Grant) []column {
	return []column{
		{"grant_id", &g.GrantID}, {"buyer_id", &g.BuyerID}, {"kind", &g.Kind}, {"title", &g.Title}, {"license_id", &g.LicenseID},
		{"uses", words{&g.Uses}}, {"paths", words{&g.Paths}}, {"excludes", words{&g.Excludes}}, {"content_formats", words{&g.ContentFormats}},
		{"published_after", &g.PublishedAfter}, {"published_before", &g.PublishedBefore}, {"valid_from", &g.ValidFrom},
		{"valid_until", &g.ValidUntil}, {"state", &g.State}, {"state_at", &g.StateAt}, {"state_reason", &g.StateReason},
		{"attribution", &g.Attribution}, {"display_limit", &g.DisplayLimit}, {"delete_hours", &g.DeleteHours}, {"reporting", &g.Reporting},
		{"retention", &g.Retention}, {"agreement", &g.Agreement}, {"private_notes", &g.PrivateNotes}, {"created_at", &g.CreatedAt}, {"changed_at", &g.ChangedAt},
	}
}

// versionedColumns returns the columns with the version, which the database
// counts.
func versionedColumns(g *origin.Grant) []column {
	return append(grantColumns(g), column{"version", &g.Version})
}

var (
	grantTable      = recordsOf("grants", 1, grantColumns)
	versionedGrants = recordsOf("grants", 1, versionedColumns)
	// grantsWithSites also has the sites that a grant covers now.
	grantsWithSites = recordsOf("grants", 1, func(g *origin.Grant) []column {
		return append(versionedColumns(g), column{`(SELECT coalesce(json_group_array(site_id), '[]') FROM (SELECT site_id FROM grant_sites
			WHERE grant_sites.grant_id = grants.grant_id AND state = 'active' ORDER BY site_id) AS covered)`, words{&g.Sites}})
	})
)

// covered is a site that a grant covers.
type covered struct{ grantID, siteID string }

var coveredSites = recordsOf("grant_sites", 2, func(c *covered) []column {
	return []column{{"grant_id", &c.grantID}, {"site_id", &c.siteID}}
})

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

// readAccess reads one row with a JSON text of each table, for the credentials
// with a word in one column.
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
	return queryOne(ctx, s, scan, read("read what a credential opens", text, word))
}

// accessOf reads the row of access.
func accessOf(cells *[4]string) ([]origin.Access, error) {
	buyers, err := jsonRows(cells[1], buyerTable.scan())
	if err != nil {
		return nil, err
	}
	grants, err := jsonRows(cells[2], versionedGrants.scan())
	if err != nil {
		return nil, err
	}
	err = eachRow(cells[3], coveredSites.scan(), func(c covered) {
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
	err = eachRow(cells[0], credentialTable.scan(), func(c origin.BuyerCredential) {
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

// Buyer returns one buyer, or origin.ErrNotFound.
func (s *Store) Buyer(ctx context.Context, buyerID string) (origin.Buyer, error) {
	return buyerTable.one(ctx, s, "read a buyer", "WHERE buyer_id = ?1", buyerID)
}

// Buyers lists them by id.
func (s *Store) Buyers(ctx context.Context) ([]origin.Buyer, error) {
	return buyerTable.list(ctx, s, "list buyers", "ORDER BY buyer_id")
}

// PutBuyer adds or replaces one.
func (s *Store) PutBuyer(ctx context.Context, b origin.Buyer) error {
	return s.putRow(ctx, "write a buyer", buyerTable.row(&b))
}

// CredentialsOf lists the credentials of a buyer.
func (s *Store) CredentialsOf(ctx context.Context, buyerID string) ([]origin.BuyerCredential, error) {
	return credentialTable.list(ctx, s, "list credentials", "WHERE buyer_id = ?1 ORDER BY credential_id", buyerID)
}

// Credential returns one, or origin.ErrNotFound.
func (s *Store) Credential(ctx context.Context, credentialID string) (origin.BuyerCredential, error) {
	return credentialTable.one(ctx, s, "read a credential", "WHERE credential_id = ?1", credentialID)
}

// PutCredential adds or replaces one.
func (s *Store) PutCredential(ctx context.Context, c origin.BuyerCredential) error {
	return s.putRow(ctx, "write a credential", credentialTable.row(&c))
}

// GrantsOf lists the grants of a buyer.
func (s *Store) GrantsOf(ctx context.Context, buyerID string) ([]origin.Grant, error) {
	return grantsWithSites.list(ctx, s, "list grants", "WHERE buyer_id = ?1 ORDER BY grant_id", buyerID)
}

// Grant returns one, or origin.ErrNotFound.
func (s *Store) Grant(ctx context.Context, grantID string) (origin.Grant, error) {
	return grantsWithSites.one(ctx, s, "read a grant", "WHERE grant_id = ?1", grantID)
}

// PutGrant adds or replaces one.
func (s *Store) PutGrant(ctx context.Context, g origin.Grant) error {
	return s.putRow(ctx, "write a grant", grantTable.row(&g))
}

// SetGrantSite adds a site to a grant, or removes it.
func (s *Store) SetGrantSite(ctx context.Context, grantID, siteID string, covered bool, at string) error {
	state := "left"
	if covered {
		state = "active"
	}
	const query = `INSERT INTO grant_sites (grant_id, site_id, state, changed_at) VALUES (?1, ?2, ?3, ?4)
		ON CONFLICT (grant_id, site_id) DO UPDATE SET state = excluded.state, changed_at = excluded.changed_at WHERE grant_sites.state <> excluded.state`
	if err := s.exec(ctx, write("set a site of a grant", query, grantID, siteID, state, at)); err != nil {
		return err
	}
	return s.recordChange(ctx, "grant_sites", grantID+"/"+siteID, nil, []string{"state", state})
}
