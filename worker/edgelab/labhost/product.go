//go:build unix

package labhost

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Product is the product's own worker under wrangler dev: with the bindings
// of its deployment, a local D1, and a clock that can be moved (clocked.mjs).
// Needs build/edge.
type Product struct {
	Dist      string            // folder of the published files
	Secret    []byte            // SERVICE_SECRET
	Vars      map[string]string // further variables
	OwnLimits bool              // no rate limit bindings: the worker counts by itself
	WideBinds bool              // bindings that no test reaches
	Published bool              // a bucket of published files, empty at first
}

// D1 is the path below which wrangler dev answers for the worker's database
// as Cloudflare's API does.
const D1 = "/cdn-cgi/local/explorer/api/d1/database/ORIGIN"

// RemoteHeader is the header in which a Product takes the client's address.
const RemoteHeader = "X-Test-Remote"

var (
	rateBindings = regexp.MustCompile(`(?m)^\[\[ratelimits\]\]\n(.+\n)*`)
	simpleLimit  = regexp.MustCompile(`(?m)^simple = \{ limit = \d+`)
)

// Start runs it; dir holds its state. Its database is empty, without a schema.
func (p Product) Start(ctx context.Context, dir string) (*Host, error) {
	config, err := p.configure(dir)
	if err != nil {
		return nil, err
	}
	address, err := FreeAddress()
	if err != nil {
		return nil, err
	}
	cmd, err := wrangler(ctx, "dev", "--local", "--config", config, "--ip", "127.0.0.1", "--port", address[strings.LastIndexByte(address, ':')+1:],
		"--inspector-port", "0", "--persist-to", filepath.Join(dir, "state"), "--test-scheduled", "--log-level", "warn")
	if err != nil {
		return nil, err
	}
	cmd.Dir = dir
	return start(cmd, address, "/-shift/0", filepath.Join(dir, "wrangler.log"))
}

// configure writes the deployment's configuration, with the paths of here.
func (p Product) configure(dir string) (string, error) {
	root, err := Tool("ROOT")
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(filepath.Join(root, "build/edge/worker.wasm")); err != nil {
		return "", fmt.Errorf("%w: run \"make edge\" first", err)
	}
	text, err := os.ReadFile(filepath.Join(root, "wrangler.toml"))
	if err != nil {
		return "", err
	}
	for _, change := range [][2]string{
		{`main = "build/edge/entry.mjs"`, fmt.Sprintf("main = %q", filepath.Join(root, labFolder, "clocked.mjs"))},
		{`directory = "dist"`, fmt.Sprintf("directory = %q", p.Dist)},
		{`BASE_URL = "https://colophon.example"`, `UNUSED = ""`},
	} {
		if !bytes.Contains(text, []byte(change[0])) {
			return "", fmt.Errorf("wrangler.toml has no %s", change[0])
		}
		text = bytes.Replace(text, []byte(change[0]), []byte(change[1]), 1)
	}
	if p.OwnLimits {
		text = rateBindings.ReplaceAll(text, nil)
	}
	if p.WideBinds {
		text = simpleLimit.ReplaceAll(text, []byte("simple = { limit = 1000000"))
	}
	if p.Published {
		text = append(text, "\n[[r2_buckets]]\nbinding = \"PUBLISHED\"\nbucket_name = \"published\"\n"...)
	}
	vars := "SERVICE_SECRET=" + base64.RawURLEncoding.EncodeToString(p.Secret) + "\nEDGE_REMOTE_HEADER=" + strings.ToLower(RemoteHeader) + "\n"
	for name, value := range p.Vars {
		vars += name + "='" + value + "'\n"
	}
	if err := os.WriteFile(filepath.Join(dir, ".dev.vars"), []byte(vars), 0o600); err != nil {
		return "", err
	}
	config := filepath.Join(dir, "wrangler.toml")
	return config, os.WriteFile(config, text, 0o600)
}
