// Package guard implements the commands that guard a publisher's site and check
// what its edge does.
package guard

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"time"

	"github.com/spf13/cobra"

	"colophon/exports"
	"colophon/internal/blob"
	"colophon/internal/cli"
	"colophon/internal/intake"
	"colophon/internal/published"
	"colophon/internal/record"
	"colophon/internal/rights"
	"colophon/internal/usage"
	"colophon/internal/wire"
	"colophon/worker/access"
	"colophon/worker/edge"
	"colophon/worker/edgehttp"
	"colophon/worker/request"
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
	f.BoolVar(&g.Prove, "require-signature", false, "deny AI agents that do not sign their requests")
	f.BoolVar(&g.DenyUnknown, "deny-unknown", false, "deny uses about which the publisher says nothing")
	f.BoolVar(&g.FailClosed, "fail-closed", false, "answer agents with 503 when the policy cannot be read")
	cmd.MarkFlagRequired("upstream") //nolint:errcheck // the flag exists
	cmd.MarkFlagRequired("site")     //nolint:errcheck
	return cmd
}

// Settings are the guard's flags.
type Settings struct {
	Upstream, Site, Addr, Out      string
	Prove, DenyUnknown, FailClosed bool
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
	files := blob.Folder(e.OutFolder(s, g.Out))
	if _, err := readSheet(ctx, files, g.Site); err != nil {
		return err
	}
	signer, err := e.ReceiptSigner()
	if err != nil {
		return err
	}
	keys := &access.Directory{Now: time.Now, Verify: record.Ed25519, Fetch: cli.FetchDirectory(intake.PublicClient(3*time.Second, false, nil))}
	guard := &access.Guard{
		Base: s.BaseURL, Now: time.Now, Accept: request.Accepts, Keys: keys.Keys(), Signer: signer, Since: access.RemembersFrom(time.Now()),
		Document:      func(ctx context.Context) (*rights.RightsDocument, error) { return readSheet(ctx, files, g.Site) },
		ProveIdentity: g.Prove, DenyUnknown: g.DenyUnknown, FailClosed: g.FailClosed,
	}
	check := func(ctx context.Context, r *edge.Request) *edge.Response { return guard.Check(ctx, r) }
	listener, err := net.Listen("tcp", g.Addr)
	if err != nil {
		return fmt.Errorf("cannot listen on %s: %w; choose another with --addr", g.Addr, err)
	}
	server := &http.Server{Handler: edgehttp.Guard(check, passThrough(target), edgehttp.Options{}), ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10}
	if ready != nil {
		ready(listener.Addr().String())
	} else {
		e.PrintNote("guarding %s at http://%s (Ctrl-C ends it)", g.Upstream, listener.Addr())
	}
	stop := context.AfterFunc(ctx, func() { server.Close() }) //nolint:errcheck // it is over
	defer stop()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// passThrough forwards requests unchanged, with the host that the client asked
// for.
func passThrough(target *url.URL) http.Handler {
	return &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(target)
			r.Out.Host = r.In.Host
			r.SetXForwarded()
		},
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) },
	}
}

func readSheet(ctx context.Context, files blob.Folder, siteID string) (*rights.RightsDocument, error) {
	if !exports.ValidSiteID(siteID) {
		return nil, usage.Errorf("--site %q is not a publisher identifier", siteID)
	}
	body, err := published.Files(files).Read(ctx, string(exports.RightsDocumentKey(siteID)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("the build in %q has no policy of %q: \"colophon publisher approve %s\" and \"colophon build\" make it", string(files), siteID, siteID)
	}
	if err != nil {
		return nil, err
	}
	sheet := new(rights.RightsDocument)
	return sheet, wire.Decode(body, sheet, wire.Trusted)
}
