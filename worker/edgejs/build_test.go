package edgejs_test

import (
	"os"
	"os/exec"
	"testing"
)

// Everything that runs in the worker also compiles with the standard Go
// toolchain, so that vet, editors and the coverage of its sources work.
func TestStandardToolchain(t *testing.T) {
	for _, tool := range []string{"build", "vet"} {
		args := []string{tool}
		if tool == "build" {
			args = append(args, "-o", t.TempDir())
		}
		cmd := exec.CommandContext(t.Context(), "go", append(args, "colophon/cmd/edge", "colophon/cmd/edgelab", "colophon/worker/edgejs")...)
		cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("go %s: %v\n%s", tool, err, out)
		}
	}
}
