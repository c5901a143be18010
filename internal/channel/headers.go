package channel

import (
	"bytes"
	"strings"

	"colophon/internal/channel/statements"
)

// RSLMediaType is the type of license.xml.
const RSLMediaType = "application/rsl+xml"

// ParseHeaders reads the response header that came with a resource: Link
// rel=license, Content-Usage, Content-Signal, tdm-reservation, tdm-policy and
// X-Robots-Tag. Statements are about the resource (Pattern is empty).
func ParseHeaders(in Input) Result {
	if in.Body == nil {
		in.Body = fieldBytes(in.Fields)
	}
	r := newResult(in, statements.AIPrefHeader)
	r.Embedded = true
	p := headerReader{r: &r, base: in.URL}
	for _, f := range in.Fields {
		p.readField(strings.ToLower(strings.TrimSpace(f.Name)), strings.TrimSpace(f.Value))
	}
	p.finishHeaders()
	return r
}

// ReadFields reads a saved header block: one field a line, until the first
// empty line; a status line is skipped.
func ReadFields(block []byte) []Field {
	var fields []Field
	for _, text := range strings.Split(strings.ReplaceAll(strings.ReplaceAll(string(block), "\r\n", "\n"), "\r", "\n"), "\n") {
		if strings.TrimSpace(text) == "" {
			if len(fields) > 0 {
				break
			}
			continue
		}
		name, value, ok := strings.Cut(text, ":")
		if !ok || strings.ContainsAny(name, " \t") {
			continue
		}
		fields = append(fields, Field{name, strings.TrimSpace(value)})
	}
	return fields
}

func fieldBytes(fields []Field) []byte {
	var b bytes.Buffer
	for _, f := range fields {
		b.WriteString(f.Name + ": " + f.Value + "\r\n")
	}
	return b.Bytes()
}

type headerReader struct {
	r     *Result
	base  string
	usage []string
	tdm   tdmPair
}

func (p *headerReader) readField(name, value string) {
	switch name {
	case "content-usage":
		p.usage = append(p.usage, value) // lines of one field are one list
	case "content-signal", "content-signals":
		if name != "content-signal" {
			p.r.addWarning("content_signal_misspelt", "header", name)
		}
		p.r.addStatements(signalStatements(p.r, value, "header Content-Signal"))
	case "link":
		p.readLinks(value)
	case "tdm-reservation":
		p.tdm.setValue(value)
	case "tdm-policy":
		p.tdm.policy = value
	case "x-robots-tag":
		p.robotsTag(value)
	default:
		if isReservationName(name) {
			p.r.gapIn(statements.Gap{Code: "tdm_reservation_misspelt", Locator: "header " + clipText(name), Channel: statements.TDMRep}, value)
		}
	}
}

func (p *headerReader) finishHeaders() {
	if len(p.usage) > 0 {
		p.r.addStatements(usageStatements(p.r, statements.AIPrefHeader, strings.Join(p.usage, ", "), "header Content-Usage", ""))
	}
	p.tdm.addTo(p.r, p.base, statements.LayerHeader, "header tdm-reservation")
	p.r.sortAgents()
}

// robotsTag reads "noai, noindex" and "examplebot: noai".
func (p *headerReader) robotsTag(value string) {
	agent := "*"
	if head, rest, ok := strings.Cut(value, ":"); ok && head != "" && ProductToken(head) == head && !robotsDirective(head) {
		agent, value = head, rest
	}
	p.r.addStatements(metaRobots(p.r, value, "header X-Robots-Tag", agent))
}

// robotsDirective distinguishes directives that take a value from agent names.
func robotsDirective(s string) bool {
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "unavailable_after", "max-snippet", "max-image-preview", "max-video-preview":
		return true
	}
	return false
}

// looksLikeRSL reports whether an address looks like that of a licence file
// rather than of terms for people, for links that do not give their type.
func looksLikeRSL(address string) bool {
	_, path := statements.Split(strings.ToLower(address))
	path, _, _ = strings.Cut(path, "?")
	return strings.HasSuffix(path, ".xml") || strings.HasSuffix(path, ".rsl")
}

func (p *headerReader) readLinks(value string) {
	for _, l := range parseLinks(value) {
		if !l.hasRel("license") {
			continue
		}
		kind := mediaType(l.params["type"])
		if kind != "" && kind != RSLMediaType || kind == "" && !looksLikeRSL(l.target) {
			p.r.addLink(p.base, statements.Link{Rel: "terms", URL: l.target, Type: kind, Locator: "header Link"})
			continue
		}
		if kind == "" {
			p.r.addWarning("license_link_without_type", "header Link", l.target)
		}
		p.r.addLink(p.base, statements.Link{Rel: "license", URL: l.target, Type: kind, Locator: "header Link"})
	}
}

// mediaType returns the type and subtype of a media type, in lower case and
// without parameters.
func mediaType(text string) string {
	kind, _, _ := strings.Cut(text, ";")
	return strings.ToLower(strings.TrimSpace(kind))
}
