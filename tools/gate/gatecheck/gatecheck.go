// Package gatecheck checks the rule that private records become public ones in
// one place. It looks at types, not at names, so that it also finds an alias of
// an import, a literal without a type name or an assignment to a field.
package gatecheck

import (
	"go/ast"
	"go/constant"
	"go/types"
	"regexp"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// Analyzer reports, outside the packages that are allowed to do so:
//   - a public record that is filled: by a literal with elements, an
//     assignment to one of its fields, or a conversion from another type;
//   - a call or a method value of OpenBodies, which reads the texts of pages;
//   - a JSON member made by hand whose name is that of private data.
//
// It ignores tests and packages whose name ends in "test", which hold fixtures.
var Analyzer = &analysis.Analyzer{
	Name: "gate",
	Doc:  "report public records that are filled outside internal/rights, and texts of pages that are read past it",
	Run:  run,
}

const (
	module     = "colophon/"
	contract   = module + "exports"
	gate       = module + "internal/rights"
	jsonWriter = module + "internal/wire"
)

// publicRecords are the types of package exports that only the gate may fill.
var publicRecords = map[string]bool{
	"PublisherSummary": true, "Publisher": true, "Entry": true, "FeedRecord": true, "Category": true, "Demand": true, "Offer": true,
	"Record": true, "Passport": true, "Source": true, "Citation": true, "MapRecord": true, "Item": true, "ItemRights": true,
	"ItemContent": true, "LicensedSource": true,
}

// placeFields are fields that say where a record stands, not what it says: its
// place in a list, in a release, in a chain of versions, in the log. They are
// set when the list is written, the record signed or the log published.
var placeFields = map[string]map[string]bool{
	"FeedRecord": {"Cursor": true, "RightsAsOf": true},
	"Item":       {"Type": true, "Cursor": true, "Sequence": true, "URI": true},
	"Record":     {"Version": true, "Supersedes": true, "Proof": true},
	"Passport":   {"AsOf": true},
	"Citation":   {"Ledger": true},
}

// mayFillRecords are the packages that may fill them: the contract itself, the
// gate, the citation forms and the packed facts of an entry, which follow from
// its record, and the invented corpus.
var mayFillRecords = map[string]bool{contract: true, gate: true, module + "internal/citation": true, module + "internal/blob/entryfacts": true, module + "internal/demo/corpus": true, module + "bench/corpus": true}

// privateMember matches the names of JSON members that hold private data.
var privateMember = regexp.MustCompile(`(?i)(e_?mail|secret|password|credential|private|saved_?search|contact_?name|ip_?address|^token$|conversation_token|^markdown$)`)

// mayNamePrivate reports whether a package may write such members: the
// contract, whose records say who may see them, the JSON writer itself, and the
// operator's command line.
func mayNamePrivate(path string) bool {
	return path == contract || path == contract+"/inquiries" || path == jsonWriter || strings.HasPrefix(path, module+"cmd/")
}

func run(pass *analysis.Pass) (any, error) {
	// The package of a test has the path "p [p.test]" or "p_test".
	path, _, _ := strings.Cut(pass.Pkg.Path(), " ")
	if !strings.HasPrefix(path, module) || strings.HasSuffix(path, "test") {
		return nil, nil
	}

	c := &checker{pass: pass, path: path}
	for _, file := range pass.Files {
		if strings.HasSuffix(pass.Fset.Position(file.Pos()).Filename, "_test.go") {
			continue
		}
		ast.Inspect(file, c.visit)
	}
	return nil, nil
}

type checker struct {
	pass *analysis.Pass
	path string
}

func (c *checker) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.CompositeLit:
		c.checkLiteral(n)
	case *ast.AssignStmt:
		for _, left := range n.Lhs {
			c.checkAssignment(left)
		}
	case *ast.IncDecStmt:
		c.checkAssignment(n.X)
	case *ast.CallExpr:
		c.checkConversion(n)
		c.checkMember(n)
	case *ast.SelectorExpr:
		c.checkBodyReader(n)
	}
	return true
}

func (c *checker) checkLiteral(lit *ast.CompositeLit) {
	if c.isMember(c.pass.TypesInfo.TypeOf(lit)) {
		for _, name := range memberNames(lit) {
			c.checkName(name)
		}
		return
	}
	if len(lit.Elts) > 0 {
		c.reportRecord(lit, c.pass.TypesInfo.TypeOf(lit))
	}
}

// checkAssignment checks "x.Field = …" and assignments below a field, such as
// "x.List[0].Name = …".
func (c *checker) checkAssignment(left ast.Expr) {
	for {
		switch x := left.(type) {
		case *ast.ParenExpr:
			left = x.X
		case *ast.IndexExpr:
			left = x.X
		case *ast.StarExpr:
			left = x.X
		case *ast.SelectorExpr:
			t := c.pass.TypesInfo.TypeOf(x.X)
			if placeFields[recordName(t)][x.Sel.Name] || c.reportRecord(x, t) {
				return
			}
			left = x.X
		default:
			return
		}
	}
}

func (c *checker) checkConversion(call *ast.CallExpr) {
	if tv := c.pass.TypesInfo.Types[call.Fun]; !tv.IsType() || len(call.Args) != 1 {
		return
	}
	to, from := c.pass.TypesInfo.TypeOf(call), c.pass.TypesInfo.TypeOf(call.Args[0])
	if recordName(from) == "" {
		c.reportRecord(call, to)
	}
}

// reportRecord reports a public record that is filled where it must not be.
func (c *checker) reportRecord(at ast.Node, t types.Type) bool {
	name := recordName(t)
	if name == "" || mayFillRecords[c.path] {
		return false
	}
	c.pass.Reportf(at.Pos(), "fills exports.%s, which only internal/rights may", name)
	return true
}

// recordName returns the name of a public record, "" for any other type.
func recordName(t types.Type) string {
	named := namedType(t)
	if named == nil || named.Obj().Pkg() == nil || named.Obj().Pkg().Path() != contract || !publicRecords[named.Obj().Name()] {
		return ""
	}
	return named.Obj().Name()
}

func namedType(t types.Type) *types.Named {
	if t == nil {
		return nil
	}
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	named, _ := types.Unalias(t).(*types.Named)
	return named
}

func (c *checker) checkBodyReader(sel *ast.SelectorExpr) {
	f, ok := c.pass.TypesInfo.Uses[sel.Sel].(*types.Func)
	if !ok {
		return
	}
	if f.Name() == "OpenBodies" && c.path != gate {
		c.pass.Reportf(sel.Pos(), "uses OpenBodies, which reads the text of a page past the gate")
	}
}

func (c *checker) isMember(t types.Type) bool {
	named := namedType(t)
	return named != nil && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == jsonWriter && named.Obj().Name() == "Member"
}

// checkMember checks wire.M(name, value).
func (c *checker) checkMember(call *ast.CallExpr) {
	if len(call.Args) == 2 && c.isMember(c.pass.TypesInfo.TypeOf(call)) {
		c.checkName(call.Args[0])
	}
}

// memberNames returns the names in a literal wire.Member{…}.
func memberNames(lit *ast.CompositeLit) []ast.Expr {
	for i, e := range lit.Elts {
		pair, keyed := e.(*ast.KeyValueExpr)
		if !keyed {
			if i == 0 {
				return []ast.Expr{e}
			}
			continue
		}
		if key, ok := pair.Key.(*ast.Ident); ok && key.Name == "Name" {
			return []ast.Expr{pair.Value}
		}
	}
	return nil
}

func (c *checker) checkName(e ast.Expr) {
	value := c.pass.TypesInfo.Types[e].Value
	if value == nil || value.Kind() != constant.String || mayNamePrivate(c.path) {
		return
	}
	if name := constant.StringVal(value); privateMember.MatchString(name) {
		c.pass.Reportf(e.Pos(), "writes the member %q outside the contract; make it a record of exports", name)
	}
}
