// Command style prints figures on how the Go code of a tree reads: how dense
// its lines are, how its functions are named, how much of it is tests, and
// where house words are. The figures are information, not limits, except that a
// test allows no house words in this tree.
//
//	go run ./tools/style [folder]
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// figures are sums over the files of a tree, without generated code.
type figures struct {
	codeLines    int            // lines of code outside tests, without blank and comment lines
	testLines    int            // the same in tests
	tokens       int            // tokens outside tests
	functions    int            // functions and methods outside tests
	singleWord   int            // functions named by one lower-case word
	wideAssigns  int            // assignments of three or more values at once
	returnErrors int            // documented functions whose last result is an error
	nameErrors   int            // those whose comment mentions the error
	folders      map[string]int // Go files by folder, tests included
}

var (
	oneWord        = regexp.MustCompile(`^[a-z]+$`)
	generatedMark  = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)
	mentionsErrors = regexp.MustCompile(`(?i)\b(err\w*|fails?|refuse[sd]?)\b`)
)

func main() {
	root := "."
	if len(os.Args) > 1 {
		root = os.Args[1]
	}
	f, err := measureTree(root)
	if err != nil {
		fmt.Fprintln(os.Stderr, "style:", err)
		os.Exit(1)
	}
	words, err := findHouseWords(root)
	if err != nil {
		fmt.Fprintln(os.Stderr, "style:", err)
		os.Exit(1)
	}
	f.print()
	fmt.Printf("house words                      %d\n", len(words))
	for _, place := range words {
		fmt.Println(place)
	}
}

// measureTree reads all Go files below root, except hidden folders, testdata,
// build results, installed packages and separate modules.
func measureTree(root string) (*figures, error) {
	f := &figures{folders: map[string]int{}}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if path != root && skipFolder(path, d.Name()) {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") {
			return nil
		}
		return f.addFile(path)
	})
	return f, err
}

func skipFolder(path, name string) bool {
	if strings.HasPrefix(name, ".") || name == "testdata" || name == "node_modules" || name == "build" {
		return true
	}
	_, err := os.Stat(filepath.Join(path, "go.mod"))
	return err == nil
}

func (f *figures) addFile(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if generatedMark.Match(text) {
		return nil
	}
	f.folders[filepath.Dir(path)]++

	lines, tokens := countTokens(text)
	if strings.HasSuffix(path, "_test.go") {
		f.testLines += lines
		return nil
	}
	f.codeLines += lines
	f.tokens += tokens

	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, text, parser.ParseComments)
	if err != nil {
		return err
	}
	ast.Inspect(file, f.addNode)
	return nil
}

// countTokens counts the tokens of a file and the lines that have one. It does
// not count automatic semicolons.
func countTokens(text []byte) (lines, tokens int) {
	set := token.NewFileSet()
	file := set.AddFile("", set.Base(), len(text))
	var s scanner.Scanner
	s.Init(file, text, nil, 0)

	seen := map[int]bool{}
	for {
		pos, tok, literal := s.Scan()
		if tok == token.EOF {
			return len(seen), tokens
		}
		if tok == token.SEMICOLON && literal == "\n" {
			continue
		}
		tokens++
		seen[file.Line(pos)] = true
	}
}

func (f *figures) addNode(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.AssignStmt:
		if len(n.Lhs) >= 3 && len(n.Lhs) == len(n.Rhs) {
			f.wideAssigns++
		}
	case *ast.FuncDecl:
		f.functions++
		if oneWord.MatchString(n.Name.Name) && n.Name.Name != "main" && n.Name.Name != "init" {
			f.singleWord++
		}
		if n.Doc != nil && returnsError(n) {
			f.returnErrors++
			if mentionsErrors.MatchString(n.Doc.Text()) {
				f.nameErrors++
			}
		}
	}
	return true
}

func returnsError(n *ast.FuncDecl) bool {
	if n.Type.Results == nil || len(n.Type.Results.List) == 0 {
		return false
	}
	last := n.Type.Results.List[len(n.Type.Results.List)-1]
	name, ok := last.Type.(*ast.Ident)
	return ok && name.Name == "error"
}

func (f *figures) print() {
	largest, files := "", 0
	for folder, n := range f.folders {
		if n > files || n == files && folder < largest {
			largest, files = folder, n
		}
	}
	fmt.Printf("hand-written Go outside tests    %d lines\n", f.codeLines)
	fmt.Printf("tests                            %d lines\n", f.testLines)
	fmt.Printf("test : code                      %.2f\n", ratio(f.testLines, f.codeLines))
	fmt.Printf("tokens a line                    %.1f\n", ratio(f.tokens, f.codeLines))
	fmt.Printf("function names of one word       %.0f %%\n", 100*ratio(f.singleWord, f.functions))
	fmt.Printf("wide assignments in 1,000 lines  %.1f\n", 1000*ratio(f.wideAssigns, f.codeLines))
	fmt.Printf("comments that name the error     %.0f %% of %d\n", 100*ratio(f.nameErrors, f.returnErrors), f.returnErrors)
	fmt.Printf("largest folder                   %s, %d files\n", largest, files)
}

func ratio(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}
