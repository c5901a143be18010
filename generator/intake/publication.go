package intake

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"time"
)

// The reasons of pages that their generator does not publish.
const (
	reasonDraft       = "draft"
	reasonNotYet      = "not_yet"
	reasonExpired     = "expired"
	reasonUnlisted    = "unlisted"
	reasonNotRendered = "not_rendered"
)

// publicationRules are what a generator publishes although front matter says
// that it waits.
type publicationRules struct {
	drafts, future, expired bool
	// publishDate gives the date that a page waits for, "" for none; nil stands
	// for the dates of Hugo.
	publishDate func(rel string, m frontMatter) string
}

// withheld says why a generator does not publish a page, nil if it does. A page
// is not published before its date, and no more from the date at which it
// expires.
func (l *layout) withheld(rel string, m frontMatter, now time.Time) *problem {
	if l.unrendered != nil && l.unrendered(rel, m) || !isRendered(m.at("build")) || !isRendered(m.at("_build")) {
		return skippedProblem(reasonNotRendered, "%s makes no page of it", l.name)
	}
	if !l.publishes.drafts && m.isDraft() || l.draft != nil && l.draft(rel) {
		return skippedProblem(reasonDraft, "it is a draft")
	}
	if m.isUnlisted() {
		return skippedProblem(reasonUnlisted, "its front matter keeps it out of lists")
	}
	publishDate := l.publishes.publishDate
	if publishDate == nil {
		publishDate = hugoPublishDate
	}
	if at, ok := readInstant(publishDate(rel, m)); ok && at.After(now) && !l.publishes.future {
		return skippedProblem(reasonNotYet, "it is published on %s", formatInstant(at))
	}
	if at, ok := readInstant(m.textField("expirydate", "unpublishdate")); ok && !at.After(now) && !l.publishes.expired {
		return skippedProblem(reasonExpired, "it expired on %s", formatInstant(at))
	}
	return nil
}

// hugoPublishDate is the date of publication of a page of Hugo, in the order of
// its default configuration (gohugo.io/configuration/front-matter).
func hugoPublishDate(_ string, m frontMatter) string {
	return firstNonEmpty(instant(m.textField("publishdate")), instant(m.textField("pubdate")), instant(m.textField("published")), instant(m.textField("date")))
}

func noDate(string, frontMatter) string { return "" }

func readInstant(text string) (time.Time, bool) {
	t, err := time.Parse(time.RFC3339, instant(text))
	return t, err == nil
}

// isTrue reports a switch that is on, in any spelling of YAML.
func (m frontMatter) isTrue(name string) bool {
	return slices.Contains([]string{"true", "yes", "on", "1"}, strings.ToLower(m.textField(name)))
}

func (m frontMatter) isFalse(name string) bool {
	return slices.Contains([]string{"false", "no", "off", "0"}, strings.ToLower(m.textField(name)))
}

// isDraft reports a page that its author has not published.
func (m frontMatter) isDraft() bool { return m.isTrue("draft") || m.isFalse("published") }

// isUnlisted reports a page that is kept out of lists and sitemaps.
func (m frontMatter) isUnlisted() bool {
	return m.isTrue("unlisted") || m.at("build").textField("list") == "never" || m.at("_build").textField("list") == "never"
}

// ignoreRules are patterns of files in the manner of .gitignore: the last that
// fits decides.
type ignoreRules []ignoreRule

type ignoreRule struct {
	pattern *regexp.Regexp
	keep    bool
}

// readIgnoreRules reads one pattern a line.
func readIgnoreRules(text string) ignoreRules {
	var rules ignoreRules
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		line, keep := strings.CutPrefix(line, "!")
		rules = append(rules, ignoreRule{ignorePattern(line), keep})
	}
	return rules
}

// ignorePattern makes an expression of a pattern (git-scm.com/docs/gitignore).
func ignorePattern(p string) *regexp.Regexp {
	below := "(?:/.*)?$"
	if strings.HasSuffix(p, "/") {
		p, below = strings.TrimSuffix(p, "/"), "/.*$"
	}
	start := "^(?:.*/)?"
	if strings.Contains(p, "/") {
		p, start = strings.TrimPrefix(p, "/"), "^"
	}
	p = regexp.QuoteMeta(p)
	p = strings.NewReplacer(`\*\*/`, `(?:.*/)?`, `/\*\*`, `/.*`, `\*`, `[^/]*`, `\?`, `[^/]`).Replace(p)
	return regexp.MustCompile(start + p + below)
}

func (rules ignoreRules) match(rel string) bool {
	for _, rule := range slices.Backward(rules) {
		if rule.pattern.MatchString(rel) {
			return !rule.keep
		}
	}
	return false
}

// isPartial reports files and folders that Docusaurus makes no page of: their
// names begin with a low line.
func isPartial(rel string) bool { return strings.HasPrefix(path.Base(rel), "_") }
