package intake

import (
	"net/http"
	"net/url"
	"strings"
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
			if value = oneLine(value); value == "" || name == "Link" && !strings.Contains(strings.ToLower(value), "license") {
				continue
			}
			b.WriteString(name + ": " + value + "\n")
		}
	}
	return b.String()
}

func (e *evidence) takeMeta(m *meta, base *url.URL) {
	e.html = strings.Join(m.statement, "\n")
	for _, link := range m.licences {
		if u, err := parseAddress(link, base); err == nil {
			e.licences = append(e.licences, u.String())
		}
	}
}
