package record_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// judged lists the packages whose files are checked.
var judged = []string{"outcome", "canonicaltext", "urlkey", "record", "ledgerlog"}

// allowed lists all packages that they may import. They are part of the worker,
// so each import costs time at every start.
var allowed = []string{
	"golang.org/x/net/idna",
	"colophon/exports", "colophon/internal/wire", "colophon/internal/outcome", "colophon/internal/canonicaltext", "colophon/internal/urlkey", "colophon/internal/record", "golang.org/x/mod/sumdb/note", "golang.org/x/mod/sumdb/tlog",
	"crypto/ed25519", "crypto/sha256", "encoding/base64", "encoding/binary", "encoding/hex", "slices", "strconv", "strings", "unicode", "unicode/utf8",
}

// TestImports reads the source files, because the built package could hide what
// other build tags import.
func TestImports(t *testing.T) {
	files := token.NewFileSet()
	names, err := filepath.Glob("../*/*.go")
	must(t, err)
	seen := 0
	for _, name := range names {
		if !slices.Contains(judged, filepath.Base(filepath.Dir(name))) {
			continue
		}
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(files, name, nil, 0)
		must(t, err)
		seen++
		for _, spec := range file.Imports {
			if path, _ := strconv.Unquote(spec.Path.Value); !slices.Contains(allowed, path) {
				t.Errorf("%s imports %q", name, path)
			}
		}
		checkNoInit(t, files, file)
	}
	if seen < 20 {
		t.Errorf("only %d files read", seen)
	}
}

// checkNoInit refuses init functions and package variables that need a call.
func checkNoInit(t *testing.T, files *token.FileSet, file *ast.File) {
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil && d.Name.Name == "init" {
				t.Errorf("%s: an init function", files.Position(d.Pos()))
			}
		case *ast.GenDecl:
			if d.Tok != token.VAR {
				continue
			}
			ast.Inspect(d, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.CallExpr, *ast.FuncLit, *ast.MapType:
					t.Errorf("%s: a package variable that is made at start", files.Position(n.Pos()))
				}
				return true
			})
		}
	}
}
