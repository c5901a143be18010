package main

import (
	"math"
	"runtime/debug"
	"testing"
)

// A command tells the collector how much memory it needs, and leaves the
// operator's own bound alone.
func TestBoundMemory(t *testing.T) {
	before := debug.SetMemoryLimit(-1)
	t.Cleanup(func() { debug.SetMemoryLimit(before) })
	for set, want := range map[string]int64{"": 200<<20 + 50_000<<10, "9GiB": math.MaxInt64} {
		debug.SetMemoryLimit(math.MaxInt64)
		e := &env{getenv: func(name string) string {
			if name == "GOMEMLIMIT" {
				return set
			}
			return ""
		}}
		e.boundMemory(memoryFor(50_000, 500))
		if got := debug.SetMemoryLimit(-1); got != want {
			t.Errorf("$GOMEMLIMIT %q: %d, want %d", set, got, want)
		}
	}
}

// Many pages get what they need, not what is aimed for.
func TestMemoryForManyPages(t *testing.T) {
	if got, want := memoryFor(1_000_000, 1000), int64(100<<20+3_000_000<<10); got != want {
		t.Errorf("%d, want %d", got, want)
	}
}

// Many publishers get what they need, too: a build of which all memory is held would
// do nothing but collect.
func TestMemoryForManyPublishers(t *testing.T) {
	if got, want := memoryFor(50_000, 10_000), int64(200<<20+50_000<<10+9_000*40<<10); got != want {
		t.Errorf("%d, want %d", got, want)
	}
}

// The collector of a build works less often, unless the operator says how often.
func TestSpareCollector(t *testing.T) {
	before := debug.SetGCPercent(100)
	t.Cleanup(func() { debug.SetGCPercent(before) })
	for set, want := range map[string]int{"": 300, "GOGC": 100, "GOMEMLIMIT": 100} {
		debug.SetGCPercent(100)
		e := &env{getenv: func(name string) string {
			if name == set {
				return "50"
			}
			return ""
		}}
		e.spareCollector()
		if got := debug.SetGCPercent(100); got != want {
			t.Errorf("$%s is set: %d, want %d", set, got, want)
		}
	}
}
