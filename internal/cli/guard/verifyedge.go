package guard

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"colophon/exports"
	"colophon/internal/blob"
	"colophon/internal/cli"
	"colophon/internal/edgecheck"
	"colophon/internal/intake"
	"colophon/internal/published"
	"colophon/internal/usage"
	"colophon/worker/access"
)

// VerifyCommand checks an edge.
func VerifyCommand(e *cli.Env) *cobra.Command {
	var v edgeCheck
	cmd := &cobra.Command{
		Use: "verify-edge SITE_ID|URL", Short: "Check whether an edge does what it declares", Args: cli.ExactArgs("SITE_ID|URL"),
		Long: "For a SITE_ID the access rules are those of the latest build; for a URL they are read from /.well-known/service-access-response.json there.\n" +
			"Each request says honestly who asks and which class of agents it stands for. A mismatch fails the command, and so does an edge of which no answer came.",
		Example: "  colophon verify-edge harbor-ledger --contact desk@registry.example",
		RunE: func(cmd *cobra.Command, args []string) error {
			return verifyEdge(cmd.Context(), e, args[0], &v)
		},
	}
	v.look.AddFlags(cmd)
	f := cmd.Flags()
	f.StringVar(&v.out, "out", "", "folder of the published files (default: the setting \"out\")")
	f.BoolVar(&v.plain, "http", false, "ask over http")
	return cmd
}

type edgeCheck struct {
	look  cli.LookFlags
	out   string
	plain bool
}

func verifyEdge(ctx context.Context, e *cli.Env, target string, v *edgeCheck) error {
	s, settings := e.ReadSettings()
	if err := v.look.Read(s); err != nil {
		return err
	}
	opt := &v.look.Opt
	if opt.Contact == "" {
		return usage.Errorf("no contact: the site must be able to reach whoever checks it; give --contact")
	}
	client := intake.PublicClient(10*time.Second, opt.AllowPrivate, opt.ConnectTo)
	c := edgecheck.Checker{Client: client, Contact: opt.Contact, Token: access.TestToken, Now: time.Now}
	if v.plain {
		c.Scheme = "http"
	}
	var doc []byte
	var err error
	siteID := ""
	if settings == nil {
		if c.Keys, err = e.EdgeKeys(); err != nil {
			return err
		}
	}
	if strings.Contains(target, "://") {
		doc, err = fetchManifest(ctx, client, target)
	} else {
		if settings != nil {
			return settings
		}
		siteID = target
		name := exports.PackPath(siteID)[1:] + "well-known-service-access-response.json"
		out := e.OutFolder(s, v.out)
		doc, err = published.Files(blob.Folder(out)).Read(ctx, name)
		if errors.Is(err, fs.ErrNotExist) {
			err = fmt.Errorf("the build in %q has no pack of %q: \"colophon publisher approve %s\" and \"colophon build\" make it", out, siteID, siteID)
		}
	}
	if err != nil {
		return err
	}
	rows, err := edgecheck.ParseAccessRules(doc, siteID)
	if err != nil {
		return err
	}
	report, err := c.Check(ctx, rows)
	if err != nil {
		return err
	}
	if e.JSON {
		fmt.Fprintln(e.Stdout, string(report.Value().Append(nil)))
	} else {
		printParity(e.Stdout, &report)
	}
	if n := report.Count("mismatch"); n > 0 {
		return fmt.Errorf("%d of %d samples at %s differ from what is declared; correct the edge, or put the access response of \"colophon publisher pack\" there", n, len(report.Samples), target)
	}
	if n := report.Count("unreachable"); n > 0 && n == len(report.Samples) {
		return fmt.Errorf("none of %d samples at %s was answered, so nothing was verified: %s", n, target, report.Samples[0].Faults[0])
	}
	return nil
}

func fetchManifest(ctx context.Context, client *http.Client, target string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimSuffix(target, "/")+exports.WellKnownAccessResponse, nil)
	if err != nil {
		return nil, usage.Wrap(err)
	}
	resp, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s answers %d; \"colophon publisher pack\" writes the document that belongs there", req.URL, resp.StatusCode)
	}
	return io.ReadAll(io.LimitReader(resp.Body, 4<<20))
}

func printParity(w io.Writer, r *edgecheck.Report) {
	for i := range r.Samples {
		s := &r.Samples[i]
		fmt.Fprintf(w, "%-15s %-10s declared %s %d, answered %d  %s\n", s.Result, s.Class, s.Decision, s.Status, s.Observed, s.URL)
		if s.Receipt != "" {
			fmt.Fprintf(w, "  receipt: %s\n", s.Receipt)
		}
		for _, f := range s.Faults {
			fmt.Fprintf(w, "  %s\n", f)
		}
	}
	fmt.Fprintf(w, "%d samples, %d mismatches, %d unreachable\n", len(r.Samples), r.Count("mismatch"), r.Count("unreachable"))
}
