// Package faulttest puts a disk below SQLite that fails and forgets as
// instructed, for tests of what survives.
//
// A Disk sits between SQLite and the operating system, as a VFS (see
// https://www.sqlite.org/vfs.html) around the system's own. It knows which
// writes a file has had since its last fsync, and so can compute what a loss of
// power would leave; and it can fail any write, fsync or other call.
//
// What it proves is as good as its model: a write that was followed by an fsync
// of its file survives; any other write survives, is lost, or is torn at a
// sector, each independently of the others, so that writes may also be
// reordered. It models neither a disk that lies about fsync nor damage to what
// was synced before. The directory is assumed to be as durable as the first
// fsync of a file in it, which SQLite itself takes care of.
package faulttest

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

const sector = 512 // bytes that a disk writes atomically

// Op is a kind of call that SQLite makes.
type Op string

// The calls that can fail.
const (
	Open     Op = "open"
	Write    Op = "write"
	Truncate Op = "truncate"
	Sync     Op = "sync"
	Delete   Op = "delete"
	Lock     Op = "lock"   // that of the one writer, in the index of the log
	Memory   Op = "memory" // mapping of the index of the log
)

// Fault is how a call fails.
type Fault string

// The ways to fail. A call that cannot fail in the given way succeeds.
const (
	NoSpace Fault = "ENOSPC" // writes and mappings
	IO      Fault = "EIO"    // all but locks
	Short   Fault = "short"  // a write of which only a part is done, then ENOSPC
	Busy    Fault = "BUSY"   // locks
)

// Disk is what a VFS stores on. Its methods may be used concurrently.
type Disk struct {
	name string
	at   uintptr // address of its sqlite3_vfs

	mu     sync.Mutex
	files  map[string]*file
	calls  int // that Plan could fail
	plan   Plan
	failed int
}

// Plan selects the calls that fail.
type Plan struct {
	Fault Fault
	From  int // number of the first call that fails, from 1; 0: none fails
	Times int // how many fail; 0: all from then on
}

// file is what a disk knows about a file.
type file struct {
	synced  []byte // content as of the last fsync
	exists  bool   // it was synced at all
	pending []change
}

// change is a write, or with data nil a truncation to at.
type change struct {
	at   int64
	data []byte
}

// Set takes a new plan and counts calls from 0.
func (d *Disk) Set(p Plan) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.plan = p
	d.calls = 0
	d.failed = 0
}

// Calls returns how many calls could have failed with the plan's fault since
// Set.
func (d *Disk) Calls() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.calls
}

// Failed returns how many did.
func (d *Disk) Failed() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.failed
}

// fits reports whether a call can fail in a way.
func fits(op Op, f Fault) bool {
	switch f {
	case NoSpace:
		return op == Write || op == Memory
	case Short:
		return op == Write
	case Busy:
		return op == Lock
	case IO:
		return op != Lock
	}
	return false
}

// fail counts a call and reports whether it fails. d.mu is held.
func (d *Disk) fail(op Op) bool {
	if !fits(op, d.plan.Fault) {
		return false
	}
	d.calls++
	p := d.plan
	if p.From == 0 || d.calls < p.From || p.Times > 0 && d.calls >= p.From+p.Times {
		return false
	}
	d.failed++
	return true
}

// of returns what is known about a file; one that was there before counts as
// synced. d.mu is held.
func (d *Disk) of(path string) *file {
	f := d.files[path]
	if f == nil {
		f = &file{}
		if data, err := os.ReadFile(path); err == nil && len(data) > 0 {
			f.synced, f.exists = data, true
		}
		d.files[path] = f
	}
	return f
}

func (f *file) sync() {
	for _, c := range f.pending {
		f.synced = c.apply(f.synced)
	}
	f.pending, f.exists = nil, true
}

func (c change) apply(content []byte) []byte {
	if c.data == nil {
		if int64(len(content)) > c.at {
			return content[:c.at]
		}
		return content
	}
	for end := c.at + int64(len(c.data)); int64(len(content)) < end; {
		content = append(content, make([]byte, end-int64(len(content)))...)
	}
	copy(content[c.at:], c.data)
	return content
}

// Forget drops the records of the files below dir, which must have been
// removed. The record of a file is as large as the file.
func (d *Disk) Forget(dir string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for path := range d.files {
		if strings.HasPrefix(path, dir+string(filepath.Separator)) {
			delete(d.files, path)
		}
	}
}

// PowerLoss writes into a new folder what a loss of power at this moment would
// leave of the files in dir. If random is nil, nothing survives that was not
// synced.
func (d *Disk) PowerLoss(dir, into string, random *rand.Rand) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	for path, f := range d.files {
		if filepath.Dir(path) != dir || strings.HasSuffix(path, "-shm") { // shared memory is not on the disk
			continue
		}
		content, left := f.lose(random)
		if !left {
			continue
		}
		if err := os.WriteFile(filepath.Join(into, filepath.Base(path)), content, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// lose returns what is left of a file, if anything.
func (f *file) lose(random *rand.Rand) (content []byte, left bool) {
	content, left = append([]byte(nil), f.synced...), f.exists
	if random == nil {
		return content, left
	}
	for _, c := range f.pending {
		switch random.IntN(3) {
		case 0: // lost
			continue
		case 1: // torn
			if sectors := len(c.data) / sector; sectors > 1 {
				c.data = c.data[:sector*random.IntN(sectors)+sector]
			}
		}
		content, left = c.apply(content), true
	}
	return content, left
}
