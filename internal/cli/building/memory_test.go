package building

import (
	"math"
	"runtime/debug"
	"testing"

	"colophon/internal/assert"
	"colophon/internal/cli"
	"colophon/internal/registrydir"
)

// TestBoundMemory checks that a command tells the garbage collector how much
// memory it needs, and respects the operator's own limit.
func TestBoundMemory(t *testing.T) {
	before := debug.SetMemoryLimit(-1)
	t.Cleanup(func() { debug.SetMemoryLimit(before) })
	for set, want := range map[string]int64{"": 256<<20 + 700*50_000, "9GiB": math.MaxInt64} {
		debug.SetMemoryLimit(math.MaxInt64)
		e := &cli.Env{Dir: registrydir.Dir{Getenv: func(name string) string {
			if name == "GOMEMLIMIT" {
				return set
			}
			return ""
		}}}
		e.BoundMemory(memoryFor(50_000, 500))
		assert.Equal(t, debug.SetMemoryLimit(-1), want, "$GOMEMLIMIT %q", set)
	}
}

// TestMemoryForManyPages checks that a million pages get what they need rather
// than the target, but not half as much again.
func TestMemoryForManyPages(t *testing.T) {
	if got := memoryFor(1_000_000, 1000); got < 800_000_000 || got > 1_800_000_000 {
		t.Errorf("%d bytes", got)
	}
}

// TestMemoryForManyPublishers checks that many publishers get what they need
// too: with too little, a build would do nothing but collect garbage.
func TestMemoryForManyPublishers(t *testing.T) {
	more := memoryFor(50_000, 10_000) - memoryFor(50_000, 1000)
	if each := more / 9000; each < 15<<10 || each > 40<<10 {
		t.Errorf("%d bytes for a publisher", each)
	}
}

// TestSpareCollector checks that a build collects garbage less often, unless
// the operator sets how often.
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
		assert.Equal(t, debug.SetGCPercent(100), want, "$%s is set", set)
	}
}
