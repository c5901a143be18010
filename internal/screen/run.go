package screen

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// Job is a screening.
type Job struct {
	Input   Input
	Release *Release
	Uses    []string
	Site    string
	Keep    []string // verdicts of which a row must have one to be written; empty: all rows
	Content bool     // count domains and reservations too
	Workers int
	Out     string         // file for the results, see Create; "" for none
	At      string         // requested instant of the verdicts, "" for that of the run
	Told    func(Progress) // called now and then; may be nil
	GoesOn  func(*State)   // called if it continues an earlier run to Out; may be nil

	out   *File // nil: results are only counted
	begun int64 // rows of an earlier run, which are passed over
}

// Progress is how far a screening is.
type Progress struct {
	Rows        int64
	Bytes, Size int64 // of the input; a size of 0 is not known
	File, Files int
}

// Rows of a batch, and after how many bytes of texts one ends before.
const (
	batchRows  = 1024
	batchBytes = 4 << 20
)

// batch is a part of the rows with what was found.
type batch struct {
	rows    []Row
	results []Result
	file    int
	err     error
	done    chan struct{}
}

// Run screens all rows. What it writes does not depend on the number of
// workers. Files that end early, and rows that cannot be read, are reported;
// other errors end it. What an interrupted run leaves, the next run of the same
// question continues.
func (j *Job) Run(ctx context.Context) (*Report, error) {
	if j.Out == "" {
		return j.screen(ctx, nil)
	}
	question, err := j.question()
	if err != nil {
		return nil, err
	}
	out, before, err := Create(j.Out, j.Release, question)
	if err != nil {
		return nil, err
	}
	if before != nil && j.GoesOn != nil {
		j.GoesOn(before)
	}
	j.out = out
	defer func() { j.out = nil }()
	report, err := j.screen(ctx, before)
	switch {
	case err == nil:
		return report, out.Close()
	case ctx.Err() != nil:
		out.Leave()
		return nil, fmt.Errorf("%w; run the same command again to continue", err)
	}
	out.Discard()
	return nil, err
}

// screen screens all rows, or those that follow an earlier run.
func (j *Job) screen(ctx context.Context, before *State) (*Report, error) {
	files, err := j.Input.Files()
	if err != nil {
		return nil, err
	}
	report := j.newReport(files)
	if before != nil {
		report = before.Report
	}
	j.begun = report.Rows
	j.Input.taken = new(atomic.Int64)
	size := j.Input.size(files)
	asked := ctx
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	work, order := make(chan *batch, 2*j.Workers), make(chan *batch, 2*j.Workers)
	var group sync.WaitGroup
	for range j.Workers {
		group.Go(func() { j.work(ctx, work) })
	}
	var faults []string
	var readErr error
	group.Go(func() {
		defer close(order)
		defer close(work)
		faults, readErr = j.read(ctx, files, func(b *batch) error {
			select {
			case order <- b:
			case <-ctx.Done():
				return ctx.Err()
			}
			work <- b
			return nil
		})
	})
	err = j.write(order, report, len(files), size)
	cancel()
	for range order { // let the reader end
	}
	group.Wait()
	if err == nil { // what was read before an interruption is incomplete
		err = asked.Err()
	}
	if err = errors.Join(err, ignoreCanceled(readErr)); err != nil {
		return nil, err
	}
	for _, f := range faults {
		report.addFault(f)
	}
	return report, nil
}

func ignoreCanceled(err error) error {
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// read cuts the rows of all files into batches.
func (j *Job) read(ctx context.Context, files []string, give func(*batch) error) (faults []string, err error) {
	passed := int64(0)
	for i, name := range files {
		b, size := newBatch(i), 0
		err := j.Input.Read(name, func(r Row) error {
			if passed < j.begun {
				passed++
				return ctx.Err()
			}
			b.rows = append(b.rows, r)
			if size += len(r.URL) + len(r.Text); len(b.rows) < batchRows && size < batchBytes {
				return nil
			}
			full := b
			b, size = newBatch(i), 0
			return give(full)
		})
		if errors.Is(err, ErrInput) {
			faults = append(faults, err.Error())
		} else if err != nil {
			return faults, err
		}
		if err := give(b); err != nil {
			return faults, err
		}
	}
	return faults, ctx.Err()
}

func newBatch(file int) *batch { return &batch{file: file, done: make(chan struct{})} }

func (j *Job) work(ctx context.Context, in <-chan *batch) {
	m := &Matcher{Release: j.Release, Uses: j.Uses, Site: j.Site, Content: j.Content, decided: map[decided][]reserved{}}
	for b := range in {
		b.results = make([]Result, len(b.rows))
		for i := range b.rows {
			if b.err = ctx.Err(); b.err == nil {
				b.err = m.Match(ctx, &b.rows[i], &b.results[i])
			}
			if j.Content {
				b.results[i].origins = m.originsOf(&b.rows[i], &b.results[i])
			}
			if b.err != nil {
				break
			}
		}
		b.rows = nil
		close(b.done)
	}
}

// write hands results on in the order of the rows.
func (j *Job) write(in <-chan *batch, report *Report, files int, size int64) error {
	for b := range in {
		<-b.done
		if b.err != nil {
			return b.err
		}
		for i := range b.results {
			report.add(&b.results[i])
			if j.Content {
				report.Content.add(b.results[i].origins, j.keeps(&b.results[i]))
			}
		}
		kept := b.results
		if len(j.Keep) > 0 || j.Site != "" {
			kept = slices.DeleteFunc(kept, func(r Result) bool { return !j.keeps(&r) })
		}
		if j.out != nil {
			if err := j.out.Write(kept); err != nil {
				return err
			}
			if err := j.out.Save(report); err != nil {
				return err
			}
		}
		if j.Told != nil {
			j.Told(Progress{report.Rows, j.Input.taken.Load(), size, b.file + 1, files})
		}
	}
	return nil
}

// keeps reports whether a row is written.
func (j *Job) keeps(r *Result) bool {
	if j.Site != "" && r.MatchedBy == ByNothing {
		return false
	}
	return len(j.Keep) == 0 || slices.ContainsFunc(r.Uses, func(v Verdict) bool { return slices.Contains(j.Keep, v.Verdict) })
}

// Digest returns the digest of an input: of one line "<SHA-256 in hex> <size>"
// LF for each file in their order. The standard input has none.
func (in *Input) Digest() (string, error) {
	files, err := in.Files()
	if err != nil {
		return "", err
	}
	all := sha256.New()
	for _, name := range files {
		if name == "-" {
			return "", nil
		}
		line, err := digestLine(name)
		if err != nil {
			return "", err
		}
		io.WriteString(all, line) //nolint:errcheck // a hash never fails
	}
	return "sha-256:" + hex.EncodeToString(all.Sum(nil)), nil
}

func digestLine(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	size, err := io.Copy(h, f)
	if err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)) + " " + itoa(size) + "\n", nil
}

// question returns a digest of everything on which results depend: the files of
// the input by name, size and time of change, the release, the question, and
// the form of Out. It returns "" for standard input, which cannot be read again.
func (j *Job) question() (string, error) {
	files, err := j.Input.Files()
	if err != nil {
		return "", err
	}
	h := sha256.New()
	in := &j.Input
	fmt.Fprintf(h, "%q %q %q %q %q %q\n", in.Format, in.URLColumn, in.TextColumn, strings.ToLower(filepath.Ext(j.Out)), j.At, j.Release.Catalog.Root)
	fmt.Fprintf(h, "%q %q %q %t %t\n", j.Uses, j.Site, j.Keep, j.Release.private != nil, j.Content)
	for _, name := range files {
		if name == "-" {
			return "", nil
		}
		info, err := os.Stat(name)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(h, "%q %d %d\n", name, info.Size(), info.ModTime().UnixNano())
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
