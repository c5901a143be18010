//go:build edge

package edgelab_test

import (
	"os"
	"os/exec"
	"testing"
)

// Everything that runs in the worker also compiles with the standard Go
// toolchain, so that vet, editors and the coverage of its sources work.
func TestStandardToolchain(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), "go", "vet", "colophon/cmd/edge", "colophon/cmd/edgelab", "colophon/worker/edgejs")
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("go vet: %v\n%s", err, out)
	}
}
