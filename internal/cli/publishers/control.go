package publishers

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"slices"

	"colophon/internal/cli"
	"colophon/internal/intake"
	"colophon/internal/origin"
	"colophon/internal/originsql"
)

// hostControl is the state of control of one of a publisher's hosts, and what
// proves it when it is placed there.
type hostControl struct {
	Host     string `json:"host"`
	Method   string `json:"control"`
	Address  string `json:"seen_in"`
	SHA256   string `json:"sha256"`
	SeenAt   string `json:"seen_at"`
	MissedAt string `json:"missing_since"`
	LapsedAt string `json:"lapsed_at"`
	TXTName  string `json:"txt_name"`
	Token    string `json:"token"`
}

// controlOf lists the hosts of a publisher with their proofs.
func controlOf(ctx context.Context, e *cli.Env, store *originsql.Store, s origin.Site) ([]hostControl, error) {
	settings, err := e.ReadSettings()
	if err != nil {
		return nil, err
	}
	websites, err := store.Websites(ctx, s.SiteID)
	if err != nil {
		return nil, err
	}
	proofs, err := store.ProofsOfSite(ctx, s.SiteID)
	if err != nil {
		return nil, err
	}
	if u, err := url.Parse(s.SiteURL); err == nil && !slices.ContainsFunc(websites, func(w origin.Website) bool { return w.Host == u.Hostname() }) {
		websites = append(websites, origin.Website{Host: u.Hostname(), Method: "none"})
	}
	out := []hostControl{}
	for _, w := range websites {
		h := hostControl{Host: w.Host, Method: w.Method, TXTName: intake.TXTName(w.Host), Token: intake.Token(settings.BaseURL, s.SiteID, w.Host)}
		for _, p := range proofs {
			if p.Host == w.Host {
				h.Address = p.Address
				h.SHA256 = p.Digest
				h.SeenAt = p.SeenAt
				h.MissedAt = p.MissedAt
				h.LapsedAt = p.LapsedAt
			}
		}
		out = append(out, h)
	}
	return out, nil
}

func printControl(w io.Writer, list []hostControl) {
	for _, h := range list {
		fmt.Fprintf(w, "  host         %s: control %s", h.Host, h.Method)
		if h.Address != "" {
			fmt.Fprintf(w, ", seen in %s at %s", h.Address, h.SeenAt)
		}
		if h.MissedAt != "" {
			fmt.Fprintf(w, ", missing since %s", h.MissedAt)
		}
		fmt.Fprintf(w, "\n               a TXT record %s with %s shows it too\n", h.TXTName, h.Token)
	}
}
