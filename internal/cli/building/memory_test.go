package building

import (
	"math"
	"runtime/debug"
	"testing"

	"colophon/internal/cli"
	"colophon/internal/registrydir"
)

// A command tells the collector how much memory it needs, and leaves the
// operator's own bound alone.
func TestBoundMemory(t *testing.T) {
	before := debug.SetMemoryLimit(-1)
	t.Cleanup(func() { debug.SetMemoryLimit(before) })
	for set, want := range map[string]int64{"": 192<<20 + 768*50_000, "9GiB": math.MaxInt64} {
		debug.SetMemoryLimit(math.MaxInt64)
		e := &cli.Env{Dir: registrydir.Dir{Getenv: func(name string) string {
			if name == "GOMEMLIMIT" {
				return set
			}
			return ""
		}}}
		e.BoundMemory(memoryFor(50_000, 500))
		if got := debug.SetMemoryLimit(-1); got != want {
			t.Errorf("$GOMEMLIMIT %q: %d, want %d", set, got, want)
		}
	}
}

// A million pages get what they need, not what is aimed for, but not half as much again.
func TestMemoryForManyPages(t *testing.T) {
	if got := memoryFor(1_000_000, 1000); got < 800_000_000 || got > 1_800_000_000 {
		t.Errorf("%d bytes", got)
	}
}

// Many publishers get what they need, too: a build that may hold no more than it
// must would do nothing but collect.
func TestMemoryForManyPublishers(t *testing.T) {
	more := memoryFor(50_000, 10_000) - memoryFor(50_000, 1000)
	if each := more / 9000; each < 15<<10 || each > 40<<10 {
		t.Errorf("%d bytes for a publisher", each)
	}
}

// The collector of a build works less often, unless the operator says how often.
func TestSpareCollector(t *testing.T) {
	before := debug.SetGCPercent(100)
	t.Cleanup(func() { debug.SetGCPercent(before) })
	for set, want := range map[string]int{"": 300, "GOGC": 100, "GOMEMLIMIT": 100} {
		debug.SetGCPercent(100)
		e := &cli.Env{Dir: registrydir.Dir{Getenv: func(name string) string {
			if name == set {
				return "50"
			}
			return ""
		}}}
		spareCollector(e)
		if got := debug.SetGCPercent(100); got != want {
			t.Errorf("$%s is set: %d, want %d", set, got, want)
		}
	}
}
