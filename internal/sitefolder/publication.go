package sitefolder

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"colophon/internal/extract"
	"colophon/internal/frontmatter"
)

// The reasons of pages that their generator does not publish.
const (
	reasonDraft       = "draft"
	reasonNotYet      = "not_yet"
	reasonExpired     = "expired"
	reasonUnlisted    = "unlisted"
	reasonNotRendered = "not_rendered"
	reasonNoIndex     = "noindex"
)

// publicationRules say what a generator publishes although front matter would
// hold it back.
type publicationRules struct {
	drafts, future, expired bool
	// publishDate returns the date before which a page is not published, "" if
	// there is none. A nil publishDate or expiryDate means that of Hugo's
	// default configuration.
	publishDate, expiryDate func(rel string, m frontmatter.Fields) string
}

// withheld says why a generator does not publish a page, nil if it does. A page is
// not published before its date, nor from the date on which it expires.
func (l *layout) withheld(rel string, m frontmatter.Fields, opt Options) *Problem {
	if l.unrendered != nil && l.unrendered(rel, m) || !isRendered(m) {
		return unpublished(reasonNotRendered, "%s makes no page of it", l.name)
	}
	if !l.publishes.drafts && isDraft(m) || l.draft != nil && l.draft(rel) {
		return unpublished(reasonDraft, "it is a draft")
	}
	if isUnlisted(m) {
		return unpublished(reasonUnlisted, "its front matter keeps it out of lists")
	}
	if !opt.KeepNoIndex && asksNoIndex(m) {
		return unpublished(reasonNoIndex, "its front matter asks search engines to leave it out")
	}
	publishDate, expiryDate := l.publishes.publishDate, l.publishes.expiryDate
	if publishDate == nil {
		publishDate = hugoDates(nil, "publishdate")
	}
	if expiryDate == nil {
		expiryDate = hugoDates(nil, "expirydate")
	}
	if at, ok := readInstant(publishDate(rel, m)); ok && at.After(opt.Now) && !l.publishes.future {
		return unpublished(reasonNotYet, "it is published on %s", extract.InstantOf(at))
	}
	if at, ok := readInstant(expiryDate(rel, m)); ok && !at.After(opt.Now) && !l.publishes.expired {
		return unpublished(reasonExpired, "it expired on %s", extract.InstantOf(at))
	}
	return nil
}

// hugoDateFields are the fields of Hugo's dates in the order of its default
// configuration (gohugo.io/configuration/front-matter).
var hugoDateFields = map[string][]string{
	"publishdate": {"publishdate", "pubdate", "published", "date"},
	"expirydate":  {"expirydate", "unpublishdate"},
}

// hugoDates returns a function that reads a date from the fields that Hugo's
// configuration names for it, or from those of the default configuration. It
// does not read the times of files and commits.
func hugoDates(configured frontmatter.Fields, kind string) func(rel string, m frontmatter.Fields) string {
	fields := configured.Texts(kind)
	if len(fields) == 0 {
		fields = hugoDateFields[kind]
	}
	if i := slices.Index(fields, ":default"); i >= 0 {
		fields = slices.Concat(fields[:i], hugoDateFields[kind], fields[i+1:])
	}
	return func(rel string, m frontmatter.Fields) string {
		for _, field := range fields {
			value := m.Text(strings.ToLower(field))
			if field == ":filename" {
				value = datedName.FindString(path.Base(rel))
			}
			if at := extract.Instant(value); at != "" {
				return at
			}
		}
		return ""
	}
}

// datedName is the date that the name of a file begins with.
var datedName = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}`)

func noDate(string, frontmatter.Fields) string { return "" }

func readInstant(text string) (time.Time, bool) {
	t, err := time.Parse(time.RFC3339, extract.Instant(text))
	return t, err == nil
}

// isDraft reports a page that its author has not published.
func isDraft(m frontmatter.Fields) bool {
	status := strings.ToLower(m.Text("status"))
	return m.True("draft") || m.False("published") || m.False("publish") || slices.Contains([]string{"draft", "hidden", "pending", "private"}, status)
}

// isUnlisted reports a page that is kept out of lists and sitemaps.
func isUnlisted(m frontmatter.Fields) bool {
	return m.True("unlisted") || m.Object("build").Text("list") == "never" || m.Object("_build").Text("list") == "never"
}

// asksNoIndex reports the fields by which themes write a robots meta element.
func asksNoIndex(m frontmatter.Fields) bool {
	return m.True("noindex") || m.True("robotsnoindex") || strings.Contains(strings.ToLower(strings.Join(m.Texts("robots"), ",")), "noindex")
}

// isRendered reports a page that a generator writes: Hugo unless its build options
// say otherwise, Eleventy unless it has no address, Zola unless render is false.
func isRendered(m frontmatter.Fields) bool {
	return rendersPages(m.Object("build")) && rendersPages(m.Object("_build")) && !m.False("permalink") && !m.False("render")
}

// rendersPages reads Hugo's build options.
func rendersPages(build frontmatter.Fields) bool {
	render := build.Text("render")
	return render != "never" && render != "false" && render != "link"
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

// ignorePattern returns a pattern (git-scm.com/docs/gitignore) as a regular
// expression.
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

// isPartial reports whether Docusaurus makes no page from a file or folder,
// because its name begins with an underscore.
func isPartial(rel string) bool { return strings.HasPrefix(path.Base(rel), "_") }
