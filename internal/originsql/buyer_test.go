package originsql_test

import (
	"context"
	"errors"
	"testing"

	"colophon/internal/origin"
)

// TestAccess checks that a credential comes with its buyer, the grants of that
// buyer and the sites that each of them covers now, and with nothing of others.
func TestAccess(t *testing.T) {
	ctx, s := context.Background(), licensed(t)
	access := map[string]origin.Access{}
	for _, buyer := range []string{"x", "y"} {
		b := fill(t, origin.Buyer{})
		b.BuyerID = "byr_" + buyer
		must(t, s.PutBuyer(ctx, b))
		var grants []origin.Grant
		for _, id := range []string{"1", "2"} {
			g := fill(t, origin.Grant{Version: 1}, "Version", "Sites")
			g.GrantID, g.BuyerID = "grt_"+buyer+id, b.BuyerID
			must(t, s.PutGrant(ctx, g))
			grants = append(grants, g)
		}
		for _, id := range []string{"1", "2"} {
			c := fill(t, origin.BuyerCredential{})
			c.CredentialID, c.BuyerID, c.Lookup = "crd_"+buyer+id, b.BuyerID, "lookup "+id
			must(t, s.PutCredential(ctx, c))
			access[c.CredentialID] = origin.Access{Credential: c, Buyer: b, Grants: grants}
		}
	}
	must(t, s.SetGrantSite(ctx, "grt_x1", "b-site", true, "t"))
	must(t, s.SetGrantSite(ctx, "grt_x1", "a-site", true, "t"))
	must(t, s.SetGrantSite(ctx, "grt_x2", "a-site", true, "t"))
	must(t, s.SetGrantSite(ctx, "grt_x2", "a-site", false, "t"))
	must(t, s.SetGrantSite(ctx, "grt_y2", "b-site", true, "t"))
	for id, sites := range map[string][]string{"grt_x1": {"a-site", "b-site"}, "grt_x2": nil, "grt_y2": {"b-site"}} {
		g, err := s.Grant(ctx, id)
		same(t, "the sites of "+id, g.Sites, sites, err)
		for _, a := range access {
			for i := range a.Grants {
				if a.Grants[i].GrantID == id {
					a.Grants[i] = g
				}
			}
		}
	}
	for id, want := range access {
		got, err := s.Access(ctx, id)
		same(t, "the access of "+id, got, want, err)
	}
	for _, lookup := range []string{"1", "2"} {
		got, err := s.AccessByLookup(ctx, "lookup "+lookup)
		same(t, "access by a lookup text", got, []origin.Access{access["crd_x"+lookup], access["crd_y"+lookup]}, err)
	}
	if got, err := s.AccessByLookup(ctx, "none"); len(got) != 0 || err != nil {
		t.Errorf("access by a text of none: %+v, %v", got, err)
	}
	if got, err := s.Access(ctx, "none"); !errors.Is(err, origin.ErrNotFound) {
		t.Errorf("access of none: %+v, %v", got, err)
	}
}
