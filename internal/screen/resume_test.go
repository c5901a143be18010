package screen

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// urlList returns a file with a list of URLs, one in three of which is
// registered.
func urlList(t *testing.T, n int) string {
	t.Helper()
	var b bytes.Buffer
	for i := range n {
		if i%3 == 0 {
			fmt.Fprintln(&b, inventedURL(i%100))
		} else {
			fmt.Fprintf(&b, "https://nobody.example/%d\n", i)
		}
	}
	path := filepath.Join(t.TempDir(), "urls.txt")
	must(t, os.WriteFile(path, b.Bytes(), 0o644))
	return path
}

// runTo screens a list into a file; it is interrupted after stop batches, or
// never if stop is 0.
func runTo(t *testing.T, list, out string, stop int) (report *Report, before *State, err error) {
	t.Helper()
	inventedSites = 10
	r := invented(100)
	r.at = "2026-11-23T00:00:00Z"
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	told := 0
	j := &Job{Input: Input{Paths: []string{list}}, Release: r, Uses: []string{"training"}, Workers: 2, Out: out, GoesOn: func(s *State) { before = s }}
	j.Told = func(Progress) {
		if told++; told == stop {
			cancel()
		}
	}
	report, err = j.Run(ctx)
	return report, before, err
}

// TestGoesOnWhereItWas interrupts a screening twice, and requires the same
// bytes and report as without interruptions.
func TestGoesOnWhereItWas(t *testing.T) {
	defer func(d time.Duration) { saveEvery = d }(saveEvery)
	saveEvery = 0
	list := urlList(t, 20*batchRows+77)
	for _, ending := range []string{".csv", ".jsonl", ".parquet"} {
		whole, parted := filepath.Join(t.TempDir(), "out"+ending), filepath.Join(t.TempDir(), "out"+ending)
		want, _, err := runTo(t, list, whole, 0)
		must(t, err)
		for _, stop := range []int{3, 4} {
			if _, _, err := runTo(t, list, parted, stop); !errors.Is(err, context.Canceled) || !strings.HasSuffix(err.Error(), "; run the same command again to continue") {
				t.Fatalf("interrupted: %v", err)
			}
			if _, err := os.Stat(parted); err == nil {
				t.Error("an interrupted run gave the file its name")
			}
		}
		got, before, err := runTo(t, list, parted, 0)
		if err != nil || before == nil || before.Report.Rows > got.Rows {
			t.Fatalf("%v, after %v", err, before)
		}
		if fmt.Sprint(*got) != fmt.Sprint(*want) {
			t.Errorf("%s: the report is\n%v\nwant\n%v", ending, *got, *want)
		}
		a, _ := os.ReadFile(whole)
		b, _ := os.ReadFile(parted)
		if len(a) == 0 || !bytes.Equal(a, b) {
			t.Errorf("%s: %d bytes after interruptions, %d without", ending, len(b), len(a))
		}
		if left, _ := os.ReadDir(filepath.Dir(parted)); len(left) != 1 {
			t.Errorf("%s: %d files are left", ending, len(left))
		}
	}
	// An interrupted screening is not continued for another query.
	out := filepath.Join(t.TempDir(), "out.csv")
	if _, _, err := runTo(t, list, out, 3); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	must(t, os.WriteFile(list, []byte("https://nobody.example/\n"), 0o644))
	if report, before, err := runTo(t, list, out, 0); err != nil || before != nil || report.Rows != 1 {
		t.Errorf("another input: %v, %v, %v", report, before, err)
	}
}

// endlessLine reads as a line of left bytes, then rest.
type endlessLine struct {
	left int64
	rest io.Reader
}

func (e *endlessLine) Read(p []byte) (int, error) {
	if e.left == 0 {
		return e.rest.Read(p)
	}
	n := int(min(int64(len(p)), e.left))
	for i := range p[:n] {
		p[i] = 'x'
	}
	e.left -= int64(n)
	return n, nil
}

// TestLineOfAGigabyte reads a line of a gigabyte in every form that has lines.
// It must be reported, what follows must be read, and memory must stay small.
func TestLineOfAGigabyte(t *testing.T) {
	length := int64(1 << 30)
	if testing.Short() {
		length = 256 << 20
	}
	const want = "https://a.example/after"
	for format, after := range map[string]string{
		"jsonl": "\n{\"url\":\"" + want + "\"}\n", "urls": "\n" + want + "\n",
		"warc": "\nWARC/1.0\nWARC-Type: conversion\nWARC-Target-URI: " + want + "\nContent-Length: 2\n\nhi\n\n\n",
	} {
		in := Input{Format: format, Stdin: &endlessLine{length, strings.NewReader(after)}}
		faults, found := 0, false
		var before, now runtime.MemStats
		runtime.ReadMemStats(&before)
		err := in.Read("-", func(r Row) error {
			if r.Fault != "" {
				faults++
			}
			found = found || r.URL == want
			return nil
		})
		runtime.ReadMemStats(&now)
		if err != nil || faults != 1 || !found {
			t.Errorf("%s: %d faults, the next row was read: %t, %v", format, faults, found, err)
		}
		if used := now.TotalAlloc - before.TotalAlloc; used > 128<<20 {
			t.Errorf("%s: %d MiB were allocated", format, used>>20)
		}
	}
}

// TestFailedRunLeavesNothing checks that a run that ends with an error leaves
// no file, and that one without Out writes none.
func TestFailedRunLeavesNothing(t *testing.T) {
	inventedSites = 10
	dir := t.TempDir()
	rows := filepath.Join(dir, "rows.csv")
	must(t, os.WriteFile(rows, []byte("url,text\nhttps://nobody.example/,words\n"), 0o644))
	j := &Job{Input: Input{Paths: []string{rows}, URLColumn: "address"}, Release: invented(100), Uses: []string{"training"}, Workers: 1, Out: filepath.Join(dir, "out.csv")}
	var column *ColumnError
	if report, err := j.Run(t.Context()); !errors.As(err, &column) || report != nil {
		t.Errorf("a column that is not there: %v, %v", report, err)
	}
	j.Input.URLColumn, j.Out = "", ""
	if report, err := j.Run(t.Context()); err != nil || report.Rows != 1 {
		t.Errorf("without Out: %v, %v", report, err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("%d files are left: %v", len(left), left)
	}
}
