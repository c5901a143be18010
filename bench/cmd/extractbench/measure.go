package main

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"sort"
	"strings"
	"time"
	"unicode"

	"github.com/markusmobius/go-trafilatura"

	"colophon/internal/extract"
)

// tool is an extractor with its figures.
type tool struct {
	name string
	cpu  time.Duration
	all  total
	half map[string]*total
}

func newTool(name string) *tool {
	return &tool{name: name, half: map[string]*total{"tune": {}, "test": {}, "blind": {}, "unseen": {}}}
}

func (t *tool) add(s score, review bool, parts ...string) {
	t.all.add(s, review)
	for _, p := range parts {
		t.half[p].add(s, review)
	}
}

// facts counts how often a fact was given, how often it was right, and how
// often it was wanted.
type facts struct{ given, right, wanted int }

func (f *facts) count(right bool) {
	f.given++
	if right {
		f.right++
	}
}

func (f *facts) percent() float64 { return 100 * float64(f.right) / float64(max(1, f.given)) }

// parts are the parts of the list for which figures are printed.
var parts = []string{"all", "tune", "test", "blind", "unseen"}

type bench struct {
	o                 options
	ours, mozilla, tr *tool
	titles            map[string]*facts // by part of the list
	languages         facts
	bylines           map[string]int
	sites             map[string]*total
	order             []string
	faults            int
	review            map[string]int
}

// measure runs all extractors on the pages of the list.
func measure(o options, sites []*site) error {
	rows, err := readRows(o.gold, 3)
	if err != nil {
		return err
	}
	b := &bench{o: o, ours: newTool("colophon"), mozilla: newTool("readability"), tr: newTool("trafilatura"), titles: map[string]*facts{}, bylines: map[string]int{}, sites: map[string]*total{}, review: map[string]int{}}
	for _, s := range sites {
		if o.only != "" && o.only != s.id {
			continue
		}
		if err := b.site(s, rows); err != nil {
			return fmt.Errorf("%s: %w", s.id, err)
		}
	}
	b.print()
	return nil
}

func (b *bench) site(s *site, rows [][]string) error {
	pages, err := s.list(b.o.root)
	if err != nil {
		return err
	}
	t, err := s.learn(b.o.root, pages)
	if err != nil {
		return err
	}
	if b.o.only != "" {
		fmt.Printf("%s\n", t.Document())
	}
	byPath := map[string]page{}
	for _, p := range pages {
		byPath[p.path] = p
	}
	for _, r := range rows {
		if r[0] != s.id || b.o.half != "" && half(r[2]) != b.o.half {
			continue
		}
		p, ok := byPath[r[1]]
		if !ok {
			b.faults++
			fmt.Printf("missing: %s %s\n", s.id, r[1])
			continue
		}
		if err := b.page(s, p, r[2], t); err != nil {
			return err
		}
	}
	return nil
}

func (b *bench) page(s *site, p page, digest string, t *extract.Template) error {
	body, err := s.read(b.o.root, p)
	if err != nil {
		return err
	}
	start := time.Now()
	x, text, err := extractPage(body, p.url, t)
	if err != nil {
		return err
	}
	b.ours.cpu += time.Since(start)
	want, title := s.wanted(text)
	if digestOf(want) != digest {
		b.faults++
		fmt.Printf("another text than in the list: %s %s\n", s.id, p.path)
	}
	review := x.Review()
	parts := []string{half(digest)}
	if s.state != "tuned" {
		parts = append(parts, s.state)
	}
	sc := compare(x.Text, want)
	b.ours.add(sc, len(review) > 0, parts...)
	for _, r := range review {
		b.review[r.Code]++
		fmt.Printf("in review: %s %s: %s\n", s.id, p.path, r.Detail)
	}
	if b.sites[s.id] == nil {
		b.sites[s.id] = &total{}
		b.order = append(b.order, s.id)
	}
	b.sites[s.id].add(sc, len(review) > 0)
	b.checkFacts(s, p, &x, title, want, parts)
	if b.o.only != "" || sc.f1 < .9 && b.o.half == "tune" {
		fmt.Printf("%s/%s %s recall %.3f precision %.3f how %s missing %.2f %v\n", s.id, p.path, half(digest), sc.recall, sc.precision, x.How, x.Missing, review)
	}
	if b.o.only != "" {
		printDifference(x.Text, want)
	}
	if !b.o.alone {
		b.others(p, text, want, parts)
	}
	return nil
}

// extractPage extracts a page, and returns its decoded text too.
func extractPage(body []byte, at *url.URL, t *extract.Template) (x extract.Extracted, text string, err error) {
	d, err := extract.Decode(body, "text/html")
	if err != nil {
		return x, "", err
	}
	doc, err := extract.Parse(d.Text, nil)
	if err != nil {
		return x, "", err
	}
	return doc.Extract(at, t), d.Text, nil
}

func (b *bench) checkFacts(s *site, p page, x *extract.Extracted, title, want string, parts []string) {
	if title != "" {
		right := sameTitle(x.Facts.Title.Value, title)
		for _, part := range append(parts, "all") {
			if b.titles[part] == nil {
				b.titles[part] = &facts{}
			}
			b.titles[part].count(right)
		}
		if !right && (b.o.half == "tune" || b.o.only != "") {
			fmt.Printf("title %s/%s: %q (%s), want %q\n", s.id, p.path, x.Facts.Title.Value, x.Facts.Title.Source, title)
		}
	}
	if s.language != "" && len(words(want)) >= 50 {
		b.languages.wanted++
		b.languages.given++
		got, _, _ := strings.Cut(x.Facts.Language.Value, "-")
		if got == s.language {
			b.languages.right++
		} else if b.o.half == "tune" || b.o.only != "" {
			fmt.Printf("language %s/%s: %q (%s)\n", s.id, p.path, x.Facts.Language.Value, x.Facts.Language.Source)
		}
	}
	for _, a := range x.Facts.Authors {
		b.bylines[s.id+": "+a.Value+" ("+a.Source+")"]++
	}
}

// sameTitle reports whether two titles have the same letters and digits; the
// number of a chapter before one of them does not matter.
func sameTitle(got, want string) bool {
	a, b := fold(got), fold(want)
	return a == b || a != "" && b != "" && (strings.HasSuffix(a, b) && len(a) <= len(b)+24 || strings.HasSuffix(b, a) && len(b) <= len(a)+24 || strings.HasPrefix(a, b) && len(a) <= len(b)+24)
}

func fold(s string) string {
	var b strings.Builder
	for _, r := range s {
		if unicode.IsLetter(r) || unicode.IsNumber(r) {
			b.WriteString(strings.ReplaceAll(string(unicode.ToLower(r)), "ß", "ss"))
		}
	}
	return b.String()
}

// others runs the other extractors on a page.
func (b *bench) others(p page, text, want string, parts []string) {
	start := time.Now()
	got := readabilityText(text, p.url)
	b.mozilla.cpu += time.Since(start)
	b.mozilla.add(compare(got, want), false, parts...)
	start = time.Now()
	got = ""
	if r, err := trafilatura.Extract(strings.NewReader(text), trafilatura.Options{OriginalURL: p.url, EnableFallback: true, Focus: trafilatura.FavorRecall}); err == nil && r != nil && r.ContentNode != nil {
		got = extract.PlainText(r.ContentNode)
	}
	b.tr.cpu += time.Since(start)
	b.tr.add(compare(got, want), false, parts...)
}

// printDifference prints the words that are missing and those that should not
// be there.
func printDifference(got, want string) {
	have := map[string]int{}
	for _, w := range words(got) {
		have[w]++
	}
	var missing, extra []string
	for _, w := range words(want) {
		if have[w]--; have[w] < 0 {
			missing = append(missing, w)
		}
	}
	for w, n := range have {
		for ; n > 0; n-- {
			extra = append(extra, w)
		}
	}
	sort.Strings(extra)
	fmt.Printf("   missing %d: %.200s\n   extra %d: %.200s\n", len(missing), strings.Join(missing, " "), len(extra), strings.Join(extra, " "))
}

func (b *bench) print() {
	fmt.Printf("\n%-24s %5s %7s %9s %6s %7s\n", "site", "pages", "recall", "precision", "F1", "F1<.5")
	for _, id := range b.order {
		t := b.sites[id]
		fmt.Printf("%-24s %5d %7.3f %9.3f %6.3f %7d\n", id, t.n, t.mean(t.recall), t.mean(t.precision), t.mean(t.f1), t.low)
	}
	tools := []*tool{b.ours}
	if !b.o.alone {
		tools = append(tools, b.mozilla, b.tr)
	}
	fmt.Printf("\n%-12s %-6s %5s %7s %9s %6s %12s %8s %6s %14s %7s\n", "", "half", "pages", "recall", "precision", "F1", "recall ≥ .95", "F1 ≥ .95", "F1<.5", "not in review", "ms/page")
	for _, t := range tools {
		for _, part := range parts {
			x := &t.all
			if part != "all" {
				x = t.half[part]
			}
			if x.n == 0 {
				continue
			}
			fmt.Printf("%-12s %-6s %5d %7.3f %9.3f %6.3f %11.1f%% %7.1f%% %6d %14d %7.1f\n", t.name, part, x.n, x.mean(x.recall), x.mean(x.precision), x.mean(x.f1),
				x.percent(x.goodRecall), x.percent(x.goodF1), x.low, x.unnoted, float64(t.cpu.Microseconds())/1000/float64(max(1, t.all.n)))
		}
	}
	fmt.Println()
	for _, part := range parts {
		if f := b.titles[part]; f != nil {
			fmt.Printf("titles %-6s %d of %d (%.1f%%)\n", part, f.right, f.given, f.percent())
		}
	}
	fmt.Printf("languages %d of %d (%.1f%%)\n", b.languages.right, b.languages.given, b.languages.percent())
	fmt.Printf("in review: %v\nbylines given, to be judged by eye:\n", b.review)
	for _, n := range slices.Sorted(maps.Keys(b.bylines)) {
		fmt.Printf("  %3d %s\n", b.bylines[n], n)
	}
	if b.faults > 0 {
		fmt.Printf("%d pages are not as in the list: other versions of the packages?\n", b.faults)
	}
}
