package cli

import (
	"bytes"
	"testing"
	"time"
)

func TestDescribeProgress(t *testing.T) {
	for _, c := range []struct {
		done, total int64
		passed      time.Duration
		want        string
	}{
		{5, 0, 0, "5 pages"}, {5, 20, 0, "5 of 20 pages"}, {50, 0, 10 * time.Second, "50 pages, 5.0/s"}, {50, 100, 10 * time.Second, "50 of 100 pages, 5.0/s, 10s left"},
		{100, 100, 10 * time.Second, "100 of 100 pages, 10.0/s"},
	} {
		if got := describeProgress(c.done, c.total, "pages", c.passed); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// TestProgressIsForTerminals shows progress where nobody sees it: nothing is written.
func TestProgressIsForTerminals(t *testing.T) {
	for name, e := range map[string]*Env{"a pipe": {}, "--quiet": {Quiet: true}, "--json": {JSON: true}} {
		var told bytes.Buffer
		e.Stderr = &told
		p := e.NewProgress()
		p.begun = p.begun.Add(-time.Minute)
		p.last = p.begun
		p.Show(5, 20, "pages")
		p.Clear()
		if told.Len() > 0 {
			t.Errorf("%s: %q", name, told.String())
		}
	}
}
