//go:build !js

package edgejs_test

import (
	"flag"
	"os"
	"testing"

	"colophon/worker/access"
)

var update = flag.Bool("update", false, "rewrite the guard's script")

// TestGuardScript checks that the guard's script has the same agents and free
// paths as Go.
func TestGuardScript(t *testing.T) {
	const name = "guard/agents.mjs"
	if *update {
		if err := os.WriteFile(name, []byte(access.Script()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(name); err != nil || string(got) != access.Script() {
		t.Errorf("%s is not what worker/access makes; run with -update (%v)", name, err)
	}
}
