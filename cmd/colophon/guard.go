package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"time"

	"github.com/spf13/cobra"

	"colophon/exports"
	"colophon/internal/cli"
	"colophon/internal/intake"
	"colophon/internal/record"
	"colophon/internal/rights"
	"colophon/internal/usage"
	"colophon/internal/wire"
	"colophon/worker/access"
	"colophon/worker/edge"
	"colophon/worker/edgehttp"
	"colophon/worker/request"
)

func guardCommand(e *env) *cobra.Command {
	var g guardSettings
	cmd := &cobra.Command{
		Use: "guard", Short: "Run a reverse proxy that turns away AI agents without a licence", Args: cli.ExactArgs(),
		Long: "Agents are recognised by User-Agent and Web Bot Auth signatures. The publisher's policy in the latest build decides what they get.\n" +
			"People and search crawlers pass untouched; robots.txt, sitemaps, licence files and well-known paths are never denied.",
		Example: "  colophon guard --site harbor-ledger --upstream http://127.0.0.1:3000 --addr 127.0.0.1:8788",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return e.serveGuard(cmd.Context(), g, nil)
		},
	}
	f := cmd.Flags()
	f.StringVar(&g.upstream, "upstream", "", "the publisher's own server")
	f.StringVar(&g.site, "site", "", "publisher whose policy holds")
	f.StringVar(&g.addr, "addr", "127.0.0.1:8788", "address to listen on")
	f.StringVar(&g.out, "out", "", "folder of the published files (default: the setting \"out\")")
	f.BoolVar(&e.Sign, "sign", false, "give each denial a receipt, signed with the signing key")
	f.BoolVar(&g.prove, "require-signature", false, "deny AI agents that do not sign their requests")
	f.BoolVar(&g.denyUnknown, "deny-unknown", false, "deny uses about which the publisher says nothing")
	f.BoolVar(&g.failClosed, "fail-closed", false, "answer agents with 503 when the policy cannot be read")
	cmd.MarkFlagRequired("upstream") //nolint:errcheck // the flag exists
	cmd.MarkFlagRequired("site")     //nolint:errcheck
	return cmd
}

type guardSettings struct {
	upstream, site, addr, out      string
	prove, denyUnknown, failClosed bool
}

// serveGuard serves until ctx ends. ready, if any, learns the address.
func (e *env) serveGuard(ctx context.Context, g guardSettings, ready func(addr string)) error {
	s, err := e.ReadSettings()
	if err != nil {
		return err
	}
	target, err := url.Parse(g.upstream)
	if err != nil || target.Scheme != "http" && target.Scheme != "https" || target.Host == "" {
		return usage.Errorf("--upstream %q must be http(s)://host[:port]", g.upstream)
	}
	files := cli.Folder(e.OutFolder(s, g.out))
	if _, err := readSheet(ctx, files, g.site); err != nil {
		return err
	}
	signer, err := e.ReceiptSigner()
	if err != nil {
		return err
	}
	keys := &access.Directory{Now: time.Now, Verify: record.Ed25519, Fetch: fetchDirectory(intake.PublicClient(3*time.Second, false, nil))}
	guard := &access.Guard{
		Base: s.BaseURL, Now: time.Now, Accept: request.Accepts, Keys: keys.Keys(), Signer: signer, Since: access.RemembersFrom(time.Now()),
		Document:      func(ctx context.Context) (*rights.RightsDocument, error) { return readSheet(ctx, files, g.site) },
		ProveIdentity: g.prove, DenyUnknown: g.denyUnknown, FailClosed: g.failClosed,
	}
	check := func(ctx context.Context, r *edge.Request) *edge.Response { return guard.Check(ctx, r) }
	listener, err := net.Listen("tcp", g.addr)
	if err != nil {
		return fmt.Errorf("cannot listen on %s: %w; choose another with --addr", g.addr, err)
	}
	server := &http.Server{Handler: edgehttp.Guard(check, passThrough(target), edgehttp.Options{}), ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10}
	if ready != nil {
		ready(listener.Addr().String())
	} else {
		e.PrintNote("guarding %s at http://%s (Ctrl-C ends it)", g.upstream, listener.Addr())
	}
	stop := context.AfterFunc(ctx, func() { server.Close() }) //nolint:errcheck // it is over
	defer stop()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// passThrough hands requests on as they came, with the host that the client
// asked for.
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

func readSheet(ctx context.Context, files cli.Folder, siteID string) (*rights.RightsDocument, error) {
	if !exports.ValidSiteID(siteID) {
		return nil, usage.Errorf("--site %q is not a publisher identifier", siteID)
	}
	body, err := cli.PublishedFiles(files).Read(ctx, string(exports.RightsDocumentKey(siteID)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("the build in %q has no policy of %q; approve the publisher and build", string(files), siteID)
	}
	if err != nil {
		return nil, err
	}
	sheet := new(rights.RightsDocument)
	return sheet, wire.Decode(body, sheet, wire.Trusted)
}

// fetchDirectory gets the keys that a signer publishes.
func fetchDirectory(client *http.Client) func(context.Context, string) (int, []byte, error) {
	return func(ctx context.Context, url string) (int, []byte, error) {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			return 0, nil, err
		}
		req.Header.Set("Accept", access.DirectoryMedia)
		resp, err := client.Do(req)
		if err != nil {
			return 0, nil, err
		}
		defer resp.Body.Close()
		body, err := io.ReadAll(io.LimitReader(resp.Body, access.MaxDirectory+1))
		return resp.StatusCode, body, err
	}
}
