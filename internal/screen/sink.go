package screen

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/natefinch/atomic"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"
)

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

// outRow is a result as written; lists are joined by spaces.
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

	Reservations string `parquet:"reservations" json:"reservations"`
	Similar      string `parquet:"similar_reservations" json:"similar_reservations"`
}

var outColumns = []string{
	"source", "row", "url", "matched_by", "entry_id", "site", "publisher", "similarity", "use", "verdict", "reason", "depends_on", "ask", "judged_at", "fault",
	"reservations", "similar_reservations",
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
		Ask: ask, JudgedAt: at, Fault: r.Fault, Reservations: strings.Join(r.Reservations, " "), Similar: strings.Join(r.Similar, " "),
	}
}

// dashed joins words so that they stand for one use.
func dashed(words []string) string {
	if len(words) == 0 {
		return "-"
	}
	return strings.Join(words, ",")
}

// File writes results to a file, which appears complete or not at all. Until
// then they are in a partial file beside it, which a later run of the same
// question continues. The partial file of a Parquet file holds JSON lines.
type File struct {
	path     string
	part     *os.File
	out      *bufio.Writer
	form     rowWriter
	release  *Release
	question string
	next     time.Time // when to note again how far it is
}

type rowWriter interface {
	write(rows []outRow) error
	close() error
}

// State is how far an earlier run of the same question came.
type State struct {
	Question string
	At       string // instant of its verdicts
	Bytes    int64  // of the part that are complete
	Report   *Report
}

func partOf(path string) string {
	return filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".part")
}

func stateOf(path string) string { return partOf(path) + ".json" }

// Create begins a file in the form that its ending names: .parquet, .csv or
// .jsonl, or continues with what an earlier run of the same question left, and
// returns how far that came. A question of "" begins again. The metadata of
// Parquet names the release.
func Create(path string, r *Release, question string) (*File, *State, error) {
	ext := strings.ToLower(filepath.Ext(path))
	if ext != ".parquet" && ext != ".csv" && ext != ".jsonl" && ext != ".ndjson" {
		return nil, nil, fmt.Errorf("the form of %q is not known: it must end in .parquet, .csv or .jsonl", path)
	}
	part, err := os.OpenFile(partOf(path), os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, nil, err
	}
	before, length := readState(path, question), int64(0)
	if info, err := part.Stat(); before != nil && err == nil && info.Size() >= before.Bytes {
		length, r.at = before.Bytes, before.At
	} else {
		before = nil
		os.Remove(stateOf(path)) //nolint:errcheck // it may not be there
	}
	f := &File{path: path, part: part, out: bufio.NewWriterSize(part, 1<<18), release: r, question: question, next: time.Now().Add(saveEvery)}
	if err = part.Truncate(length); err == nil {
		_, err = part.Seek(length, io.SeekStart)
	}
	if ext == ".csv" {
		c := &csvRows{w: csv.NewWriter(f.out)}
		if f.form = c; err == nil && length == 0 {
			err = c.w.Write(outColumns)
		}
	} else {
		e := json.NewEncoder(f.out)
		e.SetEscapeHTML(false)
		f.form = &jsonRows{e}
	}
	if err != nil {
		f.Discard()
		return nil, nil, err
	}
	return f, before, nil
}

// readState returns what an earlier run of the question noted, nil for none.
func readState(path, question string) *State {
	data, err := os.ReadFile(stateOf(path))
	s := new(State)
	if question == "" || err != nil || json.Unmarshal(data, s) != nil || s.Question != question || s.Report == nil {
		return nil
	}
	return s
}

// Write adds results.
func (f *File) Write(results []Result) error {
	rows := make([]outRow, len(results))
	for i := range results {
		rows[i] = outRowOf(&results[i], f.release.at)
	}
	return f.form.write(rows)
}

// saveEvery is how long a run continues without recording its progress, unless
// that takes long: counting millions of domains makes it so.
var saveEvery = 5 * time.Second

// Save records the progress of the file, now and then.
func (f *File) Save(report *Report) error {
	begun := time.Now()
	if f.question == "" || begun.Before(f.next) {
		return nil
	}
	defer func() { f.next = time.Now().Add(max(saveEvery, 20*time.Since(begun))) }()
	if err := errors.Join(f.form.close(), f.out.Flush(), f.part.Sync()); err != nil {
		return err
	}
	length, err := f.part.Seek(0, io.SeekCurrent)
	if err != nil {
		return err
	}
	data, err := json.Marshal(&State{Question: f.question, At: f.release.at, Bytes: length, Report: report})
	if err != nil {
		return err
	}
	return atomic.WriteFile(stateOf(f.path), bytes.NewReader(data))
}

// Close completes the file and gives it its name.
func (f *File) Close() error {
	err := errors.Join(f.form.close(), f.out.Flush())
	if err == nil && strings.EqualFold(filepath.Ext(f.path), ".parquet") {
		err = f.toParquet()
	}
	if err = errors.Join(err, f.part.Sync(), f.part.Close()); err == nil {
		err = os.Rename(partOf(f.path), f.path)
	}
	os.Remove(stateOf(f.path)) //nolint:errcheck // it may not be there
	if err != nil {
		os.Remove(partOf(f.path)) //nolint:errcheck // no longer needed
	}
	return err
}

// toParquet writes the rows of the part as Parquet in its place.
func (f *File) toParquet() error {
	if _, err := f.part.Seek(0, io.SeekStart); err != nil {
		return err
	}
	next, err := os.CreateTemp(filepath.Dir(f.path), "."+filepath.Base(f.path)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(next.Name()) //nolint:errcheck // it has another name by then
	out := bufio.NewWriterSize(next, 1<<18)
	r := f.release
	w := parquet.NewGenericWriter[outRow](out, parquet.Compression(&zstd.Codec{Level: zstd.SpeedDefault, Concurrency: 1}),
		parquet.CreatedBy("colophon", "1", "screen"), parquet.MaxRowsPerRowGroup(1<<16),
		parquet.KeyValueMetadata("colophon.statement", Statement), parquet.KeyValueMetadata("colophon.release", r.Catalog.Name),
		parquet.KeyValueMetadata("colophon.root", r.Catalog.Root))
	in := json.NewDecoder(bufio.NewReaderSize(f.part, 1<<18))
	for err == nil {
		var row [1]outRow
		if err = in.Decode(&row[0]); err == nil {
			_, err = w.Write(row[:])
		}
	}
	if err == io.EOF {
		err = nil
	}
	if err = errors.Join(err, w.Close(), out.Flush(), next.Chmod(0o644)); err != nil {
		return errors.Join(err, next.Close())
	}
	if err = os.Rename(next.Name(), partOf(f.path)); err != nil {
		return errors.Join(err, next.Close())
	}
	old := f.part
	f.part = next
	return old.Close()
}

// Leave keeps the part for a later run.
func (f *File) Leave() { f.part.Close() }

// Discard abandons the file.
func (f *File) Discard() {
	f.part.Close()
	os.Remove(stateOf(f.path)) //nolint:errcheck // it may not be there
	os.Remove(partOf(f.path))  //nolint:errcheck // nothing is lost
}

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
			cell(r.Source), itoa(r.Row), cell(r.URL), r.MatchedBy, r.EntryID, r.Site, cell(r.Publisher), similarity, r.Use, r.Verdict, r.Reason, r.DependsOn, r.Ask, r.JudgedAt, cell(r.Fault),
			r.Reservations, r.Similar,
		})
		if err != nil {
			return err
		}
	}
	c.w.Flush()
	return c.w.Error()
}

// cell keeps a spreadsheet from taking the text of others for a formula.
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
