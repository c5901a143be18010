package main

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"colophon/internal/assert"
	"colophon/internal/cli"
	"colophon/internal/cli/serving"
	"colophon/internal/originsql"
	"colophon/internal/registrydir"
	"colophon/worker"
	"colophon/worker/edgehttp"
)

// TestLimitsInSettings checks that the service uses the quotas and the
// difficulty in colophon.toml.
func TestLimitsInSettings(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	e := &cli.Env{Dir: registrydir.Dir{Path: o.dir, Getenv: emptyEnvironment}, Stderr: io.Discard}
	s, err := e.ReadSettings()
	must(t, err)
	s.ProofBits, s.Limits = 3, map[string]int64{"inquiry": 1}
	must(t, e.WriteSettings(s))
	if s, err = e.ReadSettings(); err != nil || s.Limits["inquiry"] != 1 {
		t.Fatalf("%+v %v", s, err)
	}
	err = e.WithStore(context.Background(), func(store *originsql.Store) error {
		deps, err := serving.WorkerDeps(e, s, t.TempDir(), store)
		if err != nil {
			return err
		}
		srv := httptest.NewServer(edgehttp.New(worker.New(deps), edgehttp.Options{}))
		defer srv.Close()
		res, err := http.Post(srv.URL+"/v1/public/licensing-request", "application/json", strings.NewReader(`{"site_id":"harbor-ledger","requester_name":"R","requester_email":"r@example.org","intended_use":"Grounding of answers","requested_scope":"/shipping/*","message":"We would like to ground answers."}`))
		if err != nil {
			return err
		}
		defer res.Body.Close()
		body, err := io.ReadAll(res.Body)
		assert.Contains(t, "policy", res.Header.Get("RateLimit-Policy"), `"inquiry";q=1;w=3600`)
		assert.Contains(t, "over half the quota", string(body), `"difficulty":3,`)
		return err
	})
	must(t, err)
}
