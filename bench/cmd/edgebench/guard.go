package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"

	"colophon/exports"
	"colophon/internal/rights"
	"colophon/internal/wire"
	"colophon/worker/edgelab/labhost"
)

// guardRow is one kind of request to the guard of a publisher's site.
type guardRow struct {
	name, side, agent string
	status            int
}

// guardRows compares what the guard costs a request of a person, of an agent
// that may pass, and of an agent that is denied, with a worker that only passes
// requests on.
var guardRows = []guardRow{
	{"a person passes", "plain", browser, 200},
	{"a person passes", "guard", browser, 200},
	{"an agent passes", "guard", "ChatGPT-User/1.0", 200},
	{"an agent is denied", "guard", "GPTBot/1.2", 403},
}

const browser = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"

// measureGuard prints these rows and the ratio that has a target.
func measureGuard(ctx context.Context, w io.Writer, dir string) error {
	hosts := map[string]*labhost.Host{}
	for _, side := range []string{"plain", "guard"} {
		at := filepath.Join(dir, "guard-"+side)
		if err := os.Mkdir(at, 0o700); err != nil {
			return err
		}
		host, stop, err := labhost.Guard{
			Plain: side == "plain", Site: http.HandlerFunc(somePage), Outside: http.HandlerFunc(somePolicy),
			Env: []string{"BASE_URL=http://registry.example", "GUARD_SITE=harbor"},
		}.Start(ctx, at)
		if err != nil {
			return err
		}
		defer stop()
		hosts[side] = host
	}
	all := map[guardRow][2]result{}
	for range rounds {
		for _, row := range guardRows {
			got := all[row]
			for i, n := range connections {
				r, err := load(ctx, hosts[row.side].Address(), request("/shipping/tides", "User-Agent", row.agent), row.status, n, roundTime)
				if err != nil {
					return fmt.Errorf("%s, %s: %w", row.name, row.side, err)
				}
				got[i] = r.and(got[i])
			}
			all[row] = got
		}
	}
	fmt.Fprintf(w, "\n%-18s %-6s %9s %9s %9s %9s %10s %10s\n", "before a site", "worker", "p50 c=1", "p99 c=1", "p50 c=16", "p99 c=16", "rps c=1", "rps c=16")
	for _, r := range guardRows {
		one, many := all[r][0], all[r][1]
		fmt.Fprintf(w, "%-18s %-6s %9s %9s %9s %9s %10.0f %10.0f\n", r.name, r.side, micro(one.p50()), micro(one.p99()), micro(many.p50()), micro(many.p99()), one.rate(), many.rate())
	}
	fmt.Fprintln(w)
	plain, guard := all[guardRows[0]], all[guardRows[1]]
	for i, n := range connections {
		row(w, fmt.Sprintf("p50 of a person who passes, over plain, %d connections", n), float64(guard[i].p50())/float64(plain[i].p50()), 1.5, false)
	}
	return nil
}

var pageText = bytes.Repeat([]byte("<p>High water at Pier 4 is 04:12.</p>\n"), 200)

func somePage(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write(pageText)
}

// somePolicy answers with the policy of a publisher that allows grounding and
// refuses training.
func somePolicy(w http.ResponseWriter, _ *http.Request) {
	s := &rights.RightsDocument{SiteID: "harbor", Name: "Harbor Ledger", SiteURL: "https://harbor.example/", AsOf: "2026-11-01T00:00:00Z"}
	for _, p := range [][2]string{{"rag", "allow"}, {"training", "disallow"}, {"search_indexing", "allow"}} {
		s.Preferences = append(s.Preferences, exports.Preference{Use: p[0], Inquiry: "unstated", Declared: p[1], Source: "publisher"})
	}
	_, _ = w.Write(wire.Append(nil, s))
}
