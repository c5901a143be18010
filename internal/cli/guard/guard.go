// Package guard implements the commands that guard a publisher's site and check
// what its edge does.
package guard

import (
	"context"
	"net/url"
	"time"

	"github.com/spf13/cobra"

	"colophon/internal/cli"
	"colophon/internal/intake"
	"colophon/internal/published"
	"colophon/internal/rights"
	"colophon/internal/server"
	"colophon/internal/usage"
	"colophon/worker/access"
)

// Command runs a guard.
func Command(e *cli.Env) *cobra.Command {
	var g Settings
	cmd := &cobra.Command{
		Use: "guard", Short: "Run a reverse proxy that turns away AI agents without a licence", Args: cli.ExactArgs(),
		Long: "Agents are recognised by User-Agent and Web Bot Auth signatures. The publisher's policy in the latest build decides what they get.\n" +
			"People and search crawlers pass untouched; robots.txt, sitemaps, licence files and well-known paths are never denied.",
		Example: "  colophon guard --site harbor-ledger --upstream http://127.0.0.1:3000 --addr 127.0.0.1:8788",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return Serve(cmd.Context(), e, g, nil)
		},
	}
	f := cmd.Flags()
	f.StringVar(&g.Upstream, "upstream", "", "the publisher's own server")
	f.StringVar(&g.Site, "site", "", "publisher whose policy applies")
	f.StringVar(&g.Addr, "addr", "127.0.0.1:8788", "address to listen on")
	f.StringVar(&g.Out, "out", "", "folder of the published files (default: the setting \"out\")")
	f.BoolVar(&e.Sign, "sign", false, "give each denial a receipt, signed with the signing key")
	f.BoolVar(&g.ProveIdentity, "require-signature", false, "deny AI agents that do not sign their requests")
	f.BoolVar(&g.DenyUnknown, "deny-unknown", false, "deny uses about which the publisher says nothing")
	f.BoolVar(&g.FailClosed, "fail-closed", false, "answer agents with 503 when the policy cannot be read")
	cmd.MarkFlagRequired("upstream") //nolint:errcheck // the flag exists
	cmd.MarkFlagRequired("site")     //nolint:errcheck
	return cmd
}

// Settings are the guard's flags.
type Settings struct {
	Upstream, Site, Addr, Out string
	access.Strictness
}

// Serve serves until ctx ends. ready, if any, learns the address.
func Serve(ctx context.Context, e *cli.Env, g Settings, ready func(addr string)) error {
	s, err := e.ReadSettings()
	if err != nil {
		return err
	}
	target, err := url.Parse(g.Upstream)
	if err != nil || target.Scheme != "http" && target.Scheme != "https" || target.Host == "" {
		return usage.Errorf("--upstream %q must be http(s)://host[:port]", g.Upstream)
	}
	policy := func(ctx context.Context) (*rights.RightsDocument, error) {
		return published.ReadPolicy(ctx, e.OutFolder(s, g.Out), g.Site)
	}
	if _, err := policy(ctx); err != nil {
		return err
	}
	signer, err := e.ReceiptSigner()
	if err != nil {
		return err
	}
	guard := &access.Guard{
		Base: s.BaseURL, Now: time.Now, Document: policy, Receipts: signer, Strictness: g.Strictness,
		Signers: access.MemorySigners(server.SignerKeys(intake.PublicClient(3*time.Second, false, nil)), time.Now),
	}
	listener, err := server.Listen(g.Addr, "--addr")
	if err != nil {
		return err
	}
	if ready != nil {
		ready(listener.Addr().String())
	} else {
		e.PrintNote("guarding %s at http://%s (Ctrl-C ends it)", g.Upstream, listener.Addr())
	}
	return server.ServeGuard(ctx, listener, guard, target)
}
