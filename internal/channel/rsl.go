package channel

import (
	"net/url"
	"strconv"
	"strings"

	"colophon/internal/channel/statements"
)

// RSLNamespace is the namespace of RSL 1.0.
const RSLNamespace = "https://rslstandard.org/rsl"

// isRSLSpace accepts the namespace and its spellings in older files.
func isRSLSpace(s string) bool {
	return s == "" || strings.TrimRight(strings.Replace(s, "http://", "https://", 1), "/") == RSLNamespace
}

// ParseRSL reads an RSL 1.0 licence file. Meaning is strict; deviations of
// files made for earlier drafts (absolute URLs, comma lists, train-ai, a
// missing namespace) are tolerated with a warning.
func ParseRSL(in Input) Result {
	r := newResult(in, statements.RSL)
	r.freshFor(in, rslMaxAge)
	root, err := parseXML(in.Body)
	if err != nil {
		r.rejectDocument("rsl_not_xml", "", err.Error())
		return r
	}
	readRSL(&r, in, root, rslScope{})
	return r
}

// rslScope says where RSL elements were found.
type rslScope struct {
	page     bool   // inside a page: an empty url means that page
	itemLink string // inside a feed item: an empty url means its link
}

func readRSL(r *Result, in Input, root *node, scope rslScope) {
	if root.name != "rsl" || !isRSLSpace(root.space) {
		r.rejectDocument("rsl_root_missing", "", root.name)
		return
	}
	if root.space != RSLNamespace {
		r.addWarning("rsl_namespace", "", root.space)
	}
	if v, ok := root.attrValue("max-age"); ok {
		r.maxAge(in, v)
	}
	contents := 0
	for _, k := range root.kids {
		switch {
		case !isRSLSpace(k.space):
		case k.name == "content":
			contents++
			readContent(r, in.URL, k, contents, scope)
		default:
			r.gapIn(statements.Gap{Code: "rsl_unknown_element", Channel: statements.RSL}, k.name)
		}
	}
	if contents == 0 {
		r.rejectDocument("rsl_without_content", "", "")
	}
}

func (r *Result) maxAge(in Input, days string) {
	n, err := strconv.ParseInt(days, 10, 32)
	if err != nil || n < 1 {
		r.addWarning("rsl_max_age_ignored", "", days)
		return
	}
	if n > 3650 {
		n = 3650
	}
	r.freshFor(in, n*day)
}

// rslContent is one content element: where it applies and who serves it.
type rslContent struct {
	r       *Result
	base    string
	host    string
	pattern string
	server  string
	locator string
	group   int
}

// maxLicences bounds the licences of one content element.
const maxLicences = 500

// addGap records a part of this content that was not understood: it can
// restrict only the pages of that content.
func (c *rslContent) addGap(code, locator, detail string) {
	c.r.gapIn(statements.Gap{Code: code, Locator: locator, Host: c.host, Pattern: c.pattern, Channel: statements.RSL}, detail)
}

func readContent(r *Result, base string, n *node, number int, scope rslScope) {
	c := rslContent{r: r, base: base, locator: "content[" + strconv.Itoa(number) + "]"}
	if u := n.attrOrEmpty("url"); u != "" {
		c.locator = "content[@url='" + clipText(u) + "']"
	}
	if !c.readScope(n, scope) {
		return
	}
	if server := n.attrOrEmpty("server"); server != "" {
		abs, ok := ResolveAbsolute(base, server)
		if !ok {
			abs = server // still obliges the client to get a token
			r.addWarning("rsl_server_not_a_url", c.locator, server)
		}
		c.server = abs
	}
	licences := 0
	for _, k := range n.kids {
		if !isRSLSpace(k.space) {
			continue
		}
		switch k.name {
		case "license":
			licences++
			c.group++
			if licences <= maxLicences {
				c.readLicence(k, licences)
			}
		case "terms":
			c.addLink("terms", k.text)
		case "copyright":
			if u := k.attrOrEmpty("contactUrl"); u != "" {
				c.addLink("acquire-license", u)
			}
		case "schema", "alternate":
		default:
			c.addGap("rsl_unknown_element", c.locator, k.name)
		}
	}
	if licences > maxLicences {
		c.addGap("rsl_too_many_licences", c.locator, "")
	}
	if licences == 0 {
		r.addWarning("rsl_content_without_license", c.locator, "")
	}
}

func (c *rslContent) addLink(rel, target string) {
	if target != "" {
		c.r.addLink(c.base, statements.Link{Rel: rel, URL: target, Locator: c.locator})
	}
}

// readScope works out host and pattern from the url attribute.
func (c *rslContent) readScope(n *node, scope rslScope) bool {
	raw, present := n.attrValue("url")
	switch {
	case raw != "":
	case scope.page:
		return true // Pattern "" is the page itself
	case scope.itemLink != "":
		raw = scope.itemLink + "$"
	case present:
		c.addGap("rsl_content_url_empty", c.locator, "")
		return false
	default:
		c.addGap("rsl_content_url_missing", c.locator, "")
		return false
	}
	if strings.Contains(raw, "://") {
		if scope.itemLink == "" {
			c.r.addWarning("absolute_content_url", c.locator, raw)
		}
		return c.absolutePattern(raw)
	}
	if raw[0] != '/' && raw[0] != '*' {
		c.r.addWarning("content_url_without_slash", c.locator, raw)
		raw = "/" + raw
	}
	c.pattern = raw
	return true
}

func (c *rslContent) absolutePattern(raw string) bool {
	rest := raw[strings.Index(raw, "://")+3:]
	host, path := rest, "/"
	if i := strings.IndexByte(rest, '/'); i >= 0 {
		host, path = rest[:i], rest[i:]
	}
	if host == "" || strings.ContainsAny(host, "*?#@ ") {
		c.addGap("content_url_host_ignored", c.locator, raw)
		return false
	}
	c.host, c.pattern = strings.ToLower(host), path
	if b, err := url.Parse(c.base); err == nil && b.Host != "" && !strings.EqualFold(b.Host, host) {
		c.r.addWarning("content_url_other_host", c.locator, raw)
	}
	return true
}
