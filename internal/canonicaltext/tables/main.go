// Command tables writes tables.go, the frozen Unicode 15.0.0 data of the
// canonical text profile service.canonical-text.v1.
//
// The profile must give the same digest for ever, so its data is generated
// once and kept in the repository. Run it with a Go 1.26 toolchain:
//
//	go generate ./internal/canonicaltext
//
// It reads golang.org/x/text, whose tables are Unicode 15.0.0 under that
// toolchain, and the frozen list of code points assigned in 15.0.0. It stops
// when either is of another version, so the output can only be reproduced,
// never drift.
package main

import (
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// assignedSHA256 pins testdata/unicode-15.0.0-assigned.txt.
const assignedSHA256 = "30e219ad67b83dbf64f3c9d555795247ee1e530024a3389b572d982624ea25b2"

func main() {
	assigned := flag.String("assigned", "testdata/unicode-15.0.0-assigned.txt", "frozen list of assigned code points")
	out := flag.String("out", "tables.go", "file to write")
	flag.Parse()
	if err := run(*assigned, *out); err != nil {
		fmt.Fprintln(os.Stderr, "tables:", err)
		os.Exit(1)
	}
}

func run(assignedPath, outPath string) error {
	for name, version := range map[string]string{"unicode": unicode.Version, "x/text norm": norm.Version} {
		if version != "15.0.0" {
			return fmt.Errorf("%s has Unicode %s, want 15.0.0: use a Go 1.26 toolchain", name, version)
		}
	}
	text, err := os.ReadFile(assignedPath)
	if err != nil {
		return err
	}
	if sum := sha256.Sum256(text); hex.EncodeToString(sum[:]) != assignedSHA256 {
		return fmt.Errorf("%q is not the frozen list", assignedPath)
	}
	assigned, err := codePoints(string(text))
	if err != nil {
		return err
	}
	data, err := collect(assigned)
	if err != nil {
		return err
	}
	source, err := data.source()
	if err != nil {
		return err
	}
	return os.WriteFile(outPath, source, 0o644)
}

// codePoints expands the lines "0000..0377" of the frozen list, less the
// surrogates, which are not scalar values.
func codePoints(text string) ([]rune, error) {
	var all []rune
	for _, line := range strings.Fields(text) {
		var first, last rune
		if _, err := fmt.Sscanf(line, "%X..%X", &first, &last); err != nil {
			return nil, fmt.Errorf("line %q: %w", line, err)
		}
		for r := first; r <= last; r++ {
			if r < 0xD800 || r > 0xDFFF {
				all = append(all, r)
			}
		}
	}
	return all, nil
}
