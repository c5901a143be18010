package screen

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"

	"github.com/a-h/templ"

	"colophon/internal/iscc"
)

// Report summarizes a screening.
type Report struct {
	Statement string           `json:"statement"`
	Registry  string           `json:"registry"`
	Release   string           `json:"release"`
	Root      string           `json:"root"`
	JudgedAt  string           `json:"judged_at"`
	Uses      []string         `json:"uses"`
	Site      string           `json:"site,omitempty"`
	Files     int              `json:"files"`
	Rows      int64            `json:"rows"`
	Unusable  int64            `json:"unusable_rows"` // with neither a web address nor a text
	Matched   map[string]int64 `json:"matched_by"`
	// By use: rows by verdict, and by reason.
	Verdicts map[string]map[string]int64 `json:"verdicts"`
	Reasons  map[string]map[string]int64 `json:"reasons"`
	// Rows of which a page of the publisher is a candidate, or its site.
	Publishers      map[string]int64 `json:"publishers"`
	SimilarityError float64          `json:"similarity_standard_error"`
	FaultCount      int64            `json:"fault_count"`
	Faults          []string         `json:"faults"` // the first ones
	Content         *Content         `json:"content,omitempty"`
}

const maxFaults = 1000

func (j *Job) newReport(files []string) *Report {
	r := &Report{
		Statement: Statement, Registry: j.Release.BaseURL, Release: j.Release.Catalog.Name, Root: j.Release.Catalog.Root, JudgedAt: j.Release.at,
		Uses: j.Uses, Site: j.Site, Files: len(files), Matched: map[string]int64{}, Verdicts: map[string]map[string]int64{},
		Reasons: map[string]map[string]int64{}, Publishers: map[string]int64{}, SimilarityError: iscc.SimilarityError, Faults: []string{},
	}
	if j.Content {
		r.Content = newContent()
	}
	for _, use := range j.Uses {
		r.Verdicts[use], r.Reasons[use] = map[string]int64{}, map[string]int64{}
	}
	return r
}

func (r *Report) add(x *Result) {
	r.Rows++
	if x.Unusable {
		r.Unusable++
	}
	r.Matched[string(x.MatchedBy)]++
	for _, s := range x.Sites {
		r.Publishers[s]++
	}
	for i := range x.Uses {
		u := &x.Uses[i]
		r.Verdicts[u.Use][u.Verdict]++
		r.Reasons[u.Use][u.Reason]++
	}
	if x.Fault != "" {
		r.addFault(x.fault())
	}
}

func (r *Report) addFault(text string) {
	if r.FaultCount++; len(r.Faults) < maxFaults {
		r.Faults = append(r.Faults, text)
	}
}

// Count is a word with how often it is.
type Count struct {
	Word  string
	Rows  int64
	Share float64 // of all rows, percent
}

// counts are sorted, the most frequent first.
func (r *Report) counts(m map[string]int64) []Count {
	var out []Count
	for _, word := range slices.Sorted(maps.Keys(m)) {
		out = append(out, Count{word, m[word], float64(m[word]) * 100 / float64(max(r.Rows, 1))})
	}
	slices.SortStableFunc(out, func(a, b Count) int { return cmp.Compare(b.Rows, a.Rows) })
	return out
}

// part is a table of the report.
type part struct {
	Title  string
	Counts []Count
}

func (r *Report) parts() []part {
	out := []part{{"Found by", r.counts(r.Matched)}}
	for _, use := range r.Uses {
		out = append(out, part{"Verdict on " + use, r.counts(r.Verdicts[use])}, part{"Reason, " + use, r.counts(r.Reasons[use])})
	}
	publishers := r.counts(r.Publishers)
	return append(out, part{"Publishers", publishers[:min(len(publishers), 50)]})
}

// Table writes the report for people.
func (r *Report) Table(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "%d rows of %d files against release %s of %s, judged at %s\n", r.Rows, r.Files, r.Release, r.Registry, r.JudgedAt)
	if r.Unusable > 0 {
		fmt.Fprintf(w, "%d rows have neither a web address nor a text\n", r.Unusable)
	}
	for _, p := range r.parts() {
		fmt.Fprintf(w, "\n%s\n", p.Title)
		for _, c := range p.Counts {
			fmt.Fprintf(w, "  %s\t%d\t%.1f %%\n", c.Word, c.Rows, c.Share)
		}
	}
	for _, f := range r.Faults {
		fmt.Fprintf(w, "fault: %s\n", f)
	}
	fmt.Fprintf(w, "\n%s\n", r.Statement)
	return w.Flush()
}

// HTML returns the report as a page.
func (r *Report) HTML() ([]byte, error) { return renderPage(r.page()) }

func renderPage(page templ.Component) ([]byte, error) {
	var b bytes.Buffer
	err := page.Render(context.Background(), &b)
	return b.Bytes(), err
}
