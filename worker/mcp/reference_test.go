package mcp_test

import (
	"flag"
	"os"
	"testing"

	"colophon/worker/mcp"
)

var update = flag.Bool("update", false, "rewrite the reference")

// TestReference checks that the reference, which is made from the tables, is up
// to date. To rewrite it: go test ./worker/mcp -run Reference -update
func TestReference(t *testing.T) {
	const file = "REFERENCE.md"
	if *update {
		if err := os.WriteFile(file, []byte(mcp.Reference()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != mcp.Reference() {
		t.Error("REFERENCE.md is not what the tool tables say; run this test with -update")
	}
}
