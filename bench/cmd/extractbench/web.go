package main

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	readability "codeberg.org/readeck/go-readability/v2"
	"github.com/markusmobius/go-trafilatura"
	"golang.org/x/net/html"

	"colophon/internal/extract"
)

// A webPage is one page of Trafilatura's evaluation: a page of the open web,
// passages that belong to its text, and passages that do not.
type webPage struct {
	url           string
	file          string
	title         string
	authors       []string
	with, without []string
}

// passages counts the passages that a tool kept and those that it left out.
type passages struct {
	kept, lost     int // of the passages that belong to the text
	stray, leftOut int // of the passages that do not
	empty          int // pages without a text
	cpu            time.Duration
}

func (p *passages) add(w *webPage, text string) {
	text = spaced(text)
	if text == "" {
		p.empty++
	}
	for _, s := range w.with {
		if strings.Contains(text, spaced(s)) {
			p.kept++
		} else {
			p.lost++
		}
	}
	for _, s := range w.without {
		if strings.Contains(text, spaced(s)) {
			p.stray++
		} else {
			p.leftOut++
		}
	}
}

func (p *passages) recall() float64    { return float64(p.kept) / float64(max(1, p.kept+p.lost)) }
func (p *passages) precision() float64 { return float64(p.kept) / float64(max(1, p.kept+p.stray)) }

func (p *passages) f1() float64 {
	r, q := p.recall(), p.precision()
	return 2 * r * q / max(r+q, 1e-9)
}

// spaced replaces each run of white space by one space.
func spaced(s string) string { return strings.Join(strings.Fields(s), " ") }

// measureWeb runs all extractors on the pages of Trafilatura's own evaluation.
// Each page is read by itself, without a template learned from other pages of
// its site.
func measureWeb(o options) error {
	pages, err := readWebPages(filepath.Join(o.web, "scripts", "comparison", "data.go"))
	if err != nil {
		return err
	}
	var ours, test, mozilla, tr passages
	var titles, authors, tested, theirs facts // tested: authors of the test half
	missing, inReview := 0, 0
	for i := range pages {
		w := &pages[i]
		body, err := readWebPage(o.web, w.file)
		if errors.Is(err, fs.ErrNotExist) {
			missing++
			continue
		}
		if err != nil {
			return err
		}
		at, err := url.Parse(w.url)
		if err != nil {
			return err
		}
		start := time.Now()
		x, decoded, err := extractPage(body, at, nil)
		if err != nil {
			return fmt.Errorf("%s: %w", w.file, err)
		}
		ours.cpu += time.Since(start)
		ours.add(w, x.Text)
		for _, r := range x.Review() {
			fmt.Printf("in review: %s: %s\n", w.file, r.Detail)
		}
		inReview += min(len(x.Review()), 1)
		names := valuesOf(x.Facts.Authors)
		authors.compare(w.authors, names)
		part := half(digestOf(w.url))
		if part == "test" {
			test.add(w, x.Text)
			tested.compare(w.authors, names)
		}
		titles.compareTitle(w.title, x.Facts.Title.Value)
		if o.details && part == cmp.Or(o.half, "tune") {
			printFacts(w, &x, names)
		}

		if o.alone {
			continue
		}
		start = time.Now()
		mozilla.add(w, readabilityText(decoded, at))
		mozilla.cpu += time.Since(start)

		start = time.Now()
		r, err := trafilatura.Extract(strings.NewReader(decoded), trafilatura.Options{OriginalURL: at, EnableFallback: true})
		tr.cpu += time.Since(start)
		text := ""
		if err == nil && r.ContentNode != nil {
			text = extract.PlainText(r.ContentNode)
			theirs.compare(w.authors, strings.Split(r.Metadata.Author, "; "))
		}
		tr.add(w, text)
	}
	n := len(pages) - missing
	fmt.Printf("%d pages of the web, each alone, by passages (%d in review)\n\n", n, inReview)
	fmt.Printf("%-12s %7s %9s %6s %6s %8s\n", "", "recall", "precision", "F1", "empty", "ms/page")
	for _, row := range []struct {
		name string
		p    *passages
	}{{"colophon", &ours}, {" test half", &test}, {"readability", &mozilla}, {"trafilatura", &tr}} {
		fmt.Printf("%-12s %7.3f %9.3f %6.3f %6d %8.1f\n", row.name, row.p.recall(), row.p.precision(), row.p.f1(), row.p.empty, float64(row.p.cpu.Microseconds())/1000/float64(max(1, n)))
	}
	fmt.Printf("\ntitles %d of %d (%.1f%%)\n", titles.right, titles.given, titles.percent())
	fmt.Printf("bylines where one is known: colophon gives %d of %d, %d right (%.1f%%; test half %d of %d, %.1f%%); trafilatura gives %d, %d right (%.1f%%)\n",
		authors.given, authors.wanted, authors.right, authors.percent(), tested.right, tested.given, tested.percent(), theirs.given, theirs.right, theirs.percent())
	if missing > 0 {
		fmt.Printf("%d pages of the list are not in the module\n", missing)
	}
	return nil
}

// compare counts the names of a page. A page counts as right if all names given
// are known ones, or are the known names in one string.
func (f *facts) compare(known, got []string) {
	if len(known) == 0 {
		return
	}
	f.wanted++
	got = slices.DeleteFunc(got, func(s string) bool { return s == "" })
	if len(got) == 0 {
		return
	}
	f.given++
	if sameNames(known, got) {
		f.right++
	}
}

func sameNames(known, got []string) bool {
	all := fold(strings.Join(known, " "))
	for _, name := range got {
		if !strings.Contains(all, fold(name)) {
			return false
		}
	}
	return true
}

func (f *facts) compareTitle(known, got string) {
	if known == "" {
		return
	}
	f.given++
	if sameTitle(got, known) {
		f.right++
	}
}

func printFacts(w *webPage, x *extract.Extracted, names []string) {
	if len(w.authors) > 0 && !sameNames(w.authors, names) {
		fmt.Printf("%s: authors %q (%s), known %q\n", w.file, names, x.Facts.Authors[0].Source, w.authors)
	}
	if w.title != "" && !sameTitle(x.Facts.Title.Value, w.title) {
		fmt.Printf("%s: title %q (%s), known %q\n", w.file, x.Facts.Title.Value, x.Facts.Title.Source, w.title)
	}
	text := spaced(x.Text)
	for _, s := range w.with {
		if !strings.Contains(text, spaced(s)) {
			fmt.Printf("%s: lost (%s, %d words) %q\n", w.file, x.How, len(words(x.Text)), s)
		}
	}
	for _, s := range w.without {
		if strings.Contains(text, spaced(s)) {
			fmt.Printf("%s: stray (%s) %q in %s\n", w.file, x.How, s, placeOf(x.Content, spaced(s)))
		}
	}
}

// placeOf returns the names of the elements around a passage, the outermost
// first.
func placeOf(n *html.Node, passage string) string {
	place := ""
	for n != nil {
		var inner *html.Node
		for c := n.FirstChild; c != nil && inner == nil; c = c.NextSibling {
			if c.Type == html.ElementNode && strings.Contains(spaced(extract.PlainText(c)), passage) {
				inner = c
			}
		}
		place += ">" + n.Data
		if id := extract.Attr(n, "id"); id != "" {
			place += "#" + id
		}
		for _, class := range strings.Fields(extract.Attr(n, "class")) {
			place += "." + class
		}
		n = inner
	}
	return place
}

func valuesOf(list []extract.Fact) []string {
	var values []string
	for _, f := range list {
		values = append(values, f.Value)
	}
	return values
}

func readabilityText(text string, at *url.URL) string {
	p := readability.NewParser()
	p.Logger = slog.New(slog.DiscardHandler)
	a, err := p.Parse(strings.NewReader(text), at)
	if err != nil || a.Node == nil {
		return ""
	}
	return extract.PlainText(a.Node)
}

// readWebPage reads a page from whichever of the module's folders has it.
func readWebPage(root, name string) ([]byte, error) {
	for _, folder := range []string{"comparison", "mock", "simple"} {
		body, err := os.ReadFile(filepath.Join(root, "test-files", folder, name))
		if !errors.Is(err, fs.ErrNotExist) {
			return body, err
		}
	}
	return nil, fs.ErrNotExist
}

// readWebPages reads the table of the evaluation, which is a map literal in Go
// source.
func readWebPages(name string) ([]webPage, error) {
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var pages []webPage
	ast.Inspect(file, func(n ast.Node) bool {
		pair, ok := n.(*ast.KeyValueExpr)
		if !ok {
			return true
		}
		record, ok := pair.Value.(*ast.CompositeLit)
		if !ok || record.Type != nil {
			return true
		}
		w := webPage{url: literal(pair.Key)}
		for _, field := range record.Elts {
			w.set(field)
		}
		if w.file != "" {
			pages = append(pages, w)
		}
		return false
	})
	if len(pages) == 0 {
		return nil, fmt.Errorf("%s holds no pages", name)
	}
	slices.SortFunc(pages, func(a, b webPage) int { return strings.Compare(a.url, b.url) })
	return pages, nil
}

func (w *webPage) set(field ast.Expr) {
	pair, ok := field.(*ast.KeyValueExpr)
	if !ok {
		return
	}
	name, ok := pair.Key.(*ast.Ident)
	if !ok {
		return
	}
	switch name.Name {
	case "File":
		w.file = literal(pair.Value)
	case "Title":
		w.title = literal(pair.Value)
	case "Authors":
		w.authors = literals(pair.Value)
	case "With":
		w.with = literals(pair.Value)
	case "Without":
		w.without = literals(pair.Value)
	}
}

func literal(e ast.Expr) string {
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return ""
	}
	s, err := strconv.Unquote(lit.Value)
	if err != nil {
		return ""
	}
	return s
}

func literals(e ast.Expr) []string {
	list, ok := e.(*ast.CompositeLit)
	if !ok {
		return nil
	}
	var values []string
	for _, item := range list.Elts {
		values = append(values, literal(item))
	}
	return values
}
