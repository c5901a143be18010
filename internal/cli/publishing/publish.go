// Package publishing implements the command that synchronizes a bucket with a
// build.
package publishing

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/spf13/cobra"

	"colophon/generator/target"
	"colophon/generator/target/bucket"
	"colophon/internal/cli"
	"colophon/internal/registrydir"
	"colophon/internal/usage"
)

// publishFlags are those of publish.
type publishFlags struct {
	to       string
	endpoint string
	out      string
	accept   []string
	grace    time.Duration
	doubt    bool
	bucket   bucket.Options
}

// Findings that --accept overrides.
const (
	acceptRollback = "rollback"
	acceptMoved    = "moved"
)

// Command publishes a build to a bucket.
func Command(e *cli.Env) *cobra.Command {
	var f publishFlags
	cmd := &cobra.Command{
		Use: "publish", Short: "Publish a build to a bucket (S3, R2, MinIO and others)", Args: cli.ExactArgs(),
		Long: "Publish makes a bucket match the folder of a build: it sends new objects first, then changed ones, then those from which readers start. It deletes objects that the release no longer names after the grace period.\n" +
			"Only what differs is sent. The next run continues an interrupted one; of two at the same time one ends with exit code 1.\n\n" +
			"Credentials come from $AWS_ACCESS_KEY_ID and $AWS_SECRET_ACCESS_KEY, the file of shared credentials, or the machine's role.",
		Example: "  colophon publish --dir registry --to s3://bucket/registry --dry-run\n" +
			"  colophon publish --dir registry --to s3://bucket --endpoint https://ACCOUNT_ID.r2.cloudflarestorage.com",
		RunE: func(cmd *cobra.Command, _ []string) error { return publishRelease(cmd.Context(), e, f) },
	}
	cmd.Flags().StringVar(&f.to, "to", e.Getenv("COLOPHON_TARGET"), "bucket, as s3://bucket/prefix ($COLOPHON_TARGET)")
	e.AddEndpoint(cmd, &f.endpoint)
	cmd.Flags().StringVar(&f.out, "out", "", "folder of the build (default: the setting \"out\")")
	cmd.Flags().StringSliceVar(&f.accept, "accept", nil, "findings that do not stop it: rollback (an older release), moved (another base URL)")
	cmd.Flags().DurationVar(&f.grace, "grace", target.DefaultGrace, "how long immutable objects stay that the release no longer names")
	cmd.Flags().BoolVar(&f.doubt, "check", false, "ask the bucket for every object instead of trusting its list, and repair what differs")
	cmd.Flags().DurationVar(&f.bucket.Lease, "lease", bucket.DefaultLease, "how long a killed run keeps others out")
	cmd.Flags().BoolVar(&e.DryRun, "dry-run", false, "only compare, and report what would be sent and what that costs")
	return cmd
}

func (f *publishFlags) validate() error {
	if f.to == "" {
		return usage.Errorf("say where to publish to with --to s3://bucket/prefix")
	}
	if f.grace < 0 {
		return usage.Errorf("--grace is %s, which is no period", f.grace)
	}
	if f.bucket.Lease < time.Second {
		return usage.Errorf("--lease is %s, not at least a second", f.bucket.Lease)
	}
	for _, a := range f.accept {
		if err := cli.ValidateWord("accept", a, []string{acceptRollback, acceptMoved}); err != nil {
			return err
		}
	}
	return nil
}

func publishRelease(ctx context.Context, e *cli.Env, f publishFlags) error {
	if err := f.validate(); err != nil {
		return err
	}
	dir, baseURL, err := publishedFolder(e, f.out)
	if err != nil {
		return err
	}
	release, err := cli.ReadRelease(dir, baseURL)
	if err != nil {
		return err
	}
	f.bucket.Endpoint, f.bucket.Region = f.endpoint, e.Getenv("AWS_REGION")
	to, err := bucket.Open(f.to, f.bucket)
	if err != nil {
		return usage.Wrap(err)
	}

	p := e.NewProgress()
	defer p.Clear()
	opt := bucket.PublishOptions{Grace: f.grace, DoubtAll: f.doubt, DryRun: e.DryRun, Now: time.Now(), Progress: p.Show}
	opt.Waiting = func(valid time.Duration) {
		e.PrintNote("%s has the lease of a publisher: waiting up to %s to see whether it is at work", to, valid)
	}
	for _, a := range f.accept {
		opt.Rollback = opt.Rollback || a == acceptRollback
		opt.Moved = opt.Moved || a == acceptMoved
	}
	report, err := to.PublishFolder(ctx, dir, release, opt)
	if err != nil {
		return err
	}
	p.Clear()
	return e.PrintResult(publishRow(to, &report), func(w io.Writer) { printPublished(w, e.DryRun, to, &report) })
}

// publishedFolder returns the folder of the build, and the base URL of the
// settings. With --out no settings are needed.
func publishedFolder(e *cli.Env, out string) (dir, baseURL string, err error) {
	if _, err := os.Stat(e.File(registrydir.SettingsFile)); out != "" && errors.Is(err, fs.ErrNotExist) {
		return out, "", nil
	}
	s, err := e.ReadSettings()
	if err != nil {
		return "", "", err
	}
	return e.OutFolder(s, out), s.BaseURL, nil
}

func publishRow(to *bucket.Target, r *bucket.Report) map[string]any {
	return map[string]any{
		"to": to.String(), "release": r.Release, "added": r.Added, "changed": r.Changed, "removed": r.Removed, "unchanged": r.Unchanged,
		"objects_sent": r.Sent, "bytes_sent": r.SentBytes, "present": r.Present, "asked_for": r.Doubted,
		"deleted": r.Deleted, "waiting": r.Waiting, "requests": r.Requests, "seconds": r.Duration.Seconds(),
	}
}

func printPublished(w io.Writer, dryRun bool, to *bucket.Target, r *bucket.Report) {
	verb := "published"
	if dryRun {
		verb = "would publish"
	}
	fmt.Fprintf(w, "%s release %s to %s\n", verb, r.Release, to)
	rows := [][2]string{
		{"objects", fmt.Sprintf("%d added, %d changed, %d removed, %d as they were", r.Added, r.Changed, r.Removed, r.Unchanged)},
		{"sent", fmt.Sprintf("%d objects, %d bytes", r.Sent, r.SentBytes)},
		{"there before", fmt.Sprintf("%d of %d that were asked for", r.Present, r.Doubted)},
		{"deleted", fmt.Sprintf("%d, and %d wait for it", r.Deleted, r.Waiting)},
		{"requests", fmt.Sprintf("%d writes, %d reads, %d deletions", r.Requests.Writes, r.Requests.Reads, r.Requests.Deletes)},
		{"time", r.Duration.Round(time.Millisecond).String()},
	}
	for _, row := range rows {
		fmt.Fprintf(w, "%-15s %s\n", row[0], row[1])
	}
}
