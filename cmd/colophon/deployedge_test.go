//go:build edge

package main

import (
	"net"
	"path/filepath"
	"strings"
	"testing"
)

// TestDeployUnderWorkerd deploys on this machine, with the real wrangler and
// the built worker: schema, texts, statements, secrets, and then the test of
// the service. The second deployment finds a filled database.
func TestDeployUnderWorkerd(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "reg")
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	addr := l.Addr().String()
	l.Close()
	if out, code := colophonRun(t, "demo", "--no-serve", "--addr", addr, "--dir", dir); code != 0 {
		t.Fatal(out)
	}
	for _, want := range []string{"bytes of statements", "publishers and stays as it is"} {
		out, code := colophonRun(t, "deploy", "--local", "--sign", "--addr", addr, "--dir", dir, "--config", "../../wrangler.toml")
		if code != 0 || !strings.Contains(out, want) || !strings.Contains(out, "the origin answers for") || !strings.Contains(out, "deployed release") {
			t.Fatalf("%d\n%s", code, out)
		}
	}
	out, code := colophonRun(t, "deploy", "--local", "--dry-run", "--dir", dir, "--config", "../../wrangler.toml")
	if code != 0 || !strings.Contains(out, "bundled: Total Upload") {
		t.Errorf("%d\n%s", code, out)
	}
}
