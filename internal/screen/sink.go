package screen

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"
)

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

// outRow is a result as it is written: lists are joined by a space.
type outRow struct {
	Source     string  `parquet:"source,dict" json:"source"`
	Row        int64   `parquet:"row" json:"row"`
	URL        string  `parquet:"url" json:"url"`
	MatchedBy  string  `parquet:"matched_by,dict" json:"matched_by"`
	EntryID    string  `parquet:"entry_id" json:"entry_id"`
	Site       string  `parquet:"site,dict" json:"site"`
	Publisher  string  `parquet:"publisher,dict" json:"publisher"`
	Similarity float64 `parquet:"similarity" json:"similarity"`
	Use        string  `parquet:"use,dict" json:"use"`
	Verdict    string  `parquet:"verdict,dict" json:"verdict"`
	Reason     string  `parquet:"reason,dict" json:"reason"`
	DependsOn  string  `parquet:"depends_on,dict" json:"depends_on"`
	Ask        string  `parquet:"ask" json:"ask"`
	JudgedAt   string  `parquet:"judged_at,dict" json:"judged_at"`
	Fault      string  `parquet:"fault,dict" json:"fault"`
}

var outColumns = []string{
	"source", "row", "url", "matched_by", "entry_id", "site", "publisher", "similarity", "use", "verdict", "reason", "depends_on", "ask", "judged_at", "fault",
}

// outRowOf writes a result down. Of several uses, use, verdict, reason,
// depends_on and ask name one after the other, by a space.
func outRowOf(r *Result, at string) outRow {
	join := func(part func(*Verdict) string) string {
		list := make([]string, len(r.Uses))
		for i := range r.Uses {
			list[i] = part(&r.Uses[i])
		}
		return strings.Join(list, " ")
	}
	ask := ""
	for i := range r.Uses {
		if ask == "" {
			ask = r.Uses[i].Ask
		}
	}
	return outRow{
		Source: r.Source, Row: r.Number, URL: strings.ToValidUTF8(r.URL, "\uFFFD"), MatchedBy: string(r.MatchedBy), EntryID: strings.Join(r.Entries, " "),
		Site: strings.Join(r.Sites, " "), Publisher: strings.Join(r.Publishers, "; "), Similarity: r.Similarity,
		Use: join(func(v *Verdict) string { return v.Use }), Verdict: join(func(v *Verdict) string { return v.Verdict }),
		Reason: join(func(v *Verdict) string { return v.Reason }), DependsOn: join(func(v *Verdict) string { return dashed(v.DependsOn) }),
		Ask: ask, JudgedAt: at, Fault: r.Fault,
	}
}

// dashed joins words so that they stand for one use.
func dashed(words []string) string {
	if len(words) == 0 {
		return "-"
	}
	return strings.Join(words, ",")
}

// File writes results to a file, which appears whole or not at all.
type File struct {
	path string
	temp *os.File
	out  *bufio.Writer
	at   string
	form rowWriter
}

type rowWriter interface {
	write(rows []outRow) error
	close() error
}

// Create begins a file in the form that its ending names: .parquet, .csv or
// .jsonl. What is said of the release stands in the metadata of Parquet.
func Create(path string, r *Release) (*File, error) {
	ext := strings.ToLower(filepath.Ext(path))
	if ext != ".parquet" && ext != ".csv" && ext != ".jsonl" && ext != ".ndjson" {
		return nil, fmt.Errorf("the form of %q is not known: it must end in .parquet, .csv or .jsonl", path)
	}
	temp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return nil, err
	}
	f := &File{path: path, temp: temp, out: bufio.NewWriterSize(temp, 1<<18), at: r.at}
	switch ext {
	case ".parquet":
		f.form = &parquetRows{parquet.NewGenericWriter[outRow](f.out, parquet.Compression(&zstd.Codec{Level: zstd.SpeedDefault, Concurrency: 1}),
			parquet.CreatedBy("colophon", "1", "screen"), parquet.MaxRowsPerRowGroup(1<<16),
			parquet.KeyValueMetadata("colophon.statement", Statement), parquet.KeyValueMetadata("colophon.release", r.Catalog.Name),
			parquet.KeyValueMetadata("colophon.root", r.Catalog.Root))}
	case ".csv":
		c := &csvRows{w: csv.NewWriter(f.out)}
		f.form = c
		err = c.w.Write(outColumns)
	default:
		e := json.NewEncoder(f.out)
		e.SetEscapeHTML(false)
		f.form = &jsonRows{e}
	}
	if err != nil {
		f.Discard()
		return nil, err
	}
	return f, nil
}

// Write adds results.
func (f *File) Write(results []Result) error {
	rows := make([]outRow, len(results))
	for i := range results {
		rows[i] = outRowOf(&results[i], f.at)
	}
	return f.form.write(rows)
}

// Close completes the file and gives it its name.
func (f *File) Close() error {
	err := errors.Join(f.form.close(), f.out.Flush(), f.temp.Sync(), f.temp.Chmod(0o644), f.temp.Close())
	if err == nil {
		err = os.Rename(f.temp.Name(), f.path)
	}
	if err != nil {
		os.Remove(f.temp.Name())
	}
	return err
}

// Discard gives the file up.
func (f *File) Discard() {
	f.temp.Close()
	os.Remove(f.temp.Name())
}

type parquetRows struct {
	w *parquet.GenericWriter[outRow]
}

func (p *parquetRows) write(rows []outRow) error {
	_, err := p.w.Write(rows)
	return err
}

func (p *parquetRows) close() error { return p.w.Close() }

type jsonRows struct{ e *json.Encoder }

func (j *jsonRows) write(rows []outRow) error {
	for i := range rows {
		if err := j.e.Encode(&rows[i]); err != nil {
			return err
		}
	}
	return nil
}

func (j *jsonRows) close() error { return nil }

type csvRows struct{ w *csv.Writer }

func (c *csvRows) write(rows []outRow) error {
	for i := range rows {
		r := &rows[i]
		similarity := ""
		if r.Similarity > 0 {
			similarity = strconv.FormatFloat(r.Similarity, 'f', 3, 64)
		}
		err := c.w.Write([]string{
			r.Source, itoa(r.Row), r.URL, r.MatchedBy, r.EntryID, r.Site, cell(r.Publisher), similarity, r.Use, r.Verdict, r.Reason, r.DependsOn, r.Ask, r.JudgedAt, r.Fault,
		})
		if err != nil {
			return err
		}
	}
	c.w.Flush()
	return c.w.Error()
}

// cell keeps a spreadsheet from taking a name for a formula.
func cell(s string) string {
	if s != "" && strings.ContainsRune("=+-@\t\r", rune(s[0])) {
		return "'" + s
	}
	return s
}

func (c *csvRows) close() error {
	c.w.Flush()
	return c.w.Error()
}

// Nowhere takes results that nobody wants to have.
type Nowhere struct{}

// Write does nothing.
func (Nowhere) Write([]Result) error { return nil }

var _ io.Closer = (*File)(nil)
