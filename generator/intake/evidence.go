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

func (e *evidence) take(m *meta, base *url.URL) {
	e.html = strings.Join(m.statement, "\n")
	for _, link := range m.licences {
		if u, err := address(link, base); err == nil {
			e.licences = append(e.licences, u.String())
		}
	}
}

// linkedLicences takes the addresses of RSL documents out of Link fields
// (RFC 8288).
func linkedLicences(header string, base *url.URL) []string {
	var list []string
	for _, line := range strings.Split(header, "\n") {
		value, ok := strings.CutPrefix(line, "Link: ")
		if !ok {
			continue
		}
		for _, part := range strings.Split(value, "<")[1:] {
			raw, params, ok := strings.Cut(part, ">")
			params = strings.ToLower(strings.NewReplacer(`"`, "", " ", "").Replace(params))
			if !ok || !strings.Contains(params, "rel=license") || !strings.Contains(params, "type="+rslMedia) {
				continue
			}
			if u, err := address(raw, base); err == nil {
				list = append(list, u.String())
			}
		}
	}
	return list
}

// robotsLicences takes the addresses of RSL documents out of robots.txt.
func robotsLicences(text string) []string {
	var list []string
	for _, line := range strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' }) {
		line, _, _ = strings.Cut(line, "#")
		key, value, _ := strings.Cut(line, ":")
		if !strings.EqualFold(strings.TrimSpace(key), "license") {
			continue
		}
		if u, err := address(value, nil); err == nil {
			list = append(list, u.String())
		}
	}
	return list
}
