//go:build unix

package labhost

import (
	"context"
	_ "embed"
	"errors"
	"os"
	"path/filepath"
	"strings"
)

//go:embed door.mjs
var door string

// StartDoor runs the product's worker (build/edge) under wrangler dev, with its
// own D1 database and R2 bucket in dir, rate limits that no test reaches, and a
// door to the database at /door/sql.
func StartDoor(ctx context.Context, dir string) (*Host, error) {
	root, err := Tool("ROOT")
	if err != nil {
		return nil, err
	}
	address, err := FreeAddress()
	if err != nil {
		return nil, err
	}
	worker, dist := filepath.Join(dir, "worker"), filepath.Join(dir, "dist")
	config := `name = "colophon-door"
main = "worker/door.mjs"
compatibility_date = "2026-11-01"
compatibility_flags = ["no_nodejs_compat", "no_nodejs_compat_v2"]
send_metrics = false
[vars]
BASE_URL = "http://` + address + `"
SERVICE_SECRET = "` + strings.Repeat("A", 43) + `"
RATE_LIMITS = "content=1000000 gateway=1000000 anon=1000000"
[assets]
directory = "dist"
binding = "ASSETS"
html_handling = "none"
not_found_handling = "none"
run_worker_first = ["/v1/*", "/door/*"]
[[d1_databases]]
binding = "ORIGIN"
database_name = "origin"
[[r2_buckets]]
binding = "BODIES"
bucket_name = "bodies"
`
	err = errors.Join(
		os.CopyFS(worker, os.DirFS(filepath.Join(root, "build/edge"))),
		os.WriteFile(filepath.Join(worker, "door.mjs"), []byte(door), 0o600),
		os.MkdirAll(filepath.Join(dist, "v1/public"), 0o700),
		os.WriteFile(filepath.Join(dist, "v1/public/network-stats.json"), []byte("{}"), 0o600),
		os.WriteFile(filepath.Join(dir, "wrangler.toml"), []byte(config), 0o600),
	)
	if err != nil {
		return nil, err
	}
	port := address[strings.LastIndexByte(address, ':')+1:]
	dev, err := wrangler(ctx, "dev", "--local", "--config", filepath.Join(dir, "wrangler.toml"), "--ip", "127.0.0.1", "--port", port, "--inspector-port", "0", "--persist-to", filepath.Join(dir, "state"))
	if err != nil {
		return nil, err
	}
	dev.Dir = dir
	return start(dev, address, "/v1/public/network-stats", filepath.Join(dir, "wrangler.log"))
}
