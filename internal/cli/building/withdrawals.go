package building

import (
	"context"
	"fmt"
	"io"

	"colophon/generator"
	"colophon/internal/cli"
	"colophon/internal/prose"
	"colophon/internal/registrydir"
)

// publishWithdrawals lists what is no longer public and reports it. The changes
// remain due for the next build.
func publishWithdrawals(ctx context.Context, e *cli.Env, s registrydir.Settings, dir string) error {
	opt, err := e.BuildOptions(s, nil)
	if err != nil {
		return err
	}
	withdrawn, err := e.ListWithdrawn(ctx, dir, opt)
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
