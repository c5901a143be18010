package mirroring

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"colophon/internal/cli"
	"colophon/internal/mirror"
	"colophon/internal/published"
	"colophon/internal/registrydir"
	"colophon/internal/usage"
)

// credentialVariable is the environment variable with a buyer's credential. It
// is not an option, because others on the machine can read the command line.
const credentialVariable = "COLOPHON_BUYER_CREDENTIAL"

// PullCommand keeps a buyer's licensed content.
func PullCommand(e *cli.Env) *cobra.Command {
	var into, base string
	cmd := &cobra.Command{
		Use: "pull", Short: "Download a buyer's licensed content, and keep it up to date", Args: cli.ExactArgs(),
		Long: "Pull is a reference consumer of the buyer delivery. The first call takes a snapshot, later calls take the changes since: pull writes new items, " +
			"deletes those that you must no longer hold, continues after an interruption, and compares the root over its files with the service's.\n" +
			"The credential comes from $" + credentialVariable + ".",
		Example: "  " + credentialVariable + "=byr_test_… colophon pull --base http://127.0.0.1:8787 --into mirror",
		RunE: func(cmd *cobra.Command, _ []string) error {
			credential := strings.TrimSpace(e.Getenv(credentialVariable))
			if credential == "" {
				return usage.Errorf("there is no credential; set $%s", credentialVariable)
			}
			if into == "" {
				return usage.Errorf("name the folder of the mirror with --into")
			}
			if !published.IsAddress(base) {
				return usage.Errorf("--base %q is not the address of a service, such as https://registry.example", base)
			}
			if e.DryRun {
				mirrored, err := copyMirror(into)
				if err != nil {
					return err
				}
				defer os.RemoveAll(mirrored)
				into = mirrored
			}
			m := &mirror.Folder{
				Dir: into, Base: strings.TrimSuffix(base, "/"), Credential: credential,
				Client: &http.Client{Transport: &http.Transport{Proxy: http.ProxyFromEnvironment, ResponseHeaderTimeout: 2 * time.Minute}},
			}
			p := e.NewProgress()
			m.Told = func(items int64) { p.Show(items, 0, "items") }
			report, err := m.Pull(cmd.Context())
			p.Clear()
			if err != nil {
				return err
			}
			return e.PrintResult(report, func(w io.Writer) {
				fmt.Fprintf(w, "items     %d\nwritten   %d\ndeleted   %d\nroot      %s\nverified  %t\n", report.Items, report.Upserts, report.Deleted, report.Root, report.Verified)
			})
		},
	}
	cmd.Flags().StringVar(&into, "into", "", "folder of the mirror")
	cmd.Flags().StringVar(&base, "base", "", "address of the service")
	return cmd
}

// copyMirror copies a mirror into a temporary folder, for a dry run.
func copyMirror(into string) (string, error) {
	folder, err := os.MkdirTemp("", "colophon-dry-run-")
	if err != nil {
		return "", err
	}
	if err := registrydir.CopyTree(into, folder); err != nil {
		os.RemoveAll(folder)
		return "", err
	}
	return folder, nil
}
