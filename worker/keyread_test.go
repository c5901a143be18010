package worker_test

import (
	"context"
	"sync/atomic"
	"testing"

	"colophon/internal/origin"
	"colophon/worker"
	"colophon/worker/edge"
)

// keyReads counts how often the holder of an idempotency key is looked up.
type keyReads struct {
	worker.Origin
	n atomic.Int64
}

func (k *keyReads) RequestByKey(ctx context.Context, scope, key string) (origin.Request, error) {
	k.n.Add(1)
	return k.Origin.RequestByKey(ctx, scope, key)
}

// TestKeyIsReadOnce checks that the holder of a key is looked up once for a new
// request and once for a retry, before anything is counted, and not at all
// without a key.
func TestKeyIsReadOnce(t *testing.T) {
	reads := &keyReads{}
	s := newService(t, func(d *worker.Deps) { reads.Origin, d.Origin = d.Origin, reads })
	public := `{"site_id":"harbor-ledger","requester_name":"R","requester_email":"r@example.org","intended_use":"Grounding of answers","requested_scope":"/shipping/*","message":"We would like to ask about this."}`
	partner := `{"site_id":"harbor-ledger","buyer_name":"R","buyer_email":"r@example.org","intended_use":"Grounding of answers","requested_scope":"/shipping/*","message":"We would like to ask about this."}`
	for _, x := range []struct {
		what, path, key, credential, body string
		replayed                          string
		reads                             int64
	}{
		{"new, public", "/v1/public/licensing-request", "k1", "", public, "false", 1},
		{"again, public", "/v1/public/licensing-request", "k1", "", public, "true", 1},
		{"new, of a partner", "/v1/partner/licensing/requests", "k2", seedKeys["key_alpha"], partner, "false", 1},
		{"again, of a partner", "/v1/partner/licensing/requests", "k2", seedKeys["key_alpha"], partner, "true", 1},
		{"without a key", "/v1/public/licensing-request", "", "", `{"site_id":"quay-times",` + public[len(`{"site_id":"harbor-ledger",`):], "", 0},
	} {
		r := &edge.Request{Method: "POST", Path: x.path, ID: "rid_x", Remote: "192.0.2.1", Body: []byte(x.body)}
		r.Header.Set("content-type", "application/json")
		if x.key != "" {
			r.Header.Set("idempotency-key", x.key)
		}
		if x.credential != "" {
			r.Header.Set("authorization", "Bearer "+x.credential)
		}
		before := reads.n.Load()
		resp := s.handle(t.Context(), r)
		if resp.Status != 201 || resp.Header.Get("idempotency-replayed") != x.replayed {
			t.Errorf("%s: %d %q %s", x.what, resp.Status, resp.Header.Get("idempotency-replayed"), resp.Body)
		}
		if n := reads.n.Load() - before; n != x.reads {
			t.Errorf("%s: the key was read %d times, not %d", x.what, n, x.reads)
		}
	}
}
