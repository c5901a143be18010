package intake

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/html"

	"colophon/internal/channel"
	"colophon/internal/channel/statements"
	"colophon/internal/extract"
)

const rslMedia = "application/rsl+xml"

// evidence is what a page, or the answer it came with, states about rights.
type evidence struct {
	header   string   // header fields, one a line
	html     string   // elements of the page, one a line
	licences []string // addresses of RSL documents
}

// rightsFields writes the header fields that speak of rights, one a line.
func rightsFields(h http.Header) string {
	var b strings.Builder
	for _, name := range []string{"Content-Usage", "Content-Signal", "Tdm-Reservation", "Tdm-Policy", "X-Robots-Tag", "Link"} {
		for _, value := range h.Values(name) {
			if value = extract.OneLine(value); value == "" || name == "Link" && !strings.Contains(strings.ToLower(value), "license") {
				continue
			}
			b.WriteString(name + ": " + value + "\n")
		}
	}
	return b.String()
}

// readPage reads what a page states about rights.
func (e *evidence) readPage(doc *extract.Document, base *url.URL) {
	m := readMeta(doc)
	e.html = strings.Join(m.statement, "\n")
	if m.base != "" && e.html != "" { // the addresses below are relative to it
		e.html = `<base href="` + html.EscapeString(m.base) + "\">\n" + e.html
	}
	for _, link := range m.licences {
		if u, err := parseAddress(link, base); err == nil {
			e.licences = append(e.licences, u.String())
		}
	}
}

// asksNoIndex reports whether a page asks every search engine to leave it out, in a
// robots meta element or in X-Robots-Tag.
func (e *evidence) asksNoIndex(now time.Time) bool {
	if e == nil {
		return false
	}
	page := channel.ParseHTML(channel.Input{Body: []byte(e.html), CheckedAt: now.Unix()})
	header := channel.ParseHeaders(channel.Input{Fields: channel.ReadFields([]byte(e.header)), CheckedAt: now.Unix()})
	return slices.ContainsFunc(slices.Concat(page.Statements, header.Statements), func(s statements.Statement) bool {
		return s.Channel == statements.HTMLMeta && s.Word == "noindex" && (s.Agent == "" || s.Agent == "*")
	})
}
