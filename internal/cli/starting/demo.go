package starting

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"

	"github.com/spf13/cobra"

	"colophon/exports"
	"colophon/internal/cli"
	"colophon/internal/cli/building"
	"colophon/internal/cli/serving"
	"colophon/internal/demo"
	"colophon/internal/demo/guests"
	"colophon/internal/originsql"
	"colophon/internal/registrydir"
	"colophon/internal/server"
	"colophon/internal/usage"
)

// DemoCommand returns the command that creates the demo and serves it.
func DemoCommand(e *cli.Env) *cobra.Command {
	addr := serving.DefaultAddr
	base := ""
	still := false
	cmd := &cobra.Command{
		Use: "demo", Short: "Make a demo origin, build it and serve it", Args: cli.ExactArgs(),
		Long:    "Demo needs no other program: it makes an origin with invented publishers, publishes it and serves pages and API until Ctrl-C. A second start continues with the same origin.",
		Example: "  colophon demo --addr 127.0.0.1:8787 --dir .colophon",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !cmd.Flags().Changed("dir") && e.Getenv("COLOPHON_DIR") == "" {
				e.Path = ".colophon"
			}
			if e.DryRun {
				return e.PrintResult(map[string]string{"dir": e.Path}, func(w io.Writer) {
					fmt.Fprintf(w, "would make a demo in %q and serve it at %s\n", e.Path, addr)
				})
			}
			return runDemo(cmd.Context(), e, addr, base, still)
		},
	}
	cmd.Flags().StringVar(&addr, "addr", serving.DefaultAddr, "address to listen on")
	cmd.Flags().StringVar(&base, "base-url", "", "public address in the records (default: http:// and --addr)")
	cmd.Flags().BoolVar(&still, "no-serve", false, "make the demo and end, so that something else can serve it")
	return cmd
}

func runDemo(ctx context.Context, e *cli.Env, addr, base string, still bool) error {
	if e.IsRemote() {
		return usage.Errorf("the demo is kept in its folder: leave --origin out, and $COLOPHON_ORIGIN unset")
	}
	var listener net.Listener
	if !still {
		var err error
		if listener, err = server.Listen(addr, "--addr"); err != nil { // before the build, whose records have the address
			return err
		}
		defer listener.Close()
		addr = listener.Addr().String()
	}
	if base == "" {
		base = "http://" + addr
	}
	base, err := registrydir.CheckBaseURL(base)
	if err != nil {
		return err
	}
	s := registrydir.Settings{Name: "Colophon", BaseURL: base, Contact: "desk@colophon.example", Out: "dist"}
	if err := os.MkdirAll(e.Path, registrydir.PrivateFolder); err != nil {
		return err
	}
	if s, err = demoSettings(e, s); err != nil {
		return err
	}
	store, done, err := e.OpenDatabase(ctx, e.File(registrydir.OriginFile))
	if err != nil {
		return err
	}
	defer done()
	var example demo.Example
	err = store.Bulk(ctx, func(s *originsql.Store) error {
		var seedErr error
		example, seedErr = demo.Seed(ctx, s)
		return seedErr
	})
	if err != nil {
		return fmt.Errorf("cannot fill the origin of the demo in %q: %w; remove the folder and run \"colophon demo\" again", e.Path, err)
	}
	if _, err := e.FirstKeys(); err != nil {
		return err
	}
	report, err := building.Build(ctx, e, s, e.OutFolder(s, ""), building.Options{Accept: []string{"rollback"}})
	if err != nil {
		return err
	}
	if err := writeDemoFile(ctx, e, s, store, example); err != nil {
		return err
	}
	var corpus bytes.Buffer
	if err := demo.DataSet(ctx, store, &corpus); err != nil {
		return err
	}
	if err := registrydir.WriteFile(e.File("corpus.jsonl"), corpus.Bytes(), 0o644); err != nil {
		return err
	}
	if still {
		_, err := e.LoadSecret()
		building.PrintReport(e.Stderr, report)
		return err
	}
	s.Server.LogLevel = "warn"
	ready := func() {
		building.PrintReport(e.Stderr, report)
		printWelcome(e, s, example)
	}
	return serving.Serve(ctx, e, serving.Server{Settings: s, Listener: listener, Dir: e.OutFolder(s, ""), Ready: ready}, store)
}

// demoSettings writes the settings, or updates the base URL of existing ones to
// the address. It returns them with the folder's settings for the appearance of
// the service and for live looks.
func demoSettings(e *cli.Env, s registrydir.Settings) (registrydir.Settings, error) {
	have, err := e.ReadSettings()
	if err == nil {
		s.Name = have.Name
		s.Brand = have.Brand
		s.ReadUnregistered = have.ReadUnregistered
	}
	if err == nil && have.BaseURL == s.BaseURL {
		return s, nil
	}
	if err != nil {
		if _, there := os.Stat(e.File(registrydir.SettingsFile)); !errors.Is(there, fs.ErrNotExist) {
			return s, err
		}
	}
	return s, e.WriteSettings(s)
}

// knownDemo returns a demo.json that is there, empty when there is none.
func knownDemo(e *cli.Env) (facts guests.Facts) {
	text, err := os.ReadFile(e.File(registrydir.DemoFile))
	if err != nil || json.Unmarshal(text, &facts) != nil {
		return guests.Facts{}
	}
	return facts
}

// writeDemoFile writes what the demo tells programs.
func writeDemoFile(ctx context.Context, e *cli.Env, s registrydir.Settings, store *originsql.Store, x demo.Example) error {
	facts, err := guests.Admit(ctx, store, x, s.BaseURL, knownDemo(e))
	if err != nil {
		return err
	}
	data, err := cli.IndentJSON(facts)
	if err != nil {
		return err
	}
	return registrydir.WriteFile(e.File(registrydir.DemoFile), data, 0o600)
}

// printWelcome says what to open and what to try.
func printWelcome(e *cli.Env, s registrydir.Settings, x demo.Example) {
	fmt.Fprintf(e.Stdout, `
Colophon is serving its demo. Nothing it publishes or answers grants rights.

Open
  %[1]s/
  %[1]s%[2]s
  %[1]s%[3]s
  %[1]s/rights-map/

Try
  curl %[1]s%[4]s
  curl %[1]s%[5]s
  curl %[1]s%[6]s
  curl %[1]s%[7]s
  curl -H 'Accept: text/csv' %[1]s%[8]s

Examples for programs are in %[9]s. Ctrl-C ends it.
`, s.BaseURL, exports.PublisherPage(x.SiteID), exports.CitationPage(x.EntryID), exports.PathDiscovery, exports.PublisherPath(x.SiteID),
		exports.RecordPath(x.EntryID), exports.CitationPath(x.EntryID), exports.PathMapCSV, e.File(registrydir.DemoFile))
}
