package channel

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"colophon/internal/channel/statements"
)

// readLicence turns one license element into statements:
//
//   - one per permitted usage word, allow or priced, with the terms;
//   - one per prohibited usage word;
//   - "unlisted", a disallow for what a closed list of permits leaves out;
//   - "offer", when it names no usage but has a price;
//   - "audience", when it shuts out users or territories.
func (c *rslContent) readLicence(n *node, number int) {
	l := rslLicence{c: c, locator: c.locator + "/license[" + strconv.Itoa(number) + "]"}
	l.terms.Server = c.server
	for _, k := range n.kids {
		if !isRSLSpace(k.space) {
			continue
		}
		switch k.name {
		case "permits":
			l.readTokens(k, true)
		case "prohibits":
			l.readTokens(k, false)
		case "payment":
			l.readPayment(k)
		case "reporting":
			l.readReporting(k)
		case "legal":
			if strings.EqualFold(k.attrOrEmpty("type"), "contact") {
				l.setContact(k.text)
			}
		default:
			c.addGap("rsl_unknown_element", l.locator, k.name)
		}
	}
	l.addStatements()
}

type rslLicence struct {
	c         *rslContent
	locator   string
	permits   []string // usage words
	prohibits []string
	closed    bool // a permits type=usage was present
	seen      []string
	paid      bool
	reporting string // the demands for reports, in words
	demands   int
	terms     statements.Terms
}

func (l *rslLicence) addGap(code, detail string) { l.c.addGap(code, l.locator, detail) }

func (l *rslLicence) addWarning(code, detail string) { l.c.r.addWarning(code, l.locator, detail) }

func (l *rslLicence) setContact(target string) {
	if u, err := url.Parse(target); err == nil && u.Scheme != "mailto" && !strings.Contains(target, "@") {
		l.c.addLink("acquire-license", target)
	}
}

// maxReporting bounds the demands for reports of one licence.
const maxReporting = 20

// readReporting reads a demand for reports of use. Its profile says what they
// are, so a demand without one cannot be met, and the licence is not understood.
func (l *rslLicence) readReporting(k *node) {
	l.terms.Obligations = appendNew(l.terms.Obligations, "reporting")
	kind, profile, endpoint := strings.ToLower(k.attrOrEmpty("type")), k.attrOrEmpty("profile"), k.attrOrEmpty("endpoint")
	if u, err := url.Parse(profile); kind == "" || err != nil || !u.IsAbs() || l.demands == maxReporting {
		l.addGap("rsl_reporting_unreadable", kind+" "+profile)
		return
	}
	l.demands++
	l.reporting += ", reporting " + kind + " " + profile
	locator := l.locator + "/reporting[" + strconv.Itoa(l.demands) + "]"
	l.c.r.Links = append(l.c.r.Links, statements.Link{Rel: statements.RelReporting, URL: profile, Type: kind, Locator: locator}) // any URI
	switch {
	case strings.HasPrefix(endpoint, "https://"):
		l.reporting += " to " + endpoint
		l.c.r.addLink(l.c.base, statements.Link{Rel: statements.RelReportingEndpoint, URL: endpoint, Locator: locator})
	case endpoint != "":
		l.addWarning("rsl_endpoint_not_https", endpoint)
	}
}

func (l *rslLicence) readTokens(k *node, permit bool) {
	kind := strings.ToLower(k.attrOrEmpty("type"))
	if kind == "" && !permit {
		l.addWarning("rsl_type_missing", k.name)
		kind = "usage" // a prohibition is kept, a permission is not guessed
	}
	if slices.Contains(l.seen, k.name+kind) {
		l.addWarning("rsl_duplicate_"+k.name, kind)
	}
	l.seen = append(l.seen, k.name+kind)
	if strings.Contains(k.text, ",") {
		l.addWarning("comma_list", k.text)
	}
	words := strings.FieldsFunc(k.text, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' || r == '\n' || r == '\r' })
	switch kind {
	case "usage":
		l.readUsage(words, permit)
	case "user":
		l.readUsers(words, permit)
	case "geo":
		l.readGeo(words, permit)
	default:
		l.addGap("rsl_type_unknown", kind)
	}
}

func (l *rslLicence) readUsage(words []string, permit bool) {
	l.closed = l.closed || permit
	for _, w := range words {
		word := l.usageWord(w, permit)
		switch {
		case word == "":
		case permit:
			l.permits = appendNew(l.permits, word)
		default:
			l.prohibits = appendNew(l.prohibits, word)
		}
	}
}

// usageWord maps the words of earlier drafts.
func (l *rslLicence) usageWord(w string, permit bool) string {
	lower := strings.ToLower(w)
	if lower != w {
		l.addWarning("rsl_usage_case", w)
	}
	switch lower {
	case "all", "ai-all", "ai-train", "ai-input", "ai-index", "search":
		return lower
	case "train-ai", "ai-use", "ai-inference":
		l.addWarning("rsl_usage_draft_word", w)
		if lower == "train-ai" {
			return "ai-train"
		}
		return "ai-input"
	}
	switch {
	case !strings.Contains(w, ":"):
		l.addGap("rsl_usage_unknown", w)
	case permit:
		l.addWarning("rsl_usage_foreign", w) // an extension can permit nothing that is ours
	default:
		l.addGap("rsl_usage_foreign", w)
	}
	return ""
}

func appendNew(list []string, word string) []string {
	if slices.Contains(list, word) {
		return list
	}
	return append(list, word)
}

// isPriced reports whether a licence must be acquired first. A server obliges
// the client to get a token even for a free licence, and custom means that
// there is a process to follow.
func (l *rslLicence) isPriced() bool {
	return l.paid || l.terms.Server != "" || l.terms.Custom != ""
}

func (l *rslLicence) addStatements() {
	l.applySharedLicence()
	effect := statements.Allow
	if l.isPriced() {
		effect = statements.Priced
	}
	for _, w := range l.permits {
		l.addStatement(w, effect, "permits usage="+w+l.reporting)
	}
	for _, w := range l.prohibits {
		l.addStatement(w, statements.Disallow, "prohibits usage="+w)
	}
	if l.closed {
		l.addStatement("unlisted", statements.Disallow, "permits lists no other usage")
	}
	if !l.closed && len(l.prohibits) == 0 && effect == statements.Priced {
		l.addStatement("offer", statements.Priced, "a licence with payment "+cmp.Or(l.terms.Payment, "custom")+l.reporting)
	}
	if len(l.terms.NotUserTypes)+len(l.terms.NotTerritories) > 0 {
		l.addStatement("audience", statements.Unknown, "prohibits "+strings.Join(append(slices.Clone(l.terms.NotUserTypes), l.terms.NotTerritories...), " "))
	}
}

func (l *rslLicence) addStatement(word string, effect statements.Effect, text string) {
	s := statements.Statement{
		Channel: statements.RSL, Host: l.c.host, Pattern: l.c.pattern, Word: word, Effect: effect,
		Terms: l.terms, Group: l.c.group, Locator: l.locator, Text: text,
	}
	if effect == statements.Disallow {
		s.Terms = statements.Terms{}
	}
	l.c.r.addStatement(s)
}
