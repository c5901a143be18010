package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"
)

// handlers lists the handlers to measure, with the status that they answer.
var handlers = []struct {
	name, target string
	status       int
}{
	{"trivial", "/hello", 200},
	{"50 records", "/json", 200},
	{"404", "/none", 404},
	{"verify", "/verify", 200},
	{"D1 read", "/read?key=k1", 200},
	{"D1 write", "/write?key=k1", 200},
}

var connections = []int{1, 16}

const rest = 250 * time.Millisecond

type cell struct {
	side, handler string
	connections   int
}

type table struct {
	sides []string
	cells map[cell]result
}

// measureAll alternates between sides: each round measures every side once, so
// that other work on the machine affects all of them, and each round begins
// with another side. Before each measurement it waits for the previous side to
// settle, since it may still be collecting garbage.
func measureAll(ctx context.Context, s *sides) (*table, error) {
	t := &table{cells: map[cell]result{}}
	for _, one := range s.list {
		t.sides = append(t.sides, one.name)
	}
	for round := range rounds {
		turns := slices.Concat(s.list[round%len(s.list):], s.list[:round%len(s.list)])
		for _, h := range handlers {
			for _, n := range connections {
				for _, one := range turns {
					time.Sleep(rest)
					r, err := load(ctx, one.host.Address(), request(h.target), h.status, n, roundTime)
					if err != nil {
						return nil, fmt.Errorf("%s: %w", one.name, err)
					}
					c := cell{one.name, h.name, n}
					t.cells[c] = r.and(t.cells[c])
				}
			}
		}
	}
	return t, nil
}

func (t *table) print(w io.Writer) {
	fmt.Fprintf(w, "%-11s %-6s %9s %9s %9s %9s %10s %10s\n", "handler", "worker", "p50 c=1", "p99 c=1", "p50 c=16", "p99 c=16", "rps c=1", "rps c=16")
	for _, h := range handlers {
		for _, side := range t.sides {
			one, many := t.cells[cell{side, h.name, 1}], t.cells[cell{side, h.name, 16}]
			fmt.Fprintf(w, "%-11s %-6s %9s %9s %9s %9s %10.0f %10.0f\n", h.name, side,
				micro(one.p50()), micro(one.p99()), micro(many.p50()), micro(many.p99()), one.rate(), many.rate())
		}
	}
}

func micro(d time.Duration) string { return fmt.Sprintf("%d us", d.Microseconds()) }

// ratios prints the targets of the bridge with the ratios that were reached.
func (t *table) ratios(w io.Writer) {
	fmt.Fprintf(w, "\n%-52s %8s %8s\n", "ratio", "reached", "target")
	for _, c := range []struct {
		handler string
		most    float64
	}{{"trivial", 1.4}, {"50 records", 2.0}, {"D1 read", 1.4}} {
		edge, plain := t.cells[cell{"edge", c.handler, 1}], t.cells[cell{"plain", c.handler, 1}]
		row(w, "p50 of "+c.handler+", over plain JavaScript", float64(edge.p50())/float64(plain.p50()), c.most, false)
	}
	for _, c := range []struct {
		side  string
		least float64
	}{{"fresh", 8}, {"glue", 30}} {
		for _, n := range connections {
			edge, other := t.cells[cell{"edge", "trivial", n}], t.cells[cell{c.side, "trivial", n}]
			row(w, fmt.Sprintf("requests per second over %s, %d connections", c.side, n), edge.rate()/other.rate(), c.least, true)
		}
	}
	// The ratio of plain JavaScript is the best that a worker can reach.
	for _, n := range connections {
		plain, fresh := t.cells[cell{"plain", "trivial", n}], t.cells[cell{"fresh", "trivial", n}]
		fmt.Fprintf(w, "%-52s %8.2f\n", fmt.Sprintf("plain JavaScript over fresh, %d connections", n), plain.rate()/fresh.rate())
	}
}

func row(w io.Writer, name string, reached, target float64, more bool) {
	sign, met := "<=", reached <= target
	if more {
		sign, met = ">=", reached >= target
	}
	note := ""
	if !met {
		note = "  missed"
	}
	fmt.Fprintf(w, "%-52s %8.2f %5s %.1f%s\n", name, reached, sign, target, note)
}
