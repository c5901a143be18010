package edgelab_test

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"colophon/internal/assert"
	"colophon/worker/edgehttp"
	"colophon/worker/edgelab"
	"colophon/worker/edgelab/labhost"
)

var must = assert.NoError

// TestNative checks that the lab behind net/http answers the same probes as
// under workerd.
func TestNative(t *testing.T) {
	db, err := labhost.OpenOrigin(t.TempDir())
	must(t, err)
	defer db.Close()
	lab := &edgelab.Lab{
		DB: db,
		Read: func(_ context.Context, key string) ([]byte, error) {
			return os.ReadFile(filepath.Join("testdata/assets", filepath.FromSlash(key)))
		},
		Verify: func(_ context.Context, public, message, signature []byte) (bool, error) {
			return ed25519.Verify(public, message, signature), nil
		},
		Random: rand.Reader,
		Getenv: func(name string) string { return map[string]string{"LAB_VARIABLE": "visible"}[name] },
		Sleep:  time.Sleep,
	}
	s := httptest.NewServer(edgehttp.New(lab.Handle, edgehttp.Options{BodyLimit: 64 << 10}))
	defer s.Close()
	host{url: s.URL, rescues: true}.runProbes(t)
}
