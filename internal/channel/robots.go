package channel

import (
	"net/url"
	"strings"
)

// ParseRobots reads robots.txt (RFC 9309) with the rules that others added to
// it: License (RSL), Content-Usage (AIPREF), Content-Signal, Agentmap.
//
// Allow and Disallow give statements of channel robots with the word "crawl":
// access, not use. Content-Usage and Content-Signal stand in their group;
// License lines become links that carry the group's agents.
func ParseRobots(in Input) Result {
	r := newResult(in, Robots)
	r.freshFor(in, robotsMaxAge)
	if looksLikeHTML(in.Body) {
		r.invalid("html_instead_of_text", "", "")
		return r
	}
	p := robotsReader{r: &r, base: in.URL}
	for n, text := range robotsLines(in.Body) {
		p.line(n+1, text)
	}
	r.sortAgents()
	return r
}

type robotsReader struct {
	r       *Result
	base    string
	agents  []string // of the group at hand
	group   int
	inRules bool // a rule was seen: the next User-agent opens a new group
}

func robotsLines(body []byte) []string {
	text := strings.TrimPrefix(string(body), "\ufeff")
	text = strings.ReplaceAll(text, "\r\n", "\n")
	return strings.Split(strings.ReplaceAll(text, "\r", "\n"), "\n")
}

func (p *robotsReader) line(n int, text string) {
	if i := strings.IndexByte(text, '#'); i >= 0 {
		text = text[:i]
	}
	text = strings.TrimSpace(strings.ToValidUTF8(text, "\ufffd"))
	if text == "" {
		return
	}
	key, value, ok := strings.Cut(text, ":")
	if !ok {
		if key, value, ok = spacedRule(text); !ok {
			p.r.warn("robots_line_ignored", line(n), text)
			return
		}
		p.r.warn("robots_missing_colon", line(n), text)
	}
	p.rule(n, strings.ToLower(strings.TrimSpace(key)), strings.TrimSpace(value))
}

// spacedRule reads "Disallow /x", which large crawlers accept.
func spacedRule(text string) (key, value string, ok bool) {
	f := strings.Fields(text)
	if len(f) != 2 {
		return "", "", false
	}
	switch strings.ToLower(f[0]) {
	case "allow", "disallow", "user-agent":
		return f[0], f[1], true
	}
	return "", "", false
}

func (p *robotsReader) rule(n int, key, value string) {
	switch key {
	case "user-agent", "useragent", "user agent":
		if key != "user-agent" {
			p.r.warn("robots_misspelt_rule", line(n), key)
		}
		p.userAgent(n, value)
	case "allow":
		p.crawl(n, value, Allow)
	case "disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw":
		if key != "disallow" {
			p.r.warn("robots_misspelt_rule", line(n), key)
		}
		p.crawl(n, value, Disallow)
	case "content-usage":
		p.contentUsage(n, value)
	case "content-signal", "content-signals":
		if key != "content-signal" {
			p.r.warn("content_signal_misspelt", line(n), key)
		}
		p.contentSignal(n, value)
	case "license":
		p.license(n, value)
	case "sitemap", "agentmap":
		p.r.link(p.base, Link{Rel: key, URL: value, Locator: line(n)})
	}
}

func (p *robotsReader) userAgent(n int, value string) {
	if p.inRules || p.group == 0 {
		p.agents, p.inRules = nil, false
		p.group++
	}
	token := productToken(value)
	if token == "" {
		p.r.warn("robots_agent_empty", line(n), value)
		return
	}
	p.agents = append(p.agents, token)
	p.r.addAgent(token) // even an empty group is the agent's own
}

// productToken takes the token of a User-agent value: "*" or the leading
// letters, digits, "-" and "_" (digits are not in RFC 9309 but in use).
func productToken(value string) string {
	if value == "*" || strings.HasPrefix(value, "* ") {
		return "*"
	}
	end := 0
	for end < len(value) && tokenByte(value[end]) {
		end++
	}
	return value[:end]
}

func tokenByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_'
}

func (p *robotsReader) crawl(n int, value string, effect Effect) {
	if p.group == 0 {
		p.r.warn("robots_rule_outside_group", line(n), value)
		return
	}
	p.inRules = true
	if value == "" {
		return // an empty rule matches nothing
	}
	if value[0] != '/' && value[0] != '*' {
		p.r.warn("robots_path_without_slash", line(n), value)
		if effect == Allow {
			return // a restriction is meant well enough, a permission is not guessed
		}
		value = "/" + value
	}
	verb := "Allow: "
	if effect == Disallow {
		verb = "Disallow: "
	}
	p.each(Statement{
		Channel: Robots, Pattern: value, Word: "crawl", Effect: effect,
		Locator: line(n), Text: verb + value,
	})
}

// each says s once for every agent of the group.
func (p *robotsReader) each(s Statement) {
	s.Group = p.group
	for _, a := range p.agents {
		s.Agent = a
		p.r.say(s)
	}
}

func (p *robotsReader) contentUsage(n int, value string) {
	if p.group == 0 {
		p.r.warn("content_usage_outside_group", line(n), value)
		p.agents, p.group = []string{"*"}, 1
	}
	p.inRules = true
	path, prefs := "/", value
	if strings.HasPrefix(value, "/") {
		i := strings.IndexAny(value, " \t")
		if i < 0 {
			p.r.warn("content_usage_without_preference", line(n), value)
			return
		}
		path, prefs = value[:i], strings.TrimSpace(value[i:])
	} else {
		p.r.warn("content_usage_without_path", line(n), value)
	}
	for _, s := range usageStatements(p.r, prefs, line(n)) {
		s.Channel, s.Pattern = AIPrefRobots, path
		p.each(s)
	}
}

func (p *robotsReader) contentSignal(n int, value string) {
	if p.group == 0 {
		p.r.warn("content_signal_outside_group", line(n), value)
		p.agents, p.group = []string{"*"}, 1
	}
	p.inRules = true
	for _, s := range signalStatements(p.r, value, line(n)) {
		s.Pattern = "/"
		p.each(s)
	}
}

func (p *robotsReader) license(n int, value string) {
	if u, err := url.Parse(value); err != nil || !u.IsAbs() {
		p.r.warn("license_not_absolute", line(n), value)
	}
	if p.group == 0 {
		p.r.link(p.base, Link{Rel: "license", URL: value, Type: rslMediaType, Locator: line(n)})
		return
	}
	p.inRules = true
	for _, a := range p.agents {
		p.r.link(p.base, Link{Rel: "license", URL: value, Type: rslMediaType, Agent: a, Locator: line(n)})
	}
}

func (r *Result) addAgent(a string) {
	if a != "" && a != "*" {
		r.Agents = append(r.Agents, strings.ToLower(a))
	}
}

func looksLikeHTML(b []byte) bool {
	head := strings.ToLower(strings.TrimSpace(string(b[:min(len(b), 256)])))
	head = strings.TrimPrefix(head, "\ufeff")
	return strings.HasPrefix(head, "<!doctype") || strings.HasPrefix(head, "<html")
}
