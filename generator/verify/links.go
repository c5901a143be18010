package verify

import (
	"bytes"
	"html"
	"net/url"
	"path"
	"regexp"
	"strings"

	nethtml "golang.org/x/net/html"

	"colophon/exports"
	"colophon/internal/release"
	"colophon/internal/wire"
)

// addressEnd matches the rest of an address in a text of any format.
const addressEnd = "[^\\s\"'<>()\\[\\]{}\\\\`|^,;]*"

// followed are the suffixes of text files, which are searched for addresses.
var followed = map[string]bool{
	"": true, ".css": true, ".csv": true, ".html": true, ".js": true, ".json": true, ".jsonld": true, ".md": true, ".ndjson": true, ".rss": true,
	".svg": true, ".txt": true, ".xml": true,
}

// addresses finds addresses of this service in published files.
type addresses struct {
	base    string // such as https://registry.example
	pattern *regexp.Regexp
}

// readAddresses reads the service's own address from its discovery document.
// Without one, no addresses are checked.
func (v *audit) readAddresses() *addresses {
	data, err := v.readDocument(exports.KeyOf(exports.PathDiscovery))
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

// findPaths returns the paths of the service that occur in a text, each once.
func (a *addresses) findPaths(text string) []string {
	var paths []string
	seen := map[string]bool{}
	for _, span := range a.pattern.FindAllStringIndex(text, -1) {
		rest := text[span[1]:]
		if strings.HasPrefix(rest, "{") && !strings.HasPrefix(rest, "{?") { // a pattern such as /publishers/{site_id}
			continue
		}
		rest = text[span[0]+len(a.base) : span[1]]
		if strings.Contains(rest, "$") { // an example with a variable of a shell
			continue
		}
		rest, _, _ = strings.Cut(rest, "?")
		rest, _, _ = strings.Cut(rest, "#")
		rest = strings.TrimRight(rest, ".:*")
		if rest == "" {
			rest = "/"
		}
		if rest[0] != '/' || seen[rest] { // another port, or another host with the same beginning
			continue
		}
		seen[rest] = true
		paths = append(paths, rest)
	}
	return paths
}

// checkAddresses checks that the service answers each of its addresses in a
// published file.
func (v *audit) checkAddresses(name string, data []byte) {
	if v.own == nil || !followed[path.Ext(name)] {
		return
	}
	if path.Ext(name) == ".html" {
		v.followPage(name, data)
	}
	text := string(data)
	if ext := path.Ext(name); ext == ".html" || ext == ".xml" || ext == ".rss" {
		text = html.UnescapeString(text)
	}
	for _, target := range v.own.findPaths(text) {
		v.Addresses++
		if !v.isAnswered(target) {
			v.addFinding(name, "names %s, at which nothing is published or answered", v.own.base+target)
		}
	}
}

// isAnswered reports whether the service has something at a path: a file, or an
// endpoint with any method. It does not look up private addresses.
func (v *audit) isAnswered(target string) bool {
	if unescaped, err := url.PathUnescape(target); err == nil {
		target = unescaped
	}
	if v.isPublished(exports.KeyOf(target)) {
		return true
	}
	if exports.WithoutSecret(target) != target {
		return true
	}
	if exports.KeyOf(target) == release.CroissantKey { // a release counts without its tables
		return true
	}
	for _, method := range []string{"GET", "POST"} {
		e, params, _ := exports.Find(method, target)
		if e == nil {
			e, params = exports.FindPage(method, target, "")
		}
		if e == nil || e.Made == exports.FromFile || e.Made == exports.Listed {
			continue
		}
		site, ofSite := params["site_id"]
		entry, ofEntry := params["entry_id"]
		if (!ofSite || v.isPublished(exports.KeyOf(exports.PublisherPath(site)))) && (!ofEntry || v.isPublished(exports.KeyOf(exports.CitationPage(entry)))) {
			return true
		}
	}
	return false
}

// addressAttributes are the HTML attributes that hold an address.
var addressAttributes = map[string]bool{"action": true, "formaction": true, "href": true, "src": true}

// followPage checks the relative addresses in the elements of a page.
func (v *audit) followPage(name string, page []byte) {
	tokens := nethtml.NewTokenizer(bytes.NewReader(page))
	for {
		switch tokens.Next() {
		case nethtml.ErrorToken:
			return
		case nethtml.StartTagToken, nethtml.SelfClosingTagToken:
			_, more := tokens.TagName()
			for more {
				var attribute, value []byte
				attribute, value, more = tokens.TagAttr()
				if addressAttributes[string(attribute)] {
					v.relative(name, string(value))
				}
			}
		}
	}
}
