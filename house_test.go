// Package colophon_test checks the house rules: which package may import which,
// what the worker must not reach, and that every endpoint of the table is
// served. tools/gate checks that public records are made in one place.
package colophon_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"colophon/exports"
)

// floors gives the floor of each part of the house: an import must point to a
// lower floor or stay within the same part. The longest prefix counts.
var floors = map[string]int{
	"internal/wire": -1, "exports": 0, "internal/blob": 3, "site": 1, "worker/edge": 1, "internal/origin": 2, "internal/channel": 2, "internal/channelpack": 3, "internal/prose": 1, "internal/agents": 1, "internal/citation": 2,
	"internal/outcome": -2, "internal/assert": -2, "internal/ulid": 0, "internal/pause": 0, "internal/paging": 0, "internal/canonicaltext": 0, "internal/urlkey": -1, "internal/record": 2, "internal/ledgerlog": 3, "internal/staticindex": 2, "internal/searchindex": 3, "internal/searchindex/indexer": 4, "internal/searchindex/query": 4,
	"internal/lookup": 4, "internal/extsort": 4, "internal/listing": 5, "internal/indexbuild": 6, "internal/catalog": 6, "internal/catalog/catalogtest": 10,
	"internal/manifest": 4, "internal/openapi": 5, "internal/acceptance": 9, "internal/extract": 1, "internal/frontmatter": 2, "internal/textform": 2, "internal/sitefolder": 3, "internal/edgecheck": 3, "internal/intake": 4, "internal/filepolicy": 4, "internal/registry": 4, "internal/observed": 5, "internal/enrol": 8, "internal/demo": 9,
	"internal/rights": 3, "internal/withdrawn": 2, "internal/iscc": 1, "internal/release": 3, "internal/credential": 3, "internal/inquiry": 4, "internal/usereport": 4, "internal/delivery": 5, "templates": 4,
	"internal/originsql": 7, "internal/notify": 7, "generator": 7, "worker": 7, "worker/edgehttp": 7, "worker/edgejs": 7,
	"worker/edgelab": 8, "internal/mirror": 8, "internal/published": 8, "internal/screen": 8, "internal/server": 8, "internal/limiter": 8, "internal/s3": 0, "internal/backup": 8, "deploy": 8, "internal/usage": 0, "internal/processcost": 0, "internal/registrydir": 10, "internal/doctor": 11, "internal/status": 11, "internal/cloudflare": 11, "internal/cli": 12, "cmd": 13, "tools": 10,
	"internal/originsql/postgres": 8, "internal/originsql/replica": 8, "internal/originsql/origintest": 9, "internal/originsql/transfer": 9,
}

// edgeRoots are the programs that run inside the worker. edgeForbidden is what
// they must not import, because it would make them large, slow to start, or
// impossible to build with TinyGo.
var (
	edgeRoots     = []string{"cmd/edge", "cmd/edgeguard", "worker", "worker/edgejs"}
	edgeForbidden = []string{"net", "net/http", "net/url", "os/exec", "html/template", "text/template", "regexp", "encoding/json", "encoding/xml", "log/slog", "fmt", "reflect", "crypto/rand", "crypto/hmac", "crypto/ed25519", "math/rand", "math/rand/v2"}
)

// source is one file of the module.
type source struct {
	name    string // path relative to the module
	pkg     string // folder of the file
	test    bool
	imports []string // module packages without the module's name, others as written
	file    *ast.File
	tags    string
}

func readSources(t *testing.T, tree fs.FS) []source {
	t.Helper()
	var out []source
	set := token.NewFileSet()
	err := fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules" || d.Name() == "testdata") {
				return fs.SkipDir
			}
			if _, err := fs.Stat(tree, path.Join(name, "go.mod")); err == nil && name != "." {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") {
			return nil
		}
		text, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		f, err := parser.ParseFile(set, name, text, parser.ParseComments)
		if err != nil {
			return err
		}
		s := source{name: name, pkg: path.Dir(name), test: strings.HasSuffix(name, "_test.go"), file: f}
		for _, i := range f.Imports {
			s.imports = append(s.imports, strings.TrimPrefix(strings.Trim(i.Path.Value, `"`), "colophon/"))
		}
		for _, c := range f.Comments {
			for _, line := range c.List {
				if strings.HasPrefix(line.Text, "//go:build") {
					s.tags = line.Text
				}
			}
		}
		out = append(out, s)
		return nil
	})
	must(t, err)
	return out
}

// part returns the part of the house that a package belongs to, and its floor.
func part(pkg string) (name string, floor int, ok bool) {
	for p := pkg; p != "."; p = path.Dir(p) {
		if f, found := floors[p]; found {
			return p, f, true
		}
	}
	return "", 0, false
}

// floorFaults returns the imports that do not point down. Tests may import
// upwards, since a reader is tested with its writer and a service with a store,
// but tests of a package as low as the generator must not make a release:
// internal/acceptance tests both.
func floorFaults(sources []source) []string {
	inside := map[string]bool{}
	for _, s := range sources {
		inside[s.pkg] = true
	}
	var faults []string
	for _, s := range sources {
		if s.pkg == "." {
			continue
		}
		from, height, ok := part(s.pkg)
		if s.test {
			if from != "generator" && height <= floors["generator"] && slices.Contains(s.imports, "generator") {
				faults = append(faults, s.name+": a test that makes a release belongs in internal/acceptance")
			}
			continue
		}
		if !ok {
			faults = append(faults, s.name+": its package stands on no floor")
			continue
		}
		for _, i := range s.imports {
			if !inside[i] {
				continue
			}
			to, below, _ := part(i)
			within := from == to || strings.HasPrefix(to, from+"/") || strings.HasPrefix(from, to+"/")
			if from != to && below >= height && !(within && from == "worker") {
				faults = append(faults, fmt.Sprintf("%s: imports %s, which is not below it", s.name, i))
			}
			if from == "exports" && strings.HasPrefix(i, "internal/origin") {
				faults = append(faults, s.name+": the contract must not see the origin")
			}
		}
	}
	return faults
}

// services are the parts of the worker that only the worker itself may combine.
var services = []string{"worker/api", "worker/buyer", "worker/inbox", "worker/intake", "worker/joining", "worker/partner", "worker/web"}

// serviceFaults returns the imports of a service by a package beside or below
// it.
func serviceFaults(sources []source) []string {
	var faults []string
	for _, s := range sources {
		if s.test || !strings.HasPrefix(s.pkg, "worker/") {
			continue
		}
		for _, i := range s.imports {
			if slices.Contains(services, i) {
				faults = append(faults, s.name+": imports the service "+i)
			}
		}
	}
	return faults
}

// edgeFaults returns what the worker reaches but must not.
func edgeFaults(sources []source) []string {
	byPkg := map[string][]source{}
	for _, s := range sources {
		if !s.test {
			byPkg[s.pkg] = append(byPkg[s.pkg], s)
		}
	}
	var faults []string
	seen := map[string]bool{}
	var visit func(pkg string)
	visit = func(pkg string) {
		if seen[pkg] {
			return
		}
		seen[pkg] = true
		for _, s := range byPkg[pkg] {
			if strings.Contains(s.tags, "!js") || strings.Contains(s.tags, "!tinygo") || strings.Contains(s.tags, "!wasm") {
				continue
			}
			for _, i := range s.imports {
				if slices.Contains(edgeForbidden, i) {
					faults = append(faults, s.name+": the worker must not reach "+i)
				}
				visit(i)
			}
		}
	}
	for _, r := range edgeRoots {
		visit(r)
	}
	return faults
}

// heavyPackages are what the worker must not reach even through a library.
// Templ's runtime is replaced by the small one of tools/edge/templ there.
var heavyPackages = []string{"net", "net/http", "net/url", "os/exec", "html/template", "text/template", "regexp", "encoding/json", "encoding/xml", "log/slog", "crypto/rand", "crypto/hmac", "crypto/ed25519", "math/rand"}

// TestWorkerReachesNothingHeavy asks the go command for all packages of the
// worker's programs, as TinyGo selects them.
func TestWorkerReachesNothingHeavy(t *testing.T) {
	modfile, err := exec.Command("tools/edge/modfile.sh", t.TempDir()).Output()
	must(t, err)
	list := exec.Command("go", "list", "-modfile="+strings.TrimSpace(string(modfile)), "-deps", "-tags", "tinygo", "./cmd/edge", "./cmd/edgeguard")
	list.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	list.Stderr = os.Stderr
	out, err := list.Output()
	must(t, err)
	reached := strings.Fields(string(out))
	if len(reached) < 50 || !slices.Contains(reached, "colophon/worker") {
		t.Fatalf("the list of packages is not that of the worker: %d packages", len(reached))
	}
	for _, p := range heavyPackages {
		if slices.Contains(reached, p) {
			t.Errorf("the worker reaches %s", p)
		}
	}
}

// orderFaults returns the returns such as "return x, read(&x)" and "return x,
// x.read()" in what runs inside the worker: TinyGo evaluates the first operand
// before the call, Go after it.
func orderFaults(sources []source) []string {
	var faults []string
	for _, s := range sources {
		if s.test || !slices.Contains([]string{"exports", "worker"}, s.pkg) && !strings.HasPrefix(s.pkg, "worker/") && !strings.HasPrefix(s.pkg, "internal/") {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			ret, ok := n.(*ast.ReturnStmt)
			if !ok {
				return true
			}
			for i, r := range ret.Results {
				x, ok := r.(*ast.Ident)
				if ok && i+1 < len(ret.Results) && (changes(ret.Results[i+1:], x.Name) || isValue(x) && callsMethod(ret.Results[i+1:], x.Name)) {
					faults = append(faults, s.name+": a return depends on the order of its operands: "+x.Name)
				}
			}
			return true
		})
	}
	return faults
}

// changes reports whether an expression of list takes the address of the
// variable name.
func changes(list []ast.Expr, name string) (found bool) {
	for _, e := range list {
		ast.Inspect(e, func(n ast.Node) bool {
			if u, ok := n.(*ast.UnaryExpr); ok && u.Op == token.AND {
				x := u.X
				if sel, ok := x.(*ast.SelectorExpr); ok {
					x = sel.X
				}
				if id, ok := x.(*ast.Ident); ok && id.Name == name {
					found = true
				}
			}
			return true
		})
	}
	return found
}

// isValue reports whether a variable is declared as something other than a
// pointer, as far as its declaration shows.
func isValue(x *ast.Ident) bool {
	if x.Obj == nil {
		return false
	}
	switch d := x.Obj.Decl.(type) {
	case *ast.AssignStmt:
		for i, left := range d.Lhs {
			if id, ok := left.(*ast.Ident); ok && id.Name == x.Name && len(d.Rhs) == len(d.Lhs) {
				_, isLiteral := d.Rhs[i].(*ast.CompositeLit)
				return isLiteral
			}
		}
	case *ast.ValueSpec:
		_, isPointer := d.Type.(*ast.StarExpr)
		return d.Type != nil && !isPointer
	case *ast.Field:
		_, isPointer := d.Type.(*ast.StarExpr)
		return !isPointer
	}
	return false
}

// callsMethod reports whether an expression of list calls a method of the
// variable name.
func callsMethod(list []ast.Expr, name string) (found bool) {
	for _, e := range list {
		ast.Inspect(e, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if sel, ok := call.Fun.(*ast.SelectorExpr); ok {
					id, ok := sel.X.(*ast.Ident)
					found = found || ok && id.Name == name
				}
			}
			return true
		})
	}
	return found
}

// driverFaults returns the imports of database drivers where they do not
// belong, and of a second way to make pages.
func driverFaults(sources []source) []string {
	var faults []string
	for _, s := range sources {
		if s.test || strings.HasSuffix(s.pkg, "test") || strings.HasPrefix(s.pkg, "cmd/") || s.pkg == "internal/registrydir" || strings.HasPrefix(s.pkg, "worker/edgejs") || strings.HasPrefix(s.pkg, "worker/edgelab") || strings.HasPrefix(s.pkg, "tools") {
			continue
		}
		for _, i := range s.imports {
			if i == "html/template" {
				faults = append(faults, s.name+": pages are templ components")
			}
			if strings.HasPrefix(i, "modernc.org/sqlite") || strings.HasSuffix(i, "cloudflare/d1") || strings.HasPrefix(i, "github.com/jackc/pgx/") && s.pkg != "internal/originsql/postgres" {
				faults = append(faults, s.name+": database drivers belong in cmd, internal/registrydir and worker/edgejs")
			}
		}
	}
	return faults
}

// testPackageFaults returns the imports of test packages outside tests: a
// service must never run on a stand-in for D1.
func testPackageFaults(sources []source) []string {
	var faults []string
	for _, s := range sources {
		if s.test || strings.HasSuffix(s.pkg, "test") || strings.HasPrefix(s.pkg, "worker/edgelab") || strings.HasPrefix(s.pkg, "tools") || strings.HasPrefix(s.pkg, "bench") {
			continue
		}
		for _, i := range s.imports {
			if i == "internal/assert" || strings.HasPrefix(i, "internal/") && strings.HasSuffix(i, "test") {
				faults = append(faults, s.name+": "+i+" is for tests")
			}
		}
	}
	return faults
}

// nameFaults returns the types that are named like their package: catalog.Catalog
// says the same twice.
func nameFaults(sources []source) []string {
	var faults []string
	for _, s := range sources {
		for _, d := range s.file.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.TYPE {
				continue
			}
			for _, spec := range g.Specs {
				if name := spec.(*ast.TypeSpec).Name.Name; strings.EqualFold(name, path.Base(s.pkg)) {
					faults = append(faults, s.name+": the type "+name+" is named like its package")
				}
			}
		}
	}
	return faults
}

func TestHouse(t *testing.T) {
	sources := readSources(t, os.DirFS("."))
	if len(sources) < 50 {
		t.Fatalf("only %d sources were read", len(sources))
	}
	for _, rule := range []func([]source) []string{floorFaults, serviceFaults, edgeFaults, driverFaults, testPackageFaults, orderFaults, nameFaults} {
		for _, fault := range rule(sources) {
			t.Error(fault)
		}
	}
}

// TestHouseRulesCatch breaks each rule and checks that it is reported.
func TestHouseRulesCatch(t *testing.T) {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	base := fstest.MapFS{
		"exports/a.go": file("package exports"), "internal/origin/a.go": file("package origin"), "generator/a.go": file("package generator"),
		"worker/a.go": file("package worker"), "internal/rights/a.go": file("package rights"), "internal/wire/a.go": file("package wire"),
		"worker/api/a.go": file("package api"),
	}
	for _, tc := range []struct {
		name, file, text string
		rule             func([]source) []string
	}{
		{"upward import", "exports/b.go", "package exports\nimport _ \"colophon/generator\"", floorFaults},
		{"contract sees the origin", "exports/b.go", "package exports\nimport _ \"colophon/internal/origin\"", floorFaults},
		{"generator imports worker", "generator/b.go", "package generator\nimport _ \"colophon/worker\"", floorFaults},
		{"a service imports another", "worker/web/b.go", "package web\nimport _ \"colophon/worker/api\"", serviceFaults},
		{"worker imports generator", "worker/b.go", "package worker\nimport _ \"colophon/generator\"", floorFaults},
		{"a test of the worker makes a release", "worker/b_test.go", "package worker\nimport _ \"colophon/generator\"", floorFaults},
		{"a package on no floor", "elsewhere/b.go", "package elsewhere", floorFaults},
		{"worker reaches net/http", "worker/b.go", "package worker\nimport _ \"net/http\"", edgeFaults},
		{"worker reaches fmt through the gate", "internal/rights/b.go", "package rights\nimport _ \"fmt\"", edgeFaults},
		{"an order that TinyGo takes otherwise", "worker/b.go", "package worker\nfunc f() (int, error) { var x int; return x, g(&x) }\nfunc g(*int) error { return nil }", orderFaults},
		{"an order that a method hides", "worker/b.go", "package worker\ntype l struct{}\nfunc (x *l) read() error { return nil }\nfunc f() (l, error) { x := l{}; return x, x.read() }", orderFaults},
		{"a driver in the generator", "generator/b.go", "package generator\nimport _ \"modernc.org/sqlite\"", driverFaults},
		{"a page that is no component", "internal/screen/b.go", "package screen\nimport _ \"html/template\"", driverFaults},
		{"a stand-in for D1 in a program", "cmd/colophon/b.go", "package main\nimport _ \"colophon/internal/originsql/d1test\"", testPackageFaults},
		{"assertions in a program", "cmd/colophon/b.go", "package main\nimport _ \"colophon/internal/assert\"", testPackageFaults},
		{"a type named like its package", "worker/api/b.go", "package api\ntype API struct{}", nameFaults},
		{"Postgres in the store", "internal/originsql/b.go", "package originsql\nimport _ \"github.com/jackc/pgx/v5\"", driverFaults},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tree := fstest.MapFS{}
			for name, f := range base {
				tree[name] = f
			}
			tree["worker/a.go"] = file("package worker\nimport _ \"colophon/internal/rights\"")
			if before := tc.rule(readSources(t, tree)); len(before) != 0 {
				t.Fatalf("faults before it was broken: %v", before)
			}
			tree[tc.file] = file(tc.text)
			if len(tc.rule(readSources(t, tree))) == 0 {
				t.Error("no rule reports it")
			}
		})
	}
}

// privateNames matches names that no field of a public record may have.
var privateNames = regexp.MustCompile(`(?i)(email|secret|token|password|credential|private|savedsearch|pipeline|contact(name|email)|^body$|^text$|markdown|ipaddress)`)

func TestPublicRecordsHaveNoPrivateField(t *testing.T) {
	seen := map[reflect.Type]bool{}
	var faults []string
	var look func(t reflect.Type, at string)
	look = func(ty reflect.Type, at string) {
		for ty.Kind() == reflect.Pointer || ty.Kind() == reflect.Slice || ty.Kind() == reflect.Array {
			ty = ty.Elem()
		}
		if ty.Kind() != reflect.Struct || seen[ty] {
			return
		}
		seen[ty] = true
		for i := range ty.NumField() {
			f := ty.Field(i)
			if privateNames.MatchString(f.Name) {
				faults = append(faults, at+"."+f.Name)
			}
			look(f.Type, at+"."+f.Name)
		}
	}
	for _, r := range []any{
		exports.Publisher{}, exports.Entry{}, exports.FeedRecord{}, exports.SearchHit{}, exports.Category{}, exports.Demand{}, exports.Offer{},
		exports.Record{}, exports.Citation{}, exports.MapRecord{}, exports.Stats{},
	} {
		look(reflect.TypeOf(r), reflect.TypeOf(r).Name())
	}
	for _, f := range faults {
		t.Errorf("%s has a private name", f)
	}
	if len(seen) < 15 {
		t.Errorf("only %d types were looked at", len(seen))
	}
	if !privateNames.MatchString("BuyerEmail") || !privateNames.MatchString("Body") {
		t.Error("the pattern matches nothing")
	}
}

// TestStrangerFinds checks the table of CONTRIBUTING.md: a search for a row's
// word must find its file and few others.
func TestStrangerFinds(t *testing.T) {
	text, err := os.ReadFile("CONTRIBUTING.md")
	must(t, err)
	row := regexp.MustCompile("(?m)^\\| [a-z].* \\| `([^`]+)` \\| `([^`]+\\.go)` \\|$")
	rows := row.FindAllStringSubmatch(string(text), -1)
	if len(rows) != 12 {
		t.Fatalf("the table has %d rows", len(rows))
	}
	sources := readSources(t, os.DirFS("."))
	for _, r := range rows {
		found := filesWith(t, sources, r[1])
		if !slices.Contains(found, r[2]) || len(found) > 12 {
			t.Errorf("%q is in %d files, %s among them: %v", r[1], len(found), r[2], slices.Contains(found, r[2]))
		}
	}
}

// filesWith returns the Go files outside tests that contain a word.
func filesWith(t *testing.T, sources []source, word string) []string {
	t.Helper()
	var found []string
	for _, s := range sources {
		if s.test {
			continue
		}
		text, err := os.ReadFile(s.name)
		must(t, err)
		if strings.Contains(string(text), word) {
			found = append(found, s.name)
		}
	}
	return found
}

// specPaths are the endpoints of the API specification, repeated here so that
// none can disappear from the table unnoticed.
var specPaths = []string{
	"GET /v1/public/ai-discovery", "GET /v1/public/content-catalog/search", "GET /v1/public/content-catalog/categories",
	"GET /v1/public/content-catalog/category/{category_slug}", "GET /v1/licensing-marketplace/publishers",
	"GET /v1/licensing-marketplace/publishers/{site_id}", "GET /v1/licensing-marketplace/publishers/{site_id}/content-inventory",
	"GET /v1/public/licensing-feed", "GET /v1/public/licensing-feed.ndjson", "GET /v1/public/buyer-demand", "GET /v1/public/network-stats",
	"GET /v1/public/developer-manifest", "GET /v1/public/license-catalog", "GET /v1/public/rights/check", "POST /v1/public/developer/sandbox/run",
	"GET /v1/partner/status", "GET /v1/partner/catalog/search", "GET /v1/partner/catalog/categories", "GET /v1/partner/catalog/publishers/{site_id}",
	"POST /v1/partner/licensing/requests", "GET /v1/partner/licensing/requests", "GET /v1/partner/licensing/requests/{request_id}",
	"POST /v1/agent/licensing-intent/prepare", "POST /v1/public/licensing-request", "GET /v1/public/agent-procurement/{thread_id}",
	"GET /v1/public/licensing-conversations/{thread_id}", "POST /v1/public/licensing-conversations/{thread_id}/messages",
	"GET /.well-known/service-licensing-intent.json", "GET /v1/public/licensing-intent/manifest", "GET /v1/public/licensing-intent/schema",
	"GET /.well-known/service-contentdna-provenance.json", "GET /v1/public/sites/{site_id}/contentdna-provenance",
	"GET /v1/public/contentdna-provenance/{entry_id}", "POST /v1/public/contentdna-provenance/verify", "GET /v1/public/provenance-ledger/search",
	"GET /v1/public/citations/resolve", "GET /v1/public/citations/{entry_id}.json", "GET /.well-known/service-provenance-ledger.json",
	"GET /v1/public/provenance-ledger/manifest", "GET /v1/public/ai-rights-map", "GET /v1/public/ai-rights-map/publishers/{site_id}",
	"GET /.well-known/service-ai-rights-map.json", "GET /v1/public/ai-rights-map/manifest", "GET /v1/public/ai-rights-map.csv",
	"GET /ai-rights-map-sitemap.xml", "GET /.well-known/service-access-response.json", "GET /.well-known/service-agent-licensing.json",
	"POST /mcp", "POST /mcp/gateway", "GET /mcp/publisher/{site_id}", "POST /mcp/publisher/{site_id}", "GET /v1/rag-delivery/items",
	"GET /v1/rag-delivery/feed.ndjson", "POST /v1/rag-delivery/snapshots", "GET /v1/rag-delivery/delta.ndjson",
}

// addedPaths are the endpoints beyond the specification, each with the decision
// page that explains it.
var addedPaths = map[string]string{
	"POST /v1/public/rights/check-batch": "rights-check.md",
	"GET /v1/public/citations/similar":   "similarity.md",
	"POST /v1/partner/use-reports":       "use-reports.md",
	"POST /v1/rag-delivery/use-reports":  "use-reports.md",
}

func TestSurfaceIsTheSpec(t *testing.T) {
	table := map[string]bool{}
	ids := map[string]bool{}
	for _, e := range exports.Surface {
		table[e.Method+" "+e.Path] = true
		if ids[e.ID] {
			t.Errorf("two endpoints have the id %q", e.ID)
		}
		ids[e.ID] = true
	}
	for _, p := range specPaths {
		if !table[p] {
			t.Errorf("the table lacks %s", p)
		}
	}
	for p, decision := range addedPaths {
		if !table[p] {
			t.Errorf("the table lacks %s", p)
		}
		if _, err := os.Stat("docs/decisions/" + decision); err != nil {
			t.Errorf("%s is explained by docs/decisions/%s, which is not there", p, decision)
		}
	}
	if len(table) != len(specPaths)+len(addedPaths) {
		t.Errorf("the table has %d endpoints, the description %d and %d are added", len(table), len(specPaths), len(addedPaths))
	}
}
