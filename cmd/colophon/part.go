package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"colophon/generator"
	"colophon/generator/target/bucket"
)

// partFlags are those of build that spread it over machines.
type partFlags struct {
	part     string
	join     bool
	to       string
	endpoint string
}

// validate checks them.
func (f *partFlags) validate(dryRun bool) error {
	if f.part == "" && !f.join {
		if f.to != "" {
			return usage("--to is for --part and --join; a build is published with \"colophon publish\"")
		}
		return nil
	}
	if f.part != "" && f.join {
		return usage("--part and --join are two calls: the join follows the last part")
	}
	if dryRun {
		return usage("--dry-run tells what a whole build would do, without --part and --join")
	}
	return nil
}

// openPartBucket opens the bucket that --to names; nil without.
func (e *env) openPartBucket(f *partFlags) (*bucket.Bucket, error) {
	if f.to == "" {
		return nil, nil
	}
	b, err := bucket.Open(f.to, bucket.Options{Endpoint: f.endpoint, Region: e.getenv("AWS_REGION")})
	if err != nil {
		return nil, usageError{err}
	}
	return b, nil
}

// partStore is where parts are kept: in the bucket, or beside the folder of the
// build.
func partStore(to *bucket.Bucket, out string) generator.PartStore {
	if to != nil {
		return to.Parts()
	}
	return generator.PartsBeside(out)
}

// publishedIn reads what the bucket of --to has published; nil without one.
func publishedIn(to *bucket.Bucket) generator.RootReader {
	if to == nil {
		return nil
	}
	return to.SegmentsRoot
}

// buildPart makes one part.
func (e *env) buildPart(ctx context.Context, s settings, out string, f *partFlags) error {
	part, err := generator.ParsePart(f.part)
	if err != nil {
		return usageError{err}
	}
	to, err := e.openPartBucket(f)
	if err != nil {
		return err
	}
	opt, err := e.buildOptions(s, nil)
	if err != nil {
		return err
	}
	store, done, err := e.openForBuild(ctx)
	if err != nil {
		return err
	}
	p := e.newProgress()
	defer p.clearLine()
	opt.Progress = p.showProgress
	opt.Elsewhere = publishedIn(to)
	keep := partStore(to, out)
	report, err := generator.BuildPart(ctx, store, out, part, keep, opt)
	if closed := done(); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	p.clearLine()
	e.printNote("kept in %s", keep)
	return e.printResult(partRow(&report), func(w io.Writer) { printPart(w, &report) })
}

func partRow(r *generator.PartReport) map[string]any {
	return map[string]any{
		"part": r.Part.Number, "of": r.Part.Of, "sequence": r.Sequence, "publishers": r.Publishers, "entries": r.Entries,
		"signatures": r.Signatures, "bytes": r.Bytes, "seconds": r.Duration.Seconds(),
	}
}

func printPart(w io.Writer, r *generator.PartReport) {
	for _, row := range [][2]string{
		{"part", r.Part.String()}, {"publishers", fmt.Sprint(r.Publishers)}, {"entries", fmt.Sprint(r.Entries)},
		{"signatures", fmt.Sprint(r.Signatures)}, {"bytes", fmt.Sprint(r.Bytes)}, {"time", r.Duration.Round(time.Millisecond).String()},
	} {
		fmt.Fprintf(w, "%-15s %s\n", row[0], row[1])
	}
}

// joinParts builds with what parts made, publishes to the bucket if one is
// named, and removes the parts.
func (e *env) joinParts(ctx context.Context, s settings, out string, flags buildFlags) error {
	to, err := e.openPartBucket(&flags.parts)
	if err != nil {
		return err
	}
	flags.store = partStore(to, out)
	flags.elsewhere = publishedIn(to)
	report, err := e.buildInto(ctx, s, out, flags)
	if err != nil {
		return err
	}
	for _, why := range report.Parts.Unused {
		e.printWarning("%v", why)
	}
	row := reportRow(report)
	row["entries_from_parts"], row["signatures_from_parts"] = report.Parts.Entries, report.Parts.Signatures
	var sent bucket.Report
	if to != nil {
		release, err := readRelease(out, s.BaseURL)
		if err != nil {
			return err
		}
		p := e.newProgress()
		sent, err = to.PublishFolder(ctx, out, release, bucket.PublishOptions{Grace: bucket.DefaultGrace, Now: time.Now(), Progress: p.showProgress})
		p.clearLine()
		if err != nil {
			return err
		}
		row["published"] = publishRow(to, &sent)
	}
	if err := removeParts(ctx, flags.store, &report); err != nil {
		return err
	}
	return e.printResult(row, func(w io.Writer) {
		printReport(w, report)
		fmt.Fprintf(w, "%-15s %d entries, %d signatures of %d parts\n", "from parts", report.Parts.Entries, report.Parts.Signatures, report.Parts.Used)
		if to != nil {
			printPublished(w, false, to, &sent)
		}
	})
}

// removeParts removes the parts that were there when the join began.
func removeParts(ctx context.Context, store generator.PartStore, r *generator.Report) (err error) {
	names := r.Parts.Names
	if r.Unchanged {
		if names, err = store.ListParts(ctx); err != nil {
			return err
		}
	}
	return store.RemoveParts(ctx, names)
}
