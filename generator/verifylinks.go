package generator

import (
	"html"
	"net/url"
	"path"
	"regexp"
	"strings"

	"colophon/exports"
	"colophon/internal/wire"
)

// addressEnd ends an address in a text of any format.
const addressEnd = "[^\\s\"'<>()\\[\\]{}\\\\`|^,;]*"

// followed are the endings of published files that are texts, in which
// addresses are looked for.
var followed = map[string]bool{
	"": true, ".csv": true, ".html": true, ".json": true, ".md": true, ".ndjson": true, ".rss": true, ".txt": true, ".xml": true,
}

// addresses finds the addresses of this service in published files.
type addresses struct {
	base    string // such as https://registry.example
	pattern *regexp.Regexp
}

// readAddresses reads the service's own address from its discovery document.
// Without one nothing is followed.
func (v *audit) readAddresses() *addresses {
	data, err := v.read(exports.KeyOf(exports.PathDiscovery))
	if err != nil {
		return nil
	}
	doc, err := wire.Parse(data, wire.Trusted)
	if err != nil {
		return nil
	}
	member := doc.Get("base_url")
	if member == nil {
		return nil
	}
	base, ok := member.Str()
	if !ok || base == "" {
		return nil
	}
	return &addresses{base, regexp.MustCompile(regexp.QuoteMeta(base) + addressEnd)}
}

// find lists the paths of the service that a text names, each once.
func (a *addresses) find(text string) []string {
	var paths []string
	seen := map[string]bool{}
	for _, span := range a.pattern.FindAllStringIndex(text, -1) {
		if strings.HasPrefix(text[span[1]:], "{") { // a pattern such as /publishers/{site_id}
			continue
		}
		rest := text[span[0]+len(a.base) : span[1]]
		if strings.Contains(rest, "$") { // an example with a variable of a shell
			continue
		}
		rest, _, _ = strings.Cut(rest, "?")
		rest, _, _ = strings.Cut(rest, "#")
		rest = strings.TrimRight(rest, ".:*")
		if rest == "" {
			rest = "/"
		}
		if rest[0] != '/' || seen[rest] { // another port, or another host that begins alike
			continue
		}
		seen[rest] = true
		paths = append(paths, rest)
	}
	return paths
}

// follow checks that each address of this service in a published file is
// answered.
func (v *audit) follow(name string, data []byte) {
	if v.own == nil || !followed[path.Ext(name)] || strings.HasPrefix(name, exports.SandboxPrefix) {
		return
	}
	text := string(data)
	if ext := path.Ext(name); ext == ".html" || ext == ".xml" || ext == ".rss" {
		text = html.UnescapeString(text)
	}
	for _, target := range v.own.find(text) {
		v.Addresses++
		if !v.answered(target) {
			v.found(name, "names %s, at which nothing is published or answered", v.own.base+target)
		}
	}
}

// answered reports whether the service has something at a path: a file, or an
// endpoint of any method. Private addresses are not looked up.
func (v *audit) answered(target string) bool {
	if unescaped, err := url.PathUnescape(target); err == nil {
		target = unescaped
	}
	if v.published(exports.KeyOf(target)) {
		return true
	}
	for _, prefix := range []string{exports.PathInbox, exports.PathConversationPage} {
		if strings.HasPrefix(target, prefix) {
			return true
		}
	}
	for _, method := range []string{"GET", "POST"} {
		if e, _, _ := exports.Find(method, target); e != nil && e.Made != exports.Static {
			return true
		}
	}
	return false
}
