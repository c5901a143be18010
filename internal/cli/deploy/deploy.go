// Package deploy is the command that deploys a registry to Cloudflare Workers.
package deploy

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"colophon/internal/cli"
	"colophon/internal/cloudflare"
)

// Command deploys a registry.
func Command(e *cli.Env) *cobra.Command {
	var opt cloudflare.Options
	cmd := &cobra.Command{
		Use: "deploy", Short: "Deploy the registry to Cloudflare Workers, with wrangler", Args: cli.ExactArgs(),
		Long: "Deploy makes what is missing and brings up to date what is there: the D1 database and its schema, the R2 bucket, the secrets, the worker with the published files, and then asks the deployed service.\n" +
			"A database without publishers is filled from the store in --dir; one with publishers is the truth from then on and stays as it is. An interrupted deployment starts again from the beginning.\n" +
			"With --local everything happens on this machine, under wrangler dev, and ends with the test.\n" +
			"It needs the worker: a release's bundle after \"npm ci\", or Colophon's source after \"make edge\"; --dry-run does too, since it bundles the worker. Run it in that folder, or name the wrangler.toml there with --config.\n\n" +
			"wrangler is the one beside --config or on the PATH, from version 4.45 on; it wants $CLOUDFLARE_API_TOKEN, and $CLOUDFLARE_ACCOUNT_ID where there are several.",
		Example: "  colophon deploy --dir registry --dry-run\n  colophon deploy --dir registry --local\n  colophon deploy --dir registry --sign",
		RunE:    func(cmd *cobra.Command, _ []string) error { return deployRegistry(cmd.Context(), e, opt) },
	}
	cmd.Flags().StringVar(&opt.Config, "config", "wrangler.toml", "configuration of the worker, which stays as it is")
	cmd.Flags().StringVar(&opt.Out, "out", "", "folder of the published files (default: the setting \"out\")")
	cmd.Flags().BoolVar(&opt.Local, "local", false, "deploy to wrangler dev on this machine, test it and end it")
	cmd.Flags().BoolVar(&opt.Sign, "sign", false, "let the worker sign receipts and checkpoints: its secrets then hold the signing key")
	cmd.Flags().StringVar(&opt.Addr, "addr", "127.0.0.1:8788", "address of wrangler dev, with --local")
	cmd.Flags().BoolVar(&e.DryRun, "dry-run", false, "show every step and bundle the worker, and write only into a temporary folder")
	return cmd
}

func deployRegistry(ctx context.Context, e *cli.Env, opt cloudflare.Options) error {
	d, err := cloudflare.Deploy(ctx, &e.Dir, opt, func(s cloudflare.Step) { e.PrintNote("%-9s %s", s.Name, s.Result) })
	if err != nil {
		return err
	}
	return e.PrintResult(d, func(w io.Writer) {
		if !e.DryRun {
			fmt.Fprintf(w, "deployed release %s at %s\n", d.Release, d.URL)
			return
		}
		for _, s := range d.Steps {
			fmt.Fprintf(w, "%s: %s\n", s.Name, s.Result)
			for _, c := range s.Commands {
				fmt.Fprintf(w, "    %s\n", c)
			}
		}
		fmt.Fprintf(w, "would deploy release %s at %s\n", d.Release, d.URL)
	})
}
