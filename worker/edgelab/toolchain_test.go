//go:build edge

package edgelab_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"colophon/worker/edgelab/labhost"
)

// TestStandardToolchain checks that everything in the worker also compiles with
// the standard Go toolchain, so that vet, editors and coverage work.
func TestStandardToolchain(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), "go", "vet", "colophon/cmd/edge", "colophon/cmd/edgelab", "colophon/worker/edgejs")
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("go vet: %v\n%s", err, out)
	}
}

// TestTargetFollowsTinyGo checks that our target is TinyGo's own for Wasm,
// except for what is listed here. It fails if a release of TinyGo changes
// something that target.json must follow.
func TestTargetFollowsTinyGo(t *testing.T) {
	source := tinygoSource(t)
	theirs, ours := readTarget(t, filepath.Join(source, "targets/wasm.json")), readTarget(t, filepath.Join(os.Getenv("ROOT"), "tools/edge/target.json"))

	// Ours links Debian's libraries, and LLVM 19 has no names for two of the
	// features.
	for _, key := range []string{"libc", "rtlib", "emulator"} {
		if theirs[key] == nil || ours[key] != nil {
			t.Errorf("%s: theirs %v, ours %v", key, theirs[key], ours[key])
		}
		delete(theirs, key)
	}
	features := strings.Replace(theirs["features"].(string), "+bulk-memory-opt,+call-indirect-overlong,", "", 1)
	theirs["features"] = features
	theirs["gc"] = "leaking"
	theirs["ldflags"] = slices.Concat([]any{"--max-memory=33554432"}, theirs["ldflags"].([]any), []any{"@WASI_LIBC@", "@BUILTINS@"})
	theirs["extra-files"] = []any{"src/runtime/asm_tinygowasm.S"} // without Boehm's collector

	for key, want := range theirs {
		if !reflect.DeepEqual(ours[key], want) {
			t.Errorf("%s: %v, TinyGo has %v", key, ours[key], want)
		}
	}
	if len(ours) != len(theirs) {
		t.Errorf("ours has %d keys, TinyGo's %d", len(ours), len(theirs))
	}
}

func readTarget(t *testing.T, path string) map[string]any {
	t.Helper()
	var target map[string]any
	b, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(b, &target)
	}
	must(t, err)
	return target
}

func tinygoSource(t *testing.T) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", "github.com/tinygo-org/tinygo")
	cmd.Dir = filepath.Join(os.Getenv("ROOT"), "tools/tinygo")
	out, err := cmd.Output()
	must(t, err)
	return strings.TrimSpace(string(out))
}

// TestOverlayNamesFilesOfGo checks that the files of Go's cryptographic module
// which the overlay of toolchain.sh leaves out exist. A renamed one would no
// longer be left out.
func TestOverlayNamesFilesOfGo(t *testing.T) {
	script, err := os.ReadFile(filepath.Join(os.Getenv("ROOT"), "tools/edge/toolchain.sh"))
	must(t, err)
	names := regexp.MustCompile(`/%s/cast\.go":""' ([a-z0-9/ ]+);`).FindSubmatch(script)
	if names == nil {
		t.Fatal("the script has no overlay")
	}
	root, err := exec.CommandContext(t.Context(), "go", "env", "GOROOT").Output()
	must(t, err)
	for _, name := range strings.Fields(string(names[1])) {
		if _, err := os.Stat(filepath.Join(strings.TrimSpace(string(root)), "src/crypto/internal/fips140", name, "cast.go")); err != nil {
			t.Error(err)
		}
	}
}

// TestNumbersCrossWhole checks that numbers keep all their bits on the way to
// the database and back: they are passed between Go and JavaScript as two
// halves.
func TestNumbersCrossWhole(t *testing.T) {
	h := start(t, labhost.Lab{})
	for _, n := range []string{
		"i0", "i1", "i-1", "i4294967295", "i4294967296", "i-4294967297", "i9007199254740991", "i-9007199254740991",
		"f0.1", "f-1.5", "f5e-324", "f4.2949672965e+09",
	} {
		want := `{"rows":[["` + n + `"]]}`
		if got := h.post(t, "/sql", `{"exec":false,"sql":"SELECT ?1","args":["`+n+`"]}`); got.body != want {
			t.Errorf("%s: %d %s", n, got.status, got.body)
		}
	}
}
