// Package manual implements the commands about the program itself: its man
// pages and its version.
package manual

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"colophon/exports"
	"colophon/internal/cli"
	"colophon/internal/cli/contract"
)

// Command writes man pages and shell completions.
func Command(e *cli.Env) *cobra.Command {
	var to string
	cmd := &cobra.Command{
		Use: "manual", Short: "Write man pages and shell completions", Args: cli.ExactArgs(),
		Long: "Manual writes share/man/man1, and completion for bash, zsh and fish where those shells look for it below share/.\n" +
			"\"make build\" does this.",
		Example: "  colophon manual --to /usr/local",
		RunE: func(cmd *cobra.Command, _ []string) error {
			files := manualFiles(cmd.Root())
			for _, f := range files {
				path := filepath.Join(to, filepath.FromSlash(f.path))
				if e.DryRun {
					continue
				}
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					return err
				}
				if err := f.write(path); err != nil {
					return err
				}
			}
			return e.PrintResult(map[string]any{"to": to, "files": len(files)}, func(w io.Writer) {
				fmt.Fprintf(w, "%d files in %s\n", len(files), to)
			})
		},
	}
	cmd.Flags().StringVar(&to, "to", ".", "folder above share/")
	return cmd
}

// manualFile is a file of the manual, below a prefix such as /usr/local.
type manualFile struct {
	path  string
	write func(path string) error
}

// manualFiles lists a man page for each command, and the completion.
func manualFiles(root *cobra.Command) []manualFile {
	root.DisableAutoGenTag = true
	date := time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC) // of this manual; the same input gives the same bytes
	header := doc.GenManHeader{Section: "1", Source: "Colophon " + exports.Version, Manual: "Colophon", Date: &date}

	var files []manualFile
	contract.WalkCommands(root, func(cmd *cobra.Command) {
		if !cmd.IsAvailableCommand() && cmd != root || contract.CommandPath(cmd) == "help" {
			return
		}
		page := header
		page.Title = ""
		files = append(files, manualFile{"share/man/man1/" + PageName(cmd), func(path string) error {
			return cli.CreateFile(path, func(w io.Writer) error { return doc.GenMan(cmd, &page, w) })
		}})
	})
	files = append(files,
		manualFile{"share/bash-completion/completions/colophon", func(path string) error { return root.GenBashCompletionFileV2(path, true) }},
		manualFile{"share/zsh/site-functions/_colophon", root.GenZshCompletionFile},
		manualFile{"share/fish/vendor_completions.d/colophon.fish", func(path string) error { return root.GenFishCompletionFile(path, true) }},
	)
	return files
}

// PageName returns the name of a command's man page.
func PageName(cmd *cobra.Command) string {
	name := cmd.Name()
	for p := cmd.Parent(); p != nil; p = p.Parent() {
		name = p.Name() + "-" + name
	}
	return name + ".1"
}
