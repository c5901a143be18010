package channel

import (
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"colophon/internal/channel/misspelt"
	"colophon/internal/channel/statements"
)

// Bounds of a robots-like file. A file that exceeds one is read in part.
const (
	maxRobotsGroups = 512   // groups with different rules
	maxRobotsAgents = 20000 // mentions of product tokens
)

// ParseRobots parses robots.txt (RFC 9309) with the rules that others added to
// it: License (RSL), Content-Usage (AIPREF), Content-Signal, Agentmap.
//
// Allow and Disallow become statements of channel robots with the word "crawl":
// access, not use. Rules and licences have the number of their group; groups
// with the same rules are one.
func ParseRobots(in Input) Result {
	r, ok := textResult(in, statements.Robots)
	r.freshFor(in, robotsMaxAge)
	if !ok {
		return r
	}
	p := robotsReader{r: &r, base: in.URL}
	p.groups.r = &r
	readRobotsLines(&r, in.Body, p.readRule)
	p.groups.noteContradictions()
	p.groups.finishGroups()
	p.groups.readPurposes()
	return r
}

type robotsReader struct {
	r      *Result
	base   string
	groups groupReader
	last   int // number of the line read last
}

// readRobotsLines calls rule with the "key: value" lines of a robots-like file,
// with keys in lower case and without comments.
func readRobotsLines(r *Result, body []byte, rule func(n int, key, value string)) {
	text := strings.TrimPrefix(string(body), "\ufeff")
	if len(body) >= MaxDocumentBytes-utf8.UTFMax {
		text = text[:min(len(text), MaxDocumentBytes)]
		text = text[:strings.LastIndexAny(text, "\r\n")+1] // the last line is cut
	}
	for n := 1; text != ""; n++ {
		var one string
		one, text = nextLine(text)
		r.noteOrigin(n, one)
		one, _, _ = strings.Cut(one, "#")
		if one = strings.TrimSpace(strings.ToValidUTF8(one, "\ufffd")); one == "" {
			continue
		}
		if plain := plainLine(one); plain != one {
			r.addGap("robots_line_unreadable", lineLocator(n), one)
			one = plain // its restrictions count
		}
		key, value, ok := strings.Cut(one, ":")
		if !ok {
			if key, value, ok = spacedRule(one); !ok {
				r.unreadLine(n, one)
				continue
			}
			r.addWarning("robots_missing_colon", lineLocator(n), one)
		}
		if strings.ContainsAny(key, "\ufffd\x00") {
			r.unreadLine(n, one)
			continue
		}
		rule(n, strings.ToLower(strings.TrimSpace(key)), strings.TrimSpace(value))
	}
}

// plainLine removes invisible characters from a line, such as a zero-width
// space or a directional mark, and replaces a full-width colon by a plain one.
// Crawlers do neither, so the author wrongly believes that the rule is in
// force.
func plainLine(text string) string {
	text = strings.ReplaceAll(text, "\uff1a", ":")
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, text))
}

// unreadLine passes over a line without a rule. One whose octets are not text
// may be a rule in another encoding.
func (r *Result) unreadLine(n int, text string) {
	if strings.ContainsAny(text, "\ufffd\x00") {
		r.addGap("robots_line_unreadable", lineLocator(n), text)
		return
	}
	r.addWarning("robots_line_ignored", lineLocator(n), text)
}

func nextLine(text string) (line, rest string) {
	i := strings.IndexAny(text, "\r\n")
	if i < 0 {
		return text, ""
	}
	end := i + 1
	if text[i] == '\r' && end < len(text) && text[end] == '\n' {
		end++
	}
	return text[:i], text[end:]
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

func (p *robotsReader) readRule(n int, key, value string) {
	defer func() { p.last = n }()
	switch key {
	case "user-agent", "useragent", "user agent", "user_agent":
		if key != "user-agent" {
			p.r.addWarning("robots_misspelt_rule", lineLocator(n), key)
		}
		p.groups.readAgent(n, value)
	case "allow":
		p.readCrawlRule(n, value, statements.Allow)
	case "disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw":
		if key != "disallow" {
			p.r.addWarning("robots_misspelt_rule", lineLocator(n), key)
		}
		p.readCrawlRule(n, value, statements.Disallow)
	case "content-usage":
		p.contentUsage(n, value)
	case "content-signal", "content-signals":
		if key != "content-signal" {
			p.r.addWarning("content_signal_misspelt", lineLocator(n), key)
		}
		p.contentSignal(n, value)
	case "disallowaitraining":
		p.disallowTraining(n, value)
	case "allowaitraining":
		p.r.addWarning("robots_draft_rule_ignored", lineLocator(n), value) // a permission of a draft is not guessed
	case "crawl-delay":
		p.readDelay(value)
	case "license":
		p.readLicense(n, value)
	case "sitemap", "agentmap":
		p.r.addLink(p.base, statements.Link{Rel: key, URL: value, Locator: lineLocator(n)})
	default:
		p.readMisspelt(n, key, value)
	}
}

// readMisspelt reads a rule whose key differs from a restricting one in
// punctuation or by one letter. A misspelt Disallow is read as Disallow. The
// others are not guessed: they are gaps.
func (p *robotsReader) readMisspelt(n int, key, value string) {
	gap := statements.Gap{Code: "robots_misspelt_rule", Locator: lineLocator(n)}
	switch letters := misspelt.Letters(key); {
	case misspelt.IsNear(letters, "disallow"):
		p.r.addWarning(gap.Code, gap.Locator, key)
		p.readCrawlRule(n, value, statements.Disallow)
		return
	case misspelt.IsNear(letters, "useragent"), misspelt.IsNear(letters, "disallowaitraining"):
	case misspelt.IsNear(letters, "contentsignal"), misspelt.IsNear(letters, "contentsignals"):
		gap.Channel = statements.ContentSignal
	case misspelt.IsNear(letters, "contentusage"):
		gap.Channel = statements.AIPrefRobots
	case misspelt.IsNear(letters, "license"):
		gap.Channel = statements.RSL
	default:
		return
	}
	p.r.gapIn(gap, key)
}

// ProductToken returns the token of a User-agent value: "*" or the leading
// letters, digits, "-" and "_" (digits are not in RFC 9309 but in use).
func ProductToken(value string) string {
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

func (p *robotsReader) readCrawlRule(n int, value string, effect statements.Effect) {
	outside := !p.groups.isOpen()
	if outside {
		p.r.addWarning("robots_rule_outside_group", lineLocator(n), value)
	}
	p.groups.inRules = !outside
	if value == "" || outside && effect == statements.Allow {
		return // an empty rule matches nothing
	}
	pattern, ok := rulePattern(p.r, n, value, effect)
	if !ok {
		return
	}
	s := statements.Statement{
		Channel: statements.Robots, Pattern: pattern, Word: "crawl", Effect: effect,
		Locator: lineLocator(n), Text: ruleText(effect, value), Origin: p.r.origin,
	}
	if outside {
		p.r.addStatement(s) // crawlers ignore it (RFC 9309, section 2.2), but it is meant for everybody
		return
	}
	p.groups.addStatement(s)
}

// ruleText returns a rule as it is quoted.
func ruleText(effect statements.Effect, value string) string {
	if effect == statements.Disallow {
		return "Disallow: " + value
	}
	return "Allow: " + value
}

// rulePattern reads the path of a rule. A restriction with a fault is taken
// at its widest, a permission with a fault is not guessed.
func rulePattern(r *Result, n int, value string, effect statements.Effect) (string, bool) {
	if strings.Contains(value, "\ufffd") {
		r.addWarning("robots_path_not_utf8", lineLocator(n), value)
		if effect == statements.Allow {
			return "", false
		}
		value = strings.ReplaceAll(value, "\ufffd", "*")
	}
	if strings.Contains(value, "://") {
		return r.patternOfURL(n, value)
	}
	if value[0] != '/' && value[0] != '*' {
		r.addWarning("robots_path_without_slash", lineLocator(n), value)
		if effect == statements.Allow {
			return "", false
		}
		value = "/" + value
	}
	return value, true
}

// patternOfURL reads an address written instead of a path: it returns the path
// of an address on the file's own host, with or without "www.". The file does
// not apply to other hosts.
func (r *Result) patternOfURL(n int, value string) (string, bool) {
	r.addWarning("robots_path_is_url", lineLocator(n), value)
	host, path := statements.Split(value)
	own := hostOf(r.URL)
	return path, own == "" || strings.TrimPrefix(host, "www.") == strings.TrimPrefix(own, "www.")
}

func (p *robotsReader) contentUsage(n int, value string) {
	p.groups.beginRule("content_usage_outside_group", n, value)
	path, prefs := "/", value
	if strings.HasPrefix(value, "/") {
		i := strings.IndexAny(value, " \t")
		if i < 0 {
			p.r.addWarning("content_usage_without_preference", lineLocator(n), value)
			return
		}
		path, prefs = value[:i], strings.TrimSpace(value[i:])
	}
	for _, s := range usageStatements(p.r, statements.AIPrefRobots, prefs, lineLocator(n), path) {
		s.Pattern = path
		p.groups.addStatement(s)
	}
}

func (p *robotsReader) contentSignal(n int, value string) {
	p.groups.beginRule("content_signal_outside_group", n, value)
	for _, s := range signalStatements(p.r, value, lineLocator(n)) {
		s.Pattern = "/"
		p.groups.addStatement(s)
	}
}

// disallowTraining reads the rule of draft-canel-robots-ai-control, which some
// software serves. It means the same as a content signal, for a path.
func (p *robotsReader) disallowTraining(n int, value string) {
	p.groups.beginRule("robots_rule_outside_group", n, value)
	if value == "" {
		return
	}
	pattern, _ := rulePattern(p.r, n, value, statements.Disallow)
	p.groups.addStatement(statements.Statement{
		Channel: statements.ContentSignal, Pattern: pattern, Word: "ai-train", Effect: statements.Disallow,
		Locator: lineLocator(n), Text: "DisallowAITraining: " + value,
	})
}

func (p *robotsReader) readLicense(n int, value string) {
	if u, err := url.Parse(value); err != nil || !u.IsAbs() {
		p.r.addWarning("license_not_absolute", lineLocator(n), value)
	}
	if p.groups.isOpen() && n > p.last+1 && !slices.Contains(p.groups.lastGroup().agents, "*") {
		// It is set apart, and still belongs to the group above it.
		p.r.addWarning("license_inside_group", lineLocator(n), strings.Join(p.groups.lastGroup().agents, " "))
	}
	p.groups.inRules = p.groups.isOpen()
	p.groups.addLink(p.base, statements.Link{Rel: "license", URL: value, Type: RSLMediaType, Locator: lineLocator(n)})
}

func looksLikeHTML(b []byte) bool {
	head := strings.ToLower(strings.TrimSpace(strings.TrimPrefix(string(b[:min(len(b), 1024)]), "\ufeff")))
	return strings.HasPrefix(head, "<") && (strings.Contains(head, "<!doctype") || strings.Contains(head, "<html"))
}
