package rights

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"colophon/exports"
)

// Tally sums up the registered pages of one site as they are read. Its results
// do not depend on the order of the pages.
type Tally struct {
	Pages        int64
	Records      int64
	Versions     int64 // of records, including superseded and withdrawn ones
	LatestRecord string
	LatestChange string
	first, last  string
	years        map[int64]int64
	sections     map[string]int64
	formats      map[string]bool
	terms        map[string]int64
	scoped       map[string]int64
	top          []string // after Settle: the most frequent terms
}

// NewTally returns an empty tally.
func NewTally() *Tally {
	return &Tally{
		years: map[int64]int64{}, sections: map[string]int64{}, formats: map[string]bool{},
		terms: map[string]int64{}, scoped: map[string]int64{},
	}
}

// maxTerms bounds the distinct terms that a tally remembers, so that a large
// site costs no more memory than a small one.
const maxTerms = 4096

// Add counts one public page. changed is its last change; licenses are the
// offers whose scope covers it.
func (t *Tally) Add(e *exports.Entry, changed string, licenses []string) {
	t.Pages++
	t.LatestChange = max(t.LatestChange, changed)
	if e.PublishedAt != "" {
		if t.first == "" || e.PublishedAt < t.first {
			t.first = e.PublishedAt
		}
		t.last = max(t.last, e.PublishedAt)
		if y := yearOf(e.PublishedAt); y > 0 {
			t.years[y]++
		}
	}
	t.sections[e.Section]++
	t.formats[e.ContentFormat] = true
	for _, w := range e.Terms {
		if _, known := t.terms[w]; known || len(t.terms) < maxTerms {
			t.terms[w]++
		}
	}
	for _, id := range licenses {
		t.scoped[id]++
	}
}

// AddRecord counts one current provenance record.
func (t *Tally) AddRecord(created string) {
	t.Records++
	t.LatestRecord = max(t.LatestRecord, created)
}

func yearOf(at string) int64 {
	if len(at) < 4 {
		return 0
	}
	n := int64(0)
	for i := 0; i < 4; i++ {
		if at[i] < '0' || at[i] > '9' {
			return 0
		}
		n = n*10 + int64(at[i]-'0')
	}
	return n
}

// maxSections bounds the sections that a record shows.
const maxSections = 40

// Sections returns the largest sections, ordered by pages and then by path.
func (t *Tally) Sections() []exports.Section {
	var out []exports.Section
	for name, n := range t.sections {
		path, label := "/", "Home"
		if name != "" {
			path, label = "/"+name, strings.ReplaceAll(name, "-", " ")
		}
		out = append(out, exports.Section{Path: path, Label: label, Pages: n})
	}
	sort.Slice(out, func(i, j int) bool {
		if out[i].Pages != out[j].Pages {
			return out[i].Pages > out[j].Pages
		}
		return out[i].Path < out[j].Path
	})
	return out[:min(len(out), maxSections)]
}

// Coverage returns the period that the pages span.
func (t *Tally) Coverage(cadence string) exports.Coverage {
	c := exports.Coverage{FirstPublished: t.first, LastPublished: t.last, UpdateCadence: cadence}
	for y, n := range t.years {
		c.ByYear = append(c.ByYear, exports.YearCount{Year: y, Pages: n})
	}
	sort.Slice(c.ByYear, func(i, j int) bool { return c.ByYear[i].Year < c.ByYear[j].Year })
	return c
}

// Formats returns the content formats in the order of the vocabulary.
func (t *Tally) Formats() []string {
	var out []string
	for _, f := range exports.ContentFormats {
		if t.formats[f] {
			out = append(out, f)
		}
	}
	return out
}

// Scoped returns the number of pages that an offer covers.
func (t *Tally) Scoped(licenseID string) int64 { return t.scoped[licenseID] }

// maxTopTerms bounds the terms that TopTerms lists.
const maxTopTerms = 20

// TopTerms returns the n most frequent terms, at most maxTopTerms, ordered by
// count and then by word.
func (t *Tally) TopTerms(n int) []string {
	top := t.top
	if t.terms != nil {
		top = t.sortTerms()
	}
	return top[:min(n, len(top))]
}

// sortTerms returns the most frequent terms.
func (t *Tally) sortTerms() []string {
	words := make([]string, 0, len(t.terms))
	for w := range t.terms {
		words = append(words, w)
	}
	slices.SortFunc(words, func(a, b string) int {
		return cmp.Or(cmp.Compare(t.terms[b], t.terms[a]), strings.Compare(a, b))
	})
	return words[:min(maxTopTerms, len(words))]
}

// Settle must be called after the last Add. It frees what only Add needs. The
// caller may free the added pages too, because the tally keeps none of their
// text.
func (t *Tally) Settle() {
	t.top = cloneTexts(t.sortTerms())
	t.terms = nil
	t.sections = cloneCounts(t.sections)
	t.scoped = cloneCounts(t.scoped)
	formats := map[string]bool{}
	for f := range t.formats {
		formats[strings.Clone(f)] = true
	}
	t.formats = formats
	for _, s := range []*string{&t.LatestRecord, &t.LatestChange, &t.first, &t.last} {
		*s = strings.Clone(*s)
	}
}

func cloneTexts(list []string) []string {
	out := make([]string, len(list))
	for i := range list {
		out[i] = strings.Clone(list[i])
	}
	return out
}

func cloneCounts(counts map[string]int64) map[string]int64 {
	out := make(map[string]int64, len(counts))
	for name, n := range counts {
		out[strings.Clone(name)] = n
	}
	return out
}
