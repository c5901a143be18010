//go:build edge

package mcp_test

import (
	"bytes"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"testing"

	"colophon/worker/edge"
)

// TestHostileMessagesServed sends some of the hostile messages to the running
// server at COLOPHON_BASE, such as the whole worker under workerd, with another
// random seed than the native test.
func TestHostileMessagesServed(t *testing.T) {
	server := os.Getenv("COLOPHON_BASE")
	if server == "" {
		t.Fatal("COLOPHON_BASE names no server")
	}
	dice := hostile{rand.New(rand.NewPCG(20260728, 2))}
	seen := map[int]int{}
	for range 2_000 {
		r := dice.request()
		resp := overHTTP(t, server, r)
		checkHostile(t, r, resp)
		seen[resp.Status]++
	}
	for _, status := range []int{200, 202, 400, 401, 403, 404} {
		if seen[status] < 5 {
			t.Errorf("the dice hardly reach %d: %v", status, seen)
		}
	}
	t.Logf("answers by status: %v", seen)
}

func overHTTP(t *testing.T, server string, r *edge.Request) *edge.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), r.Method, server+r.Path, bytes.NewReader(r.Body))
	must(t, err)
	for _, f := range r.Header {
		req.Header.Add(f.Name, f.Value)
	}
	res, err := http.DefaultClient.Do(req)
	must(t, err)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	must(t, err)
	return &edge.Response{Status: res.StatusCode, Body: body}
}
