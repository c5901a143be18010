package generator

import (
	"context"
	"time"

	"colophon/internal/origin"
)

// DryRun tells what Build would issue and whether it would be refused,
// without writing anything.
func DryRun(ctx context.Context, store origin.Catalog, dir string, opt Options) (Report, error) {
	start := time.Now()
	b := &build{store: unwritten{store}, opt: opt}
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
	records, err := b.issue(ctx)
	if err != nil {
		return Report{}, err
	}
	b.name(records)
	b.report.Publishers, b.report.Duration = int64(len(b.sites)), time.Since(start)
	return b.report, nil
}

// unwritten is a store in which nothing is written.
type unwritten struct{ origin.Catalog }

func (unwritten) AddRecord(context.Context, origin.Record) error { return nil }

func (unwritten) PutEvidence(context.Context, origin.Evidence) error { return nil }

func (unwritten) AddPolicy(context.Context, origin.PolicyVersion) error { return nil }

func (unwritten) EndPolicy(context.Context, string, int64, string) error { return nil }
