package screen

import (
	"bytes"
	"cmp"
	"fmt"
	"html/template"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

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
	fmt.Fprintf(w, "\n%s\n", wrap(r.Statement, 100))
	return w.Flush()
}

func wrap(text string, width int) string {
	var b strings.Builder
	n := 0
	for _, word := range strings.Fields(text) {
		if n > 0 && n+1+len(word) > width {
			b.WriteByte('\n')
			n = 0
		} else if n > 0 {
			b.WriteByte(' ')
			n++
		}
		b.WriteString(word)
		n += len(word)
	}
	return b.String()
}

// HTML renders the report as a page that needs nothing else.
func (r *Report) HTML() ([]byte, error) {
	var b bytes.Buffer
	err := page.Execute(&b, map[string]any{"R": r, "Parts": r.parts()})
	return b.Bytes(), err
}

// pageHead begins the pages of a screening.
const pageHead = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1d2733 }
table { border-collapse: collapse; width: 100% }
td, th { text-align: left; padding: .2rem .6rem .2rem 0; vertical-align: top }
.n { text-align: right; font-variant-numeric: tabular-nums }
.bar { width: 50% }
.bar div { background: #2f6f8f; height: .9rem; min-width: 1px }
.note { border-left: 4px solid #b5651d; padding-left: 1rem }
@media (prefers-color-scheme: dark) { body { background: #14191f; color: #dde5ec } }
</style>
`

var page = template.Must(template.New("report").Parse(pageHead + `<title>Screening against release {{.R.Release}}</title>
<h1>What is in this data set</h1>
<p>{{.R.Rows}} rows of {{.R.Files}} files, against release {{.R.Release}} of {{.R.Registry}}, judged at {{.R.JudgedAt}}.{{if .R.Unusable}} {{.R.Unusable}} rows have neither a web address nor a text.{{end}}{{if .R.Site}} Only what {{.R.Site}} has.{{end}}</p>
<p class="note">{{.R.Statement}}</p>
{{range .Parts}}<h2>{{.Title}}</h2>
<table><thead><tr><th scope="col">Word<th scope="col">Rows<th scope="col">Percent<th scope="col">Share</thead>
{{range .Counts}}<tr><td>{{.Word}}<td class="n">{{.Rows}}<td class="n">{{printf "%.1f" .Share}}<td class="bar"><div style="width: {{printf "%.2f" .Share}}%"></div>
{{end}}</table>
{{end}}{{if .R.Faults}}<h2>Faults</h2><p>{{.R.FaultCount}} in all.</p><ul>{{range .R.Faults}}<li>{{.}}{{end}}</ul>{{end}}
</html>
`))
