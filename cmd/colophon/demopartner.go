package main

import (
	"context"
	"errors"
	"slices"

	"colophon/exports"
	"colophon/internal/inquiry"
	"colophon/internal/origin"
	"colophon/internal/originsql"
)

// demoPartners makes the partners of the demo: one with every scope, one that
// may only ask for its status, one that is suspended. Their keys are made
// once and stand in demo.json alone; a file that was lost gets new ones.
func (e *env) demoPartners(ctx context.Context, store *originsql.Store) (map[string]string, error) {
	known := e.knownDemo().PartnerKeys
	out := map[string]string{}
	for _, p := range []struct {
		name, state string
		scopes      []string
	}{
		{"full", "active", exports.PartnerScopes}, {"status_only", "active", []string{exports.ScopeStatus}}, {"suspended", "suspended", exports.PartnerScopes},
	} {
		id := exports.PrefixPartner + "demo_" + p.name
		if _, err := store.Partner(ctx, id); errors.Is(err, origin.ErrNotFound) {
			err = store.PutPartner(ctx, origin.Partner{OrgID: id, Name: "Demo partner (" + p.name + ")", State: p.state, Scopes: p.scopes, CreatedAt: demoSince, ChangedAt: demoSince})
			if err != nil {
				return nil, err
			}
		} else if err != nil {
			return nil, err
		}
		secret, err := demoKey(ctx, store, id, known[p.name])
		if err != nil {
			return nil, err
		}
		out[p.name] = secret
	}
	return out, nil
}

// demoKey keeps a key that still belongs to the partner, or issues one in the
// place of all others.
func demoKey(ctx context.Context, store *originsql.Store, orgID, secret string) (string, error) {
	have, err := store.KeysOf(ctx, orgID)
	if err != nil {
		return "", err
	}
	hash := inquiry.Digest(secret)
	if slices.ContainsFunc(have, func(k origin.PartnerKey) bool { return k.Hash == hash && k.State == "active" }) {
		return secret, nil
	}
	for _, k := range have {
		inquiry.RevokeCredential(&k.Credential, nowRFC3339())
		if err := store.PutKey(ctx, k); err != nil {
			return "", err
		}
	}
	_, _, secret, err = issuePartnerKey(ctx, store, orgID, nil, issueOptions{label: "demo", environment: "test"})
	return secret, err
}
