package said

import (
	"slices"
	"strings"
)

// Document is one document of a site and what it says. Times are unix
// seconds.
type Document struct {
	Channel    Name // of the document; statements may belong to others
	URL        string
	Statements []Statement
	Links      []Link
	Agents     []string // product tokens that robots groups name, sorted, without "*"
	CheckedAt  int64
	ValidUntil int64  // 0 = unknown
	Digest     string // SHA-256 of the bytes, lower-case hex
	Embedded   bool   // the document travels with the resource it speaks of
}

// GroupAgent gives the agent whose groups are in force for the one asked: its
// own when the document names it, else "*" (RFC 9309, section 2.2.1).
func (d *Document) GroupAgent(agent string) string {
	if agent != "" && slices.Contains(d.Agents, strings.ToLower(agent)) {
		return agent
	}
	return "*"
}

// sameAgent compares product tokens, which ignore case.
func sameAgent(a, b string) bool { return strings.EqualFold(a, b) }

// Split cuts an absolute URL into its lower-case host and its path with
// query; a bare path has no host.
func Split(resource string) (host, path string) {
	i := strings.Index(resource, "://")
	if i < 0 {
		resource, _, _ = strings.Cut(resource, "#")
		if !strings.HasPrefix(resource, "/") {
			resource = "/" + resource
		}
		return "", resource
	}
	rest, _, _ := strings.Cut(resource[i+3:], "#")
	end := strings.IndexAny(rest, "/?")
	if end < 0 {
		end = len(rest)
	}
	host, path = rest[:end], rest[end:]
	if at := strings.LastIndexByte(host, '@'); at >= 0 {
		host = host[at+1:]
	}
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return strings.ToLower(host), path
}

func sortedSet(words []string) []string {
	slices.Sort(words)
	return slices.Compact(words)
}
