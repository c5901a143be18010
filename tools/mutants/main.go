// Command mutants changes a package at one place at a time, runs the package's
// tests against each change, and prints the changes that no test finds.
//
//	go run ./tools/mutants ./internal/rights
//
// It writes nothing in the tree: a change reaches the compiler through an
// overlay. A change that does not compile, or whose tests do not end within a
// minute, counts as found. The exit code is 0 whatever survives, and 1 if the
// tests fail without a change.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
)

// A mutant is one change: text replaces the bytes from start to end.
type mutant struct {
	file       string
	line       int
	start, end int
	text       string
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: mutants PACKAGE, a folder such as ./internal/rights")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

func run(dir string) error {
	if out, err := exec.Command("go", "test", dir).CombinedOutput(); err != nil {
		return fmt.Errorf("the tests fail without a change: %w\n%s", err, out)
	}
	mutants, err := mutantsOf(dir)
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)

	var (
		mu       sync.Mutex // of what follows
		survived int
		failed   error
	)
	next := make(chan int)
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for i := range next {
				unseen, err := passes(dir, filepath.Join(work, fmt.Sprint(i)), mutants[i])
				mu.Lock()
				if failed = errors.Join(failed, err); unseen {
					survived++
					failed = errors.Join(failed, printMutant(mutants[i]))
				}
				mu.Unlock()
			}
		})
	}
	for i := range mutants {
		next <- i
	}
	close(next)
	workers.Wait()
	if failed == nil {
		fmt.Printf("%d of %d changes are found by no test\n", survived, len(mutants))
	}
	return failed
}

// printMutant prints a change at once, so that a run that is stopped has told
// what it found.
func printMutant(m mutant) error {
	source, err := os.ReadFile(m.file)
	if err == nil {
		fmt.Printf("%s:%d: %s -> %s\n", m.file, m.line, oneLine(string(source[m.start:m.end])), oneLine(m.text))
	}
	return err
}

func oneLine(s string) string {
	if s == "" {
		return "nothing"
	}
	return strings.Join(strings.Fields(s), " ")
}

// passes reports whether the package's tests pass with the change.
func passes(dir, work string, m mutant) (bool, error) {
	if err := os.Mkdir(work, 0o755); err != nil {
		return false, err
	}
	defer os.RemoveAll(work)
	source, err := os.ReadFile(m.file)
	if err != nil {
		return false, err
	}
	changed := filepath.Join(work, "changed.go")
	text := bytes.Join([][]byte{source[:m.start], []byte(m.text), source[m.end:]}, nil)
	if err := os.WriteFile(changed, text, 0o644); err != nil {
		return false, err
	}
	original, err := filepath.Abs(m.file)
	if err != nil {
		return false, err
	}
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {original: changed}})
	if err != nil {
		return false, err
	}
	list := filepath.Join(work, "overlay.json")
	if err := os.WriteFile(list, overlay, 0o644); err != nil {
		return false, err
	}
	test := exec.Command("go", "test", "-vet=off", "-failfast", "-timeout", "1m", "-overlay", list, dir)
	test.Env = append(os.Environ(), "RAPID_NOFAILFILE=1") // otherwise the next run would try a failure again without its change
	return test.Run() == nil, nil
}

// mutantsOf returns the changes of all files of a package except tests and
// generated code.
func mutantsOf(dir string) ([]mutant, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	var all []mutant
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		source, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		found, err := mutantsIn(file, source)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// others maps an operator to its replacement.
var others = map[token.Token]string{
	token.EQL: "!=", token.NEQ: "==",
	token.LSS: "<=", token.LEQ: "<", token.GTR: ">=", token.GEQ: ">",
	token.LAND: "||", token.LOR: "&&",
	token.ADD: "-", token.SUB: "+",
}

// mutantsIn returns the changes of one file: operators that are replaced,
// conditions that are negated, and statements without a result that are
// omitted.
func mutantsIn(file string, source []byte) ([]mutant, error) {
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, file, source, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	if ast.IsGenerated(tree) {
		return nil, nil
	}
	var found []mutant
	add := func(from, to token.Pos, text string) {
		found = append(found, mutant{file, set.Position(from).Line, set.Position(from).Offset, set.Position(to).Offset, text})
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if other, ok := others[n.Op]; ok {
				add(n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), other)
			}
		case *ast.UnaryExpr:
			if n.Op == token.NOT {
				add(n.OpPos, n.OpPos+1, "")
			}
		case *ast.IfStmt:
			switch n.Cond.(type) {
			case *ast.CallExpr, *ast.Ident, *ast.SelectorExpr:
				add(n.Cond.Pos(), n.Cond.End(), "!("+string(source[set.Position(n.Cond.Pos()).Offset:set.Position(n.Cond.End()).Offset])+")")
			}
		case *ast.Ident:
			if n.Name == "true" || n.Name == "false" {
				add(n.Pos(), n.End(), map[string]string{"true": "false", "false": "true"}[n.Name])
			}
		case *ast.ExprStmt:
			add(n.Pos(), n.End(), "")
		case *ast.AssignStmt:
			if n.Tok == token.ASSIGN && len(n.Lhs) == 1 {
				add(n.Pos(), n.End(), "")
			}
		}
		return true
	})
	return found, nil
}
