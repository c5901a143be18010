package starting

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"colophon/internal/cli"
	"colophon/internal/demo/corpus"
	"colophon/internal/originsql"
	"colophon/internal/usage"
)

// CorpusCommand fills the origin for load tests.
func CorpusCommand(e *cli.Env) *cobra.Command {
	var o corpus.Options
	cmd := &cobra.Command{
		Use: "corpus", Short: "Fill the origin with synthetic publishers and pages, for load tests", Args: cli.ExactArgs(),
		Long:    "The same seed always gives the same publishers and pages, whose sizes and words follow Zipf's law, in several scripts.",
		Example: "  colophon init --dir trial && colophon corpus --dir trial --publishers 100 --pages 10000 --seed 1",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.Publishers < 1 || o.Pages < o.Publishers || o.Pages > 100_000_000 {
				return usage.Errorf("--publishers %d and --pages %d: give at least one publisher, as many pages or more, and 100,000,000 at most", o.Publishers, o.Pages)
			}
			return fillCorpus(cmd.Context(), e, o)
		},
	}
	cmd.Flags().IntVar(&o.Publishers, "publishers", 100, "how many publishers")
	cmd.Flags().IntVar(&o.Pages, "pages", 10_000, "how many pages")
	cmd.Flags().Uint64Var(&o.Seed, "seed", 1, "seed from which everything is made")
	return cmd
}

// corpusBatch is how many pages one transaction writes.
const corpusBatch = 10_000

func fillCorpus(ctx context.Context, e *cli.Env, o corpus.Options) error {
	store, done, err := e.OpenStore(ctx)
	if err != nil {
		return err
	}
	defer done()
	p := e.NewProgress()
	defer p.Clear()
	c := corpus.New(o)
	if err := store.Atomically(ctx, func(s *originsql.Store) error { return c.FillPublishers(ctx, s) }); err != nil {
		return err
	}
	for from := 0; from < o.Pages; from += corpusBatch {
		to := min(from+corpusBatch, o.Pages)
		if err := store.Atomically(ctx, func(s *originsql.Store) error { return c.FillPages(ctx, s, from, to) }); err != nil {
			return err
		}
		p.Show(int64(to), int64(o.Pages), "pages")
	}
	p.Clear()
	e.PrintNext("colophon build --dir %s", e.Path)
	return e.PrintResult(map[string]any{"publishers": o.Publishers, "pages": o.Pages, "seed": o.Seed}, func(w io.Writer) {
		fmt.Fprintf(w, "filled with %d publishers and %d pages (seed %d)\n", o.Publishers, o.Pages, o.Seed)
	})
}
