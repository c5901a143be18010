// Package starting implements the commands that create a registry: an empty
// one, one of a publisher's site, the demo, and one filled for load tests.
package starting

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"colophon/internal/cli"
	"colophon/internal/registrydir"
)

// InitCommand returns the command that creates a registry.
func InitCommand(e *cli.Env) *cobra.Command {
	s := registrydir.Settings{Out: "dist"}
	var start firstSite
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Create an empty registry with its settings and a signing key",
		Example: "  colophon init --dir registry --base-url https://registry.example --contact desk@registry.example\n" +
			"  colophon init --dir registry --from site.example --contact desk@registry.example",
		Args: cli.ExactArgs(),
		Long: "With --from it also adds the publisher of that site, by the site's own file if it has one, imports its pages,\n" +
			"builds and serves. Each step is a command as well: \"publisher add\", \"publisher approve\", \"import\", \"build\", \"serve\".\n" +
			"It leaves what exists as it is: after an interruption, run it again to continue.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			base, err := registrydir.CheckBaseURL(s.BaseURL)
			if err != nil {
				return err
			}
			s.BaseURL = base
			if e.DryRun {
				return e.PrintResult(map[string]string{"dir": e.Path}, func(w io.Writer) {
					fmt.Fprintf(w, "would write %s, %s and %s in %q\n", registrydir.SettingsFile, registrydir.OriginFile, registrydir.KeysFolder, e.Path)
				})
			}
			if start.from != "" {
				if !cmd.Flags().Changed("base-url") {
					s.BaseURL = "http://" + start.addr
				}
				return startFrom(cmd.Context(), e, s, &start)
			}
			return initRegistry(e, cmd, s)
		},
	}
	cmd.Flags().StringVar(&s.BaseURL, "base-url", "http://127.0.0.1:8787", "public address of the service")
	cmd.Flags().StringVar(&s.Name, "name", "Colophon", "name of the service")
	cmd.Flags().StringVar(&s.Contact, "contact", "", "address of the operator, for the importer's User-Agent")
	cmd.Flags().BoolVar(&e.DryRun, "dry-run", false, "only report what would be written")
	start.addFlags(cmd)
	return cmd
}

func initRegistry(e *cli.Env, cmd *cobra.Command, s registrydir.Settings) error {
	if _, err := os.Stat(e.File(registrydir.SettingsFile)); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%q is initialized already; change %s there, or name another folder with --dir", e.Path, registrydir.SettingsFile)
	}
	key, err := createRegistry(cmd.Context(), e, s)
	if err != nil {
		return err
	}
	e.PrintNext("colophon publisher add SITE_ID --dir %s --name NAME --site-url URL", e.Path)
	return e.PrintResult(map[string]string{"dir": e.Path, "key_id": key}, func(w io.Writer) {
		fmt.Fprintf(w, "initialized %s with signing key %s\n", e.Path, key)
	})
}

// createRegistry creates the origin, the keys and the settings, and returns the
// id of the key that signs records.
func createRegistry(ctx context.Context, e *cli.Env, s registrydir.Settings) (string, error) {
	if err := os.MkdirAll(e.Path, registrydir.PrivateFolder); err != nil {
		return "", fmt.Errorf("cannot create the folder %q: %w; name another one with --dir", e.Path, err)
	}
	if err := e.CreateOrigin(ctx, &s); err != nil {
		return "", err
	}
	key, err := e.FirstKeys()
	if err != nil {
		return "", err
	}
	return key, e.WriteSettings(s)
}
