package building

import (
	"context"
	"errors"
	"fmt"
	"io"

	"colophon/generator"
	"colophon/internal/cli"
	"colophon/internal/prose"
	"colophon/internal/registrydir"
)

// ListWithdrawn lists what is no longer public, and does nothing else. With
// --dry-run it only counts.
func ListWithdrawn(ctx context.Context, e *cli.Env, s registrydir.Settings, dir string, told func(generator.Withdrawn)) (generator.Withdrawn, error) {
	opt, err := e.BuildOptions(s, nil)
	if err != nil {
		return generator.Withdrawn{}, err
	}
	opt.Withdrawn = told
	store, done, err := e.OpenForBuild(ctx)
	if err != nil {
		return generator.Withdrawn{}, err
	}
	publish := generator.PublishWithdrawals
	if e.DryRun {
		publish = generator.CountWithdrawals
	}
	w, err := publish(ctx, store, dir, opt)
	return w, errors.Join(err, done())
}

// publishWithdrawals lists what is no longer public and reports it. The changes
// remain due for the next build.
func publishWithdrawals(ctx context.Context, e *cli.Env, s registrydir.Settings, dir string) error {
	withdrawn, err := ListWithdrawn(ctx, e, s, dir, nil)
	if err != nil {
		return err
	}
	e.PrintNext("colophon publish --dir %s, colophon build --dir %s", e.Path, e.Path)
	return e.PrintResult(map[string]any{"withdrawn": withdrawnRow(withdrawn)}, func(w io.Writer) {
		if !withdrawn.Any() {
			fmt.Fprintln(w, "no entry and no publisher that was withdrawn is published; the list is up to date")
			return
		}
		fmt.Fprintf(w, "withdrawn: %s\n", describeWithdrawn(withdrawn))
	})
}

// noteWithdrawn reports what is no longer answered.
func noteWithdrawn(e *cli.Env, w generator.Withdrawn) {
	e.PrintNote("withdrawn: %s", describeWithdrawn(w))
}

// describeWithdrawn returns a text such as "3 entries" or "30 entries, with
// those of 1 publisher".
func describeWithdrawn(w generator.Withdrawn) string {
	text := prose.Counted(w.Entries, "entry", "entries")
	if w.Publishers > 0 {
		text = fmt.Sprintf("%s, with those of %s", text, prose.Counted(w.Publishers, "publisher", "publishers"))
	}
	return text
}

func withdrawnRow(w generator.Withdrawn) map[string]any {
	return map[string]any{"entries": w.Entries, "publishers": w.Publishers}
}
