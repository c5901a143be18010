package intake

import (
	"strconv"
	"strings"
	"time"

	"colophon/exports"
)

// agent is our product token: in User-Agent and in robots.txt.
const agent = "Colophon"

// rules is what a robots.txt asks of us (RFC 9309).
type rules struct {
	lines []rule
	delay time.Duration
}

type rule struct {
	pattern string // in the spelling of exports.NormalPattern
	allow   bool
}

// parseRobots reads the groups for our product token, or else those for "*".
func parseRobots(text string) rules {
	var ours, others rules
	named, inOurs, inOthers, inRules := false, false, false, true
	for _, line := range strings.FieldsFunc(cutText(text, 500<<10), func(r rune) bool { return r == '\n' || r == '\r' }) {
		line, _, _ = strings.Cut(line, "#")
		key, value, ok := strings.Cut(strings.TrimPrefix(line, "\ufeff"), ":")
		key, value = strings.ToLower(strings.TrimSpace(key)), strings.TrimSpace(value)
		switch {
		case !ok:
		case key == "user-agent":
			if inRules {
				inOurs, inOthers, inRules = false, false, false
			}
			mine := strings.EqualFold(productToken(value), agent)
			named, inOurs, inOthers = named || mine, inOurs || mine, inOthers || productToken(value) == "*"
		case key == "sitemap":
		default:
			inRules = true
			if inOurs {
				ours.addRule(key, value)
			}
			if inOthers {
				others.addRule(key, value)
			}
		}
	}
	if named {
		return ours
	}
	return others
}

// productToken takes the product token off a User-agent value.
func productToken(value string) string {
	end := strings.IndexFunc(value, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '_' && r != '*'
	})
	if end < 0 {
		return value
	}
	return value[:end]
}

func (r *rules) addRule(key, value string) {
	switch key {
	case "allow", "disallow", "dissallow", "disalow", "diasllow": // misspellings that large crawlers accept
		if value != "" {
			if value[0] != '/' && value[0] != '*' {
				value = "/" + value
			}
			r.lines = append(r.lines, rule{exports.NormalPattern(value), key == "allow"})
		}
	case "crawl-delay":
		if s, err := strconv.ParseFloat(value, 64); err == nil && s > 0 {
			r.delay = time.Duration(min(s, maxCrawlDelay.Seconds()) * float64(time.Second))
		}
	}
}

// allowsPath decides by the longest rule that matches; on a tie Allow wins.
func (r rules) allowsPath(path string) bool {
	if path == "/robots.txt" {
		return true
	}
	path = exports.NormalPattern(path)
	length, allow := -1, true
	for _, l := range r.lines {
		n := len(l.pattern)
		if (n > length || n == length && l.allow) && exports.MatchNormalPattern(l.pattern, path) {
			length, allow = n, l.allow
		}
	}
	return allow
}
