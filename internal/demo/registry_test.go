package demo_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strings"
	"testing"
)

// TestDemoWritesThroughTheRegistryOnly checks that the demo writes to the store
// only through the package that "colophon apply" uses.
func TestDemoWritesThroughTheRegistryOnly(t *testing.T) {
	entries, err := os.ReadDir(".")
	must(t, err)
	fills := 0
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), e.Name(), nil, 0)
		must(t, err)
		for _, name := range selectors(file) {
			switch {
			case strings.HasPrefix(name, "Put"), name == "AddPassport", name == "AddPolicy", name == "AddRecord":
				t.Errorf("%s calls %s: give what it writes to registry.Fill", e.Name(), name)
			case name == "Fill":
				fills++
			}
		}
	}
	if fills == 0 {
		t.Error("the demo writes nothing through the registry")
	}
}

// selectors returns the names after points in a file, including those of
// methods.
func selectors(file *ast.File) []string {
	var out []string
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			out = append(out, s.Sel.Name)
		}
		return true
	})
	return out
}
