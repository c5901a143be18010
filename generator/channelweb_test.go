package generator

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"colophon/internal/channel/statements"
	"colophon/internal/intake"
	"colophon/internal/origin"
)

// caseSite serves the documents of a case as a web site would. RSL files that
// its robots.txt does not name are named in a header field of each page.
type caseSite struct {
	c    *channelCase
	base string
}

func (s *caseSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, isPage := "<!doctype html><html><head><title>t</title></head><body><p>x</p></body></html>", true
	for _, o := range s.c.documents {
		place := strings.TrimPrefix(o.URL, caseHome)
		text := strings.ReplaceAll(o.Raw, caseHome, s.base)
		switch {
		case o.Channel == "rsl" && o.Status == 200 && !s.c.namedByRobots(o.URL):
			w.Header().Add("Link", "<"+s.base+place+`>; rel="license"; type="application/rsl+xml"`)
		case o.Channel == "aipref_header" && place == r.URL.RequestURI():
			for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
				if name, value, ok := strings.Cut(line, ":"); ok {
					w.Header().Add(name, strings.TrimSpace(value))
				}
			}
		}
		if o.Channel == "aipref_header" || place != r.URL.RequestURI() {
			continue
		}
		if o.Status != 200 {
			w.WriteHeader(int(o.Status))
			return
		}
		isPage = o.Channel == "html_meta"
		body = text
		if isPage {
			body = "<!doctype html><html><head><title>t</title>" + text + "</head><body><p>x</p></body></html>"
		}
	}
	wellKnown := strings.HasPrefix(r.URL.Path, "/.well-known/") || strings.HasSuffix(r.URL.Path, ".txt")
	if isPage && wellKnown {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	if isPage {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
	}
	w.Write([]byte(body))
}

// TestChannelCasesOverTheWeb lets the importer read each case from a web site,
// and asks the questions about the result: nothing may read freer than the
// standards require.
func TestChannelCasesOverTheWeb(t *testing.T) {
	t.Parallel()
	asked := 0
	for _, c := range channelCases(t) {
		if !c.servable() {
			continue
		}
		site := &caseSite{c: &c}
		server := httptest.NewServer(site)
		site.base = server.URL
		looked := map[string][]statements.Document{}
		for _, a := range c.asks {
			if !strings.HasPrefix(a.url, caseHome) {
				continue
			}
			asked++
			a.url = strings.Replace(a.url, caseHome, server.URL, 1)
			if looked[a.url] == nil {
				looked[a.url] = lookAtCase(t, a.url)
			}
			got := a.verdicts(looked[a.url])
			for i := range got {
				if freedomOf(got[i]) > freedomOf(a.want[i]) {
					t.Errorf("%s:%d %s: %s over the web, freer than %s: %s", c.file, a.line, c.name, got, a.want, a.why)
					break
				}
			}
		}
		server.Close()
	}
	if asked < 150 {
		t.Errorf("only %d questions could be asked over the web", asked)
	}
}

func lookAtCase(t *testing.T, page string) []statements.Document {
	t.Helper()
	p, err := intake.NewProver(intake.Options{
		AllowPrivate: true, Retries: -1, Timeout: 10 * time.Second, Contact: "desk@svc.example", Now: func() time.Time { return time.Unix(caseSeenAt, 0) },
	})
	must(t, err)
	defer p.Close()
	seen, err := p.Look(t.Context(), page)
	must(t, err)
	return (&channelCase{documents: seen}).rightsDocuments()
}

// servable reports whether a single web server can serve all documents of a
// case. Cases with Crawl-delay are left out, because the importer would wait
// for so long.
func (c *channelCase) servable() bool {
	return !slices.ContainsFunc(c.documents, func(o origin.Observation) bool {
		return !strings.HasPrefix(o.URL, caseHome) || strings.Contains(o.Raw, "Crawl-delay")
	})
}

func (c *channelCase) namedByRobots(address string) bool {
	return slices.ContainsFunc(c.documents, func(o origin.Observation) bool {
		return o.Channel == "robots" && strings.Contains(o.Raw, address)
	})
}
