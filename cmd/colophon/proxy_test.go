package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"colophon/internal/cli"
	"colophon/internal/cli/serving"
	"colophon/internal/originsql"
	"colophon/internal/registrydir"
	"colophon/internal/server"
)

// serveWith runs "colophon serve" on a registry until the test ends, and
// returns its address.
func serveWith(t *testing.T, o operator, config server.Config) (base string) {
	t.Helper()
	e := &cli.Env{Dir: registrydir.Dir{Path: o.dir, Getenv: emptyEnvironment}, Stderr: io.Discard, Quiet: true}
	s, err := e.ReadSettings()
	must(t, err)
	s.Server = config
	ctx, cancel := context.WithCancel(context.Background())
	listener, err := server.Listen("127.0.0.1:0", "--addr")
	must(t, err)
	ended := make(chan error, 1)
	dist := t.TempDir()
	go func() {
		defer listener.Close()
		ended <- e.WithStore(ctx, func(store *originsql.Store) error {
			return serving.Serve(ctx, e, serving.Server{Settings: s, Listener: listener, Dir: dist}, store)
		})
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("the server ended with %v", err)
		}
	})
	return "http://" + listener.Addr().String()
}

// askFrom sends a public request as a proxy does on behalf of client.
func askFrom(t *testing.T, base, header, client string, n int) int {
	t.Helper()
	body := fmt.Sprintf(`{"site_id":"harbor-ledger","requester_name":"R","requester_email":"r%d@example.org","intended_use":"Grounding of answers","requested_scope":"/shipping/*","message":"We would like to ground answers."}`, n)
	req, err := http.NewRequest("POST", base+"/v1/public/licensing-request", strings.NewReader(body))
	must(t, err)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set(header, client)
	res, err := http.DefaultClient.Do(req)
	must(t, err)
	res.Body.Close()
	return res.StatusCode
}

// TestClientsBehindATrustedProxy checks that each client behind a trusted proxy
// has its own quotas: nine clients send requests and none is refused, whichever
// header the proxy uses.
func TestClientsBehindATrustedProxy(t *testing.T) {
	t.Parallel()
	for _, header := range []string{"X-Real-IP", "X-Forwarded-For", "CF-Connecting-IP", "Forwarded"} {
		t.Run(header, func(t *testing.T) {
			base := serveWith(t, newOperator(t), server.Config{TrustedProxies: []string{"127.0.0.1"}})
			for n := range 9 {
				client := fmt.Sprintf("198.51.100.%d", n+1)
				if header == "Forwarded" {
					client = "for=" + client
				}
				if status := askFrom(t, base, header, client, n); status != 201 {
					t.Errorf("client %d is answered %d", n+1, status)
				}
			}
		})
	}
}

// TestClientsThatMakeUpAddresses checks that a header from an untrusted client
// changes nothing: made-up addresses bring no fresh quotas.
func TestClientsThatMakeUpAddresses(t *testing.T) {
	t.Parallel()
	base := serveWith(t, newOperator(t), server.Config{})
	refused := 0
	for n := range 9 {
		if askFrom(t, base, "X-Real-IP", fmt.Sprintf("198.51.100.%d", n+1), n) != 201 {
			refused++
		}
	}
	if refused < 4 {
		t.Errorf("only %d of 9 are refused", refused)
	}
}
