package generator

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"colophon/internal/origin"
)

// DryRun returns what Build would render and issue, and whether it would be
// refused. It writes neither to the origin nor to the published folder.
func DryRun(ctx context.Context, store origin.Catalog, dir string, opt Options) (Report, error) {
	if opt.Signer == nil {
		return Report{}, errNoSigner
	}
	start := time.Now()
	before, err := readBefore(dir)
	if err != nil {
		return Report{}, err
	}
	b := &build{store: unwritten{store}, opt: opt, out: &tree{dir: filepath.Clean(dir)}}
	same, err := b.prepare(ctx, before)
	defer b.plan.closeRows()
	if err != nil {
		return Report{}, err
	}
	if same {
		b.report.Duration = time.Since(start)
		return b.report, nil
	}
	if b.report.Withdrawn, err = CountWithdrawals(ctx, store, dir, opt); err != nil && !errors.Is(err, ErrNothingPublished) {
		return Report{}, err
	}
	temp, err := os.MkdirTemp("", "colophon-dry-*")
	if err != nil {
		return Report{}, err
	}
	defer os.RemoveAll(temp)
	if b.spool, err = newSpool(temp); err != nil {
		return Report{}, err
	}
	defer b.spool.close()
	if err := b.issueRecords(ctx); err != nil {
		return Report{}, err
	}
	b.nameRelease() // without the root, for which the facts are needed
	b.report.Publishers, b.report.Duration = int64(len(b.sites)), time.Since(start)
	return b.report, nil
}

// unwritten is a store that discards all writes.
type unwritten struct{ origin.Catalog }

func (unwritten) AddRecords(context.Context, []origin.Record) error { return nil }

func (unwritten) PutEvidence(context.Context, origin.Evidence) error { return nil }

func (unwritten) AddPolicy(context.Context, origin.PolicyVersion) error { return nil }

func (unwritten) EndPolicy(context.Context, string, int64, string) error { return nil }

func (unwritten) PutBuild(context.Context, string, int64) error { return nil }
