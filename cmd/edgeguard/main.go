//go:build js && wasm

// Command edgeguard is the guard of a publisher's site as a Wasm worker. It
// runs in front of the site, lets people and search crawlers pass, and answers
// AI agents without a licence as the publisher's policy says. The script in
// front of it (worker/edgejs/guard) starts it only for requests of such agents.
//
// It is a separate module, not part of cmd/edge: a publisher's edge needs
// neither origin nor catalog, and a small module starts sooner.
package main

import (
	"context"
	"io/fs"
	"strings"
	"time"

	"colophon/exports"
	"colophon/internal/rights"
	"colophon/internal/wire"
	"colophon/worker/access"
	"colophon/worker/edge"
	"colophon/worker/edgejs"
)

// How many seconds fetched documents count as fresh, and the most bytes of a
// policy.
const (
	policyFresh = 60
	keysFresh   = 300
	maxPolicy   = 4 << 20
)

func main() { edgejs.Serve(edgejs.Worker{Handler: handler(newGuard())}) }

// newGuard returns a guard with the settings GUARD_SITE and BASE_URL, and the
// switches GUARD_REQUIRE_SIGNATURE, GUARD_DENY_UNKNOWN and GUARD_FAIL_CLOSED.
func newGuard() *access.Guard {
	base, site := strings.TrimSuffix(edgejs.Getenv("BASE_URL"), "/"), edgejs.Getenv("GUARD_SITE")
	keys := &access.Directory{Now: time.Now, Fetch: directory, Verify: verify}
	return &access.Guard{
		Base: base, Now: time.Now, Signers: access.Signers{Keys: keys.Keys(), Nonces: edgejs.Nonces{}},
		Document: func(ctx context.Context) (*rights.RightsDocument, error) { return policy(ctx, base, site) },
		Strictness: access.Strictness{
			ProveIdentity: edgejs.Getenv("GUARD_REQUIRE_SIGNATURE") != "",
			DenyUnknown:   edgejs.Getenv("GUARD_DENY_UNKNOWN") != "",
			FailClosed:    edgejs.Getenv("GUARD_FAIL_CLOSED") != "",
		},
	}
}

func handler(g *access.Guard) edge.Handler {
	return func(ctx context.Context, r *edge.Request) *edge.Response {
		if denial := g.Check(ctx, r); denial != nil {
			return denial
		}
		return edgejs.Pass()
	}
}

// policy fetches from the registry what the publisher states now.
func policy(ctx context.Context, base, site string) (*rights.RightsDocument, error) {
	if base == "" || !exports.ValidSiteID(site) {
		println("guard: BASE_URL and GUARD_SITE must name the registry and the publisher")
		return nil, fs.ErrInvalid
	}
	sheet := new(rights.RightsDocument)
	body, found, err := edgejs.Document(ctx, edgejs.Registry, base+"/"+string(exports.RightsDocumentKey(site)), policyFresh, maxPolicy)
	if err == nil && !found {
		err = fs.ErrNotExist
	}
	if err == nil {
		err = wire.Decode(body, sheet, wire.Trusted)
	}
	if err != nil {
		println("guard: policy:", err.Error())
		return nil, err
	}
	return sheet, nil
}

func directory(ctx context.Context, url string) (int, []byte, error) {
	body, found, err := edgejs.Document(ctx, edgejs.Outside, url, keysFresh, access.MaxDirectory)
	if err == nil && !found {
		return 404, nil, nil
	}
	return 200, body, err
}

// verify reports whether a signature is valid. A signature that the runtime
// could not check counts as invalid.
func verify(public, message, signature []byte) bool {
	ok, err := edgejs.Verify(context.Background(), public, message, signature)
	return ok && err == nil
}
