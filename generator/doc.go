// Package generator reads the private origin and publishes everything that can
// be read as static files: records are issued and signed, each family of
// outputs is spelled by a pure function of what the rights gate lets through,
// the files are written beside the previous build, read back, compared with
// what stands there now, and swapped in as one.
//
// Two builds of one origin with one key give the same bytes: every time in
// them comes from the data, and nothing depends on map order or on the number
// of processors.
package generator

import (
	"context"
	"errors"
	"time"

	"colophon/exports"
	"colophon/internal/origin"
	"colophon/internal/provenance"
)

// Options says how to build.
type Options struct {
	BaseURL  string // absolute, without a final slash
	Name     string // of the service, for pages
	Signer   provenance.Signer
	Keys     provenance.KeySet // every public key, the signer's included
	NotYet   string            // instant from which the signer's key counts; records are dated no earlier
	Workers  int               // goroutines that spell entries, at least 1
	Ledger   *LedgerOptions    // nil: no log is kept
	Accept   map[string]bool   // findings to let pass: "vanished", "rollback"
	Progress func(done, total int64, what string)
}

// Report tells what a build did.
type Report struct {
	Release    exports.Release
	Publishers int64
	Pages      int64
	Issued     int64 // records signed by this build
	Logged     int64 // leaves that this build added to the ledger
	LedgerSize int64
	Witnessed  int     // witnesses that cosigned the checkpoint
	Unheard    []error // why others did not
	Files      int64
	Bytes      int64
	Changed    int64 // files that differ from the previous build
	Duration   time.Duration
}

// ErrUnsafe marks a build that was refused because of what it would publish.
var ErrUnsafe = errors.New("the build is not safe to publish")

// Build issues the records that are due and publishes the origin into the
// folder dir, which is replaced as a whole or not at all.
func Build(ctx context.Context, store origin.Catalog, dir string, opt Options) (Report, error) {
	if opt.Signer == nil {
		return Report{}, errors.New("no signing key: make one with \"colophon key generate\"")
	}
	start := time.Now()
	b := &build{store: store, opt: opt}
	if err := b.read(ctx); err != nil {
		return Report{}, err
	}
	before, err := readState(dir)
	if err != nil {
		return Report{}, err
	}
	if err := b.safe(before); err != nil {
		return Report{}, err
	}
	tree, err := newTree(dir)
	if err != nil {
		return Report{}, err
	}
	defer tree.discard()
	b.out = tree
	b.before = readIndex(dir)
	if err := b.publish(ctx); err != nil {
		return Report{}, err
	}
	reached("published")
	if err := tree.seal(b.state()); err != nil {
		return Report{}, err
	}
	reached("sealed")
	changed, err := tree.swap()
	if err != nil {
		return Report{}, err
	}
	reached("swapped")
	b.report.Changed, b.report.Files, b.report.Bytes = changed, tree.files, tree.bytes
	b.report.Duration = time.Since(start)
	return b.report, nil
}

// reached is called after each step of a build that a kill must not harm; the
// tests kill there.
var reached = func(step string) {}

// build is one build under way.
type build struct {
	store      origin.Catalog
	opt        Options
	out        *tree
	report     Report
	release    exports.Release
	sites      []siteFacts // public ones, by site id
	known      map[string]bool
	categories []origin.Category
	demand     []exports.Demand
	changes    int64              // of the origin so far
	latest     string             // instant of its last change
	lastIssued string             // instant of the newest record
	index      exports.Generation // of the static index
	before     *exports.Index     // the index that is published now, nil for none
	machine    bool               // only what programs read: the sandbox
	log        ledgerState
	assetNames map[string]string // name in package site -> address
}
