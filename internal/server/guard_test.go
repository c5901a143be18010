package server

import (
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"colophon/worker/access"
)

// TestServeGuard checks that people reach the site unchanged, that a site which
// does not answer is a bad gateway, and that it ends with its context.
func TestServeGuard(t *testing.T) {
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		fmt.Fprintf(w, "%s %s%s %s %s", r.Method, r.Host, r.URL.RequestURI(), r.Header.Get("X-Forwarded-Host"), body)
	}))
	defer upstream.Close()
	target, err := url.Parse(upstream.URL)
	must(t, err)
	l, err := Listen("127.0.0.1:0", "--addr")
	must(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- ServeGuard(ctx, l, &access.Guard{}, target) }()
	post := func() (int, string) {
		req, err := http.NewRequest(http.MethodPost, "http://"+l.Addr().String()+"/form?a=%2Fb", strings.NewReader("words"))
		must(t, err)
		req.Host = "site.example"
		resp, err := http.DefaultClient.Do(req)
		must(t, err)
		defer resp.Body.Close()
		body, _ := io.ReadAll(resp.Body)
		return resp.StatusCode, string(body)
	}
	if status, body := post(); status != 200 || body != "POST site.example/form?a=%2Fb site.example words" {
		t.Errorf("the site saw: %d %q", status, body)
	}
	upstream.Close()
	if status, body := post(); status != http.StatusBadGateway || body != "" {
		t.Errorf("without the site: %d %q", status, body)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestSignerKeys checks signatures with the keys of a directory that a host
// publishes.
func TestSignerKeys(t *testing.T) {
	public, private, err := ed25519.GenerateKey(nil)
	must(t, err)
	x := base64.RawURLEncoding.EncodeToString(public)
	sum := sha256.Sum256([]byte(`{"crv":"Ed25519","kty":"OKP","x":"` + x + `"}`))
	id := base64.RawURLEncoding.EncodeToString(sum[:])
	directory := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != access.DirectoryPath || r.Header.Get("Accept") != access.DirectoryMedia {
			http.NotFound(w, r)
			return
		}
		fmt.Fprintf(w, `{"keys":[{"kty":"OKP","crv":"Ed25519","x":%q}]}`, x)
	}))
	defer directory.Close()
	client := directory.Client()
	client.Transport.(*http.Transport).DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		if address != "example.com:443" {
			return nil, fmt.Errorf("nobody is at %s", address)
		}
		var d net.Dialer
		return d.DialContext(ctx, network, directory.Listener.Addr().String())
	}
	keys := SignerKeys(client)
	message := []byte("a request")
	signature := ed25519.Sign(private, message)
	for what, valid := range map[string]bool{
		"the signature":        keys.Verify(t.Context(), "example.com", id, message, signature),
		"of another message":   !keys.Verify(t.Context(), "example.com", id, []byte("another"), signature),
		"by another key":       !keys.Verify(t.Context(), "example.com", "other", message, signature),
		"of a host that fails": !keys.Verify(t.Context(), "nobody.example", id, message, signature),
	} {
		if !valid {
			t.Errorf("%s: the verdict is wrong", what)
		}
	}
}
