package cli

import (
	"fmt"
	"sync"
	"time"
)

// Progress shows how far a long task is on one line of a terminal. Elsewhere, and
// with --quiet or --json, it shows nothing.
type Progress struct {
	e       *Env
	mu      sync.Mutex
	begun   time.Time
	last    time.Time
	visible bool // whether it is on a terminal
	drawn   bool
}

// NewProgress begins to show how far a task is.
func (e *Env) NewProgress() *Progress {
	return &Progress{e: e, visible: e.onTerminal() && !e.Quiet && !e.JSON, begun: time.Now()}
}

// Show displays the state; a total of 0 means that it is unknown.
func (p *Progress) Show(done, total int64, what string) {
	if !p.visible {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if time.Since(p.last) < 100*time.Millisecond {
		return
	}
	p.last = time.Now()
	fmt.Fprintf(p.e.Stderr, "\r\x1b[K%s", describeProgress(done, total, what, time.Since(p.begun)))
	p.drawn = true
}

// ShowRows says how many rows were copied, of a number that is not known.
func (p *Progress) ShowRows(rows int64) { p.Show(rows, rows, "rows") }

// ShowBytes says how many bytes were handled.
func (p *Progress) ShowBytes(done, total int64) { p.Show(done>>10, total>>10, "KiB") }

// describeProgress says how far a task is, how fast it goes, and how long it
// will take at that rate. total 0 means that it is not known.
func describeProgress(done, total int64, what string, passed time.Duration) string {
	text := fmt.Sprintf("%d %s", done, what)
	if total > 0 {
		text = fmt.Sprintf("%d of %d %s", done, total, what)
	}
	if done == 0 || passed < time.Second {
		return text
	}
	rate := float64(done) / passed.Seconds()
	text += fmt.Sprintf(", %.1f/s", rate)
	if total > done {
		left := time.Duration(float64(total-done) / rate * float64(time.Second))
		text += fmt.Sprintf(", %s left", left.Round(time.Second))
	}
	return text
}

// TellBetween calls tell to print something else while no state is displayed.
func (p *Progress) TellBetween(tell func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.Clear()
	p.drawn = false
	tell()
}

// Clear removes the displayed state.
func (p *Progress) Clear() {
	if p.drawn {
		fmt.Fprint(p.e.Stderr, "\r\x1b[K")
	}
}
