//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDeployDryRun checks what the command prints of a deployment, for people
// and for machines. The steps are tested in package cloudflare.
func TestDeployDryRun(t *testing.T) {
	t.Parallel()
	o := newBuilt(t)
	source := t.TempDir()
	config, err := os.ReadFile("../../wrangler.toml")
	must(t, err)
	const wrangler = "#!/bin/sh\necho 4.0.0\n" // it would reach Cloudflare
	for path, text := range map[string]string{"wrangler.toml": string(config), "build/edge/entry.mjs": "", "node_modules/.bin/wrangler": wrangler} {
		file := filepath.Join(source, filepath.FromSlash(path))
		must(t, os.MkdirAll(filepath.Dir(file), 0o700))
		must(t, os.WriteFile(file, []byte(text), 0o700))
	}
	args := []string{"deploy", "--dry-run", "--config", filepath.Join(source, "wrangler.toml")}
	code, out, errs := o.run(args...)
	if code != exitOK || !strings.Contains(out, "schema: the schema of this program\n    wrangler d1 migrations apply colophon-origin --remote\n") || !strings.Contains(out, "\nwould deploy release ") || !strings.HasSuffix(out, " at https://registry.example\n") {
		t.Errorf("%d %s%s", code, out, errs)
	}
	code, out, errs = o.run(append(args, "--json")...)
	if code != exitOK || !strings.Contains(out, `"dry_run":true`) || !strings.Contains(out, `"step":"schema"`) {
		t.Errorf("%d %s%s", code, out, errs)
	}
	o.no(2, "fills D1 from the store", append(args, "--origin", "d1:x")...)
}
