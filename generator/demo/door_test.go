package demo_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

// The demo has no door of its own into the store: what it invents is written
// by the package that "colophon apply" uses.
func TestDemoWritesThroughTheRegistryOnly(t *testing.T) {
	packages, err := parser.ParseDir(token.NewFileSet(), ".", nil, 0) //nolint:staticcheck // one folder without build tags
	if err != nil {
		t.Fatal(err)
	}
	fills := 0
	for _, file := range packages["demo"].Files {
		ast.Inspect(file, func(n ast.Node) bool {
			s, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			name := s.Sel.Name
			if strings.HasPrefix(name, "Put") || name == "AddPassport" || name == "AddPolicy" || name == "AddRecord" {
				t.Errorf("the demo calls %s: give it to registry.Fill", name)
			}
			if name == "Fill" {
				fills++
			}
			return true
		})
	}
	if fills != 1 {
		t.Errorf("the demo fills the store %d times", fills)
	}
}
